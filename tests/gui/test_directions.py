"""Causes and effects in the window: tables, evidence, graph, overview."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor

import engine
from clcd_gui.document.navigation import SelectedPair
from clcd_gui.evidence.answers import EvidenceText
from clcd_gui.plots.graph_view import GraphScene
from clcd_gui.plots.marks import arrowhead, on_box, on_circle
from clcd_gui.results.results_page import overview_html
from clcd_gui.style.tokens import LIGHT
from clcd_gui.widgets.finding_table_model import window_model
from engine.discovery import tables
from engine.discovery.orientation.direction import Because, Direction, Grade
from engine.discovery.result import DiscoveryResult
from engine.reporting.figures.graph import (
    Edge,
    EdgeKind,
    GraphContent,
    GraphFigure,
    GraphLayout,
    Node,
    NodeKind,
    graph_content,
)


@pytest.fixture(scope="module")
def result() -> DiscoveryResult:
    network = engine.simulate(labels=6, features=60, rows=4000, seed=3)
    return engine.discover(network.dataset)


def _column(model, title: str) -> int:
    heads = [model.headerData(place, Qt.Orientation.Horizontal) for place in range(model.columnCount())]
    return heads.index(title)


def test_tables_say_the_direction_that_the_engine_says(qapp, result: DiscoveryResult) -> None:
    for table, findings, expected in (
        (tables.COMMON, result.findings.common, result.common),
        (tables.LABEL_SPECIFIC, result.findings.label_specific, result.label_specific),
    ):
        model = window_model(table)
        model.set_findings(findings)
        for finding in findings:
            model.unfold(finding.feature)
        assert model.rowCount() == len(model.findings) == len(findings)
        place = _column(model, "Direction")
        shown = {
            model.finding_at(row).feature: model.index(row, place).data() for row in range(len(findings))
        }
        for feature, grade, direction in zip(
            expected["feature"], expected["grade"], expected["direction"], strict=True
        ):
            text = shown[feature]
            if table is tables.COMMON and "  " in text:
                assert len(text.split("  ")) == len(result.label_sets[feature]), "a sign for each label"
            elif table is tables.LABEL_SPECIFIC and grade != "undecided":
                assert text == grade
            elif table is tables.LABEL_SPECIFIC and direction in ("cause", "effect"):
                assert text == f"{direction}, if nothing is hidden"
            elif table is tables.LABEL_SPECIFIC:
                assert text == direction
        tips = [model.index(row, place).data(Qt.ItemDataRole.ToolTipRole) for row in range(len(findings))]
        assert all(tips)


def test_why_says_what_tells_a_direction_and_shows_its_tests(result: DiscoveryResult) -> None:
    text = EvidenceText(result)
    decided = [orientation for orientation in result.orientation_records.values() if orientation.because]
    assert decided
    for orientation in decided:
        page = text.write(SelectedPair(orientation.feature, orientation.label))
        assert "Cause or effect" in page
        assert ("is a cause of" if orientation.direction is Direction.CAUSE else "is an effect of") in page
        if orientation.because is Because.BEST_GRAPH:
            assert "of all graphs" in page.lower()
        else:
            assert ": not significant" in page and ": significant" in page


def test_why_does_not_guess(result: DiscoveryResult) -> None:
    text = EvidenceText(result)
    undecided = [
        orientation
        for orientation in result.orientation_records.values()
        if orientation.direction is Direction.UNDECIDED and orientation.pair in result.evidence
    ]
    assert undecided
    page = text.write(SelectedPair(undecided[0].feature, undecided[0].label))
    assert "The data do not show which" in page
    assert "Cause or effect" not in page


def test_the_graph_points_at_effects_and_nowhere_else(qapp, result: DiscoveryResult) -> None:
    content = graph_content(result.findings, 500, 50)
    for edge in content.edges:
        if edge.kind in (EdgeKind.NEIGHBOUR, EdgeKind.LABEL_RELATION):
            direction = result.direction(edge.start, edge.end)
            expected = {Direction.CAUSE: edge.end, Direction.EFFECT: edge.start}.get(direction, "")
            assert edge.effect == expected
        else:
            assert edge.effect == ""
    assert any(edge.effect for edge in content.edges)


def test_a_head_touches_its_effect_and_follows_it(qapp, result: DiscoveryResult) -> None:
    content = graph_content(result.findings, 500, 50)
    positions = {node.name: (90.0 * place, 60.0 * (place % 5)) for place, node in enumerate(content.nodes)}
    scene = GraphScene(qapp.font(), LIGHT)
    scene.build(content, GraphLayout(positions))
    line = next(edge for edge in scene.edges if edge.edge.effect)
    effect = scene.nodes[line.edge.effect]
    effect.setPos(effect.pos() + QPointF(300, 400))
    head = line.ends[line.edge.effect].sceneBoundingRect()
    assert head.adjusted(-4, -4, 4, 4).intersects(effect.sceneBoundingRect())
    assert head.width() < 40


def test_an_arrow_shows_what_holds_even_if_something_is_hidden(qapp) -> None:
    """What is not an effect has a ring; an arrow that assumes that nothing is hidden has an empty head."""
    nodes = (Node("ill", NodeKind.LABEL), Node("dose", NodeKind.COMMON))
    marks = {}
    for grade in (Grade.CAUSE, Grade.NOT_EFFECT, Grade.UNDECIDED, Grade.HIDDEN_IN_COMMON):
        effect = "" if grade is Grade.HIDDEN_IN_COMMON else "ill"
        edge = Edge(EdgeKind.NEIGHBOUR, "dose", "ill", 0.5, effect=effect, grade=grade)
        scene = GraphScene(qapp.font(), LIGHT)
        scene.build(GraphContent(nodes, (edge,)), GraphLayout({"ill": (0.0, 0.0), "dose": (200.0, 0.0)}))
        (line,) = scene.edges
        filled = {name: mark.brush().color() != QColor(LIGHT.base) for name, mark in line.ends.items()}
        marks[grade] = filled
        places = (0.0, 0.0), (200.0, 0.0)
        figure = GraphFigure("", GraphContent(nodes, (edge,)), places, ((places[::-1],),))
        (drawn,) = figure.lines()
        assert len(drawn.heads) == sum(name != edge.ring for name in filled)
        assert (drawn.ring is not None, drawn.is_assumed) == (bool(edge.ring), grade is Grade.UNDECIDED)
    assert marks == {
        Grade.CAUSE: {"ill": True},
        Grade.NOT_EFFECT: {"ill": True, "dose": False},
        Grade.UNDECIDED: {"ill": False},
        Grade.HIDDEN_IN_COMMON: {"dose": True, "ill": True},
    }


def test_heads_end_at_borders() -> None:
    assert on_circle(QPointF(0, 0), 10, QPointF(100, 0)).x() == pytest.approx(11.5)
    assert on_box(QRectF(-20, -10, 40, 20), QPointF(0, 100)).y() == pytest.approx(11.5)
    head, base = arrowhead(QPointF(0, 0), QPointF(-100, 0), 0.0)
    assert head.boundingRect().right() == 0
    assert base.x() == head.boundingRect().left()


def test_the_overview_counts_causes_and_effects(result: DiscoveryResult) -> None:
    page = overview_html(result)
    assert "Causes and effects" in page
    assert "direct neighbours is known" in page
