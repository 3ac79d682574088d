"""The tools above the list of columns: find a column, give the selected ones a role, labels from a file."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QWidget

from clcd_gui.style import icons, themes
from clcd_gui.style.literal_text import set_tooltip
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.tokens import SPACE, SPACE_SMALL
from clcd_gui.views.columns_view import ROLE_ACTIONS
from engine.table.variable import Role


class RoleBar(QWidget):
    """Buttons and the filter; the page connects them with the list."""

    role_requested = Signal(object)
    labels_file_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Find a column")
        self.filter.setClearButtonEnabled(True)
        self.filter.setAccessibleName("Find a column")
        set_tooltip(self.filter, "Show only columns whose names hold these words (Ctrl+F)")
        self.filter.setMinimumWidth(self.filter.fontMetrics().averageCharWidth() * 18)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_SMALL)
        layout.addWidget(self.filter, 1)
        layout.addSpacing(SPACE)
        chosen = themes.colours()
        self.buttons: dict[Role, QPushButton] = {}
        for role, title, key, icon in ROLE_ACTIONS:
            button = QPushButton(title)
            icons.assign(button, icon, chosen, "label" if role is Role.LABEL else "muted")
            set_tooltip(button, f"Make the selected columns {_WORDS[role]} ({key})")
            button.clicked.connect(self._on_role)
            self.buttons[role] = button
            layout.addWidget(button)
        layout.addSpacing(SPACE)
        self.labels_file = QPushButton("Labels from a file…")
        set_look(self.labels_file, "quiet")
        set_tooltip(
            self.labels_file,
            "Take the labels from an XML file that names them, or from a second table that holds them",
        )
        self.labels_file.clicked.connect(self.labels_file_requested)
        layout.addWidget(self.labels_file)
        self.set_selected(0)

    def set_selected(self, count: int) -> None:
        """Allow the roles only while something is selected."""
        for button in self.buttons.values():
            button.setEnabled(count > 0)

    def _on_role(self) -> None:
        for role, button in self.buttons.items():
            if button is self.sender():
                self.role_requested.emit(role)


_WORDS = {Role.LABEL: "labels", Role.FEATURE: "features", Role.IGNORED: "ignored"}
