"""How the value of one variable comes about from its causes.

A number is ``strength · signal + √(1 - strength²) · noise`` with ``signal = Σ weight · term``: where the
signal has variance 1, `strength` is the multiple correlation of the number with what its causes make of it.
A category is drawn by a multinomial logit: the log odds of its level k against its first level are
``intercept_k + steepness · Σ weight_k · term``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from engine.codes import code_dtype
from engine.simulation.structural.noise import Noise
from engine.simulation.structural.terms import Term

_LOGISTIC_DEVIATION = math.pi / math.sqrt(3)


class Equation(Protocol):
    """How one variable follows from its causes."""

    @property
    def terms(self) -> tuple[Term, ...]:
        """The terms of the signal; none where nothing causes the variable."""

    @property
    def level_count(self) -> int:
        """Number of levels of a category; 0 for a number."""

    def draw(
        self, columns: Mapping[str, np.ndarray], rows: int, generator: np.random.Generator
    ) -> np.ndarray:
        """Draw the variable in every row, given the columns of its causes."""


def causes_of(equation: Equation) -> tuple[str, ...]:
    """Give the causes of a variable, each once, in the order in which they enter."""
    return tuple(dict.fromkeys(cause for term in equation.terms for cause in term.causes))


@dataclass(frozen=True, slots=True)
class NumberEquation:
    """A number: a weighted sum of terms, and noise.

    Attributes
    ----------
    terms : tuple of Term
        How its causes enter.
    weights : tuple of float
        Weight of each.
    strength : float
        Between 0 and 1; 0 where there are no causes.
    noise : Noise
        Distribution of the rest.

    Examples
    --------
    >>> from engine.simulation.structural.terms import NumberCurve
    >>> equation = NumberEquation((Term((NumberCurve("x"),)),), (1.0,), strength=0.6)
    >>> x = np.random.default_rng(1).standard_normal(100_000)
    >>> y = equation.draw({"x": x}, 100_000, np.random.default_rng(2))
    >>> round(float(np.corrcoef(x, y)[0, 1]), 1)
    0.6
    """

    terms: tuple[Term, ...] = ()
    weights: tuple[float, ...] = ()
    strength: float = 0.0
    noise: Noise = Noise.GAUSSIAN

    @property
    def level_count(self) -> int:
        """0: a number has no levels."""
        return 0

    def signal(self, columns: Mapping[str, np.ndarray], rows: int) -> np.ndarray:
        """Add up the terms, float64 of shape (rows,)."""
        return _weighted_sum(self.terms, self.weights, columns, rows)

    def draw(
        self, columns: Mapping[str, np.ndarray], rows: int, generator: np.random.Generator
    ) -> np.ndarray:
        """Draw the number in every row, float64 of shape (rows,)."""
        noise = math.sqrt(1.0 - self.strength**2) * self.noise.draw(rows, generator)
        values: np.ndarray = noise + self.strength * self.signal(columns, rows)
        return values


@dataclass(frozen=True, slots=True)
class CategoryEquation:
    """A category: a multinomial logit.

    Attributes
    ----------
    terms : tuple of Term
        How its causes enter.
    weights : tuple of tuple of float
        For every level but the first, the weight of each term in its log odds.
    intercepts : tuple of float
        Log odds of every level but the first where all terms are 0.
    strength : float
        At least 0 and below 1. With two levels, the multiple correlation of causes and the number behind
        the category: the category is whether ``strength · signal + √(1 - strength²) · noise`` exceeds a
        bound, with logistic noise.
    """

    terms: tuple[Term, ...]
    weights: tuple[tuple[float, ...], ...]
    intercepts: tuple[float, ...]
    strength: float = 0.0

    @property
    def level_count(self) -> int:
        """Number of levels, at least 2."""
        return len(self.intercepts) + 1

    @property
    def steepness(self) -> float:
        """Log odds that one unit of signal is worth."""
        return self.strength / math.sqrt(1.0 - self.strength**2) * _LOGISTIC_DEVIATION

    def probabilities(self, columns: Mapping[str, np.ndarray], rows: int) -> np.ndarray:
        """Give the probability of each level in every row, float64 of shape (rows, levels)."""
        log_odds = np.zeros((rows, self.level_count))
        for level in range(1, self.level_count):
            signal = _weighted_sum(self.terms, self.weights[level - 1], columns, rows)
            log_odds[:, level] = self.intercepts[level - 1] + self.steepness * signal
        shares = np.exp(log_odds - log_odds.max(axis=1, keepdims=True))
        probabilities: np.ndarray = shares / shares.sum(axis=1, keepdims=True)
        return probabilities

    def draw(
        self, columns: Mapping[str, np.ndarray], rows: int, generator: np.random.Generator
    ) -> np.ndarray:
        """Draw the level in every row: codes, int8 (or wider) of shape (rows,)."""
        bounds = np.cumsum(self.probabilities(columns, rows)[:, :-1], axis=1)
        exceeded = generator.random(rows)[:, None] >= bounds
        codes: np.ndarray = exceeded.sum(axis=1).astype(code_dtype(self.level_count))
        return codes


def _weighted_sum(
    terms: tuple[Term, ...], weights: tuple[float, ...], columns: Mapping[str, np.ndarray], rows: int
) -> np.ndarray:
    total = np.zeros(rows)
    for term, weight in zip(terms, weights, strict=True):
        total += weight * term.values(columns)
    return total
