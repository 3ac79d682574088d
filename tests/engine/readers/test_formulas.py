"""Formulas that were never computed are told, and those that were are not."""

from __future__ import annotations

from pathlib import Path

from openpyxl import Workbook

from engine.readers import read_preview, read_table
from engine.readers.empty_cells import sheet_text
from tests.engine.readers.written_tables import topics_of
from tests.fuzzing.handmade import zipped


def write_book(path: Path, formula: str) -> Path:
    """Write a second sheet whose table begins in column B; openpyxl computes nothing."""
    book = Workbook()
    book.active.append(["nothing here"])
    sheet = book.create_sheet("Doses & days")
    sheet.append([None, "dose", "days", "sum", "remark"])
    for row in range(2, 20):
        sheet.append([None, row / 7, row, formula.format(row=row), None])
    book.save(path)
    return path


def test_formulas_without_values_are_told(tmp_path: Path) -> None:
    path = write_book(tmp_path / "a.xlsx", "=B{row}+C{row}")
    for reading in (read_table(path), read_preview(path, rows=5)):
        (note,) = (issue for issue in reading.issues if issue.topic == "formulas")
        assert note.variable == "sum" and "save it there" in note.message


def test_an_empty_column_is_no_formula(tmp_path: Path) -> None:
    reading = read_table(write_book(tmp_path / "a.xlsx", ""))
    assert "empty-column" in topics_of(reading) and "formulas" not in topics_of(reading)


def test_a_workbook_in_letters_that_nobody_knows_has_no_formulas() -> None:
    book = b'<?xml version="1.0" encoding="UTF-9"?><workbook><sheet name="One" r:id="a"/></workbook>'
    assert sheet_text(zipped({"xl/workbook.xml": book}), "One") == b""
