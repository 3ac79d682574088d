"""What a comparison of selectors comes to: in words, as a table, as two pictures with theirs."""

from __future__ import annotations

from statistics import fmean

from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from clcd_gui.run.comparing import ComparisonFindings, TextTable
from clcd_gui.run.reporting import DrawingProcess
from clcd_gui.style.text import body, literal, muted
from clcd_gui.style.tokens import SPACE
from clcd_gui.widgets.chart_panel import ChartPanel
from clcd_gui.widgets.dialogs import ExportDialogs
from clcd_gui.widgets.figure_table import FigureCell, FigureModel, FigureTable
from clcd_gui.widgets.help_links import HeadingHelp
from clcd_gui.widgets.menus import NamedComboBox
from clcd_gui.widgets.page import Folded
from clcd_gui.wording.text import counted
from engine.comparison.selectors.methods import CLCD_FS, selection_methods
from engine.comparison.selectors.prediction import PAPER_METRICS, Metric, metrics
from engine.comparison.selectors.standings import MethodFigures
from engine.reporting.figures.chart import Chart

# The engine says what CLCD-FS is; a row says what its method is.
_STANDINGS = {
    "better": "clearly worse",
    "worse": "clearly better",
    "no difference": "undecided",
}
_LONGEST_LINE = 20
_HIGHER, _LOWER = "Higher is better.", "Lower is better."
_BEFORE = (
    FigureCell("Method", "What selects the features; CLCD-FS is compared with the others."),
    FigureCell("Features", "How many features are compared, mean over splits."),
)
_AFTER = (
    FigureCell("Rank", "Mean of the ranks by the four metrics; 1 is best."),
    FigureCell(
        "Stability",
        "How much the same features are selected in every split: 1 is always the same, 0 what chance gives.",
    ),
    FigureCell("Seconds", "Processor time of one selection, without tuning."),
)
METRIC_COLUMNS = range(len(_BEFORE), len(_BEFORE) + len(PAPER_METRICS))
"""Places of the columns that hold a metric."""


def comparison_headings() -> tuple[FigureCell, ...]:
    """Return the headings of the table, and which way is better."""
    return (*_BEFORE, *(_metric_heading(metrics()[name]) for name in PAPER_METRICS), *_AFTER)


def _metric_heading(metric: Metric) -> FigureCell:
    arrow, better = ("↑", _HIGHER) if metric.larger_is_better else ("↓", _LOWER)
    return FigureCell(f"{metric.title} {arrow}", f"{metric.help}\n{better}", copied=metric.title)


def comparison_rows(findings: ComparisonFindings | None) -> tuple[tuple[FigureCell, ...], ...]:
    """Return a row a method: mean ± standard deviation, and beneath it rank and significance in words."""
    if findings is None:
        return ()
    # CLCD-FS first: the others are compared with it.
    ordered = sorted(findings.rows, key=lambda row: row.method != CLCD_FS)
    return tuple(_row(each, findings) for each in ordered)


def _row(row: MethodFigures, findings: ComparisonFindings) -> tuple[FigureCell, ...]:
    method = selection_methods()[row.method]
    name = _name(row, findings.result.settings.splits)
    ranks = [figure.rank for each in PAPER_METRICS if (figure := row.figures.get(each)) and figure.rank]
    # A clock does not tell less than a thousandth.
    seconds = f"{row.processor_seconds:.2g}" if row.processor_seconds >= 0.001 else "< 0.001"
    return (
        FigureCell(
            name,
            literal(f"{method.help}\n{method.source}."),
            row.method == CLCD_FS,
            name.replace("\n", ", "),
        ),
        FigureCell("" if row.features is None else f"{row.features:.1f}"),
        *(_metric_cell(row, metrics()[each], findings.can_be_certain) for each in PAPER_METRICS),
        FigureCell(f"{fmean(ranks):.1f}" if ranks else ""),
        FigureCell("" if row.stability is None else f"{row.stability:.2f}"),
        FigureCell(seconds),
    )


def _name(row: MethodFigures, splits: int) -> str:
    """Write a name, and beneath it how far a method is, or the rest of a long name."""
    title = selection_methods()[row.method].title
    if row.splits < splits:
        return f"{title}\n{row.splits} of {counted(splits, 'split')}"
    if len(title) <= _LONGEST_LINE:
        return title
    space = title.rfind(" ", 0, _LONGEST_LINE)
    return title if space < 0 else f"{title[:space]}\n{title[space + 1 :]}"


def _metric_cell(row: MethodFigures, metric: Metric, can_be_certain: bool) -> FigureCell:
    figure = row.figures.get(metric.name)
    if figure is None:
        return FigureCell("")
    spread, rank = figure.spread, f"rank {figure.rank}"
    lines = [
        f"{selection_methods()[row.method].title}, {metric.title}: {spread.mean:.4f}, mean of "
        f"{counted(row.splits, 'split')}",
        f"lowest {spread.lowest:.4f}, highest {spread.highest:.4f}",
        rank if figure.rank is not None else "It takes every feature: a yardstick, not a selector.",
    ]
    # Whether the difference from CLCD-FS is more than chance, or the rank where that is unknown.
    standing = rank if figure.rank is not None else "yardstick"
    if row.method != CLCD_FS and figure.standing:
        if can_be_certain:
            standing = _STANDINGS[figure.standing]
            lines.append(f"beside CLCD-FS {standing} (Wilcoxon’s signed-rank test, 5 % after Holm)")
        else:
            lines.append("too few splits for a test")
    return FigureCell(
        f"{spread.text}\n{standing}", literal("\n".join(lines)), figure.is_best, f"{spread.text}, {standing}"
    )


def _show_table(table: FigureTable, model: FigureModel, content: TextTable) -> None:
    """Show texts: the first column names the row, the others hold figures."""
    rows = (
        tuple(FigureCell(text, is_bold=number in content.strong) for text in row)
        for number, row in enumerate(content.rows)
    )
    model.set_figures(tuple(map(FigureCell, content.columns)), tuple(rows))
    table.fit()


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
        self._model = FigureModel(self)
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
        _show_table(self.table, self._model, tables.get(self.metric_box.currentText(), _NO_TABLE))


class StandingPanel(ChartPanel):
    """Spider diagram with bars beside (Figure 6 of the paper)."""

    def __init__(
        self, drawing: DrawingProcess, dialogs: ExportDialogs, parent: QWidget | None = None
    ) -> None:
        super().__init__("standing", drawing, _STANDING, dialogs, parent)
        self._model = FigureModel(self)
        self.table = FigureTable(self._model, "Stretched means", is_whole=True)
        self.below.addWidget(self.table)

    def set_findings(self, findings: ComparisonFindings | None) -> None:
        """Show another state of a comparison, or none."""
        self.set_chart(_NO_CHART if findings is None else findings.standing)
        _show_table(self.table, self._model, _NO_TABLE if findings is None else findings.standing_table)


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
        self.model = FigureModel(self)
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
        self.model.set_figures(comparison_headings(), comparison_rows(findings))
        self.table.fit(METRIC_COLUMNS)
        is_tested = findings is not None and findings.can_be_certain
        self.legend.setText(_LEGEND + (_STANDINGS_LEGEND if is_tested else ""))
        verdicts = "\n".join(findings.verdicts) if findings is not None else ""
        self.verdict.setText(verdicts or (_WORKING if is_working else _NOTHING_YET))
        self.cautions.setText("\n".join(f"• {each}" for each in findings.cautions) if findings else "")
        self.folded.setVisible(findings is not None)
        self.folded.set_summary(findings.cautions[0] if findings else "")
