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
    """Products that were made.

    Attributes
    ----------
    keys : ndarray of int64, shape (places,)
        Of which columns each place holds the products; -1 where it holds none.
    blocks : ndarray of float64, shape (places, rows, widest block)
        The products; a row a column of the first variable, of each of several tables one below the other.
    chosen : ndarray of int64, shape (2, widest block)
        Room for the positions of the columns that are multiplied.
    """

    keys: np.ndarray
    blocks: np.ndarray
    chosen: np.ndarray


class _Remembered(NamedTuple):
    """What a thread remembers of the table that it tested last, for which an array stands."""

    thread: threading.Thread
    table: weakref.ref[np.ndarray]
    memory: ProductMemory


# By identity of the thread; nobody else holds any of it.
_remembered: dict[int, _Remembered] = {}


def _forget(gone: weakref.ref[np.ndarray]) -> None:
    """Forget with a table what is remembered of it."""
    for identity, each in list(_remembered.items()):
        if each.table is gone:
            _remembered.pop(identity, None)


def _left_behind(table: np.ndarray) -> ProductMemory | None:
    """Take over what a thread that has ended remembered of a table, and drop what such threads did of others.

    The thread that tells directions asks for hardly any products but those that the searches asked for.
    """
    for identity, each in list(_remembered.items()):
        if each.thread.is_alive():
            continue
        # Of two threads that come at once, one has it.
        taken = _remembered.pop(identity, None)
        if taken is each and each.table() is table:
            return each.memory
    return None


def product_memory(table: np.ndarray, rows: int, widest: int) -> ProductMemory:
    """Return the memory in which this thread keeps products of a table.

    Parameters
    ----------
    table : ndarray
        Stands for the table: products that are remembered under one array are never used for another.
    rows : int
        As many as `widest`, times the tables of which products are remembered together.
    widest : int
        Most columns of a variable.

    Returns
    -------
    ProductMemory
        With what the thread has made of this table before, or one that has ended.
    """
    own = _remembered.get(threading.get_ident())
    thread = threading.current_thread()
    if own is None or own.thread is not thread or own.table() is not table:
        memory = _left_behind(table) or _new_memory(rows, widest)
        own = _Remembered(thread, weakref.ref(table, _forget), memory)
        _remembered[threading.get_ident()] = own
    return own.memory


def no_memory() -> ProductMemory:
    """Return a memory that holds nothing, for tables of which all products have been made."""
    return ProductMemory(np.empty(0, np.int64), np.empty((0, 1, 1)), np.empty((2, 0), np.int64))


def _new_memory(rows: int, widest: int) -> ProductMemory:
    positions = _MOST_PLACES
    while positions > _FEWEST_PLACES and positions * rows * widest * 8 > _MOST_BYTES:
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
    """Blocks of orthonormal columns.

    Attributes
    ----------
    columns : ndarray of float64, shape (columns, rows)
        First those of all variables that are tested with nothing held fixed, then further ones.
    tested, further : ndarray of int64, shape (variables + 1,)
        Where in `columns` those of each variable start, of either kind.
    leading : ndarray of int64, shape (variables,)
        How many columns stand for the variable itself: 1 of a number, of categories all that are tested.
    itself : ndarray of float64, shape (variables, 3)
        A number on its own scale, written in its first two tested columns and its first further one; of
        length 1. Zeros of categories, and of numbers whose normal scores always stand for them.
    carrying : ndarray of float64, shape (tested columns,)
        How many rows a column rests on, or the ones before it in its block if these are fewer: 1 over the sum
        of fourth powers, which of an indicator is about the number of rows that have it.
    skewness : ndarray of float64, shape (tested columns,)
        Of each column.
    graded : ndarray of bool, shape (variables,)
        Numbers.
    cumulants : ndarray of float64, shape (tested columns, CUMULANTS)
        Of a column and those before it in its block: see :mod:`engine.independence.basis.far_tails`. NaN of
        categories with many columns.
    arrangements : ndarray of float64, shape (variables,)
        Logarithm of the number of ways to put the values of each over the rows, over the rows but one.
    products : ndarray of float64, shape (columns, columns) or (0, 0)
        Products of all columns; empty where they are too many, and made pair by pair.
    screened : ndarray of float32, shape (tested columns, tested columns) or (0, 0)
        Products of those that are tested, where `products` is empty and these are not too many: with them
        screens tell what is worth a test of its own.
    single : ndarray of float32, shape (columns, rows) or (0, 0)
        The columns in single precision, where `products` is empty and they do not take too much memory: with
        them tests are made that leave no doubt.
    equivalents : ndarray of float64
        Chi-squared values of weighted sums, see :mod:`engine.independence.basis.ratio`.
    differences : ndarray of float64
        Of far tails of these sums, likewise.
    min_rows_per_dof : float
        Reliability rule; 0 switches it off.
    widest : int
        Most columns of a variable.
    """

    columns: np.ndarray
    tested: np.ndarray
    further: np.ndarray
    leading: np.ndarray
    itself: np.ndarray
    carrying: np.ndarray
    skewness: np.ndarray
    graded: np.ndarray
    cumulants: np.ndarray
    arrangements: np.ndarray
    products: np.ndarray
    screened: np.ndarray
    single: np.ndarray
    equivalents: np.ndarray
    differences: np.ndarray
    min_rows_per_dof: float
    widest: int


class BasisWorkspace(NamedTuple):
    """Working memory of one search.

    Attributes
    ----------
    members : ndarray of int64
        The conditioning set in column order, x and y.
    offsets : ndarray of int64
        Where the block of each starts in `matrix`.
    matrix : ndarray of float64, shape (width, width)
        Products of the columns of a test, above the diagonal.
    second : ndarray of float64, shape (widest block, widest block)
        Those of y, before x is eliminated.
    third : ndarray of float64, shape (widest block, widest block)
        Those of y, when the columns are out that stand for x itself.
    itself : ndarray of float64, shape (2, 3)
        As in the table, of x and y, over the rows of the test.
    least : ndarray of float64, shape (1,)
        The least share of a column that others left in a test; 0 where something else was a close call.
    memory : ProductMemory
        Products that were made.
    """

    members: np.ndarray
    offsets: np.ndarray
    matrix: np.ndarray
    second: np.ndarray
    third: np.ndarray
    itself: np.ndarray
    least: np.ndarray
    memory: ProductMemory


def new_basis_workspace(
    data: BasisTable, max_conditioning: int, memory: ProductMemory | None = None
) -> BasisWorkspace:
    """Allocate working memory for conditioning sets of up to `max_conditioning` variables.

    Parameters
    ----------
    memory : ProductMemory, optional
        Of products; when left out, what this thread remembers of the columns.
    """
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
    """Say where in a test the columns are in which a number is written on its own scale.

    The first stands for those that a test leaves out.
    """
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
    """Say where the products of all columns of two variables are, the one with the lower position first.

    Those in double precision have a key of their own: else what a test finds would hang on the tests before.
    """
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
