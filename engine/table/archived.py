"""Tables inside a zip file: plain arrays and JSON, each column once, however many tables hold it.

``tables.json`` lists the tables: name, rows, content hash, notes, and each variable with its kind, role,
levels and where its values are. ``arrays/TYPE-ROWS.npy`` holds the values: a matrix in NumPy's format, a
column of a table in each row of it, numbers as ``<f8`` and codes of levels as ``|i1``, ``<i2`` or ``<i4``. No
entry can run code: arrays of objects are never read.
"""

from __future__ import annotations

import hashlib
import json
import tokenize
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.errors import InvalidData, UnreadableFile
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable
from engine.wording.notes import Note
from engine.wording.sentences import OPEN_EARLIER_COPY

TABLES = "tables.json"
MAX_JSON = 1 << 30
"""Largest JSON entry that is taken into memory: 1 GiB."""
MAX_ARRAY = 1 << 36
"""Largest array that is taken into memory: 64 GiB."""

_DAMAGE = (ValueError, RuntimeError, EOFError, zipfile.BadZipFile, zlib.error, OSError)
# A head of an array is Python's notation of plain values, and is read as such.
_DAMAGED_HEAD = (tokenize.TokenError, SyntaxError)
_TYPES = ("<f8", "|i1", "<i2", "<i4")
_REMEDY = OPEN_EARLIER_COPY


def write_tables(archive: zipfile.ZipFile, tables: Sequence[Dataset]) -> None:
    """Write tables into a zip file that is open for writing.

    Parameters
    ----------
    archive : ZipFile
    tables : sequence of Dataset
        Columns that several of them hold are written once.
    """
    position_of: dict[tuple[str, str], int] = {}
    matrices: dict[str, list[np.ndarray]] = {}
    described = []
    for table in tables:
        variables = []
        for variable, column in zip(table.variables, table.columns, strict=True):
            values = _as_written(column)
            array = f"arrays/{values.dtype.str.strip('<|')}-{len(values)}.npy"
            key = array, hashlib.sha256(values.tobytes()).hexdigest()
            if key not in position_of:
                position_of[key] = len(matrices.setdefault(array, []))
                matrices[array].append(values)
            variables.append(_described(variable) | {"array": array, "row": position_of[key]})
        described.append(
            {
                "name": table.name,
                "rows": table.row_count,
                "content_hash": table.content_hash,
                "notes": [[note.topic, note.message, note.variable] for note in table.notes],
                "variables": variables,
            }
        )
    write_json(archive, TABLES, described)
    for array, columns in matrices.items():
        with archive.open(array, "w", force_zip64=True) as file:
            header = {"descr": columns[0].dtype.str, "fortran_order": False}
            header |= {"shape": (len(columns), len(columns[0]))}
            np.lib.format.write_array_header_1_0(file, header)
            for values in columns:
                file.write(values.tobytes())


def read_tables(archive: zipfile.ZipFile, place: str) -> list[Dataset]:
    """Read the tables of a zip file.

    Parameters
    ----------
    archive : ZipFile
    place : str
        The file, for messages.

    Returns
    -------
    list of Dataset
        In the order in which they were written; a column that several hold is one array.

    Raises
    ------
    UnreadableFile
        When an entry is absent or damaged, or a table is not what was written.
    """
    described = read_json(archive, TABLES, place)
    matrices: dict[str, np.ndarray] = {}
    columns: dict[tuple[str, int], np.ndarray] = {}
    try:
        return [_table(each, archive, matrices, columns, place) for each in described]
    except (KeyError, TypeError, ValueError, IndexError, InvalidData) as error:
        if isinstance(error, UnreadableFile):
            raise
        raise UnreadableFile(f"its tables are damaged ({error}).", place=place, remedy=_REMEDY) from error


def write_json(archive: zipfile.ZipFile, name: str, value: object) -> None:
    """Write plain values as an entry of a zip file."""
    archive.writestr(name, json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace"))


def read_json(archive: zipfile.ZipFile, name: str, place: str) -> Any:
    """Read an entry of a zip file that holds JSON.

    Raises
    ------
    UnreadableFile
        When there is none, it is damaged, or it is absurdly large.
    """
    try:
        entry = archive.getinfo(name)
        if entry.file_size > MAX_JSON:
            raise UnreadableFile(f"its part '{name}' is too large.", place=place, remedy=_REMEDY)
        return json.loads(archive.read(entry))
    except (KeyError, *_DAMAGE) as error:
        raise UnreadableFile(
            f"its part '{name}' is absent or damaged.", place=place, remedy=_REMEDY
        ) from error


def _as_written(column: np.ndarray) -> np.ndarray:
    """Return values in the byte order of the file."""
    return np.ascontiguousarray(column, dtype=column.dtype.newbyteorder("<"))


def _described(variable: Variable) -> dict[str, Any]:
    return {
        "name": variable.name,
        "kind": str(variable.kind),
        "role": str(variable.role),
        "levels": list(variable.levels),
        "ordered": variable.ordered,
        "is_cut": variable.is_cut,
    }


def _table(
    described: Mapping[str, Any],
    archive: zipfile.ZipFile,
    matrices: dict[str, np.ndarray],
    known: dict[tuple[str, int], np.ndarray],
    place: str,
) -> Dataset:
    variables, columns = [], []
    for each in described["variables"]:
        name = str(each["array"])
        if name not in matrices:
            matrices[name] = _matrix(archive, name, place)
        row = each["row"]
        if not isinstance(row, int) or row < 0:
            raise ValueError("a column has no place")
        columns.append(known.setdefault((name, row), matrices[name][row]))
        variables.append(
            Variable(
                str(each["name"]),
                Kind(each["kind"]),
                Role(each["role"]),
                tuple(map(str, each["levels"])),
                bool(each["ordered"]),
                bool(each["is_cut"]),
            )
        )
    notes = tuple(Note(*map(str, note)) for note in described["notes"])
    table = Dataset(tuple(variables), tuple(columns), str(described["name"]), notes)
    if table.content_hash != described["content_hash"]:
        raise UnreadableFile("its values are not those that were saved.", place=place, remedy=_REMEDY)
    return table


def _matrix(archive: zipfile.ZipFile, name: str, place: str) -> np.ndarray:
    """Read a matrix, after looking whether it is as large as it says."""
    try:
        entry = archive.getinfo(name)
        with archive.open(entry) as file:
            version = np.lib.format.read_magic(file)
            if version != (1, 0):
                raise ValueError("another version of the array format")
            shape, is_turned, dtype = np.lib.format.read_array_header_1_0(file)
            size = int(np.prod(shape, dtype=object)) * dtype.itemsize if len(shape) == 2 else -1
            if dtype.str not in _TYPES or is_turned or not 0 <= size <= min(entry.file_size, MAX_ARRAY):
                raise ValueError("no matrix of numbers")
            content = file.read(size)
            if len(content) != size or file.read(1):
                raise ValueError("not as long as it says")
        return np.frombuffer(content, dtype=dtype).reshape(shape)
    except (KeyError, *_DAMAGED_HEAD, *_DAMAGE) as error:
        raise UnreadableFile(
            f"its part '{name}' is absent or damaged ({error}).", place=place, remedy=_REMEDY
        ) from error
