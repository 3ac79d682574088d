"""Cuts that look at no label: quantiles, median, mean, equal width."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.preparation.discretisation.method import DiscretisationMethod, SortedColumn

# Share of the rows by which sums of weights may be off.
_ROUNDING = 1e-9


def quantile_cuts(column: SortedColumn) -> np.ndarray:
    """Cut at the quantiles 1/bins, 2/bins, ..., interpolated linearly between neighbouring values.

    A row of weight w counts as w rows; weights with fractions are scaled to a mean of 1 before.
    Equal values are never torn apart, so bins of a column with many ties hold unequal numbers of rows.

    >>> quantile_cuts(SortedColumn(np.arange(1.0, 9.0), bins=4)).tolist()
    [2.75, 4.5, 6.25]
    """
    shares = np.arange(1, column.bins) / column.bins
    position = shares * (_rows(column) - 1)
    below, above = _values_at(column, np.floor(position)), _values_at(column, np.floor(position) + 1)
    part = position - np.floor(position)
    cuts = below * (1 - part) + above * part
    # Rounding must not carry a cut past the values between which it lies.
    within: np.ndarray = np.clip(cuts, below, above)
    return within


def _rows(column: SortedColumn) -> float:
    """Count the rows, a row of weight w as w rows."""
    if column.weights is None or (column.weights % 1 > 0).any():
        return len(column.values)
    return float(column.weights.sum())


def _values_at(column: SortedColumn, positions: np.ndarray) -> np.ndarray:
    """Return the values at some positions, counted from 0, of the rows that the weights stand for."""
    if column.weights is None:
        indices = positions.astype(np.intp)
    else:
        rows = _rows(column)
        ends = np.cumsum(column.weights) * (rows / column.weights.sum())
        # What rounding adds to a sum must not move a position to the value before.
        indices = np.searchsorted(ends, positions + _ROUNDING * rows, side="right")
    values: np.ndarray = column.values[np.minimum(indices, len(column.values) - 1)]
    return values


QUANTILE = DiscretisationMethod(
    name="quantile",
    title="Equal counts",
    help="Each bin holds about as many rows; two bins split at the median.",
    result="into {bins} bins with about as many rows each",
    source="Dougherty, Kohavi and Sahami (1995), Supervised and unsupervised discretization of continuous "
    "features, ICML, 194-202",
    cut_points=quantile_cuts,
    uses_bins=True,
)


def median_cut(column: SortedColumn) -> np.ndarray:
    """Cut at the median, or next to it when no value lies above it.

    A column whose larger half is all one value (mostly "100 %", say) has its median at its maximum; then
    the cut is the next smaller value, which parts that value from the rest.
    """
    values = column.values
    median = quantile_cuts(replace(column, bins=2))
    if median[0] < values[-1]:
        return median
    return values[np.searchsorted(values, values[-1]) - 1 :][:1]


MEDIAN = DiscretisationMethod(
    name="median",
    title="Median split",
    help="Two bins, up to the median and above it.",
    result="in two at the median",
    source="Dougherty, Kohavi and Sahami (1995), Supervised and unsupervised discretization of continuous "
    "features, ICML, 194-202",
    cut_points=median_cut,
)


def mean_cut(column: SortedColumn) -> np.ndarray:
    """Cut at the arithmetic mean."""
    return np.array([np.average(column.values, weights=column.weights)])


MEAN = DiscretisationMethod(
    name="mean",
    title="Mean split",
    help="Two bins, up to the mean and above it; a few very large values move the cut.",
    result="in two at the mean",
    source="Dougherty, Kohavi and Sahami (1995), Supervised and unsupervised discretization of continuous "
    "features, ICML, 194-202",
    cut_points=mean_cut,
)


def width_cuts(column: SortedColumn) -> np.ndarray:
    """Cut the range into equal parts; the caller joins a part that holds no row with the part below it."""
    return np.linspace(column.values[0], column.values[-1], column.bins + 1)[1:-1]


WIDTH = DiscretisationMethod(
    name="width",
    title="Equal width",
    help="Bins of the same width between smallest and largest value; outliers leave most rows in one bin.",
    result="into up to {bins} bins of equal width",
    source="Dougherty, Kohavi and Sahami (1995), Supervised and unsupervised discretization of continuous "
    "features, ICML, 194-202",
    cut_points=width_cuts,
    uses_bins=True,
)
