"""A table on its way from one process to another: piece by piece, so that both together hold it once."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import astuple
from pathlib import Path
from typing import IO, Any, TypeVar

import numpy as np

from clcd_gui.document.column_summary import ColumnSummary, heights_of, steps_of, summarise_all
from clcd_gui.run.progress import SharedProgress
from engine import errors
from engine.errors import EngineError, UnreadableFile
from engine.execution.pipes import exactly, fill
from engine.progress import ProgressEvent
from engine.readers.reading import Beginning, Guess, Reading, Record
from engine.table.column_kinds import Shape
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable
from engine.wording.notes import Note
from engine.wording.sentences import CLOSE_OTHER_PROGRAMS, NOT_ENOUGH_MEMORY
from engine.wording.setting_names import as_plain, of_plain

_HEAD = struct.Struct("<cQ")
_EVENT, _FACTS, _BLOCK, _END, _ERROR = b"P", b"F", b"B", b"Z", b"E"
_NOTES, _VARIABLES, _SUMMARIES, _ROW = b"N", b"V", b"S", b"R"
_AT_ONCE = 256
"""Columns or notes that are unpacked together, which takes some milliseconds."""

_BLOCK_BYTES = 4 << 20

ItemT = TypeVar("ItemT")


def hand_over(read: Callable[[], Reading], name: str, target: IO[bytes]) -> None:
    """Read a table and hand it over with a description of its columns, or say why it cannot be read.

    Parameters
    ----------
    read : callable
        Reads it. Nobody else holds what it returns, so that each column is let go as it is handed over.
    """
    try:
        reading = read()
    except EngineError as error:
        texts = map(as_plain, (error.problem, error.place, error.remedy))
        _send(target, _ERROR, (type(error).__name__, *texts))
        return
    except MemoryError:
        # Said, so that the window does not try it in its own memory.
        words = NOT_ENOUGH_MEMORY, f"file '{name}'", CLOSE_OTHER_PROGRAMS
        _send(target, _ERROR, (UnreadableFile.__name__, *words))
        return

    def report(done: int, total: int) -> None:
        _send(target, _EVENT, ("Describing the columns", done, total, 0, name))
        target.flush()

    placements = _placements(reading.dataset)
    _send_facts(target, reading, placements)
    for described in _parts(summarise_all(reading.dataset, report)):
        _send(target, _SUMMARIES, [_of_summary(each) for each in described])
    for variables in _parts(reading.dataset.variables):
        _send(target, _VARIABLES, [_of_variable(each) for each in variables])
    for notes in _parts(reading.dataset.notes):
        _send(target, _NOTES, [astuple(note) for note in notes])
    columns = list(reading.dataset.columns)
    del reading
    for placement in placements:
        _send_block(target, [columns[position] for position in placement])
        for position in placement:
            columns[position] = np.empty(0)
    _send(target, _END, None)


def _send_facts(target: IO[bytes], reading: Reading, placements: Sequence[Sequence[int]]) -> None:
    """Hand over what is known of a table besides its columns, its first rows as they stand in the file."""
    guesses = [
        (each.name, each.value, each.reason, each.certain, each.choices, each.example)
        for each in reading.guesses
    ]
    beginning, about_rows = reading.beginning, None
    if beginning is not None:
        about_rows = (
            beginning.first_line,
            beginning.columns,
            beginning.data_rows,
            beginning.first_column,
            beginning.first_data_line,
        )
        for record in beginning.rows:
            _send(target, _ROW, (record.line, *record.cells))
    paths = (str(reading.path), None if reading.labels_path is None else str(reading.labels_path))
    facts = (*paths, reading.format, guesses, reading.dataset.name, reading.complete, about_rows)
    _send(target, _FACTS, (*facts, placements))


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


def _parts(items: Sequence[ItemT]) -> Iterator[tuple[ItemT, ...]]:
    for start in range(0, len(items), _AT_ONCE):
        yield tuple(items[start : start + _AT_ONCE])


def _send(target: IO[bytes], kind: bytes, content: object) -> None:
    packed = json.dumps(content).encode()
    target.write(_HEAD.pack(kind, len(packed)))
    if kind != _END:
        target.write(packed)


def _send_block(target: IO[bytes], columns: Sequence[np.ndarray]) -> None:
    _send(target, _BLOCK, ((len(columns), len(columns[0])), columns[0].dtype.str))
    for column in columns:
        target.write(np.ascontiguousarray(column).view(np.uint8).data)


def received(source: IO[bytes], progress: SharedProgress) -> tuple[Reading, tuple[ColumnSummary, ...]]:
    """Put together what another process hands over."""
    pieces = _Pieces(progress)
    while True:
        kind, length = _HEAD.unpack(exactly(source, _HEAD.size))
        if kind == _END:
            return pieces.reading(), tuple(pieces.summaries)
        content = json.loads(exactly(source, length))
        if kind == _BLOCK:
            pieces.take_block(_block(source, *content))
        else:
            _TAKERS[kind](pieces, content)


class _Pieces:
    """What was handed over of a table, until all of it is there."""

    def __init__(self, progress: SharedProgress) -> None:
        self.summaries: list[ColumnSummary] = []
        self._progress = progress
        self._facts: Any = None
        self._placements: Iterator[Sequence[int]] = iter(())
        self._variables: list[Variable] = []
        self._notes: list[Note] = []
        self._rows: list[Record] = []
        self._columns: dict[int, np.ndarray] = {}

    def take_block(self, block: np.ndarray) -> None:
        """Take columns of one type, one a row, which belong where the facts said."""
        self._columns.update(zip(next(self._placements), block, strict=True))

    def take_event(self, content: Any) -> None:
        """Tell how far the other process is."""
        self._progress.report(ProgressEvent(*content))

    def take_facts(self, content: Any) -> None:
        """Take what is known besides the columns, and where blocks belong."""
        *self._facts, placements = content
        self._placements = iter(placements)

    def take_variables(self, content: Any) -> None:
        """Take some variables, in column order."""
        self._variables += map(_variable, content)

    def take_summaries(self, content: Any) -> None:
        """Take descriptions of some columns, in their order."""
        self.summaries += map(_summary, content)

    def take_row(self, content: Any) -> None:
        """Take one of the first rows of the file."""
        line, *cells = content
        self._rows.append(Record(line, tuple(cells)))

    def take_notes(self, content: Any) -> None:
        """Take some notes."""
        self._notes += [
            Note(topic, message, name, tuple(examples), tuple(columns))
            for topic, message, name, examples, columns in content
        ]

    def reading(self) -> Reading:
        """Put everything together."""
        path, labels_path, format_name, found, name, complete, about_rows = self._facts
        guesses = tuple(
            Guess(option, value, reason, certain, tuple(choices), example)
            for option, value, reason, certain, choices, example in found
        )
        columns = tuple(self._columns[position] for position in range(len(self._variables)))
        dataset = Dataset(tuple(self._variables), columns, name, tuple(self._notes))
        beginning = None
        if about_rows is not None:
            first_line, names, data_rows, *columns_and_data = about_rows
            rows = tuple(self._rows)
            beginning = Beginning(rows, first_line, tuple(names), tuple(data_rows), *columns_and_data)
        second = None if labels_path is None else Path(labels_path)
        return Reading(dataset, Path(path), format_name, guesses, dataset.notes, complete, beginning, second)

    def take_error(self, content: Any) -> None:
        """Raise what was raised there."""
        name, *texts = content
        problem, place, remedy = map(of_plain, texts)
        raise getattr(errors, name)(problem, place=place, remedy=remedy)


_TAKERS: Mapping[bytes, Callable[[_Pieces, Any], None]] = {
    _EVENT: _Pieces.take_event,
    _FACTS: _Pieces.take_facts,
    _VARIABLES: _Pieces.take_variables,
    _SUMMARIES: _Pieces.take_summaries,
    _ROW: _Pieces.take_row,
    _NOTES: _Pieces.take_notes,
    _ERROR: _Pieces.take_error,
}
"""What takes a piece, by its kind."""


def _block(source: IO[bytes], shape: Sequence[int], dtype: str) -> np.ndarray:
    block = np.empty(shape, np.dtype(dtype))
    fill(source, block.reshape(-1).view(np.uint8).data)
    block.flags.writeable = False
    return block


def _variable(written: Sequence[Any]) -> Variable:
    name, kind, role, levels, *others = written
    return Variable(name, Kind(kind), Role(role), tuple(levels), *others)


def _summary(written: Sequence[Any]) -> ColumnSummary:
    rows, missing, distinct, smallest, largest, bars, shape = written
    return ColumnSummary(rows, missing, distinct, smallest, largest, heights_of(bars), Shape(*shape))


def _of_summary(summary: ColumnSummary) -> tuple[object, ...]:
    shape = (summary.shape.skewness, summary.shape.zeros)
    return (
        summary.rows,
        summary.missing,
        summary.distinct,
        summary.smallest,
        summary.largest,
        steps_of(summary.bars),
        shape,
    )


def _of_variable(variable: Variable) -> tuple[object, ...]:
    kind, role, levels = variable.kind, variable.role, variable.levels
    others = (variable.ordered, variable.is_cut, variable.unit, variable.description)
    return (variable.name, kind, role, levels, *others, variable.event, variable.event_from)
