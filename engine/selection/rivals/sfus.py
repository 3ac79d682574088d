"""SFUS: robust row-sparse regression of all labels, whose coefficients lie near a common subspace.

Ma, Nie, Yang, Uijlings and Sebe (2012), Web image annotation via subspace-sparsity collaborated feature
selection, IEEE Transactions on Multimedia 14:1021-1030.

With rows X, labels Y, coefficients W and an orthonormal basis Q of fewer columns than there are labels::

    min over W, P, Q of  ‖X W − Y‖₂,₁ + α ‖W‖₂,₁ + β ‖W − Q P‖²_F   where QᵀQ = I

The best P is QᵀW. Both norms are met by reweighting (see ``engine.selection.rivals.row_sparse``): with the
diagonal matrices A of ½/‖row of X W − Y‖ and D of ½/‖row of W‖, K = XᵀA X + α D, M = K + β I and T = XᵀA Y,
the best Q spans the leading eigenvectors of (I − β M⁻¹)⁻¹ M⁻¹T TᵀM⁻¹, and W = (M − β QQᵀ)⁻¹ T. A feature
scores the length of its row of W.

As (I − β M⁻¹)⁻¹ M⁻¹ = K⁻¹, those eigenvectors are K⁻¹T U with the leading eigenvectors U of TᵀM⁻¹K⁻¹T, which
has a row and a column for each label alone; so two ridge regressions are all that an iteration needs.

Features are standardised and labels centred, since the formula has no intercept. A row length r of X W − Y
is √(r² + 10⁻⁸) throughout, so that rows that are met exactly keep a finite weight. The first W is a ridge
regression. By default Q has one column fewer than there are labels; with as many, β would have no effect.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh, qr, svd

from engine.selection.rivals.descent import descend
from engine.selection.rivals.options import SfusOptions
from engine.selection.rivals.problem import RankingProblem
from engine.selection.rivals.ranking import FeatureRanking
from engine.selection.rivals.row_sparse import WeightedRidge, row_lengths

_SMOOTHING = 1e-8


def rank(problem: RankingProblem, options: SfusOptions) -> FeatureRanking:
    """Score each feature by the length of its coefficients."""
    regression = SharedSubspaceRegression(problem, options)
    objective, converged = descend(regression.objective(), regression.step, problem, options)
    return FeatureRanking(row_lengths(regression.coefficients), objective, converged)


class SharedSubspaceRegression:
    """Coefficients and shared subspace in the making.

    Attributes
    ----------
    coefficients : ndarray of float64, shape (features, labels)
        W, of the standardised features.
    basis : ndarray of float64, shape (features, dimensions)
        Q.
    """

    def __init__(self, problem: RankingProblem, options: SfusOptions) -> None:
        self._values = problem.standardised()
        self._labels = problem.centred_labels()
        self._alpha, self._beta = options.alpha, options.beta
        labels = self._labels.shape[1]
        self._dimensions = min(options.subspace or max(labels - 1, 1), labels, self._values.shape[1])
        start = np.full(self._values.shape[1], 1.0 / options.alpha)
        self.coefficients = WeightedRidge(self._values).solve(start, self._labels)
        self.basis = svd(self.coefficients, full_matrices=False)[0][:, : self._dimensions]

    def step(self) -> float:
        """Reweight once, and give the objective."""
        roots = np.sqrt(0.5 / self._residual_lengths())[:, None]
        targets = roots * self._labels
        ridge = WeightedRidge(roots * self._values)
        lengths = row_lengths(self.coefficients)
        # K⁻¹T and M⁻¹T: the penalty of a row is α/2‖w‖, and β more in M.
        apart = ridge.solve(2.0 * lengths / self._alpha, targets)
        tied = ridge.solve(2.0 * lengths / (self._alpha + 2.0 * self._beta * lengths), targets)
        # TᵀM⁻¹K⁻¹T, since K⁻¹ − M⁻¹ = β M⁻¹K⁻¹.
        gained = ((roots * self._values).T @ targets).T @ (apart - tied) / self._beta
        directions = eigh((gained + gained.T) / 2.0)[1][:, ::-1][:, : self._dimensions]
        self.basis, _ = qr(apart @ directions, mode="economic")
        self.coefficients = self._tie(apart, tied, gained, directions)
        return self.objective()

    def _tie(
        self, apart: np.ndarray, tied: np.ndarray, gained: np.ndarray, directions: np.ndarray
    ) -> np.ndarray:
        """Give (M − β QQᵀ)⁻¹ T by Woodbury's identity, in as many unknowns as Q has columns."""
        inner = directions.T @ gained @ directions
        outer = (apart @ directions).T @ tied
        drawn: np.ndarray = (apart - tied) @ directions @ np.linalg.lstsq(inner, outer, rcond=None)[0]
        together: np.ndarray = tied + drawn
        return together

    def objective(self) -> float:
        """Give the objective as written above."""
        outside = self.coefficients - self.basis @ (self.basis.T @ self.coefficients)
        return float(
            self._residual_lengths().sum()
            + self._alpha * row_lengths(self.coefficients).sum()
            + self._beta * np.sum(outside**2)
        )

    def _residual_lengths(self) -> np.ndarray:
        residuals = self._values @ self.coefficients - self._labels
        lengths: np.ndarray = np.sqrt(row_lengths(residuals) ** 2 + _SMOOTHING)
        return lengths
