"""Offers names while one types."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QStringListModel, Qt
from PySide6.QtWidgets import QCompleter

from clcd_gui.style.themes import follow_theme


def name_completer(names: QStringListModel | Sequence[str], parent: QObject) -> QCompleter:
    """Return what offers names, in whatever case they are typed.

    Parameters
    ----------
    names : QStringListModel or sequence of str
        A model may change later.
    parent : QObject
        With which it ends.
    """
    completer = QCompleter(parent)
    # A list of its own ends with it, as it does where a line is given other names.
    own = names if isinstance(names, QStringListModel) else QStringListModel(list(names), completer)
    completer.setModel(own)
    completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    popup = completer.popup()
    assert popup is not None, "Qt makes it when it is asked for"
    # It is a window of its own, outside of the part in which one types.
    follow_theme(popup)
    return completer
