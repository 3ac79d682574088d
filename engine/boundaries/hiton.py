"""HITON-PC: parents and children of a target, interleaved and semi-interleaved.

Aliferis, Statnikov, Tsamardinos, Mani and Koutsoukos (2010), Local causal and Markov blanket induction
for causal discovery and feature selection for classification, Part I, JMLR 11:171-234, Figures 7-9.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from engine.boundaries.separators import NOT_SEPARATED, find_separator
from engine.independence.compiled import kernel
from engine.independence.interface import new_workspace


class NeighbourSearch(NamedTuple):
    """What HITON-PC found for one target.

    Attributes
    ----------
    members : ndarray of int64, shape (members,)
        Parents and children, in the order in which they came in (strongest association first).
    weakest : ndarray of int64, shape (members, max_conditioning)
        The set that came nearest to separating each member from the target.
    weakest_sizes : ndarray of int64, shape (members,)
        Sizes of those sets.
    separators : ndarray of int64, shape (candidates, max_conditioning)
        The set that separated each candidate that is not a member.
    separator_sizes : ndarray of int64, shape (candidates,)
        Sizes of those sets; -1 for members.
    tests, unreliable : int
        Tests made, and those among them that the reliability rule set aside.
    """

    members: np.ndarray
    weakest: np.ndarray
    weakest_sizes: np.ndarray
    separators: np.ndarray
    separator_sizes: np.ndarray
    tests: int
    unreliable: int


class _State(NamedTuple):
    """Arrays that the steps of one search share; `places` are the members' candidate numbers."""

    members: np.ndarray
    places: np.ndarray
    weakest: np.ndarray
    weakest_sizes: np.ndarray
    weakest_ratios: np.ndarray
    separators: np.ndarray
    separator_sizes: np.ndarray
    subset: np.ndarray
    nearest: np.ndarray
    counters: np.ndarray


@kernel
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
        Not 0 asks to stop; the result is then unfinished.

    Returns
    -------
    NeighbourSearch
    """
    workspace = new_workspace(data, max(max_conditioning, 1))
    state = _new_state(candidates.shape[0], max(max_conditioning, 1))
    size = 0
    for place in range(candidates.shape[0]):
        if stop[0]:
            break
        if _separates(data, workspace, state, target, candidates, place, size, -1, max_conditioning, stop):
            continue
        state.members[size], state.places[size] = candidates[place], place
        size += 1
        older = 0
        while interleaved and older < size - 1:
            member, entered = state.places[older], candidates[place]
            if _separates(
                data, workspace, state, target, candidates, member, size, entered, max_conditioning, stop
            ):
                size = _without(state, size, member)
            else:
                older += 1
    current = size - 1
    while not interleaved and current >= 0:
        member = state.places[current]
        if _separates(data, workspace, state, target, candidates, member, size, -1, max_conditioning, stop):
            size = _without(state, size, member)
        current -= 1
    kept = state.places[:size].copy()
    return NeighbourSearch(
        state.members[:size].copy(),
        state.weakest[kept],
        state.weakest_sizes[kept],
        state.separators,
        state.separator_sizes,
        state.counters[0],
        state.counters[1],
    )


@kernel
def _new_state(count: int, width: int) -> _State:
    return _State(
        np.empty(count, np.int64),
        np.empty(count, np.int64),
        np.full((count, width), -1, np.int64),
        np.full(count, -1, np.int64),
        np.full(count, np.inf),
        np.full((count, width), -1, np.int64),
        np.full(count, -1, np.int64),
        np.empty(width, np.int64),
        np.empty(width, np.int64),
        np.zeros(2, np.int64),
    )


@kernel
def _separates(
    data: Any,
    workspace: Any,
    state: _State,
    target: int,
    candidates: np.ndarray,
    place: int,
    size: int,
    required: int,
    max_conditioning: int,
    stop: np.ndarray,
) -> bool:
    """Tell whether members separate candidate number `place` from the target, and note the sets."""
    found, nearest_size, ratio = find_separator(
        data, workspace, target, candidates[place], state.members, size, required, 1, max_conditioning,
        state.subset, state.nearest, state.counters, stop,
    )  # fmt: skip
    if ratio < state.weakest_ratios[place]:
        state.weakest_ratios[place], state.weakest_sizes[place] = ratio, nearest_size
        state.weakest[place, :nearest_size] = state.nearest[:nearest_size]
    if found == NOT_SEPARATED:
        return False
    state.separators[place, :found] = state.subset[:found]
    state.separator_sizes[place] = found
    return True


@kernel
def _without(state: _State, size: int, place: int) -> int:
    """Take the member that was candidate number `place` out; give the new number of members."""
    kept = 0
    for current in range(size):
        if state.places[current] != place:
            state.members[kept], state.places[kept] = state.members[current], state.places[current]
            kept += 1
    return kept
