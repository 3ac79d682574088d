"""What a person can reach in a window, found without going through what nobody sees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

# Widgets that a person clicks or types into.
USED = (
    "QAbstractButton",
    "QAbstractItemView",
    "QAbstractSpinBox",
    "QComboBox",
    "QGraphicsView",
    "QLabel",
    "QLineEdit",
    "QPlainTextEdit",
    "QSlider",
    "QTabBar",
    "QTextEdit",
)
# These would end the program at once.
_ENDING = ("", "Quit", "&Quit")


def widgets_by_kind(window: Any) -> list[list[Any]]:
    """Return the enabled widgets of a window that a person sees, those of each kind together."""
    from PySide6 import QtWidgets

    kinds = tuple(getattr(QtWidgets, name) for name in USED)
    by_kind: dict[type, list[Any]] = {}
    for widget in _seen_in(window):
        if isinstance(widget, kinds) and widget.isEnabled():
            by_kind.setdefault(next(kind for kind in kinds if isinstance(widget, kind)), []).append(widget)
    return list(by_kind.values())


def actions_in_menus(window: Any) -> list[Any]:
    """Return what the menus of a window offer, and nothing of a library's that is never shown."""
    from PySide6.QtWidgets import QMenu

    return [
        action
        for menu in window.findChildren(QMenu)
        for action in menu.actions()
        if menu.parent() is not None and action.isEnabled() and action.text() not in _ENDING
    ]


def _seen_in(widget: Any) -> Iterator[Any]:
    from PySide6.QtWidgets import QWidget

    for child in widget.children():
        # Most widgets are on pages that are not shown: nothing within one of those is seen.
        if isinstance(child, QWidget) and child.isVisible() and not child.isWindow():
            yield child
            yield from _seen_in(child)
