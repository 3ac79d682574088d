"""The tables of single records: reasons, relations between labels, equivalences and directions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import NamedTuple

from engine.boundaries.link_kind import LinkKind
from engine.discovery.columns import (
    ContentKind,
    FindingColumn,
    Output,
    ResultTable,
    figures_of_deciding_test,
    figures_of_marginal_test,
    given_of,
    test_column,
    was_repeated,
)
from engine.discovery.evidence import (
    Equivalence,
    Evidence,
    LinkThroughLabels,
    MissedShare,
    Pair,
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
    """One reason why a feature, or another label, counts for a label."""

    reason: Evidence
    type: str  # common or label-specific; empty of a label
    direction: Direction  # to the label if nothing is hidden
    grade: Grade  # even if something is hidden
    found_again: float | None  # share of the repetitions that found it for the label, by whatever rule
    log_q: float | None  # natural logarithm, of their marginal test
    flags: tuple[Flag, ...]


def _rows_of(
    findings: Findings, pair: Pair, reasons: Iterable[Evidence], kind: str = ""
) -> Iterator[EvidenceRow]:
    """Yield a row for each reason of a pair; `kind` is that of a feature, and empty of a label."""
    again, stability = None, findings.stability
    if stability is not None:
        times = stability.times_found(*pair) if kind else stability.times_related(*pair)
        again = stability.share(times)
    told = findings.direction(*pair), findings.grade(*pair), again
    further = findings.log_q_values.get(pair), findings.flags.of(*pair)
    yield from (EvidenceRow(reason, kind, *told, *further) for reason in reasons)


def _evidence_rows(findings: Findings) -> Iterator[EvidenceRow]:
    for pair, reasons in findings.evidence.items():
        yield from _rows_of(findings, pair, reasons, findings.by_feature[pair[0]].type)


def _label_relation_rows(findings: Findings) -> Iterator[EvidenceRow]:
    for pair, reason in findings.label_evidence.items():
        yield from _rows_of(findings, pair, [reason])


def _kinds_of(flags: Iterable[Flag]) -> tuple[str, ...]:
    return tuple(str(each.kind) for each in flags)


_TABLES = Output.FRAME | Output.FILE
_REASON_FIGURES: tuple[FindingColumn[EvidenceRow], ...] = (
    *figures_of_deciding_test(lambda row: row.reason),
    FindingColumn("decided_by", lambda row: str(row.reason.decided_by), outputs=Output.FILE),
    *figures_of_marginal_test(lambda row: row.reason, lambda row: row.log_q),
    FindingColumn(
        "found_again",
        lambda row: row.found_again,
        ContentKind.SHARE,
        outputs=Output.FILE,
        is_known=was_repeated,
    ),
    FindingColumn("flags", lambda row: _kinds_of(row.flags), ContentKind.NAMES, outputs=_TABLES),
    FindingColumn("statement", lambda row: statement(row.direction, row.grade), outputs=_TABLES),
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
        *_REASON_FIGURES,
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
        *_REASON_FIGURES,
    ),
    {Output.FRAME: ("label", "related_label", "relation", "children", "strength", "direction", "grade")},
)
"""One row for each label that is in the boundary of another label."""


@dataclass(frozen=True, slots=True)
class LinkRow:
    """A feature that is linked to a label, by the strongest reason."""

    reason: Evidence
    through_labels: LinkThroughLabels | None  # None of a direct link
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


_SEPARATED = attrgetter("separated")
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
        test_column("separated_p_value", ContentKind.P_VALUE, _SEPARATED, outputs=Output.EVERYWHERE),
        test_column(
            "separated_given", ContentKind.NAMES, _SEPARATED, given_of, outputs=Output.EVERYWHERE, without=()
        ),
        FindingColumn("flags", lambda row: _kinds_of(row.flags), ContentKind.NAMES),
        FindingColumn("evidence", lambda row: evidence_key(*row.reason.pair), outputs=Output.FRAME),
    ),
)
"""One row for each feature and label that are linked, directly or through other labels."""


class LabelGroupRow(NamedTuple):
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


class EquivalenceRow(NamedTuple):
    """Two sets that tell the same, or may, with the share of the repetitions that found them both."""

    record: Equivalence
    found_again: float | None


def _equivalence_rows(findings: Findings, records: Iterable[Equivalence]) -> Iterator[EquivalenceRow]:
    for record in records:
        yield EquivalenceRow(record, findings.share_found_again(record))


_EQUIVALENCE_TESTS = {
    name: attrgetter(f"record.{name}")
    for name in (
        "target_in_boundary",
        "target_equivalent",
        "equivalent_given_boundary",
        "boundary_given_equivalent",
    )
}


def _missed_columns(name: str) -> Iterator[FindingColumn[EquivalenceRow]]:
    def figure(row: EquivalenceRow, which: str) -> float | None:
        missed: MissedShare | None = getattr(row.record, f"missed_by_{name}")
        return None if missed is None else float(getattr(missed, which))

    for key, which in ((f"missed_by_{name}", "estimate"), (f"missed_by_{name}_limit", "limit")):
        yield FindingColumn(key, partial(figure, which=which), ContentKind.NUMBER)


_EQUIVALENCE_COLUMNS: tuple[FindingColumn[EquivalenceRow], ...] = (
    FindingColumn("target", lambda row: row.record.target),
    FindingColumn("in_boundary", lambda row: row.record.in_boundary, ContentKind.NAMES),
    FindingColumn("equivalent", lambda row: row.record.equivalent, ContentKind.NAMES),
    *(
        test_column(f"p_{name}", ContentKind.P_VALUE, test, outputs=Output.EVERYWHERE)
        for name, test in _EQUIVALENCE_TESTS.items()
    ),
    *(
        test_column(f"log_p_{name}", ContentKind.NUMBER, test, attrgetter("log_p"))
        for name, test in _EQUIVALENCE_TESTS.items()
    ),
    FindingColumn("verdict", lambda row: str(row.record.verdict)),
    *_missed_columns("boundary"),
    *_missed_columns("equivalent"),
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


# What follows from other directions, a best graph or what is known has no test of the two themselves.
_OWN_TESTS = (Because.SHARED_EFFECT, Because.SEVERAL_CAUSES, Because.NO_FURTHER_COLLIDER)


@dataclass(frozen=True, slots=True)
class DirectionRow:
    """What is known of the direction between a label and a neighbour."""

    found: Orientation
    grade_found_again: float | None  # share of the repetitions that said all that the grade says, if anything


def _direction_rows(findings: Findings) -> Iterator[DirectionRow]:
    for found in findings.orientation_records.values():
        yield DirectionRow(found, findings.grade_found_again(found))


def _because(row: DirectionRow) -> str | None:
    found = row.found
    is_told = found.because is not None and direction_of(found) is not Direction.UNDECIDED
    return str(found.because) if is_told else None


def _own_test_columns(name: str, number: int) -> tuple[FindingColumn[DirectionRow], ...]:
    """Return the columns of the first or the second test of a direction that rests on its own tests."""

    def own_test(row: DirectionRow) -> TestRecord | None:
        tests = row.found.tests if row.found.because in _OWN_TESTS else ()
        return tests[number] if len(tests) > number else None

    return (
        test_column(f"p_{name}", ContentKind.P_VALUE, own_test),
        test_column(f"{name}_given", ContentKind.NAMES, own_test, given_of, without=()),
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
