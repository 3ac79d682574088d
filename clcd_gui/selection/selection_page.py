"""The page of selected features: what was selected and why, over the selection shared with the results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDialog, QMenu, QStackedWidget, QWidget

from clcd_gui.document import selected_features
from clcd_gui.document.analysis import Analysis
from clcd_gui.document.document import PreferredVariables
from clcd_gui.document.navigation import Highlight, SelectedPair
from clcd_gui.document.selected_features import SelectedFeatures
from clcd_gui.plots.figure import FIGURE_FORMATS, Figure
from clcd_gui.plots.grid_data import SELECTED
from clcd_gui.run.failure import RunFailure, failure_of
from clcd_gui.run.reporting import DrawingProcess
from clcd_gui.run.running import SelectingState
from clcd_gui.run.writing import write_drawing, write_selection
from clcd_gui.style import icons
from clcd_gui.style.text import set_tooltip
from clcd_gui.style.themes import colours
from clcd_gui.style.tokens import SPACE
from clcd_gui.widgets.chart_panel import ChartPanel
from clcd_gui.widgets.controls import FocusLeader
from clcd_gui.widgets.dialogs import SAVE_FOLDER, FileEntry, FileGroups, FilesDialog
from clcd_gui.widgets.export_actions import export_folder
from clcd_gui.widgets.file_writer import FileWriter
from clcd_gui.widgets.finding_table_model import window_model
from clcd_gui.widgets.findings_panel import FindingsPanel
from clcd_gui.widgets.grid_panel import GridPanel
from clcd_gui.widgets.labels import PhraseLabel
from clcd_gui.widgets.layouts import column
from clcd_gui.widgets.notices import Notice, StaleNotice, show_written
from clcd_gui.widgets.page import EmptyPage, GradualFilling, Page, Tabs
from clcd_gui.widgets.window_page import WindowPage, Workspace
from clcd_gui.wording.setting_values import rests_on, search_details
from clcd_gui.wording.text import counted
from engine.errors import EngineError
from engine.reporting.selection_formats import ExportedSelection as ExportContent
from engine.reporting.selection_formats import TableLayout, selection_formats
from engine.selection.result import SELECTED_FEATURES
from engine.table.dataset import Dataset
from engine.translation import N_, _

_NOTHING = N_(
    "No feature was selected. On the Method page, you can choose a higher significance level (α), "
    "which finds weaker links and more false ones. Smaller conditioning sets or more rows also find "
    "more."
)
_PICTURE = "selection_grid"
_TOO_LARGE = N_("The table is too large for this kind of file.")


_CONTENT = "selection"


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
        self._table_layout = TableLayout()
        self._ticks: dict[str, bool] = {}

    def set_selected(self, selected: SelectedFeatures | None, searched: Analysis | None) -> None:
        """Export another selection."""
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
        size = _(
            "The table with {features} and {labels} only ({rows}), and the reasons for each "
            "feature. Values are those of the file that you opened.",
            features=counted(len(table.features), "selected feature"),
            labels=counted(len(table.labels), "label"),
            rows=counted(table.row_count, "row"),
        )
        groups = self._groups(table)
        place = export_folder(self._searched, _CONTENT)
        heading, parent = _("Export the selection"), self.parentWidget()
        self.dialog = FilesDialog(heading, size, groups, place, self.dialogs, parent)
        self.form = self.dialog.add_form(_("Layout of the table"), self._table_layout)
        self.form.edited.connect(self._on_layout)
        self.dialog.finished.connect(self._on_finished)
        self.dialog.open()

    def _on_layout(self, name: str, value: Any) -> None:
        self._table_layout = replace(self._table_layout, **{name: value})

    def _groups(self, table: Dataset) -> FileGroups:
        tables: list[FileEntry] = []
        reasons: list[FileEntry] = []
        for name, file_format in selection_formats().items():
            hindrance = "" if file_format.holds(table) else _(_TOO_LARGE)
            ticked = self._ticks.get(name, True)
            entry = FileEntry(
                name, _(file_format.title), file_format.file_name, _(file_format.help), ticked, hindrance
            )
            (tables if name.startswith("data") else reasons).append(entry)
        hindrance = "" if self._figure() is not None else _("No feature fits the filter of the grid.")
        pictures = [
            FileEntry(name, heading, name, ticked=self._ticks.get(name, False), hindrance=hindrance)
            for name, heading in (
                (f"{_PICTURE}{end}", _(title)) for end, (title, _draw) in FIGURE_FORMATS.items()
            )
        ]
        return {
            _("Reduced table"): tables,
            _("Features and reasons"): reasons,
            _("Picture of the grid, with its present filter and order"): pictures,
        }

    def _on_finished(self, outcome: int) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is None:
            return
        chosen = {entry.name for entry in dialog.files.chosen}
        entries = (entry for entry in dialog.files.entries if not entry.hindrance)
        self._ticks |= {entry.name: entry.name in chosen for entry in entries}
        if outcome == QDialog.DialogCode.Accepted:
            SAVE_FOLDER.remember(dialog.folder, _CONTENT)
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


class SelectedView(QWidget):
    """Sentences on what was selected, above a part that shows it."""

    def __init__(
        self,
        highlight: Highlight,
        part: FindingsPanel | GridPanel,
        focused: QWidget,
        parent: QWidget | None,
    ) -> None:
        super().__init__(parent)
        self._highlight = highlight
        self.sentences = PhraseLabel(self)
        self.sentences.followed.connect(self._on_followed)
        column(self.sentences, (part, 1), on=self, margins=(0, SPACE, 0, 0), spacing=0)
        FocusLeader(self, focused)

    def _on_followed(self, pair: SelectedPair) -> None:
        self._highlight.select(pair.feature, pair.label)


class SelectedPanel(SelectedView):
    """Says what was selected, and lists it in the order in which it was chosen."""

    def __init__(
        self, highlight: Highlight, preferred: PreferredVariables, parent: QWidget | None = None
    ) -> None:
        model = window_model(SELECTED_FEATURES)
        self.findings = FindingsPanel(model, highlight, preferred, _("Selected features"), noun=N_("feature"))
        super().__init__(highlight, self.findings, self.findings.table, parent)

    def set_selected(self, selected: SelectedFeatures | None) -> None:
        """Show other features."""
        if selected is None:
            self.sentences.set_sentences(())
            self.findings.set_findings((), "")
            return
        sentences = (selected_features.stopped(selected), *selected_features.summary(selected))
        self.sentences.set_sentences([sentence for sentence in sentences if sentence])
        self.findings.set_findings(selected.all, _(_NOTHING))

    def _on_followed(self, pair: SelectedPair) -> None:
        if pair.feature is not None:
            self.findings.reveal(pair.feature)
        super()._on_followed(pair)


class SelectedGrid(SelectedView):
    """Says which labels are most alike, and shows which feature serves which label, and how."""

    def __init__(self, highlight: Highlight, parent: QWidget) -> None:
        self.panel = GridPanel(highlight, content=SELECTED)
        super().__init__(highlight, self.panel, self.panel, parent)

    def set_selected(self, selected: SelectedFeatures | None) -> None:
        """Show other features."""
        shared = selected_features.shared(selected) if selected is not None else ()
        self.sentences.set_sentences([shared] if shared else [])
        self.panel.set_findings(selected)


_WHAT = N_(
    "This page will show a small set of features that together carry information about every label. "
    "For each feature, it shows which labels it serves, what it replaces, and its alternatives. You "
    "can export the table with these features only."
)
_WORDS = {
    SelectingState.NO_RESULT: (N_("No selection yet"), _WHAT, N_("Run")),
    SelectingState.NOT_BEGUN: (N_("No selection yet"), _WHAT, N_("Select features")),
    SelectingState.STOPPED: (N_("The selection was stopped"), _WHAT, N_("Select features")),
    SelectingState.FAILED: (N_("No feature could be selected"), _WHAT, N_("Try again")),
}
_SILENCE = ("", "", "")


class SelectionPage(WindowPage):
    """Shows one selection of features, made while this page is shown, and in tabs further panels."""

    can_find = True

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._document = workspace.session, workspace.session.document
        self._navigation = workspace.navigation
        self._selecting = workspace.session.selecting
        self._selected: SelectedFeatures | None = None
        highlight = workspace.highlight
        self.empty = EmptyPage("", "", self)
        self.empty.requested.connect(self._on_requested)
        self.notice = Notice(self)
        self.stale_notice = StaleNotice(_("These features are from earlier settings."), self)
        self.stale_notice.run_requested.connect(self._session.running.start)
        self.features = SelectedPanel(highlight, workspace.preferred, self)
        self._filled = Page(_("Selection"), self)
        self.tabs = Tabs(self._filled, documentMode=True)
        self.tabs.setAccessibleName(_("Views of the selection"))
        self.grid = SelectedGrid(highlight, self)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.features)
        self.add_panel(self._stack, _("Features"))
        self.add_panel(self.grid, _("Grid"))
        self._filling = GradualFilling(self.tabs, self._fill)
        self.tabs.currentChanged.connect(self._arrange)
        self._filled.set_primary(_("Export…"), enabled=True)
        set_tooltip(self._filled.primary, _("Write the reduced table, the reasons and a picture of the grid"))
        icons.assign(self._filled.primary, "export", colours(), "accent_text")
        self.export_button = self._filled.primary
        self.export = SelectionExport(self, self._figure, workspace.session.controller.drawing)
        self.export_button.clicked.connect(self.export.ask)
        self.export.written.connect(partial(show_written, self.notice))
        self.export.failed.connect(self.show_failure)
        self._filled.body.addWidget(self.tabs, 1)
        # Below all else, so that nothing moves when one comes or goes.
        for notice in (self.stale_notice, self.notice):
            self._filled.body.addWidget(notice)
        column(self._filled, on=self)
        self.export_action = QAction(_("Export the selection…"), self)
        icons.assign(self.export_action, "export", colours())
        self.export_action.triggered.connect(self._on_export)
        self._connect()
        self._document.notes.changed.connect(self._show_notes)
        self._on_step(self._navigation.step)
        if self._document.selected_features is not None:
            self._on_selected()
        self._tell_state()
        self._on_session()

    @property
    def can_explain(self) -> bool:
        """Whether features are shown that can be asked about; other panels need the width."""
        is_shown = self.tabs.currentWidget() in (self._stack, self.grid)
        return is_shown and self._document.feature_selection is not None

    @property
    def can_export(self) -> bool:
        """Whether any feature is selected."""
        selection = self._document.feature_selection
        return selection is not None and bool(selection.features)

    @property
    def menu_entries(self) -> Mapping[str, Sequence[QAction | QMenu]]:
        """The export of the selection."""
        return {"File": [self.export_action]}

    def ask_export(self) -> None:
        """Ask which files to write."""
        self.export.ask()

    def shut_down(self) -> None:
        """Wait until files that are being written are whole."""
        self.export.shut_down()
        for chart in self.findChildren(ChartPanel):
            chart.shut_down()

    def add_panel(self, panel: QWidget, title: str) -> None:
        """Add a tab behind those that are there."""
        self.tabs.addTab(panel, title)

    def show_failure(self, failure: RunFailure) -> None:
        """Say why something did not work."""
        is_empty = self._selected is None and self.tabs.currentWidget() is self._stack
        notice = self.empty.notice if is_empty else self.notice
        notice.show_failure(failure)

    def find_text(self) -> None:
        """Put the keyboard where something is looked for in the current view."""
        if self.tabs.currentWidget() is self.grid:
            self.grid.panel.find_text()
        else:
            self.tabs.setCurrentWidget(self._stack)
            self.features.findings.find_text()

    @property
    def is_filled(self) -> bool:
        """Whether every view holds the selection; those that are not looked at are filled a moment later."""
        return self._filling.is_done

    def _fill(self, panel: QWidget) -> None:
        """Hand the features to a panel."""
        (self.grid if panel is self.grid else self.features).set_selected(self._selected)

    def _arrange(self) -> None:
        """Show the features or what is missing; the export belongs to the features and their grid."""
        has_any = self._selected is not None
        self._stack.setCurrentWidget(self.features if has_any else self.empty)
        if not has_any and self.tabs.currentWidget() is self.grid:
            self.tabs.setCurrentWidget(self._stack)
        self.tabs.setTabEnabled(self.tabs.indexOf(self.grid), has_any)
        if self._selected is None or self.tabs.currentWidget() not in (self._stack, self.grid):
            self._filled.hide_primary()
            return
        hindrance = "" if self._selected.all else _("No feature was selected")
        self._filled.set_primary(_("Export…"), not hindrance, hindrance)

    def _figure(self) -> Figure | None:
        self._filling.fill(self.grid)
        return self.grid.panel.figure()

    def _connect(self) -> None:
        session, document = self._session, self._document
        self._navigation.changed.connect(self._on_step)
        document.features_selected.connect(self._on_selected)
        document.names_changed.connect(self._on_names)
        self._selecting.changed.connect(self._on_selecting)
        self._selecting.failed.connect(self.show_failure)
        session.controller.selection.noticed.connect(self._show_working)
        for signal in (document.result_changed, document.analysis_changed, session.live.changed):
            signal.connect(self._tell_staleness)
        session.live.failed.connect(self._tell_staleness)
        session.changed.connect(self._on_session)
        self.tabs.currentChanged.connect(self.can_explain_changed)

    def _on_step(self, step: str) -> None:
        self._selecting.set_wanted(step == "selection")

    def _on_selected(self) -> None:
        self._show(self._document.selected_features)

    def _on_names(self) -> None:
        """Show the same features with variables called otherwise."""
        self._filling.begin([self._stack, self.grid])

    def _on_selecting(self) -> None:
        if self._selecting.state not in (SelectingState.DONE, SelectingState.WORKING):
            self._show(None)
        self._tell_state()

    def _on_session(self) -> None:
        self.stale_notice.set_hindrance(self._session.running.hindrance)
        self.export_action.setEnabled(self.can_export)
        self._allow_request()

    def _show_notes(self) -> None:
        self.features.findings.set_notes(self._document.notes.beside_names)

    def _show(self, selected: SelectedFeatures | None) -> None:
        """Show other features; None shows the empty page again."""
        self._selected = selected
        self.export.set_selected(selected, self._document.searched)
        self._show_notes()
        self._filling.begin([self._stack, self.grid])
        self._arrange()
        self._tell_staleness()
        self._filled.set_subtitle("")
        if selected is not None:
            self._filled.set_subtitle(
                rests_on(selected.result), search_details(selected.result.settings_used)
            )
            self.notice.hide_text()
        self.can_explain_changed.emit()

    def _show_working(self) -> None:
        """Take away what was selected from another result, once it takes long to select from this one."""
        self._show(None)
        self._tell_state()
        self.empty.set_words(_("Selecting features"), _(_WHAT), "")

    def _tell_state(self) -> None:
        """Say how the selection stands while none can be shown, and nothing while it may be short."""
        state = self._selecting.state
        if state is not SelectingState.FAILED:
            self.empty.notice.hide_text()
        self.empty.set_words(*map(_, _WORDS.get(state, _SILENCE)))
        self._allow_request()
        self._arrange()

    def _tell_staleness(self) -> None:
        reason = self._session.live.stale_reason
        self.stale_notice.set_reason(reason if self._selected is not None else None)

    def _allow_request(self) -> None:
        waits_for_run = self._selecting.state is SelectingState.NO_RESULT
        self.empty.set_hindrance(self._session.running.hindrance if waits_for_run else "")

    def _on_requested(self) -> None:
        if self._selecting.state is SelectingState.NO_RESULT:
            self._session.running.start()
        else:
            self._selecting.start()

    def _on_export(self) -> None:
        self._navigation.go("selection")
        self.ask_export()
