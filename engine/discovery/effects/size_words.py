"""Estimates in words: directions of association, differences with their intervals, and whole sentences.

Each sentence is written once, with named places, and says what was estimated and no more.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from engine.discovery.effects.estimates import (
    AssociationSign,
    Contrast,
    Estimand,
    Measure,
    Point,
    Sign,
    Size,
)
from engine.translation import N_, _
from engine.wording.numbers import ENGLISH, NumberWriter, with_minus
from engine.wording.phrases import Name, Phrase, listing, phrase
from engine.wording.shown_names import shown_name

SIGN_SYMBOLS = {
    Sign.MORE: "↗",
    Sign.LESS: "↘",
    Sign.NOT_ONE_WAY: "∿",
    Sign.LEVELS_DIFFER: "≠",
    Sign.UNCLEAR: "?",
}
# By whether the label has an event, which is more or less likely; other labels are higher or lower.
SIGN_WORDS = {
    True: {
        Sign.MORE: N_("more likely"),
        Sign.LESS: N_("less likely"),
        Sign.NOT_ONE_WAY: N_("not one way"),
        Sign.LEVELS_DIFFER: N_("levels differ"),
        Sign.UNCLEAR: N_("unclear"),
    },
    False: {
        Sign.MORE: N_("higher"),
        Sign.LESS: N_("lower"),
        Sign.NOT_ONE_WAY: N_("not one way"),
        Sign.LEVELS_DIFFER: N_("levels differ"),
        Sign.UNCLEAR: N_("unclear"),
    },
}
SIGN_HELP = {
    Sign.MORE: N_(
        "At higher values of the variable, or at the named level, the label is higher or its event "
        "more likely."
    ),
    Sign.LESS: N_(
        "At higher values of the variable, or at the named level, the label is lower or its event "
        "less likely."
    ),
    Sign.NOT_ONE_WAY: N_("The label rises with the variable in one range and falls in another."),
    Sign.LEVELS_DIFFER: N_("The label differs between levels that have no order."),
    Sign.UNCLEAR: N_("Without adjustment, the differences may be due to chance."),
}
ONLY_ADJUSTED_HELP = N_(
    "The direction shows only when adjusted for the other members of the Markov boundary. Without "
    "adjustment it is unclear."
)
OTHERWISE_ADJUSTED_HELP = N_(
    "The direction is unadjusted. It differs when adjusted for the other members of the Markov boundary."
)
ESTIMAND_HELP = {
    Estimand.ASSOCIATION: N_(
        "How the label differs between values of the variable, without adjustment. Numbers are "
        "compared at two values: the quartiles, or quantiles that suit the curve."
    ),
    Estimand.ADJUSTED: N_(
        "The association, adjusted for the other members of the Markov boundary of the label "
        "(standardised over these rows)."
    ),
    Estimand.EFFECT: N_(
        "The expected change in the label if somebody changed the variable, adjusted for the causes "
        "of the variable. It is given for causes only, and assumes that no common cause is "
        "unmeasured."
    ),
}

ESTIMAND_WORDS = {
    Estimand.ASSOCIATION: N_("association"),
    Estimand.ADJUSTED: N_("adjusted association"),
    Estimand.EFFECT: N_("effect of changing it"),
}

_MEASURE_UNITS = {
    Measure.RATE_DIFFERENCE: N_("{number} points"),
    Measure.RATE_RATIO: N_("{number} times"),
    Measure.ODDS_RATIO: N_("odds × {number}"),
    Measure.MEAN_DIFFERENCE: "{number}",
    Measure.SLOPE: N_("{number} per unit"),
}

# By whether the label has levels, and whether the difference is above zero.
_AT_HIGHER = {
    True: {
        True: N_(
            "{target} is more likely at higher {feature}: {size} percentage points more {compared}, "
            "unadjusted ({interval})."
        ),
        False: N_(
            "{target} is less likely at higher {feature}: {size} percentage points less {compared}, "
            "unadjusted ({interval})."
        ),
    },
    False: {
        True: N_(
            "{target} is higher at higher {feature}: {size} more on average {compared}, "
            "unadjusted ({interval})."
        ),
        False: N_(
            "{target} is lower at higher {feature}: {size} less on average {compared}, "
            "unadjusted ({interval})."
        ),
    },
}
_OF_CURVE = {
    True: {
        True: N_(
            "{target} is more likely {compared_of}: {size} percentage points more, unadjusted ({interval})."
        ),
        False: N_(
            "{target} is less likely {compared_of}: {size} percentage points less, unadjusted ({interval})."
        ),
    },
    False: {
        True: N_("{target} is higher {compared_of}: {size} more on average, unadjusted ({interval})."),
        False: N_("{target} is lower {compared_of}: {size} less on average, unadjusted ({interval})."),
    },
}
_OF_LEVELS = {
    True: {
        True: N_(
            "{target} is more likely with {feature} = {at} than with {feature} = {reference}: {rate} "
            "against {other_rate}, {size} percentage points more, unadjusted ({interval})."
        ),
        False: N_(
            "{target} is less likely with {feature} = {at} than with {feature} = {reference}: {rate} "
            "against {other_rate}, {size} percentage points less, unadjusted ({interval})."
        ),
    },
    False: {
        True: N_(
            "{target} is higher with {feature} = {at} than with {feature} = {reference}: {size} more on "
            "average, unadjusted ({interval})."
        ),
        False: N_(
            "{target} is lower with {feature} = {at} than with {feature} = {reference}: {size} less on "
            "average, unadjusted ({interval})."
        ),
    },
}
_UNCLEAR = {
    True: N_(
        "The direction of association of {target} with {feature} is unclear: {difference} percentage "
        "points {compared}, unadjusted ({signed_interval})."
    ),
    False: N_(
        "The direction of association of {target} with {feature} is unclear: {difference} {compared}, "
        "unadjusted ({signed_interval})."
    ),
}
_COMPARED_VALUES = N_("at {at} than at {reference}")
_COMPARED_QUANTILES = N_("at the {upper} ({at}) than at the {lower} ({reference})")
_COMPARED_VALUES_OF = N_("at {feature} = {at} than at {reference}")
_COMPARED_QUANTILES_OF = N_("at the {upper} of {feature} ({at}) than at the {lower} ({reference})")
_AGAINST_VALUES = N_("at {at} against {reference}")
_AGAINST_QUANTILES = N_("at the {upper} ({at}) against the {lower} ({reference})")
_AGAINST_LEVELS = N_("with {feature} = {at} against {feature} = {reference}")
_ADJUSTED = {
    True: {
        True: N_("Adjusted for {held}, {target} is {size} percentage points more likely ({interval})."),
        False: N_("Adjusted for {held}, {target} is {size} percentage points less likely ({interval})."),
    },
    False: {
        True: N_("Adjusted for {held}, {target} is {size} higher ({interval})."),
        False: N_("Adjusted for {held}, {target} is {size} lower ({interval})."),
    },
}
_ADJUSTED_OF_LEVELS = {
    True: {
        True: N_(
            "Adjusted for {held}, {target} is {size} percentage points more likely with {feature} = {at} "
            "than with {feature} = {reference} ({interval})."
        ),
        False: N_(
            "Adjusted for {held}, {target} is {size} percentage points less likely with {feature} = {at} "
            "than with {feature} = {reference} ({interval})."
        ),
    },
    False: {
        True: N_(
            "Adjusted for {held}, {target} is {size} higher with {feature} = {at} than with "
            "{feature} = {reference} ({interval})."
        ),
        False: N_(
            "Adjusted for {held}, {target} is {size} lower with {feature} = {at} than with "
            "{feature} = {reference} ({interval})."
        ),
    },
}
_ADJUSTED_UNCLEAR = {
    True: N_(
        "Adjusted for {held}, the direction of association of {target} with {feature} is unclear: "
        "{difference} percentage points ({signed_interval})."
    ),
    False: N_(
        "Adjusted for {held}, the direction of association of {target} with {feature} is unclear: "
        "{difference} ({signed_interval})."
    ),
}
_ADJUSTED_FOR_NOTHING = N_("The boundary of {label} has no other member, so there is no adjustment.")
_TAKES_THE_PLACE = N_(
    "{feature} replaces {members} in the boundary of {label}. There is no other member, so there is "
    "no adjustment."
)
_TOO_FEW_ROWS_FOR_ANY = N_(
    "Not adjusted for the other members of the boundary of {label}: there are too few rows to "
    "adjust for {left_out}."
)
_TOO_FEW_ROWS_FOR_ALL = N_("There are too few rows to adjust for {left_out} as well.")
# By whether the label has levels, and whether an unmeasured common cause is merely assumed not to be.
_EFFECT = {
    True: N_(
        "If {feature} were changed from {reference} to {at}, the probability of {target} would change by "
        "{difference} percentage points ({signed_interval}), {adjustment}."
    ),
    False: N_(
        "If {feature} were changed from {reference} to {at}, the mean of {target} would change by "
        "{difference} ({signed_interval}), {adjustment}."
    ),
}
_EFFECT_RANGE = {
    True: N_(
        "If {feature} were changed from {reference} to {at}, the probability of {target} would change by "
        "{range} percentage points ({signed_interval}). The data leave open which of {sets} of causes of "
        "{feature} is right."
    ),
    False: N_(
        "If {feature} were changed from {reference} to {at}, the mean of {target} would change by {range} "
        "({signed_interval}). The data leave open which of {sets} of causes of {feature} is right."
    ),
}
_EFFECT_OR_NONE = {
    True: N_(
        "If {feature} were changed from {reference} to {at}, the probability of {target} would change by "
        "{range} percentage points ({signed_interval}), {adjustment}."
    ),
    False: N_(
        "If {feature} were changed from {reference} to {at}, the mean of {target} would change by {range} "
        "({signed_interval}), {adjustment}."
    ),
}
_COMMON_CAUSE = {
    True: N_("This holds if the two have no unmeasured common cause."),
    False: N_("By the tests, the two have no unmeasured common cause."),
}
_ADJUSTED_FOR, _UNADJUSTED = N_("adjusted for {names}"), N_("unadjusted")
_MAY_BE_EFFECT = N_(
    "The evidence is weak that {feature} is a cause of {label}, even if no common cause is "
    "unmeasured. If it is not a cause, changing it has no effect, so the range includes 0."
)
_EITHER_WAY = N_(
    "The range includes no change, because the sets of causes disagree on the direction of the change."
)
# Of the smaller of two groups that are compared; of cases and of others among them (Peduzzi et al. 1996, A
# simulation study of the number of events per variable, Journal of Clinical Epidemiology 49:1373-1379).
_FEWEST_ROWS, _FEWEST_CASES = 20, 10
_FEW_ROWS_AT = N_("Estimates rest on few rows: {feature} = {level} in only {rows}.")
_FEW_ROWS = N_("Estimates rest on few rows: {rows} in all.")
_FEW_CASES = N_("Estimates rest on few cases: {target} in only {cases} of the {rows} compared.")
_FEW_OTHERS = N_("Estimates rest on few cases: all but {cases} of the {rows} compared have {target}.")
_NO_CASES = N_("Estimates rest on few cases: none of the {rows} compared has {target}.")
_NO_OTHERS = N_("Estimates rest on few cases: all of the {rows} compared have {target}.")
_WITHOUT_ALIKE = N_(
    "For {share} of the rows, few similar rows have {feature} at {at} or at {reference}. The "
    "interval allows for any value of {label} there."
)
_E_VALUE = {
    False: N_(
        "To explain this association, an unmeasured common cause would need a risk ratio of "
        "{estimate} with both. For the interval to include no difference, it would need {limit} "
        "(E-value)."
    ),
    True: N_(
        "If {feature} is a cause, an unmeasured common cause would need a risk ratio of {estimate} "
        "with both to explain the whole effect. For the interval to include no effect, it would "
        "need {limit} (E-value)."
    ),
}


_EVENT = "{label} = {event}"
_TARGET_SIGN = "{target}: {words}"
_WITH_LEVEL = N_("{text} with {feature} = {level}")
_IF_LEVEL = N_("{text} if {level}")
_IF_COMPARED = N_("{text}, {way} if {at} than if {reference}")
_WITH_COMPARED = N_("{text}, {way} with {feature} = {at} than with {feature} = {reference}")
_ONLY_ADJUSTED = N_("{text} (only when adjusted)")
_OTHERWISE_ADJUSTED = N_("{text} ({words} when adjusted)")
_IN_BRACKETS = "({text})"
_OTHERWISE_IN_CELL = "{text}†"
_ONLY_ADJUSTED_LEGEND = N_("( ): only when adjusted")
_OTHERWISE_LEGEND = N_("†: opposite or unclear when adjusted")


def event_text(label: str, event: str | None) -> str:
    """Write what a figure speaks of: a label with its event, or a number by its name.

    >>> event_text("COPD", "yes"), event_text("FEV1", None)
    ('COPD = yes', 'FEV1')
    """
    label = shown_name(label)
    return label if event is None else _EVENT.format(label=label, event=event)


def association_words(association: AssociationSign) -> str:
    """Say which way a label goes with a feature, with the levels that are spoken of.

    >>> association_words(AssociationSign(Sign.MORE, "COPD", "cigarettes", "yes"))
    'COPD = yes: more likely'
    >>> association_words(AssociationSign(Sign.LESS, "FEV1", "smoker", None, "yes"))
    'FEV1: lower with smoker = yes'
    """
    words = _(SIGN_WORDS[association.event is not None][association.sign])
    text = _TARGET_SIGN.format(target=event_text(association.label, association.event), words=words)
    if association.feature_level is not None and association.sign in (Sign.MORE, Sign.LESS):
        text = _(
            _WITH_LEVEL, text=text, feature=shown_name(association.feature), level=association.feature_level
        )
    return _as_adjusted(_with_levels(text, association, _WITH_COMPARED), association)


def _with_levels(text: str, association: AssociationSign, template: str) -> str:
    """Say of a feature with several levels at which of two the label is higher, or its event more likely."""
    levels = association.compared
    if levels is None:
        return text
    way = _(SIGN_WORDS[association.event is not None][Sign.MORE if levels.is_more else Sign.LESS])
    feature = shown_name(association.feature)
    return _(template, text=text, way=way, feature=feature, at=levels.at, reference=levels.reference)


def _as_adjusted(text: str, association: AssociationSign) -> str:
    """Say beside a direction that it shows only when adjusted, or what it is then."""
    if association.only_adjusted:
        return _(_ONLY_ADJUSTED, text=text)
    if association.adjusted_sign is None:
        return text
    words = _(SIGN_WORDS[association.event is not None][association.adjusted_sign])
    return _(_OTHERWISE_ADJUSTED, text=text, words=words)


def association_text(association: AssociationSign) -> str:
    """Write the same as a cell has it, with a symbol before it.

    >>> association_text(AssociationSign(Sign.MORE, "COPD", "cigarettes", "yes"))
    '↗ COPD = yes: more likely'
    """
    return f"{SIGN_SYMBOLS[association.sign]} {association_words(association)}"


def association_beside_label(association: AssociationSign) -> str:
    """Write the same where the label and the feature stand beside it: with the levels alone.

    >>> association_beside_label(AssociationSign(Sign.MORE, "COPD", "smoker", "yes", "ja"))
    '↗ yes: more likely if ja'
    """
    return _as_adjusted(_beside_label(association), association)


def association_in_cell(association: AssociationSign) -> str:
    """Write the same with a mark for what differs when adjusted, which a legend explains.

    >>> association_in_cell(AssociationSign(Sign.MORE, "COPD", "smoker", "yes", adjusted_sign=Sign.UNCLEAR))
    '↗ yes: more likely†'
    """
    return _marked(_beside_label(association), association)


def way_in_cell(association: AssociationSign) -> str:
    """Write it without the event, which stands with the label, and without levels.

    >>> way_in_cell(AssociationSign(Sign.MORE, "COPD", "smoker", "yes", "ja", only_adjusted=True))
    '(↗ more likely)'
    """
    words = _(SIGN_WORDS[association.event is not None][association.sign])
    return _marked(f"{SIGN_SYMBOLS[association.sign]} {words}", association)


def levels_in_cell(association: AssociationSign) -> str:
    """Write at which of several levels of the feature it goes that way; empty of others.

    >>> from engine.discovery.effects.estimates import ComparedLevels
    >>> levels = ComparedLevels("b", "a", is_more=True)
    >>> levels_in_cell(AssociationSign(Sign.LEVELS_DIFFER, "COPD", "ward", "yes", compared=levels))
    'more likely if b than if a'
    """
    levels = association.compared
    if levels is None:
        return ""
    way = _(SIGN_WORDS[association.event is not None][Sign.MORE if levels.is_more else Sign.LESS])
    return _("{way} if {at} than if {reference}", way=way, at=levels.at, reference=levels.reference)


def adjustment_legend(signs: Iterable[AssociationSign]) -> tuple[str, ...]:
    """Explain the marks in the cells of a table; empty where there are none.

    >>> adjustment_legend([AssociationSign(Sign.MORE, "COPD", "dose", "yes", only_adjusted=True)])
    ('( ): only when adjusted',)
    """
    only = otherwise = False
    for sign in signs:
        only = only or sign.only_adjusted
        otherwise = otherwise or sign.adjusted_sign is not None
    shown = ((only, _ONLY_ADJUSTED_LEGEND), (otherwise, _OTHERWISE_LEGEND))
    return tuple(_(text) for is_shown, text in shown if is_shown)


def _beside_label(association: AssociationSign) -> str:
    text = _(SIGN_WORDS[association.event is not None][association.sign])
    if association.event is not None:
        text = _TARGET_SIGN.format(target=association.event, words=text)
    if association.feature_level is not None and association.sign in (Sign.MORE, Sign.LESS):
        text = _(_IF_LEVEL, text=text, level=association.feature_level)
    return f"{SIGN_SYMBOLS[association.sign]} {_with_levels(text, association, _IF_COMPARED)}"


def _marked(text: str, association: AssociationSign) -> str:
    if association.only_adjusted:
        return _IN_BRACKETS.format(text=text)
    return text if association.adjusted_sign is None else _OTHERWISE_IN_CELL.format(text=text)


def differs_when_adjusted(association: AssociationSign) -> bool:
    """Tell whether the direction is another one when adjusted for the rest of the label's boundary."""
    return association.only_adjusted or association.adjusted_sign is not None


def amount_text(value: float, measure: Measure, numbers: NumberWriter = ENGLISH) -> str:
    """Write a figure of a measure with its unit; differences of rates in percentage points, signed.

    >>> amount_text(0.124, Measure.RATE_DIFFERENCE), amount_text(1.5, Measure.ODDS_RATIO)
    ('+12 points', 'odds × 1.50')
    """
    return _(_MEASURE_UNITS[measure], number=figure_text(value, measure, numbers))


def figure_text(value: float, measure: Measure, numbers: NumberWriter = ENGLISH) -> str:
    """Write a figure of a measure without its unit; what is not zero is not written as zero.

    >>> figure_text(-0.124, Measure.RATE_DIFFERENCE), figure_text(-0.00034, Measure.RATE_DIFFERENCE)
    ('−12', '−0.03')
    """
    if measure is Measure.RATE_DIFFERENCE:
        value *= 100.0
        if abs(value) < _LEAST_POINTS:
            value = 0.0
        is_small = 0.0 < abs(value) < _ROUNDS_TO_A_TENTH
        places = 1 if 0.0 < abs(value) < 9.95 else 0
        text = numbers.rounded(value, 1) if is_small else numbers.decimal(value, places)
    else:
        text = numbers.rounded(value)
    return f"+{text}" if value > 0.0 and measure.without_link == 0.0 else with_minus(text)


# In percentage points: what arithmetic alone makes of no difference, and what one decimal still shows.
_LEAST_POINTS, _ROUNDS_TO_A_TENTH = 1e-9, 0.05


def interval_text(contrast: Contrast, numbers: NumberWriter = ENGLISH) -> str:
    """Write a comparison with its interval, as in a cell.

    >>> found = Contrast(Measure.RATE_DIFFERENCE, "b", "a", "yes", 0.124, 0.03, 0.2, 0.124, 0.124)
    >>> interval_text(found)
    '+12 points (+3.0 to +20)'
    """
    return f"{estimate_text(contrast, numbers)} {limits_text(contrast, numbers)}"


def estimate_text(contrast: Contrast, numbers: NumberWriter = ENGLISH) -> str:
    """Write a comparison without its interval; a range where several are possible.

    >>> estimate_text(Contrast(Measure.ODDS_RATIO, "b", "a", "yes", 1.5, 1.2, 1.9, 1.5, 1.5))
    'odds × 1.50'
    """
    if contrast.least < contrast.most:
        return _range_text(contrast, numbers)
    return amount_text(contrast.estimate, contrast.measure, numbers)


def limits_text(contrast: Contrast, numbers: NumberWriter = ENGLISH) -> str:
    """Write the interval of a comparison, in brackets.

    >>> limits_text(Contrast(Measure.ODDS_RATIO, "b", "a", "yes", 1.5, 1.2, 1.9, 1.5, 1.5))
    '(1.20 to 1.90)'
    """
    low, high = (figure_text(limit, contrast.measure, numbers) for limit in (contrast.low, contrast.high))
    return _("({low} to {high})", low=low, high=high)


def _range_text(contrast: Contrast, numbers: NumberWriter) -> str:
    least, most = (figure_text(limit, contrast.measure, numbers) for limit in (contrast.least, contrast.most))
    return _(_MEASURE_UNITS[contrast.measure], number=_(_RANGE, low=least, high=most))


_RANGE = N_("{low} to {high}")


def place_text(place: str | float, numbers: NumberWriter = ENGLISH) -> str:
    """Write a level as it is, and a value of a number with three digits, without zeros at the end.

    >>> place_text("b"), place_text(10.0), place_text(0.904), place_text(-1234.56)
    ('b', '10', '0.904', '−1,235')
    """
    if isinstance(place, str):
        return place
    if place == 0.0 or not math.isfinite(place):
        return numbers.decimal(place, 0)
    digits = _DIGITS_OF_A_PLACE
    while digits > 1 and float(f"{place:.{digits - 1}e}") == float(f"{place:.{digits - 2}e}"):
        digits -= 1
    return with_minus(numbers.rounded(place, digits))


_DIGITS_OF_A_PLACE = 3


def compared_text(contrast: Contrast, numbers: NumberWriter = ENGLISH) -> str:
    """Say in a few words which levels or values are compared.

    >>> compared_text(Contrast(Measure.SLOPE, 12.5, 3.0, None, 1.0, 0.5, 1.5, 1.0, 1.0))
    '12.5 against 3'
    """
    return _(
        "{at} against {reference}",
        at=place_text(contrast.at, numbers),
        reference=place_text(contrast.reference, numbers),
    )


def contrast_text(label: str, contrast: Contrast, numbers: NumberWriter = ENGLISH) -> str:
    """Say in a few words of what a comparison speaks, and which levels or values it compares.

    >>> found = Contrast(Measure.RATE_DIFFERENCE, "b", "a", "yes", 0.124, 0.03, 0.2, 0.124, 0.124)
    >>> contrast_text("ill", found)
    'ill = yes, b against a'
    """
    return f"{event_text(label, contrast.label_level)}, {compared_text(contrast, numbers)}"


def size_sentences(sizes: Iterable[Size], numbers: NumberWriter = ENGLISH) -> list[Phrase]:
    """Say how large a link is, one sentence an estimand, and what a hidden cause would have to be like."""
    sentences: list[Phrase] = []
    for size in sizes:
        leading = size.leading
        if leading is not None:
            sentences.append(_SENTENCES[size.estimand](size, leading, numbers))
        if leading is not None and size.left_out and (size.adjusted_for or size.parent_sets):
            sentences.append(phrase(_TOO_FEW_ROWS_FOR_ALL, left_out=_names(size.left_out)))
        if size.estimand is Estimand.ASSOCIATION:
            sentences += few_rows(size, numbers)
        if leading is not None and size.between_share:
            sentences.append(phrase(_BETWEEN_DRAWS, share=numbers.share(size.between_share)))
        if size.estimand is Estimand.EFFECT:
            if leading is not None:
                sentences.append(phrase(_COMMON_CAUSE[size.assumes_nothing_hidden]))
            sentences += _caveats(size, numbers)
    return sentences


def cautions(sizes: Iterable[Size], numbers: NumberWriter = ENGLISH) -> Iterator[Phrase]:
    """Say of the sizes of one pair that they rest on few rows, and why no effect at all may be possible."""
    for size in sizes:
        if size.estimand is Estimand.ASSOCIATION:
            yield from few_rows(size, numbers)
        elif size.leading is not None and size.may_be_effect:
            yield phrase(_MAY_BE_EFFECT, feature=Name(size.feature), label=Name(size.label, is_label=True))


def few_rows(size: Size, numbers: NumberWriter = ENGLISH) -> Iterator[Phrase]:
    """Say that the smaller group has less than 20 rows, or both less than 10 with or without the event."""
    leading = size.leading
    if leading is None:
        return
    if size.is_curve:
        if size.rows < 2 * _FEWEST_ROWS:
            yield phrase(_FEW_ROWS, rows=numbers.counted(size.rows, "row"))
        return
    points = [_point(size, at, leading.label_level) for at in (leading.at, leading.reference)]
    compared = [(point, point.rows) for point in points if point is not None and point.rows is not None]
    if len(compared) < 2:
        return
    smaller, rows = min(compared, key=lambda pair: pair[1])
    if rows < _FEWEST_ROWS:
        yield phrase(
            _FEW_ROWS_AT,
            feature=Name(size.feature),
            level=place_text(smaller.at, numbers),
            rows=numbers.counted(rows, "row"),
        )
        return
    if leading.label_level is None:
        return
    total = sum(rows for _, rows in compared)
    cases = round(sum(point.estimate * rows for point, rows in compared))
    rarer = min(cases, total - cases)
    if rarer < _FEWEST_CASES:
        label = Name(size.label, is_label=True)
        few, none = (_FEW_CASES, _NO_CASES) if cases == rarer else (_FEW_OTHERS, _NO_OTHERS)
        yield phrase(
            few if rarer else none,
            target=phrase(_EVENT, label=label, event=leading.label_level),
            cases=numbers.count(rarer),
            rows=numbers.counted(total, "row"),
        )


def _caveats(size: Size, numbers: NumberWriter) -> Iterator[Phrase]:
    """Say of an effect why it may be none, and how strong something hidden would have to be."""
    feature, leading = Name(size.feature), size.leading
    if leading is not None and size.may_be_effect:
        yield phrase(_MAY_BE_EFFECT, feature=feature, label=Name(size.label, is_label=True))
    elif leading is not None and leading.least <= leading.measure.without_link <= leading.most:
        yield phrase(_EITHER_WAY)
    if leading is not None and leading.without_alike:
        parts = _parts(size, leading, numbers)
        yield phrase(_WITHOUT_ALIKE, share=numbers.share(leading.without_alike), **parts)
    if size.e_value is not None:
        estimate, limit = (
            numbers.decimal(number, 2) for number in (size.e_value.estimate, size.e_value.limit)
        )
        yield phrase(_E_VALUE[size.may_be_effect], feature=feature, estimate=estimate, limit=limit)


def _parts(size: Size, leading: Contrast, numbers: NumberWriter) -> dict[str, str | Name | Phrase]:
    """Return what the sentences about a comparison are filled with."""

    def figure(value: float) -> str:
        return figure_text(value, leading.measure, numbers)

    def unsigned(value: float) -> str:
        return figure(value).lstrip("+")

    feature, label = Name(size.feature), Name(size.label, is_label=True)
    level = leading.label_level
    target: Phrase = (label,) if level is None else phrase(_EVENT, label=label, event=level)
    places: dict[str, str | Name | Phrase] = {
        "at": place_text(leading.at, numbers),
        "reference": place_text(leading.reference, numbers),
        "feature": feature,
    }
    if size.quantiles is not None:
        places["lower"], places["upper"] = _quantile_names(*size.quantiles)
    turn = -1.0 if leading.estimate < 0.0 else 1.0
    low, high = sorted((turn * leading.low, turn * leading.high))
    against = _AGAINST_LEVELS
    if size.is_curve:
        against = _AGAINST_QUANTILES if size.quantiles else _AGAINST_VALUES
    return {
        **places,
        "label": label,
        "target": target,
        "compared": phrase(_COMPARED_QUANTILES if size.quantiles else _COMPARED_VALUES, **places),
        "compared_of": phrase(_COMPARED_QUANTILES_OF if size.quantiles else _COMPARED_VALUES_OF, **places),
        "against": phrase(against, **places),
        "size": unsigned(turn * leading.estimate),
        "interval": _interval(size.confidence, unsigned(low), unsigned(high)),
        "difference": figure(leading.estimate),
        "signed_interval": _interval(size.confidence, figure(leading.low), figure(leading.high)),
        "range": _(_RANGE, low=figure(leading.least), high=figure(leading.most)),
        "sets": numbers.counted(len(size.parent_sets), "set"),
    }


def _quantile_names(low: float, high: float) -> tuple[str, str]:
    """Name two quantiles of a number.

    >>> _quantile_names(0.25, 0.75), _quantile_names(0.1, 0.5)
    (('lower', 'upper quartile'), ('10th percentile', 'median'))
    """
    if (low, high) == _QUARTILES:
        return _(_LOWER), _(_UPPER_QUARTILE)
    first, second = (
        _(_NAMED_QUANTILES[quantile]) if quantile in _NAMED_QUANTILES else _(_PERCENTILE, n=100.0 * quantile)
        for quantile in (low, high)
    )
    return first, second


_QUARTILES = (0.25, 0.75)
_LOWER, _UPPER_QUARTILE, _PERCENTILE = N_("lower"), N_("upper quartile"), N_("{n:g}th percentile")
_NAMED_QUANTILES = {0.0: N_("smallest value"), 0.5: N_("median"), 1.0: N_("largest value")}


def _interval(confidence: float, low: str, high: str) -> str:
    return _("{percent:g}% CI {low} to {high}", percent=100.0 * confidence, low=low, high=high)


def _association_sentence(size: Size, leading: Contrast, numbers: NumberWriter) -> Phrase:
    parts = _parts(size, leading, numbers)
    is_rate, is_more = leading.label_level is not None, leading.estimate > 0.0
    if leading.low <= 0.0 <= leading.high:
        return phrase(_UNCLEAR[is_rate], **parts | {"compared": parts["against"]})
    if size.is_curve:
        goes_that_way = size.sign is (Sign.MORE if is_more else Sign.LESS)
        sentences = _AT_HIGHER if goes_that_way else _OF_CURVE
        return phrase(sentences[is_rate][is_more], **parts)
    rates = {}
    for name, at in (("rate", leading.at), ("other_rate", leading.reference)):
        point = _point(size, at, leading.label_level)
        rates[name] = "" if point is None else numbers.share(point.estimate)
    if is_rate and not all(rates.values()):
        return phrase(_AT_LEVELS[is_more], **parts)
    return phrase(_OF_LEVELS[is_rate][is_more], **parts, **rates)


_AT_LEVELS = {
    True: N_(
        "{target} is more likely with {feature} = {at} than with {feature} = {reference}: {size} "
        "percentage points more, unadjusted ({interval})."
    ),
    False: N_(
        "{target} is less likely with {feature} = {at} than with {feature} = {reference}: {size} "
        "percentage points less, unadjusted ({interval})."
    ),
}


def _point(size: Size, at: str | float, label_level: str | None) -> Point | None:
    return next((point for point in size.points if (point.at, point.label_level) == (at, label_level)), None)


def _adjusted_sentence(size: Size, leading: Contrast, numbers: NumberWriter) -> Phrase:
    parts = _parts(size, leading, numbers)
    if not size.adjusted_for and size.left_out:
        return phrase(_TOO_FEW_ROWS_FOR_ANY, left_out=_names(size.left_out), **parts)
    if not size.adjusted_for and size.instead_of:
        return phrase(_TAKES_THE_PLACE, members=_names(size.instead_of), **parts)
    if not size.adjusted_for:
        return phrase(_ADJUSTED_FOR_NOTHING, **parts)
    is_rate, held = leading.label_level is not None, _names(size.adjusted_for)
    if leading.low <= 0.0 <= leading.high:
        return phrase(_ADJUSTED_UNCLEAR[is_rate], held=held, **parts)
    sentences = _ADJUSTED if size.is_curve else _ADJUSTED_OF_LEVELS
    return phrase(sentences[is_rate][leading.estimate > 0.0], held=held, **parts)


def _effect_sentence(size: Size, leading: Contrast, numbers: NumberWriter) -> Phrase:
    parts, is_rate = _parts(size, leading, numbers), leading.label_level is not None
    if len(size.parent_sets) > 1:
        return phrase(_EFFECT_RANGE[is_rate], **parts)
    sentences = _EFFECT_OR_NONE if size.may_be_effect else _EFFECT
    adjustment = (
        phrase(_ADJUSTED_FOR, names=_names(size.adjusted_for)) if size.adjusted_for else phrase(_UNADJUSTED)
    )
    return phrase(sentences[is_rate], adjustment=adjustment, **parts)


def _names(names: tuple[str, ...]) -> Phrase:
    return listing([Name(name) for name in names], most=4)


_BETWEEN_DRAWS = N_("Of the variance of this figure, {share} comes from imputed values.")
_SENTENCES = {
    Estimand.ASSOCIATION: _association_sentence,
    Estimand.ADJUSTED: _adjusted_sentence,
    Estimand.EFFECT: _effect_sentence,
}
