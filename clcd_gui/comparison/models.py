"""How selectors do on a table: one row a method; and the tables of texts beneath pictures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont

from clcd_gui.run.comparing import ComparisonFindings, TextTable
from clcd_gui.style.text import literal
from clcd_gui.wording.text import counted
from engine.comparison.selectors.figures import MethodFigure, MethodFigures
from engine.comparison.selectors.methods import CLCD_FS, selection_methods
from engine.comparison.selectors.prediction import PAPER_METRICS, Metric, metrics

_Index = QModelIndex | QPersistentModelIndex
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
# The engine says what CLCD-FS is; a row says what its method is.
_STANDINGS = {
    "better": "clearly worse",
    "worse": "clearly better",
    "no difference": "undecided",
}
_LONGEST_LINE = 20


@dataclass(frozen=True, slots=True)
class _Column:
    """A column that is no metric."""

    title: str
    help: str
    text: Callable[[MethodFigures], str]


def _name(row: MethodFigures, splits: int) -> str:
    """Write a name, and beneath it how far a method is, or the rest of a long name."""
    title = selection_methods()[row.method].title
    if row.splits < splits:
        return f"{title}\n{row.splits} of {counted(splits, 'split')}"
    if len(title) <= _LONGEST_LINE:
        return title
    space = title.rfind(" ", 0, _LONGEST_LINE)
    return title if space < 0 else f"{title[:space]}\n{title[space + 1 :]}"


def _rank(row: MethodFigures) -> str:
    ranks = [rank for name in PAPER_METRICS if (rank := _rank_of(row, name)) is not None]
    return f"{fmean(ranks):.1f}" if ranks else ""


def _rank_of(row: MethodFigures, metric: str) -> int | None:
    return row.figures[metric].rank if metric in row.figures else None


def _features(row: MethodFigures) -> str:
    return "" if row.features is None else f"{row.features:.1f}"


def _stability(row: MethodFigures) -> str:
    return "" if row.stability is None else f"{row.stability:.2f}"


def _seconds(row: MethodFigures) -> str:
    # A clock does not tell less.
    return f"{row.processor_seconds:.2g}" if row.processor_seconds >= 0.001 else "< 0.001"


_HIGHER, _LOWER = "Higher is better.", "Lower is better."
_BEFORE = (
    _Column(
        "Method",
        "What selects the features; CLCD-FS is compared with the others.",
        lambda row: selection_methods()[row.method].title,
    ),
    _Column("Features", "How many features are compared, mean over splits.", _features),
)
_AFTER = (
    _Column("Rank", "Mean of the ranks by the four metrics; 1 is best.", _rank),
    _Column(
        "Stability",
        "How much the same features are selected in every split: 1 is always the same, 0 what chance gives.",
        _stability,
    ),
    _Column("Seconds", "Processor time of one selection, without tuning.", _seconds),
)


class ComparisonModel(QAbstractTableModel):
    """Shows mean ± standard deviation, and beneath it rank and significance in words."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[MethodFigures] = []
        self._can_be_certain = False
        self._splits = 0
        self._columns: tuple[_Column | Metric, ...] = (
            *_BEFORE,
            *(metrics()[name] for name in PAPER_METRICS),
            *_AFTER,
        )

    def set_findings(self, findings: ComparisonFindings | None) -> None:
        """Show other figures; a table of the same methods keeps its place."""
        # CLCD-FS first: the others are compared with it.
        rows = sorted(findings.rows, key=lambda row: row.method != CLCD_FS) if findings is not None else []
        self._can_be_certain = findings is not None and findings.can_be_certain
        self._splits = findings.result.settings.splits if findings is not None else 0
        if rows and [each.method for each in rows] == [each.method for each in self._rows]:
            self._rows = rows
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, self.columnCount() - 1))
            return
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    @property
    def metric_columns(self) -> tuple[int, ...]:
        """Places of the columns that hold a metric."""
        return tuple(number for number, each in enumerate(self._columns) if isinstance(each, Metric))

    def as_text(self, positions: list[int]) -> str:
        """Write rows with the heads, cells separated by tabs, for other programs."""
        lines = [[each.title for each in self._columns]]
        lines += [[self._text(row, column) for column in range(len(self._columns))] for row in positions]
        return "\n".join("\t".join(line).replace("\n", ", ") for line in lines)

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Count the rows."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Count the columns."""
        return 0 if parent.isValid() else len(self._columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        """Return the head of a column, and which way is better."""
        if orientation is Qt.Orientation.Vertical:
            return None
        column = self._columns[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if section else _LEFT
        if role == Qt.ItemDataRole.DisplayRole:
            if isinstance(column, Metric):
                return f"{column.title} {'↑' if column.larger_is_better else '↓'}"
            return column.title
        if role == Qt.ItemDataRole.ToolTipRole:
            if isinstance(column, Metric):
                return f"{column.help}\n{_HIGHER if column.larger_is_better else _LOWER}"
            return column.help or None
        return None

    def data(self, index: _Index, role: int = 0) -> Any:
        """Return the text of a cell; the best of a column and the name of CLCD-FS are bold."""
        if not index.isValid():
            return None
        row, column = index.row(), index.column()
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column else _LEFT
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(row, column)
        figure = self._figure(row, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return literal(self._help(row, column))
        is_own_name = column == 0 and self._rows[row].method == CLCD_FS
        if role == Qt.ItemDataRole.FontRole and (is_own_name or (figure is not None and figure.is_best)):
            font = QFont()
            font.setBold(True)
            return font
        return None

    def _figure(self, row: int, column: int) -> MethodFigure | None:
        metric = self._columns[column]
        return self._rows[row].figures.get(metric.name) if isinstance(metric, Metric) else None

    def _text(self, row: int, column: int) -> str:
        shown = self._columns[column]
        if column == 0:
            return _name(self._rows[row], self._splits)
        if not isinstance(shown, Metric):
            return shown.text(self._rows[row])
        figure = self._figure(row, column)
        if figure is None:
            return ""
        spread = figure.spread
        deviation = "" if spread.deviation is None else f" ± {spread.deviation:.3f}"
        return f"{spread.mean:.3f}{deviation}\n{self._standing(row, figure)}"

    def _standing(self, row: int, figure: MethodFigure) -> str:
        """Say whether the difference from CLCD-FS is more than chance, or the rank where that is unknown."""
        if self._can_be_certain and figure.standing and self._rows[row].method != CLCD_FS:
            return _STANDINGS[figure.standing]
        return "yardstick" if figure.rank is None else f"rank {figure.rank}"

    def _help(self, row: int, column: int) -> str:
        shown, figures = self._columns[column], self._rows[row]
        method = selection_methods()[figures.method]
        if column == 0:
            return f"{method.help}\n{method.source}."
        figure = self._figure(row, column)
        if figure is None or not isinstance(shown, Metric):
            return ""
        lines = [
            f"{method.title}, {shown.title}: {figure.spread.mean:.4f}, mean of "
            f"{counted(figures.splits, 'split')}",
            f"lowest {figure.spread.lowest:.4f}, highest {figure.spread.highest:.4f}",
        ]
        if figure.rank is None:
            lines.append("It takes every feature: a yardstick, not a selector.")
        else:
            lines.append(f"rank {figure.rank}")
        if figures.method != CLCD_FS and figure.standing:
            lines.append(
                f"beside CLCD-FS {_STANDINGS[figure.standing]} (Wilcoxon’s signed-rank test, 5 % after Holm)"
                if self._can_be_certain
                else "too few splits for a test"
            )
        return "\n".join(lines)


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

    def as_text(self, positions: list[int]) -> str:
        """Write rows with the heads, cells separated by tabs, for other programs."""
        lines = (self._table.columns, *(self._table.rows[number] for number in positions))
        return "\n".join("\t".join(line) for line in lines)

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Count the rows."""
        return 0 if parent.isValid() else len(self._table.rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Count the columns."""
        return 0 if parent.isValid() else len(self._table.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        """Return the head of a column."""
        if orientation is Qt.Orientation.Vertical:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if section else _LEFT
        return self._table.columns[section] if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: _Index, role: int = 0) -> Any:
        """Return the text of a cell."""
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
