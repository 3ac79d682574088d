"""Options of reading: settings like all others, offered with their words."""

from __future__ import annotations

from pathlib import Path

import pandas
import pyreadstat
import pytest

import engine
from clcd_gui.document.doubts import chosen_options
from engine.errors import InvalidParameter
from engine.parameters import parameters_of
from engine.readers import ReadingOptions, formats, read_table


def test_every_option_has_words_and_a_default_that_is_allowed() -> None:
    for parameter in parameters_of(ReadingOptions):
        assert parameter.title and parameter.help
        parameter.check(parameter.default)


def test_characters_stand_for_choices() -> None:
    options = ReadingOptions(delimiter="\t", decimal=",", quote="'", encoding="latin1")
    assert (options.delimiter, options.decimal, options.quote) == ("tab", "comma", "single")
    assert options.encoding == "iso-8859-1"
    assert ReadingOptions(missing_codes=["a", "b"]).missing_codes == ("a", "b")  # type: ignore[arg-type]


def test_a_code_of_one_column_is_refused_where_all_columns_are_meant() -> None:
    with pytest.raises(InvalidParameter, match="also_missing") as refused:
        ReadingOptions(missing_codes=["trust=99"])  # type: ignore[arg-type]
    assert refused.value.place == "setting 'missing_codes'"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("delimiter", "~"),
        ("decimal", ";"),
        ("quote", "`"),
        ("encoding", "klingon"),
        ("encoding", "rot13"),
        ("header", "yes"),
        ("skip_lines", -1),
        ("skip_lines", 1.5),
        ("missing_codes", "NA"),
        ("missing_codes", [1]),
        ("missing_codes", -99),
        ("categories", 5),
        ("ragged", "pad"),
        ("format", "excel"),
    ],
)
def test_impossible_values(name: str, value: object) -> None:
    with pytest.raises(InvalidParameter) as caught:
        ReadingOptions(**{name: value})  # type: ignore[arg-type]
    assert name in caught.value.place
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("file", "options", "problem"),
    [
        ("t.csv", {"sheet": "no such", "cells": "nonsense"}, "Leave out setting 'sheet' and setting 'cells'"),
        ("t.parquet", {"header": False, "skip_lines": 10}, "setting 'header': it has no meaning .* Parquet"),
        ("t.json", {"delimiter": ";"}, "setting 'delimiter': it has no meaning for the format JSON"),
        (
            "t.xlsx",
            {"encoding": "utf-8", "ragged": "drop"},
            "Leave out setting 'encoding' and setting 'ragged'",
        ),
    ],
)
def test_options_that_say_nothing_about_a_file_are_refused(
    file: str, options: dict[str, object], problem: str, tmp_path: Path
) -> None:
    frame = pandas.DataFrame({"a": [1.5, 2.5, 4.0], "b": ["x", "y", "x"]})
    path = tmp_path / file
    writers = {"t.csv": frame.to_csv, "t.parquet": frame.to_parquet, "t.xlsx": frame.to_excel}
    if file == "t.json":
        frame.to_json(path, orient="records")
    else:
        writers[file](path, index=False)  # type: ignore[operator]
    assert engine.read_dataset(path, format=None, missing_codes=["NA"]).row_count == 3
    with pytest.raises(InvalidParameter, match=problem):
        engine.read_dataset(path, **options)


def test_formats_say_which_options_they_heed() -> None:
    names_of_options = {parameter.name for parameter in parameters_of(ReadingOptions)}
    assert all(names_of_options.issuperset(table_format.options) for table_format in formats().values())


def test_unknown_option_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameter, match="separator") as caught:
        engine.read_dataset(tmp_path / "t.csv", separator=";")
    assert "delimiter" in caught.value.remedy


def test_formats_can_be_forced(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("@relation r\n@attribute a numeric\n@data\n1\n2\n3\n", encoding="utf-8")
    assert engine.read_dataset(path).names == ("a",)
    assert engine.read_dataset(path, format="arff").names == ("a",)
    assert engine.read_dataset(path, format="delimited", header=False).names == ("V1",)
    offered = [choice.value for choice in parameters_of(ReadingOptions)[0].choices]
    assert offered == list(formats()), "FORMAT_CHOICES and _FORMATS list the same formats, in one order"


def test_an_encoding_is_refused_for_portable_files_and_heeded_for_others_of_spss(tmp_path: Path) -> None:
    frame = pandas.DataFrame({"A": [1.5, 2.5, 4.0], "B": ["x", "y", "x"]})
    pyreadstat.write_por(frame, tmp_path / "t.por")
    pyreadstat.write_sav(frame, tmp_path / "t.sav")
    assert engine.read_dataset(tmp_path / "t.por").row_count == 3
    assert engine.read_dataset(tmp_path / "t.sav", encoding="utf-8").row_count == 3
    with pytest.raises(InvalidParameter, match=r"setting 'encoding': it has no meaning .* SPSS portable"):
        engine.read_dataset(tmp_path / "t.por", encoding="cp1252")


@pytest.mark.parametrize("extension", ["sav", "dta"])
def test_labels_of_variables_describe_the_columns(extension: str, tmp_path: Path) -> None:
    frame = pandas.DataFrame({"v1": [1.5, 2.5, 4.0], "v2": [1.0, 2.0, 1.0], "v3": ["x", "y", "x"]})
    labels = {"v1": "Hours of sleep", "v2": "Was bullied", "v3": "Site"}
    write = {"sav": pyreadstat.write_sav, "dta": pyreadstat.write_dta}[extension]
    path = tmp_path / f"t.{extension}"
    write(frame, path, column_labels=labels, variable_value_labels={"v2": {1.0: "no", 2.0: "yes"}})
    dataset = engine.read_dataset(path)
    assert {variable.name: variable.description for variable in dataset.variables} == labels


def test_what_was_chosen_is_said_with_one_full_stop(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("age,ill\n31,no\n64,n.a.\n58,yes\n", encoding="utf-8")
    options = ReadingOptions(also_missing=("n.a.",))
    (chosen,) = chosen_options(read_table(path, options=options), options)
    assert chosen == ("also_missing", "Read as missing: n.a.")
