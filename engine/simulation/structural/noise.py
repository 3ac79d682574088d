"""What a number has beside its causes: noise, light-tailed, heavy-tailed or skewed."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType

import numpy as np

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
