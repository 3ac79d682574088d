"""Where the keyboard goes in a part that holds several controls."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QWidget


class FocusLeader(QObject):
    """Gives a control the keyboard of its part; a focus proxy would have Tab leap over those before it."""

    def __init__(self, part: QWidget, control: QWidget) -> None:
        super().__init__(part)
        self._control = control
        part.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Hand on what the part is given."""
        if isinstance(event, QFocusEvent) and event.gotFocus():
            self._control.setFocus(event.reason())
        return False
