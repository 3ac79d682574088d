"""How series look: a colour that colour-blind people tell apart, and a shape and a dash besides."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

Point = tuple[float, float]

# Of the method that a chart is about, and of figures that were printed before.
OWN, PAPER = "own", "paper"
_SERIES = "series-"
_SHARE = "share-"
_SHARES = 4


@dataclass(frozen=True, slots=True)
class Look:
    """How lines and marks of one series are drawn.

    Attributes
    ----------
    colour, colour_on_dark : str
        Six hexadecimal digits after ``#``, dark enough on white, and light enough on a dark ground.
    width : float
        Of its lines, in pixels.
    dash : tuple of float
        Lengths of dashes and gaps in turn; empty for a line without gaps.
    outline : tuple of (float, float)
        Corners of its mark, in pixels from the middle.
    filled : bool
        Whether the mark is filled; only its edge is drawn otherwise.
    """

    colour: str
    colour_on_dark: str
    width: float
    dash: tuple[float, ...]
    outline: tuple[Point, ...]
    filled: bool


# Lines and texts that are no series: their colour on a light ground, and on a dark one.
INKS = {
    "ground": ("#ffffff", "#1b1e22"),
    "grid": ("#d9dee4", "#3a424c"),
    "ink": ("#1d2530", "#e6eaee"),
    "strong": ("#1d2530", "#e6eaee"),
    "quiet": ("#59636f", "#a7b1bc"),
}


def _regular(corners: int, radius: float, turned: float = 0.0) -> tuple[Point, ...]:
    angles = [2 * math.pi * (corner / corners + turned) for corner in range(corners)]
    return tuple((radius * math.sin(angle), -radius * math.cos(angle)) for angle in angles)


def _star(points: int, radius: float, inner: float, turned: float = 0.0) -> tuple[Point, ...]:
    outer, notches = _regular(points, radius, turned), _regular(points, inner, turned + 0.5 / points)
    return tuple(point for pair in zip(outer, notches, strict=True) for point in pair)


_CIRCLE = _regular(16, 3.8)
_SQUARE = _regular(4, 4.8, 0.125)
_DIAMOND = _regular(4, 4.8)
_UP, _DOWN = _regular(3, 4.8), _regular(3, 4.8, 0.5)
_CROSS = _star(4, 4.8, 1.4)
_X = _star(4, 5.2, 0.9, 0.125)

# After Okabe and Ito, without their yellow, which is too pale on white; each shape twice, filled and not.
_SERIES_LOOKS = (
    Look("#0072b2", "#5ab4e6", 1.5, (), _CIRCLE, True),
    Look("#007a5a", "#34c79a", 1.5, (6.0, 3.0), _SQUARE, True),
    Look("#a6508b", "#e08cc4", 1.5, (2.0, 2.0), _UP, True),
    Look("#a86c00", "#e0a83c", 1.5, (8.0, 3.0, 2.0, 3.0), _DOWN, True),
    Look("#3a87ad", "#8fd0ee", 1.5, (4.0, 2.0), _DIAMOND, True),
    Look("#59636f", "#a7b1bc", 1.5, (1.5, 3.0), _CROSS, True),
    Look("#0072b2", "#5ab4e6", 1.5, (10.0, 3.0), _CIRCLE, False),
    Look("#007a5a", "#34c79a", 1.5, (2.0, 4.0), _SQUARE, False),
    Look("#a6508b", "#e08cc4", 1.5, (6.0, 2.0, 2.0, 2.0), _UP, False),
    Look("#59636f", "#a7b1bc", 1.5, (3.0, 3.0), _DOWN, False),
    Look("#1d2530", "#e6eaee", 1.5, (12.0, 4.0), _DIAMOND, False),
    Look("#a86c00", "#e0a83c", 1.5, (4.0, 4.0), _CROSS, False),
)
# Of methods with their usual settings, as they were published, and of the figures in print.
_VARIANT_LOOKS = {
    "default": Look("#0072b2", "#5ab4e6", 1.5, (), _CIRCLE, True),
    "as-published": Look("#b54a00", "#ff9a5c", 1.5, (), _CIRCLE, False),
    PAPER: Look("#59636f", "#a7b1bc", 1.5, (), _X, True),
}
_OWN_LOOK = Look("#c43c00", "#ff7a45", 2.4, (), _star(5, 7.0, 2.8), True)


def series_look(place: int) -> str:
    """Name the look of a series by its place; after the last it begins anew.

    Examples
    --------
    >>> series_look(2), series_look(12)
    ('series-2', 'series-0')
    """
    return f"{_SERIES}{place % len(_SERIES_LOOKS)}"


def share_look(share: float) -> str:
    """Name the look of a share between 0 and 1: a square that grows in four steps.

    Examples
    --------
    >>> share_look(0.1), share_look(1.0)
    ('share-1', 'share-4')
    """
    return f"{_SHARE}{min(max(math.ceil(share * _SHARES), 1), _SHARES)}"


def looks() -> dict[str, Look]:
    """Give the look of every series by name."""
    found = {series_look(place): look for place, look in enumerate(_SERIES_LOOKS)}
    for step in range(1, _SHARES + 1):
        square = _regular(4, 2.6 * step + 0.6, 0.125)
        found[f"{_SHARE}{step}"] = Look("#0072b2", "#5ab4e6", 1.0, (), square, True)
    return found | _VARIANT_LOOKS | {OWN: _OWN_LOOK}


def line_width(look: str) -> float:
    """Give the width of lines of a look, in pixels."""
    known = looks().get(look)
    if known is not None:
        return known.width
    return 1.0 if look == "grid" else 1.5


def path_data(points: Sequence[Point], x: float, y: float) -> str:
    """Write a closed outline around a point as the data of an SVG path.

    Examples
    --------
    >>> path_data([(0, -1), (1, 0), (0, 1)], 10, 20)
    'M10 19L11 20L10 21Z'
    """
    corners = (f"{x + across:.1f} {y + down:.1f}".replace(".0", "") for across, down in points)
    return "M" + "L".join(corners) + "Z"
