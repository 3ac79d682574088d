"""The best of all graphs of a few variables with an arrow, beside the best with the opposite arrow.

Every graph without circles has an order in which causes come before effects, so that the best one is found
among all by going through sets, not through graphs (Koivisto and Sood 2004, Exact Bayesian structure
discovery in Bayesian networks, JMLR 5:549-573; Silander and Myllymäki 2006, A simple approach for finding the
globally optimal Bayesian network structure, UAI, 445-452). Sets are written as bits: variable v is in set m
where ``m >> v & 1``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.boundaries.score_search import PRICE_OF_DOF, Price
from engine.compiled.decorators import counting_kernel, counting_part, merged_part, summing_part
from engine.independence.set_fits import SetFits

# Prices of an arrow beside what it costs in BIC: what hangs on the price is not told.
_PRICES = (1.0, 0.5, 2.0)


class WeighedArrows(NamedTuple):
    """The best graphs with an arrow between the first variable and each of some others."""

    # (others,): Half of what the score of the best graph with an arrow from the other to the first variable
    # exceeds that of the best graph with the opposite arrow: the logarithm of a ratio of likelihoods, less
    # what the graphs cost. 0 where graphs that say the same of independence run either way.
    log_ratios: np.ndarray
    # (others,): The same of the best of all graphs beside the better of these two: above 0 where the best
    # graph has no arrow between the two variables.
    losses: np.ndarray


def weigh_arrows(fits: SetFits, price: Price, others: Sequence[int]) -> WeighedArrows:
    """Return how much likelier the best graph is in which the first variable is an effect of each other.

    Two causes that are independent, each correlated by 0.6 with their effect, which stands first:

    >>> from engine.independence.set_fits import log_principal_minors
    >>> products = np.array([[1.0, 0.6, 0.6], [0.6, 1.0, 0.0], [0.6, 0.0, 1.0]])
    >>> fit = -200.0 * log_principal_minors(products, [1, 1, 1])
    >>> pairs = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 3.0])
    >>> weigh_arrows(SetFits(fit, pairs), Price(2.0, 8.0, 6), [1, 2]).log_ratios.round(1).tolist()
    [5.0, 5.0]
    """
    count = len(fits.statistic).bit_length() - 1
    worth = 0.5 * (fits.statistic - price.of_dof * fits.dof)
    arrows = np.array([(start, 0) for start in others] + [(0, start) for start in others], dtype=np.int64)
    best = np.empty(len(arrows))
    scores, working = np.empty((count, len(worth))), np.empty((4, len(worth)))
    _fill_best(worth, 0.5 * price.of_arrow, arrows.reshape(-1, 2), scores, working, best)
    into, out = best[: len(others)], best[len(others) :]
    # Of all variables where nothing comes after them.
    best_of_all = working[1, -1]
    return WeighedArrows(into - out, best_of_all - np.maximum(into, out))


def weigh_at_prices(fits: SetFits, rows: float, others: Sequence[int]) -> WeighedArrows:
    """Weigh at several prices of an arrow, about that of BIC (Schwarz 1978): shape (prices, others)."""
    most_parents = len(fits.statistic).bit_length() - 1
    of_arrow = math.log(rows)
    weighed = [
        weigh_arrows(fits, Price(PRICE_OF_DOF, price * of_arrow, most_parents), others) for price in _PRICES
    ]
    return WeighedArrows(
        np.array([weighing.log_ratios for weighing in weighed]),
        np.array([weighing.losses for weighing in weighed]),
    )


@counting_kernel
def _fill_best(
    worth: np.ndarray,
    price: float,
    arrows: np.ndarray,
    scores: np.ndarray,
    working: np.ndarray,
    best: np.ndarray,
) -> None:
    """Write for each of some arrows, of cause and effect, the score of the best graph with it.

    `worth` is half the fit of each set, less what its parameters cost, `price` half of what an arrow costs.
    `scores` (variables, sets) is room for the best score of each variable with any parents from a set;
    `working` (4, sets) for what arrows from each set to another variable cost, and for the best score of the
    variables of each set where they come before all others, of all others where they come after it, and of an
    effect with its cause and any more parents from a set.
    """
    count, sets = scores.shape
    costs, before, after, with_cause = working
    costs[0] = 0.0
    for members in range(1, sets):
        costs[members] = costs[members & (members - 1)] + 1.0
    for members in range(1, sets):
        costs[members] *= price
    for variable in range(count):
        _score(worth, costs, variable, scores[variable])
        _take_best_subsets(scores[variable], count)
    _order(scores, before, after)
    for number in range(arrows.shape[0]):
        cause, effect = arrows[number]
        _score(worth, costs, effect, with_cause)
        step = 1 << cause
        for begin in range(0, sets, 2 * step):
            with_cause[begin : begin + step] = -np.inf
        _take_best_subsets(with_cause, count)
        best[number] = -np.inf
        step = 1 << effect
        for begin in range(0, sets, 2 * step):
            for earlier in range(begin, begin + step):
                total_worth = before[earlier] + with_cause[earlier] + after[earlier + step]
                best[number] = _greater(total_worth, best[number])


@counting_part
def _score(worth: np.ndarray, costs: np.ndarray, variable: int, scores: np.ndarray) -> None:
    """Write the score of a variable with each set of parents; -inf where it would be its own."""
    step = 1 << variable
    for begin in range(0, scores.shape[0], 2 * step):
        for parents in range(begin, begin + step):
            scores[parents] = worth[parents + step] - worth[parents] - costs[parents]
            scores[parents + step] = -np.inf


@counting_part
def _take_best_subsets(scores: np.ndarray, count: int) -> None:
    """Replace the score of each set by the best of any of its subsets."""
    # The first two variables together: with so few sets it takes longer to begin than to go through them.
    for none in range(0, scores.shape[0], 4):
        with_first = _greater(scores[none], scores[none + 1])
        with_second = _greater(scores[none + 2], scores[none + 3])
        scores[none + 1] = with_first
        scores[none + 2] = _greater(scores[none], scores[none + 2])
        scores[none + 3] = _greater(with_first, with_second)
    for variable in range(2, count):
        step = 1 << variable
        for begin in range(0, scores.shape[0], 2 * step):
            _take_greater(scores[begin : begin + step], scores[begin + step : begin + 2 * step])


@counting_part
def _order(scores: np.ndarray, before: np.ndarray, after: np.ndarray) -> None:
    """Write the best score of each set before all others, and of all others after each set.

    Sets are in the order of their bits: all that leads to one half of a block is reached before the other
    half.
    """
    sets = before.shape[0]
    before[:] = after[:] = -np.inf
    before[0] = after[sets - 1] = 0.0
    for middle in range(1, sets):
        variable, half = _lowest(middle), middle & -middle
        begin, end = middle - half, middle + half
        _take_greater_sums(before[begin:middle], scores[variable, begin:middle], before[middle:end])
    for middle in range(sets - 1, 0, -1):
        variable, half = _lowest(middle), middle & -middle
        begin, end = middle - half, middle + half
        _take_greater_sums(after[middle:end], scores[variable, begin:middle], after[begin:middle])


@merged_part
def _lowest(members: int) -> int:
    """Return the first variable of a set."""
    variable = 0
    while not members >> variable & 1:
        variable += 1
    return variable


@summing_part
def _take_greater(others: np.ndarray, scores: np.ndarray) -> None:
    for number in range(others.shape[0]):
        scores[number] = _greater(others[number], scores[number])


@summing_part
def _take_greater_sums(others: np.ndarray, added: np.ndarray, scores: np.ndarray) -> None:
    for number in range(others.shape[0]):
        scores[number] = _greater(others[number] + added[number], scores[number])


@merged_part
def _greater(left: float, right: float) -> float:
    # Not by max(), which takes longer to ask for what is no number.
    return left if left > right else right
