"""Numbers that stand for missing.

A candidate must be a customary code *and* at an end of its column, alone or with others of its kind. It is
treated as missing only when it is negative and cannot be an ordinary value: either it lies further from the
nearest other value than all other values lie apart, or nothing else in the column is below zero, and the
latter in two columns at once. Other codes are reported and left alone: 999 is also a number.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from engine.wording.notes import Note

# A program writes 99 and -99, 9999.9 and so on; 9 and 200 by themselves are ordinary values.
_WHOLE = frozenset({77, 88, 97, 98, 99, 777, 888, 997, 998, 999, 8888, 9999, 99999, 999999})
_POSITIVE = _WHOLE | frozenset({99.9, 99.99, 999.9, 999.99, 9999.9, 9999.99})
_NEGATIVE = frozenset(-code for code in _POSITIVE) | {-9, -200}
_CODES = _NEGATIVE | _POSITIVE
_LEAST_OTHER_VALUES = 3


@dataclass(frozen=True, slots=True)
class Sentinel:
    """A number that stands for missing.

    Attributes
    ----------
    value : float
    columns : tuple of str
        Where it does.
    count : int
        Cells that hold it there.
    """

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
    columns: Mapping[str, np.ndarray],
) -> tuple[tuple[Sentinel, ...], tuple[Note, ...]]:
    """Look for numbers that stand for missing.

    Parameters
    ----------
    columns : mapping of str to ndarray of float, each of shape (rows,)
        The numeric columns, NaN for missing.

    Returns
    -------
    sentinels : tuple of Sentinel
        Those whose evidence is strong.
    notes : tuple of Note
        Those that a person should look at.
    """
    found: dict[float, list[_Extreme]] = defaultdict(list)
    for name, values in columns.items():
        present = values[~np.isnan(values)]
        if len(present) == 0:
            continue
        codes, others = _codes_at_the_ends(present)
        for value, count in codes.items():
            extreme = _examine(name, value, count, others)
            if extreme is not None:
                found[value].append(extreme)
    sentinels, notes = [], []
    for value in sorted(found):
        extremes = [each for each in found[value] if each.isolated or each.alone_below_zero]
        isolated = [each for each in extremes if each.isolated]
        repeated = sum(each.count for each in isolated) > 1
        if value < 0 and (repeated or len(extremes) > 1):
            names = tuple(each.column for each in extremes)
            sentinels.append(Sentinel(value, names, sum(each.count for each in extremes)))
        elif value > 0 and repeated:
            notes += [_suspicion(_FAR_OFF, value, each) for each in isolated]
        else:
            notes += [_suspicion(_BELOW_ZERO, value, each) for each in extremes if each.count > 1]
    return tuple(sentinels), tuple(notes)


def _codes_at_the_ends(present: np.ndarray) -> tuple[dict[float, int], np.ndarray]:
    """Take customary codes off both ends: how often each occurs, and the values between them.

    Surveys tell "refused" from "not asked" by several, such as -98 and -99.
    """
    codes = {}
    for end in (np.min, np.max):
        while len(present) and (value := float(end(present))) in _CODES:
            others = present[present != value]
            codes[value] = len(present) - len(others)
            present = others
    return codes, present


def _examine(name: str, value: float, count: int, others: np.ndarray) -> _Extreme | None:
    if len(others) == 0:
        return None
    low, high = float(others.min()), float(others.max())
    if low == high or len(np.unique(others)) < _LEAST_OTHER_VALUES:
        return None
    gap = low - value if value < low else value - high
    return _Extreme(name, count, isolated=gap > high - low, alone_below_zero=value < 0 <= low)


_FAR_OFF = (
    "{value} stands {count} times in column '{column}', far from all other values. "
    "If it means missing, add it to the missing values."
)
_BELOW_ZERO = (
    "{value} stands {count} times in column '{column}', which holds nothing else below zero but such codes. "
    "If it means missing, add it to the missing values."
)


def _suspicion(sentence: str, value: float, extreme: _Extreme) -> Note:
    code = f"{value:.15g}"
    message = sentence.format(value=code, count=extreme.count, column=extreme.column)
    return Note("suspected-missing", message, extreme.column, (code,))
