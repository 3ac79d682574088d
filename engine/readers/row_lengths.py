"""Where each row of a text table begins and ends, and whether all have as many cells as it has columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from engine.errors import InvalidData
from engine.readers.cell_text import is_number
from engine.readers.encodings import Content, parts_of
from engine.readers.lone_texts import is_remark, rows_above_remark
from engine.readers.options import ReadingOptions
from engine.readers.reading import DOUBTFUL_FOOTER, FOOTER
from engine.readers.records import Dialect, split_records, unclosed_quote
from engine.readers.source import LONGEST_LINE, MAX_LINES, line_too_long, too_many_lines
from engine.translation import _
from engine.wording.notes import Note
from engine.wording.numbers import counted
from engine.wording.sentences import CHOOSE_ONE_WITH_DATA, OPEN_SMALLER_TABLE, ROW_OF_OTHER_LENGTH
from engine.wording.setting_names import SettingName, SettingText, naming_settings

MAX_CELLS = 500_000_000
"""Most cells: as numbers they take 4 GB."""

_NEWLINE = 10
_NO_CHARACTER = -1
_BLOCK = 1 << 20
"""Bytes that are looked at together, so that they stay in the cache of the processor."""

_END = "\x01"
"""A last line that comes out as a row of its own unless an open quotation mark swallows it."""


@dataclass(frozen=True, slots=True)
class Extents:
    """The extent of each row."""

    start: np.ndarray  # first line, counted from 0; uint32 as all three
    end: np.ndarray  # the line behind the last one
    cells: np.ndarray  # how many; 0 for a blank line

    def __len__(self) -> int:
        return len(self.start)

    def keep(self, mask: np.ndarray) -> Extents:
        """Keep the rows that a boolean mask names."""
        if mask.all():
            return self
        return Extents(self.start[mask], self.end[mask], self.cells[mask])


@dataclass(frozen=True)
class BodyText:
    """The part of a text table that holds the rows."""

    content: Content  # UTF-8, lines separated by line feeds, none behind the last line
    first_line: int  # its number in the file
    dialect: Dialect
    file: str  # as error messages name it
    complete: bool = True  # False when only the beginning was read, whose last row may be cut

    @cached_property
    def line_starts(self) -> np.ndarray:
        """Position of the first byte of each line, and one position behind the last line, as uint32."""
        parts = [np.zeros(1, np.uint32)]
        lines = 1
        for start, part in parts_of(self.content, _BLOCK):
            feeds = np.flatnonzero(np.frombuffer(part, np.uint8) == _NEWLINE) + (start + 1)
            parts.append(feeds.astype(np.uint32))
            lines += len(feeds)
            if lines > MAX_LINES:
                raise too_many_lines(self.file)
        starts = np.concatenate([*parts, np.array([len(self.content) + 1], np.uint32)])
        if len(self.content) > LONGEST_LINE and int(np.diff(starts).max()) > LONGEST_LINE + 1:
            raise line_too_long(self.file)
        return starts

    def slice(self, start: int, end: int) -> bytes:
        """Return the bytes of some lines, without the last line end."""
        return self.content.slice(int(self.line_starts[start]), int(self.line_starts[end]) - 1)

    def cells(self, start: int, end: int) -> tuple[str, ...]:
        """Return the cells of the row on these lines."""
        lines = self.slice(start, end).decode().split("\n")
        return next(iter(split_records(lines, self.dialect))).cells

    def blocks(self) -> Iterator[tuple[int, int, np.ndarray, np.ndarray]]:
        """Give some lines at a time: first, behind the last, their bytes, and where each ends in these."""
        starts, count, line = self.line_starts, len(self.line_starts) - 1, 0
        while line < count:
            first_byte = int(starts[line])
            last = max(int(np.searchsorted(starts, np.uint32(first_byte + _BLOCK))) - 1, line + 1)
            last = min(last, count)
            text = self.content.slice(first_byte, min(int(starts[last]), len(self.content)))
            ends = starts[line + 1 : last + 1].astype(np.int64) - (first_byte + 1)
            yield line, last, np.frombuffer(text, np.uint8), ends
            line = last


def measure_rows(body: BodyText) -> Extents:
    """Find the extent of every row."""
    if body.dialect.delimiter != "space":
        extents = measure_bytes(body)
        if extents is not None:
            return extents
    return measure_records(body)


def measure_bytes(body: BodyText) -> Extents | None:
    """Count separators outside quotation marks; None where the marks are not used by the rule."""
    scan = _QuotedScan(body.dialect)
    starts, cells = [], []
    for first, last, text, ends in body.blocks():
        bounds = scan.rows(first, last, text, ends)
        if bounds is None:
            return None
        starts.append(bounds[0])
        cells.append(bounds[1])
    if scan.is_open:
        return None
    start = np.concatenate(starts)
    behind = np.array([len(body.line_starts) - 1], np.uint32)
    return Extents(start, np.concatenate([start[1:], behind]), np.concatenate(cells))


class _QuotedScan:
    """Goes through the lines of a table block by block, and knows whether it is inside quotation marks."""

    def __init__(self, dialect: Dialect) -> None:
        self._separator = ord(dialect.separator)
        self._quote = ord(dialect.quote_character) if dialect.quote_character else _NO_CHARACTER
        # Of the row that began in an earlier block: its first line, and its separators up to now.
        self._row = self._separators = 0
        self.is_open = False

    def rows(
        self, first: int, last: int, text: np.ndarray, ends: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray] | None:
        """Give first lines and numbers of cells of the rows that end in a block; None for odd marks."""
        is_separator = text == self._separator
        marks = np.flatnonzero(text == self._quote)
        if self.is_open or len(marks):
            return self._quoted_rows(first, text, ends, is_separator, marks)
        # Without quotation marks every line is a row. One that begins behind the last byte has no cell.
        begins = np.concatenate(([0], ends[:-1] + 1))
        cells = np.zeros(last - first, np.uint32)
        inside = begins < len(text)
        if inside.any():
            counts = is_separator.view(np.uint8)
            cells[inside] = np.add.reduceat(counts, begins[inside], dtype=np.uint32)
        cells += np.uint32(1)
        _mark_blank(cells, begins, ends, text)
        return np.arange(first, last, dtype=np.uint32), cells

    def _quoted_rows(
        self, first: int, text: np.ndarray, ends: np.ndarray, is_separator: np.ndarray, marks: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray] | None:
        was_open = int(self.is_open)
        if not self._are_regular(text, marks[was_open::2], marks[1 - was_open :: 2]):
            return None
        separators = np.flatnonzero(is_separator)
        separators = separators[(np.searchsorted(marks, separators) + was_open) % 2 == 0]
        line_ends_row = (np.searchsorted(marks, ends) + was_open) % 2 == 0
        row_ends = ends[line_ends_row]
        self.is_open = bool((len(marks) + was_open) % 2)
        bounds = np.searchsorted(separators, row_ends)
        counts = np.diff(bounds, prepend=0)
        if not len(counts):
            self._separators += len(separators)
            return np.empty(0, np.uint32), np.empty(0, np.uint32)
        counts[0] += self._separators
        cells = (counts + 1).astype(np.uint32)
        next_lines = first + 1 + np.flatnonzero(line_ends_row)
        starts = np.concatenate(([self._row if was_open else first], next_lines[:-1]))
        begins = np.concatenate(([0], row_ends[:-1] + 1))
        # A row that began before has a quotation mark, so it is not blank.
        whole = slice(1, None) if was_open else slice(None)
        _mark_blank(cells[whole], begins[whole], row_ends[whole], text)
        self._row, self._separators = int(next_lines[-1]), len(separators) - int(bounds[-1])
        return starts.astype(np.uint32), cells

    def _are_regular(self, text: np.ndarray, opening: np.ndarray, closing: np.ndarray) -> bool:
        """Whether every quotation mark opens a cell, closes one, or is one half of a doubled one."""
        allowed = np.zeros(256, dtype=bool)
        allowed[[self._separator, _NEWLINE, self._quote]] = True
        before = text[opening[opening > 0] - 1]
        after = text[closing[closing < len(text) - 1] + 1]
        return bool(allowed[before].all() and allowed[after].all())


def _mark_blank(cells: np.ndarray, begins: np.ndarray, ends: np.ndarray, text: np.ndarray) -> None:
    """Set the number of cells of blank rows to 0."""
    first = text[np.minimum(begins, max(len(text) - 1, 0))] if len(text) else np.zeros(len(begins), np.uint8)
    blank = np.isin(first, np.frombuffer(b" \t\f\v", dtype=np.uint8)) | (begins >= ends)
    for row in np.flatnonzero((cells == 1) & blank):
        if not text[begins[row] : ends[row]].tobytes().strip():
            cells[row] = 0


def measure_records(body: BodyText) -> Extents:
    """Cut the rows apart one by one, as irregular quotation marks demand."""
    lines = [*body.content.slice(0, len(body.content)).decode().split("\n"), _END]
    records = list(split_records(lines, body.dialect, body.first_line, body.file))
    starts = np.array([record.line - body.first_line for record in records], dtype=np.int64)
    if records[-1].cells != (_END,) and body.complete:
        raise unclosed_quote(body.first_line + int(starts[-1]), body.file)
    counts = [
        0 if record.is_blank and not lines[start].strip() else max(len(record.cells), 1)
        for record, start in zip(records[:-1], starts, strict=False)
    ]
    starts = starts.astype(np.uint32)
    return Extents(starts[:-1], starts[1:], np.array(counts, dtype=np.uint32))


_MOST_FOOTER_ROWS = 20
_MARKS_OF_REMARKS = ("#", "!")
_MOST_PARTS = 12
"""Cells into which commas may cut a remark."""
_LEAST_DOUBLE_SPACED = 9
"""Lines from which on blank ones between all rows are no chance."""


@dataclass(frozen=True)
class Body:
    """The rows of data, all of usable length."""

    text: BodyText
    rows: Extents
    width: int
    issues: tuple[Note, ...]

    @property
    def line_numbers(self) -> np.ndarray:
        """Line in the file on which each row begins."""
        return np.asarray(self.rows.start + np.uint32(self.text.first_line))

    @property
    def is_even(self) -> bool:
        """Whether every row has as many cells."""
        return bool((self.rows.cells == self.width).all())

    def first(self, count: int) -> Body:
        """Keep the first rows."""
        if count >= len(self.rows):
            return self
        return self.keep(np.arange(len(self.rows)) < count)

    def keep(self, mask: np.ndarray) -> Body:
        """Keep the rows that a boolean mask names."""
        return replace(self, rows=self.rows.keep(mask))

    def blocks(self, size: int) -> Iterator[bytes]:
        """Give the rows as they stand in the file, without blank lines, some whole rows at a time."""
        starts, rows = self.text.line_starts, self.rows
        row = 0
        while row < len(rows):
            first_byte = int(starts[rows.start[row]])
            line = int(np.searchsorted(starts, np.uint32(first_byte + size)))
            last = max(int(np.searchsorted(rows.end, np.uint32(line), side="right")), row + 1)
            end = int(starts[rows.end[last - 1]]) - 1
            text = self.text.content.slice(first_byte, end)
            gaps = np.flatnonzero(rows.start[row + 1 : last] != rows.end[row : last - 1]) + row
            if len(gaps):
                firsts = [row, *(gaps + 1).tolist()]
                lasts = [*gaps.tolist(), last - 1]
                text = b"\n".join(
                    text[int(starts[rows.start[a]]) - first_byte : int(starts[rows.end[b]]) - 1 - first_byte]
                    for a, b in zip(firsts, lasts, strict=True)
                )
            yield text
            row = last


def check_rows(body: BodyText, columns: int, least: int, options: ReadingOptions) -> Body:
    """Check the length of every row, which needs `least` cells; those between hold nothing as a rule."""
    every = measure_rows(body)
    issues: list[Note] = []
    if body.dialect.delimiter == "none":
        every, blank_count = _with_blank_rows(every)
        if blank_count:
            message = _(
                "Blank lines between the rows are read as {rows} without a value.",
                rows=counted(blank_count, "row"),
            )
            issues.append(Note("blank-lines", message))
    rows = every.keep(every.cells > 0)
    footer = _footer_start(rows, body, columns, keeps_filled=options.other_rows == "keep")
    if footer < len(rows):
        message = _(
            "Remarks below the table, from line {line}, are left out.", line=_line(rows, footer, body)
        )
        issues.append(Note(FOOTER if _are_remarks(rows, footer, body) else DOUBTFUL_FOOTER, message))
        rows = rows.keep(np.arange(len(rows)) < footer)
    odd = _odd_rows(rows, body, columns, least)
    if len(odd):
        if options.ragged == "error":
            raise _ragged(rows, int(odd[0]), body, least)
        message = _(
            "Left out: {rows} without exactly {cells}; the first is on line {line}.",
            rows=counted(len(odd), "row"),
            cells=counted(least, "cell"),
            line=_line(rows, int(odd[0]), body),
        )
        issues.append(Note("rows-dropped", message))
        rows = rows.keep(~np.isin(np.arange(len(rows)), odd))
    rows, dropped = _without_empty_end(rows, body)
    if dropped:
        issues.append(
            Note(
                "rows-dropped",
                _("At the end, {rows} without any value left out.", rows=counted(dropped, "row")),
            )
        )
    is_empty = _only_separators(rows, body)
    if options.other_rows != "keep" and is_empty.any():
        left_out = _(
            "Left out: {rows} of separators without any value; the first is on line {line}.",
            rows=counted(int(is_empty.sum()), "row"),
            line=_line(rows, int(is_empty.argmax()), body),
        )
        issues.append(Note("blank-lines", left_out))
        rows = rows.keep(~is_empty)
    if len(rows) == 0:
        raise InvalidData(_("no row holds a value."), place=body.file, remedy=_(CHOOSE_ONE_WITH_DATA))
    if (every.cells[every.start < rows.start[-1]] == 0).any():
        issues.append(Note("blank-lines", _("Blank lines between the rows are left out.")))
    width = int(rows.cells.max(initial=columns))
    if len(rows) * width > MAX_CELLS:
        raise InvalidData(
            _(
                "it has {count:,} cells; at most {max_cells:,} are taken into memory.",
                count=len(rows) * width,
                max_cells=MAX_CELLS,
            ),
            place=body.file,
            remedy=_(OPEN_SMALLER_TABLE),
        )
    return Body(body, rows, width, tuple(issues))


def _with_blank_rows(every: Extents) -> tuple[Extents, int]:
    """Count blank lines between the rows of a single column as rows; return also how many there are."""
    filled = np.flatnonzero(every.cells)
    if not len(filled):
        return every, 0
    inside = slice(int(filled[0]), int(filled[-1]) + 1)
    cells = every.cells[inside]
    every_other = bool((cells[::2] > 0).all() and (cells[1::2] == 0).all())
    if every_other and len(cells) >= _LEAST_DOUBLE_SPACED:
        return every, 0
    rows = Extents(every.start[inside], every.end[inside], np.maximum(cells, 1))
    return rows, int(np.count_nonzero(cells == 0))


def _footer_start(rows: Extents, body: BodyText, columns: int, *, keeps_filled: bool) -> int:
    """Find remarks below the table: last rows of one cell that reads like a sentence or is below a gap."""
    first = count = len(rows)
    below_gap = None
    if columns < 3 or not body.complete:
        return count
    for row in range(count - 1, max(count - _MOST_FOOTER_ROWS, 0) - 1, -1):
        text, *others = cells = body.cells(int(rows.start[row]), int(rows.end[row]))
        filled = [place for place, cell in enumerate(cells) if cell.strip()]
        if len(others) > 0 and (len(filled) > 1 or filled > [0]):
            if keeps_filled or not _is_remark_with_separators(rows, row, body, cells, filled):
                break
            first, below_gap = row, None
            continue
        if is_number(text):
            break
        if not others:
            after_gap = row > 0 and rows.start[row] > rows.end[row - 1]
            is_marked = text.strip()[:1] in _MARKS_OF_REMARKS
            is_heading = first < count and text.strip().endswith(":")
            if not (" " in text.strip() or after_gap or is_marked or is_heading):
                break
            first = row
        elif text.strip() and not keeps_filled and is_remark(text, _cells_above(rows, row, body, [0])[0]):
            first, below_gap = row, None
        elif text.strip():
            below_gap = row
        elif below_gap is not None:
            first, below_gap = below_gap, None
    return first


def _are_remarks(rows: Extents, footer: int, body: BodyText) -> bool:
    """Tell whether no row from one on may begin a case: all are below a gap, or unlike cases."""
    if footer and (rows.start[footer] > rows.end[footer - 1] or _only_separators(rows, body)[footer - 1]):
        return True
    for row in range(footer, len(rows)):
        cells = body.cells(int(rows.start[row]), int(rows.end[row]))
        place = next((place for place, cell in enumerate(cells) if cell.strip()), None)
        if place is None or cells[place].strip().startswith(_MARKS_OF_REMARKS):
            continue
        if not is_remark(cells[place], _cells_above(rows, row, body, [place])[place]):
            return False
    return True


def _cells_above(rows: Extents, row: int, body: BodyText, places: Sequence[int]) -> dict[int, list[str]]:
    """Return cells of some columns, by their places, from some rows above one."""
    above = [
        body.cells(int(rows.start[row_above]), int(rows.end[row_above]))
        for row_above in rows_above_remark(row)
    ]
    return {place: [cells[place] for cells in above if place < len(cells)] for place in places}


def _is_remark_with_separators(
    rows: Extents, row: int, body: BodyText, cells: Sequence[str], filled: Sequence[int]
) -> bool:
    """Tell whether a row is a sentence with commas in it, or one that stands in a later column."""
    if not filled or len(filled) > _MOST_PARTS or " " not in cells[filled[0]].strip():
        return False
    columns = _cells_above(rows, row, body, filled)
    first, *later = filled
    if not is_remark(cells[first], columns[first]):
        return False
    are_behind_blanks = all(cells[place].startswith(" ") for place in later)
    have_blanks = any(cell.startswith(" ") for place in later for cell in columns[place])
    if are_behind_blanks and not have_blanks:
        return True
    return bool(later) and all(
        not cells[place].strip()[0].isdigit() and is_remark(cells[place], columns[place]) for place in later
    )


def _without_empty_end(rows: Extents, body: BodyText) -> tuple[Extents, int]:
    """Leave out rows of empty cells at the end, as spreadsheets export them."""
    count = len(rows)
    nothing = f"{body.dialect.separator} \t{body.dialect.quote_character}".encode()
    while count > 0 and rows.cells[count - 1] > 1:
        if body.slice(int(rows.start[count - 1]), int(rows.end[count - 1])).strip(nothing):
            break
        count -= 1
    return (rows if count == len(rows) else rows.keep(np.arange(len(rows)) < count)), len(rows) - count


def _only_separators(rows: Extents, body: BodyText) -> np.ndarray:
    """Tell of each row whether it has several cells and no character between them."""
    lengths = body.line_starts[rows.end] - 1 - body.line_starts[rows.start]
    return np.asarray((rows.cells > 1) & (lengths == rows.cells - 1))


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
    remedy = naming_settings(
        _("Correct the row, or set {setting} to leave out rows of another length."),
        setting=SettingName("ragged", "drop"),
    )
    if row == len(rows) - 1:
        remedy = SettingText(_("It is the last row, so the file may be cut off."), " ", remedy)
    return InvalidData(
        _(ROW_OF_OTHER_LENGTH, found=counted(int(rows.cells[row]), "cell"), expected=columns),
        place=_("{file}, line {line}", file=body.file, line=_line(rows, row, body)),
        remedy=remedy,
    )


def _line(rows: Extents, row: int, body: BodyText) -> int:
    return int(rows.start[row]) + body.first_line
