"""ANOVA F: how far the means of a feature with and without a label lie apart, averaged over the labels.

Fisher (1925), Statistical Methods for Research Workers, Oliver and Boyd, chapter 7.

With n rows, n₁ of them with the label and n₀ without, and the means m₁, m₀ and m of the feature in them and
in all rows::

    between = n₁ (m₁ − m)² + n₀ (m₀ − m)²
    F = between / ((Σ (x − m)² − between) / (n − 2))

A label that parts the values of a feature perfectly would make F infinite; it is then as large as rounding
can tell it from that.
"""

from __future__ import annotations

import numpy as np

from engine.selection.rivals.options import NoOptions
from engine.selection.rivals.problem import RankingProblem
from engine.selection.rivals.ranking import FeatureRanking


def rank(problem: RankingProblem, options: NoOptions) -> FeatureRanking:
    """Score each feature by its mean F over the labels."""
    values, labels = problem.standardised(), problem.labels
    rows = len(values)
    present = labels.sum(axis=0)
    # Standardised values sum to 0, so the two groups have sums of equal size, and all squares sum to `rows`.
    sums = values.T @ labels
    between = sums**2 * (1.0 / present + 1.0 / (rows - present))
    within = np.maximum(rows - between, np.finfo(np.float64).eps * rows)
    return FeatureRanking(np.mean((rows - 2) * between / within, axis=1))
