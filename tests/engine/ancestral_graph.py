"""What is true, and what tests can tell of it, where some variables of a causal graph are hidden.

The truth is the maximal ancestral graph (MAG) of the variables that are seen, without selection (Richardson
and Spirtes 2002, Ancestral graph Markov models, Annals of Statistics 30:962-1030); which of its edges are
visible follows Zhang (2008), Causal reasoning with ancestral graphs, JMLR 9:1437-1474, Definition 8. What
endless rows tell is the graph of the FCI algorithm (Zhang 2008, On the completeness of orientation rules
for causal discovery in the presence of latent confounders and selection bias, Artificial Intelligence
172:1873-1896), written here for graphs of a dozen variables. Nothing of the engine is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, permutations

import networkx

Edge = tuple[str, str]

TAIL, ARROWHEAD, CIRCLE = "-", ">", "o"


class HiddenGraph:
    """A causal graph of which some variables are seen.

    Parameters
    ----------
    edges : iterable of (str, str)
        Causes and effects.
    seen : iterable of str
        The variables that are not hidden.
    """

    def __init__(self, edges: Iterable[Edge], seen: Iterable[str]) -> None:
        self.seen = sorted(seen)
        self._graph = networkx.DiGraph(list(edges))
        self._graph.add_nodes_from(self.seen)
        self._above = {name: networkx.ancestors(self._graph, name) for name in self._graph}
        self.adjacent = {
            frozenset(pair): not self.separated(*pair, self.ancestors_of(pair))
            for pair in combinations(self.seen, 2)
        }
        self._next_to = {
            name: [
                neighbour
                for neighbour in self.seen
                if neighbour != name and self.adjacent[frozenset((name, neighbour))]
            ]
            for name in self.seen
        }

    def causes(self, cause: str, effect: str) -> bool:
        """Tell whether one variable is a cause of another, directly or not."""
        return cause in self._above[effect]

    def ancestors_of(self, pair: Iterable[str]) -> set[str]:
        """Seen ancestors of two variables without these: they separate the two if any set does."""
        names = set(pair)
        above = set().union(*(self._above[name] for name in names))
        return (above & set(self.seen)) - names

    def separated(self, first: str, second: str, given: Iterable[str]) -> bool:
        """Tell whether two variables are d-separated."""
        return bool(networkx.is_d_separator(self._graph, {first}, {second}, set(given)))

    def mark(self, at: str, neighbour: str) -> str:
        """Mark at one end of an edge of the MAG."""
        return TAIL if self.causes(at, neighbour) else ARROWHEAD

    def next_to(self, name: str) -> list[str]:
        """Variables next to one in the MAG."""
        return self._next_to[name]

    def is_visible(self, cause: str, effect: str) -> bool:
        """Tell whether the edge of the MAG excludes that something hidden is in common."""
        if not (self.adjacent[frozenset((cause, effect))] and self.causes(cause, effect)):
            return False
        return visible(self.seen, self.adjacent, self.mark, cause, effect)


def visible(
    seen: list[str],
    adjacent: dict[frozenset[str], bool],
    mark: Callable[[str, str], str],
    cause: str,
    effect: str,
) -> bool:
    """Look for a collider path into the cause from outside, whose middle is all parents of the effect."""
    waiting, met = [cause], {cause}
    for middle in waiting:
        for neighbour in seen:
            if neighbour in met or neighbour == effect or not adjacent[frozenset((middle, neighbour))]:
                continue
            if mark(middle, neighbour) != ARROWHEAD:
                continue
            if not adjacent[frozenset((neighbour, effect))]:
                return True
            is_parent = mark(neighbour, effect) == TAIL and mark(effect, neighbour) == ARROWHEAD
            if is_parent and mark(neighbour, middle) == ARROWHEAD:
                met.add(neighbour)
                waiting.append(neighbour)
    return False


class PartialGraph:
    """The graph of FCI: what holds in every MAG that the same tests hold in."""

    def __init__(self, truth: HiddenGraph) -> None:
        self._truth = truth
        self._next_to = {name: set(truth.next_to(name)) for name in truth.seen}
        self._marks = {(at, neighbour): CIRCLE for at in truth.seen for neighbour in self._next_to[at]}
        self._separators = {
            pair: frozenset(truth.ancestors_of(pair)) for pair, near in truth.adjacent.items() if not near
        }
        self._colliders()
        rules = (
            self._rule_1,
            self._rule_2,
            self._rule_3,
            self._rule_4,
            self._rule_8,
            self._rule_9,
            self._rule_10,
        )
        changed = True
        while changed:
            changed = sum(rule() for rule in rules) > 0

    def mark(self, at: str, neighbour: str) -> str:
        """Mark at one end of an edge."""
        return self._marks[at, neighbour]

    def is_visible(self, cause: str, effect: str) -> bool:
        """Tell whether an edge excludes that something hidden is in common."""
        if not self._is(cause, effect, TAIL, ARROWHEAD):
            return False
        return visible(self._truth.seen, self._truth.adjacent, self.mark, cause, effect)

    def _near(self, first: str, second: str) -> bool:
        return second in self._next_to[first]

    def _is(self, first: str, second: str, at_first: str, at_second: str) -> bool:
        """Tell whether an edge has two marks; "*" is any."""
        return all(
            wanted in ("*", self._marks[pair])
            for pair, wanted in (((first, second), at_first), ((second, first), at_second))
        )

    def _set(self, at: str, neighbour: str, mark: str) -> bool:
        if self._marks[at, neighbour] != CIRCLE:
            assert self._marks[at, neighbour] == mark, "the rules contradict each other"
            return False
        self._marks[at, neighbour] = mark
        return True

    def _triples(self) -> Iterator[tuple[str, str, str]]:
        for middle, near in self._next_to.items():
            for first, last in permutations(sorted(near), 2):
                yield first, middle, last

    def _unshielded(self) -> Iterator[tuple[str, str, str]]:
        return ((a, b, c) for a, b, c in self._triples() if not self._near(a, c))

    def _colliders(self) -> None:
        for a, b, c in self._unshielded():
            if b not in self._separators[frozenset((a, c))]:
                self._set(b, a, ARROWHEAD)
                self._set(b, c, ARROWHEAD)

    def _rule_1(self) -> bool:
        changed = False
        for a, b, c in self._unshielded():
            if self._is(a, b, "*", ARROWHEAD) and self._is(b, c, CIRCLE, "*"):
                changed |= self._set(b, c, TAIL) | self._set(c, b, ARROWHEAD)
        return changed

    def _rule_2(self) -> bool:
        changed = False
        for a, b, c in self._triples():
            if not self._near(a, c) or self._marks[c, a] != CIRCLE:
                continue
            first = self._is(a, b, TAIL, ARROWHEAD) and self._is(b, c, "*", ARROWHEAD)
            second = self._is(a, b, "*", ARROWHEAD) and self._is(b, c, TAIL, ARROWHEAD)
            if first or second:
                changed |= self._set(c, a, ARROWHEAD)
        return changed

    def _rule_3(self) -> bool:
        changed = False
        for a, b, c in self._unshielded():
            if not (self._is(a, b, "*", ARROWHEAD) and self._is(c, b, "*", ARROWHEAD)):
                continue
            for d in self._next_to[a] & self._next_to[c] & self._next_to[b]:
                if (
                    self._is(a, d, "*", CIRCLE)
                    and self._is(c, d, "*", CIRCLE)
                    and self._is(d, b, "*", CIRCLE)
                ):
                    changed |= self._set(b, d, ARROWHEAD)
        return changed

    def _rule_4(self) -> bool:
        changed = False
        for a, b, c in self._triples():
            if self._near(a, c) and self._marks[b, c] == CIRCLE:
                changed |= self._discriminate(a, b, c)
        return changed

    def _discriminate(self, a: str, b: str, c: str) -> bool:
        """Look for a discriminating path (d, ..., a, b, c) for b."""
        if not (self._is(a, c, TAIL, ARROWHEAD) and self._is(a, b, ARROWHEAD, "*")):
            return False
        waiting, met = [a], {a, b, c}
        for middle in waiting:
            for d in self._next_to[middle] - met:
                if self._marks[middle, d] != ARROWHEAD:
                    continue
                if not self._near(d, c):
                    if b in self._separators[frozenset((d, c))]:
                        return self._set(b, c, TAIL) | self._set(c, b, ARROWHEAD)
                    return sum(self._set(*end, ARROWHEAD) for end in ((a, b), (b, a), (b, c), (c, b))) > 0
                if self._is(d, middle, ARROWHEAD, ARROWHEAD) and self._is(d, c, TAIL, ARROWHEAD):
                    met.add(d)
                    waiting.append(d)
        return False

    def _rule_8(self) -> bool:
        changed = False
        for a, b, c in self._triples():
            is_open = self._near(a, c) and self._is(a, c, CIRCLE, ARROWHEAD)
            if is_open and self._is(a, b, TAIL, ARROWHEAD) and self._is(b, c, TAIL, ARROWHEAD):
                changed |= self._set(a, c, TAIL)
        return changed

    def _possibly_directed(self, path: tuple[str, ...], end: str) -> Iterator[tuple[str, ...]]:
        """Uncovered potentially directed paths that go on from a path to an end."""
        if path[-1] == end:
            yield path
            return
        last = path[-1]
        for neighbour in sorted(self._next_to[last] - set(path)):
            if self._marks[last, neighbour] == ARROWHEAD or self._marks[neighbour, last] == TAIL:
                continue
            if len(path) > 1 and self._near(path[-2], neighbour):
                continue
            yield from self._possibly_directed((*path, neighbour), end)

    def _rule_9(self) -> bool:
        changed = False
        for (a, c), mark in list(self._marks.items()):
            if mark != CIRCLE or self._marks[c, a] != ARROWHEAD:
                continue
            if any(len(path) > 3 and not self._near(path[1], c) for path in self._possibly_directed((a,), c)):
                changed |= self._set(a, c, TAIL)
        return changed

    def _rule_10(self) -> bool:
        changed = False
        for (a, c), mark in list(self._marks.items()):
            if mark != CIRCLE or self._marks[c, a] != ARROWHEAD:
                continue
            parents = [parent for parent in self._next_to[c] - {a} if self._is(parent, c, TAIL, ARROWHEAD)]
            begins = {end: {path[1] for path in self._possibly_directed((a,), end)} for end in parents}
            if any(
                left != right and not self._near(left, right)
                for b, d in combinations(parents, 2)
                for left in begins[b]
                for right in begins[d]
            ):
                changed |= self._set(a, c, TAIL)
        return changed
