"""Search for a graph of a few variables by a score that is made of tests: by single arrows, then by orders.

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

Climbing by single arrows ends where no arrow raises the score any more, and that is often far below the graph
that the data come from: an early arrow the wrong way calls for others, and to turn it alone no longer pays.
Orders are fewer than graphs, and one of them has many graphs: once causes stand before their effects, the
parents of each variable are chosen from those before it, whatever the others have (Teyssier and Koller 2005,
Ordering-based search: a simple and effective algorithm for learning Bayesian networks, UAI, 584-590). So one
variable after another is moved to the place in the order that suits all best, until none moves, and parents
are found by growing and shrinking.

Parents are sought among variables at most two edges away in the graph that is known, and then once more in
the one that is found (Friedman, Nachman and Pe'er 1999, Learning Bayesian network structure from massive
datasets: the "sparse candidate" algorithm, UAI, 206-215): that takes a tenth of the time of all variables,
and the graphs score as well.

The best parents of a variable are found by growing and shrinking. Candidates come in while one adds to the
score, the one that adds most first; then those leave that cost more than they add beside the others. Who
comes in next hangs only on who is in already and on who else may come: of these it is the first in the order
of what they add. So that order is sought once for each set of members, and for further candidates hardly
anything is asked anew (Andrews, Ramsey, Sanchez-Romero, Camchong and Kummerfeld 2023, Fast scalable and
accurate discovery of DAGs using the best order score search and grow-shrink trees, NeurIPS 36).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, islice, repeat
from typing import NamedTuple

import numpy as np

from engine.errors import Cancelled
from engine.execution.remembering import BoundedMemory
from engine.independence.chi_squared import chi2_critical_values
from engine.independence.data import TestData

# Near the slope of critical values: by so much they grow with a degree of freedom, at the levels in use.
PRICE_OF_DOF = 2.5
MOST_PARENTS = 12

# A gain within this share of another is no larger: sums in another order differ by as much.
_ROUNDING = 1e-9
# Steps a variable; a score that is not made of likelihoods exactly could lead round in circles.
_STEPS_A_VARIABLE = 20
# So many arrows are remembered, 100 bytes each, and so many to one variable beside the same parents: more are
# asked about once, where a table is wide.
_MOST_ARROWS, _MOST_TO_ONE = 2**18, 2**10


class Price(NamedTuple):
    """What an arrow costs."""

    of_dof: float
    of_arrow: float
    most_parents: int


def price_of_arrows(variables: int, alpha: float) -> Price:
    """Return the price of arrows in a table with so many variables.

    Where a test has one degree of freedom, an arrow pays when the test is significant at the level divided by
    the number of variables, any of which could be at its other end (Bonferroni).

    >>> price = price_of_arrows(50, 0.01)
    >>> round(price.of_dof + price.of_arrow, 2)
    13.83
    """
    critical = float(chi2_critical_values(alpha / max(variables, 1), 1)[1])
    return Price(PRICE_OF_DOF, critical - PRICE_OF_DOF, MOST_PARENTS)


class ArrowsTo(NamedTuple):
    """Arrows to one variable, by position."""

    end: int  # where they lead to
    # others of that variable, in column order, so that a set is the same in every graph
    parents: tuple[int, ...]
    starts: Sequence[int]


class ArrowWorths:
    """What arrows add to the score, each weighed once: graphs around nearby labels share most arrows."""

    def __init__(self, data: TestData, price: Price, stop: np.ndarray) -> None:
        self.price = price
        self.tiers = data.tiers
        self._data, self._stop = data, stop
        # By the end of arrows and its other parents: what arrows add, by where they start.
        self._known: BoundedMemory[tuple[int, tuple[int, ...]], dict[int, float]]
        self._known = BoundedMemory(_MOST_ARROWS, len)

    def of(self, arrows: Sequence[ArrowsTo]) -> list[np.ndarray]:
        """Return what each of some arrows adds; -inf of those that cannot be tested."""
        gains_by_start = [self._known.get((end, parents)) or {} for end, parents, _ in arrows]
        added = [
            list(map(worths.get, starts))
            for worths, (_, _, starts) in zip(gains_by_start, arrows, strict=True)
        ]
        incomplete = [place for place, gains in enumerate(added) if None in gains]
        if incomplete:
            self._weigh_missing(arrows, gains_by_start, incomplete)
            for place in incomplete:
                added[place] = list(map(gains_by_start[place].get, arrows[place].starts))
        return [np.array(gains) for gains in added]

    def _weigh_missing(
        self, arrows: Sequence[ArrowsTo], gains_by_start: list[dict[int, float]], incomplete: Sequence[int]
    ) -> None:
        """Put in place of what is known of some of the arrows the same with what is missing."""
        missing = [
            ArrowsTo(end, parents, [start for start in starts if start not in gains_by_start[place]])
            for place, (end, parents, starts) in ((place, arrows[place]) for place in incomplete)
        ]
        # One call for all: what a call costs is worth some ten tests.
        weighed = iter(self._weighed(missing).tolist())
        for place, (end, parents, starts) in zip(incomplete, missing, strict=True):
            new = zip(starts, islice(weighed, len(starts)), strict=True)
            # Another thread may read what was known before.
            gains_by_start[place] = {**gains_by_start[place], **dict(new)}
            if len(gains_by_start[place]) <= _MOST_TO_ONE:
                self._known.put((end, parents), gains_by_start[place])

    def _weighed(self, queries: Sequence[ArrowsTo]) -> np.ndarray:
        # A way that is tried may bring one parent more than are allowed.
        nobody = (0,) * (self.price.most_parents + 1)
        about_each = np.array(
            [(end, len(parents), *parents, *nobody[len(parents) :]) for end, parents, _ in queries],
            dtype=np.int64,
        )
        about = about_each.repeat([len(arrows.starts) for arrows in queries], axis=0)
        starts = np.array(list(chain.from_iterable(arrows.starts for arrows in queries)), dtype=np.int64)
        (ends, sizes), given = about[:, :2].T.copy(), about[:, 2:].copy()
        answers = self._data.ask_rows(starts, ends, given, sizes, self._stop)
        if self._stop[0]:
            raise Cancelled()
        statistic, dof = self._data.as_chi_squared(answers.statistic, answers.dof)
        gains = statistic - self.price.of_dof * dof - self.price.of_arrow
        return np.where(answers.reliable, gains, -np.inf)


class Climb:
    """A graph of some variables, in the making; variables are spoken of by their numbers.

    ``arrows[u, v]``: an arrow leads from u to v. `alone` is what an arrow adds to the score where there is no
    other, and `gains` what it adds to add it to the present ones, or to take it out. `tests` are those that
    the graph rests on, whoever made them. Of `before`, a climb with fewer variables, what it knows of pairs
    is taken over. Its arrows are not, for a way that was chosen with few variables would lead astray.
    """

    def __init__(
        self,
        worths: ArrowWorths,
        variables: Sequence[int],
        before: Climb | None = None,
    ) -> None:
        count = len(variables)
        self.worths = worths
        self._positions = np.array(variables, dtype=np.int64)
        self.variables = tuple(variables)
        self.tests: int = 0 if before is None else before.tests
        self.arrows = np.zeros((count, count), dtype=bool)
        # Arrows that a time order rules out: from what is later.
        self.ruled_out = self.arrows.copy()
        if worths.tiers is not None:
            tiers = worths.tiers[self._positions]
            self.ruled_out = (tiers[:, np.newaxis] > tiers) & (tiers > 0)
        # From whom arrows lead to whom; to itself each variable leads.
        self._leads = np.eye(count, dtype=bool)
        self.alone = self._pairs(before)
        self.gains = self.alone.copy()

    def parents(self, number: int) -> np.ndarray:
        """Return the numbers of the parents of a variable."""
        return np.flatnonzero(self.arrows[:, number])

    def worth(self, starts: Sequence[int], end: int, parents: Sequence[int]) -> np.ndarray:
        """Return what an arrow from each of some variables to another adds, by position."""
        return self._weighed([ArrowsTo(end, tuple(sorted(parents)), starts)])[0]

    def go(self) -> None:
        """Change arrows until no change raises the score."""
        for _ in range(_STEPS_A_VARIABLE * len(self.variables)):
            change = self._best_change()
            if change is None:
                return
            start, to = change
            if not self.arrows[start, to]:
                self._add(start, to)
                continue
            is_turned = self.gains[to, start] > 0.0 and self._turns_best(start, to)
            self.arrows[start, to] = False
            if is_turned:
                self.arrows[to, start] = True
                self.gains[:, start] = self._gains_of(start)
            self.gains[:, to] = self._gains_of(to)
            self._leads = _reached(self.arrows)

    def _weighed(self, queries: Sequence[ArrowsTo]) -> list[np.ndarray]:
        self.tests += sum(len(arrows.starts) for arrows in queries)
        return self.worths.of(queries)

    def _pairs(self, before: Climb | None) -> np.ndarray:
        count = len(self.variables)
        earlier_count = 0 if before is None else len(before.variables)
        alone = np.full((count, count), -np.inf)
        if before is not None:
            alone[:earlier_count, :earlier_count] = before.alone
        # Of either way the one in column order is asked for.
        in_order = self._positions[:, np.newaxis] < self._positions
        in_order[:earlier_count, :earlier_count] = False
        starts = [np.flatnonzero(others) for others in in_order.T]
        arrows = [
            ArrowsTo(end, (), self._positions[some].tolist())
            for end, some in zip(self.variables, starts, strict=True)
        ]
        for number, (some, worths) in enumerate(zip(starts, self._weighed(arrows), strict=True)):
            alone[some, number] = alone[number, some] = worths
        alone[self.ruled_out] = -np.inf
        return alone

    def _gains_of(self, to: int) -> np.ndarray:
        """Return what each arrow to a variable would add, or its absence."""
        parents = self.parents(to)
        if not len(parents):
            return self.alone[:, to].copy()
        gains = np.full(len(self.variables), -np.inf)
        others = np.flatnonzero(~self.arrows[:, to] & ~self.ruled_out[:, to])
        others = others[others != to] if len(parents) < self.worths.price.most_parents else others[:0]
        end, positions = self.variables[to], self._positions[parents].tolist()
        given = tuple(sorted(positions))
        arrows = [ArrowsTo(end, given, self._positions[others].tolist())]
        arrows += [
            ArrowsTo(end, tuple([kept for kept in given if kept != parent]), (parent,))
            for parent in positions
        ]
        to_come, *there = self._weighed(arrows)
        gains[others] = to_come
        # What cannot be tested neither comes nor goes.
        worths = np.concatenate(there)
        gains[parents] = np.where(np.isfinite(worths), -worths, -np.inf)
        return gains

    def _changes(self) -> tuple[np.ndarray, np.ndarray]:
        """Return what it adds to add or take out each arrow, and to turn it, as far as that is possible."""
        arrows = self.arrows
        possible = ~arrows & ~arrows.T & ~self._leads.T
        toggled = np.where(possible | arrows, self.gains, -np.inf)
        otherwise = arrows.astype(np.float32) @ self._leads.astype(np.float32) - arrows > 0
        turns = arrows & ~otherwise
        turned = np.full(arrows.shape, -np.inf)
        turned[turns] = self.gains[turns] + self.gains.T[turns]
        return toggled, turned

    def _best_change(self) -> tuple[int, int] | None:
        """Return the arrow whose change adds most to the score; None when none adds."""
        changes = np.maximum(*self._changes())
        best = float(changes.max())
        if best <= _ROUNDING:
            return None
        start, to = np.unravel_index(int((changes >= best - _ROUNDING * best).argmax()), changes.shape)
        return int(start), int(to)

    def _turns_best(self, start: int, to: int) -> bool:
        """Tell whether an arrow is better turned than taken out."""
        toggled, turned = self._changes()
        return bool(turned[start, to] > toggled[start, to])

    def _add(self, first: int, second: int) -> None:
        """Add an arrow; where either way adds as much, in the way that makes the most of what comes next."""
        ahead = self._gains_with(first, second)
        left, right = self.gains[first, second], self.gains[second, first]
        is_tied = abs(left - right) <= _ROUNDING * abs(left) and not self._leads[first, second]
        if is_tied:
            turned = self._gains_with(second, first)
            if self._advantage(first, second, ahead, turned) < 0.0:
                first, second, ahead = second, first, turned
        self.arrows[first, second] = True
        self.gains[:, second] = ahead
        self._leads |= np.outer(self._leads[:, first], self._leads[second])

    def _gains_with(self, start: int, to: int) -> np.ndarray:
        """Return what arrows to a variable would add after one more."""
        self.arrows[start, to] = True
        gains = self._gains_of(to)
        self.arrows[start, to] = False
        return gains

    def _advantage(self, first: int, second: int, to_second: np.ndarray, to_first: np.ndarray) -> float:
        """Return how much more other variables can add when the arrow leads from the first to the second."""
        near = self.arrows | self.arrows.T | np.eye(len(self.variables), dtype=bool)
        touched = near[first] | near[second]
        before_first, before_second = self.gains[~touched, first], self.gains[~touched, second]
        to_second, to_first = to_second[~touched], to_first[~touched]
        both = np.maximum(np.maximum(before_first + to_second, before_second + to_first), 0.0)
        forwards = np.maximum(both, np.maximum(to_second, before_first))
        backwards = np.maximum(both, np.maximum(to_first, before_second))
        return float((forwards - backwards).sum())


def _reached(arrows: np.ndarray) -> np.ndarray:
    """Tell between which variables arrows lead; each leads to itself."""
    leads = arrows | np.eye(len(arrows), dtype=bool)
    while True:
        further = leads.astype(np.float32) @ leads.astype(np.float32) > 0
        if (further == leads).all():
            return leads
        leads = further


# What a change adds to the score beyond this share of it is no rounding error.
ROUNDING = 1e-12
_NOBODY = (0, 0.0)


class Parents(NamedTuple):
    """The best parents of a variable among some candidates."""

    members: int
    worth: float
    tests: int


class GrowShrinkTree:
    """The best parents of one variable among any of its candidates. Sets of candidates are bits."""

    def __init__(self, worths: ArrowWorths, end: int) -> None:
        self._worths, self._end = worths, end
        self._candidates: Mapping[int, int] = {}
        self._known: dict[int, Parents] = {}
        # By the members that are in: what the others add, the most first, and what it costs to let one leave.
        self._next: dict[int, list[tuple[int, float]]] = {}
        self._shrunk: dict[int, tuple[int, list[float], int]] = {}

    def widen(self, candidates: Mapping[int, int]) -> None:
        """Let further variables be candidates, by position and bit; of equals the first column comes in."""
        if len(candidates) > len(self._candidates):
            self._candidates = candidates
            self._next.clear()

    def best(self, possible: int) -> tuple[Parents, bool]:
        """Return the best parents among some candidates, and whether that was asked for the first time."""
        best = self._known.get(possible)
        if best is not None:
            return best, False
        grown = self._grown(possible)
        shrunk = self._shrunk.get(grown.members)
        if shrunk is None:
            shrunk = self._shrunk[grown.members] = self._after_shrinking(grown.members)
        members, costs, tests = shrunk
        worth = grown.worth
        for cost in costs:
            worth -= cost
        parents = self._known[possible] = Parents(members, worth, grown.tests + tests)
        return parents, True

    def _grown(self, possible: int) -> Parents:
        members, worth, tests = 0, 0.0, 0
        left = possible.bit_count()
        for _ in range(min(left, self._worths.price.most_parents)):
            tests += left
            following = self._next.get(members)
            if following is None:
                following = self._next[members] = self._next_after(members)
            candidate, gain = next(
                (candidate_gain for candidate_gain in following if candidate_gain[0] & possible), _NOBODY
            )
            if gain <= ROUNDING * worth:
                break
            members, worth, left = members | candidate, worth + gain, left - 1
        return Parents(members, worth, tests)

    def _next_after(self, members: int) -> list[tuple[int, float]]:
        """List the candidates that add to the score beside some members: bit and gain, the most first."""
        others = [(position, bit) for position, bit in self._candidates.items() if not bit & members]
        starts = [position for position, _ in others]
        (gains,) = self._worths.of([ArrowsTo(self._end, self._positions(members), starts)])
        in_order = np.argsort(-gains, kind="stable")[: np.count_nonzero(gains > 0.0)]
        return [(others[place][1], float(gains[place])) for place in in_order]

    def _after_shrinking(self, grown: int) -> tuple[int, list[float], int]:
        """Say who stays, what each took along that left, the one that cost most first, and how many tests."""
        members, costs, tests = self._positions(grown), list[float](), 0
        while len(members) > 1:
            remaining = [tuple([kept for kept in members if kept != member]) for member in members]
            arrows = list(map(ArrowsTo, repeat(self._end), remaining, zip(members, strict=True)))
            gains = np.concatenate(self._worths.of(arrows))
            tests += len(members)
            # What cannot be tested does not leave.
            gains = np.where(np.isfinite(gains), gains, np.inf)
            least = int(gains.argmin())
            if gains[least] >= 0.0:
                break
            costs.append(float(gains[least]))
            members = remaining[least]
        return sum(self._candidates[member] for member in members), costs, tests

    def _positions(self, members: int) -> tuple[int, ...]:
        return tuple([position for position, bit in self._candidates.items() if bit & members])


# More candidates a variable are no more use, and sets of them too many.
_MOST_CANDIDATES = 24
# Rounds, each with the candidates that the graph of the one before brings; two are usual.
_MOST_ROUNDS = 20


class Graph(NamedTuple):
    """A graph of some variables, which are spoken of by their numbers."""

    variables: tuple[int, ...]  # positions
    arrows: np.ndarray  # (n, n): ``arrows[u, v]``: an arrow leads from u to v
    tests: int  # that the order rests on, whoever made them

    def parents(self, number: int) -> np.ndarray:
        """Return the numbers of the parents of a variable."""
        return np.flatnonzero(self.arrows[:, number])


def in_best_order(climb: Climb, target: int) -> Graph:
    """Find an acyclic graph that scores better around a target than the one where a climb has ended.

    Only what is at most two edges from the target is moved: what is further away hardly changes its boundary.
    """
    search = _OrderSearch(climb, target)
    search.go()
    return Graph(climb.variables, search.arrows, search.tests)


class _OrderSearch:
    """An order of variables, in the making. Sets of numbers are bits: v is in set m where ``m >> v & 1``."""

    def __init__(self, climb: Climb, target: int) -> None:
        self._climb, self._target = climb, target
        # Whether the second may be a parent of the first.
        self._near = np.zeros(climb.arrows.shape, dtype=bool)
        # The same as bits, and the best parents among them.
        self._candidates = [0] * len(climb.variables)
        self._trees = [GrowShrinkTree(climb.worths, position) for position in climb.variables]
        self._moving: set[int] = set()
        self._order = _causes_first(climb.arrows)
        self.arrows = climb.arrows
        self.tests = 0

    def go(self) -> None:
        """Move variables until none moves, and nothing new may be a parent."""
        for _ in range(_MOST_ROUNDS):
            near = self._near | (_nearest(self.arrows, self._climb.alone) & ~self._climb.ruled_out.T)
            if (near == self._near).all():
                return
            self._near = near
            self._moving = {self._target, *np.flatnonzero(near[self._target]).tolist()}
            self._candidates = [_bits(np.flatnonzero(others)) for others in near]
            self._let_trees_grow()
            self._settle()
            self.arrows = self._graph()

    def _let_trees_grow(self) -> None:
        in_column_order = np.argsort(self._climb.variables).tolist()
        for number, tree in enumerate(self._trees):
            tree.widen(
                {
                    self._climb.variables[column]: 1 << column
                    for column in in_column_order
                    if self._near[number, column]
                }
            )

    def _settle(self) -> None:
        """Move one variable after another to its best place, until all in turn stay where they are."""
        staying = 0
        while True:
            for number in filter(self._moving.__contains__, tuple(self._order)):
                before = self._order
                self._move(number)
                staying = staying + 1 if self._order is before else 1
                if staying >= len(self._moving):
                    return

    def _move(self, number: int) -> None:
        """Move a variable to the place in the order that adds most to the score, if any adds."""
        place = self._order.index(number)
        others = [end for end in self._order if end != number]
        own, earlier, missed = 1 << number, 0, 0.0
        # What the variable has before it, and those before it miss of what they have with it before them.
        worth = self._worth(number, 0)
        worths = [worth]
        for end in others:
            if self._candidates[end] & own:
                missed += self._worth(end, earlier | own) - self._worth(end, earlier)
            earlier |= 1 << end
            if self._candidates[number] >> end & 1:
                worth = self._worth(number, earlier)
            worths.append(worth - missed)
        best = int(np.argmax(worths))
        if worths[best] > worths[place] + ROUNDING * max(abs(worths[place]), missed):
            self._order = [*others[:best], number, *others[best:]]

    def _worth(self, number: int, earlier: int) -> float:
        return self._parents(number, earlier).worth

    def _parents(self, number: int, earlier: int) -> Parents:
        """Return the best parents of a variable among those that stand before it."""
        best, is_new = self._trees[number].best(earlier & self._candidates[number])
        if is_new:
            self.tests += best.tests
        return best

    def _graph(self) -> np.ndarray:
        """Return the arrows to each variable from its best parents."""
        arrows = np.zeros(self._near.shape, dtype=bool)
        earlier = 0
        for number in self._order:
            members = self._parents(number, earlier).members
            arrows[:, number] = [bool(members >> position & 1) for position in range(len(arrows))]
            earlier |= 1 << number
        return arrows


def _bits(numbers: np.ndarray) -> int:
    return sum(1 << number for number in numbers.tolist())


def _nearest(arrows: np.ndarray, alone: np.ndarray) -> np.ndarray:
    """Return for each variable which others are at most two edges away, or the nearest of many."""
    edges = arrows | arrows.T
    near: np.ndarray = edges | (edges.astype(np.float32) @ edges.astype(np.float32) > 0)
    np.fill_diagonal(near, False)
    for number in np.flatnonzero(near.sum(axis=1) > _MOST_CANDIDATES).tolist():
        worth = np.where(edges[number], np.inf, np.where(near[number], alone[:, number], -np.inf))
        fewest = max(_MOST_CANDIDATES, int(edges[number].sum()))
        near[number, np.argsort(-worth, kind="stable")[fewest:]] = False
    return near


def _causes_first(arrows: np.ndarray) -> list[int]:
    """Return the numbers in an order of causes before effects: fewest ancestors, then lowest number first."""
    leads = arrows.astype(np.float32)
    reached = np.zeros_like(arrows)
    while True:
        further = arrows | (reached.astype(np.float32) @ leads > 0)
        if (further == reached).all():
            order: list[int] = np.argsort(reached.sum(axis=0), kind="stable").tolist()
            return order
        reached = further
