"""Work that nobody at the window may notice: in steps, between all else."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtCore import QObject, QTimer, Signal, Slot

# Beside work that a person waits for: it has the processors, and yet all is there one day.
_BESIDE_WORK_MILLISECONDS = 1000


def _nothing_goes_on() -> bool:
    return False


class QuietMoments(QObject):
    """Does work a step at a time, whenever the window has nothing else to do.

    Parameters
    ----------
    steps : iterator
        Does a step each time that it is asked for the next; others may ask it too.
    parent : QObject, optional
    is_at_work : callable, optional
        Tells whether a person waits for something; then steps are few.

    Signals
    -------
    completed
        There is no step left.
    """

    completed = Signal()

    def __init__(
        self,
        steps: Iterator[None],
        parent: QObject | None = None,
        is_at_work: Callable[[], bool] = _nothing_goes_on,
    ) -> None:
        super().__init__(parent)
        self._steps = steps
        self._is_at_work = is_at_work
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._on_time)

    @Slot()
    def begin(self) -> None:
        """Begin, or go on."""
        self._timer.start()

    @Slot()
    def stop(self) -> None:
        """Take no more steps."""
        self._timer.stop()

    @Slot()
    def _on_time(self) -> None:
        pause = _BESIDE_WORK_MILLISECONDS if self._is_at_work() else 0
        has_waited = self._timer.interval() >= pause
        if self._timer.interval() != pause:
            self._timer.setInterval(pause)
        if has_waited:
            self._take_step()

    def _take_step(self) -> None:
        if next(self._steps, _NONE_LEFT) is _NONE_LEFT:
            self.stop()
            self.completed.emit()


_NONE_LEFT = object()
