"""G² and Pearson's X² where values are missing: each test counts the rows complete in its own variables.

This is available-case analysis (Little and Rubin 2019, Statistical Analysis with Missing Data, 3rd ed.,
section 3.4). A row with a missing value is in no level's set of rows, so counting by sets needs no change;
the pass over the rows counts such rows as nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from engine.compiled.decorators import inlined_part, kernel_part
from engine.independence.chi_squared import CriticalValues
from engine.independence.counting.contingency import add_strata, from_bits, number_strata
from engine.independence.counting.table import (
    FEWEST_ROWS,
    DiscreteTable,
    DiscreteWorkspace,
    find_complete,
    has_rows_enough,
    new_discrete_workspace,
    present_sets,
)
from engine.independence.discrete.complete import dof_and_ratio
from engine.independence.interface import dof_of_levels, register_test
from engine.table.code_blocks import BITS_PER_WORD

# Relative costs, in nanoseconds, of the elementary steps of the two ways to count.
_WORD_COST = 0.16
_CELL_COST = 6.0
_ROW_COST = 1.2
_ROW_VARIABLE_COST = 1.0


class IncompleteTable(NamedTuple):
    """Coded columns with missing values.

    Attributes
    ----------
    counted : DiscreteTable
        Levels as sets of rows without those that miss the value; the codes are 0 there.
    present : ndarray of uint64, shape (variables, words)
        Rows in which each variable has a value, as bits.
    levels : ndarray of int64, shape (variables,)
        Number of levels of each variable.
    """

    counted: DiscreteTable
    present: np.ndarray
    levels: np.ndarray


class TableWithGaps(Protocol):
    """Coded columns, and in which rows each has a value; rows may have weights beside."""

    @property
    def counted(self) -> DiscreteTable:
        """The columns."""
        ...

    @property
    def present(self) -> np.ndarray:
        """Rows in which each variable has a value, as bits."""
        ...


class IncompleteWorkspace(NamedTuple):
    """Working memory of one thread.

    Attributes
    ----------
    counting : DiscreteWorkspace
        As for a table without missing values.
    complete : ndarray of uint64, shape (words,)
        Rows that a test can use, as bits.
    """

    counting: DiscreteWorkspace
    complete: np.ndarray


def incomplete_table(columns: Sequence[np.ndarray], counted: DiscreteTable) -> IncompleteTable:
    """Add to a table of coded columns where their values are missing.

    Parameters
    ----------
    columns : sequence of ndarray of int, each of shape (rows,)
        Codes, negative where missing.
    counted : DiscreteTable
        Made of these columns.
    """
    present = present_sets(each < 0 for each in columns)
    # A code that points into a table wherever a row is looked at, so that the pass needs no question.
    return IncompleteTable(counted._replace(codes=np.maximum(counted.codes, 0)), present, counted.levels)


def new_incomplete_workspace(data: TableWithGaps, max_conditioning: int) -> IncompleteWorkspace:
    """Allocate working memory for conditioning sets of up to `max_conditioning` variables."""
    complete = np.empty(data.present.shape[1], np.uint64)
    return IncompleteWorkspace(new_discrete_workspace(data.counted, max_conditioning), complete)


@kernel_part
def test_incomplete(
    data: IncompleteTable,
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
    counted = data.counted
    cells = counted.levels[x] * counted.levels[y] * 1.0
    for position in range(size):
        cells *= counted.levels[given[position]]
    bit_cost = cells * (counted.sets.shape[1] * _WORD_COST + _CELL_COST)
    row_cost = counted.codes.shape[1] * (_ROW_COST + size * _ROW_VARIABLE_COST) + cells
    rows = find_complete(data.present, x, y, given, size, workspace.complete)
    workspace.counting.law[:] = 0.0
    if bit_cost <= row_cost:
        statistic, observed_dof = from_bits(counted, workspace.counting, x, y, given, size)
    else:
        statistic, observed_dof = from_complete_rows(counted, workspace, x, y, given, size)
    return outcome_on_rows(
        counted, workspace.counting, critical, x, y, given, size, statistic, observed_dof, rows
    )


test_incomplete.__test__ = False  # type: ignore[attr-defined]


@inlined_part
def outcome_on_rows(
    counted: DiscreteTable,
    workspace: DiscreteWorkspace,
    critical: CriticalValues,
    x: int,
    y: int,
    given: np.ndarray,
    size: int,
    statistic: float,
    observed_dof: float,
    rows: int,
) -> Any:
    """Judge a statistic that rests on some of the rows, and what it rests on."""
    strata = 1.0
    for position in range(size):
        strata *= counted.levels[given[position]]
    if statistic < counted.rounding:
        statistic = 0.0
    nominal_dof = (counted.levels[x] - 1.0) * (counted.levels[y] - 1.0) * strata
    dof = observed_dof if counted.adjusted else nominal_dof
    dof, ratio = dof_and_ratio(counted, workspace, critical, statistic, dof)
    cells = strata * counted.levels[x] * counted.levels[y]
    reliable = rows >= FEWEST_ROWS and has_rows_enough(counted, rows, nominal_dof, cells)
    return statistic, dof, ratio, reliable


@kernel_part
def from_complete_rows(
    data: DiscreteTable, workspace: IncompleteWorkspace, x: int, y: int, given: np.ndarray, size: int
) -> Any:
    """Count all strata in one pass over the rows, where those in ``workspace.complete`` count 1."""
    stratum_of_row = workspace.counting.stratum_of_row
    strata = number_strata(data.codes, data.levels, stratum_of_row, given, size)
    rows, columns = data.levels[x], data.levels[y]
    block = rows * columns
    counts = np.zeros(strata * block, np.int64)
    codes_x, codes_y = data.codes[x], data.codes[y]
    remaining = np.uint64(0)
    for row in range(codes_x.shape[0]):
        if row % BITS_PER_WORD == 0:
            remaining = workspace.complete[row // BITS_PER_WORD]
        cell = stratum_of_row[row] * block + codes_x[row] * columns + codes_y[row]
        counts[cell] += np.int64(remaining & np.uint64(1))
        remaining >>= np.uint64(1)
    return add_strata(data, workspace.counting, counts, strata, rows, columns, 0.0, 0.0)


register_test(IncompleteTable, new_incomplete_workspace, test_incomplete, dof_of_levels)
