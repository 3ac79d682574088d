"""The steps from a path to a reading: format, table, labels."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

from engine.errors import EngineError, InvalidData, InvalidParameter
from engine.parameters import listed_labels, parameters_of
from engine.readers.column_remarks import (
    NOMINAL_CODES,
    note_on_nominal_codes,
    note_on_survey_weights,
    note_on_ticks,
    notes_on_groups_named_once,
    with_empty_as_no,
    with_groups_in_each_row,
)
from engine.readers.data_dictionary import labels_of_fields, with_labels_of_fields
from engine.readers.formats import Format, format_of
from engine.readers.joining import join_label_table
from engine.readers.labels import (
    Labels,
    beside,
    choose_labels,
    is_list_of_labels,
    read_mulan_labels,
)
from engine.readers.limits import columns_with_limits, with_limits
from engine.readers.missing_codes import MissingCodes, without_codes
from engine.readers.near_numbers import with_bare_numbers
from engine.readers.options import DECIMAL_MARKS, ReadingOptions
from engine.readers.ordered_words import ORDER, note_on_order, with_proposed_order
from engine.readers.reading import BELOW, SAME_CASES, TURNABLE, UNITS, Guess, Reading, Table
from engine.readers.remedies import OF_TABLES
from engine.readers.repeated_cases import require_labels_of_records
from engine.readers.several_answers import (
    ABOUT_NUMBERS,
    ANSWERS_APART,
    SEVERAL_ANSWERS,
    note_on_answers,
    with_answers_as_columns,
)
from engine.readers.shapes import with_shape
from engine.readers.source import Source
from engine.table.column_kinds import MOST_CATEGORIES
from engine.table.dataset import Dataset, unknown_variable
from engine.table.identifiers import is_identifier_name, repeating_identifier
from engine.table.look_alikes import alike_texts, notes_about_similar_categories
from engine.table.repeated_rows import with_note_on_repeated_rows
from engine.table.survey_columns import columns_of_survey_program, unfinished_answers, without_unfinished
from engine.table.variable import Kind, Variable
from engine.translation import N_, _, for_count
from engine.wording.notes import Note, listed
from engine.wording.numbers import count_text
from engine.wording.phrases import as_listed, ended, plain_listing
from engine.wording.sentences import CHOOSE_ONE_WITH_DATA, NO_MEANING_FOR_FORMAT
from engine.wording.setting_names import SettingName, SettingText, naming_settings, the_setting

_MOST_GROUPS = 3

_NAMES = N_(
    "The columns {names} look alike but are different: their letters are encoded in two ways. If "
    "they are the same column, correct the file. Otherwise, rename one of them."
)


def notes_about_look_alikes(variables: Sequence[Variable]) -> list[Note]:
    """Point out what may be meant as one; nothing is merged.

    >>> ill = Variable("ill", Kind.NOMINAL, levels=("Yes", "no", "yes"))
    >>> notes_about_look_alikes([ill])[0].message[:80]
    "Categories of column 'ill' differ only in case, in blanks or in how letters are "
    """
    names = [variable.name for variable in variables]
    notes = [
        Note("similar-names", _(_NAMES, names=listed(group)), group[0])
        for group in alike_texts(names, lambda name: unicodedata.normalize("NFC", name))
    ]
    return notes + notes_about_similar_categories(variables)


def notes_about_garbled_letters(variables: Iterable[Variable]) -> list[Note]:
    """Say that letters were decoded wrongly before the file was written, as "MÃ¼digkeit" was.

    >>> notes_about_garbled_letters([Variable("GrÃ¶ÃŸe", Kind.CONTINUOUS)])[0].message[:61]
    "Names or categories look garbled, such as 'GrÃ¶ÃŸe' for 'Größ"
    """
    garbled = {
        text: mended
        for variable in variables
        for text in (variable.name, *variable.levels[:MOST_CATEGORIES])
        if not text.isascii() and (mended := _decoded_again(text)) is not None
    }
    if not garbled:
        return []
    text, mended = next(iter(garbled.items()))
    message = _(_GARBLED, count=count_text(len(garbled)), text=text, mended=mended)
    return [Note("garbled", message, examples=tuple(garbled)[:_MOST_GROUPS])]


def _decoded_again(text: str) -> str | None:
    """Return what UTF-8 says that was read as Windows or ISO Latin; None where it was not."""
    for encoding in ("cp1252", "latin-1"):
        try:
            return text.encode(encoding).decode("utf-8")
        except UnicodeError:
            continue
    return None


_GARBLED = N_(
    "Names or categories look garbled, such as '{text}' for '{mended}' (all: {count}). "
    "The file was read in a wrong encoding before it was written. Export it from its source again, as UTF-8."
)


MEANINGS = ("empty_means_no", "filled_down", "several_answers", "ordered", "limits")
"""Fields of :class:`~engine.readers.options.ReadingOptions` that say it."""


def with_meanings(dataset: Dataset, options: ReadingOptions, decimal: str = ".") -> Dataset:
    """Read columns as a person says, and note of others what they seem to be."""
    if dataset.coded is not None:
        return dataset
    if options.unfinished == "drop":
        dataset = without_unfinished(dataset)
    dataset = with_limits(dataset, options.limits or (), decimal)
    dataset = with_bare_numbers(dataset, options.numbers or (), decimal)
    split, empty = options.several_answers or (), options.empty_means_no or ()
    dataset = with_empty_as_no(dataset, [name for name in empty if name not in split])
    dataset = with_answers_as_columns(dataset, split, empty)
    dataset = with_proposed_order(dataset, options.ordered or ())
    suspected = {note.variable: note.examples for note in dataset.notes if note.topic == "suspected-missing"}
    settled = {*(options.numbers or ()), *(options.categories or ()), *columns_of_survey_program(dataset)}
    notes = [
        note
        for variable, column in zip(dataset.variables, dataset.columns, strict=True)
        if variable.name not in settled
        and (note := _note(dataset, variable, column, suspected.get(variable.name, ()))) is not None
    ]
    may_be_codes = [note.variable for note in notes if note.topic == NOMINAL_CODES]
    notes += notes_on_groups_named_once(dataset)
    if any(map(is_identifier_name, may_be_codes)):
        # Rows are grouped by it, whatever its numbers are.
        identifier = repeating_identifier(dataset)
        notes = [note for note in notes if note.topic != NOMINAL_CODES or note.variable != identifier]
    if (unfinished := unfinished_answers(dataset)) is not None:
        notes.append(unfinished[1])
    seem_no_numbers = [note.variable for note in notes if note.topic in (SEVERAL_ANSWERS, ORDER)]
    no_numbers = [*seem_no_numbers, *(options.ordered or ())]
    for topic in ABOUT_NUMBERS if no_numbers else ():
        dataset = dataset.without_notes(topic, *no_numbers)
    return dataset.with_notes(notes)


def _note(dataset: Dataset, variable: Variable, column: np.ndarray, suspected: Sequence[str]) -> Note | None:
    """Remark on a column; where some values may mean missing, only on codes, which the others are, too."""
    if suspected:
        is_number = variable.kind is Kind.CONTINUOUS
        others = without_codes(column, suspected, ".") if is_number else column
        are_codes = is_number and note_on_nominal_codes(variable, others) is not None
        return note_on_nominal_codes(variable, column) if are_codes else None
    if variable.kind is Kind.CONTINUOUS:
        return note_on_nominal_codes(variable, column) or note_on_survey_weights(variable, column)
    if variable.level_count == 2:
        return None
    return (
        note_on_ticks(variable, column)
        or note_on_order(variable)
        or note_on_answers(dataset, variable, column)
    )


def read_file(path: Path, labels: Labels, options: ReadingOptions, row_limit: int | None) -> Reading:
    """Read a file; the parameters are those of :func:`engine.readers.read_table`."""
    source = Source(path)
    file_format = format_of(source, options)
    require_heeded(options, file_format)
    table = with_groups_in_each_row(file_format.read(source, options, row_limit), options.filled_down or ())
    label_file = Source(Path(labels)) if isinstance(labels, (str, os.PathLike)) else None
    holds_labels = label_file is not None and not is_list_of_labels(label_file)
    second_file = label_file if holds_labels else source if options.second_sheet is not None else None
    issues = (
        *table.issues,
        *notes_about_look_alikes(table.variables),
        *notes_about_garbled_letters(table.variables),
    )
    dataset = Dataset(table.variables, table.columns, path.name, issues, table.coded)
    guessed = {guess.name: guess.value for guess in reversed(table.guesses)}
    decimal = DECIMAL_MARKS[options.decimal or guessed.get("decimal", "point")]
    dataset = with_shape(dataset, options, decimal, source.place)
    names, guesses = [variable.name for variable in (*table.variables, *dataset.variables)], table.guesses
    if second_file is not None:
        read = (options.sheet or guessed.get("sheet", "")) if second_file.path == source.path else ""
        with _naming_shape(dataset):
            dataset, second = _joined(dataset, second_file, options, read, complete=row_limit is None)
        names += [variable.name for variable in second.variables]
        # Where two sheets are joined, which of them is read first is no doubt.
        settled = [
            replace(guess, certain=guess.certain or bool(read)) for guess in guesses if guess.name == "sheet"
        ]
        guesses = (*settled, *(guess for guess in guesses if guess.name != "sheet"), *second.guesses)
    _require_columns(MissingCodes.of(options), names)
    for name in options.filled_down or ():
        if name not in names:
            error = unknown_variable(name, list(dict.fromkeys(names)))
            error.place = the_setting("filled_down")
            raise error
    dataset = with_meanings(dataset, options, decimal)
    if labels is None:
        declared = [name for name in table.declared_labels if name in dataset.names]
        dataset = dataset.with_labels(declared).with_notes(_contradictions(table, path))
    elif not isinstance(labels, (str, os.PathLike)):
        with _naming_guessed_encoding(table.guesses), _naming_shape(dataset):
            dataset = _with_names(dataset, labels)
    elif label_file is not None and not holds_labels:
        dataset = choose_labels(dataset, read_mulan_labels(label_file), label_file.place)
    if labels is not None and table.complete:
        require_labels_of_records(dataset, source.place)
    dataset = _with_chosen_kinds(dataset, options)
    if row_limit is None and table.coded is None:
        dataset = with_note_on_repeated_rows(dataset)
    guesses = tuple(guess for guess in guesses if labels is None or guess.name != "labels")
    return Reading(
        dataset,
        path,
        file_format.name,
        guesses,
        dataset.notes,
        table.complete,
        table.beginning,
        label_file.path if label_file is not None and holds_labels else None,
    )


def _require_columns(told: MissingCodes, names: Sequence[str]) -> None:
    """Refuse what is to mean missing in one column, or not to, where there is no such column."""
    for code in told.columns:
        if not any(code.startswith(f"{name}=") for name in names):
            error = unknown_variable(code.partition("=")[0], list(dict.fromkeys(names)))
            error.place = the_setting("also_missing" if code in told.also else "not_missing")
            raise error
        if code.removesuffix("=") in names and code not in names:
            raise InvalidParameter(
                _("{code!r} names no value.", code=code),
                place=the_setting("also_missing" if code in told.also else "not_missing"),
                remedy=_("Write the column, an equals sign and the value, such as trust=99."),
            )


# Where nothing can be hidden, leaving out what is hidden leaves out nothing.
_OF_EVERY_FORMAT = (
    *("format", "categories", "numbers", "shape", "second_sheet", "hidden_rows", "hidden_columns"),
    "unfinished",
    *MEANINGS,
)


def require_heeded(options: ReadingOptions, file_format: Format) -> None:
    """Refuse options that say nothing about a file, which would be read as if they were not there.

    >>> from engine.readers.formats import formats
    >>> require_heeded(ReadingOptions(sheet="B"), formats()["spreadsheet"])
    >>> require_heeded(ReadingOptions(header=True), formats()["r"])
    Traceback (most recent call last):
    engine.errors.InvalidParameter: setting 'header': it has no meaning for the format R data. Leave it out.
    """
    heeded = (*_OF_EVERY_FORMAT, *file_format.options)
    others = [
        the_setting(parameter.name)
        for parameter in parameters_of(ReadingOptions)
        if parameter.name not in heeded and getattr(options, parameter.name) != parameter.default
    ]
    if others:
        raise InvalidParameter(
            _(NO_MEANING_FOR_FORMAT, title=_(file_format.title)),
            place=others[0],
            remedy=naming_settings(
                for_count(len(others), "Leave it out.", "Leave out {settings}."),
                settings=SettingText(*as_listed(others)),
            ),
        )


def _with_chosen_kinds(dataset: Dataset, options: ReadingOptions) -> Dataset:
    """Read columns as categories or numbers where a person says so, and stop doubting those."""
    limits = columns_with_limits(options.limits or (), dataset.names)
    both = set(options.categories or ()) & {*(options.numbers or ()), *limits}
    if both:
        raise InvalidParameter(
            _("{name!r} is to be categories and numbers at once.", name=min(both)),
            place=the_setting("categories"),
            remedy=_("Choose one."),
        )
    for kind, names in ((Kind.NOMINAL, options.categories), (Kind.CONTINUOUS, options.numbers)):
        for name in names or ():
            dataset = dataset.with_kind(name, kind)
    return dataset


@contextmanager
def _naming_guessed_encoding(guesses: Iterable[Guess]) -> Iterator[None]:
    """Say of a name that is no column that the encoding of the names is a guess, where it is not certain."""
    try:
        yield
    except InvalidParameter as error:
        guess = next(
            (
                encoding_guess
                for encoding_guess in guesses
                if encoding_guess.name == "encoding" and not encoding_guess.certain
            ),
            None,
        )
        if guess is not None:
            doubt = naming_settings(
                _("If names look wrong, set {setting}, as {encoding} is a guess."),
                setting=SettingName("encoding"),
                encoding=guess.value,
            )
            error.remedy = SettingText(error.remedy, " ", doubt)
        raise


@contextmanager
def _naming_shape(dataset: Dataset) -> Iterator[None]:
    """Say of labels that do not fit that the table seems to have another shape, where it does."""
    try:
        yield
    except (InvalidData, InvalidParameter) as error:
        note = next((note for note in dataset.notes if note.topic in (TURNABLE, BELOW)), None)
        if note is not None:
            ((option, shape),) = OF_TABLES[note.topic]
            step = naming_settings(_("Set {setting}."), setting=SettingName(option, shape))
            error.remedy = SettingText(note.message, " ", step, " ", error.remedy)
        raise


def _with_names(dataset: Dataset, labels: Iterable[str]) -> Dataset:
    """Make columns the labels, which may be named without their units; of answers, all columns are meant."""
    names = listed_labels(labels)
    plain = {
        without: name
        for note in dataset.notes
        if note.topic == UNITS
        for without, name in zip(note.examples, note.columns, strict=True)
        if without not in dataset.names
    }
    new_columns = {
        note.variable: note.columns
        for note in dataset.notes
        if note.topic == ANSWERS_APART and note.variable not in dataset.names
    }
    return choose_labels(
        dataset, [column for name in names for column in new_columns.get(name, (plain.get(name, name),))]
    )


def _joined(
    dataset: Dataset, source: Source, options: ReadingOptions, read: str, *, complete: bool
) -> tuple[Dataset, Table]:
    """Join a second table whole; of a workbook, take the first other sheet that can be joined."""
    own = ReadingOptions(
        sheet=options.second_sheet,
        also_missing=_for_one_column(options.also_missing),
        not_missing=_for_one_column(options.not_missing),
        categories=options.categories,
        filled_down=options.filled_down,
    )
    file_format = format_of(source, own)
    if own.sheet is not None and "sheet" not in file_format.options:
        raise InvalidParameter(
            _(NO_MEANING_FOR_FORMAT, title=_(file_format.title)),
            place=the_setting("second_sheet"),
            remedy=_("Leave it out."),
        )
    first = _second_table(file_format, source, own)
    if labels := labels_of_fields(first):
        return with_labels_of_fields(dataset, labels, source.path.name), replace(first, guesses=())
    chosen = next((guess for guess in first.guesses if guess.name == "sheet"), None)
    if chosen is None:
        joined = join_label_table(dataset, first, source.place, complete=complete)
        return joined, replace(first, guesses=())
    candidates = tuple(sheet for sheet in chosen.choices if sheet != read)
    problem = InvalidData(
        _("no other sheet holds a table."), place=source.place, remedy=_(CHOOSE_ONE_WITH_DATA)
    )
    for sheet in candidates:
        try:
            is_first = sheet == chosen.value
            table = first if is_first else _second_table(file_format, source, replace(own, sheet=sheet))
            joined = join_label_table(dataset, table, source.place, complete=complete)
        except InvalidData as error:
            problem = error if sheet == candidates[0] else problem
            continue
        is_only = len(candidates) == 1
        reason = _(_ONLY_SHEET) if is_only else ended(_(_FIRST_SHEET, sheets=plain_listing(candidates)))
        return joined, replace(table, guesses=(Guess("second_sheet", sheet, reason, is_only, candidates),))
    raise problem


def _second_table(file_format: Format, source: Source, options: ReadingOptions) -> Table:
    """Read a table that is joined to another; nothing is joined to it."""
    table = with_groups_in_each_row(file_format.read(source, options, None), options.filled_down or ())
    return replace(table, issues=tuple(note for note in table.issues if note.topic != SAME_CASES))


_ONLY_SHEET = N_("It is the only sheet that can be joined.")
_FIRST_SHEET = N_("It is the first that can be joined of the sheets {sheets}.")


def _for_one_column(codes: Sequence[str] | None) -> tuple[str, ...] | None:
    return tuple(code for code in codes or () if code.find("=") > 0) or None


def _contradictions(table: Table, path: Path) -> list[Note]:
    """Warn of a header whose labels are not those of the XML file beside the data."""
    companion = beside(path) if table.declared_labels else None
    if companion is None:
        return []
    try:
        names = read_mulan_labels(Source(companion))
    except EngineError:
        # A damaged neighbour that nobody asked for is no reason to refuse the data.
        return []
    if set(names) == set(table.declared_labels):
        return []
    message = _(
        "The header names other labels than '{name}', which lies beside the data. Such headers "
        "are often out of date; choose the XML file unless you know better.",
        name=companion.name,
    )
    return [Note("stale-header", message)]
