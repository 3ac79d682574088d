"""The figures of a comparison of selectors: what they say in words, the table, and what to keep in mind."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from clcd_gui.core.comparison_findings import ComparisonFindings
from clcd_gui.models.comparison_model import ComparisonModel
from clcd_gui.style.text import body, muted
from clcd_gui.style.tokens import SPACE
from clcd_gui.views.figure_table import FigureTable
from clcd_gui.views.folded import Folded

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
        """Show another state.

        Parameters
        ----------
        findings : ComparisonFindings or None
            None before there are any.
        is_working : bool
            More will come.
        """
        self.model.set_findings(findings)
        self.table.fit(self.model.metric_columns)
        is_tested = findings is not None and findings.can_be_certain
        self.legend.setText(_LEGEND + (_STANDINGS if is_tested else ""))
        said = "\n".join(findings.verdicts) if findings is not None else ""
        self.verdict.setText(said or (_WORKING if is_working else _BEFORE))
        self.cautions.setText("\n".join(f"• {each}" for each in findings.cautions) if findings else "")
        self.folded.setVisible(findings is not None)
        self.folded.set_summary(findings.cautions[0] if findings else "")
