"""Members that are independent of the label within strata of all other members: categories, many rows.

A test that conditions on a few members, a regression that adds up the parts of all, and a score of graphs
leave something of a variable that is next to no label, where effects have many causes that act together. With
more rows it is more significant. Strata of all the other members suppose nothing of how these act. So a
member leaves if it tells nothing there, on average over strata (Mantel 1963, Chi-square tests with one degree
of freedom, Journal of the American Statistical Association 58:690-700; Landis, Heyman and Koch 1978, Average
partial association in three-way contingency tables, International Statistical Review 46:237-254), though it
should by what else speaks for it. Where what it tells differs in sign between the levels of another member,
as of a spouse between those of the child, the average hides it. So averages by these levels are taken, too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas

from engine.boundaries.neighbourhoods import Neighbourhoods
from engine.discovery.last_pass import BoundaryChange, Confirmation
from engine.independence.batch import Question, ask
from engine.independence.chi_squared import log_chi2_sf

# Strata have to keep this share of what all rows would tell of a member.
_LEAST_KEPT = 0.1
# So much strata should show of a member, as a statistic beyond its degrees of freedom: few true members then
# show as little as is not significant.
_LEAST_EXPECTED = 40.0
# A p-value below this is no clear independence.
_CLEAR = 0.1
# Share of the largest variance of a direction that is rounding error.
_ROUNDING = 1e-15
# Combinations of levels are numbered in 64 bits.
_MOST_NUMBERS = 1 << 62


class _Average(NamedTuple):
    """The average association of a member and the label within strata, as a chi-squared statistic."""

    statistic: float
    dof: float
    kept: float
    """Share of what all rows would tell that is left within strata."""

    @property
    def log_p(self) -> float:
        """Logarithm of the p-value."""
        return log_chi2_sf(self.statistic, self.dof) if self.dof else 0.0


def without_explained(
    search: Neighbourhoods, confirmation: Confirmation, apart: frozenset[int]
) -> Confirmation:
    """Remove members, weakest first, independent of the label in strata of the rest (complete categories)."""
    codes = search.data.complete_codes
    target = confirmation.neighbourhood.target
    expected = _expected(search, confirmation, apart) if codes is not None else {}
    if codes is None or not _are_few(codes, (*expected, target)):
        return confirmation
    members = list(expected)
    doubtful = {member for member, statistic in expected.items() if statistic >= _LEAST_EXPECTED}
    departures: list[BoundaryChange] = []
    while len(members) > 1 and doubtful:
        search.check_stop()
        cells = _cells(codes, (*members, target))
        within = {member: _Strata(cells, target, member) for member in members if member in doubtful}
        averages = {member: strata.average() for member, strata in within.items()}
        little = [member for member in averages if _tells_little(averages[member], expected[member])]
        others: list[int] = []
        for weakest in sorted(little, key=lambda member: (averages[member].log_p, member), reverse=True):
            doubtful.discard(weakest)
            others = [member for member in members if member != weakest]
            if all(within[weakest].by_levels(partner).log_p >= math.log(_CLEAR) for partner in others):
                break
        else:
            break
        average = averages[weakest]
        departure = BoundaryChange(weakest, tuple(others), average.statistic, average.dof, average.log_p)
        departures.append(departure)
        confirmation = _without(confirmation, departure)
        connected = confirmation.neighbourhood.member_set.union(link.spouse for link in confirmation.links)
        members = [member for member in others if member in connected]
    return replace(confirmation, departures=(*confirmation.departures, *departures))


def _expected(search: Neighbourhoods, confirmation: Confirmation, apart: frozenset[int]) -> dict[int, float]:
    """Return by member the statistic beyond its degrees of freedom of the test that speaks for it."""
    neighbourhood = confirmation.neighbourhood
    target = neighbourhood.target
    questions: list[Question] = [
        (target, member, tuple(sorted(neighbourhood.weakest.get(member, ()))))
        for member in neighbourhood.members
        if member not in apart
    ]
    questions += [
        (target, link.spouse, tuple(sorted({*link.given, link.child})))
        for link in confirmation.links
        if link.spouse not in apart
    ]
    if not questions:
        return {}
    answers = ask(search.data, questions, search.stop)
    search.check_stop()
    statistic, dof = search.data.as_chi_squared(answers.statistic, answers.dof)
    expected: dict[int, float] = {}
    for (_, member, _), beyond in zip(questions, (statistic - dof).tolist(), strict=True):
        expected[member] = max(beyond, expected.get(member, 0.0))
    return expected


def _are_few(codes: np.ndarray, members: Iterable[int]) -> bool:
    """Tell whether the combinations of levels of some variables can be numbered."""
    return math.prod(int(codes[member].max()) + 1 for member in members) < _MOST_NUMBERS


def _tells_little(average: _Average, expected: float) -> bool:
    """Tell whether strata could show what speaks for a member, and do not."""
    could_show = average.kept >= _LEAST_KEPT and average.kept * expected >= _LEAST_EXPECTED
    return could_show and average.log_p > math.log(_CLEAR)


def _without(confirmation: Confirmation, departure: BoundaryChange) -> Confirmation:
    """Take a member out, and what it connects."""
    neighbourhood, left = confirmation.neighbourhood, departure.variable
    return replace(
        confirmation,
        neighbourhood=replace(
            neighbourhood,
            members=tuple(member for member in neighbourhood.members if member != left),
            separators=neighbourhood.separators | {left: departure.given},
        ),
        links=tuple(link for link in confirmation.links if left not in (link.spouse, link.child)),
    )


class _Cells(NamedTuple):
    """Combinations of levels that occur, as arrays (cells,)."""

    numbers: np.ndarray
    steps: dict[int, int]  # what a level of each variable adds to a number
    levels: dict[int, np.ndarray]
    rows: np.ndarray  # in how many rows each occurs


def _cells(codes: np.ndarray, variables: Iterable[int]) -> _Cells:
    """Count the rows of each combination of levels, once for all that is asked of it."""
    numbers, count = np.zeros(codes.shape[1], dtype=np.int64), 1
    steps: dict[int, int] = {}
    for variable in variables:
        steps[variable] = count
        numbers += np.int64(count) * codes[variable]
        count *= int(codes[variable].max()) + 1
    numbers, rows = np.unique(numbers, return_counts=True)
    levels, left = {}, numbers
    for variable, step in reversed(steps.items()):
        levels[variable], left = np.divmod(left, step)
    return _Cells(numbers, steps, levels, rows.astype(np.float64))


class _Strata:
    """Counts of a member and a label in strata of the other members in which both vary."""

    def __init__(self, cells: _Cells, target: int, member: int) -> None:
        self._levels = cells.levels
        x, y = cells.levels[member], cells.levels[target]
        self._width, self._height = int(x.max()) + 1, int(y.max()) + 1
        everywhere = np.zeros(len(x), dtype=np.int64)
        self._of_all = self._moments(x, y, everywhere, 1, cells.rows).variance.trace()
        strata, occurring = pandas.factorize(
            cells.numbers - cells.steps[member] * x - cells.steps[target] * y
        )
        vary = _vary(x, strata, len(occurring)) & _vary(y, strata, len(occurring))
        self._places = np.flatnonzero(vary[strata])
        self._strata, occurring = pandas.factorize(strata[self._places])
        self._count = len(occurring)
        self._x, self._y, self._rows = x[self._places], y[self._places], cells.rows[self._places]

    def average(self) -> _Average:
        """Return the average association of the two within strata."""
        return self._average(self._moments(self._x, self._y, self._strata, self._count, self._rows))

    def by_levels(self, partner: int) -> _Average:
        """Return the sum of what the averages at each level of one of the other members show."""
        levels, averages = self._levels[partner][self._places], []
        for level in np.unique(levels).tolist():
            here = levels == level
            strata, occurring = pandas.factorize(self._strata[here])
            moments = self._moments(self._x[here], self._y[here], strata, len(occurring), self._rows[here])
            averages.append(self._average(moments))
        statistics, dofs, kept = zip(*averages, strict=True)
        return _Average(sum(statistics), sum(dofs), sum(kept))

    def _average(self, moments: _Moments) -> _Average:
        kept = moments.variance.trace() / self._of_all if self._of_all > 0.0 else 0.0
        if not kept:
            return _Average(0.0, 0.0, 0.0)
        left, values, right = np.linalg.svd(moments.variance, hermitian=True)
        # As many directions as are no rounding error.
        rank = int(np.count_nonzero(values > max(_ROUNDING, len(values) * np.finfo(float).eps) * values[0]))
        inverse = right[:rank].T @ (left[:, :rank].T / values[:rank, np.newaxis])
        return _Average(float(moments.beyond @ inverse @ moments.beyond), float(rank), float(kept))

    def _moments(
        self, x: np.ndarray, y: np.ndarray, strata: np.ndarray, count: int, often: np.ndarray
    ) -> _Moments:
        """Return the moments of the counts of two variables, each so often, summed over strata."""
        width, height = self._width, self._height
        counts = np.bincount(x * height + y, often, width * height).reshape(width, height)
        totals = np.bincount(strata, often, count)
        rows = np.bincount(strata * width + x, often, count * width).reshape(count, width)
        columns = np.bincount(strata * height + y, often, count * height).reshape(count, height)
        shares = columns / totals[:, None]
        beyond = (counts - rows.T @ shares)[:-1, :-1].ravel()
        of_rows, of_columns = _covariances(rows / totals[:, None]), _covariances(shares)
        of_rows *= (totals**2 / (totals - 1.0))[:, None, None]
        # Of each pair of levels of one with each pair of the other, summed over strata.
        shape = width - 1, width - 1, height - 1, height - 1
        pairs = math.prod(shape[:2]), math.prod(shape[2:])
        variance = of_rows.reshape(count, pairs[0]).T @ of_columns.reshape(count, pairs[1])
        variance = variance.reshape(shape).transpose(0, 2, 1, 3).reshape(len(beyond), len(beyond))
        return _Moments(beyond, variance)


class _Moments(NamedTuple):
    """Observed less expected counts within strata, and their covariance, without the last levels."""

    beyond: np.ndarray
    variance: np.ndarray


def _vary(values: np.ndarray, strata: np.ndarray, count: int) -> np.ndarray:
    """Tell in which strata there are two values or more."""
    first = np.zeros(count, dtype=np.int64)
    first[strata] = values
    varies = np.zeros(count, dtype=bool)
    varies[strata[values != first[strata]]] = True
    return varies


def _covariances(shares: np.ndarray) -> np.ndarray:
    """Return the covariances of the indicators of all levels but the last, by stratum."""
    kept = shares[:, :-1]
    covariances: np.ndarray = kept[:, :, None] * (np.eye(kept.shape[1]) - kept[:, None, :])
    return covariances
