"""Fisher's z test of a partial correlation, for continuous data with linear relations.

Fisher (1924), The distribution of the partial correlation coefficient, Metron 3:329-332.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from engine.compiled.decorators import inlined_part, kernel_part
from engine.independence.distributions import chi2_critical_values, log_chi2_sf
from engine.independence.interface import register_test

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
    critical = math.sqrt(chi2_critical_values(alpha, 1)[1])
    correlation = np.ascontiguousarray(np.atleast_2d(np.corrcoef(values)))
    # A number as of rows with weights, so that the tests are compiled once for both.
    return GaussianTable(correlation, float(values.shape[1]), critical)


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
    critical = math.sqrt(chi2_critical_values(alpha, 1)[1])
    centred = values - np.average(values, axis=1, weights=weights)[:, np.newaxis]
    scaled = centred * np.sqrt(weights)
    scaled /= np.linalg.norm(scaled, axis=1, keepdims=True)
    correlation = np.clip(scaled @ scaled.T, -1.0, 1.0)
    np.fill_diagonal(correlation, 1.0)
    return GaussianTable(np.ascontiguousarray(correlation), float(rows), critical)


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
    statistic = math.atanh(correlation) * math.sqrt(scale)
    return statistic, 0.0, abs(statistic) / data.critical, True


test_gaussian.__test__ = False  # type: ignore[attr-defined]


@inlined_part
def log_p_gaussian(data: GaussianTable, statistic: float, dof: float) -> float:
    """Logarithm of the two-sided p-value of z: z² is chi-squared with one degree of freedom."""
    return log_chi2_sf(statistic * statistic, 1.0)


register_test(GaussianTable, new_gaussian_workspace, test_gaussian, log_p_gaussian)
