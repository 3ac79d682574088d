"""Two findings whose names, joined by an arrow, read the same are both shown everywhere."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from clcd_gui.plots.grid_data import NO_RELATION, grid_data
from clcd_gui.widgets.finding_table_model import window_model
from engine.boundaries.discovery_settings import DiscoverySettings
from engine.boundaries.markov_boundary import MarkovBoundary
from engine.discovery import tables
from engine.discovery.evidence import Evidence, Rule
from engine.discovery.findings import Findings
from engine.discovery.result import DiscoveryResult
from engine.reporting.figures.graph import graph_content
from tests.gui.results_factory import make_dataset, make_test

PAIRS = (("a", "b → c"), ("a → b", "c"))
LABELS = ("b → c", "c")


@pytest.fixture
def findings() -> Findings:
    reasons = [
        Evidence(feature, label, Rule.NEIGHBOUR, tests=(make_test(label, feature),))
        for feature, label in PAIRS
    ]
    return (
        DiscoveryResult(
            dataset=make_dataset(LABELS, ("a", "a → b")),
            settings=DiscoverySettings(workers=1),
            boundaries={label: MarkovBoundary(label, (feature,), {}, 1) for feature, label in PAIRS},
            equivalence_records=(),
            evidence={reason.pair: (reason,) for reason in reasons},
            label_evidence={},
        )
    ).findings


def test_the_table_has_both(qapp: QApplication, findings: Findings) -> None:
    model = window_model(tables.LABEL_SPECIFIC)
    model.set_findings(findings.label_specific)
    rows = [
        tuple(model.index(row, column).data(Qt.ItemDataRole.DisplayRole) for column in (0, 1))
        for row in range(model.rowCount())
    ]
    assert sorted(rows) == sorted(PAIRS)


def test_the_grid_has_both(findings: Findings) -> None:
    data = grid_data(findings)
    marked = {
        (data.findings[row].feature, data.labels[column])
        for row in range(len(data.findings))
        for column in range(len(data.labels))
        if data.relations[row, column] != NO_RELATION
    }
    assert marked == set(PAIRS)


def test_the_graph_has_both(findings: Findings) -> None:
    content = graph_content(findings, most_features=10, most_labels=10)
    assert {(edge.start, edge.end) for edge in content.edges} == set(PAIRS)
