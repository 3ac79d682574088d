"""Which variables are in some Markov boundary of a target where nodes may be functions of others.

An oracle that knows the network's conditional tables and none of the program's code. Conditional
independence is read from the graph by D-separation (Geiger, Verma and Pearl 1990, Identifying independence
in Bayesian networks, Networks 20:507-534): what the conditioning set determines counts as given. Functions
are read from the support of each family, of its parents, and backwards, as of a copy; and from that of two
families with a member in common: where c is one of three levels by a and b, and s says whether it is the
last, a and s may determine c.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from engine.simulation import BayesianNetwork

# What is less probable than this in a conditional table does not occur.
IMPOSSIBLE = 1e-9
# Boundaries of one target are listed up to this many removed sets; few targets have more.
MOST_REMOVED_SETS = 400
# In two families of more nodes than this, sets of these are too many to be gone through.
MOST_OF_TWO_FAMILIES = 10


def functional_nodes(network: BayesianNetwork) -> tuple[str, ...]:
    """List the nodes with parents whose conditional table holds 0 and 1 only: exact functions."""
    return tuple(
        node
        for node in network.nodes
        if network.parents[node] and bool((np.max(network.tables[node], axis=-1) >= 1.0 - IMPOSSIBLE).all())
    )


def drawn_network(seed: int, nodes: int, most_parents: int = 3) -> BayesianNetwork:
    """Draw a network of yes/no nodes: a third are functions (or, and, exactly one, copy), others noisy."""
    generator = np.random.default_rng(seed)
    names = [f"N{place:02d}" for place in range(nodes)]
    parents: dict[str, list[str]] = {}
    tables: dict[str, np.ndarray] = {}
    for place, node in enumerate(names):
        count = int(generator.integers(0, min(place, most_parents) + 1))
        parents[node] = [names[earlier] for earlier in generator.permutation(place)[:count]]
        share = generator.uniform(0.05, 0.95, (2,) * count)
        if count and generator.random() < 0.5:
            yes = np.indices((2,) * count).sum(axis=0)
            share = (yes > 0, yes == count, yes == 1)[int(generator.integers(3))].astype(float)
        tables[node] = np.stack((1.0 - share, share), axis=-1)
    return BayesianNetwork(names, parents, tables)


def drawn_of_many_levels(seed: int) -> BayesianNetwork:
    """Draw a network of 5 to 40 nodes of 2 to 5 levels, a third of them functions of 1 to 3 others.

    Functions are coarser forms, sums, maxima, "all" and "any"; others are noisy.
    """
    generator = np.random.default_rng(seed)
    names = [f"N{place:02d}" for place in range(int(generator.integers(5, 41)))]
    parents: dict[str, list[str]] = {}
    tables: dict[str, np.ndarray] = {}
    sizes: dict[str, int] = {}
    for place, node in enumerate(names):
        count = int(generator.integers(0, min(place, 3) + 1))
        parents[node] = [names[earlier] for earlier in generator.permutation(place)[:count]]
        shape = tuple(sizes[parent] for parent in parents[node])
        if count and generator.random() < 1 / 3:
            values = _drawn_function(generator, np.indices(shape))
            tables[node] = np.eye(int(values.max()) + 1)[values]
        else:
            levels = int(generator.integers(2, 6))
            tables[node] = generator.dirichlet(np.full(levels, 0.7), shape or None)
        sizes[node] = tables[node].shape[-1]
    return BayesianNetwork(names, parents, tables)


def _drawn_function(generator: np.random.Generator, levels: np.ndarray) -> np.ndarray:
    """Return the level that a function has for each combination of levels of its parents."""
    if len(levels) == 1:
        return np.asarray(
            levels[0] * 2 // levels[0].max(initial=1) > generator.integers(0, 2), dtype=np.int64
        )
    functions: tuple[Any, ...] = (
        levels.sum(axis=0),
        levels.max(axis=0),
        (levels > 0).all(axis=0),
        (levels > 0).any(axis=0),
    )
    drawn: np.ndarray = functions[int(generator.integers(len(functions)))]
    return drawn.astype(np.int64)


class Support(NamedTuple):
    """Which combinations of the levels of some nodes occur.

    Attributes
    ----------
    nodes : tuple of int
    occurs : ndarray of bool, an axis a node
    """

    nodes: tuple[int, ...]
    occurs: np.ndarray


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
        supports = [self._add_family(network, node) for node in network.nodes]
        self._functions += _of_two_families(supports, self._functions)
        self._ancestors = [self._upwards(1 << number) for number in range(len(self.nodes))]

    def _add_family(self, network: BayesianNetwork, node: str) -> Support:
        """Note the parents that matter, and what members determine; return which combinations occur."""
        table = np.asarray(network.tables[node])
        own = self._place[node]
        matters = [
            bool((np.abs(table - np.take(table, [0], axis=axis)) > IMPOSSIBLE).any())
            for axis in range(table.ndim - 1)
        ]
        table = table[tuple(slice(None) if matters_here else 0 for matters_here in (*matters, True))]
        named = zip(network.parents[node], matters, strict=True)
        family = [*(self._place[parent] for parent, matters_here in named if matters_here), own]
        occurs = np.broadcast_to(self._occurs(network, family), table.shape)
        # Of a function and what it is of, the function is kept, as the nearer one.
        inner = {parent for position in family[:-1] for parent in network.parents[self.nodes[position]]}
        farthest_first = sorted(
            range(len(family) - 1), key=lambda axis: self.nodes[family[axis]] not in inner
        )
        for axis in _those_that_matter(table, occurs, farthest_first):
            self._parents[own] |= 1 << family[axis]
            self._children[family[axis]] |= 1 << own
        support = (table > IMPOSSIBLE) & occurs
        for axis, member in enumerate(family):
            self._functions += [
                (_bits(family[position] for position in by), member) for by in _determined(support, axis)
            ]
        return Support(tuple(family), support)

    def _occurs(self, network: BayesianNetwork, family: list[int]) -> np.ndarray:
        """Tell which combinations of a family the tables of members allow whose parents are all in it."""
        occurs = np.ones((1,) * len(family), dtype=bool)
        for member in family[:-1]:
            parents = [self._place[parent] for parent in network.parents[self.nodes[member]]]
            if set(parents) <= set(family):
                axes = [family.index(place) for place in (*parents, member)]
                possible = np.asarray(network.tables[self.nodes[member]]) > IMPOSSIBLE
                outside = [axis for axis in range(len(family)) if axis not in axes]
                occurs = occurs & np.expand_dims(possible.transpose(np.argsort(axes)), outside)
        return occurs

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
        for number in sorted(_positions(members), key=lambda candidate: -self._distance(target, candidate)):
            if not self.dependent(target, members & ~(1 << number)) >> number & 1:
                members &= ~(1 << number)
        return members

    def _distance(self, start: int, end: int) -> int:
        reached, steps = 1 << start, 0
        while not reached >> end & 1:
            wider = reached
            for number in _positions(reached):
                wider |= self._parents[number] | self._children[number]
            if wider == reached:
                return len(self.nodes)
            reached, steps = wider, steps + 1
        return steps

    def in_some_boundary(self, target: str) -> frozenset[str]:
        """Return the nodes that are in at least one Markov boundary of a target."""
        return frozenset[str]().union(*self.boundaries(target))

    def boundaries(self, target: str) -> list[frozenset[str]]:
        """List the Markov boundaries of a target, the one nearest to it first.

        As by TIE* (Statnikov, Lytkin, Lemeire and Aliferis 2013): once more without each member, and so on;
        those of a part of the nodes count if they leave nothing to the others.
        """
        own = self._place[target]
        everything = (1 << len(self.nodes)) - 1
        relevant = self._relevant(own)
        listed: dict[int, None] = {}
        seen = {0}
        pending = [0]
        while pending and len(seen) <= MOST_REMOVED_SETS:
            removed = pending.pop(0)
            members = self.boundary_within(own, relevant & ~removed)
            if self.dependent(own, members) & ~members & everything:
                continue
            listed[members] = None
            for number in _positions(members):
                wider = removed | 1 << number
                if wider not in seen and self._leaves_nothing(own, relevant & ~wider):
                    seen.add(wider)
                    pending.append(wider)
        return [frozenset(self.nodes[number] for number in _positions(members)) for members in listed]

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


def _of_two_families(supports: list[Support], functions: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """List what determines a node in the support of two families, and in neither alone."""
    limited = [support for support in supports if not support.occurs.all()]
    added: list[tuple[int, int]] = []
    for first, second in combinations(limited, 2):
        shared = set(first.nodes) & set(second.nodes)
        nodes = tuple(sorted({*first.nodes, *second.nodes}))
        if not shared or len(nodes) > MOST_OF_TWO_FAMILIES:
            continue
        occurs = _spread(first, nodes) & _spread(second, nodes)
        for axis, node in enumerate(nodes):
            determining = [by for by, determined in functions if determined == node]
            for by in _determined(occurs, axis):
                together = _bits(nodes[position] for position in by)
                if not any(smaller & ~together == 0 for smaller in determining):
                    added.append((together, node))
    return added


def _spread(support: Support, nodes: tuple[int, ...]) -> np.ndarray:
    """Return a support with an axis for each of more nodes, in ascending order."""
    ordered = support.occurs.transpose(np.argsort(support.nodes))
    absent = [axis for axis, node in enumerate(nodes) if node not in support.nodes]
    return np.expand_dims(ordered, absent)


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


def _those_that_matter(table: np.ndarray, occurs: np.ndarray, dropped_first: list[int]) -> list[int]:
    """Return parents that tell all that parents tell of a node where anything occurs, and no other."""
    kept = list(range(table.ndim - 1))
    possible: np.ndarray = np.any(occurs, axis=-1)
    if possible.all():
        return kept
    rows, levels = table[possible], np.argwhere(possible)
    for axis in dropped_first:
        rest = [other_axis for other_axis in kept if other_axis != axis]
        combination = np.unique(levels[:, rest], axis=0, return_inverse=True)[1].ravel()
        order = np.argsort(combination, kind="stable")
        differ = (np.abs(np.diff(rows[order], axis=0)) > IMPOSSIBLE).any(axis=1)
        if not differ[np.diff(combination[order]) == 0].any():
            kept = rest
    return kept


def _determined(support: np.ndarray, axis: int) -> list[tuple[int, ...]]:
    """List the smallest sets of other axes that leave one level of an axis where anything occurs."""
    others = tuple(other_axis for other_axis in range(support.ndim) if other_axis != axis)
    if not _leaves_one_level(support, axis, others):
        return []
    fewer = combinations(others, len(others) - 1) if others else ()
    if not any(_leaves_one_level(support, axis, by) for by in fewer):
        return [others]
    smallest: list[tuple[int, ...]] = []
    for size in range(len(others)):
        for by in combinations(others, size):
            is_smallest = not any(set(smaller) <= set(by) for smaller in smallest)
            if is_smallest and _leaves_one_level(support, axis, by):
                smallest.append(by)
    return smallest


def _leaves_one_level(support: np.ndarray, axis: int, by: tuple[int, ...]) -> bool:
    rest = tuple(
        other_axis for other_axis in range(support.ndim) if other_axis != axis and other_axis not in by
    )
    occurs = support.any(axis=rest)
    return bool((occurs.sum(axis=sorted((*by, axis)).index(axis)) <= 1).all())
