"""The screen of one variable against many with nothing held fixed.

Nearly all pairs of a screen are plain: all of their columns are compared, and sums of their products are as
good as normal. Columns of one variable are orthonormal, so that what x leaves of y is the identity less
products of products: the same as :func:`engine.independence.basis.ratio.likelihood_ratio` in a tenth of the
time, as many pairs go through each step side by side.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from engine.compiled.decorators import counting_kernel, counting_part, merged_part
from engine.independence.basis.kernel import find_offsets, test_members
from engine.independence.basis.ratio import (
    MANY_SHARED,
    SMALLEST_SHARE,
    is_remarkable,
    likelihood_ratio,
    weighed,
)
from engine.independence.basis.table import (
    START,
    BasisTable,
    BasisWorkspace,
    new_basis_workspace,
    tested_width,
)

_SMALLEST_NUMBER = float(np.finfo(float).tiny)
# So many pairs go side by side; of wide ones as many as stay near the processor, in numbers of each array.
_MOST_PAIRS, _FEWEST_PAIRS = 64, 4
_NEAR = 2**14


class _Outcomes(NamedTuple):
    """Outcomes of tests, as arrays of shape (tests,)."""

    statistic: np.ndarray
    dof: np.ndarray
    ratio: np.ndarray
    reliable: np.ndarray


class _Abreast(NamedTuple):
    """Pairs of one variable with others of equally many columns, and room for their products.

    Attributes
    ----------
    places : ndarray of int64, shape (pairs,)
        Where each of the others stands among all that are asked about.
    leading, widths : ndarray of int64, shape (pairs,)
        How many columns of each other stand for the variable itself, and how many there are.
    products : ndarray of float64, shape (widest, widest, pairs)
        Of the columns of the one with those of each other.
    left : ndarray of float64, shape (widest, widest, pairs)
        Products of the columns of each other with one another, above the diagonal, as far as the one leaves
        them.
    copy : ndarray of float64, shape (widest, widest, pairs)
        The same, for a determinant.
    whole, first : ndarray of float64, shape (pairs,)
        Determinants of all columns, and of those that stand for the variable itself.
    """

    places: np.ndarray
    leading: np.ndarray
    widths: np.ndarray
    products: np.ndarray
    left: np.ndarray
    copy: np.ndarray
    whole: np.ndarray
    first: np.ndarray


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
        As of tests one by one; to four digits where products are there in single precision and nothing is
        remarkable about them.
    """
    mine = slice(data.tested[x], data.tested[x + 1])
    is_single = data.screened.size > 0
    if is_single:
        products = data.screened[mine].astype(np.float64)
    else:
        products = data.columns[mine] @ data.columns[: data.tested[-1]].T
    count, widest = len(others), data.widest
    outcomes = _Outcomes(np.empty(count), np.empty(count), np.empty(count), np.empty(count, np.bool_))
    pairs = max(_FEWEST_PAIRS, min(_MOST_PAIRS, _NEAR // widest**2))
    abreast = _Abreast(
        *np.empty((3, pairs), np.int64),
        *np.empty((3, widest, widest, pairs)),
        *np.empty((2, pairs)),
    )
    workspace = new_basis_workspace(data, 0)
    _test_each(data, workspace, abreast, x, products, is_single, others, stop, outcomes)
    return tuple(outcomes)


@counting_kernel
def _test_each(
    data: BasisTable,
    workspace: BasisWorkspace,
    abreast: _Abreast,
    x: int,
    products: np.ndarray,
    is_single: bool,
    others: np.ndarray,
    stop: np.ndarray,
    outcomes: _Outcomes,
) -> None:
    if is_single:
        _test_plain_pairs(data, abreast, x, products, others, stop, outcomes)
    for position in range(others.shape[0]):
        if stop[0]:
            break
        other = others[position]
        is_plain = is_single and _is_plain(data, x, other)
        if not is_plain:
            workspace.members[0], workspace.members[1] = x, other
            find_offsets(data, workspace, START)
            p = workspace.offsets[1]
            for row in range(workspace.offsets[2]):
                for column in range(row, workspace.offsets[2]):
                    workspace.matrix[row, column] = 1.0 if row == column else 0.0
            for row in range(p):
                for column in range(workspace.offsets[2] - p):
                    workspace.matrix[row, p + column] = products[row, data.tested[other] + column]
            rows = np.float64(data.columns.shape[1])
            _write(outcomes, position, likelihood_ratio(data, workspace, START, rows))
        statistic, dof = outcomes.statistic[position], outcomes.dof[position]
        if is_single and is_remarkable(statistic, dof):
            workspace.members[0], workspace.members[1] = min(x, other), max(x, other)
            _write(outcomes, position, test_members(data, workspace, START))


@merged_part
def _write(outcomes: _Outcomes, place: int, outcome: Any) -> None:
    """Write the outcome of a test."""
    outcomes.statistic[place], outcomes.dof[place] = outcome[0], outcome[1]
    outcomes.ratio[place], outcomes.reliable[place] = outcome[2], outcome[3]


@merged_part
def _is_plain(data: BasisTable, x: int, y: int) -> bool:
    """Tell whether all columns of two variables are compared, and their products are as good as normal."""
    p, q = tested_width(data, x), tested_width(data, y)
    if min(p, q) == 0:
        return False
    carrying = data.carrying[data.tested[x + 1] - 1] * data.carrying[data.tested[y + 1] - 1]
    rows = np.float64(data.columns.shape[1])
    is_borne = rows >= data.min_rows_per_dof * np.float64(p * q)
    return bool(carrying >= MANY_SHARED * rows and is_borne and rows - 1.0 - 0.5 * (p + q + 1.0) > 0.0)


@counting_part
def _test_plain_pairs(
    data: BasisTable,
    abreast: _Abreast,
    x: int,
    products: np.ndarray,
    others: np.ndarray,
    stop: np.ndarray,
    outcomes: _Outcomes,
) -> None:
    """Test those of the pairs that are plain, by how many columns the others have."""
    for width in range(1, data.widest + 1):
        count = 0
        for position in range(others.shape[0]):
            if stop[0]:
                return
            other = others[position]
            if tested_width(data, other) == width and _is_plain(data, x, other):
                abreast.places[count] = position
                abreast.leading[count], abreast.widths[count] = min(width, data.leading[other]), width
                for row in range(products.shape[0]):
                    for column in range(width):
                        abreast.products[row, column, count] = products[row, data.tested[other] + column]
                count += 1
            if count == abreast.places.shape[0] or (count > 0 and position == others.shape[0] - 1):
                _test_abreast(data, abreast, count, x, width, outcomes)
                count = 0


@counting_part
def _test_abreast(
    data: BasisTable, abreast: _Abreast, count: int, x: int, width: int, outcomes: _Outcomes
) -> None:
    """Test some pairs of which the others have equally many columns."""
    rows, p = np.float64(data.columns.shape[1]), tested_width(data, x)
    leading_x, leading = min(p, data.leading[x]), abreast.leading
    most_leading = 0
    for pair in range(count):
        most_leading = max(most_leading, leading[pair])
    for row in range(width):
        for column in range(row, width):
            for pair in range(count):
                abreast.left[row, column, pair] = 1.0 if row == column else 0.0
    _take_off(abreast, 0, leading_x, width, count)
    for row in range(most_leading):
        for column in range(row, most_leading):
            for pair in range(count):
                abreast.copy[row, column, pair] = abreast.left[row, column, pair]
    _determinants(abreast.copy, leading, most_leading, count, abreast.first)
    _take_off(abreast, leading_x, p, width, count)
    _determinants(abreast.left, abreast.widths, width, count, abreast.whole)
    dof, scale = np.float64(p * width), rows - 1.0 - 0.5 * (p + width + 1.0)
    for pair in range(count):
        leading_scale = rows - 1.0 - 0.5 * (leading_x + leading[pair] + 1.0)
        whole = max(0.0, -scale * math.log(abreast.whole[pair]))
        first = max(0.0, -leading_scale * math.log(abreast.first[pair]))
        outcome = weighed(data, whole, first, dof, np.float64(leading_x * leading[pair]))
        _write(outcomes, abreast.places[pair], outcome)


@merged_part
def _take_off(abreast: _Abreast, start: int, end: int, width: int, count: int) -> None:
    """Take the columns from `start` to `end` of the one off what is left of each other."""
    for number in range(start, end):
        for row in range(width):
            factors = abreast.products[number, row]
            for column in range(row, width):
                beside, left = abreast.products[number, column], abreast.left[row, column]
                for pair in range(count):
                    left[pair] -= factors[pair] * beside[pair]


@counting_part
def _determinants(
    matrices: np.ndarray, sizes: np.ndarray, width: int, count: int, determinants: np.ndarray
) -> None:
    """Write the determinants of matrices that are given above their diagonals, and are overwritten.

    Of each the first columns count, as many as its size says.
    """
    for pair in range(count):
        determinants[pair] = 1.0
    for pivot in range(width):
        diagonal = matrices[pivot, pivot]
        for pair in range(count):
            diagonal[pair] = max(diagonal[pair], SMALLEST_SHARE)
            determinants[pair] *= diagonal[pair] if pivot < sizes[pair] else 1.0
        for row in range(pivot + 1, width):
            across = matrices[pivot, row]
            for column in range(row, width):
                beside, left = matrices[pivot, column], matrices[row, column]
                for pair in range(count):
                    left[pair] -= across[pair] / diagonal[pair] * beside[pair]
    for pair in range(count):
        determinants[pair] = max(determinants[pair], _SMALLEST_NUMBER)
