"""From parsed cells to typed columns: which cells are missing, which columns are numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas

from engine.codes import MISSING_CODE
from engine.column_kinds import TypedColumn, notes_about_kinds, typed_numbers
from engine.frames import column_from_series
from engine.notes import Note
from engine.readers.bulk import Cells, is_empty
from engine.readers.cells import ALWAYS_MISSING
from engine.readers.names import usable_names
from engine.readers.reading import Guess
from engine.readers.records import Dialect
from engine.readers.sentinels import Sentinel, find_sentinels
from engine.readers.text_column import TextColumn, understand_text
from engine.readers.words import counted
from engine.variable import Variable

_COLUMNS_NAMED = 3


@dataclass(frozen=True, slots=True)
class TypedColumns:
    """Columns ready for a dataset, with what was found on the way."""

    variables: tuple[Variable, ...]
    columns: tuple[np.ndarray, ...]
    guesses: tuple[Guess, ...]
    issues: tuple[Note, ...]


def type_columns(
    cells: Sequence[Cells],
    names: Sequence[str],
    has_header: bool,
    dialect: Dialect,
    missing_codes: tuple[str, ...] | None,
    texts: frozenset[int],
    codes_seen: frozenset[str],
) -> TypedColumns:
    """Type the columns of a text table.

    Parameters
    ----------
    cells : sequence of ndarray or pandas.Series, each of shape (rows,)
        As :func:`~engine.readers.bulk.parse_cells` gives it.
    names : sequence of str
        Names of the columns, those of the file or numbered; columns beyond them are empty.
    has_header : bool
        The names are those of the file.
    dialect : Dialect
    missing_codes : tuple of str or None
        As in :class:`~engine.readers.options.ReadingOptions`.
    texts : frozenset of int
        Columns that hold digits but are no numbers.
    codes_seen : frozenset of str
        Codes that the parser met and read as missing.

    Returns
    -------
    TypedColumns
    """
    places, empty_notes = _used_columns(cells, names, has_header)
    unique, name_notes = usable_names([names[place] for place in places])
    parsed: dict[str, np.ndarray | TextColumn] = {}
    for name, place in zip(unique, places, strict=True):
        parsed[name] = _parse_column(name, cells[place], dialect, missing_codes, place in texts)
    sentinels, suspicions = _find_sentinels(parsed, missing_codes)
    for sentinel in sentinels:
        for name in sentinel.columns:
            values = _numbers(parsed[name])
            if values is not None:
                parsed[name] = np.where(values == sentinel.value, np.nan, values)
    typed = [_typed(name, values) for name, values in parsed.items()]
    found = codes_seen.union(*(each.codes_found for each in parsed.values() if isinstance(each, TextColumn)))
    return TypedColumns(
        tuple(each.variable for each in typed),
        tuple(each.column for each in typed),
        _missing_guesses(missing_codes, found, sentinels),
        (
            *empty_notes,
            *name_notes,
            *(note for each in parsed.values() if isinstance(each, TextColumn) for note in each.notes),
            *(_sentinel_note(sentinel) for sentinel in sentinels),
            *suspicions,
            *notes_about_kinds(typed),
        ),
    )


def codes_in(content: bytes, dialect: Dialect) -> frozenset[str]:
    """Find which of the customary codes for "missing" stand as cells in some rows."""
    edge = re.escape(dialect.separator).encode() + rb"\s\"'"
    return frozenset(
        code
        for code in ALWAYS_MISSING
        if code.encode() in content
        and re.search(
            rb"(?:^|[%b])%b(?=[%b]|$)" % (edge, re.escape(code).encode(), edge), content, re.MULTILINE
        )
    )


def _used_columns(
    cells: Sequence[Cells], names: Sequence[str], has_header: bool
) -> tuple[list[int], list[Note]]:
    """Leave out columns that have neither a name nor a value, as trailing separators make them."""
    named = [
        place for place in range(len(names)) if (has_header and names[place]) or not is_empty(cells[place])
    ]
    dropped = len(names) - len(named)
    notes: list[Note] = []
    if dropped:
        message = f"Left out: {counted(dropped, 'column')} without a name and without any value."
        notes.append(Note("empty-column", message))
    for place in named:
        if is_empty(cells[place]):
            message = f"Column '{names[place]}' holds no value."
            notes.append(Note("empty-column", message, names[place]))
    return named, notes


def _parse_column(
    name: str,
    cells: Cells,
    dialect: Dialect,
    missing_codes: tuple[str, ...] | None,
    stays_text: bool,
) -> np.ndarray | TextColumn:
    if isinstance(cells, np.ndarray):
        return cells
    return understand_text(name, cells, dialect.decimal_mark, missing_codes, stays_text)


def _numbers(values: np.ndarray | TextColumn) -> np.ndarray | None:
    if isinstance(values, TextColumn):
        return values.as_numbers if values.numbers is not None else None
    return values


def _find_sentinels(
    parsed: dict[str, np.ndarray | TextColumn], missing_codes: tuple[str, ...] | None
) -> tuple[tuple[Sentinel, ...], tuple[Note, ...]]:
    if missing_codes is not None:
        return (), ()
    numbers = {name: _numbers(values) for name, values in parsed.items()}
    return find_sentinels({name: values for name, values in numbers.items() if values is not None})


def _typed(name: str, values: np.ndarray | TextColumn) -> TypedColumn:
    numbers = _numbers(values)
    if numbers is not None:
        return typed_numbers(name, numbers)
    assert isinstance(values, TextColumn)
    levels = column_from_series(name, pandas.Series(values.texts, dtype=object))
    if not values.texts:
        return TypedColumn(levels.variable, values.codes)
    codes = np.where(values.codes == MISSING_CODE, MISSING_CODE, levels.column[values.codes])
    return TypedColumn(levels.variable, codes)


def _missing_guesses(
    missing_codes: tuple[str, ...] | None, found: frozenset[str], sentinels: Sequence[Sentinel]
) -> tuple[Guess, ...]:
    codes = [*sorted(found), *(sentinel.code for sentinel in sentinels)]
    if missing_codes is not None or not codes:
        return ()
    reason = "These cells are read as missing, besides empty ones."
    return (Guess("missing_codes", ", ".join(codes), reason, certain=not sentinels),)


def _sentinel_note(sentinel: Sentinel) -> Note:
    shown = ("column " if len(sentinel.columns) == 1 else "columns ") + ", ".join(
        f"'{name}'" for name in sentinel.columns[:_COLUMNS_NAMED]
    )
    if len(sentinel.columns) > _COLUMNS_NAMED:
        shown += f" and {len(sentinel.columns) - _COLUMNS_NAMED} more"
    message = (
        f"{sentinel.code} is read as missing in {counted(sentinel.count, 'cell')} ({shown}): "
        "it lies far from all other values there, or alone below zero. "
        "If it is a real value, say what means missing yourself."
    )
    return Note("missing-code", message)
