"""Linear regression of numbers, and of the indicators of levels.

Of a number members are judged on its own scale or on that of its normal scores, whichever they explain
better. Counts, incomes and concentrations grow by factors, and their causes with them; a few rows far out
then decide what a straight line makes of all others, and whatever goes along with what it misses seems to
tell something, with more rows more surely.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from engine.independence.fitted_regression import (
    LEAST_FACTOR,
    LinearFit,
    leverages_of,
    scatter_of,
    without_own_row,
)
from engine.independence.linear_systems import (
    FLAT,
    is_bent,
    orthonormal_rows,
    solved,
    squared_length,
    weighted_products,
)
from engine.independence.tails import normal_scores, skewness, without_skewness

# A share of variance that is rounding error, so that a perfect linear fit has a finite likelihood.
_LEAST_SHARE = 1e-13


class LinearRegression:
    """Linear regression of a number, or of several (outcomes, rows), none a function of the others."""

    def __init__(self, values: np.ndarray, weights: np.ndarray | None = None) -> None:
        self._values = np.atleast_2d(values)
        self.outcomes = len(self._values)
        self._times = weights
        self._weights = np.ones(self._values.shape[1]) if weights is None else weights
        self.evidence = float(self._weights.sum())
        means = self._values @ self._weights / self.evidence
        self._variation = (self._values - means[:, np.newaxis]) ** 2 @ self._weights

    def fit(
        self,
        columns: np.ndarray,
        start: np.ndarray | None = None,
        at_most: Callable[[LinearFit], bool] | None = None,
        at_least: Callable[[LinearFit], bool] | None = None,
    ) -> LinearFit:
        """Fit by least squares; where to start does not matter, and there is no way that could end early."""
        return self._fitted(columns, weighted_products(columns, self._weights))

    def without(
        self, fit: LinearFit, chosen: np.ndarray, at_most: Callable[[LinearFit], bool] | None = None
    ) -> LinearFit:
        """Fit without some columns; the products of the others are known."""
        return self._fitted(fit.columns[~chosen], fit.products[np.ix_(~chosen, ~chosen)])

    def _fitted(self, columns: np.ndarray, products: np.ndarray) -> LinearFit:
        coefficients = solved(products, columns @ (self._values * self._weights).T).T
        expected = coefficients @ columns
        residuals = self._values - expected
        precision = self._precision(residuals)
        return LinearFit(
            columns,
            -0.5 * self.evidence * float(np.linalg.slogdet(self._left(residuals))[1]),
            coefficients,
            np.kron(precision, products),
            expected,
            products,
            precision @ residuals,
            self._weights,
        )

    def ratio(self, larger: LinearFit, smaller: LinearFit, chosen: np.ndarray) -> tuple[float, int]:
        """Return the likelihood ratio with Bartlett's (1938) factor, or Wald's statistic if smaller."""
        more = len(larger.columns) - len(smaller.columns)
        statistic = 2.0 * max(larger.log_likelihood - smaller.log_likelihood, 0.0)
        statistic = min(statistic, larger.wald(chosen)[0])
        return statistic * self._factor(len(larger.columns), more), self.outcomes * more

    def score(self, fit: LinearFit, extra: np.ndarray) -> tuple[float, int]:
        """Return the likelihood ratio of residuals on new columns, or Wald's statistic if smaller."""
        return self.scores(fit, extra, (slice(0, len(extra)),))[0]

    def scores(self, fit: LinearFit, extra: np.ndarray, parts: Sequence[slice]) -> list[tuple[float, int]]:
        """Return the same of parts of the columns, each without the rest."""
        width = len(fit.columns)
        left_over = self._values - fit.expected
        before = self._left(left_over)
        weighted = extra * self._weights
        across = fit.columns @ weighted.T
        by_others = solved(fit.products, across)
        left = extra - by_others.T @ fit.columns
        slopes = np.linalg.solve(np.linalg.cholesky(before), left_over)
        gradient = slopes @ weighted.T
        results = []
        for part in parts:
            some = gradient[:, part]
            # Most products of all columns would be between two parts, and these are not used.
            own = weighted[part] @ extra[part].T
            products = own - across[:, part].T @ by_others[:, part]
            coefficients = solved(products, some.T, FLAT * own.diagonal())
            shares = np.maximum(1.0 - np.linalg.eigvalsh(some @ coefficients), _LEAST_SHARE)
            statistic = -self.evidence * min(float(np.log(shares).sum()), 0.0)
            residuals = slopes - coefficients.T @ left[part]
            leverages = fit.leverages + leverages_of(left[part], products)
            scatter = scatter_of(left[part], without_own_row(residuals, leverages), self._weights)
            by_rows = squared_length(scatter, some.ravel(), FLAT * scatter.diagonal())
            count = some.shape[1]
            factor = self._factor(width + count, count)
            results.append((min(statistic, by_rows) * factor, self.outcomes * count))
        return results

    def wald(self, fit: LinearFit, chosen: np.ndarray, sums: np.ndarray | None = None) -> tuple[float, float]:
        """Return Wald's statistic of some columns of a fit, or of sums of them in their place."""
        return fit.wald(chosen) if sums is None else fit.wald_along(chosen, sums)

    def slopes(self, fit: LinearFit) -> np.ndarray:
        """Return the derivatives of the log likelihood of each row by its expected numbers."""
        slopes: np.ndarray = fit.slopes * self._weights
        return slopes

    def change_of_slopes(self, fit: LinearFit, less: np.ndarray) -> np.ndarray:
        """Return by how much these are more where so much less is expected; shape (outcomes, rows)."""
        change: np.ndarray = self._precision(self._values - fit.expected) @ less * self._weights
        return change

    def information_about(self, fit: LinearFit, columns: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Return the information about coefficients of columns that those of others share."""
        precision = self._precision(self._values - fit.expected)
        return np.kron(precision, (columns * self._weights) @ others.T)

    def on_better_scale(self, columns_of: Callable[[], np.ndarray]) -> LinearRegression:
        """Return the regression of normal scores of a number where it orders rows better.

        By the correlation of normal scores (Fieller and Pearson 1961, Biometrika 48:29-40), robust to
        outliers.
        """
        columns = columns_of()
        scores = normal_scores(self._values, self._weights)
        of_scores = LinearRegression(scores, self._weights)
        products = weighted_products(columns, self._weights)
        fits = self._fitted(columns, products), of_scores._fitted(columns, products)
        own, of_ranks = (
            _correlation(scores[0], normal_scores(_with_ties(fit.expected), self._weights)[0], self._weights)
            for fit in fits
        )
        # Categories alone are often put in the same order by both.
        return of_scores if of_ranks - own > _LEAST_SHARE else self

    def is_decided(self, fit: LinearFit) -> bool:
        """Tell that it is not: what is left of a number always has a size to be compared."""
        return False

    def linear(self) -> LinearRegression:
        """Return the regression itself."""
        return self

    def _left(self, residuals: np.ndarray) -> np.ndarray:
        """Return the products of residuals, and what rounding leaves of a perfect fit."""
        left: np.ndarray = (residuals * self._weights) @ residuals.T
        return left + np.diag(_LEAST_SHARE * self._variation + np.finfo(float).tiny)

    def _precision(self, residuals: np.ndarray) -> np.ndarray:
        return np.linalg.inv(self._left(residuals)) * self.evidence

    def _factor(self, used: int, more: int) -> float:
        remaining = self.evidence - used + 0.5 * (more - self.outcomes - 1)
        return max(remaining / self.evidence, LEAST_FACTOR)


class LinearProbabilityModel(LinearRegression):
    """Linear regression of indicators of all levels but the first; residuals of rare levels are skewed."""

    def scores(self, fit: LinearFit, extra: np.ndarray, parts: Sequence[slice]) -> list[tuple[float, int]]:
        """Return likelihood ratios of parts of columns, less what skewness of rare products adds."""
        residuals = self._values - fit.expected
        before = self._left(residuals)
        weighted = extra * self._weights
        explained = solved(fit.products, fit.columns @ weighted.T)
        left = extra - explained.T @ fit.columns
        flat = FLAT * (extra * weighted).sum(axis=1)
        residuals = np.linalg.solve(np.linalg.cholesky(before), residuals) * math.sqrt(self.evidence)
        leaning = skewness(residuals, self._times) / math.sqrt(self.evidence)
        if all(part.stop - part.start == 1 for part in parts):
            places = [part.start for part in parts]
            shares = list(self._shares_alone(residuals, leaning, left[places], flat[places]))
        else:
            shares = [self._shares(residuals, leaning, left[part], flat[part]) for part in parts]
        results = []
        for part, share in zip(parts, shares, strict=True):
            count = part.stop - part.start
            statistic = -self.evidence * min(float(np.log(np.maximum(share, _LEAST_SHARE)).sum()), 0.0)
            factor = self._factor(len(fit.columns) + count, count)
            results.append((statistic * factor, self.outcomes * count))
        return results

    def _shares(
        self, residuals: np.ndarray, leaning: np.ndarray, left: np.ndarray, flat: np.ndarray
    ) -> np.ndarray:
        """Return the shares of the variance of residuals that columns leave, along the axes of both."""
        some = orthonormal_rows(left, self._weights, flat)
        values = (residuals * self._weights) @ some.T
        values = without_skewness(values, np.outer(leaning, skewness(some, self._times)))
        return 1.0 - np.linalg.eigvalsh(values @ values.T / self.evidence)

    def _shares_alone(
        self, residuals: np.ndarray, leaning: np.ndarray, left: np.ndarray, flat: np.ndarray
    ) -> np.ndarray:
        """Return what each of the columns leaves by itself: the only axis along which it leaves not all."""
        squares = (left * left) @ self._weights
        bent = is_bent(squares, flat)
        some = left[bent]
        along = (residuals * self._weights) @ some.T / np.sqrt(squares[bent])
        values = np.zeros((self.outcomes, len(left)))
        values[:, bent] = without_skewness(along, np.outer(leaning, skewness(some, self._times)))
        shares: np.ndarray = 1.0 - (values * values).sum(axis=0) / self.evidence
        return shares


# Rows of which the same is expected differ by rounding, by no more than this share of how much all differ.
_ROUNDING = 1e-9


def _with_ties(expected: np.ndarray) -> np.ndarray:
    """Make expected numbers equal that only rounding keeps apart, as their order would hang on the unit."""
    step = _ROUNDING * float(np.abs(expected - expected.mean()).max())
    return np.round(expected / step) if step > 0.0 else expected


def _correlation(left: np.ndarray, right: np.ndarray, weights: np.ndarray) -> float:
    """Return the correlation of two columns of mean 0; 0 where one of them is constant."""
    lengths = float(left * left @ weights) * float(right * right @ weights)
    return float(left * right @ weights) / math.sqrt(max(lengths, float(np.finfo(float).tiny)))
