"""How much of a nominal target some variables leave open: the trace of a conditional covariance operator.

The variables are mapped into a reproducing kernel Hilbert space, and so is the target. The conditional
covariance operator is what remains of the covariance of the target once its best prediction from the
variables is taken off: Fukumizu, Bach and Jordan (2004), Dimensionality reduction for supervised learning
with reproducing kernel Hilbert spaces, JMLR 5:73-99, and (2009), Kernel dimension reduction in regression,
Annals of Statistics 37:1871-1905. Its trace is estimated by ``e Tr[G_Y (G_X + n e I)^-1]`` with centred Gram
matrices over the n rows and a small number e; as a measure for choosing features: Chen, Stern, Wainwright
and Jordan (2017), Kernel feature selection via conditional covariance minimization, NIPS 30:6946-6955.

Kernels: of the target, 1 for equal levels and 0 for others. Of a set of variables, the product of
``1 + [equal levels]`` over its variables, which up to a factor is a Gaussian kernel on indicators of levels.
It is strictly positive definite, so that in an endless sample, with a vanishing e, the trace is least
exactly where the target depends on no further variable given the set. And a further variable only adds a
positive semidefinite matrix to the Gram matrix, so that the estimate never rises.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import cholesky, solve_triangular


def configurations(codes: np.ndarray) -> np.ndarray:
    """Give each row the number of its configuration of some variables.

    Parameters
    ----------
    codes : ndarray of int, shape (variables, rows)
        Codes from 0 on.

    Returns
    -------
    ndarray of int64, shape (rows,)
        0, 1, … without gaps; all 0 where there is no variable.

    Examples
    --------
    >>> configurations(np.array([[0, 1, 1, 0], [2, 0, 0, 0]])).tolist()
    [1, 2, 2, 0]
    """
    numbers = np.zeros(codes.shape[1], dtype=np.int64)
    for column in codes:
        combined = numbers * (int(column.max()) + 1) + column
        numbers = np.unique(combined, return_inverse=True)[1]
    return numbers


def traces(codes: np.ndarray, targets: np.ndarray, levels: int, regularisation: float) -> np.ndarray:
    """Estimate the trace of the conditional covariance operator of targets given the same variables.

    Rows that share a configuration share their row of the Gram matrix. An orthogonal change of basis
    therefore splits it into a matrix as small as the number of configurations, and zeros: the result is that
    of the matrices over all rows.

    Parameters
    ----------
    codes : ndarray of int, shape (variables, rows)
        The variables, as codes from 0 on.
    targets : ndarray of int, shape (targets, rows)
        Each target, as codes ``0 … levels - 1``.
    levels : int
        Number of levels of the targets.
    regularisation : float
        The number e; above 0.

    Returns
    -------
    ndarray of float64, shape (targets,)
        Between 0 and the chance that two rows drawn at random differ in the target, which it is where
        there are no variables.

    Examples
    --------
    >>> cause, effect = np.array([[0, 0, 1, 1]]), np.array([[0, 0, 1, 1]])
    >>> float(traces(cause[:0], effect, 2, 1e-3)[0])
    0.5
    >>> bool(traces(cause, effect, 2, 1e-3)[0] < 0.01)
    True
    """
    rows = codes.shape[1]
    numbers = configurations(codes)
    sizes = np.bincount(numbers).astype(np.float64)
    groups = len(sizes)
    counts = np.stack([_counts(numbers, target, groups, levels) for target in targets])
    root = np.sqrt(sizes)
    mean_direction = root / np.sqrt(rows)
    # Sums over configurations in an orthonormal basis, centred; shape (configurations, targets * levels).
    sums = counts.transpose(1, 0, 2).reshape(groups, -1) / root[:, None]
    sums -= np.outer(mean_direction, mean_direction @ sums)
    overall = rows - (counts.sum(axis=1) ** 2).sum(axis=1) / rows
    within = overall - (sums**2).reshape(groups, len(targets), levels).sum(axis=(0, 2))
    gram = _centred(_kernel(codes, numbers) * np.outer(root, root), mean_direction)
    penalty = rows * regularisation
    gram[np.diag_indices(groups)] += penalty
    factor = cholesky(gram, lower=True, overwrite_a=True, check_finite=False)
    solved = solve_triangular(factor, sums, lower=True, check_finite=False)
    between = (solved**2).reshape(groups, len(targets), levels).sum(axis=(0, 2))
    found: np.ndarray = (np.maximum(within, 0.0) + penalty * between) / rows
    return found


def _counts(numbers: np.ndarray, target: np.ndarray, groups: int, levels: int) -> np.ndarray:
    """Count the rows of each configuration and level."""
    counted = np.bincount(numbers * levels + target, minlength=groups * levels)
    return counted.reshape(groups, levels).astype(np.float64)


def _kernel(codes: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """Kernel of every two configurations."""
    first = np.unique(numbers, return_index=True)[1]
    found = np.ones((len(first), len(first)))
    for column in codes[:, first]:
        found *= 1.0 + (column[:, None] == column[None, :])
    return found


def _centred(matrix: np.ndarray, direction: np.ndarray) -> np.ndarray:
    """Take a direction of length 1 out of a symmetric matrix on both sides."""
    image = matrix @ direction
    both = np.outer(direction, image)
    found: np.ndarray = matrix - both - both.T + (direction @ image) * np.outer(direction, direction)
    return found
