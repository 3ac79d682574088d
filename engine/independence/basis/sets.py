"""Fits of all sets of a few variables by basis functions, for scores of graphs.

Blocks of columns that are jointly Gaussian have the likelihood of a determinant (the degenerate Gaussian
score: Andrews, Ramsey and Cooper 2019, Learning high-dimensional directed acyclic graphs with mixed
data-types, PMLR 104:4-21). As in the test, what concerns the variables themselves counts in full and the rest
half.
"""

from __future__ import annotations

import numpy as np

from engine.independence.basis.table import BasisTable
from engine.independence.basis.weighted_sum import WEIGHT
from engine.independence.set_fits import ROWS_PER_COLUMN, SetFits, gaussian_fits

# With more columns, as categories of many levels have, all sets would take longer than the search.
_MOST_COLUMNS = 65


def borne_variables(table: BasisTable, variables: np.ndarray, rows: float) -> int:
    """Say how many of some variables, from the first on, fit into one model of so many rows."""
    columns = np.cumsum(np.diff(table.tested)[variables])
    return int((columns <= min(rows / ROWS_PER_COLUMN, _MOST_COLUMNS)).sum())


def basis_fits(
    table: BasisTable, variables: np.ndarray, complete: np.ndarray | None, times: np.ndarray | None
) -> SetFits:
    """Give the fits of all sets.

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
    """Give the products of some columns over complete rows, and how many rows these are."""
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
