"""Regressions of one variable on many columns, and what leaving out or adding columns changes.

The outcome decides the kind: logistic for two levels, multinomial for several, linear for numbers (Agresti
2013, Categorical Data Analysis, chapters 5 and 8). A model is fitted by Newton's method; members are then
compared by likelihood ratios.

Where a combination of columns decides the level, the best coefficients are infinite. The likelihood still
has a least upper bound, and every Newton step comes nearer to it by a factor of about e, so that the ratio
of two likelihoods stays finite and a bound on the number of steps does no harm (Albert and Anderson 1984, On
the existence of maximum likelihood estimates in logistic regression models, Biometrika 71:1-10). But where
the rest decides every row without it, a column has nothing left to explain, however much it tells: then a
linear regression of the indicators of the levels still sees it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from engine.independence.data import TestData
from engine.independence.fitted_regression import Fit
from engine.independence.linear_systems import (
    FLAT,
    orthonormal_rows,
    solved,
    squared_length,
    weighted_products,
)
from engine.independence.tails import skewness, without_skewness
from engine.independence.two_levels import fill_probabilities

# Expected gain in log likelihood that no decision depends on, and steps after which a fit ends anyway.
_NO_GAIN = 1e-7
_MOST_STEPS = 30
# Where a step seems to gain less than this, all steps together gain no more than so many times as much.
_NEAR, _MOST_GAINS = 1.0, 4.0
# What a step gains at the least where it is worth looking further along it, and how much of it is gone.
_WORTH_LOOKING_ALONG = 1e-3
_SHORTEST, _LONGEST = 1e-6, 64.0
# A share of variance that is rounding error, so that a perfect linear fit has a finite likelihood.
_LEAST_SHARE = 1e-13
# Likelihood ratios of small tables are shrunk to this share at the least.
_LEAST_FACTOR = 0.2


class Regression(Protocol):
    """A regression whose outcome is fixed, and whose columns are chosen anew for each fit."""

    @property
    def outcomes(self) -> int:
        """Coefficients of a column: number of levels less one; 1 for numbers."""
        ...

    @property
    def evidence(self) -> float:
        """How many rows bear upon the coefficients; of a level, twice those of the rarer side."""
        ...

    def fit(
        self,
        columns: np.ndarray,
        start: np.ndarray | None = None,
        suffices: Callable[[Fit], bool] | None = None,
    ) -> Fit:
        """Fit the outcome to columns of shape (columns, rows), the constant one among them.

        A fit may end early where it suffices that its likelihood is no larger: `suffices` is asked with one
        that is not exceeded.
        """
        ...

    def without(self, fit: Fit, chosen: np.ndarray, suffices: Callable[[Fit], bool] | None = None) -> Fit:
        """Fit the outcome to the columns of a fit but some; `chosen` is a bool for each column."""
        ...

    def ratio(self, larger: Fit, smaller: Fit) -> tuple[float, int]:
        """Give the likelihood ratio of nested fits as a chi-squared statistic, and its degrees of freedom."""
        ...

    def score(self, fit: Fit, extra: np.ndarray) -> tuple[float, int]:
        """Return Rao's statistic that further columns, of shape (extra, rows), have no coefficients."""
        ...

    def scores(self, fit: Fit, extra: np.ndarray, parts: Sequence[slice]) -> list[tuple[float, int]]:
        """Return the same of parts of the columns, each without the rest."""
        ...

    def is_decided(self, fit: Fit) -> bool:
        """Tell whether a fit leaves nothing of the outcome that a column could explain."""
        ...

    def linear(self) -> Regression:
        """Return the linear regression of the same outcome, which can always tell columns apart."""
        ...


def regression_of(data: TestData, target: int, rows: np.ndarray) -> Regression | None:
    """Make the regression that suits a variable.

    Parameters
    ----------
    data : TestData
    target : int
        Position of the outcome.
    rows : ndarray of bool, shape (rows,)
        Rows to use; the outcome has a value in each.

    Returns
    -------
    Regression, or None
        None where the data hold no values for it, or all are the same.
    """
    outcome = data.outcome_of(target)
    if outcome is None or not rows.any():
        return None
    values, levels = outcome[0][rows], outcome[1]
    weights = None if data.weights is None else data.weights[rows]
    if levels == 0:
        return LinearRegression(values, weights) if (values != values[0]).any() else None
    occurring, codes = np.unique(values, return_inverse=True)
    return LogisticRegression(codes, len(occurring), weights) if len(occurring) > 1 else None


class LogisticRegression:
    """Logistic regression of an outcome with two levels, multinomial with more.

    Parameters
    ----------
    codes : ndarray of int, shape (rows,)
        Level of each row, ``0 … levels - 1``; each level occurs.
    levels : int
        Two or more.
    weights : ndarray of float64, shape (rows,), optional
        How often each row occurred; once when left out.
    prior : ndarray of float64, shape (rows,), optional
        How often each row is taken to have occurred with each of the levels besides, so that no level is
        ruled out; never when left out.

    Examples
    --------
    >>> x = np.array([0.0, 1.0, 2.0, 3.0, 4.0, 5.0])
    >>> regression = LogisticRegression(np.array([0, 1, 0, 1, 0, 1]), 2)
    >>> constant = np.ones((1, 6))
    >>> smaller, larger = regression.fit(constant), regression.fit(np.vstack((constant, x)))
    >>> round(2.0 * (larger.log_likelihood - smaller.log_likelihood), 4)
    0.5277
    """

    def __init__(
        self,
        codes: np.ndarray,
        levels: int,
        weights: np.ndarray | None = None,
        prior: np.ndarray | None = None,
    ) -> None:
        self.outcomes = levels - 1
        self._is_level = (codes == np.arange(1, levels)[:, np.newaxis]).astype(np.float64)
        self._weights = weights
        if prior is not None:
            own = np.ones(len(codes)) if weights is None else weights
            self._weights = own + levels * prior
            self._is_level = (own * self._is_level + prior) / self._weights
        occurred = np.bincount(codes, weights, minlength=levels)
        self.evidence = 2.0 * float(occurred.min())
        self._without_effect = -float(occurred.sum()) * math.log(levels)

    def fit(
        self,
        columns: np.ndarray,
        start: np.ndarray | None = None,
        suffices: Callable[[Fit], bool] | None = None,
    ) -> Fit:
        """Fit by Newton's method, from `start`, or from no effect at all where that is no less likely.

        A step that overshoots is halved, and one that could lead further doubled: towards coefficients that
        are large or infinite Newton's steps are short, and to look along a step costs little beside the next.
        """
        coefficients = np.zeros((self.outcomes, len(columns))) if start is None else start
        scores = coefficients @ columns
        likelihood, expected = self._predict(scores)
        if start is not None and not likelihood >= self._without_effect - _NO_GAIN:
            return self.fit(columns, None, suffices)
        room = np.empty_like(columns)
        for _ in range(_MOST_STEPS):
            information = self._information(columns, expected, room=room)
            gradient = self._residuals(expected) @ columns.T
            step = solved(information, gradient.ravel()).reshape(gradient.shape)
            gain = 0.5 * float((step * gradient).sum())
            if not gain >= _NO_GAIN:
                break
            if suffices is not None and gain < _NEAR:
                most = Fit(columns, likelihood + _MOST_GAINS * gain, coefficients, information, expected)
                if suffices(most):
                    return most
            change = step @ columns
            length, likelihood, expected = self._along(scores, change, likelihood, expected, gain)
            coefficients = coefficients + length * step
            scores = scores + length * change
        return Fit(columns, likelihood, coefficients, information, expected)

    def without(self, fit: Fit, chosen: np.ndarray, suffices: Callable[[Fit], bool] | None = None) -> Fit:
        """Fit without some columns, from where that would be if the log likelihood were a parabola."""
        return self.fit(fit.columns[~chosen], fit.without(chosen), suffices)

    def _along(
        self, scores: np.ndarray, change: np.ndarray, likelihood: float, expected: np.ndarray, gain: float
    ) -> tuple[float, float, np.ndarray]:
        """Say how much of a step to go; give log likelihood and probabilities there."""
        length, (reached, there) = 1.0, self._predict(scores + change)
        while not reached >= likelihood - _NO_GAIN:
            length *= 0.5
            if length < _SHORTEST:
                return 0.0, likelihood, expected
            reached, there = self._predict(scores + length * change)
        while gain > _WORTH_LOOKING_ALONG and 1.0 <= length < _LONGEST:
            further, beyond = self._predict(scores + 2.0 * length * change)
            if not further > reached:
                break
            length, reached, there = 2.0 * length, further, beyond
        return length, reached, there

    def ratio(self, larger: Fit, smaller: Fit) -> tuple[float, int]:
        """Return the likelihood ratio, shrunk by the share of the evidence that the coefficients use up.

        With few rows a likelihood ratio is larger than chi-squared by about that share, as in linear
        regression (Sur, Chen and Candès 2019, The likelihood ratio test in high-dimensional logistic
        regression is asymptotically a rescaled chi-square, Probability Theory and Related Fields
        175:487-558).
        """
        used = self.outcomes * len(larger.columns)
        statistic = 2.0 * max(larger.log_likelihood - smaller.log_likelihood, 0.0)
        dof = self.outcomes * (len(larger.columns) - len(smaller.columns))
        return statistic * self._factor(used), dof

    def score(self, fit: Fit, extra: np.ndarray) -> tuple[float, int]:
        """Return Rao's statistic: the gradient at `fit` in the new coefficients, by its variance."""
        return self.scores(fit, extra, (slice(len(extra)),))[0]

    def scores(self, fit: Fit, extra: np.ndarray, parts: Sequence[slice]) -> list[tuple[float, int]]:
        """Return the same of parts of the columns, each without the rest."""
        own = self._information(extra, fit.expected)
        across = self._information(fit.columns, fit.expected, extra)
        left = own - across.T @ solved(fit.information, across)
        gradient = (self._residuals(fit.expected) @ extra.T).ravel()
        flat = FLAT * own.diagonal()
        found = []
        # One for each outcome, and those of each column for all outcomes.
        left = left.reshape(self.outcomes, len(extra), self.outcomes, len(extra))
        gradient, flat = gradient.reshape(self.outcomes, -1), flat.reshape(self.outcomes, -1)
        for part in parts:
            some = gradient[:, part].ravel()
            variance = left[:, part, :, part].reshape(len(some), -1)
            statistic = squared_length(variance, some, flat[:, part].ravel())
            used = self.outcomes * len(fit.columns) + len(some)
            found.append((statistic * self._factor(used), len(some)))
        return found

    def is_decided(self, fit: Fit) -> bool:
        """Tell whether the deviance is no larger than what chance takes off it by so many coefficients."""
        return -2.0 * fit.log_likelihood <= fit.coefficients.size

    def linear(self) -> LinearRegression:
        """Return the linear regression of the indicators of the levels."""
        return LinearProbabilityModel(self._is_level, self._weights)

    def _factor(self, used: int) -> float:
        return max(1.0 - used / self.evidence, _LEAST_FACTOR)

    def _residuals(self, expected: np.ndarray) -> np.ndarray:
        residuals: np.ndarray = self._is_level - expected
        return residuals if self._weights is None else residuals * self._weights

    def _predict(self, scores: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the log likelihood and the probabilities of all levels but the first."""
        if self.outcomes == 1 and self._weights is None:
            probabilities = np.empty_like(scores)
            return fill_probabilities(scores[0], self._is_level[0], probabilities[0]), probabilities
        largest = np.maximum(scores.max(axis=0), 0.0)
        odds = np.exp(scores - largest)
        total = odds.sum(axis=0) + np.exp(-largest)
        row_likelihoods = (self._is_level * scores).sum(axis=0) - largest - np.log(total)
        if self._weights is not None:
            row_likelihoods *= self._weights
        return float(row_likelihoods.sum()), odds / total

    def _information(
        self,
        columns: np.ndarray,
        expected: np.ndarray,
        others: np.ndarray | None = None,
        room: np.ndarray | None = None,
    ) -> np.ndarray:
        """Return second derivatives by the coefficients of columns, and of others where these are given."""
        others = columns if others is None else others
        width, breadth = len(columns), len(others)
        information = np.empty((self.outcomes * width, self.outcomes * breadth))
        for one in range(self.outcomes):
            for other in range(one + 1):
                curvature = expected[one] * (float(one == other) - expected[other])
                if self._weights is not None:
                    curvature = curvature * self._weights
                if others is columns and one == other:
                    block = weighted_products(columns, curvature, room)
                else:
                    block = columns @ (others * curvature).T
                for row, column in {(one, other), (other, one)}:
                    rows = slice(row * width, (row + 1) * width)
                    information[rows, column * breadth : (column + 1) * breadth] = block
        return information


class LinearRegression:
    """Linear regression of a number, or of several at once.

    Parameters
    ----------
    values : ndarray of float64, shape (rows,) or (outcomes, rows)
        None is a linear function of the others.
    weights : ndarray of float64, shape (rows,), optional
        How often each row occurred; once when left out.

    Examples
    --------
    >>> x = np.array([[1.0, 1.0, 1.0, 1.0], [0.0, 1.0, 2.0, 3.0]])
    >>> LinearRegression(np.array([1.0, 3.0, 5.0, 7.5])).fit(x).coefficients.round(2).tolist()
    [[0.9, 2.15]]
    """

    def __init__(self, values: np.ndarray, weights: np.ndarray | None = None) -> None:
        self._values = np.atleast_2d(values)
        self.outcomes = len(self._values)
        self._weights = np.ones(self._values.shape[1]) if weights is None else weights
        self.evidence = float(self._weights.sum())
        means = self._values @ self._weights / self.evidence
        self._variation = (self._values - means[:, np.newaxis]) ** 2 @ self._weights

    def fit(
        self,
        columns: np.ndarray,
        start: np.ndarray | None = None,
        suffices: Callable[[Fit], bool] | None = None,
    ) -> Fit:
        """Fit by least squares; where to start does not matter, and there is no way that could end early."""
        return self._fitted(columns, weighted_products(columns, self._weights))

    def without(self, fit: Fit, chosen: np.ndarray, suffices: Callable[[Fit], bool] | None = None) -> Fit:
        """Fit without some columns; the products of the others are known."""
        products = self._products(fit, self._left(self._values - fit.expected))
        return self._fitted(fit.columns[~chosen], products[np.ix_(~chosen, ~chosen)])

    def _fitted(self, columns: np.ndarray, products: np.ndarray) -> Fit:
        coefficients = solved(products, columns @ (self._values * self._weights).T).T
        expected = coefficients @ columns
        left = self._left(self._values - expected)
        return Fit(
            columns,
            -0.5 * self.evidence * float(np.linalg.slogdet(left)[1]),
            coefficients,
            np.kron(np.linalg.inv(left) * self.evidence, products),
            expected,
        )

    def ratio(self, larger: Fit, smaller: Fit) -> tuple[float, int]:
        """Return the likelihood ratio with Bartlett's factor in place of the number of rows (1938)."""
        more = len(larger.columns) - len(smaller.columns)
        statistic = 2.0 * max(larger.log_likelihood - smaller.log_likelihood, 0.0)
        return statistic * self._factor(len(larger.columns), more), self.outcomes * more

    def score(self, fit: Fit, extra: np.ndarray) -> tuple[float, int]:
        """Return the likelihood ratio itself: of the residuals on what is left of the further columns."""
        return self.scores(fit, extra, (slice(len(extra)),))[0]

    def scores(self, fit: Fit, extra: np.ndarray, parts: Sequence[slice]) -> list[tuple[float, int]]:
        """Return the same of parts of the columns, each without the rest."""
        width = len(fit.columns)
        residuals = self._values - fit.expected
        before = self._left(residuals)
        triangle = np.linalg.cholesky(before)
        products = self._products(fit, before)
        weighted = extra * self._weights
        across = fit.columns @ weighted.T
        own = weighted @ extra.T
        left = own - across.T @ solved(products, across)
        gradient = np.linalg.solve(triangle, residuals @ weighted.T)
        flat = FLAT * own.diagonal()
        found = []
        for part in parts:
            some = gradient[:, part]
            explained = some @ solved(left[part, part], some.T, flat[part])
            shares = np.maximum(1.0 - np.linalg.eigvalsh(explained), _LEAST_SHARE)
            statistic = -self.evidence * min(float(np.log(shares).sum()), 0.0)
            count = some.shape[1]
            found.append((statistic * self._factor(width + count, count), self.outcomes * count))
        return found

    def is_decided(self, fit: Fit) -> bool:
        """Tell that it is not: what is left of a number always has a size to be compared."""
        return False

    def linear(self) -> LinearRegression:
        """Return the regression itself."""
        return self

    def _products(self, fit: Fit, left: np.ndarray) -> np.ndarray:
        """Return the weighted products of the columns of a fit, which leaves those of residuals."""
        width = len(fit.columns)
        products: np.ndarray = fit.information[:width, :width] / (np.linalg.inv(left)[0, 0] * self.evidence)
        return products

    def _left(self, residuals: np.ndarray) -> np.ndarray:
        """Return the products of residuals, and what rounding leaves of a perfect fit."""
        left: np.ndarray = (residuals * self._weights) @ residuals.T
        return left + np.diag(_LEAST_SHARE * self._variation + np.finfo(float).tiny)

    def _factor(self, used: int, more: int) -> float:
        remaining = self.evidence - used + 0.5 * (more - self.outcomes - 1)
        return max(remaining / self.evidence, _LEAST_FACTOR)


class LinearProbabilityModel(LinearRegression):
    """Linear regression of the indicators of levels, whose residuals lean to a side where a level is rare.

    Parameters
    ----------
    values : ndarray of float64, shape (outcomes, rows)
        Indicators of all levels but the first.
    weights : ndarray of float64, shape (rows,), optional
        How often each row occurred; once when left out.
    """

    def scores(self, fit: Fit, extra: np.ndarray, parts: Sequence[slice]) -> list[tuple[float, int]]:
        """Return the likelihood ratios of parts of further columns, less what skewness alone adds.

        The product of a residual and a column that both lean to a side, as those of a rare label and a level
        that hardly occurs, is as skewed as a count is.
        """
        residuals = self._values - fit.expected
        before = self._left(residuals)
        weighted = extra * self._weights
        explained = solved(self._products(fit, before), fit.columns @ weighted.T)
        left = extra - explained.T @ fit.columns
        flat = FLAT * (extra * weighted).sum(axis=1)
        residuals = np.linalg.solve(np.linalg.cholesky(before), residuals) * math.sqrt(self.evidence)
        leaning = skewness(residuals, self._weights) / math.sqrt(self.evidence)
        found = []
        for part in parts:
            some = orthonormal_rows(left[part], self._weights, flat[part])
            values = (residuals * self._weights) @ some.T
            values = without_skewness(values, np.outer(leaning, skewness(some, self._weights)))
            shares = np.maximum(1.0 - np.linalg.eigvalsh(values @ values.T / self.evidence), _LEAST_SHARE)
            statistic = -self.evidence * min(float(np.log(shares).sum()), 0.0)
            count = len(left[part])
            factor = self._factor(len(fit.columns) + count, count)
            found.append((statistic * factor, self.outcomes * count))
        return found
