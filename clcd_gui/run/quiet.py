"""Work that nobody at the window may notice: in steps, between all else.

To look through all objects for rubbish is such work. Python would begin it by itself whenever a quarter more
has been made, in the middle of whatever the window does, and keeps every thread waiting for a tenth of a
second and more. What is young it still looks through as ever.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator

from PySide6.QtCore import QObject, Signal, Slot

from clcd_gui.document.document import Document
from clcd_gui.turns import Turn, single_shot

# Beside work that a person waits for: it has the processors, and yet all is there one day.
_BESIDE_WORK_MILLISECONDS = 1000
# After what a person asked for is shown.
QUIET_MILLISECONDS = 1500


class QuietMoments(QObject):
    """Takes a step of an iterator, which others may share, whenever the window has nothing else to do."""

    completed = Signal()  # there is no step left

    def __init__(
        self,
        steps: Iterator[None],
        parent: QObject | None = None,
        is_at_work: Callable[[], bool] = lambda: False,
    ) -> None:
        super().__init__(parent)
        self._steps = steps
        self._is_at_work = is_at_work
        self._goes_on = False
        self._turn = Turn(self)
        self._turn.due.connect(self._on_turn)
        self._pause = single_shot(self, _BESIDE_WORK_MILLISECONDS, self._take_step)

    @Slot()
    def begin(self) -> None:
        """Begin, or go on."""
        self._goes_on = True
        if not self._pause.isActive():
            self._turn.start()

    @Slot()
    def stop(self) -> None:
        """Take no more steps."""
        self._goes_on = False
        self._turn.stop()
        self._pause.stop()

    @Slot()
    def _on_turn(self) -> None:
        if self._is_at_work():
            self._pause.start()
        else:
            self._take_step()

    @Slot()
    def _take_step(self) -> None:
        if next(self._steps, _NONE_LEFT) is _NONE_LEFT:
            self.stop()
            self.completed.emit()
        elif self._goes_on:
            self._turn.start()


_NONE_LEFT = object()


class QuietCollector(QObject):
    """Looks through everything some time after a table or a result is gone, once nothing is at work."""

    def __init__(
        self, document: Document, is_at_work: Callable[[], bool], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._is_at_work = is_at_work
        self._later = single_shot(self, QUIET_MILLISECONDS, self._collect)
        for gone in (document.opened, document.closed, document.result_changed):
            gone.connect(self._later.start)

    @Slot()
    def _collect(self) -> None:
        if self._is_at_work():
            self._later.start()
        else:
            gc.collect()
