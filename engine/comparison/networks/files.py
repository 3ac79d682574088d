"""Everything that a comparison writes into its folder."""

from __future__ import annotations

import datetime
import math
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from engine.comparison.networks.report import accuracy_chart, report_html, time_chart
from engine.comparison.networks.result import BenchmarkResult, Outcome, Summary, summaries, table_time
from engine.comparison.networks.settings import cells, paper_figures, paper_log_seconds, tables_with
from engine.comparison.page import PlainTable, Spread, Value, comparison_paths, write_comparison
from engine.reporting.figures.chart import Chart

_METRICS = ("precision", "recall", "f1")
_TIMES = ("seconds", "processor_seconds")
_LOGARITHMS = ("log10_seconds", "log10_processor_seconds")
_PARTS = ("mean", "sd", "min", "max")


def summary_table(result: BenchmarkResult) -> PlainTable:
    """Make one row a method, variant and kind of network, with what the paper reports."""
    columns = (
        *("variant", "kind", "p_c", "p_m", "method", "networks", "cut"),
        *(f"{name}_{part}" for name in (*_METRICS, *_TIMES) for part in _PARTS),
        *_LOGARITHMS,
        *(f"paper_{name}" for name in _METRICS),
    )
    return PlainTable(columns, tuple(_summary_row(each) for each in summaries(result) if each.networks))


def time_table(result: BenchmarkResult) -> PlainTable:
    """Make one row a method, variant and table, with the mean times over its networks."""
    rows: list[tuple[Value, ...]] = []
    for variant in result.settings.variants:
        for table in tables_with(result.settings.cells):
            for method in result.settings.methods:
                found = table_time(result, table, variant, method)
                if found is not None:
                    bound = "at least" if found.is_lower_bound else ""
                    times = (found.seconds, found.processor_seconds)
                    logarithms = (found.log_seconds, found.log_processor_seconds)
                    paper = paper_log_seconds(table.number, method)
                    rows.append((variant, table.number, method, *times, *logarithms, bound, paper))
    columns = (
        *("variant", "paper_table", "method", *_TIMES, *_LOGARITHMS),
        *("bound", "paper_log10_processor_seconds"),
    )
    return PlainTable(columns, tuple(rows))


def outcome_table(result: BenchmarkResult) -> PlainTable:
    """Make one row a method, variant and network."""
    counts = ("true_positives", "false_positives", "false_negatives")
    columns = (
        *("variant", "kind", "p_c", "p_m", "seed", "method", "cut", "budget"),
        *_METRICS,
        *_TIMES,
        *(f"{kind}_{count}" for kind in ("common", "label_specific") for count in counts),
    )
    return PlainTable(columns, tuple(_outcome_row(each) for each in result.outcomes))


def _summary_row(each: Summary) -> tuple[Value, ...]:
    paper = paper_figures(each.cell, each.method)
    logarithms = tuple(
        math.log10(spread.mean) if spread is not None else None
        for spread in (each.seconds, each.processor_seconds)
    )
    return (
        *(each.variant, *_kind(each.cell), each.method, each.networks, each.cut),
        *(value for name in (*_METRICS, *_TIMES) for value in _parts(getattr(each, name))),
        *logarithms,
        *((None,) * 3 if paper is None else (paper.precision, paper.recall, paper.f1)),
    )


def _kind(name: str) -> tuple[Value, ...]:
    """Return a cell's name, and p_c and p_m; p_c is left out where labels lie anywhere."""
    simulation = cells()[name].simulation
    return (name, simulation.get("label_causality"), simulation["multiple_boundaries"])


def _parts(spread: Spread | None) -> tuple[Value, ...]:
    if spread is None:
        return (None,) * len(_PARTS)
    return (spread.mean, spread.deviation, spread.lowest, spread.highest)


def _outcome_row(each: Outcome) -> tuple[Value, ...]:
    start = (each.variant, *_kind(each.cell), each.seed, each.method)
    times = (each.seconds, each.processor_seconds)
    if each.scores is None:
        return (*start, "cut", each.budget, None, None, None, *times, *(None,) * 6)
    kinds = (each.scores.common, each.scores.label_specific)
    counts = [
        count for kind in kinds for count in (kind.true_positives, kind.false_positives, kind.false_negatives)
    ]
    return (*start, "", each.budget, each.scores.precision, each.scores.recall, each.f1, *times, *counts)


_REPORT = "benchmark.html"
_TABLES: dict[str, Callable[[BenchmarkResult], PlainTable]] = {
    "benchmark.csv": summary_table,
    "times.csv": time_table,
    "networks.csv": outcome_table,
}
_CHARTS: dict[str, Callable[[BenchmarkResult], Chart]] = {"accuracy": accuracy_chart, "time": time_chart}


def write_files(
    result: BenchmarkResult,
    folder: str | os.PathLike[str],
) -> tuple[Path, ...]:
    """Write report, tables and charts into a folder: all of them or none."""
    return write_comparison(
        folder,
        (_REPORT, report_html(result, datetime.date.today())),
        {name: partial(make, result) for name, make in _TABLES.items()},
        {stem: partial(make, result) for stem, make in _CHARTS.items()},
    )


def file_paths(folder: str | os.PathLike[str]) -> tuple[Path, ...]:
    """Return the paths of the files that a comparison writes, the report first."""
    return comparison_paths(folder, _REPORT, _TABLES, _CHARTS)
