"""Test of an association between categories in the direction that the steps from one to the other imply.

Where a feature is linked to a label by way of others, the tables of the single steps tell which levels of the
label should be the more frequent with which level of the feature. Looking for that pattern alone costs one
degree of freedom, and only its own sign counts: such a test has more power than one of any association.

The statistic is that of Cochran, Mantel and Haenszel, with what the steps imply as scores (Landis, Heyman and
Koch 1978, Average partial association in three-way contingency tables: a review and computational
demonstration of methods, International Statistical Review 46:237-254). Each row is scored by the steps of all
other rows, to first order: otherwise a chance association of the ends would be in the steps, too, where both
ends act on what lies between.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from scipy.special import log_ndtr

# Each row of a table of a step counts with so many rows more, spread as all rows are: no level has no row.
_ROWS_MORE = 0.5


def implied_log_p(codes: np.ndarray, times: np.ndarray, path_length: int) -> float:
    """Return the one-sided log p-value of the association of the two ends of a path.

    `codes` (variables, rows): one end, the `path_length` - 2 between, the other end, the conditioning set;
    `times` counts rows.
    """
    if not codes.shape[1]:
        return 0.0
    columns, given = list(codes[:path_length]), codes[path_length:]
    strata = np.zeros(codes.shape[1], dtype=np.int64)
    for column in given:
        _, strata = np.unique(strata * (int(column.max()) + 1) + column, return_inverse=True)
    counts = _counts(strata, columns[0], columns[-1], times)
    rows = counts.sum(axis=(1, 2), keepdims=True)
    first = counts.sum(axis=2, keepdims=True) / rows
    last = counts.sum(axis=1, keepdims=True) / rows
    tables = [_counts(strata, nearer, farther, times) for nearer, farther in pairwise(columns)]
    steps = [_shares(table) for table in tables]
    # What a row adds to its own score by each step: what leads from the first end to it, then to the last.
    before = np.broadcast_to(np.eye(counts.shape[1]), (len(rows), *(counts.shape[1],) * 2))
    added = np.zeros(codes.shape[1])
    for place, (table, step) in enumerate(zip(tables, steps, strict=True)):
        after = np.broadcast_to(np.eye(counts.shape[2]), (len(rows), *(counts.shape[2],) * 2))
        for later in reversed(steps[place + 1 :]):
            after = later @ after
        nearer, farther = columns[place], columns[place + 1]
        reached = (before - (before * first).sum(axis=1, keepdims=True))[strata, columns[0], nearer]
        change = after[strata, farther, columns[-1]] - (step @ after)[strata, nearer, columns[-1]]
        added += reached * change / (table.sum(axis=2)[strata, nearer] + _ROWS_MORE)
        before = before @ step
    scores = np.divide(before, last, out=np.zeros_like(before), where=last > 0)
    scores -= (scores * last).sum(axis=2, keepdims=True)
    scores -= (scores * first).sum(axis=1, keepdims=True)
    variance = (rows**2 / np.maximum(rows - 1, 1) * first * last * scores**2).sum()
    if not variance > 0:
        return 0.0
    total = (counts * scores).sum() - (times * added / last[strata, 0, columns[-1]]).sum()
    return float(log_ndtr(-total / math.sqrt(variance)))


def _counts(strata: np.ndarray, rows: np.ndarray, columns: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Count how often two levels meet in each stratum: float64 of shape (strata, levels, levels)."""
    shape = (int(strata.max()) + 1, int(rows.max()) + 1, int(columns.max()) + 1)
    cells = (strata * shape[1] + rows) * shape[2] + columns
    return np.bincount(cells, times, math.prod(shape)).reshape(shape)


def _shares(counts: np.ndarray) -> np.ndarray:
    """Return which shares of each row of tables are in which column."""
    rows = np.maximum(counts.sum(axis=(1, 2), keepdims=True), 1)
    more = _ROWS_MORE * counts.sum(axis=1, keepdims=True) / rows
    shares: np.ndarray = (counts + more) / (counts.sum(axis=2, keepdims=True) + _ROWS_MORE)
    return shares
