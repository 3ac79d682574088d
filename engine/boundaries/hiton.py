"""HITON-PC: parents and children of a target, interleaved and semi-interleaved.

Aliferis, Statnikov, Tsamardinos, Mani and Koutsoukos (2010), Local causal and Markov blanket induction
for causal discovery and feature selection for classification, Part I, JMLR 11:171-234, Figures 7-9.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from engine.boundaries.separators import (
    NO_VARIABLE,
    NOT_SEPARATED,
    SubsetMemory,
    find_separator,
    new_subset_memory,
)
from engine.independence.compiled import inlined_part, kernel, kernel_part
from engine.independence.interface import new_workspace


class SearchState(NamedTuple):
    """Where a search stands; what is said of a candidate is filed under its number.

    Attributes
    ----------
    candidates : ndarray of int64, shape (candidates,)
        Variables that depend on the target, strongest first.
    members : ndarray of int64, shape (candidates,)
        Numbers of the present members, in the order in which they came in.
    member_variables : ndarray of int64, shape (candidates,)
        The variables themselves.
    separators, weakest : ndarray of int64, shape (candidates, max_conditioning)
        The set that separated a candidate, and the one that came nearest to separating it.
    separator_sizes, weakest_sizes : ndarray of int64, shape (candidates,)
        Sizes of those sets; -1 where there is none.
    weakest_ratios : ndarray of float64, shape (candidates,)
        Statistic over critical value given the set in `weakest`.
    """

    candidates: np.ndarray
    members: np.ndarray
    member_variables: np.ndarray
    separators: np.ndarray
    separator_sizes: np.ndarray
    weakest: np.ndarray
    weakest_sizes: np.ndarray
    weakest_ratios: np.ndarray


class NeighbourSearch(NamedTuple):
    """What HITON-PC found for one target.

    Attributes
    ----------
    member_count : int
        How many entries of ``state.members`` count.
    state : SearchState
        Members, and why the other candidates are none.
    tests, unreliable : int
        Tests made, and those among them that the reliability rule set aside.
    """

    member_count: int
    state: SearchState
    tests: int
    unreliable: int


def hiton_neighbours(
    data: Any,
    target: int,
    candidates: np.ndarray,
    max_conditioning: int,
    interleaved: bool,
    stop: np.ndarray,
) -> NeighbourSearch:
    """Find the parents and children of a target.

    Parameters
    ----------
    data
        Registered test data.
    target : int
        Position of the target.
    candidates : ndarray of int64
        Variables that depend on the target, strongest first.
    max_conditioning : int
        Largest conditioning set.
    interleaved : bool
        Re-test older members whenever one comes in, or all once at the end.
    stop : ndarray of uint8, shape (1,)
        Not 0 asks to stop; the result is then unfinished and must not be used.

    Returns
    -------
    NeighbourSearch
    """
    width = max(max_conditioning, 1)
    memory = new_subset_memory(len(candidates), width)
    state = _new_state(candidates, width)
    workspace = new_workspace(data, width)
    size = _search(data, workspace, memory, state, target, max_conditioning, interleaved, stop)
    return NeighbourSearch(int(size), state, int(memory.counters[0]), int(memory.counters[1]))


def _new_state(candidates: np.ndarray, width: int) -> SearchState:
    count = len(candidates)
    return SearchState(
        candidates=candidates,
        members=np.empty(count, np.int64),
        member_variables=np.empty(count, np.int64),
        separators=np.empty((count, width), np.int64),
        separator_sizes=np.full(count, -1, np.int64),
        weakest=np.empty((count, width), np.int64),
        weakest_sizes=np.full(count, -1, np.int64),
        weakest_ratios=np.full(count, np.inf),
    )


@kernel
def _search(
    data: Any,
    workspace: Any,
    memory: SubsetMemory,
    state: SearchState,
    target: int,
    max_conditioning: int,
    interleaved: bool,
    stop: np.ndarray,
) -> int:
    """Fill `state`; give the number of members."""
    size: int = np.int64(0)  # type: ignore[assignment]
    for number in range(state.candidates.shape[0]):
        if stop[0]:
            break
        if _separates(
            data, workspace, memory, state, target, number, size, NO_VARIABLE, max_conditioning, stop
        ):
            continue
        entered = state.candidates[number]
        state.members[size], state.member_variables[size] = number, entered
        size += 1
        older = 0
        while interleaved and older < size - 1:
            member = state.members[older]
            if _separates(
                data, workspace, memory, state, target, member, size, entered, max_conditioning, stop
            ):
                size = _without(state, size, member)
            else:
                older += 1
    current = size - 1
    while not interleaved and current >= 0:
        member = state.members[current]
        if _separates(
            data, workspace, memory, state, target, member, size, NO_VARIABLE, max_conditioning, stop
        ):
            size = _without(state, size, member)
        current -= 1
    return size


@kernel_part
def _separates(
    data: Any,
    workspace: Any,
    memory: SubsetMemory,
    state: SearchState,
    target: int,
    number: int,
    size: int,
    required: int,
    max_conditioning: int,
    stop: np.ndarray,
) -> bool:
    """Tell whether members separate a candidate from the target, and note the sets."""
    found, weakest_size, ratio = find_separator(
        data,
        workspace,
        memory,
        target,
        state.candidates[number],
        state.member_variables,
        size,
        required,
        max_conditioning,
        stop,
    )
    if ratio < state.weakest_ratios[number]:
        state.weakest_ratios[number], state.weakest_sizes[number] = ratio, weakest_size
        for place in range(weakest_size):
            state.weakest[number, place] = memory.weakest[place]
    if found == NOT_SEPARATED:
        return False
    state.separator_sizes[number] = found
    for place in range(found):
        state.separators[number, place] = memory.subset[place]
    return True


@inlined_part
def _without(state: SearchState, size: int, member: int) -> int:
    """Take a member out; give the new number of members."""
    kept: int = np.int64(0)  # type: ignore[assignment]
    for place in range(size):
        if state.members[place] != member:
            state.members[kept] = state.members[place]
            state.member_variables[kept] = state.member_variables[place]
            kept += 1
    return kept
