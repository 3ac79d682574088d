"""Whether differences between methods are more than chance, by tests that rank figures.

Demšar (2006), Statistical comparisons of classifiers over multiple data sets, Journal of Machine Learning
Research 7:1-30.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

LEVEL = 0.05
# Friedman's test compares at least so many methods, on at least so many tables.
_FEWEST_METHODS = 3
_FEWEST_TABLES = 2
_FEWEST_PAIRS = 2


def signed_rank_p(first: Sequence[float], second: Sequence[float]) -> float:
    """Test paired figures with Wilcoxon's signed-rank test, two-sided.

    Parameters
    ----------
    first, second : sequence of float
        As many in each; pairs without a difference are shared between both sides.

    Returns
    -------
    float
        The p-value; 1 when no pair differs or there is none.

    References
    ----------
    .. [1] Wilcoxon (1945), Individual comparisons by ranking methods; Demšar (2006) for equal pairs.

    Examples
    --------
    >>> signed_rank_p([1.0, 2.0, 3.0, 4.0, 5.0], [0.5, 1.4, 2.3, 3.2, 4.1])
    0.0625
    """
    from scipy.stats import wilcoxon

    # Differences that are equal but for rounding are ties.
    differences = np.round(np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64), 12)
    if not differences.any():
        return 1.0
    return float(wilcoxon(differences, zero_method="zsplit").pvalue)


def resampled_t_p(first: Sequence[float], second: Sequence[float], test_share: float) -> float:
    """Test paired figures of repeated splits with the t-test that allows for the rows that splits share.

    Parameters
    ----------
    first, second : sequence of float
        As many in each, one a split.
    test_share : float
        Share of the rows for testing.

    Returns
    -------
    float
        The two-sided p-value; 1 with fewer than two pairs or where no pair differs.

    References
    ----------
    .. [1] Nadeau, Bengio (2003), Inference for the generalization error, Machine Learning 52:239-281.

    Examples
    --------
    >>> round(resampled_t_p([0.9, 0.8, 0.9], [0.7, 0.7, 0.6], test_share=0.5), 3)
    0.225
    """
    from scipy.stats import t

    differences = np.round(np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64), 12)
    count = len(differences)
    if count < _FEWEST_PAIRS or not differences.any():
        return 1.0
    variance = (1.0 / count + test_share / (1.0 - test_share)) * differences.var(ddof=1)
    if variance == 0.0:
        return 0.0
    return float(2.0 * t.sf(abs(differences.mean()) / math.sqrt(variance), count - 1))


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Adjust p-values so that among all of them no false alarm is raised at a level, by Holm's steps.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    (0.03, 0.06, 0.06)
    """
    order = np.argsort(p_values, kind="stable")
    adjusted = [1.0] * len(p_values)
    highest = 0.0
    for step, position in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - step) * p_values[position]))
        adjusted[position] = highest
    return tuple(adjusted)


@dataclass(frozen=True, slots=True)
class RankTest:
    """Methods ranked on several tables.

    Attributes
    ----------
    average_ranks : tuple of float
        Of each method, 1 for the best; equal figures share their ranks.
    statistic, p_value : float
        Friedman's χ², corrected for ties.
    f_statistic, f_p_value : float
        Its less conservative form after Iman and Davenport (1980).
    critical_difference : float
        Nemenyi's: average ranks that lie further apart differ at the level of 5 %.
    tables : int
        Number of tables.
    """

    average_ranks: tuple[float, ...]
    statistic: float
    p_value: float
    f_statistic: float
    f_p_value: float
    critical_difference: float
    tables: int

    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Return the largest groups of methods that do not differ, by position, the best group first.

        Returns
        -------
        tuple of tuple of int
            Each of at least two methods, by rising rank.
        """
        order = sorted(range(len(self.average_ranks)), key=lambda position: self.average_ranks[position])
        found: list[tuple[int, ...]] = []
        reached = 0
        for start in range(len(order)):
            end = start
            while (
                end + 1 < len(order)
                and self.average_ranks[order[end + 1]] - self.average_ranks[order[start]]
                <= self.critical_difference
            ):
                end += 1
            if end > start and end > reached:
                found.append(tuple(order[start : end + 1]))
                reached = end
        return tuple(found)


def rank_test(figures: np.ndarray) -> RankTest | None:
    """Test whether methods differ over tables, with Friedman's test.

    Parameters
    ----------
    figures : ndarray of float64, shape (tables, methods)
        Larger is better.

    Returns
    -------
    RankTest or None
        None with fewer than three methods or two tables.

    References
    ----------
    .. [1] Friedman (1940); Iman, Davenport (1980); Nemenyi (1963); all as in Demšar (2006).

    Examples
    --------
    >>> test = rank_test(np.array([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.7, 0.6, 0.5]]))
    >>> test.average_ranks, round(test.statistic, 3)
    ((1.0, 2.0, 3.0), 6.0)
    """
    from scipy.stats import f, friedmanchisquare, rankdata

    tables, methods = figures.shape
    if methods < _FEWEST_METHODS or tables < _FEWEST_TABLES:
        return None
    figures = np.round(figures, 12)
    ranks = rankdata(-figures, axis=1)
    if (ranks == ranks[:, :1]).all():
        statistic, p_value = 0.0, 1.0
    else:
        found = friedmanchisquare(*figures.T)
        statistic, p_value = float(found.statistic), float(found.pvalue)
    rest = tables * (methods - 1) - statistic
    f_statistic = (tables - 1) * statistic / rest if rest > 0 else math.inf
    return RankTest(
        tuple(ranks.mean(axis=0).tolist()),
        statistic,
        p_value,
        f_statistic,
        float(f.sf(f_statistic, methods - 1, (methods - 1) * (tables - 1))),
        critical_difference(methods, tables),
        tables,
    )


def critical_difference(methods: int, tables: int, level: float = LEVEL) -> float:
    """Return how far average ranks of two methods must lie apart to differ, after Nemenyi (1963).

    Parameters
    ----------
    methods : int
        At least 2.
    tables : int
    level : float
        Between 0 and 1.

    Returns
    -------
    float

    Examples
    --------
    >>> round(critical_difference(methods=4, tables=14, level=0.10), 2)
    1.12
    """
    from scipy.stats import studentized_range

    quantile = studentized_range.ppf(1.0 - level, methods, math.inf) / math.sqrt(2.0)
    return float(quantile * math.sqrt(methods * (methods + 1) / (6.0 * tables)))
