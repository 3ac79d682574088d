"""The yardstick: G² as one would first write it, by one pass over the rows and a p-value for every test.

No bit sets, no table of k log k, no critical values, nothing kept between tests. It is registered as a kind
of test data, so that the searches of the engine run on it unchanged and make the same tests.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from engine.boundaries.discovery_settings import DiscoverySettings
from engine.compiled.decorators import kernel_part
from engine.independence.chi_squared import CriticalValues, log_chi2_sf
from engine.independence.data import TestData
from engine.independence.discrete.contingency import ContingencyData
from engine.independence.interface import Hypothesis, dof_of_levels, register_test
from engine.table.dataset import Dataset
from tests.benchmarks.label_boundaries import label_boundaries

_SIZES = 16


class RowScanningTable(NamedTuple):
    """Coded columns, each variable's rows side by side.

    Attributes
    ----------
    codes : ndarray of int8, shape (variables, rows)
        Codes ``0 … levels - 1``.
    levels : ndarray of int64, shape (variables,)
        Number of levels of each variable.
    tests_by_size : ndarray of int64, shape (sizes,)
        Tests made so far, by the size of the conditioning set; right with one worker only.
    cells_by_size : ndarray of int64, shape (sizes,)
        Cells of their tables that the margins leave open: one less than the levels of x, times one less than
        those of y, times the strata.
    """

    codes: np.ndarray
    levels: np.ndarray
    tests_by_size: np.ndarray
    cells_by_size: np.ndarray


class RowScanningWorkspace(NamedTuple):
    """Counts of all cells, and the margins of one stratum."""

    counts: np.ndarray
    row_sums: np.ndarray
    column_sums: np.ndarray


def row_scanning_data(dataset: Dataset, settings: DiscoverySettings) -> TestData:
    """Arrange a table of nominal variables without missing values for the yardstick.

    Only the level is taken from the settings; degrees of freedom are adjusted, no reliability rule applies.
    """
    names = tuple(variable.name for variable in dataset.variables if variable.role.takes_part)
    columns = np.array([dataset.column(name) for name in names], dtype=np.int8)
    levels = np.array([dataset.variables[dataset.index(name)].level_count for name in names], dtype=np.int64)
    # Compiled before anybody takes the time.
    label_boundaries(_arranged(names[:8], columns[:8, :200], levels[:8], settings), names[:1], 1, settings)
    return _arranged(names, columns, levels, settings)


def _arranged(
    names: tuple[str, ...], columns: np.ndarray, levels: np.ndarray, settings: DiscoverySettings
) -> TestData:
    table = RowScanningTable(
        codes=np.ascontiguousarray(columns),
        levels=levels,
        tests_by_size=np.zeros(_SIZES, dtype=np.int64),
        cells_by_size=np.zeros(_SIZES, dtype=np.int64),
    )
    return ContingencyData(table, names, columns.shape[1]).at_level(settings.alpha)


def _new_workspace(data: RowScanningTable, max_conditioning: int) -> RowScanningWorkspace:
    most = int(data.levels.max())
    return RowScanningWorkspace(
        np.empty(most ** (max_conditioning + 2), np.int64), np.empty(most, np.int64), np.empty(most, np.int64)
    )


@kernel_part
def _test_by_rows(
    data: RowScanningTable,
    workspace: RowScanningWorkspace,
    critical: CriticalValues,
    hypothesis: Hypothesis,
) -> Any:
    x, y, given, size = hypothesis
    data.tests_by_size[size] += 1
    codes, levels, counts = data.codes, data.levels, workspace.counts
    row_levels, column_levels = levels[x], levels[y]
    strata = 1
    for place in range(size):
        strata *= levels[given[place]]
    data.cells_by_size[size] += (row_levels - 1) * (column_levels - 1) * strata
    block = row_levels * column_levels
    counts[: strata * block] = 0
    for row in range(codes.shape[1]):
        stratum = 0
        for place in range(size):
            stratum = stratum * levels[given[place]] + codes[given[place], row]
        counts[stratum * block + codes[x, row] * column_levels + codes[y, row]] += 1
    statistic, dof = 0.0, 0.0
    for stratum in range(strata):
        terms = _stratum_by_logarithms(workspace, stratum * block, row_levels, column_levels)
        statistic += terms[0]
        dof += terms[1]
    statistic = max(statistic, 0.0)
    # Above 1 where the p-value is below the level, as the interface wants it.
    ratio = log_chi2_sf(statistic, dof) / critical.log_alpha
    return statistic, dof, ratio, True


@kernel_part
def _stratum_by_logarithms(workspace: RowScanningWorkspace, start: int, rows: int, columns: int) -> Any:
    counts, row_sums, column_sums = workspace.counts, workspace.row_sums, workspace.column_sums
    row_sums[:rows] = 0
    column_sums[:columns] = 0
    total = 0
    for row in range(rows):
        for column in range(columns):
            count = counts[start + row * columns + column]
            row_sums[row] += count
            column_sums[column] += count
            total += count
    rows_seen, columns_seen = (row_sums[:rows] > 0).sum(), (column_sums[:columns] > 0).sum()
    if rows_seen < 2 or columns_seen < 2:
        return 0.0, 0.0
    statistic = 0.0
    for row in range(rows):
        for column in range(columns):
            count = counts[start + row * columns + column]
            if count > 0:
                expected = row_sums[row] * column_sums[column] / total
                statistic += 2.0 * count * math.log(count / expected)
    return statistic, (rows_seen - 1.0) * (columns_seen - 1.0)


register_test(RowScanningTable, _new_workspace, _test_by_rows, dof_of_levels)
