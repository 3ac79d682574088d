"""The graph: what is drawn, that it can be read, and how long it takes to paint."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QObject, QPoint, QPointF, Qt
from PySide6.QtGui import (
    QColor,
    QFontInfo,
    QPainter,
    QPainterPath,
    QPainterPathStroker,
    QPen,
    QPixmap,
    QWheelEvent,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QGraphicsPathItem,
    QGraphicsPolygonItem,
    QGraphicsSimpleTextItem,
    QLabel,
)

import engine
from clcd_gui.document.navigation import Highlight, SelectedPair
from clcd_gui.plots.graph_items import node_sizes
from clcd_gui.plots.graph_view import GraphView, layouts
from clcd_gui.plots.legend import LegendStrip
from clcd_gui.resource_path import resource_path
from clcd_gui.results.graph_panel import GraphPanel
from clcd_gui.style.themes import Scheme, ThemeSwitcher, follow_theme, stepped
from clcd_gui.style.tokens import CONTROL_HEIGHT, DARK, LIGHT
from engine.discovery.evidence import Relation, relation_of
from engine.discovery.result import DiscoveryResult
from engine.reporting.figures.graph import (
    BESIDE,
    DIAMETER,
    EdgeKind,
    GraphContent,
    GraphLayout,
    NodeKind,
    graph_content,
)
from engine.reporting.figures.graph_layout import lay_out
from tests.effort import relative_effort
from tests.engine.reporting.test_figures import contrast
from tests.gui.conftest import settle
from tests.gui.results_factory import SHAPES, make_result


@pytest.fixture
def highlight() -> Highlight:
    return Highlight()


@pytest.fixture
def panel(qtbot, highlight: Highlight) -> GraphPanel:
    graph_panel = GraphPanel(highlight)
    qtbot.addWidget(graph_panel)
    graph_panel.resize(1000, 720)
    graph_panel.set_findings(SHAPES["usual"]().findings)
    with qtbot.waitExposed(graph_panel):
        graph_panel.show()
    qtbot.waitUntil(lambda: bool(graph_panel.view.graph.nodes))
    return graph_panel


def test_a_graph_of_usual_size_is_laid_out_beside_the_window(qtbot, highlight: Highlight) -> None:
    graph_panel = GraphPanel(highlight)
    qtbot.addWidget(graph_panel)
    with qtbot.waitExposed(graph_panel):
        graph_panel.show()
    graph_panel.set_findings(SHAPES["usual"]().findings)
    assert graph_panel.content.nodes and not graph_panel.view.graph.nodes
    assert graph_panel._status.text() == "Arranging the graph…"
    qtbot.waitUntil(lambda: len(graph_panel.view.graph.nodes) == len(graph_panel.content.nodes))
    assert graph_panel._status.text() == "14 variables shown"


def test_nothing_of_another_table_is_seen_while_a_graph_is_laid_out(panel: GraphPanel, qtbot) -> None:
    panel.hide()
    panel.set_findings(SHAPES["chinese"]().findings)
    with qtbot.waitExposed(panel):
        panel.show()
    assert not panel.view.graph.nodes
    qtbot.waitUntil(lambda: bool(panel.view.graph.nodes))
    assert {node.name for node in panel.content.nodes} == panel.view.graph.nodes.keys()


@pytest.mark.parametrize("shape", ["usual", "many labels", "chinese", "one label"])
def test_a_graph_opens_whole_and_readable_in_the_room_of_a_small_window(
    shape: str, highlight: Highlight, qtbot
) -> None:
    graph_panel = GraphPanel(highlight)
    qtbot.addWidget(graph_panel)
    # What a window of 1024 × 700 leaves beside the evidence.
    graph_panel.resize(572, 440)
    graph_panel.set_findings(SHAPES[shape]().findings)
    with qtbot.waitExposed(graph_panel):
        graph_panel.show()
    qtbot.waitUntil(lambda: bool(graph_panel.view.graph.nodes) and graph_panel._in_the_making is None)
    view = graph_panel.view
    shown = view.mapFromScene(view.graph.itemsBoundingRect()).boundingRect()
    assert view.viewport().rect().contains(shown)
    assert view.transform().m11() * QFontInfo(view.font()).pixelSize() >= 7.0


def test_the_legend_names_what_is_drawn_in_two_rows_until_it_is_unfolded(highlight: Highlight, qtbot) -> None:
    graph_panel = GraphPanel(highlight)
    qtbot.addWidget(graph_panel)
    graph_panel.resize(300, 440)
    graph_panel.set_findings(SHAPES["one label"]().findings)
    with qtbot.waitExposed(graph_panel):
        graph_panel.show()
    qtbot.waitUntil(lambda: bool(graph_panel.view.graph.nodes))
    legend = graph_panel.findChild(LegendStrip)
    words = legend.accessibleDescription()
    assert "label-specific:" in words and "common:" not in words and "label to label:" not in words
    folded = legend.height()
    assert graph_panel.legend_button.text() == "Show whole legend"
    QTest.mouseClick(graph_panel.legend_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: legend.height() > folded)
    graph_panel.resize(1400, 440)
    qtbot.waitUntil(lambda: not graph_panel.legend_button.isVisible())


def test_a_layout_that_comes_late_is_not_taken_for_another_result(qtbot, highlight: Highlight) -> None:
    graph_panel = GraphPanel(highlight)
    qtbot.addWidget(graph_panel)
    graph_panel.resize(1000, 720)
    graph_panel.set_findings(SHAPES["usual"]().findings)
    graph_panel.show()
    qtbot.waitUntil(lambda: bool(graph_panel.content.nodes), timeout=5000)
    assert not graph_panel.view.graph.nodes
    graph_panel.hide()
    graph_panel.set_findings(SHAPES["chinese"]().findings)
    # Long enough for what is under way beside.
    qtbot.wait(500)
    assert not graph_panel.view.graph.nodes


def sizes_of(content: GraphContent, view: GraphView) -> dict[str, tuple[float, float]]:
    return node_sizes(content.nodes, view.font())


@pytest.mark.parametrize("shape", ["usual", "many labels", "one label", "chinese", "partial"])
def test_counts_are_those_of_the_result(shape: str) -> None:
    result = SHAPES[shape]()
    findings = result.findings
    content = graph_content(findings, 10_000, 10_000)
    kinds = Counter(node.kind for node in content.nodes)
    assert kinds[NodeKind.COMMON] == len(result.common)
    assert kinds[NodeKind.LABEL_SPECIFIC] == len(result.label_specific)
    edges = Counter(edge.kind for edge in content.edges)
    relations = Counter(relation_of(reasons[0].rule) for reasons in result.evidence.values())
    assert edges[EdgeKind.NEIGHBOUR] == relations[Relation.NEIGHBOUR]
    assert edges[EdgeKind.SPOUSE] == relations[Relation.SPOUSE]
    assert edges[EdgeKind.LABEL_RELATION] == len(
        {frozenset((record.feature, record.label)) for record in result.label_evidence.values()}
    )
    twins = {
        frozenset((reasons[0].feature, member))
        for reasons in result.evidence.values()
        if reasons[0].rule.is_equivalent
        for member in reasons[0].partner
    }
    assert edges[EdgeKind.INTERCHANGEABLE] == len(twins)
    assert content.hidden_features == content.hidden_labels == 0
    names = {node.name for node in content.nodes}
    assert all({edge.start, edge.end} <= names for edge in content.edges)


def test_no_more_than_can_be_read() -> None:
    findings = SHAPES["large"]().findings
    content = graph_content(findings, 40, 12)
    labels = [node for node in content.nodes if node.kind is NodeKind.LABEL]
    features = [node for node in content.nodes if node.kind is not NodeKind.LABEL]
    assert len(labels) <= 12
    assert len(features) <= 40
    assert len(features) + content.hidden_features == len(findings.all)
    connected = {name for edge in content.edges for name in (edge.start, edge.end)}
    assert {node.name for node in features} <= connected


def test_only_what_counts_for_one_label() -> None:
    findings = SHAPES["many labels"]().findings
    content = graph_content(findings, 10_000, 10_000, around="label 12")
    features = {node.name for node in content.nodes if node.kind is not NodeKind.LABEL}
    assert features == {finding.feature for finding in findings.of_label("label 12")}


@pytest.mark.parametrize("shape", ["usual", "long names", "one label", "chinese", "many labels"])
def test_names_do_not_overlap(qtbot, highlight: Highlight, shape: str) -> None:
    view = GraphView(highlight)
    qtbot.addWidget(view)
    content = graph_content(SHAPES[shape]().findings, 60, 24)
    view.show_graph(content, GraphLayout(lay_out(content, sizes_of(content, view), {})))
    boxes = [
        item.mapToScene(item.boundingRect().united(item.childrenBoundingRect())).boundingRect()
        for item in view.graph.nodes.values()
    ]
    for place, box in enumerate(boxes):
        for earlier in boxes[:place]:
            common = box.intersected(earlier)
            # A halo of a few pixels may touch; letters may not.
            assert min(common.width(), common.height()) < 9 or common.isEmpty()


def survey_result() -> DiscoveryResult:
    table, labels = (resource_path("examples", f"hospital-survey.{ending}") for ending in ("csv", "xml"))
    return engine.discover(engine.prepare(engine.read_dataset(table, labels=labels)))


def simulated_result(labels: int) -> DiscoveryResult:
    network = engine.simulate(labels=labels, features=4 * labels, rows=1500, seed=31 + labels)
    return engine.discover(network.dataset)


RESULTS = {
    "survey": survey_result,
    "6 labels": lambda: simulated_result(6),
    "20 labels": lambda: simulated_result(20),
    "40 labels": lambda: simulated_result(40),
    **{f"made: {shape}": SHAPES[shape] for shape in ("usual", "long names", "chinese", "many labels")},
}


def foreign_nodes_touched(view: GraphView) -> list[tuple[str, str, str]]:
    """List the lines that touch a node which they neither begin nor end at nor are said to pass.

    Everything is asked of what is drawn: the outlines of the items as the painter strokes them.
    """
    filled = {}
    for name, item in view.graph.nodes.items():
        outline = item.mapToScene(item.path())
        for child in item.childItems():
            if isinstance(child, QGraphicsSimpleTextItem):
                outline.addRect(child.mapRectToScene(child.boundingRect()))
        outline.setFillRule(Qt.FillRule.WindingFill)
        filled[name] = outline
    touched = []
    for line in view.graph.edges:
        drawn = QPainterPath()
        for part in (line, *line.childItems()):
            if isinstance(part, QGraphicsPathItem):
                stroker = QPainterPathStroker(QPen(Qt.GlobalColor.black, part.pen().widthF()))
                drawn.addPath(stroker.createStroke(part.path()))
            elif isinstance(part, QGraphicsPolygonItem):
                drawn.addPolygon(part.polygon())
        drawn.setFillRule(Qt.FillRule.WindingFill)
        touched += [
            (line.edge.start, line.edge.end, name)
            for name, outline in filled.items()
            if name not in line.names and drawn.intersects(outline)
        ]
    return touched


@pytest.mark.parametrize(
    "kind",
    # Half as many labels fill the graph as well, and are searched in a quarter of the time.
    [pytest.param(kind, marks=pytest.mark.long) if kind == "40 labels" else kind for kind in RESULTS],
)
def test_no_line_touches_a_node_that_is_not_its_end(qtbot, highlight: Highlight, kind: str) -> None:
    view = GraphView(highlight)
    qtbot.addWidget(view)
    content = graph_content(RESULTS[kind]().findings, 48, 24)
    *_, layout = layouts(content, sizes_of(content, view), {}, {})
    view.show_graph(content, GraphLayout(layout.positions))
    straight = foreign_nodes_touched(view)
    view.show_graph(content, layout)
    assert foreign_nodes_touched(view) == []
    if len(content.nodes) > 40:
        assert straight, "nothing is in the way of a straight line, so this shows nothing"


def test_a_line_that_bends_still_goes_from_node_to_node(qtbot, highlight: Highlight) -> None:
    view = GraphView(highlight)
    qtbot.addWidget(view)
    content = graph_content(SHAPES["many labels"]().findings, 48, 24)
    *_, layout = layouts(content, sizes_of(content, view), {}, {})
    assert any(len(way) > 2 for ways in layout.ways for way in ways)
    for edge, ways in zip(content.edges, layout.ways, strict=True):
        assert ways[0][0] == pytest.approx(layout.positions[edge.start])
        assert ways[0][-1] == pytest.approx(layout.positions[edge.through or edge.end])
        if edge.through:
            aside = np.subtract(ways[1][-1], layout.positions[edge.end])
            assert np.hypot(*aside) == pytest.approx(BESIDE)


@pytest.mark.parametrize("above", [True, False])
def test_a_line_from_below_ends_at_the_name(qtbot, highlight: Highlight, above: bool) -> None:
    view = GraphView(highlight)
    qtbot.addWidget(view)
    content = graph_content(SHAPES["one label"]().findings, 1, 1)
    label, feature = (node.name for node in content.nodes)
    down = -200.0 if above else 200.0
    view.show_graph(content, GraphLayout({feature: (0.0, 0.0), label: (0.0, down)}))
    (line,) = view.graph.edges
    drawn, name = line.path().boundingRect(), view.graph.nodes[feature].childrenBoundingRect()
    if above:
        assert drawn.bottom() == pytest.approx(-DIAMETER / 2, abs=3)
    else:
        assert drawn.top() == pytest.approx(name.bottom(), abs=6)


def test_a_dragged_node_is_led_around(panel: GraphPanel, qtbot) -> None:
    view = panel.view
    line = next(line for line in view.graph.edges if not line.edge.through)
    ends = view.graph.nodes[line.edge.start].pos(), view.graph.nodes[line.edge.end].pos()
    name, node = next((name, node) for name, node in view.graph.nodes.items() if name not in line.names)
    node.setPos((ends[0] + ends[1]) / 2)
    assert (line.edge.start, line.edge.end, name) in foreign_nodes_touched(view)
    view.moved.emit({name: (node.pos().x(), node.pos().y())})
    qtbot.waitUntil(lambda: (line.edge.start, line.edge.end, name) not in foreign_nodes_touched(view))


def test_layout_is_the_same_every_time(qtbot, highlight: Highlight) -> None:
    view = GraphView(highlight)
    qtbot.addWidget(view)
    content = graph_content(SHAPES["many labels"]().findings, 60, 24)
    sizes = sizes_of(content, view)
    assert lay_out(content, sizes, {}) == lay_out(content, sizes, {})
    fixed = {content.nodes[3].name: (12.0, -345.0)}
    assert lay_out(content, sizes, fixed)[content.nodes[3].name] == (12.0, -345.0)


def test_click_selects_and_neighbours_stand_out(panel: GraphPanel, highlight: Highlight) -> None:
    view = panel.view
    node = next(item for item in view.graph.nodes.values() if item.node.kind is NodeKind.COMMON)
    place = view.mapFromScene(node.pos())
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert highlight.pair == SelectedPair(node.node.name, None)
    touching = {name for edge in node.edges for name in edge.names} | {node.node.name}
    bright = {name for name, item in view.graph.nodes.items() if item.opacity() == 1.0}
    assert node.node.name in bright
    assert bright <= touching
    assert len(bright) < len(view.graph.nodes)
    empty = view.viewport().rect().topLeft() + place.__class__(3, 3)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=empty)
    assert highlight.pair.is_empty
    assert all(item.opacity() == 1.0 for item in view.graph.nodes.values())


def test_a_dragged_node_stays_where_it_was_put(panel: GraphPanel, qtbot) -> None:
    view = panel.view
    name, node = next(iter(view.graph.nodes.items()))
    start = view.mapFromScene(node.pos())
    end = start + start.__class__(40, 25)
    QTest.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=start)
    for share in (0.3, 0.6, 1.0):
        QTest.mouseMove(view.viewport(), start + (end - start) * share)
    QTest.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=end)
    put = node.pos()
    panel.set_findings(SHAPES["usual"]().findings)
    again = view.graph.nodes[name].pos()
    assert (again - put).manhattanLength() < 1.0
    assert (view.mapFromScene(again) - start).manhattanLength() > 0


def test_keys_walk_from_node_to_node(panel: GraphPanel, highlight: Highlight, qtbot) -> None:
    panel.view.setFocus()
    QTest.keyClick(panel.view, Qt.Key.Key_Right)
    first = highlight.pair
    assert not first.is_empty
    QTest.keyClick(panel.view, Qt.Key.Key_Down)
    assert highlight.pair != first
    with qtbot.waitSignal(highlight.why_requested):
        QTest.keyClick(panel.view, Qt.Key.Key_Space)
    QTest.keyClick(panel.view, Qt.Key.Key_Escape)
    assert highlight.pair.is_empty


def distance(first: QPoint, second: QPoint) -> int:
    return (first - second).manhattanLength()


def test_what_is_under_the_pointer_stays_there_while_scroll_bars_come(panel: GraphPanel) -> None:
    view = panel.view
    # As wide and high as what is drawn: both bars come with the first step.
    area = view.graph.content_rect().size().toSize()
    view.setFixedSize(area)
    view.fit()
    place = view.viewport().rect().center() - QPoint(60, 40)
    seen = view.mapToScene(place)
    for _ in range(3):
        turn_wheel(view, place)
        assert view.horizontalScrollBar().isVisible() and view.verticalScrollBar().isVisible()
        assert distance(view.mapFromScene(seen), place) <= 2
    view.fit()
    assert not view.horizontalScrollBar().isVisible() and not view.verticalScrollBar().isVisible()


def test_keys_zoom_about_the_middle(panel: GraphPanel) -> None:
    view = panel.view
    view.setFixedSize(view.graph.content_rect().size().toSize())
    view.fit()
    middle = view.viewport().rect().center()
    seen = view.mapToScene(middle)
    QTest.keyClick(view, Qt.Key.Key_Plus)
    assert view.horizontalScrollBar().isVisible()
    assert distance(view.mapFromScene(seen), middle) <= 2


def test_a_wheel_that_is_turned_sideways_leaves_everything_in_view(panel: GraphPanel) -> None:
    view = panel.view
    turn_wheel(view, view.viewport().rect().center(), QPoint(120, 0))
    before = view.transform().m11()
    panel.resize(panel.width() // 2, panel.height() // 2)
    assert view.transform().m11() < before, "it is fitted to the smaller room"


def turn_wheel(view: GraphView, place: QPoint, angle: QPoint | None = None) -> None:
    event = QWheelEvent(
        QPointF(place),
        QPointF(view.viewport().mapToGlobal(place)),
        QPoint(),
        angle or QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view.viewport(), event)


def test_find_and_show_more(qtbot, highlight: Highlight) -> None:
    panel = GraphPanel(highlight)
    qtbot.addWidget(panel)
    panel.resize(900, 650)
    panel.set_findings(SHAPES["many labels"]().findings)
    panel.show()
    qtbot.waitUntil(lambda: bool(panel.view.graph.nodes))
    shown = len(panel.content.nodes)
    assert panel.more_button.isVisible()
    QTest.mouseClick(panel.more_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(panel.view.graph.nodes) > shown)
    hidden = next(
        finding.feature
        for finding in SHAPES["many labels"]().findings.label_specific
        if finding.feature not in panel.view.graph.nodes
    )
    panel.find_box.setText(hidden)
    QTest.keyClick(panel.find_box, Qt.Key.Key_Return)
    assert highlight.feature == hidden
    qtbot.waitUntil(lambda: hidden in panel.view.graph.nodes)
    panel.find_box.setText("nothing is called so")
    QTest.keyClick(panel.find_box, Qt.Key.Key_Return)
    assert highlight.feature == hidden


def test_names_of_earlier_findings_are_not_kept(panel: GraphPanel) -> None:
    def counts() -> dict[str, int]:
        return Counter(type(descendant).__name__ for descendant in panel.findChildren(QObject))

    def show_in_turn(times: int) -> None:
        for _ in range(times):
            panel.set_findings(None)
            panel.set_findings(SHAPES["usual"]().findings)
        settle()

    show_in_turn(3)
    after_three = counts()
    show_in_turn(7)
    assert counts() == after_three


def test_nothing_found_says_so(qtbot, highlight: Highlight) -> None:
    panel = GraphPanel(highlight)
    qtbot.addWidget(panel)
    panel.set_findings(SHAPES["no findings"]().findings)
    panel.show()
    qtbot.waitUntil(lambda: not panel.view.isVisible())
    assert panel.content.edges == ()


def test_one_variable_is_counted_as_one(qtbot, highlight: Highlight) -> None:
    panel = GraphPanel(highlight)
    qtbot.addWidget(panel)
    panel.set_findings(make_result(labels=("ill",), features=1, common=0, specific=1).findings)
    panel.show()
    qtbot.waitUntil(lambda: "1 variable shown" in [label.text() for label in panel.findChildren(QLabel)])


def test_three_hundred_nodes_paint_in_time(qtbot, highlight: Highlight) -> None:
    findings = make_result(labels=24, features=400, common=260, specific=20, related=20, seed=2).findings
    content = graph_content(findings, 280, 24)
    assert len(content.nodes) >= 300
    view = GraphView(highlight)
    qtbot.addWidget(view)
    view.resize(1440, 900)
    view.show_graph(content, GraphLayout(lay_out(content, sizes_of(content, view), {})))
    with qtbot.waitExposed(view):
        view.show()
    picture = QPixmap(view.viewport().size())
    # One and a half times when measured, as many lines are dotted; round dots would take eight times.
    assert relative_effort(view.viewport().repaint, lambda: draw_one_by_one(content, view, picture), 12) < 2


def draw_one_by_one(content: GraphContent, view: GraphView, picture: QPixmap) -> None:
    """Draw as many solid lines, ovals and words, where the view shows them."""
    places = {name: QPointF(*place) for name, place in view.graph.positions().items()}
    picture.fill()
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setTransform(view.viewportTransform())
    painter.setPen(QPen(Qt.GlobalColor.black, 2.0))
    for edge in content.edges:
        way = [edge.start, edge.through, edge.end] if edge.through else [edge.start, edge.end]
        for start, end in pairwise(way):
            painter.drawLine(places[start], places[end])
    for node in content.nodes:
        painter.drawEllipse(places[node.name], DIAMETER / 2, DIAMETER / 2)
        painter.drawText(places[node.name], node.name)
    painter.end()


def test_its_controls_have_room_beside_the_evidence_in_larger_text(highlight: Highlight, qtbot) -> None:
    look = ThemeSwitcher(QApplication.instance(), Scheme.LIGHT)
    panel = GraphPanel(highlight)
    qtbot.addWidget(panel)
    follow_theme(panel)
    panel.set_findings(SHAPES["no findings"]().findings)
    panel.show()
    look.set_zoom(stepped(1.0, 4))
    qtbot.waitUntil(lambda: not look._later.is_waiting)
    # As wide as it is in a window of 1024 points: with less than it needs, the choice of labels is cut off.
    assert panel.layout().minimumSize().width() <= 485
    room = panel.label_box.minimumSizeHint().width() - CONTROL_HEIGHT
    assert room >= panel.label_box.fontMetrics().horizontalAdvance("All labels")
    look.set_zoom(1.0)
    qtbot.waitUntil(lambda: not look._later.is_waiting)
    look.deleteLater()


def test_names_can_be_read_in_a_small_window_and_all_is_a_click_away(
    panel: GraphPanel, highlight: Highlight, qtbot
) -> None:
    view = panel.view
    name = max(view.graph.nodes, key=lambda name: view.graph.nodes[name].pos().y())
    highlight.select(name)
    area = view.graph.content_rect()
    view.setFixedSize((area.size() * 0.5).toSize())
    qtbot.waitUntil(lambda: view.transform().m11() * QFontInfo(view.font()).pixelSize() >= 9.4)
    assert view.viewport().rect().contains(view.mapFromScene(view.graph.nodes[name].pos()))
    assert view.verticalScrollBar().isVisible() or view.horizontalScrollBar().isVisible()
    # What is not near is set back, and can be read all the same: contrast 4.5:1 in both themes.
    faded = min(item.opacity() for item in view.graph.nodes.values())
    for theme in (LIGHT, DARK):
        mixed = [
            round(faded * QColor(theme.text).getRgb()[tone] + (1 - faded) * QColor(theme.base).getRgb()[tone])
            for tone in range(3)
        ]
        assert contrast(QColor(*mixed).name(), theme.base) >= 4.5
    view.fit()
    assert view.viewport().rect().contains(view.mapFromScene(area).boundingRect().adjusted(2, 2, -2, -2))
