"""CLCD where every test is right: label sets, label relations and evidence follow from the graph."""

from __future__ import annotations

import networkx
import numpy as np
import pytest

from engine.boundaries.discovery_settings import DiscoverySettings
from engine.discovery.evidence import Rule
from engine.discovery.result import DiscoveryResult
from tests.engine.oracle import Edges, discovered, true_boundary
from tests.examples import first_of
from tests.with_each import with_each

# Figure 3 of the paper.
FIGURE_3 = [("A", "T1"), ("A", "T2"), ("B", "T1"), ("B", "T2"), ("T1", "E"), ("T2", "F")]


FIVE_HELD_FIXED = DiscoverySettings(max_conditioning=5, symmetry=True)


def _discover(
    edges: Edges, labels: list[str], settings: DiscoverySettings = FIVE_HELD_FIXED
) -> DiscoveryResult:
    return discovered(edges, labels, settings)


def test_figure_3_of_the_paper() -> None:
    result = _discover(FIGURE_3, ["T1", "T2"])
    assert result.common["feature"].tolist() == ["A", "B"]
    assert set(result.common["labels"]) == {("T1", "T2")}
    assert result.label_specific[["feature", "label"]].values.tolist() == [["E", "T1"], ["F", "T2"]]
    assert result.label_relations.empty


def test_an_effect_of_child_and_spouse_is_no_neighbour() -> None:
    edges = [("T", "C"), ("S", "C"), ("C", "Y"), ("S", "Y")]
    result = _discover(edges, ["T"], DiscoverySettings(max_conditioning=5, symmetry=False))
    assert result.label_sets == {"C": frozenset("T"), "S": frozenset("T")}


def _random_edges(seed: int) -> list[tuple[str, str]]:
    generator = np.random.default_rng(100 + seed)
    names = [f"v{place}" for place in generator.permutation(12)]
    return [
        (names[cause], names[effect])
        for effect in range(1, 12)
        for cause in generator.choice(effect, min(effect, int(generator.integers(0, 4))), replace=False)
    ]


@pytest.mark.parametrize(
    "settings", [FIVE_HELD_FIXED, DiscoverySettings(symmetry=True)], ids=["five held fixed", "as shipped"]
)
@with_each("seed", first_of(range(15), 5))
def test_label_sets_are_the_boundaries_turned_round(seed: int, settings: DiscoverySettings) -> None:
    edges = _random_edges(seed)
    present = sorted({name for edge in edges for name in edge})
    labels = present[:4]
    result = _discover(edges, labels, settings)
    expected: dict[str, set[str]] = {}
    relations = set()
    for label in labels:
        neighbours, spouses = true_boundary(edges, label)
        for member in neighbours | set(spouses):
            if member in labels:
                relations.add((label, member))
            else:
                expected.setdefault(member, set()).add(label)
        for spouse, children in spouses.items():
            if spouse not in labels:
                (reason,) = result.reasons(spouse, label)
                assert (reason.rule, set(reason.children)) == (Rule.SPOUSE, set(children))
    assert {name: set(label_set) for name, label_set in result.label_sets.items()} == expected
    found_relations = result.label_relations[["label", "related_label"]].itertuples(index=False, name=None)
    assert set(found_relations) == relations


@with_each("seed", first_of(range(15), 5))
def test_the_shipped_defaults_miss_no_label_of_a_feature(seed: int) -> None:
    edges = _random_edges(seed)
    labels = sorted({name for edge in edges for name in edge})[:4]
    result = _discover(edges, labels, DiscoverySettings())
    for label in labels:
        neighbours, spouses = true_boundary(edges, label)
        for member in (neighbours | set(spouses)) - set(labels):
            assert label in result.label_sets[member]
        parents_children = set(result.boundaries[label].parents_children)
        assert parents_children - neighbours <= networkx.descendants(networkx.DiGraph(edges), label)
