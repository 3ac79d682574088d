"""Columns that name rows or persons, such as numbers of patients: known by their names and by their values.

The words are those of ten languages. A name alone decides nothing: a column that measures may be called so.
An identifier that repeats says which rows are of one person.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Protocol

import numpy as np

from engine.table.identifier_words import (
    BESIDE,
    BESIDE_CLUSTER,
    CLUSTER,
    CONTACT,
    COUNT,
    COUNTED,
    EAST_ASIAN_CLUSTER,
    EAST_ASIAN_RANK,
    MAY_SAY,
    MEASURED,
    NEVER_A_COUNT,
    NUMBER,
    OF_WHOM,
    OF_WHOM_BEGINS,
    PERSON,
    RANK,
    REMARK,
    ROW,
    SAY_SO,
    TIME,
)
from engine.table.number_names import measures_something, named_as_kinds
from engine.table.text_clusters import are_measured, text_of_alike_rows
from engine.table.unit_numbers import number_of_units
from engine.table.variable import Kind, Role, Variable, missing_mask
from engine.wording.notes import Note

_OF_EAST_ASIA = re.compile(
    "番号|編号|编号|編號|識別|识别|病历号|病歷號|住院号|门诊号|身份证|证件号|电话|電話|手机号|学号|工号|序号|卡号|"
    "受試者|受试者|被験者|氏名|姓名|社員|个案号|(?<![A-Za-z])ID(?![A-Za-z_])|"
    "(등록|환자|연구|대상자|차트|병록|접수|검체|일련|식별|주민|전화)번호(?!수)"
)
_ACCENTS = re.compile("[\u0300-\u036f]")
_OF_ONE_LETTER = str.maketrans("łı", "li")
_ABBREVIATED_NUMBER = re.compile(r"\b[nN]\.?[º°]")
_NOT_WORDS = re.compile(r"[\W_]+")
_BETWEEN_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z]{2})(?=[A-Z][a-z])")
_NUMBER_GLUED = re.compile(r"^(.+?)s?(?:id|ids|nr|no|num|number|nummer|numero|code)$")

ABOUT_NAMELESS = ("unnamed-column", "row-names")
"""Topics of the notes that say of a first column that it has no name."""
JOINED = "joined"
"""Topic of the note that says by what a second table was joined; it names an identifier made to repeat."""

REPEATING_IDENTIFIER = "repeating-identifier"
"""Topic of the note that says by which identifier rows were grouped."""

# Fewer persons are a category of a few levels, or too few groups to tell anything.
_FEWEST_PERSONS = 10
# On average there are as many rows of a person, unless the name says identifier; of a ward there are more.
_FEWEST_ROWS, _MOST_ROWS = 1.1, 50.0
# Codes that nothing names are kinds if they are fewer, or stand in more rows each, as in a design.
_MOST_KINDS, _MOST_ROWS_OF_CODES = 20, 10.0
# Kolmogorov's statistic of numbers that were drawn evenly from a range is above this in one of 50 columns.
_MOST_UNEVEN = 1.52
# Half of their range lies between their quartiles; of what is measured it is less.
_LEAST_BETWEEN_QUARTILES = 0.4
# Likewise where the name speaks for an identifier; the range may have gaps, as numbers of several years have.
_LEAST_OF_NAMED = 0.35
_FEWEST_TO_BE_EVEN = 20
# Most numbers of persons follow one another, save for those who dropped out.
_SHARE_OF_NEXT = 0.8
# Numbers that were drawn, as those of records, have that many digits and fill the range that these allow.
_FEWEST_DIGITS = 5
_SHARE_OF_RANGE = 0.8
# Most numbers are seen in so many rows not to be whole.
_FIRST_ROWS = 100
# Codes have digits, save for a few.
_SHARE_OF_CODES = 0.9
# Of many that repeat evenly fewer tell; some keys have letters alone.
_SHARE_OF_MANY_CODES = 0.5
# Numbers are sparse where of so many only one is there; then so many rows of each are more than chance gives.
_SPARSE, _FEWEST_ROWS_SPARSE = 2.0, 1.5
_NORMAL_QUANTILE = 2.326
# The largest number up to which all whole numbers are told apart.
_MOST = 2.0**53


@lru_cache(maxsize=1 << 16)
def is_identifier_name(name: str) -> bool:
    """Tell whether a column's name says that its values name rows, persons or records.

    >>> [is_identifier_name(name) for name in ("patient_id", "MRN", "PatNr", "caseid", "受试者编号")]
    [True, True, True, True, True]
    >>> [is_identifier_name(name) for name in ("covid", "valid", "number of children", "IDS_score")]
    [False, False, False, False]
    """
    if _OF_EAST_ASIA.search(name):
        return True
    words = _words(name)
    if not words:
        return False
    if "".join(words) in _WHOLE_NAMES or _say_so(words):
        return True
    if not COUNTED.isdisjoint(words):
        return False
    if words[-1] in CONTACT or (words[0] in CONTACT and words[-1] in NUMBER):
        return True
    if len(words) > 1 and not NUMBER.isdisjoint((words[0], words[-1])):
        is_named = any(word not in NUMBER and _is_of_whom(word) for word in words)
        ends = words if words[0] in COUNT else words[::-1]
        are_counted = ends[0] in COUNT and _is_plural(ends[-1])
        return sum(word not in BESIDE for word in words) <= _MOST_WORDS and is_named and not are_counted
    glued = _NUMBER_GLUED.match(words[-1])
    return glued is not None and (glued[1] in PERSON or _is_of_whom(glued[1]))


_MOST_WORDS = 3
_WHOLE_NAMES = SAY_SO | PERSON | ROW
_BESIDE_IDENTIFIER = (NUMBER | BESIDE | PERSON | ROW) - {"index"}


def _say_so(words: Sequence[str]) -> bool:
    """Tell whether a word for an identifier stands last, or beside nothing else than whom or what it names.

    Behind it may stand what is measured: a score of the scale IDS, or the age of a card.
    """
    if SAY_SO.isdisjoint(words):
        return False
    places = [place for place, word in enumerate(words) if word in SAY_SO]
    if places[-1] == len(words) - 1 or (places[-1] and _is_of_whom(words[places[-1] - 1])):
        return True
    behind: Sequence[str] = words[places[-1] + 1 :]
    if words[places[-1]] == "id":
        behind = [word for word in behind if not word.isdecimal()]
    return all(word in _BESIDE_IDENTIFIER or _is_of_whom(word) for word in behind)


def _is_plural(word: str) -> bool:
    """Tell whether several are named, as patients, pazienti or pacjentów."""
    return word in _PLURALS or (word.endswith(("s", "i", "ow")) and word not in OF_WHOM)


_PLURALS = frozenset(("probanden", "patienten", "personen"))


def _is_of_whom(word: str) -> bool:
    return word.removesuffix("s") in OF_WHOM or word in OF_WHOM or word.startswith(OF_WHOM_BEGINS)


def is_measured_name(name: str) -> bool:
    """Tell whether a name is that of an amount, which may differ in every row as identifiers do.

    >>> [is_measured_name(name) for name in ("Gehalt", "total_reads", "cell_count", "x", "case_number")]
    [True, True, True, False, False]
    """
    is_measured = measures_something(name) or not MEASURED.isdisjoint(_words(name)[-1:])
    return is_measured and not is_identifier_name(name)


@lru_cache(maxsize=4096)
def may_be_identifier_name(name: str) -> bool:
    """Tell whether a name is that of an identifier or of something else, so that the values decide.

    >>> [may_be_identifier_name(name) for name in ("folio", "IPP", "Laufnummer", "登记号", "id_mother")]
    [True, True, True, True, True]
    >>> [may_be_identifier_name(name) for name in ("salary", "cell_number", "id_card_age", "信号")]
    [False, False, False, False]
    """
    words = _words(name)
    if not MAY_SAY.isdisjoint(words) and _BESIDE_WHAT_MAY.issuperset(words):
        return True
    return _may_say_so(words) or _is_number_name(name)


def _may_say_so(words: Sequence[str]) -> bool:
    """Tell whether a word for an identifier stands in a name, and nothing behind it that is measured."""
    place = next((at for at, word in enumerate(words) if word in SAY_SO), None)
    if place is None:
        return False
    behind = [word for word in words[place + 1 :] if not word.isdecimal()]
    is_measured = bool(behind) and (behind[-1] in MEASURED or measures_something(behind[-1]))
    return not behind or (words[place] == "id" and not is_measured)


_BESIDE_WHAT_MAY = MAY_SAY | NUMBER - COUNT | BESIDE


def _is_number_name(name: str) -> bool:
    """Tell whether a name is that of a number which is no count: unless it repeats, it names something."""
    words = _words(name)
    if not words or not COUNTED.isdisjoint(words):
        return False
    return (
        any(word.endswith(NEVER_A_COUNT) for word in words)
        or (words[-1].endswith("nr") and len(words[-1]) >= _SHORTEST_GLUED)
        or (len(words) > 1 and "nr" in (words[0], words[-1]))
        or _LAST_CHARACTER_OF_NUMBERS.search(name) is not None
    )


_SHORTEST_GLUED = 5
# What ends in this character numbers something, save for signals, models and signs.
_LAST_CHARACTER_OF_NUMBERS = re.compile("[^信型符年月][号號]$")


@lru_cache(maxsize=4096)
def is_rank_name(name: str) -> bool:
    """Tell whether a name is that of ranks, which differ in every row as identifiers do.

    >>> [is_rank_name(name) for name in ("rank_in_class", "Rang", "finish_position", "順位", "rank_id")]
    [True, True, True, True, False]
    """
    words = _words(name)
    if not words or is_identifier_name(name):
        return False
    return words[0] in RANK or words[-1] in RANK or re.search(EAST_ASIAN_RANK, name) is not None


@lru_cache(maxsize=4096)
def is_cluster_name(name: str) -> bool:
    """Tell whether a name is that of households, pairs, litters and the like, and says nothing beside.

    >>> [is_cluster_name(name) for name in ("household", "twin_pair", "Wurf", "ménage", "世帯")]
    [True, True, True, True, True]
    >>> [is_cluster_name(name) for name in ("pair_count", "household income", "ward")]
    [False, False, False]
    """
    if _EAST_ASIAN_CLUSTER.fullmatch(name.strip()):
        return True
    words = _words(name)
    if "".join(words) in CLUSTER:
        return True
    return not CLUSTER.isdisjoint(words) and _BESIDE_CLUSTER.issuperset(words)


_BESIDE_CLUSTER = CLUSTER | BESIDE_CLUSTER | NUMBER - COUNT | BESIDE
_EAST_ASIAN_CLUSTER = re.compile(f"({EAST_ASIAN_CLUSTER})(コード|代码|代碼)?")


@lru_cache(maxsize=4096)
def _words(name: str) -> tuple[str, ...]:
    """Take a name apart into words of small letters without accents."""
    if name.isascii():
        text = _BETWEEN_WORDS.sub(" ", name).lower()
    else:
        text = _ABBREVIATED_NUMBER.sub("no ", name)
        text = _BETWEEN_WORDS.sub(" ", unicodedata.normalize("NFKC", text)).casefold()
        text = _ACCENTS.sub("", unicodedata.normalize("NFD", text)).translate(_OF_ONE_LETTER)
    return tuple(word for word in _NOT_WORDS.split(text) if word)


class IdentifierTable(Protocol):
    """A table as far as identifiers are looked for in it."""

    @property
    def variables(self) -> tuple[Variable, ...]:
        """Description of each column."""

    @property
    def columns(self) -> tuple[np.ndarray, ...]:
        """Values of each column."""


def repeating_identifier(dataset: IdentifierTable) -> str | None:
    """Return the feature that names persons of whom there are several rows; None where there is none.

    It is called as identifiers are, holds texts or whole numbers, and its values stand in a few rows each.
    Where no person is named, households, pairs, litters and the like count as persons do, then columns of
    any name: many codes that repeat as evenly as those of persons, and whole numbers within each of which
    other columns are constant (:mod:`engine.table.unit_numbers`). Then comes what is called an identifier and
    hardly repeats; last, many texts within which rows are more alike (:mod:`engine.table.text_clusters`).
    """
    pairs = list(zip(dataset.variables, dataset.columns, strict=True))
    identifiers = [pair for pair in pairs if is_repeating_identifier(*pair)]
    names = [variable.name for variable, column in identifiers if not _hardly_repeats(column)]
    if names:
        return min(names, key=is_cluster_name)
    codes = (variable.name for variable, column in pairs if are_codes_that_repeat(variable, column))
    nameless = next(codes, None) or number_of_units(dataset.variables, dataset.columns)
    if nameless is None and identifiers:
        return identifiers[0][0].name
    return nameless or text_of_alike_rows(dataset.variables, dataset.columns)


def _hardly_repeats(column: np.ndarray) -> bool:
    return len(column) < _FEWEST_ROWS * len(np.unique(column))


def is_repeating_identifier(variable: Variable, column: np.ndarray) -> bool:
    """Tell whether a column is a feature that names persons, or what binds several rows together."""
    if variable.role is not Role.FEATURE or _names_too_few(variable, column):
        return False
    name = variable.name
    is_named, is_cluster = is_identifier_name(name), is_cluster_name(name)
    may_be = is_cluster or may_be_identifier_name(name)
    if not (is_named or may_be or _is_number_of_something(name)):
        return False
    if "".join(_words(name)) in ROW or missing_mask(variable, column).any():
        return False
    if variable.kind is Kind.CONTINUOUS and not are_whole_numbers(column):
        return False
    different = len(np.unique(column))
    if different < _FEWEST_PERSONS or not different < len(column) <= _MOST_ROWS * different:
        return False
    # A name that says it is believed at the first repeat; other names may be of what is measured.
    if is_named:
        return True
    if not may_be:
        return variable.kind is Kind.CONTINUOUS and _are_drawn_and_repeat_evenly(column)
    if _hardly_repeats(column):
        return variable.kind is Kind.CONTINUOUS and _are_drawn(column)
    return _repeats_evenly(variable, column, are_persons=not is_cluster)


def _is_number_of_something(name: str) -> bool:
    """Tell whether a name of several words begins or ends with one for a number, as num_exp does."""
    words = _words(name)
    return len(words) > 1 and not NUMBER.isdisjoint((words[0], words[-1])) and COUNTED.isdisjoint(words)


def _are_drawn(column: np.ndarray) -> bool:
    """Tell whether whole numbers are spread evenly over so wide a range that none should come twice."""
    values = np.unique(column)
    if len(values) < _FEWEST_TO_BE_EVEN or not 0 < values[-1] <= _MOST:
        return False
    places = (values[-1] - values[0]) / np.gcd.reduce(np.diff(values).astype(np.int64))
    return bool(places >= len(column) ** 2 / 2) and _is_even(values)


def _are_drawn_and_repeat_evenly(column: np.ndarray) -> bool:
    """Tell whether such numbers stand in more equal numbers of rows than chance gives."""
    counts = np.unique(column, return_counts=True)[1]
    return not _hardly_repeats(column) and _are_drawn(column) and _evenness(counts, len(counts)) < 0


def are_codes_that_repeat(variable: Variable, column: np.ndarray) -> bool:
    """Tell whether a column holds many codes with a few rows each, and neither dates nor kinds."""
    if variable.kind is not Kind.NOMINAL or variable.role is not Role.FEATURE:
        return False
    count = variable.level_count
    if count <= _MOST_KINDS:
        return False
    if not _FEWEST_ROWS <= len(column) / count < _MOST_ROWS_OF_CODES or missing_mask(variable, column).any():
        return False
    words = _words(variable.name)
    if (words and (words[-1] in TIME or words[-1] in REMARK)) or named_as_kinds(variable.name):
        return False
    if are_measured(variable.levels):
        return False
    are_many = are_codes(variable.levels, _SHARE_OF_MANY_CODES)
    return are_many and _repeats_evenly(variable, column, are_persons=True)


def _names_too_few(variable: Variable, column: np.ndarray) -> bool:
    """Tell at little cost that a column has too few whole numbers or texts, before its name is read."""
    if variable.kind is Kind.NOMINAL:
        return variable.level_count < _FEWEST_PERSONS
    return not len(column) or bool(column[0] % 1 > 0 or column.max() < column.min() + _FEWEST_PERSONS - 1)


def _repeats_evenly(variable: Variable, column: np.ndarray, *, are_persons: bool) -> bool:
    """Tell whether values repeat as those of identifiers do, and not as what is measured.

    Identifiers of one kind stand in about as many rows each, or in runs that are not in order. What is
    measured is near its middle more often. What names may be of something else (`are_persons`) must repeat
    more evenly than chance would have it.
    """
    values, counts = np.unique(column, return_counts=True)
    # What begins with 0 is counted rather than numbered.
    at_most = -1 if are_persons or (variable.kind is Kind.CONTINUOUS and values[0] == 0) else 0
    if variable.kind is Kind.NOMINAL and not are_codes(variable.levels):
        return _evenness(counts, len(counts)) < 0
    starts = column[np.flatnonzero(np.diff(column, prepend=column[0] - 1))]
    if len(starts) == len(values) and not is_in_order(starts):
        return True
    if variable.kind is Kind.NOMINAL:
        return _evenness(counts, len(counts)) <= at_most
    width = values[-1] - values[0]
    places = width / np.gcd.reduce(np.diff(values).astype(np.int64)) + 1 if width <= _MOST else np.inf
    if places <= _SPARSE * len(values):
        return _evenness(counts, round(places)) <= at_most
    # Numbers drawn evenly from so many would hardly repeat.
    is_frequent = len(column) >= _FEWEST_ROWS_SPARSE * len(values)
    return is_frequent and len(values) >= _FEWEST_TO_BE_EVEN and _is_even(values)


def are_codes(levels: Sequence[str], share: float = _SHARE_OF_CODES) -> bool:
    """Tell whether so many texts hold a digit, as codes do and words do not."""
    return sum(any(map(str.isdigit, level)) for level in levels) >= share * len(levels)


def _evenness(counts: np.ndarray, places: int) -> int:
    """Compare counts with those of numbers drawn evenly from so many: -1 more even, 0 as even, 1 less even.

    It is Pearson's statistic at the significance level 0.01, its quantiles by Wilson and Hilferty (1931).
    """
    expected, freedom = counts.sum() / places, places - 1
    statistic = float((counts.astype(float) ** 2).sum()) / expected - float(counts.sum())
    spread = _NORMAL_QUANTILE * np.sqrt(2 / (9 * freedom))
    lower, upper = (freedom * (1 - 2 / (9 * freedom) + side * spread) ** 3 for side in (-1, 1))
    return int(statistic > upper) - int(statistic < lower)


def is_identifier(name: str, present: np.ndarray) -> bool:
    """Tell whether whole numbers, none missing, name rows, by their name and because all of them differ.

    Where the name may be that of something measured, they are also spread over their
    range, and not near its middle.

    >>> numbers = np.array([212.0, 180, 341, 255, 248, 199, 230, 301, 265, 224])
    >>> [is_identifier(name, numbers) for name in ("MRN", "Laufnummer", "folio", "salary")]
    [True, True, False, False]
    """
    if not len(present) or not (is_identifier_name(name) or may_be_identifier_name(name)):
        return False
    ascending = np.sort(present)
    if (np.diff(ascending) == 0).any():
        return False
    if is_identifier_name(name) or _is_number_name(name):
        return True
    return len(present) >= _FEWEST_TO_BE_EVEN and _between_quartiles(ascending) >= _LEAST_OF_NAMED


def is_nameless(variable: Variable, notes: Sequence[Note]) -> bool:
    """Tell whether a first column has no name, as names of rows have none."""
    return any(note.topic in ABOUT_NAMELESS and note.variable == variable.name for note in notes)


def are_whole_numbers(present: np.ndarray) -> bool:
    """Tell whether numbers, none of them missing, are all whole."""
    return all(bool((some == np.floor(some)).all()) for some in (present[:_FIRST_ROWS], present))


def number_rows(present: np.ndarray) -> bool:
    """Tell whether whole numbers that all differ number rows or records, by how they follow one another.

    What is measured is spread otherwise: many near the middle and few far from it, with gaps.
    """
    ascending = np.sort(present)
    gaps = np.diff(ascending)
    if not len(gaps) or gaps[0] == 0 or (gaps == 0).any() or ascending[-1] - ascending[0] > _MOST:
        return False
    follow = float((gaps == 1).mean())
    if follow >= _SHARE_OF_NEXT or (bool((gaps == gaps[0]).all()) and is_in_order(present)):
        return True
    if len(present) < _FEWEST_TO_BE_EVEN or ascending[0] <= 0 or not _is_even(ascending):
        return False
    # Many a table is sorted by what was measured, so that the order alone tells nothing.
    digits = np.floor(np.log10(ascending[[0, -1]]))
    return bool(
        digits[0] == digits[1] >= _FEWEST_DIGITS - 1
        and ascending[-1] - ascending[0] >= _SHARE_OF_RANGE * 9.0 * 10.0 ** digits[0]
    )


def is_in_order(present: np.ndarray) -> bool:
    """Tell whether numbers rise, or fall, from each row to the next."""
    steps = np.diff(present)
    return bool((steps > 0).all() or (steps < 0).all())


def _is_even(ascending: np.ndarray) -> bool:
    """Tell whether numbers are spread evenly over their range."""
    if _between_quartiles(ascending) < _LEAST_BETWEEN_QUARTILES:
        return False
    count = len(ascending)
    shares = (ascending - ascending[0]) / (ascending[-1] - ascending[0])
    distance = np.abs(shares - np.arange(count) / (count - 1)).max()
    return bool(distance * np.sqrt(count) <= _MOST_UNEVEN)


def _between_quartiles(ascending: np.ndarray) -> float:
    """Return which share of the range of numbers lies between their quartiles."""
    lower, upper = np.quantile(ascending, (0.25, 0.75))
    return float((upper - lower) / (ascending[-1] - ascending[0]))


def _in_small_letters(text: str) -> str:
    """Write a text in small letters of one form, with single blanks."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _in_letters_and_numbers(text: str) -> str:
    """Write a text in small letters and numbers without leading zeros; a mark between two numbers stays."""
    without_zeros = _LEADING_ZEROS.sub("", _in_small_letters(text))
    return _NO_LETTERS.sub("", _BETWEEN_NUMBERS.sub("\x1e", without_zeros))


def in_letters_and_digits(text: str) -> str:
    """Write a text in small letters and digits alone, without leading zeros."""
    return _LEADING_ZEROS.sub("", _NO_LETTERS.sub("", _in_small_letters(text)))


_LEADING_ZEROS = re.compile(r"(?<!\d)0+(?=\d)")
_BETWEEN_NUMBERS = re.compile(r"(?<=\d)[\W_]+(?=\d)")
_NO_LETTERS = re.compile(r"[^\w\x1e]+|_+")
# From the nearest to what is written to the furthest from it.
OTHER_WRITINGS = (_in_small_letters, _in_letters_and_numbers, in_letters_and_digits)


def count_from_one_on(texts: Collection[str]) -> bool:
    """Tell whether different texts are most whole numbers from 0 or 1 on, and nothing else."""
    if not len(texts) or not all(text.isdecimal() and len(text) <= _MOST_DIGITS for text in texts):
        return False
    return max(map(int, texts)) <= _SPARSE * len(texts)


# No number of a row has more.
_MOST_DIGITS = 12
