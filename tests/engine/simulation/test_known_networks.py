"""The known networks are what they claim, by the definition of a Markov boundary itself."""

from __future__ import annotations

import networkx
import numpy as np
import pytest

import engine
from engine.simulation import exhaustive_boundaries, true_answer, true_boundary
from engine.simulation.bayesian_network import conditional_information
from tests.engine.networks import KnownNetwork, all_known, figure_2, figure_4, theorem_7_case_2
from tests.with_each import with_each

KNOWN = all_known()


@pytest.mark.parametrize("known_network", KNOWN.values(), ids=KNOWN)
def test_every_boundary_is_found_by_trying_all_subsets(known_network: KnownNetwork) -> None:
    for node, boundaries in known_network.boundaries.items():
        assert frozenset(exhaustive_boundaries(known_network.network, node)) == boundaries


@with_each("name", sorted(KNOWN))
def test_the_truth_read_off_the_tables_is_the_same(name: str) -> None:
    known_network = KNOWN[name]
    for label in known_network.labels:
        assert (
            frozenset(true_boundary(known_network.network, label).boundaries())
            == known_network.boundaries[label]
        )
    assert true_answer(known_network.network, known_network.labels).label_sets == known_network.label_sets


@with_each("name", sorted(KNOWN))
def test_the_truth_of_every_node_is_what_trying_all_subsets_finds(name: str) -> None:
    network = KNOWN[name].network
    for node in network.nodes:
        boundary = true_boundary(network, node)
        assert boundary.is_exact
        assert set(boundary.boundaries()) == set(exhaustive_boundaries(network, node))


def test_equivalences_of_figure_2() -> None:
    network = figure_2().network
    for x, y in (("A", "C"), ("C", "A")):
        assert conditional_information(network, "T", x) > 0.01
        assert conditional_information(network, "T", x, (y,)) == pytest.approx(0, abs=1e-12)
    assert conditional_information(network, "T", "B", ("D", "E")) == pytest.approx(0, abs=1e-12)
    assert conditional_information(network, "T", "D", ("B",)) == pytest.approx(0, abs=1e-12)
    assert conditional_information(network, "T", "E", ("B",)) == pytest.approx(0, abs=1e-12)
    assert conditional_information(network, "T", "B", ("D",)) > 0.001
    assert conditional_information(network, "T", "B", ("E",)) > 0.001


def test_figure_4_makes_a_and_b_common_and_the_rest_specific() -> None:
    label_sets = figure_4().label_sets
    assert {name for name, labels in label_sets.items() if len(labels) == 2} == {"A", "B"}
    assert {name for name, labels in label_sets.items() if len(labels) == 1} == {"C", "D", "E", "F", "G", "H"}


def test_theorem_7_case_2_has_labels_that_stand_for_each_other_about_z() -> None:
    network = theorem_7_case_2().network
    for first, second in (("T1", "T2"), ("T2", "T1")):
        assert conditional_information(network, "Z", first) > 0.01
        assert conditional_information(network, "Z", first, (second,)) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("name", ["cancer", "earthquake", "survey"])
def test_published_networks_have_the_boundaries_of_their_graph(name: str, shared_data) -> None:
    network = engine.read_network(shared_data / "networks" / f"{name}.bif.gz")
    for node in network.nodes:
        expected = {*network.parents[node], *network.children[node], *network.spouses(node)}
        assert list(true_boundary(network, node).boundaries()) == [expected]
        assert exhaustive_boundaries(network, node) == (expected,)


def test_asia_has_the_boundaries_that_trying_all_subsets_finds(shared_data) -> None:
    """Its node "either" is the logical or of two causes, which can stand for it."""
    network = engine.read_network(shared_data / "networks" / "asia.bif.gz")
    for node in network.nodes:
        assert set(true_boundary(network, node).boundaries()) == set(exhaustive_boundaries(network, node))
    assert frozenset({"smoke", "dysp", "lung", "tub"}) in true_boundary(network, "bronc").boundaries()


@pytest.mark.parametrize("name", ["alarm", "child", "sachs"])
def test_networks_with_hardly_an_impossible_event_have_the_boundaries_of_their_graph(
    name: str, shared_data
) -> None:
    network = engine.read_network(shared_data / "networks" / f"{name}.bif.gz")
    for node in network.nodes:
        expected = {*network.parents[node], *network.children[node], *network.spouses(node)}
        boundary = true_boundary(network, node)
        assert boundary.is_exact
        assert list(boundary.boundaries()) == [expected]


@pytest.mark.parametrize("name", ["water", "win95pts"])
def test_what_too_many_impossible_events_leave_open_is_marked(name: str, shared_data) -> None:
    network = engine.read_network(shared_data / "networks" / f"{name}.bif.gz")
    label = next(node for node in network.nodes if network.spouses(node))
    boundary = true_answer(network, [label]).boundaries[label]
    assert not boundary.is_exact
    assert boundary.members == {*boundary.parents, *boundary.children, *boundary.spouses}


@pytest.mark.parametrize("name", ["alarm", "asia", "child", "sachs", "water", "win95pts"])
def test_published_networks_are_read_and_hold_together(name: str, shared_data) -> None:
    network = engine.read_network(shared_data / "networks" / f"{name}.bif.gz")
    graph = networkx.DiGraph(network.edges)
    graph.add_nodes_from(network.nodes)
    assert networkx.is_directed_acyclic_graph(graph)
    place = {node: number for number, node in enumerate(network.order)}
    assert all(place[cause] < place[effect] for cause, effect in network.edges)
    assert network.adjacency.sum() == len(network.edges)
    rows = network.sample(50, np.random.default_rng(0))
    assert np.isfinite(network.log_probability(rows)).all()
