"""A frame with a title, and under it whatever belongs together."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import title
from clcd_gui.style.tokens import SPACE, SPACE_LARGE


def titled_card(caption: str, *parts: QWidget | QHBoxLayout) -> QFrame:
    """Make a card with a caption above its parts."""
    card = QFrame()
    set_look(card, "card")
    column = QVBoxLayout(card)
    column.setContentsMargins(SPACE_LARGE, SPACE_LARGE, SPACE_LARGE, SPACE_LARGE)
    column.setSpacing(SPACE)
    column.addWidget(title(caption))
    for part in parts:
        if isinstance(part, QHBoxLayout):
            column.addLayout(part)
        else:
            column.addWidget(part)
    return card
