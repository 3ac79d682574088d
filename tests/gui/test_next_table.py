"""Another table starts as in a new window: nothing that was chosen for the table before goes on."""

from __future__ import annotations

import csv
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QTabWidget,
    QWidget,
)

from clcd_gui.data.import_page import ReadingForm
from clcd_gui.document.document import Document
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.widgets.dialogs import Unsaved
from engine.boundaries.discovery_settings import DiscoverySettings
from engine.discovery.row_split import RowSplit
from engine.preparation.preparation_settings import PreparationSettings
from tests.gui.conftest import AnsweringDialogs, close_for_good, open_as_found, shown_window

_ENTRIES = (QLineEdit, QComboBox, QSpinBox, QCheckBox, QPlainTextEdit)
# A lasting preference of the person, kept between two starts.
_LASTING = {"Live"}


def _write_table(path: Path, names: Sequence[str], seed: int) -> Path:
    """Write three features, three labels that copy two of them now and then, and a number with gaps."""
    drawn = random.Random(seed)
    rows = []
    for _ in range(120):
        features = [drawn.random() < 0.5 for _ in range(3)]
        labels = [features[source] ^ (drawn.random() < 0.1) for source in (0, 0, 1)]
        number = "" if drawn.random() < 0.1 else f"{drawn.gauss(0, 1):.3f}"
        rows.append([*("yes" if is_yes else "no" for is_yes in (*features, *labels)), number])
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([names, *rows])
    return path


def _search(window: MainWindow, qtbot, path: Path, labels: Sequence[str]) -> None:
    open_as_found(window, qtbot, path)
    window.session.document.set_labels(labels)
    with qtbot.waitSignal(window.session.running.finished, timeout=60_000):
        window.session.running.start()
    _look_at_everything(window, qtbot)


def _look_at_everything(window: MainWindow, qtbot) -> None:
    window.pages.make_all()
    for step in ("data", "method", "results", "selection", "report", "runs"):
        window.go(step)
        for tabs in window.page(step).findChildren(QTabWidget):
            for index in range(tabs.count()):
                tabs.setCurrentIndex(index)
                QApplication.processEvents()
            tabs.setCurrentIndex(0)
    window.go("data")
    qtbot.waitUntil(lambda: window.page("results").is_filled)
    qtbot.waitUntil(lambda: not window.session.controller.is_busy, timeout=60_000)


def _value(entry: QWidget) -> object:
    if isinstance(entry, QCheckBox):
        return entry.isChecked()
    if isinstance(entry, QPlainTextEdit):
        return entry.toPlainText()
    return entry.currentText() if isinstance(entry, QComboBox) else entry.text()


def _place(entry: QWidget, window: MainWindow) -> str:
    """Name an entry by what holds it, and by its place among its like."""
    parts = []
    while entry is not window:
        parent = entry.parentWidget()
        alike = [child for child in parent.children() if type(child) is type(entry)]
        parts.append(f"{type(entry).__name__} {entry.accessibleName()} {alike.index(entry)}")
        entry = parent
    return " / ".join(reversed(parts))


def _entries(window: MainWindow) -> list[QWidget]:
    """List what a person can enter for a table; how a file is read is shown anew with each file."""
    reading = {widget for form in window.findChildren(ReadingForm) for widget in form.findChildren(QWidget)}
    return [
        widget
        for kind in _ENTRIES
        for widget in window.pages.findChildren(kind)
        if widget not in reading and not (isinstance(widget, QCheckBox) and widget.text() in _LASTING)
    ]


def _entered(window: MainWindow) -> dict[str, object]:
    return {_place(entry, window): _value(entry) for entry in _entries(window)}


def _change(entry: QWidget) -> None:
    if isinstance(entry, QCheckBox):
        entry.click()
    elif isinstance(entry, QPlainTextEdit):
        entry.setPlainText("l")
    elif isinstance(entry, QComboBox):
        entry.setCurrentIndex((entry.currentIndex() + 1) % max(entry.count(), 1))
        entry.activated.emit(entry.currentIndex())
    elif isinstance(entry, QSpinBox):
        entry.setValue(entry.value() + 1)
        entry.editingFinished.emit()
    elif not isinstance(entry.parentWidget(), QSpinBox | QComboBox) and not entry.isReadOnly():
        entry.setText("0.02" if entry.text()[:1].isdigit() else "l")
        entry.textEdited.emit(entry.text())
        entry.editingFinished.emit()


def _change_everything(window: MainWindow, qtbot) -> None:
    for entry in _entries(window):
        if entry.isEnabled():
            _change(entry)
            QApplication.processEvents()
    _look_at_everything(window, qtbot)


@pytest.fixture
def tables(tmp_path: Path) -> tuple[Path, Path]:
    first = _write_table(tmp_path / "first.csv", ["fa", "fb", "fc", "la", "lb", "lc", "size"], 1)
    second = _write_table(tmp_path / "second.csv", ["ga", "gb", "gc", "ma", "mb", "mc", "length"], 2)
    return first, second


def test_another_table_finds_every_entry_as_in_a_new_window(qapp, qtbot, tables, tmp_path) -> None:
    first, second = tables
    habits = iter(tmp_path / name for name in ("new.ini", "used.ini"))

    def empty_window() -> MainWindow:
        store = QSettings(str(next(habits)), QSettings.Format.IniFormat)
        return shown_window(qapp, qtbot, store, AnsweringDialogs())

    new = empty_window()
    _search(new, qtbot, second, ["ma", "mb", "mc"])
    expected = _entered(new)
    close_for_good(new)
    used = empty_window()
    # Else each change of a setting would be searched, some after kernels were compiled for it.
    used.session.live.set_wanted(False)
    _search(used, qtbot, first, ["la", "lb", "lc"])
    untouched = _entered(used)
    _change_everything(used, qtbot)
    changed = _entered(used)
    # Workers belong to the computer and never change a result.
    used.session.document.change_discovery("workers", None)
    assert sum(untouched[place] != changed.get(place) for place in untouched) > 20
    _search(used, qtbot, second, ["ma", "mb", "mc"])
    after = _entered(used)
    close_for_good(used)
    workers = {place for place in expected if "Parallel workers" in place}
    assert workers
    assert {place: after[place] for place in expected if place not in workers} == {
        place: value for place, value in expected.items() if place not in workers
    }


def test_settings_of_a_discarded_table_are_not_used_for_the_next(window, qtbot, dialogs, tables) -> None:
    first, second = tables
    dialogs.unsaved = Unsaved.DISCARD
    open_as_found(window, qtbot, first)
    document: Document = window.session.document
    document.set_labels(["la", "lb"])
    document.change_discovery("alpha", 0.2)
    document.change_discovery("workers", 1)
    document.change_preparation("missing", "drop-rows")
    document.change_split(RowSplit(), "split the rows")
    document.presentation.change_report_parts(["overview"])
    document.notes.write((), "of the first table")
    assert document.is_modified
    open_as_found(window, qtbot, second)
    analysis = document.analysis
    assert analysis.discovery == DiscoverySettings(workers=1), "how this computer works stays"
    assert analysis.preparation == PreparationSettings()
    assert (analysis.split, analysis.preferred, analysis.knowledge.is_empty) == (None, (), True)
    assert (document.presentation.report, document.notes.text(())) == ({}, "")
    assert float(window.page("method").search.editor("alpha").text()) == DiscoverySettings().alpha


def test_settings_stay_where_the_same_file_is_read_in_another_way(window, qtbot, tables) -> None:
    first, _ = tables
    open_as_found(window, qtbot, first)
    document = window.session.document
    document.change_discovery("alpha", 0.2)
    with qtbot.waitSignal(window.session.opening.opened):
        window.session.opening.open(first, document.options)
    assert document.analysis.discovery.alpha == 0.2


def test_another_table_shows_its_columns_first(window, qtbot, tables) -> None:
    first, second = tables
    open_as_found(window, qtbot, first)
    page = window.page("data")
    for tab in (page.checks, page.steps, page.knowledge):
        page.tabs.setCurrentWidget(tab)
        # The same file, read in another way, leaves the person where they are.
        with qtbot.waitSignal(window.session.opening.opened):
            window.session.opening.open(first, window.session.document.options)
        assert page.tabs.currentWidget() is tab
        open_as_found(window, qtbot, second)
        assert page.tabs.currentWidget() is page.columns_stack
        open_as_found(window, qtbot, first)
