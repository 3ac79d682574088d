"""The table of selected features."""

from __future__ import annotations

from PySide6.QtCore import QObject

from clcd_gui.core.rule_words import by_label
from clcd_gui.core.selected_features import SelectedFeature
from clcd_gui.core.selected_words import why_words, words
from clcd_gui.models.finding_table_model import Column, FindingTableModel, name_column, strength_column

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
