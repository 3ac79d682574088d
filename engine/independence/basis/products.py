"""Products of the columns of two variables: made when a test first needs them, and remembered.

The searches around many variables ask for the same products again and again, and each is a sum over all rows.
So a thread remembers those of the table that it tested last, from one search to the next.
"""

from __future__ import annotations

import threading
import weakref
from typing import Any, NamedTuple

import numpy as np

from engine.compiled.decorators import counting_part, merged_part, summing_part

# A thread remembers products in so many bytes at most, and in so many places at most and at least.
_MOST_BYTES = 2**26
_MOST_PLACES = 2**17
_FEWEST_PLACES = 2**8
# In how many places a block may be found.
_WAYS = 4
# Odd, near 2^64 over the golden ratio: neighbouring keys end up far apart (Knuth 1998, section 6.4).
_SPREADING = np.int64(-7046029254386353131)
_NOBODY: int = np.int64(-1)  # type: ignore[assignment]


class ProductMemory(NamedTuple):
    """Products that were made.

    Attributes
    ----------
    keys : ndarray of int64, shape (places,)
        Of which columns each place holds the products; -1 where it holds none.
    blocks : ndarray of float64, shape (places, widest block, widest block)
        The products.
    """

    keys: np.ndarray
    blocks: np.ndarray


class _MemoryOfThread(threading.local):
    """The memory of the table that a thread tested last."""

    def __init__(self) -> None:
        self._table: weakref.ref[np.ndarray] | None = None
        self._memory: ProductMemory | None = None

    def of(self, table: np.ndarray, widest: int) -> ProductMemory:
        if self._memory is None or self._table is None or self._table() is not table:
            # With the table goes what is remembered of it.
            self._table = weakref.ref(table, self._forget)
            self._memory = _new_memory(widest)
        return self._memory

    def _forget(self, gone: weakref.ref[np.ndarray]) -> None:
        if gone is self._table:
            self._table = self._memory = None


_memory_of_thread = _MemoryOfThread()


def product_memory(table: np.ndarray, widest: int) -> ProductMemory:
    """Return the memory in which this thread keeps products of a table.

    Parameters
    ----------
    table : ndarray
        Stands for the table: products that are remembered under one array are never used for another.
    widest : int
        Most columns of a variable.

    Returns
    -------
    ProductMemory
        With what the thread has made of this table before.
    """
    return _memory_of_thread.of(table, widest)


def no_memory() -> ProductMemory:
    """Return a memory that holds nothing, for tables of which all products have been made."""
    return ProductMemory(np.empty(0, np.int64), np.empty((0, 1, 1)))


def _new_memory(widest: int) -> ProductMemory:
    positions = _MOST_PLACES
    while positions > _FEWEST_PLACES and positions * widest * widest * 8 > _MOST_BYTES:
        positions //= 2
    return ProductMemory(np.full(positions, _NOBODY), np.empty((positions, widest, widest)))


@merged_part
def place_of(memory: ProductMemory, key: int) -> int:
    """Find the place of a key: the one that has it, or a free one, or one whose key has to go."""
    keys = memory.keys
    last = keys.shape[0] - 1
    start = ((key * _SPREADING) >> np.int64(40)) & np.int64(last)
    for way in range(_WAYS):
        position: int = (start + way) & last
        if keys[position] == key or keys[position] == _NOBODY:
            return position
    replaced: int = (start + key % _WAYS) & last
    return replaced


@counting_part
def make_products(columns: np.ndarray, low: int, lows: int, high: int, highs: int, block: np.ndarray) -> None:
    """Multiply `lows` columns from `low` on with `highs` columns from `high` on."""
    for first in range(0, lows, 2):
        next_first = min(first + 1, lows - 1)
        for second in range(0, highs, 3):
            positions = (second, min(second + 1, highs - 1), min(second + 2, highs - 1))
            sums = _six_products(
                columns[low + first],
                columns[low + next_first],
                columns[high + positions[0]],
                columns[high + positions[1]],
                columns[high + positions[2]],
            )
            for number in range(3):
                block[first, positions[number]] = sums[number]
                block[next_first, positions[number]] = sums[3 + number]


@summing_part
def _six_products(
    one: np.ndarray, two: np.ndarray, first: np.ndarray, second: np.ndarray, third: np.ndarray
) -> Any:
    """Add up the products of two columns with three others at once: each number is fetched less often."""
    a, b, c, d, e, f = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for row in range(one.shape[0]):
        left, right = one[row], two[row]
        a += left * first[row]
        b += left * second[row]
        c += left * third[row]
        d += right * first[row]
        e += right * second[row]
        f += right * third[row]
    return a, b, c, d, e, f


@summing_part
def product(first: np.ndarray, second: np.ndarray) -> float:
    """Add up the products of two columns."""
    total = 0.0
    for row in range(first.shape[0]):
        total += first[row] * second[row]
    return total
