"""When Python looks through all objects for rubbish: in quiet moments, and hardly ever else.

It would begin by itself whenever a quarter more has been made, in the middle of whatever the window does, and
keeps every thread waiting for a tenth of a second and more. What is young it still looks through as ever.
"""

from __future__ import annotations

import gc
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Slot

from clcd_gui.document.document import Document

# So many times more often than usual what is middle-aged is looked through before what is old.
_TIMES_LESS_OFTEN = 10
# After what a person asked for is shown.
QUIET_MILLISECONDS = 1500


def collect_old_seldom() -> None:
    """Let Python look through what is old ten times less often by itself, until the process ends."""
    young, middle, old = gc.get_threshold()
    gc.set_threshold(young, middle, old * _TIMES_LESS_OFTEN)


class QuietCollector(QObject):
    """Looks through everything some time after a table or a result is gone.

    Parameters
    ----------
    document : Document
        Tells when that is.
    is_at_work : callable
        Tells whether something goes on that must not be held up; then it waits.
    """

    def __init__(
        self, document: Document, is_at_work: Callable[[], bool], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._is_at_work = is_at_work
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(QUIET_MILLISECONDS)
        self._later.timeout.connect(self._collect)
        for gone in (document.opened, document.closed, document.result_changed):
            gone.connect(self._later.start)

    @Slot()
    def _collect(self) -> None:
        if self._is_at_work():
            self._later.start()
        else:
            gc.collect()
