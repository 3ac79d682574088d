"""The tables of common and of label-specific causal variables."""

from __future__ import annotations

from PySide6.QtCore import QObject

from clcd_gui.document.finding_words import reasons_tooltip, relations_text
from clcd_gui.widgets.finding_table_model import (
    Column,
    FindingTableModel,
    direction_column,
    found_again_column,
    interchangeable_column,
    name_column,
    strength_column,
    undistinguished_column,
)
from clcd_gui.wording.text import count_text
from engine.reporting.sentences.directions import RULE_HELP, reason_text

_COMMON_STRENGTH_HELP = (
    "How much the variable tells about the label it tells most about, from 0 (nothing) to 1 (everything)."
)
_COMMON_AGAIN_HELP = (
    "In how many repeated searches on random parts of the rows the variable was found again for its labels: "
    "fewest to most."
)


def common_model(parent: QObject | None = None) -> FindingTableModel:
    """Make the model: variable, number of labels, labels, strength, interchangeable ones, relations."""
    columns = (
        name_column(),
        Column(
            "Labels",
            "How many labels the variable bears on.",
            text=lambda finding: count_text(len(finding.labels)),
            order=lambda finding: len(finding.labels),
            tooltip=reasons_tooltip,
            numeric=True,
        ),
        Column(
            "Bears on",
            "The labels that the variable bears on; click one to see why.",
            text=lambda finding: ", ".join(finding.labels),
            order=lambda finding: ", ".join(finding.labels),
            tooltip=reasons_tooltip,
            chips=True,
        ),
        strength_column(_COMMON_STRENGTH_HELP),
        found_again_column(_COMMON_AGAIN_HELP),
        direction_column(),
        interchangeable_column(),
        Column(
            "Rules",
            "By which rules the variable counts for its labels.",
            text=relations_text,
            order=relations_text,
            tooltip=reasons_tooltip,
        ),
        undistinguished_column(),
    )
    return FindingTableModel(columns, 6, parent)


_SPECIFIC_STRENGTH_HELP = "How much the variable tells about the label, from 0 (nothing) to 1 (everything)."
_SPECIFIC_AGAIN_HELP = (
    "In how many repeated searches on random parts of the rows the variable was found for the label again."
)


def label_specific_model(parent: QObject | None = None) -> FindingTableModel:
    """Make the model: variable, label, strength, how often found again, rule in words, interchangeable."""
    columns = (
        name_column(),
        Column(
            "Bears on",
            "The one label that the variable bears on.",
            text=lambda finding: finding.labels[0],
            order=lambda finding: finding.labels[0],
            tooltip=lambda finding: finding.labels[0],
            chips=True,
        ),
        strength_column(_SPECIFIC_STRENGTH_HELP),
        found_again_column(_SPECIFIC_AGAIN_HELP),
        direction_column(),
        Column(
            "As",
            "By which rule the variable counts for the label.",
            text=lambda finding: reason_text(finding.reasons[0]),
            order=lambda finding: reason_text(finding.reasons[0]),
            tooltip=lambda finding: (
                f"{reason_text(finding.reasons[0])}\n{RULE_HELP[finding.reasons[0].rule]}"
            ),
        ),
        interchangeable_column(),
        undistinguished_column(),
    )
    return FindingTableModel(columns, 6, parent)
