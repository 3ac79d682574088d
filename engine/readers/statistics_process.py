"""What the library for files of SPSS, Stata and SAS says of a file, asked of it in a process of its own.

The library is written in C, and a damaged file can end the process that it is in: that must not be the window
of a person, nor their Python. The process stays for some seconds, as a file is often looked at before it is
read, and ends with the one that asks, however that ends. Binary workbooks of Excel are laid out there first,
as a damaged one ends the process as well.
"""

from __future__ import annotations

import atexit
import datetime
import io
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO, Any, NamedTuple

from engine.compiled.ahead import command_of_program
from engine.execution.memory import limit_memory
from engine.execution.pipes import received_piece, send_piece
from engine.readers.limits import first_line, is_panic

ARGUMENT = "--read-statistics"
"""With it the frozen program asks the library instead of opening a window."""

_READERS: Mapping[str, str] = {
    ".sav": "read_sav",
    ".zsav": "read_sav",
    ".por": "read_por",
    ".dta": "read_dta",
    ".sas7bdat": "read_sas7bdat",
    ".xpt": "read_xport",
}
"""What the library has for each kind of file."""

EXTENSIONS = tuple(_READERS)

WORKBOOK = "workbook"
"""In place of an extension: how far the sheets of a workbook reach."""

_IDLE_SECONDS = 10.0
# Of processor time; a file that is whole takes a hundredth of it.
_SECONDS_OF_ANY, _BYTES_A_SECOND = 10.0, 20_000
# How it ends for want of questions, and where the system ends it for want of memory; otherwise by a file.
_IDLE, _KILLED = 0, -9
ENDED = "it ended the program that read it"
_MODULE = "engine.readers.statistics_process"
_TIMES = {each.__name__: each for each in (datetime.date, datetime.datetime, datetime.time)}


class Question(NamedTuple):
    """What is asked about a file."""

    extension: str
    content: bytes
    settings: Mapping[str, Any]
    row_limit: int
    most_cells: int
    most_columns: int


class About(NamedTuple):
    """What the library says of columns, by their names."""

    value_names: Mapping[str, Mapping[Any, str]] = {}
    missing_ranges: Mapping[str, Sequence[Sequence[Any]]] = {}
    measures: Mapping[str, str] = {}
    titles: Mapping[str, str | None] = {}


class Answer(NamedTuple):
    """What the library says of a file.

    Attributes
    ----------
    rows, columns : int
        Of the file, whatever was asked for.
    names : sequence of str
        Of the columns.
    values : sequence of sequence
        Of each column; of no column where the table is too large.
    about : About
        What it says of them.
    seconds : mapping of str to sequence
        Of the columns that hold times of day or durations, as the library leaves out whole days of these.
    about_seconds : About
        What it says of these seconds.
    """

    rows: int
    columns: int
    names: Sequence[str] = ()
    values: Sequence[Sequence[object]] = ()
    about: About = About()
    seconds: Mapping[str, Sequence[object]] = {}
    about_seconds: About = About()


def ask(question: Question) -> Answer:
    """Ask the library about a file."""
    if _asks_here.is_set():
        return answered(question)
    with _lock:
        for _ in range(2):
            try:
                process = _process()
            except OSError:
                # Where nothing may be started.
                return answered(question)
            try:
                return _answer_of(process.ask(question))
            except _Ended as end:
                if end.status == _KILLED:
                    raise MemoryError(ENDED) from None
                if end.status != _IDLE:
                    raise ValueError(ENDED) from None
    raise ValueError(ENDED)


def ask_here() -> None:
    """Ask libraries in this process from now on: for one that may be ended by a file itself."""
    _asks_here.set()


def answered(question: Question) -> Answer:
    """Ask the library here, in this process, which a damaged file may end."""
    if question.extension == WORKBOOK:
        return _extent_of_sheets(question.content)
    import pyreadstat

    reader = getattr(pyreadstat, _READERS[question.extension])
    settings, rows_asked = dict(question.settings), question.row_limit
    encoding = {name: value for name, value in settings.items() if name == "encoding"}
    _, about = reader(io.BytesIO(question.content), metadataonly=True, **encoding)
    rows, columns = about.number_rows or 0, len(about.column_names)
    if min(rows, rows_asked or rows) * columns > question.most_cells or columns > question.most_columns:
        return Answer(rows, columns)
    settings["output_format"] = "dict"
    values, about = reader(io.BytesIO(question.content), row_limit=rows_asked, **settings)
    clocks = [] if question.extension == ".dta" else [name for name in values if _are_times(values[name])]
    seconds, about_seconds = {}, about
    if clocks:
        as_numbers = {**settings, "usecols": clocks, "disable_datetime_conversion": True}
        seconds, about_seconds = reader(io.BytesIO(question.content), row_limit=rows_asked, **as_numbers)
    names = list(about.column_names)
    return Answer(
        rows,
        columns,
        names,
        [values[name] for name in names],
        _described(about),
        dict(seconds),
        _described(about_seconds),
    )


def _extent_of_sheets(content: bytes) -> Answer:
    """Lay out the sheets of a workbook, and return up to which row and column they reach.

    What the library says is wrong with it comes when it is read; this is about what ends the process.
    """
    from python_calamine import CalamineError, CalamineWorkbook

    rows = columns = 0
    with suppress(CalamineError, OSError):
        workbook = CalamineWorkbook.from_filelike(io.BytesIO(content))
        for name in workbook.sheet_names:
            last = workbook.get_sheet_by_name(name).end
            if last is not None:
                rows, columns = max(rows, last[0] + 1), max(columns, last[1] + 1)
    return Answer(rows, columns)


def _are_times(values: Sequence[object]) -> bool:
    return set(map(type, values)) - {type(None)} == {datetime.time}


def _described(about: Any) -> About:
    ranges = {
        name: [[each["lo"], each["hi"]] for each in found] for name, found in about.missing_ranges.items()
    }
    return About(about.variable_value_labels, ranges, about.variable_measure, about.column_names_to_labels)


class _Ended(Exception):
    """The process ended before it had answered."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class _Process:
    """A process that asks the library."""

    def __init__(self) -> None:
        flags = 0
        if sys.platform == "win32":
            flags = subprocess.CREATE_NO_WINDOW
        self._process = subprocess.Popen(
            command_of_program(_MODULE, ARGUMENT),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            creationflags=flags,
        )

    def is_running(self) -> bool:
        return self._process.poll() is None

    def ask(self, question: Question) -> bytearray:
        source, target = self._process.stdout, self._process.stdin
        assert source is not None
        assert target is not None
        try:
            extension, content, *limits = question
            send_piece(target, json.dumps((extension, *limits)).encode())
            send_piece(target, content)
            return received_piece(source)
        except (OSError, EOFError):
            raise _Ended(self._process.wait()) from None
        except BaseException:
            # Whoever is interrupted will not read the answer, which the next one must not get.
            self.end()
            raise

    def end(self) -> None:
        """End it, whatever it does."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                if stream is not None:
                    stream.close()


_asks_here = threading.Event()
_lock = threading.Lock()
_running: list[_Process] = []


def _process() -> _Process:
    """Return the process that runs, or a new one."""
    if not _running or not _running[-1].is_running():
        _end()
        _running.append(_Process())
    return _running[-1]


@atexit.register
def _end() -> None:
    while _running:
        _running.pop().end()


def _packed(answer: Answer) -> bytes:
    """Return an answer as text, in which names and values of all columns are lists of pairs."""
    rows, columns, names, values, about, seconds, about_seconds = answer
    parts = rows, columns, names, values, _pairs_of(about), list(seconds.items()), _pairs_of(about_seconds)
    return json.dumps((True, parts), default=_time_as_text).encode()


def _answer_of(packed: bytearray) -> Answer:
    """Return what was answered, or raise what the library raised there."""
    is_answer, content = json.loads(packed, object_hook=_time_of_text)
    if not is_answer:
        raise ValueError(content)
    rows, columns, names, values, about, seconds, about_seconds = content
    return Answer(rows, columns, names, values, _about_of(about), dict(seconds), _about_of(about_seconds))


def _pairs_of(about: About) -> Any:
    value_names = [(name, list(names.items())) for name, names in about.value_names.items()]
    return value_names, *(list(each.items()) for each in about[1:])


def _about_of(pairs: Any) -> About:
    value_names, *others = pairs
    return About({name: dict(names) for name, names in value_names}, *map(dict, others))


def _time_as_text(value: Any) -> dict[str, str]:
    return {type(value).__name__: value.isoformat()}


def _time_of_text(pair: dict[str, str]) -> Any:
    """Return a time: nothing else is written in braces."""
    ((kind, text),) = pair.items()
    return _TIMES[kind].fromisoformat(text)


def main() -> None:
    """Answer the questions on standard input on standard output, until none has come for some seconds."""
    limit_memory()
    # None says that one is on its way: a large file may take long.
    questions: queue.SimpleQueue[Question | None] = queue.SimpleQueue()
    source = os.fdopen(0, "rb", closefd=False)
    threading.Thread(target=_take_questions, args=(source, questions), daemon=True).start()
    # Whatever prints must not stand between the answers.
    with os.fdopen(os.dup(1), "wb") as target:
        os.dup2(2, 1)
        while True:
            try:
                question = questions.get(timeout=_IDLE_SECONDS) or questions.get()
            except queue.Empty:
                os._exit(_IDLE)
            assert question is not None
            _limit_time(_SECONDS_OF_ANY + len(question.content) / _BYTES_A_SECOND)
            try:
                packed = _packed(answered(question))
            except BaseException as error:
                if not isinstance(error, Exception) and not is_panic(error):
                    raise
                packed = json.dumps((False, first_line(error))).encode()
            _limit_time(0)
            del question
            send_piece(target, packed)


def _limit_time(seconds: float) -> None:
    """End this process once it has worked for so long: damaged files keep libraries busy for ever.

    0 takes the limit away. Not every system has one.
    """
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _take_questions(source: IO[bytes], questions: queue.SimpleQueue[Question | None]) -> None:
    """Take what is asked, and end the process when nobody can ask any more."""
    with suppress(EOFError):
        while True:
            extension, *limits = json.loads(received_piece(source))
            questions.put(None)
            questions.put(Question(extension, bytes(received_piece(source)), *limits))
    os._exit(1)


if __name__ == "__main__":
    main()
