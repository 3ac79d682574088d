"""Spider diagrams of how methods stand, with bars beside (Figure 6 of the paper)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from engine.evaluation.drawing.chart import Chart, Drawing, Line, Mark, Panel, text_width
from engine.evaluation.selection.charts.legend import draw_legend, draw_name, look_of, names_width
from engine.evaluation.selection.methods import selection_methods
from engine.evaluation.selection.metrics import PAPER_METRICS, metrics
from engine.evaluation.selection.result import SelectionComparison
from engine.evaluation.selection.standings import normalised, ranked_methods

_OUTERMOST = 0.5
_RINGS = (0.1, 0.2, 0.3, 0.4, 0.5)
_TICKS = ((0.0, "0"), (0.25, "0.25"), (0.5, "0.5"))
_RADIUS, _NAMES_AT, _GAP = 92.0, 1.13, 12.0
_BARS, _ROW_HEIGHT = 150.0, 20.0
_HEAD, _FOOT = 30.0, 46.0
_FEWEST_TABLES = 3


@dataclass(frozen=True, slots=True)
class Web:
    """One spider diagram.

    Attributes
    ----------
    title : str
    corners : tuple of str
        What stands at each corner.
    values : mapping of str to mapping of str to float
        From 0 to 0.5, by method, then by corner.
    kind : str
        What corners are: ``"tables"`` or ``"metrics"``.
    """

    title: str
    corners: tuple[str, ...]
    values: Mapping[str, Mapping[str, float]]
    kind: str


def webs(result: SelectionComparison) -> tuple[Web, ...]:
    """Give a web a metric with a corner a table; of fewer than three tables a web each, a corner a metric."""
    by_metric = {name: normalised(result, name) for name in metrics()}
    tables = [
        each.name for each in result.tables if any(result.of(each.name, name) for name in result.methods)
    ]
    if len(tables) >= _FEWEST_TABLES:
        return tuple(_web_of_metric(metrics()[name].title, by_metric[name], tables) for name in PAPER_METRICS)
    titles = tuple(each.title for each in metrics().values())
    found = []
    for table in tables:
        values = {
            method: {
                metrics()[name].title: figures[method][table]
                for name, figures in by_metric.items()
                if table in figures.get(method, {})
            }
            for method in ranked_methods(result)
        }
        found.append(Web(table, titles, values, "metrics"))
    return tuple(found)


def spider_chart(result: SelectionComparison) -> Chart:
    """Draw every web, and beside it a bar a method for the mean over its corners."""
    drawing = Drawing()
    methods, found = ranked_methods(result), webs(result)
    longest = max((text_width(name) for web in found for name in web.corners), default=0.0)
    middle = _RADIUS * _NAMES_AT + longest
    bars = 2 * middle + _GAP + names_width(methods)
    width = bars + _BARS + 16.0
    top = draw_legend(drawing, methods, 0.0, 0.0, width)
    for web in found:
        height = max(_ROW_HEIGHT * len(methods), 2 * _RADIUS + 30.0)
        drawing.text(0.0, top + _HEAD / 2, web.title, look="strong")
        if len(web.corners) >= _FEWEST_TABLES:
            _draw_web(drawing, middle, top + _HEAD + height / 2, web, methods)
        _draw_bars(drawing, bars, top + _HEAD, web, methods)
        top += _HEAD + height + _FOOT
    return drawing.chart("Stretched means: 0.5 is the best method, 0 the worst", width, top)


def _web_of_metric(title: str, found: Mapping[str, Mapping[str, float]], tables: Sequence[str]) -> Web:
    corners = tuple(table for table in tables if any(table in each for each in found.values()))
    return Web(title, corners, found, "tables")


def _draw_web(drawing: Drawing, x: float, y: float, web: Web, methods: Sequence[str]) -> None:
    def corner(place: int, figure: float) -> tuple[float, float]:
        angle = 2 * math.pi * place / len(web.corners)
        distance = _RADIUS * figure / _OUTERMOST
        return x + distance * math.sin(angle), y - distance * math.cos(angle)

    for ring in _RINGS:
        _draw_polygon(drawing, [corner(place, ring) for place in range(len(web.corners))], "grid")
    for place, name in enumerate(web.corners):
        drawing.lines.append(Line(x, y, *corner(place, _OUTERMOST), "grid"))
        end_x, end_y = corner(place, _OUTERMOST * _NAMES_AT)
        anchor = "middle" if abs(end_x - x) < 1.0 else "start" if end_x > x else "end"
        drawing.text(end_x, end_y, name, anchor, "quiet")
    for method in methods:
        found = web.values.get(method, {})
        if not found:
            continue
        corners = [corner(place, found.get(name, 0.0)) for place, name in enumerate(web.corners)]
        _draw_polygon(drawing, corners, look_of(method))
        for (mark_x, mark_y), name in zip(corners, web.corners, strict=True):
            words = f"{selection_methods()[method].title}, {name}: {found.get(name, 0.0):.3f}"
            drawing.marks.append(Mark(mark_x, mark_y, look_of(method), words))


def _draw_polygon(drawing: Drawing, corners: Sequence[tuple[float, float]], look: str) -> None:
    for (x1, y1), (x2, y2) in zip(corners, [*corners[1:], corners[0]], strict=True):
        drawing.lines.append(Line(x1, y1, x2, y2, look))


def _draw_bars(drawing: Drawing, left: float, top: float, web: Web, methods: Sequence[str]) -> None:
    panel = Panel(left, top, _BARS, _ROW_HEIGHT * len(methods), 0.0, _OUTERMOST)
    drawing.text(left, top - 10.0, f"mean over {web.kind}", look="quiet")
    panel.draw_frame(drawing, _TICKS, len(methods))
    for row, method in enumerate(methods):
        y = top + (row + 0.5) * _ROW_HEIGHT
        draw_name(drawing, left, y, method)
        if web.values.get(method):
            mean = fmean(web.values[method].values())
            title = selection_methods()[method].title
            drawing.lines.append(Line(left, y, panel.x(mean), y, look_of(method)))
            drawing.marks.append(Mark(panel.x(mean), y, look_of(method), f"{title}: {mean:.3f}"))
