"""In a large neighbourhood: the members that come nearest to separating a variable from the target.

Where a target has dozens of neighbours, nearly all time goes to sets of two and more of them, whose number
grows with the square and the cube, though few members stand between any one variable and the target. So
single members are all held fixed, and larger sets are formed only of those that alone come nearest to
separating the two: a variable that separates together with another takes away a part of the association.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from engine.boundaries.search import SearchState
from engine.boundaries.separators import NO_VARIABLE, SINGLE, SubsetMemory, separates
from engine.boundaries.settings import MOST_NEAR
from engine.compiled.decorators import counting_part, inlined_part
from engine.independence.interface import conditional_test

_PAIR: int = np.int64(2)  # type: ignore[assignment]
_UNKNOWN: int = np.int64(-1)  # type: ignore[assignment]


class Nearest(NamedTuple):
    """The members that are nearest to each candidate; what is said of it is filed under its number.

    Attributes
    ----------
    variables : ndarray of int64, shape (candidates, most)
        The members, in no order; some may have been taken out since.
    ratios : ndarray of float64, shape (candidates, most)
        Statistic of the candidate and the target given each, over its critical value.
    sizes : ndarray of int64, shape (candidates,)
        How many there are; -1 where nobody asked yet.
    pool : ndarray of int64, shape (most,)
        Working memory.
    is_member : ndarray of bool, shape (variables,)
        Whether a variable is a member.
    """

    variables: np.ndarray
    ratios: np.ndarray
    sizes: np.ndarray
    pool: np.ndarray
    is_member: np.ndarray

    @property
    def was_asked(self) -> bool:
        """Whether larger sets were formed of the nearest members only, and not of all."""
        return bool((self.sizes != _UNKNOWN).any())


def new_nearest(candidates: int, variables: int, most: int = MOST_NEAR) -> Nearest:
    """Start with no member and nobody near; `most` members are kept as the nearest to each candidate."""
    return Nearest(
        np.empty((candidates, most), np.int64),
        np.empty((candidates, most)),
        np.full(candidates, _UNKNOWN),
        np.empty(most, np.int64),
        np.zeros(variables, dtype=np.bool_),
    )


@inlined_part
def separates_by_nearest(
    data: Any,
    workspace: Any,
    memory: SubsetMemory,
    state: SearchState,
    nearest: Nearest,
    target: int,
    number: int,
    members: np.ndarray,
    size: int,
    required: int,
    largest: int,
    stop: np.ndarray,
) -> bool:
    """Tell whether a single member, or a set of the nearest ones, separates a candidate from the target.

    Parameters
    ----------
    nearest : Nearest
        Learns which members are nearest to the candidate.
    number : int
        Number of the candidate.
    members : ndarray of int64
        Variables that are members.
    size : int
        How many entries of `members` count.
    required : int
        The member that came in last, which every set must contain; ``NO_VARIABLE`` to try all sets.
    largest : int
        Size of the largest sets.

    The others are those of :func:`~engine.boundaries.separators.separates`.
    """
    if separates(
        data, workspace, memory, state, target, number, members, size, required, SINGLE, SINGLE, stop
    ):
        return True
    if largest < _PAIR or stop[0]:
        return False
    is_first = required == NO_VARIABLE or nearest.sizes[number] == _UNKNOWN
    if is_first:
        nearest.sizes[number] = 0
    for place in range(size if is_first else SINGLE):
        member = members[place] if is_first else required
        _consider(data, workspace, memory, state, nearest, target, number, member)
    is_near = required == NO_VARIABLE
    count: int = np.int64(0)  # type: ignore[assignment]
    for place in range(nearest.sizes[number]):
        variable = nearest.variables[number, place]
        is_near |= variable == required
        if nearest.is_member[variable]:
            nearest.pool[count] = variable
            count += 1
    if not is_near:
        return False
    return separates(
        data, workspace, memory, state, target, number, nearest.pool, count, required, _PAIR, largest, stop
    )


@counting_part
def _consider(
    data: Any,
    workspace: Any,
    memory: SubsetMemory,
    state: SearchState,
    nearest: Nearest,
    target: int,
    number: int,
    member: int,
) -> None:
    """Keep a member if it is among the nearest ones, in place of one that has left or is farthest."""
    candidate = state.candidates[number]
    if member == candidate:
        return
    memory.subset[0] = member
    ratio = conditional_test(data, workspace, target, candidate, memory.subset, SINGLE)[2]
    memory.counters[0] += 1
    place = nearest.sizes[number]
    if place < nearest.pool.shape[0]:
        nearest.sizes[number] += 1
    else:
        place = 0
        for each in range(nearest.pool.shape[0]):
            if not nearest.is_member[nearest.variables[number, each]]:
                nearest.ratios[number, each] = np.inf
            if nearest.ratios[number, each] > nearest.ratios[number, place]:
                place = each
        if ratio >= nearest.ratios[number, place]:
            return
    nearest.variables[number, place], nearest.ratios[number, place] = member, ratio
