"""Cells of a workbook that read as empty: formulas that no program has computed yet, and errors (#DIV/0!)."""

from __future__ import annotations

import re
import struct
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from html import unescape
from io import BytesIO
from typing import NamedTuple
from xml.etree.ElementTree import ParseError
from zipfile import ZipFile

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from engine.readers.binary_sheets import (
    BINARY_BOOK,
    DAMAGED_RECORDS,
    binary_sheet,
    records_of,
    records_of_old,
    stream_of,
)
from engine.readers.sheet_cells import column_letters, column_number, sheet_of_ods
from engine.table.zip_damage import DAMAGED_ENTRY
from engine.translation import N_, _, for_count
from engine.wording.notes import Note, notes_about
from engine.wording.phrases import plain_listing


class ErrorCell(NamedTuple):
    """A cell with an error: its row and column, counted from 0, and what the sheet shows there."""

    row: int
    column: int
    error: str


_ERRORS = {
    0x00: "#NULL!",
    0x07: "#DIV/0!",
    0x0F: "#VALUE!",
    0x17: "#REF!",
    0x1D: "#NAME?",
    0x24: "#NUM!",
    0x2A: "#N/A",
    0x2B: "#GETTING_DATA",
}
_CODES = b"[" + b"".join(re.escape(bytes([code])) for code in _ERRORS) + b"]"


def error_cells(content: bytes, sheet: str, text: bytes) -> list[ErrorCell]:
    """Return the cells of a sheet that hold an error; `text` is its XML from Excel 2007 on, else empty."""
    try:
        if text:
            return list(_in_xml(text))
        if not content.startswith(b"PK"):
            return list(_in_old_sheet(stream_of(content), sheet))
        with ZipFile(BytesIO(content)) as archive:
            if _SHEETS_OF_ODS in archive.namelist():
                return list(_in_ods(sheet_of_ods(archive.read(_SHEETS_OF_ODS), sheet)))
            if BINARY_BOOK in archive.namelist():
                return list(_in_binary_sheet(binary_sheet(archive, sheet)))
    except DAMAGED_RECORDS:
        # The library says what is wrong with a workbook.
        pass
    return []


_ERROR_CELL = re.compile(rb'<(?:\w+:)?c\s([^>]*\bt="e"[^>]*)>')
_PLACE = re.compile(rb'\br="([A-Z]{1,3})([0-9]{1,7})"')
_ERROR = re.compile(rb"<(?:\w+:)?v>(#[^<]{1,30})<")
_LONGEST_CELL = 1 << 14


def _in_xml(text: bytes) -> Iterator[ErrorCell]:
    for cell in _ERROR_CELL.finditer(text) if b't="e"' in text else ():
        place, error = _PLACE.search(cell[1]), _ERROR.search(text, cell.end(), cell.end() + _LONGEST_CELL)
        if place and error:
            yield ErrorCell(int(place[2]) - 1, column_number(place[1]) - 1, error[1].decode(errors="replace"))


_SHEETS_OF_ODS = "content.xml"
_ROW_OR_CELL = re.compile(rb"<table:(?P<kind>table-row|(?:covered-)?table-cell)\b(?P<attributes>[^>]*)>")
_TIMES = re.compile(rb'number-(?:rows|columns)-repeated="([0-9]{1,7})"')
_IS_ERROR = b'calcext:value-type="error"'
_OF_FORMULA, _END_OF_CELL = b"table:formula=", b"</table:"
_SHOWN = re.compile(rb"<text:p>([^<]{1,60})</text:p>")
# Not all programs say of a cell that it is an error: some write what it shows beside a text or even a 0.
_SHOWN_ERROR = re.compile(rb"#(?:NULL!|DIV/0!|VALUE!|REF!|NAME\?|NUM!|N/A)|Err:[0-9]{3}")
_MAY_SHOW_ERROR = re.compile(rb"<text:p>(?:" + _SHOWN_ERROR.pattern + rb")</text:p>")


def _in_ods(sheet: bytes) -> Iterator[ErrorCell]:
    if _IS_ERROR not in sheet and not _MAY_SHOW_ERROR.search(sheet):
        return
    row, next_row, column = -1, 0, 0
    for match in _ROW_OR_CELL.finditer(sheet):
        times = _TIMES.search(match["attributes"])
        count = int(times[1]) if times else 1
        if match["kind"] == b"table-row":
            row, next_row, column = next_row, next_row + count, 0
            continue
        if _IS_ERROR in match["attributes"] or _OF_FORMULA in match["attributes"]:
            end = sheet.find(_END_OF_CELL, match.end(), match.end() + _LONGEST_CELL)
            shown = _SHOWN.search(sheet, match.end(), max(end, match.end()))
            if shown and (_IS_ERROR in match["attributes"] or _SHOWN_ERROR.fullmatch(shown[1])):
                error = unescape(shown[1].decode(errors="replace"))
                columns = range(column, column + min(count, _MOST_COLUMNS))
                yield from (ErrorCell(row, position, error) for position in columns)
        column += count


_MOST_COLUMNS = 1 << 14
_ROW, _CELL_ERROR, _FORMULA_ERROR = 0x00, 0x03, 0x0B
# Two patterns, as one of both takes ten times as long.
_MAY_BE_BINARY = (
    re.compile(rb"\x03\x09.{2}\x00\x00.{4}" + _CODES, re.DOTALL),
    re.compile(rb"\x0b(?:[\x10-\x7f]|[\x80-\xff][\x01-\x7f]).{2}\x00\x00.{4}" + _CODES, re.DOTALL),
)


def _in_binary_sheet(part: bytes) -> Iterator[ErrorCell]:
    # To look at each record takes longer than to read the sheet, and most sheets hold no error.
    if not any(pattern.search(part) for pattern in _MAY_BE_BINARY):
        return
    row = 0
    for kind, start, _end in records_of(part):
        if kind == _ROW:
            (row,) = struct.unpack_from("<I", part, start)
        elif kind in (_CELL_ERROR, _FORMULA_ERROR) and part[start + 8] in _ERRORS:
            yield ErrorCell(row, struct.unpack_from("<I", part, start)[0], _ERRORS[part[start + 8]])


_OLD_ERROR, _OLD_FORMULA = 0x0205, 0x0006
_MAY_BE_OLD = (
    re.compile(rb"\x05\x02\x08\x00.{6}" + _CODES + rb"\x01", re.DOTALL),
    re.compile(rb"\x06\x00.{8}\x02." + _CODES + rb".{3}\xff\xff", re.DOTALL),
)


def _in_old_sheet(book: bytes, sheet: str) -> Iterator[ErrorCell]:
    if not any(pattern.search(book) for pattern in _MAY_BE_OLD):
        return
    for kind, place, _end in records_of_old(book, sheet):
        value = book[place + 6 : place + 14]
        if kind == _OLD_ERROR and value[1] == 1:
            error = _ERRORS.get(value[0])
        elif kind == _OLD_FORMULA and value[0] == 2 and value[6:] == b"\xff\xff":
            error = _ERRORS.get(value[2])
        else:
            continue
        if error is not None:
            row, column = struct.unpack_from("<HH", book, place)
            yield ErrorCell(row, column, error)


def without_errors(
    rows: Sequence[Sequence[object]], errors: Iterable[ErrorCell], first_row: int, first_column: int
) -> Sequence[Sequence[object]]:
    """Empty the cells with errors, of which some programs write a 0 or what is shown; rows begin at a place.

    >>> without_errors([["a", 0.0], ["b", 2.0]], [ErrorCell(4, 3, "#DIV/0!")], 4, 2)
    [['a', ''], ['b', 2.0]]
    """
    columns: dict[int, set[int]] = defaultdict(set)
    for cell in errors:
        columns[cell.row - first_row].add(cell.column - first_column)
    return [
        ["" if place in columns[number] else value for place, value in enumerate(row)]
        if number in columns
        else row
        for number, row in enumerate(rows)
    ]


_FORMULA_WITHOUT_VALUE = (
    rb'<c r="%b[0-9]++"[^>]*+>\s*+<f[^>]*+>(?:[^<]*+</f>)?+\s*+(?:<v\s*+/>|<v>\s*+</v>)?+\s*+</c>'
)
_NOT_COMPUTED = N_(
    "Column '{name}' holds formulas without computed values, so it is empty here. Open the workbook in a "
    "spreadsheet program, save it there, and open it again."
)
_SEVERAL_NOT_COMPUTED = N_(
    "{count} columns hold formulas without computed values, so they are empty here: {names}. Open the "
    "workbook in a spreadsheet program, save it there, and open it again."
)


_ERROR_IN = N_("{count} cell of column '{name}' holds an error ({errors}). It is read as missing.")
_ERRORS_IN = N_("{count} cells of column '{name}' hold an error ({errors}). They are read as missing.")
_ERRORS_TOGETHER = N_(
    "Cells of {count} columns hold errors, such as #N/A. They are read as missing: {names}."
)


def notes_about_formulas(text: bytes, empty: Mapping[str, str]) -> list[Note]:
    """Say which empty columns of a sheet hold formulas, as programs write them that compute nothing."""
    sentences = {
        name: _(_NOT_COMPUTED, name=name)
        for letters, name in empty.items()
        if re.search(_FORMULA_WITHOUT_VALUE % letters.encode(), text)
    }
    return notes_about("formulas", sentences, _SEVERAL_NOT_COMPUTED)


def notes_about_errors(
    cells: Iterable[ErrorCell], names: Mapping[str, str], rows: Container[int]
) -> list[Note]:
    """Say in which columns of a sheet, by their letters, cells of some rows hold errors."""
    errors: dict[str, list[str]] = defaultdict(list)
    for cell in cells:
        name = names.get(column_letters(cell.column))
        if name is not None and cell.row + 1 in rows:
            errors[name].append(cell.error)
    sentences = {
        name: for_count(len(cells_in_error), _ERROR_IN, _ERRORS_IN).format(
            count=len(cells_in_error), name=name, errors=plain_listing(sorted(set(cells_in_error)), 3)
        )
        for name, cells_in_error in errors.items()
    }
    return notes_about("formula-errors", sentences, _ERRORS_TOGETHER)


def sheet_text(content: bytes, sheet: str) -> bytes:
    """Return the XML of a sheet of Excel 2007 and later; nothing of another workbook."""
    if not content.startswith(b"PK"):
        return b""
    try:
        with ZipFile(BytesIO(content)) as archive:
            book = fromstring(archive.read("xl/workbook.xml"))
            described = next(element for element in book.iter() if element.get("name") == sheet)
            # It has a number of its own too; that of the relation is in a namespace.
            relation = next(value for key, value in described.items() if key.endswith("}id"))
            relations = fromstring(archive.read("xl/_rels/workbook.xml.rels"))
            target = next(entry.get("Target", "") for entry in relations if entry.get("Id") == relation)
            return archive.read(target.lstrip("/") if target.startswith("/") else f"xl/{target}")
    except (*DAMAGED_ENTRY, StopIteration, LookupError, ParseError, DefusedXmlException):
        return b""
