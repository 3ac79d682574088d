"""Findings in the words of a cell, a tooltip or half a sentence: rules, directions, how often found again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence

from engine.boundaries.markov_boundary import LinkKind
from engine.discovery.effects.estimates import AssociationSign, Contrast, Estimand
from engine.discovery.effects.size_words import (
    ONLY_ADJUSTED_HELP,
    OTHERWISE_ADJUSTED_HELP,
    SIGN_HELP,
    association_beside_label,
    association_in_cell,
    association_text,
    association_words,
    compared_text,
    contrast_text,
    differs_when_adjusted,
    estimate_text,
    interval_text,
    levels_in_cell,
    limits_text,
    way_in_cell,
)
from engine.discovery.evidence import Evidence, LinkThroughLabels, Relation, Rule
from engine.discovery.findings import Finding, Findings
from engine.discovery.flags import FlagKind
from engine.discovery.orientation.direction import Direction, Grade
from engine.discovery.stability.result import FoundAgain
from engine.independence.record import TestRecord
from engine.translation import N_, _, for_count
from engine.wording.glossary import term
from engine.wording.numbers import ENGLISH, NO_NUMBER, NumberWriter
from engine.wording.phrases import in_curved_marks, names_listing
from engine.wording.shown_names import shown_name

RULE_WORDS = {
    Rule.NEIGHBOUR: N_("direct neighbour"),
    Rule.SPOUSE: N_("spouse"),
    Rule.NEIGHBOUR_EQUIVALENT: N_("interchangeable with a direct neighbour"),
    Rule.SPOUSE_EQUIVALENT: N_("interchangeable with a spouse"),
}
RULE_HELP = {
    Rule.NEIGHBOUR: term("neighbour").definition,
    Rule.SPOUSE: term("spouse").definition,
    Rule.NEIGHBOUR_EQUIVALENT: N_(
        "It carries the same information about the label as a direct neighbour "
        "(information-equivalent), shown up to a margin. The data cannot show which of the two is "
        "the neighbour."
    ),
    Rule.SPOUSE_EQUIVALENT: N_(
        "It carries the same information about the shared effect as a spouse "
        "(information-equivalent), shown up to a margin. The data cannot show which of the two is "
        "the spouse."
    ),
}
RELATION_WORDS = {
    Relation.NEIGHBOUR: N_("direct neighbour"),
    Relation.IN_PLACE: N_("in the place of a label"),
    Relation.SPOUSE: N_("spouse"),
    Relation.INTERCHANGEABLE: N_("interchangeable"),
    Relation.PREFERRED: N_("preferred by you"),
    Relation.THROUGH_LABELS: N_("linked through other labels"),
}

_SPOUSE_HELP = N_(
    "If no common cause is unmeasured, it is another cause of an effect that it shares with the label."
)
_GRADE_WORDS = {
    Grade.CAUSE_NOTHING_HIDDEN: N_("cause, nothing hidden"),
    Grade.CAUSE: N_("cause"),
    Grade.NOT_EFFECT: N_("not an effect"),
    Grade.HIDDEN_IN_COMMON: N_("unmeasured common cause"),
    Grade.NOT_CAUSE: N_("not a cause"),
    Grade.EFFECT: N_("effect"),
    Grade.EFFECT_NOTHING_HIDDEN: N_("effect, nothing hidden"),
}
GRADE_HELP = {
    Grade.CAUSE_NOTHING_HIDDEN: N_(
        "It is a cause of the label, and the two have no unmeasured common cause."
    ),
    Grade.CAUSE: N_(
        "It is a cause of the label, directly or through others; the two may also have an "
        "unmeasured common cause."
    ),
    Grade.NOT_EFFECT: N_(
        "It is not an effect of the label: it is a cause, or the two have an unmeasured common cause."
    ),
    Grade.HIDDEN_IN_COMMON: N_("Neither causes the other: the two have an unmeasured common cause."),
    Grade.NOT_CAUSE: N_(
        "It is not a cause of the label: it is an effect, or the two have an unmeasured common cause."
    ),
    Grade.EFFECT: N_(
        "It is an effect of the label, directly or through others; the two may also have an "
        "unmeasured common cause."
    ),
    Grade.EFFECT_NOTHING_HIDDEN: N_(
        "It is an effect of the label, and the two have no unmeasured common cause."
    ),
    Grade.UNDECIDED: N_("The data do not show whether it is a cause or an effect."),
}
_DIRECTION_WORDS = {
    Direction.CAUSE: N_("cause, if nothing is hidden"),
    Direction.EFFECT: N_("effect, if nothing is hidden"),
    Direction.SPOUSE: N_("spouse"),
    Direction.UNDECIDED: N_("undecided"),
}
_IF_NOTHING_HIDDEN = (Direction.CAUSE, Direction.EFFECT)
_IF_NOTHING_HIDDEN_HELP = N_(
    "Of all graphs of the variables around the label, the best with this direction is clearly more "
    "likely than the best with the opposite direction. This assumes that the two have no unmeasured "
    "common cause."
)
_MOST_LINES = 12
_ALONE = N_("interchangeable with {partner}, {what}")
_ALONE_THROUGH = N_("interchangeable with {partner}, {what} through {children}")
_JOINTLY = N_("together with {others} interchangeable with {partner}, {what}")
_JOINTLY_THROUGH = N_("together with {others} interchangeable with {partner}, {what} through {children}")
_PARTNERS = {
    Rule.NEIGHBOUR_EQUIVALENT: (N_("a direct neighbour"), N_("direct neighbours")),
    Rule.SPOUSE_EQUIVALENT: (N_("a spouse"), N_("spouses")),
}


def reason_text(reason: Evidence) -> str:
    """Say by which rule a feature counts, with the partner or the shared effect.

    >>> reason_text(Evidence("dose", "ill", Rule.SPOUSE, children=("fever",)))
    'spouse through fever'
    """
    if not reason.rule.is_equivalent:
        template = _("{rule} through {children}") if reason.children else "{rule}"
    elif reason.together_with:
        template = _(_JOINTLY_THROUGH) if reason.children else _(_JOINTLY)
    else:
        template = _(_ALONE_THROUGH) if reason.children else _(_ALONE)
    return template.format(
        rule=_(RULE_WORDS[reason.rule]),
        partner=names_listing(reason.partner) or _("another variable"),
        what=for_count(max(len(reason.partner), 1), *_PARTNERS.get(reason.rule, ("", ""))),
        others=names_listing(reason.together_with),
        children=names_listing(reason.children),
    )


def rule_text(finding: Finding) -> str:
    """Say by which rule a label-specific feature counts, or that it is linked through other labels."""
    (reason,) = finding.reasons
    is_direct = finding.kinds[0] is LinkKind.DIRECT
    return reason_text(reason) if is_direct else _(RELATION_WORDS[Relation.THROUGH_LABELS])


def rule_tooltip(finding: Finding) -> str:
    """Say by which rule a label-specific feature counts, and what the rule means."""
    (reason,) = finding.reasons
    if finding.kinds[0] is LinkKind.THROUGH_LABELS:
        return f"{_(_LINKED, link=link_words(finding)[0])}\n{_(term('through-labels').definition)}"
    return f"{reason_text(reason)}\n{_(RULE_HELP[reason.rule])}"


def relations_text(relations: Iterable[Relation]) -> str:
    """Count the relations of a feature with its labels.

    >>> relations_text([Relation.NEIGHBOUR, Relation.SPOUSE, Relation.NEIGHBOUR])
    'direct neighbour of 2, spouse of 1'
    """
    counts = Counter(relations)
    texts = _COUNTED_RELATIONS.items()
    return ", ".join(_(text, count=counts[relation]) for relation, text in texts if counts[relation])


_COUNTED_RELATIONS = {
    Relation.NEIGHBOUR: N_("direct neighbour of {count}"),
    Relation.IN_PLACE: N_("in the place of a label for {count}"),
    Relation.SPOUSE: N_("spouse of {count}"),
    Relation.INTERCHANGEABLE: N_("interchangeable for {count}"),
    Relation.PREFERRED: N_("preferred by you for {count}"),
    Relation.THROUGH_LABELS: N_("linked through other labels to {count}"),
}


def statement(direction: Direction, grade: Grade) -> str:
    """Say in words what a variable is to a label, as every table, picture, sentence and file says it.

    The grade wins: it holds even if something is hidden. Only where there is none, the direction is said,
    with what it assumes. Files have it in English; for a person it is translated where it is shown.

    >>> statement(Direction.CAUSE, Grade.NOT_EFFECT), statement(Direction.CAUSE, Grade.UNDECIDED)
    ('not an effect', 'cause, if nothing is hidden')
    """
    return _DIRECTION_WORDS[direction] if grade is Grade.UNDECIDED else _GRADE_WORDS[grade]


def relation_words(reason: Evidence, direction: Direction, grade: Grade) -> str:
    """Say by which rule a variable counts, and of a neighbour what it is to the label, where that is known.

    >>> relation_words(Evidence("dose", "ill", Rule.NEIGHBOUR), Direction.CAUSE, Grade.NOT_EFFECT)
    'direct neighbour: not an effect'
    """
    is_stated = grade is not Grade.UNDECIDED or direction in _IF_NOTHING_HIDDEN
    if reason.rule is Rule.NEIGHBOUR and is_stated:
        return f"{_(RULE_WORDS[reason.rule])}: {_(statement(direction, grade))}"
    return reason_text(reason)


def finding_statements(finding: Finding) -> tuple[str, ...]:
    """Say in words what a feature is to each of its labels."""
    return tuple(
        statement(*direction_and_grade)
        for direction_and_grade in zip(finding.directions, finding.grades, strict=True)
    )


def link_words(finding: Finding) -> tuple[str, ...]:
    """Say for each label of a feature whether the link is direct, or which labels explain it."""
    links = finding.through_labels or (None,) * len(finding.labels)
    return tuple(
        _link_words(link, label in finding.runs_through, label in finding.shared)
        for label, link in zip(finding.labels, links, strict=True)
    )


def _link_words(link: LinkThroughLabels | None, runs_through: bool, is_shared: bool) -> str:
    if link is None:
        return _("direct")
    # Spouses are linked only given the effects that they share.
    among = _(_AMONG_ALIKE, effects=names_listing(link.effects)) if link.effects else ""
    if link.separated is None and not is_shared:
        return among or _(_WITHOUT_LABELS)
    words = _(_SHARED) if is_shared else _explained_words(link, runs_through)
    return f"{words}, {among}" if among else words


_SHARED = N_("only what the outcomes share")
_AMONG_ALIKE, _WITHOUT_LABELS = N_("among rows alike in {effects}"), N_("without the other labels")


def _explained_words(link: LinkThroughLabels, runs_through: bool) -> str:
    assert link.separated is not None
    if runs_through:
        return _("through {labels}", labels=names_listing(link.through))
    # Other members of the boundary may stand in the set beside the labels.
    beside = set(link.separated.given).difference(link.through, link.effects)
    others = (_("others"),) if beside else ()
    return _("explained by {labels}", labels=names_listing((*link.through, *others)))


def link_lines(finding: Finding, _numbers: NumberWriter = ENGLISH) -> tuple[str, ...]:
    """Say for each label how a feature is linked to it; empty if links through other labels do not count."""
    return link_words(finding) if finding.through_labels else ()


def links_tooltip(finding: Finding, numbers: NumberWriter = ENGLISH) -> str:
    """Say for each label of a feature how it is linked to it, one line a label."""
    return by_label(finding.feature, finding.labels, link_words(finding), numbers)


def groups_text(finding: Finding, numbers: NumberWriter = ENGLISH) -> str:
    """Write in a cell how many labels each group has to which a feature is linked as one outcome."""
    return ", ".join(numbers.counted(len(group.members), "label") for group in finding.groups)


def groups_tooltip(finding: Finding, numbers: NumberWriter = ENGLISH) -> str:
    """Say of each group which labels it has, and how strongly the feature is linked to it."""
    lines = []
    for group in finding.groups:
        reason = next(
            group_reason for group_reason in group.reasons if group_reason.feature == finding.feature
        )
        figures = [_("strength {strength}", strength=numbers.strength(reason.strength))]
        figures += [words_of_test(reason.deciding, numbers)] if reason.deciding is not None else []
        lines.append(f"{names_listing(group.members)}: {', '.join(figures)}")
    return "\n".join(lines)


def _relations_of(finding: Finding) -> list[str]:
    told = zip(finding.reasons, finding.directions, finding.grades, strict=True)
    words = [relation_words(*relation) for relation in told]
    return [
        word if kind is LinkKind.DIRECT else _(_LINKED, link=link)
        for word, kind, link in zip(words, finding.kinds, link_words(finding), strict=True)
    ]


_LINKED = N_("linked, {link}")


def pair_words(finding: Finding, label: str) -> str:
    """Say of a feature and a label that are linked through other labels which labels explain it."""
    return _(_LINKED, link=link_words(finding)[finding.labels.index(label)])


def by_label(feature: str, labels: Sequence[str], words: Sequence[str], numbers: NumberWriter) -> str:
    """Write a tooltip with one line a label: what is said of each, in label order."""
    head = f"{shown_name(feature)}: {numbers.counted(len(labels), 'label')}"
    lines = [f"{shown_name(label)}: {text}" for label, text in zip(labels, words, strict=True)]
    if len(lines) > _MOST_LINES:
        lines = [*lines[: _MOST_LINES - 1], _("{count} more", count=len(lines) - _MOST_LINES + 1)]
    return "\n".join([head, *lines])


def reasons_tooltip(finding: Finding, numbers: NumberWriter = ENGLISH) -> str:
    """Say for each label of a feature by which rule it counts, one line a label."""
    return by_label(finding.feature, finding.labels, _relations_of(finding), numbers)


def words_of_test(test: TestRecord, numbers: NumberWriter = ENGLISH) -> str:
    """Write the p-value of a test with its conditioning set.

    >>> words_of_test(TestRecord("ill", ("dose",), ("age", "sex"), 11.4, 1.0, 7e-4, -7.26, 0.2, 400))
    'p = 0.0007 given age and sex'
    """
    p = numbers.p_statement(test.p_value, test.log_p)
    return (
        _("{p} given {given}", p=p, given=names_listing(test.given))
        if test.given
        else _("{p}, nothing conditioned on", p=p)
    )


def strength_lines(finding: Finding, numbers: NumberWriter = ENGLISH) -> tuple[str, ...]:
    """Write for each label how strong the link is."""
    return tuple(numbers.strength(reason.strength) for reason in finding.reasons)


def strengths_tooltip(finding: Finding, numbers: NumberWriter = ENGLISH) -> str:
    """Say for each label of a feature how strong the link is, with p and set of the deciding test."""
    texts = [
        numbers.strength(reason.strength)
        if reason.deciding is None
        else f"{numbers.strength(reason.strength)} ({words_of_test(reason.deciding, numbers)})"
        for reason in finding.reasons
    ]
    return by_label(finding.feature, finding.labels, texts, numbers)


def grade_text(direction: Direction, grade: Grade) -> str:
    """Write in words what is known of a variable as to a label.

    >>> grade_text(Direction.CAUSE, Grade.NOT_EFFECT), grade_text(Direction.CAUSE, Grade.UNDECIDED)
    ('not an effect', 'cause, if nothing is hidden')
    """
    return _(statement(direction, grade))


def grade_help(direction: Direction, grade: Grade) -> str:
    """Say what a direction with its grade means."""
    if grade is Grade.UNDECIDED and direction in _IF_NOTHING_HIDDEN:
        return _(_IF_NOTHING_HIDDEN_HELP)
    if grade is Grade.UNDECIDED and direction is Direction.SPOUSE:
        return _(_SPOUSE_HELP)
    return _(GRADE_HELP[grade])


def grade_lines(finding: Finding, _numbers: NumberWriter = ENGLISH) -> tuple[str, ...]:
    """Say for each label whether a feature is its cause or its effect."""
    return tuple(grade_text(*pair) for pair in zip(finding.directions, finding.grades, strict=True))


def direction_tooltip(finding: Finding, numbers: NumberWriter = ENGLISH) -> str:
    """Say what the direction of a finding means, and for a common one what it is to each label."""
    pairs = list(zip(finding.directions, finding.grades, strict=True))
    if not finding.is_common:
        return grade_help(*pairs[0])
    return by_label(finding.feature, finding.labels, [grade_text(*pair) for pair in pairs], numbers)


def flags_text(finding: Finding, numbers: NumberWriter = ENGLISH) -> str:
    """Write in a narrow cell what kind of doubt there is, or how many kinds; a tooltip says the rest."""
    kinds = dict.fromkeys(flag.kind for flags in finding.flags for flag in flags)
    if len(kinds) > 1:
        return numbers.counted(len(kinds), "doubt")
    return "".join(_(_DOUBTS[kind]) for kind in kinds)


_DOUBTS = {
    FlagKind.MADE_FROM_LABELS: N_("exact link"),
    FlagKind.RARE_LABEL: N_("rare label"),
    FlagKind.RARE_VARIABLE: N_("rare level"),
    FlagKind.DEPENDENT_ROWS: N_("similar rows"),
    FlagKind.REPEATED_ROWS: N_("copied rows"),
    FlagKind.FEW_GROUPS: N_("few groups"),
    FlagKind.ROWS_LOST: N_("rows lost"),
    FlagKind.ITEM: N_("item"),
}


def flags_tooltip(finding: Finding, _numbers: NumberWriter = ENGLISH) -> str:
    """Say what must be known before a finding is believed, each sentence once."""
    sentences = dict.fromkeys(in_curved_marks(flag.sentence) for flags in finding.flags for flag in flags)
    return "\n".join(list(sentences)[:_MOST_LINES])


def absence_text(findings: Findings, feature: str, label: str) -> str:
    """Say in a few words why a feature does not stand with a label."""
    if (feature, label) in findings.not_counted:
        return _("linked through other labels (not counted)")
    alike = {
        name
        for record in findings.pairs_about(feature, label)
        if feature in record.equivalent
        for name in record.in_boundary
    }
    if not alike:
        return _("not linked to this label")
    return _(
        "not distinguishable with these data from {names}",
        names=names_listing(findings.in_column_order(alike)),
    )


def times_text(times: int, finished: int, numbers: NumberWriter = ENGLISH) -> str:
    """Write how often something was found again.

    >>> times_text(47, 50)
    '47 of 50'
    """
    return _("{times} of {finished}", times=numbers.count(times), finished=numbers.count(finished))


def range_text(times: Collection[int], finished: int, numbers: NumberWriter = ENGLISH) -> str:
    """Write how often something was found again for several labels.

    >>> range_text([50, 15, 49], 50), range_text([50, 50], 50)
    ('15–50 of 50', '50 of 50')
    """
    fewest, most = min(times), max(times)
    if fewest == most:
        return times_text(most, finished, numbers)
    times_range = f"{numbers.count(fewest)}–{numbers.count(most)}"
    return _("{times} of {finished}", times=times_range, finished=numbers.count(finished))


def found_again_text(found_again: FoundAgain | None, numbers: NumberWriter = ENGLISH) -> str:
    """Write in a cell how often a feature was found again; empty where nothing was repeated.

    >>> found_again_text(FoundAgain((47, 50), 50))
    '47–50 of 50'
    """
    return "" if found_again is None else range_text(found_again.times, found_again.finished, numbers)


def longest_found_again(finding: Finding, numbers: NumberWriter = ENGLISH) -> str:
    """Write the longest text that can stand in a column of such cells, so that all have room for it."""
    if finding.found_again is None:
        return ""
    most = finding.found_again.finished
    return range_text((most - 1, most) if finding.is_common else (most,), most, numbers)


def found_again_tooltip(finding: Finding, help_text: str, numbers: NumberWriter = ENGLISH) -> str:
    """Say what the times mean, and for a common feature how often it was found for each label."""
    again = finding.found_again
    if again is None:
        return ""
    lines = [_(help_text), _("Here {text}.", text=found_again_text(again, numbers))]
    if finding.is_common:
        lines += [
            f"{shown_name(label)}: {times_text(times, again.finished, numbers)}"
            for label, times in zip(finding.labels, again.times, strict=True)
        ][:_MOST_LINES]
    return "\n".join(lines)


def signs_text(finding: Finding, _numbers: NumberWriter = ENGLISH) -> str:
    """Say of all labels, in their order, which way each goes with a feature, with its event."""
    return "; ".join(_of_measured(finding, association_in_cell))


def sign_lines(finding: Finding, _numbers: NumberWriter = ENGLISH) -> tuple[str, ...]:
    """Say for each label which way it goes with a feature; empty where that was not measured."""
    return _of_measured(finding, way_in_cell)


def _of_measured(finding: Finding, write: Callable[[AssociationSign], str]) -> tuple[str, ...]:
    """Write the direction of association with each label; a dash where there is no estimate of it."""
    signs = zip(finding.association_signs, finding.sizes, strict=True)
    return tuple(write(sign) if sizes else NO_NUMBER for sign, sizes in signs)


def sign_details(finding: Finding, _numbers: NumberWriter = ENGLISH) -> tuple[str, ...]:
    """Say for each label at which of several levels of a feature it goes that way."""
    return tuple(map(levels_in_cell, finding.association_signs))


def level_details(finding: Finding, _numbers: NumberWriter = ENGLISH) -> tuple[str, ...]:
    """Say of a feature with two levels with which of them the labels go as is said; empty of others."""
    levels = (sign.feature_level for sign in finding.association_signs)
    level = next((level for level in levels if level is not None), None)
    return () if level is None else (f"= {level}",)


def event_details(finding: Finding, _numbers: NumberWriter = ENGLISH) -> tuple[str, ...]:
    """Name for each label the event or level that its estimate refers to; empty for a number."""
    levels = (None if contrast is None else contrast.label_level for contrast in _leading(finding))
    return tuple("" if level is None else f"= {level}" for level in levels)


def signs_in_words(finding: Finding, _numbers: NumberWriter = ENGLISH) -> str:
    """Say of all labels, in their order, or once where that is the same, what a cell says by marks."""
    texts = list(map(association_beside_label, finding.association_signs))
    return "; ".join(texts if len(set(texts)) > 1 else texts[:1])


def association_texts(finding: Finding) -> tuple[str, ...] | None:
    """Say for each label which way it goes with a feature; None where that was not measured."""
    return tuple(map(association_words, finding.association_signs)) or None


def signs_tooltip(finding: Finding, numbers: NumberWriter = ENGLISH) -> str:
    """Say what the signs mean, and of a common feature the sign of each label."""
    signs = finding.association_signs
    if not signs:
        return ""
    if finding.is_common:
        return by_label(finding.feature, finding.labels, list(map(association_text, signs)), numbers)
    lines = [_(SIGN_HELP[signs[0].sign])]
    if differs_when_adjusted(signs[0]):
        lines.append(_(ONLY_ADJUSTED_HELP) if signs[0].only_adjusted else _(OTHERWISE_ADJUSTED_HELP))
    return "\n".join(lines)


def _leading(finding: Finding) -> list[Contrast | None]:
    """Return the difference that stands for the association with each label; None where there is none."""
    associations = (sizes.get(Estimand.ASSOCIATION) for sizes in finding.sizes)
    return [None if size is None else size.leading for size in associations]


def largest_difference(finding: Finding) -> float | None:
    """Return the difference that is furthest from none, over the labels of a feature; None where unknown."""
    amounts = [abs(contrast.estimate) for contrast in _leading(finding) if contrast is not None]
    return max(amounts, default=None)


def difference_lines(finding: Finding, numbers: NumberWriter = ENGLISH) -> tuple[str, ...]:
    """Write for each label how large a finding is; empty where that was not measured."""
    return tuple(
        NO_NUMBER if contrast is None else estimate_text(contrast, numbers) for contrast in _leading(finding)
    )


def difference_details(finding: Finding, numbers: NumberWriter = ENGLISH) -> tuple[str, ...]:
    """Write for each label the interval of its estimate."""
    return tuple("" if contrast is None else limits_text(contrast, numbers) for contrast in _leading(finding))


def _are_other_values(contrasts: Iterable[Contrast]) -> bool:
    """Tell whether comparisons are of other levels or values of the feature, as they are written."""
    return len(set(map(compared_text, contrasts))) > 1


_OTHER_VALUES_HELP = N_("The labels are compared at different values of {feature}.")


def differences_tooltip(finding: Finding, numbers: NumberWriter = ENGLISH) -> str:
    """Say for each label of a feature what is compared, and how large the difference is."""
    texts = [
        "–"
        if contrast is None
        else f"{contrast_text(label, contrast, numbers)}: {interval_text(contrast, numbers)}"
        for label, contrast in zip(finding.labels, _leading(finding), strict=False)
    ]
    if not texts:
        return ""
    tooltip = by_label(finding.feature, finding.labels, texts, numbers)
    if not _are_other_values(contrast for contrast in _leading(finding) if contrast is not None):
        return tooltip
    return f"{tooltip}\n{_(_OTHER_VALUES_HELP, feature=shown_name(finding.feature))}"
