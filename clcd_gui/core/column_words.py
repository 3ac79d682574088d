"""What is said about a column, in a few words."""

from __future__ import annotations

import math

from PySide6.QtCore import QLocale

from clcd_gui.core.number_format import count_text, share_text
from clcd_gui.core.summaries import ColumnSummary
from engine.table.variable import Kind, Role, Variable

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
        return f"{count_text(variable.level_count)}: {', '.join(variable.levels[:12])}"
    if math.isnan(summary.smallest):
        return "none"
    return f"{number_text(summary.smallest)} to {number_text(summary.largest)}"


def values_tooltip(variable: Variable, summary: ColumnSummary) -> str:
    """Say the values at more length."""
    if variable.kind is Kind.CONTINUOUS:
        figures = [values_text(variable, summary), f"{count_text(summary.distinct)} different values"]
        return "; ".join([*figures, *summary.shape.words])
    shown = variable.levels[:_MOST_LEVELS_IN_TOOLTIP]
    more = variable.level_count - len(shown)
    return ", ".join(shown) + (f" and {count_text(more)} more" if more else "")


def number_text(value: float) -> str:
    """Write a value of the table with at most six digits that mean something.

    Examples
    --------
    >>> number_text(0.1), number_text(12.0), number_text(0.123456789)
    ('0.1', '12', '0.123457')
    """
    if value.is_integer() and abs(value) < 1e15:
        return QLocale().toString(int(value))
    if 1e5 <= abs(value) < 1e15:
        return QLocale().toString(round(value))
    return QLocale().toString(float(f"{value:.6g}"), "g", 6)
