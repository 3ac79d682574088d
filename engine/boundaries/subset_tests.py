"""Tests of candidates given a fixed set, or the subsets of a pool: the compiled steps under many searches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from engine.boundaries.ranking import strongest_first
from engine.boundaries.search import NeighbourSearch, SearchTask, SpouseLink, new_state
from engine.boundaries.separators import NO_VARIABLE, SINGLE, SubsetSearch, new_subset_memory, separates
from engine.compiled.decorators import counting_kernel
from engine.independence.batch import Question, ask
from engine.independence.data import Answers
from engine.independence.false_discovery import discoveries

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
        for other in others:
            given = separator(other)
            if child not in given:
                questions.append((self._task.target, other, (*given, child)))
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
    """Separates candidates of a task from its target, and remembers how.

    Candidates are spoken of by their numbers, strongest first.
    """

    def __init__(self, task: SearchTask) -> None:
        width = max(task.max_conditioning, 1)
        self._task = task
        self._numbers = {int(each): number for number, each in enumerate(task.candidates)}
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
        """Tell which candidates, by number, a non-empty subset of the pool separates from the target.

        Each must contain `required`; with `size`, no other is tried.
        """
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
        return tuple(int(each) for each in self._state.separators[number, :size])

    def result(
        self,
        members: Sequence[int],
        links: Sequence[SpouseLink] | None = None,
        further: SetTests | None = None,
        separators: Mapping[int, tuple[int, ...]] | None = None,
    ) -> NeighbourSearch:
        """Return what a search found."""
        made, unreliable = (int(count) for count in self._memory.counters)
        return NeighbourSearch(
            tuple(int(number) for number in members),
            self._state,
            made + (further.tests if further else 0),
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
