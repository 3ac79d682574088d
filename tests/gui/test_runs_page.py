"""The page of runs, by clicks and keys: listed, compared, renamed, deleted, saved."""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton

import engine
from clcd_gui.history.comparison_view import compared_graph, meaning_of
from clcd_gui.history.runs_page import RunsPage
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.style.tokens import CAME, SAME, WENT
from clcd_gui.widgets.dialogs import ExportDialogs
from engine.reporting.figures.graph import EdgeKind
from tests.gui.conftest import AnsweringDialogs

pytestmark = pytest.mark.one_window

LEFT, CONTROL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier


class _IntoFolder(ExportDialogs):
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def choose_file(self, parent: object, title: str, suggested: Path) -> Path:
        return self.folder / suggested.name

    def choose_folder(self, parent: object, title: str, start: Path) -> Path:
        return self.folder


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("runs") / "network.csv"
    engine.simulate(labels=3, features=14, rows=500, seed=6).dataset.frame.to_csv(path, index=False)
    return path


@pytest.fixture
def compared(opened: Callable[[Path], MainWindow], qtbot, table: Path) -> MainWindow:
    """Two runs at two levels, on the page that compares them."""
    window = opened(table)
    document = window.session.document
    window.session.live.set_wanted(False)
    document.set_labels(["L1", "L2", "L3"])
    for level in (0.001, 0.2):
        document.change_discovery("alpha", level)
        with qtbot.waitSignal(window.session.running.finished, timeout=120_000):
            QTest.keyClick(window, Qt.Key.Key_R, CONTROL)
    window.go("runs")
    wait_until_compared(window, qtbot)
    return window


def page_of(window: MainWindow) -> RunsPage:
    page = window.page("runs")
    assert isinstance(page, RunsPage)
    return page


def wait_until_compared(window: MainWindow, qtbot) -> None:
    qtbot.waitUntil(lambda: page_of(window).comparison.is_filled)


def names(window: MainWindow) -> list[str]:
    model = page_of(window).model
    return [model.run_at(row).name for row in range(model.rowCount())]


def click(window: MainWindow, row: int, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    table = page_of(window).list
    place = table.visualRect(page_of(window).model.index(row, 0)).center()
    QTest.mouseClick(table.viewport(), LEFT, keys, place)


def write_name(window: MainWindow, name: str) -> None:
    """Press F2 and write the name of the current run."""
    QTest.keyClick(page_of(window).list, Qt.Key.Key_F2)
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit)
    # Simulated keys know no Greek.
    editor.setText(name)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    QApplication.processEvents()


def test_two_runs_stand_side_by_side(compared: MainWindow, qtbot, tmp_path: Path) -> None:
    page, document = page_of(compared), compared.session.document
    view = page.comparison
    strict, lenient = document.history.runs
    assert names(compared) == ["α 0.2", "α 0.001"]
    assert compared.rail.button("runs").accessibleDescription() == "2 runs"
    assert (view.first.currentText(), view.second.currentText()) == ("α 0.001", "α 0.2")
    assert not page._page.subtitle.text()
    before, after = strict.result.total_label_sets, lenient.result.total_label_sets
    came = set(after) - set(before)
    assert came
    text = view.overview.toPlainText()
    assert "Significance level (α) is 0.001 in “α 0.001” and 0.2 in “α 0.2”." in text
    # The filter holds in table, grid and graph alike.
    view.filter.setCurrentIndex(view.filter.findData("came"))
    view.filter.activated.emit(view.filter.currentIndex())
    qtbot.waitUntil(lambda: view.is_filled)
    assert {finding.feature for finding in view.table.model.findings} == came
    assert set(view.grid.grid.grid.row_of) == came
    assert view.table.model.headerData(2, Qt.Orientation.Horizontal) == "In “α 0.001”"
    content = compared_graph(view.comparison.feature_changes, document.result.dataset.labels)
    kinds = {(edge.start, edge.end): edge.kind for edge in content.edges}
    looks = {CAME: EdgeKind.CAME, WENT: EdgeKind.WENT, SAME: EdgeKind.SAME}
    for link in view.comparison.link_changes:
        if meaning_of(link) in looks:
            assert kinds[link.feature, link.label] is looks[meaning_of(link)]
    # The other way round, what came went.
    QTest.mouseClick(view.swap, LEFT)
    qtbot.waitUntil(lambda: view.comparison.names == ("α 0.2", "α 0.001"))
    assert {change.feature for change in view.comparison.feature_changes if "went" in change.changes} == came
    wait_until_compared(compared, qtbot)
    # So do they where a box is turned to the run of the other one, whichever box it is.
    for box, shown in ((view.first, ("α 0.001", "α 0.2")), (view.second, ("α 0.2", "α 0.001"))):
        other_box = view.second if box is view.first else view.first
        box.setCurrentIndex(other_box.currentIndex())
        box.activated.emit(box.currentIndex())
        qtbot.waitUntil(lambda shown=shown: view.comparison.names == shown)
        assert (view.first.currentText(), view.second.currentText()) == shown
        wait_until_compared(compared, qtbot)
    # Figures and tables.
    view.dialogs = _IntoFolder(tmp_path)
    with qtbot.waitSignal(view.written):
        view._export_tables()
    for menu, name in ((1, "comparison grid"), (2, "comparison graph")):
        actions = view.export_button.menu().actions()[menu].menu().actions()
        for action in actions:
            with qtbot.waitSignal(view.written):
                action.trigger()
        assert {path.suffix for path in tmp_path.glob(f"{name}*")} == {".png", ".svg", ".pdf"}
    assert (tmp_path / "comparison.json").exists() and "written" in page.notice.text


def test_nothing_stands_upon_another_in_larger_text(compared: MainWindow, qtbot) -> None:
    compared.resize(1024, 700)
    view = page_of(compared).comparison
    usual = view.filter.fontMetrics().height()
    compared.theme.set_zoom(1.5)
    qtbot.waitUntil(lambda: view.filter.fontMetrics().height() > 1.2 * usual)
    parts = [view.first, view.second, view.swap, view.filter, view.export_button]
    # Each of them tells of its new size by itself, and places are given after that.
    qtbot.waitUntil(
        lambda: all(left.geometry().right() < right.geometry().left() for left, right in pairwise(parts))
    )
    text = view.filter.fontMetrics().horizontalAdvance(view.filter.currentText())
    qtbot.waitUntil(lambda: view.filter.width() > text + view.filter.height())
    compared.theme.set_zoom(1.0)


def test_every_run_is_seen_in_larger_text_and_no_more_room_is_taken_after_it(
    compared: MainWindow, qtbot
) -> None:
    page = compared.page("runs")
    usual = page.list.height()
    compared.theme.set_zoom(1.46)
    qtbot.waitUntil(lambda: page.list.height() == page.list.sizeHint().height() > usual)
    assert page.list.verticalScrollBar().maximum() == 0
    compared.theme.set_zoom(1.0)
    qtbot.waitUntil(lambda: page.list.maximumHeight() == page.list.sizeHint().height() < 1.2 * usual)


def test_signs_are_compared_once_they_are_measured(compared: MainWindow, qtbot) -> None:
    history = compared.session.document.history
    qtbot.waitUntil(lambda: all(run.result.effects is not None for run in history.runs), timeout=60_000)
    qtbot.waitUntil(lambda: page_of(compared).comparison.comparison.first.effects is not None)
    qtbot.waitUntil(lambda: page_of(compared).comparison.is_filled)
    assert (
        "Directions of association are not compared"
        not in page_of(compared).comparison.overview.toPlainText()
    )


def test_runs_are_renamed_deleted_and_shown_and_survive_saving(
    compared: MainWindow,
    opened: Callable[[Path], MainWindow],
    dialogs: AnsweringDialogs,
    qtbot,
    tmp_path: Path,
) -> None:
    page, document = page_of(compared), compared.session.document
    document.change_discovery("algorithm", "pcmb")
    with qtbot.waitSignal(compared.session.running.finished, timeout=120_000):
        QTest.keyClick(compared, Qt.Key.Key_R, CONTROL)
    compared.go("runs")
    assert names(compared)[0].startswith("PCMB")
    # F2 writes another name; one that is taken is refused with the reason.
    click(compared, 2)
    write_name(compared, "α 0.2")
    assert "another run is called" in page.notice.text and names(compared)[2] == "α 0.001"
    write_name(compared, "strict")
    assert names(compared)[2] == "strict"
    # Asked for once more, it goes on.
    page.list.rename()
    page.list.rename()
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    # Two rows that are chosen are compared.
    click(compared, 0, CONTROL)
    qtbot.waitUntil(lambda: page.comparison.comparison.names == ("strict", names(compared)[0]))
    # Del deletes, undo brings it back where it was, redo deletes it again.
    click(compared, 1)
    QTest.keyClick(page.list, Qt.Key.Key_Delete)
    assert names(compared) == [document.history.runs[-1].name, "strict"]
    QTest.keyClick(compared, Qt.Key.Key_Z, CONTROL)
    assert names(compared)[1] == "α 0.2"
    document.undo_stack.redo()
    # Enter shows the run among the results.
    click(compared, 1)
    page.actions_by_name["pin"].trigger()
    click(compared, 1)
    QTest.keyClick(page.list, Qt.Key.Key_Return)
    assert compared.page("results").isVisible() and document.result.settings.alpha == 0.001
    assert "Algorithm was HITON-MB and is now PCMB" in document.stale_reason
    assert compared.page("results").stale_notice.isVisible()
    assert compared.page("results")._page.subtitle.text().startswith("Run “strict”. Result from 500 rows.")
    dialogs.project = tmp_path / "study.clcd"
    with qtbot.waitSignal(compared.session.saving.saved):
        QTest.keyClick(compared, Qt.Key.Key_S, CONTROL)
    saved = names(compared)
    compared.commands.actions.close.trigger()
    assert page.empty.isVisibleTo(page)
    opened(tmp_path / "study.clcd")
    assert names(compared) == saved and document.history.shown.name == "strict"
    assert document.history.runs[0].is_pinned
    compared.go("runs")
    wait_until_compared(compared, qtbot)
    # A run as the start of the next, in one step.
    row = names(compared).index("strict")
    page.list.selectionModel().setCurrentIndex(
        page.model.index(row, 0), QItemSelectionModel.SelectionFlag.ClearAndSelect
    )
    page.actions_by_name["start"].trigger()
    assert compared.page("method").isVisible() and document.stale_reason is None
    document.undo_stack.undo()
    assert document.analysis.discovery.algorithm == "pcmb"


def test_a_deletion_can_be_undone_from_its_notice_while_it_was_the_last_step(
    compared: MainWindow, opened: Callable[[Path], MainWindow], table: Path
) -> None:
    page, document, rail = page_of(compared), compared.session.document, compared.rail.button("runs")
    before = names(compared)
    assert "2 runs" in rail.toolTip()
    click(compared, 1)
    QTest.keyClick(page.list, Qt.Key.Key_Delete)
    assert "is deleted" in page.notice.text and "1 run" in rail.toolTip()
    page.notice.findChild(QPushButton).click()
    assert names(compared) == before and not page.notice.isVisible() and "2 runs" in rail.toolTip()
    document.undo_stack.redo()
    QTest.keyClick(page.list, Qt.Key.Key_Delete)
    document.change_discovery("alpha", 0.07)
    assert not page.notice.isVisible(), "its Undo would take the level back"
    page.notice.show_text("of this table")
    opened(table)
    compared.go("runs")
    assert not page.notice.text


def test_the_rail_says_while_a_report_is_written(compared: MainWindow, qtbot) -> None:
    lane, rail = compared.session.controller.report, compared.rail.button("report")
    may_end = threading.Event()
    lane.start(lambda _progress: may_end.wait(30))
    qtbot.waitUntil(lambda: "writing" in rail.toolTip())
    may_end.set()
    qtbot.waitUntil(lambda: not lane.is_busy)
    assert "writing" not in rail.toolTip()


def test_runs_of_another_table_are_compared_as_those_before_were(
    compared: MainWindow, qtbot, tmp_path: Path
) -> None:
    """Four runs were made; the next table has two, the same numbers of which were chosen in the list."""
    document, running = compared.session.document, compared.session.running
    for level in (0.01, 0.05):
        document.change_discovery("alpha", level)
        with qtbot.waitSignal(running.finished, timeout=120_000):
            QTest.keyClick(compared, Qt.Key.Key_R, CONTROL)
    wait_until_compared(compared, qtbot)
    click(compared, 0)
    click(compared, 1, CONTROL)
    page = page_of(compared)
    compared.go("data")
    path = tmp_path / "another.csv"
    engine.simulate(labels=2, features=9, rows=300, seed=7).dataset.frame.to_csv(path, index=False)
    with qtbot.waitSignal(document.opened):
        compared.workspace.files.open(path)
    assert page.comparison.first.count() == page.comparison.second.count() == 0
    document.set_labels(["L1", "L2"])
    for level in (0.01, 0.2):
        document.change_discovery("alpha", level)
        with qtbot.waitSignal(running.finished, timeout=120_000):
            QTest.keyClick(compared, Qt.Key.Key_R, CONTROL)
    compared.go("runs")
    qtbot.waitUntil(lambda: page.comparison.first.count() == 2)
    wait_until_compared(compared, qtbot)
    numbers = [page.comparison.first.currentData(), page.comparison.second.currentData()]
    assert numbers == [run.number for run in document.history.runs]
    QTest.keyClick(page.comparison.first, Qt.Key.Key_Down)
    assert page.comparison.first.currentData() == numbers[1]
