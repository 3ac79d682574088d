"""Hill climbing over a whole network by BIC, as bnlearn's ``hc`` and pgmpy's ``HillClimbSearch`` do it.

No tabu list, no restarts, any number of parents; the first of several equal changes in the order of columns.
Written anew so that many tables can be gone through; equal changes apart, it goes the way of pgmpy's.
"""

from __future__ import annotations

import math

import numpy as np


class BicClimb:
    """A network in the making.

    Parameters
    ----------
    codes : ndarray of int, shape (variables, rows)
        Levels that occur, from 0 on.
    """

    def __init__(self, codes: np.ndarray) -> None:
        self._codes = codes.astype(np.int64)
        self._levels = codes.max(axis=1).astype(int) + 1
        self._scores: dict[tuple[int, frozenset[int]], float] = {}

    def score(self, child: int, parents: frozenset[int]) -> float:
        """BIC of a variable given its parents: log-likelihood less log(rows)/2 a parameter."""
        key = (child, parents)
        if key not in self._scores:
            self._scores[key] = self._score(child, parents)
        return self._scores[key]

    def _score(self, child: int, parents: frozenset[int]) -> float:
        rows, levels = self._codes.shape[1], int(self._levels[child])
        strata, of_row = 1, np.zeros(rows, dtype=np.int64)
        for parent in sorted(parents):
            of_row = of_row * self._levels[parent] + self._codes[parent]
            strata *= int(self._levels[parent])
        if strata > rows:
            of_row = np.unique(of_row, return_inverse=True)[1]
        counts = np.bincount(of_row * levels + self._codes[child])
        counts = np.pad(counts, (0, -len(counts) % levels)).reshape(-1, levels).astype(float)
        inside = counts > 0
        shares = (counts / np.maximum(counts.sum(axis=1, keepdims=True), 1.0))[inside]
        return float((counts[inside] * np.log(shares)).sum() - math.log(rows) / 2 * strata * (levels - 1))

    def network(self) -> np.ndarray:
        """Climb; give the arrows as a matrix, row causes column."""
        count = len(self._codes)
        arrows = np.zeros((count, count), dtype=bool)
        gains = np.zeros((count, count))
        changed = set(range(count))
        while True:
            for child in sorted(changed):
                parents = frozenset(np.flatnonzero(arrows[:, child]).tolist())
                for parent in range(count):
                    if parent != child:
                        gains[parent, child] = self.score(child, parents ^ {parent}) - self.score(
                            child, parents
                        )
            change = self._best_change(arrows, gains)
            if change is None:
                return arrows
            start, to, is_turned = change
            arrows[start, to] = not arrows[start, to]
            changed = {to}
            if is_turned:
                arrows[to, start] = True
                changed.add(start)

    def _best_change(self, arrows: np.ndarray, gains: np.ndarray) -> tuple[int, int, bool] | None:
        """Give the arrow to change, and whether it is turned."""
        leads = _leads(arrows)
        allowed = ~arrows & ~arrows.T & ~leads.T
        np.fill_diagonal(allowed, False)
        best, change = 1e-6, None
        toggled = np.where(allowed | arrows, gains, -np.inf)
        start, to = np.unravel_index(int(toggled.argmax()), toggled.shape)
        if toggled[start, to] > best:
            best, change = float(toggled[start, to]), (int(start), int(to), False)
        for start, to in np.argwhere(arrows & (gains + gains.T > best)):
            turned = gains[start, to] + gains[to, start]
            without = arrows.copy()
            without[start, to] = False
            if turned > best and not _leads(without)[start, to]:
                best, change = float(turned), (int(start), int(to), True)
        return change


def _leads(arrows: np.ndarray) -> np.ndarray:
    """Tell between which variables arrows lead."""
    leads = arrows | np.eye(len(arrows), dtype=bool)
    while True:
        further = (leads.astype(np.float32) @ leads.astype(np.float32)) > 0
        if (further == leads).all():
            return leads
        leads = further


def boundaries_of(arrows: np.ndarray) -> np.ndarray:
    """Mark who is in whose Markov boundary: parents, children and their other parents."""
    share_child = (arrows.astype(int) @ arrows.astype(int).T) > 0
    boundaries: np.ndarray = arrows | arrows.T | share_child
    np.fill_diagonal(boundaries, False)
    return boundaries
