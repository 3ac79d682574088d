"""G² where each row stands for any amount of observations.

With the exact probabilities of every configuration as weights, the tests answer as they would with an endless
sample: searches run on them are proved against networks that are known.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from engine.independence.compiled import inlined_part, kernel_part
from engine.independence.distributions import (
    chi2_critical_value,
    chi2_critical_values,
    log_chi2_sf,
    normal_quantile,
)
from engine.independence.interface import register_test

_CRITICAL_VALUES = 4096


class WeightedTable(NamedTuple):
    """Coded columns with a weight for each row.

    Attributes
    ----------
    codes : ndarray of int32, shape (variables, rows)
        Codes ``0 … levels - 1``.
    levels : ndarray of int64, shape (variables,)
        Number of levels of each variable.
    weights : ndarray of float64, shape (rows,)
        How many observations each row stands for; at least 0.
    critical : ndarray of float64
        Critical value for each number of degrees of freedom.
    normal_quantile : float
        Standard normal value that is exceeded with the probability of the level.
    """

    codes: np.ndarray
    levels: np.ndarray
    weights: np.ndarray
    critical: np.ndarray
    normal_quantile: float


class WeightedWorkspace(NamedTuple):
    """Working memory: the stratum of each row."""

    stratum_of_row: np.ndarray


def weighted_table(
    columns: Sequence[np.ndarray], levels: Sequence[int], weights: np.ndarray, *, alpha: float
) -> WeightedTable:
    """Arrange coded columns with weights.

    Parameters
    ----------
    columns : sequence of ndarray of int, each of shape (rows,)
        Codes without missing values.
    levels : sequence of int
        Number of levels of each column.
    weights : ndarray of float64, shape (rows,)
        Observations that each row stands for.
    alpha : float
        Level of the tests.

    Returns
    -------
    WeightedTable
    """
    return WeightedTable(
        np.array(columns, dtype=np.int32),
        np.asarray(levels, dtype=np.int64),
        np.ascontiguousarray(weights, dtype=np.float64),
        chi2_critical_values(alpha, _CRITICAL_VALUES),
        normal_quantile(alpha),
    )


def new_weighted_workspace(data: WeightedTable, max_conditioning: int) -> WeightedWorkspace:
    """Allocate working memory."""
    return WeightedWorkspace(np.empty(data.codes.shape[1], dtype=np.int64))


@kernel_part
def test_weighted(
    data: WeightedTable, workspace: WeightedWorkspace, x: int, y: int, given: np.ndarray, size: int
) -> Any:
    """Test two nominal variables given a set, with adjusted degrees of freedom.

    Returns
    -------
    statistic, dof, ratio : float
        ``ratio`` is the statistic over its critical value.
    reliable : bool
        Always true.
    """
    strata = 1
    for row in range(data.codes.shape[1]):
        workspace.stratum_of_row[row] = 0
    for place in range(size):
        level_count = data.levels[given[place]]
        for row in range(data.codes.shape[1]):
            code = data.codes[given[place], row]
            workspace.stratum_of_row[row] = workspace.stratum_of_row[row] * level_count + code
        strata *= level_count
    rows, columns = data.levels[x], data.levels[y]
    counts = np.zeros((strata, rows, columns))
    for row in range(data.codes.shape[1]):
        stratum = workspace.stratum_of_row[row]
        counts[stratum, data.codes[x, row], data.codes[y, row]] += data.weights[row]
    statistic, dof = 0.0, 0.0
    for stratum in range(strata):
        terms = _stratum_terms(counts, stratum, rows, columns)
        statistic += terms[0]
        dof += terms[1]
    if statistic < 0.0:
        statistic = 0.0
    if dof < data.critical.shape[0]:
        ratio = statistic / data.critical[np.int64(dof)]
    else:
        ratio = statistic / chi2_critical_value(dof, data.normal_quantile)
    return statistic, dof, ratio, True


test_weighted.__test__ = False  # type: ignore[attr-defined]


@kernel_part
def _stratum_terms(counts: np.ndarray, stratum: int, rows: int, columns: int) -> Any:
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
            if count > 0.0:
                expected = row_sums[row] * (column_sums[column] / total)
                statistic += count * math.log(count / expected)
    return 2.0 * statistic, (rows_seen - 1.0) * (columns_seen - 1.0)


@inlined_part
def log_p_weighted(data: WeightedTable, statistic: float, dof: float) -> float:
    """Logarithm of the p-value of a chi-squared statistic."""
    return log_chi2_sf(statistic, dof)


register_test(WeightedTable, new_weighted_workspace, test_weighted, log_p_weighted)
