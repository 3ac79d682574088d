"""Rules, directions and equivalences in sentences that know their names."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from engine.discovery.evidence import Evidence
from engine.discovery.finding_words import pair_words, relation_words
from engine.discovery.orientation.direction import (
    Because,
    CommonDirection,
    Direction,
    Orientation,
    direction_of,
)
from engine.discovery.orientation.grades import ClaimKind, CommonGrade
from engine.reporting.sentences.grades import (
    OTHER_REASONS,
    claim_phrase,
    grade_phrase,
    joined_phrase,
    separated_phrase,
)
from engine.wording.numbers import ENGLISH, NumberWriter
from engine.wording.phrases import Name, Phrase, for_count, listing, phrase, plain

if TYPE_CHECKING:
    from engine.discovery.evidence import Equivalence
    from engine.discovery.result import DiscoveryResult


_CLAIMS = {
    Direction.CAUSE: "If nothing is hidden, {feature} is a cause of {label}",
    Direction.EFFECT: "If nothing is hidden, {feature} is an effect of {label}",
}
_REASONS = {
    Because.NO_CYCLE: "{cause} is a cause of {others}, and {others} of {effect}; the other way round, causes "
    "would run in a circle",
    Because.NO_CYCLE_OR_COLLIDER: "{others} are causes of {effect} and stand next to {cause}; the other way "
    "round, causes would run in a circle, or both would be causes of {cause}, which the tests exclude",
    Because.BEST_GRAPH: "of all graphs of the two together with {others}, the best in which {cause} is a "
    "cause of {effect} makes the rows {times} times as likely as the best in which {effect} is a cause of "
    "{cause}, after what each pays for its parameters",
    Because.KNOWLEDGE: "the two are linked, and by background knowledge given with this run {effect} is no "
    "cause of {cause}",
}
_THROUGH = {Because.NO_CYCLE: 1, Because.NO_CYCLE_OR_COLLIDER: 2}
_REQUIRED = "background knowledge given with this run says so"
_FROM_CUT_NUMBERS = (
    "Directions are not told from tests of {variables} whose numbers were cut into bins: conditioned on, "
    "bins let a part of what a number explains through."
)
# Whether several variables stand in the boundary, and whether several in place of them.
_MISSED = {
    (False, False): "{inside} misses at most {first} of what {outside} tells about it, and {outside} misses "
    "at most {second} of what {inside} tells (upper limits at level {alpha}).",
    (False, True): "{inside} misses at most {first} of what {outside} tell about it, and {outside} miss "
    "at most {second} of what {inside} tells (upper limits at level {alpha}).",
    (True, False): "{inside} miss at most {first} of what {outside} tells about it, and {outside} misses "
    "at most {second} of what {inside} tell (upper limits at level {alpha}).",
    (True, True): "{inside} miss at most {first} of what {outside} tell about it, and {outside} miss "
    "at most {second} of what {inside} tell (upper limits at level {alpha}).",
}
_MOST_NAMES = 3
# So many times as likely is said in figures, and what is more is not.
_MOST_TIMES = 1_000_000


def relation_text(result: DiscoveryResult, reason: Evidence) -> str:
    """Say by which rule a variable counts, and of a neighbour what it is to the label, if known."""
    if reason.pair in result.links_through_labels:
        return pair_words(result.total_findings.by_feature[reason.feature], reason.label)
    return relation_words(reason, result.direction(*reason.pair), result.grade(*reason.pair))


def claim(found: Orientation, labels: Sequence[str]) -> Phrase:
    """Say whether a variable is a cause or an effect if nothing is hidden; empty when undecided.

    >>> plain(claim(Orientation("fever", "flu", Direction.EFFECT), ["flu"]))
    'If nothing is hidden, fever is an effect of flu'
    """
    template = _CLAIMS.get(direction_of(found))
    if template is None:
        return ()
    return phrase(template, feature=_name(found.feature, labels), label=_name(found.label, labels))


def because(found: Orientation, labels: Sequence[str], numbers: NumberWriter = ENGLISH) -> Phrase:
    """Say what tells the direction, as the second half of a sentence; empty when undecided.

    >>> found = Orientation("fever", "flu", Direction.EFFECT, Because.SHARED_EFFECT, ("malaria",))
    >>> plain(because(found, ["flu"]))[:62]
    'flu and malaria are independent, and become associated once fe'
    """
    if found.because is None:
        return ()
    is_cause = found.direction is Direction.CAUSE
    cause, effect = (found.feature, found.label) if is_cause else (found.label, found.feature)
    if found.because in (Because.SHARED_EFFECT, Because.SEVERAL_CAUSES):
        # Told by a triple around the effect, which is no cause of the cause.
        return joined_phrase(effect, cause, found.others, found.tests, labels)
    if found.because is Because.NO_FURTHER_COLLIDER:
        return separated_phrase(cause, effect, found.others, found.tests, labels)
    is_required = found.because is Because.KNOWLEDGE and any(
        each.kind is ClaimKind.CAUSE and each.because is Because.KNOWLEDGE for each in found.claims
    )
    # Rules on arrows go through so many variables; what follows from the grades names none.
    if len(found.others) != _THROUGH.get(found.because, len(found.others)):
        return (OTHER_REASONS[found.because],)
    return phrase(
        _REQUIRED if is_required else _REASONS[found.because],
        cause=_name(cause, labels),
        effect=_name(effect, labels),
        others=listing([_name(each, labels) for each in found.others]),
        times=_times(found.log_ratio, numbers),
    )


def why_phrases(
    found: Orientation, labels: Sequence[str], numbers: NumberWriter = ENGLISH
) -> tuple[Phrase, ...]:
    """Say in sentences what is known of a variable as to a label and what tells it; none when nothing is.

    First what holds even if something is hidden, and then what holds if nothing is.

    >>> found = Orientation("fever", "flu", Direction.EFFECT, Because.SHARED_EFFECT, ("malaria",))
    >>> plain(why_phrases(found, ["flu"])[0])[:69]
    'If nothing is hidden, fever is an effect of flu: flu and malaria are '
    """
    sentences: list[Phrase] = []
    known = grade_phrase(found, labels)
    if known:
        sentences.append(phrase("Even if something is hidden, {known}.", known=known))
        sentences += [phrase("{known}.", known=claim_phrase(each, labels)) for each in found.claims]
    claimed = claim(found, labels)
    if found.because is not None and claimed:
        reason = because(found, labels, numbers)
        sentences.append(phrase("{claim}: {because}.", claim=claimed, because=reason))
    return tuple(sentences)


def _times(log_ratio: float | None, numbers: NumberWriter) -> str:
    """Say how many times something is as likely, with two digits."""
    if log_ratio is None:
        return ""
    if log_ratio > math.log(_MOST_TIMES):
        return f"more than {numbers.count(_MOST_TIMES)}"
    times = math.exp(log_ratio)
    return numbers.count(int(round(times, min(0, 1 - int(math.log10(times))))))


def direction_phrases(result: DiscoveryResult, numbers: NumberWriter = ENGLISH) -> tuple[Phrase, ...]:
    """Say for how many neighbours the data tell the direction, and which are common causes or effects."""
    features = [each for key, each in result.orientation_records.items() if key in result.evidence]
    if not features:
        return ()
    counts = Counter(direction_of(each) for each in features)
    causes, effects = counts[Direction.CAUSE], counts[Direction.EFFECT]
    total = numbers.counted(len(features), "direct neighbour")
    cut = sum(each.is_cut for each in result.dataset.variables)
    withheld = [phrase(_FROM_CUT_NUMBERS, variables=numbers.counted(cut, "variable"))] if cut else []
    if not causes + effects:
        return (phrase(for_count(len(features), *_NOT_TOLD), total=total), *withheld)
    sentences = [
        phrase(
            "If nothing is hidden, {decided} of {total} can be told to be a cause or an effect: {causes} and "
            "{effects}.",
            total=total,
            decided=numbers.count(causes + effects),
            causes=numbers.counted(causes, "cause"),
            effects=numbers.counted(effects, "effect"),
        ),
        *withheld,
    ]
    sentences += _of_every_label(result)
    return tuple(sentences)


_NOT_TOLD = (
    "The data do not tell whether the one direct neighbour is a cause or an effect.",
    "The data tell of none of the {total} whether it is a cause or an effect.",
)
_CAUSE_OF_ALL = "Even if something is hidden, a cause of every label that it is linked to: {names}."
_EFFECT_OF_ALL = "Even if something is hidden, an effect of every label that it is linked to: {names}."
_COMMON_CAUSE = "If nothing is hidden, a cause of every label that it is linked to: {names}."
_COMMON_EFFECT = "If nothing is hidden, an effect of every label that it is linked to: {names}."


def _of_every_label(result: DiscoveryResult) -> Iterator[Phrase]:
    """Name the causes and effects of all of their labels: first what holds even if something is hidden."""
    graded = {CommonGrade.CAUSE_OF_ALL: _CAUSE_OF_ALL, CommonGrade.EFFECT_OF_ALL: _EFFECT_OF_ALL}
    directed = {
        CommonDirection.COMMON_CAUSE: _COMMON_CAUSE,
        CommonDirection.COMMON_EFFECT: _COMMON_EFFECT,
    }
    names: dict[str, list[str]] = {template: [] for template in (*graded.values(), *directed.values())}
    for finding in result.counted_findings.common:
        template = graded.get(CommonGrade(finding.grade)) or directed.get(CommonDirection(finding.direction))
        if template is not None:
            names[template].append(finding.feature)
    for template, features in names.items():
        if features:
            yield phrase(template, names=_listed(features))


def direction_sentences(result: DiscoveryResult) -> tuple[str, ...]:
    """Return the same as plain text."""
    return tuple(map(plain, direction_phrases(result)))


def _listed(names: Sequence[str]) -> Phrase:
    return listing([Name(each) for each in names], _MOST_NAMES)


def _name(text: str, labels: Sequence[str]) -> Name:
    return Name(text, text in labels)


def missed_text(limit: float, numbers: NumberWriter = ENGLISH) -> str:
    """Say what share is missed at most.

    >>> missed_text(0.042), missed_text(3.0)
    ('4.2 %', 'all')
    """
    return "all" if limit >= 1.0 else numbers.share(limit)


def equivalence_sentences(
    record: Equivalence, result: DiscoveryResult, numbers: NumberWriter = ENGLISH
) -> Iterator[Phrase]:
    """Say which two sets are interchangeable, or not told apart, about what, and how much each may miss."""
    labels = frozenset(result.dataset.labels)

    def named(names: tuple[str, ...]) -> Phrase:
        return listing([Name(name, name in labels) for name in names])

    inside, outside = named(record.in_boundary), named(record.equivalent)
    target = Name(record.target, record.target in labels)
    if record.is_shown and not record.is_measured:
        claim = (
            "{inside} and {outside} count as interchangeable about {target}. Given either of them, the test "
            "finds no association of {target} with the other. The published procedure asks no more: how much "
            "each may miss is not measured."
        )
    elif record.is_shown:
        claim = "{inside} and {outside} are interchangeable: they tell the same about {target}."
    else:
        claim = (
            "{inside} and {outside} are not told apart with these rows: what they tell about {target} may be "
            "the same, or not."
        )
    yield phrase(claim, inside=inside, outside=outside, target=target)
    if record.missed_by_boundary is None or record.missed_by_equivalent is None:
        if not record.is_shown:
            yield phrase(
                "An earlier version of the program found this, which did not measure what each misses."
            )
        return
    several = len(record.in_boundary) > 1, len(record.equivalent) > 1
    yield phrase(
        _MISSED[several],
        inside=inside,
        outside=outside,
        first=missed_text(record.missed_by_boundary.limit, numbers),
        second=missed_text(record.missed_by_equivalent.limit, numbers),
        alpha=f"{result.settings.alpha:g}",
    )
