"""How often findings came back, in sentences that know their names."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from engine.discovery.stability.result import StabilitySettings
from engine.wording.numbers import ENGLISH, NumberWriter
from engine.wording.phrases import Name, Phrase, phrase, plain

if TYPE_CHECKING:
    from engine.discovery.result import DiscoveryResult
    from engine.discovery.stability.result import PairCount, StabilityResult


NEARLY_ALWAYS = 0.9
SELDOM = 0.5
_MOST_NAMES = 3
_ROUNDING = 1e-9


def stability_phrases(result: DiscoveryResult, numbers: NumberWriter = ENGLISH) -> tuple[Phrase, ...]:
    """Say how many findings came back nearly always and how many seldom, and what was nearly found.

    Parameters
    ----------
    result : DiscoveryResult
        What was found; without a stability nothing is said.
    numbers : NumberWriter
        How numbers are written.

    Examples
    --------
    >>> import engine
    >>> network = engine.simulate(labels=3, features=12, rows=1000, seed=0)
    >>> result = engine.discover(network.dataset)
    >>> stability_phrases(result)
    ()
    >>> repeated = result.with_stability(engine.stability(network.dataset, resamples=4))
    >>> plain(stability_phrases(repeated)[0])[:47]
    'Searched again on 4 random halves of the rows: '
    """
    stability = result.stability
    if stability is None:
        return ()
    sentences: list[Phrase] = []
    if stability.is_partial:
        stopped = "The repetition was stopped: {done} of {total} parts were searched."
        total = numbers.count(stability.settings.resamples)
        sentences.append(phrase(stopped, done=numbers.count(stability.finished), total=total))
    if result.evidence:
        sentences.append(_came_back(result, stability, numbers))
    # Imported late: it brings pandas along, without which the window starts.
    from engine.discovery.result import near_misses

    near = near_misses(result)
    if near:
        sentences.append(_near_misses(near, numbers))
    return tuple(sentences)


def stability_sentences(result: DiscoveryResult) -> tuple[str, ...]:
    """Return the same as plain text."""
    return tuple(map(plain, stability_phrases(result)))


def parts_text(settings: StabilitySettings, count: int, numbers: NumberWriter = ENGLISH) -> str:
    """Say what was searched again.

    Examples
    --------
    >>> parts_text(StabilitySettings(), 50)
    '50 random halves of the rows'
    >>> parts_text(StabilitySettings(share=0.3), 20)
    '20 random parts of 30 % of the rows each'
    """
    if settings.share == 0.5:
        return f"{numbers.counted(count, 'random half', 'random halves')} of the rows"
    share = numbers.share(settings.share)
    return f"{numbers.counted(count, 'random part')} of {share} of the rows each"


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


def _came_back(result: DiscoveryResult, stability: StabilityResult, numbers: NumberWriter) -> Phrase:
    """Count findings that came back nearly always and seldom, and name the latter."""
    times = {pair: stability.times_found(*pair) for pair in result.evidence}
    many, few = (math.ceil(stability.finished * share - _ROUNDING) for share in (NEARLY_ALWAYS, SELDOM))
    often = sum(each >= many for each in times.values())
    rarest_first = sorted(times.items(), key=lambda each: each[1])
    seldom = {pair: each for pair, each in rarest_first if each < few}
    return phrase(
        "Searched again on {parts}: {often} of {findings} {verb} found again {many} times or more, "
        "{seldom} fewer than {few} times{which}.",
        parts=parts_text(stability.settings, stability.finished, numbers),
        often=numbers.count(often),
        findings=numbers.counted(len(times), "finding"),
        verb="was" if often == 1 else "were",
        many=numbers.count(many),
        seldom=numbers.count(len(seldom)) if seldom else "none",
        few=numbers.count(few),
        which=(": ", *_pairs(seldom, numbers)) if seldom else (),
    )


def _near_misses(near: list[PairCount], numbers: NumberWriter) -> Phrase:
    ranked = sorted(near, key=lambda each: -each.found)
    times = {(each.variable, each.label): each.found for each in ranked}
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
            times=numbers.count(found),
        )
        for (feature, label), found in list(times.items())[:_MOST_NAMES]
    ]
    if len(times) > len(listed):
        listed.append((f"{numbers.count(len(times) - len(listed))} more",))
    return _joined(listed)


def _joined(phrases: list[Phrase]) -> Phrase:
    """List phrases as a person lists names."""
    made: Phrase = ()
    for place, each in enumerate(phrases):
        if place:
            made += (" and " if place == len(phrases) - 1 else ", ",)
        made += each
    return made
