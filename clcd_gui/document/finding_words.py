"""How a feature stands to its labels, and how often that came back, in the words of a cell or a tooltip."""

from __future__ import annotations

from collections.abc import Sequence

from clcd_gui.document.findings import Again, Finding, Listed, Relation
from clcd_gui.wording.text import NUMBERS, counted
from engine.discovery.evidence import Rule
from engine.discovery.orientation.direction import CommonDirection, Direction
from engine.discovery.result import DiscoveryResult
from engine.reporting.sentences.directions import DIRECT, RULE_WORDS, reason_text
from engine.reporting.sentences.stability import parts_text, range_text, times_text

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


_MEANINGS: dict[str, str] = {
    Direction.CAUSE: "The data tell that it is a cause of the label.",
    Direction.EFFECT: "The data tell that it is an effect of the label.",
    Direction.SPOUSE: "It is another cause of an effect that it shares with the label.",
    Direction.UNDECIDED: "The data do not tell whether it is a cause or an effect.",
    CommonDirection.COMMON_CAUSE: "The data tell that it is a cause of each of these labels.",
    CommonDirection.COMMON_EFFECT: "The data tell that it is an effect of each of these labels.",
    CommonDirection.MIXED: "It is one thing to one label and another to the next.",
}
_OF_ALL_UNDECIDED = "Of at least one label the data do not tell whether it is a cause or an effect."


def direction_tooltip(finding: Finding) -> str:
    """Say what the direction of a finding means, and for a common one what it is to each label."""
    if not finding.is_common:
        return _MEANINGS.get(finding.direction, "")
    undecided = finding.direction == CommonDirection.UNDECIDED
    meaning = _OF_ALL_UNDECIDED if undecided else _MEANINGS.get(finding.direction, "")
    return f"{meaning}\n{reasons_tooltip(finding)}"


_MOST_LABELS = 12


def again_text(again: Again | None) -> str:
    """Write the times in a cell, e.g. ``"47 of 50"``; empty where nothing was repeated."""
    return "" if again is None else range_text(again.times, again.finished, NUMBERS)


def again_tooltip(finding: Finding, help_text: str) -> str:
    """Say what the times mean, and for a common feature how often it was found for each label."""
    again = finding.again
    if again is None:
        return ""
    lines = [help_text, f"Here {again_text(again)}."]
    if finding.is_common:
        lines += [
            f"{label}: {times_text(times, again.finished, NUMBERS)}"
            for label, times in zip(finding.labels, again.times, strict=True)
        ][:_MOST_LABELS]
    return "\n".join(lines)


def pair_again_sentence(result: DiscoveryResult, feature: str, label: str) -> str:
    """Say how often a feature, or another label, was found for a label, and as what.

    Empty where the search was not repeated.
    """
    stability = result.stability
    if stability is None:
        return ""
    if feature in result.dataset.labels:
        times, rules = stability.times_related(feature, label), {}
    else:
        times = stability.times_found(feature, label)
        rules = {rule: count for rule, count in stability.times_by_rule(feature, label).items() if count > 0}
    parts = parts_text(stability.settings, stability.finished, NUMBERS)
    was_found = feature in result.dataset.labels or bool(result.reasons(feature, label))
    sentence = f"{'Found again' if was_found else 'Found'} in {NUMBERS.count(times)} of {parts}"
    if len(rules) > 1:
        sentence += f": {_as_what(rules)}"
    return f"{sentence}."


def common_again_sentence(result: DiscoveryResult, finding: Finding) -> str:
    """Say how often a common feature was common again, and for which label how often; empty for others."""
    stability, again = result.stability, finding.again
    if stability is None or again is None or not finding.is_common:
        return ""
    parts = parts_text(stability.settings, stability.finished, NUMBERS)
    times = NUMBERS.count(stability.times_common(finding.feature))
    each = [
        f"{label} {NUMBERS.count(found)}" for label, found in zip(finding.labels, again.times, strict=True)
    ]
    more = ["…"] if len(each) > _MOST_LABELS else []
    listed = ", ".join(each[:_MOST_LABELS] + more)
    return f"Common to two or more labels again in {times} of {parts}. For each label: {listed}."


def _as_what(rules: dict[Rule, int]) -> str:
    """List the rules, the most frequent first; a repetition may have found several."""
    ranked = sorted(rules.items(), key=lambda each: -each[1])
    return ", ".join(f"{NUMBERS.count(count)} times as {RULE_WORDS[rule]}" for rule, count in ranked)
