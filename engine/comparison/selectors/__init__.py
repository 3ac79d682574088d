"""Comparison of feature selectors by how well labels can be predicted from what they select."""

from engine.comparison.selectors.comparison_settings import SelectionComparisonSettings
from engine.comparison.selectors.result import SelectionComparison
from engine.comparison.selectors.run import compare_selections

__all__ = ["SelectionComparison", "SelectionComparisonSettings", "compare_selections"]
