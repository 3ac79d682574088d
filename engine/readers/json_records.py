"""JSON: a list of records, an object of columns, or one record a line."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from math import isfinite
from typing import Any

from engine.errors import InvalidData, UnreadableFile
from engine.readers.dialect import is_long_code
from engine.readers.encodings import decode, whole_letters
from engine.readers.reading import Table
from engine.readers.registry import ReadingOptions
from engine.readers.source import Source
from engine.readers.typed_files import GivenColumn, check_size, table_of

_NO_JSON = "this is no JSON ({reason})."
_REMEDY = 'Save the table as a list of records: [{"age": 31, "ill": "no"}, …].'
_TOO_DEEP = "its brackets are nested too deeply."
_HALF_A_LETTER = re.compile(r"\\u[dD][89a-fA-F]")

Record = Mapping[str, Any]


def read(source: Source, options: ReadingOptions, row_limit: int | None = None) -> Table:
    """Read records of JSON.

    Parameters
    ----------
    source : Source
    options : ReadingOptions
        `encoding` and `missing_codes` apply.
    row_limit : int, optional
        Give only the first rows.

    Returns
    -------
    Table
        A column for each name that any record has; records within records are taken apart, so that
        ``{"blood": {"iron": 3}}`` makes the column ``blood.iron``.

    Raises
    ------
    UnreadableFile, InvalidData
        When it is no JSON, or no table, with the place.
    """
    content, _ = source.read()
    text = decode(content, options.encoding, source.place).content
    records = _records(text, source.place)
    try:
        rows = [_flat(record, f"{source.place}, record {number}") for number, record in enumerate(records, 1)]
    except RecursionError as error:
        raise UnreadableFile(_TOO_DEEP, place=source.place, remedy=_REMEDY) from error
    if _HALF_A_LETTER.search(text):
        rows = [{whole_letters(name): _whole(value) for name, value in row.items()} for row in rows]
    names = list(dict.fromkeys(name for row in rows for name in row))
    check_size(len(rows), len(names), source.place)
    shown = rows if row_limit is None else rows[:row_limit]
    columns = [GivenColumn(name, [row.get(name) for row in shown]) for name in names]
    return table_of(columns, options, source.place, complete=len(shown) == len(rows))


def _records(text: str, place: str) -> list[Record]:
    try:
        found = json.loads(text, parse_int=_whole_number)
    except ValueError as error:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) < 2 or not lines[0].lstrip().startswith("{"):
            raise UnreadableFile(_NO_JSON.format(reason=error), place=place, remedy=_REMEDY) from error
        return [_line(line, number, place) for number, line in enumerate(lines, start=1)]
    except RecursionError as error:
        raise UnreadableFile(_TOO_DEEP, place=place, remedy=_REMEDY) from error
    if isinstance(found, dict) and found and all(isinstance(each, list) for each in found.values()):
        lengths = {len(each) for each in found.values()}
        if len(lengths) > 1:
            raise InvalidData("its columns differ in length.", place=place, remedy=_REMEDY)
        return [dict(zip(found, row, strict=True)) for row in zip(*found.values(), strict=True)]
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise InvalidData("this JSON is no list of records.", place=place, remedy=_REMEDY)
    return found


def _line(line: str, number: int, place: str) -> Record:
    try:
        record = json.loads(line, parse_int=_whole_number)
    except (ValueError, RecursionError) as error:
        raise UnreadableFile(
            _NO_JSON.format(reason=error), place=f"{place}, line {number}", remedy=_REMEDY
        ) from error
    if not isinstance(record, dict):
        raise InvalidData("this is no record.", place=f"{place}, line {number}", remedy=_REMEDY)
    return record


def _whole(value: Any) -> Any:
    return whole_letters(value) if isinstance(value, str) else value


def _whole_number(text: str) -> float | str:
    """Read a whole number; one that a float64 would make one with its neighbours stays as it is written."""
    # The integers of Python have no largest one, and take very long to be made of many digits.
    number = float(text)
    return text if is_long_code(text) and isfinite(number) else number


def _flat(record: Record, place: str, before: str = "") -> dict[str, Any]:
    cells: dict[str, Any] = {}
    for name, value in record.items():
        full = f"{before}{name}"
        if isinstance(value, dict):
            cells |= _flat(value, place, f"{full}.")
        elif isinstance(value, list):
            raise InvalidData(
                f"the cell '{full}' holds a list.",
                place=place,
                remedy="Write what matters of it into columns of its own.",
            )
        else:
            cells[full] = value
    return cells
