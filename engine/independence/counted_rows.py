"""G² and Pearson's X² where each row stands for a whole number of equal rows that were joined into one.

All is as if each row stood there as often as it occurred, the law of the margins included.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from engine.compiled.decorators import inlined_part, kernel_part
from engine.independence.complete_rows import find_complete, present_sets
from engine.independence.contingency import add_strata
from engine.independence.contingency_data import IncompleteContingencyData
from engine.independence.counting import number_strata
from engine.independence.discrete_table import G_SQUARED, DiscreteTable
from engine.independence.distributions import log_chi2_sf
from engine.independence.incomplete_discrete import (
    IncompleteWorkspace,
    new_incomplete_workspace,
    outcome_on_rows,
)
from engine.independence.interface import dof_of_levels, register_test
from engine.table.level_sets import BITS_PER_WORD


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
class CountedContingencyData(IncompleteContingencyData):
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

    Returns
    -------
    CountedTable
    """
    present = present_sets(each < 0 for each in columns)
    known = counted._replace(codes=np.maximum(counted.codes, 0))
    return CountedTable(known, present, counted.levels, times.astype(np.int64))


@kernel_part
def test_counted(
    data: CountedTable, workspace: IncompleteWorkspace, x: int, y: int, given: np.ndarray, size: int
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
    return outcome_on_rows(data.counted, workspace.counting, x, y, given, size, statistic, dof, occurred)


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


@inlined_part
def log_p_counted(data: CountedTable, statistic: float, dof: float) -> float:
    """Logarithm of the p-value of a chi-squared statistic."""
    return log_chi2_sf(statistic, dof)


register_test(CountedTable, new_incomplete_workspace, test_counted, log_p_counted, dof_of_levels)
