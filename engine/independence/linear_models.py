"""Which columns of a model add something, and what a linear model leaves over: from correlations alone.

A Cholesky factor of the correlations grows by one row a column. The square of a row's last entry is the
share of variance that the columns before leave over (Golub and Van Loan 2013, Matrix Computations, 4th ed.,
section 4.2).
"""

from __future__ import annotations

import math
from typing import Any

from engine.compiled.decorators import kernel_part
from engine.independence.mixed_table import MixedTable, MixedWorkspace

# A share of variance below this is rounding error: the column is determined by those before it.
_NO_VARIANCE = 1e-10
# A response that is explained but for this share of its variance is explained as well as can be told.
_LEAST_VARIANCE = 1e-13


@kernel_part
def solve_row(data: MixedTable, workspace: MixedWorkspace, column: int, kept: int) -> float:
    """Write the entries of the factor for one more column into ``workspace.row``.

    Returns
    -------
    float
        Share of its variance that the first `kept` columns of the model leave over.
    """
    factor, row = workspace.factor, workspace.row
    left = 1.0
    for place in range(kept):
        value = data.correlation[column, workspace.kept[place]]
        for earlier in range(place):
            value -= row[earlier] * factor[place, earlier]
        row[place] = value / factor[place, place]
        left -= row[place] * row[place]
    return left


@kernel_part
def add_variable(data: MixedTable, workspace: MixedWorkspace, variable: int, kept: int) -> int:
    """Add those columns of a variable that the model does not determine; give the new number of columns."""
    for column in range(data.starts[variable], data.starts[variable + 1]):
        left = solve_row(data, workspace, column, kept)
        if left < _NO_VARIANCE:
            continue
        for place in range(kept):
            workspace.factor[kept, place] = workspace.row[place]
        workspace.factor[kept, kept] = math.sqrt(left)
        workspace.kept[kept] = column
        kept += 1
    return kept


@kernel_part
def add_members(data: MixedTable, workspace: MixedWorkspace, size: int) -> int:
    """Begin a model with the conditioning set; give its number of columns."""
    kept = 0
    for place in range(size):
        kept = add_variable(data, workspace, workspace.members[place], kept)
    return kept


@kernel_part
def linear_test(data: MixedTable, workspace: MixedWorkspace, response: int, predictor: int, size: int) -> Any:
    """Test by linear models of a continuous response."""
    rows = data.values.shape[1]
    members = add_members(data, workspace, size)
    kept = add_variable(data, workspace, predictor, members)
    residual_dof = rows - 1 - kept
    if residual_dof < 1:
        return 0.0, 0.0, 0.0, False
    larger = solve_row(data, workspace, data.starts[response], kept)
    smaller = larger
    for place in range(members, kept):
        smaller += workspace.row[place] * workspace.row[place]
    reliable = rows >= data.min_rows_per_coefficient * (kept + 1)
    if kept == members or smaller < _NO_VARIANCE:
        return 0.0, 0.0, 0.0, reliable
    dof = float(kept - members)
    if larger < _LEAST_VARIANCE:
        larger = _LEAST_VARIANCE
    factor = residual_dof - 1.0 + 0.5 * dof
    statistic = factor * math.log(smaller / larger)
    return statistic, dof, statistic / data.critical[kept - members], reliable
