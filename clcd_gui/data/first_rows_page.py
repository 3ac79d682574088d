"""The page of a large table that is being read: the first rows so far."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from clcd_gui.data.columns_view import RoleBar
from clcd_gui.data.table_views import TableViews
from clcd_gui.run.table_reading import FirstRows
from clcd_gui.style.text import set_tooltip
from clcd_gui.widgets.notices import Notice
from clcd_gui.widgets.page import Page
from clcd_gui.widgets.window_page import Workspace
from clcd_gui.wording.text import count_text, counted


class FirstRowsPage(Page):
    """Looks like the page of the open table; nothing can be changed until all of it is there."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__("Data", parent)
        session = workspace.session
        self.notice = Notice()
        self.tools = RoleBar()
        self.tools.setEnabled(False)
        self.views = TableViews()
        self.views.columns.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.body.addWidget(self.notice)
        self.body.addWidget(self.tools)
        self.body.addWidget(self.views, 1)
        self._running = session.running
        session.changed.connect(self._tell_hindrance)
        session.opening.begun.connect(self._on_begun)
        self._tell_hindrance()
        if session.opening.first_rows is not None:
            self._on_begun(session.opening.first_rows)

    def _tell_hindrance(self) -> None:
        self.set_primary("Run", False, self._running.hindrance)

    def _on_begun(self, first_rows: FirstRows) -> None:
        reading = first_rows.reading
        dataset = reading.dataset
        self.heading.setText(reading.path.name)
        set_tooltip(self.heading, str(reading.path))
        self.subtitle.setText(f"{counted(len(dataset.names), 'column')} · Reading the rest…")
        self.notice.show_text(
            f"These are the first {count_text(dataset.row_count)} rows; types and values are theirs and may "
            "change with the whole table.",
            closable=False,
        )
        self.views.set_table(dataset, first_rows.summaries)
