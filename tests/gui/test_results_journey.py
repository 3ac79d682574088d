"""From a table to its results, evidence and exported files, by real clicks and keys in the whole window."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from clcd_gui.document.navigation import SelectedPair
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.widgets.dialogs import ExportDialogs
from clcd_gui.wording.text import BREAK


class _IntoFolder(ExportDialogs):
    """Takes the suggested name, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def choose_file(self, parent: QWidget, title: str, suggested: Path) -> Path | None:
        return self.folder / suggested.name


def test_emotions_are_looked_at_and_taken_away(
    opened: Callable[[Path], MainWindow], qtbot, shared_data: Path, tmp_path: Path
) -> None:
    window = opened(shared_data / "emotions" / "emotions.arff")
    document = window.session.document
    document.set_labels(document.offer.names)
    with qtbot.waitSignal(window.session.running.finished, timeout=120_000):
        QTest.mouseClick(window.page("data").primary, Qt.MouseButton.LeftButton)
    page, result = window.page("results"), document.result
    qtbot.waitUntil(lambda: page.is_filled)
    assert len(result.total_common) > 1

    # The second common variable, by keys, with its evidence brought up by Space and left by Esc.
    page.tabs.setCurrentWidget(page.common)
    page.common.table.setFocus()
    page.common.table.selectRow(0)
    QTest.keyClick(page.common.table, Qt.Key.Key_Down)
    feature = result.total_common["feature"][1]
    assert window.highlight.feature == feature
    QTest.keyClick(page.common.table, Qt.Key.Key_Space)
    assert window.why.isVisible()
    assert feature in window.why.browser.toPlainText().replace(BREAK, "")
    assert window.why.browser.hasFocus()
    QTest.keyClick(window.why.browser, Qt.Key.Key_Escape)
    assert page.common.table.hasFocus()

    # The same pair in the grid, and in the graph.
    label = next(label for label in result.total_common["labels"][1] if result.reasons(feature, label))
    page.tabs.setCurrentWidget(page.grid)
    grid = page.grid.grid
    row, column = grid.grid.row_of[feature], grid.grid.column_of[label]
    QTest.mouseClick(grid.viewport(), Qt.MouseButton.LeftButton, pos=grid.cell_rect(row, column).center())
    assert window.highlight.pair == SelectedPair(feature, label)
    assert result.reasons(feature, label)[0].rule.symbol in window.why.browser.toPlainText()
    page.tabs.setCurrentWidget(page.graph)
    qtbot.waitUntil(lambda: feature in page.graph.view.graph.nodes)
    assert page.graph.view.graph.nodes[feature].opacity() == 1.0

    # Take the columns away: the values are those of the file that was opened, not the bins.
    page.export_actions.dialogs = _IntoFolder(tmp_path)
    with qtbot.waitSignal(page.export_actions.written) as signal:
        page.export_actions.actions_by_name["data"].trigger()
    with signal.args[0][0].open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 593
    original = document.analysis.dataset.column(feature)
    assert [float(row[feature]) for row in rows[:5]] == pytest.approx(original[:5].tolist())
