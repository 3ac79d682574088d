"""How a feature stands to its labels, in the few words of a cell or a tooltip."""

from __future__ import annotations

from collections.abc import Sequence

from clcd_gui.core.findings import Finding, Listed, Relation
from clcd_gui.core.number_format import counted
from engine.reporting.sentences.directions import DIRECT, reason_text

RELATION_WORDS = {
    Relation.NEIGHBOUR: "direct neighbour",
    Relation.IN_PLACE: "in the place of a label",
    Relation.SPOUSE: "spouse",
    Relation.INTERCHANGEABLE: "interchangeable",
}

_MOST_LINES = 12


def relations_text(feature: Listed) -> str:
    """Count the relations of a common feature: ``"direct neighbour of 3, spouse of 1"``."""
    counts = dict.fromkeys(Relation, 0)
    for each in feature.relations:
        counts[each] += 1
    parts = {
        Relation.NEIGHBOUR: f"direct neighbour of {counts[Relation.NEIGHBOUR]}",
        Relation.IN_PLACE: f"in the place of a label for {counts[Relation.IN_PLACE]}",
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
    return by_label(finding, relation_words(finding))


def by_label(feature: Listed, words: Sequence[str]) -> str:
    """Write a tooltip with one line a label: what is said of each, in label order."""
    head = f"{feature.feature}: {counted(len(feature.labels), 'label')}"
    lines = [f"{label}: {text}" for label, text in zip(feature.labels, words, strict=True)]
    if len(lines) > _MOST_LINES:
        lines = [*lines[: _MOST_LINES - 1], f"{len(lines) - _MOST_LINES + 1} more"]
    return "\n".join([head, *lines])
