"""What comes back from reading a file, what was guessed on the way, and names that are unique."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from engine.errors import InvalidData
from engine.table.code_blocks import CodedBlock
from engine.table.dataset import Dataset
from engine.table.variable import Variable, free_name
from engine.translation import N_, _
from engine.wording.notes import Note, notes_about
from engine.wording.phrases import ended
from engine.wording.setting_names import SettingName, naming_settings

NO_CASES = "no-cases"
"""Topic of the note about rows that are left out because they are no cases."""

REPEATS = "repeating-rows"
"""Topic of the note about rows that are left out because they belong to a repeating instrument."""

FOOTER, DOUBTFUL_FOOTER = "footer", "doubtful-footer"
"""Topics of the notes about remarks that are left out: none can be a case, or the last row may be cut off."""

TITLES = "titles"
"""Topic of the note that says what stands above a table."""

UNITS = "units"
"""Topic of the note about a row of units: its examples are names without units, its columns those with."""

TURNABLE, BESIDE, BELOW, RESHAPED = "features-in-rows", "visits-beside", "visits-below", "reshaped"
"""Topics of the notes that offer another shape of a table, or say which was given."""

LEAVE_SHAPE = N_("Read it as it is written.")
"""What to do where a table cannot get another shape."""

SAME_CASES = "same-cases"
"""Topic of the note that offers to join a sheet of the workbook."""

CODE_BOOK = "code-book"
"""Topic of the note that offers to name codes as a sheet does."""


@dataclass(frozen=True, slots=True)
class Guess:
    """One thing that the file does not say and that was inferred from its content."""

    name: str  # the field of ReadingOptions that overrides the guess, or "labels"
    value: str  # as that option would be written; several values are joined by commas
    reason: str  # as a sentence that a person reads
    certain: bool = True  # the content leaves no reasonable doubt; otherwise the guess deserves a look
    # what could be meant instead, where the file lists it, as a workbook its sheets
    choices: tuple[str, ...] = ()
    example: str = ""  # a cell that may be read otherwise; empty where no cell shows it
    # other values that fit, likely ones first, each with how some words read by it
    alternatives: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """One row of a text table."""

    line: int
    cells: tuple[str, ...]

    @property
    def is_blank(self) -> bool:
        """Whether nothing but blanks stands on the line."""
        return len(self.cells) == 0 or (len(self.cells) == 1 and not self.cells[0].strip())

    @property
    def filled(self) -> int:
        """Number of cells that hold anything."""
        return sum(bool(cell.strip()) for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Beginning:
    """The first rows of a text file or a sheet as they are written, and what became of them."""

    rows: tuple[Record, ...]  # from the first line on, with titles and headers
    first_line: int = 0  # on which the table begins, with its header; 0 where that was not found
    # by position in a row: the variable that was made of it; None where none was
    columns: tuple[str | None, ...] = ()
    data_rows: tuple[int, ...] = ()  # for the first rows of the table, in order: which of `rows` each is
    first_column: int = 0  # of the sheet, at which the rows begin, counted from 0
    first_data_line: int = 0  # first row below the header, read or left out; 0 where that was not found

    @property
    def rows_below_header(self) -> int:
        """How many of the rows are read or left out, and are no title and no header."""
        if not self.first_data_line:
            return len(self.data_rows)
        return sum(record.line >= self.first_data_line for record in self.rows)


@dataclass(frozen=True, slots=True)
class Table:
    """What a format's reader hands over: typed columns before any label is chosen."""

    variables: tuple[Variable, ...]  # all of them features
    columns: tuple[np.ndarray, ...]
    declared_labels: tuple[str, ...] = ()  # that the file itself names, e.g. in a MEKA header
    guesses: tuple[Guess, ...] = ()
    issues: tuple[Note, ...] = ()
    complete: bool = True  # False when only the first rows were read
    coded: CodedBlock | None = None  # of which the columns are rows
    beginning: Beginning | None = None  # of a preview: its rows as they are written


@dataclass(frozen=True, slots=True)
class Reading:
    """A file that was read, with everything that a person should confirm or know."""

    dataset: Dataset  # its notes are `issues`
    path: Path
    format: str  # a key of engine.readers.formats
    guesses: tuple[Guess, ...] = ()  # each can be overridden through the options
    issues: tuple[Note, ...] = ()  # what was dropped, renamed or looks odd
    complete: bool = True  # False for a preview that holds only the first rows
    beginning: Beginning | None = None  # of a preview of a text file or a sheet: its rows as they are written
    labels_path: Path | None = None  # second table whose columns are its labels

    def guess(self, name: str) -> Guess | None:
        """Return the guess about one option, None where nothing had to be guessed."""
        return next((guess for guess in self.guesses if guess.name == name), None)


def with_guesses(reading: Reading, dataset: Dataset | None = None) -> Dataset:
    """Return a table with notes on doubtful guesses, and on its labels if these were guessed."""
    table = reading.dataset if dataset is None else dataset
    labels = ", ".join(table.labels)
    return table.with_notes(
        Note("guess", _decided(guess))
        for guess in reading.guesses
        if (guess.value == labels if guess.name == "labels" else not guess.certain)
    )


def _decided(guess: Guess) -> str:
    """Say what was decided, and why; a reason for labels names them itself."""
    decision = _DECISIONS.get(guess.name)
    return guess.reason if decision is None else f"{ended(_(decision, value=guess.value))} {guess.reason}"


_DECISIONS = {
    "encoding": N_("The encoding was guessed as {value}."),
    "delimiter": N_("The separator was guessed as {value}."),
    "decimal": N_("The decimal mark was guessed as {value}."),
    "quote": N_("The quotation mark was guessed as {value}."),
    "header": N_("Whether the table has a header was guessed as {value}."),
    "sheet": N_("The table was guessed to be '{value}'."),
    "missing_codes": N_("These were guessed to mean missing: {value}."),
}


def of_names_alone(problem: str, remedy: str, place: str) -> InvalidData:
    """Make the error for a file, or a sheet, that holds names of columns and no rows."""
    told = naming_settings(remedy, setting=SettingName("header", "no"))
    return InvalidData(problem, place=place, remedy=told)


UNNAMED_COLUMN = "unnamed-column"
"""Topic of the notes about columns without a name."""

_UNNAMED = N_("{count} columns have no name; they are called {names} here.")
_REPEATED = N_("{count} columns have the name of an earlier one; they are called {names} here.")


def usable_names(names: Sequence[str]) -> tuple[tuple[str, ...], tuple[Note, ...]]:
    """Give every column a name of its own, with notes on those that were named or renamed.

    >>> usable_names(["dose", "", "dose"])[0]
    ('dose', 'V2', 'dose (2)')
    """
    taken = {name for name in names if name}
    seen: set[str] = set()
    result: list[str] = []
    unnamed: dict[str, str] = {}
    repeated: dict[str, str] = {}
    for position, original in enumerate(names, start=1):
        name = original
        if not name:
            name = free_name(f"V{position}", taken)
            unnamed[name] = _(
                "Column {position} has no name; it is called '{name}' here.", position=position, name=name
            )
        elif name in seen:
            name = free_name(name, taken)
            repeated[name] = _(
                "Two columns are named '{original}'; column {position} is called '{name}' here.",
                original=original,
                position=position,
                name=name,
            )
        seen.add(name)
        taken.add(name)
        result.append(name)
    # A first column without a name often holds the names of rows, and is told by itself.
    first = {name: unnamed.pop(name) for name in result[:1] if name in unnamed}
    return tuple(result), (
        *notes_about(UNNAMED_COLUMN, first, _UNNAMED),
        *notes_about(UNNAMED_COLUMN, unnamed, _UNNAMED),
        *notes_about("duplicate-name", repeated, _REPEATED),
    )


def numbered_names(count: int) -> tuple[str, ...]:
    """Name the columns of a table without a header: V1, V2, …"""
    return tuple(f"V{position}" for position in range(1, count + 1))
