"""A dialog in which a person ticks the files that are to be written, and says where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QGridLayout, QPushButton, QScrollArea, QWidget

from clcd_gui.document.columns import named_few
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import body, muted, plain, set_tooltip, title
from clcd_gui.style.tokens import SPACE, SPACE_LARGE, SPACE_SMALL
from clcd_gui.widgets.dialogs import ExportDialogs
from clcd_gui.widgets.labels import ElidedLabel
from clcd_gui.widgets.layouts import column, row
from clcd_gui.widgets.settings_form import SettingsForm
from clcd_gui.wording.text import counted


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One file."""

    name: str
    title: str
    file_name: str  # on the disk
    help: str = ""  # one sentence on what is in it; empty where the title says it
    ticked: bool = True
    hindrance: str = ""  # why it cannot be written; empty when it can


FileGroups = Mapping[str, Sequence[FileEntry]]
"""Files by the heading under which they stand."""


class FileBoxes(QWidget):
    """Lets a person choose files."""

    changed = Signal()

    def __init__(self, groups: FileGroups, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Files")
        self.entries = tuple(entry for entries in groups.values() for entry in entries)
        self._boxes: dict[str, QCheckBox] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(SPACE_LARGE)
        self._grid.setVerticalSpacing(SPACE_SMALL)
        self._grid.setColumnStretch(2, 1)
        for words, entries in groups.items():
            heading = title(words, self)
            heading.setContentsMargins(0, SPACE, 0, 0)
            self._grid.addWidget(heading, self._grid.rowCount(), 0, 1, 3)
            for entry in entries:
                self._add(entry)

    def box(self, name: str) -> QCheckBox:
        """Return the tick of a file."""
        return self._boxes[name]

    @property
    def chosen(self) -> tuple[FileEntry, ...]:
        """Files that are ticked, in order."""
        return tuple(entry for entry in self.entries if self._boxes[entry.name].isChecked())

    def _add(self, entry: FileEntry) -> None:
        description = entry.hindrance or entry.help
        box = QCheckBox(entry.title, self)
        box.setChecked(entry.ticked and not entry.hindrance)
        box.setEnabled(not entry.hindrance)
        box.setAccessibleDescription(description)
        set_tooltip(box, description)
        box.toggled.connect(self.changed)
        name, words = muted(entry.file_name, self), muted(description, self)
        name.setWordWrap(False)
        line = self._grid.rowCount()
        for place, widget in enumerate((box, name, words)):
            self._grid.addWidget(widget, line, place)
        self._boxes[entry.name] = box


_WIDTH = 860
_MOST_NAMED = 3


class FilesDialog(QDialog):
    """Says which files will be written, and into which folder; asks before it replaces any."""

    def __init__(
        self,
        heading: str,
        lead: str,
        groups: FileGroups,
        folder: Path,
        dialogs: ExportDialogs,
        parent: QWidget | None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(heading)
        self.folder, self._dialogs = folder, dialogs
        self.files = FileBoxes(groups, self)
        self.files.changed.connect(self._refresh)
        self.folder_line = ElidedLabel()
        self.choose = QPushButton("Choose…", self)
        self.choose.setAccessibleDescription("Choose another folder")
        self.choose.clicked.connect(self._on_choose)
        self.note = body("", self)
        self.write_button = QPushButton(self)
        set_look(self.write_button, "primary")
        self.write_button.clicked.connect(self.accept)
        self.write_button.setDefault(True)
        self.cancel = QPushButton("Cancel", self)
        self.cancel.clicked.connect(self.reject)
        self.size_line = body(lead, self)
        inside = QWidget(self)
        self._inside = column(self.files, 1, on=inside, margins=(0, 0, SPACE, 0))
        self._area = QScrollArea(self)
        self._area.setWidgetResizable(True)
        self._area.setWidget(inside)
        column(
            self.size_line,
            (self._area, 1),
            row(plain("Folder", self), (self.folder_line, 1), self.choose),
            self.note,
            row(1, self.cancel, self.write_button),
            on=self,
            margins=SPACE_LARGE,
        )
        self._refresh()
        self._fit()

    def add_form(self, heading: str, settings: object) -> SettingsForm:
        """Put settings of the files beneath them."""
        form = SettingsForm(type(settings), beside=True)
        form.set_values(settings)
        place = self._inside.count() - 1
        self._inside.insertSpacing(place, SPACE)
        self._inside.insertWidget(place + 1, title(heading, self))
        self._inside.insertWidget(place + 2, form)
        self._fit()
        return form

    def accept(self) -> None:
        """Write, unless a file is there that a person wants to keep."""
        there = self._there()
        if not there or self._dialogs.may_replace(self, [self.folder / name for name in there]):
            super().accept()

    def _fit(self) -> None:
        """Be no taller than the window over which it appears; what is longer is scrolled."""
        inside = self._inside.sizeHint().height()
        wanted = self.sizeHint().height() - self._area.sizeHint().height() + inside + SPACE
        parent = self.parentWidget()
        self.resize(_WIDTH, wanted if parent is None else min(wanted, parent.window().height()))

    def _there(self) -> list[str]:
        return [each.file_name for each in self.files.chosen if (self.folder / each.file_name).exists()]

    def _refresh(self) -> None:
        count, there = len(self.files.chosen), self._there()
        self.folder_line.setText(str(self.folder))
        set_tooltip(self.folder_line, str(self.folder))
        self.write_button.setEnabled(bool(count))
        self.write_button.setText(f"Write {counted(count, 'file')}" if count else "Write")
        if not count:
            text = "Tick at least one file."
        elif there:
            named = named_few(there, _MOST_NAMED)
            text = f"In this folder there are already {named}; they will be replaced."
        elif self.folder.is_dir():
            text = "Other files in this folder stay as they are."
        else:
            text = "The folder will be made."
        self.note.setText(text)

    def _on_choose(self) -> None:
        start = self.folder if self.folder.is_dir() else self.folder.parent
        chosen = self._dialogs.choose_folder(self, "Where the files shall be", start)
        if chosen is not None:
            self.folder = chosen
            self._refresh()
