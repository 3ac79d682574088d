"""Text tables that tests write, and what was read of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas

import engine
from engine.readers import Reading, ReadingOptions, read_table
from tests.engine.readers.misshapen_tables import Misshapen


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


def sheets_of_the_same_cases(_rng: np.random.Generator, folder: Path) -> Misshapen:
    """Write measurements and diagnoses of the same patients on two sheets, in other orders of the rows."""
    rows = np.arange(40)
    diagnoses = pandas.DataFrame({"PatNr": rows[::-1] + 1000, "Delir": rows[::-1] % 2})
    columns: dict[str, list[object]] = {
        "PatNr": (rows + 1000).tolist(),
        "Alter": (30 + rows % 7).tolist(),
        "Delir": (rows % 2).tolist(),
    }
    with pandas.ExcelWriter(folder / "klinik.xlsx") as writer:
        pandas.DataFrame(columns).drop(columns="Delir").to_excel(writer, sheet_name="Messungen", index=False)
        pandas.DataFrame({"wer": ["x", "y"], "wann": [1, 2]}).to_excel(
            writer, sheet_name="Notizen", index=False
        )
        diagnoses.to_excel(writer, sheet_name="Diagnosen", index=False)
    return Misshapen(
        folder / "klinik.xlsx", {"second_sheet": "Diagnosen"}, tuple(columns), columns, "two sheets"
    )
