"""The dialog that takes a selection away: which files, how the table is laid out, and where to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from clcd_gui.core.number_format import counted
from clcd_gui.style.literal_text import set_tooltip
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import body, plain, title
from clcd_gui.style.tokens import SPACE, SPACE_LARGE
from clcd_gui.views.elided_label import ElidedLabel
from clcd_gui.views.export_dialogs import ExportDialogs
from clcd_gui.views.file_boxes import FileBoxes, FileEntry, FileGroup
from clcd_gui.views.settings_form import SettingsForm
from engine.reporting.selection_formats import TableLayout

_WIDTH = 860
_MOST_NAMED = 3


class SelectionExportDialog(QDialog):
    """Says what will be written, and where.

    Parameters
    ----------
    size : str
        How large the reduced table is, in a sentence.
    groups : sequence of FileGroup
        Files that can be written.
    layout : TableLayout
        How the reduced table is laid out.
    folder : Path
        Where to; may not exist yet.
    dialogs : ExportDialogs
        Asks for another folder.
    """

    def __init__(
        self,
        size: str,
        groups: Sequence[FileGroup],
        layout: TableLayout,
        folder: Path,
        dialogs: ExportDialogs,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Export the selection")
        self._layout, self._folder, self._dialogs = layout, folder, dialogs
        self.files = FileBoxes(groups, self)
        self.files.changed.connect(self._tell)
        self.form = SettingsForm(TableLayout, beside=True, parent=self)
        self.form.set_values(layout)
        self.form.edited.connect(self._on_layout)
        self.place = ElidedLabel()
        self.choose = QPushButton("Choose…", self)
        self.choose.setAccessibleDescription("Choose another folder")
        self.choose.clicked.connect(self._on_choose)
        self.told = body("", self)
        self.write_button = QPushButton(self)
        set_look(self.write_button, "primary")
        self.write_button.clicked.connect(self.accept)
        self.write_button.setDefault(True)
        self.cancel = QPushButton("Cancel", self)
        self.cancel.clicked.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE_LARGE, SPACE_LARGE, SPACE_LARGE, SPACE_LARGE)
        column.setSpacing(SPACE)
        self.size_told = body(size, self)
        column.addWidget(self.size_told)
        scrolled = self._scrolled()
        column.addWidget(scrolled, 1)
        column.addLayout(self._foot())
        column.addWidget(self.told)
        column.addLayout(self._buttons())
        self._tell()
        # No taller than the window over which it appears; what is longer is scrolled.
        wanted = self.sizeHint().height() - scrolled.sizeHint().height() + self._inside.sizeHint().height()
        self.resize(_WIDTH, min(wanted + SPACE, parent.window().height()))

    @property
    def chosen(self) -> tuple[FileEntry, ...]:
        """Files that are to be written."""
        return self.files.chosen

    @property
    def folder(self) -> Path:
        """Where to."""
        return self._folder

    @property
    def table_layout(self) -> TableLayout:
        """How the reduced table is to be laid out."""
        return self._layout

    def _scrolled(self) -> QScrollArea:
        self._inside = QWidget(self)
        column = QVBoxLayout(self._inside)
        column.setContentsMargins(0, 0, SPACE, 0)
        column.setSpacing(SPACE)
        column.addWidget(self.files)
        column.addSpacing(SPACE)
        column.addWidget(title("Layout of the table", self))
        column.addWidget(self.form)
        column.addStretch(1)
        area = QScrollArea(self)
        area.setWidgetResizable(True)
        area.setWidget(self._inside)
        return area

    def _foot(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(SPACE)
        row.addWidget(plain("Folder", self))
        row.addWidget(self.place, 1)
        row.addWidget(self.choose)
        return row

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(SPACE)
        row.addStretch(1)
        row.addWidget(self.cancel)
        row.addWidget(self.write_button)
        return row

    def _tell(self) -> None:
        files = [entry.file_name for entry in self.chosen]
        self.place.setText(str(self._folder))
        set_tooltip(self.place, str(self._folder))
        self.write_button.setEnabled(bool(files))
        self.write_button.setText(f"Write {counted(len(files), 'file')}" if files else "Write")
        there = [name for name in files if (self._folder / name).exists()]
        if not files:
            text = "Tick at least one file."
        elif there:
            named = ", ".join(there[:_MOST_NAMED])
            more = f" and {len(there) - _MOST_NAMED} more" if len(there) > _MOST_NAMED else ""
            text = f"In this folder there are already {named}{more}; they will be replaced."
        elif self._folder.is_dir():
            text = "Other files in this folder stay as they are."
        else:
            text = "The folder will be made."
        self.told.setText(text)

    def _on_layout(self, name: str, value: Any) -> None:
        self._layout = replace(self._layout, **{name: value})

    def _on_choose(self) -> None:
        start = self._folder if self._folder.is_dir() else self._folder.parent
        chosen = self._dialogs.choose_folder(self, "Where the files shall be", start)
        if chosen is not None:
            self._folder = chosen
            self._tell()
