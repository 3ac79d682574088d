"""Comma-separated files: UTF-8, quoted as RFC 4180 says, numbers in full precision, names unchanged.

Lines end with a line feed. A missing value is an empty cell. Several names in one cell are separated as
:mod:`engine.exporting.names` says. Nothing guards a spreadsheet against names that look like formulas,
since that would change the names: the Excel files do that.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from pathlib import Path

from engine.exporting.analysis import Analysis
from engine.exporting.names import join_names
from engine.exporting.tables import Cell, Table


def csv_writer_of(make_table: Callable[[Analysis], Table]) -> Callable[[Analysis, Path], None]:
    """Make the function that writes one of the tables."""

    def write(analysis: Analysis, path: Path) -> None:
        table = make_table(analysis)
        write_rows(path, table.columns, (map(_text, row) for row in table.rows))

    return write


def write_rows(path: Path, columns: Iterable[str], rows: Iterable[Iterable[str]]) -> None:
    """Write a header and rows of texts."""
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)


def _text(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, tuple):
        return join_names(cell)
    if isinstance(cell, float):
        return repr(float(cell))
    return str(cell)
