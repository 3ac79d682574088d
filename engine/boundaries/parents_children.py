"""Parents and children of a target: HITON-PC, and the max-min heuristic of MMPC and GetPCD.

Aliferis, Statnikov, Tsamardinos, Mani and Koutsoukos (2010), Local causal and Markov blanket induction
for causal discovery and feature selection for classification, Part I, JMLR 11:171-234, Figures 7-9.

Where a target has dozens of neighbours, nearly all time goes to sets of two and more of them, whose number
grows with the square and the cube, though few members stand between any one variable and the target. So
single members are all held fixed, and larger sets are formed only of those that alone come nearest to
separating the two: a variable that separates together with another takes away a part of the association.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.boundaries.ranking import first_smallest
from engine.boundaries.search import (
    MOST_MEMBERS,
    MOST_NEAR,
    NeighbourSearch,
    SearchTask,
    new_state,
)
from engine.boundaries.separators import (
    NO_VARIABLE,
    SINGLE,
    SubsetSearch,
    SubsetTests,
    new_subset_memory,
    separates,
)
from engine.compiled.decorators import counting_kernel, inlined_part, int64, merged_part, separate_part

_PAIR = int64(2)
_NO_OTHERS = int64(0)
_UNKNOWN = int64(-1)


class NearestMembers(NamedTuple):
    """The members that are nearest to each candidate; what is said of it is filed under its number."""

    variables: np.ndarray  # (candidates, MOST_NEAR), in no order; some may have been taken out since
    ratios: np.ndarray  # alike: statistic of candidate and target given each, over its critical value
    sizes: np.ndarray  # how many there are; -1 where nobody asked yet
    pool: np.ndarray  # (MOST_NEAR,): working memory
    is_member: np.ndarray  # of each variable
    most_members: int  # up to so many members all sets of them are tried

    @property
    def was_asked(self) -> bool:
        """Whether larger sets were formed of the nearest members only, and not of all."""
        return bool((self.sizes != _UNKNOWN).any())


def new_nearest(candidates: int, variables: int, most_members: int = MOST_MEMBERS) -> NearestMembers:
    """Start with no member and nobody near; up to `most_members` members all sets of them are tried."""
    return NearestMembers(
        np.empty((candidates, MOST_NEAR), np.int64),
        np.empty((candidates, MOST_NEAR)),
        np.full(candidates, _UNKNOWN),
        np.empty(MOST_NEAR, np.int64),
        np.zeros(variables, dtype=np.bool_),
        most_members,
    )


@merged_part
def separates_by_nearest(
    search: SubsetSearch,
    nearest: NearestMembers,
    number: int,
    members: np.ndarray,
    size: int,
    required: int,
    largest: int,
) -> bool:
    """Tell whether one member or a set of the nearest, all with `required`, separates a candidate."""
    if separates(search, number, members, size, required, SINGLE, SINGLE):
        return True
    if largest < _PAIR or search.stop[0]:
        return False
    _find_nearest(search, nearest, number, members, size, required)
    is_near = required == NO_VARIABLE
    count = int64(0)
    for position in range(nearest.sizes[number]):
        variable = nearest.variables[number, position]
        is_near |= variable == required
        if nearest.is_member[variable]:
            nearest.pool[count] = variable
            count += 1
    if not is_near:
        return False
    return separates(search, number, nearest.pool, count, required, _PAIR, largest)


@separate_part
def _find_nearest(
    search: SubsetSearch, nearest: NearestMembers, number: int, members: np.ndarray, size: int, required: int
) -> None:
    """Learn how near members are to a candidate, by the tests given each alone, as far as they were made."""
    memory, candidate = search.memory, search.state.candidates[number]
    is_new = nearest.sizes[number] == _UNKNOWN
    if is_new or required == NO_VARIABLE:
        nearest.sizes[number] = 0
    elif required != candidate:
        _consider(nearest, number, required, memory.alone[0])
        return
    tried = 0
    for position in range(size):
        if members[position] == candidate:
            continue
        if required == NO_VARIABLE:
            ratio = memory.alone[tried]
            tried += 1
        else:
            # Tested before and not separated: asked in this way, the test is compiled into a search once.
            separates(search, number, members, _NO_OTHERS, members[position], SINGLE, SINGLE)
            ratio = memory.alone[0]
        _consider(nearest, number, members[position], ratio)


@merged_part
def _consider(nearest: NearestMembers, number: int, member: int, ratio: float) -> None:
    """Keep a member if it is among the nearest ones, in place of one that has left or is farthest."""
    position = nearest.sizes[number]
    if position < nearest.pool.shape[0]:
        nearest.sizes[number] += 1
    else:
        position = 0
        for place in range(nearest.pool.shape[0]):
            if not nearest.is_member[nearest.variables[number, place]]:
                nearest.ratios[number, place] = np.inf
            if nearest.ratios[number, place] > nearest.ratios[number, position]:
                position = place
        if ratio >= nearest.ratios[number, position]:
            return
    nearest.variables[number, position], nearest.ratios[number, position] = member, ratio


def interleaved(task: SearchTask) -> NeighbourSearch:
    """Find parents and children, re-testing older members whenever one comes in."""
    return _hiton(task, True)


def semi_interleaved(task: SearchTask) -> NeighbourSearch:
    """Find parents and children, re-testing all members once at the end."""
    return _hiton(task, False)


def _hiton(task: SearchTask, is_interleaved: bool) -> NeighbourSearch:
    width = max(task.max_conditioning, 1)
    count = len(task.candidates)
    memory = new_subset_memory(count, width, task.most_dof)
    nearest = new_nearest(count, len(task.data.names))
    state = new_state(task.candidates, width)
    members, member_variables = np.empty(count, np.int64), np.empty(count, np.int64)
    test = task.data.placed(width, task.stop)
    search = SubsetSearch(test.at, memory, state, task.target, task.stop)
    size = _search(search, nearest, members, member_variables, task.max_conditioning, is_interleaved)
    return NeighbourSearch(
        tuple(members[:size].tolist()),
        state,
        int(memory.counters[0]),
        int(memory.counters[1]),
        is_bounded=nearest.was_asked,
    )


@counting_kernel
def _search(
    search: SubsetSearch,
    nearest: NearestMembers,
    members: np.ndarray,
    member_variables: np.ndarray,
    max_conditioning: int,
    is_interleaved: bool,
) -> int:
    """Leave the numbers of the members, as they came in, and the variables that these stand for."""
    candidates = search.state.candidates
    size = int64(0)
    for number in range(candidates.shape[0]):
        if search.stop[0]:
            break
        if _separates(search, nearest, number, member_variables, size, NO_VARIABLE, max_conditioning):
            continue
        entered = candidates[number]
        members[size], member_variables[size] = number, entered
        nearest.is_member[entered] = True
        size += 1
        older = 0
        while is_interleaved and older < size - 1:
            member = members[older]
            if _separates(search, nearest, member, member_variables, size, entered, max_conditioning):
                nearest.is_member[candidates[member]] = False
                size = _without(members, member_variables, size, member)
            else:
                older += 1
    current = size - 1
    while not is_interleaved and current >= 0:
        member = members[current]
        if _separates(search, nearest, member, member_variables, size, NO_VARIABLE, max_conditioning):
            nearest.is_member[candidates[member]] = False
            size = _without(members, member_variables, size, member)
        current -= 1
    return size


@merged_part
def _separates(
    search: SubsetSearch,
    nearest: NearestMembers,
    number: int,
    pool: np.ndarray,
    size: int,
    required: int,
    largest: int,
) -> bool:
    """Try all sets of the members, or where these are very many those of the nearest ones."""
    if size <= nearest.most_members:
        return separates(search, number, pool, size, required, SINGLE, largest)
    return separates_by_nearest(search, nearest, number, pool, size, required, largest)


@inlined_part
def _without(members: np.ndarray, member_variables: np.ndarray, size: int, member: int) -> int:
    """Take a member out; give the new number of members."""
    count = int64(0)
    for position in range(size):
        if members[position] != member:
            members[count] = members[position]
            member_variables[count] = member_variables[position]
            count += 1
    return count


def max_min(task: SearchTask) -> NeighbourSearch:
    """Run MMPC: the candidate whose least association is largest comes in next (Tsamardinos et al. 2003).

    The association is the p-value of the set that came nearest to separating the two. Only sets with the
    newest member are tried while growing, for all others were tried before.
    """
    tests = SubsetTests(task)
    members: list[int] = []
    remaining = np.arange(len(task.candidates))
    while remaining.size and not task.stop[0]:
        strongest = int(remaining[first_smallest(tests.association[remaining])])
        members.append(strongest)
        remaining = remaining[remaining != strongest]
        separated = tests.separated(
            remaining, task.candidates[members], required=int(task.candidates[strongest])
        )
        remaining = remaining[~separated]
    for member in tuple(members):
        if tests.separated(np.array([member]), task.candidates[members])[0]:
            members.remove(member)
    return tests.result(members)


def get_pcd(task: SearchTask) -> NeighbourSearch:
    """Run GetPCD: parents, children and some other descendants (Peña et al. 2007, Tables 4-6).

    While no member leaves, only sets with the newest member are tried; afterwards all associations are
    measured anew.
    """
    tests = SubsetTests(task)
    members: list[int] = []
    remaining = np.arange(len(task.candidates))
    while remaining.size and not task.stop[0]:
        strongest = int(remaining[first_smallest(tests.association[remaining])])
        entered = int(task.candidates[strongest])
        members.append(strongest)
        remaining = remaining[remaining != strongest]
        older = members[:-1]
        for member in older:
            if tests.separated(np.array([member]), task.candidates[members], required=entered)[0]:
                members.remove(member)
        pool = task.candidates[members]
        if len(members) <= len(older):
            tests.forget_association(remaining)
            separated = tests.separated(remaining, pool)
        else:
            separated = tests.separated(remaining, pool, required=entered)
        remaining = remaining[~separated]
    return tests.result(members)
