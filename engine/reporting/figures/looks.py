"""How things look in a figure.

A series has a colour that colour-blind people tell apart, and a mark and a dash besides. Names of variables
stand whole, in lines, and each in the order of its script.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from engine.wording.phrases import in_order, visible


class Marker(StrEnum):
    """Shape of a mark, by a name that every drawing library has a sign for."""

    CIRCLE = "circle"
    SQUARE = "square"
    UP = "triangle up"
    DOWN = "triangle down"
    DIAMOND = "diamond"
    PLUS = "plus"
    CROSS = "cross"
    STAR = "star"


@dataclass(frozen=True, slots=True)
class Look:
    """How lines and marks of one series are drawn; lengths are in hundredths of an inch."""

    colour: str  # dark enough on white
    colour_on_dark: str  # light enough on a dark ground
    marker: Marker
    is_filled: bool = True  # else only the edge of the mark is drawn
    dash: tuple[float, ...] = ()  # dashes and gaps in turn; empty for a line without gaps
    size: float = 8.0  # of the mark from edge to edge
    width: float = 1.5  # of lines
    edge: float = 1.0  # of a mark that is not filled, as a multiple of the usual one


# The method that a chart is about, and figures that were printed before.
OWN, PAPER = "own", "paper"
_SERIES = "series-"
_SHARE = "share-"
_SHARES = 4


@dataclass(frozen=True, slots=True)
class Ink:
    """Colour of what is no series, on a light ground and on a dark one."""

    colour: str
    colour_on_dark: str


INKS = {
    "ground": Ink("#ffffff", "#1b1e22"),
    "grid": Ink("#d9dee4", "#3a424c"),
    "ink": Ink("#1d2530", "#e6eaee"),
    "quiet": Ink("#59636f", "#a7b1bc"),
}
"""Ground and lines of a chart, its text, and text that is read second."""

_BLUE, _GREEN, _PURPLE = ("#0072b2", "#5ab4e6"), ("#007a5a", "#34c79a"), ("#a6508b", "#e08cc4")
_AMBER, _SKY = ("#a86c00", "#e0a83c"), ("#3a87ad", "#8fd0ee")
_VERMILION = ("#b54a00", "#ff9a5c")
_GREY, _BLACK = ("#59636f", "#a7b1bc"), ("#1d2530", "#e6eaee")

# After Okabe and Ito, without their yellow, which is too pale on white; each shape twice, filled and not.
_SERIES_LOOKS = (
    Look(*_BLUE, Marker.CIRCLE),
    Look(*_GREEN, Marker.SQUARE, dash=(6.0, 3.0)),
    Look(*_PURPLE, Marker.UP, dash=(2.0, 2.0)),
    Look(*_AMBER, Marker.DOWN, dash=(8.0, 3.0, 2.0, 3.0)),
    Look(*_SKY, Marker.DIAMOND, dash=(4.0, 2.0)),
    Look(*_GREY, Marker.PLUS, dash=(1.5, 3.0)),
    Look(*_BLUE, Marker.CIRCLE, is_filled=False, dash=(10.0, 3.0)),
    Look(*_GREEN, Marker.SQUARE, is_filled=False, dash=(2.0, 4.0)),
    Look(*_PURPLE, Marker.UP, is_filled=False, dash=(6.0, 2.0, 2.0, 2.0)),
    Look(*_GREY, Marker.DOWN, is_filled=False, dash=(3.0, 3.0)),
    Look(*_BLACK, Marker.DIAMOND, is_filled=False, dash=(12.0, 4.0)),
    Look(*_AMBER, Marker.PLUS, is_filled=False, dash=(4.0, 4.0)),
)
# Of methods with their usual settings, as they were published, and of the figures in print.
_VARIANT_LOOKS = {
    "default": Look(*_BLUE, Marker.CIRCLE),
    "as-published": Look(*_VERMILION, Marker.CIRCLE, is_filled=False),
    PAPER: Look(*_GREY, Marker.CROSS),
}
# Of a graph: nodes without a line, as large as they are there, and lines without a mark.
_GRAPH_LOOKS = {
    "label": Look(*_VERMILION, Marker.SQUARE, is_filled=False, size=16.0, width=0.0, edge=1.5),
    "common": Look(*_BLUE, Marker.CIRCLE, size=20.8, width=0.0),
    "label-specific": Look(*_GREEN, Marker.CIRCLE, is_filled=False, size=17.4, width=0.0, edge=2.6),
    "neighbour": Look(*_BLACK, Marker.CIRCLE, size=0.0, width=3.0),
    "spouse": Look(*_BLACK, Marker.CIRCLE, size=0.0, width=2.4, dash=(2.4, 3.4)),
    "interchangeable": Look(*_GREY, Marker.CIRCLE, size=0.0, width=2.4, dash=(7.0, 5.0)),
    "label relation": Look(*_VERMILION, Marker.CIRCLE, size=0.0, width=2.0),
    "through labels": Look(*_BLACK, Marker.CIRCLE, size=0.0, width=2.4, dash=(9.0, 3.6, 2.4, 3.6)),
}
_OWN_LOOK = Look("#c43c00", "#ff7a45", Marker.STAR, size=14.0, width=2.4)


def series_look(place: int) -> str:
    """Return the name of a series' look by its place; after the last it begins anew."""
    return f"{_SERIES}{place % len(_SERIES_LOOKS)}"


def share_look(share: float) -> str:
    """Return the name of the look of a share between 0 and 1: a square that grows in four steps.

    >>> share_look(0.1), share_look(1.0)
    ('share-1', 'share-4')
    """
    return f"{_SHARE}{min(max(math.ceil(share * _SHARES), 1), _SHARES)}"


@cache
def looks() -> dict[str, Look]:
    """Return the look of every series by name."""
    all_looks = {series_look(place): look for place, look in enumerate(_SERIES_LOOKS)}
    for step in range(1, _SHARES + 1):
        all_looks[f"{_SHARE}{step}"] = Look(*_BLUE, Marker.SQUARE, size=3.6 * step + 1.0, width=1.0)
    return all_looks | _VARIANT_LOOKS | _GRAPH_LOOKS | {OWN: _OWN_LOOK}


def colours() -> dict[str, str]:
    """Return for each colour on a light ground the one that stands for it on a dark ground."""
    of_inks = {ink.colour: ink.colour_on_dark for ink in INKS.values()}
    return of_inks | {look.colour: look.colour_on_dark for look in looks().values()}


IN_A_GRAPH = 22
"""Letters of a line of a name in a graph."""

_BESIDE_A_SCALE, _ABOVE_A_PANEL = 44, 62
_WORD_PART = re.compile(r"\S+?(?:(?<=[_\-/.,;:])|(?= |$))|\S+| +")


def name_lines(name: str, most: int = IN_A_GRAPH) -> tuple[str, ...]:
    """Write a name in lines that end where a word does, all of it.

    >>> name_lines("Support by colleagues (0-10)")
    ('Support by colleagues', '(0-10)')
    """
    lines = [""]
    for part in _WORD_PART.findall(visible(name)):
        while len(part) > most:
            lines, part = [*lines, part[:most]], part[most:]
        if len(lines[-1]) + len(part.rstrip()) > most:
            lines.append("")
        lines[-1] += part
    return tuple(line.strip() for line in lines if line.strip()) or (name,)


def row_name(name: str) -> str:
    r"""Write the name of a row for the room at the side of a panel.

    >>> row_name("How often did you feel so tired that you stayed at home?")
    'How often did you feel so tired that you\nstayed at home?'
    """
    return "\n".join(map(in_order, name_lines(name, _BESIDE_A_SCALE)))


def panel_title(title: str) -> str:
    """Write what a panel shows for the room above it."""
    return "\n".join(map(in_order, name_lines(title, _ABOVE_A_PANEL)))
