"""Tables as comma-separated files and as Excel files, in which no name can act as a formula.

Lines end with a line feed. A missing value is an empty cell. Several names in one cell are separated as
:mod:`engine.reporting.tables` says. Nothing guards a spreadsheet against names that look like formulas,
since that would change the names: the Excel files do that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.discovery import record_tables, tables
from engine.discovery.columns import ResultTable
from engine.errors import InvalidData
from engine.reporting.tables import (
    Analysis,
    Cell,
    Table,
    effect_table,
    file_table,
    join_names,
    stability_table,
)
from engine.wording.phrases import visible

if TYPE_CHECKING:
    from openpyxl.worksheet._write_only import WriteOnlyWorksheet


_NEEDS_QUOTES = re.compile('[,"\\r\\n]')


def csv_writer_of(table: ResultTable[Any, Any]) -> Callable[[Analysis, Path], None]:
    """Return the function that writes one of the tables of a result."""

    def write(analysis: Analysis, path: Path) -> None:
        write_table(file_table(table, analysis.result.findings), path)

    return write


def write_stability(analysis: Analysis, path: Path) -> None:
    """Write how often findings came back."""
    write_table(stability_table(analysis.result), path)


def write_effects(analysis: Analysis, path: Path) -> None:
    """Write how large findings are, if that was measured."""
    from engine.discovery.effects.size_table import Effects

    write_table(effect_table(analysis.result.effects or Effects(())), path)


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


MOST_ROWS, MOST_COLUMNS, MOST_CHARACTERS = 1_048_576, 16_384, 32_767
_LOOKS_LIKE_A_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_WIDEST_COLUMN, _NARROWEST_COLUMN = 60, 9
_ROWS_THAT_SET_THE_WIDTH = 200

Sheet = tuple[str, Iterable[Sequence[Any]]]

_SHEETS: tuple[ResultTable[Any, Any], ...] = (
    tables.COMMON,
    tables.LABEL_SPECIFIC,
    record_tables.ALL_EQUIVALENCES,
    record_tables.LABEL_RELATIONS,
    record_tables.DIRECTIONS,
    record_tables.EVIDENCE,
    tables.FEATURES,
)


def write_tables_workbook(analysis: Analysis, path: Path) -> None:
    """Write every table on a sheet of its own, after one that says what the file holds."""
    from engine.reporting.sentences.method import about_rows

    made = [file_table(table, analysis.result.findings) for table in _SHEETS]
    if analysis.result.stability is not None:
        made.append(stability_table(analysis.result))
    write_workbook(path, [("About", about_rows(analysis)), *map(_sheet, made)])


def write_feature_workbook(analysis: Analysis, path: Path) -> None:
    """Write the causal features with their labels on one sheet."""
    write_workbook(path, [_sheet(file_table(tables.FEATURES, analysis.result.findings))])


def write_workbook(path: Path, sheets: Sequence[Sheet]) -> None:
    """Write sheets, each with a header in its first row.

    Parameters
    ----------
    path : Path
        The file.
    sheets : sequence of (title, rows)
        Cells are texts, numbers, flags, or several names; None is an empty cell.

    Raises
    ------
    InvalidData
        When a table is too large for Excel.
    """
    from openpyxl import Workbook

    workbook = Workbook(write_only=True)
    for title, rows in sheets:
        _write_sheet(workbook.create_sheet(title), title, list(rows))
    workbook.save(path)


def _sheet(table: Table) -> Sheet:
    return table.title, [table.columns, *table.rows]


def _write_sheet(sheet: WriteOnlyWorksheet, title: str, rows: list[Sequence[Any]]) -> None:
    from openpyxl.utils import get_column_letter

    _check_size(title, rows)
    for position, width in enumerate(_widths(rows), start=1):
        sheet.column_dimensions[get_column_letter(position)].width = width
    sheet.freeze_panes = "B2"
    if len(rows) > 1:
        sheet.auto_filter.ref = f"A1:{get_column_letter(len(rows[0]))}{len(rows)}"
    for position, row in enumerate(rows):
        sheet.append([_cell(sheet, value, header=position == 0) for value in row])


def _cell(sheet: WriteOnlyWorksheet, value: Any, *, header: bool) -> Any:
    """Make a cell; a text stays a text, even when it begins like a formula or looks like an error."""
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font

    if isinstance(value, tuple):
        value = join_names(value)
    if isinstance(value, float) and not -float("inf") < value < float("inf"):
        value = str(value)
    if not isinstance(value, str):
        return value
    text = visible(value)
    if len(text) > MOST_CHARACTERS:
        text = text[: MOST_CHARACTERS - 1] + "…"
    cell = WriteOnlyCell(sheet, text)
    cell.data_type = "s"
    if text.startswith(_LOOKS_LIKE_A_FORMULA):
        cell.quotePrefix = True
    if header:
        cell.font = Font(bold=True)
    return cell


def _widths(rows: list[Sequence[Any]]) -> list[int]:
    widths = [_NARROWEST_COLUMN] * len(rows[0])
    for row in rows[:_ROWS_THAT_SET_THE_WIDTH]:
        for position, value in enumerate(row):
            text = join_names(value) if isinstance(value, tuple) else str(value)
            length = 10 if isinstance(value, float) else len(text) + 2
            widths[position] = min(max(widths[position], length), _WIDEST_COLUMN)
    return widths


def _check_size(title: str, rows: list[Sequence[Any]]) -> None:
    columns = len(rows[0])
    if len(rows) > MOST_ROWS or columns > MOST_COLUMNS:
        raise InvalidData(
            f"{len(rows):,} rows and {columns:,} columns are more than Excel holds "
            f"({MOST_ROWS:,} and {MOST_COLUMNS:,}).",
            place=f"sheet '{title}'",
            remedy="Export it as CSV.",
        )
