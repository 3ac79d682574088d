"""Graphs that join each row to the rows nearest to it.

Distances are Euclidean; rows equally far are taken in row order. Memory grows with the rows, not with their
square.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array, diags_array

# Distances that are held at once.
_AT_ONCE = 2_000_000


@dataclass(frozen=True, slots=True, eq=False)
class NearestRows:
    """The rows nearest to each row (rows, neighbours), itself excluded, nearest first."""

    places: np.ndarray
    squared_distances: np.ndarray

    def closest(self, count: int) -> NearestRows:
        """Return only so many of them, or all where there are fewer."""
        return NearestRows(self.places[:, :count], self.squared_distances[:, :count])


def nearest_rows(points: np.ndarray, neighbours: int, check_stop: Callable[[], None]) -> NearestRows:
    """Find the rows nearest to each row."""
    rows = len(points)
    count = min(neighbours, rows - 1)
    squares = np.einsum("ij,ij->i", points, points)
    # Rounding of the products must not decide between rows that are equally far.
    grain = 1e-12 * max(float(squares.max()), np.finfo(np.float64).tiny)
    positions = np.empty((rows, count), dtype=np.int64)
    block = max(_AT_ONCE // rows, 1)
    for first in range(0, rows, block):
        check_stop()
        last = min(first + block, rows)
        distances = squares[first:last, None] + squares - 2.0 * points[first:last] @ points.T
        distances = np.round(distances / grain)
        distances[np.arange(last - first), np.arange(first, last)] = np.inf
        positions[first:last] = _smallest(distances, count)
    squared = [np.sum((points - points[column]) ** 2, axis=1) for column in positions.T]
    return NearestRows(positions, np.stack(squared, axis=1))


def _smallest(distances: np.ndarray, count: int) -> np.ndarray:
    """Return the columns of the smallest entries of each row, in rising order; ties in column order."""
    bounds = np.partition(distances, count - 1, axis=1)[:, count - 1]
    rows, columns = np.nonzero(distances <= bounds[:, None])
    order = np.lexsort((columns, distances[rows, columns], rows))
    # Of the candidates of each row, which stand together, the first ones are kept.
    starts = np.searchsorted(rows, np.arange(len(distances)))
    chosen: np.ndarray = columns[order][starts[:, None] + np.arange(count)]
    return chosen


def heat_graph(nearest: NearestRows) -> csr_array:
    """Join rows of which either is among the nearest of the other, the nearer the more strongly.

    The weight is exp(−d²/s) with the squared distance d² and its mean s over all nearest rows.
    """
    squared = nearest.squared_distances
    scale = float(squared.mean())
    return _either_way(nearest.places, np.exp(-squared / scale) if scale > 0 else np.ones_like(squared))


def neighbour_graph(nearest: NearestRows) -> csr_array:
    """Join rows of which either is among the nearest of the other, with a weight of 1.

    >>> nearest = nearest_rows(np.array([[0.0], [1.0], [2.0]]), 1, lambda: None)
    >>> neighbour_graph(nearest).toarray().tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    """
    return _either_way(nearest.places, np.ones_like(nearest.squared_distances))


def adaptive_graph(nearest: NearestRows) -> csr_array:
    """Join rows to their nearest but the last, with weights that fall linearly to 0 at the last.

    Nie, Wang and Huang (2014), Clustering and projected clustering with adaptive neighbors, KDD 2014,
    977-986: the weights of a row are in proportion to how much nearer each neighbour is than the next row
    beyond, and sum to 1. Where all are equally far they are equal. The graph is the mean of both directions.
    """
    squared = nearest.squared_distances
    count = max(squared.shape[1] - 1, 1)
    nearer = np.maximum(squared[:, -1:] - squared[:, :count], 0.0)
    total = nearer.sum(axis=1, keepdims=True)
    even = np.full_like(nearer, 1.0 / count)
    weights = np.divide(nearer, total, out=even, where=total > 1e-12 * squared.max())
    directed = _directed(nearest.places[:, :count], weights)
    return csr_array((directed + directed.T) / 2.0)


def reconstruction_weights(points: np.ndarray, nearest: NearestRows) -> csr_array:
    """Return the weights, summing to 1, with which the nearest rows come closest to each row.

    Roweis and Saul (2000), Nonlinear dimensionality reduction by locally linear embedding, Science
    290:2323-2326. A thousandth of its trace is added to the diagonal of each local covariance, as the authors
    advise where there are more neighbours than dimensions: near copies of rows would give unbounded weights.
    """
    positions = nearest.places
    count = positions.shape[1]
    weights = np.empty(positions.shape)
    block = max(_AT_ONCE // (count * points.shape[1]), 1)
    for first in range(0, len(points), block):
        chosen = slice(first, first + block)
        offsets = points[positions[chosen]] - points[chosen, None, :]
        covariances = offsets @ offsets.transpose(0, 2, 1)
        traces = np.trace(covariances, axis1=1, axis2=2)
        # A row whose neighbours are its copies is made of them in equal parts.
        ridge = np.where(traces > 0, 1e-3 * traces, 1.0)
        covariances[:, np.arange(count), np.arange(count)] += ridge[:, None]
        raw = np.linalg.solve(covariances, np.ones((len(traces), count, 1)))[:, :, 0]
        weights[chosen] = raw / raw.sum(axis=1, keepdims=True)
    return _directed(positions, weights)


def laplacian(graph: csr_array) -> csr_array:
    """Return the diagonal matrix of weights at each row, less the graph."""
    return csr_array(diags_array(degrees(graph)) - graph)


def degrees(graph: csr_array) -> np.ndarray:
    """Return the sum of the weights at each row."""
    return np.asarray(graph.sum(axis=1), dtype=np.float64).ravel()


def _either_way(positions: np.ndarray, weights: np.ndarray) -> csr_array:
    """Make a graph of weights that two rows which choose each other share."""
    directed = _directed(positions, weights)
    return csr_array(directed.maximum(directed.T))


def _directed(positions: np.ndarray, weights: np.ndarray) -> csr_array:
    rows, count = positions.shape
    starts = np.arange(rows)
    return csr_array((weights.ravel(), (np.repeat(starts, count), positions.ravel())), shape=(rows, rows))
