"""A window beside the main one, which is shown again as it was closed."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QWidget


class SideWindow(QWidget):
    """Keeps what is in it when it is closed, but not its picture, which takes up to some ten megabytes."""

    def __init__(self) -> None:
        super().__init__(None, Qt.WindowType.Window)

    def hideEvent(self, event: QHideEvent) -> None:
        """Let go of the picture, once the window is closed."""
        super().hideEvent(event)
        QTimer.singleShot(0, self, self._let_go_of_picture)

    @Slot()
    def _let_go_of_picture(self) -> None:
        # One that is minimised counts as seen; to show this one again, Qt makes the system's part of it anew.
        if not self.isVisible():
            self.destroy()
