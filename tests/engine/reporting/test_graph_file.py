"""The network opens elsewhere with every attribute, typed, and with no name lost."""

from __future__ import annotations

import itertools
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from types import ModuleType

import networkx
import pytest

from engine.discovery.result import DiscoveryResult
from engine.reporting.export_formats import export_file
from engine.reporting.graph_file import graph_of
from engine.reporting.tables import ResultContext, split_names
from engine.wording.phrases import visible

NAMESPACE = "{http://graphml.graphdrawing.org/xmlns}"


@pytest.fixture(params=["hand made", "found"])
def result(
    request: pytest.FixtureRequest, hand_made: ModuleType, discovered: DiscoveryResult
) -> DiscoveryResult:
    chosen_result: DiscoveryResult = hand_made.make_result() if request.param == "hand made" else discovered
    return chosen_result


def test_it_reads_back_the_same(result: DiscoveryResult, tmp_path: Path) -> None:
    path = export_file(result, tmp_path / "graph.graphml", "graph")
    graph, read = graph_of(ResultContext(result)), networkx.read_graphml(path)
    assert not read.is_directed()
    assert dict(read.nodes(data=True)) == dict(graph.nodes(data=True))
    assert read.adj == graph.adj


def test_keys_are_unique_and_typed(result: DiscoveryResult, tmp_path: Path) -> None:
    root = ElementTree.parse(export_file(result, tmp_path / "graph.graphml", "graph")).getroot()
    keys = root.findall(f"{NAMESPACE}key")
    assert len({key.attrib["id"] for key in keys}) == len(keys)
    types = {(key.attrib["for"], key.attrib["attr.name"]): key.attrib["attr.type"] for key in keys}
    assert types["node", "label"] == "string"
    assert types["node", "strength"] == types["edge", "weight"] == types["edge", "log_p"] == "double"
    assert types["node", "label_count"] in ("int", "long")
    assert set(types.values()) <= {"string", "double", "int", "long"}


def test_every_finding_is_in_it(result: DiscoveryResult) -> None:
    graph = graph_of(ResultContext(result))
    for reasons in result.evidence.values():
        edge = graph.edges[visible(reasons[0].feature), visible(reasons[0].label)]
        assert edge["rule"] == reasons[0].rule
        assert edge["strength"] == reasons[0].strength
        assert [visible(child) for child in reasons[0].children] == list(split_names(edge["via"]))
    for reason in result.label_evidence.values():
        edge = graph.edges[visible(reason.feature), visible(reason.label)]
        assert edge["relation"] == "label-label"
    for record in result.equivalence_records:
        for inside, outside in itertools.product(record.in_boundary, record.equivalent):
            edge = graph.edges[visible(inside), visible(outside)]
            assert "interchangeable" in split_names(edge["all_relations"])
            assert visible(record.target) in split_names(edge["about"])


def test_types_and_label_sets_agree_with_the_result(result: DiscoveryResult) -> None:
    graph = graph_of(ResultContext(result))
    for feature, labels in result.total_label_sets.items():
        node = graph.nodes[visible(feature)]
        assert node["type"] == ("common" if len(labels) > 1 else "label-specific")
        assert set(split_names(node["labels"])) == {visible(label) for label in labels}
        assert node["label_count"] == len(labels)
    for label in result.dataset.labels:
        assert graph.nodes[visible(label)]["kind"] == "label"


def test_names_that_look_alike_after_cleaning_stay_apart(hand_made: ModuleType) -> None:
    from dataclasses import replace

    result = hand_made.make_result()
    reasons = list(result.evidence.values())
    twin = replace(reasons[2][0], feature=visible(hand_made.TAB))
    dataset = result.dataset
    position = dataset.names.index(hand_made.UNUSED)
    variables = list(dataset.variables)
    variables[position] = replace(variables[position], name=twin.feature)
    changed = replace(
        result,
        dataset=replace(dataset, variables=tuple(variables)),
        evidence={**result.evidence, twin.pair: (twin,)},
    )
    graph = graph_of(ResultContext(changed))
    assert {visible(hand_made.TAB), f"{visible(hand_made.TAB)} (2)"} <= set(graph)


def test_unfinished_labels_are_marked(hand_made: ModuleType) -> None:
    graph = graph_of(ResultContext(hand_made.make_result(unfinished=True)))
    assert graph.nodes[hand_made.SAD]["finished"] == "no"
    assert graph.nodes[hand_made.HAPPY]["finished"] == "yes"
