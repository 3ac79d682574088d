"""Which look stands for which method, the same in every picture, and how its name is written."""

from __future__ import annotations

from collections.abc import Sequence

from engine.evaluation.drawing.chart import Drawing, Line, Mark, text_width
from engine.evaluation.drawing.looks import OWN, series_look
from engine.evaluation.selection.methods import CLCD_FS, selection_methods

_ROW_HEIGHT = 20.0
_SAMPLE, _APART, _GAP = 26.0, 6.0, 16.0


def look_of(method: str) -> str:
    """Name the look of a method.

    Examples
    --------
    >>> look_of("clcd-fs"), look_of("sfus")
    ('own', 'series-0')
    """
    return OWN if method == CLCD_FS else series_look(list(selection_methods()).index(method))


def draw_legend(drawing: Drawing, methods: Sequence[str], left: float, top: float, width: float) -> float:
    """Draw a line with a mark and the name of each method; give the height that it takes."""
    widths = _column_widths([selection_methods()[method].title for method in methods], width)
    columns = len(widths)
    for place, method in enumerate(methods):
        x = left + sum(widths[: place % columns])
        y = top + (place // columns + 0.5) * _ROW_HEIGHT
        title = selection_methods()[method].title
        drawing.lines.append(Line(x, y, x + _SAMPLE, y, look_of(method)))
        drawing.marks.append(Mark(x + _SAMPLE / 2, y, look_of(method), title))
        drawing.text(x + _SAMPLE + _APART, y, title, look=_text_look(method))
    return _ROW_HEIGHT * -(-len(methods) // columns) + 8.0


def names_width(methods: Sequence[str]) -> float:
    """Give the room that the longest name of some methods takes at the left of a panel."""
    return max((text_width(selection_methods()[method].title) for method in methods), default=0.0) + 8.0


def draw_name(drawing: Drawing, right: float, middle: float, method: str) -> None:
    """Write the name of a method at the left of its row."""
    drawing.text(right - 8.0, middle, selection_methods()[method].title, "end", _text_look(method))


def _text_look(method: str) -> str:
    return "strong" if method == CLCD_FS else "ink"


def _column_widths(titles: Sequence[str], width: float) -> list[float]:
    """Give as many columns as find room, each as wide as its longest title asks for."""
    needed = [_SAMPLE + _APART + text_width(title) + _GAP for title in titles]
    for columns in range(len(titles), 1, -1):
        widths = [max(needed[column::columns]) for column in range(columns)]
        if sum(widths) - _GAP <= width:
            return widths
    return [width]
