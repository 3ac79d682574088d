"""Features in the place of labels: small cases worked by hand, and graphs whose separations are known."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import networkx
import numpy as np

import engine
from engine.boundaries.markov_boundary import MarkovBoundary
from engine.boundaries.neighbourhoods import Neighbourhoods
from engine.selection.clcd_fs import CandidateTests, without_labels
from tests.engine.oracle import oracle_data
from tests.with_each import with_each


def everyone(label: str, candidates: Sequence[str], neighbours: Sequence[str]) -> Sequence[str]:
    return candidates


def nobody(label: str, candidates: Sequence[str], neighbours: Sequence[str]) -> Sequence[str]:
    return ()


def test_a_boundary_without_labels_stays_as_it_is() -> None:
    boundary = MarkovBoundary("T1", ("B", "A"), {"S": frozenset({"A"})})
    bare = without_labels(boundary, {}, frozenset({"T1", "T2"}), everyone)
    assert (bare.neighbours, bare.spouses) == (("B", "A"), {"S": frozenset({"A"})})
    assert bare.in_place_of == {} and bare.removed_labels == ()


def test_what_is_asked_of_each_candidate() -> None:
    """The label itself, what left, and what is there already are not candidates; the set holds no label."""
    questions = []

    def note(label: str, candidates: Sequence[str], neighbours: Sequence[str]) -> Sequence[str]:
        questions.append((label, tuple(candidates), tuple(neighbours)))
        return [name for name in candidates if name in ("B", "T3")]

    neighbours = {"T1": ("A", "T2"), "T2": ("T1", "A", "B", "T3"), "T3": ("T2", "T1", "B", "C")}
    bare = without_labels(
        MarkovBoundary("T1", neighbours["T1"]), neighbours, frozenset(neighbours), note
    )  # fmt: skip
    assert questions == [("T1", ("B", "T3"), ("A",)), ("T1", ("C",), ("A", "B"))]
    assert bare.neighbours == ("A", "B")
    assert bare.removed_labels == ("T2", "T3")
    assert bare.in_place_of == {"B": ("T2",)}


def test_labels_that_name_each_other_end() -> None:
    neighbours = {"T1": ("T2", "T3"), "T2": ("T3", "T1"), "T3": ("T1", "T2", "A")}
    for label in neighbours:
        bare = without_labels(
            MarkovBoundary(label, neighbours[label]), neighbours, frozenset(neighbours), everyone
        )
        assert bare.neighbours == ("A",)
        assert set(bare.removed_labels) == set(neighbours) - {label}


def test_all_labels_in_whose_place_a_feature_came_are_named() -> None:
    neighbours = {"T1": ("T2", "T3"), "T2": ("A",), "T3": ("A",)}
    bare = without_labels(MarkovBoundary("T1", ("T2", "T3")), neighbours, frozenset(neighbours), everyone)
    assert bare.in_place_of == {"A": ("T2", "T3")}


def test_labels_leave_the_spouses_and_spouses_through_a_label_stay() -> None:
    boundary = MarkovBoundary(
        "T1", ("T2", "A"), {"S": frozenset({"T2"}), "T3": frozenset({"A"}), "B": frozenset({"A"})}
    )
    bare = without_labels(boundary, {"T2": ("T1", "S")}, frozenset({"T1", "T2", "T3"}), nobody)
    assert bare.spouses == {"S": frozenset({"T2"}), "B": frozenset({"A"})}
    assert bare.members == ("A", "S", "B")


def test_a_label_that_was_not_finished_offers_nothing() -> None:
    bare = without_labels(MarkovBoundary("T1", ("T2",)), {}, frozenset({"T1", "T2"}), everyone)
    assert bare.neighbours == () and bare.removed_labels == ("T2",)


def separation_in(graph: networkx.DiGraph) -> CandidateTests:
    """Ask the graph itself instead of data."""
    settings = engine.DiscoverySettings(max_conditioning=3, false_discovery="none", workers=1)
    data = oracle_data(list(graph.edges), list(graph.nodes))
    return CandidateTests(Neighbourhoods(data, settings, np.zeros(1, dtype=np.uint8)))


@with_each("seed", range(8))
def test_candidates_that_nothing_separates_are_those_of_the_graph(seed: int) -> None:
    generator = np.random.default_rng(seed)
    chosen = np.triu(generator.random((8, 8)) < 0.35, k=1)
    graph = networkx.relabel_nodes(
        networkx.from_numpy_array(chosen, create_using=networkx.DiGraph), dict(enumerate("ABCDEFGH"))
    )
    separation = separation_in(graph)
    for label in "AD":
        others = [name for name in graph.nodes if name != label]
        pool, candidates = others[:4], others[4:]
        expected = [
            candidate
            for candidate in candidates
            if not any(
                networkx.is_d_separator(graph, {candidate}, {label}, set(given))
                for size in range(4)
                for given in itertools.combinations(pool, size)
            )
        ]
        assert separation.inseparable(label, candidates, pool) == expected
