"""CSFS: row-sparse regression of all labels at once, with unknown labels estimated along with it.

Chang, Nie, Yang and Huang (2014), A convex formulation for semi-supervised multi-label feature selection,
AAAI 2014, 1171-1177.

With rows X, coefficients W, intercepts b and labels F::

    min over W, b, F of  ‖X W + 1 bᵀ − F‖²_F + μ ‖W‖₂,₁

F is given in labelled rows; in unlabelled ones it is free between 0 and 1. The problem is convex. Repeated:
W and b by reweighting (see ``engine.selection.rivals.row_sparse``), then F = X W + 1 bᵀ in the unlabelled
rows, clipped. A feature scores the length of its row of W.

Features are standardised first. Rows are unlabelled only where the caller says so: a row without any label is
an observation like others. The first W is a ridge regression with the same μ; it starts from
unknown labels at the mean of the known ones.
"""

from __future__ import annotations

import numpy as np

from engine.selection.rivals.descent import descend
from engine.selection.rivals.options import CsfsOptions
from engine.selection.rivals.problem import RankingProblem
from engine.selection.rivals.ranking import FeatureRanking
from engine.selection.rivals.row_sparse import WeightedRidge, row_lengths


def rank(problem: RankingProblem, options: CsfsOptions) -> FeatureRanking:
    """Score each feature by the length of its coefficients."""
    regression = RowSparseRegression(problem, options.mu)
    objective, converged = descend(regression.objective(), regression.step, problem, options)
    return FeatureRanking(row_lengths(regression.coefficients), objective, converged)


class RowSparseRegression:
    """Coefficients and estimated labels in the making.

    Attributes
    ----------
    coefficients : ndarray of float64, shape (features, labels)
        W, of the standardised features.
    intercepts : ndarray of float64, shape (labels,)
        b.
    labels : ndarray of float64, shape (rows, labels)
        F.
    """

    def __init__(self, problem: RankingProblem, weight: float) -> None:
        self._values = problem.standardised()
        self._weight = weight
        self._unlabelled = ~problem.labelled
        self.labels = problem.labels.copy()
        self.labels[self._unlabelled] = problem.labels[problem.labelled].mean(axis=0)
        self._ridge = WeightedRidge(self._values)
        self._fit(np.full(self._values.shape[1], 1.0 / weight))

    def step(self) -> float:
        """Reweight once, and give the objective."""
        self._fit(2.0 * row_lengths(self.coefficients) / self._weight)
        return self.objective()

    def objective(self) -> float:
        """Give the objective as written above."""
        residuals = self._fitted() - self.labels
        return float(np.sum(residuals**2) + self._weight * row_lengths(self.coefficients).sum())

    def _fit(self, allowances: np.ndarray) -> None:
        # Standardised features have mean 0, so the best intercepts are the means of the labels.
        self.intercepts = self.labels.mean(axis=0)
        self.coefficients = self._ridge.solve(allowances, self.labels - self.intercepts)
        if self._unlabelled.any():
            self.labels[self._unlabelled] = np.clip(self._fitted()[self._unlabelled], 0.0, 1.0)

    def _fitted(self) -> np.ndarray:
        fitted: np.ndarray = self._values @ self.coefficients + self.intercepts
        return fitted
