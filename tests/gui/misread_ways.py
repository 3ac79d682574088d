"""What the tables of ``../shared/data/door`` hold where they are read as their README says.

Written by hand, from cells that the module ``csv`` takes out of the files.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import openpyxl
import pyreadstat

DOOR = Path(__file__).parents[3] / "shared" / "data" / "door"

Cells = dict[str, list[Any]]
"""What stands in each column: numbers, texts, and None where a value is missing."""


@dataclass(frozen=True)
class Way:
    """How a table is read, and what it holds then.

    Attributes
    ----------
    right : callable
        Returns the cells of columns; columns that are not named may hold anything.
    clicks : tuple of str
        Buttons on the cards of the import page; a pair is an option above the rows and its value.
    options : dict
        The same in Python.
    words : tuple of str
        The same in the terminal.
    says : tuple of str
        What all three say of the file as it is found.
    file : str
    """

    right: Callable[[], Cells]
    clicks: tuple[str | tuple[str, str], ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    words: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    file: str = ""


def rows_of(file: str, separator: str = ",") -> list[list[str]]:
    with (DOOR / file).open(encoding="utf-8-sig", newline="") as lines:
        return list(csv.reader(lines, delimiter=separator))


def columns_of(header: Sequence[str], rows: Sequence[Sequence[str]]) -> dict[str, list[str]]:
    return {name: [row[place] for row in rows] for place, name in enumerate(header)}


def _cells(
    file: str,
    texts: Sequence[str] = (),
    missing: Mapping[str, Sequence[str]] | None = None,
    separator: str = ",",
    drop: Callable[[list[str]], bool] = lambda row: False,
) -> Cells:
    """Take a file apart; everything is a number but what is named, and what is named as missing is None."""
    header, *rows = rows_of(file, separator)
    written = columns_of(header, [row for row in rows if not drop(row)])
    missing = missing or {}
    return {
        name: [
            None if cell == "" or cell in missing.get(name, ()) else cell if name in texts else float(cell)
            for cell in column
        ]
        for name, column in written.items()
    }


def _ticks() -> Cells:
    cells = _cells("ticks.csv", texts=("pain", "cough"))
    return cells | {
        name: ["no" if cell is None else cell for cell in cells[name]] for name in ("pain", "cough")
    }


def _thousands(mark: str) -> Callable[[], Cells]:
    def right() -> Cells:
        cells = _cells("thousands.tsv", texts=("cells",), separator="\t")
        return cells | {"cells": [float(cell.replace(".", mark)) for cell in cells["cells"]]}

    return right


def _between_tabs(mark: str) -> Callable[[], Cells]:
    def right() -> Cells:
        cells = _cells("tab_comma_three_digits.tsv", texts=("größe0", "größe1"), separator="\t")
        return cells | {"größe1": [float(cell.replace(",", mark)) for cell in cells["größe1"]]}

    return right


def _blanks() -> Cells:
    rows = [line.split(" ") for line in (DOOR / "space_decimal_comma.txt").read_text().splitlines()]
    written = columns_of([cell.strip('"') for cell in rows[0]], [row[1:] for row in rows[1:]])
    numbers = {name: [float(cell.replace(",", ".")) for cell in written[name]] for name in "abc"}
    return {**numbers, "g": [cell.strip('"') for cell in written["g"]]}


def _sheet(file: str, first: int, place: int, *, seen: bool) -> Cells:
    """Take a sheet apart, with or without the rows that it hides."""
    sheet = openpyxl.load_workbook(DOOR / file).active
    rows = [
        [cell.value for cell in row[place:]]
        for row in sheet.iter_rows(min_row=first)
        if seen or not sheet.row_dimensions[row[0].row].hidden
    ]
    return columns_of(rows[0], rows[1:])


def _repetitions_beside(file: str, case: str, visit: int, example: str, repeated: Sequence[str]) -> Cells:
    """Put the rows of a case beside each other; what a case holds once stands in any of its rows."""
    header, *rows = rows_of(file)
    cases: dict[str, dict[str, str]] = {}
    for row in rows:
        of_case = cases.setdefault(row[header.index(case)], {})
        for name, cell in zip(header, row, strict=True):
            if name in repeated and cell:
                of_case[f"{name}{example[example.index('_') :]}{row[visit]}"] = cell
            elif cell:
                of_case.setdefault(name, cell)
    names = {name for of_case in cases.values() for name in of_case} - {
        header[visit],
        "redcap_repeat_instrument",
    }
    return {
        name: [float(of_case[name]) if name in of_case else None for of_case in cases.values()]
        for name in names
    }


def _repetitions_below() -> Cells:
    """Put what a record holds once beside each of its repetitions."""
    header, *rows = rows_of("redcap_repeating.csv")
    records = {row[0]: row for row in rows if not row[1]}
    filled = [[cell or records[row[0]][place] for place, cell in enumerate(row)] for row in rows if row[1]]
    columns = columns_of(header, filled)
    return {
        name: cells if name == "redcap_repeat_instrument" else list(map(float, cells))
        for name, cells in columns.items()
    }


def _survey(*, is_settled: bool) -> Cells:
    """Give the codes their names where each code has one, and empty those that mean missing."""
    frame = pyreadstat.read_sav(DOOR / "survey_partly_named.sav", user_missing=True)[0]
    missing: dict[str, tuple[float, ...]] = {"trust": (77, 88, 99)}
    if is_settled:
        missing |= {"income": (-8, -9), "hours": (97, 98), "smoke": (9,), "marital": (9,)}
    named: dict[str, dict[float, str]] = {
        "smoke": {0: "no", 1: "yes", 9: "missing"},
        "marital": {1: "single", 2: "married", 3: "divorced", 9: "no answer"},
        "pain": {0: "No", 1: "Yes"},
    }
    right: Cells = {
        name: [
            None if code in missing.get(name, ()) else named.get(name, {}).get(code, code)
            for code in frame[name]
        ]
        for name in ("age", "income", "hours", "trust", "satisf", "insomnia", "smoke", "marital", "pain")
    }
    return right | ({"q_yes1": [float(code == 1) for code in frame["q_yes1"]]} if is_settled else {})


_SUMMARIES = ("Total", "Mean")

WAYS: dict[str, Way] = {
    "99 in one column": Way(
        lambda: _cells("code_99_elsewhere_valid.csv", missing={"trust": ("99",)}),
        ("Read 99 as missing in “trust”",),
        {"also_missing": ["trust=99"]},
        ("--missing-codes", "trust=99"),
        ("99 stands 41 times in column 'trust'",),
        "code_99_elsewhere_valid.csv",
    ),
    "999 beside NA and a dash": Way(
        lambda: _cells("na_and_999.csv", missing={"age": ("999",), "bmi": ("NA",), "height": ("-",)}),
        ("Read 999 as missing in “age”",),
        {"also_missing": ["999"]},
        ("--missing-codes", "999"),
        ("999 stands 27 times in column 'age'",),
        "na_and_999.csv",
    ),
    "negative codes": Way(
        lambda: _cells(
            "negative_codes.csv",
            missing=dict.fromkeys(("income", "hours", "pain"), ("-9", "-8", "-2", "-1")),
        ),
        ("Read these as missing in all 3",),
        {
            "also_missing": [
                f"{name}={code}" for name in ("income", "hours", "pain") for code in ("-9", "-8", "-2", "-1")
            ]
        },
        ("--missing-codes=-9", "--missing-codes=-8", "--missing-codes=-2", "--missing-codes=-1"),
        (*(f"in column '{name}'" for name in ("income", "hours", "pain")), "outside the range"),
        "negative_codes.csv",
    ),
    "totals and means": Way(
        lambda: _cells(
            "total_and_mean_rows.csv", texts=("participant",), drop=lambda row: row[0] in _SUMMARIES
        ),
        says=("Left out: 2 rows that by name or values are sums, means or the like (lines 402 and 403)",),
        file="total_and_mean_rows.csv",
    ),
    "totals and means that are kept": Way(
        lambda: _cells("total_and_mean_rows.csv", texts=("participant",)),
        ("Keep these rows",),
        {"other_rows": "keep"},
        ("--other-rows", "keep"),
        file="total_and_mean_rows.csv",
    ),
    "a repeated header": Way(
        lambda: _cells("repeated_header.csv", drop=lambda row: row[0] == "stress"),
        says=("Left out: 1 row that repeats the names of the columns",),
        file="repeated_header.csv",
    ),
    "diagnoses such as 1E50": Way(
        lambda: _cells("icd11.csv", texts=("icd11",)),
        says=("Column 'icd11' holds codes",),
        file="icd11.csv",
    ),
    "versions": Way(
        lambda: _cells("versions.csv", texts=("version",)),
        says=("Column 'version' holds versions such as '1.10', read as categories.",),
        file="versions.csv",
    ),
    "hexadecimal identifiers": Way(
        lambda: _cells("hex_ids.csv", texts=("uid",)),
        says=("Column 'uid' holds codes",),
        file="hex_ids.csv",
    ),
    "ticks": Way(
        _ticks,
        ("Read empty as no in both",),
        {"empty_means_no": ["pain", "cough"]},
        ("--empty-means-no", "pain", "--empty-means-no", "cough"),
        ("Column 'pain' holds only 'x'", "Column 'cough' holds only 'x'"),
        "ticks.csv",
    ),
    "points as decimal marks": Way(
        _thousands("."),
        says=("4.691 is read as the decimal mark. It may",),
        file="thousands.tsv",
    ),
    "points between thousands": Way(
        _thousands(""),
        ("Read 4.691 as 4691 (thousands)",),
        {"decimal": "comma"},
        ("--decimal", "comma"),
        file="thousands.tsv",
    ),
    "commas between thousands": Way(
        _between_tabs(""), says=("It may be the decimal mark.",), file="tab_comma_three_digits.tsv"
    ),
    "commas as decimal marks": Way(
        _between_tabs("."),
        ("Read 10,712 as 10.712 (decimal mark)",),
        {"decimal": "comma"},
        ("--decimal", "comma"),
        file="tab_comma_three_digits.tsv",
    ),
    "codes of occupations and countries": Way(
        lambda: _cells("codes_1_to_9.csv", texts=("ISCO", "country", "blood type code")),
        ("Read both as categories",),
        {"categories": ["ISCO", "country"]},
        ("--categories", "ISCO", "--categories", "country"),
        ("'ISCO' holds 9 whole numbers", "'country' holds 27 whole numbers", "'blood type code'"),
        "codes_1_to_9.csv",
    ),
    "one row a record": Way(
        lambda: _cells("redcap_repeating.csv", texts=("redcap_repeat_instrument",), drop=lambda row: row[1]),
        says=("Left out: 303 rows of repeating instruments of REDCap",),
        file="redcap_repeating.csv",
    ),
    "all rows of records": Way(
        lambda: _cells("redcap_repeating.csv", texts=("redcap_repeat_instrument",)),
        ("Keep these rows",),
        {"other_rows": "keep"},
        ("--other-rows", "keep"),
        file="redcap_repeating.csv",
    ),
    "one row a record with all repetitions": Way(
        lambda: _repetitions_beside("redcap_repeating.csv", "record_id", 2, "crp_labs", ("crp",)),
        ("Make each record one row",),
        {"shape": "wide"},
        ("--shape", "wide"),
        file="redcap_repeating.csv",
    ),
    "one row a repetition": Way(
        _repetitions_below,
        ("Make each repetition a row",),
        {"shape": "long"},
        ("--shape", "long"),
        file="redcap_repeating.csv",
    ),
    "one row a patient": Way(
        lambda: _repetitions_beside("long_null.csv", "patient_id", 1, "ldl_visit", ("ldl", "bmi", "depr")),
        ("Read each case as one row",),
        {"shape": "wide"},
        ("--shape", "wide"),
        ("Each value of 'patient_id' has several rows, which 'visit' distinguishes.",),
        "long_null.csv",
    ),
    "wavelengths": Way(lambda: _cells("spectra.csv"), file="spectra.csv"),
    "an outcome that is unknown": Way(
        lambda: _cells("unknown_label.csv", texts=("hiv",), missing={"hiv": ("Unknown",)}),
        ("Read Unknown as missing in “hiv”",),
        {"also_missing": ["hiv=Unknown"]},
        ("--missing-codes", "hiv=Unknown"),
        ("'Unknown' stands 120 times in column 'hiv'",),
        "unknown_label.csv",
    ),
    "a survey as it is declared": Way(lambda: _survey(is_settled=False), file="survey_partly_named.sav"),
    "a survey whose names say more": Way(
        lambda: _survey(is_settled=True),
        ("Read these as missing in all 4", "Read empty as no in “q_yes1”"),
        {
            "also_missing": [
                "income=-8",
                "income=-9",
                "hours=97",
                "hours=98",
                "smoke=missing",
                "marital=no answer",
            ],
            "empty_means_no": ["q_yes1"],
        },
        (
            *("--missing-codes=income=-8", "--missing-codes=income=-9", "--missing-codes=hours=97"),
            *("--missing-codes=hours=98", "--missing-codes=smoke=missing"),
            *("--missing-codes=marital=no answer", "--empty-means-no", "q_yes1"),
        ),
        (
            "column 'income' -8 (Don't know) and -9 (Refused)",
            "column 'hours' 97 (Refused) and 98 (Don't know)",
            "'missing' stands 36 times in column 'smoke'",
            "'no answer' stands 31 times in column 'marital'",
            "Column 'q_yes1' holds only '1'",
        ),
        "survey_partly_named.sav",
    ),
    "NA as missing": Way(
        lambda: _cells("NA_region.csv", texts=("region",), missing={"region": ("NA",)}),
        says=("NA stands 90 times in the 400 rows of column 'region'",),
        file="NA_region.csv",
    ),
    "NA as a region": Way(
        lambda: _cells("NA_region.csv", texts=("region",)),
        ("Read NA as a value in “region”",),
        {"not_missing": ["region=NA"]},
        ("--not-missing", "region=NA"),
        file="NA_region.csv",
    ),
    "rows that a filter shows": Way(
        lambda: _sheet("filtered_rows.xlsx", 1, 0, seen=False),
        says=("Left out: 34 rows that are hidden in the workbook",),
        file="filtered_rows.xlsx",
    ),
    "rows that a filter hides": Way(
        lambda: _sheet("filtered_rows.xlsx", 1, 0, seen=True),
        ("Keep these rows",),
        {"hidden_rows": "keep"},
        ("--hidden-rows", "keep"),
        file="filtered_rows.xlsx",
    ),
    "blanks beside decimal commas": Way(_blanks, file="space_decimal_comma.txt"),
    "a title, and a table further right": Way(
        lambda: _sheet("title_and_offset.xlsx", 3, 1, seen=True),
        says=("'Study of May'. It is taken for a title",),
        file="title_and_offset.xlsx",
    ),
}


@dataclass(frozen=True)
class Search:
    """A search in tables that were misread, and what it finds where they are read right.

    Attributes
    ----------
    file, labels_file : str
        The second one holds labels, where it is not empty.
    labels : tuple of str
    links : dict
        The labels to which each feature is linked.
    no_features : set of str
        What is analysed as something else, or left out.
    says : str
        What is said of it before the search.
    read : Way or None
        How the first one is read.
    """

    file: str
    labels: tuple[str, ...]
    links: Mapping[str, frozenset[str]]
    no_features: frozenset[str] = frozenset()
    says: str = ""
    labels_file: str = ""
    read: Way | None = None

    @property
    def data(self) -> Path:
        """Where the table is."""
        return DOOR / self.file

    @property
    def second(self) -> Path | None:
        """Where the table of labels is."""
        return DOOR / self.labels_file if self.labels_file else None


_BOTH_OUTCOMES = frozenset({"pain", "cough"})
_DOSE = {"dose": _BOTH_OUTCOMES}

SEARCHES: dict[str, Search] = {
    "row names of two tables": Search(
        "rownames_features.csv",
        ("pain", "cough"),
        _DOSE,
        frozenset({"row names"}),
        "joined",
        "rownames_labels_shuffled.csv",
    ),
    "an identifier of two tables": Search(
        "two_features.csv",
        ("pain", "cough"),
        _DOSE,
        frozenset({"sample_id"}),
        "joined",
        "two_labels_shuffled.csv",
    ),
    "identifiers of two names": Search(
        "two_features.csv",
        ("pain", "cough"),
        _DOSE,
        frozenset({"sample_id", "id"}),
        "joined",
        "two_labels_renamed.csv",
    ),
    "visits of persons": Search(
        "long_null.csv",
        ("pain", "cough"),
        {},
        frozenset({"patient_id"}),
        "80 different values in 480 rows",
    ),
    "labels as one text": Search(
        "kobo_combined.csv",
        ("symptoms/pain", "symptoms/cough"),
        {"stress": frozenset({"symptoms/pain", "symptoms/cough"})},
        frozenset({"symptoms"}),
        "'symptoms'",
    ),
    "a sum of labels": Search(
        "sum_of_labels.csv",
        ("pain", "cough"),
        {"stress": _BOTH_OUTCOMES},
        frozenset({"n complaints"}),
        "'n complaints' counts how many",
    ),
    "a total beside its parts": Search(
        "community_total.csv",
        ("sp0", "sp1", "sp2"),
        {"pH": frozenset({"sp0", "sp1", "sp2"})},
        frozenset({"total", "richness"}),
        "'total'",
    ),
    "ticks": Search("ticks.csv", ("pain", "cough"), _DOSE, read=WAYS["ticks"]),
}
