"""Bins of the same width between the smallest and the largest value."""

from __future__ import annotations

import numpy as np

from engine.preparation.discretisation.method import DiscretisationMethod, SortedColumn


def width_cuts(column: SortedColumn) -> np.ndarray:
    """Cut the range into equal parts.

    A part that holds no row is joined with the part below it.

    Parameters
    ----------
    column : SortedColumn

    Returns
    -------
    ndarray of float64, shape (bins - 1,)

    Examples
    --------
    >>> width_cuts(SortedColumn(np.array([0.0, 1.0, 10.0]), bins=4)).tolist()
    [2.5, 5.0, 7.5]
    """
    return np.linspace(column.values[0], column.values[-1], column.bins + 1)[1:-1]


METHOD = DiscretisationMethod(
    name="width",
    title="Equal width",
    help="Bins of the same width between smallest and largest value; outliers leave most rows in one bin.",
    result="into up to {bins} bins of equal width",
    source="Dougherty, Kohavi and Sahami (1995), Supervised and unsupervised discretization of continuous "
    "features, ICML, 194-202",
    cut_points=width_cuts,
    uses_bins=True,
)
