"""Regressions of all labels at once that keep few rows of coefficients: CSFS, SFUS, MIFS.

A row of coefficients belongs to a feature, so the penalty removes whole features. Its square-root shape is
met by reweighting (Nie, Huang, Cai and Ding 2010, Efficient and robust feature selection via joint l2,1-norms
minimization, NIPS 23): a row w of current length c obeys ‖w‖ ≤ ‖w‖²/(2c) + c/2, with equality at its current
value. Minimising the right side, a weighted ridge regression, therefore never raises the left one.

All is written in square roots of the inverse weights, which go to 0 with the row where the weights themselves
would go to infinity.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.linalg import cho_factor, cho_solve, eigh, qr, svd

from engine.selection.rankers.neighbours import degrees, heat_graph, laplacian, nearest_rows
from engine.selection.rankers.options import CsfsOptions, Iterations, MifsOptions, SfusOptions
from engine.selection.rankers.problem import FeatureRanking, RankingProblem


def descend(
    start: float, step: Callable[[], float], problem: RankingProblem, limits: Iterations
) -> tuple[np.ndarray, bool]:
    """Repeat a step until it lowers the objective by no more than a share of its value.

    Return the objective, at the start and after each step, and whether the tolerance ended it.
    """
    objective = [start]
    for _ in range(limits.max_iterations):
        problem.check_stop()
        objective.append(step())
        if abs(objective[-2] - objective[-1]) <= limits.tolerance * max(
            abs(objective[-2]), np.finfo(float).tiny
        ):
            return np.array(objective), True
    return np.array(objective), False


def row_lengths(coefficients: np.ndarray) -> np.ndarray:
    """Return the length of each row."""
    lengths: np.ndarray = np.sqrt(np.einsum("ij,ij->i", coefficients, coefficients))
    return lengths


class WeightedRidge:
    """Minimises ‖X W − T‖²_F + Σ ‖w_i‖² / v_i for one X, `values`, and changing T and v.

    The normal equations are solved in as many unknowns as there are features or rows, whichever is fewer.

    >>> WeightedRidge(np.array([[1.0], [1.0]])).solve(np.array([1.0]), np.array([[3.0], [3.0]]))
    array([[2.]])
    """

    def __init__(self, values: np.ndarray) -> None:
        self._values = values
        self._by_features = values.shape[1] <= values.shape[0]
        self._products = values.T @ values if self._by_features else None

    def solve(self, allowances: np.ndarray, targets: np.ndarray) -> np.ndarray:
        """Return the coefficients, with v (at least 0: a feature with 0 takes no part) and targets T."""
        roots = np.sqrt(allowances)
        if self._products is not None:
            system = roots[:, None] * self._products * roots
            inner = roots[:, None] * (self._values.T @ targets)
            unscaled = _solve_plus_identity(system, inner)
        else:
            scaled = self._values * roots
            unscaled = scaled.T @ _solve_plus_identity(scaled @ scaled.T, targets)
        coefficients: np.ndarray = roots[:, None] * unscaled
        return coefficients


def _solve_plus_identity(system: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Solve (system + I) Z = targets for a positive semidefinite system, which is overwritten."""
    system[np.diag_indices_from(system)] += 1.0
    factor = cho_factor(system, lower=True, overwrite_a=True, check_finite=False)
    solution: np.ndarray = cho_solve(factor, targets, check_finite=False)
    return solution


def rank_by_csfs(problem: RankingProblem, options: CsfsOptions) -> FeatureRanking:
    """CSFS: row-sparse regression of all labels at once, with unknown labels estimated along with it.

    Chang, Nie, Yang and Huang (2014), A convex formulation for semi-supervised multi-label feature selection,
    AAAI 2014, 1171-1177.

    With rows X, coefficients W, intercepts b and labels F::

        min over W, b, F of  ‖X W + 1 bᵀ − F‖²_F + μ ‖W‖₂,₁

    F is given in labelled rows; in unlabelled ones it is free between 0 and 1. The problem is convex.
    Repeated: W and b by reweighting (as the head of this file says), then F = X W + 1 bᵀ in the unlabelled
    rows, clipped. A feature scores the length of its row of W.

    Features are standardised first. Rows are unlabelled only where the caller says so: a row without any
    label is an observation like others. The first W is a ridge regression with the same μ; it starts from
    unknown labels at the mean of the known ones.
    """
    regression = RowSparseRegression(problem, options.mu)
    objective, converged = descend(regression.objective(), regression.step, problem, options)
    return FeatureRanking(row_lengths(regression.coefficients), objective, converged)


class RowSparseRegression:
    """Coefficients W of standardised features, intercepts b and estimated labels F, in the making."""

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
        """Return the objective as written above."""
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


_SMOOTHING = 1e-8


def rank_by_sfus(problem: RankingProblem, options: SfusOptions) -> FeatureRanking:
    """SFUS: robust row-sparse regression of all labels, whose coefficients lie near a common subspace.

    Ma, Nie, Yang, Uijlings and Sebe (2012), Web image annotation via subspace-sparsity collaborated feature
    selection, IEEE Transactions on Multimedia 14:1021-1030.

    With rows X, labels Y, coefficients W and an orthonormal basis Q of fewer columns than there are labels::

        min over W, P, Q of  ‖X W − Y‖₂,₁ + α ‖W‖₂,₁ + β ‖W − Q P‖²_F   where QᵀQ = I

    The best P is QᵀW. Both norms are met by reweighting (as the head of this file says): with the diagonal
    matrices A of ½/‖row of X W − Y‖ and D of ½/‖row of W‖, K = XᵀA X + α D, M = K + β I and T = XᵀA Y, the
    best Q spans the leading eigenvectors of (I − β M⁻¹)⁻¹ M⁻¹T TᵀM⁻¹, and W = (M − β QQᵀ)⁻¹ T. A feature
    scores the length of its row of W.

    As (I − β M⁻¹)⁻¹ M⁻¹ = K⁻¹, those eigenvectors are K⁻¹T U with the leading eigenvectors U of TᵀM⁻¹K⁻¹T,
    which has a row and a column for each label alone; so two ridge regressions are all that an iteration
    needs.

    Features are standardised and labels centred, since the formula has no intercept. A row length r of X W
    − Y is √(r² + 10⁻⁸) throughout, so that rows that are met exactly keep a finite weight. The first W is a
    ridge regression. By default Q has one column fewer than there are labels; with as many, β would have no
    effect.
    """
    regression = SharedSubspaceRegression(problem, options)
    objective, converged = descend(regression.objective(), regression.step, problem, options)
    return FeatureRanking(row_lengths(regression.coefficients), objective, converged)


class SharedSubspaceRegression:
    """Coefficients W of standardised features and the basis Q of a shared subspace, in the making."""

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
        """Return (M − β QQᵀ)⁻¹ T by Woodbury's identity, in as many unknowns as Q has columns."""
        inner = directions.T @ gained @ directions
        outer = (apart @ directions).T @ tied
        drawn: np.ndarray = (apart - tied) @ directions @ np.linalg.lstsq(inner, outer, rcond=None)[0]
        together: np.ndarray = tied + drawn
        return together

    def objective(self) -> float:
        """Return the objective as written above."""
        outside = self.coefficients - self.basis @ (self.basis.T @ self.coefficients)
        return float(
            self._residual_lengths().sum()
            + self._alpha * row_lengths(self.coefficients).sum()
            + self._beta * np.sum(outside**2)
        )

    def _residual_lengths(self) -> np.ndarray:
        residuals = self._values @ self.coefficients - self._labels
        return np.sqrt(row_lengths(residuals) ** 2 + _SMOOTHING)


_GRADIENT_STEPS = 50
_GRADIENT_TOLERANCE = 1e-8


def rank_by_mifs(problem: RankingProblem, options: MifsOptions) -> FeatureRanking:
    """MIFS: row-sparse regression of a few hidden causes of the labels, which neighbouring rows share.

    Jian, Li, Shu and Liu (2016), Multi-label informed feature selection, IJCAI 2016, 1627-1633.

    With rows X, labels Y, hidden causes V, their effects B, coefficients W, and the Laplacian L of a graph
    of the p nearest rows::

        min over W, V, B of  ‖X W − V‖²_F + α ‖Y − V B‖²_F + β tr(VᵀL V) + γ ‖W‖₂,₁

    A feature scores the length of its row of W. The blocks take turns, and none of their steps raises the
    objective: V by conjugate gradients for (I + β L) V + α V B Bᵀ = X W + α Y Bᵀ, each row of B to its
    minimum, W by reweighting (as the head of this file says).

    Not in the paper: every row of B has a length of at most 1. Without a bound the minimum is never
    reached, since V and W can shrink towards 0 while B grows, and the ranking would depend on where
    iterations end. The weights of the graph are exp(−d²/s), s being the mean of the squared distances.
    Features are standardised and labels centred. The start is the truncated singular value decomposition of
    Y and a ridge regression, not random.
    """
    model = HiddenCauses(problem, options)
    objective, converged = descend(model.objective(), model.step, problem, options)
    return FeatureRanking(row_lengths(model.coefficients), objective, converged)


class HiddenCauses:
    """Hidden causes V, their effects B and coefficients W of standardised features, in the making."""

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
        """Return the objective as written above."""
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
