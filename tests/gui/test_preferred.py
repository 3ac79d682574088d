"""Interchangeable variables in the window: folded under the one that leads, and another one preferred."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QMenu

from clcd_gui.shell.main_window import MainWindow
from clcd_gui.widgets.finding_table import FindingTable
from clcd_gui.widgets.finding_table_model import FindingTableModel
from engine.reporting.sentences.overview import summary_sentences

SURVEY = Path(__file__).resolve().parents[2] / "resources" / "examples" / "hospital-survey.csv"


def names(model: FindingTableModel) -> list[str]:
    return [model.finding_at(row).feature for row in range(model.rowCount())]


def prefer(table: FindingTable, feature: str, wanted: str) -> None:
    """Choose in the menu of a row, as a person does."""
    table.setCurrentIndex(table.model().index(table.model().row_of(feature), 0))
    where = table.visualRect(table.currentIndex()).center()
    QApplication.sendEvent(
        table.viewport(), QContextMenuEvent(QContextMenuEvent.Reason.Mouse, where, table.mapToGlobal(where))
    )
    (menu,) = table.findChildren(QMenu, options=Qt.FindChildOption.FindDirectChildrenOnly)
    (choice,) = menu.findChildren(QMenu)
    next(action for action in choice.actions() if action.text() == wanted).trigger()
    menu.close()


@pytest.fixture
def run(opened: Callable[[Path], MainWindow], qtbot) -> Callable[[Path], MainWindow]:
    def opened_and_run(path: Path) -> MainWindow:
        window = opened(path)
        document = window.session.document
        if document.offer is not None:
            document.set_labels(document.offer.names)
        with qtbot.waitSignal(window.session.running.finished, timeout=120_000):
            QTest.mouseClick(window.page("data").primary, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: window.page("results").is_filled)
        return window

    return opened_and_run


def test_another_one_leads_in_every_view_and_back_again(run: Callable[[Path], MainWindow], qtbot) -> None:
    window = run(SURVEY)
    page, document = window.page("results"), window.session.document
    page.tabs.setCurrentWidget(page.common)
    model, table = page.common.model, page.common.table
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)
    led = next(finding for finding in document.result.findings.common if finding.led_by is not None)
    before = names(model)
    assert led.feature not in before and led.led_by in before
    # The sign in front of the leader opens the row, and closes it again.
    row = model.row_of(led.led_by)
    sign = table.visualRect(model.index(row, 0)).topLeft() + QPoint(12, 12)
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=sign)
    assert names(model) == [*before[: row + 1], led.feature, *before[row + 1 :]]
    QTest.keyClick(table, Qt.Key.Key_Left)
    assert names(model) == before
    QTest.keyClick(table, Qt.Key.Key_Right)
    assert model.row_of(led.feature) == row + 1

    prefer(table, led.led_by, led.feature)
    qtbot.waitUntil(lambda: page.is_filled)
    findings = document.result.findings
    assert findings.by_feature[led.led_by].led_by == led.feature
    # Rows are in the order of strength, which of what is interchangeable is that of its marginal test.
    leading = model.row_of(led.feature)
    assert names(model)[leading : leading + 2] == [led.feature, led.led_by]
    assert document.stale_reason is None
    assert any(led.feature in sentence for sentence in summary_sentences(document.result))
    assert led.feature in page.overview.toPlainText()
    window.go("selection")
    qtbot.waitUntil(lambda: document.feature_selection is not None)
    assert led.feature in document.feature_selection.features
    assert led.led_by not in document.feature_selection.features

    document.undo_stack.undo()
    qtbot.waitUntil(lambda: document.feature_selection is not None)
    qtbot.waitUntil(lambda: page.is_filled)
    assert led.led_by in document.feature_selection.features
    # What was opened stays open, and the leader leads again.
    assert names(model)[row : row + 2] == [led.led_by, led.feature]
    # The choice outlasts the next run.
    document.undo_stack.redo()
    with qtbot.waitSignal(window.session.running.finished, timeout=120_000):
        window.session.running.start()
    assert document.result.preferred == (led.feature,)


def test_a_filter_opens_what_it_finds(run: Callable[[Path], MainWindow]) -> None:
    window = run(SURVEY)
    panel = window.page("results").common
    led = next(finding for finding in window.session.document.result.findings.common if finding.led_by)
    assert "folded" in panel._count.text()
    panel.filter_box.setText(led.feature)
    assert led.feature in names(panel.model)
    panel.filter_box.clear()
    assert led.feature not in names(panel.model)
    # Whoever follows a link to it finds it.
    window.highlight.select(led.feature, led.labels[0])
    assert panel.table.currentIndex().row() == panel.model.row_of(led.feature) >= 0
