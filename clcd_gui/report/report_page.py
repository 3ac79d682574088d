"""The page of the report: what it holds, in which order, how it will read, and which files it becomes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QSplitter, QStackedWidget, QWidget

from clcd_gui.document.analysis import Analysis
from clcd_gui.report.parts_list import PartsList
from clcd_gui.report.preview import DOTS_PER_INCH, ReportPreview
from clcd_gui.run.failure import RunFailure
from clcd_gui.run.reporting import MakePreview, Preview, WriteFiles
from clcd_gui.style.tokens import SPACE
from clcd_gui.widgets.dialogs import ExportDialogs, documents_folder
from clcd_gui.widgets.empty_page import EmptyPage
from clcd_gui.widgets.export_actions import file_stem
from clcd_gui.widgets.files_dialog import FileEntry, FileGroup, FilesDialog
from clcd_gui.widgets.notices import Notice, StaleNotice, show_written
from clcd_gui.widgets.page import Page
from clcd_gui.widgets.settings_form import SettingsForm
from clcd_gui.widgets.window_page import Workspace
from clcd_gui.wording.settings import rests_on, search_details
from engine.execution.remembering import BoundedMemory
from engine.reporting.figures.chart import Chart
from engine.reporting.registry import ExportFormat, export_formats
from engine.reporting.tables import Analysis as ReportedAnalysis
from engine.reporting.tables import ExportOptions


def _figures(name: str) -> tuple[str, ...]:
    return name, f"{name}-pdf", f"{name}-png"


_WHAT = (
    "This page will put the findings together as a report to print or pass on: sentences, tables and "
    "figures, how it was done and what it means, in the order that you choose, as PDF, for Word and as a "
    "page for a browser."
)
_GROUPS = {
    "Report": ("report-pdf", "report-word", "report"),
    "For a paper": ("methods", "bibtex", "latex", *_figures("forest-plot"), *_figures("label-sets")),
    "To do it again": ("script", "command"),
}
_FORMATS = tuple(name for names in _GROUPS.values() for name in names)
_TICKED = ("report-pdf",)
_NOT_MEASURED = "How large the findings are was not measured yet."
_NO_ORIGIN = "It is not known where the table came from."
_WIDTH_OF_PARTS = 290
_LEAD = "The report as it is shown, each kind of file from the same sentences, tables and figures."
# Some hundred figures: runs that are gone back to are shown at once.
_MOST_BYTES_OF_FIGURES = 16_000_000


def _no_figures() -> BoundedMemory[Chart, bytes]:
    return BoundedMemory(_MOST_BYTES_OF_FIGURES, len)


class ReportPage(Page):
    """Shows the report of the result that is shown, and writes it."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__("Report", parent)
        self._session, self._document = workspace.session, workspace.session.document
        self._controller = workspace.session.controller
        self.dialogs = ExportDialogs()
        self.dialog: FilesDialog | None = None
        self._ticks = {name: name in _TICKED for name in _FORMATS}
        self._folder: Path | None = None
        self._made_of: tuple[object, ...] = ()
        self._drawn = _no_figures()
        self.stale_notice = StaleNotice("These findings are", self)
        self.notice = Notice(self)
        self.parts = PartsList(self)
        self.preview = ReportPreview(self)
        self.empty = EmptyPage("No results yet", _WHAT, self)
        self.empty.requested.connect(self._session.running.start)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._columns())
        for widget in (self.stale_notice, self.notice):
            self.body.addWidget(widget)
        self.body.addWidget(self._stack, 1)
        self.primary.clicked.connect(self.ask_export)
        self._connect()
        self._on_presentation()

    @property
    def can_export(self) -> bool:
        """Whether there is a report that says something."""
        return self._document.result is not None and bool(self.parts.chosen)

    def ask_export(self) -> None:
        """Ask which files to write, and where to."""
        if not self.can_export or self.dialog is not None or self._controller.report.is_busy:
            return
        reported = self._document.reported
        assert reported is not None
        groups = [
            FileGroup(heading, tuple(self._entry(export_formats()[name], reported) for name in names))
            for heading, names in _GROUPS.items()
        ]
        self.dialog = FilesDialog("Export the report", _LEAD, groups, self._place(), self.dialogs, self)
        form = SettingsForm(ExportOptions, beside=True)
        form.set_values(reported.options)
        form.edited.connect(self._on_option)
        self.dialog.add_form("How files are written", form)
        self.dialog.finished.connect(self._on_asked)
        self.dialog.open()

    def show_failure(self, failure: RunFailure) -> None:
        """Say why the report could not be put together or written."""
        self.notice.show_failure(failure)

    def shut_down(self) -> None:
        """Wait until the files that are being written are whole."""
        self._controller.report.shut_down()

    def showEvent(self, event: QShowEvent) -> None:
        """Put the report together when it is looked at, and have the sizes measured that it tells."""
        super().showEvent(event)
        self._session.measuring.set_wanted(True)
        self._make()

    def _columns(self) -> QSplitter:
        columns = QSplitter(Qt.Orientation.Horizontal, self)
        columns.setHandleWidth(SPACE)
        columns.setChildrenCollapsible(False)
        columns.addWidget(self.parts)
        columns.addWidget(self.preview)
        columns.setStretchFactor(1, 1)
        columns.setSizes([_WIDTH_OF_PARTS, 3 * _WIDTH_OF_PARTS])
        return columns

    def _connect(self) -> None:
        document, controller = self._document, self._controller
        self.parts.edited.connect(self._on_edited)
        self.parts.looked_at.connect(self.preview.show_part)
        for signal in (document.result_changed, document.refined, document.rearranged):
            signal.connect(self._make)
        for signal in (document.opened, document.closed):
            signal.connect(self._let_go)
        document.presentation.changed.connect(self._on_presentation)
        document.notes.changed.connect(self._make)
        self._session.opening.opened.connect(self._on_presentation)
        self._session.changed.connect(self._on_session)
        controller.preview.given_early.connect(self._show)
        controller.preview.succeeded.connect(self._show)
        controller.preview.failed.connect(self.show_failure)
        controller.report.started.connect(self._on_session)
        controller.report.noticed.connect(self._on_session)
        controller.report.ended.connect(self._on_session)
        controller.report.succeeded.connect(self._on_written)
        controller.report.failed.connect(self.show_failure)
        self.stale_notice.run_requested.connect(self._session.running.start)

    def _let_go(self) -> None:
        """Hold nothing of a table that is no longer open, and none of its pictures."""
        self._controller.preview.abandon()
        self._made_of, self._drawn = (), _no_figures()
        self.preview.clear_preview()

    def _on_session(self) -> None:
        document, running = self._document, self._session.running
        self._stack.setCurrentIndex(0 if document.result is None else 1)
        self.empty.set_possible(not running.hindrance, running.hindrance)
        reason = self._session.live.stale_reason
        self.stale_notice.set_reason(reason if document.result is not None else None)
        self.stale_notice.set_can_run(not running.hindrance, running.hindrance)
        if document.result is None:
            self.hide_primary()
            self.set_subtitle("")
            return
        self.set_subtitle(rests_on(document.result), search_details(document.result.settings_used))
        is_writing = self._controller.report.is_busy
        hindrance = "The report is being written" if is_writing else "Tick at least one part"
        self.set_primary("Export…", self.can_export and not is_writing, hindrance)

    def _on_presentation(self) -> None:
        self.parts.set_chosen(self._document.presentation.report_parts)
        self._on_session()
        self._make()

    def _on_edited(self, parts: tuple[str, ...]) -> None:
        if parts:
            self._document.presentation.change_report_parts(parts)
        self._on_session()

    def _make(self) -> None:
        """Put the report together, where it is looked at and there is another to be shown."""
        reported = self._document.reported
        if reported is None or not self.isVisible():
            return
        runs = tuple((each.name, each.result) for each in reported.compared or ())
        made_of = (reported.result, reported.report_parts, reported.notes, reported.graph_places, runs)
        if made_of != self._made_of:
            self._made_of = made_of
            job = MakePreview(reported, self._controller.drawing, DOTS_PER_INCH, self._drawn)
            self._controller.preview.start(job)

    def _show(self, preview: Preview) -> None:
        self.preview.show_preview(preview)
        self.parts.set_filled([section.name for section in preview.report.sections])

    def _entry(self, each: ExportFormat, reported: ReportedAnalysis) -> FileEntry:
        hindrance = ""
        if not each.can_be_made_of(reported):
            hindrance = _NO_ORIGIN if each.needs_origin else _NOT_MEASURED
        return FileEntry(each.name, each.title, each.file_name, each.help, self._ticks[each.name], hindrance)

    def _on_option(self, name: str, value: Any) -> None:
        presentation = self._document.presentation
        presentation.change_export_options(replace(presentation.export_options, **{name: value}))

    def _place(self) -> Path:
        if self._folder is not None:
            return self._folder
        searched: Analysis | None = self._document.searched
        stem = "" if searched is None else file_stem(searched.dataset.name)
        return documents_folder() / f"{stem} report".strip()

    def _on_asked(self, outcome: int) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is None:
            return
        names = tuple(entry.name for entry in dialog.chosen)
        self._ticks = {name: name in names for name in _FORMATS}
        reported = self._document.reported
        if outcome == QDialog.DialogCode.Accepted and reported is not None:
            self._folder = dialog.folder
            self.notice.hide_text()
            self._controller.report.start(
                WriteFiles(reported, dialog.folder, names, self._controller.drawing)
            )
        dialog.deleteLater()

    def _on_written(self, paths: tuple[Path, ...]) -> None:
        show_written(self.notice, paths)
