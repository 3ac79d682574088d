"""Looking for a set that separates two variables: the step that every boundary search repeats.

Compiled searches call :func:`separates`. From Python, :func:`separation` asks about a single pair, and
:class:`SetTests` and :class:`SubsetTests` about the candidates of a task.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Any, NamedTuple

import numpy as np

from engine.boundaries.ranking import strongest_first
from engine.boundaries.search import NeighbourSearch, SearchState, SearchTask, SpouseLink, new_state
from engine.compiled.decorators import counting_kernel, inlined_part, int64, separate_part
from engine.errors import Cancelled
from engine.independence.batch import Question, ask
from engine.independence.data import Answers, TestData
from engine.independence.false_discovery import discoveries
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
    """Tell whether a subset of `pool` separates a candidate from the target; note it, or the nearest."""
    memory, state = search.memory, search.state
    size, weakest_size, ratio, statistic, dof = find_separator(
        search, number, pool, pool_size, required, smallest, largest
    )
    if ratio < state.weakest_ratios[number]:
        state.weakest_ratios[number], state.weakest_sizes[number] = ratio, weakest_size
        state.weakest_statistics[number], state.weakest_dofs[number] = statistic, dof
        for position in range(weakest_size):
            state.weakest[number, position] = memory.weakest[position]
    if size == NOT_SEPARATED:
        return False
    state.separator_sizes[number] = size
    for position in range(size):
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
    others = [int(variable) for variable in pool if variable not in (x, y)]
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


Set = tuple[int, ...]


class SetTests:
    """Tests of variables with the target of a task."""

    def __init__(self, task: SearchTask) -> None:
        self._task = task
        self.tests = 0
        self.unreliable = 0

    def first_separating(self, variable: int, sets: Sequence[Set]) -> Set | None:
        """Return the first of some sets given which a variable is independent of the target."""
        answers = self._ask([(self._task.target, variable, given) for given in sets])
        positions = np.flatnonzero(answers.independent)
        return sets[int(positions[0])] if positions.size and not self._task.stop[0] else None

    def connected(self, child: int, others: Sequence[int], separator: Callable[[int], Set]) -> list[int]:
        """Return what a child, not in the set of `separator`, connects with the target, strongest first."""
        questions: list[Question] = []
        for candidate in others:
            given = separator(candidate)
            if child not in given:
                questions.append((self._task.target, candidate, (*given, child)))
        answers = self._ask(questions)
        if self._task.stop[0]:
            return []
        log_p = np.where(answers.reliable, answers.log_p, 0.0)
        significant = answers.dependent & answers.reliable
        significant &= discoveries(log_p, self._task.alpha, self._task.false_discovery)
        positions = np.flatnonzero(significant)
        order = strongest_first(log_p[positions], answers.statistic[positions], positions)
        return [questions[int(position)][1] for position in positions[order]]

    def _ask(self, questions: list[Question]) -> Answers:
        answers = ask(self._task.data, questions, self._task.stop)
        self.tests += len(questions)
        self.unreliable += int((~answers.reliable).sum())
        return answers


class SubsetTests:
    """Separates candidates of a task, by their numbers (strongest first), and remembers how."""

    def __init__(self, task: SearchTask) -> None:
        width = max(task.max_conditioning, 1)
        self._task = task
        self._numbers = {int(candidate): number for number, candidate in enumerate(task.candidates)}
        self._state = new_state(task.candidates, width)
        self._weakest_log_p = np.full(len(task.candidates), -np.inf)
        self._memory = new_subset_memory(len(task.everyone), width, task.most_dof)
        # Kept for as long as it is asked.
        self._test = task.data.placed(width, task.stop)
        self._search = SubsetSearch(self._test.at, self._memory, self._state, task.target, task.stop)
        # A search that is run with its stop mark set, to be compiled, never comes to ask.
        nobody = np.empty(0, dtype=np.int64)
        self.separated(nobody, nobody)

    @property
    def association(self) -> np.ndarray:
        """Least association of each candidate with the target under all sets so far, as log p."""
        association: np.ndarray = np.maximum(self._task.log_p, self._weakest_log_p)
        return association

    def separated(
        self,
        numbers: np.ndarray,
        pool: np.ndarray,
        required: int = NO_VARIABLE,
        size: int | None = None,
    ) -> np.ndarray:
        """Tell which candidates a subset of the pool with `required` separates; of one `size`, if given."""
        answers = np.zeros(len(numbers), dtype=np.bool_)
        _separate_each(
            self._search,
            np.asarray(numbers, dtype=np.int64),
            np.asarray(pool, dtype=np.int64),
            required,
            SINGLE if size is None else size,
            self._task.max_conditioning if size is None else size,
            answers,
        )
        measured = numbers[self._state.weakest_ratios[numbers] < np.inf]
        self._weakest_log_p[measured] = self._task.data.log_p_values(
            self._state.weakest_statistics[measured], self._state.weakest_dofs[measured]
        )
        return answers

    def forget_association(self, numbers: np.ndarray) -> None:
        """Let only sets that are tried from now on count in :attr:`association` of some candidates."""
        self._state.weakest_ratios[numbers] = np.inf
        self._weakest_log_p[numbers] = -np.inf

    def number_of(self, variable: int) -> int:
        """Return the number of a candidate."""
        return self._numbers[variable]

    def links(self, children: Iterable[int], spouses: Mapping[int, Sequence[int]]) -> list[SpouseLink]:
        """Say of the spouses of each child given which set they depend on the target."""
        return [
            SpouseLink(spouse, child, (*self.separator_of(spouse), child))
            for child in children
            for spouse in spouses[child]
        ]

    def separator_of(self, variable: int) -> tuple[int, ...]:
        """Return the set that separated a variable; empty for what was no candidate."""
        number = self._numbers.get(variable)
        if number is None:
            return ()
        size = max(int(self._state.separator_sizes[number]), 0)
        return tuple(int(separator) for separator in self._state.separators[number, :size])

    def result(
        self,
        members: Sequence[int],
        links: Sequence[SpouseLink] | None = None,
        further: SetTests | None = None,
        separators: Mapping[int, tuple[int, ...]] | None = None,
    ) -> NeighbourSearch:
        """Return what a search found."""
        tests, unreliable = (int(count) for count in self._memory.counters)
        return NeighbourSearch(
            tuple(int(number) for number in members),
            self._state,
            tests + (further.tests if further else 0),
            unreliable + (further.unreliable if further else 0),
            None if links is None else tuple(links),
            dict(separators or {}),
        )


@counting_kernel
def _separate_each(
    search: SubsetSearch,
    numbers: np.ndarray,
    pool: np.ndarray,
    required: int,
    smallest: int,
    largest: int,
    answers: np.ndarray,
) -> None:
    for position in range(numbers.shape[0]):
        if search.stop[0]:
            break
        answers[position] = separates(
            search, numbers[position], pool, pool.shape[0], required, smallest, largest
        )
