"""Fisher's z test of a partial correlation, with complete rows or with gaps.

Fisher (1924), The distribution of the partial correlation coefficient, Metron 3:329-332.

Their correlations are computed for the test from these rows alone, so that they belong to one sample; a
matrix of correlations from different rows for each pair need not be one of any sample (Little and Rubin
2019, Statistical Analysis with Missing Data, 3rd ed., section 3.4).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from engine.compiled.decorators import inlined_part, kernel_part
from engine.independence.chi_squared import chi2_critical_values
from engine.independence.counting.table import find_complete, present_sets
from engine.independence.interface import register_test
from engine.table.code_blocks import BITS_PER_WORD

# A residual variance below this share of the total is rounding error, not information.
NO_VARIANCE = 1e-10
# Largest correlation below 1 in double precision, so that z stays finite for exact copies.
LARGEST_CORRELATION = 1.0 - 2.0**-53


class GaussianTable(NamedTuple):
    """Correlations of all variables.

    Attributes
    ----------
    correlation : ndarray of float64, shape (variables, variables)
        Pearson correlations.
    rows : float
        Rows that they rest on; where rows have weights, what these are worth.
    critical : float
        Critical value of |z|.
    """

    correlation: np.ndarray
    rows: float
    critical: float


class GaussianWorkspace(NamedTuple):
    """Working memory: a square matrix of the conditioning variables and the tested pair."""

    matrix: np.ndarray


def critical_z(alpha: float) -> float:
    """Return the critical value of ``|z|``."""
    return math.sqrt(chi2_critical_values(alpha, 1)[1])


def gaussian_table(values: np.ndarray, *, alpha: float) -> GaussianTable:
    """Compute the correlations of the rows of `values`.

    Parameters
    ----------
    values : ndarray of float64, shape (variables, rows)
        Nothing missing, nothing constant.
    alpha : float
        Level of the tests.

    Returns
    -------
    GaussianTable
    """
    correlation = np.ascontiguousarray(np.atleast_2d(np.corrcoef(values)))
    # A number as of rows with weights, so that the tests are compiled once for both.
    return GaussianTable(correlation, float(values.shape[1]), critical_z(alpha))


def weighted_gaussian_table(
    values: np.ndarray, weights: np.ndarray, rows: float, *, alpha: float
) -> GaussianTable:
    """Compute the correlations of the rows of `values` where each observation has a weight.

    Parameters
    ----------
    values : ndarray of float64, shape (variables, rows)
        Nothing missing.
    weights : ndarray of float64, shape (rows,)
        At least 0, not all 0.
    rows : float
        How many rows of equal weight they are worth.
    alpha : float
        Level of the tests.

    Returns
    -------
    GaussianTable
    """
    centred = values - np.average(values, axis=1, weights=weights)[:, np.newaxis]
    scaled = centred * np.sqrt(weights)
    scaled /= np.linalg.norm(scaled, axis=1, keepdims=True)
    correlation = np.clip(scaled @ scaled.T, -1.0, 1.0)
    np.fill_diagonal(correlation, 1.0)
    return GaussianTable(np.ascontiguousarray(correlation), float(rows), critical_z(alpha))


def new_gaussian_workspace(data: GaussianTable, max_conditioning: int) -> GaussianWorkspace:
    """Allocate working memory for conditioning sets of up to `max_conditioning` variables."""
    return GaussianWorkspace(np.empty((max_conditioning + 2, max_conditioning + 2)))


@inlined_part
def partial_correlation(
    data: GaussianTable, workspace: GaussianWorkspace, x: int, y: int, given: np.ndarray, size: int
) -> float:
    """Partial correlation of two variables given a set, by eliminating the set's variables in turn.

    A conditioning variable that the earlier ones determine adds nothing and is passed over. A tested
    variable that the set determines has no variance left to correlate: 0.
    """
    matrix = workspace.matrix
    width = size + 2
    for row in range(width):
        variable = given[row] if row < size else (x if row == size else y)
        for column in range(row + 1):
            other = given[column] if column < size else (x if column == size else y)
            matrix[row, column] = data.correlation[variable, other]
            matrix[column, row] = matrix[row, column]
    return eliminate(matrix, size)


@inlined_part
def eliminate(matrix: np.ndarray, size: int) -> float:
    """Partial correlation of the last two of ``size + 2`` variables given the others, in place.

    Parameters
    ----------
    matrix : ndarray of float64
        Their correlations in the upper left; overwritten.
    size : int
        How many variables are eliminated.
    """
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
def z_of(correlation: float, scale: float, critical: float) -> Any:
    """Return Fisher's z of a partial correlation, its degrees of freedom, ratio and reliability.

    Parameters
    ----------
    correlation : float
    scale : float
        What the rows are worth, less the variables held fixed, less 3; above 0.
    critical : float
        Critical value of |z|.
    """
    statistic = math.atanh(correlation) * math.sqrt(scale)
    return statistic, 0.0, abs(statistic) / critical, True


@kernel_part
def test_gaussian(
    data: GaussianTable, workspace: GaussianWorkspace, x: int, y: int, given: np.ndarray, size: int
) -> Any:
    """Test two continuous variables given a set.

    Returns
    -------
    statistic : float
        z = artanh(r) sqrt(rows - size - 3).
    dof : float
        Always 0: z has none.
    ratio : float
        |z| over its critical value.
    reliable : bool
        Whether rows - size - 3 is above 0.
    """
    scale = data.rows - size - 3
    if scale <= 0:
        return 0.0, 0.0, 0.0, False
    correlation = partial_correlation(data, workspace, x, y, given, size)
    return z_of(correlation, scale, data.critical)


test_gaussian.__test__ = False  # type: ignore[attr-defined]


register_test(GaussianTable, new_gaussian_workspace, test_gaussian)


# A column whose deviations are below this share of its size is constant but for rounding.
_CONSTANT = 1e-14


class IncompleteGaussianTable(NamedTuple):
    """Numbers with missing values.

    Attributes
    ----------
    counted : GaussianTable
        Correlations, of use only between variables without missing values.
    values : ndarray of float64, shape (variables, rows)
        Standardised; 0 where missing.
    present : ndarray of uint64, shape (variables, words)
        Rows in which each variable has a value, as bits.
    weights, roots : ndarray of float64, shape (rows,)
        How many observations each row stands for, and the square roots.
    """

    counted: GaussianTable
    values: np.ndarray
    present: np.ndarray
    weights: np.ndarray
    roots: np.ndarray


class IncompleteGaussianWorkspace(NamedTuple):
    """Working memory.

    Attributes
    ----------
    elimination : GaussianWorkspace
        As for a table without missing values.
    columns : ndarray of float64, shape (depth, rows)
        Deviations of the variables of a test from their means over its rows, times the root of the
        weight; 0 in other rows.
    complete : ndarray of uint64, shape (words,)
        Rows that the test can use, as bits.
    weights, roots : ndarray of float64, shape (rows,)
        Those of the table, 0 in other rows.
    """

    elimination: GaussianWorkspace
    columns: np.ndarray
    complete: np.ndarray
    weights: np.ndarray
    roots: np.ndarray


def incomplete_gaussian_table(
    values: np.ndarray, weights: np.ndarray | None = None, *, alpha: float
) -> IncompleteGaussianTable:
    """Arrange numbers with missing values.

    Parameters
    ----------
    values : ndarray of float64, shape (variables, rows)
        NaN where missing; no column constant.
    weights : ndarray of float64, shape (rows,), optional
        How many observations each row stands for; 1 when left out.
    alpha : float
        Level of the tests.

    Returns
    -------
    IncompleteGaussianTable
    """
    filled = standardised(values)
    if weights is None:
        weights = np.ones(values.shape[1])
        counted = gaussian_table(filled, alpha=alpha)
    else:
        counted = weighted_gaussian_table(filled, weights, weights.sum(), alpha=alpha)
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
    x: int,
    y: int,
    given: np.ndarray,
    size: int,
) -> Any:
    """Test two continuous variables given a set, on the rows that are complete in all of them.

    Returns
    -------
    statistic : float
        z = artanh(r) sqrt(rows - size - 3).
    dof : float
        Always 0: z has none.
    ratio : float
        |z| over its critical value.
    reliable : bool
        Whether rows - size - 3 is above 0.
    """
    rows = find_complete(data.present, x, y, given, size, workspace.complete)
    unpack_weights(data, workspace)
    observations = sum_of_products(workspace.roots, workspace.roots)
    scale = observations - size - 3.0
    if scale <= 0.0:
        return 0.0, 0.0, 0.0, False
    if rows == data.values.shape[1]:
        correlation = partial_correlation(data.counted, workspace.elimination, x, y, given, size)
    else:
        _correlate(data, workspace, x, y, given, size, observations)
        correlation = eliminate(workspace.elimination.matrix, size)
    return z_of(correlation, scale, data.counted.critical)


test_incomplete_gaussian.__test__ = False  # type: ignore[attr-defined]


@kernel_part
def _correlate(
    data: IncompleteGaussianTable,
    workspace: IncompleteGaussianWorkspace,
    x: int,
    y: int,
    given: np.ndarray,
    size: int,
    total: float,
) -> None:
    """Write the correlations over the complete rows; those of what is constant there are 0."""
    matrix, width = workspace.elimination.matrix, size + 2
    for position in range(width):
        variable = given[position] if position < size else (x if position == size else y)
        centre(data.values[variable], workspace, total, workspace.columns[position])
        for other in range(position + 1):
            matrix[position, other] = sum_of_products(workspace.columns[position], workspace.columns[other])
    for position in range(width):
        for other in range(position):
            lengths = math.sqrt(matrix[position, position] * matrix[other, other])
            matrix[position, other] = matrix[position, other] / lengths if lengths > 0.0 else 0.0
            matrix[other, position] = matrix[position, other]
    for position in range(width):
        matrix[position, position] = 1.0 if matrix[position, position] > 0.0 else 0.0


@inlined_part
def unpack_weights(data: Any, workspace: IncompleteGaussianWorkspace) -> None:
    """Write the weights of the complete rows, 0 for others; `data` is a table with weights and roots."""
    remaining = np.uint64(0)
    for row in range(data.weights.shape[0]):
        if row % BITS_PER_WORD == 0:
            remaining = workspace.complete[row // BITS_PER_WORD]
        used = np.float64(remaining & np.uint64(1))
        workspace.weights[row] = used * data.weights[row]
        workspace.roots[row] = used * data.roots[row]
        remaining >>= np.uint64(1)


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
