"""Links through other labels in sentences: what they make common, and which labels explain them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from engine.boundaries.markov_boundary import LinkKind
from engine.discovery.evidence import DecidedBy, Evidence, LinkThroughLabels
from engine.discovery.label_groups import LabelGroup
from engine.translation import N_, _, for_count
from engine.wording.numbers import ENGLISH, NumberWriter
from engine.wording.phrases import Name, Phrase, listing, phrase, plain
from engine.wording.sentences import LINKS_ARE_COUNTED

if TYPE_CHECKING:
    from engine.discovery.evidence import Evidence
    from engine.discovery.result import DiscoveryResult


_THROUGH = N_(
    "{feature} is linked to {label} through {through}: given {given}, no further link is significant ({p})."
)
_NOT_GIVEN = N_("{feature} is linked to {label}: given {given}, no further link is significant ({p}).")
_EITHER = N_(
    "{feature} is linked to {first} and to {second}: given either of the two, no further link with the other "
    "is significant ({p_first} and {p_second})."
)
_EACH_GIVEN = N_(
    "{feature} is linked to {first} and to {second}. Given {given_first}, no further link with {first} is "
    "significant ({p_first}). Given {given_second}, none with {second} is ({p_second})."
)
_SHARED = N_("Without the other labels, {feature} is linked to {label}; no tested set of labels explains it.")
_NO_MORE_THAN_SHARED = N_(
    "{feature} is linked to {labels}; these rows do not show more than what the outcomes share."
)
# Given the effects that they share, as spouses are.
_THROUGH_AMONG_ALIKE = N_(
    "Among rows alike in {effects}, {feature} is linked to {label} through {through}: given also {given}, no "
    "further link is significant ({p})."
)
_AMONG_ALIKE = N_(
    "Among rows alike in {effects}, {feature} is linked to {label}: given also {given}, no further link is "
    "significant ({p})."
)
_SHARED_AMONG_ALIKE = N_(
    "Among rows alike in {effects}, {feature} is linked to {label}; no tested set of labels explains it."
)
_NO_MORE_THAN_SHARED_AMONG_ALIKE = N_(
    "Among rows alike in {effects}, {feature} is linked to {labels}; these rows do not show more than what "
    "the outcomes share."
)
_BY_STEPS = N_(
    " The association of {feature} and {label} has {p}; it is stated because each of its steps was found."
)
_BY_NAMED_STEPS = N_(
    " The association of {feature} and {label} has {p}; it is stated because each of its steps was found: "
    "{steps}."
)
_STEP = N_("{first} with {second}")
_NOT_COUNTED = N_("Links through other labels are not counted.")
_NONE_DIRECTLY = N_("Links through other labels are counted. None is linked directly to two or more labels.")
_DIRECTLY = (
    N_("Links through other labels are counted. Directly, {count} is linked to two or more labels."),
    N_("Links through other labels are counted. Directly, {count} are linked to two or more labels."),
)
_COMMON_AMONG_ALIKE = N_(
    "For {count} of the common variables, the link to a second label was found only among rows alike in a "
    "shared effect."
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


def counting_sentence(result: DiscoveryResult) -> str:
    """Say in a file whether links through other labels are counted in it; empty where there are none."""
    if not result.links_through_labels:
        return ""
    return _(LINKS_ARE_COUNTED) if result.counts_through_labels else _(_NOT_COUNTED)


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
    return phrase(_COMMON_AMONG_ALIKE, count=numbers.count(count)) if count else ()


def through_phrases(result: DiscoveryResult, numbers: NumberWriter = ENGLISH) -> tuple[Phrase, ...]:
    """Say of each link through other labels which labels explain it, in column order.

    Two labels that explain the link with each other share a sentence, and so do labels of a group.
    """
    pairs = (
        (feature, label)
        for feature, finding in result.total_findings.by_feature.items()
        for label, kind in zip(finding.labels, finding.kinds, strict=True)
        if kind is LinkKind.THROUGH_LABELS
    )
    return tuple(dict.fromkeys(through_phrase(result, *pair, numbers) for pair in pairs))


def through_phrase(
    result: DiscoveryResult, feature: str, label: str, numbers: NumberWriter = ENGLISH
) -> Phrase:
    """Say which labels explain the link of one pair; empty where it has none through other labels.

    The sentence is the same for all pairs that share it.
    """
    link = result.links_through_labels.get((feature, label))
    if link is None:
        return ()
    findings = result.total_findings
    if findings.is_shared(link):
        return _no_more_than_shared(result, link, numbers)
    alternative = findings.explained_by_each_other(link)
    if alternative is None:
        return _one(result, link, numbers)
    first, second = sorted((link, alternative), key=lambda mutual: findings.labels.index(mutual.pair[1]))
    return _either(result, first, second, numbers)


def through_sentences(result: DiscoveryResult) -> tuple[str, ...]:
    """Write the same as plain texts."""
    return tuple(map(plain, through_phrases(result)))


def _no_more_than_shared(result: DiscoveryResult, link: LinkThroughLabels, numbers: NumberWriter) -> Phrase:
    """Name all labels of which no more is shown of a feature, given the same effects."""
    finding = result.total_findings.by_feature[link.pair[0]]
    links = [
        through
        for through in finding.through_labels
        if through is not None and through.pair[1] in finding.shared and through.effects == link.effects
    ]
    told = phrase(
        _NO_MORE_THAN_SHARED_AMONG_ALIKE if link.effects else _NO_MORE_THAN_SHARED,
        effects=listing([_name(result, effect) for effect in link.effects]),
        feature=_name(result, link.pair[0]),
        labels=listing([_name(result, through.pair[1]) for through in links]),
    )
    return (*told, *(part for through in links for part in _by_steps(result, through, numbers)))


def _either(
    result: DiscoveryResult, first: LinkThroughLabels, second: LinkThroughLabels, numbers: NumberWriter
) -> Phrase:
    feature, label = first.pair
    tests = [link.separated for link in (first, second) if link.separated is not None]
    given_first, given_second = (
        listing([_name(result, name) for name in test.given], _MOST_NAMES) for test in tests
    )
    told = phrase(
        _EITHER if all(len(test.given) == 1 for test in tests) else _EACH_GIVEN,
        feature=_name(result, feature),
        given_first=given_first,
        given_second=given_second,
        first=_name(result, label),
        second=_name(result, second.pair[1]),
        p_first=_p(first, numbers),
        p_second=_p(second, numbers),
    )
    return (*told, *(part for link in (first, second) for part in _by_steps(result, link, numbers)))


def _by_steps(result: DiscoveryResult, link: LinkThroughLabels, numbers: NumberWriter) -> Phrase:
    """Say that a link rests on its steps, where it does."""
    reason = link.reasons[0]
    test = reason.deciding
    if reason.decided_by is not DecidedBy.STEPS or test is None:
        return ()
    way = [_name(result, name) for name in (reason.feature, *link.steps, reason.label)]
    steps = [phrase(_STEP, first=first, second=second) for first, second in pairwise(way)]
    return phrase(
        _BY_NAMED_STEPS if link.steps else _BY_STEPS,
        feature=way[0],
        label=way[-1],
        p=numbers.p_statement(test.p_value, test.log_p),
        steps=listing(steps),
    )


def _one(result: DiscoveryResult, link: LinkThroughLabels, numbers: NumberWriter) -> Phrase:
    feature, label = link.pair
    names: dict[str, Name | Phrase] = {"feature": _name(result, feature), "label": _name(result, label)}
    effects = link.effects
    if effects:
        names["effects"] = listing([_name(result, effect) for effect in effects])
    by_steps = _by_steps(result, link, numbers)
    if link.separated is None:
        return (*phrase(_SHARED_AMONG_ALIKE if effects else _SHARED, **names), *by_steps)
    # Where a label is known to be no cause of the other, "through" would say that it carries the link there.
    runs_through = result.total_findings.runs_through(link)
    given = [name for name in link.separated.given if name not in effects]
    templates = (_THROUGH_AMONG_ALIKE, _AMONG_ALIKE) if effects else (_THROUGH, _NOT_GIVEN)
    told = phrase(
        templates[0 if runs_through else 1],
        through=listing([_name(result, name) for name in link.through]),
        given=listing([_name(result, name) for name in given], _MOST_NAMES),
        p=_p(link, numbers),
        **names,
    )
    return (*told, *by_steps)


def _p(link: LinkThroughLabels, numbers: NumberWriter) -> str:
    test = link.separated
    assert test is not None
    return numbers.p_statement(test.p_value, test.log_p)


def _name(result: DiscoveryResult, text: str) -> Name:
    return Name(text, text in result.dataset.labels)


_MOST_MEMBERS, _MOST_FEATURES, _MOST_GIVEN = 6, 3, 5
_TOGETHER = N_("{count} labels vary together as if they reflected one thing: {members}.")
_TURNED = N_("{count} labels vary together as if they reflected one thing: {members} ({reversed} reversed).")
_LINKED = (
    N_("{features} is linked to {group} as one outcome."),
    N_("{features} are linked to {group} as one outcome."),
)
_NONE_LINKED = N_("No variable is linked to {group} as one outcome, as far as these data show.")
_THE_ONLY_GROUP, _ONE_OF_GROUPS = N_("the group of these {count} labels"), N_("the group of {members}")
_FIGURES = N_("{feature} is linked to {group}: strength {strength}, {p}.")
_FIGURES_GIVEN = N_("{feature} is linked to {group}: strength {strength}, {p} given {given}.")
_FIGURES_ALONE = N_("{feature} is linked to {group}.")


def group_summary(
    result: DiscoveryResult, numbers: NumberWriter = ENGLISH, label: str = ""
) -> tuple[Phrase, ...]:
    """Say of groups, or that of one label, which labels go together and what is linked to them as one."""
    return tuple(_summary(result, numbers, label))


def _summary(result: DiscoveryResult, numbers: NumberWriter, label: str) -> Iterator[Phrase]:
    for group in result.label_groups:
        if label and label not in group.members:
            continue
        yield phrase(
            _TURNED if group.reversed else _TOGETHER,
            count=numbers.count(len(group.members)),
            members=listing([Name(member, True) for member in group.members], _MOST_MEMBERS),
            reversed=listing([Name(name, True) for name in group.reversed], _MOST_MEMBERS),
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
    return phrase(_ONE_OF_GROUPS, members=listing([Name(member, True) for member in group.members], 2))


def group_links(
    result: DiscoveryResult, numbers: NumberWriter = ENGLISH, feature: str = "", label: str = ""
) -> tuple[Phrase, ...]:
    """Say of each link of a feature with a group how strong it is, with the test that decides.

    Of all features and groups, or of those named. Empty where links through other labels are not counted.
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
        given=listing([Name(name) for name in test.given], _MOST_GIVEN),
        **parts,
    )


def group_sentences(result: DiscoveryResult) -> tuple[str, ...]:
    """Write the links with groups as plain texts."""
    return tuple(map(plain, group_links(result)))


# By how many variables stand between the two.
_SPOUSES_SHARED = (
    N_(
        "{who} is a spouse of {label}: if no common cause is unmeasured, both are causes of "
        "{children}, their shared effect."
    ),
    N_(
        "{who} is a spouse of {label}: if no common cause is unmeasured, both are causes of "
        "{children}, their shared effects."
    ),
)
_SPOUSES_LINKED = N_(
    "{who} is a spouse of {label}: among rows alike in {children} the two are associated, as "
    "two causes of one effect are. {doubt}"
)
_PAIR_SHARED = N_(
    "{who} and {label} are spouses: if no common cause is unmeasured, both are causes of {children}"
)
_PAIR_LINKED = N_(
    "{who} and {label} are spouses: associated among rows alike in {children}, as two causes of one "
    "effect are"
)
_NOT_TOLD = N_("These data do not show whether they are causes.")
_DENIED = N_("The stated directions contradict this.")


def spouse_claim(result: DiscoveryResult, spouse: Evidence, who: Phrase) -> Phrase:
    """Say what links a spouse to its label, and whether the two are told to be causes of it."""
    doubt = _(_DENIED if result.findings.are_causes_denied(spouse) else _NOT_TOLD)
    children, are_shared = _children(result, spouse)
    claim = _SPOUSES_LINKED
    if are_shared:
        claim = for_count(max(len(children), 1), *_SPOUSES_SHARED)
    return _filled(result, spouse, claim, who, children, doubt)


def spouse_pair(result: DiscoveryResult, spouse: Evidence) -> Phrase:
    """Say the same of two labels, as the first half of a sentence."""
    children, are_shared = _children(result, spouse)
    claim = _PAIR_SHARED if are_shared else _PAIR_LINKED
    return _filled(result, spouse, claim, (_name(result, spouse.feature),), children)


def _children(result: DiscoveryResult, spouse: Evidence) -> tuple[Sequence[str], bool]:
    """Return what stands between a spouse and its label, and whether these are shared effects."""
    shared = result.findings.shared_effects(spouse)
    return shared or spouse.children, bool(shared)


def _filled(
    result: DiscoveryResult,
    spouse: Evidence,
    claim: str,
    who: Phrase,
    children: Sequence[str],
    doubt: str = "",
) -> Phrase:
    return phrase(
        claim,
        who=who,
        label=_name(result, spouse.label),
        children=_names(result, children) or (_("a neighbour of both"),),
        doubt=doubt,
    )


def _names(result: DiscoveryResult, texts: Sequence[str]) -> Phrase:
    return listing([_name(result, text) for text in texts])
