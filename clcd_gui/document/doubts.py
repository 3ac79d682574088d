"""What a person should look at before a table is opened: where it is, and what can be done about it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

from clcd_gui.wording.setting_values import SettingChange, lower_first, value_text
from clcd_gui.wording.text import count_text, in_curved_marks
from engine.parameters import parameters_of
from engine.readers.cell_text import parse_number
from engine.readers.column_remarks import EMPTY_IS_NO, NAMED_ONCE, NOMINAL_CODES, TICKS
from engine.readers.data_dictionary import LABELS_READ
from engine.readers.limits import LIMITS, LIMITS_READ, MARKS, MARKS_READ, columns_with_limits
from engine.readers.missing_codes import of_column
from engine.readers.options import DECIMAL_MARKS, ReadingOptions
from engine.readers.ordered_words import ORDER
from engine.readers.reading import (
    BELOW,
    BESIDE,
    CODE_BOOK,
    DOUBTFUL_FOOTER,
    FOOTER,
    NO_CASES,
    REPEATS,
    RESHAPED,
    SAME_CASES,
    TITLES,
    TURNABLE,
    UNITS,
    UNNAMED_COLUMN,
    Beginning,
    Guess,
    Reading,
)
from engine.readers.remedies import NAMING_COLUMNS, OF_TABLES, OPTION_OF, settling
from engine.readers.several_answers import EMPTY_ANSWERS, SEVERAL_ANSWERS
from engine.readers.sheet_cells import (
    BELOW_RANGE,
    FAR_CELLS,
    FILLED_CELLS,
    HIDDEN_COLUMNS,
    HIDDEN_ROWS,
    SEEN_COLUMNS,
    SEEN_ROWS,
)
from engine.table.column_kinds import CODES, EMPTY_COLUMN, LEVELS_AS_WRITTEN, VERSIONS
from engine.table.identifiers import JOINED
from engine.table.row_weights import SURVEY_WEIGHTS
from engine.table.survey_columns import UNFINISHED, UNFINISHED_LEFT_OUT
from engine.table.variable import Kind
from engine.translation import N_, Message, _
from engine.wording.notes import Note
from engine.wording.numbers import number_text
from engine.wording.phrases import ended, plain_listing

_MOST_CODES_NAMED = 3
_OPTIONS_BY_NAME = {parameter.name: parameter for parameter in parameters_of(ReadingOptions)}

NOTHING_IN_DOUBT = N_("Nothing is in doubt about how the file is read.")


@dataclass(frozen=True, slots=True)
class CellPlace:
    """A cell of the first rows, or a whole row or column of them."""

    row: int | None
    column: int | None


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something about how a file is read that may be otherwise."""

    title: str
    text: str
    option: str = ""
    cell: CellPlace | None = None
    changes: tuple[SettingChange, ...] = ()
    is_serious: bool = True
    is_settled: bool = False
    about: tuple[object, ...] = ()  # topics, names and values of which it speaks
    columns: tuple[str, ...] = ()  # all that the text is about, if it does not name them all

    @property
    def stands_out(self) -> bool:
        """Whether it is more than something to be known."""
        return self.is_serious or self.is_settled

    @property
    def is_to_check(self) -> bool:
        """Whether an open table shows it among what to check: it can be put right, or rows are left out."""
        return bool(self.changes or self.option) and (self.stands_out or self.option == "other_rows")


_OF_ROWS = {
    "turned": N_("Turn rows and columns"),
    "long": N_("Read each visit as a row"),
    "wide": N_("Read each case as one row"),
    "keep": N_("Keep these rows"),
    "drop": N_("Leave these rows out"),
}
_OF_CELLS = {"keep": N_("Keep these cells")}
_OF_MERGED = {"keep": N_("Leave these cells empty")}
_OF_COLUMNS = {"drop": N_("Leave these columns out")}
_OF_REPETITIONS = {
    "wide": N_("Make each record one row"),
    "long": N_("Make each repetition a row"),
}
_TITLES = {
    "missing-code": N_("Read as missing"),
    "suspected-missing": N_("Perhaps missing"),
    "na-as-value": N_("NA as a value"),
    TICKS: N_("Ticks"),
    NAMED_ONCE: N_("Groups named once"),
    SEVERAL_ANSWERS: N_("Several answers in a cell"),
    EMPTY_ANSWERS: N_("Cells without an answer"),
    LIMITS: N_("Numbers with limits"),
    NOMINAL_CODES: N_("Numbers that may be codes"),
    SURVEY_WEIGHTS: N_("Survey weights"),
    ORDER: N_("Categories with an order"),
    "text-among-numbers": N_("Text among numbers"),
    MARKS: N_("Marks on numbers"),
    MARKS_READ: N_("Marks on numbers"),
    LIMITS_READ: N_("Numbers with limits"),
    "rows-dropped": N_("Rows left out"),
    NO_CASES: N_("Rows that are not cases"),
    REPEATS: N_("Repeating instruments"),
    UNFINISHED: N_("Unfinished answers"),
    UNFINISHED_LEFT_OUT: N_("Unfinished answers"),
    HIDDEN_ROWS: N_("Hidden rows"),
    SEEN_ROWS: N_("Hidden rows"),
    SEEN_COLUMNS: N_("Hidden columns"),
    FAR_CELLS: N_("Cells far from the table"),
    BELOW_RANGE: N_("Rows below the chosen cells"),
    FOOTER: N_("Remarks below the table"),
    DOUBTFUL_FOOTER: N_("Remarks below the table"),
    CODES: N_("Codes or numbers"),
    "dates": N_("Dates"),
    "date-order": N_("Day or month first"),
    "durations": N_("Durations"),
    "digit-codes": N_("Codes of digits"),
    VERSIONS: N_("Numbers or versions"),
    LEVELS_AS_WRITTEN: N_("Numbers or versions"),
    "thousands": N_("Marks between thousands"),
    "minus-behind": N_("Minus signs behind numbers"),
    "signs": N_("Currency or percent signs"),
    EMPTY_COLUMN: N_("Columns without values"),
    "formulas": N_("Formulas without values"),
    "formula-errors": N_("Errors in cells"),
    UNNAMED_COLUMN: N_("Column without a name"),
    "duplicate-name": N_("Columns of one name"),
    "garbled": N_("Garbled letters"),
    "similar-names": N_("Names that look alike"),
    "similar-categories": N_("Categories that look alike"),
    "row-names": N_("Names of rows"),
    "survey-rows": N_("Questions and keys"),
    "orange-header": N_("Types and roles"),
    UNITS: N_("Row of units"),
    TITLES: N_("Title above the table"),
    TURNABLE: N_("Features in rows"),
    BESIDE: N_("Visits beside each other"),
    BELOW: N_("Visits below each other"),
    RESHAPED: N_("Another shape"),
    CODE_BOOK: N_("Meanings of codes"),
    SAME_CASES: N_("Another sheet with these cases"),
    "second-names": N_("Second row of names"),
    "no-header": N_("No names of columns"),
    "blank-lines": N_("Blank lines"),
    "empty-rows": N_("Empty rows"),
    "empty-values": N_("Empty values"),
    "merged-cells": N_("Merged cells"),
    FILLED_CELLS: N_("Merged cells"),
    "blanks": N_("Blanks"),
    "stale-header": N_("Labels in the header"),
    "declared-missing": N_("Declared missing"),
    "partly-named": N_("Values partly named"),
    "left-out": N_("Left out"),
    "turned": N_("Turned"),
    JOINED: N_("Joined tables"),
    LABELS_READ: N_("Labels of columns"),
}
_SERIOUS = {
    "missing-code",
    "suspected-missing",
    "na-as-value",
    TICKS,
    NAMED_ONCE,
    SEVERAL_ANSWERS,
    EMPTY_ANSWERS,
    LIMITS,
    NOMINAL_CODES,
    "text-among-numbers",
    MARKS,
    "garbled",
    "rows-dropped",
    DOUBTFUL_FOOTER,
    "second-names",
    HIDDEN_ROWS,
    UNFINISHED,
    BELOW_RANGE,
    REPEATS,
    TURNABLE,
    BESIDE,
    CODE_BOOK,
    SAME_CASES,
}
_MISSING_CODE = "missing-code"
_TEXT = "text-among-numbers"
_SAID_WITH = {"missing_codes": _MISSING_CODE, "sheet": SAME_CASES}
"""Topics of notes that stand on the card of a guess."""


def doubts_of(
    reading: Reading, options: ReadingOptions, heeded: ReadingOptions | None = None
) -> tuple[Doubt, ...]:
    """List what a person should look at, what is serious or settled first.

    `heeded` are the options with what it was read, where some of `options` name columns that are not there.
    """
    finder = _Finder(reading)
    doubts = [
        *_from_guesses(reading, options, finder),
        *_from_notes(reading, options, finder),
        *_from_options(options, heeded or options, reading.dataset.names, reading.issues),
    ]
    # What is settled stays where it was, so that nothing moves under the pointer.
    places = {name: place for place, name in enumerate(_OPTIONS_BY_NAME)}

    def place(doubt: Doubt) -> tuple[bool, int]:
        option = doubt.changes[0].name if doubt.changes else doubt.option
        return not doubt.stands_out, places.get(option, len(places))

    return tuple(sorted(doubts, key=place))


def left_out_rows(reading: Reading) -> tuple[Doubt, ...]:
    """Return the rows that were left out of a whole table, each with the way back."""
    return tuple(
        Doubt(
            _(_TITLES[note.topic]),
            in_curved_marks(note.text),
            _OPTIONS[note.topic],
            changes=_of_table(note.topic),
            is_serious=False,
        )
        for note in reading.issues
        if note.topic in (NO_CASES, REPEATS, HIDDEN_ROWS, FAR_CELLS)
    )


def value_words(name: str, value: str) -> str:
    """Write the value of an option of reading as a person reads it."""
    parameter = _OPTIONS_BY_NAME.get(name)
    if parameter is None or parameter.kind != "choice":
        return value
    return value_text(parameter, value)


def automatic_words(name: str, value: str) -> str:
    """Write a value behind what it is called; what stands in the file keeps its capitals.

    >>> automatic_words("sheet", "Messungen"), automatic_words("delimiter", "semicolon")
    ('Messungen', 'semicolon')
    >>> value_words("delimiter", "semicolon")
    'Semicolon'
    """
    words = value_words(name, value)
    return words if words == value else lower_first(words)


def option_title(name: str) -> str:
    """Return what an option of reading is called."""
    parameter = _OPTIONS_BY_NAME.get(name)
    return _(name.capitalize() if parameter is None else parameter.title)


class _Finder:
    """Finds cells among the first rows."""

    def __init__(self, reading: Reading) -> None:
        self._beginning = reading.beginning or Beginning(())

    def column(self, name: str) -> int | None:
        columns = self._beginning.columns
        return columns.index(name) if name in columns else None

    def first(self, texts: Sequence[str], name: str = "") -> CellPlace | None:
        """Find the first cell of the table that holds one of these, in one column or in any."""
        wanted = set(texts)
        chosen = self.column(name) if name else None
        for row in self._beginning.data_rows:
            for column, cell in enumerate(self._beginning.rows[row].cells):
                if chosen in (None, column) and _plain(cell) in wanted:
                    return CellPlace(row, column)
        return None if chosen is None else CellPlace(None, chosen)

    def line(self, line: int) -> CellPlace | None:
        rows = (place for place, record in enumerate(self._beginning.rows) if record.line == line)
        return next((CellPlace(row, None) for row in rows), None)

    def _other_letters(self) -> CellPlace | None:
        """Find the first cell that is not plain ASCII."""
        for row, record in enumerate(self._beginning.rows):
            for column, cell in enumerate(record.cells):
                if not cell.isascii():
                    return CellPlace(row, column)
        return None

    def of_option(self, guess: Guess) -> CellPlace | None:
        """Find where one sees whether a guess is right."""
        if guess.name == "missing_codes":
            return self.first(guess.value.split(", "))
        if guess.name == "encoding":
            return self._other_letters()
        if guess.example:
            return self.first([_plain(guess.example)])
        if guess.name in ("skip_lines", "header"):
            return self.line(self._beginning.first_line)
        return None


def _plain(cell: str) -> str:
    """Write a number as codes for missing are written: -200,0 and -200.00 are both -200."""
    text = cell.strip()
    whole, mark, places = text.replace(",", ".").partition(".")
    return whole if mark and not places.strip("0") else text


def _from_guesses(reading: Reading, options: ReadingOptions, finder: _Finder) -> Iterator[Doubt]:
    for guess in reading.guesses:
        if guess.certain:
            continue
        title = _titled(guess)
        notes = [note for note in reading.issues if note.topic == _MISSING_CODE]
        text = guess.reason
        if guess.name == "missing_codes" and notes:
            text = " ".join(note.text for note in notes)
        changes = _other_readings(guess)
        if guess.name == "missing_codes":
            changes = _without_codes(notes, options)
        if guess.name == "sheet":
            joinable = [note for note in reading.issues if note.topic == SAME_CASES]
            text = " ".join((text, *(note.text for note in joinable)))
            changes = tuple(change for note in joinable for change in _changes(note, reading, options))
        is_serious = guess.name != "labels"
        about = (guess.value, guess.example, *(_about(note) for note in notes))
        place = finder.of_option(guess)
        yield Doubt(title, in_curved_marks(text), guess.name, place, changes, is_serious, about=about)


def _titled(guess: Guess) -> str:
    """Return what a guess is about with its value, or the cell that may be read otherwise."""
    if guess.name == "decimal" and guess.example:
        return _("Decimal mark or thousands: {example}", example=guess.example)
    return f"{option_title(guess.name)}: {automatic_words(guess.name, guess.value)}"


_AS_THOUSANDS = N_("Read {example} as {number} (thousands)")
_AS_DECIMAL = N_("Read {example} as {number} (decimal mark)")


def _other_readings(guess: Guess) -> tuple[SettingChange, ...]:
    """Offer the other decimal mark, or other encodings, with what becomes of cells by them."""
    if guess.name == "encoding":
        return tuple(
            SettingChange(
                ReadingOptions,
                "encoding",
                encoding,
                _("Read as {encoding}: {words}", encoding=value_words("encoding", encoding), words=words),
            )
            for encoding, words in guess.alternatives
        )
    if guess.name != "decimal":
        return ()
    other_mark = "point" if guess.value == "comma" else "comma"
    title = _("Read with a decimal {mark}", mark=lower_first(value_words("decimal", other_mark)))
    number = parse_number(guess.example, DECIMAL_MARKS[other_mark])
    if number is not None:
        template = _AS_THOUSANDS if number.is_integer() else _AS_DECIMAL
        title = _(template, example=guess.example, number=number_text(number))
    return (SettingChange(ReadingOptions, "decimal", other_mark, title),)


def _from_notes(reading: Reading, options: ReadingOptions, finder: _Finder) -> Iterator[Doubt]:
    notes: dict[str, list[Note]] = {}
    # Of a second table only the notes are known.
    said = {
        _SAID_WITH[guess.name] for guess in reading.guesses if guess.name in _SAID_WITH and not guess.certain
    }
    plain = ReadingOptions()
    with_text = {note.variable for note in reading.issues if note.topic == _TEXT}
    for number, note in enumerate(reading.issues):
        option = _SETTLED_BY.get(note.topic)
        if option is not None and getattr(options, option) != getattr(plain, option):
            # The card of what was chosen says it.
            continue
        if note.topic not in said:
            # Of what can be settled column by column, one card tells all columns.
            topic = _TEXT if note.topic == MARKS and note.variable in with_text else note.topic
            is_one = topic in _ONE_CARD or topic in _TOLD_TOGETHER
            notes.setdefault(topic if is_one else f"{number}", []).append(note)
    for kind in notes.values():
        # One card tells all odd cells of a column.
        columns = [column_note for column_note in kind if column_note.topic != MARKS] or kind
        note, title = columns[0], _(_TITLES.get(columns[0].topic, N_("Remark")))
        if len(columns) > 1 and note.topic not in _TOLD_TOGETHER:
            title = _("{title}: {count} columns", title=title, count=count_text(len(columns)))
        alike = _alike(columns)
        told = [_of_column(column, kind) for column, _others in alike[:_MOST_TOLD]]
        shown = _told_once(told, note.topic == "suspected-missing")
        if len(alike) == 1 and alike[0][1]:
            shown.append(_("The same holds for {count} more columns.", count=count_text(alike[0][1])))
        elif len(columns) > len(told):
            shown.append(_("{count} more columns are similar.", count=count_text(len(columns) - len(told))))
        yield Doubt(
            title,
            in_curved_marks(" ".join(shown)),
            _OPTIONS.get(note.topic, ""),
            finder.first(note.examples, note.variable) if note.variable else None,
            _changes_of_all(columns, options)
            if note.topic in _ONE_CARD
            else _changes(note, reading, options),
            note.topic in _SERIOUS,
            about=tuple(map(_about, kind)),
            columns=tuple(column.variable for column in columns) if len(columns) > len(told) else (),
        )


def _alike(notes: Sequence[Note]) -> list[tuple[Note, int]]:
    """Return each note, or one of many that say the same, with the number of the others."""
    by_words: dict[str, list[Note]] = {}
    for note in notes:
        words = note.text.replace(f"'{note.variable}'", "") if note.variable else note.text
        by_words.setdefault(words, []).append(note)
    alike = []
    for group in by_words.values():
        alike += [(group[0], len(group) - 1)] if len(group) > _MOST_APART else [(note, 0) for note in group]
    return alike


def _about(note: Note) -> tuple[object, ...]:
    return note.topic, note.variable, *note.columns, *note.examples, *_values_of(note.message)


def _values_of(text: str) -> Iterator[object]:
    """Yield what fills the places of a message, the same in every language."""
    if isinstance(text, Message):
        for value in text.values.values():
            yield [*_values_of(value)] if isinstance(value, Message) else str(value)


def _of_column(note: Note, notes: Sequence[Note]) -> str:
    """Return what is said of texts in a column, with what is said of marks on its numbers."""
    others = (remark for remark in notes if remark.topic == MARKS and remark.variable == note.variable)
    messages = [note.text, *(remark.text for remark in others if remark is not note)]
    return " ".join(_told_once(messages, False))


def _told_once(messages: Sequence[str], joins_words: bool) -> list[str]:
    """Return the sentences about several columns; what holds for all is said once.

    >>> _told_once(["A is 1. If so, stop.", "B is 2. If so, stop."], False)
    ['A is 1.', 'B is 2.', 'If so, stop.']
    >>> _told_once(["9 stands 3 times in “a”, alone.", "9 stands 3 times in “b”, alone."], True)
    ['9 stands 3 times in “a” and 3 times in “b”, alone.']
    >>> _told_once(["9 is in “a”. If it means missing, add it.", "NA is in “b”. If so, add it."], True)
    ['9 is in “a”.', 'NA is in “b”.', 'If these mean missing, add them to the missing values.']
    """
    if len(messages) < 2:
        return list(messages)
    if joins_words:
        words = [message.split(" ") for message in messages]
        start, end = _shared_ends(words)
        # How often is said of each column, even where that is the same.
        verb = next((place for place, word in enumerate(words[0]) if word in ("stand", "stands")), -1)
        start = min(start, verb + 1)
        apart = [" ".join(words_of_one[start : len(words_of_one) - end]) for words_of_one in words]
        if start and end and all(part.endswith(",") and ". " not in part for part in apart):
            listed = plain_listing([part[:-1] for part in apart])
            return [" ".join([*words[0][:start], f"{listed},", *words[0][-end:]])]
    sentences = [_SENTENCE_END.split(message) for message in messages]
    if joins_words:
        return [*(" ".join(sentence[:-1] or sentence) for sentence in sentences), _(_IF_MISSING)]
    end = _shared_ends(sentences)[1]
    end = min(end, *(len(sentence) - 1 for sentence in sentences))
    first = sentences[0]
    return [
        *(" ".join(sentence[: len(sentence) - end]) for sentence in sentences),
        *first[len(first) - end :],
    ]


def _shared_ends(parts: Sequence[Sequence[str]]) -> tuple[int, int]:
    """Count the first and the last parts that several texts have in common."""
    start, end = (
        next((place for place, pieces in enumerate(zip(*texts, strict=False)) if len(set(pieces)) > 1), 0)
        for texts in (parts, [part[::-1] for part in parts])
    )
    return start, end


_IF_MISSING = N_("If these mean missing, add them to the missing values.")
_SENTENCE_END = re.compile(r"(?<=[.?]) (?=[A-Z])")
_MOST_TOLD, _MOST_OFFERED, _MOST_APART = 5, 5, 3
_ONLY = N_("“{name}” only")
_IN_ONE = "“{name}”"
_BOTH, _ALL, _THESE = N_("both"), N_("all {count}"), N_("these")


def _changes_of_all(notes: Sequence[Note], options: ReadingOptions) -> tuple[SettingChange, ...]:
    """Offer to settle a kind of doubt, in one column alone or in all; no other column is touched."""
    name, verb = OPTION_OF[notes[0].topic], _REMEDIES[notes[0].topic]
    before = getattr(options, name) or ()
    # Of some it is said only what stands in the way.
    notes = [note for note in notes if settling(note)]
    settled = [settling(note) for note in notes]
    changes = []
    if len(notes) > 1:
        value = tuple(dict.fromkeys((*before, *(code for codes in settled for code in codes))))
        where = _(_BOTH) if len(notes) == 2 else _(_ALL, count=count_text(len(notes)))
        different = {code for note in notes for code in note.examples}
        title = _(verb, codes=different.pop() if len(different) == 1 else _(_THESE), where=where)
        changes.append(SettingChange(ReadingOptions, name, value, title))
    for note, codes in list(zip(notes, settled, strict=True))[:_MOST_OFFERED]:
        codes_text = plain_listing(note.examples, _MOST_CODES_NAMED)
        where = _(_ONLY if len(notes) > 1 else _IN_ONE, name=note.variable)
        are_alike = len(notes) > 1 and all(similar.examples == note.examples for similar in notes)
        # Of codes that are said above, a button has no room to say them again.
        title = _(_WITHOUT_CODES.get(verb, verb) if are_alike else verb, codes=codes_text, where=where)
        value = tuple(dict.fromkeys((*before, *codes)))
        changes.append(SettingChange(ReadingOptions, name, value, title))
    return tuple(changes)


_AS_MISSING = N_("Read {codes} as missing in {where}")
_AS_A_VALUE = N_("Read {codes} as a value in {where}")
_WITHOUT_CODES = {
    _AS_MISSING: N_("Read as missing in {where}"),
    _AS_A_VALUE: N_("Read as a value in {where}"),
}
_REMEDIES = {
    "suspected-missing": _AS_MISSING,
    "text-among-numbers": _AS_MISSING,
    "na-as-value": _AS_A_VALUE,
    TICKS: N_("Read empty as no in {where}"),
    EMPTY_ANSWERS: N_("Read empty as none chosen in {where}"),
    NAMED_ONCE: N_("Fill {where} down"),
    SEVERAL_ANSWERS: N_("Split {where} by answer"),
    LIMITS: N_("Read {where} as numbers"),
    NOMINAL_CODES: N_("Read {where} as categories"),
    ORDER: N_("Order the categories of {where}"),
    LEVELS_AS_WRITTEN: N_("Read {where} as numbers"),
    MARKS: N_("Read {where} as numbers"),
}
_ONE_CARD = frozenset(OPTION_OF)
_TOLD_TOGETHER = {EMPTY_COLUMN, "partly-named"}
_OPTIONS = {
    **OPTION_OF,
    **{topic: ways[-1][0] for topic, ways in OF_TABLES.items()},
    _MISSING_CODE: "not_missing",
    TITLES: "skip_lines",
    RESHAPED: "shape",
    CODE_BOOK: "code_book",
    SAME_CASES: "second_sheet",
    BELOW_RANGE: "cells",
}


def _of_table(topic: str) -> tuple[SettingChange, ...]:
    others = {
        REPEATS: _OF_REPETITIONS,
        FAR_CELLS: _OF_CELLS,
        FILLED_CELLS: _OF_MERGED,
        SEEN_COLUMNS: _OF_COLUMNS,
    }
    titles = _OF_ROWS | others.get(topic, {})
    return tuple(
        SettingChange(ReadingOptions, name, value, _(titles[value])) for name, value in OF_TABLES[topic]
    )


def _without_codes(notes: Sequence[Note], options: ReadingOptions) -> tuple[SettingChange, ...]:
    """Offer to take the codes that are in doubt for values, where they stand."""
    doubted = [(code, name) for note in notes for code in note.examples for name in note.columns]
    codes = plain_listing(list(dict.fromkeys(code for code, _ in doubted)), _MOST_CODES_NAMED)
    kept = (*(options.not_missing or ()), *(of_column(name, code) for code, name in doubted))
    title = _("Read {codes} as a value", codes=codes)
    return (SettingChange(ReadingOptions, "not_missing", tuple(dict.fromkeys(kept)), title),)


def _changes(note: Note, reading: Reading, options: ReadingOptions) -> tuple[SettingChange, ...]:
    if note.topic in OF_TABLES:
        return _of_table(note.topic)
    if note.topic == _MISSING_CODE:
        return _without_codes([note], options)
    if note.topic == CODE_BOOK:
        (sheet,) = note.examples
        return (
            SettingChange(
                ReadingOptions, "code_book", sheet, _("Use the words of sheet “{sheet}”", sheet=sheet)
            ),
        )
    if note.topic == BELOW_RANGE:
        (wider,) = note.examples
        return (SettingChange(ReadingOptions, "cells", wider, _("Read {wider}", wider=wider)),)
    if note.topic == SAME_CASES:
        (sheet,) = note.examples
        return (SettingChange(ReadingOptions, "second_sheet", sheet, _("Join sheet “{sheet}”", sheet=sheet)),)
    if note.topic == VERSIONS and note.examples:
        # Numbers of which some were merged, whether they are many or two.
        value = (*(options.categories or ()), note.variable)
        return (SettingChange(ReadingOptions, "categories", value, _("Read as categories")),)
    if note.topic in ("digit-codes", CODES) and note.variable:
        return _other_kind(note.variable, reading, options)
    return ()


_SETTLED_BY = {
    EMPTY_IS_NO: "empty_means_no",
    LIMITS_READ: "limits",
    MARKS_READ: "numbers",
    RESHAPED: "shape",
    **dict.fromkeys((HIDDEN_ROWS, SEEN_ROWS), "hidden_rows"),
    **dict.fromkeys((UNFINISHED, UNFINISHED_LEFT_OUT), "unfinished"),
    **dict.fromkeys((HIDDEN_COLUMNS, SEEN_COLUMNS), "hidden_columns"),
}
_SETTLED = {
    "also_missing": N_("Read as missing: {chosen}."),
    "not_missing": N_("Read as a value: {chosen}."),
    "categories": N_("Read as categories: {chosen}."),
    "numbers": N_("Read as numbers: {chosen}."),
    "empty_means_no": N_("An empty cell means “no” in {chosen}."),
    "filled_down": N_("Empty cells take the value above in {chosen}."),
    "several_answers": N_("Read as a column for each answer: {chosen}."),
    "ordered": N_("Read as categories with an order: {chosen}."),
    "limits": N_("Limits are read as numbers in {chosen}."),
}
_IS_SET = N_("“{title}” is set to “{chosen}”.")
_CODES_IN = N_("{codes} in “{name}”")
_TAKE_BACK, _TAKE_ALL_BACK = N_("Undo it"), N_("Undo all of it")
_TAKE_BACK_IN, _TAKE_BACK_CODES = N_("Undo it in “{name}” only"), N_("Undo {codes} only")
_WAYS_BACK = {
    ("other_rows", "keep"): N_("Leave these rows out"),
    ("hidden_rows", "keep"): N_("Leave these rows out"),
    **dict.fromkeys((("hidden_rows", "drop"), ("unfinished", "drop")), N_("Keep these rows")),
    ("hidden_columns", "drop"): N_("Read them"),
    **dict.fromkeys(
        (("shape", shape) for shape in ("turned", "long", "wide")), N_("Read it without changes")
    ),
}


def chosen_options(reading: Reading, options: ReadingOptions) -> tuple[tuple[str, str], ...]:
    """Return each option of reading that a person chose, with what was chosen as a sentence."""
    return tuple(_chosen(options, options, reading.dataset.names, reading.issues))


def _chosen(
    options: ReadingOptions, heeded: ReadingOptions, names: Collection[str], notes: Sequence[Note]
) -> Iterator[tuple[str, str]]:
    for parameter in parameters_of(ReadingOptions):
        value, read = getattr(options, parameter.name), getattr(heeded, parameter.name)
        if value in (None, parameter.default):
            continue
        absent = _absent(parameter.name, value, read)
        sentences = [_(_NOT_THERE, names=plain_listing([f"“{name}”" for name in absent]))]
        if value == read or read:
            parts = [text for text, _names, _value in _parts(parameter.name, read, names)]
            words = plain_listing(parts, _MOST_CHOSEN) or value_text(parameter, read)
            told = [note.text for note in notes if _SETTLED_BY.get(note.topic) == parameter.name]
            template = _SETTLED.get(parameter.name, _IS_SET)
            sentence = ended(_(template, title=_(parameter.title), chosen=words))
            if parameter.name not in _SETTLED and told:
                sentence = " ".join(told)
            sentences.insert(0, sentence)
        yield parameter.name, " ".join(sentences if absent else sentences[:1])


def _absent(option: str, value: object, read: object) -> list[str]:
    """Return the columns that a list names although they are not there."""
    if value == read or not isinstance(value, tuple):
        return []
    left_out = [text for text in value if not isinstance(read, tuple) or text not in read]
    if option in NAMING_COLUMNS:
        return left_out
    return list(dict.fromkeys(text.partition("=")[0] for text in left_out))


def of_columns_there(options: ReadingOptions, names: Collection[str]) -> ReadingOptions:
    """Leave out what is chosen of columns that are not there; all else stays.

    >>> told = ReadingOptions(ordered=("mood", "trust"), also_missing=("n/a", "trust=99"))
    >>> read = of_columns_there(told, ["mood", "age"])
    >>> read.ordered, read.also_missing
    (('mood',), ('n/a',))
    """
    prefixes = tuple(f"{name}: " for name in options.several_answers or () if name in names)

    def is_there(option: str, text: str) -> bool:
        if option in _NAMING_CODES:
            return text.find("=") < 1 or any(text.startswith(f"{name}=") for name in names)
        (name,) = columns_with_limits([text], list(names)) if option == "limits" else (text,)
        return name in names or name.startswith(prefixes)

    changed: dict[str, Any] = {}
    for option in (*NAMING_COLUMNS, *_NAMING_CODES):
        value = getattr(options, option) or ()
        changed[option] = tuple(text for text in value if is_there(option, text)) or None
    return replace(options, **changed)


def without_columns(options: ReadingOptions) -> ReadingOptions:
    """Leave out all that is chosen of columns."""
    changed: dict[str, Any] = dict.fromkeys((*NAMING_COLUMNS, *_NAMING_CODES))
    return replace(options, **changed)


_NAMING_CODES = ("also_missing", "not_missing")
_NOT_THERE = N_("The table, as it is read now, has no such column: {names}.")


_MOST_CHOSEN = 8


def _parts(option: str, value: object, names: Collection[str]) -> list[tuple[str, str, tuple[str, ...]]]:
    """Take a list apart by column: what is said of each, its name, and what stands in the list for it."""
    if not isinstance(value, tuple) or option not in _SETTLED:
        return []
    if option in NAMING_COLUMNS:
        return [(f"“{name}”", name, (name,)) for name in value]
    by_column: dict[str, list[str]] = {}
    names_there = frozenset(names)
    for code in value:
        # Both names and codes may hold the sign between them.
        beginnings = (code[: sign.start()] for sign in re.finditer("=", code))
        name = max((beginning for beginning in beginnings if beginning in names_there), key=len, default="")
        by_column.setdefault(name, []).append(code)
    parts = []
    for name, codes in by_column.items():
        texts = plain_listing([code[len(of_column(name, "")) if name else 0 :] for code in codes])
        parts.append((_(_CODES_IN, codes=texts, name=name) if name else texts, name, tuple(codes)))
    return parts


def ways_back(options: ReadingOptions) -> tuple[Doubt, ...]:
    """Return what a person decided of a file that cannot be read in this way."""
    return tuple(_from_options(options, options, (), ()))


def _from_options(
    options: ReadingOptions, heeded: ReadingOptions, names: Collection[str], notes: Sequence[Note]
) -> Iterator[Doubt]:
    """Return what a person decided, turned round: with the ways back."""
    for name, text in _chosen(options, heeded, names, notes):
        if name in _DECIDED:
            absent = _absent(name, getattr(options, name), getattr(heeded, name))
            changes = _ways_back(name, options, (*names, *absent))
            about = (str(getattr(options, name)), *absent)
            yield Doubt(option_title(name), in_curved_marks(text), name, None, changes, False, True, about)


def _ways_back(option: str, options: ReadingOptions, names: Collection[str]) -> tuple[SettingChange, ...]:
    """Offer to take back what was chosen, in one column alone or in all."""
    value, default = getattr(options, option), getattr(ReadingOptions(), option)
    parts = _parts(option, value, names)
    several = len(parts) > 1
    title = _TAKE_ALL_BACK if several else _WAYS_BACK.get((option, value), _TAKE_BACK)
    changes = [SettingChange(ReadingOptions, option, default, _(title))]
    for text, name, codes in parts[:_MOST_OFFERED] if several else ():
        title = _(_TAKE_BACK_IN, name=name) if name else _(_TAKE_BACK_CODES, codes=text)
        others = tuple(code for code in value if code not in codes)
        changes.append(SettingChange(ReadingOptions, option, others, title))
    return tuple(changes)


_DECIDED = frozenset({"decimal", *_OPTIONS.values()}) - {"skip_lines", "cells"}


def _other_kind(column: str, reading: Reading, options: ReadingOptions) -> tuple[SettingChange, ...]:
    """Offer to read a column of numbers as categories, and one of categories as numbers where it can be."""
    variable = reading.dataset.variable(column)
    is_number = variable.kind is Kind.CONTINUOUS
    if not is_number and not all(map(_is_finite, variable.levels)):
        return ()
    name = "categories" if is_number else "numbers"
    chosen = getattr(options, name) or ()
    title = _("Read as categories") if is_number else _("Read as numbers")
    return (SettingChange(ReadingOptions, name, (*chosen, column), title),)


def _is_finite(level: str) -> bool:
    try:
        return isfinite(float(level))
    except ValueError:
        return False
