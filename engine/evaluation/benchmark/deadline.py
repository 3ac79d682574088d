"""A budget of processor time for a piece of work that can be stopped."""

from __future__ import annotations

import time
from collections.abc import Callable

from engine.progress import Progress, ProgressEvent


class Deadline:
    """Progress that asks to stop when the time is over or the person wants it.

    Parameters
    ----------
    seconds : float
        The budget, in seconds of all processor cores together; it begins now. Unlike time on the clock it
        does not depend on what else the machine does, nor much on the number of workers.
    progress : Progress
        Asked whether the person wants to stop.
    report : callable
        Receives how far the work is.
    clock : callable
        Gives the seconds used so far.
    """

    def __init__(
        self,
        seconds: float,
        progress: Progress,
        report: Callable[[ProgressEvent], None],
        clock: Callable[[], float] = time.process_time,
    ) -> None:
        self._progress = progress
        self._report = report
        self._clock = clock
        self._end = clock() + seconds

    @property
    def is_over(self) -> bool:
        """Whether the budget is used up."""
        return self._clock() > self._end

    def report(self, event: ProgressEvent) -> None:
        """Hand on how far the work is."""
        self._report(event)

    def should_stop(self) -> bool:
        """Tell whether the time is over or the person wants to stop."""
        return self.is_over or self._progress.should_stop()
