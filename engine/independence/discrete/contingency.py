"""G² and Pearson's X² of two nominal variables given any set, or of many given one and the same set.

Counts come from sets of rows as bits or from one pass over the rows, whichever a cost model expects to be
faster.

Where values are missing, each test counts the rows that are complete in its own variables: available-case
analysis (Little and Rubin 2019, Statistical Analysis with Missing Data, 3rd ed., section 3.4). A row with a
missing value is in no level's set of rows, so counting by sets needs no change; the pass over the rows counts
such rows as nothing. Where rows stand for several each, all is as if each row stood there as often as it
occurred, the law of the margins included.

The strata are numbered once, and those in which the variable has a single level are left out: they add
nothing to the statistic nor to the degrees of freedom, whatever the other variable is. Given a large set
most strata are of this kind.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from engine.compiled.decorators import counting_part, inlined_part, kernel, kernel_part
from engine.independence.chi_squared import (
    CriticalValues,
    chi2_critical_value,
    critical_ratio,
    log_chi2_sf,
)
from engine.independence.data import Answers, TestData
from engine.independence.discrete.conditional_law import NOT_COMPUTED, effective_dof, is_chi_squared
from engine.independence.discrete.counting import (
    DIRECT_STRATA,
    add_strata,
    conjunction_cost,
    from_bits,
    from_conjunctions,
    from_rows,
    number_strata,
)
from engine.independence.discrete.table import (
    FEWEST_ROWS,
    G_SQUARED,
    DiscreteTable,
    DiscreteWorkspace,
    find_complete,
    has_rows_enough,
    is_complete,
    new_discrete_workspace,
    present_sets,
)
from engine.independence.interface import Hypothesis, dof_of_levels, register_test
from engine.independence.set_fits import SetFits, category_fits
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
class ContingencyData(TestData):
    """Categories whose combinations are counted; the table has the field ``levels``."""

    @property
    def strata(self) -> np.ndarray:
        """Levels of each variable: so many times more degrees of freedom when it is held fixed."""
        levels: np.ndarray = self.table.levels
        return levels

    def counted_codes(self, variables: Sequence[int]) -> tuple[np.ndarray, np.ndarray] | None:
        """Give the codes of the table, and the weights; None for those of a sample, and for a population."""
        if self.is_sample or self.table.codes.shape[1] != self.rows:
            return None
        rows = self.complete_rows(variables)
        times = np.ones(self.rows) if self.weights is None else self.weights
        return self.table.codes[list(variables)][:, rows], times[rows].astype(np.float64)

    @property
    def fits_sets(self) -> bool:
        """Sets of variables have models where rows are independent and worth the same."""
        return self.groups is None and self.counted_codes(()) is not None

    def fits_of_sets(self, variables: np.ndarray) -> SetFits | None:
        """Return the fits of sets of variables over the rows that are complete in all of them."""
        counted = self.counted_codes(variables.tolist())
        return None if counted is None else category_fits(*counted)

    @property
    def fits_add_levels(self) -> bool:
        """Tests count combinations of levels, and models of sets do not."""
        return True


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
    """Arrange coded columns for counting; a missing value, of negative code, is in no set of rows.

    Columns may be rows of a `coded` block; `observations` is the most rows counted, of weighted ones.
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
    hypothesis: Hypothesis,
) -> Any:
    """Test two nominal variables given a set."""
    x, y, given, size = hypothesis
    if data.levels[x] < 2 or data.levels[y] < 2:
        # What never varies depends on nothing.
        return 0.0, 0.0, 0.0, True
    strata = 1.0
    for position in range(size):
        strata *= data.levels[given[position]]
    cells = strata * data.levels[x] * data.levels[y]
    workspace.law[:] = 0.0
    row_cost = data.codes.shape[1] * (_ROW_COST + size * _ROW_VARIABLE_COST) + cells
    if conjunction_cost(data, hypothesis) <= row_cost:
        statistic, observed_dof = from_conjunctions(data, workspace, hypothesis)
    else:
        statistic, observed_dof = from_rows(data, workspace, hypothesis)
    rows = data.codes.shape[1]
    return outcome_of(data, workspace, critical, hypothesis, statistic, observed_dof, rows, data.rounding)


@inlined_part
def outcome_of(
    data: DiscreteTable,
    workspace: DiscreteWorkspace,
    critical: CriticalValues,
    hypothesis: Hypothesis,
    statistic: float,
    observed_dof: float,
    rows: float,
    rounding: float,
) -> Any:
    """Judge a statistic on `rows` (or equivalents): dof, ratio, reliability; below `rounding` it is 0."""
    x, y, given, size = hypothesis
    strata = 1.0
    for position in range(size):
        strata *= data.levels[given[position]]
    cells = strata * data.levels[x] * data.levels[y]
    nominal_dof = (data.levels[x] - 1.0) * (data.levels[y] - 1.0) * strata
    if statistic < rounding:
        statistic = 0.0
    dof = observed_dof if data.adjusted else nominal_dof
    reliable = has_rows_enough(data, rows, nominal_dof, cells)
    if data.effective and not is_chi_squared(workspace.law, data.statistic, statistic, dof):
        effective, log_p = effective_dof(workspace.law, data.statistic, statistic)
        if effective != dof:
            return statistic, effective, _effective_ratio(critical, statistic, effective, log_p), reliable
    return statistic, dof, critical_ratio(critical, statistic, dof), reliable


@counting_part
def _effective_ratio(critical: CriticalValues, statistic: float, dof: float, log_p: float) -> float:
    """Statistic over an interpolated critical value; near 1 the p-value decides the side."""
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
    """Test a variable against others given a set, as `run_tests` does one by one; `stop` as there."""
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
    count, rows = others.shape[0], codes_x.shape[0]
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
        hypothesis = Hypothesis(x, y, given, given.shape[0])
        outcome = outcome_of(
            data, workspace, critical, hypothesis, statistic, observed_dof, rows, data.rounding
        )
        statistics[position], dofs[position], ratios[position], reliable[position] = outcome
    return statistics, dofs, ratios, reliable


# The same where values are missing: sets of rows are counted level by level.
_WORD_COST = 0.16
_CELL_COST = 6.0
_ROW_COST_WITH_GAPS = 1.2
_ROW_VARIABLE_COST_WITH_GAPS = 1.0


class IncompleteTable(NamedTuple):
    """Coded columns with missing values."""

    counted: DiscreteTable  # sets without rows that miss the value; the codes are 0 there
    present: np.ndarray  # (variables, words): rows that have a value, as bits
    levels: np.ndarray

    @property
    def codes(self) -> np.ndarray:
        """The codes."""
        return self.counted.codes


class IncompleteWorkspace(NamedTuple):
    """Working memory of one thread."""

    counting: DiscreteWorkspace
    complete: np.ndarray  # (words,): rows that a test can use, as bits


def incomplete_table(columns: Sequence[np.ndarray], counted: DiscreteTable) -> IncompleteTable:
    """Add to a table of coded columns where their values are missing (negative codes)."""
    present = present_sets(column < 0 for column in columns)
    # A code that points into a table wherever a row is looked at, so that the pass needs no question.
    return IncompleteTable(counted._replace(codes=np.maximum(counted.codes, 0)), present, counted.levels)


def new_incomplete_workspace(data: Any, max_conditioning: int) -> IncompleteWorkspace:
    """Allocate working memory for conditioning sets of up to `max_conditioning` variables."""
    complete = np.empty(data.present.shape[1], np.uint64)
    return IncompleteWorkspace(new_discrete_workspace(data.counted, max_conditioning), complete)


@kernel_part
def test_incomplete(
    data: IncompleteTable,
    workspace: IncompleteWorkspace,
    critical: CriticalValues,
    hypothesis: Hypothesis,
) -> Any:
    """Test two nominal variables given a set, on the rows that are complete in all of them."""
    x, y, given, size = hypothesis
    counted = data.counted
    cells = counted.levels[x] * counted.levels[y] * 1.0
    for position in range(size):
        cells *= counted.levels[given[position]]
    bit_cost = cells * (counted.sets.shape[1] * _WORD_COST + _CELL_COST)
    row_cost = counted.codes.shape[1] * (_ROW_COST_WITH_GAPS + size * _ROW_VARIABLE_COST_WITH_GAPS) + cells
    rows = find_complete(data.present, hypothesis, workspace.complete)
    workspace.counting.law[:] = 0.0
    if bit_cost <= row_cost:
        statistic, observed_dof = from_bits(counted, workspace.counting, hypothesis)
    else:
        statistic, observed_dof = _from_complete_rows(counted, workspace, hypothesis)
    return outcome_of_complete(data, workspace, critical, hypothesis, statistic, observed_dof, rows)


@inlined_part
def outcome_of_complete(
    data: Any,
    workspace: IncompleteWorkspace,
    critical: CriticalValues,
    hypothesis: Hypothesis,
    statistic: float,
    observed_dof: float,
    rows: float,
) -> Any:
    """Judge a statistic that rests on some of the rows; `data` has the counted columns in ``counted``."""
    counted, counting = data.counted, workspace.counting
    statistic, dof, ratio, reliable = outcome_of(
        counted, counting, critical, hypothesis, statistic, observed_dof, rows, counted.rounding
    )
    return statistic, dof, ratio, reliable and rows >= FEWEST_ROWS


@kernel_part
def _from_complete_rows(data: DiscreteTable, workspace: IncompleteWorkspace, hypothesis: Hypothesis) -> Any:
    """Count all strata in one pass over the rows, where those in ``workspace.complete`` count 1."""
    x, y, given, size = hypothesis
    stratum_of_row = workspace.counting.stratum_of_row
    strata = number_strata(data.codes, data.levels, stratum_of_row, given, size)
    rows, columns = data.levels[x], data.levels[y]
    block = rows * columns
    counts = np.zeros(strata * block, np.int64)
    codes_x, codes_y = data.codes[x], data.codes[y]
    for row in range(codes_x.shape[0]):
        cell = stratum_of_row[row] * block + codes_x[row] * columns + codes_y[row]
        counts[cell] += is_complete(workspace.complete, row)
    return add_strata(data, workspace.counting, counts, strata, rows, columns, 0.0, 0.0)


register_test(IncompleteTable, new_incomplete_workspace, test_incomplete, dof_of_levels)


class CountedTable(NamedTuple):
    """Coded columns whose rows stand for several each."""

    counted: DiscreteTable  # for as many rows as the rows stand for; the codes are 0 where missing
    present: np.ndarray  # (variables, words): rows that have a value, as bits
    levels: np.ndarray
    times: np.ndarray  # how often each row occurred

    @property
    def codes(self) -> np.ndarray:
        """The codes."""
        return self.counted.codes


@dataclass(frozen=True, eq=False)
class CountedContingencyData(ContingencyData):
    """Categories, with gaps or without, whose rows stand for several each."""

    @property
    def is_likelihood_ratio(self) -> bool:
        """G² is one where all tests rest on the same rows."""
        return bool(self.table.counted.statistic == G_SQUARED) and self.present is None


@kernel_part
def test_counted(
    data: CountedTable,
    workspace: IncompleteWorkspace,
    critical: CriticalValues,
    hypothesis: Hypothesis,
) -> Any:
    """Test two nominal variables given a set, on the rows that are complete in all of them."""
    x, y, given, size = hypothesis
    find_complete(data.present, hypothesis, workspace.complete)
    workspace.counting.law[:] = 0.0
    strata = number_strata(data.counted.codes, data.levels, workspace.counting.stratum_of_row, given, size)
    rows, columns = data.levels[x], data.levels[y]
    counts = np.zeros(strata * rows * columns, np.int64)
    occurred = _count_times(data, workspace, x, y, counts)
    statistic, dof = add_strata(data.counted, workspace.counting, counts, strata, rows, columns, 0.0, 0.0)
    return outcome_of_complete(data, workspace, critical, hypothesis, statistic, dof, occurred)


@inlined_part
def _count_times(
    data: CountedTable, workspace: IncompleteWorkspace, x: int, y: int, counts: np.ndarray
) -> Any:
    """Count the complete rows of each cell, and of all, as often as they occurred."""
    stratum_of_row = workspace.counting.stratum_of_row
    rows, columns = data.levels[x], data.levels[y]
    codes_x, codes_y = data.counted.codes[x], data.counted.codes[y]
    total = np.int64(0)
    for row in range(codes_x.shape[0]):
        times = data.times[row] * is_complete(workspace.complete, row)
        counts[(stratum_of_row[row] * rows + codes_x[row]) * columns + codes_y[row]] += times
        total += times
    return total


register_test(CountedTable, new_incomplete_workspace, test_counted, dof_of_levels)
