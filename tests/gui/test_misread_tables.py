"""Each table of ``../shared/data/door`` is read as its README says: by terminal, Python and window."""

from __future__ import annotations

import csv
import itertools
import json
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton, QWidget

import engine
from clcd_gui.shell.main_window import MainWindow
from engine.errors import EngineError, InvalidData
from engine.readers import read_table
from engine.table.dataset import Dataset
from engine.table.numbered_within import grouped_by_identifier
from engine.table.variable import Kind, Role
from engine.terminal import main
from tests.gui.conftest import AnsweringDialogs
from tests.gui.misread_ways import DOOR, SEARCHES, WAYS, Cells, columns_of, rows_of

pytestmark = pytest.mark.one_window

_LEFT = Qt.MouseButton.LeftButton


@pytest.fixture(autouse=True)
def _tables_are_there(shared_data: Path) -> None:
    """Skip where the tables are not beside the project."""


def test_no_table_is_forgotten() -> None:
    tried = {way.file for way in WAYS.values()} | {"far_cell.xlsx"}
    tried |= {file for search in SEARCHES.values() for file in (search.file, search.labels_file)}
    assert {path.name for path in DOOR.iterdir()} <= tried | {"README.md"}


@pytest.mark.parametrize("name", WAYS)
def test_python_reads_what_was_meant(name: str) -> None:
    way = WAYS[name]
    path = DOOR / way.file
    assert _differences(engine.read_dataset(path, **way.options), way.right()) == []
    reading = read_table(path)
    notes = (note.message for note in reading.issues)
    said = " ".join([*notes, *(guess.reason for guess in reading.guesses)])
    assert [text for text in way.says if text not in said] == []


@pytest.mark.parametrize("name", WAYS)
def test_the_terminal_reads_what_was_meant(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    way = WAYS[name]
    path = str(DOOR / way.file)
    assert main(["inspect", path]) == 0
    said = capsys.readouterr().out
    assert [text for text in way.says if text not in said] == []
    # What is asked about is settled by the options that are printed.
    words = _printed_options(said) if way.says and way.words else way.words
    assert main(["inspect", path, *words, "--json"]) == 0
    facts = {column["name"]: column for column in json.loads(capsys.readouterr().out)["columns"]}
    for column, cells in way.right().items():
        figures = _figures_of(facts[column], are_texts=_are_texts(cells))
        assert figures == pytest.approx(_figures(cells)), column


def _printed_options(text: str) -> list[str]:
    _, _, behind = text.partition("Options to read it differently:\n")
    lines = itertools.takewhile(lambda line: line.startswith("  --"), behind.splitlines())
    return [word for line in lines for word in shlex.split(line)]


@pytest.mark.parametrize("name", WAYS)
def test_the_window_reads_what_was_meant(window: MainWindow, qtbot, name: str) -> None:
    way = WAYS[name]
    hand = Hand(window, qtbot)
    hand.open(DOOR / way.file)
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
    header, *lines = (DOOR / "two_labels_shuffled.csv").read_text().splitlines()
    path.write_text("\n".join([header, *lines[rows]]) + "\n")
    return path


def test_rows_without_a_partner_are_left_out_and_counted(
    window: MainWindow,
    qtbot,
    dialogs: AnsweringDialogs,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    data, labels = DOOR / "two_features.csv", _labels_of(tmp_path / "labels.csv", slice(150))
    header, *rows = rows_of("two_features.csv")
    kept = {line.partition(",")[0] for line in labels.read_text().splitlines()[1:]}
    right = columns_of(header, [row for row in rows if row[0] in kept])
    doses = {"dose": list(map(float, right["dose"]))}
    said = "The tables were joined by 'sample_id': 150 of 200 rows"
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
        header, *lines = (DOOR / file).read_text().splitlines()
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
        hand.click(window.page("data"), "Labels from another table…")
    assert said in window.page("data").notice.text
    assert window.session.document.reading.labels_path is None


def test_one_stray_cell_far_away_ends_nothing(
    window: MainWindow, qtbot, capsys: pytest.CaptureFixture[str]
) -> None:
    path, said = DOOR / "far_cell.xlsx", "lies far from the table"
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
        buttons = [button for button in parent.findChildren(QPushButton) if button.text() == text]
        assert buttons, f"no button says {text!r}"
        assert buttons[0].isEnabled()
        QTest.mouseClick(buttons[0], _LEFT)

    def open(self, path: Path) -> None:
        """Open a file, and wait until it is looked at, or there where nothing is in doubt."""
        is_told: list[object] = []
        told = is_told.append
        self.opening.previewed.connect(told)
        # It is told a turn after the table is there, and must not be taken for that of another table.
        self.opening.opened.connect(told)
        self.window.open_path(path)
        self.qtbot.waitUntil(lambda: bool(is_told))
        self.opening.previewed.disconnect(told)
        self.opening.opened.disconnect(told)

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
            self.click(self.window.page("data"), "Labels from another table…")

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
    assert place >= 0, [combo.itemText(position) for position in range(combo.count())]
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
