"""Binary workbooks of Excel, .xls and .xlsb, as records: what the library that reads cells does not tell.

The layouts are those of [MS-CFB], [MS-XLS] and [MS-XLSB].
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from io import BytesIO
from typing import NamedTuple
from zipfile import ZipFile

from engine.table.zip_damage import DAMAGED_ENTRY

DAMAGED_RECORDS = (*DAMAGED_ENTRY, struct.error, LookupError, ValueError)
"""What is raised where records are damaged; the library says what is wrong with such a workbook."""

BINARY_BOOK = "xl/workbook.bin"
_SHEET = 0x9C


def records_of(part: bytes) -> Iterator[tuple[int, int, int]]:
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


def binary_sheet(archive: ZipFile, sheet: str) -> bytes:
    """Return the part of a binary workbook that holds a sheet."""
    relations = archive.read("xl/_rels/workbook.bin.rels")
    book = archive.read(BINARY_BOOK)
    for kind, start, end in records_of(book):
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


_OF_BOOK = ("Workbook", "Book")
_LAST_SECTOR = 0xFFFFFFFA


def stream_of(content: bytes) -> bytes:
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
    chain = [number for table in tables if table < _LAST_SECTOR for number in numbers(sector(table))]

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


_OLD_SHEET, _OLD_END = 0x0085, 0x000A


def records_of_old(book: bytes, sheet: str) -> Iterator[tuple[int, int, int]]:
    """Give the records of a sheet of a stream: kind, start and end of the content."""
    for kind, start, end in _old_records(book, 0):
        if kind == _OLD_SHEET and _old_name(book[start + 6 : end]) == sheet:
            (begin,) = struct.unpack_from("<I", book, start)
            yield from _old_records(book, begin)
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


class HiddenParts(NamedTuple):
    """Rows of a sheet, counted from 1, that it hides, whether it has a filter, and columns, from 0."""

    rows: frozenset[int] = frozenset()
    is_filtered: bool = False
    columns: frozenset[int] = frozenset()


def hidden_in_binary(content: bytes, sheet: str) -> HiddenParts:
    """Return what a sheet of .xls or .xlsb hides; nothing of another workbook or a damaged one."""
    try:
        if not content.startswith(b"PK"):
            return _hidden_in_old(stream_of(content), sheet)
        with ZipFile(BytesIO(content)) as archive:
            if BINARY_BOOK in archive.namelist():
                return _hidden_in_new(archive, sheet)
    except DAMAGED_RECORDS:
        pass
    return HiddenParts()


def _with_bit(bit: int) -> bytes:
    """Return a pattern of all bytes that have a bit."""
    return b"[" + b"".join(re.escape(bytes([byte])) for byte in range(256) if byte & bit) + b"]"


_OLD_ROW, _OLD_COLUMNS, _OLD_FILTERS = 0x0208, 0x007D, (0x009B, 0x009D)
_ROW_IS_HIDDEN, _NEW_ROW_IS_HIDDEN, _COLUMN_IS_HIDDEN = 0x20, 0x10, 0x01
# To look at each record takes longer than to read the sheet, and most sheets hide nothing.
_MAY_HIDE_IN_OLD = (
    re.compile(rb"\x08\x02\x10\x00.{12}" + _with_bit(_ROW_IS_HIDDEN), re.DOTALL),
    re.compile(
        rb"\x7d\x00[\x0a-\x0c]\x00.[\x00\x01].[\x00\x01].{4}" + _with_bit(_COLUMN_IS_HIDDEN), re.DOTALL
    ),
)


def _hidden_in_old(book: bytes, sheet: str) -> HiddenParts:
    if not any(pattern.search(book) for pattern in _MAY_HIDE_IN_OLD):
        return HiddenParts()
    rows: set[int] = set()
    columns: set[int] = set()
    is_filtered = False
    for kind, start, _ in records_of_old(book, sheet):
        if kind == _OLD_ROW and book[start + 12] & _ROW_IS_HIDDEN:
            rows.add(struct.unpack_from("<H", book, start)[0] + 1)
        elif kind == _OLD_COLUMNS and book[start + 8] & _COLUMN_IS_HIDDEN:
            first, last = struct.unpack_from("<HH", book, start)
            columns.update(range(first, last + 1))
        is_filtered = is_filtered or kind in _OLD_FILTERS
    return HiddenParts(frozenset(rows), is_filtered, frozenset(columns))


_NEW_ROW, _NEW_COLUMNS, _NEW_FILTER, _FILTERED_COLUMN = 0x00, 0x3C, 0xA1, 0xA3
_MOST_COLUMNS = 1 << 14
_MAY_HIDE_IN_NEW = (
    re.compile(
        rb"\x00(?:[\x11\x19!)19AIQYaiqy]|[\x81\x89\x91]\x01).{3}\x00.{7}" + _with_bit(_NEW_ROW_IS_HIDDEN),
        re.DOTALL,
    ),
    re.compile(rb"\x3c\x12.{2}\x00\x00.{2}\x00\x00.{8}" + _with_bit(_COLUMN_IS_HIDDEN), re.DOTALL),
)


def _hidden_in_new(archive: ZipFile, sheet: str) -> HiddenParts:
    part = binary_sheet(archive, sheet)
    if not any(pattern.search(part) for pattern in _MAY_HIDE_IN_NEW):
        return HiddenParts()
    rows: set[int] = set()
    columns: set[int] = set()
    is_filtered = any(
        kind == _FILTERED_COLUMN
        for name in archive.namelist()
        if name.startswith("xl/tables/")
        for kind, _, _ in records_of(archive.read(name))
    )
    for kind, start, _ in records_of(part):
        if kind == _NEW_ROW and part[start + 11] & _NEW_ROW_IS_HIDDEN:
            rows.add(struct.unpack_from("<I", part, start)[0] + 1)
        elif kind == _NEW_COLUMNS and part[start + 16] & _COLUMN_IS_HIDDEN:
            first, last = struct.unpack_from("<II", part, start)
            columns.update(range(first, min(last + 1, _MOST_COLUMNS)))
        is_filtered = is_filtered or kind == _NEW_FILTER
    return HiddenParts(frozenset(rows), is_filtered, frozenset(columns))
