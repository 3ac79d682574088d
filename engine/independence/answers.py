"""What comes of many conditional-independence tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np


@dataclass(frozen=True)
class Answers:
    """Outcomes of a list of tests, each an array of shape (tests,).

    Attributes
    ----------
    statistic, dof : ndarray of float64
        Statistic and degrees of freedom.
    dependent : ndarray of bool
        Significant at the plain level.
    reliable : ndarray of bool
        Counts under the reliability rule.
    find_log_p : callable
        Gives the natural logarithms of the p-values.
    """

    statistic: np.ndarray
    dof: np.ndarray
    dependent: np.ndarray
    reliable: np.ndarray
    find_log_p: Callable[[], np.ndarray]

    @cached_property
    def log_p(self) -> np.ndarray:
        """Natural logarithms of the p-values: found when asked for, as most tests are only compared."""
        return self.find_log_p()

    @property
    def independent(self) -> np.ndarray:
        """Evidence of independence: not significant, and reliable."""
        independent: np.ndarray = ~self.dependent & self.reliable
        return independent
