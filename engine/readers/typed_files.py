"""Columns of files that keep numbers, texts and categories apart: types, names, and what is missing."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from importlib import import_module
from itertools import compress
from types import ModuleType

import numpy as np
import pandas

from engine.errors import EngineError, InvalidData, InvalidParameter, UnreadableFile
from engine.readers.case_rows import find_other_rows
from engine.readers.column_types import type_columns
from engine.readers.limits import first_line, is_panic
from engine.readers.missing_codes import MissingCodes, note_on_words, without_categories
from engine.readers.options import DECIMAL_MARKS, ReadingOptions
from engine.readers.reading import Guess, Table, usable_names
from engine.readers.records import Cells, Dialect
from engine.table.column_kinds import LARGEST_EXACT, TypedColumn
from engine.table.frames import are_long_codes
from engine.table.variable import Kind, Variable, code_dtype, free_name
from engine.translation import _
from engine.wording.notes import Note
from engine.wording.phrases import plain_listing
from engine.wording.sentences import (
    CHOOSE_ONE_WITH_DATA,
    CLOSE_OTHER_PROGRAMS,
    CORRECT_CELL,
    INFINITE,
    NOT_ENOUGH_MEMORY,
    OPEN_SMALLER_TABLE,
)

MAX_CELLS = 1 << 28
"""Most cells of a table that is taken into memory: 2 GiB of numbers."""

MAX_COLUMNS = 1 << 18
"""Most columns of such a table."""

_UNKNOWN = (None, "")


@dataclass(frozen=True, slots=True)
class GivenColumn:
    """A column as a file gives it."""

    name: str  # perhaps empty or not the only one of that name
    values: Sequence[object] | np.ndarray  # numbers, texts, truth values, dates and times, or None, one a row
    # what the values mean, where the file says so
    value_names: Mapping[object, str] = field(default_factory=dict)
    is_ordered: bool = False  # the order of the named values means something
    description: str = ""  # what the file says of the column; shown to a person
    cells: Cells | None = None  # what cells_of makes of the values, where that is known already
    is_of_kinds: bool = False  # a code book gives the values meanings without an order
    values_left_out: int = 0  # how many stand in rows that were left out


def needed(module: str, problem: str, place: str) -> ModuleType:
    """Import a library that reads a format; raise the problem, which names it, where it is not installed."""
    try:
        return import_module(module)
    except ImportError as error:
        raise UnreadableFile(
            _(problem, library=module.partition(".")[0]),
            place=place,
            remedy=_("Install it with: pip install 'clcd[formats]'"),
        ) from error


@contextmanager
def raising_as_damaged(problem: str, place: str, remedy: str) -> Iterator[None]:
    """Let a library read, and say that the file is damaged when it fails, in whatever way it does.

    >>> with raising_as_damaged("the file is damaged ({reason}).", "file 'a.rds'", "Save it again."):
    ...     [][1]
    Traceback (most recent call last):
    engine.errors.UnreadableFile: file 'a.rds': the file is damaged (list index out of range). Save it again.
    """
    try:
        yield
    except EngineError:
        raise
    except MemoryError as error:
        raise UnreadableFile(_(NOT_ENOUGH_MEMORY), place=place, remedy=_(CLOSE_OTHER_PROGRAMS)) from error
    except BaseException as error:
        # There is no end to what libraries raise about damaged files.
        if not isinstance(error, Exception) and not is_panic(error):
            raise
        problem = problem.format(reason=first_line(error))
        raise UnreadableFile(problem, place=place, remedy=remedy) from error


def require_one_of(name: str | None, names: Collection[str], problem: str, remedy: str, place: str) -> None:
    """Refuse the name of a part that a file does not have, such as a sheet; None is no name."""
    if name is not None and name not in names:
        there_are = _(remedy, names=plain_listing(list(names)))
        raise InvalidParameter(_(problem, name=name), place=place, remedy=there_are)


def check_size(rows: int, columns: int, place: str) -> None:
    """Refuse a table that would fill the memory."""
    if rows * columns > MAX_CELLS or columns > MAX_COLUMNS:
        raise UnreadableFile(
            _(
                "the table has {rows:,} rows and {columns:,} columns, too many to be taken into memory.",
                rows=rows,
                columns=columns,
            ),
            place=place,
            remedy=_(OPEN_SMALLER_TABLE),
        )


def cases_of(
    columns: Sequence[GivenColumn], options: ReadingOptions, place: str, complete: bool
) -> tuple[list[GivenColumn], list[Note]]:
    """Leave out the rows that are no cases, such as totals, and say which."""
    if options.other_rows == "keep" or not columns or not len(columns[0].values):
        return list(columns), []
    mark = DECIMAL_MARKS[options.decimal or "point"]
    # Numbers in an array are cells as they are.
    with_cells = [
        column
        if isinstance(column.values, np.ndarray)
        else replace(column, cells=cells_of(column, column.name, mark, place))
        for column in columns
    ]
    cells = [with_cell.values if with_cell.cells is None else with_cell.cells for with_cell in with_cells]
    rows = find_other_rows(
        cells,
        [[column.name for column in columns]],
        mark,
        complete,
        keeps_repeats=options.shape in ("long", "wide"),
    )
    if not rows:
        return with_cells, []
    count = len(columns[0].values)
    is_case = rows.is_case(count)
    kept = [
        replace(
            column,
            values=column.values[is_case]
            if isinstance(column.values, np.ndarray)
            else list(compress(column.values, is_case.tolist())),
            cells=None,
            values_left_out=left_out,
        )
        for column, left_out in zip(columns, rows.values_left_out(cells), strict=True)
    ]
    return kept, rows.notes(np.arange(1, count + 1), "row")


def table_of(
    columns: Sequence[GivenColumn],
    options: ReadingOptions,
    place: str,
    *,
    guesses: Sequence[Guess] = (),
    issues: Sequence[Note] = (),
    labels: Sequence[str] = (),
    complete: bool = True,
    are_cases: bool = False,
) -> Table:
    """Type columns as a file gives them; unless `are_cases`, totals and the like are left out."""
    if not columns or not len(columns[0].values):
        raise InvalidData(_("the table holds no rows."), place=place, remedy=_(CHOOSE_ONE_WITH_DATA))
    if not are_cases:
        columns, row_notes = cases_of(columns, options, place, complete)
        issues = (*issues, *row_notes)
    names, name_notes = usable_names([column.name for column in columns])
    in_hours = {position for position, column in enumerate(columns) if _are_durations(column.values)}
    columns = [
        _in_hours(column) if position in in_hours else column for position, column in enumerate(columns)
    ]
    duration_notes = [
        Note(
            "durations",
            _("Column '{name}' holds durations, read as numbers of hours.", name=names[position]),
            names[position],
        )
        for position in sorted(in_hours)
    ]
    told = MissingCodes.of(options)
    named = {
        name: without_categories(_categories(name, column), told)
        for name, column in zip(names, columns, strict=True)
        if _are_all_named(column)
    }
    others = [position for position, name in enumerate(names) if name not in named]
    dialect = Dialect("none", decimal=options.decimal or "point")
    typed = type_columns(
        [cells_of(columns[position], names[position], dialect.decimal_mark, place) for position in others],
        [names[position] for position in others],
        True,
        dialect,
        told,
        frozenset(),
        frozenset(),
        options.categories or (),
        [names[position] for position in others if columns[position].is_of_kinds],
        [columns[position].values_left_out for position in others],
    )
    columns_by_name = {
        name: (typed_column.variable, typed_column.column) for name, typed_column in named.items()
    }
    for variable, column in zip(typed.variables, typed.columns, strict=True):
        columns_by_name[variable.name] = (variable, column)
    said = {name: column.description for name, column in zip(names, columns, strict=True)}
    present = [name for name in names if name in columns_by_name]
    suspected = {(note.topic, note.variable) for note in issues if note.variable}
    more = [note for note in typed.issues if (note.topic, note.variable) not in suspected]
    words = [
        note_on_words(name, typed_column.variable.levels, typed_column.column, told)
        for name, typed_column in named.items()
    ]
    return Table(
        tuple(replace(columns_by_name[name][0], description=said[name]) for name in present),
        tuple(columns_by_name[name][1] for name in present),
        declared_labels=tuple(labels),
        guesses=(*guesses, *typed.guesses),
        issues=(*issues, *name_notes, *duration_notes, *more, *filter(None, words)),
        complete=complete,
    )


def columns_of_frame(frame: pandas.DataFrame) -> list[GivenColumn]:
    """Take a data frame apart; its row index is left out unless it names the rows."""
    columns = []
    for position, name in enumerate(frame.columns):
        series = frame.iloc[:, position]
        if isinstance(series.dtype, pandas.CategoricalDtype):
            levels: dict[object, str] = dict(enumerate(map(str, series.cat.categories)))
            codes = [None if code < 0 else int(code) for code in series.cat.codes]
            columns.append(GivenColumn(str(name), codes, levels, bool(series.cat.ordered)))
        elif pandas.api.types.is_bool_dtype(series.dtype) or not pandas.api.types.is_numeric_dtype(
            series.dtype
        ):
            values = series.astype(object).where(series.notna(), None)
            columns.append(GivenColumn(str(name), values.tolist()))
        elif are_long_codes(series):
            whole = [None if value is pandas.NA else int(value) for value in series]
            columns.append(GivenColumn(str(name), whole))
        else:
            columns.append(GivenColumn(str(name), series.to_numpy(dtype=np.float64, na_value=np.nan)))
    return columns


def text_of(value: object) -> str | None:
    """Write a value as a text table would hold it, such as TRUE or 2020-02-01; None where there is none."""
    if value is None or value is pandas.NaT or value != value:
        return None
    if isinstance(value, bool | np.bool_):
        return "TRUE" if value else "FALSE"
    if isinstance(value, bytes):
        return value.decode(errors="backslashreplace")
    if isinstance(value, datetime.datetime):
        is_midnight = value.time() == datetime.time()
        return str(value.date()) if is_midnight else value.isoformat(sep=" ", timespec="seconds")
    if isinstance(value, float | np.floating):
        number = float(value)
        return f"{number:.0f}" if abs(number) <= LARGEST_EXACT and number.is_integer() else repr(number)
    return str(value)


def _are_durations(values: Sequence[object] | np.ndarray) -> bool:
    if isinstance(values, np.ndarray):
        return False
    kinds = set(map(type, values)) - {type(None)}
    if not all(issubclass(kind, datetime.timedelta | str) for kind in kinds):
        return False
    return kinds != {str} and bool(kinds) and all(not value for value in values if isinstance(value, str))


def _in_hours(column: GivenColumn) -> GivenColumn:
    hour = datetime.timedelta(hours=1)
    hours = [value / hour if isinstance(value, datetime.timedelta) else None for value in column.values]
    return replace(column, values=hours, cells=None)


def _are_all_named(column: GivenColumn) -> bool:
    """Tell whether the file says of every value what it means, so that these are categories."""
    if not column.value_names:
        return False
    present = {value for value in column.values if value not in _UNKNOWN and value == value}
    return bool(present) and present <= column.value_names.keys()


def _categories(name: str, column: GivenColumn) -> TypedColumn:
    levels = _level_names(column.value_names)
    code_of: dict[object, int] = {value: code for code, value in enumerate(column.value_names)}
    codes = [code_of.get(value, -1) for value in column.values]
    used = sorted(set(codes) - {-1})
    renumbered = {code: position for position, code in enumerate(used)} | {-1: -1}
    variable = Variable(
        name, Kind.NOMINAL, levels=tuple(levels[code] for code in used), ordered=column.is_ordered
    )
    return TypedColumn(
        variable, np.array([renumbered[code] for code in codes], dtype=code_dtype(max(len(used), 1)))
    )


def _level_names(value_names: Mapping[object, str]) -> list[str]:
    """Name each value; two of one name are told apart by the values."""
    counts = Counter(value_names.values())
    taken = {text for text, count in counts.items() if count == 1}
    levels = []
    for value, text in value_names.items():
        level = text if counts[text] == 1 else free_name(f"{text} ({text_of(value)})", taken)
        taken.add(level)
        levels.append(level)
    return levels


def cells_of(column: GivenColumn, name: str, decimal: str, place: str) -> Cells:
    """Return the values of a column as those of a text table are parsed: numbers, or texts."""
    if column.cells is not None:
        return column.cells
    values = column.values
    if not isinstance(values, np.ndarray):
        numbers = _numbers(values)
        if numbers is None:
            texts = [value if type(value) is str else _text_beside_texts(value, decimal) for value in values]
            return pandas.Series([text if text else None for text in texts], dtype="str")
        values = numbers
    if np.isinf(values).any():
        row = int(np.isinf(values).argmax()) + 1
        raise InvalidData(
            _(INFINITE),
            place=_("{place}, row {row}, column '{name}'", place=place, row=row, name=name),
            remedy=_(CORRECT_CELL),
        )
    return values


def _text_beside_texts(value: object, decimal: str) -> str | None:
    """Write a value, a number with the decimal mark that numbers have in the texts beside it."""
    text = text_of(value)
    return text.replace(".", decimal) if text and isinstance(value, float | np.floating) else text


def _numbers(values: Sequence[object]) -> np.ndarray | None:
    """Return values as numbers; None where one of them is none, or too long a whole number to be kept so."""
    values = [None if isinstance(value, str) and not value else value for value in values]
    kinds = set(map(type, values)) - {type(None)}
    if not kinds or not all(issubclass(kind, int | float | np.number) and kind is not bool for kind in kinds):
        return None
    whole = tuple(kind for kind in kinds if issubclass(kind, int | np.integer))
    if whole and any(isinstance(value, whole) and abs(int(value)) > LARGEST_EXACT for value in values):
        return None
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
