"""Causes told from effects: against the equivalence class of the graph, on exact tests and on rows."""

from __future__ import annotations

import networkx
import numpy as np
import pandas
import pytest

import engine
from engine.boundaries.discovery_settings import DiscoverySettings
from engine.discovery.discover import SearchRequest, search_data
from engine.discovery.orientation.direction import Because, Direction
from engine.discovery.result import DiscoveryResult
from engine.progress import SilentProgress
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable
from tests.engine.equivalence_class import compelled_edges, v_structures
from tests.engine.oracle import Edges, oracle_data
from tests.examples import first_of
from tests.with_each import with_each

Edge = tuple[str, str]


def _discover(edges: Edges, labels: list[str], symmetry: bool = False) -> DiscoveryResult:
    names = sorted({name for edge in edges for name in edge})
    roles = {name: Role.LABEL if name in labels else Role.FEATURE for name in names}
    dataset = Dataset(
        tuple(Variable(name, Kind.NOMINAL, roles[name], levels=("no", "yes")) for name in names),
        tuple(np.zeros(1, dtype=np.int8) for _ in names),
    )
    settings = DiscoverySettings(max_conditioning=5, symmetry=symmetry)
    return search_data(oracle_data(edges, names), dataset, SearchRequest(settings), SilentProgress())


def _stated(result: DiscoveryResult) -> set[Edge]:
    """The directions that a result states, as edges from cause to effect."""
    stated = set()
    for orientation in result.orientation_records.values():
        if orientation.direction is Direction.CAUSE:
            stated.add((orientation.feature, orientation.label))
        elif orientation.direction is Direction.EFFECT:
            stated.add((orientation.label, orientation.feature))
    return stated


def _random_edges(seed: int, size: int = 7, most: int = 9) -> list[Edge]:
    generator = np.random.default_rng(seed)
    names = [f"v{place}" for place in generator.permutation(size)]
    pairs = [(names[cause], names[effect]) for effect in range(size) for cause in range(effect)]
    chosen = generator.choice(len(pairs), int(generator.integers(5, most + 1)), replace=False)
    return [pairs[place] for place in sorted(chosen)]


def test_a_chain_says_nothing() -> None:
    result = _discover([("a", "t"), ("t", "b")], ["t"])
    assert {orientation.direction for orientation in result.orientation_records.values()} == {
        Direction.UNDECIDED
    }
    assert all(
        orientation.because is None and not orientation.tests
        for orientation in result.orientation_records.values()
    )


def test_several_causes_and_what_follows_for_an_effect() -> None:
    result = _discover([("a", "t"), ("b", "t"), ("t", "c")], ["t"])
    by_feature = {orientation.feature: orientation for orientation in result.orientation_records.values()}
    assert by_feature["a"].direction is by_feature["b"].direction is Direction.CAUSE
    assert by_feature["a"].because is Because.SEVERAL_CAUSES
    assert by_feature["a"].others == ("b",)
    assert [test.given for test in by_feature["a"].tests] == [(), ("t",)]
    assert by_feature["c"].direction is Direction.EFFECT
    assert by_feature["c"].because is Because.NO_FURTHER_COLLIDER


def test_a_spouse_tells_the_shared_effect() -> None:
    result = _discover([("t", "c"), ("s", "c")], ["t"])
    assert result.direction("c", "t") is Direction.EFFECT
    assert result.direction("s", "t") is Direction.SPOUSE
    (orientation,) = result.orientation_records.values()
    assert (orientation.because, orientation.others) == (Because.SHARED_EFFECT, ("s",))


def test_figure_1_of_the_paper_has_a_common_cause_and_a_common_effect() -> None:
    edges = [
        ("frigid weather", "cold"),
        ("shared gene", "cold"),
        ("shared gene", "covid"),
        ("corona gene", "covid"),
        ("cold", "coughing"),
        ("covid", "coughing"),
        ("cold", "allergy"),
        ("pollen", "allergy"),
    ]
    result = _discover(edges, ["cold", "covid"])
    assert dict(zip(result.common["feature"], result.common["direction"], strict=True)) == {
        "coughing": "common effect",
        "shared gene": "common cause",
    }
    specific = dict(zip(result.label_specific["feature"], result.label_specific["direction"], strict=True))
    assert specific == {
        "allergy": "effect",
        "corona gene": "cause",
        "frigid weather": "cause",
        "pollen": "spouse",
    }


def test_directions_between_labels() -> None:
    result = _discover([("a", "t1"), ("b", "t1"), ("t1", "t2"), ("t2", "c")], ["t1", "t2"])
    directions = {
        (row.label, row.related_label): row.direction for row in result.label_relations.itertuples()
    }
    assert directions == {("t1", "t2"): "effect", ("t2", "t1"): "cause"}


@pytest.mark.parametrize("symmetry", [False, True])
@with_each("seed", first_of(range(80), 25))
def test_nothing_is_stated_that_the_equivalence_class_leaves_open(seed: int, symmetry: bool) -> None:
    edges = _random_edges(seed)
    present = sorted({name for edge in edges for name in edge})
    labels = present[: int(np.random.default_rng(seed).integers(1, 4))]
    stated = _stated(_discover(edges, labels, symmetry))
    assert stated <= compelled_edges(edges)


@with_each("seed", first_of(range(40), 20))
def test_every_v_structure_at_a_label_or_its_neighbour_is_told(seed: int) -> None:
    edges = _random_edges(200 + seed)
    labels = sorted({name for edge in edges for name in edge})[:2]
    stated = _stated(_discover(edges, labels))
    for causes, effect in v_structures(edges):
        for cause in causes:
            if cause in labels or effect in labels:
                assert (cause, effect) in stated


@with_each("seed", first_of(range(30), 10))
def test_in_a_tree_all_that_is_compelled_is_told(seed: int) -> None:
    """In a tree no third variable joins two ends again that their middle separates."""
    generator = np.random.default_rng(seed)
    names = [f"v{place}" for place in range(9)]
    pairs = [(names[int(generator.integers(place))], names[place]) for place in range(1, 9)]
    edges = [pair[::-1] if generator.random() < 0.5 else pair for pair in pairs]
    stated = _stated(_discover(edges, names[1:], symmetry=True))
    assert stated == compelled_edges(edges)


@with_each("seed", first_of(range(30), 10))
def test_larger_random_graphs_state_nothing_false(seed: int) -> None:
    generator = np.random.default_rng(1000 + seed)
    names = [f"v{place}" for place in generator.permutation(20)]
    edges = [
        (names[cause], names[effect])
        for effect in range(1, 20)
        for cause in generator.choice(effect, min(effect, int(generator.integers(0, 4))), replace=False)
    ]
    present = sorted({name for edge in edges for name in edge})
    assert _stated(_discover(edges, present[:5])) <= set(edges)


@pytest.mark.parametrize("seeds", [range(1), pytest.param(range(3), marks=pytest.mark.long)], ids=str)
def test_directions_on_rows_are_right_and_no_circle_of_causes(seeds: range) -> None:
    right = stated = 0
    for seed in seeds:
        network = engine.simulate(labels=10, features=120, rows=5000, seed=seed)
        stated_edges = _stated(engine.discover(network.dataset))
        assert networkx.is_directed_acyclic_graph(networkx.DiGraph(list(stated_edges)))
        stated += len(stated_edges)
        right += len(stated_edges & set(network.network.edges))
    assert stated > 0
    assert right / stated >= 0.95


def test_every_direction_can_be_tested_again() -> None:
    network = engine.simulate(labels=6, features=30, rows=3000, seed=1)
    result = engine.discover(network.dataset)
    decided = [orientation for orientation in result.orientation_records.values() if orientation.because]
    assert decided
    for orientation in decided:
        assert orientation.others
        for test in orientation.tests:
            assert engine.ci_test("g2", network.dataset, test.x, test.y, test.given) == test


def test_the_same_for_any_number_of_workers() -> None:
    network = engine.simulate(labels=6, features=30, rows=3000, seed=1)
    one, two = (
        engine.discover(network.dataset, DiscoverySettings(workers=workers)).orientation_records
        for workers in (1, 2)
    )
    assert list(one.items()) == list(two.items())


def test_a_search_that_is_not_asked_for_directions_finds_all_else() -> None:
    network = engine.simulate(labels=4, features=30, rows=1500, multiple_boundaries=0.5, seed=4)
    with_directions, without = (
        engine.discover(network.dataset, directions=directions) for directions in (True, False)
    )
    assert with_directions.orientation_records and not without.orientation_records
    assert without.tests_made < with_directions.tests_made
    for name in ("boundaries", "equivalence_records", "evidence", "label_evidence", "unreliable_tests"):
        assert getattr(without, name) == getattr(with_directions, name)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_dozens_of_effects_are_no_causes_by_chance(seed: int) -> None:
    """Of some thousand pairs of rare effects many seem to be joined by what they are effects of."""
    generator = np.random.default_rng(seed)
    cause = generator.random(5000) < 0.15
    columns = {"cause": cause}
    for place in range(60):
        probability = 1 / (1 + np.exp(generator.normal(3.0, 0.5) - generator.uniform(0.8, 2.0) * cause))
        columns[f"effect {place}"] = generator.random(5000) < probability
    frame = pandas.DataFrame(columns).replace({True: "yes", False: "no"})
    result = engine.discover(engine.Dataset.from_frame(frame, labels=["cause"]))
    assert len(result.boundaries["cause"].parents_children) > 40
    stated = _stated(result)
    assert sum(edge[0] != "cause" for edge in stated) <= 0.05 * len(stated)
