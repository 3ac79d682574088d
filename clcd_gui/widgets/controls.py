"""Buttons, lines and lists to choose from, each with its words in one call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QLineEdit, QPushButton

from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import set_tooltip
from clcd_gui.widgets.menus import NamedComboBox


def push_button(
    text: str, clicked: Callable[..., object] | SignalInstance, tooltip: str = "", look: str = ""
) -> QPushButton:
    """Make a button, with what it does and a tooltip that says so."""
    button = QPushButton(text)
    button.clicked.connect(clicked)
    if tooltip:
        set_tooltip(button, tooltip)
    if look:
        set_look(button, look)
    return button


def line_edit(name: str, hint: str) -> QLineEdit:
    """Make a line that a screen reader calls by its name, with a hint while it is empty."""
    line = QLineEdit()
    line.setAccessibleName(name)
    line.setPlaceholderText(hint)
    return line


def choice(name: str, titles: Mapping[str, Any]) -> NamedComboBox:
    """Make a list to choose from, with the values that its titles stand for."""
    box = NamedComboBox()
    box.setAccessibleName(name)
    for title, value in titles.items():
        box.addItem(title, value)
    return box
