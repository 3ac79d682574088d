"""Opening a coded table: its codes and sets are mapped from the file, which must stay as it is meanwhile."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from engine.code_blocks import CodedBlock
from engine.coded_files.layout import MAGIC, SETS_DTYPE, START, Layout, layout_of
from engine.dataset import Dataset
from engine.errors import InvalidData, UnreadableFile
from engine.independence.level_sets import all_rows, level_sets

_CODES_AT_ONCE = 1 << 22


def open_coded(path: str | os.PathLike[str]) -> Dataset:
    """Open a coded table without reading it into memory.

    The file is gone through once, to make sure that it is whole: a wrong code could otherwise make a
    search count wrongly or crash. The system keeps as much of it in memory as there is room for.

    Parameters
    ----------
    path : path-like
        A file of :class:`CodedTableWriter`. It must not be changed while the table is in use; replacing
        it is fine where the system allows it.

    Returns
    -------
    Dataset
        Its columns are views of the file.

    Raises
    ------
    UnreadableFile
        When the file is absent, no coded table, damaged, or of a later version.
    """
    file = Path(path)
    layout = _read_layout(file)
    block = _map(file, layout)
    _verify(file, layout, block)
    return Dataset(layout.variables, tuple(block.codes), layout.name or file.name, coded=block)


def _read_layout(path: Path) -> Layout:
    place = f"file '{path.name}'"
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            start = file.read(START)
            length = int.from_bytes(start[len(MAGIC) :], "little")
            header = file.read(length) if length < size else b""
    except FileNotFoundError as error:
        raise UnreadableFile(
            "there is no such file.", place=place, remedy=f"Check the path: {path}"
        ) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise UnreadableFile(
            f"it could not be read ({reason}).", place=place, remedy="Copy it to a local disk."
        ) from error
    if start[: len(MAGIC)] != MAGIC:
        raise UnreadableFile(
            "this is no coded table.",
            place=place,
            remedy="Unpack it if it is packed, or give it the ending of its format.",
        )
    try:
        layout = layout_of(header)
    except (ValueError, KeyError, TypeError, RecursionError, InvalidData) as error:
        raise _damaged(path, "its header is damaged, or written by a later version.") from error
    if size != layout.size:
        raise _damaged(path, f"it was cut off or changed: it has {size:,} bytes instead of {layout.size:,}.")
    return layout


def _map(path: Path, layout: Layout) -> CodedBlock:
    codes = np.memmap(path, layout.dtype, "r", layout.codes_at(), layout.codes_shape)
    sets = np.memmap(path, SETS_DTYPE, "r", layout.sets_at(), layout.sets_shape)
    # Plain arrays: those of the special type are slower to pass to kernels.
    native = np.asarray(sets).astype(np.uint64, copy=False)
    native.setflags(write=False)
    return CodedBlock(np.asarray(codes), native)


def _verify(path: Path, layout: Layout, block: CodedBlock) -> None:
    """Make sure that every code is a level of its variable, and that the sets are those of the codes."""
    together = max(1, _CODES_AT_ONCE // layout.rows)
    for first in range(0, len(layout.variables), together):
        codes = block.codes[first : first + together]
        counts = layout.level_counts[first : first + together]
        starts = layout.set_starts[first], layout.set_starts[first + len(codes)]
        within = (codes.min(axis=1) >= 0).all() and (codes.max(axis=1) < counts).all()
        if not within or not np.array_equal(level_sets(codes, counts), block.sets[slice(*starts)]):
            which = f"column '{layout.variables[first].name}' or one of the next {len(codes):,}"
            raise _damaged(path, f"its values are damaged, in {which}.")
    if not np.array_equal(all_rows(layout.rows), block.sets[-1]):
        raise _damaged(path, "its last values are damaged.")


def _damaged(path: Path, problem: str) -> UnreadableFile:
    return UnreadableFile(problem, place=f"file '{path.name}'", remedy="Write the coded table again.")
