"""Graded directions, what tells them, and objections to what is known, in sentences that know their names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from engine.discovery.orientation.grades import (
    Because,
    Claim,
    ClaimKind,
    Grade,
    KnowledgePart,
    Objection,
)
from engine.wording.numbers import ENGLISH, NumberWriter
from engine.wording.phrases import Name, Phrase, for_count, listing, phrase, plain

if TYPE_CHECKING:
    from engine.discovery.orientation.direction import Orientation
    from engine.discovery.result import DiscoveryResult
    from engine.independence.record import TestRecord


GRADE_SENTENCES = {
    Grade.CAUSE_NOTHING_HIDDEN: "{feature} is a cause of {label}, and the two have no unmeasured common "
    "cause",
    Grade.CAUSE: "{feature} is a cause of {label}; the two may have an unmeasured common cause besides",
    Grade.NOT_EFFECT: "{feature} is no effect of {label}: it is a cause, or the two have an unmeasured "
    "common cause",
    Grade.HIDDEN_IN_COMMON: "neither of {feature} and {label} is a cause of the other: the two have an "
    "unmeasured common cause",
    Grade.NOT_CAUSE: "{feature} is no cause of {label}: it is an effect, or the two have an unmeasured "
    "common cause",
    Grade.EFFECT: "{feature} is an effect of {label}; the two may have an unmeasured common cause besides",
    Grade.EFFECT_NOTHING_HIDDEN: "{feature} is an effect of {label}, and the two have no unmeasured common "
    "cause",
}
_CLAIMS = {
    ClaimKind.CAUSE: "{cause} is a cause of {effect}",
    ClaimKind.NO_CAUSE: "{cause} is no cause of {effect}",
    ClaimKind.NOTHING_HIDDEN: "{cause} and {effect} have no unmeasured common cause",
}
_JOINED = (
    "{ends} are independent{given}, and become associated once {middle} is conditioned on{too}; so {middle} "
    "is a cause of neither"
)
_JOINED_TO_SEVERAL = (
    "{about} is independent of {others}{given}, and becomes associated with each once {middle} is "
    "conditioned on{too}; so {middle} is a cause of none of them"
)
_JOINED_GIVEN = (
    "{ends} are independent{given}, and become associated once {middle} is conditioned on too; so {middle} "
    "is no cause of {about} either"
)
_SEPARATED = (
    "{ends} are independent given {given}, and not without {middle}; so {middle} is a cause of one of these",
    "{ends} are independent given {given}, and not without {middle}; so {middle} is a cause of one of these, "
    "and {others} is not its effect",
    "{ends} are independent given {given}, and not without {middle}; so {middle} is a cause of one of these, "
    "and {others} are not its effects",
)
_VISIBLE = (
    "{others} leads into {cause}, and is independent of {effect} given {given}; an unmeasured common cause "
    "would join the two then"
)
OTHER_REASONS = {
    Because.NO_CYCLE: "causes of causes are causes, and never run in a circle",
    Because.NO_CYCLE_OR_COLLIDER: "all else that the tests tell would be contradicted otherwise",
    Because.KNOWLEDGE: "background knowledge given with this run",
}
"""What tells a claim, where that names no further variable."""
_STATEMENTS = {
    KnowledgePart.TIERS: "Background knowledge says that {cause} is no cause of {effect}, which comes "
    "earlier",
    KnowledgePart.NOT_EFFECTS: "Background knowledge says that {cause} is no cause of {effect}, which cannot "
    "be an effect",
    KnowledgePart.FORBIDDEN: "Background knowledge says that {cause} is no direct cause of {effect}",
    KnowledgePart.REQUIRED: "Background knowledge says that {cause} is a cause of {effect}",
    KnowledgePart.UNCONFOUNDED: "Background knowledge says that {cause} and {effect} have no unmeasured "
    "common cause",
}
_COUNTS = (
    ((Grade.CAUSE, Grade.CAUSE_NOTHING_HIDDEN), "{count} is a cause", "{count} are causes"),
    ((Grade.EFFECT, Grade.EFFECT_NOTHING_HIDDEN), "{count} is an effect", "{count} are effects"),
    (
        (Grade.NOT_EFFECT,),
        "{count} may be a cause and is no effect",
        "{count} may be causes and are no effects",
    ),
    (
        (Grade.NOT_CAUSE,),
        "{count} may be an effect and is no cause",
        "{count} may be effects and are no causes",
    ),
    (
        (Grade.HIDDEN_IN_COMMON,),
        "{count} has an unmeasured common cause with its label",
        "{count} have an unmeasured common cause with their labels",
    ),
)


def grade_phrase(found: Orientation, labels: Sequence[str]) -> Phrase:
    """Say what is known of a variable as to a label even if something is hidden; empty when nothing is.

    >>> from engine.discovery.orientation.direction import Direction, Orientation
    >>> from engine.discovery.orientation.grades import EdgeMarks, EndMark
    >>> marks = EdgeMarks(EndMark.CIRCLE, EndMark.ARROWHEAD)
    >>> plain(grade_phrase(Orientation("dust", "cough", Direction.CAUSE, marks=marks), ["cough"]))
    'dust is no effect of cough: it is a cause, or the two have an unmeasured common cause'
    """
    template = GRADE_SENTENCES.get(found.grade)
    if template is None:
        return ()
    return phrase(template, feature=_name(found.feature, labels), label=_name(found.label, labels))


def claim_phrase(claim: Claim, labels: Sequence[str]) -> Phrase:
    """Say one thing that is known of two variables, and what tells it.

    >>> claim = Claim(ClaimKind.NO_CAUSE, "cough", "dust", Because.SHARED_EFFECT, ("age",))
    >>> plain(claim_phrase(claim, ["cough"]))[:57]
    'cough is no cause of dust: dust and age are independent, '
    """
    cause, effect = _name(claim.cause, labels), _name(claim.effect, labels)
    return phrase(
        "{claim}: {reason}; background knowledge enters too"
        if claim.uses_knowledge and claim.tests
        else "{claim}: {reason}",
        claim=phrase(_CLAIMS[claim.kind], cause=cause, effect=effect),
        reason=_reason_of(claim, labels),
    )


def _reason_of(claim: Claim, labels: Sequence[str]) -> Phrase:
    pair = claim.cause, claim.effect
    if claim.because is Because.SHARED_EFFECT:
        return joined_phrase(*pair, claim.others, claim.tests, labels)
    if claim.because is not Because.NO_FURTHER_COLLIDER:
        return (OTHER_REASONS[claim.because],)
    if claim.kind is not ClaimKind.NOTHING_HIDDEN:
        return separated_phrase(*pair, claim.others, claim.tests, labels)
    return phrase(
        _VISIBLE,
        cause=_name(claim.cause, labels),
        effect=_name(claim.effect, labels),
        others=_names(claim.others, labels),
        given=_names(_given(claim.tests) or (claim.cause,), labels),
    )


def joined_phrase(
    middle: str, about: str, others: Sequence[str], tests: Sequence[TestRecord], labels: Sequence[str]
) -> Phrase:
    """Say which variables a third one joins, so that it is no cause of `about`.

    That is one of them, or is conditioned on when the two are independent: of neither is the third a cause.

    >>> plain(joined_phrase("fever", "flu", ("malaria",), (), ["flu"]))[:70]
    'flu and malaria are independent, and become associated once fever is c'
    """
    given = _given(tests)
    names = {"middle": _name(middle, labels), "about": _name(about, labels)}
    told = phrase(" given {names}", names=_names(given, labels)) if given else ()
    if about in given:
        ends = _names((tests[0].x, *tests[0].others), labels)
        return phrase(_JOINED_GIVEN, ends=ends, given=told, **names)
    too = (" too",) if given else ()
    if len(others) == 1:
        return phrase(_JOINED, ends=_names((about, *others), labels), given=told, too=too, **names)
    # Of each of the others the independence, and then the association.
    if len({test.given for test in tests[: 2 * len(others) : 2]}) > 1:
        told = (" given the sets tested",)
    return phrase(_JOINED_TO_SEVERAL, others=_names(others, labels), given=told, too=too, **names)


def separated_phrase(
    middle: str, effect: str, others: Sequence[str], tests: Sequence[TestRecord], labels: Sequence[str]
) -> Phrase:
    """Say which variables a third one separates, so that it is a cause of `effect`.

    The effect is one of them, or is conditioned on as well.

    >>> plain(separated_phrase("flu", "fever", ("age",), (), ["flu"]))[:56]
    'age and fever are independent given flu, and not without'
    """
    ends = (tests[0].x, *tests[0].others) if tests else (*others, effect)
    return phrase(
        _SEPARATED[min(len(others), 2)],
        ends=_names(sorted(ends, key=lambda name: name == effect), labels),
        given=_names(sorted(_given(tests) or (middle,), key=lambda name: name != middle), labels),
        middle=_name(middle, labels),
        others=_names(others, labels),
    )


def _given(tests: Sequence[TestRecord]) -> tuple[str, ...]:
    """Return what the first test conditions on, by which others are independent."""
    return tests[0].given if tests else ()


def objection_phrase(objection: Objection, labels: Sequence[str]) -> Phrase:
    """Say what the data say against what is known.

    >>> claim = Claim(ClaimKind.NO_CAUSE, "cough", "age", Because.SHARED_EFFECT, ("dust",))
    >>> found = Objection(KnowledgePart.TIERS, "age", "cough", claim, (), True)
    >>> plain(objection_phrase(found, ["cough"]))[-62:]
    'both are true only if the two have an unmeasured common cause.'
    """
    statement = phrase(
        _STATEMENTS[objection.part],
        cause=_name(objection.cause, labels),
        effect=_name(objection.effect, labels),
    )
    if objection.claim is None:
        return phrase("{known}; the tests find the two independent.", known=statement)
    return phrase(
        "{known}. The tests say that {shown}: both are true only if the two have an unmeasured common cause."
        if objection.is_possible
        else "{known}. The tests say that {shown}: the two cannot both be true, and the background "
        "knowledge is kept.",
        known=statement,
        shown=claim_phrase(objection.claim, labels),
    )


def objection_phrases(result: DiscoveryResult) -> tuple[Phrase, ...]:
    """Return what the data say against what is known, a sentence each."""
    return tuple(objection_phrase(each, result.dataset.labels) for each in result.objections)


def grade_phrases(result: DiscoveryResult, numbers: NumberWriter = ENGLISH) -> tuple[Phrase, ...]:
    """Say what is known of the neighbours of labels even if something is hidden, by how many."""
    graded = [
        each
        for pair, each in result.orientation_records.items()
        if pair in result.evidence and each.grade is not Grade.UNDECIDED
    ]
    parts = list(_counted(Counter(each.grade for each in graded), numbers))
    if not parts:
        return ()
    sentences = [phrase("Even if something is hidden, {parts}.", parts=listing(parts))]
    if result.knowledge is not None and not result.knowledge.is_empty:
        count = sum(any(claim.uses_knowledge for claim in each.claims) for each in graded)
        sentences.append(phrase(_known_part(count, len(graded), numbers)))
    return tuple(sentences)


def _known_part(count: int, total: int, numbers: NumberWriter) -> str:
    """Say in how many of the grades background knowledge enters; tests alone tell the others."""
    if not count:
        return "Background knowledge enters in none of these."
    if count == total:
        return for_count(
            total, "Background knowledge enters in it.", "Background knowledge enters in all of these."
        )
    return for_count(
        total - count,
        "Background knowledge enters in {count} of these; the other rests on tests alone.",
        "Background knowledge enters in {count} of these; the other {rest} rest on tests alone.",
    ).format(count=numbers.count(count), rest=numbers.count(total - count))


def _counted(counts: Counter[Grade], numbers: NumberWriter) -> Iterator[str]:
    for grades, one, several in _COUNTS:
        count = sum(counts[grade] for grade in grades)
        if count:
            yield for_count(count, one, several).format(count=numbers.count(count))


def grade_sentences(result: DiscoveryResult) -> tuple[str, ...]:
    """Return the same, and what the data say against what is known, as plain text."""
    return tuple(map(plain, (*grade_phrases(result), *objection_phrases(result))))


def _name(text: str, labels: Sequence[str]) -> Name:
    return Name(text, text in labels)


def _names(texts: Sequence[str], labels: Sequence[str]) -> Phrase:
    return listing([_name(each, labels) for each in texts])
