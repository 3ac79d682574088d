"""The report of a comparison: one HTML page that stands alone, with tables beside the paper's figures."""

from __future__ import annotations

import datetime
import platform
from dataclasses import dataclass
from importlib import resources
from typing import Any

from engine.evaluation.benchmark.cells import PAPER_TABLES, PaperTable, cells
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
from engine.evaluation.drawing.page import page_style
from engine.evaluation.drawing.svg import svg_text
from engine.exporting.numbers import ENGLISH, counted


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row of a table: what it is about, and a figure a method."""

    group: str
    title: str
    figures: tuple[ShownFigure, ...]


@dataclass(frozen=True, slots=True)
class ShownTable:
    """One of the paper's tables, measured under one variant."""

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
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    template = resources.files("engine.evaluation.benchmark").joinpath("templates", "report.html")
    return environment.from_string(template.read_text("utf-8")).render(_content(result, day))


def shown_tables(result: BenchmarkResult, variant: str) -> tuple[ShownTable, ...]:
    """Give the paper's tables as measured under a variant, without the rows that were not asked for."""
    found = []
    for table in PAPER_TABLES:
        shown = [cell for cell in table.cells if cell in result.settings.cells]
        if shown:
            found.append(
                ShownTable(f"Table {table.number}, {table.title}", _rows(result, table, shown, variant))
            )
    return tuple(found)


def _content(result: BenchmarkResult, day: datetime.date) -> dict[str, Any]:
    from markupsafe import Markup

    import engine

    settings = result.settings
    shown = [variants()[name] for name in settings.variants]
    return {
        "style": page_style(),
        "facts": (
            counted(settings.labels, "label"),
            counted(settings.features, "feature"),
            counted(settings.rows, "row"),
            counted(settings.seeds, "network") + " of each kind",
            f"{day.day} {day:%B} {day.year}",
        ),
        "is_partial": result.is_partial,
        "done": len(result.outcomes),
        "planned": result.planned,
        "verdicts": verdict_sentences(result),
        "variants": [(each, shown_tables(result, each.name), setting_rows(each.settings)) for each in shown],
        "methods": [methods()[name] for name in settings.methods],
        "accuracy": Markup(svg_text(accuracy_chart(result), is_file=False)),
        "time": Markup(svg_text(time_chart(result), is_file=False)),
        "simulation": simulation_rows(settings),
        "cautions": caution_sentences(result),
        "budget": ENGLISH.duration(settings.budget),
        "workers": counted(result.workers, "search", "searches"),
        "machine": f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
        "version": engine.__version__,
    }


def _rows(result: BenchmarkResult, table: PaperTable, shown: list[str], variant: str) -> tuple[ShownRow, ...]:
    rows = []
    for metric, title in METRICS:
        for cell in shown:
            figures = accuracy_figures(result, cell, variant, metric)
            rows.append(ShownRow(title, cells()[cell].title, figures))
    for measure, title in TIMES:
        rows.append(ShownRow("Time", title, time_figures(result, table, variant, measure)))
    return tuple(rows)
