"""A short description of every column: how many levels, what is missing, how the values are spread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from engine.table.column_kinds import Shape, shape_of
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Variable, missing_mask

BARS = 16


@dataclass(frozen=True, slots=True)
class ColumnSummary:
    """What the column list shows about one variable.

    Attributes
    ----------
    rows : int
        Rows of the table.
    missing : int
        Rows without a value.
    distinct : int
        Different values that occur.
    smallest, largest : float
        Range of a continuous variable; NaN when nominal or empty.
    bars : tuple of float
        Heights between 0 and 1: one a level (the first sixteen) or one a sixteenth of the range.
    shape : Shape
        Skewness and zeros of a continuous variable.
    """

    rows: int
    missing: int
    distinct: int
    smallest: float
    largest: float
    bars: tuple[float, ...]
    shape: Shape = field(default_factory=Shape)

    @property
    def missing_share(self) -> float:
        """Share of rows without a value, between 0 and 1."""
        return self.missing / self.rows if self.rows else 0.0


def summarise(variable: Variable, column: np.ndarray) -> ColumnSummary:
    """Describe one column.

    Parameters
    ----------
    variable : Variable
    column : ndarray, shape (rows,)
        Codes or floats, as in :class:`engine.Dataset`.
    """
    missing = int(missing_mask(variable, column).sum())
    if variable.kind is Kind.NOMINAL:
        counts = np.bincount(column[column >= 0], minlength=max(variable.level_count, 1))
        distinct = int(np.count_nonzero(counts))
        return ColumnSummary(len(column), missing, distinct, np.nan, np.nan, _heights(counts[:BARS]))
    values = column[~np.isnan(column)] if missing else column
    if not len(values):
        return ColumnSummary(len(column), missing, 0, np.nan, np.nan, ())
    smallest, largest = float(values.min()), float(values.max())
    distinct = len(np.unique(values))
    if smallest == largest:
        return ColumnSummary(len(column), missing, distinct, smallest, largest, (1.0,))
    # Halved first: the range of the largest floats would overflow.
    share = (values / 2 - smallest / 2) / (largest / 2 - smallest / 2)
    places = np.minimum((share * BARS).astype(np.int64), BARS - 1)
    counts = np.bincount(places, minlength=BARS)
    heights = _heights(counts)
    return ColumnSummary(len(column), missing, distinct, smallest, largest, heights, shape_of(values))


def summarise_all(
    dataset: Dataset, report: Callable[[int, int], None] | None = None
) -> tuple[ColumnSummary, ...]:
    """Describe every column, in column order.

    Parameters
    ----------
    dataset : Dataset
    report : callable, optional
        Told the columns done and the columns in all.
    """
    described = []
    for place, (variable, column) in enumerate(zip(dataset.variables, dataset.columns, strict=True)):
        if report is not None:
            report(place, len(dataset.variables))
        described.append(summarise(variable, column))
    return tuple(described)


def _heights(counts: np.ndarray) -> tuple[float, ...]:
    tallest = counts.max(initial=0)
    return tuple((counts / tallest).tolist()) if tallest else ()
