"""The mean of some figures and how far they lie apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean of some figures, and how far they lie apart.

    Attributes
    ----------
    mean, lowest, highest : float
    deviation : float or None
        Standard deviation with n − 1; None for a single figure.

    Examples
    --------
    >>> Spread.of([1.0, 3.0])
    Spread(mean=2.0, deviation=1.4142135623730951, lowest=1.0, highest=3.0)
    """

    mean: float
    deviation: float | None
    lowest: float
    highest: float

    @staticmethod
    def of(figures: Sequence[float]) -> Spread:
        """Measure at least one figure."""
        deviation = stdev(figures) if len(figures) > 1 else None
        return Spread(fmean(figures), deviation, min(figures), max(figures))
