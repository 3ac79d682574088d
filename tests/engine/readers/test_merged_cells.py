"""Cells of a workbook that hold nothing of their own: merged ones, and errors of formulas."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest

from clcd_gui.document.doubts import doubts_of
from engine.readers import ReadingOptions, read_table
from engine.readers.remedies import remedies
from tests.engine.readers.written_tables import messages_of, topics_of, values_of
from tests.fuzzing.handmade import CellError, Rows, ods_around, ods_cell, ods_of, xls_of, xlsb_of


def _visits() -> openpyxl.Workbook:
    """Make a sheet of twelve patients with three visits each, below a title; the number is written once."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["Ward 3"])
    sheet.merge_cells("A1:E1")
    sheet.append([])
    sheet.append(["patient", "visit", "weight", "arm", "ill"])
    for row in range(36):
        is_first = row % 3 == 0
        patient, arm = (f"P{row // 3:02d}", ("new", "old")[row // 3 % 2]) if is_first else (None, None)
        sheet.append([patient, row % 3 + 1, 60.5 + row, arm, row * 7 % 2])
        if is_first:
            for letter in "AD":
                sheet.merge_cells(f"{letter}{row + 4}:{letter}{row + 6}")
    return book


def test_cells_merged_down_a_column_have_the_value_that_is_shown(tmp_path: Path) -> None:
    book = _visits()
    book.active["A41"] = "Source: the ward's book"
    book.active.merge_cells("A41:E41")
    book.save(path := tmp_path / "visits.xlsx")
    reading = read_table(path)
    assert values_of(reading, "patient") == [f"P{row // 3:02d}" for row in range(36)]
    assert values_of(reading, "arm") == [("new", "old")[row // 3 % 2] for row in range(36)]
    (message,) = messages_of(reading, "filled-cells").values()
    assert message.startswith("Filled: 48 empty cells") and "A4" in message
    doubt = next(doubt for doubt in doubts_of(reading, ReadingOptions()) if message in doubt.text)
    assert [(change.title, change.value) for change in doubt.changes] == [("Leave these cells empty", "keep")]
    notes = [note for note in reading.issues if note.topic == "filled-cells"]
    assert remedies(notes) == [("other_rows", "keep")]
    as_written = read_table(path, options=ReadingOptions(other_rows="keep"))
    assert values_of(as_written, "patient")[:4] == ["P00", None, None, "P01"]
    assert "filled-cells" not in topics_of(as_written)


def test_a_heading_merged_across_a_row_fills_no_cells(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["name", "dose", "weight"])
    for row in range(20):
        sheet.append([f"n{row}", row, 50 + row])
    sheet["A8"], sheet["B8"], sheet["C8"] = "Women", None, None
    sheet.merge_cells("A8:C8")
    sheet["B4"], sheet["C4"] = 7, None
    sheet.merge_cells("B4:C4")
    book.save(path := tmp_path / "table.xlsx")
    reading = read_table(path)
    assert (values_of(reading, "dose")[2], values_of(reading, "weight")[2]) == (7, 7)
    assert messages_of(reading, "filled-cells")[""].startswith("Filled: 1 empty cell ")
    assert values_of(reading, "weight").count(None) == 1


def test_of_merged_cells_only_those_below_the_names_are_told(tmp_path: Path) -> None:
    for is_below in (False, True):
        book = openpyxl.Workbook()
        sheet = book.active
        sheet.append(["Ward 3"])
        sheet.append([])
        sheet.append(["case", "day 1", None, "day 30", None])
        sheet.append([None, "pain", "crp", "pain", "crp"])
        for row in range(20):
            sheet.append([f"n{row}", row, 50 + row, 30 - row, row / 2])
        for cells in ("A1:E1", "A3:A4", "B3:C3", "D3:E3", *(["B9:C10"] if is_below else [])):
            sheet.merge_cells(cells)
        book.save(path := tmp_path / f"visits{is_below}.xlsx")
        told = messages_of(read_table(path, options=ReadingOptions(other_rows="keep")), "merged-cells")
        assert bool(told) is is_below
        assert "merged-cells" not in topics_of(read_table(path))
    assert told[""].startswith("The sheet has 1 merged cell, the first at B9")


@pytest.mark.parametrize("errors", [["#N/A"], ["#DIV/0!", "#REF!", "#DIV/0!"]])
def test_errors_of_formulas_are_missing_and_told(errors: list[str], tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["age", "ratio", "ill"])
    for row in range(30):
        sheet.append([20 + row, row / 4, row % 2])
    for place, error in enumerate([*errors, "#NAME?"]):
        # The last one stands below the table.
        cell = sheet[f"B{5 + 2 * place}" if place < len(errors) else "B40"]
        cell.value, cell.data_type = error, "e"
    book.save(path := tmp_path / "table.xlsx")
    reading = read_table(path)
    assert values_of(reading, "ratio").count(None) == len(errors)
    message = messages_of(reading, "formula-errors")["ratio"]
    count = "1 cell" if len(errors) == 1 else "3 cells"
    assert message.startswith(f"{count} of column 'ratio' hold") and all(error in message for error in errors)
    assert "#NAME?" not in message


@pytest.mark.parametrize(("extension", "write"), [(".xls", xls_of), (".xlsb", xlsb_of), (".ods", ods_of)])
@pytest.mark.parametrize("of_formula", [False, True])
def test_errors_are_told_in_workbooks_of_every_kind(
    extension: str, write: Callable[[Rows], bytes], of_formula: bool, tmp_path: Path
) -> None:
    errors = {3: CellError("#N/A", 0x2A, of_formula), 11: CellError("#DIV/0!", 0x07, of_formula)}
    rows = [[20.0 + row, errors.get(row, row / 4), f"W{row % 4}"] for row in range(30)]
    (path := tmp_path / f"table{extension}").write_bytes(write([["age", "ratio", "ward"], *rows]))
    reading = read_table(path)
    assert [row for row, value in enumerate(values_of(reading, "ratio")) if value is None] == [3, 11]
    told = messages_of(reading, "formula-errors")["ratio"]
    assert told == "2 cells of column 'ratio' hold an error (#DIV/0! and #N/A). They are read as missing."
    path.write_bytes(write([["age", "ratio", "ward"], *rows[:3], *rows[12:]]))
    assert "formula-errors" not in topics_of(read_table(path))


@pytest.mark.parametrize("kind", ['"string" office:string-value=""', '"string"', '"float" office:value="0"'])
def test_errors_in_ods_are_told_though_no_attribute_says_so(kind: str, tmp_path: Path) -> None:
    shown = {3: "#DIV/0!", 11: "Err:502"}
    cells = {
        row: f'<table:table-cell table:formula="of:=[.A1]/0" office:value-type={kind}>'
        f"<text:p>{text}</text:p></table:table-cell>"
        for row, text in shown.items()
    }
    lines = [
        ods_cell("age") + ods_cell("ratio"),
        *(ods_cell(20.0 + row) + cells.get(row, ods_cell(row / 4 + 1)) for row in range(30)),
    ]
    rows = "".join(f"<table:table-row>{line}</table:table-row>" for line in lines)
    (path := tmp_path / "table.ods").write_bytes(ods_around(rows))
    reading = read_table(path)
    assert [row for row, value in enumerate(values_of(reading, "ratio")) if value is None] == [3, 11]
    told = messages_of(reading, "formula-errors")["ratio"]
    assert told == "2 cells of column 'ratio' hold an error (#DIV/0! and Err:502). They are read as missing."
