"""What stands for a missing value: as it is told, and numbers and words that may.

A number is a candidate when it is a customary code *and* at an end of its column, alone or with others of
its kind. It is treated as missing only when it is negative and cannot be an ordinary value: either it lies
further from the nearest other value than all other values lie apart, or nothing else in the column is below
zero, and the latter in two columns at once. Other codes are reported and left alone: 999 is also a number.
What means missing in one column, or may, is reported in others too, where it repeats and lies apart. Words
such as "don't know" are reported, too.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace

import numpy as np

from engine.readers.cell_text import ALWAYS_MISSING, MISSING_AMONG_NUMBERS, parse_number
from engine.readers.missing_words import means_missing, places_that_mean_missing
from engine.readers.options import ReadingOptions
from engine.readers.several_answers import taken_apart
from engine.table.column_kinds import TypedColumn
from engine.table.number_names import counts_something
from engine.table.variable import MISSING_CODE, present_numbers
from engine.translation import N_, _, for_count
from engine.wording.notes import Note, listed
from engine.wording.numbers import count_text
from engine.wording.phrases import plain_listing

# 77, 88, 97, 98, 99 and the like in up to seven digits, some with one or two decimals as 99.9 and 9.99 have;
# 9 and 200 by themselves are ordinary values.
_WHOLE = frozenset(
    int(first * (digits - 1) + last)
    for digits in range(2, 8)
    for first, last in ("77", "88", "97", "98", "99")
)
_POSITIVE = _WHOLE | {round(code / part, 2) for code in _WHOLE if code > 99 for part in (10, 100)}
_NEGATIVE = frozenset(-code for code in _POSITIVE) | {-9, -200}
_CODES = _NEGATIVE | _POSITIVE
_REPEATED_DIGITS = frozenset(float(digit * digits) for digit in "789" for digits in (2, 3, 4))
_LEAST_OTHER_VALUES = 3
# "Refused", "not asked" and the like: below zero, where nothing else is.
_SMALL_NEGATIVE = frozenset(range(-9, 0))
_MOST_TOGETHER = 6
FEW_OF_CELLS = 3
"""What stands in one of so many cells, or in more, means nothing missing."""
# A scale of so many points has codes of one digit above it.
_LONGEST_SCALE = 7
_ABOVE_SCALE = (9.0, 8.0, 7.0)
# It is a code where 77 and others follow.
_BEFORE_77 = 66.0
_WIDER_THAN_OTHER_GAPS = 3.0
# Where values get rarer towards an end, each of those beyond lies in the last of so many steps with a chance
# of one step at most: all of them rarely.
_RARELY = 0.01
# One value in so many times as many cells as any other was not measured.
_TIED_MORE_OFTEN = 3
# Codes only beside others below zero, as -66 beside -77 is.
_REPEATED_NEGATIVE = frozenset(range(-99, 0, 11))
_AT_THE_ENDS = _CODES | _SMALL_NEGATIVE | _REPEATED_NEGATIVE | frozenset(_ABOVE_SCALE)


@dataclass(frozen=True, slots=True)
class MissingCodes:
    """What means missing in which column, as it is told."""

    only: tuple[str, ...] | None = None
    also: tuple[str, ...] = ()
    never: tuple[str, ...] = ()

    @classmethod
    def of(cls, options: ReadingOptions) -> MissingCodes:
        """Take them out of the options."""
        return cls(options.missing_codes, options.also_missing or (), options.not_missing or ())

    @property
    def everywhere(self) -> tuple[str, ...]:
        """What means missing in every column."""
        usual = ALWAYS_MISSING if self.only is None else self.only
        never = set(_of_all(self.never))
        return tuple(dict.fromkeys(code for code in (*usual, *_of_all(self.also)) if code not in never))

    def texts(self, name: str) -> frozenset[str]:
        """Return what means missing in a column.

        >>> codes = MissingCodes(only=("-",), also=("trust=99", "999"), never=("region=-",))
        >>> sorted(codes.texts("trust")), sorted(codes.texts("region"))
        (['-', '99', '999'], ['999'])
        """
        if not (self.also or self.never):
            return frozenset(self.everywhere)
        return frozenset({*self.everywhere, *_of_one(self.also, name)} - _of_one(self.never, name))

    def added(self, name: str) -> frozenset[str]:
        """Return what a person says to mean missing in a column, besides what usually does."""
        if not (self.only or self.also):
            return frozenset()
        return frozenset({*(self.only or ()), *_of_all(self.also), *_of_one(self.also, name)}) - self.kept(
            name
        )

    def kept(self, name: str) -> frozenset[str]:
        """Return what a person says to be a value in a column."""
        if not self.never:
            return frozenset()
        return frozenset({*_of_all(self.never), *_of_one(self.never, name)})

    def names_kept_in_one(self, names: Iterable[str]) -> list[str]:
        """Return the columns in which something is a value that means missing elsewhere."""
        return (
            [name for name in names if _of_one(self.never, name) & {*self.everywhere}] if self.never else []
        )

    @property
    def columns(self) -> tuple[str, ...]:
        """What stands before the first sign of equality where one column is named."""
        return tuple(code for code in (*self.also, *self.never) if code.find("=") > 0)


def of_column(name: str, code: str) -> str:
    """Write what means missing in one column."""
    return f"{name}={code}"


def _of_all(codes: Sequence[str]) -> list[str]:
    return [code for code in codes if code.find("=") < 1]


def _of_one(codes: Sequence[str], name: str) -> set[str]:
    start = f"{name}="
    return {code[len(start) :] for code in codes if code.startswith(start)}


def without_codes(values: np.ndarray, codes: Iterable[str], decimal: str) -> np.ndarray:
    """Take for missing what is written as a number and declared to mean missing."""
    numbers = [number for text in codes if (number := parse_number(text, decimal)) is not None]
    if not numbers:
        return values
    declared = np.isin(values, numbers)
    return np.where(declared, np.nan, values) if declared.any() else values


@dataclass(frozen=True, slots=True)
class Sentinel:
    """A number that stands for missing."""

    value: float
    columns: tuple[str, ...]
    count: int

    @property
    def code(self) -> str:
        """The number as it is usually written."""
        return f"{self.value:.15g}"


@dataclass(frozen=True, slots=True)
class _Extreme:
    column: str
    count: int
    isolated: bool
    alone_below_zero: bool


def find_sentinels(
    columns: Mapping[str, np.ndarray], told: MissingCodes | None = None
) -> tuple[tuple[Sentinel, ...], tuple[Note, ...]]:
    """Look for numbers that stand for missing, in numeric columns, but for what is told to be a value."""
    extremes_of: dict[float, list[_Extreme]] = defaultdict(list)
    together: dict[str, dict[float, int]] = {}
    extents: dict[str, tuple[int, float, float]] = {}
    at_ends: dict[str, dict[float, int]] = {}
    for name, values in columns.items():
        # NaN where all are missing.
        low, high = (
            float(np.fmin.reduce(values, initial=np.nan)),
            float(np.fmax.reduce(values, initial=np.nan)),
        )
        if low not in _AT_THE_ENDS and high not in _AT_THE_ENDS:
            continue
        present = present_numbers(values)
        extents[name] = len(present), low, high
        if high in _ABOVE_SCALE and low >= 0 and _leaves_none_out(present, low, high):
            continue
        kept = _kept_in(name, told)
        codes, others = _codes_at_the_ends(present)
        at_ends[name] = {value: count for value, count in codes.items() if value not in kept}
        for value, count in codes.items():
            extreme = None if value in kept else _examine(name, value, count, others)
            if extreme is not None:
                extremes_of[value].append(extreme)
        several = _several(name, present) or _apart(codes, others)
        if several and not kept & several.keys():
            together[name] = several
    for name in _three_way(columns, extents, together):
        del together[name]
    sentinels: list[Sentinel] = []
    suspected: dict[str, dict[float, tuple[int, str]]] = {}
    for value in sorted(extremes_of):
        extremes = [
            occurrence
            for occurrence in extremes_of[value]
            if occurrence.isolated or occurrence.alone_below_zero
        ]
        isolated = [occurrence for occurrence in extremes if occurrence.isolated]
        repeated = sum(occurrence.count for occurrence in isolated) > 1
        if value < 0 and (repeated or len(extremes) > 1):
            names = tuple(occurrence.column for occurrence in extremes)
            sentinels.append(Sentinel(value, names, sum(occurrence.count for occurrence in extremes)))
            continue
        if value > 0 and repeated:
            doubted, sentence = isolated, _(_FAR_OFF)
        else:
            doubted, sentence = (
                [occurrence for occurrence in extremes if occurrence.count > 1],
                _(_BELOW_ZERO),
            )
        for occurrence in doubted:
            suspected.setdefault(occurrence.column, {})[value] = (occurrence.count, sentence)
    for name, codes in together.items():
        read = {sentinel.value for sentinel in sentinels if name in sentinel.columns}
        before = suspected.setdefault(name, {})
        before |= {
            value: (count, _(_TOGETHER))
            for value, count in codes.items()
            if value not in read | before.keys()
        }
    for name, before in suspected.items():
        read = {sentinel.value for sentinel in sentinels if name in sentinel.columns}
        before |= {
            value: (count, _(_TOGETHER))
            for value, count in at_ends[name].items()
            if value not in read | before.keys() and _is_further_out(value, before)
        }
    suspected = {
        name: codes
        for name, codes in suspected.items()
        if codes
        and not _are_values(
            {value: count for value, (count, _) in codes.items()}, extents[name], columns[name]
        )
    }
    established = {sentinel.value for sentinel in sentinels}.union(
        _told_of_columns(told), *suspected.values()
    )
    for name, (_count, low, high) in extents.items():
        if name in suspected or not established & {low, high}:
            continue
        settled = _kept_in(name, told).union(
            sentinel.value for sentinel in sentinels if name in sentinel.columns
        )
        codes = _as_elsewhere(columns[name], established - settled)
        if codes and not _are_values(codes, extents[name], columns[name]):
            suspected[name] = {value: (count, _(_AS_ELSEWHERE)) for value, count in codes.items()}
    return tuple(sentinels), tuple(_suspicion(name, codes) for name, codes in suspected.items())


def _leaves_none_out(present: np.ndarray, low: float, high: float) -> bool:
    """Tell by the first values whether there is every whole number, so that none lies beyond a gap."""
    return set(present[:_FIRST_VALUES].tolist()).issuperset(range(int(low), int(high) + 1))


def _is_further_out(value: float, codes: Iterable[float]) -> bool:
    """Tell whether a number lies beyond one of some codes, on the same side of zero."""
    return any(abs(value) > abs(code) and value * code > 0 for code in codes)


def _kept_in(name: str, told: MissingCodes | None) -> frozenset[float]:
    return _numbers_in(told.kept(name)) if told is not None and told.never else frozenset()


def _told_of_columns(told: MissingCodes | None) -> frozenset[float]:
    return frozenset() if told is None else _numbers_in(code.rpartition("=")[2] for code in told.also)


def _as_elsewhere(values: np.ndarray, established: Set[float]) -> dict[float, int]:
    """Return which codes of other columns lie further off than chance has it."""
    codes, others = _codes_at_the_ends(present_numbers(values), established)
    remaining = np.unique(others)
    if not codes or len(remaining) < _LEAST_OTHER_VALUES:
        return {}
    widest = float(np.diff(remaining).max())
    return {
        value: count
        for value, count in codes.items()
        if _is_beyond_chance(float(np.abs(remaining - value).min()) / widest, count)
    }


def _are_values(codes: Mapping[float, int], extent: tuple[int, float, float], values: np.ndarray) -> bool:
    """Tell whether a number, or several in the range of all others, stand in a third of the cells.

    88 for "on no day" beside 1 to 30 days, and 77 and 99, may stand in more.
    """
    cells, low, high = extent
    if len(codes) > 1 and codes.keys() <= _REPEATED_DIGITS:
        others = values[values < min(codes)]
        if len(others) and min(codes) - others.max() > others.max() - low:
            return False
    if FEW_OF_CELLS * max(codes.values()) >= cells:
        return True
    return FEW_OF_CELLS * sum(codes.values()) >= cells and high <= max(map(abs, codes))


def _numbers_in(texts: Iterable[str]) -> frozenset[float]:
    return frozenset(number for text in texts if (number := parse_number(text, ".")) is not None)


def _several(name: str, present: np.ndarray) -> dict[float, int]:
    """Return codes that stand outside all other values of a column together, and how often each does."""
    low, high = float(present.min()), float(present.max())
    if low in _SMALL_NEGATIVE or low in _REPEATED_NEGATIVE or (low < 0 and low in _NEGATIVE):
        return _below_zero(name, present)
    return _above(name, present) if high in _WHOLE or high in _ABOVE_SCALE else {}


def _apart(codes: Mapping[float, int], others: np.ndarray) -> dict[float, int]:
    """Return the customary codes that lie further above all other values than chance would have them."""
    above = {value: count for value, count in codes.items() if len(others) and value > others.max()}
    if not above or sum(above.values()) < 2 or len(values := np.unique(others)) < _LEAST_OTHER_VALUES:
        return {}
    steps = (min(above) - values[-1]) / float(np.diff(values).max())
    return above if _is_beyond_chance(steps, sum(above.values())) else {}


def _is_beyond_chance(steps: float, cells: int) -> bool:
    """Tell whether a tail that gets rarer would hardly reach so many steps further in all of these cells."""
    return steps > _WIDER_THAN_OTHER_GAPS and cells * np.log(steps) > -np.log(_RARELY)


def _three_way(
    columns: Mapping[str, np.ndarray],
    extents: Mapping[str, tuple[int, float, float]],
    together: Mapping[str, Mapping[float, int]],
) -> list[str]:
    """Return columns of -1, 0 and 1 in which -1 is a value, as in genotypes and trends."""
    doubted = [name for name, codes in together.items() if -1.0 in codes and extents[name][2] == 1]
    if not doubted or any(-1.0 in codes for name, codes in together.items() if name not in doubted):
        return []
    three = sum(extent[1:] == (-1, 1) for extent in extents.values())
    if three > len(doubted):
        return doubted
    two = 0
    for name, values in columns.items():
        if name not in extents:
            present = present_numbers(values)
            two += len(present) > 0 and bool(np.isin(present, (0, 1)).all())
    return doubted if three > two else []


def _below_zero(name: str, present: np.ndarray) -> dict[float, int]:
    """Return whole numbers below zero, with counts, that are codes: they leave one out, as -9 and -8 do.

    From -1 downwards they may be measured, unless all others are far above, mostly fractions, hardly repeat,
    or are a scale.
    """
    below = present[present < 0]
    others = present[present >= 0]
    values, counts = np.unique(below, return_counts=True)
    if len(values) > _MOST_TOGETHER or len(others) < len(below) or not len(others):
        return {}
    codes = _SMALL_NEGATIVE | _NEGATIVE | (_REPEATED_NEGATIVE if len(values) > 1 else frozenset())
    if not codes.issuperset(values.tolist()):
        return {}
    if others.min() == others.max():
        return {}
    if values.min() == -len(values):
        if not (_lie_apart(below, others) or _is_below_scale(name, below, others)):
            return {}
    elif others.min() == 0 and _go_on_below_zero(values, counts, others):
        return {}
    return dict(zip(values.tolist(), counts.tolist(), strict=True))


def _go_on_below_zero(values: np.ndarray, counts: np.ndarray, others: np.ndarray) -> bool:
    """Tell whether whole numbers go as far below zero as above, or get rarer there as a tail does."""
    near = np.unique(others[others <= -values[0]])
    if len(near) < max(_LEAST_OTHER_VALUES, len(values)):
        return False
    if -values[0] == others.max():
        return True
    steps = np.diff([*values, 0.0]) / float(np.diff(near).max())
    if steps[-1] > _WIDER_THAN_OTHER_GAPS:
        return False
    beyond = np.cumsum(counts)
    if ((steps > _STEPS_IN_TAIL) & (beyond > _MOST_OF_TAIL)).any():
        return False
    return not any(map(_is_beyond_chance, steps.tolist(), beyond.tolist()))


# Beyond a gap that is wider a tail has so few cells at most.
_STEPS_IN_TAIL, _MOST_OF_TAIL = 2.0, 3


def _is_below_scale(name: str, below: np.ndarray, others: np.ndarray) -> bool:
    """Tell whether -1, or -1 and -2, stand below the answers of a scale, or below counts."""
    values, counts = np.unique(others, return_counts=True)
    if len(below) < 2 or below.min() < -2 or values[0] > 1 or (values % 1 != 0).any() or _CHANGE.search(name):
        return False
    scale = _first_without_gap(values)
    if len(scale) < 2:
        return False
    if scale[0] == 1:
        # The middle of forced choices has no number.
        is_forced = -below.min() == values[-1] and _MANY_OF_CHOICES * len(below) > len(others)
        return len(scale) == len(values) and counts[0] >= _FEWEST_OF_LEVEL and not is_forced
    if len(values) == 2:
        return bool(len(below) < _TIMES_RARER * counts.min())
    if counts_something(name) or _is_more_than_a_tail(below, counts):
        return True
    # A scale ends at once.
    has_all = len(scale) == len(values) > _LEAST_OTHER_VALUES and counts.min() >= _FEWEST_OF_LEVEL
    return has_all and bool(counts[-1] >= _TIMES_RARER * counts[-2])


def _is_more_than_a_tail(below: np.ndarray, counts: np.ndarray) -> bool:
    """Tell whether cells below zero are more than a tail has; `counts` are of the values from 0 on."""
    ratio = counts[0] / counts[1]
    expected = counts[0] * min(1.0, ratio)
    if len(below) > expected + _WIDER_THAN_OTHER_GAPS * np.sqrt(expected):
        return True
    next_ratio = len(below) / counts[0]
    return below.min() == -1 and bool(len(below) * min(1.0, next_ratio**2 / ratio) > -np.log(_RARELY))


_CHANGE = re.compile(
    "change|diff|delta|trend|gain|balance|änderung|veränd|évol|cambio|variaz|verandering"
    r"|snp|^rs\d+|genotyp|allel",
    re.I,
)
_MANY_OF_CHOICES = 4
_TIMES_RARER = 0.5


def _lie_apart(below: np.ndarray, others: np.ndarray) -> bool:
    """Tell whether whole numbers below zero lie far from all others, or would have fractions as they do."""
    whole = float(np.mean(others % 1 == 0))
    if whole ** len(below) < _RARELY:
        return True
    values, counts = np.unique(others, return_counts=True)
    if below.min() == below.max() and len(below) > _TIED_MORE_OFTEN * counts.max():
        return True
    return _is_beyond_chance(float(others.min() - below.max()) / float(np.diff(values).max()), len(below))


def _above(name: str, present: np.ndarray) -> dict[float, int]:
    """Take the largest whole numbers for codes: 8 and 9 above a scale of 1 to 5, 97 to 99 above a gap."""
    values, counts = np.unique(present[:_FIRST_VALUES], return_counts=True)
    if len(values) > _MOST_DIFFERENT or (values % 1 != 0).any():
        return {}
    if len(present) > _FIRST_VALUES:
        values, counts = np.unique(present, return_counts=True)
        if len(values) > _MOST_DIFFERENT or (values % 1 != 0).any():
            return {}
    # Codes lie above a gap.
    if values[-1] - values[0] == len(values) - 1:
        return {}
    count_of = dict(zip(values.tolist(), counts.tolist(), strict=True))
    scale = _first_without_gap(values)
    beyond = values[len(scale) :].tolist()
    is_scale = (
        scale[0] in (0, 1)
        and scale[-1] <= _LONGEST_SCALE
        and (len(scale) > 2 or _are_two_levels(scale, beyond, count_of))
    )
    if is_scale and _are_codes_above(beyond) and min(beyond) >= scale[-1] + 2:
        # What begins at 0 may be counted, and 7 may be: nine children in one family are no code.
        may_be_counted = scale[0] == 0 or counts_something(name) or min(beyond) <= _LONGEST_SCALE
        is_count = may_be_counted and _is_tail(count_of, scale, beyond)
        return {} if is_count else {value: count_of[value] for value in beyond}
    ends = [value for value in values.tolist()[-_MOST_TOGETHER:] if value in _WHOLE]
    if len(ends) > 1 and _BEFORE_77 in count_of:
        ends.insert(0, _BEFORE_77)
    if len(ends) < 2 or len(values) - len(ends) < _LEAST_OTHER_VALUES:
        return {}
    codes = values[-len(ends) :]
    others = values[: -len(ends)]
    if codes.tolist() != ends or others[-1] < 0:
        return {}
    widest = float(np.diff(others).max())
    is_apart = codes[0] - others[-1] > _WIDER_THAN_OTHER_GAPS * widest
    return {value: count_of[value] for value in ends} if is_apart else {}


def _first_without_gap(values: np.ndarray) -> list[float]:
    """Return sorted whole numbers up to the first that is left out."""
    gaps = np.flatnonzero(np.diff(values) > 1)
    return list(map(float, values[: gaps[0] + 1 if len(gaps) else None]))


def _are_codes_above(beyond: Sequence[float]) -> bool:
    """Tell whether numbers are the customary codes above a scale; 7 alone may be counted, 6 is rarely one."""
    codes = set(beyond)
    return bool(codes) and codes != {7.0} and (codes <= {*_ABOVE_SCALE} or codes == {6.0, *_ABOVE_SCALE})


def _is_tail(counts: Mapping[float, int], scale: Sequence[float], beyond: Sequence[float]) -> bool:
    """Tell whether values beyond a scale may be large counts: one alone, or a few where counts get rarer."""
    cells = sum(counts[value] for value in beyond)
    if cells == 1:
        return True
    # Where many stand at the end of a scale, and none behind it, it ends there and is not counted on.
    last = counts[scale[-1]]
    expected = last * min(1, last / counts[scale[-2]]) if len(scale) > 1 else np.inf
    return expected < -np.log(_RARELY) and not _is_beyond_chance(min(beyond) - scale[-1], cells)


def _are_two_levels(scale: Sequence[float], beyond: Sequence[float], counts: Mapping[float, int]) -> bool:
    """Tell whether two values are yes and no, and not some of many numbers."""
    return (
        len(scale) == 2
        and len(beyond) > 0
        and min(counts[value] for value in scale) >= _FEWEST_OF_LEVEL
        and min(counts[value] for value in beyond) > 1
        and sum(counts[value] for value in beyond) < sum(counts[value] for value in scale)
    )


_FEWEST_OF_LEVEL = 5
_FIRST_VALUES = 200
_MOST_DIFFERENT = 150


def _codes_at_the_ends(
    present: np.ndarray, customary: Set[float] = _CODES
) -> tuple[dict[float, int], np.ndarray]:
    """Return how often customary codes occur at both ends (-98 and -99), and the values between."""
    codes = {}
    for end in (np.min, np.max):
        while len(present) and (value := float(end(present))) in customary:
            others = present[present != value]
            codes[value] = len(present) - len(others)
            present = others
    return codes, present


def _examine(name: str, value: float, count: int, others: np.ndarray) -> _Extreme | None:
    if len(others) == 0:
        return None
    low, high = float(others.min()), float(others.max())
    least = 2 if low % 1 == high % 1 == 0 and high - low == 1 else _LEAST_OTHER_VALUES
    if len(set(others[:_FIRST_VALUES].tolist())) < least and len(np.unique(others)) < least:
        return None
    gap = low - value if value < low else value - high
    return _Extreme(name, count, isolated=gap > high - low, alone_below_zero=value < 0 <= low)


_FAR_OFF = N_("far from all other values")
_BELOW_ZERO = N_("where no other value is below zero")
_AS_ELSEWHERE = N_("apart from the other values, and may mean missing in another column")
_TOGETHER = N_("outside the range of the other values")
_STANDS = N_(
    "{codes} stands {times} in column '{column}', {why}. If it means missing, add it to the missing values."
)
_STAND = N_(
    "{codes} stand {times} in column '{column}', {why}. If they mean missing, add them to the missing values."
)


def _suspicion(column: str, codes: Mapping[float, tuple[int, str]]) -> Note:
    """Say which numbers of a column may mean missing."""
    texts = [f"{value:.15g}" for value in sorted(codes)]
    count = sum(times for times, _ in codes.values())
    why = next(iter(codes.values()))[1] if len(codes) == 1 else _(_TOGETHER)
    message = for_count(len(codes), _STANDS, _STAND).format(
        codes=plain_listing(texts, _MOST_TOGETHER), times=_times(count), column=column, why=why
    )
    return Note("suspected-missing", message, column, tuple(texts))


def _times(count: int) -> str:
    return for_count(count, "once", "{count} times").format(count=count_text(count))


def may_hold_na(name: str, texts: Sequence[str]) -> bool:
    """Tell whether categories are written like "NA": capitals that stand for longer names, as AS and EU do.

    Markets such as EMEA are known by the name of the column, and sodium by potassium (K) beside it.

    >>> may_hold_na("v1", ["AS", "EU", "SA"]), may_hold_na("v1", ["yes", "no"]), may_hold_na("v1", ["M", "F"])
    (True, False, False)
    >>> may_hold_na("sales_region", ["EMEA", "APAC"]), may_hold_na("analyte", ["K", "CL", "CREA"])
    (True, True)
    >>> may_hold_na("region", ["N", "E", "S", "W"])
    False
    """
    if not 2 <= len(texts) <= _MOST_ABBREVIATIONS:
        return False
    if all(map(_ABBREVIATION.fullmatch, texts)):
        return True
    if not all(map(_CAPITALS.fullmatch, texts)):
        return False
    if "K" in texts and not _BESIDE_POTASSIUM.isdisjoint(texts):
        return True
    # Beside N, E, S and W there is no region NA.
    return _names_places(name) and min(map(len, texts)) > 1


def _names_places(name: str) -> bool:
    words = re.findall(r"[^\W\d_]+", name.casefold())
    return any(word in _PLACES or word.endswith("land") for word in words) or bool(
        _EAST_ASIAN_PLACE.search(name)
    )


def note_on_na(
    name: str, codes: np.ndarray, texts: Sequence[str], remaining: Sequence[str], told: MissingCodes
) -> Note | None:
    """Say that "NA" may be a value among abbreviations; `codes` index `texts`, -1 if empty."""
    if (
        told.only is not None
        or _NA not in texts
        or _NA in told.added(name)
        or not may_hold_na(name, remaining)
    ):
        return None
    if _NA in remaining:
        return None
    count = int((codes == list(texts).index(_NA)).sum())
    message = _(
        _MAY_BE_NA, times=_times(count), column=name, others=listed(remaining), rows=count_text(len(codes))
    )
    return Note("na-as-value", message, name, (_NA,))


_NA = "NA"
_ABBREVIATION = re.compile("[A-Z]{2}")
_CAPITALS = re.compile("[A-Z]{1,5}")
_BESIDE_POTASSIUM = frozenset({"CL", "CA", "MG"})
# English, German, French, Spanish, Italian, Portuguese, Dutch, Polish.
_PLACES = frozenset(
    {
        *(
            "region",
            "country",
            "countries",
            "continent",
            "market",
            "territory",
            "nation",
            "kontinent",
            "markt",
        ),
        *("staat", "région", "pays", "marché", "región", "país", "continente", "mercado", "regione", "paese"),
        *("mercato", "região", "regio", "kraj", "kontynent", "rynek"),
    }
)
_EAST_ASIAN_PLACE = re.compile("国|地域|地区|区域|大洲|大陸|市场|市場")
_MOST_ABBREVIATIONS = 300
_MAY_BE_NA = N_(
    "NA stands {times} in the {rows} rows of column '{column}', beside {others}. "
    "It is read as missing. It may be a value, such as Namibia, North America or sodium."
)


def without_categories(typed: TypedColumn, told: MissingCodes) -> TypedColumn:
    """Take the categories for missing that a person says to mean that."""
    variable, added = typed.variable, told.added(typed.variable.name)
    remaining = tuple(level for level in variable.levels if level not in added)
    if len(remaining) == len(variable.levels):
        return typed
    position = {level: code for code, level in enumerate(remaining)}
    codes = np.array([*(position.get(level, MISSING_CODE) for level in variable.levels), MISSING_CODE])
    changed = variable.with_levels(remaining, {}, variable.ordered)
    return replace(typed, variable=changed, column=codes[typed.column])


def note_on_words(name: str, levels: Sequence[str], codes: np.ndarray, told: MissingCodes) -> Note | None:
    """Say which categories of a column seem to mean missing; None where none does."""
    kept = told.kept(name)
    words = [place for place in _missing_places(levels) if levels[place] not in kept]
    if words:
        # "B,D" is two answers, and "b.d." none.
        counts = np.bincount(codes[codes != MISSING_CODE], minlength=len(levels)).tolist()
        answers = {place: taken_apart(levels[place], levels, counts) for place in words}
        words = [
            place for place in words if len(answers[place]) < 2 or all(map(means_missing, answers[place]))
        ]
    if words and all(map(_ABBREVIATION.fullmatch, levels)):
        # DK beside SE and NO is Denmark.
        return None
    if told.only is not None or not words or len(levels) - len(words) < 1:
        return None
    count = int(np.isin(codes, words).sum())
    texts = tuple(levels[place] for place in words)
    message = for_count(len(texts), _WORD, _SEVERAL_WORDS).format(
        words=listed(texts, _MOST_TOGETHER), times=_times(count), column=name
    )
    return Note("suspected-missing", message, name, texts)


def _missing_places(levels: Sequence[str]) -> list[int]:
    """Return which categories mean missing: by words, "NA" beside these, or a mere dash or dots."""
    words = places_that_mean_missing(levels)
    words += [place for place, level in enumerate(levels) if level.casefold() in _OF_PIVOT_TABLES]
    words += _codes_beside_words(levels, words)
    if words:
        words += [place for place, level in enumerate(levels) if level in ALWAYS_MISSING]
    marks = [place for place, level in enumerate(levels) if level in _MARKS]
    others = [level for place, level in enumerate(levels) if place not in {*words, *marks}]
    # "-" beside "+" is negative, and beside "x" alone it is not ticked.
    are_words = len(others) > 1 and all(any(map(str.isalnum, level)) for level in others)
    return sorted({*words, *(marks if are_words else ())})


def _codes_beside_words(levels: Sequence[str], words: Sequence[int]) -> list[int]:
    """Return which categories are codes such as 9 beside two words or more, or U beside Y and N."""
    if not 3 <= len(levels) <= _MOST_ANSWERS:
        return []
    plain = [level.casefold() for level in levels]
    # 7 and 8 are codes beside 9 alone.
    codes = _CODES_OF_ANSWERS | ({"7", "8"} if "9" in plain else set())
    places = [place for place, level in enumerate(plain) if level in codes or level in _UNKNOWN_IN_LETTERS]
    others = [level for place, level in enumerate(plain) if place not in {*words, *places}]
    if frozenset(others) in _PAIRS_OF_ANSWERS:
        return places
    are_words = len(others) > 1 and all(map(str.isalpha, others))
    return [place for place in places if plain[place] in codes] if are_words else []


_MOST_ANSWERS = 8
_CODES_OF_ANSWERS = frozenset({"9", "99", "999", "88", "888", "77", "777", "-1", "-7", "-8", "-9", "-99"})
# "Unknown", "not known", "keine Angabe", "no sabe".
_UNKNOWN_IN_LETTERS = frozenset({"u", "un", "uk", "nk", "ka", "ns"})
# The sex of a person may be unknown, too.
_PAIRS_OF_ANSWERS = frozenset(
    frozenset(pair)
    for pair in (
        *("yn", "jn", "on", "sn", "tn", "mf", "mw", "pn", "10"),
        *(("yes", "no"), ("ja", "nein"), ("ja", "nee"), ("oui", "non"), ("pos", "neg")),
    )
)
# Without brackets it may be a sample.
_OF_PIVOT_TABLES = frozenset(
    {"(blank)", "(leer)", "(vide)", "(en blanco)", "(vuoto)", "(vazio)", "(leeg)", "(puste)", "(空白)"}
)
_MARKS = frozenset(text for text in MISSING_AMONG_NUMBERS if not any(map(str.isalnum, text)))
_WORD = N_(
    "{words} stands {times} in column '{column}' as a category. "
    "If it means missing, add it to the missing values."
)
_SEVERAL_WORDS = N_(
    "{words} stand {times} in column '{column}' as categories. "
    "If they mean missing, add them to the missing values."
)
