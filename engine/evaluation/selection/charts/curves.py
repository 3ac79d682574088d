"""Metrics against the percentage of features selected, CLCD-FS as a point (Figure 5 of the paper)."""

from __future__ import annotations

from itertools import pairwise
from statistics import fmean

from engine.evaluation.drawing.axes import Axes, ticks
from engine.evaluation.drawing.chart import Chart, Drawing, Line, Mark
from engine.evaluation.selection.charts.legend import draw_legend, look_of
from engine.evaluation.selection.methods import ALL_FEATURES, CLCD_FS, selection_methods
from engine.evaluation.selection.metrics import PAPER_METRICS, Metric, metrics
from engine.evaluation.selection.result import SelectionComparison, TableFacts
from engine.evaluation.selection.standings import spread_of

_WIDTH, _HEIGHT = 330.0, 190.0
_LEFT, _GAP, _HEAD, _FOOT = 46.0, 64.0, 22.0, 42.0


def curve_chart(result: SelectionComparison, table: str) -> Chart:
    """Draw a panel a metric.

    Lines are means over splits at given percentages. A method with a number of its own is a mark at the mean
    of it, with a line of one standard deviation up and down; all features are a level line.
    """
    facts = next(each for each in result.tables if each.name == table)
    drawing = Drawing()
    width = _LEFT + 2 * _WIDTH + _GAP
    top = draw_legend(drawing, result.methods, 0.0, 0.0, width)
    for place, name in enumerate(PAPER_METRICS):
        left = _LEFT + (place % 2) * (_WIDTH + _GAP)
        panel_top = top + (place // 2) * (_HEAD + _HEIGHT + _FOOT) + _HEAD
        _draw_panel(drawing, result, facts, metrics()[name], left, panel_top)
    height = top + 2 * (_HEAD + _HEIGHT + _FOOT)
    return drawing.chart(f"Prediction from selected features, {table}", width + 8.0, height)


def _draw_panel(
    drawing: Drawing, result: SelectionComparison, facts: TableFacts, metric: Metric, left: float, top: float
) -> None:
    curves = {method: _curve(result, facts, method, metric.name) for method in result.methods}
    points = {method: _own_point(result, facts, method, metric.name) for method in result.methods}
    heights = [height for curve in curves.values() for _, height in curve]
    heights += [
        edge for point in points.values() if point for edge in (point[1] - point[2], point[1] + point[2])
    ]
    places = [0.0, *result.settings.percentages]
    places += [point[0] for method, point in points.items() if point and method != ALL_FEATURES]
    if not heights:
        return
    across, upwards = ticks(0.0, max(places)), ticks(min(heights), max(heights))
    axes = Axes(left, top, _WIDTH, _HEIGHT, 0.0, across[-1], upwards[0], upwards[-1])
    axes.draw_frame(drawing, across, upwards)
    better = "higher is better" if metric.larger_is_better else "lower is better"
    drawing.text(left, top - 11.0, f"{metric.title} ({better})", look="strong")
    drawing.text(left + _WIDTH, top + _HEIGHT + 26.0, "features selected, %", "end", "quiet")
    for method in result.methods:
        _draw_curve(drawing, axes, curves[method], look_of(method), _words(method, metric))
    # Two methods with a number of their own may meet in one place: the largest mark lies beneath.
    for method in sorted(points, key=lambda name: name != CLCD_FS):
        point = points[method]
        if point is not None and method == ALL_FEATURES:
            y = axes.y(point[1])
            drawing.lines.append(Line(left, y, left + _WIDTH, y, look_of(method)))
            words = f"{_words(method, metric)}: {point[1]:.4f}"
            drawing.marks.append(Mark(left + _WIDTH, y, look_of(method), words))
        elif point is not None:
            _draw_point(drawing, axes, point, look_of(method), _words(method, metric))


def _words(method: str, metric: Metric) -> str:
    return f"{selection_methods()[method].title}, {metric.title}"


def _draw_curve(
    drawing: Drawing, axes: Axes, curve: list[tuple[float, float]], look: str, title: str
) -> None:
    places = [(axes.x(percentage), axes.y(height)) for percentage, height in curve]
    for (x1, y1), (x2, y2) in pairwise(places):
        drawing.lines.append(Line(x1, y1, x2, y2, look))
    for (x, y), (percentage, height) in zip(places, curve, strict=True):
        drawing.marks.append(Mark(x, y, look, f"{title}, {percentage:g} %: {height:.4f}"))


def _draw_point(
    drawing: Drawing, axes: Axes, point: tuple[float, float, float], look: str, title: str
) -> None:
    percentage, height, deviation = point
    x, y = axes.x(percentage), axes.y(height)
    drawing.lines.append(Line(x, axes.y(height - deviation), x, axes.y(height + deviation), look))
    words = f"{title}, {percentage:.1f} % on average: {height:.4f} ± {deviation:.4f}"
    drawing.marks.append(Mark(x, y, look, words))


def _curve(
    result: SelectionComparison, facts: TableFacts, method: str, metric: str
) -> list[tuple[float, float]]:
    if any(each.has_own_number for each in result.of(facts.name, method)):
        return []
    found = []
    for percentage in result.settings.percentages:
        size = result.settings.size(percentage, len(facts.features))
        spread = spread_of(result, facts.name, method, metric, size)
        if spread is not None:
            found.append((percentage, spread.mean))
    return found


def _own_point(
    result: SelectionComparison, facts: TableFacts, method: str, metric: str
) -> tuple[float, float, float] | None:
    """Give mean percentage, mean and standard deviation of a method with a number of its own."""
    sizes = [number for each in result.of(facts.name, method) if (number := each.own_number) is not None]
    spread = spread_of(result, facts.name, method, metric)
    if not sizes or spread is None:
        return None
    return 100.0 * fmean(sizes) / len(facts.features), spread.mean, spread.deviation or 0.0
