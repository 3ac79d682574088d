"""The figures of a comparison, one row a metric and kind of network, one column a method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont

from engine.comparison.networks.methods import methods
from engine.comparison.networks.result import (
    METRICS,
    TIMES,
    BenchmarkResult,
    ShownFigure,
    accuracy_figures,
    time_figures,
)
from engine.comparison.networks.settings import cells, tables_with

_Index = QModelIndex | QPersistentModelIndex
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_HEADS = ("Metric", "Networks")


@dataclass(frozen=True, slots=True)
class _Row:
    metric: str
    networks: str
    figures: tuple[ShownFigure, ...]


class BenchmarkModel(QAbstractTableModel):
    """Shows a result as measured under one variant; beneath each figure the paper's."""

    name_columns = len(_HEADS)
    """Number of columns that say what a row is about."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._methods: tuple[str, ...] = ()
        self._rows: tuple[_Row, ...] = ()

    def set_result(self, result: BenchmarkResult, variant: str) -> None:
        """Show other figures; a table of the same shape keeps its place."""
        rows = _rows(result, variant)
        if result.settings.methods == self._methods and len(rows) == len(self._rows):
            self._rows = rows
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, self.columnCount() - 1))
            return
        self.beginResetModel()
        self._methods, self._rows = result.settings.methods, rows
        self.endResetModel()

    def as_text(self, positions: list[int]) -> str:
        """Write rows with the heads, cells separated by tabs, for other programs."""
        columns = range(self.columnCount())
        heads = [str(self.headerData(column, Qt.Orientation.Horizontal)) for column in columns]
        lines = [[self._text(row, column) for column in columns] for row in positions]
        return "\n".join("\t".join(line).replace("\n", " ") for line in [heads, *lines])

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Count the rows."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Count the columns."""
        return 0 if parent.isValid() else len(_HEADS) + len(self._methods)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        """Return the name of a method."""
        if orientation is Qt.Orientation.Vertical:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _LEFT if section < len(_HEADS) else _RIGHT
        if section < len(_HEADS):
            return _HEADS[section] if role == Qt.ItemDataRole.DisplayRole else None
        method = methods()[self._methods[section - len(_HEADS)]]
        if role == Qt.ItemDataRole.DisplayRole:
            return method.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{method.help} ({method.options})" if method.options else method.help
        return None

    def data(self, index: _Index, role: int = 0) -> Any:
        """Return the text of a cell, and the best of a row in bold."""
        if not index.isValid():
            return None
        row, column = index.row(), index.column()
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _LEFT if column < len(_HEADS) else _RIGHT
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(row, column)
        if column < len(_HEADS):
            return None
        figure = self._rows[row].figures[column - len(_HEADS)]
        if role == Qt.ItemDataRole.ToolTipRole:
            lines = [
                f"Measured: {figure.measured}, the best of the row"
                if figure.is_best
                else f"Measured: {figure.measured}"
            ]
            if figure.paper:
                lines.append(f"In the paper: {figure.paper}")
            return "\n".join(lines)
        if role == Qt.ItemDataRole.FontRole and figure.is_best:
            font = QFont()
            font.setBold(True)
            return font
        return None

    def _text(self, row: int, column: int) -> str:
        shown = self._rows[row]
        if column < len(_HEADS):
            return (shown.metric, shown.networks)[column]
        figure = shown.figures[column - len(_HEADS)]
        paper = f"paper {figure.paper}" if figure.paper else ""
        return f"{figure.measured}\n{paper}"


def _rows(result: BenchmarkResult, variant: str) -> tuple[_Row, ...]:
    rows = [
        _Row(title, cells()[cell].title, accuracy_figures(result, cell, variant, metric))
        for metric, title in METRICS
        for cell in result.settings.cells
    ]
    rows += [
        _Row("Time", f"{title}, {table.name}", time_figures(result, table, variant, measure))
        for table in tables_with(result.settings.cells)
        for measure, title in TIMES
    ]
    return tuple(rows)
