"""Who causes whom: what networks of categories and of numbers have in common."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from engine.errors import InvalidData


class DirectedGraph:
    """A directed acyclic graph; networks inherit from it and add how each node follows from its parents.

    Attributes
    ----------
    nodes : tuple of str
        Unique names, in any order.
    parents : mapping of str to tuple of str
        Parents of every node.
    """

    nodes: tuple[str, ...]
    parents: Mapping[str, tuple[str, ...]]

    @cached_property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """Every edge as (cause, effect), in the order of the effects."""
        return tuple((cause, effect) for effect in self.nodes for cause in self.parents[effect])

    @cached_property
    def children(self) -> dict[str, tuple[str, ...]]:
        """Children of each node, in node order."""
        found: dict[str, list[str]] = {name: [] for name in self.nodes}
        for cause, effect in self.edges:
            found[cause].append(effect)
        return {name: tuple(effects) for name, effects in found.items()}

    @cached_property
    def adjacency(self) -> np.ndarray:
        """Edges as a bool array of shape (nodes, nodes): the row causes the column."""
        position = {name: place for place, name in enumerate(self.nodes)}
        matrix = np.zeros((len(self.nodes), len(self.nodes)), dtype=np.bool_)
        for cause, effect in self.edges:
            matrix[position[cause], position[effect]] = True
        return matrix

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The nodes so ordered that every parent precedes its children."""
        waiting = {name: len(self.parents[name]) for name in self.nodes}
        ready = [name for name in self.nodes if waiting[name] == 0]
        ordered: list[str] = []
        while ready:
            name = ready.pop()
            ordered.append(name)
            for child in self.children[name]:
                waiting[child] -= 1
                if waiting[child] == 0:
                    ready.append(child)
        if len(ordered) < len(self.nodes):
            looped = sorted(set(self.nodes) - set(ordered))
            raise InvalidData(
                "the arrows run in a circle.",
                place=f"among {', '.join(looped[:5])}",
                remedy="Remove an arrow, so that no variable is its own cause.",
            )
        return tuple(ordered)

    def spouses(self, node: str) -> dict[str, frozenset[str]]:
        """Other parents of the children of a node, each with the children that connect it."""
        found: dict[str, set[str]] = {}
        for child in self.children[node]:
            for other in self.parents[child]:
                if other != node:
                    found.setdefault(other, set()).add(child)
        neighbours = {*self.parents[node], *self.children[node]}
        return {name: frozenset(found[name]) for name in found if name not in neighbours}
