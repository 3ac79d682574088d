"""The table of label-specific causal variables."""

from __future__ import annotations

from PySide6.QtCore import QObject

from clcd_gui.models.finding_table_model import (
    Column,
    FindingTableModel,
    direction_column,
    found_again_column,
    interchangeable_column,
    name_column,
    strength_column,
    undistinguished_column,
)
from engine.reporting.sentences.directions import RULE_HELP, reason_text

_STRENGTH_HELP = "How much the variable tells about the label, from 0 (nothing) to 1 (everything)."
_AGAIN_HELP = (
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
        strength_column(_STRENGTH_HELP),
        found_again_column(_AGAIN_HELP),
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
