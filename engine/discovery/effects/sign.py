"""Which way a label goes with a feature: more with more, less with more, or not one way.

A curve, or rates by levels that have an order, may rise at one place and fall at another. Each rise and fall
from any point to any later one is held against what chance makes of the largest of them all, so that a wave
that chance draws is not taken for a turn.
"""

from __future__ import annotations

import numpy as np

from engine.discovery.effects.estimates import Sign

_DRAWS = 2000
_SEED = 20090617
# Share of the largest variance below which a direction is none.
_FLAT = 1e-10


def sign_of_order(means: np.ndarray, covariance: np.ndarray, confidence: float) -> Sign:
    """Tell which way means go along an order.

    Parameters
    ----------
    means : ndarray of float64, shape (points,)
        At levels or values of the feature, in their order.
    covariance : ndarray of float64, shape (points, points)
    confidence : float
        Chance that nothing is said where there is nothing.

    Returns
    -------
    Sign

    Examples
    --------
    >>> print(sign_of_order(np.array([0.1, 0.3, 0.5]), 0.001 * np.eye(3), 0.95))
    more with more
    >>> print(sign_of_order(np.array([0.1, 0.5, 0.1]), 0.001 * np.eye(3), 0.95))
    not one way
    """
    first, later = np.triu_indices(len(means), k=1)
    changes = means[later] - means[first]
    variances = covariance.diagonal()
    spread = np.sqrt(np.maximum(variances[first] + variances[later] - 2.0 * covariance[first, later], 0.0))
    tells = spread > 0.0
    if not tells.any():
        return Sign.UNCLEAR
    ratios = changes[tells] / spread[tells]
    bound = _largest_by_chance(covariance, first[tells], later[tells], spread[tells], confidence)
    rises, falls = bool(ratios.max() > bound), bool(ratios.min() < -bound)
    if rises and falls:
        return Sign.NOT_ONE_WAY
    if rises or falls:
        return Sign.MORE if rises else Sign.LESS
    return _sign_of_trend(means, covariance, confidence)


def _largest_by_chance(
    covariance: np.ndarray, first: np.ndarray, later: np.ndarray, spread: np.ndarray, confidence: float
) -> float:
    """Return the size that the largest of all changes reaches by chance only so rarely."""
    values, vectors = np.linalg.eigh(covariance)
    positive = values > _FLAT * max(float(values[-1]), 0.0)
    within = vectors[:, positive] * np.sqrt(values[positive])
    drawn = within @ np.random.default_rng(_SEED).standard_normal((int(positive.sum()), _DRAWS))
    largest = np.abs((drawn[later] - drawn[first]) / spread[:, np.newaxis]).max(axis=0)
    return float(np.quantile(largest, confidence))


def _sign_of_trend(means: np.ndarray, covariance: np.ndarray, confidence: float) -> Sign:
    """Tell whether means rise or fall on the whole, where no single change stands out."""
    from engine.discovery.effects.intervals import critical_value

    positions = np.arange(len(means)) - 0.5 * (len(means) - 1)
    trend, variance = float(positions @ means), float(positions @ covariance @ positions)
    if variance <= 0.0 or abs(trend) <= critical_value(confidence, np.inf) * np.sqrt(variance):
        return Sign.UNCLEAR
    return Sign.MORE if trend > 0.0 else Sign.LESS


def levels_differ(means: np.ndarray, covariance: np.ndarray, confidence: float) -> bool:
    """Tell whether means at levels without an order differ beyond chance, by Wald's statistic.

    Parameters
    ----------
    means : ndarray of float64, shape (levels, outcomes)
    covariance : ndarray of float64, shape (levels, outcomes, levels, outcomes)
    confidence : float

    Returns
    -------
    bool
    """
    from scipy.special import chdtri

    count, outcomes = means.shape
    if count < 2:
        return False
    contrast = np.kron(np.hstack((-np.ones((count - 1, 1)), np.eye(count - 1))), np.eye(outcomes))
    changes = contrast @ means.ravel()
    variance = contrast @ covariance.reshape(count * outcomes, -1) @ contrast.T
    values, vectors = np.linalg.eigh(variance)
    positive = values > _FLAT * max(float(values[-1]), np.finfo(float).tiny)
    statistic = float((np.square(vectors.T @ changes)[positive] / values[positive]).sum())
    return bool(positive.any()) and statistic > float(chdtri(int(positive.sum()), 1.0 - confidence))
