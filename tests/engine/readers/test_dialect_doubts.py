"""Blanks with decimal commas are read; marks that may mean either are a doubt, as old encodings are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import openpyxl
import pytest

import engine
from engine.readers import read_table
from engine.table.variable import Kind
from tests.engine.readers.misread_tables import blanks_and_decimal_commas, marks_in_threes, score_of
from tests.engine.readers.written_tables import read_text, values_of
from tests.examples import fifty


def test_blanks_with_decimal_commas_are_read_in_fifty_tables(tmp_path: Path) -> None:
    score = score_of(blanks_and_decimal_commas, tmp_path, fifty())
    assert score.right >= 0.96 * len(fifty()), score.wrong
    assert score.asked_about <= 0.24 * len(fifty())


def test_marks_that_may_stand_between_thousands_are_a_doubt_in_fifty_tables(tmp_path: Path) -> None:
    certain = []
    for seed in fifty():
        folder = tmp_path / str(seed)
        folder.mkdir()
        case = marks_in_threes(np.random.default_rng(seed), folder)
        guess = read_table(case.path).guess("decimal")
        if guess is None or guess.certain:
            certain.append(f"{seed}: {case.what}")
    assert not certain


@pytest.mark.parametrize("file", ["thousands.tsv", "tab_comma_three_digits.tsv"])
def test_shared_tables_with_three_digits_are_a_doubt(file: str, shared_data: Path) -> None:
    guess = read_table(shared_data / "door" / file).guess("decimal")
    assert guess is not None
    assert not guess.certain


def test_the_shared_table_of_blanks_and_commas_is_read(shared_data: Path) -> None:
    reading = read_table(shared_data / "door" / "space_decimal_comma.txt")
    assert values_of(reading, "a") == [0.25, 1.75, 3.25, 4.75, 6.25, 7.75]
    assert values_of(reading, "c")[:2] == [-0.5, -1.25]
    assert values_of(reading, "g")[:2] == ["x", "y"]


@pytest.mark.parametrize(
    ("header", "row", "names"),
    [
        ('site pH flow "kind"', 'S{n} {n},8 29{n} "Brook B"', ("site", "pH", "flow", "kind")),
        ("temp kind", "1{n},5 lake", ("temp", "kind")),
        ("pH flow kind", "S{n} {n},8 29{n} 'Brook B'", ("row names", "pH", "flow", "kind")),
    ],
)
def test_one_column_with_decimal_commas_between_blanks_is_read(
    header: str, row: str, names: tuple[str, ...], tmp_path: Path
) -> None:
    rows = "".join(f"{row.format(n=number % 10)}\n" for number in range(40))
    reading = read_text(tmp_path, f"{header}\n{rows}")
    assert reading.dataset.names == names
    assert reading.dataset.variable(names[-3 if len(names) > 2 else 0]).kind is Kind.CONTINUOUS


def test_commas_or_blanks_without_a_header_are_a_doubt(tmp_path: Path) -> None:
    reading = read_text(
        tmp_path, "".join(f'S{row} {row % 10},8 29{row % 7} "Brook B"\n' for row in range(40))
    )
    guess = reading.guess("delimiter")
    assert guess is not None and not guess.certain


@pytest.mark.parametrize("title", ["Blood pressure of mice", "Table"])
def test_commas_separate_below_a_title_where_blanks_do_not(title: str, tmp_path: Path) -> None:
    rows = "".join(f"12{row % 10} mm,8{row % 10} mm\n" for row in range(40))
    assert len(read_text(tmp_path, f"{title}\n{rows}").dataset.names) == 2


@pytest.mark.parametrize("others", ["", ";0,5"])
@pytest.mark.parametrize("has_whole_numbers", [True, False])
def test_commas_in_threes_between_semicolons_are_a_doubt(
    others: str, has_whole_numbers: bool, tmp_path: Path
) -> None:
    cells = [
        f"{row},{row * 37 % 1000:03d}" if row % 3 or not has_whole_numbers else f"{row}7"
        for row in range(1, 60)
    ]
    rows = "".join(f"{cell};{row % 2}{others}\n" for row, cell in enumerate(cells))
    reading = read_text(tmp_path, f"sales;ill{';dose' if others else ''}\n{rows}")
    guess = reading.guess("decimal")
    assert guess is not None and guess.value == "comma"
    # Fractions of the same file settle the mark, but not beside whole numbers.
    assert guess.certain is (bool(others) and not has_whole_numbers)


def test_commas_still_separate_where_blanks_stand_between_thousands(tmp_path: Path) -> None:
    rows = "".join(f"{row} 250,1 {row:03d},{row % 2}\n" for row in range(1, 30))
    reading = read_text(tmp_path, f"a,b,c\n{rows}")
    assert reading.dataset.names == ("a", "b", "c")


def test_texts_of_a_workbook_with_three_digits_are_a_doubt(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in [["cells", "ill"], *([f"{row}.234", row % 2] for row in range(1, 30))]:
        book.active.append(row)
    book.save(tmp_path / "book.xlsx")
    guess = read_table(tmp_path / "book.xlsx").guess("decimal")
    assert guess is not None
    assert not guess.certain


TOWNS = {
    "euc_jp": ("東京", "大阪", "名古屋", "ひろしま"),
    "shift_jis": ("東京", "大阪", "名古屋", "ひろしま"),
    "koi8-r": ("Москва", "Казань", "Омск", "Тула"),
    "cp866": ("Москва", "Казань", "Омск", "Тула"),
    "cp1251": ("Москва", "Казань", "Омск", "Тула"),
    "cp1253": ("Αθήνα", "Πάτρα", "Βόλος", "Λάρισα"),
    "cp1255": ("ירושלים", "חיפה", "אשדוד", "נתניה"),
    "cp1256": ("القاهرة", "دمشق", "بغداد", "عمان"),
}


@pytest.mark.parametrize("encoding", [*TOWNS, "cp1250", "cp1257", "cp1254", "cp874", "koi8-u"])
def test_old_encodings_are_read_or_in_doubt(encoding: str, tmp_path: Path) -> None:
    towns = TOWNS.get(encoding, ("Łódź", "Šiauliai", "Muğla", "กรุงเทพ", "Київ"))
    usable = [town for town in towns if town.encode(encoding, "ignore").decode(encoding) == town]
    rows = "".join(f"{20 + row},{usable[row % len(usable)]},{row % 2}\n" for row in range(60))
    text = f"age,town,ill\n{rows}".encode(encoding)
    reading = read_text(tmp_path, text)
    guess = reading.guess("encoding")
    assert guess is not None
    assert not guess.certain
    if encoding in TOWNS:
        assert set(reading.dataset.variable("town").levels) == set(usable)
    told = read_text(tmp_path, text, encoding=encoding)
    assert set(told.dataset.variable("town").levels) == set(usable)


def test_tabs_come_before_the_blanks_and_semicolons_within_cells(tmp_path: Path) -> None:
    rows = "".join(f"OTU{row}\t{row / 7:.2f}\t{row / 9:.2f}\tk__A; p__B\n" for row in range(1, 30))
    reading = read_text(tmp_path, f"#OTU ID\tS1\tS2\ttaxonomy\n{rows}")
    assert reading.dataset.names == ("#OTU ID", "S1", "S2", "taxonomy")


def test_what_is_not_certain_is_told_in_python(tmp_path: Path) -> None:
    path = tmp_path / "cells.tsv"
    path.write_text("cells\till\n" + "".join(f"{row}.234\t{row % 2}\n" for row in range(1, 30)))
    guess = read_table(path).guess("decimal")
    assert guess is not None and not guess.certain
    assert any(guess.reason in note.message for note in engine.read_dataset(path).notes)


@pytest.mark.parametrize("row_name", ["", "{}", "mouse{}", "mouse {}"])
@pytest.mark.parametrize("mark", [".", ","])
def test_texts_between_blanks_are_cells_where_r_wrote_them(row_name: str, mark: str, tmp_path: Path) -> None:
    rows = [
        (f"{row % 7}{mark}25", ("B6", "DBA 2")[row % 2], ("ill", "well")[row % 3 > 0]) for row in range(24)
    ]
    lines = [
        (f'"{row_name.format(row)}" ' if row_name else "") + f'{dose} "{strain}" "{state}"'
        for row, (dose, strain, state) in enumerate(rows)
    ]
    path = tmp_path / "mice.txt"
    path.write_text("\n".join(['"dose" "strain" "state"', *lines]), encoding="utf-8")
    dataset = read_table(path).dataset
    assert dataset.names == (("row names",) if row_name else ()) + ("dose", "strain", "state")
    assert dataset.column("dose").tolist() == [row % 7 + 0.25 for row in range(24)]
    assert dataset.variable("strain").levels == ("B6", "DBA 2")


def test_sentences_of_equal_length_stay_one_column(tmp_path: Path) -> None:
    path = tmp_path / "notes.csv"
    notes = [f"{word} pain since {row} weeks" for row in range(12) for word in ("mild", "strong")]
    path.write_text("\n".join(["remark", *notes]), encoding="utf-8")
    assert read_table(path).dataset.names == ("remark",)
