"""What puts right what a reading remarks on: an option of reading, and what it says of the columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from engine.parameters import parameter_of
from engine.readers.column_remarks import NAMED_ONCE, NOMINAL_CODES, TICKS
from engine.readers.limits import LIMITS, MARKS
from engine.readers.missing_codes import of_column
from engine.readers.options import DECIMAL_MARKS, ReadingOptions
from engine.readers.ordered_words import ORDER
from engine.readers.reading import BELOW, BESIDE, CODE_BOOK, NO_CASES, REPEATS, SAME_CASES, TURNABLE, Guess
from engine.readers.several_answers import EMPTY_ANSWERS, SEVERAL_ANSWERS
from engine.readers.sheet_cells import (
    BELOW_RANGE,
    FAR_CELLS,
    FILLED_CELLS,
    HIDDEN_ROWS,
    SEEN_COLUMNS,
    SEEN_ROWS,
)
from engine.table.column_kinds import LEVELS_AS_WRITTEN, VERSIONS
from engine.table.row_weights import SURVEY_WEIGHTS
from engine.table.survey_columns import UNFINISHED
from engine.translation import _
from engine.wording.notes import Note
from engine.wording.phrases import either

OPTION_OF: Mapping[str, str] = {
    "suspected-missing": "also_missing",
    "text-among-numbers": "also_missing",
    "na-as-value": "not_missing",
    TICKS: "empty_means_no",
    EMPTY_ANSWERS: "empty_means_no",
    NAMED_ONCE: "filled_down",
    SEVERAL_ANSWERS: "several_answers",
    LIMITS: "limits",
    NOMINAL_CODES: "categories",
    ORDER: "ordered",
    LEVELS_AS_WRITTEN: "numbers",
    MARKS: "numbers",
}
"""The option that settles a remark about a column, by its topic."""

NAMING_COLUMNS = frozenset(
    {"empty_means_no", "filled_down", "several_answers", "ordered", "limits", "categories", "numbers"}
)
"""Options that name columns; the others say what is written in them."""

OF_TABLES: Mapping[str, tuple[tuple[str, str], ...]] = {
    TURNABLE: (("shape", "turned"),),
    BESIDE: (("shape", "long"),),
    BELOW: (("shape", "wide"),),
    REPEATS: (("shape", "wide"), ("shape", "long"), ("other_rows", "keep")),
    NO_CASES: (("other_rows", "keep"),),
    HIDDEN_ROWS: (("hidden_rows", "keep"),),
    FAR_CELLS: (("other_rows", "keep"),),
    FILLED_CELLS: (("other_rows", "keep"),),
    SEEN_ROWS: (("hidden_rows", "drop"),),
    SEEN_COLUMNS: (("hidden_columns", "drop"),),
    UNFINISHED: (("unfinished", "drop"),),
}
"""Options that settle a remark about the rows or the shape of a table, each with its value, by its topic."""


def settling(note: Note) -> tuple[str, ...]:
    """Return the values of the option that settles a remark about a column.

    >>> settling(Note("suspected-missing", "99 stands 4 times.", "trust", ("99",)))
    ('trust=99',)
    >>> settling(Note(TICKS, "It holds only 'x'.", "smoker", ("x",)))
    ('smoker',)
    """
    if OPTION_OF[note.topic] in NAMING_COLUMNS:
        # Of some marks it is said only what stands in the way.
        return (note.variable,) if note.examples or note.topic != MARKS else ()
    return tuple(of_column(note.variable, code) for code in note.examples)


def remedies(notes: Iterable[Note], guesses: Iterable[Guess] = ()) -> list[tuple[str, str]]:
    """Return options of reading, each with a value, that settle what is remarked on or in doubt.

    Weights of the rows are named beside them.

    >>> remedies([Note("suspected-missing", "97 and 98 stand 9 times.", "hours", ("97", "98"))])
    [('also_missing', 'hours=97'), ('also_missing', 'hours=98')]
    """
    options: list[tuple[str, str]] = []
    for guess in guesses:
        options += [(guess.name, value) for value, _ in guess.alternatives if not guess.certain]
        if guess.name == "decimal" and not guess.certain:
            options += [("decimal", mark) for mark in DECIMAL_MARKS if mark != guess.value]
    for note in notes:
        if note.topic in OPTION_OF:
            options += [(OPTION_OF[note.topic], value) for value in settling(note)]
        elif note.topic == CODE_BOOK:
            options += [("code_book", sheet) for sheet in note.examples]
        elif note.topic == SURVEY_WEIGHTS:
            options.append(("weights", note.variable))
        elif note.topic == BELOW_RANGE:
            options += [("cells", wider) for wider in note.examples]
        elif note.topic == SAME_CASES:
            options += [("second_sheet", sheet) for sheet in note.examples]
        elif note.topic == VERSIONS and note.examples:
            options.append(("categories", note.variable))
        else:
            options += OF_TABLES.get(note.topic, ())
    return list(dict.fromkeys(options))


def named_in_python(note: Note) -> Note:
    """Return a note that also says with which arguments of ``engine.read_dataset`` it is settled.

    >>> named_in_python(Note("suspected-missing", "97 and 98 stand 9 times.", "hours", ("97", "98"))).message
    "97 and 98 stand 9 times. In Python: also_missing=['hours=97', 'hours=98']."
    """
    several: dict[str, list[str]] = {}
    arguments: list[str] = []
    for name, value in remedies([note]):
        if name != "weights" and parameter_of(ReadingOptions, name).kind == "texts":
            several.setdefault(name, []).append(value)
        else:
            arguments.append(f"{name}={value!r}")
    arguments += [f"{name}={values}" for name, values in several.items()]
    if not arguments:
        return note
    message = _("{remark} In Python: {arguments}.", remark=note.message, arguments=either(arguments))
    return replace(note, message=message)
