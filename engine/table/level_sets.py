"""For every level of every variable the rows that have it, as bits."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from engine.execution.workers import worker_count

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
    """Write every level of every variable as a set of rows.

    Parameters
    ----------
    codes : ndarray of int, shape (variables, rows)
        A negative code is in no set.
    level_counts : ndarray of int64, shape (variables,)
        Number of levels of each variable.
    and_all_rows : bool
        Put the set of all rows behind the last.

    Returns
    -------
    ndarray of uint64, shape (all levels, words), or one set more
        One level after the other, one variable after the other. Read-only.

    Examples
    --------
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
    # Threads cost more than they bring where there is little to do.
    with ThreadPoolExecutor(worker_count(None) if len(blocks) > _BLOCKS_WORTH_THREADS else 1) as threads:
        for _ in threads.map(fill, blocks):
            pass
    sets = sets.astype(np.uint64, copy=False)
    if and_all_rows:
        sets[-1] = all_rows(rows)
    sets.setflags(write=False)
    return sets
