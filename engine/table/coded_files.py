"""Coded tables in files that are mapped into memory rather than read, so that they may exceed it.

All numbers are little-endian. The file holds, one after the other:

1. eight bytes that tell the format, and the length of the header in eight more;
2. the header, JSON in UTF-8: format, version, name, number of rows, and each variable with its role, its
   levels and whether they are ordered;
3. from the next multiple of 4096 bytes, the codes: one variable after the other, one signed integer a row,
   as narrow as the variable with most levels allows;
4. from the next multiple of 4096 bytes, the sets: for every level of every variable the rows that have it,
   and in the last one all rows, one bit a row in words of 64.

The sets follow from the codes. They are there so that a search can count in them without holding them in
memory, and they tell whether the file is whole.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

import numpy as np

from engine.atomic import atomic_path, opening
from engine.errors import InvalidData, InvalidParameter, UnreadableFile
from engine.parameters import require_type
from engine.table.code_blocks import CodedBlock, all_rows, level_sets, words_needed
from engine.table.dataset import Dataset
from engine.table.variable import EventFrom, Kind, Role, Variable, code_dtype
from engine.translation import N_, _
from engine.wording.sentences import (
    CHECK_PATH,
    CODE_WITHOUT_LEVEL,
    CODES_NOT_WHOLE,
    COPY_TO_LOCAL_DISK,
    MAKE_A_DATASET,
)

MAGIC = b"CLCDcod\n"
VERSION = 1
FORMAT = "clcd-coded-table"
PAGE = 4096
START = len(MAGIC) + 8
"""Bytes before the header."""

SETS_DTYPE = np.dtype("<u8")


@dataclass(frozen=True)
class CodedLayout:
    """Variables of a coded table, and where their codes and sets stand in its file."""

    variables: tuple[Variable, ...]
    rows: int
    name: str = ""

    def __post_init__(self) -> None:
        if not self.variables or self.rows < 1:
            raise InvalidData(_("a coded table needs at least one column and one row."), place=self.name)
        seen: set[str] = set()
        for variable in self.variables:
            _check(variable, seen)
            seen.add(variable.name)

    @cached_property
    def header(self) -> bytes:
        """The header as it is written."""
        variables = [
            {
                "name": variable.name,
                "role": variable.role,
                "levels": variable.levels,
                "ordered": variable.ordered,
            }
            | ({"event": variable.event} if variable.event_from is EventFrom.GIVEN else {})
            for variable in self.variables
        ]
        content = {
            "format": FORMAT,
            "version": VERSION,
            "name": self.name,
            "rows": self.rows,
            "variables": variables,
        }
        return json.dumps(content, ensure_ascii=True).encode()

    @cached_property
    def level_counts(self) -> np.ndarray:
        """Number of levels of each variable, int64 of shape (variables,)."""
        return np.array([variable.level_count for variable in self.variables], dtype=np.int64)

    @cached_property
    def set_starts(self) -> np.ndarray:
        """First set of each variable, and behind the last the number of all, shape (variables + 1,)."""
        return np.concatenate(([0], np.cumsum(self.level_counts)))

    @cached_property
    def dtype(self) -> np.dtype:
        """Type of the codes."""
        return code_dtype(int(self.level_counts.max())).newbyteorder("<")

    @property
    def sets_shape(self) -> tuple[int, int]:
        """Levels of all variables and one more, and words."""
        return int(self.set_starts[-1]) + 1, words_needed(self.rows)

    def codes_at(self, variable: int = 0) -> int:
        """Return the place in the file where the codes of a variable begin."""
        return _next_page(START + len(self.header)) + variable * self.rows * self.dtype.itemsize

    def sets_at(self, variable: int = 0) -> int:
        """Return the place in the file where the sets of a variable begin."""
        words = int(self.set_starts[variable]) * self.sets_shape[1]
        return _next_page(self.codes_at(len(self.variables))) + words * SETS_DTYPE.itemsize

    @property
    def size(self) -> int:
        """Bytes of the whole file."""
        return self.sets_at(len(self.variables)) + self.sets_shape[1] * SETS_DTYPE.itemsize


def layout_of(header: bytes) -> CodedLayout:
    """Read a header."""
    content: dict[str, Any] = json.loads(header)
    if content["format"] != FORMAT or content["version"] != VERSION:
        raise ValueError("another format or version")
    variables = tuple(
        Variable(
            str(description["name"]),
            Kind.NOMINAL,
            Role(description["role"]),
            tuple(map(str, description["levels"])),
            bool(description["ordered"]),
            event=description.get("event"),
        )
        for description in content["variables"]
    )
    layout = CodedLayout(variables, int(content["rows"]), str(content["name"]))
    if layout.header != header:
        raise ValueError("not as it is written")
    return layout


def _check(variable: Variable, seen: set[str]) -> None:
    place = _("column '{name}'", name=variable.name)
    if not variable.name or variable.name in seen:
        raise InvalidData(_("a column has no name, or that of another."), place=place, remedy=_("Rename it."))
    if variable.kind is Kind.CONTINUOUS:
        raise InvalidData(
            _("a coded table holds categories only, but this column holds numbers."),
            place=place,
            remedy=_("Prepare the table first, so that numbers are cut into bins."),
        )
    if not variable.role.takes_part:
        raise InvalidData(_("a coded table holds labels and features only."), place=place)
    if not variable.levels:
        raise InvalidData(_("it has no levels."), place=place)


def _next_page(position: int) -> int:
    return -(-position // PAGE) * PAGE


_CODES_CHECKED_AT_ONCE = 1 << 22


def open_coded(path: str | os.PathLike[str]) -> Dataset:
    """Open a coded table without reading it into memory.

    The file is gone through once, to make sure that it is whole: a wrong code could otherwise make a
    search count wrongly or crash. The system keeps as much of it in memory as there is room for.
    It must not be changed while the table is in use; replacing it is fine where the system allows it.
    """
    file = Path(path)
    layout = _read_layout(file)
    block = _map(file, layout)
    _verify(file, layout, block)
    return Dataset(layout.variables, tuple(block.codes), layout.name or file.name, coded=block)


def _read_layout(path: Path) -> CodedLayout:
    place = _("file '{name}'", name=path.name)
    with opening(path, place, _(CHECK_PATH, path=path), _(COPY_TO_LOCAL_DISK)), path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        start = file.read(START)
        length = int.from_bytes(start[len(MAGIC) :], "little")
        header = file.read(length) if length < size else b""
    if start[: len(MAGIC)] != MAGIC:
        raise UnreadableFile(
            _("this is not a coded table."),
            place=place,
            remedy=_("Unpack it if it is packed, or give it the ending of its format."),
        )
    try:
        layout = layout_of(header)
    except (ValueError, KeyError, TypeError, RecursionError, InvalidData) as error:
        raise _damaged(path, _("its header is damaged, or written by a later version.")) from error
    if size != layout.size:
        raise _damaged(
            path,
            _(
                "it was cut off or changed: it has {size:,} bytes instead of {expected:,}.",
                size=size,
                expected=layout.size,
            ),
        )
    return layout


def _map(path: Path, layout: CodedLayout) -> CodedBlock:
    shape = len(layout.variables), layout.rows
    codes = np.memmap(path, layout.dtype, "r", layout.codes_at(), shape)
    sets = np.memmap(path, SETS_DTYPE, "r", layout.sets_at(), layout.sets_shape)
    # Plain arrays: those of the special type are slower to pass to kernels.
    native = np.asarray(sets).astype(np.uint64, copy=False)
    native.setflags(write=False)
    return CodedBlock(np.asarray(codes), native)


def _verify(path: Path, layout: CodedLayout, block: CodedBlock) -> None:
    """Make sure that every code is a level of its variable, and that the sets are those of the codes."""
    together = max(1, _CODES_CHECKED_AT_ONCE // layout.rows)
    for first in range(0, len(layout.variables), together):
        codes = block.codes[first : first + together]
        counts = layout.level_counts[first : first + together]
        starts = layout.set_starts[first], layout.set_starts[first + len(codes)]
        within = (codes.min(axis=1) >= 0).all() and (codes.max(axis=1) < counts).all()
        if not within or not np.array_equal(level_sets(codes, counts), block.sets[slice(*starts)]):
            which = _(
                "column '{name}' or one of the next {count:,}",
                name=layout.variables[first].name,
                count=len(codes),
            )
            raise _damaged(path, _("its values are damaged, in {which}.", which=which))
    if not np.array_equal(all_rows(layout.rows), block.sets[-1]):
        raise _damaged(path, _("its last values are damaged."))


def _damaged(path: Path, problem: str) -> UnreadableFile:
    return UnreadableFile(
        problem, place=_("file '{name}'", name=path.name), remedy=_("Write the coded table again.")
    )


_CODES_WRITTEN_AT_ONCE = 1 << 24


class CodedTableWriter:
    """Writer of a table that may be larger than memory, in blocks of columns.

    The file appears under its name when the ``with`` block ends. If the block fails, no file is written.

    Parameters
    ----------
    path : path-like
        The file. Its name usually ends in ``.coded``, by which :func:`engine.read_dataset` recognises it.
    variables : sequence of Variable
        All labels and features, in column order, with their levels.
    rows : int
        Number of rows.
    name : str
        Name of the table.

    Raises
    ------
    InvalidData
        If a variable is continuous, or neither label nor feature, codes do not fit, or columns are left
        unwritten.
    UnwritableFile
        If the file cannot be written.

    Examples
    --------
    >>> import engine, tempfile
    >>> names = ("no", "yes")
    >>> variables = [engine.Variable(f"gene{place}", engine.Kind.NOMINAL, levels=names) for place in range(6)]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "genes.coded"
    ...     with CodedTableWriter(path, variables, rows=1000) as writer:
    ...         for first in range(0, 6, 2):
    ...             writer.write(first, np.random.default_rng(first).integers(0, 2, (2, 1000)))
    ...     dataset = engine.read_dataset(path, labels=["gene5"])
    >>> dataset.row_count, dataset.labels
    (1000, ('gene5',))
    """

    def __init__(
        self, path: str | os.PathLike[str], variables: Sequence[Variable], rows: int, name: str = ""
    ) -> None:
        self._path = Path(path)
        self._layout = CodedLayout(tuple(variables), rows, name)
        self._written = np.zeros(len(variables), dtype=bool)
        self._closing = ExitStack()
        self._file: BinaryIO | None = None

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            draft = stack.enter_context(atomic_path(self._path))
            self._file = stack.enter_context(draft.open("wb"))
            header = self._layout.header
            self._file.write(MAGIC + len(header).to_bytes(8, "little") + header)
            self._file.truncate(self._layout.size)
            self._file.seek(self._layout.sets_at(len(self._layout.variables)))
            self._file.write(all_rows(self._layout.rows).astype(SETS_DTYPE).data)
            self._closing = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None and not self._written.all():
            missing = self._layout.variables[int(np.argmin(self._written))].name
            with self._closing:
                raise InvalidData(
                    _("its codes were never written."), place=_("column '{missing}'", missing=missing)
                )
        self._closing.__exit__(kind, error, trace)

    def write(self, first: int, codes: np.ndarray) -> None:
        """Write the codes of some neighbouring columns.

        Parameters
        ----------
        first : int
            Position of the first of them.
        codes : ndarray of int, shape (columns, rows)
            From 0 to the number of levels minus 1; nothing may be missing.
        """
        if self._file is None:
            raise InvalidParameter(_("a coded table is written inside a 'with' block."))
        layout, codes = self._layout, np.asarray(codes)
        last = first + len(codes)
        if first < 0 or last > len(layout.variables) or codes.shape[1:] != (layout.rows,):
            raise InvalidParameter(
                _(
                    "codes of shape {shape} from column {first} on do not fit a table of {count:,} "
                    "columns and {rows:,} rows.",
                    shape=codes.shape,
                    first=first,
                    count=len(layout.variables),
                    rows=layout.rows,
                )
            )
        for variable, column in zip(layout.variables[first:last], codes, strict=True):
            _check_codes(variable, column)
        narrow = np.ascontiguousarray(codes, dtype=layout.dtype)
        self._file.seek(layout.codes_at(first))
        self._file.write(narrow.data)
        self._file.seek(layout.sets_at(first))
        self._file.write(level_sets(narrow, layout.level_counts[first:last]).astype(SETS_DTYPE).data)
        self._written[first:last] = True


_OTHER_FORMAT = N_("Use another format, or set the column to ignored.")


def write_coded(dataset: Dataset, path: str | os.PathLike[str]) -> None:
    """Write the labels and features of a prepared table as a coded table.

    Parameters
    ----------
    dataset : Dataset
        A table of categories without missing values; see :func:`engine.prepare`. Ignored columns are left
        out.
    path : path-like
        The file. Its name usually ends in ``.coded``.

    Raises
    ------
    InvalidData
        If a label or feature is continuous or has missing values, or rows have weights or groups.
    InvalidParameter
        If `dataset` is not a dataset.
    UnwritableFile
        If the file cannot be written.

    Examples
    --------
    >>> import engine, tempfile
    >>> network = engine.simulate(labels=2, features=10, rows=200, seed=0)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_coded(network.dataset, Path(folder) / "table.coded")
    ...     engine.read_dataset(Path(folder) / "table.coded").labels
    ('L1', 'L2')
    """
    require_type(dataset, Dataset, "dataset", _(MAKE_A_DATASET))
    for column, problem in (
        (dataset.weight, N_("a coded table cannot hold row weights.")),
        (dataset.groups, N_("a coded table cannot hold groups of rows.")),
    ):
        if column is not None:
            raise InvalidData(_(problem), place=_("column '{name}'", name=column), remedy=_(_OTHER_FORMAT))
    positions = [position for position, variable in enumerate(dataset.variables) if variable.role.takes_part]
    variables = [dataset.variables[position] for position in positions]
    together = max(1, _CODES_WRITTEN_AT_ONCE // max(1, dataset.row_count))
    with CodedTableWriter(path, variables, dataset.row_count, dataset.name) as writer:
        for first in range(0, len(positions), together):
            columns = [dataset.columns[position] for position in positions[first : first + together]]
            writer.write(first, np.array(columns))


def _check_codes(variable: Variable, codes: np.ndarray) -> None:
    place = _("column '{name}'", name=variable.name)
    if codes.dtype.kind not in "iub":
        raise InvalidData(_(CODES_NOT_WHOLE, kind=codes.dtype), place=place)
    if codes.min() < 0:
        raise InvalidData(
            _("a coded table cannot hold missing values."),
            place=place,
            remedy=_("Prepare the table first: leave those rows out, or fill the cells in."),
        )
    if codes.max() >= variable.level_count:
        raise InvalidData(_(CODE_WITHOUT_LEVEL, code=codes.max(), levels=variable.level_count), place=place)


__all__ = ["CodedTableWriter", "open_coded", "write_coded"]
