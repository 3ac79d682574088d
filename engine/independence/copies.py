"""Columns that are the same in all rows, whatever levels are called and in whatever unit numbers are."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

_ROWS_LOOKED_AT_FIRST = 1 << 8
_TIMES_MORE_ROWS = 16
# Of so many levels it is quicker to look for one after another.
_FEW_LEVELS = 16
# Another unit rounds numbers to so many units in the last place of the largest; this is no copy where it is a
# larger share of the range than the second.
_ROUNDING = 16.0 * float(np.finfo(float).eps)
_COARSE = 1e-6
# Half of the rows are on either side of a number.
_SHARE_OF_NUMBER = 0.5

_Columns = np.ndarray | Sequence[np.ndarray]


@dataclass(frozen=True)
class Copies:
    """Columns that are the same in all rows."""

    groups: tuple[tuple[int, ...], ...] = ()  # positions of columns that are the same
    rarest: tuple[float, ...] = ()  # share of the rarest level of each group; .5 of numbers

    def rarest_of(self, position: int) -> float:
        """Return the share of the rarest level of a column that has a copy."""
        return next(share for group, share in zip(self.groups, self.rarest, strict=True) if position in group)


def copies_among(columns: Sequence[np.ndarray], are_categories: Sequence[bool]) -> Copies:
    """Find the columns that are the same, with values missing in the same rows.

    Up to names of levels, or units of numbers and rounding. A number of two values is taken for a category.
    """
    codes: dict[int, np.ndarray] = {}
    numbers: dict[int, np.ndarray] = {}
    for position, (column, is_category) in enumerate(zip(columns, are_categories, strict=True)):
        coded = column if is_category else _two_valued(column)
        if coded is not None:
            codes[position] = coded
        else:
            numbers[position] = column
    groups = [(_named(group, codes), True) for group in same_columns(list(codes.values()))]
    groups += [(_named(group, numbers), False) for group in _same_numbers(list(numbers.values()))]
    groups.sort()
    rarest = tuple(rarest_share(codes[group[0]]) if coded else _SHARE_OF_NUMBER for group, coded in groups)
    return Copies(tuple(group for group, _ in groups), rarest)


def _named(group: Sequence[int], columns: dict[int, np.ndarray]) -> tuple[int, ...]:
    positions = list(columns)
    return tuple(positions[place] for place in group)


def rarest_share(codes: np.ndarray) -> float:
    """Return the share of the rarest level that occurs, among the rows that have one."""
    counts = np.bincount(codes[codes >= 0])
    return float(counts[counts > 0].min() / counts.sum()) if counts.size else 0.0


def _two_valued(column: np.ndarray) -> np.ndarray | None:
    """Return the codes of a number that has two values; None where it has more or fewer."""
    first = column[:_ROWS_LOOKED_AT_FIRST]
    if len(np.unique(first[~np.isnan(first)])) > 2:
        return None
    least, most = np.nanmin(column), np.nanmax(column)
    missing = np.isnan(column)
    if least == most or not ((column == least) | (column == most) | missing).all():
        return None
    return np.where(missing, -1, column == most).astype(np.int8)


def same_columns(codes: _Columns) -> list[list[int]]:
    """List columns of codes that are equal, or with other names of levels; most differ within few rows."""
    return _same(codes, _changes_of_level, _levels_by_appearance)


def _same_numbers(columns: Sequence[np.ndarray]) -> list[list[int]]:
    """List the columns of numbers that are the same in all rows, in whatever unit, by position."""
    copies = []
    for group in _same(columns, _ups_and_downs, _ups_and_downs):
        waiting = list(group)
        while len(waiting) > 1:
            same = [column for column in waiting if _in_other_unit(columns[waiting[0]], columns[column])]
            copies += [same] if len(same) > 1 else []
            waiting = [column for column in waiting[1:] if column not in same]
    return copies


def _same(
    columns: _Columns, at_first: Callable[[np.ndarray], bytes], digest: Callable[[np.ndarray], bytes]
) -> list[list[int]]:
    """Divide columns by what is seen of more and more rows, and leave out those that no other one equals."""
    if not len(columns):
        return []
    rows = len(columns[0])
    looked_at = min(_ROWS_LOOKED_AT_FIRST, rows)
    alike = _groups(range(len(columns)), (at_first(column[:looked_at]) for column in columns))
    alike = [same for group in alike for same in _alike(columns, group, looked_at, digest)]
    while looked_at < rows:
        looked_at = min(_TIMES_MORE_ROWS * looked_at, rows)
        alike = [same for group in alike for same in _alike(columns, group, looked_at, digest)]
    return alike


def _alike(
    columns: _Columns, positions: Sequence[int], rows: int, digest: Callable[[np.ndarray], bytes]
) -> list[list[int]]:
    """Divide columns into those that are the same, and leave out those that no other one equals."""
    return _groups(positions, (digest(columns[position][:rows]) for position in positions))


def _digest(*parts: np.ndarray) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(np.ascontiguousarray(part).data)
    return digest.digest()


def _changes_of_level(codes: np.ndarray) -> bytes:
    """Write the rows in which the level changes."""
    return bytes(np.packbits(codes[1:] != codes[:-1]))


def _levels_by_appearance(codes: np.ndarray) -> bytes:
    """Digest the levels, numbered as they appear, and where one is missing."""
    missing = codes < 0
    if not missing.any():
        return _digest(_by_appearance(codes).astype(np.int32))
    return _digest(_by_appearance(codes.astype(np.int64) + 1).astype(np.int32), np.packbits(missing))


def _ups_and_downs(numbers: np.ndarray) -> bytes:
    """Digest between which rows a number rises and falls, where the first change counts as a rise."""
    before, after = numbers[:-1], numbers[1:]
    change = (after > before).astype(np.int8) - (after < before)
    first = int((change != 0).argmax()) if change.size else 0
    turned = -change if change.size and change[first] < 0 else change
    return _digest(turned, np.packbits(np.isnan(numbers)))


def _in_other_unit(first: np.ndarray, second: np.ndarray) -> bool:
    """Tell whether the one number is a + b times the other, b not 0, up to rounding."""
    if np.isnan(first).all():
        return False
    low, high = int(np.nanargmin(first)), int(np.nanargmax(first))
    if first[low] == first[high]:
        return False
    # The largest numbers are too far apart for their type.
    first, second = (values / max(float(np.nanmax(np.abs(values))), 1.0) for values in (first, second))
    slope = (second[high] - second[low]) / (first[high] - first[low])
    start = second[low] - slope * first[low]
    size = np.nanmax(np.abs(second)) + abs(slope) * np.nanmax(np.abs(first)) + abs(start)
    spread = abs(second[high] - second[low])
    if not _ROUNDING * size < _COARSE * spread:
        return False
    return bool(np.nanmax(np.abs(second - (start + slope * first))) <= _ROUNDING * size)


def _groups(positions: Iterable[int], digests: Iterable[bytes]) -> list[list[int]]:
    """Divide positions by their digest, and leave out those whose digest no other one has."""
    by_digest: dict[bytes, list[int]] = {}
    for position, digest in zip(positions, digests, strict=True):
        by_digest.setdefault(digest, []).append(position)
    return [same for same in by_digest.values() if len(same) > 1]


def _by_appearance(codes: np.ndarray) -> np.ndarray:
    """Give the levels of a column their numbers in the order in which they appear in it."""
    levels = int(codes.max()) + 1
    if levels <= _FEW_LEVELS:
        first = np.array([_first_row(codes == level) for level in range(levels)])
    else:
        first = np.full(levels, len(codes))
        # From the last row to the first, so that the first one stays.
        first[codes[::-1]] = np.arange(len(codes))[::-1]
    number = np.empty(levels, dtype=codes.dtype)
    number[np.argsort(first, kind="stable")] = np.arange(levels)
    numbered: np.ndarray = number[codes]
    return numbered


def _first_row(is_there: np.ndarray) -> int:
    """Return the first row in which something is; the number of rows where it is in none."""
    row = int(is_there.argmax())
    return row if is_there[row] else len(is_there)
