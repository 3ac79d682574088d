"""What a report is made of, whatever the file is that it becomes: sentences, lists, tables and figures.

Every text is plain: whoever writes a file escapes it. A block says of which kind it is (:class:`BlockKind`),
and a format has a writer for each kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from operator import attrgetter
from typing import ClassVar, Generic, TypeVar

from engine.reporting.figures.chart import Chart
from engine.translation import _

MOST_ROWS = 200


class Tone(StrEnum):
    """What a text is, from which follows how it looks."""

    PLAIN = "plain"
    LEAD = "lead"
    QUIET = "quiet"
    WARNING = "warning"
    NAME = "name"
    COMMON = "common"
    SPECIFIC = "specific"
    LABEL = "label"


TONE_COLOURS = {
    Tone.COMMON: "#0072b2",
    Tone.SPECIFIC: "#00775a",
    Tone.LABEL: "#b54a00",
    Tone.QUIET: "#59636f",
}
"""The colour of what is not said in the usual one, dark enough on white."""

_EMPTY_GROUND, _DARKEST_GROUND = "#f5f7f9", (90, 110, 135)
_LEAST_SHADE, _SHADE = 0.12, 0.5


class BlockKind(StrEnum):
    """Of which kind a block is."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    LISTING = "listing"
    DEFINITIONS = "definitions"
    TABLE = "table"
    GRID = "grid"
    FIGURE = "figure"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Some sentences."""

    text: str
    tone: Tone = Tone.PLAIN

    kind: ClassVar[BlockKind] = BlockKind.PARAGRAPH


@dataclass(frozen=True, slots=True)
class Heading:
    """What stands above a part of a section."""

    text: str

    kind: ClassVar[BlockKind] = BlockKind.HEADING


@dataclass(frozen=True, slots=True)
class ReportList:
    """Sentences or sources below each other."""

    items: tuple[str, ...]
    is_numbered: bool = False

    kind: ClassVar[BlockKind] = BlockKind.LISTING


@dataclass(frozen=True, slots=True)
class Definition:
    """A term and what it means, or a setting, its value and what that does."""

    term: str
    text: str
    help: str = ""
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True)
class Definitions:
    """Terms with what they mean."""

    entries: tuple[Definition, ...]

    kind: ClassVar[BlockKind] = BlockKind.DEFINITIONS


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table."""

    text: str
    tone: Tone = Tone.PLAIN
    note: str = ""  # beneath, in a quieter voice
    strength: float | None = None  # 0 to 1, drawn as a bar beside the text or, in a grid, as a shade
    rows: int = 1  # how many it goes over
    tip: str = ""  # under the pointer, and for people who do not see it

    @property
    def ground(self) -> str:
        """Its colour in a grid, darker where the strength is greater.

        >>> Cell("").ground, Cell("●", strength=1.0).ground
        ('#f5f7f9', '#99a5b5')
        """
        if self.strength is None:
            return _EMPTY_GROUND
        share = _LEAST_SHADE + _SHADE * self.strength
        return "#" + "".join(f"{round(255 + share * (ink - 255)):02x}" for ink in _DARKEST_GROUND)


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column of a table."""

    title: str
    is_number: bool = False  # stands at the right
    above: str = ""  # over it and over its neighbours that say the same
    width: float = 2.0  # parts of the line, where the columns of a file have fixed widths


@dataclass(frozen=True, slots=True)
class TableBlock:
    """Rows of cells in groups that are better not parted."""

    columns: tuple[TableColumn, ...]
    # later rows of a group lack the cell that the first row stretches over them
    groups: tuple[tuple[tuple[Cell, ...], ...], ...]

    kind: ClassVar[BlockKind] = BlockKind.TABLE

    @property
    def width(self) -> float:
        """Parts into which the line is divided."""
        return sum(column.width for column in self.columns)

    @property
    def headings_above(self) -> tuple[tuple[str, tuple[TableColumn, ...]], ...]:
        """What stands above the columns, each with those that it stands over; empty where nothing does."""
        if not any(column.above for column in self.columns):
            return ()
        return tuple((above, tuple(columns)) for above, columns in groupby(self.columns, attrgetter("above")))


@dataclass(frozen=True, slots=True)
class GridBlock:
    """Variables crossed with labels: a sign and a shade in every cell."""

    corner: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, tuple[Cell, ...]], ...]
    legend: tuple[str, ...]

    kind: ClassVar[BlockKind] = BlockKind.GRID


@dataclass(frozen=True, slots=True)
class FigureBlock:
    """A chart."""

    name: str
    chart: Chart

    kind: ClassVar[BlockKind] = BlockKind.FIGURE


Block = Paragraph | Heading | ReportList | Definitions | TableBlock | GridBlock | FigureBlock


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report as it is read."""

    name: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """A whole report."""

    title: str
    facts: tuple[str, ...]
    sections: tuple[Section, ...]
    version: str
    day: str


Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Shown(Generic[Item]):
    """As many as a person reads."""

    items: tuple[Item, ...]
    shown: int
    total: int

    def cut(self, sentence: str) -> tuple[Paragraph, ...]:
        """Say that not all are shown, where that is so."""
        if self.shown == self.total:
            return ()
        return (Paragraph(_(sentence, shown=f"{self.shown:,}", total=f"{self.total:,}"), Tone.QUIET),)


def first_of(items: Sequence[Item], most: int = MOST_ROWS) -> Shown[Item]:
    """Return the first of some items.

    >>> first_of("abc", 2).cut("The first {shown} of {total} are shown.")[0].text
    'The first 2 of 3 are shown.'
    """
    shown = tuple(items[:most])
    return Shown(shown, len(shown), len(items))
