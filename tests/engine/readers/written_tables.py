"""Text tables that tests write, and what was read of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import engine
from engine.readers import Reading, ReadingOptions, read_table


def read_text(folder: Path, text: str | bytes, **options: object) -> Reading:
    """Write a text into a file and read it."""
    path = folder / "table.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_table(path, options=ReadingOptions(**options))  # type: ignore[arg-type]


def values_of(reading: Reading, name: str) -> list[str | float | None]:
    """Return level names or numbers of a column, None for missing."""
    variable, column = reading.dataset.variable(name), reading.dataset.column(name)
    if variable.kind is engine.Kind.CONTINUOUS:
        return [None if np.isnan(value) else float(value) for value in column]
    return [None if code < 0 else variable.levels[code] for code in column]


def topics_of(reading: Reading) -> list[str]:
    """Return the topic of each note."""
    return [note.topic for note in reading.issues]


def messages_of(reading: Reading, topic: str) -> dict[str, str]:
    """Return what is noted on a topic, by column."""
    return {note.variable: note.message for note in reading.issues if note.topic == topic}
