"""A fitted regression: where it leads, and what single columns tell in it.

What fits with fewer columns would say is read off its second derivatives, as if the log likelihood were a
parabola (Wald 1943, Tests of statistical hypotheses concerning several parameters when the number of
observations is large, Transactions of the American Mathematical Society 54:426-482).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.independence.linear_systems import inverse_of, left_over, solved


@dataclass(frozen=True)
class Fit:
    """A fitted regression.

    Attributes
    ----------
    columns : ndarray of float64, shape (columns, rows)
        Its columns, the constant one among them.
    log_likelihood : float
        Natural logarithm of the largest likelihood; of a linear regression up to a constant.
    coefficients : ndarray of float64, shape (outcomes, columns)
        One row for each level but the first, or for the number.
    information : ndarray of float64, shape (outcomes * columns, outcomes * columns)
        Negative second derivatives of the log likelihood by the coefficients, row after row.
    expected : ndarray of float64, shape (outcomes, rows)
        Probability of each level but the first, or the expected number.
    """

    columns: np.ndarray
    log_likelihood: float
    coefficients: np.ndarray
    information: np.ndarray
    expected: np.ndarray

    def without(self, chosen: np.ndarray) -> np.ndarray:
        """Tell about where the fit without some columns is: there, if the log likelihood is a parabola.

        Parameters
        ----------
        chosen : ndarray of bool, shape (columns,)

        Returns
        -------
        ndarray of float64, shape (outcomes, other columns)
        """
        is_chosen = np.tile(chosen, len(self.coefficients))
        positions, others = np.flatnonzero(is_chosen), np.flatnonzero(~is_chosen)
        values = self.coefficients.ravel()
        moved = solved(
            self.information[np.ix_(others, others)],
            self.information[np.ix_(others, positions)] @ values[positions],
        )
        without: np.ndarray = (values[others] + moved).reshape(len(self.coefficients), -1)
        return without

    def wald(self, chosen: np.ndarray) -> tuple[float, int]:
        """Return Wald's statistic that some columns have no coefficients, and its degrees of freedom.

        Parameters
        ----------
        chosen : ndarray of bool, shape (columns,)
        """
        positions = np.flatnonzero(np.tile(chosen, len(self.coefficients)))
        values = self.coefficients.ravel()[positions]
        return max(float(values @ self._information_left_of(positions, values)), 0.0), len(values)

    def wald_along(self, chosen: np.ndarray, sums: np.ndarray) -> tuple[float, int]:
        """Return the same of sums of some columns, in the regression that has them in place of the columns.

        Parameters
        ----------
        chosen : ndarray of bool, shape (columns,)
        sums : ndarray of float64, shape (sums, chosen columns)
        """
        positions = np.flatnonzero(np.tile(chosen, len(self.coefficients)))
        along = np.kron(np.eye(len(self.coefficients)), sums)
        information = self._information_left_of(positions, along.T)
        gradient = self.coefficients.ravel()[positions] @ information
        return max(float(gradient @ solved(along @ information, gradient)), 0.0), len(along)

    def share_left(self, chosen: np.ndarray, others: np.ndarray, weights: np.ndarray) -> float:
        """Return the share of the variance of a sum of columns that others leave.

        Rows count as much as they inform about the first outcome: in a linear regression by their weights.

        Parameters
        ----------
        chosen, others : ndarray of bool, shape (columns,)
            The columns that are summed, and the others.
        weights : ndarray of float64, shape (chosen columns,)
        """
        positions = np.flatnonzero(chosen)
        whole = self.information[np.ix_(positions, positions)]
        left = left_over(self.information, positions, np.flatnonzero(others))
        return float(weights @ left @ weights / (weights @ whole @ weights))

    def _information_left_of(self, positions: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Multiply what the other coefficients leave of the information about some with values of these."""
        if self._variances is not None:
            return solved(self._variances[positions[:, np.newaxis], positions], values)
        others = np.ones(self.coefficients.size, dtype=bool)
        others[positions] = False
        product: np.ndarray = left_over(self.information, positions, np.flatnonzero(others)) @ values
        return product

    @cached_property
    def _variances(self) -> np.ndarray | None:
        """Variances and covariances of the coefficients; None where some direction is flat."""
        return inverse_of(self.information)
