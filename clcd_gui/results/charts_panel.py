"""Charts of the findings: how large they are (a forest plot), and which labels share them (an UpSet plot)."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QWidget

from clcd_gui.document.navigation import Highlight
from clcd_gui.run.failure import RunFailure
from clcd_gui.run.reporting import DrawingProcess
from clcd_gui.style.tokens import SPACE
from clcd_gui.widgets.chart_panel import ChartPanel
from clcd_gui.widgets.controls import FocusLeader, choice_box
from clcd_gui.widgets.layouts import column, row
from clcd_gui.widgets.page import ViewSwitch
from clcd_gui.wording.text import NUMBERS
from engine.discovery.effects.estimates import Size
from engine.discovery.findings import Findings
from engine.reporting.figures.chart import Chart
from engine.reporting.finding_charts import forest_chart, label_set_chart
from engine.translation import N_, _
from engine.wording.shown_names import shown_name

_ALL_LABELS = N_("All labels")
_SELECTED, _PLACE_OF_SELECTED = N_("The selected variable"), 1
_FOREST_CAPTION = N_(
    "Difference in the probability or the mean of a label between two levels or values of each variable."
)
_SETS_CAPTION = N_(
    "Each column is a set of labels; its bar counts the variables that are linked to exactly these."
)
_SIZES = N_("Estimates")
_MEASURING = N_("Estimates are being computed.")
_NOTHING = N_("No link is counted here, so there is nothing to estimate.")
_NOTHING_FOR_LABEL = N_("No link with {label} is counted here, so there is nothing to estimate.")
_UNFINISHED = N_("The run was stopped before {label} was finished.")
_NONE_CHOSEN = N_("No variable is selected: choose one in a table, the grid or the graph.")
_NOT_FOUND = N_(
    "{feature} is linked to no label, so there is no estimate. Choose another variable, or “All "
    "labels” above."
)
_IS_LABEL = N_("{feature} is a label. To see what is linked to it, choose its name above.")
_SETS, _NO_SETS = N_("Which labels share variables"), N_("No variable was found for any label.")


class ChartsPanel(QWidget):
    """Shows the forest plot of all findings, of a label or of a variable; or the UpSet plot of label sets."""

    written = Signal(tuple)
    failed = Signal(RunFailure)

    def __init__(self, highlight: Highlight, drawing: DrawingProcess, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._highlight = highlight
        self._findings: Findings | None = None
        self.shown_box = choice_box(_("Findings whose estimates are shown"), self, letters=18)
        self.shown_box.currentIndexChanged.connect(self._draw_forest)
        self.forest = ChartPanel("forest_plot", drawing, _(_FOREST_CAPTION))
        self.label_sets = ChartPanel("label_sets", drawing, _(_SETS_CAPTION))
        self.views = ViewSwitch(_("Charts"), self)
        self.views.add("sizes", _("Estimates"), self.forest)
        self.views.add("sets", _("Label sets"), self.label_sets)
        self.views.show_view("sizes")
        self.views.shown.connect(self._on_view)
        for chart in (self.forest, self.label_sets):
            chart.written.connect(self.written)
            chart.failed.connect(self.failed)
        highlight.changed.connect(self._on_selection)
        head = row(self.views.bar, 1, self.shown_box)
        column(head, (self.views, 1), on=self, margins=(0, SPACE, 0, 0))
        FocusLeader(self, self.views.buttons["sizes"])

    def set_findings(self, findings: Findings | None) -> None:
        """Show another result, or sizes that have come."""
        labels = None if self._findings is None else self._findings.labels
        self._findings = findings
        if findings is not None and findings.labels != labels:
            self._offer(findings.labels)
        self._draw_forest()
        if findings is None or not findings.all:
            self.label_sets.set_chart(Chart(_(_SETS), (), note=_(_NO_SETS)))
        else:
            self.label_sets.set_chart(label_set_chart(findings, NUMBERS))

    def show_names_anew(self) -> None:
        """Call variables as they are shown now; what is chosen stays."""
        place = self.shown_box.currentIndex()
        if self._findings is not None:
            self._offer(self._findings.labels)
            with QSignalBlocker(self.shown_box):
                self.shown_box.setCurrentIndex(place)
        self.set_findings(self._findings)

    def shut_down(self) -> None:
        """Wait until pictures that are being written are whole."""
        for chart in (self.forest, self.label_sets):
            chart.shut_down()

    def _offer(self, labels: Iterable[str]) -> None:
        with QSignalBlocker(self.shown_box):
            self.shown_box.clear()
            self.shown_box.addItems([_(_ALL_LABELS), _(_SELECTED)])
            self.shown_box.insertSeparator(2)
            for label in labels:
                self.shown_box.addItem(shown_name(label), label)

    def _on_selection(self) -> None:
        if self._is_of_selected:
            self._draw_forest()

    def _on_view(self, view: QWidget) -> None:
        self.shown_box.setVisible(view is self.forest)

    def _draw_forest(self) -> None:
        findings = self._findings
        wanted: list[Size] = []
        if findings is None or not findings.all:
            reason = _(_NOTHING)
        elif findings.effects is None:
            reason = _(_MEASURING)
        else:
            wanted = [size for size in findings.counted_sizes if self._is_wanted(size)]
            reason = self._why_none(findings)
        self.forest.set_chart(forest_chart(wanted, NUMBERS) if wanted else Chart(_(_SIZES), (), note=reason))

    @property
    def _is_of_selected(self) -> bool:
        return self.shown_box.currentIndex() == _PLACE_OF_SELECTED

    def _is_wanted(self, size: Size) -> bool:
        if self._is_of_selected:
            return size.feature == self._highlight.feature
        label = self.shown_box.currentData()
        return label is None or size.label == label

    def _why_none(self, findings: Findings) -> str:
        """Say why there is no size of what is chosen, and what to do."""
        if not self._is_of_selected:
            label = str(self.shown_box.currentData())
            template = _NOTHING_FOR_LABEL if label in findings.finished_labels else _UNFINISHED
            return _(template, label=shown_name(label))
        feature = self._highlight.feature
        if feature is None:
            chosen = self._highlight.label
            return _(_NONE_CHOSEN) if chosen is None else _(_IS_LABEL, feature=shown_name(chosen))
        return _(_IS_LABEL if findings.is_label(feature) else _NOT_FOUND, feature=shown_name(feature))
