"""Columns that are numbers but for how some cells are written: marks, words, decimal and thousands marks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from clcd_gui.document.doubts import doubts_of
from engine.errors import InvalidData
from engine.readers import Guess, ReadingOptions, read_table
from engine.readers.remedies import remedies
from engine.recipe import Recipe
from engine.recipe.column_steps import ReadAs, Recode
from tests.engine.readers.written_tables import messages_of, read_text, topics_of, values_of


@pytest.mark.parametrize(
    ("written", "marks"),
    [
        ("~{n}.5", "signs such as '<'"),
        ("{n} %", "percent signs"),
        ("{n}%", "percent signs"),
        ("{n} 234", "blanks between thousands"),
        ("$1,{n:03}.50", "currency signs"),
        ("-€{n}.5", "currency signs"),
        ("{n} €", "currency signs"),
        ("({n}.5)", "brackets in place of a minus sign"),
        ("($1,{n:03}.50)", "brackets in place of a minus sign and currency signs"),
        ("{n}.2*", "asterisks"),
        ("{n},5", "decimal commas"),
        ("ca. {n}.5", "words such as 'about'"),
        ("etwa {n}", "words such as 'about'"),
        ("{n}-4{n}", "ranges such as '5-7'"),
        ("{n}.5 to 7{n}", "ranges such as '5-7'"),
        ("1{n}-", "minus signs behind them"),
        ("'{n}.5", "apostrophes in front"),
        ("{n}.5 ± 1.25", "spreads such as '± 2'"),
        ("{n} +/- 3", "spreads such as '± 2'"),
        ("{n}.5 (1.2-{n})", "numbers in brackets behind them"),
        ("\u2212{n} 234,50 %", "percent signs, blanks between thousands, "),
    ],
)
def test_marks_on_numbers_are_pointed_out(tmp_path: Path, written: str, marks: str) -> None:
    """A quarter of the cells is written in another way, which nothing was said about."""
    cells = [written.format(n=row + 1) if row % 4 == 0 else f"{row}.5" for row in range(40)]
    text = "v;w;n\n" + "".join(
        f"{cell};{word};{row}.25\n"
        for row, (cell, word) in enumerate(zip(cells, ["red", "blue"] * 20, strict=True))
    )
    reading = read_text(tmp_path, text)
    assert values_of(reading, "v") == cells
    messages = messages_of(reading, "marks-on-numbers")
    assert (
        list(messages) == ["v"]
        and f"10 cells ('{cells[0]}', '{cells[4]}', '{cells[8]}') have {marks}" in messages["v"]
    )


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("{n}\u00a0422,50", "{n}422.5"),
        ("{n}\u202f422\u202f100", "{n}422100"),
        ("{n}\u00a0422.50", "{n}422.5"),
        ("{n}'819", "{n}819"),
        ("{n}\u2019332,50", "{n}332.5"),
        ("\u2212{n},5", "-{n}.5"),
        ("\u2212{n}\u00a0422", "-{n}422"),
        ("${n}", "{n}"),
        ("{n},5 %", "{n}.5"),
        ("{n}\u202f422,5 €", "{n}422.5"),
    ],
)
def test_numbers_as_typesetters_and_offices_write_them_are_read(
    tmp_path: Path, written: str, number: str
) -> None:
    rows = "".join(f"{written.format(n=row)};{row},5\n" for row in range(1, 60))
    reading = read_text(tmp_path, f"v;w\n{rows}")
    assert values_of(reading, "v") == [float(number.format(n=row)) for row in range(1, 60)]


@pytest.mark.parametrize("written", ["+49 106 {n}", "030 {n:03}"])
def test_telephone_numbers_have_no_thousands(tmp_path: Path, written: str) -> None:
    rows = (f"{written.format(n=row + 234)},{row}\n" for row in range(40))
    assert "marks-on-numbers" not in topics_of(read_text(tmp_path, "v,n\n" + "".join(rows)))


def test_a_column_of_marked_numbers_alone_is_pointed_out(tmp_path: Path) -> None:
    reading = read_text(
        tmp_path, "v,n\n" + "".join(f"{row} %,{row}\n" for row in range(40)) + "none yet,40\n"
    )
    assert "40 cells" in messages_of(reading, "marks-on-numbers")["v"]
    assert "1 cell ('none yet')" in messages_of(reading, "text-among-numbers")["v"]


def test_words_among_a_majority_of_numbers_are_pointed_out(tmp_path: Path) -> None:
    cells = [str(row) if row % 3 else "heavy" for row in range(40)]
    reading = read_text(tmp_path, "v,n\n" + "".join(f"{cell},{row}\n" for row, cell in enumerate(cells)))
    assert "14 cells ('heavy')" in messages_of(reading, "text-among-numbers")["v"]
    words = ["a1", "b2", "7", "heavy", "light", "1a"] * 7
    reading = read_text(tmp_path, "v,n\n" + "".join(f"{cell},{row}\n" for row, cell in enumerate(words)))
    assert topics_of(reading) == []


@pytest.mark.parametrize("written", ["<{n}.5", "≥ {n}.5"])
def test_limits_among_numbers_are_pointed_out(tmp_path: Path, written: str) -> None:
    cells = [written.format(n=row + 1) if row % 4 == 0 else f"{row}.5" for row in range(40)]
    reading = read_text(tmp_path, "v,n\n" + "".join(f"{cell},{row}\n" for row, cell in enumerate(cells)))
    assert (
        f"10 cells ('{cells[0]}', '{cells[4]}', '{cells[8]}') give only a limit"
        in (messages_of(reading, "limits")["v"])
    )


@pytest.mark.parametrize("words", [("n.d.", "<LOQ"), ("ND", "<LOQ"), ("negativ", "Spur")])
def test_words_for_too_little_to_measure_are_limits(tmp_path: Path, words: tuple[str, str]) -> None:
    cells = [words[row // 4 % 2] if row % 4 == 0 else f"{row}.5" for row in range(40)]
    path = tmp_path / "v.csv"
    path.write_text("v,n\n" + "".join(f"{cell},{row}\n" for row, cell in enumerate(cells)))
    assert topics_of(read_table(path)) == ["limits"]
    values = read_table(path, options=ReadingOptions(limits=("v",))).dataset.column("v")
    assert values.tolist() == [0.75 if row % 4 == 0 else row + 0.5 for row in range(40)]


def test_codes_with_letters_beside_numbers_are_no_missing_values(tmp_path: Path) -> None:
    codes = [*range(200, 240), "207a", "229b", "N100"]
    text = "subject,age\n" + "".join(f"{code},{row}\n" for row, code in enumerate(codes))
    assert "text-among-numbers" not in topics_of(read_text(tmp_path, text))


@pytest.mark.parametrize("written", ["1{n}E", "{n}B7", "{n}/x"])
def test_codes_among_numbers_are_not_proposed_as_missing(tmp_path: Path, written: str) -> None:
    codes = [written.format(n=row % 2 + 1) if row % 4 == 0 else str(row) for row in range(40)]
    reading = read_text(tmp_path, "v,n\n" + "".join(f"{code},{row}\n" for row, code in enumerate(codes)))
    assert remedies(reading.issues) == [] and topics_of(reading) == ["text-among-numbers"]
    assert not any(doubt.changes for doubt in doubts_of(reading, ReadingOptions()))


@pytest.mark.parametrize("unit", ["mmol/l", "cm", "Jahre", "mg/kg", "ng/mL", "歳"])
def test_a_unit_in_the_cells_is_pointed_out(tmp_path: Path, unit: str) -> None:
    cells = [f"{row * 1.5:.1f} {unit}" for row in range(40)]
    reading = read_text(tmp_path, "v;n\n" + "".join(f"{cell};{row}\n" for row, cell in enumerate(cells)))
    assert f"have the unit '{unit}'" in messages_of(reading, "marks-on-numbers")["v"]


@pytest.mark.parametrize(
    ("written", "unit", "values"),
    [
        ("CHF {n}", "CHF", "whole"),
        ("CHF 1'{n}.-", "CHF", "thousands"),
        ("EUR {n},50", "EUR", "half"),
        ("EUR{n}.50", "EUR", "half"),
        ("Rs. 1,{n}", "Rs", "thousands"),
        ("R$ 1.{n},50", "BRL", "thousands and half"),
        ("kr {n}", "kr", "whole"),
        ("₹{n}", "INR", "whole"),
        ("zł {n},50", "zł", "half"),
        ("1.{n} TL", "TL", "thousands"),
    ],
)
def test_a_currency_in_front_is_a_unit(tmp_path: Path, written: str, unit: str, values: str) -> None:
    numbers = [100 + row * 37 % 811 for row in range(60)]
    text = "v;n\n" + "".join(f"{written.format(n=n)};{row}\n" for row, n in enumerate(numbers))
    reading = read_text(tmp_path, text)
    assert f"have the unit '{unit}'" in messages_of(reading, "marks-on-numbers")["v"]
    assert remedies(reading.issues)
    read = read_table(reading.path, options=ReadingOptions(numbers=("v",)))
    added = 1000 * ("thousands" in values) + 0.5 * ("half" in values)
    assert read.dataset.column("v").tolist() == [n + added for n in numbers]


@pytest.mark.parametrize("written", ["rs{n}", "Ward {n}", "TL{n}", "EURO{n}", "kr{n}a"])
def test_codes_that_begin_like_a_currency_are_no_money(tmp_path: Path, written: str) -> None:
    rows = (f"{written.format(n=100 + row)},{row}\n" for row in range(60))
    assert "marks-on-numbers" not in topics_of(read_text(tmp_path, "v,n\n" + "".join(rows)))


def test_limits_beside_fractions_with_the_other_mark_can_be_read(tmp_path: Path) -> None:
    cells = ["<0,5" if row % 9 == 0 else f"{row},{row % 10}" for row in range(40)]
    text = "v\tother\n" + "".join(f"{cell}\t{row / 8}\n" for row, cell in enumerate(cells))
    reading = read_text(tmp_path, text, decimal="point")
    assert topics_of(reading) == ["limits"]
    read = read_table(reading.path, options=ReadingOptions(decimal="point", limits=("v",)))
    expected = [0.25 if row % 9 == 0 else row + row % 10 / 10 for row in range(40)]
    assert read.dataset.column("v").tolist() == expected


@pytest.mark.parametrize("bare", [0, 3])
@pytest.mark.parametrize(("usual", "other_unit"), [(" kg", " lb"), (" mg/dl", " mmol/l"), ("cm", " inches")])
def test_units_that_differ_are_told_with_their_cells_and_not_offered(
    tmp_path: Path, usual: str, other_unit: str, bare: int
) -> None:
    cells = [f"{50 + row % 37}{'' if row % 10 < bare else usual}" for row in range(190)]
    cells += [f"{150 + row}{other_unit}" for row in range(10)]
    text = "v;n\n" + "".join(f"{cell};{row}\n" for row, cell in enumerate(cells))
    (note,) = [issue for issue in read_text(tmp_path, text).issues if issue.variable == "v"]
    units = f"'{usual.strip()}' ({190 - 19 * bare} cells) and '{other_unit.strip()}' (10 cells)"
    assert f"holds numbers with the units {units}, so" in note.message
    assert remedies([note]) == []


def test_words_that_differ_behind_numbers_are_no_units(tmp_path: Path) -> None:
    words = ["Oak", "Elm", "Main", "Park", "Hill"]
    rows = (f"{row} {words[row % 5]},{row}\n" for row in range(60))
    assert topics_of(read_text(tmp_path, "v,n\n" + "".join(rows))) == []


@pytest.mark.parametrize("cells", [["10 mg", "20 mg", "40 mg"], [f"{row} Main St" for row in range(9)]])
def test_doses_and_addresses_have_no_unit(tmp_path: Path, cells: list[str]) -> None:
    rows = (f"{cells[row % len(cells)]},{row}\n" for row in range(45))
    assert topics_of(read_text(tmp_path, "v,n\n" + "".join(rows))) == []


@pytest.mark.parametrize("written", ["{n} or 4{n}", "{n} times or so", "maybe {n}"])
def test_phrases_with_numbers_are_no_codes(tmp_path: Path, written: str) -> None:
    cells = [written.format(n=row + 1) if row % 9 == 0 else f"{row}" for row in range(90)]
    reading = read_text(tmp_path, "v,n\n" + "".join(f"{cell},{row}\n" for row, cell in enumerate(cells)))
    assert "10 cells" in messages_of(reading, "text-among-numbers")["v"]


@pytest.mark.parametrize(
    ("written", "says"),
    [("{a}/10", "out of 10"), ("{a}{b}/{b}5", "hold two numbers"), ("1{a}/{b}0", "hold two numbers")],
)
def test_two_numbers_in_a_cell_are_pointed_out(tmp_path: Path, written: str, says: str) -> None:
    cells = [written.format(a=row % 9 + 1, b=row % 7 + 1) for row in range(90)]
    reading = read_text(tmp_path, "v,n\n" + "".join(f"{cell},{row}\n" for row, cell in enumerate(cells)))
    assert says in messages_of(reading, "marks-on-numbers")["v"]


@pytest.mark.parametrize(
    "written", ["{a}-{b}{b}", "0/{c}", "{d}/{e}", "20{d}/{e}", "{a}0-{a}9", "{a}{b}-{b}{a}-1"]
)
def test_bands_alleles_and_dates_are_no_numbers(tmp_path: Path, written: str) -> None:
    cells = [
        written.format(a=row % 6 + 1, b=row % 7 + 1, c=row % 4, d=row % 28 + 1, e=row % 12 + 1)
        for row in range(90)
    ]
    reading = read_text(tmp_path, "v,n\n" + "".join(f"{cell},{row}\n" for row, cell in enumerate(cells)))
    assert "marks-on-numbers" not in topics_of(reading) and "text-among-numbers" not in topics_of(reading)


def test_minus_signs_behind_and_lakhs_are_read(tmp_path: Path) -> None:
    cells = [f"{row}.25" + "-" * (row % 2) for row in range(40)]
    lakhs = [f"{row + 1},23,4{row + 10}" for row in range(40)]
    rows = (f"{cell};{lakh};{row}\n" for row, (cell, lakh) in enumerate(zip(cells, lakhs, strict=True)))
    reading = read_text(tmp_path, "saldo;income;n\n" + "".join(rows))
    assert values_of(reading, "saldo") == [-(row + 0.25) if row % 2 else row + 0.25 for row in range(40)]
    assert values_of(reading, "income") == [(row + 1) * 100_000 + 23_410 + row for row in range(40)]
    assert {"minus-behind", "thousands"} <= set(topics_of(reading))
    grades = read_text(
        tmp_path, "grade;n\n" + "".join(f"{row % 4 + 1}{'-' * (row % 2)};{row}\n" for row in range(40))
    )
    assert grades.dataset.variable("grade").levels


def test_a_single_marked_cell_is_told_in_the_singular(tmp_path: Path) -> None:
    cells = ["~0.5", *(f"{row}.5" for row in range(40))]
    reading = read_text(tmp_path, "v,n\n" + "".join(f"{cell},{row}\n" for row, cell in enumerate(cells)))
    assert "1 cell ('~0.5') has signs" in messages_of(reading, "marks-on-numbers")["v"]


def test_what_spss_and_excel_write_for_no_number_is_missing(tmp_path: Path) -> None:
    cells = ["#NULL!" if row % 4 == 0 else f"{row}.5" for row in range(40)]
    reading = read_text(tmp_path, "v,n\n" + "".join(f"{cell},{row}\n" for row, cell in enumerate(cells)))
    assert values_of(reading, "v") == [None if row % 4 == 0 else row + 0.5 for row in range(40)]
    assert reading.guess("missing_codes").value == "#NULL!"  # type: ignore[union-attr]


def test_fractions_behind_thousands_tell_the_decimal_mark(tmp_path: Path) -> None:
    rows = range(1, 30)
    reading = read_text(tmp_path, "v;n\n" + "".join(f"{row}.234,50;{row}\n" for row in rows))
    assert values_of(reading, "v") == [1000 * row + 234.5 for row in rows]
    assert reading.guess("decimal") == Guess(
        "decimal", "comma", "29 of 29 fractions examined are written like 1,5."
    )
    reading = read_text(tmp_path, "v;n\n" + "".join(f"{row},234.50;{row}\n" for row in rows))
    assert values_of(reading, "v") == [1000 * row + 234.5 for row in rows]
    assert reading.guess("decimal").value == "point"  # type: ignore[union-attr]


def test_points_that_may_stand_between_thousands_are_in_doubt(tmp_path: Path) -> None:
    rows = range(1, 30)
    for separator, fraction, certain in ((";", "109", False), (";", "1", True), (",", "109", True)):
        text = f"v{separator}n\n" + "".join(f"{row}.{fraction}{separator}{row}\n" for row in rows)
        guess = read_text(tmp_path, text).guess("decimal")
        assert guess is not None and (guess.value, guess.certain) == ("point", certain)
    assert read_text(tmp_path, "v;n\n0.109;1\n1.109;2\n2.109;3\n").guess("decimal").certain  # type: ignore[union-attr]


def test_numbers_of_a_sheet_stay_numbers_beside_texts_with_decimal_commas(tmp_path: Path) -> None:
    """Cells that hold numbers have no mark; those with gaps, or a comment among them, had a point here."""
    from openpyxl import Workbook

    book = Workbook()
    book.active.append(["typed", "gaps", "both", "thousandths", "remarks"])
    for row in range(40):
        number = row + 0.5
        book.active.append(
            [
                f"{row},25",
                number if row % 4 else None,
                number if row % 4 else f"{row},5",
                row + 1.125 if row % 4 else " ",
                number if row % 4 else "lost",
            ]
        )
    book.save(tmp_path / "mixed.xlsx")
    reading = read_table(tmp_path / "mixed.xlsx")
    table = reading.dataset.frame
    gaps = [None if row % 4 == 0 else row for row in range(40)]
    assert table["typed"].tolist() == [row + 0.25 for row in range(40)]
    assert table["both"].tolist() == [row + 0.5 for row in range(40)]
    for name, part in (("gaps", 0.5), ("thousandths", 1.125)):
        assert [None if value != value else value for value in table[name].tolist()] == [
            None if row is None else row + part for row in gaps
        ]
    assert [note.topic for note in reading.issues if note.variable == "remarks"] == ["text-among-numbers"]


def test_one_card_tells_all_odd_cells_of_a_column(tmp_path: Path) -> None:
    hours = ["38", "40", "40 or so", "ca. 40", "35"]
    rows = "".join(f"{hours[row % 5]},{'lost' if row % 9 == 0 else row}\n" for row in range(100))
    reading = read_text(tmp_path, f"hours,dose\n{rows}")
    doubts = doubts_of(reading, ReadingOptions())
    (about,) = (doubt for doubt in doubts if "“hours”" in doubt.text)
    assert about.title == "Text among numbers: 2 columns"
    assert "20 cells (“40 or so”)" in about.text and "20 cells (“ca. 40”)" in about.text
    assert about.text.count("correct these cells in the file") == 1
    assert [change.title for change in about.changes] == ["Read lost as missing in “dose”"]


@pytest.mark.parametrize("form", ["1:{}", "1 : {}", "1/{}0"])
def test_dilutions_are_told_of_and_times_are_not(form: str, tmp_path: Path) -> None:
    rows = [f"{form.format(10 * 2 ** (row % 7))},1:{row % 60:02d},{row}\n" for row in range(80)]
    reading = read_text(tmp_path, "titer,time,n\n" + "".join(rows))
    messages = messages_of(reading, "marks-on-numbers")
    assert form.format(10) in messages["titer"] and "time" not in messages


def test_a_heading_above_remarks_is_one(tmp_path: Path) -> None:
    rows = "".join(f"District {row},{1000 + row * 37},{row}.5\n" for row in range(30))
    reading = read_text(
        tmp_path, f"district,births,rate\n{rows}Notes:\nFigures are provisional\nSource: the office\n"
    )
    assert reading.dataset.row_count == 30


@pytest.mark.parametrize(
    ("written", "numbers"),
    [
        (["7 h", "ca. 6", "8", "7.5 h", "6 h", "9 h"], [7, 6, 8, 7.5, 6, 9]),
        (["12 €", "1 200 €", "ca. 40 €", "3 €", "7 €", "80"], [12, 1200, 40, 3, 7, 80]),
        (["19.9 ± 2.0", "21.5", "~20", "18.2*", "(3.5)", "20"], [19.9, 21.5, 20, 18.2, -3.5, 20]),
    ],
)
def test_numbers_are_read_without_their_marks_where_a_person_says_so(
    tmp_path: Path, written: list[str], numbers: list[float]
) -> None:
    cells = [f"{text};{place};{place % 2}" for place, text in enumerate(written * 5)]
    text = "\n".join(["sleep;n;ill", *cells]) + "\n"
    (note,) = [issue for issue in read_text(tmp_path, text).issues if issue.variable == "sleep"]
    assert note.message.endswith("It can be read as numbers without these marks.")
    assert remedies([note]) == [("numbers", "sleep")]
    read = read_table(tmp_path / "table.csv", options=ReadingOptions(numbers=("sleep",)))
    assert read.dataset.column("sleep").tolist() == numbers * 5
    (told,) = [issue.message for issue in read.issues if issue.variable == "sleep"]
    assert told.startswith("Column 'sleep' is read as numbers: ")


@pytest.mark.parametrize(
    ("other_cell", "says"),
    [("5-7", "'5-7'"), ("<5", "'<5'"), ("12 min", "different units"), ("much", "'much'")],
)
def test_what_is_no_single_number_of_one_unit_has_to_be_corrected(
    tmp_path: Path, other_cell: str, says: str
) -> None:
    cells = [
        f"{text};{place}" for place, text in enumerate(["7 h", "6 h", "8 h", "7.5 h"] * 12 + [other_cell])
    ]
    notes = read_text(tmp_path, "\n".join(["sleep;n", *cells]) + "\n").issues
    assert ("numbers", "sleep") not in remedies([note for note in notes if note.variable == "sleep"])
    with pytest.raises(InvalidData, match=re.escape(says)):
        read_table(tmp_path / "table.csv", options=ReadingOptions(numbers=("sleep",)))


def test_number_words_among_numbers_are_named_and_recoded(tmp_path: Path) -> None:
    ages = [str(18 + row) for row in range(60)]
    ages[5], ages[9], ages[30] = "Fifteen", "sixteen years", "Fifteen"
    reading = read_text(tmp_path, "age,ill\n" + "".join(f"{age},{age != '20'}\n" for age in ages))
    message = messages_of(reading, "text-among-numbers")["age"]
    assert "3 cells ('Fifteen', 'sixteen years')" in message and "recode these categories" in message
    steps = [Recode("age", {"Fifteen": "15", "sixteen years": "16"}), ReadAs(("age",), "numbers")]
    in_years = Recipe(steps).apply(reading.dataset).column("age")
    assert [in_years[5], in_years[9], in_years[30], in_years[59]] == [15, 16, 15, 77]
    # What can only mean missing is no number.
    ages[5], ages[9], ages[30] = "unknown", "unknown", "unknown"
    reading = read_text(tmp_path, "age,ill\n" + "".join(f"{age},{age != '20'}\n" for age in ages))
    assert "recode" not in messages_of(reading, "text-among-numbers").get("age", "")
