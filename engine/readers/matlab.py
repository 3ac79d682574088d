"""MATLAB files, as collections of multi-label tables are often kept: a matrix of features, one of labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import numpy as np

from engine.errors import InvalidData, InvalidParameter
from engine.readers.reading import Guess, Table
from engine.readers.registry import ReadingOptions
from engine.readers.source import Source
from engine.readers.typed_files import GivenColumn, check_size, damage_told, needed, table_of
from engine.wording.notes import Note
from engine.wording.phrases import plain_listing
from engine.wording.sentences import DAMAGED_OR_OTHER_KIND

_HDF5 = b"\x89HDF"
_USER_BLOCK = 512
_LABEL_NAMES = ("target", "targets", "label", "labels", "y", "gnd", "classes")
_MATRIX = 2
_MOST_NAMED = 6


@dataclass(frozen=True, slots=True)
class _Matrices:
    """A matrix of rows, and perhaps one of labels that has as many."""

    data_name: str
    data: np.ndarray
    label_name: str = ""
    labels: np.ndarray | None = None
    was_turned: bool = False


def read(source: Source, options: ReadingOptions, row_limit: int | None = None) -> Table:
    """Read the matrices of a MATLAB file as one table.

    Parameters
    ----------
    source : Source
    options : ReadingOptions
        `sheet` names the matrix of features where the file holds several.
    row_limit : int, optional
        Give only the first rows.

    Returns
    -------
    Table
        Columns of the features, then those of the labels, which may stand as labels × rows and be written
        as -1 and 1.

    Raises
    ------
    UnreadableFile, InvalidData, InvalidParameter
        When the file is damaged or holds no matrix of numbers.
    """
    content, _ = source.read()
    remedy = "Save it in MATLAB again, or write the matrices with writematrix and open that."
    with damage_told(DAMAGED_OR_OTHER_KIND, source.place, remedy):
        is_new = content.startswith(_HDF5) or content[_USER_BLOCK:].startswith(_HDF5)
        arrays = (_hdf5_arrays if is_new else _arrays)(content, source)
    if not arrays:
        raise InvalidData(
            "it holds no matrix of numbers.",
            place=source.place,
            remedy="Save features and labels as matrices; tables and objects of MATLAB cannot be read.",
        )
    found = _chosen(arrays, options, source.place)
    columns = _columns(found.data_name, found.data, "V", row_limit)
    label_columns: list[GivenColumn] = []
    if found.labels is not None:
        label_columns = _columns(found.label_name, _two_valued(found.labels), "L", row_limit)
    rows = len(found.data)
    return table_of(
        [*columns, *label_columns],
        options,
        source.place,
        guesses=_guesses(found, arrays, options, [each.name for each in label_columns]),
        issues=_notes(found, arrays),
        labels=[each.name for each in label_columns],
        complete=row_limit is None or rows <= row_limit,
    )


def _arrays(content: bytes, source: Source) -> dict[str, np.ndarray]:
    from scipy.io import loadmat, whosmat

    for name, shape, _kind in whosmat(BytesIO(content)):
        if len(shape) == _MATRIX:
            check_size(shape[0], shape[1], f"{source.place}, matrix '{name}'")
    loaded = loadmat(BytesIO(content), mat_dtype=False)
    return {name: dense for name, each in loaded.items() if (dense := _dense(each)) is not None}


def _hdf5_arrays(content: bytes, source: Source) -> dict[str, np.ndarray]:
    """Read version 7.3, which stores matrices turned and sparse ones as groups."""
    h5py = needed("h5py", "MATLAB files of version 7.3", source.place)
    from scipy.sparse import csc_array

    found: dict[str, np.ndarray] = {}
    with h5py.File(BytesIO(content), "r") as file:
        for name, each in file.items():
            if name.startswith("#"):
                continue
            matrix: object = None
            if isinstance(each, h5py.Dataset) and each.ndim == _MATRIX and each.dtype.kind in "buif":
                check_size(each.shape[0], each.shape[1], f"{source.place}, matrix '{name}'")
                matrix = each[()].T
            elif isinstance(each, h5py.Group) and {"data", "ir", "jc"} <= set(each):
                rows, columns = int(each.attrs["MATLAB_sparse"]), len(each["jc"]) - 1
                check_size(rows, columns, f"{source.place}, matrix '{name}'")
                matrix = csc_array((each["data"][()], each["ir"][()], each["jc"][()]), (rows, columns))
            if (dense := _dense(matrix)) is not None:
                found[name] = dense
    return found


def _dense(value: object) -> np.ndarray | None:
    """Return a matrix of numbers as float64; None for everything else."""
    from scipy.sparse import issparse

    if issparse(value):
        value = value.toarray()  # type: ignore[attr-defined]
    if isinstance(value, np.ndarray) and value.ndim == _MATRIX and value.dtype.kind in "buif":
        return value.astype(np.float64) if value.size else None
    return None


def _chosen(arrays: Mapping[str, np.ndarray], options: ReadingOptions, place: str) -> _Matrices:
    """Choose the matrix of features, and that of the labels which goes with it."""
    if options.sheet is not None and options.sheet not in arrays:
        raise InvalidParameter(
            f"there is no matrix {options.sheet!r}.",
            place=place,
            remedy=f"Its matrices are: {plain_listing(list(arrays))}.",
        )
    likely = {name: each for name, each in arrays.items() if not _is_named_as_labels(name)}
    data_name = options.sheet or max(likely or arrays, key=lambda name: arrays[name].size)
    data = arrays[data_name]
    for name, each in sorted(arrays.items(), key=lambda item: not _is_named_as_labels(item[0])):
        if name == data_name or not _are_labels(each):
            continue
        # Labels × rows is how collections of this field keep them; where both fit, that is taken.
        if each.shape[1] == len(data) and _is_named_as_labels(name):
            return _Matrices(data_name, data, name, each.T, was_turned=each.shape[0] != len(data))
        if each.shape[0] == len(data):
            return _Matrices(data_name, data, name, each)
        if each.shape[1] == len(data):
            return _Matrices(data_name, data, name, each.T, was_turned=True)
    return _Matrices(data_name, data)


def _is_named_as_labels(name: str) -> bool:
    words = name.lower().replace("train", "").replace("test", "").strip("_0123456789")
    return words in _LABEL_NAMES


def _are_labels(matrix: np.ndarray) -> bool:
    values = np.unique(matrix)
    return len(values) <= 3 and set(values.tolist()) <= {-1.0, 0.0, 1.0}


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
    found: _Matrices, arrays: Mapping[str, np.ndarray], options: ReadingOptions, labels: Sequence[str]
) -> list[Guess]:
    guesses = []
    if options.sheet is None and len(arrays) > 1 + (found.labels is not None):
        names = plain_listing(list(arrays), _MOST_NAMED)
        reason = f"Of the matrices {names}, '{found.data_name}' is taken for the features."
        guesses.append(Guess("sheet", found.data_name, reason, certain=False))
    if labels:
        reason = f"The matrix '{found.label_name}' holds two values and as many rows as '{found.data_name}'."
        guesses.append(Guess("labels", ", ".join(labels), reason, certain=not found.was_turned))
    return guesses


def _notes(found: _Matrices, arrays: Mapping[str, Any]) -> list[Note]:
    notes = []
    if found.was_turned:
        message = f"The matrix '{found.label_name}' has a row for each label; it is turned."
        notes.append(Note("turned", message))
    left = [name for name in arrays if name not in (found.data_name, found.label_name)]
    if left:
        notes.append(Note("left-out", f"Not read: the matrices {plain_listing(left, _MOST_NAMED)}."))
    return notes
