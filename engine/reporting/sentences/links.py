"""Links through other labels in sentences: what they make common, and which labels explain them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.discovery.evidence import LinkThroughLabels
from engine.discovery.orientation.direction import Direction
from engine.discovery.orientation.grades import Grade
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
_SHARED = (
    "{feature} is linked to {label} where other labels are left out. These rows do not show more than what "
    "the labels share."
)
_COMMON = (
    "Counting links through other labels, {count} of {total} is linked to two or more labels: {names}. The "
    "counts that follow leave such links out.",
    "Counting links through other labels, {count} of {total} are linked to two or more labels: {names}. The "
    "counts that follow leave such links out.",
)
_NO_CAUSE = (Grade.NOT_CAUSE, Grade.EFFECT, Grade.EFFECT_NOTHING_HIDDEN, Grade.HIDDEN_IN_COMMON)
_MOST_NAMES = 5


def total_phrase(result: DiscoveryResult, numbers: NumberWriter = ENGLISH) -> Phrase:
    """Say which variables are linked to several labels once links through other labels count.

    Empty where they add no variable to the common ones.
    """
    common = [each.feature for each in result.total_findings.common]
    if len(common) == len(result.findings.common):
        return ()
    return phrase(
        for_count(len(common), *_COMMON),
        count=numbers.count(len(common)),
        total=numbers.counted(len(result.dataset.features), "variable"),
        names=listing([Name(each, False) for each in common], _MOST_NAMES),
    )


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
    other = _explained_by_each_other(result, link)
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
            other = _explained_by_each_other(result, link)
            if other is not None:
                told.add(other.pair)
            yield through_phrase(result, feature, label, numbers)


def _explained_by_each_other(result: DiscoveryResult, link: LinkThroughLabels) -> LinkThroughLabels | None:
    """Return the link with the label that explains this link, if this label explains that one."""
    feature, label = link.pair
    if link.separated is None or len(link.separated.given) != 1:
        return None
    other = result.links_through_labels.get((feature, link.through[0]))
    explains = other is not None and other.separated is not None and other.separated.given == (label,)
    return other if explains else None


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
    names = {"feature": _name(result, feature), "label": _name(result, label)}
    if link.separated is None:
        return phrase(_SHARED, **names)
    # Where a label is known to be no cause of the other, "through" would say that it carries the link there.
    is_no_cause = any(_is_no_cause(result, each, label) for each in link.through)
    return phrase(
        _NOT_GIVEN if is_no_cause else _THROUGH,
        through=listing([_name(result, each) for each in link.through]),
        given=listing([_name(result, each) for each in link.separated.given], _MOST_NAMES),
        p=_p(link, numbers),
        **names,
    )


def _is_no_cause(result: DiscoveryResult, other: str, label: str) -> bool:
    """Tell whether the run says that one label is no cause of another."""
    findings = result.findings
    return findings.direction(other, label) is Direction.EFFECT or findings.grade(other, label) in _NO_CAUSE


def _p(link: LinkThroughLabels, numbers: NumberWriter) -> str:
    test = link.separated
    assert test is not None
    return numbers.p_statement(test.p_value, test.log_p)


def _name(result: DiscoveryResult, text: str) -> Name:
    return Name(text, text in result.dataset.labels)
