"""Boxes to type names in: filters, and names that are offered while one types."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QStringListModel, Qt
from PySide6.QtWidgets import QAbstractItemView, QCompleter, QLineEdit, QListView, QWidget

from clcd_gui.style.themes import follow_theme


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
