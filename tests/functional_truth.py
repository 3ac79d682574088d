"""Which variables are in some Markov boundary of a target where nodes may be functions of others.

An oracle that knows the network's conditional tables and none of the program's code. Conditional
independence is read from the graph by D-separation (Geiger, Verma and Pearl 1990, Identifying independence
in Bayesian networks, Networks 20:507-534): what the conditioning set determines counts as given. Functions
are read from the support of each family: of its parents, and backwards, as of a copy.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from engine.simulation import BayesianNetwork

# What is less probable than this in a conditional table does not occur.
IMPOSSIBLE = 1e-9
# Boundaries of one target are listed up to this many removed sets; few targets have more.
MOST_REMOVED_SETS = 400


def functional_nodes(network: BayesianNetwork) -> tuple[str, ...]:
    """List the nodes with parents whose conditional table holds 0 and 1 only: exact functions."""
    return tuple(
        node
        for node in network.nodes
        if network.parents[node] and bool((np.max(network.tables[node], axis=-1) >= 1.0 - IMPOSSIBLE).all())
    )


class FunctionalTruth:
    """Conditional independence and Markov boundaries of a network with functional nodes.

    Sets of nodes are integers, one bit a node in the order of the network.
    """

    def __init__(self, network: BayesianNetwork) -> None:
        self.nodes = network.nodes
        self._place = {node: number for number, node in enumerate(network.nodes)}
        self._parents = [0] * len(self.nodes)
        self._children = [0] * len(self.nodes)
        self._functions: list[tuple[int, int]] = []
        for node in network.nodes:
            self._add_family(network, node)
        self._ancestors = [self._upwards(1 << number) for number in range(len(self.nodes))]

    def _add_family(self, network: BayesianNetwork, node: str) -> None:
        """Note the parents that matter, and which members of the family others of it determine."""
        table = np.asarray(network.tables[node])
        parents = network.parents[node]
        own = self._place[node]
        matters = [
            bool((np.abs(table - np.take(table, [0], axis=axis)) > IMPOSSIBLE).any())
            for axis in range(len(parents))
        ]
        table = table[tuple(slice(None) if each else 0 for each in (*matters, True))]
        family = [self._place[parent] for parent, each in zip(parents, matters, strict=True) if each]
        for parent in family:
            self._parents[own] |= 1 << parent
            self._children[parent] |= 1 << own
        family.append(own)
        support = table > IMPOSSIBLE
        for axis, member in enumerate(family):
            self._functions += [
                (_bits(family[each] for each in by), member) for by in _determined(support, axis)
            ]

    def _upwards(self, nodes: int) -> int:
        """Return some nodes and all of their ancestors."""
        seen, pending = 0, nodes
        while pending:
            number = pending.bit_length() - 1
            pending &= ~(1 << number)
            seen |= 1 << number
            pending |= self._parents[number] & ~seen
        return seen

    def determined(self, given: int) -> int:
        """Return a set with everything that it determines."""
        closure, before = given, -1
        while closure != before:
            before = closure
            for by, node in self._functions:
                if by & ~closure == 0:
                    closure |= 1 << node
        return closure

    def dependent(self, target: int, given: int) -> int:
        """Return the nodes that depend on a target given a set."""
        closure = self.determined(given)
        if closure >> target & 1:
            return 0
        return self._reached(target, given, closure) & self._reached(target, closure, closure) & ~closure

    def _reached(self, target: int, given: int, blocked: int) -> int:
        """Return what an active trail leads to; nodes with a descendant in `given` pass colliders on."""
        opened = 0
        for number in _positions(given):
            opened |= self._ancestors[number]
        up, down = self._parents[target], self._children[target]
        seen_up, seen_down = 0, 0
        while up or down:
            if up:
                number = up.bit_length() - 1
                up &= ~(1 << number)
                seen_up |= 1 << number
                if not blocked >> number & 1:
                    up |= self._parents[number] & ~seen_up
                    down |= self._children[number] & ~seen_down
            else:
                number = down.bit_length() - 1
                down &= ~(1 << number)
                seen_down |= 1 << number
                if not blocked >> number & 1:
                    down |= self._children[number] & ~seen_down
                if opened >> number & 1:
                    up |= self._parents[number] & ~seen_up
        return (seen_up | seen_down) & ~(1 << target)

    def boundary_within(self, target: int, allowed: int) -> int:
        """Return a Markov boundary of a target among the allowed nodes."""
        members = allowed & ~(1 << target)
        # The nearest are kept where either of two would do.
        for number in sorted(_positions(members), key=lambda each: -self._distance(target, each)):
            if not self.dependent(target, members & ~(1 << number)) >> number & 1:
                members &= ~(1 << number)
        return members

    def _distance(self, one: int, other: int) -> int:
        reached, steps = 1 << one, 0
        while not reached >> other & 1:
            wider = reached
            for number in _positions(reached):
                wider |= self._parents[number] | self._children[number]
            if wider == reached:
                return len(self.nodes)
            reached, steps = wider, steps + 1
        return steps

    def in_some_boundary(self, target: str) -> frozenset[str]:
        """Return the nodes that are in at least one Markov boundary of a target.

        Boundaries are listed as by TIE* (Statnikov, Lytkin, Lemeire and Aliferis 2013): once more without
        each member, and so on; those of a part of the nodes count if they leave nothing to the others.
        """
        own = self._place[target]
        everything = (1 << len(self.nodes)) - 1
        relevant = self._relevant(own)
        union, seen = 0, {0}
        pending = [0]
        while pending and len(seen) <= MOST_REMOVED_SETS:
            removed = pending.pop(0)
            members = self.boundary_within(own, relevant & ~removed)
            if self.dependent(own, members) & ~members & everything:
                continue
            union |= members
            for number in _positions(members):
                wider = removed | 1 << number
                if wider not in seen and self._leaves_nothing(own, relevant & ~wider):
                    seen.add(wider)
                    pending.append(wider)
        return frozenset(self.nodes[number] for number in _positions(union))

    def _leaves_nothing(self, target: int, allowed: int) -> bool:
        given = allowed & ~(1 << target)
        return not self.dependent(target, given) & ~given

    def _relevant(self, target: int) -> int:
        """Return the nodes that are not independent of a target whatever is given: those connected to it."""
        reached, before = 1 << target, 0
        while reached != before:
            before = reached
            for number in _positions(before):
                reached |= self._parents[number] | self._children[number]
        return reached


def _bits(numbers: Iterator[int]) -> int:
    together = 0
    for number in numbers:
        together |= 1 << number
    return together


def _positions(nodes: int) -> Iterator[int]:
    while nodes:
        lowest = nodes & -nodes
        yield lowest.bit_length() - 1
        nodes ^= lowest


def _determined(support: np.ndarray, axis: int) -> list[tuple[int, ...]]:
    """List the smallest sets of other axes that leave one level of an axis where anything occurs."""
    others = [each for each in range(support.ndim) if each != axis]
    smallest: list[tuple[int, ...]] = []
    for size in range(len(others) + 1):
        for by in combinations(others, size):
            if any(set(smaller) <= set(by) for smaller in smallest):
                continue
            rest = tuple(each for each in others if each not in by)
            occurs = support.any(axis=rest)
            kept = sorted((*by, axis)).index(axis)
            if (occurs.sum(axis=kept) <= 1).all():
                smallest.append(by)
    return smallest
