"""The frame that every page shares: heading, what it is about, the one primary button at the top right."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import muted
from clcd_gui.style.tokens import SPACE, SPACE_LARGE, SPACE_SMALL
from clcd_gui.views.elided_label import ElidedLabel


class Page(QWidget):
    """A page with a header; what it is about is laid out in ``body``.

    Parameters
    ----------
    title : str
        Heading.
    """

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.heading = ElidedLabel(title, mode=Qt.TextElideMode.ElideMiddle)
        self.heading.setProperty("look", "heading")
        self.subtitle = muted("")
        self.primary = QPushButton()
        set_look(self.primary, "primary")
        self.primary.setVisible(False)
        self.reason = ElidedLabel()
        set_look(self.reason, "muted")
        self.reason.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.reason.setVisible(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_LARGE, SPACE_LARGE, SPACE_LARGE, SPACE)
        layout.setSpacing(SPACE)
        layout.addLayout(self._header())
        self.body = QVBoxLayout()
        self.body.setSpacing(SPACE)
        layout.addLayout(self.body, 1)

    def set_primary(self, text: str, enabled: bool, reason: str = "") -> None:
        """Say what the primary button does, and beside it why it cannot be pressed.

        Parameters
        ----------
        text : str
            Caption.
        enabled : bool
        reason : str
            Shown while it is not enabled.
        """
        self.primary.setVisible(True)
        self.primary.setText(text)
        self.primary.setEnabled(enabled)
        self.primary.setAccessibleDescription(reason)
        self.reason.setText("" if enabled else reason)
        self.reason.setVisible(bool(reason) and not enabled)

    def hide_primary(self) -> None:
        """Take the primary button away, where it has nothing to do."""
        self.primary.setVisible(False)
        self.reason.setVisible(False)

    def set_run(self, hindrance: str, is_live: bool) -> None:
        """Let the primary button run the analysis, or say why it cannot, or that no run is needed.

        Parameters
        ----------
        hindrance : str
            Why a run cannot start; empty when it can.
        is_live : bool
            Results follow every change by themselves.
        """
        if is_live:
            self.set_primary("Live", False, "Results follow every change")
        else:
            self.set_primary("Run", not hindrance, hindrance)

    def add_secondary(self, button: QPushButton) -> None:
        """Put a quieter button to the left of the primary one."""
        self._row.insertWidget(self._row.indexOf(self.primary), button, 0, Qt.AlignmentFlag.AlignTop)

    def _header(self) -> QHBoxLayout:
        words = QVBoxLayout()
        words.setSpacing(SPACE_SMALL)
        words.addWidget(self.heading)
        words.addWidget(self.subtitle)
        self._row = row = QHBoxLayout()
        row.setSpacing(SPACE)
        row.addLayout(words, 1)
        row.addWidget(self.reason, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.primary, 0, Qt.AlignmentFlag.AlignTop)
        self.reason.setMinimumHeight(self.primary.sizeHint().height())
        return row
