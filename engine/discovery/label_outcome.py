"""What a run needs to know of one label: findings by position, and by name with the tests that prove them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

import numpy as np

from engine.boundaries.markov_boundary import MarkovBoundary
from engine.boundaries.neighbourhoods import Indices, Neighbourhood, Neighbourhoods
from engine.discovery.claims import claims, pair_questions
from engine.discovery.clcd import LabelSearch
from engine.discovery.equivalence import EquivalentPair
from engine.discovery.evidence import Equivalence, Evidence, LinkThroughLabels, Rule
from engine.discovery.label_findings import LabelFindings
from engine.discovery.last_pass import Arrival, Departure
from engine.discovery.through_labels import SeparatingLabels
from engine.errors import Cancelled
from engine.independence.batch import JointQuestion
from engine.independence.data import TestData, chi_squared_effect
from engine.independence.false_discovery import log_q_values
from engine.independence.record import TestRecord, make_records

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
    is_determined : bool
        The members determine the label in all rows.
    log_q_values : mapping of str to float
        By variable that has evidence: natural logarithm of its q-value among the marginal tests of the label.
    tests : int
        Tests made for this label alone.
    """

    boundary: MarkovBoundary
    evidence: tuple[Evidence, ...]
    equivalences: tuple[Equivalence, ...]
    not_told_apart: tuple[Equivalence, ...]
    departures: tuple[TestRecord, ...]
    is_confirmed: bool
    is_determined: bool
    tests: int
    log_q_values: Mapping[str, float] = field(default_factory=dict)


def report_label(findings: LabelFindings, data: TestData, stop: np.ndarray) -> LabelReport:
    """Name the findings around one label and make the tests that prove them once more, in full.

    Parameters
    ----------
    findings : LabelFindings
        What was found.
    data : TestData
        What is tested.
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
    reasons = claims(findings)
    pairs = [*findings.about_label, *findings.about_children, *findings.not_told_apart]
    label = findings.neighbourhood.target
    compared = {
        (label, (each.variable,), each.given): _test_in_regression(data, label, each.variable, each)
        for each in findings.arrivals
    }
    asked = chain(
        (each for reason in reasons for each in reason.questions),
        ((label, (reason.feature,), ()) for reason in reasons),
        (each for pair in pairs for each in pair_questions(pair)),
    )
    tests = _records(data, [each for each in dict.fromkeys(asked) if each not in compared], stop) | compared
    evidence = [
        Evidence(
            feature=data.names[reason.feature],
            label=data.names[label],
            rule=reason.rule,
            partner=_names(data, reason.partner),
            together_with=_names(data, reason.together_with),
            children=_names(data, reason.children),
            tests=tuple(tests[each] for each in reason.questions),
            recovered=reason.recovered,
            marginal=tests[label, (reason.feature,), ()],
            decided_by=reason.decided_by,
        )
        for reason in sorted(reasons, key=lambda each: (each.feature, _RULE_ORDER.index(each.rule)))
    ]
    records = [_equivalence(data, pair, tests) for pair in pairs]
    return LabelReport(
        boundary=_boundary(findings, data),
        evidence=tuple(evidence),
        equivalences=tuple(each for each in records if each.is_shown),
        not_told_apart=tuple(each for each in records if not each.is_shown),
        departures=tuple(_test_in_regression(data, label, each.member, each) for each in findings.departures),
        is_confirmed=findings.is_confirmed,
        is_determined=findings.is_determined,
        tests=findings.tests + len(tests),
    )


def _records(
    data: TestData, questions: list[JointQuestion], stop: np.ndarray
) -> dict[JointQuestion, TestRecord]:
    made = make_records(data, questions, stop)
    if stop[0]:
        raise Cancelled()
    return dict(zip(questions, made, strict=True))


def _test_in_regression(data: TestData, label: int, variable: int, test: Arrival | Departure) -> TestRecord:
    given = test.given
    return TestRecord(
        x=data.names[label],
        others=(data.names[variable],),
        given=_names(data, tuple(sorted(given))),
        statistic=test.statistic,
        dof=test.dof,
        p_value=math.exp(test.log_p),
        log_p=test.log_p,
        effect=chi_squared_effect(test.statistic, data.observations_of((label, variable, *given))),
        rows=data.rows_of((label, variable, *given)),
    )


def _equivalence(
    data: TestData, pair: EquivalentPair, tests: Mapping[JointQuestion, TestRecord]
) -> Equivalence:
    inside, outside, outside_given_inside, inside_given_outside = (
        tests[each] for each in pair_questions(pair)
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


def log_q_values_of(
    search: Neighbourhoods, label: int, log_p: np.ndarray, names: Iterable[str]
) -> dict[str, float]:
    """Return the q-values of variables in the family of all marginal tests of a label."""
    data = search.data
    others = np.zeros(len(log_p), dtype=bool)
    others[list(search.variables)] = True
    others[label] = False
    found = np.zeros(len(log_p))
    found[others] = log_q_values(log_p[others])
    positions = sorted({data.positions[name] for name in names})
    return {data.names[position]: float(found[position]) for position in positions}


@dataclass(frozen=True)
class LabelOutcome:
    """What came of the search around one label; it can be sent from one process to another.

    Attributes
    ----------
    findings : LabelFindings
        What was found, by position.
    report : LabelReport
        The same by name, with the tests that prove it.
    around : mapping of int to Neighbourhood
        Neighbourhoods of the label's neighbours, from which directions are told.
    through_labels : tuple of LinkThroughLabels
        What is linked to the label through other labels, in column order.
    """

    findings: LabelFindings
    report: LabelReport
    around: Mapping[int, Neighbourhood]
    through_labels: tuple[LinkThroughLabels, ...] = ()


def search_label(search: Neighbourhoods, label_search: LabelSearch, label: int) -> LabelOutcome:
    """Search around one label and report what was found.

    Parameters
    ----------
    search : Neighbourhoods
        Data, settings, stop; the same that `label_search` uses.
    label_search : LabelSearch
    label : int
        Position of the label.

    Raises
    ------
    Cancelled
        When the run was stopped.
    """
    search = search.seen_from(label)
    # Held from the beginning: of a wide table few marginal tests are kept, and those of the neighbours, which
    # come after, would take their place.
    log_p = search.marginal(label).log_p
    findings = label_search.find(label)
    report = report_label(findings, search.data, search.stop)
    linked = {each.feature for each in report.evidence}
    report = replace(report, log_q_values=log_q_values_of(search, label, log_p, linked))
    # Most algorithms have made these searches already.
    around = {member: search.neighbours(member) for member in findings.neighbourhood.members}
    among_features = label_search.find_among_features(findings)
    if among_features is None:
        return LabelOutcome(findings, report, around)
    further = report_label(among_features, search.data, search.stop)
    reasons: dict[str, list[Evidence]] = {}
    for each in further.evidence:
        if each.feature not in linked:
            reasons.setdefault(each.feature, []).append(each)
    # What shares an effect with the label is linked to it only given that effect.
    effects = {feature: _positions(search.data, why[0].children[:1]) for feature, why in reasons.items()}
    links, tests = explained_links(search, label_search.labels, findings, reasons, effects)
    log_q = log_q_values_of(search, label, log_p, (each.pair[0] for each in links))
    report = replace(
        report, log_q_values={**log_q, **report.log_q_values}, tests=report.tests + further.tests + tests
    )
    return LabelOutcome(findings, report, around, links)


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
    """Return which features are linked to a label through others, each with the set that separates it.

    Parameters
    ----------
    search : Neighbourhoods
        Data, settings and stop.
    labels : sequence of int
        Positions of all labels.
    findings : LabelFindings
        What was found around the label among all variables.
    reasons : mapping of str to sequence of Evidence
        Why each feature counts for the label where the other labels are left out, the strongest rule first.
    effects : mapping of str to tuple of int
        Given which shared effects each feature is linked to the label; none where it is anyway.
    fewest_labels : int
        Labels that a separating set must hold; what no such set separates is then no link, unless it shares
        effects with the label, beside which few sets are tried. With 0, what features alone explain is none.

    Returns
    -------
    links : tuple of LinkThroughLabels
    tests : int
        Tests made.

    Raises
    ------
    Cancelled
        When the run was stopped.
    """
    data, label = search.data, findings.neighbourhood.target
    separators = SeparatingLabels(search, findings, labels)
    found = {
        feature: separators.smallest_set(data.positions[feature], effects[feature], fewest_labels)
        for feature in reasons
    }
    found = {
        feature: given
        for feature, given in found.items()
        if (not fewest_labels or effects[feature] if given is None else set(given).intersection(labels))
    }
    questions: dict[str, JointQuestion] = {
        feature: (label, (data.positions[feature],), given)
        for feature, given in found.items()
        if given is not None
    }
    records = _records(data, list(questions.values()), search.stop)
    links = []
    for feature in found:
        separated = records[questions[feature]] if feature in questions else None
        given = () if separated is None else separated.given
        through = tuple(data.names[each] for each in sorted(labels) if data.names[each] in given)
        links.append(LinkThroughLabels(tuple(reasons[feature]), separated if through else None, through))
    return tuple(links), separators.tests + len(questions)
