"""Everything that a comparison writes into its folder."""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable
from pathlib import Path

from engine.atomic import atomic_folder
from engine.evaluation.benchmark.charts import accuracy_chart, time_chart
from engine.evaluation.benchmark.report import report_html
from engine.evaluation.benchmark.result import BenchmarkResult
from engine.evaluation.benchmark.tables import outcome_table, summary_table, time_table
from engine.evaluation.plain_table import PlainTable
from engine.reporting.figures.chart import Chart
from engine.reporting.figures.files import PICTURE_ENDINGS, write_pictures

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
    """Write report, tables and charts into a folder: all of them or none.

    Parameters
    ----------
    result : BenchmarkResult
        May be partial; the report says so.
    folder : str or path
        Made when absent.

    Returns
    -------
    tuple of Path
        What was written.

    Raises
    ------
    UnwritableFile
        When the folder cannot be written to.
    """
    with atomic_folder(folder) as drafts:
        report = report_html(result, datetime.date.today())
        (drafts / _REPORT).write_text(report, encoding="utf-8", newline="\n")
        for name, make_table in _TABLES.items():
            make_table(result).write(drafts / name)
        for stem, make_chart in _CHARTS.items():
            write_pictures(make_chart(result), drafts, stem)
    return file_paths(folder)


def file_paths(folder: str | os.PathLike[str]) -> tuple[Path, ...]:
    """Name the files that a comparison writes."""
    pictures = [f"{stem}{ending}" for stem in _CHARTS for ending in PICTURE_ENDINGS]
    return tuple(Path(folder) / name for name in (_REPORT, *_TABLES, *pictures))
