"""The tables of a result, each column declared once for data frames, files and the window.

A column is added by one entry: :mod:`engine.discovery.columns` says what it holds. First the tables of causal
features, then those of single reasons, relations between labels, equivalences and directions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import NamedTuple

from engine.boundaries.markov_boundary import LinkKind
from engine.discovery import finding_words
from engine.discovery.columns import (
    MARGINAL_STRENGTH_HELP,
    ContentKind,
    FindingColumn,
    Output,
    ResultTable,
    figures_of_deciding_test,
    figures_of_marginal_test,
    given_of,
    test_column,
    was_measured,
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
from engine.discovery.findings import Finding, Findings
from engine.discovery.flags import Flag
from engine.discovery.label_groups import LabelGroup
from engine.discovery.orientation.direction import Because, Direction, Grade, Orientation, direction_of
from engine.independence.record import TestRecord
from engine.translation import N_
from engine.wording.glossary import term
from engine.wording.sentences import NAME_HELP

_FILES = Output.FILE | Output.WINDOW
_TABLES = Output.FRAME | Output.FILE
_STRENGTH_HELP = term("strength").definition
_LINK_HELP = (
    N_("Whether each link is direct, or which other labels explain it."),
    term("through-labels").definition,
)
_GREATEST = N_("The highest value of its labels.")


def _found_again(help_text: str) -> FindingColumn[Finding]:
    return FindingColumn(
        "found_again",
        lambda finding: None if finding.found_again is None else finding.found_again.share,
        ContentKind.SHARE,
        N_("Found again"),
        help_text,
        _TABLES | Output.WINDOW,
        was_repeated,
        text=lambda finding, numbers: finding_words.found_again_text(finding.found_again, numbers),
        tooltip=lambda finding, numbers: finding_words.found_again_tooltip(finding, help_text, numbers),
        longest=finding_words.longest_found_again,
    )


_FLAGS: FindingColumn[Finding] = FindingColumn(
    "flags",
    lambda finding: finding.flag_kinds,
    ContentKind.NAMES,
    N_("Doubts"),
    N_(
        "Reasons to check the finding. Variables: linked exactly, or items that reflect one "
        "thing. Rows: few for a label or a level, similar, copied, in few groups, or with many "
        "missing values."
    ),
    _TABLES | Output.WINDOW,
    text=finding_words.flags_text,
    tooltip=finding_words.flags_tooltip,
)
_FEATURE: FindingColumn[Finding] = FindingColumn(
    "feature",
    lambda finding: finding.feature,
    ContentKind.NAME,
    N_("Variable"),
    help=NAME_HELP,
    details=finding_words.level_details,
)
_DIRECTION: FindingColumn[Finding] = FindingColumn(
    "direction",
    lambda finding: finding.direction,
    ContentKind.TEXT,
    N_("Direction"),
    N_(
        "Whether the variable is a cause or an effect of its labels, if the tests show it. The "
        "grade says what holds even if a common cause is unmeasured."
    ),
    lines=finding_words.grade_lines,
    tooltip=finding_words.direction_tooltip,
)
_GRADE: FindingColumn[Finding] = FindingColumn(
    "grade",
    lambda finding: finding.grade,
    title=N_("Grade"),
    help=term("grade").definition,
    outputs=_TABLES | Output.JSON,
)
_LINK: FindingColumn[Finding] = FindingColumn(
    "kinds",
    lambda finding: tuple(map(str, finding.kinds)),
    ContentKind.TEXT,
    N_("Link"),
    _LINK_HELP,
    Output.FRAME | Output.WINDOW,
    lambda findings: bool(findings.links_through_labels),
    lines=finding_words.link_lines,
    tooltip=finding_words.links_tooltip,
)
_GROUPS: FindingColumn[Finding] = FindingColumn(
    "groups",
    lambda finding: tuple(group.name for group in finding.groups),
    ContentKind.NAMES,
    N_("Group"),
    (N_("Whether it is linked to a group of labels as one outcome."), term("label-group").definition),
    Output.WINDOW,
    lambda findings: bool(findings.label_groups),
    text=finding_words.groups_text,
    tooltip=finding_words.groups_tooltip,
)
_SIGN: FindingColumn[Finding] = FindingColumn(
    "sign",
    lambda finding: tuple(map(str, finding.signs)) if finding.sizes else None,
    ContentKind.NAMES,
    N_("Sign"),
    term("sign").definition,
    _TABLES | Output.WINDOW,
    was_measured,
    text=finding_words.signs_text,
    lines=finding_words.sign_lines,
    details=finding_words.sign_details,
    tooltip=finding_words.signs_tooltip,
    copied=finding_words.signs_in_words,
)
_EVENT: FindingColumn[Finding] = FindingColumn(
    "event",
    lambda finding: (
        tuple(association_sign.event or "" for association_sign in finding.association_signs) or None
    ),
    ContentKind.NAMES,
    N_("Event"),
    term("event").definition,
    _TABLES,
    was_measured,
)
_ASSOCIATION: FindingColumn[Finding] = FindingColumn(
    "association",
    finding_words.association_texts,
    ContentKind.NAMES,
    N_("Direction of association"),
    term("sign").definition,
    _TABLES,
    was_measured,
)
_SIZE: FindingColumn[Finding] = FindingColumn(
    "difference",
    finding_words.largest_difference,
    ContentKind.NUMBER,
    N_("Estimate"),
    N_(
        "Difference in the probability of the event or in the mean of the label between two levels "
        "or values of the variable. It has a 95% interval. The values compared can differ between "
        "labels; the tooltip names them."
    ),
    Output.WINDOW,
    was_measured,
    lines=finding_words.difference_lines,
    details=finding_words.difference_details,
    tooltip=finding_words.differences_tooltip,
)
_LED_BY: FindingColumn[Finding] = FindingColumn(
    "led_by", lambda finding: finding.led_by, outputs=_TABLES | Output.JSON
)
_INTERCHANGEABLE: FindingColumn[Finding] = FindingColumn(
    "interchangeable",
    lambda finding: finding.interchangeable,
    ContentKind.NAMES,
    N_("Interchangeable"),
    N_(
        "Variables that carry the same information (information-equivalent). The data cannot show "
        "which of them is linked to the label."
    ),
    Output.WINDOW,
)
_RELATED: tuple[FindingColumn[Finding], ...] = (
    FindingColumn(
        "not_told_apart",
        lambda finding: finding.not_told_apart,
        ContentKind.NAMES,
        N_("Not distinguishable"),
        N_(
            "Variables that these data do not distinguish from it, and do not show to be "
            "interchangeable. With more rows, one of them may prove to be linked to a label "
            "instead."
        ),
        Output.WINDOW,
    ),
    FindingColumn(
        "interchangeable_with", lambda finding: finding.partners, ContentKind.NAMES, outputs=Output.FILE
    ),
    _LED_BY,
    FindingColumn("through", lambda finding: finding.children, ContentKind.NAMES, outputs=Output.FILE),
)


COMMON: ResultTable[Findings, Finding] = ResultTable(
    "Common",
    lambda findings: findings.common,
    (
        _FEATURE,
        FindingColumn(
            "labels",
            lambda finding: finding.labels,
            ContentKind.LABELS,
            N_("Linked to"),
            N_("The labels that the variable is linked to. Click one to see the tests."),
            lines=lambda finding, _numbers: finding.labels,
            details=finding_words.event_details,
            tooltip=finding_words.reasons_tooltip,
        ),
        _SIGN,
        _EVENT,
        _ASSOCIATION,
        _SIZE,
        _DIRECTION,
        FindingColumn(
            "strength",
            lambda finding: finding.strength,
            ContentKind.SHARE,
            N_("Strength"),
            _STRENGTH_HELP,
            lines=finding_words.strength_lines,
            shares=lambda finding: tuple(reason.strength for reason in finding.reasons),
            order=lambda finding: finding.strength,
            tooltip=finding_words.strengths_tooltip,
        ),
        _LINK,
        _GROUPS,
        _FLAGS,
        _found_again(
            N_(
                "Number of repeated searches of random parts of the rows in which the variable was "
                "found again: lowest to highest of its labels."
            )
        ),
        _GRADE,
        FindingColumn(
            "label_count",
            lambda finding: len(finding.labels),
            ContentKind.COUNT,
            N_("Labels"),
            N_("Number of labels that the variable is linked to."),
            _FILES,
            tooltip=finding_words.reasons_tooltip,
        ),
        _INTERCHANGEABLE,
        FindingColumn(
            "rules",
            lambda finding: finding.rules,
            ContentKind.NAMES,
            N_("Rules"),
            N_("The rules by which the variable is linked to its labels."),
            text=lambda finding, _numbers: finding_words.relations_text(finding.relations),
            tooltip=finding_words.reasons_tooltip,
        ),
        *_RELATED,
        FindingColumn(
            "marginal_strength",
            lambda finding: finding.marginal_strength,
            ContentKind.SHARE,
            N_("Marginal strength"),
            (MARGINAL_STRENGTH_HELP, _GREATEST),
            _FILES,
        ),
        FindingColumn(
            "evidence",
            lambda finding: tuple(evidence_key(*reason.pair) for reason in finding.reasons),
            ContentKind.NAMES,
            outputs=Output.FRAME,
        ),
        FindingColumn("statements", finding_words.finding_statements, ContentKind.NAMES, outputs=_TABLES),
    ),
    {
        Output.FRAME: (
            "feature",
            "labels",
            "rules",
            "strength",
            "evidence",
            "direction",
            "grade",
            "found_again",
        ),
        Output.FILE: (
            "feature",
            "label_count",
            "labels",
            "rules",
            "direction",
            "grade",
            "strength",
            "interchangeable_with",
            "through",
            "found_again",
        ),
        Output.JSON: ("feature", "labels", "rules", "strength", "direction", "grade"),
    },
    essential=6,
)
"""One row for each feature that counts for two or more labels, most labels first."""

LABEL_SPECIFIC: ResultTable[Findings, Finding] = ResultTable(
    "Label-specific",
    lambda findings: findings.label_specific,
    (
        _FEATURE,
        FindingColumn(
            "label",
            lambda finding: finding.labels[0],
            ContentKind.LABELS,
            N_("Linked to"),
            N_("The one label that the variable is linked to."),
            lines=lambda finding, _numbers: finding.labels,
            details=finding_words.event_details,
        ),
        _SIGN,
        _EVENT,
        _ASSOCIATION,
        _SIZE,
        _DIRECTION,
        FindingColumn(
            "strength", lambda finding: finding.strength, ContentKind.SHARE, N_("Strength"), _STRENGTH_HELP
        ),
        _LINK,
        _GROUPS,
        _FLAGS,
        *figures_of_deciding_test(lambda finding: finding.reasons[0], _FILES),
        _found_again(
            N_(
                "Number of repeated searches of random parts of the rows in which the variable was "
                "found again for the label."
            )
        ),
        _GRADE,
        FindingColumn(
            "rule",
            lambda finding: finding.rules[0],
            ContentKind.TEXT,
            N_("As"),
            N_("The rule by which the variable is linked to the label."),
            text=lambda finding, _numbers: finding_words.rule_text(finding),
            tooltip=lambda finding, _numbers: finding_words.rule_tooltip(finding),
        ),
        _INTERCHANGEABLE,
        *_RELATED,
        *figures_of_marginal_test(
            lambda finding: finding.reasons[0], lambda finding: finding.log_q_values[0], _FILES
        ),
        FindingColumn(
            "evidence", lambda finding: evidence_key(*finding.reasons[0].pair), outputs=Output.FRAME
        ),
        FindingColumn(
            "statement", lambda finding: finding_words.finding_statements(finding)[0], outputs=_TABLES
        ),
    ),
    {
        Output.FRAME: (
            "feature",
            "label",
            "rule",
            "strength",
            "evidence",
            "direction",
            "grade",
            "found_again",
        ),
        Output.FILE: (
            "feature",
            "label",
            "rule",
            "direction",
            "grade",
            "strength",
            "interchangeable_with",
            "through",
            "statistic",
            "dof",
            "p_value",
            "log_p",
            "rows",
            "found_again",
        ),
        Output.JSON: ("feature", "label", "rule", "strength", "direction", "grade"),
    },
    essential=6,
)
"""One row for each feature that counts for exactly one label, by label and then strength."""

FEATURES: ResultTable[Findings, Finding] = ResultTable(
    "All linked variables",
    lambda findings: findings.by_feature.values(),
    (
        FindingColumn("feature", lambda finding: finding.feature),
        FindingColumn("type", lambda finding: finding.type),
        FindingColumn("label_count", lambda finding: len(finding.labels), ContentKind.COUNT),
        FindingColumn("labels", lambda finding: finding.labels, ContentKind.NAMES),
        FindingColumn("rules", lambda finding: finding.rules, ContentKind.NAMES),
        FindingColumn("directions", lambda finding: tuple(map(str, finding.directions)), ContentKind.NAMES),
        FindingColumn("grades", lambda finding: tuple(map(str, finding.grades)), ContentKind.NAMES),
        FindingColumn("strength", lambda finding: finding.strength, ContentKind.SHARE),
        _LED_BY,
    ),
)
"""One row for each causal feature, in column order: the list to take into another program."""


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
    return tuple(str(flag.kind) for flag in flags)


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
    through: tuple[str, ...] = ()  # labels that it may be said to run through
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
        links = finding.through_labels or (None,) * len(finding.labels)
        through = (() if link is None else findings.passed_through(link) for link in links)
        yield from map(LinkRow, finding.reasons, links, through, finding.flags)


_SEPARATED = attrgetter("separated")
LINKS: ResultTable[Findings, LinkRow] = ResultTable(
    "Links",
    _link_rows,
    (
        FindingColumn("feature", lambda row: row.reason.feature),
        FindingColumn("label", lambda row: row.reason.label),
        FindingColumn("kind", lambda row: str(row.kind)),
        FindingColumn("through", lambda row: row.through, ContentKind.NAMES),
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
    "Not distinguishable",
    lambda findings: _equivalence_rows(findings, findings.undistinguished_records),
    _EQUIVALENCE_COLUMNS,
)
"""The same for each pair of sets that is not distinguishable with these data."""

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

    orientation: Orientation
    grade_found_again: float | None  # share of the repetitions that said all that the grade says, if anything


def _direction_rows(findings: Findings) -> Iterator[DirectionRow]:
    for orientation in findings.orientation_records.values():
        yield DirectionRow(orientation, findings.grade_found_again(orientation))


def _because(row: DirectionRow) -> str | None:
    orientation = row.orientation
    is_told = orientation.because is not None and direction_of(orientation) is not Direction.UNDECIDED
    return str(orientation.because) if is_told else None


def _own_test_columns(name: str, number: int) -> tuple[FindingColumn[DirectionRow], ...]:
    """Return the columns of the first or the second test of a direction that rests on its own tests."""

    def own_test(row: DirectionRow) -> TestRecord | None:
        tests = row.orientation.tests if row.orientation.because in _OWN_TESTS else ()
        return tests[number] if len(tests) > number else None

    return (
        test_column(f"p_{name}", ContentKind.P_VALUE, own_test),
        test_column(f"{name}_given", ContentKind.NAMES, own_test, given_of, without=()),
    )


DIRECTIONS: ResultTable[Findings, DirectionRow] = ResultTable(
    "Directions",
    _direction_rows,
    (
        FindingColumn("feature", lambda row: row.orientation.feature),
        FindingColumn("label", lambda row: row.orientation.label),
        FindingColumn("direction", lambda row: str(direction_of(row.orientation))),
        FindingColumn("grade", lambda row: str(row.orientation.grade)),
        FindingColumn(
            "grade_found_again",
            lambda row: row.grade_found_again,
            ContentKind.SHARE,
            outputs=Output.FRAME | Output.FILE,
            is_known=was_repeated,
        ),
        FindingColumn("because", _because),
        FindingColumn("others", lambda row: row.orientation.others, ContentKind.NAMES),
        *_own_test_columns("independent", 0),
        *_own_test_columns("dependent", 1),
        FindingColumn(
            "log_ratio", lambda row: row.orientation.log_ratio, ContentKind.NUMBER, outputs=Output.FILE
        ),
        FindingColumn("evidence", lambda row: evidence_key(*row.orientation.pair), outputs=Output.FRAME),
        FindingColumn(
            "statement",
            lambda row: statement(direction_of(row.orientation), row.orientation.grade),
            outputs=_TABLES,
        ),
    ),
)
"""One row for each neighbour of each label: cause, effect or undecided, and what tells it."""
