"""Whole numbers that may be codes of kinds, such as countries 1 to 12: asked about, never decided."""

from __future__ import annotations

import numpy as np

from engine.table.column_kinds import BY_COUNTS, BY_GAP, BY_NAME, reason_for_kinds
from engine.table.variable import Kind, Variable
from engine.wording.notes import Note

NOMINAL_CODES = "nominal-codes"
"""Topic of the notes about numbers that may be codes of kinds."""


def note_on_nominal_codes(variable: Variable, values: np.ndarray) -> Note | None:
    """Say that numbers may be codes of kinds; None where nothing speaks for it."""
    if variable.kind is not Kind.CONTINUOUS:
        return None
    reason = reason_for_kinds(variable.name, values)
    if reason is None:
        return None
    why, distinct = reason
    message = _MAY_BE_CODES.format(
        name=variable.name,
        count=len(distinct),
        low=f"{distinct[0]:.0f}",
        high=f"{distinct[-1]:.0f}",
        why=_REASONS[why],
    )
    return Note(NOMINAL_CODES, message, variable.name)


_REASONS = {
    BY_NAME: "as its name suggests",
    BY_GAP: "as some numbers between frequent ones never occur",
    BY_COUNTS: "as their counts follow no order",
}
_MAY_BE_CODES = (
    "'{name}' holds {count} whole numbers from {low} to {high} and stays a number. "
    "They may be codes of kinds, {why}. If so, read it as categories."
)
