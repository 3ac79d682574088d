"""Numbers of a large text table in one compiled pass over its bytes; other columns are left out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from engine.compiled.decorators import counting_kernel, counting_part, merged_part
from engine.table.column_kinds import LARGEST_EXACT

_MOST_DIGITS = 18
"""So many fit into 64 bits."""

_MOST_EXPONENT_DIGITS = 4
_LARGEST_POWER = 22
_POWERS = np.array([float(10**power) for power in range(_LARGEST_POWER + 1)])
"""The powers of ten that a float64 holds exactly."""

_SPLITTER = float(2**27 + 1)
_MARGIN = 1.0 + 2.0**-40
_TOGETHER = 4 << 20
"""Bytes of numbers that are one array: they are let go together."""

_ZERO, _MINUS, _PLUS, _LOWER_E, _UPPER_E, _LINE_FEED = b"0-+eE\n"
_NO_MARK = _UNCLEAR = _OTHER_WIDTH = -1


@dataclass(frozen=True, slots=True)
class Marks:
    """What stands between cells and in them."""

    separator: str
    decimal: str
    quote: str


def parse_numbers(
    blocks: Iterable[bytes],
    shape: tuple[int, int],
    marks: Marks,
    missing_codes: Sequence[str],
    left_out: Iterable[int] = (),
) -> dict[int, np.ndarray] | None:
    r"""Parse the columns of a text table that hold nothing but numbers.

    Parameters
    ----------
    shape : tuple of int
        Rows and columns of the table.

    Returns
    -------
    dict of int to ndarray of float64, shape (rows,)
        By position; NaN for missing, every number rounded correctly. A column is left out where a cell is
        written in another way than ``-12.5e3``, or is 2**53 or more. None where a row is not of that
        width, as where quotation marks are not used by the rule.

    Examples
    --------
    >>> rows = [b"1,a,2.50\n-3e2,b,", b"NA,,0.1"]
    >>> found = parse_numbers(rows, (3, 3), Marks(",", ".", '"'), ["NA"])
    >>> {position: column.tolist() for position, column in found.items()}
    {0: [1.0, -300.0, nan], 2: [2.5, nan, 0.1]}
    """
    rows, width = shape
    skipped = np.zeros(width, dtype=bool)
    skipped[list(left_out)] = True
    together = max(_TOGETHER // (8 * rows), 1)
    groups = [np.empty((min(together, width - at), rows)) for at in range(0, width, together)]
    done = 0
    for values in _parsed(blocks, width, marks, frozenset(code.encode() for code in missing_codes), skipped):
        if values is None or done + values.shape[1] > rows:
            return None
        for number, group in enumerate(groups):
            at = number * together
            group[:, done : done + values.shape[1]] = values[at : at + len(group)]
        done += values.shape[1]
        if skipped.all():
            return {}
    for group in groups:
        group.flags.writeable = False
    columns = [column for group in groups for column in group]
    return {position: columns[position] for position in np.flatnonzero(~skipped).tolist()}


def _parsed(
    blocks: Iterable[bytes], width: int, marks: Marks, codes: frozenset[bytes], skipped: np.ndarray
) -> Iterator[np.ndarray | None]:
    """Give the values of each block, shape (width, rows), in memory that is used again; None for odd rows."""
    written = np.array(
        [ord(marks.separator), ord(marks.decimal), ord(marks.quote) if marks.quote else _NO_MARK]
    )
    number = _pattern(marks.decimal)
    values, unclear, found = np.empty((width, 0)), np.empty((0, 3), np.int64), np.zeros(1, np.int64)
    for block in blocks:
        text = block + b"\n"
        lines = text.count(b"\n")
        if lines > values.shape[1]:
            values, unclear = np.empty((width, lines)), np.empty((lines * width, 3), np.int64)
        count = _parse_block(np.frombuffer(text, np.uint8), written, skipped, values, unclear, found)
        if count < 0:
            yield None
            return
        for cell, start, end in unclear[: found[0]].tolist():
            if not skipped[cell % width]:
                value = _value(text[start:end], codes, number, marks.decimal)
                skipped[cell % width] = value is None
                values[cell % width, cell // width] = np.nan if value is None else value
        yield values[:, :count]


def _pattern(decimal: str) -> re.Pattern[bytes]:
    mark = re.escape(decimal).encode()
    return re.compile(rb"-?(?:[0-9]+(?:%b[0-9]*)?|%b[0-9]+)(?:[eE][+-]?[0-9]+)?" % (mark, mark))


def _value(cell: bytes, codes: frozenset[bytes], number: re.Pattern[bytes], decimal: str) -> float | None:
    """Understand a cell that is written in a rare way; None for what is no number, or too large for one."""
    if cell in codes:
        return np.nan
    if not number.fullmatch(cell):
        return None
    value = float(cell.decode().replace(decimal, "."))
    return value if abs(value) < LARGEST_EXACT else None


@merged_part
def _digits(text: np.ndarray, position: int, number: int) -> tuple[int, int]:
    """Append digits to a whole number; give it and the position behind them."""
    digit = int(text[position]) - _ZERO
    while 0 <= digit <= 9:
        number = number * 10 + digit
        position += 1
        digit = int(text[position]) - _ZERO
    return number, position


@merged_part
def _exponent(text: np.ndarray, position: int) -> tuple[int, int]:
    """Read what stands behind an E; give it and the position behind it, or behind nothing where it is odd."""
    is_negative = text[position] == _MINUS
    if is_negative or text[position] == _PLUS:
        position += 1
    exponent, end = _digits(text, position, 0)
    if not 0 < end - position <= _MOST_EXPONENT_DIGITS:
        return 0, _UNCLEAR
    return -exponent if is_negative else exponent, end


@counting_part
def _number(text: np.ndarray, start: int, decimal: int) -> tuple[float, int]:
    """Read a number; give it and the position behind it, which is negative where it is not clear."""
    is_negative = text[start] == _MINUS
    first = start + int(is_negative)
    mantissa, position = _digits(text, first, 0)
    digits, scale = position - first, 0
    if text[position] == decimal:
        first = position + 1
        mantissa, position = _digits(text, first, mantissa)
        scale = first - position
        digits -= scale
    if not 0 < digits <= _MOST_DIGITS:
        return np.nan, _UNCLEAR
    if text[position] == _LOWER_E or text[position] == _UPPER_E:
        exponent, position = _exponent(text, position + 1)
        scale += exponent
    if not -_LARGEST_POWER <= scale <= _LARGEST_POWER or (scale > 0 and mantissa > LARGEST_EXACT):
        return np.nan, _UNCLEAR
    value = float(mantissa) * _POWERS[scale] if scale > 0 else _quotient(mantissa, _POWERS[-scale])
    if np.isnan(value):
        return np.nan, _UNCLEAR
    return -value if is_negative else value, position


@counting_part
def _quotient(mantissa: int, divisor: float) -> float:
    """Divide a whole number by a power of ten, correctly rounded; NaN where that is not certain."""
    high = float(mantissa)
    quotient = high / divisor
    if mantissa <= LARGEST_EXACT:
        return quotient
    # What the division leaves over, by factors that are split so that no digit is lost (Dekker 1971).
    product = quotient * divisor
    split = _SPLITTER * quotient
    upper = split - (split - quotient)
    lower = quotient - upper
    split = _SPLITTER * divisor
    upper_divisor = split - (split - divisor)
    lower_divisor = divisor - upper_divisor
    lost = (
        (upper * upper_divisor - product) + upper * lower_divisor + lower * upper_divisor
    ) + lower * lower_divisor
    rest = ((high - product) - lost + float(mantissa - int(high))) / divisor
    result = quotient + rest
    # Where a little more than what is left over is rounded the same way, so is what is (Ziv 1991).
    left = rest - (result - quotient)
    return result if result + left * _MARGIN == result else np.nan


@counting_part
def _end_of_cell(text: np.ndarray, position: int, separator: int, quote: int) -> int:
    """Find the separator or line end behind a cell; quotation marks inside a quoted cell are doubled."""
    last = text.shape[0] - 1
    if text[position] == quote:
        position += 1
        while position < last and (text[position] != quote or text[position + 1] == quote):
            position += 1 + int(text[position] == quote)
    while position < last and text[position] != separator and text[position] != _LINE_FEED:
        position += 1
    return position


@counting_kernel
def _parse_block(
    text: np.ndarray,
    marks: np.ndarray,
    skipped: np.ndarray,
    values: np.ndarray,
    unclear: np.ndarray,
    found: np.ndarray,
) -> int:
    """Fill the values of whole rows, and say which cells are unclear.

    Parameters
    ----------
    text : ndarray of uint8
        With a line end at its end.
    marks : ndarray of int64, shape (3,)
        Separator, decimal mark, quotation mark.
    skipped : ndarray of bool, shape (width,)
        Columns that are passed over; one with 2**53 or more becomes one.
    values : ndarray of float64, shape (width, at least rows)
    unclear : ndarray of int64, shape (at least cells, 3)
        Is filled with the cell, counted row by row, and where it begins and ends.
    found : ndarray of int64, shape (1,)
        Is filled with their number.

    Returns
    -------
    int
        The number of rows; -1 where one is not of that width.
    """
    separator, decimal, quote = marks[0], marks[1], marks[2]
    width, size = skipped.shape[0], text.shape[0]
    row = start = count = 0
    while start < size:
        for column in range(width):
            value, end = np.nan, start
            is_empty = text[start] == separator or text[start] == _LINE_FEED
            if not (is_empty or skipped[column]):
                value, end = _number(text, start, decimal)
                if end < 0 or (text[end] != separator and text[end] != _LINE_FEED):
                    unclear[count, 0], unclear[count, 1] = row * width + column, start
                    end = unclear[count, 2] = _end_of_cell(text, start, separator, quote)
                    count += 1
                elif abs(value) >= LARGEST_EXACT:
                    skipped[column] = True
            elif not is_empty:
                end = _end_of_cell(text, start, separator, quote)
            values[column, row] = value
            if text[end] != (_LINE_FEED if column == width - 1 else separator):
                return _OTHER_WIDTH
            start = end + 1
        row += 1
    found[0] = count
    return row
