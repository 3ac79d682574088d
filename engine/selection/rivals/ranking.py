"""What every feature selector gives: a score a feature, and how it got there."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np


def _nothing() -> np.ndarray:
    return np.empty(0, dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class FeatureRanking:
    """Features ranked by one method; its arrays are read-only.

    Attributes
    ----------
    scores : ndarray of float64, shape (features,)
        Larger is better; finite. Scores of different methods are not comparable.
    objective : ndarray of float64, shape (iterations + 1,)
        Value of the objective at the start and after each iteration, never rising; empty for a method that
        minimises nothing.
    converged : bool
        The last iteration changed the objective by no more than the tolerance; False where the bound on
        iterations ended it.
    subset : tuple of int, optional
        Columns that the method selects by itself, best first; None where it leaves their number open.

    Examples
    --------
    >>> FeatureRanking(np.array([0.5, 2.0, 0.5])).order.tolist()
    [1, 0, 2]
    """

    scores: np.ndarray
    objective: np.ndarray = field(default_factory=_nothing)
    converged: bool = True
    subset: tuple[int, ...] | None = None

    @property
    def order(self) -> np.ndarray:
        """Columns from the best to the worst, int64; ties in column order."""
        return np.argsort(-self.scores, kind="stable")
