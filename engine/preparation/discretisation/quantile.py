"""Bins that hold about as many rows each."""

from __future__ import annotations

import numpy as np

from engine.preparation.discretisation.method import DiscretisationMethod, SortedColumn


def quantile_cuts(column: SortedColumn) -> np.ndarray:
    """Cut at the quantiles 1/bins, 2/bins, ..., interpolated linearly between neighbouring values.

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
    position = shares * (len(column.values) - 1)
    below = np.floor(position).astype(np.intp)
    above = np.minimum(below + 1, len(column.values) - 1)
    weight = position - below
    cuts = column.values[below] * (1 - weight) + column.values[above] * weight
    # Rounding must not carry a cut past the values between which it lies.
    within: np.ndarray = np.clip(cuts, column.values[below], column.values[above])
    return within


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
