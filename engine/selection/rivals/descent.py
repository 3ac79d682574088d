"""Iterate until the objective hardly changes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.selection.rivals.options import Iterations
from engine.selection.rivals.problem import RankingProblem


def descend(
    start: float, step: Callable[[], float], problem: RankingProblem, limits: Iterations
) -> tuple[np.ndarray, bool]:
    """Repeat a step until it lowers the objective by no more than a share of its value.

    Parameters
    ----------
    start : float
        Objective before the first step.
    step : callable
        Makes one step and gives the objective after it.
    problem : RankingProblem
        Asked before each step whether to stop.
    limits : Iterations
        Tolerance, and the most steps.

    Returns
    -------
    objective : ndarray of float64, shape (steps + 1,)
    converged : bool
        The tolerance ended it, not the bound on steps.

    Raises
    ------
    Cancelled
        When the stop was set.
    """
    objective = [start]
    for _ in range(limits.max_iterations):
        problem.check_stop()
        objective.append(step())
        if abs(objective[-2] - objective[-1]) <= limits.tolerance * max(
            abs(objective[-2]), np.finfo(float).tiny
        ):
            return np.array(objective), True
    return np.array(objective), False
