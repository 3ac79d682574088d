"""Searches tables by BOSS; run by ``beside_boss.py`` and ``spouses.py`` where causal-learn is installed.

Columns of whole numbers are categories, weighed by BDeu with causal-learn's defaults; all others are numbers,
weighed by its BIC of straight lines. A search that takes longer than it may leaves an empty graph.
"""

from __future__ import annotations

import math
import random
import signal
import sys
from contextlib import redirect_stderr, suppress
from io import StringIO
from types import FrameType

import numpy as np
from causallearn.search.PermutationBased import BOSS


class QuickBDeu:
    """The values of causal-learn's BDeu, each counted once: its own counts by pandas, and anew each time."""

    __name__ = "local_score_BDeu"

    def __init__(self) -> None:
        self._known: dict[tuple[int, frozenset[int]], float] = {}
        self._levels: list[int] = []

    def __call__(self, rows: np.ndarray, child: int, parents: list[int], parameters: None = None) -> float:
        """Return the logarithm of the marginal likelihood, and of the prior of so many parents."""
        key = (child, frozenset(parents))
        if key not in self._known:
            self._levels = self._levels or [len(np.unique(column)) for column in rows.T]
            self._known[key] = self._score(rows, child, sorted(key[1]))
        return self._known[key]

    def _score(self, rows: np.ndarray, child: int, parents: list[int]) -> float:
        strata, of_row = 1, np.zeros(len(rows), dtype=np.int64)
        for parent in parents:
            of_row = np.unique(of_row * self._levels[parent] + rows[:, parent], return_inverse=True)[1]
            strata *= self._levels[parent]
        levels = self._levels[child]
        cells = np.bincount(of_row * levels + rows[:, child], minlength=levels * (of_row.max() + 1))
        others = rows.shape[1] - 1
        in_stratum, in_cell = 1.0 / strata, 1.0 / (strata * levels)
        score = len(parents) * math.log(1.0 / others)
        if others > len(parents):
            # With a single other variable causal-learn's prior is the logarithm of 0.
            score += (others - len(parents)) * math.log(max(1.0 - 1.0 / others, 1e-300))
        score += _sum_of(cells.reshape(-1, levels).sum(axis=1), in_stratum, -1.0)
        return score + _sum_of(cells, in_cell, 1.0)


def _sum_of(counts: np.ndarray, prior: float, sign: float) -> float:
    """Sum what the logarithm of the gamma function gains by some counts."""
    return sign * sum(math.lgamma(count + prior) - math.lgamma(prior) for count in counts[counts > 0])


def graph_of(rows: np.ndarray, seconds: int) -> np.ndarray:
    """Return the marks of the best graph; of shape (0, 0) where the search takes too long."""
    is_counted = rows.dtype.kind in "iu"
    if is_counted:
        BOSS.local_score_BDeu = QuickBDeu()
    random.seed(0)
    signal.signal(signal.SIGALRM, _stop)
    signal.alarm(seconds)
    with redirect_stderr(StringIO()), suppress(TimeoutError):
        score = "local_score_BDeu" if is_counted else "local_score_BIC_from_cov"
        marks: np.ndarray = BOSS.boss(rows, score, verbose=False).graph
        signal.alarm(0)
        return marks
    return np.empty((0, 0))


def _stop(number: int, frame: FrameType | None) -> None:
    raise TimeoutError


def main() -> None:
    """Read tables from one file and write the marks of their graphs to another."""
    with np.load(sys.argv[1]) as tables:
        rows = [tables[name] for name in tables.files]
    seconds = int(sys.argv[3]) if len(sys.argv) > 3 else 600
    np.savez(sys.argv[2], *[graph_of(row, seconds) for row in rows])


if __name__ == "__main__":
    main()
