"""The best parents of a variable among any of its candidates, by growing and shrinking.

Candidates come in while one adds to the score, the one that adds most first; then those leave that cost more
than they add beside the others. Who comes in next hangs only on who is in already and on who else may come:
of these it is the first in the order of what they add. So that order is sought once for each set of members,
and for further candidates hardly anything is asked anew (Andrews, Ramsey, Sanchez-Romero, Camchong and
Kummerfeld 2023, Fast scalable and accurate discovery of DAGs using the best order score search and
grow-shrink trees, NeurIPS 36).
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import repeat
from typing import NamedTuple

import numpy as np

from engine.boundaries.climbing import ArrowsTo, ArrowWorths

# What a change adds to the score beyond this share of it is no rounding error.
ROUNDING = 1e-12
_NOBODY = (0, 0.0)


class Parents(NamedTuple):
    """The best parents of a variable among some candidates."""

    members: int
    worth: float
    tests: int


class GrowShrinkTree:
    """The best parents of one variable among any of its candidates. Sets of candidates are bits."""

    def __init__(self, worths: ArrowWorths, end: int) -> None:
        self._worths, self._end = worths, end
        self._candidates: Mapping[int, int] = {}
        self._known: dict[int, Parents] = {}
        # By the members that are in: what the others add, the most first, and what it costs to let one leave.
        self._next: dict[int, list[tuple[int, float]]] = {}
        self._shrunk: dict[int, tuple[int, list[float], int]] = {}

    def widen(self, candidates: Mapping[int, int]) -> None:
        """Let further variables be candidates.

        Parameters
        ----------
        candidates : mapping of int to int
            The bit of each candidate, those of before among them, by its position, in column order: of
            several that add the same the first comes in.
        """
        if len(candidates) > len(self._candidates):
            self._candidates = candidates
            self._next.clear()

    def best(self, possible: int) -> tuple[Parents, bool]:
        """Return the best parents among some candidates, and whether that was asked for the first time."""
        found = self._known.get(possible)
        if found is not None:
            return found, False
        grown = self._grown(possible)
        shrunk = self._shrunk.get(grown.members)
        if shrunk is None:
            shrunk = self._shrunk[grown.members] = self._after_shrinking(grown.members)
        members, costs, tests = shrunk
        worth = grown.worth
        for cost in costs:
            worth -= cost
        found = self._known[possible] = Parents(members, worth, grown.tests + tests)
        return found, True

    def _grown(self, possible: int) -> Parents:
        members, worth, tests = 0, 0.0, 0
        left = possible.bit_count()
        for _ in range(min(left, self._worths.price.most_parents)):
            tests += left
            following = self._next.get(members)
            if following is None:
                following = self._next[members] = self._next_after(members)
            candidate, gain = next((each for each in following if each[0] & possible), _NOBODY)
            if gain <= ROUNDING * worth:
                break
            members, worth, left = members | candidate, worth + gain, left - 1
        return Parents(members, worth, tests)

    def _next_after(self, members: int) -> list[tuple[int, float]]:
        """List the candidates that add to the score beside some members: bit and gain, the most first."""
        others = [(position, bit) for position, bit in self._candidates.items() if not bit & members]
        starts = [position for position, _ in others]
        (gains,) = self._worths.of([ArrowsTo(self._end, self._positions(members), starts)])
        in_order = np.argsort(-gains, kind="stable")[: np.count_nonzero(gains > 0.0)]
        return [(others[each][1], float(gains[each])) for each in in_order]

    def _after_shrinking(self, grown: int) -> tuple[int, list[float], int]:
        """Say who stays, what each took along that left, the one that cost most first, and how many tests."""
        members, costs, tests = self._positions(grown), list[float](), 0
        while len(members) > 1:
            remaining = [tuple([each for each in members if each != member]) for member in members]
            asked = list(map(ArrowsTo, repeat(self._end), remaining, zip(members, strict=True)))
            gains = np.concatenate(self._worths.of(asked))
            tests += len(members)
            # What cannot be tested does not leave.
            gains = np.where(np.isfinite(gains), gains, np.inf)
            least = int(gains.argmin())
            if gains[least] >= 0.0:
                break
            costs.append(float(gains[least]))
            members = remaining[least]
        return sum(self._candidates[each] for each in members), costs, tests

    def _positions(self, members: int) -> tuple[int, ...]:
        return tuple([position for position, bit in self._candidates.items() if bit & members])
