"""Regression whose penalty is the sum of the lengths of the coefficient rows, the l2,1 norm.

A row of coefficients belongs to a feature, so the penalty removes whole features. Its square-root shape is
met by reweighting (Nie, Huang, Cai and Ding 2010, Efficient and robust feature selection via joint l2,1-norms
minimization, NIPS 23): a row w of current length c obeys ‖w‖ ≤ ‖w‖²/(2c) + c/2, with equality at its current
value. Minimising the right side, a weighted ridge regression, therefore never raises the left one.

All is written in square roots of the inverse weights, which go to 0 with the row where the weights themselves
would go to infinity.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import cho_factor, cho_solve


def row_lengths(coefficients: np.ndarray) -> np.ndarray:
    """Give the length of each row.

    Examples
    --------
    >>> row_lengths(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [5.0, 0.0]
    """
    lengths: np.ndarray = np.sqrt(np.einsum("ij,ij->i", coefficients, coefficients))
    return lengths


class WeightedRidge:
    """Minimises ‖X W − T‖²_F + Σ ‖w_i‖² / v_i for one X and changing T and v.

    The normal equations are solved in as many unknowns as there are features or rows, whichever is fewer.

    Parameters
    ----------
    values : ndarray of float64, shape (rows, features)
        X.

    Examples
    --------
    >>> WeightedRidge(np.array([[1.0], [1.0]])).solve(np.array([1.0]), np.array([[3.0], [3.0]]))
    array([[2.]])
    """

    def __init__(self, values: np.ndarray) -> None:
        self._values = values
        self._by_features = values.shape[1] <= values.shape[0]
        self._products = values.T @ values if self._by_features else None

    def solve(self, allowances: np.ndarray, targets: np.ndarray) -> np.ndarray:
        """Give the coefficients.

        Parameters
        ----------
        allowances : ndarray of float64, shape (features,)
            v, at least 0: a feature with 0 takes no part.
        targets : ndarray of float64, shape (rows, targets)
            T.

        Returns
        -------
        ndarray of float64, shape (features, targets)
        """
        roots = np.sqrt(allowances)
        if self._products is not None:
            system = roots[:, None] * self._products * roots
            inner = roots[:, None] * (self._values.T @ targets)
            unscaled = _solve_plus_identity(system, inner)
        else:
            scaled = self._values * roots
            unscaled = scaled.T @ _solve_plus_identity(scaled @ scaled.T, targets)
        coefficients: np.ndarray = roots[:, None] * unscaled
        return coefficients


def _solve_plus_identity(system: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Solve (system + I) Z = targets for a positive semidefinite system, which is overwritten."""
    system[np.diag_indices_from(system)] += 1.0
    factor = cho_factor(system, lower=True, overwrite_a=True, check_finite=False)
    solution: np.ndarray = cho_solve(factor, targets, check_finite=False)
    return solution
