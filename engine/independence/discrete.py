"""Contingency tables of nominal variables: G² and Pearson's X² given any set.

Counts come from bit sets (one AND and one population count an cell) or from one pass over the rows,
whichever a cost model expects to be faster; both give the same integers and so the same statistic.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from engine.independence.bits import (
    count_all_three,
    count_both,
    fill_level_sets,
    intersect,
    words_needed,
)
from engine.independence.compiled import inlined_part, kernel_part
from engine.independence.distributions import chi2_critical_values, log_chi2_sf
from engine.independence.interface import register_test

G_SQUARED = 0
PEARSON = 1

_CRITICAL_VALUES = 4096
_ENTROPY_TERM_ROWS = 1 << 17
_DIRECT_STRATA = 1 << 14

# Relative costs, in nanoseconds, of the elementary steps of the two ways to count.
_WORD_COST = 0.16
_CELL_COST = 6.0
_ROW_COST = 0.9
_ROW_VARIABLE_COST = 0.7


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
    log_alpha : float
        Logarithm of the level.
    statistic : int
        ``G_SQUARED`` or ``PEARSON``.
    adjusted : bool
        Degrees of freedom from observed levels only.
    min_rows_per_dof : float
        Reliability rule, rows per nominal degree of freedom; 0 switches it off.
    rounding : float
        A statistic below this is rounding error of the sums it is made of, and counts as 0.
    variable_count, most_levels : int
        Number of variables, and the largest number of levels among them.
    """

    codes: np.ndarray
    levels: np.ndarray
    sets: np.ndarray
    offsets: np.ndarray
    entropy_terms: np.ndarray
    critical: np.ndarray
    log_alpha: float
    statistic: int
    adjusted: bool
    min_rows_per_dof: float
    rounding: float
    variable_count: int
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


def discrete_table(
    columns: Sequence[np.ndarray],
    levels: Sequence[int],
    *,
    alpha: float,
    statistic: int = G_SQUARED,
    adjusted: bool = True,
    min_rows_per_dof: float = 0.0,
) -> DiscreteTable:
    """Arrange coded columns for counting.

    Parameters
    ----------
    columns : sequence of ndarray of int, each of shape (rows,)
        Codes without missing values.
    levels : sequence of int
        Number of levels of each column.
    alpha : float
        Level of the tests.
    statistic : int
        ``G_SQUARED`` or ``PEARSON``.
    adjusted : bool
        Count degrees of freedom from observed levels only.
    min_rows_per_dof : float
        Reliability rule; 0 switches it off.

    Returns
    -------
    DiscreteTable
    """
    level_counts = np.asarray(levels, dtype=np.int64)
    rows = columns[0].shape[0]
    narrow = int(level_counts.max()) - 1 <= np.iinfo(np.int8).max
    codes = np.empty((len(columns), rows), dtype=np.int8 if narrow else np.int32)
    offsets = np.concatenate(([0], np.cumsum(level_counts)[:-1]))
    sets = np.zeros((int(level_counts.sum()), words_needed(rows)), dtype=np.uint64)
    for place, column in enumerate(columns):
        codes[place] = column
        first = int(offsets[place])
        fill_level_sets(codes[place], int(level_counts[place]), sets[first : first + levels[place]])
    return DiscreteTable(
        codes=codes,
        levels=level_counts,
        sets=sets,
        offsets=offsets.astype(np.int64),
        entropy_terms=_entropy_terms(rows),
        critical=chi2_critical_values(alpha, _CRITICAL_VALUES),
        log_alpha=math.log(alpha),
        statistic=statistic,
        adjusted=adjusted,
        min_rows_per_dof=float(min_rows_per_dof),
        rounding=8.0 * np.finfo(np.float64).eps * rows * math.log(rows + 2.0),
        variable_count=len(columns),
        most_levels=int(level_counts.max()),
    )


def _entropy_terms(rows: int) -> np.ndarray:
    if rows > _ENTROPY_TERM_ROWS:
        return np.empty(0)
    counts = np.arange(rows + 1, dtype=np.float64)
    counts[1:] *= np.log(counts[1:])
    return counts


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


@kernel_part
def test_discrete(
    data: DiscreteTable, workspace: DiscreteWorkspace, x: int, y: int, given: np.ndarray, size: int
) -> Any:
    """Test two nominal variables given a set.

    Returns
    -------
    statistic, dof, ratio : float
        ``ratio`` is the statistic over its critical value.
    reliable : bool
        Whether the reliability rule lets the test count.
    """
    strata = 1.0
    for place in range(size):
        strata *= data.levels[given[place]]
    cells = strata * data.levels[x] * data.levels[y]
    words, rows = data.sets.shape[1], data.codes.shape[1]
    bit_cost = cells * (words * _WORD_COST + _CELL_COST)
    row_cost = rows * (_ROW_COST + size * _ROW_VARIABLE_COST) + cells
    if bit_cost <= row_cost:
        statistic, observed_dof = _from_bits(data, workspace, x, y, given, size)
    else:
        statistic, observed_dof = _from_rows(data, workspace, x, y, given, size)
    if statistic < data.rounding:
        statistic = 0.0
    nominal_dof = (data.levels[x] - 1.0) * (data.levels[y] - 1.0) * strata
    dof = observed_dof if data.adjusted else nominal_dof
    reliable = rows >= data.min_rows_per_dof * nominal_dof
    return statistic, dof, _ratio(data, statistic, dof), reliable


test_discrete.__test__ = False  # type: ignore[attr-defined]


@inlined_part
def _ratio(data: DiscreteTable, statistic: float, dof: float) -> float:
    if dof < data.critical.shape[0]:
        ratio: float = statistic / data.critical[np.int64(dof)]
        return ratio
    return log_chi2_sf(statistic, dof) / data.log_alpha


@inlined_part
def log_p_discrete(data: DiscreteTable, statistic: float, dof: float) -> float:
    """Logarithm of the p-value of a chi-squared statistic."""
    return log_chi2_sf(statistic, dof)


@kernel_part
def _from_bits(
    data: DiscreteTable, workspace: DiscreteWorkspace, x: int, y: int, given: np.ndarray, size: int
) -> Any:
    """Walk through the strata depth first, narrowing a set of rows by one variable at each depth."""
    if size == 0:
        _count_without_stratum(data, workspace, x, y)
        return _stratum_terms(data, workspace, data.levels[x], data.levels[y])
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
        terms = _stratum_terms(data, workspace, data.levels[x], data.levels[y])
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
def _from_rows(
    data: DiscreteTable, workspace: DiscreteWorkspace, x: int, y: int, given: np.ndarray, size: int
) -> Any:
    """Count all strata in one pass over the rows."""
    strata = _number_strata(data, workspace.stratum_of_row, given, size)
    rows, columns = data.levels[x], data.levels[y]
    block = rows * columns
    counts = np.zeros(strata * block, np.int64)
    codes_x, codes_y = data.codes[x], data.codes[y]
    for row in range(codes_x.shape[0]):
        counts[workspace.stratum_of_row[row] * block + codes_x[row] * columns + codes_y[row]] += 1
    statistic, dof = 0.0, 0.0
    for stratum in range(strata):
        for cell in range(block):
            workspace.counts[cell] = counts[stratum * block + cell]
        terms = _stratum_terms(data, workspace, rows, columns)
        statistic += terms[0]
        dof += terms[1]
    return statistic, dof


@inlined_part
def _number_strata(data: DiscreteTable, stratum_of_row: np.ndarray, given: np.ndarray, size: int) -> int:
    """Give each row the number of its stratum; when the product of levels is large, only those that occur.

    Numbers keep the order of the mixed-radix code, so that both ways of counting add up in one order.
    """
    for row in range(stratum_of_row.shape[0]):
        stratum_of_row[row] = 0
    strata = 1
    for place in range(size):
        level_count = data.levels[given[place]]
        codes = data.codes[given[place]]
        for row in range(codes.shape[0]):
            stratum_of_row[row] = stratum_of_row[row] * level_count + codes[row]
        strata *= level_count
        if strata > _DIRECT_STRATA:
            seen = np.zeros(strata, np.int32)
            for row in range(codes.shape[0]):
                seen[stratum_of_row[row]] = 1
            strata = 0
            for stratum in range(seen.shape[0]):
                if seen[stratum]:
                    seen[stratum] = strata
                    strata += 1
            for row in range(codes.shape[0]):
                stratum_of_row[row] = seen[stratum_of_row[row]]
    return strata


@kernel_part
def _stratum_terms(data: DiscreteTable, workspace: DiscreteWorkspace, rows: int, columns: int) -> Any:
    """Statistic and adjusted degrees of freedom of the stratum whose counts are in the workspace."""
    counts, row_sums, column_sums = workspace.counts, workspace.row_sums, workspace.column_sums
    total, rows_seen, columns_seen = 0, 0, 0
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
    if data.statistic == PEARSON:
        return _pearson(workspace, total, rows, columns), dof
    if data.entropy_terms.shape[0] > 0:
        return _g_squared_from_terms(data, workspace, total, rows, columns), dof
    return _g_squared(workspace, total, rows, columns), dof


@inlined_part
def _g_squared_from_terms(
    data: DiscreteTable, workspace: DiscreteWorkspace, total: int, rows: int, columns: int
) -> float:
    """G² as a difference of sums of k log k, read from a table."""
    terms = data.entropy_terms
    sum_of_terms: float = terms[total]
    for row in range(rows):
        sum_of_terms -= terms[workspace.row_sums[row]]
        for column in range(columns):
            sum_of_terms += terms[workspace.counts[row * columns + column]]
    for column in range(columns):
        sum_of_terms -= terms[workspace.column_sums[column]]
    return 2.0 * sum_of_terms


@inlined_part
def _g_squared(workspace: DiscreteWorkspace, total: int, rows: int, columns: int) -> float:
    """G² by its definition."""
    statistic = 0.0
    for row in range(rows):
        for column in range(columns):
            count = workspace.counts[row * columns + column]
            if count > 0:
                expected = workspace.row_sums[row] * (workspace.column_sums[column] / total)
                statistic += count * math.log(count / expected)
    return 2.0 * statistic


@inlined_part
def _pearson(workspace: DiscreteWorkspace, total: int, rows: int, columns: int) -> float:
    """Pearson's X² by its definition."""
    statistic = 0.0
    for row in range(rows):
        for column in range(columns):
            expected = workspace.row_sums[row] * (workspace.column_sums[column] / total)
            if expected > 0.0:
                difference = workspace.counts[row * columns + column] - expected
                statistic += difference * difference / expected
    return statistic


register_test(DiscreteTable, new_discrete_workspace, test_discrete, log_p_discrete)
