"""Headers that look like data, and rows below them that are none: wavelengths, units, titles, types."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.readers import read_table
from engine.table.variable import Role
from tests.engine.readers.misread_tables import (
    Maker,
    marked_lines,
    merged_headings,
    orange_headers,
    rows_of_units,
    scale_headers,
    score_of,
    titles_and_offsets,
)
from tests.engine.readers.written_tables import messages_of, read_text
from tests.examples import fifty


@pytest.mark.parametrize("maker", [rows_of_units, titles_and_offsets, marked_lines, merged_headings])
def test_headers_of_fifty_tables_are_read(maker: Maker, tmp_path: Path) -> None:
    score = score_of(maker, tmp_path, fifty())
    assert score.right >= 0.96 * len(fifty()), score.wrong
    assert score.asked_about <= 0.24 * len(fifty())


def test_scales_name_the_columns_of_fifty_tables(tmp_path: Path) -> None:
    wrong = []
    for seed in fifty():
        folder = tmp_path / str(seed)
        folder.mkdir()
        case = scale_headers(np.random.default_rng(seed), folder)
        names = [name.removeprefix("nm ") for name in read_table(case.plain).dataset.names]
        reading = read_table(case.path)
        header = reading.guess("header")
        if list(reading.dataset.names) != names or header is None or not header.certain:
            wrong.append(f"{seed}: {case.what}")
    assert len(wrong) <= 0.04 * len(fifty()), wrong


def test_types_and_roles_of_orange_are_taken_in_fifty_tables(tmp_path: Path) -> None:
    wrong = []
    for seed in fifty():
        folder = tmp_path / str(seed)
        folder.mkdir()
        case = orange_headers(np.random.default_rng(seed), folder)
        dataset, plain = read_table(case.path).dataset, read_table(case.plain).dataset
        if (
            dataset.names != plain.names
            or dataset.row_count != plain.row_count
            or dataset.labels != plain.names[-2:]
        ):
            wrong.append(f"{seed}: {case.path}")
    assert len(wrong) <= 0.04 * len(fifty()), wrong


def test_meta_columns_of_orange_are_set_aside(tmp_path: Path) -> None:
    rows = "".join(f"P{row}\t{row / 7:.2f}\t{row % 4}\t{row % 2}\n" for row in range(40))
    reading = read_text(
        tmp_path, f"who\tdose\tgrade\till\nstring\tcontinuous\tdiscrete\tdiscrete\nmeta\t\t\tclass\n{rows}"
    )
    assert reading.dataset.labels == ("ill",)
    assert reading.dataset.variable("who").role is Role.IGNORED
    assert reading.dataset.variable("grade").levels == ("0", "1", "2", "3")
    assert "Set aside: who." in messages_of(reading, "orange-header")[""]


def test_types_in_front_of_names_are_taken_off(tmp_path: Path) -> None:
    rows = "".join(f"P{row}\t{row / 7:.2f}\t{row % 4}\t{row % 2}\n" for row in range(40))
    reading = read_text(tmp_path, f"mS#who\tC#dose\tD#grade\tcD#ill\n{rows}")
    assert reading.dataset.names == ("who", "dose", "grade", "ill")
    assert reading.dataset.labels == ("ill",)
    assert reading.dataset.variable("who").role is Role.IGNORED
    assert "in front of the names" in messages_of(reading, "orange-header")[""]


def test_notes_of_a_scale_are_no_types(tmp_path: Path) -> None:
    names = [f"{note}{octave}" for octave in (3, 4) for note in ("C#", "D#", "F#")]
    rows = "".join(",".join(str(row * place % 7) for place in range(6)) + "\n" for row in range(30))
    assert list(read_text(tmp_path, ",".join(names) + "\n" + rows).dataset.names) == names


def test_the_shared_spectra_have_a_header(shared_data: Path) -> None:
    dataset = read_table(shared_data / "door" / "spectra.csv").dataset
    assert dataset.row_count == 120
    assert dataset.names[0] == "1100.5"
    assert dataset.names[-1] == "mould"


def test_the_shared_sheet_with_a_title_has_a_header(shared_data: Path) -> None:
    dataset = read_table(shared_data / "door" / "title_and_offset.xlsx").dataset
    assert dataset.names == ("sex", "ill", "town")
    assert dataset.row_count == 30


def test_rows_that_all_go_up_are_data(tmp_path: Path) -> None:
    rows = "".join(",".join(str(start + 2 * place) for place in range(10)) + "\n" for start in range(30))
    reading = read_text(tmp_path, rows)
    assert reading.dataset.row_count == 30


@pytest.mark.parametrize(("row", "place"), [(8, 9), (1, 5), (39, 19)])
def test_a_remark_right_of_the_table_does_not_hide_its_header(row: int, place: int, tmp_path: Path) -> None:
    rows = [
        ["age", "sex", "ill"],
        *([str(20 + number), "fm"[number % 2], str(number % 2)] for number in range(60)),
    ]
    lines = [[*cells, *[""] * 17] for cells in rows]
    lines[row][place] = "ask Anna"
    reading = read_text(tmp_path, "".join(",".join(line) + "\n" for line in lines))
    assert reading.dataset.names[:3] == ("age", "sex", "ill")
    assert reading.dataset.row_count == 60


def test_headings_are_part_of_names_that_repeat_below_them(tmp_path: Path) -> None:
    rows = [["age", "Baseline", "", "Week 4", ""], ["", "pain", "crp", "pain", "crp"]]
    rows += [[str(20 + row), str(row % 7), str(row / 3), str(row % 5), "1.5"] for row in range(30)]
    path = tmp_path / "table.csv"
    path.write_text("".join(",".join(row) + "\n" for row in rows))
    reading = read_table(path)
    assert reading.dataset.names == ("age", "Baseline pain", "Baseline crp", "Week 4 pain", "Week 4 crp")
    assert any(
        "such as 'Baseline'. They are part of the names" in text
        for text in messages_of(reading, "headings").values()
    )


@pytest.mark.parametrize("repeats", [False, True])
def test_headings_below_titles_and_above_numbers_with_texts_are_no_names(
    repeats: bool, tmp_path: Path
) -> None:
    import openpyxl

    rng = np.random.default_rng(8)
    names = ["Nr", "Alter", "Raucher", "CRP", "Kaffee", "CRP" if repeats else "Schmerz"]
    sheet = (book := openpyxl.Workbook()).active
    for title in ("Erhebung 2023", "Stand: 12.03.2024", None):
        sheet.append([title])
    sheet.append(["Person", None, None, "Labor", None, "Ende"])
    sheet.merge_cells("A4:C4")
    sheet.merge_cells("D4:E4")
    sheet.append(names)
    for row in range(80):
        numbers = [int(rng.integers(20, 60)), int(rng.integers(9)), int(rng.integers(5))]
        age, crp, coffee = [
            (number, text)[row % 20 == 3] for number, text in zip(numbers, _TEXTS, strict=True)
        ]
        sheet.append(
            [f"P{row}", age, str(rng.choice(["ja", "nein"])), crp, coffee, "mild" if row % 3 else "no"]
        )
    book.save(tmp_path / "table.xlsx")
    reading = read_table(tmp_path / "table.xlsx")
    if repeats:
        names = [f"{heading} {name}" for heading, name in zip(_GROUPS, names, strict=True)]
    assert reading.dataset.names == tuple(names)
    assert reading.dataset.row_count == 80
    assert reading.guess("header").certain
    assert "such as 'Person'" in messages_of(reading, "headings")[""]
    assert "'Erhebung 2023' and 'Stand: 12.03.2024'" in messages_of(reading, "titles")[""]


_TEXTS = ("ca. 60", "<0.5", "k.A.")
_GROUPS = ("Person", "Person", "Person", "Labor", "Labor", "Ende")


def test_a_first_row_with_new_words_may_be_data_where_rows_often_have_some(tmp_path: Path) -> None:
    """Names are certain where the words of a first row would hardly ever be new in a row of data."""
    rng = np.random.default_rng(2)
    rows = [[f"{letter}{rng.integers(40)}" for letter in "abcd"] for _ in range(60)]
    reading = read_text(
        tmp_path, "".join(",".join(row) + "\n" for row in [["a41", "b41", "c41", "d41"], *rows])
    )
    assert not reading.guess("header").certain
    rows = [[f"{letter}{rng.integers(5)}" for letter in "abcd"] + [f"P{row}"] for row in range(60)]
    reading = read_text(tmp_path, "".join(",".join(row) + "\n" for row in [["k", "l", "m", "n", "o"], *rows]))
    assert reading.guess("header").certain


@pytest.mark.parametrize("has_numbers", [True, False])
def test_ticks_that_repeat_the_name_of_their_column_speak_for_names(
    has_numbers: bool, tmp_path: Path
) -> None:
    rng = np.random.default_rng(3)
    names = ["Burn", "Fall", "Cut"]
    rows = [[name * int(rng.random() < 0.6) for name in names] for _ in range(60)]
    if has_numbers:
        names, rows = ["age", *names], [[str(rng.integers(20, 80)), *row] for row in rows]
    rows = [row for row in rows if any(row)]
    reading = read_text(tmp_path, "\n".join(map(",".join, [names, *rows])))
    assert reading.dataset.names == tuple(names)
    assert reading.dataset.row_count == len(rows)
    assert reading.guess("header").certain


def test_a_column_that_does_not_vary_speaks_for_no_names(tmp_path: Path) -> None:
    rows = [f"Spain,{'fm'[row % 2]},{'yes' if row % 3 else 'no'}" for row in range(40)]
    assert read_text(tmp_path, "\n".join(rows)).dataset.row_count == 40
