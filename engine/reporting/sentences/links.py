"""Links through other labels in sentences: what they make common, and which labels explain them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.discovery.evidence import LinkThroughLabels
from engine.wording.numbers import ENGLISH, NumberWriter
from engine.wording.phrases import Name, Phrase, for_count, listing, phrase, plain

if TYPE_CHECKING:
    from engine.discovery.result import DiscoveryResult

_THROUGH = (
    "{feature} is linked to {label} through {through}: given {given}, no further link is significant ({p})."
)
_NOT_GIVEN = "{feature} is linked to {label}: given {given}, no further link is significant ({p})."
_EITHER = (
    "{feature} is linked to {first} and to {second}: given either of the two, no further link with the other "
    "is significant ({p_first} and {p_second})."
)
_SHARED = "Without the other labels, {feature} is linked to {label}; no tested set of labels explains it."
# Given the effects that they share, as spouses are.
_THROUGH_AMONG_ALIKE = (
    "Among rows alike in {effects}, {feature} is linked to {label} through {through}: given also {given}, no "
    "further link is significant ({p})."
)
_AMONG_ALIKE = (
    "Among rows alike in {effects}, {feature} is linked to {label}: given also {given}, no further link is "
    "significant ({p})."
)
_SHARED_AMONG_ALIKE = (
    "Among rows alike in {effects}, {feature} is linked to {label}; no tested set of labels explains it."
)
_NOT_COUNTED = "Links through other labels are not counted."
_NONE_DIRECTLY = "Links through other labels are counted. None is linked directly to two or more labels."
_DIRECTLY = (
    "Links through other labels are counted. Directly, {count} is linked to two or more labels.",
    "Links through other labels are counted. Directly, {count} are linked to two or more labels.",
)
_COMMON_AMONG_ALIKE = (
    "{count} of the common variables is linked to a second label only among rows alike in a shared effect.",
    "{count} of the common variables are linked to a second label only among rows alike in a shared effect.",
)
_MOST_NAMES = 5


def counted_phrase(result: DiscoveryResult, numbers: NumberWriter = ENGLISH) -> Phrase:
    """Say whether links through other labels are counted; empty where there are none."""
    if not result.links_through_labels:
        return ()
    if not result.counts_through_labels:
        return phrase(_NOT_COUNTED)
    count = len(result.findings.common)
    if not count:
        return phrase(_NONE_DIRECTLY)
    return phrase(for_count(count, *_DIRECTLY), count=numbers.count(count))


def shared_effects_phrase(result: DiscoveryResult, numbers: NumberWriter = ENGLISH) -> Phrase:
    """Count the variables that are common only given effects which labels share; empty where there are none.

    Such an effect is a consequence of both labels: changing the variable need not change the second label.
    """
    if not result.counts_through_labels:
        return ()
    count = sum(
        sum(link is None or not link.effects for link in finding.through_labels) < 2
        for finding in result.total_findings.common
        if finding.through_labels
    )
    return phrase(for_count(count, *_COMMON_AMONG_ALIKE), count=numbers.count(count)) if count else ()


def through_phrases(result: DiscoveryResult, numbers: NumberWriter = ENGLISH) -> tuple[Phrase, ...]:
    """Say of each link through other labels which labels explain it, in column order.

    Two labels that explain the link with each other share a sentence.

    Examples
    --------
    >>> import engine
    >>> result = engine.discover(engine.simulate(labels=4, features=20, rows=2000, seed=1).dataset)
    >>> len(through_phrases(result)) <= len(result.links_through_labels)
    True
    """
    return tuple(_sentences(result, numbers))


def through_phrase(
    result: DiscoveryResult, feature: str, label: str, numbers: NumberWriter = ENGLISH
) -> Phrase:
    """Say which labels explain the link of one pair; empty where it has none through other labels."""
    link = result.links_through_labels.get((feature, label))
    if link is None:
        return ()
    other = result.total_findings.explained_by_each_other(link)
    return _one(result, link, numbers) if other is None else _either(result, link, other, numbers)


def through_sentences(result: DiscoveryResult) -> tuple[str, ...]:
    """Write the same as plain texts."""
    return tuple(map(plain, through_phrases(result)))


def _sentences(result: DiscoveryResult, numbers: NumberWriter) -> Iterator[Phrase]:
    told: set[tuple[str, str]] = set()
    for feature, finding in result.total_findings.by_feature.items():
        for label, link in zip(finding.labels, finding.through_labels, strict=False):
            if link is None or (feature, label) in told:
                continue
            other = result.total_findings.explained_by_each_other(link)
            if other is not None:
                told.add(other.pair)
            yield through_phrase(result, feature, label, numbers)


def _either(
    result: DiscoveryResult, first: LinkThroughLabels, second: LinkThroughLabels, numbers: NumberWriter
) -> Phrase:
    feature, label = first.pair
    return phrase(
        _EITHER,
        feature=_name(result, feature),
        first=_name(result, label),
        second=_name(result, second.pair[1]),
        p_first=_p(first, numbers),
        p_second=_p(second, numbers),
    )


def _one(result: DiscoveryResult, link: LinkThroughLabels, numbers: NumberWriter) -> Phrase:
    feature, label = link.pair
    names: dict[str, Name | Phrase] = {"feature": _name(result, feature), "label": _name(result, label)}
    effects = link.effects
    if effects:
        names["effects"] = listing([_name(result, each) for each in effects])
    if link.separated is None:
        return phrase(_SHARED_AMONG_ALIKE if effects else _SHARED, **names)
    # Where a label is known to be no cause of the other, "through" would say that it carries the link there.
    runs_through = result.total_findings.runs_through(link)
    given = [each for each in link.separated.given if each not in effects]
    templates = (_THROUGH_AMONG_ALIKE, _AMONG_ALIKE) if effects else (_THROUGH, _NOT_GIVEN)
    return phrase(
        templates[0 if runs_through else 1],
        through=listing([_name(result, each) for each in link.through]),
        given=listing([_name(result, each) for each in given], _MOST_NAMES),
        p=_p(link, numbers),
        **names,
    )


def _p(link: LinkThroughLabels, numbers: NumberWriter) -> str:
    test = link.separated
    assert test is not None
    return numbers.p_statement(test.p_value, test.log_p)


def _name(result: DiscoveryResult, text: str) -> Name:
    return Name(text, text in result.dataset.labels)
