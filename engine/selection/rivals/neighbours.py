"""Graphs that join each row to the rows nearest to it.

Distances are Euclidean; rows equally far are taken in row order. Memory grows with the rows, not with their
square.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array, diags_array

# Rows whose distances to all others are held at once.
_BLOCK = 512


def nearest_rows(points: np.ndarray, neighbours: int) -> tuple[np.ndarray, np.ndarray]:
    """Find the rows nearest to each row, itself excluded.

    Parameters
    ----------
    points : ndarray of float64, shape (rows, dimensions)
    neighbours : int
        How many; all other rows where there are no more.

    Returns
    -------
    places : ndarray of int64, shape (rows, neighbours)
        Nearest first.
    squared_distances : ndarray of float64, shape (rows, neighbours)

    Examples
    --------
    >>> nearest_rows(np.array([[0.0], [1.0], [3.0]]), 1)[0].ravel().tolist()
    [1, 0, 1]
    """
    rows = len(points)
    count = min(neighbours, rows - 1)
    squares = np.einsum("ij,ij->i", points, points)
    # Rounding of the products must not decide between rows that are equally far.
    grain = 1e-12 * max(float(squares.max()), np.finfo(np.float64).tiny)
    places = np.empty((rows, count), dtype=np.int64)
    for first in range(0, rows, _BLOCK):
        last = min(first + _BLOCK, rows)
        distances = squares[first:last, None] + squares - 2.0 * points[first:last] @ points.T
        distances = np.round(distances / grain)
        distances[np.arange(last - first), np.arange(first, last)] = np.inf
        places[first:last] = np.argsort(distances, axis=1, kind="stable")[:, :count]
    squared = [np.sum((points - points[column]) ** 2, axis=1) for column in places.T]
    return places, np.stack(squared, axis=1)


def heat_graph(points: np.ndarray, neighbours: int) -> csr_array:
    """Join rows of which either is among the nearest of the other, the nearer the more strongly.

    The weight is exp(−d²/s) with the squared distance d² and its mean s over all nearest rows.

    Parameters
    ----------
    points : ndarray of float64, shape (rows, dimensions)
    neighbours : int

    Returns
    -------
    csr_array of float64, shape (rows, rows)
        Symmetric, at least 0.

    Examples
    --------
    >>> heat_graph(np.array([[0.0], [1.0], [2.0]]), 1).toarray().round(3).tolist()
    [[0.0, 0.368, 0.0], [0.368, 0.0, 0.368], [0.0, 0.368, 0.0]]
    """
    places, squared = nearest_rows(points, neighbours)
    scale = float(squared.mean())
    weights = np.exp(-squared / scale) if scale > 0 else np.ones_like(squared)
    directed = _sparse(places, weights)
    # Two rows that choose each other carry the same weight twice.
    return csr_array(directed.maximum(directed.T))


def adaptive_graph(points: np.ndarray, neighbours: int) -> csr_array:
    """Join rows to their nearest with weights that fall linearly to 0 at the next row beyond.

    Nie, Wang and Huang (2014), Clustering and projected clustering with adaptive neighbors, KDD 2014,
    977-986: the weights of a row are in proportion to how much nearer each neighbour is than the next row,
    and sum to 1. Where all are equally far they are equal. The graph is the mean of both directions.

    Parameters
    ----------
    points : ndarray of float64, shape (rows, dimensions)
    neighbours : int

    Returns
    -------
    csr_array of float64, shape (rows, rows)
        Symmetric, at least 0.

    Examples
    --------
    >>> adaptive_graph(np.array([[0.0], [1.0], [3.0]]), 1).toarray().tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 0.5], [0.0, 0.5, 0.0]]
    """
    places, squared = nearest_rows(points, neighbours + 1)
    if squared.shape[1] <= neighbours:
        nearer = squared.max(axis=1, keepdims=True) - squared
    else:
        places, nearer = places[:, :-1], squared[:, -1:] - squared[:, :-1]
    nearer = np.maximum(nearer, 0.0)
    total = nearer.sum(axis=1, keepdims=True)
    even = np.full_like(nearer, 1.0 / nearer.shape[1])
    weights = np.divide(nearer, total, out=even, where=total > 1e-12 * squared.max())
    directed = _sparse(places, weights)
    return csr_array((directed + directed.T) / 2.0)


def reconstruction_weights(points: np.ndarray, neighbours: int) -> csr_array:
    """Give the weights, summing to 1, with which the nearest rows come closest to each row.

    Roweis and Saul (2000), Nonlinear dimensionality reduction by locally linear embedding, Science
    290:2323-2326. A thousandth of its trace is added to the diagonal of each local covariance, as the authors
    advise where there are more neighbours than dimensions: near copies of rows would give unbounded weights.

    Parameters
    ----------
    points : ndarray of float64, shape (rows, dimensions)
    neighbours : int

    Returns
    -------
    csr_array of float64, shape (rows, rows)
        Each row sums to 1.

    Examples
    --------
    >>> reconstruction_weights(np.array([[0.0], [1.0], [2.0]]), 2).toarray()[1].round(6).tolist()
    [0.5, 0.0, 0.5]
    """
    places, _ = nearest_rows(points, neighbours)
    count = places.shape[1]
    weights = np.empty(places.shape)
    for first in range(0, len(points), _BLOCK):
        block = slice(first, first + _BLOCK)
        offsets = points[places[block]] - points[block, None, :]
        covariances = offsets @ offsets.transpose(0, 2, 1)
        traces = np.trace(covariances, axis1=1, axis2=2)
        # A row whose neighbours are its copies is made of them in equal parts.
        ridge = np.where(traces > 0, 1e-3 * traces, 1.0)
        covariances[:, np.arange(count), np.arange(count)] += ridge[:, None]
        raw = np.linalg.solve(covariances, np.ones((len(traces), count, 1)))[:, :, 0]
        weights[block] = raw / raw.sum(axis=1, keepdims=True)
    return _sparse(places, weights)


def laplacian(graph: csr_array) -> csr_array:
    """Give the diagonal matrix of weights at each row, less the graph.

    Examples
    --------
    >>> laplacian(csr_array([[0.0, 2.0], [2.0, 0.0]])).toarray().tolist()
    [[2.0, -2.0], [-2.0, 2.0]]
    """
    return csr_array(diags_array(degrees(graph)) - graph)


def degrees(graph: csr_array) -> np.ndarray:
    """Give the sum of the weights at each row.

    Examples
    --------
    >>> degrees(csr_array([[0.0, 2.0], [2.0, 0.0]])).tolist()
    [2.0, 2.0]
    """
    return np.asarray(graph.sum(axis=1), dtype=np.float64).ravel()


def _sparse(places: np.ndarray, weights: np.ndarray) -> csr_array:
    rows, count = places.shape
    starts = np.arange(rows)
    return csr_array((weights.ravel(), (np.repeat(starts, count), places.ravel())), shape=(rows, rows))
