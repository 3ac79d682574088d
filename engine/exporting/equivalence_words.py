"""What is shown of variables that tell the same, or is not known of them, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.exporting.numbers import ENGLISH, NumberWriter
from engine.exporting.phrases import Name, Phrase, listing, phrase

if TYPE_CHECKING:
    from engine.discovery.evidence import Equivalence
    from engine.discovery.result import DiscoveryResult

NOT_TOLD_APART = "not told apart with these rows"


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
    yield phrase(
        "{inside} {first_verb} at most {first} of what {outside} {tells} about it, and {outside} "
        "{second_verb} at most {second} of what {inside} {told} (upper limits at level {alpha}).",
        inside=inside,
        outside=outside,
        first_verb=_verb("miss", record.in_boundary, "es"),
        second_verb=_verb("miss", record.equivalent, "es"),
        tells=_verb("tell", record.equivalent),
        told=_verb("tell", record.in_boundary),
        first=missed_text(record.missed_by_boundary.limit, numbers),
        second=missed_text(record.missed_by_equivalent.limit, numbers),
        alpha=f"{result.settings.alpha:g}",
    )


def _verb(verb: str, subjects: tuple[str, ...], ending: str = "s") -> str:
    return verb if len(subjects) > 1 else f"{verb}{ending}"
