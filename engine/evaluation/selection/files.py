"""Everything that a comparison of selectors writes into its folder."""

from __future__ import annotations

import datetime
import functools
import os
import re
from collections.abc import Callable
from pathlib import Path

from engine.atomic import atomic_folder
from engine.evaluation.plain_table import PlainTable
from engine.evaluation.selection.charts import (
    curve_chart,
    rank_chart,
    served_chart,
    spider_chart,
    stability_chart,
)
from engine.evaluation.selection.report import report_html
from engine.evaluation.selection.result import SelectionComparison
from engine.evaluation.selection.tables import (
    curve_table,
    duel_table,
    figure_table,
    rank_table,
    selection_table,
    served_table,
    stability_table,
    summary_table,
)
from engine.reporting.figures.chart import Chart
from engine.reporting.figures.files import PICTURE_ENDINGS, write_pictures

_REPORT = "selection.html"
# What may stand in a file name everywhere.
_SAFE = re.compile(r"[^\w.-]+")

_TABLES: dict[str, Callable[[SelectionComparison], PlainTable]] = {
    "summary.csv": summary_table,
    "tests.csv": duel_table,
    "ranks.csv": rank_table,
    "curves.csv": curve_table,
    "stability.csv": stability_table,
    "labels_served.csv": served_table,
    "figures.csv": figure_table,
    "selections.csv": selection_table,
}


_CHARTS: dict[str, Callable[[SelectionComparison], Chart]] = {
    "ranks": rank_chart,
    "stability": spider_chart,
    "selection_stability": stability_chart,
}
_CHARTS_OF_TABLES: dict[str, Callable[[SelectionComparison, str], Chart]] = {
    "curves": curve_chart,
    "labels_served": served_chart,
}


def write_files(
    result: SelectionComparison,
    folder: str | os.PathLike[str],
) -> tuple[Path, ...]:
    """Write report, tables and pictures into a folder: all of them or none.

    Parameters
    ----------
    result : SelectionComparison
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
        for name, make_table in _TABLES.items():
            make_table(result).write(drafts / name)
        for stem, make_chart in _charts(result).items():
            write_pictures(make_chart(), drafts, stem)
        report = report_html(result, datetime.date.today())
        (drafts / _REPORT).write_text(report, encoding="utf-8", newline="\n")
    return file_paths(result, folder)


def file_paths(
    result: SelectionComparison,
    folder: str | os.PathLike[str],
) -> tuple[Path, ...]:
    """Name the files that a comparison writes, the report first."""
    pictures = [f"{stem}{ending}" for stem in _charts(result) for ending in PICTURE_ENDINGS]
    return tuple(Path(folder) / name for name in (_REPORT, *_TABLES, *pictures))


def _charts(result: SelectionComparison) -> dict[str, Callable[[], Chart]]:
    found: dict[str, Callable[[], Chart]] = {
        stem: functools.partial(make, result) for stem, make in _CHARTS.items()
    }
    for table in result.tables:
        if any(result.of(table.name, method) for method in result.methods):
            for kind, make_of_table in _CHARTS_OF_TABLES.items():
                stem = f"{kind}_{_SAFE.sub('_', table.name)}"
                found[stem] = functools.partial(make_of_table, result, table.name)
    return found
