"""The last pass: every member of a boundary once more, given all the others, by a regression of the label.

Searches hold a few variables fixed at once. What only many together explain stays, and what only the rest
of the boundary brings to light, such as a spouse behind two paths that cancel, stays out. A regression of
the label's own kind, logistic, multinomial or linear, bears many variables. So spouses that were passed
over may join by it, strongest first, and then members leave, weakest first, until all that are left are
significant, as IAMB grows and shrinks (Tsamardinos, Aliferis and Statnikov 2003, Algorithms for large scale
Markov blanket discovery, FLAIRS, 376-381).

A spouse enters with its products with the child that connects it, and a member that is about to leave is
tried once more with its products with every other: what acts only together with something else would be
lost in a sum. Members that Phase 2 recovered take no part: given the label that hid them they always look
superfluous. Where the members decide the label in every row, no logistic regression can tell which of them
are needed: then a linear one of the levels' indicators speaks first, and the logistic one if it leaves it
something to say.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from engine.boundaries.neighbourhoods import Neighbourhood, Neighbourhoods
from engine.boundaries.search import SpouseLink
from engine.independence.data import TestData
from engine.independence.distributions import log_chi2_sf
from engine.independence.regressions import Fit, Regression, regression_of

# A regression wants this many rows of the rarer side for each of its coefficients.
_ROWS_PER_COEFFICIENT = 5.0
# So many of the weakest by Wald's statistic are compared by likelihood ratio.
_TRIED_FIRST = 3
# Up to so many rows members are tested at the level of the search.
_ROWS_AT_ALPHA = 2000.0
# Members whose Wald statistic is beyond this natural logarithm of a p-value stay without further tests.
_SURELY_SIGNIFICANT = math.log(1e-5)
# Further columns are tested for so many variables at once: it takes little longer than for one.
_TESTED_AT_ONCE = 8

Item = TypeVar("Item")


@dataclass(frozen=True)
class Departure:
    """A member that the last pass took out, with the test that did so.

    Attributes
    ----------
    member : int
    given : tuple of int
        All members that were held fixed, by position.
    statistic, dof, log_p : float
        Of the likelihood ratio with all of its columns.
    """

    member: int
    given: tuple[int, ...]
    statistic: float
    dof: float
    log_p: float


@dataclass(frozen=True)
class Confirmation:
    """What the last pass made of a boundary.

    Attributes
    ----------
    neighbourhood : Neighbourhood
        Neighbours that are left.
    links : tuple of SpouseLink
        Spouses that are left, and those that joined.
    departures : tuple of Departure
        Members that left, in the order in which they did.
    tests : int
        Tests made.
    is_made : bool
        False where the data hold no values for regressions, or too few rows: all is as it was.
    """

    neighbourhood: Neighbourhood
    links: tuple[SpouseLink, ...]
    departures: tuple[Departure, ...] = ()
    tests: int = 0
    is_made: bool = True


def confirmed(
    search: Neighbourhoods,
    neighbourhood: Neighbourhood,
    links: Sequence[SpouseLink],
    possible: Iterable[SpouseLink] = (),
    apart: frozenset[int] = frozenset(),
) -> Confirmation:
    """Let spouses join and members leave by regressions of the target.

    Parameters
    ----------
    search : Neighbourhoods
        Data, settings and stop.
    neighbourhood : Neighbourhood
        Neighbours of the target.
    links : sequence of SpouseLink
        Its spouses, with their children.
    possible : iterable of SpouseLink
        Spouses that may join, each with a child that could connect it.
    apart : frozenset of int
        Neighbours that are neither tested nor held fixed.

    Returns
    -------
    Confirmation

    Raises
    ------
    Cancelled
        When the run was stopped.
    """
    unchanged = Confirmation(neighbourhood, tuple(links), is_made=False)
    if not search.data.regresses:
        return unchanged
    members = [member for member in neighbourhood.members if member not in apart]
    members += dict.fromkeys(link.spouse for link in links if link.spouse not in members)
    rows = search.data.complete_rows((neighbourhood.target, *members))
    regression = regression_of(search.data, neighbourhood.target, rows)
    if regression is None:
        return unchanged
    if search.data.present is not None:
        # Each candidate would cost rows of its own.
        possible = ()
    for is_simple in (False, True):
        columns = _Columns(search.data, rows, is_simple)
        model = _Model(regression, columns, members, links)
        if model.is_borne:
            break
    else:
        return unchanged
    joined: list[SpouseLink] = []
    departures: list[Departure] = []
    kinds = [regression.linear(), regression] if regression.is_decided(model.fit) else [regression]
    for kind in kinds:
        model.regression = kind
        if not kind.is_decided(model.fit):
            joined += _join(search, model, possible)
            departures += _leave(search, model)
    kept = set(model.members)
    left = {each.member for each in departures}
    return Confirmation(
        replace(neighbourhood, members=tuple(each for each in neighbourhood.members if each not in left)),
        tuple(link for link in (*links, *joined) if link.spouse in kept and link.child not in left),
        tuple(departures),
        model.tests,
    )


class _Columns:
    """Columns by which variables enter regressions.

    Parameters
    ----------
    data : TestData
    rows : ndarray of bool, shape (rows,)
        Rows that are used.
    is_simple : bool
        Numbers enter by their first column alone.
    """

    def __init__(self, data: TestData, rows: np.ndarray, is_simple: bool) -> None:
        self.row_count = int(rows.sum())
        self._data = data
        self._rows = slice(None) if rows.all() else rows
        self._is_simple = is_simple
        self._made: dict[int, np.ndarray] = {}
        self._products: dict[tuple[int, int], np.ndarray] = {}

    def of(self, variable: int) -> np.ndarray:
        """Give the columns of a variable: float64 of shape (columns, rows)."""
        if variable not in self._made:
            columns = self._data.predictors_of(variable)
            assert columns is not None
            used = columns[: self.leading(variable)] if self._is_simple else columns
            self._made[variable] = used[:, self._rows]
        return self._made[variable]

    def leading(self, variable: int) -> int:
        """Count the columns that stand for a variable in products: of a number the first, of levels all."""
        outcome = self._data.outcome_of(variable)
        assert outcome is not None
        return max(outcome[1] - 1, 1)

    def products(self, one: int, other: int) -> np.ndarray:
        """Give the products of the leading columns of two variables, centred."""
        key = (min(one, other), max(one, other))
        if key not in self._products:
            first, second = (self.of(each)[: self.leading(each)] for each in key)
            products = (first[:, np.newaxis] * second).reshape(-1, first.shape[1])
            self._products[key] = products - products.mean(axis=1, keepdims=True)
        return self._products[key]


class _Model:
    """A regression on the columns of members, and of the products of some.

    Parameters
    ----------
    regression : Regression
        With the outcome.
    columns : _Columns
    members : sequence of int
    links : sequence of SpouseLink
        Which members enter with their products with which child.
    """

    def __init__(
        self, regression: Regression, columns: _Columns, members: Sequence[int], links: Sequence[SpouseLink]
    ) -> None:
        self._regression = regression
        self.columns = columns
        self.members = list(members)
        self.tests = 0
        pairs = ((link.spouse, link.child) for link in links)
        inside = set(members)
        # Whose columns: one variable, or the two of a product. The constant has none.
        self._owners: list[tuple[int, ...]] = [(each,) for each in members]
        self._owners += dict.fromkeys(pair for pair in pairs if inside.issuperset(pair))
        self._fit: Fit | None = None
        # Coefficients of a fit with fewer columns at the end.
        self._start: np.ndarray | None = None

    @property
    def regression(self) -> Regression:
        """The regression that is made."""
        return self._regression

    @regression.setter
    def regression(self, regression: Regression) -> None:
        if regression is not self._regression:
            self._regression = regression
            self._fit, self._start = None, None

    @property
    def is_borne(self) -> bool:
        """Whether the rows suffice for so many coefficients."""
        return self._bears(1 + sum(len(self._block(owners)) for owners in self._owners))

    def _bears(self, width: int) -> bool:
        return width * self.regression.outcomes * _ROWS_PER_COEFFICIENT <= 0.5 * self.regression.evidence

    @property
    def fit(self) -> Fit:
        """The regression on all columns."""
        if self._fit is None:
            columns = self._matrix(self._owners)
            self._fit = self.regression.fit(columns, _widened(self._start, len(columns)))
        return self._fit

    def _block(self, owners: tuple[int, ...]) -> np.ndarray:
        return self.columns.of(owners[0]) if len(owners) == 1 else self.columns.products(*owners)

    def _matrix(self, owners: Iterable[tuple[int, ...]]) -> np.ndarray:
        blocks = [self._block(each) for each in owners]
        return np.vstack([np.ones((1, self.columns.row_count)), *blocks])

    def add(self, member: int, partners: Iterable[int]) -> None:
        """Add a member, with its products with some others."""
        self.members.append(member)
        self._append([(member,), *((member, partner) for partner in partners)])

    def add_products(self, one: int, other: int) -> None:
        """Add the products of two members."""
        self._append([(one, other)])

    def _append(self, owners: list[tuple[int, ...]]) -> None:
        self._owners += owners
        self._start = None if self._fit is None else self._fit.coefficients
        self._fit = None

    def has_products(self, one: int, other: int) -> bool:
        """Tell whether the products of two members are in the regression."""
        return (one, other) in self._owners or (other, one) in self._owners

    def remove(self, member: int, fit: Fit) -> None:
        """Take a member out, with its products; `fit` is what is left."""
        self.members.remove(member)
        self._owners = [each for each in self._owners if member not in each]
        self._fit = fit

    def wald_log_p(self, member: int) -> float:
        """Give the logarithm of the p-value of a member by Wald's statistic, which needs no further fit."""
        chosen = self._is_of(member)
        return log_chi2_sf(*_as_floats(self.fit.wald(chosen)))

    def _is_of(self, member: int) -> np.ndarray:
        chosen = [False]
        for owners in self._owners:
            chosen += [member in owners] * len(self._block(owners))
        return np.array(chosen)

    def without(self, member: int) -> Fit:
        """Fit the regression without a member, starting from where the one with it leads."""
        stays = ~self._is_of(member)
        self.tests += 1
        return self.regression.fit(self.fit.columns[stays], self.fit.without(~stays))

    def log_p(self, member: int, smaller: Fit) -> tuple[float, float, float]:
        """Test a member: statistic and degrees of freedom of the ratio, and logarithm of the p-value.

        A number is tried by all of its columns and by its first alone, since a straight line needs but one;
        the better counts, at twice its p-value.
        """
        statistic, dof = self.regression.ratio(self.fit, smaller)
        log_p = log_chi2_sf(statistic, float(dof))
        first = self.columns.of(member)[: self.columns.leading(member)]
        if dof > len(first) * self.regression.outcomes:
            alone = log_chi2_sf(*_as_floats(self.regression.score(smaller, first)))
            log_p = min(0.0, min(log_p, alone) + math.log(2.0))
        return statistic, float(dof), log_p

    def log_p_joining(self, links: Sequence[SpouseLink]) -> list[float]:
        """Test of each link whether the spouse tells something by itself, or with the child beside it."""
        blocks = [self._together(link.spouse, link.child) for link in links]
        counts = [
            (len(block), self._leading_of(link.spouse)) for block, link in zip(blocks, links, strict=True)
        ]
        self.tests += len(links)
        found = self._log_p_of(self.fit, blocks, counts)
        return [min(0.0, min(both) + math.log(2.0)) for both in zip(found[::2], found[1::2], strict=True)]

    def joins(self, link: SpouseLink, bound: float) -> bool:
        """Tell whether one seems to tell something beside the partner's products with all others, too.

        What is related to a member that acts together with a third one seems to do so itself.
        """
        spouse, child = link.spouse, link.child
        first = self.columns.of(spouse)[: self._leading_of(spouse)]
        if log_chi2_sf(*_as_floats(self.regression.score(self.fit, first))) + math.log(2.0) <= bound:
            return True
        fuller = self.with_products_of(child, spouse, self.fit)
        return fuller is None or self.log_p_together(spouse, (child,), fuller)[0] + math.log(2.0) <= bound

    def _leading_of(self, variable: int) -> int:
        """Count the columns that stand for a variable, of those that it has."""
        return min(self.columns.leading(variable), len(self.columns.of(variable)))

    def log_p_together(self, member: int, others: Sequence[int], smaller: Fit) -> list[float]:
        """Test whether the products of a member with each other tell something when the member has left."""
        found: list[float] = []
        self.tests += len(others)
        for some in _some_at_once(others):
            blocks = [self._together(member, other) for other in some]
            found += self._log_p_of(smaller, blocks, [(len(block),) for block in blocks])
        return found

    def _log_p_of(
        self, fit: Fit, blocks: Sequence[np.ndarray], counts: Sequence[tuple[int, ...]]
    ) -> list[float]:
        """Test further columns, block by block: of each the first ones, as many as its counts say in turn."""
        starts = np.cumsum([0, *(len(block) for block in blocks[:-1])]).tolist()
        parts = [
            slice(start, start + count) for start, each in zip(starts, counts, strict=True) for count in each
        ]
        found = self.regression.scores(fit, np.vstack(blocks), parts)
        return [log_chi2_sf(*_as_floats(each)) for each in found]

    def _together(self, member: int, other: int) -> np.ndarray:
        """Give the columns of a variable, and then its products with another."""
        return np.vstack((self.columns.of(member), self.columns.products(member, other)))

    def with_products_of(self, other: int, without: int, smaller: Fit) -> Fit | None:
        """Fit the regression without a member once more, with the products of another with all the rest.

        None where the rows do not suffice for so many coefficients.
        """
        further = [
            self.columns.products(each, other)
            for each in self.members
            if each not in (other, without) and not self.has_products(each, other)
        ]
        columns = np.vstack((smaller.columns, *further))
        if not self._bears(len(columns)):
            return None
        return self.regression.fit(columns, _widened(smaller.coefficients, len(columns)))


def _widened(coefficients: np.ndarray | None, width: int) -> np.ndarray | None:
    """Add coefficients of 0 for further columns, to start from."""
    if coefficients is None:
        return None
    return np.pad(coefficients, ((0, 0), (0, width - coefficients.shape[1])))


def _some_at_once(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    for begin in range(0, len(items), _TESTED_AT_ONCE):
        yield items[begin : begin + _TESTED_AT_ONCE]


def _as_floats(found: tuple[float, int]) -> tuple[float, float]:
    return found[0], float(found[1])


def _log_level(search: Neighbourhoods, model: _Model) -> float:
    """Give the logarithm of the level: beyond some rows it falls as they grow.

    At one level for any number of rows the share of false members would never fall, while true ones come to
    be significant at any; a search is consistent only if the level tends to zero (Kalisch and Bühlmann 2007,
    Estimating high-dimensional directed acyclic graphs with the PC-algorithm, JMLR 8:613-636).
    """
    return math.log(search.settings.alpha) + math.log(min(1.0, _ROWS_AT_ALPHA / model.columns.row_count))


def _join(search: Neighbourhoods, model: _Model, possible: Iterable[SpouseLink]) -> list[SpouseLink]:
    """Let candidates join, the strongest first, while it is significant among all that could."""
    joined: list[SpouseLink] = []
    waiting = [link for link in possible if link.spouse not in model.members]
    bound = _log_level(search, model) - math.log(max(len({link.spouse for link in waiting}), 1))
    found: list[float] = []
    while waiting and model.members:
        if not found:
            for some in _some_at_once(waiting):
                search.check_stop()
                found += model.log_p_joining(some)
        best = int(np.argmin(found))
        if found[best] > bound:
            break
        chosen = waiting[best]
        if not model.joins(chosen, bound):
            del waiting[best], found[best]
            continue
        found = []
        links = [link for link in waiting if link.spouse == chosen.spouse]
        given = tuple(model.members)
        joined += [replace(link, given=given) for link in links]
        model.add(chosen.spouse, [link.child for link in links])
        waiting = [link for link in waiting if link.spouse != chosen.spouse]
    return joined


def _leave(search: Neighbourhoods, model: _Model) -> list[Departure]:
    """Let members leave, the weakest first, until all that are left are significant."""
    level = _log_level(search, model)
    departures: list[Departure] = []
    while model.members:
        search.check_stop()
        weakest = _weakest(model, level)
        if weakest is None:
            break
        (statistic, dof, log_p), member, smaller = weakest
        given = tuple(each for each in model.members if each != member)
        partner = _acts_together(model, member, smaller, level)
        if partner is not None:
            model.add_products(member, partner)
            continue
        model.remove(member, smaller)
        departures.append(Departure(member, given, statistic, dof, log_p))
    return departures


def _weakest(model: _Model, level: float) -> tuple[tuple[float, float, float], int, Fit] | None:
    """Find the member that tells least beside the others, by likelihood ratio, if it is not significant.

    Wald's statistic says which few are worth a fit; all others are tried only before the pass ends.
    """
    wald = sorted(((model.wald_log_p(each), each) for each in model.members), reverse=True)
    doubtful = [member for log_p, member in wald if log_p > _SURELY_SIGNIFICANT]
    for some in (doubtful[:_TRIED_FIRST], doubtful[_TRIED_FIRST:]):
        fits = [(member, model.without(member)) for member in some]
        tried = [(model.log_p(member, smaller), member, smaller) for member, smaller in fits]
        weakest = max(tried, key=lambda each: (each[0][2], each[1]), default=None)
        if weakest is not None and weakest[0][2] > level:
            return weakest
    return None


def _acts_together(model: _Model, member: int, smaller: Fit, level: float) -> int | None:
    """Find another member with which one that seems superfluous tells something.

    As in :meth:`_Model.joins`, beside the products of that other one with all the rest, too.
    """
    others = [each for each in model.members if each != member and not model.has_products(member, each)]
    bound = level - math.log(max(len(others), 1))
    found = model.log_p_together(member, others, smaller)
    for log_p, other in sorted(zip(found, others, strict=True)):
        if log_p > bound:
            break
        fuller = model.with_products_of(other, member, smaller)
        if fuller is None or model.log_p_together(member, (other,), fuller)[0] <= bound:
            return other
    return None
