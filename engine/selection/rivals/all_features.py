"""All features: what a classifier does without selection.

Every feature that varies scores 1 and is selected; a classifier may do what it can with all of them.
"""

from __future__ import annotations

import numpy as np

from engine.selection.rivals.options import NoOptions
from engine.selection.rivals.problem import RankingProblem
from engine.selection.rivals.ranking import FeatureRanking


def rank(problem: RankingProblem, options: NoOptions) -> FeatureRanking:
    """Select every feature."""
    features = problem.values.shape[1]
    return FeatureRanking(np.ones(features), subset=tuple(range(features)))
