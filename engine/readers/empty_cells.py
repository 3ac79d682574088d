"""Cells of a workbook that read as empty: formulas that no program has computed yet, and errors (#DIV/0!)."""

from __future__ import annotations

import re
import struct
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from html import unescape
from io import BytesIO
from typing import NamedTuple
from xml.etree.ElementTree import ParseError
from zipfile import ZipFile

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from engine.readers.sheet_cells import column_letters, column_number, sheet_of_ods
from engine.table.zip_damage import DAMAGED_ENTRY
from engine.wording.notes import Note, notes_about
from engine.wording.phrases import for_count, plain_listing


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
            return list(_in_old_sheet(_stream(content), sheet))
        with ZipFile(BytesIO(content)) as archive:
            if _SHEETS_OF_ODS in archive.namelist():
                return list(_in_ods(sheet_of_ods(archive.read(_SHEETS_OF_ODS), sheet)))
            if _BINARY_BOOK in archive.namelist():
                return list(_in_binary_sheet(_binary_sheet(archive, sheet)))
    except (*DAMAGED_ENTRY, struct.error, LookupError, ValueError):
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
_SHOWN = re.compile(rb"<text:p>([^<]{1,60})</text:p>")


def _in_ods(sheet: bytes) -> Iterator[ErrorCell]:
    if _IS_ERROR not in sheet:
        return
    row, next_row, column = -1, 0, 0
    for found in _ROW_OR_CELL.finditer(sheet):
        times = _TIMES.search(found["attributes"])
        count = int(times[1]) if times else 1
        if found["kind"] == b"table-row":
            row, next_row, column = next_row, next_row + count, 0
            continue
        if _IS_ERROR in found["attributes"]:
            shown = _SHOWN.search(sheet, found.end(), found.end() + _LONGEST_CELL)
            if shown:
                error = unescape(shown[1].decode(errors="replace"))
                columns = range(column, column + min(count, _MOST_COLUMNS))
                yield from (ErrorCell(row, each, error) for each in columns)
        column += count


_MOST_COLUMNS = 1 << 14
_BINARY_BOOK = "xl/workbook.bin"
_ROW, _CELL_ERROR, _FORMULA_ERROR, _SHEET = 0x00, 0x03, 0x0B, 0x9C
# Two patterns, as one of both takes ten times as long.
_MAY_BE_BINARY = (
    re.compile(rb"\x03\x09.{2}\x00\x00.{4}" + _CODES, re.DOTALL),
    re.compile(rb"\x0b(?:[\x10-\x7f]|[\x80-\xff][\x01-\x7f]).{2}\x00\x00.{4}" + _CODES, re.DOTALL),
)


def _records(part: bytes) -> Iterator[tuple[int, int, int]]:
    """Give the records of a binary workbook: kind, start and end of the content."""
    place, end = 0, len(part)
    while place < end:
        kind = part[place]
        place += 1
        if kind & 0x80:
            kind = kind & 0x7F | part[place] << 7
            place += 1
        size = shift = 0
        while True:
            byte = part[place]
            place += 1
            size |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80 or shift > 21:
                break
        yield kind, place, place + size
        place += size


def _binary_sheet(archive: ZipFile, sheet: str) -> bytes:
    """Return the part of a binary workbook that holds a sheet."""
    relations = archive.read("xl/_rels/workbook.bin.rels")
    book = archive.read(_BINARY_BOOK)
    for kind, start, end in _records(book):
        if kind != _SHEET:
            continue
        texts, place = [], start + 8
        for _ in range(2):
            (length,) = struct.unpack_from("<I", book, place)
            texts.append(book[place + 4 : min(place + 4 + 2 * length, end)].decode("utf-16-le"))
            place += 4 + 2 * length
        if texts[1] == sheet:
            for relation in re.findall(rb"<Relationship\b[^>]*>", relations):
                if b'Id="%b"' % texts[0].encode() in relation:
                    target = re.search(rb'Target="([^"]+)"', relation)
                    if target:
                        name = target[1].decode()
                        return archive.read(name.lstrip("/") if name.startswith("/") else f"xl/{name}")
    return b""


def _in_binary_sheet(part: bytes) -> Iterator[ErrorCell]:
    # To look at each record takes longer than to read the sheet, and most sheets hold no error.
    if not any(each.search(part) for each in _MAY_BE_BINARY):
        return
    row = 0
    for kind, start, _ in _records(part):
        if kind == _ROW:
            (row,) = struct.unpack_from("<I", part, start)
        elif kind in (_CELL_ERROR, _FORMULA_ERROR) and part[start + 8] in _ERRORS:
            yield ErrorCell(row, struct.unpack_from("<I", part, start)[0], _ERRORS[part[start + 8]])


_OF_BOOK = ("Workbook", "Book")
_LAST_SECTOR = 0xFFFFFFFA


def _stream(content: bytes) -> bytes:
    """Return what a workbook of Excel 97 to 2003 holds, which stands in pieces of its file."""
    size = 1 << struct.unpack_from("<H", content, 30)[0]
    most = len(content) // size

    def sector(number: int) -> bytes:
        return content[(number + 1) * size : (number + 2) * size]

    def numbers(data: bytes) -> tuple[int, ...]:
        return struct.unpack(f"<{len(data) // 4}I", data[: len(data) // 4 * 4])

    tables = list(struct.unpack_from("<109I", content, 76))
    following, count = struct.unpack_from("<II", content, 68)
    for _ in range(min(count, most)):
        part = numbers(sector(following))
        tables += part[:-1]
        following = part[-1]
    chain = [each for table in tables if table < _LAST_SECTOR for each in numbers(sector(table))]

    def chained(start: int) -> bytes:
        parts: list[bytes] = []
        while start < min(len(chain), _LAST_SECTOR) and len(parts) <= most:
            parts.append(sector(start))
            start = chain[start]
        return b"".join(parts)

    folder = chained(struct.unpack_from("<I", content, 48)[0])
    for place in range(0, len(folder) - 127, 128):
        (length,) = struct.unpack_from("<H", folder, place + 64)
        if folder[place : place + max(length - 2, 0)].decode("utf-16-le", "replace") in _OF_BOOK:
            start, length = struct.unpack_from("<II", folder, place + 116)
            return chained(start)[:length]
    return b""


_OLD_SHEET, _OLD_END, _OLD_ERROR, _OLD_FORMULA = 0x0085, 0x000A, 0x0205, 0x0006
_MAY_BE_OLD = (
    re.compile(rb"\x05\x02\x08\x00.{6}" + _CODES + rb"\x01", re.DOTALL),
    re.compile(rb"\x06\x00.{8}\x02." + _CODES + rb".{3}\xff\xff", re.DOTALL),
)


def _in_old_sheet(book: bytes, sheet: str) -> Iterator[ErrorCell]:
    if not any(each.search(book) for each in _MAY_BE_OLD):
        return
    for kind, start, end in _old_records(book, 0):
        if kind == _OLD_SHEET and _old_name(book[start + 6 : end]) == sheet:
            (begin,) = struct.unpack_from("<I", book, start)
            for inner, place, _ in _old_records(book, begin):
                value = book[place + 6 : place + 14]
                if inner == _OLD_ERROR and value[1] == 1:
                    error = _ERRORS.get(value[0])
                elif inner == _OLD_FORMULA and value[0] == 2 and value[6:] == b"\xff\xff":
                    error = _ERRORS.get(value[2])
                else:
                    continue
                if error is not None:
                    row, column = struct.unpack_from("<HH", book, place)
                    yield ErrorCell(row, column, error)
            return


def _old_records(book: bytes, place: int) -> Iterator[tuple[int, int, int]]:
    """Give the records from one on to the end of its part: kind, start and end of the content."""
    while place + 4 <= len(book):
        kind, size = struct.unpack_from("<HH", book, place)
        yield kind, place + 4, place + 4 + size
        if kind == _OLD_END:
            return
        place += 4 + size


def _old_name(text: bytes) -> str:
    """Return the name of a sheet, of one or two bytes a letter."""
    length, is_wide = text[0], text[1] & 1
    return text[2 : 2 + 2 * length].decode("utf-16-le") if is_wide else text[2 : 2 + length].decode("latin-1")


_FORMULA_WITHOUT_VALUE = (
    rb'<c r="%b[0-9]++"[^>]*+>\s*+<f[^>]*+>(?:[^<]*+</f>)?+\s*+(?:<v\s*+/>|<v>\s*+</v>)?+\s*+</c>'
)
_NOT_COMPUTED = (
    "Column '{name}' holds formulas without computed values, so it is empty here. Open the workbook in a "
    "spreadsheet program, save it there, and open it again."
)
_SEVERAL_NOT_COMPUTED = (
    "{count} columns hold formulas without computed values, so they are empty here: {names}. Open the "
    "workbook in a spreadsheet program, save it there, and open it again."
)


_ERROR_IN = "{count} cell of column '{name}' holds an error ({errors}). It is read as missing."
_ERRORS_IN = "{count} cells of column '{name}' hold an error ({errors}). They are read as missing."
_ERRORS_TOGETHER = "Cells of {count} columns hold errors, such as #N/A. They are read as missing: {names}."


def notes_about_formulas(text: bytes, empty: Mapping[str, str]) -> list[Note]:
    """Say which empty columns of a sheet hold formulas, as programs write them that compute nothing."""
    sentences = {
        name: _NOT_COMPUTED.format(name=name)
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
        name: for_count(len(found), _ERROR_IN, _ERRORS_IN).format(
            count=len(found), name=name, errors=plain_listing(sorted(set(found)), 3)
        )
        for name, found in errors.items()
    }
    return notes_about("formula-errors", sentences, _ERRORS_TOGETHER)


def sheet_text(content: bytes, sheet: str) -> bytes:
    """Return the XML of a sheet of Excel 2007 and later; nothing of another workbook."""
    if not content.startswith(b"PK"):
        return b""
    try:
        with ZipFile(BytesIO(content)) as archive:
            book = fromstring(archive.read("xl/workbook.xml"))
            described = next(each for each in book.iter() if each.get("name") == sheet)
            # It has a number of its own too; that of the relation is in a namespace.
            relation = next(value for key, value in described.items() if key.endswith("}id"))
            relations = fromstring(archive.read("xl/_rels/workbook.xml.rels"))
            target = next(each.get("Target", "") for each in relations if each.get("Id") == relation)
            return archive.read(target.lstrip("/") if target.startswith("/") else f"xl/{target}")
    except (*DAMAGED_ENTRY, StopIteration, LookupError, ParseError, DefusedXmlException):
        return b""
