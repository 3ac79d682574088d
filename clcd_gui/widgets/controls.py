"""Buttons, lines, lists to choose from, menus and filters, each with its words in one call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, QStringListModel, Qt, SignalInstance
from PySide6.QtGui import QFocusEvent, QMouseEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QCompleter,
    QLabel,
    QLineEdit,
    QListView,
    QMenu,
    QMenuBar,
    QPushButton,
    QWidget,
)

from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import set_tooltip
from clcd_gui.style.themes import follow_theme
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


def push_button(
    text: str, clicked: Callable[..., object] | SignalInstance, tooltip: str = "", look: str = ""
) -> QPushButton:
    """Make a button, with what it does and a tooltip that says so."""
    return _furnished(QPushButton(text), clicked, tooltip, look)


def card_button(text: str, clicked: Callable[..., object] | SignalInstance, tooltip: str = "") -> QPushButton:
    """Make likewise a button of a card."""
    return _furnished(CardButton(text), clicked, tooltip)


def _furnished(
    button: QPushButton,
    clicked: Callable[..., object] | SignalInstance,
    tooltip: str,
    look: str = "",
) -> QPushButton:
    button.clicked.connect(clicked)
    if tooltip:
        set_tooltip(button, tooltip)
    if look:
        set_look(button, look)
    return button


class CardButton(QPushButton):
    """A button of a card that goes once it is used: what comes in its place hears no double click."""

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Do nothing, as the second click was meant for what was there before."""
        event.accept()


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
    offer(box, titles.items())
    return box


def offer(box: QComboBox, titles: Iterable[tuple[str, Any]], chosen: Any = None) -> None:
    """Offer titles with the values that they stand for; the value that is chosen is shown, or the first."""
    with QSignalBlocker(box):
        box.clear()
        for title, value in titles:
            box.addItem(title, value)
        box.setCurrentIndex(max(box.findData(chosen), 0))


class FilterBox(QLineEdit):
    """Takes the words that names are looked for by."""

    def __init__(self, placeholder: str, name: str, parent: QWidget, widest: int = 320) -> None:
        super().__init__(parent)
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(name)
        self.setClearButtonEnabled(True)
        self.setMaximumWidth(widest)

    def take_focus(self) -> None:
        """Take the keyboard, with what is in it chosen."""
        self.setFocus()
        self.selectAll()


def name_completer(names: QStringListModel | Sequence[str], parent: QObject) -> QCompleter:
    """Return what offers names, in whatever case they are typed."""
    completer = QCompleter(parent)
    # A list of its own ends with it, as it does where a line is given other names.
    own = names if isinstance(names, QStringListModel) else QStringListModel(list(names), completer)
    completer.setModel(own)
    completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    completer.setPopup(_OfferedNames())
    return completer


class _OfferedNames(QListView):
    """The list of a completer, styled when first needed: reading the stylesheet takes half a megabyte."""

    def __init__(self) -> None:
        super().__init__()
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)

    def event(self, event: QEvent) -> bool:
        """Take on the look before the size is asked for."""
        if event.type() == QEvent.Type.Polish:
            follow_theme(self)
        return super().event(event)


class FocusLeader(QObject):
    """Gives a control the keyboard of its part; a focus proxy would have Tab leap over those before it."""

    def __init__(self, part: QWidget, control: QWidget) -> None:
        super().__init__(part)
        self._control = control
        part.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Hand on what the part is given."""
        if isinstance(event, QFocusEvent) and event.gotFocus():
            self._control.setFocus(event.reason())
        return False
