"""Ticks for files that can be written, each with the file's name and what is in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QWidget

from clcd_gui.style.literal_text import set_tooltip
from clcd_gui.style.text import muted, title
from clcd_gui.style.tokens import SPACE, SPACE_LARGE


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
    """Lets a person choose files.

    Parameters
    ----------
    groups : sequence of FileGroup
        In the order in which they are listed.
    """

    changed = Signal()

    def __init__(self, groups: Sequence[FileGroup], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Files")
        self.entries = tuple(entry for group in groups for entry in group.entries)
        self._boxes: dict[str, QCheckBox] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(SPACE_LARGE)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnStretch(2, 1)
        for group in groups:
            heading = title(group.heading, self)
            heading.setContentsMargins(0, SPACE, 0, 0)
            self._grid.addWidget(heading, self._grid.rowCount(), 0, 1, 3)
            for entry in group.entries:
                self._add(entry)

    def box(self, name: str) -> QCheckBox:
        """Give the tick of a file."""
        return self._boxes[name]

    @property
    def chosen(self) -> tuple[FileEntry, ...]:
        """Files that are ticked, in order."""
        return tuple(entry for entry in self.entries if self._boxes[entry.name].isChecked())

    def _add(self, entry: FileEntry) -> None:
        told = entry.hindrance or entry.help
        box = QCheckBox(entry.title, self)
        box.setChecked(entry.ticked and not entry.hindrance)
        box.setEnabled(not entry.hindrance)
        box.setAccessibleDescription(told)
        set_tooltip(box, told)
        box.toggled.connect(self.changed)
        name, words = muted(entry.file_name, self), muted(told, self)
        name.setWordWrap(False)
        row = self._grid.rowCount()
        for column, widget in enumerate((box, name, words)):
            self._grid.addWidget(widget, row, column)
        self._boxes[entry.name] = box
