"""What a page shows before there is anything on it: what it will hold, and the button that fills it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from clcd_gui.style import icons
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import body, heading, muted
from clcd_gui.style.themes import colours
from clcd_gui.style.tokens import SPACE_LARGE
from clcd_gui.widgets.layouts import column, row
from clcd_gui.widgets.notices import Notice

_WIDTH = 520


class EmptyPage(QWidget):
    """Teaches what a page is for, with the button that fills it."""

    requested = Signal()

    def __init__(self, title: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title, self._text, self._hint = heading("", self), body("", self), muted("", self)
        for words in (self._title, self._text, self._hint):
            words.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.button = QPushButton(self)
        icons.assign(self.button, "run", colours(), "accent_text")
        set_look(self.button, "primary")
        self.button.clicked.connect(self.requested)
        self.notice = Notice(self)
        # A column of its own: a wrapped label that is centred by its layout does not get its height.
        middle = QWidget(self)
        middle.setMaximumWidth(_WIDTH)
        inner = column(self.notice, self._title, self._text, on=middle)
        inner.addSpacing(SPACE_LARGE)
        inner.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        inner.addWidget(self._hint)
        column(2, row(1, (middle, 100), 1), 3, on=self, margins=None)
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

    def set_hindrance(self, reason: str) -> None:
        """Say what the button waits for; empty allows it."""
        self.button.setEnabled(not reason)
        self._hint.setText(reason)
        self._hint.setVisible(bool(reason))
