"""Who comes first: by log p, then statistic, then column, where what differs by rounding alone is equal.

The same sum in another order differs in its last digits. Two columns that tell the same, an exact copy and
its original above all, would take turns by the order of the rows or the names of the levels if these digits
counted; so the column that stands first in the table comes first.
"""

from __future__ import annotations

import numpy as np

# A number within this share of another, or of 1 where it is smaller, is no larger.
_ROUNDING = 1e-9
# Stands for minus infinity, and with the other sign for infinity, from which nothing can be taken away.
_LEAST = -float(np.finfo(float).max) / 4.0


def strongest_first(log_p: np.ndarray, statistic: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Return the order of tests by log p, then by the size of the statistic, then by column.

    >>> p, nothing = np.array([-9.000000000000002, -9.0, -12.0]), np.zeros(3)
    >>> strongest_first(p, nothing, np.array([5, 3, 8])).tolist()
    [2, 1, 0]
    """
    order = np.argsort(log_p, kind="stable")
    if _are_larger(log_p[order]).all():
        return order
    return np.lexsort((columns, _steps(-np.abs(statistic)), _steps(log_p)))


def first_smallest(values: np.ndarray) -> int:
    """Return the position of the first value that is no larger than the smallest but for rounding.

    >>> first_smallest(np.array([3.0, 2.0, 1.9999999999999998]))
    1
    """
    finite = np.maximum(values, _LEAST)
    smallest = float(finite.min())
    return int(np.argmax(finite <= smallest + _ROUNDING * max(abs(smallest), 1.0)))


def _steps(values: np.ndarray) -> np.ndarray:
    """Give each value a number, from the smallest on: the same to those that differ by rounding."""
    order = np.argsort(values, kind="stable")
    steps = np.zeros(len(values), dtype=np.int64)
    steps[order[1:]] = np.cumsum(_are_larger(values[order]))
    return steps


def _are_larger(ordered: np.ndarray) -> np.ndarray:
    """Tell of each value after the first whether it is larger than the one before it."""
    finite = np.minimum(np.maximum(ordered, _LEAST), -_LEAST)
    larger: np.ndarray = finite[1:] - finite[:-1] > _ROUNDING * np.maximum(np.abs(finite[1:]), 1.0)
    return larger
