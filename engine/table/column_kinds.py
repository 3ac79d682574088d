"""Whether numbers measure or count something or are codes of categories, and how their values are spread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

import numpy as np

from engine.errors import InvalidData
from engine.table.number_names import (
    NumberMeaning,
    counts_something,
    meaning_of,
    measures_something,
    named_as_kinds,
    numbers_kinds,
)
from engine.table.variable import MISSING_CODE, Kind, Variable, code_dtype, present_numbers
from engine.translation import N_, _
from engine.wording.notes import Note, notes_about
from engine.wording.phrases import plain_listing

_FEWEST, _MOST = 5, 60
_FEWEST_NAMED = 3
_LARGEST_GAP_SEARCHED = 60
_ROWS_PER_KIND = 3
# With so many rows on both sides, a value that never occurs is no chance.
_ROWS_BESIDE_GAP = 15
_FEWEST_INSIDE = 6
_FEWEST_IN_BLOCKS, _SPARSE_BLOCKS = 7, 2.5
_ROUGH = 3.5
_FEWEST_BESIDE_PEAK = 3
# Whole numbers below it are counted without sorting all, which takes a tenth of the time.
_SMALL = 1000
# Of a normal variable, exceeded with a chance of 1 in 1000.
_IN_ORDER = 3.09

BY_NAME, BY_GAP, BY_COUNTS = "name", "gap", "counts"


def reason_for_kinds(name: str, values: np.ndarray) -> tuple[str, np.ndarray] | None:
    """Find what speaks for codes of kinds, and the different numbers; None where nothing does.

    Their name, numbers that are left out between frequent ones, and counts without any order speak for it.
    Counts that fall on both sides of the most frequent number speak against the name.
    """
    if len(values) and values[0] % 1 > 0:
        return None
    # A missing value differs from itself.
    first = {value for value in values[:_FIRST_ROWS].tolist() if value == value}
    if len(first) > _MOST or len(values) < _ROWS_PER_KIND * len(first) or any(value % 1 for value in first):
        return None
    distinct, counts = _counted(present_numbers(values))
    if not _FEWEST_NAMED <= len(distinct) <= _MOST or counts.sum() < _ROWS_PER_KIND * len(distinct):
        return None
    is_counted = counts_something(name) and not numbers_kinds(name)
    if (distinct % 1 != 0).any() or distinct[0] < 0 or is_counted or measures_something(name):
        return None
    if named_as_kinds(name):
        # School may be the years at school, too.
        return None if _fall_from_a_peak(counts) else (BY_NAME, distinct)
    # None is what most people have of what can be counted.
    if len(distinct) < _FEWEST or (distinct[0] == 0 and counts.argmax() == 0):
        return None
    if distinct[-1] - distinct[0] == len(distinct) - 1:
        return (BY_COUNTS, distinct) if _are_without_order(counts) else None
    has_gap = distinct[-1] <= _LARGEST_GAP_SEARCHED and _leaves_out(distinct, counts)
    return (BY_GAP, distinct) if has_gap or _come_in_blocks(distinct, counts) else None


def _counted(present: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the different numbers, ascending, and how often each occurs."""
    counts = _counts_from_zero(present)
    if counts is None:
        return np.unique(present, return_counts=True)
    distinct = np.flatnonzero(counts)
    return distinct.astype(np.float64), counts[distinct]


def _counts_from_zero(present: np.ndarray) -> np.ndarray | None:
    """Return how often 0, 1, 2 … occur; None where other numbers do, or large ones."""
    if not len(present) or present.min() < 0 or present.max() >= _SMALL:
        return None
    whole = present.astype(np.int64)
    return np.bincount(whole) if (whole == present).all() else None


def _fall_from_a_peak(counts: np.ndarray) -> bool:
    """Tell whether numbers get rarer the further they are from the most frequent one, on both sides.

    Those of kinds come in no order: their rank correlation is so large with a chance of 1 in 1000.
    """
    peak = int(counts.argmax())
    if min(peak, len(counts) - 1 - peak) < _FEWEST_BESIDE_PEAK:
        return False
    others = np.delete(np.abs(np.arange(len(counts)) - peak), peak)
    ranks = np.delete(counts, peak).argsort(kind="stable").argsort(kind="stable")
    # By Fisher's transformation.
    correlation = min(-float(np.corrcoef(others, ranks)[0, 1]), 0.999)
    return bool(np.arctanh(correlation) * np.sqrt(len(ranks) - 3) > _IN_ORDER)


def _leaves_out(distinct: np.ndarray, counts: np.ndarray) -> bool:
    """Tell whether a few whole numbers are left out here and there between frequent ones.

    Where the last numbers of a quantity become rare, one may be missing by chance.
    """
    steps = np.diff(distinct)
    if np.gcd.reduce(steps.astype(np.int64)) > 1 or 3 * len(distinct) < 2 * (distinct[-1] - distinct[0] + 1):
        return False
    gaps = np.flatnonzero(steps > 1)
    least = max(_ROWS_BESIDE_GAP, median(counts.tolist()) / 2)
    return any(min(counts[gap], counts[gap + 1]) >= least for gap in gaps.tolist())


def _come_in_blocks(distinct: np.ndarray, counts: np.ndarray) -> bool:
    """Tell whether frequent numbers follow one another in blocks, far from each other, as 11, 12, 21, 31, 32.

    Doses and bands lie further apart the larger they are, and what is measured gets rarer towards its ends.
    """
    if len(distinct) < _FEWEST_IN_BLOCKS or distinct[-1] - distinct[0] < _SPARSE_BLOCKS * len(distinct):
        return False
    steps = np.diff(distinct)
    have_blocks = np.count_nonzero(steps == 1) >= 2 and np.count_nonzero(np.diff(steps) < 0) >= 2
    least = max(_ROWS_BESIDE_GAP, median(counts.tolist()) / 2)
    return bool(have_blocks and counts.min() >= least)


def _are_without_order(counts: np.ndarray) -> bool:
    """Tell whether counts jump from nearly each number to the next, as those of no quantity do."""
    if len(counts) < _FEWEST_INSIDE + 2:
        return False
    between = (counts[:-2] + counts[2:]) / 2
    jumps = np.abs(counts[1:-1] - between) / np.sqrt(counts[1:-1] + between / 2 + 1)
    return bool(median(jumps.tolist()) >= _ROUGH)


CODES = "codes"
"""Topic of the notes about numbers that were read as codes, or might be."""

EMPTY_COLUMN = "empty-column"
"""Topic of the notes about columns without any value."""

VERSIONS = "versions"
"""Topic of the notes about columns of which the zeros at the end of fractions may mean something."""

LEVELS_AS_WRITTEN = "levels-as-written"
"""Topic of the notes about few numbers, some written in two ways, that are categories as they are written."""

ABOUT_KIND = (
    *(CODES, VERSIONS, LEVELS_AS_WRITTEN, "digit-codes", "nominal-codes", "dates"),
    *("marks-on-numbers", "text-among-numbers", "limits"),
)
"""Topics of the notes that say as what a column is read, which end where it is changed."""

MOST_CATEGORIES = 1000

LARGEST_EXACT = 2**53
"""Up to here every whole number is a float64; beyond, neighbours become one."""

LARGEST_NUMBER = 10.0**15
"""From here on a whole number has 16 digits, and is a code as a rule; Excel keeps 15."""

# A curve of the third degree passes through the means of four values, so nothing is lost to a test with such
# curves when so many numbers are taken for categories; with more, the order would be given up for many more
# degrees of freedom.
_MOST_CODES = 4
# Under a name that says that they are codes.
_MOST_NAMED_CODES = 20
# Codes of few categories are near zero. Numbers such as the years 2019 to 2021 are not.
_LARGEST_CODE = 10.0
# A value that stands for a category comes back; 1, 2 and 3 in six rows may be any numbers.
_ROWS_PER_CODE = 5
_FIRST_ROWS = 100


@dataclass(frozen=True, slots=True)
class TypedColumn:
    """A column with what its values were found to be."""

    variable: Variable
    column: np.ndarray
    doubt: str = ""  # what a person should confirm, as a sentence; empty where there is nothing to confirm
    is_of_long_codes: bool = False  # its categories are whole numbers too long to be told apart as numbers


def typed_numbers(
    name: str, values: np.ndarray, *, declared: bool = False, of_kinds: bool = False
) -> TypedColumn:
    """Type one column of numbers.

    Numbers with at most two different values are categories. So are codes: up to four different whole (or
    half) numbers near zero, each in five rows or more on average, and up to twenty under a name such as
    ``status`` or ``stage``, unless the name says that they count or measure, such as ``number of children``
    or ``age``. Codes keep the order of their numbers, which means something unless the name says that they
    are kinds, as ``status`` and ``occupation`` do, or a code book gives meanings without an order
    (`of_kinds`).

    Where the file has another way to declare categories, more than two numbers `declared` as such are
    numbers.

    >>> codes = np.array([0.0, 2.0, 1.0, np.nan] * 8)
    >>> typed = typed_numbers("status", codes)
    >>> typed.variable.levels, typed.variable.ordered, typed.column[:4].tolist()
    (('0', '1', '2'), False, [0, 2, 1, -1])
    """
    limit = 2 if declared else _MOST_NAMED_CODES
    distinct = _distinct_up_to(values, limit)
    if distinct is None or (len(distinct) > 2 and declared):
        return TypedColumn(Variable(name, Kind.CONTINUOUS), values)
    if len(distinct) <= 2:
        return TypedColumn(*_categories(name, values, distinct, ordered=False))
    meaning = meaning_of(name)
    rows = int(np.count_nonzero(~np.isnan(values)))
    if meaning in (NumberMeaning.UNORDERED_CODES, NumberMeaning.ORDERED_CODES) and are_codes(
        distinct, rows, named=True
    ):
        ordered = meaning is NumberMeaning.ORDERED_CODES
        doubt = _doubt(_(_NAMED_AS_ORDERED) if ordered else _(_NAMED_AS_KINDS), name, distinct)
        return TypedColumn(*_categories(name, values, distinct, ordered), doubt)
    if not are_codes(distinct, rows):
        return TypedColumn(Variable(name, Kind.CONTINUOUS), values)
    if meaning is NumberMeaning.COUNTS and not of_kinds:
        doubt = _doubt(_(_NAMED_AS_COUNTS), name, distinct)
        return TypedColumn(Variable(name, Kind.CONTINUOUS), values, doubt)
    if of_kinds or named_as_kinds(name):
        doubt = _doubt(_(_KINDS_BY_BOOK) if of_kinds else _(_NAMED_AS_KINDS), name, distinct)
        return TypedColumn(*_categories(name, values, distinct, ordered=False), doubt)
    doubt = _doubt(_(_LIKE_CODES), name, distinct)
    return TypedColumn(*_categories(name, values, distinct, ordered=True), doubt)


_NAMED_AS_ORDERED = N_(
    "'{name}' holds only the {numbers} and is read as ordered categories, as its name suggests. If they "
    "measure or count something, read it as a number."
)
_NAMED_AS_KINDS = N_(
    "'{name}' holds only the {numbers} and is read as categories without an order, as its name suggests. If "
    "they measure or count something, read it as a number."
)
_KINDS_BY_BOOK = N_(
    "'{name}' holds only the {numbers} and is read as categories without an order, as the code book says. If "
    "they measure or count something, read it as a number."
)
_NAMED_AS_COUNTS = N_(
    "'{name}' holds only the {numbers} and stays a number, as its name suggests. If they are codes, read it "
    "as categories."
)
_LIKE_CODES = N_(
    "'{name}' holds only the {numbers} and is read as ordered categories. If they measure or count "
    "something, read it as a number."
)


def are_codes(distinct: np.ndarray, rows: int, *, named: bool = False) -> bool:
    """Tell whether different numbers, none missing, look like codes of a few categories.

    >>> are_codes(np.array([0.0, 0.5, 1.0]), rows=418), are_codes(np.array([10.0, 20.0, 30.0]), rows=418)
    (True, False)
    """
    comes_back = rows >= _ROWS_PER_CODE * len(distinct)
    if named:
        return comes_back and len(distinct) <= _MOST_NAMED_CODES and bool((distinct % 1 == 0).all())
    near_zero = bool((np.abs(distinct) <= _LARGEST_CODE).all() and (2 * distinct % 1 == 0).all())
    return comes_back and len(distinct) <= _MOST_CODES and near_zero


def digit_codes_note(name: str, codes: Sequence[str]) -> Note:
    """Say that a column of digits is no column of numbers."""
    example = next((code for code in codes if code.startswith("0")), codes[0])
    message = _(
        "Column '{name}' holds codes made of digits, such as '{example}', read as categories.",
        name=name,
        example=example,
    )
    return Note("digit-codes", message, name)


def notes_about_kinds(columns: Sequence[TypedColumn]) -> tuple[Note, ...]:
    """Say which whole numbers are codes, and where it is in doubt whether numbers are."""
    doubts = {column.variable.name: column for column in columns if column.doubt}
    named = {name: doubt.doubt for name, doubt in doubts.items() if doubt.variable.kind is Kind.CONTINUOUS}
    ordered = {name: doubt.doubt for name, doubt in doubts.items() if doubt.variable.ordered}
    told = {*named, *ordered}
    kinds = {name: doubt.doubt for name, doubt in doubts.items() if name not in told}
    return (
        *(
            digit_codes_note(column.variable.name, column.variable.levels)
            for column in columns
            if column.is_of_long_codes
        ),
        *notes_about(CODES, ordered, _ORDERED_TOGETHER, _MOST_NAMED),
        *notes_about(CODES, kinds, _KINDS_TOGETHER, _MOST_NAMED),
        *notes_about(CODES, named, _NUMBERS_TOGETHER, _MOST_NAMED),
    )


_MOST_NAMED = 12
_ORDERED_TOGETHER = N_(
    "{count} columns hold few whole numbers and are read as ordered categories: {names}. Check whether their "
    "order means something."
)
_KINDS_TOGETHER = N_(
    "{count} columns hold few whole numbers and are read as categories without an order: {names}. Check them."
)
_NUMBERS_TOGETHER = N_("{count} columns of few whole numbers stay numbers, as named; check them: {names}.")


def as_categories(variable: Variable, column: np.ndarray) -> tuple[Variable, np.ndarray]:
    """Make categories of a column of numbers, ordered unless they seem to be codes of kinds."""
    distinct = np.unique(present_numbers(column))
    if len(distinct) > MOST_CATEGORIES:
        raise InvalidData(
            _("{count:,} different numbers are too many to be categories.", count=len(distinct)),
            place=_("column '{name}'", name=variable.name),
            remedy=_("Leave it as numbers."),
        )
    is_ordered = reason_for_kinds(variable.name, column) is None
    categories, codes = _categories(variable.name, column, distinct, is_ordered)
    return replace(
        variable, kind=categories.kind, levels=categories.levels, ordered=categories.ordered
    ), codes


def as_numbers(variable: Variable, column: np.ndarray) -> tuple[Variable, np.ndarray]:
    """Make numbers of categories that are written as numbers."""
    numbers = np.array([_number(variable, level) for level in variable.levels] + [np.nan])
    # The code for missing, -1, picks the NaN at the end.
    return replace(variable, kind=Kind.CONTINUOUS, levels=(), ordered=False, is_cut=False), numbers[column]


def level_name(level: object) -> str:
    """Write a level as a person would: 1 rather than 1.0."""
    if isinstance(level, (float, np.floating)) and float(level).is_integer():
        return str(int(level))
    return str(level)


def _distinct_up_to(values: np.ndarray, limit: int) -> np.ndarray | None:
    """Give the different values, ascending, or None when there are more; the first rows settle it mostly."""
    first = present_numbers(values[:_FIRST_ROWS])
    distinct = list(set(first.tolist()))
    if len(distinct) > limit:
        return None
    rest = present_numbers(values)
    if (counts := _counts_from_zero(rest)) is not None:
        whole = np.flatnonzero(counts).astype(np.float64)
        return whole if len(whole) <= limit else None
    # What is known is taken away from the rest: to sort all of a column of two values would be waste.
    for value in distinct:
        rest = rest[rest != value]
    while len(rest) and len(distinct) <= limit:
        distinct.append(float(rest[0]))
        rest = rest[rest != rest[0]]
    return np.array(sorted(distinct)) if len(distinct) <= limit else None


def _categories(
    name: str, values: np.ndarray, distinct: np.ndarray, ordered: bool
) -> tuple[Variable, np.ndarray]:
    codes = np.searchsorted(distinct, values).astype(code_dtype(max(len(distinct), 1)))
    codes[np.isnan(values)] = MISSING_CODE
    levels = tuple(level_name(value) for value in distinct.tolist())
    return Variable(name, Kind.NOMINAL, levels=levels, ordered=ordered), codes


def _doubt(sentence: str, name: str, distinct: np.ndarray) -> str:
    """Say which numbers a column holds, and how it is read for that."""
    shown = plain_listing([level_name(value) for value in distinct.tolist()], _MOST_CODES)
    are_whole = (distinct % 1 == 0).all()
    return sentence.format(
        name=name,
        numbers=_("whole numbers {numbers}", numbers=shown)
        if are_whole
        else _("numbers {numbers}", numbers=shown),
    )


def _number(variable: Variable, level: str) -> float:
    try:
        # Python takes "1_2" for twelve.
        number = np.nan if "_" in level else float(level)
    except ValueError:
        number = np.nan
    if not np.isfinite(number):
        raise InvalidData(
            _("the category {level!r} is not a number.", level=level),
            place=_("column '{name}'", name=variable.name),
            remedy=_("Leave it as categories."),
        )
    return number


# Beyond these a word is said: an exponential distribution has a skewness of 2, a normal one of 0.
NOTABLE_SKEWNESS = 1.0
NOTABLE_ZEROS = 0.2


@dataclass(frozen=True, slots=True)
class NumberShape:
    """Skewness of a column of numbers, and how many of its values are zero.

    Skewness is the third central moment over the cube of the standard deviation (g₁ in Joanes and Gill 1998,
    Comparing measures of sample skewness and kurtosis, The Statistician 47:183-189): positive with a long
    tail to the right, 0 where all values are equal or there are none.
    """

    skewness: float = 0.0
    zeros: float = 0.0  # share of the values that are zero, 0 to 1

    @property
    def words(self) -> tuple[str, ...]:
        """What is notable, each in a few words; nothing for an even spread."""
        words = []
        if abs(self.skewness) >= NOTABLE_SKEWNESS:
            skewed = (
                _("skewed to the right ({size:.1f})")
                if self.skewness > 0
                else _("skewed to the left ({size:.1f})")
            )
            words.append(skewed.format(size=abs(self.skewness)))
        if self.zeros >= NOTABLE_ZEROS:
            words.append(_("{percent:.0f} % zeros", percent=100 * self.zeros))
        return tuple(words)


def shape_of(values: np.ndarray) -> NumberShape:
    """Measure how the values of a number, finite or NaN for missing, are spread.

    >>> shape = shape_of(np.array([0.0, 0.0, 0.0, 1.0, 9.0, np.nan]))
    >>> round(shape.skewness, 2), shape.zeros
    (1.46, 0.6)
    >>> shape.words
    ('skewed to the right (1.5)', '60 % zeros')
    """
    present = present_numbers(values)
    return shapes_of(present[np.newaxis])[0] if len(present) else NumberShape()


def shapes_of(values: np.ndarray) -> list[NumberShape]:
    """Measure how numbers of several columns are spread: shape (columns, rows), none missing."""
    zeros = np.count_nonzero(values == 0.0, axis=1) / values.shape[1]
    # Scaled before powers are taken: those of the largest floats overflow, and of the smallest vanish.
    largest = _largest_sizes(values)
    centred = values / np.where(largest == 0.0, 1.0, largest)
    centred -= centred.mean(axis=1, keepdims=True)
    spread = _largest_sizes(centred)
    varies = spread > 8 * np.finfo(np.float64).eps
    centred /= np.where(varies, spread, 1.0)
    powers = np.square(centred)
    variance = np.where(varies[:, 0], powers.mean(axis=1), 1.0)
    powers *= centred
    skewness = np.where(varies[:, 0], powers.mean(axis=1) / variance**1.5, 0.0)
    skewness[~np.isfinite(skewness)] = 0.0
    return [NumberShape(*shape) for shape in zip(skewness.tolist(), zeros.tolist(), strict=True)]


def _largest_sizes(values: np.ndarray) -> np.ndarray:
    """Return the largest absolute value of each row, shape (rows, 1), without an array of them all."""
    largest: np.ndarray = np.maximum(values.max(axis=1, keepdims=True), -values.min(axis=1, keepdims=True))
    return largest
