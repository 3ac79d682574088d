"""Rules, graded directions, objections to knowledge, and equivalences in sentences that know their names."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from engine.discovery.evidence import Evidence
from engine.discovery.finding_words import pair_words, relation_words
from engine.discovery.orientation.direction import (
    Because,
    Claim,
    ClaimKind,
    CommonDirection,
    CommonGrade,
    Direction,
    Grade,
    KnowledgePart,
    Objection,
    Orientation,
    direction_of,
)
from engine.translation import N_, _, for_count
from engine.wording.numbers import ENGLISH, NumberWriter
from engine.wording.phrases import Name, Phrase, listing, phrase, plain

if TYPE_CHECKING:
    from engine.discovery.evidence import Equivalence
    from engine.discovery.orientation.direction import Orientation
    from engine.discovery.result import DiscoveryResult
    from engine.independence.record import TestRecord

GRADE_SENTENCES = {
    Grade.CAUSE_NOTHING_HIDDEN: N_(
        "{feature} is a cause of {label}, and the two have no unmeasured common cause"
    ),
    Grade.CAUSE: N_("{feature} is a cause of {label}; the two may also have an unmeasured common cause"),
    Grade.NOT_EFFECT: N_(
        "{feature} is not an effect of {label}: it is a cause, or the two have an unmeasured common cause"
    ),
    Grade.HIDDEN_IN_COMMON: N_(
        "neither of {feature} and {label} is a cause of the other: the two have an unmeasured common cause"
    ),
    Grade.NOT_CAUSE: N_(
        "{feature} is not a cause of {label}: it is an effect, or the two have an unmeasured common cause"
    ),
    Grade.EFFECT: N_("{feature} is an effect of {label}; the two may also have an unmeasured common cause"),
    Grade.EFFECT_NOTHING_HIDDEN: N_(
        "{feature} is an effect of {label}, and the two have no unmeasured common cause"
    ),
}
_CLAIMS = {
    ClaimKind.CAUSE: N_("{cause} is a cause of {effect}"),
    ClaimKind.NO_CAUSE: N_("{cause} is not a cause of {effect}"),
    ClaimKind.NOTHING_HIDDEN: N_("{cause} and {effect} have no unmeasured common cause"),
}
_JOINED = N_(
    "{ends} are independent{given}, and become associated once {middle} is conditioned on{too}; so {middle} "
    "is a cause of neither"
)
_JOINED_TO_SEVERAL = N_(
    "{about} is independent of {others}{given}, and becomes associated with each once {middle} is "
    "conditioned on{too}; so {middle} is a cause of none of them"
)
_JOINED_GIVEN = N_(
    "{ends} are independent{given}, and become associated once {middle} is conditioned on too; so "
    "{middle} is not a cause of {about} either"
)
_SEPARATED = (
    N_(
        "{ends} are independent given {given}, and not without {middle}; so {middle} is a cause of "
        "one of these"
    ),
    N_(
        "{ends} are independent given {given}, and not without {middle}; so {middle} is a cause of "
        "one of these, and {others} is not its effect"
    ),
    N_(
        "{ends} are independent given {given}, and not without {middle}; so {middle} is a cause of "
        "one of these, and {others} are not its effects"
    ),
)
_VISIBLE = N_(
    "{others} leads into {cause}, and is independent of {effect} given {given}; an unmeasured common cause "
    "would join the two then"
)
OTHER_REASONS = {
    Because.NO_CYCLE: N_("causes of causes are causes, and never run in a circle"),
    Because.NO_CYCLE_OR_COLLIDER: N_("otherwise, other results of the tests would be contradicted"),
    Because.KNOWLEDGE: N_("background knowledge given with this run"),
}
"""What tells a claim, where that names no further variable."""
_STATEMENTS = {
    KnowledgePart.TIERS: N_(
        "Background knowledge says that {cause} is not a cause of {effect}, which comes earlier"
    ),
    KnowledgePart.NOT_EFFECTS: N_(
        "Background knowledge says that {cause} is not a cause of {effect}, which cannot be an effect"
    ),
    KnowledgePart.FORBIDDEN: N_("Background knowledge says that {cause} is not a direct cause of {effect}"),
    KnowledgePart.REQUIRED: N_("Background knowledge says that {cause} is a cause of {effect}"),
    KnowledgePart.UNCONFOUNDED: N_(
        "Background knowledge says that {cause} and {effect} have no unmeasured common cause"
    ),
}
_COUNTS = {
    (Grade.CAUSE, Grade.CAUSE_NOTHING_HIDDEN): (N_("{count} is a cause"), N_("{count} are causes")),
    (Grade.EFFECT, Grade.EFFECT_NOTHING_HIDDEN): (N_("{count} is an effect"), N_("{count} are effects")),
    (Grade.NOT_EFFECT,): (
        N_("{count} may be a cause and is not an effect"),
        N_("{count} may be causes and are not effects"),
    ),
    (Grade.NOT_CAUSE,): (
        N_("{count} may be an effect and is not a cause"),
        N_("{count} may be effects and are not causes"),
    ),
    (Grade.HIDDEN_IN_COMMON,): (
        N_("{count} has an unmeasured common cause with its label"),
        N_("{count} have an unmeasured common cause with their labels"),
    ),
}


def grade_phrase(orientation: Orientation, labels: Sequence[str]) -> Phrase:
    """Say what is known of a variable as to a label even if something is hidden; empty when nothing is.

    >>> from engine.discovery.orientation.direction import Direction, Orientation
    >>> from engine.discovery.orientation.direction import EdgeMarks, EndMark
    >>> marks = EdgeMarks(EndMark.CIRCLE, EndMark.ARROWHEAD)
    >>> plain(grade_phrase(Orientation("dust", "cough", Direction.CAUSE, marks=marks), ["cough"]))
    'dust is not an effect of cough: it is a cause, or the two have an unmeasured common cause'
    """
    template = GRADE_SENTENCES.get(orientation.grade)
    if template is None:
        return ()
    return phrase(
        template, feature=_name(orientation.feature, labels), label=_name(orientation.label, labels)
    )


def claim_phrase(claim: Claim, labels: Sequence[str]) -> Phrase:
    """Say one thing that is known of two variables, and what tells it.

    >>> claim = Claim(ClaimKind.NO_CAUSE, "cough", "dust", Because.SHARED_EFFECT, ("age",))
    >>> plain(claim_phrase(claim, ["cough"]))[:60]
    'cough is not a cause of dust: dust and age are independent, '
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
        return phrase(OTHER_REASONS[claim.because])
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
    too = phrase(" too") if given else ()
    if len(others) == 1:
        return phrase(_JOINED, ends=_names((about, *others), labels), given=told, too=too, **names)
    # Of each of the others the independence, and then the association.
    if len({test.given for test in tests[: 2 * len(others) : 2]}) > 1:
        told = phrase(" given the sets tested")
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
    return tuple(objection_phrase(objection, result.dataset.labels) for objection in result.objections)


def grade_phrases(result: DiscoveryResult, numbers: NumberWriter = ENGLISH) -> tuple[Phrase, ...]:
    """Say what is known of the neighbours of labels even if something is hidden, by how many."""
    graded = [
        orientation_record
        for pair, orientation_record in result.orientation_records.items()
        if pair in result.evidence and orientation_record.grade is not Grade.UNDECIDED
    ]
    parts = list(_counted(Counter(record.grade for record in graded), numbers))
    if not parts:
        return ()
    sentences = [phrase("Even if a common cause is unmeasured, {parts}.", parts=listing(parts))]
    if result.knowledge is not None and not result.knowledge.is_empty:
        count = sum(any(claim.uses_knowledge for claim in record.claims) for record in graded)
        sentences.append(phrase(_known_part(count, len(graded), numbers)))
    return tuple(sentences)


def _known_part(count: int, total: int, numbers: NumberWriter) -> str:
    """Say in how many of the grades background knowledge enters; tests alone tell the others."""
    if not count:
        return _("Background knowledge enters in none of these.")
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
    for grades in _COUNTS:
        count = sum(counts[grade] for grade in grades)
        if count:
            yield for_count(count, *_COUNTS[grades]).format(count=numbers.count(count))


def grade_sentences(result: DiscoveryResult) -> tuple[str, ...]:
    """Return the same, and what the data say against what is known, as plain text."""
    return tuple(map(plain, (*grade_phrases(result), *objection_phrases(result))))


def _name(text: str, labels: Sequence[str]) -> Name:
    return Name(text, text in labels)


def _names(texts: Sequence[str], labels: Sequence[str]) -> Phrase:
    return listing([_name(text, labels) for text in texts])


_DIRECTION_CLAIMS = {
    Direction.CAUSE: N_("If no common cause is unmeasured, {feature} is a cause of {label}"),
    Direction.EFFECT: N_("If no common cause is unmeasured, {feature} is an effect of {label}"),
}
_REASONS = {
    Because.NO_CYCLE: N_(
        "{cause} is a cause of {others}, and {others} of {effect}; if {effect} were a cause of {cause}, "
        "causes would run in a circle"
    ),
    Because.NO_CYCLE_OR_COLLIDER: N_(
        "{others} are causes of {effect} and neighbours of {cause}; if {effect} were a cause of {cause}, "
        "causes would run in a circle, or both would cause {cause}, which the tests exclude"
    ),
    Because.BEST_GRAPH: N_(
        "of all graphs of the two together with {others}, the best in which {cause} is a cause of "
        "{effect} makes the rows {times} times as likely as the best in which {effect} is a cause of "
        "{cause}, after a penalty for the parameters of each"
    ),
    Because.KNOWLEDGE: N_(
        "the two are linked, and by background knowledge given with this run {effect} is not a "
        "cause of {cause}"
    ),
}
_THROUGH = {Because.NO_CYCLE: 1, Because.NO_CYCLE_OR_COLLIDER: 2}
_REQUIRED = N_("background knowledge given with this run says so")
_FROM_CUT_NUMBERS = N_(
    "Tests of {variables} with numbers cut into bins do not decide directions: conditioning on bins "
    "removes only a part of what a number explains."
)
# Whether several variables stand in the boundary, and whether several in place of them.
_MISSED = {
    (False, False): N_(
        "{inside} misses at most {first} of the information of {outside}. {outside} misses at most "
        "{second} of the information of {inside} (upper limits at significance level {alpha})."
    ),
    (False, True): N_(
        "{inside} misses at most {first} of the information of {outside}. {outside} miss at most "
        "{second} of the information of {inside} (upper limits at significance level {alpha})."
    ),
    (True, False): N_(
        "{inside} miss at most {first} of the information of {outside}. {outside} misses at most "
        "{second} of the information of {inside} (upper limits at significance level {alpha})."
    ),
    (True, True): N_(
        "{inside} miss at most {first} of the information of {outside}. {outside} miss at most "
        "{second} of the information of {inside} (upper limits at significance level {alpha})."
    ),
}
_MOST_NAMES = 3
# So many times as likely is said in figures, and what is more is not.
_MOST_TIMES = 1_000_000


def relation_text(result: DiscoveryResult, reason: Evidence) -> str:
    """Say by which rule a variable counts, and of a neighbour what it is to the label, if known."""
    if reason.pair in result.links_through_labels:
        return pair_words(result.total_findings.by_feature[reason.feature], reason.label)
    return relation_words(reason, result.direction(*reason.pair), result.grade(*reason.pair))


def claim(orientation: Orientation, labels: Sequence[str]) -> Phrase:
    """Say whether a variable is a cause or an effect if nothing is hidden; empty when undecided.

    >>> plain(claim(Orientation("fever", "flu", Direction.EFFECT), ["flu"]))
    'If no common cause is unmeasured, fever is an effect of flu'
    """
    template = _DIRECTION_CLAIMS.get(direction_of(orientation))
    if template is None:
        return ()
    return phrase(
        template, feature=_name(orientation.feature, labels), label=_name(orientation.label, labels)
    )


def because(orientation: Orientation, labels: Sequence[str], numbers: NumberWriter = ENGLISH) -> Phrase:
    """Say what tells the direction, as the second half of a sentence; empty when undecided.

    >>> found = Orientation("fever", "flu", Direction.EFFECT, Because.SHARED_EFFECT, ("malaria",))
    >>> plain(because(found, ["flu"]))[:62]
    'flu and malaria are independent, and become associated once fe'
    """
    if orientation.because is None:
        return ()
    is_cause = orientation.direction is Direction.CAUSE
    cause, effect = (
        (orientation.feature, orientation.label) if is_cause else (orientation.label, orientation.feature)
    )
    if orientation.because in (Because.SHARED_EFFECT, Because.SEVERAL_CAUSES):
        # Told by a triple around the effect, which is no cause of the cause.
        return joined_phrase(effect, cause, orientation.others, orientation.tests, labels)
    if orientation.because is Because.NO_FURTHER_COLLIDER:
        return separated_phrase(cause, effect, orientation.others, orientation.tests, labels)
    is_required = orientation.because is Because.KNOWLEDGE and any(
        single_claim.kind is ClaimKind.CAUSE and single_claim.because is Because.KNOWLEDGE
        for single_claim in orientation.claims
    )
    # Rules on arrows go through so many variables; what follows from the grades names none.
    if len(orientation.others) != _THROUGH.get(orientation.because, len(orientation.others)):
        return phrase(OTHER_REASONS[orientation.because])
    return phrase(
        _REQUIRED if is_required else _REASONS[orientation.because],
        cause=_name(cause, labels),
        effect=_name(effect, labels),
        others=listing([_name(name, labels) for name in orientation.others]),
        times=_times(orientation.log_ratio, numbers),
    )


def why_phrases(
    orientation: Orientation, labels: Sequence[str], numbers: NumberWriter = ENGLISH
) -> tuple[Phrase, ...]:
    """Say in sentences what is known of a variable as to a label and what tells it; none when nothing is.

    First what holds even if something is hidden, and then what holds if nothing is.

    >>> found = Orientation("fever", "flu", Direction.EFFECT, Because.SHARED_EFFECT, ("malaria",))
    >>> plain(why_phrases(found, ["flu"])[0])[:81]
    'If no common cause is unmeasured, fever is an effect of flu: flu and malaria are '
    """
    sentences: list[Phrase] = []
    grade = grade_phrase(orientation, labels)
    if grade:
        sentences.append(phrase("Even if a common cause is unmeasured, {known}.", known=grade))
        sentences += [
            phrase("{known}.", known=claim_phrase(single_claim, labels))
            for single_claim in orientation.claims
        ]
    claimed = claim(orientation, labels)
    if orientation.because is not None and claimed:
        reason = because(orientation, labels, numbers)
        sentences.append(phrase("{claim}: {because}.", claim=claimed, because=reason))
    return tuple(sentences)


def _times(log_ratio: float | None, numbers: NumberWriter) -> str:
    """Say how many times something is as likely, with two digits."""
    if log_ratio is None:
        return ""
    if log_ratio > math.log(_MOST_TIMES):
        return _("more than {count}", count=numbers.count(_MOST_TIMES))
    times = math.exp(log_ratio)
    return numbers.count(int(round(times, min(0, 1 - int(math.log10(times))))))


def direction_phrases(result: DiscoveryResult, numbers: NumberWriter = ENGLISH) -> tuple[Phrase, ...]:
    """Say for how many neighbours the data tell the direction, and which are common causes or effects."""
    features = [
        orientation_record
        for key, orientation_record in result.orientation_records.items()
        if key in result.evidence
    ]
    if not features:
        return ()
    counts = Counter(direction_of(feature) for feature in features)
    causes, effects = counts[Direction.CAUSE], counts[Direction.EFFECT]
    total = numbers.counted(len(features), "direct neighbour")
    cut = sum(variable.is_cut for variable in result.dataset.variables)
    withheld = [phrase(_FROM_CUT_NUMBERS, variables=numbers.counted(cut, "variable"))] if cut else []
    if not causes + effects:
        return (phrase(for_count(len(features), *_NOT_TOLD), total=total), *withheld)
    sentences = [
        phrase(
            "If no common cause is unmeasured, the direction of {decided} of {total} is known: "
            "{causes} and {effects}.",
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
    N_("The data do not show whether the direct neighbour is a cause or an effect."),
    N_("For none of the {total} do the data show whether it is a cause or an effect."),
)
_CAUSE_OF_ALL = N_(
    "Even if a common cause is unmeasured, a cause of every label that it is linked to: {names}."
)
_EFFECT_OF_ALL = N_(
    "Even if a common cause is unmeasured, an effect of every label that it is linked to: {names}."
)
_COMMON_CAUSE = N_("If no common cause is unmeasured, a cause of every label that it is linked to: {names}.")
_COMMON_EFFECT = N_(
    "If no common cause is unmeasured, an effect of every label that it is linked to: {names}."
)


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
    return listing([Name(name) for name in names], _MOST_NAMES)


def missed_text(limit: float, numbers: NumberWriter = ENGLISH) -> str:
    """Say what share is missed at most.

    >>> missed_text(0.042), missed_text(3.0)
    ('4.2 %', 'all')
    """
    return _("all") if limit >= 1.0 else numbers.share(limit)


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
        claim = N_(
            "{inside} and {outside} count as interchangeable about {target}. Given either of them, the test "
            "finds no association of {target} with the other. The published procedure requires no more. How "
            "much each may miss is not measured."
        )
    elif record.is_shown:
        claim = N_(
            "{inside} and {outside} are interchangeable: they carry the same information about {target}."
        )
    else:
        claim = N_(
            "{inside} and {outside} are not distinguishable with these data: their information "
            "about {target} may be the same, or not."
        )
    yield phrase(claim, inside=inside, outside=outside, target=target)
    if record.missed_by_boundary is None or record.missed_by_equivalent is None:
        if not record.is_shown:
            yield phrase("An earlier version of CLCD found this, and did not measure how much each misses.")
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
