"""Comparison of feature selectors by how well labels can be predicted from what they select."""

from engine.comparison.selectors.result import SelectionComparison
from engine.comparison.selectors.run import compare_selections
from engine.comparison.selectors.settings import SelectionComparisonSettings

__all__ = ["SelectionComparison", "SelectionComparisonSettings", "compare_selections"]
