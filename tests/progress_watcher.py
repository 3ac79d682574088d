"""Somebody who watches how far work is, and asks to stop at a moment that a test chooses."""

from __future__ import annotations

from engine.progress import ProgressEvent


class ProgressWatcher:
    """Notes every report.

    Parameters
    ----------
    stop_after : int, optional
        It asks to stop after so many reports; 0 at once, and never when left out.
    stop_in : str, optional
        It asks to stop in the stage of this name.
    """

    def __init__(self, stop_after: int | None = None, *, stop_in: str | None = None) -> None:
        self.events: list[ProgressEvent] = []
        self._stop_after, self._stop_in = stop_after, stop_in

    def report(self, event: ProgressEvent) -> None:
        self.events.append(event)

    def should_stop(self) -> bool:
        if self._stop_after is not None:
            return len(self.events) >= self._stop_after
        return bool(self.events) and self.events[-1].stage == self._stop_in
