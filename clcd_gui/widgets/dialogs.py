"""The few dialogs there are, behind one class each, so that a test can answer in their place."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

from PySide6.QtCore import QStandardPaths, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFileDialog,
    QGridLayout,
    QMessageBox,
    QPushButton,
    QScrollArea,
    QWidget,
)

from clcd_gui.document.columns import named_few
from clcd_gui.document.examples import example_at
from clcd_gui.run.failure import RunFailure
from clcd_gui.style import icons
from clcd_gui.style.stylesheet import set_look
from clcd_gui.style.text import body, muted, plain, set_tooltip, title
from clcd_gui.style.themes import colours, follow_theme
from clcd_gui.style.tokens import SPACE, SPACE_LARGE, SPACE_SMALL
from clcd_gui.widgets.labels import ElidedLabel
from clcd_gui.widgets.layouts import column, row
from clcd_gui.widgets.settings_form import SettingsForm
from clcd_gui.wording.text import counted
from engine.project.project import EXTENSION
from engine.readers.formats import formats
from engine.readers.source import PACKED
from engine.translation import N_, _, for_count

_NOT_WRITTEN = N_("Some exported files were not written before the window closed.")
_OPEN_ELSEWHERE = N_("“{name}” is open in another window.")


class Unsaved(Enum):
    """What shall become of work that is not saved."""

    SAVE = auto()
    DISCARD = auto()
    CANCEL = auto()


class Locked(Enum):
    """What shall be done about a project that is open in another window."""

    READ_ONLY = auto()
    ANYWAY = auto()
    CANCEL = auto()


_MOST_FILES_NAMED = 12
_REPLACE = (
    N_("Replace the file that is in {folder} already?"),
    N_("Replace {count} files that are in {folder} already?"),
)


_QUESTION_ICON = 36


class SavingDialogs:
    """Asks the person before a file takes the place of another."""

    def may_replace(self, parent: QWidget | None, paths: Sequence[Path]) -> bool:
        """Ask whether files that are there may be replaced."""
        text = for_count(len(paths), *_REPLACE).format(count=len(paths), folder=paths[0].parent)
        names = [path.name for path in paths[:_MOST_FILES_NAMED]]
        names += ["…"] if len(paths) > _MOST_FILES_NAMED else []
        box = _question(parent, text, "\n".join(names), is_warning=True)
        replace = box.addButton(_("Replace"), QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
        box.exec()
        return box.clickedButton() is replace

    def with_ending(self, parent: QWidget | None, path: Path, ending: str) -> Path | None:
        """Return a chosen file with an ending; None where that is another one, which is to stay."""
        if path.suffix.lower() == ending:
            # The dialog of the system has asked whether a file of this name may be replaced.
            return path
        path = path.with_name(path.name + ending)
        return path if not path.exists() or self.may_replace(parent, [path]) else None


class Dialogs(SavingDialogs):
    """Asks the person for files, and what to do about work that is not saved or open elsewhere."""

    is_data_beside = False  # a project's data shall be in a file of their own, as its kind in the dialog says

    def ask_about_locked(self, parent: QWidget | None, name: str) -> Locked:
        """Ask how to open a project that is open in another window."""
        box = _question(
            parent,
            _(_OPEN_ELSEWHERE, name=name),
            _(
                "If you open it read-only, you can look at it and save it under another name. If "
                "you open it anyway, the last one to save overwrites the other."
            ),
        )
        read_only = box.addButton(_("Open read-only"), QMessageBox.ButtonRole.AcceptRole)
        anyway = box.addButton(_("Open anyway"), QMessageBox.ButtonRole.DestructiveRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(read_only)
        box.exec()
        if box.clickedButton() is read_only:
            return Locked.READ_ONLY
        return Locked.ANYWAY if box.clickedButton() is anyway else Locked.CANCEL

    def ask_to_overwrite_locked(self, parent: QWidget | None, name: str) -> bool:
        """Ask whether to save over a project that is open in another window."""
        more = _("If you save over it, the other window may save over yours in turn.")
        box = _question(parent, _(_OPEN_ELSEWHERE, name=name), more)
        anyway = box.addButton(_("Save anyway"), QMessageBox.ButtonRole.DestructiveRole)
        cancel = box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(cancel)
        box.exec()
        return box.clickedButton() is anyway

    def choose_project_to_save(self, parent: QWidget | None, suggested: Path) -> Path | None:
        """Ask where to save a project; None when the person thinks better of it."""
        inside = _("Project with its data inside (*{extension})", extension=EXTENSION)
        beside = _("Project with its data in a second file beside it (*{extension})", extension=EXTENSION)
        kinds, selected = f"{inside};;{beside}", beside if self.is_data_beside else inside
        chosen, kind = QFileDialog.getSaveFileName(
            parent, _("Save the project"), str(suggested), kinds, selected
        )
        if not chosen:
            return None
        self.is_data_beside = kind == beside
        return self.with_ending(parent, Path(chosen), EXTENSION)

    def ask_about_unsaved(self, parent: QWidget | None, name: str) -> Unsaved:
        """Ask whether to save what was done before it is closed."""
        more = _("If you do not save, roles, settings, results and choices are lost.")
        box = _question_to_save(parent, _("Save the changes to “{name}”?", name=name), more)
        buttons = QMessageBox.StandardButton
        answers = {buttons.Save: Unsaved.SAVE, buttons.Discard: Unsaved.DISCARD}
        return answers.get(buttons(box.exec()), Unsaved.CANCEL)

    def tell_not_written(self, parent: QWidget | None, failures: Sequence[RunFailure]) -> None:
        """Tell which files could not be written any more, and what to do about it."""
        more = "\n".join(failure.sentence for failure in failures)
        _question(parent, _(_NOT_WRITTEN), more, is_warning=True).exec()

    def choose_table(self, parent: QWidget, folder: str) -> Path | None:
        """Ask which table to open; None when the person thinks better of it."""
        return _file_to_open(parent, _("Open a table"), folder, table_filter())

    def choose_columns(self, parent: QWidget, folder: str) -> Path | None:
        """Ask which table holds further columns of the open one."""
        return _file_to_open(parent, _("Add columns from a table"), folder, table_filter())

    def choose_labels(self, parent: QWidget, folder: str) -> Path | None:
        """Ask which table holds the labels, or which file names them."""
        return _file_to_open(parent, _("Labels from another table"), folder, table_filter(_NAMES_OF_LABELS))


def _file_to_open(parent: QWidget, title: str, folder: str, kinds: str) -> Path | None:
    chosen, _ = QFileDialog.getOpenFileName(parent, title, folder, kinds)
    return Path(chosen) if chosen else None


def _question(parent: QWidget | None, text: str, more: str, is_warning: bool = False) -> QMessageBox:
    box, chosen = QMessageBox(parent), colours()
    name, colour = ("warning", chosen.warning) if is_warning else ("help", chosen.accent)
    box.setIconPixmap(icons.pixmap(name, colour, _QUESTION_ICON, box.devicePixelRatioF()))
    box.setWindowTitle("CLCD")
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(text)
    box.setInformativeText(more)
    follow_theme(box)
    return box


def _question_to_save(parent: QWidget | None, text: str, more: str) -> QMessageBox:
    box, buttons = _question(parent, text, more), QMessageBox.StandardButton
    box.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
    box.setDefaultButton(buttons.Save)
    return box


def ask_about_note(parent: QWidget, about: str) -> QMessageBox:
    """Ask whether to save a note that is left; the answer is the standard button that it finishes with."""
    more = _("If you do not save, the note stays as it was.")
    box = _question_to_save(parent, _("Save what you wrote on {about}?", about=about), more)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()
    return box


_NAMES_OF_LABELS = ("*.xml", "*.xml.gz")


def table_filter(others: Sequence[str] = ()) -> str:
    """Write the file dialog's filter from the registry of formats, with patterns of other files."""
    patterns = {
        _(table_format.title): _patterns(table_format.extensions) for table_format in formats().values()
    }
    # The name of a zip file need not say what is in it.
    everything = " ".join((*patterns.values(), "*.zip", *others))
    parts = [
        _("All tables ({everything})", everything=everything),
        *(f"{title} ({mask})" for title, mask in patterns.items()),
    ]
    return ";;".join([*parts, _("All files (*)")])


def _patterns(extensions: tuple[str, ...]) -> str:
    return " ".join(f"*{extension}{packed}" for extension in extensions for packed in ("", *PACKED))


def documents_folder() -> Path:
    """Return the folder in which a person's documents lie; their own one where there is none."""
    # In place of a folder that is not there, a dialog would show that of the program.
    documents = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
    return documents if documents.is_dir() else Path.home()


def folder_beside(table: Path | None) -> Path:
    """Return the folder of a table, where exports of it begin; that of documents where none can be made."""
    if table is None or example_at(table) is not None or not os.access(table.parent, os.W_OK):
        return documents_folder()
    return table.parent


class SaveFolder:
    """Where all dialogs that save begin: where the person saved last, at first beside the open table."""

    def __init__(self) -> None:
        self._table: Path | None = None
        self._last: Path | None = None
        self._of_files: dict[str, Path] = {}

    @property
    def path(self) -> Path:
        """The folder in which a dialog begins."""
        if self._last is not None and self._last.is_dir():
            return self._last
        return folder_beside(self._table)

    def begin(self, table: Path | None) -> None:
        """Begin beside another table; one that is read again changes nothing."""
        if table != self._table:
            self._table, self._last, self._of_files = table, None, {}

    def remember(self, folder: Path, content: str = "") -> None:
        """Begin where something was saved; several files of one content go into the same folder again."""
        self._last = folder if folder.is_dir() else folder.parent
        if content:
            self._of_files[content] = folder

    def of_files(self, content: str, name: str) -> Path:
        """Return the folder for several files: that of before, or one of this name that will be made."""
        return self._of_files.get(content, self.path / name)


SAVE_FOLDER = SaveFolder()
"""That of the program, which has one window for a table."""


class ExportDialogs(SavingDialogs):
    """Asks the person where files shall go."""

    def choose_file(self, parent: QWidget | None, title: str, suggested: Path) -> Path | None:
        """Ask for the name of one file; None when the person thinks better of it."""
        ending = suggested.suffix
        kind = f"{ending[1:].upper()} (*{ending})"
        chosen, _ = QFileDialog.getSaveFileName(parent, title, str(suggested), kind)
        if not chosen:
            return None
        return self.with_ending(parent, Path(chosen), ending)

    def choose_folder(self, parent: QWidget | None, title: str, start: Path) -> Path | None:
        """Ask for a folder."""
        chosen = QFileDialog.getExistingDirectory(parent, title, str(start))
        return Path(chosen) if chosen else None


class KnowledgeDialogs(SavingDialogs):
    """Asks the person for files of knowledge."""

    def choose_to_read(self, parent: QWidget) -> Path | None:
        """Ask which file to read; None when the person thinks better of it."""
        kinds = _("Knowledge (*.json *.txt);;All files (*)")
        return _file_to_open(parent, _("Read background knowledge"), "", kinds)

    def choose_to_write(self, parent: QWidget) -> Path | None:
        """Ask where to write it."""
        kinds = _("Knowledge (*.json);;Tetrad's text (*.txt)")
        suggested = str(SAVE_FOLDER.path / "knowledge.json")
        chosen, kind = QFileDialog.getSaveFileName(parent, _("Save background knowledge"), suggested, kinds)
        if not chosen:
            return None
        path = Path(chosen)
        SAVE_FOLDER.remember(path.parent)
        return path if path.suffix else self.with_ending(parent, path, ".txt" if "txt" in kind else ".json")


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
        self.setAccessibleName(_("Files"))
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
        self.choose = QPushButton(_("Choose…"), self)
        self.choose.setAccessibleDescription(_("Choose another folder"))
        self.choose.clicked.connect(self._on_choose)
        self.note = body("", self)
        self.write_button = QPushButton(self)
        set_look(self.write_button, "primary")
        self.write_button.clicked.connect(self.accept)
        self.write_button.setDefault(True)
        self.cancel = QPushButton(_("Cancel"), self)
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
            row(plain(_("Folder"), self), (self.folder_line, 1), self.choose),
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
        return [entry.file_name for entry in self.files.chosen if (self.folder / entry.file_name).exists()]

    def _refresh(self) -> None:
        count, there = len(self.files.chosen), self._there()
        self.folder_line.setText(str(self.folder))
        set_tooltip(self.folder_line, str(self.folder))
        self.write_button.setEnabled(bool(count))
        self.write_button.setText(_("Write {files}", files=counted(count, "file")) if count else _("Write"))
        if not count:
            text = _("Tick at least one file.")
        elif there:
            named = named_few(there, _MOST_NAMED)
            text = _("This folder already has {named}. They will be replaced.", named=named)
        elif self.folder.is_dir():
            text = _("Other files in this folder stay as they are.")
        else:
            text = _("CLCD will make the folder.")
        self.note.setText(text)

    def _on_choose(self) -> None:
        start = self.folder if self.folder.is_dir() else self.folder.parent
        chosen = self._dialogs.choose_folder(self, _("Folder of the files"), start)
        if chosen is not None:
            self.folder = chosen
            self._refresh()
