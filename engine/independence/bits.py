"""Levels of variables as sets of rows, one bit a row, and counting their intersections."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from engine.compiled.decorators import inlined_part
from engine.table.level_sets import BITS_PER_WORD, row_set, words_needed

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
