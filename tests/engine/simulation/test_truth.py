"""The truth of simulated networks, held to the definitions on the exact joint distribution."""

from __future__ import annotations

from typing import Any

import networkx
import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given
from hypothesis import strategies as st

from engine.errors import InvalidParameter
from engine.simulation import (
    BayesianNetwork,
    SimulatedNetwork,
    exhaustive_boundaries,
    simulate,
    true_boundary,
)
from engine.simulation.bayesian_network import conditional_information
from engine.simulation.graph import joined_groups
from tests.examples import examples

EXACT = 1e-10


@examples(50)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=12))
def test_groups_are_the_connected_components(pairs: list[tuple[int, int]]) -> None:
    names = [f"x{number}" for number in range(10)]
    named = [(names[first], names[second]) for first, second in pairs]
    graph = networkx.Graph(named)
    graph.add_nodes_from(names)
    groups = joined_groups(names, named)
    assert set(groups) == set(map(frozenset, networkx.connected_components(graph)))
    assert len(groups) == len(set(groups))


@st.composite
def small_networks(draw: Any, **fixed: Any) -> SimulatedNetwork:
    """Draw a network small enough for its joint distribution to be listed."""
    choices = {
        "labels": draw(st.integers(2, 3)),
        "features": draw(st.integers(4, 7)),
        "label_causality": draw(st.sampled_from([0.0, 0.5, 1.0])),
        "multiple_boundaries": draw(st.sampled_from([0.5, 1.0])),
        "seed": draw(st.integers(0, 2**32)),
        "max_parents": draw(st.integers(1, 3)),
        "max_levels": draw(st.integers(3, 4)),
        "label_levels": draw(st.integers(2, 3)),
        "shared": draw(st.sampled_from([0.3, 0.8])),
        "aligned": draw(st.booleans()),
        "margin": 0.0,
        **fixed,
    }
    simulated = simulate(rows=1, **choices)
    sizes = [simulated.network.level_count(node) for node in simulated.network.nodes]
    assume(np.prod(np.array(sizes, dtype=float)) <= 40_000)
    return simulated


SLOW = examples(60, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])


@SLOW
@given(small_networks())
def test_boundaries_are_those_that_trying_all_subsets_finds(simulated: SimulatedNetwork) -> None:
    for label, boundary in simulated.truth.boundaries.items():
        claimed = list(boundary.boundaries())
        assert len(claimed) == len(set(claimed)) == boundary.boundary_count
        assert set(claimed) == set(exhaustive_boundaries(simulated.network, label))
        assert boundary.members == frozenset().union(*claimed)


@SLOW
@given(small_networks(multiple_boundaries=1.0))
def test_interchangeable_features_are_equivalent_without_any_context(simulated: SimulatedNetwork) -> None:
    """About the label for neighbours, about a connecting effect for spouses: Definition 3 of the paper."""
    network = simulated.network
    for label, boundary in simulated.truth.boundaries.items():
        neighbours = {*boundary.parents, *boundary.children}
        for group in boundary.interchangeable:
            if neighbours & set(group):
                targets = {label}
            else:
                targets = set().union(*(boundary.spouses.get(name, frozenset()) for name in group))
            assert targets
            for target in targets:
                for x in group:
                    assert conditional_information(network, target, x) > EXACT
                    for y in group:
                        if x != y:
                            assert conditional_information(network, target, x, (y,)) < EXACT


@SLOW
@given(small_networks(multiple_boundaries=1.0))
def test_interchangeable_features_are_no_copies(simulated: SimulatedNetwork) -> None:
    network = simulated.network
    for boundary in simulated.truth.boundaries.values():
        for group in boundary.interchangeable:
            for x in group:
                for y in group:
                    if x != y:
                        alone = conditional_information(network, x, x)
                        assert conditional_information(network, x, y) < alone - 0.01


@SLOW
@given(small_networks(label_causality=0.0))
def test_without_label_causality_no_label_is_in_a_boundary_of_another(simulated: SimulatedNetwork) -> None:
    assert not any(simulated.truth.label_relations.values())
    assert simulated.truth.label_edges == ()


def test_two_partial_stand_ins_replace_a_cause_together() -> None:
    """X has two crossing classes; Y tells one, Z the other; only both together stand for X."""
    network = BayesianNetwork(
        ["X", "Y", "Z", "T"],
        {"Y": ["X"], "Z": ["X"], "T": ["X"]},
        {
            "X": [0.3, 0.25, 0.25, 0.2],
            "Y": [[0.4, 0.6, 0, 0], [0.4, 0.6, 0, 0], [0, 0, 0.3, 0.7], [0, 0, 0.3, 0.7]],
            "Z": [[0.4, 0.6, 0], [0, 0, 1], [0.4, 0.6, 0], [0, 0, 1]],
            "T": [[0.9, 0.1], [0.6, 0.4], [0.4, 0.6], [0.1, 0.9]],
        },
    )
    expected = {frozenset("X"), frozenset("YZ")}
    boundary = true_boundary(network, "T")
    assert set(boundary.boundaries()) == expected == set(exhaustive_boundaries(network, "T"))
    assert boundary.interchangeable == ()


@st.composite
def networks_with_impossible_events(draw: Any) -> BayesianNetwork:
    """Draw a small network most of whose tables hold zeros, and round numbers."""
    count = draw(st.integers(3, 6))
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    share = draw(st.sampled_from([0.2, 0.5, 0.8]))
    nodes = [f"n{place}" for place in range(count)]
    parents: dict[str, list[str]] = {}
    tables: dict[str, np.ndarray] = {}
    for place, node in enumerate(nodes):
        few = min(place, int(generator.integers(0, 3)))
        parents[node] = (
            [nodes[parent] for parent in generator.choice(place, few, replace=False)] if few else []
        )
        shape = (*(tables[parent].shape[-1] for parent in parents[node]), int(generator.integers(2, 4)))
        weights = generator.integers(1, 50, size=shape) * (generator.random(shape) >= share)
        weights[..., 0] += weights.sum(axis=-1) == 0
        tables[node] = weights / weights.sum(axis=-1, keepdims=True)
    return BayesianNetwork(nodes, parents, tables)


@examples(150)
@given(networks_with_impossible_events())
def test_impossible_events_of_any_kind_are_taken_into_account(network: BayesianNetwork) -> None:
    for node in network.nodes:
        boundary = true_boundary(network, node)
        assert boundary.is_exact
        claimed = list(boundary.boundaries())
        assert len(claimed) == len(set(claimed)) == boundary.boundary_count
        assert set(claimed) == set(exhaustive_boundaries(network, node))


def test_an_arrow_without_effect_makes_no_member() -> None:
    network = BayesianNetwork(
        ["A", "B", "T"],
        {"T": ["A", "B"]},
        {"A": [0.5, 0.5], "B": [0.4, 0.6], "T": [[[0.9, 0.1], [0.9, 0.1]], [[0.2, 0.8], [0.2, 0.8]]]},
    )
    assert true_boundary(network, "T").members == {"A"}
    assert exhaustive_boundaries(network, "T") == (frozenset("A"),)


def test_an_isolated_target_has_the_empty_boundary() -> None:
    network = BayesianNetwork(["T", "A"], {}, {"T": [0.5, 0.5], "A": [0.5, 0.5]})
    assert list(true_boundary(network, "T").boundaries()) == [frozenset()]
    assert exhaustive_boundaries(network, "T") == (frozenset(),)


def test_an_unknown_target_is_refused() -> None:
    network = BayesianNetwork(["T"], {}, {"T": [0.5, 0.5]})
    with pytest.raises(InvalidParameter, match="'U'"):
        true_boundary(network, "U")
