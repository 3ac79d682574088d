"""The window at rest, and what memory it holds then: like is compared with like.

While a person works, memory is mostly that of what is open, which is larger at one moment than at another.
At rest nothing is open, nothing is worked on, and the window has its first size and look.
"""

from __future__ import annotations

import ctypes
import gc
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

SIZE = (1024, 700)
# Memory may grow while these are made, as much is used for the first time in them.
FIRST_ACTIONS = 1000
_LOOK_MILLISECONDS = 100
_CALM_LOOKS = 5
_LONGEST_SECONDS = 20.0


def resident_memory() -> float:
    """Return the memory of this process without rubbish, in MB."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, 1)


def memory_at_rest() -> float:
    """Return the memory of this process without rubbish and what the C library has free, in MB."""
    gc.collect()
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).malloc_trim(0)
    return resident_memory()


def own_memory() -> float:
    """Return how much of the memory of this process is its own, in MB.

    The rest are pages of libraries that were used once, which the system takes back when it needs room.
    """
    status = Path("/proc/self/status").read_text()
    return round(int(status.partition("RssAnon:")[2].split()[0]) * 1024 / 1e6, 1)


def slope(memory: list[tuple[int, float]]) -> float:
    """Return by how many MB memory grows in 1000 actions, after the first ones (least squares)."""
    import numpy as np

    later = [point for point in memory if point[0] > FIRST_ACTIONS]
    if len(later) < 3:
        return float("nan")
    return float(np.polyfit(*np.array(later).T, 1)[0] * 1000.0)


def is_working(window: Any) -> bool:
    """Tell whether a job runs beside the window, such as a comparison on tables of any size."""
    from clcd_gui.run.lane import Lane

    return any(lane.live_threads for lane in window.session.controller.findChildren(Lane))


class ComingToRest:
    """Closes what is open, puts size and look back, and waits until nothing is worked on.

    Parameters
    ----------
    window : MainWindow
    then : callable
        Called with whether the window came to rest in time.
    """

    def __init__(self, window: Any, then: Callable[[bool], None]) -> None:
        from PySide6.QtCore import QTimer

        self._window, self._then = window, then
        self._until, self._calm = time.monotonic() + _LONGEST_SECONDS, 0
        self._steps = self._putting_back()
        self._looks = QTimer()
        self._looks.setInterval(_LOOK_MILLISECONDS)
        self._looks.timeout.connect(self._look)
        self._looks.start()

    def _putting_back(self) -> list[Callable[[], object]]:
        """What a person would do one after the other, and so none in the same turn as another."""
        from clcd_gui.style.themes import Scheme

        window = self._window
        return [
            *(tool_window.close for tool_window in window.commands.windows.windows),
            self._abandon_work,
            window.session.opening.put_away,
            window.session.document.close,
            partial(window.theme.set_scheme, Scheme.SYSTEM),
            partial(window.theme.set_zoom, 1.0),
            partial(window.resize, *SIZE),
        ]

    def _abandon_work(self) -> None:
        from clcd_gui.run.lane import Lane, WritingLane

        for lane in self._window.session.controller.findChildren(Lane):
            # What is being written is written.
            if not isinstance(lane, WritingLane):
                lane.abandon()

    def _look(self) -> None:
        if self._steps:
            self._steps.pop(0)()
            return
        self._calm = 0 if is_working(self._window) else self._calm + 1
        if self._calm >= _CALM_LOOKS or time.monotonic() > self._until:
            self._looks.stop()
            self._then(self._calm >= _CALM_LOOKS)
