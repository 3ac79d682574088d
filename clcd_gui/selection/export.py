"""Takes a selection away: asks which files and where to, writes them, and says what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QDialog, QWidget

from clcd_gui.document.analysis import Analysis
from clcd_gui.document.selected_features import SelectedFeatures
from clcd_gui.plots.figure import FIGURE_FORMATS, Figure
from clcd_gui.run.failure import failure_of
from clcd_gui.run.reporting import DrawingProcess
from clcd_gui.run.writing import write_drawing, write_selection
from clcd_gui.widgets.dialogs import documents_folder
from clcd_gui.widgets.export_actions import file_stem
from clcd_gui.widgets.file_writer import FileWriter
from clcd_gui.widgets.files_dialog import FileEntry, FileGroups, FilesDialog
from clcd_gui.wording.text import counted
from engine.errors import EngineError
from engine.reporting.selection_formats import ExportedSelection as ExportContent
from engine.reporting.selection_formats import TableLayout, selection_formats
from engine.table.dataset import Dataset

_PICTURE = "selection_grid"
_TOO_LARGE = "The table is too large for this kind of file."


class SelectionExport(FileWriter):
    """Asks and writes; it has no look of its own."""

    def __init__(self, parent: QWidget, figure: Callable[[], Figure | None], process: DrawingProcess) -> None:
        super().__init__("selection export", parent)
        self.hide()
        self._process = process
        self.dialog: FilesDialog | None = None
        self._figure = figure
        self._selected: SelectedFeatures | None = None
        self._searched: Analysis | None = None
        self._chosen_folder: Path | None = None
        self._table_layout = TableLayout()
        self._ticks: dict[str, bool] = {}

    def set_selected(self, selected: SelectedFeatures | None, searched: Analysis | None) -> None:
        """Export another selection."""
        names = [each.dataset.name for each in (self._searched, searched) if each is not None]
        if len(names) < 2 or names[0] != names[1]:
            self._chosen_folder = None
        self._selected, self._searched = selected, searched
        if self.dialog is not None:
            # What it says is about another selection.
            self.dialog.reject()

    def ask(self) -> None:
        """Show the dialog."""
        selected = self._selected
        if selected is None or not selected.all or self._searched is None or self.dialog is not None:
            return
        table = ExportContent(selected.selection, source=self._searched.dataset).reduced
        size = (
            f"The table cut down to {counted(len(table.features), 'selected feature')} and "
            f"{counted(len(table.labels), 'label')}, {counted(table.row_count, 'row')}, with the values "
            "of the file that was opened; and why each feature was selected."
        )
        groups, place = self._groups(table), self._place()
        heading, parent = "Export the selection", self.parentWidget()
        self.dialog = FilesDialog(heading, size, groups, place, self.dialogs, parent)
        self.form = self.dialog.add_form("Layout of the table", self._table_layout)
        self.form.edited.connect(self._on_layout)
        self.dialog.finished.connect(self._on_finished)
        self.dialog.open()

    def _on_layout(self, name: str, value: Any) -> None:
        self._table_layout = replace(self._table_layout, **{name: value})

    def _groups(self, table: Dataset) -> FileGroups:
        tables: list[FileEntry] = []
        reasons: list[FileEntry] = []
        for name, each in selection_formats().items():
            hindrance = "" if each.holds(table) else _TOO_LARGE
            ticked = self._ticks.get(name, True)
            entry = FileEntry(name, each.title, each.file_name, each.help, ticked, hindrance)
            (tables if name.startswith("data") else reasons).append(entry)
        hindrance = "" if self._figure() is not None else "No feature fits the filter of the grid."
        pictures = [
            FileEntry(name, heading, name, ticked=self._ticks.get(name, False), hindrance=hindrance)
            for name, heading in ((f"{_PICTURE}{end}", each) for end, (each, _) in FIGURE_FORMATS.items())
        ]
        return {
            "Reduced table": tables,
            "Features and reasons": reasons,
            "Picture of the grid, as it is filtered and ordered now": pictures,
        }

    def _place(self) -> Path:
        if self._chosen_folder is not None:
            return self._chosen_folder
        stem = "" if self._searched is None else file_stem(self._searched.dataset.name)
        return documents_folder() / f"{stem} selection".strip()

    def _on_finished(self, outcome: int) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is None:
            return
        chosen = {entry.name for entry in dialog.files.chosen}
        entries = (entry for entry in dialog.files.entries if not entry.hindrance)
        self._ticks |= {entry.name: entry.name in chosen for entry in entries}
        if outcome == QDialog.DialogCode.Accepted:
            self._chosen_folder = dialog.folder
            self._write(dialog)
        dialog.deleteLater()

    def _write(self, dialog: FilesDialog) -> None:
        names = [entry.name for entry in dialog.files.chosen]
        formats = tuple(name for name in names if name in selection_formats())
        if self._selected is None or self._searched is None:
            return
        try:
            drawings = tuple(self._drawn(dialog.folder / name for name in names if name not in formats))
        except EngineError as error:
            self.failed.emit(failure_of(error))
            return
        self._lane.start(
            partial(
                write_selection,
                self._selected.selection,
                self._searched,
                dialog.folder,
                formats,
                self._table_layout,
                self._process,
                drawings,
            )
        )

    def _drawn(self, paths: Iterable[Path]) -> Iterator[partial[tuple[Path, ...]]]:
        """Paint the grid as it is now, once for each file."""
        figure = self._figure()
        if figure is None:
            return
        for path in paths:
            _, draw = FIGURE_FORMATS[path.suffix]
            yield partial(write_drawing, draw(figure), path)
