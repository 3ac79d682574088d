"""MATLAB files of every version: what is in them, and damaged ones, on which libraries end the program."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.io
from scipy.io import savemat
from scipy.sparse import csc_matrix, issparse

from engine.errors import UnreadableFile
from engine.readers import matlab, read_table
from engine.readers.source import Source


def test_matlab_labels_stand_turned_as_minus_one_and_one(tmp_path: Path) -> None:
    chance = np.random.default_rng(0)
    data = chance.normal(size=(40, 7)).round(3)
    target = np.where(chance.random((3, 40)) < 0.4, 1.0, -1.0)
    savemat(tmp_path / "turned.mat", {"data": data, "target": target})
    reading = read_table(tmp_path / "turned.mat")
    assert reading.dataset.labels == ("L1", "L2", "L3") and reading.dataset.row_count == 40
    for number in range(3):
        variable, column = reading.dataset.variables[7 + number], reading.dataset.columns[7 + number]
        assert [float(variable.levels[code]) for code in column] == ((target[number] + 1) / 2).tolist()
    assert [reading.dataset.columns[place].tolist() for place in range(7)] == data.T.tolist()
    savemat(
        tmp_path / "upright.mat", {"X": csc_matrix(data), "Y": (target.T > 0).astype(np.uint8), "note": "a"}
    )
    again = read_table(tmp_path / "upright.mat")
    assert all(
        np.array_equal(left, right)
        for left, right in zip(again.dataset.columns, reading.dataset.columns, strict=True)
    )


def test_matlab_files_hold_what_scipy_reads_in_them(tmp_path: Path) -> None:
    # Files of MATLAB 4 to 7 from several machines, which scipy is tested with and comes with.
    paths = sorted((Path(scipy.io.__file__).parent / "matlab" / "tests" / "data").glob("*.mat"))
    chance = np.random.default_rng(0)
    data = {"a": chance.normal(size=(9, 4)), "b": chance.random((9, 3)) < 0.5, "c": np.zeros((3, 0))}
    data["d"] = csc_matrix(chance.poisson(0.3, (9, 6)))
    ways: list[dict[str, Any]] = [{}, {"do_compression": True}, {"format": "4"}]
    for number, way in enumerate(ways):
        paths.append(tmp_path / f"{number}.mat")
        scipy.io.savemat(paths[-1], data, **way)
    for path in paths:
        try:
            held = scipy.io.loadmat(path)
        except Exception:  # noqa: BLE001 - those that are damaged on purpose
            continue
        expected = {}
        for name, matrix in held.items():
            dense = matrix.toarray() if issparse(matrix) else matrix
            if (
                isinstance(dense, np.ndarray)
                and dense.ndim == 2
                and dense.dtype.kind in "buif"
                and dense.size
            ):
                expected[name] = dense.astype(float)
        expected.pop("__function_workspace__", None)
        read = matlab.matrices_of(path.read_bytes(), Source(path))
        assert list(read) == list(expected), path.name
        for name, matrix in read.items():
            np.testing.assert_array_equal(matrix, expected[name], err_msg=f"{path.name}: {name}")


def _sparse_of_version_5(path: Path) -> bytearray:
    savemat(path, {"x": csc_matrix(np.eye(4))})
    return bytearray(path.read_bytes())


def _sparse_of_version_7_3(path: Path) -> bytearray:
    h5py = pytest.importorskip("h5py")
    with h5py.File(path, "w", userblock_size=512) as file:
        group = file.create_group("x")
        group.attrs["MATLAB_sparse"] = 4
        group["data"], group["jc"] = np.ones(4), np.arange(5)
        group["ir"] = np.arange(4, dtype=np.int32)
    return bytearray(path.read_bytes())


def _sparse_of_version_4(name: str, shape: tuple[int, int]) -> bytes:
    """Write a matrix of three cells, whose size stands in a last row."""
    cells = np.array([[1, 1, 1], [2, 2, 1], [3, 3, 1], [*shape, 0]], dtype="<f8")
    return struct.pack("<5i", 2, *cells.shape, 0, len(name) + 1) + name.encode() + b"\0" + cells.tobytes("F")


@pytest.mark.parametrize("write", [_sparse_of_version_5, _sparse_of_version_7_3])
def test_a_cell_outside_of_its_matrix_is_refused(write: Callable[[Path], bytearray], tmp_path: Path) -> None:
    """Libraries write such a cell into memory of something else, and the program ends."""
    path = tmp_path / "x.mat"
    content = write(path)
    assert len(read_table(path).dataset.columns) == 4
    rows = np.arange(4, dtype=np.int32).tobytes()
    content[content.index(rows) + 7] = 0x40
    path.write_bytes(content)
    with pytest.raises(UnreadableFile, match="outside its matrix"):
        read_table(path)


@pytest.mark.parametrize("shape", [(3, 200_000), (200_000, 3), (9_000, 9_000)])
def test_a_matrix_that_is_far_larger_than_its_file_is_refused(shape: tuple[int, int], tmp_path: Path) -> None:
    """A few damaged bytes of a sparse matrix would take minutes and all memory."""
    path = tmp_path / "x.mat"
    path.write_bytes(_sparse_of_version_4("x", shape))
    with pytest.raises(UnreadableFile, match=f"{shape[0]:,} rows and {shape[1]:,} columns"):
        read_table(path)


def test_a_sparse_matrix_of_many_empty_columns_is_read(tmp_path: Path) -> None:
    words = csc_matrix((np.ones(900), (np.arange(900) % 30, np.arange(900) * 9)), shape=(30, 12_000))
    savemat(tmp_path / "x.mat", {"x": words}, do_compression=True)
    assert len(read_table(tmp_path / "x.mat").dataset.columns) == 12_000


def test_packed_matlab_numbers_that_are_not_those_that_were_packed_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.mat"
    savemat(path, {"x": np.arange(12.0).reshape(4, 3)}, do_compression=True)
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(UnreadableFile, match="damaged"):
        read_table(path)


def test_matlab_of_version_7_3(tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    data = np.arange(60.0).reshape(20, 3) * 1.5
    labels = np.tile([[1.0, -1.0]], (20, 1))
    labels[::3] *= -1
    path = tmp_path / "new.mat"
    (tmp_path / "private.bin").write_bytes(np.arange(60.0).tobytes())
    with h5py.File(tmp_path / "other.h5", "w") as other_file:
        other_file["private"] = data
    with h5py.File(path, "w", userblock_size=512) as file:
        file["data"] = data.T
        file["target"] = labels
        # What lies in other files is not this file's to give.
        file.create_dataset("outside", (20, 3), "f8", external=str(tmp_path / "private.bin"))
        file["linked"] = h5py.ExternalLink("other.h5", "private")
        layout = h5py.VirtualLayout((20, 3), "f8")
        layout[:] = h5py.VirtualSource("other.h5", "private", (20, 3))
        file.create_virtual_dataset("virtual", layout)
    content = bytearray(path.read_bytes())
    content[:19] = b"MATLAB 7.3 MAT-file"
    path.write_bytes(content)
    reading = read_table(path)
    assert reading.dataset.labels == ("L1", "L2")
    assert [column.tolist() for column in reading.dataset.columns[:3]] == data.T.tolist()
    assert not any("outside" in note.message or "virtual" in note.message for note in reading.issues)
