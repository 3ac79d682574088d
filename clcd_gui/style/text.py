"""Text in the three sizes of the design; the stylesheet decides how large each is."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QLabel, QWidget


def heading(text: str, parent: QWidget | None = None) -> QLabel:
    """Make the heading of a page."""
    return _label(text, "heading", parent)


def title(text: str, parent: QWidget | None = None) -> QLabel:
    """Make the title of a section."""
    return _label(text, "title", parent)


def body(text: str, parent: QWidget | None = None) -> QLabel:
    """Make a paragraph that wraps and can be selected."""
    label = _label(text, "body", parent)
    label.setWordWrap(True)
    return label


def muted(text: str, parent: QWidget | None = None) -> QLabel:
    """Make secondary text: help lines, captions."""
    label = _label(text, "muted", parent)
    label.setWordWrap(True)
    return label


def plain(text: str = "", parent: QWidget | None = None) -> QLabel:
    """Make a label without a look of its own; QLabel itself would take names for markup."""
    label = QLabel(text, parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label


def scaled(font: QFont, share: float) -> QFont:
    """Give the same font in another size."""
    other = QFont(font)
    if font.pointSizeF() > 0:
        other.setPointSizeF(font.pointSizeF() * share)
    else:
        other.setPixelSize(round(font.pixelSize() * share))
    return other


def tabular(font: QFont) -> QFont:
    """Give the same font with figures of equal width, so that numbers line up."""
    other = QFont(font)
    other.setFeature(QFont.Tag("tnum"), 1)
    return other


def _label(text: str, look: str, parent: QWidget | None) -> QLabel:
    label = plain(text, parent)
    label.setProperty("look", look)
    return label
