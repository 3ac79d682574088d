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
from engine.evaluation.drawing.svg import svg_text


def _text_writer(make: Callable[[BenchmarkResult], str]) -> Callable[[BenchmarkResult, Path], None]:
    def write(result: BenchmarkResult, path: Path) -> None:
        path.write_text(make(result), encoding="utf-8", newline="\n")

    return write


_WRITERS: dict[str, Callable[[BenchmarkResult, Path], None]] = {
    "benchmark.html": _text_writer(lambda result: report_html(result, datetime.date.today())),
    "benchmark.csv": lambda result, path: summary_table(result).write(path),
    "times.csv": lambda result, path: time_table(result).write(path),
    "networks.csv": lambda result, path: outcome_table(result).write(path),
    "accuracy.svg": _text_writer(lambda result: svg_text(accuracy_chart(result))),
    "time.svg": _text_writer(lambda result: svg_text(time_chart(result))),
}


def write_files(result: BenchmarkResult, folder: str | os.PathLike[str]) -> tuple[Path, ...]:
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
        for name, write in _WRITERS.items():
            write(result, drafts / name)
    return file_paths(folder)


def file_paths(folder: str | os.PathLike[str]) -> tuple[Path, ...]:
    """Name the files that a comparison writes."""
    return tuple(Path(folder) / name for name in _WRITERS)
