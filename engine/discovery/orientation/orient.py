"""Tells causes from effects around the labels of a finished search.

A v-structure says that its middle is an effect of both ends, if the ends are independent. They may only seem
to be: where all three are next to each other, the direct link of two of them may cancel what comes through
the third, as far as so many rows can tell. The best graph of all that is around has to bear a v-structure
out, and the more clearly the fewer rows there are. Those directions may be relied upon that more than one
finding tells: such an accident is rarer the stronger the dependence is that shows a v-structure, and two of
them are rarer still.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress

from engine.boundaries.neighbourhoods import Neighbourhood, Neighbourhoods, loses_to_products
from engine.discovery.label_findings import LabelFindings
from engine.discovery.orientation.arrows import Arrow, Pair, arrows_between
from engine.discovery.orientation.best_graphs import MUCH_LIKELIER, BestGraphs, agreed
from engine.discovery.orientation.colliders import TripleFinding, TripleFindings, Triples, findings_about
from engine.discovery.orientation.direction import (
    OPEN_EDGE,
    Because,
    Claim,
    ClaimKind,
    Direction,
    Directions,
    EdgeMarks,
    EndMark,
    LocalEdge,
    Objection,
    Orientation,
)
from engine.discovery.orientation.grading import DraftClaim, DraftObjection, Grading
from engine.discovery.orientation.local_graph import LocalGraph
from engine.discovery.orientation.separations import BETWEEN_NEIGHBOURS, STRONG
from engine.independence.batch import Question, ask
from engine.independence.record import TestRecord, make_records
from engine.knowledge.knowledge import Knowledge

# A link is weak where some set leaves a statistic, less its degrees of freedom, of this share of the rows at
# most. With many rows that is significant, though the two may not be next to each other: variables do not
# depend on each other quite as tests and graphs suppose. Where they do not, products of the set explain much
# of what is left, or a search with other sets does not find the link.
_LITTLE_LEFT = 0.005


class Confirmations:
    """What confirms arrows."""

    def __init__(self, colliders: Iterable[TripleFinding], clear: Container[Pair]) -> None:
        self._clear = clear
        # By cause and effect: the other causes that show it, each with how strong the dependence is.
        self._shown: dict[Pair, dict[int, float]] = {}
        for collider in colliders:
            for end, opposite_end in collider.triple.ends:
                self._shown.setdefault((end, collider.triple.centre), {})[opposite_end] = collider.log_p

    def of(self, cause: int, effect: int, marks: EdgeMarks, claims: Sequence[DraftClaim]) -> bool:
        """Tell whether knowledge, no hidden cause, v-structures or the best graph confirm an arrow."""
        if marks.nothing_hidden or any(_is_known(claim, cause, effect) for claim in claims):
            return True
        shown = self._shown.get((cause, effect), {})
        if len(shown) != 1:
            return len(shown) > 1
        return min(shown.values()) < STRONG or (cause, effect) in self._clear


def _is_known(claim: DraftClaim, cause: int, effect: int) -> bool:
    """Tell whether a claim rests on what a person said, and rules out the opposite arrow."""
    expected_pairs = {ClaimKind.CAUSE: (cause, effect), ClaimKind.NO_CAUSE: (effect, cause)}
    return claim.uses_knowledge and expected_pairs.get(claim.kind) == (claim.cause, claim.effect)


def orient(
    search: Neighbourhoods,
    findings: Mapping[int, LabelFindings],
    neighbourhoods: Mapping[int, Neighbourhood],
    cut: frozenset[int] = frozenset(),
    knowledge: Knowledge | None = None,
) -> Directions:
    """Return for every neighbour of every label whether it is a cause or an effect, as far as data tell.

    Numbers that were `cut` into bins are left out: held fixed, bins let a part of the dependence through.
    """
    # Of a label, what its whole search left of the neighbours.
    around = {label: label_findings.neighbourhood for label, label_findings in findings.items()}
    graph = LocalGraph(_seen_from_both_ends(search, {**neighbourhoods, **around}))
    links = [(label, link) for label, label_findings in findings.items() for link in label_findings.links]
    edges = {
        (min(label, member), max(label, member)) for label in findings for member in graph.neighbours(label)
    }
    triples = findings_about(search, Triples(graph, links), edges)
    graphs = BestGraphs(search, graph, findings, cut)
    shown = _without_cut(triples, cut)
    borne_out = _borne_out(shown, graph, graphs)
    leaning = graphs.leanings()
    clear = {
        pair: arrow
        for pair, arrow in leaning.items()
        if (
            graphs.is_clear(arrow)
            if graph.adjacent(*pair) and not graphs.add_levels
            else graphs.is_clear(arrow, MUCH_LIKELIER)
        )
    }
    arrows = agreed(arrows_between(graph, borne_out), leaning, clear)
    grading = Grading(search, graph, borne_out, edges, knowledge, cut, shown.colliders)
    confirmations = Confirmations(borne_out.colliders, clear)
    weak = _weak_links(search, graph, findings) if search.data.fits_sets else frozenset()
    concluded = [
        _concluded(label, member, arrows, grading, graphs, confirmations, is_weak=(label, member) in weak)
        if _is_linked(graph, clear, label, member) and not _has_stand_in(findings, label, member)
        else _concluded_of_ancestry(label, member, grading)
        for label, label_findings in findings.items()
        for member in label_findings.neighbourhood.members
    ]
    objections = grading.objections
    records = _records(
        search,
        [*_questions(concluded), *(question for objection in objections for question in objection.questions)],
    )
    names = search.data.names
    orientations = [conclusion.orientation(names, records) for conclusion in concluded]
    return Directions(
        {orientation.pair: orientation for orientation in orientations},
        tuple(
            LocalEdge(names[first], names[second], grading.marks(first, second))
            for first, second in graph.edges()
        ),
        tuple(_objection(objection, names, records) for objection in objections),
        triples.tests + grading.tests,
    )


def _seen_from_both_ends(
    search: Neighbourhoods, around: Mapping[int, Neighbourhood]
) -> Mapping[int, Neighbourhood]:
    """Let what the search around a later variable found count around an earlier one, which sees it not."""
    if search.data.tiers is None:
        return around
    completed = {}
    for centre, neighbourhood in around.items():
        later = [
            later_centre
            for later_centre, later_neighbourhood in around.items()
            if search.is_later(later_centre, centre)
            and centre in later_neighbourhood.member_set
            and later_centre not in neighbourhood.member_set
        ]
        completed[centre] = replace(neighbourhood, members=(*neighbourhood.members, *later))
    return completed


@dataclass(frozen=True)
class _Conclusion:
    """What is concluded about a member of a label, by position."""

    label: int
    member: int
    marks: EdgeMarks
    arrow: Arrow | None = None
    claims: tuple[DraftClaim, ...] = ()
    confirmed: bool = False
    is_neighbour: bool = True

    @property
    def direction(self) -> Direction:
        """Which way the arrow runs if nothing is hidden: the marks have it, or the best graph does."""
        if not self.is_neighbour:
            return Direction.UNDECIDED
        by_marks = _BY_MARKS.get((self.marks.at_feature, self.marks.at_label))
        if by_marks is not None:
            return by_marks
        if self.arrow is None:
            return Direction.UNDECIDED
        return Direction.CAUSE if self.arrow.cause == self.member else Direction.EFFECT

    def orientation(self, names: Sequence[str], records: Mapping[Question, TestRecord]) -> Orientation:
        """Return the same by name."""
        claims = tuple(_claim(draft, names, records) for draft in self.claims)
        direction = self.direction
        record = Orientation(
            names[self.member], names[self.label], direction, marks=self.marks, claims=claims
        )
        if direction is Direction.UNDECIDED:
            return record
        is_cause = direction is Direction.CAUSE
        if self.arrow is not None and is_cause == (self.arrow.cause == self.member):
            because, others, log_ratio = self.arrow.because, self.arrow.others, self.arrow.log_ratio
            tests = tuple(records[question] for question in self.arrow.questions)
            other_names = tuple(names[position] for position in others)
        else:
            # What says most: that one is a cause, or else that the other is none.
            first = max(self.claims, key=lambda draft: draft.kind is ClaimKind.CAUSE)
            claim = claims[self.claims.index(first)]
            because, other_names, tests, log_ratio = claim.because, claim.others, claim.tests, None
        if is_cause and because is Because.SHARED_EFFECT:
            because = Because.SEVERAL_CAUSES
        return replace(
            record,
            because=because,
            others=other_names,
            tests=tests,
            log_ratio=log_ratio,
            confirmed=self.confirmed,
        )


_BY_MARKS = {
    (EndMark.TAIL, EndMark.ARROWHEAD): Direction.CAUSE,
    (EndMark.CIRCLE, EndMark.ARROWHEAD): Direction.CAUSE,
    (EndMark.ARROWHEAD, EndMark.TAIL): Direction.EFFECT,
    (EndMark.ARROWHEAD, EndMark.CIRCLE): Direction.EFFECT,
    (EndMark.ARROWHEAD, EndMark.ARROWHEAD): Direction.UNDECIDED,
}


def _is_linked(graph: LocalGraph, clear: Container[Pair], label: int, member: int) -> bool:
    """Tell whether both searches find a member next to its label, or a best graph clearly does."""
    return graph.adjacent(label, member) or (label, member) in clear or (member, label) in clear


def _weak_links(
    search: Neighbourhoods, graph: LocalGraph, findings: Mapping[int, LabelFindings]
) -> frozenset[Pair]:
    """Return (label, member) pairs that are hardly associated given some set: the model may not fit."""
    questions = list(
        dict.fromkeys(
            (label, member, tuple(sorted(given)))
            for label, label_findings in findings.items()
            for member in label_findings.neighbourhood.members
            for given in graph.weakest_sets(label, member)
        )
    )
    if not questions:
        return frozenset()
    answers = ask(search.data, questions, search.stop)
    search.check_stop()
    statistic, dof = search.data.as_chi_squared(answers.statistic, answers.dof)
    is_weak = answers.reliable & (statistic - dof <= _LITTLE_LEFT * search.data.observations)
    weak = {(label, member) for label, member, _ in compress(questions, is_weak.tolist())}
    return frozenset(
        question[:2]
        for question, left in zip(questions, answers.statistic.tolist(), strict=True)
        if question[:2] in weak and not _fits(search, graph, question, left)
    )


def _fits(search: Neighbourhoods, graph: LocalGraph, question: Question, statistic: float) -> bool:
    """Tell whether both searches find a weak link, and products of a set leave it nearly as it is."""
    label, member, given = question
    is_found_twice = graph.adjacent(label, member) and search.data.bears_products
    return is_found_twice and not loses_to_products(search.data, label, member, given, statistic)


def _concluded_of_ancestry(label: int, member: int, grading: Grading) -> _Conclusion:
    """Conclude what holds of a pair that may not be adjacent: causes, but not that nothing is hidden."""
    marks = replace(grading.marks(member, label), nothing_hidden=False)
    claims = (claim for claim in grading.claims(member, label) if claim.kind is not ClaimKind.NOTHING_HIDDEN)
    return _Conclusion(label, member, marks, claims=tuple(claims), is_neighbour=False)


def _concluded(
    label: int,
    member: int,
    arrows: Mapping[Pair, Arrow],
    grading: Grading,
    graphs: BestGraphs,
    confirmations: Confirmations,
    *,
    is_weak: bool,
) -> _Conclusion:
    """Put together what tests say and best graphs bear out, and what people say."""
    marks, claims = grading.marks(member, label), tuple(grading.claims(member, label))
    arrow = arrows.get((label, member)) or arrows.get((member, label))
    concluded = _Conclusion(label, member, marks, arrow, claims)
    if concluded.direction is Direction.UNDECIDED:
        return concluded
    cause, effect = (member, label) if concluded.direction is Direction.CAUSE else (label, member)
    is_known = any(claim.uses_knowledge for claim in claims)
    if not is_known and graphs.bears_out(cause, effect) is False:
        return _Conclusion(label, member, OPEN_EDGE)
    if not is_known and is_weak:
        return _concluded_of_ancestry(label, member, grading)
    return replace(concluded, confirmed=confirmations.of(cause, effect, marks, claims))


def _questions(conclusions: Iterable[_Conclusion]) -> Iterator[Question]:
    for conclusion in conclusions:
        yield from conclusion.arrow.questions if conclusion.arrow else ()
        for claim in conclusion.claims:
            yield from claim.questions


def _claim(draft: DraftClaim, names: Sequence[str], records: Mapping[Question, TestRecord]) -> Claim:
    return Claim(
        draft.kind,
        names[draft.cause],
        names[draft.effect],
        draft.because,
        tuple(names[position] for position in draft.others),
        tuple(records[question] for question in draft.questions),
        draft.uses_knowledge,
    )


def _objection(
    draft: DraftObjection, names: Sequence[str], records: Mapping[Question, TestRecord]
) -> Objection:
    return Objection(
        draft.part,
        names[draft.cause],
        names[draft.effect],
        None if draft.claim is None else _claim(draft.claim, names, records),
        tuple(records[question] for question in draft.questions),
        draft.is_possible,
    )


def _without_cut(findings: TripleFindings, cut: frozenset[int]) -> TripleFindings:
    """Leave out what was shown by a test of a number that was cut."""

    def holds(finding: TripleFinding) -> bool:
        return cut.isdisjoint((*finding.dependence[:2], *finding.dependence[2], *finding.independence[2]))

    return replace(
        findings,
        colliders=tuple(filter(holds, findings.colliders)),
        passages=tuple(filter(holds, findings.passages)),
    )


def _borne_out(findings: TripleFindings, graph: LocalGraph, graphs: BestGraphs) -> TripleFindings:
    """Leave out the colliders of which a best graph does not bear out every arrow.

    Ends that nearly cancelling paths make independent look like those of a collider. Without a graph, ends
    independent only given others need tests as clear as a separation, and so do all ends of categories; with
    few rows tests alone show neither.
    """

    def is_firm(finding: TripleFinding) -> bool:
        least, most, _ = BETWEEN_NEIGHBOURS
        return finding.log_p_apart > least and finding.log_p < most

    def is_shown(finding: TripleFinding) -> bool:
        return graphs.scale == 1.0 and is_firm(finding)

    def holds(finding: TripleFinding) -> bool:
        centre = finding.triple.centre
        borne_out = [
            graphs.bears_out(end, centre) for end in finding.triple[::2] if graph.adjacent(end, centre)
        ]
        if None not in borne_out:
            return all(borne_out)
        is_clear = is_firm(finding) or not (finding.independence[2] or graphs.add_levels)
        return graphs.scale == 1.0 and is_clear and False not in borne_out

    return replace(
        findings,
        colliders=tuple(filter(holds, findings.colliders)),
        passages=findings.passages if graphs.can_weigh else tuple(filter(is_shown, findings.passages)),
    )


def _has_stand_in(findings: Mapping[int, LabelFindings], label: int, member: int) -> bool:
    """Tell whether a variable may stand in for the neighbour, or for the label where both are labels."""
    return any(
        variable in pair.in_boundary and pair.target == target
        for target, variable in ((label, member), (member, label))
        if target in findings
        for pair in (*findings[target].about_label, *findings[target].not_told_apart)
    )


def _records(search: Neighbourhoods, wanted: Iterable[Question]) -> dict[Question, TestRecord]:
    """Make the tests that directions rest on once more, in full."""
    questions = list(dict.fromkeys(wanted))
    records = make_records(search.data, [(x, (y,), given) for x, y, given in questions], search.stop)
    search.check_stop()
    return dict(zip(questions, records, strict=True))
