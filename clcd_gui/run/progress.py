"""What time is left of work that tells how far it is."""

from __future__ import annotations

from collections import deque

_WINDOW_SECONDS = 20.0
_SETTLING_SECONDS = 1.5
_SMALLEST_SHARE = 0.02


class RemainingTime:
    """Estimates the seconds that are left from the steps done so far.

    Steps of a run differ in cost, so the pace is that of the last twenty seconds, and nothing is said
    before a second and a half or a fiftieth of the work: a guess that jumps is worse than none.

    Examples
    --------
    >>> clock = RemainingTime()
    >>> for second in range(5):
    ...     left = clock.update(done=10 * second, total=100, now=float(second))
    >>> left
    6.0
    """

    def __init__(self) -> None:
        self._points: deque[tuple[float, int]] = deque()
        self._total = 0
        self._began: float | None = None

    def update(self, done: int, total: int, now: float) -> float | None:
        """Take note of the steps done and give the seconds left, or None while too little is known."""
        if total != self._total:
            self._points.clear()
            self._total, self._began = total, now
        elif self._points:
            # Parallel searches may report out of turn.
            done = max(done, self._points[-1][1])
        self._points.append((now, done))
        while now - self._points[0][0] > _WINDOW_SECONDS and len(self._points) > 2:
            self._points.popleft()
        first_time, first_done = self._points[0]
        elapsed, steps = now - first_time, done - first_done
        settled = self._began is not None and now - self._began >= _SETTLING_SECONDS
        if not settled or steps <= 0 or done < _SMALLEST_SHARE * total:
            return None
        return (total - done) * elapsed / steps
