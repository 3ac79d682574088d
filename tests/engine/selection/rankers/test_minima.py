"""Where the methods end, against the formulas written out and solvers that know nothing of them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import lsq_linear, minimize
from scipy.stats import zscore

from engine.selection.rankers.graph_regularised import CommonParts, NumericalLabels
from engine.selection.rankers.neighbours import (
    NearestRows,
    heat_graph,
    laplacian,
    nearest_rows,
    reconstruction_weights,
)
from engine.selection.rankers.options import CmfsOptions, MifsOptions, SfusOptions
from engine.selection.rankers.problem import RankingProblem
from engine.selection.rankers.sparse_regression import (
    HiddenCauses,
    RowSparseRegression,
    SharedSubspaceRegression,
)

from .planted import planted

SHAPES = [(25, 6), (10, 14)]
# With more features than rows a search takes its time: a second setting is left to --long.
LONG = pytest.mark.long


def problem_of(rows: int, features: int, *, seed: int = 0, hidden: int = 0) -> RankingProblem:
    values, labels = planted(rows=rows, features=features, seed=seed)
    labelled = np.arange(rows) >= hidden
    return RankingProblem(values, labels.astype(float), labelled, 0, np.zeros(1, dtype=np.uint8))


def iterate(model, times: int) -> float:
    """Step so many times, or until a hundred steps have changed nothing that a computer can tell."""
    objective, still = np.inf, 0
    for _ in range(times):
        before, objective = objective, model.step()
        still = still + 1 if abs(objective - before) <= 1e-15 * abs(objective) else 0
        if still == 100:
            break
    return objective


def nearest(points: np.ndarray, neighbours: int) -> NearestRows:
    return nearest_rows(points, neighbours, lambda: None)


def lengths(rows: np.ndarray) -> np.ndarray:
    return np.linalg.norm(rows, axis=1)


def smooth_lengths(rows: np.ndarray) -> np.ndarray:
    """Lengths that a gradient method can follow, too large by 10⁻⁵ at most."""
    return np.sqrt(np.sum(rows**2, axis=1) + 1e-10)


def assert_row_sparse_minimum(gradient: np.ndarray, coefficients: np.ndarray, weight: float) -> None:
    """0 lies in the subdifferential of a smooth function with this gradient plus weight · ‖W‖₂,₁."""
    # A row on its way to 0 may not have arrived.
    nonzero = lengths(coefficients) > 1e-4
    unit = coefficients[nonzero] / lengths(coefficients[nonzero])[:, None]
    assert np.abs(gradient[nonzero] + weight * unit).max(initial=0) < 1e-4 * weight
    assert lengths(gradient[~nonzero]).max(initial=0) <= weight * (1 + 1e-4)


@pytest.mark.parametrize(("rows", "features"), SHAPES)
@pytest.mark.parametrize("mu", [0.1, 5.0, 15.0])
def test_csfs_meets_the_conditions_of_its_minimum(rows, features, mu):
    problem = problem_of(rows, features)
    model = RowSparseRegression(problem, mu)
    iterate(model, 3000)
    values, weights = zscore(problem.values), model.coefficients
    residuals = values @ weights + model.intercepts - problem.labels
    assert_row_sparse_minimum(2 * values.T @ residuals, weights, mu)
    assert np.abs(residuals.sum(axis=0)).max() < 1e-9


@pytest.mark.parametrize("mu", [1.0, 10.0, 100.0])
def test_csfs_of_one_feature_is_the_least_squares_solution_shrunk(mu):
    """min ‖x w − F‖² + μ ‖w‖ for one row w: w = (1 − μ / 2‖xᵀF‖)₊ xᵀF / xᵀx."""
    problem = problem_of(40, 1)
    labels = problem.values > np.array([[-0.5, 0.0, 0.5]])
    problem = RankingProblem(problem.values, labels.astype(float), problem.labelled, 0, problem.stop)
    model = RowSparseRegression(problem, mu)
    iterate(model, 500)
    products = zscore(problem.values).T @ (problem.labels - problem.labels.mean(axis=0))
    shrunk = max(0.0, 1 - mu / (2 * np.linalg.norm(products))) * products / 40
    assert np.allclose(model.coefficients, shrunk, atol=1e-8)


def test_csfs_removes_every_feature_from_a_known_weight_on():
    """W = 0 is the minimum exactly when μ is at least the longest 2 xᵀ(F − mean)."""
    problem = problem_of(25, 6)
    values = zscore(problem.values)
    bound = 2 * lengths(values.T @ (problem.labels - problem.labels.mean(axis=0))).max()
    below, above = (RowSparseRegression(problem, factor * bound) for factor in (0.9, 1.1))
    iterate(below, 500)
    iterate(above, 500)
    assert lengths(below.coefficients).max() > 1e-2
    assert lengths(above.coefficients).max() < 1e-9


@pytest.mark.parametrize(("rows", "features"), SHAPES)
def test_csfs_with_unlabelled_rows_meets_the_conditions_of_its_minimum(rows, features):
    """The problem is convex, so whatever meets them is the minimum."""
    hidden, mu = 4, 2.0
    problem = problem_of(rows, features, hidden=hidden)
    model = RowSparseRegression(problem, mu)
    iterate(model, 3000)
    values, labels = zscore(problem.values), model.labels
    fitted = values @ model.coefficients + model.intercepts
    assert_row_sparse_minimum(2 * values.T @ (fitted - labels), model.coefficients, mu)
    assert np.abs((fitted - labels).sum(axis=0)).max() < 1e-6
    assert np.array_equal(labels[hidden:], problem.labels[hidden:])
    # Estimated labels are what is fitted, or the end of their range that is nearest to it.
    assert np.allclose(labels[:hidden], np.clip(fitted[:hidden], 0, 1), atol=1e-6)
    assert 0 < np.count_nonzero((labels[:hidden] > 0) & (labels[:hidden] < 1)) < labels[:hidden].size


@pytest.mark.parametrize(("rows", "features"), SHAPES)
def test_csfs_finds_what_a_general_solver_finds(rows, features):
    mu = 2.0
    problem = problem_of(rows, features)
    values, labels = zscore(problem.values), problem.labels - problem.labels.mean(axis=0)
    count = labels.shape[1]

    def written(flat: np.ndarray) -> tuple[float, np.ndarray]:
        weights = flat.reshape(features, count)
        residuals, sizes = values @ weights - labels, smooth_lengths(weights)
        gradient = 2 * values.T @ residuals + mu * weights / sizes[:, None]
        return float(np.sum(residuals**2) + mu * sizes.sum()), gradient.ravel()

    assert_no_solver_gets_lower(iterate(RowSparseRegression(problem, mu), 3000), written, features * count)


@pytest.mark.parametrize(
    ("rows", "features", "alpha", "beta"),
    [
        *((25, 6, 1.0, 10.0), (25, 6, 0.1, 0.01), (10, 14, 1.0, 10.0)),
        *(
            pytest.param(*case, marks=LONG)
            for case in ((25, 6, 0.5, 0.5), (10, 14, 0.5, 0.5), (10, 14, 0.1, 0.01))
        ),
    ],
)
def test_sfus_ends_where_a_general_solver_ends(rows, features, alpha, beta):
    problem = problem_of(rows, features)
    values, labels = zscore(problem.values), problem.labels - problem.labels.mean(axis=0)
    count = labels.shape[1]

    def written(flat: np.ndarray) -> tuple[float, np.ndarray]:
        weights = flat.reshape(features, count)
        residuals, sizes = values @ weights - labels, smooth_lengths(weights)
        distances = np.sqrt(np.sum(residuals**2, axis=1) + 1e-8)
        # The best Q spans the leading left singular vectors of W: what it leaves out is the smallest value.
        left, singular, right = np.linalg.svd(weights, full_matrices=False)
        gradient = values.T @ (residuals / distances[:, None]) + alpha * weights / sizes[:, None]
        gradient += 2 * beta * singular[-1] * np.outer(left[:, -1], right[-1])
        total = distances.sum() + alpha * sizes.sum() + beta * singular[-1] ** 2
        return float(total), gradient.ravel()

    model = SharedSubspaceRegression(problem, SfusOptions(alpha=alpha, beta=beta))
    reached = iterate(model, 1000)
    assert written(model.coefficients.ravel())[0] == pytest.approx(reached, rel=1e-4)
    assert np.allclose(model.basis.T @ model.basis, np.eye(count - 1), atol=1e-9)
    assert_no_solver_gets_lower(reached, written, features * count)


def assert_no_solver_gets_lower(reached: float, written, size: int) -> None:
    """Start a general solver from several places; the lengths that it follows are slightly too large."""
    ends = [
        minimize(
            written,
            0.3 * np.random.default_rng(seed).normal(size=size),
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": 20_000, "maxfun": 20_000, "ftol": 1e-13, "gtol": 1e-9},
        ).fun
        for seed in range(4)
    ]
    assert reached <= min(ends) * (1 + 1e-6)
    assert min(ends) <= reached * (1 + 1e-3)


def test_sfus_step_is_the_formula_with_its_matrices_written_out():
    problem = problem_of(25, 6)
    alpha, beta = 0.7, 1.3
    values, labels = zscore(problem.values), problem.labels - problem.labels.mean(axis=0)
    model = SharedSubspaceRegression(problem, SfusOptions(alpha=alpha, beta=beta))
    before = model.coefficients
    model.step()
    inner = np.diag(0.5 / np.sqrt(lengths(values @ before - labels) ** 2 + 1e-8))
    outer = np.diag(0.5 / lengths(before))
    full = values.T @ inner @ values + alpha * outer + beta * np.eye(6)
    wanted = values.T @ inner @ labels
    inverse = np.linalg.inv(full)
    gain = np.linalg.inv(np.eye(6) - beta * inverse) @ inverse @ wanted @ wanted.T @ inverse
    sizes, vectors = np.linalg.eig(gain)
    leading = np.linalg.qr(vectors[:, np.argsort(-sizes.real)[:2]].real)[0]
    assert np.allclose(model.basis @ model.basis.T, leading @ leading.T, atol=1e-8)
    assert np.allclose(
        model.coefficients, np.linalg.solve(full - beta * leading @ leading.T, wanted), atol=1e-9
    )


@pytest.mark.parametrize(
    ("rows", "features", "gamma"),
    [
        *((25, 6, 1.0), (10, 14, 0.1)),
        *(pytest.param(*case, marks=LONG) for case in ((25, 6, 0.1), (10, 14, 1.0))),
    ],
)
def test_mifs_meets_the_conditions_of_a_minimum(rows, features, gamma):
    problem = problem_of(rows, features)
    options = MifsOptions(alpha=0.9, beta=0.3, gamma=gamma, neighbours=3)
    model = HiddenCauses(problem, options)
    reached = iterate(model, 5000)
    values, labels = zscore(problem.values), problem.labels - problem.labels.mean(axis=0)
    graph = heat_graph(nearest(values, 3)).toarray()
    causes, effects, weights = model.causes, model.effects, model.coefficients
    pairs = ((causes[:, None, :] - causes[None, :, :]) ** 2).sum(axis=2)
    written = (
        np.sum((values @ weights - causes) ** 2)
        + 0.9 * np.sum((labels - causes @ effects) ** 2)
        + 0.3 * np.sum(graph * pairs) / 2
        + gamma * lengths(weights).sum()
    )
    assert written == pytest.approx(reached, rel=1e-12)
    matrix = np.diag(graph.sum(axis=1)) - graph
    by_causes = (
        causes - values @ weights + 0.9 * (causes @ effects - labels) @ effects.T + 0.3 * matrix @ causes
    )
    assert np.abs(by_causes).max() < 1e-5
    assert_row_sparse_minimum(2 * values.T @ (values @ weights - causes), weights, gamma)
    # The effects push outwards where their bound holds them, and nowhere else.
    by_effects = causes.T @ (causes @ effects - labels)
    assert (lengths(effects) <= 1 + 1e-12).all()
    for row, push in zip(effects, by_effects, strict=True):
        multiplier = -row @ push
        assert multiplier >= -1e-6
        assert np.abs(push + multiplier * row).max() < 1e-5


@pytest.mark.parametrize(("rows", "features"), SHAPES)
def test_cmfs_meets_the_conditions_of_a_minimum(rows, features):
    problem = problem_of(rows, features)
    options = CmfsOptions(alpha=0.7, beta=0.2, gamma=0.02, neighbours=3)
    model = CommonParts(problem, options)
    reached = iterate(model, 8000)
    stretched = (problem.values - problem.values.min(axis=0)) / np.ptp(problem.values, axis=0)
    values, labels = stretched / np.linalg.norm(stretched), problem.labels / np.linalg.norm(problem.labels)
    graph = heat_graph(nearest(zscore(problem.values), 3)).toarray()
    matrix = (np.diag(graph.sum(axis=1)) - graph) / graph.sum(axis=1).mean()
    rows_, shares, label_shares = model.rows, model.feature_shares, model.label_shares
    written = (
        np.sum((values - rows_ @ shares.T) ** 2)
        + 0.7 * np.sum((labels - rows_ @ label_shares.T) ** 2)
        + 0.2 * np.trace(rows_.T @ matrix @ rows_)
        + 0.02 * lengths(shares).sum()
    )
    assert written == pytest.approx(reached, rel=1e-12)
    by_features = 2 * (rows_ @ shares.T - values).T @ rows_
    by_features += 0.02 * shares / np.maximum(lengths(shares), 1e-12)[:, None]
    by_labels = 2 * 0.7 * (rows_ @ label_shares.T - labels).T @ rows_
    by_rows = 2 * (
        (rows_ @ shares.T - values) @ shares
        + 0.7 * (rows_ @ label_shares.T - labels) @ label_shares
        + 0.2 * matrix @ rows_
    )
    for block, gradient in ((shares, by_features), (label_shares, by_labels), (rows_, by_rows)):
        assert block.min() >= 0
        # Multiplicative updates close in on scale last: V may still trade length with its shares.
        assert np.abs(block * gradient).max() < 1e-3


def test_numerical_labels_are_those_of_a_bounded_least_squares_solver():
    problem = problem_of(25, 6)
    values = zscore(problem.values)
    weights = reconstruction_weights(values, nearest(values, 4))
    model = NumericalLabels(problem.labels, weights)
    reached = iterate(model, 20_000)
    signs = 2 * problem.labels - 1
    residual = np.eye(25) - weights.toarray()
    assert (signs * model.labels >= 1).all()
    objectives = [
        2 * lsq_linear(residual * sign, np.zeros(25), bounds=(1, np.inf), tol=1e-14, max_iter=1000).cost
        for sign in signs.T
    ]
    assert reached == pytest.approx(sum(objectives), rel=1e-6)


def test_laplacian_counts_each_pair_once():
    values = problem_of(12, 3).values
    graph = heat_graph(nearest(values, 3))
    by_pairs = sum(
        graph.toarray()[left, right] * (values[left] - values[right]) ** 2
        for left in range(12)
        for right in range(left)
    )
    assert np.allclose(np.diag(values.T @ laplacian(graph).toarray() @ values), by_pairs)
