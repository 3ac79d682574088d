"""One protocol by which long work tells how far it is and asks whether to stop, and the steps of a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Event, Lock
from typing import Protocol


@dataclass(frozen=True, slots=True)
class ProgressEvent:
    """Progress of a piece of work.

    Attributes
    ----------
    stage : str
        Current stage, in words for a person, such as ``"Looking for direct neighbours"``.
    done, total : int
        Finished and planned steps of this stage. ``total`` is at least 1.
    tests : int
        Number of conditional-independence tests since the run began.
    detail : str
        Current item of the stage, such as the name of a variable.

    Examples
    --------
    >>> ProgressEvent("Looking for direct neighbours", done=1, total=4, detail="age").total
    4
    """

    stage: str
    done: int
    total: int
    tests: int = 0
    detail: str = ""


class Progress(Protocol):
    """What long work calls; both methods may be called from any thread and must return at once."""

    def report(self, event: ProgressEvent) -> None:
        """Take note of how far the work is."""

    def should_stop(self) -> bool:
        """Tell whether the person asked to stop."""


class SilentProgress:
    """Progress that nobody watches and nobody stops."""

    def report(self, event: ProgressEvent) -> None:
        """Ignore the event."""

    def should_stop(self) -> bool:
        """Never ask to stop."""
        return False


class SharedProgress:
    """Progress between two threads, without a lock, as replacing one reference is atomic."""

    def __init__(self) -> None:
        self._latest: ProgressEvent | None = None
        self._early: object = None
        self._stop = Event()

    @property
    def latest(self) -> ProgressEvent | None:
        """The last event reported; None before the first."""
        return self._latest

    def report(self, event: ProgressEvent) -> None:
        """Replace the latest event."""
        self._latest = event

    @property
    def early(self) -> object:
        """What the work has given out before its end; None when nothing."""
        return self._early

    def give_early(self, value: object) -> None:
        """Give out something that can be shown while the work goes on."""
        self._early = value

    def should_stop(self) -> bool:
        """Tell whether a stop was asked for."""
        return self._stop.is_set()

    def ask_to_stop(self) -> None:
        """Ask the work to end as soon as it can."""
        self._stop.set()


class UnreportedProgress(SilentProgress):
    """Progress of work within a step of other work, whose stages are nobody's: only a stop is heeded."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def should_stop(self) -> bool:
        """Tell whether the person asked to stop."""
        return self._progress.should_stop()


class Steps:
    """Counts the steps of a run and reports each; any thread may call it."""

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
