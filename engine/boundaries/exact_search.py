"""The best of all graphs of a few variables with an arrow, beside the best with the opposite arrow.

Every graph without circles has an order in which causes come before effects, so that the best one is found
among all by going through sets, not through graphs (Koivisto and Sood 2004, Exact Bayesian structure
discovery in Bayesian networks, JMLR 5:549-573; Silander and Myllymäki 2006, A simple approach for finding the
globally optimal Bayesian network structure, UAI, 445-452). Sets are written as bits: variable v is in set m
where ``m >> v & 1``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.boundaries.climbing import Price
from engine.compiled.decorators import counting_kernel, counting_part, merged_part
from engine.independence.set_fits import SetFits


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
    worth = 0.5 * (fits.statistic - price.of_dof * fits.dof)
    arrows = np.array([(other, 0) for other in others] + [(0, other) for other in others], dtype=np.int64)
    best = np.empty(len(arrows))
    working = np.empty((3, len(worth)))
    _fill_best(
        worth, 0.5 * price.of_arrow, arrows.reshape(-1, 2), np.empty((count, len(worth))), working, best
    )
    ratios: list[float] = (best[: len(others)] - best[len(others) :]).tolist()
    return ratios


@counting_kernel
def _fill_best(
    worth: np.ndarray,
    price: float,
    arrows: np.ndarray,
    scores: np.ndarray,
    working: np.ndarray,
    best: np.ndarray,
) -> None:
    """Write for each of some arrows the score of the best graph with it.

    Parameters
    ----------
    worth : ndarray of float64, shape (sets,)
        Half the fit of each set, less what its parameters cost.
    price : float
        Half of what an arrow costs.
    arrows : ndarray of int64, shape (arrows, 2)
        Cause and effect.
    scores : ndarray of float64, shape (variables, sets)
        Working memory: for the best score of each variable with any parents from a set.
    working : ndarray of float64, shape (3, sets)
        Working memory: for the best score of the variables of each set where they come before all others,
        where they come after them, and of an effect with its cause and any more parents from a set.
    best : ndarray of float64, shape (arrows,)
        To be written.
    """
    count, everyone = scores.shape[0], worth.shape[0] - 1
    before, after, with_cause = working
    for variable in range(count):
        _score(worth, price, variable, scores[variable])
        _take_best_subsets(scores[variable], count)
    before[0] = after[0] = 0.0
    for members in range(1, everyone + 1):
        best_before = best_after = -np.inf
        for last in range(count):
            if members >> last & 1:
                rest = members ^ (1 << last)
                best_before = _greater(before[rest] + scores[last, rest], best_before)
                best_after = _greater(after[rest] + scores[last, everyone ^ members], best_after)
        before[members], after[members] = best_before, best_after
    for number in range(arrows.shape[0]):
        cause, effect = arrows[number]
        _score(worth, price, effect, with_cause)
        for parents in range(everyone + 1):
            if not parents >> cause & 1:
                with_cause[parents] = -np.inf
        _take_best_subsets(with_cause, count)
        best[number] = -np.inf
        for earlier in range(everyone + 1):
            if not earlier >> effect & 1:
                later = everyone ^ earlier ^ (1 << effect)
                found = before[earlier] + with_cause[earlier] + after[later]
                best[number] = _greater(found, best[number])


@counting_part
def _score(worth: np.ndarray, price: float, variable: int, scores: np.ndarray) -> None:
    """Write the score of a variable with each set of parents; -inf where it would be its own."""
    for parents in range(scores.shape[0]):
        if parents >> variable & 1:
            scores[parents] = -np.inf
        else:
            arrows, left = 0, parents
            while left:
                left &= left - 1
                arrows += 1
            scores[parents] = worth[parents | 1 << variable] - worth[parents] - arrows * price


@counting_part
def _take_best_subsets(scores: np.ndarray, count: int) -> None:
    """Replace the score of each set by the best of any of its subsets."""
    for variable in range(count):
        step = 1 << variable
        for begin in range(0, scores.shape[0], 2 * step):
            without, with_it = scores[begin : begin + step], scores[begin + step : begin + 2 * step]
            for number in range(step):
                with_it[number] = _greater(without[number], with_it[number])


@merged_part
def _greater(one: float, other: float) -> float:
    # Not by max(), which takes longer to ask for what is no number.
    return one if one > other else other
