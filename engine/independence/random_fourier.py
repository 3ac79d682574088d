"""RCoT, a kernel test of conditional independence by random Fourier features, and a screen for pairs.

Strobl, Zhang, Visweswaran (2019), Approximate kernel-based conditional independence tests for fast
non-parametric causal discovery, Journal of Causal Inference 7:20180017.

A number is seen through a few random Fourier features, cosines of random frequency (Rahimi and Recht 2007),
a category through its indicators; those of all variables are drawn once for a table. Features of the tested
two are regressed, with a small ridge, on what is held fixed, waves of each variable of it and random features
of all of it together; the statistic is the number of rows times the sum of the squared covariances of the
residuals. Other than as published, a tested number is regressed first and its features are those of what is
left: a cosine of a sum of several effects is too crooked for any hundred of features, and with many rows its
rest would pass for dependence.

Under independence the statistic is a weighted sum of χ², whose first three moments fix one that is scaled and
shifted (Hall 1983; Buckley and Eagleson 1988): what is given out is the statistic on that scale, with its
degrees of freedom, which need not be whole. With nothing held fixed the moments are those of independent
columns, which need no covariances of products (as for HSIC: Gretton et al. 2008, A kernel statistical test of
independence, NIPS 20); where features are rare their kurtosis spreads the statistic further. With something
held fixed the same is done along it: covariances of products are means of products of covariances, each a
regression on what is held fixed.

Two variables that act on a label only together (a product, an exclusive-or) are independent of it one by one,
so that no marginal test lets them in. The screen looks at pairs: those whose products go with the label are
tested with each other held fixed, and those that pass by Benjamini and Hochberg (1995) over all pairs of one
that is not found alone are *partners* about that label: tests of either with the label hold the other fixed
too, and take its features times those of the other beside its own, as the authors' RCIT does, since a
covariance averaged over the other is zero for a product. What is given out for such a test is then about the
two together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Self

import numpy as np

from engine.compiled.decorators import kernel_part
from engine.independence.chi_squared import CriticalValues, log_chi2_sf
from engine.independence.columns import TestColumns
from engine.independence.data import TestData
from engine.independence.false_discovery import discoveries
from engine.independence.interface import Hypothesis, PlacedTest, placed_test, register_test, run_tests
from engine.independence.options import TestOptions
from engine.independence.tails import bounded
from engine.table.variable import Kind, Role

FIXED_FEATURES = 25
# The median distance of two draws of a Gaussian distribution, over its standard deviation.
_GAUSSIAN_WIDTH = 0.954
_RIDGE = 1e-6
# A column of which those before it leave less is a combination of them.
_DETERMINED = 1e-5
# What a regression leaves of an exact copy is rounding.
_NO_SPREAD = 1e-3
# Logarithm of a p-value from which on the law of the statistic is looked at once more, for up to so many
# features of either side.
_WORTH_ANOTHER_LAW = math.log(0.2)
_MOST_SMOOTHED = 12
_LEAST_SPREAD = 0.5
# Numbers are pulled in to so many standard deviations where they enter products.
ENDS = 3.0


class RandomFourierTable(NamedTuple):
    """Features of all variables."""

    features: np.ndarray  # (features, rows): tested where nothing is held fixed, of mean 0
    first_feature: np.ndarray  # (variables + 1,)
    tested_frequencies: np.ndarray  # (variables, tested features); 0 for a category
    tested_phases: np.ndarray
    waves: np.ndarray  # (waves, rows): what a regression on a number holds besides it
    first_wave: np.ndarray  # (variables + 1,)
    # (coordinates, rows) held fixed: numbers in widths of the kernel, far ones pulled in, and indicators
    coordinates: np.ndarray
    first_coordinate: np.ndarray  # (variables + 1,)
    frequencies: np.ndarray  # (fixed features, coordinates)
    phases: np.ndarray
    partners: np.ndarray  # (variables, variables): held fixed too when two are tested; -1 for nothing
    is_label: np.ndarray
    ranking: np.ndarray  # (variables,): random, by what is in each


class _WorkingArrays(NamedTuple):
    fixed: np.ndarray
    design: np.ndarray
    residuals: np.ndarray
    gram: np.ndarray
    products: np.ndarray


def _new_workspace(data: RandomFourierTable, max_conditioning: int) -> _WorkingArrays:
    rows = data.features.shape[1]
    most = int(np.diff(data.first_feature).max())
    with_partner = most * (1 + int(np.diff(data.first_coordinate).max()))
    of_one = int((np.diff(data.first_coordinate) + np.diff(data.first_wave)).max())
    widest = 1 + FIXED_FEATURES + (max_conditioning + 1) * of_one
    return _WorkingArrays(
        np.empty(max_conditioning + 1, dtype=np.int64),
        np.empty((widest, rows)),
        np.empty((most + with_partner, rows)),
        np.empty((widest, widest)),
        np.empty((most * with_partner, rows)),
    )


@kernel_part
def _test(
    data: RandomFourierTable,
    workspace: _WorkingArrays,
    critical: CriticalValues,
    hypothesis: Hypothesis,
) -> Any:
    """Test two variables given a set and, where they have one, their partner.

    The partner's features go with the other variable, not the label (of two labels the last by content), so
    that order does not matter.
    """
    x, y, given, size = hypothesis
    if data.is_label[x] == data.is_label[y]:
        if data.ranking[x] > data.ranking[y]:
            x, y = y, x
    elif data.is_label[y]:
        x, y = y, x
    fixed = size
    partner = joint = data.partners[x, y]
    for position in range(size):
        workspace.fixed[position] = given[position]
        if given[position] == partner:
            partner = -1
    if partner >= 0:
        workspace.fixed[fixed] = partner
        fixed += 1
    if fixed == 0:
        of_x = _features_of(data, workspace, x, 0)
        of_y = _features_of(data, workspace, y, of_x)
        statistic, dof, log_p = _compare_unconditionally(workspace, of_x, of_y)
        return statistic, dof, log_p / critical.log_alpha, True
    width = _fill_design(data, workspace, fixed)
    used = _factorise(workspace, width)
    of_x = _what_is_left(data, workspace, x, 0, width)
    of_y = _what_is_left(data, workspace, y, of_x, width)
    if joint >= 0:
        of_y = _with_partner(data, workspace, joint, of_x, of_y, width)
    statistic, dof, log_p = _compare(workspace, of_x, of_y, width, used)
    return statistic, dof, log_p / critical.log_alpha, True


@kernel_part
def _features_of(data: RandomFourierTable, workspace: _WorkingArrays, variable: int, start: int) -> int:
    """Copy the features of a variable; give their number."""
    count = data.first_feature[variable + 1] - data.first_feature[variable]
    for position in range(count):
        workspace.residuals[start + position] = data.features[data.first_feature[variable] + position]
    return int(count)


@kernel_part
def _what_is_left(
    data: RandomFourierTable, workspace: _WorkingArrays, variable: int, start: int, width: int
) -> int:
    """Write what a regression leaves of a variable: of its features, or features of what it leaves."""
    residuals = workspace.residuals
    if data.tested_frequencies[variable, 0] == 0.0:
        count = _features_of(data, workspace, variable, start)
        _take_out(workspace, width, residuals[start : start + count])
        return count
    residuals[start] = data.coordinates[data.first_coordinate[variable]]
    _take_out(workspace, width, residuals[start : start + 1])
    rest = residuals[start].copy()
    spread = math.sqrt((rest * rest).mean())
    unit = 1.0 / (_GAUSSIAN_WIDTH * spread) if spread > _NO_SPREAD else 0.0
    count = data.tested_phases.shape[1]
    for position in range(count):
        frequency, phase = (
            data.tested_frequencies[variable, position] * unit,
            data.tested_phases[variable, position],
        )
        target = residuals[start + position]
        for row in range(rest.shape[0]):
            target[row] = math.cos(frequency * rest[row] + phase)
    _take_out(workspace, width, residuals[start : start + count])
    return int(count)


@kernel_part
def _with_partner(
    data: RandomFourierTable,
    workspace: _WorkingArrays,
    partner: int,
    start: int,
    count: int,
    width: int,
) -> int:
    """Put what is left of features, times each coordinate of the partner, beside it; give their number."""
    total = count
    for coordinate in range(data.first_coordinate[partner], data.first_coordinate[partner + 1]):
        for position in range(count):
            target, own = workspace.residuals[start + total], workspace.residuals[start + position]
            for row in range(own.shape[0]):
                value = data.coordinates[coordinate, row]
                target[row] = own[row] * min(max(value, -ENDS), ENDS)
            total += 1
    _take_out(workspace, width, workspace.residuals[start + count : start + total])
    return int(total)


@kernel_part
def _fill_design(data: RandomFourierTable, workspace: _WorkingArrays, fixed: int) -> int:
    """Write the columns of the regression: 1, the coordinates, their random features; give their number."""
    design = workspace.design
    rows = design.shape[1]
    design[0] = 1.0
    width = 1
    for position in range(fixed):
        variable = workspace.fixed[position]
        for coordinate in range(data.first_coordinate[variable], data.first_coordinate[variable + 1]):
            design[width] = data.coordinates[coordinate]
            width += 1
    coordinates = width - 1
    for position in range(fixed):
        variable = workspace.fixed[position]
        for wave in range(data.first_wave[variable], data.first_wave[variable + 1]):
            design[width] = data.waves[wave]
            width += 1
    # The distance in several coordinates grows as the root of their number, and with it the width.
    shrink = 1.0 / math.sqrt(max(coordinates, 1))
    for feature in range(data.phases.shape[0]):
        target = design[width]
        target[:] = data.phases[feature]
        for position in range(fixed):
            variable = workspace.fixed[position]
            for coordinate in range(data.first_coordinate[variable], data.first_coordinate[variable + 1]):
                frequency = data.frequencies[feature, coordinate] * shrink
                values = data.coordinates[coordinate]
                for row in range(rows):
                    target[row] += frequency * values[row]
        for row in range(rows):
            target[row] = math.cos(target[row])
        width += 1
    return width


@kernel_part
def _factorise(workspace: _WorkingArrays, width: int) -> float:
    """Factorise the cross-products of the design, with a small ridge, after Cholesky; give its rank."""
    rank = 0.0
    design, gram = workspace.design[:width], workspace.gram
    products = np.dot(design, design.T)
    for row in range(width):
        for column in range(row):
            value = products[row, column]
            for earlier in range(column):
                value -= gram[row, earlier] * gram[column, earlier]
            gram[row, column] = value / gram[column, column]
        value = products[row, row] * (1.0 + _RIDGE)
        for earlier in range(row):
            value -= gram[row, earlier] ** 2
        gram[row, row] = math.sqrt(max(value, _RIDGE * products[row, row]))
        rank += value > _DETERMINED * products[row, row]
    return rank


@kernel_part
def _take_out(workspace: _WorkingArrays, width: int, columns: np.ndarray) -> None:
    """Replace some columns by their residuals of the regression on the design."""
    design, gram = workspace.design[:width], workspace.gram
    solved = np.dot(design, columns.T)
    for target in range(columns.shape[0]):
        for row in range(width):
            value = solved[row, target]
            for earlier in range(row):
                value -= gram[row, earlier] * solved[earlier, target]
            solved[row, target] = value / gram[row, row]
        for step in range(width):
            row = width - 1 - step
            value = solved[row, target]
            for later in range(row + 1, width):
                value -= gram[later, row] * solved[later, target]
            solved[row, target] = value / gram[row, row]
        left = columns[target]
        for row in range(width):
            coefficient = solved[row, target]
            for position in range(design.shape[1]):
                left[position] -= coefficient * design[row, position]


@kernel_part
def _compare_unconditionally(workspace: _WorkingArrays, of_x: int, of_y: int) -> Any:
    """Return the statistic of the features' covariances with nothing held fixed, as `_compare` does.

    Mean and variance are those under independence, with fourth moments, which matter for rare levels. Two
    laws differ in how the squared skewness grows with the variance, by its cube (right for far tails) or as
    it does; the larger p counts.
    """
    x, y = workspace.residuals[:of_x], workspace.residuals[of_x : of_x + of_y]
    rows = x.shape[1]
    statistic = (np.dot(x, y.T) ** 2).sum() / rows
    first, second, third = _traces_apart(x, y)
    if second <= 0.0:
        return 0.0, 0.0, 0.0
    fourth = _mean_fourth_power(x) * _mean_fourth_power(y)
    return _on_surer_scale(statistic, first, second, third, fourth, rows)


@kernel_part
def _on_surer_scale(
    statistic: float, first: float, second: float, third: float, fourth: float, rows: int
) -> Any:
    """Return a statistic on the scale of the law with the larger p, of two that fourth moments spread."""
    spread = 1.0 + (fourth - 2.0 * second - first * first) / (2.0 * second * rows)
    spread = max(spread, _LEAST_SPREAD)
    scaled, dof, log_p = _on_scale(statistic, first, second, third, spread, spread)
    far, dof_far, log_p_far = _on_scale(statistic, first, second, third, spread, spread**3)
    if log_p_far > log_p:
        return far, dof_far, log_p_far
    return scaled, dof, log_p


@kernel_part
def _compare(workspace: _WorkingArrays, of_x: int, of_y: int, width: int, used: float) -> Any:
    """Return the statistic of the residuals' covariances on the scale of a χ², its dof, and log p.

    The χ² has the same three moments; `width` is the regression's columns, `used` its rank. One law has
    covariances of products of residuals, as published, which single rare rows can decide. Another has
    products of covariances, the same under independence of the set. Where either p is small, the law of
    :func:`_smoothed_traces` decides, else the larger p.
    """
    residuals, count = workspace.residuals, of_x * of_y
    rows = residuals.shape[1]
    for left in range(of_x):
        for right in range(of_y):
            target = workspace.products[left * of_y + right]
            for row in range(rows):
                target[row] = residuals[left, row] * residuals[of_x + right, row]
    products = workspace.products[:count]
    statistic = 0.0
    for position in range(count):
        statistic += products[position].sum() ** 2 / rows
    # A covariance has lost as many rows as the regression had columns; its estimate has, for either side.
    statistic *= max(rows - used, 1.0) / rows
    first, second, third = _traces(np.dot(products, products.T) / rows)
    scaled, dof, log_p = _on_scale(statistic, first, second, third, 1.0, 1.0)
    first, second, third = _traces_apart(residuals[:of_x], residuals[of_x : of_x + of_y])
    apart, dof_apart, log_p_apart = _on_scale(statistic, first, second, third, 1.0, 1.0)
    if min(log_p, log_p_apart) < _WORTH_ANOTHER_LAW and max(of_x, of_y) <= _MOST_SMOOTHED:
        first, second, third, fourth = _smoothed_traces(workspace, of_x, of_y, width)
        if second > 0.0 and third > 0.0:
            return _on_surer_scale(statistic, first, second, third, fourth, rows)
    if log_p_apart > log_p:
        return apart, dof_apart, log_p_apart
    return scaled, dof, log_p


@kernel_part
def _smoothed_traces(workspace: _WorkingArrays, of_x: int, of_y: int, width: int) -> Any:
    """Return the traces of columns that are independent given the set, and the mean fourth power.

    Covariances of products are means of products over the set, smoothed by regression so that no row decides
    alone.
    """
    residuals = workspace.residuals
    x = _smoothed_moments(workspace, residuals[:of_x], width)
    y = _smoothed_moments(workspace, residuals[of_x : of_x + of_y], width)
    rows = residuals.shape[1]
    means = np.dot(x, y.T) / rows
    matrix = np.empty((of_x * of_y, of_x * of_y))
    of_pair = 0
    for a in range(of_x):
        for b in range(a, of_x):
            beside = 0
            for c in range(of_y):
                for d in range(c, of_y):
                    value = means[of_pair, beside]
                    matrix[a * of_y + c, b * of_y + d] = value
                    matrix[b * of_y + c, a * of_y + d] = value
                    matrix[a * of_y + d, b * of_y + c] = value
                    matrix[b * of_y + d, a * of_y + c] = value
                    beside += 1
            of_pair += 1
    first, second, third = _traces(matrix)
    return first, second, third, means[-1, -1]


@kernel_part
def _smoothed_moments(workspace: _WorkingArrays, columns: np.ndarray, width: int) -> np.ndarray:
    """Return what the regression expects of products of columns, and of fourth powers of rows' lengths."""
    count, rows = columns.shape
    moments = np.empty((count * (count + 1) // 2 + 1, rows))
    moments[-1] = 0.0
    number = 0
    for first in range(count):
        for second in range(first, count):
            for row in range(rows):
                moments[number, row] = columns[first, row] * columns[second, row]
                if first == second:
                    moments[-1, row] += moments[number, row]
            number += 1
    for row in range(rows):
        moments[-1, row] **= 2
    left = moments.copy()
    _take_out(workspace, width, left)
    smoothed: np.ndarray = moments - left
    return smoothed


@kernel_part
def _traces_apart(x: np.ndarray, y: np.ndarray) -> Any:
    """Return the traces that the products of independent columns have: those of either side, multiplied."""
    rows = x.shape[1]
    of_x, of_y = _traces(np.dot(x, x.T) / rows), _traces(np.dot(y, y.T) / rows)
    return of_x[0] * of_y[0], of_x[1] * of_y[1], of_x[2] * of_y[2]


@kernel_part
def _mean_fourth_power(block: np.ndarray) -> float:
    """Return the mean over the rows of the fourth power of a row's length."""
    total = 0.0
    for row in range(block.shape[1]):
        squared = 0.0
        for position in range(block.shape[0]):
            squared += block[position, row] ** 2
        total += squared * squared
    return float(total / block.shape[1])


@kernel_part
def _traces(matrix: np.ndarray) -> Any:
    """Return the traces of a symmetric matrix, of its square and of its cube."""
    squared = np.dot(matrix, matrix)
    first = second = third = 0.0
    for row in range(matrix.shape[0]):
        first += matrix[row, row]
        second += squared[row, row]
        for column in range(matrix.shape[0]):
            third += matrix[row, column] * squared[row, column]
    return first, second, third


@kernel_part
def _on_scale(
    statistic: float, first: float, second: float, third: float, spread: float, skewed: float
) -> Any:
    """Return a sum of weighted χ² on the scale of one with the same three moments, its dof, and log p.

    Moments are of traces of three powers; variance times `spread`, squared skewness times `skewed`.
    """
    if second <= 0.0 or third <= 0.0:
        return 0.0, 0.0, 0.0
    dof = second**3 / third**2 / skewed
    scaled = max(dof + (statistic - first) * math.sqrt(dof / (second * spread)), 0.0)
    return scaled, dof, log_chi2_sf(scaled, dof)


register_test(RandomFourierTable, _new_workspace, _test)


_PAIRS_PER_VARIABLE = 3
NO_PARTNER = -1


@dataclass(frozen=True)
class LowOrders:
    """Columns whose products the screen looks at: indicators, and numbers with their squares."""

    columns: np.ndarray  # (columns, rows) of mean 0 and variance 1
    variable: np.ndarray  # (columns,): to which variable each belongs


def low_orders(columns: TestColumns) -> LowOrders:
    """Return the columns whose products the screen looks at."""
    blocks = []
    for variable, values in zip(columns.variables, columns.values, strict=True):
        if variable.kind is Kind.NOMINAL:
            blocks.append(standardised(indicators(values)))
        else:
            line = np.clip(standardised(values[None])[0], -ENDS, ENDS)
            blocks.append(standardised(np.array([line, line**2])))
    owners = np.repeat(np.arange(len(blocks)), [len(block) for block in blocks])
    return LowOrders(np.concatenate(blocks), owners)


class Partner(NamedTuple):
    """A pair that acts on a label together: `variable`, which is not found alone, and its partner."""

    log_p: float
    label: int
    variable: int
    partner: int


def _partners(table: RandomFourierTable, label: int, low: LowOrders, alpha: float) -> list[Partner]:
    """List the pairs that act on a label together, where one of them does nothing alone."""
    others = np.array([position for position in range(len(table.partners)) if position != label])
    single = placed_test(table, 1)
    alone = discoveries(np.array([_log_p(single, label, position) for position in others]), alpha, "bh")
    hidden = np.ones(len(table.partners), dtype=np.bool_)
    hidden[others[alone]] = False
    left_factors, right_factors = _promising(table, label, low, hidden)
    tested = np.concatenate([left_factors, right_factors])
    given = np.concatenate([right_factors, left_factors])
    # Not those that are found alone: being found again, they would lower the bar for all others.
    tested, given = tested[hidden[tested]], given[hidden[tested]]
    log_p = np.zeros(int(hidden[others].sum()) * (len(others) - 1))
    test = placed_test(table, 1)
    for position, (variable, partner) in enumerate(zip(tested, given, strict=True)):
        _enter(table, label, variable, partner)
        log_p[position] = _log_p(test, label, variable)
        _enter(table, label, variable, NO_PARTNER)
    return [
        Partner(float(log_p[position]), label, int(tested[position]), int(given[position]))
        for position in np.flatnonzero(discoveries(log_p, alpha, "bh"))
    ]


def _enter(table: RandomFourierTable, label: int, variable: int, partner: int) -> None:
    table.partners[label, variable] = table.partners[variable, label] = partner


def _promising(
    table: RandomFourierTable, label: int, low: LowOrders, hidden: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the pairs whose products go best with the label: a few for each variable."""
    count, rows = len(hidden), low.columns.shape[1]
    strength = np.zeros((count, count))
    for feature in table.features[table.first_feature[label] : table.first_feature[label + 1]]:
        together = (low.columns * feature) @ low.columns.T
        spread = np.sqrt((low.columns**2 * feature**2) @ (low.columns**2).T)
        score = np.abs(together) / np.maximum(spread, math.sqrt(rows) * 1e-6)
        np.maximum.at(strength, (low.variable[:, None], low.variable[None, :]), score)
    strength[label] = strength[:, label] = 0.0
    strength[~hidden[:, None] & ~hidden[None, :]] = 0.0
    left, right = np.triu_indices(count, 1)
    best = np.argsort(-strength[left, right], kind="stable")[: _PAIRS_PER_VARIABLE * count]
    best = best[strength[left[best], right[best]] > 0.0]
    return left[best], right[best]


def _log_p(test: PlacedTest, label: int, variable: int) -> float:
    """Return log p of a label and a variable with nothing held fixed but their partner."""
    nothing, size, stop = np.zeros((1, 1), dtype=np.int64), np.zeros(1, dtype=np.int64), np.zeros(1, np.uint8)
    left, right = np.array([label]), np.array([variable])
    statistic, dof, _, _ = run_tests(test, left, right, nothing, size, stop)
    return float(log_chi2_sf(statistic[0], dof[0]))


def indicators(codes: np.ndarray) -> np.ndarray:
    """Return an indicator of every level that occurs but the first."""
    return np.array([codes == level for level in np.unique(codes)[1:]], dtype=np.float64).reshape(
        -1, len(codes)
    )


def standardised(block: np.ndarray) -> np.ndarray:
    """Give each column mean 0 and, if it varies, variance 1."""
    deviations = block.std(axis=1, keepdims=True)
    scaled: np.ndarray = (block - block.mean(axis=1, keepdims=True)) / np.where(
        deviations > 0, deviations, 1.0
    )
    return scaled


_TESTED_FEATURES = 5
# Waves of each number that is held fixed, in radians a width: they follow any smooth curve.
_WAVES = (0.6, 1.2, 1.8, 2.4)
# The width of the kernel is the median distance of so many rows.
_WIDTH_ROWS = 500
# Beyond so many widths from the median numbers are far: of a normal law one in eighteen.
_FAR = 2.0
_SEED = 20190017
# Where a column's values in their order are looked at, and how coarsely, to draw its random numbers.
_PLACES = (0.0, 0.07, 0.23, 0.41, 0.5, 0.62, 0.79, 0.94, 1.0)
_COARSE = 1e-3


@dataclass(frozen=True, eq=False)
class RandomFourierData(TestData):
    """Features whose residuals' covariances are tested."""

    source: TestColumns = field(kw_only=True)

    def at_level(self, alpha: float) -> Self:
        """Return the same data with the partners that are significant at a level."""
        if self.critical.log_alpha == math.log(alpha):
            return self
        count = len(self.names)
        table = self.table._replace(partners=np.full((count, count), NO_PARTNER))
        partners: list[Partner] = []
        if table.is_label.any():
            low = low_orders(self.source)
            # All pairs that act on labels together are looked for before any is entered.
            for label in np.flatnonzero(table.is_label).tolist():
                partners += _partners(table, label, low, alpha)
        # The surest partner of a variable is entered last.
        for pair in sorted(partners, key=lambda pair: -pair.log_p):
            _enter(table, pair.label, pair.variable, pair.partner)
        return replace(super().at_level(alpha), table=table)


def arrange(columns: TestColumns, options: TestOptions) -> RandomFourierData:
    """Draw the features of every variable."""
    count = len(columns.variables)
    blocks = [
        standardised(indicators(values))
        if variable.kind is Kind.NOMINAL
        else standardised(bounded(values[None]))
        for variable, values in zip(columns.variables, columns.values, strict=True)
    ]
    generators = _generators(blocks)
    frequencies, phases = np.zeros((2, count, _TESTED_FEATURES))
    ranking = np.array([own[0].random() if own else 0.0 for own in generators])
    features, waves, coordinates, fixed = [], [], [], []
    for position, (variable, block) in enumerate(zip(columns.variables, blocks, strict=True)):
        own = generators[position]
        fixed += [generator.standard_normal(FIXED_FEATURES) for generator in own]
        if variable.kind is Kind.NOMINAL:
            coordinates.append(block)
            waves.append(block[:0])
            features.append(block)
            continue
        frequencies[position] = own[0].standard_normal(_TESTED_FEATURES)
        phases[position] = own[0].uniform(0.0, 2.0 * np.pi, _TESTED_FEATURES)
        scaled = _pulled_in(block[0])
        coordinates.append(scaled[None])
        angles = np.array(_WAVES)[:, None] * scaled
        waves.append(np.concatenate([np.sin(angles), np.cos(angles)]))
        block = np.cos(frequencies[position][:, None] * scaled + phases[position][:, None])
        features.append(block - block.mean(axis=1, keepdims=True))
    table = RandomFourierTable(
        np.concatenate(features),
        _starts(features),
        frequencies,
        phases,
        np.concatenate(waves),
        _starts(waves),
        np.concatenate(coordinates),
        _starts(coordinates),
        np.array(fixed).reshape(-1, FIXED_FEATURES).T.copy(),
        np.random.default_rng(_SEED).uniform(0.0, 2.0 * np.pi, FIXED_FEATURES),
        np.full((count, count), NO_PARTNER),
        np.array([variable.role is Role.LABEL for variable in columns.variables]),
        ranking,
    )
    return RandomFourierData(table, columns.names, columns.rows, traits=columns.traits, source=columns)


def _generators(blocks: Sequence[np.ndarray]) -> list[list[np.random.Generator]]:
    """Make a source of random numbers for each column from its distribution and how it goes with the others.

    So names, units, and the order of rows or columns change nothing, and equal distributions get different
    sources.
    """
    together = sum((block.sum(axis=0) for block in blocks), np.zeros(blocks[0].shape[1]))
    beside = standardised(np.array([together, together * together]))
    places = np.round(np.array(_PLACES) * (len(together) - 1)).astype(np.int64)
    generators = []
    for block in blocks:
        traits = np.concatenate([np.sort(block, axis=1)[:, places], block @ beside.T / len(together)], axis=1)
        # So coarse that rounding errors, as of a unit, hardly ever change a digit.
        digits = np.round(traits / _COARSE).astype(np.int64) & 0xFFFFFFFF
        generators.append([np.random.default_rng([_SEED, *digit]) for digit in digits.tolist()])
    return generators


def _pulled_in(values: np.ndarray) -> np.ndarray:
    """Return numbers in widths from their median, those beyond a few as the logarithm of what is beyond.

    Else far numbers would fill many waves of a cosine. Different numbers stay different, which keeps
    independence given them.
    """
    widths = (values - np.median(values)) / _width(values)
    beyond = np.maximum(np.abs(widths) - _FAR, 0.0)
    pulled: np.ndarray = np.sign(widths) * (np.minimum(np.abs(widths), _FAR) + np.log1p(beyond))
    return pulled - float(pulled.mean())


def _width(values: np.ndarray) -> float:
    """Return the median distance of two values that differ, of so many that lie evenly among all."""
    some = np.sort(values)
    if len(some) > _WIDTH_ROWS:
        some = some[np.round(np.linspace(0, len(some) - 1, _WIDTH_ROWS)).astype(np.int64)]
    # Each pair once.
    distances = np.concatenate([some[place:] - some[:-place] for place in range(1, len(some))])
    distances = distances[distances > 0]
    return float(np.median(distances)) if distances.size else float(np.ptp(values))


def _starts(blocks: list[np.ndarray]) -> np.ndarray:
    return np.concatenate([[0], np.cumsum([len(block) for block in blocks])]).astype(np.int64)
