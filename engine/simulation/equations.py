"""How the value of one variable comes about from its causes: terms, link, and noise.

A number is ``strength · signal + √(1 - strength²) · noise`` with ``signal = Σ weight · term``: where the
signal has variance 1, `strength` is the multiple correlation of the number with what its causes make of it.
A category is drawn by a multinomial logit: the log odds of its level k against its first level are
``intercept_k + steepness · Σ weight_k · term``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Protocol

import numpy as np

from engine.table.variable import code_dtype

# Squares and products see no values beyond so many standard deviations: heavy tails would drown all else.
_ENDS = 3.0


class Curve(StrEnum):
    """A shape of a number's influence, as a function of the standardised number."""

    LINE = "line"
    CLIPPED_LINE = "clipped line"
    PARABOLA = "parabola"
    SINE = "sine"
    SATURATION = "saturation"
    THRESHOLD = "threshold"

    def of(self, values: np.ndarray) -> np.ndarray:
        """Follow the curve at each value.

        Examples
        --------
        >>> Curve.PARABOLA.of(np.array([0.0, 1.0, 5.0]))
        array([ 0.,  2., 12.])
        """
        return _CURVES[self](values)


SMOOTH_CURVES = (Curve.PARABOLA, Curve.SINE, Curve.SATURATION, Curve.THRESHOLD)


def _line(values: np.ndarray) -> np.ndarray:
    return values


def _clipped_line(values: np.ndarray) -> np.ndarray:
    found: np.ndarray = np.clip(values, -_ENDS, _ENDS)
    return found


def _parabola(values: np.ndarray) -> np.ndarray:
    """Return a parabola whose lowest point lies half a deviation below the mean: both sides are seen."""
    inside = _clipped_line(values)
    found: np.ndarray = inside * (inside + 1.0)
    return found


def _sine(values: np.ndarray) -> np.ndarray:
    found: np.ndarray = np.sin(1.5 * values)
    return found


def _saturation(values: np.ndarray) -> np.ndarray:
    found: np.ndarray = np.tanh(2.0 * values)
    return found


def _threshold(values: np.ndarray) -> np.ndarray:
    """Step up smoothly, half a standard deviation above the mean."""
    found: np.ndarray = 0.5 * (1.0 + np.tanh(3.0 * (values - 0.5)))
    return found


_CURVES: Mapping[Curve, Callable[[np.ndarray], np.ndarray]] = MappingProxyType(
    {
        Curve.LINE: _line,
        Curve.CLIPPED_LINE: _clipped_line,
        Curve.PARABOLA: _parabola,
        Curve.SINE: _sine,
        Curve.SATURATION: _saturation,
        Curve.THRESHOLD: _threshold,
    }
)


class Influence(Protocol):
    """What an effect sees of one cause."""

    @property
    def cause(self) -> str:
        """Name of the cause."""

    def scores(self, column: np.ndarray) -> np.ndarray:
        """Turn the column of the cause into scores, float64 of shape (rows,)."""


@dataclass(frozen=True, slots=True)
class NumberCurve:
    """What an effect sees of a number: a curve, of the number or of its mirror image."""

    cause: str
    curve: Curve = Curve.LINE
    sign: int = 1
    centre: float = 0.0

    def scores(self, column: np.ndarray) -> np.ndarray:
        """Follow the curve."""
        return self.curve.of(self.sign * column) - self.centre


@dataclass(frozen=True, slots=True)
class LevelScores:
    """What an effect sees of a category: one score for each level."""

    cause: str
    by_level: tuple[float, ...]

    def scores(self, column: np.ndarray) -> np.ndarray:
        """Look up the score of each row's level."""
        found: np.ndarray = np.array(self.by_level)[column]
        return found


@dataclass(frozen=True, slots=True)
class Term:
    """The influence of one cause, or the product of several: these act only together.

    Examples
    --------
    >>> term = Term((NumberCurve("a"), NumberCurve("b")), centre=0.0, scale=2.0)
    >>> term.values({"a": np.array([1.0, 2.0]), "b": np.array([3.0, -1.0])})
    array([ 1.5, -1. ])
    """

    influences: tuple[Influence, ...]
    centre: float = 0.0
    scale: float = 1.0

    @property
    def causes(self) -> tuple[str, ...]:
        """Names of the causes."""
        return tuple(influence.cause for influence in self.influences)

    def values(self, columns: Mapping[str, np.ndarray]) -> np.ndarray:
        """Evaluate the term in every row, float64 of shape (rows,)."""
        product = np.ones(())
        for influence in self.influences:
            product = product * influence.scores(columns[influence.cause])
        values: np.ndarray = (product - self.centre) / self.scale
        return values


_DEGREES_OF_FREEDOM = 3.0
_LOG_DEVIATION = 0.7


class Noise(StrEnum):
    """A distribution, each with mean 0 and variance 1."""

    GAUSSIAN = "gaussian"
    STUDENT = "student"
    EXPONENTIAL = "exponential"
    LOGNORMAL = "lognormal"

    def draw(self, rows: int, generator: np.random.Generator) -> np.ndarray:
        """Draw values, float64 of shape (rows,).

        Examples
        --------
        >>> values = Noise.EXPONENTIAL.draw(100_000, np.random.default_rng(0))
        >>> round(float(values.std()), 1), round(float(values.min()), 2)
        (1.0, -1.0)
        """
        return _DRAWS[self](rows, generator)


HEAVY_TAILED = (Noise.STUDENT, Noise.EXPONENTIAL, Noise.LOGNORMAL)


def _gaussian(rows: int, generator: np.random.Generator) -> np.ndarray:
    return generator.standard_normal(rows)


def _student(rows: int, generator: np.random.Generator) -> np.ndarray:
    """Student's t with three degrees of freedom: its fourth moment is infinite."""
    variance = _DEGREES_OF_FREEDOM / (_DEGREES_OF_FREEDOM - 2)
    values: np.ndarray = generator.standard_t(_DEGREES_OF_FREEDOM, rows) / math.sqrt(variance)
    return values


def _exponential(rows: int, generator: np.random.Generator) -> np.ndarray:
    values: np.ndarray = generator.standard_exponential(rows) - 1.0
    return values


def _lognormal(rows: int, generator: np.random.Generator) -> np.ndarray:
    squared = _LOG_DEVIATION**2
    mean = math.exp(squared / 2)
    deviation = math.sqrt((math.exp(squared) - 1) * math.exp(squared))
    values: np.ndarray = (generator.lognormal(0.0, _LOG_DEVIATION, rows) - mean) / deviation
    return values


_DRAWS: Mapping[Noise, Callable[[int, np.random.Generator], np.ndarray]] = MappingProxyType(
    {
        Noise.GAUSSIAN: _gaussian,
        Noise.STUDENT: _student,
        Noise.EXPONENTIAL: _exponential,
        Noise.LOGNORMAL: _lognormal,
    }
)


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
    """Return the causes of a variable, each once, in the order in which they enter."""
    return tuple(dict.fromkeys(cause for term in equation.terms for cause in term.causes))


@dataclass(frozen=True, slots=True)
class NumberEquation:
    """A number: a weighted sum of terms, and noise.

    Examples
    --------
    >>> from engine.simulation.equations import NumberCurve
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
        """Return the probability of each level in every row, float64 of shape (rows, levels)."""
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
