"""A data dictionary of REDCap gives the columns of its data their labels."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import engine

OF_PAGE = [
    "Variable / Field Name",
    "Form Name",
    "Section Header",
    "Field Type",
    "Field Label",
    "Choices, Calculations, OR Slider Labels",
]
OF_INTERFACE = [
    "field_name",
    "form_name",
    "section_header",
    "field_type",
    "field_label",
    "select_choices_or_calculations",
]
FIELDS = [
    ["record_id", "visit", "", "text", "Record ID", ""],
    ["age", "visit", "", "text", "Age at <b>admission</b> (years)", ""],
    ["ward", "visit", "", "radio", "Ward, as admitted", "1, Surgery | 2, Medicine"],
    ["signs", "visit", "Signs", "checkbox", "Signs at admission", "1, Fever | 2, Cough, dry"],
    ["note", "visit", "", "notes", "", ""],
]


def write(path: Path, rows: list[list[object]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


@pytest.mark.parametrize("header", [OF_PAGE, OF_INTERFACE])
def test_fields_and_boxes_have_the_labels_of_the_dictionary(header: list[str], tmp_path: Path) -> None:
    names = ["record_id", "age", "ward", "signs___1", "signs___2", "extra"]
    rows = [[row + 1, 20 + row * 7 % 50, row % 2 + 1, row % 2, row % 3 % 2, row % 5] for row in range(60)]
    data = write(tmp_path / "data.csv", [names, *rows])
    dictionary = write(tmp_path / "dictionary.csv", [header, *FIELDS])
    dataset = engine.read_dataset(data, labels=dictionary)
    assert dataset.row_count == 60 and dataset.names == tuple(names) and not dataset.labels
    assert {variable.name: variable.description for variable in dataset.variables} == {
        "record_id": "Record ID",
        "age": "Age at admission (years)",
        "ward": "Ward, as admitted",
        "signs___1": "Signs at admission: Fever",
        "signs___2": "Signs at admission: Cough, dry",
        "extra": "",
    }
    told = "The labels of 5 columns are read from the data dictionary 'dictionary.csv'."
    assert told in [note.text for note in dataset.notes]
