"""Logistic regression of an outcome with levels, multinomial with more than two.

Where a combination of columns decides the level, the best coefficients are infinite. The likelihood still
has a least upper bound, and every Newton step comes nearer to it by a factor of about e, so that the ratio
of two likelihoods stays finite and a bound on the number of steps does no harm (Albert and Anderson 1984, On
the existence of maximum likelihood estimates in logistic regression models, Biometrika 71:1-10).

Probabilities of two levels at given scores, and their likelihood: what a logistic regression asks most.

A library's exponentials and logarithms were half of the time of a fit. Here the processor makes several
exponentials at once, and takes one logarithm of a product in place of many.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.compiled.decorators import counting_kernel, merged_part, summing_part
from engine.independence.fitted_regression import LEAST_FACTOR, Fit
from engine.independence.linear_regression import LinearProbabilityModel
from engine.independence.linear_systems import (
    FLAT,
    solved,
    squared_length,
    squared_lengths,
    weighted_products,
)

# A product of so many numbers between 1 and 2 is no number too large.
_ROWS_AT_ONCE = 512
# Below this an exponential is all but 0, and no number of full precision.
_LOWEST = -708.0
# The logarithm of 2, as a number with zeros at its end, so that whole multiples are exact, and the rest.
_LOG_OF_2, _LOG_OF_2_REST = 0.6931471803691238, 1.9082149292705877e-10
_PER_LOG_OF_2 = 1.0 / math.log(2.0)
# Of so many terms of the series, each is the one before, times the number over its place.
_TERMS = 13
_ONE_OVER = np.concatenate(([0.0], 1.0 / np.arange(1.0, _TERMS + 1.0)))
# A number of double precision has its exponent, and this much more, beyond so many bits.
_EXPONENT_MORE, _EXPONENT_BITS = np.int64(1023), np.int64(52)


@counting_kernel
def fill_probabilities(scores: np.ndarray, is_second: np.ndarray, probabilities: np.ndarray) -> float:
    """Write probabilities from log odds; return the log likelihood; `is_second` is 0 to 1."""
    log_likelihood = 0.0
    for begin in range(0, scores.shape[0], _ROWS_AT_ONCE):
        end = min(begin + _ROWS_AT_ONCE, scores.shape[0])
        gained, inverse = _fill_some(scores[begin:end], is_second[begin:end], probabilities[begin:end])
        log_likelihood += gained - math.log(inverse)
    return log_likelihood


@summing_part
def _fill_some(scores: np.ndarray, is_second: np.ndarray, probabilities: np.ndarray) -> Any:
    """Do so with a few rows; return the product of exponentials of scores, and that of their divisors."""
    gained, inverse = 0.0, 1.0
    for row in range(scores.shape[0]):
        score = scores[row]
        # Of the less likely level beside the other one.
        odds = _exponential(-abs(score))
        gained += is_second[row] * score - max(score, 0.0)
        inverse *= 1.0 + odds
        probabilities[row] = (1.0 if score > 0.0 else odds) / (1.0 + odds)
    return gained, inverse


@merged_part
def _exponential(exponent: float) -> float:
    """Return the exponential of a number ≤ 0: a power of 2 times a short series near 0."""
    exponent = max(exponent, _LOWEST)
    power = np.floor(exponent * _PER_LOG_OF_2 + 0.5)
    left = exponent - power * _LOG_OF_2 - power * _LOG_OF_2_REST
    series = 1.0
    for place in range(_TERMS, 0, -1):
        series = 1.0 + left * series * _ONE_OVER[place]
    bits = (np.int64(power) + _EXPONENT_MORE) << _EXPONENT_BITS
    exponential: float = series * np.int64(bits).view(np.float64)
    return exponential


# Expected gain in log likelihood that no decision depends on, and steps after which a fit ends anyway.
_NO_GAIN = 1e-7
_MOST_STEPS = 30
# Where a step seems to gain less than this, all steps together gain no more than so many times as much.
_NEAR, _MOST_GAINS = 1.0, 4.0
# Deviance of a row of which both levels are as likely.
_DEVIANCE_OF_TOSS = 2.0 * math.log(2.0)
# What a step gains at the least where it is worth looking further along it, and how much of it is gone.
_WORTH_LOOKING_ALONG = 1e-3
_SHORTEST, _LONGEST = 1e-6, 64.0


class LogisticRegression:
    """(Multinomial) logistic regression; rows occur `weights` times, and `prior` at each level besides."""

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
        at_most: Callable[[Fit], bool] | None = None,
        at_least: Callable[[Fit], bool] | None = None,
    ) -> Fit:
        """Fit by Newton's method, from `start`, or from no effect where that is as likely or no way leads on.

        Steps only gain: those that overshoot are halved, others doubled, as towards infinite coefficients
        they are short. `at_least` is asked with what has been reached.
        """
        coefficients = np.zeros((self.outcomes, len(columns))) if start is None else start
        scores = np.zeros((self.outcomes, columns.shape[1])) if start is None else coefficients @ columns
        likelihood, expected = self._predict(scores)
        if start is not None and not likelihood >= self._without_effect - _NO_GAIN:
            return self.fit(columns, None, at_most, at_least)
        for _ in range(_MOST_STEPS):
            information = self._information(columns, expected)
            gradient = self._residuals(expected) @ columns.T
            step = solved(information, gradient.ravel()).reshape(gradient.shape)
            gain = 0.5 * float((step * gradient).sum())
            if not gain >= _NO_GAIN:
                if start is None or not self._leads_on(columns, gradient):
                    break
                return self.fit(columns, None, at_most, at_least)
            if at_most is not None and gain < _NEAR:
                most = Fit(columns, likelihood + _MOST_GAINS * gain, coefficients, information, expected)
                if at_most(most):
                    return most
            if at_least is not None:
                reached = Fit(columns, likelihood, coefficients, information, expected)
                if at_least(reached):
                    return reached
            change = step @ columns
            length, likelihood, expected = self._along(scores, change, likelihood, expected, gain)
            if length == 0.0:
                # Probabilities so near 0 and 1 that second derivatives say nothing: more steps are the same.
                if start is None:
                    break
                return self.fit(columns, None, at_most, at_least)
            coefficients = coefficients + length * step
            scores = scores + length * change
        return Fit(columns, likelihood, coefficients, information, expected)

    def without(self, fit: Fit, chosen: np.ndarray, at_most: Callable[[Fit], bool] | None = None) -> Fit:
        """Fit without some columns, from where that would be if the log likelihood were a parabola."""
        return self.fit(fit.columns[~chosen], fit.without(chosen), at_most)

    def _leads_on(self, columns: np.ndarray, gradient: np.ndarray) -> bool:
        """Tell whether a step along one column gains something for certain, whatever the curvature here.

        A second derivative is at most a quarter of the sum of squares, and 0 where probabilities are 0 or 1.
        """
        squares = columns * columns
        lengths = squares.sum(axis=1) if self._weights is None else squares @ self._weights
        return bool((2.0 * gradient**2 >= _NO_GAIN * lengths).any() and lengths.any())

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

    def ratio(self, larger: Fit, smaller: Fit, chosen: np.ndarray) -> tuple[float, int]:
        """Return the likelihood ratio, shrunk by the share of the evidence that the coefficients use up.

        With few rows it exceeds chi-squared by about that (Sur, Chen and Candès 2019, Probability Theory and
        Related Fields 175:487-558).
        """
        used = self.outcomes * len(larger.columns)
        statistic = 2.0 * max(larger.log_likelihood - smaller.log_likelihood, 0.0)
        dof = self.outcomes * (len(larger.columns) - len(smaller.columns))
        return statistic * self._factor(used), dof

    def score(self, fit: Fit, extra: np.ndarray) -> tuple[float, int]:
        """Return Rao's statistic: the gradient at `fit` in the new coefficients, by its variance."""
        return self.scores(fit, extra, (slice(0, len(extra)),))[0]

    def scores(self, fit: Fit, extra: np.ndarray, parts: Sequence[slice]) -> list[tuple[float, int]]:
        """Return the same of parts of the columns, each without the rest."""
        gradient = self._residuals(fit.expected) @ extra.T
        used = self.outcomes * len(fit.columns)
        if self.outcomes == 1 and all(part.stop - part.start == 1 for part in parts):
            weighted = extra * self._curvature(fit.expected, 0, 0)
            own = np.einsum("ij,ij->i", weighted, extra)
            across = fit.columns @ weighted.T
            left = own - np.einsum("ij,ij->j", across, solved(fit.information, across))
            alone = squared_lengths(left, gradient[0], FLAT * own) * self._factor(used + 1)
            return [(score, 1) for score in alone[[part.start for part in parts]].tolist()]
        across = self._information(fit.columns, fit.expected, extra)
        explained = solved(fit.information, across)
        # One for each outcome, and those of each column for all outcomes.
        across = across.reshape(-1, self.outcomes, len(extra))
        explained = explained.reshape(across.shape)
        results = []
        for part, whole in zip(parts, self._informations(extra, fit.expected, parts), strict=True):
            some = gradient[:, part].ravel()
            beside, by_others = (array[:, :, part].reshape(-1, len(some)) for array in (across, explained))
            variance = whole - beside.T @ by_others
            statistic = squared_length(variance, some, FLAT * whole.diagonal())
            results.append((statistic * self._factor(used + len(some)), len(some)))
        return results

    def is_decided(self, fit: Fit) -> bool:
        """Tell whether what is left to explain is worth no more rows than chance could explain.

        Twice the coefficients in coin tosses are separated half of the time (Cover 1965, IEEE Transactions on
        Electronic Computers 14:326-334).
        """
        return -2.0 * fit.log_likelihood <= 2.0 * fit.coefficients.size * _DEVIANCE_OF_TOSS

    def wald(self, fit: Fit, chosen: np.ndarray, sums: np.ndarray | None = None) -> tuple[float, float]:
        """Return Wald's statistic of some columns of a fit, or of sums of them in their place."""
        return fit.wald(chosen) if sums is None else fit.wald_along(chosen, sums)

    def slopes(self, fit: Fit) -> np.ndarray:
        """Return the derivatives of the log likelihood of each row by the scores of its levels."""
        return self._residuals(fit.expected)

    def change_of_slopes(self, fit: Fit, less: np.ndarray) -> np.ndarray:
        """Return by how much these are more where scores are so much less; shape (outcomes, rows)."""
        change: np.ndarray = fit.expected * (less - (fit.expected * less).sum(axis=0))
        return change if self._weights is None else change * self._weights

    def information_about(self, fit: Fit, columns: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Return the information about coefficients of columns that those of others share."""
        return self._information(columns, fit.expected, others)

    def on_better_scale(self, columns_of: Callable[[], np.ndarray]) -> LogisticRegression:
        """Return the regression itself: levels have no scale."""
        return self

    def linear(self) -> LinearProbabilityModel:
        """Return the linear regression of the indicators of the levels."""
        return LinearProbabilityModel(self._is_level, self._weights)

    def _factor(self, used: int) -> float:
        return max(1.0 - used / self.evidence, LEAST_FACTOR)

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
    ) -> np.ndarray:
        """Return second derivatives by the coefficients of columns, and of others where these are given."""
        others = columns if others is None else others
        if self.outcomes == 1:
            return self._block(columns, others, expected, 0, 0)
        width, breadth = len(columns), len(others)
        information = np.empty((self.outcomes * width, self.outcomes * breadth))
        for left in range(self.outcomes):
            for right in range(left + 1):
                block = self._block(columns, others, expected, left, right)
                for row, column in {(left, right), (right, left)}:
                    rows = slice(row * width, (row + 1) * width)
                    information[rows, column * breadth : (column + 1) * breadth] = block
        return information

    def _informations(
        self, columns: np.ndarray, expected: np.ndarray, parts: Sequence[slice]
    ) -> list[np.ndarray]:
        """Return second derivatives by the coefficients of each part of columns."""
        widths = [part.stop - part.start for part in parts]
        informations = [np.empty((self.outcomes, width, self.outcomes, width)) for width in widths]
        for left in range(self.outcomes):
            for right in range(left + 1):
                weighted = columns * self._curvature(expected, left, right)
                for part, information in zip(parts, informations, strict=True):
                    block = weighted[part] @ columns[part].T
                    information[left, :, right] = information[right, :, left] = block
        return [
            information.reshape(self.outcomes * width, -1)
            for information, width in zip(informations, widths, strict=True)
        ]

    def _block(
        self, columns: np.ndarray, others: np.ndarray, expected: np.ndarray, left: int, right: int
    ) -> np.ndarray:
        """Return those by coefficients of two levels."""
        curvature = self._curvature(expected, left, right)
        if others is columns and left == right:
            return weighted_products(columns, curvature)
        block: np.ndarray = columns @ (others * curvature).T
        return block

    def _curvature(self, expected: np.ndarray, left: int, right: int) -> np.ndarray:
        """Return what each row adds to the second derivatives by coefficients of two levels."""
        curvature: np.ndarray = expected[left] * (float(left == right) - expected[right])
        return curvature if self._weights is None else curvature * self._weights
