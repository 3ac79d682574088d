"""Numbers of which some are known by a limit alone, such as "<0.5": read by a rule that a person chooses."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from engine.errors import InvalidData
from engine.readers.cell_text import parse_number
from engine.table.dataset import Dataset
from engine.table.variable import Kind
from engine.translation import N_, _
from engine.wording.notes import Note, listed
from engine.wording.phrases import plain_listing


def is_panic(error: BaseException) -> bool:
    """Tell whether a library written in Rust gave up; to Python such an error is no `Exception`."""
    return type(error).__name__ == "PanicException"


def first_line(error: BaseException) -> str:
    r"""Return the first line of what an error says, or its kind where it says nothing."""
    return (str(error).splitlines() or [""])[0].strip(" .") or type(error).__name__


LIMITS = "limits"
"""Topic of the notes about numbers of which some are limits."""
MARKS = "marks-on-numbers"
"""Topic of the notes about columns of numbers with marks; those that give examples can be read as numbers."""
MARKS_READ = "marks-read"
"""Topic of the notes that say which numbers are read in such columns."""
LIMITS_READ = "limits-read"
"""Topic of the notes that say what stands for limits."""

_LIMIT = re.compile(r"(?P<sign>[<≤⩽>≥⩾]=?)\s*(?P<limit>.+)")
_BELOW = frozenset("<≤⩽")
# English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Chinese, Japanese.
_BELOW_IN_WORDS = re.compile(
    r"(?:below|under|less than|unter|kleiner(?: als)?|weniger als|moins de|inférieur à|menos de|menor que"
    r"|inferior a|meno di|inferiore a|abaixo de|onder|minder dan|kleiner dan|poniżej|mniej niż"
    r"|低于|小于|少于)\s*(?P<limit>\d[\d.,]*)|(?P<before>\d[\d.,]*)\s*(?:未満|未满|以下)",
    re.IGNORECASE,
)
_ABOVE_IN_WORDS = re.compile(
    r"(?:above|over|more than|greater than|über|größer(?: als)?|mehr als|plus de|supérieur à|más de|mayor que"
    r"|superior a|più di|superiore a|acima de|mais de|boven|meer dan|groter dan|powyżej|ponad|więcej niż"
    r"|高于|大于|超过)\s*(?P<limit>\d[\d.,]*)|(?P<before>\d[\d.,]*)\s*(?:以上|超|\+)",
    re.IGNORECASE,
)
_NOT_MEASURED = re.compile(
    r"b\.?d\.?l\.?|b\.?l\.?q\.?|b\.?q\.?l\.?|blod|bloq|lod|loq|lloq|n\.\s?n\."
    r"|(?:below |under )?(?:the )?(?:limit of )?detection(?: limit)?|below (?:lod|loq|lloq|quantification)"
    r"|n\.?d\.?|not detected|none detected|nicht nachgewiesen|non détecté|no detectado|non rilevato"
    r"|não detectado|niet aangetoond|nie wykryto|traces?|spur(?:en)?|trazas?|tracce|vestígios|sporen"
    r"|śladowe|negati(?:ve|v|f|vo)|négatif|negatief|ujemny|阴性|陰性|痕跡|微量"
    r"|nicht nachweisbar"
    r"|undetectable|not detectable|non détectable|indétectable|no detectable|indetectable|non rilevabile"
    r"|não detectável|indetectável|niet detecteerbaar|niewykrywalne|検出限界未満|検出せず|未检出",
    re.IGNORECASE,
)


def is_limit(text: str) -> bool:
    """Tell whether a text is a limit, with a number or without.

    >>> [is_limit(text) for text in ("<0.5", "> 300", "<LOD", "unter 3", "30+", "BDL", "0.5", "low")]
    [True, True, True, True, True, True, False, False]
    >>> [is_limit(text) for text in ("over 300", "più di 31.5", "3未満", "over the top")]
    [True, True, True, False]
    """
    return _taken_apart(text) is not None


def _taken_apart(text: str) -> tuple[bool, str] | None:
    """Return whether a value lies below its limit, and the limit as it is written; None for no limit."""
    text = text.strip()
    if not text.isascii():
        # The wide signs and digits of East Asian keyboards.
        text = unicodedata.normalize("NFKC", text)
    if match := _LIMIT.fullmatch(text):
        return match["sign"][0] in _BELOW, match["limit"].strip()
    if match := _BELOW_IN_WORDS.fullmatch(text):
        return True, match["limit"] or match["before"]
    if match := _ABOVE_IN_WORDS.fullmatch(text):
        return False, match["limit"] or match["before"]
    return (True, "") if _NOT_MEASURED.fullmatch(text) else None


def _limit(written: str, decimal: str) -> float | None:
    """Read the number of a limit, with a unit behind it or the other decimal mark."""
    match = _WITH_UNIT.fullmatch(written)
    number = match["number"] if match else written
    return _with_either_mark(number, decimal)


def _with_either_mark(number: str, decimal: str) -> float | None:
    """Read a number, or one with the other decimal mark."""
    value = parse_number(number, decimal)
    other_mark = "," if decimal == "." else "."
    return parse_number(number, other_mark) if value is None and number.count(other_mark) == 1 else value


_WITH_UNIT = re.compile(r"(?P<number>[-+]?\d[\d.,]*)\s*[^\W\d]\S*(?:\s\S+)?")


def how_limits_are_read(texts: Sequence[str], decimal: str) -> str:
    """Say how a column is read as numbers in which such texts are limits."""
    limits = [limit for text in texts if (limit := _taken_apart(text)) is not None]
    is_below = any(below for below, _ in limits)
    is_above = any(not below for below, _ in limits)
    is_unstated = any(below and _limit(limit, decimal) is None for below, limit in limits)
    is_stated = any(below and _limit(limit, decimal) is not None for below, limit in limits)
    if is_above and is_below:
        return _(_WITH_BOTH)
    if is_above:
        return _(_WITH_LIMIT)
    if is_unstated and not is_stated:
        return _(_WITH_SMALLEST)
    return _(_WITH_HALF)


_WITH_HALF = N_("It can be read as numbers, with half the limit for a value below it.")
_WITH_LIMIT = N_("It can be read as numbers, with the limit itself for a value above it.")
_WITH_BOTH = N_(
    "It can be read as numbers, with half the limit for a value below, and the limit for one above."
)
_WITH_SMALLEST = N_("It can be read as numbers, with half the smallest number of the column for these.")


def with_limits(dataset: Dataset, told: Sequence[str], decimal: str) -> Dataset:
    """Read columns as numbers in which some are limits; ``COLUMN=NUMBER`` states what values below one are.

    Otherwise, a value below a limit is read as half the limit; one above as the limit. A limit without a
    number, such as ``<LOD``, is the smallest number of the column.

    >>> import pandas
    >>> cells = ["0.9", "<0.5", "1.4", "<LOD", ">300"]
    >>> table = Dataset.from_frame(pandas.DataFrame({"crp": cells}))
    >>> with_limits(table, ["crp"], ".").column("crp").tolist()
    [0.9, 0.25, 1.4, 0.45, 300.0]
    """
    changed = {}
    told_limits: list[tuple[str, list[tuple[str, float]]]] = []
    for statement in told:
        name, stated = _parts(statement, dataset.names)
        variable, column = dataset.variable(name), dataset.column(name)
        below = None if stated is None else _parse_stated(stated, decimal)
        if stated is not None and below is None:
            raise InvalidData(
                _("{stated!r} is not a number.", stated=stated),
                place=_("column '{name}'", name=name),
                remedy=_("State a number."),
            )
        dataset = dataset.without_notes(LIMITS, name)
        if variable.kind is Kind.CONTINUOUS:
            continue
        numbers = _numbers(variable.levels, below, decimal)
        others = [level for level in variable.levels if level not in numbers]
        if others:
            are_few = 2 * len(others) < len(variable.levels) and len(others) <= _MOST_WORDS
            raise InvalidData(
                _("it holds texts that are neither numbers nor limits: {others}.", others=listed(others)),
                place=_("column '{name}'", name=name),
                remedy=_(_ADD_OR_LEAVE) if are_few else _("Leave the column as it is."),
            )
        limits = [level for level in variable.levels if is_limit(level)]
        if not limits:
            raise InvalidData(
                _("it holds no limits, such as '<0.5'."),
                place=_("column '{name}'", name=name),
                remedy=_("Leave it out of the limits."),
            )
        told_limits.append((name, [(level, numbers[level]) for level in limits]))
        values = np.array([*(numbers[level] for level in variable.levels), np.nan])
        new_variable = replace(
            variable, kind=Kind.CONTINUOUS, levels=(), ordered=False, event=None, event_from=None
        )
        changed[name] = (new_variable, values[column])
    if not changed:
        return dataset
    return dataset.with_columns(changed).with_notes(
        note_on_numbers(LIMITS_READ, name, limits) for name, limits in told_limits
    )


_MOST_WORDS = 5
_MOST_TEXTS_TOLD = 3
_ADD_OR_LEAVE = N_("Add these to the missing values, or leave the column as it is.")


def note_on_numbers(topic: str, name: str, read: Sequence[tuple[str, float]]) -> Note:
    """Say which numbers stand for texts of a column."""
    numbers = [_(_AS_NUMBER, text=text, number=f"{number:.15g}") for text, number in read]
    told = plain_listing(numbers, _MOST_TEXTS_TOLD)
    return Note(topic, _(_READ_AS_NUMBERS, name=name, texts=told), name)


_AS_NUMBER = N_("'{text}' as {number}")
_READ_AS_NUMBERS = N_("Column '{name}' is read as numbers: {texts}.")


def _parse_stated(text: str, decimal: str) -> float | None:
    """Read a number that a person states: as the file writes it, or with the other decimal mark.

    >>> _parse_stated("0.05", ","), _parse_stated("0,05", "."), _parse_stated("1.234", ",")
    (0.05, 0.05, 1.234)
    """
    # Thousands are hardly written with points here, and scripts write a point into any file.
    marks = (".", ",") if "," not in text else (decimal, "," if decimal == "." else ".")
    return next((number for mark in marks if (number := parse_number(text, mark)) is not None), None)


def columns_with_limits(told: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """Return the columns that are to be read with limits, without what is put for these."""
    return tuple(_parts(statement, names)[0] for statement in told)


def _parts(told: str, names: Sequence[str]) -> tuple[str, str | None]:
    """Take apart a name and what is stated; a name may hold signs of equality."""
    if told in names:
        return told, None
    name, sign, stated = told.rpartition("=")
    return (name, stated) if sign else (told, None)


def _numbers(levels: Sequence[str], below: float | None, decimal: str) -> Mapping[str, float]:
    plain = {level: number for level in levels if (number := _with_either_mark(level, decimal)) is not None}
    smallest = min(plain.values(), default=np.nan)
    values = dict(plain)
    for level in levels:
        limit = None if level in plain else _taken_apart(level)
        if limit is None:
            continue
        number = _limit(limit[1], decimal)
        if limit[0]:
            values[level] = below if below is not None else (smallest if number is None else number) / 2
        elif number is not None:
            values[level] = number
    return values
