"""Text in the three sizes of the design, and names of anybody shown to the letter."""

from __future__ import annotations

import html
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6 import QtGui
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QFont, QHelpEvent, QTextCursor, QTextDocument
from PySide6.QtWidgets import QGraphicsItem, QLabel, QToolTip, QWidget


def heading(text: str, parent: QWidget | None = None) -> QLabel:
    """Make the heading of a page."""
    return _label(text, "heading", parent)


def title(text: str, parent: QWidget | None = None) -> QLabel:
    """Make the title of a section."""
    return _label(text, "title", parent)


def body(text: str, parent: QWidget | None = None) -> QLabel:
    """Make a paragraph that wraps and can be selected."""
    return _label(text, "body", parent, wraps=True)


def muted(text: str, parent: QWidget | None = None) -> QLabel:
    """Make secondary text: help lines, captions."""
    return _label(text, "muted", parent, wraps=True)


def plain(text: str = "", parent: QWidget | None = None) -> QLabel:
    """Make a label without a look of its own; QLabel itself would take names for markup."""
    label = QLabel(text, parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label


def scaled(font: QFont, share: float) -> QFont:
    """Return the same font in another size."""
    scaled_font = QFont(font)
    if font.pointSizeF() > 0:
        scaled_font.setPointSizeF(font.pointSizeF() * share)
    else:
        scaled_font.setPixelSize(round(font.pixelSize() * share))
    return scaled_font


def tabular(font: QFont) -> QFont:
    """Return the same font with figures of equal width, so that numbers line up."""
    tabular_font = QFont(font)
    tabular_font.setFeature(QFont.Tag("tnum"), 1)
    return tabular_font


def read_from_the_left(document: QTextDocument) -> None:
    """Let the sentences of a document begin at the left, also where a name at their beginning does not."""
    option = document.defaultTextOption()
    option.setTextDirection(Qt.LayoutDirection.LeftToRight)
    document.setDefaultTextOption(option)


@contextmanager
def laid_out_once(document: QTextDocument) -> Iterator[None]:
    """Have a document laid out once after changes in many places, and not at each of them."""
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    try:
        yield
    finally:
        cursor.endEditBlock()


def _label(text: str, look: str, parent: QWidget | None, wraps: bool = False) -> QLabel:
    label = plain(text, parent)
    label.setProperty("look", look)
    label.setWordWrap(wraps)
    return label


def literal(text: str) -> str:
    """Write a text so that Qt shows it to the letter: a name such as ``<img src="…">`` would open a file.

    >>> literal("a < b")
    'a < b'
    >>> literal("<b>x</b>")
    '<qt style="white-space: pre-wrap">&lt;b&gt;x&lt;/b&gt;</qt>'
    """
    if not QtGui.Qt.mightBeRichText(text):
        return text
    return f'<qt style="white-space: pre-wrap">{html.escape(text, quote=False)}</qt>'


def set_tooltip(shown: QWidget | QAction | QGraphicsItem, text: str) -> None:
    """Let a widget, a command or an item of a picture show a text where the pointer rests on it."""
    shown.setToolTip(literal(text))


def show_tooltip(event: QHelpEvent, text: str, widget: QWidget) -> None:
    """Show a text at the pointer at once; an empty one takes the tooltip away."""
    QToolTip.showText(event.globalPos(), literal(text), widget)


def caption(text: str) -> str:
    """Write a text for a menu, button or tab so that its ampersands are shown instead of naming a key.

    >>> caption("R & D.csv")
    'R && D.csv'
    """
    return text.replace("&", "&&")


def window_title(text: str) -> str:
    """Write a text for a window's title, in which ``[*]`` would stand for changes that are not saved.

    >>> window_title("a[*].csv")
    'a[*][*].csv'
    """
    return text.replace("[*]", "[*][*]")
