"""Columns of categories that are the same in all rows, whatever their levels are called."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

import numpy as np

_ROWS_LOOKED_AT_FIRST = 1 << 8
_TIMES_MORE_ROWS = 16
# Of so many levels it is quicker to look for one after another.
_FEW_LEVELS = 16


def same_columns(codes: np.ndarray) -> list[list[int]]:
    """List the columns that are the same in all rows, of which there are two or more, by position.

    Those are the same, too, in which each level has another name and so another code.

    Most columns differ within few rows: only those that are the same so far are looked at any further, as
    every worker of a run does this, and a table may be hundreds of gigabytes large.
    """
    rows = codes.shape[1]
    looked_at = min(_ROWS_LOOKED_AT_FIRST, rows)
    first = codes[:, :looked_at]
    alike = [same for group in _changing_alike(first) for same in _alike(first, group)]
    while looked_at < rows:
        looked_at = min(_TIMES_MORE_ROWS * looked_at, rows)
        alike = [same for group in alike for same in _alike(codes[:, :looked_at], group)]
    return alike


def _changing_alike(codes: np.ndarray) -> list[list[int]]:
    """Divide columns by the rows in which the level changes, and leave out those that no other one equals."""
    changes = np.packbits(codes[:, 1:] != codes[:, :-1], axis=1)
    return _groups(range(len(codes)), map(bytes, changes))


def _alike(codes: np.ndarray, positions: Sequence[int]) -> list[list[int]]:
    """Divide columns into those that are the same, and leave out those that no other one equals."""
    numbered = (_by_appearance(codes[position]) for position in positions)
    return _groups(positions, (hashlib.blake2b(each.data, digest_size=16).digest() for each in numbered))


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
