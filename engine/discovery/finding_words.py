"""Findings in the words of a cell, a tooltip or half a sentence: rules, directions, how often found again."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from engine.discovery.evidence import Evidence, Rule
from engine.discovery.findings import Finding, Findings, FoundAgain, Relation
from engine.discovery.orientation.direction import CommonDirection, Direction
from engine.wording.numbers import ENGLISH, NumberWriter
from engine.wording.phrases import plain_listing

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
    "(information-equivalent), as is shown up to a margin: the data cannot tell which of the two it is.",
    Rule.SPOUSE_EQUIVALENT: "Tells the same about the shared effect as a spouse "
    "(information-equivalent), as is shown up to a margin: the data cannot tell which of the two it is.",
}
RELATION_WORDS = {
    Relation.NEIGHBOUR: "direct neighbour",
    Relation.IN_PLACE: "in the place of a label",
    Relation.SPOUSE: "spouse",
    Relation.INTERCHANGEABLE: "interchangeable",
}
DIRECT = {Direction.CAUSE: "direct cause", Direction.EFFECT: "direct effect"}
NOT_TOLD_APART = "not told apart with these rows"

_DIRECTION_HELP: dict[str, str] = {
    Direction.CAUSE: "The data tell that it is a cause of the label.",
    Direction.EFFECT: "The data tell that it is an effect of the label.",
    Direction.SPOUSE: "It is another cause of an effect that it shares with the label.",
    Direction.UNDECIDED: "The data do not tell whether it is a cause or an effect.",
    CommonDirection.COMMON_CAUSE: "The data tell that it is a cause of each of these labels.",
    CommonDirection.COMMON_EFFECT: "The data tell that it is an effect of each of these labels.",
    CommonDirection.MIXED: "It is one thing to one label and another to the next.",
}
_OF_ALL_UNDECIDED = "Of at least one label the data do not tell whether it is a cause or an effect."
_MOST_LINES = 12


def reason_text(reason: Evidence) -> str:
    """Say by which rule a feature counts, with the partner or the shared effect.

    Examples
    --------
    >>> reason_text(Evidence("dose", "ill", Rule.SPOUSE, children=("fever",)))
    'spouse through fever'
    """
    through = f" through {plain_listing(reason.children)}" if reason.children else ""
    if not reason.rule.is_equivalent:
        return f"{RULE_WORDS[reason.rule]}{through}"
    kind = "direct neighbour" if reason.rule is Rule.NEIGHBOUR_EQUIVALENT else "spouse"
    partner = plain_listing(reason.partner) or "another variable"
    joint = f"together with {plain_listing(reason.together_with)} " if reason.together_with else ""
    what = f"{kind}s" if len(reason.partner) > 1 else f"a {kind}"
    return f"{joint}interchangeable with {partner}, {what}{through}"


def rule_tooltip(finding: Finding) -> str:
    """Say by which rule a label-specific feature counts, and what the rule means."""
    (reason,) = finding.reasons
    return f"{reason_text(reason)}\n{RULE_HELP[reason.rule]}"


def relations_text(relations: Iterable[Relation]) -> str:
    """Count the relations of a feature with its labels.

    Examples
    --------
    >>> relations_text([Relation.NEIGHBOUR, Relation.SPOUSE, Relation.NEIGHBOUR])
    'direct neighbour of 2, spouse of 1'
    """
    counts = dict.fromkeys(Relation, 0)
    for each in relations:
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
    return [
        DIRECT.get(direction) or reason_text(reason)
        for direction, reason in zip(finding.directions, finding.reasons, strict=True)
    ]


def by_label(feature: str, labels: Sequence[str], words: Sequence[str], numbers: NumberWriter) -> str:
    """Write a tooltip with one line a label: what is said of each, in label order."""
    head = f"{feature}: {numbers.counted(len(labels), 'label')}"
    lines = [f"{label}: {text}" for label, text in zip(labels, words, strict=True)]
    if len(lines) > _MOST_LINES:
        lines = [*lines[: _MOST_LINES - 1], f"{len(lines) - _MOST_LINES + 1} more"]
    return "\n".join([head, *lines])


def reasons_tooltip(finding: Finding, numbers: NumberWriter = ENGLISH) -> str:
    """Say for each label of a feature by which rule it counts, one line a label."""
    return by_label(finding.feature, finding.labels, relation_words(finding), numbers)


def direction_tooltip(finding: Finding, numbers: NumberWriter = ENGLISH) -> str:
    """Say what the direction of a finding means, and for a common one what it is to each label."""
    if not finding.is_common:
        return _DIRECTION_HELP.get(finding.direction, "")
    undecided = finding.direction == CommonDirection.UNDECIDED
    meaning = _OF_ALL_UNDECIDED if undecided else _DIRECTION_HELP.get(finding.direction, "")
    return f"{meaning}\n{reasons_tooltip(finding, numbers)}"


def absence_text(findings: Findings, feature: str, label: str) -> str:
    """Say in a few words why a feature does not stand with a label."""
    alike = {
        name
        for record in findings.pairs_about(feature, label)
        if feature in record.equivalent
        for name in record.in_boundary
    }
    if not alike:
        return "does not count for this label"
    return f"{NOT_TOLD_APART} from {plain_listing(findings.in_column_order(alike))}"


def times_text(times: int, finished: int, numbers: NumberWriter = ENGLISH) -> str:
    """Write how often something was found again.

    Examples
    --------
    >>> times_text(47, 50)
    '47 of 50'
    """
    return f"{numbers.count(times)} of {numbers.count(finished)}"


def range_text(times: Collection[int], finished: int, numbers: NumberWriter = ENGLISH) -> str:
    """Write how often something was found again for several labels.

    Examples
    --------
    >>> range_text([50, 15, 49], 50), range_text([50, 50], 50)
    ('15–50 of 50', '50 of 50')
    """
    fewest, most = min(times), max(times)
    start = f"{numbers.count(fewest)}–" if fewest < most else ""
    return f"{start}{times_text(most, finished, numbers)}"


def found_again_text(found_again: FoundAgain | None, numbers: NumberWriter = ENGLISH) -> str:
    """Write in a cell how often a feature was found again; empty where nothing was repeated.

    Examples
    --------
    >>> found_again_text(FoundAgain((47, 50), 50))
    '47–50 of 50'
    """
    return "" if found_again is None else range_text(found_again.times, found_again.finished, numbers)


def longest_found_again(finding: Finding, numbers: NumberWriter = ENGLISH) -> str:
    """Write the longest text that can stand in a column of such cells, so that all have room for it."""
    if finding.found_again is None:
        return ""
    most = finding.found_again.finished
    return range_text((most - 1, most) if finding.is_common else (most,), most, numbers)


def found_again_tooltip(finding: Finding, help_text: str, numbers: NumberWriter = ENGLISH) -> str:
    """Say what the times mean, and for a common feature how often it was found for each label."""
    again = finding.found_again
    if again is None:
        return ""
    lines = [help_text, f"Here {found_again_text(again, numbers)}."]
    if finding.is_common:
        lines += [
            f"{label}: {times_text(times, again.finished, numbers)}"
            for label, times in zip(finding.labels, again.times, strict=True)
        ][:_MOST_LINES]
    return "\n".join(lines)
