"""Comparison of feature selectors by how well labels can be predicted from what they select."""

from engine.evaluation.selection.result import SelectionComparison
from engine.evaluation.selection.run import compare_selections
from engine.evaluation.selection.settings import SelectionComparisonSettings

__all__ = ["SelectionComparison", "SelectionComparisonSettings", "compare_selections"]
