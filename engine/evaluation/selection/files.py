"""Everything that a comparison of selectors writes into its folder."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from engine.atomic import atomic_folder
from engine.evaluation.selection.result import SelectionComparison
from engine.evaluation.selection.tables import figure_table, selection_table, summary_table

_WRITERS: dict[str, Callable[[SelectionComparison, Path], None]] = {
    "summary.csv": lambda result, path: summary_table(result).write(path),
    "figures.csv": lambda result, path: figure_table(result).write(path),
    "selections.csv": lambda result, path: selection_table(result).write(path),
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
        for name, write in _WRITERS.items():
            write(result, drafts / name)
    return file_paths(folder)


def file_paths(folder: str | os.PathLike[str]) -> tuple[Path, ...]:
    """Name the files that a comparison writes."""
    return tuple(Path(folder) / name for name in _WRITERS)
