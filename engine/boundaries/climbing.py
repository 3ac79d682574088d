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
from itertools import chain, islice
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
    """What arrows add to the score of a graph: each is weighed once, for the graphs around all labels.

    Graphs around neighbouring labels, and those that grow around one of them, are made of the same arrows: in
    a table of some dozen variables nine in ten questions are asked again.
    """

    def __init__(self, data: TestData, price: Price, stop: np.ndarray) -> None:
        self.price = price
        self.tiers = data.tiers
        self._data, self._stop = data, stop
        # By the end of arrows and its other parents: what arrows add, by where they start.
        self._known: BoundedMemory[tuple[int, tuple[int, ...]], dict[int, float]]
        self._known = BoundedMemory(_MOST_ARROWS, len)

    def of(self, asked: Sequence[ArrowsTo]) -> list[np.ndarray]:
        """Return what each of some arrows adds; -inf of those that cannot be tested."""
        known = [self._known.get((end, parents)) or {} for end, parents, _ in asked]
        added = [list(map(worths.get, starts)) for worths, (_, _, starts) in zip(known, asked, strict=True)]
        incomplete = [place for place, gains in enumerate(added) if None in gains]
        if incomplete:
            self._weigh_missing(asked, known, incomplete)
            for place in incomplete:
                added[place] = list(map(known[place].get, asked[place].starts))
        return [np.array(gains) for gains in added]

    def _weigh_missing(
        self, asked: Sequence[ArrowsTo], known: list[dict[int, float]], incomplete: Sequence[int]
    ) -> None:
        """Put in place of what is known of some of the arrows the same with what is missing."""
        missing = [
            ArrowsTo(end, parents, [start for start in starts if start not in known[place]])
            for place, (end, parents, starts) in ((place, asked[place]) for place in incomplete)
        ]
        # One call for all: what a call costs is worth some ten tests.
        weighed = iter(self._weighed(missing).tolist())
        for place, (end, parents, starts) in zip(incomplete, missing, strict=True):
            new = zip(starts, islice(weighed, len(starts)), strict=True)
            # Another thread may read what was known before.
            known[place] = {**known[place], **dict(new)}
            if len(known[place]) <= _MOST_TO_ONE:
                self._known.put((end, parents), known[place])

    def _weighed(self, asked: Sequence[ArrowsTo]) -> np.ndarray:
        # A way that is tried may bring one parent more than are allowed.
        nobody = (0,) * (self.price.most_parents + 1)
        about_each = np.array(
            [(end, len(parents), *parents, *nobody[len(parents) :]) for end, parents, _ in asked],
            dtype=np.int64,
        )
        about = about_each.repeat([len(arrows.starts) for arrows in asked], axis=0)
        starts = np.array(list(chain.from_iterable(arrows.starts for arrows in asked)), dtype=np.int64)
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

    def _weighed(self, asked: Sequence[ArrowsTo]) -> list[np.ndarray]:
        self.tests += sum(len(arrows.starts) for arrows in asked)
        return self.worths.of(asked)

    def _pairs(self, before: Climb | None) -> np.ndarray:
        count = len(self.variables)
        known = 0 if before is None else len(before.variables)
        alone = np.full((count, count), -np.inf)
        if before is not None:
            alone[:known, :known] = before.alone
        # Of either way the one in column order is asked for.
        in_order = self._positions[:, np.newaxis] < self._positions
        in_order[:known, :known] = False
        starts = [np.flatnonzero(others) for others in in_order.T]
        asked = [
            ArrowsTo(end, (), self._positions[some].tolist())
            for end, some in zip(self.variables, starts, strict=True)
        ]
        for number, (some, worths) in enumerate(zip(starts, self._weighed(asked), strict=True)):
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
        asked = [ArrowsTo(end, given, self._positions[others].tolist())]
        asked += [
            ArrowsTo(end, tuple([each for each in given if each != parent]), (parent,))
            for parent in positions
        ]
        to_come, *there = self._weighed(asked)
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
        """Return how much more other variables can add when the arrow leads from the first to the second.

        `to_second` has what an arrow to the second adds after that from the first, `to_first` the other way
        round.
        """
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
