"""Names of anybody shown to the letter, where Qt would take them for markup or for keys of commands."""

from __future__ import annotations

import html

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QHelpEvent
from PySide6.QtWidgets import QGraphicsItem, QToolTip, QWidget


def literal(text: str) -> str:
    """Write a text so that Qt shows it to the letter where it guesses whether it is given markup.

    Column names come from anybody's files: ``<img src="…">`` in a tooltip would open that file.

    Examples
    --------
    >>> literal("a < b")
    'a < b'
    >>> literal("<b>x</b>")
    '<qt style="white-space: pre-wrap">&lt;b&gt;x&lt;/b&gt;</qt>'
    """
    if not Qt.mightBeRichText(text):
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

    Examples
    --------
    >>> caption("R & D.csv")
    'R && D.csv'
    """
    return text.replace("&", "&&")


def window_title(text: str) -> str:
    """Write a text for a window's title, in which ``[*]`` would stand for changes that are not saved.

    Examples
    --------
    >>> window_title("a[*].csv")
    'a[*][*].csv'
    """
    return text.replace("[*]", "[*][*]")
