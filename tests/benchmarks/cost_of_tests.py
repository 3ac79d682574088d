"""What one test costs, by levels of the variables and size of the conditioning set."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from engine.boundaries.discovery_settings import arranged
from engine.boundaries.neighbourhoods import Neighbourhoods
from engine.boundaries.search import SearchTask
from engine.boundaries.single_algorithms import single_algorithms
from engine.independence.data import TestData
from engine.independence.interface import placed_test, run_tests
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable
from tests.benchmarks.label_boundaries import PUBLISHED

SIZES = (0, 1, 2, 3)
# So many candidates of a search that the tests of a size are tens of thousands.
_CANDIDATES = {2: 50, 3: 24}
_TARGETS = 2
_SCREENS = 60
# Nothing is independent at this level, so that a search goes through every subset of every size.
_NEVER_INDEPENDENT = 1.0 - 1e-9


def independent_columns(levels: int, variables: int = 1050, rows: int = 5000) -> Dataset:
    """Make a table of independent variables whose levels are equally likely."""
    generator = np.random.default_rng(levels)
    names = tuple(str(level) for level in range(levels))
    described = tuple(
        Variable(f"v{place}", Kind.NOMINAL, Role.LABEL if place == 0 else Role.FEATURE, levels=names)
        for place in range(variables)
    )
    columns = generator.integers(levels, size=(variables, rows), dtype=np.int8)
    return Dataset(described, tuple(columns))


def random_questions(variables: int, size: int, tests: int) -> np.ndarray:
    """Draw tests: x, y and a set of so many variables in each row, all different."""
    generator = np.random.default_rng(size)
    return np.array([generator.choice(variables, size + 2, replace=False) for _ in range(tests)])


def one_by_one(data: TestData, questions: np.ndarray) -> Callable[[], int]:
    """Make tests of which none has use of another.

    Returns
    -------
    callable
        Makes the tests and gives their number.
    """
    tests, size = questions.shape[0], questions.shape[1] - 2
    x, y = np.ascontiguousarray(questions[:, 0]), np.ascontiguousarray(questions[:, 1])
    given = np.ascontiguousarray(questions[:, 2:]) if size else np.zeros((tests, 1), dtype=np.int64)
    sizes, stop = np.full(tests, size), np.zeros(1, dtype=np.uint8)

    def make() -> int:
        run_tests(placed_test(data.table, max(size, 1)), x, y, given, sizes, stop)
        return tests

    return make


def microseconds_in_searches(dataset: Dataset, repeats: int) -> dict[int, float]:
    """Tell by size what a test costs a search, in microseconds of the processor's time.

    Without a set: screens of single variables, p-values and sorting included. With sets: a search that goes
    through all subsets of up to so many members, less one of up to one fewer. With one member a search makes
    hardly more tests than with none, so that their difference tells nothing: it is left out.
    """
    data = arranged(dataset, replace(PUBLISHED, alpha=_NEVER_INDEPENDENT, dof="effective"))
    costs = {0: microseconds(lambda: _screens(data), repeats)}
    for size in SIZES[2:]:
        tasks = _tasks(data, _CANDIDATES[size])
        more, fewer = _searches(tasks, size), _searches(tasks, size - 1)
        seconds = _least_seconds(more, repeats) - _least_seconds(fewer, repeats)
        costs[size] = 1e6 * seconds / (more() - fewer())
    return costs


def microseconds(work: Callable[[], int], repeats: int) -> float:
    """Tell what one test of some work costs, in microseconds of the processor's time, at best."""
    return 1e6 * _least_seconds(work, repeats) / work()


def _least_seconds(work: Callable[[], int], repeats: int) -> float:
    seconds = []
    for _ in range(repeats + 1):
        started = time.process_time()
        work()
        seconds.append(time.process_time() - started)
    # The first one may compile.
    return min(seconds[1:])


def _screens(data: TestData) -> int:
    search = Neighbourhoods(data, PUBLISHED, np.zeros(1, dtype=np.uint8))
    for target in range(_SCREENS):
        search.screen(target)
    return search.tests_made[0]


def _tasks(data: TestData, candidates: int) -> list[SearchTask]:
    """Make the tasks of searches around some variables, with few candidates each."""
    search = Neighbourhoods(data, PUBLISHED, np.zeros(1, dtype=np.uint8))
    tasks = [search.task(target) for target in range(_TARGETS)]
    return [
        replace(task, candidates=task.everyone[:candidates], log_p=np.zeros(candidates)) for task in tasks
    ]


def _searches(tasks: list[SearchTask], largest: int) -> Callable[[], int]:
    find = single_algorithms()[PUBLISHED.algorithm].load()
    return lambda: sum(find(replace(task, max_conditioning=largest)).tests for task in tasks)
