"""How far a run is: its steps, counted by whoever makes them."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

from engine.progress import Progress, ProgressEvent


class Steps:
    """Counts the steps of a run and reports each; any thread may call it.

    Parameters
    ----------
    progress : Progress
        Told of each step.
    total : int
        Number of steps that are planned.
    tests : callable
        Gives the number of tests made so far.
    """

    def __init__(self, progress: Progress, total: int, tests: Callable[[], int]) -> None:
        self._progress = progress
        self._total = total
        self._tests = tests
        self._done = 0
        self._lock = Lock()

    def begin(self, stage: str, detail: str = "") -> None:
        """Report that a step begins; it counts as done at the next report."""
        with self._lock:
            done = self._done
            self._done += 1
        self._report(stage, done, detail)

    def finish(self, stage: str, steps: int, detail: str = "") -> None:
        """Report that some steps are done at once."""
        with self._lock:
            self._done += steps
            done = self._done
        self._report(stage, done, detail)

    def _report(self, stage: str, done: int, detail: str) -> None:
        self._progress.report(ProgressEvent(stage, done, self._total, self._tests(), detail))
