"""Work in a process of its own: what would hold up a window, may crash, or takes memory for good.

Several helper processes may run, and one that crashes ends no other's work. Each does one thing at a time, is
ended at once by a stop, and ends with this process, however that ends.

Both ends are this program, so questions and answers are pickled; arrays follow as plain bytes, so that both
processes together hold a table once. Of a process that reads files an answer may hold plain values and values
of this program's classes alone, as a damaged file may have made a library do anything.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import IO, Any, Self

import numpy as np

from engine.collecting import without_collecting
from engine.errors import Cancelled
from engine.execution.memory import limit_memory
from engine.progress import Progress, SharedProgress
from engine.translation import _

ARGUMENT = "--helper-process"
"""With it the frozen program is a helper process instead of opening a window."""

# With `python -m` a file beside a person's table would be imported in the place of a library of its name.
_RUN = (
    "import sys; place = sys.argv[1]; place in sys.path or sys.path.insert(0, place); "
    "from engine.execution.helper_process import main; main()"
)
_PROGRAM = str(Path(__file__).resolve().parents[2])

# Has the C library give back memory as soon as it is let go.
_ALLOCATION = {"MALLOC_MMAP_THRESHOLD_": str(1 << 20), "MALLOC_TRIM_THRESHOLD_": str(1 << 20)}
_NICENESS = 10
_AT_ONCE = 256
_LOOK_SECONDS = 0.05
_SECONDS_TO_END = 3.0

# How it ends for want of questions, where it has to be ended, and where the system finds no memory for it.
_IDLE, _BY_FORCE, _KILLED = 0, 1, -9
# Illegal instruction, abort, bus error, arithmetic error, access to memory that is not its own.
_CRASHED = frozenset((-4, -6, -7, -8, -10, -11))
_CRASHED_ON_WINDOWS = 0xC0000000

_EVENT, _EARLY, _DONE, _RAISED = range(4)
_ANSWER_PACKAGES = frozenset(("builtins", "datetime", "pathlib", "engine", "clcd_gui"))


@dataclass(frozen=True, slots=True)
class HelperKind:
    """What a helper process is for."""

    is_calm: bool = True  # at a low priority, so that a window stays lively on one core too
    # It may ask for no more memory than the machine has, gives back what it lets go, and its answers hold no
    # objects of libraries.
    reads_files: bool = False
    # waits so long for a further question; None: as long as this process lives
    idle_seconds: float | None = None
    loads: tuple[str, ...] = ()  # modules that it loads before it is asked


class HelperEnded(Exception):
    """A helper process ended before it had answered; `status` as in :mod:`subprocess`."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status

    @property
    def lacked_memory(self) -> bool:
        """Whether the system ended it, as it does with what takes all memory."""
        return self.status == _KILLED

    @property
    def crashed(self) -> bool:
        """Whether a library in it did what no process may do."""
        return self.status in _CRASHED or self.status >= _CRASHED_ON_WINDOWS


class HelperProcess:
    """Calls one function at a time in its own process; `ended` makes the error of an exit status."""

    def __init__(
        self, kind: HelperKind = HelperKind(), ended: Callable[[int], Exception] = HelperEnded
    ) -> None:
        self._kind = kind
        self._ended = ended
        self._turn = threading.RLock()
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def start(self) -> None:
        """Start the process, unless it runs; raise OSError where none can be started."""
        with self._turn:
            if self._process is not None and self._process.poll() is None:
                return
            self._end()
            flags = 0
            if sys.platform == "win32":
                flags = subprocess.CREATE_NO_WINDOW
                flags |= subprocess.BELOW_NORMAL_PRIORITY_CLASS if self._kind.is_calm else 0
            self._process = subprocess.Popen(
                command(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                creationflags=flags,
                env={**os.environ, **(_ALLOCATION if self._kind.reads_files else {})},
                # A signal to the group is for the one that waits.
                process_group=0,
            )
            with suppress(OSError):
                _send(self._pipes[0], self._kind)

    def begin(self, work: Callable[..., object], *arguments: object) -> None:
        """Let the process do something without reading its answer; :meth:`wait` tells when it has ended."""
        with self._turn:
            self.start()
            _send(self._pipes[0], (work, arguments, False))

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the end of the process, at most `timeout` seconds; tell whether it has come."""
        if self._process is not None:
            try:
                self._process.wait(timeout)
            except subprocess.TimeoutExpired:
                return False
        self._end()
        return True

    def ask(self, work: Callable[..., Any], *arguments: object, progress: Progress | None = None) -> Any:
        """Call a function of a module in the process; a request to stop ends it and raises Cancelled."""
        return self._answer(progress, (work, arguments, False))

    def follow(self, progress: SharedProgress, work: Callable[..., Any], *arguments: object) -> Any:
        """As :meth:`ask`, and report progress, the first argument of `work`, meanwhile."""
        return self._answer(progress, (work, arguments, True))

    def end(self) -> None:
        """End the process, whatever it does."""
        self._end()

    def _end(self, patience: float = 0.0) -> int:
        """End the process, and return how it had ended within some seconds by itself."""
        with self._turn:
            process, self._process = self._process, None
            if process is None:
                return _IDLE
            try:
                status = process.wait(patience)
            except subprocess.TimeoutExpired:
                status = _BY_FORCE
                process.kill()
                process.wait()
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):
                    pipe.close()  # type: ignore[union-attr]
            return status

    @property
    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        """Where questions go, and where answers come from."""
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        return self._process.stdin, self._process.stdout

    def _answer(self, progress: Progress | None, question: tuple[object, ...]) -> Any:
        """Ask, once more where the process had ended for want of questions."""
        with self._turn, self._stopped_by(progress):
            for _ in range(2):
                self.start()
                try:
                    _send(self._pipes[0], question)
                    is_done, value = self._said_last(progress)
                    break
                except (OSError, EOFError, pickle.UnpicklingError) as error:
                    status = self._end(_SECONDS_TO_END)
                    if progress is not None and progress.should_stop():
                        raise Cancelled from error
                    if status != _IDLE:
                        raise self._ended(status) from error
                except BaseException:
                    # The answer that is still to come must not be taken for that of the next question.
                    self._end()
                    raise
            else:
                raise self._ended(_IDLE)
        if not is_done:
            raise value
        return value

    def _said_last(self, progress: Progress | None) -> tuple[bool, Any]:
        """Hand on what is said meanwhile; return whether the work was done, and its value or its error."""
        while True:
            kind, value = _received(self._pipes[1], is_trusted=not self._kind.reads_files)
            if kind in (_DONE, _RAISED):
                return kind == _DONE, value
            assert isinstance(progress, SharedProgress)
            if kind == _EVENT:
                progress.report(value)
            else:
                progress.give_early(value)

    @contextmanager
    def _stopped_by(self, progress: Progress | None) -> Iterator[None]:
        """End the process once a stop is asked for within the block."""
        if progress is None:
            yield
            return
        is_done = threading.Event()
        guard = threading.Thread(target=self._kill_when_asked, args=(progress, is_done), name="helper-guard")
        guard.start()
        try:
            yield
        finally:
            is_done.set()
            guard.join()

    def _kill_when_asked(self, progress: Progress, is_done: threading.Event) -> None:
        while not is_done.wait(_LOOK_SECONDS):
            process = self._process
            if process is not None and progress.should_stop():
                process.kill()


def command() -> list[str]:
    """Return what starts a helper process, and nothing that lies in the current folder."""
    if getattr(sys, "frozen", False):
        return [sys.executable, ARGUMENT]
    return [sys.executable, "-P", "-c", _RUN, _PROGRAM]


class Rows:
    """Arrays of one type and length that arrive as the rows of one array, without a second copy of all."""

    def __init__(self, arrays: Sequence[np.ndarray]) -> None:
        self.arrays = tuple(arrays)


class Parts:
    """Many small objects that arrive as a list: some at a time, as what each is made of is held meanwhile."""

    def __init__(self, items: Sequence[object]) -> None:
        self.parts = [items[start : start + _AT_ONCE] for start in range(0, len(items), _AT_ONCE)]


class _Pickler(pickle.Pickler):
    """Leaves out what arrays hold, and parts, and lists it."""

    def __init__(self, target: IO[bytes]) -> None:
        super().__init__(target, pickle.HIGHEST_PROTOCOL)
        self.left_out: list[Any] = []

    def reducer_override(self, value: Any) -> Any:
        """Leave room for an array of numbers, for several as rows of one, or for parts."""
        if type(value) is Parts:
            self.left_out += value.parts
            return _room_for, ((len(value.parts),), "", True)
        if type(value) is Rows:
            self.left_out += value.arrays
            return _room_for, ((len(value.arrays), *value.arrays[0].shape), value.arrays[0].dtype.str, False)
        if type(value) is not np.ndarray or value.dtype.kind not in "biuf":
            return NotImplemented
        if value.ndim != 1 and not value.flags.c_contiguous:
            return NotImplemented
        self.left_out.append(value)
        return _room_for, (value.shape, value.dtype.str, value.flags.writeable)


def _room_for(shape: tuple[int, ...], dtype: str, is_writeable: bool) -> np.ndarray | list[Any]:
    """Stand for :meth:`_Unpickler.room_for` in what is sent."""
    raise NotImplementedError


class _Unpickler(pickle.Unpickler):
    """Makes room for arrays and parts, which is to be filled with what follows."""

    def __init__(self, source: IO[bytes], is_trusted: bool) -> None:
        super().__init__(source)
        self._is_trusted = is_trusted
        self.rooms: list[tuple[np.ndarray | list[Any], int, bool]] = []

    def find_class(self, module: str, name: str) -> Any:
        """Find what is named: of what is not trusted, only classes of this program, and plain ones."""
        if name == _room_for.__name__:
            return self.room_for
        # Of other packages not even a module is imported.
        if self._is_trusted or module.partition(".")[0] in _ANSWER_PACKAGES:
            loaded = super().find_class(module, name)
            if self._is_trusted or (
                isinstance(loaded, type) and loaded.__module__.partition(".")[0] in _ANSWER_PACKAGES
            ):
                return loaded
        raise pickle.UnpicklingError(_("{module}.{name} is no part of an answer.", module=module, name=name))

    def room_for(self, shape: tuple[int, ...], dtype: str, is_writeable: bool) -> np.ndarray | list[Any]:
        """Make room for an array, or for so many parts."""
        room: np.ndarray | list[Any] = np.empty(shape, np.dtype(dtype)) if dtype else []
        self.rooms.append((room, shape[0] if shape else 1, is_writeable))
        return room


def _send(target: IO[bytes], value: object) -> None:
    """Write a value; arrays and parts that are used nowhere else are released as they are written."""
    pickler = _Pickler(target)
    pickler.dump(value)
    left_out = pickler.left_out[::-1]
    del pickler, value
    while left_out:
        if isinstance(left_out[-1], np.ndarray):
            target.write(np.ascontiguousarray(left_out.pop()).reshape(-1).view(np.uint8).data)
        else:
            _send(target, left_out.pop())
    target.flush()


def _received(source: IO[bytes], *, is_trusted: bool = True) -> Any:
    """Read a value; waiting for it lets other threads work."""
    with without_collecting():
        unpickler = _Unpickler(source, is_trusted)
        value = unpickler.load()
    rooms = unpickler.rooms
    # It holds what everything was made of.
    del unpickler
    for room, parts, is_writeable in rooms:
        if isinstance(room, list):
            for _ in range(parts):
                room += _received(source, is_trusted=is_trusted)
        else:
            _fill(source, room.reshape(-1).view(np.uint8).data)
            room.flags.writeable = is_writeable
    return value


def _fill(source: IO[bytes], room: memoryview) -> None:
    filled = 0
    while filled < len(room):
        got = source.readinto(room[filled:])  # type: ignore[attr-defined]
        if not got:
            raise EOFError
        filled += got


def main() -> None:
    """Do what is asked on standard input, one thing after the other, and answer on standard output."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        # From below sys.stdin, which Python would close at its end, and wait for who reads.
        _serve(os.fdopen(0, "rb", closefd=False), _own_output())
    finally:
        os._exit(_BY_FORCE)


def _own_output() -> IO[bytes]:
    """Return where answers go; what prints must not stand among them."""
    target = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return target


def _serve(source: IO[bytes], target: IO[bytes]) -> None:
    kind: HelperKind = _received(source)
    if kind.is_calm and hasattr(os, "nice"):
        os.nice(_NICENESS)
    if kind.reads_files:
        limit_memory()
    arrived: queue.SimpleQueue[None] = queue.SimpleQueue()
    taken: queue.SimpleQueue[None] = queue.SimpleQueue()
    threading.Thread(target=_look_out, args=(source, arrived, taken), daemon=True).start()
    for name in kind.loads:
        import_module(name)
    idle_seconds = None
    while True:
        try:
            arrived.get(timeout=idle_seconds)
        except queue.Empty:
            os._exit(_IDLE)
        question = _received(source)
        taken.put(None)
        _send(target, _answer(target, *question))
        del question
        idle_seconds = kind.idle_seconds


def _look_out(source: Any, arrived: queue.SimpleQueue[None], taken: queue.SimpleQueue[None]) -> None:
    """Tell when a question comes, and end the process when its input ends."""
    while source.peek(1):
        arrived.put(None)
        taken.get()
    os._exit(_BY_FORCE)


def _answer(
    target: IO[bytes], work: Callable[..., Any], arguments: tuple[Any, ...], is_followed: bool
) -> tuple[int, Any]:
    try:
        return _DONE, _followed(target, work, arguments) if is_followed else work(*arguments)
    except Exception as error:  # noqa: BLE001 - raised again in the process that asked
        return _RAISED, error


def _followed(target: IO[bytes], work: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Do something, and say now and then how far it is."""
    progress, is_done = SharedProgress(), threading.Event()
    speaker = threading.Thread(target=_speak, args=(target, progress, is_done), daemon=True)
    speaker.start()
    try:
        return work(progress, *arguments)
    finally:
        is_done.set()
        speaker.join()


def _speak(target: IO[bytes], progress: SharedProgress, is_done: threading.Event) -> None:
    """Say what is new, until the work is done."""
    said: dict[int, object] = {}
    while not is_done.wait(_LOOK_SECONDS):
        for kind, value in ((_EVENT, progress.latest), (_EARLY, progress.early)):
            if value is not said.get(kind):
                said[kind] = value
                _send(target, (kind, value))
