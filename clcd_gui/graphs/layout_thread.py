"""Large layouts are computed beside the window, so that it stays usable."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from PySide6.QtCore import QCoreApplication, QThread, Signal

from clcd_gui.graphs.graph_layout import Positions

_STACK_BYTES = 16 * 1024 * 1024


class LayoutThread(QThread):
    """Computes one layout; keeps itself alive until it is done.

    Parameters
    ----------
    compute : callable
        Gives the positions; it touches no widget.
    number : int
        Tells the receiver which request this is the answer to.
    """

    laid_out = Signal(int, object)
    _running: ClassVar[set[LayoutThread]] = set()

    def __init__(self, compute: Callable[[], Positions], number: int) -> None:
        super().__init__()
        self._compute = compute
        self._number = number
        self.setObjectName("graph layout")
        self.setStackSize(_STACK_BYTES)
        LayoutThread._running.add(self)
        self.finished.connect(self._forget)
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self.wait)

    def run(self) -> None:
        """Compute; runs in the thread."""
        self.laid_out.emit(self._number, self._compute())

    def _forget(self) -> None:
        self.wait()
        LayoutThread._running.discard(self)
