"""The tables of causal features, each column declared once for data frames, files and the window.

A column is added by one entry: :mod:`engine.discovery.columns` says what it holds. Tables of single reasons,
equivalences and directions are in :mod:`engine.discovery.record_tables`.
"""

from __future__ import annotations

from engine.discovery import finding_words
from engine.discovery.columns import (
    MARGINAL_STRENGTH_HELP,
    ContentKind,
    FindingColumn,
    Output,
    ResultTable,
    figures_of_deciding_test,
    figures_of_marginal_test,
    was_measured,
    was_repeated,
)
from engine.discovery.evidence import evidence_key
from engine.discovery.findings import Finding, Findings
from engine.wording.glossary import term
from engine.wording.sentences import NAME_HELP

_FILES = Output.FILE | Output.WINDOW
_TABLES = Output.FRAME | Output.FILE
_STRENGTH_HELP = term("strength").definition
_LINK_HELP = (
    f"Whether each link is direct, or which other labels explain it. {term('through-labels').definition}"
)
_GREATEST = "The greatest over its labels."


def _found_again(help_text: str) -> FindingColumn[Finding]:
    return FindingColumn(
        "found_again",
        lambda finding: None if finding.found_again is None else finding.found_again.share,
        ContentKind.SHARE,
        "Found again",
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
    "Doubts",
    "What must be known before the finding is believed: a variable that is made from labels, few rows of a "
    "label or a level, rows that resemble each other or are copies, few groups of rows, many missing values, "
    "or items that reflect one thing.",
    _TABLES | Output.WINDOW,
    text=finding_words.flags_text,
    tooltip=finding_words.flags_tooltip,
)
_FEATURE: FindingColumn[Finding] = FindingColumn(
    "feature", lambda finding: finding.feature, title="Variable", help=NAME_HELP
)
_DIRECTION: FindingColumn[Finding] = FindingColumn(
    "direction",
    lambda finding: finding.direction,
    ContentKind.TEXT,
    "Direction",
    "Whether the variable is a cause or an effect of its labels, where the tests tell it, and how much of "
    "that holds even if something is hidden.",
    text=finding_words.grades_text,
    tooltip=finding_words.direction_tooltip,
)
_GRADE: FindingColumn[Finding] = FindingColumn(
    "grade",
    lambda finding: finding.grade,
    title="Grade",
    help=term("grade").definition,
    outputs=_TABLES | Output.JSON,
)
_LINK: FindingColumn[Finding] = FindingColumn(
    "kinds",
    lambda finding: tuple(map(str, finding.kinds)),
    ContentKind.TEXT,
    "Link",
    _LINK_HELP,
    Output.FRAME | Output.WINDOW,
    lambda findings: bool(findings.links_through_labels),
    text=finding_words.links_in_brief,
    tooltip=finding_words.links_tooltip,
    copied=finding_words.links_text,
)
_GROUPS: FindingColumn[Finding] = FindingColumn(
    "groups",
    lambda finding: tuple(group.name for group in finding.groups),
    ContentKind.NAMES,
    "Group",
    f"Whether it is linked to a group of labels as one outcome. {term('label-group').definition}",
    Output.WINDOW,
    lambda findings: bool(findings.label_groups),
    text=finding_words.groups_text,
    tooltip=finding_words.groups_tooltip,
)
_SIGN: FindingColumn[Finding] = FindingColumn(
    "sign",
    lambda finding: tuple(map(str, finding.signs)) if finding.sizes else None,
    ContentKind.NAMES,
    "Sign",
    term("sign").definition,
    _TABLES | Output.WINDOW,
    was_measured,
    text=finding_words.signs_text,
    tooltip=finding_words.signs_tooltip,
    copied=finding_words.signs_in_words,
)
_EVENT: FindingColumn[Finding] = FindingColumn(
    "event",
    lambda finding: tuple(each.event or "" for each in finding.association_signs) or None,
    ContentKind.NAMES,
    "Event",
    term("event").definition,
    _TABLES,
    was_measured,
)
_ASSOCIATION: FindingColumn[Finding] = FindingColumn(
    "association",
    finding_words.association_texts,
    ContentKind.NAMES,
    "Direction of association",
    term("sign").definition,
    _TABLES,
    was_measured,
)
_SIZE: FindingColumn[Finding] = FindingColumn(
    "difference",
    finding_words.largest_difference,
    ContentKind.NUMBER,
    "Size",
    "How much more or less likely the event of the label is, in percentage points, or how much higher or "
    "lower the label is, between two levels or values of the variable; with 95% intervals. An asterisk says "
    "that labels are compared at different values.",
    Output.WINDOW,
    was_measured,
    text=finding_words.differences_text,
    tooltip=finding_words.differences_tooltip,
)
_LED_BY: FindingColumn[Finding] = FindingColumn(
    "led_by", lambda finding: finding.led_by, outputs=_TABLES | Output.JSON
)
_INTERCHANGEABLE: FindingColumn[Finding] = FindingColumn(
    "interchangeable",
    lambda finding: finding.interchangeable,
    ContentKind.NAMES,
    "Interchangeable",
    "Variables that count as telling the same (information-equivalent): the data cannot tell which of them "
    "counts.",
    Output.WINDOW,
)
_RELATED: tuple[FindingColumn[Finding], ...] = (
    FindingColumn(
        "not_told_apart",
        lambda finding: finding.not_told_apart,
        ContentKind.NAMES,
        "Not told apart",
        "Variables that these rows do not tell apart from it, and do not show to be interchangeable: with "
        "more rows one of them may turn out to be linked to a label in its place.",
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
            "Linked to",
            "The labels that the variable is linked to; click one to see why.",
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
            "Strength",
            f"{_STRENGTH_HELP} {_GREATEST}",
            tooltip=finding_words.strengths_tooltip,
        ),
        _LINK,
        _GROUPS,
        _FLAGS,
        _found_again(
            "In how many repeated searches on random parts of the rows the variable was found again for its "
            "labels: fewest to most."
        ),
        _GRADE,
        FindingColumn(
            "label_count",
            lambda finding: len(finding.labels),
            ContentKind.COUNT,
            "Labels",
            "How many labels the variable is linked to.",
            _FILES,
            tooltip=finding_words.reasons_tooltip,
        ),
        _INTERCHANGEABLE,
        FindingColumn(
            "rules",
            lambda finding: finding.rules,
            ContentKind.NAMES,
            "Rules",
            "By which rules the variable counts for its labels.",
            text=lambda finding, _numbers: finding_words.relations_text(finding.relations),
            tooltip=finding_words.reasons_tooltip,
        ),
        *_RELATED,
        FindingColumn(
            "marginal_strength",
            lambda finding: finding.marginal_strength,
            ContentKind.SHARE,
            "Marginal strength",
            f"{MARGINAL_STRENGTH_HELP} {_GREATEST}",
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
            "Linked to",
            "The one label that the variable is linked to.",
        ),
        _SIGN,
        _EVENT,
        _ASSOCIATION,
        _SIZE,
        _DIRECTION,
        FindingColumn(
            "strength", lambda finding: finding.strength, ContentKind.SHARE, "Strength", _STRENGTH_HELP
        ),
        _LINK,
        _GROUPS,
        _FLAGS,
        *figures_of_deciding_test(lambda finding: finding.reasons[0], _FILES),
        _found_again(
            "In how many repeated searches on random parts of the rows the variable was found for the label "
            "again."
        ),
        _GRADE,
        FindingColumn(
            "rule",
            lambda finding: finding.rules[0],
            ContentKind.TEXT,
            "As",
            "By which rule the variable counts for the label.",
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
