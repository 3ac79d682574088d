"""What the counting kernels work on: coded columns of nominal variables, and working memory."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

G_SQUARED = 0
PEARSON = 1


class DiscreteTable(NamedTuple):
    """Coded columns, ready for counting.

    Attributes
    ----------
    codes : ndarray of int8, int16 or int32, shape (variables, rows)
        Codes ``0 … levels - 1``; nothing missing.
    levels : ndarray of int64, shape (variables,)
        Number of levels of each variable.
    sets : ndarray of uint64, shape (all levels, words)
        Rows that have each level, as bits.
    offsets : ndarray of int64, shape (variables,)
        First row of `sets` of each variable.
    entropy_terms : ndarray of float64, shape (rows + 1,) or (0,)
        k log k for every count k; empty for tables so long that the differences would lose digits.
    critical : ndarray of float64
        Critical value for each number of degrees of freedom.
    normal_quantile : float
        Standard normal value that is exceeded with the probability of the level.
    statistic : int
        ``G_SQUARED`` or ``PEARSON``.
    adjusted : bool
        Degrees of freedom from observed levels only.
    min_rows_per_dof : float
        Reliability rule, rows per nominal degree of freedom; 0 switches it off.
    min_rows_per_cell : float
        Reliability rule, rows per cell of the table of x, y and the set; 0 switches it off.
    rounding : float
        A statistic below this is rounding error of the sums it is made of, and counts as 0.
    most_levels : int
        Largest number of levels of a variable.
    """

    codes: np.ndarray
    levels: np.ndarray
    sets: np.ndarray
    offsets: np.ndarray
    entropy_terms: np.ndarray
    critical: np.ndarray
    normal_quantile: float
    statistic: int
    adjusted: bool
    min_rows_per_dof: float
    min_rows_per_cell: float
    rounding: float
    most_levels: int


class DiscreteWorkspace(NamedTuple):
    """Working memory of one thread.

    Attributes
    ----------
    strata : ndarray of uint64, shape (depth, words)
        Rows of the stratum at each depth of the conditioning set.
    position : ndarray of int64, shape (depth,)
        Level that each conditioning variable is at.
    stratum_of_row : ndarray of int32, shape (rows,)
        Stratum of each row, when rows are scanned.
    counts : ndarray of int64, shape (levels²,)
        Counts of one stratum.
    row_sums, column_sums : ndarray of int64, shape (levels,)
        Margins of one stratum.
    """

    strata: np.ndarray
    position: np.ndarray
    stratum_of_row: np.ndarray
    counts: np.ndarray
    row_sums: np.ndarray
    column_sums: np.ndarray


def new_discrete_workspace(data: DiscreteTable, max_conditioning: int) -> DiscreteWorkspace:
    """Allocate working memory for conditioning sets of up to `max_conditioning` variables."""
    most = data.most_levels
    depth = max_conditioning + 1
    return DiscreteWorkspace(
        np.empty((depth, data.sets.shape[1]), np.uint64),
        np.empty(depth, np.int64),
        np.empty(data.codes.shape[1], np.int32),
        np.empty(most * most, np.int64),
        np.empty(most, np.int64),
        np.empty(most, np.int64),
    )
