"""G² and Pearson's X² where rows are a sample in which each stands for some of a population.

The cells of a table are then sums of weights. Under independence given a set, the statistic of a stratum is a
sum of squared normals, each times a design effect: how much more its part of the table varies than it would
with as many rows of equal weight (Rao and Scott 1984, On chi-squared tests for multiway contingency tables
with cell proportions estimated from survey data, Annals of Statistics 12:46-60). As each row is drawn by
itself, these follow from the design effects of the cells: the sum of squared weights of a cell's rows over
the sum of their weights. The statistic of a stratum is divided by its mean design effect; where design
effects differ its variance is larger, and its law is the multiple of chi-squared with that mean and variance
(Satterthwaite 1946, An approximate distribution of estimates of variance components, Biometrics Bulletin
2:110-114).

So weights that go with what is held fixed change nothing, weights that go with a tested variable cost little,
and weights that go with nothing cost as much as Kish's effective number of rows says (1965, Survey Sampling,
section 11.7). Where cells are sparse, mean and variance change as the law of the margins changes them for
rows of equal weight, the more so the fewer rows the weights leave to a cell. Rows that miss a value of a
tested variable are left out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.special import xlogy

from engine.compiled.decorators import inlined_part, int64, kernel_part
from engine.independence.chi_squared import CriticalValues
from engine.independence.data import chi_squared_effect, links_of_chain
from engine.independence.discrete.conditional_law import g_squared_moments, pearson_moments
from engine.independence.discrete.contingency import (
    ContingencyData,
    IncompleteWorkspace,
    new_incomplete_workspace,
    outcome_of,
)
from engine.independence.discrete.counting import number_strata
from engine.independence.discrete.table import (
    FEWEST_ROWS,
    PEARSON,
    STRATA,
    DiscreteTable,
    find_complete,
    is_complete,
)
from engine.independence.interface import Hypothesis, dof_of_levels, register_test

# Where weights differ within cells, what larger parts of the table say of a cell counts as up to so many rows
# of its own. Found by simulation, as is the next.
_ROWS_OF_GUESS = 50.0
# Share of the degrees of freedom above which sparse cells do not raise the mean of G².
_MOST_SHARE = 1.25
_EPSILON = 2.0**-52


class SampledTable(NamedTuple):
    """Coded columns with a sampling weight for each row."""

    counted: DiscreteTable  # codes are 0 where a value is missing
    present: np.ndarray  # (variables, words): rows that have a value, as bits
    levels: np.ndarray
    weights: np.ndarray  # of mean 1


class _Weights(NamedTuple):
    """What the weights within cells are like."""

    of_guess: float  # for so many rows of its own counts what larger parts of the table say of a cell
    # How much of the effect of sparse cells on the mean of G² is left: all where weights are equal within
    # cells, as then the skewness of a cell is that of a count.
    sparseness: float


@dataclass(frozen=True, eq=False)
class SampledContingencyData(ContingencyData):
    """Categories, with gaps or without, whose rows have sampling weights."""

    def effect(self, statistic: float, tested: tuple[int, ...], given: tuple[int, ...]) -> float:
        """Return the strength in the population that the rows stand for, whatever they are worth."""
        x, *others = tested
        return chi_squared_effect(sum(self._a_row(x, *link) for link in links_of_chain(others, given)), 1.0)

    def _a_row(self, x: int, y: int, given: tuple[int, ...]) -> float:
        """Return the statistic of the population over its size."""
        table: SampledTable = self.table
        used = self.complete_rows((x, y, *given))
        codes, weights = table.counted.codes[:, used], table.weights[used]
        strata, stratum = np.unique(codes[list(given)], axis=1, return_inverse=True)
        shape = (strata.shape[1] if given else 1, int(table.levels[x]), int(table.levels[y]))
        position = np.ravel_multi_index(
            (stratum.ravel() if given else 0 * codes[x], codes[x], codes[y]), shape
        )
        cells = np.bincount(position, weights / weights.sum(), math.prod(shape)).reshape(shape)
        in_row, in_column = cells.sum(axis=2, keepdims=True), cells.sum(axis=1, keepdims=True)
        expected = in_row * in_column / np.maximum(cells.sum(axis=(1, 2), keepdims=True), _EPSILON)
        cells, expected = cells[expected > 0.0], expected[expected > 0.0]
        if table.counted.statistic == PEARSON:
            return float((np.square(cells - expected) / expected).sum())
        return 2.0 * float(xlogy(cells, cells / expected).sum())


@kernel_part
def test_sampled(
    data: SampledTable,
    workspace: IncompleteWorkspace,
    critical: CriticalValues,
    hypothesis: Hypothesis,
) -> Any:
    """Test two nominal variables given a set, on the rows that are complete in all of them."""
    x, y, given, size = hypothesis
    counted, levels = data.counted, data.levels
    find_complete(data.present, hypothesis, workspace.complete)
    strata = number_strata(counted.codes, levels, workspace.counting.stratum_of_row, given, size)
    # Of each cell the number of rows, and the sums of their weights, of the squares and of the cubes.
    cells = np.zeros((strata, levels[x], levels[y], 4))
    _add_rows(data, workspace, x, y, cells)
    together = np.zeros((levels[x], levels[y], 4))
    for stratum in range(strata):
        together += cells[stratum]
    weights = _within_cells(cells)
    overall = np.empty((levels[x], levels[y]))
    _design_effects(together, np.ones(overall.shape), weights.of_guess, overall)
    statistic, observed_dof = 0.0, 0.0
    workspace.counting.law[:] = 0.0
    for stratum in range(strata):
        terms = _stratum_terms(data, workspace, cells[stratum], overall, weights)
        statistic += terms[0]
        observed_dof += terms[1]
    total, squares = together[:, :, 1].sum(), together[:, :, 2].sum()
    observations = total * total / squares if squares > 0.0 else 0.0
    rounding = 8.0 * _EPSILON * observations * math.log(observations + 2.0)
    statistic, dof, ratio, reliable = outcome_of(
        counted, workspace.counting, critical, hypothesis, statistic, observed_dof, observations, rounding
    )
    return statistic, dof, ratio, reliable and observations >= FEWEST_ROWS


@inlined_part
def _add_rows(data: SampledTable, workspace: IncompleteWorkspace, x: int, y: int, cells: np.ndarray) -> None:
    """Add up the complete rows of each cell, their weights, the squares and the cubes."""
    stratum_of_row = workspace.counting.stratum_of_row
    codes_x, codes_y = data.counted.codes[x], data.counted.codes[y]
    for row in range(codes_x.shape[0]):
        used = is_complete(workspace.complete, row)
        weight = data.weights[row] * used
        stratum, first, second = stratum_of_row[row], codes_x[row], codes_y[row]
        cells[stratum, first, second, 0] += used
        cells[stratum, first, second, 1] += weight
        cells[stratum, first, second, 2] += weight * weight
        cells[stratum, first, second, 3] += weight * weight * weight


@kernel_part
def _within_cells(cells: np.ndarray) -> _Weights:
    """Return how unequal weights are within cells, and how much more skewed that makes the counts."""
    rows, used, squares, unequal, cubes = 0.0, 0.0, 0.0, 0.0, 0.0
    for stratum in range(cells.shape[0]):
        for first in range(cells.shape[1]):
            for second in range(cells.shape[2]):
                count, weight = cells[stratum, first, second, 0], cells[stratum, first, second, 1]
                square, cube = cells[stratum, first, second, 2], cells[stratum, first, second, 3]
                if count > 0.0:
                    rows += count
                    used += 1.0
                    squares += square
                    unequal += max(square - weight * weight / count, 0.0)
                    cubes += count * (cube * weight / (square * square) - 1.0)
    if rows == 0.0:
        return _Weights(0.0, 1.0)
    # A row alone in its cell says nothing of how weights differ.
    more = rows / max(rows - used, 1.0)
    return _Weights(
        _ROWS_OF_GUESS * min(more * unequal / squares, 1.0), max(1.0 - 2.0 * more * cubes / rows, 0.0)
    )


@kernel_part
def _design_effects(cells: np.ndarray, guess: np.ndarray, of_guess: float, effects: np.ndarray) -> None:
    """Write design effects of cells: of few rows mainly a guess from row, column and all rows."""
    rows, columns = cells.shape[0], cells.shape[1]
    of_row, of_column = np.zeros((rows, 3)), np.zeros((columns, 3))
    of_all = np.zeros(3)
    for row in range(rows):
        for column in range(columns):
            for position in range(3):
                part = cells[row, column, position]
                if position == 1:
                    part *= guess[row, column]
                of_row[row, position] += part
                of_column[column, position] += part
                of_all[position] += part
    share = of_all[2] / of_all[1] if of_all[1] > 0.0 else 1.0
    for row in range(rows):
        share_of_row = _shrunk(of_row[row], share, of_guess)
        for column in range(columns):
            likely = guess[row, column] * share_of_row * _shrunk(of_column[column], share, of_guess) / share
            effects[row, column] = _shrunk(cells[row, column], likely, of_guess)


@inlined_part
def _shrunk(part: np.ndarray, guess: float, of_guess: float) -> float:
    """Return squared weights over weights; where rows are few, nearer to a guess."""
    if part[0] == 0.0:
        return guess
    share: float = (part[0] * (part[2] / part[1]) + of_guess * guess) / (part[0] + of_guess)
    return share


@kernel_part
def _stratum_terms(
    data: SampledTable,
    workspace: IncompleteWorkspace,
    cells: np.ndarray,
    overall: np.ndarray,
    weights: _Weights,
) -> Any:
    """Statistic over its mean design effect, and dof, of a stratum; add its moments to the law."""
    rows, columns = cells.shape[0], cells.shape[1]
    counting, law = workspace.counting, workspace.counting.law
    count = _count_margins(counting.row_sums, counting.column_sums, cells)
    # To add up along an axis, numba compiles texts of errors, for longer than all else here.
    in_row, in_column = np.zeros(rows), np.zeros(columns)
    for row in range(rows):
        for column in range(columns):
            in_row[row] += cells[row, column, 1]
            in_column[column] += cells[row, column, 1]
    total = in_row.sum()
    rows_seen, columns_seen = (in_row > 0.0).sum(), (in_column > 0.0).sum()
    if rows_seen < 2 or columns_seen < 2:
        return 0.0, 0.0
    dof = (rows_seen - 1.0) * (columns_seen - 1.0)
    effects = np.empty((rows, columns))
    _design_effects(cells, overall, weights.of_guess, effects)
    effect, spread, inverses = _mean_and_spread(effects, in_row / total, in_column / total, dof)
    sparser = weights.sparseness * count * inverses / total
    sparser /= _inverses(counting.row_sums, rows, count) * _inverses(counting.column_sums, columns, count)
    g_squared = _g_squared(cells, in_row, in_column, total) / effect
    mean, variance = g_squared_moments(data.counted, counting, count, rows, columns, rows_seen, columns_seen)
    raised = _raised(mean / dof, sparser)
    variance *= spread * (raised * dof / mean) ** 2
    mean = raised * dof
    # Never 1: with weights no p-value is exact.
    law[STRATA] += 2.0
    if data.counted.statistic != PEARSON:
        law[0] += mean
        law[1] += variance
        return g_squared, dof
    law[2] += g_squared
    law[3] += mean
    law[4] += variance
    mean, variance = pearson_moments(data.counted, counting, count, rows, columns, rows_seen, columns_seen)
    law[0] += mean
    law[1] += variance * spread
    return _pearson(cells, in_row, in_column, total) / effect, dof


@inlined_part
def _count_margins(row_sums: np.ndarray, column_sums: np.ndarray, cells: np.ndarray) -> int:
    """Count the rows of each level, whatever their weights, and of all."""
    total = int64(0)
    row_sums[: cells.shape[0]] = 0
    column_sums[: cells.shape[1]] = 0
    for row in range(cells.shape[0]):
        for column in range(cells.shape[1]):
            count = int64(cells[row, column, 0])
            row_sums[row] += count
            column_sums[column] += count
            total += count
    return total


@kernel_part
def _g_squared(cells: np.ndarray, in_row: np.ndarray, in_column: np.ndarray, total: float) -> float:
    statistic = 0.0
    for row in range(cells.shape[0]):
        for column in range(cells.shape[1]):
            weight = cells[row, column, 1]
            if weight > 0.0:
                statistic += weight * math.log(weight / (in_row[row] * (in_column[column] / total)))
    return 2.0 * statistic


@kernel_part
def _pearson(cells: np.ndarray, in_row: np.ndarray, in_column: np.ndarray, total: float) -> float:
    statistic = 0.0
    for row in range(cells.shape[0]):
        for column in range(cells.shape[1]):
            expected = in_row[row] * (in_column[column] / total)
            if expected > 0.0:
                difference = cells[row, column, 1] - expected
                statistic += difference * difference / expected
    return statistic


@kernel_part
def _mean_and_spread(effects: np.ndarray, in_row: np.ndarray, in_column: np.ndarray, dof: float) -> Any:
    """Return mean design effect of the statistic's parts, its relative mean square, and sparseness.

    Sparseness is the sum over cells of one over their effective shares, less those of the margins.
    """
    across, along = np.zeros(in_row.shape[0]), np.zeros(in_column.shape[0])
    mean, whole, squares, inverses = 0.0, 0.0, 0.0, 0.0
    for row in range(in_row.shape[0]):
        for column in range(in_column.shape[0]):
            effect, p, q = effects[row, column], in_row[row], in_column[column]
            if p > 0.0 and q > 0.0:
                mean += effect * (1.0 - p) * (1.0 - q) / dof
                whole += effect * p * q
                across[row] += effect * q
                along[column] += effect * p
                squares += (1.0 - 2.0 * p) * (1.0 - 2.0 * q) * effect * effect
                inverses += effect * effect / (p * q)
    for parts, shares in ((across, in_row), (along, in_column)):
        for level in range(parts.shape[0]):
            if shares[level] > 0.0:
                squares += (1.0 - 2.0 * shares[level]) * parts[level] * parts[level]
                inverses -= parts[level] * parts[level] / shares[level]
    squares += whole * whole
    inverses += whole * whole
    return mean, max(squares / (dof * mean * mean), 1.0), max(inverses / mean, 0.0)


@inlined_part
def _inverses(sums: np.ndarray, levels: int, total: int) -> float:
    """Sum of one over the shares of a margin, less 1."""
    inverses = -1.0
    for level in range(levels):
        if sums[level] > 0:
            inverses += total / sums[level]
    return inverses


@inlined_part
def _raised(share: float, sparser: float) -> float:
    """Return the mean of G² over its degrees of freedom, from that for equal weights in less sparse cells."""
    raised: float = share**sparser
    if share > 1.0:
        raised = max(share, min(1.0 + (share - 1.0) * sparser, _MOST_SHARE))
    return raised


register_test(SampledTable, new_incomplete_workspace, test_sampled, dof_of_levels)
