"""Checking that every row has as many cells as the table has columns, before any value is read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.errors import InvalidData
from engine.notes import Note
from engine.readers.cells import is_number
from engine.readers.options import ReadingOptions
from engine.readers.row_extents import BodyText, Extents, measure_rows
from engine.readers.words import counted

_MOST_FOOTER_ROWS = 20


@dataclass(frozen=True, slots=True)
class Body:
    """The rows of data, all of usable length.

    Attributes
    ----------
    content : bytes
        The rows as they stand in the file, in UTF-8, without blank lines.
    width : int
        Cells of the longest row; cells beyond the columns are empty.
    line_numbers : ndarray of int, shape (rows,)
        Line in the file on which each row begins.
    issues : tuple of Note
    """

    content: bytes
    width: int
    line_numbers: np.ndarray
    issues: tuple[Note, ...]


def check_rows(body: BodyText, columns: int, least: int, options: ReadingOptions) -> Body:
    """Check the length of every row.

    Parameters
    ----------
    body : BodyText
    columns : int
        Cells that a row may have.
    least : int
        Cells that a row must have; those between hold nothing as a rule.
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
    every = measure_rows(body)
    rows = every.keep(every.cells > 0)
    issues: list[Note] = []
    footer = _footer_start(rows, body, columns)
    if footer < len(rows):
        message = f"Remarks below the table, from line {_line(rows, footer, body)} on, are left out."
        issues.append(Note("footer", message))
        rows = rows.keep(np.arange(len(rows)) < footer)
    odd = _odd_rows(rows, body, columns, least)
    if len(odd):
        if options.ragged == "error":
            raise _ragged(rows, int(odd[0]), body, least)
        message = (
            f"Left out: {counted(len(odd), 'row')} without exactly {counted(least, 'cell')}; "
            f"the first is on line {_line(rows, int(odd[0]), body)}."
        )
        issues.append(Note("rows-dropped", message))
        rows = rows.keep(~np.isin(np.arange(len(rows)), odd))
    rows, dropped = _without_empty_end(rows, body)
    if dropped:
        issues.append(
            Note("rows-dropped", f"At the end, {counted(dropped, 'row')} without any value left out.")
        )
    if len(rows) == 0:
        raise InvalidData("no row holds a value.", place=body.file, remedy="Choose a file with data.")
    if (every.cells[every.start < rows.start[-1]] == 0).any():
        issues.append(Note("blank-lines", "Blank lines between the rows are left out."))
    content = _content_of(rows, every, body)
    return Body(content, int(rows.cells.max(initial=columns)), rows.start + body.first_line, tuple(issues))


def _footer_start(rows: Extents, body: BodyText, columns: int) -> int:
    """Find remarks below the table: last rows of one cell that reads like a sentence."""
    first = count = len(rows)
    if columns < 3 or not body.complete:
        return count
    for row in range(count - 1, max(count - _MOST_FOOTER_ROWS, 0) - 1, -1):
        if rows.cells[row] != 1:
            break
        text = body.slice(int(rows.start[row]), int(rows.end[row])).decode().strip()
        after_gap = row > 0 and rows.start[row] > rows.end[row - 1]
        if is_number(text) or not (" " in text or after_gap):
            break
        first = row
    return first


def _without_empty_end(rows: Extents, body: BodyText) -> tuple[Extents, int]:
    """Leave out rows of empty cells at the end, as spreadsheets export them."""
    count = len(rows)
    nothing = f"{body.dialect.separator} \t{body.dialect.quote_character}".encode()
    while count > 0 and rows.cells[count - 1] > 1:
        if body.slice(int(rows.start[count - 1]), int(rows.end[count - 1])).strip(nothing):
            break
        count -= 1
    return rows.keep(np.arange(len(rows)) < count), len(rows) - count


def _odd_rows(rows: Extents, body: BodyText, columns: int, least: int) -> np.ndarray:
    """Find rows that are too short, or too long by more than empty cells."""
    odd = rows.cells < least
    separator = body.dialect.separator.encode()
    for row in np.flatnonzero(rows.cells > columns):
        start, end = int(rows.start[row]), int(rows.end[row])
        if body.slice(start, end).rstrip(separator).count(separator) < columns:
            continue
        surplus = body.cells(start, end)[columns:]
        odd[row] = any(cell.strip() for cell in surplus)
    return np.flatnonzero(odd)


def _ragged(rows: Extents, row: int, body: BodyText, columns: int) -> InvalidData:
    remedy = "Correct the row, or let rows of another length be left out (ragged: drop)."
    if row == len(rows) - 1:
        remedy = f"It is the last row, so the file may be cut off. {remedy}"
    return InvalidData(
        f"the row has {counted(int(rows.cells[row]), 'cell')}, expected {columns}.",
        place=f"{body.file}, line {_line(rows, row, body)}",
        remedy=remedy,
    )


def _line(rows: Extents, row: int, body: BodyText) -> int:
    return int(rows.start[row]) + body.first_line


def _content_of(rows: Extents, every: Extents, body: BodyText) -> bytes:
    if len(rows) == len(every) and every.end[-1] == len(body.line_starts) - 1:
        return body.content
    return b"\n".join(
        body.slice(int(start), int(end)) for start, end in zip(rows.start, rows.end, strict=True)
    )
