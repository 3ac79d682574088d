"""Labels and features arranged for the likelihood ratio with basis functions, and fits of sets of them.

Where the tested two are categories and nothing is held fixed, their combinations are counted, as in a table
of categories alone: what else is in the table changes nothing about them, and counts have laws of their own
where rows are few. All other questions go to the likelihood ratio with basis functions: given others, strata
take degrees of freedom that sums of effects do not need, and what is interchangeable could hardly be shown.
:class:`DataWithCategories` is the one place where that is decided.

A sum of curves of what is conditioned on misses what acts only together. With many rows that passes for a
direct link: of two effects of the same causes, where these are cut into grades or have heavy tails, or of a
cause and an effect of both. So :func:`test_with_products` conditions on products of two members' columns, up
to a degree, and on those of three members themselves too. That takes rows, and time for each set, and is for
a few tests.

Blocks of columns that are jointly Gaussian have the likelihood of a determinant (the degenerate Gaussian
score: Andrews, Ramsey and Cooper 2019, Learning high-dimensional directed acyclic graphs with mixed
data-types, PMLR 104:4-21). As in the test, what concerns the variables themselves counts in full and the rest
half.

Nearly all pairs of the screen of one variable against many, with nothing held fixed, are plain: all of their
columns are compared, and sums of their products are as good as normal. Columns of one variable are
orthonormal, so that what x leaves of y is the identity less products of products: the same as
:func:`engine.independence.basis.ratio.likelihood_ratio` in a tenth of the time, as many pairs go through each
step side by side.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, product
from typing import Any, NamedTuple, Self

import numpy as np

from engine.compiled.decorators import counting_kernel, counting_part, merged_part
from engine.independence.basis.ratio import (
    CLEARLY_LESS,
    MANY_SHARED,
    SMALLEST_SHARE,
    WEIGHT,
    find_offsets,
    is_remarkable,
    likelihood_ratio,
    pairs_compared,
    test_members,
    weighed,
)
from engine.independence.basis.table import (
    START,
    BasisTable,
    BasisWorkspace,
    new_basis_workspace,
    tested_width,
)
from engine.independence.chi_squared import CriticalValues, critical_ratio
from engine.independence.columns import TestColumns
from engine.independence.data import Answers, BlockFits, SharesLeft, TestData
from engine.independence.discrete.arranging import arrange_beside_numbers
from engine.independence.interface import placed_test, run_tests
from engine.independence.linear_systems import products_at
from engine.independence.options import TestOptions
from engine.independence.set_fits import SetFits, borne_variables, gaussian_fits
from engine.table.variable import Kind, Role, Variable

_NOT_COUNTED = -1


@dataclass(frozen=True, eq=False)
class CountedCategories:
    """The categories of a table, arranged for counting."""

    data: TestData
    place: np.ndarray  # (variables,): where each is in `data`; negative if it is not

    def positions(self, tested: Sequence[int], given: Sequence[int]) -> tuple[int, ...] | None:
        """Say where the variables of a test are; None if it is not counted."""
        places = self.place[list(tested)]
        is_counted = len(tested) == 2 and not given and (places >= 0).all()
        return tuple(places.tolist()) if is_counted else None

    def are_counted(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Tell which pairs are counted where nothing is held fixed: bool of shape (tests,)."""
        are_counted: np.ndarray = (self.place[x] >= 0) & (self.place[y] >= 0)
        return are_counted

    def put_among(
        self,
        modelled: tuple[np.ndarray, ...],
        x: np.ndarray,
        y: np.ndarray,
        is_counted: np.ndarray,
        stop: np.ndarray,
    ) -> tuple[np.ndarray, ...]:
        """Count some pairs, and put what comes out among what all other tests came to."""
        pairs = self.place[x[is_counted]], self.place[y[is_counted]]
        nothing = np.zeros((len(pairs[0]), 1), dtype=np.int64)
        counted = self.data.outcomes(*pairs, nothing, nothing[:, 0].copy(), stop)
        outcomes = []
        for of_counted, of_modelled in zip(counted, modelled, strict=True):
            outcome = np.empty(len(is_counted), dtype=of_modelled.dtype)
            outcome[is_counted], outcome[~is_counted] = of_counted, of_modelled
            outcomes.append(outcome)
        return tuple(outcomes)


def counted_categories(columns: TestColumns, options: TestOptions) -> CountedCategories:
    """Arrange the categories for counting; none where rows come in groups, as counts need independence."""
    place = np.full(len(columns.variables), _NOT_COUNTED, dtype=np.int64)
    counted = [
        position
        for position, variable in enumerate(columns.variables)
        if variable.kind is Kind.NOMINAL and columns.groups is None
    ]
    place[counted] = np.arange(len(counted))
    variables = tuple(columns.variables[position] for position in counted)
    values = tuple(columns.values[position] for position in counted)
    drawn = columns.drawn and tuple(columns.drawn[position] for position in counted)
    if not counted:
        variables = (Variable("nothing", Kind.NOMINAL, Role.FEATURE, ("nothing",)),)
        values = (np.zeros(columns.rows, dtype=np.int8),)
        drawn = None if columns.drawn is None else (None,)
    chosen = replace(columns, variables=variables, values=values, drawn=drawn)
    data = arrange_beside_numbers(chosen, options, with_gaps=bool(columns.missing.any()))
    return CountedCategories(data, place)


@dataclass(frozen=True, eq=False)
class DataWithCategories(TestData):
    """Blocks of all variables, which compiled searches see alone, and beside them codes of categories."""

    categories: CountedCategories = field(kw_only=True)

    @property
    def tables(self) -> tuple[Any, ...]:
        """The blocks, and the codes."""
        return (*super().tables, *self.categories.data.tables)

    def at_level(self, alpha: float) -> Self:
        """Return the same data, columns and codes to be tested at a significance level."""
        counted = self.categories.data.at_level(alpha)
        return replace(super().at_level(alpha), categories=replace(self.categories, data=counted))

    def counted_codes(self, variables: Sequence[int]) -> tuple[np.ndarray, np.ndarray] | None:
        """Give those of the categories; None where any variable is a number."""
        places = self.categories.place[list(variables)]
        return None if (places == _NOT_COUNTED).any() else self.categories.data.counted_codes(places.tolist())

    def outcomes(
        self,
        x: np.ndarray,
        y: np.ndarray,
        given: np.ndarray,
        sizes: np.ndarray,
        stop: np.ndarray,
        *,
        until_independent: bool = False,
    ) -> tuple[np.ndarray, ...]:
        """Return what the tests of a list come to, those that are counted among them."""
        is_counted = (sizes == 0) & self.categories.are_counted(x, y)
        if not is_counted.any():
            return super().outcomes(x, y, given, sizes, stop, until_independent=until_independent)
        others = ~is_counted
        modelled = super().outcomes(x[others], y[others], given[others], sizes[others], stop)
        outcomes = self.categories.put_among(modelled, x, y, is_counted, stop)
        independent = np.flatnonzero(outcomes[3] & (outcomes[2] <= 1.0))
        answered = independent[0] + 1 if until_independent and independent.size else len(x)
        return tuple(outcome[:answered] for outcome in outcomes)


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
    held = [_columns(data, variable) for variable in given]
    factors = [_factors(data, variable, columns) for variable, columns in zip(given, held, strict=True)]
    multiplied = [*_pairs(factors), *_triples(factors)]
    count = sum(map(len, held))
    if (count + len(multiplied)) * _ROWS_PER_COLUMN > rows:
        return None
    widths = [int(data.tested[variable + 1] - data.tested[variable]) for variable in (x, y)]
    of_two = [_columns(data, variable) for variable in (x, y)]
    tested = [columns[:width] for columns, width in zip(of_two, widths, strict=True)]
    further = [columns[width:] for columns, width in zip(of_two, widths, strict=True)]
    starts = np.cumsum([0, *map(len, (*tested, *further))])
    products = _products_beside(data.columns, np.concatenate((*tested, *further, *held)), multiplied, times)
    return _tested(data, (x, y), _with_orthonormal_set(products, int(starts[-1])), starts, rows)


def _columns(data: BasisTable, variable: int) -> np.ndarray:
    """List the columns of a variable, those first that are tested."""
    bounds = (data.tested, data.further)
    return np.concatenate(
        [np.arange(variable_bounds[variable], variable_bounds[variable + 1]) for variable_bounds in bounds]
    )


def _factors(data: BasisTable, variable: int, columns: np.ndarray) -> list[_Factor]:
    """List the tested columns of a variable, each with its degree: those that stand for itself have 1."""
    tested, leading = int(data.tested[variable + 1] - data.tested[variable]), int(data.leading[variable])
    return [(column, max(1, 2 + place - leading)) for place, column in enumerate(columns[:tested].tolist())]


def _pairs(factors: Sequence[Sequence[_Factor]]) -> Iterator[tuple[int, ...]]:
    """List the columns of two variables that are multiplied."""
    for left_factors, right_factors in combinations(factors, 2):
        for (first, degree), (second, beside) in product(left_factors, right_factors):
            if degree + beside <= _MOST_DEGREES:
                yield first, second


def _triples(factors: Sequence[Sequence[_Factor]]) -> Iterator[tuple[int, ...]]:
    """List the columns of three variables that are multiplied: those that stand for themselves."""
    leading = [[column for column, degree in factor if degree == 1] for factor in factors]
    for three in combinations(leading, 3):
        yield from product(*three)


def _products_beside(
    columns: np.ndarray,
    positions: np.ndarray,
    multiplied: Sequence[Sequence[int]],
    times: np.ndarray | None,
) -> np.ndarray:
    """Return the products of some columns of length 1, and of what some make when they are multiplied."""
    count, rows = len(positions), columns.shape[1]
    place = {column: number for number, column in enumerate(positions.tolist())}
    chosen = [[place[column] for column in product_columns] for product_columns in multiplied]
    summed, sums = np.zeros((count + len(chosen),) * 2), np.zeros(count + len(chosen))
    for begin in range(0, rows, _ROWS_AT_ONCE):
        own = columns[positions, begin : begin + _ROWS_AT_ONCE]
        some = np.empty((len(summed), own.shape[1]))
        some[:count] = own
        for number, (first, second, *third) in enumerate(chosen, count):
            np.multiply(own[first], own[second], out=some[number])
            for factor_place in third:
                some[number] *= own[factor_place]
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
    own = np.concatenate([np.arange(data.tested[variable], data.tested[variable + 1]) for variable in tested])
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
    query = np.array([0]), np.array([1]), np.array([[2]]), np.array([1])
    statistic, dof, *_ = run_tests(placed_test(table, 1), *query, np.zeros(1, dtype=np.uint8))
    return float(statistic[0]), float(dof[0])


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
    """Pairs of one variable with others of equally many columns, and room for their products."""

    places: np.ndarray  # (pairs,): where each of the others stands among all that are asked about
    leading: np.ndarray  # (pairs,): columns of each other that stand for the variable itself
    widths: np.ndarray  # (pairs,): all of them
    products: np.ndarray  # (widest, widest, pairs), of the one with each other
    left: np.ndarray  # alike: of each other, above the diagonal, as far as the one leaves them
    copy: np.ndarray  # the same, for a determinant
    whole: np.ndarray  # (pairs,): determinants of all columns
    first: np.ndarray  # (pairs,): of those that stand for the variable itself


def marginal_tests(
    data: BasisTable, critical: CriticalValues, x: int, others: np.ndarray, stop: np.ndarray
) -> Any:
    """Test one variable against others with nothing held fixed; `stop` as of `run_tests`."""
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
    _test_each(data, workspace, critical, abreast, x, products, is_single, others, stop, outcomes)
    return tuple(outcomes)


@counting_kernel
def _test_each(
    data: BasisTable,
    workspace: BasisWorkspace,
    critical: CriticalValues,
    abreast: _Abreast,
    x: int,
    products: np.ndarray,
    is_single: bool,
    others: np.ndarray,
    stop: np.ndarray,
    outcomes: _Outcomes,
) -> None:
    if is_single:
        _test_plain_pairs(data, critical, abreast, x, products, others, stop, outcomes)
    for position in range(others.shape[0]):
        if stop[0]:
            break
        compared = others[position]
        is_plain = is_single and _is_plain(data, x, compared)
        if not is_plain:
            workspace.members[0], workspace.members[1] = x, compared
            find_offsets(data, workspace, START)
            p = workspace.offsets[1]
            for row in range(workspace.offsets[2]):
                for column in range(row, workspace.offsets[2]):
                    workspace.matrix[row, column] = 1.0 if row == column else 0.0
            for row in range(p):
                for column in range(workspace.offsets[2] - p):
                    workspace.matrix[row, p + column] = products[row, data.tested[compared] + column]
            rows = np.float64(data.columns.shape[1])
            _write(outcomes, position, likelihood_ratio(data, workspace, critical, START, rows))
        statistic, dof = outcomes.statistic[position], outcomes.dof[position]
        if is_single and is_remarkable(statistic, dof):
            workspace.members[0], workspace.members[1] = min(x, compared), max(x, compared)
            _write(outcomes, position, test_members(data, workspace, critical, START))


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
    critical: CriticalValues,
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
            compared = others[position]
            if tested_width(data, compared) == width and _is_plain(data, x, compared):
                abreast.places[count] = position
                abreast.leading[count], abreast.widths[count] = min(width, data.leading[compared]), width
                for row in range(products.shape[0]):
                    for column in range(width):
                        abreast.products[row, column, count] = products[row, data.tested[compared] + column]
                count += 1
            if count == abreast.places.shape[0] or (count > 0 and position == others.shape[0] - 1):
                _test_abreast(data, critical, abreast, count, x, width, outcomes)
                count = 0


@counting_part
def _test_abreast(
    data: BasisTable,
    critical: CriticalValues,
    abreast: _Abreast,
    count: int,
    x: int,
    width: int,
    outcomes: _Outcomes,
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
        statistic = weighed(data, whole, first, dof, np.float64(leading_x * leading[pair]))
        outcome = statistic, dof, critical_ratio(critical, statistic, dof), True
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
    """Write the determinants of matrices given above their diagonals; these are overwritten."""
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


def basis_fits(
    table: BasisTable, variables: np.ndarray, complete: np.ndarray | None, times: np.ndarray | None
) -> SetFits:
    """Return the fits of all sets of variables, over `complete` rows, each as often as it occurred."""
    columns = [np.arange(table.tested[variable], table.tested[variable + 1]) for variable in variables]
    widths = [len(column) for column in columns]
    products, rows = _products(table, np.concatenate(columns), complete, times)
    leading = [
        min(int(table.leading[variable]), width) for variable, width in zip(variables, widths, strict=True)
    ]
    starts = np.cumsum([0, *widths[:-1]])
    first = np.concatenate(
        [np.arange(start, start + count) for start, count in zip(starts, leading, strict=True)]
    )
    whole = gaussian_fits(products, widths, rows)
    itself = gaussian_fits(products[np.ix_(first, first)], leading, rows)
    return SetFits(
        WEIGHT * whole.statistic + (1.0 - WEIGHT) * itself.statistic,
        WEIGHT * whole.dof + (1.0 - WEIGHT) * itself.dof,
    )


def _products(
    table: BasisTable, columns: np.ndarray, complete: np.ndarray | None, times: np.ndarray | None
) -> tuple[np.ndarray, float]:
    """Return the products of some columns over complete rows, and how many rows these are."""
    if complete is None and times is None:
        rows = float(table.columns.shape[1])
        if table.products.size:
            return table.products[np.ix_(columns, columns)], rows
        return products_at(table.columns, columns), rows
    chosen = np.ones(table.columns.shape[1]) if times is None else times
    chosen = chosen if complete is None else chosen * complete
    rows = float(chosen.sum())
    values = table.columns[columns]
    values = values - (values @ chosen / rows)[:, None]
    products = (values * chosen) @ values.T
    lengths = np.sqrt(np.diag(products))
    # What does not vary over these rows stays of length 0 and tells nothing.
    lengths[lengths == 0.0] = 1.0
    return products / np.outer(lengths, lengths), rows


@dataclass(frozen=True, eq=False)
class BasisData(DataWithCategories):
    """Blocks of basis functions whose likelihood ratios are tested, and categories that are counted."""

    source: TestColumns = field(kw_only=True)

    @property
    def groups(self) -> np.ndarray | None:
        """Which rows belong together."""
        return self.source.groups

    @property
    def regresses(self) -> bool:
        """The columns of linear and logistic models are at hand."""
        return True

    def outcome_of(self, variable: int) -> tuple[np.ndarray, int] | None:
        """Return the numbers or the codes of a variable."""
        return self.source.values[variable], self.source.levels[variable]

    def predictors_of(self, variable: int, most: int | None = None) -> np.ndarray | None:
        """Return the basis functions of a variable, those that are tested first, scaled to variance 1."""
        columns, tested, further = self.counted.columns, self.counted.tested, self.counted.further
        first = columns[tested[variable] : tested[variable + 1]][:most]
        rest = columns[further[variable] : further[variable + 1]]
        rest = rest if most is None else rest[: most - len(first)]
        scaled, scale = np.empty((len(first) + len(rest), columns.shape[1])), math.sqrt(self.observations)
        np.multiply(first, scale, out=scaled[: len(first)])
        np.multiply(rest, scale, out=scaled[len(first) :])
        return scaled

    def predictors_of_each(
        self, variables: Sequence[int], most: Sequence[int]
    ) -> tuple[np.ndarray, list[int]]:
        """Return the first tested columns of each variable, fetched at once."""
        places = np.array(variables, dtype=np.int64)
        starts = self.counted.tested[places]
        counts = np.minimum(most, self.counted.tested[places + 1] - starts)
        before = np.cumsum(counts) - counts
        positions = np.repeat(starts - before, counts) + np.arange(counts.sum())
        columns: np.ndarray = self.counted.columns[positions]
        columns *= math.sqrt(self.observations)
        return columns, counts.tolist()

    def itself_in_predictors(self, variable: int, predictors: int, shares_left: SharesLeft) -> np.ndarray:
        """Return indicators; of a number its own scale, unless others explain clearly more of its ranks."""
        first = super().itself_in_predictors(variable, predictors, shares_left)
        itself = self.counted.itself[variable]
        places = np.array((0, 1, self.counted.tested[variable + 1] - self.counted.tested[variable]))
        written = np.zeros(predictors)
        written[places[itself != 0.0]] = itself[itself != 0.0]
        if not written.any():
            return first
        left_of_itself, left_of_first = shares_left(np.array((written, first[0])))
        return written[np.newaxis] if left_of_itself * CLEARLY_LESS < left_of_first else first

    @cached_property
    def block_fits(self) -> BlockFits | None:
        """Blocks of basis functions where rows are complete, independent, and not weighted but counted."""
        if not self.fits_sets or self.present is not None:
            return None
        # What is kept here must not hold the data itself, which would stay in memory.
        table, weights = self.counted, self.weights
        first = np.asarray(table.tested, dtype=np.int64)
        return BlockFits(
            first,
            np.minimum(table.leading, np.diff(first)),
            float(table.columns.shape[1] if weights is None else weights.sum()),
            lambda columns: _products(table, columns, None, weights)[0],
            WEIGHT,
        )

    @property
    def bears_products(self) -> bool:
        """Sets have products where rows are complete and independent, and none stands for a population."""
        return self.present is None and self.fits_sets

    def test_with_products(self, x: int, y: int, given: Sequence[int]) -> tuple[float, float] | None:
        """Test two variables given a set and the products of columns of its members."""
        return test_with_products(self.counted, x, y, given, self.weights)

    @property
    def fits_sets(self) -> bool:
        """Sets of variables have models where rows are independent and worth the same."""
        return self.source.groups is None and (self.weights is None or not self.is_sample)

    def fits_of_sets(self, variables: np.ndarray) -> SetFits | None:
        """Return the fits of sets of variables over the rows that are complete in all of them."""
        complete = None if self.present is None else self.complete_rows(variables.tolist())
        rows = self.observations_of(variables.tolist())
        borne = variables[: borne_variables(np.diff(self.counted.tested)[variables], rows)]
        return basis_fits(self.counted, borne, complete, self.weights) if len(borne) > 1 else None

    @property
    def counted(self) -> BasisTable:
        """The columns: a table itself, or what it has inside where rows have gaps, weights or groups."""
        counted: BasisTable = getattr(self.table, "counted", self.table)
        return counted

    def nominal_dof(self, x: int, y: int, given: Sequence[int]) -> int:
        """Count the degrees of freedom of a test: strata of what is counted, none of what is modelled."""
        places = self.categories.positions((x, y), given)
        if places is not None:
            return self.categories.data.nominal_dof(places[0], places[1], places[2:])
        return pairs_compared(self.counted, x, y, len(given))

    def effect(self, statistic: float, tested: tuple[int, ...], given: tuple[int, ...]) -> float:
        """Return the strength of an association; of what is counted as in a table of categories."""
        places = self.categories.positions(tested, given)
        if places is not None:
            count = len(tested)
            return self.categories.data.effect(statistic, places[:count], places[count:])
        return self._effect_of_modelled(statistic, tested, given)

    def _effect_of_modelled(self, statistic: float, tested: tuple[int, ...], given: tuple[int, ...]) -> float:
        return super().effect(statistic, tested, given)

    def ask_marginal(self, x: int, others: np.ndarray, stop: np.ndarray) -> Answers:
        """Test one variable against others with nothing held fixed: products of numbers all at once."""
        if self.table is not self.counted or self.counted.products.size:
            return super().ask_marginal(x, others, stop)
        one = np.full(len(others), x)
        is_counted = self.categories.are_counted(one, others)
        modelled = marginal_tests(self.counted, self.critical, x, others[~is_counted], stop)
        return self.answers_of(self.categories.put_among(modelled, one, others, is_counted, stop), stop)


@dataclass(frozen=True, eq=False)
class ClusteredBasisData(BasisData):
    """Blocks of basis functions of rows that come in groups, or stand for unlike many."""

    def _effect_of_modelled(self, statistic: float, tested: tuple[int, ...], given: tuple[int, ...]) -> float:
        """Return the strength as of independent rows; alike rows make it only less sure."""
        from engine.independence.batch import ask_joint

        x, *others = tested
        independent = self._as_independent
        answers = ask_joint(independent, [(x, tuple(others), given)], np.zeros(1, np.uint8))
        return independent._effect_of_modelled(float(answers.statistic[0]), tested, given)

    @cached_property
    def _as_independent(self) -> BasisData:
        from engine.independence.basis.incomplete import IncompleteBasisTable

        weights = self.table.weights * (self.rows / self.table.weights.sum())
        return BasisData(
            IncompleteBasisTable(self.counted, self.table.present, weights),
            names=self.names,
            rows=self.rows,
            critical=self.critical,
            traits=self.traits,
            present=self.present,
            weights=weights,
            source=self.source,
            categories=self.categories,
        )
