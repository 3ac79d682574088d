"""Shuffling one variable within the strata of others, and the statistic of what comes out.

Rows of a stratum are dealt to the levels of x like cards: that is a shuffle of y within the stratum, without
moving more than has to be moved (Fisher and Yates; Durstenfeld 1964, Algorithm 235, CACM 7:420).

SplitMix64: Steele, Lea and Flood (2014), Fast splittable pseudorandom number generators, OOPSLA, 453-472.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from engine.compiled.decorators import inlined_part, kernel_part
from engine.independence.counting.contingency import DIRECT_STRATA, number_strata
from engine.independence.counting.table import PEARSON
from engine.table.code_blocks import BITS_PER_WORD


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


_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
_SECOND_FACTOR = np.uint64(0x94D049BB133111EB)
_SHIFTS = (np.uint64(30), np.uint64(27), np.uint64(31))
_HALF_WORD = np.uint64(32)


@kernel_part
def scramble(word: np.uint64) -> np.uint64:
    """Map a 64-bit word to another, one to one, so that alike words become unlike."""
    word = (word ^ (word >> _SHIFTS[0])) * _FIRST_FACTOR
    word = (word ^ (word >> _SHIFTS[1])) * _SECOND_FACTOR
    return word ^ (word >> _SHIFTS[2])


@inlined_part
def draw_below(state: np.ndarray, bound: int) -> int:
    """Draw a whole number from 0 to `bound` - 1, each next to equally likely.

    Parameters
    ----------
    state : ndarray of uint64, shape (1,)
        Where the sequence stands; moved on by one.
    bound : int
        From 1 to 2³²; the chances differ by less than bound / 2³² of themselves.
    """
    state[0] += _STEP
    upper_half = scramble(state[0]) >> _HALF_WORD
    return np.int64((upper_half * np.uint64(bound)) >> _HALF_WORD)  # type: ignore[return-value]


@kernel_part
def arrange(
    data: PermutationTable, workspace: PermutationWorkspace, x: int, y: int, size: int, statistic_kind: int
) -> Any:
    """Sort the complete rows into strata, and lay out those in which both variables vary.

    Parameters
    ----------
    data : PermutationTable
    workspace : PermutationWorkspace
        With the complete rows; the first `size` entries of ``given`` are the conditioning set.
    x, y : int
        Positions of the variables; the values of y are dealt to the levels of x.
    size : int
        Size of the conditioning set.
    statistic_kind : int
        ``G_SQUARED`` or ``PEARSON``.

    Returns
    -------
    strata : int
        Strata that are laid out.
    columns : ndarray of int64, shape (strata, levels of y)
        Rows of each level of y in each of them.
    statistic, dof, constant : float
        Observed statistic, adjusted degrees of freedom, and what the statistic is made of besides its cells.
    """
    strata = number_strata(data.codes, data.levels, workspace.stratum_of_row, workspace.given, size)
    _sort_rows(workspace, strata)
    columns = np.zeros((min(strata, data.codes.shape[1]) + 1, data.levels[y]), np.int64)
    rows_of_level = np.zeros(data.levels[x], np.int64)
    cells = np.zeros((data.levels[x], data.levels[y]), np.int64)
    strata_left, cards, hands = 0, 0, 0
    statistic, dof, constant = 0.0, 0.0, 0.0
    for stratum in range(strata):
        begin, end = workspace.starts[stratum], workspace.starts[stratum + 1]
        if end - begin < 2:
            continue
        rows_of_level[:] = 0
        columns[strata_left, :] = 0
        cells[:, :] = 0
        for position in range(begin, end):
            row = workspace.order[position]
            code_x, code_y = data.codes[x, row], data.codes[y, row]
            rows_of_level[code_x] += 1
            columns[strata_left, code_y] += 1
            cells[code_x, code_y] += 1
            workspace.cards[cards + position - begin] = code_y
        rows_seen, columns_seen = _occurring(rows_of_level), _occurring(columns[strata_left])
        if rows_seen < 2 or columns_seen < 2:
            continue
        hands = _lay_hands(workspace, rows_of_level, hands)
        cards += end - begin
        workspace.card_ends[strata_left], workspace.hand_ends[strata_left] = cards, hands
        dof += (rows_seen - 1.0) * (columns_seen - 1.0)
        constant += _besides_cells(data, rows_of_level, columns[strata_left], end - begin, statistic_kind)
        for level in range(rows_of_level.shape[0]):
            if rows_of_level[level] > 0:
                statistic += row_terms(
                    data,
                    cells[level],
                    rows_of_level[level],
                    columns[strata_left],
                    end - begin,
                    statistic_kind,
                )
        strata_left += 1
    return strata_left, columns, statistic + constant, dof, constant


@inlined_part
def _sort_rows(workspace: PermutationWorkspace, strata: int) -> None:
    """Sort the complete rows by stratum, those of a stratum in the order of the table."""
    starts = workspace.starts
    for stratum in range(strata + 2):
        starts[stratum] = 0
    for row in range(workspace.stratum_of_row.shape[0]):
        if _is_complete(workspace, row):
            starts[workspace.stratum_of_row[row] + 2] += 1
    for stratum in range(strata):
        starts[stratum + 2] += starts[stratum + 1]
    for row in range(workspace.stratum_of_row.shape[0]):
        if _is_complete(workspace, row):
            stratum = workspace.stratum_of_row[row]
            workspace.order[starts[stratum + 1]] = row
            starts[stratum + 1] += 1


@kernel_part
def rows_of_commonest_level(data: PermutationTable, workspace: PermutationWorkspace, variable: int) -> int:
    """Count the complete rows that have the commonest level of a variable."""
    counts = workspace.counts
    for level in range(counts.shape[0]):
        counts[level] = 0
    most = 0
    for row in range(data.codes.shape[1]):
        if _is_complete(workspace, row):
            code = data.codes[variable, row]
            counts[code] += 1
            if counts[code] > most:
                most = counts[code]
    return most


@kernel_part
def _is_complete(workspace: PermutationWorkspace, row: int) -> bool:
    word, bit = workspace.complete[row // BITS_PER_WORD], np.uint64(row % BITS_PER_WORD)
    return ((word >> bit) & np.uint64(1)) != 0  # type: ignore[no-any-return]


@kernel_part
def _occurring(counts: np.ndarray) -> int:
    seen = 0
    for level in range(counts.shape[0]):
        seen += counts[level] > 0
    return seen


@inlined_part
def _lay_hands(workspace: PermutationWorkspace, rows_of_level: np.ndarray, hands: int) -> int:
    """Note the rows of each level of x that occurs, the commonest last."""
    commonest = 0
    for level in range(rows_of_level.shape[0]):
        if rows_of_level[level] > rows_of_level[commonest]:
            commonest = level
    for level in range(rows_of_level.shape[0]):
        if level != commonest and rows_of_level[level] > 0:
            workspace.hands[hands] = rows_of_level[level]
            hands += 1
    workspace.hands[hands] = rows_of_level[commonest]
    return hands + 1


@kernel_part
def k_log_k(data: PermutationTable, count: int) -> float:
    """Compute k log k, which is 0 for 0."""
    if data.entropy_terms.shape[0] > 0:
        term: float = data.entropy_terms[count]
        return term
    return count * math.log(count) if count > 0 else 0.0


@inlined_part
def _besides_cells(
    data: PermutationTable, row_sums: np.ndarray, column_sums: np.ndarray, total: int, statistic_kind: int
) -> float:
    """Compute the part of a stratum's statistic that is the same for every permutation."""
    if statistic_kind == PEARSON:
        return -float(total)
    part = k_log_k(data, total)
    for row in range(row_sums.shape[0]):
        part -= k_log_k(data, row_sums[row])
    for column in range(column_sums.shape[0]):
        part -= k_log_k(data, column_sums[column])
    return 2.0 * part


@kernel_part
def row_terms(
    data: PermutationTable,
    counts: np.ndarray,
    row_sum: int,
    columns: np.ndarray,
    total: int,
    statistic_kind: int,
) -> float:
    """Add up what the cells of one row of a table contribute to its statistic."""
    terms = 0.0
    for column in range(columns.shape[0]):
        count = counts[column]
        if count > 0:
            if statistic_kind == PEARSON:
                terms += (count / row_sum) * (count / columns[column]) * total
            else:
                terms += 2.0 * k_log_k(data, count)
    return terms


@kernel_part
def shuffled_statistic(
    data: PermutationTable,
    workspace: PermutationWorkspace,
    strata: int,
    columns: np.ndarray,
    statistic_kind: int,
) -> float:
    """Deal all strata anew and compute the statistic, but for the constant part."""
    cards, counts, left = workspace.cards, workspace.counts, workspace.left
    level_count = columns.shape[1]
    statistic = 0.0
    card, hand = 0, 0
    for stratum in range(strata):
        last_card, last_hand = workspace.card_ends[stratum], workspace.hand_ends[stratum] - 1
        total = last_card - card
        for level in range(level_count):
            left[level] = columns[stratum, level]
        while hand < last_hand:
            for level in range(level_count):
                counts[level] = 0
            for _ in range(workspace.hands[hand]):
                drawn = card + draw_below(workspace.random, last_card - card)
                code = cards[drawn]
                cards[drawn] = cards[card]
                cards[card] = code
                counts[code] += 1
                left[code] -= 1
                card += 1
            statistic += row_terms(
                data, counts, workspace.hands[hand], columns[stratum], total, statistic_kind
            )
            hand += 1
        statistic += row_terms(data, left, workspace.hands[hand], columns[stratum], total, statistic_kind)
        hand += 1
        card = last_card
    return statistic
