"""Tables with several rows a case: one row a case instead, or a row a repetition with what its case holds."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas

from engine.errors import InvalidData
from engine.readers.options import ReadingOptions
from engine.readers.reading import BELOW, LEAVE_SHAPE, REPEATS, RESHAPED, Table
from engine.readers.typed_files import GivenColumn, check_size, table_of
from engine.table.column_kinds import EMPTY_COLUMN
from engine.table.dataset import Dataset
from engine.table.identifiers import are_whole_numbers, is_identifier_name, repeating_identifier
from engine.table.numbered_within import is_time_name
from engine.table.variable import MISSING_CODE, Kind, Variable, free_name, missing_mask
from engine.translation import N_, _, for_count
from engine.wording.notes import Note, listed
from engine.wording.numbers import counted
from engine.wording.setting_names import SettingName, naming_settings

_INSTRUMENTS = ("redcap_repeat_instrument", "repeat instrument")
_INSTANCES = ("redcap_repeat_instance", "repeat instance")
_EVENTS = ("redcap_event_name", "event name")
_NUMBER = re.compile(r"\d+")
_MOST_TIMES = 60
_MOST_COLUMNS_ASKED_ABOUT = 5000
_CASE_BELOW = N_(
    "Each value of '{case}' has several rows, which {columns} distinguishes. They can be read as one row, "
    "with a column for each repetition."
)
_CASE_BELOW_BY_SEVERAL = N_(
    "Each value of '{case}' has several rows, which {columns} distinguish. They can be read as one row, with "
    "a column for each repetition."
)
_ONE_ROW_A_CASE = N_("Each case is one row: {cases} of {rows}.")
_ONE_COLUMN_BESIDE = N_(
    "Each case is one row: {cases} of {rows}. {columns} has a column for each of {repetitions}."
)
_COLUMNS_BESIDE = N_(
    "Each case is one row: {cases} of {rows}. {columns} have a column for each of {repetitions}."
)
_IN_ORDER_OF_TABLE = N_("No column numbers the repetitions, so they are counted in the order of the table.")
_ONE_WITH_VALUES = N_(
    "Each case is one row: {cases} of {rows}. {columns} becomes {made}, one for each repetition that has "
    "values."
)
_COLUMNS_WITH_VALUES = N_(
    "Each case is one row: {cases} of {rows}. {columns} become {made}, one for each repetition that has "
    "values."
)


@dataclass(frozen=True, slots=True)
class RepeatedCases:
    """Which rows are of one case, and which repetition of it each is."""

    names: tuple[str, ...]  # the column of cases first, then those that tell their rows apart
    case_of: np.ndarray  # from 0, in the order of their first rows
    # what repetitions are called; an empty name is that of rows that belong to the case itself
    times: tuple[str, ...]
    time_of: np.ndarray
    # the column of values where repetitions are names of what is measured, as in laboratories
    measured: str = ""
    units: tuple[str, ...] = ()  # columns that say the same of all values of one thing


def repeated_cases(dataset: Dataset) -> RepeatedCases | None:
    """Find the rows of each case by an identifier that repeats, and by a visit or the like.

    Rows that nothing tells apart are counted within their case.

    >>> frame = pandas.DataFrame({"patient_id": [f"p{row // 2}" for row in range(40)], "visit": [1, 2] * 20})
    >>> found = repeated_cases(Dataset.from_frame(frame.assign(pain=range(40))))
    >>> found.names, found.times
    (('patient_id', 'visit'), ('visit1', 'visit2'))
    """
    case = repeating_identifier(dataset) or next(filter(None, map(_repeats, *_pairs(dataset))), None)
    if case is None:
        return None
    case_of, _cases = pandas.factorize(dataset.column(case))
    told = _told_apart(dataset, case, case_of)
    if told is None and (measured := _list_of_measurements(dataset, case, case_of)) is not None:
        return measured
    if told is None:
        count = pandas.Series(case_of).groupby(case_of).cumcount().to_numpy()
        times = tuple(f"visit{place}" for place in range(1, int(count.max()) + 2))
        return RepeatedCases((case,), case_of, times, count)
    names, labels = told
    times = tuple(sorted(dict.fromkeys(labels), key=_when))
    places = {time: place for place, time in enumerate(times)}
    return RepeatedCases((case, *names), case_of, times, np.array([places[label] for label in labels]))


def _when(time: str) -> tuple[float, str]:
    """Order visits by their first number; what has none comes before, in the order of the table."""
    number = _NUMBER.search(time)
    return (float(number[0]), time) if number is not None else (-1.0, "")


def _pairs(dataset: Dataset) -> tuple[Sequence[Variable], Sequence[np.ndarray]]:
    return dataset.variables, dataset.columns


def _repeats(variable: Variable, column: np.ndarray) -> str | None:
    """Return the name of an identifier that repeats, also of fewer cases than are grouped without asking."""
    if not is_identifier_name(variable.name) or missing_mask(variable, column).any():
        return None
    return variable.name if len(np.unique(column)) < len(column) else None


def _told_apart(dataset: Dataset, case: str, case_of: np.ndarray) -> tuple[tuple[str, ...], list[str]] | None:
    """Return columns that tell the rows of a case apart, and what they call each row."""
    plain = {name.strip().casefold(): name for name in dataset.names}
    of_redcap = [
        next((plain[name] for name in names if name in plain), None)
        for names in (_EVENTS, _INSTRUMENTS, _INSTANCES)
    ]
    if any(of_redcap):
        event, instrument, instance = (_texts(dataset, name) for name in of_redcap)
        labels = [
            "_".join(filter(None, (first, f"{second}{third}")))
            for first, second, third in zip(event, instrument, instance, strict=True)
        ]
        if _tells_apart(case_of, labels):
            return tuple(filter(None, of_redcap)), labels
    for variable, column in zip(*_pairs(dataset), strict=True):
        if variable.name != case and is_time_name(variable.name) and _has_few(variable, column):
            labels = [
                text if not text[:1].isdigit() else f"{variable.name}{text}"
                for text in _texts(dataset, variable.name)
            ]
            if all(labels) and _tells_apart(case_of, labels):
                return (variable.name,), labels
    return None


def _list_of_measurements(dataset: Dataset, case: str, case_of: np.ndarray) -> RepeatedCases | None:
    """Find a column that names what is measured in each row, and the one beside it that holds the values."""
    count = int(case_of.max()) + 1
    others = [pair for pair in zip(*_pairs(dataset), strict=True) if pair[0].name != case]
    for variable, column in others:
        few = variable.kind is Kind.NOMINAL and 2 <= variable.level_count <= _MOST_TIMES
        if not few or (column == MISSING_CODE).any() or 2 * variable.level_count > dataset.row_count:
            continue
        if not _tells_apart(case_of, column.tolist()):
            continue
        varying = [
            pair for pair in others if pair[0] is not variable and _once(*pair, case_of, count) is None
        ]
        units = [
            varying_variable.name
            for varying_variable, cells in varying
            if _once(varying_variable, cells, column, len(variable.levels)) is not None
        ]
        values = [
            varying_variable.name for varying_variable, _ in varying if varying_variable.name not in units
        ]
        if len(values) == 1:
            names = (case, variable.name)
            return RepeatedCases(names, case_of, variable.levels, column, values[0], tuple(units))
    return None


def _has_few(variable: Variable, column: np.ndarray) -> bool:
    if variable.kind is Kind.NOMINAL:
        return variable.level_count <= _MOST_TIMES
    return are_whole_numbers(column[~np.isnan(column)]) and len(np.unique(column)) <= _MOST_TIMES


def _texts(dataset: Dataset, name: str | None) -> list[str]:
    """Write the values of a column, with whole numbers as these; empty where they are missing."""
    if name is None:
        return [""] * dataset.row_count
    variable, column = dataset.variable(name), dataset.column(name)
    if variable.kind is Kind.NOMINAL:
        return [*np.array([*variable.levels, ""], dtype=object)[column]]
    return ["" if np.isnan(value) else f"{value:.15g}" for value in column.tolist()]


def _tells_apart(case_of: np.ndarray, labels: Sequence[str]) -> bool:
    return len(set(zip(case_of.tolist(), labels, strict=True))) == len(labels)


def note_on_repeated_cases(dataset: Dataset) -> Note | None:
    """Offer one row a case where a visit or the like tells the rows of each case apart."""
    # To look for it takes long in a wide table, and a column for each visit would make it wider still.
    if len(dataset.variables) > _MOST_COLUMNS_ASKED_ABOUT or repeating_identifier(dataset) is None:
        return None
    cases = repeated_cases(dataset)
    if cases is None or len(cases.names) < 2:
        return None
    # Where its instruments are left out, REDCap's other columns of repetitions hold nothing.
    told = [name for name in cases.names[1:] if dataset.missing_count(name) < dataset.row_count]
    sentence = _(_CASE_BELOW) if len(told) == 1 else _(_CASE_BELOW_BY_SEVERAL)
    return Note(
        BELOW,
        sentence.format(case=cases.names[0], columns=listed(told)),
        cases.names[0],
        columns=cases.names,
    )


def one_row_a_case(dataset: Dataset, options: ReadingOptions, place: str) -> Dataset:
    """Make one row of each case: what varies within a case becomes a column for each repetition."""
    cases = _required(dataset, place)
    count = int(cases.case_of.max()) + 1
    first_rows = np.unique(cases.case_of, return_index=True)[1]
    variables: list[Variable] = []
    columns: list[np.ndarray] = []
    beside: list[str] = []
    made_columns = 0
    check_size(count, len(cases.times) * len(dataset.variables), place)
    for variable, column in zip(*_pairs(dataset), strict=True):
        if variable.name == cases.names[0]:
            variables.append(variable)
            columns.append(column[first_rows])
        elif variable.name not in (*cases.names, *cases.units):
            once = _once(variable, column, cases.case_of, count)
            if once is not None:
                variables.append(variable)
                columns.append(once)
                continue
            beside.append(variable.name)
            for time, repeated in _at_each_time(variable, column, cases, count):
                made_columns += 1
                new_variable = replace(variable, name=f"{variable.name}_{time}" if time else variable.name)
                if variable.name == cases.measured:
                    table = typed_again([GivenColumn(time, cells_of(variable, repeated))], options, place)
                    new_variable, repeated = table.variables[0], table.columns[0]
                variables.append(new_variable)
                columns.append(repeated)
    names: dict[str, Variable] = {}
    for variable in variables:
        name = free_name(variable.name, names)
        names[name] = replace(variable, name=name)
    repetitions = sum(map(bool, cases.times))
    has_all = made_columns == len(beside) * repetitions
    template = (
        _(_ONE_ROW_A_CASE),
        _(_ONE_COLUMN_BESIDE) if has_all else _(_ONE_WITH_VALUES),
        _(_COLUMNS_BESIDE) if has_all else _(_COLUMNS_WITH_VALUES),
    )[min(len(beside), 2)]
    told = template.format(
        cases=counted(count, "case"),
        rows=counted(dataset.row_count, "row"),
        columns=listed(beside),
        repetitions=counted(repetitions, "repetition"),
        made=counted(made_columns, "column"),
    )
    if len(cases.names) == 1 and beside:
        told = f"{told} {_(_IN_ORDER_OF_TABLE)}"
    notes = (*_kept_notes(dataset, names), Note(RESHAPED, told))
    return Dataset(tuple(names.values()), tuple(columns), dataset.name, notes)


def is_of_instruments(dataset: Dataset) -> bool:
    """Tell whether a table is an export of REDCap with repeating instruments below their records."""
    return _instrument_of(dataset) is not None


def require_labels_of_records(dataset: Dataset, place: str) -> None:
    """Refuse labels without a value where rows were left out that may hold them."""
    if not any(note.topic == REPEATS for note in dataset.notes):
        return
    empty = [
        name for name in dataset.labels if missing_mask(dataset.variable(name), dataset.column(name)).all()
    ]
    if empty:
        template = for_count(len(empty), _LABEL_OF_REPEATS, _LABELS_OF_REPEATS)
        raise InvalidData(
            template.format(names=listed(empty)),
            place=place,
            remedy=naming_settings(
                _("To make each repetition a row, set {long}; to make each a column, set {wide}."),
                long=SettingName("shape", "long"),
                wide=SettingName("shape", "wide"),
            ),
        )


_LABEL_OF_REPEATS = N_(
    "the label {names} has no value in the rows of records, and rows of repeating instruments are left out."
)
_LABELS_OF_REPEATS = N_(
    "the labels {names} have no value in the rows of records, and rows of repeating instruments are left out."
)


def one_row_a_repetition(dataset: Dataset, place: str) -> Dataset:
    """Make a row of each repetition of an instrument, with what the record holds once filled in."""
    cases = _required(dataset, place)
    instrument = _instrument_of(dataset)
    assert instrument is not None
    repeats = dataset.column(instrument) != MISSING_CODE
    count = int(cases.case_of.max()) + 1
    columns = []
    for variable, column in zip(*_pairs(dataset), strict=True):
        is_present = ~missing_mask(variable, column)
        if variable.name in cases.names or (is_present & repeats).any():
            columns.append(column[repeats])
        else:
            once = _once(variable, column, cases.case_of, count)
            columns.append(column[repeats] if once is None else once[cases.case_of[repeats]])
    message = _(
        "Each repetition is a row: {rows} of {records}.",
        rows=counted(int(repeats.sum()), "row"),
        records=counted(count, "record"),
    )
    notes = (*(note for note in dataset.notes if note.topic != EMPTY_COLUMN), Note(RESHAPED, message))
    return Dataset(dataset.variables, tuple(columns), dataset.name, notes)


def _instrument_of(dataset: Dataset) -> str | None:
    for variable, column in zip(*_pairs(dataset), strict=True):
        if variable.name.strip().casefold() in _INSTRUMENTS and variable.kind is Kind.NOMINAL:
            is_repeat = column != MISSING_CODE
            return variable.name if is_repeat.any() and not is_repeat.all() else None
    return None


def _required(dataset: Dataset, place: str) -> RepeatedCases:
    cases = repeated_cases(dataset)
    if cases is not None:
        return cases
    for variable, column in zip(*_pairs(dataset), strict=True):
        is_absent = missing_mask(variable, column)
        present = column[~is_absent]
        if is_identifier_name(variable.name) and is_absent.any() and len(np.unique(present)) < len(present):
            without = counted(int(is_absent.sum()), "row")
            raise InvalidData(
                _(
                    "column '{name}' has no value in {without}, so their cases are not known.",
                    name=variable.name,
                    without=without,
                ),
                place=place,
                remedy=_("Fill in these values, or leave out the rows."),
            )
    raise InvalidData(_("no identifier of a case repeats."), place=place, remedy=_(LEAVE_SHAPE))


def _once(variable: Variable, column: np.ndarray, case_of: np.ndarray, count: int) -> np.ndarray | None:
    """Return the one value of each case; None where a case has several."""
    present = np.flatnonzero(~missing_mask(variable, column))
    nothing = MISSING_CODE if variable.kind is Kind.NOMINAL else np.nan
    values = np.full(count, nothing, dtype=column.dtype)
    # The first row of a case is written last.
    values[case_of[present[::-1]]] = column[present[::-1]]
    return values if bool((values[case_of[present]] == column[present]).all()) else None


def _at_each_time(
    variable: Variable, column: np.ndarray, cases: RepeatedCases, count: int
) -> Iterator[tuple[str, np.ndarray]]:
    """Give the values of each case at each time at which there is any."""
    is_present = ~missing_mask(variable, column)
    nothing = MISSING_CODE if variable.kind is Kind.NOMINAL else np.nan
    for place, time in enumerate(cases.times):
        rows = np.flatnonzero((cases.time_of == place) & is_present)
        if len(rows):
            values = np.full(count, nothing, dtype=column.dtype)
            values[cases.case_of[rows]] = column[rows]
            yield time, values


def _kept_notes(dataset: Dataset, names: Container[str]) -> Iterator[Note]:
    for note in dataset.notes:
        about = {note.variable, *note.columns} - {""}
        if note.topic != EMPTY_COLUMN and all(name in names for name in about):
            yield note


def cells_of(variable: Variable, column: np.ndarray) -> list[object]:
    """Return what stands in a column; None where nothing does."""
    if variable.kind is Kind.NOMINAL:
        levels: list[object] = [*variable.levels, None]
        return [levels[code] for code in column]
    return [None if np.isnan(value) else value for value in column.tolist()]


def typed_again(columns: Sequence[GivenColumn], options: ReadingOptions, place: str) -> Table:
    """Type columns that a table did not have when it was read."""
    told = ReadingOptions(
        decimal=options.decimal,
        missing_codes=options.missing_codes,
        also_missing=options.also_missing,
        not_missing=options.not_missing,
        categories=options.categories,
    )
    return table_of(columns, told, place, are_cases=True)
