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
    """

    values: np.ndarray  # (columns, rows) of all variables
    correlation: np.ndarray  # (columns, columns)
    starts: np.ndarray  # (variables + 1,): where the columns of each begin in `values`
    categories: np.ndarray  # (variables,): how many occur; 0 for a continuous variable
    codes: np.ndarray  # (nominal variables, rows): category; 0 is the most frequent one
    code_rows: np.ndarray  # (variables,): row of `codes` of each nominal variable
    min_rows_per_coefficient: float  # reliability rule; 0 switches it off


class MixedWorkspace(NamedTuple):
    """Working memory of one thread."""

    members: np.ndarray  # the conditioning set in column order
    used: np.ndarray  # (width,): columns of the model so far, none determined by those before it
    factor: np.ndarray  # (width, width): Cholesky's, of their correlations
    row: np.ndarray  # (width + 1,): of a factor, or the values of a row of the table
    group_of_cell: np.ndarray  # group of each combination of categories, or -1
    group_rows: np.ndarray  # a row of each group of rows that are alike
    group_weights: np.ndarray  # how many rows are in each group
    coefficients: np.ndarray  # of a logistic model
    gradient: np.ndarray
    step: np.ndarray
    hessian: np.ndarray  # negative second derivatives of its log likelihood
    scores: np.ndarray  # (categories,): linear predictors and probabilities of one row
    probabilities: np.ndarray
    counts: np.ndarray  # (categories, categories): contingency table of two nominal variables
    totals: np.ndarray  # rows of each level of the first variable
    stop: np.ndarray  # (1,): not 0 asks to stop, as a logistic model of many coefficients takes seconds


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
