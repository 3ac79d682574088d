"""The test of two variables given a set, from products of their columns."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.compiled.decorators import counting_part, merged_part
from engine.independence.basis.ratio import WORTH_TESTING, likelihood_ratio
from engine.independence.basis.table import (
    START,
    BasisTable,
    BasisWorkspace,
    block_width,
    column_of,
    has_rest,
    new_basis_workspace,
    place_of_products,
    tested_width,
)
from engine.independence.chi_squared import CriticalValues
from engine.independence.interface import Hypothesis, register_test, sort_set

# Two columns of which this few rows carry both, as the mean of independent ones goes, are not tested; a sum
# over many pairs of columns, which is nearer to normal than each, bears fewer by the root of their number.
_FEWEST_SHARED = 8.0
# Single precision is enough where others leave this share of each column, and the statistic is so far from
# its critical value, as a share of it.
_MUCH_LEFT = 0.01
_CLOSE_CALL = 1e-3


@counting_part
def test_basis(
    data: BasisTable,
    workspace: BasisWorkspace,
    critical: CriticalValues,
    hypothesis: Hypothesis,
) -> Any:
    """Test two variables of any kind given a set.

    Columns that the set determines are left out; when none of x or y is left, there are no degrees of freedom
    and nothing that tells of dependence.
    """
    size = hypothesis.size
    sort_members(workspace.members, hypothesis)
    return test_members(data, workspace, critical, size)


test_basis.__test__ = False  # type: ignore[attr-defined]


@counting_part
def test_members(data: BasisTable, workspace: BasisWorkspace, critical: CriticalValues, size: int) -> Any:
    """Test the two that stand behind a set in the workspace.

    Products of columns in single precision are right to seven digits behind the point, and a statistic that
    they give to five of its own. Where they leave any doubt of what double precision would say, as near the
    critical value and where columns are nearly determined, products in double precision are made.
    """
    find_offsets(data, workspace, size)
    rows = np.float64(data.columns.shape[1])
    is_double = data.single.shape[0] == 0
    while True:
        gather_products(data, workspace, size, is_double)
        for position in range(2):
            for number in range(3):
                workspace.itself[position, number] = data.itself[workspace.members[size + position], number]
        outcome = likelihood_ratio(data, workspace, critical, size, rows)
        is_close = abs(outcome[2] - 1.0) < _CLOSE_CALL or workspace.least[0] < _MUCH_LEFT
        if is_double or not is_close:
            return outcome
        is_double = True


test_members.__test__ = False  # type: ignore[attr-defined]


@merged_part
def sort_members(members: np.ndarray, hypothesis: Hypothesis) -> None:
    """Write the set in column order, then x and y likewise: a test is the same however it is written."""
    x, y, given, size = hypothesis
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
def gather_products(data: BasisTable, workspace: BasisWorkspace, size: int, is_double: bool) -> None:
    """Write the products of the columns of a test; those of one variable are orthonormal."""
    offsets, matrix = workspace.offsets, workspace.matrix
    for position in range(size + 2):
        for row in range(offsets[position], offsets[position + 1]):
            for column in range(row, offsets[position + 1]):
                matrix[row, column] = 1.0 if row == column else 0.0
        for later in range(position + 1, size + 2):
            _write_products(data, workspace, position, later, is_double)


@counting_part
def _write_products(
    data: BasisTable, workspace: BasisWorkspace, position: int, later: int, is_double: bool
) -> None:
    """Write the products of two variables of a test.

    They are looked up where all products have been made, and else remembered: always those of all columns of
    both variables, of which this test may need less.
    """
    members, offsets, matrix = workspace.members, workspace.offsets, workspace.matrix
    one, other = members[position], members[later]
    row, column = offsets[position], offsets[later]
    rows, columns = offsets[position + 1] - row, offsets[later + 1] - column
    products = data.products
    if products.shape[0] > 0:
        for number in range(rows):
            line = products[column_of(data, one, number)]
            for beside in range(columns):
                matrix[row + number, column + beside] = line[column_of(data, other, beside)]
        return
    place = place_of_products(data, workspace.memory, min(one, other), max(one, other), is_double)
    block = workspace.memory.blocks[place]
    for number in range(rows):
        for beside in range(columns):
            product = block[number, beside] if one < other else block[beside, number]
            matrix[row + number, column + beside] = product


register_test(BasisTable, new_basis_workspace, test_basis)
