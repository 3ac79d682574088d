"""What the results page shows before there is a result: what it will hold, and how to get there."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from clcd_gui.style import icons
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import body, heading, muted
from clcd_gui.style.themes import colours
from clcd_gui.style.tokens import SPACE, SPACE_LARGE

_WHAT = (
    "This page will show which variables bear on several labels at once and which on one label alone: "
    "first in a few sentences, then as tables, as a grid and as a graph. Every finding can be asked “why?”."
)


class EmptyResults(QWidget):
    """Teaches what the page is for, with the button that fills it."""

    run_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        title = heading("No results yet", self)
        title.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        text = body(_WHAT, self)
        text.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        text.setMaximumWidth(520)
        self.run_button = QPushButton("Run", self)
        icons.assign(self.run_button, "run", colours(), "accent_text")
        set_look(self.run_button, "primary")
        self.run_button.clicked.connect(self.run_requested)
        self._hint = muted("", self)
        self._hint.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._hint.setMaximumWidth(520)
        layout = QVBoxLayout(self)
        layout.setSpacing(SPACE)
        layout.addStretch(2)
        layout.addWidget(title)
        layout.addWidget(text, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addSpacing(SPACE_LARGE)
        layout.addWidget(self.run_button, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addWidget(self._hint, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(3)
        text.setMinimumWidth(360)

    def set_can_run(self, possible: bool, reason: str) -> None:
        """Allow the button, or say why it has to wait."""
        self.run_button.setEnabled(possible)
        self._hint.setText("" if possible else reason)
        self._hint.setVisible(not possible and bool(reason))
