"""Two ways to count contingency tables: by sets of rows as bits, and by one pass over the rows.

The first serves tables with gaps, where no level is what the others leave of all rows; without gaps, sets
are counted as conjunctions. All give the same integers, and add up strata in the same order, so that the
choice never shows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.compiled.decorators import inlined_part, kernel_part
from engine.independence.bits import count_all_three, count_both, intersect
from engine.independence.contingency import add_strata, stratum_terms
from engine.independence.discrete_table import DiscreteTable, DiscreteWorkspace

# Above so many strata only those that occur are numbered.
DIRECT_STRATA = 1 << 10


@kernel_part
def from_bits(
    data: DiscreteTable, workspace: DiscreteWorkspace, x: int, y: int, given: np.ndarray, size: int
) -> Any:
    """Walk through the strata depth first, narrowing a set of rows by one variable at each depth."""
    if size == 0:
        _count_without_stratum(data, workspace, x, y)
        return stratum_terms(data, workspace, data.levels[x], data.levels[y])
    statistic, dof = 0.0, 0.0
    position = workspace.position
    depth = 0
    position[0] = 0
    while depth >= 0:
        variable = given[depth]
        if position[depth] == data.levels[variable]:
            depth -= 1
            continue
        level_set = data.sets[data.offsets[variable] + position[depth]]
        position[depth] += 1
        if depth == 0:
            intersect(level_set, level_set, workspace.strata[0])
        else:
            intersect(workspace.strata[depth - 1], level_set, workspace.strata[depth])
        if depth + 1 < size:
            depth += 1
            position[depth] = 0
            continue
        _count_stratum(data, workspace, x, y, workspace.strata[depth])
        terms = stratum_terms(data, workspace, data.levels[x], data.levels[y])
        statistic += terms[0]
        dof += terms[1]
    return statistic, dof


@inlined_part
def _count_without_stratum(data: DiscreteTable, workspace: DiscreteWorkspace, x: int, y: int) -> None:
    columns = data.levels[y]
    for row in range(data.levels[x]):
        row_set = data.sets[data.offsets[x] + row]
        for column in range(columns):
            column_set = data.sets[data.offsets[y] + column]
            workspace.counts[row * columns + column] = count_both(row_set, column_set)


@inlined_part
def _count_stratum(
    data: DiscreteTable, workspace: DiscreteWorkspace, x: int, y: int, stratum: np.ndarray
) -> None:
    columns = data.levels[y]
    for row in range(data.levels[x]):
        row_set = data.sets[data.offsets[x] + row]
        for column in range(columns):
            column_set = data.sets[data.offsets[y] + column]
            workspace.counts[row * columns + column] = count_all_three(row_set, column_set, stratum)


@kernel_part
def from_rows(
    data: DiscreteTable, workspace: DiscreteWorkspace, x: int, y: int, given: np.ndarray, size: int
) -> Any:
    """Count all strata in one pass over the rows."""
    strata = number_strata(data.codes, data.levels, workspace.stratum_of_row, given, size)
    rows, columns = data.levels[x], data.levels[y]
    block = rows * columns
    counts = np.zeros(strata * block, np.int64)
    codes_x, codes_y = data.codes[x], data.codes[y]
    for row in range(codes_x.shape[0]):
        counts[workspace.stratum_of_row[row] * block + codes_x[row] * columns + codes_y[row]] += 1
    return add_strata(data, workspace, counts, strata, rows, columns, 0.0, 0.0)


@inlined_part
def number_strata(
    codes: np.ndarray, levels: np.ndarray, stratum_of_row: np.ndarray, given: np.ndarray, size: int
) -> int:
    """Give each row the number of its stratum; when the product of levels is large, only those that occur.

    Numbers keep the order of the mixed-radix code, so that both ways of counting add up in one order.
    """
    for row in range(stratum_of_row.shape[0]):
        stratum_of_row[row] = 0
    strata: int = np.int64(1)  # type: ignore[assignment]
    for place in range(size):
        level_count = levels[given[place]]
        column = codes[given[place]]
        for row in range(column.shape[0]):
            stratum_of_row[row] = stratum_of_row[row] * level_count + column[row]
        strata *= level_count
        if strata > DIRECT_STRATA:
            seen = np.zeros(strata, np.int32)
            for row in range(column.shape[0]):
                seen[stratum_of_row[row]] = 1
            strata = 0
            for stratum in range(seen.shape[0]):
                if seen[stratum]:
                    seen[stratum] = strata
                    strata += 1
            for row in range(column.shape[0]):
                stratum_of_row[row] = seen[stratum_of_row[row]]
    return strata
