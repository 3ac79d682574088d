"""Searches on a causal graph that is known, where every test is right."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np

from engine.boundaries.discovery_settings import DiscoverySettings
from engine.boundaries.markov_boundary import MarkovBoundaries, MarkovBoundary, find_boundary
from engine.boundaries.neighbourhoods import Neighbourhoods
from engine.boundaries.several import boundaries_in
from engine.discovery.discover import SearchRequest, search_data
from engine.discovery.result import DiscoveryResult
from engine.independence.data import TestData
from engine.progress import SilentProgress
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable
from tests.engine.separation import causal_graph

Edges = Sequence[tuple[str, str]]

# Rows that suffice for any test.
ENDLESS = 10**9


def adjacency(edges: Edges, names: Sequence[str]) -> np.ndarray:
    """Matrix of a graph, row causes column."""
    matrix = np.zeros((len(names), len(names)), dtype=bool)
    for cause, effect in edges:
        matrix[names.index(cause), names.index(effect)] = True
    return matrix


def oracle_data(edges: Edges, names: Sequence[str]) -> TestData:
    """Test data whose tests are d-separation in the graph."""
    return TestData(causal_graph(adjacency(edges, names)), tuple(names), rows=ENDLESS).at_level(0.05)


def discovered(edges: Edges, labels: Sequence[str], settings: DiscoverySettings) -> DiscoveryResult:
    """Make a whole run on the true graph."""
    names = sorted({name for edge in edges for name in edge})
    roles = {name: Role.LABEL if name in labels else Role.FEATURE for name in names}
    dataset = Dataset(
        tuple(Variable(name, Kind.NOMINAL, roles[name], levels=("no", "yes")) for name in names),
        tuple(np.zeros(1, dtype=np.int8) for _ in names),
    )
    return search_data(oracle_data(edges, names), dataset, SearchRequest(settings), SilentProgress())


@functools.lru_cache(maxsize=4)
def _search(
    edges: tuple[tuple[str, str], ...], names: tuple[str, ...], settings: DiscoverySettings
) -> Neighbourhoods:
    """Search a graph for all its targets, as a run does: what one needs of another is found once."""
    return Neighbourhoods(oracle_data(edges, names), settings, np.zeros(1, dtype=np.uint8))


def oracle_boundary(
    edges: Edges,
    names: Sequence[str],
    target: str,
    algorithm: str = "hiton-mb",
    symmetry: bool = True,
    settings: DiscoverySettings | None = None,
) -> MarkovBoundary:
    """Search the boundary of a target on the true graph; unless settings are given, hold up to five fixed."""
    chosen = settings or DiscoverySettings(max_conditioning=5, symmetry=symmetry)
    search = _search(tuple(edges), tuple(names), chosen)
    return find_boundary(search, search.data.positions[target], algorithm)


def oracle_boundaries(
    edges: Edges, names: Sequence[str], target: str, algorithm: str, options: object | None = None
) -> MarkovBoundaries:
    """Search several boundaries of a target on the true graph."""
    data = oracle_data(edges, names)
    search = Neighbourhoods(data, DiscoverySettings(max_conditioning=5), np.zeros(1, dtype=np.uint8))
    return boundaries_in(search, data.positions[target], algorithm, options)


def true_boundary(edges: Edges, target: str) -> tuple[set[str], dict[str, frozenset[str]]]:
    """Neighbours, and spouses with every connecting child, read off the graph."""
    parents = {cause for cause, effect in edges if effect == target}
    children = {effect for cause, effect in edges if cause == target}
    spouses: dict[str, set[str]] = {}
    for cause, effect in edges:
        if effect in children and cause != target and cause not in parents | children:
            spouses.setdefault(cause, set()).add(effect)
    return parents | children, {
        spouse: frozenset(children_of_spouse) for spouse, children_of_spouse in spouses.items()
    }
