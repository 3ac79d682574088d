"""Tooltips that show their text to the letter: Qt takes one that looks like markup for markup."""

from __future__ import annotations

import html

from PySide6.QtGui import QAction, QHelpEvent, Qt
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
