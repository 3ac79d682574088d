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

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.errors import Cancelled
from engine.independence.data import TestData
from engine.independence.interface import new_workspace

# A gain within this share of another is no larger: sums in another order differ by as much.
_ROUNDING = 1e-9
# Steps a variable; a score that is not made of likelihoods exactly could lead round in circles.
_STEPS_A_VARIABLE = 20


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


class Climb:
    """A graph of some variables, in the making; variables are spoken of by their numbers.

    Parameters
    ----------
    data : TestData
        What is tested.
    variables : sequence of int
        Positions, those of `before` first.
    price : Price
        What arrows cost.
    stop : ndarray of uint8, shape (1,)
        Not 0 asks to stop.
    before : Climb, optional
        A climb with fewer variables: what it knows of pairs is taken over. Its arrows are not, for a way that
        was chosen with few variables would lead astray.

    Attributes
    ----------
    variables : tuple of int
        Positions.
    arrows : ndarray of bool, shape (n, n)
        ``arrows[u, v]``: an arrow leads from u to v.
    alone : ndarray of float64, shape (n, n)
        What an arrow adds to the score where there is no other.
    gains : ndarray of float64, shape (n, n)
        What it adds to add an arrow to the present ones, or to take it out of them.
    tests : int
        Tests made, those of `before` among them.

    Raises
    ------
    Cancelled
        When the run was stopped.
    """

    def __init__(
        self,
        data: TestData,
        variables: Sequence[int],
        price: Price,
        stop: np.ndarray,
        before: Climb | None = None,
    ) -> None:
        count = len(variables)
        self._data, self._price, self._stop = data, price, stop
        self._positions = np.array(variables, dtype=np.int64)
        self.variables = tuple(variables)
        self.tests: int = 0 if before is None else before.tests
        self.arrows = np.zeros((count, count), dtype=bool)
        # From whom arrows lead to whom; to itself each variable leads.
        self._leads = np.eye(count, dtype=bool)
        # A way that is tried may bring one parent more than are allowed.
        self._workspace = new_workspace(data.table, price.most_parents + 1, stop)
        self.alone = self._pairs(before)
        self.gains = self.alone.copy()

    def parents(self, number: int) -> np.ndarray:
        """Return the numbers of the parents of a variable."""
        return np.flatnonzero(self.arrows[:, number])

    def worth(self, x: np.ndarray, y: int, given: np.ndarray) -> np.ndarray:
        """Return what an arrow from each of some variables to another adds, by position.

        Parameters
        ----------
        x : ndarray of int64, shape (arrows,)
            Where the arrows start.
        y : int
            Where they lead to.
        given : ndarray of int64, shape (parents,) or (arrows, parents)
            The other parents.
        """
        count = given.shape[-1]
        return self._worth(x, np.full(len(x), y), _sets(len(x), given), np.full(len(x), count))

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

    def _pairs(self, before: Climb | None) -> np.ndarray:
        count = len(self.variables)
        known = 0 if before is None else len(before.variables)
        alone = np.full((count, count), -np.inf)
        if before is not None:
            alone[:known, :known] = before.alone
        starts, ends = np.triu_indices(count, 1)
        new = ends >= known
        starts, ends = starts[new], ends[new]
        nothing = np.zeros((len(starts), 1), dtype=np.int64)
        x, y = self._positions[starts], self._positions[ends]
        alone[starts, ends] = self._worth(x, y, nothing, np.zeros(len(starts), dtype=np.int64))
        alone[ends, starts] = alone[starts, ends]
        return alone

    def _worth(self, x: np.ndarray, y: np.ndarray, given: np.ndarray, sizes: np.ndarray) -> np.ndarray:
        answers = self._data.ask_rows(x, y, given, sizes, self._stop, self._workspace)
        if self._stop[0]:
            raise Cancelled()
        self.tests += len(x)
        statistic, dof = self._data.as_chi_squared(answers.statistic, answers.dof)
        gains = statistic - self._price.of_dof * dof - self._price.of_arrow
        return np.where(answers.reliable, gains, -np.inf)

    def _gains_of(self, to: int) -> np.ndarray:
        """Return what each arrow to a variable would add, or its absence."""
        parents = self.parents(to)
        if not len(parents):
            return self.alone[:, to].copy()
        gains = np.full(len(self.variables), -np.inf)
        others = np.flatnonzero(~self.arrows[:, to])
        others = others[others != to] if len(parents) < self._price.most_parents else others[:0]
        starts, count = np.concatenate([others, parents]), len(parents)
        # One call for both: what a call costs is worth some ten tests.
        sets = _sets(len(starts), self._positions[parents])
        for row, parent in enumerate(parents, len(others)):
            sets[row, : count - 1] = self._positions[parents[parents != parent]]
        sizes = np.repeat([count, count - 1], [len(others), count])
        target = np.full(len(starts), self.variables[to])
        gains[starts] = self._worth(self._positions[starts], target, sets, sizes)
        there = gains[parents]
        # What cannot be tested neither comes nor goes.
        gains[parents] = np.where(np.isfinite(there), -there, -np.inf)
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
        one, other = self.gains[first, second], self.gains[second, first]
        is_tied = abs(one - other) <= _ROUNDING * abs(one) and not self._leads[first, second]
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
        """How much more other variables can add when the arrow leads from the first to the second.

        Parameters
        ----------
        first, second : int
            Two variables between which an arrow is to come.
        to_second, to_first : ndarray of float64, shape (n,)
            What an arrow to the second adds after that from the first, and the other way round.
        """
        near = self.arrows | self.arrows.T | np.eye(len(self.variables), dtype=bool)
        touched = near[first] | near[second]
        before_first, before_second = self.gains[~touched, first], self.gains[~touched, second]
        to_second, to_first = to_second[~touched], to_first[~touched]
        both = np.maximum(np.maximum(before_first + to_second, before_second + to_first), 0.0)
        forwards = np.maximum(both, np.maximum(to_second, before_first))
        backwards = np.maximum(both, np.maximum(to_first, before_second))
        return float((forwards - backwards).sum())


def _sets(count: int, given: np.ndarray) -> np.ndarray:
    """Return so many sets of parents, all of them the same or one for each, as tests take them."""
    # An array of its own, also of no members: kernels are compiled for those that can be written.
    sets = np.zeros((count, max(given.shape[-1], 1)), dtype=np.int64)
    sets[:, : given.shape[-1]] = given
    return sets


def _reached(arrows: np.ndarray) -> np.ndarray:
    """Tell between which variables arrows lead; each leads to itself."""
    leads = arrows | np.eye(len(arrows), dtype=bool)
    while True:
        further = leads.astype(np.float32) @ leads.astype(np.float32) > 0
        if (further == leads).all():
            return leads
        leads = further
