"""How often something was found again, in the words of a cell, a tooltip and the evidence panel."""

from __future__ import annotations

from clcd_gui.core.findings import Again, Finding
from clcd_gui.core.number_format import NUMBERS
from engine.discovery.evidence import Rule
from engine.discovery.result import DiscoveryResult
from engine.reporting.sentences.directions import RULE_WORDS
from engine.reporting.sentences.stability import parts_text, range_text, times_text

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
