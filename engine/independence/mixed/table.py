"""What the likelihood-ratio test of mixed data works on: columns, correlations, memory, rows alike."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.compiled.decorators import inlined_part, kernel_part

# A logistic model with more coefficients than this is not fitted.
MOST_COEFFICIENTS = 1000


class MixedTable(NamedTuple):
    """Columns for linear and logistic models.

    A nominal variable with c categories stands in the models as c - 1 columns of 0 and 1, a continuous
    one as itself. All columns are centred and have variance 1.

    Attributes
    ----------
    values : ndarray of float64, shape (columns, rows)
        The columns of all variables.
    correlation : ndarray of float64, shape (columns, columns)
        Their correlations.
    starts : ndarray of int64, shape (variables + 1,)
        Where the columns of each variable begin in `values`; the last entry is the end.
    categories : ndarray of int64, shape (variables,)
        Number of categories that occur; 0 for a continuous variable.
    codes : ndarray of int32, shape (nominal variables, rows)
        Category of each row; 0 is the most frequent one.
    code_rows : ndarray of int64, shape (variables,)
        Row of `codes` of each nominal variable.
    min_rows_per_coefficient : float
        Reliability rule; 0 switches it off.
    """

    values: np.ndarray
    correlation: np.ndarray
    starts: np.ndarray
    categories: np.ndarray
    codes: np.ndarray
    code_rows: np.ndarray
    min_rows_per_coefficient: float


class MixedWorkspace(NamedTuple):
    """Working memory of one thread.

    Attributes
    ----------
    members : ndarray of int64, shape (set size,)
        The conditioning set in column order.
    used : ndarray of int64, shape (width,)
        Columns of the model so far, none determined by those before it.
    factor : ndarray of float64, shape (width, width)
        Cholesky factor of their correlations.
    row : ndarray of float64, shape (width + 1,)
        One row of a factor, or the values of one row of the table.
    group_of_cell : ndarray of int64, shape (rows,)
        Group of each combination of categories, or -1.
    group_rows : ndarray of int64, shape (rows,)
        A row of each group of rows that are alike.
    group_weights : ndarray of float64, shape (rows,)
        How many rows are in each group.
    coefficients, gradient, step : ndarray of float64, shape (coefficients,)
        Of a logistic model.
    hessian : ndarray of float64, shape (coefficients, coefficients)
        Negative second derivatives of its log likelihood.
    scores, probabilities : ndarray of float64, shape (categories,)
        Linear predictors and probabilities of one row.
    counts : ndarray of float64, shape (categories, categories)
        Contingency table of two nominal variables.
    totals : ndarray of float64, shape (categories,)
        Rows of each level of the first variable.
    stop : ndarray of uint8, shape (1,)
        Not 0 asks to stop: a logistic model of many coefficients takes seconds.
    """

    members: np.ndarray
    used: np.ndarray
    factor: np.ndarray
    row: np.ndarray
    group_of_cell: np.ndarray
    group_rows: np.ndarray
    group_weights: np.ndarray
    coefficients: np.ndarray
    gradient: np.ndarray
    step: np.ndarray
    hessian: np.ndarray
    scores: np.ndarray
    probabilities: np.ndarray
    counts: np.ndarray
    totals: np.ndarray
    stop: np.ndarray


def new_mixed_workspace(data: MixedTable, max_conditioning: int) -> MixedWorkspace:
    """Allocate working memory for conditioning sets of up to `max_conditioning` variables."""
    widths = np.sort(np.diff(data.starts))[::-1]
    width = int(widths[: max_conditioning + 2].sum())
    most = int(data.categories.max(initial=0))
    has_pairs = data.codes.shape[0] > 1
    coefficients = min(max(most - 1, 0) * (width + 1), MOST_COEFFICIENTS) if has_pairs else 0
    rows = data.values.shape[1] if has_pairs else 0
    return MixedWorkspace(
        members=np.empty(max_conditioning, np.int64),
        used=np.empty(width, np.int64),
        factor=np.empty((width, width)),
        row=np.empty(width + 1),
        group_of_cell=np.empty(rows, np.int64),
        group_rows=np.empty(rows, np.int64),
        group_weights=np.empty(rows),
        coefficients=np.empty(coefficients),
        gradient=np.empty(coefficients),
        step=np.empty(coefficients),
        hessian=np.empty((coefficients, coefficients)),
        scores=np.empty(most),
        probabilities=np.empty(most),
        counts=np.empty((most, most)),
        totals=np.empty(most),
        stop=np.zeros(1, np.uint8),
    )


_NO_GROUP = -1


@kernel_part
def group_rows(data: MixedTable, workspace: MixedWorkspace, x: int, y: int, size: int) -> int:
    """Group the rows by two nominal variables and the members of the conditioning set.

    Where a member is continuous, or there are more combinations of categories than rows, every row is a
    group of its own.
    """
    rows = data.values.shape[1]
    cells = data.categories[x] * data.categories[y]
    for position in range(size):
        cells *= data.categories[workspace.members[position]]
        if cells > rows:
            break
    if cells == 0 or cells > rows:
        return _ungrouped(workspace, rows)
    return _grouped(data, workspace, x, y, size, cells)


@inlined_part
def _ungrouped(workspace: MixedWorkspace, rows: int) -> int:
    for row in range(rows):
        workspace.group_rows[row] = row
        workspace.group_weights[row] = 1.0
    return rows


@inlined_part
def _grouped(data: MixedTable, workspace: MixedWorkspace, x: int, y: int, size: int, cells: int) -> int:
    codes_x, codes_y = data.codes[data.code_rows[x]], data.codes[data.code_rows[y]]
    for cell in range(cells):
        workspace.group_of_cell[cell] = _NO_GROUP
    groups = 0
    for row in range(codes_x.shape[0]):
        cell = codes_x[row] * data.categories[y] + codes_y[row]
        for position in range(size):
            member = workspace.members[position]
            cell = cell * data.categories[member] + data.codes[data.code_rows[member], row]
        group = workspace.group_of_cell[cell]
        if group == _NO_GROUP:
            group = groups
            workspace.group_of_cell[cell] = group
            workspace.group_rows[group] = row
            workspace.group_weights[group] = 0.0
            groups += 1
        workspace.group_weights[group] += 1.0
    return groups
