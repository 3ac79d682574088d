"""What a comparison of selectors comes to: in words, as a table, as two pictures with theirs."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from clcd_gui.comparison.models import ComparisonModel, TextTableModel
from clcd_gui.run.comparing import ComparisonFindings, TextTable
from clcd_gui.run.reporting import DrawingProcess
from clcd_gui.style.text import body, muted
from clcd_gui.style.tokens import SPACE
from clcd_gui.widgets.chart_panel import ChartPanel
from clcd_gui.widgets.dialogs import ExportDialogs
from clcd_gui.widgets.figure_table import FigureTable
from clcd_gui.widgets.help_links import HeadingHelp
from clcd_gui.widgets.named_combo_box import NamedComboBox
from clcd_gui.widgets.page import Folded
from engine.reporting.figures.chart import Chart

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


_BEFORE = "Nothing is measured yet. Press Compare."
_WORKING = "Measuring. CLCD-FS comes first, as it says how many features the others are compared with."
_LEGEND = (
    "Mean ± standard deviation over splits, at as many features as CLCD-FS selects; bold is the best of a "
    "column, ↑ higher is better, ↓ lower. All features together are a yardstick without a rank."
)
_STANDINGS = " Clearly better or worse: than CLCD-FS, by a test over the splits; else undecided."


class ComparisonTable(QWidget):
    """Shows a state of a comparison."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.verdict = body(_BEFORE)
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
        self.legend.setText(_LEGEND + (_STANDINGS if is_tested else ""))
        verdicts = "\n".join(findings.verdicts) if findings is not None else ""
        self.verdict.setText(verdicts or (_WORKING if is_working else _BEFORE))
        self.cautions.setText("\n".join(f"• {each}" for each in findings.cautions) if findings else "")
        self.folded.setVisible(findings is not None)
        self.folded.set_summary(findings.cautions[0] if findings else "")
