"""Sizes in words: signs, differences with their intervals, and whole sentences about a pair.

Each sentence is written once, with named places, and says what was estimated and no more.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from engine.discovery.effects.estimates import Contrast, Estimand, Measure, Point, Sign, Size
from engine.wording.numbers import ENGLISH, NumberWriter, with_minus
from engine.wording.phrases import Name, Phrase, listing, phrase

SIGN_SYMBOLS = {
    Sign.MORE: "↗",
    Sign.LESS: "↘",
    Sign.NOT_ONE_WAY: "∿",
    Sign.LEVELS_DIFFER: "≠",
    Sign.UNCLEAR: "?",
}
SIGN_WORDS = {
    Sign.MORE: "more",
    Sign.LESS: "less",
    Sign.NOT_ONE_WAY: "not one way",
    Sign.LEVELS_DIFFER: "levels differ",
    Sign.UNCLEAR: "unclear",
}
SIGN_HELP = {
    Sign.MORE: "The more of the variable, the more of the label.",
    Sign.LESS: "The more of the variable, the less of the label.",
    Sign.NOT_ONE_WAY: "The label rises with the variable at one place and falls at another.",
    Sign.LEVELS_DIFFER: "The label differs between levels that have no order.",
    Sign.UNCLEAR: "Chance alone could make the differences that are seen without anything held fixed.",
}
ONLY_HELD_HELP = (
    "That shows only with the rest of the label's boundary held; without, chance alone could make what is "
    "seen."
)
ESTIMAND_HELP = {
    Estimand.ASSOCIATION: "How the label goes with the variable, with nothing held fixed.",
    Estimand.ADJUSTED: "The same with the rest of the label's boundary held as it is in the population.",
    Estimand.EFFECT: "What would happen to the label if the variable were changed, adjusted for what causes "
    "the variable. It is told of causes only, and holds if nothing hidden causes both.",
}

_MEASURE_UNITS = {
    Measure.RATE_DIFFERENCE: "{number} points",
    Measure.RATE_RATIO: "{number} times",
    Measure.ODDS_RATIO: "odds × {number}",
    Measure.MEAN_DIFFERENCE: "{number}",
    Measure.SLOPE: "{number} a unit",
}

_OF_LEVELS = (
    "Where {feature} is {at}, {label} is {level} in {rate} of the rows; where it is {reference}, in "
    "{other_rate}: {difference} ({low} to {high})."
)
_OF_CURVE = {
    True: "Where {feature} is {at} and not {reference}, {label} is {level} more often: {difference} "
    "({low} to {high}).",
    False: "Where {feature} is {at} and not {reference}, {label} is {level} less often: {difference} "
    "({low} to {high}).",
}
_OF_MEANS = {
    True: "Where {feature} is {at} and not {reference}, {label} is higher on average: {difference} "
    "({low} to {high}).",
    False: "Where {feature} is {at} and not {reference}, {label} is lower on average: {difference} "
    "({low} to {high}).",
}
_NO_CLEAR_DIFFERENCE = (
    "Whether {label} differs where {feature} is {at} and not {reference} is not clear: {difference} "
    "({low} to {high})."
)
_ADJUSTED = "With {held} held as in the population, the difference is {difference} ({low} to {high})."
_ADJUSTED_FOR_NOTHING = "There is nothing else in the boundary of {label} to be held."
_TAKES_THE_PLACE = (
    "{feature} takes the place of {members} in the boundary of {label}, and there is nothing else to be held."
)
_TOO_FEW_ROWS_FOR_ANY = (
    "Nothing else in the boundary of {label} is held, since rows are too few to hold {left_out}."
)
_TOO_FEW_ROWS_FOR_ALL = "Rows are too few to hold {left_out} as well."
_EFFECT = {
    True: "If {feature} were changed from {reference} to {at}, {label} would change by {difference} ({low} "
    "to {high}), adjusted for {parents}, provided that nothing hidden causes both.",
    False: "If {feature} were changed from {reference} to {at}, {label} would change by {difference} ({low} "
    "to {high}), adjusted for {parents}. Nothing hidden causes both, as far as the tests tell.",
}
_EFFECT_RANGE = {
    True: "If {feature} were changed from {reference} to {at}, {label} would change by {range} ({low} to "
    "{high} with chance), provided that nothing hidden causes both: the data leave open which of {sets} of "
    "causes of {feature} is right.",
    False: "If {feature} were changed from {reference} to {at}, {label} would change by {range} ({low} to "
    "{high} with chance): the data leave open which of {sets} of causes of {feature} is right.",
}
_EFFECT_OR_NONE = {
    True: "If {feature} were changed from {reference} to {at}, {label} would change by {range} ({low} to "
    "{high} with chance), adjusted for {parents}, provided that nothing hidden causes both.",
    False: "If {feature} were changed from {reference} to {at}, {label} would change by {range} ({low} to "
    "{high} with chance), adjusted for {parents}. Nothing hidden causes both, as far as the tests tell.",
}
_MAY_BE_EFFECT = (
    "No change at all is among these, since it is not certain enough that {feature} is a cause of {label} "
    "and no effect of it."
)
_EITHER_WAY = (
    "No change at all is among these, since the sets of causes disagree on which way it would change."
)
_WITHOUT_ALIKE = (
    "For {share} of the rows hardly anybody alike has {feature} at {at} or at {reference}: the limits "
    "allow for whatever {label} would be there."
)
_E_VALUE = {
    False: "To explain this away, something hidden would have to go along with both by a risk ratio of "
    "{estimate}, and of {limit} to bring the interval to no difference (E-value).",
    True: "If {feature} is a cause, something hidden would have to go along with both by a risk ratio of "
    "{estimate} to explain its effect away, and of {limit} to bring the interval to no difference (E-value).",
}


_REST_HELD = "{symbol} {word} with the rest held"
_SYMBOL_REST_HELD = "({symbol})"


def sign_text(sign: Sign, only_held: bool = False) -> str:
    """Write a sign as symbol and word: what the label does with more of the variable.

    Parameters
    ----------
    sign : Sign
    only_held : bool
        It shows only with the rest of the label's boundary held.

    Examples
    --------
    >>> sign_text(Sign.LESS), sign_text(Sign.LESS, only_held=True)
    ('↘ less', '↘ less with the rest held')
    """
    if only_held:
        return _REST_HELD.format(symbol=SIGN_SYMBOLS[sign], word=SIGN_WORDS[sign])
    return f"{SIGN_SYMBOLS[sign]} {SIGN_WORDS[sign]}"


def sign_symbol(sign: Sign, only_held: bool = False) -> str:
    """Write a sign as a symbol, in brackets where it shows only with the rest held.

    Examples
    --------
    >>> sign_symbol(Sign.MORE), sign_symbol(Sign.LESS, only_held=True)
    ('↗', '(↘)')
    """
    symbol = SIGN_SYMBOLS[sign]
    return _SYMBOL_REST_HELD.format(symbol=symbol) if only_held else symbol


def amount_text(value: float, measure: Measure, numbers: NumberWriter = ENGLISH) -> str:
    """Write a figure of a measure with its unit; differences of rates in percentage points, signed.

    Examples
    --------
    >>> amount_text(0.124, Measure.RATE_DIFFERENCE), amount_text(1.5, Measure.ODDS_RATIO)
    ('+12 points', 'odds × 1.50')
    """
    return _MEASURE_UNITS[measure].format(number=figure_text(value, measure, numbers))


def figure_text(value: float, measure: Measure, numbers: NumberWriter = ENGLISH) -> str:
    """Write a figure of a measure without its unit.

    Examples
    --------
    >>> figure_text(-0.124, Measure.RATE_DIFFERENCE)
    '−12'
    """
    if measure is Measure.RATE_DIFFERENCE:
        value *= 100.0
        text = numbers.decimal(value, 1 if 0.0 < abs(value) < 9.95 else 0)
    else:
        text = numbers.decimal(value, _places(value))
    return f"+{text}" if value > 0.0 and measure.without_link == 0.0 else with_minus(text)


def _places(value: float) -> int:
    """Return how many decimals give three digits that mean something, from none to six."""
    if value == 0.0 or not math.isfinite(value):
        return 0
    return min(max(2 - math.floor(math.log10(abs(value))), 0), 6)


def interval_text(found: Contrast, numbers: NumberWriter = ENGLISH) -> str:
    """Write a comparison with its interval, as in a cell.

    Examples
    --------
    >>> found = Contrast(Measure.RATE_DIFFERENCE, "b", "a", "yes", 0.124, 0.03, 0.2, 0.124, 0.124)
    >>> interval_text(found)
    '+12 points (+3.0 to +20)'
    """
    low, high = (figure_text(each, found.measure, numbers) for each in (found.low, found.high))
    if found.least < found.most:
        return f"{_range_text(found, numbers)} ({low} to {high})"
    return f"{amount_text(found.estimate, found.measure, numbers)} ({low} to {high})"


def _range_text(found: Contrast, numbers: NumberWriter) -> str:
    least, most = (figure_text(each, found.measure, numbers) for each in (found.least, found.most))
    return _MEASURE_UNITS[found.measure].format(number=f"{least} to {most}")


def place_text(place: str | float, numbers: NumberWriter = ENGLISH) -> str:
    """Write a level as it is, and a value of a number with three digits, without zeros at the end.

    Examples
    --------
    >>> place_text("b"), place_text(10.0), place_text(0.904), place_text(-1234.56)
    ('b', '10', '0.904', '−1,235')
    """
    if isinstance(place, str):
        return place
    places = _places(place)
    while places and round(place, places - 1) == round(place, places):
        places -= 1
    return with_minus(numbers.decimal(place, places))


def compared_text(found: Contrast, numbers: NumberWriter = ENGLISH) -> str:
    """Say in a few words which levels or values are compared.

    Examples
    --------
    >>> compared_text(Contrast(Measure.SLOPE, 12.5, 3.0, None, 1.0, 0.5, 1.5, 1.0, 1.0))
    '12.5 against 3'
    """
    return f"{place_text(found.at, numbers)} against {place_text(found.reference, numbers)}"


def size_sentences(sizes: Iterable[Size], numbers: NumberWriter = ENGLISH) -> list[Phrase]:
    """Say how large a link is, one sentence an estimand, and what a hidden cause would have to be like.

    Parameters
    ----------
    sizes : iterable of Size
        Of one pair, as :meth:`Effects.of` gives them.
    numbers : NumberWriter
    """
    found: list[Phrase] = []
    for size in sizes:
        leading = size.leading
        if leading is not None:
            found.append(_SENTENCES[size.estimand](size, leading, numbers))
        if leading is not None and size.left_out and (size.adjusted_for or size.parent_sets):
            found.append(phrase(_TOO_FEW_ROWS_FOR_ALL, left_out=_names(size.left_out)))
        if leading is not None and size.between_share:
            found.append(phrase(_BETWEEN_DRAWS, share=numbers.share(size.between_share)))
        if size.estimand is Estimand.EFFECT:
            found += _caveats(size, numbers)
    return found


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
        estimate, limit = (numbers.decimal(each, 2) for each in (size.e_value.estimate, size.e_value.limit))
        yield phrase(_E_VALUE[size.may_be_effect], feature=feature, estimate=estimate, limit=limit)


def _parts(size: Size, leading: Contrast, numbers: NumberWriter) -> dict[str, str | Name | Phrase]:
    def figure(value: float) -> str:
        return figure_text(value, leading.measure, numbers)

    return {
        "feature": Name(size.feature),
        "label": Name(size.label, is_label=True),
        "level": leading.label_level or "",
        "at": place_text(leading.at, numbers),
        "reference": place_text(leading.reference, numbers),
        "difference": amount_text(leading.estimate, leading.measure, numbers),
        "low": figure(leading.low),
        "high": figure(leading.high),
        "range": _range_text(leading, numbers),
        "sets": numbers.counted(len(size.parent_sets), "set"),
    }


def _association_sentence(size: Size, leading: Contrast, numbers: NumberWriter) -> Phrase:
    parts = _parts(size, leading, numbers)
    if leading.low <= 0.0 <= leading.high:
        return phrase(_NO_CLEAR_DIFFERENCE, **parts)
    if leading.label_level is None:
        return phrase(_OF_MEANS[leading.estimate > 0.0], **parts)
    at, reference = (_point(size, each, leading.label_level) for each in (leading.at, leading.reference))
    if at is None or reference is None:
        return phrase(_OF_CURVE[leading.estimate > 0.0], **parts)
    rates = {"rate": numbers.share(at.estimate), "other_rate": numbers.share(reference.estimate)}
    return phrase(_OF_LEVELS, **parts, **rates)


def _point(size: Size, at: str | float, label_level: str | None) -> Point | None:
    if size.is_curve:
        return None
    return next((each for each in size.points if (each.at, each.label_level) == (at, label_level)), None)


def _adjusted_sentence(size: Size, leading: Contrast, numbers: NumberWriter) -> Phrase:
    parts = _parts(size, leading, numbers)
    if not size.adjusted_for and size.left_out:
        return phrase(_TOO_FEW_ROWS_FOR_ANY, left_out=_names(size.left_out), **parts)
    if not size.adjusted_for and size.instead_of:
        return phrase(_TAKES_THE_PLACE, members=_names(size.instead_of), **parts)
    if not size.adjusted_for:
        return phrase(_ADJUSTED_FOR_NOTHING, **parts)
    return phrase(_ADJUSTED, held=_names(size.adjusted_for), **parts)


def _effect_sentence(size: Size, leading: Contrast, numbers: NumberWriter) -> Phrase:
    parts = _parts(size, leading, numbers)
    if len(size.parent_sets) > 1:
        return phrase(_EFFECT_RANGE[size.assumes_nothing_hidden], **parts)
    sentences = _EFFECT_OR_NONE if size.may_be_effect else _EFFECT
    return phrase(sentences[size.assumes_nothing_hidden], parents=_names(size.adjusted_for), **parts)


def _names(names: tuple[str, ...]) -> Phrase:
    return listing([Name(each) for each in names], most=4) if names else ("nothing",)


_BETWEEN_DRAWS = "Of the variance of this figure {share} comes from empty cells, for which values were drawn."
_SENTENCES = {
    Estimand.ASSOCIATION: _association_sentence,
    Estimand.ADJUSTED: _adjusted_sentence,
    Estimand.EFFECT: _effect_sentence,
}
