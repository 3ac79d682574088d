"""The kinds of panels that a chart may have, each drawn by a function for files and one for the window."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from engine.reporting.figures.chart import Axis, Panel, Series

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
        return -_BAR_FOOT - _BAR_ROWS * count / max((each.count for each in self.sets), default=1)

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
            ((column + 0.5, row + 0.5), each.words)
            for column, each in enumerate(self.sets)
            for row in each.members
        ]

    def empty_dots(self) -> list[tuple[float, float]]:
        """Return the places of rows that are not in a set."""
        return [
            (column + 0.5, row + 0.5)
            for column, each in enumerate(self.sets)
            for row in range(len(self.rows))
            if row not in each.members
        ]

    def joins(self) -> list[tuple[float, float, float, float]]:
        """Return the line from the first to the last member of each set: x and y of both ends."""
        return [
            (column + 0.5, min(each.members) + 0.5, column + 0.5, max(each.members) + 0.5)
            for column, each in enumerate(self.sets)
        ]

    def words(self) -> list[str]:
        """Return what each mark is, as it is read on its own."""
        return [words for _, words in self.dots()]
