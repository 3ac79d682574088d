"""Tests of one variable against all others, nothing held fixed: the part of a screen that no level enters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.errors import Cancelled
from engine.execution.memory import Kept
from engine.independence.data import TestData

# What a single run keeps: it asks for few tests twice.
_FEW_BYTES = 4e6


@dataclass(frozen=True)
class Marginal:
    """Marginal tests of one variable against all others.

    Attributes
    ----------
    statistic, log_p : ndarray of float64, shape (variables,)
        By position; the variable itself has 0.
    unreliable : int
        Tests with too few rows for the reliability rules.
    """

    statistic: np.ndarray
    log_p: np.ndarray
    unreliable: int


class Marginals:
    """Marginal tests of any variable of one table; what was made is kept, within a bound.

    Several runs at different levels may share one, as the tests are the same at every level.

    Parameters
    ----------
    most_bytes : float
        How much is kept.
    """

    def __init__(self, most_bytes: float = _FEW_BYTES) -> None:
        self._kept: Kept[int, Marginal] = Kept(most_bytes, lambda each: each.statistic.nbytes * 2.0)

    def of(self, data: TestData, target: int, stop: np.ndarray) -> Marginal:
        """Give the tests of one variable.

        Parameters
        ----------
        data : TestData
            The table at any level.
        target : int
            Position of the variable.
        stop : ndarray of uint8, shape (1,)
            Not 0 asks to stop.

        Raises
        ------
        Cancelled
            When the run was stopped.
        """
        kept = self._kept.get(target)
        if kept is not None:
            return kept
        made = _marginal(data, target, stop)
        self._kept.put(target, made)
        return made


def _marginal(data: TestData, target: int, stop: np.ndarray) -> Marginal:
    count = len(data.names)
    others = np.arange(count) != target
    statistic, log_p = np.zeros(count), np.zeros(count)
    answers = data.ask_marginal(target, np.flatnonzero(others), stop)
    if stop[0]:
        raise Cancelled("the run was stopped.")
    statistic[others], log_p[others] = answers.statistic, answers.log_p
    return Marginal(statistic, log_p, int((~answers.reliable).sum()))
