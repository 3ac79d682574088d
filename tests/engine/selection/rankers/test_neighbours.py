"""Nearest rows, and the scores of MCLS that rest on them, against loops and another library."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.sparse import csr_array
from sklearn.neighbors import NearestNeighbors

from engine.errors import Cancelled
from engine.selection.rankers import neighbours
from engine.selection.rankers.graph_regularised import constraint_scores, laplacian_scores


def points(rows: int = 40, dimensions: int = 3, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(rows, dimensions))


def nearest(table: np.ndarray, count: int) -> neighbours.NearestRows:
    return neighbours.nearest_rows(table, count, lambda: None)


@pytest.mark.parametrize("at_once", [1, 100, 10**9])
def test_nearest_rows_are_those_of_scikit_learn(monkeypatch, at_once):
    monkeypatch.setattr(neighbours, "_AT_ONCE", at_once)
    table = points()
    neighbourhoods = nearest(table, 5)
    distances, places = NearestNeighbors(n_neighbors=5).fit(table).kneighbors()
    assert np.array_equal(neighbourhoods.places, places)
    assert np.allclose(neighbourhoods.squared_distances, distances**2)


def test_rows_equally_far_are_taken_in_row_order():
    table = 0.1 * np.random.default_rng(1).integers(0, 2, size=(60, 4))
    neighbourhoods = nearest(table, 7)
    for row in range(60):
        exact = np.sum((table - table[row]) ** 2, axis=1).round(9)
        others = np.array([other_row for other_row in range(60) if other_row != row])
        assert (
            neighbourhoods.places[row].tolist()
            == others[np.argsort(exact[others], kind="stable")][:7].tolist()
        )


def test_there_are_no_more_neighbours_than_other_rows():
    assert nearest(points(4), 10).places.shape == (4, 3)
    assert nearest(points(2), 1).places.tolist() == [[1], [0]]


def test_a_stop_is_noticed_between_blocks(monkeypatch):
    monkeypatch.setattr(neighbours, "_AT_ONCE", 1)
    looks = []

    def check() -> None:
        looks.append(1)
        if len(looks) == 3:
            raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        neighbours.nearest_rows(points(), 5, check)
    assert len(looks) == 3


def test_heat_falls_with_the_distance():
    table = points()
    neighbourhoods = nearest(table, 4)
    graph = neighbours.heat_graph(neighbourhoods).toarray()
    scale = neighbourhoods.squared_distances.mean()
    for first in range(40):
        for second in range(40):
            near = second in neighbourhoods.places[first] or first in neighbourhoods.places[second]
            weight = np.exp(-np.sum((table[first] - table[second]) ** 2) / scale) if near else 0.0
            assert graph[first, second] == pytest.approx(weight)


def test_adaptive_weights_solve_the_problem_that_they_are_derived_from():
    """Nie et al.: least Σ d² w + r w² on the simplex, with the r at which so many neighbours take part."""
    table, count = points(12), 3
    neighbourhoods = nearest(table, count + 1)
    graph = np.zeros((12, 12))
    for row in range(12):
        squared = np.sum((table - table[row]) ** 2, axis=1)
        # Far enough never to be chosen.
        squared[row] = 2 * squared.max()
        near = np.sort(squared)[: count + 1]
        radius = (count * near[-1] - near[:-1].sum()) / 2
        graph[row] = minimize(
            lambda w, squared=squared, radius=radius: squared @ w + radius * w @ w,
            np.full(12, 1 / 12),
            jac=lambda w, squared=squared, radius=radius: squared + 2 * radius * w,
            bounds=[(0, 1)] * 12,
            constraints={"type": "eq", "fun": lambda w: w.sum() - 1, "jac": np.ones_like},
            method="SLSQP",
            options={"ftol": 1e-14, "maxiter": 500},
        ).x
    assert np.allclose(neighbours.adaptive_graph(neighbourhoods).toarray(), (graph + graph.T) / 2, atol=1e-5)


def test_adaptive_weights_of_copies_are_equal():
    graph = neighbours.adaptive_graph(nearest(np.ones((5, 2)), 3)).toarray()
    assert np.isfinite(graph).all()
    assert graph.sum() == pytest.approx(5)


def test_reconstruction_weights_minimise_the_regularised_error():
    table = points(15, 2)
    neighbourhoods = nearest(table, 4)
    weights = neighbours.reconstruction_weights(table, neighbourhoods).toarray()
    assert np.allclose(weights.sum(axis=1), 1)
    for row, places in enumerate(neighbourhoods.places):
        offsets = table[places] - table[row]
        covariance = offsets @ offsets.T
        covariance += 1e-3 * np.trace(covariance) * np.eye(4)
        # At the minimum under a fixed sum the gradient is the same everywhere.
        assert np.ptp(covariance @ weights[row, places]) < 1e-10
        assert np.count_nonzero(weights[row]) == 4


def test_a_row_is_made_of_its_copies_in_equal_parts():
    assert np.allclose(
        neighbours.reconstruction_weights(np.ones((4, 2)), nearest(np.ones((4, 2)), 3)).toarray(),
        (1 - np.eye(4)) / 3,
    )


def random_graph(rows: int, seed: int = 0) -> np.ndarray:
    graph = np.triu(np.random.default_rng(seed).random((rows, rows)) * (points(rows, rows) > 0.5), 1)
    return graph + graph.T


def test_laplacian_scores_are_those_of_their_definition():
    table, graph = points(12), random_graph(12)
    weights = graph.sum(axis=1)
    expected = []
    for feature in table.T:
        centred = feature - feature @ weights / weights.sum()
        rough = sum(graph[i, j] * (feature[i] - feature[j]) ** 2 for i in range(12) for j in range(i))
        expected.append(rough / (centred**2 @ weights))
    assert np.allclose(laplacian_scores(table, csr_array(graph)), expected)


def test_constraint_scores_are_those_of_their_definition():
    table, graph = points(12), random_graph(12) > 0
    expected = []
    for feature in table.T:
        squares = (feature[:, None] - feature[None, :]) ** 2
        expected.append(squares[graph].sum() / squares[~graph].sum())
    assert np.allclose(constraint_scores(table, csr_array(graph.astype(float))), expected)
