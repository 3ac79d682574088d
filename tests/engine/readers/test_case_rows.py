"""Rows that are no cases: found by what they hold, left out, told, and kept where a person says so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from io import BytesIO, StringIO
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import openpyxl
import pandas
import pytest

from clcd_gui.document.doubts import doubts_of
from engine.errors import InvalidData
from engine.readers import ReadingOptions, read_preview, read_table
from engine.readers.remedies import remedies
from engine.readers.sheet_cells import hidden_parts
from engine.readers.summary_words import names_summary
from tests.engine.readers.misread_tables import (
    Maker,
    are_equal,
    counts_and_remarks,
    repeated_headers,
    rows_of_groups,
    score_of,
    section_headings,
    subtotals,
    summary_rows,
)
from tests.engine.readers.written_tables import messages_of, read_text, topics_of, values_of
from tests.examples import fifty
from tests.fuzzing.handmade import ods_of, xls_of, xlsb_of


@pytest.mark.parametrize(
    "maker",
    [summary_rows, counts_and_remarks, repeated_headers, subtotals, rows_of_groups, section_headings],
)
def test_rows_that_are_no_cases_are_left_out_of_fifty_tables(maker: Maker, tmp_path: Path) -> None:
    score = score_of(maker, tmp_path, fifty())
    assert score.right >= 0.96 * len(fifty()), score.wrong
    assert score.asked_about <= 0.24 * len(fifty())


def test_headings_of_sections_are_told_with_their_rows_and_may_be_kept(tmp_path: Path) -> None:
    rows = [f"P{row:02d},{20 + row},{row % 2}\n" for row in range(12)]
    text = "".join(["patient,age,ill\n", "Ward A,,\n", *rows[:7], "Ward B,,\n", *rows[7:]])
    reading = read_text(tmp_path, text)
    assert values_of(reading, "age") == [20.0 + row for row in range(12)]
    told = messages_of(reading, "no-cases")[""]
    assert told == "Left out: 2 rows with one text alone, like headings of sections (lines 2 and 10)."
    (doubt,) = [doubt for doubt in doubts_of(reading, ReadingOptions()) if doubt.is_to_check]
    (keep,) = doubt.changes
    assert read_text(tmp_path, text, **{keep.name: keep.value}).dataset.row_count == 14


@pytest.mark.parametrize(
    "empty",
    [
        # Persons of whom nothing is known, and remarks of people who answered nothing else.
        ["P90,,,\n", "P91,,,\n"],
        ["unknown,,,\n", "refused,,,\n"],
        [",,,moved away\n", ",,,too ill\n"],
        # What stands at the end is no heading, and what cases are called is none.
        [],
    ],
)
def test_cases_without_values_are_no_headings_of_sections(empty: list[str], tmp_path: Path) -> None:
    rows = [f"P{row:02d},{20 + row},{row % 2},\n" for row in range(12)]
    text = "".join(["patient,age,ill,remark\n", *rows[:4], *empty[:1], *rows[4:9], *empty[1:], *rows[9:]])
    assert read_text(tmp_path, text).dataset.row_count == 12 + len(empty)
    names = ["Lee Ann", "Bo Ek", "Jo van Sand", "Ida", "Max P. Hill", "Li", "Ann-Marie Oe", "Ole B"]
    rows = [f"{name},{20 + row},{row % 2}\n" for row, name in enumerate(names)]
    text = "".join(["name,age,ill\n", *rows[:3], "Kim Lund,,\n", *rows[3:6], "Eva Stein,,\n", *rows[6:]])
    assert read_text(tmp_path, text).dataset.row_count == 10


def _ward(rows: int) -> str:
    beds = [f"B{row:02d};{row * 37 % 50 / 10:.1f};{row * 7 % 11}\n" for row in range(rows)]
    return "bed;lactate;days\n" + "".join(beds).replace(".", ",")


@pytest.mark.parametrize(
    "below",
    [
        "Source: ward 3;;\n",
        "Source: ward 3; May 2024\n",
        "Mittelwert;2,4 ± 1,4;5,0 ± 3,2\n",
        ";;\nstatistic;lactate;days\nMittelwert;2,40;4,90\nFehlend;1;2\n",
    ],
)
def test_rows_that_are_plainly_no_cases_need_no_question(below: str, tmp_path: Path) -> None:
    reading = read_text(tmp_path, _ward(20) + below)
    assert reading.dataset.row_count == 20
    assert not [doubt.title for doubt in doubts_of(reading, ReadingOptions()) if doubt.is_serious]


def test_a_last_line_that_may_be_the_beginning_of_a_case_is_asked_about(tmp_path: Path) -> None:
    text = "ward,lactate,days\n" + "".join(f"ward {row % 3},{row}.5,{row * 7 % 11}\n" for row in range(20))
    (doubt,) = doubts_of(read_text(tmp_path, text + "ward 2"), ReadingOptions())
    assert doubt.is_serious and doubt.title == "Remarks below the table"


def _arff(frame: pandas.DataFrame) -> bytes:
    kinds = ["numeric" if pandas.api.types.is_numeric_dtype(kind) else "string" for kind in frame.dtypes]
    lines = [f"@attribute {name} {kind}" for name, kind in zip(frame, kinds, strict=True)]
    return "\n".join(["@relation ward", *lines, "@data", frame.to_csv(index=False, header=False)]).encode()


@pytest.mark.parametrize("kind", ["json", "parquet", "dta", "arff"])
@pytest.mark.parametrize("word, statistic", [("Summe", "sum"), ("promedio", "mean"), ("Gültig", "count")])
def test_a_summary_in_a_file_with_types_is_no_case(
    kind: str, word: str, statistic: str, tmp_path: Path
) -> None:
    rng = np.random.default_rng(8)
    ward = pandas.DataFrame(
        {
            "bed": [f"B{row:02d}" for row in range(70)],
            "lactate": rng.normal(2, 0.4, 70).round(2),
            "days": rng.integers(1, 60, 70),
            "fall": rng.integers(0, 2, 70),
        }
    )
    numbers = ward.drop(columns="bed").agg(statistic)
    frame = pandas.concat([ward, numbers.to_frame().T.assign(bed=word)], ignore_index=True)[ward.columns]
    frame = frame.astype(dict.fromkeys(numbers.index, float))
    path = tmp_path / f"ward.{kind}"
    if kind == "json":
        frame.to_json(path, orient="records")
    elif kind == "parquet":
        frame.to_parquet(path)
    elif kind == "dta":
        frame.to_stata(path, write_index=False)
    else:
        path.write_bytes(_arff(frame))
    reading = read_table(path)
    assert reading.dataset.row_count == 70
    assert "no-cases" in topics_of(reading)
    assert read_table(path, options=ReadingOptions(other_rows="keep")).dataset.row_count == 71


def test_totals_and_means_are_told_and_can_be_kept(shared_data: Path) -> None:
    path = shared_data / "door" / "total_and_mean_rows.csv"
    reading = read_table(path)
    assert reading.dataset.row_count == 400
    assert reading.dataset.variable("pain").levels == ("0", "1")
    assert messages_of(reading, "no-cases") == {
        "": "Left out: 2 rows that by name or values are sums, means or the like (lines 402 and 403)."
    }
    doubt = next(doubt for doubt in doubts_of(reading, ReadingOptions()) if doubt.option == "other_rows")
    assert doubt.title == "Rows that are not cases"
    kept = read_table(path, options=ReadingOptions(**{doubt.changes[0].name: doubt.changes[0].value}))
    assert kept.dataset.row_count == 402
    assert "no-cases" not in topics_of(kept)


def test_a_repeated_header_is_no_row(shared_data: Path) -> None:
    reading = read_table(shared_data / "door" / "repeated_header.csv")
    assert reading.dataset.row_count == 400
    assert reading.dataset.variable("pain").levels == ("0", "1")
    assert "line 201" in messages_of(reading, "no-cases")[""]


_WARD = [
    f"{20 + row % 60},{'fm'[row % 2]},{row % 7}.{row % 10},{row % 2},{row // 2 % 2}" for row in range(90)
]
_NAMES = "age,sex,tsh,copd,dm"


@pytest.mark.parametrize(
    "again",
    [
        "AGE,SEX,TSH,COPD,DM",
        "Age,Sex,TSH,Copd,Dm",
        " age , sex , tsh , copd , dm ",
        "'age','sex','tsh','copd','dm'",
        f"{_NAMES}\nyears,,mU/l,,",
        f",,,,\nStation 2,,,,\n{_NAMES}",
        f"Station 2,,,,\n,,,,\n{_NAMES.upper()}\nyears,f/m,mU/l,0/1,0/1",
    ],
)
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_a_header_that_is_repeated_otherwise_is_no_row(kind: str, again: str, tmp_path: Path) -> None:
    lines = [_NAMES, *_WARD[:40], *again.split("\n"), *_WARD[40:], _NAMES]
    path = tmp_path / f"table.{kind}"
    if kind == "csv":
        path.write_text("\n".join(lines))
    else:
        pandas.read_csv(StringIO("\n".join(lines)), header=None, dtype=str, skip_blank_lines=False).to_excel(
            path, header=False, index=False
        )
    reading = read_table(path)
    assert reading.dataset.names == tuple(_NAMES.split(","))
    assert reading.dataset.row_count == len(_WARD)
    assert reading.dataset.variable("dm").levels == ("0", "1")
    told = messages_of(reading, "no-cases")[""]
    assert "2 rows that repeat the names" in told
    assert ("beside such" in told) == ("years" in again or "Station" in again)
    assert read_table(path, options=ReadingOptions(other_rows="keep")).dataset.row_count > len(_WARD) + 1


@pytest.mark.parametrize("beside", ["31,,,,", "Station 2,f,,,", "years,f,4.1,,", ",f,,,"])
def test_a_row_that_may_be_a_case_stays_beside_a_repeated_header(beside: str, tmp_path: Path) -> None:
    for again in (f"{beside}\n{_NAMES}", f"{_NAMES}\n{beside}"):
        reading = read_text(tmp_path, "\n".join([_NAMES, *_WARD[:40], again, *_WARD[40:]]))
        assert reading.dataset.row_count == len(_WARD) + 1
        assert "beside" not in messages_of(reading, "no-cases")[""]


@pytest.mark.parametrize("header", ["Ill,Fall", "ill,fall"])
def test_answers_that_are_the_names_of_their_columns_are_no_header(header: str, tmp_path: Path) -> None:
    rows = ["ill,fall", "ill,none", "well,fall", "well,none"] * 10
    assert read_text(tmp_path, "\n".join([header, *rows]), header=True).dataset.row_count == 40


def test_rows_that_a_filter_hides_are_left_out(shared_data: Path) -> None:
    path = shared_data / "door" / "filtered_rows.xlsx"
    reading = read_table(path)
    assert reading.dataset.row_count == 26
    doubt = doubts_of(reading, ReadingOptions())[0]
    assert doubt.is_serious
    assert "34 rows that are hidden in the workbook" in doubt.text
    assert read_table(path, options=ReadingOptions(other_rows="keep")).dataset.row_count == 60


def test_a_record_of_redcap_is_one_row(shared_data: Path) -> None:
    path = shared_data / "door" / "redcap_repeating.csv"
    reading = read_table(path)
    assert reading.dataset.row_count == 150
    assert not np.isnan(reading.dataset.column("stress")).any()
    doubt = doubts_of(reading, ReadingOptions())[0]
    assert doubt.title == "Repeating instruments"
    assert "303 rows" in doubt.text
    assert read_table(path, options=ReadingOptions(other_rows="keep")).dataset.row_count == 453


@pytest.mark.parametrize("name", ["redcap_repeat_instrument", "Repeat Instrument"])
def test_an_instrument_alone_is_read_whole(name: str, tmp_path: Path) -> None:
    rows = "".join(f"{row // 3},labs,{row % 3 + 1},{row / 7:.2f}\n" for row in range(30))
    reading = read_text(tmp_path, f"record_id,{name},instance,crp\n{rows}")
    assert reading.dataset.row_count == 30
    records = "100,,,,\n101,,,,\n" + rows.replace("\n", ",\n")
    both = read_text(tmp_path, f"record_id,{name},instance,crp,dose\n{records}")
    assert both.dataset.row_count == 2
    empty = messages_of(both, "empty-column")
    assert empty["crp"].endswith("in the rows that are read; 30 rows left out hold one.")
    assert empty["dose"] == "Column 'dose' holds no value."


def test_records_with_several_events_keep_all_their_rows(tmp_path: Path) -> None:
    lines = [
        f"{record},baseline_arm_1,,,{20 + record},\n{record},month_6_arm_1,,,{30 + record},\n"
        f"{record},baseline_arm_1,labs,1,,{record / 7:.2f}\n"
        for record in range(40)
    ]
    header = "record_id,redcap_event_name,redcap_repeat_instrument,redcap_repeat_instance,pain,crp\n"
    reading = read_text(tmp_path, header + "".join(lines))
    assert reading.dataset.row_count == 80
    assert messages_of(reading, "repeating-rows")[""].endswith("the rows of their records stay.")
    below = messages_of(reading, "visits-below")["record_id"]
    assert "which 'redcap_event_name' distinguishes" in below


@pytest.mark.parametrize("labels", [["falls"], ["pain", "falls"]])
def test_a_label_that_only_repetitions_hold_names_the_shape_that_holds_it(
    labels: list[str], tmp_path: Path
) -> None:
    lines = [
        f"{record},,,{20 + record},{record % 2},\n{record},visit,1,,,{record % 2}\n{record},visit,2,,,1\n"
        for record in range(40)
    ]
    path = tmp_path / "records.csv"
    path.write_text(
        "record_id,redcap_repeat_instrument,redcap_repeat_instance,age,pain,falls\n" + "".join(lines)
    )
    with pytest.raises(InvalidData, match="label 'falls' has no value in the rows of records") as raised:
        read_table(path, labels=labels)
    assert "'shape' to 'long'" in str(raised.value)
    assert read_table(path, labels=labels, options=ReadingOptions(shape="long")).dataset.row_count == 80
    assert read_table(path, labels=["pain"]).dataset.row_count == 40


def workbook(path: Path, hidden: range, *, filters: bool) -> Path:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["age", "ill", "seen"])
    for row in range(30):
        sheet.append([20 + row, row % 2, f"late {row}" if row + 2 in hidden else None])
    for row in hidden:
        sheet.row_dimensions[row].hidden = True
    if filters:
        sheet.auto_filter.ref = "A1:B31"
    book.save(path)
    return path


def test_rows_hidden_by_hand_are_read_and_told(tmp_path: Path) -> None:
    path = workbook(tmp_path / "book.xlsx", range(5, 8), filters=False)
    reading = read_table(path)
    assert reading.dataset.row_count == 30
    assert "rows 5 to 7" in messages_of(reading, "seen-rows")[""]
    doubt = next(doubt for doubt in doubts_of(reading, ReadingOptions()) if doubt.title == "Hidden rows")
    (leave_out,) = doubt.changes
    without = read_table(path, options=replace(ReadingOptions(), **{leave_out.name: leave_out.value}))
    assert values_of(without, "age") == [float(20 + row) for row in range(30) if row not in (3, 4, 5)]
    assert "rows 5 to 7" in messages_of(without, "hidden-rows")[""]
    settled = doubts_of(without, ReadingOptions(hidden_rows="drop"))
    (back,) = (
        change for settled_doubt in settled if settled_doubt.is_settled for change in settled_doubt.changes
    )
    assert (back.value, back.title) == (None, "Keep these rows")
    assert messages_of(without, "empty-column")["seen"].endswith("; 3 rows left out hold one.")
    assert remedies(reading.issues) == [("hidden_rows", "drop")]


def test_hidden_columns_are_read_and_told_with_the_choice(tmp_path: Path) -> None:
    path = workbook(tmp_path / "book.xlsx", range(0), filters=False)
    book = openpyxl.load_workbook(path)
    book.active.column_dimensions["B"].hidden = True
    book.save(path)
    reading = read_table(path)
    assert "Column 'ill' is hidden" in messages_of(reading, "seen-columns")[""]
    doubt = next(doubt for doubt in doubts_of(reading, ReadingOptions()) if doubt.title == "Hidden columns")
    (leave_out,) = doubt.changes
    assert leave_out.title == "Leave these columns out"
    without = read_table(path, options=replace(ReadingOptions(), **{leave_out.name: leave_out.value}))
    assert without.dataset.names == tuple(name for name in reading.dataset.names if name != "ill")


def test_hidden_rows_and_hidden_columns_are_chosen_apart(tmp_path: Path) -> None:
    path = workbook(tmp_path / "book.xlsx", range(5, 8), filters=True)
    book = openpyxl.load_workbook(path)
    book.active.column_dimensions["C"].hidden = True
    book.save(path)
    as_found = read_table(path)
    assert (as_found.dataset.row_count, as_found.dataset.names) == (27, ("age", "ill", "seen"))
    # Reading them all the same is to be known; rows that are left out are to be checked.
    to_check = [doubt.title for doubt in doubts_of(as_found, ReadingOptions()) if doubt.is_to_check]
    assert to_check == ["Hidden rows"]
    chosen = ReadingOptions(hidden_rows="keep", hidden_columns="drop")
    reading = read_table(path, options=chosen)
    assert (reading.dataset.row_count, reading.dataset.names) == (30, ("age", "ill"))
    told = [doubt for doubt in doubts_of(reading, chosen) if doubt.title.startswith("Hidden")]
    assert [
        (doubt.title, doubt.is_serious, [change.title for change in doubt.changes]) for doubt in told
    ] == [
        ("Hidden rows", False, ["Leave these rows out"]),
        ("Hidden columns", False, ["Read them"]),
    ]
    assert told[1].text == "Left out: hidden column “seen”."
    # As earlier versions wrote it.
    before = read_table(path, options=ReadingOptions(other_rows="drop-hidden"))
    assert (before.dataset.row_count, before.dataset.names) == (27, ("age", "ill"))
    assert read_table(path, options=ReadingOptions(other_rows="keep")).dataset.row_count == 30


@pytest.mark.parametrize("name", ["t.csv", "t.json", "t.parquet"])
def test_leaving_out_what_is_hidden_leaves_out_nothing_where_nothing_can_be(
    name: str, tmp_path: Path
) -> None:
    frame = pandas.DataFrame({"age": [31.5, 64.0, 58.0], "ill": ["no", "yes", "yes"]})
    write = {"t.csv": frame.to_csv, "t.json": frame.to_json, "t.parquet": frame.to_parquet}[name]
    write(tmp_path / name, **({"orient": "records"} if name == "t.json" else {"index": False}))
    for options in ({"other_rows": "drop-hidden"}, {"hidden_rows": "keep"}, {"hidden_columns": "drop"}):
        assert read_table(tmp_path / name, options=ReadingOptions(**options)).dataset.row_count == 3


def test_rows_below_a_chosen_range_are_told_with_the_range_that_holds_them(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append([None, "age", "ill", "ward"])
    for row in range(37):
        sheet.append([None, 20 + row, row % 2, f"W{row % 4}"])
    sheet.append([None, sum(range(20, 57)), 18, "Total"])
    sheet.append([None, "Source: ward book"])
    book.save(path := tmp_path / "grown.xlsx")
    chosen = ReadingOptions(cells="B1:D31")
    reading = read_table(path, options=chosen)
    assert reading.dataset.row_count == 30
    told = messages_of(reading, "below-range")[""]
    assert told.startswith("7 rows below the chosen range of cells (rows 32 to 38)")
    assert remedies(reading.issues) == [("cells", "B1:D38")]
    doubt = next(
        doubt for doubt in doubts_of(reading, chosen) if doubt.title == "Rows below the chosen cells"
    )
    assert doubt.is_to_check
    (wider,) = doubt.changes
    again = read_table(path, options=replace(chosen, **{wider.name: wider.value}))
    assert again.dataset.row_count == 37
    # Neither what sums the rows up nor what is written below them is a case.
    assert "below-range" not in topics_of(again)


def test_another_table_below_a_chosen_range_is_not_taken_for_its_rows(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (["age", "ill"], *([20 + row, row % 2] for row in range(30)), [], ["dose", "time"], [1, 2]):
        sheet.append(row)
    book.save(path := tmp_path / "two.xlsx")
    assert "below-range" not in topics_of(read_table(path, options=ReadingOptions(cells="A1:B31")))


def test_columns_hidden_in_libreoffice_are_found() -> None:
    columns = (
        b'<table:table-column table:number-columns-repeated="2"/>'
        b'<table:table-column table:visibility="collapse" table:number-columns-repeated="3"/>'
    )
    content = b'<table:table table:name="Daten">' + columns + b"</table:table>"
    with ZipFile(packed := BytesIO(), "w") as archive:
        archive.writestr("content.xml", content)
    assert hidden_parts(packed.getvalue(), "Daten", b"").columns == {2, 3, 4}


def test_rows_hidden_by_hand_in_a_workbook_of_libreoffice_are_told(tmp_path: Path) -> None:
    path = tmp_path / "book.ods"
    rows = [["age", "ill"], *([20 + row, row % 2] for row in range(30))]
    path.write_bytes(ods_of(rows, hidden=range(4, 7)))
    reading = read_table(path)
    assert reading.dataset.row_count == 30
    assert "rows 5 to 7" in messages_of(reading, "seen-rows")[""]
    assert read_table(path, options=ReadingOptions(other_rows="drop-hidden")).dataset.row_count == 27


@pytest.mark.parametrize(("extension", "write"), [(".xls", xls_of), (".xlsb", xlsb_of)])
def test_what_a_binary_workbook_hides_is_told(
    extension: str, write: Callable[..., bytes], tmp_path: Path
) -> None:
    path = tmp_path / f"book{extension}"
    rows = [["age", "ill", "ward"], *([20.0 + row, row % 2, f"W{row % 4}"] for row in range(30))]
    path.write_bytes(write(rows, hidden=range(4, 7), column=1))
    reading = read_table(path)
    assert reading.dataset.row_count == 30 and "rows 5 to 7" in messages_of(reading, "seen-rows")[""]
    assert "Column 'ill' is hidden" in messages_of(reading, "seen-columns")[""]
    without = read_table(path, options=ReadingOptions(hidden_rows="drop", hidden_columns="drop"))
    assert values_of(without, "age") == [20.0 + row for row in range(30) if row not in (3, 4, 5)]
    assert without.dataset.names == ("age", "ward")
    path.write_bytes(write(rows, hidden=range(4, 7), filters=True))
    assert "rows 5 to 7" in messages_of(read_table(path), "hidden-rows")[""]
    path.write_bytes(write(rows, filters=True))
    assert not topics_of(read_table(path))


def test_hidden_rows_are_not_in_the_preview(tmp_path: Path) -> None:
    path = workbook(tmp_path / "book.xlsx", range(2, 12), filters=True)
    preview = read_preview(path, rows=5)
    assert values_of(preview, "age") == [30.0, 31.0, 32.0, 33.0, 34.0]
    assert preview.beginning is not None
    assert preview.beginning.data_rows[0] == 11


def test_totals_in_a_workbook_are_left_out(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    values = rng.normal(50, 9, (40, 3)).round(1)
    book = openpyxl.Workbook()
    for row in [["ward", "beds", "days", "costs"], *(["w", *row] for row in values.tolist())]:
        book.active.append(row)
    book.active.append(["Gesamt", *values.sum(axis=0).tolist()])
    book.active.append(["Mittelwert", *values.mean(axis=0).round(2).tolist()])
    book.save(tmp_path / "book.xlsx")
    reading = read_table(tmp_path / "book.xlsx")
    assert reading.dataset.row_count == 40
    assert "rows 42 and 43" in messages_of(reading, "no-cases")[""]


def test_a_word_alone_makes_no_total(tmp_path: Path) -> None:
    rows = [f"{name},{row * 7 % 31},{row * 5 % 13}" for row, name in enumerate(["total", "partial"] * 15)]
    reading = read_text(tmp_path, "\n".join(["resection,age,score", *rows]) + "\n")
    assert reading.dataset.row_count == 30
    assert "no-cases" not in topics_of(reading)


@pytest.mark.parametrize("word", ["Total", "Gesamt:", "Mittelwert", "Somme", "合计"])
@pytest.mark.parametrize("code", ["{row}", "P{row}", "2024/{row}-B", "{pair}"])
@pytest.mark.parametrize("between", ["", ",,\n"])
def test_a_total_of_other_rows_is_no_case_where_cases_have_identifiers(
    word: str, code: str, between: str, tmp_path: Path
) -> None:
    rows = "".join(
        f"{code.format(row=101 + row, pair=101 + row // 2)},{row * 37 % 50},{'yes' if row % 3 else 'no'}\n"
        for row in range(40)
    )
    reading = read_text(tmp_path, f"case,lactate,ill\n{rows}{between}{word},4711,214 yes\n")
    assert reading.dataset.row_count == 40
    assert "by its name or values" in messages_of(reading, "no-cases")[""] or between


@pytest.mark.parametrize(
    ("column", "last"),
    [
        ([f"{101 + row}" for row in range(40)], "missing"),
        ([f"{101 + row}" for row in range(40)], "fehlend"),
        ([f"{row * 37 % 50 / 10:.1f}" for row in range(40)], "max"),
        ([f"{row % 7}" for row in range(40)], "all"),
        ([("partial", "subtotal x2")[row % 2] for row in range(40)], "total"),
    ],
)
def test_a_word_beside_measurements_or_levels_makes_no_total(
    column: list[str], last: str, tmp_path: Path
) -> None:
    rows = "".join(f"{value},{row * 7 % 31},{row % 2}\n" for row, value in enumerate([*column, last]))
    reading = read_text(tmp_path, f"first,age,ill\n{rows}")
    assert reading.dataset.row_count == 41


@pytest.mark.parametrize("seed", [17, 24, 25, 29, 30, 34])
def test_persons_called_max_are_cases(seed: int, tmp_path: Path) -> None:
    generator = np.random.default_rng(seed)
    names = generator.choice(["Anna", "Max", "Maximilian"], 200)
    frame = pandas.DataFrame({"patient": [f"{name} {row:03d}" for row, name in enumerate(names)]})
    for column, most in (("age", 90), ("dose", 5), ("ill", 2), ("dead", 2)):
        frame[column] = generator.integers(0, most, 200)
    frame.to_csv(tmp_path / "persons.csv", index=False)
    assert read_table(tmp_path / "persons.csv").dataset.row_count == 200


@pytest.mark.parametrize("word", ["Ø", "Durchschn.", "Schnitt", "Moyenne", "x̄", "Ort."])
def test_means_of_some_columns_alone_are_no_case(word: str, tmp_path: Path) -> None:
    age, score = [20 + row * 7 % 31 for row in range(90)], [row * 5 % 13 / 2 for row in range(90)]
    rows = "".join(f"L{row},{age[row]},{score[row]},{row % 2},{row % 3 // 2}\n" for row in range(90))
    means = f"{sum(age) / 90:.1f},{sum(score) / 90:.1f}"
    reading = read_text(tmp_path, f"land,age,score,pain,cough\n{rows}{word},{means},,\n")
    assert reading.dataset.row_count == 90 and "no-cases" in topics_of(reading)


def test_a_column_that_only_the_total_fills_is_none_of_the_cases(tmp_path: Path) -> None:
    beds = [row * 7 % 30 + 1 for row in range(30)]
    rows = "".join(f"w{row},{count},{row % 2},\n" for row, count in enumerate(beds))
    reading = read_text(tmp_path, f"ward,beds,ill,share\n{rows}Total,{sum(beds)},15,104\n")
    assert values_of(reading, "beds") == beds
    assert messages_of(reading, "empty-column")["share"].endswith("1 row left out holds one.")


def test_a_header_that_is_repeated_with_a_byte_order_mark(tmp_path: Path) -> None:
    part = "age,ill\n" + "".join(f"{20 + row},{row % 2}\n" for row in range(20))
    reading = read_text(tmp_path, f"\ufeff{part}\ufeff{part}")
    assert reading.dataset.names == ("age", "ill")
    assert reading.dataset.row_count == 40


def test_a_preview_does_not_take_its_last_rows_for_the_end(tmp_path: Path) -> None:
    rows = "".join(f"{row},{row * 3}\n" for row in range(1, 20))
    path = tmp_path / "table.csv"
    path.write_text(f"a,b\n{rows}190,570\n1,2\n" + rows * 30)
    assert read_preview(path, rows=20).dataset.row_count == 20
    assert are_equal(read_table(path), read_table(path, options=ReadingOptions(other_rows="keep")))


@pytest.mark.parametrize("word", ["t-test", "Mann-Whitney U", "χ²", "F-Wert", "Prueba t", "t 検定"])
def test_a_row_of_test_statistics_is_no_case(word: str, tmp_path: Path) -> None:
    rows = "".join(f"{'AB'[row % 2]},{20 + row * 7 % 31},{row % 3 // 2}\n" for row in range(40))
    reading = read_text(tmp_path, f"group,age,ill\n{rows}{word},2.14,\n")
    assert reading.dataset.row_count == 40 and "no-cases" in topics_of(reading)


@pytest.mark.parametrize("seed", range(8))
def test_last_rows_of_groups_that_are_cases_stay(seed: int, tmp_path: Path) -> None:
    """Few values, few rows a group: chance makes some last row equal to a mean or a median of its group."""
    generator = np.random.default_rng(seed)
    frame = pandas.DataFrame({"ward": np.repeat(["A", "B", "C", "D"], 5), "bed": np.arange(20) % 5})
    frame.loc[::5, "ward"] += " new"
    for column in ("pain", "cough", "grade"):
        frame[column] = generator.integers(0, 3, 20)
    frame.to_csv(tmp_path / "cases.csv", index=False)
    assert read_table(tmp_path / "cases.csv").dataset.row_count == 20


@pytest.mark.parametrize("name", ["", "{group}"])
@pytest.mark.parametrize("rows", [14, 15])
def test_medians_of_groups_are_left_out_without_a_word(name: str, rows: int, tmp_path: Path) -> None:
    generator = np.random.default_rng(rows)
    lines = ["ward,age,weight,pulse,iron,sleep,ill"]
    for group in "ABC":
        values = generator.normal((50, 70, 75, 90, 7), (15, 12, 9, 30, 1.5), (rows, 5)).round(1)
        ill = generator.integers(0, 2, rows)
        lines += [f"{group},{','.join(map(str, row))},{y}" for row, y in zip(values, ill, strict=True)]
        medians = np.median(np.column_stack([values, ill]), axis=0)
        lines.append(f"{name.format(group=group)},{','.join(f'{value:.2f}' for value in medians)}")
    reading = read_text(tmp_path, "\n".join(lines) + "\n")
    assert reading.dataset.row_count == 3 * rows and "no-cases" in topics_of(reading)


def test_last_visits_and_ranks_of_groups_are_cases(tmp_path: Path) -> None:
    """Where rows are sorted, the last one of a group holds the maxima and the number of its rows."""
    rows = [(group, row, 20 * row, row * (group + 1)) for group in range(1, 4) for row in range(1, 30)]
    frame = pandas.DataFrame(rows, columns=["group", "visit", "minute", "score"])
    frame["ill"] = frame["visit"] % 2
    frame.to_csv(tmp_path / "sorted.csv", index=False)
    assert read_table(tmp_path / "sorted.csv").dataset.row_count == 87
    frame.assign(group=frame["group"].map({1: "A", 2: "B", 3: "C"})).to_csv(tmp_path / "b.csv", index=False)
    assert read_table(tmp_path / "b.csv").dataset.row_count == 87


@pytest.mark.parametrize(
    ("title", "names", "rows"),
    [
        ("Summary", ("n", "mean age", "falls"), [("men", "31", "56.2", "14"), ("women", "29", "54.8", "16")]),
        ("", ("Anzahl", "Alter", "Stürze"), [("Station A", "31", "56.2", "14")]),
        ("Résumé", ("effectif", "âge", ""), [("hommes", "31", "56.2", ""), ("femmes", "29", "54.8", "")]),
    ],
)
@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_a_small_table_below_the_cases_is_left_out(
    title: str, names: tuple[str, ...], rows: list[tuple[str, ...]], ending: str, tmp_path: Path
) -> None:
    cases = [[str(row + 1), str(20 + row * 7 % 61), str(row % 2), str(row % 3 // 2)] for row in range(60)]
    gap = ["", "", "", ""]
    below = [gap, *([["", title, "", ""]] if title else []), ["", *names], *map(list, rows)]
    frame = pandas.DataFrame([["id", "age", "fall", "ulcer"], *cases, *below])
    path = tmp_path / f"table.{ending}"
    frame.to_csv(path, index=False, header=False) if ending == "csv" else frame.replace("", None).to_excel(
        path, index=False, header=False
    )
    reading = read_table(path)
    assert reading.dataset.row_count == 60
    assert reading.dataset.variable("fall").levels == ("0", "1")
    assert "of another table below the cases" in messages_of(reading, "no-cases")[""]
    assert read_table(path, options=ReadingOptions(other_rows="keep")).dataset.row_count > 60


@pytest.mark.parametrize("last", ["61,unknown,refused,0", "61,high,high,1", "61,low,47,1", "61,,died,1"])
def test_last_cases_with_words_are_no_table_below(last: str, tmp_path: Path) -> None:
    rows = "".join(f"{row},{20 + row * 7 % 61},{row % 50},{row % 2}\n" for row in range(60))
    reading = read_text(tmp_path, f"id,age,score,ill\n{rows}{last}\n62,41,30,0\n")
    assert reading.dataset.row_count == 62


@pytest.mark.parametrize("text", ["TOTAL", "Mean ± SD", "Sous-total", "小计", "Итого:", "ward 3 total"])
def test_words_that_name_summaries(text: str) -> None:
    assert names_summary(text)


@pytest.mark.parametrize("text", ["", "n", "totally", "P17", "x" * 100])
def test_words_that_name_none(text: str) -> None:
    assert not names_summary(text)


def test_a_table_is_not_emptied_of_its_rows(tmp_path: Path) -> None:
    """Each row repeats the header, so that there would be none."""
    assert read_text(tmp_path, "#\n" * 10).dataset.row_count == 9
