"""The switch that counts links through other labels: every view follows, and the project keeps it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from clcd_gui.document.navigation import SelectedPair
from clcd_gui.document.project import opened_project
from clcd_gui.evidence.answers import SelectedText
from clcd_gui.shell.main_window import MainWindow
from engine.discovery.evidence import Relation
from engine.project.project_files import open_project
from engine.reporting.figures.graph import EdgeKind
from tests.rendered import text_of


@pytest.fixture
def run(opened: Callable[[Path], MainWindow], qtbot, tmp_path: Path) -> MainWindow:
    """Search outcomes of which the first is a cause of the second; dose is a cause of the first alone."""
    generator = np.random.default_rng(11)
    dose, age = generator.integers(0, 2, (2, 2000))
    relapse = (generator.random(2000) < 0.2 + 0.4 * dose).astype(int)
    death = (generator.random(2000) < 0.1 + 0.5 * relapse + 0.2 * age).astype(int)
    frame = pandas.DataFrame({"dose": dose, "age": age, "relapse": relapse, "death": death})
    path = tmp_path / "outcomes.csv"
    frame.to_csv(path, index=False)
    window = opened(path)
    window.session.document.set_labels(["relapse", "death"])
    with qtbot.waitSignal(window.session.running.finished, timeout=120_000):
        QTest.mouseClick(window.page("data").primary, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.page("results").is_filled)
    return window


def click_switch(window: MainWindow, qtbot) -> None:
    box = window.page("results").level_bar.counted
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
    qtbot.waitUntil(lambda: window.page("results").is_filled)


def test_every_view_counts_what_the_switch_says(run: MainWindow, qtbot) -> None:
    page, document = run.page("results"), run.session.document
    assert page.level_bar.counted.isVisible()
    assert page.level_bar.counted.isChecked()

    def titles() -> list[str]:
        return [page.tabs.tabText(page.tabs.indexOf(panel)) for panel in (page.common, page.label_specific)]

    def wait_for_graph(has_such_edges: bool) -> None:
        page.tabs.setCurrentWidget(page.graph)
        qtbot.waitUntil(
            lambda: (
                has_such_edges
                is any(edge.kind is EdgeKind.THROUGH_LABELS for edge in page.graph.content.edges)
            )
        )

    assert "Common (2)" in titles()
    model = page.common.model
    row = model.row_of("dose")
    page.common.table.selectRow(row)
    page.common.table.copy()
    copied = QApplication.clipboard().text()
    assert "direct; through relapse" in copied
    heading = copied.splitlines()[0].split("\t")
    assert "Link" in heading
    data = page.grid.grid.grid
    place = data.row_of["dose"], data.column_of["death"]
    assert data.relation(*place) is Relation.THROUGH_LABELS
    assert "linked, through relapse" in page.grid.grid.describe(*place)
    wait_for_graph(True)
    page.tabs.setCurrentWidget(page.overview_panel)
    assert "Links through other labels are counted." in page.overview.toPlainText()
    before = document.result

    click_switch(run, qtbot)
    assert document.stale_reason is None
    # Age is a spouse of relapse.
    assert "Common (1)" in titles()
    assert [finding.feature for finding in page.common.model.findings] == ["age"]
    assert page.label_specific.model.row_of("dose") >= 0
    wait_for_graph(False)
    page.tabs.setCurrentWidget(page.overview_panel)
    assert "Links through other labels are not counted." in page.overview.toPlainText()
    assert document.result.label_sets == before.label_sets
    assert not document.reported.result.counts_through_labels

    document.undo_stack.undo()
    qtbot.waitUntil(lambda: page.is_filled)
    assert page.level_bar.counted.isChecked()
    assert "Common (2)" in titles()


def test_a_project_keeps_the_switch_and_one_saved_before_counts_them(
    run: MainWindow, qtbot, dialogs, tmp_path: Path
) -> None:
    click_switch(run, qtbot)
    dialogs.project = tmp_path / "outcomes.clcd"
    with qtbot.waitSignal(run.session.saving.saved):
        QTest.keyClick(run, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    project = open_project(dialogs.project)
    assert not opened_project(project).analysis.counts_through_labels
    assert not project.runs[0].result.counts_through_labels
    for step in project.recipe:
        step.pop("counts_through_labels", None)
    assert opened_project(project).analysis.counts_through_labels
    # The next run is shown in the same way.
    with qtbot.waitSignal(run.session.running.finished, timeout=120_000):
        run.session.running.start()
    assert not run.session.document.result.counts_through_labels


def test_the_selection_says_what_a_feature_is_linked_to_through_other_labels(run: MainWindow, qtbot) -> None:
    document = run.session.document
    run.go("selection")
    qtbot.waitUntil(lambda: document.feature_selection is not None, timeout=60_000)
    through = "dose is linked to death through relapse"
    assert through in text_of(SelectedText(document.selected_features).write(SelectedPair("dose")))
    document.count_links_through_labels(False)
    qtbot.waitUntil(lambda: document.feature_selection is not None, timeout=60_000)
    assert through not in text_of(SelectedText(document.selected_features).write(SelectedPair("dose")))
