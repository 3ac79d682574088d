"""What a chart holds, in the units of its data: nothing in here knows of pixels, pages or windows."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_LARGEST_WRITTEN_OUT = 3
_ROOM = 0.06


@dataclass(frozen=True, slots=True)
class Series:
    """What one colour and mark stand for, the same in every panel."""

    name: str
    look: str  # one of :func:`looks <engine.reporting.figures.looks.looks>`
    is_strong: bool = False  # its name stands out, as that of the method which a chart is about


@dataclass(frozen=True, slots=True)
class Axis:
    """A scale."""

    low: float  # figures at its ends; on a logarithmic scale above 0
    high: float
    title: str = ""
    is_logarithmic: bool = False
    # figures and what is written there; when empty, whoever draws chooses round ones
    ticks: tuple[tuple[float, str], ...] = ()

    def place(self, figure: float) -> float:
        """Return where a figure stands on a straight scale: itself, or its decimal logarithm."""
        return math.log10(figure) if self.is_logarithmic else figure

    def inside(self, figure: float) -> float:
        """Return a figure, or the end of the scale that it lies beyond."""
        return min(max(figure, self.low), self.high)


@dataclass(frozen=True, slots=True)
class Panel(ABC):
    """One plot of a chart; its kinds are in :mod:`panels <engine.reporting.figures.panels>`."""

    title: str

    @property
    def row_names(self) -> tuple[str, ...]:
        """Names that stand at its left, and that a neighbour with the same names need not repeat."""
        return ()

    @abstractmethod
    def words(self) -> list[str]:
        """Return what each mark is, as it is read on its own."""


@dataclass(frozen=True, slots=True)
class Chart:
    """Panels beside and above each other."""

    title: str
    rows: tuple[tuple[Panel, ...], ...]
    headings: tuple[str, ...] = ()
    legend: tuple[Series, ...] = ()
    note: str = ""

    @property
    def panels(self) -> tuple[Panel, ...]:
        """All of them, row by row."""
        return tuple(panel for row in self.rows for panel in row)

    @property
    def columns(self) -> int:
        """How many stand beside each other at most."""
        return max(map(len, self.rows), default=0)

    def has_own_names(self, row: int, column: int) -> bool:
        """Tell whether the rows of a panel are named beside it, not beside its neighbour on the left."""
        names = self.rows[row][column].row_names
        return column == 0 or not names or self.rows[row][column - 1].row_names != names

    def words(self) -> list[str]:
        """Return what every mark says, panel by panel."""
        return [words for panel in self.panels for words in panel.words()]


def in_rows(panels: Sequence[Panel], columns: int) -> tuple[tuple[Panel, ...], ...]:
    """Return panels in rows of so many; the last may be shorter."""
    return tuple(tuple(panels[place : place + columns]) for place in range(0, len(panels), columns))


def around(figures: Sequence[float]) -> tuple[float, float]:
    """Return the ends of a straight scale with a little room on either side of some figures."""
    low, high = min(figures), max(figures)
    room = _ROOM * (high - low) if high > low else max(abs(high), 1.0) * _ROOM
    return low - room, high + room


def powers_of_ten(figures: Sequence[float], title: str = "") -> Axis:
    """Return a logarithmic scale from the power of ten beneath some figures to that above.

    >>> [text for _, text in powers_of_ten([0.3, 20000.0]).ticks]
    ['0.1', '1', '10', '100', '1000', '10⁴', '10⁵']
    """
    low = math.floor(math.log10(min(figures)))
    high = max(math.ceil(math.log10(max(figures))), low + 1)
    ticks = tuple((10.0**power, _power_text(power)) for power in range(low, high + 1))
    return Axis(10.0**low, 10.0**high, title, is_logarithmic=True, ticks=ticks)


def _power_text(power: int) -> str:
    """Write a power of ten, a large one with its exponent."""
    is_long = abs(power) > _LARGEST_WRITTEN_OUT
    return f"10{str(power).translate(_SUPERSCRIPTS)}" if is_long else f"{10.0**power:g}"
