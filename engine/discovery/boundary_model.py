"""A regression of a target on the members of its boundary: what each tells beside the others.

A member enters by its basis functions, and with the products that it makes with others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple, TypeVar

import numpy as np

from engine.boundaries.search import SpouseLink
from engine.independence.chi_squared import log_chi2_sf
from engine.independence.data import SharesLeft, TestData
from engine.independence.fitted_regression import Fit
from engine.independence.regressions import Regression

# Steps of a number stand between so many equal shares of the rows, where these are so many.
_SHARES = 16
_ROWS_FOR_STEPS = 10_000


class ModelColumns:
    """Columns by which variables enter regressions, in the rows that are used."""

    def __init__(self, data: TestData, rows: np.ndarray, is_simple: bool) -> None:
        self.row_count = int(rows.sum())
        self._data = data
        self._rows = slice(None) if rows.all() else rows
        self._is_simple = is_simple
        self._made: dict[int, np.ndarray] = {}
        self._products: dict[tuple[int, int], np.ndarray] = {}
        self._edges: dict[int, np.ndarray] = {}

    def of(self, variable: int) -> np.ndarray:
        """Return the columns of a variable: float64 of shape (columns, rows)."""
        if variable not in self._made:
            columns = self._data.predictors_of(variable)
            assert columns is not None
            used = columns[: self.leading(variable)] if self._is_simple else columns
            self._made[variable] = used[:, self._rows]
        return self._made[variable]

    def standing_for(self, variable: int) -> np.ndarray:
        """Return the columns that stand for a variable: of a number the first, of levels all."""
        if variable in self._made:
            return self._made[variable][: self.leading(variable)]
        columns = self._data.predictors_of(variable, self.leading(variable))
        assert columns is not None
        return columns[:, self._rows]

    def standing_for_each(self, variables: Sequence[int]) -> tuple[np.ndarray, list[int]]:
        """Return those that stand for several variables below one another, and how many for each."""
        most = [self.leading(variable) for variable in variables]
        columns, counts = self._data.predictors_of_each(variables, most)
        return columns[:, self._rows], counts

    def itself_in(self, variable: int, shares_left: SharesLeft) -> np.ndarray:
        """Return a variable itself by its columns, given shares of variance left: (of itself, columns)."""
        count = len(self.of(variable))
        if self._is_simple:
            return np.eye(count)
        return self._data.itself_in_predictors(variable, count, shares_left)

    def leading(self, variable: int) -> int:
        """Count the columns that stand for a variable in products: of a number the first, of levels all."""
        return max(self._outcome_of(variable)[1] - 1, 1)

    def products(self, left: int, right: int) -> np.ndarray:
        """Return the products of the leading columns of two variables, centred."""
        key = (min(left, right), max(left, right))
        if key not in self._products:
            self._products[key] = self.products_tried(*key)
        return self._products[key]

    def products_tried(self, left: int, right: int) -> np.ndarray:
        """Return the same of two of many pairs, whose products would take too much memory together."""
        first, second = (self.standing_for(variable) for variable in (min(left, right), max(left, right)))
        products: np.ndarray = (first[:, np.newaxis] * second).reshape(-1, first.shape[1])
        products -= products.sum(axis=1, keepdims=True) / products.shape[1]
        return products

    def edges(self, variable: int) -> np.ndarray:
        """Return where a number goes on from one share of the rows to the next; none of levels, few rows."""
        if variable not in self._edges:
            values, levels = self._outcome_of(variable)
            edges = np.empty(0)
            if levels == 0 and self.row_count >= _ROWS_FOR_STEPS:
                values = values[self._rows]
                edges = np.unique(np.quantile(values, np.arange(1, _SHARES) / _SHARES))
                edges = edges[edges < values.max()]
            self._edges[variable] = edges
        return self._edges[variable]

    def step(self, variable: int, number: int) -> np.ndarray:
        """Return whether a number is beyond one of its edges, centred: float64 of shape (1, rows)."""
        values, _ = self._outcome_of(variable)
        is_beyond = (values[self._rows] > self.edges(variable)[number]).astype(np.float64)
        centred: np.ndarray = is_beyond - is_beyond.mean()
        return centred[np.newaxis]

    def _outcome_of(self, variable: int) -> tuple[np.ndarray, int]:
        outcome = self._data.outcome_of(variable)
        assert outcome is not None
        return outcome


# A regression wants this many rows of the rarer side for each of its coefficients.
_ROWS_PER_COEFFICIENT = 5.0
# Further columns are tested for so many variables at once, or for so many of which each has hardly more than
# one: it takes little longer than for one of them.
_TESTED_AT_ONCE, _SINGLE_AT_ONCE = 8, 48
# Of more members no products or steps are tried, as their number grows with the square.
_MOST_MEMBERS = 30

Item = TypeVar("Item")


class RegressionTerm(NamedTuple):
    """What enters a regression: the columns of a variable, the products of two, or a step of one."""

    variables: tuple[int, ...]
    step: int | None = None


class Candidate(NamedTuple):
    """What may join a boundary: a spouse with the child that would connect it; without one, a neighbour."""

    variable: int
    child: int | None = None


class _EarlierRegression(NamedTuple):
    """A regression that was made before: of which terms, the fit if it was completed, and where to begin."""

    terms: tuple[RegressionTerm, ...]
    fit: Fit | None
    start: np.ndarray | None


class BoundaryModel:
    """A regression on the columns of members, and of the products of some."""

    def __init__(
        self,
        regression: Regression[Any],
        columns: ModelColumns,
        members: Sequence[int],
        links: Sequence[SpouseLink],
    ) -> None:
        self._regression = self._own_regression = regression
        self.columns = columns
        self.members = list(members)
        self.tests = 0
        pairs = ((link.spouse, link.child) for link in links)
        inside = set(members)
        # The constant is none of them. Those of a variable itself come before its products and steps.
        self._terms = [RegressionTerm((member,)) for member in members]
        self._terms += dict.fromkeys(RegressionTerm(pair) for pair in pairs if inside.issuperset(pair))
        self._widths: dict[RegressionTerm, int] = {}
        self._fit: Fit | None = None
        # Where a fit begins: coefficients of one that was not completed, or had fewer columns at the end.
        self._start: np.ndarray | None = None
        # Of the regressions that were made before.
        self._made: dict[Regression[Any], _EarlierRegression] = {}

    @property
    def regression(self) -> Regression[Any]:
        """The regression that is made."""
        return self._regression

    def make(self, regression: Regression[Any], columns: ModelColumns) -> None:
        """Make another regression from now on, in which variables enter by other columns."""
        if regression is not self._regression or columns is not self.columns:
            terms = tuple(self._terms)
            self._made[self._regression] = _EarlierRegression(terms, self._fit, self._start)
            before = self._made.get(regression)
            self._regression, self.columns = regression, columns
            self._widths.clear()
            self._fit, self._start = None, None
            if before is not None and before.terms == terms:
                self._fit, self._start = before.fit, before.start

    @property
    def stands_in(self) -> bool:
        """Whether a regression of another kind than the outcome's is made, which surely misses a part.

        Then bends of a member seem to tell something wherever they go along with what is missed. A variable
        itself does so only as far as the columns of others miss both the outcome and the variable (Shah and
        Peters 2020, The hardness of conditional independence testing and the generalised covariance measure,
        Annals of Statistics 48:1514-1538): so it counts alone.
        """
        return self._regression is not self._own_regression

    @property
    def is_borne(self) -> bool:
        """Whether the rows suffice for so many coefficients."""
        return self._bears(self._coefficients)

    @property
    def has_room(self) -> bool:
        """Whether they suffice for twice as many."""
        return self._bears(2 * self._coefficients)

    def bears_also(self, variable: int) -> bool:
        """Tell whether they suffice for the columns of one more variable."""
        return self._bears(self._coefficients + len(self.columns.of(variable)))

    @property
    def _coefficients(self) -> int:
        return 1 + sum(map(self._width, self._terms))

    def _bears(self, width: int) -> bool:
        return width * self.regression.outcomes * _ROWS_PER_COEFFICIENT <= 0.5 * self.regression.evidence

    @property
    def fit(self) -> Fit:
        """The regression on all columns."""
        if self._fit is None:
            self._fit = self._fitted()
        return self._fit

    def _fitted(self, at_least: Callable[[Fit], bool] | None = None) -> Fit:
        """Fit the regression from where an earlier fit led, as far as suffices."""
        columns = self._matrix()
        fit: Fit = self.regression.fit(columns, _widened(self._start, len(columns)), at_least=at_least)
        return fit

    @property
    def is_decided(self) -> bool:
        """Whether the members leave nothing to explain: then infinite coefficients are close enough."""
        if self._fit is not None:
            return self.regression.is_decided(self._fit)
        fit = self._fitted(at_least=self.regression.is_decided)
        if not self.regression.is_decided(fit):
            self._fit = fit
            return False
        self._start = fit.coefficients
        return True

    def on_better_scale(self) -> Regression[Any]:
        """Return the regression of the outcome on the scale that suits the columns better."""
        return self.regression.on_better_scale(self._matrix)

    def _block(self, term: RegressionTerm) -> np.ndarray:
        if term.step is not None:
            return self.columns.step(term.variables[0], term.step)
        if len(term.variables) > 1:
            return self.columns.products(*term.variables)
        return self.columns.of(*term.variables)

    def _width(self, term: RegressionTerm) -> int:
        if term not in self._widths:
            # A step is made anew each time, and is one column.
            self._widths[term] = 1 if term.step is not None else len(self._block(term))
        return self._widths[term]

    def _matrix(self) -> np.ndarray:
        blocks = [self._block(term) for term in self._terms]
        return np.concatenate([np.ones((1, self.columns.row_count)), *blocks])

    def add(self, member: int, partners: Iterable[int]) -> None:
        """Add a member, with its products with some others."""
        self.members.append(member)
        self.append([RegressionTerm((member,)), *(RegressionTerm((member, partner)) for partner in partners)])

    def append(self, terms: list[RegressionTerm]) -> None:
        """Add products or steps of members."""
        self._terms += terms
        self._start = None if self._fit is None else self._fit.coefficients
        self._fit = None

    def further_terms(self) -> list[RegressionTerm]:
        """List what sums of curves of members miss: products of two, and steps, that are not in yet."""
        if len(self.members) > _MOST_MEMBERS:
            return []
        products = [
            RegressionTerm(pair) for pair in combinations(self.members, 2) if not self.has_products(*pair)
        ]
        steps = [
            RegressionTerm((member,), step)
            for member in self.members
            for step in range(len(self.columns.edges(member)))
        ]
        inside = set(self._terms)
        return [*products, *(step for step in steps if step not in inside)]

    def log_p_of_terms(self, terms: Sequence[RegressionTerm]) -> list[float]:
        """Test of each whether it tells something; nothing does for which the rows do not suffice."""
        blocks = [
            self.columns.products_tried(*term.variables) if term.step is None else self._block(term)
            for term in terms
        ]
        self.tests += len(terms)
        log_p_values = self._log_p_of(self.fit, np.concatenate(blocks), [(len(block),) for block in blocks])
        width = len(self.fit.columns)
        return [
            log_p if self._bears(width + len(block)) else 0.0
            for log_p, block in zip(log_p_values, blocks, strict=True)
        ]

    def has_products(self, left: int, right: int) -> bool:
        """Tell whether the products of two members are in the regression."""
        return RegressionTerm((left, right)) in self._terms or RegressionTerm((right, left)) in self._terms

    def remove(self, member: int, fit: Fit) -> None:
        """Take a member out, with its products and steps; `fit` is what is left."""
        self.members.remove(member)
        self._terms = [term for term in self._terms if member not in term.variables]
        self._fit = fit

    def wald_log_p(self, member: int) -> float:
        """Return the logarithm of the p-value of a member by Wald's statistic, which needs no further fit."""
        chosen = self._is_of(member)
        if not self.stands_in:
            return log_chi2_sf(*_as_floats(self.regression.wald(self.fit, chosen)))
        itself = self._itself_in(member)
        # Its products with others do not count, either.
        sums = np.zeros((len(itself), np.count_nonzero(chosen)))
        sums[:, : itself.shape[1]] = itself
        return log_chi2_sf(*_as_floats(self.regression.wald(self.fit, chosen, sums)))

    def _itself_in(self, member: int) -> np.ndarray:
        """Say how a member itself is written in its columns, a number on the scale on which others add up."""
        is_of_member = self._is_of(member)
        own = is_of_member & (np.cumsum(is_of_member) <= len(self.columns.of(member)))
        return self.columns.itself_in(member, lambda sums: self.fit.shares_left(own, ~is_of_member, sums))

    def _itself(self, variable: int) -> np.ndarray:
        """Return the columns that are a variable itself; of one that is no member those that stand for it."""
        if variable not in self.members:
            return self.columns.standing_for(variable)
        columns: np.ndarray = self._itself_in(variable) @ self.columns.of(variable)
        return columns

    def _is_of(self, member: int) -> np.ndarray:
        chosen = [False]
        for term in self._terms:
            chosen += [member in term.variables] * self._width(term)
        return np.array(chosen)

    def without(self, member: int, level: float) -> Fit:
        """Fit without a member; end early where it is surely significant at a level (a logarithm)."""
        self.tests += 1

        chosen = self._is_of(member)

        def is_significant(smaller: Fit) -> bool:
            ratio = self.regression.ratio(self.fit, smaller, chosen)
            return log_chi2_sf(*_as_floats(ratio)) + math.log(2.0) <= level

        smaller: Fit = self.regression.without(self.fit, chosen, is_significant)
        return smaller

    def log_p(self, member: int, smaller: Fit) -> tuple[float, float, float]:
        """Test a member: statistic, degrees of freedom, and logarithm of the p-value.

        A number is tested by all columns and by its first (or itself); the smaller p counts, doubled.
        """
        if self.stands_in:
            statistic, dof = _as_floats(self.regression.score(smaller, self._itself(member)))
            return statistic, dof, log_chi2_sf(statistic, dof)
        chosen = self._is_of(member)
        statistic, dof = _as_floats(self.regression.ratio(self.fit, smaller, chosen))
        log_p = log_chi2_sf(statistic, dof)
        first = self.columns.standing_for(member)
        if chosen.sum() <= len(first):
            return statistic, dof, log_p
        of_first, dof_of_first = _as_floats(self.regression.score(smaller, first))
        log_p_of_first = log_chi2_sf(of_first, dof_of_first)
        if log_p_of_first < log_p:
            statistic, dof, log_p = of_first, dof_of_first, log_p_of_first
        return statistic, dof, min(0.0, log_p + math.log(2.0))

    def log_p_joining(self, candidates: Sequence[Candidate]) -> list[float]:
        """Test of each candidate whether it tells something: by itself, or with a child beside it."""
        self.tests += len(candidates)
        columns, counts = self.columns.standing_for_each([candidate.variable for candidate in candidates])
        if all(candidate.child is None for candidate in candidates):
            return self._log_p_of(self.fit, columns, [(count,) for count in counts])
        alone = np.split(columns, np.cumsum(counts[:-1]))
        blocks = [
            own if child is None else self._together(variable, child)
            for (variable, child), own in zip(candidates, alone, strict=True)
        ]
        tried = [
            (count,) if child is None else (len(block), count)
            for (_, child), block, count in zip(candidates, blocks, counts, strict=True)
        ]
        log_p_values = iter(self._log_p_of(self.fit, np.concatenate(blocks), tried))
        return [
            min(0.0, min(next(log_p_values) for _ in counts_tried) + math.log(len(counts_tried)))
            for counts_tried in tried
        ]

    def joining(self, candidate: Candidate) -> tuple[float, float, float]:
        """Test what a candidate adds to the members: statistic, degrees of freedom, and log p.

        A spouse is tested alone and with its products with the child; the smaller p counts, doubled.
        """
        variable, child = candidate
        block = self.columns.standing_for(variable)
        counts = [len(block)]
        if child is not None:
            block = self._together(variable, child)
            counts.append(len(block))
        scores = self.regression.scores(self.fit, block, [slice(0, count) for count in counts])
        tried = [(log_chi2_sf(*_as_floats(score)), _as_floats(score)) for score in scores]
        log_p, (statistic, dof) = min(tried)
        return statistic, dof, min(0.0, log_p + math.log(len(tried)))

    def alone(self, variable: int) -> tuple[float, float, float]:
        """Test what stands for a variable that is no member: statistic, degrees of freedom, and log p."""
        self.tests += 1
        statistic, dof = _as_floats(self.regression.score(self.fit, self.columns.standing_for(variable)))
        return statistic, dof, log_chi2_sf(statistic, dof)

    def joins(self, candidate: Candidate, bound: float) -> bool:
        """Tell whether a candidate adds something to its child's products with all others, too."""
        spouse, child = candidate
        if child is None:
            return True
        first = self.columns.standing_for(spouse)
        if log_chi2_sf(*_as_floats(self.regression.score(self.fit, first))) + math.log(2.0) <= bound:
            return True
        fuller = self.with_products_of(child, spouse, self.fit)
        return fuller is None or self.log_p_together(spouse, (child,), fuller)[0] + math.log(2.0) <= bound

    def log_p_together(self, member: int, others: Sequence[int], smaller: Fit) -> list[float]:
        """Test whether the products of a member with each other tell something when the member has left."""
        log_p_values: list[float] = []
        self.tests += len(others)
        for some in some_at_once(others):
            blocks = [self._together(member, partner) for partner in some]
            log_p_values += self._log_p_of(
                smaller, np.concatenate(blocks), [(len(block),) for block in blocks]
            )
        return log_p_values

    def _log_p_of(self, fit: Fit, columns: np.ndarray, counts: Sequence[tuple[int, ...]]) -> list[float]:
        """Test further columns by block: of each the first ones, as many as its counts say in turn."""
        starts = np.cumsum([0, *(max(widths) for widths in counts[:-1])]).tolist()
        parts = [
            slice(start, start + count)
            for start, widths in zip(starts, counts, strict=True)
            for count in widths
        ]
        scores = self.regression.scores(fit, columns, parts)
        return [log_chi2_sf(*_as_floats(score)) for score in scores]

    def _together(self, member: int, partner: int) -> np.ndarray:
        """Return the columns of a variable that count, and then its products with another."""
        own = self._itself(member) if self.stands_in else self.columns.of(member)
        return np.concatenate((own, self.columns.products(member, partner)))

    def with_products_of(self, partner: int, without: int, smaller: Fit) -> Fit | None:
        """Fit without a member, with products of another with the rest; None where rows are too few."""
        further = [
            self.columns.products(member, partner)
            for member in self.members
            if member not in (partner, without) and not self.has_products(member, partner)
        ]
        columns = np.concatenate((smaller.columns, *further))
        if not self._bears(len(columns)):
            return None
        larger: Fit = self.regression.fit(columns, _widened(smaller.coefficients, len(columns)))
        return larger


def _widened(coefficients: np.ndarray | None, width: int) -> np.ndarray | None:
    """Add coefficients of 0 for further columns, to start from."""
    if coefficients is None:
        return None
    return np.pad(coefficients, ((0, 0), (0, width - coefficients.shape[1])))


def some_at_once(items: Sequence[Item], most: int = _TESTED_AT_ONCE) -> Iterator[Sequence[Item]]:
    """Return a few items after the others: as many as are tested in one go."""
    for begin in range(0, len(items), most):
        yield items[begin : begin + most]


def candidates_at_once(candidates: Sequence[Candidate]) -> Iterator[Sequence[Candidate]]:
    """Return a few candidates after the others, those with a child before those without: likewise."""
    count = sum(candidate.child is not None for candidate in candidates)
    yield from some_at_once(candidates[:count])
    yield from some_at_once(candidates[count:], _SINGLE_AT_ONCE)


def _as_floats(score: tuple[float, float]) -> tuple[float, float]:
    return score[0], float(score[1])
