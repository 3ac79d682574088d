"""STMB: spouses are sought among all that are no neighbours, without searching around the children.

Gao and Ji (2017), Efficient Markov blanket discovery and its application, IEEE Transactions on Cybernetics
47:1169-1179, Algorithm 1.
"""

from __future__ import annotations

import numpy as np

from engine.boundaries.pc_simple import remaining_after_removal
from engine.boundaries.search import NeighbourSearch, SearchTask
from engine.boundaries.set_tests import SetTests
from engine.boundaries.subset_tests import SubsetTests


def search(task: SearchTask) -> NeighbourSearch:
    """Find neighbours and spouses.

    A candidate that some apparent spouse helps to separate from the target is a descendant and no child; that
    it may be a spouse nevertheless is looked at here, though not in the original, which would lose it. In
    the end spouses, then neighbours, are tested once with all the others held fixed, in the order of columns.
    """
    subsets, whole = SubsetTests(task), SetTests(task)
    members = [int(number) for number in remaining_after_removal(task, subsets)]
    inside = task.candidates[members]
    outside = [int(each) for each in task.everyone if each not in inside]
    spouses: dict[int, list[int]] = {}
    for number in members:
        child = int(task.candidates[number])
        found = whole.connected(child, outside, subsets.separator_of)
        if not any(_separates(subsets, number, inside, spouse) for spouse in found):
            spouses[child] = sorted(found)
    neighbours = [each for each in inside.tolist() if each in spouses]
    descendants = [each for each in inside.tolist() if each not in spouses]
    for child, listed in spouses.items():
        listed += sorted(whole.connected(child, descendants, subsets.separator_of))
    _shrink_spouses(whole, neighbours, spouses)
    separators = _shrink_neighbours(whole, neighbours, spouses)
    links = subsets.links(neighbours, spouses)
    kept = [number for number in members if int(task.candidates[number]) in neighbours]
    return subsets.result(kept, links, whole, separators)


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
    """Give the others, each once, without a variable."""
    return tuple(each for each in dict.fromkeys(others) if each != variable)


def _separates(subsets: SubsetTests, number: int, inside: np.ndarray, spouse: int) -> bool:
    """Tell whether members and an apparent spouse together separate a member from the target."""
    pool = np.append(inside, spouse)
    return bool(subsets.separated(np.array([number]), pool, required=spouse)[0])
