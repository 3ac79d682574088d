"""Workbooks, SPSS, Stata, SAS, Parquet, Feather, LIBSVM, JSON, R: written by others, read by us."""

from __future__ import annotations

import datetime
import gzip
import json
import random
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pandas
import pytest

from engine.errors import EngineError, InvalidData, InvalidParameter, UnreadableFile
from engine.readers import Reading, read_preview, read_table
from engine.readers.options import ReadingOptions
from engine.readers.sheet_cells import column_letters
from engine.readers.spreadsheets import cell_range
from engine.table.variable import Kind

MESSY = Path(__file__).resolve().parents[4] / "shared" / "data" / "messy"
needs_messy = pytest.mark.skipif(
    not MESSY.exists(), reason="the folder of messy files is not beside the checkout"
)

ROWS = 30
NUMBERS = [round(0.37 * number - 3, 2) for number in range(ROWS)]
WORDS = [("low", "high", "middle")[number % 3] for number in range(ROWS)]
GAPS = [None if number % 5 == 0 else float(number % 7 + 10 * number) for number in range(ROWS)]


def frame() -> pandas.DataFrame:
    return pandas.DataFrame({"weight": NUMBERS, "Größe": WORDS, "dose (mg)": GAPS})


def write_xlsx(path: Path) -> None:
    frame().to_excel(path, index=False)


def write_sav(path: Path) -> None:
    import pyreadstat

    pyreadstat.write_sav(frame().rename(columns={"dose (mg)": "dose"}), path)


def write_por(path: Path) -> None:
    import pyreadstat

    pyreadstat.write_por(frame().rename(columns={"dose (mg)": "dose", "Größe": "size"}), path)


def write_dta(path: Path) -> None:
    import pyreadstat

    pyreadstat.write_dta(frame().rename(columns={"dose (mg)": "dose"}), path)


def write_xpt(path: Path) -> None:
    import pyreadstat

    pyreadstat.write_xport(frame().rename(columns={"dose (mg)": "dose", "Größe": "size"}), path)


def write_parquet(path: Path) -> None:
    frame().to_parquet(path)


def write_feather(path: Path) -> None:
    frame().to_feather(path)


def write_json(path: Path) -> None:
    path.write_text(frame().to_json(orient="records", force_ascii=False), encoding="utf-8")


def write_lines(path: Path) -> None:
    path.write_text(frame().to_json(orient="records", lines=True, force_ascii=False), encoding="utf-8")


def write_columns(path: Path) -> None:
    path.write_text(json.dumps({"weight": NUMBERS, "Größe": WORDS, "dose (mg)": GAPS}), encoding="utf-8")


def write_rds(path: Path) -> None:
    import rdata

    rdata.write_rds(path, frame().astype({"Größe": object}))


WRITERS: dict[str, Callable[[Path], None]] = {
    "table.xlsx": write_xlsx,
    "table.sav": write_sav,
    "table.zsav": write_sav,
    "table.por": write_por,
    "table.dta": write_dta,
    "table.xpt": write_xpt,
    "table.parquet": write_parquet,
    "table.feather": write_feather,
    "table.json": write_json,
    "table.jsonl": write_lines,
    "columns.json": write_columns,
    "table.rds": write_rds,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    written_folder = tmp_path_factory.mktemp("formats")
    for name, write in WRITERS.items():
        write(written_folder / name)
    return written_folder


def check_content(reading: Reading, rows: int = ROWS) -> None:
    weight, size, dose = reading.dataset.columns
    variables = reading.dataset.variables
    assert weight.tolist() == pytest.approx(NUMBERS[:rows])
    assert [variables[1].levels[code] for code in size] == WORDS[:rows]
    assert [None if np.isnan(dose_read) else dose_read for dose_read in dose] == GAPS[:rows]


@pytest.mark.parametrize("name", WRITERS)
def test_what_the_library_of_a_format_wrote_is_read_as_it_was(folder: Path, name: str) -> None:
    reading = read_table(folder / name)
    check_content(reading)
    assert reading.complete
    preview = read_preview(folder / name, rows=7)
    check_content(preview, 7)
    assert not preview.complete


@pytest.mark.parametrize("name", WRITERS)
def test_packed_in_gz_and_zip_it_is_the_same(folder: Path, name: str, tmp_path: Path) -> None:
    content = (folder / name).read_bytes()
    packed = tmp_path / f"{name}.gz"
    packed.write_bytes(gzip.compress(content))
    check_content(read_table(packed))
    for archive in (tmp_path / f"{name}.zip", tmp_path / "archive.zip"):
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as opened:
            opened.writestr(f"inside/{name}", content)
            opened.writestr(f"__MACOSX/inside/._{name}", b"attributes")
        check_content(read_table(archive))


@pytest.mark.parametrize("name", [name for name in WRITERS if not name.endswith((".por", ".zip"))])
def test_a_wrong_extension_does_not_matter_where_the_content_tells(
    folder: Path, name: str, tmp_path: Path
) -> None:
    if Path(name).suffix in (".xlsx", ".parquet", ".feather", ".json", ".jsonl"):
        wrong = tmp_path / "table.unknown"
        wrong.write_bytes((folder / name).read_bytes())
        check_content(read_table(wrong))


@pytest.mark.parametrize("name", WRITERS)
def test_damaged_files_end_in_a_message(folder: Path, name: str, tmp_path: Path) -> None:
    content = (folder / name).read_bytes()
    chance = random.Random(name)
    damaged = tmp_path / name
    for number in range(40):
        changed = bytearray(content)
        if number % 3 == 0:
            del changed[chance.randrange(1, len(changed)) :]
        else:
            for _ in range(chance.choice((1, 3, 20))):
                changed[chance.randrange(len(changed))] = chance.randrange(256)
        damaged.write_bytes(changed)
        try:
            read_table(damaged)
        except EngineError as error:
            assert error.place and error.problem


def test_sheets_ranges_preambles_and_merged_cells(tmp_path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    book.active.title = "About"
    book.active.append(["A survey"])
    sheet = book.create_sheet("Data 2026")
    sheet.append(["Ward survey, spring"])
    sheet.append([])
    sheet.append([None, "age", "ill", "seen", "cost"])
    sheet.merge_cells("A1:D1")
    for number in range(12):
        day = datetime.date(2026, 3, number + 1)
        sheet.append([None, 30 + number, ("no", "yes")[number % 2], day, f"{number},5"])
        if number == 5:
            sheet.append([])
    book.create_sheet("More").append(["a"])
    book["More"].append(["b"])
    path = tmp_path / "survey.xlsx"
    book.save(path)
    reading = read_table(path)
    assert reading.dataset.names == ("age", "ill", "seen", "cost")
    assert reading.dataset.columns[0].tolist() == list(range(30, 42))
    assert reading.dataset.columns[3].tolist() == [number + 0.5 for number in range(12)]
    assert reading.guess("sheet").value == "Data 2026" and not reading.guess("sheet").certain
    assert reading.guess("decimal").value == "comma"
    topics = {note.topic for note in reading.issues}
    assert {"empty-rows", "dates"} <= topics
    # The merged cells are the title above the names.
    assert "merged-cells" not in topics
    part = read_table(path, options=ReadingOptions(sheet="Data 2026", cells="B3:C8"))
    assert part.dataset.names == ("age", "ill") and part.dataset.row_count == 5
    with pytest.raises(InvalidParameter, match="About, Data 2026 and More"):
        read_table(path, options=ReadingOptions(sheet="Nowhere"))
    with pytest.raises(InvalidParameter, match="B3:H200"):
        read_table(path, options=ReadingOptions(cells="B3-H200"))


@pytest.mark.parametrize("state", ["hidden", "veryHidden"])
def test_a_hidden_sheet_is_read_only_where_no_other_holds_a_table(state: str, tmp_path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    lists, data = book.active, book.create_sheet("Data")
    lists.title, lists.sheet_state = "Lists", state
    for row in (["ward", "sex"], ["A", "woman"], ["B", "man"]):
        lists.append(row)
    for row in (["age", "ill"], [31, "no"], [64, "yes"], [58, "no"]):
        data.append(row)
    path = tmp_path / "survey.xlsx"
    book.save(path)
    reading = read_table(path)
    assert reading.dataset.names == ("age", "ill") and reading.guess("sheet").choices == ("Lists", "Data")
    assert "first visible one of 2" in reading.guess("sheet").reason
    assert "Lists (hidden)" in reading.guess("sheet").reason
    assert read_table(path, options=ReadingOptions(sheet="Lists")).dataset.names == ("ward", "sex")
    data.delete_rows(1, 4)
    book.save(path)
    reading = read_table(path)
    assert reading.dataset.names == ("ward", "sex") and not reading.guess("sheet").certain
    assert reading.guess("sheet").reason.startswith("It is hidden")


def test_a_title_page_or_a_short_code_book_is_not_taken_for_the_table(tmp_path: Path) -> None:
    from openpyxl import Workbook

    for first in ([["Made by"], ["ward 3"]], [["field", "values"], ["site", "1=north; 2=south"]]):
        book = Workbook()
        for row in first:
            book.active.append(row)
        data = book.create_sheet("Data")
        for row in (["age", "site", "ill"], *([age, age % 2 + 1, "no"] for age in range(30, 50))):
            data.append(row)
        book.save(tmp_path / "study.xlsx")
        reading = read_table(tmp_path / "study.xlsx")
        assert reading.dataset.names == ("age", "site", "ill") and not reading.guess("sheet").certain
    assert "The other one is: Sheet" in reading.guess("sheet").reason
    # Once it is used as the code book, no other table is left.
    options = ReadingOptions(code_book=book.active.title)
    assert read_table(tmp_path / "study.xlsx", options=options).guess("sheet").certain


def test_columns_are_lettered_as_spreadsheets_do() -> None:
    from openpyxl.utils import get_column_letter

    for position in (0, 25, 26, 51, 52, 700, 701, 702, 16383):
        letters = column_letters(position)
        assert letters == get_column_letter(position + 1)
        assert cell_range(f"{letters}1:{letters}2").first_column == position


def test_spss_names_of_values_and_declared_gaps(tmp_path: Path) -> None:
    import pyreadstat

    table = pandas.DataFrame(
        {
            "pain": [1.0, 2.0, 3.0, 9.0, 1.0, 2.0],
            "sex": [1.0, 2.0, 1.0, 2.0, None, 1.0],
            "age": [31.0, 45.0, 998.0, 62.0, 70.0, 18.0],
            "ward": ["A", "B", "", "A", "C", "B"],
        }
    )
    path = tmp_path / "study.sav"
    pyreadstat.write_sav(
        table,
        path,
        column_labels={"pain": "Pain at discharge", "age": "Age in years"},
        variable_value_labels={
            "pain": {1.0: "none", 2.0: "some", 3.0: "much", 9.0: "refused"},
            "sex": {1.0: "woman", 2.0: "man"},
            "age": {998.0: "not asked"},
        },
        missing_ranges={"pain": [9.0], "age": [{"lo": 990.0, "hi": 999.0}]},
        variable_measure={"pain": "ordinal", "sex": "nominal"},
    )
    reading = read_table(path)
    pain, sex, age, ward = reading.dataset.variables
    assert (pain.levels, pain.ordered) == (("none", "some", "much"), True)
    assert (sex.levels, sex.ordered) == (("woman", "man"), False)
    assert reading.dataset.columns[0].tolist() == [0, 1, 2, -1, 0, 1]
    assert reading.dataset.columns[1].tolist() == [0, 1, 0, 1, -1, 0]
    assert age.kind is Kind.CONTINUOUS and np.isnan(reading.dataset.columns[2]).tolist()[2]
    assert ward.levels == ("A", "B", "C") and reading.dataset.columns[3].tolist()[2] == -1
    declared = [note.message for note in reading.issues if note.topic == "declared-missing"]
    assert any("9 (refused)" in message for message in declared)
    assert any("998 (not asked)" in message for message in declared)


def test_values_of_one_name_are_told_apart(tmp_path: Path) -> None:
    import pyreadstat

    path = tmp_path / "study.sav"
    names = {1.0: "no", 2.0: "no", 3.0: "no (1)", 4.0: "yes"}
    table = pandas.DataFrame({"answer": [1.0, 2.0, 3.0, 4.0], "dose": [1.5, 2.5, 3.5, 4.5]})
    pyreadstat.write_sav(table, path, variable_value_labels={"answer": names})
    answer = read_table(path).dataset
    levels = answer.variable("answer").levels
    assert levels == ("no (1) (2)", "no (2)", "no (1)", "yes")
    assert answer.column("answer").tolist() == [0, 1, 2, 3]


@needs_messy
def test_files_of_others_hold_what_their_own_readers_say() -> None:
    import pyreadstat

    iris = read_table(MESSY / "haven_iris.sav").dataset
    assert iris.shape == (150, 5) if hasattr(iris, "shape") else iris.row_count == 150
    assert iris.variable("Species").levels == ("setosa", "versicolor", "virginica")
    frame, _ = pyreadstat.read_sav(MESSY / "haven_iris.sav")
    assert iris.columns[0].tolist() == frame["Sepal.Length"].tolist()
    missing = read_table(MESSY / "pyreadstat_sample_missing.sav").dataset
    frame, _ = pyreadstat.read_sav(MESSY / "pyreadstat_sample_missing.sav")
    assert np.array_equal(missing.columns[1], frame["mynum"].to_numpy(), equal_nan=True)
    for name in ("pyreadstat_sample.dta", "pyreadstat_sample.sas7bdat"):
        table = read_table(MESSY / name).dataset
        assert table.columns[1].tolist()[:4] == [1.1, 1.2, -1000.3, -1.4]
    unnamed = read_table(MESSY / "readxl_unnamed-duplicated-columns.xlsx").dataset
    assert unnamed.row_count == 2 and unnamed.names[1] == "var2" and unnamed.names[3] == "var2 (2)"
    with pytest.raises(InvalidData, match="holds no rows"):
        read_table(MESSY / "readxl_dates-1904.xls")
    dates = read_table(MESSY / "readxl_dates-1904.xls", options=ReadingOptions(header=False)).dataset
    assert dates.variables[0].levels == ("2000-01-01",)


def test_libsvm_with_several_labels_a_row(tmp_path: Path) -> None:
    from sklearn.datasets import dump_svmlight_file
    from sklearn.preprocessing import MultiLabelBinarizer

    chance = np.random.default_rng(1)
    data = np.where(chance.random((30, 6)) < 0.5, chance.normal(size=(30, 6)).round(2), 0)
    data[:, 5] = chance.integers(0, 2, 30)
    labels = chance.random((30, 4)) < 0.4
    labels[0], labels[1] = True, False
    path = tmp_path / "rows.svm"
    dump_svmlight_file(data, labels.astype(int), str(path), multilabel=True, zero_based=False)
    reading = read_table(path)
    assert reading.dataset.labels == ("L0", "L1", "L2", "L3")
    assert [column.tolist() for column in reading.dataset.columns[:5]] == data.T[:5].tolist()
    assert MultiLabelBinarizer().fit([range(4)]).classes_.tolist() == [0, 1, 2, 3]
    for number in range(4):
        assert reading.dataset.columns[6 + number].astype(bool).tolist() == labels[:, number].tolist()
    plain = tmp_path / "rows.txt"
    plain.write_bytes(path.read_bytes())
    assert read_table(plain).format == "sparse-lines"
    path.write_text("1 99999999999999999999:1\n")
    with pytest.raises(UnreadableFile, match="too large"):
        read_table(path)


def test_measured_numbers_of_libsvm_are_one_label(tmp_path: Path) -> None:
    path = tmp_path / "rows.svm"
    path.write_text("".join(f"{row / 4} 1:{row} 2:{row % 3}\n" for row in range(40)))
    dataset = read_table(path).dataset
    assert dataset.labels == ("target",)
    assert dataset.column("target").tolist() == [row / 4 for row in range(40)]
    # Whole numbers are classes, and so are several in front of a row.
    path.write_text("".join(f"{row % 3} 1:{row} 2:{row % 5}\n" for row in range(40)))
    assert read_table(path).dataset.labels == ("L0", "L1", "L2")
    path.write_text("".join(f"0.5,{row % 3} 1:{row} 2:{row % 5}\n" for row in range(40)))
    assert "L0.5" in read_table(path).dataset.labels


def test_factors_of_r_keep_the_order_of_their_levels(tmp_path: Path) -> None:
    import rdata

    grades = pandas.Categorical(["b", "a", "c", "a"] * 3, categories=["c", "b", "a"], ordered=True)
    table = pandas.DataFrame({"grade": grades, "x": np.arange(12.0)})
    rdata.write_rds(tmp_path / "one.rds", table.assign(grade=grades.as_unordered()))
    reading = read_table(tmp_path / "one.rds")
    assert reading.dataset.variables[0].levels == ("c", "b", "a")
    assert reading.dataset.columns[0].tolist() == [1, 2, 0, 2] * 3
    rdata.write_rda(tmp_path / "two.RData", {"small": table[["x"]].head(2), "large": table[["x"]]})
    # R itself wrote this one.
    written_by_r = read_table(Path(rdata.TESTDATA_PATH) / "test_dataframe.rda").dataset
    assert written_by_r.variable("class").levels == ("a", "b")
    assert [column.tolist() for column in written_by_r.columns] == [[0, 1, 1], [1, 2, 3]]
    both = read_table(tmp_path / "two.RData")
    assert both.guess("sheet").value == "large" and both.dataset.row_count == 12
    chosen = read_table(tmp_path / "two.RData", options=ReadingOptions(sheet="small"))
    assert chosen.dataset.row_count == 2


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("labels.xml", b'<?xml version="1.0"?><labels><label name="a"></label></labels>', "names labels"),
        ("page.xls", b"<html><table><tr><td>1</td></tr></table></html>", "web page or XML"),
        ("page.csv", b"\n<!DOCTYPE html>\n<p>no table", "XML or HTML"),
        ("saved.csv", b'\xef\xbb\xbf<html lang="en">\n<td>1</td>\n', "XML or HTML"),
        ("rows.csv", b'<row a="1"/>\n<row a="2"/>\n', "XML or HTML"),
        ("alarm.bif", b"network unknown {\n}\n", "Bayesian network"),
        ("list.json", b"[1, 2, 3]", "not a list of records"),
        ("deep.json", b"[" * 100_000, "nested|not JSON"),
        ("digits.json", b'[{"a": ' + b"9" * 100_000 + b"}]", "infinite"),
        ("repeated.json", b'[{"a": 1}, {"a": 1, "b": 2, "a": 3}]', "record 2.*'a' stands twice"),
        ("inner.json", b'[{"a": {"b": 1, "b": 2}}]', "record 1.*'b' stands twice"),
        ("dotted.json", b'[{"a.b": 1, "a": {"b": 2}}]', r"record 1.*'a\.b' stands twice"),
        ("columns.json", b'{"a": [1], "a": [2]}', "'a' stands twice"),
        ("repeated.lines.json", b'{"a": 1}\n\n{"a": 1, "a": 2}\n', "line 3.*'a' stands twice"),
        ("halves.json", b'[{"\\ud800": 1, "\\ud801": 2}]', "record 1.*stands twice"),
        ("blank.lines.json", b'{"a": 1}\n\n\n{"a": 1\n', "line 4.*not JSON"),
        ("word.lines.json", b'{"a": 1}\r\n\r\n7\r\n', "line 3.*not a record"),
        ("nested.json", b'[{"a": [1]}]', "list"),
        ("open.json", b'[{"a": 1}', "not JSON"),
        ("empty.zip", b"PK\x05\x06" + b"\x00" * 18, "no file"),
        ("not.zip", b"PK\x03\x04 nothing", "damaged"),
        ("not.parquet", b"PAR1PAR1", "damaged"),
        ("not.mat", b"MATLAB 5.0 MAT-file" + b"\x00" * 200, "damaged|no matrix"),
    ],
)
def test_what_cannot_be_read_says_why(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(EngineError, match=message) as caught:
        read_table(path)
    assert caught.value.remedy and name in str(caught.value)


def write_records(table: pandas.DataFrame, path: Path) -> None:
    rows = table.astype(object).where(table.notna(), None).to_dict("records")
    path.write_text(json.dumps(rows, default=int))


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("ids.parquet", pandas.DataFrame.to_parquet),
        ("ids.feather", pandas.DataFrame.to_feather),
        ("ids.json", write_records),
    ],
)
def test_long_identifiers_stay_apart(
    name: str, write: Callable[[pandas.DataFrame, Path], None], tmp_path: Path
) -> None:
    """Of neighbours beyond 2**53 a float64 makes one number."""
    longs = [2**53 + 1, 2**53, 2**62 + 1, 2**62, -(2**53) - 1, 7]
    table = pandas.DataFrame(
        {
            "patient": pandas.array(longs, dtype="Int64"),
            "gaps": pandas.array([*longs[:-1], None], dtype="Int64"),
            "size": pandas.array([2**53, 3, 9, 4, 5, None], dtype="Int64"),
        }
    )
    write(table, tmp_path / name)
    reading = read_table(tmp_path / name)
    written = {"patient": [*map(str, longs)], "gaps": [*map(str, longs[:-1]), None]}
    for column, values in written.items():
        levels = (*reading.dataset.variable(column).levels, None)
        assert [levels[code] for code in reading.dataset.column(column)] == values
    assert reading.dataset.column("size").tolist()[:-1] == [2.0**53, 3, 9, 4, 5]
    variables_noted = [note.variable for note in reading.issues if note.topic == "digit-codes"]
    assert variables_noted == ["patient", "gaps"]


@pytest.mark.parametrize("name", ["codes.xlsx", "codes.parquet", "codes.json"])
def test_codes_of_digits_that_are_text_stay_apart(name: str, tmp_path: Path) -> None:
    """Postcodes with leading zeros, and numbers of patients of which two would be one number."""
    table = pandas.DataFrame(
        {
            "postcode": ["01067", "80331", None, "01069"],
            "patient": ["1000", "001000", "7", "8"],
            "month": ["01", "2", "3", "12"],
        }
    )
    write = {
        "xlsx": table.to_excel,
        "parquet": table.to_parquet,
        "json": partial(table.to_json, orient="records"),
    }
    path = tmp_path / name
    options = {} if name.endswith("json") else {"index": False}
    write[path.suffix[1:]](path, **options)
    reading = read_table(path)
    assert reading.dataset.variable("postcode").levels == ("01067", "01069", "80331")
    assert set(reading.dataset.variable("patient").levels) == {"1000", "001000", "7", "8"}
    assert reading.dataset.variable("month").levels == ("01", "2", "3", "12")
    variables_noted = [note.variable for note in reading.issues if note.topic == "digit-codes"]
    assert variables_noted == ["postcode", "patient", "month"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_only_line_ends_part_records_of_json(end: str, tmp_path: Path) -> None:
    words = ["a\u2028b", "a\u2029b", "a\x85b", "a\x7fb"]
    path = tmp_path / "rows.json"
    lines = [json.dumps({"word": word, "n": number}, ensure_ascii=False) for number, word in enumerate(words)]
    path.write_bytes(end.join(lines).encode())
    dataset = read_table(path).dataset
    levels = dataset.variable("word").levels
    assert [levels[code] for code in dataset.column("word")] == words


@pytest.mark.parametrize("orient", ["columns", "index", "records"])
def test_tables_that_pandas_wrote_as_json_are_read(orient: str, tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    frame = pandas.DataFrame({"age": [31.0, 64.0, 58.0], "ill": ["no", "yes", "no"]})
    frame.to_json(path, orient=orient)
    dataset = read_table(path).dataset
    assert dataset.names == ("age", "ill")
    assert dataset.column("age").tolist() == [31.0, 64.0, 58.0]
    assert [dataset.variable("ill").levels[code] for code in dataset.column("ill")] == ["no", "yes", "no"]


@pytest.mark.parametrize("orient", ["split", "table", "values"])
def test_other_json_of_pandas_is_refused_with_what_to_do(orient: str, tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    pandas.DataFrame({"age": [31.0, 64.0, 58.0], "ill": ["no", "yes", "no"]}).to_json(path, orient=orient)
    with pytest.raises(InvalidData, match="not a list of records") as raised:
        read_table(path)
    assert "orient='records'" in raised.value.remedy


def test_text_under_the_name_of_a_workbook_is_read_as_text(tmp_path: Path) -> None:
    path = tmp_path / "export.xls"
    path.write_text("age\till\n31\tno\n64\tyes\n58\tno\n")
    assert read_table(path).format == "delimited"


def test_several_files_in_a_zip_are_named(tmp_path: Path) -> None:
    path = tmp_path / "both.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.csv", "x,y\n1,2\n")
        archive.writestr("b.csv", "x,y\n1,2\n")
    with pytest.raises(UnreadableFile, match=r"a\.csv and b\.csv"):
        read_table(path)


def test_declared_codes_are_missing_in_typed_files_too(tmp_path: Path) -> None:
    path = tmp_path / "codes.xlsx"
    pandas.DataFrame({"dose": [1.5, 999, 2.5, 3.5], "age": [31, -200, 64, 999]}).to_excel(path, index=False)
    dataset = read_table(path, options=ReadingOptions(missing_codes=("999", "-200"))).dataset
    assert [dataset.missing_count(name) for name in dataset.names] == [1, 2]


def test_a_name_that_cannot_be_decoded_is_none(tmp_path: Path) -> None:
    import pyreadstat

    path = tmp_path / "study.sav"
    pyreadstat.write_sav(pandas.DataFrame({"age": [31.5, 64.5, 58.0], "dose": [1.5, 2.5, 0.5]}), str(path))
    path.write_bytes(path.read_bytes().replace(b"AGE     ", b"\x90\xb3\x90     "))
    assert read_table(path).dataset.names == ("V1", "dose")
