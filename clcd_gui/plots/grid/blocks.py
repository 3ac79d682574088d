"""An order of rows and columns in which those that are alike stand side by side, so that blocks show."""

from __future__ import annotations

import numpy as np

_MOST_CLUSTERED = 600
# Cosine distance; between vectors that share half of what they hold it is about that.
_OF_ONE_GROUP = 0.5


def block_order(strengths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Order rows and columns by similarity.

    Columns, and rows where they are not too many, stand as the leaves of an average-linkage clustering in the
    order that keeps neighbours most alike (optimal leaf ordering: Bar-Joseph, Gifford and Jaakkola 2001); of
    the two such orders of the columns, which mirror one another, the one is taken that has more at its
    beginning, and groups of rows follow it. Of very many rows, each stands where its columns are, on average.

    Parameters
    ----------
    strengths : ndarray of float, shape (rows, columns)
        How strongly each row and column are linked; 0 where they are not.

    Returns
    -------
    rows, columns : ndarray of int
        Places in the new order.

    Examples
    --------
    >>> strengths = np.array([[1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1]])
    >>> rows, columns = block_order(strengths)
    >>> strengths[rows][:, columns]
    array([[1, 1, 0, 0],
           [1, 1, 0, 0],
           [0, 0, 1, 1],
           [0, 0, 1, 1]])
    """
    present = (strengths > 0).astype(np.float64)
    columns, _ = _clustered(present.T)
    half = len(columns) // 2
    if half and present[:, columns[:half]].sum() < present[:, columns[-half:]].sum():
        columns = columns[::-1]
    places = np.argsort(columns)
    middle = (present * places).sum(axis=1) / np.maximum(present.sum(axis=1), 1.0)
    if len(strengths) > _MOST_CLUSTERED:
        return np.argsort(middle, kind="stable"), columns
    rows, groups = _clustered(present)
    # Groups of rows stand in the order of their columns, so that blocks follow the diagonal.
    sizes = np.maximum(np.bincount(groups), 1)
    middle_of_group = np.bincount(groups, weights=middle[rows]) / sizes
    return rows[np.lexsort((groups, middle_of_group[groups]))], columns


def _clustered(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the order of the leaves, and for each of them its group; what holds nothing comes last."""
    filled = np.flatnonzero(vectors.any(axis=1))
    empty = np.flatnonzero(~vectors.any(axis=1))
    order, groups = filled, np.zeros(len(filled), dtype=np.intp)
    if len(filled) > 1:
        # It takes a third of a second to load, and is only needed here.
        from scipy.cluster.hierarchy import fcluster, leaves_list, linkage

        tree = linkage(vectors[filled], method="average", metric="cosine", optimal_ordering=True)
        leaves = leaves_list(tree)
        order, groups = filled[leaves], fcluster(tree, _OF_ONE_GROUP, criterion="distance")[leaves]
    last = np.full(len(empty), groups.max(initial=0) + 1)
    return np.concatenate([order, empty]), np.concatenate([groups, last]).astype(np.intp)
