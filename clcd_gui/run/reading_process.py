"""Reading a large table in a process of its own, which holds up no window and is stopped at once.

What parses files keeps Python to itself for seconds, and a window beside it stands still. A process of low
priority reads the table instead and hands it over piece by piece: through its output, without a file between,
so that nothing is left behind when either is killed.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import IO

from clcd_gui.document.column_summary import ColumnSummary
from clcd_gui.run.progress import SharedProgress
from clcd_gui.run.table_transfer import hand_over, received
from engine.collecting import without_collecting
from engine.compiled.ahead import be_calm, command_of_program
from engine.errors import Cancelled, UnreadableFile
from engine.execution.memory import limit_memory
from engine.execution.pipes import received_piece, send_piece
from engine.readers import read_preview, read_table
from engine.readers.reading import Reading
from engine.readers.registry import ReadingOptions, make_options
from engine.readers.statistics_process import ENDED, ask_here
from engine.wording.sentences import SAVE_AGAIN

ARGUMENT = "--read-table"
"""With it the frozen program reads a table instead of opening a window."""

_ALLOCATION = {"MALLOC_MMAP_THRESHOLD_": str(1 << 20), "MALLOC_TRIM_THRESHOLD_": str(1 << 20)}
"""Has the C library give back memory as soon as it is let go, so that two processes hold a table once."""

READING_STOPPED = "the reading was stopped."
_PATIENCE_SECONDS = 0.05
_KILLED = -9
# Illegal instruction, abort, bus error, arithmetic error, access to memory that is not its own.
_CRASHED = frozenset((-4, -6, -7, -8, -10, -11))
_CRASHED_ON_WINDOWS = 0xC0000000
_MODULE = "clcd_gui.run.reading_process"


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


class ReadingProcess:
    """A process that loads what reading takes, and then reads what it is asked for.

    It is started before it is known that a table is wanted, and costs nothing but memory until then.
    """

    def __init__(self) -> None:
        flags = 0
        if sys.platform == "win32":
            flags = subprocess.BELOW_NORMAL_PRIORITY_CLASS
        try:
            self._process = subprocess.Popen(
                command_of_program(_MODULE, ARGUMENT),
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
        """Read a table or its first rows there, and describe its columns."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        done = threading.Event()
        guard = threading.Thread(
            target=_stop_when_asked, args=(process, progress, done), name="reading-guard"
        )
        guard.start()
        try:
            # The input is held open: its end tells the process that nobody waits any more.
            send_piece(process.stdin, _request_to_text(request).encode())
            with without_collecting():
                return received(process.stdout, progress)
        except (OSError, EOFError) as error:
            if progress.should_stop():
                raise Cancelled(READING_STOPPED) from error
            status = process.wait()
            if status == _KILLED:
                # The system ends what takes all memory, and would end the window next.
                raise MemoryError from error
            if status in _CRASHED or status >= _CRASHED_ON_WINDOWS:
                raise ReaderCrashed(
                    f"it may be damaged: {ENDED}.",
                    place=f"file '{request.path.name}'",
                    remedy=SAVE_AGAIN,
                ) from error
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


def _request_to_text(request: Request) -> str:
    labels = None if request.labels is None else str(request.labels)
    return json.dumps([str(request.path), labels, request.options.as_dict(), request.rows])


def _request_from_text(text: str) -> Request:
    path, labels, options, rows = json.loads(text)
    return Request(Path(path), None if labels is None else Path(labels), make_options(options), rows)


def main() -> None:
    """Read the tables that are asked for on standard input, and write them to standard output."""
    be_calm()
    limit_memory()
    ask_here()
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
            request = requests.get()
            hand_over(partial(_read, request), request.path.name, target)
            target.flush()


def _take_requests(source: IO[bytes], requests: queue.SimpleQueue[Request]) -> None:
    """Hand over what is asked for, and end the process when nobody can ask any more."""
    with suppress(EOFError):
        while True:
            requests.put(_request_from_text(received_piece(source).decode()))
    os._exit(1)


def _read(request: Request) -> Reading:
    asked = request.path, request.labels, request.options
    return read_table(*asked) if request.rows is None else read_preview(*asked, request.rows)


if __name__ == "__main__":
    main()
