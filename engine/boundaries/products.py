"""Members of which nothing is left once products of what is conditioned on are conditioned on too.

Two effects of the same causes stay dependent in a test that conditions on a sum of curves of these, if the
causes act together, as on a grade that has a highest level. The dependence is weak, and significant with
enough rows. So a member to which a set leaves little is tried once more given that set and its products.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from engine.independence.batch import as_asked, rows_of_sets
from engine.independence.data import TestData

Indices = tuple[int, ...]

# Products are tried where the statistic is at most this share of the rows: what they can explain is weak, and
# what is not can wait for rows that bear it.
_LITTLE = 0.01
# They explain a member if they take so much off its statistic too: else the p-value was a close call.
_SHARE_LEFT = 0.75
# Products are of two variables at least.
_SMALLEST_SET = 2


def loses_to_products(data: TestData, first: int, second: int, given: Indices, statistic: float) -> bool:
    """Tell whether products of a set take much off the statistic that it leaves of two variables."""
    if len(given) < _SMALLEST_SET:
        return False
    answer = data.test_with_products(first, second, given)
    return answer is None or answer[0] <= _SHARE_LEFT * statistic


def explained_by_products(
    data: TestData,
    alpha: float,
    target: int,
    members: Sequence[int],
    weakest: Mapping[int, Indices],
    stop: np.ndarray,
) -> tuple[dict[int, Indices], int]:
    """Return the members that a set of others, with its products, separates from a target, and the tests."""
    tried = [each for each in members if len(weakest.get(each, ())) >= _SMALLEST_SET]
    if not tried or not data.bears_products:
        return {}, 0
    given, sizes = rows_of_sets([weakest[each] for each in tried])
    found = data.ask_rows(np.full(len(tried), target), np.array(tried), as_asked(given), sizes, stop)
    explained: dict[int, Indices] = {}
    tests = len(tried)
    for place in np.argsort(found.statistic, kind="stable").tolist():
        statistic, member = float(found.statistic[place]), tried[place]
        if stop[0] or statistic > _LITTLE * data.observations:
            break
        if not explained.keys().isdisjoint(weakest[member]):
            continue
        answer = data.test_with_products(target, member, weakest[member])
        tests += 1
        if answer is None or answer[0] > _SHARE_LEFT * statistic:
            continue
        if float(data.log_p_values(*(np.array([each]) for each in answer))[0]) > math.log(alpha):
            explained[member] = weakest[member]
    return explained, tests
