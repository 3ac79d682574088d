"""Work on a widget that waits until somebody sees the widget."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QWidget


class WhenSeen(QObject):
    """Says when a widget is to follow a change: now where it is seen, or else once it is shown."""

    due = Signal()

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)

    def request(self) -> None:
        """Emit ``due`` now if the widget is seen, and else once when it is shown next."""
        if self._widget.isVisible():
            self.due.emit()
        else:
            # Only as long as something waits: a filter is asked about every event of its widget.
            self._widget.installEventFilter(self)

    def cancel(self) -> None:
        """Wait no longer: the widget has followed meanwhile."""
        self._widget.removeEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Wait for the widget to be shown."""
        if event.type() == QEvent.Type.Show:
            self.cancel()
            self.due.emit()
        return False

    @property
    def _widget(self) -> QWidget:
        widget = self.parent()
        assert isinstance(widget, QWidget)
        return widget
