"""How often findings came back, in sentences that know their names."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from engine.discovery.finding_words import RULE_WORDS
from engine.discovery.stability.result import StabilitySettings
from engine.translation import N_, _, for_count
from engine.wording.numbers import ENGLISH, NumberWriter
from engine.wording.phrases import Name, Phrase, listing, phrase, plain
from engine.wording.shown_names import shown_name

if TYPE_CHECKING:
    from engine.discovery.findings import Finding
    from engine.discovery.result import DiscoveryResult
    from engine.discovery.stability.result import PairCount, StabilityResult


NEARLY_ALWAYS = 0.9
SELDOM = 0.5
_MOST_NAMES = 3
_MOST_LABELS = 12
_ROUNDING = 1e-9


def stability_phrases(result: DiscoveryResult, numbers: NumberWriter = ENGLISH) -> tuple[Phrase, ...]:
    """Say how many findings came back nearly always and how many seldom, and what was nearly found."""
    stability = result.stability
    if stability is None:
        return ()
    sentences: list[Phrase] = []
    if stability.is_partial:
        stopped = _("The repetition was stopped: {done} of {total} parts were searched.")
        total = numbers.count(stability.settings.resamples)
        sentences.append(phrase(stopped, done=numbers.count(stability.finished), total=total))
    if result.counted_findings.evidence:
        sentences.append(_came_back(result, stability, numbers))
    # Imported late: it brings pandas along, without which the window starts.
    from engine.discovery.result import near_misses

    evidence = result.counted_findings.evidence
    near = [
        near_miss
        for near_miss in near_misses(result)
        if (near_miss.variable, near_miss.label) not in evidence
    ]
    if near:
        sentences.append(_near_misses(near, numbers))
    return tuple(sentences)


def stability_sentences(result: DiscoveryResult) -> tuple[str, ...]:
    """Return the same as plain text."""
    return tuple(map(plain, stability_phrases(result)))


def parts_text(
    settings: StabilitySettings, count: int, numbers: NumberWriter = ENGLISH, are_of_groups: bool = False
) -> str:
    """Say what was searched again: parts of the rows, or of the groups that rows come in.

    >>> parts_text(StabilitySettings(), 50)
    '50 random halves of the rows'
    >>> parts_text(StabilitySettings(share=0.3), 20, are_of_groups=True)
    '20 random parts of 30 % of the groups of rows each'
    """
    if settings.share == 0.5:
        halves = numbers.counted(count, "random half", "random halves")
        return (
            _("{halves} of the groups of rows", halves=halves)
            if are_of_groups
            else _("{halves} of the rows", halves=halves)
        )
    parts, share = numbers.counted(count, "random part"), numbers.share(settings.share)
    if are_of_groups:
        return _("{parts} of {share} of the groups of rows each", parts=parts, share=share)
    return _("{parts} of {share} of the rows each", parts=parts, share=share)


def _searched_again(result: DiscoveryResult, stability: StabilityResult, numbers: NumberWriter) -> str:
    return parts_text(stability.settings, stability.finished, numbers, result.dataset.groups is not None)


def pair_again_sentence(
    result: DiscoveryResult, feature: str, label: str, numbers: NumberWriter = ENGLISH
) -> str:
    """Say how often a feature or label was found for a label, and as what; empty without repetitions."""
    stability = result.stability
    if stability is None:
        return ""
    # What is said of a link through other labels holds whether such links are counted or not.
    is_through = (feature, label) in result.links_through_labels
    findings = result.total_findings if is_through else result.counted_findings
    if feature in result.dataset.labels:
        times, rules = stability.times_related(feature, label), {}
    else:
        times = findings.times_found(feature, label)
        rules = {
            _(RULE_WORDS[rule]): count
            for rule, count in stability.times_by_rule(feature, label).items()
            if count > 0
        }
        through = times - stability.times_found(feature, label)
        rules |= {_(_THROUGH_LABELS): through} if through else {}
    parts = _searched_again(result, stability, numbers)
    was_found = feature in result.dataset.labels or bool(findings.reasons(feature, label))
    if len(rules) > 1:
        template = _FOUND_AGAIN_AS if was_found else _FOUND_AS
    else:
        template = _FOUND_AGAIN if was_found else _FOUND
    return _(template, times=numbers.count(times), parts=parts, rules=_as_what(rules, numbers))


_THROUGH_LABELS = N_("a link through other labels")
_FOUND = N_("Found in {times} of {parts}.")
_FOUND_AS = N_("Found in {times} of {parts}: {rules}.")
_FOUND_AGAIN = N_("Found again in {times} of {parts}.")
_FOUND_AGAIN_AS = N_("Found again in {times} of {parts}: {rules}.")


def common_again_sentence(result: DiscoveryResult, finding: Finding, numbers: NumberWriter = ENGLISH) -> str:
    """Say how often a common feature was common again, and for which label how often; empty for others."""
    stability, again = result.stability, finding.found_again
    if stability is None or again is None or not finding.is_common:
        return ""
    parts = _searched_again(result, stability, numbers)
    is_total = bool(finding.through_labels)
    common = stability.times_common_in_total if is_total else stability.times_common
    times = numbers.count(common(finding.feature))
    times_of_labels = [
        f"{shown_name(label)} {numbers.count(count)}"
        for label, count in zip(finding.labels, again.times, strict=True)
    ]
    more = ["…"] if len(times_of_labels) > _MOST_LABELS else []
    listed = ", ".join(times_of_labels[:_MOST_LABELS] + more)
    return _(
        "Common to two or more labels again in {times} of {parts}. For each label: {labels}.",
        times=times,
        parts=parts,
        labels=listed,
    )


def _as_what(rules: Mapping[str, int], numbers: NumberWriter) -> str:
    """List the rules, the most frequent first; a repetition may have found several."""
    ranked = sorted(rules.items(), key=lambda pair: -pair[1])
    return ", ".join(
        _("{count} times as {rule}", count=numbers.count(count), rule=rule) for rule, count in ranked
    )


def _came_back(result: DiscoveryResult, stability: StabilityResult, numbers: NumberWriter) -> Phrase:
    """Count findings that came back nearly always and seldom, and name the latter."""
    findings = result.counted_findings
    times = {pair: findings.times_found(*pair) for pair in findings.evidence}
    many, few = (math.ceil(stability.finished * share - _ROUNDING) for share in (NEARLY_ALWAYS, SELDOM))
    often = sum(count >= many for count in times.values())
    rarest_first = sorted(times.items(), key=lambda pair: pair[1])
    seldom = {pair: count for pair, count in rarest_first if count < few}
    return phrase(
        for_count(often, *(_CAME_BACK_BUT if seldom else _CAME_BACK)),
        parts=_searched_again(result, stability, numbers),
        often=numbers.count(often),
        findings=numbers.counted(len(times), "finding"),
        many=numbers.count(many),
        seldom=numbers.count(len(seldom)),
        few=numbers.count(few),
        which=_pairs(seldom, numbers),
    )


_CAME_BACK = (
    N_(
        "Searched again on {parts}: {often} of {findings} was found again {many} times or more, none "
        "fewer than {few} times."
    ),
    N_(
        "Searched again on {parts}: {often} of {findings} were found again {many} times or more, none"
        " fewer than {few} times."
    ),
)
_CAME_BACK_BUT = (
    N_(
        "Searched again on {parts}: {often} of {findings} was found again {many} times or more, "
        "{seldom} fewer than {few} times: {which}."
    ),
    N_(
        "Searched again on {parts}: {often} of {findings} were found again {many} times or more, "
        "{seldom} fewer than {few} times: {which}."
    ),
)


def _near_misses(near: list[PairCount], numbers: NumberWriter) -> Phrase:
    ranked = sorted(near, key=lambda near_miss: -near_miss.found)
    times = {(near_miss.variable, near_miss.label): near_miss.found for near_miss in ranked}
    return phrase(
        "Not found in the whole table, but in half of the parts or more: {pairs}.",
        pairs=_pairs(times, numbers),
    )


def _pairs(times: Mapping[tuple[str, str], int], numbers: NumberWriter) -> Phrase:
    """List variables with their labels and how often they were found; of many the first are named."""
    listed = [
        phrase(
            "{feature} for {label} ({times})",
            feature=Name(feature),
            label=Name(label, is_label=True),
            times=numbers.count(count),
        )
        for (feature, label), count in list(times.items())[:_MOST_NAMES]
    ]
    if len(times) > len(listed):
        listed.append((_("{count} more", count=numbers.count(len(times) - len(listed))),))
    return listing(listed)
