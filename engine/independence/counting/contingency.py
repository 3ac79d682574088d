"""Contingency tables counted by sets of rows or by one pass over the rows; statistic and degrees of freedom.

The first serves tables with gaps, where no level is what the others leave of all rows; without gaps, sets
are counted as conjunctions. All give the same integers, and add up strata in the same order, so that the
choice never shows.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.compiled.decorators import counting_part, inlined_part, int64, kernel_part, merged_part
from engine.independence.counting.conditional_law import (
    g_squared_moments,
    has_exact_law,
    pearson_moments,
    two_by_two_log_p,
)
from engine.independence.counting.table import (
    EXACT,
    PEARSON,
    STRATA,
    DiscreteTable,
    DiscreteWorkspace,
    count_all_three,
    count_both,
    intersect,
)
from engine.independence.interface import Hypothesis

# Of numpy's type, so that the compiler makes one version of what is called and none for a literal.
_NOTHING = int64(0)
# Where in the workspace the moments of a statistic begin, and those of G² beside Pearson's.
_LAW = int64(0)
_LAW_OF_G_SQUARED = int64(3)


@counting_part
def add_strata(
    data: DiscreteTable,
    workspace: DiscreteWorkspace,
    cells: np.ndarray,
    strata: int,
    rows: int,
    columns: int,
    statistic: float,
    dof: float,
) -> Any:
    """Add to a statistic and its degrees of freedom those of strata whose counts follow each other.

    The shapes of three and four levels are named, so that the compiler unrolls the loops over their cells.
    """
    if rows == 3 and columns == 3:
        return _add_strata_of_shape(data, workspace, cells, strata, 3, 3, statistic, dof)
    if rows == 4 and columns == 4:
        return _add_strata_of_shape(data, workspace, cells, strata, 4, 4, statistic, dof)
    return _add_strata_of_shape(data, workspace, cells, strata, rows, columns, statistic, dof)


@merged_part
def _add_strata_of_shape(
    data: DiscreteTable,
    workspace: DiscreteWorkspace,
    cells: np.ndarray,
    strata: int,
    rows: int,
    columns: int,
    statistic: float,
    dof: float,
) -> Any:
    block = rows * columns
    for stratum in range(strata):
        counts = cells[stratum * block : (stratum + 1) * block]
        terms = stratum_terms(data, workspace, counts, rows, columns)
        statistic += terms[0]
        dof += terms[1]
    return statistic, dof


@merged_part
def stratum_terms(
    data: DiscreteTable, workspace: DiscreteWorkspace, counts: np.ndarray, rows: int, columns: int
) -> Any:
    """Statistic and adjusted degrees of freedom of a stratum that has these counts.

    Where degrees of freedom are effective, the moments of the statistic are added to ``workspace.law``; of X²
    those of G² too, and G² itself.
    """
    row_sums, column_sums = workspace.row_sums, workspace.column_sums
    total, rows_seen, columns_seen = _NOTHING, _NOTHING, _NOTHING
    for column in range(columns):
        column_sums[column] = 0
    for row in range(rows):
        row_sum = 0
        for column in range(columns):
            count = counts[row * columns + column]
            row_sum += count
            column_sums[column] += count
        row_sums[row] = row_sum
        total += row_sum
        rows_seen += row_sum > 0
    for column in range(columns):
        columns_seen += column_sums[column] > 0
    if rows_seen < 2 or columns_seen < 2:
        return 0.0, 0.0
    dof = (rows_seen - 1.0) * (columns_seen - 1.0)
    is_pearson = data.statistic == PEARSON
    statistic, g_squared, law_of_g_squared = 0.0, 0.0, _LAW
    if is_pearson:
        statistic = _pearson(workspace, counts, total, rows, columns)
    if not is_pearson or data.effective:
        g_squared = _g_squared(data, workspace, counts, total, rows, columns)
    if is_pearson and data.effective:
        law, law_of_g_squared = workspace.law, _LAW_OF_G_SQUARED
        mean, variance = pearson_moments(data, workspace, total, rows, columns, rows_seen, columns_seen)
        law[0] += mean
        law[1] += variance
        law[2] += g_squared
    if data.effective:
        _add_law(
            data,
            workspace,
            counts,
            total,
            rows,
            columns,
            rows_seen,
            columns_seen,
            g_squared,
            law_of_g_squared,
        )
    return (statistic if is_pearson else g_squared), dof


@merged_part
def _add_law(
    data: DiscreteTable,
    workspace: DiscreteWorkspace,
    counts: np.ndarray,
    total: int,
    rows: int,
    columns: int,
    rows_seen: int,
    columns_seen: int,
    g_squared: float,
    position: int,
) -> None:
    """Add the moments of a stratum's G² to the law, from `position` on."""
    law = workspace.law
    mean, variance = g_squared_moments(data, workspace, total, rows, columns, rows_seen, columns_seen)
    law[position] += mean
    law[position + 1] += variance
    # Of use only where no other stratum varies.
    if rows == 2 and columns == 2 and law[STRATA] == 0.0:
        in_x, in_y = workspace.row_sums[1], workspace.column_sums[1]
        fewest_x, fewest_y = min(in_x, total - in_x), min(in_y, total - in_y)
        if has_exact_law(g_squared, fewest_x * fewest_y / total):
            law[EXACT] = two_by_two_log_p(total, in_x, in_y, counts[3])
    law[STRATA] += 1.0


@merged_part
def _g_squared(
    data: DiscreteTable, workspace: DiscreteWorkspace, counts: np.ndarray, total: int, rows: int, columns: int
) -> float:
    if data.entropy_terms.shape[0] > 0:
        return _g_squared_from_terms(data, workspace, counts, total, rows, columns)
    return _g_squared_by_definition(workspace, counts, total, rows, columns)


@merged_part
def _g_squared_from_terms(
    data: DiscreteTable, workspace: DiscreteWorkspace, counts: np.ndarray, total: int, rows: int, columns: int
) -> float:
    """G² as a difference of sums of k log k, read from a table."""
    terms = data.entropy_terms
    sum_of_terms: float = terms[total]
    for row in range(rows):
        sum_of_terms -= terms[workspace.row_sums[row]]
        for column in range(columns):
            sum_of_terms += terms[counts[row * columns + column]]
    for column in range(columns):
        sum_of_terms -= terms[workspace.column_sums[column]]
    return 2.0 * sum_of_terms


@merged_part
def two_by_two_g_squared(terms: np.ndarray, total: int, in_x: int, in_y: int, in_both: int) -> float:
    """G² of two binary variables from how often level 1 occurs, added up in the general order."""
    sum_of_terms: float = terms[total]
    sum_of_terms -= terms[total - in_x]
    sum_of_terms += terms[total - in_x - in_y + in_both]
    sum_of_terms += terms[in_y - in_both]
    sum_of_terms -= terms[in_x]
    sum_of_terms += terms[in_x - in_both]
    sum_of_terms += terms[in_both]
    sum_of_terms -= terms[total - in_y]
    sum_of_terms -= terms[in_y]
    return 2.0 * sum_of_terms


@merged_part
def _g_squared_by_definition(
    workspace: DiscreteWorkspace, counts: np.ndarray, total: int, rows: int, columns: int
) -> float:
    """G² by its definition."""
    statistic = 0.0
    for row in range(rows):
        for column in range(columns):
            count = counts[row * columns + column]
            if count > 0:
                expected = workspace.row_sums[row] * (workspace.column_sums[column] / total)
                statistic += count * math.log(count / expected)
    return 2.0 * statistic


@merged_part
def _pearson(workspace: DiscreteWorkspace, counts: np.ndarray, total: int, rows: int, columns: int) -> float:
    """Pearson's X² by its definition."""
    statistic = 0.0
    for row in range(rows):
        for column in range(columns):
            expected = workspace.row_sums[row] * (workspace.column_sums[column] / total)
            if expected > 0.0:
                difference = counts[row * columns + column] - expected
                statistic += difference * difference / expected
    return statistic


# Above so many strata only those that occur are numbered.
DIRECT_STRATA = 1 << 10


@kernel_part
def from_bits(data: DiscreteTable, workspace: DiscreteWorkspace, hypothesis: Hypothesis) -> Any:
    """Walk through the strata depth first, narrowing a set of rows by one variable at each depth."""
    x, y, given, size = hypothesis
    statistic, dof = 0.0, 0.0
    position = workspace.position
    depth = 0
    position[0] = 0
    while depth >= 0:
        if size == 0:
            _count_without_stratum(data, workspace, x, y)
            depth -= 1
        else:
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
        terms = stratum_terms(data, workspace, workspace.counts, data.levels[x], data.levels[y])
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
def from_rows(data: DiscreteTable, workspace: DiscreteWorkspace, hypothesis: Hypothesis) -> Any:
    """Count all strata in one pass over the rows."""
    x, y, given, size = hypothesis
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
    strata = int64(1)
    for position in range(size):
        level_count = levels[given[position]]
        column = codes[given[position]]
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
