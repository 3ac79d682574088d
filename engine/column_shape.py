"""How the values of a number are spread: what a person should know before a test that wants them even."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

# Beyond these a word is said: an exponential distribution has a skewness of 2, a normal one of 0.
NOTABLE_SKEWNESS = 1.0
NOTABLE_ZEROS = 0.2


@dataclass(frozen=True, slots=True)
class Shape:
    """Skewness of a column of numbers, and how many of its values are zero.

    Attributes
    ----------
    skewness : float
        Third central moment over the cube of the standard deviation; 0 where all values are equal or there
        are none. Positive with a long tail to the right.
    zeros : float
        Share of the values that are zero, 0 to 1.
    """

    skewness: float = 0.0
    zeros: float = 0.0

    @property
    def words(self) -> tuple[str, ...]:
        """What is notable, each in a few words; nothing for an even spread."""
        said = []
        if abs(self.skewness) >= NOTABLE_SKEWNESS:
            said.append(
                f"skewed to the {'right' if self.skewness > 0 else 'left'} ({abs(self.skewness):.1f})"
            )
        if self.zeros >= NOTABLE_ZEROS:
            said.append(f"{100 * self.zeros:.0f} % zeros")
        return tuple(said)


def shape_of(values: np.ndarray) -> Shape:
    """Measure how the values of a number are spread.

    Parameters
    ----------
    values : ndarray of float64, shape (rows,)
        Finite, or NaN for missing.

    Returns
    -------
    Shape

    References
    ----------
    .. [1] Joanes, Gill (1998), Comparing measures of sample skewness and kurtosis, The Statistician
       47:183-189: the measure called g₁.

    Examples
    --------
    >>> shape = shape_of(np.array([0.0, 0.0, 0.0, 1.0, 9.0, np.nan]))
    >>> round(shape.skewness, 2), shape.zeros
    (1.46, 0.6)
    >>> shape.words
    ('skewed to the right (1.5)', '60 % zeros')
    """
    known = values[~np.isnan(values)]
    if not len(known):
        return Shape()
    zeros = float(np.count_nonzero(known == 0.0)) / len(known)
    # Scaled before powers are taken: those of the largest floats overflow, and of the smallest vanish.
    largest = float(np.abs(known).max())
    if largest == 0.0:
        return Shape(0.0, zeros)
    scaled = known / largest
    centred = scaled - scaled.mean()
    spread = float(np.abs(centred).max())
    if spread <= 8 * np.finfo(np.float64).eps:
        return Shape(0.0, zeros)
    centred = centred / spread
    variance = float(np.square(centred).mean())
    skewness = float((centred**3).mean()) / variance**1.5
    return Shape(skewness if math.isfinite(skewness) else 0.0, zeros)
