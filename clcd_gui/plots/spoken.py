"""What a screen reader hears of a picture: its marks by name; Qt tells of widgets, not of painting."""

from __future__ import annotations

import weakref
from typing import Protocol, cast

from PySide6.QtCore import QObject, QRect
from PySide6.QtGui import QAccessible, QAccessibleEvent, QAccessibleInterface, QWindow
from PySide6.QtWidgets import QAccessibleWidget, QWidget
from shiboken6 import isValid


class Spoken(Protocol):
    """A widget that tells of the marks that it paints."""

    def spoken_count(self) -> int:
        """Count the marks."""

    def spoken_name(self, place: int) -> str:
        """Name a mark and say what it stands for."""

    def spoken_rect(self, place: int) -> QRect:
        """Return where a mark is in the window of the picture."""

    def spoken_selected(self) -> int:
        """Return the place of the selected mark, -1 for none."""


class SpokenMark(QAccessibleInterface):
    """One mark of a picture, by its place; the picture says what is there now."""

    def __init__(self, picture: SpokenPicture, place: int) -> None:
        super().__init__()
        self._picture = picture
        self._place = place

    def isValid(self) -> bool:
        """Whether the picture still has so many marks."""
        return self._picture.is_alive and self._place < self._picture.childCount()

    def object(self) -> QObject | None:  # type: ignore[override]
        """Return nothing: a mark is no object of Qt's."""
        return None

    def window(self) -> QWindow:
        """Return the window of the picture."""
        return self._picture.window()

    def parent(self) -> QAccessibleInterface:
        """Return the picture."""
        return self._picture

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """Return nothing: a mark has no parts."""
        return None

    def childCount(self) -> int:
        """Count the parts of a mark."""
        return 0

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """Return nothing: a mark has no parts."""
        return None

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        """Return -1: a mark has no parts."""
        return -1

    def role(self) -> QAccessible.Role:
        """Return that it is one of several."""
        return QAccessible.Role.ListItem

    def text(self, kind: QAccessible.Text) -> str:
        """Return its name."""
        if kind is not QAccessible.Text.Name or not self.isValid():
            return ""
        return self._picture.shown.spoken_name(self._place)

    def setText(self, kind: QAccessible.Text, text: str) -> None:
        """Keep the name: it cannot be changed."""

    def rect(self) -> QRect:
        """Return where it is on the screen."""
        if not self.isValid():
            return QRect()
        box = self._picture.shown.spoken_rect(self._place)
        corner = self._picture.viewport.mapToGlobal(box.topLeft())
        return QRect(corner, box.size())

    def state(self) -> QAccessible.State:
        """Return whether it is selected."""
        state = QAccessible.State()
        if not self.isValid():
            state.invalid = True
            return state
        state.selectable = state.focusable = True
        state.selected = self._picture.shown.spoken_selected() == self._place
        state.focused = state.selected and self._picture.viewport.hasFocus()
        return state


class SpokenPicture(QAccessibleWidget):
    """A picture as a list of its marks."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget, QAccessible.Role.List, widget.accessibleName())
        # Qt keeps what it was given until the program ends, and with it would go all that the widget shows.
        self._widget = weakref.ref(widget)
        # Qt may keep what it was given once, so that one mark stays one object.
        self._marks: dict[int, SpokenMark] = {}

    @property
    def is_alive(self) -> bool:
        """Whether the widget is still there."""
        widget = self._widget()
        return widget is not None and isValid(widget)

    @property
    def viewport(self) -> QWidget:
        """The widget, while it is there."""
        widget = self._widget()
        assert widget is not None
        return widget

    @property
    def shown(self) -> Spoken:
        """The widget as what tells of its marks."""
        return cast(Spoken, self.viewport)

    def childCount(self) -> int:
        """Count the marks."""
        return self.shown.spoken_count() if self.is_alive else 0

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """Return a mark."""
        if not 0 <= index < self.childCount():
            return None
        if index not in self._marks:
            self._marks[index] = SpokenMark(self, index)
            _referenced.append(self._marks[index])
        return self._marks[index]

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        """Return the place of a mark."""
        return next((place for place, mark in self._marks.items() if mark is child), -1)

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """Return the mark at a place of the screen."""
        for place in range(self.childCount()):
            mark = self.child(place)
            if mark is not None and mark.rect().contains(x, y):
                return mark
        return None

    def focusChild(self) -> QAccessibleInterface | None:  # type: ignore[override]
        """Return the selected mark."""
        return self.child(self.shown.spoken_selected()) if self.is_alive else None


# Qt holds on to what a screen reader has asked for until the program ends.
_referenced: list[QAccessibleInterface] = []
_classes: set[str] = set()


def make_spoken(kind: type[QWidget]) -> type[QWidget]:
    """Let screen readers hear the marks of a class of widgets, which is a :class:`Spoken`."""
    if not _classes:
        QAccessible.installFactory(_interface_of)
    _classes.add(kind.__name__)
    return kind


def tell_selected(widget: QWidget) -> None:
    """Tell screen readers, where there are any, that another mark is selected."""
    place = widget.spoken_selected()  # type: ignore[attr-defined]
    if place >= 0 and widget.hasFocus() and QAccessible.isActive():
        event = QAccessibleEvent(widget, QAccessible.Event.Focus)
        event.setChild(place)
        QAccessible.updateAccessibility(event)


def _interface_of(key: str, shown: QObject) -> QAccessibleInterface | None:
    if key not in _classes or not isinstance(shown, QWidget):
        return None
    picture = SpokenPicture(shown)
    _referenced.append(picture)
    return picture
