"""Which look stands for which method, the same in every picture."""

from __future__ import annotations

from collections.abc import Sequence

from engine.evaluation.drawing.chart import Drawing, Line, Mark
from engine.evaluation.drawing.looks import OWN, series_look
from engine.evaluation.selection.methods import CLCD_FS, selection_methods

_COLUMN_WIDTH = 190.0
_ROW_HEIGHT = 20.0
_SAMPLE = 26.0


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
    columns = max(1, int(width // _COLUMN_WIDTH))
    for place, method in enumerate(methods):
        x = left + (place % columns) * _COLUMN_WIDTH
        y = top + (place // columns + 0.5) * _ROW_HEIGHT
        title = selection_methods()[method].title
        drawing.lines.append(Line(x, y, x + _SAMPLE, y, look_of(method)))
        drawing.marks.append(Mark(x + _SAMPLE / 2, y, look_of(method), title))
        drawing.text(x + _SAMPLE + 6.0, y, title, look="strong" if method == CLCD_FS else "ink")
    return _ROW_HEIGHT * -(-len(methods) // columns) + 8.0
