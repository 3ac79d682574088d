"""The figures of one column: how many values are missing, and what the others are."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from engine.table.column_kinds import Shape, shape_of
from engine.table.dataset import Dataset
from engine.table.variable import Kind

_MOST_LEVELS_SHOWN = 4


@dataclass(frozen=True, slots=True)
class ColumnFacts:
    """What is known of a column.

    Attributes
    ----------
    name, role, kind : str
        As in :class:`engine.Variable`.
    missing : int
        Rows without a value.
    missing_share : float
        The same as a share of all rows, 0 to 1.
    distinct : int
        Different values that occur.
    levels : dict of str to int
        Rows with each level of a nominal column, in level order; empty when continuous.
    minimum, median, maximum, mean : float, optional
        Of a continuous column with values; else None.
    skewness : float, optional
        Likewise: positive with a long tail to the right, 0 for an even spread.
    zero_share : float, optional
        Likewise: share of the values that are zero, 0 to 1.
    """

    name: str
    role: str
    kind: str
    missing: int
    missing_share: float
    distinct: int
    levels: dict[str, int]
    minimum: float | None = None
    median: float | None = None
    maximum: float | None = None
    mean: float | None = None
    skewness: float | None = None
    zero_share: float | None = None

    def values_in_words(self) -> str:
        """Say what values occur, in the space of a table cell."""
        if self.kind == Kind.CONTINUOUS:
            if self.minimum is None:
                return "no values"
            shape = Shape(self.skewness or 0.0, self.zero_share or 0.0)
            figures = f"{self.minimum:g} to {self.maximum:g}, median {self.median:g}"
            return ", ".join([figures, *shape.words])
        if len(self.levels) > _MOST_LEVELS_SHOWN:
            first = list(self.levels)[: _MOST_LEVELS_SHOWN - 1]
            return f"{len(self.levels):,} categories: {', '.join(first)}, …"
        return ", ".join(f"{level} ({count:,})" for level, count in self.levels.items()) or "no values"

    def as_dict(self) -> dict[str, Any]:
        """Give the figures as plain values."""
        return asdict(self)


def column_facts(dataset: Dataset, name: str) -> ColumnFacts:
    """Count and measure a column.

    Parameters
    ----------
    dataset : Dataset
    name : str
        One of its columns.

    Returns
    -------
    ColumnFacts
    """
    variable, column = dataset.variable(name), dataset.column(name)
    missing = dataset.missing_count(name)
    share = missing / dataset.row_count if dataset.row_count else 0.0
    start = (name, str(variable.role), str(variable.kind), missing, share)
    if variable.kind is Kind.NOMINAL:
        counts = np.bincount(column[column >= 0], minlength=variable.level_count).tolist()
        levels = dict(zip(variable.levels, counts, strict=True))
        return ColumnFacts(*start, distinct=sum(count > 0 for count in counts), levels=levels)
    known = column[~np.isnan(column)]
    if not known.size:
        return ColumnFacts(*start, distinct=0, levels={})
    shape = shape_of(known)
    return ColumnFacts(
        *start,
        distinct=int(np.unique(known).size),
        levels={},
        minimum=float(known.min()),
        median=float(np.median(known)),
        maximum=float(known.max()),
        mean=float(known.mean()),
        skewness=shape.skewness,
        zero_share=shape.zeros,
    )
