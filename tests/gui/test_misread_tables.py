"""Each table of ``../shared/data/door`` is read as its README says: by terminal, Python and window.

What is right is written here by hand, from cells that the module ``csv`` takes out of the file.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import openpyxl
import pyreadstat
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton, QWidget

import engine
from clcd_gui.shell.main_window import MainWindow
from engine.errors import EngineError, InvalidData
from engine.readers import read_table
from engine.table.dataset import Dataset
from engine.table.identifiers import grouped_by_identifier
from engine.table.variable import Kind, Role
from engine.terminal import main
from tests.gui.conftest import AnsweringDialogs

pytestmark = pytest.mark.one_window

_LEFT = Qt.MouseButton.LeftButton
_DOOR = Path(__file__).parents[3] / "shared" / "data" / "door"

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


def _rows(file: str, separator: str = ",") -> list[list[str]]:
    with (_DOOR / file).open(encoding="utf-8-sig", newline="") as lines:
        return list(csv.reader(lines, delimiter=separator))


def _columns(header: Sequence[str], rows: Sequence[Sequence[str]]) -> dict[str, list[str]]:
    return {name: [row[place] for row in rows] for place, name in enumerate(header)}


def _cells(
    file: str,
    texts: Sequence[str] = (),
    missing: Mapping[str, Sequence[str]] | None = None,
    separator: str = ",",
    drop: Callable[[list[str]], bool] = lambda row: False,
) -> Cells:
    """Take a file apart; everything is a number but what is named, and what is named as missing is None."""
    header, *rows = _rows(file, separator)
    written = _columns(header, [row for row in rows if not drop(row)])
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
    rows = [line.split(" ") for line in (_DOOR / "space_decimal_comma.txt").read_text().splitlines()]
    written = _columns([cell.strip('"') for cell in rows[0]], [row[1:] for row in rows[1:]])
    numbers = {name: [float(cell.replace(",", ".")) for cell in written[name]] for name in "abc"}
    return {**numbers, "g": [cell.strip('"') for cell in written["g"]]}


def _sheet(file: str, first: int, place: int, *, seen: bool) -> Cells:
    """Take a sheet apart, with or without the rows that it hides."""
    sheet = openpyxl.load_workbook(_DOOR / file).active
    rows = [
        [cell.value for cell in row[place:]]
        for row in sheet.iter_rows(min_row=first)
        if seen or not sheet.row_dimensions[row[0].row].hidden
    ]
    return _columns(rows[0], rows[1:])


def _survey(*, is_settled: bool) -> Cells:
    """Give the codes their names where each code has one, and empty those that mean missing."""
    frame = pyreadstat.read_sav(_DOOR / "survey_partly_named.sav", user_missing=True)[0]
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


_BOTH = "Do so in both columns"
_SUMMARIES = ("Total", "Mean")

WAYS: dict[str, Way] = {
    "99 in one column": Way(
        lambda: _cells("code_99_elsewhere_valid.csv", missing={"trust": ("99",)}),
        ("Read 99 in “trust” as missing",),
        {"also_missing": ["trust=99"]},
        ("--missing-codes", "trust=99"),
        ("99 stands 41 times in column 'trust'",),
        "code_99_elsewhere_valid.csv",
    ),
    "999 beside NA and a dash": Way(
        lambda: _cells("na_and_999.csv", missing={"age": ("999",), "bmi": ("NA",), "height": ("-",)}),
        ("Read 999 in “age” as missing",),
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
        ("Do so in all 3 columns",),
        {
            "also_missing": [
                f"{name}={code}" for name in ("income", "hours", "pain") for code in ("-9", "-8", "-2", "-1")
            ]
        },
        ("--missing-codes=-9", "--missing-codes=-8", "--missing-codes=-2", "--missing-codes=-1"),
        tuple(f"in column '{name}', outside the range" for name in ("income", "hours", "pain")),
        "negative_codes.csv",
    ),
    "totals and means": Way(
        lambda: _cells(
            "total_and_mean_rows.csv", texts=("participant",), drop=lambda row: row[0] in _SUMMARIES
        ),
        says=("Left out: 2 rows with sums, means or the like of other rows (lines 402 and 403)",),
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
        (_BOTH,),
        {"empty_means_no": ["pain", "cough"]},
        ("--empty-means-no", "pain", "--empty-means-no", "cough"),
        ("Column 'pain' holds only 'x'", "Column 'cough' holds only 'x'"),
        "ticks.csv",
    ),
    "points as decimal marks": Way(
        _thousands("."), says=("may as well stand between thousands",), file="thousands.tsv"
    ),
    "points between thousands": Way(
        _thousands(""),
        (("decimal", "Comma (1,5)"),),
        {"decimal": "comma"},
        ("--decimal", "comma"),
        file="thousands.tsv",
    ),
    "commas between thousands": Way(
        _between_tabs(""), says=("It may be the decimal mark.",), file="tab_comma_three_digits.tsv"
    ),
    "commas as decimal marks": Way(
        _between_tabs("."),
        (("decimal", "Comma (1,5)"),),
        {"decimal": "comma"},
        ("--decimal", "comma"),
        file="tab_comma_three_digits.tsv",
    ),
    "codes of occupations and countries": Way(
        lambda: _cells("codes_1_to_9.csv", texts=("ISCO", "country", "blood type code")),
        (_BOTH,),
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
    "wavelengths": Way(lambda: _cells("spectra.csv"), file="spectra.csv"),
    "an outcome that is unknown": Way(
        lambda: _cells("unknown_label.csv", texts=("hiv",), missing={"hiv": ("Unknown",)}),
        ("Read Unknown in “hiv” as missing",),
        {"also_missing": ["hiv=Unknown"]},
        ("--missing-codes", "hiv=Unknown"),
        ("'Unknown' stands 120 times in column 'hiv'",),
        "unknown_label.csv",
    ),
    "a survey as it is declared": Way(lambda: _survey(is_settled=False), file="survey_partly_named.sav"),
    "a survey whose names say more": Way(
        lambda: _survey(is_settled=True),
        ("Do so in all 4 columns", "In “q_yes1” an empty cell means no"),
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
        ("Read NA in “region” as a value",),
        {"not_missing": ["region=NA"]},
        ("--not-missing", "region=NA"),
        file="NA_region.csv",
    ),
    "rows that a filter shows": Way(
        lambda: _sheet("filtered_rows.xlsx", 1, 0, seen=False),
        says=("Left out: 34 rows that a filter hides",),
        file="filtered_rows.xlsx",
    ),
    "rows that a filter hides": Way(
        lambda: _sheet("filtered_rows.xlsx", 1, 0, seen=True),
        ("Keep these rows",),
        {"other_rows": "keep"},
        ("--other-rows", "keep"),
        file="filtered_rows.xlsx",
    ),
    "blanks beside decimal commas": Way(_blanks, file="space_decimal_comma.txt"),
    "a title, and a table further right": Way(
        lambda: _sheet("title_and_offset.xlsx", 3, 1, seen=True),
        says=("'Study of May'. It is taken for a title",),
        file="title_and_offset.xlsx",
    ),
}


@pytest.fixture(autouse=True)
def _tables_are_there(shared_data: Path) -> None:
    """Skip where the tables are not beside the project."""


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
        return _DOOR / self.file

    @property
    def second(self) -> Path | None:
        """Where the table of labels is."""
        return _DOOR / self.labels_file if self.labels_file else None


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


@pytest.mark.parametrize("name", WAYS)
def test_python_reads_what_was_meant(name: str) -> None:
    way = WAYS[name]
    path = _DOOR / way.file
    assert _differences(engine.read_dataset(path, **way.options), way.right()) == []
    reading = read_table(path)
    notes = (note.message for note in reading.issues)
    said = " ".join([*notes, *(guess.reason for guess in reading.guesses)])
    assert [text for text in way.says if text not in said] == []


@pytest.mark.parametrize("name", WAYS)
def test_the_terminal_reads_what_was_meant(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    way = WAYS[name]
    path = str(_DOOR / way.file)
    assert main(["inspect", path]) == 0
    said = capsys.readouterr().out
    assert [text for text in way.says if text not in said] == []
    assert main(["inspect", path, *way.words, "--json"]) == 0
    facts = {column["name"]: column for column in json.loads(capsys.readouterr().out)["columns"]}
    for column, cells in way.right().items():
        figures = _figures_of(facts[column], are_texts=_are_texts(cells))
        assert figures == pytest.approx(_figures(cells)), column


@pytest.mark.parametrize("name", WAYS)
def test_the_window_reads_what_was_meant(window: MainWindow, qtbot, name: str) -> None:
    way = WAYS[name]
    hand = Hand(window, qtbot)
    hand.open(_DOOR / way.file)
    said = _plain(hand.said())
    assert [text for text in way.says if text not in said] == []
    for click in way.clicks:
        hand.settle(click)
    assert _differences(hand.opened(), way.right()) == []


def _told(dataset: Dataset) -> str:
    return " ".join(note.message for note in dataset.notes)


@pytest.mark.parametrize("name", SEARCHES)
def test_python_finds_what_is_there(name: str) -> None:
    search = SEARCHES[name]
    options = {} if search.read is None else search.read.options
    labels = search.second or list(search.labels)
    dataset = grouped_by_identifier(engine.read_dataset(search.data, labels, **options))
    prepared = engine.prepare(dataset)
    assert not search.no_features & set(prepared.features)
    assert search.says in _told(prepared)
    assert engine.discover(prepared, directions=False).label_sets == search.links


@pytest.mark.parametrize("name", SEARCHES)
def test_the_terminal_finds_what_is_there(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    search = SEARCHES[name]
    words = [str(search.data), *(() if search.read is None else search.read.words)]
    words += ["--labels", ",".join(search.labels)]
    words += ["--labels-file", str(search.second)] if search.second is not None else []
    assert main(["inspect", *words]) == 0
    assert search.says in capsys.readouterr().out
    assert main(["discover", *words, "--out", str(tmp_path / "out"), "--quiet"]) == 0
    assert _links_in(tmp_path / "out") == search.links
    if search.read is not None:
        assert main(["select", *words, "--out", str(tmp_path / "selected"), "--quiet"]) == 0


def _links_in(folder: Path) -> dict[str, frozenset[str]]:
    """Take the direct links out of the files that hold them."""
    links: dict[str, set[str]] = {}
    for file in ("common.csv", "label_specific.csv"):
        with (folder / file).open(encoding="utf-8-sig", newline="") as lines:
            for row in csv.DictReader(lines):
                links.setdefault(row["feature"], set()).update(row["labels"].split("; "))
    return {feature: frozenset(labels) for feature, labels in links.items()}


@pytest.mark.parametrize("name", SEARCHES)
def test_the_window_finds_what_is_there(
    window: MainWindow, qtbot, dialogs: AnsweringDialogs, name: str
) -> None:
    search = SEARCHES[name]
    hand = Hand(window, qtbot)
    hand.open(search.data)
    for click in () if search.read is None else search.read.clicks:
        hand.settle(click)
    hand.opened()
    if search.second is None:
        hand.mark_labels(search.labels)
    else:
        hand.take_labels(dialogs, search.second)
    session, data = window.session, window.page("data")
    qtbot.waitUntil(lambda: search.says in hand.told())
    with qtbot.waitSignal(session.running.finished, timeout=60_000):
        QTest.mouseClick(data.primary, _LEFT)
    result = session.document.result
    assert not search.no_features & set(result.dataset.features)
    assert result.label_sets == search.links


def test_ticks_work_in_a_selection_and_in_estimates(shared_data: Path) -> None:
    ticks = SEARCHES["ticks"]
    dataset = engine.read_dataset(ticks.data, list(ticks.labels), **WAYS["ticks"].options)
    assert engine.select_features(dataset).label_sets == ticks.links
    estimates = engine.effects(dataset, engine.discover(dataset))
    for label in ticks.labels:
        assert estimates.sign("dose", label) is engine.Sign.MORE, label


def _labels_of(path: Path, rows: slice) -> Path:
    header, *lines = (_DOOR / "two_labels_shuffled.csv").read_text().splitlines()
    path.write_text("\n".join([header, *lines[rows]]) + "\n")
    return path


def test_rows_without_a_partner_are_left_out_and_counted(
    window: MainWindow,
    qtbot,
    dialogs: AnsweringDialogs,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    data, labels = _DOOR / "two_features.csv", _labels_of(tmp_path / "labels.csv", slice(150))
    header, *rows = _rows("two_features.csv")
    kept = {line.partition(",")[0] for line in labels.read_text().splitlines()[1:]}
    right = _columns(header, [row for row in rows if row[0] in kept])
    doses = {"dose": list(map(float, right["dose"]))}
    said = "The tables were joined by 'sample_id': 150 rows"
    dataset = engine.read_dataset(data, labels)
    assert _differences(dataset, doses) == [] and said in _told(dataset)
    assert main(["inspect", str(data), "--labels-file", str(labels)]) == 0
    assert said in (printed := capsys.readouterr().out) and "50 rows" in printed
    hand = Hand(window, qtbot)
    hand.open(data)
    hand.opened()
    hand.take_labels(dialogs, labels)
    assert _differences(hand.opened(), doses) == []
    assert said in hand.told() and "50 rows" in hand.told()


@pytest.mark.parametrize("is_repeating", [False, True])
def test_tables_that_do_not_belong_together_are_refused(
    window: MainWindow,
    qtbot,
    dialogs: AnsweringDialogs,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    is_repeating: bool,
) -> None:
    data, labels = tmp_path / "data.csv", tmp_path / "labels.csv"
    for path, file in ((data, "two_features.csv"), (labels, "two_labels_shuffled.csv")):
        header, *lines = (_DOOR / file).read_text().splitlines()
        if is_repeating:
            lines = sorted(lines)[:60] * 2
        elif path == labels:
            # Of 200 identifiers, 80 are those of the data.
            lines[80:] = [f"Q{line}" for line in lines[80:]]
        path.write_text("\n".join([header, *lines]) + "\n")
    said = "sample_id"
    with pytest.raises(InvalidData, match=said):
        engine.read_dataset(data, labels)
    assert main(["inspect", str(data), "--labels-file", str(labels)]) == 2
    assert said in capsys.readouterr().err
    hand = Hand(window, qtbot)
    hand.open(data)
    hand.opened()
    with qtbot.waitSignal(hand.opening.failed):
        dialogs.labels = labels
        hand.click(window.page("data"), "From a file…")
    assert said in window.page("data").notice.text
    assert window.session.document.reading.labels_path is None


def test_one_stray_cell_far_away_ends_nothing(
    window: MainWindow, qtbot, capsys: pytest.CaptureFixture[str]
) -> None:
    path, said = _DOOR / "far_cell.xlsx", "lies far from the table"
    with pytest.raises(EngineError, match=said):
        engine.read_dataset(path)
    assert main(["inspect", str(path)]) == 2
    assert said in capsys.readouterr().err
    with qtbot.waitSignal(window.session.opening.failed):
        window.open_path(path)
    assert said in window.start_page.notice.text


class Hand:
    """Works the window with the mouse."""

    def __init__(self, window: MainWindow, qtbot) -> None:
        self.window, self.qtbot, self.opening = window, qtbot, window.session.opening

    def click(self, parent: QWidget, text: str) -> None:
        buttons = [each for each in parent.findChildren(QPushButton) if each.text() == text]
        assert buttons, f"no button says {text!r}"
        assert buttons[0].isEnabled()
        QTest.mouseClick(buttons[0], _LEFT)

    def open(self, path: Path) -> None:
        """Open a file, and wait until it is looked at, or there where nothing is in doubt."""
        self.window.open_path(path)
        document = self.window.session.document
        self.qtbot.waitUntil(lambda: self.opening.preview is not None or document.reading is not None)

    def said(self) -> str:
        """Return what the cards of the import page say; where there was none, what the Data page says."""
        is_asked = self.opening.preview is not None
        page = self.window.import_page.doubts if is_asked else self.window.page("data").reading
        return " ".join(label.text() for label in page.findChildren(QLabel))

    def settle(self, click: str | tuple[str, str]) -> None:
        """Click on a card, or choose an option above the rows, and wait until the file was looked at."""
        page = self.window.import_page
        if self.opening.preview is None:
            with self.qtbot.waitSignal(self.opening.previewed):
                self.click(self.window.page("data"), "Change how it is read…")
        with self.qtbot.waitSignal(self.opening.previewed):
            if isinstance(click, str):
                self.click(page.doubts, click)
            else:
                _choose(page.form.editor(click[0]), click[1])

    def opened(self) -> Dataset:
        """Open what is looked at, and return the table."""
        if self.opening.preview is not None:
            with self.qtbot.waitSignal(self.opening.opened):
                self.click(self.window.import_page, "Open")
        return self.window.session.document.analysis.dataset

    def take_labels(self, dialogs: AnsweringDialogs, path: Path) -> None:
        """Take the labels of the open table from another file."""
        dialogs.labels = path
        with self.qtbot.waitSignal(self.opening.opened):
            self.click(self.window.page("data"), "From a file…")

    def told(self) -> str:
        """Return what the cards of the Data page say, and how the file was read."""
        data = self.window.page("data")
        labels = (*data.checks.findChildren(QLabel), *data.reading.findChildren(QLabel))
        return _plain(" ".join(label.text() for label in labels))

    def mark_labels(self, names: Sequence[str]) -> None:
        """Name the labels of the open table, and make them so."""
        data = self.window.page("data")
        QTest.mouseClick(data.tools.by_name, _LEFT)
        data.names.text.setFocus()
        QTest.keyClicks(data.names.text, ";".join(names))
        QTest.mouseClick(data.names.buttons[Role.LABEL], _LEFT)


def _choose(combo: QWidget, text: str) -> None:
    """Choose from a list by the keyboard."""
    assert isinstance(combo, QComboBox)
    place = combo.findText(text)
    assert place >= 0, [combo.itemText(each) for each in range(combo.count())]
    combo.setFocus()
    QTest.keyClick(combo, Qt.Key.Key_Home)
    for _ in range(place):
        QTest.keyClick(combo, Qt.Key.Key_Down)


def _plain(text: str) -> str:
    """Write names as the terminal does: in straight marks."""
    return text.replace("“", "'").replace("”", "'")


def _differences(dataset: Dataset, right: Cells) -> list[str]:
    """Name the columns with other cells than are right."""
    return [
        name
        for name, cells in right.items()
        if name not in dataset.names or not _same(_cells_of(dataset, name), cells)
    ]


def _cells_of(dataset: Dataset, name: str) -> list[Any]:
    variable, column = dataset.variable(name), dataset.column(name)
    if variable.kind is Kind.CONTINUOUS:
        return [None if cell != cell else cell for cell in column.tolist()]
    return [None if code < 0 else variable.levels[code] for code in column.tolist()]


def _same(cells: list[Any], right: list[Any]) -> bool:
    return len(cells) == len(right) and all(map(_is_same, cells, right))


def _is_same(cell: Any, right: Any) -> bool:
    """Compare a cell; a category that is written as a number is that number, and a text is a text."""
    if cell is None or right is None or isinstance(right, str):
        return bool(cell == right)
    return float(cell) == right


def _figures(cells: list[Any]) -> dict[str, float]:
    """Count the texts of a column, or sum up its numbers."""
    present = [cell for cell in cells if cell is not None]
    counts = {cell: present.count(cell) for cell in present}
    figures: dict[str, float] = {"missing": len(cells) - len(present), "distinct": len(counts)}
    if _are_texts(cells) or not present:
        return figures | counts
    return figures | {"minimum": min(present), "maximum": max(present), "mean": sum(present) / len(present)}


def _figures_of(facts: dict[str, Any], *, are_texts: bool) -> dict[str, float]:
    """Take the same figures from what the terminal prints of a column."""
    figures = {"missing": facts["missing"], "distinct": facts["distinct"]}
    counts = {level: count for level, count in facts["levels"].items() if count}
    if are_texts or not figures["distinct"]:
        return figures | counts
    if not counts:
        return figures | {name: facts[name] for name in ("minimum", "maximum", "mean")}
    numbers = [float(level) for level, count in counts.items() for _ in range(count)]
    return figures | {"minimum": min(numbers), "maximum": max(numbers), "mean": sum(numbers) / len(numbers)}


def _are_texts(cells: list[Any]) -> bool:
    return any(isinstance(cell, str) for cell in cells)
