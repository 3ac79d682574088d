"""Work that nobody at the window may notice: in steps, between all else."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QObject, QTimer, Signal, Slot


class QuietMoments(QObject):
    """Does work a step at a time, whenever the window has nothing else to do.

    Parameters
    ----------
    steps : iterator
        Does a step each time that it is asked for the next; others may ask it too.

    Signals
    -------
    completed
        There is no step left.
    """

    completed = Signal()

    def __init__(self, steps: Iterator[None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._steps = steps
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._take_step)

    @Slot()
    def begin(self) -> None:
        """Begin, or go on."""
        self._timer.start()

    @Slot()
    def stop(self) -> None:
        """Take no more steps."""
        self._timer.stop()

    @Slot()
    def _take_step(self) -> None:
        if next(self._steps, _NONE_LEFT) is _NONE_LEFT:
            self.stop()
            self.completed.emit()


_NONE_LEFT = object()
