"""HITON-PC: parents and children of a target, interleaved and semi-interleaved.

Aliferis, Statnikov, Tsamardinos, Mani and Koutsoukos (2010), Local causal and Markov blanket induction
for causal discovery and feature selection for classification, Part I, JMLR 11:171-234, Figures 7-9.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.boundaries.nearest import Nearest, new_nearest, separates_by_nearest
from engine.boundaries.search import NeighbourSearch, SearchState, SearchTask, new_state
from engine.boundaries.separators import NO_VARIABLE, SINGLE, SubsetMemory, new_subset_memory, separates
from engine.compiled.decorators import counting_kernel, inlined_part
from engine.independence.interface import new_workspace


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
    size = _search(
        task.data.table,
        new_workspace(task.data.table, width),
        memory,
        state,
        nearest,
        members,
        member_variables,
        task.target,
        task.max_conditioning,
        is_interleaved,
        task.stop,
    )
    found = tuple(int(number) for number in members[: int(size)])
    return NeighbourSearch(
        found,
        state,
        int(memory.counters[0]),
        int(memory.counters[1]),
        is_bounded=nearest.was_asked,
    )


@counting_kernel
def _search(
    data: Any,
    workspace: Any,
    memory: SubsetMemory,
    state: SearchState,
    nearest: Nearest,
    members: np.ndarray,
    member_variables: np.ndarray,
    target: int,
    max_conditioning: int,
    is_interleaved: bool,
    stop: np.ndarray,
) -> int:
    """Fill `state`; leave the numbers of the members, as they came in, and the variables they stand for."""
    size: int = np.int64(0)  # type: ignore[assignment]
    for number in range(state.candidates.shape[0]):
        if stop[0]:
            break
        if _separates(
            data,
            workspace,
            memory,
            state,
            nearest,
            target,
            number,
            member_variables,
            size,
            NO_VARIABLE,
            max_conditioning,
            stop,
        ):
            continue
        entered = state.candidates[number]
        members[size], member_variables[size] = number, entered
        nearest.is_member[entered] = True
        size += 1
        older = 0
        while is_interleaved and older < size - 1:
            member = members[older]
            if _separates(
                data,
                workspace,
                memory,
                state,
                nearest,
                target,
                member,
                member_variables,
                size,
                entered,
                max_conditioning,
                stop,
            ):
                nearest.is_member[state.candidates[member]] = False
                size = _without(members, member_variables, size, member)
            else:
                older += 1
    current = size - 1
    while not is_interleaved and current >= 0:
        member = members[current]
        if _separates(
            data,
            workspace,
            memory,
            state,
            nearest,
            target,
            member,
            member_variables,
            size,
            NO_VARIABLE,
            max_conditioning,
            stop,
        ):
            nearest.is_member[state.candidates[member]] = False
            size = _without(members, member_variables, size, member)
        current -= 1
    return size


@inlined_part
def _separates(
    data: Any,
    workspace: Any,
    memory: SubsetMemory,
    state: SearchState,
    nearest: Nearest,
    target: int,
    number: int,
    pool: np.ndarray,
    size: int,
    required: int,
    largest: int,
    stop: np.ndarray,
) -> bool:
    """Try all sets of the members, or where these are very many those of the nearest ones."""
    if size <= nearest.pool.shape[0]:
        return separates(
            data, workspace, memory, state, target, number, pool, size, required, SINGLE, largest, stop
        )
    return separates_by_nearest(
        data, workspace, memory, state, nearest, target, number, pool, size, required, largest, stop
    )


@inlined_part
def _without(members: np.ndarray, member_variables: np.ndarray, size: int, member: int) -> int:
    """Take a member out; give the new number of members."""
    kept: int = np.int64(0)  # type: ignore[assignment]
    for place in range(size):
        if members[place] != member:
            members[kept] = members[place]
            member_variables[kept] = member_variables[place]
            kept += 1
    return kept
