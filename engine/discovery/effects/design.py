"""How variables enter a regression: levels by indicators, numbers by smooth curves.

Curves are natural cubic splines, which go on as straight lines beyond their outermost knots; knots lie at the
quantiles that Harrell recommends (2015, Regression Modeling Strategies, 2nd ed., section 2.4.6).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from engine.discovery.effects.rows import Rows, deviation, weighted_quantiles
from engine.table.dataset import Dataset
from engine.table.variable import Kind

_KNOTS = {
    3: (0.10, 0.50, 0.90),
    4: (0.05, 0.35, 0.65, 0.95),
    5: (0.05, 0.275, 0.50, 0.725, 0.95),
}
# Rows from which a curve has four knots, and five.
_ROWS_FOR_FOUR, _ROWS_FOR_FIVE = 100.0, 1000.0


class Columns(Protocol):
    """How one variable enters a regression."""

    @property
    def width(self) -> int:
        """Number of its columns."""

    def of(self, values: np.ndarray) -> np.ndarray:
        """Return the columns at some values, float64 of shape (width, values)."""


@dataclass(frozen=True, eq=False)
class LevelColumns:
    """Indicators of the levels but the first.

    Attributes
    ----------
    codes : ndarray of int
        Codes of the levels that occur, ascending; the first has no column.
    """

    codes: np.ndarray

    @property
    def width(self) -> int:
        """Number of levels less one."""
        return len(self.codes) - 1

    def of(self, values: np.ndarray) -> np.ndarray:
        """Return the indicators, float64 of shape (width, values)."""
        found: np.ndarray = (values == self.codes[1:, np.newaxis]).astype(np.float64)
        return found


@dataclass(frozen=True, eq=False)
class LineColumn:
    """A straight line.

    Attributes
    ----------
    centre, scale : float
        Subtracted from the number, and divided by.
    """

    centre: float
    scale: float

    @property
    def width(self) -> int:
        """One column."""
        return 1

    def of(self, values: np.ndarray) -> np.ndarray:
        """Return the number, centred and scaled, float64 of shape (1, values)."""
        return ((values - self.centre) / self.scale)[np.newaxis]


class CurveColumns:
    """A natural cubic spline.

    Parameters
    ----------
    knots : sequence of float
        Three or more, ascending.
    """

    def __init__(self, knots: Sequence[float]) -> None:
        from scipy.interpolate import CubicSpline

        self._knots = np.asarray(knots)
        # One curve a knot, which is 1 there and 0 at the others; together they are the constant.
        self._curves = CubicSpline(self._knots, np.eye(len(self._knots)), bc_type="natural")
        self._slopes = self._curves.derivative()

    @property
    def width(self) -> int:
        """Number of knots less one: the rest is the constant."""
        return len(self._knots) - 1

    def of(self, values: np.ndarray) -> np.ndarray:
        """Follow the curves, float64 of shape (width, values)."""
        inside = np.clip(values, self._knots[0], self._knots[-1])
        found: np.ndarray = self._curves(inside) + self._slopes(inside) * (values - inside)[:, np.newaxis]
        return found[:, 1:].T


def columns_of(
    dataset: Dataset, name: str, rows: Rows, evidence: float, *, straight: bool = False
) -> Columns:
    """Decide how a variable enters a regression.

    Parameters
    ----------
    dataset : Dataset
    name : str
    rows : Rows
        Rows that are used.
    evidence : float
        Rows that bear upon coefficients: of levels, twice those of the rarest one.
    straight : bool
        Let numbers enter by straight lines.

    Returns
    -------
    Columns
    """
    values = dataset.column(name)[rows.places]
    if dataset.variable(name).kind is Kind.NOMINAL:
        return LevelColumns(np.unique(values))
    count = 5 if evidence >= _ROWS_FOR_FIVE else 4 if evidence >= _ROWS_FOR_FOUR else 3
    knots = np.unique(weighted_quantiles(values, rows.shares, _KNOTS[count]))
    if straight or len(knots) < 3:
        return LineColumn(float(rows.shares @ values), deviation(values, rows.shares) or 1.0)
    return CurveColumns(knots.tolist())


def reference_level(counts: np.ndarray, *, ordered: bool, fewest: int) -> int:
    """Choose the level that others are held against.

    Of two levels, and of levels in order, it is the first; the most frequent one where levels have no order,
    or the first is rare.

    Parameters
    ----------
    counts : ndarray of int
        Rows of each level that occurs, in their order.
    ordered : bool
        Levels have an order.
    fewest : int
        A level of fewer rows is rare.

    Returns
    -------
    int
        Its place.

    Examples
    --------
    >>> reference_level(np.array([50, 80, 30]), ordered=False, fewest=20)
    1
    >>> reference_level(np.array([50, 80, 30]), ordered=True, fewest=20)
    0
    """
    if len(counts) <= 2 or (ordered and counts[0] >= fewest):
        return 0
    return int(np.argmax(counts))
