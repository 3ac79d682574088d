"""Labels and features arranged for the likelihood ratio with basis functions, and fits of sets of them.

Blocks of columns that are jointly Gaussian have the likelihood of a determinant (the degenerate Gaussian
score: Andrews, Ramsey and Cooper 2019, Learning high-dimensional directed acyclic graphs with mixed
data-types, PMLR 104:4-21). As in the test, what concerns the variables themselves counts in full and the rest
half.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from scipy.linalg.blas import ssyrk

from engine.execution.workers import single_threaded_algebra
from engine.independence.arranging import TestColumns
from engine.independence.basis.blocks import (
    Block,
    category_block,
    most_columns_of_category,
    most_columns_of_number,
    number_block,
)
from engine.independence.basis.kernel import pairs_compared
from engine.independence.basis.ratio import CLEARLY_LESS, WEIGHT, equivalents_of
from engine.independence.basis.table import BasisTable
from engine.independence.chi_squared import chi2_critical_values
from engine.independence.counting.table import present_sets
from engine.independence.data import Answers, ShareLeft, TestData
from engine.independence.options import TestOptions
from engine.independence.set_fits import ROWS_PER_COLUMN, SetFits, gaussian_fits
from engine.table.row_weights import are_whole
from engine.table.variable import Kind, Role, Variable

# With more columns, as categories of many levels have, all sets would take longer than the search.
_MOST_COLUMNS = 65


def borne_variables(table: BasisTable, variables: np.ndarray, rows: float) -> int:
    """Say how many of some variables, from the first on, fit into one model of so many rows."""
    columns = np.cumsum(np.diff(table.tested)[variables])
    return int((columns <= min(rows / ROWS_PER_COLUMN, _MOST_COLUMNS)).sum())


def basis_fits(
    table: BasisTable, variables: np.ndarray, complete: np.ndarray | None, times: np.ndarray | None
) -> SetFits:
    """Return the fits of all sets.

    Parameters
    ----------
    table : BasisTable
    variables : ndarray of int64, shape (n,)
        Positions.
    complete : ndarray of bool, shape (rows,), optional
        Rows without gaps in the variables; all when left out.
    times : ndarray of float64, shape (rows,), optional
        How often each row occurred; once when left out.
    """
    columns = [np.arange(table.tested[each], table.tested[each + 1]) for each in variables]
    widths = [len(each) for each in columns]
    products, rows = _products(table, np.concatenate(columns), complete, times)
    leading = [min(int(table.leading[each]), width) for each, width in zip(variables, widths, strict=True)]
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
        of_all = table.columns[columns]
        return of_all @ of_all.T, rows
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


# All products are made at once where that takes no more multiplications, or no more for each label, as each
# needs some of them; and pair by pair elsewhere.
_MOST_MULTIPLICATIONS = 4e9
_MOST_MULTIPLICATIONS_A_LABEL = 1e9
# Likewise, in single precision, those of the columns that are tested, which screens need; elsewhere each
# screen makes its own.
_MOST_SCREENED = 2e11
_MOST_BYTES = 4e8
# So many rows of all columns are put into single precision at once, and so many columns mirrored.
_ROWS_AT_ONCE = 1250
_COLUMNS_AT_ONCE = 256


@dataclass(frozen=True, eq=False)
class BasisData(TestData):
    """Blocks of basis functions whose likelihood ratios are tested.

    Attributes
    ----------
    source : TestColumns
        The columns that they were made of.
    """

    source: TestColumns = field(kw_only=True)

    @property
    def regresses(self) -> bool:
        """The columns of linear and logistic models are at hand."""
        return True

    def outcome_of(self, variable: int) -> tuple[np.ndarray, int] | None:
        """Return the numbers or the codes of a variable, where rows are independent and worth the same."""
        if self.source.groups is not None or (self.weights is not None and self.is_sample):
            return None
        return self.source.values[variable], self.source.levels[variable]

    def predictors_of(self, variable: int, most: int | None = None) -> np.ndarray | None:
        """Return the basis functions of a variable, those that are tested first, scaled to variance 1."""
        columns, tested, further = self.counted.columns, self.counted.tested, self.counted.further
        first = columns[tested[variable] : tested[variable + 1]]
        rest = columns[further[variable] : further[variable + 1]]
        block = (
            first[:most] if most is not None and most <= len(first) else np.concatenate((first, rest))[:most]
        )
        scaled: np.ndarray = block * math.sqrt(self.observations)
        return scaled

    def itself_in_predictors(self, variable: int, predictors: int, share_left: ShareLeft) -> np.ndarray:
        """Return indicators; of a number its own scale, unless others explain clearly more of its ranks."""
        first = super().itself_in_predictors(variable, predictors, share_left)
        itself = self.counted.itself[variable]
        places = np.array((0, 1, np.diff(self.counted.tested)[variable]))
        written = np.zeros(predictors)
        written[places[itself != 0.0]] = itself[itself != 0.0]
        if not written.any() or not share_left(written) * CLEARLY_LESS < share_left(first[0]):
            return first
        return written[np.newaxis]

    @property
    def fits_sets(self) -> bool:
        """Sets of variables have models where rows are independent and worth the same."""
        return self.source.groups is None and (self.weights is None or not self.is_sample)

    def fits_of_sets(self, variables: np.ndarray) -> SetFits | None:
        """Return the fits of sets of variables over the rows that are complete in all of them."""
        complete = None if self.present is None else self.complete_rows(variables.tolist())
        rows = self.observations_of(variables.tolist())
        borne = variables[: borne_variables(self.counted, variables, rows)]
        return basis_fits(self.counted, borne, complete, self.weights) if len(borne) > 1 else None

    @property
    def counted(self) -> BasisTable:
        """The columns: the table itself, or what it has inside where rows have gaps, weights or groups."""
        counted: BasisTable = getattr(self.table, "counted", self.table)
        return counted

    def nominal_dof(self, x: int, y: int, given: Sequence[int]) -> int:
        """Count the degrees of freedom of a test, whatever is held fixed: models have no strata."""
        return pairs_compared(self.counted, x, y, len(given))

    def ask_marginal(self, x: int, others: np.ndarray, stop: np.ndarray) -> Answers:
        """Test one variable against others with nothing held fixed: the products of all at once."""
        if self.table is not self.counted or self.counted.products.size:
            return super().ask_marginal(x, others, stop)
        from engine.independence.basis.kernel import marginal_tests

        return self.answers_of(marginal_tests(self.counted, x, others, stop), stop)

    def _table_at_level(self, alpha: float) -> Any:
        critical = chi2_critical_values(alpha, len(self.counted.critical) - 1)
        counted = self.counted._replace(critical=critical)
        if self.table is self.counted:
            return counted
        if "log_alpha" in self.table._fields:
            return self.table._replace(counted=counted, log_alpha=math.log(alpha))
        return self.table._replace(counted=counted)


@dataclass(frozen=True, eq=False)
class ClusteredBasisData(BasisData):
    """Blocks of basis functions of rows that come in groups, or stand for unlike many."""

    def effect(self, statistic: float, tested: tuple[int, ...], given: tuple[int, ...]) -> float:
        """Return the strength in the population that the rows stand for, whatever they are worth.

        It is that of independent rows with these weights: how much rows of a group are alike makes a finding
        less sure, and not weaker.
        """
        from engine.independence.batch import ask_joint

        x, *others = tested
        independent = self._as_independent
        answers = ask_joint(independent, [(x, tuple(others), given)], np.zeros(1, np.uint8))
        return independent.effect(float(answers.statistic[0]), tested, given)

    @cached_property
    def _as_independent(self) -> BasisData:
        from engine.independence.basis.incomplete import IncompleteBasisTable

        weights = self.table.weights * (self.rows / self.table.weights.sum())
        return BasisData(
            IncompleteBasisTable(self.counted, self.table.present, weights),
            names=self.names,
            rows=self.rows,
            alpha=self.alpha,
            traits=self.traits,
            present=self.present,
            weights=weights,
            source=self.source,
        )


def arrange(columns: TestColumns, options: TestOptions) -> TestData:
    """Arrange numbers and categories for the likelihood ratio with basis functions."""
    if columns.drawn is not None:
        return _arrange_pooled(columns, options)
    missing, weights, groups = columns.missing, columns.weights, columns.groups
    units = None if groups is None else len(np.unique(groups))
    times = None
    if weights is not None and groups is None and not options.weights_are_of_a_sample and are_whole(weights):
        times = weights
    has_gaps = [bool(gaps.any()) for gaps in missing]
    complete = [
        (variable, values[~gaps] if has else values, times[~gaps] if has and times is not None else times)
        for variable, values, gaps, has in zip(
            columns.variables, columns.values, missing, has_gaps, strict=True
        )
    ]
    room = [_most_columns(variable, values, options.degree, each) for variable, values, each in complete]
    blocks = (
        _spread(basis_columns(variable, values, options.degree, units, each), ~gaps)
        for (variable, values, each), gaps in zip(complete, missing, strict=True)
    )
    is_plain = weights is None and groups is None and not any(has_gaps)
    rules = {"alpha": options.alpha, "min_rows_per_dof": options.min_rows_per_dof}
    labels = sum(variable.role is Role.LABEL for variable in columns.variables)
    table: Any = basis_table(blocks, room, **rules, with_products=is_plain, labels=labels)
    present = np.empty((0, 0), dtype=np.uint64) if is_plain else present_sets(missing)
    arranged = BasisData
    if groups is not None or (weights is not None and options.weights_are_of_a_sample):
        from engine.independence.basis.clustered import ClusteredBasisTable

        groups = np.arange(columns.rows) if groups is None else np.unique(groups, return_inverse=True)[1]
        each = np.ones(columns.rows) if weights is None else np.array(weights, dtype=np.float64)
        table = ClusteredBasisTable(table, present, each, groups.astype(np.int64), math.log(options.alpha))
        arranged = ClusteredBasisData
    elif not is_plain:
        from engine.independence.basis.incomplete import IncompleteBasisTable

        each = np.ones(columns.rows) if weights is None else np.array(weights, dtype=np.float64)
        table = IncompleteBasisTable(table, present, each)
    return arranged(
        table,
        names=columns.names,
        rows=columns.rows,
        alpha=options.alpha,
        traits=columns.traits,
        present=present if missing.any() else None,
        weights=columns.weights,
        is_sample=options.weights_are_of_a_sample,
        source=columns,
    )


def _arrange_pooled(columns: TestColumns, options: TestOptions) -> TestData:
    """Arrange columns that are complete in several ways."""
    from engine.independence.basis.pooled import PooledBasisData, PooledBasisTable

    completed = columns.completed
    known = [_representative(list(tables)) for tables in completed]
    pairs = list(zip(columns.variables, known, strict=True))
    blocks = [basis_columns(*pair, options.degree) for pair in pairs]
    room = [_most_columns(*pair, options.degree, None) for pair in pairs]
    rules: dict[str, Any] = {"alpha": options.alpha, "min_rows_per_dof": options.min_rows_per_dof}
    tables = []
    for draw in range(max(map(len, completed))):
        of_draw = [
            _at_values(block, own, table[min(draw, len(table) - 1)])
            for block, own, table in zip(blocks, known, completed, strict=True)
        ]
        tables.append(basis_table(of_draw, room, **rules, with_products=False))
    table = PooledBasisTable(
        tables[0],
        np.array([each.columns for each in tables]),
        np.array([len(each) > 1 for each in completed]),
        math.log(options.alpha),
    )
    return PooledBasisData(
        table, names=columns.names, rows=columns.rows, alpha=options.alpha, traits=columns.traits
    )


def _representative(tables: Sequence[np.ndarray]) -> np.ndarray:
    """Return as many values as there are rows, distributed as those of all completed tables together.

    Values that are seen alone are distributed otherwise, where they are missing by a cause.
    """
    if len(tables) == 1:
        return tables[0]
    values: np.ndarray = np.sort(np.concatenate(tables))[len(tables) // 2 :: len(tables)]
    return values


def _at_values(block: Block, known: np.ndarray, values: np.ndarray) -> Block:
    """Write the basis functions of a variable, made over other values than these, at these."""
    distinct, row = np.unique(known, return_index=True)
    if block.is_graded:
        columns = np.array([np.interp(values, distinct, each[row]) for each in block.columns])
        return block._replace(columns=columns.reshape(len(block.columns), len(values)))
    places = np.minimum(np.searchsorted(distinct, values), len(distinct) - 1)
    return block._replace(columns=block.columns[:, row[places]])


def _spread(block: Block, present: np.ndarray) -> Block:
    """Write columns over the rows that have a value over all rows, with 0 in the others."""
    if present.all():
        return block
    columns = np.zeros((len(block.columns), len(present)))
    columns[:, present] = block.columns
    return block._replace(columns=columns)


def basis_columns(
    variable: Variable,
    values: np.ndarray,
    degree: int,
    units: int | None = None,
    times: np.ndarray | None = None,
) -> Block:
    """Return the basis functions of a variable over rows in which it has a value.

    Parameters
    ----------
    variable : Variable
    values : ndarray, shape (rows,)
        Its numbers or codes; nothing missing.
    degree : int
        Of the polynomials of a number that are tested.
    units : int, optional
        How many independent units the rows are; their number when left out.
    times : ndarray of float64, shape (rows,), optional
        How often each row occurred; once when left out.

    Returns
    -------
    Block
        Columns of mean 0 and length 1 at right angles to one another.
    """
    if variable.kind is Kind.NOMINAL:
        return category_block(values, variable.level_count, times)
    return number_block(values, degree, units, times)


def _most_columns(
    variable: Variable, values: np.ndarray, degree: int, times: np.ndarray | None
) -> tuple[int, int]:
    """Say how many columns a variable has at most, tested and further ones: as many as it is given room."""
    if variable.kind is Kind.NOMINAL:
        return most_columns_of_category(values, variable.level_count, times)
    return most_columns_of_number(degree, len(values) if times is None else int(times.sum()))


def basis_table(
    blocks: Iterable[Block],
    room: Sequence[tuple[int, int]],
    *,
    alpha: float,
    min_rows_per_dof: float = 0.0,
    with_products: bool = True,
    labels: int = 0,
) -> BasisTable:
    """Put the blocks of all variables together.

    Parameters
    ----------
    blocks : iterable of Block
        All over the same rows; each is written into the table before the next is asked for.
    room : sequence of (tested, further)
        How many columns each block has at most.
    alpha : float
        Level of the tests.
    min_rows_per_dof : float
        Reliability rule; 0 switches it off.
    with_products : bool
        Make all products now, if they are not too many.
    labels : int
        How many variables will be searched around.

    Returns
    -------
    BasisTable
    """
    with single_threaded_algebra():
        columns, blocks = _written(blocks, room)
    tested = [block.tested for block in blocks]
    further = [len(block.columns) - block.tested for block in blocks]
    products, screened = np.empty((0, 0)), np.empty((0, 0), dtype=np.float32)
    most = max(_MOST_MULTIPLICATIONS, labels * _MOST_MULTIPLICATIONS_A_LABEL)
    if with_products and _is_borne(len(columns), columns.shape[1], most):
        products = columns @ columns.T
    elif with_products and _is_borne(sum(tested), columns.shape[1], _MOST_SCREENED):
        screened = screened_products(columns[: sum(tested)])
    # A further column may be tested beside them.
    two_widest = sorted((*(width + 1 for width in tested), 1, 1))[-2:]
    return BasisTable(
        columns=columns,
        tested=np.cumsum([0, *tested], dtype=np.int64),
        further=np.cumsum([sum(tested), *further], dtype=np.int64),
        leading=np.array([block.leading for block in blocks], dtype=np.int64),
        itself=np.array([block.itself for block in blocks], dtype=np.float64).reshape(-1, 3),
        carrying=np.concatenate([block.carrying for block in blocks]),
        skewness=np.concatenate([block.skewness for block in blocks]),
        products=products,
        screened=screened,
        critical=chi2_critical_values(alpha, two_widest[0] * two_widest[1]),
        equivalents=_equivalents(blocks),
        min_rows_per_dof=float(min_rows_per_dof),
        widest=max([1, *(len(block.columns) for block in blocks)]),
    )


def screened_products(columns: np.ndarray) -> np.ndarray:
    """Return products of all pairs of columns in single precision.

    All rows at once in single precision would take more memory than the products.
    """
    products = np.zeros((len(columns), len(columns)), dtype=np.float32)
    for begin in range(0, columns.shape[1], _ROWS_AT_ONCE):
        some = columns[:, begin : begin + _ROWS_AT_ONCE].astype(np.float32)
        # What is above the diagonal to a library that counts by columns is below it here.
        products = ssyrk(1.0, some.T, beta=1.0, c=products.T, trans=1, overwrite_c=1).T
    for begin in range(0, len(columns), _COLUMNS_AT_ONCE):
        end = begin + _COLUMNS_AT_ONCE
        square = np.tril(products[begin:end, begin:end])
        products[begin:end, begin:end] = square + np.tril(square, -1).T
        products[begin:end, end:] = products[end:, begin:end].T
    return products


def _written(blocks: Iterable[Block], room: Sequence[tuple[int, int]]) -> tuple[np.ndarray, list[Block]]:
    """Write all columns into one array: the tested ones of all blocks, then the further ones.

    The blocks are given without their columns, of which they keep the number alone: in memory of their own
    all would be there twice.
    """
    most_tested, most_further = (sum(each) for each in zip(*room, strict=True))
    columns = np.empty((0, 0))
    shortened: list[Block] = []
    tested, further = 0, most_tested
    for block in blocks:
        if not shortened:
            columns = np.empty((most_tested + most_further, block.columns.shape[1]))
        count = len(block.columns)
        columns[tested : tested + block.tested] = block.columns[: block.tested]
        columns[further : further + count - block.tested] = block.columns[block.tested :]
        tested += block.tested
        further += count - block.tested
        shortened.append(block._replace(columns=np.empty((count, 0))))
    unused = most_tested - tested
    if unused:
        # The further ones close up to the tested ones.
        for position in range(most_tested, further):
            columns[position - unused] = columns[position]
    return columns[: further - unused], shortened


def _equivalents(blocks: Sequence[Block]) -> np.ndarray:
    """Return the weighted sums of all pairs of blocks on the scale of chi-squared."""
    number = max((block.tested for block in blocks if block.is_graded), default=0)
    if number == 0:
        return np.zeros((1, 1, 1))
    category = max((block.tested for block in blocks if not block.is_graded), default=1)
    return equivalents_of(category, number, max(number**2 - 1, 2 * number))


def _is_borne(columns: int, rows: int, multiplications: float) -> bool:
    return columns**2 * rows <= multiplications and columns**2 * 8 <= _MOST_BYTES
