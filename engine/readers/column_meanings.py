"""What the values of a column mean beyond their type: ticks, several answers in a cell, an order."""

from __future__ import annotations

import numpy as np

from engine.readers.limits import with_limits
from engine.readers.nominal_codes import note_on_nominal_codes
from engine.readers.ordered_words import ORDER, note_on_order, with_proposed_order
from engine.readers.registry import ReadingOptions
from engine.readers.several_answers import (
    ABOUT_NUMBERS,
    SEVERAL_ANSWERS,
    note_on_answers,
    with_answers_as_columns,
)
from engine.readers.ticks import note_on_ticks, with_empty_as_no
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Variable
from engine.wording.notes import Note

MEANINGS = ("empty_means_no", "several_answers", "ordered", "limits")
"""Fields of :class:`~engine.readers.registry.ReadingOptions` that say it."""


def with_meanings(dataset: Dataset, options: ReadingOptions, decimal: str = ".") -> Dataset:
    """Read columns as a person says, and note of others what they seem to be."""
    if dataset.coded is not None:
        return dataset
    dataset = with_limits(dataset, options.limits or (), decimal)
    dataset = with_empty_as_no(dataset, options.empty_means_no or ())
    dataset = with_answers_as_columns(dataset, options.several_answers or ())
    dataset = with_proposed_order(dataset, options.ordered or ())
    settled = {note.variable for note in dataset.notes if note.topic == "suspected-missing"}
    settled |= {*(options.numbers or ()), *(options.categories or ())}
    notes = [
        note
        for variable, column in zip(dataset.variables, dataset.columns, strict=True)
        if variable.name not in settled and (note := _note(dataset, variable, column)) is not None
    ]
    no_numbers = [note.variable for note in notes if note.topic in (SEVERAL_ANSWERS, ORDER)]
    for topic in ABOUT_NUMBERS if no_numbers else ():
        dataset = dataset.without_notes(topic, *no_numbers)
    return dataset.with_notes(notes)


def _note(dataset: Dataset, variable: Variable, column: np.ndarray) -> Note | None:
    if variable.kind is Kind.CONTINUOUS:
        return note_on_nominal_codes(variable, column)
    if variable.level_count == 2:
        return None
    return (
        note_on_ticks(variable, column)
        or note_on_order(variable)
        or note_on_answers(dataset, variable, column)
    )
