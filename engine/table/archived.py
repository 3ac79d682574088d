"""Tables inside a zip file: plain arrays and JSON, each column once, however many tables hold it.

``tables.json`` lists the tables: name, rows, content hash, notes, and each variable with its kind, role,
levels and where its values are. ``arrays/TYPE-ROWS.npy`` holds the values: a matrix in NumPy's format, a
column of a table in each row of it, numbers as ``<f8`` and codes of levels as ``|i1``, ``<i2`` or ``<i4``.
What is more than an array may hold goes on in ``arrays/TYPE-ROWS-1.npy``, and so on. The arrays may lie in
another zip file. No entry can run code: arrays of objects are never read.
"""

from __future__ import annotations

import hashlib
import json
import tokenize
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from engine.atomic import check_openable
from engine.codec import DAMAGE, damage, new_converter
from engine.errors import UnreadableFile
from engine.table.dataset import Dataset
from engine.table.event_choice import saved_event
from engine.table.variable import Variable
from engine.table.zip_damage import DAMAGED_ENTRY, DAMAGED_ZIP
from engine.translation import _, message_of, message_values
from engine.wording.notes import Note
from engine.wording.sentences import OPEN_EARLIER_COPY

PROJECT = "project.json"
"""The entry that says what else is in the file of a project."""
PICTURE = "picture.png"
"""The entry with a small picture of what was found."""
_LARGEST_PICTURE = 1 << 20
TABLES = "tables.json"
MAX_JSON = 1 << 30
"""Largest JSON entry that is taken into memory: 1 GiB."""
MAX_ARRAY = 2 << 30
"""Largest array that is taken into memory: 2 GiB, as of a table that is read."""

# How many times its packed size something may have, and up to which size this does not matter. Arrays that
# are written here stay below 230 times; JSON, which takes many times its size in memory, below 30.
_ARRAY_RATIO, _ARRAY_RATIO_FROM = 250, 256 << 20
_JSON_RATIO, _JSON_RATIO_FROM = 100, 16 << 20

ARRAYS_EXTENSION = ".clcd-data"
"""How the name of a file ends that holds the values of a project beside it."""

# A head of an array is Python's notation of plain values, and is read as such.
_DAMAGED_HEAD = (tokenize.TokenError, SyntaxError)
_CONVERTER = new_converter()
_TYPES = ("<f8", "|i1", "<i2", "<i4")
_REMEDY = OPEN_EARLIER_COPY


Digests = dict[int, tuple[np.ndarray, str]]
"""Columns whose hash is known, by identity."""


class DistinctColumns:
    """The columns of some tables, each once, and where each table finds its own.

    `digests` are of columns that were looked through before, and in the end of those of these tables.
    `described` is what ``tables.json`` says, and `matrices` are columns by the entry that holds them.
    """

    def __init__(self, tables: Sequence[Dataset], digests: Digests | None = None) -> None:
        self.described: list[dict[str, Any]] = []
        self.matrices: dict[str, list[np.ndarray]] = {}
        self._places: dict[tuple[str, str], tuple[str, int]] = {}
        self._digests: Digests = {} if digests is None else dict(digests)
        used: Digests = {}
        for table in tables:
            variables = []
            for variable, column in zip(table.variables, table.columns, strict=True):
                array, row = self._place(column)
                used[id(column)] = self._digests[id(column)]
                variables.append(_CONVERTER.unstructure(variable) | {"array": array, "row": row})
            self.described.append(
                {
                    "name": table.name,
                    "rows": table.row_count,
                    "content_hash": table.content_hash,
                    "notes": [
                        [note.topic, message_values(note.message), note.variable, *note.columns]
                        for note in table.notes
                    ],
                    "variables": variables,
                }
            )
        if digests is not None:
            digests.clear()
            digests.update(used)

    @property
    def fingerprint(self) -> str:
        """A hash of all values and of where they are: with the same one the arrays are the same."""
        hasher = hashlib.sha256()
        for (shape, digest), (array, row) in self._places.items():
            hasher.update(f"{shape} {digest} {array} {row}\n".encode())
        return hasher.hexdigest()

    def _place(self, column: np.ndarray) -> tuple[str, int]:
        # In the byte order of the file.
        values = np.ascontiguousarray(column, dtype=column.dtype.newbyteorder("<"))
        if id(column) not in self._digests:
            self._digests[id(column)] = column, hashlib.sha256(values.data).hexdigest()
        shape = f"{values.dtype.str.strip('<|')}-{len(values)}"
        key = shape, self._digests[id(column)][1]
        if key not in self._places:
            array = self._array_with_room(shape, values.nbytes)
            self._places[key] = array, len(self.matrices[array])
            self.matrices[array].append(values)
        return self._places[key]

    def _array_with_room(self, shape: str, size: int) -> str:
        number = 0
        while True:
            array = f"arrays/{shape}-{number}.npy" if number else f"arrays/{shape}.npy"
            held = self.matrices.setdefault(array, [])
            if not held or (len(held) + 1) * size <= MAX_ARRAY:
                return array
            number += 1


def write_arrays(archive: zipfile.ZipFile, columns: DistinctColumns) -> None:
    """Write the values of tables into a zip file that is open for writing."""
    for array, held in columns.matrices.items():
        with archive.open(array, "w", force_zip64=True) as file:
            header = {"descr": held[0].dtype.str, "fortran_order": False}
            header |= {"shape": (len(held), len(held[0]))}
            np.lib.format.write_array_header_1_0(file, header)
            for values in held:
                file.write(values.view(np.uint8).data)


def read_tables(
    archive: zipfile.ZipFile, content: Mapping[str, Any], path: Path, place: str
) -> list[Dataset]:
    """Read the tables of a project, in the order of writing; a column that several hold is one array."""
    beside = content.get("arrays")
    if beside is None:
        return _read_tables(archive, archive, place)
    if not isinstance(beside, str) or not is_arrays_name(beside):
        raise UnreadableFile(_("it does not say where its data are."), place=place, remedy=_(_REMEDY))
    try:
        check_openable(path.with_name(beside))
        with zipfile.ZipFile(path.with_name(beside)) as arrays:
            return _read_tables(archive, arrays, place)
    except FileNotFoundError as error:
        raise UnreadableFile(
            _("its data are in a file of their own, '{beside}', which is not beside it.", beside=beside),
            place=place,
            remedy=_("Put that file into the same folder."),
        ) from error
    except (*DAMAGED_ZIP, OSError) as error:
        raise UnreadableFile(
            _("the file with its data, '{beside}', is damaged or cannot be read.", beside=beside),
            place=place,
            remedy=_(_REMEDY),
        ) from error


def is_arrays_name(name: str) -> bool:
    """Tell whether a text names a file with values, and no folder: nothing else is ever opened.

    >>> is_arrays_name("study-0a1b.clcd-data"), is_arrays_name("../study.clcd-data"), is_arrays_name("/etc/x")
    (True, False, False)
    """
    return name.endswith(ARRAYS_EXTENSION) and not set(name) & set("/\\:\0")


def _read_tables(archive: zipfile.ZipFile, arrays: zipfile.ZipFile, place: str) -> list[Dataset]:
    described = read_json(archive, TABLES, place)
    matrices = _ArchivedArrays(arrays, place)
    try:
        return [_table(description, matrices, place) for description in described]
    except UnreadableFile:
        raise
    except DAMAGE as error:
        raise UnreadableFile(
            _("its tables are damaged ({damage}).", damage=damage(error)), place=place, remedy=_(_REMEDY)
        ) from error


def read_picture(path: Path) -> bytes:
    """Return the small picture in the file of a project; empty where it has none, or is none."""
    try:
        check_openable(path)
        with zipfile.ZipFile(path) as archive:
            entry = entry_of(archive, PICTURE)
            return archive.read(entry) if entry.file_size <= _LARGEST_PICTURE else b""
    except DAMAGED_ENTRY:
        return b""


def write_json(archive: zipfile.ZipFile, name: str, value: object) -> None:
    """Write plain values as an entry of a zip file."""
    write_pieces(archive, name, [json.dumps(value, ensure_ascii=False, allow_nan=False)])


def write_pieces(archive: zipfile.ZipFile, name: str, pieces: Iterable[str]) -> None:
    """Write a text piece by piece as an entry of a zip file."""
    with archive.open(name, "w", force_zip64=True) as file:
        for piece in pieces:
            file.write(piece.encode("utf-8", "replace"))


def entry_of(archive: zipfile.ZipFile, name: str) -> zipfile.ZipInfo:
    """Return the entry of a zip file; room for as much as it says that it takes is made when it is read."""
    entry = archive.getinfo(name)
    if entry.header_offset + entry.compress_size > archive.start_dir:
        raise zipfile.BadZipFile(_("{name} is longer than the file.", name=name))
    return entry


def read_json(archive: zipfile.ZipFile, name: str, place: str) -> Any:
    """Read an entry of a zip file that holds JSON."""
    try:
        entry = entry_of(archive, name)
        if entry.file_size > max(_JSON_RATIO_FROM, min(MAX_JSON, _JSON_RATIO * entry.compress_size)):
            raise UnreadableFile(
                _("its part '{name}' is too large.", name=name), place=place, remedy=_(_REMEDY)
            )
        return json.loads(archive.read(entry))
    except DAMAGED_ENTRY as error:
        raise UnreadableFile(
            _("its part '{name}' is absent or damaged.", name=name), place=place, remedy=_(_REMEDY)
        ) from error


class _ArchivedArrays:
    """The arrays of a zip file, each read once; together no larger than the file explains."""

    def __init__(self, archive: zipfile.ZipFile, place: str) -> None:
        self._archive, self._place = archive, place
        self._matrices: dict[str, np.ndarray] = {}
        self._columns: dict[tuple[str, int], np.ndarray] = {}
        self._size = self._packed = 0

    def column(self, name: str, row: Any) -> np.ndarray:
        """Return a column; the same array to whoever asks for it."""
        if name not in self._matrices:
            self._matrices[name] = self._matrix(name)
        if not isinstance(row, int) or row < 0:
            raise ValueError(_("a column has no place"))
        return self._columns.setdefault((name, row), self._matrices[name][row])

    def _matrix(self, name: str) -> np.ndarray:
        """Read a matrix, after looking whether it is as large as it says."""
        try:
            entry = entry_of(self._archive, name)
            self._size += entry.file_size
            self._packed += entry.compress_size
            if self._size > max(_ARRAY_RATIO_FROM, _ARRAY_RATIO * self._packed):
                raise ValueError(_("it takes far more room than its size in the file explains"))
            with self._archive.open(entry) as file:
                version = np.lib.format.read_magic(file)
                if version != (1, 0):
                    raise ValueError(_("another version of the array format"))
                shape, is_turned, dtype = np.lib.format.read_array_header_1_0(file)
                size = int(np.prod(shape, dtype=object)) * dtype.itemsize if len(shape) == 2 else -1
                # A single column may be larger, as it cannot be divided.
                most = entry.file_size if shape[:1] == (1,) else min(entry.file_size, MAX_ARRAY)
                if dtype.str not in _TYPES or is_turned or not 0 <= size <= most:
                    raise ValueError(_("no matrix of numbers"))
                content = file.read(size)
                if len(content) != size or file.read(1):
                    raise ValueError(_("not as long as it says"))
            return np.frombuffer(content, dtype=dtype).reshape(shape)
        except (*_DAMAGED_HEAD, *DAMAGED_ENTRY) as error:
            raise UnreadableFile(
                _("its part '{name}' is absent or damaged ({error}).", name=name, error=error),
                place=self._place,
                remedy=_(_REMEDY),
            ) from error


def _table(described: Mapping[str, Any], matrices: _ArchivedArrays, place: str) -> Dataset:
    variables, columns = [], []
    for description in described["variables"]:
        columns.append(matrices.column(str(description["array"]), description["row"]))
        variables.append(_CONVERTER.structure({**description, **saved_event(description)}, Variable))
    notes = tuple(
        Note(str(topic), message_of(message), str(variable), columns=tuple(map(str, columns)))
        for topic, message, variable, *columns in described["notes"]
    )
    table = Dataset(tuple(variables), tuple(columns), str(described["name"]), notes)
    if table.content_hash != described["content_hash"]:
        raise UnreadableFile(
            _("its values differ from those that were saved."), place=place, remedy=_(_REMEDY)
        )
    return table
