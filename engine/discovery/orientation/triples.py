"""Three variables in a row whose ends may be apart, and the sets that may separate them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from engine.boundaries.search import SpouseLink
from engine.discovery.orientation.local_graph import LocalGraph

Indices = tuple[int, ...]


@dataclass(frozen=True, order=True, slots=True)
class Triple:
    """Two ends, the one with the lower position first, and what lies between them."""

    first: int
    centre: int
    second: int

    @property
    def ends(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Each end with the other one."""
        return (self.first, self.second), (self.second, self.first)


def triples_around(
    graph: LocalGraph, links: Iterable[tuple[int, SpouseLink]]
) -> dict[Triple, tuple[Indices, ...]]:
    """List the triples whose ends may be apart, with the sets Z to try.

    Parameters
    ----------
    graph : LocalGraph
        Who is next to whom.
    links : iterable of (target, SpouseLink)
        Spouses of a target, with the connecting child.

    Returns
    -------
    dict of Triple to tuple of sets
        The sets hold neither the ends nor the centre: nothing, what separated the ends in a search, and each
        single neighbour of one of the three. One may be listed twice.
    """
    sets: dict[Triple, list[Indices]] = {}
    alone: dict[int, list[Indices]] = {
        centre: [(each,) for each in graph.neighbours(centre)] for centre in graph.centres
    }
    for centre in graph.centres:
        for first, second in combinations(graph.neighbours(centre), 2):
            if not graph.adjacent(first, second) and not graph.disputed(first, second):
                triple = Triple(first, centre, second)
                sets[triple] = _sets(graph, triple, alone)
    for target, link in links:
        if graph.adjacent(target, link.child) and graph.apart(target, link.spouse):
            triple = Triple(min(target, link.spouse), link.child, max(target, link.spouse))
            sets.setdefault(triple, []).append(_without(link.given, (link.child,)))
    return {triple: tuple(found) for triple, found in sorted(sets.items())}


def _sets(graph: LocalGraph, triple: Triple, alone: Mapping[int, list[Indices]]) -> list[Indices]:
    inside = (triple.first, triple.centre, triple.second)
    left_out = {(each,) for each in inside}
    sets = [(), *(_without(each, inside) for each in graph.separators(triple.first, triple.second))]
    for each in (triple.centre, triple.first, triple.second):
        sets += [single for single in alone.get(each, ()) if single not in left_out]
    return sets


def _without(given: Iterable[int], left_out: Indices) -> Indices:
    return tuple(sorted(each for each in given if each not in left_out))
