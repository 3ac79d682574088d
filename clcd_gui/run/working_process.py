"""Work in a process of its own; nothing in here knows of Qt.

Libraries that work for seconds without a pause let a window stand still, each holds 10 to 50 MB for good, and
whatever makes millions of small objects leaves holes between those that the window needs. What is asked and
what is answered travels as it is, so it is plain.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any

from clcd_gui.run.progress import SharedProgress
from engine.compiled.ahead import be_calm
from engine.errors import Cancelled, EngineError

_LOOK_SECONDS = 0.05
_EVENT, _EARLY, _DONE, _RAISED = range(4)


class WorkingProcess:
    """Does one thing at a time in a process of its own, which is started when it is first needed."""

    def __init__(self, lost: Callable[[], EngineError]) -> None:
        self._lost = lost
        self._lock = threading.Lock()
        self._process: SpawnProcess | None = None
        self._connection: Connection | None = None

    def ask(self, progress: SharedProgress, work: Callable[..., Any], *arguments: Any) -> Any:
        """Let the process do something, and wait for it."""
        return self._answer(progress, (work, arguments, False))

    def follow(self, progress: SharedProgress, work: Callable[..., Any], *arguments: Any) -> Any:
        """Let the process do something, and hear meanwhile how far it is and what it gives out early.

        Parameters
        ----------
        progress : SharedProgress
            Told both. When it asks to stop, the process is ended at once.
        work : callable
            A function of a module, which the process imports; a progress is its first argument.
        *arguments
            Plain values.
        """
        return self._answer(progress, (work, arguments, True))

    def shut_down(self) -> None:
        """End the process."""
        with self._lock:
            self._end()

    def _answer(self, progress: SharedProgress, question: tuple[Any, ...]) -> Any:
        with self._lock:
            connection = self._begun()
            try:
                connection.send(question)
                kind, value = self._heard(connection, progress)
            except (EOFError, OSError) as error:
                self._end()
                raise self._lost() from error
            except Cancelled:
                self._end()
                raise
        if kind == _RAISED:
            raise value
        return value

    def _heard(self, connection: Connection, progress: SharedProgress) -> tuple[int, Any]:
        """Hand on what is said meanwhile, and return what is said last."""
        while True:
            while not connection.poll(_LOOK_SECONDS):
                if progress.should_stop():
                    raise Cancelled
            kind, value = connection.recv()
            if kind == _EVENT:
                progress.report(value)
            elif kind == _EARLY:
                progress.give_early(value)
            else:
                return kind, value
            if progress.should_stop():
                raise Cancelled

    def _begun(self) -> Connection:
        if self._connection is None or self._process is None or not self._process.is_alive():
            self._end()
            context = multiprocessing.get_context("spawn")
            ours, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(theirs,), daemon=True)
            process.start()
            theirs.close()
            self._connection, self._process = ours, process
        return self._connection

    def _end(self) -> None:
        if self._connection is not None:
            self._connection.close()
        if self._process is not None:
            self._process.terminate()
            self._process.join()
            self._process.close()
        self._connection = self._process = None


def _serve(connection: Connection) -> None:
    """Do what is asked for until nobody is there who could ask."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    be_calm()
    while True:
        try:
            work, arguments, is_followed = connection.recv()
        except (EOFError, OSError):
            return
        try:
            value = _followed(connection, work, arguments) if is_followed else work(*arguments)
            answer = (_DONE, value)
        except Exception as error:  # noqa: BLE001 - the boundary: whoever asked raises it again
            answer = (_RAISED, error)
        with contextlib.suppress(OSError):
            connection.send(answer)


def _followed(connection: Connection, work: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Do something, and say now and then how far it is."""
    progress, is_done = SharedProgress(), threading.Event()
    speaker = threading.Thread(target=_speak, args=(connection, progress, is_done), daemon=True)
    speaker.start()
    try:
        return work(progress, *arguments)
    finally:
        is_done.set()
        speaker.join()


def _speak(connection: Connection, progress: SharedProgress, is_done: threading.Event) -> None:
    """Say what is new, until the work is done; end with whoever should hear it."""
    said: dict[int, object] = {}
    while not is_done.wait(_LOOK_SECONDS):
        for kind, value in ((_EVENT, progress.latest), (_EARLY, progress.early)):
            if value is said.get(kind):
                continue
            said[kind] = value
            try:
                connection.send((kind, value))
            except OSError:
                # Long work would go on for nobody.
                os._exit(1)
