"""G² and Pearson's X² where each row stands for some number of observations, whole or not.

The degrees of freedom are those from observed levels: a law of the margins supposes rows to shuffle. With the
exact probabilities of every configuration as weights, the tests answer as they would with an endless sample:
searches run on them are proved against networks that are known.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from engine.compiled.decorators import inlined_part, kernel_part
from engine.independence.chi_squared import CriticalValues, critical_ratio
from engine.independence.discrete.counting import number_strata
from engine.independence.discrete.table import (
    FEWEST_ROWS,
    G_SQUARED,
    PEARSON,
    codes_and_presence,
    find_complete,
    has_rows_enough,
    is_complete,
)
from engine.independence.interface import Hypothesis, dof_of_levels, register_test

_EPSILON = 2.0**-52


class WeightedTable(NamedTuple):
    """Coded columns with a weight for each row."""

    codes: np.ndarray  # 0 … levels - 1; 0 where missing
    present: np.ndarray  # (variables, words): rows that have a value, as bits
    levels: np.ndarray
    weights: np.ndarray  # how many observations each row stands for; at least 0
    statistic: int  # ``G_SQUARED`` or ``PEARSON``
    adjusted: bool  # degrees of freedom from observed levels only
    min_rows_per_dof: float  # reliability rules; 0 switches one off
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
    """Arrange coded columns, negative where missing; a weight is how many observations a row stands for."""
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
    hypothesis: Hypothesis,
) -> Any:
    """Test two nominal variables given a set."""
    x, y, given, size = hypothesis
    find_complete(data.present, hypothesis, workspace.complete)
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


@inlined_part
def _add_weights(
    data: WeightedTable, workspace: WeightedWorkspace, x: int, y: int, counts: np.ndarray
) -> float:
    """Add up the weights of the complete rows in each cell, and over all cells."""
    total = 0.0
    for row in range(data.codes.shape[1]):
        weight = data.weights[row] * is_complete(workspace.complete, row)
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
