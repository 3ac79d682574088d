"""What the counting kernels work on: coded columns, sets of rows of one bit a row, and working memory.

Sets are intersected and counted, complete rows found, and said when a table has rows enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from engine.compiled.decorators import inlined_part, int64
from engine.independence.interface import Hypothesis
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
    return int64(total)


@inlined_part
def count_all_three(first: np.ndarray, second: np.ndarray, third: np.ndarray) -> int:
    """Count the rows that are in all three sets."""
    total = np.uint64(0)
    for word in range(first.shape[0]):
        total += population_count(first[word] & second[word] & third[word])
    return int64(total)


# With fewer rows even two binary columns that agree in every row are independent at the level 0.01, so
# that "independent" says nothing: G² of 2 and 3 rows in the diagonal is 6.73.
FEWEST_ROWS = 5


def present_sets(missing: Iterable[np.ndarray]) -> np.ndarray:
    """Return as bits (variables, words) in which rows each variable has a value."""
    return np.array([row_set(~is_missing) for is_missing in missing])


def codes_and_presence(columns: Sequence[np.ndarray], levels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return codes in the smallest integer type, 0 where missing (negative), and :func:`present_sets`."""
    codes = np.empty((len(columns), len(columns[0])), dtype=code_dtype(int(levels.max())))
    for row, column in zip(codes, columns, strict=True):
        np.maximum(column, 0, out=row, casting="same_kind")
    return codes, present_sets(column < 0 for column in columns)


@inlined_part
def find_complete(present: np.ndarray, hypothesis: Hypothesis, complete: np.ndarray) -> int:
    """Write the rows in which two variables and the first `size` of `given` all have a value; count them."""
    x, y, given, size = hypothesis
    total = np.uint64(0)
    for word in range(present.shape[1]):
        together = present[x, word] & present[y, word]
        for position in range(size):
            together &= present[given[position], word]
        complete[word] = together
        total += population_count(together)
    return int64(total)


@inlined_part
def is_complete(complete: np.ndarray, row: int) -> np.int64:
    """Return 1 where a set of rows holds a row, and 0 where it does not."""
    return np.int64((complete[row // BITS_PER_WORD] >> np.uint64(row % BITS_PER_WORD)) & np.uint64(1))


G_SQUARED = 0
PEARSON = 1

# Places in DiscreteWorkspace.law.
EXACT = 5
STRATA = 6
RAREST = 7

# Tables of so many cells are counted by conjunctions at most. So many conjunctions are remembered with their
# counts, and so many margins of two binary variables with the moments of G².
MOST_CELLS = 1 << 12
REMEMBERED_BITS = 11
MOMENT_BITS = 12
# The multiplier of a multiplicative hash: 2^64 over the golden ratio (Knuth 1998, The Art of Computer
# Programming, volume 3, section 6.4).
SPREAD = np.uint64(0x9E3779B97F4A7C15)
_MOST_REMEMBERED_CELLS = 16
# Also the bits behind the last row, as no other set has them.
_ALL_ROWS = np.uint64(0xFFFFFFFFFFFFFFFF)


class DiscreteTable(NamedTuple):
    """Coded columns, ready for counting."""

    codes: np.ndarray  # (variables, rows) of int8, int16 or int32: 0 … levels - 1, nothing missing
    levels: np.ndarray  # number of levels of each variable
    sets: np.ndarray  # (all levels, words): rows that have each level, as bits
    offsets: np.ndarray  # first row of `sets` of each variable
    set_sizes: np.ndarray  # number of rows in each set
    # k log k for every count k; empty for tables so long that differences would lose digits
    entropy_terms: np.ndarray
    inverses: np.ndarray  # one over every count, 0 for 0; empty where `entropy_terms` is
    statistic: int  # ``G_SQUARED`` or ``PEARSON``
    adjusted: bool  # degrees of freedom from observed levels only
    # Degrees of freedom from the law that the statistic has in the table's own margins, where this differs
    # from chi-squared with those from observed levels.
    effective: bool
    min_rows_per_dof: float  # reliability rules, 0 switches one off: rows per nominal dof
    min_rows_per_cell: float  # rows per cell of the table of x, y and the set
    rounding: float  # a statistic below this is rounding error, and counts as 0
    most_levels: int  # of a variable


class DiscreteWorkspace(NamedTuple):
    """Working memory of one thread."""

    strata: np.ndarray  # (depth, words): rows of the stratum at each depth of the conditioning set
    parts: np.ndarray  # likewise of a large conditioning set; at depth 0 all rows
    position: np.ndarray  # (depth,): level that each conditioning variable is at
    stratum_of_row: np.ndarray  # when rows are scanned
    counts: np.ndarray  # of one stratum
    row_sums: np.ndarray  # margins of one stratum
    column_sums: np.ndarray
    # (8,): Mean and variance of the statistic under independence, added up over strata; for X² then G², its
    # mean and its variance; the logarithm of the exact p-value of a stratum, or 0; the number of strata; for
    # X² one over the fewest rows that a cell expects.
    law: np.ndarray
    # (3, levels): what the columns of one stratum contribute to its variance, by degree
    correlation_factors: np.ndarray
    column_parts: np.ndarray
    cells: np.ndarray  # (MOST_CELLS,): counts of all strata, when they come from conjunctions
    keys: np.ndarray  # (MOST_CELLS,): the conjunction of each stratum
    memory_keys: np.ndarray  # (remembered, 2): conjunction and tested pair of each entry; 0 for none
    memory: np.ndarray  # (remembered, cells): counts of the pair in the conjunction
    # (remembered, 3): margins of two binary variables as one number, 0 for none, and the mean and variance of
    # G²
    moments: np.ndarray


def new_discrete_workspace(data: DiscreteTable, max_conditioning: int) -> DiscreteWorkspace:
    """Allocate working memory for conditioning sets of up to `max_conditioning` variables."""
    most, words = data.most_levels, data.sets.shape[1]
    depth = max_conditioning + 1
    parts = np.empty((depth, words), np.uint64)
    parts[0] = _ALL_ROWS
    return DiscreteWorkspace(
        strata=np.empty((depth, words), np.uint64),
        parts=parts,
        position=np.empty(depth, np.int64),
        stratum_of_row=np.empty(data.codes.shape[1], np.int32),
        counts=np.empty(most * most, np.int64),
        row_sums=np.empty(most, np.int64),
        column_sums=np.empty(most, np.int64),
        law=np.zeros(8),
        correlation_factors=np.empty((3, most)),
        column_parts=np.empty((3, most)),
        cells=np.empty(MOST_CELLS, np.int64),
        keys=np.empty(MOST_CELLS, np.uint64),
        memory_keys=np.zeros((1 << REMEMBERED_BITS, 2), np.uint64),
        memory=np.empty((1 << REMEMBERED_BITS, min(most * most, _MOST_REMEMBERED_CELLS)), np.int64),
        moments=np.zeros((1 << MOMENT_BITS, 3)),
    )


@inlined_part
def has_rows_enough(data: Any, observations: float, nominal_dof: float, cells: float) -> bool:
    """Tell whether the rows a dof and the rows a cell are as many as the rules of a table ask."""
    return (  # type: ignore[no-any-return]
        observations >= data.min_rows_per_dof * nominal_dof and observations >= data.min_rows_per_cell * cells
    )
