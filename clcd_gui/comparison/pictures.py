"""What a comparison of selectors comes to: in words, as a table, as two pictures with theirs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from clcd_gui.run.comparing import ComparisonFindings, TextTable
from clcd_gui.run.reporting import DrawingProcess
from clcd_gui.style.text import body, literal, muted
from clcd_gui.style.tokens import SPACE
from clcd_gui.widgets.chart_panel import ChartPanel
from clcd_gui.widgets.dialogs import ExportDialogs
from clcd_gui.widgets.figure_table import FigureTable
from clcd_gui.widgets.help_links import HeadingHelp
from clcd_gui.widgets.menus import NamedComboBox
from clcd_gui.widgets.page import Folded
from clcd_gui.wording.text import counted
from engine.comparison.selectors.methods import CLCD_FS, selection_methods
from engine.comparison.selectors.prediction import PAPER_METRICS, Metric, metrics
from engine.comparison.selectors.standings import MethodFigure, MethodFigures
from engine.reporting.figures.chart import Chart

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
class _PlainColumn:
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
    _PlainColumn(
        "Method",
        "What selects the features; CLCD-FS is compared with the others.",
        lambda row: selection_methods()[row.method].title,
    ),
    _PlainColumn("Features", "How many features are compared, mean over splits.", _features),
)
_AFTER = (
    _PlainColumn("Rank", "Mean of the ranks by the four metrics; 1 is best.", _rank),
    _PlainColumn(
        "Stability",
        "How much the same features are selected in every split: 1 is always the same, 0 what chance gives.",
        _stability,
    ),
    _PlainColumn("Seconds", "Processor time of one selection, without tuning.", _seconds),
)


class ComparisonModel(QAbstractTableModel):
    """Shows mean ± standard deviation, and beneath it rank and significance in words."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[MethodFigures] = []
        self._can_be_certain = False
        self._splits = 0
        self._columns: tuple[_PlainColumn | Metric, ...] = (
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


_CURVES = (
    "Each line is the mean over splits as more features are selected. CLCD-FS is one point, ± one standard "
    "deviation, as it chooses its own number. Rest the pointer on a mark to read it; Ctrl and the wheel "
    "look closer."
)
_STANDING = (
    "The mean of each metric, stretched so that the best method is at 0.5 and the worst at 0; losses are "
    "turned round, so that further out is always better. The paper gives no formula; this one is a choice."
)
_NO_CHART, _NO_TABLE = Chart("", ()), TextTable((), ())


class CurvesPanel(ChartPanel):
    """Metrics against the percentage of features selected (Figure 5 of the paper)."""

    def __init__(
        self, drawing: DrawingProcess, dialogs: ExportDialogs, parent: QWidget | None = None
    ) -> None:
        super().__init__("curves", drawing, _CURVES, dialogs, parent)
        self._findings: ComparisonFindings | None = None
        self.metric_box = NamedComboBox()
        self.metric_box.setAccessibleName("Metric of the table")
        self.metric_box.currentIndexChanged.connect(self._fill)
        self._model = TextTableModel(self)
        self.table = FigureTable(self._model, "Means at each percentage", is_whole=True)
        caption = QLabel("The same as a table:")
        caption.setBuddy(self.metric_box)
        row = QHBoxLayout()
        row.setSpacing(SPACE)
        row.addWidget(caption)
        row.addWidget(self.metric_box)
        row.addStretch(1)
        self.below.addLayout(row)
        self.below.addWidget(self.table)

    def set_findings(self, findings: ComparisonFindings | None) -> None:
        """Show another state of a comparison, or none."""
        self._findings = findings
        self.set_chart(_NO_CHART if findings is None else findings.curves)
        if findings is not None and self.metric_box.count() == 0:
            self.metric_box.addItems(list(findings.curve_tables))
        self._fill()

    def _fill(self) -> None:
        tables = {} if self._findings is None else self._findings.curve_tables
        self._model.set_table(tables.get(self.metric_box.currentText(), _NO_TABLE))
        self.table.fit()


class StandingPanel(ChartPanel):
    """Spider diagram with bars beside (Figure 6 of the paper)."""

    def __init__(
        self, drawing: DrawingProcess, dialogs: ExportDialogs, parent: QWidget | None = None
    ) -> None:
        super().__init__("standing", drawing, _STANDING, dialogs, parent)
        self._model = TextTableModel(self)
        self.table = FigureTable(self._model, "Stretched means", is_whole=True)
        self.below.addWidget(self.table)

    def set_findings(self, findings: ComparisonFindings | None) -> None:
        """Show another state of a comparison, or none."""
        self.set_chart(_NO_CHART if findings is None else findings.standing)
        self._model.set_table(_NO_TABLE if findings is None else findings.standing_table)
        self.table.fit()


_NOTHING_YET = "Nothing is measured yet. Press Compare."
_WORKING = "Measuring. CLCD-FS comes first, as it says how many features the others are compared with."
_LEGEND = (
    "Mean ± standard deviation over splits, at as many features as CLCD-FS selects; bold is the best of a "
    "column, ↑ higher is better, ↓ lower. All features together are a yardstick without a rank."
)
_STANDINGS_LEGEND = " Clearly better or worse: than CLCD-FS, by a test over the splits; else undecided."


class ComparisonTable(QWidget):
    """Shows a state of a comparison."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.verdict = body(_NOTHING_YET)
        self.model = ComparisonModel(self)
        self.table = FigureTable(self.model, "Figures of the methods", two_lines=True)
        self.heading_help = HeadingHelp(self.table.horizontalHeader())
        self.legend = muted(_LEGEND)
        self.cautions = body("")
        self.folded = Folded("What to keep in mind", self.cautions)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, SPACE, 0, 0)
        layout.setSpacing(SPACE)
        layout.addWidget(self.verdict)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.legend)
        layout.addWidget(self.folded)

    def set_findings(self, findings: ComparisonFindings | None, is_working: bool) -> None:
        """Show another state."""
        self.model.set_findings(findings)
        self.table.fit(self.model.metric_columns)
        is_tested = findings is not None and findings.can_be_certain
        self.legend.setText(_LEGEND + (_STANDINGS_LEGEND if is_tested else ""))
        verdicts = "\n".join(findings.verdicts) if findings is not None else ""
        self.verdict.setText(verdicts or (_WORKING if is_working else _NOTHING_YET))
        self.cautions.setText("\n".join(f"• {each}" for each in findings.cautions) if findings else "")
        self.folded.setVisible(findings is not None)
        self.folded.set_summary(findings.cautions[0] if findings else "")
