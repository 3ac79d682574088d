"""What the permutation tests work on: coded columns, a random key for each, and working memory."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.independence.counting import DIRECT_STRATA


class PermutationTable(NamedTuple):
    """Coded columns, ready for shuffling.

    Attributes
    ----------
    codes : ndarray of int8, int16 or int32, shape (variables, rows)
        Codes ``0 … levels - 1``; 0 where missing.
    present : ndarray of uint64, shape (variables, words)
        Rows in which each variable has a value, as bits.
    levels : ndarray of int64, shape (variables,)
        Number of levels of each variable.
    keys : ndarray of uint64, shape (variables,)
        Made of the seed and the name of each variable: a test's random numbers come from the keys of
        its own variables, so that they are the same whenever, wherever and in whatever order it is made.
    entropy_terms : ndarray of float64, shape (rows + 1,) or (0,)
        k log k for every count k; empty for tables so long that it is computed instead.
    statistic : int
        ``G_SQUARED`` or ``PEARSON``.
    permutations : int
        Most permutations of a test.
    log_alpha : float
        Natural logarithm of the level.
    min_rows_per_dof, min_rows_per_cell : float
        Reliability rules; 0 switches one off.
    rounding : float
        Statistics that differ by less are equal.
    """

    codes: np.ndarray
    present: np.ndarray
    levels: np.ndarray
    keys: np.ndarray
    entropy_terms: np.ndarray
    statistic: int
    permutations: int
    log_alpha: float
    min_rows_per_dof: float
    min_rows_per_cell: float
    rounding: float


class PermutationWorkspace(NamedTuple):
    """Working memory of one thread.

    A stratum is kept only when x and y both vary in it: nothing else can change by shuffling. The values of
    y in it are a pile of cards, which is dealt to the levels of x; the commonest level of x, which comes
    last, gets what is left, without dealing.

    Attributes
    ----------
    given : ndarray of int64, shape (depth,)
        The conditioning set, in the order of the keys.
    complete : ndarray of uint64, shape (words,)
        Rows in which nothing is missing that a test needs, as bits.
    stratum_of_row : ndarray of int32, shape (rows,)
        Stratum of each row.
    starts : ndarray of int64
        Where the rows of each stratum start in `order`.
    order : ndarray of int32, shape (rows,)
        Complete rows by stratum.
    cards : ndarray of int32, shape (rows,)
        Codes of y, one stratum that is kept after the other.
    card_ends, hand_ends : ndarray of int64, shape (rows,)
        Where the cards and the hands of each kept stratum end.
    hands : ndarray of int64, shape (rows,)
        Rows of each level of x that occurs in a stratum, one kept stratum after the other.
    counts, left : ndarray of int64, shape (most levels,)
        Counts of a row of a table, and what is left of its columns.
    random : ndarray of uint64, shape (1,)
        State of the random numbers.
    """

    given: np.ndarray
    complete: np.ndarray
    stratum_of_row: np.ndarray
    starts: np.ndarray
    order: np.ndarray
    cards: np.ndarray
    card_ends: np.ndarray
    hand_ends: np.ndarray
    hands: np.ndarray
    counts: np.ndarray
    left: np.ndarray
    random: np.ndarray


def new_permutation_workspace(data: PermutationTable, max_conditioning: int) -> PermutationWorkspace:
    """Allocate working memory for conditioning sets of up to `max_conditioning` variables."""
    rows, most = data.codes.shape[1], int(data.levels.max())
    return PermutationWorkspace(
        given=np.empty(max_conditioning + 1, np.int64),
        complete=np.empty(data.present.shape[1], np.uint64),
        stratum_of_row=np.empty(rows, np.int32),
        starts=np.empty(max(DIRECT_STRATA, rows) + 2, np.int64),
        order=np.empty(rows, np.int32),
        cards=np.empty(rows, np.int32),
        card_ends=np.empty(rows + 1, np.int64),
        hand_ends=np.empty(rows + 1, np.int64),
        hands=np.empty(rows + 1, np.int64),
        counts=np.empty(most, np.int64),
        left=np.empty(most, np.int64),
        random=np.empty(1, np.uint64),
    )
