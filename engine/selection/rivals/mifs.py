"""MIFS: row-sparse regression of a few hidden causes of the labels, which neighbouring rows share.

Jian, Li, Shu and Liu (2016), Multi-label informed feature selection, IJCAI 2016, 1627-1633.

With rows X, labels Y, hidden causes V, their effects B, coefficients W, and the Laplacian L of a graph of the
p nearest rows::

    min over W, V, B of  ‖X W − V‖²_F + α ‖Y − V B‖²_F + β tr(VᵀL V) + γ ‖W‖₂,₁

A feature scores the length of its row of W. The blocks take turns, and none of their steps raises the
objective: V by conjugate gradients for (I + β L) V + α V B Bᵀ = X W + α Y Bᵀ, each row of B to its minimum,
W by reweighting (see ``engine.selection.rivals.row_sparse``).

Not in the paper: every row of B has a length of at most 1. Without a bound the minimum is never reached,
since V and W can shrink towards 0 while B grows, and the ranking would depend on where iterations end. The
weights of the graph are exp(−d²/s), s being the mean of the squared distances. Features are standardised and
labels centred. The start is the truncated singular value decomposition of Y and a ridge regression, not
random.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.linalg import svd

from engine.selection.rivals.descent import descend
from engine.selection.rivals.neighbours import degrees, heat_graph, laplacian, nearest_rows
from engine.selection.rivals.options import MifsOptions
from engine.selection.rivals.problem import RankingProblem
from engine.selection.rivals.ranking import FeatureRanking
from engine.selection.rivals.row_sparse import WeightedRidge, row_lengths

_GRADIENT_STEPS = 50
_GRADIENT_TOLERANCE = 1e-8


def rank(problem: RankingProblem, options: MifsOptions) -> FeatureRanking:
    """Score each feature by the length of its coefficients."""
    model = HiddenCauses(problem, options)
    objective, converged = descend(model.objective(), model.step, problem, options)
    return FeatureRanking(row_lengths(model.coefficients), objective, converged)


class HiddenCauses:
    """Hidden causes, their effects and coefficients in the making.

    Attributes
    ----------
    causes : ndarray of float64, shape (rows, causes)
        V.
    effects : ndarray of float64, shape (causes, labels)
        B.
    coefficients : ndarray of float64, shape (features, causes)
        W, of the standardised features.
    """

    def __init__(self, problem: RankingProblem, options: MifsOptions) -> None:
        self._options = options
        self._values = problem.standardised()
        self._labels = problem.centred_labels()
        self._ridge = WeightedRidge(self._values)
        graph = heat_graph(nearest_rows(self._values, options.neighbours, problem.check_stop))
        self._laplacian, self._degrees = laplacian(graph), degrees(graph)
        left, sizes, right = svd(self._labels, full_matrices=False)
        count = min(math.ceil(options.latent_share * self._labels.shape[1]), len(sizes))
        self.causes, self.effects = left[:, :count] * sizes[:count], right[:count].copy()
        features = self._values.shape[1]
        self.coefficients = self._ridge.solve(np.full(features, 1.0 / options.gamma), self.causes)

    def step(self) -> float:
        """Improve each block once, and give the objective."""
        self._improve_causes()
        self._improve_effects()
        lengths = row_lengths(self.coefficients)
        self.coefficients = self._ridge.solve(2.0 * lengths / self._options.gamma, self.causes)
        return self.objective()

    def objective(self) -> float:
        """Give the objective as written above."""
        options, causes = self._options, self.causes
        return float(
            np.sum((self._values @ self.coefficients - causes) ** 2)
            + options.alpha * np.sum((self._labels - causes @ self.effects) ** 2)
            + options.beta * np.sum(causes * (self._laplacian @ causes))
            + options.gamma * row_lengths(self.coefficients).sum()
        )

    def _improve_causes(self) -> None:
        """Solve for V by preconditioned conjugate gradients, of which each step lowers the objective."""
        options = self._options
        coupling = options.alpha * self.effects @ self.effects.T
        scale = 1.0 + options.beta * self._degrees[:, None] + np.diag(coupling)

        def apply(matrix: np.ndarray) -> np.ndarray:
            product: np.ndarray = matrix + options.beta * (self._laplacian @ matrix) + matrix @ coupling
            return product

        wanted = self._values @ self.coefficients + options.alpha * self._labels @ self.effects.T
        residual = wanted - apply(self.causes)
        scaled = residual / scale
        direction, size = scaled, float(np.sum(residual * scaled))
        enough = _GRADIENT_TOLERANCE**2 * float(np.sum(wanted**2 / scale))
        for _ in range(_GRADIENT_STEPS):
            if size <= enough:
                return
            image = apply(direction)
            length = size / float(np.sum(direction * image))
            self.causes = self.causes + length * direction
            residual = residual - length * image
            scaled = residual / scale
            previous, size = size, float(np.sum(residual * scaled))
            direction = scaled + (size / previous) * direction

    def _improve_effects(self) -> None:
        """Set each row of B to the best one of a length of at most 1, the others held."""
        products = self.causes.T @ self.causes
        wanted = self.causes.T @ self._labels
        for row, square in enumerate(np.diag(products)):
            if square <= 0.0:
                continue
            best = self.effects[row] + (wanted[row] - products[row] @ self.effects) / square
            self.effects[row] = best / max(1.0, float(np.linalg.norm(best)))
