"""Cards: a frame with a title, and under it whatever belongs together; and a column of them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import title
from clcd_gui.style.tokens import SPACE, SPACE_LARGE


def titled_card(caption: str, *parts: QWidget | QHBoxLayout, spacing: int = SPACE) -> QFrame:
    """Make a card with a caption above its parts."""
    card = QFrame()
    set_look(card, "card")
    column = QVBoxLayout(card)
    column.setContentsMargins(SPACE_LARGE, SPACE_LARGE, SPACE_LARGE, SPACE_LARGE)
    column.setSpacing(spacing)
    column.addWidget(title(caption))
    for part in parts:
        if isinstance(part, QHBoxLayout):
            column.addLayout(part)
        else:
            column.addWidget(part)
    return card


def scroll_column(area: QScrollArea, *parts: QWidget) -> None:
    """Show parts below each other in an area that scrolls up and down only."""
    inner = QWidget()
    column = QVBoxLayout(inner)
    column.setContentsMargins(0, SPACE, SPACE, 0)
    column.setSpacing(SPACE_LARGE)
    for part in parts:
        column.addWidget(part)
    column.addStretch(1)
    area.setWidgetResizable(True)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(inner)
