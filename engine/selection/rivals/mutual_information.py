"""Mutual information: how much a feature by itself tells of a label, averaged over the labels.

Shannon (1948), A mathematical theory of communication, Bell System Technical Journal 27:379-423.

With the shares p of the rows that fall into each bin b of the feature and have the label or not, in nats::

    I = Σ_b Σ_y p(b, y) ln(p(b, y) / (p(b) p(y)))

A feature with more distinct values than ``bins`` is cut at its quantiles; one with fewer is taken as it is.
"""

from __future__ import annotations

import numpy as np
from scipy.special import xlogy

from engine.selection.rivals.options import MutualInformationOptions
from engine.selection.rivals.problem import RankingProblem
from engine.selection.rivals.ranking import FeatureRanking


def rank(problem: RankingProblem, options: MutualInformationOptions) -> FeatureRanking:
    """Score each feature by its mean mutual information with the labels."""
    codes = equal_frequency_codes(problem.values, options.bins)
    return FeatureRanking(information_of_codes(codes, problem).mean(axis=1))


def information_of_codes(codes: np.ndarray, problem: RankingProblem) -> np.ndarray:
    """Give what each of some features tells of each label, in nats.

    Parameters
    ----------
    codes : ndarray of int64, shape (rows, features)
        The bin or category of each value, from 0.
    problem : RankingProblem
        Labels, and the stop.

    Returns
    -------
    ndarray of float64, shape (features, labels)
        At least 0.
    """
    rows = len(codes)
    present = problem.labels.mean(axis=0)
    information = np.zeros((codes.shape[1], problem.labels.shape[1]))
    for code in range(int(codes.max()) + 1):
        problem.check_stop()
        inside = (codes == code).astype(np.float64)
        share = inside.mean(axis=0)[:, None]
        joint = inside.T @ problem.labels / rows
        information += _summand(joint, share * present) + _summand(share - joint, share * (1.0 - present))
    # The sum is at least 0; rounding can take it below.
    return np.maximum(information, 0.0)


def equal_frequency_codes(values: np.ndarray, bins: int) -> np.ndarray:
    """Give the bin of each value.

    Parameters
    ----------
    values : ndarray of float64, shape (rows, features)
    bins : int
        Most bins a feature, at least 2.

    Returns
    -------
    ndarray of int64, shape (rows, features)
        From 0; equal values of a feature share a bin.

    Examples
    --------
    >>> equal_frequency_codes(np.array([[1.0, 7.0], [2.0, 9.0], [3.0, 9.0], [4.0, 7.0]]), 2).T.tolist()
    [[0, 0, 1, 1], [0, 1, 1, 0]]
    """
    codes = np.zeros(values.shape, dtype=np.int64)
    inner = np.arange(1, bins) / bins
    ordered = np.sort(values, axis=0)
    distinct = 1 + np.count_nonzero(np.diff(ordered, axis=0), axis=0)
    for column in np.flatnonzero(distinct <= bins):
        codes[:, column] = np.unique(values[:, column], return_inverse=True)[1]
    many = np.flatnonzero(distinct > bins)
    for cuts in np.quantile(ordered[:, many], inner, axis=0):
        codes[:, many] += values[:, many] > cuts
    return codes


def _summand(joint: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """Give p ln(p / q), 0 where nothing was seen."""
    seen = joint > 0
    term: np.ndarray = xlogy(joint, np.divide(joint, expected, out=np.ones_like(joint), where=seen))
    return term
