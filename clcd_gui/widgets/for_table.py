"""Parts of pages that hold what a person entered for the open table."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget


class ForTable:
    """A part of a page whose entries, filters or settings end with the table that they were made for."""

    def forget_table(self) -> None:
        """Return to what a new window shows."""
        raise NotImplementedError


def forget_table(whole: QWidget) -> None:
    """Let every part inside a widget forget what was entered for the table before."""
    for part in whole.findChildren(QWidget):
        if isinstance(part, ForTable):
            part.forget_table()
