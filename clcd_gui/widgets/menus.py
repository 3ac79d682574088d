"""Menus that close when what they belong to can no longer be used, and lists that have a name."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QComboBox, QLabel, QMenu, QMenuBar, QWidget

from clcd_gui.style.tokens import CONTROL_HEIGHT


class NamedComboBox(QComboBox):
    """A list of choices with a hidden label, whose name Linux screen readers read, not the choice."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._spoken = QLabel(parent)
        self._spoken.setTextFormat(Qt.TextFormat.PlainText)
        self._spoken.setBuddy(self)
        self._spoken.hide()

    def setAccessibleName(self, name: str) -> None:
        """Call it by a name."""
        super().setAccessibleName(name)
        self._spoken.setText(name)

    def event(self, event: QEvent) -> bool:
        """Take the label along to another parent, for it must stand beside."""
        if event.type() == QEvent.Type.ParentChange:
            self._spoken.setParent(self.parentWidget())
            self._spoken.hide()
        return super().event(event)


def choice_box(name: str, parent: QWidget, letters: int | None = None) -> NamedComboBox:
    """Make a list to choose from, as wide as so many letters, or else as its longest choice."""
    box, policy = NamedComboBox(parent), QComboBox.SizeAdjustPolicy
    box.setAccessibleName(name)
    # On some systems a screen reader is given the value of such a box for its name.
    box.setAccessibleDescription(name)
    box.setMinimumHeight(CONTROL_HEIGHT)
    box.setSizeAdjustPolicy(policy.AdjustToContents)
    if letters is not None:
        box.setSizeAdjustPolicy(policy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(letters)
    return box


class Menu(QMenu):
    """A menu that closes when it is disabled, as with its button: Qt leaves it open, and it hears no key."""

    def changeEvent(self, event: QEvent) -> None:
        """Close where it can no longer be used."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.EnabledChange and not self.isEnabled():
            self.close()


def add_menu(title: str, to: QMenu | QMenuBar) -> Menu:
    """Add a menu to another or to the bar; Qt may take one of its own for a deleted one."""
    menu = Menu(title, to)
    to.addMenu(menu)
    return menu
