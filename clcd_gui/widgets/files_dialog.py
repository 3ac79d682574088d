"""A dialog in which a person ticks the files that are to be written, and says where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from clcd_gui.document.columns import named_few
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import body, muted, plain, set_tooltip, title
from clcd_gui.style.tokens import SPACE, SPACE_LARGE, SPACE_SMALL
from clcd_gui.widgets.dialogs import ExportDialogs
from clcd_gui.widgets.labels import ElidedLabel
from clcd_gui.wording.text import counted


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One file.

    Attributes
    ----------
    name : str
        Key.
    title : str
        What it is called.
    file_name : str
        Its name on the disk.
    help : str
        One sentence on what is in it; empty where the title says it.
    ticked : bool
        Written unless the person takes the tick away.
    hindrance : str
        Why it cannot be written; empty when it can.
    """

    name: str
    title: str
    file_name: str
    help: str = ""
    ticked: bool = True
    hindrance: str = ""


@dataclass(frozen=True, slots=True)
class FileGroup:
    """Files under one heading."""

    heading: str
    entries: tuple[FileEntry, ...]


class FileBoxes(QWidget):
    """Lets a person choose files."""

    changed = Signal()

    def __init__(self, groups: Sequence[FileGroup], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Files")
        self.entries = tuple(entry for group in groups for entry in group.entries)
        self._boxes: dict[str, QCheckBox] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(SPACE_LARGE)
        self._grid.setVerticalSpacing(SPACE_SMALL)
        self._grid.setColumnStretch(2, 1)
        for group in groups:
            heading = title(group.heading, self)
            heading.setContentsMargins(0, SPACE, 0, 0)
            self._grid.addWidget(heading, self._grid.rowCount(), 0, 1, 3)
            for entry in group.entries:
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
        row = self._grid.rowCount()
        for column, widget in enumerate((box, name, words)):
            self._grid.addWidget(widget, row, column)
        self._boxes[entry.name] = box


_WIDTH = 860
_MOST_NAMED = 3


class FilesDialog(QDialog):
    """Says which files will be written, and where; asks before it replaces any."""

    def __init__(
        self,
        heading: str,
        lead: str,
        groups: Sequence[FileGroup],
        folder: Path,
        dialogs: ExportDialogs,
        parent: QWidget | None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(heading)
        self._folder, self._dialogs = folder, dialogs
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
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE_LARGE, SPACE_LARGE, SPACE_LARGE, SPACE_LARGE)
        column.setSpacing(SPACE)
        self.size_line = body(lead, self)
        column.addWidget(self.size_line)
        self._area = self._scrolled()
        column.addWidget(self._area, 1)
        column.addLayout(_row(plain("Folder", self), self.folder_line, self.choose, stretched=1))
        column.addWidget(self.note)
        column.addLayout(_row(plain("", self), self.cancel, self.write_button, stretched=0))
        self._refresh()
        self._fit()

    @property
    def chosen(self) -> tuple[FileEntry, ...]:
        """Files that are to be written."""
        return self.files.chosen

    @property
    def folder(self) -> Path:
        """Where to."""
        return self._folder

    def add_form(self, heading: str, form: QWidget) -> None:
        """Put settings of the files beneath them."""
        place = self._inside.count() - 1
        self._inside.insertSpacing(place, SPACE)
        self._inside.insertWidget(place + 1, title(heading, self))
        self._inside.insertWidget(place + 2, form)
        self._fit()

    def accept(self) -> None:
        """Write, unless a file is there that a person wants to keep."""
        there = self._there()
        if not there or self._dialogs.may_replace(self, [self._folder / name for name in there]):
            super().accept()

    def _scrolled(self) -> QScrollArea:
        inside = QWidget(self)
        self._inside = column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, SPACE, 0)
        column.setSpacing(SPACE)
        column.addWidget(self.files)
        column.addStretch(1)
        area = QScrollArea(self)
        area.setWidgetResizable(True)
        area.setWidget(inside)
        return area

    def _fit(self) -> None:
        """Be no taller than the window over which it appears; what is longer is scrolled."""
        inside = self._inside.sizeHint().height()
        wanted = self.sizeHint().height() - self._area.sizeHint().height() + inside + SPACE
        parent = self.parentWidget()
        self.resize(_WIDTH, wanted if parent is None else min(wanted, parent.window().height()))

    def _there(self) -> list[str]:
        return [each.file_name for each in self.chosen if (self._folder / each.file_name).exists()]

    def _refresh(self) -> None:
        count, there = len(self.chosen), self._there()
        self.folder_line.setText(str(self._folder))
        set_tooltip(self.folder_line, str(self._folder))
        self.write_button.setEnabled(bool(count))
        self.write_button.setText(f"Write {counted(count, 'file')}" if count else "Write")
        if not count:
            text = "Tick at least one file."
        elif there:
            named = named_few(there, _MOST_NAMED)
            text = f"In this folder there are already {named}; they will be replaced."
        elif self._folder.is_dir():
            text = "Other files in this folder stay as they are."
        else:
            text = "The folder will be made."
        self.note.setText(text)

    def _on_choose(self) -> None:
        start = self._folder if self._folder.is_dir() else self._folder.parent
        chosen = self._dialogs.choose_folder(self, "Where the files shall be", start)
        if chosen is not None:
            self._folder = chosen
            self._refresh()


def _row(*widgets: QWidget, stretched: int) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(SPACE)
    for place, widget in enumerate(widgets):
        row.addWidget(widget, 1 if place == stretched else 0)
    return row
