"""Names and shapes that others rely on, as the design fixes them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas
import pytest

import engine
from engine.simulation import SimulatedNetwork


@pytest.fixture(scope="module")
def network() -> SimulatedNetwork:
    return engine.simulate(
        labels=5, features=50, rows=1500, label_causality=0.5, multiple_boundaries=0.5, seed=0
    )


@pytest.fixture(scope="module")
def result(network: SimulatedNetwork) -> engine.DiscoveryResult:
    settings = engine.DiscoverySettings(
        algorithm="hiton-mb",
        test="g2",
        alpha=0.05,
        max_conditioning=3,
        max_equivalence=1,
        false_discovery="bh",
        dof="adjusted",
        min_rows_per_dof=0,
        workers=None,
    )
    return engine.discover(network.dataset, settings, progress=None)


def test_a_dataset_is_made_of_a_frame() -> None:
    frame = pandas.DataFrame(
        {"x": [0.1, 0.2, 0.3, 0.4] * 3, "a": [0, 1, 0, 1] * 3, "b": ["n", "y", "y", "n"] * 3}
    )
    dataset = engine.Dataset.from_frame(frame, labels=["a", "b"])
    assert dataset.labels == ("a", "b")
    assert dataset.features == ("x",)
    assert list(dataset.frame.columns) == ["x", "a", "b"]
    prepared = engine.prepare(dataset, discretise="quantile", bins=2, missing="drop-rows")
    assert prepared.variable("x").level_count == 2


@pytest.mark.parametrize("given", ["names", "xml"])
def test_a_dataset_is_read_with_its_labels(given: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("x,a\n" + "0.1,0\n0.5,1\n0.7,1\n")
    (tmp_path / "t.xml").write_text(
        '<labels xmlns="http://mulan.sourceforge.net/labels"><label name="a"/></labels>'
    )
    labels = ["a"] if given == "names" else str(tmp_path / "t.xml")
    assert engine.read_dataset(str(tmp_path / "t.csv"), labels=labels).labels == ("a",)


def test_tables_of_a_result(result: engine.DiscoveryResult) -> None:
    assert isinstance(result.common, pandas.DataFrame)
    assert {"feature", "labels", "rules", "strength", "evidence"} <= set(result.common.columns)
    assert {"feature", "label", "rule", "strength", "evidence"} <= set(result.label_specific.columns)
    assert {"target", "in_boundary", "equivalent"} <= set(result.equivalences.columns)
    assert sum(name.startswith("p_") for name in result.equivalences.columns) == 4
    for labels in result.common["labels"]:
        assert len(labels) >= 2
    for keys in result.common["evidence"]:
        assert all(key in result.evidence for key in keys)
    assert all(key in result.evidence for key in result.label_specific["evidence"])


def test_label_sets_and_boundaries_of_a_result(result: engine.DiscoveryResult) -> None:
    assert all(isinstance(labels, frozenset) and labels for labels in result.label_sets.values())
    assert set(result.label_sets) == {*result.common["feature"], *result.label_specific["feature"]}
    assert not set(result.label_sets) & set(result.dataset.labels)
    for label in result.dataset.labels:
        boundary = result.boundaries[label]
        assert isinstance(boundary.parents_children, tuple)
        for spouse, children in boundary.spouses.items():
            assert isinstance(children, frozenset) and children
            assert spouse not in boundary.parents_children


def test_a_simulation_has_its_truth(network: SimulatedNetwork) -> None:
    assert (len(network.dataset.labels), len(network.dataset.features)) == (5, 50)
    assert network.dataset.row_count == 1500
    assert set(network.truth.label_sets) <= set(network.dataset.features)


def test_single_searches_and_tests(network: SimulatedNetwork) -> None:
    dataset = network.dataset
    target = dataset.labels[0]
    boundary = engine.markov_boundary(dataset, target, engine.DiscoverySettings())
    assert boundary.target == target and target not in boundary.members
    record = engine.ci_test(
        "g2", dataset, target, dataset.features[0], given=[dataset.features[1]], dof="adjusted"
    )
    assert record.statistic >= 0.0 and record.dof >= 0.0
    assert record.p_value == pytest.approx(np.exp(record.log_p))


def test_a_result_is_exported(result: engine.DiscoveryResult, tmp_path: Path) -> None:
    paths = engine.export(result, tmp_path / "out")
    assert {path.name for path in paths} >= {
        "result.json",
        "common.csv",
        "label_specific.csv",
        "equivalences.csv",
        "graph.graphml",
        "report.html",
    }
