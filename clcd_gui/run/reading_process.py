"""Reading a large table in a process of its own, which holds up no window and is stopped at once.

What parses files keeps Python to itself for seconds, and a window beside it stands still. A process of low
priority reads the table instead and hands it over piece by piece: through its output, without a file between,
so that nothing is left behind when either is killed.
"""

from __future__ import annotations

import json
import os
import queue
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, TypeVar

import numpy as np

from clcd_gui.document.column_summary import ColumnSummary, heights_of, steps_of, summarise_all
from clcd_gui.run.progress import SharedProgress
from engine import errors
from engine.collecting import without_collecting
from engine.compiled.ahead import be_calm, command
from engine.errors import Cancelled, EngineError
from engine.progress import ProgressEvent
from engine.readers import read_preview, read_table
from engine.readers.reading import Beginning, Guess, Reading, Record
from engine.readers.registry import ReadingOptions, make_options
from engine.table.column_kinds import Shape
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable
from engine.wording.notes import Note
from engine.wording.setting_names import as_plain, of_plain

ARGUMENT = "--read-table"
"""With it the frozen program reads a table instead of opening a window."""

_HEAD = struct.Struct("<cQ")
_LENGTH = struct.Struct("<Q")
_EVENT, _FACTS, _BLOCK, _END, _ERROR = b"P", b"F", b"B", b"Z", b"E"
_NOTES, _VARIABLES, _SUMMARIES, _ROW = b"N", b"V", b"S", b"R"
_AT_ONCE = 256
"""Columns or notes that are unpacked together, which takes some milliseconds."""

_BLOCK_BYTES = 4 << 20
_ALLOCATION = {"MALLOC_MMAP_THRESHOLD_": str(1 << 20), "MALLOC_TRIM_THRESHOLD_": str(1 << 20)}
"""Has the C library give back memory as soon as it is let go, so that two processes hold a table once."""

READING_STOPPED = "the reading was stopped."
_PATIENCE_SECONDS = 0.05
_KILLED = -9
_MODULE = "clcd_gui.run.reading_process"

ItemT = TypeVar("ItemT")


class ReaderLost(Exception):
    """The process ended without a table and without a reason; the table can be read here instead."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be read.

    Attributes
    ----------
    path : Path
    labels : Path or None
        A second table that holds the labels.
    options : ReadingOptions
    rows : int or None
        Only the first rows; None for the whole table.
    """

    path: Path
    labels: Path | None
    options: ReadingOptions
    rows: int | None = None


class ReadingProcess:
    """A process that loads what reading takes, and then reads what it is asked for.

    It is started before it is known that a table is wanted, and costs nothing but memory until then.

    Raises
    ------
    ReaderLost
        When it cannot be started.
    """

    def __init__(self) -> None:
        is_frozen = getattr(sys, "frozen", False)
        words = [sys.executable, ARGUMENT] if is_frozen else command(_MODULE, [], waits=False)
        flags = 0
        if sys.platform == "win32":
            flags = subprocess.BELOW_NORMAL_PRIORITY_CLASS
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                creationflags=flags,
                env={**os.environ, **_ALLOCATION},
            )
        except OSError as error:
            raise ReaderLost from error

    def __enter__(self) -> ReadingProcess:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.end()

    def read(self, request: Request, progress: SharedProgress) -> tuple[Reading, tuple[ColumnSummary, ...]]:
        """Read a table or its first rows there, and describe its columns.

        Parameters
        ----------
        request : Request
        progress : SharedProgress
            Told how far it is, and asked whether to stop.

        Returns
        -------
        reading : Reading
        summaries : tuple of ColumnSummary
            One a column, in column order.

        Raises
        ------
        EngineError
            What reading raised there.
        Cancelled
            When a stop was asked for.
        ReaderLost
            When the process was ended by somebody else.
        """
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        done = threading.Event()
        guard = threading.Thread(
            target=_stop_when_asked, args=(process, progress, done), name="reading-guard"
        )
        guard.start()
        try:
            asked = _request_to_text(request).encode()
            process.stdin.write(_LENGTH.pack(len(asked)) + asked)
            # The input is held open: its end tells the process that nobody waits any more.
            process.stdin.flush()
            with without_collecting():
                return _received(process.stdout, progress)
        except (OSError, EOFError) as error:
            if progress.should_stop():
                raise Cancelled(READING_STOPPED) from error
            if process.wait() == _KILLED:
                # The system ends what takes all memory, and would end the window next.
                raise MemoryError from error
            raise ReaderLost from error
        finally:
            done.set()
            guard.join()

    def end(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdout, self._process.stdin):
            if stream is not None:
                with suppress(OSError):
                    stream.close()


def _stop_when_asked(
    process: subprocess.Popen[bytes], progress: SharedProgress, done: threading.Event
) -> None:
    while not done.wait(_PATIENCE_SECONDS):
        if progress.should_stop():
            process.kill()
            return


def _received(source: IO[bytes], progress: SharedProgress) -> tuple[Reading, tuple[ColumnSummary, ...]]:
    """Put together what the other process hands over."""
    facts: Any = None
    placements: Sequence[Sequence[int]] = ()
    variables: list[Variable] = []
    summaries: list[ColumnSummary] = []
    notes: list[Note] = []
    rows: list[Record] = []
    columns: dict[int, np.ndarray] = {}
    blocks = 0
    while True:
        kind, length = _HEAD.unpack(_exactly(source, _HEAD.size))
        if kind == _END:
            break
        if kind == _BLOCK:
            shape, dtype = json.loads(_exactly(source, length))
            block = np.empty(shape, np.dtype(dtype))
            _fill(source, block.reshape(-1).view(np.uint8).data)
            block.flags.writeable = False
            columns.update(zip(placements[blocks], block, strict=True))
            blocks += 1
            continue
        content = json.loads(_exactly(source, length))
        if kind == _ERROR:
            name, *said = content
            problem, place, remedy = map(of_plain, said)
            raise getattr(errors, name)(problem, place=place, remedy=remedy)
        if kind == _EVENT:
            progress.report(ProgressEvent(*content))
        elif kind == _FACTS:
            *facts, placements = content
        elif kind == _VARIABLES:
            variables += map(_variable, content)
        elif kind == _SUMMARIES:
            summaries += map(_summary, content)
        elif kind == _ROW:
            line, *cells = content
            rows.append(Record(line, tuple(cells)))
        else:
            notes += [Note(topic, message, name, tuple(said)) for topic, message, name, said in content]
    path, labels_path, format_name, found, name, complete, about_rows = facts
    guesses = tuple(
        Guess(option, value, reason, certain, tuple(choices))
        for option, value, reason, certain, choices in found
    )
    ordered = tuple(columns[position] for position in range(len(variables)))
    dataset = Dataset(tuple(variables), ordered, name, tuple(notes))
    beginning = None
    if about_rows is not None:
        first_line, names, data_rows, first_column = about_rows
        beginning = Beginning(tuple(rows), first_line, tuple(names), tuple(data_rows), first_column)
    second = None if labels_path is None else Path(labels_path)
    reading = Reading(dataset, Path(path), format_name, guesses, dataset.notes, complete, beginning, second)
    return reading, tuple(summaries)


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
    return (variable.name, kind, role, levels, *others)


def _request_to_text(request: Request) -> str:
    labels = None if request.labels is None else str(request.labels)
    return json.dumps([str(request.path), labels, request.options.as_dict(), request.rows])


def _request_from_text(text: str) -> Request:
    path, labels, options, rows = json.loads(text)
    return Request(Path(path), None if labels is None else Path(labels), make_options(options), rows)


def _exactly(source: IO[bytes], length: int) -> bytearray:
    content = bytearray(length)
    _fill(source, memoryview(content))
    return content


def _fill(source: IO[bytes], room: memoryview) -> None:
    """Fill a piece of memory; waiting for it lets other threads work."""
    filled = 0
    while filled < len(room):
        got = source.readinto(room[filled:])  # type: ignore[attr-defined]
        if not got:
            raise EOFError
        filled += got


def main() -> None:
    """Read the tables that are asked for on standard input, and write them to standard output."""
    be_calm()
    # What most tables take, while nobody has asked yet.
    import engine.readers.delimited
    import engine.readers.reading_steps  # noqa: F401

    requests: queue.SimpleQueue[Request] = queue.SimpleQueue()
    source = os.fdopen(0, "rb", closefd=False)
    threading.Thread(target=_take_requests, args=(source, requests), daemon=True).start()
    # Whatever prints must not stand among the pieces.
    with os.fdopen(os.dup(1), "wb") as target:
        os.dup2(2, 1)
        while True:
            _answer(requests.get(), target)
            target.flush()


def _take_requests(source: IO[bytes], requests: queue.SimpleQueue[Request]) -> None:
    """Hand over what is asked for, and end the process when nobody can ask any more."""
    with suppress(EOFError):
        while True:
            (length,) = _LENGTH.unpack(_exactly(source, _LENGTH.size))
            requests.put(_request_from_text(_exactly(source, length).decode()))
    os._exit(1)


def _answer(request: Request, target: IO[bytes]) -> None:
    try:
        asked = request.path, request.labels, request.options
        reading = read_table(*asked) if request.rows is None else read_preview(*asked, request.rows)
    except EngineError as error:
        said = map(as_plain, (error.problem, error.place, error.remedy))
        _send(target, _ERROR, (type(error).__name__, *said))
        return
    dataset = reading.dataset

    def report(done: int, total: int) -> None:
        _send(target, _EVENT, ("Describing the columns", done, total, 0, request.path.name))
        target.flush()

    placements = _placements(dataset)
    guesses = [
        (guess.name, guess.value, guess.reason, guess.certain, guess.choices) for guess in reading.guesses
    ]
    beginning = reading.beginning
    about_rows = None
    if beginning is not None:
        about_rows = (
            beginning.first_line,
            beginning.columns,
            beginning.data_rows,
            beginning.first_column,
        )
        for record in beginning.rows:
            _send(target, _ROW, (record.line, *record.cells))
    paths = (str(reading.path), None if reading.labels_path is None else str(reading.labels_path))
    facts = (*paths, reading.format, guesses, dataset.name, reading.complete, about_rows)
    _send(target, _FACTS, (*facts, placements))
    for described in _parts(summarise_all(dataset, report)):
        _send(target, _SUMMARIES, [_of_summary(each) for each in described])
    for variables in _parts(dataset.variables):
        _send(target, _VARIABLES, [_of_variable(each) for each in variables])
    for notes in _parts(dataset.notes):
        _send(target, _NOTES, [(note.topic, note.message, note.variable, note.examples) for note in notes])
    columns = list(dataset.columns)
    del reading, dataset, beginning
    for placement in placements:
        _send_block(target, [columns[position] for position in placement])
        for position in placement:
            # As it is handed over it is let go, so that both together hold the table once.
            columns[position] = np.empty(0)
    _send(target, _END, None)


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


if __name__ == "__main__":
    main()
