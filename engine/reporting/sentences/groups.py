"""Groups of labels in sentences: which labels go together, and what is linked to them as one outcome."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.discovery.evidence import Evidence
from engine.discovery.label_groups import LabelGroup
from engine.wording.numbers import ENGLISH, NumberWriter
from engine.wording.phrases import Name, Phrase, for_count, listing, phrase, plain
from engine.wording.sentences import AS_FAR_AS_SHOWN

if TYPE_CHECKING:
    from engine.discovery.result import DiscoveryResult

_MOST_MEMBERS, _MOST_FEATURES, _MOST_GIVEN = 6, 3, 5
_TOGETHER = "{count} labels go together as if they reflected one thing: {members}."
_TURNED = "{count} labels go together as if they reflected one thing: {members} ({reversed} reversed)."
_LINKED = (
    "{features} is linked to {group} as one outcome.",
    "{features} are linked to {group} as one outcome.",
)
_NONE_LINKED = f"No variable is linked to {{group}} as one outcome, {AS_FAR_AS_SHOWN}."
_THE_ONLY_GROUP, _ONE_OF_GROUPS = "the group of these {count} labels", "the group of {members}"
_FIGURES = "{feature} is linked to {group}: strength {strength}, {p}."
_FIGURES_GIVEN = "{feature} is linked to {group}: strength {strength}, {p} given {given}."
_FIGURES_ALONE = "{feature} is linked to {group}."


def group_summary(
    result: DiscoveryResult, numbers: NumberWriter = ENGLISH, label: str = ""
) -> tuple[Phrase, ...]:
    """Say which labels go together and, where such links count, what is linked to them as one outcome.

    Of each group, or of that of one label.

    Examples
    --------
    >>> import engine
    >>> result = engine.discover(engine.simulate(labels=4, features=20, rows=2000, seed=1).dataset)
    >>> len(group_summary(result)) == 2 * len(result.label_groups)
    True
    """
    return tuple(_summary(result, numbers, label))


def _summary(result: DiscoveryResult, numbers: NumberWriter, label: str) -> Iterator[Phrase]:
    for group in result.label_groups:
        if label and label not in group.members:
            continue
        yield phrase(
            _TURNED if group.reversed else _TOGETHER,
            count=numbers.count(len(group.members)),
            members=listing([Name(each, True) for each in group.members], _MOST_MEMBERS),
            reversed=listing([Name(each, True) for each in group.reversed], _MOST_MEMBERS),
        )
        if not result.counts_through_labels:
            continue
        strongest = sorted(group.reasons, key=lambda reason: -reason.strength)
        features = listing([Name(reason.feature) for reason in strongest], _MOST_FEATURES)
        named = _group_phrase(result, group, numbers)
        if not features:
            yield phrase(_NONE_LINKED, group=named)
        else:
            yield phrase(for_count(len(strongest), *_LINKED), features=features, group=named)


def _group_phrase(result: DiscoveryResult, group: LabelGroup, numbers: NumberWriter = ENGLISH) -> Phrase:
    """Call a group by its number of labels, or by their names where there are several groups."""
    if len(result.label_groups) == 1:
        return phrase(_THE_ONLY_GROUP, count=numbers.count(len(group.members)))
    return phrase(_ONE_OF_GROUPS, members=listing([Name(each, True) for each in group.members], 2))


def group_links(
    result: DiscoveryResult, numbers: NumberWriter = ENGLISH, feature: str = "", label: str = ""
) -> tuple[Phrase, ...]:
    """Say of each link of a feature with a group how strong it is, with the test that decides.

    Of all features and groups, or of one feature, and of the group of one label. Empty where links through
    other labels are not counted.
    """
    if not result.counts_through_labels:
        return ()
    return tuple(
        _link_phrase(result, group, reason, numbers)
        for group in result.label_groups
        if label in ("", *group.members)
        for reason in sorted(group.reasons, key=lambda reason: -reason.strength)
        if feature in ("", reason.feature)
    )


def _link_phrase(
    result: DiscoveryResult, group: LabelGroup, reason: Evidence, numbers: NumberWriter = ENGLISH
) -> Phrase:
    """Say how strongly a feature is linked to a group, with the test that decides."""
    test = reason.deciding
    parts: dict[str, Name | Phrase] = {
        "feature": Name(reason.feature),
        "group": _group_phrase(result, group, numbers),
    }
    if test is None:
        return phrase(_FIGURES_ALONE, **parts)
    return phrase(
        _FIGURES_GIVEN if test.given else _FIGURES,
        strength=numbers.strength(reason.strength),
        p=numbers.p_statement(test.p_value, test.log_p),
        given=listing([Name(each) for each in test.given], _MOST_GIVEN),
        **parts,
    )


def group_sentences(result: DiscoveryResult) -> tuple[str, ...]:
    """Write the links with groups as plain texts."""
    return tuple(map(plain, group_links(result)))
