"""The report of a comparison: one HTML page that stands alone, with tables beside the paper's figures."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any

from engine.evaluation.benchmark.cells import CellTable, cells, tables_with
from engine.evaluation.benchmark.charts import accuracy_chart, time_chart
from engine.evaluation.benchmark.figures import METRICS, TIMES, ShownFigure, accuracy_figures, time_figures
from engine.evaluation.benchmark.methods import methods
from engine.evaluation.benchmark.result import BenchmarkResult
from engine.evaluation.benchmark.sentences import (
    caution_sentences,
    setting_rows,
    simulation_rows,
    verdict_sentences,
)
from engine.evaluation.benchmark.variants import variants
from engine.evaluation.page import day_text, inline, machine_text, page_text
from engine.wording.numbers import ENGLISH, counted


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row of a table: what it is about, and a figure a method."""

    group: str
    title: str
    figures: tuple[ShownFigure, ...]


@dataclass(frozen=True, slots=True)
class ShownTable:
    """One of the paper's tables, or that of networks with numbers, measured under one variant."""

    title: str
    rows: tuple[ShownRow, ...]


def report_html(result: BenchmarkResult, day: datetime.date) -> str:
    """Give the report as HTML text.

    Parameters
    ----------
    result : BenchmarkResult
    day : datetime.date
        Date that it bears.
    """
    return page_text("benchmark/templates/report.html", _content(result, day))


def shown_tables(result: BenchmarkResult, variant: str) -> tuple[ShownTable, ...]:
    """Give the tables as measured under a variant, without the rows that were not asked for."""
    found = []
    for table in tables_with(result.settings.cells):
        shown = [cell for cell in table.cells if cell in result.settings.cells]
        title = f"{table.name[0].upper()}{table.name[1:]}, {table.title}"
        found.append(ShownTable(title, _rows(result, table, shown, variant)))
    return tuple(found)


def _content(result: BenchmarkResult, day: datetime.date) -> dict[str, Any]:
    settings = result.settings
    shown = [variants()[name] for name in settings.variants]
    return {
        "title": "CLCD and its baselines on simulated networks",
        "facts": (
            counted(settings.labels, "label"),
            counted(settings.features, "feature"),
            counted(settings.rows, "row"),
            counted(settings.seeds, "network") + " of each kind",
            day_text(day),
        ),
        "is_partial": result.is_partial,
        "done": len(result.outcomes),
        "planned": result.planned,
        "steps": "searches",
        "verdicts": verdict_sentences(result),
        "variants": [(each, shown_tables(result, each.name), setting_rows(each.settings)) for each in shown],
        "methods": [methods()[name] for name in settings.methods],
        "accuracy": inline(accuracy_chart(result), "accuracy"),
        "time": inline(time_chart(result), "time"),
        "simulation": simulation_rows(settings),
        "cautions": caution_sentences(result),
        "budget": ENGLISH.duration(settings.budget),
        "workers": counted(result.workers, "search", "searches"),
        "machine": machine_text(),
    }


def _rows(result: BenchmarkResult, table: CellTable, shown: list[str], variant: str) -> tuple[ShownRow, ...]:
    rows = []
    for metric, title in METRICS:
        for cell in shown:
            figures = accuracy_figures(result, cell, variant, metric)
            rows.append(ShownRow(title, cells()[cell].title, figures))
    for measure, title in TIMES:
        rows.append(ShownRow("Time", title, time_figures(result, table, variant, measure)))
    return tuple(rows)
