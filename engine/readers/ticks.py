"""Columns of ticks, in which an empty cell means no: found, and read so where a person says it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engine.errors import InvalidData
from engine.table.dataset import Dataset
from engine.table.events import guessed_event
from engine.table.variable import MISSING_CODE, EventFrom, Kind, Variable, missing_mask
from engine.wording.notes import Note, listed
from engine.wording.numbers import counted

TICKS = "ticks"
"""Topic of the notes about columns that hold one value or nothing."""
EMPTY_IS_NO = "empty-is-no"
"""Topic of the note that names columns whose empty cells were read as no."""

_NO, _ZERO = "no", "0"


def with_empty_as_no(dataset: Dataset, names: Sequence[str]) -> Dataset:
    """Read empty cells of some columns as "no", or as 0 beside the number 1."""
    changed = {}
    for name in names:
        variable, column = dataset.variable(name), dataset.column(name)
        if missing_mask(variable, column).all():
            # Of the first rows, none may have a tick.
            made = replace(variable, kind=Kind.NOMINAL, levels=(_NO,), event=None, event_from=None)
            changed[name] = (made, np.zeros(len(column), dtype=np.int8))
            continue
        if variable.kind is Kind.CONTINUOUS:
            raise InvalidData(
                "an empty cell cannot mean no beside so many numbers.",
                place=f"column '{name}'",
                remedy="Leave it out of the columns in which an empty cell means no.",
            )
        changed[name] = _with_no(variable, column)
        dataset = dataset.without_notes(TICKS, name)
    if not changed:
        return dataset
    told = Note(EMPTY_IS_NO, f"Empty cells of {listed(list(changed))} are read as no, as stated.")
    return dataset.with_columns(changed).with_notes((told,))


def _with_no(variable: Variable, column: np.ndarray) -> tuple[Variable, np.ndarray]:
    no = _ZERO if variable.levels == ("1",) else _NO
    if no in variable.levels:
        code = variable.levels.index(no)
        return variable, np.where(column == MISSING_CODE, code, column)
    levels = (no, *variable.levels)
    event, event_from = variable.event, variable.event_from
    if len(levels) == 2 and guessed_event(*levels) is None:
        # A tick is what happened, whatever it looks like.
        event, event_from = levels[1], EventFrom.GIVEN
    return replace(variable, levels=levels, event=event, event_from=event_from), column + 1


def note_on_ticks(variable: Variable, column: np.ndarray) -> Note | None:
    """Say that a column holds one value or nothing; None where it does not."""
    if variable.kind is Kind.CONTINUOUS or variable.level_count != 1:
        return None
    filled = int(np.count_nonzero(column != MISSING_CODE))
    if not 0 < filled < len(column):
        return None
    message = (
        f"Column '{variable.name}' holds only '{variable.levels[0]}', in {filled:,} of "
        f"{counted(len(column), 'row')}. If an empty cell means no, say so."
    )
    return Note(TICKS, message, variable.name, variable.levels)
