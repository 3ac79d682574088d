"""Several views in one place, with a row of buttons that says which is seen."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QStackedWidget, QToolButton, QWidget

from clcd_gui.style.tokens import SPACE


class ViewSwitch(QStackedWidget):
    """Shows one of its views; whoever holds it lays out ``bar`` where it is wanted.

    Attributes
    ----------
    bar : QWidget
        The buttons.
    buttons : dict of str to QToolButton
        By name of the view.
    """

    shown = Signal(object)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bar = QWidget()
        self.bar.setAccessibleName(name)
        self.buttons: dict[str, QToolButton] = {}
        self._views: dict[str, QWidget] = {}
        self._group = QButtonGroup(self)
        self._row = QHBoxLayout(self.bar)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(SPACE)

    def add(self, name: str, title: str, view: QWidget) -> None:
        """Add a view behind the others."""
        button = QToolButton()
        button.setText(title)
        button.setCheckable(True)
        button.clicked.connect(partial(self.show_view, name))
        self._group.addButton(button)
        self._row.addWidget(button)
        self.buttons[name] = button
        self._views[name] = view
        self.addWidget(view)

    def show_view(self, name: str) -> None:
        """Show a view by name."""
        self.buttons[name].setChecked(True)
        self.setCurrentWidget(self._views[name])
        self.shown.emit(self._views[name])
