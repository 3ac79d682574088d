"""Coded columns as rows of one array, and for every level the rows that have it, as bits."""

from __future__ import annotations

import mmap
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.execution.workers import worker_count


@dataclass(frozen=True, eq=False)
class CodedBlock:
    """Codes of many variables whose levels have been written as sets of rows already; both read-only."""

    codes: np.ndarray  # int, shape (variables, rows)
    sets: np.ndarray  # uint64, shape (all levels + 1, words): rows of each level, as bits, and last all rows

    def sets_of(self, codes: np.ndarray) -> np.ndarray | None:
        """Return the sets when `codes` are those of this block, at the same place; None for any others."""
        same = codes.dtype == self.codes.dtype and codes.shape == self.codes.shape
        return self.sets if same and _address(codes) == _address(self.codes) else None


def frozen_columns(columns: Sequence[np.ndarray], dtypes: Sequence[np.dtype]) -> tuple[np.ndarray, ...]:
    """Return columns in types that they fit, read-only; what has to be copied is copied together.

    Columns of the same integer type become rows of one array, in their order, unless most of them can stay
    where they are.
    """
    result = list(columns)
    for dtype in dict.fromkeys(dtypes):
        positions = [position for position, wanted in enumerate(dtypes) if wanted == dtype]
        movable = [
            position
            for position in positions
            if columns[position].dtype != dtype or not is_frozen(columns[position])
        ]
        if dtype.kind == "f":
            # Numbers are cut into bins or set aside one by one, and a block stays as long as any row of it.
            for position in movable:
                result[position] = _frozen(columns[position].astype(dtype))
            continue
        if 2 * len(movable) >= len(positions):
            movable = positions if movable else []
        for position, row in zip(
            movable, _together([columns[position] for position in movable], dtype), strict=True
        ):
            result[position] = row
    return tuple(result)


def selected_rows(columns: Sequence[np.ndarray], rows: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return some rows (a mask or positions) of columns, read-only, each column written once."""
    result = list(columns)
    count = len(np.empty(len(columns[0]), np.int8)[rows]) if columns else 0
    for dtype in {column.dtype for column in columns}:
        positions = [position for position, column in enumerate(columns) if column.dtype == dtype]
        block = np.empty((len(positions), count), dtype)
        for row, position in zip(block, positions, strict=True):
            row[...] = columns[position][rows]
        for row, position in zip(_frozen(block), positions, strict=True):
            result[position] = row
    return tuple(result)


def block_of(columns: Sequence[np.ndarray], dtype: np.dtype) -> np.ndarray:
    """Return columns as rows of one read-only array in C order: where they lie if they do so, else copied."""
    first, rows = columns[0], len(columns[0])
    step = rows * dtype.itemsize
    start = _address(first)
    for position, column in enumerate(columns):
        same_owner = column.base is not None and column.base is first.base
        usual = column.dtype == dtype and column.flags.c_contiguous
        if not (same_owner and usual and _address(column) == start + position * step):
            return _together(columns, dtype)
    shape, strides = (len(columns), rows), (step, dtype.itemsize)
    return np.lib.stride_tricks.as_strided(first, shape, strides, writeable=False)


def is_frozen(array: np.ndarray) -> bool:
    """Tell whether nobody can write to the values, not through another view of them either."""
    owner: Any = array
    while isinstance(owner, np.ndarray):
        if owner.flags.writeable:
            return False
        # A file that is mapped for reading only.
        if owner.base is None or isinstance(owner.base, mmap.mmap):
            return True
        owner = owner.base
    return False


def _address(array: np.ndarray) -> int:
    address: int = array.__array_interface__["data"][0]
    return address


def _together(columns: Sequence[np.ndarray], dtype: np.dtype) -> np.ndarray:
    block = np.empty((len(columns), len(columns[0]) if columns else 0), dtype)
    for row, column in zip(block, columns, strict=True):
        row[...] = column
    return _frozen(block)


def _frozen(array: np.ndarray) -> np.ndarray:
    array.setflags(write=False)
    return array


BITS_PER_WORD = 64
_BYTES_PER_WORD = BITS_PER_WORD // 8
# Codes that are looked at together: few enough to stay in the processor's cache.
_CODES_AT_ONCE = 1 << 18
_BLOCKS_WORTH_THREADS = 40


def words_needed(rows: int) -> int:
    """Count the 64-bit words that hold one bit for each of `rows` rows."""
    return (rows + BITS_PER_WORD - 1) // BITS_PER_WORD


def row_set(rows: np.ndarray) -> np.ndarray:
    """Write a boolean mask of shape (rows,) as a set of rows, uint64 of shape (words,)."""
    packed = np.packbits(rows, bitorder="little")
    padded = np.zeros(words_needed(len(rows)) * _BYTES_PER_WORD, dtype=np.uint8)
    padded[: len(packed)] = packed
    return padded.view("<u8").astype(np.uint64, copy=False)


def all_rows(rows: int) -> np.ndarray:
    """Write the set of all rows, uint64 of shape (words,)."""
    return row_set(np.ones(rows, dtype=bool))


def level_sets(codes: np.ndarray, level_counts: np.ndarray, *, and_all_rows: bool = False) -> np.ndarray:
    """Write every level of every variable as a set of rows, as bits: shape (all levels, words), read-only.

    A negative code is in no set; the set of all rows follows if asked for.

    >>> level_sets(np.array([[0, 1, 1], [2, 0, 0]], dtype=np.int8), np.array([2, 3])).tolist()
    [[1], [6], [6], [0], [1]]
    """
    variables, rows = codes.shape
    sets = np.zeros((int(level_counts.sum()) + and_all_rows, words_needed(rows)), dtype="<u8")
    octets = sets.view(np.uint8)
    filled = (rows + 7) // 8
    offsets = np.cumsum(level_counts) - level_counts
    together = max(1, _CODES_AT_ONCE // max(1, rows))

    def fill(first: int) -> None:
        block = codes[first : first + together]
        counts = level_counts[first : first + together]
        for level in range(int(counts.max(initial=0))):
            having = np.flatnonzero(counts > level)
            packed = np.packbits(block[having] == level, axis=1, bitorder="little")
            octets[offsets[first + having] + level, :filled] = packed

    blocks = range(0, variables, together)
    if len(blocks) > _BLOCKS_WORTH_THREADS:
        with ThreadPoolExecutor(worker_count(None)) as threads:
            for _ in threads.map(fill, blocks):
                pass
    else:
        # Threads cost more than they bring where there is little to do.
        for block in blocks:
            fill(block)
    sets = sets.astype(np.uint64, copy=False)
    if and_all_rows:
        sets[-1] = all_rows(rows)
    sets.setflags(write=False)
    return sets
