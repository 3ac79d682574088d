"""How often findings came back, in sentences that know their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.discovery.stability_settings import StabilitySettings
from engine.discovery.stability_tables import near_misses
from engine.exporting.numbers import ENGLISH, NumberWriter
from engine.exporting.phrases import Name, Phrase, phrase, plain

if TYPE_CHECKING:
    from engine.discovery.result import DiscoveryResult
    from engine.discovery.stability_result import PairCount

NEARLY_ALWAYS = 0.9
SELDOM = 0.5
_MOST_NAMES = 3


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
    shares = [
        stability.share(stability.times_found(reasons[0].feature, reasons[0].label))
        for reasons in result.evidence.values()
    ]
    sentences: list[Phrase] = []
    if stability.is_partial:
        stopped = "The repetition was stopped: {done} of {total} parts were searched."
        total = numbers.count(stability.settings.resamples)
        sentences.append(phrase(stopped, done=numbers.count(stability.finished), total=total))
    if shares:
        sentences.append(
            phrase(
                "Searched again on {parts}: {often} of {findings} were found again in at least 9 of 10 of "
                "them, {seldom} in fewer than half.",
                parts=parts_text(stability.settings, stability.finished, numbers),
                often=numbers.count(sum(each >= NEARLY_ALWAYS for each in shares)),
                findings=numbers.counted(len(shares), "finding"),
                seldom=numbers.count(sum(each < SELDOM for each in shares))
                if min(shares) < SELDOM
                else "none",
            )
        )
    near = near_misses(result)
    if near:
        sentences.append(_near_misses(result, near, numbers))
    return tuple(sentences)


def stability_sentences(result: DiscoveryResult) -> tuple[str, ...]:
    """Give the same as plain text."""
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


def _near_misses(result: DiscoveryResult, near: list[PairCount], numbers: NumberWriter) -> Phrase:
    ranked = sorted(near, key=lambda each: -each.found)
    pairs = [
        phrase("{feature} for {label}", feature=Name(each.variable), label=Name(each.label, is_label=True))
        for each in ranked[:_MOST_NAMES]
    ]
    rest = [f"{numbers.count(len(ranked) - len(pairs))} more"] if len(ranked) > len(pairs) else []
    return phrase(
        "{count} not found in the whole table came back in half of them or more: {pairs}.",
        count=numbers.counted(len(ranked), "pair"),
        pairs=_joined([*pairs, *((each,) for each in rest)]),
    )


def _joined(phrases: list[Phrase]) -> Phrase:
    """List phrases as a person lists names."""
    made: Phrase = ()
    for place, each in enumerate(phrases):
        if place:
            made += (" and " if place == len(phrases) - 1 else ", ",)
        made += each
    return made
