"""G² and Pearson's X² of two nominal variables given any set, or of many given one and the same set.

Counts come from sets of rows as bits or from one pass over the rows, whichever a cost model expects to be
faster.

The strata are numbered once, and those in which the variable has a single level are left out: they add
nothing to the statistic nor to the degrees of freedom, whatever the other variable is. Given a large set
most strata are of this kind.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.compiled.decorators import counting_part, inlined_part, kernel
from engine.independence.chi_squared import (
    CriticalValues,
    chi2_critical_value,
    critical_ratio,
    log_chi2_sf,
)
from engine.independence.counting.conjunctions import conjunction_cost, from_conjunctions
from engine.independence.counting.contingency import DIRECT_STRATA, add_strata, from_rows, number_strata
from engine.independence.counting.effective_dof import NOT_COMPUTED, effective_dof, is_chi_squared
from engine.independence.counting.table import (
    G_SQUARED,
    DiscreteTable,
    DiscreteWorkspace,
    has_rows_enough,
    new_discrete_workspace,
)
from engine.independence.data import Answers
from engine.independence.discrete.data import ContingencyData
from engine.independence.interface import dof_of_levels, register_test
from engine.table.code_blocks import CodedBlock, block_of, level_sets
from engine.table.variable import code_dtype

# Smaller sets have so few strata that counting sets of rows is quicker.
_LARGE_SET = 3

_ENTROPY_TERM_ROWS = 1 << 17

# Relative costs, in nanoseconds, of a row when rows are scanned, and of each variable held fixed.
_ROW_COST = 0.9
_ROW_VARIABLE_COST = 0.7
_JUST_ABOVE = 1.0 + 1e-12
_SAME_LOG = 1e-9
# Above so many degrees of freedom critical values lie on a line between whole numbers.
_MANY_DOF = 12.0


@dataclass(frozen=True, eq=False)
class CompleteContingencyData(ContingencyData):
    """Categories without gaps, all rows of equal weight."""

    @property
    def complete_codes(self) -> np.ndarray | None:
        """The codes of the table."""
        codes: np.ndarray = self.table.codes
        return codes

    @property
    def is_likelihood_ratio(self) -> bool:
        """G² is one, Pearson's X² is none."""
        return bool(self.table.statistic == G_SQUARED)

    @property
    def is_quick(self) -> bool:
        """A test takes a fraction of a microsecond."""
        return True

    def ask_given(
        self, x: int, others: np.ndarray, sets: Sequence[tuple[int, ...]], stop: np.ndarray
    ) -> Answers:
        """Test one variable against others given each of some sets, whose strata are numbered once."""
        if len(sets[0]) < _LARGE_SET:
            return super().ask_given(x, others, sets, stop)
        outcomes = [
            run_tests_given(self.table, self.critical, x, others, np.array(given, dtype=np.int64), stop)
            for given in sets
        ]
        return self.answers_of(tuple(map(np.concatenate, zip(*outcomes, strict=True))), stop)


def discrete_table(
    columns: Sequence[np.ndarray],
    levels: Sequence[int],
    *,
    statistic: int = G_SQUARED,
    adjusted: bool = True,
    effective: bool = False,
    min_rows_per_dof: float = 0.0,
    min_rows_per_cell: float = 0.0,
    coded: CodedBlock | None = None,
    observations: int | None = None,
) -> DiscreteTable:
    """Arrange coded columns for counting.

    Parameters
    ----------
    columns : sequence of ndarray of int, each of shape (rows,)
        Codes; a missing value is in no set of rows.
    effective : bool
        Then correct them where the table is sparse, by the law that its margins give the statistic.
    coded : CodedBlock, optional
        Block with sets of rows; they are used when the columns are rows of it.
    observations : int, optional
        How many rows are counted at most, where the rows stand for several each; the rows when left out.
    """
    level_counts = np.asarray(levels, dtype=np.int64)
    rows = columns[0].shape[0] if observations is None else observations
    codes = block_of(columns, code_dtype(int(level_counts.max())))
    offsets = np.concatenate(([0], np.cumsum(level_counts)[:-1]))
    known_sets = None if coded is None else coded.sets_of(codes)
    sets = level_sets(codes, level_counts, and_all_rows=True) if known_sets is None else known_sets
    return DiscreteTable(
        codes=codes,
        levels=level_counts,
        sets=sets,
        offsets=offsets.astype(np.int64),
        set_sizes=np.bitwise_count(sets).sum(axis=1, dtype=np.int64),
        entropy_terms=entropy_terms(rows),
        inverses=_inverses(rows),
        statistic=statistic,
        adjusted=adjusted,
        effective=effective,
        min_rows_per_dof=float(min_rows_per_dof),
        min_rows_per_cell=float(min_rows_per_cell),
        rounding=8.0 * np.finfo(np.float64).eps * rows * math.log(rows + 2.0),
        most_levels=int(level_counts.max()),
    )


def entropy_terms(rows: int) -> np.ndarray:
    """Tabulate k log k for every count k up to `rows`; empty where the table would be too long."""
    if rows > _ENTROPY_TERM_ROWS:
        return np.empty(0)
    counts = np.arange(rows + 1, dtype=np.float64)
    counts[1:] *= np.log(counts[1:])
    return counts


def _inverses(rows: int) -> np.ndarray:
    """Tabulate one over every count up to `rows`, 0 for 0; empty where :func:`entropy_terms` is."""
    if rows > _ENTROPY_TERM_ROWS:
        return np.empty(0)
    inverses = np.zeros(rows + 1)
    inverses[1:] = 1.0 / np.arange(1, rows + 1)
    return inverses


@counting_part
def test_discrete(
    data: DiscreteTable,
    workspace: DiscreteWorkspace,
    critical: CriticalValues,
    x: int,
    y: int,
    given: np.ndarray,
    size: int,
) -> Any:
    """Test two nominal variables given a set."""
    if data.levels[x] < 2 or data.levels[y] < 2:
        # What never varies depends on nothing.
        return 0.0, 0.0, 0.0, True
    strata = 1.0
    for position in range(size):
        strata *= data.levels[given[position]]
    cells = strata * data.levels[x] * data.levels[y]
    workspace.law[:] = 0.0
    row_cost = data.codes.shape[1] * (_ROW_COST + size * _ROW_VARIABLE_COST) + cells
    if conjunction_cost(data, x, y, given, size) <= row_cost:
        statistic, observed_dof = from_conjunctions(data, workspace, x, y, given, size)
    else:
        statistic, observed_dof = from_rows(data, workspace, x, y, given, size)
    return outcome_of(data, workspace, critical, x, y, strata, statistic, observed_dof)


test_discrete.__test__ = False  # type: ignore[attr-defined]


@inlined_part
def outcome_of(
    data: DiscreteTable,
    workspace: DiscreteWorkspace,
    critical: CriticalValues,
    x: int,
    y: int,
    strata: float,
    statistic: float,
    observed_dof: float,
) -> Any:
    """Judge a statistic: its degrees of freedom, its share of the critical value, and whether it counts.

    `strata` is the number of combinations of levels of the conditioning set, seen or not.
    """
    if statistic < data.rounding:
        statistic = 0.0
    rows = data.codes.shape[1]
    cells = strata * data.levels[x] * data.levels[y]
    nominal_dof = (data.levels[x] - 1.0) * (data.levels[y] - 1.0) * strata
    dof = observed_dof if data.adjusted else nominal_dof
    dof, ratio = dof_and_ratio(data, workspace, critical, statistic, dof)
    return statistic, dof, ratio, has_rows_enough(data, rows, nominal_dof, cells)


@inlined_part
def dof_and_ratio(
    data: DiscreteTable,
    workspace: DiscreteWorkspace,
    critical: CriticalValues,
    statistic: float,
    dof: float,
) -> Any:
    """Make degrees of freedom effective where they are to be; put the statistic over its critical value."""
    if data.effective and not is_chi_squared(workspace.law, data.statistic, statistic, dof):
        effective, log_p = effective_dof(workspace.law, data.statistic, statistic)
        if effective != dof:
            return effective, _effective_ratio(critical, statistic, effective, log_p)
    return dof, critical_ratio(critical, statistic, dof)


@counting_part
def _effective_ratio(critical: CriticalValues, statistic: float, dof: float, log_p: float) -> float:
    """Statistic over its critical value where degrees of freedom are no whole number.

    The critical value is interpolated; where this is too coarse, the side of 1 comes from the p-value.
    """
    values = critical.chi_squared
    if dof < 1.0:
        least = 0.0
    elif dof < values.shape[0] - 1:
        below = np.int64(dof)
        share = dof - below
        least = (1.0 - share) * values[below] + share * values[below + 1]
    else:
        least = chi2_critical_value(dof, critical.normal_quantile)
    if dof > _MANY_DOF:
        return statistic / least
    if log_p == NOT_COMPUTED:
        log_p = log_chi2_sf(statistic, dof)
    ratio: float = statistic / least if least > 0.0 else log_p / critical.log_alpha
    # A p-value that is the level but for rounding is not below it.
    return max(ratio, _JUST_ABOVE) if log_p < critical.log_alpha - _SAME_LOG else min(ratio, 1.0)


register_test(DiscreteTable, new_discrete_workspace, test_discrete, dof_of_levels)


def run_tests_given(
    data: DiscreteTable,
    critical: CriticalValues,
    x: int,
    others: np.ndarray,
    given: np.ndarray,
    stop: np.ndarray,
) -> Any:
    """Test a variable against others given a set.

    Parameters
    ----------
    data : DiscreteTable
    critical : CriticalValues
        What statistics are compared with.
    x : int
        Position of the variable.
    others : ndarray of int64, shape (tests,)
        Positions of the others.
    given : ndarray of int64, shape (size,)
        The set.
    stop : ndarray of uint8, shape (1,)
        Not 0 asks to stop; the arrays are then unfinished and must not be used.

    Returns
    -------
    statistic, dof, ratio : ndarray of float64, shape (tests,)
    reliable : ndarray of bool, shape (tests,)
        The same as of tests one by one.
    """
    rows = data.codes.shape[1]
    most_strata = max(DIRECT_STRATA, rows)
    return _run_tests_given(
        data,
        new_discrete_workspace(data, 0),
        critical,
        x,
        others,
        given,
        np.empty(most_strata, np.int64),
        np.empty(most_strata, np.int64),
        np.empty(rows, np.int64),
        np.empty(rows, np.int64),
        stop,
    )


@kernel
def _run_tests_given(
    data: DiscreteTable,
    workspace: DiscreteWorkspace,
    critical: CriticalValues,
    x: int,
    others: np.ndarray,
    given: np.ndarray,
    level_seen: np.ndarray,
    new_number: np.ndarray,
    kept_row: np.ndarray,
    kept_line: np.ndarray,
    stop: np.ndarray,
) -> Any:
    """Keep the rows of strata in which `x` varies, each with its line of the table, and count those alone."""
    strata = number_strata(data.codes, data.levels, workspace.stratum_of_row, given, given.shape[0])
    codes_x, levels_x = data.codes[x], data.levels[x]
    for stratum in range(strata):
        level_seen[stratum] = -1
        new_number[stratum] = -1
    for row in range(codes_x.shape[0]):
        stratum = workspace.stratum_of_row[row]
        if level_seen[stratum] == -1:
            level_seen[stratum] = codes_x[row]
        elif level_seen[stratum] != codes_x[row]:
            new_number[stratum] = 0
    kept_strata = 0
    for stratum in range(strata):
        if new_number[stratum] == 0:
            new_number[stratum] = kept_strata
            kept_strata += 1
    kept_rows = 0
    for row in range(codes_x.shape[0]):
        number = new_number[workspace.stratum_of_row[row]]
        if number >= 0:
            kept_row[kept_rows] = row
            kept_line[kept_rows] = number * levels_x + codes_x[row]
            kept_rows += 1
    all_strata = 1.0
    for position in range(given.shape[0]):
        all_strata *= data.levels[given[position]]
    count = others.shape[0]
    statistics, dofs, ratios = np.empty(count), np.empty(count), np.empty(count)
    reliable = np.empty(count, np.bool_)
    for position in range(count):
        if stop[0]:
            break
        y = others[position]
        codes_y, levels_y = data.codes[y], data.levels[y]
        block = levels_x * levels_y
        counts = np.zeros(kept_strata * block, np.int64)
        for index in range(kept_rows):
            counts[kept_line[index] * levels_y + codes_y[kept_row[index]]] += 1
        workspace.law[:] = 0.0
        statistic, observed_dof = add_strata(
            data, workspace, counts, kept_strata, levels_x, levels_y, 0.0, 0.0
        )
        outcome = outcome_of(data, workspace, critical, x, y, all_strata, statistic, observed_dof)
        statistics[position], dofs[position], ratios[position], reliable[position] = outcome
    return statistics, dofs, ratios, reliable
