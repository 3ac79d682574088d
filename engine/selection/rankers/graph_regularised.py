"""MCLS and CMFS: selectors that hold on to a graph of rows near each other.

MCLS prefers features that agree among rows near in features and labels, and differ elsewhere. CMFS
factorises features and labels over common non-negative parts.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.linalg import svd
from scipy.sparse import csr_array, eye_array
from scipy.sparse.linalg import norm

from engine.selection.rankers.neighbours import (
    adaptive_graph,
    degrees,
    heat_graph,
    laplacian,
    nearest_rows,
    neighbour_graph,
    reconstruction_weights,
)
from engine.selection.rankers.options import CmfsOptions, MclsOptions
from engine.selection.rankers.problem import FeatureRanking, RankingProblem
from engine.selection.rankers.sparse_regression import descend, row_lengths

_WORST_LAPLACIAN_SCORE = 2.0


def rank_by_mcls(problem: RankingProblem, options: MclsOptions) -> FeatureRanking:
    """MCLS: prefers features that agree among rows near in features and labels, and differ elsewhere.

    Huang, Jiang and Sun (2018), Manifold-based constraint Laplacian score for multi-label feature selection,
    Pattern Recognition Letters 112:346-352.

    1. Locally linear weights of the features, G, say how each row is made of its neighbours. Numerical labels
       carry them over to the labels (Hou, Geng and Zhang 2016, Multi-label manifold learning, AAAI 2016,
       1680-1686): with Y of −1 and 1::

           min over U of  ‖U − G U‖²_F   where Y ∘ U ≥ 1

    2. S is the product, weight by weight, of two graphs of nearest rows, one by the features and one by the
       rows of U, each scaled to a length of 1. With the degrees D of S and its Laplacian L, and a feature f
       less its mean weighted by D, the Laplacian score (He, Cai and Niyogi 2005, NIPS 18) is
       fᵀL f / fᵀD f.
    3. Near rows must agree and all others need not: with the squared differences of the feature over pairs of
       rows, the constraint score (Zhang, Chen and Zhou 2008, Pattern Recognition 41:1440-1451) is  Σ over
       pairs of which one is among the nearest of the other / Σ over all other pairs.

    The product of both scores is better the smaller it is; here it is given with a minus sign. (A program in
    circulation sorts it the other way round and does worse than chance.) A feature that does not vary where S
    joins rows has a Laplacian score of 2, the worst that there can be.

    Features are standardised before distances are taken. The numerical labels are found by accelerated
    projected gradients, started afresh where a step would raise the objective, which is the one that is
    reported.
    """
    values = problem.standardised()
    # The row beyond the neighbours says how near they are.
    beyond = nearest_rows(values, options.neighbours + 1, problem.check_stop)
    nearest = beyond.closest(options.neighbours)
    numerical = NumericalLabels(problem.labels, reconstruction_weights(values, nearest))
    objective, converged = descend(numerical.objective(), numerical.step, problem, options)
    labels = numerical.labels / np.linalg.norm(numerical.labels, axis=1, keepdims=True)
    by_labels = nearest_rows(labels, options.neighbours + 1, problem.check_stop)
    joint = csr_array(adaptive_graph(beyond).multiply(adaptive_graph(by_labels)))
    scores = laplacian_scores(values, joint) * constraint_scores(values, neighbour_graph(nearest))
    return FeatureRanking(-scores, objective, converged)


class NumericalLabels:
    """Labels, U, turned into numbers that neighbouring rows share; `weights`: how rows are made of others."""

    def __init__(self, labels: np.ndarray, weights: csr_array) -> None:
        self._signs = 2.0 * labels - 1.0
        self._residual = csr_array(eye_array(len(labels)) - weights)
        # The largest eigenvalue is at most the product of the largest sums of rows and of columns.
        bound = norm(self._residual, np.inf) * norm(self._residual, 1)
        self._step_length = 1.0 / float(bound)
        self.labels = self._signs
        self._ahead = self._signs
        self._momentum = 1.0

    def objective(self) -> float:
        """Return the objective as written above."""
        return self._objective_at(self.labels)

    def step(self) -> float:
        """Make one projected gradient step, and give the objective."""
        before = self.objective()
        moved = self._projected(self._ahead)
        if self._objective_at(moved) > before:
            self._momentum = 1.0
            moved = self._projected(self.labels)
        momentum = (1.0 + np.sqrt(1.0 + 4.0 * self._momentum**2)) / 2.0
        self._ahead = moved + (self._momentum - 1.0) / momentum * (moved - self.labels)
        self.labels, self._momentum = moved, momentum
        return self.objective()

    def _objective_at(self, labels: np.ndarray) -> float:
        return float(np.sum((self._residual @ labels) ** 2))

    def _projected(self, labels: np.ndarray) -> np.ndarray:
        lower = labels - self._step_length * (self._residual.T @ (self._residual @ labels))
        projected: np.ndarray = self._signs * np.maximum(self._signs * lower, 1.0)
        return projected


def laplacian_scores(values: np.ndarray, graph: csr_array) -> np.ndarray:
    """Return the Laplacian score of each feature, 0 to 2; smaller is better."""
    weights = degrees(graph)
    if not weights.any():
        return np.full(values.shape[1], _WORST_LAPLACIAN_SCORE)
    centred = values - weights @ values / weights.sum()
    varied = weights @ centred**2
    rough = np.einsum("ij,ij->j", centred, laplacian(graph) @ centred)
    scores = np.full(values.shape[1], _WORST_LAPLACIAN_SCORE)
    negligible = 1e-12 * weights.sum() * np.mean(values**2, axis=0)
    np.divide(np.maximum(rough, 0.0), varied, out=scores, where=varied > negligible)
    return scores


def constraint_scores(values: np.ndarray, graph: csr_array) -> np.ndarray:
    """Return the constraint score of features, at least 0, smaller is better; `graph`: who must agree."""
    agreeing = np.maximum(np.einsum("ij,ij->j", values, laplacian(graph) @ values), 0.0)
    everywhere = len(values) * np.sum((values - values.mean(axis=0)) ** 2, axis=0)
    # A feature may differ among near rows alone; then nothing speaks for it.
    elsewhere = np.maximum(everywhere - agreeing, np.finfo(np.float64).eps * everywhere)
    scores: np.ndarray = agreeing / elsewhere
    return scores


# Keeps quotients finite where a whole part has died out; far below what any update can tell apart.
_TINY = 1e-300
# Zeros cannot grow by multiplication: the start holds this share of its mean instead.
_FILL = 0.01


def rank_by_cmfs(problem: RankingProblem, options: CmfsOptions) -> FeatureRanking:
    """CMFS: features and labels factorised over common non-negative parts. A reconstruction.

    Braytee, Liu, Catchpoole and Kennedy (2017), Multi-label feature selection using correlation
    information, CIKM 2017, 1649-1656. Neither formula nor program was at hand; the abstract names
    non-negative matrix factorisation of data and labels into a space of few dimensions, correlations among
    instances, features and labels, and an l2,1 norm. Assumed here, with rows X, labels Y, parts V, their
    shares Q in the features and B in the labels, and the Laplacian L of a graph of the nearest rows::

        min over V, Q, B ≥ 0 of  ‖X − V Qᵀ‖²_F + α ‖Y − V Bᵀ‖²_F + β tr(VᵀL V) + γ ‖Q‖₂,₁

    A feature scores the length of its row of Q. Features are stretched to reach from 0 to 1. X and Y are
    each divided by their Frobenius norm, so that α weighs labels against features however many there are,
    and L by its mean degree. V is common to both, which is how correlated labels and correlated features
    meet; L holds the correlation of instances (Cai, He, Han and Huang 2011, Graph regularized nonnegative
    matrix factorization for data representation, IEEE TPAMI 33:1548-1560). Multiplicative updates (Lee and
    Seung 2001, NIPS 13) never raise the objective; the norm is met by reweighting. The start is that of
    Boutsidis and Gallopoulos (2008, SVD based initialization, Pattern Recognition 41:1350-1362) with its
    zeros filled, not random.
    """
    parts = CommonParts(problem, options)
    objective, converged = descend(parts.objective(), parts.step, problem, options)
    return FeatureRanking(row_lengths(parts.feature_shares), objective, converged)


class CommonParts:
    """Parts V (rows, parts) and their shares Q in features and B in labels, in the making."""

    def __init__(self, problem: RankingProblem, options: CmfsOptions) -> None:
        self._options = options
        values = problem.unit_interval()
        self._values = values / np.linalg.norm(values)
        self._labels = problem.labels / np.linalg.norm(problem.labels)
        nearest = nearest_rows(problem.standardised(), options.neighbours, problem.check_stop)
        graph = heat_graph(nearest)
        mean_degree = max(float(degrees(graph).mean()), _TINY)
        self._graph = graph / mean_degree
        self._degrees = degrees(self._graph)[:, None]
        both = np.hstack([self._values, math.sqrt(options.alpha) * self._labels])
        # One part more than hidden causes, for the level that all stretched features share.
        count = min(math.ceil(options.latent_share * self._labels.shape[1]) + 1, *both.shape)
        self.rows, shares = non_negative_start(both, count)
        features = values.shape[1]
        self.feature_shares = shares[:features]
        self.label_shares = shares[features:] / math.sqrt(options.alpha)

    def step(self) -> float:
        """Update each block once, and give the objective."""
        options, rows = self._options, self.rows
        products = rows.T @ rows
        shrinking = options.gamma / 2.0 / np.maximum(row_lengths(self.feature_shares), _TINY)[:, None]
        self.feature_shares = (
            self.feature_shares
            * (self._values.T @ rows)
            / np.maximum(self.feature_shares @ products + shrinking * self.feature_shares, _TINY)
        )
        self.label_shares = (
            self.label_shares * (self._labels.T @ rows) / np.maximum(self.label_shares @ products, _TINY)
        )
        self._update_rows()
        return self.objective()

    def objective(self) -> float:
        """Return the objective as written above."""
        options, rows = self._options, self.rows
        smooth = np.sum(self._degrees * rows**2) - np.sum(rows * (self._graph @ rows))
        return float(
            np.sum((self._values - rows @ self.feature_shares.T) ** 2)
            + options.alpha * np.sum((self._labels - rows @ self.label_shares.T) ** 2)
            + options.beta * smooth
            + options.gamma * row_lengths(self.feature_shares).sum()
        )

    def _update_rows(self) -> None:
        options, rows = self._options, self.rows
        inner = (
            self.feature_shares.T @ self.feature_shares
            + options.alpha * self.label_shares.T @ self.label_shares
        )
        rising = (
            self._values @ self.feature_shares
            + options.alpha * self._labels @ self.label_shares
            + options.beta * (self._graph @ rows)
        )
        falling = rows @ inner + options.beta * self._degrees * rows
        self.rows = rows * rising / np.maximum(falling, _TINY)


def non_negative_start(matrix: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return non-negative factors near the leading singular ones: ``rows @ columns.T`` is near the matrix.

    Of each pair of singular vectors the positive or the negative sides are kept, whichever weigh more.

    >>> rows, columns = non_negative_start(np.array([[1.0, 2.0], [2.0, 4.0]]), 1)
    >>> (rows @ columns.T).round(6).tolist()
    [[1.0, 2.0], [2.0, 4.0]]
    """
    left, sizes, right = svd(matrix, full_matrices=False)
    rows, columns = np.zeros((matrix.shape[0], count)), np.zeros((matrix.shape[1], count))
    for position in range(count):
        sides = [
            (np.maximum(sign * left[:, position], 0.0), np.maximum(sign * right[position], 0.0))
            for sign in (1.0, -1.0)
        ]
        weights = [float(np.linalg.norm(a) * np.linalg.norm(b)) for a, b in sides]
        chosen = int(np.argmax(weights))
        (row, column), weight = sides[chosen], weights[chosen]
        if weight > 0.0:
            rows[:, position] = np.sqrt(sizes[position] * weight) * row / np.linalg.norm(row)
            columns[:, position] = np.sqrt(sizes[position] * weight) * column / np.linalg.norm(column)
    return _filled(rows), _filled(columns)


def _filled(factor: np.ndarray) -> np.ndarray:
    filled: np.ndarray = np.maximum(factor, _FILL * factor.mean())
    return filled
