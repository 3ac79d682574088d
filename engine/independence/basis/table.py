"""Blocks of columns as kernels see them, and the working memory of a search."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.compiled.decorators import merged_part
from engine.independence.basis.products import ProductMemory, no_memory, product_memory

# Of numpy's type, so that the compiler makes one version and not one for a literal.
START: int = np.int64(0)  # type: ignore[assignment]


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
    products : ndarray of float64, shape (columns, columns) or (0, 0)
        Products of all columns; empty where they are too many, and made pair by pair.
    screened : ndarray of float64, shape (tested columns, tested columns) or (0, 0)
        Products of those that are tested, for screens, where `products` is empty and these are not too many.
    critical : ndarray of float64
        Critical values by degrees of freedom.
    equivalents : ndarray of float64
        Chi-squared values of weighted sums, see :mod:`engine.independence.basis.weighted_sum`.
    min_rows_per_dof : float
        Reliability rule; 0 switches it off.
    """

    columns: np.ndarray
    tested: np.ndarray
    further: np.ndarray
    leading: np.ndarray
    itself: np.ndarray
    carrying: np.ndarray
    skewness: np.ndarray
    products: np.ndarray
    screened: np.ndarray
    critical: np.ndarray
    equivalents: np.ndarray
    min_rows_per_dof: float


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
    memory : ProductMemory
        Products that were made.
    """

    members: np.ndarray
    offsets: np.ndarray
    matrix: np.ndarray
    second: np.ndarray
    third: np.ndarray
    itself: np.ndarray
    memory: ProductMemory


def widest_block(data: BasisTable) -> int:
    """Return the most columns of a variable."""
    return int((np.diff(data.tested) + np.diff(data.further)).max(initial=1))


def new_basis_workspace(
    data: BasisTable, max_conditioning: int, memory: ProductMemory | None = None
) -> BasisWorkspace:
    """Allocate working memory for conditioning sets of up to `max_conditioning` variables.

    Parameters
    ----------
    data : BasisTable
    max_conditioning : int
    memory : ProductMemory, optional
        Of products; when left out, what this thread remembers of the columns.
    """
    widest = widest_block(data)
    width = widest * (max_conditioning + 2)
    if memory is None:
        memory = no_memory() if data.products.size else product_memory(data.columns, widest)
    return BasisWorkspace(
        np.empty(max_conditioning + 2, np.int64),
        np.empty(max_conditioning + 3, np.int64),
        np.empty((width, width)),
        np.empty((widest, widest)),
        np.empty((widest, widest)),
        np.empty((2, 3)),
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
