"""The page of the open table: its columns with their roles, its rows, and the labels that a file offers."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from clcd_gui.core.document import Document
from clcd_gui.core.label_offer import named_few
from clcd_gui.core.number_format import counted
from clcd_gui.core.remedies import SettingChange
from clcd_gui.core.summaries import ColumnSummary
from clcd_gui.models.columns_model import Field
from clcd_gui.run.failure import RunFailure, failure_of
from clcd_gui.style.literal_text import set_tooltip
from clcd_gui.views.notice import Notice
from clcd_gui.views.page import Page
from clcd_gui.views.reading_panel import ReadingPanel
from clcd_gui.views.role_bar import RoleBar
from clcd_gui.views.table_views import TableViews
from engine.errors import EngineError
from engine.table.variable import Kind, Role

_TEACH = (
    "Mark the columns that you want to explain as labels: select them in the list, then press L or the "
    "button Label. The other columns are the features that may explain them."
)


class DataPage(Page):
    """Shows the document's table and changes roles and types through it.

    Parameters
    ----------
    document : Document
    """

    run_requested = Signal()
    labels_file_requested = Signal()

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__("Data", parent)
        self._document = document
        self._hindrance, self._is_live = "", False
        self.notice = Notice()
        self.offer_notice = Notice()
        self.reading = ReadingPanel()
        self.tools = RoleBar()
        self.views = TableViews()
        self.columns_model, self.columns = self.views.columns_model, self.views.columns
        self.preview_model, self.preview = self.views.preview_model, self.views.preview
        for widget in (self.notice, self.offer_notice, self.reading, self.tools):
            self.body.addWidget(widget)
        self.body.addWidget(self.views, 1)
        self._connect()

    def focus_filter(self) -> None:
        """Put the keyboard where a column is looked for."""
        self.tools.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.tools.filter.selectAll()

    def set_hindrance(self, reason: str, is_live: bool = False) -> None:
        """Say why a run cannot start, empty when it can; or that none is needed, as results are live."""
        self._hindrance, self._is_live = reason, is_live
        self._set_primary()

    def show_failure(
        self, failure: RunFailure, change: Callable[[SettingChange], object] | None = None
    ) -> None:
        """Say what went wrong with the table, its label file or a run, and offer what helps."""
        self.notice.show_failure(failure, change)

    def _connect(self) -> None:
        self.primary.clicked.connect(self._on_primary)
        self.tools.labels_file_requested.connect(self.labels_file_requested)
        self.tools.role_requested.connect(self._on_role_button)
        self.tools.filter.textChanged.connect(self.columns_model.set_filter)
        self.columns.role_requested.connect(self._set_roles)
        self.columns.kind_requested.connect(self._set_kind)
        self.columns.current_changed.connect(self._on_current)
        self.columns.selectionModel().selectionChanged.connect(self._on_selection)
        self.columns_model.modelReset.connect(self._on_selection)
        self._document.opened.connect(self._on_opened)
        self._document.analysis_changed.connect(self._on_analysis)
        down = QShortcut(QKeySequence(Qt.Key.Key_Down), self.tools.filter)
        down.setContext(Qt.ShortcutContext.WidgetShortcut)
        down.activated.connect(self._leave_filter)

    def _on_opened(self) -> None:
        reading, analysis = self._document.reading, self._document.analysis
        if reading is None or analysis is None:
            return
        self.notice.hide_text()
        if self.heading.toolTip() != str(reading.path):
            self.reading.unfold(False)
        self.heading.setText(reading.path.name)
        set_tooltip(self.heading, str(reading.path))
        self.reading.set_reading(reading, self._document.options)
        self.tools.filter.clear()
        self.views.set_table(analysis.dataset, self._summaries())

    def _on_analysis(self) -> None:
        analysis = self._document.analysis
        if analysis is None:
            return
        dataset = analysis.dataset
        self.views.update_table(dataset, self._summaries())
        parts = [
            counted(dataset.row_count, "row"),
            counted(len(dataset.labels), "label"),
            counted(len(dataset.features), "feature"),
        ]
        if dataset.ignored:
            parts.append(f"{len(dataset.ignored):,} ignored")
        if dataset.weight is not None:
            parts.append(f"weighted by “{dataset.weight}”")
        if dataset.groups is not None:
            parts.append(f"grouped by “{dataset.groups}”")
        self.subtitle.setText(" · ".join(parts))
        self._show_offer()

    def _summaries(self) -> list[ColumnSummary]:
        analysis = self._document.analysis
        names = analysis.dataset.names if analysis is not None else ()
        return [self._document.summary(name) for name in names]

    def _show_offer(self) -> None:
        analysis, offer = self._document.analysis, self._document.offer
        if analysis is None or analysis.dataset.labels:
            self.offer_notice.hide_text()
        elif offer is not None:
            text = f"{counted(len(offer.names), 'label')} named by {offer.source}: {named_few(offer.names)}."
            self.offer_notice.show_text(text, closable=False)
        else:
            self.offer_notice.show_text(_TEACH, closable=False)

    def _set_primary(self) -> None:
        analysis, offer = self._document.analysis, self._document.offer
        if analysis is not None and not analysis.dataset.labels and offer is not None:
            self.set_primary(f"Use {counted(len(offer.names), 'label')}", True)
        else:
            self.set_run(self._hindrance, self._is_live)

    def _on_primary(self) -> None:
        analysis, offer = self._document.analysis, self._document.offer
        if analysis is not None and not analysis.dataset.labels and offer is not None:
            self._document.set_labels(offer.names)
            # The labels come first, so that they are seen.
            self.columns.sortByColumn(Field.ROLE, Qt.SortOrder.AscendingOrder)
            self.columns.scrollToTop()
        else:
            self.run_requested.emit()

    def _on_role_button(self, role: Role) -> None:
        self._set_roles(self.columns.selected_names(), role)
        self.columns.setFocus()

    def _set_roles(self, names: list[str], role: Role) -> None:
        try:
            self._document.set_roles(names, role)
        except EngineError as error:
            self.notice.show_failure(failure_of(error))

    def _set_kind(self, names: list[str], kind: Kind) -> None:
        try:
            self._document.set_kind(names, kind)
        except EngineError as error:
            self.notice.show_failure(failure_of(error))

    def _on_current(self, name: str) -> None:
        analysis = self._document.analysis
        if analysis is not None:
            self.preview.show_column(analysis.dataset, name)

    def _on_selection(self) -> None:
        self.tools.set_selected(len(self.columns.selectionModel().selectedRows()))

    def _leave_filter(self) -> None:
        if self.columns_model.rowCount():
            self.columns.setFocus()
            self.columns.selectRow(0)
