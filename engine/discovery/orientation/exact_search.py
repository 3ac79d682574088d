"""The best graph of a few variables with an arrow one way, and with the same arrow the other way.

Every graph without circles has an order in which causes come before effects, so that the best one is found
among all by going through sets, not through graphs (Koivisto and Sood 2004, Exact Bayesian structure
discovery in Bayesian networks, JMLR 5:549-573; Silander and Myllymäki 2006, A simple approach for finding the
globally optimal Bayesian network structure, UAI, 445-452). Sets are written as bits: variable v is in set m
where ``m >> v & 1``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from engine.boundaries.climbing import Price
from engine.independence.set_fits import SetFits, sums_over_sets


def log_ratios(fits: SetFits, price: Price, others: Sequence[int]) -> list[float]:
    """Say how much likelier the best graph is in which the first variable is an effect of another.

    Parameters
    ----------
    fits : SetFits
        Of all sets of n variables, n at least 2.
    price : Price
        What arrows cost; a variable may have any number of parents.
    others : sequence of int
        Numbers of the other variables that are asked about, from 1 to n - 1.

    Returns
    -------
    list of float
        For each of these half of what the score of the best graph with an arrow from it to the first
        exceeds that of the best graph with the opposite arrow: the logarithm of a ratio of likelihoods, less
        what the graphs cost. 0 where graphs that say the same of independence run either way.

    Examples
    --------
    Two causes that are independent, each correlated by 0.6 with their effect, which stands first:

    >>> from engine.independence.set_fits import log_principal_minors
    >>> products = np.array([[1.0, 0.6, 0.6], [0.6, 1.0, 0.0], [0.6, 0.0, 1.0]])
    >>> fit = -200.0 * log_principal_minors(products, [1, 1, 1])
    >>> pairs = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 3.0])
    >>> [round(each, 1) for each in log_ratios(SetFits(fit, pairs), Price(2.0, 8.0, 6), [1, 2])]
    [5.0, 5.0]
    """
    count = len(fits.statistic).bit_length() - 1
    scores = _scores(fits, price, count)
    before, after = _orders(_over_subsets(scores), count)
    return [
        _best_with(scores[0], other, 0, before, after) - _best_with(scores[other], 0, other, before, after)
        for other in others
    ]


def _scores(fits: SetFits, price: Price, count: int) -> np.ndarray:
    """Give half the score of each variable with each set of parents; -inf where it would be its own."""
    worth = 0.5 * (fits.statistic - price.of_dof * fits.dof)
    arrows = sums_over_sets(np.full(count, 0.5 * price.of_arrow))
    scores = np.full((count, len(worth)), -np.inf)
    for variable in range(count):
        gain = _with(worth, variable) - _without(worth, variable) - _without(arrows, variable)
        _without(scores[variable], variable)[:] = gain
    return scores


def _with(values: np.ndarray, variable: int) -> np.ndarray:
    """View the values of the sets that have a variable, in the order of the sets."""
    halves: np.ndarray = values.reshape(-1, 2, 1 << variable)[:, 1]
    return halves


def _without(values: np.ndarray, variable: int) -> np.ndarray:
    """View the values of the sets that do not have a variable, in the order of the sets."""
    halves: np.ndarray = values.reshape(-1, 2, 1 << variable)[:, 0]
    return halves


def _over_subsets(scores: np.ndarray) -> np.ndarray:
    """Give for each set the best score of any of its subsets."""
    best = scores.copy()
    for variable in range(scores.shape[-1].bit_length() - 1):
        halves = best.reshape(*best.shape[:-1], -1, 2, 1 << variable)
        np.maximum(halves[..., 1, :], halves[..., 0, :], out=halves[..., 1, :])
    return best


@lru_cache(maxsize=16)
def _layers(count: int) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """List the sets by size, each with its members: int64 of shapes (sets,) and (sets, size)."""
    sets = np.arange(1 << count)
    is_member = sets[:, None] >> np.arange(count) & 1 == 1
    sizes = is_member.sum(axis=1)
    return tuple(
        (sets[sizes == size], np.nonzero(is_member[sizes == size])[1].reshape(-1, size))
        for size in range(1, count + 1)
    )


def _orders(best: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Give the best score of the variables of each set where they come first, and where they come last."""
    everyone = (1 << count) - 1
    before, after = np.zeros(1 << count), np.zeros(1 << count)
    for sets, members in _layers(count):
        rest = sets[:, None] ^ 1 << members
        before[sets] = (best[members, rest] + before[rest]).max(axis=1)
        after[sets] = (best[members, everyone ^ sets[:, None]] + after[rest]).max(axis=1)
    return before, after


def _best_with(scores: np.ndarray, cause: int, effect: int, before: np.ndarray, after: np.ndarray) -> float:
    """Give the score of the best graph with an arrow from a cause to an effect.

    Parameters
    ----------
    scores : ndarray of float64, shape (sets,)
        Of the effect with all sets of parents.
    cause, effect : int
    before, after : ndarray of float64, shape (sets,)
        What :func:`_orders` gives.
    """
    # The variable that is taken out first leaves those before it where they are.
    late, early = max(cause, effect), min(cause, effect)

    def chosen(values: np.ndarray, has_cause: bool) -> np.ndarray:
        """Take the sets without the effect, and with the cause or without it."""
        takes = {cause: _with if has_cause else _without, effect: _without}
        return takes[early](takes[late](values, late).reshape(-1), early).reshape(-1)

    # The sets that come after are the complements, in the opposite order.
    whole = chosen(before, True) + _over_subsets(chosen(scores, True)) + chosen(after, False)[::-1]
    return float(whole.max())
