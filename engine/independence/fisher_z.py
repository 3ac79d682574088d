"""Fisher's z test of a partial correlation, with missing values or without.

Fisher (1924), The distribution of the partial correlation coefficient, Metron 3:329-332.

Where values are missing, correlations are computed for each test from the rows that are complete in its
variables, so that they belong to one sample; a matrix of correlations from different rows for each pair need
not be one of any sample (Little and Rubin 2019, Statistical Analysis with Missing Data, 3rd ed., section
3.4).

Where each row stands for some of a population, the partial correlation is that of the population: of
residuals of weighted least squares. How much it varies hangs on what the weights go with, as a row counts by
the square of its weight in the variance and by its weight in the mean. So the rows are worth the sum of the
weights over a design effect: the mean weight of the squared products of the two residuals (Fuller 1975,
Regression analysis for sample survey, Sankhyā C 37:117-132; Binder 1983, On the variances of asymptotically
normal estimators from complex surveys, International Statistical Review 51:279-292). For equal weights that
is their number; for weights that go with nothing it is Kish's effective number.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from engine.compiled.decorators import inlined_part, kernel_part
from engine.independence.chi_squared import CriticalValues
from engine.independence.columns import TestColumns, numbers_of
from engine.independence.data import TestData, chi_squared_effect, links_of_chain
from engine.independence.discrete.table import find_complete, is_complete, present_sets
from engine.independence.interface import Hypothesis, register_test
from engine.independence.options import TestOptions
from engine.independence.set_fits import ROWS_PER_COLUMN, SetFits, gaussian_fits
from engine.independence.tails import bounded, normal_scores, tails_of
from engine.table.variable import Role
from engine.translation import _

# A residual variance below this share of the total is rounding error, not information.
NO_VARIANCE = 1e-10
# Largest correlation below 1 in double precision, so that z stays finite for exact copies.
LARGEST_CORRELATION = 1.0 - 2.0**-53


class GaussianTable(NamedTuple):
    """Pearson correlations of all variables, and the rows that they rest on, or what these are worth."""

    correlation: np.ndarray
    rows: float


class GaussianWorkspace(NamedTuple):
    """Working memory: a square matrix of the conditioning variables and the tested pair."""

    matrix: np.ndarray


def gaussian_table(values: np.ndarray) -> GaussianTable:
    """Compute the correlations of numbers (variables, rows); nothing missing, nothing constant."""
    correlation = np.ascontiguousarray(np.atleast_2d(np.corrcoef(values)))
    # A number as of rows with weights, so that the tests are compiled once for both.
    return GaussianTable(correlation, float(values.shape[1]))


def weighted_gaussian_table(values: np.ndarray, weights: np.ndarray) -> GaussianTable:
    """Compute the correlations of numbers (variables, rows); each row stands for as many as it weighs."""
    centred = values - np.average(values, axis=1, weights=weights)[:, np.newaxis]
    scaled = centred * np.sqrt(weights)
    scaled /= np.linalg.norm(scaled, axis=1, keepdims=True)
    correlation = np.clip(scaled @ scaled.T, -1.0, 1.0)
    np.fill_diagonal(correlation, 1.0)
    return GaussianTable(np.ascontiguousarray(correlation), float(weights.sum()))


def new_gaussian_workspace(data: GaussianTable, max_conditioning: int) -> GaussianWorkspace:
    """Allocate working memory for conditioning sets of up to `max_conditioning` variables."""
    return GaussianWorkspace(np.empty((max_conditioning + 2, max_conditioning + 2)))


@inlined_part
def partial_correlation(data: GaussianTable, workspace: GaussianWorkspace, hypothesis: Hypothesis) -> float:
    """Return the partial correlation given a set, by elimination; 0 where the set determines one."""
    x, y, given, size = hypothesis
    matrix = workspace.matrix
    width = size + 2
    for row in range(width):
        variable = given[row] if row < size else (x if row == size else y)
        for column in range(row + 1):
            partner = given[column] if column < size else (x if column == size else y)
            matrix[row, column] = data.correlation[variable, partner]
            matrix[column, row] = matrix[row, column]
    return eliminate(matrix, size)


@inlined_part
def eliminate(matrix: np.ndarray, size: int) -> float:
    """Partial correlation of the last two of ``size + 2`` variables given the others; overwrites `matrix`."""
    width = size + 2
    for pivot in range(size):
        variance = matrix[pivot, pivot]
        if variance < NO_VARIANCE:
            continue
        for row in range(pivot + 1, width):
            factor = matrix[row, pivot] / variance
            for column in range(pivot + 1, width):
                matrix[row, column] -= factor * matrix[pivot, column]
    variance_x, variance_y = matrix[size, size], matrix[size + 1, size + 1]
    if variance_x < NO_VARIANCE or variance_y < NO_VARIANCE:
        return 0.0
    correlation: float = matrix[size, size + 1] / math.sqrt(variance_x * variance_y)
    return min(max(correlation, -LARGEST_CORRELATION), LARGEST_CORRELATION)


@inlined_part
def z_of(critical: CriticalValues, correlation: float, scale: float) -> Any:
    """Return Fisher's z, its dof, ratio and reliability; `scale` is effective rows less set size less 3."""
    statistic = math.atanh(correlation) * math.sqrt(scale)
    return statistic, 0.0, abs(statistic) / critical.z, True


@kernel_part
def test_gaussian(
    data: GaussianTable,
    workspace: GaussianWorkspace,
    critical: CriticalValues,
    hypothesis: Hypothesis,
) -> Any:
    """Test two continuous variables given a set."""
    size = hypothesis.size
    scale = data.rows - size - 3
    if scale <= 0:
        return 0.0, 0.0, 0.0, False
    correlation = partial_correlation(data, workspace, hypothesis)
    return z_of(critical, correlation, scale)


register_test(GaussianTable, new_gaussian_workspace, test_gaussian)


# A column whose deviations are below this share of its size is constant but for rounding.
_CONSTANT = 1e-14


class IncompleteGaussianTable(NamedTuple):
    """Numbers with missing values."""

    counted: GaussianTable  # of use only between variables without missing values
    values: np.ndarray  # (variables, rows), standardised; 0 where missing
    present: np.ndarray  # (variables, words): rows that have a value, as bits
    weights: np.ndarray  # how many observations each row stands for
    roots: np.ndarray  # of the weights


class IncompleteGaussianWorkspace(NamedTuple):
    """Working memory."""

    elimination: GaussianWorkspace
    # (depth, rows): deviations from means over the rows of the test, times the roots of weights; 0 in other
    # rows
    columns: np.ndarray
    complete: np.ndarray  # (words,): rows that the test can use, as bits
    weights: np.ndarray  # those of the table, 0 in other rows
    roots: np.ndarray  # likewise


def incomplete_gaussian_table(
    values: np.ndarray, weights: np.ndarray | None = None
) -> IncompleteGaussianTable:
    """Arrange numbers (variables, rows), NaN where missing, none constant; weights as of frequency."""
    filled = standardised(values)
    if weights is None:
        weights = np.ones(values.shape[1])
        counted = gaussian_table(filled)
    else:
        counted = weighted_gaussian_table(filled, weights)
    return IncompleteGaussianTable(
        counted, filled, present_sets(np.isnan(values)), np.array(weights), np.sqrt(weights)
    )


def standardised(values: np.ndarray) -> np.ndarray:
    """Return columns of mean 0 and variance 1, and 0 where values are missing; the shape stays."""
    centred = values - np.nanmean(values, axis=1, keepdims=True)
    centred /= np.nanstd(centred, axis=1, keepdims=True)
    return np.where(np.isnan(values), 0.0, centred)


def new_incomplete_gaussian_workspace(
    data: IncompleteGaussianTable, max_conditioning: int
) -> IncompleteGaussianWorkspace:
    """Allocate working memory for conditioning sets of up to `max_conditioning` variables."""
    elimination = new_gaussian_workspace(data.counted, max_conditioning)
    return workspace_of_rows(data, max_conditioning, elimination)


def workspace_of_rows(
    data: Any, max_conditioning: int, elimination: GaussianWorkspace
) -> IncompleteGaussianWorkspace:
    """Allocate what tests of the rows themselves work in, besides what they eliminate variables in."""
    rows = data.values.shape[1]
    return IncompleteGaussianWorkspace(
        elimination,
        np.empty((max_conditioning + 2, rows)),
        np.empty(data.present.shape[1], np.uint64),
        np.empty(rows),
        np.empty(rows),
    )


@kernel_part
def test_incomplete_gaussian(
    data: IncompleteGaussianTable,
    workspace: IncompleteGaussianWorkspace,
    critical: CriticalValues,
    hypothesis: Hypothesis,
) -> Any:
    """Test two continuous variables given a set, on the rows that are complete in all of them."""
    size = hypothesis.size
    rows = find_complete(data.present, hypothesis, workspace.complete)
    unpack_weights(data, workspace)
    observations = sum_of_products(workspace.roots, workspace.roots)
    scale = observations - size - 3.0
    if scale <= 0.0:
        return 0.0, 0.0, 0.0, False
    if rows == data.values.shape[1]:
        correlation = partial_correlation(data.counted, workspace.elimination, hypothesis)
    else:
        _correlate(data, workspace, hypothesis, observations)
        correlation = eliminate(workspace.elimination.matrix, size)
    return z_of(critical, correlation, scale)


@kernel_part
def _correlate(
    data: IncompleteGaussianTable,
    workspace: IncompleteGaussianWorkspace,
    hypothesis: Hypothesis,
    total: float,
) -> None:
    """Write the correlations over the complete rows; those of what is constant there are 0."""
    x, y, given, size = hypothesis
    matrix, width = workspace.elimination.matrix, size + 2
    for position in range(width):
        variable = given[position] if position < size else (x if position == size else y)
        centre(data.values[variable], workspace, total, workspace.columns[position])
        for earlier in range(position + 1):
            matrix[position, earlier] = sum_of_products(
                workspace.columns[position], workspace.columns[earlier]
            )
    for position in range(width):
        for earlier in range(position):
            lengths = math.sqrt(matrix[position, position] * matrix[earlier, earlier])
            matrix[position, earlier] = matrix[position, earlier] / lengths if lengths > 0.0 else 0.0
            matrix[earlier, position] = matrix[position, earlier]
    for position in range(width):
        matrix[position, position] = 1.0 if matrix[position, position] > 0.0 else 0.0


@inlined_part
def unpack_weights(data: Any, workspace: IncompleteGaussianWorkspace) -> None:
    """Write the weights of the complete rows, 0 for others; `data` is a table with weights and roots."""
    for row in range(data.weights.shape[0]):
        used = is_complete(workspace.complete, row)
        workspace.weights[row] = used * data.weights[row]
        workspace.roots[row] = used * data.roots[row]


@kernel_part
def centre(
    values: np.ndarray, workspace: IncompleteGaussianWorkspace, total: float, column: np.ndarray
) -> None:
    """Write the deviations from the mean of the complete rows; zeros when all are equal but for rounding."""
    mean = sum_of_products(values, workspace.weights) / total
    for row in range(values.shape[0]):
        column[row] = (values[row] - mean) * workspace.roots[row]
    squares = sum_of_products(column, column)
    if squares <= _CONSTANT**2 * (squares + total * mean * mean):
        for row in range(values.shape[0]):
            column[row] = 0.0


@kernel_part
def sum_of_products(first: np.ndarray, second: np.ndarray) -> float:
    """Add up products, in four sums that processors make side by side, always in the same order."""
    one, two, three, four = 0.0, 0.0, 0.0, 0.0
    whole = first.shape[0] - first.shape[0] % 4
    for row in range(0, whole, 4):
        one += first[row] * second[row]
        two += first[row + 1] * second[row + 1]
        three += first[row + 2] * second[row + 2]
        four += first[row + 3] * second[row + 3]
    for row in range(whole, first.shape[0]):
        one += first[row] * second[row]
    return (one + two) + (three + four)


register_test(
    IncompleteGaussianTable,
    new_incomplete_gaussian_workspace,
    test_incomplete_gaussian,
)


@dataclass(frozen=True, eq=False)
class GaussianData(TestData):
    """Numbers whose correlations are tested: the statistic is z, and has no degrees of freedom."""

    def as_chi_squared(self, statistic: np.ndarray, dof: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Square z, which is then chi-squared with one degree of freedom."""
        return statistic**2, np.ones(len(statistic))

    def effect(self, statistic: float, tested: tuple[int, ...], given: tuple[int, ...]) -> float:
        """Return the absolute partial correlation; of a joint test what its chi-squared stands for."""
        observations = self.observations_of((*tested[:2], *given))
        if len(tested) > 2:
            return chi_squared_effect(statistic, observations)
        return correlation_effect(statistic, observations - len(given) - 3)

    @property
    def fits_sets(self) -> bool:
        """Pairs without gaps rest on the same rows, so that there is one model of all."""
        return True

    def fits_of_sets(self, variables: np.ndarray) -> SetFits | None:
        """Return the fits of a Gaussian model to sets of as many variables as the rows bear."""
        rows: float = self.table.rows
        borne = variables[: int(rows / ROWS_PER_COLUMN)]
        if len(borne) < 2:
            return None
        return gaussian_fits(self.table.correlation[np.ix_(borne, borne)], [1] * len(borne), rows)


@dataclass(frozen=True, eq=False)
class IncompleteGaussianData(GaussianData):
    """Numbers with gaps: the table holds the one for pairs without."""

    @property
    def fits_sets(self) -> bool:
        """Each pair rests on rows of its own."""
        return False


def correlation_effect(z: float, scale: float) -> float:
    """Absolute partial correlation behind z = artanh(r) sqrt(scale).

    >>> round(correlation_effect(5.0, 100), 3)
    0.462
    """
    return math.tanh(abs(z) / math.sqrt(max(scale, 1)))


class SampledGaussianTable(NamedTuple):
    """Numbers, with missing values or without, and a sampling weight for each row."""

    values: np.ndarray  # (variables, rows), standardised; 0 where missing
    present: np.ndarray  # (variables, words): rows that have a value, as bits
    weights: np.ndarray  # of mean 1
    roots: np.ndarray  # of the weights


@dataclass(frozen=True, eq=False)
class SampledGaussianData(GaussianData):
    """Numbers, with gaps or without, whose rows have sampling weights."""

    @property
    def fits_sets(self) -> bool:
        """Rows that stand for unlike many have no likelihood."""
        return False

    def effect(self, statistic: float, tested: tuple[int, ...], given: tuple[int, ...]) -> float:
        """Return the absolute partial correlation; of a joint test the multiple one."""
        x, *others = tested
        unexplained = 1.0
        for link in links_of_chain(others, given):
            unexplained *= 1.0 - self._correlation(x, *link) ** 2
        return math.sqrt(max(1.0 - unexplained, 0.0))

    def _correlation(self, x: int, y: int, given: tuple[int, ...]) -> float:
        table: SampledGaussianTable = self.table
        used = self.complete_rows((x, y, *given))
        roots = table.roots[used]
        held = np.vstack((np.ones(len(roots)), table.values[list(given)][:, used])) * roots
        pair = table.values[[x, y]][:, used] * roots
        left = pair - (held.T @ np.linalg.lstsq(held.T, pair.T, rcond=None)[0]).T
        lengths = np.linalg.norm(left, axis=1).prod()
        return float(left[0] @ left[1] / lengths) if lengths > NO_VARIANCE else 0.0


def sampled_gaussian_table(values: np.ndarray, weights: np.ndarray) -> SampledGaussianTable:
    """Arrange numbers (variables, rows), NaN where missing, with sampling weights; their ratios count."""
    scaled = weights / weights.mean()
    present = present_sets(np.isnan(values))
    return SampledGaussianTable(standardised(values), present, scaled, np.sqrt(scaled))


def new_sampled_gaussian_workspace(
    data: SampledGaussianTable, max_conditioning: int
) -> IncompleteGaussianWorkspace:
    """Allocate working memory for conditioning sets of up to `max_conditioning` variables."""
    lengths = GaussianWorkspace(np.empty((max_conditioning + 2, 1)))
    return workspace_of_rows(data, max_conditioning, lengths)


@kernel_part
def test_sampled_gaussian(
    data: SampledGaussianTable,
    workspace: IncompleteGaussianWorkspace,
    critical: CriticalValues,
    hypothesis: Hypothesis,
) -> Any:
    """Test two numbers given a set: z = artanh(r) sqrt(worth - size - 3), by effective complete rows."""
    size = hypothesis.size
    find_complete(data.present, hypothesis, workspace.complete)
    unpack_weights(data, workspace)
    _take_out(data, workspace, hypothesis)
    first, second = workspace.columns[size], workspace.columns[size + 1]
    lengths = math.sqrt(sum_of_products(first, first) * sum_of_products(second, second))
    scale = _worth(workspace, first, second) - size - 3.0
    if scale <= 0.0:
        return 0.0, 0.0, 0.0, False
    correlation = sum_of_products(first, second) / lengths if lengths > 0.0 else 0.0
    correlation = min(max(correlation, -LARGEST_CORRELATION), LARGEST_CORRELATION)
    return z_of(critical, correlation, scale)


@kernel_part
def _take_out(
    data: SampledGaussianTable,
    workspace: IncompleteGaussianWorkspace,
    hypothesis: Hypothesis,
) -> None:
    """Write residuals of the tested variables, times roots of weights; 0 where determined by earlier ones."""
    x, y, given, size = hypothesis
    columns, lengths = workspace.columns, workspace.elimination.matrix
    total = sum_of_products(workspace.roots, workspace.roots)
    for position in range(size + 2):
        variable = given[position] if position < size else (x if position == size else y)
        centre(data.values[variable], workspace, total, columns[position])
        before = sum_of_products(columns[position], columns[position])
        for earlier in range(min(position, size)):
            if lengths[earlier, 0] > 0.0:
                share = sum_of_products(columns[position], columns[earlier]) / lengths[earlier, 0]
                for row in range(columns.shape[1]):
                    columns[position, row] -= share * columns[earlier, row]
        lengths[position, 0] = sum_of_products(columns[position], columns[position])
        if lengths[position, 0] < NO_VARIANCE * before:
            lengths[position, 0] = 0.0
            columns[position, :] = 0.0


@kernel_part
def _worth(workspace: IncompleteGaussianWorkspace, first: np.ndarray, second: np.ndarray) -> float:
    """Tell how many rows of equal weight the rows are worth."""
    total, products, weighted = 0.0, 0.0, 0.0
    for row in range(first.shape[0]):
        weight = workspace.weights[row]
        if weight > 0.0:
            product = first[row] * second[row]
            total += weight
            products += product * product / weight
            weighted += product * product
    return total * products / weighted if weighted > 0.0 else total


register_test(SampledGaussianTable, new_sampled_gaussian_workspace, test_sampled_gaussian)


def arrange(columns: TestColumns, options: TestOptions) -> GaussianData:
    """Arrange numbers, and categories with two levels, for Fisher's z."""
    remedy = _("Use the test 'fisher-z-rank' or 'basis', or set them to ignored.")
    return _arranged(columns, bounded(numbers_of(columns)), remedy, options)


def arrange_ranks(columns: TestColumns, options: TestOptions) -> GaussianData:
    """Arrange normal scores of numbers, and of categories with two levels, for Fisher's z."""
    remedy = _("Use the test 'basis', or 'g2' with the columns as categories, or set them to ignored.")
    values = normal_scores(numbers_of(columns), _times(columns, options))
    return _arranged(columns, values, remedy, options)


def _times(columns: TestColumns, options: TestOptions) -> np.ndarray | None:
    """Tell how often each row occurred; None where weights say something else."""
    return None if options.weights_are_of_a_sample else columns.weights


def _arranged(columns: TestColumns, values: np.ndarray, remedy: str, options: TestOptions) -> GaussianData:
    weights, is_sample = columns.weights, options.weights_are_of_a_sample
    tails = None
    if not columns.is_part:
        labels = [variable.role is Role.LABEL for variable in columns.variables]
        tails = tails_of(columns.names, values, remedy, times=_times(columns, options), are_labels=labels)
    about: dict[str, Any] = {
        "names": columns.names,
        "rows": columns.rows,
        "traits": columns.traits,
        "weights": weights,
        "is_sample": is_sample,
        "tails": tails,
    }
    has_gaps = bool(np.isnan(values).any())
    if weights is not None and is_sample:
        sampled = sampled_gaussian_table(values, weights)
        return SampledGaussianData(sampled, **about, present=sampled.present if has_gaps else None)
    if has_gaps:
        incomplete = incomplete_gaussian_table(values, weights)
        return IncompleteGaussianData(incomplete, **about, present=incomplete.present)
    if weights is None:
        return GaussianData(gaussian_table(values), **about)
    return GaussianData(weighted_gaussian_table(values, weights), **about)
