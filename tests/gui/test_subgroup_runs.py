"""A run on some of the rows, such as women only, against the one on all, by clicks and keys."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from clcd_gui.document.examples import examples
from clcd_gui.history.comparison_view import compared_graph, meaning_of
from clcd_gui.history.runs_page import RunsPage
from clcd_gui.shell.main_window import MainWindow
from clcd_gui.style.tokens import CAME, SAID_OTHERWISE, SAME, WENT
from clcd_gui.wording.text import BREAK
from engine.reporting.figures.graph import EdgeKind
from tests.gui.conftest import AnsweringDialogs

LEFT, CONTROL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier


def _run(window: MainWindow, qtbot) -> None:
    with qtbot.waitSignal(window.session.running.finished, timeout=120_000):
        QTest.keyClick(window, Qt.Key.Key_R, CONTROL)


def test_women_only_against_all(
    opened: Callable[[Path], MainWindow], dialogs: AnsweringDialogs, qtbot, tmp_path: Path
) -> None:
    window = opened(examples()[0].path)
    window.session.live.set_wanted(False)
    document, data = window.session.document, window.page("data")
    QTest.mouseClick(data.primary, LEFT)
    _run(window, qtbot)
    # Signs are those of the sizes, which are measured while the results are looked at.
    qtbot.waitUntil(lambda: document.result.effects is not None, timeout=60_000)
    window.go("data")
    data.tabs.setCurrentWidget(data.steps)
    with qtbot.waitSignal(window.session.steps.counted):
        QTest.keyClicks(data.steps.condition, 'Sex = "female"')
    QTest.mouseClick(data.steps.keep, LEFT)
    women = document.analysis.dataset
    assert set(women.column("Sex").tolist()) == {women.variable("Sex").levels.index("female")}
    _run(window, qtbot)
    qtbot.waitUntil(lambda: document.result.effects is not None, timeout=60_000)
    window.go("runs")
    page = window.page("runs")
    assert isinstance(page, RunsPage)
    qtbot.waitUntil(lambda: page.comparison.is_filled)
    view = page.comparison
    all_rows, of_women = document.history.runs
    assert (view.first.currentText(), view.second.currentText()) == ("α 0.01", 'Sex = "female"')
    assert view.comparison.rows == (800, women.row_count)
    text = view.overview.toPlainText()
    assert "searched 480 rows, and “α 0.01” 800. With fewer rows, fewer links are found" in text
    assert "1 variable takes part in “α 0.01” only: Sex." in text
    assert (
        "need not itself be significant" in text and "Directions of association are not compared" not in text
    )
    sets = all_rows.result.total_label_sets, of_women.result.total_label_sets
    # Table, grid and graph say of every link where it was found.
    table, links = view.table.model, view.comparison.link_changes
    for row in range(table.rowCount()):
        name, _, *cells = (table.index(row, column).data() for column in range(4))
        for label_sets, cell in zip(sets, cells, strict=True):
            assert set(filter(None, cell.split(", "))) == label_sets.get(name, frozenset())
    content = compared_graph(view.comparison.feature_changes, women.labels)
    edges = {(edge.start, edge.end): edge.kind for edge in content.edges}
    for tab in range(1, view.tabs.count()):
        view.tabs.setCurrentIndex(tab)
        qtbot.waitUntil(lambda: view.is_filled)
    for link in links:
        where, kind = _LOOKS[meaning_of(link)]
        assert tuple(link.label in label_sets.get(link.feature, ()) for label_sets in sets) == where
        assert edges[link.feature, link.label] is kind
        assert link.feature in view.grid.grid.grid.row_of
    assert {WENT, SAME} <= set(map(meaning_of, links))
    # Chosen for the report, it stands there, is kept by the project, and goes by undo.
    view.into_report.trigger()
    window.go("report")
    preview = window.page("report").preview
    qtbot.waitUntil(lambda: "Two runs side by side" in preview.toPlainText(), timeout=60_000)
    text = preview.toPlainText().replace(BREAK, "")
    assert "1 disappeared: it is linked to a label in “α 0.01” only: Night shifts." in text
    dialogs.project = tmp_path / "women.clcd"
    with qtbot.waitSignal(window.session.saving.saved, timeout=60_000):
        QTest.keyClick(window, Qt.Key.Key_S, CONTROL)
    document.undo_stack.undo()
    assert document.reported.compared is None and not view.into_report.isChecked()
    opened(tmp_path / "women.clcd")
    assert [run.name for run in document.reported.compared] == ["α 0.01", 'Sex = "female"']


_LOOKS = {
    CAME: ((False, True), EdgeKind.CAME),
    WENT: ((True, False), EdgeKind.WENT),
    SAME: ((True, True), EdgeKind.SAME),
    SAID_OTHERWISE: ((True, True), EdgeKind.SAID_OTHERWISE),
}
