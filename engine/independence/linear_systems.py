"""Products of columns, and linear systems that may be flat in some directions: what regressions rest on.

A direction is flat where columns determine one another, or where nothing is left to be known: it is left
alone, so that what can be told of the others is told (Golub and Van Loan 2013, Matrix Computations, 4th ed.,
sections 4.2 and 5.5).
"""

from __future__ import annotations

import numpy as np
from scipy.linalg.blas import dsyrk
from scipy.linalg.lapack import dpotrf, dpotrs

# Share of a second derivative below which a direction counts as flat.
FLAT = 1e-10
# Information that is none, and share of the information about another coefficient that is.
_NOTHING = 1e-14


def weighted_products(columns: np.ndarray, weights: np.ndarray, room: np.ndarray | None = None) -> np.ndarray:
    """Return the products of columns of shape (columns, rows) over rows with weights, none negative.

    An array of the same shape is room for what comes between: memory that is new each time is slower.
    """
    # Half of the work of a product of two matrices; what is computed is above the diagonal.
    half = dsyrk(1.0, np.multiply(columns, np.sqrt(weights), out=room).T, trans=1)
    products: np.ndarray = half + half.T
    np.fill_diagonal(products, half.diagonal())
    return products


def solved(matrix: np.ndarray, right: np.ndarray, least: np.ndarray | float = 0.0) -> np.ndarray:
    """Solve for one column or several, with a matrix that is positive but for flat directions: left alone.

    Those of which the matrix holds no more than `least`, a number for each of its rows, are flat as well, and
    those of which it holds next to nothing beside the others.
    """
    diagonal = matrix.diagonal()
    least = np.maximum(least, max(_NOTHING * float(diagonal.max(initial=0.0)), _NOTHING))
    scale = np.sqrt(np.where(diagonal > least, diagonal, np.inf))
    scaled = matrix / scale[:, np.newaxis] / scale
    target = (right.T / scale).T
    if not right.size:
        return target
    factor, failed = dpotrf(scaled, lower=1)
    if not failed and factor.diagonal().min() ** 2 > FLAT:
        solution: np.ndarray = dpotrs(factor, target, lower=1)[0]
        return (solution.T / scale).T
    values, vectors = np.linalg.eigh(np.clip(scaled, -1.0, 1.0))
    bent = values > FLAT * max(float(values[-1]), 0.0)
    within = vectors[:, bent] / np.sqrt(values[bent])
    solution = within @ (within.T @ target)
    return (solution.T / scale).T


def inverse_of(matrix: np.ndarray) -> np.ndarray | None:
    """Invert a symmetric matrix; None where it is not positive, or flat in some direction."""
    scale = np.sqrt(matrix.diagonal())
    if not scale.min(initial=1.0) > 0.0:
        return None
    factor, failed = dpotrf(matrix / scale[:, np.newaxis] / scale, lower=1)
    if failed or not factor.diagonal().min(initial=1.0) ** 2 > FLAT:
        return None
    inverse: np.ndarray = dpotrs(factor, np.eye(len(scale)), lower=1)[0] / scale[:, np.newaxis] / scale
    return inverse


def left_over(matrix: np.ndarray, positions: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return what of the information about some coefficients the others leave."""
    across = matrix[np.ix_(others, positions)]
    explained = across.T @ solved(matrix[np.ix_(others, others)], across)
    left: np.ndarray = matrix[np.ix_(positions, positions)] - explained
    return left
