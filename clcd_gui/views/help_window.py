"""The help pages in a window of their own, so that they can stay open beside the work."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QTextBrowser, QVBoxLayout, QWidget

import engine
from clcd_gui.resource_path import resource_path
from clcd_gui.style.tokens import SPACE_LARGE


class HelpWindow(QWidget):
    """Shows a bundled Markdown page."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle("CLCD help")
        self.resize(680, 760)
        self.browser = QTextBrowser()
        self.browser.setOpenLinks(False)
        self.browser.setAccessibleName("Help")
        self.browser.document().setDocumentMargin(SPACE_LARGE)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.browser)

    def show_page(self, name: str) -> None:
        """Show one of the pages in ``resources/help``."""
        text = resource_path("help", name).read_text(encoding="utf-8")
        self.browser.setMarkdown(text.replace("{version}", engine.__version__))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close on Esc and on the key that closes windows."""
        if event.key() == Qt.Key.Key_Escape or event.matches(QKeySequence.StandardKey.Close):
            self.close()
        else:
            super().keyPressEvent(event)
