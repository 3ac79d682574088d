"""Is the middle of a triple an effect of both ends, or the way from one to the other?

When two variables are independent given Z and dependent given Z and a third, that third is an ancestor of
neither (Claassen and Heskes 2011, A logical characterization of constraint-based causal discovery, UAI).
So a neighbour of this third, being one end, is its cause, whichever set Z showed it. When on the contrary
all sets with the middle separate the ends, and none without it, the middle is a cause of one of them.

Independence is believed only where it is clear, and no tried set may say the opposite: the conservative
rule of Ramsey, Zhang and Spirtes (2006), Adjacency-faithfulness and conservative causal inference, UAI; see
also Colombo and Maathuis (2014), Order-independent constraint-based causal structure learning, JMLR 15.

Around a variable with dozens of neighbours there are thousands of triples, each with dozens of sets, and the
surest of so many dependences is sure by chance. So before it is a discovery, the surest set of a triple pays
for all that it was chosen from, and colliders are discoveries among all triples whose ends are apart without
the middle, passages among those whose ends are apart with it: strong passages make no weak collider credible.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import NamedTuple

import numpy as np

from engine.boundaries.neighbourhoods import Neighbourhoods
from engine.boundaries.search import SpouseLink
from engine.discovery.orientation.local_graph import Edge, LocalGraph
from engine.independence.batch import NO_POSITION, Question, as_asked, rows_of_sets
from engine.independence.data import Answers, TestData
from engine.independence.false_discovery import discoveries

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
    """The triples of a local graph whose ends may be apart, with the sets Z to try."""

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
        triples: set[Triple] = set()
        for edge in edges:
            triples.update(self._linked.get(edge, ()))
            for centre, end in (edge, edge[::-1]):
                if centre in self._centres:
                    triples.update(self._around(centre, end))
        return sorted(triples)

    def _around(self, centre: int, end: int) -> Iterable[Triple]:
        graph = self._graph
        for neighbour in graph.neighbours(centre):
            if neighbour != end and not graph.adjacent(end, neighbour) and not graph.disputed(end, neighbour):
                yield Triple(min(end, neighbour), centre, max(end, neighbour))

    def sets(self, triple: Triple) -> list[Indices]:
        """Return the first sets to try: nothing, and what separated the ends, without the triple."""
        inside = (triple.first, triple.centre, triple.second)
        separators = self._graph.separators(triple.first, triple.second)
        first_sets = [
            (),
            *(_without(separator, inside) for separator in separators),
            *self._given.get(triple, ()),
        ]
        return list(dict.fromkeys(first_sets))

    def singles(self, triple: Triple, tried: Iterable[Indices]) -> np.ndarray:
        """Return every neighbour of one of the three that was not tried: each is a set. Int64, ascending."""
        inside = {triple.first, triple.centre, triple.second}
        around = inside.union(*(self._graph.neighbours(centre) for centre in inside & self._centres))
        alone = {separator[0] for separator in tried if len(separator) == 1}
        return np.array(sorted(around - inside - alone), dtype=np.int64)


def _edge(first: int, second: int) -> Edge:
    return (first, second) if first < second else (second, first)


def _without(given: Iterable[int], left_out: Indices) -> Indices:
    return tuple(sorted(variable for variable in given if variable not in left_out))


@dataclass(frozen=True)
class TripleTests:
    """Tests of the ends of triples given one set after another."""

    owners: np.ndarray  # number of the triple of each set
    sizes: np.ndarray  # variables in each set, without the centre
    free: Answers  # the ends given the set; `held` given the centre too
    held: Answers
    _free_rows: np.ndarray
    _held_rows: np.ndarray

    def free_question(self, number: int) -> Question:
        """Return what was asked without the centre."""
        return _question(self._free_rows[number])

    def held_question(self, number: int) -> Question:
        """Return what was asked with the centre."""
        return _question(self._held_rows[number])


def try_sets(
    data: TestData, triples: Sequence[Triple], sets: Sequence[tuple[int, Indices]], stop: np.ndarray
) -> TripleTests:
    """Make the two tests of every set; answers must not be used when `stop` is not 0."""
    given, sizes = rows_of_sets([separator for _, separator in sets])
    return _made(data, triples, np.array([owner for owner, _ in sets]), given, sizes, stop)


def try_singles(
    data: TestData, triples: Sequence[Triple], singles: Sequence[tuple[int, np.ndarray]], stop: np.ndarray
) -> TripleTests:
    """Make the two tests of every set of one variable, given as an array for each triple."""
    owners = np.repeat([owner for owner, _ in singles], [len(variables) for _, variables in singles])
    given = np.concatenate([variables for _, variables in singles])[:, None]
    return _made(data, triples, owners, given, np.ones(len(given), dtype=np.int64), stop)


def _made(
    data: TestData,
    triples: Sequence[Triple],
    owners: np.ndarray,
    given: np.ndarray,
    sizes: np.ndarray,
    stop: np.ndarray,
) -> TripleTests:
    three = np.array([(triple.first, triple.second, triple.centre) for triple in triples])[owners]
    ends, centres = three[:, :2], three[:, 2]
    with_centre = np.hstack((given, np.full((len(given), 1), NO_POSITION)))
    with_centre[np.arange(len(given)), sizes] = centres
    with_centre.sort(axis=1)
    return TripleTests(
        owners,
        sizes,
        _ask(data, ends, given, sizes, stop),
        _ask(data, ends, with_centre, sizes + 1, stop),
        np.hstack((ends, given)),
        np.hstack((ends, with_centre)),
    )


def _ask(data: TestData, ends: np.ndarray, given: np.ndarray, sizes: np.ndarray, stop: np.ndarray) -> Answers:
    return data.ask_rows(ends[:, 0].copy(), ends[:, 1].copy(), as_asked(given), sizes, stop)


def _question(row: np.ndarray) -> Question:
    first, second, *given = row[row != NO_POSITION].tolist()
    return first, second, tuple(given)


# A p-value below this is no clear independence, whatever the level of the search.
CLEAR = 0.1
# Most triples are settled by a few sets: so few are tried of all, and more of those that are left.
_SINGLES_AT_ONCE = (0, 4, 16, 64)
_TRIPLES_AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class TripleFinding:
    """What a triple shows, with the two tests that show it."""

    triple: Triple
    # of a collider the ends given Z, of a passage given Z and the centre; `dependence` the other
    independence: Question
    dependence: Question
    log_p: float  # of the dependence
    choices: int = 1  # sets of no more variables of which this one showed the surest dependence
    log_p_apart: float = 0.0  # of the independence

    @property
    def log_p_of_choice(self) -> float:
        """Logarithm of a p-value of the triple: of the surest of several sets, by Bonferroni's bound."""
        return min(0.0, self.log_p + math.log(self.choices))


@dataclass(frozen=True)
class TripleFindings:
    """Colliders, whose centre is an effect of both ends, passages, whose centre is not, and the tests."""

    colliders: tuple[TripleFinding, ...]
    passages: tuple[TripleFinding, ...]
    tests: int


def findings_about(search: Neighbourhoods, triples: Triples, edges: set[Edge]) -> TripleFindings:
    """Judge the triples that may tell the direction of some edges; unclear ones are in neither list.

    Of a passage those with its other edge, too: an arrow into a passage goes on through it.
    """
    judge = _Judge(search, triples)
    edges_done: set[Edge] = set()
    judged: set[Triple] = set()
    while edges:
        new = [with_edge for with_edge in triples.with_edges(edges) if with_edge not in judged]
        passages = judge.judge(new)
        judged.update(new)
        edges_done |= edges
        edges = {edge for triple in passages for edge in triple.edges} - edges_done
    return judge.findings()


class _Judge:
    """Tries sets on triples until it is known what each is, and collects what was found."""

    def __init__(self, search: Neighbourhoods, triples: Triples) -> None:
        self._search = search
        self._triples = triples
        self._colliders: list[TripleFinding] = []
        self._passages: list[TripleFinding] = []
        self._apart_without = self._apart_with = self._tests = 0

    def judge(self, triples: Sequence[Triple]) -> list[Triple]:
        """Judge some triples and give the passages among them."""
        passages = []
        for start in range(0, len(triples), _TRIPLES_AT_ONCE):
            verdicts = self._tried(triples[start : start + _TRIPLES_AT_ONCE])
            self._apart_without += int(verdicts.apart_without.sum())
            self._apart_with += int(verdicts.apart_with.sum())
            self._colliders += verdicts.colliders()
            new_passages = verdicts.passages()
            self._passages += new_passages
            passages += [finding.triple for finding in new_passages]
        return passages

    def _tried(self, triples: Sequence[Triple]) -> _Verdicts:
        search = self._search
        verdicts = _Verdicts(triples, search.settings.alpha)
        first = [self._triples.sets(triple) for triple in triples]
        sets = [(number, separator) for number, separators in enumerate(first) for separator in separators]
        self._take(verdicts, try_sets(search.data, triples, sets, search.stop))
        singles = {number: self._triples.singles(triples[number], first[number]) for number in verdicts.open}
        for begin, end in zip(_SINGLES_AT_ONCE, (*_SINGLES_AT_ONCE[1:], None), strict=True):
            few = [(number, singles[number][begin:end]) for number in verdicts.open]
            if any(len(variables) for _, variables in few):
                self._take(verdicts, try_singles(search.data, triples, few, search.stop))
        return verdicts

    def _take(self, verdicts: _Verdicts, tests: TripleTests) -> None:
        self._search.check_stop()
        self._tests += 2 * len(tests.owners)
        verdicts.take(tests)

    def findings(self) -> TripleFindings:
        """Return the colliders and passages whose dependence is significant among all that could be such."""
        return TripleFindings(
            self._significant(self._colliders, self._apart_without),
            self._significant(self._passages, self._apart_with),
            self._tests,
        )

    def _significant(self, findings: Sequence[TripleFinding], possible: int) -> tuple[TripleFinding, ...]:
        """Return findings that are discoveries, in order; the others of all possible ones showed nothing."""
        settings = self._search.settings
        is_plain = settings.false_discovery == "none"
        log_p = np.zeros(possible)
        log_p[: len(findings)] = [
            finding.log_p if is_plain else finding.log_p_of_choice for finding in findings
        ]
        significant = discoveries(log_p, settings.alpha, settings.false_discovery)[: len(findings)]
        return tuple(sorted(compress(findings, significant.tolist()), key=lambda finding: finding.triple))


def clearly_independent(answers: Answers, least: float | np.ndarray) -> np.ndarray:
    """Tell which results are clear independence: log p above `least`, of variables that vary."""
    varies = (answers.dof > 0.0) | (answers.statistic != 0.0)
    clear: np.ndarray = (answers.log_p > least) & answers.reliable & varies
    return clear


class _Verdicts:
    """Whether some set without, or with, the middle separates the ends, so far; of each triple."""

    def __init__(self, triples: Sequence[Triple], alpha: float) -> None:
        self._triples = triples
        self._least = math.log(max(CLEAR, alpha))
        self.apart_without = np.zeros(len(triples), dtype=bool)
        self.apart_with = np.zeros(len(triples), dtype=bool)
        self._joined_with = np.zeros(len(triples), dtype=bool)
        self._as_collider, self._as_passage = _Surest(len(triples)), _Surest(len(triples))

    def take(self, tests: TripleTests) -> None:
        """Take note of what further sets say."""
        free, held = tests.free, tests.held
        clear_free, clear_held = (clearly_independent(answers, self._least) for answers in (free, held))
        self.apart_without[tests.owners[clear_free]] = True
        self.apart_with[tests.owners[clear_held]] = True
        self._joined_with[tests.owners[held.dependent]] = True
        self._as_collider.take(tests, clear_free, free, held, tests.free_question, tests.held_question)
        self._as_passage.take(tests, clear_held, held, free, tests.held_question, tests.free_question)

    @property
    def open(self) -> list[int]:
        """Numbers of the triples that may still turn out to be a collider or a passage."""
        settled = self.apart_with & (self.apart_without | self._joined_with)
        return np.flatnonzero(~settled).tolist()

    def colliders(self) -> list[TripleFinding]:
        """Return the triples whose ends are apart only without the middle, where a set shows it."""
        return self._as_collider.findings(self._triples, self.apart_without & ~self.apart_with)

    def passages(self) -> list[TripleFinding]:
        """Return the triples whose ends are apart only with the middle, and then always."""
        # What weakly joins two ends is easily taken for nothing once a third variable thins the rows out.
        apart = self.apart_with & ~self.apart_without & ~self._joined_with
        return self._as_passage.findings(self._triples, apart)


class _Surest:
    """Of each triple the smallest set that shows something; of several that with the surest dependence."""

    def __init__(self, triples: int) -> None:
        self._shown: dict[int, tuple[int, float, Question, Question, float]] = {}
        # Sets of each size that separate the ends one way, so that the other way could have shown it.
        self._tried = np.zeros((triples, 1), dtype=np.int64)

    def take(
        self,
        tests: TripleTests,
        is_apart: np.ndarray,
        apart: Answers,
        joined: Answers,
        independence: Callable[[int], Question],
        dependence: Callable[[int], Question],
    ) -> None:
        """Take note of further sets: where the ends are apart, and the tests that may show them joined."""
        more = int(tests.sizes.max(initial=0)) + 1 - self._tried.shape[1]
        self._tried = np.pad(self._tried, ((0, 0), (0, max(more, 0))))
        np.add.at(self._tried, (tests.owners[is_apart], tests.sizes[is_apart]), 1)
        for number, position in _surest(tests, is_apart & joined.dependent & joined.reliable, joined.log_p):
            size, log_p = int(tests.sizes[position]), float(joined.log_p[position])
            if number not in self._shown or (size, log_p) < self._shown[number][:2]:
                questions = independence(position), dependence(position)
                self._shown[number] = size, log_p, *questions, float(apart.log_p[position])

    def findings(self, triples: Sequence[Triple], marked: np.ndarray) -> list[TripleFinding]:
        """Return what is shown of the triples that are marked."""
        triple_findings = []
        for number in np.flatnonzero(marked).tolist():
            if number in self._shown:
                size, log_p, independence, dependence, log_p_apart = self._shown[number]
                choices = int(self._tried[number, : size + 1].sum())
                questions = independence, dependence
                triple_findings.append(
                    TripleFinding(triples[number], *questions, log_p, choices, log_p_apart)
                )
        return triple_findings


def _surest(tests: TripleTests, shown: np.ndarray, log_p: np.ndarray) -> Iterator[tuple[int, int]]:
    """Return for each triple with a marked set the place of its smallest one with the surest dependence."""
    positions = np.flatnonzero(shown)
    positions = positions[np.lexsort((log_p[positions], tests.sizes[positions], tests.owners[positions]))]
    owners, first = np.unique(tests.owners[positions], return_index=True)
    yield from zip(owners.tolist(), positions[first].tolist(), strict=True)
