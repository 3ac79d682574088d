"""How a feature stands to its labels, in the few words of a cell or a tooltip."""

from __future__ import annotations

from clcd_gui.core.findings import Finding, Relation, relation_of
from clcd_gui.core.number_format import counted
from engine.exporting.direction_words import DIRECT
from engine.exporting.rule_words import reason_text

RELATION_WORDS = {
    Relation.NEIGHBOUR: "direct neighbour",
    Relation.SPOUSE: "spouse",
    Relation.INTERCHANGEABLE: "interchangeable",
}


def relations_text(finding: Finding) -> str:
    """Count the relations of a common feature: ``"direct neighbour of 3, spouse of 1"``."""
    counts = dict.fromkeys(Relation, 0)
    for reason in finding.reasons:
        counts[relation_of(reason.rule)] += 1
    parts = {
        Relation.NEIGHBOUR: f"direct neighbour of {counts[Relation.NEIGHBOUR]}",
        Relation.SPOUSE: f"spouse of {counts[Relation.SPOUSE]}",
        Relation.INTERCHANGEABLE: f"interchangeable for {counts[Relation.INTERCHANGEABLE]}",
    }
    return ", ".join(text for relation, text in parts.items() if counts[relation])


def relation_words(finding: Finding) -> list[str]:
    """Say for each label by which rule a feature counts, and of a neighbour whether it is cause or effect."""
    words = [reason_text(reason) for reason in finding.reasons]
    for place, direction in enumerate(finding.directions):
        words[place] = DIRECT.get(direction, words[place])
    return words


def reasons_tooltip(finding: Finding) -> str:
    """Say for each label of a feature by which rule it counts, one line a label."""
    head = f"{finding.feature}: {counted(len(finding.labels), 'label')}"
    words = relation_words(finding)
    lines = [f"{label}: {text}" for label, text in zip(finding.labels, words, strict=True)]
    if len(lines) > 12:
        lines = [*lines[:11], f"{len(lines) - 11} more"]
    return "\n".join([head, *lines])
