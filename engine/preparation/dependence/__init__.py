"""Rows that are not independent of each other: found before a search, with what can be done about it."""

from __future__ import annotations

from engine.preparation.dependence.along_order import chosen_blocks
from engine.preparation.dependence.look import dependent_rows, with_notes_on_dependent_rows
from engine.preparation.dependence.values import (
    DEPENDENT_ROWS,
    DependenceKind,
    DependentRows,
    RowDependence,
    RowOffer,
)

__all__ = [
    "DEPENDENT_ROWS",
    "DependenceKind",
    "DependentRows",
    "RowDependence",
    "RowOffer",
    "chosen_blocks",
    "dependent_rows",
    "with_notes_on_dependent_rows",
]
