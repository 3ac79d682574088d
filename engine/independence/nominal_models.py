"""Tests of two nominal variables: by a contingency table alone, by logistic models given a set."""

from __future__ import annotations

import math
from typing import Any

from engine.compiled.decorators import inlined_part, kernel_part
from engine.independence.linear_models import add_variable
from engine.independence.logistic_fit import maximise, start_from_margins, widen
from engine.independence.mixed_table import MixedTable, MixedWorkspace

# Rounding error of a statistic, a row.
_ROUNDING = 1e-13


@kernel_part
def contingency_test(data: MixedTable, workspace: MixedWorkspace, x: int, y: int) -> Any:
    """Test two nominal variables without a set: by G², which both logistic models come to.

    Or by Pearson's X² where that is smaller. In sparse tables one of the two is larger than chi-squared: G²
    where cells expect a few rows, X² where they expect less than one.
    """
    codes_x, codes_y = data.codes[data.code_rows[x]], data.codes[data.code_rows[y]]
    levels_x, levels_y = data.categories[x], data.categories[y]
    rows, counts = codes_x.shape[0], workspace.counts
    for level_x in range(levels_x):
        for level_y in range(levels_y):
            counts[level_x, level_y] = 0.0
    for row in range(rows):
        counts[codes_x[row], codes_y[row]] += 1.0
    half, squares = _entropy_term(float(rows)), 0.0
    for level_x in range(levels_x):
        total = 0.0
        for level_y in range(levels_y):
            total += counts[level_x, level_y]
            half += _entropy_term(counts[level_x, level_y])
        half -= _entropy_term(total)
        workspace.totals[level_x] = total
    for level_y in range(levels_y):
        total, shares = 0.0, 0.0
        for level_x in range(levels_x):
            total += counts[level_x, level_y]
            shares += counts[level_x, level_y] * counts[level_x, level_y] / workspace.totals[level_x]
        half -= _entropy_term(total)
        squares += shares / total
    dof = (levels_x - 1) * (levels_y - 1)
    statistic = _without_rounding(min(2.0 * half, rows * (squares - 1.0)), rows)
    coefficients = levels_x * levels_y - (levels_x if levels_x > levels_y else levels_y)
    reliable = rows >= data.min_rows_per_coefficient * coefficients
    return statistic, float(dof), statistic / data.critical[dof], reliable


@inlined_part
def _entropy_term(count: float) -> float:
    return count * math.log(count) if count > 0.0 else 0.0


@inlined_part
def _without_rounding(statistic: float, rows: int) -> float:
    """Take a statistic for 0 that is no larger than the rounding errors of the sums it is made of."""
    return statistic if statistic > _ROUNDING * rows else 0.0


@kernel_part
def logistic_test(
    data: MixedTable, workspace: MixedWorkspace, response: int, predictor: int, members: int, groups: int
) -> Any:
    """Test by multinomial logistic models of a nominal response; the model holds the set already."""
    rows = data.values.shape[1]
    kept = add_variable(data, workspace, predictor, members)
    others = data.categories[response] - 1
    coefficients = others * (kept + 1)
    if rows < kept + 2 or coefficients > workspace.coefficients.shape[0]:
        return 0.0, 0.0, 0.0, False
    reliable = rows >= data.min_rows_per_coefficient * coefficients
    dof = others * (kept - members)
    if dof == 0:
        return 0.0, 0.0, 0.0, reliable
    start_from_margins(data, workspace, response)
    widen(workspace, others, 1, members + 1)
    smaller = maximise(data, workspace, response, members, groups)
    widen(workspace, others, members + 1, kept + 1)
    larger = maximise(data, workspace, response, kept, groups)
    statistic = _without_rounding(2.0 * (larger - smaller), rows)
    return statistic, float(dof), statistic / data.critical[dof], reliable
