"""The table of a comparison: the verdict in words, the figures beside the paper's."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from clcd_gui.models.benchmark_model import BenchmarkModel
from clcd_gui.style import icons, themes
from clcd_gui.style.literal_text import set_tooltip
from clcd_gui.style.text import body, muted, plain
from clcd_gui.style.tokens import SPACE
from clcd_gui.views.figure_table import FigureTable
from engine.comparison.networks.cells import variants
from engine.comparison.networks.report import caution_sentences, verdict_sentences
from engine.comparison.networks.result import BenchmarkResult

_BEFORE = "Nothing is measured yet: the table shows what the paper reports. Press Run."
_LEGEND = (
    "Means over the networks, ± standard deviation; bold is the best of a row. Accuracy averages common and "
    "label-specific pairs of a feature and a label. lg s: decimal logarithm of the seconds for one network."
)


class BenchmarkTable(QWidget):
    """Shows a result under the variant that is chosen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._result: BenchmarkResult | None = None
        self.verdict = body(_BEFORE)
        self.variant = QComboBox()
        self.variant.setAccessibleName("Settings")
        self.variant.currentIndexChanged.connect(self._refresh)
        self.model = BenchmarkModel(self)
        self.table = FigureTable(self.model, "Figures of the methods", two_lines=True)
        self.caution = muted("")
        self.export = QPushButton("Export…")
        set_tooltip(self.export, "Write report, tables and charts into a folder (Ctrl+E)")
        icons.assign(self.export, "export", themes.colours(), "text")
        row = QHBoxLayout()
        row.setSpacing(SPACE)
        caption = plain("Measured with")
        caption.setBuddy(self.variant)
        row.addWidget(caption)
        row.addWidget(self.variant)
        row.addStretch(1)
        row.addWidget(self.export)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, SPACE, 0, 0)
        layout.setSpacing(SPACE)
        layout.addWidget(self.verdict)
        layout.addLayout(row)
        layout.addWidget(self.table, 1)
        layout.addWidget(muted(_LEGEND))
        layout.addWidget(self.caution)

    def set_result(self, result: BenchmarkResult) -> None:
        """Show figures; the variant that is looked at stays."""
        self._result = result
        known = [self.variant.itemData(place) for place in range(self.variant.count())]
        if known != list(result.settings.variants):
            self.variant.clear()
            for name in result.settings.variants:
                self.variant.addItem(variants()[name].title, name)
        self._refresh()

    def _refresh(self) -> None:
        result, variant = self._result, self.variant.currentData()
        if result is None or variant is None:
            return
        set_tooltip(self.variant, variants()[variant].help)
        self.model.set_result(result, variant)
        self.table.fit(range(self.model.name_columns, self.model.columnCount()))
        if not result.outcomes:
            self.verdict.setText(_BEFORE)
            self.caution.setText("")
            return
        said = verdict_sentences(result)
        place = result.settings.variants.index(variant)
        self.verdict.setText(said[place] if said else "")
        self.caution.setText(caution_sentences(result)[0])
