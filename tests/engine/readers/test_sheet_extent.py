"""A stray cell far from the table does not fill the memory with empty ones."""

from __future__ import annotations

import struct
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import openpyxl
import pytest
from python_calamine import CalamineWorkbook

import engine
from engine.errors import UnreadableFile
from engine.readers import ReadingOptions
from engine.readers.sheet_cells import check_extent
from engine.readers.spreadsheets import _rows


def _workbook(member: str, content: bytes) -> ZipFile:
    target = BytesIO()
    with ZipFile(target, "w") as archive:
        archive.writestr(member, content)
    return ZipFile(target)


def _sheet(cell: str, row: int) -> bytes:
    first = '<row r="1"><c r="A1"><v>1</v></c></row>'
    return (
        f'<sheetData>{first}<row r="{row}" spans="1:3"><c r="{cell}"><v>1</v></c></row></sheetData>'.encode()
    )


@pytest.mark.parametrize(("cell", "row"), [("XFD1048576", 1_048_576), ("DDD1048576", 1_048_576)])
def test_a_far_cell_of_excel_is_named(cell: str, row: int) -> None:
    with pytest.raises(UnreadableFile, match="row 1,048,576 or column") as caught:
        check_extent(_workbook("xl/worksheets/sheet1.xml", _sheet(cell, row)), "file 'far.xlsx'")
    assert "Delete the rows" in caught.value.remedy


@pytest.mark.parametrize(("cell", "row"), [("C1048576", 1_048_576), ("XFD40", 40), ("AAA5000", 5000)])
def test_what_fits_into_memory_is_read(cell: str, row: int) -> None:
    check_extent(_workbook("xl/worksheets/sheet1.xml", _sheet(cell, row)), "file 'far.xlsx'")


def test_a_large_table_of_filled_cells_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.readers.sheet_cells._MOST_CELLS", 1000)
    filled = b"".join(b'<row r="%d"><c r="AA%d"><v>1</v></c></row>' % (row, row) for row in range(1, 900))
    with pytest.raises(UnreadableFile, match="row 899 or column 27"):
        check_extent(_workbook("xl/worksheets/sheet1.xml", filled), "file")
    check_extent(_workbook("xl/worksheets/sheet1.xml", filled.replace(b"<v>", b"<c /><c />")), "file")


def test_a_far_cell_of_a_binary_workbook_is_named() -> None:
    extent = b"\x94\x01\x10" + struct.pack("<4I", 0, 1_048_575, 0, 16_383)
    with pytest.raises(UnreadableFile, match="column 16,384"):
        check_extent(_workbook("xl/worksheets/sheet1.bin", b"\x81\x01\x00" + extent), "file 'far.xlsb'")


@pytest.mark.parametrize(
    ("between", "is_far"),
    [
        ('<table:table-row table:number-rows-repeated="1048000"/>', True),
        ('<table:table-row table:number-rows-repeated="12"/>', False),
    ],
)
def test_a_far_cell_of_libreoffice_is_named(between: str, is_far: bool) -> None:
    cell = '<table:table-cell office:value-type="float" office:value="1"/>'
    gap = '<table:table-cell table:number-columns-repeated="16000"/>'
    end = '<table:table-row table:number-rows-repeated="1048000"/>'
    content = _workbook(
        "content.xml",
        f"<table:table><table:table-row>{cell}</table:table-row>{between}<table:table-row>{gap}{cell}"
        f"</table:table-row>{end}</table:table>".encode(),
    )
    if not is_far:
        check_extent(content, "file")
        return
    with pytest.raises(UnreadableFile, match="column 16,026"):
        check_extent(content, "file")


def test_empty_rows_above_a_far_cell_are_not_kept(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in (["age", "dose", "ill"], *([20 + row, row % 7, row % 2] for row in range(30))):
        book.active.append(row)
    book.active["CZ20000"] = "x"
    book.save(tmp_path / "far.xlsx")
    sheet = CalamineWorkbook.from_path(tmp_path / "far.xlsx").get_sheet_by_index(0)
    rows, *_ = _rows(sheet, ReadingOptions())
    assert (len(rows), sum(map(len, rows))) == (20000, 32 * 104)
    dataset = engine.read_dataset(tmp_path / "far.xlsx")
    assert (dataset.names, dataset.row_count) == (("age", "dose", "ill"), 30)


@pytest.mark.parametrize(
    "name",
    [
        'r="Cfalse3"',
        'r="ZZZZ3"',
        'r="xfd3"',
        'r="A12345678"',
        "r='ABCDE3'",
        'r = "ABCDE3"',
        'r=\t"ABCDE3"',
        'r=""',
    ],
)
def test_a_name_that_no_cell_has_is_damage(name: str) -> None:
    """The library took ``Cfalse3`` for a column hundreds of millions away, which ended the program."""
    for written in (f'<c {name} t="n">', f'<x:c t="n"\n{name}>'):
        sheet = f'<sheetData><row r="1"><c r="A1"><v>1</v></c>{written}<v>1</v></c></row></sheetData>'
        with pytest.raises(UnreadableFile, match="damaged"):
            check_extent(_workbook("xl/worksheets/sheet1.xml", sheet.encode()), "file 'odd.xlsx'")


def test_a_text_that_looks_like_a_name_is_a_text() -> None:
    sheet = '<row r="1"><c r="A1" t="inlineStr"><is><t>with r="ABCDE3" and &lt;c r="x"</t></is></c></row>'
    check_extent(_workbook("xl/worksheets/sheet1.xml", sheet.encode()), "file 'text.xlsx'")


@pytest.mark.parametrize("name", ["r='XFD1048576'", 'r = "XFD1048576"', 'r=\n"XFD1048576"'])
def test_a_far_cell_is_named_however_its_name_is_quoted(name: str) -> None:
    sheet = f"<sheetData><row r='1048576'><c {name}><v>1</v></c></row></sheetData>"
    with pytest.raises(UnreadableFile, match="lies far"):
        check_extent(_workbook("xl/worksheets/sheet1.xml", sheet.encode()), "file 'far.xlsx'")


def test_a_workbook_with_a_far_cell_is_refused(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in (["age", "ill"], [31, 0], [64, 1]):
        book.active.append(row)
    book.active["XFD1048576"] = "x"
    book.save(tmp_path / "far.xlsx")
    with pytest.raises(UnreadableFile, match=r"far.xlsx'.*lies far from the table"):
        engine.read_dataset(tmp_path / "far.xlsx")


def test_the_far_cell_that_ended_the_program(shared_data: Path) -> None:
    with pytest.raises(UnreadableFile, match="lies far from the table"):
        engine.read_dataset(shared_data / "door" / "far_cell.xlsx")
