"""Hill climbing over the arrows between a few variables, by a score that is made of tests.

Arrows are added, taken out and turned, the one that raises the score most each time, until none does
(Heckerman, Geiger and Chickering 1995, Learning Bayesian networks, Machine Learning 20:197-243). The score of
a graph is the log-likelihood ratio, twice, less a price for every degree of freedom and for every arrow. What
an arrow x → y adds is then the statistic of a test of x and y given the other parents of y, less its price,
so that any test will do whose statistic is a likelihood ratio.

The price of a degree of freedom does not grow with the rows, as in Akaike's criterion (1974, IEEE
Transactions on Automatic Control 19:716-723) and unlike BIC's, which keeps out what has many levels;
the price of an arrow makes up for the many that are tried (Chen and Chen 2008, Extended Bayesian information
criteria for model selection with large model spaces, Biometrika 95:759-771).

The first arrow between two variables raises the score as much either way, and a wrong way leads to further
wrong arrows; climbing in the order of the columns does well where causes stand first (Kitson and Constantinou
2024, The impact of variable ordering on Bayesian network structure learning, Data Mining and Knowledge
Discovery 38:2545-2569). So between two ways the one is taken that makes the most of the next arrow to or from
each other variable.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from engine.independence.compiled import counting_kernel, counting_part
from engine.independence.interface import conditional_test

# A gain within this share of another is no larger: sums in another order differ by as much.
_ROUNDING = 1e-9
_IMPOSSIBLE = -1e300
# Steps a variable; a score that is not made of likelihoods exactly could lead round in circles.
_STEPS_A_VARIABLE = 20

_ADD: int = np.int64(1)  # type: ignore[assignment]
_TAKE_OUT: int = np.int64(2)  # type: ignore[assignment]
_TURN: int = np.int64(3)  # type: ignore[assignment]


class Price(NamedTuple):
    """What an arrow costs.

    Attributes
    ----------
    of_dof : float
        Price of a degree of freedom.
    of_arrow : float
        Price of an arrow, whatever its degrees of freedom.
    most_parents : int
        A variable gets no more.
    """

    of_dof: float
    of_arrow: float
    most_parents: int


class Climb(NamedTuple):
    """Some variables, the arrows between them, and working memory.

    Attributes
    ----------
    variables : ndarray of int64, shape (n,)
        Positions; what follows is filed under their numbers in it.
    arrows : ndarray of bool, shape (n, n)
        ``arrows[u, v]``: an arrow leads from u to v.
    alone : ndarray of float64, shape (n, n)
        What an arrow adds to the score where there is no other.
    gains : ndarray of float64, shape (n, n)
        What it adds to add an arrow to the present ones, or to take it out of them.
    ahead : ndarray of float64, shape (2, n)
        What arrows to either of two variables would add after the next step.
    given : ndarray of int64, shape (most parents,)
        Positions of variables that are held fixed.
    stack : ndarray of int64, shape (n,)
        Numbers of the variables from which arrows are still to be followed.
    reached : ndarray of bool, shape (n,)
        Variables to which arrows lead.
    tests : ndarray of int64, shape (1,)
        Tests made.
    """

    variables: np.ndarray
    arrows: np.ndarray
    alone: np.ndarray
    gains: np.ndarray
    ahead: np.ndarray
    given: np.ndarray
    stack: np.ndarray
    reached: np.ndarray
    tests: np.ndarray


def new_climb(variables: list[int], price: Price, before: Climb | None = None) -> Climb:
    """Start with some variables and no arrows.

    Parameters
    ----------
    variables : list of int
        Positions, those of `before` first.
    price : Price
        What arrows cost.
    before : Climb, optional
        A climb with fewer variables: what it knows of pairs is taken over. Its arrows are not, for a way that
        was chosen with few variables would lead astray.
    """
    count = len(variables)
    arrows, alone = np.zeros((count, count), np.bool_), np.zeros((count, count))
    tests = np.zeros(1, np.int64)
    if before is not None:
        known = len(before.variables)
        alone[:known, :known] = before.alone
        tests = before.tests
    return Climb(
        variables=np.array(variables, dtype=np.int64),
        arrows=arrows,
        alone=alone,
        gains=np.zeros((count, count)),
        ahead=np.zeros((2, count)),
        given=np.zeros(price.most_parents, np.int64),
        stack=np.zeros(count, np.int64),
        reached=np.zeros(count, np.bool_),
        tests=tests,
    )


@counting_kernel
def climb(data: Any, workspace: Any, here: Climb, known: int, price: Price, stop: np.ndarray) -> None:
    """Change arrows until no change raises the score.

    Parameters
    ----------
    data, workspace
        Test data and its working memory, for sets of `price.most_parents` variables.
    here : Climb
        Its arrows are changed.
    known : int
        Between so many variables, the first ones, is known what an arrow adds alone.
    price : Price
        What arrows cost.
    stop : ndarray of uint8, shape (1,)
        Not 0 asks to stop.
    """
    count = here.variables.shape[0]
    for to in range(known, count):
        for start in range(to):
            here.alone[start, to] = _gain(data, workspace, here, start, to, 0, price)
            here.alone[to, start] = here.alone[start, to]
    for to in range(count):
        _find_gains(data, workspace, here, to, price, here.gains[:, to])
    for _ in range(_STEPS_A_VARIABLE * count):
        change, start, to = _best_change(here)
        if stop[0] or change == 0:
            break
        if change == _ADD and _is_tied(here, start, to) and not _leads(here, start, to):
            _add_better_way(data, workspace, here, start, to, price)
            continue
        here.arrows[start, to] = change == _ADD
        _find_gains(data, workspace, here, to, price, here.gains[:, to])
        if change == _TURN:
            here.arrows[to, start] = True
            _find_gains(data, workspace, here, start, price, here.gains[:, start])


@counting_kernel
def gains_given(
    data: Any,
    workspace: Any,
    x: int,
    others: np.ndarray,
    parents: np.ndarray,
    price: Price,
    gains: np.ndarray,
    stop: np.ndarray,
) -> None:
    """Note what an arrow from each of some other variables to x would add to those from its parents."""
    for place in range(others.shape[0]):
        if stop[0]:
            break
        gains[place] = _worth(data, workspace, others[place], x, parents, parents.shape[0], price)


@counting_part
def _worth(data: Any, workspace: Any, x: int, y: int, given: np.ndarray, size: int, price: Price) -> float:
    statistic, dof, _, reliable = conditional_test(data, workspace, x, y, given, size)
    if not reliable:
        return _IMPOSSIBLE
    worth: float = statistic - price.of_dof * dof - price.of_arrow
    return worth


@counting_part
def _gain(data: Any, workspace: Any, here: Climb, start: int, to: int, size: int, price: Price) -> float:
    here.tests[0] += 1
    x, y = here.variables[start], here.variables[to]
    worth: float = _worth(data, workspace, x, y, here.given, size, price)
    return worth


@counting_part
def _find_gains(data: Any, workspace: Any, here: Climb, to: int, price: Price, gains: np.ndarray) -> None:
    """Note what each arrow to a variable would add, or its absence."""
    count = here.variables.shape[0]
    parents = _list_parents(here, to, to)
    for start in range(count):
        if start == to:
            continue
        if here.arrows[start, to]:
            others = _list_parents(here, to, start)
            alone = here.alone[start, to]
            gains[start] = -(alone if others == 0 else _gain(data, workspace, here, start, to, others, price))
            _list_parents(here, to, to)
        elif parents == 0:
            gains[start] = here.alone[start, to]
        elif parents == price.most_parents:
            gains[start] = _IMPOSSIBLE
        else:
            gains[start] = _gain(data, workspace, here, start, to, parents, price)


@counting_part
def _list_parents(here: Climb, to: int, but: int) -> int:
    """Put the parents of a variable, all but one, into ``given``; give their number."""
    size: int = np.int64(0)  # type: ignore[assignment]
    for start in range(here.variables.shape[0]):
        if here.arrows[start, to] and start != but:
            here.given[size] = here.variables[start]
            size += 1
    return size


@counting_part
def _best_change(here: Climb) -> Any:
    """Give the change that adds most to the score, with the arrow that it is about; 0 when none adds."""
    count = here.variables.shape[0]
    change: Any = np.int64(0)
    best_start: Any = np.int64(0)
    best_to: Any = np.int64(0)
    best = _ROUNDING
    for start in range(count):
        for to in range(count):
            gain = here.gains[start, to]
            if start == to or here.arrows[to, start]:
                continue
            if not here.arrows[start, to]:
                if _is_more(gain, best) and not _leads(here, to, start):
                    change, best_start, best_to, best = _ADD, np.int64(start), np.int64(to), gain
                continue
            if _is_more(gain, best):
                change, best_start, best_to, best = _TAKE_OUT, np.int64(start), np.int64(to), gain
            turned = gain + here.gains[to, start]
            if _is_more(turned, best) and not _leads_otherwise(here, start, to):
                change, best_start, best_to, best = _TURN, np.int64(start), np.int64(to), turned
    return change, best_start, best_to


@counting_part
def _is_more(gain: float, than: float) -> bool:
    return gain > than + _ROUNDING * abs(than)


@counting_part
def _leads(here: Climb, start: int, to: int) -> bool:
    """Tell whether arrows lead from one variable to another."""
    count = here.variables.shape[0]
    for each in range(count):
        here.reached[each] = False
    here.stack[0] = start
    here.reached[start] = True
    waiting = 1
    while waiting > 0:
        waiting -= 1
        current = here.stack[waiting]
        if current == to:
            return True
        for following in range(count):
            if here.arrows[current, following] and not here.reached[following]:
                here.reached[following] = True
                here.stack[waiting] = following
                waiting += 1
    return False


@counting_part
def _leads_otherwise(here: Climb, start: int, to: int) -> bool:
    """Tell whether other arrows than the one between two variables lead from the one to the other."""
    here.arrows[start, to] = False
    leads = _leads(here, start, to)
    here.arrows[start, to] = True
    return leads


@counting_part
def _is_tied(here: Climb, start: int, to: int) -> bool:
    """Tell whether an arrow would add as much the other way round."""
    one, other = here.gains[start, to], here.gains[to, start]
    tied: bool = abs(one - other) <= _ROUNDING * abs(one)
    return tied


@counting_part
def _add_better_way(data: Any, workspace: Any, here: Climb, first: int, second: int, price: Price) -> None:
    """Add the arrow between two variables in the way that makes the most of what comes next."""
    here.arrows[first, second] = True
    _find_gains(data, workspace, here, second, price, here.ahead[0])
    here.arrows[first, second] = False
    here.arrows[second, first] = True
    _find_gains(data, workspace, here, first, price, here.ahead[1])
    advantage = 0.0
    for other in range(here.variables.shape[0]):
        if other not in (first, second) and not _touches(here, other, first, second):
            advantage += _advantage(here, other, first, second)
    if advantage >= 0.0:
        here.arrows[second, first] = False
        here.arrows[first, second] = True
        _take_over(here.ahead[0], here.gains[:, second])
    else:
        _take_over(here.ahead[1], here.gains[:, first])


@counting_part
def _take_over(found: np.ndarray, gains: np.ndarray) -> None:
    for place in range(found.shape[0]):
        gains[place] = found[place]


@counting_part
def _touches(here: Climb, other: int, first: int, second: int) -> bool:
    arrows = here.arrows
    return arrows[other, first] or arrows[first, other] or arrows[other, second] or arrows[second, other]  # type: ignore[no-any-return]


@counting_part
def _advantage(here: Climb, other: int, first: int, second: int) -> float:
    """How much more a third variable can add when the arrow leads from the first to the second."""
    to_first, to_second = here.gains[other, first], here.gains[other, second]
    also_to_second, also_to_first = here.ahead[0, other], here.ahead[1, other]
    both = max(to_first + also_to_second, to_second + also_to_first, 0.0)
    advantage: float = max(both, also_to_second, to_first) - max(both, also_to_first, to_second)
    return advantage
