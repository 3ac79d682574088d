"""A kernel that counts a table's rows in both ways, compiled beforehand together with what it calls."""

from __future__ import annotations

import numpy as np

from engine.independence.discrete.counting import conjunction_cost, from_conjunctions, from_rows
from engine.independence.discrete.table import DiscreteTable, DiscreteWorkspace
from engine.independence.interface import Hypothesis
from tests.kept_kernels import kept_kernel


@kept_kernel
def both_ways(
    table: DiscreteTable, workspace: DiscreteWorkspace, x: int, y: int, given_set: np.ndarray, size: int
) -> tuple[float, tuple[float, float], tuple[float, float]]:
    """Return the cost of conjunctions, and what both ways count: rows twice where that cost is infinite."""
    hypothesis = Hypothesis(x, y, given_set, size)
    cost = conjunction_cost(table, hypothesis)
    by_rows = from_rows(table, workspace, hypothesis)
    if not np.isfinite(cost):
        return cost, by_rows, by_rows
    return cost, by_rows, from_conjunctions(table, workspace, hypothesis)
