"""Products of columns, and linear systems that may be flat in some directions: what regressions rest on.

A direction is flat where columns determine one another, or where nothing is left to be known: it is left
alone, so that what can be told of the others is told (Golub and Van Loan 2013, Matrix Computations, 4th ed.,
sections 4.2 and 5.5).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotrs, dtrtri

from engine.compiled.decorators import (
    counting_kernel,
    counting_part,
    int64,
    merged_part,
    merged_summing_part,
    summing_part,
)

# Share of a second derivative below which a direction counts as flat.
FLAT = 1e-10
# Information that is none, and share of the information about another coefficient that is.
_NOTHING = 1e-14


def weighted_products(columns: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the products of columns of shape (columns, rows) over rows with weights, none negative."""
    count = len(columns)
    positions = np.minimum(np.arange(-(-count // _SEVERAL) * _SEVERAL), count - 1)
    padded = np.empty((len(positions), len(positions)))
    _fill_products(columns, np.sqrt(weights), positions, np.empty((count, _ROWS_NEAR)), padded)
    return padded[:count, :count]


def products_at(columns: np.ndarray, positions: np.ndarray) -> np.ndarray:
    """Return the products of some columns with one another, each given by its position."""
    count = len(positions)
    several = positions[np.minimum(np.arange(-(-count // _SEVERAL) * _SEVERAL), count - 1)]
    padded = np.empty((len(several), len(several)))
    _fill_products_at(columns, several, padded)
    return padded[:count, :count]


# So many rows of some dozen columns stay near the processor.
_ROWS_NEAR = 512


@counting_kernel
def _fill_products_at(columns: np.ndarray, positions: np.ndarray, products: np.ndarray) -> None:
    """Write the products of columns, of which there are several times five."""
    products[:] = 0.0
    for begin in range(0, columns.shape[1], _ROWS_NEAR):
        end = min(begin + _ROWS_NEAR, columns.shape[1])
        for row in range(0, positions.shape[0], _SEVERAL):
            for column in range(row, positions.shape[0], _SEVERAL):
                first, second = positions[row : row + _SEVERAL], positions[column : column + _SEVERAL]
                _add_five_by_five(columns, begin, end, first, second, products[row:, column:])
    _mirror(products)


@counting_part
def _mirror(products: np.ndarray) -> None:
    """Write below the diagonal what is above it."""
    for row in range(products.shape[0]):
        for column in range(row):
            products[row, column] = products[column, row]


@counting_kernel
def _fill_products(
    columns: np.ndarray, roots: np.ndarray, positions: np.ndarray, near: np.ndarray, products: np.ndarray
) -> None:
    """Write products of columns, weighted by squared roots; positions are a multiple of five."""
    products[:] = 0.0
    for begin in range(0, columns.shape[1], _ROWS_NEAR):
        rows = min(_ROWS_NEAR, columns.shape[1] - begin)
        for column in range(columns.shape[0]):
            _multiply_rows(columns[column, begin : begin + rows], roots[begin : begin + rows], near[column])
        for row in range(0, positions.shape[0], _SEVERAL):
            for column in range(row, positions.shape[0], _SEVERAL):
                first, second = positions[row : row + _SEVERAL], positions[column : column + _SEVERAL]
                _add_five_by_five(near, _FROM_THE_FIRST, rows, first, second, products[row:, column:])
    _mirror(products)


@summing_part
def _multiply_rows(column: np.ndarray, factors: np.ndarray, multiplied: np.ndarray) -> None:
    """Write the rows of a column, each times a factor."""
    for row in range(column.shape[0]):
        multiplied[row] = column[row] * factors[row]


# Of numpy's type, so that the compiler makes one version and not one for a literal.
_FROM_THE_FIRST = int64(0)
# As many columns as a number has with some thousand rows; of few, several would be multiplied twice.
_SEVERAL = 5
_FEW = 3
# So many rows of the columns of two variables stay near the processor while all their products are added up.
_ROWS_AT_ONCE = 512
# Sums over more rows in single precision would lose digits that the columns have.
_ROWS_IN_SINGLE = 1024
_BYTES_OF_SINGLE = 4


@counting_part
def multiply_columns(columns: np.ndarray, first: np.ndarray, second: np.ndarray, block: np.ndarray) -> None:
    """Multiply columns with others, each given by its position, in the precision in which they are given."""
    block[: first.shape[0], : second.shape[0]] = 0.0
    rows = columns.shape[1]
    if _FEW < first.shape[0] <= _SEVERAL and _FEW < second.shape[0] <= _SEVERAL:
        step = _ROWS_IN_SINGLE if columns.itemsize == _BYTES_OF_SINGLE else max(rows, 1)
        for begin in range(0, rows, step):
            _add_five_by_five(columns, begin, min(begin + step, rows), first, second, block)
        return
    for begin in range(0, rows, _ROWS_AT_ONCE):
        end = min(begin + _ROWS_AT_ONCE, rows)
        for row in range(0, first.shape[0], 3):
            for column in range(0, second.shape[0], 3):
                left, right = first[row : row + 3], second[column : column + 3]
                part = block[row:, column:]
                if left.shape[0] < 3:
                    _add_two_by_three(columns, begin, end, left, right, part)
                elif right.shape[0] < 3:
                    _add_two_by_three(columns, begin, end, right, left, part.T)
                else:
                    _add_three_by_three(columns, begin, end, left, right, part)


@counting_part
def multiply_first(columns: np.ndarray, count: int, products: np.ndarray) -> None:
    """Write the products of the first columns above the diagonal; there is room for two more of each."""
    for row in range(0, count, 3):
        for column in range(row, count, 3):
            products[row : row + 3, column : column + 3] = 0.0
    for begin in range(0, columns.shape[1], _ROWS_AT_ONCE):
        end = min(begin + _ROWS_AT_ONCE, columns.shape[1])
        for row in range(0, count, 3):
            for column in range(row, count, 3):
                left, right = _three_from(row, count), _three_from(column, count)
                _add_three_by_three(columns, begin, end, left, right, products[row:, column:])


@merged_part
def _three_from(first: int, count: int) -> tuple[int, int, int]:
    """Return three positions, none beyond the last."""
    return first, min(first + 1, count - 1), min(first + 2, count - 1)


@merged_part
def _add_five_by_five(
    columns: np.ndarray, begin: int, end: int, first: np.ndarray, second: np.ndarray, block: np.ndarray
) -> None:
    """Add the products of four or five columns with as many, in one go over some rows: better many."""
    left, right = first[first.shape[0] - 1], second[second.shape[0] - 1]
    sums = _twenty_five_products(
        columns[first[0]][begin:end],
        columns[first[1]][begin:end],
        columns[first[2]][begin:end],
        columns[first[3]][begin:end],
        columns[left][begin:end],
        columns[second[0]][begin:end],
        columns[second[1]][begin:end],
        columns[second[2]][begin:end],
        columns[second[3]][begin:end],
        columns[right][begin:end],
    )
    for row in range(first.shape[0]):
        for column in range(second.shape[0]):
            block[row, column] += sums[row][column]


@merged_part
def _add_three_by_three(
    columns: np.ndarray, begin: int, end: int, left: Any, right: Any, block: np.ndarray
) -> None:
    sums = _nine_products(
        columns[left[0]][begin:end],
        columns[left[1]][begin:end],
        columns[left[2]][begin:end],
        columns[right[0]][begin:end],
        columns[right[1]][begin:end],
        columns[right[2]][begin:end],
    )
    for number in range(9):
        block[number // 3, number % 3] += sums[number]


@merged_part
def _add_two_by_three(
    columns: np.ndarray, begin: int, end: int, left: np.ndarray, right: np.ndarray, block: np.ndarray
) -> None:
    """Add the products of up to two columns with up to three."""
    high, wide = left.shape[0], right.shape[0]
    sums = _six_products(
        columns[left[0]][begin:end],
        columns[left[high - 1]][begin:end],
        columns[right[0]][begin:end],
        columns[right[min(1, wide - 1)]][begin:end],
        columns[right[wide - 1]][begin:end],
    )
    for row in range(high):
        for column in range(wide):
            block[row, column] += sums[3 * row + column]


# In one go over the rows each number is fetched less often.


@merged_summing_part
def _with_five_products(sums: Any, number: float, others: Any) -> Any:
    """Add the products of one number with five others to five sums."""
    return (
        sums[0] + number * others[0],
        sums[1] + number * others[1],
        sums[2] + number * others[2],
        sums[3] + number * others[3],
        sums[4] + number * others[4],
    )


@summing_part
def _twenty_five_products(
    one: np.ndarray,
    two: np.ndarray,
    three: np.ndarray,
    four: np.ndarray,
    five: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
    third: np.ndarray,
    fourth: np.ndarray,
    fifth: np.ndarray,
) -> Any:
    """Add up the products of five columns with five others: five sums for each of the former."""
    none = one.dtype.type(0)
    a = b = c = d = e = (none, none, none, none, none)
    for row in range(one.shape[0]):
        others = first[row], second[row], third[row], fourth[row], fifth[row]
        a = _with_five_products(a, one[row], others)
        b = _with_five_products(b, two[row], others)
        c = _with_five_products(c, three[row], others)
        d = _with_five_products(d, four[row], others)
        e = _with_five_products(e, five[row], others)
    return a, b, c, d, e


@summing_part
def _nine_products(
    one: np.ndarray,
    two: np.ndarray,
    three: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
    third: np.ndarray,
) -> Any:
    """Add up the products of three columns with three others."""
    a, b, c, d, e, f, g, h, i = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for row in range(one.shape[0]):
        left, middle, right = one[row], two[row], three[row]
        a += left * first[row]
        b += left * second[row]
        c += left * third[row]
        d += middle * first[row]
        e += middle * second[row]
        f += middle * third[row]
        g += right * first[row]
        h += right * second[row]
        i += right * third[row]
    return a, b, c, d, e, f, g, h, i


@summing_part
def _six_products(
    one: np.ndarray, two: np.ndarray, first: np.ndarray, second: np.ndarray, third: np.ndarray
) -> Any:
    """Add up the products of two columns with three others."""
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


def solved(matrix: np.ndarray, right: np.ndarray, least: np.ndarray | None = None) -> np.ndarray:
    """Solve a positive system but for flat directions: of at most `least`, or nearly 0 beside others."""
    if not right.size:
        return np.zeros(right.shape)
    factor = _factor_of(matrix, least)
    if factor is not None:
        solution: np.ndarray = dpotrs(factor, right, lower=1)[0]
        return solution
    scale = _scale_of(matrix, least)
    within = _bent_directions(matrix / scale[:, np.newaxis] / scale)
    bent: np.ndarray = ((within @ (within.T @ (right.T / scale).T)).T / scale).T
    return bent


def inverse_lengths(matrix: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Return squared lengths of columns by the inverse, without flat directions as of :func:`solved`."""
    factor = _factor_of(matrix)
    if factor is None:
        scale = _scale_of(matrix)
        root = _bent_directions(matrix / scale[:, np.newaxis] / scale).T / scale
    else:
        root = dtrtri(factor, lower=1)[0]
    along = root @ columns
    lengths: np.ndarray = np.einsum("ij,ij->j", along, along)
    return lengths


def _scale_of(matrix: np.ndarray, least: np.ndarray | None = None) -> np.ndarray:
    """Return the square roots of a diagonal, infinite where a direction is flat by itself."""
    diagonal = matrix.diagonal()
    return np.sqrt(np.where(diagonal > _least_of(diagonal, least), diagonal, np.inf))


def _least_of(diagonal: np.ndarray, least: np.ndarray | None) -> np.ndarray | float:
    """Return what each number of a diagonal has to exceed for its direction to be bent."""
    bound = _NOTHING * max(float(diagonal.max(initial=0.0)), 1.0)
    return bound if least is None else np.maximum(least, bound)


def _factor_of(matrix: np.ndarray, least: np.ndarray | None = None) -> np.ndarray | None:
    """Return the lower Cholesky factor; None where some direction is flat, whatever the scales."""
    diagonal = matrix.diagonal()
    # Symmetric: to a library that goes by columns its rows are these.
    factor, failed = dpotrf(matrix.T, lower=1)
    if failed:
        return None
    bounds = np.zeros(len(diagonal)) if least is None else least
    return factor if _are_bent(factor.diagonal(), diagonal, bounds) else None


@counting_kernel
def _are_bent(left: np.ndarray, diagonal: np.ndarray, least: np.ndarray) -> bool:
    """Tell whether no direction is flat, by roots of what each leaves of those before it."""
    nothing = 1.0
    for row in range(diagonal.shape[0]):
        nothing = max(nothing, diagonal[row])
    nothing *= _NOTHING
    for row in range(diagonal.shape[0]):
        if not left[row] * left[row] > max(FLAT * diagonal[row], least[row], nothing):
            return False
    return True


def _bent_directions(scaled: np.ndarray) -> np.ndarray:
    """Return the directions that are not flat, as columns: times their transpose they invert the matrix."""
    values, vectors = np.linalg.eigh(np.clip(scaled, -1.0, 1.0))
    bent = values > FLAT * max(float(values[-1]), 0.0)
    within: np.ndarray = vectors[:, bent] / np.sqrt(values[bent])
    return within


def squared_length(variance: np.ndarray, values: np.ndarray, least: np.ndarray) -> float:
    """Return the squared length of values by their variance, without flat directions as of :func:`solved`."""
    if len(values) > 1:
        return max(float(values @ solved(variance, values, least)), 0.0)
    return float(squared_lengths(variance[0], values, least)[0])


def squared_lengths(variances: np.ndarray, values: np.ndarray, least: np.ndarray) -> np.ndarray:
    """Return the same of numbers each by itself, without those whose direction is flat."""
    bent = is_bent(variances, least)
    return np.where(bent, values * values, 0.0) / np.where(bent, variances, 1.0)


def is_bent(squares: np.ndarray, least: np.ndarray) -> np.ndarray:
    """Tell of which numbers each by itself more than `least` is left: of the others the direction is flat."""
    enough: np.ndarray = squares > np.maximum(least, _NOTHING)
    return enough


def orthonormal_rows(columns: np.ndarray, weights: np.ndarray, least: np.ndarray) -> np.ndarray:
    """Make columns orthonormal in their order, without those with a squared length below `least` left."""
    directions: list[np.ndarray] = []
    for column, bound in zip(columns, least, strict=True):
        left = column
        for direction in directions:
            left = left - float((left * weights) @ direction) * direction
        squared = float((left * weights) @ left)
        if squared > max(float(bound), _NOTHING):
            directions.append(left / math.sqrt(squared))
    return np.array(directions).reshape(len(directions), columns.shape[1])


def inverse_of(matrix: np.ndarray) -> np.ndarray | None:
    """Invert a symmetric matrix; None where it is not positive, or flat in some direction."""
    factor = _factor_of(matrix)
    if factor is None:
        return None
    inverse: np.ndarray = dpotrs(factor, np.eye(len(matrix)), lower=1)[0]
    return inverse


def left_over(matrix: np.ndarray, positions: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return what of the information about some coefficients the others leave."""
    of_others = matrix[others]
    across = of_others[:, positions]
    explained = across.T @ solved(of_others[:, others], across)
    left: np.ndarray = matrix[positions[:, np.newaxis], positions] - explained
    return left
