"""Many conditional-independence tests in one compiled call, and tests of a variable against a set at once.

By the chain rule x is independent of {y1, y2} given S exactly when it is independent of y1 given S and of y2
given S and y1; G² and its degrees of freedom add up over such a chain (Agresti 2013, Categorical Data
Analysis, 3rd ed., section 3.3). So a joint test is a sum of ordinary ones, for every kind of data.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from operator import itemgetter

import numpy as np

from engine.independence.chi_squared import log_chi2_sf_values
from engine.independence.data import Answers, TestData, links_of_chain

# More than a table has columns: stands after all positions where these are sorted.
NO_POSITION = 1 << 31


def rows_of_sets(sets: Sequence[Sequence[int]]) -> tuple[np.ndarray, np.ndarray]:
    """Return sets as rows of an array of at least one column, filled up with ``NO_POSITION``, and sizes."""
    sizes = np.fromiter(map(len, sets), np.int64, len(sets))
    given = np.full((len(sets), int(sizes.max(initial=1))), NO_POSITION, dtype=np.int64)
    given[np.arange(given.shape[1]) < sizes[:, np.newaxis]] = np.fromiter(chain.from_iterable(sets), np.int64)
    return given, sizes


def as_asked(given: np.ndarray) -> np.ndarray:
    """Return the same rows as tests take them: in place of no position any one that the table has."""
    return np.where(given == NO_POSITION, 0, given)


Question = tuple[int, int, tuple[int, ...]]


def ask(data: TestData, questions: Sequence[Question], stop: np.ndarray) -> Answers:
    """Make every test of a list; after a stop (`stop[0]` is not 0) answers are unfinished, not to be used."""
    given, sizes = rows_of_sets([given for _, _, given in questions])
    x, y = np.array([(x, y) for x, y, _ in questions], dtype=np.int64).reshape(-1, 2).T.copy()
    return data.ask_rows(x, y, as_asked(given), sizes, stop)


JointQuestion = tuple[int, tuple[int, ...], tuple[int, ...]]


def chain_of_tests(question: JointQuestion) -> list[Question]:
    """Write a joint test as a chain of ordinary ones."""
    x, others, given = question
    return [(x, *link) for link in links_of_chain(others, given)]


def count_tests(questions: Sequence[JointQuestion]) -> int:
    """Say how many ordinary tests some joint ones are made of."""
    return sum(_lengths(questions))


def _lengths(questions: Sequence[JointQuestion]) -> list[int]:
    return list(map(len, map(itemgetter(1), questions)))


def ask_joint(data: TestData, questions: Sequence[JointQuestion], stop: np.ndarray) -> Answers:
    """Make joint tests, of a variable against several at once, by chi-squared; `stop` as of :func:`ask`."""
    lengths = _lengths(questions)
    if max(lengths, default=1) == 1:
        return ask(data, [(x, y, given) for x, (y,), given in questions], stop)
    answers = ask(data, [link for question in questions for link in chain_of_tests(question)], stop)
    starts = np.concatenate(([0], np.cumsum(lengths)[:-1])).astype(np.int64)
    chi_squared, dof = data.as_chi_squared(answers.statistic, answers.dof)
    statistic = np.add.reduceat(chi_squared, starts)
    total_dof = np.add.reduceat(dof, starts)
    single = np.array(lengths) == 1
    log_p = np.where(single, answers.log_p[starts], log_chi2_sf_values(statistic, total_dof))
    return Answers(
        np.where(single, answers.statistic[starts], statistic),
        np.where(single, answers.dof[starts], total_dof),
        np.where(single, answers.dependent[starts], log_p < data.critical.log_alpha),
        np.logical_and.reduceat(answers.reliable, starts),
        lambda: log_p,
    )
