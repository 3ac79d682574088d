"""A whole conditional-independence test in one file: what a person writes who adds one to the program.

It correlates on which side of its median each number lies (the quadrant test of Blomqvist 1950, On a measure
of dependence between two random variables, Annals of Mathematical Statistics 21:593-600), and holds others
fixed by eliminating them from the matrix of these correlations.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from engine.compiled.decorators import kernel_part
from engine.independence.chi_squared import CriticalValues, critical_ratio
from engine.independence.ci_tests import CITestDescription
from engine.independence.columns import TestColumns, numbers_of
from engine.independence.data import TestData
from engine.independence.interface import Hypothesis, register_test
from engine.independence.options import TestOptions
from engine.table.variable import Kind

DESCRIPTION = CITestDescription(
    "quadrant",
    "Quadrant test",
    "For numbers of any distribution, by which side of the median they are on.",
    "Blomqvist (1950), Annals of Mathematical Statistics 21:593-600",
    (Kind.CONTINUOUS,),
    "χ²",
    f"{__name__}:arrange",
)


class QuadrantTable(NamedTuple):
    """Correlations of sides, and the number of rows that they rest on."""

    correlation: np.ndarray
    rows: int


def arrange(columns: TestColumns, options: TestOptions) -> TestData:
    """Arrange numbers, none missing, for the test."""
    values = numbers_of(columns)
    sides = np.where(values > np.median(values, axis=1, keepdims=True), 1.0, -1.0)
    table = QuadrantTable(np.corrcoef(sides), columns.rows)
    return TestData(table, columns.names, columns.rows, traits=columns.traits)


def _new_workspace(data: QuadrantTable, max_conditioning: int) -> np.ndarray:
    return np.empty((max_conditioning + 2, max_conditioning + 2))


@kernel_part
def _test(
    data: QuadrantTable,
    workspace: np.ndarray,
    critical: CriticalValues,
    hypothesis: Hypothesis,
) -> Any:
    x, y, given, size = hypothesis
    for row in range(size + 2):
        first = given[row] if row < size else (x if row == size else y)
        for column in range(size + 2):
            second = given[column] if column < size else (x if column == size else y)
            workspace[row, column] = data.correlation[first, second]
    for pivot in range(size):
        for row in range(pivot + 1, size + 2):
            factor = workspace[row, pivot] / workspace[pivot, pivot]
            for column in range(pivot, size + 2):
                workspace[row, column] -= factor * workspace[pivot, column]
    spread = math.sqrt(workspace[size, size] * workspace[size + 1, size + 1])
    correlation = workspace[size, size + 1] / spread
    statistic = -(data.rows - size - 2.5) * math.log(1.0 - correlation * correlation)
    return statistic, 1.0, critical_ratio(critical, statistic, 1.0), True


register_test(QuadrantTable, _new_workspace, _test)
