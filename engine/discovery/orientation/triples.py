"""Three variables in a row: is the middle one an effect of both ends, or the way from one to the other?

When two variables are independent given Z and dependent given Z and a third, that third is an ancestor of
neither (Claassen and Heskes 2011, A logical characterization of constraint-based causal discovery, UAI).
So a neighbour of this third, being one end, is its cause, whichever set Z showed it. When on the contrary
all sets with the middle separate the ends, and none without it, the middle is a cause of one of them.

Independence is believed only where it is clear, and no tried set may say the opposite: the conservative
rule of Ramsey, Zhang and Spirtes (2006), Adjacency-faithfulness and conservative causal inference, UAI; see
also Colombo and Maathuis (2014), Order-independent constraint-based causal structure learning, JMLR 15.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from engine.boundaries.neighbourhoods import Neighbourhoods
from engine.boundaries.search import SpouseLink
from engine.discovery.orientation.local_graph import LocalGraph
from engine.false_discovery import discoveries
from engine.independence.batch import Question, ask

Indices = tuple[int, ...]

# A p-value below this is no clear independence, whatever the level of the search.
_CLEAR = 0.1


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


@dataclass(frozen=True, slots=True)
class TripleFinding:
    """What a triple shows, with the two tests that show it.

    Attributes
    ----------
    triple : Triple
    independence, dependence : Question
        Of a collider the ends given Z, and given Z and the centre; of a passage the other way round.
    log_p : float
        Logarithm of the p-value of the dependence.
    """

    triple: Triple
    independence: Question
    dependence: Question
    log_p: float


@dataclass(frozen=True)
class TripleFindings:
    """Colliders, whose centre is an effect of both ends, passages, whose centre is not, and the tests."""

    colliders: tuple[TripleFinding, ...]
    passages: tuple[TripleFinding, ...]
    tests: int


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
        single neighbour of one of the three.
    """
    sets: dict[Triple, dict[Indices, None]] = {}
    for centre in graph.centres:
        for first, second in combinations(graph.neighbours(centre), 2):
            if not graph.adjacent(first, second) and not graph.disputed(first, second):
                triple = Triple(first, centre, second)
                sets[triple] = dict.fromkeys(_sets(graph, triple))
    for target, link in links:
        if graph.adjacent(target, link.child) and graph.apart(target, link.spouse):
            triple = Triple(min(target, link.spouse), link.child, max(target, link.spouse))
            sets.setdefault(triple, {})[_without(link.given, (link.child,))] = None
    return {triple: tuple(found) for triple, found in sorted(sets.items())}


def _sets(graph: LocalGraph, triple: Triple) -> Iterator[Indices]:
    inside = (triple.first, triple.centre, triple.second)
    yield ()
    for separator in graph.separators(triple.first, triple.second):
        yield _without(separator, inside)
    centres = set(graph.centres)
    for each in (triple.centre, triple.first, triple.second):
        if each in centres:
            yield from ((neighbour,) for neighbour in graph.neighbours(each) if neighbour not in inside)


def _without(given: Iterable[int], left_out: Indices) -> Indices:
    return tuple(sorted(each for each in given if each not in left_out))


def judge(search: Neighbourhoods, triples: dict[Triple, tuple[Indices, ...]]) -> TripleFindings:
    """Test the ends of each triple given each of its sets, without and with the centre.

    Parameters
    ----------
    search : Neighbourhoods
        Data, settings and stop.
    triples : dict of Triple to tuple of sets
        See :func:`triples_around`.

    Returns
    -------
    TripleFindings
        Triples about which the sets disagree, or which nothing clear is said of, are in neither list.

    Raises
    ------
    Cancelled
        When the run was stopped.
    """
    numbers: dict[Question, int] = {}
    # By the numbers of the questions: without the centre, with it.
    tried: dict[Triple, list[tuple[int, int]]] = {}
    for triple, sets in triples.items():
        tried[triple] = [
            (
                numbers.setdefault(_question(triple, given), len(numbers)),
                numbers.setdefault(_question(triple, given, with_centre=True), len(numbers)),
            )
            for given in sets
        ]
    questions = list(numbers)
    answers = ask(search.data, questions, search.stop)
    search.check_stop()
    settings = search.settings
    reliable = answers.reliable
    believed = np.where(reliable, answers.log_p, 0.0)
    log_p, dependent = answers.log_p.tolist(), answers.dependent.tolist()
    significant = (
        discoveries(believed, settings.alpha, settings.false_discovery) & answers.reliable
    ).tolist()
    clear = ((answers.log_p > math.log(max(_CLEAR, settings.alpha))) & answers.reliable).tolist()
    colliders: list[TripleFinding] = []
    passages: list[TripleFinding] = []
    for triple, pairs in tried.items():
        apart_without = [(free, held) for free, held in pairs if clear[free]]
        apart_with = [(held, free) for free, held in pairs if clear[held]]
        if bool(apart_without) == bool(apart_with):
            continue
        # What weakly joins two ends is easily taken for nothing once a third variable thins the rows out.
        if apart_with and any(dependent[held] for _, held in pairs):
            continue
        shown = [
            TripleFinding(triple, questions[independence], questions[dependence], log_p[dependence])
            for independence, dependence in apart_without or apart_with
            if significant[dependence]
        ]
        if shown:
            surest = min(shown, key=lambda each: (len(each.independence[2]), each.log_p))
            (colliders if apart_without else passages).append(surest)
    return TripleFindings(tuple(colliders), tuple(passages), len(questions))


def _question(triple: Triple, given: Indices, with_centre: bool = False) -> Question:
    fixed = tuple(sorted((*given, triple.centre))) if with_centre else given
    return triple.first, triple.second, fixed
