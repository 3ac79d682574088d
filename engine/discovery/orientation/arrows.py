"""From colliders to arrows, and on by the rules of Meek, until nothing follows any more.

The rules are those of Meek (1995), Causal inference and causal explanation with background knowledge, UAI,
403-410, as far as v-structures call for them. Whatever is told both ways, or would close a circle of causes,
is undecided, and nothing is concluded from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

import numpy as np

from engine.discovery.orientation.colliders import TripleFinding, TripleFindings
from engine.discovery.orientation.direction import Because
from engine.discovery.orientation.local_graph import LocalGraph
from engine.independence.batch import Question

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Arrow:
    """A cause and its effect, by position, with what tells them apart."""

    cause: int
    effect: int
    because: Because
    others: tuple[int, ...]  # the variables that tell it
    # its own independence and dependence, then those of arrows that it follows from
    questions: tuple[Question, ...]
    # of a best graph: log of how much likelier it is than the best with the opposite arrow
    log_ratio: float | None = None


def arrows_between(graph: LocalGraph, findings: TripleFindings) -> dict[Pair, Arrow]:
    """Direct the edges of a local graph as far as colliders and rules do; arrows never lead back."""
    seen = _from_colliders(graph, findings)
    undecided = {_edge(pair) for pair in seen if pair[::-1] in seen}
    rules = _Rules(graph, findings.passages)
    while True:
        arrows = {pair: arrow for pair, arrow in seen.items() if _edge(pair) not in undecided}
        contradicted = _close(rules, arrows, undecided) or _on_circles(arrows)
        if not contradicted:
            return arrows
        undecided |= contradicted


def without_circles(arrows: Mapping[Pair, Arrow]) -> dict[Pair, Arrow]:
    """Leave out the arrows that lie on a circle."""
    on_circles = _on_circles(arrows)
    return {pair: arrow for pair, arrow in arrows.items() if _edge(pair) not in on_circles}


def _edge(pair: Pair) -> frozenset[int]:
    return frozenset(pair)


def _from_colliders(graph: LocalGraph, findings: TripleFindings) -> dict[Pair, Arrow]:
    """Direct the edges of each collider, by the surest collider where several say the same."""
    arrows: dict[Pair, Arrow] = {}
    for collider in sorted(
        findings.colliders, key=lambda triple_finding: (triple_finding.log_p, triple_finding.triple)
    ):
        centre = collider.triple.centre
        for end, opposite_end in collider.triple.ends:
            if graph.adjacent(end, centre):
                tests = (collider.independence, collider.dependence)
                arrow = Arrow(end, centre, Because.SHARED_EFFECT, (opposite_end,), tests)
                arrows.setdefault((end, centre), arrow)
    return arrows


def _close(rules: _Rules, arrows: dict[Pair, Arrow], undecided: set[frozenset[int]]) -> set[frozenset[int]]:
    """Add what follows from the arrows; give the edges that are told both ways, at which it stops."""
    while True:
        new: dict[Pair, Arrow] = {}
        for arrow in rules.consequences(arrows):
            if _edge((arrow.cause, arrow.effect)) not in undecided:
                new.setdefault((arrow.cause, arrow.effect), arrow)
        directed = arrows.keys() | new.keys()
        contradicted = {_edge(pair) for pair in new if pair[::-1] in directed}
        added = {pair: arrow for pair, arrow in new.items() if pair not in arrows}
        if contradicted or not added:
            return contradicted
        arrows |= added


def _on_circles(arrows: Mapping[Pair, Arrow]) -> set[frozenset[int]]:
    """Return the arrows that lie on a circle."""
    causes: dict[int, set[int]] = {}
    for cause, effect in arrows:
        causes.setdefault(effect, set()).add(cause)
    try:
        TopologicalSorter(causes).prepare()
    except CycleError:
        # Rare, so that few searches wait for this library to be loaded.
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components
    else:
        return set()
    variables = {variable for pair in arrows for variable in pair}
    number = {variable: position for position, variable in enumerate(variables)}
    ends = tuple(np.array([number[variable] for variable in side]) for side in zip(*arrows, strict=True))
    links = coo_array((np.ones(len(arrows)), ends), shape=(len(number), len(number)))
    _, group = connected_components(links, connection="strong")
    return {_edge((left, right)) for left, right in arrows if group[number[left]] == group[number[right]]}


class _Rules:
    """The rules of Meek on a local graph."""

    def __init__(self, graph: LocalGraph, passages: Sequence[TripleFinding]) -> None:
        self._next_to: dict[int, set[int]] = {}
        for first, second in graph.edges():
            self._next_to.setdefault(first, set()).add(second)
            self._next_to.setdefault(second, set()).add(first)
        apart = [passage for passage in passages if graph.apart(passage.triple.first, passage.triple.second)]
        # Where an arrow from an end goes on from the centre to the other end.
        self._ways_on = [
            (passage, end, opposite_end)
            for passage in apart
            for end, opposite_end in passage.triple.ends
            if graph.adjacent(passage.triple.centre, opposite_end)
        ]
        # What is next to all three.
        self._next_to_all = [
            (passage, effect)
            for passage in apart
            for effect in sorted(set.intersection(*(self._next_to.get(one, set()) for one in passage.triple)))
        ]

    def consequences(self, arrows: Mapping[Pair, Arrow]) -> Iterator[Arrow]:
        """Return what each rule says at once, known or not."""
        yield from self._away_from_colliders(arrows)
        yield from self._without_cycles(arrows)
        yield from self._between_two_paths(arrows)

    def _away_from_colliders(self, arrows: Mapping[Pair, Arrow]) -> Iterator[Arrow]:
        """Rule 1: from a → c - b, with a and b apart and c no collider, follows c → b."""
        for passage, end, opposite_end in self._ways_on:
            centre = passage.triple.centre
            before = arrows.get((end, centre))
            if before:
                own = (passage.independence, passage.dependence)
                yield _follow(centre, opposite_end, Because.NO_FURTHER_COLLIDER, (end,), own, before)

    def _without_cycles(self, arrows: Mapping[Pair, Arrow]) -> Iterator[Arrow]:
        """Rule 2: from a → b → c, with a next to c, follows a → c."""
        effects: dict[int, list[int]] = {}
        for cause, effect in sorted(arrows):
            effects.setdefault(cause, []).append(effect)
        for cause, between in sorted(arrows):
            for effect in effects.get(between, ()):
                if effect in self._next_to[cause]:
                    first, second = arrows[cause, between], arrows[between, effect]
                    yield _follow(cause, effect, Because.NO_CYCLE, (between,), (), first, second)

    def _between_two_paths(self, arrows: Mapping[Pair, Arrow]) -> Iterator[Arrow]:
        """Rule 3: from a → d ← b with a - c - b, c no collider, follows c → d for a neighbour d of c."""
        for passage, effect in self._next_to_all:
            left, centre, right = passage.triple
            first, second = arrows.get((left, effect)), arrows.get((right, effect))
            if first and second:
                own = (passage.independence, passage.dependence)
                yield _follow(centre, effect, Because.NO_CYCLE_OR_COLLIDER, (left, right), own, first, second)


def _follow(
    cause: int,
    effect: int,
    because: Because,
    others: tuple[int, ...],
    own: tuple[Question, ...],
    *premises: Arrow,
) -> Arrow:
    inherited = (question for premise in premises for question in premise.questions)
    return Arrow(cause, effect, because, others, tuple(dict.fromkeys((*own, *inherited))))
