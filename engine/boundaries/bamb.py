"""BAMB: whenever a neighbour comes in, its spouses are found and both prune what is there.

Ling, Yu, Wang, Liu, Ding and Wu (2019), BAMB: a balanced Markov blanket discovery approach to feature
selection, ACM Transactions on Intelligent Systems and Technology 10:52, Algorithm 1.
"""

from __future__ import annotations

import numpy as np

from engine.boundaries.pruning import is_explained, pruned
from engine.boundaries.search import NeighbourSearch, SearchTask
from engine.boundaries.separators import NO_VARIABLE
from engine.boundaries.set_tests import SetTests
from engine.boundaries.subset_tests import SubsetTests


def search(task: SearchTask) -> NeighbourSearch:
    """Find neighbours and spouses in one go; now and then a false spouse stays.

    A neighbour that proves false may be a spouse nevertheless, of a child that came in earlier: that is
    looked at here in the end, though not in the original, which would lose it.
    """
    members = _Members(task)
    for number in range(len(task.candidates)):
        if task.stop[0]:
            break
        members.consider(number)
    return members.result()


class _Members:
    """Neighbours in the making, each with its spouses."""

    def __init__(self, task: SearchTask) -> None:
        self._task = task
        self._subsets, self._whole = SubsetTests(task), SetTests(task)
        self._left: list[int] = []
        self._spouses: dict[int, list[int]] = {}

    def consider(self, number: int) -> None:
        """Take a candidate in if no set of members separates it; then prune the others, latest first."""
        entered = int(self._task.candidates[number])
        if self._separated(entered):
            return
        older = list(self._spouses)
        self._spouses[entered] = []
        for member in reversed(older):
            if self._separated(member, entered):
                self._leave(member)
        self._spouses[entered] = self._found(entered)
        self._prune()

    def result(self) -> NeighbourSearch:
        """Give what was found, after a last look at those who left and at what newer members prune."""
        self._complete()
        self._prune()
        self._complete()
        links = self._subsets.links(self._spouses, self._spouses)
        inside = sorted(map(self._subsets.number_of, self._spouses))
        return self._subsets.result(inside, links, self._whole)

    def _prune(self) -> None:
        """Take out the neighbours that others and spouses of theirs separate, latest first.

        If the latest itself leaves, the others stand as they did before it came.
        """
        latest_first = tuple(reversed(self._spouses))
        for member in latest_first:
            others = [each for each in self._spouses if each != member]
            if is_explained(self._subsets, member, others, self._spouses):
                self._leave(member)
                if member == latest_first[0]:
                    return

    def _complete(self) -> None:
        """Look at those who left as spouses, and prune the spouses of all by the neighbours of now."""
        neighbours = list(self._spouses)
        for child in neighbours:
            left = self._whole.connected(child, self._left, self._subsets.separator_of)
            apparent = list(dict.fromkeys((*self._spouses[child], *left)))
            self._spouses[child] = pruned(self._task, self._whole, child, apparent, neighbours)

    def _found(self, child: int) -> list[int]:
        """Find the spouses that a child connects with the target."""
        outside = [int(each) for each in self._task.everyone if int(each) not in self._spouses]
        found = self._whole.connected(child, outside, self._subsets.separator_of)
        return pruned(self._task, self._whole, child, found, list(self._spouses))

    def _separated(self, member: int, required: int = NO_VARIABLE) -> bool:
        """Tell whether some members separate a candidate from the target."""
        numbers, pool = np.array([self._subsets.number_of(member)]), np.array(list(self._spouses), np.int64)
        return bool(self._subsets.separated(numbers, pool, required=required)[0])

    def _leave(self, member: int) -> None:
        del self._spouses[member]
        self._left.append(member)
