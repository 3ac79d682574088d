"""What is done to layouts as a whole."""

from __future__ import annotations

from PySide6.QtWidgets import QLayout


def delete_widgets(layout: QLayout) -> None:
    """Take all widgets out of a layout that holds nothing else, and have them deleted.

    Parameters
    ----------
    layout : QLayout
    """
    # What ``takeAt`` gives is deleted by nobody.
    while (item := layout.itemAt(0)) is not None and (widget := item.widget()) is not None:
        layout.removeWidget(widget)
        widget.hide()
        widget.deleteLater()
