"""What is done to layouts as a whole."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QLayout, QScrollArea, QWidget


def delete_widgets(layout: QLayout) -> None:
    """Take all widgets out of a layout that holds nothing else, and have them deleted."""
    # What ``takeAt`` gives is deleted by nobody.
    while (item := layout.itemAt(0)) is not None and (widget := item.widget()) is not None:
        layout.removeWidget(widget)
        widget.hide()
        widget.deleteLater()


def replace_content(area: QScrollArea, content: QWidget) -> None:
    """Show something else in an area that scrolls, and stay where one was."""
    bar = area.verticalScrollBar()
    place, before = bar.value(), area.takeWidget()
    if before is not None:
        # It may be one of its buttons that was pressed just now.
        before.deleteLater()
    area.setWidget(content)
    # Only what has its height can be scrolled.
    QApplication.sendPostedEvents(content, QEvent.Type.LayoutRequest.value)
    bar.setValue(place)
