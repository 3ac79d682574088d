"""A table of texts, as it stands beneath a picture."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont

from clcd_gui.core.comparison_findings import TextTable

_Index = QModelIndex | QPersistentModelIndex
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class TextTableModel(QAbstractTableModel):
    """Shows texts: the first column names the row, the others hold figures."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._table = TextTable((), ())

    def set_table(self, table: TextTable) -> None:
        """Show another table; one of the same shape keeps its place."""
        shown = self._table
        if shown.columns == table.columns and len(shown.rows) == len(table.rows) and table.rows:
            self._table = table
            last = self.index(len(table.rows) - 1, len(table.columns) - 1)
            self.dataChanged.emit(self.index(0, 0), last)
            return
        self.beginResetModel()
        self._table = table
        self.endResetModel()

    def as_text(self, places: list[int]) -> str:
        """Write rows with the heads, cells separated by tabs, for other programs."""
        lines = (self._table.columns, *(self._table.rows[place] for place in places))
        return "\n".join("\t".join(line) for line in lines)

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Count the rows."""
        return 0 if parent.isValid() else len(self._table.rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Count the columns."""
        return 0 if parent.isValid() else len(self._table.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        """Give the head of a column."""
        if orientation is Qt.Orientation.Vertical:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if section else _LEFT
        return self._table.columns[section] if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: _Index, role: int = 0) -> Any:
        """Give the text of a cell."""
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if index.column() else _LEFT
        if role == Qt.ItemDataRole.DisplayRole:
            return self._table.rows[index.row()][index.column()]
        if role == Qt.ItemDataRole.FontRole and index.row() in self._table.strong:
            font = QFont()
            font.setBold(True)
            return font
        return None
