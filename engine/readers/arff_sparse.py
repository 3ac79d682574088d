"""Sparse ARFF rows: ``{index value, …}``; what is not written is zero, or the first declared level."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas

from engine.codes import MISSING_CODE
from engine.errors import InvalidData, UnreadableFile
from engine.notes import Note
from engine.readers.arff_columns import level_table, parse_number, undeclared_level
from engine.readers.arff_header import QUOTED, Attribute, unquote
from engine.readers.arff_rows import Rows

_MISSING = "?"
_ENTRY = re.compile(rf"\s*(\d+)\s+({QUOTED}|[^\s,]+)\s*(?:,|\Z)")


@dataclass(frozen=True, slots=True)
class _Entries:
    """All written values of a file.

    Attributes
    ----------
    row, attribute : ndarray of int, shape (entries,)
        Where each value belongs.
    code : ndarray of int, shape (entries,)
        Position of the value in `texts`, -1 for missing.
    texts : list of str
        The distinct values.
    """

    row: np.ndarray
    attribute: np.ndarray
    code: np.ndarray
    texts: list[str]


def read_sparse(
    rows: Rows, attributes: Sequence[Attribute], file: str
) -> tuple[list[np.ndarray], list[Note]]:
    """Read the values of sparse rows.

    Parameters
    ----------
    rows : Rows
    attributes : sequence of Attribute
    file : str
        The file as error messages name it.

    Returns
    -------
    values : list of ndarray, each of shape (rows,)
        As :func:`~engine.readers.arff_columns.typed_column` takes them.
    issues : list of Note

    Raises
    ------
    InvalidData, UnreadableFile
        When a row is not written as a sparse row, or a value does not fit its attribute; names the
        line.
    """
    insides = [_inside(line, rows, row, file) for row, line in enumerate(rows.lines)]
    plain = not any(mark in line for line in insides for mark in "'\"")
    entries = _read_plain(insides) if plain else None
    if entries is None:
        entries = _read_tokens(insides, rows, file)
    _check_positions(entries, rows, len(attributes), file)
    by_attribute = np.argsort(entries.attribute, kind="stable")
    bounds = np.searchsorted(entries.attribute[by_attribute], np.arange(len(attributes) + 1))
    values = [
        _column(attribute, entries, by_attribute[bounds[place] : bounds[place + 1]], rows, file)
        for place, attribute in enumerate(attributes)
    ]
    return values, _string_notes(attributes)


def _inside(line: str, rows: Rows, row: int, file: str) -> str:
    if line.startswith("{") and line.endswith("}"):
        return line[1:-1]
    raise UnreadableFile(
        "this row is not closed in braces as the other rows are.",
        place=rows.place(row, file),
        remedy="Correct the row; if it is the last one, the file is cut off.",
    )


def _read_plain(insides: Sequence[str]) -> _Entries | None:
    """Read rows without quotes in one go; None where something is not as it should be."""
    counts = np.array([line.count(",") + 1 if line.strip() else 0 for line in insides])
    words = " ".join(insides).replace(",", " ").split()
    if len(words) != 2 * counts.sum() or not all(word.isdecimal() for word in words[0::2]):
        return None
    code, texts = pandas.factorize(np.array(words[1::2], dtype=object))
    distinct = [str(text) for text in texts]
    if _MISSING in distinct:
        code = np.where(code == distinct.index(_MISSING), MISSING_CODE, code)
    attribute = np.array(words[0::2], dtype=np.int64)
    return _Entries(np.repeat(np.arange(len(insides)), counts), attribute, code, distinct)


def _read_tokens(insides: Sequence[str], rows: Rows, file: str) -> _Entries:
    """Read entry by entry: quotes and escapes are resolved, every fault has its line."""
    places: list[int] = []
    attributes: list[int] = []
    texts: list[str | None] = []
    for row, line in enumerate(insides):
        position, end = 0, len(line.rstrip())
        while position < end:
            match = _ENTRY.match(line, position)
            if match is None:
                raise InvalidData(
                    f"'{line[position : position + 20].strip()}' is no pair of index and value.",
                    place=rows.place(row, file),
                    remedy="A sparse row is written {index value, index value}.",
                )
            places.append(row)
            attributes.append(int(match.group(1)))
            texts.append(None if match.group(2) == _MISSING else unquote(match.group(2)))
            position = match.end()
    code, distinct = pandas.factorize(np.array(texts, dtype=object))
    return _Entries(
        np.array(places, dtype=np.int64), np.array(attributes, dtype=np.int64), code, list(distinct)
    )


def _check_positions(entries: _Entries, rows: Rows, count: int, file: str) -> None:
    outside = np.flatnonzero(entries.attribute >= count)
    if len(outside):
        first = outside[0]
        raise InvalidData(
            f"index {entries.attribute[first]} is too large; the {count} attributes are counted from 0.",
            place=rows.place(int(entries.row[first]), file),
            remedy="Correct the index or declare the attribute.",
        )
    cell = entries.row * count + entries.attribute
    _, first_of, repeats = np.unique(cell, return_index=True, return_counts=True)
    if (repeats > 1).any():
        first = first_of[repeats > 1][0]
        raise InvalidData(
            f"index {entries.attribute[first]} stands twice in one row.",
            place=rows.place(int(entries.row[first]), file),
            remedy="Remove one of the two values.",
        )


def _column(attribute: Attribute, entries: _Entries, chosen: np.ndarray, rows: Rows, file: str) -> np.ndarray:
    row, code = entries.row[chosen], entries.code[chosen]
    if attribute.type == "numeric":
        numbers = np.zeros(len(rows.lines))
        numbers[row] = _numbers(attribute, entries, row, code, rows, file)
        return numbers
    if attribute.type == "nominal":
        codes = np.full(len(rows.lines), 0 if attribute.levels else MISSING_CODE, dtype=np.int32)
        codes[row] = _levels(attribute, entries, row, code, rows, file)
        return codes
    strings = np.full(len(rows.lines), None, dtype=object)
    strings[row] = np.array([*entries.texts, None], dtype=object)[code]
    return strings


def _numbers(
    attribute: Attribute,
    entries: _Entries,
    row: np.ndarray,
    code: np.ndarray,
    rows: Rows,
    file: str,
) -> np.ndarray:
    used, first, inverse = np.unique(code, return_index=True, return_inverse=True)
    parsed = [
        np.nan
        if each == MISSING_CODE
        else parse_number(entries.texts[each], attribute, rows.place(int(row[at]), file))
        for each, at in zip(used, first, strict=True)
    ]
    return np.array(parsed, dtype=np.float64)[inverse]


def _levels(
    attribute: Attribute,
    entries: _Entries,
    row: np.ndarray,
    code: np.ndarray,
    rows: Rows,
    file: str,
) -> np.ndarray:
    used, first, inverse = np.unique(code, return_index=True, return_inverse=True)
    texts = [entries.texts[each] if each != MISSING_CODE else "" for each in used]
    levels = level_table(texts, attribute)
    for position, each in enumerate(used):
        if each != MISSING_CODE and levels[position] == MISSING_CODE:
            place = rows.place(int(row[first[position]]), file)
            raise undeclared_level(texts[position], attribute, place)
    return levels[inverse]


def _string_notes(attributes: Sequence[Attribute]) -> list[Note]:
    return [
        Note(
            "sparse-text",
            f"Column '{attribute.name}' holds text in a sparse file; values not written are missing.",
            attribute.name,
        )
        for attribute in attributes
        if attribute.type in ("string", "date")
    ]
