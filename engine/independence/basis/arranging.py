"""Labels and features arranged for the likelihood ratio with basis functions: a block of columns for each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from scipy.linalg.blas import ssyrk

from engine.execution.workers import single_threaded_algebra
from engine.independence.basis.blocks import (
    Block,
    category_block,
    most_columns_of_category,
    most_columns_of_number,
    number_block,
)
from engine.independence.basis.data import BasisData, ClusteredBasisData, counted_categories
from engine.independence.basis.far_tails import CUMULANTS
from engine.independence.basis.ratio import differences_of_tails, equivalents_of
from engine.independence.basis.table import BasisTable
from engine.independence.columns import TestColumns
from engine.independence.data import TestData
from engine.independence.discrete.table import present_sets
from engine.independence.options import TestOptions
from engine.table.row_weights import are_whole
from engine.table.variable import Kind, Role, Variable

# All products are made at once where that takes no more multiplications, or no more for each label, as each
# needs some of them; and pair by pair elsewhere.
_MOST_MULTIPLICATIONS = 4e9
_MOST_MULTIPLICATIONS_A_LABEL = 1e9
# Likewise, in single precision, those of the columns that are tested, which screens need; elsewhere each
# screen makes its own.
_MOST_SCREENED = 2e11
_MOST_BYTES = 4e8
# Columns are put into single precision besides where that takes so many bytes at most.
_MOST_BYTES_OF_SINGLE = 4e8
# So many rows of all columns are put into single precision at once, and so many columns mirrored.
_ROWS_AT_ONCE = 1250
_COLUMNS_AT_ONCE = 256


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
    room = [
        _most_columns(variable, values, options.degree, row_times) for variable, values, row_times in complete
    ]
    blocks = (
        _spread(basis_columns(variable, values, options.degree, units, row_times), ~gaps)
        for (variable, values, row_times), gaps in zip(complete, missing, strict=True)
    )
    is_plain = weights is None and groups is None and not any(has_gaps)
    labels = sum(variable.role is Role.LABEL for variable in columns.variables)
    table: Any = basis_table(
        blocks, room, min_rows_per_dof=options.min_rows_per_dof, with_products=is_plain, labels=labels
    )
    present = np.empty((0, 0), dtype=np.uint64) if is_plain else present_sets(missing)
    arranged = BasisData
    if groups is not None or (weights is not None and options.weights_are_of_a_sample):
        from engine.independence.basis.clustered import ClusteredBasisTable

        # In the order of the rows where each is alone.
        if groups is None or units == columns.rows:
            groups = np.arange(columns.rows)
        else:
            groups = np.unique(groups, return_inverse=True)[1]
        row_weights = np.ones(columns.rows) if weights is None else np.array(weights, dtype=np.float64)
        row_weights *= columns.rows / row_weights.sum()
        table = ClusteredBasisTable(table, present, row_weights, groups.astype(np.int64))
        arranged = ClusteredBasisData
    elif not is_plain:
        from engine.independence.basis.incomplete import IncompleteBasisTable

        row_weights = np.ones(columns.rows) if weights is None else np.array(weights, dtype=np.float64)
        table = IncompleteBasisTable(table, present, row_weights)
    return arranged(
        table,
        names=columns.names,
        rows=columns.rows,
        traits=columns.traits,
        present=present if missing.any() else None,
        weights=columns.weights,
        is_sample=options.weights_are_of_a_sample,
        source=columns,
        categories=counted_categories(columns, options),
    )


def _arrange_pooled(columns: TestColumns, options: TestOptions) -> TestData:
    """Arrange columns that are complete in several ways."""
    from engine.independence.basis.pooled import PooledBasisData, PooledBasisTable

    completed = columns.completed
    representatives = [_representative(list(tables)) for tables in completed]
    pairs = list(zip(columns.variables, representatives, strict=True))
    blocks = [basis_columns(*pair, options.degree) for pair in pairs]
    room = [_most_columns(*pair, options.degree, None) for pair in pairs]
    tables = []
    for draw in range(max(map(len, completed))):
        of_draw = [
            _at_values(block, own, table[min(draw, len(table) - 1)])
            for block, own, table in zip(blocks, representatives, completed, strict=True)
        ]
        tables.append(
            basis_table(of_draw, room, min_rows_per_dof=options.min_rows_per_dof, with_products=False)
        )
    table = PooledBasisTable(
        tables[0],
        np.array([basis.columns for basis in tables]),
        np.array([len(draws) > 1 for draws in completed]),
    )
    return PooledBasisData(
        table,
        names=columns.names,
        rows=columns.rows,
        traits=columns.traits,
        categories=counted_categories(columns, options),
    )


def _representative(tables: Sequence[np.ndarray]) -> np.ndarray:
    """Return as many values as there are rows, distributed as those of all completed tables together."""
    if len(tables) == 1:
        return tables[0]
    return np.sort(np.concatenate(tables))[len(tables) // 2 :: len(tables)]


def _at_values(block: Block, block_values: np.ndarray, values: np.ndarray) -> Block:
    """Write the basis functions of a variable, made over other values than these, at these."""
    distinct, row = np.unique(block_values, return_index=True)
    if block.is_graded:
        columns = np.array([np.interp(values, distinct, column[row]) for column in block.columns])
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
    degree: int | None,
    units: int | None = None,
    times: np.ndarray | None = None,
) -> Block:
    """Return the orthogonal basis functions of a variable over rows in which it has a value."""
    if variable.kind is Kind.NOMINAL:
        return category_block(values, variable.level_count, times)
    return number_block(values, degree, units, times)


def _most_columns(
    variable: Variable, values: np.ndarray, degree: int | None, times: np.ndarray | None
) -> tuple[int, int]:
    """Say how many columns a variable has at most, tested and further ones: as many as it is given room."""
    if variable.kind is Kind.NOMINAL:
        return most_columns_of_category(values, variable.level_count, times)
    return most_columns_of_number(degree, len(values) if times is None else int(times.sum()))


def basis_table(
    blocks: Iterable[Block],
    room: Sequence[tuple[int, int]],
    *,
    min_rows_per_dof: float = 0.0,
    with_products: bool = True,
    labels: int = 0,
) -> BasisTable:
    """Put the blocks of all variables together, each before the next is asked for."""
    with single_threaded_algebra():
        columns, blocks = _written(blocks, room)
    tested = [block.tested for block in blocks]
    further = [len(block.columns) - block.tested for block in blocks]
    products, screened, single = np.empty((0, 0)), *np.empty((2, 0, 0), dtype=np.float32)
    most = max(_MOST_MULTIPLICATIONS, labels * _MOST_MULTIPLICATIONS_A_LABEL)
    if with_products and _is_borne(len(columns), columns.shape[1], most):
        products = columns @ columns.T
    elif with_products and _is_borne(sum(tested), columns.shape[1], _MOST_SCREENED):
        if columns.size * single.itemsize <= _MOST_BYTES_OF_SINGLE:
            single = columns.astype(np.float32)
        screened = screened_products((single if single.size else columns)[: sum(tested)])
    return BasisTable(
        columns=columns,
        tested=np.cumsum([0, *tested], dtype=np.int64),
        further=np.cumsum([sum(tested), *further], dtype=np.int64),
        leading=np.array([block.leading for block in blocks], dtype=np.int64),
        itself=np.array([block.itself for block in blocks], dtype=np.float64).reshape(-1, 3),
        carrying=np.concatenate([block.carrying for block in blocks]),
        skewness=np.concatenate([block.skewness for block in blocks]),
        graded=np.array([block.is_graded for block in blocks], dtype=np.bool_),
        cumulants=np.concatenate([_cumulants(block) for block in blocks]),
        arrangements=np.array([block.arrangements for block in blocks], dtype=np.float64),
        products=products,
        screened=screened,
        single=single,
        equivalents=_equivalents(blocks),
        differences=differences_of_tails(
            _most_tested(blocks, of_numbers=True), _most_tested(blocks, of_numbers=False)
        ),
        min_rows_per_dof=float(min_rows_per_dof),
        widest=max([1, *(len(block.columns) for block in blocks)]),
    )


def screened_products(columns: np.ndarray) -> np.ndarray:
    """Return products of all pairs of columns in single precision, by blocks to save memory."""
    products = np.zeros((len(columns), len(columns)), dtype=np.float32)
    is_single = columns.dtype == np.float32
    rows = columns.shape[1] if is_single else _ROWS_AT_ONCE
    for begin in range(0, columns.shape[1], rows):
        some = columns if is_single else columns[:, begin : begin + rows].astype(np.float32)
        # What is above the diagonal to a library that counts by columns is below it here.
        products = ssyrk(1.0, some.T, beta=1.0, c=products.T, trans=1, overwrite_c=1).T
    for begin in range(0, len(columns), _COLUMNS_AT_ONCE):
        end = begin + _COLUMNS_AT_ONCE
        square = np.tril(products[begin:end, begin:end])
        products[begin:end, begin:end] = square + np.tril(square, -1).T
        products[begin:end, end:] = products[end:, begin:end].T
    return products


def _written(blocks: Iterable[Block], room: Sequence[tuple[int, int]]) -> tuple[np.ndarray, list[Block]]:
    """Write all columns into one array: the tested ones of all blocks, then the further ones."""
    most_tested, most_further = (sum(counts) for counts in zip(*room, strict=True))
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


def _cumulants(block: Block) -> np.ndarray:
    """Return the cumulants of the tested columns of a block; NaN where they are not known."""
    return np.full((block.tested, CUMULANTS), np.nan) if block.cumulants is None else block.cumulants


def _most_tested(blocks: Sequence[Block], *, of_numbers: bool) -> int:
    """Return how many columns of a number, or of a category, are tested at most."""
    return max((block.tested for block in blocks if block.is_graded is of_numbers), default=0)


def _equivalents(blocks: Sequence[Block]) -> np.ndarray:
    """Return the weighted sums of all pairs of blocks on the scale of chi-squared."""
    number = _most_tested(blocks, of_numbers=True)
    if number == 0:
        return np.zeros((1, 1, 1))
    category = max(1, _most_tested(blocks, of_numbers=False))
    return equivalents_of(category, number, max(number**2 - 1, 2 * number))


def _is_borne(columns: int, rows: int, multiplications: float) -> bool:
    return columns**2 * rows <= multiplications and columns**2 * 8 <= _MOST_BYTES
