"""Columns that a parser takes for numbers and that are codes: 01067, 1E50, 1.10 beside 1.1."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

import numpy as np
import pandas

from engine.readers.cell_text import is_date_or_time, is_grouped, is_missing
from engine.readers.reading import Record
from engine.readers.records import Cells, Dialect, EvenRows, parse_as_text, parse_block_as_text

_BLOCK = 1 << 18
"""Bytes that are looked at together, so that they stay in the cache of the processor."""

_FIRST_ROWS = 100
_MOST_LOOKED_INTO = 1000
"""Columns whose first rows cost less than the text of the table."""

_MOST_DIGITS = 40
"""Digits that are followed to the end of a cell; longer ones are looked at once they are parsed."""

_ZERO, _NEWLINE, _E = b"0\ne"
_LOWER = 0x20
"""Makes a letter of ASCII lower case."""


def codes_in_sample(rows: Sequence[Record], columns: int) -> frozenset[int]:
    """Find columns of digits of one length with leading zeros in the first rows."""
    positions = set()
    beginning = rows[0].cells if rows else ()
    for position in range(columns):
        # Most columns are left at once, by their first cell.
        cell = beginning[position].strip() if position < len(beginning) else ""
        if not (cell.isdecimal() or is_missing(cell)):
            continue
        written = (row.cells[position].strip() for row in rows if position < len(row.cells))
        cells = (cell for cell in written if not is_missing(cell))
        first = next(cells, "")
        if not first.isdecimal():
            continue
        present = [first, *cells]
        are_digits = all(map(str.isdecimal, present))
        if are_digits and len(set(map(len, present))) == 1 and any(map(_has_leading_zero, present)):
            positions.add(position)
    return frozenset(positions)


def codes_among_numbers(
    body: EvenRows, cells: Sequence[Cells], dialect: Dialect, missing_codes: Sequence[str], file: str
) -> dict[int, pandas.Series]:
    """Find, by position, columns read as numbers that are codes by :func:`are_codes` in any row."""
    numbers = {position: column for position, column in enumerate(cells) if isinstance(column, np.ndarray)}
    if len(numbers) <= _MOST_LOOKED_INTO and all(map(_begins_with_fractions, numbers.values())):
        return {}
    suspects = _with_odd_digits(body, numbers, dialect, missing_codes)
    if not suspects:
        return {}
    written = parse_as_text(body, dialect, missing_codes, sorted(suspects), file)
    return {
        position: series for position, series in written.items() if are_codes(_texts_in(series) - _INFINITE)
    }


# What a parser takes for infinity is a code beside codes.
_INFINITE = frozenset({"INF", "Inf", "inf"})


def _texts_in(series: pandas.Series) -> set[str]:
    return {str(text).strip() for text in series.dropna().unique()} - {""}


def _begins_with_fractions(numbers: np.ndarray) -> bool:
    """Tell whether a fraction is among the first numbers, as among no codes."""
    first = numbers[:_FIRST_ROWS]
    return bool((np.floor(first) < first).any())


def _has_leading_zero(text: str) -> bool:
    return text.startswith("0") and text != "0"


def are_codes(texts: Collection[str]) -> bool:
    """Tell whether different texts, each of which could be a number, are codes by how they are written.

    They are where some are digits behind zeros and are no long count (01, 02 … 117), where some have more
    digits than a number keeps, or where most are like 1E50, which nobody writes for a number.

    >>> are_codes({"01067", "80331"}), are_codes({"1000", "001000"}), are_codes({"01", "75", "971"})
    (True, True, True)
    >>> are_codes({f"{count:02}" for count in range(118)}), are_codes({"1E50", "2512"})
    (False, True)
    >>> are_codes({"1e5", "2.5e6"})
    False
    >>> are_codes({"1E5", "3E7"}), are_codes({"1e5", "3e7"}), are_codes({"0", "1E5"})
    (True, False, False)
    >>> are_codes({"12E4", "1E2", "3E7"}), are_codes({"25E4", "31E5"}), are_codes({"3e5", "4e2", "7e1"})
    (True, False, True)
    """
    if all(map(str.isdecimal, texts)):
        return _have_code_zeros(texts) or any(len(text.lstrip("0")) > _MOST_KEPT_DIGITS for text in texts)
    if not all(map(_DIGITS_AROUND_E.fullmatch, texts)):
        return all(map(_SIGNED_DIGITS.fullmatch, texts)) and any(
            len(text.lstrip("+-0")) > _MOST_KEPT_DIGITS for text in texts
        )
    powers = [text for text in texts if not text.isdecimal()]
    if len(set(map(len, texts))) == 1 and len(powers) < len(texts):
        return True
    if len(powers) == len(texts) and all(map(_WRITTEN_POWER.fullmatch, texts)):
        like_wells = sum(_LIKE_WELL.fullmatch(text) is not None for text in texts)
        needless = sum(_NEEDLESS_POWER.fullmatch(text) is not None for text in texts)
        return 2 * max(like_wells, needless) >= len(texts)
    return 2 * len(powers) >= len(texts) and not all(map(_WRITTEN_POWER.fullmatch, powers))


_MOST_KEPT_DIGITS = 15
"""Of so many digits a float64 keeps each, and so does Excel."""

_SIGNED_DIGITS = re.compile(r"[+-]?\d+")
_DIGITS_AROUND_E = re.compile(r"\d+(?:[eE]\d+)?")
_LIKE_WELL = re.compile(r"[1-9]E\d")
"""As wells and plates are called; programs write 1e5, 1E+05 or 100000, and measured ones have more digits."""
_NEEDLESS_POWER = re.compile(r"[2-9][eE][012]")
"""No shorter than the number, 70 for 7e1; a series of powers of ten begins with 1e1."""
_WRITTEN_POWER = re.compile(r"[1-9]\d?(?:[eE]\d|e1[0-5])")
"""A power of ten as people write one: 1e6, 25E4, 1e12."""


def _have_code_zeros(texts: Collection[str]) -> bool:
    """Tell whether zeros in front are part of codes; those of a count of many that outgrows them are not."""
    widths = {len(text) for text in texts if _has_leading_zero(text)}
    if not widths:
        return False
    lengths = set(map(len, texts))
    if len(widths) > 1 or len(lengths) == 1 or min(lengths) not in widths or len(texts) < _FEWEST_COUNTED:
        return True
    # Codes come in blocks: behind department 95 follows 971.
    numbers = sorted(map(int, texts))
    widest = max(following - number for number, following in pairwise(numbers))
    return 2 * widest > numbers[-1] - numbers[0]


_FEWEST_COUNTED = 20
"""Of fewer different numbers with zeros in front it cannot be told whether they count or are codes."""


_VERSION_NAMES = re.compile(
    r"versi|fassung|release|revision|firmware|build|chapter|section|kapitel|abschnitt|wersja|verze|sürüm"
    r"|верси|版本|バージョン|버전|(?:^|[^a-z])(?:ver|rev|sw|fw)(?:[^a-z]|$)",
    re.IGNORECASE,
)
_FRACTION = re.compile(r"\d{1,4}\.\d{1,4}")
_ENDS_IN_ZERO = re.compile(r"\.\d{1,3}0\s*$", re.MULTILINE)


def names_version(name: str) -> bool:
    """Tell whether a name says that its column holds versions or numbers of chapters.

    >>> names_version("App version"), names_version("fw_ver"), names_version("conversion")
    (True, True, True)
    """
    return _VERSION_NAMES.search(name) is not None


_POINTS = re.compile(r"[vV]?\d{1,4}(?:\.\d{1,4})+")
_SEVERAL_POINTS = re.compile(r"[vV]?\d{1,4}(?:\.\d{1,4}){2,}")


def are_versions(texts: Collection[str]) -> bool:
    """Tell whether texts are numbers with points of which some have a second one, and none is a date.

    >>> are_versions({"1.2", "1.10", "1.10.3"}), are_versions({"1.2", "1.10"}), are_versions({"1.2.2004"})
    (True, False, False)
    """
    if not all(map(_POINTS.fullmatch, texts)):
        return False
    several = [text for text in texts if _SEVERAL_POINTS.fullmatch(text)]
    are_grouped = all(is_grouped(text, ",") for text in several)
    return bool(several) and not are_grouped and not any(map(is_date_or_time, several))


def written_twice(texts: Iterable[str]) -> tuple[str, str] | None:
    """Find two fractions of one value that differ in zeros at their end, as the versions 1.1 and 1.10 do.

    >>> written_twice(["1.1", "1.2", "1.10"]), written_twice(["1.10", "1.25"]), written_twice(["1", "1.0"])
    (('1.1', '1.10'), None, None)
    """
    seen: dict[str, str] = {}
    for text in texts:
        plain = text.rstrip("0")
        if not _FRACTION.fullmatch(text) or plain.endswith("."):
            continue
        first = seen.setdefault(plain, text)
        if first != text:
            return min(first, text, key=len), max(first, text, key=len)
    return None


def has_mixed_places(texts: Collection[str]) -> bool:
    """Tell whether some fractions end in 0 while others have fewer places, as in 1.9, 1.10."""
    fractions = [text.partition(".")[2] for text in texts if _FRACTION.fullmatch(text)]
    ending = [len(places) for places in fractions if len(places) > 1 and places.endswith("0")]
    return bool(ending) and min(map(len, fractions)) < max(ending)


def _may_be_fraction(cell: str) -> bool:
    return "." in cell or is_missing(cell) or cell.strip().isdecimal()


def mixed_places_in_sample(rows: Sequence[Record], columns: int) -> frozenset[int]:
    """Find columns in which some fractions end in 0 while others have fewer places; none in wide tables."""
    positions: set[int] = set()
    if columns > _MOST_LOOKED_INTO:
        return frozenset()
    rows = rows[:_FIRST_ROWS]
    first = rows[0].cells if rows else ()
    for position in range(columns):
        # Most columns are left at once, by their first cell or because no fraction ends in 0.
        if not (position < len(first) and _may_be_fraction(first[position])):
            continue
        cells = [row.cells[position] for row in rows if position < len(row.cells)]
        if _ENDS_IN_ZERO.search("\n".join(cells)) and has_mixed_places(list(map(str.strip, cells))):
            positions.add(position)
    return frozenset(positions)


def _with_odd_digits(
    body: EvenRows, numeric: Collection[int], dialect: Dialect, missing_codes: Sequence[str]
) -> set[int]:
    """Find numeric columns with a cell of digits that begins with 0 and another digit, or has an E inside."""
    positions: set[int] = set()
    for block in body.blocks(_BLOCK):
        # Every cell stands between two characters, and a character more is never needed.
        text = b"\n%b\n" % block
        edges = _edges(text, dialect)
        places = np.sort(np.concatenate([_leading_zeros(text, edges), _powers(text)]))
        if len(places):
            columns = _columns_at(places, text, body, dialect)
            if columns is None:
                remaining = sorted(set(numeric) - positions)
                columns = _columns_by_parsing(block, body.width, remaining, dialect, missing_codes)
            positions.update(columns)
    return positions.intersection(numeric)


def _edges(text: bytes, dialect: Dialect) -> bytes:
    """Return the characters of a text that may stand before a cell, or behind it."""
    possible = f"{dialect.separator}{dialect.quote_character} ".encode()
    return b"\n" + bytes(byte for byte in possible if byte in text)


def _leading_zeros(text: bytes, edges: bytes) -> np.ndarray:
    """Return where cells of digits begin that have a 0 in front."""
    chunks = []
    # Characters are compared in pairs, those that begin at even places first: it takes half the time.
    for shift in (0, 1):
        pairs = np.frombuffer(text[shift : len(text) - (len(text) - shift) % 2], "<u2")
        for edge in edges:
            is_found = pairs == (_ZERO << 8 | edge)
            if is_found.any():
                chunks.append(2 * np.flatnonzero(is_found) + (shift + 1))
    places = np.concatenate(chunks) if chunks else np.empty(0, np.int64)
    return np.asarray(places[_are_of_digits(np.frombuffer(text, np.uint8), places + 1, edges)])


def _powers(text: bytes) -> np.ndarray:
    """Return where an E stands between digits."""
    if b"E" not in text and b"e" not in text:
        return np.empty(0, np.int64)
    characters = np.frombuffer(text, np.uint8)
    places = np.flatnonzero((characters | _LOWER) == _E)
    around = (characters[places - 1] - np.uint8(_ZERO) < 10) & (characters[places + 1] - np.uint8(_ZERO) < 10)
    return np.asarray(places[around])


def _are_of_digits(text: np.ndarray, behind: np.ndarray, edges: bytes) -> np.ndarray:
    """Tell behind which places digits follow, one or more, and then the end of a cell."""
    is_digit = np.zeros(256, dtype=bool)
    is_digit[_ZERO : _ZERO + 10] = True
    is_edge = np.zeros(256, dtype=bool)
    is_edge[list(edges)] = True
    is_match = np.zeros(len(behind), dtype=bool)
    going_on = np.flatnonzero(is_digit[text[behind]])
    for _ in range(_MOST_DIGITS):
        behind = behind + 1
        characters = text[behind[going_on]]
        is_match[going_on[is_edge[characters]]] = True
        going_on = going_on[is_digit[characters]]
        if not len(going_on):
            break
    is_match[going_on] = True
    return is_match


def _columns_at(places: np.ndarray, text: bytes, body: EvenRows, dialect: Dialect) -> list[int] | None:
    """Return the columns of some places; None where separators alone do not tell them."""
    if not body.is_even or dialect.delimiter == "space":
        return None
    characters = np.frombuffer(text, np.uint8)
    is_end = characters == _NEWLINE
    is_end |= characters == ord(dialect.separator)
    # The first line end was put before the text.
    ends = np.flatnonzero(is_end)[1:]
    if dialect.quote_character and dialect.quote_character.encode() in text:
        marks = np.flatnonzero(characters == ord(dialect.quote_character))
        ends = ends[np.searchsorted(marks, ends) % 2 == 0]
    row_ends = np.flatnonzero(characters[ends] == _NEWLINE)
    if len(ends) % body.width or not np.array_equal(
        row_ends, np.arange(body.width - 1, len(ends), body.width)
    ):
        return None
    columns: list[int] = np.unique(np.searchsorted(ends, places) % body.width).tolist()
    return columns


def _columns_by_parsing(
    block: bytes, width: int, columns: Sequence[int], dialect: Dialect, missing_codes: Sequence[str]
) -> list[int]:
    frame = parse_block_as_text(block, width, dialect, missing_codes, columns)
    return [
        position
        for position in columns
        if any(
            _has_leading_zero(text) or (_DIGITS_AROUND_E.fullmatch(text) and not text.isdecimal())
            for text in _texts_in(frame[position])
        )
    ]
