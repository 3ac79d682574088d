"""From parsed cells to typed columns: numbers, dates, categories, and what stands for a missing value."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import pandas

from engine.readers.cell_text import (
    ALWAYS_MISSING,
    MISSING_AMONG_NUMBERS,
    has_either_order,
    is_date_or_time,
    is_grouped,
    is_negative_behind,
    parse_number,
)
from engine.readers.missing_codes import (
    MissingCodes,
    Sentinel,
    find_sentinels,
    note_on_na,
    note_on_words,
    without_codes,
)
from engine.readers.near_numbers import all_with_one_sign, are_codes_beside_letters, notes_about_near_numbers
from engine.readers.reading import Guess, usable_names
from engine.readers.records import Cells, Dialect, is_empty
from engine.readers.written_codes import (
    are_codes,
    are_versions,
    has_mixed_places,
    names_version,
    written_twice,
)
from engine.table.column_kinds import (
    EMPTY_COLUMN,
    LEVELS_AS_WRITTEN,
    VERSIONS,
    TypedColumn,
    digit_codes_note,
    notes_about_kinds,
    typed_numbers,
)
from engine.table.frames import levels_of_texts
from engine.table.variable import MISSING_CODE, Kind, Variable
from engine.translation import N_, _, for_count
from engine.wording.notes import Note, listed
from engine.wording.numbers import count_text, counted

_DATES_LOOKED_AT = 200


@dataclass(frozen=True, slots=True)
class TextColumn:
    """A column of text by its distinct values."""

    codes: np.ndarray  # position in `texts`, -1 for missing
    texts: tuple[str, ...]  # distinct values without blanks around them
    numbers: tuple[float, ...] | None = None  # the values as numbers when the column is numeric after all
    codes_found: frozenset[str] = frozenset()  # what stood for missing
    notes: tuple[Note, ...] = ()

    @property
    def as_numbers(self) -> np.ndarray:
        """The values as float64, NaN for missing; only for a numeric column."""
        return np.asarray(np.array([*(self.numbers or ()), np.nan])[self.codes])


def understand_text(
    name: str,
    series: pandas.Series,
    decimal: str,
    told: MissingCodes,
    stays_text: bool,
    is_chosen: bool = False,
) -> TextColumn:
    """Decide whether a column of text is numeric after all, and which cells but NaN are missing.

    Without exact `told` codes the customary ones count. `stays_text` columns hold codes of digits;
    `is_chosen` ones keep all texts apart.
    """
    codes, texts, trimmed = _distinct(series)
    certain = told.texts(name) | {""}
    kept = told.kept(name)
    missing = {text for text in texts if text in certain}
    written = [text for text in texts if text not in missing]
    signed = all_with_one_sign(written)
    parsed = {
        text: parse_number(bare, decimal) for text, bare in zip(written, signed or written, strict=True)
    }
    words = {text for text, number in parsed.items() if number is None}
    notes: list[Note] = []
    numeric = bool(parsed) and not words
    might_be = MISSING_AMONG_NUMBERS - kept
    codes_beside = parsed.keys() - words
    is_marked = are_codes_beside_letters(codes_beside, words)
    if told.only is None and words and words <= might_be and len(parsed) - len(words) > 1 and not is_marked:
        missing |= words
        numeric = True
    digits = parsed.keys() - missing
    stays_text = stays_text or (numeric and are_codes(digits))
    twice = written_twice(sorted(digits)) if numeric and not stays_text else None
    versions = are_versions(digits) or (
        numeric and not stays_text and names_version(name) and has_mixed_places(digits)
    )
    # Of a few numbers categories are made, which stay as they are written.
    are_levels = twice is not None and (is_chosen or _would_be_categories(name, codes, texts, parsed))
    numeric = numeric and not stays_text and not versions and not are_levels
    remaining = tuple(text for text in texts if text not in missing)
    codes_before, codes = codes, _recode(codes, texts, remaining)
    if numeric:
        grouped = next((text for text in remaining if is_grouped(text, decimal)), None)
        if grouped:
            message = _(
                "The marks between thousands in column '{name}' ('{grouped}') are removed.",
                name=name,
                grouped=grouped,
            )
            notes.append(Note("thousands", message, name))
        if signed:
            notes.append(Note("signs", _(_SIGNS, name=name, text=remaining[0]), name))
        if behind := next((text for text in remaining if is_negative_behind(text, decimal)), None):
            notes.append(Note("minus-behind", _(_MINUS_BEHIND, name=name, text=behind), name))
        if twice:
            message = _(_WRITTEN_TWICE, name=name, short=twice[0], long=twice[1])
            notes.append(Note(VERSIONS, message, name, twice))
        numbers = tuple(number for text in remaining if (number := parsed[text]) is not None)
        return TextColumn(codes, remaining, numbers, frozenset(missing - {""}), tuple(notes))
    if trimmed:
        notes.append(
            Note("blanks", _("Blanks around the values of column '{name}' are ignored.", name=name), name)
        )
    if note := note_on_na(name, codes_before, texts, remaining, told):
        notes.append(note)
    if versions and all(map(_ADDRESS.fullmatch, remaining)):
        notes.append(Note("digit-codes", _(_ARE_ADDRESSES, name=name, example=remaining[0]), name))
    elif versions:
        example = max(remaining, key=len)
        notes.append(Note(VERSIONS, _(_ARE_VERSIONS, name=name, example=example), name))
    elif twice and not is_chosen:
        message = _(_LEVELS_WRITTEN_TWICE, name=name, short=twice[0], long=twice[1])
        notes.append(Note(LEVELS_AS_WRITTEN, message, name))
    elif not twice:
        about_numbers = _doubts(name, codes, remaining, parsed, decimal, stays_text)
        notes += about_numbers
        if not about_numbers and (note := note_on_words(name, remaining, codes, told)):
            notes.append(note)
    return TextColumn(codes, remaining, None, frozenset(missing - {""}), tuple(notes))


def _would_be_categories(
    name: str, codes: np.ndarray, texts: Sequence[str], parsed: Mapping[str, float | None]
) -> bool:
    numbers = [parsed.get(text) for text in texts]
    values = np.array([np.nan if number is None else number for number in [*numbers, None]])
    return typed_numbers(name, values[codes]).variable.kind is Kind.NOMINAL


_SIGNS = N_("The currency or percent signs in column '{name}' ('{text}') are removed.")
_MINUS_BEHIND = N_("Minus signs behind numbers of column '{name}' ('{text}') are read as minus signs.")
_WRITTEN_TWICE = N_(
    "Column '{name}' holds {short} beside {long}, read as one number. If these differ, as versions do, read "
    "it as categories."
)
_LEVELS_WRITTEN_TWICE = N_(
    "Column '{name}' holds {short} beside {long}, read as different categories. If they are one number, "
    "read it as a number."
)
_ADDRESS = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")
_ARE_ADDRESSES = N_("Column '{name}' holds internet addresses such as '{example}', read as categories.")
_ARE_VERSIONS = N_("Column '{name}' holds versions such as '{example}', read as categories.")


def _distinct(series: pandas.Series) -> tuple[np.ndarray, list[str], bool]:
    """Return codes and distinct texts without blanks around them, and whether there were blanks."""
    codes, uniques = pandas.factorize(series)
    raw = [str(text) for text in uniques]
    stripped = [text.strip() for text in raw]
    texts = list(dict.fromkeys(stripped))
    return _recode(codes, stripped, texts), texts, raw != stripped


def _recode(codes: np.ndarray, texts: Sequence[str], remaining: Sequence[str]) -> np.ndarray:
    """Return positions in texts as positions among those that remain, -1 for the others."""
    position = {text: index for index, text in enumerate(remaining)}
    table = np.array([*(position.get(text, MISSING_CODE) for text in texts), MISSING_CODE], dtype=np.int64)
    return np.asarray(table[codes])


def _doubts(
    name: str,
    codes: np.ndarray,
    texts: Sequence[str],
    parsed: dict[str, float | None],
    decimal: str,
    stays_text: bool,
) -> list[Note]:
    """Say what a person should look at in a column that is read as categories."""
    if not texts:
        return []
    if stays_text:
        return [digit_codes_note(name, texts)]
    if all(is_date_or_time(text) for text in texts[:_DATES_LOOKED_AT]):
        message = _(
            "Column '{name}' holds dates or times, read as categories. To use them, turn them "
            "into a number, such as days since a start.",
            name=name,
        )
        notes = [Note("dates", message, name)]
        if has_either_order(texts):
            either = _(
                "Of the dates in column '{name}', such as '{example}', either number may be the "
                "day; say which when you turn them into a number.",
                name=name,
                example=texts[0],
            )
            notes.append(Note("date-order", either, name, (texts[0],)))
        return notes
    return notes_about_near_numbers(name, codes, texts, parsed, decimal)


_COLUMNS_NAMED = 3


@dataclass(frozen=True, slots=True)
class TypedColumns:
    """Columns ready for a dataset, with what was found on the way."""

    variables: tuple[Variable, ...]
    columns: tuple[np.ndarray, ...]
    positions: tuple[int, ...]  # which of the given columns each was made of
    guesses: tuple[Guess, ...]
    issues: tuple[Note, ...]


def type_columns(
    cells: Sequence[Cells],
    names: Sequence[str],
    has_header: bool,
    dialect: Dialect,
    told: MissingCodes,
    texts: frozenset[int],
    codes_seen: frozenset[str],
    categories: Collection[str] = (),
    kinds: Collection[str] = (),
    left_out: Sequence[int] = (),
) -> TypedColumns:
    """Type the columns of a text table; `left_out` counts the values of each in rows that were left out."""
    positions, empty_notes = _used_columns(cells, names, has_header, left_out)
    unique, name_notes = usable_names([names[position] for position in positions])
    parsed: dict[str, np.ndarray | TextColumn] = {}
    mark = dialect.decimal_mark
    for name, position in zip(unique, positions, strict=True):
        column = cells[position]
        parsed[name] = (
            without_codes(column, told.added(name), mark)
            if isinstance(column, np.ndarray)
            else understand_text(name, column, mark, told, position in texts, name in categories)
        )
    sentinels: tuple[Sentinel, ...] = ()
    suspicions: tuple[Note, ...] = ()
    if told.only is None:
        numbers = {name: _numbers(values) for name, values in parsed.items()}
        present = {name: values for name, values in numbers.items() if values is not None}
        sentinels, suspicions = find_sentinels(present, told)
    for sentinel in sentinels:
        for name in sentinel.columns:
            values = _numbers(parsed[name])
            if values is not None:
                parsed[name] = np.where(values == sentinel.value, np.nan, values)
    typed = [_typed(name, values, name in kinds) for name, values in parsed.items()]
    codes_found = codes_seen.union(
        *(
            parsed_column.codes_found
            for parsed_column in parsed.values()
            if isinstance(parsed_column, TextColumn)
        )
    )
    return TypedColumns(
        tuple(typed_column.variable for typed_column in typed),
        tuple(typed_column.column for typed_column in typed),
        tuple(positions),
        _missing_guesses(told.only, codes_found, sentinels),
        (
            *empty_notes,
            *name_notes,
            *(
                note
                for parsed_column in parsed.values()
                if isinstance(parsed_column, TextColumn)
                for note in parsed_column.notes
            ),
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
    cells: Sequence[Cells], names: Sequence[str], has_header: bool, left_out: Sequence[int]
) -> tuple[list[int], list[Note]]:
    """Leave out columns that have neither a name nor a value, as trailing separators make them."""
    named = [
        position
        for position in range(len(names))
        if (has_header and names[position]) or not is_empty(cells[position])
    ]
    dropped = len(names) - len(named)
    notes: list[Note] = []
    if dropped:
        message = _(
            "Left out: {columns} without a name and without any value.", columns=counted(dropped, "column")
        )
        notes.append(Note(EMPTY_COLUMN, message))
    for position in named:
        if is_empty(cells[position]):
            values = left_out[position] if left_out else 0
            template = for_count(values, _VALUE_LEFT_OUT, _VALUES_LEFT_OUT) if values else _(_NO_VALUE)
            message = template.format(name=names[position], count=count_text(values))
            notes.append(Note(EMPTY_COLUMN, message, names[position]))
    return named, notes


_NO_VALUE = N_("Column '{name}' holds no value.")
_VALUE_LEFT_OUT = N_(
    "Column '{name}' holds no value in the rows that are read; {count} row left out holds one."
)
_VALUES_LEFT_OUT = N_(
    "Column '{name}' holds no value in the rows that are read; {count} rows left out hold one."
)


def _numbers(values: np.ndarray | TextColumn) -> np.ndarray | None:
    if isinstance(values, TextColumn):
        return values.as_numbers if values.numbers is not None else None
    return values


def _typed(name: str, values: np.ndarray | TextColumn, of_kinds: bool) -> TypedColumn:
    numbers = _numbers(values)
    if numbers is not None:
        return typed_numbers(name, numbers, of_kinds=of_kinds)
    assert isinstance(values, TextColumn)
    make_levels = _levels_of if len(values.texts) <= _FEW_TEXTS else levels_of_texts
    levels = make_levels(tuple(values.texts))
    variable = replace(levels.variable, name=name)
    if not values.texts:
        return TypedColumn(variable, values.codes)
    codes = np.where(values.codes == MISSING_CODE, MISSING_CODE, levels.column[values.codes])
    return TypedColumn(variable, codes)


# Columns of a wide table have mostly the same few texts.
_FEW_TEXTS = 30
_levels_of = lru_cache(maxsize=512)(levels_of_texts)


def _missing_guesses(
    missing_codes: tuple[str, ...] | None, codes_found: frozenset[str], sentinels: Sequence[Sentinel]
) -> tuple[Guess, ...]:
    codes = [*sorted(codes_found), *(sentinel.code for sentinel in sentinels)]
    if missing_codes is not None or not codes:
        return ()
    reason = _("These cells are read as missing, besides empty ones.")
    return (Guess("missing_codes", ", ".join(codes), reason, certain=not sentinels),)


def _sentinel_note(sentinel: Sentinel) -> Note:
    message = for_count(
        len(sentinel.columns),
        "{code} is read as missing in {cells} (column {names}), because it is far from all other "
        "values, or the only one below zero. If it is a real value, read it as one.",
        "{code} is read as missing in {cells} (columns {names}), because it is far from all other "
        "values, or the only one below zero. If it is a real value, read it as one.",
    ).format(
        code=sentinel.code,
        cells=counted(sentinel.count, "cell"),
        names=listed(sentinel.columns, _COLUMNS_NAMED),
    )
    return Note("missing-code", message, examples=(sentinel.code,), columns=sentinel.columns)
