"""Conditioning sets of different sizes as rows of one array, so that one call asks about many."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

# More than a table has columns: stands after all positions where these are sorted.
NO_POSITION = 1 << 31


def rows_of_sets(sets: Sequence[Sequence[int]]) -> tuple[np.ndarray, np.ndarray]:
    """Return sets as rows of an array.

    Returns
    -------
    given : ndarray of int64, shape (sets, at least 1)
        A set in each row, from the first column on, and ``NO_POSITION`` after it.
    sizes : ndarray of int64, shape (sets,)

    Examples
    --------
    >>> given, sizes = rows_of_sets([(), (4, 7)])
    >>> as_asked(given).tolist(), sizes.tolist()
    ([[0, 0], [4, 7]], [0, 2])
    """
    sizes = np.fromiter(map(len, sets), np.int64, len(sets))
    given = np.full((len(sets), int(sizes.max(initial=1))), NO_POSITION, dtype=np.int64)
    given[np.arange(given.shape[1]) < sizes[:, np.newaxis]] = np.fromiter(chain.from_iterable(sets), np.int64)
    return given, sizes


def as_asked(given: np.ndarray) -> np.ndarray:
    """Return the same rows as tests take them: in place of no position any one that the table has."""
    asked: np.ndarray = np.where(given == NO_POSITION, 0, given)
    return asked
