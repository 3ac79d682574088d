"""Notes when the window's thread does not come back to its events for long, and where it was meanwhile."""

from __future__ import annotations

import faulthandler
import re
import signal
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
LONGEST_STALL = 0.1
_FRAME = re.compile(rf'File "{re.escape(str(ROOT))}/([^"]+)", line (\d+) in (\S+)')
_LOOKS, _BETWEEN_SECONDS, _TO_ANSWER_SECONDS = 3, 0.02, 0.005
# Nothing else here uses it.
_ASKS = signal.SIGUSR1


@dataclass(frozen=True)
class Stall:
    """Events of the window's thread that took it long.

    Attributes
    ----------
    seconds, worked : float
        From one event to the next, and processor time of the program on the thread in them, which is not
        lengthened by what else a machine does.
    beside : float
        Processor time that who watches took there for itself, such as to look for what to click.
    doing : str
        What a person did.
    where : tuple of str
        Functions that it was in.
    """

    seconds: float
    worked: float
    beside: float
    doing: str
    where: tuple[str, ...]


class StallWatch:
    """Notes when the thread that makes it does not come back to its events for long, and what it was in."""

    def __init__(self) -> None:
        self.stalls: list[Stall] = []
        self._thread = threading.get_ident()
        self._beat, self._cpu, self._beside = time.monotonic(), time.thread_time(), 0.0
        self._seen: list[str] = []
        self._ended = threading.Event()
        self._stack = tempfile.TemporaryFile()  # noqa: SIM115 (closed at the end of the watch)
        faulthandler.register(_ASKS, self._stack, all_threads=False)
        self._looking = threading.Thread(target=self._look, daemon=True)
        self._looking.start()

    def beat(self, doing: str) -> None:
        """Tell that the window's thread is back at its events."""
        now, cpu = time.monotonic(), time.thread_time()
        took, worked = now - self._beat, cpu - self._cpu
        if took > LONGEST_STALL:
            beside = self._beside
            figures = (round(seconds, 3) for seconds in (took, worked - beside, beside))
            self.stalls.append(Stall(*figures, doing, tuple(self._seen)))
        self._seen = []
        self._beat, self._cpu, self._beside = now, cpu, 0.0

    def begin_anew(self) -> None:
        """Forget the present events: what they did was looking, and not the window's work."""
        self._seen = []
        self._beat, self._cpu, self._beside = time.monotonic(), time.thread_time(), 0.0

    @contextmanager
    def beside(self) -> Iterator[None]:
        """Count what is done meanwhile as that of who watches, and not as the window's work."""
        before = time.thread_time()
        try:
            yield
        finally:
            self._beside += time.thread_time() - before

    def end(self) -> None:
        """Look no longer."""
        self._ended.set()
        self._looking.join()
        faulthandler.unregister(_ASKS)
        self._stack.close()

    def _look(self) -> None:
        while not self._ended.wait(_BETWEEN_SECONDS):
            if time.monotonic() - self._beat > LONGEST_STALL * 0.6 and len(self._seen) < _LOOKS:
                self._seen.append(self._where())

    def _where(self) -> str:
        """Return the innermost functions of the program in which the window's thread is.

        That thread writes them down itself, by their names alone: whoever held its frames would keep painters
        alive that end with them, and to go through the threads from another one ends the process where one
        of them just begins.
        """
        self._stack.seek(0)
        self._stack.truncate()
        signal.pthread_kill(self._thread, _ASKS)
        time.sleep(_TO_ANSWER_SECONDS)
        self._stack.seek(0)
        lines = _FRAME.findall(self._stack.read().decode(errors="replace"))
        return " < ".join(f"{path}:{line} {name}" for path, line, name in lines[:4])
