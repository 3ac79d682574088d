"""How causes enter an equation: along a curve, by the scores of their levels, alone or as a product."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Protocol

import numpy as np

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
    """Give a parabola whose lowest point lies half a deviation below the mean: both sides are seen."""
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
    """What an effect sees of a number: a curve, of the number or of its mirror image.

    Attributes
    ----------
    cause : str
        Name of a number.
    curve : Curve
        Its shape.
    sign : int
        1, or -1 for the curve of the number's negative.
    centre : float
        Subtracted from the curve.
    """

    cause: str
    curve: Curve = Curve.LINE
    sign: int = 1
    centre: float = 0.0

    def scores(self, column: np.ndarray) -> np.ndarray:
        """Follow the curve."""
        return self.curve.of(self.sign * column) - self.centre


@dataclass(frozen=True, slots=True)
class LevelScores:
    """What an effect sees of a category: one score for each level.

    Attributes
    ----------
    cause : str
        Name of a category.
    by_level : tuple of float
        Scores in the order of the codes.
    """

    cause: str
    by_level: tuple[float, ...]

    def scores(self, column: np.ndarray) -> np.ndarray:
        """Look up the score of each row's level."""
        found: np.ndarray = np.array(self.by_level)[column]
        return found


@dataclass(frozen=True, slots=True)
class Term:
    """The influence of one cause, or the product of several: these act only together.

    Attributes
    ----------
    influences : tuple of Influence
        One for each cause of the term.
    centre, scale : float
        Subtracted from the product of the scores, and divided by.

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
