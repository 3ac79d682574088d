"""The two charts of a comparison: how accurate the methods are, and how long they take."""

from __future__ import annotations

import math

from engine.evaluation.benchmark.cells import CellTable, cells, tables_with
from engine.evaluation.benchmark.figures import METRICS
from engine.evaluation.benchmark.methods import methods
from engine.evaluation.benchmark.paper import paper_figures, paper_log_seconds
from engine.evaluation.benchmark.result import BenchmarkResult
from engine.evaluation.benchmark.summary import summarise, table_time
from engine.evaluation.benchmark.variants import variants
from engine.evaluation.drawing.chart import Chart, Drawing, Line, Mark, Panel
from engine.evaluation.drawing.looks import PAPER
from engine.evaluation.spread import Spread

_LEFT = 96.0
_PANEL_WIDTH = 150.0
_GAP = 22.0
_LEGEND_HEIGHT = 30.0
_HEAD_HEIGHT = 22.0
_FOOT_HEIGHT = 32.0
_ROW_HEIGHT = 24.0
_APART = 7.0
_ACCURACY_TICKS = ((0.0, "0"), (0.5, "0.5"), (1.0, "1"))
_TIME_PANEL_WIDTH = 370.0
_TIME_GAP = 50.0
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_LARGEST_WRITTEN_OUT = 3


def accuracy_chart(result: BenchmarkResult) -> Chart:
    """Draw a panel a metric and kind of network, with a row a method."""
    shown = result.settings.cells
    drawing = Drawing()
    height = _ROW_HEIGHT * len(result.settings.methods)
    width = _LEFT + len(shown) * (_PANEL_WIDTH + _GAP)
    _draw_legend(drawing, result)
    top = _LEGEND_HEIGHT
    for metric, title in METRICS:
        drawing.text(0.0, top + _HEAD_HEIGHT / 2, title, look="strong")
        for column, cell in enumerate(shown):
            left = _LEFT + column * (_PANEL_WIDTH + _GAP)
            panel = Panel(left, top + _HEAD_HEIGHT, _PANEL_WIDTH, height, 0.0, 1.0)
            drawing.text(left, top + _HEAD_HEIGHT / 2, cells()[cell].title, look="quiet")
            panel.draw_frame(drawing, _ACCURACY_TICKS, len(result.settings.methods))
            _draw_accuracy(drawing, panel, result, cell, metric)
        _draw_method_names(drawing, result, top + _HEAD_HEIGHT)
        top += _HEAD_HEIGHT + height + _FOOT_HEIGHT
    return drawing.chart("Accuracy of the methods", width, top)


def time_chart(result: BenchmarkResult) -> Chart:
    """Draw a panel a table, with a row a method, on a logarithmic axis."""
    drawing = Drawing()
    height = _ROW_HEIGHT * len(result.settings.methods)
    low, high = _log_range(result)
    ticks = tuple((float(power), _power_text(power)) for power in range(low, high + 1))
    _draw_legend(drawing, result)
    shown = tables_with(result.settings.cells)
    for column, table in enumerate(shown):
        left = _LEFT + column * (_TIME_PANEL_WIDTH + _TIME_GAP)
        panel = Panel(left, _LEGEND_HEIGHT + _HEAD_HEIGHT, _TIME_PANEL_WIDTH, height, low, high)
        title = f"Processor seconds a network, {table.name}"
        drawing.text(left, _LEGEND_HEIGHT + _HEAD_HEIGHT / 2, title, look="strong")
        panel.draw_frame(drawing, ticks, len(result.settings.methods))
        for row, method in enumerate(result.settings.methods):
            _draw_time(drawing, panel, result, table, row, method)
    _draw_method_names(drawing, result, _LEGEND_HEIGHT + _HEAD_HEIGHT)
    width = _LEFT + len(shown) * (_TIME_PANEL_WIDTH + _TIME_GAP)
    bottom = _LEGEND_HEIGHT + _HEAD_HEIGHT + height + _FOOT_HEIGHT
    return drawing.chart("Time that the methods take", width, bottom)


def _draw_accuracy(drawing: Drawing, panel: Panel, result: BenchmarkResult, cell: str, metric: str) -> None:
    for row, method in enumerate(result.settings.methods):
        title = methods()[method].title
        for place, variant in enumerate(result.settings.variants):
            y = _height(panel, row, place)
            summary = summarise(result, cell, variant, method)
            spread = summary.accuracy(metric)
            words = f"{title}, {variants()[variant].title.lower()}, {cells()[cell].title}"
            if spread is not None:
                _draw_spread(drawing, panel, y, spread, variant, f"{words}: {spread.mean:.3f}")
            elif summary.cut:
                drawing.text(panel.left + 4.0, y, "cut", look=variant)
        reported = paper_figures(cell, method)
        if reported is None:
            continue
        figure = getattr(reported, metric)
        y = _height(panel, row, len(variants()))
        words = f"{title}, in the paper, {cells()[cell].title}: {figure:.3f}"
        drawing.marks.append(Mark(panel.x(figure), y, PAPER, words))


def _draw_spread(drawing: Drawing, panel: Panel, y: float, spread: Spread, look: str, words: str) -> None:
    drawing.lines.append(Line(panel.x(spread.lowest), y, panel.x(spread.highest), y, look))
    drawing.marks.append(Mark(panel.x(spread.mean), y, look, words))


def _draw_time(
    drawing: Drawing, panel: Panel, result: BenchmarkResult, table: CellTable, row: int, method: str
) -> None:
    title = methods()[method].title
    for place, variant in enumerate(result.settings.variants):
        found = table_time(result, table, variant, method)
        if found is None:
            continue
        y = _height(panel, row, place)
        x = panel.x(found.log_processor_seconds)
        bound = "more than " if found.is_lower_bound else ""
        words = f"{title}, {variants()[variant].title.lower()}: {bound}{found.processor_seconds:.3g} s"
        drawing.marks.append(Mark(x, y, variant, words))
        if found.is_lower_bound:
            # An arrow: the true time is further to the right.
            drawing.text(x + 8.0, y, "→", look="ink")
    logarithm = paper_log_seconds(table.number, method)
    if logarithm is None:
        return
    y = _height(panel, row, len(variants()))
    words = f"{title}, in the paper: {10**logarithm:.3g} s"
    drawing.marks.append(Mark(panel.x(logarithm), y, PAPER, words))


def _draw_method_names(drawing: Drawing, result: BenchmarkResult, top: float) -> None:
    for row, method in enumerate(result.settings.methods):
        look = "strong" if method == "clcd" else "ink"
        middle = top + (row + 0.5) * _ROW_HEIGHT
        drawing.text(_LEFT - 12.0, middle, methods()[method].title, "end", look)


def _draw_legend(drawing: Drawing, result: BenchmarkResult) -> None:
    entries = [(name, variants()[name].title) for name in result.settings.variants]
    entries.append((PAPER, "In the paper"))
    x, y = _LEFT, _LEGEND_HEIGHT / 2 - 4.0
    for look, title in entries:
        drawing.marks.append(Mark(x, y, look, title))
        drawing.text(x + 12.0, y, title)
        x += 170.0
    if any(each.is_cut for each in result.outcomes):
        drawing.text(x, y, "cut: needed longer than the budget", look="quiet")


def _height(panel: Panel, row: int, place: int) -> float:
    """Give the height of a mark: variants and paper lie a little apart, so that none hides another."""
    middle = panel.top + (row + 0.5) * _ROW_HEIGHT
    return middle + (place - len(variants()) / 2) * _APART


def _log_range(result: BenchmarkResult) -> tuple[int, int]:
    figures: list[float] = []
    for table in tables_with(result.settings.cells):
        for method in result.settings.methods:
            reported = paper_log_seconds(table.number, method)
            if reported is not None:
                figures.append(reported)
            for variant in result.settings.variants:
                found = table_time(result, table, variant, method)
                if found is not None:
                    figures.append(found.log_processor_seconds)
    if not figures:
        return -1, 0
    low = math.floor(min(figures))
    return low, max(math.ceil(max(figures)), low + 1)


def _power_text(power: int) -> str:
    """Write a power of ten, a large one with its exponent."""
    return f"10{str(power).translate(_SUPERSCRIPTS)}" if power > _LARGEST_WRITTEN_OUT else f"{10.0**power:g}"
