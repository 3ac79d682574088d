"""Two bins, at most the median and above it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.preparation.discretisation.method import DiscretisationMethod, SortedColumn
from engine.preparation.discretisation.quantile import quantile_cuts


def median_cut(column: SortedColumn) -> np.ndarray:
    """Cut at the median, or next to it when no value lies above it.

    A column whose larger half is all one value (mostly "100 %", say) has its median at its maximum; then
    the cut is the next smaller value, which parts that value from the rest.

    Parameters
    ----------
    column : SortedColumn

    Returns
    -------
    ndarray of float64, shape (1,)

    Examples
    --------
    >>> median_cut(SortedColumn(np.array([0.0, 0.0, 0.0, 7.0]), bins=2)).tolist()
    [0.0]
    >>> median_cut(SortedColumn(np.array([1.0, 5.0, 9.0, 9.0, 9.0]), bins=2)).tolist()
    [5.0]
    """
    values = column.values
    median = quantile_cuts(replace(column, bins=2))
    if median[0] < values[-1]:
        return median
    return values[np.searchsorted(values, values[-1]) - 1 :][:1]


METHOD = DiscretisationMethod(
    name="median",
    title="Median split",
    help="Two bins, up to the median and above it.",
    result="in two at the median",
    source="Dougherty, Kohavi and Sahami (1995), Supervised and unsupervised discretization of continuous "
    "features, ICML, 194-202",
    cut_points=median_cut,
)
