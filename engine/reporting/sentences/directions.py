"""Rules, directions and equivalences in sentences that know their names."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from engine.discovery.evidence import Evidence, Rule
from engine.discovery.finding_words import DIRECT, reason_text
from engine.discovery.orientation.direction import Because, Direction, Orientation
from engine.wording.numbers import ENGLISH, NumberWriter
from engine.wording.phrases import Name, Phrase, listing, phrase, plain

if TYPE_CHECKING:
    from engine.discovery.evidence import Equivalence
    from engine.discovery.result import DiscoveryResult


CLAIMS = {
    Direction.CAUSE: "{feature} is a cause of {label}",
    Direction.EFFECT: "{feature} is an effect of {label}",
}
_REASONS = {
    Because.SHARED_EFFECT: "{label} and {others} are independent{given}, and become associated once "
    "{feature} is held fixed{too}; so {feature} is a cause of neither",
    Because.SEVERAL_CAUSES: "{feature} and {others} are independent{given}, and become associated once "
    "{label} is held fixed{too}; so {label} is a cause of neither",
    Because.NO_FURTHER_COLLIDER: "{others} is a cause of {cause}, and is independent of {effect} once "
    "{cause} is held fixed{too}; were {effect} a cause of {cause}, that would join the two instead",
    Because.NO_CYCLE: "{cause} is a cause of {others}, and {others} of {effect}; the other way round, causes "
    "would run in a circle",
    Because.NO_CYCLE_OR_COLLIDER: "{others} are causes of {effect} and stand next to {cause}; the other way "
    "round, causes would run in a circle, or both would be causes of {cause}, which the tests exclude",
    Because.BEST_GRAPH: "of all graphs of the two together with {others}, the best in which {cause} is a "
    "cause of {effect} makes the rows {times} times as likely as the best in which {effect} is a cause of "
    "{cause}, after what each pays for its parameters",
    Because.KNOWLEDGE: "so it was said before the data were looked at",
}
_FROM_CUT_NUMBERS = (
    "Directions are not told from tests of {variables} whose numbers were cut into bins: held fixed, bins "
    "let a part of what a number explains through."
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
    """Say by which rule a variable counts, and of a neighbour whether it is a cause or an effect.

    Examples
    --------
    >>> import engine
    >>> network = engine.simulate(labels=4, features=30, rows=3000, seed=1)
    >>> result = engine.discover(network.dataset)
    >>> sorted({relation_text(result, reasons[0]) for reasons in result.evidence.values()})[:2]
    ['direct cause', 'direct effect']
    """
    direct = DIRECT.get(result.direction(reason.feature, reason.label))
    return direct if direct and reason.rule is Rule.NEIGHBOUR else reason_text(reason)


def claim(found: Orientation, labels: Sequence[str]) -> Phrase:
    """Say whether a variable is a cause or an effect; empty when undecided.

    Parameters
    ----------
    found : Orientation
    labels : sequence of str
        Names that are those of labels.
    """
    template = CLAIMS.get(found.direction)
    if template is None:
        return ()
    return phrase(template, feature=_name(found.feature, labels), label=_name(found.label, labels))


def because(found: Orientation, labels: Sequence[str], numbers: NumberWriter = ENGLISH) -> Phrase:
    """Say what tells the direction, as the second half of a sentence; empty when undecided.

    Parameters
    ----------
    found : Orientation
    labels : sequence of str
        Names that are those of labels.
    numbers : NumberWriter
        How numbers are written.

    Examples
    --------
    >>> found = Orientation("fever", "flu", Direction.EFFECT, Because.SHARED_EFFECT, ("malaria",))
    >>> plain(because(found, ["flu"]))[:62]
    'flu and malaria are independent, and become associated once fe'
    """
    if found.because is None:
        return ()
    is_cause = found.direction is Direction.CAUSE
    cause, effect = (found.feature, found.label) if is_cause else (found.label, found.feature)
    # What is held fixed besides the variable in the middle.
    others = found.tests[0].given if found.tests else ()
    fixed = [name for name in others if name != cause or found.because is not Because.NO_FURTHER_COLLIDER]
    given: Phrase = ()
    if fixed and found.because in (Because.SHARED_EFFECT, Because.SEVERAL_CAUSES):
        given = phrase(" with {names} held fixed", names=listing([_name(each, labels) for each in fixed]))
    elif fixed:
        given = phrase(" with {names}", names=listing([_name(each, labels) for each in fixed]))
    is_rule = found.because is Because.NO_FURTHER_COLLIDER
    return phrase(
        _REASONS[found.because],
        feature=_name(found.feature, labels),
        label=_name(found.label, labels),
        cause=_name(cause, labels),
        effect=_name(effect, labels),
        others=listing([_name(each, labels) for each in found.others]),
        times=_times(found.log_ratio, numbers),
        given=given,
        too=given if is_rule else (" too",) if fixed else (),
    )


def _times(log_ratio: float | None, numbers: NumberWriter) -> str:
    """Say how many times something is as likely, with two digits."""
    if log_ratio is None:
        return ""
    if log_ratio > math.log(_MOST_TIMES):
        return f"more than {numbers.count(_MOST_TIMES)}"
    times = math.exp(log_ratio)
    return numbers.count(int(round(times, min(0, 1 - int(math.log10(times))))))


def direction_phrases(result: DiscoveryResult, numbers: NumberWriter = ENGLISH) -> tuple[Phrase, ...]:
    """Say for how many neighbours the data tell the direction, and which are common causes or effects.

    Parameters
    ----------
    result : DiscoveryResult
        What was found; nothing is said where no neighbour was examined.
    numbers : NumberWriter
        How numbers are written.
    """
    features = [each for key, each in result.orientation_records.items() if key in result.evidence]
    if not features:
        return ()
    counts = Counter(each.direction for each in features)
    causes, effects = counts[Direction.CAUSE], counts[Direction.EFFECT]
    total = numbers.counted(len(features), "direct neighbour")
    cut = sum(each.is_cut for each in result.dataset.variables)
    withheld = [phrase(_FROM_CUT_NUMBERS, variables=numbers.counted(cut, "variable"))] if cut else []
    if not causes + effects:
        none = phrase("Of {total}, none could be told to be a cause or an effect.", total=total)
        return (none, *withheld)
    sentences = [
        phrase(
            "Of {total}, {decided} could be told to be a cause or an effect: {causes} and {effects}.",
            total=total,
            decided=numbers.count(causes + effects),
            causes=numbers.counted(causes, "cause"),
            effects=numbers.counted(effects, "effect"),
        ),
        *withheld,
    ]
    for direction, opening in (
        ("common cause", "A cause of every label that it is linked to"),
        ("common effect", "An effect of every label that it is linked to"),
    ):
        names = [each.feature for each in result.findings.common if each.direction == direction]
        if names:
            sentences.append(phrase("{opening}: {names}.", opening=opening, names=_listed(names)))
    return tuple(sentences)


def direction_sentences(result: DiscoveryResult) -> tuple[str, ...]:
    """Return the same as plain text."""
    return tuple(map(plain, direction_phrases(result)))


def _listed(names: Sequence[str]) -> Phrase:
    return listing([Name(each) for each in names], _MOST_NAMES)


def _name(text: str, labels: Sequence[str]) -> Name:
    return Name(text, text in labels)


def missed_text(limit: float, numbers: NumberWriter = ENGLISH) -> str:
    """Say what share is missed at most.

    Examples
    --------
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
    if record.is_shown:
        claim = "{inside} and {outside} are interchangeable: they tell the same about {target}."
    else:
        claim = (
            "{inside} and {outside} are not told apart with these rows: what they tell about {target} may be "
            "the same, or not."
        )
    yield phrase(claim, inside=inside, outside=outside, target=target)
    if record.missed_by_boundary is None or record.missed_by_equivalent is None:
        yield phrase("An earlier version of the program found this, which did not measure what each misses.")
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
