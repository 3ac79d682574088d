"""From positions to names: the findings around a label as boundary, equivalences and evidence."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from engine.boundaries.markov_boundary import MarkovBoundary
from engine.boundaries.settings import DiscoverySettings
from engine.discovery.equivalence import EquivalentPair
from engine.discovery.evidence import Equivalence, Evidence, Rule
from engine.discovery.label_search import LabelFindings
from engine.discovery.last_pass import Departure
from engine.errors import Cancelled
from engine.independence.batch import JointQuestion
from engine.independence.data import TestData, chi_squared_effect
from engine.independence.single import TestRecord, make_records

Indices = tuple[int, ...]

_RULE_ORDER = tuple(Rule)


@dataclass(frozen=True)
class LabelReport:
    """What is reported about one label, by name.

    Attributes
    ----------
    boundary : MarkovBoundary
        Neighbours and spouses, labels among them.
    evidence : tuple of Evidence
        Every reason for every feature, and for every label in the boundary.
    equivalences : tuple of Equivalence
        About the label and about its connecting children: those that are shown.
    not_told_apart : tuple of Equivalence
        Pairs that may be equivalences.
    departures : tuple of TestRecord
        The tests that took members out in the last pass.
    is_confirmed : bool
        False where the last pass should have been made, and the rows did not allow it.
    tests : int
        Tests made for this label alone.
    """

    boundary: MarkovBoundary
    evidence: tuple[Evidence, ...]
    equivalences: tuple[Equivalence, ...]
    not_told_apart: tuple[Equivalence, ...]
    departures: tuple[TestRecord, ...]
    is_confirmed: bool
    tests: int


@dataclass(frozen=True)
class _Draft:
    """Evidence whose tests are still to be made."""

    feature: int
    rule: Rule
    questions: tuple[JointQuestion, ...]
    partner: Indices = ()
    together_with: Indices = ()
    children: Indices = ()
    recovered: bool = False


@dataclass
class _Tests:
    """Collects questions, makes each different one once, and hands out the records."""

    data: TestData
    settings: DiscoverySettings
    stop: np.ndarray
    records: dict[JointQuestion, TestRecord] = field(default_factory=dict)

    def make(self, questions: list[JointQuestion]) -> None:
        wanted = [each for each in dict.fromkeys(questions) if each not in self.records]
        made = make_records(self.data, wanted, self.stop)
        if self.stop[0]:
            raise Cancelled("the run was stopped.")
        self.records.update(zip(wanted, made, strict=True))

    def __getitem__(self, question: JointQuestion) -> TestRecord:
        return self.records[question]


def report_label(
    findings: LabelFindings, data: TestData, settings: DiscoverySettings, stop: np.ndarray
) -> LabelReport:
    """Name the findings around one label and make the tests that prove them once more, in full.

    Parameters
    ----------
    findings : LabelFindings
        What was found.
    data : TestData
        What is tested.
    settings : DiscoverySettings
        Test and level.
    stop : ndarray of uint8, shape (1,)
        Not 0 asks to stop.

    Returns
    -------
    LabelReport

    Raises
    ------
    Cancelled
        When the run was stopped.
    """
    drafts = [*_neighbours(findings), *_spouses(findings), *_stand_ins(findings)]
    pairs = [*findings.about_label, *findings.about_children, *findings.not_told_apart]
    tests = _Tests(data, settings, stop)
    tests.make([each for draft in drafts for each in draft.questions])
    tests.make([each for pair in pairs for each in _pair_questions(pair)])
    label = findings.neighbourhood.target
    evidence = [
        Evidence(
            feature=data.names[draft.feature],
            label=data.names[label],
            rule=draft.rule,
            partner=_names(data, draft.partner),
            together_with=_names(data, draft.together_with),
            children=_names(data, draft.children),
            tests=tuple(tests[each] for each in draft.questions),
            recovered=draft.recovered,
        )
        for draft in sorted(drafts, key=lambda each: (each.feature, _RULE_ORDER.index(each.rule)))
    ]
    records = [_equivalence(data, pair, tests) for pair in pairs]
    return LabelReport(
        boundary=_boundary(findings, data),
        evidence=tuple(evidence),
        equivalences=tuple(each for each in records if each.is_shown),
        not_told_apart=tuple(each for each in records if not each.is_shown),
        departures=tuple(_departure(data, label, each) for each in findings.departures),
        is_confirmed=findings.is_confirmed,
        tests=findings.tests + len(tests.records),
    )


def _departure(data: TestData, label: int, departure: Departure) -> TestRecord:
    given, member = departure.given, departure.member
    return TestRecord(
        x=data.names[label],
        y=data.names[member],
        given=_names(data, tuple(sorted(given))),
        statistic=departure.statistic,
        dof=departure.dof,
        p_value=math.exp(departure.log_p),
        log_p=departure.log_p,
        effect=chi_squared_effect(departure.statistic, data.observations_of((label, member, *given))),
        rows=data.rows_of((label, member, *given)),
    )


def _equivalence(data: TestData, pair: EquivalentPair, tests: _Tests) -> Equivalence:
    inside, outside, outside_given_inside, inside_given_outside = (
        tests[each] for each in _pair_questions(pair)
    )
    return Equivalence(
        target=data.names[pair.target],
        in_boundary=_names(data, pair.in_boundary),
        equivalent=_names(data, pair.equivalent),
        target_in_boundary=inside,
        target_equivalent=outside,
        equivalent_given_boundary=outside_given_inside,
        boundary_given_equivalent=inside_given_outside,
        verdict=pair.verdict,
        missed_by_boundary=pair.missed_by_boundary,
        missed_by_equivalent=pair.missed_by_equivalent,
    )


def _names(data: TestData, positions: Indices) -> tuple[str, ...]:
    return tuple(data.names[each] for each in positions)


def _boundary(findings: LabelFindings, data: TestData) -> MarkovBoundary:
    children: dict[int, set[str]] = {}
    for link in findings.links:
        children.setdefault(link.spouse, set()).add(data.names[link.child])
    return MarkovBoundary(
        target=data.names[findings.neighbourhood.target],
        parents_children=_names(data, findings.neighbourhood.members),
        spouses={data.names[spouse]: frozenset(names) for spouse, names in children.items()},
        tests_made=findings.neighbourhood.tests + findings.tests,
    )


def _neighbours(findings: LabelFindings) -> list[_Draft]:
    label = findings.neighbourhood.target
    drafts = []
    for member in findings.neighbourhood.members:
        questions: list[JointQuestion] = [(label, (member,), ())]
        weakest = findings.neighbourhood.weakest.get(member)
        if weakest is not None:
            questions.append((label, (member,), weakest))
        drafts.append(
            _Draft(member, Rule.NEIGHBOUR, tuple(questions), recovered=member in findings.recovered)
        )
    return drafts


def _spouses(findings: LabelFindings) -> list[_Draft]:
    label = findings.neighbourhood.target
    links: dict[int, list[tuple[int, JointQuestion]]] = {}
    for link in findings.links:
        links.setdefault(link.spouse, []).append((link.child, (label, (link.spouse,), link.given)))
    return [
        _Draft(
            spouse,
            Rule.SPOUSE,
            tuple(question for _, question in found),
            children=tuple(child for child, _ in found),
        )
        for spouse, found in links.items()
    ]


def _stand_ins(findings: LabelFindings) -> list[_Draft]:
    drafts = []
    for pair in findings.about_label:
        drafts += _for_each_variable(pair, Rule.NEIGHBOUR_EQUIVALENT, ())
    for pair in findings.about_children:
        drafts += _for_each_variable(pair, Rule.SPOUSE_EQUIVALENT, (pair.target,))
    return drafts


def _for_each_variable(pair: EquivalentPair, rule: Rule, children: Indices) -> list[_Draft]:
    _, to_outsider, _, _ = questions = _pair_questions(pair)
    strongest_first = (to_outsider, *(each for each in questions if each != to_outsider))
    return [
        _Draft(
            variable,
            rule,
            strongest_first,
            partner=pair.in_boundary,
            together_with=tuple(other for other in pair.equivalent if other != variable),
            children=children,
        )
        for variable in pair.equivalent
    ]


def _pair_questions(
    pair: EquivalentPair,
) -> tuple[JointQuestion, JointQuestion, JointQuestion, JointQuestion]:
    """List the four tests of an equivalence, in the order of the fields of Equivalence."""
    target, inside, outside = pair.target, pair.in_boundary, pair.equivalent
    return (
        (target, inside, ()),
        (target, outside, ()),
        (target, outside, inside),
        (target, inside, outside),
    )
