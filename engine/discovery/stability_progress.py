"""Progress of many searches at once as the progress of one run."""

from __future__ import annotations

from threading import Lock

import numpy as np

from engine.progress import Progress, ProgressEvent

STAGE = "Searching parts of the rows again"
STEPS_EACH = 100


class SharedCount:
    """Adds up how far all repetitions are, in hundredths of each, and tells it in the words of a person.

    Parameters
    ----------
    repetitions : int
        How many there are.
    progress : Progress
        Who is told.
    """

    def __init__(self, repetitions: int, progress: Progress) -> None:
        self._repetitions = repetitions
        self._progress = progress
        self._steps = [0] * repetitions
        self._tests = [0] * repetitions
        self._finished = 0
        self._lock = Lock()

    def advance(self, number: int, share: float, tests: int) -> None:
        """Take note of how far one repetition is, as a share below 1."""
        with self._lock:
            self._steps[number] = max(self._steps[number], min(int(share * STEPS_EACH), STEPS_EACH - 1))
            self._tests[number] = max(self._tests[number], tests)
            self._report()

    def finish(self, number: int) -> None:
        """Take note that one repetition is finished."""
        with self._lock:
            self._steps[number] = STEPS_EACH
            self._finished += 1
            self._report()

    def should_stop(self) -> bool:
        """Tell whether the person asked to stop."""
        return self._progress.should_stop()

    def _report(self) -> None:
        """Tell it while the count is held, so that nobody hears of less after more."""
        self._progress.report(
            ProgressEvent(
                STAGE,
                sum(self._steps),
                self._repetitions * STEPS_EACH,
                sum(self._tests),
                f"{self._finished:,} of {self._repetitions:,} done",
            )
        )


class PartProgress:
    """Progress of one repetition, which stops when the whole run does.

    Parameters
    ----------
    number : int
        Which repetition, from 0.
    count : SharedCount
        What it is added to.
    stop : ndarray of uint8, shape (1,)
        Not 0 asks to stop.
    """

    def __init__(self, number: int, count: SharedCount, stop: np.ndarray) -> None:
        self._number = number
        self._count = count
        self._stop = stop

    def report(self, event: ProgressEvent) -> None:
        """Pass on how far this repetition is."""
        self._count.advance(self._number, event.done / max(event.total, 1), event.tests)

    def should_stop(self) -> bool:
        """Tell whether the whole run is to stop."""
        # Asked of the person too: the run itself asks now and then only, and a short part would be over.
        return bool(self._stop[0]) or self._count.should_stop()

    def finish(self) -> None:
        """Take note that this repetition is finished."""
        self._count.finish(self._number)
