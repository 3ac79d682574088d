"""The test of two variables given a set and the products of its members.

A sum of curves of what is conditioned on misses what acts only together. With many rows that passes for a
direct link: of two effects of the same causes, where these are cut into grades or have heavy tails, or of a
cause and an effect of both. So products of two members' columns, up to a degree, and those of three members
themselves, are conditioned on too. That takes rows, and time for each set, and is for a few tests.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations, product

import numpy as np

from engine.independence.basis.table import BasisTable
from engine.independence.interface import placed_test, run_tests

# Columns of degrees that add up to so much at most are multiplied: a square with a square, and less.
_MOST_DEGREES = 4
# A test with products wants so many rows for each column that is conditioned on.
_ROWS_PER_COLUMN = 50.0
# Directions in which the columns of a set vary by less than this share are rounding error.
_DETERMINED = 1e-6
_ROWS_AT_ONCE = 4096
# So that nothing is divided by 0.
_TINY = float(np.finfo(float).tiny)

Outcome = tuple[float, float]
# A column, and its degree.
_Factor = tuple[int, int]


def test_with_products(
    data: BasisTable, x: int, y: int, given: Sequence[int], times: np.ndarray | None = None
) -> Outcome | None:
    """Test two variables given a set and its products over complete rows; None if rows do not bear these."""
    rows = data.columns.shape[1] if times is None else int(times.sum())
    held = [_columns(data, each) for each in given]
    factors = [_factors(data, each, columns) for each, columns in zip(given, held, strict=True)]
    multiplied = [*_pairs(factors), *_triples(factors)]
    count = sum(map(len, held))
    if (count + len(multiplied)) * _ROWS_PER_COLUMN > rows:
        return None
    widths = [int(data.tested[each + 1] - data.tested[each]) for each in (x, y)]
    of_two = [_columns(data, each) for each in (x, y)]
    tested = [columns[:width] for columns, width in zip(of_two, widths, strict=True)]
    further = [columns[width:] for columns, width in zip(of_two, widths, strict=True)]
    starts = np.cumsum([0, *map(len, (*tested, *further))])
    products = _products(data.columns, np.concatenate((*tested, *further, *held)), multiplied, times)
    return _tested(data, (x, y), _with_orthonormal_set(products, int(starts[-1])), starts, rows)


test_with_products.__test__ = False  # type: ignore[attr-defined]


def _columns(data: BasisTable, variable: int) -> np.ndarray:
    """List the columns of a variable, those first that are tested."""
    bounds = (data.tested, data.further)
    return np.concatenate([np.arange(each[variable], each[variable + 1]) for each in bounds])


def _factors(data: BasisTable, variable: int, columns: np.ndarray) -> list[_Factor]:
    """List the tested columns of a variable, each with its degree: those that stand for itself have 1."""
    tested, leading = int(data.tested[variable + 1] - data.tested[variable]), int(data.leading[variable])
    return [(column, max(1, 2 + place - leading)) for place, column in enumerate(columns[:tested].tolist())]


def _pairs(factors: Sequence[Sequence[_Factor]]) -> Iterator[tuple[int, ...]]:
    """List the columns of two variables that are multiplied."""
    for one, other in combinations(factors, 2):
        for (first, degree), (second, beside) in product(one, other):
            if degree + beside <= _MOST_DEGREES:
                yield first, second


def _triples(factors: Sequence[Sequence[_Factor]]) -> Iterator[tuple[int, ...]]:
    """List the columns of three variables that are multiplied: those that stand for themselves."""
    leading = [[column for column, degree in each if degree == 1] for each in factors]
    for three in combinations(leading, 3):
        yield from product(*three)


def _products(
    columns: np.ndarray,
    positions: np.ndarray,
    multiplied: Sequence[Sequence[int]],
    times: np.ndarray | None,
) -> np.ndarray:
    """Return the products of some columns of length 1, and of what some make when they are multiplied."""
    count, rows = len(positions), columns.shape[1]
    place = {column: number for number, column in enumerate(positions.tolist())}
    chosen = [[place[column] for column in each] for each in multiplied]
    summed, sums = np.zeros((count + len(chosen),) * 2), np.zeros(count + len(chosen))
    for begin in range(0, rows, _ROWS_AT_ONCE):
        own = columns[positions, begin : begin + _ROWS_AT_ONCE]
        some = np.empty((len(summed), own.shape[1]))
        some[:count] = own
        for number, (first, second, *third) in enumerate(chosen, count):
            np.multiply(own[first], own[second], out=some[number])
            for each in third:
                some[number] *= own[each]
        counted = some if times is None else some * times[begin : begin + _ROWS_AT_ONCE]
        summed += counted @ some.T
        sums += counted.sum(axis=1)
    summed -= np.outer(sums, sums) / (rows if times is None else times.sum())
    lengths = np.sqrt(np.maximum(np.diagonal(summed), _TINY))
    products: np.ndarray = summed / np.outer(lengths, lengths)
    return products


def _with_orthonormal_set(products: np.ndarray, count: int) -> np.ndarray:
    """Write products of columns with orthonormal ones in place of those after the first `count`."""
    variances, directions = np.linalg.eigh(products[count:, count:])
    kept = variances > _DETERMINED * variances[-1]
    turned = (directions[:, kept] / np.sqrt(variances[kept])).T
    written = np.eye(count + len(turned))
    written[:count, :count] = products[:count, :count]
    written[count:, :count] = turned @ products[count:, :count]
    written[:count, count:] = written[count:, :count].T
    return written


def _tested(
    data: BasisTable, tested: tuple[int, int], products: np.ndarray, starts: np.ndarray, rows: int
) -> Outcome:
    """Make the test of two variables given one more, which stands for the set, from products."""
    chosen = np.array(tested)
    own = np.concatenate([np.arange(data.tested[each], data.tested[each + 1]) for each in tested])
    end = len(products)
    table = data._replace(
        # Its shape alone counts, as all products are made.
        columns=np.empty((1, rows)),
        tested=np.array([*starts[:3], starts[2]]),
        further=np.array([*starts[2:], end]),
        leading=np.array([*data.leading[chosen], 1]),
        itself=np.array([*data.itself[chosen], np.zeros(3)]),
        carrying=data.carrying[own],
        skewness=data.skewness[own],
        graded=np.array([*data.graded[chosen], False]),
        cumulants=data.cumulants[own],
        arrangements=np.array([*data.arrangements[chosen], math.inf]),
        products=products,
        screened=np.empty((0, 0), dtype=np.float32),
        single=np.empty((0, 0), dtype=np.float32),
        widest=int(max(*np.diff(data.tested)[chosen] + np.diff(data.further)[chosen], end - starts[-1], 1)),
    )
    asked = np.array([0]), np.array([1]), np.array([[2]]), np.array([1])
    statistic, dof, *_ = run_tests(placed_test(table, 1), *asked, np.zeros(1, dtype=np.uint8))
    return float(statistic[0]), float(dof[0])
