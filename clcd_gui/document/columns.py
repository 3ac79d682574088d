"""A short description of every column: levels, what is missing, how the values are spread, in a few words."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QLocale

from clcd_gui.document.label_offer import named_few
from clcd_gui.wording.text import count_text, share_text
from engine.table.column_kinds import Shape, shape_of
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable, missing_mask

BARS = 16
_FEWEST_GROUPED = 10_000


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
    positions = np.minimum((share * BARS).astype(np.int64), BARS - 1)
    counts = np.bincount(positions, minlength=BARS)
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
    for number, (variable, column) in enumerate(zip(dataset.variables, dataset.columns, strict=True)):
        if report is not None:
            report(number, len(dataset.variables))
        described.append(summarise(variable, column))
    return tuple(described)


def _heights(counts: np.ndarray) -> tuple[float, ...]:
    tallest = counts.max(initial=0)
    return tuple((counts / tallest).tolist()) if tallest else ()


_ROLES = {
    Role.LABEL: "Label",
    Role.FEATURE: "Feature",
    Role.IGNORED: "Ignored",
    Role.WEIGHT: "Weight",
    Role.GROUPS: "Groups",
}
_KINDS = {Kind.NOMINAL: "Categories", Kind.CONTINUOUS: "Numbers"}
_MOST_LEVELS_IN_TOOLTIP = 20


def role_text(role: Role) -> str:
    """Name a role."""
    return _ROLES[role]


def kind_text(kind: Kind) -> str:
    """Name a kind."""
    return _KINDS[kind]


def missing_text(summary: ColumnSummary) -> str:
    """Say the share of missing values; nothing when none is missing, so that the others stand out."""
    return share_text(summary.missing_share) if summary.missing else "–"


def values_text(variable: Variable, summary: ColumnSummary) -> str:
    """Say which values a column takes."""
    if variable.kind is Kind.NOMINAL:
        if not variable.levels:
            return "none"
        levels = ", ".join(variable.levels[:12])
        return f"{count_text(variable.level_count)}: {levels}"
    if math.isnan(summary.smallest):
        return "none"
    return f"{number_text(summary.smallest)} to {number_text(summary.largest)}"


def values_tooltip(variable: Variable, summary: ColumnSummary) -> str:
    """Say the values at more length."""
    if variable.kind is Kind.CONTINUOUS:
        figures = [values_text(variable, summary), f"{count_text(summary.distinct)} different values"]
        return "; ".join([*figures, *summary.shape.words])
    return named_few(variable.levels, _MOST_LEVELS_IN_TOOLTIP)


def number_text(value: float) -> str:
    """Write a value of the table with at most six digits that mean something.

    Examples
    --------
    >>> number_text(0.1), number_text(12.0), number_text(0.123456789), number_text(1958.0)
    ('0.1', '12', '0.123457', '1958')
    """
    if value.is_integer() and abs(value) < 1e15:
        locale = QLocale()
        if abs(value) < _FEWEST_GROUPED:
            # Most whole numbers of four figures are years.
            locale.setNumberOptions(locale.numberOptions() | QLocale.NumberOption.OmitGroupSeparator)
        return locale.toString(int(value))
    if 1e5 <= abs(value) < 1e15:
        return QLocale().toString(round(value))
    return QLocale().toString(float(f"{value:.6g}"), "g", 6)
