"""Searches that alternate between neighbours and spouses, or remove from all: BAMB, EEMB, PC-simple, STMB.

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

from engine.boundaries.search import NeighbourSearch, SearchTask
from engine.boundaries.separators import NO_VARIABLE, SetTests, SubsetTests

Separated = Callable[[int, list[int], int], bool]


class SpousePruning:
    """The three steps for the spouses that one child connects with the target."""

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

    def remaining(self, members: Sequence[int]) -> list[int]:
        """Return the spouses that pass, the members of the boundary being as given."""

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
        separated = self._target.separated(number, np.array(pool, np.int64), required=self._child, size=size)
        return bool(separated[0])


def rebuilt(entries: Sequence[int], separated: Separated) -> list[int]:
    """Build a list anew, testing the newest entry, then the older ones, latest first."""
    remaining: list[int] = []
    for newest in entries:
        remaining.append(newest)
        for entry in reversed(tuple(remaining)):
            others = [kept for kept in remaining if kept != entry]
            if separated(entry, others, newest):
                remaining.remove(entry)
                if entry == newest:
                    break
    return remaining


def pruned(
    task: SearchTask, whole: SetTests, child: int, spouses: Sequence[int], members: Sequence[int]
) -> list[int]:
    """Return the spouses of one child that pass, and count the tests that it took."""
    pruning = SpousePruning(task, child, [spouse for spouse in spouses if spouse not in members])
    remaining = pruning.remaining(members)
    tests, unreliable = pruning.counts
    whole.tests, whole.unreliable = whole.tests + tests, whole.unreliable + unreliable
    return remaining


def is_explained(
    subsets: SubsetTests,
    member: int,
    others: Sequence[int],
    spouses: Mapping[int, Sequence[int]],
) -> bool:
    """Tell whether others and spouses of theirs (without the child, as in CausalFS) separate a member."""
    around = [spouse for neighbour in others for spouse in spouses[neighbour]]
    pool = np.array(
        [variable for variable in dict.fromkeys((*others, *around)) if variable != member], np.int64
    )
    return bool(subsets.separated(np.array([subsets.number_of(member)]), pool)[0])


def bamb(task: SearchTask) -> NeighbourSearch:
    """Run BAMB: a new neighbour brings its spouses, and both prune (Ling et al. 2019, Algorithm 1).

    Unlike the original, a false neighbour is tried at the end as a spouse of a child that came in earlier.
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
        """Return what was found, after a last look at those who left and at what newer members prune."""
        self._complete()
        self._prune()
        self._complete()
        links = self._subsets.links(self._spouses, self._spouses)
        inside = sorted(map(self._subsets.number_of, self._spouses))
        return self._subsets.result(inside, links, self._whole)

    def _prune(self) -> None:
        """Remove separated neighbours, the latest first; if the latest leaves, restore the others."""
        latest_first = tuple(reversed(self._spouses))
        for member in latest_first:
            others = [neighbour for neighbour in self._spouses if neighbour != member]
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
        outside = [int(variable) for variable in self._task.everyone if int(variable) not in self._spouses]
        connected = self._whole.connected(child, outside, self._subsets.separator_of)
        return pruned(self._task, self._whole, child, connected, list(self._spouses))

    def _separated(self, member: int, required: int = NO_VARIABLE) -> bool:
        """Tell whether some members separate a candidate from the target."""
        numbers, pool = np.array([self._subsets.number_of(member)]), np.array(list(self._spouses), np.int64)
        return bool(self._subsets.separated(numbers, pool, required=required)[0])

    def _leave(self, member: int) -> None:
        del self._spouses[member]
        self._left.append(member)


def eemb(task: SearchTask) -> NeighbourSearch:
    """Run EEMB: find neighbours and spouses together, then prune (Wang et al. 2020, Algorithms 1 and 2).

    Unlike the original, a false neighbour is tried at the end as a spouse.
    """
    subsets, whole = SubsetTests(task), SetTests(task)
    members, spouses = _add_true(task, subsets, whole)
    for child in members:
        spouses[child] = pruned(task, whole, child, spouses[child], members)

    def explained(member: int, others: list[int], newest: int) -> bool:
        return is_explained(subsets, member, others, spouses)

    neighbours = rebuilt(members, explained)
    descendants = [member for member in members if member not in neighbours]
    for child in neighbours:
        connected = whole.connected(child, descendants, subsets.separator_of)
        if connected:
            spouses[child] = pruned(task, whole, child, spouses[child] + connected, neighbours)
    links = subsets.links(neighbours, spouses)
    return subsets.result(sorted(map(subsets.number_of, neighbours)), links, whole)


def _add_true(
    task: SearchTask, subsets: SubsetTests, whole: SetTests
) -> tuple[list[int], dict[int, list[int]]]:
    """Take in candidates, strongest first, with their spouses; try separated ones as spouses."""
    candidates = task.candidates.tolist()
    candidate_set = set(candidates)
    separated = [int(variable) for variable in task.everyone if int(variable) not in candidate_set]
    members: list[int] = []
    spouses: dict[int, list[int]] = {}

    def leave(variable: int) -> None:
        separated.append(variable)
        spouses.pop(variable, None)
        for child in members:
            spouses[child] += whole.connected(child, [variable], subsets.separator_of)

    for number, entered in enumerate(candidates):
        if task.stop[0]:
            break
        if subsets.separated(np.array([number]), np.array(members, np.int64))[0]:
            leave(entered)
            continue
        spouses[entered] = whole.connected(entered, separated, subsets.separator_of)
        members.append(entered)
        for older in reversed(members[:-1]):
            position = np.array([subsets.number_of(older)])
            if subsets.separated(position, np.array(members, np.int64), required=entered)[0]:
                members.remove(older)
                leave(older)
    return members, spouses


def pc_simple(task: SearchTask) -> NeighbourSearch:
    """Remove candidates that sets of growing size separate (Fu and Desmarais 2008, RecognizePC).

    The PC-simple algorithm: Bühlmann, Kalisch and Maathuis (2010), Biometrika 97:261-278.
    """
    tests = SubsetTests(task)
    return tests.result([int(number) for number in remaining_after_removal(task, tests)])


def remaining_after_removal(task: SearchTask, tests: SubsetTests) -> np.ndarray:
    """Return the numbers of the candidates that no set of others separates from the target.

    Those that a size separates leave together, so that the order of candidates does not matter.
    """
    remaining = np.arange(len(task.candidates))
    for size in range(1, task.max_conditioning + 1):
        if remaining.size <= size:
            break
        pool = np.sort(task.candidates[remaining])
        remaining = remaining[~tests.separated(remaining, pool, size=size)]
    return remaining


def stmb(task: SearchTask) -> NeighbourSearch:
    """Run STMB: seek spouses among all non-neighbours (Gao and Ji 2017, Algorithm 1).

    A candidate that an apparent spouse separates from the target is a descendant and no child. Unlike the
    original, it is tried as a spouse.
    """
    subsets, whole = SubsetTests(task), SetTests(task)
    members = [int(number) for number in remaining_after_removal(task, subsets)]
    inside = task.candidates[members]
    outside = [int(variable) for variable in task.everyone if variable not in inside]
    spouses: dict[int, list[int]] = {}
    for number in members:
        child = int(task.candidates[number])
        connected = whole.connected(child, outside, subsets.separator_of)
        if not any(_separates(subsets, number, inside, spouse) for spouse in connected):
            spouses[child] = sorted(connected)
    neighbours = [member for member in inside.tolist() if member in spouses]
    descendants = [member for member in inside.tolist() if member not in spouses]
    for child, listed in spouses.items():
        listed += sorted(whole.connected(child, descendants, subsets.separator_of))
    _shrink_spouses(whole, neighbours, spouses)
    separators = _shrink_neighbours(whole, neighbours, spouses)
    links = subsets.links(neighbours, spouses)
    remaining = [number for number in members if int(task.candidates[number]) in neighbours]
    return subsets.result(remaining, links, whole, separators)


def _shrink_spouses(whole: SetTests, neighbours: list[int], spouses: dict[int, list[int]]) -> None:
    """Take out each spouse that the neighbours and the other spouses of its child separate."""
    for listed in spouses.values():
        for spouse in tuple(listed):
            given = _without(spouse, *neighbours, *listed)
            if whole.first_separating(spouse, [given]) is not None:
                listed.remove(spouse)


def _shrink_neighbours(
    whole: SetTests, neighbours: list[int], spouses: dict[int, list[int]]
) -> dict[int, tuple[int, ...]]:
    """Take out each neighbour that the others and all spouses separate; give the sets that did."""
    separators: dict[int, tuple[int, ...]] = {}
    everyone = [spouse for listed in spouses.values() for spouse in listed]
    for neighbour in tuple(neighbours):
        given = _without(neighbour, *neighbours, *everyone)
        if whole.first_separating(neighbour, [given]) is not None:
            neighbours.remove(neighbour)
            separators[neighbour] = given
    return separators


def _without(variable: int, *others: int) -> tuple[int, ...]:
    """Return the others, each once, without a variable."""
    return tuple(kept for kept in dict.fromkeys(others) if kept != variable)


def _separates(subsets: SubsetTests, number: int, inside: np.ndarray, spouse: int) -> bool:
    """Tell whether members and an apparent spouse together separate a member from the target."""
    pool = np.append(inside, spouse)
    return bool(subsets.separated(np.array([number]), pool, required=spouse)[0])
