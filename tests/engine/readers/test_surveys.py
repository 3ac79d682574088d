"""Tables of survey programs: what stands between the names and the answers."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from engine.readers import read_preview, read_table
from tests.engine.readers.written_tables import topics_of, values_of

KEYS = [
    '{"ImportId":"startDate","timeZone":"America/Denver"}',
    '{"ImportId":"QID1"}',
    '{"ImportId":"QID2_1"}',
]
ROWS = [
    ["StartDate", "Q1", "Q2_1"],
    ["Start Date", "How old are you?", "Rate, please\n- A"],
    KEYS,
    *([f"2023-01-{row + 10} 10:00:00", row + 20, row % 5 + 1] for row in range(18)),
]


def write_csv(path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(ROWS)


def write_xlsx(path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    for row in ROWS:
        book.active.append(row)
    book.save(path)


@pytest.mark.parametrize("name", ["answers.csv", "answers.xlsx"])
def test_questions_and_keys_of_qualtrics_are_no_answers(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    (write_csv if path.suffix == ".csv" else write_xlsx)(path)
    reading = read_table(path)
    assert reading.dataset.names == ("StartDate", "Q1", "Q2_1") and reading.dataset.row_count == 18
    assert values_of(reading, "Q1") == list(range(20, 38))
    assert topics_of(reading)[0] == "survey-rows" and "2 rows" in reading.issues[0].message
    preview = read_preview(path, rows=5)
    assert values_of(preview, "Q1") == [20, 21, 22, 23, 24] or preview.complete
    assert preview.beginning is not None and preview.beginning.data_rows[0] == 3


def test_keys_alone_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "answers.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([ROWS[0], *ROWS[2:]])
    reading = read_table(path)
    assert reading.dataset.row_count == 18 and "1 row" in reading.issues[0].message
