"""Comma-separated files: UTF-8, quoted as RFC 4180 says, numbers in full precision, names unchanged.

Lines end with a line feed. A missing value is an empty cell. Several names in one cell are separated as
:mod:`engine.reporting.tables` says. Nothing guards a spreadsheet against names that look like formulas,
since that would change the names: the Excel files do that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path

from engine.reporting.analysis import Analysis
from engine.reporting.tables import Cell, Table, join_names

_NEEDS_QUOTES = re.compile('[,"\\r\\n]')


def csv_writer_of(make_table: Callable[[Analysis], Table]) -> Callable[[Analysis, Path], None]:
    """Make the function that writes one of the tables."""

    def write(analysis: Analysis, path: Path) -> None:
        write_table(make_table(analysis), path)

    return write


def write_table(table: Table, path: Path) -> None:
    """Write a table."""
    write_rows(path, table.columns, (map(_text, row) for row in table.rows))


def write_rows(path: Path, columns: Iterable[str], rows: Iterable[Iterable[str]]) -> None:
    """Write a header and rows of texts."""
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
        for row in chain((columns,), rows):
            # A row of one empty cell would else be a blank line, which readers skip.
            file.write((",".join(map(_quoted, row)) or '""') + "\n")


def _quoted(cell: str) -> str:
    """Quote a cell where needed; the csv module would leave a lone carriage return bare."""
    if not _NEEDS_QUOTES.search(cell):
        return cell
    doubled = cell.replace('"', '""')
    return f'"{doubled}"'


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
