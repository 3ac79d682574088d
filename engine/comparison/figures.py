"""Figures drawn together: a mean and how far they lie apart, and tables of plain cells for CSV files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev

from engine.reporting.csv_file import write_rows


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


Value = str | int | float | None


@dataclass(frozen=True, slots=True)
class PlainTable:
    """A table ready to be written; a cell without a value is None."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]

    def write(self, path: Path) -> None:
        """Write it as comma-separated values, numbers in full precision."""
        write_rows(path, self.columns, (map(_text, row) for row in self.rows))


def _text(value: Value) -> str:
    if value is None:
        return ""
    return repr(float(value)) if isinstance(value, float) else str(value)
