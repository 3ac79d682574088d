"""Section 5.3 of the paper, from the file of Emotions to the grid of Figure 8, by real clicks and keys."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

import engine
from clcd_gui.document.navigation import SelectedPair
from clcd_gui.run.running import SelectingState
from clcd_gui.shell.main_window import MainWindow

LEFT = Qt.MouseButton.LeftButton


def test_emotions_from_the_file_to_the_grid(window: MainWindow, dialogs, qtbot, shared_data: Path) -> None:
    dialogs.table = shared_data / "emotions" / "emotions.arff"
    session, page = window.session, window.page("selection")

    # Open, confirm the labels that the file beside the table names, Run, Selection, Grid: six clicks.
    with qtbot.waitSignal(session.opening.opened):
        QTest.mouseClick(window.start_page.primary, LEFT)
    QTest.mouseClick(window.page("data").primary, LEFT)
    with qtbot.waitSignal(session.running.finished, timeout=120_000):
        QTest.mouseClick(window.page("data").primary, LEFT)
    QTest.mouseClick(window.rail.button("selection"), LEFT)
    qtbot.waitUntil(lambda: session.selecting.state is SelectingState.DONE, timeout=60_000)
    bar = page.tabs.tabBar()
    QTest.mouseClick(bar, LEFT, pos=bar.tabRect(page.tabs.indexOf(page.grid)).center())
    grid = page.grid.panel.grid
    assert grid.isVisible()

    # What appears is what the engine selects on the same table without a window.
    raw = engine.read_dataset(shared_data / "emotions" / "emotions.arff")
    raw = raw.with_labels(session.document.analysis.dataset.labels)
    expected = engine.select_features(engine.prepare(raw), engine.DiscoverySettings(workers=1))
    assert [finding.feature for finding in grid.grid.findings] == list(expected.features)
    shaded = {
        (grid.grid.findings[row].feature, grid.grid.labels[column])
        for row, column in grid.grid.ticks(slice(0, grid.grid.row_count), slice(0, grid.grid.column_count))
    }
    assert shaded == {(name, label) for name, labels in expected.label_sets.items() for label in labels}

    # Few of the 72 features, no label among them, those of several labels first, and every label served.
    features, labels = set(raw.features), set(raw.labels)
    assert len(labels) == 6
    assert 0 < len(expected.features) < len(features) / 2
    assert set(expected.features) <= features
    assert {label for _, label in shaded} == labels
    counts = [sum(feature == name for feature, _ in shaded) for name in expected.features]
    is_common = [count > 1 for count in counts]
    assert is_common == sorted(is_common, reverse=True)

    # What a label needs is either selected for it or stood for by what is.
    selection = session.document.feature_selection
    for label, boundary in selection.boundaries.items():
        assert labels.isdisjoint(boundary.members)
        stood_for = {
            name
            for reasons in selection.reasons.values()
            for reason in reasons
            if reason.label == label
            for name in reason.stands_for
        }
        assert set(boundary.members) <= set(selection.features_of(label)) | stood_for

    # Any cell can be asked why, by a click and by a key.
    feature = expected.features[0]
    label = expected.labels_of(feature)[0]
    row, column = grid.grid.row_of[feature], grid.grid.column_of[label]
    QTest.mouseClick(grid.viewport(), LEFT, pos=grid.cell_rect(row, column).center())
    assert window.highlight.pair == SelectedPair(feature, label)
    assert window.why.isVisible()
    answer = window.why.browser.toPlainText().replace("\u200b", "")
    assert expected.reasons[feature][0].rule.symbol in answer
    QTest.keyClick(grid, Qt.Key.Key_Space)
    assert window.why.browser.hasFocus()
    QTest.keyClick(window, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    assert window.page("results").isVisible()
    QTest.keyClick(window, Qt.Key.Key_4, Qt.KeyboardModifier.ControlModifier)
    assert grid.isVisible()
    assert window.highlight.pair == SelectedPair(feature, label)
