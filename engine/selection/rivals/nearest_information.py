"""Mutual information by nearest values: how much a feature tells of a label, with no bins for numbers.

Ross (2014), Mutual information between discrete and continuous data sets, PLoS ONE 9:e87357; scikit-learn
estimates it in this way by default.

With n rows, c of them like row i in the label, the distance d from its value to the k-th nearest one among
those, and the number m of all rows, itself included, that are nearer than d::

    I = ψ(n) + mean ψ(k) − mean ψ(c) − mean ψ(m),  at least 0

where ψ is the digamma function. Where there are no k other rows like it, k is how many there are; a row that
is alone with its label is left out. Rows as near as d = 0 count as nearer. A feature with few distinct
values is no number in this sense: it is counted as in ``engine.selection.rivals.mutual_information``. The
scores are averaged over the labels.
"""

from __future__ import annotations

import numpy as np
from scipy.special import digamma

from engine.selection.rivals.mutual_information import information_of_codes
from engine.selection.rivals.options import NearestInformationOptions
from engine.selection.rivals.problem import RankingProblem
from engine.selection.rivals.ranking import FeatureRanking


def rank(problem: RankingProblem, options: NearestInformationOptions) -> FeatureRanking:
    """Score each feature by its mean mutual information with the labels."""
    values = problem.values
    scores = np.empty(values.shape[1])
    distinct = 1 + np.count_nonzero(np.diff(np.sort(values, axis=0), axis=0), axis=0)
    few = distinct <= options.categories
    codes = [np.unique(column, return_inverse=True)[1] for column in values.T[few]]
    if codes:
        scores[few] = information_of_codes(np.stack(codes, axis=1), problem).mean(axis=1)
    for column in np.flatnonzero(~few):
        problem.check_stop()
        order = np.argsort(values[:, column], kind="stable")
        ordered = values[order, column]
        scores[column] = np.mean(
            [
                information_of_numbers(ordered, label[order] > 0, options.neighbours)
                for label in problem.labels.T
            ]
        )
    return FeatureRanking(scores)


def information_of_numbers(ordered: np.ndarray, label: np.ndarray, neighbours: int) -> float:
    """Estimate what a number tells of a label, in nats.

    Parameters
    ----------
    ordered : ndarray of float64, shape (rows,)
        Values in rising order.
    label : ndarray of bool, shape (rows,)
        Whether each of them has the label.
    neighbours : int
        k.

    Returns
    -------
    float
        At least 0.

    Examples
    --------
    >>> apart = np.array([0.0, 1.0, 2.0, 10.0, 11.0, 12.0])
    >>> round(information_of_numbers(apart, apart > 5, 1), 4)
    0.7833
    """
    counts: list[np.ndarray] = []
    terms: list[np.ndarray] = []
    for group in (ordered[label], ordered[~label]):
        size = len(group)
        nearest = min(neighbours, size - 1)
        if nearest > 0:
            counts.append(_nearer(ordered, group, nearest))
            terms.append(np.full(size, digamma(nearest) - digamma(size)))
    if not counts:
        return 0.0
    nearer = np.concatenate(counts)
    estimate = digamma(len(nearer)) + np.mean(np.concatenate(terms)) - np.mean(digamma(nearer))
    return max(float(estimate), 0.0)


def _nearer(ordered: np.ndarray, group: np.ndarray, nearest: int) -> np.ndarray:
    """Count, for each value of a group, all values nearer to it than its k-th nearest in the group."""
    size = len(group)
    places = np.arange(size)
    distance = np.full(size, np.inf)
    low, high = group.copy(), group.copy()
    # The k nearest and the value itself stand together: one of the k + 1 windows that hold it.
    for before in range(nearest + 1):
        first, last = places - before, places - before + nearest
        inside = np.flatnonzero((first >= 0) & (last < size))
        below, above = group[inside] - group[first[inside]], group[last[inside]] - group[inside]
        wide = np.maximum(below, above)
        better = wide < distance[inside]
        chosen = inside[better]
        distance[chosen] = wide[better]
        # The bound that a value sets is that value itself, which a rounded sum might miss.
        on_the_left = below[better] >= above[better]
        low[chosen] = np.where(on_the_left, group[first[chosen]], group[chosen] - wide[better])
        high[chosen] = np.where(on_the_left, group[chosen] + wide[better], group[last[chosen]])
    copies = distance == 0.0
    starts = np.where(
        copies, np.searchsorted(ordered, group, side="left"), np.searchsorted(ordered, low, side="right")
    )
    ends = np.where(
        copies, np.searchsorted(ordered, group, side="right"), np.searchsorted(ordered, high, side="left")
    )
    counted: np.ndarray = ends - starts
    return counted
