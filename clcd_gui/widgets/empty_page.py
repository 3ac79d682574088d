"""What a page shows before there is anything on it: what it will hold, and the button that fills it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from clcd_gui.style import icons
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import body, heading, muted
from clcd_gui.style.themes import colours
from clcd_gui.style.tokens import SPACE, SPACE_LARGE
from clcd_gui.widgets.notices import Notice

_WIDTH = 520


class EmptyPage(QWidget):
    """Teaches what a page is for, with the button that fills it."""

    requested = Signal()

    def __init__(self, title: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = heading("", self)
        self._title.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._text = body("", self)
        self._text.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.button = QPushButton(self)
        icons.assign(self.button, "run", colours(), "accent_text")
        set_look(self.button, "primary")
        self.button.clicked.connect(self.requested)
        self._hint = muted("", self)
        self._hint.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.notice = Notice(self)
        # A column of its own: a wrapped label that is centred by its layout does not get its height.
        column = QWidget(self)
        column.setMaximumWidth(_WIDTH)
        inner = QVBoxLayout(column)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(SPACE)
        inner.addWidget(self.notice)
        inner.addWidget(self._title)
        inner.addWidget(self._text)
        inner.addSpacing(SPACE_LARGE)
        inner.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        inner.addWidget(self._hint)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(column, 100)
        row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.addStretch(2)
        layout.addLayout(row)
        layout.addStretch(3)
        self.set_words(title, text, "Run")

    @property
    def title(self) -> str:
        """What is missing."""
        return self._title.text()

    def set_words(self, title: str, text: str, button: str) -> None:
        """Say what is missing and what the page will show; an empty caption takes the button away."""
        self._title.setText(title)
        self._text.setText(text)
        self.button.setText(button)
        self.button.setVisible(bool(button))

    def set_possible(self, possible: bool, reason: str = "") -> None:
        """Allow the button, or say why it has to wait."""
        self.button.setEnabled(possible)
        self._hint.setText("" if possible else reason)
        self._hint.setVisible(not possible and bool(reason))
