"""Wilks' likelihood ratio of two blocks of columns given others, from their products.

With R the correlations of blocks x and y that the blocks of S leave, p and q their columns, the statistic is
-(n - 1 - s - (p + q + 1)/2) ln det(I - Rxx⁻¹ Rxy Ryy⁻¹ Ryx), chi-squared with p·q degrees of freedom, where
s counts the columns of S (Bartlett 1938, Further aspects of the theory of multiple regression, Mathematical
Proceedings of the Cambridge Philosophical Society 34:33-40). With one column each it is -(n - s - 5/2)
ln(1 - r²), with r the partial correlation of Fisher's z.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from engine.independence.compiled import counting_part, inlined_part, merged_part, summing_part
from engine.independence.distributions import log_chi2_sf
from engine.independence.interface import register_test, sort_set

# A column of which what is held fixed leaves less than this share is rounding error, not information.
DETERMINED = 1e-10
# Least share of a column that another block leaves, so that the statistic stays finite for exact copies.
SMALLEST_SHARE = 2.0**-52
# Two columns of which this few rows carry both, as the mean of independent ones goes, are not tested.
_FEWEST_SHARED = 8.0
# Where more carry both, a sum over them is as good as normal.
_MANY_SHARED = 30.0
# Below this the two laws do not differ.
_SKEWED = 1e-3
# Blocks of products that a search remembers, and in how many places one may be found: powers of 2.
_PLACES = 4096
_WAYS = 4
# Odd, near 2^64 over the golden ratio: neighbouring keys end up far apart (Knuth 1998, section 6.4).
_SPREADING = np.int64(-7046029254386353131)
_NOBODY: int = np.int64(-1)  # type: ignore[assignment]
# Of numpy's type, so that the compiler makes one version and not one for a literal.
START: int = np.int64(0)  # type: ignore[assignment]


class BasisTable(NamedTuple):
    """Blocks of orthonormal columns.

    Attributes
    ----------
    columns : ndarray of float64, shape (columns, rows)
        First those of all variables that are tested, then those that are only held fixed.
    tested, further : ndarray of int64, shape (variables + 1,)
        Where in `columns` those of each variable start, of either kind.
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
    min_rows_per_dof : float
        Reliability rule; 0 switches it off.
    """

    columns: np.ndarray
    tested: np.ndarray
    further: np.ndarray
    carrying: np.ndarray
    skewness: np.ndarray
    products: np.ndarray
    screened: np.ndarray
    critical: np.ndarray
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
    pairs : ndarray of int64, shape (places,)
        Which products each place remembers.
    blocks : ndarray of float64, shape (places, widest block, widest block)
        The products.
    """

    members: np.ndarray
    offsets: np.ndarray
    matrix: np.ndarray
    second: np.ndarray
    pairs: np.ndarray
    blocks: np.ndarray


def new_basis_workspace(data: BasisTable, max_conditioning: int) -> BasisWorkspace:
    """Allocate working memory for conditioning sets of up to `max_conditioning` variables."""
    widest = int((np.diff(data.tested) + np.diff(data.further)).max(initial=1))
    width = widest * (max_conditioning + 2)
    places = 0 if data.products.size else _PLACES
    return BasisWorkspace(
        np.empty(max_conditioning + 2, np.int64),
        np.empty(max_conditioning + 3, np.int64),
        np.empty((width, width)),
        np.empty((widest, widest)),
        np.full(places, _NOBODY, np.int64),
        np.empty((places, widest, widest)),
    )


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
    return likelihood_ratio(data, workspace, size, np.float64(data.columns.shape[1]))


test_basis.__test__ = False  # type: ignore[attr-defined]


@merged_part
def sort_members(members: np.ndarray, x: int, y: int, given: np.ndarray, size: int) -> None:
    """Write the set in column order, then x and y likewise: a test is the same however it is written."""
    sort_set(members, given, size)
    members[size], members[size + 1] = min(x, y), max(x, y)


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
    place: int = data.tested[variable] + number
    beyond = place - data.tested[variable + 1]
    if beyond >= 0:
        place = data.further[variable] + beyond
    return place


@counting_part
def find_offsets(data: BasisTable, workspace: BasisWorkspace, size: int) -> None:
    """Say where the columns of each variable of a test go: all of a set, those of x and y that can be tested.

    A product of two columns is a sum over the rows that carry both. Where these are a handful, it is far from
    normal: then the rarest column is left out, down to one each of x and y.
    """
    members, offsets = workspace.members, workspace.offsets
    width = START
    for place in range(size):
        offsets[place] = width
        width += block_width(data, members[place])
    x, y, rows = members[size], members[size + 1], np.float64(data.columns.shape[1])
    p, q = tested_width(data, x), tested_width(data, y)
    while p > 0 and q > 0 and p + q > 2:
        carrying_x, carrying_y = data.carrying[data.tested[x] + p - 1], data.carrying[data.tested[y] + q - 1]
        if carrying_x * carrying_y >= _FEWEST_SHARED * rows:
            break
        if q == 1 or (p > 1 and carrying_x <= carrying_y):
            p -= 1
        else:
            q -= 1
    offsets[size], offsets[size + 1], offsets[size + 2] = width, width + p, width + p + q


@counting_part
def _gather(data: BasisTable, workspace: BasisWorkspace, size: int) -> None:
    """Write the products of the columns of a test; those of one variable are orthonormal."""
    offsets, matrix = workspace.offsets, workspace.matrix
    for place in range(size + 2):
        for row in range(offsets[place], offsets[place + 1]):
            for column in range(row, offsets[place + 1]):
                matrix[row, column] = 1.0 if row == column else 0.0
        for later in range(place + 1, size + 2):
            _write_products(data, workspace, place, later)


@counting_part
def _write_products(data: BasisTable, workspace: BasisWorkspace, place: int, later: int) -> None:
    """Write the products of two variables of a test, of tested columns and of further ones."""
    one, other = workspace.members[place], workspace.members[later]
    row, column = workspace.offsets[place], workspace.offsets[later]
    last_row, last_column = workspace.offsets[place + 1], workspace.offsets[later + 1]
    rows = min(tested_width(data, one), last_row - row)
    columns = min(tested_width(data, other), last_column - column)
    _write_part(
        data, workspace, data.tested[one], data.tested[other], row, row + rows, column, column + columns
    )
    row_further, column_further = row + rows, column + columns
    if row_further < last_row:
        _write_part(
            data,
            workspace,
            data.further[one],
            data.tested[other],
            row_further,
            last_row,
            column,
            column_further,
        )
    if column_further < last_column:
        _write_part(
            data,
            workspace,
            data.tested[one],
            data.further[other],
            row,
            row_further,
            column_further,
            last_column,
        )
        if row_further < last_row:
            _write_part(
                data,
                workspace,
                data.further[one],
                data.further[other],
                row_further,
                last_row,
                column_further,
                last_column,
            )


@counting_part
def _write_part(
    data: BasisTable,
    workspace: BasisWorkspace,
    first: int,
    second: int,
    row: int,
    last_row: int,
    column: int,
    last_column: int,
) -> None:
    """Write the products of the columns of the table from `first` on with those from `second` on.

    They are looked up where all products, or those of tested columns, have been made, and else remembered.
    """
    matrix = workspace.matrix
    rows, columns = last_row - row, last_column - column
    made = data.products
    if made.shape[0] == 0 and max(first, second) < data.screened.shape[0]:
        made = data.screened
    if made.shape[0] > 0:
        for one in range(rows):
            for other in range(columns):
                matrix[row + one, column + other] = made[first + one, second + other]
        return
    low, high = min(first, second), max(first, second)
    key = low * data.columns.shape[0] + high
    place = remembered(workspace.pairs, key)
    block = workspace.blocks[place]
    is_turned = second < first
    if workspace.pairs[place] != key:
        if is_turned:
            _make_products(data.columns, low, columns, high, rows, block)
        else:
            _make_products(data.columns, low, rows, high, columns, block)
        workspace.pairs[place] = key
    for one in range(rows):
        for other in range(columns):
            matrix[row + one, column + other] = block[other, one] if is_turned else block[one, other]


@merged_part
def remembered(pairs: np.ndarray, key: int) -> int:
    """Find the place of a key: the one that has it, or a free one, or one whose key has to go."""
    home = ((key * _SPREADING) >> np.int64(40)) & np.int64(_PLACES - 1)
    for way in range(_WAYS):
        place: int = (home + way) & (_PLACES - 1)  # type: ignore[assignment]
        if pairs[place] == key or pairs[place] == _NOBODY:
            return place
    return (home + key % _WAYS) & (_PLACES - 1)  # type: ignore[return-value]


@counting_part
def _make_products(
    columns: np.ndarray, low: int, lows: int, high: int, highs: int, block: np.ndarray
) -> None:
    """Multiply `lows` columns from `low` on with `highs` columns from `high` on."""
    for first in range(0, lows, 2):
        next_first = min(first + 1, lows - 1)
        for second in range(0, highs, 3):
            places = (second, min(second + 1, highs - 1), min(second + 2, highs - 1))
            sums = _six_products(
                columns[low + first],
                columns[low + next_first],
                columns[high + places[0]],
                columns[high + places[1]],
                columns[high + places[2]],
            )
            for number in range(3):
                block[first, places[number]] = sums[number]
                block[next_first, places[number]] = sums[3 + number]


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


@counting_part
def likelihood_ratio(data: BasisTable, workspace: BasisWorkspace, size: int, rows: float) -> Any:
    """Give the outcome of a test whose products are in the workspace; they are overwritten.

    Parameters
    ----------
    size : int
        Variables held fixed.
    rows : float
        Rows that the products rest on.
    """
    matrix, second = workspace.matrix, workspace.second
    adjusted = _skewed_excess(data, workspace, rows) if size == 0 else 0.0
    held_width, first_width, width = (
        workspace.offsets[size],
        workspace.offsets[size + 1],
        workspace.offsets[size + 2],
    )
    held = _eliminate(matrix, START, held_width, width)
    count = width - first_width
    for row in range(count):
        for column in range(row, count):
            second[row, column] = matrix[first_width + row, first_width + column]
    p = _eliminate(matrix, held_width, first_width, width)
    q, log_share = _log_share(matrix, second, first_width, count)
    dof = np.float64(p * q)
    if dof == 0.0:
        return 0.0, 0.0, 0.0, True
    scale = rows - 1.0 - held - 0.5 * (p + q + 1.0)
    if scale <= 0.0 or rows < data.min_rows_per_dof * dof:
        return 0.0, dof, 0.0, False
    statistic = max(0.0, -scale * (log_share + adjusted))
    return statistic, dof, statistic / data.critical[p * q], True


@counting_part
def _skewed_excess(data: BasisTable, workspace: BasisWorkspace, rows: float) -> float:
    """Sum by how much squared correlations exceed what they would be if products were not skewed.

    The product of two rare columns is as skewed as a count is, and its far tail as heavy. With z its value
    over its standard deviation and g its skewness, 2((1 + gz) ln(1 + gz) - gz)/g² is what a count of that
    skewness contributes to the likelihood ratio of Poisson laws, in place of z² (McCullagh and Nelder 1989,
    Generalized Linear Models, 2nd ed., section 2.4): it follows the chi-squared law much closer.
    """
    first, second = workspace.members[0], workspace.members[1]
    p = workspace.offsets[1]
    excess = 0.0
    for row in range(p):
        one = data.tested[first] + row
        for column in range(p, workspace.offsets[2]):
            other = data.tested[second] + column - p
            if data.carrying[one] * data.carrying[other] >= _MANY_SHARED * rows:
                continue
            skewness = data.skewness[one] * data.skewness[other] / math.sqrt(rows)
            z = workspace.matrix[row, column] * math.sqrt(rows)
            step = skewness * z
            if step > _SKEWED:
                count = 2.0 * ((1.0 + step) * math.log1p(step) - step) / (skewness * skewness)
                excess += max(0.0, z * z - count) / rows
    return excess


@counting_part
def _eliminate(matrix: np.ndarray, start: int, end: int, width: int) -> int:
    """Take the columns from `start` to `end` out of all later ones; give how many are not determined."""
    count: int = np.int64(0)  # type: ignore[assignment]
    for pivot in range(start, end):
        remaining = matrix[pivot, pivot]
        if remaining < DETERMINED:
            continue
        count += 1
        for row in range(pivot + 1, width):
            factor = matrix[pivot, row] / remaining
            if factor != 0.0:
                for column in range(row, width):
                    matrix[row, column] -= factor * matrix[pivot, column]
    return count


@counting_part
def _log_share(matrix: np.ndarray, second: np.ndarray, start: int, count: int) -> Any:
    """Compare what is left of y with what was left of it before x was taken out.

    Parameters
    ----------
    matrix : ndarray of float64
        Products with x taken out, y from `start` on; overwritten.
    second : ndarray of float64
        Products of y before; overwritten.

    Returns
    -------
    columns : int
        Columns of y that the set does not determine.
    log_share : float
        Logarithm of the ratio of the determinants, at most 0 but for rounding.
    """
    columns: int = np.int64(0)  # type: ignore[assignment]
    log_share = 0.0
    for pivot in range(count):
        before = second[pivot, pivot]
        if before < DETERMINED:
            continue
        columns += 1
        after = max(matrix[start + pivot, start + pivot], SMALLEST_SHARE * before)
        log_share += math.log(after / before)
        for row in range(pivot + 1, count):
            factor_before, factor = second[pivot, row] / before, matrix[start + pivot, start + row] / after
            for column in range(row, count):
                second[row, column] -= factor_before * second[pivot, column]
                matrix[start + row, start + column] -= factor * matrix[start + pivot, start + column]
    return columns, log_share


@inlined_part
def log_p_basis(data: BasisTable, statistic: float, dof: float) -> float:
    """Logarithm of the p-value of a chi-squared statistic."""
    return log_chi2_sf(statistic, dof)


register_test(BasisTable, new_basis_workspace, test_basis, log_p_basis)
