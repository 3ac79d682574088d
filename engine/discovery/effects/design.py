"""Which rows an estimate rests on, what each stands for, and how sure sums over them are.

Weights of a sample say how much of a population a row stands for; weights that are counts, how many equal
rows were joined into one. Rows of one group are not independent of each other, so that variances come from
sums over groups (Liang and Zeger 1986, Longitudinal data analysis using generalized linear models, Biometrika
73:13-22).

Variables enter a regression thus: levels by indicators, numbers by smooth curves. Curves are natural cubic
splines, which go on as straight lines beyond their outermost knots; knots lie at the quantiles that Harrell
recommends (2015, Regression Modeling Strategies, 2nd ed., section 2.4.6).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np

from engine.errors import InvalidData
from engine.table.dataset import Dataset
from engine.table.row_weights import COUNTS, SAMPLING, observations_in
from engine.table.variable import Kind, missing_mask
from engine.translation import _
from engine.wording.notes import listed

CONFIDENCE = 0.95
# Shares of rows beyond the ends of a curve, and those between which it is compared.
_CURVE_ENDS = (0.025, 0.975)
_QUARTILES = (0.25, 0.75)
_WIDER = ((0.1, 0.9), (0.025, 0.975), (0.0, 1.0))


@dataclass(frozen=True, eq=False)
class CompleteRows:
    """The rows of a table that are complete in some variables."""

    places: np.ndarray  # positions in the table
    weights: np.ndarray | None  # above 0; None where every row is one row
    groups: np.ndarray | None  # 0 … groups - 1; None where rows are independent
    is_sample: bool  # sampling weights, not counts
    lost: int  # rows that miss a value of these variables, by frequency weight

    def __len__(self) -> int:
        return len(self.places)

    @cached_property
    def shares(self) -> np.ndarray:
        """Share of each row in the whole: float64 of shape (rows,), with sum 1."""
        if self.weights is None:
            return np.full(len(self), 1.0 / max(len(self), 1))
        shares: np.ndarray = self.weights / self.weights.sum()
        return shares

    @cached_property
    def counts(self) -> np.ndarray:
        """How many equal rows each row stands for: float64 of shape (rows,), 1 unless weights count them."""
        if self.weights is None or self.is_sample:
            return np.ones(len(self))
        return self.weights

    def count_of(self, chosen: np.ndarray) -> int:
        """Count some of the rows; where a row stands for several equal ones, each of these."""
        return round(float(self.counts[chosen].sum()))

    @property
    def count(self) -> int:
        """Number of the rows; where a row stands for several equal ones, of these."""
        return round(float(self.counts.sum()))

    def worth_of(self, chosen: np.ndarray) -> float:
        """Return how many independent rows some of the rows are worth: of groups, no more than there are."""
        if self.groups is not None:
            return float(len(np.unique(self.groups[chosen])))
        if self.weights is None:
            return float(chosen.sum())
        return observations_in(self.weights[chosen], self.is_sample)

    @cached_property
    def worth(self) -> float:
        """How many independent rows all are worth; of groups, rows of one group count singly here."""
        if self.weights is None:
            return float(len(self))
        return observations_in(self.weights, self.is_sample)

    def dof(self, coefficients: int) -> float:
        """Return degrees of freedom that are left beside so many coefficients, at least 1."""
        if self.groups is not None:
            return max(float(self.groups.max()), 1.0)
        return max(self.worth - coefficients, 1.0)

    def covariance(self, influence: np.ndarray) -> np.ndarray:
        """Return covariances (sums, sums) of sums over rows, from what each adds beyond expectation."""
        if self.groups is not None:
            count = int(self.groups.max()) + 1
            by_group = np.empty((len(influence), count))
            for position, influences in enumerate(influence):
                by_group[position] = np.bincount(self.groups, influences, minlength=count)
            covariances: np.ndarray = by_group @ by_group.T * (count / max(count - 1.0, 1.0))
            return covariances
        if self.weights is not None and not self.is_sample:
            influence = influence / np.sqrt(self.weights)
        products: np.ndarray = influence @ influence.T
        return products


def rows_with(dataset: Dataset, names: Iterable[str], *, is_sample: bool = True) -> CompleteRows:
    """Choose the rows that have a value of each of some variables, and a weight above 0."""
    names = tuple(names)
    complete = np.ones(dataset.row_count, dtype=np.bool_)
    for name in names:
        complete &= ~missing_mask(dataset.variable(name), dataset.column(name))
    weights = dataset.row_weights
    counted = np.ones_like(complete) if weights is None else weights > 0.0
    positions = np.flatnonzero(complete & counted)
    if not len(positions):
        raise InvalidData(
            _("no row has a value of each."),
            place=_("columns {names}", names=listed(list(names))),
            remedy=_("Leave out a column that is mostly empty."),
        )
    left_out = counted & ~complete
    lost = int(left_out.sum()) if weights is None or is_sample else round(float(weights[left_out].sum()))
    groups = dataset.row_groups
    return CompleteRows(
        positions,
        None if weights is None else weights[positions],
        None if groups is None else np.unique(groups[positions], return_inverse=True)[1],
        is_sample,
        lost,
    )


def weighted_quantiles(values: np.ndarray, shares: np.ndarray, at: Iterable[float]) -> list[float]:
    """Return quantiles of values that have shares in the whole: values that occur.

    >>> weighted_quantiles(np.array([3.0, 1.0, 2.0]), np.array([0.2, 0.4, 0.4]), [0.25, 0.5])
    [1.0, 2.0]
    """
    order = np.argsort(values, kind="stable")
    cumulated = np.cumsum(shares[order])
    # What rounding takes off a sum must not move a quantile to the next value.
    positions = np.searchsorted(cumulated, [share - 1e-9 for share in at])
    quantiles: list[float] = values[order][np.minimum(positions, len(values) - 1)].tolist()
    return quantiles


def deviation(values: np.ndarray, shares: np.ndarray) -> float:
    """Return the standard deviation of values that have shares in the whole."""
    mean = float(shares @ values)
    return math.sqrt(max(float(shares @ (values - mean) ** 2), 0.0))


@dataclass(frozen=True)
class Pair:
    """A feature, a label and the table that they are measured in."""

    dataset: Dataset  # with numbers as numbers, where possible
    feature: str
    label: str
    row_weights: str = SAMPLING  # "sampling" or "counts"
    confidence: float = CONFIDENCE
    # see :attr:`places_on_curve`; found in the table when left out
    curve: tuple[float, float, float, float] | None = None
    # of a number that are compared, where these are not the quartiles and suit its curve
    quantiles: tuple[float, float] | None = None
    pairs_tried: int = 1  # among how many pairs of quantiles these were chosen; the interval allows for that

    @property
    def is_number(self) -> bool:
        """Whether the feature is a number, so that it has a curve."""
        return self.dataset.variable(self.feature).kind is Kind.CONTINUOUS

    @property
    def names(self) -> tuple[str, str]:
        """Feature and label."""
        return self.feature, self.label

    def imputed(self, names: Iterable[str]) -> bool:
        """Tell whether values were drawn for empty cells of some of these columns."""
        imputed = self.dataset.imputed
        return imputed is not None and any(name in imputed.values for name in names)

    def completed(self) -> Iterator[Pair]:
        """Return the pair in each of the tables that multiple imputation completed, at the same places."""
        imputed = self.dataset.imputed
        curve = self.places_on_curve if self.is_number else None
        for draw in range(0 if imputed is None else imputed.draws):
            yield replace(self, dataset=self.dataset.completed(draw), curve=curve)

    def rows(self, held: Sequence[str] = ()) -> CompleteRows:
        """Return the rows that have a value of the feature, of the label, and of what is held."""
        is_sample = self.row_weights != COUNTS
        return rows_with(self.dataset, (self.feature, self.label, *held), is_sample=is_sample)

    @property
    def places_on_curve(self) -> tuple[float, float, float, float]:
        """Ends of a number's curve, and the compared values: quartiles, or further apart if equal."""
        if self.curve is not None:
            return self.curve
        return self._places_on_curve[0]

    @property
    def compared_quantiles(self) -> tuple[float, float]:
        """Which quantiles of a number are compared."""
        return self.quantiles or self._places_on_curve[1]

    @cached_property
    def _places_on_curve(self) -> tuple[tuple[float, float, float, float], tuple[float, float]]:
        """Return these places, and which quantiles the two are that are compared."""
        rows = self.rows()
        values = self.dataset.column(self.feature)[rows.places]
        first, last = weighted_quantiles(values, rows.shares, _CURVE_ENDS)
        for shares in (_QUARTILES, *_WIDER):
            low, high = weighted_quantiles(values, rows.shares, shares)
            if low < high:
                break
        return (first, last, low, high), shares


_KNOTS = {
    3: (0.10, 0.50, 0.90),
    4: (0.05, 0.35, 0.65, 0.95),
    5: (0.05, 0.275, 0.50, 0.725, 0.95),
}
# Rows from which a curve has four knots, and five.
_ROWS_FOR_FOUR, _ROWS_FOR_FIVE = 100.0, 1000.0


class RegressionColumns(Protocol):
    """How one variable enters a regression."""

    @property
    def width(self) -> int:
        """Number of its columns."""

    def of(self, values: np.ndarray) -> np.ndarray:
        """Return the columns at some values, float64 of shape (width, values)."""


@dataclass(frozen=True, eq=False)
class LevelColumns:
    """Indicators of the levels but the first."""

    codes: np.ndarray  # of the levels that occur, ascending; the first has no column

    @property
    def width(self) -> int:
        """Number of levels less one."""
        return len(self.codes) - 1

    def of(self, values: np.ndarray) -> np.ndarray:
        """Return the indicators, float64 of shape (width, values)."""
        indicators: np.ndarray = (values == self.codes[1:, np.newaxis]).astype(np.float64)
        return indicators


@dataclass(frozen=True, eq=False)
class LineColumn:
    """A straight line."""

    centre: float
    scale: float

    @property
    def width(self) -> int:
        """One column."""
        return 1

    def of(self, values: np.ndarray) -> np.ndarray:
        """Return the number, centred and scaled, float64 of shape (1, values)."""
        return ((values - self.centre) / self.scale)[np.newaxis]


class CurveColumns:
    """A natural cubic spline."""

    def __init__(self, knots: Sequence[float]) -> None:
        self._knots = np.asarray(knots)
        # One curve a knot, which is 1 there and 0 at the others; together they are the constant.
        self._starts, self._coefficients = _natural_splines(self._knots, np.eye(len(self._knots))[1:])

    @property
    def width(self) -> int:
        """Number of knots less one: the rest is the constant."""
        return len(self._knots) - 1

    def of(self, values: np.ndarray) -> np.ndarray:
        """Follow the curves, float64 of shape (width, values)."""
        piece = np.searchsorted(self._knots, values)
        along = values - self._starts[piece]
        level, slope, bend, twist = self._coefficients[:, :, piece]
        interpolated: np.ndarray = level + along * (slope + along * (bend + along * twist))
        return interpolated


def _natural_splines(knots: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return natural cubic splines through `values` (curves, knots): starts (knots + 1,) and coefficients.

    De Boor, *A practical guide to splines* (1978), chapter IV. Coefficients: (4, curves, knots + 1), constant
    first.
    """
    gaps = np.diff(knots)
    rises = np.diff(values, axis=1) / gaps
    between = 2.0 * np.diag(gaps[:-1] + gaps[1:]) + np.diag(gaps[1:-1], 1) + np.diag(gaps[1:-1], -1)
    second = np.zeros_like(values)
    second[:, 1:-1] = np.linalg.solve(between, 6.0 * np.diff(rises, axis=1).T).T
    coefficients = np.zeros((4, len(values), len(knots) + 1))
    level, slope, bend, twist = coefficients
    level[:, 0], level[:, 1:] = values[:, 0], values
    slope[:, 1:-1] = rises - gaps * (2.0 * second[:, :-1] + second[:, 1:]) / 6.0
    slope[:, 0] = slope[:, 1]
    slope[:, -1] = rises[:, -1] + gaps[-1] * second[:, -2] / 6.0
    bend[:, 1:-1] = second[:, :-1] / 2.0
    twist[:, 1:-1] = np.diff(second, axis=1) / (6.0 * gaps)
    return np.concatenate([knots[:1], knots]), coefficients


def columns_of(
    dataset: Dataset, name: str, rows: CompleteRows, evidence: float, *, straight: bool = False
) -> RegressionColumns:
    """Decide how a variable enters a regression; `evidence` is twice the rarest level's rows, or all rows."""
    values = dataset.column(name)[rows.places]
    if dataset.variable(name).kind is Kind.NOMINAL:
        return LevelColumns(np.unique(values))
    count = 5 if evidence >= _ROWS_FOR_FIVE else 4 if evidence >= _ROWS_FOR_FOUR else 3
    knots = np.unique(weighted_quantiles(values, rows.shares, _KNOTS[count]))
    if straight or len(knots) < 3:
        return LineColumn(float(rows.shares @ values), deviation(values, rows.shares) or 1.0)
    return CurveColumns(knots.tolist())


def reference_level(counts: np.ndarray, *, ordered: bool, fewest: int) -> int:
    """Choose the level that others are held against, from the rows of each level that occurs.

    Of two levels, and of levels in order, it is the first; the most frequent one where levels have no order,
    or the first is rare.

    >>> reference_level(np.array([50, 80, 30]), ordered=False, fewest=20)
    1
    >>> reference_level(np.array([50, 80, 30]), ordered=True, fewest=20)
    0
    """
    if len(counts) <= 2 or (ordered and counts[0] >= fewest):
        return 0
    return int(np.argmax(counts))
