"""The two pictures of a comparison of selectors, each with its table: curves, and how methods stand."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QWidget

from clcd_gui.core.comparison_findings import ComparisonFindings, TextTable
from clcd_gui.models.text_table_model import TextTableModel
from clcd_gui.style.tokens import SPACE
from clcd_gui.views.chart_panel import ChartPanel
from clcd_gui.views.export_dialogs import ExportDialogs
from clcd_gui.views.figure_table import FigureTable

_CURVES = (
    "Each line is the mean over splits as more features are selected. CLCD-FS is one point, ± one standard "
    "deviation, as it chooses its own number. Rest the pointer on a mark to read it; Ctrl and the wheel "
    "look closer."
)
_STANDING = (
    "The mean of each metric, stretched so that the best method is at 0.5 and the worst at 0; losses are "
    "turned round, so that further out is always better. The paper gives no formula; this one is a choice."
)


class CurvesPanel(ChartPanel):
    """Metrics against the percentage of features selected (Figure 5 of the paper)."""

    def __init__(self, dialogs: ExportDialogs, parent: QWidget | None = None) -> None:
        super().__init__("curves", _CURVES, dialogs, parent)
        self._findings: ComparisonFindings | None = None
        self.metric_box = QComboBox()
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

    def set_findings(self, findings: ComparisonFindings) -> None:
        """Show another state of a comparison."""
        self._findings = findings
        self.set_chart(findings.curves)
        if self.metric_box.count() == 0:
            self.metric_box.addItems(list(findings.curve_tables))
        self._fill()

    def _fill(self) -> None:
        if self._findings is not None:
            self._model.set_table(
                self._findings.curve_tables.get(self.metric_box.currentText(), TextTable((), ()))
            )
            self.table.fit()


class StandingPanel(ChartPanel):
    """Spider diagram with bars beside (Figure 6 of the paper)."""

    def __init__(self, dialogs: ExportDialogs, parent: QWidget | None = None) -> None:
        super().__init__("standing", _STANDING, dialogs, parent)
        self._model = TextTableModel(self)
        self.table = FigureTable(self._model, "Stretched means", is_whole=True)
        self.below.addWidget(self.table)

    def set_findings(self, findings: ComparisonFindings) -> None:
        """Show another state of a comparison."""
        self.set_chart(findings.standing)
        self._model.set_table(findings.standing_table)
        self.table.fit()
