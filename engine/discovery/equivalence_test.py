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
from engine.independence.data import TestData
from engine.independence.joint import JointQuestion, ask_joint

Indices = tuple[int, ...]

# Two sets that are shown to differ are not interchangeable, however little they differ. This level is not α,
# or a smaller α would let more pass; it is small, for true equivalents fail either of two tests with it.
_LEVEL_OF_DIFFERENCE = 0.001


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the tests say of two sets that may tell the same about a target.

    Attributes
    ----------
    verdict : Verdict
    missed_by_first, missed_by_second : MissedShare
        What share of what the other set tells about the target each set misses.
    """

    verdict: Verdict
    missed_by_first: MissedShare
    missed_by_second: MissedShare


def log_level_of_independence(alpha: float) -> float:
    """Give the logarithm of the p-value at or below which two sets are told apart whatever else is known."""
    return math.log(min(alpha, _LEVEL_OF_DIFFERENCE))


def compare(
    search: Neighbourhoods, target: int, pairs: Sequence[tuple[Indices, Indices]]
) -> tuple[list[Comparison | None], int]:
    """Compare sets of variables by what they tell about a target.

    Parameters
    ----------
    search : Neighbourhoods
        Data, settings and stop.
    target : int
        Position of the target.
    pairs : sequence of (first, second)
        Positions of the members of the two sets.

    Returns
    -------
    comparisons : list of Comparison or None
        One a pair; None when the two are told apart.
    tests : int
        Tests made.

    Raises
    ------
    Cancelled
        When the run was stopped.
    """
    alpha, margin = search.settings.alpha, search.settings.equivalence_margin
    given_each = [
        question for first, second in pairs for question in ((target, second, first), (target, first, second))
    ]
    left_over = _ask(search, given_each)
    comparisons: list[Comparison | None] = [None] * len(pairs)
    # Most pairs are told apart at once, and nothing more is asked of them.
    alike = left_over.reliable & (left_over.log_p > log_level_of_independence(alpha))
    places = np.flatnonzero(alike.reshape(-1, 2).all(axis=1)).tolist()
    alone = [(target, each, ()) for place in places for each in pairs[place]]
    told = _ask(search, alone)
    kept = np.array([2 * place for place in places], dtype=np.int64)
    by_first = missed_shares(left_over.strengths(kept), told.strengths(slice(1, None, 2)), alpha)
    by_second = missed_shares(left_over.strengths(kept + 1), told.strengths(slice(0, None, 2)), alpha)
    for place, missed_by_first, missed_by_second in zip(places, by_first, by_second, strict=True):
        is_shown = max(missed_by_first.limit, missed_by_second.limit) <= margin
        difference = float(left_over.log_p[2 * place : 2 * place + 2].min())
        verdict = _verdict(difference, is_shown, alpha)
        if verdict is not None:
            comparisons[place] = Comparison(verdict, missed_by_first, missed_by_second)
    return comparisons, sum(len(others) for _, others, _ in (*given_each, *alone))


def _verdict(log_p: float, is_shown: bool, alpha: float) -> Verdict | None:
    if is_shown and log_p > math.log(_LEVEL_OF_DIFFERENCE):
        return Verdict.INTERCHANGEABLE
    return Verdict.NOT_TOLD_APART if log_p > math.log(alpha) else None


@dataclass(frozen=True)
class _Asked:
    """Answers to joint questions, and what their statistics say of strength."""

    data: TestData
    questions: Sequence[JointQuestion]
    statistic: np.ndarray
    dof: np.ndarray
    log_p: np.ndarray
    reliable: np.ndarray

    def strengths(self, chosen: np.ndarray | slice) -> Strength:
        """Give statistics as chi-squared ones, which those of joint tests are already."""
        questions = [self.questions[place] for place in np.arange(len(self.questions))[chosen]]
        is_single = np.array([len(others) == 1 for _, others, _ in questions], dtype=bool)
        statistic, dof = self.statistic[chosen], self.dof[chosen]
        single, single_dof = self.data.as_chi_squared(statistic, dof)
        observations = [
            self.data.observations_of((target, *others, *given)) for target, others, given in questions
        ]
        return Strength(
            np.where(is_single, single, statistic),
            np.where(is_single, single_dof, dof),
            np.array(observations, dtype=np.float64),
        )


def _ask(search: Neighbourhoods, questions: Sequence[JointQuestion]) -> _Asked:
    answers = ask_joint(search.data, questions, search.stop)
    search.check_stop()
    return _Asked(search.data, questions, answers.statistic, answers.dof, answers.log_p, answers.reliable)
