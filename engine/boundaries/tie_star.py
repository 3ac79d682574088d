"""TIE*: further Markov boundaries are found by searching again without members of those that are known.

Statnikov, Lytkin, Lemeire and Aliferis (2013), Algorithms for discovery of multiple Markov boundaries, JMLR
14:499-566, Figure 8. The sets to leave out are those of a hitting set tree (Reiter 1987, A theory of
diagnosis from first principles, Artificial Intelligence 32:57-95): a boundary that is not yet known lacks
some member of each known one, so leaving such members out, one after another, leads to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush

import numpy as np

from engine.boundaries.collection import Collection
from engine.boundaries.options import TieStarOptions
from engine.boundaries.substitution import can_stand_in


def search(collection: Collection, options: TieStarOptions) -> None:
    """Find boundaries by the single search that was chosen."""
    list_boundaries(collection, options.single, None, options.max_removed)


def list_boundaries(
    collection: Collection, single: str, options: object | None, max_removed: int | None
) -> None:
    """Find boundaries with growing sets of variables left out.

    A search is made only where every known boundary has lost a member; elsewhere one of them is still whole.
    What it finds is taken in if it can stand in for the first boundary. If it cannot, the variables left out
    are irreplaceable together, and so is every larger set.

    Parameters
    ----------
    collection : Collection
        Receives the boundaries.
    single : str
        Algorithm that finds one boundary.
    options : object, optional
        Settings that only this algorithm has.
    max_removed : int, optional
        Most variables that are left out at once.
    """
    first, members = collection.find(single, options)
    collection.add(first, members)
    queue = _Queue(collection, max_removed)
    queue.grow(frozenset(), members)
    for removed in queue:
        whole = next((each for each in collection.sets if not each & removed), None)
        if whole is None:
            if not collection.may_go_on(len(queue) + 1):
                return
            found, whole = collection.find(single, options, without=removed)
            stands_in, tests = can_stand_in(collection.search, collection.target, whole, members)
            collection.count_tests(tests)
            if not stands_in:
                queue.close(removed)
                continue
            collection.add(found, whole)
        queue.grow(removed, whole)
    collection.is_complete &= queue.is_complete


class _Queue:
    """Sets of variables to leave out: smaller ones first, then those strongly associated with the target."""

    def __init__(self, collection: Collection, largest: int | None) -> None:
        found = collection.search.marginal(collection.target)
        positions = np.arange(len(found.log_p))
        order = np.lexsort((positions, -np.abs(found.statistic), found.log_p))
        self._rank = {int(position): rank for rank, position in enumerate(order)}
        self._largest = largest
        self._waiting: list[tuple[int, list[int], frozenset[int]]] = []
        self._seen: set[frozenset[int]] = set()
        self._closed: list[frozenset[int]] = []
        self.is_complete = True

    def __len__(self) -> int:
        return len(self._waiting)

    def __iter__(self) -> Iterator[frozenset[int]]:
        """Give the sets until none is left; more may be added meanwhile."""
        while self._waiting:
            removed = heappop(self._waiting)[2]
            if not any(closed <= removed for closed in self._closed):
                yield removed

    def grow(self, removed: frozenset[int], whole: frozenset[int]) -> None:
        """Add the sets that leave out, besides some variables, one of a boundary that is still whole."""
        if self._largest is not None and len(removed) >= self._largest:
            self.is_complete &= not whole
            return
        for member in whole:
            larger = removed | {member}
            if larger not in self._seen:
                self._seen.add(larger)
                ranks = sorted(self._rank[each] for each in larger)
                heappush(self._waiting, (len(larger), ranks, larger))

    def close(self, removed: frozenset[int]) -> None:
        """Leave out neither these variables together again nor any larger set."""
        self._closed.append(removed)
