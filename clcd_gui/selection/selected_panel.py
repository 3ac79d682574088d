"""The selected features: in a sentence or two, as a table, and as a grid over the labels."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QVBoxLayout, QWidget

from clcd_gui.document import selected_words
from clcd_gui.document.finding_words import by_label
from clcd_gui.document.selected_features import SelectedFeature, SelectedFeatures
from clcd_gui.document.selected_words import why_words, words
from clcd_gui.document.selection import SelectedPair, Selection
from clcd_gui.plots.figure import Figure
from clcd_gui.plots.grid.data import SELECTED
from clcd_gui.style.tokens import SPACE
from clcd_gui.widgets.finding_table import FindingsPanel
from clcd_gui.widgets.finding_table_model import Column, FindingTableModel, name_column, strength_column
from clcd_gui.widgets.grid_panel import GridPanel
from clcd_gui.widgets.labels import PhraseLabel

_STRENGTH_HELP = (
    "How much the feature tells about the label it tells most about, from 0 (nothing) to 1 (everything)."
)


def selected_model(parent: QObject | None = None) -> FindingTableModel:
    """Make the model: feature, labels, strength, why, stands for, alternatives."""
    columns = (
        name_column("Feature"),
        Column(
            "Serves",
            "The labels that the feature tells about; click one to see why. Sorted by how many they are.",
            text=lambda selected: ", ".join(selected.labels),
            order=lambda selected: len(selected.labels),
            tooltip=reasons_tooltip,
            chips=True,
        ),
        strength_column(_STRENGTH_HELP),
        Column(
            "Why",
            "By which rules the feature serves its labels.",
            text=why_words,
            order=why_words,
            tooltip=reasons_tooltip,
        ),
        Column(
            "Stands for",
            "Variables whose place the feature takes, because it tells the same about a label.",
            text=lambda selected: ", ".join(selected.stands_for),
            order=lambda selected: ", ".join(selected.stands_for),
            tooltip=lambda selected: "\n".join(selected.stands_for),
        ),
        Column(
            "Alternatives",
            "Features that could have been taken instead for some of its labels: they tell the same.",
            text=lambda selected: ", ".join(selected.alternatives),
            order=lambda selected: ", ".join(selected.alternatives),
            tooltip=lambda selected: "\n".join(selected.alternatives),
        ),
    )
    return FindingTableModel(columns, 1, parent)


def reasons_tooltip(selected: SelectedFeature) -> str:
    """Say for each label that a feature serves why it does, one line a label."""
    return by_label(selected, [words(reason) for reason in selected.first_reasons])


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

    def find_text(self) -> None:
        """Put the keyboard into the filter."""
        self.findings.find_text()

    def _on_followed(self, pair: SelectedPair) -> None:
        if pair.feature is not None:
            self.findings.reveal(pair.feature)
        self._selection.select(pair.feature, pair.label)


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
        """Return the grid as a picture, as it is filtered and ordered now; None when it is empty."""
        return self.panel.figure()

    def find_text(self) -> None:
        """Put the keyboard into the filter."""
        self.panel.find_text()

    def _on_followed(self, pair: SelectedPair) -> None:
        self._selection.select(pair.feature, pair.label)
