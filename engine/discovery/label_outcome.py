"""The search around one label, and around all labels of a run on threads of this machine.

Of a label a run needs findings by position, and by name with the tests that prove them.

Links through other labels: which labels explain a link that is seen only where they are left out.

A label's Markov boundary holds other labels, and they explain causes away that act through them: given
recurrence, treatment tells nothing of death. By the paper's definition treatment is then no causal variable
of death. Whoever asks what acts on several outcomes, directly or through one another, asks for another
boundary: that among the features alone, the other labels marginalised. CLCD looks for it by the same steps
(:func:`found_among_features`), and joins what is linked to labels that are
linked to each other (:mod:`engine.discovery.indirect_links`). A feature of the second boundary that is not
in the first is linked through other labels, a spouse given the effects that it shares with the label. Here
the smallest set of labels that separates it from the label is found, together with other members of the
label's boundary where it takes any.

The truth that this aims at is d-separation in a graph of which the other labels are unobserved nodes
(Richardson and Spirtes 2002, Ancestral graph Markov models, Annals of Statistics 30:962-1030).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, combinations, islice
from typing import TYPE_CHECKING

import numpy as np

from engine.boundaries.discovery_settings import DiscoverySettings
from engine.boundaries.markov_boundary import MarkovBoundary
from engine.boundaries.neighbourhoods import Indices, Marginals, Neighbourhood, Neighbourhoods
from engine.boundaries.warm_up import compile_searches
from engine.discovery.clcd import Algorithm1
from engine.discovery.equivalence import EquivalentPair
from engine.discovery.evidence import DecidedBy, Equivalence, Evidence, LinkThroughLabels, Rule
from engine.discovery.label_findings import LabelFindings
from engine.discovery.last_pass import BoundaryChange
from engine.discovery.refinement.controlled import ControlledSearch
from engine.errors import Cancelled
from engine.execution.workers import run_all
from engine.independence.batch import JointQuestion, Question, ask
from engine.independence.data import TestData, chi_squared_effect
from engine.independence.false_discovery import log_q_values
from engine.independence.record import TestRecord, make_records
from engine.progress import Progress, Steps
from engine.translation import _

if TYPE_CHECKING:
    from engine.boundaries.search import SpouseLink
    from engine.discovery.label_findings import LabelFindings

# Of the other members of a boundary so many, the nearest first, are conditioned on beside labels.
_MOST_MEMBERS = 12
_SETS_AT_ONCE = 512
# Labels that share an unmeasured cause nearly separate a feature: the whole boundary has to do it clearly.
_PLAIN_LEVEL = 0.05
# Larger sets only where the rows bear them.
_ALWAYS_TRIED = 2


class SeparatingLabels:
    """Finds the labels that separate features from one label."""

    def __init__(self, search: Neighbourhoods, findings: LabelFindings, labels: Sequence[int]) -> None:
        self._search = search
        self._label = findings.neighbourhood.target
        boundary = (*findings.neighbourhood.members, *dict.fromkeys(link.spouse for link in findings.links))
        others = frozenset(labels) - {self._label}
        self._findings = findings
        self._others = others
        self._labels = tuple(label for label in dict.fromkeys(boundary) if label in others)
        self._members = tuple(member for member in dict.fromkeys(boundary) if member not in others)
        self._level = max(math.log(_PLAIN_LEVEL), math.log(search.settings.alpha))
        self.tests = 0

    def smallest_set(self, feature: int, effects: Indices = (), fewest_labels: int = 0) -> Indices | None:
        """Return the smallest set that separates a feature from the label, beside shared `effects`, or None.

        Fewest labels first, then fewest members, then the largest p. Labels count only where the whole
        boundary separates the two.
        """
        recorded = self._findings.neighbourhood.separator(feature)
        labels = tuple(
            dict.fromkeys(
                (
                    *self._labels,
                    *(recorded_label for recorded_label in recorded if recorded_label in self._others),
                )
            )
        )
        members = tuple(member for member in self._members if member not in (feature, *effects))[
            :_MOST_MEMBERS
        ]
        most = self._search.settings.max_conditioning - len(effects)
        for label_count in range(fewest_labels, min(most, len(labels)) + 1):
            if label_count == max(fewest_labels, 1) and not self._is_explained(feature):
                return None
            # With nothing else conditioned on the two are associated.
            fewest = 0 if label_count else 1
            for member_count in range(fewest, min(most - label_count, len(members)) + 1):
                separator = self._best_of(
                    feature, self._sets(feature, effects, labels, members, label_count, member_count)
                )
                if separator is not None:
                    return separator
        return None

    def _is_explained(self, feature: int) -> bool:
        """Tell whether the whole boundary separates the two as well, as far as the rows bear such a test."""
        whole = tuple(
            variable for variable in (*self._labels, *self._members[:_MOST_MEMBERS]) if variable != feature
        )
        has_strata = (self._search.data.strata[list(whole)] > 1).any()
        if has_strata and not self._is_borne(feature, whole):
            return True
        answers = ask(self._search.data, [(self._label, feature, whole)], self._search.stop)
        self._search.check_stop()
        self.tests += 1
        return bool(answers.log_p[0] > self._level or not answers.reliable[0])

    def _best_of(self, feature: int, sets: Iterator[Indices]) -> Indices | None:
        best: tuple[float, Indices] | None = None
        while some := list(islice(sets, _SETS_AT_ONCE)):
            questions: list[Question] = [(self._label, feature, given) for given in some]
            answers = ask(self._search.data, questions, self._search.stop)
            self._search.check_stop()
            self.tests += len(questions)
            for position in np.flatnonzero(answers.independent & answers.reliable).tolist():
                log_p = float(answers.log_p[position])
                if best is None or log_p > best[0]:
                    best = log_p, some[position]
        return None if best is None else best[1]

    def _sets(
        self,
        feature: int,
        effects: Indices,
        labels: Indices,
        members: Indices,
        label_count: int,
        member_count: int,
    ) -> Iterator[Indices]:
        for some_labels in combinations(labels, label_count):
            for some_members in combinations(members, member_count):
                given = (*effects, *some_labels, *some_members)
                if len(given) <= _ALWAYS_TRIED or self._is_borne(feature, given):
                    yield given

    def _is_borne(self, feature: int, given: Indices) -> bool:
        """Tell whether the rows bear a test, as in the search for neighbours."""
        return self._search.data.nominal_dof(self._label, feature, given) <= self._search.most_dof


@dataclass(frozen=True)
class MemberClaim:
    """That a variable counts for a label, by one rule, and the tests that are to show it."""

    feature: int  # the variable, which may be another label
    rule: Rule
    questions: tuple[JointQuestion, ...]  # still to be tested
    partner: Indices = ()  # members of the boundary that it stands in for
    together_with: Indices = ()  # the rest of the set that stands in for them
    children: Indices = ()  # of the label, which connect it, or its partner, with the label
    recovered: bool = False  # Phase 2 brought it in
    decided_by: DecidedBy = DecidedBy.TESTS


def claims(findings: LabelFindings) -> list[MemberClaim]:
    """Return by which functions of Equation 9 which variables count for a label, one claim a variable."""
    return [*_neighbours(findings), *_spouses(findings), *_stand_ins(findings)]


def _neighbours(findings: LabelFindings) -> list[MemberClaim]:
    """θ₁ of Equation 9: a part of the Markov boundary, by its neighbours."""
    label = findings.neighbourhood.target
    drafts = []
    for member in findings.neighbourhood.members:
        questions: list[JointQuestion] = [(label, (member,), ())]
        weakest = findings.neighbourhood.weakest.get(member)
        if weakest is not None:
            questions.append((label, (member,), weakest))
        drafts.append(
            MemberClaim(
                member,
                Rule.NEIGHBOUR,
                tuple(questions),
                recovered=member in findings.recovered,
                decided_by=_decided_by(findings, member, (weakest or (),)),
            )
        )
    return drafts


def _decided_by(findings: LabelFindings, variable: int, sets: Iterable[Indices]) -> DecidedBy:
    """Return what let a variable in, given the sets that its tests hold fixed."""
    compared = {(variable, given) for given in sets}
    if compared & findings.by_score:
        return DecidedBy.SCORE
    if compared & {(arrival.variable, arrival.given) for arrival in findings.arrivals}:
        return DecidedBy.REGRESSION
    return DecidedBy.TESTS


def _spouses(findings: LabelFindings) -> list[MemberClaim]:
    """θ₁ of Equation 9: a part of the Markov boundary, by its spouses."""
    links: dict[int, list[SpouseLink]] = {}
    for link in findings.links:
        links.setdefault(link.spouse, []).append(link)
    return [
        MemberClaim(
            spouse,
            Rule.SPOUSE,
            tuple(_spouse_question(findings, link) for link in connecting),
            children=tuple(link.child for link in connecting),
            decided_by=_decided_by(findings, spouse, (link.given for link in connecting)),
        )
        for spouse, connecting in links.items()
    ]


def _spouse_question(findings: LabelFindings, link: SpouseLink) -> JointQuestion:
    """Return the test of a spouse and label given the child, or, if scored, of the spouse as its parent."""
    label = findings.neighbourhood.target
    if _decided_by(findings, link.spouse, (link.given,)) is not DecidedBy.SCORE:
        return label, (link.spouse,), link.given
    return link.child, (link.spouse,), (label, *(held for held in link.given if held != link.child))


def _stand_ins(findings: LabelFindings) -> list[MemberClaim]:
    """θ₂ and θ₃ of Equation 9: equivalent to neighbours about the label, to spouses about their child."""
    about_label = (_for_each_variable(pair, Rule.NEIGHBOUR_EQUIVALENT, ()) for pair in findings.about_label)
    about_children = (
        _for_each_variable(pair, Rule.SPOUSE_EQUIVALENT, (pair.target,)) for pair in findings.about_children
    )
    return [*chain.from_iterable(chain(about_label, about_children))]


def _for_each_variable(pair: EquivalentPair, rule: Rule, children: Indices) -> list[MemberClaim]:
    _, to_outsider, _, _ = questions = pair.questions
    strongest_first = (to_outsider, *(question for question in questions if question != to_outsider))
    return [
        MemberClaim(
            variable,
            rule,
            strongest_first,
            partner=pair.in_boundary,
            together_with=tuple(partner for partner in pair.equivalent if partner != variable),
            children=children,
        )
        for variable in pair.equivalent
    ]


_RULE_ORDER = tuple(Rule)


@dataclass(frozen=True)
class LabelReport:
    """What is reported about one label, by name."""

    boundary: MarkovBoundary  # neighbours and spouses, labels among them
    evidence: tuple[Evidence, ...]  # every reason for every feature, and for every label in the boundary
    equivalences: tuple[Equivalence, ...]  # about the label and its connecting children: those that are shown
    not_told_apart: tuple[Equivalence, ...]  # pairs that may be equivalences
    departures: tuple[TestRecord, ...]  # the tests that took members out in the last pass
    is_confirmed: bool  # False where the last pass should have been made, and the rows did not allow it
    is_determined: bool  # the members determine the label in all rows
    tests: int  # made for this label alone
    # natural logarithms, among the marginal tests of the label
    log_q_values: Mapping[str, float] = field(default_factory=dict)


def report_label(findings: LabelFindings, data: TestData, stop: np.ndarray) -> LabelReport:
    """Name the findings around one label and make the tests that prove them once more, in full."""
    reasons = claims(findings)
    pairs = [*findings.about_label, *findings.about_children, *findings.not_told_apart]
    label = findings.neighbourhood.target
    compared = {
        (label, (arrival.variable,), arrival.given): _test_in_regression(data, label, arrival)
        for arrival in findings.arrivals
    }
    questions = chain(
        (question for reason in reasons for question in reason.questions),
        ((label, (reason.feature,), ()) for reason in reasons),
        (question for pair in pairs for question in pair.questions),
    )
    tests = (
        _records(data, [question for question in dict.fromkeys(questions) if question not in compared], stop)
        | compared
    )
    evidence = [
        Evidence(
            feature=data.names[reason.feature],
            label=data.names[label],
            rule=reason.rule,
            partner=_names(data, reason.partner),
            together_with=_names(data, reason.together_with),
            children=_names(data, reason.children),
            tests=tuple(tests[question] for question in reason.questions),
            recovered=reason.recovered,
            marginal=tests[label, (reason.feature,), ()],
            decided_by=reason.decided_by,
        )
        for reason in sorted(reasons, key=lambda reason: (reason.feature, _RULE_ORDER.index(reason.rule)))
    ]
    records = [_equivalence(data, pair, tests) for pair in pairs]
    return LabelReport(
        boundary=_boundary(findings, data),
        evidence=tuple(evidence),
        equivalences=tuple(record for record in records if record.is_shown),
        not_told_apart=tuple(record for record in records if not record.is_shown),
        departures=tuple(_test_in_regression(data, label, departure) for departure in findings.departures),
        is_confirmed=findings.is_confirmed,
        is_determined=findings.is_determined,
        tests=findings.tests + len(tests),
    )


def _records(
    data: TestData, questions: list[JointQuestion], stop: np.ndarray
) -> dict[JointQuestion, TestRecord]:
    records = make_records(data, questions, stop)
    if stop[0]:
        raise Cancelled()
    return dict(zip(questions, records, strict=True))


def _test_in_regression(data: TestData, label: int, test: BoundaryChange) -> TestRecord:
    variables = (label, test.variable, *test.given)
    return TestRecord(
        x=data.names[label],
        others=(data.names[test.variable],),
        given=_names(data, tuple(sorted(test.given))),
        statistic=test.statistic,
        dof=test.dof,
        p_value=math.exp(test.log_p),
        log_p=test.log_p,
        effect=chi_squared_effect(test.statistic, data.observations_of(variables)),
        rows=data.rows_of(variables),
    )


def _equivalence(
    data: TestData, pair: EquivalentPair, tests: Mapping[JointQuestion, TestRecord]
) -> Equivalence:
    inside, outside, outside_given_inside, inside_given_outside = (
        tests[question] for question in pair.questions
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


def _names(data: TestData, positions: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(data.names[position] for position in positions)


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


def log_q_values_of(
    search: Neighbourhoods, label: int, log_p: np.ndarray, names: Iterable[str]
) -> dict[str, float]:
    """Return the q-values of variables in the family of all marginal tests of a label."""
    data = search.data
    others = np.zeros(len(log_p), dtype=bool)
    others[list(search.variables)] = True
    others[label] = False
    log_q = np.zeros(len(log_p))
    log_q[others] = log_q_values(log_p[others])
    positions = sorted({data.positions[name] for name in names})
    return {data.names[position]: float(log_q[position]) for position in positions}


@dataclass(frozen=True)
class LabelOutcome:
    """What came of the search around one label; it can be sent from one process to another."""

    findings: LabelFindings  # by position
    report: LabelReport  # the same by name, with the tests that prove it
    # neighbourhoods of the label's neighbours, from which directions are told
    around: Mapping[int, Neighbourhood]
    through_labels: tuple[LinkThroughLabels, ...] = ()  # in column order


# What is announced of a label: four steps of its procedure, and links through other labels.
STEPS_PER_LABEL = 5


def search_label(
    search: Neighbourhoods, labels: Sequence[int], announce: Callable[[str, int], None], label: int
) -> LabelOutcome:
    """Search around one label, by the procedure that the settings name, and report what was found."""
    search = search.seen_from(label)
    # Held from the beginning: of a wide table few marginal tests are kept, and those of the neighbours, which
    # come after, would take their place.
    log_p = search.marginal(label).log_p
    procedure = ControlledSearch if search.settings.is_controlled else Algorithm1
    findings = procedure(search, labels, announce).find(label)
    report = report_label(findings, search.data, search.stop)
    linked = {evidence.feature for evidence in report.evidence}
    report = replace(report, log_q_values=log_q_values_of(search, label, log_p, linked))
    # Most algorithms have made these searches already.
    around = {member: search.neighbours(member) for member in findings.neighbourhood.members}
    among_features = None
    if search.settings.is_controlled and len(labels) > 1:
        announce(_("Looking for links through other labels"), label)
        among_features = found_among_features(search, labels, findings)
    if among_features is None:
        return LabelOutcome(findings, report, around)
    further = report_label(among_features, search.data, search.stop)
    reasons: dict[str, list[Evidence]] = {}
    for evidence in further.evidence:
        if evidence.feature not in linked:
            reasons.setdefault(evidence.feature, []).append(evidence)
    # What shares an effect with the label is linked to it only given that effect.
    effects = {feature: _positions(search.data, why[0].children[:1]) for feature, why in reasons.items()}
    links, tests = explained_links(search, labels, findings, reasons, effects)
    log_q = log_q_values_of(search, label, log_p, (link.pair[0] for link in links))
    report = replace(
        report, log_q_values={**log_q, **report.log_q_values}, tests=report.tests + further.tests + tests
    )
    return LabelOutcome(findings, report, around, links)


def found_among_features(
    search: Neighbourhoods, labels: Sequence[int], findings: LabelFindings
) -> LabelFindings | None:
    """Return what is found next to a label without other labels; None where none is in its boundary."""
    label = findings.neighbourhood.target
    others = frozenset(labels) - {label}
    boundary = findings.neighbourhood.member_set.union(link.spouse for link in findings.links)
    if not others & boundary:
        return None
    among_features = search.without(others, label)
    links = [link for link in findings.links if not others.intersection((link.spouse, link.child))]
    return ControlledSearch(among_features, labels, announce_nothing).find(label, links)


def announce_nothing(stage: str, label: int) -> None:
    """Say nothing: the steps are part of one that is announced, or nobody is told of steps."""


def _positions(data: TestData, names: Iterable[str]) -> Indices:
    return tuple(data.positions[name] for name in names)


def explained_links(
    search: Neighbourhoods,
    labels: Sequence[int],
    findings: LabelFindings,
    reasons: Mapping[str, Sequence[Evidence]],
    effects: Mapping[str, Indices],
    fewest_labels: int = 0,
) -> tuple[tuple[LinkThroughLabels, ...], int]:
    """Return features linked through other labels, with separating sets, and the number of tests.

    `reasons` say why a feature counts without other labels, strongest rule first. What no set of
    `fewest_labels` separates is a link only by shared `effects`.
    """
    data, label = search.data, findings.neighbourhood.target
    separators = SeparatingLabels(search, findings, labels)
    separating_sets = {
        feature: separators.smallest_set(data.positions[feature], effects[feature], fewest_labels)
        for feature in reasons
    }
    separating_sets = {
        feature: given
        for feature, given in separating_sets.items()
        if (not fewest_labels or effects[feature] if given is None else set(given).intersection(labels))
    }
    questions: dict[str, JointQuestion] = {
        feature: (label, (data.positions[feature],), given)
        for feature, given in separating_sets.items()
        if given is not None
    }
    records = _records(data, list(questions.values()), search.stop)
    links = []
    for feature in separating_sets:
        separated = records[questions[feature]] if feature in questions else None
        given = () if separated is None else separated.given
        through = tuple(data.names[position] for position in sorted(labels) if data.names[position] in given)
        links.append(LinkThroughLabels(tuple(reasons[feature]), separated if through else None, through))
    return tuple(links), separators.tests + len(questions)


# Measured on two cores: at 5000 rows two threads were slower than one, at 20 000 quicker.
_ROWS_WORTH_THREADS = 10_000


class SharedRun:
    """Searches around every label in one process; `search` and marginal tests of the same data are reused."""

    def __init__(
        self,
        data: TestData,
        settings: DiscoverySettings,
        labels: Sequence[int],
        progress: Progress,
        marginals: Marginals | None = None,
        executor: ThreadPoolExecutor | None = None,
        search: Neighbourhoods | None = None,
    ) -> None:
        self.search = search or Neighbourhoods(data, settings, np.zeros(1, dtype=np.uint8), marginals)
        self._labels = labels
        self._progress = progress
        self._executor = executor

    @property
    def tests_made(self) -> tuple[int, int]:
        """Tests that screens and neighbour searches needed so far, and the unreliable ones among them."""
        return self.search.tests_made

    def outcomes(self, steps: Steps) -> dict[int, LabelOutcome]:
        """Search around every label, by its place in the list; after a stop, those that were finished."""
        search = self.search
        compile_searches(search.data, search.settings)

        def announce(stage: str, label: int) -> None:
            steps.begin(stage, search.data.names[label])

        return dict(
            run_all(
                partial(search_label, search, self._labels, announce),
                self._labels,
                workers=_threads(search.data, search.settings.workers),
                progress=self._progress,
                stop=search.stop,
                executor=self._executor,
            )
        )


def _threads(data: TestData, workers: int | None) -> int | None:
    """Return the number of threads as asked; unasked, one where tests are too short for more.

    A thread that comes back from a test waits for Python's lock.
    """
    if workers is None and data.is_quick and data.rows < _ROWS_WORTH_THREADS:
        return 1
    return workers
