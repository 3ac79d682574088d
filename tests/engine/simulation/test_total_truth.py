"""Links through other labels in the truth of simulated networks, held to d-separation and to exact joints."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from itertools import product
from pathlib import Path
from typing import Any

import networkx
import numpy as np
import pytest

import engine
from engine.errors import InvalidParameter
from engine.reporting.data_files import write_simulation
from engine.simulation import (
    BayesianNetwork,
    SimulatedNetwork,
    Truth,
    answer_of_graph,
    exhaustive_boundaries,
    simulate,
    simulate_network,
    true_answer,
)
from engine.simulation.graph import DirectedGraph
from tests.benchmarks import total_links

SIZES: dict[str, Any] = {"labels": 4, "features": 9, "rows": 1, "margin": 0.0, "label_causality": 1.0}


class GivenGraph(DirectedGraph):
    """A graph from which nothing is drawn."""

    def __init__(self, nodes: Collection[str], edges: Collection[tuple[str, str]]) -> None:
        self.nodes = tuple(nodes)
        self.parents = {node: tuple(cause for cause, effect in edges if effect == node) for node in nodes}

    def _drawn(self, *_: object) -> dict[str, np.ndarray]:
        raise AssertionError


def separated_links(
    edges: Collection[tuple[str, str]], labels: Collection[str], features: Collection[str]
) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """Return what is linked among all measured variables, and among the features alone, by d-separation."""
    graph = networkx.DiGraph(edges)
    graph.add_nodes_from((*labels, *features))

    def linked(measured: Collection[str]) -> set[tuple[str, str]]:
        return {
            (feature, label)
            for feature, label in product(features, labels)
            if not networkx.is_d_separator(graph, {feature}, {label}, set(measured) - {feature, label})
        }

    return linked((*labels, *features)), linked(features)


def assert_by_separation(truth: Truth) -> None:
    direct, among_features = separated_links(truth.edges, truth.labels, truth.features)
    kinds = {pair: "direct" if pair in direct else "through labels" for pair in direct | among_features}
    assert truth.links == kinds
    assert truth.total_label_sets == {
        feature: frozenset(label for label in truth.labels if (feature, label) in kinds)
        for feature in truth.features
        if any((feature, label) in kinds for label in truth.labels)
    }
    assert truth.total_common == {
        feature for feature, labels in truth.total_label_sets.items() if len(labels) > 1
    }


def drawn(**how: Any) -> Callable[[int], Truth]:
    """Return what makes the truth of a network drawn at random by seed."""
    return lambda seed: simulate(**SIZES, seed=seed, **how).truth


def small_network(seed: int, nodes: int, with_zeros: float) -> BayesianNetwork:
    """Draw a network, a share of whose tables hold zeros, with probabilities that cancel nowhere."""
    generator = np.random.default_rng(seed)
    names = [f"n{place}" for place in range(nodes)]
    parents: dict[str, list[str]] = {}
    tables: dict[str, np.ndarray] = {}
    for place, node in enumerate(names):
        few = min(place, int(generator.integers(0, 3)))
        parents[node] = (
            [names[parent] for parent in generator.choice(place, few, replace=False)] if few else []
        )
        shape = (*(tables[parent].shape[-1] for parent in parents[node]), int(generator.integers(2, 4)))
        share = 0.5 if generator.random() < with_zeros else 0.0
        weights = generator.uniform(1, 50, size=shape) * (generator.random(shape) >= share)
        weights[..., 0] += weights.sum(axis=-1) == 0
        tables[node] = weights / weights.sum(axis=-1, keepdims=True)
    return BayesianNetwork(names, parents, tables)


def sampled(seed: int) -> Truth:
    """Return the truth of rows drawn from a given network, some of its variables as labels."""
    network = small_network(seed, nodes=9, with_zeros=0.0)
    return simulate_network(network, network.nodes[::3], rows=1, seed=seed).truth


SIMULATORS = {
    "categories": drawn(multiple_boundaries=0.0),
    "categories, any graph": drawn(multiple_boundaries=0.0, graph="random"),
    "numbers": drawn(variables="numbers"),
    "numbers, any graph": drawn(variables="numbers", graph="random"),
    "mixed": drawn(variables="mixed"),
    "mixed, numeric labels": drawn(variables="mixed", numeric_labels=True, graph="random"),
    "given network": sampled,
}


@pytest.mark.parametrize("simulator", SIMULATORS)
def test_total_links_are_those_of_separation_in_the_graph(simulator: str) -> None:
    through = 0
    for seed in range(8):
        truth = SIMULATORS[simulator](seed)
        assert_by_separation(truth)
        through += "through labels" in truth.links.values()
    assert through >= 3


@pytest.mark.parametrize("seed", range(40))
def test_unmeasured_variables_are_marginalised(seed: int) -> None:
    generator = np.random.default_rng(seed)
    names = [f"n{number}" for number in range(10)]
    edges = [
        (names[cause], names[effect])
        for effect in range(10)
        for cause in range(effect)
        if generator.random() < 0.25
    ]
    mixed = generator.permutation(names).tolist()
    labels, hidden, features = mixed[:3], mixed[3:5], mixed[5:]
    truth = answer_of_graph(GivenGraph(names, edges), labels, hidden)
    direct, among_features = separated_links(edges, labels, features)
    assert set(truth.links) == direct | among_features
    assert {pair for pair, kind in truth.links.items() if kind == "direct"} == direct
    graph = networkx.DiGraph(edges)
    graph.add_nodes_from(names)
    for label, related in truth.label_relations.items():
        for another in set(labels) - {label}:
            given = {*labels, *features} - {label, another}
            assert (another in related) != networkx.is_d_separator(graph, {another}, {label}, given)
    assert not set(hidden) & {
        *truth.features,
        *(name for boundary in truth.boundaries.values() for name in (*boundary.parents, *boundary.children)),
        *(name for boundary in truth.boundaries.values() for name in boundary.spouses),
    }


@pytest.mark.parametrize("scenario", total_links.SCENARIOS)
def test_outcomes_that_share_something_unmeasured_are_those_of_the_benchmark(scenario: str) -> None:
    graph, by_hand = total_links.graph_of(scenario), total_links.Truth(scenario)
    hidden = set(graph) - {*total_links.FEATURES, *total_links.OUTCOMES}
    truth = answer_of_graph(GivenGraph(graph.nodes, graph.edges), total_links.OUTCOMES, hidden)
    assert {pair for pair, kind in truth.links.items() if kind == "direct"} == by_hand.direct
    assert set(truth.links) == by_hand.total


def assert_by_definition(network: BayesianNetwork, truth: Truth) -> None:
    for label, boundary in truth.among_features.items():
        assert boundary.is_exact
        claimed = list(boundary.boundaries())
        assert len(claimed) == len(set(claimed)) == boundary.boundary_count
        assert set(claimed) == set(exhaustive_boundaries(network, label, truth.features))


@pytest.mark.parametrize("seed", range(25))
def test_interchangeable_features_are_those_of_the_joint_distribution(seed: int) -> None:
    simulated = simulate(
        labels=3, features=6, rows=1, margin=0.0, label_causality=1.0, multiple_boundaries=1.0, seed=seed,
        max_levels=3,
    )  # fmt: skip
    assert isinstance(simulated.network, BayesianNetwork)
    assert_by_definition(simulated.network, simulated.truth)


@pytest.mark.parametrize("seed", range(60))
def test_impossible_events_beside_marginalised_labels_are_taken_into_account(seed: int) -> None:
    network = small_network(seed, nodes=6, with_zeros=0.5)
    assert_by_definition(network, true_answer(network, network.nodes[seed % 2 :: 2]))


def test_more_than_can_be_listed_leaves_what_the_graph_says() -> None:
    """A label that is a copy of another one, and beside it more combinations than can be listed."""
    causes = [f"c{number}" for number in range(20)]
    first = causes[:10]
    copies = {"y": np.full((2,) * 10 + (2,), 0.5), "z": np.eye(2), "w": np.full((2,) * 11 + (2,), 0.5)}
    network = BayesianNetwork(
        [*causes, "y", "z", "w"],
        {"y": first, "z": ["y"], "w": [*causes[10:], "y"]},
        {**{cause: [0.5, 0.5] for cause in causes}, **copies},
    )
    boundary = true_answer(network, ["y", "z"]).among_features["z"]
    assert not boundary.is_exact
    assert boundary.members == {*causes, "w"}


def test_a_variable_is_not_a_label_and_unmeasured() -> None:
    with pytest.raises(InvalidParameter, match="a cannot be a label and unmeasured"):
        answer_of_graph(GivenGraph("ab", [("a", "b")]), ["a"], ["a"])


def chain() -> SimulatedNetwork:
    """Return rows of dose → relapse → death, both outcomes labels."""
    step = np.array([[0.9, 0.1], [0.2, 0.8]])
    network = BayesianNetwork(
        ["dose", "relapse", "death"],
        {"relapse": ["dose"], "death": ["relapse"]},
        {"dose": [0.5, 0.5], "relapse": step, "death": step},
    )
    return simulate_network(network, ["relapse", "death"], rows=10)


def test_the_file_of_the_truth_names_the_kind_of_each_link(tmp_path: Path) -> None:
    path = write_simulation(chain(), tmp_path / "s.csv")[2]
    truth = json.loads(path.read_text("utf-8"))
    assert truth["common"] == []
    assert truth["total_common"] == [{"feature": "dose", "labels": ["relapse", "death"]}]
    assert truth["links"] == [
        {"feature": "dose", "label": "relapse", "kind": "direct"},
        {"feature": "dose", "label": "death", "kind": "through labels"},
    ]
    assert truth["among_features"][1] == {
        "label": "death", "is_exact": True, "boundary_count": 1, "choices": [[["dose"]]]
    }  # fmt: skip


def test_a_truth_that_was_made_before_counts_direct_links() -> None:
    truth = chain().truth
    before = Truth(truth.labels, truth.features, truth.edges, truth.boundaries)
    assert before.total_label_sets == before.label_sets == {"dose": frozenset({"relapse"})}


def test_the_truth_is_part_of_the_python_interface() -> None:
    truth = engine.simulate(labels=4, features=20, rows=1, seed=1).truth
    assert set(truth.label_sets) <= set(truth.total_label_sets)
