"""What a place of the grid is about, in words."""

from __future__ import annotations

from clcd_gui.core.number_format import strength_text
from clcd_gui.core.rule_words import RELATION_WORDS, relations_text
from clcd_gui.graphs.grid_data import GridData


def describe(data: GridData, row: int, column: int) -> str:
    """Say what a cell, a variable (column -1) or a label (row -1) is about."""
    if row < 0 and column < 0:
        return ""
    if row < 0:
        return data.labels[column]
    finding = data.findings[row]
    if column < 0:
        return f"{finding.feature}\n{relations_text(finding)}"
    pair = f"{finding.feature}\n{data.labels[column]}"
    relation = data.relation(row, column)
    if relation is None:
        return f"{pair}\n{data.absence(finding.feature, data.labels[column])}"
    strength = strength_text(float(data.strengths[row, column]))
    return f"{pair}\n{RELATION_WORDS[relation]}, strength {strength}"
