"""Blocks of columns as kernels see them, their products, and the working memory of a search.

Products of the columns of two variables are made when a test first needs them, and remembered: the searches
around many variables ask for the same products again and again, and each is a sum over all rows. So a thread
remembers those of the table that it tested last, from one search to the next.
"""

from __future__ import annotations

import threading
import weakref
from typing import NamedTuple

import numpy as np

from engine.compiled.decorators import counting_part, int64, merged_part
from engine.independence.linear_systems import multiply_columns

# A thread remembers products in so many bytes at most, and in so many places at most and at least.
_MOST_BYTES = 2**26
_MOST_PLACES = 2**17
_FEWEST_PLACES = 2**8
# In how many places a block may be found.
_WAYS = 4
# Odd, near 2^64 over the golden ratio: neighbouring keys end up far apart (Knuth 1998, section 6.4).
_SPREADING = np.int64(-7046029254386353131)
_NOBODY = int64(-1)


class ProductMemory(NamedTuple):
    """Products that were made."""

    keys: np.ndarray  # (places,): of which columns each holds the products; -1 for none
    # (places, rows, widest block): a row a column of the first variable, of several tables one below the
    # other
    blocks: np.ndarray
    chosen: np.ndarray  # (2, widest block): room for positions of columns that are multiplied


class _Remembered(NamedTuple):
    """What a thread remembers of the table that it tested last, for which an array stands."""

    thread: threading.Thread
    table: weakref.ref[np.ndarray]
    memory: ProductMemory


# By identity of the thread; nobody else holds any of it.
_remembered: dict[int, _Remembered] = {}


def _forget(gone: weakref.ref[np.ndarray]) -> None:
    """Forget with a table what is remembered of it."""
    for identity, entry in list(_remembered.items()):
        if entry.table is gone:
            _remembered.pop(identity, None)


def _left_behind(table: np.ndarray) -> ProductMemory | None:
    """Take over the products of a table that an ended thread remembered; drop those of other tables."""
    for identity, entry in list(_remembered.items()):
        if entry.thread.is_alive():
            continue
        # Of two threads that come at once, one has it.
        taken = _remembered.pop(identity, None)
        if taken is entry and entry.table() is table:
            return entry.memory
    return None


def product_memory(table: np.ndarray, rows: int, widest: int) -> ProductMemory:
    """Return the memory in which this thread, or one that has ended, keeps products of a table."""
    own = _remembered.get(threading.get_ident())
    thread = threading.current_thread()
    if own is None or own.thread is not thread or own.table() is not table:
        memory = _left_behind(table) or new_memory(rows, widest, _MOST_BYTES)
        own = _Remembered(thread, weakref.ref(table, _forget), memory)
        _remembered[threading.get_ident()] = own
    return own.memory


def no_memory() -> ProductMemory:
    """Return a memory that holds nothing, for tables of which all products have been made."""
    return ProductMemory(np.empty(0, np.int64), np.empty((0, 1, 1)), np.empty((2, 0), np.int64))


def new_memory(rows: int, widest: int, most_bytes: int) -> ProductMemory:
    """Return an empty memory of blocks of numbers."""
    positions = _MOST_PLACES
    while positions > _FEWEST_PLACES and positions * rows * widest * 8 > most_bytes:
        positions //= 2
    return ProductMemory(
        np.full(positions, _NOBODY),
        np.empty((positions, rows, widest)),
        np.empty((2, widest), np.int64),
    )


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


# Of numpy's type, so that the compiler makes one version and not one for a literal.
START = int64(0)


class BasisTable(NamedTuple):
    """Blocks of orthonormal columns."""

    # (columns, rows): those of all variables tested with nothing held fixed, then further ones
    columns: np.ndarray
    tested: np.ndarray  # (variables + 1,): where in `columns` those of each start
    further: np.ndarray  # likewise
    leading: np.ndarray  # how many stand for the variable itself: 1 of a number, of categories all tested
    itself: np.ndarray  # (variables, 3), as in `Block`
    carrying: np.ndarray  # (tested columns,), as in `Block`
    skewness: np.ndarray  # (tested columns,)
    graded: np.ndarray  # numbers
    cumulants: np.ndarray  # (tested columns, CUMULANTS), as in `Block`; NaN of categories with many columns
    arrangements: np.ndarray  # (variables,), as in `Block`
    products: np.ndarray  # of all columns; (0, 0) where they are too many, and made pair by pair
    # float32: products of the tested ones, where `products` is empty and these are not too many: with them
    # screens tell what is worth a test of its own; else (0, 0)
    screened: np.ndarray
    # Columns in float32, where `products` is empty and they do not take too much memory: with them tests are
    # made that leave no doubt; else (0, 0).
    single: np.ndarray
    equivalents: np.ndarray  # chi-squared values of weighted sums, see `ratio`
    differences: np.ndarray  # of far tails of these sums, likewise
    min_rows_per_dof: float  # reliability rule; 0 switches it off
    widest: int  # most columns of a variable


class BasisWorkspace(NamedTuple):
    """Working memory of one search."""

    members: np.ndarray  # the conditioning set in column order, x and y
    offsets: np.ndarray  # where the block of each starts in `matrix`
    matrix: np.ndarray  # products of the columns of a test, above the diagonal
    second: np.ndarray  # those of y, before x is eliminated
    third: np.ndarray  # those of y, when the columns are out that stand for x itself
    itself: np.ndarray  # (2, 3), as in the table, of x and y, over the rows of the test
    least: np.ndarray  # (1,): least share of a column that others left; 0 where something was a close call
    memory: ProductMemory


def new_basis_workspace(
    data: BasisTable, max_conditioning: int, memory: ProductMemory | None = None
) -> BasisWorkspace:
    """Allocate working memory, with what this thread remembers of products unless `memory` is given."""
    widest = data.widest
    width = widest * (max_conditioning + 2)
    if memory is None:
        memory = no_memory() if data.products.size else product_memory(data.columns, widest, widest)
    return BasisWorkspace(
        np.empty(max_conditioning + 2, np.int64),
        np.empty(max_conditioning + 3, np.int64),
        np.empty((width, width)),
        np.empty((widest, widest)),
        np.empty((widest, widest)),
        np.empty((2, 3)),
        np.empty(1),
        memory,
    )


@merged_part
def block_width(data: BasisTable, variable: int) -> int:
    """Count the columns of a variable."""
    width: int = data.tested[variable + 1] - data.tested[variable]
    width += data.further[variable + 1] - data.further[variable]
    return width


@merged_part
def tested_width(data: BasisTable, variable: int) -> int:
    """Count the columns of a variable that are tested."""
    width: int = data.tested[variable + 1] - data.tested[variable]
    return width


@merged_part
def column_of(data: BasisTable, variable: int, number: int) -> int:
    """Say where a column of a variable is, the tested ones first."""
    position: int = data.tested[variable] + number
    beyond = position - data.tested[variable + 1]
    if beyond >= 0:
        position = data.further[variable] + beyond
    return position


@merged_part
def has_rest(data: BasisTable, variable: int) -> bool:
    """Tell whether a number on its own scale needs a column besides the tested ones."""
    needs: bool = data.itself[variable, 2] > 0.0
    return needs


@merged_part
def columns_of_itself(data: BasisTable, workspace: BasisWorkspace, position: int) -> tuple[int, int, int]:
    """Return where in a test the columns of a number on its own scale are."""
    first, end = workspace.offsets[position], workspace.offsets[position + 1]
    has_further = end - first > tested_width(data, workspace.members[position])
    return first, min(first + 1, end - 1), end - 1 if has_further else first


@merged_part
def is_written(itself: np.ndarray, first: int, second: int, rest: int) -> bool:
    """Tell whether a number on its own scale is of use, and all columns in which it is written are there."""
    has_second, has_rest = second > first or itself[1] == 0.0, rest > first or itself[2] == 0.0
    return itself[0] > 0.0 and has_second and has_rest


@counting_part
def place_of_products(data: BasisTable, memory: ProductMemory, low: int, high: int, is_double: bool) -> int:
    """Return where the products of two variables are; double precision has keys of its own."""
    count = data.tested.shape[0] - 1
    key = low * count + high + (count * count if is_double else 0)
    place = place_of(memory, key)
    if memory.keys[place] != key:
        lows, highs = block_width(data, low), block_width(data, high)
        for number in range(lows):
            memory.chosen[0, number] = column_of(data, low, number)
        for number in range(highs):
            memory.chosen[1, number] = column_of(data, high, number)
        first, second, block = memory.chosen[0, :lows], memory.chosen[1, :highs], memory.blocks[place]
        if is_double:
            multiply_columns(data.columns, first, second, block)
        else:
            multiply_columns(data.single, first, second, block)
        memory.keys[place] = key
    return place
