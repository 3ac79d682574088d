"""Parts of a report that list common and label-specific variables, with the tests that decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.discovery.evidence import Evidence
from engine.discovery.finding_words import times_text
from engine.reporting.report.blocks import (
    MOST_ROWS,
    Block,
    Cell,
    Paragraph,
    TableBlock,
    TableColumn,
    Tone,
    first_of,
)
from engine.reporting.sentences.directions import relation_text
from engine.reporting.tables import ResultContext
from engine.wording.numbers import ENGLISH, NO_NUMBER, degrees_text, p_text, statistic_text
from engine.wording.phrases import for_count, plain_listing

if TYPE_CHECKING:
    from engine.discovery.result import DiscoveryResult
    from engine.independence.record import TestRecord


_NONE_COMMON = "No variable was found for two or more labels."
_NONE_DIRECTLY = "No variable is linked directly to two or more labels."
_COMMON = "Variables that are linked to two or more labels, those with most labels first."
_COMMON_DIRECTLY = (
    "Variables that are linked directly to two or more labels, those with most labels first. Links through "
    "other labels are not counted."
)
_NONE_SPECIFIC = "No variable was found for one label alone."
_NONE_SPECIFIC_DIRECTLY = "No variable is linked directly to one label alone."
_SPECIFIC = "Variables that are linked to one label alone, the strongest first."
_SPECIFIC_DIRECTLY = (
    "Variables that are linked directly to one label alone, the strongest first. Links through other labels "
    "are not counted."
)
_CUT = "The first {{shown}} of {{total}} are shown; the table of {table} holds all."
_SPECIFIC_CUT = (
    "{{shown}} of {{total}} are shown, the strongest of each label; the table of {table} holds all."
)
_LED_BY = "interchangeable with {name}"
_MORE_REASONS = ("and {count} more reason", "and {count} more reasons")


def _reason_columns(result: DiscoveryResult, *names: str) -> tuple[TableColumn, ...]:
    figures = [(result.test.statistic, 1.1), ("df", 0.7), ("p", 1.4), ("Strength", 1.5)]
    marginal = [("Marginal p", 1.4), ("Marginal strength", 1.4)]
    marginal += [("Found again", 1.2)] if result.stability is not None else []
    return (
        *(TableColumn(name, width=2.2) for name in names),
        TableColumn("Relation", width=2.5),
        *(TableColumn(name, is_number=True, width=width) for name, width in figures),
        TableColumn("Given", width=1.9),
        *(TableColumn(name, is_number=True, width=width) for name, width in marginal),
    )


def _reason_cells(result: DiscoveryResult, feature: str, label: str) -> tuple[Cell, ...]:
    """Return relation and figures of the first reason for a pair; the others are counted."""
    reason, *others = result.counted_findings.reasons(feature, label)
    deciding, marginal = reason.deciding, reason.marginal
    figures = (
        (statistic_text(deciding.statistic), degrees_text(deciding.dof), p_in_one_line(deciding))
        if deciding
        else (NO_NUMBER,) * 3
    )
    given = plain_listing(deciding.given) if deciding else ""
    unconditional = (
        (p_in_one_line(marginal), ENGLISH.strength(marginal.effect)) if marginal else (NO_NUMBER,) * 2
    )
    stability = result.stability
    again = (
        ()
        if stability is None
        else (times_text(result.counted_findings.times_found(feature, label), stability.finished),)
    )
    return (
        Cell(relation_text(result, reason), note=_reason_note(result, reason, len(others))),
        *map(Cell, figures),
        Cell(ENGLISH.strength(reason.strength), strength=reason.strength),
        Cell(given or NO_NUMBER),
        *map(Cell, unconditional),
        *map(Cell, again),
    )


def p_in_one_line(test: TestRecord) -> str:
    """Write the p-value of a test so that it stays in one line."""
    return p_text(test.p_value, test.log_p).replace(" ", "\u00a0")


def _reason_note(result: DiscoveryResult, reason: Evidence, others: int) -> str:
    notes = ["second pass"] if reason.recovered else []
    notes += [for_count(others, *_MORE_REASONS).format(count=others)] if others else []
    notes += [f"⚑ {each.kind}" for each in result.flags(reason.feature, reason.label)]
    return " · ".join(notes)


def _table_of(result: DiscoveryResult, direct: str) -> str:
    """Name the file that holds all that is listed."""
    return "links (links.csv)" if result.counted_findings.links_through_labels else direct


def _led_by(result: DiscoveryResult, feature: str) -> str:
    leader = result.counted_findings.by_feature[feature].led_by
    return _LED_BY.format(name=leader) if leader else ""


def common(analysis: ResultContext) -> tuple[Block, ...]:
    """List common variables, those with most labels first."""
    result = analysis.result
    found = first_of(result.counted_findings.common, MOST_ROWS)
    if not found.total:
        return (Paragraph(_NONE_DIRECTLY if result.holds_direct_links_alone else _NONE_COMMON),)
    groups = []
    for each in found.items:
        name = Cell(each.feature, Tone.COMMON, _led_by(result, each.feature), rows=len(each.labels))
        rows = [
            (Cell(label, Tone.LABEL), *_reason_cells(result, each.feature, label)) for label in each.labels
        ]
        groups.append(((name, *rows[0]), *rows[1:]))
    return (
        Paragraph(_COMMON_DIRECTLY if result.holds_direct_links_alone else _COMMON, Tone.QUIET),
        *found.cut(_CUT.format(table=_table_of(result, "common variables (common.csv)"))),
        TableBlock(_reason_columns(result, "Variable", "Label"), tuple(groups)),
    )


def label_specific(analysis: ResultContext) -> tuple[Block, ...]:
    """List label-specific variables by label; of too many, each label keeps its strongest."""
    result = analysis.result
    pairs = [(each.feature, each.labels[0]) for each in result.counted_findings.label_specific]
    if not pairs:
        return (Paragraph(_NONE_SPECIFIC_DIRECTLY if result.holds_direct_links_alone else _NONE_SPECIFIC),)
    found = first_of(_strongest_of_each_first(pairs), MOST_ROWS)
    of_label: dict[str, list[str]] = {}
    shown = set(found.items)
    for feature, label in pairs:
        if (feature, label) in shown:
            of_label.setdefault(label, []).append(feature)
    groups = []
    for label, features in of_label.items():
        rows = [
            (Cell(each, Tone.SPECIFIC, _led_by(result, each)), *_reason_cells(result, each, label))
            for each in features
        ]
        groups.append(((Cell(label, Tone.LABEL, rows=len(rows)), *rows[0]), *rows[1:]))
    return (
        Paragraph(_SPECIFIC_DIRECTLY if result.holds_direct_links_alone else _SPECIFIC, Tone.QUIET),
        *found.cut(
            _SPECIFIC_CUT.format(table=_table_of(result, "label-specific variables (label_specific.csv)"))
        ),
        TableBlock(_reason_columns(result, "Label", "Variable"), tuple(groups)),
    )


def _strongest_of_each_first(found: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Order pairs so that the first of every label comes before the second of any."""
    seen: dict[str, int] = {}
    ranked = []
    for position, (_, label) in enumerate(found):
        seen[label] = seen.get(label, 0) + 1
        ranked.append((seen[label], position))
    return [found[position] for _, position in sorted(ranked)]
