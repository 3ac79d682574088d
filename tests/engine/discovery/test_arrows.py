"""The rules by which one direction follows from others: complete, and never both ways."""

from __future__ import annotations

from itertools import combinations

import networkx
import numpy as np
import pytest

from engine.boundaries.neighbourhoods import Neighbourhood
from engine.discovery.orientation.arrows import arrows_between
from engine.discovery.orientation.colliders import Triple, TripleFinding, TripleFindings
from engine.discovery.orientation.direction import Because
from engine.discovery.orientation.local_graph import LocalGraph
from tests.engine.equivalence_class import compelled_edges, v_structures
from tests.with_each import with_each

Edge = tuple[int, int]


def _graph(edges: list[Edge], size: int) -> LocalGraph:
    around: dict[int, set[int]] = {place: set() for place in range(size)}
    for start, end in edges:
        around[start].add(end)
        around[end].add(start)
    return LocalGraph(
        {place: Neighbourhood(place, tuple(neighbours), {}, {}, 0, 0) for place, neighbours in around.items()}
    )


def _finding(left: int, centre: int, right: int) -> TripleFinding:
    first, second = sorted((left, right))
    return TripleFinding(
        Triple(first, centre, second), (first, second, ()), (first, second, (centre,)), -50.0
    )


def _arrows(edges: list[Edge], colliders: list[tuple[int, int, int]], size: int) -> set[Edge]:
    """Directions that follow when all other triples whose ends are apart are passages."""
    graph = _graph(edges, size)
    known_colliders = {_finding(*collider).triple for collider in colliders}
    passages = [
        _finding(left, centre, right)
        for centre in range(size)
        for left, right in combinations(graph.neighbours(centre), 2)
        if graph.apart(left, right) and Triple(left, centre, right) not in known_colliders
    ]
    findings = TripleFindings(tuple(_finding(*collider) for collider in colliders), tuple(passages), 0)
    return set(arrows_between(graph, findings))


@pytest.mark.parametrize("seeds", [range(10), pytest.param(range(10, 100), marks=pytest.mark.long)], ids=str)
def test_the_rules_reach_all_that_the_equivalence_class_shares(seeds: range) -> None:
    """Meek 1995: without background knowledge three rules suffice."""
    for seed in seeds:
        _assert_all_compelled(seed)


def _assert_all_compelled(seed: int) -> None:
    generator = np.random.default_rng(seed)
    pairs = [(cause, effect) for effect in range(7) for cause in range(effect)]
    chosen = generator.choice(len(pairs), int(generator.integers(7, 13)), replace=False)
    edges = [pairs[place] for place in chosen]
    named = [(str(cause), str(effect)) for cause, effect in edges]
    colliders = [
        (int(left), int(effect), int(right)) for (left, right), effect in map(_sides, v_structures(named))
    ]
    edges_found = {(str(start), str(end)) for start, end in _arrows(edges, colliders, 7)}
    assert edges_found == compelled_edges(named), seed


def _sides(structure: tuple[frozenset[str], str]) -> tuple[tuple[str, ...], str]:
    causes, effect = structure
    return tuple(sorted(causes)), effect


def test_rule_1_goes_away_from_a_collider() -> None:
    assert (2, 3) in _arrows([(0, 2), (1, 2), (2, 3)], [(0, 2, 1)], 4)


def test_rule_3_closes_two_paths() -> None:
    edges = [(0, 3), (1, 3), (2, 0), (2, 1), (2, 3)]
    graph = _graph(edges, 4)
    findings = TripleFindings((_finding(0, 3, 1),), (_finding(0, 2, 1),), 0)
    arrow = arrows_between(graph, findings)[(2, 3)]
    assert arrow.because is Because.NO_CYCLE_OR_COLLIDER
    assert arrow.others == (0, 1)


def test_what_is_told_both_ways_is_left_out() -> None:
    edges = [(0, 1), (1, 2), (2, 3), (3, 4)]
    assert _arrows(edges, [(0, 1, 2), (1, 2, 3)], 5) == {(0, 1), (3, 2)}


@with_each("seed", range(60))
def test_contradictory_colliders_never_give_a_circle(seed: int) -> None:
    generator = np.random.default_rng(seed)
    pairs = [(left, right) for right in range(8) for left in range(right)]
    edges = [pairs[place] for place in generator.choice(len(pairs), 12, replace=False)]
    graph = _graph(edges, 8)
    triples = [
        (left, centre, right)
        for centre in range(8)
        for left, right in combinations(graph.neighbours(centre), 2)
        if graph.apart(left, right)
    ]
    colliders = [triple for triple in triples if generator.random() < 0.4]
    arrows = _arrows(edges, colliders, 8)
    assert networkx.is_directed_acyclic_graph(networkx.DiGraph(list(arrows)))
    assert not {pair[::-1] for pair in arrows} & arrows
