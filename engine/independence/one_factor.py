"""One factor of correlations: its loadings, its fit beside that of a tree, and clusters that may have one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

# Columns that are less correlated than this on average are not put together.
LEAST_CORRELATION = 0.15
# The root mean square of what one factor leaves of the correlations, as a share of theirs. The five scales of
# the Big Five have .09 to .15, a chain of weak links .33.
_MOST_MISFIT, MOST_MISFIT_OF_NUMBERS = 0.22, 0.16
LEAST_LOADING, _MOST_LOADING = 0.3, 0.97
# What chance may make of a loading or of misfit in the rows of a first look.
_ROOM = 0.1
_MUCH_MISFIT = 0.35
_MOST_ROUNDS, _NO_CHANGE, _FULL = 200, 1e-5, 0.995
NOTHING_LEFT = 1e-6


def among_columns(correlations: np.ndarray, places: Sequence[int] | np.ndarray) -> np.ndarray:
    """Return the correlations of some columns with one another."""
    chosen = np.asarray(places, dtype=np.int64)
    return np.asarray(correlations[np.ix_(chosen, chosen)])


def may_fit(correlations: np.ndarray) -> bool:
    """Tell at little cost whether one factor may fit: by loadings from sums (Thurstone's centroids)."""
    sizes = np.abs(correlations)
    np.fill_diagonal(sizes, 0.0)
    sums = sizes.sum(axis=0)
    count = len(sums)
    loadings = sums / math.sqrt(sums.sum() * (count - 1) / count)
    left = sizes - np.outer(loadings, loadings)
    np.fill_diagonal(left, 0.0)
    return float((left**2).sum()) <= _MUCH_MISFIT**2 * float((sizes**2).sum())


def loadings_of(correlations: np.ndarray) -> np.ndarray:
    """Return the loadings of one factor by least squares of the correlations, the sum of them positive.

    Each with the others as they are (Comrey 1962, Psychological Reports 11:15-28).
    """
    others = correlations - np.diag(np.diag(correlations))
    values, vectors = np.linalg.eigh(correlations)
    loadings = vectors[:, -1] * math.sqrt(max(values[-1], 0.0))
    for _ in range(_MOST_ROUNDS):
        squares = loadings**2
        best = others @ loadings / np.maximum(squares.sum() - squares, 1e-9)
        # Half of the way, or they may swing around what they seek.
        change = 0.5 * (np.minimum(np.maximum(best, -_FULL), _FULL) - loadings)
        loadings = loadings + change
        if np.abs(change).max() < _NO_CHANGE:
            break
    return np.asarray(loadings if loadings.sum() >= 0.0 else -loadings)


def score_weights(loadings: np.ndarray) -> np.ndarray:
    """Return the weights of the best score of the factor (Thomson 1935; Bartlett 1937: in proportion)."""
    return np.asarray(loadings / (1.0 - loadings**2))


def one_factor_fits(
    correlations: np.ndarray, loadings: np.ndarray, observations: float, least_gain: float
) -> bool:
    """Tell whether one factor fits nearly, and better than any tree of the columns themselves.

    Twice the logarithm of how many times likelier it makes the rows has to exceed `least_gain`. Of 0
    observations, whether it may do so in more rows.
    """
    if not _fits_nearly(correlations, loadings, observations):
        return False
    gain = _log_likelihood(correlations, loadings) - _tree_log_likelihood(correlations)
    return gain > 0.0 if observations == 0.0 else 2.0 * observations * gain > least_gain


def fits_beyond_tree(
    correlations: np.ndarray, loadings: np.ndarray, observations: float, level: float
) -> bool:
    """Tell whether one factor fits nearly, and a test shows that the best tree of the columns does not fit.

    Members that reflect one thing at different times, say, are more alike the nearer these are.
    """
    from scipy.special import chdtrc

    sign, determinant = np.linalg.slogdet(correlations)
    if sign <= 0.0 or not _fits_nearly(correlations, loadings, observations):
        return False
    count = len(loadings)
    gain = -0.5 * (determinant + count) - _tree_log_likelihood(correlations)
    return bool(chdtrc((count - 1) * (count - 2) / 2, max(2.0 * observations * gain, 0.0)) < level)


def _fits_nearly(correlations: np.ndarray, loadings: np.ndarray, observations: float) -> bool:
    is_look = observations == 0.0
    sizes = np.abs(loadings)
    if sizes.min() < LEAST_LOADING - _ROOM * is_look or sizes.max() > _MOST_LOADING:
        return False
    return misfit_of(correlations, loadings, observations) <= _MOST_MISFIT + _ROOM * is_look


def reliability_of_sum(loadings: np.ndarray) -> float:
    """Return the share of the variance of the sum of all members, turned as they load, that the factor has.

    McDonald's omega (McDonald 1999, Test Theory, p. 89), of members with equal variance.
    """
    sizes = np.abs(loadings)
    own = float((1.0 - sizes**2).sum())
    return float(sizes.sum() ** 2 / (sizes.sum() ** 2 + own))


def misfit_of(correlations: np.ndarray, loadings: np.ndarray, observations: float) -> float:
    """Return what one factor leaves of correlations beyond chance, as a share (root mean squares)."""
    count = len(loadings)
    beside = ~np.eye(count, dtype=bool)
    left = (correlations - np.outer(loadings, loadings))[beside]
    square = float((correlations[beside] ** 2).mean())
    # What chance leaves, as pairs outnumber loadings.
    free = max(count - 3, 0) / (count - 1)
    by_chance = (1.0 - square) ** 2 * free / observations if observations else 0.0
    return math.sqrt(max(float((left**2).mean()) - by_chance, 0.0) / square)


def _log_likelihood(correlations: np.ndarray, loadings: np.ndarray) -> float:
    """Return that of one factor, a row, without the constant."""
    own = 1.0 - loadings**2
    weights = loadings / own
    told = 1.0 + float(loadings @ weights)
    determinant = float(np.log(own).sum()) + math.log(told)
    trace = float((1.0 / own).sum()) - float(weights @ correlations @ weights) / told
    return -0.5 * (determinant + trace)


def _tree_log_likelihood(correlations: np.ndarray) -> float:
    """Return that of the best tree of the columns, a row, without the constant."""
    worth = -np.log(1.0 - np.minimum(correlations**2, 1.0 - 1e-9))
    count = len(worth)
    outside = np.ones(count, dtype=bool)
    outside[0] = False
    best = worth[0].copy()
    total = 0.0
    for _ in range(count - 1):
        nearest = int(np.where(outside, best, -1.0).argmax())
        total += float(best[nearest])
        outside[nearest] = False
        best = np.maximum(best, worth[nearest])
    return 0.5 * (total - count)


def chosen_forward(among: np.ndarray, links: np.ndarray, most: int) -> tuple[list[int], np.ndarray]:
    """Choose up to `most` columns, each that which adds most to what they tell of something, by correlations.

    Also return the share of the variance that the first, the first two … tell.
    """
    left, toward = among.copy(), links.copy()
    order: list[int] = []
    gains: list[float] = []
    for _ in range(min(most, len(links))):
        own = np.diag(left)
        adds = np.where(own > NOTHING_LEFT, toward**2 / np.maximum(own, NOTHING_LEFT), 0.0)
        adds[order] = -1.0
        best = int(adds.argmax())
        order.append(best)
        gains.append(float(adds[best]))
        slope = left[best] / max(left[best, best], NOTHING_LEFT)
        toward = toward - slope * toward[best]
        left = left - np.outer(slope, left[best])
    return order, np.cumsum(gains)


class Cluster(NamedTuple):
    """Columns that average linkage puts together, and the two parts that it made them of."""

    members: list[int]
    first: int
    parts: tuple[Cluster, ...]


def clusters_of(near: np.ndarray) -> list[Cluster]:
    """Put columns together by average linkage (Sokal and Michener 1958), as long as they are correlated.

    Two clusters are as near as their members are on average.
    """
    near = near.copy()
    np.fill_diagonal(near, -1.0)
    clusters = {place: Cluster([place], 1, ()) for place in range(len(near))}
    while len(clusters) > 1:
        first, second = divmod(int(near.argmax()), len(near))
        if near[first, second] < LEAST_CORRELATION:
            break
        one, two = clusters[first], clusters.pop(second)
        sizes = len(one.members), len(two.members)
        joined = (sizes[0] * near[first] + sizes[1] * near[second]) / sum(sizes)
        near[second] = near[:, second] = -1.0
        joined[[first, second]] = -1.0
        # Places that are gone stay so.
        joined[near[first] < 0.0] = -1.0
        near[first] = near[:, first] = joined
        clusters[first] = Cluster(one.members + two.members, sizes[0], (one, two))
    return list(clusters.values())
