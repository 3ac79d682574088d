"""Pruning of spouses and members by growing lists: the steps that BAMB and EEMB have in common.

A list is rebuilt from its strongest entry on; whenever one is added, it is tested given what is in the list,
and then the older ones given sets with the newest. Of a child C and a target T:

1. X goes if another spouse, with C, separates it from T;
2. X goes if some set of other spouses separates it from C;
3. X goes if some set of members and other spouses, with C, separates it from T.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from engine.boundaries.search import SearchTask
from engine.boundaries.set_tests import SetTests
from engine.boundaries.subset_tests import SubsetTests

Separated = Callable[[int, list[int], int], bool]


class SpousePruning:
    """The three steps for the spouses that one child connects with the target.

    Parameters
    ----------
    task : SearchTask
        Target and conditioning size.
    child : int
        The child.
    spouses : sequence of int
        Its apparent spouses, the most strongly connected first.
    """

    def __init__(self, task: SearchTask, child: int, spouses: Sequence[int]) -> None:
        numbered = np.array(spouses, dtype=np.int64)
        self._child = child
        self._spouses = list(spouses)
        self._number = {spouse: number for number, spouse in enumerate(spouses)}
        unknown = np.full(len(spouses), -np.inf)
        about_target = replace(task, candidates=numbered, log_p=unknown)
        self._target = SubsetTests(about_target)
        self._of_child = SubsetTests(replace(about_target, target=child))
        self._largest = task.max_conditioning

    @property
    def counts(self) -> tuple[int, int]:
        """Tests made, and the unreliable ones among them."""
        target, child = self._target.result(()), self._of_child.result(())
        return target.tests + child.tests, target.unreliable + child.unreliable

    def kept(self, members: Sequence[int]) -> list[int]:
        """Give the spouses that pass, the members of the boundary being as given."""

        def by_one(spouse: int, others: list[int], newest: int) -> bool:
            pool = [newest] if newest != spouse else others
            return self._separates_target(spouse, pool, 2)

        def from_child(spouse: int, others: list[int], newest: int) -> bool:
            number = np.array([self._number[spouse]])
            if newest != spouse:
                return bool(self._of_child.separated(number, np.array(others), required=newest)[0])
            nothing = self._of_child.separated(number, np.empty(0, np.int64), size=0)[0]
            return bool(nothing or self._of_child.separated(number, np.array(others, np.int64))[0])

        def by_many(spouse: int, others: list[int], newest: int) -> bool:
            pool = list(dict.fromkeys((*members, *others)))
            return self._separates_target(spouse, pool, None)

        spouses = self._spouses
        if self._largest >= 2:
            spouses = rebuilt(spouses, by_one)
        spouses = rebuilt(spouses, from_child)
        return rebuilt(spouses, by_many)

    def _separates_target(self, spouse: int, pool: list[int], size: int | None) -> bool:
        number = np.array([self._number[spouse]])
        found = self._target.separated(number, np.array(pool, np.int64), required=self._child, size=size)
        return bool(found[0])


def rebuilt(entries: Sequence[int], separated: Separated) -> list[int]:
    """Build a list anew, testing the newest entry, then the older ones, latest first.

    Parameters
    ----------
    entries : sequence of int
        In the order in which they come in.
    separated : callable
        ``(entry, others in the list, newest) -> bool``.
    """
    kept: list[int] = []
    for newest in entries:
        kept.append(newest)
        for entry in reversed(tuple(kept)):
            others = [each for each in kept if each != entry]
            if separated(entry, others, newest):
                kept.remove(entry)
                if entry == newest:
                    break
    return kept


def pruned(
    task: SearchTask, whole: SetTests, child: int, spouses: Sequence[int], members: Sequence[int]
) -> list[int]:
    """Give the spouses of one child that pass, and count the tests that it took."""
    pruning = SpousePruning(task, child, [each for each in spouses if each not in members])
    kept = pruning.kept(members)
    made, unreliable = pruning.counts
    whole.tests, whole.unreliable = whole.tests + made, whole.unreliable + unreliable
    return kept


def is_explained(
    subsets: SubsetTests,
    member: int,
    others: Sequence[int],
    spouses: Mapping[int, Sequence[int]],
) -> bool:
    """Tell whether some other members and spouses of theirs separate a member from the target.

    A spouse may be held fixed without the child that connects it: CausalFS prunes so, too.
    """
    around = [spouse for other in others for spouse in spouses[other]]
    pool = np.array([each for each in dict.fromkeys((*others, *around)) if each != member], np.int64)
    return bool(subsets.separated(np.array([subsets.number_of(member)]), pool)[0])
