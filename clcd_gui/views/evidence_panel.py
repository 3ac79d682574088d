"""The panel that answers "why?" for whatever is selected."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from shiboken6 import isValid

from clcd_gui.core.findings import Findings, findings_of, is_of_same_table
from clcd_gui.core.selected_features import SelectedFeatures
from clcd_gui.core.selection import SelectedPair, Selection
from clcd_gui.core.templates import unfilled
from clcd_gui.views.evidence_text import EvidenceText
from clcd_gui.views.linked_text import LinkedText
from clcd_gui.views.selected_text import SelectedText
from engine.discovery.result import DiscoveryResult


class EvidencePanel(QWidget):
    """Shows the evidence for the shared selection: why something was found, or why it was selected.

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
        self._selected: SelectedFeatures | None = None
        self._selected_text: SelectedText | None = None
        self._asks_why_selected = False
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

    def set_selected(self, selected: SelectedFeatures | None) -> None:
        """Answer from another selection of features, or from none."""
        self._selected = selected
        self._selected_text = SelectedText(selected) if selected is not None else None
        if self._asks_why_selected:
            self.browser.refresh(stays=True)

    def ask_why_selected(self, asked: bool) -> None:
        """Say why something was selected instead of why it was found."""
        if asked != self._asks_why_selected:
            self._asks_why_selected = asked
            self.browser.refresh()

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

    def _html(self) -> str:
        if self._asks_why_selected and self._selected_text is not None:
            pair = self._selection.pair
            return (
                unfilled("selected_nothing_chosen.html") if pair.is_empty else self._selected_text.write(pair)
            )
        if self._text is None:
            return unfilled("why_no_result.html")
        if self._selection.pair.is_empty:
            return unfilled("why_nothing_chosen.html")
        return self._text.write(self._selection.pair)

    def _follow(self, pair: SelectedPair) -> None:
        label = self._selection.label
        if pair.label is None and pair.feature is not None and label in self._labels_of(pair.feature):
            pair = SelectedPair(pair.feature, label)
        self._selection.select(pair.feature, pair.label)

    def _labels_of(self, feature: str) -> tuple[str, ...]:
        """Give the labels that a feature counts for, or was selected for."""
        if self._asks_why_selected and self._selected is not None:
            selected = self._selected.selected(feature)
            return selected.labels if selected is not None else ()
        finding = self._findings.finding(feature) if self._findings is not None else None
        return finding.labels if finding is not None else ()
