"""Checking that every row has as many cells as the table has columns, before any value is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.dataset import Note
from engine.errors import InvalidData
from engine.readers.cells import is_number
from engine.readers.options import ReadingOptions
from engine.readers.records import Dialect, split_records, unclosed_quote
from engine.readers.words import counted

_END = "\x01"
"""A last line that comes out as a row of its own unless an open quotation mark swallows it."""

_MOST_FOOTER_ROWS = 20


@dataclass(frozen=True, slots=True)
class Body:
    """The rows of data, all of usable length.

    Attributes
    ----------
    text : str
        The rows as they stand in the file, without blank lines.
    width : int
        Cells of the longest row; cells beyond the columns are empty.
    line_numbers : ndarray of int, shape (rows,)
        Line in the file on which each row begins.
    issues : tuple of Note
    """

    text: str
    width: int
    line_numbers: np.ndarray
    issues: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class _Rows:
    """Extent of each row: first line, line behind the last one (both counted from 0), cells."""

    start: np.ndarray
    end: np.ndarray
    cells: np.ndarray

    def keep(self, mask: np.ndarray) -> _Rows:
        return _Rows(self.start[mask], self.end[mask], self.cells[mask])


@dataclass(frozen=True, slots=True)
class BodyLines:
    """The lines below the header.

    Attributes
    ----------
    lines : sequence of str
        Without line ends.
    first_line : int
        Number of the first of them in the file.
    dialect : Dialect
    file : str
        The file as error messages name it.
    complete : bool
        False when only the beginning of the file was read, whose last row may be cut.
    """

    lines: Sequence[str]
    first_line: int
    dialect: Dialect
    file: str
    complete: bool = True

    def cells(self, start: int, end: int) -> tuple[str, ...]:
        """Give the cells of the row on these lines."""
        return next(iter(split_records(self.lines[start:end], self.dialect))).cells


def check_rows(body: BodyLines, columns: int, options: ReadingOptions) -> Body:
    """Check the length of every row.

    Parameters
    ----------
    body : BodyLines
    columns : int
        Cells that a row should have.
    options : ReadingOptions
        ``ragged`` says what happens to rows of another length.

    Returns
    -------
    Body

    Raises
    ------
    InvalidData
        When a row is too short, or too long by cells that are not empty, with its line.
    UnreadableFile
        When a quotation mark is never closed.
    """
    every = _measure(body)
    rows = every.keep(every.cells > 0)
    issues: list[Note] = []
    footer = _footer_start(rows, body, columns)
    if footer < len(rows.start):
        message = f"Remarks below the table, from line {_line(rows, footer, body)} on, are left out."
        issues.append(Note("footer", message))
        rows = rows.keep(np.arange(len(rows.start)) < footer)
    odd = _odd_rows(rows, body, columns)
    if len(odd):
        if options.ragged == "error":
            raise _ragged(rows, int(odd[0]), body, columns)
        message = (
            f"Left out: {counted(len(odd), 'row')} without exactly {counted(columns, 'cell')}; "
            f"the first is on line {_line(rows, int(odd[0]), body)}."
        )
        issues.append(Note("rows-dropped", message))
        fitting = np.ones(len(rows.start), dtype=bool)
        fitting[odd] = False
        rows = rows.keep(fitting)
    if len(rows.start) and (every.cells[every.start < rows.start[-1]] == 0).any():
        issues.append(Note("blank-lines", "Blank lines between the rows are left out."))
    text = _text_of(rows, every, body)
    return Body(text, int(rows.cells.max(initial=columns)), rows.start + body.first_line, tuple(issues))


def _measure(body: BodyLines) -> _Rows:
    """Count the cells of every row; 0 for a blank line."""
    quote = body.dialect.quote_character
    if body.dialect.delimiter != "space" and not (quote and any(quote in line for line in body.lines)):
        separator = body.dialect.separator
        cells = np.array(
            [line.count(separator) + 1 if not _is_blank(line, separator) else 0 for line in body.lines],
            dtype=np.int64,
        )
        start = np.arange(len(body.lines))
        return _Rows(start, start + 1, cells)
    records = list(split_records([*body.lines, _END], body.dialect))
    starts = np.array([record.line - 1 for record in records], dtype=np.int64)
    if records[-1].cells != (_END,) and body.complete:
        raise unclosed_quote(body.first_line + int(starts[-1]), body.file)
    cells = np.array([0 if record.is_blank else len(record.cells) for record in records[:-1]], dtype=np.int64)
    return _Rows(starts[:-1], starts[1:], cells)


def _is_blank(line: str, separator: str) -> bool:
    """Tell whether a line holds blanks only; separators make it a row of empty cells."""
    return not line or (separator not in line and not line.strip())


def _footer_start(rows: _Rows, body: BodyLines, columns: int) -> int:
    """Find remarks below the table: last rows of one cell that reads like a sentence."""
    count = len(rows.start)
    if columns < 3 or not body.complete:
        return count
    first = count
    for row in range(count - 1, max(count - _MOST_FOOTER_ROWS, 0) - 1, -1):
        if rows.cells[row] != 1:
            break
        text = body.lines[rows.start[row]].strip()
        after_gap = row > 0 and rows.start[row] > rows.end[row - 1]
        if is_number(text) or not (" " in text or after_gap):
            break
        first = row
    return first


def _odd_rows(rows: _Rows, body: BodyLines, columns: int) -> np.ndarray:
    """Find rows that are too short, or too long by more than empty cells."""
    short = rows.cells < columns
    long = np.flatnonzero(rows.cells > columns)
    odd = short.copy()
    separator = body.dialect.separator
    for row in long:
        start, end = int(rows.start[row]), int(rows.end[row])
        if body.lines[end - 1].rstrip(f"{separator} ").count(separator) < columns and end == start + 1:
            continue
        surplus = body.cells(start, end)[columns:]
        odd[row] = any(cell.strip() for cell in surplus)
    return np.flatnonzero(odd)


def _ragged(rows: _Rows, row: int, body: BodyLines, columns: int) -> InvalidData:
    found = int(rows.cells[row])
    return InvalidData(
        f"the row has {counted(found, 'cell')}, expected {columns}.",
        place=f"{body.file}, line {_line(rows, row, body)}",
        remedy="Correct the row, or let rows of another length be left out (ragged: drop).",
    )


def _line(rows: _Rows, row: int, body: BodyLines) -> int:
    return int(rows.start[row]) + body.first_line


def _text_of(rows: _Rows, every: _Rows, body: BodyLines) -> str:
    if len(rows.start) == len(every.start) and len(body.lines) == every.end[-1]:
        return "\n".join(body.lines)
    return "\n".join(
        "\n".join(body.lines[start:end]) for start, end in zip(rows.start, rows.end, strict=True)
    )
