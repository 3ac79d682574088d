"""Many conditional-independence tests in one compiled call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from engine.independence.data import TestData
from engine.independence.discrete_table import DiscreteTable
from engine.independence.distributions import log_chi2_sf_values
from engine.independence.interface import new_workspace, run_tests

# Smaller sets have so few strata that counting sets of rows is quicker.
_LARGE_SET = 3

Question = tuple[int, int, tuple[int, ...]]


@dataclass(frozen=True)
class Answers:
    """Outcomes of a list of tests, each an array of shape (tests,).

    Attributes
    ----------
    statistic, dof : ndarray of float64
        Statistic and degrees of freedom.
    dependent : ndarray of bool
        Significant at the plain level.
    reliable : ndarray of bool
        Counts under the reliability rule.
    find_log_p : callable
        Gives the natural logarithms of the p-values.
    """

    statistic: np.ndarray
    dof: np.ndarray
    dependent: np.ndarray
    reliable: np.ndarray
    find_log_p: Callable[[], np.ndarray]

    @cached_property
    def log_p(self) -> np.ndarray:
        """Natural logarithms of the p-values: found when asked for, as most tests are only compared."""
        return self.find_log_p()

    @property
    def independent(self) -> np.ndarray:
        """Evidence of independence: not significant, and reliable."""
        independent: np.ndarray = ~self.dependent & self.reliable
        return independent


def ask(data: TestData, questions: Sequence[Question], stop: np.ndarray) -> Answers:
    """Make every test of a list.

    Parameters
    ----------
    data : TestData
        What is tested.
    questions : sequence of (x, y, given)
        Positions of two variables and of the conditioning set.
    stop : ndarray of uint8, shape (1,)
        Not 0 asks to stop; the answers are then unfinished and must not be used.

    Returns
    -------
    Answers
    """
    sizes = np.array([len(given) for _, _, given in questions], dtype=np.int64)
    given = np.zeros((len(questions), max(1, int(sizes.max(initial=0)))), dtype=np.int64)
    # Row after row, as many entries as each question has: the order in which its members come.
    given[np.arange(given.shape[1]) < sizes[:, None]] = [
        each for question in questions for each in question[2]
    ]
    x, y = np.array([question[:2] for question in questions], dtype=np.int64).reshape(-1, 2).T.copy()
    return ask_rows(data, x, y, given, sizes, stop)


def ask_given(
    data: TestData, x: int, others: np.ndarray, given: tuple[int, ...], stop: np.ndarray
) -> Answers:
    """Test one variable against others given one set: the same answers as of :func:`ask`, and sooner.

    Parameters
    ----------
    data : TestData
        What is tested.
    x : int
        Position of the variable.
    others : ndarray of int64, shape (tests,)
        Positions of the others.
    given : tuple of int
        Positions of the conditioning set.
    stop : ndarray of uint8, shape (1,)
        As in :func:`ask`.

    Returns
    -------
    Answers
    """
    if not isinstance(data.table, DiscreteTable) or len(given) < _LARGE_SET:
        return ask(data, [(x, int(other), given) for other in others], stop)
    from engine.independence.one_set import run_tests_given

    members = np.array(given, dtype=np.int64)
    return _answers(data, run_tests_given(data.table, x, others, members, stop), stop)


def ask_marginal(data: TestData, x: int, others: np.ndarray, stop: np.ndarray) -> Answers:
    """Test one variable against others without conditioning.

    Parameters
    ----------
    data : TestData
        What is tested.
    x : int
        Position of the variable.
    others : ndarray of int64, shape (tests,)
        Positions of the others.
    stop : ndarray of uint8, shape (1,)
        As in :func:`ask`.

    Returns
    -------
    Answers
    """
    count = len(others)
    nothing = np.zeros((count, 1), dtype=np.int64)
    return ask_rows(data, np.full(count, x), others, nothing, np.zeros(count, dtype=np.int64), stop)


def ask_rows(
    data: TestData, x: np.ndarray, y: np.ndarray, given: np.ndarray, sizes: np.ndarray, stop: np.ndarray
) -> Answers:
    """Make every test of a list that is written as arrays: :func:`ask` for very many.

    Parameters
    ----------
    data : TestData
        What is tested.
    x, y : ndarray of int64, shape (tests,)
        Positions of the tested variables.
    given : ndarray of int64, shape (tests, width)
        Positions of the conditioning sets, from the first column on.
    sizes : ndarray of int64, shape (tests,)
        How many entries of each row of `given` count.
    stop : ndarray of uint8, shape (1,)
        As in :func:`ask`.

    Returns
    -------
    Answers
    """
    workspace = new_workspace(data.table, given.shape[1])
    return _answers(data, run_tests(data.table, workspace, x, y, given, sizes, stop), stop)


def _answers(data: TestData, outcomes: tuple[np.ndarray, ...], stop: np.ndarray) -> Answers:
    statistic, dof, ratio, reliable = outcomes
    if stop[0]:
        # Half-made arrays hold anything.
        statistic, dof = np.zeros(len(ratio)), np.zeros(len(ratio))
    return Answers(statistic, dof, ratio > 1.0, reliable, partial(log_p_values, data, statistic, dof))


def log_p_values(data: TestData, statistic: np.ndarray, dof: np.ndarray) -> np.ndarray:
    """Natural logarithms of p-values: of z when data are Gaussian, else of chi-squared statistics."""
    if data.is_gaussian:
        return log_chi2_sf_values(statistic**2, np.ones(len(statistic)))
    return log_chi2_sf_values(statistic, dof)
