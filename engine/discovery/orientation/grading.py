"""From what tests show, and people know, to the marks of edges around labels: the grades of directions.

What is said of variables by position, before names, are drafts of claims and of objections.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from engine.boundaries.neighbourhoods import Neighbourhoods
from engine.discovery.orientation.ancestry import Ancestry, Contradiction, Premise, Statement
from engine.discovery.orientation.colliders import TripleFinding, TripleFindings
from engine.discovery.orientation.direction import Because, ClaimKind, EdgeMarks, EndMark, KnowledgePart
from engine.discovery.orientation.local_graph import LocalGraph
from engine.discovery.orientation.separations import (
    STRONG,
    Separation,
    of_passage,
    separations_in,
    without_stand_ins,
)
from engine.independence.batch import Question
from engine.knowledge.closure import Pair
from engine.knowledge.knowledge import Knowledge


@dataclass(frozen=True, slots=True)
class DraftClaim:
    """A claim by position, with tests that are still to be made in full."""

    kind: ClaimKind
    cause: int
    effect: int
    because: Because
    others: tuple[int, ...]
    questions: tuple[Question, ...]
    uses_knowledge: bool


@dataclass(frozen=True, slots=True)
class DraftObjection:
    """What tests say against what a person said, by position."""

    part: KnowledgePart
    cause: int
    effect: int
    claim: DraftClaim | None
    questions: tuple[Question, ...]
    is_possible: bool


class _PassedOn(NamedTuple):
    """A cause that passes on to an effect what leads into it."""

    pair: Pair  # (cause, effect)
    outside: int  # leads into the cause, and is independent of the effect given a set with the cause
    separation: Separation
    into: tuple[Statement, ...]  # that the cause is a cause of neither that nor of others of the set


@dataclass(frozen=True)
class Known:
    """What a person said, by position; names that no position has are left out."""

    knowledge: Knowledge
    positions: Mapping[str, int]
    names: tuple[str, ...]

    def excludes(self, pair: Pair) -> KnowledgePart | None:
        """Tell by which part of what is known the first of two is no cause of the second."""
        cause, effect = self.names[pair[0]], self.names[pair[1]]
        if not self.knowledge.excludes(cause, effect):
            return None
        return KnowledgePart.TIERS if self.knowledge.is_later(cause, effect) else KnowledgePart.NOT_EFFECTS

    def pairs(self, named: Iterable[tuple[str, str]]) -> Iterator[Pair]:
        """Return pairs of names by position."""
        for first, second in named:
            if first in self.positions and second in self.positions:
                yield self.positions[first], self.positions[second]


# Logarithm of the p-value of a dependence from which more is concluded than it shows itself. Where it was
# weaker, one v-structure in fifteen was wrong on samples of known networks of which variables were hidden;
# where it was stronger, none in three hundred.
_SURE = -15.0
# The same of what several variables show together.
_WITNESS = -10.0
# Paths that cancel by chance leave less than what tests can see about as often as that is a share of what
# they would leave otherwise: here once in a hundred times.
_BEYOND_CANCELLING = -10_000.0


class Grading:
    """Takes up findings, draws conclusions and grades edges; ignores tests of numbers `cut` into bins.

    `shown` are colliders as tests show them, also where no graph without hidden variables bears them out.
    """

    def __init__(
        self,
        search: Neighbourhoods,
        graph: LocalGraph,
        triples: TripleFindings,
        edges: Iterable[Pair],
        knowledge: Knowledge | None = None,
        cut: frozenset[int] = frozenset(),
        shown: Iterable[TripleFinding] = (),
    ) -> None:
        self._graph = graph
        self._edges = sorted(set(edges))
        self._parts: dict[Premise, KnowledgePart] = {}
        self._disputed: set[Pair] = set()
        self._objections: dict[tuple[KnowledgePart, int, int], DraftObjection] = {}
        data = search.data
        self._known = Known(knowledge or Knowledge(), data.positions, data.names)
        self._forbidden = dict.fromkeys(self._known.pairs(self._known.knowledge.forbidden))
        separations, tests_made = separations_in(search, graph, cut)
        passages = map(of_passage, filter(self._is_sure, triples.passages))
        self._separations, further = without_stand_ins(search, [*passages, *separations])
        self.tests = tests_made + further
        colliders = filter(self._is_sure, triples.colliders)
        findings = sorted(_findings(colliders, self._separations), key=lambda finding: finding.log_p)
        firm = [finding for finding in findings if finding.log_p < _SURE]
        self._ancestry = Ancestry([*self._asserted(findings), *firm], len(data.names))
        for finding, contradiction in self._ancestry.take_all():
            self._settle(finding, contradiction)
        self._conclude()
        self._visible = self._visible_edges()
        for finding in findings:
            if finding.log_p >= _SURE:
                self._take_alone(finding)
        self._settle_common(shown)
        self._look_for_hidden()
        self._look_for_separated()

    def marks(self, feature: int, label: int) -> EdgeMarks:
        """Return what is known of the edge between two variables."""
        return EdgeMarks(
            self._mark(feature, label),
            self._mark(label, feature),
            (feature, label) in self._visible or (label, feature) in self._visible,
        )

    def claims(self, feature: int, label: int) -> list[DraftClaim]:
        """Return what the marks of an edge rest on."""
        drafts = []
        for pair in ((feature, label), (label, feature)):
            holds = self._answer(pair)
            if holds is not None:
                drafts.append(self._claim(Statement(*pair, holds)))
            if pair in self._visible:
                drafts.append(self._visible[pair])
        return drafts

    def _is_sure(self, finding: TripleFinding) -> bool:
        """Tell whether the centre of a triple is next to both ends, or else the dependence is strong.

        Otherwise a third variable that the search missed often joins them.
        """
        first, centre, second = finding.triple
        is_between = self._graph.adjacent(first, centre) and self._graph.adjacent(centre, second)
        return is_between or finding.log_p < STRONG

    @property
    def objections(self) -> list[DraftObjection]:
        """What tests say against what a person said."""
        return [self._objections[key] for key in sorted(self._objections, key=lambda key: (key[1:], key[0]))]

    def _mark(self, at: int, opposite_end: int) -> EndMark:
        holds = self._answer((at, opposite_end))
        if holds is None:
            return EndMark.CIRCLE
        return EndMark.TAIL if holds else EndMark.ARROWHEAD

    def _answer(self, pair: Pair) -> bool | None:
        return None if pair in self._disputed else self._ancestry.causes(*pair)

    def _claim(self, statement: Statement) -> DraftClaim:
        ground = self._ancestry.ground(statement)
        return DraftClaim(
            ClaimKind.CAUSE if statement.holds else ClaimKind.NO_CAUSE,
            *statement.pair,
            ground.because,
            tuple(variable for variable in ground.others if variable not in statement.pair),
            self._ancestry.questions(statement),
            any(premise in self._parts for premise in self._ancestry.findings_behind(statement)),
        )

    def _asserted(self, findings: Sequence[Premise]) -> Iterator[Premise]:
        """Return what a person said of the variables that anything is said of."""
        if self._known.knowledge.is_empty:
            return
        pairs = {statement.pair for finding in findings for statement in finding.statements}.union(
            self._graph.edges()
        )
        for pair in sorted(pairs | {pair[::-1] for pair in pairs}):
            part = self._known.excludes(pair)
            if part is not None:
                yield self._assertion(part, Statement(*pair, False))
        for pair in self._known.pairs(self._known.knowledge.required):
            yield self._assertion(KnowledgePart.REQUIRED, Statement(*pair, True))
        for first, second in self._known.pairs(self._known.knowledge.unconfounded):
            if self._graph.adjacent(first, second):
                either = Statement(first, second, True), Statement(second, first, True)
                yield self._assertion(KnowledgePart.UNCONFOUNDED, *either)

    def _assertion(self, part: KnowledgePart, *statements: Statement) -> Premise:
        finding = Premise(statements, Because.KNOWLEDGE)
        self._parts[finding] = part
        return finding

    def _take_alone(self, finding: Premise) -> None:
        """State what a weak finding shows where nothing is known, and conclude nothing from it."""
        statement = finding.statements[0]
        is_open = all(self._ancestry.causes(*pair) is None for pair in (statement.pair, statement.pair[::-1]))
        if is_open and len(finding.statements) == 1:
            self._ancestry.state(finding)

    def _settle(self, finding: Premise, contradiction: Contradiction) -> None:
        """Leave out what contradicts what a person said; what tests say both ways is open."""
        premises = [premise for ground in contradiction.grounds for premise in ground.premises]
        behind = [basis for ground in contradiction.grounds for basis in ground.findings]
        behind += self._ancestry.findings_behind(
            *(premise for premise in premises if self._ancestry.is_stated(premise))
        )
        asserted = next((premise for premise in behind if premise in self._parts), None)
        if asserted is None or finding in self._parts:
            self._disputed.add(contradiction.statement.pair)
            return
        statement = finding.statements[0]
        claim = DraftClaim(
            ClaimKind.CAUSE if statement.holds else ClaimKind.NO_CAUSE,
            *statement.pair,
            finding.because,
            finding.others,
            finding.questions,
            False,
        )
        self._object(asserted, claim, is_possible=False)

    def _object(self, asserted: Premise, claim: DraftClaim, *, is_possible: bool) -> None:
        part, (cause, effect) = self._parts[asserted], asserted.statements[0].pair
        objection = DraftObjection(part, cause, effect, claim, claim.questions, is_possible)
        self._objections.setdefault((part, cause, effect), objection)

    def _conclude(self) -> None:
        """Draw every conclusion about the edges that are asked about, and what forbidden edges add to it."""
        pairs = [pair for edge in self._edges for pair in (edge, edge[::-1])]
        self._ancestry.refute(pairs)
        while self._heed_forbidden():
            self._ancestry.refute(pairs)

    def _heed_forbidden(self) -> bool:
        """Rule out that a variable is a cause where it is no direct one, and no other is in between."""
        changed = False
        for cause, effect in self._forbidden:
            is_open = self._ancestry.causes(cause, effect) is None and effect in self._graph.centres
            if is_open and not self._may_lead(cause, effect):
                finding = self._assertion(KnowledgePart.FORBIDDEN, Statement(cause, effect, False))
                try:
                    self._ancestry.add(finding)
                    changed = True
                except Contradiction as contradiction:
                    self._settle(finding, contradiction)
        return changed

    def _may_lead(self, cause: int, effect: int) -> bool:
        """Tell whether causes may run from one variable to another, from neighbour to neighbour."""
        waiting, met = [effect], {effect}
        for reached in waiting:
            if reached not in self._graph.centres:
                # What is next to it is not known.
                return True
            for before in sorted(self._graph.members(reached) - met):
                if (before, reached) in self._forbidden or self._is_ruled_out(before, reached):
                    continue
                if before == cause:
                    return True
                if not self._is_ruled_out(cause, before):
                    met.add(before)
                    waiting.append(before)
        return False

    def _is_ruled_out(self, cause: int, effect: int) -> bool:
        return (
            self._ancestry.causes(cause, effect) is False or self._known.excludes((cause, effect)) is not None
        )

    def _visible_edges(self) -> dict[Pair, DraftClaim]:
        """Find the edges from a cause that has an arrow into it, and passes on what comes through that.

        With an unmeasured common cause, holding the cause fixed would join the effect with what leads into
        it. One such variable suffices where all is strong (by samples of known networks), otherwise two.
        """
        visible: dict[Pair, DraftClaim] = {}
        for pair in self._known.pairs(self._known.knowledge.unconfounded):
            for cause, effect in (pair, pair[::-1]):
                if self._answer((cause, effect)) and self._graph.adjacent(cause, effect):
                    known_claim = DraftClaim(
                        ClaimKind.NOTHING_HIDDEN, cause, effect, Because.KNOWLEDGE, (), (), True
                    )
                    visible[cause, effect] = known_claim
        before: dict[Pair, _PassedOn] = {}
        for passed_on in self._passed_on(visible):
            first = before.setdefault(passed_on.pair, passed_on)
            if first.outside != passed_on.outside or self._is_strong(passed_on):
                visible[passed_on.pair] = self._visibility(first)
        return visible

    def _is_strong(self, passed_on: _PassedOn) -> bool:
        """Tell whether all is strong that a cause which passes something on rests on."""
        if passed_on.separation.log_p >= STRONG:
            return False
        behind = self._ancestry.findings_behind(Statement(*passed_on.pair, True), *passed_on.into)
        return all(premise.log_p < STRONG for premise in behind)

    def _passed_on(self, settled: Container[Pair]) -> Iterator[_PassedOn]:
        """Return causes that pass on what leads into them, but for those that are or become settled."""
        effects = self._ancestry.effects()
        shown = [
            separation
            for separation in self._separations
            if any(
                not effects[member].isdisjoint(separation.ends)
                for member in separation.members
                if member in effects
            )
        ]
        for separation in sorted(
            shown,
            key=lambda shown_separation: (
                shown_separation.log_p,
                shown_separation.ends,
                shown_separation.given,
            ),
        ):
            for effect, outside in (separation.ends, separation.ends[::-1]):
                for cause in separation.members:
                    pair = cause, effect
                    if pair in settled or not (self._answer(pair) and self._graph.adjacent(*pair)):
                        continue
                    into = tuple(
                        Statement(cause, variable, False)
                        for variable in (outside, *separation.given)
                        if variable != cause
                    )
                    if self._are_stated(*into):
                        yield _PassedOn(pair, outside, separation, into)

    def _are_stated(self, *statements: Statement) -> bool:
        return all(self._answer(statement.pair) is statement.holds for statement in statements)

    def _visibility(self, passed_on: _PassedOn) -> DraftClaim:
        behind = self._ancestry.findings_behind(*passed_on.into)
        own = passed_on.separation.questions(passed_on.pair[0])
        questions = dict.fromkeys([*own, *(question for premise in behind for question in premise.questions)])
        return DraftClaim(
            ClaimKind.NOTHING_HIDDEN,
            *passed_on.pair,
            Because.NO_FURTHER_COLLIDER,
            (passed_on.outside,),
            tuple(questions),
            any(premise in self._parts for premise in behind),
        )

    def _settle_common(self, shown: Iterable[TripleFinding]) -> None:
        """State an unmeasured common cause where several variables show it from either side, and only there.

        One variable is not enough: it mostly rests on two paths that nearly cancel.
        """
        outside: dict[Pair, dict[int, TripleFinding]] = {}
        for finding in sorted(shown, key=lambda collider: (collider.log_p, collider.triple)):
            if finding.log_p < _WITNESS:
                for end, opposite_end in finding.triple.ends:
                    outside.setdefault((finding.triple.centre, end), {}).setdefault(opposite_end, finding)
        for edge in self._edges:
            both = [Statement(*pair, False) for pair in (edge, edge[::-1])]
            witnesses = [self._witnesses(outside.get(statement.pair, {})) for statement in both]
            if all(witnesses) and all(
                self._ancestry.causes(*statement.pair) is not True for statement in both
            ):
                self._disputed -= {statement.pair for statement in both}
                for statement, findings in zip(both, witnesses, strict=True):
                    if self._ancestry.causes(*statement.pair) is None:
                        self._ancestry.state(_several(statement, findings))
            elif self._are_stated(*both):
                behind = self._ancestry.findings_behind(*both)
                if not any(premise in self._parts for premise in behind):
                    self._disputed |= {edge, edge[::-1]}

    def _witnesses(self, outside: Mapping[int, TripleFinding]) -> dict[int, TripleFinding]:
        """Return the two surest that are not next to each other, of variables that show the same.

        One is independent with nothing conditioned on, as paths then hardly cancel; a very strong one is
        enough alone.
        """
        if outside and next(iter(outside.values())).log_p < _BEYOND_CANCELLING:
            return dict([next(iter(outside.items()))])
        for first, second in combinations(outside, 2):
            is_plain = not all(outside[variable].independence[2] for variable in (first, second))
            if is_plain and self._graph.apart(first, second):
                return {first: outside[first], second: outside[second]}
        return {}

    def _look_for_hidden(self) -> None:
        """Tell where what a person said, and what tests say, are both true only if something is hidden."""
        for edge in self._edges:
            for pair in (edge, edge[::-1]):
                asserted, shown = Statement(*pair, False), Statement(*pair[::-1], False)
                if not self._are_stated(asserted, shown):
                    continue
                own = self._ancestry.findings_behind(asserted)
                tested = self._ancestry.findings_behind(shown)
                if (
                    len(own) == 1
                    and own[0] in self._parts
                    and not any(premise in self._parts for premise in tested)
                ):
                    self._object(own[0], self._claim(shown), is_possible=True)

    def _look_for_separated(self) -> None:
        """Tell which variables are said to be direct causes, and are independent of their effects."""
        for cause, effect in self._known.pairs(self._known.knowledge.required):
            if self._graph.apart(cause, effect):
                given = tuple(sorted(self._graph.separators(cause, effect)[0]))
                question = min(cause, effect), max(cause, effect), given
                key = KnowledgePart.REQUIRED, cause, effect
                self._objections.setdefault(key, DraftObjection(*key, None, (question,), False))


def _several(statement: Statement, witnesses: Mapping[int, TripleFinding]) -> Premise:
    """Return what several colliders show together: as sure as the least sure of them."""
    questions = [
        question for witness in witnesses.values() for question in (witness.independence, witness.dependence)
    ]
    log_p = max(witness.log_p for witness in witnesses.values())
    return Premise((statement,), Because.SHARED_EFFECT, tuple(witnesses), tuple(questions), log_p)


def _findings(colliders: Iterable[TripleFinding], separations: Iterable[Separation]) -> Iterator[Premise]:
    """Return what tests show."""
    for collider in colliders:
        questions = collider.independence, collider.dependence
        centre = collider.triple.centre
        for end, opposite_end in collider.triple.ends:
            statement = Statement(centre, end, False)
            yield Premise((statement,), Because.SHARED_EFFECT, (opposite_end,), questions, collider.log_p)
        for held in collider.independence[2]:
            statement = Statement(centre, held, False)
            ends = collider.triple.first, collider.triple.second
            yield Premise((statement,), Because.SHARED_EFFECT, ends, questions, collider.log_p)
    for separation in separations:
        for member in separation.members:
            effects = list(separation.ends)
            if not separation.is_minimal:
                effects += [held for held in separation.given if held != member]
            statements = tuple(Statement(member, effect, True) for effect in effects)
            shown = separation.questions(member)
            yield Premise(statements, Because.NO_FURTHER_COLLIDER, (), shown, separation.log_p)
