"""The selected features: in a sentence or two, as a table, and as a grid over the labels."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from clcd_gui.document import selected_words
from clcd_gui.document.navigation import Highlight, SelectedPair
from clcd_gui.document.preferred import PreferredVariables
from clcd_gui.document.selected_features import SelectedFeatures
from clcd_gui.plots.figure import Figure
from clcd_gui.plots.grid.data import SELECTED
from clcd_gui.style.tokens import SPACE
from clcd_gui.widgets.finding_table_model import FindingTableModel
from clcd_gui.widgets.findings_panel import FindingsPanel
from clcd_gui.widgets.focus import lead_focus
from clcd_gui.widgets.grid_panel import GridPanel
from clcd_gui.widgets.labels import PhraseLabel
from engine.discovery.columns import Output
from engine.selection.result import SELECTED_FEATURES

_NOTHING = (
    "Nothing was selected. Weaker relations show with a larger level α (more of what is found is then "
    "chance) or with fewer variables held fixed at once, both on the Method page, or in a table with more "
    "rows."
)


class SelectedPanel(QWidget):
    """Says what was selected, and lists it in the order in which it was chosen."""

    def __init__(
        self, highlight: Highlight, preferred: PreferredVariables, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._highlight = highlight
        self.sentences = PhraseLabel(self)
        self.sentences.followed.connect(self._on_followed)
        self.findings = FindingsPanel(
            FindingTableModel(SELECTED_FEATURES.columns_in(Output.WINDOW), SELECTED_FEATURES.essential),
            highlight,
            preferred,
            "Selected features",
            self,
            noun="feature",
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, SPACE, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.sentences)
        layout.addWidget(self.findings, 1)
        lead_focus(self, self.findings.table)

    def set_selected(self, selected: SelectedFeatures | None) -> None:
        """Show other features."""
        if selected is None:
            self.sentences.set_sentences(())
            self.findings.set_findings((), "")
            return
        sentences = (selected_words.stopped(selected), *selected_words.summary(selected))
        self.sentences.set_sentences([sentence for sentence in sentences if sentence])
        self.findings.set_findings(selected.all, _NOTHING)

    def find_text(self) -> None:
        """Put the keyboard into the filter."""
        self.findings.find_text()

    def _on_followed(self, pair: SelectedPair) -> None:
        if pair.feature is not None:
            self.findings.reveal(pair.feature)
        self._highlight.select(pair.feature, pair.label)


class SelectedGrid(QWidget):
    """Says which labels are most alike, and shows which feature serves which label, and how."""

    def __init__(self, highlight: Highlight, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._highlight = highlight
        self.sentence = PhraseLabel(self)
        self.sentence.followed.connect(self._on_followed)
        self.panel = GridPanel(highlight, self, SELECTED)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, SPACE, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.sentence)
        layout.addWidget(self.panel, 1)
        lead_focus(self, self.panel)

    def set_selected(self, selected: SelectedFeatures | None) -> None:
        """Show other features."""
        shared = selected_words.shared(selected) if selected is not None else ()
        self.sentence.set_sentences([shared] if shared else [])
        self.panel.set_findings(selected)

    def figure(self) -> Figure | None:
        """Return the grid as a picture, as it is filtered and ordered now; None when it is empty."""
        return self.panel.figure()

    def find_text(self) -> None:
        """Put the keyboard into the filter."""
        self.panel.find_text()

    def _on_followed(self, pair: SelectedPair) -> None:
        self._highlight.select(pair.feature, pair.label)
