"""Likelihood-ratio tests of nested linear and multinomial logistic models, for continuous and nominal data.

x and y are independent given S when a model of x by S and y explains x no better than a model by S alone
(Tsagris, Borboudakis, Lagani and Tsamardinos 2018, Constraint-based causal discovery with mixed data,
International Journal of Data Science and Analytics 6:19-30). The models have main effects only: a nominal
variable enters by one column a category but the most frequent, and nothing is multiplied.

- If x or y is continuous, it is the response of a linear model. With b columns of the other variable that S
  does not determine, and e degrees of freedom of the residuals of the larger model, the statistic is
  (e - 1 + b/2) ln(RSS of S / RSS of S and the other variable). The factor is Bartlett's (1938, Further
  aspects of the theory of multiple regression, Mathematical Proceedings of the Cambridge Philosophical
  Society 34:33-40) in place of the number of rows: with that, tests in small tables find too much. For two
  continuous variables it does not matter which is the response.
- If both are nominal, each is the response of a multinomial logistic model once, and the direction that
  finds less counts (the larger p-value). Either model being right then suffices for the level to hold, and
  the order of x and y makes no difference. The price is a little power where S tells much of both and the
  directions differ. Without S both are G².

Linear models are fitted to correlations, logistic ones by Newton steps. A Cholesky factor of the correlations
grows by one row a column. The square of a row's last entry is the share of variance that the columns before
leave over (Golub and Van Loan 2013, Matrix Computations, 4th ed., section 4.2).

Where a combination of predictors decides the category, the best coefficients are infinite. The likelihood
still has a least upper bound, and a likelihood ratio needs no more: every Newton step then comes nearer to
the bound by a factor of about e, until the gain is too small to matter (Albert and Anderson 1984, On the
existence of maximum likelihood estimates in logistic regression models, Biometrika 71:1-10).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from engine.compiled.decorators import inlined_part, kernel_part
from engine.independence.chi_squared import CriticalValues, critical_ratio
from engine.independence.columns import TestColumns, are_nominal
from engine.independence.data import TestData
from engine.independence.interface import Hypothesis, register_test, sort_set
from engine.independence.options import TestOptions
from engine.independence.tails import tails_of
from engine.translation import _

# A logistic model with more coefficients than this is not fitted.
MOST_COEFFICIENTS = 1000


class MixedTable(NamedTuple):
    """Standardised columns for linear and logistic models: numbers, or c - 1 indicators of c categories."""

    values: np.ndarray  # (columns, rows) of all variables
    correlation: np.ndarray  # (columns, columns)
    starts: np.ndarray  # (variables + 1,): where the columns of each begin in `values`
    categories: np.ndarray  # (variables,): how many occur; 0 for a continuous variable
    codes: np.ndarray  # (nominal variables, rows): category; 0 is the most frequent one
    code_rows: np.ndarray  # (variables,): row of `codes` of each nominal variable
    min_rows_per_coefficient: float  # reliability rule; 0 switches it off


class MixedWorkspace(NamedTuple):
    """Working memory of one thread."""

    members: np.ndarray  # the conditioning set in column order
    used: np.ndarray  # (width,): columns of the model so far, none determined by those before it
    factor: np.ndarray  # (width, width): Cholesky's, of their correlations
    row: np.ndarray  # (width + 1,): of a factor, or the values of a row of the table
    group_of_cell: np.ndarray  # group of each combination of categories, or -1
    group_rows: np.ndarray  # a row of each group of rows that are alike
    group_weights: np.ndarray  # how many rows are in each group
    coefficients: np.ndarray  # of a logistic model
    gradient: np.ndarray
    step: np.ndarray
    hessian: np.ndarray  # negative second derivatives of its log likelihood
    scores: np.ndarray  # (categories,): linear predictors and probabilities of one row
    probabilities: np.ndarray
    counts: np.ndarray  # (categories, categories): contingency table of two nominal variables
    totals: np.ndarray  # rows of each level of the first variable
    stop: np.ndarray  # (1,): not 0 asks to stop, as a logistic model of many coefficients takes seconds


def new_mixed_workspace(data: MixedTable, max_conditioning: int) -> MixedWorkspace:
    """Allocate working memory for conditioning sets of up to `max_conditioning` variables."""
    widths = np.sort(np.diff(data.starts))[::-1]
    width = int(widths[: max_conditioning + 2].sum())
    most = int(data.categories.max(initial=0))
    has_pairs = data.codes.shape[0] > 1
    coefficients = min(max(most - 1, 0) * (width + 1), MOST_COEFFICIENTS) if has_pairs else 0
    rows = data.values.shape[1] if has_pairs else 0
    return MixedWorkspace(
        members=np.empty(max_conditioning, np.int64),
        used=np.empty(width, np.int64),
        factor=np.empty((width, width)),
        row=np.empty(width + 1),
        group_of_cell=np.empty(rows, np.int64),
        group_rows=np.empty(rows, np.int64),
        group_weights=np.empty(rows),
        coefficients=np.empty(coefficients),
        gradient=np.empty(coefficients),
        step=np.empty(coefficients),
        hessian=np.empty((coefficients, coefficients)),
        scores=np.empty(most),
        probabilities=np.empty(most),
        counts=np.empty((most, most)),
        totals=np.empty(most),
        stop=np.zeros(1, np.uint8),
    )


_NO_GROUP = -1


@kernel_part
def group_rows(data: MixedTable, workspace: MixedWorkspace, x: int, y: int, size: int) -> int:
    """Group rows by two nominal variables and the set; singly if it is continuous or groups are many."""
    rows = data.values.shape[1]
    cells = data.categories[x] * data.categories[y]
    for position in range(size):
        cells *= data.categories[workspace.members[position]]
        if cells > rows:
            break
    if cells == 0 or cells > rows:
        return _ungrouped(workspace, rows)
    return _grouped(data, workspace, x, y, size, cells)


@inlined_part
def _ungrouped(workspace: MixedWorkspace, rows: int) -> int:
    for row in range(rows):
        workspace.group_rows[row] = row
        workspace.group_weights[row] = 1.0
    return rows


@inlined_part
def _grouped(data: MixedTable, workspace: MixedWorkspace, x: int, y: int, size: int, cells: int) -> int:
    codes_x, codes_y = data.codes[data.code_rows[x]], data.codes[data.code_rows[y]]
    for cell in range(cells):
        workspace.group_of_cell[cell] = _NO_GROUP
    groups = 0
    for row in range(codes_x.shape[0]):
        cell = codes_x[row] * data.categories[y] + codes_y[row]
        for position in range(size):
            member = workspace.members[position]
            cell = cell * data.categories[member] + data.codes[data.code_rows[member], row]
        group = workspace.group_of_cell[cell]
        if group == _NO_GROUP:
            group = groups
            workspace.group_of_cell[cell] = group
            workspace.group_rows[group] = row
            workspace.group_weights[group] = 0.0
            groups += 1
        workspace.group_weights[group] += 1.0
    return groups


# A share of variance below this is rounding error: the column is determined by those before it.
_NO_VARIANCE = 1e-10
# A response that is explained but for this share of its variance is explained as well as can be told.
_LEAST_VARIANCE = 1e-13


@kernel_part
def solve_row(data: MixedTable, workspace: MixedWorkspace, column: int, used_columns: int) -> float:
    """Write a column's factor entries to ``workspace.row``; return the variance share that is left."""
    factor, row = workspace.factor, workspace.row
    left = 1.0
    for position in range(used_columns):
        value = data.correlation[column, workspace.used[position]]
        for earlier in range(position):
            value -= row[earlier] * factor[position, earlier]
        row[position] = value / factor[position, position]
        left -= row[position] * row[position]
    return left


@kernel_part
def add_variable(data: MixedTable, workspace: MixedWorkspace, variable: int, used_columns: int) -> int:
    """Add those columns of a variable that the model does not determine; give the new number of columns."""
    for column in range(data.starts[variable], data.starts[variable + 1]):
        left = solve_row(data, workspace, column, used_columns)
        if left < _NO_VARIANCE:
            continue
        for position in range(used_columns):
            workspace.factor[used_columns, position] = workspace.row[position]
        workspace.factor[used_columns, used_columns] = math.sqrt(left)
        workspace.used[used_columns] = column
        used_columns += 1
    return used_columns


@kernel_part
def add_members(data: MixedTable, workspace: MixedWorkspace, size: int) -> int:
    """Begin a model with the conditioning set; give its number of columns."""
    used_columns = 0
    for position in range(size):
        used_columns = add_variable(data, workspace, workspace.members[position], used_columns)
    return used_columns


@kernel_part
def linear_test(
    data: MixedTable,
    workspace: MixedWorkspace,
    critical: CriticalValues,
    response: int,
    predictor: int,
    size: int,
) -> Any:
    """Test by linear models of a continuous response."""
    rows = data.values.shape[1]
    members = add_members(data, workspace, size)
    used_columns = add_variable(data, workspace, predictor, members)
    residual_dof = rows - 1 - used_columns
    if residual_dof < 1:
        return 0.0, 0.0, 0.0, False
    larger = solve_row(data, workspace, data.starts[response], used_columns)
    smaller = larger
    for position in range(members, used_columns):
        smaller += workspace.row[position] * workspace.row[position]
    reliable = rows >= data.min_rows_per_coefficient * (used_columns + 1)
    if used_columns == members or smaller < _NO_VARIANCE:
        return 0.0, 0.0, 0.0, reliable
    dof = float(used_columns - members)
    if larger < _LEAST_VARIANCE:
        larger = _LEAST_VARIANCE
    factor = residual_dof - 1.0 + 0.5 * dof
    statistic = factor * math.log(smaller / larger)
    return statistic, dof, critical_ratio(critical, statistic, dof), reliable


# Expected gain in log likelihood, and share of a second derivative, that are rounding error.
_NO_GAIN = 1e-10
_NO_CURVATURE = 1e-11
_MOST_STEPS = 100


@kernel_part
def start_from_margins(data: MixedTable, workspace: MixedWorkspace, response: int) -> None:
    """Set the coefficients of the model without predictors: log odds against the first category."""
    counts, codes = workspace.scores, data.codes[data.code_rows[response]]
    others = data.categories[response] - 1
    for category in range(others + 1):
        counts[category] = 0.0
    for row in range(codes.shape[0]):
        counts[codes[row]] += 1.0
    for level in range(others):
        workspace.coefficients[level] = math.log(counts[level + 1] / counts[0])


@kernel_part
def widen(workspace: MixedWorkspace, others: int, old: int, new: int) -> None:
    """Make room for further predictors with coefficient 0, so that a fit starts from the smaller model."""
    coefficients = workspace.coefficients
    for level in range(others - 1, -1, -1):
        for position in range(new - 1, -1, -1):
            coefficients[level * new + position] = (
                coefficients[level * old + position] if position < old else 0.0
            )


@kernel_part
def maximise(
    data: MixedTable, workspace: MixedWorkspace, response: int, used_columns: int, groups: int
) -> float:
    """Return the largest log likelihood of a response under the first `used_columns` columns of the model.

    Coefficients in the workspace are the start, and the best in the end. After a stop it is any number.
    """
    coefficients, step = workspace.coefficients, workspace.step
    size = (data.categories[response] - 1) * (used_columns + 1)
    best = -math.inf
    for _step in range(_MOST_STEPS):
        likelihood = _derivatives(data, workspace, response, used_columns, groups)
        if workspace.stop[0]:
            return likelihood
        if likelihood < best - _NO_GAIN * (1.0 + abs(best)):
            for position in range(size):
                step[position] *= 0.5
                coefficients[position] -= step[position]
            continue
        best = likelihood
        gain = 0.5 * _newton_step(workspace, size)
        if gain < _NO_GAIN:
            return best + gain
        for position in range(size):
            coefficients[position] += step[position]
    return best


@kernel_part
def _derivatives(
    data: MixedTable, workspace: MixedWorkspace, response: int, used_columns: int, groups: int
) -> float:
    """Compute log likelihood, gradient and the lower half of the negative second derivatives."""
    gradient, hessian = workspace.gradient, workspace.hessian
    row, probabilities = workspace.row, workspace.probabilities
    codes = data.codes[data.code_rows[response]]
    others, width = data.categories[response] - 1, used_columns + 1
    for position in range(others * width):
        gradient[position] = 0.0
        for earlier in range(position + 1):
            hessian[position, earlier] = 0.0
    likelihood = 0.0
    row[0] = 1.0
    for group in range(groups):
        if workspace.stop[0]:
            break
        source, weight = workspace.group_rows[group], workspace.group_weights[group]
        for position in range(used_columns):
            row[position + 1] = data.values[workspace.used[position], source]
        category = codes[source]
        likelihood += weight * _predict(workspace, category, others, width)
        for level in range(others):
            start = level * width
            probability = probabilities[level]
            residual = -probability
            if category == level + 1:
                residual += 1.0
            residual *= weight
            for position in range(width):
                gradient[start + position] += residual * row[position]
            for second in range(level + 1):
                second_start = second * width
                curvature = -probability * probabilities[second]
                if second == level:
                    curvature = probability * (1.0 - probability)
                curvature *= weight
                for position in range(width):
                    factor = curvature * row[position]
                    end = position + 1 if second == level else width
                    for second_place in range(end):
                        hessian[start + position, second_start + second_place] += factor * row[second_place]
    return likelihood


@inlined_part
def _predict(workspace: MixedWorkspace, category: int, others: int, width: int) -> float:
    """Compute the probabilities of all categories but the first; give the log of that of `category`."""
    scores, probabilities = workspace.scores, workspace.probabilities
    largest = 0.0
    for level in range(others):
        score = 0.0
        for position in range(width):
            score += workspace.coefficients[level * width + position] * workspace.row[position]
        scores[level] = score
        if score > largest:
            largest = score
    total = math.exp(-largest)
    for level in range(others):
        probabilities[level] = math.exp(scores[level] - largest)
        total += probabilities[level]
    for level in range(others):
        probabilities[level] /= total
    chosen = scores[category - 1] if category > 0 else 0.0
    return chosen - largest - math.log(total)


@kernel_part
def _newton_step(workspace: MixedWorkspace, size: int) -> float:
    """Solve for the Newton step by Cholesky without flat directions; return its product with the gradient."""
    hessian, gradient, step = workspace.hessian, workspace.gradient, workspace.step
    gain = 0.0
    for row in range(size):
        if workspace.stop[0]:
            break
        scale = hessian[row, row]
        for column in range(row):
            value = hessian[row, column]
            for earlier in range(column):
                value -= hessian[row, earlier] * hessian[column, earlier]
            pivot = hessian[column, column]
            hessian[row, column] = value / pivot if pivot > 0.0 else 0.0
        left = scale
        value = gradient[row]
        for earlier in range(row):
            left -= hessian[row, earlier] * hessian[row, earlier]
            value -= hessian[row, earlier] * step[earlier]
        is_flat = left <= _NO_CURVATURE * scale
        hessian[row, row] = 0.0 if is_flat else math.sqrt(left)
        step[row] = 0.0 if is_flat else value / hessian[row, row]
        gain += step[row] * step[row]
    for row in range(size - 1, -1, -1):
        value = step[row]
        for later in range(row + 1, size):
            value -= hessian[later, row] * step[later]
        step[row] = value / hessian[row, row] if hessian[row, row] > 0.0 else 0.0
    return gain


# Rounding error of a statistic, a row.
_ROUNDING = 1e-13


@kernel_part
def contingency_test(
    data: MixedTable, workspace: MixedWorkspace, critical: CriticalValues, x: int, y: int
) -> Any:
    """Test two nominal variables by G² or Pearson's X², the smaller: either may exceed chi-squared."""
    codes_x, codes_y = data.codes[data.code_rows[x]], data.codes[data.code_rows[y]]
    levels_x, levels_y = data.categories[x], data.categories[y]
    rows, counts = codes_x.shape[0], workspace.counts
    for level_x in range(levels_x):
        for level_y in range(levels_y):
            counts[level_x, level_y] = 0.0
    for row in range(rows):
        counts[codes_x[row], codes_y[row]] += 1.0
    half, squares = _entropy_term(float(rows)), 0.0
    for level_x in range(levels_x):
        total = 0.0
        for level_y in range(levels_y):
            total += counts[level_x, level_y]
            half += _entropy_term(counts[level_x, level_y])
        half -= _entropy_term(total)
        workspace.totals[level_x] = total
    for level_y in range(levels_y):
        total, shares = 0.0, 0.0
        for level_x in range(levels_x):
            total += counts[level_x, level_y]
            shares += counts[level_x, level_y] * counts[level_x, level_y] / workspace.totals[level_x]
        half -= _entropy_term(total)
        squares += shares / total
    dof = (levels_x - 1.0) * (levels_y - 1.0)
    statistic = _without_rounding(min(2.0 * half, rows * (squares - 1.0)), rows)
    coefficients = levels_x * levels_y - (levels_x if levels_x > levels_y else levels_y)
    reliable = rows >= data.min_rows_per_coefficient * coefficients
    return statistic, dof, critical_ratio(critical, statistic, dof), reliable


@inlined_part
def _entropy_term(count: float) -> float:
    return count * math.log(count) if count > 0.0 else 0.0


@inlined_part
def _without_rounding(statistic: float, rows: int) -> float:
    """Take a statistic for 0 that is no larger than the rounding errors of the sums it is made of."""
    return statistic if statistic > _ROUNDING * rows else 0.0


@kernel_part
def logistic_test(
    data: MixedTable,
    workspace: MixedWorkspace,
    critical: CriticalValues,
    response: int,
    predictor: int,
    members: int,
    groups: int,
) -> Any:
    """Test by multinomial logistic models of a nominal response; the model holds the set already."""
    rows = data.values.shape[1]
    used_columns = add_variable(data, workspace, predictor, members)
    others = data.categories[response] - 1
    coefficients = others * (used_columns + 1)
    # With a coefficient a row there is nothing left that could speak against a model.
    if coefficients >= rows or coefficients > workspace.coefficients.shape[0]:
        return 0.0, 0.0, 0.0, False
    reliable = rows >= data.min_rows_per_coefficient * coefficients
    dof = float(others * (used_columns - members))
    if dof == 0.0:
        return 0.0, 0.0, 0.0, reliable
    start_from_margins(data, workspace, response)
    widen(workspace, others, 1, members + 1)
    smaller = maximise(data, workspace, response, members, groups)
    widen(workspace, others, members + 1, used_columns + 1)
    larger = maximise(data, workspace, response, used_columns, groups)
    statistic = _without_rounding(2.0 * (larger - smaller), rows)
    return statistic, dof, critical_ratio(critical, statistic, dof), reliable


@dataclass(frozen=True, eq=False)
class MixedData(TestData):
    """Columns for linear and logistic models, which have no strata."""

    def nominal_dof(self, x: int, y: int, given: Sequence[int]) -> int:
        """Count the columns of the one times those of the other."""
        widths = np.diff(self.table.starts)
        return int(widths[x] * widths[y])

    @property
    def regresses(self) -> bool:
        """The columns of linear and logistic models are at hand."""
        return True

    def outcome_of(self, variable: int) -> tuple[np.ndarray, int] | None:
        """Return the codes of a nominal variable, or the standardised numbers of another."""
        levels = int(self.table.categories[variable])
        if levels == 0:
            return self.table.values[self.table.starts[variable]], 0
        return self.table.codes[self.table.code_rows[variable]], levels

    def predictors_of(self, variable: int, most: int | None = None) -> np.ndarray | None:
        """Return the standardised number, or indicators of all categories but the most frequent."""
        columns: np.ndarray = self.table.values[self.table.starts[variable] : self.table.starts[variable + 1]]
        return columns[:most]


def arrange(columns: TestColumns, options: TestOptions) -> MixedData:
    """Arrange numbers and categories for linear and logistic models."""
    nominal = are_nominal(columns.variables)
    tails = None
    if not columns.is_part:
        shown = zip(columns.values, nominal, strict=True)
        heaviest = [_rarest(values) if is_nominal else values for values, is_nominal in shown]
        tails = tails_of(
            columns.names,
            np.array(heaviest, dtype=np.float64),
            _("Use the test 'basis', or set them to ignored."),
            are_categories=nominal,
        )
    table = mixed_table(columns.values, nominal, min_rows_per_coefficient=options.min_rows_per_dof)
    return MixedData(table, columns.names, columns.rows, traits=columns.traits, tails=tails)


def _rarest(codes: np.ndarray) -> np.ndarray:
    """Indicate the rarest level that occurs: the heaviest column of a category."""
    levels, counts = np.unique(codes, return_counts=True)
    is_rarest: np.ndarray = codes == levels[np.argmin(counts)]
    return is_rarest


def mixed_table(
    columns: Sequence[np.ndarray],
    nominal: Sequence[bool],
    *,
    min_rows_per_coefficient: float = 0.0,
) -> MixedTable:
    """Arrange numbers, and codes of categories, for linear and logistic models; none missing or constant."""
    rows = columns[0].shape[0]
    blocks: list[np.ndarray] = []
    codes: list[np.ndarray] = []
    categories, code_rows = [], []
    for column, is_nominal in zip(columns, nominal, strict=True):
        code_rows.append(len(codes))
        if is_nominal:
            coded = _by_frequency(column)
            count = int(coded.max()) + 1
            codes.append(coded)
            categories.append(count)
            blocks.append(_standardised(coded == np.arange(1, count)[:, np.newaxis]))
        else:
            categories.append(0)
            blocks.append(_standardised(column[np.newaxis, :]))
    values = np.concatenate(blocks)
    widths = np.array([len(block) for block in blocks])
    return MixedTable(
        values=values,
        correlation=values @ values.T / rows,
        starts=np.concatenate(([0], np.cumsum(widths))).astype(np.int64),
        categories=np.array(categories, dtype=np.int64),
        codes=np.array(codes, dtype=np.int32).reshape(len(codes), rows),
        code_rows=np.array(code_rows, dtype=np.int64),
        min_rows_per_coefficient=float(min_rows_per_coefficient),
    )


def _by_frequency(column: np.ndarray) -> np.ndarray:
    """Code the categories that occur, the most frequent first: it is what the others are compared with."""
    _, codes, counts = np.unique(column, return_inverse=True, return_counts=True)
    rank = np.empty(len(counts), dtype=np.int32)
    rank[np.argsort(-counts, kind="stable")] = np.arange(len(counts))
    return rank[codes]


def _standardised(block: np.ndarray) -> np.ndarray:
    """Centre the rows of a block and give them variance 1; size and place of the numbers do no harm."""
    numbers = block.astype(np.float64)
    largest = np.abs(numbers).max(axis=1, keepdims=True, initial=0.0)
    numbers = np.divide(numbers, largest, out=np.zeros_like(numbers), where=largest > 0.0)
    numbers -= numbers.mean(axis=1, keepdims=True)
    spread = np.sqrt((numbers**2).mean(axis=1, keepdims=True))
    scaled: np.ndarray = np.divide(numbers, spread, out=np.zeros_like(numbers), where=spread > 0.0)
    return scaled


@kernel_part
def test_mixed(
    data: MixedTable,
    workspace: MixedWorkspace,
    critical: CriticalValues,
    hypothesis: Hypothesis,
) -> Any:
    """Test two variables given a set; not reliable where rows do not suffice for the coefficients."""
    x, y, given, size = hypothesis
    first, second = (x, y) if x < y else (y, x)
    sort_set(workspace.members, given, size)
    if data.categories[first] == 0:
        return linear_test(data, workspace, critical, first, second, size)
    if data.categories[second] == 0:
        return linear_test(data, workspace, critical, second, first, size)
    if size == 0:
        return contingency_test(data, workspace, critical, first, second)
    used_columns = add_members(data, workspace, size)
    groups = group_rows(data, workspace, first, second, size)
    forward = logistic_test(data, workspace, critical, first, second, used_columns, groups)
    backward = logistic_test(data, workspace, critical, second, first, used_columns, groups)
    if forward[3] and (forward[2] <= backward[2] or not backward[3]):
        return forward
    return backward


register_test(MixedTable, new_mixed_workspace, test_mixed)
