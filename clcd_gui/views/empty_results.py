"""What the results page shows before there is a result: what it will hold, and how to get there."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from clcd_gui.style import icons
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import body, heading, muted
from clcd_gui.style.themes import colours
from clcd_gui.style.tokens import SPACE, SPACE_LARGE

_WHAT = (
    "This page will show which variables bear on several labels at once and which on one label alone: "
    "first in a few sentences, then as tables, as a grid and as a graph. Every finding can be asked “why?”."
)

_WIDTH = 520


class EmptyResults(QWidget):
    """Teaches what the page is for, with the button that fills it."""

    run_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        title = heading("No results yet", self)
        title.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        text = body(_WHAT, self)
        text.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.run_button = QPushButton("Run", self)
        icons.assign(self.run_button, "run", colours(), "accent_text")
        set_look(self.run_button, "primary")
        self.run_button.clicked.connect(self.run_requested)
        self._hint = muted("", self)
        self._hint.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        # A column of its own: a wrapped label that is centred by its layout does not get its height.
        column = QWidget(self)
        column.setMaximumWidth(_WIDTH)
        inner = QVBoxLayout(column)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(SPACE)
        inner.addWidget(title)
        inner.addWidget(text)
        inner.addSpacing(SPACE_LARGE)
        inner.addWidget(self.run_button, 0, Qt.AlignmentFlag.AlignHCenter)
        inner.addWidget(self._hint)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(column, 100)
        row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.addStretch(2)
        layout.addLayout(row)
        layout.addStretch(3)

    def set_can_run(self, possible: bool, reason: str) -> None:
        """Allow the button, or say why it has to wait."""
        self.run_button.setEnabled(possible)
        self._hint.setText("" if possible else reason)
        self._hint.setVisible(not possible and bool(reason))
