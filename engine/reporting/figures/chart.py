"""What a chart holds, in the units of its data: nothing in here knows of pixels, pages or windows.

Each kind of panel is drawn by one function for files and one for the window.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

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
    """One plot of a chart, of one of the kinds below."""

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


# Of bars above the rows of sets: the gap beneath them, and the height of the highest, in rows.
_BAR_FOOT, _BAR_ROWS = 0.25, 4.0


@dataclass(frozen=True, slots=True)
class FigurePoint:
    """A figure in a plane, with what is known of its spread upwards and downwards."""

    x: float
    y: float
    words: str  # what it is, as it is read on its own: its series, and its figures
    low: float | None = None  # ends of the line through it
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Curve:
    """Points of a series, joined from left to right."""

    series: Series
    points: tuple[FigurePoint, ...]
    is_level: bool = False  # figures that hold all across: a line through each from edge to edge
    has_band: bool = False  # the spread of points is drawn as one band around the curve

    @property
    def spread(self) -> tuple[tuple[FigurePoint, float, float], ...]:
        """Points whose spread is known, with its lower and its upper end."""
        return tuple(
            (point, point.low, point.high)
            for point in self.points
            if point.low is not None and point.high is not None
        )


@dataclass(frozen=True, slots=True)
class CurvePanel(Panel):
    """Curves over two scales."""

    x: Axis
    y: Axis
    curves: tuple[Curve, ...]

    def words(self) -> list[str]:
        """Return what each mark is, as it is read on its own."""
        return [point.words for curve in self.curves for point in curve.points]


@dataclass(frozen=True, slots=True)
class RowMark:
    """A figure in a row, with a line from one end to the other."""

    series: Series
    row: int  # from the top
    value: float
    words: str  # what it is, as it is read on its own
    low: float | None = None  # ends of its line: an interval, or of a bar zero and the figure
    high: float | None = None
    lane: int = 0  # which lane of its row, so that marks of one row hide none of each other
    is_bound: bool = False  # the true figure lies further up: an arrow says so


@dataclass(frozen=True, slots=True)
class RowNote:
    """A word at the beginning of a row, where there is no figure."""

    series: Series
    row: int
    text: str
    lane: int = 0


@dataclass(frozen=True, slots=True)
class RowPanel(Panel):
    """Named rows over one scale."""

    rows: tuple[str, ...]
    x: Axis
    marks: tuple[RowMark, ...]
    notes: tuple[RowNote, ...] = ()
    lanes: int = 1
    strong_rows: tuple[int, ...] = ()
    bounds: tuple[float, ...] = ()

    def height(self, row: int, lane: int) -> float:
        """Return where a lane lies, in rows from the top."""
        return row + 0.5 + (lane - (self.lanes - 1) / 2) * 0.8 / self.lanes

    @property
    def row_names(self) -> tuple[str, ...]:
        """The names of its rows."""
        return self.rows

    def words(self) -> list[str]:
        """Return what each mark is, as it is read on its own."""
        return [mark.words for mark in self.marks]


@dataclass(frozen=True, slots=True)
class Ranked:
    """A method on a scale of ranks."""

    series: Series
    rank: float
    words: str


@dataclass(frozen=True, slots=True)
class RankPanel(Panel):
    """A critical-difference diagram after Demšar (2006): average ranks, and which of them do not differ."""

    note: str
    methods: tuple[Ranked, ...]
    groups: tuple[tuple[float, float], ...]
    critical_difference: float

    note_height: ClassVar[float] = -2.9
    """Where the note stands."""
    difference_height: ClassVar[float] = -1.9
    """Where the line as long as the critical difference is."""

    @property
    def last(self) -> int:
        """The worst rank that there can be."""
        return len(self.methods)

    @property
    def heights(self) -> tuple[float, float]:
        """Where the note stands, above everything, and where the last row of names ends."""
        return self.note_height - 0.6, self.name_height(self.rows) - 0.3

    def group_height(self, place: int) -> float:
        """Return where the bar of a group is."""
        return 0.4 * (place + 1)

    def name_height(self, row: int) -> float:
        """Return where a row of names is."""
        return self.group_height(len(self.groups)) + 0.6 + row

    @property
    def rows(self) -> int:
        """How many names stand above each other on either side."""
        return (len(self.methods) + 1) // 2

    def side(self, place: int) -> tuple[bool, int]:
        """Return whether the name of a method stands on the left, and in which row from the top."""
        is_left = place < self.rows
        return is_left, place if is_left else len(self.methods) - 1 - place

    def words(self) -> list[str]:
        """Return what each mark is, as it is read on its own."""
        return [method.words for method in self.methods]


@dataclass(frozen=True, slots=True)
class Thread:
    """Figures of one series, one a corner, with the words of each."""

    series: Series
    values: tuple[float, ...]
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WebPanel(Panel):
    """A spider diagram."""

    corners: tuple[str, ...]
    rings: tuple[float, ...]
    threads: tuple[Thread, ...]

    def corner(self, place: int, figure: float) -> tuple[float, float]:
        """Return x and y, upwards, of a figure at a corner; the middle is the origin."""
        angle = 2 * math.pi * place / len(self.corners)
        return figure * math.sin(angle), figure * math.cos(angle)

    def outline(self, figures: Sequence[float]) -> list[tuple[float, float]]:
        """Return the corners of a closed line through figures, the first again at the end."""
        corners = [self.corner(place, figure) for place, figure in enumerate(figures)]
        return [*corners, corners[0]]

    def words(self) -> list[str]:
        """Return what each mark is, as it is read on its own."""
        return [words for thread in self.threads for words in thread.words]


@dataclass(frozen=True, slots=True)
class Share:
    """A square that grows with a share between 0 and 1."""

    row: int
    column: int
    value: float
    words: str


@dataclass(frozen=True, slots=True)
class SharePanel(Panel):
    """Rows by columns, with a square where a share is above 0."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    shares: tuple[Share, ...]

    def words(self) -> list[str]:
        """Return what each mark is, as it is read on its own."""
        return [share.words for share in self.shares]


@dataclass(frozen=True, slots=True)
class SetColumn:
    """A set of rows, and how many things have exactly this set."""

    members: tuple[int, ...]
    count: int
    words: str


@dataclass(frozen=True, slots=True)
class SetPanel(Panel):
    """An UpSet plot: sets as columns of joined dots, with a bar for the size of each (Lex et al. 2014)."""

    rows: tuple[str, ...]
    sets: tuple[SetColumn, ...]
    series: Series

    def bar_top(self, count: int) -> float:
        """Return where a bar ends, in rows downwards from the first; bars stand upon the rows.

        >>> panel = SetPanel("", ("a",), (SetColumn((0,), 4, ""),), Series("", "own"))
        >>> panel.bar_top(4), panel.bar_top(2)
        (-4.25, -2.25)
        """
        return -_BAR_FOOT - _BAR_ROWS * count / max((label_set.count for label_set in self.sets), default=1)

    @property
    def bar_foot(self) -> float:
        """Where bars begin."""
        return -_BAR_FOOT

    @property
    def top(self) -> float:
        """The upper end, with room for the number above the highest bar."""
        return -_BAR_FOOT - _BAR_ROWS - 1.0

    def dots(self) -> list[tuple[tuple[float, float], str]]:
        """Return the dots of members: across and downwards, and what each says."""
        return [
            ((column + 0.5, row + 0.5), label_set.words)
            for column, label_set in enumerate(self.sets)
            for row in label_set.members
        ]

    def empty_dots(self) -> list[tuple[float, float]]:
        """Return the places of rows that are not in a set."""
        return [
            (column + 0.5, row + 0.5)
            for column, label_set in enumerate(self.sets)
            for row in range(len(self.rows))
            if row not in label_set.members
        ]

    def joins(self) -> list[tuple[float, float, float, float]]:
        """Return the line from the first to the last member of each set: x and y of both ends."""
        return [
            (column + 0.5, min(label_set.members) + 0.5, column + 0.5, max(label_set.members) + 0.5)
            for column, label_set in enumerate(self.sets)
        ]

    def words(self) -> list[str]:
        """Return what each mark is, as it is read on its own."""
        return [words for _, words in self.dots()]
