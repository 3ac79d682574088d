"""Three variables in a row whose ends may be apart, and the sets that may separate them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from engine.boundaries.search import SpouseLink
from engine.discovery.orientation.local_graph import Edge, LocalGraph

Indices = tuple[int, ...]


class Triple(NamedTuple):
    """Two ends, the one with the lower position first, and what lies between them."""

    first: int
    centre: int
    second: int

    @property
    def ends(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Each end with the other one."""
        return (self.first, self.second), (self.second, self.first)

    @property
    def edges(self) -> tuple[Edge, Edge]:
        """The two pairs of neighbours, the lower position first in each."""
        return _edge(self.first, self.centre), _edge(self.centre, self.second)


class Triples:
    """The triples of a local graph whose ends may be apart, with the sets Z to try.

    Parameters
    ----------
    graph : LocalGraph
        Who is next to whom.
    links : iterable of (target, SpouseLink)
        Spouses of a target, with the connecting child.
    """

    def __init__(self, graph: LocalGraph, links: Iterable[tuple[int, SpouseLink]]) -> None:
        self._graph = graph
        self._centres = frozenset(graph.centres)
        self._given: dict[Triple, list[Indices]] = {}
        self._linked: dict[Edge, list[Triple]] = {}
        for target, link in links:
            if graph.adjacent(target, link.child) and graph.apart(target, link.spouse):
                triple = Triple(min(target, link.spouse), link.child, max(target, link.spouse))
                self._given.setdefault(triple, []).append(_without(link.given, (link.child,)))
                self._linked.setdefault(_edge(target, link.child), []).append(triple)

    def with_edges(self, edges: Iterable[Edge]) -> list[Triple]:
        """List the triples that contain one of some pairs of neighbours, in order and each once."""
        found: set[Triple] = set()
        for edge in edges:
            found.update(self._linked.get(edge, ()))
            for centre, end in (edge, edge[::-1]):
                if centre in self._centres:
                    found.update(self._around(centre, end))
        return sorted(found)

    def _around(self, centre: int, end: int) -> Iterable[Triple]:
        graph = self._graph
        for other in graph.neighbours(centre):
            if other != end and not graph.adjacent(end, other) and not graph.disputed(end, other):
                yield Triple(min(end, other), centre, max(end, other))

    def sets(self, triple: Triple) -> list[Indices]:
        """Give the first sets to try: nothing, and what separated the ends in a search; in column order.

        None holds an end or the centre.
        """
        inside = (triple.first, triple.centre, triple.second)
        separators = self._graph.separators(triple.first, triple.second)
        found = [(), *(_without(each, inside) for each in separators), *self._given.get(triple, ())]
        return list(dict.fromkeys(found))

    def singles(self, triple: Triple) -> np.ndarray:
        """Give every neighbour of one of the three but these: each is a further set. Int64, ascending."""
        inside = {triple.first, triple.centre, triple.second}
        around = inside.union(*(self._graph.neighbours(each) for each in inside & self._centres))
        return np.array(sorted(around - inside), dtype=np.int64)


def _edge(first: int, second: int) -> Edge:
    return (first, second) if first < second else (second, first)


def _without(given: Iterable[int], left_out: Indices) -> Indices:
    return tuple(sorted(each for each in given if each not in left_out))
