"""Numbers that stand for "missing", such as -200 or 999: found by evidence, never by name alone.

A candidate must be a customary code *and* the extreme of its column. It is treated as missing only
when it is negative and cannot be an ordinary value: either it lies further from the nearest other
value than all other values lie apart, or nothing else in the column is below zero, and the latter in
two columns at once. Positive codes are reported and left alone: 999 is also a number.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from engine.notes import Note

_NEGATIVE = frozenset(
    {-9.0, -88.0, -99.0, -99.9, -99.99, -200.0, -888.0, -999.0, -999.9, -999.99, -8888.0, -9999.0}
    | {-9999.9, -9999.99, -99999.0, -999999.0}
)
_POSITIVE = frozenset(
    {99.0, 99.9, 99.99, 888.0, 999.0, 999.9, 999.99, 8888.0, 9999.0, 9999.9, 9999.99, 99999.0, 999999.0}
)
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
        for value in {float(present.min()), float(present.max())} & (_NEGATIVE | _POSITIVE):
            extreme = _examine(name, value, present)
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
            notes += [_suspicion(value, each) for each in isolated]
    return tuple(sentinels), tuple(notes)


def _examine(name: str, value: float, present: np.ndarray) -> _Extreme | None:
    others = present[present != value]
    if len(others) == 0:
        return None
    low, high = float(others.min()), float(others.max())
    if (others == low).all() or len(np.unique(others)) < _LEAST_OTHER_VALUES:
        return None
    gap = low - value if value < low else value - high
    return _Extreme(
        name,
        len(present) - len(others),
        isolated=gap > high - low,
        alone_below_zero=value < 0 <= low,
    )


def _suspicion(value: float, extreme: _Extreme) -> Note:
    message = (
        f"{value:.15g} stands {extreme.count} times in column '{extreme.column}', far from all other values. "
        "If it means missing, add it to the missing values."
    )
    return Note("suspected-missing", message, extreme.column)
