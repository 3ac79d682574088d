"""What the C library holds of memory that nothing uses any more: little, and none of it for long.

The GNU library, which Linux systems have, keeps what is freed for what may come. It opens further pools of
memory, eight for each processor, when threads ask for memory at the same time, and leaves in them the room of
tables that are gone: a window in use for long held several times what it needed. Other systems' libraries are
left alone.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import time
from collections.abc import Callable
from functools import cache
from threading import Lock

from PySide6.QtCore import QObject, QTimer, Slot

from clcd_gui.document.document import Document
from clcd_gui.turns import single_shot

# Parameters of mallopt(3), by their numbers in malloc.h, with what they are set to. From the bound on mapping
# a piece of memory is the system's own, and goes back to it at once; the library would raise its bound to
# 32 MB with the pieces that it sees, and a lower one costs searches time, since what comes from the system is
# emptied first.
_MOST_POOLS = (-8, 2)
_MAPPED_FROM_BYTES = (-3, 4 * 1024 * 1024)
_FREE_BYTES_AT_MOST = (-1, 8 * 1024 * 1024)
# To look for free pages takes some 20 ms of the thread that does it, and they are asked for again.
_SECONDS_BETWEEN = 10.0
# After what a person asked for is shown.
QUIET_MILLISECONDS = 1500
# Often enough that there is little to look through each time.
_YOUNG_MILLISECONDS = 100
# The generation of what has outlived others.
_OLD = 2


@cache
def _library() -> ctypes.CDLL | None:
    """Return the C library, where it is the one that is meant."""
    if not sys.platform.startswith("linux"):
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "mallopt") and hasattr(library, "malloc_trim") else None


def hold_little_memory() -> bool:
    """Have the C library hold few pools of memory, and nothing large that is not in use."""
    library = _library()
    if library is None:
        return False
    wanted = (_MOST_POOLS, _MAPPED_FROM_BYTES, _FREE_BYTES_AT_MOST)
    return all(library.mallopt(parameter, value) == 1 for parameter, value in wanted)


class FreeMemory:
    """Gives free pages between those in use back to the system, now and then."""

    def __init__(self, seconds: float = _SECONDS_BETWEEN) -> None:
        self._seconds = seconds
        self._given = time.monotonic()
        self._turn = Lock()

    def give_back(self) -> None:
        """Give it back, unless that was done just now or another thread is at it."""
        library = _library()
        if library is None or time.monotonic() - self._given < self._seconds:
            return
        if self._turn.acquire(blocking=False):
            try:
                library.malloc_trim(0)
                self._given = time.monotonic()
            finally:
                self._turn.release()


class WindowCollector(QObject):
    """Looks through what is young for rubbish, on the window's thread alone.

    Python would begin on whichever thread makes the next object. What belongs to Qt would then end beside
    the window's thread, which may be painting it: the program ends.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._collect)
        self._timer.start(_YOUNG_MILLISECONDS)

    @Slot()
    def _collect(self) -> None:
        due = [
            generation
            for generation, (count, most) in enumerate(zip(gc.get_count(), gc.get_threshold(), strict=True))
            if generation < _OLD and count > most > 0
        ]
        if due:
            gc.collect(due[-1])


class QuietCollector(QObject):
    """Looks through everything some time after a table or a result is gone, once nothing is at work.

    That keeps every thread waiting for a tenth of a second and more.
    """

    def __init__(
        self, document: Document, is_at_work: Callable[[], bool], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._is_at_work = is_at_work
        self._later = single_shot(self, QUIET_MILLISECONDS, self._collect)
        for gone in (document.opened, document.closed, document.result_changed):
            gone.connect(self._later.start)

    @Slot()
    def _collect(self) -> None:
        if self._is_at_work():
            self._later.start()
        else:
            gc.collect()
