"""Files of SPSS, Stata and SAS, with the names of values and what the file says is missing."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import pairwise
from typing import Any

from engine.errors import InvalidParameter
from engine.readers.missing_codes import MissingCodes
from engine.readers.missing_words import means_missing
from engine.readers.options import ReadingOptions
from engine.readers.ordered_words import note_on_coded_order
from engine.readers.reading import Table
from engine.readers.source import Source
from engine.readers.statistics_process import EXTENSIONS, About, Question, ask
from engine.readers.typed_files import (
    MAX_CELLS,
    MAX_COLUMNS,
    GivenColumn,
    cases_of,
    check_size,
    raising_as_damaged,
    table_of,
    text_of,
)
from engine.translation import N_, _, for_count
from engine.wording.notes import Note
from engine.wording.numbers import count_text, counted
from engine.wording.phrases import plain_listing
from engine.wording.sentences import DAMAGED_OR_OTHER_KIND, NO_MEANING_FOR_FORMAT, SAVE_AGAIN
from engine.wording.setting_names import the_setting

# Of these the library says which values a person declared missing, and says nothing of others.
_WITH_DECLARED_GAPS = (".sav", ".zsav")
_PORTABLE = ".por"
_BEGINNINGS = (
    (b"$FL", ".sav"),
    (b"<stata_dta>", ".dta"),
    (b"HEADER RECORD*******LIB", ".xpt"),
    (b"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xc2\xea\x81\x60", ".sas7bdat"),
)
_MOST_NAMED = 5
_SECONDS_OF_A_DAY = 86_400
_LONGEST_DURATION = datetime.timedelta.max.total_seconds()


def read(source: Source, options: ReadingOptions, row_limit: int | None = None) -> Table:
    """Read a file of SPSS (portable ones are in UTF-8), Stata or SAS, with its declared missing values.

    A column of named values is of categories, in the order of the values; ordered where SPSS says so.
    """
    content, _is_whole = source.read()
    by_content = next((name for start, name in _BEGINNINGS if content.startswith(start)), ".dta")
    extension = source.extension if source.extension in EXTENSIONS else by_content
    if extension == _PORTABLE and options.encoding is not None:
        raise InvalidParameter(
            _(NO_MEANING_FOR_FORMAT, title="SPSS portable"),
            place=the_setting("encoding"),
            remedy=_("Leave it out."),
        )
    given: dict[str, Any] = {} if extension == _PORTABLE else {"encoding": options.encoding}
    settings = given | ({"user_missing": True} if extension in _WITH_DECLARED_GAPS else {})
    with raising_as_damaged(_(DAMAGED_OR_OTHER_KIND), source.place, _(SAVE_AGAIN)):
        answer = ask(Question(extension, content, settings, row_limit or 0, MAX_CELLS, MAX_COLUMNS))
        check_size(min(answer.rows, row_limit or answer.rows), answer.columns, source.place)
    columns, notes = [], []
    for name, values in zip(answer.names, answer.values, strict=True):
        if name in answer.seconds:
            column, declared = _column(name, answer.seconds[name], answer.about_seconds)
            column = replace(column, values=_times_or_durations(column.values))
        else:
            column, declared = _column(name, values, answer.about)
        columns.append(column)
        notes += declared
    row_count = len(columns[0].values) if columns else 0
    complete = row_limit is None or row_count < row_limit or row_count == answer.rows
    # A total has no name among those of the values, and would make these useless.
    columns, row_notes = cases_of(columns, options, source.place, complete)
    table = table_of(
        columns,
        options,
        source.place,
        issues=[*notes, *row_notes, *_partly_named(columns, MissingCodes.of(options))],
        complete=complete,
        are_cases=True,
    )
    in_order = {column.name for column in columns if _are_ascending(list(column.value_names))}
    of_codes = (
        note_on_coded_order(variable.name, variable.levels)
        for variable in table.variables
        if variable.name in in_order and not variable.ordered
    )
    return replace(table, issues=(*table.issues, *filter(None, of_codes)))


def _are_ascending(codes: Sequence[object]) -> bool:
    """Tell whether codes are numbers in their order."""
    numbers = [code for code in codes if isinstance(code, int | float)]
    return len(numbers) == len(codes) and numbers == sorted(numbers)


def _times_or_durations(seconds: Any) -> Sequence[object]:
    """Make times of day of seconds, or durations where some are none of a day."""
    present = [second for second in seconds if second is not None]
    if not all(abs(duration) < _LONGEST_DURATION for duration in present):
        return list(seconds)
    passed = [None if second is None else datetime.timedelta(seconds=second) for second in seconds]
    if not all(0 <= duration < _SECONDS_OF_A_DAY for duration in present):
        return passed
    return [None if duration is None else (datetime.datetime.min + duration).time() for duration in passed]


def _column(name: str, values: Sequence[object], about: About) -> tuple[GivenColumn, list[Note]]:
    value_names = dict(about.value_names.get(name, {}))
    gaps = about.missing_ranges.get(name, ())
    missing = {
        value
        for value in set(values) - {None}
        for low, high in gaps
        if isinstance(value, str) is isinstance(low, str) and low <= value <= high
    }
    notes = []
    if missing:
        rows = sum(value in missing for value in values)
        codes = plain_listing(
            [
                f"{text_of(value)} ({value_names[value]})" if value in value_names else str(text_of(value))
                for value in sorted(missing, key=str)
            ],
            _MOST_NAMED,
        )
        message = _(
            "In column '{name}' the file declares missing: {codes}; {cells}.",
            name=name,
            codes=codes,
            cells=counted(rows, "cell"),
        )
        notes.append(Note("declared-missing", message, name))
    return (
        GivenColumn(
            # A name that cannot be decoded is None.
            name or "",
            [None if value in missing else value for value in values],
            {value: text for value, text in value_names.items() if value not in missing},
            about.measures.get(name) == "ordinal",
            about.titles.get(name) or "",
        ),
        notes,
    )


def _note_on_named(column: GivenColumn, codes: Mapping[str, object]) -> Note:
    """Say that the only values with a name mean missing by this name."""
    count = sum(value in set(codes.values()) for value in column.values)
    named = [f"{text} ({column.value_names[value]})" for text, value in codes.items()]
    message = for_count(count, _NAMED_CELL, _NAMED_CELLS).format(
        column=column.name, codes=plain_listing(named, _MOST_NAMED), count=count_text(count)
    )
    return Note("suspected-missing", message, column.name, tuple(codes))


_NAMED_CELL = N_(
    "In column '{column}' {codes} seems to mean missing by its name, and stands in {count} cell. "
    "If so, add it to the missing values."
)
_NAMED_CELLS = N_(
    "In column '{column}' {codes} seem to mean missing by their names, and stand in {count} cells. "
    "If so, add them to the missing values."
)


def _partly_named(columns: Sequence[GivenColumn], told: MissingCodes) -> Iterator[Note]:
    """Say of which columns only some values have a name, so that they are read as they are."""
    for column in columns:
        missing = {value for value, text in column.value_names.items() if means_missing(text)}
        present = {value for value in column.values if value not in (None, "") and value == value}
        named = present & column.value_names.keys()
        if not named or named == present:
            continue
        missing |= _named_apart(named, present - named)
        codes = {str(text_of(value)): value for value in sorted(named & missing, key=str)}
        settled = told.added(column.name) | told.kept(column.name)
        if codes and told.only is None and not settled & codes.keys():
            yield _note_on_named(column, codes)
        if named - missing:
            value = min(named, key=str)
            message = for_count(
                len(named),
                "Of the {values} values of column '{name}' only {count} has a name, {example}: it is read "
                "without the names.",
                "Of the {values} values of column '{name}' only {count} have a name, such as {example}: it "
                "is read without the names.",
            ).format(
                values=count_text(len(present)),
                name=column.name,
                count=count_text(len(named)),
                example=f"{text_of(value)} ({column.value_names[value]})",
            )
            yield Note("partly-named", message, column.name)


def _named_apart(named: Set[object], unnamed: Set[object]) -> set[object]:
    """Return named numbers that lie apart from those without a name: no quantity, but filters."""
    numbers = sorted(value for value in unnamed if isinstance(value, int | float))
    if len(numbers) < len(unnamed) or len(numbers) < _FEWEST_UNNAMED:
        return set()
    widest = max(after - before for before, after in pairwise(numbers))
    return {
        value
        for value in named
        if isinstance(value, int | float)
        and (value < 0 <= numbers[0] or value > numbers[-1] + _FURTHER_THAN_OTHERS * widest)
    }


_FEWEST_UNNAMED = 3
_FURTHER_THAN_OTHERS = 3
