"""Which edges of a graph have the same direction in every graph that tests cannot tell from it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import networkx

from tests.engine.oracle import Edges

Edge = tuple[str, str]


def compelled_edges(edges: Edges) -> set[Edge]:
    """Give the edges that all members of the Markov equivalence class share, by trying every direction.

    Two graphs are equivalent when they have the same edges, directions aside, and the same v-structures
    (Verma and Pearl 1990, Equivalence and synthesis of causal models, UAI). For small graphs only.
    """
    members = [set(member) for member in _same_class(edges)]
    return set.intersection(*members)


def _same_class(edges: Edges) -> Iterator[list[Edge]]:
    wanted = v_structures(edges)
    for turned in product((False, True), repeat=len(edges)):
        member = [edge[::-1] if turn else edge for edge, turn in zip(edges, turned, strict=True)]
        graph = networkx.DiGraph(member)
        if networkx.is_directed_acyclic_graph(graph) and v_structures(member) == wanted:
            yield member


def v_structures(edges: Edges) -> set[tuple[frozenset[str], str]]:
    """Give the pairs of causes that are no neighbours, each with their shared effect."""
    neighbours = {frozenset(edge) for edge in edges}
    return {
        (frozenset((first, second)), effect)
        for first, effect in edges
        for second, same in edges
        if same == effect and first != second and frozenset((first, second)) not in neighbours
    }
