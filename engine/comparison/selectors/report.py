"""The report of a comparison of selectors: one HTML page that stands alone, each picture with its table."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from engine.comparison.page import day_text, inline, machine_text, page_text
from engine.comparison.selectors.charts import (
    curve_chart,
    rank_chart,
    served_chart,
    shown_features,
    spider_chart,
    stability_chart,
)
from engine.comparison.selectors.figures import MethodFigure, method_figures
from engine.comparison.selectors.methods import CLCD_FS, selection_methods
from engine.comparison.selectors.metrics import PAPER_METRICS, metrics
from engine.comparison.selectors.result import SelectionComparison, TableFacts
from engine.comparison.selectors.sentences import caution_sentences, setting_rows, verdict_sentences
from engine.comparison.selectors.standings import normalised, ranked_methods, ranks, spread_of, stability_of
from engine.wording.numbers import counted

_MARKS = {"better": "▲", "worse": "▼"}


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A figure as it is read; `mark` says how CLCD-FS stands to it."""

    text: str
    is_best: bool = False
    mark: str = ""


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A method and its figures."""

    title: str
    is_own: bool
    cells: tuple[ShownCell, ...]


def report_html(result: SelectionComparison, day: datetime.date) -> str:
    """Return the report as HTML text.

    Parameters
    ----------
    result : SelectionComparison
    day : datetime.date
        Date that it bears.
    """
    return page_text("selectors/templates/report.html", _content(result, day))


def _content(result: SelectionComparison, day: datetime.date) -> dict[str, Any]:
    shown = [table for table in result.tables if any(result.of(table.name, name) for name in result.methods)]
    return {
        "title": "CLCD-FS and other feature selectors",
        "facts": (
            counted(len(result.tables), "table"),
            counted(len(result.methods), "method"),
            counted(result.settings.splits, "split"),
            day_text(day),
        ),
        "is_partial": result.is_partial,
        "done": len(result.outcomes),
        "planned": result.planned,
        "steps": "cells",
        "verdicts": verdict_sentences(result),
        "cautions": caution_sentences(result),
        "paper_metrics": [metrics()[name].title for name in PAPER_METRICS],
        "metrics": [each.title for each in metrics().values()],
        "table_facts": result.tables,
        "ranks": inline(rank_chart(result), "ranks"),
        "rank_rows": _rank_rows(result),
        "spiders": inline(spider_chart(result), "standing"),
        "spider_rows": _spider_rows(result),
        "stability": inline(stability_chart(result), "stability"),
        "stability_rows": _stability_rows(result),
        "time_rows": _time_rows(result),
        "tables": [_table_content(result, table, position) for position, table in enumerate(shown)],
        "methods": [selection_methods()[name] for name in result.methods],
        "settings": setting_rows(result.settings),
        "machine": machine_text(),
    }


def _table_content(result: SelectionComparison, table: TableFacts, position: int) -> dict[str, Any]:
    has_served = bool(result.served(table.name))
    return {
        "facts": table,
        "figures": _figure_rows(result, table),
        "curves": inline(curve_chart(result, table.name), f"curves-{position}"),
        "curve_rows": [(metrics()[name].title, _curve_rows(result, table, name)) for name in PAPER_METRICS],
        "percentages": [f"{each:g} %" for each in result.settings.percentages],
        "served": inline(served_chart(result, table.name), f"served-{position}") if has_served else "",
        "served_rows": _served_rows(result, table) if has_served else [],
        "splits": len(result.of(table.name, CLCD_FS)),
    }


def _row(method: str, cells: list[ShownCell]) -> ShownRow:
    return ShownRow(selection_methods()[method].title, method == CLCD_FS, tuple(cells))


def _figure_rows(result: SelectionComparison, table: TableFacts) -> list[ShownRow]:
    """Return means ± standard deviations at equal size, the best of the methods that select marked."""
    rows = []
    for each in method_figures(result, table.name):
        cells = [ShownCell("" if each.features is None else f"{each.features:.1f}")]
        for name in metrics():
            found = each.figures.get(name)
            cells.append(ShownCell("") if found is None else _figure_cell(found))
        rows.append(_row(each.method, cells))
    return rows


def _figure_cell(found: MethodFigure) -> ShownCell:
    spread = found.spread
    deviation = "" if spread.deviation is None else f" ± {spread.deviation:.3f}"
    return ShownCell(f"{spread.mean:.3f}{deviation}", found.is_best, _MARKS.get(found.standing, ""))


def _curve_rows(result: SelectionComparison, table: TableFacts, metric: str) -> list[ShownRow]:
    rows = []
    for method in result.methods:
        if any(each.has_own_number for each in result.of(table.name, method)):
            continue
        sizes = [result.settings.size(each, len(table.features)) for each in result.settings.percentages]
        spreads = [spread_of(result, table.name, method, metric, size) for size in sizes]
        rows.append(_row(method, [ShownCell("" if each is None else f"{each.mean:.4f}") for each in spreads]))
    return rows


def _served_rows(result: SelectionComparison, table: TableFacts) -> list[tuple[int, str, str]]:
    """Return number and name of each shown feature, and the labels that it serves with their counts."""
    served = result.served(table.name)
    return [
        (
            feature + 1,
            table.features[feature],
            ", ".join(
                f"{table.labels[label]} ({count})"
                for (other, label), count in sorted(served.items())
                if other == feature
            ),
        )
        for feature in shown_features(result, table.name)
    ]


def _rank_rows(result: SelectionComparison) -> list[ShownRow]:
    found = {name: ranks(result, name) for name in PAPER_METRICS}
    rows = []
    for method in ranked_methods(result):
        cells = []
        for each in found.values():
            rank = None if each is None else each.test.average_ranks[each.methods.index(method)]
            is_best = each is not None and rank == min(each.test.average_ranks)
            cells.append(ShownCell("" if rank is None else f"{rank:.2f}", is_best))
        rows.append(_row(method, cells))
    return rows


def _spider_rows(result: SelectionComparison) -> list[ShownRow]:
    values = [normalised(result, name) for name in metrics()]
    rows = []
    for method in ranked_methods(result):
        found = [list(each.get(method, {}).values()) for each in values]
        rows.append(_row(method, [ShownCell(f"{fmean(each):.3f}" if each else "") for each in found]))
    return rows


def _stability_rows(result: SelectionComparison) -> list[ShownRow]:
    rows = []
    for method in ranked_methods(result):
        found = [stability_of(result, table.name, method) for table in result.tables]
        rows.append(_row(method, [ShownCell("" if each is None else f"{each:.3f}") for each in found]))
    return rows


def _time_rows(result: SelectionComparison) -> list[ShownRow]:
    rows = []
    for method in result.methods:
        cells = []
        for table in result.tables:
            times = [each.processor_seconds for each in result.of(table.name, method)]
            cells.append(ShownCell(f"{fmean(times):.3g}" if times else ""))
        rows.append(_row(method, cells))
    return rows
