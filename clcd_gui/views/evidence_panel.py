"""The panel that answers "why?" for whatever is selected."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from shiboken6 import isValid

from clcd_gui.core.findings import Findings, findings_of, is_of_same_table
from clcd_gui.core.selection import SelectedPair, Selection
from clcd_gui.style.tokens import Colours
from clcd_gui.views.evidence_text import EvidenceText
from clcd_gui.views.linked_text import LinkedText
from engine.discovery.result import DiscoveryResult

_BEFORE_RESULT = (
    '<p class="title">Why?</p><p class="muted">When an analysis has run, choose a variable or a label. '
    "Here it is said by which rule the variable counts for the label, and the tests that say so.</p>"
)
_NOTHING_SELECTED = (
    '<p class="title">Why?</p><p class="muted">Choose a variable or a label in a table, in the grid or in '
    "the graph. Here it is said by which rule the variable counts for the label, and the tests that say "
    "so.</p>"
)


class EvidencePanel(QWidget):
    """Shows the evidence for the shared selection.

    Parameters
    ----------
    selection : Selection
        What is asked about.
    """

    def __init__(self, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._selection = selection
        self._findings: Findings | None = None
        self._text: EvidenceText | None = None
        self._came_from: QWidget | None = None
        self.browser = LinkedText(self._html, "panel", self)
        self.browser.setAccessibleName("Why?")
        self.browser.setAccessibleDescription("The evidence for the selected variable and label.")
        self.browser.followed.connect(self._follow)
        self.browser.left.connect(self._go_back)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.browser)
        self.setMinimumWidth(260)
        selection.changed.connect(self._on_selection)

    def set_result(self, result: DiscoveryResult | None) -> None:
        """Answer from another result, or from none."""
        before = self._findings
        self._findings = findings_of(result) if result is not None else None
        self._text = EvidenceText(self._findings) if self._findings is not None else None
        self.browser.refresh(stays=is_of_same_table(before, self._findings))

    def focus_text(self) -> None:
        """Put the keyboard into the text; Esc leads back to where it was."""
        before = QApplication.focusWidget()
        if before is not self.browser:
            self._came_from = before
        self.browser.setFocus()

    def _go_back(self) -> None:
        if self._came_from is not None and isValid(self._came_from) and self._came_from.isVisible():
            self._came_from.setFocus()

    def _on_selection(self, _pair: SelectedPair) -> None:
        self.browser.refresh()

    def _html(self, _colours: Colours) -> str:
        if self._text is None:
            return _BEFORE_RESULT
        if self._selection.pair.is_empty:
            return _NOTHING_SELECTED
        return self._text.write(self._selection.pair)

    def _follow(self, pair: SelectedPair) -> None:
        if self._findings is not None and pair.label is None and pair.feature is not None:
            label = self._selection.label
            finding = self._findings.finding(pair.feature)
            if finding is not None and label in finding.labels:
                pair = SelectedPair(pair.feature, label)
        self._selection.select(pair.feature, pair.label)
