"""Spider diagrams of stability over tables, with bars beside (Figure 6 of the paper)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import fmean

from engine.evaluation.drawing.chart import Chart, Drawing, Line, Mark, Panel
from engine.evaluation.selection.charts.legend import draw_legend, look_of
from engine.evaluation.selection.methods import CLCD_FS, selection_methods
from engine.evaluation.selection.metrics import PAPER_METRICS, metrics
from engine.evaluation.selection.result import SelectionComparison
from engine.evaluation.selection.standings import normalised, ranked_methods

_OUTERMOST = 0.5
_RINGS = (0.1, 0.2, 0.3, 0.4, 0.5)
_RADIUS, _SPIDER_WIDTH = 100.0, 340.0
_NAMES, _BARS, _ROW_HEIGHT = 150.0, 230.0, 20.0
_HEAD, _FOOT = 30.0, 46.0
_FEWEST_TABLES = 3


def spider_chart(result: SelectionComparison) -> Chart:
    """Draw, for every metric, a web with a corner a table, and a bar a method for the mean over tables.

    With fewer than three tables there are bars only: a web has no area then.
    """
    drawing = Drawing()
    methods = ranked_methods(result)
    width = _SPIDER_WIDTH + _NAMES + _BARS + 16.0
    top = draw_legend(drawing, methods, 0.0, 0.0, width)
    for name in PAPER_METRICS:
        values = normalised(result, name)
        tables = [each.name for each in result.tables if any(each.name in found for found in values.values())]
        height = max(_ROW_HEIGHT * len(methods), 2 * _RADIUS + 30.0)
        drawing.text(0.0, top + _HEAD / 2, metrics()[name].title, look="strong")
        if len(tables) >= _FEWEST_TABLES:
            _draw_web(drawing, _SPIDER_WIDTH / 2, top + _HEAD + height / 2, tables, values, methods)
        _draw_bars(drawing, top + _HEAD, methods, values)
        top += _HEAD + height + _FOOT
    return drawing.chart("Stretched means over tables: 0.5 is the best method, 0 the worst", width, top)


def _draw_web(
    drawing: Drawing,
    x: float,
    y: float,
    tables: Sequence[str],
    values: Mapping[str, Mapping[str, float]],
    methods: Sequence[str],
) -> None:
    def corner(place: int, figure: float) -> tuple[float, float]:
        angle = 2 * math.pi * place / len(tables)
        distance = _RADIUS * figure / _OUTERMOST
        return x + distance * math.sin(angle), y - distance * math.cos(angle)

    for ring in _RINGS:
        _draw_polygon(drawing, [corner(place, ring) for place in range(len(tables))], "grid")
    for place, table in enumerate(tables):
        drawing.lines.append(Line(x, y, *corner(place, _OUTERMOST), "grid"))
        end_x, end_y = corner(place, _OUTERMOST * 1.13)
        anchor = "middle" if abs(end_x - x) < 1.0 else "start" if end_x > x else "end"
        drawing.text(end_x, end_y, table, anchor, "quiet")
    for method in methods:
        found = values.get(method, {})
        corners = [corner(place, found.get(table, 0.0)) for place, table in enumerate(tables)]
        _draw_polygon(drawing, corners, look_of(method))
        for (mark_x, mark_y), table in zip(corners, tables, strict=True):
            words = f"{selection_methods()[method].title}, {table}: {found.get(table, 0.0):.3f}"
            drawing.marks.append(Mark(mark_x, mark_y, look_of(method), words))


def _draw_polygon(drawing: Drawing, corners: Sequence[tuple[float, float]], look: str) -> None:
    for (x1, y1), (x2, y2) in zip(corners, [*corners[1:], corners[0]], strict=True):
        drawing.lines.append(Line(x1, y1, x2, y2, look))


def _draw_bars(
    drawing: Drawing, top: float, methods: Sequence[str], values: Mapping[str, Mapping[str, float]]
) -> None:
    left = _SPIDER_WIDTH + _NAMES
    panel = Panel(left, top, _BARS, _ROW_HEIGHT * len(methods), 0.0, _OUTERMOST)
    drawing.text(left, top - 10.0, "mean over tables", look="quiet")
    panel.draw_frame(drawing, [(0.0, "0"), (0.25, "0.25"), (0.5, "0.5")], len(methods))
    for row, method in enumerate(methods):
        y = top + (row + 0.5) * _ROW_HEIGHT
        title = selection_methods()[method].title
        drawing.text(left - 8.0, y, title, "end", "strong" if method == CLCD_FS else "ink")
        if values.get(method):
            mean = fmean(values[method].values())
            drawing.lines.append(Line(left, y, panel.x(mean), y, look_of(method)))
            drawing.marks.append(Mark(panel.x(mean), y, look_of(method), f"{title}: {mean:.3f}"))
