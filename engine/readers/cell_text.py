"""What a single cell of a text table looks like: a number, a date, a code, or nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable

from engine.table.column_kinds import LARGEST_EXACT

ALWAYS_MISSING = (
    "NA", "N/A", "n/a", "#N/A", "#NA", "<NA>", "NaN", "nan", "NAN", "NULL", "null", "?",
    "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!",
)  # fmt: skip
"""Codes that mean "missing" in any column, besides the empty cell."""

MISSING_AMONG_NUMBERS = frozenset(
    {
        "-", "--", "---", "----", ".", "..", "...", "*", "**", "***", "****", "*****", "??", "???",
        "none", "None", "NONE", "na", "Na", "n.a.", "N.A.", "nd", "ND", "n.d.", "N.D.", "N/D", "n/d",
        "missing", "Missing", "MISSING", "unknown", "Unknown", "UNKNOWN", "nil", "Nil", "NIL",
        "x", "X", "#", "(null)", "undefined",
    }
)  # fmt: skip
"""Codes that mean "missing" where all other cells of the column are numbers; else they are levels."""

_MAY_MEAN_MISSING = frozenset({"", *ALWAYS_MISSING, *MISSING_AMONG_NUMBERS})

# Nothing that was taken is given back: what is tried again and again takes minutes on a long line of digits.
_POINT = re.compile(r"[+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?")
_COMMA = re.compile(r"[+-]?(?:\d++(?:,\d*+)?|,\d++)(?:[eE][+-]?\d++)?")
_POINT_OR_COMMA = re.compile(r"[+-]?(?:\d++(?:[.,]\d*+)?|[.,]\d++)(?:[eE][+-]?\d++)?")
# In thousands, or as in India, where above these hundreds are counted: 1,23,456.
_GROUPED_POINT = re.compile(r"[+-]?[1-9](?:\d{0,2}(?:,\d{3})++|\d?(?:,\d{2}(?=,))++,\d{3})(?:\.\d++)?")
_GROUPED_COMMA = re.compile(r"[+-]?[1-9]\d{0,2}(?:\.\d{3})++(?:,\d++)?")

# As French, Polish and Swiss programs write them; a plain blank may also stand between two numbers.
_APART = (
    r"[+-]?[1-9]\d{{0,2}}(?P<mark>[\u00a0\u2009\u202f'\u2019])\d{{3}}(?:(?P=mark)\d{{3}})*+(?:{decimal}\d++)?"
)
_APART_POINT = re.compile(_APART.format(decimal=r"\."))
_APART_COMMA = re.compile(_APART.format(decimal=","))
_TYPESET_MINUS = "\u2212"

_LARGEST_EXACT = str(LARGEST_EXACT)

_ZONE = r"(?:Z| ?[+-]\d{2}:?\d{2}| ?(?:UTC|GMT)(?:[+-]\d{1,2}(?::?\d{2})?)?)"
_TIME = rf"\d{{1,2}}[:.]\d{{2}}(?:[:.]\d{{2}}(?:[.,]\d+)?)?(?: ?[AaPp][Mm])?{_ZONE}?"
_MONTH = r"(?i:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
_NUMBERED_DAY = re.compile(
    rf"(?:(?P<year>\d{{4}})(?P<s>[-/.])(?P<b>\d{{1,2}})(?P=s)(?P<c>\d{{1,2}})"
    rf"|(?P<d>\d{{1,2}})(?P<t>[-/.])(?P<e>\d{{1,2}})(?P=t)(?:\d{{4}}|\d{{2}}))(?:[T ]{_TIME})?"
)
_NAMED_DAY = re.compile(
    rf"(?:\d{{1,2}}\.?[- /]?[A-Za-z]{{3,9}}[- /,]+\d{{2,4}}|\d{{1,2}}{_MONTH}\d{{4}}"
    rf"|[A-Za-z]{{3,9}} \d{{1,2}},? \d{{4}})(?:[ :]{_TIME})?"
)
_CLOCK = re.compile(r"\d{1,2}(?P<s>[:.])[0-5]\d(?P=s)[0-5]\d|\d{1,2}:[0-5]\d(?: ?[AaPp][Mm])?")


def parse_number(text: str, decimal: str = ".") -> float | None:
    r"""Read a number; None when the text is none.

    >>> parse_number("1,5", ","), parse_number("1,234.5"), parse_number("1,5"), parse_number("3.4-")
    (1.5, 1234.5, None, -3.4)
    >>> parse_number("18'332.50"), parse_number("12\u00a0422,50", ","), parse_number("\u22121.5")
    (18332.5, 12422.5, -1.5)
    """
    text = plain_minus(text)
    plain, grouped = (_POINT, _GROUPED_POINT) if decimal == "." else (_COMMA, _GROUPED_COMMA)
    if plain.fullmatch(text):
        return float(text.replace(",", ".")) if decimal == "," else float(text)
    if grouped.fullmatch(text):
        if decimal == ".":
            return float(text.replace(",", ""))
        return float(text.replace(".", "").replace(",", "."))
    may_be_apart = not text.isascii() or "'" in text
    if may_be_apart and (match := _APART_POINT.fullmatch(text) or _APART_COMMA.fullmatch(text)):
        return float(text.replace(match["mark"], "").replace(",", "."))
    if is_negative_behind(text, decimal) and (number := parse_number(text[:-1], decimal)) is not None:
        return -number
    return None


def plain_minus(text: str) -> str:
    """Return a text with a hyphen in place of the minus sign of typesetters in front."""
    return f"-{text[1:]}" if text.startswith(_TYPESET_MINUS) else text


def is_negative_behind(text: str, decimal: str = ".") -> bool:
    """Tell whether a fraction has its minus sign behind it, as SAP writes 3.4-; a grade of 2- has none."""
    return text.endswith("-") and decimal in text and text[0].isdigit() and text[-2:-1].isdigit()


def is_grouped(text: str, decimal: str = ".") -> bool:
    """Tell whether a number is written with marks between its thousands."""
    grouped, apart = (_GROUPED_POINT, _APART_POINT) if decimal == "." else (_GROUPED_COMMA, _APART_COMMA)
    text = plain_minus(text)
    return (grouped.fullmatch(text) or apart.fullmatch(text)) is not None


def is_long_code(text: str) -> bool:
    """Tell whether a whole number is too long for a float64 to tell it from its neighbours: an identifier.

    >>> is_long_code("9007199254740993"), is_long_code("9007199254740992"), is_long_code("1e300")
    (True, False, False)
    """
    digits = text.removeprefix("-").removeprefix("+")
    written = digits.lstrip("0")
    return digits.isdecimal() and (len(written), written) > (len(_LARGEST_EXACT), _LARGEST_EXACT)


def is_number(text: str) -> bool:
    """Tell whether a cell is a number with either decimal mark."""
    stripped = text.strip()
    if _POINT_OR_COMMA.fullmatch(stripped):
        return True
    # No other sign stands in a number of plain letters.
    if stripped.isascii() and "'" not in stripped:
        return False
    if stripped.startswith(_TYPESET_MINUS):
        return is_number(plain_minus(stripped))
    return (_APART_POINT.fullmatch(stripped) or _APART_COMMA.fullmatch(stripped)) is not None


def is_missing(text: str) -> bool:
    """Tell whether a cell is empty or holds a code that may mean "missing"."""
    return text.strip() in _MAY_MEAN_MISSING


def is_date_or_time(text: str) -> bool:
    """Tell whether a cell is a calendar date, with or without a time, or a time of day."""
    stripped = text.strip()
    match = _NUMBERED_DAY.fullmatch(stripped)
    if match is None:
        return (_NAMED_DAY.fullmatch(stripped) or _CLOCK.fullmatch(stripped)) is not None
    first, second = (int(match[name] or match[alternative]) for name, alternative in (("b", "d"), ("c", "e")))
    is_day = 1 <= min(first, second) <= 12 and max(first, second) <= 31
    return is_day or _CLOCK.fullmatch(stripped) is not None


def has_either_order(texts: Iterable[str]) -> bool:
    """Tell whether day and month of dates in numbers could change places in every one of them."""
    may_differ = False
    for text in texts:
        match = _NUMBERED_DAY.fullmatch(text.strip())
        if match is None or not match["d"]:
            continue
        first, second = int(match["d"]), int(match["e"])
        if max(first, second) > 12:
            return False
        may_differ = may_differ or first != second
    return may_differ
