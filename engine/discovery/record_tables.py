"""The tables of single records: reasons, relations between labels, equivalences and directions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine.boundaries.link_kind import LinkKind
from engine.discovery.columns import (
    ContentKind,
    FindingColumn,
    Output,
    PValue,
    ResultTable,
    figures_of_deciding_test,
    figures_of_marginal_test,
    was_repeated,
)
from engine.discovery.evidence import (
    Equivalence,
    Evidence,
    LinkThroughLabels,
    MissedShare,
    evidence_key,
)
from engine.discovery.finding_words import statement
from engine.discovery.findings import Findings
from engine.discovery.flags import Flag
from engine.discovery.label_groups import LabelGroup
from engine.discovery.orientation.direction import Because, Direction, Orientation, direction_of
from engine.discovery.orientation.grades import Grade
from engine.independence.record import TestRecord


@dataclass(frozen=True, slots=True)
class EvidenceRow:
    """One reason why a feature, or another label, counts for a label.

    Attributes
    ----------
    reason : Evidence
        The reason.
    type : str
        Whether the feature is common or label-specific; empty of a label.
    direction : Direction
        What it is to the label if nothing is hidden.
    grade : Grade
        What is known of it as to the label, even if something is hidden.
    found_again : float or None
        Share of the repetitions that found it for the label, by whatever rule.
    log_q : float or None
        Natural logarithm of the q-value of their marginal test.
    flags : tuple of Flag
        What must be known before it is believed.
    """

    reason: Evidence
    type: str
    direction: Direction
    grade: Grade
    found_again: float | None
    log_q: float | None
    flags: tuple[Flag, ...]


def _evidence_rows(findings: Findings) -> Iterator[EvidenceRow]:
    stability = findings.stability
    for (feature, label), reasons in findings.evidence.items():
        direction, grade = findings.direction(feature, label), findings.grade(feature, label)
        again = None if stability is None else stability.share(stability.times_found(feature, label))
        log_q, flags = findings.log_q_values.get((feature, label)), findings.flags.of(feature, label)
        for reason in reasons:
            yield EvidenceRow(
                reason, findings.by_feature[feature].type, direction, grade, again, log_q, flags
            )


def _label_relation_rows(findings: Findings) -> Iterator[EvidenceRow]:
    stability = findings.stability
    for reason in findings.label_evidence.values():
        again = None if stability is None else stability.share(stability.times_related(*reason.pair))
        grade = findings.grade(*reason.pair)
        log_q, flags = findings.log_q_values.get(reason.pair), findings.flags.of(*reason.pair)
        yield EvidenceRow(reason, "", findings.direction(*reason.pair), grade, again, log_q, flags)


_TABLES = Output.FRAME | Output.FILE
_STATEMENT: FindingColumn[EvidenceRow] = FindingColumn(
    "statement", lambda row: statement(row.direction, row.grade), outputs=_TABLES
)
_REASON_FOUND_AGAIN: FindingColumn[EvidenceRow] = FindingColumn(
    "found_again", lambda row: row.found_again, ContentKind.SHARE, outputs=Output.FILE, is_known=was_repeated
)
_REASON_DOUBTS: tuple[FindingColumn[EvidenceRow], ...] = (
    FindingColumn(
        "flags",
        lambda row: tuple(str(each.kind) for each in row.flags),
        ContentKind.NAMES,
        outputs=Output.FRAME | Output.FILE,
    ),
)
_REASON_TESTS: tuple[FindingColumn[EvidenceRow], ...] = (
    *figures_of_deciding_test(lambda row: row.reason),
    FindingColumn("decided_by", lambda row: str(row.reason.decided_by), outputs=Output.FILE),
    *figures_of_marginal_test(lambda row: row.reason, lambda row: row.log_q),
)

EVIDENCE: ResultTable[Findings, EvidenceRow] = ResultTable(
    "Evidence",
    _evidence_rows,
    (
        FindingColumn("feature", lambda row: row.reason.feature),
        FindingColumn("label", lambda row: row.reason.label),
        FindingColumn("type", lambda row: row.type),
        FindingColumn("rule", lambda row: str(row.reason.rule)),
        FindingColumn("symbol", lambda row: row.reason.rule.symbol),
        FindingColumn("direction", lambda row: str(row.direction)),
        FindingColumn("grade", lambda row: str(row.grade)),
        FindingColumn("interchangeable_with", lambda row: row.reason.partner, ContentKind.NAMES),
        FindingColumn("together_with", lambda row: row.reason.together_with, ContentKind.NAMES),
        FindingColumn("through", lambda row: row.reason.children, ContentKind.NAMES),
        FindingColumn("recovered", lambda row: row.reason.recovered, ContentKind.FLAG),
        FindingColumn("strength", lambda row: row.reason.strength, ContentKind.SHARE),
        *_REASON_TESTS,
        _REASON_FOUND_AGAIN,
        *_REASON_DOUBTS,
        _STATEMENT,
    ),
)
"""One row for each reason why a feature counts for a label, with the test that decides."""

LABEL_RELATIONS: ResultTable[Findings, EvidenceRow] = ResultTable(
    "Label relations",
    _label_relation_rows,
    (
        FindingColumn("label", lambda row: row.reason.label),
        FindingColumn("related_label", lambda row: row.reason.feature),
        FindingColumn("relation", lambda row: str(row.reason.rule)),
        FindingColumn("direction", lambda row: str(row.direction)),
        FindingColumn("grade", lambda row: str(row.grade)),
        FindingColumn("children", lambda row: row.reason.children, ContentKind.NAMES),
        FindingColumn("strength", lambda row: row.reason.strength, ContentKind.SHARE),
        *_REASON_TESTS,
        _REASON_FOUND_AGAIN,
        *_REASON_DOUBTS,
        _STATEMENT,
    ),
    {Output.FRAME: ("label", "related_label", "relation", "children", "strength", "direction", "grade")},
)
"""One row for each label that is in the boundary of another label."""


@dataclass(frozen=True, slots=True)
class LinkRow:
    """A feature that is linked to a label, by the strongest reason.

    Attributes
    ----------
    reason : Evidence
        The reason.
    through_labels : LinkThroughLabels or None
        How it is linked through other labels; None of a direct link.
    flags : tuple of Flag
        What must be known before it is believed.
    """

    reason: Evidence
    through_labels: LinkThroughLabels | None
    flags: tuple[Flag, ...] = ()

    @property
    def kind(self) -> LinkKind:
        """Whether the link is direct."""
        return LinkKind.DIRECT if self.through_labels is None else LinkKind.THROUGH_LABELS

    @property
    def separated(self) -> TestRecord | None:
        """The test that separates the two given other labels."""
        return None if self.through_labels is None else self.through_labels.separated


def _link_rows(findings: Findings) -> Iterator[LinkRow]:
    for finding in findings.by_feature.values():
        through = finding.through_labels or (None,) * len(finding.labels)
        yield from map(LinkRow, finding.reasons, through, finding.flags)


def _separated_p_value(row: LinkRow) -> PValue | None:
    test = row.separated
    return None if test is None else PValue(test.p_value, test.log_p)


LINKS: ResultTable[Findings, LinkRow] = ResultTable(
    "Links",
    _link_rows,
    (
        FindingColumn("feature", lambda row: row.reason.feature),
        FindingColumn("label", lambda row: row.reason.label),
        FindingColumn("kind", lambda row: str(row.kind)),
        FindingColumn(
            "through", lambda row: row.through_labels.through if row.through_labels else (), ContentKind.NAMES
        ),
        FindingColumn("rule", lambda row: str(row.reason.rule)),
        *figures_of_deciding_test(lambda row: row.reason, _TABLES),
        FindingColumn("strength", lambda row: row.reason.strength, ContentKind.SHARE),
        FindingColumn("separated_p_value", _separated_p_value, ContentKind.P_VALUE),
        FindingColumn(
            "separated_given", lambda row: row.separated.given if row.separated else (), ContentKind.NAMES
        ),
        FindingColumn("flags", lambda row: tuple(str(each.kind) for each in row.flags), ContentKind.NAMES),
        FindingColumn("evidence", lambda row: evidence_key(*row.reason.pair), outputs=Output.FRAME),
    ),
)
"""One row for each feature and label that are linked, directly or through other labels."""


@dataclass(frozen=True, slots=True)
class LabelGroupRow:
    """A feature that is linked to a group of labels, or a group to which none is."""

    group: LabelGroup
    reason: Evidence | None


def _label_group_rows(groups: Sequence[LabelGroup]) -> Iterator[LabelGroupRow]:
    for group in groups:
        for reason in group.reasons or (None,):
            yield LabelGroupRow(group, reason)


LABEL_GROUPS: ResultTable[Sequence[LabelGroup], LabelGroupRow] = ResultTable(
    "Groups of labels",
    _label_group_rows,
    (
        FindingColumn("group", lambda row: row.group.name),
        FindingColumn("labels", lambda row: row.group.members, ContentKind.NAMES),
        FindingColumn("reversed", lambda row: row.group.reversed, ContentKind.NAMES),
        FindingColumn("feature", lambda row: row.reason.feature if row.reason else None),
        FindingColumn("rule", lambda row: str(row.reason.rule) if row.reason else None),
        *figures_of_deciding_test(lambda row: row.reason, _TABLES),
        FindingColumn("strength", lambda row: row.reason.strength if row.reason else None, ContentKind.SHARE),
    ),
)
"""One row for each feature that is linked to a group of labels, and one for each group without any."""


@dataclass(frozen=True, slots=True)
class EquivalenceRow:
    """Two sets that tell the same, or may, with the share of the repetitions that found them both."""

    record: Equivalence
    found_again: float | None


def _equivalence_rows(findings: Findings, records: Iterable[Equivalence]) -> Iterator[EquivalenceRow]:
    for record in records:
        yield EquivalenceRow(record, findings.share_found_again(record))


_EQUIVALENCE_TESTS: dict[str, Callable[[Equivalence], TestRecord]] = {
    "target_in_boundary": lambda record: record.target_in_boundary,
    "target_equivalent": lambda record: record.target_equivalent,
    "equivalent_given_boundary": lambda record: record.equivalent_given_boundary,
    "boundary_given_equivalent": lambda record: record.boundary_given_equivalent,
}


def _p_column(name: str, test_of: Callable[[Equivalence], TestRecord]) -> FindingColumn[EquivalenceRow]:
    def p_value(row: EquivalenceRow) -> PValue:
        test = test_of(row.record)
        return PValue(test.p_value, test.log_p)

    return FindingColumn(f"p_{name}", p_value, ContentKind.P_VALUE)


def _log_p_column(name: str, test_of: Callable[[Equivalence], TestRecord]) -> FindingColumn[EquivalenceRow]:
    return FindingColumn(
        f"log_p_{name}", lambda row: test_of(row.record).log_p, ContentKind.NUMBER, outputs=Output.FILE
    )


def _missed_columns(
    name: str, missed_by: Callable[[Equivalence], MissedShare | None]
) -> tuple[FindingColumn[EquivalenceRow], ...]:
    def estimate(row: EquivalenceRow) -> float | None:
        missed = missed_by(row.record)
        return None if missed is None else missed.estimate

    def limit(row: EquivalenceRow) -> float | None:
        missed = missed_by(row.record)
        return None if missed is None else missed.limit

    return (
        FindingColumn(f"missed_by_{name}", estimate, ContentKind.NUMBER),
        FindingColumn(f"missed_by_{name}_limit", limit, ContentKind.NUMBER),
    )


_EQUIVALENCE_COLUMNS: tuple[FindingColumn[EquivalenceRow], ...] = (
    FindingColumn("target", lambda row: row.record.target),
    FindingColumn("in_boundary", lambda row: row.record.in_boundary, ContentKind.NAMES),
    FindingColumn("equivalent", lambda row: row.record.equivalent, ContentKind.NAMES),
    *(_p_column(*each) for each in _EQUIVALENCE_TESTS.items()),
    *(_log_p_column(*each) for each in _EQUIVALENCE_TESTS.items()),
    FindingColumn("verdict", lambda row: str(row.record.verdict)),
    *_missed_columns("boundary", lambda record: record.missed_by_boundary),
    *_missed_columns("equivalent", lambda record: record.missed_by_equivalent),
    FindingColumn("found_again", lambda row: row.found_again, ContentKind.SHARE, is_known=was_repeated),
)
EQUIVALENCES: ResultTable[Findings, EquivalenceRow] = ResultTable(
    "Interchangeable",
    lambda findings: _equivalence_rows(findings, findings.equivalence_records),
    _EQUIVALENCE_COLUMNS,
)
"""One row for each pair of sets that is shown to be interchangeable, with its four tests."""

UNDISTINGUISHED: ResultTable[Findings, EquivalenceRow] = ResultTable(
    "Not told apart",
    lambda findings: _equivalence_rows(findings, findings.undistinguished_records),
    _EQUIVALENCE_COLUMNS,
)
"""The same of what these rows do not tell apart."""

ALL_EQUIVALENCES: ResultTable[Findings, EquivalenceRow] = ResultTable(
    "Interchangeable",
    lambda findings: _equivalence_rows(
        findings, (*findings.equivalence_records, *findings.undistinguished_records)
    ),
    _EQUIVALENCE_COLUMNS,
)
"""Both of them, one after the other."""


def _own_test(found: Orientation, number: int) -> TestRecord | None:
    """Return the first or the second test of a direction that rests on tests of the variable itself."""
    return found.tests[number] if found.because in _OWN_TESTS and len(found.tests) > number else None


# What follows from other directions, a best graph or what is known has no test of the two themselves.
_OWN_TESTS = (Because.SHARED_EFFECT, Because.SEVERAL_CAUSES, Because.NO_FURTHER_COLLIDER)


@dataclass(frozen=True, slots=True)
class DirectionRow:
    """What is known of the direction between a label and a neighbour.

    Attributes
    ----------
    found : Orientation
        The direction and its grade.
    grade_found_again : float or None
        Share of the repetitions that said all that the grade says; None where it says nothing.
    """

    found: Orientation
    grade_found_again: float | None


def _direction_rows(findings: Findings) -> Iterator[DirectionRow]:
    for found in findings.orientation_records.values():
        yield DirectionRow(found, findings.grade_found_again(found))


def _because(row: DirectionRow) -> str | None:
    found = row.found
    is_told = found.because is not None and direction_of(found) is not Direction.UNDECIDED
    return str(found.because) if is_told else None


def _own_test_columns(name: str, number: int) -> tuple[FindingColumn[DirectionRow], ...]:
    def p_value(row: DirectionRow) -> PValue | None:
        test = _own_test(row.found, number)
        return None if test is None else PValue(test.p_value, test.log_p)

    def given(row: DirectionRow) -> tuple[str, ...]:
        test = _own_test(row.found, number)
        return () if test is None else test.given

    return (
        FindingColumn(f"p_{name}", p_value, ContentKind.P_VALUE, outputs=Output.FILE),
        FindingColumn(f"{name}_given", given, ContentKind.NAMES, outputs=Output.FILE),
    )


DIRECTIONS: ResultTable[Findings, DirectionRow] = ResultTable(
    "Directions",
    _direction_rows,
    (
        FindingColumn("feature", lambda row: row.found.feature),
        FindingColumn("label", lambda row: row.found.label),
        FindingColumn("direction", lambda row: str(direction_of(row.found))),
        FindingColumn("grade", lambda row: str(row.found.grade)),
        FindingColumn(
            "grade_found_again",
            lambda row: row.grade_found_again,
            ContentKind.SHARE,
            outputs=Output.FRAME | Output.FILE,
            is_known=was_repeated,
        ),
        FindingColumn("because", _because),
        FindingColumn("others", lambda row: row.found.others, ContentKind.NAMES),
        *_own_test_columns("independent", 0),
        *_own_test_columns("dependent", 1),
        FindingColumn("log_ratio", lambda row: row.found.log_ratio, ContentKind.NUMBER, outputs=Output.FILE),
        FindingColumn("evidence", lambda row: evidence_key(*row.found.pair), outputs=Output.FRAME),
        FindingColumn(
            "statement", lambda row: statement(direction_of(row.found), row.found.grade), outputs=_TABLES
        ),
    ),
)
"""One row for each neighbour of each label: cause, effect or undecided, and what tells it."""
