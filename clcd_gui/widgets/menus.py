"""Menus that close when what they belong to can no longer be used."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QMenu, QMenuBar


class Menu(QMenu):
    """A menu that closes when it is disabled, as with its button: Qt leaves it open, and it hears no key."""

    def changeEvent(self, event: QEvent) -> None:
        """Close where it can no longer be used."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.EnabledChange and not self.isEnabled():
            self.close()


def add_menu(title: str, to: QMenu | QMenuBar) -> Menu:
    """Add a menu to another or to the bar.

    One that Qt makes itself is not told of when it is deleted, and another at its place in memory is then
    taken for the deleted one.
    """
    menu = Menu(title, to)
    to.addMenu(menu)
    return menu
