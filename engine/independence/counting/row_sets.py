"""Sets of rows, one bit a row: intersecting and counting them, and finding complete rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from engine.compiled.decorators import inlined_part
from engine.table.code_blocks import BITS_PER_WORD, row_set, words_needed
from engine.table.variable import code_dtype

__all__ = [
    "BITS_PER_WORD",
    "count_all_three",
    "count_both",
    "intersect",
    "population_count",
    "row_set",
    "words_needed",
]


@intrinsic
def _population_count(_typing_context: Any, word: Any) -> Any:
    """Count the ones of a 64-bit word with the processor's own instruction."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        word_type = ir.IntType(BITS_PER_WORD)
        function_type = ir.FunctionType(word_type, [word_type])
        function = builder.module.declare_intrinsic("llvm.ctpop", [word_type], function_type)
        return builder.call(function, arguments)

    return types.uint64(types.uint64), generate


population_count: Any = _population_count


@inlined_part
def intersect(first: np.ndarray, second: np.ndarray, result: np.ndarray) -> None:
    """Write the rows that are in both sets to `result`; each has shape (words,)."""
    for word in range(first.shape[0]):
        result[word] = first[word] & second[word]


@inlined_part
def count_both(first: np.ndarray, second: np.ndarray) -> int:
    """Count the rows that are in both sets."""
    total = np.uint64(0)
    for word in range(first.shape[0]):
        total += population_count(first[word] & second[word])
    return np.int64(total)  # type: ignore[return-value]


@inlined_part
def count_all_three(first: np.ndarray, second: np.ndarray, third: np.ndarray) -> int:
    """Count the rows that are in all three sets."""
    total = np.uint64(0)
    for word in range(first.shape[0]):
        total += population_count(first[word] & second[word] & third[word])
    return np.int64(total)  # type: ignore[return-value]


# With fewer rows even two binary columns that agree in every row are independent at the level 0.01, so
# that "independent" says nothing: G² of 2 and 3 rows in the diagonal is 6.73.
FEWEST_ROWS = 5


def present_sets(missing: Iterable[np.ndarray]) -> np.ndarray:
    """Write where each variable has a value as sets of rows.

    Parameters
    ----------
    missing : iterable of ndarray of bool, each of shape (rows,)
        Where values of each variable are missing.

    Returns
    -------
    ndarray of uint64, shape (variables, words)
    """
    return np.array([row_set(~each) for each in missing])


def codes_and_presence(columns: Sequence[np.ndarray], levels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Put coded columns together for counting.

    Parameters
    ----------
    columns : sequence of ndarray of int, each of shape (rows,)
        Codes, negative where missing.
    levels : ndarray of int64, shape (variables,)
        Number of levels of each column.

    Returns
    -------
    codes : ndarray of int8, int16 or int32, shape (variables, rows)
        0 where missing, so that each points into a table of counts.
    present : ndarray of uint64, shape (variables, words)
        As of :func:`present_sets`.
    """
    codes = np.empty((len(columns), len(columns[0])), dtype=code_dtype(int(levels.max())))
    for row, column in zip(codes, columns, strict=True):
        np.maximum(column, 0, out=row, casting="same_kind")
    return codes, present_sets(column < 0 for column in columns)


@inlined_part
def find_complete(
    present: np.ndarray, x: int, y: int, given: np.ndarray, size: int, complete: np.ndarray
) -> int:
    """Write the rows in which two variables and the first `size` of `given` all have a value; count them."""
    total = np.uint64(0)
    for word in range(present.shape[1]):
        together = present[x, word] & present[y, word]
        for position in range(size):
            together &= present[given[position], word]
        complete[word] = together
        total += population_count(together)
    return np.int64(total)  # type: ignore[return-value]
