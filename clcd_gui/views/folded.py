"""A part of a page that is folded away under one line that says what is in it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from clcd_gui.style import icons, themes
from clcd_gui.style.tokens import SPACE, SPACE_LARGE
from clcd_gui.views.elided_label import ElidedLabel


class Folded(QWidget):
    """A caption to click, a summary beside it, and the content beneath while unfolded.

    Parameters
    ----------
    caption : str
    content : QWidget
    """

    def __init__(self, caption: str, content: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.content = content
        self.button = QToolButton()
        self.button.setText(caption)
        self.button.setCheckable(True)
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.button.setIconSize(QSize(16, 16))
        self.button.setProperty("look", "fold")
        self.button.toggled.connect(self._on_toggled)
        self.summary = ElidedLabel()
        self.summary.setProperty("look", "muted")
        line = QHBoxLayout()
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(SPACE)
        line.addWidget(self.button)
        line.addWidget(self.summary, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE)
        layout.addLayout(line)
        inner = QVBoxLayout()
        inner.setContentsMargins(SPACE_LARGE, 0, 0, 0)
        inner.addWidget(content)
        layout.addLayout(inner)
        content.setVisible(False)
        self._point()

    def set_summary(self, text: str) -> None:
        """Say in one line what is inside."""
        self.summary.setText(text)
        self.button.setAccessibleDescription(text)

    def unfold(self, unfolded: bool = True) -> None:
        """Show or hide the content."""
        self.button.setChecked(unfolded)

    def _on_toggled(self, unfolded: bool) -> None:
        self.content.setVisible(unfolded)
        self._point()

    def _point(self) -> None:
        name = "fold" if self.button.isChecked() else "unfold"
        icons.assign(self.button, name, themes.colours(self.palette()), "muted")

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._point()
