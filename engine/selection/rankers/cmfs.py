"""CMFS: features and labels factorised over common non-negative parts."""

from __future__ import annotations

import math

import numpy as np
from scipy.linalg import svd

from engine.selection.rankers.neighbours import degrees, heat_graph, nearest_rows
from engine.selection.rankers.options import CmfsOptions
from engine.selection.rankers.problem import FeatureRanking, RankingProblem
from engine.selection.rankers.sparse_regression import descend, row_lengths

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
    """Parts and their shares in the making.

    Attributes
    ----------
    rows : ndarray of float64, shape (rows, parts)
        V.
    feature_shares : ndarray of float64, shape (features, parts)
        Q.
    label_shares : ndarray of float64, shape (labels, parts)
        B.
    """

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
    """Return non-negative factors near the leading singular ones.

    Of each pair of singular vectors the positive or the negative sides are kept, whichever weigh more.

    Parameters
    ----------
    matrix : ndarray of float64, shape (rows, columns)
        At least 0.
    count : int
        Number of factors.

    Returns
    -------
    rows : ndarray of float64, shape (rows, count)
    columns : ndarray of float64, shape (columns, count)
        Above 0; ``rows @ columns.T`` is near the matrix.

    Examples
    --------
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
