"""Where each row of a text table begins and ends, and whether all have as many cells as it has columns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.errors import InvalidData
from engine.readers.dialect import is_number
from engine.readers.records import Dialect, split_records, unclosed_quote
from engine.readers.registry import ReadingOptions
from engine.wording.notes import Note
from engine.wording.numbers import counted
from engine.wording.sentences import CHOOSE_ONE_WITH_DATA, ROW_OF_OTHER_LENGTH

_NEWLINE = 10
_BLOCK = 1 << 20
"""Bytes that are looked at together, so that they stay in the cache of the processor."""

_END = "\x01"
"""A last line that comes out as a row of its own unless an open quotation mark swallows it."""


@dataclass(frozen=True, slots=True)
class Extents:
    """The extent of each row.

    Attributes
    ----------
    start, end : ndarray of int, shape (rows,)
        First line and the line behind the last one, counted from 0.
    cells : ndarray of int, shape (rows,)
        Number of cells; 0 for a blank line.
    """

    start: np.ndarray
    end: np.ndarray
    cells: np.ndarray

    def __len__(self) -> int:
        return len(self.start)

    def keep(self, mask: np.ndarray) -> Extents:
        """Keep the rows that a boolean mask names."""
        return Extents(self.start[mask], self.end[mask], self.cells[mask])


@dataclass(frozen=True)
class BodyText:
    """The part of a text table that holds the rows.

    Attributes
    ----------
    content : bytes
        UTF-8, lines separated by line feeds, none behind the last line.
    first_line : int
        Number of its first line in the file.
    dialect : Dialect
    file : str
        The file as error messages name it.
    complete : bool
        False when only the beginning of the file was read, whose last row may be cut.
    """

    content: bytes
    first_line: int
    dialect: Dialect
    file: str
    complete: bool = True

    @cached_property
    def line_starts(self) -> np.ndarray:
        """Position of the first byte of each line, and one position behind the last line."""
        content = np.frombuffer(self.content, dtype=np.uint8)
        parts = [
            np.flatnonzero(content[start : start + _BLOCK] == _NEWLINE) + (start + 1)
            for start in range(0, len(content), _BLOCK)
        ]
        return np.concatenate(([0], *parts, [len(self.content) + 1]))

    def slice(self, start: int, end: int) -> bytes:
        """Return the bytes of some lines, without the last line end."""
        return self.content[int(self.line_starts[start]) : int(self.line_starts[end]) - 1]

    def cells(self, start: int, end: int) -> tuple[str, ...]:
        """Return the cells of the row on these lines."""
        lines = self.slice(start, end).decode().split("\n")
        return next(iter(split_records(lines, self.dialect))).cells


def measure_rows(body: BodyText) -> Extents:
    """Find the extent of every row.

    Parameters
    ----------
    body : BodyText

    Returns
    -------
    Extents

    Raises
    ------
    UnreadableFile
        When a quotation mark is never closed.
    """
    if body.dialect.delimiter != "space":
        extents = measure_bytes(body)
        if extents is not None:
            return extents
    return measure_records(body)


def measure_bytes(body: BodyText) -> Extents | None:
    """Count separators outside quotation marks; None where the marks are not used by the rule."""
    content = np.frombuffer(body.content, dtype=np.uint8)
    quote = body.dialect.quote_character
    if not quote or quote.encode() not in body.content:
        return _measure_unquoted(body)
    separators = np.flatnonzero(content == ord(body.dialect.separator))
    feeds = body.line_starts[1:-1] - 1
    marks = np.flatnonzero(content == ord(quote))
    if not _are_regular(content, marks, ord(body.dialect.separator), ord(quote)):
        return None
    separators = separators[np.searchsorted(marks, separators) % 2 == 0]
    feeds = feeds[np.searchsorted(marks, feeds) % 2 == 0]
    bounds = np.concatenate(([-1], feeds, [len(content)]))
    cells = np.diff(np.searchsorted(separators, bounds)) + 1
    _mark_blank(cells, bounds, body)
    line_of = np.searchsorted(body.line_starts, bounds[:-1] + 1)
    return Extents(line_of, np.append(line_of[1:], len(body.line_starts) - 1), cells)


def _measure_unquoted(body: BodyText) -> Extents:
    """Count separators line by line: without quotation marks every line is a row."""
    content, starts = np.frombuffer(body.content, dtype=np.uint8), body.line_starts
    separator, count = ord(body.dialect.separator), len(starts) - 1
    cells = np.zeros(count, dtype=np.int64)
    line = 0
    while line < count:
        last = max(int(np.searchsorted(starts, starts[line] + _BLOCK)) - 1, line + 1)
        first_byte = int(starts[line])
        is_separator = (content[first_byte : int(starts[last])] == separator).view(np.uint8)
        # Rows that begin behind the last byte, as an empty last line does, have no cell.
        begin = starts[line:last] - first_byte
        inside = begin < len(is_separator)
        if inside.any():
            cells[line:last][inside] = np.add.reduceat(is_separator, begin[inside], dtype=np.uint32)
        line = last
    cells += 1
    _mark_blank(cells, np.append(starts[:-1] - 1, len(content)), body)
    return Extents(np.arange(count), np.arange(1, count + 1), cells)


def _mark_blank(cells: np.ndarray, bounds: np.ndarray, body: BodyText) -> None:
    """Set the number of cells of blank rows to 0."""
    content = np.frombuffer(body.content, dtype=np.uint8)
    for row in np.flatnonzero((cells == 1) & _may_be_blank(content, bounds)):
        if not body.content[bounds[row] + 1 : bounds[row + 1]].strip():
            cells[row] = 0


def _may_be_blank(content: np.ndarray, bounds: np.ndarray) -> np.ndarray:
    """Tell which rows begin with a blank or are empty, as a boolean array of shape (rows,)."""
    first = np.minimum(bounds[:-1] + 1, max(len(content) - 1, 0))
    blank = np.isin(content[first], np.frombuffer(b" \t\f\v", dtype=np.uint8))
    return np.asarray(blank | (np.diff(bounds) == 1))


def _are_regular(content: np.ndarray, marks: np.ndarray, separator: int, quote: int) -> bool:
    """Whether every quotation mark opens a cell, closes one, or is one half of a doubled one."""
    if len(marks) % 2:
        return False
    allowed = np.zeros(256, dtype=bool)
    allowed[[separator, _NEWLINE, quote]] = True
    opening, closing = marks[0::2], marks[1::2]
    before = content[opening[opening > 0] - 1]
    after = content[closing[closing < len(content) - 1] + 1]
    return bool(allowed[before].all() and allowed[after].all())


def measure_records(body: BodyText) -> Extents:
    """Cut the rows apart one by one, as irregular quotation marks demand."""
    lines = [*body.content.decode().split("\n"), _END]
    records = list(split_records(lines, body.dialect, body.first_line, body.file))
    starts = np.array([record.line - body.first_line for record in records], dtype=np.int64)
    if records[-1].cells != (_END,) and body.complete:
        raise unclosed_quote(body.first_line + int(starts[-1]), body.file)
    counts = [
        0 if record.is_blank and not lines[start].strip() else max(len(record.cells), 1)
        for record, start in zip(records[:-1], starts, strict=False)
    ]
    return Extents(starts[:-1], starts[1:], np.array(counts, dtype=np.int64))


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
        raise InvalidData("no row holds a value.", place=body.file, remedy=CHOOSE_ONE_WITH_DATA)
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
        ROW_OF_OTHER_LENGTH.format(found=counted(int(rows.cells[row]), "cell"), expected=columns),
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
