"""Limits in seconds that hold on a machine that does much else, which is measured where one is missed."""

from __future__ import annotations

import time

_WORK_SECONDS = 0.3


class Deadline:
    """Begins now, and ends after some seconds of a machine that has time for this process.

    Parameters
    ----------
    seconds : float
        What something may take where nothing else is at work.
    """

    def __init__(self, seconds: float) -> None:
        self._began, self._seconds = time.monotonic(), seconds

    def has_passed(self) -> bool:
        """Tell whether it is over, by as much more time as other work on the machine takes at this moment."""
        taken = time.monotonic() - self._began
        return taken > self._seconds and taken > self._seconds * slowness()


def slowness() -> float:
    """Return how many times as long as its processor time some work takes; 1 where it is alone."""
    began, needed = time.monotonic(), time.thread_time()
    while time.thread_time() - needed < _WORK_SECONDS:
        pass
    return (time.monotonic() - began) / (time.thread_time() - needed)
