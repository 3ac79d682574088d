"""What text tables leave unsaid: separator, header, titles, missing codes, types, row lengths."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import engine
from engine.errors import InvalidData, InvalidParameter, UnreadableFile
from engine.readers import read_table
from tests.engine.readers.written_tables import messages_of, read_text, topics_of, values_of

_ROWS = "1,x,2.5\n2,y,3.5\n3,z,4.5\n4,x,1.5\n"


@pytest.mark.parametrize(
    ("separator", "name"),
    [(",", "comma"), (";", "semicolon"), ("\t", "tab"), ("|", "bar"), (" ", "space"), ("   ", "space")],
)
def test_separators(tmp_path: Path, separator: str, name: str) -> None:
    reading = read_text(tmp_path, ("a,b,c\n" + _ROWS).replace(",", separator))
    guess = reading.guess("delimiter")
    assert guess is not None and guess.value == name and guess.certain
    assert values_of(reading, "c") == [2.5, 3.5, 4.5, 1.5]
    assert reading.format == "delimited"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("d;v\n1,5;2,5\n2,5;3,5\n3,5;4,5\n", "semicolon"),
        ("name;note\nAnn;likes, as I said, tea\nBob;nothing\nCarl;no, thanks\n", "semicolon"),
        ("a,b\nx:1;y:2,3\nx:2,4\nz:1;w,5\n", "comma"),
        ("when,v\n2020-01-01 10:00,3\n2020-01-02 11:00,4\n2020-01-03 12:00,6\n", "comma"),
        ("sep=;\na;b\n1;2\n3;4\n5;6\n", "semicolon"),
        ("name\nanna smith\nbob jones\ncarl may\n", "none"),
        ("comment\nI like it, really\nno\nwell, yes, ok\n", "none"),
        ('a,b\n"x;y;z",1\n"u;v;w",2\n"r;s;t",3\n', "comma"),
    ],
)
def test_separator_is_told_from_punctuation(tmp_path: Path, text: str, name: str) -> None:
    guess = read_text(tmp_path, text).guess("delimiter")
    assert guess is not None and guess.value == name


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a,b\n1,2\n3,4\n5,6\n", ("a", "b")),
        ("1,2\n3,4\n5,6\n", ("V1", "V2")),
        ("0,1\n1,0\n0,0\n1,1\n", ("V1", "V2")),
        ("name,colour\nanna,red\nbob,blue\ncarl,red\n", ("name", "colour")),
        ("anna,red\nbob,blue\ncarl,red\n", ("V1", "V2")),
        ("0,1,2,3\n1.0,2.0,0.5,1.0\n0.0,1.0,1.5,2.0\n", ("0", "1", "2", "3")),
        ("Country,1990,1991,1992\nA,1,2,3\nB,4,5,6\nC,7,8,9\n", ("Country", "1990", "1991", "1992")),
        ("id,2001,2002\n1,5,6\n2,6,7\n3,4,5\n", ("id", "2001", "2002")),
        ("#id,age\n1,3\n2,4\n3,6\n", ("#id", "age")),
        ("r,?,1\nx,2,3\ny,4,5\nr,5,6\n", ("V1", "V2", "V3")),
        ('"","x"\n"1",1.5\n"2",3\n"3",4.5\n', ("V1", "x")),
        ('"","a","b"\n"1","5","b"\n"2","7","c"\n"3","9","b"\n', ("V1", "a", "b")),
        (",x\n1,1.5\n2,x\n3,4.5\n", ("V1", "V2")),
        (",NA\n1,1.5\n2,3\n3,4.5\n", ("V1", "V2")),
    ],
)
def test_header_or_none(tmp_path: Path, text: str, names: tuple[str, ...]) -> None:
    assert read_text(tmp_path, text).dataset.names == names


@pytest.mark.parametrize(
    "text", ['"","x"\n"1",1.5\n"2",3\n"3",4.5\n', '"","a","b"\n"u","5","b"\n"v","7","c"\n']
)
def test_the_header_of_r_is_certain(tmp_path: Path, text: str) -> None:
    (header,) = [guess for guess in read_text(tmp_path, text).guesses if guess.name == "header"]
    assert header.value == "yes" and header.certain


@pytest.mark.parametrize("first", ["<5 mg", "<5", "<none>", "<low dose", "<NA>", "<", "<=3 = few"])
def test_a_heading_may_begin_as_markup_does(tmp_path: Path, first: str) -> None:
    text = f"{first},age,ill\n" + "".join(f"{row % 3},{row},{row % 2}\n" for row in range(12))
    assert read_text(tmp_path, text).dataset.names == (first, "age", "ill")
    (tmp_path / "outcomes.csv").write_text(f"{first}\n" + "0\n1\n" * 6, encoding="utf-8")
    (tmp_path / "rest.csv").write_text("age\n" + "\n".join(map(str, range(12))) + "\n", encoding="utf-8")
    dataset = engine.read_dataset(tmp_path / "rest.csv", labels=tmp_path / "outcomes.csv")
    assert dataset.labels == (first,)


def test_header_can_be_overruled(tmp_path: Path) -> None:
    text = "a,b\nc,d\ne,f\n"
    assert read_text(tmp_path, text, header=False).dataset.row_count == 3
    assert read_text(tmp_path, text, header=True).dataset.names == ("a", "b")
    assert read_text(tmp_path, text, header=True).guess("header") is None


def test_titles_and_remarks_are_skipped(tmp_path: Path) -> None:
    reading = read_text(tmp_path, 'A study of things\n"Made in 2020, in May"\n\na,b,c\n' + _ROWS)
    assert reading.dataset.names == ("a", "b", "c")
    guess = reading.guess("skip_lines")
    assert guess is not None and guess.value == "3" and guess.certain
    assert "'A study of things' and 'Made in 2020, in May'" in messages_of(reading, "titles")[""]
    assert read_text(tmp_path, "x,y,z\na,b,c\n" + _ROWS, skip_lines=1).dataset.names == ("a", "b", "c")


@pytest.mark.parametrize(
    "above", ["one\ntwo\nthree\n", "2019\n", ",,first half\n", "ward 7,,second\n"], ids=lambda text: text[:5]
)
def test_what_may_be_more_than_a_title_is_asked_about(tmp_path: Path, above: str) -> None:
    guess = read_text(tmp_path, f"{above}a,b,c\n{_ROWS}").guess("skip_lines")
    assert guess is None or not guess.certain


def test_titles_can_be_kept_from_being_skipped(tmp_path: Path) -> None:
    with pytest.raises(InvalidData, match=r"line 1: the row has 1 cell, expected 3"):
        read_text(tmp_path, "x\ny\na,b,c\n" + _ROWS, skip_lines=0)


def test_a_first_row_with_a_single_number_is_no_title(tmp_path: Path) -> None:
    rows = "7,,,\n1,2,3,4\n2,3,4,6\n3,4,5,7\n"
    assert values_of(read_text(tmp_path, rows), "V1") == [7.0, 1.0, 2.0, 3.0]


@pytest.mark.parametrize("digits", ["²", "１", "1" * 5000, "٣"])
def test_digits_of_any_kind(tmp_path: Path, digits: str) -> None:
    reading = read_text(tmp_path, f"{digits},2,3,4\nx,1,2,3\ny,2,3,4\nz,4,5,6\n")
    assert reading.dataset.row_count in (3, 4)
    reading = read_text(tmp_path, f"a,b\nx,{digits}\ny,{digits}2\nz,7\n")
    assert reading.dataset.row_count == 3


def test_header_of_several_rows(tmp_path: Path) -> None:
    text = "time,dose,weight\ns,mg,kg\n1,2,3\n4,5,6\n7,8,9\n1,2,3\n4,5,6\n7,8,9\n"
    assert read_text(tmp_path, text).dataset.names == ("time s", "dose mg", "weight kg")


def test_a_row_of_units_is_told_and_labels_may_be_named_without(tmp_path: Path) -> None:
    rows = "".join(f"W{row % 3};{row / 7:.2f};{row % 9};{row % 2}\n" for row in range(30))
    path = tmp_path / "table.csv"
    path.write_text(f"ward;lactate;stay;fall\n-;mmol/l;days;0/1\n{rows}")
    reading = read_table(path, labels=["fall"])
    assert reading.dataset.labels == ("fall 0/1",)
    assert "as in 'lactate mmol/l'" in messages_of(reading, "units")[""]
    assert read_table(path, labels=["fall 0/1"]).dataset.labels == ("fall 0/1",)


def test_remarks_below_the_table(tmp_path: Path) -> None:
    reading = read_text(tmp_path, "a,b,c\n" + _ROWS + "\nSource: the ministry of health\n")
    assert reading.dataset.row_count == 4
    assert topics_of(reading) == ["footer"]
    assert "line 7" in reading.issues[0].message


def test_remarks_below_a_table_that_a_spreadsheet_wrote(tmp_path: Path) -> None:
    """Every row is filled up with separators; a sheet itself has empty cells there."""
    from openpyxl import Workbook

    rows = [["name", "a", "b"], *([f"p{row}", row + 0.5, row * row] for row in range(30))]
    below = [["", "", ""], ["Source: the ministry of health"], ["* preliminary"], [""]]
    text = "".join(",".join(map(str, [*row, "", ""][:3])) + "\n" for row in [*rows, *below])
    book = Workbook()
    for row in [*rows, *below]:
        book.active.append([None if cell == "" else cell for cell in row])
    book.save(tmp_path / "table.xlsx")
    for reading, place in (
        (read_text(tmp_path, text), "line 33"),
        (read_table(tmp_path / "table.xlsx"), "row 33"),
    ):
        assert reading.dataset.row_count == 30 and len(reading.dataset.variable("name").levels) == 30
        assert [place in note.message for note in reading.issues if note.topic == "footer"] == [True]
    # Without an empty row above, a name alone may be a row of which nothing else is known.
    assert read_text(tmp_path, text.replace(",,\nSource", "Source")).dataset.row_count == 30
    named = text.replace(",,\nSource: the ministry of health,,\n* preliminary,,\n,,", "p30,,")
    assert read_text(tmp_path, named).dataset.row_count == 31
    assert read_text(tmp_path, text.replace("* preliminary", "7")).dataset.row_count == 32


@pytest.mark.parametrize("separator", [",", ";", "|"])
@pytest.mark.parametrize(
    "remark",
    ["Quelle: Klinik{0} Stand 3.2.2024", "Fonte: registro, ; 2021,", "* values, if any{0} were checked"],
)
@pytest.mark.parametrize("padding", [0, 2])
def test_remarks_with_separators_in_them(tmp_path: Path, separator: str, remark: str, padding: int) -> None:
    rows = [f"W{row % 3}{separator}{row}{separator}{row * row}{separator}{row % 2}" for row in range(30)]
    header = separator.join(["ward", "beds", "days", "fall"])
    text = "\n".join([header, *rows, remark.format(separator) + separator * padding, ""])
    reading = read_text(tmp_path, text)
    assert reading.dataset.row_count == 30
    assert topics_of(reading) == ["footer"]


def test_a_last_row_that_is_cut_off_is_no_remark(tmp_path: Path) -> None:
    rows = "".join(f"ward {row % 3},{row},{row * row},{row % 2}\n" for row in range(30))
    for cut in ("ward 2,5", "new ward 4,7,49", "ward 1,3,"):
        with pytest.raises(InvalidData, match="may be cut off"):
            read_text(tmp_path, f"ward,beds,days,fall\n{rows}{cut}")


def test_names_that_repeat_or_are_absent(tmp_path: Path) -> None:
    reading = read_text(tmp_path, "a,,a,b\n1,2,3,4\n4,5,6,5\n7,8,9,6\n")
    assert reading.dataset.names == ("a", "V2", "a (2)", "b")
    assert topics_of(reading) == ["unnamed-column", "duplicate-name"]


def test_many_columns_of_one_name_are_told_together(tmp_path: Path) -> None:
    reading = read_text(tmp_path, f"ill,{','.join(['gene'] * 9)}\n" + "1,2,3,4,5,6,7,8,9,10\n" * 3)
    (message,) = messages_of(reading, "duplicate-name").values()
    assert message.startswith("8 columns have the name of an earlier one; they are called 'gene (2)'")


@pytest.mark.parametrize("header", ["a,b,c", "a,b,c,", "a,b,c,,"])
@pytest.mark.parametrize("end", ["", ",", ",,"])
def test_trailing_separators(tmp_path: Path, header: str, end: str) -> None:
    text = header + "\n" + "".join(f"{row}{end}\n" for row in _ROWS.splitlines())
    reading = read_text(tmp_path, text)
    assert reading.dataset.names == ("a", "b", "c")
    assert values_of(reading, "a") == [1.0, 2.0, 3.0, 4.0]
    assert values_of(reading, "c") == [2.5, 3.5, 4.5, 1.5]


def test_an_empty_cell_more_in_one_row_is_no_column(tmp_path: Path) -> None:
    rows = "31,f\n64,m\n" * 20
    assert read_text(tmp_path, f"age,sex\n{rows}18,f,\n").dataset.names == ("age", "sex")


def test_row_names_as_r_writes_them(tmp_path: Path) -> None:
    reading = read_text(tmp_path, '"a" "b" "c"\n"1" 1 2 "x y"\n"2" 4 5 "z"\n"3" 7 8 "w"\n')
    assert reading.dataset.names == ("row names", "a", "b", "c")
    assert values_of(reading, "c") == ["x y", "z", "w"]
    assert "row-names" in topics_of(reading)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("blank", ["", "  ", '""'])
def test_a_blank_line_in_a_single_column_is_a_missing_value(tmp_path: Path, blank: str, end: str) -> None:
    lines = ["", "size", "1.5", blank, "2.5", blank, blank, "3.5", "", ""]
    reading = read_text(tmp_path, end.join(lines))
    assert values_of(reading, "size") == [1.5, None, 2.5, None, None, 3.5]
    if blank != '""':
        assert "read as 3 rows without a value" in messages_of(reading, "blank-lines")[""]
    words = read_text(tmp_path, end.join(["word", "low", blank, "high", "low"]))
    assert values_of(words, "word") == ["low", None, "high", "low"]


def test_blank_lines_between_all_rows_are_no_rows(tmp_path: Path) -> None:
    reading = read_text(tmp_path, "size\n" + "\n\n".join(f"{row}.5" for row in range(20)))
    assert values_of(reading, "size") == [row + 0.5 for row in range(20)]
    several = read_text(tmp_path, "a,b,c\n1,x,2.5\n\n2,y,3.5\n3,z,4.5\n4,x,1.5\n")
    assert several.dataset.row_count == 4
    for reading_with_blanks in (reading, several):
        assert "left out" in messages_of(reading_with_blanks, "blank-lines")[""]


def test_rows_without_any_value_at_the_end(tmp_path: Path) -> None:
    reading = read_text(tmp_path, "a,b,c\n" + _ROWS + ",,\n,,\n")
    assert reading.dataset.row_count == 4
    assert topics_of(reading) == ["rows-dropped"]


def test_rows_of_separators_between_others_are_left_out_and_told(tmp_path: Path) -> None:
    """One that says NA, or holds nothing but quotation marks, is a row as it stands."""
    text = "a,b,c\n1,2,3\n,,\n4,,6\nNA,NA,NA\n,,\n7,8,9\n"
    reading = read_text(tmp_path, text)
    assert values_of(reading, "a") == [1.0, 4.0, None, 7.0]
    told = "Left out: 2 rows of separators without any value; the first is on line 3."
    assert messages_of(reading, "blank-lines") == {"": told}
    assert read_text(tmp_path, text, other_rows="keep").dataset.row_count == 6


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("1,2,3\n4,5\n7,8,9\n", "line 3: the row has 2 cells, expected 3"),
        ("1,2,3\n4,5,6,7\n7,8,9\n", "line 3: the row has 4 cells, expected 3"),
        ('"x\ny",2,3\n4,5,6\n7,8\n', "line 5: the row has 2 cells, expected 3"),
        ("1,2,3\n\n\n4,5,6\n7,8,9\n4\n", "line 7: the row has 1 cell, expected 3"),
        ('1,5" pipe,3\n4,5\n7,8,9\n', "line 3: the row has 2 cells, expected 3"),
        ('1,"a"b,3\n4,5\n7,8,9\n', "line 3: the row has 2 cells, expected 3"),
    ],
)
def test_ragged_rows_are_named_as_an_editor_counts(tmp_path: Path, body: str, message: str) -> None:
    with pytest.raises(InvalidData) as caught:
        read_text(tmp_path, "a,b,c\n" + body)
    assert message in str(caught.value)
    assert "set 'ragged' to 'drop'" in caught.value.remedy


def test_ragged_rows_may_be_left_out(tmp_path: Path) -> None:
    reading = read_text(tmp_path, "a,b,c\n1,2,3\n4,5\n7,8,9,9\n5,6,7\n2,2,2\n", ragged="drop")
    assert values_of(reading, "a") == [1.0, 5.0, 2.0]
    assert topics_of(reading) == ["rows-dropped"]
    assert "2 rows" in reading.issues[0].message and "line 3" in reading.issues[0].message


@pytest.mark.parametrize("mark", ["", '"'])
def test_a_very_long_cell_is_called_so(mark: str, tmp_path: Path) -> None:
    """Whatever another library has set."""
    csv.field_size_limit(10**9)
    cell = f"{mark}{'x' * 140_000}{mark}"
    with pytest.raises(UnreadableFile, match="a cell is longer than 131,072 characters") as raised:
        read_text(tmp_path, f"a,b\ny,2\n{cell},1\nz,3\n")
    assert "line 3" in raised.value.place


def test_unclosed_quote_is_named_by_its_line(tmp_path: Path) -> None:
    for rows in (3, 3000):
        text = "a,b,c\n1,2,3\n" + '1,"x,3\n' + "4,y,6\n" * rows
        with pytest.raises(UnreadableFile, match=r"line 3: a quotation mark that opens here"):
            read_text(tmp_path, text)
    reading = read_text(tmp_path, text, quote="none")
    assert values_of(reading, "b")[1] == '"x'


def test_quotes_inside_cells_are_ordinary(tmp_path: Path) -> None:
    reading = read_text(tmp_path, 'a,b,c\n1,5" pipe,3\n4,it\'s,6\n7,"say ""hi"", she said",9\n')
    assert values_of(reading, "b") == ['5" pipe', "it's", 'say "hi", she said']


def test_single_quotes(tmp_path: Path) -> None:
    reading = read_text(tmp_path, "a,b\n'x, y',1\n'z',2\n'w',3\n")
    assert values_of(reading, "a") == ["x, y", "z", "w"]
    assert reading.guess("quote") is not None
    assert values_of(read_text(tmp_path, "a,b\n'tis,1\nit's,2\nw,3\n"), "a") == ["'tis", "it's", "w"]


def test_line_ends_of_every_system(tmp_path: Path) -> None:
    for end in ("\n", "\r\n", "\r"):
        reading = read_text(tmp_path, ("a,b,c\n" + _ROWS).replace("\n", end))
        assert values_of(reading, "b") == ["x", "y", "z", "x"]
    assert read_text(tmp_path, "a,b,c\n" + _ROWS + "\x1a").dataset.row_count == 4


def test_thousands_and_decimal_commas(tmp_path: Path) -> None:
    reading = read_text(tmp_path, 'a,b\n"1,234",x\n"2,345",y\n"12",z\n"3,456.5",z\n')
    assert values_of(reading, "a") == [1234.0, 2345.0, 12.0, 3456.5]
    assert topics_of(reading) == ["thousands"]
    reading = read_text(tmp_path, "a;b\n1.234,5;x\n2.345,6;y\n12,3;z\n")
    assert values_of(reading, "a") == [1234.5, 2345.6, 12.3]
    reading = read_text(tmp_path, 'a,b\n"1,5",x\n"2,25",y\n"3,1",z\n')
    assert values_of(reading, "a") == [1.5, 2.25, 3.1]
    reading = read_text(tmp_path, "a;b\n0,123;x\n1,234;y\n2,345;z\n")
    assert values_of(reading, "a") == [0.123, 1.234, 2.345]
    reading = read_text(tmp_path, "a;b\n0,123;x\n1,234;y\n2,345;z\n", decimal=".")
    assert reading.guess("decimal") is None
    assert values_of(reading, "a") == ["0,123", "1,234", "2,345"]


def test_customary_missing_codes(tmp_path: Path) -> None:
    codes = ["", " ", "NA", "N/A", "NaN", "?", "#N/A", "NULL", '"NA"']
    text = "v,w,n\n" + "".join(f"{code},{code},{row}\n" for row, code in enumerate(codes))
    reading = read_text(tmp_path, text + "1,x,1\n2,y,2\n3.5,x,3\n")
    assert values_of(reading, "v") == [None] * len(codes) + [1.0, 2.0, 3.5]
    assert values_of(reading, "w") == [None] * len(codes) + ["x", "y", "x"]
    guess = reading.guess("missing_codes")
    assert guess is not None and set(guess.value.split(", ")) == {"NA", "N/A", "NaN", "?", "#N/A", "NULL"}


def test_words_are_missing_only_among_numbers(tmp_path: Path) -> None:
    reading = read_text(tmp_path, "v,w\n-,None\n2,Mild\n3,Severe\n4,None\n")
    assert values_of(reading, "v") == [None, 2.0, 3.0, 4.0]
    assert values_of(reading, "w") == ["None", "Mild", "Severe", "None"]
    assert values_of(read_text(tmp_path, "v,n\n-,1\n+,2\n-,3\n"), "v") == ["-", "+", "-"]


def test_missing_codes_can_be_given(tmp_path: Path) -> None:
    text = "v,w\n-1,NA\n2,x\n3,y\n,none\n4,x\n"
    reading = read_text(tmp_path, text, missing_codes=["-1", "none"])
    assert values_of(reading, "v") == [None, 2.0, 3.0, None, 4.0]
    assert values_of(reading, "w") == ["NA", "x", "y", None, "x"]
    assert reading.guess("missing_codes") is None
    reading = read_text(
        tmp_path, "v\n-200,5\n1,5\n2,5\n-200\n3,5\n".replace("\n", ";a\n"), missing_codes=["-200"]
    )
    assert values_of(reading, "v")[3] is None


def _column(values: list[float]) -> str:
    return "v,n\n" + "".join(f"{value:g},{place / 8}\n" for place, value in enumerate(values))


def test_negative_code_far_from_all_values_is_missing(tmp_path: Path) -> None:
    reading = read_text(tmp_path, _column([1, 2, 3, 4, 5, 2, -9, 3, -9, 1]))
    assert values_of(reading, "v").count(None) == 2
    assert "missing-code" in topics_of(reading)
    guess = reading.guess("missing_codes")
    assert guess is not None and guess.value == "-9" and not guess.certain
    without_codes = read_text(tmp_path, _column([1, 2, 3, 4, 5, 2, -9, 3, -9, 1]), missing_codes=[])
    assert values_of(without_codes, "v").count(-9.0) == 2


def test_ordinary_negative_values_are_kept(tmp_path: Path) -> None:
    for values in (
        [-12, -9, -5, 0, 3, 8, -9, 4.0],
        [-200, -150, -20, 30, -200, 4, 5, 6],
        [-9, 1, 2, 3, 4, 5, 6, 7],
    ):
        reading = read_text(tmp_path, _column(values))
        assert None not in values_of(reading, "v")
        assert "missing-code" not in topics_of(reading)


def test_positive_code_is_reported_and_kept(tmp_path: Path) -> None:
    reading = read_text(tmp_path, _column([*range(30), 999, 999]))
    assert values_of(reading, "v").count(999.0) == 2
    assert "suspected-missing" in topics_of(reading)


def test_code_below_zero_in_several_columns(tmp_path: Path) -> None:
    """Alone below zero, but not far off: two such columns make it plain."""
    rows = [(600 + 40 * row, 500 + 60 * row) for row in range(30)] + [(-200, -200)]
    text = "v,w\n" + "".join(f"{v},{w}\n" for v, w in rows)
    reading = read_text(tmp_path, text)
    assert values_of(reading, "v")[-1] is None and values_of(reading, "w")[-1] is None
    alone = read_text(tmp_path, "v,w\n" + "".join(f"{v},{abs(w)}\n" for v, w in rows))
    assert values_of(alone, "v")[-1] == -200.0


def test_several_codes_of_a_survey_are_told(tmp_path: Path) -> None:
    """None of them stands at the end of its column alone, or far from the next."""
    ages = [*range(18, 80), 888, 888, 999, 999]
    answers = [1, 2, 3, 4, 5] * 12 + [-99, -99, -98, -98, 3, 4]
    incomes = [*range(1000, 9000, 125), -99, -99]
    text = "a,q,i\n" + "".join(f"{a},{q},{i}\n" for a, q, i in zip(ages, answers, incomes, strict=True))
    reading = read_text(tmp_path, text)
    guess = reading.guess("missing_codes")
    assert guess is not None and guess.value == "-99, -98" and not guess.certain
    assert values_of(reading, "q").count(None) == 4
    assert values_of(reading, "i").count(None) == 2
    suspected = [note.examples for note in reading.issues if note.topic == "suspected-missing"]
    assert suspected == [("888", "999")]
    alone = read_text(tmp_path, "i,n\n" + "".join(f"{income},{income / 8}\n" for income in incomes))
    assert values_of(alone, "i").count(-99.0) == 2
    assert "no other value is below zero" in messages_of(alone, "suspected-missing")["i"]


def test_codes_made_of_digits_stay_text(tmp_path: Path) -> None:
    reading = read_text(
        tmp_path, "zip,id,n\n01234,12345678901234567890,1\n10115,12345678901234567891,2\n80331,3,3\n"
    )
    assert values_of(reading, "zip") == ["01234", "10115", "80331"]
    assert values_of(reading, "id")[:2] == ["12345678901234567890", "12345678901234567891"]
    assert topics_of(reading) == ["digit-codes", "digit-codes"]


@pytest.mark.parametrize(
    ("line", "options"),
    [
        ("{code},{row},x{row}", {}),
        ('"a, b",{row},"{code}"', {}),
        ("{code} {row} 1.5", {}),
        ("{code};{row};{row:05}/x", {}),
        ("{code}, {row}\n,2,3,,,", {"ragged": "drop"}),
    ],
    ids=["plain", "quoted", "blanks", "semicolons", "uneven"],
)
def test_codes_of_digits_are_known_by_any_row(tmp_path: Path, line: str, options: dict[str, object]) -> None:
    """The first leading zero stands behind the rows that are looked at first."""
    codes = [*(str(10115 + row) for row in range(1500)), "01067", "NA", "01069"]
    text = "\n".join(line.format(code=code, row=row) for row, code in enumerate(codes))
    reading = read_text(tmp_path, text, header=False, **options)
    place = 2 if line.startswith('"') else 0
    name = reading.dataset.names[place]
    written = [value for value in values_of(reading, name) if value is not None]
    assert written == [code for code in codes if code != "NA"]
    assert messages_of(reading, "digit-codes").keys() == {name}


@pytest.mark.parametrize("late", [False, True])
def test_codes_that_are_one_number_stay_apart(tmp_path: Path, late: bool) -> None:
    numbers = [str(row) for row in range(1, 900)]
    codes = [*numbers, "1000", "001000"] if late else ["1000", "001000", *numbers]
    reading = read_text(tmp_path, "id,n\n" + "".join(f"{code},{row}\n" for row, code in enumerate(codes)))
    assert values_of(reading, "id") == codes and list(messages_of(reading, "digit-codes")) == ["id"]


def test_numbers_with_leading_zeros_that_stay_numbers(tmp_path: Path) -> None:
    """Of several lengths, and no two of one value, or with fractions."""
    rows = "".join(f"{row:02},{row / 4:06.2f},{row}\n" for row in range(1, 130))
    reading = read_text(tmp_path, f"a,b,c\n{rows}")
    assert values_of(reading, "a") == list(range(1, 130))
    assert values_of(reading, "b") == [row / 4 for row in range(1, 130)]
    assert topics_of(reading) == []


def test_the_first_identifiers_beyond_exact_numbers_stay_apart(tmp_path: Path) -> None:
    rows = "9007199254740993,-9007199254740993,1\n9007199254740992,-7,2\n5,8,9\n"
    reading = read_text(tmp_path, f"id,low,n\n{rows}")
    assert values_of(reading, "id") == ["9007199254740993", "9007199254740992", "5"]
    assert values_of(reading, "low") == ["-9007199254740993", "-7", "8"]
    assert topics_of(reading) == ["digit-codes", "digit-codes"]


def test_truth_values_keep_their_spelling(tmp_path: Path) -> None:
    reading = read_text(tmp_path, "v,w,n\nTRUE,True,1\nFALSE,False,2\n,,3\nTRUE,False,4\n")
    assert values_of(reading, "v") == ["TRUE", "FALSE", None, "TRUE"]
    assert values_of(reading, "w") == ["True", "False", None, "False"]


def test_numeric_labels_of_two_values_are_nominal(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,ill\n1.5,0\n2.5,1\n3.5,1\n", encoding="utf-8")
    assert engine.read_dataset(path, labels=["ill"]).variable("ill").levels == ("0", "1")


def test_dates_and_times_are_pointed_out(tmp_path: Path) -> None:
    rows = "2020-01-02,3/4/2020,08:30,1.2\n2020-01-03,13/4/2020,09:30,3.4\n2020-01-04,1/5/2020,10:00,1.3\n"
    text = "d,e,t,v\n" + rows
    reading = read_text(tmp_path, text)
    assert [note.variable for note in reading.issues if note.topic == "dates"] == ["d", "e", "t"]


@pytest.mark.parametrize(
    ("written", "are_dates"),
    [
        ("2023/03/{day} 2:10:34 PM GMT+1", True),
        ("2023-03-{day} 10:00:00 UTC", True),
        ("2023-03-{day} 10:00:00 +0200", True),
        ("{day}MAR2023", True),
        ("{day}mar2023:10:00:00", True),
        ("{day}rep2023", False),
    ],
)
def test_dates_of_other_programs_are_pointed_out(tmp_path: Path, written: str, are_dates: bool) -> None:
    """Google Forms, R, git and SAS."""
    cells = [written.format(day=day) for day in range(10, 28)]
    reading = read_text(tmp_path, "d,n\n" + "".join(f"{cell},{row}\n" for row, cell in enumerate(cells)))
    assert topics_of(reading) == ["dates"] * are_dates


def test_a_word_among_numbers_is_pointed_out(tmp_path: Path) -> None:
    text = "v,n\n" + "".join(f"{row},{row * 2}\n" for row in range(30)) + "heavy,3\n"
    reading = read_text(tmp_path, text)
    assert topics_of(reading) == ["text-among-numbers"]
    assert "1 cell ('heavy')" in reading.issues[0].message


def test_blanks_around_values(tmp_path: Path) -> None:
    reading = read_text(tmp_path, "v , n\n a, 1\nb , 2\na, 3\n")
    assert reading.dataset.names == ("v", "n")
    assert values_of(reading, "v") == ["a", "b", "a"]
    assert topics_of(reading) == ["blanks"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b,c\n", "names columns but holds no rows"),
        ("a,b\n,\n,\n", "no row holds a value"),
        (",,,\n,,,\n", "no cell of the first 2 rows holds a value"),
        ("a,b\nNA,?\n,\n", "no column holds a value"),
        ("v,n\n1,1\ninf,2\n2,2\n", "line 3, column 'v': the number is infinite"),
        ("v,n\n1,1\n2,2\n1e999,2\n", "line 4, column 'v': the number is infinite"),
    ],
)
def test_tables_that_hold_nothing_usable(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InvalidData) as caught:
        read_text(tmp_path, text)
    assert message in str(caught.value)
    assert caught.value.remedy


def test_skipping_everything(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameter, match="after 9 lines are skipped, nothing"):
        read_text(tmp_path, "a,b\n1,2\n", skip_lines=9)


def test_order_of_rows_and_columns_is_kept(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    values = rng.permutation(600).reshape(200, 3)
    text = "z,a,m\n" + "\n".join(",".join(map(str, row)) for row in values)
    dataset = read_text(tmp_path, text).dataset
    assert dataset.names == ("z", "a", "m")
    np.testing.assert_array_equal(np.column_stack(dataset.columns), values)
