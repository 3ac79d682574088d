"""Where the keyboard goes in a part that holds several controls."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QWidget


class FocusLeader(QObject):
    """Gives a control the keyboard where the part that holds it is given it.

    With a focus proxy, Tab would go from what is before the part to that control at once, and never reach
    those that stand before it.
    """

    def __init__(self, part: QWidget, control: QWidget) -> None:
        super().__init__(part)
        self._control = control
        part.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Hand on what the part is given."""
        if isinstance(event, QFocusEvent) and event.gotFocus():
            self._control.setFocus(event.reason())
        return False
