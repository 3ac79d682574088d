"""Columns of digits with leading zeros, such as postcodes and numbers of patients: codes, and no numbers."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import pandas

from engine.readers.dialect import is_missing
from engine.readers.reading import Record
from engine.readers.records import Cells, Dialect, RowBlocks, parse_as_text, parse_block_as_text

_BLOCK = 1 << 18
"""Bytes that are looked at together, so that they stay in the cache of the processor."""

_FIRST_ROWS = 100
_MOST_LOOKED_INTO = 1000
"""Columns whose first rows cost less than the text of the table."""

_MOST_DIGITS = 40
"""Digits that are followed to the end of a cell; longer ones are looked at once they are parsed."""

_ZERO, _NEWLINE = b"0\n"


def codes_in_sample(rows: Sequence[Record], columns: int) -> frozenset[int]:
    """Find columns of digits of one length with leading zeros in the first rows.

    Parameters
    ----------
    rows : sequence of Record
    columns : int
        How many there are.

    Returns
    -------
    frozenset of int
        Their positions.
    """
    found = set()
    for position in range(columns):
        written = (row.cells[position].strip() for row in rows if position < len(row.cells))
        cells = (cell for cell in written if not is_missing(cell))
        first = next(cells, "")
        if not first.isdecimal():
            continue
        present = [first, *cells]
        if any(map(_has_leading_zero, present)) and _are_of_one_length(present):
            found.add(position)
    return frozenset(found)


def codes_among_numbers(
    body: RowBlocks, cells: Sequence[Cells], dialect: Dialect, missing_codes: Sequence[str], file: str
) -> dict[int, pandas.Series]:
    """Find columns that were read as numbers and are codes by what stands in any of their rows.

    Those are columns of nothing but digits, some with leading zeros, which are all of one length, or of which
    two give the same number, as ``1000`` and ``001000`` do: these may be two patients.

    Parameters
    ----------
    body : RowBlocks
    cells : sequence of Cells
        As :func:`~engine.readers.records.parse_cells` gave them.
    dialect : Dialect
    missing_codes : sequence of str
        Cells read as missing, besides empty ones.
    file : str
        The file as error messages name it.

    Returns
    -------
    dict of int to pandas.Series of str, shape (rows,)
        What is written in such columns, by position.
    """
    numbers = {position: column for position, column in enumerate(cells) if isinstance(column, np.ndarray)}
    if len(numbers) <= _MOST_LOOKED_INTO and all(map(_begins_with_fractions, numbers.values())):
        return {}
    suspects = _with_leading_zeros(body, numbers, dialect, missing_codes)
    if not suspects:
        return {}
    written = parse_as_text(body, dialect, missing_codes, sorted(suspects), file)
    return {position: series for position, series in written.items() if are_codes(_texts_in(series))}


def _texts_in(series: pandas.Series) -> set[str]:
    return {str(text).strip() for text in series.dropna().unique()} - {""}


def _begins_with_fractions(numbers: np.ndarray) -> bool:
    """Tell whether a fraction is among the first numbers, as among no codes."""
    first = numbers[:_FIRST_ROWS]
    return bool((np.floor(first) < first).any())


def _has_leading_zero(text: str) -> bool:
    return text.startswith("0") and text != "0"


def _are_of_one_length(texts: Collection[str]) -> bool:
    return all(map(str.isdecimal, texts)) and len(set(map(len, texts))) == 1


def are_codes(texts: Collection[str]) -> bool:
    """Tell whether different texts are codes: digits alone, some after zeros.

    They are all of one length, or two of them give the same number.

    Examples
    --------
    >>> are_codes({"01067", "80331"}), are_codes({"1000", "001000"}), are_codes({"007", "12"})
    (True, True, False)
    """
    if not any(map(_has_leading_zero, texts)) or not all(map(str.isdecimal, texts)):
        return False
    return _are_of_one_length(texts) or len({text.lstrip("0") for text in texts}) < len(texts)


def _with_leading_zeros(
    body: RowBlocks, numeric: Collection[int], dialect: Dialect, missing_codes: Sequence[str]
) -> set[int]:
    """Find numeric columns with a cell of digits that begins with 0 and another digit."""
    found: set[int] = set()
    for block in body.blocks(_BLOCK):
        # Every cell stands between two characters, and a character more is never needed.
        text = b"\n%b\n" % block
        edges = _edges(text, dialect)
        places = _leading_zeros(text, edges)
        if len(places):
            columns = _columns_at(places, text, body, dialect)
            if columns is None:
                remaining = sorted(set(numeric) - found)
                columns = _columns_by_parsing(block, body.width, remaining, dialect, missing_codes)
            found.update(columns)
    return found.intersection(numeric)


def _edges(text: bytes, dialect: Dialect) -> bytes:
    """Return the characters of a text that may stand before a cell, or behind it."""
    possible = f"{dialect.separator}{dialect.quote_character} ".encode()
    return b"\n" + bytes(each for each in possible if each in text)


def _leading_zeros(text: bytes, edges: bytes) -> np.ndarray:
    """Return where cells of digits begin that have a 0 in front."""
    found = []
    # Characters are compared in pairs, those that begin at even places first: it takes half the time.
    for shift in (0, 1):
        pairs = np.frombuffer(text[shift : len(text) - (len(text) - shift) % 2], "<u2")
        for edge in edges:
            is_found = pairs == (_ZERO << 8 | edge)
            if is_found.any():
                found.append(2 * np.flatnonzero(is_found) + (shift + 1))
    places = np.concatenate(found) if found else np.empty(0, np.int64)
    return np.asarray(places[_are_of_digits(np.frombuffer(text, np.uint8), places + 1, edges)])


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


def _columns_at(places: np.ndarray, text: bytes, body: RowBlocks, dialect: Dialect) -> list[int] | None:
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
    return [position for position in columns if any(map(_has_leading_zero, _texts_in(frame[position])))]
