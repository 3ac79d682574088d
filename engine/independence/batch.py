"""Many conditional-independence tests in one compiled call."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from operator import itemgetter

import numpy as np

from engine.independence.answers import Answers
from engine.independence.data import TestData

Question = tuple[int, int, tuple[int, ...]]


def ask(data: TestData, questions: Sequence[Question], stop: np.ndarray) -> Answers:
    """Make every test of a list.

    Parameters
    ----------
    data : TestData
        What is tested.
    questions : sequence of (x, y, given)
        Positions of two variables and of the conditioning set.
    stop : ndarray of uint8, shape (1,)
        Not 0 asks to stop; the answers are then unfinished and must not be used.

    Returns
    -------
    Answers
    """
    sets = list(map(itemgetter(2), questions))
    sizes = np.fromiter(map(len, sets), np.int64, len(sets))
    given = np.zeros((len(sets), max(1, int(sizes.max(initial=0)))), dtype=np.int64)
    # Row after row, as many entries as each question has: the order in which its members come.
    given[np.arange(given.shape[1]) < sizes[:, None]] = np.fromiter(chain.from_iterable(sets), np.int64)
    x, y = (np.fromiter(map(itemgetter(place), questions), np.int64, len(sets)) for place in (0, 1))
    return data.ask_rows(x, y, given, sizes, stop)
