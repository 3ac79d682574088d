"""A table in two ways: the list of its columns above its rows."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QWidget

from clcd_gui.data.columns_model import ColumnsModel
from clcd_gui.data.columns_view import ColumnsView
from clcd_gui.data.preview import PreviewModel, PreviewView
from clcd_gui.document.column_summary import ColumnSummary
from engine.table.dataset import Dataset

_HANDLE_WIDTH = 9
_NO_TABLE = Dataset((), ())


class TableViews(QSplitter):
    """Shows a table in two ways, one above the other."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self.columns_model = ColumnsModel(self)
        self.columns = ColumnsView(self.columns_model)
        self.preview_model = PreviewModel(self)
        self.preview = PreviewView(self.preview_model)
        self.setChildrenCollapsible(False)
        self.setHandleWidth(_HANDLE_WIDTH)
        self.addWidget(self.columns)
        self.addWidget(self.preview)
        self.setStretchFactor(0, 2)
        self.setStretchFactor(1, 1)

    def set_table(self, dataset: Dataset, summaries: Sequence[ColumnSummary]) -> None:
        """Show another table from its beginning."""
        self.columns_model.set_table(dataset.variables, summaries)
        self.columns.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        self.preview_model.set_dataset(dataset)
        self.preview.fit_columns()
        self.columns.scrollToTop()
        self.preview.scrollToTop()

    def clear(self) -> None:
        """Show no table, and hold none."""
        self.set_table(_NO_TABLE, ())

    def update_table(self, dataset: Dataset, summaries: Sequence[ColumnSummary]) -> None:
        """Show the same table with other roles or kinds, without losing the place."""
        self.columns_model.update_table(dataset.variables, summaries)
        self.preview_model.update_dataset(dataset)
