"""Looking for a set that separates two variables: the step that every boundary search repeats."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.independence.compiled import kernel
from engine.independence.interface import conditional_test

NOT_SEPARATED = -1


@kernel
def first_subset(positions: np.ndarray, size: int) -> None:
    """Write the first subset of `size` positions: 0, 1, …"""
    for place in range(size):
        positions[place] = place


@kernel
def next_subset(positions: np.ndarray, size: int, pool_size: int) -> bool:
    """Advance to the next subset in lexicographic order; False when there is none."""
    place = size - 1
    while place >= 0 and positions[place] == pool_size - size + place:
        place -= 1
    if place < 0:
        return False
    positions[place] += 1
    for later in range(place + 1, size):
        positions[later] = positions[later - 1] + 1
    return True


@kernel
def find_separator(
    data: Any,
    workspace: Any,
    x: int,
    y: int,
    pool: np.ndarray,
    pool_size: int,
    required: int,
    smallest: int,
    largest: int,
    subset: np.ndarray,
    weakest: np.ndarray,
    counters: np.ndarray,
    stop: np.ndarray,
) -> Any:
    """Look for a subset of `pool` given which x and y are independent, smaller subsets first.

    Parameters
    ----------
    data, workspace
        Test data and working memory.
    x, y : int
        The variables to separate.
    pool : ndarray of int64
        Candidates for the set, in the order in which subsets are formed; x and y are passed over.
    pool_size : int
        How many entries of `pool` count.
    required : int
        Variable that every subset must contain, or -1.
    smallest, largest : int
        Sizes of subsets to try, the required variable included.
    subset : ndarray of int64, shape (at least largest,)
        Receives the separating set.
    weakest : ndarray of int64, shape (at least largest,)
        Receives the set that came nearest to separating, when its ratio is the lowest so far.
    counters : ndarray of int64, shape (2,)
        Tests made and tests that were not reliable; both are added to.
    stop : ndarray of uint8, shape (1,)
        Not 0 asks to stop.

    Returns
    -------
    size : int
        Size of the separating set, or ``NOT_SEPARATED``.
    weakest_size : int
        Size of the set in `weakest`, or -1 when nothing was tested.
    weakest_ratio : float
        Its statistic over the critical value.
    """
    others = np.empty(pool_size, np.int64)
    count = 0
    for place in range(pool_size):
        variable = pool[place]
        if variable != x and variable != y and variable != required:
            others[count] = variable
            count += 1
    fixed = 0 if required < 0 else 1
    positions = np.empty(largest + 1, np.int64)
    weakest_size, weakest_ratio = -1, np.inf
    for size in range(smallest, min(largest, count + fixed) + 1):
        free = size - fixed
        if free < 0:
            continue
        first_subset(positions, free)
        more = True
        while more:
            if stop[0]:
                return NOT_SEPARATED, weakest_size, weakest_ratio
            for place in range(free):
                subset[place] = others[positions[place]]
            if fixed:
                subset[free] = required
            _, _, ratio, reliable = conditional_test(data, workspace, x, y, subset, size)
            counters[0] += 1
            counters[1] += not reliable
            if reliable and ratio < weakest_ratio:
                weakest_ratio, weakest_size = ratio, size
                weakest[:size] = subset[:size]
            if reliable and ratio <= 1.0:
                return size, weakest_size, weakest_ratio
            more = next_subset(positions, free, count)
    return NOT_SEPARATED, weakest_size, weakest_ratio
