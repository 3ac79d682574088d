"""The rules by which a feature counts for a label, in words."""

from __future__ import annotations

from clcd_gui.core.findings import Finding, Relation, relation_of
from clcd_gui.core.number_format import counted
from engine.discovery.evidence import Evidence, Rule

RULE_WORDS = {
    Rule.NEIGHBOUR: "direct neighbour",
    Rule.SPOUSE: "spouse",
    Rule.NEIGHBOUR_EQUIVALENT: "interchangeable with a direct neighbour",
    Rule.SPOUSE_EQUIVALENT: "interchangeable with a spouse",
}
RULE_HELP = {
    Rule.NEIGHBOUR: "A direct cause (parent) or a direct effect (child) of the label.",
    Rule.SPOUSE: "Another cause of an effect that it shares with the label.",
    Rule.NEIGHBOUR_EQUIVALENT: "Tells the same about the label as a direct neighbour "
    "(information-equivalent): the data cannot tell which of the two it is.",
    Rule.SPOUSE_EQUIVALENT: "Tells the same about the shared effect as a spouse "
    "(information-equivalent): the data cannot tell which of the two it is.",
}
RELATION_WORDS = {
    Relation.NEIGHBOUR: "direct neighbour",
    Relation.SPOUSE: "spouse",
    Relation.INTERCHANGEABLE: "interchangeable",
}


def names_text(names: tuple[str, ...], word: str = "and") -> str:
    """List names in plain text.

    Examples
    --------
    >>> names_text(("a", "b", "c"))
    'a, b and c'
    """
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {word} {names[-1]}"


def rule_text(reason: Evidence) -> str:
    """Say one rule in the few words of a table cell, with partner or shared effect."""
    if reason.rule is Rule.NEIGHBOUR:
        return RULE_WORDS[reason.rule]
    if reason.rule is Rule.SPOUSE:
        return f"spouse through {names_text(reason.children)}" if reason.children else "spouse"
    kind = "direct neighbour" if reason.rule is Rule.NEIGHBOUR_EQUIVALENT else "spouse"
    if not reason.partner:
        return RULE_WORDS[reason.rule]
    return f"interchangeable with {names_text(reason.partner)}, a {kind}"


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


def reasons_tooltip(finding: Finding) -> str:
    """Say for each label of a feature by which rule it counts, one line a label."""
    head = f"{finding.feature}: {counted(len(finding.labels), 'label')}"
    lines = [
        f"{label}: {rule_text(reason)}" for label, reason in zip(finding.labels, finding.reasons, strict=True)
    ]
    if len(lines) > 12:
        lines = [*lines[:11], f"{len(lines) - 11} more"]
    return "\n".join([head, *lines])
