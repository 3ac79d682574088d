"""Regressions of one variable on many columns, and what leaving out or adding columns changes.

The outcome decides the kind: logistic for two levels, multinomial for several, linear for numbers (Agresti
2013, Categorical Data Analysis, chapters 5 and 8). A model is fitted by Newton's method; members are then
compared by likelihood ratios.

Where a combination of columns decides the level, a column has nothing left to explain, however much it
tells: then a linear regression of the indicators of the levels still sees it.

Regressions of rows that come in groups: what columns tell, by how much groups differ.

Rows of one person are alike, so that a likelihood ratio says too much. Fits are those of independent rows, as
their coefficients are right all the same (Liang and Zeger 1986, Longitudinal data analysis using generalized
linear models, Biometrika 73:13-22); statistics are Rao's. Under the null hypothesis one is a weighted sum of
squared normals, and its mean and variance come from the sum of the scores of each group. It is scaled to
these and referred to an F law with as many degrees of freedom as groups allow, as in the tests of a search
(:mod:`engine.independence.basis.clustered`; Rao and Scott 1984, Annals of Statistics 12:46-60; Thomas and Rao
1987, Journal of the American Statistical Association 82:630-636). Scores are those of the smaller regression:
a column that few groups carry then never looks significant, as it does with residuals of the larger one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from engine.independence.data import TestData
from engine.independence.fitted_regression import Fit
from engine.independence.linear_regression import LinearRegression
from engine.independence.linear_systems import FLAT, inverse_lengths, solved, squared_length
from engine.independence.logistic_regression import LogisticRegression
from engine.independence.tails import standardised

# A regression has at most one coefficient for so many groups, so that enough of them differ by chance alone.
_GROUPS_PER_COEFFICIENT = 2.0
# With fewer groups nothing is confirmed.
_FEWEST_GROUPS = 8.0
# Ten times as much evidence as coefficients is wanted of rows: evidence of groups is put on that scale.
_EVIDENCE_PER_COEFFICIENT = 10.0
# Nothing is divided by less than what this leaves of a group.
_MOST_LEVERAGE = 0.9
# Where a column and an outcome share fewer rows, how little their products vary shows nothing.
_MANY_SHARED = 30.0


class RowGroups:
    """Which rows belong together: codes ``0 … groups - 1``, each of which occurs; rows may have weights."""

    def __init__(self, codes: np.ndarray, weights: np.ndarray | None = None) -> None:
        self.rows = len(codes)
        self._order = np.argsort(codes, kind="stable")
        self._starts = np.flatnonzero(np.diff(codes[self._order], prepend=-1))
        self.sizes = np.bincount(codes).astype(np.float64)
        sums = self.sizes if weights is None else np.bincount(codes, weights)
        # So many groups of equal weight they are worth (Kish 1965, Survey Sampling, section 11.7).
        self.units = float(sums.sum() ** 2 / (sums @ sums))

    def sums(self, values: np.ndarray) -> np.ndarray:
        """Add up values of shape (…, rows) over the rows of each group: shape (…, groups)."""
        return np.add.reduceat(values[..., self._order], self._starts, axis=-1)


class _Null(NamedTuple):
    """A regression without the columns that are tested."""

    information: np.ndarray  # of its coefficients, outcome after outcome
    slopes: np.ndarray  # (outcomes, rows): first derivatives of the log likelihood of each row
    sums: np.ndarray  # (outcomes * columns, groups), of its columns times the slopes
    leverages: np.ndarray  # (groups,): how much of a group its coefficients take up


class GroupedRegression:
    """A regression of an outcome whose rows come in groups."""

    def __init__(self, regression: LinearRegression | LogisticRegression, groups: RowGroups) -> None:
        # Either takes fits of its own kind alone.
        self._regression: Any = regression
        self._groups = groups
        self.outcomes = regression.outcomes
        self.evidence = self._evidence()
        self._last: tuple[Fit, _Null] | None = None

    def _evidence(self) -> float:
        """Return how many independent rows bear on the coefficients, at most what groups bear."""
        rows = self._regression
        slopes = rows.slopes(rows.fit(np.ones((1, self._groups.rows))))
        effect = float((self._groups.sums(slopes) ** 2).sum() / (slopes**2).sum())
        if self._groups.units < _FEWEST_GROUPS:
            return 0.0
        of_groups = _EVIDENCE_PER_COEFFICIENT / _GROUPS_PER_COEFFICIENT * self._groups.units
        return min(float(rows.evidence) / max(effect, 1.0), of_groups)

    def fit(
        self,
        columns: np.ndarray,
        start: np.ndarray | None = None,
        at_most: Callable[[Fit], bool] | None = None,
        at_least: Callable[[Fit], bool] | None = None,
    ) -> Fit:
        """Fit as if rows were independent; no bound on a statistic follows from a likelihood on the way."""
        fit: Fit = self._regression.fit(columns, start, at_least=at_least)
        return fit

    def without(self, fit: Fit, chosen: np.ndarray, at_most: Callable[[Fit], bool] | None = None) -> Fit:
        """Fit without some columns, to the end."""
        smaller: Fit = self._regression.without(fit, chosen)
        return smaller

    def ratio(self, larger: Fit, smaller: Fit, chosen: np.ndarray) -> tuple[float, float]:
        """Return Rao's statistic of the columns that the smaller regression lacks."""
        return self.score(smaller, larger.columns[chosen])

    def score(self, fit: Fit, extra: np.ndarray) -> tuple[float, float]:
        """Return Rao's statistic that further columns have no coefficients, and its degrees of freedom."""
        return self.scores(fit, extra, (slice(0, len(extra)),))[0]

    def scores(self, fit: Fit, extra: np.ndarray, parts: Sequence[slice]) -> list[tuple[float, float]]:
        """Return the same of parts of the columns, each without the rest."""
        null = self._null_of(fit)
        across = self._regression.information_about(fit, fit.columns, extra)
        whole = self._regression.information_about(fit, extra, extra)
        return self._tested(null, extra, across, whole, parts)

    def wald(self, fit: Fit, chosen: np.ndarray, sums: np.ndarray | None = None) -> tuple[float, float]:
        """Return Rao's statistic of columns or sums; as if the log likelihood were a parabola."""
        is_chosen = np.tile(chosen, self.outcomes)
        positions, others = np.flatnonzero(is_chosen), np.flatnonzero(~is_chosen)
        columns = fit.columns[~chosen]
        more = fit.coefficients @ fit.columns - fit.without(chosen) @ columns
        slopes = self._regression.slopes(fit) + self._regression.change_of_slopes(fit, more)
        null = self._null(fit, columns, fit.information[np.ix_(others, others)], slopes)
        tested = fit.columns[chosen]
        across = fit.information[np.ix_(others, positions)]
        whole = fit.information[np.ix_(positions, positions)]
        if sums is not None:
            along = np.kron(np.eye(self.outcomes), sums)
            tested, across, whole = sums @ tested, across @ along.T, along @ whole @ along.T
        return self._tested(null, tested, across, whole, (slice(0, len(tested)),))[0]

    def is_decided(self, fit: Fit) -> bool:
        """Tell whether a fit leaves nothing of the outcome that a column could explain."""
        is_decided: bool = self._regression.is_decided(fit)
        return is_decided

    def linear(self) -> GroupedRegression:
        """Return the linear regression of the same outcome and groups."""
        return GroupedRegression(self._regression.linear(), self._groups)

    def on_better_scale(self, columns_of: Callable[[], np.ndarray]) -> GroupedRegression:
        """Return the regression of the same outcome on the scale that suits columns better."""
        better = self._regression.on_better_scale(columns_of)
        return self if better is self._regression else GroupedRegression(better, self._groups)

    def _null_of(self, fit: Fit) -> _Null:
        """Return what tests of further columns of a fit have in common; there are many in turn."""
        if self._last is None or self._last[0] is not fit:
            slopes = self._regression.slopes(fit)
            self._last = fit, self._null(fit, fit.columns, fit.information, slopes)
        return self._last[1]

    def _null(self, fit: Fit, columns: np.ndarray, information: np.ndarray, slopes: np.ndarray) -> _Null:
        curvature = self._regression.change_of_slopes(fit, np.ones((self.outcomes, self._groups.rows)))
        rooted = columns * np.sqrt(np.maximum(curvature.sum(axis=0), 0.0))
        taken_up = inverse_lengths(rooted @ rooted.T, self._groups.sums(rooted)) / self._groups.sizes
        return _Null(information, slopes, self._sums(columns, slopes), taken_up)

    def _sums(self, columns: np.ndarray, slopes: np.ndarray) -> np.ndarray:
        """Sum columns times slopes over groups: float64 of shape (outcomes * columns, groups)."""
        return np.concatenate([self._groups.sums(columns * slope) for slope in slopes])

    def _tested(
        self,
        null: _Null,
        columns: np.ndarray,
        across: np.ndarray,
        whole: np.ndarray,
        parts: Sequence[slice],
    ) -> list[tuple[float, float]]:
        """Test parts of some columns, from the information that they share with the null, and their own."""
        explained = solved(null.information, across)
        left = whole - across.T @ explained
        scores = self._sums(columns, null.slopes) - explained.T @ null.sums
        shape = self.outcomes, len(columns)
        flat = (FLAT * whole.diagonal()).reshape(shape)
        is_rare = _are_rare(columns, null.slopes)
        freedom = max(self._groups.units - float(null.leverages.sum()), 1.0)
        kept = np.sqrt(1.0 - np.minimum(null.leverages, _MOST_LEVERAGE))
        results = []
        for part in parts:
            places = np.arange(shape[0] * shape[1]).reshape(shape)[:, part].ravel()
            least = flat[:, part].ravel()
            law = _law_of(
                left[np.ix_(places, places)], scores[places], kept, least, bool(is_rare[:, part].any())
            )
            results.append(_referred(law, freedom, len(places)))
        return results


class _Law(NamedTuple):
    """A statistic, and the weighted sum of squared normals that it is if columns tell nothing."""

    statistic: float
    directions: float  # of the columns, without flat ones
    mean: float  # sum of the weights
    spread: float  # sum of their squares over the square of their sum: 1 / degrees of freedom


def _law_of(left: np.ndarray, scores: np.ndarray, kept: np.ndarray, least: np.ndarray, is_rare: bool) -> _Law:
    """Estimate the law of Rao's statistic from the scores of groups, of shape (coefficients, groups)."""
    total = scores.sum(axis=1)
    groups = scores.shape[1]
    deviations = scores / kept - total[:, np.newaxis] / groups
    scaled = solved(left, deviations, least)
    lengths = (deviations * scaled).sum(axis=0)
    shared = scaled @ deviations.T
    # The products of a group with itself would make weights seem more unequal than they are.
    between = max(0.0, float((shared * shared.T).sum()) - float(lengths @ lengths))
    share = groups / (groups - 1.0)
    directions = round(float(solved(left, left, least).trace()))
    mean, squares = share * float(lengths.sum()), share * between
    spread = squares / mean**2 if mean > 0.0 else 1.0
    # Where hardly a row carries both, groups may vary little by chance: independent rows would vary so much.
    mean = max(mean, float(directions)) if is_rare else mean
    return _Law(squared_length(left, total, least), float(directions), mean, spread)


def _referred(law: _Law, freedom: float, coefficients: int) -> tuple[float, float]:
    """Return chi-squared with the p-value that the law has, and its degrees of freedom."""
    if law.directions == 0.0 or law.mean <= 0.0:
        return 0.0, float(coefficients)
    dof = 1.0 / min(1.0, max(1.0 / law.directions, law.spread))
    f = law.statistic / law.mean
    estimated = dof * freedom
    return (estimated + 0.5 * dof - 1.0) * math.log1p(f * dof / estimated), dof


def _are_rare(columns: np.ndarray, slopes: np.ndarray) -> np.ndarray:
    """Tell of each outcome and column whether few rows carry both: bool of shape (outcomes, columns)."""
    rare: np.ndarray = (
        np.outer(_concentrations(slopes), _concentrations(columns)) * _MANY_SHARED * columns.shape[1] > 1.0
    )
    return rare


def _concentrations(values: np.ndarray) -> np.ndarray:
    """Return one over the number of rows that carry a column, of shape (columns,)."""
    squares = values**2
    sums = np.maximum(squares.sum(axis=1), np.finfo(float).tiny)
    concentrations: np.ndarray = (squares**2).sum(axis=1) / sums**2
    return concentrations


# What a regression of a kind gives, and takes again.
FitOfKind = TypeVar("FitOfKind", bound=Fit)


class Regression(Protocol[FitOfKind]):
    """A regression whose outcome is fixed, and whose columns are chosen anew for each fit."""

    @property
    def outcomes(self) -> int:
        """Coefficients of a column: number of levels less one; 1 for numbers."""
        ...

    @property
    def evidence(self) -> float:
        """How many rows bear upon the coefficients; of a level, twice those of the rarer side."""
        ...

    def fit(
        self,
        columns: np.ndarray,
        start: np.ndarray | None = None,
        at_most: Callable[[FitOfKind], bool] | None = None,
        at_least: Callable[[FitOfKind], bool] | None = None,
    ) -> FitOfKind:
        """Fit the outcome to columns of shape (columns, rows), the constant one among them.

        It may end early: `at_most` is asked with a bound of the likelihood, `at_least` with one that is
        reached.
        """
        ...

    def without(
        self, fit: FitOfKind, chosen: np.ndarray, at_most: Callable[[FitOfKind], bool] | None = None
    ) -> FitOfKind:
        """Fit the outcome to the columns of a fit but some; `chosen` is a bool for each column."""
        ...

    def ratio(self, larger: FitOfKind, smaller: FitOfKind, chosen: np.ndarray) -> tuple[float, float]:
        """Return the likelihood ratio of nested fits as chi-squared, and dof; `smaller` lacks `chosen`."""
        ...

    def score(self, fit: FitOfKind, extra: np.ndarray) -> tuple[float, float]:
        """Return Rao's statistic that further columns, of shape (extra, rows), have no coefficients."""
        ...

    def scores(
        self, fit: FitOfKind, extra: np.ndarray, parts: Sequence[slice]
    ) -> Sequence[tuple[float, float]]:
        """Return the same of parts of the columns, each without the rest."""
        ...

    def wald(self, fit: FitOfKind, chosen: np.ndarray, sums: np.ndarray | None = None) -> tuple[float, float]:
        """Return Wald's statistic of some columns of a fit, or of sums of them in their place."""
        ...

    def is_decided(self, fit: FitOfKind) -> bool:
        """Tell whether a fit leaves nothing of the outcome that a column could explain."""
        ...

    def linear(self) -> Regression[Any]:
        """Return the linear regression of the same outcome, which can always tell columns apart."""
        ...

    def on_better_scale(self, columns_of: Callable[[], np.ndarray]) -> Regression[Any]:
        """Return the regression on the scale that suits columns, asked for only if scales are several."""
        ...


def regression_of(data: TestData, target: int, rows: np.ndarray) -> Regression[Any] | None:
    """Make the regression that suits a variable on `rows`; None without values, or if all are the same."""
    outcome = data.outcome_of(target)
    if outcome is None or not rows.any():
        return None
    values, levels = outcome[0][rows], outcome[1]
    weights = None if data.weights is None else data.weights[rows]
    if weights is not None and data.is_sample:
        # Rows are worth their effective number together: a sum of squared weights equal to that of weights
        # gives statistics the level that they have without weights (Kish 1965, Survey Sampling, 11.7).
        weights = weights * (weights.sum() / float(weights @ weights))
    occurring, codes = np.unique(values, return_inverse=True)
    if len(occurring) == 1:
        return None
    regression: LinearRegression | LogisticRegression
    if levels:
        regression = LogisticRegression(codes, len(occurring), weights)
    else:
        regression = LinearRegression(standardised(values, weights), weights)
    if data.groups is None:
        return regression
    in_groups = np.unique(data.groups[rows], return_inverse=True)[1]
    return GroupedRegression(regression, RowGroups(in_groups, weights))
