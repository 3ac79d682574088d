"""Where each row of a text table begins and ends, and how many cells it has, at the speed of numpy."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.readers.records import Dialect, split_records, unclosed_quote

_NEWLINE = 10
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
        feeds = np.flatnonzero(np.frombuffer(self.content, dtype=np.uint8) == _NEWLINE)
        return np.concatenate(([0], feeds + 1, [len(self.content) + 1]))

    def slice(self, start: int, end: int) -> bytes:
        """Give the bytes of some lines, without the last line end."""
        return self.content[int(self.line_starts[start]) : int(self.line_starts[end]) - 1]

    def cells(self, start: int, end: int) -> tuple[str, ...]:
        """Give the cells of the row on these lines."""
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
        extents = _measure_bytes(body)
        if extents is not None:
            return extents
    return _measure_records(body)


def _measure_bytes(body: BodyText) -> Extents | None:
    """Count separators outside quotation marks; None where the marks are not used by the rule."""
    content = np.frombuffer(body.content, dtype=np.uint8)
    quote = body.dialect.quote_character
    separators = np.flatnonzero(content == ord(body.dialect.separator))
    feeds = body.line_starts[1:-1] - 1
    if quote and quote.encode() in body.content:
        marks = np.flatnonzero(content == ord(quote))
        if not _are_regular(content, marks, ord(body.dialect.separator), ord(quote)):
            return None
        separators = separators[np.searchsorted(marks, separators) % 2 == 0]
        feeds = feeds[np.searchsorted(marks, feeds) % 2 == 0]
    bounds = np.concatenate(([-1], feeds, [len(content)]))
    cells = np.diff(np.searchsorted(separators, bounds)) + 1
    for row in np.flatnonzero((cells == 1) & _may_be_blank(content, bounds)):
        if not body.content[bounds[row] + 1 : bounds[row + 1]].strip():
            cells[row] = 0
    line_of = np.searchsorted(body.line_starts, bounds[:-1] + 1)
    return Extents(line_of, np.append(line_of[1:], len(body.line_starts) - 1), cells)


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


def _measure_records(body: BodyText) -> Extents:
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
