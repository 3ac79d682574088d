"""Everything that a comparison of selectors writes into its folder."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from engine.atomic import atomic_folder
from engine.evaluation.plain_table import PlainTable
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


def write_files(result: SelectionComparison, folder: str | os.PathLike[str]) -> tuple[Path, ...]:
    """Write report, tables and pictures into a folder: all of them or none.

    Parameters
    ----------
    result : SelectionComparison
        May be partial.
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
        for name, make in _TABLES.items():
            make(result).write(drafts / name)
    return file_paths(folder)


def file_paths(folder: str | os.PathLike[str]) -> tuple[Path, ...]:
    """Name the files that a comparison writes."""
    return tuple(Path(folder) / name for name in _TABLES)
