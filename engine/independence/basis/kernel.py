"""The test of two variables given a set, and the screen of one against many, from products of columns."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.compiled.decorators import counting_kernel, counting_part, merged_part
from engine.independence.basis.ratio import WORTH_TESTING, likelihood_ratio
from engine.independence.basis.table import (
    START,
    BasisTable,
    BasisWorkspace,
    block_width,
    has_rest,
    make_products,
    new_basis_workspace,
    place_of,
    tested_width,
)
from engine.independence.chi_squared import log_p_of_chi_squared
from engine.independence.interface import register_test, sort_set

# Two columns of which this few rows carry both, as the mean of independent ones goes, are not tested; a sum
# over many pairs of columns, which is nearer to normal than each, bears fewer by the root of their number.
_FEWEST_SHARED = 8.0


@counting_part
def test_basis(
    data: BasisTable, workspace: BasisWorkspace, x: int, y: int, given: np.ndarray, size: int
) -> Any:
    """Test two variables of any kind given a set.

    Returns
    -------
    statistic, dof, ratio : float
        ``ratio`` is the statistic over its critical value. Columns that the set determines are left out; when
        none of x or y is left, there are no degrees of freedom and nothing that tells of dependence.
    reliable : bool
        False when the rows do not suffice.
    """
    sort_members(workspace.members, x, y, given, size)
    find_offsets(data, workspace, size)
    _gather(data, workspace, size)
    for position in range(2):
        for number in range(3):
            workspace.itself[position, number] = data.itself[workspace.members[size + position], number]
    return likelihood_ratio(data, workspace, size, np.float64(data.columns.shape[1]))


test_basis.__test__ = False  # type: ignore[attr-defined]


@merged_part
def sort_members(members: np.ndarray, x: int, y: int, given: np.ndarray, size: int) -> None:
    """Write the set in column order, then x and y likewise: a test is the same however it is written."""
    sort_set(members, given, size)
    members[size], members[size + 1] = min(x, y), max(x, y)


def pairs_compared(data: BasisTable, x: int, y: int, size: int) -> int:
    """Count the pairs of columns of x and y that a test compares, with so many variables held fixed."""
    p, q = (int(data.tested[each + 1] - data.tested[each]) for each in (x, y))
    if size == 0:
        return p * q
    p, q = (width + int(data.itself[each, 2] ** 2 >= WORTH_TESTING) for each, width in ((x, p), (y, q)))
    leading_x, leading_y = (min(width, int(data.leading[each])) for each, width in ((x, p), (y, q)))
    return leading_x * q + (p - leading_x) * leading_y


@counting_part
def find_offsets(data: BasisTable, workspace: BasisWorkspace, size: int) -> None:
    """Say where the columns of each variable of a test go: all of a set, those of x and y that can be tested.

    A product of two columns is a sum over the rows that carry both. Where these are a handful, it is far from
    normal: then the rarest column is left out, down to one each of x and y. Where something is held fixed,
    numbers are needed on their own scale as well.
    """
    members, offsets = workspace.members, workspace.offsets
    width = START
    for position in range(size):
        offsets[position] = width
        width += block_width(data, members[position])
    x, y, rows = members[size], members[size + 1], np.float64(data.columns.shape[1])
    p, q = tested_width(data, x), tested_width(data, y)
    while p > 0 and q > 0 and p + q > 2:
        carrying_x, carrying_y = data.carrying[data.tested[x] + p - 1], data.carrying[data.tested[y] + q - 1]
        if carrying_x * carrying_y * math.sqrt(np.float64(p * q)) >= _FEWEST_SHARED * rows:
            break
        if q == 1 or (p > 1 and carrying_x <= carrying_y):
            p -= 1
        else:
            q -= 1
    if size > 0:
        p += 1 if has_rest(data, x) and p == tested_width(data, x) else 0
        q += 1 if has_rest(data, y) and q == tested_width(data, y) else 0
    offsets[size], offsets[size + 1], offsets[size + 2] = width, width + p, width + p + q


@counting_part
def _gather(data: BasisTable, workspace: BasisWorkspace, size: int) -> None:
    """Write the products of the columns of a test; those of one variable are orthonormal."""
    offsets, matrix = workspace.offsets, workspace.matrix
    for position in range(size + 2):
        for row in range(offsets[position], offsets[position + 1]):
            for column in range(row, offsets[position + 1]):
                matrix[row, column] = 1.0 if row == column else 0.0
        for later in range(position + 1, size + 2):
            _write_products(data, workspace, position, later)


@counting_part
def _write_products(data: BasisTable, workspace: BasisWorkspace, position: int, later: int) -> None:
    """Write the products of two variables of a test, of tested columns and of further ones."""
    members, offsets = workspace.members, workspace.offsets
    row = offsets[position]
    for row_kind in range(2):
        first, first_width = _columns_of(data, members[position], row_kind)
        rows = min(first_width, offsets[position + 1] - row)
        column = offsets[later]
        for column_kind in range(2):
            second, second_width = _columns_of(data, members[later], column_kind)
            columns = min(second_width, offsets[later + 1] - column)
            if rows > 0 and columns > 0:
                _write_part(
                    data, workspace, first, first_width, second, second_width, row, rows, column, columns
                )
            column += columns
        row += rows


@merged_part
def _columns_of(data: BasisTable, variable: int, kind: int) -> tuple[int, int]:
    """Say where the tested columns of a variable start, or with `kind` 1 the further ones, and how many."""
    if kind == 0:
        return data.tested[variable], data.tested[variable + 1] - data.tested[variable]
    return data.further[variable], data.further[variable + 1] - data.further[variable]


@counting_part
def _write_part(
    data: BasisTable,
    workspace: BasisWorkspace,
    first: int,
    first_width: int,
    second: int,
    second_width: int,
    row: int,
    rows: int,
    column: int,
    columns: int,
) -> None:
    """Write the products of the columns of the table from `first` on with those from `second` on.

    They are looked up where all products, or those of tested columns, have been made, and else remembered:
    always those of whole blocks, `first_width` columns with `second_width`, of which this test may need less.
    """
    matrix = workspace.matrix
    if data.products.shape[0] > 0:
        _copy_part(data.products, first, second, matrix, row, rows, column, columns)
        return
    if max(first, second) < data.screened.shape[0]:
        _copy_part(data.screened, first, second, matrix, row, rows, column, columns)
        return
    key = min(first, second) * data.columns.shape[0] + max(first, second)
    position = place_of(workspace.memory, key)
    block = workspace.memory.blocks[position]
    is_swapped = second < first
    if workspace.memory.keys[position] != key:
        if is_swapped:
            make_products(data.columns, second, second_width, first, first_width, block)
        else:
            make_products(data.columns, first, first_width, second, second_width, block)
        workspace.memory.keys[position] = key
    for one in range(rows):
        for other in range(columns):
            matrix[row + one, column + other] = block[other, one] if is_swapped else block[one, other]


@merged_part
def _copy_part(
    products: np.ndarray,
    first: int,
    second: int,
    matrix: np.ndarray,
    row: int,
    rows: int,
    column: int,
    columns: int,
) -> None:
    for one in range(rows):
        for other in range(columns):
            matrix[row + one, column + other] = products[first + one, second + other]


register_test(BasisTable, new_basis_workspace, test_basis, log_p_of_chi_squared)


def marginal_tests(data: BasisTable, x: int, others: np.ndarray, stop: np.ndarray) -> Any:
    """Test one variable against others with nothing held fixed.

    Parameters
    ----------
    data : BasisTable
        Over rows that are complete.
    x : int
        Position of the variable.
    others : ndarray of int64, shape (tests,)
        Positions of the others.
    stop : ndarray of uint8, shape (1,)
        Not 0 asks to stop; the arrays are then unfinished and must not be used.

    Returns
    -------
    statistic, dof, ratio : ndarray of float64, shape (tests,)
    reliable : ndarray of bool, shape (tests,)
        As of tests one by one.
    """
    mine = slice(data.tested[x], data.tested[x + 1])
    if data.screened.size:
        products = np.ascontiguousarray(data.screened[mine])
    else:
        products = data.columns[mine] @ data.columns[: data.tested[-1]].T
    count = len(others)
    statistic, dof, ratio = np.empty(count), np.empty(count), np.empty(count)
    reliable = np.empty(count, np.bool_)
    workspace = new_basis_workspace(data, 0)
    _test_each(data, workspace, x, products, others, stop, statistic, dof, ratio, reliable)
    return statistic, dof, ratio, reliable


@counting_kernel
def _test_each(
    data: BasisTable,
    workspace: BasisWorkspace,
    x: int,
    products: np.ndarray,
    others: np.ndarray,
    stop: np.ndarray,
    statistic: np.ndarray,
    dof: np.ndarray,
    ratio: np.ndarray,
    reliable: np.ndarray,
) -> None:
    matrix, offsets, members = workspace.matrix, workspace.offsets, workspace.members
    for position in range(others.shape[0]):
        if stop[0]:
            break
        other = others[position]
        members[0], members[1] = x, other
        find_offsets(data, workspace, 0)
        p = offsets[1]
        for row in range(offsets[2]):
            for column in range(row, offsets[2]):
                matrix[row, column] = 1.0 if row == column else 0.0
        for row in range(p):
            for column in range(offsets[2] - p):
                matrix[row, p + column] = products[row, data.tested[other] + column]
        outcome = likelihood_ratio(data, workspace, 0, np.float64(data.columns.shape[1]))
        statistic[position], dof[position], ratio[position], reliable[position] = outcome
