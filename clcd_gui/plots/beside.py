"""What a picture has computed beside the window, so that nothing waits for it."""

from __future__ import annotations

import atexit
import sys
from collections.abc import Callable, Iterable
from contextvars import copy_context
from typing import Any, ClassVar

from PySide6.QtCore import QThread, Signal, Slot

_STACK_BYTES = 16 * 1024 * 1024


class PictureThread(QThread):
    """Computes what one picture needs, each answer better than the last; lives until it is done."""

    answered = Signal(int, object)  # number of the request, and the answer
    failed = Signal(Exception)
    _running: ClassVar[set[PictureThread]] = set()

    def __init__(self, compute: Callable[[], Iterable[Any]], number: int) -> None:
        super().__init__()
        self._compute = compute
        # The thread of the window knows which names are shown.
        self._context = copy_context()
        self._number = number
        self.setObjectName("picture")
        self.setStackSize(_STACK_BYTES)
        PictureThread._running.add(self)
        self.failed.connect(self._report)
        self.finished.connect(self._forget)

    def run(self) -> None:
        """Compute; runs in the thread."""
        self._context.run(self._answer)

    def _answer(self) -> None:
        try:
            for answer in self._compute():
                if self.isInterruptionRequested():
                    return
                self.answered.emit(self._number, answer)
        except Exception as error:  # noqa: BLE001 - the boundary: beyond it, it would be told on this thread
            self.failed.emit(error)

    @classmethod
    def end_all(cls) -> None:
        """Give up all that is being computed, and wait until every thread has ended."""
        for thread in cls._running:
            thread.requestInterruption()
        while cls._running:
            cls._running.pop().wait()

    @Slot(Exception)
    def _report(self, error: Exception) -> None:
        """Tell of an error as of any that nothing caught, on the thread of the window."""
        sys.excepthook(type(error), error, error.__traceback__)

    def _forget(self) -> None:
        self.wait()
        PictureThread._running.discard(self)


# A thread that is still at work when its object goes ends the whole process.
atexit.register(PictureThread.end_all)
