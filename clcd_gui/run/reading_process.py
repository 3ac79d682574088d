"""Reading a large table, or one that a library reads, in a process of its own beside the window.

What parses files keeps Python to itself for seconds, and a window beside it stands still. A damaged file may
end the process that reads it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from clcd_gui.document.column_summary import ColumnSummary, summarise_all
from engine.errors import UnreadableFile
from engine.execution.helper_process import HelperEnded, HelperKind, HelperProcess, Parts, Rows
from engine.progress import ProgressEvent, SharedProgress
from engine.readers import read_preview, read_table
from engine.readers.options import ReadingOptions
from engine.readers.reading import Reading
from engine.readers.statistics_process import ENDED, ask_here
from engine.table.dataset import Dataset
from engine.translation import N_, _
from engine.wording.sentences import CLOSE_OTHER_PROGRAMS, NOT_ENOUGH_MEMORY, SAVE_AGAIN

READING_STOPPED = N_("the reading was stopped.")
# What most tables take.
_LOADED = "engine.readers.delimited", "engine.readers.reading_steps"
_BLOCK_BYTES = 4 << 20


class ReaderCrashed(UnreadableFile):
    """Reading the file ended the process, and would end the window if it were read here."""


class ReaderLost(Exception):
    """The process ended without a table and without a reason; the table can be read here instead."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be read."""

    path: Path
    labels: Path | None
    options: ReadingOptions
    rows: int | None = None

    def read(self) -> Reading:
        """Read it in this process."""
        request = self.path, self.labels, self.options
        return read_table(*request) if self.rows is None else read_preview(*request, self.rows)


class ReadingProcess(HelperProcess):
    """A process that loads what reading takes before it is wanted, and then reads as it is asked."""

    def __init__(self) -> None:
        super().__init__(HelperKind(reads_files=True, loads=_LOADED))
        try:
            self.start()
        except OSError as error:
            raise ReaderLost from error

    def read(self, request: Request, progress: SharedProgress) -> tuple[Reading, tuple[ColumnSummary, ...]]:
        """Read a table or its first rows there, and describe its columns."""
        try:
            parcel: _PackedTable = self.follow(progress, _packed, request)
        except HelperEnded as end:
            if end.lacked_memory:
                # The system ends what takes all memory, and would end the window next.
                raise MemoryError from end
            if end.crashed:
                raise ReaderCrashed(
                    _("it may be damaged: {ended}.", ended=_(ENDED)),
                    place=_("file '{name}'", name=request.path.name),
                    remedy=_(SAVE_AGAIN),
                ) from end
            raise ReaderLost from end
        except OSError as error:
            raise ReaderLost from error
        return parcel.opened(), tuple(parcel.summaries)


@dataclass(frozen=True, slots=True)
class _PackedTable:
    """A table on its way: the rest of it, which columns are the rows of each block, and the blocks.

    Blocks leave as :class:`Rows` and arrive as arrays, variables and summaries leave as :class:`Parts` and
    arrive as lists.
    """

    reading: Reading
    variables: Any
    placements: Sequence[Sequence[int]]
    blocks: Sequence[Any]
    summaries: Any

    def opened(self) -> Reading:
        """Put everything together."""
        columns: dict[int, np.ndarray] = {}
        for placement, block in zip(self.placements, self.blocks, strict=True):
            columns.update(zip(placement, block, strict=True))
        in_order = tuple(columns[position] for position in range(len(self.variables)))
        dataset = Dataset(tuple(self.variables), in_order, self.reading.dataset.name, self.reading.issues)
        return replace(self.reading, dataset=dataset)


def _packed(progress: SharedProgress, request: Request) -> _PackedTable:
    """Read a table in the helper process, and pack it to be sent."""
    ask_here()
    try:
        reading = request.read()
    except MemoryError:
        # Said, so that the window does not try it in its own memory.
        place = _("file '{name}'", name=request.path.name)
        raise UnreadableFile(_(NOT_ENOUGH_MEMORY), place=place, remedy=_(CLOSE_OTHER_PROGRAMS)) from None

    def report(done: int, total: int) -> None:
        progress.report(ProgressEvent(_("Describing the columns"), done, total, detail=request.path.name))

    summaries, dataset = summarise_all(reading.dataset, report), reading.dataset
    placements = _placements(dataset)
    blocks = [Rows([dataset.columns[position] for position in placement]) for placement in placements]
    rest = replace(reading, dataset=Dataset((), (), dataset.name), issues=dataset.notes)
    return _PackedTable(rest, Parts(dataset.variables), placements, blocks, Parts(summaries))


def _placements(dataset: Dataset) -> tuple[tuple[int, ...], ...]:
    """Say which columns become rows of one array: all of one integer type, and some numbers at a time."""
    by_type: dict[np.dtype, list[int]] = {}
    for position, column in enumerate(dataset.columns):
        by_type.setdefault(column.dtype, []).append(position)
    placements: list[tuple[int, ...]] = []
    for dtype, positions in by_type.items():
        together = len(positions)
        if dtype.kind == "f":
            together = max(_BLOCK_BYTES // max(dataset.row_count * dtype.itemsize, 1), 1)
        placements += [
            tuple(positions[start : start + together]) for start in range(0, len(positions), together)
        ]
    return tuple(placements)
