"""Progress that a worker writes and the window reads, without a signal for every step."""

from __future__ import annotations

from threading import Event

from engine.progress import ProgressEvent


class SharedProgress:
    """The engine's progress protocol between two threads.

    The worker leaves its latest event here; the window looks at its own pace, so that a hundred thousand
    reports cost the window nothing. Replacing one reference is atomic, no lock is needed.
    """

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
