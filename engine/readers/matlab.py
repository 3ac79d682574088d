"""MATLAB files, as collections of multi-label tables are often kept: a matrix of features, one of labels."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import numpy as np

from engine.errors import InvalidData, UnreadableFile
from engine.readers.options import ReadingOptions
from engine.readers.reading import Guess, Table
from engine.readers.source import CHUNK, Source
from engine.readers.typed_files import (
    MAX_CELLS,
    GivenColumn,
    check_size,
    needed,
    raising_as_damaged,
    require_one_of,
    table_of,
)
from engine.translation import N_, _
from engine.wording.notes import Note
from engine.wording.phrases import plain_listing
from engine.wording.sentences import DAMAGED_OR_OTHER_KIND

_HDF5 = b"\x89HDF"
_USER_BLOCK = 512
_LABEL_NAMES = ("target", "targets", "label", "labels", "y", "gnd", "classes")
_MATRIX = 2
_MOST_NAMED = 6

_OLDEST_TYPES = ("f8", "f4", "i4", "i2", "u2", "u1")
_LITTLE_ENDIAN = 1000
_OLDEST_HEADER = 20
_FULL, _TEXT, _SPARSE = range(3)
_COLUMNS_OF_SPARSE = 3

_HEADER, _TAG = 128, 8
_TYPES = {
    1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8", 16: "u1",
}  # fmt: skip
_BYTE, _DOUBLE, _MATRIX_PART, _PACKED = 2, 9, 14, 15
_SPARSE_CLASS = 5
_NUMBER_CLASSES = range(_SPARSE_CLASS, 16)
_LOGICAL, _COMPLEX = 0x200, 0x800
_MOST_DIMENSIONS = 32
_LONGEST_NAME = 1 << 12

# Rare labels of many rows, packed, take a byte for some hundred cells; what claims more than this is damaged.
_MOST_CELLS_A_BYTE, _CELLS_OF_ANY_FILE = 1000, 1 << 22
_MOST_LINES_A_BYTE, _LINES_OF_ANY_FILE = 8, 1 << 14

_CUT_OFF = N_("it ends within a matrix")
_SAVE_AGAIN = N_("Save it in MATLAB again, or write the matrices with writematrix and open that.")
_NOT_SO_BUILT = N_("it is not built as MATLAB files are")


@dataclass(frozen=True, slots=True)
class _TableMatrices:
    """A matrix of rows, and perhaps one of labels that has as many."""

    data_name: str
    data: np.ndarray
    label_name: str = ""
    labels: np.ndarray | None = None
    was_turned: bool = False


def read(source: Source, options: ReadingOptions, row_limit: int | None = None) -> Table:
    """Read the matrices of a MATLAB file as one table: features, then labels (also transposed or -1, 1)."""
    content, _is_whole = source.read()
    with raising_as_damaged(_(DAMAGED_OR_OTHER_KIND), source.place, _(_SAVE_AGAIN)):
        is_new = content.startswith(_HDF5) or content[_USER_BLOCK:].startswith(_HDF5)
        arrays = (_hdf5_matrices if is_new else matrices_of)(content, source)
    if not arrays:
        raise InvalidData(
            _("it holds no matrix of numbers."),
            place=source.place,
            remedy=_("Save features and labels as matrices; tables and objects of MATLAB cannot be read."),
        )
    matrices = _chosen(arrays, options, source.place)
    columns = _columns(matrices.data_name, matrices.data, "V", row_limit)
    label_columns: list[GivenColumn] = []
    if matrices.labels is not None:
        label_columns = _columns(matrices.label_name, _two_valued(matrices.labels), "L", row_limit)
    rows = len(matrices.data)
    return table_of(
        [*columns, *label_columns],
        options,
        source.place,
        guesses=[*_guesses(matrices, arrays, options, [label_column.name for label_column in label_columns])],
        issues=[*_notes(matrices, arrays)],
        labels=[label_column.name for label_column in label_columns],
        complete=row_limit is None or rows <= row_limit,
        are_cases=True,
    )


class _Room:
    """Memory that the matrices of one file may take together."""

    def __init__(self, source: Source, size: int) -> None:
        self._place = source.place
        self._cells = 0
        self._most_cells = max(_CELLS_OF_ANY_FILE, size * _MOST_CELLS_A_BYTE)
        self._most_lines = max(_LINES_OF_ANY_FILE, size * _MOST_LINES_A_BYTE)

    def take(self, rows: int, columns: int, name: str) -> None:
        """Take the room of one more matrix; raise UnreadableFile where there is none."""
        if min(rows, columns) < 0:
            raise ValueError(_(_NOT_SO_BUILT))
        check_size(rows, columns, _("{place}, matrix '{name}'", place=self._place, name=name))
        self._cells += rows * columns
        # A sparse matrix is as large as it says, whatever it holds.
        if self._cells > self._most_cells or max(rows, columns) > self._most_lines:
            raise UnreadableFile(
                _(
                    "its matrix '{name}' claims {rows:,} rows and {columns:,} columns, which a file "
                    "of this size cannot hold.",
                    name=name,
                    rows=rows,
                    columns=columns,
                ),
                place=self._place,
                remedy=_(_SAVE_AGAIN),
            )
        if self._cells > MAX_CELLS:
            raise UnreadableFile(
                _(
                    "its matrices have {cells:,} cells together, too many to be taken into memory.",
                    cells=self._cells,
                ),
                place=self._place,
                remedy=_("Save features and labels alone in a file."),
            )


def matrices_of(content: bytes, source: Source) -> dict[str, np.ndarray]:
    """Read the real matrices of versions 4 to 7 (The MathWorks, "MAT-File Format", R2023b).

    Each is checked first: libraries end the program on a damaged one.
    """
    # Version 5 begins with a text, version 4 with a number of four digits.
    matrices = _oldest_matrices if 0 in content[:4] else _matrices
    return {name: matrix for name, matrix in matrices(content, source) if name and matrix.size}


def _oldest_matrices(content: bytes, source: Source) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the matrices of version 4, each with its name."""
    room = _Room(source, len(content))
    place = 0
    while place < len(content):
        if len(content) - place < _OLDEST_HEADER:
            raise ValueError(_(_CUT_OFF))
        order = "<" if int.from_bytes(content[place : place + 4], "little") < _LITTLE_ENDIAN else ">"
        kind, rows, columns, is_complex, length = struct.unpack_from(f"{order}5i", content, place)
        machine, number_type, shape_type = kind // 1000, kind // 10 % 100, kind % 10
        if machine != (order == ">") or number_type >= len(_OLDEST_TYPES) or min(rows, columns, length) < 0:
            raise ValueError(_(_NOT_SO_BUILT))
        dtype = np.dtype(f"{order}{_OLDEST_TYPES[number_type]}")
        begin = place + _OLDEST_HEADER + length
        place = begin + rows * columns * dtype.itemsize * (2 if is_complex else 1)
        if place > len(content):
            raise ValueError(_(_CUT_OFF))
        name = content[begin - length : begin].split(b"\0")[0].decode("latin-1")
        if shape_type == _TEXT or is_complex or not rows * columns:
            continue
        room.take(rows, columns, name)
        values = np.frombuffer(content, dtype, rows * columns, begin).reshape((rows, columns), order="F")
        if shape_type == _FULL:
            yield name, values.astype(np.float64)
        elif shape_type == _SPARSE and columns == _COLUMNS_OF_SPARSE:
            # The last row holds the size.
            height, width = (int(size) for size in values[-1, :2])
            room.take(height, width, name)
            yield name, _spread(values[:-1, 0] - 1, values[:-1, 1] - 1, values[:-1, 2], (height, width))


def _matrices(content: bytes, source: Source) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the matrices of versions 5 to 7, each with its name."""
    order = {b"IM": "<", b"MI": ">"}.get(content[_HEADER - 2 : _HEADER])
    if order is None:
        raise ValueError(_(_NOT_SO_BUILT))
    room = _Room(source, len(content))
    place, unpacked = _HEADER, 0
    while place < len(content):
        if len(content) - place < _TAG:
            raise ValueError(_(_CUT_OFF))
        kind, size = struct.unpack_from(f"{order}II", content, place)
        place += _TAG
        if place + size > len(content):
            raise ValueError(_(_CUT_OFF))
        part = _Part(memoryview(content)[place : place + size], order, kind == _PACKED)
        place += size
        if kind == _PACKED:
            kind, _size = part.tag()
        if kind != _MATRIX_PART:
            raise ValueError(_(_NOT_SO_BUILT))

        def check(more: int, before: int = unpacked) -> None:
            source.check_unpacked(before + more, len(content))

        matrix = _matrix(part, room, check)
        unpacked += part.unpacked
        if matrix is not None:
            yield matrix


class _Part:
    """One variable of a file of version 5, element by element; unpacked only as far as needed."""

    def __init__(self, content: memoryview, order: str, is_packed: bool) -> None:
        self._rest = content
        self._waiting = b""
        self._order = order
        self._unpacker = zlib.decompressobj() if is_packed else None
        self.unpacked = 0

    def tag(self) -> tuple[int, int]:
        """Return kind and bytes of the next element."""
        kind, size = struct.unpack(f"{self._order}II", self._take(_TAG))
        return kind, size

    def numbers(
        self, most: int, check: Callable[[int], None] | None = None, *, are_logical: bool = False
    ) -> np.ndarray:
        """Return the numbers of the next element; raise ValueError where there are more than `most`."""
        head = self._take(_TAG)
        kind, size = struct.unpack(f"{self._order}II", head)
        is_short = kind >> 16
        if is_short:
            kind, size = kind & 0xFFFF, kind >> 16
        if are_logical and kind == _DOUBLE:
            # MATLAB writes the truth values of sparse matrices as bytes and calls them doubles.
            kind = _BYTE
        dtype = np.dtype(f"{self._order}{_TYPES[kind]}") if kind in _TYPES else None
        if dtype is None or size > most * dtype.itemsize or size % dtype.itemsize:
            raise ValueError(_(_NOT_SO_BUILT))
        if is_short:
            return np.frombuffer(head[4 : 4 + size], dtype)
        if check is not None and self._unpacker is not None:
            check(self.unpacked + size)
        values = np.frombuffer(self._take(size), dtype)
        self._take(-size % _TAG, is_padding=True)
        return values

    def check_sum(self) -> None:
        """Raise an error where what was packed ends otherwise than it did when it was packed."""
        if self._unpacker is not None:
            self._unpack(_LONGEST_NAME)
            if not self._unpacker.eof:
                raise ValueError(_(_NOT_SO_BUILT))

    def _take(self, size: int, is_padding: bool = False) -> memoryview | bytes:
        if self._unpacker is not None:
            taken: memoryview | bytes = self._unpack(size)
        else:
            taken, self._rest = self._rest[:size], self._rest[size:]
        if len(taken) < size and not is_padding:
            raise ValueError(_(_CUT_OFF))
        return taken

    def _unpack(self, size: int) -> bytes:
        """Return at most so many bytes of what is packed."""
        unpacker = self._unpacker
        assert unpacker is not None
        pieces: list[bytes] = []
        missing = size
        while missing and not unpacker.eof:
            # What one step leaves over is copied, so little is given to each.
            if not self._waiting and self._rest:
                self._waiting, self._rest = bytes(self._rest[:CHUNK]), self._rest[CHUNK:]
            piece = unpacker.decompress(self._waiting, missing)
            if not piece and not self._rest and not unpacker.unconsumed_tail:
                break
            self._waiting = unpacker.unconsumed_tail
            pieces.append(piece)
            missing -= len(piece)
        self.unpacked += size - missing
        return b"".join(pieces)


def _matrix(part: _Part, room: _Room, check: Callable[[int], None]) -> tuple[str, np.ndarray] | None:
    """Return name and numbers of a variable; None where it is no matrix of real numbers."""
    flags = part.numbers(2)
    kind, is_logical = int(flags[0]) & 0xFF, bool(flags[0] & _LOGICAL)
    if kind not in _NUMBER_CLASSES:
        return None
    shape = [int(number) for number in part.numbers(_MOST_DIMENSIONS)]
    name = part.numbers(_LONGEST_NAME).tobytes().decode("utf-8", "replace")
    if flags[0] & _COMPLEX or len(shape) != _MATRIX or not shape[0] * shape[1]:
        return None
    rows, columns = shape
    room.take(rows, columns, name)
    if kind == _SPARSE_CLASS:
        row_numbers, starts = part.numbers(MAX_CELLS, check), part.numbers(columns + 1, check)
        values = part.numbers(MAX_CELLS, check, are_logical=is_logical)
        part.check_sum()
        return name, _unfolded(values, row_numbers, starts, (rows, columns))
    values = part.numbers(rows * columns, check)
    part.check_sum()
    return name, values.reshape((rows, columns), order="F").astype(np.float64)


def _unfolded(
    values: np.ndarray, row_numbers: np.ndarray, starts: np.ndarray, shape: tuple[int, int]
) -> np.ndarray:
    """Return the dense matrix of a sparse one that is kept column by column."""
    starts = starts.astype(np.int64)
    counts = np.diff(starts)
    used = int(starts[-1])
    if len(counts) != shape[1] or starts[0] or counts.min() < 0 or used > min(len(values), len(row_numbers)):
        raise ValueError(_(_NOT_SO_BUILT))
    return _spread(row_numbers[:used], np.repeat(np.arange(shape[1]), counts), values[:used], shape)


def _spread(rows: np.ndarray, columns: np.ndarray, values: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """Return the dense matrix of cells that are not 0; those that stand twice are added up."""
    rows, columns = rows.astype(np.int64), columns.astype(np.int64)
    for numbers, size in ((rows, shape[0]), (columns, shape[1])):
        if ((numbers < 0) | (numbers >= size)).any():
            raise ValueError(_("a cell is outside its matrix"))
    flat = np.bincount(columns * shape[0] + rows, values.astype(np.float64), shape[0] * shape[1])
    return flat.reshape(shape, order="F")


def _hdf5_matrices(content: bytes, source: Source) -> dict[str, np.ndarray]:
    """Read the matrices of version 7.3, which stores matrices turned and sparse ones as groups."""
    h5py = needed(
        "h5py",
        N_("MATLAB files of version 7.3 are read with {library}, which is not installed."),
        source.place,
    )
    room = _Room(source, len(content))
    arrays: dict[str, np.ndarray] = {}
    with h5py.File(BytesIO(content), "r") as file:
        for name in file:
            # What a link leads to, or a matrix is kept in, may be another file.
            if name.startswith("#") or not isinstance(file.get(name, getlink=True), h5py.HardLink):
                continue
            member = file[name]
            if isinstance(member, h5py.Dataset):
                if member.ndim == _MATRIX and member.size and _holds_numbers(member):
                    rows, columns = member.shape
                    room.take(rows, columns, name)
                    arrays[name] = member[()].T.astype(np.float64)
            elif {"data", "ir", "jc"} <= set(member):
                values, row_numbers, starts = (member[part] for part in ("data", "ir", "jc"))
                if not all(map(_holds_numbers, (values, row_numbers, starts))):
                    continue
                for part in (values, row_numbers, starts):
                    room.take(part.size, 1, name)
                shape = int(member.attrs["MATLAB_sparse"]), len(starts) - 1
                if shape[0] and shape[1]:
                    room.take(shape[0], shape[1], name)
                    arrays[name] = _unfolded(values[()], row_numbers[()], starts[()], shape)
    return arrays


def _holds_numbers(stored: Any) -> bool:
    """Tell whether a part of an HDF5 file holds real numbers, and holds them itself."""
    is_elsewhere = stored.external or stored.is_virtual
    return stored.dtype.kind in "buif" and not is_elsewhere


def _chosen(arrays: Mapping[str, np.ndarray], options: ReadingOptions, place: str) -> _TableMatrices:
    """Choose the matrix of features, and that of the labels which goes with it."""
    require_one_of(
        options.sheet, arrays, N_("there is no matrix {name!r}."), N_("Its matrices are: {names}."), place
    )
    likely = {name: array for name, array in arrays.items() if not _is_named_as_labels(name)}
    data_name = options.sheet or max(likely or arrays, key=lambda name: arrays[name].size)
    data = arrays[data_name]
    for name, array in sorted(arrays.items(), key=lambda item: not _is_named_as_labels(item[0])):
        if name == data_name or not set(np.unique(array).tolist()) <= {-1.0, 0.0, 1.0}:
            continue
        has_rows, has_columns = (count == len(data) for count in array.shape)
        # Labels × rows is how collections of this field keep them; where both fit, that is taken.
        if has_columns and (_is_named_as_labels(name) or not has_rows):
            return _TableMatrices(data_name, data, name, array.T, was_turned=not has_rows)
        if has_rows:
            return _TableMatrices(data_name, data, name, array)
    return _TableMatrices(data_name, data)


def _is_named_as_labels(name: str) -> bool:
    words = name.lower().replace("train", "").replace("test", "").strip("_0123456789")
    return words in _LABEL_NAMES


def _two_valued(labels: np.ndarray) -> np.ndarray:
    """Write -1 as 0; with three values, as -1, 0 and 1, nothing is changed."""
    values = set(np.unique(labels).tolist())
    return np.where(labels < 0, 0.0, labels) if values <= {-1.0, 1.0} else labels


def _columns(matrix_name: str, matrix: np.ndarray, letter: str, row_limit: int | None) -> list[GivenColumn]:
    part = np.asfortranarray(matrix if row_limit is None else matrix[:row_limit])
    if matrix.shape[1] == 1:
        return [GivenColumn(matrix_name, part[:, 0])]
    return [GivenColumn(f"{letter}{place + 1}", part[:, place]) for place in range(matrix.shape[1])]


def _guesses(
    matrices: _TableMatrices, arrays: Mapping[str, np.ndarray], options: ReadingOptions, labels: Sequence[str]
) -> Iterator[Guess]:
    if options.sheet is None and len(arrays) > 1 + (matrices.labels is not None):
        names = plain_listing(list(arrays), _MOST_NAMED)
        reason = _(
            "Of the matrices {names}, '{data_name}' is taken for the features.",
            names=names,
            data_name=matrices.data_name,
        )
        yield Guess("sheet", matrices.data_name, reason, certain=False)
    if labels:
        reason = _(
            "The matrix '{label_name}' holds two values and as many rows as '{data_name}'.",
            label_name=matrices.label_name,
            data_name=matrices.data_name,
        )
        yield Guess("labels", ", ".join(labels), reason, certain=not matrices.was_turned)


def _notes(matrices: _TableMatrices, arrays: Mapping[str, Any]) -> Iterator[Note]:
    if matrices.was_turned:
        yield Note(
            "turned",
            _(
                "The matrix '{label_name}' has a row for each label; it is turned.",
                label_name=matrices.label_name,
            ),
        )
    left = [name for name in arrays if name not in (matrices.data_name, matrices.label_name)]
    if left:
        yield Note("left-out", _("Not read: the matrices {left}.", left=plain_listing(left, _MOST_NAMED)))
