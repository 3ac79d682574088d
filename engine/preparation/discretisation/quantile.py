"""Bins that hold about as many rows each."""

from __future__ import annotations

import numpy as np

from engine.preparation.discretisation.method import DiscretisationMethod, SortedColumn


def quantile_cuts(column: SortedColumn) -> np.ndarray:
    """Cut at the quantiles 1/bins, 2/bins, ..., interpolated linearly between neighbouring values.

    A row of weight w counts as w rows; weights with fractions are scaled to a mean of 1 before.
    Equal values are never torn apart, so bins of a column with many ties hold unequal numbers of rows.

    Parameters
    ----------
    column : SortedColumn

    Returns
    -------
    ndarray of float64, shape (bins - 1,)

    Examples
    --------
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
    """Give the values at some positions, counted from 0, of the rows that the weights stand for."""
    if column.weights is None:
        places = positions.astype(np.intp)
    else:
        ends = np.cumsum(column.weights) * (_rows(column) / column.weights.sum())
        places = np.searchsorted(ends, positions, side="right")
    values: np.ndarray = column.values[np.minimum(places, len(column.values) - 1)]
    return values


METHOD = DiscretisationMethod(
    name="quantile",
    title="Equal counts",
    help="Each bin holds about as many rows; two bins split at the median.",
    result="into {bins} bins with about as many rows each",
    source="Dougherty, Kohavi and Sahami (1995), Supervised and unsupervised discretization of continuous "
    "features, ICML, 194-202",
    cut_points=quantile_cuts,
    uses_bins=True,
)
