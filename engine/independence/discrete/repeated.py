"""G² and Pearson's X² where each row stands for some number of observations, whole or not.

All is as if each row stood there as often as it occurred, the law of the margins included.

The degrees of freedom are those from observed levels: a law of the margins supposes rows to shuffle. With the
exact probabilities of every configuration as weights, the tests answer as they would with an endless sample:
searches run on them are proved against networks that are known.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from engine.compiled.decorators import inlined_part, kernel_part
from engine.independence.chi_squared import CriticalValues, critical_ratio
from engine.independence.counting.contingency import add_strata, number_strata
from engine.independence.counting.table import (
    FEWEST_ROWS,
    G_SQUARED,
    PEARSON,
    DiscreteTable,
    codes_and_presence,
    find_complete,
    has_rows_enough,
    present_sets,
)
from engine.independence.discrete.data import ContingencyData
from engine.independence.discrete.incomplete import (
    IncompleteWorkspace,
    new_incomplete_workspace,
    outcome_on_rows,
)
from engine.independence.interface import dof_of_levels, register_test
from engine.table.code_blocks import BITS_PER_WORD


class CountedTable(NamedTuple):
    """Coded columns whose rows stand for several each.

    Attributes
    ----------
    counted : DiscreteTable
        Made for as many rows as the rows stand for; the codes are 0 where a value is missing.
    present : ndarray of uint64, shape (variables, words)
        Rows in which each variable has a value, as bits.
    levels : ndarray of int64, shape (variables,)
        Number of levels of each variable.
    times : ndarray of int64, shape (rows,)
        How often each row occurred.
    """

    counted: DiscreteTable
    present: np.ndarray
    levels: np.ndarray
    times: np.ndarray


@dataclass(frozen=True, eq=False)
class CountedContingencyData(ContingencyData):
    """Categories, with gaps or without, whose rows stand for several each."""

    @property
    def is_likelihood_ratio(self) -> bool:
        """G² is one where all tests rest on the same rows."""
        return bool(self.table.counted.statistic == G_SQUARED) and self.present is None


def counted_table(columns: Sequence[np.ndarray], counted: DiscreteTable, times: np.ndarray) -> CountedTable:
    """Add to a table of coded columns how often each row occurred.

    Parameters
    ----------
    columns : sequence of ndarray of int, each of shape (rows,)
        Codes, negative where missing.
    counted : DiscreteTable
        Made of these columns, for as many rows as they stand for.
    times : ndarray of float64, shape (rows,)
        Whole numbers.
    """
    present = present_sets(each < 0 for each in columns)
    known = counted._replace(codes=np.maximum(counted.codes, 0))
    return CountedTable(known, present, counted.levels, times.astype(np.int64))


@kernel_part
def test_counted(
    data: CountedTable,
    workspace: IncompleteWorkspace,
    critical: CriticalValues,
    x: int,
    y: int,
    given: np.ndarray,
    size: int,
) -> Any:
    """Test two nominal variables given a set, on the rows that are complete in all of them.

    Returns
    -------
    statistic, dof, ratio : float
        ``ratio`` is the statistic over its critical value.
    reliable : bool
        Whether there are enough such rows, and the reliability rules let the test count.
    """
    find_complete(data.present, x, y, given, size, workspace.complete)
    workspace.counting.law[:] = 0.0
    strata = number_strata(data.counted.codes, data.levels, workspace.counting.stratum_of_row, given, size)
    rows, columns = data.levels[x], data.levels[y]
    counts = np.zeros(strata * rows * columns, np.int64)
    occurred = _count_times(data, workspace, x, y, counts)
    statistic, dof = add_strata(data.counted, workspace.counting, counts, strata, rows, columns, 0.0, 0.0)
    return outcome_on_rows(
        data.counted, workspace.counting, critical, x, y, given, size, statistic, dof, occurred
    )


test_counted.__test__ = False  # type: ignore[attr-defined]


@inlined_part
def _count_times(
    data: CountedTable, workspace: IncompleteWorkspace, x: int, y: int, counts: np.ndarray
) -> int:
    """Count the complete rows of each cell, and of all, as often as they occurred."""
    stratum_of_row = workspace.counting.stratum_of_row
    rows, columns = data.levels[x], data.levels[y]
    codes_x, codes_y = data.counted.codes[x], data.counted.codes[y]
    total = np.int64(0)
    remaining = np.uint64(0)
    for row in range(codes_x.shape[0]):
        if row % BITS_PER_WORD == 0:
            remaining = workspace.complete[row // BITS_PER_WORD]
        times = data.times[row] * np.int64(remaining & np.uint64(1))
        remaining >>= np.uint64(1)
        counts[(stratum_of_row[row] * rows + codes_x[row]) * columns + codes_y[row]] += times
        total += times
    return total  # type: ignore[return-value]


register_test(CountedTable, new_incomplete_workspace, test_counted, dof_of_levels)


_EPSILON = 2.0**-52


class WeightedTable(NamedTuple):
    """Coded columns with a weight for each row.

    Attributes
    ----------
    codes : ndarray of int8, int16 or int32, shape (variables, rows)
        Codes ``0 … levels - 1``; 0 where missing.
    present : ndarray of uint64, shape (variables, words)
        Rows in which each variable has a value, as bits.
    levels : ndarray of int64, shape (variables,)
        Number of levels of each variable.
    weights : ndarray of float64, shape (rows,)
        How many observations each row stands for; at least 0.
    statistic : int
        ``G_SQUARED`` or ``PEARSON``.
    adjusted : bool
        Degrees of freedom from observed levels only.
    min_rows_per_dof, min_rows_per_cell : float
        Reliability rules; 0 switches one off.
    """

    codes: np.ndarray
    present: np.ndarray
    levels: np.ndarray
    weights: np.ndarray
    statistic: int
    adjusted: bool
    min_rows_per_dof: float
    min_rows_per_cell: float


class WeightedWorkspace(NamedTuple):
    """Working memory: the rows that a test can use, as bits, and the stratum of each row."""

    complete: np.ndarray
    stratum_of_row: np.ndarray


def weighted_table(
    columns: Sequence[np.ndarray],
    levels: Sequence[int],
    weights: np.ndarray,
    *,
    statistic: int = G_SQUARED,
    adjusted: bool = True,
    min_rows_per_dof: float = 0.0,
    min_rows_per_cell: float = 0.0,
) -> WeightedTable:
    """Arrange coded columns with weights.

    Parameters
    ----------
    columns : sequence of ndarray of int, each of shape (rows,)
        Codes, negative where missing.
    weights : ndarray of float64, shape (rows,)
        Observations that each row stands for.
    """
    level_counts = np.asarray(levels, dtype=np.int64)
    codes, present = codes_and_presence(columns, level_counts)
    return WeightedTable(
        codes=codes,
        present=present,
        levels=level_counts,
        weights=np.array(weights, dtype=np.float64),
        statistic=statistic,
        adjusted=adjusted,
        min_rows_per_dof=float(min_rows_per_dof),
        min_rows_per_cell=float(min_rows_per_cell),
    )


def new_weighted_workspace(data: WeightedTable, max_conditioning: int) -> WeightedWorkspace:
    """Allocate working memory."""
    words, rows = data.present.shape[1], data.codes.shape[1]
    return WeightedWorkspace(np.empty(words, np.uint64), np.empty(rows, np.int32))


@kernel_part
def test_weighted(
    data: WeightedTable,
    workspace: WeightedWorkspace,
    critical: CriticalValues,
    x: int,
    y: int,
    given: np.ndarray,
    size: int,
) -> Any:
    """Test two nominal variables given a set.

    Returns
    -------
    statistic, dof, ratio : float
        ``ratio`` is the statistic over its critical value.
    reliable : bool
        Whether enough observations are complete, and the reliability rules let the test count.
    """
    find_complete(data.present, x, y, given, size, workspace.complete)
    strata = number_strata(data.codes, data.levels, workspace.stratum_of_row, given, size)
    rows, columns = data.levels[x], data.levels[y]
    counts = np.zeros((strata, rows, columns))
    observations = _add_weights(data, workspace, x, y, counts)
    statistic, observed_dof = 0.0, 0.0
    for stratum in range(strata):
        terms = _stratum_terms(data, counts, stratum, rows, columns)
        statistic += terms[0]
        observed_dof += terms[1]
    if statistic < 8.0 * _EPSILON * observations * math.log(observations + 2.0):
        statistic = 0.0
    combinations = 1.0
    for position in range(size):
        combinations *= data.levels[given[position]]
    nominal_dof = (rows - 1.0) * (columns - 1.0) * combinations
    dof = observed_dof if data.adjusted else nominal_dof
    cells = combinations * rows * columns
    reliable = observations >= FEWEST_ROWS and has_rows_enough(data, observations, nominal_dof, cells)
    return statistic, dof, critical_ratio(critical, statistic, dof), reliable


test_weighted.__test__ = False  # type: ignore[attr-defined]


@inlined_part
def _add_weights(
    data: WeightedTable, workspace: WeightedWorkspace, x: int, y: int, counts: np.ndarray
) -> float:
    """Add up the weights of the complete rows in each cell, and over all cells."""
    total = 0.0
    remaining = np.uint64(0)
    for row in range(data.codes.shape[1]):
        if row % BITS_PER_WORD == 0:
            remaining = workspace.complete[row // BITS_PER_WORD]
        weight = data.weights[row] * np.float64(remaining & np.uint64(1))
        remaining >>= np.uint64(1)
        counts[workspace.stratum_of_row[row], data.codes[x, row], data.codes[y, row]] += weight
        total += weight
    return total


@kernel_part
def _stratum_terms(data: WeightedTable, counts: np.ndarray, stratum: int, rows: int, columns: int) -> Any:
    """Statistic and adjusted degrees of freedom of one stratum."""
    row_sums, column_sums = np.zeros(rows), np.zeros(columns)
    total, rows_seen, columns_seen = 0.0, 0, 0
    for row in range(rows):
        for column in range(columns):
            row_sums[row] += counts[stratum, row, column]
            column_sums[column] += counts[stratum, row, column]
        total += row_sums[row]
        rows_seen += row_sums[row] > 0.0
    for column in range(columns):
        columns_seen += column_sums[column] > 0.0
    if rows_seen < 2 or columns_seen < 2:
        return 0.0, 0.0
    statistic = 0.0
    for row in range(rows):
        for column in range(columns):
            count = counts[stratum, row, column]
            expected = row_sums[row] * (column_sums[column] / total)
            if data.statistic == PEARSON:
                if expected > 0.0:
                    statistic += (count - expected) * (count - expected) / expected
            elif count > 0.0:
                statistic += 2.0 * count * math.log(count / expected)
    return statistic, (rows_seen - 1.0) * (columns_seen - 1.0)


register_test(WeightedTable, new_weighted_workspace, test_weighted, dof_of_levels)
