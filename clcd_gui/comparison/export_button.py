"""The button that writes what a comparison has found, also while it goes on."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton

from clcd_gui.style import icons, themes
from clcd_gui.style.text import set_tooltip


class ExportButton(QPushButton):
    """Says why nothing can be exported where that is so."""

    def __init__(self, purpose: str) -> None:
        super().__init__("Export…")
        self._purpose = purpose
        icons.assign(self, "export", themes.colours(), "text")
        self.allow(has_any=False, is_writing=False)

    def allow(self, has_any: bool, is_writing: bool) -> None:
        """Allow it where something is measured, and the files of before are whole."""
        self.setEnabled(has_any and not is_writing)
        if not has_any:
            set_tooltip(self, "There is nothing to export before the first figures are there")
        elif is_writing:
            set_tooltip(self, "The files are being written")
        else:
            set_tooltip(self, self._purpose)
