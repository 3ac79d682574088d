"""The selected features as a grid over the labels, as in Figure 8 of the paper, turned on its side."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from clcd_gui.core import selected_words
from clcd_gui.core.selected_features import SelectedFeatures
from clcd_gui.core.selection import SelectedPair, Selection
from clcd_gui.graphs.figure import Figure
from clcd_gui.graphs.grid_content import SELECTED
from clcd_gui.style.tokens import SPACE
from clcd_gui.views.grid_panel import GridPanel
from clcd_gui.views.phrase_label import PhraseLabel


class SelectedGrid(QWidget):
    """Says which labels are most alike, and shows which feature serves which label, and how.

    Parameters
    ----------
    selection : Selection
        What is highlighted; shared with the other views.
    """

    def __init__(self, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._selection = selection
        self.sentence = PhraseLabel(self)
        self.sentence.followed.connect(self._on_followed)
        self.panel = GridPanel(selection, self, SELECTED)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, SPACE, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.sentence)
        layout.addWidget(self.panel, 1)
        self.setFocusProxy(self.panel)

    def set_selected(self, selected: SelectedFeatures | None) -> None:
        """Show other features."""
        told = selected_words.shared(selected) if selected is not None else ()
        self.sentence.set_sentences([told] if told else [])
        self.panel.set_findings(selected)

    def figure(self) -> Figure | None:
        """Give the grid as a picture, as it is filtered and ordered now; None when it is empty."""
        return self.panel.figure()

    def find(self) -> None:
        """Put the keyboard into the filter."""
        self.panel.find()

    def _on_followed(self, pair: SelectedPair) -> None:
        self._selection.select(pair.feature, pair.label)
