"""EEMB: neighbours and spouses are found together, and pruned together afterwards.

Wang, Ling, Yu and Wu (2020), Towards efficient and effective discovery of Markov blankets for feature
selection, Information Sciences 509:227-242, Algorithms 1 and 2.
"""

from __future__ import annotations

import numpy as np

from engine.boundaries.pruning import is_explained, pruned, rebuilt
from engine.boundaries.search import NeighbourSearch, SearchTask
from engine.boundaries.set_tests import SetTests
from engine.boundaries.subset_tests import SubsetTests


def search(task: SearchTask) -> NeighbourSearch:
    """Find neighbours and spouses: first all that may be true, then out with the false ones.

    A false neighbour may be a spouse nevertheless: that is looked at here in the end, though not in the
    original, which would lose it.
    """
    subsets, whole = SubsetTests(task), SetTests(task)
    members, spouses = _add_true(task, subsets, whole)
    for child in members:
        spouses[child] = pruned(task, whole, child, spouses[child], members)

    def explained(member: int, others: list[int], newest: int) -> bool:
        return is_explained(subsets, member, others, spouses)

    neighbours = rebuilt(members, explained)
    descendants = [each for each in members if each not in neighbours]
    for child in neighbours:
        found = whole.connected(child, descendants, subsets.separator_of)
        if found:
            spouses[child] = pruned(task, whole, child, spouses[child] + found, neighbours)
    links = subsets.links(neighbours, spouses)
    return subsets.result(sorted(map(subsets.number_of, neighbours)), links, whole)


def _add_true(
    task: SearchTask, subsets: SubsetTests, whole: SetTests
) -> tuple[list[int], dict[int, list[int]]]:
    """Take in the candidates, strongest first, as HITON does, with the spouses of each.

    Who is found separated is tried as a spouse through every member, and who comes in as a child of everyone
    separated so far.
    """
    candidates = task.candidates.tolist()
    known = set(candidates)
    separated = [int(each) for each in task.everyone if int(each) not in known]
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
            place = np.array([subsets.number_of(older)])
            if subsets.separated(place, np.array(members, np.int64), required=entered)[0]:
                members.remove(older)
                leave(older)
    return members, spouses
