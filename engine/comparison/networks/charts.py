"""The two charts of a comparison, described: how accurate the methods are, and how long they take."""

from __future__ import annotations

from engine.comparison.networks.cells import (
    CellTable,
    cells,
    paper_figures,
    paper_log_seconds,
    tables_with,
    variants,
)
from engine.comparison.networks.methods import methods
from engine.comparison.networks.result import BenchmarkResult
from engine.comparison.networks.summary import METRICS, summarise, table_time
from engine.reporting.figures.chart import Axis, Chart, Series, in_rows, powers_of_ten
from engine.reporting.figures.looks import PAPER
from engine.reporting.figures.panels import RowMark, RowNote, RowPanel

_CLCD = "clcd"
_UNIT = Axis(0.0, 1.0, ticks=((0.0, "0"), (0.5, "0.5"), (1.0, "1")))
_MOST_A_ROW = 5
_TIMES_A_ROW = 2


def accuracy_chart(result: BenchmarkResult) -> Chart:
    """Return a panel a metric and kind of network, with a row a method."""
    shown = result.settings.cells
    rows, headings = [], []
    for metric, title in METRICS:
        for part in in_rows([_accuracy_panel(result, cell, metric) for cell in shown], _MOST_A_ROW):
            rows.append(part)
            headings.append(title)
    note = "cut: needed longer than the budget" if _has_cuts(result) else ""
    return Chart("Accuracy of the methods", tuple(rows), tuple(headings), _legend(result), note)


def time_chart(result: BenchmarkResult) -> Chart:
    """Return a panel a table, with a row a method, on a logarithmic scale."""
    tables = tables_with(result.settings.cells)
    axis = powers_of_ten(_all_seconds(result) or [0.1, 1.0], "processor seconds a network")
    rows = in_rows([_time_panel(result, table, axis) for table in tables], _TIMES_A_ROW)
    note = "→ some searches were cut: the true mean is larger" if _has_cuts(result) else ""
    return Chart("Time that the methods take", rows, legend=_legend(result), note=note)


def _accuracy_panel(result: BenchmarkResult, cell: str, metric: str) -> RowPanel:
    marks, notes = [], []
    title, lanes = cells()[cell].title, _lanes(result)
    for row, method in enumerate(result.settings.methods):
        name = methods()[method].title
        for variant, (series, lane) in lanes.items():
            if variant == PAPER:
                reported = paper_figures(cell, method)
                if reported is not None:
                    figure: float = getattr(reported, metric)
                    words = f"{name}, in the paper, {title}: {figure:.3f}"
                    marks.append(RowMark(series, row, figure, words, lane=lane))
                continue
            summary = summarise(result, cell, variant, method)
            spread = summary.accuracy(metric)
            if spread is not None:
                words = f"{name}, {series.name.lower()}, {title}: {spread.mean:.3f}"
                marks.append(RowMark(series, row, spread.mean, words, spread.lowest, spread.highest, lane))
            elif summary.cut:
                notes.append(RowNote(series, row, "cut", lane))
    return _panel(result, title, _UNIT, marks, notes)


def _time_panel(result: BenchmarkResult, table: CellTable, axis: Axis) -> RowPanel:
    marks = []
    for row, method in enumerate(result.settings.methods):
        name = methods()[method].title
        for variant, (series, lane) in _lanes(result).items():
            if variant == PAPER:
                logarithm = paper_log_seconds(table.number, method)
                if logarithm is not None:
                    words = f"{name}, in the paper: {10**logarithm:.3g} s"
                    marks.append(RowMark(series, row, 10**logarithm, words, lane=lane))
                continue
            found = table_time(result, table, variant, method)
            if found is not None:
                at = found.processor_seconds
                words = (
                    f"{name}, {series.name.lower()}: more than {at:.3g} s"
                    if found.is_lower_bound
                    else f"{name}, {series.name.lower()}: {at:.3g} s"
                )
                marks.append(RowMark(series, row, at, words, lane=lane, is_bound=found.is_lower_bound))
    title = f"{table.name[0].upper()}{table.name[1:]}"
    return _panel(result, title, axis, marks, [])


def _panel(
    result: BenchmarkResult, title: str, axis: Axis, marks: list[RowMark], notes: list[RowNote]
) -> RowPanel:
    shown = result.settings.methods
    return RowPanel(
        title,
        tuple(methods()[name].title for name in shown),
        axis,
        tuple(sorted(marks, key=lambda mark: mark.lane)),
        tuple(notes),
        lanes=len(_lanes(result)),
        strong_rows=tuple(row for row, name in enumerate(shown) if name == _CLCD),
    )


def _lanes(result: BenchmarkResult) -> dict[str, tuple[Series, int]]:
    """Return how each variant and the paper are shown, and where in a row, so that none hides another."""
    names = {name: variants()[name].title for name in result.settings.variants} | {PAPER: "In the paper"}
    return {look: (Series(title, look), lane) for lane, (look, title) in enumerate(names.items())}


def _legend(result: BenchmarkResult) -> tuple[Series, ...]:
    return tuple(series for series, _ in _lanes(result).values())


def _has_cuts(result: BenchmarkResult) -> bool:
    return any(each.is_cut for each in result.outcomes)


def _all_seconds(result: BenchmarkResult) -> list[float]:
    tables = tables_with(result.settings.cells)
    panels = [_time_panel(result, table, Axis(0.0, 1.0)) for table in tables]
    return [mark.value for panel in panels for mark in panel.marks]
