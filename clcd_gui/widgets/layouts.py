"""Layouts: filled in one call, emptied, or given other content."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QGridLayout,
    QHBoxLayout,
    QLayout,
    QScrollArea,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from clcd_gui.style.tokens import SPACE, SPACE_SMALL

Part = QWidget | QLayout | int | tuple[Any, ...]
Margins = int | tuple[int, int, int, int] | None


def column(
    *parts: Part, on: QWidget | None = None, margins: Margins = 0, spacing: int | None = SPACE
) -> QVBoxLayout:
    """Lay parts out one below the other, on a widget or as part of another layout.

    A number among the parts is free room with that share of what is left; a tuple is a part with its share
    and alignment. Margins are one for all sides, or left, above, right, below; None is the style's own.
    """
    layout = QVBoxLayout() if on is None else QVBoxLayout(on)
    _fill(layout, parts, margins, spacing)
    return layout


def row(
    *parts: Part, on: QWidget | None = None, margins: Margins = 0, spacing: int | None = SPACE
) -> QHBoxLayout:
    """Lay parts out side by side, as :func:`column` does one below the other."""
    layout = QHBoxLayout() if on is None else QHBoxLayout(on)
    _fill(layout, parts, margins, spacing)
    return layout


def _fill(box: QBoxLayout, parts: tuple[Part, ...], margins: Margins, spacing: int | None) -> None:
    if margins is not None:
        box.setContentsMargins(*((margins,) * 4 if isinstance(margins, int) else margins))
    if spacing is not None:
        box.setSpacing(spacing)
    for part in parts:
        if isinstance(part, int):
            box.addStretch(part)
            continue
        item, *options = part if isinstance(part, tuple) else (part,)
        if isinstance(item, QLayout):
            box.addLayout(item, *options)
        else:
            box.addWidget(item, *options)


def form_grid(stretched: int) -> QGridLayout:
    """Make the grid of a form, in which one column takes what room there is."""
    grid = QGridLayout()
    grid.setHorizontalSpacing(SPACE)
    grid.setVerticalSpacing(SPACE_SMALL)
    grid.setColumnStretch(stretched, 1)
    return grid


def stacked(*widgets: QWidget, on: QWidget | None = None) -> QStackedLayout:
    """Lay widgets out of which one at a time is seen, the first one first."""
    layout = QStackedLayout() if on is None else QStackedLayout(on)
    for widget in widgets:
        layout.addWidget(widget)
    return layout


def scroll_only_down(area: QScrollArea) -> None:
    """Let an area scroll its content up and down, in the width of the area."""
    area.setWidgetResizable(True)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)


def delete_widgets(layout: QLayout) -> None:
    """Take all widgets out of a layout that holds nothing else, and have them deleted."""
    # What ``takeAt`` gives is deleted by nobody.
    while (item := layout.itemAt(0)) is not None and (widget := item.widget()) is not None:
        layout.removeWidget(widget)
        widget.hide()
        widget.deleteLater()


def replace_content(area: QScrollArea, content: QWidget) -> None:
    """Show something else in an area that scrolls, and stay where one was; the keyboard stays, too."""
    bar, shown = area.verticalScrollBar(), area.widget()
    place = bar.value()
    focus = next((at for at, control in enumerate(_controls(shown)) if control.hasFocus()), None)
    before = area.takeWidget()
    if before is not None:
        # It may be one of its buttons that was pressed just now.
        before.deleteLater()
    area.setWidget(content)
    # Only what has its height can be scrolled.
    QApplication.sendPostedEvents(content, QEvent.Type.LayoutRequest.value)
    bar.setValue(place)
    if focus is not None and (controls := _controls(content)):
        # Qt would give it to whatever comes next in the window.
        controls[min(focus, len(controls) - 1)].setFocus(Qt.FocusReason.OtherFocusReason)


def _controls(content: QWidget | None) -> list[QWidget]:
    """Return the widgets of a content that the Tab key reaches."""
    widgets = [] if content is None else content.findChildren(QWidget)
    return [widget for widget in widgets if widget.focusPolicy() & Qt.FocusPolicy.TabFocus]
