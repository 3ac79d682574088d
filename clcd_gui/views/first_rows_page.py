"""The page of a large table of which the first rows are there and the rest is being read."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from clcd_gui.core.number_format import count_text, counted
from clcd_gui.run.jobs import FirstRows
from clcd_gui.style.literal_text import set_tooltip
from clcd_gui.views.notice import Notice
from clcd_gui.views.page import Page
from clcd_gui.views.role_bar import RoleBar
from clcd_gui.views.table_views import TableViews


class FirstRowsPage(Page):
    """Looks like the page of the open table; nothing can be changed until all of it is there."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Data", parent)
        self.notice = Notice()
        self.tools = RoleBar()
        self.tools.setEnabled(False)
        self.views = TableViews()
        self.views.columns.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.body.addWidget(self.notice)
        self.body.addWidget(self.tools)
        self.body.addWidget(self.views, 1)
        self.set_hindrance("")

    def set_hindrance(self, reason: str) -> None:
        """Say what a run waits for."""
        self.set_primary("Run", False, reason)

    def set_first_rows(self, first_rows: FirstRows) -> None:
        """Show the first rows of a table."""
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
