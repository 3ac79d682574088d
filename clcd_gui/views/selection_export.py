"""Takes a selection away: asks which files and where to, writes them, and says what came of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QDialog, QWidget

from clcd_gui.core.analysis import Analysis
from clcd_gui.core.number_format import counted
from clcd_gui.core.selected_features import SelectedFeatures
from clcd_gui.graphs.figure import Figure
from clcd_gui.graphs.figure_files import FIGURE_WRITERS
from clcd_gui.run.failure import failure_of
from clcd_gui.run.lane import Lane
from clcd_gui.run.writing_selection import WriteSelection
from clcd_gui.views.export_actions import file_stem
from clcd_gui.views.export_dialogs import ExportDialogs, documents_folder
from clcd_gui.views.file_boxes import FileEntry, FileGroup
from clcd_gui.views.selection_export_dialog import SelectionExportDialog
from engine.errors import EngineError
from engine.reporting.selection_formats import SelectionExport as ExportContent
from engine.reporting.selection_formats import TableLayout, selection_formats
from engine.table.dataset import Dataset

_PICTURE = "selection_grid"
_TOO_LARGE = "The table is too large for this kind of file."


class SelectionExport(QWidget):
    """Asks and writes; it has no look of its own.

    Parameters
    ----------
    parent : QWidget
        Over which the dialog appears.
    figure : callable
        Gives the grid as a picture, None when it is empty.
    dialogs : ExportDialogs, optional
        Asks for a folder.
    """

    written = Signal(object)
    failed = Signal(object)

    def __init__(
        self, parent: QWidget, figure: Callable[[], Figure | None], dialogs: ExportDialogs | None = None
    ) -> None:
        super().__init__(parent)
        self.hide()
        self.dialogs = dialogs or ExportDialogs()
        self.dialog: SelectionExportDialog | None = None
        self._figure = figure
        self._selected: SelectedFeatures | None = None
        self._searched: Analysis | None = None
        self._folder: Path | None = None
        self._table_layout = TableLayout()
        self._ticks: dict[str, bool] = {}
        self._pictures: tuple[Path, ...] = ()
        self._lane = Lane("selection export", self)
        self._lane.succeeded.connect(self._on_written)
        self._lane.failed.connect(self.failed)
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self.shut_down)

    def set_selected(self, selected: SelectedFeatures | None, searched: Analysis | None) -> None:
        """Export another selection.

        Parameters
        ----------
        selected : SelectedFeatures or None
        searched : Analysis or None
            What it was made from.
        """
        is_other_table = self._searched is None or searched is None
        if is_other_table or self._searched.dataset.name != searched.dataset.name:
            self._folder = None
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
        self.dialog = SelectionExportDialog(
            size, self._groups(table), self._table_layout, self._place(), self.dialogs, self.parentWidget()
        )
        self.dialog.finished.connect(self._on_finished)
        self.dialog.open()

    def shut_down(self) -> None:
        """Wait until the files that are being written are whole."""
        self._lane.shut_down()

    def _groups(self, table: Dataset) -> list[FileGroup]:
        tables, reasons = [], []
        for name, each in selection_formats().items():
            hindrance = "" if each.holds(table) else _TOO_LARGE
            ticked = self._ticks.get(name, True)
            entry = FileEntry(name, each.title, each.file_name, each.help, ticked, hindrance)
            (tables if name.startswith("data") else reasons).append(entry)
        hindrance = "" if self._figure() is not None else "No feature fits the filter of the grid."
        pictures = [
            FileEntry(name, heading, name, ticked=self._ticks.get(name, False), hindrance=hindrance)
            for name, heading in ((f"{_PICTURE}{end}", each) for end, (each, _) in FIGURE_WRITERS.items())
        ]
        return [
            FileGroup("Reduced table", tuple(tables)),
            FileGroup("Features and reasons", tuple(reasons)),
            FileGroup("Picture of the grid, as it is filtered and ordered now", tuple(pictures)),
        ]

    def _place(self) -> Path:
        if self._folder is not None:
            return self._folder
        home = documents_folder()
        return home / f"{file_stem(self._searched.dataset.name)} selection".strip()

    def _on_finished(self, outcome: int) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is None:
            return
        self._table_layout = dialog.table_layout
        chosen = {entry.name for entry in dialog.chosen}
        entries = (entry for entry in dialog.files.entries if not entry.hindrance)
        self._ticks |= {entry.name: entry.name in chosen for entry in entries}
        if outcome == QDialog.DialogCode.Accepted:
            self._folder = dialog.folder
            self._write(dialog)
        dialog.deleteLater()

    def _write(self, dialog: SelectionExportDialog) -> None:
        names = [entry.name for entry in dialog.chosen]
        formats = tuple(name for name in names if name in selection_formats())
        self._pictures = tuple(dialog.folder / name for name in names if name not in formats)
        self._lane.start(
            WriteSelection(
                self._selected.selection, self._searched, dialog.folder, formats, dialog.table_layout
            )
        )

    def _on_written(self, paths: tuple[Path, ...]) -> None:
        figure = self._figure() if self._pictures else None
        try:
            for path in self._pictures if figure is not None else ():
                FIGURE_WRITERS[path.suffix][1](figure, path)
                paths = (*paths, path)
        except EngineError as error:
            self.failed.emit(failure_of(error))
            return
        if paths:
            self.written.emit(paths)
