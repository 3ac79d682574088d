"""Looking for a set that separates two variables: the step that every boundary search repeats.

Compiled searches call :func:`separates`; who asks about a single pair from Python calls :func:`separation`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Any, NamedTuple

import numpy as np

from engine.boundaries.search import SearchState
from engine.compiled.decorators import inlined_part, int64, separate_part
from engine.errors import Cancelled
from engine.independence.data import TestData
from engine.independence.interface import Addresses, conditional_test, nominal_dof

# Of numpy's type, so that the compiler makes one version of a search and not one for a literal.
NOT_SEPARATED = int64(-1)
NO_VARIABLE = int64(-1)
SINGLE = int64(1)
_PAIR = int64(2)
_SETS_AT_ONCE = 512


class SubsetMemory(NamedTuple):
    """Working memory for walking through subsets."""

    pool: np.ndarray  # variables that subsets are formed from
    positions: np.ndarray  # places in `pool` of the present subset
    subset: np.ndarray  # the present subset; after a success, the separating set
    weakest: np.ndarray  # the subset that came nearest to separating
    # Statistic given each variable of the pool alone, over its critical value, as far as they were tried in
    # the present search; of a variable that is required in every subset, at the first place.
    alone: np.ndarray
    counters: np.ndarray  # tests made, and those among them that were not reliable
    most_dof: float  # larger sets than pairs are passed over where the test would have more nominal dof


def new_subset_memory(variables: int, largest: int, most_dof: float) -> SubsetMemory:
    """Allocate memory for subsets of up to `largest` out of `variables` variables."""
    return SubsetMemory(
        np.empty(variables, np.int64),
        np.empty(largest, np.int64),
        np.empty(largest, np.int64),
        np.empty(largest, np.int64),
        np.empty(variables),
        np.zeros(2, np.int64),
        float(most_dof),
    )


class SubsetSearch(NamedTuple):
    """Everything that the compiled steps of a search around one target share."""

    test: Addresses
    memory: SubsetMemory
    state: SearchState  # receives what is learnt of each candidate
    target: int
    stop: np.ndarray


@inlined_part
def next_subset(positions: np.ndarray, size: int, pool_size: int) -> bool:
    """Advance to the next subset in lexicographic order; False when there is none."""
    position = size - 1
    while position >= 0 and positions[position] == pool_size - size + position:
        position -= 1
    if position < 0:
        return False
    positions[position] += 1
    for later in range(position + 1, size):
        positions[later] = positions[later - 1] + 1
    return True


@inlined_part
def find_separator(
    search: SubsetSearch,
    number: int,
    pool: np.ndarray,
    pool_size: int,
    required: int,
    smallest: int,
    largest: int,
) -> Any:
    """Look for a non-empty subset of `pool` that separates a candidate from the target, smaller ones first.

    The memory of the search receives the separating set and the one that came nearest to separating. Subsets
    are formed in the order of the first `pool_size` variables of `pool`, without target and candidate, and
    contain `required` unless it is ``NO_VARIABLE``; sizes include it. Return the size of the separating set,
    or ``NOT_SEPARATED``, that of ``memory.weakest``, or -1 when nothing could be tested, and of the latter
    the statistic over the critical value, the statistic itself, and its degrees of freedom.
    """
    test, memory, x, y = search.test, search.memory, search.target, search.state.candidates[number]
    others = 0
    for position in range(pool_size):
        variable = pool[position]
        if variable != x and variable != y and variable != required:
            memory.pool[others] = variable
            others += 1
    fixed = 0 if required == NO_VARIABLE else 1
    weakest_size, weakest_ratio, weakest_statistic, weakest_dof = NOT_SEPARATED, np.inf, 0.0, 0.0
    for size in range(smallest, largest + 1):
        free = size - fixed
        if free > others:
            break
        for position in range(free):
            memory.positions[position] = position
        more = True
        while more:
            if search.stop[0]:
                return NOT_SEPARATED, weakest_size, weakest_ratio, weakest_statistic, weakest_dof
            for position in range(free):
                memory.subset[position] = memory.pool[memory.positions[position]]
            if fixed == 1:
                memory.subset[free] = required
            if size > _PAIR and nominal_dof(test, x, y, memory.subset, size) > memory.most_dof:
                more = next_subset(memory.positions, free, others)
                continue
            outcome = conditional_test(test, x, y, memory.subset, size)
            ratio, reliable = outcome[2], outcome[3]
            memory.counters[0] += 1
            if size == SINGLE:
                memory.alone[memory.positions[0] if free == SINGLE else 0] = ratio
            if not reliable:
                memory.counters[1] += 1
            elif ratio < weakest_ratio:
                weakest_ratio, weakest_size = ratio, size
                weakest_statistic, weakest_dof = outcome[0], outcome[1]
                for position in range(size):
                    memory.weakest[position] = memory.subset[position]
            if reliable and ratio <= 1.0:
                return size, weakest_size, weakest_ratio, weakest_statistic, weakest_dof
            more = next_subset(memory.positions, free, others)
    return NOT_SEPARATED, weakest_size, weakest_ratio, weakest_statistic, weakest_dof


@separate_part
def separates(
    search: SubsetSearch,
    number: int,
    pool: np.ndarray,
    pool_size: int,
    required: int,
    smallest: int,
    largest: int,
) -> bool:
    """Tell whether a subset of `pool` separates a candidate from the target.

    The separating set is noted, and the one that came nearest to it if it is nearer than any before.
    """
    memory, state = search.memory, search.state
    found, weakest_size, ratio, statistic, dof = find_separator(
        search, number, pool, pool_size, required, smallest, largest
    )
    if ratio < state.weakest_ratios[number]:
        state.weakest_ratios[number], state.weakest_sizes[number] = ratio, weakest_size
        state.weakest_statistics[number], state.weakest_dofs[number] = statistic, dof
        for position in range(weakest_size):
            state.weakest[number, position] = memory.weakest[position]
    if found == NOT_SEPARATED:
        return False
    state.separator_sizes[number] = found
    for position in range(found):
        state.separators[number, position] = memory.subset[position]
    return True


@dataclass(frozen=True, slots=True)
class SubsetSeparation:
    """Whether some subset of a pool separates two variables."""

    separator: tuple[int, ...] | None  # the first that does, in the order of the pool
    log_p: float  # given the nearest set; 0 when no reliable test speaks for dependence
    tests: int
    unreliable: int  # tests that the reliability rules set aside
    nearest: tuple[int, ...] = ()  # the set that came nearest to separating them

    @property
    def is_found(self) -> bool:
        """Whether a set separates them."""
        return self.separator is not None


def separation(
    data: TestData,
    x: int,
    y: int,
    pool: Sequence[int],
    largest: int,
    stop: np.ndarray,
) -> SubsetSeparation:
    """Look for a subset of a pool, the empty one first, that separates two variables."""
    others = [int(each) for each in pool if each not in (x, y)]
    width = max(largest, 1)
    weakest_ratio, weakest = np.inf, (0.0, 0.0)
    nearest_set: tuple[int, ...] = ()
    tests = unreliable = 0
    for sets in _sets(others, largest):
        count, size = len(sets), len(sets[0])
        given = np.zeros((count, width), dtype=np.int64)
        given[:, :size] = sets
        statistic, dof, ratio, reliable = data.outcomes(
            np.full(count, x),
            np.full(count, y),
            given,
            np.full(count, size),
            stop,
            until_independent=True,
        )
        if stop[0]:
            raise Cancelled()
        tests += len(ratio)
        unreliable += int((~reliable).sum())
        counted = np.where(reliable, ratio, np.inf)
        nearest = int(counted.argmin())
        if counted[nearest] < weakest_ratio:
            weakest_ratio, weakest = counted[nearest], (statistic[nearest], dof[nearest])
            nearest_set = sets[nearest]
        if counted[-1] <= 1.0:
            return SubsetSeparation(
                sets[len(ratio) - 1], _log_p(data, *weakest), tests, unreliable, nearest_set
            )
    log_p = _log_p(data, *weakest) if weakest_ratio < np.inf else 0.0
    return SubsetSeparation(None, log_p, tests, unreliable, nearest_set)


def _sets(pool: list[int], largest: int) -> Iterator[list[tuple[int, ...]]]:
    """Return the subsets of a pool, smaller ones first, so many of one size at once."""
    for size in range(min(largest, len(pool)) + 1):
        sets = combinations(pool, size)
        while some := list(islice(sets, _SETS_AT_ONCE)):
            yield some


def _log_p(data: TestData, statistic: float, dof: float) -> float:
    return float(data.log_p_values(np.array([statistic]), np.array([dof]))[0])
