"""Whether two sets of variables tell the same about a target: shown, not told apart, or told apart.

That a test finds no difference is no evidence that there is none: with few rows it finds none between
anything weak. So a pair counts as interchangeable only when it is shown that each set misses no more than a
margin of what the other tells about the target, at level α (a test of non-inferiority both ways, as two
one-sided tests: Schuirmann 1987, Journal of Pharmacokinetics and Biopharmaceutics 15:657-680).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.boundaries.neighbourhoods import Neighbourhoods
from engine.discovery.missed_share import Strength, missed_shares
from engine.discovery.verdict import MissedShare, Verdict
from engine.independence.answers import Answers
from engine.independence.batch import JointQuestion, ask_joint, count_tests
from engine.independence.data import TestData

Indices = tuple[int, ...]

# Two sets that are shown to differ are not interchangeable, however little they differ. This level is not α,
# or a smaller α would let more pass; it is small, for true equivalents fail either of two tests with it.
_LEVEL_OF_DIFFERENCE = 0.001


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the tests say of two sets that may tell the same about a target.

    Attributes
    ----------
    verdict : Verdict or None
        None when the two are told apart.
    missed_by_first, missed_by_second : MissedShare
        What share of what the other set tells about the target each set misses.
    """

    verdict: Verdict | None
    missed_by_first: MissedShare
    missed_by_second: MissedShare


def not_told_apart(answers: Answers, alpha: float) -> np.ndarray:
    """Tell which tests find no difference that would tell two sets apart, whatever else is known.

    Parameters
    ----------
    answers : Answers
        Of a target and one set given the other.
    alpha : float
        Level of the search.

    Returns
    -------
    ndarray of bool, shape (tests,)
    """
    return answers.reliable & (answers.log_p > math.log(min(alpha, _LEVEL_OF_DIFFERENCE)))


def compare(
    search: Neighbourhoods, pairs: Sequence[tuple[int, Indices, Indices]]
) -> tuple[list[Comparison], int]:
    """Compare sets of variables, two at a time, by what they tell about a target.

    Parameters
    ----------
    search : Neighbourhoods
        Data, settings and stop.
    pairs : sequence of (target, first, second)
        Position of a target, and of the members of two sets.

    Returns
    -------
    comparisons : list of Comparison
        One a pair.
    tests : int
        Tests made.

    Raises
    ------
    Cancelled
        When the run was stopped.
    """
    if not pairs:
        return [], 0
    alpha, margin = search.settings.alpha, search.settings.equivalence_margin
    questions: list[JointQuestion] = []
    for target, first, second in pairs:
        questions += [
            (target, first, ()),
            (target, second, ()),
            (target, second, first),
            (target, first, second),
        ]
    answers = ask_joint(search.data, questions, search.stop)
    search.check_stop()
    strengths = _strengths(search.data, questions, answers.statistic, answers.dof)
    # Of each pair what the first set misses, and then of each what the second does.
    numbers = np.arange(len(questions)).reshape(-1, 4).T
    left_over, told = numbers[[2, 3]].ravel(), numbers[[1, 0]].ravel()
    shares = missed_shares(_chosen(strengths, left_over), _chosen(strengths, told), alpha)
    by_first, by_second = shares[: len(pairs)], shares[len(pairs) :]
    reliable = np.all(answers.reliable.reshape(-1, 4)[:, 2:], axis=1).tolist()
    difference = np.min(answers.log_p.reshape(-1, 4)[:, 2:], axis=1).tolist()
    comparisons = []
    for place, (missed_by_first, missed_by_second) in enumerate(zip(by_first, by_second, strict=True)):
        verdict = None
        if reliable[place]:
            is_shown = max(missed_by_first.limit, missed_by_second.limit) <= margin
            verdict = _verdict(difference[place], is_shown, alpha)
        comparisons.append(Comparison(verdict, missed_by_first, missed_by_second))
    return comparisons, count_tests(questions)


def _verdict(log_p: float, is_shown: bool, alpha: float) -> Verdict | None:
    if is_shown and log_p > math.log(_LEVEL_OF_DIFFERENCE):
        return Verdict.INTERCHANGEABLE
    return Verdict.NOT_TOLD_APART if log_p > math.log(alpha) else None


def _strengths(
    data: TestData, questions: Sequence[JointQuestion], statistic: np.ndarray, dof: np.ndarray
) -> Strength:
    """Give the statistics as chi-squared ones, which those of tests against several variables are already."""
    is_single = np.array([len(others) == 1 for _, others, _ in questions])
    single, single_dof = data.as_chi_squared(statistic, dof)
    observations = [data.observations_of((target, *others, *given)) for target, others, given in questions]
    return Strength(
        np.where(is_single, single, statistic),
        np.where(is_single, single_dof, dof),
        np.array(observations, dtype=np.float64),
    )


def _chosen(strengths: Strength, numbers: np.ndarray) -> Strength:
    return Strength(*(each[numbers] for each in strengths))
