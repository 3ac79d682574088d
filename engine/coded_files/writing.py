"""Writing a coded table, some columns at a time, so that the whole never needs to be in memory."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

import numpy as np

from engine.atomic import atomic_path
from engine.coded_files.layout import MAGIC, SETS_DTYPE, Layout
from engine.dataset import Dataset
from engine.errors import InvalidData, InvalidParameter
from engine.independence.level_sets import all_rows, level_sets
from engine.variable import Variable

_CODES_AT_ONCE = 1 << 24


class CodedTableWriter:
    """Writes a table that may be larger than memory, in blocks of columns.

    The file appears under its name, whole, when the ``with`` block ends, and not at all when it fails.

    Parameters
    ----------
    path : path-like
        Usually ending in ``.coded``, by which :func:`engine.read_dataset` knows it.
    variables : sequence of Variable
        Every label and feature, in column order, with its levels.
    rows : int
        Number of rows.
    name : str
        What the table is called.

    Raises
    ------
    InvalidData
        When a variable is continuous or takes no part, codes do not fit, or columns are left unwritten.
    UnwritableFile
        When the file cannot be written.

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
        self._layout = Layout(tuple(variables), rows, name)
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
                raise InvalidData("its codes were never written.", place=f"column '{missing}'")
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
            raise InvalidParameter("a coded table is written inside a 'with' block.")
        layout = self._layout
        last = first + len(codes)
        if first < 0 or last > len(layout.variables) or codes.shape[1:] != (layout.rows,):
            raise InvalidParameter(
                f"codes of shape {codes.shape} from column {first} on do not fit a table of "
                f"{len(layout.variables):,} columns and {layout.rows:,} rows."
            )
        for variable, column in zip(layout.variables[first:last], codes, strict=True):
            _check_codes(variable, column)
        narrow = np.ascontiguousarray(codes, dtype=layout.dtype)
        self._file.seek(layout.codes_at(first))
        self._file.write(narrow.data)
        self._file.seek(layout.sets_at(first))
        self._file.write(level_sets(narrow, layout.level_counts[first:last]).astype(SETS_DTYPE).data)
        self._written[first:last] = True


def write_coded(dataset: Dataset, path: str | os.PathLike[str]) -> None:
    """Write the labels and features of a prepared table as a coded table.

    Parameters
    ----------
    dataset : Dataset
        Nominal, nothing missing; see :func:`engine.prepare`. Columns that take no part are left out.
    path : path-like
        Usually ending in ``.coded``.

    Raises
    ------
    InvalidData
        When a label or feature is continuous or has missing values, or rows have weights or groups.
    UnwritableFile
        When the file cannot be written.

    Examples
    --------
    >>> import engine, tempfile
    >>> network = engine.simulate(labels=2, features=10, rows=200, seed=0)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_coded(network.dataset, Path(folder) / "table.coded")
    ...     engine.read_dataset(Path(folder) / "table.coded").labels
    ('L1', 'L2')
    """
    if dataset.weight is not None:
        raise InvalidData(
            "a coded table cannot hold row weights.",
            place=f"column '{dataset.weight}'",
            remedy="Use another format, or set the column to ignored.",
        )
    if dataset.groups is not None:
        raise InvalidData(
            "a coded table cannot hold groups of rows.",
            place=f"column '{dataset.groups}'",
            remedy="Use another format, or set the column to ignored.",
        )
    places = [place for place, each in enumerate(dataset.variables) if each.role.takes_part]
    variables = [dataset.variables[place] for place in places]
    together = max(1, _CODES_AT_ONCE // max(1, dataset.row_count))
    with CodedTableWriter(path, variables, dataset.row_count, dataset.name) as writer:
        for first in range(0, len(places), together):
            columns = [dataset.columns[place] for place in places[first : first + together]]
            writer.write(first, np.array(columns))


def _check_codes(variable: Variable, codes: np.ndarray) -> None:
    place = f"column '{variable.name}'"
    if codes.dtype.kind not in "iub":
        raise InvalidData(f"codes must be whole numbers, not {codes.dtype}.", place=place)
    if codes.min() < 0:
        raise InvalidData(
            "a coded table cannot hold missing values.",
            place=place,
            remedy="Prepare the table first: leave those rows out, or fill the cells in.",
        )
    if codes.max() >= variable.level_count:
        raise InvalidData(f"code {codes.max()} fits none of {variable.level_count} levels.", place=place)
