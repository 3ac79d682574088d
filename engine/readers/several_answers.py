"""Cells that hold several answers, such as "pain; cough": found, and read as one column for each answer."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from string import ascii_lowercase, ascii_uppercase

import numpy as np

from engine.errors import InvalidData
from engine.table.dataset import Dataset
from engine.table.variable import MISSING_CODE, Kind, Variable, free_name
from engine.translation import N_, _
from engine.wording.notes import Note, listed
from engine.wording.numbers import count_text, counted

SEVERAL_ANSWERS = "several-answers"
"""Topic of the notes about columns with several answers in a cell."""
EMPTY_ANSWERS = "empty-answers"
"""Topic of the notes about columns of answers that are missing where no answer stands."""
ANSWERS_APART = "answers-apart"
"""Topic of the note that names the columns that were made of answers."""

ABOUT_NUMBERS = ("marks-on-numbers", "text-among-numbers")
"""Topics of notes that take answers such as 1,3 for numbers."""

# The first that stands between answers is taken; a blank stands within answers, too.
_QUOTED = ("', '", "','", '", "', '","')
_TOGETHER = ""
"""Stands for letters that are written without a mark, as ABD is."""
_SEPARATORS = (
    *(*_QUOTED, ";", "；", "|", "｜", "\n", "、", "，", ",", "/", "+", "&", "#", " - ", "-"),
    *(" and ", " und ", " et ", " en ", " y ", " e ", " oraz ", " i ", " и ", "和", " ", _TOGETHER),
)
# Between two numbers these also make a fraction, a sum or thousands: 1,5 and 120/80 and 1 200.
_ALSO_IN_NUMBERS = frozenset({",", "/", "+", " ", "-"})
# What may stand within an answer of words: "I read books, magazines" and "non-smoker".
_WITHIN_ANSWERS = frozenset({",", "，", "、", "/"})
_ONLY_BETWEEN_CODES = "-"
_CODE = re.compile(r"0|[1-9]\d{0,2}")
_LIST = re.compile(r"\[(.*)\]", re.DOTALL)
# "Left and right" beside "left" and "right" is a third kind, and so is "A/B" beside arms A and B.
_SIDE_WORDS = """
left right links rechts gauche droite droit izquierda derecha izquierdo derecho sinistra destra sinistro
destro esquerda direita lewa prawa lewy prawy upper lower male female day night
"""
_SIDES = frozenset(_SIDE_WORDS.split())
_LONGEST_NAME_OF_ARM = 2
_FEWEST_LETTERS = 3
_MOST_ANSWERS = 40
_LEAST_SHARE = 0.05
_MOST_LETTERS = 60
_MOST_TEXTS = 2000
_LOOKED_AT = 100
_NONE = frozenset(
    {"none", "no", "keine", "keins", "aucun", "aucune", "ninguno", "nessuno", "nenhum", "geen", "brak"}
)
_YES_NO = ("no", "yes")


def answers_in(levels: Sequence[str], counts: Sequence[int]) -> tuple[str, tuple[str, ...]] | None:
    """Find which mark stands between answers, and the different answers; None where each cell holds one.

    >>> answers_in(["pain", "cough", "pain; cough", "none"], [9, 8, 7, 5])
    (';', ('pain', 'cough', 'none'))
    >>> answers_in(["1", "3", "5", "1 3", "1 3 5"], [9, 8, 7, 5, 2])
    (' ', ('1', '3', '5'))
    >>> answers_in(["Smith, Anna", "Jones, Tom", "Miller, Eve"], [1, 1, 1]) is None
    True
    """
    if not 3 <= len(levels) <= _MOST_TEXTS:
        return None
    written = "\0".join(levels)
    has_marks = not written.replace("\0", "").isalpha() or not written.isascii()
    for mark in _SEPARATORS if has_marks else (_TOGETHER,):
        if mark not in written or (mark == _TOGETHER and not _are_letters(levels)):
            continue
        if _are_no_answers(levels[:_LOOKED_AT], mark):
            continue
        split = _kept_together([_parts(level, mark) for level in levels], mark)
        several = sum(count for parts, count in zip(split, counts, strict=True) if len(parts) > 1)
        if several < max(_LEAST_SHARE * sum(counts), 2):
            continue
        answers = Counter(part for parts in split for part in dict.fromkeys(parts))
        together = Counter(part for parts in split if len(parts) > 1 for part in parts)
        if _are_sides(answers) or (mark == _ONLY_BETWEEN_CODES and not all(map(str.isdecimal, together))):
            continue
        if _are_answers(split, answers, together) and _may_be_codes(mark, split, answers):
            return mark, tuple(_in_order(answers))
    return None


def _are_no_answers(levels: Iterable[str], mark: str) -> bool:
    """Tell by some cells that parts are no answers: numbers that are no codes, as of dates, or too many."""
    parts = {part for level in levels for part in _parts(level, mark)}
    numbers = set(filter(_is_number, parts))
    if not all(map(_CODE.fullmatch, numbers)):
        return True
    # Words may be put together again.
    return len(numbers if mark in _WITHIN_ANSWERS else parts) > _MOST_ANSWERS


def taken_apart(text: str, levels: Sequence[str], counts: Sequence[int]) -> tuple[str, ...]:
    """Return the answers of one cell: of "B,D" two, where A, B, C and D are answers of the column.

    >>> taken_apart("B,D", ["A", "B", "D", "B,D", "A,B,D"], [9, 8, 7, 5, 2])
    ('B', 'D')
    """
    answers = answers_in(levels, counts)
    return (text,) if answers is None else _parts(text, answers[0])


def _are_sides(answers: Iterable[str]) -> bool:
    """Tell whether two answers are sides or arms, so that both together are a third kind."""
    words = [answer.casefold() for answer in answers if answer.casefold() not in _NONE]
    return len(words) < 3 and (
        max(map(len, words), default=0) <= _LONGEST_NAME_OF_ARM or not _SIDES.isdisjoint(words)
    )


def _are_letters(levels: Iterable[str]) -> bool:
    """Tell whether texts are letters in their order, such as A, BD and ABD: AB beside O is a blood group."""
    letters = [level for level in levels if level.casefold() not in _NONE]
    if not _FEWEST_LETTERS <= max(map(len, letters), default=0) <= len(ascii_lowercase):
        return False
    used = "".join(sorted(set("".join(letters))))
    first_letters = (used == letters_from[: len(used)] for letters_from in (ascii_lowercase, ascii_uppercase))
    return (
        len(used) >= _FEWEST_LETTERS
        and any(first_letters)
        and all(list(letter) == sorted(set(letter)) for letter in letters)
    )


def _kept_together(split: list[tuple[str, ...]], mark: str) -> list[tuple[str, ...]]:
    """Put parts together again that never stand apart: an option that holds the mark itself.

    >>> _kept_together([("books", "papers", "TV"), ("TV",), ("books", "papers")], ",")
    [('books, papers', 'TV'), ('TV',), ('books, papers',)]
    """
    if mark not in _WITHIN_ANSWERS:
        return split
    while True:
        times = Counter(part for parts in split for part in parts)
        pairs = Counter(pair for parts in split for pair in pairwise(parts))
        never_apart = (
            pair
            for pair, count in pairs.items()
            if count == times[pair[0]] == times[pair[1]] and not any(map(_is_number, pair))
        )
        pair = next(never_apart, None)
        if pair is None:
            return split
        split = [_with_one(parts, pair, mark) for parts in split]


def _with_one(parts: tuple[str, ...], pair: tuple[str, str], mark: str) -> tuple[str, ...]:
    if pair[0] not in parts:
        return parts
    place = parts.index(pair[0])
    blank = " " if mark == "," else ""
    return (*parts[:place], f"{pair[0]}{mark}{blank}{pair[1]}", *parts[place + 2 :])


def _gave(level: str, answer: str, mark: str) -> bool:
    """Tell whether an answer is among those of a cell."""
    return {*_parts(answer, mark)} <= {*_parts(level, mark)}


def _parts(level: str, mark: str) -> tuple[str, ...]:
    """Take answers apart; a list of JSON has brackets around all and quotation marks around each."""
    if mark == _TOGETHER:
        return (level,) if level.casefold() in _NONE else tuple(level)
    if mark in _QUOTED:
        return tuple(part for piece in level.strip("[]").split(mark) if (part := piece.strip(" \t\n\"'")))
    if content := _LIST.fullmatch(level):
        return tuple(part for piece in content[1].split(mark) if (part := piece.strip(" \t\n\"'")))
    return tuple(part for piece in level.split(mark) if (part := piece.strip()))


def _in_order(answers: Iterable[str]) -> list[str]:
    """Put codes in the order of their numbers, and leave words as they come."""
    names = list(answers)
    return sorted(names, key=int) if all(map(str.isdecimal, names)) else names


def _may_be_codes(mark: str, split: Sequence[tuple[str, ...]], answers: Iterable[str]) -> bool:
    """Tell whether answers that are numbers are codes of answers, and not parts of larger numbers."""
    numbers = [answer for answer in answers if _is_number(answer)]
    if not numbers:
        return True
    return all(map(_CODE.fullmatch, numbers)) and (mark not in _ALSO_IN_NUMBERS or max(map(len, split)) > 2)


def _are_answers(split: Sequence[tuple[str, ...]], answers: Counter[str], together: Counter[str]) -> bool:
    """Tell whether parts are answers: few, none twice in a text, alone and together, or ordered codes."""
    if not 2 <= len(answers) <= _MOST_ANSWERS or len(split) < len(answers):
        return False
    if any(len(set(parts)) < len(parts) for parts in split):
        return False
    if max(map(len, answers)) > _MOST_LETTERS:
        return False
    alone = {parts[0] for parts in split if len(parts) == 1}
    return (
        (sum(part in alone for part in together) >= len(together) / 2 or _are_codes_in_order(split))
        and min(together.values()) >= 1
        and (sum(together.values()) >= 2 * len(together) or len(alone) == len(answers))
    )


def _are_codes_in_order(split: Iterable[tuple[str, ...]]) -> bool:
    """Tell whether all parts are codes from low to high, as survey programs write them."""
    given = [parts for parts in split if not _NONE.issuperset(map(str.casefold, parts))]
    return all(map(_CODE.fullmatch, chain.from_iterable(given))) and all(
        int(before) < int(after) for parts in given for before, after in pairwise(parts)
    )


def _answers_as_told(levels: Sequence[str]) -> tuple[str, tuple[str, ...]] | None:
    """Find what stands between answers in a column of which a person says that it holds several in a cell."""
    for mark in _SEPARATORS:
        if mark == _TOGETHER:
            continue
        split = _kept_together([_parts(level, mark) for level in levels], mark)
        answers = dict.fromkeys(part for parts in split for part in parts)
        if max(map(len, split), default=0) > 1 and len(answers) <= _MOST_ANSWERS:
            return mark, tuple(_in_order(answers))
    return None


def _is_number(text: str) -> bool:
    return re.fullmatch(r"[-+]?[\d.,:]+", text) is not None


def note_on_answers(dataset: Dataset, variable: Variable, column: np.ndarray) -> Note | None:
    """Say that cells of a column hold several answers; None where they do not."""
    if variable.kind is Kind.CONTINUOUS or variable.level_count < 3:
        return None
    counts = np.bincount(column[column != MISSING_CODE], minlength=variable.level_count)
    separated = answers_in(variable.levels, counts.tolist())
    if separated is None:
        return None
    mark, answers = separated
    there = _columns_there(dataset, variable, column, mark, answers)
    missing = [answer for answer in _named(answers) if answer not in there]
    told = _(_CELLS_HOLD, name=variable.name, answers=listed(_named(answers)))
    columns = [_(_THERE, columns=listed(list(there.values())))] if there else []
    columns += [_(_CAN_BE_READ, columns=counted(len(missing), "column"))] if missing else [_(_IS_LEFT_OUT)]
    return Note(SEVERAL_ANSWERS, " ".join((told, *columns)), variable.name)


_CELLS_HOLD = N_("Cells of column '{name}' hold several answers, such as {answers}.")
_CAN_BE_READ = N_("They can be read as {columns} of yes and no.")
_THERE = N_("Columns of such answers are there already: {columns}.")
_IS_LEFT_OUT = N_("The column itself can be left out.")


def _named(answers: Iterable[str]) -> list[str]:
    """Leave out answers that say that there is none."""
    return [answer for answer in answers if answer.casefold() not in _NONE]


def _columns_there(
    dataset: Dataset, variable: Variable, column: np.ndarray, mark: str, answers: Iterable[str]
) -> dict[str, str]:
    """Return the columns that say already who gave an answer, as Kobo and others write them beside it."""
    present = column != MISSING_CODE
    there = {}
    for answer in _named(answers):
        gave = np.array([_gave(level, answer, mark) for level in variable.levels])[column]
        for candidate, codes in zip(dataset.variables, dataset.columns, strict=True):
            if candidate.level_count != 2 or not candidate.name.casefold().endswith(answer.casefold()):
                continue
            both = present & (codes != MISSING_CODE)
            if both.any() and np.array_equal(codes[both] == 1, gave[both]):
                there[answer] = candidate.name
                break
    return there


def with_answers_as_columns(
    dataset: Dataset, names: Iterable[str], empty_means_none: Collection[str] = ()
) -> Dataset:
    """Read cells of several answers as one column for each; an empty cell is missing, or no if so told."""
    for name in names:
        variable, column = dataset.variable(name), dataset.column(name)
        separated = None
        if variable.kind is Kind.NOMINAL:
            counts = np.bincount(column[column != MISSING_CODE], minlength=variable.level_count).tolist()
            separated = answers_in(variable.levels, counts) or _answers_as_told(variable.levels)
        if separated is None:
            raise InvalidData(
                _("its cells do not hold several answers."),
                place=_("column '{name}'", name=name),
                remedy=_("Leave it as it is."),
            )
        before = set(dataset.names)
        mark, answers = separated
        there = _columns_there(dataset, variable, column, mark, answers)
        new = [answer for answer in _named(answers) if answer not in there]
        where_empty = 0 if name in empty_means_none else MISSING_CODE
        dataset = _replaced(dataset, variable, column, mark, new, where_empty)
        for topic in (SEVERAL_ANSWERS, *ABOUT_NUMBERS, "suspected-missing"):
            dataset = dataset.without_notes(topic, name)
        column_names = [
            *there.values(),
            *(column_name for column_name in dataset.names if column_name not in before),
        ]
        message = _(
            "Column '{name}' is read as a column for each answer: {column_names}.",
            name=name,
            column_names=listed(column_names),
        )
        told = [Note(ANSWERS_APART, message, name, columns=tuple(column_names))]
        empty = int(np.count_nonzero(column == MISSING_CODE))
        if new and empty and name not in empty_means_none:
            rows = counted(len(column), "row")
            message = _(_EMPTY, name=name, empty=count_text(empty), rows=rows)
            told.append(Note(EMPTY_ANSWERS, message, name))
        dataset = dataset.with_notes(told)
    return dataset


_EMPTY = N_(
    "Column '{name}' holds no answer in {empty} of {rows}, where each answer is missing. "
    "If an empty cell means that none was chosen, say so."
)


def _replaced(
    dataset: Dataset,
    variable: Variable,
    column: np.ndarray,
    mark: str,
    answers: Sequence[str],
    where_empty: int,
) -> Dataset:
    taken = set(dataset.names)
    answer_variables, columns = [], []
    for answer in answers:
        name = free_name(f"{variable.name}: {answer}", taken)
        taken.add(name)
        held = [_gave(level, answer, mark) for level in variable.levels]
        codes = np.array([*held, where_empty], dtype=np.int8)
        answer_variables.append(
            replace(variable, name=name, levels=_YES_NO, ordered=False, event=None, event_from=None)
        )
        columns.append(codes[column])
    place = dataset.index(variable.name)
    return replace(
        dataset,
        variables=(*dataset.variables[:place], *answer_variables, *dataset.variables[place + 1 :]),
        columns=(*dataset.columns[:place], *columns, *dataset.columns[place + 1 :]),
        coded=None,
    )
