"""Random order: what a selection is worth that knows nothing.

Fisher and Yates (1938), Statistical Tables, Oliver and Boyd, example 12.

The scores are the numbers from 1 to the number of features, shuffled: each order is equally probable.
"""

from __future__ import annotations

import numpy as np

from engine.selection.rivals.options import NoOptions
from engine.selection.rivals.problem import RankingProblem
from engine.selection.rivals.ranking import FeatureRanking


def rank(problem: RankingProblem, options: NoOptions) -> FeatureRanking:
    """Draw an order from the seed."""
    source = np.random.default_rng(problem.seed)
    return FeatureRanking(source.permutation(problem.values.shape[1]) + 1.0)
