"""A fitted regression: where it leads, and what single columns tell in it.

What fits with fewer columns would say is read off its second derivatives, as if the log likelihood were a
parabola (Wald 1943, Tests of statistical hypotheses concerning several parameters when the number of
observations is large, Transactions of the American Mathematical Society 54:426-482).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.independence.linear_systems import (
    FLAT,
    inverse_lengths,
    inverse_of,
    left_over,
    solved,
    squared_length,
    weighted_products,
)

# Statistics of small tables are shrunk to this share at the least.
LEAST_FACTOR = 0.2


@dataclass(frozen=True)
class Fit:
    """A fitted regression."""

    columns: np.ndarray  # (columns, rows), the constant one among them
    log_likelihood: float  # of a linear regression up to a constant
    coefficients: np.ndarray  # (outcomes, columns): a row for each level but the first, or for the number
    information: np.ndarray  # (outcomes * columns,) * 2: minus second derivatives of log_likelihood
    expected: np.ndarray  # (outcomes, rows): probability of each level but the first, or the number

    def without(self, chosen: np.ndarray) -> np.ndarray:
        """Return nearly the coefficients without the chosen columns: as of a parabolic log likelihood."""
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
        """Return Wald's statistic that the chosen columns have no coefficients, and its dof."""
        positions = self._positions(chosen)
        values = self.coefficients.ravel()[positions]
        return max(float(values @ self._information_left_of(positions, values)), 0.0), len(values)

    def wald_along(self, chosen: np.ndarray, sums: np.ndarray) -> tuple[float, int]:
        """Return the same of `sums` of the chosen columns, in the regression that has the sums instead."""
        return self._wald_of(*self._gradient_along(chosen, sums))

    def shares_left(self, chosen: np.ndarray, others: np.ndarray, sums: np.ndarray) -> np.ndarray:
        """Return the share of variance of sums of columns that others leave, weighted by information."""
        positions = np.flatnonzero(chosen)
        whole = self.information[positions[:, np.newaxis], positions] @ sums.T
        if len(self.coefficients) == 1 and (chosen | others).all():
            left = self._information_left_of(positions, sums.T)
        else:
            left = left_over(self.information, positions, np.flatnonzero(others)) @ sums.T
        shares: np.ndarray = (sums.T * left).sum(axis=0) / (sums.T * whole).sum(axis=0)
        return shares

    def _gradient_along(
        self, chosen: np.ndarray, sums: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return sums for all outcomes, what others leave to be known along them, and the gradient."""
        positions = self._positions(chosen)
        outcomes = len(self.coefficients)
        along = sums if outcomes == 1 else np.kron(np.eye(outcomes), sums)
        information = self._information_left_of(positions, along.T)
        return along, information, self.coefficients.ravel()[positions] @ information

    def _wald_of(self, along: np.ndarray, information: np.ndarray, gradient: np.ndarray) -> tuple[float, int]:
        return max(float(gradient @ solved(along @ information, gradient)), 0.0), len(along)

    def _positions(self, chosen: np.ndarray) -> np.ndarray:
        """Say where the coefficients of some columns are, for all outcomes."""
        outcomes = len(self.coefficients)
        return np.flatnonzero(chosen if outcomes == 1 else np.tile(chosen, outcomes))

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


@dataclass(frozen=True)
class LinearFit(Fit):
    """A fitted linear regression, in which some rows may scatter more than others.

    Of the model's variances and HC3 of MacKinnon and White (1985, Journal of Econometrics 29:305-325) the
    smaller statistic counts.
    """

    products: np.ndarray  # of the columns, each row as often as it occurred
    # (outcomes, rows): derivatives of the log likelihood of each row by the expected numbers
    slopes: np.ndarray
    weights: np.ndarray  # how often each row occurred

    def wald(self, chosen: np.ndarray) -> tuple[float, int]:
        """Return Wald's statistic, with those variances with which it is smaller."""
        statistic, dof = super().wald(chosen)
        positions = self._positions(chosen)
        by_rows = _statistic(self.coefficients.ravel()[positions], self._variances_by_rows(positions))
        return min(statistic, by_rows), dof

    def wald_along(self, chosen: np.ndarray, sums: np.ndarray) -> tuple[float, int]:
        """Return the same of sums of some columns, in the regression that has them in place of these."""
        along, information, gradient = self._gradient_along(chosen, sums)
        statistic, dof = self._wald_of(along, information, gradient)
        variances = self._variances_by_rows(self._positions(chosen))
        by_rows = _statistic(gradient, information.T @ variances @ information)
        return min(statistic, by_rows), dof

    def _variances_by_rows(self, positions: np.ndarray) -> np.ndarray:
        variances: np.ndarray = self._all_variances_by_rows[np.ix_(positions, positions)]
        return variances

    @cached_property
    def leverages(self) -> np.ndarray:
        """How much of its own expected number each row decides, each time that it occurred."""
        return leverages_of(self.columns, self.products)

    @cached_property
    def _all_variances_by_rows(self) -> np.ndarray:
        scatter = scatter_of(self.columns, without_own_row(self.slopes, self.leverages), self.weights)
        return solved(self.information, solved(self.information, scatter).T)


def _statistic(values: np.ndarray, variances: np.ndarray) -> float:
    return squared_length(variances, values, FLAT * variances.diagonal())


def scatter_of(columns: np.ndarray, slopes: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the covariance, outcome after outcome, of the sums over rows of columns times slopes."""
    outcomes, width = len(slopes), len(columns)
    scatter = np.empty((outcomes, width, outcomes, width))
    for row in range(outcomes):
        scatter[row, :, row] = weighted_products(columns, weights * slopes[row] ** 2)
        for column in range(row):
            block = columns @ (columns * (weights * slopes[row] * slopes[column])).T
            scatter[row, :, column] = scatter[column, :, row] = block
    return scatter.reshape(outcomes * width, outcomes * width)


# A row that decides nearly all of its own expected number tells nothing of how it scatters.
_LEAST_LEFT = 0.01


def leverages_of(columns: np.ndarray, products: np.ndarray) -> np.ndarray:
    """Return the leverage of each row in a regression on columns, from their weighted products."""
    return inverse_lengths(products, columns)


def without_own_row(residuals: np.ndarray, leverages: np.ndarray) -> np.ndarray:
    """Return the residual that each row has when it is left out of the regression."""
    return residuals / np.maximum(1.0 - leverages, _LEAST_LEFT)
