"""Workbooks, surveys, exports of REDCap, old encodings and cells that mean something else."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

from clcd_gui.document.doubts import doubts_of
from engine.readers import ReadingOptions, read_table
from tests.benchmarks.misread import wrong_seeds
from tests.engine.readers.misread_files import (
    Maker,
    far_cells,
    filtered_rows,
    marks_in_sheets,
    old_encodings,
    partly_named_codes,
    repeating_instruments,
    sheets_of_cases,
    texts_with_row_names,
    wrong_of,
)
from tests.engine.readers.misread_values import codes_beside_usual, gaps_elsewhere, limits, na_as_value
from tests.engine.readers.written_tables import messages_of
from tests.examples import first_of


@pytest.mark.parametrize(
    ("maker", "few"),
    [
        (filtered_rows, 6),
        (far_cells, 4),
        (partly_named_codes, 4),
        (repeating_instruments, 5),
        (old_encodings, 8),
        (marks_in_sheets, 4),
        (sheets_of_cases, 4),
        (texts_with_row_names, 6),
        (na_as_value, 8),
        (limits, 8),
        (codes_beside_usual, 6),
        (gaps_elsewhere, 6),
    ],
)
def test_misread_files_are_read_in_fifty_forms(maker: Maker, few: int, tmp_path: Path) -> None:
    seeds = first_of(range(50), few)
    wrong = wrong_of(maker, tmp_path, seeds)
    assert len(wrong) <= 0.04 * len(seeds), wrong


def test_a_remark_beside_the_table_is_left_out_with_a_way_back(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["age", "sex", "ill"])
    for row in range(30):
        book.active.append([20 + row, "fm"[row % 2], row % 2])
    book.active["H9"] = "ask Anna"
    book.save(tmp_path / "ward.xlsx")
    reading = read_table(tmp_path / "ward.xlsx")
    assert reading.dataset.names == ("age", "sex", "ill")
    assert "cell H9" in messages_of(reading, "far-cells")[""]
    doubt = next(
        doubt for doubt in doubts_of(reading, ReadingOptions()) if doubt.title == "Cells far from the table"
    )
    (keep,) = doubt.changes
    kept = read_table(tmp_path / "ward.xlsx", options=ReadingOptions(**{keep.name: keep.value}))
    assert kept.dataset.names == ("age", "sex", "ill", "V4")


def test_a_variant_that_is_refused_is_counted_as_wrong(tmp_path: Path) -> None:
    def refuses(seed: int, folder: Path) -> bool:
        (folder / "table.csv").write_text("a,b\n" if seed else "a,b\n1,2\n3,5\n")
        return read_table(folder / "table.csv").dataset.row_count == 2

    assert wrong_seeds(refuses, range(1)) == []
    (refused,) = wrong_seeds(refuses, range(2))
    assert str(refused).startswith("1: ") and "holds no rows" in str(refused)
