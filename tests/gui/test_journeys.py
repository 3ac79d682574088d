"""From a person's own file to what is passed on, in a small window, by clicks and keys alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pypdf import PdfReader
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLineEdit,
    QPushButton,
    QTabWidget,
    QWidget,
)

import engine
from clcd_gui.run.selecting import SelectingState
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.wording.text import NO_BREAK
from tests.gui.test_column_page import drag, press, settle
from tests.gui.test_import_page import button
from tests.gui.test_journey import click
from tests.gui.test_preferred import prefer
from tests.gui.test_report_page import export, wait_for_preview
from tests.gui.test_selection_export import ask, write

LEFT = Qt.MouseButton.LeftButton
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture(autouse=True)
def _is_small(window: MainWindow) -> None:
    assert (window.width(), window.height()) == (1024, 700), "nothing in it needs more room"


def show_tab(tabs: QTabWidget, widget: QWidget) -> None:
    bar = tabs.tabBar()
    QTest.mouseClick(bar, LEFT, pos=bar.tabRect(tabs.indexOf(widget)).center())
    assert tabs.currentWidget() is widget


def write_over(box: QLineEdit, text: str) -> None:
    """Write something else into a field."""
    QTest.mouseClick(box, LEFT)
    QTest.keyClick(box, Qt.Key.Key_A, CONTROL)
    QTest.keyClicks(box, text)


def write_into_cell(table: QAbstractItemView, row: int, column: int, text: str) -> None:
    place = table.visualRect(table.model().index(row, column)).center()
    QTest.mouseClick(table.viewport(), LEFT, pos=place)
    QTest.keyClick(table, Qt.Key.Key_F2)
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit)
    write_over(editor, text)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    # What was written is taken over once the key was.
    QApplication.processEvents()
    assert table.model().index(row, column).data() == text


def has_button(parent: QWidget, text: str) -> bool:
    return any(each.text() == text for each in parent.findChildren(QPushButton))


def find(window: MainWindow, name: str) -> QWidget:
    """Look for a column by keys, and return the list in which it is chosen."""
    page = window.page("data")
    QTest.keyClick(window, Qt.Key.Key_F, CONTROL)
    QTest.keyClick(page.tools.filter, Qt.Key.Key_A, CONTROL)
    QTest.keyClicks(page.tools.filter, name)
    QTest.keyClick(page.tools.filter, Qt.Key.Key_Down)
    while page.columns.selected_names() != [name]:
        row = page.columns.currentIndex().row()
        QTest.keyClick(page.columns, Qt.Key.Key_Down)
        assert page.columns.currentIndex().row() > row, f"{name} is listed"
    return page.columns


def choose(box: QComboBox, wanted: object) -> None:
    """Choose from a list by keys."""
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Home)
    while box.currentData() != wanted:
        place = box.currentIndex()
        QTest.keyClick(box, Qt.Key.Key_Down)
        assert box.currentIndex() > place, f"{wanted} is offered"


def look_at(window: MainWindow, dialogs, qtbot, path: Path) -> None:
    """Choose a file by the button of the start page, and wait for what is in doubt."""
    dialogs.table = path
    with qtbot.waitSignal(window.session.opening.previewed, timeout=60_000):
        click(window.start_page.primary)
    assert window.pages.currentWidget() is window.import_page


def open_it(window: MainWindow, qtbot) -> None:
    with qtbot.waitSignal(window.session.opening.opened, timeout=60_000):
        click(window.import_page.primary)
    assert window.page("data").isVisible()


def run(window: MainWindow, qtbot) -> None:
    with qtbot.waitSignal(window.session.running.finished, timeout=180_000):
        QTest.keyClick(window, Qt.Key.Key_R, CONTROL)
    qtbot.waitUntil(lambda: window.page("results").is_filled, timeout=30_000)


def activate(window: MainWindow, qtbot) -> None:
    """Give the keys back after a dialog, as the manager of a real screen does."""
    with qtbot.waitActive(window):
        window.activateWindow()


def go(window: MainWindow, step: str) -> None:
    QTest.mouseClick(window.rail.button(step), LEFT)
    assert window.page(step).isVisible()


def give_report(window: MainWindow, qtbot, folder: Path, names: set[str]) -> tuple[Path, ...]:
    """Look at the report once it tells sizes, and write files of it."""
    go(window, "report")
    document, page = window.session.document, window.page("report")
    qtbot.waitUntil(lambda: document.result.effects is not None, timeout=120_000)
    wait_for_preview(page, qtbot)
    return export(page, folder, names, qtbot)


def test_measurements_with_decimal_commas_become_an_outcome_and_a_pdf(
    window: MainWindow, dialogs, qtbot, shared_data: Path, tmp_path: Path
) -> None:
    look_at(window, dialogs, qtbot, shared_data / "messy" / "AirQualityUCI_semicolon_decimalcomma.csv.gz")
    # -200 stands for what was not measured; the page says so, and shows where.
    page = window.import_page
    about = next(row for row in page.doubts.rows if has_button(row, "Read -200 as a value"))
    QTest.mouseClick(button(about, "Show"), LEFT)
    assert page.view.currentIndex().data() == "-200"
    open_it(window, qtbot)
    document, data = window.session.document, window.page("data")
    dataset = document.analysis.dataset
    assert dataset.row_count == 9357 and dataset.missing_count("CO(GT)") == 1683
    assert np.nanmin(dataset.column("T")) == -1.9 and np.nanmax(dataset.column("T")) == 44.6

    # Benzene above a limit becomes what is to be explained.
    for name in ("V1", "Time"):
        QTest.keyClick(find(window, name), Qt.Key.Key_I)
    QTest.keyClick(find(window, "C6H6(GT)"), Qt.Key.Key_Return)
    column = data.column
    settle(column, qtbot)
    QTest.mouseClick(button(column.cut, "Halves"), LEFT)
    drag(column, 15.0)
    (point,) = column.histogram.cuts
    assert point == pytest.approx(15, abs=0.6)
    for row, level in enumerate(("low", "high")):
        write_into_cell(column.cut.table, row, 0, level)
    QTest.keyClick(column.cut.as_label, Qt.Key.Key_Space)
    press(column.cut.apply)
    settle(column, qtbot)
    benzene = dataset.column("C6H6(GT)")
    cut = document.analysis.dataset
    assert (cut.labels, cut.variable("C6H6(GT)").levels) == (("C6H6(GT)",), ("low", "high"))
    assert (cut.column("C6H6(GT)") == 1).sum() == (benzene > point).sum()

    run(window, qtbot)
    # The sensor that is made for hydrocarbons is among what was found.
    assert "PT08.S2(NMHC)" in document.result.label_sets
    (pdf,) = give_report(window, qtbot, tmp_path / "out", {"report-pdf"})
    told = " ".join(" ".join(each.extract_text() for each in PdfReader(pdf).pages).split())
    assert "9 357 rows" in told.replace(NO_BREAK, " ").replace(",", " ") and "PT08.S2(NMHC)" in told
    assert "is cut at" in told, "the report says how the outcome was made"


def test_emotions_with_another_variable_become_a_smaller_table(
    window: MainWindow, dialogs, qtbot, shared_data: Path, tmp_path: Path
) -> None:
    dialogs.table = shared_data / "emotions" / "emotions.arff"
    with qtbot.waitSignal(window.session.opening.opened, timeout=60_000):
        click(window.start_page.primary)
    click(window.page("data").primary)
    # Of Emotions' numbers none is like another; of their halves, some are.
    go(window, "method")
    choose(window.page("method").preparation.editor("discretise"), "quantile")
    run(window, qtbot)
    document, page = window.session.document, window.page("results")

    def select() -> None:
        go(window, "selection")
        qtbot.waitUntil(lambda: window.session.selecting.state is SelectingState.DONE, timeout=120_000)

    select()
    findings, plain = document.result.findings, document.feature_selection
    inside, outside = next(
        (each.feature, other)
        for each in findings.label_specific
        for other in findings.not_told_apart_one_for_one(each.feature)
        if plain.labels_of(each.feature) == each.labels and other not in plain.features
    )
    go(window, "results")
    show_tab(page.tabs, page.label_specific)
    prefer(page.label_specific.table, inside, outside)
    select()
    chosen = document.feature_selection
    assert outside in chosen.features and inside not in chosen.features
    written = write(window, qtbot, ask(window, tmp_path / "reduced"))
    arff = next(path for path in written if path.suffix == ".arff")
    again = engine.read_dataset(arff)
    assert set(again.features) == set(chosen.features) and set(again.labels) == set(chosen.dataset.labels)
    original = engine.read_dataset(dialogs.table)
    assert again.row_count == original.row_count == 593
    for name in chosen.features:
        assert again.column(name).tolist() == original.column(name).tolist()
    # The window reads it again, too, with the labels that the file beside it names.
    activate(window, qtbot)
    QTest.keyClick(window, Qt.Key.Key_W, CONTROL)
    dialogs.table = arff
    with qtbot.waitSignal(window.session.opening.opened, timeout=60_000):
        click(window.start_page.primary)
    assert set(document.analysis.dataset.names) == set(again.names)
