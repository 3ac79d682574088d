"""Shuffling one variable within the strata of others, and the statistic of what comes out.

Rows of a stratum are dealt to the levels of x like cards: that is a shuffle of y within the stratum, without
moving more than has to be moved (Fisher and Yates; Durstenfeld 1964, Algorithm 235, CACM 7:420).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.compiled.decorators import inlined_part, kernel_part
from engine.independence.counting import number_strata
from engine.independence.discrete_table import PEARSON
from engine.independence.permutation_table import PermutationTable, PermutationWorkspace
from engine.independence.random_numbers import draw_below
from engine.table.level_sets import BITS_PER_WORD


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
    kept : int
        Strata that are laid out.
    columns : ndarray of int64, shape (kept, levels of y)
        Rows of each level of y in each of them.
    statistic, dof, constant : float
        Observed statistic, adjusted degrees of freedom, and what the statistic is made of besides its cells.
    """
    strata = number_strata(data.codes, data.levels, workspace.stratum_of_row, workspace.given, size)
    _sort_rows(workspace, strata)
    columns = np.zeros((min(strata, data.codes.shape[1]) + 1, data.levels[y]), np.int64)
    rows_of_level = np.zeros(data.levels[x], np.int64)
    cells = np.zeros((data.levels[x], data.levels[y]), np.int64)
    kept, cards, hands = 0, 0, 0
    statistic, dof, constant = 0.0, 0.0, 0.0
    for stratum in range(strata):
        begin, end = workspace.starts[stratum], workspace.starts[stratum + 1]
        if end - begin < 2:
            continue
        rows_of_level[:] = 0
        columns[kept, :] = 0
        cells[:, :] = 0
        for place in range(begin, end):
            row = workspace.order[place]
            code_x, code_y = data.codes[x, row], data.codes[y, row]
            rows_of_level[code_x] += 1
            columns[kept, code_y] += 1
            cells[code_x, code_y] += 1
            workspace.cards[cards + place - begin] = code_y
        rows_seen, columns_seen = _occurring(rows_of_level), _occurring(columns[kept])
        if rows_seen < 2 or columns_seen < 2:
            continue
        hands = _lay_hands(workspace, rows_of_level, hands)
        cards += end - begin
        workspace.card_ends[kept], workspace.hand_ends[kept] = cards, hands
        dof += (rows_seen - 1.0) * (columns_seen - 1.0)
        constant += _besides_cells(data, rows_of_level, columns[kept], end - begin, statistic_kind)
        for level in range(rows_of_level.shape[0]):
            if rows_of_level[level] > 0:
                statistic += row_terms(
                    data, cells[level], rows_of_level[level], columns[kept], end - begin, statistic_kind
                )
        kept += 1
    return kept, columns, statistic + constant, dof, constant


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
    kept: int,
    columns: np.ndarray,
    statistic_kind: int,
) -> float:
    """Deal all strata anew and compute the statistic, but for the constant part."""
    cards, counts, left = workspace.cards, workspace.counts, workspace.left
    level_count = columns.shape[1]
    statistic = 0.0
    card, hand = 0, 0
    for stratum in range(kept):
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
