"""The selected features: in a sentence or two, then as a table."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from clcd_gui.core import selected_words
from clcd_gui.core.selected_features import SelectedFeatures
from clcd_gui.core.selection import SelectedPair, Selection
from clcd_gui.models.selected_model import selected_model
from clcd_gui.style.tokens import SPACE
from clcd_gui.views.findings_panel import FindingsPanel
from clcd_gui.views.phrase_label import PhraseLabel

_NOTHING = (
    "Nothing was selected. Weaker relations show with a larger level α (more of what is found is then "
    "chance) or with fewer variables held fixed at once, both on the Method page, or in a table with more "
    "rows."
)


class SelectedPanel(QWidget):
    """Says what was selected, and lists it in the order in which it was chosen.

    Parameters
    ----------
    selection : Selection
        What is highlighted; shared with the other views.
    """

    def __init__(self, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._selection = selection
        self.sentences = PhraseLabel(self)
        self.sentences.followed.connect(self._on_followed)
        self.findings = FindingsPanel(selected_model(), selection, "Selected features", self, noun="feature")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, SPACE, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.sentences)
        layout.addWidget(self.findings, 1)
        self.setFocusProxy(self.findings.table)

    def set_selected(self, selected: SelectedFeatures | None) -> None:
        """Show other features."""
        if selected is None:
            self.sentences.set_sentences(())
            self.findings.set_findings((), "")
            return
        sentences = (selected_words.stopped(selected), *selected_words.summary(selected))
        self.sentences.set_sentences([sentence for sentence in sentences if sentence])
        self.findings.set_findings(selected.all, _NOTHING)

    def find(self) -> None:
        """Put the keyboard into the filter."""
        self.findings.find()

    def _on_followed(self, pair: SelectedPair) -> None:
        if pair.feature is not None:
            self.findings.reveal(pair.feature)
        self._selection.select(pair.feature, pair.label)
