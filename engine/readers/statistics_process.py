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
import signal
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from engine.execution.helper_process import HelperEnded, HelperKind, HelperProcess
from engine.execution.memory import limited_memory
from engine.readers.limits import first_line, is_panic
from engine.translation import N_, _

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

# Of processor time; a file that is whole takes a hundredth of it.
_SECONDS_OF_ANY, _BYTES_A_SECOND = 10.0, 20_000
# Of memory, to lay out a workbook. The largest sheet of .xls takes half of the first.
_MEMORY_OF_ANY, _MEMORY_A_BYTE = 900 << 20, 200
ENDED = N_("it ended the program that read it")


class Question(NamedTuple):
    """What is asked about a file."""

    extension: str
    content: bytes | memoryview
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


class FileContents(NamedTuple):
    """What the library says of a file."""

    rows: int  # as `columns`, of the file, whatever was asked for
    columns: int
    names: Sequence[str] = ()
    values: Sequence[Sequence[object]] = ()  # of each column; of no column where the table is too large
    about: About = About()  # what it says of the columns
    # of times of day and durations, as the library leaves out whole days of these
    seconds: Mapping[str, Sequence[object]] = {}
    about_seconds: About = About()  # what it says of these seconds


def ask(question: Question) -> FileContents:
    """Ask the library about a file."""
    if _asks_here.is_set():
        return answered(question)
    try:
        _process.start()
    except OSError:
        # Where nothing may be started.
        return answered(question)
    content = np.frombuffer(question.content, np.uint8)
    answer: FileContents = _process.ask(_answered_in_time, content, question._replace(content=b""))
    return answer


def ask_here() -> None:
    """Ask libraries in this process from now on: for one that may be ended by a file itself."""
    _asks_here.set()


def answered(question: Question) -> FileContents:
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
        return FileContents(rows, columns)
    settings["output_format"] = "dict"
    values, about = reader(io.BytesIO(question.content), row_limit=rows_asked, **settings)
    clocks = [name for name in values if set(map(type, values[name])) - {type(None)} == {datetime.time}]
    clocks = [] if question.extension == ".dta" else clocks
    seconds, about_seconds = {}, about
    if clocks:
        as_numbers = {**settings, "usecols": clocks, "disable_datetime_conversion": True}
        seconds, about_seconds = reader(io.BytesIO(question.content), row_limit=rows_asked, **as_numbers)
    names = list(about.column_names)
    return FileContents(
        rows,
        columns,
        names,
        [values[name] for name in names],
        _described(about),
        dict(seconds),
        _described(about_seconds),
    )


def _extent_of_sheets(content: bytes | memoryview) -> FileContents:
    """Lay out the sheets of a workbook, and return the last row and column of each."""
    from python_calamine import CalamineError, CalamineWorkbook

    rows = columns = 0
    most_memory = _MEMORY_OF_ANY + _MEMORY_A_BYTE * len(content)
    with limited_memory(most_memory), suppress(CalamineError, OSError):
        workbook = CalamineWorkbook.from_filelike(io.BytesIO(content))
        for name in workbook.sheet_names:
            last = workbook.get_sheet_by_name(name).end
            if last is not None:
                rows, columns = max(rows, last[0] + 1), max(columns, last[1] + 1)
    return FileContents(rows, columns)


def _described(about: Any) -> About:
    ranges = {
        name: [[range_bounds["lo"], range_bounds["hi"]] for range_bounds in bounds_of_column]
        for name, bounds_of_column in about.missing_ranges.items()
    }
    return About(about.variable_value_labels, ranges, about.variable_measure, about.column_names_to_labels)


def _answered_in_time(content: np.ndarray, question: Question) -> FileContents:
    """Ask the library in the helper process; what it raises is told by its first line."""
    _limit_time(_SECONDS_OF_ANY + len(content) / _BYTES_A_SECOND)
    try:
        return answered(question._replace(content=content.data))
    except MemoryError:
        raise
    except BaseException as error:
        if not isinstance(error, Exception) and not is_panic(error):
            raise
        raise ValueError(first_line(error)) from None
    finally:
        _limit_time(0)


def _limit_time(seconds: float) -> None:
    """End this process after so many seconds of work, where the system can; 0 takes the limit away."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_PROF, seconds)


_asks_here = threading.Event()
_process = HelperProcess(
    HelperKind(is_calm=False, reads_files=True, idle_seconds=10.0),
    lambda status: MemoryError(_(ENDED)) if HelperEnded(status).lacked_memory else ValueError(_(ENDED)),
)
atexit.register(_process.end)
