"""JSON: a list of records, an object of columns, or one record a line."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isfinite
from typing import Any

from engine.errors import InvalidData, UnreadableFile
from engine.readers.cell_text import is_long_code
from engine.readers.encodings import decode, whole_letters
from engine.readers.options import ReadingOptions
from engine.readers.reading import Table
from engine.readers.source import Source
from engine.readers.typed_files import GivenColumn, check_size, table_of
from engine.translation import N_, _
from engine.wording.sentences import NOT_JSON_BECAUSE, RENAME_ONE

_REMEDY = N_(
    'Save the table as a list of records: [{"age": 31, "ill": "no"}, …]. pandas writes it with '
    "to_json(path, orient='records')."
)
_NO_RECORDS = N_("this JSON is not a list of records.")
_OTHER_ORIENTATIONS = ({"columns", "index", "data"}, {"columns", "data"}, {"schema", "data"})
_TOO_DEEP = N_("its brackets are nested too deeply.")
_HALF_A_LETTER = re.compile(r"\\u[dD][89a-fA-F]")

Record = Mapping[str, Any]


class _RepeatedNames(dict[str, Any]):
    """An object in which a name stands more than once."""

    def __init__(self, pairs: Sequence[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        counts = Counter(name for name, _ in pairs)
        self.twice = next(name for name, count in counts.items() if count > 1)


def read(source: Source, options: ReadingOptions, row_limit: int | None = None) -> Table:
    """Read JSON records with a column for each name, ``blood.iron`` for ``{"blood": {"iron": 3}}``."""
    content, _is_whole = source.read()
    text, _guesses = decode(content, options.encoding, source.place)
    has_halves = _HALF_A_LETTER.search(text) is not None
    rows = []
    try:
        for where, record in _records(text, source.place):
            row = _flat(record, f"{source.place}, {where}")
            rows.append(_of_whole_letters(row, f"{source.place}, {where}") if has_halves else row)
    except RecursionError as error:
        raise UnreadableFile(_(_TOO_DEEP), place=source.place, remedy=_(_REMEDY)) from error
    names = list(dict.fromkeys(name for row in rows for name in row))
    check_size(len(rows), len(names), source.place)
    shown = rows if row_limit is None else rows[:row_limit]
    columns = [GivenColumn(name, [row.get(name) for row in shown]) for name in names]
    return table_of(columns, options, source.place, complete=len(shown) == len(rows))


def _records(text: str, place: str) -> Iterator[tuple[str, Record]]:
    """Give each record with where it stands: the number of its line where there is one a line."""
    try:
        loaded = _loaded(text)
    except ValueError as error:
        # JSON lets no line end stand in a text, but every other mark that might end a line.
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        numbered = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
        if len(numbered) < 2 or not numbered[0][1].lstrip().startswith("{"):
            raise UnreadableFile(_(NOT_JSON_BECAUSE, reason=error), place=place, remedy=_(_REMEDY)) from error
        for number, line in numbered:
            yield (
                _("line {number}", number=number),
                _line(line, _("{place}, line {number}", place=place, number=number)),
            )
        return
    for number, record in enumerate(_listed(loaded, place), start=1):
        yield _("record {number}", number=number), record


def _loaded(text: str) -> Any:
    return json.loads(text, parse_int=_whole_number, object_pairs_hook=_object)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    return members if len(members) == len(pairs) else _RepeatedNames(pairs)


def _listed(loaded: Any, place: str) -> Iterable[Record]:
    """Return the records of a list, or of an object of columns."""
    if isinstance(loaded, dict) and loaded and all(isinstance(record, dict) for record in loaded.values()):
        return _of_pandas(loaded, place)
    is_of_columns = isinstance(loaded, dict) and set(loaded) not in _OTHER_ORIENTATIONS
    if is_of_columns and loaded and all(isinstance(column, list) for column in loaded.values()):
        _refuse_repeated(loaded, place)
        lengths = {len(column) for column in loaded.values()}
        if len(lengths) > 1:
            raise InvalidData(_("its columns differ in length."), place=place, remedy=_(_REMEDY))
        return (dict(zip(loaded, row, strict=True)) for row in zip(*loaded.values(), strict=True))
    if not isinstance(loaded, list) or not all(isinstance(record, dict) for record in loaded):
        raise InvalidData(_(_NO_RECORDS), place=place, remedy=_(_REMEDY))
    return loaded


def _of_pandas(columns: Mapping[str, Record], place: str) -> Iterable[Record]:
    """Return the records of an object of objects, as ``to_json()`` of pandas writes them."""
    for record in (columns, *columns.values()):
        _refuse_repeated(record, place)
    first, *others = (tuple(column) for column in columns.values())
    if all(map(str.isdecimal, first)) and all(keys == first for keys in others):
        cells = (column.values() for column in columns.values())
        return (dict(zip(columns, row, strict=True)) for row in zip(*cells, strict=True))
    if all(map(str.isdecimal, columns)):
        return columns.values()
    raise InvalidData(_(_NO_RECORDS), place=place, remedy=_(_REMEDY))


def _line(line: str, place: str) -> Record:
    try:
        record = _loaded(line)
    except (ValueError, RecursionError) as error:
        raise UnreadableFile(_(NOT_JSON_BECAUSE, reason=error), place=place, remedy=_(_REMEDY)) from error
    if not isinstance(record, dict):
        raise InvalidData(_("this is not a record."), place=place, remedy=_(_REMEDY))
    return record


def _refuse_repeated(record: Record, place: str) -> None:
    if isinstance(record, _RepeatedNames):
        raise _twice(record.twice, place)


def _twice(name: str, place: str) -> InvalidData:
    return InvalidData(_("the name '{name}' stands twice.", name=name), place=place, remedy=_(RENAME_ONE))


def _of_whole_letters(row: Record, place: str) -> Record:
    whole = {}
    for name, value in row.items():
        full = whole_letters(name)
        if full in whole:
            raise _twice(full, place)
        whole[full] = whole_letters(value) if isinstance(value, str) else value
    return whole


def _whole_number(text: str) -> float | str:
    """Read a whole number; one that a float64 would make one with its neighbours stays as it is written."""
    # The integers of Python have no largest one, and take very long to be made of many digits.
    number = float(text)
    return text if is_long_code(text) and isfinite(number) else number


def _flat(record: Record, place: str, before: str = "") -> dict[str, Any]:
    _refuse_repeated(record, place)
    cells: dict[str, Any] = {}
    for name, value in record.items():
        full = f"{before}{name}"
        if isinstance(value, list):
            raise InvalidData(
                _("the cell '{full}' holds a list.", full=full),
                place=place,
                remedy=_("Write what matters of it into columns of its own."),
            )
        inside = _flat(value, place, f"{full}.") if isinstance(value, dict) else {full: value}
        for inner, cell in inside.items():
            if inner in cells:
                raise _twice(inner, place)
            cells[inner] = cell
    return cells
