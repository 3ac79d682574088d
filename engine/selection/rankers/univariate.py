"""What a feature tells by itself: ANOVA F, mutual information, and selectors that look at nothing."""

from __future__ import annotations

import numpy as np
from scipy.special import digamma, xlogy

from engine.selection.rankers.options import MutualInformationOptions, NearestInformationOptions, NoOptions
from engine.selection.rankers.problem import FeatureRanking, RankingProblem


def rank_by_anova(problem: RankingProblem, options: NoOptions) -> FeatureRanking:
    """ANOVA F: how far the means of a feature with and without a label lie apart, averaged over the labels.

    Fisher (1925), Statistical Methods for Research Workers, Oliver and Boyd, chapter 7.

    With n rows, n₁ of them with the label and n₀ without, and the means m₁, m₀ and m of the feature in them
    and in all rows::

        between = n₁ (m₁ − m)² + n₀ (m₀ − m)²
        F = between / ((Σ (x − m)² − between) / (n − 2))

    A label that parts the values of a feature perfectly would make F infinite; it is then as large as
    rounding can tell it from that.
    """
    values, labels = problem.standardised(), problem.labels
    rows = len(values)
    present = labels.sum(axis=0)
    # Standardised values sum to 0, so the two groups have sums of equal size, and all squares sum to `rows`.
    sums = values.T @ labels
    between = sums**2 * (1.0 / present + 1.0 / (rows - present))
    within = np.maximum(rows - between, np.finfo(np.float64).eps * rows)
    return FeatureRanking(np.mean((rows - 2) * between / within, axis=1))


def rank_by_mutual_information(problem: RankingProblem, options: MutualInformationOptions) -> FeatureRanking:
    """Mutual information: how much a feature by itself tells of a label, averaged over the labels.

    Shannon (1948), A mathematical theory of communication, Bell System Technical Journal 27:379-423.

    With the shares p of the rows that fall into each bin b of the feature and have the label or not, in
    nats::

        I = Σ_b Σ_y p(b, y) ln(p(b, y) / (p(b) p(y)))

    A feature with more distinct values than ``bins`` is cut at its quantiles; one with fewer is taken as it
    is.
    """
    codes = equal_frequency_codes(problem.values, options.bins)
    return FeatureRanking(information_of_codes(codes, problem).mean(axis=1))


def information_of_codes(codes: np.ndarray, problem: RankingProblem) -> np.ndarray:
    """Return in nats what each feature, coded from 0, tells of each label: shape (features, labels)."""
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
    """Return the bin of each value, from 0; equal values of a feature share a bin.

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
    """Return p ln(p / q), 0 where nothing was seen."""
    seen = joint > 0
    term: np.ndarray = xlogy(joint, np.divide(joint, expected, out=np.ones_like(joint), where=seen))
    return term


def rank_by_nearest_information(
    problem: RankingProblem, options: NearestInformationOptions
) -> FeatureRanking:
    """Mutual information by nearest values: how much a feature tells of a label, with no bins for numbers.

    Ross (2014), Mutual information between discrete and continuous data sets, PLoS ONE 9:e87357; scikit-learn
    estimates it in this way by default.

    With n rows, c of them like row i in the label, the distance d from its value to the k-th nearest one
    among those, and the number m of all rows, itself included, that are nearer than d::

        I = ψ(n) + mean ψ(k) − mean ψ(c) − mean ψ(m),  at least 0

    where ψ is the digamma function. Where there are no k other rows like it, k is how many there are; a row
    that is alone with its label is left out. Rows as near as d = 0 count as nearer. A feature with few
    distinct values is no number in this sense: its information is that of :func:`information_of_codes`. The
    scores are averaged over the labels.
    """
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
    """Estimate what a number, in rising order, tells of a label, in nats, by k neighbours.

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
    positions = np.arange(size)
    distance = np.full(size, np.inf)
    low, high = group.copy(), group.copy()
    # The k nearest and the value itself stand together: one of the k + 1 windows that hold it.
    for before in range(nearest + 1):
        first, last = positions - before, positions - before + nearest
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
    return ends - starts


def rank_all_alike(problem: RankingProblem, options: NoOptions) -> FeatureRanking:
    """All features: what a classifier does without selection.

    Every feature that varies scores 1 and is selected; a classifier may do what it can with all of them.
    """
    features = problem.values.shape[1]
    return FeatureRanking(np.ones(features), subset=tuple(range(features)))


def rank_at_random(problem: RankingProblem, options: NoOptions) -> FeatureRanking:
    """Random order: what a selection is worth that knows nothing.

    Fisher and Yates (1938), Statistical Tables, Oliver and Boyd, example 12.

    The scores are the numbers from 1 to the number of features, shuffled: each order is equally probable.
    """
    source = np.random.default_rng(problem.seed)
    return FeatureRanking(source.permutation(problem.values.shape[1]) + 1.0)
