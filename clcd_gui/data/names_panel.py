"""Columns chosen by names, patterns and ranges, many at once: written, or pasted as a list."""

from __future__ import annotations

import re

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QPlainTextEdit, QPushButton, QWidget

from clcd_gui.data.columns_view import ROLE_ACTIONS, role_button
from clcd_gui.document.columns import named_few
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import muted, set_tooltip
from clcd_gui.style.tokens import SPACE, SPACE_SMALL
from clcd_gui.widgets.layouts import column, row
from clcd_gui.widgets.window_page import ForTable
from clcd_gui.wording.text import counted
from engine.readers.labels import choose_columns
from engine.table.variable import Role
from engine.translation import N_, _
from engine.wording.phrases import plain_listing

_LINES = 3
_MOST_NAMED = 4
_SEPARATORS = re.compile(r"[\t;,]")
_HELP = N_(
    "Names, patterns such as lbl_*, or ranges such as first..last, separated by blanks, commas or "
    "line breaks."
)


def written_names(text: str, names: tuple[str, ...]) -> list[str]:
    """Take a pasted text apart: one name a line, or several with tabs, semicolons, commas or blanks between.

    A line that is a name is one, whatever stands in it; a part with blanks is several where it names nothing.

    >>> written_names("age; dose" + chr(10) + "height, in cm", ("age", "dose", "height, in cm"))
    ['age', 'dose', 'height, in cm']
    >>> written_names("*ge dose; net income", ("age", "dose", "net income"))
    ['*ge', 'dose', 'net income']
    """
    names_there = {name.strip() for name in names}
    written: list[str] = []
    for line in text.splitlines():
        parts = [line] if line.strip() in names_there else _SEPARATORS.split(line)
        written += [word for part in parts if part.strip() for word in _apart_at_blanks(part.strip(), names)]
    return written


def _apart_at_blanks(part: str, names: tuple[str, ...]) -> list[str]:
    words = part.split()
    if len(words) > 1 and not choose_columns([part], names)[0] and choose_columns(words, names)[0]:
        return words
    return [part]


class NamesPanel(QWidget, ForTable):
    """Asks which columns are meant, says how many these are, and gives them a role."""

    role_requested = Signal(list, Role)
    chosen_changed = Signal(list)

    def __init__(self) -> None:
        super().__init__()
        self._names: tuple[str, ...] = ()
        self._chosen: tuple[str, ...] = ()
        self.text = QPlainTextEdit()
        self.text.setPlaceholderText("lbl_*")
        self.text.setAccessibleName(_("Columns by name"))
        self.text.setAccessibleDescription(_(_HELP))
        self.text.setTabChangesFocus(True)
        self.text.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.text.textChanged.connect(self._on_text)
        self.found = muted("")
        self.buttons: dict[Role, QPushButton] = {}
        for role, title, _key, icon in ROLE_ACTIONS:
            button = self.buttons[role] = role_button(role, title, icon)
            set_look(button, "compact")
            set_tooltip(button, _("Give the columns above this role"))
            button.clicked.connect(
                lambda _checked, given=role: self.role_requested.emit(list(self._chosen), given)
            )
        self._beside = row(*self.buttons.values(), 1, spacing=SPACE_SMALL)
        column(muted(_(_HELP)), self.text, self.found, self._beside, on=self)
        self.text.setFixedHeight(_LINES * self.text.fontMetrics().lineSpacing() + 2 * SPACE)
        self._on_text()

    def minimumSizeHint(self) -> QSize:
        """Do not let the page squeeze it: its buttons would cover the text."""
        return QSize(0, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the buttons below each other where they would be cut beside each other."""
        super().resizeEvent(event)
        wanted = sum(button.sizeHint().width() + SPACE_SMALL for button in self.buttons.values())
        is_wide = wanted <= self.contentsRect().width()
        direction = QBoxLayout.Direction
        self._beside.setDirection(direction.LeftToRight if is_wide else direction.TopToBottom)

    def set_names(self, names: tuple[str, ...]) -> None:
        """Say which columns there are."""
        self._names = names
        self._on_text()

    def forget_table(self) -> None:
        """Name no column."""
        self.text.clear()

    def _on_text(self) -> None:
        wanted = written_names(self.text.toPlainText(), self._names)
        self._chosen, unknown = choose_columns(wanted, self._names)
        columns, message = counted(len(self._chosen), "column"), ""
        if unknown:
            listed = plain_listing([f"“{name}”" for name in unknown], _MOST_NAMED)
            message = _(_FOUND_WITH_UNKNOWN, columns=columns, unknown=listed)
        elif wanted:
            message = f"{columns}: {named_few(self._chosen, _MOST_NAMED)}"
        self.found.setText(message)
        self.found.setVisible(bool(message))
        for button in self.buttons.values():
            button.setEnabled(bool(self._chosen))
        self.chosen_changed.emit(list(self._chosen))


_FOUND_WITH_UNKNOWN = N_("{columns} found; no column is called {unknown}.")
