"""Two bins, at most the mean and above it."""

from __future__ import annotations

import numpy as np

from engine.preparation.discretisation.method import DiscretisationMethod, SortedColumn


def mean_cut(column: SortedColumn) -> np.ndarray:
    """Cut at the arithmetic mean.

    Parameters
    ----------
    column : SortedColumn

    Returns
    -------
    ndarray of float64, shape (1,)

    Examples
    --------
    >>> mean_cut(SortedColumn(np.array([1.0, 2.0, 6.0]), bins=2)).tolist()
    [3.0]
    """
    return np.array([np.average(column.values, weights=column.weights)])


METHOD = DiscretisationMethod(
    name="mean",
    title="Mean split",
    help="Two bins, up to the mean and above it; a few very large values move the cut.",
    result="in two at the mean",
    source="Dougherty, Kohavi and Sahami (1995), Supervised and unsupervised discretization of continuous "
    "features, ICML, 194-202",
    cut_points=mean_cut,
)
