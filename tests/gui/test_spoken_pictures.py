"""What screen readers hear of the graph and the grid, asked as they ask it."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from clcd_gui.document.navigation import Highlight, SelectedPair
from clcd_gui.results.graph_panel import GraphPanel
from clcd_gui.widgets.grid_panel import GridPanel
from tests.gui.results_factory import SHAPES

FINDINGS = SHAPES["usual"]().findings


@pytest.fixture
def highlight() -> Highlight:
    return Highlight()


@pytest.fixture
def graph(qtbot, highlight: Highlight) -> GraphPanel:
    panel = GraphPanel(highlight)
    qtbot.addWidget(panel)
    panel.resize(900, 600)
    panel.set_findings(FINDINGS)
    panel.show()
    qtbot.waitUntil(lambda: bool(panel.view.graph.nodes))
    return panel


@pytest.fixture
def grid(qtbot, highlight: Highlight) -> GridPanel:
    panel = GridPanel(highlight)
    qtbot.addWidget(panel)
    panel.resize(900, 600)
    panel.set_findings(FINDINGS)
    with qtbot.waitExposed(panel):
        panel.show()
    return panel


def marks(widget: QWidget) -> Iterator[QAccessibleInterface]:
    picture = QAccessible.queryAccessibleInterface(widget)
    assert picture.role() is QAccessible.Role.List
    for place in range(picture.childCount()):
        # A screen reader keeps what it has asked for by a number.
        assert QAccessible.uniqueId(picture.child(place))
        yield picture.child(place)


def names(widget: QWidget) -> list[str]:
    return [mark.text(QAccessible.Text.Name) for mark in marks(widget)]


def test_every_node_is_named_with_what_it_is_linked_to(graph: GraphPanel) -> None:
    spoken = names(graph.view)
    nodes = list(graph.view.graph.nodes)
    assert [text.split(",")[0] for text in spoken] == nodes
    for finding in FINDINGS.all:
        text = spoken[nodes.index(finding.feature)]
        assert ("common" if finding.is_common else "label-specific") in text
        assert all(label in text for label in finding.labels)
    common = FINDINGS.common[0]
    assert common.feature in spoken[nodes.index(common.labels[0])]


def test_nodes_are_where_they_are_seen(graph: GraphPanel) -> None:
    picture = QAccessible.queryAccessibleInterface(graph.view)
    for mark in marks(graph.view):
        middle = mark.rect().center()
        assert picture.rect().contains(mark.rect())
        accessible = picture.childAt(middle.x(), middle.y())
        assert accessible.text(QAccessible.Text.Name) == mark.text(QAccessible.Text.Name)


def test_keys_reach_every_node_and_the_selection_is_heard(graph: GraphPanel, highlight: Highlight) -> None:
    view = graph.view
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Home)
    reached = []
    for _ in view.graph.nodes:
        selected = [mark for mark in marks(view) if mark.state().selected]
        assert len(selected) == 1
        reached.append(selected[0].text(QAccessible.Text.Name))
        assert view.accessibleDescription() == reached[-1]
        assert highlight.pair.feature == reached[-1].split(",")[0] or highlight.pair.feature is None
        QTest.keyClick(view, Qt.Key.Key_PageDown)
    assert reached == names(view)


def test_every_filled_cell_is_named(grid: GridPanel, highlight: Highlight) -> None:
    spoken = names(grid.grid)
    pairs = {(finding.feature, label) for finding in FINDINGS.all for label in finding.labels}
    assert {tuple(text.split(", ")[:2]) for text in spoken} == pairs
    assert all("strength" in text for text in spoken)
    finding = FINDINGS.common[0]
    highlight.select(finding.feature, finding.labels[0])
    selected = [mark.text(QAccessible.Text.Name) for mark in marks(grid.grid) if mark.state().selected]
    assert [text.split(", ")[:2] for text in selected] == [[finding.feature, finding.labels[0]]]
    assert highlight.pair == SelectedPair(finding.feature, finding.labels[0])


def test_what_was_asked_for_outlives_another_result(graph: GraphPanel, qtbot) -> None:
    before = list(marks(graph.view))
    graph.set_findings(SHAPES["one label"]().findings)
    qtbot.waitUntil(lambda: "ill" in graph.view.graph.nodes)
    count = len(graph.view.graph.nodes)
    assert [mark.isValid() for mark in before] == [place < count for place in range(len(before))]
    assert before[-1].text(QAccessible.Text.Name) == ""
    assert len(names(graph.view)) == count


_PROGRAM = """
import gc
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtCore import Qt
from clcd_gui.app import make_application
application = make_application(["test"])
QAccessible.setActive(True)
from clcd_gui.document.navigation import Highlight
from clcd_gui.results.graph_panel import GraphPanel
from tests.gui.results_factory import SHAPES
panel = GraphPanel(Highlight())
panel.set_findings(SHAPES["usual"]().findings)
panel.show()
while not panel.view.graph.nodes:
    QTest.qWait(20)
panel.view.setFocus()
def walk(heard):
    QAccessible.uniqueId(heard)
    return 1 + sum(walk(heard.child(place)) for place in range(heard.childCount()) if heard.child(place))
QTest.keyClick(panel.view, Qt.Key.Key_Down)
print(walk(QAccessible.queryAccessibleInterface(panel)) > 20)
del panel
gc.collect()
QTest.qWait(20)
print("done")
"""


def test_a_program_that_was_listened_to_ends_well() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", _PROGRAM], capture_output=True, text=True, timeout=120, check=False
    )
    gc.collect()
    assert (ended.returncode, ended.stdout.split()) == (0, ["True", "done"]), ended.stderr
