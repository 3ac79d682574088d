"""Small workbooks that no installed library writes: those of LibreOffice, and two binary forms of Excel.

The layouts are those of [MS-CFB], [MS-XLS], [MS-XLSB] and of OpenDocument 1.3.
"""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Container, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape


class CellError(NamedTuple):
    """A cell that holds an error: what is shown, its number, and whether a formula gives it."""

    text: str
    code: int
    of_formula: bool = False


Rows = Sequence[Sequence[float | str | CellError | None]]

_SECTOR = 512
_PLACES = _SECTOR // 4
_SHORTEST_STREAM = 4096
_FREE, _END_OF_CHAIN, _OF_TABLE = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
_SHEET = "Sheet1"


def zipped(members: dict[str, bytes | str]) -> bytes:
    """Return a zip file."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()


def ods_of(rows: Rows, hidden: Container[int] = (), visibility: str = "collapse") -> bytes:
    """Return a workbook of LibreOffice, of which a person or a filter hid some rows, counted from 0."""
    away = f' table:visibility="{visibility}"'
    return ods_around(
        "".join(
            f"<table:table-row{away * (place in hidden)}>{''.join(map(ods_cell, row))}</table:table-row>"
            for place, row in enumerate(rows)
        )
    )


def ods_around(rows: str) -> bytes:
    """Return a workbook of LibreOffice with these rows, as it writes them."""
    content = (
        '<?xml version="1.0" encoding="UTF-8"?><office:document-content '
        'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
        'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
        'xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0" '
        'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.3">'
        f'<office:body><office:spreadsheet><table:table table:name="{_SHEET}">{rows}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = (
        '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
        f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{kind}"/>'
        '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>'
        "</manifest:manifest>"
    )
    return zipped({"mimetype": kind, "content.xml": content, "META-INF/manifest.xml": manifest})


def ods_cell(value: float | str | CellError | None) -> str:
    """Return a cell of a workbook of LibreOffice."""
    if value is None:
        return '<table:table-cell table:number-columns-repeated="1"/>'
    if isinstance(value, CellError):
        formula = ' table:formula="of:=[.A1]/0"' * value.of_formula
        kind = ' office:value-type="string" office:string-value="" calcext:value-type="error"'
        return f"<table:table-cell{formula}{kind}><text:p>{value.text}</text:p></table:table-cell>"
    if isinstance(value, str):
        content = f"<text:p>{escape(value)}</text:p>"
        return f'<table:table-cell office:value-type="string">{content}</table:table-cell>'
    return f'<table:table-cell office:value-type="float" office:value="{value}"/>'


def xls_of(rows: Rows, hidden: Container[int] = (), *, filters: bool = False, column: int = -1) -> bytes:
    """Return a workbook of Excel 97 to 2003, of which a person or a filter hid some rows, and a column."""
    texts = sorted({value for row in rows for value in row if isinstance(value, str)})
    shared = b"".join(struct.pack("<HB", len(text), 1) + text.encode("utf-16-le") for text in texts)
    strings = _record(0x00FC, struct.pack("<II", len(texts), len(texts)) + shared)
    name = struct.pack("<BB", len(_SHEET), 0) + _SHEET.encode()
    begin = _record(0x0809, struct.pack("<HHHHII", 0x0600, 0x0005, 0, 0, 0, 0)) + _record(0x0042, b"\xb0\x04")
    end = _record(0x000A)
    length_of_book = len(begin + _record(0x0085, bytes(6) + name) + strings + end)
    book = begin + _record(0x0085, struct.pack("<IBB", length_of_book, 0, 0) + name) + strings + end
    width = max(map(len, rows))
    sheet = _record(0x0809, struct.pack("<HHHHII", 0x0600, 0x0010, 0, 0, 0, 0))
    sheet += _record(0x009D, b"\x02\0") * filters
    for place in range(width):
        sheet += _record(0x007D, struct.pack("<HHHHHH", place, place, 2048, 15, place == column, 0))
    sheet += _record(0x0200, struct.pack("<IIHHH", 0, len(rows), 0, width, 0))
    for row, values in enumerate(rows):
        looks = 0x100 | 0x20 * (row in hidden)
        sheet += _record(0x0208, struct.pack("<HHHHIHH", row, 0, width, 255, 0, looks, 15))
        for column, value in enumerate(values):
            place = struct.pack("<HHH", row, column, 0)
            if isinstance(value, CellError) and value.of_formula:
                result = struct.pack("<BBBBBBH", 2, 0, value.code, 0, 0, 0, 0xFFFF)
                sheet += _record(0x0006, place + result + bytes(6) + struct.pack("<HBB", 2, 0x1C, value.code))
            elif isinstance(value, CellError):
                sheet += _record(0x0205, place + struct.pack("<BB", value.code, 1))
            elif isinstance(value, str):
                sheet += _record(0x00FD, place + struct.pack("<I", texts.index(value)))
            elif value is not None:
                sheet += _record(0x0203, place + struct.pack("<d", value))
    return _compound_file("Workbook", book + sheet + end)


def _record(kind: int, content: bytes = b"") -> bytes:
    return struct.pack("<HH", kind, len(content)) + content


def _compound_file(name: str, stream: bytes) -> bytes:
    """Return a file that holds one stream, as old versions of Windows store objects."""
    stream = stream.ljust(_SHORTEST_STREAM, b"\0")
    stream += b"\0" * (-len(stream) % _SECTOR)
    sectors = len(stream) // _SECTOR
    tables = -(-(sectors + 1) // (_PLACES - 1))  # sectors of the table, which says of itself where it is
    first = tables + 1
    table = [*[_OF_TABLE] * tables, _END_OF_CHAIN, *range(first + 1, first + sectors), _END_OF_CHAIN]
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    header += struct.pack("<HHHHH6x", 0x3E, 3, 0xFFFE, 9, 6)
    places = (0, tables, tables, 0, _SHORTEST_STREAM, _END_OF_CHAIN, 0, _END_OF_CHAIN, 0)
    header += struct.pack("<IIIIIIIII", *places)
    header += struct.pack("<109I", *range(tables), *[_FREE] * (109 - tables))
    entries = _entry("Root Entry", 5, 1, _END_OF_CHAIN, 0) + _entry(name, 2, _FREE, first, len(stream))
    return (
        header
        + struct.pack(f"<{len(table)}I", *table).ljust(tables * _SECTOR, b"\xff")
        + entries.ljust(_SECTOR, b"\0")
        + stream
    )


def _entry(name: str, kind: int, child: int, start: int, size: int) -> bytes:
    written = (name + "\0").encode("utf-16-le")
    head = written.ljust(64, b"\0") + struct.pack("<HBB", len(written), kind, 1)
    return head + struct.pack("<III", _FREE, _FREE, child) + bytes(36) + struct.pack("<IQ", start, size)


def xlsb_of(rows: Rows, hidden: Container[int] = (), *, filters: bool = False, column: int = -1) -> bytes:
    """Return a binary workbook of Excel, of which a person or a filter hid some rows, and a column."""
    bundle = struct.pack("<II", 0, 1) + _wide("rId1") + _wide(_SHEET)
    book = _part(0x83) + _part(0x8F) + _part(0x9C, bundle) + _part(0x90) + _part(0x84)
    width = max(map(len, rows))
    sheet = _part(0x81) + _part(0x94, struct.pack("<IIII", 0, len(rows) - 1, 0, width - 1))
    for place in range(width):
        sheet += _part(0x3C, struct.pack("<IIIIH", place, place, 2048, 0, place == column))
    sheet += _part(0x91)
    for row, values in enumerate(rows):
        looks = struct.pack("<HBBB", 300, 0, 0x10 * (row in hidden), 0)
        sheet += _part(0x00, struct.pack("<II", row, 0) + looks + struct.pack("<III", 1, 0, width - 1))
        for column, value in enumerate(values):
            place = struct.pack("<II", column, 0)
            if isinstance(value, CellError) and value.of_formula:
                formula = struct.pack("<HIBBI", 0, 2, 0x1C, value.code, 0)
                sheet += _part(0x0B, place + struct.pack("<B", value.code) + formula)
            elif isinstance(value, CellError):
                sheet += _part(0x03, place + struct.pack("<B", value.code))
            elif isinstance(value, str):
                sheet += _part(0x06, place + _wide(value))
            elif value is not None:
                sheet += _part(0x05, place + struct.pack("<d", value))
    relations = '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.bin"/></Relationships>'
    return zipped(
        {
            "xl/workbook.bin": book,
            "xl/_rels/workbook.bin.rels": relations,
            "xl/worksheets/sheet1.bin": sheet + _part(0x92) + _part(0xA1, bytes(16)) * filters + _part(0x82),
        }
    )


def _part(kind: int, content: bytes = b"") -> bytes:
    number = bytes([kind]) if kind < 0x80 else bytes([kind & 0xFF, 0x01])
    size = len(content)
    length = bytes([size]) if size < 0x80 else bytes([size & 0x7F | 0x80, size >> 7])
    return number + length + content


def _wide(text: str) -> bytes:
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")
