"""Variables that tell the same about a target: shown, not told apart, or told apart. Phase 3 of CLCD.

Sets S within the neighbours of X and Z outside hold equivalent information about X when each makes the other
superfluous (Statnikov, Lytkin, Lemeire and Aliferis 2013, Algorithms for discovery of multiple Markov
boundaries, JMLR 14:499-566). As in the paper no further conditioning set is used. Unlike in the paper it does
not suffice that the tests find no difference.

That a test finds no difference is no evidence that there is none: with few rows it finds none between
anything weak. So a pair counts as interchangeable only when it is shown that each set misses no more than a
margin of what the other tells about the target, at level α (a test of non-inferiority both ways, as two
one-sided tests: Schuirmann 1987, Journal of Pharmacokinetics and Biopharmaceutics 15:657-680).

S misses of what Z tells about X the part I(X;Z|S) / I(X;Z). A test statistic says that much of each: its
noncentrality is twice the information times the rows, and the statistic less its degrees of freedom estimates
it without bias. So the share and a confidence limit follow from statistics of any test.

The limit of the missed information is that of Read (2002), Presentation of search results: the CLs
technique, Journal of Physics G 28:2693-2704: the noncentrality at which a statistic as small as the observed
one is α times as probable as without any dependence. Unlike the usual limit it never falls to 0 because the
statistic happens to be small, or because no stratum of the table is left with something to test. The limit of
the quotient puts it together with the uncertainty of what is told at all (Donner and Zou 2012, Closed-form
confidence intervals for functions of the normal mean and standard deviation, Statistical Methods in Medical
Research 21:347-359).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, compress, islice
from typing import NamedTuple

import numpy as np

from engine.boundaries.neighbourhoods import Indices, Neighbourhoods
from engine.discovery.evidence import MissedShare, Verdict
from engine.independence.batch import JointQuestion, Question, ask, ask_joint, count_tests
from engine.independence.data import Answers, TestData


class Strength(NamedTuple):
    """Chi-squared statistics of tests, as arrays of shape (tests,)."""

    statistic: np.ndarray
    dof: np.ndarray
    observations: np.ndarray  # what the rows are worth that each test rests on


def missed_shares(left_over: Strength, total: Strength, alpha: float) -> list[MissedShare]:
    """Estimate the share of information that the other set misses, and its upper bound at level `alpha`."""
    missed = np.maximum(left_over.statistic - left_over.dof, 0.0)
    whole = np.maximum(total.statistic - total.dof, 0.0)
    most = np.maximum(most_noncentrality(left_over.statistic, left_over.dof, alpha), missed)
    least = np.minimum(_least_noncentrality(total.statistic, total.dof, alpha), whole)
    per_row = total.observations / np.maximum(left_over.observations, 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        estimate = np.where(whole > 0.0, missed / whole, np.inf) * per_row
        squared = least * (2.0 * whole - least)
        product = missed * whole
        limit = (product + np.sqrt(product**2 + most * (most - 2.0 * missed) * squared)) / squared * per_row
    limit = np.where(squared > 0.0, limit, np.inf)
    return [MissedShare(*figures) for figures in zip(estimate.tolist(), limit.tolist(), strict=True)]


def most_noncentrality(statistic: np.ndarray, dof: np.ndarray, alpha: float) -> np.ndarray:
    """Return upper limits of the noncentrality of chi-squared statistics (0 allowed), at least -2 ln α."""
    from scipy.special import chndtrinc, gammainc

    smallest = np.full(len(statistic), -2.0 * np.log(alpha))
    central = np.where(dof > 0.0, gammainc(np.maximum(dof, 1e-9) / 2.0, statistic / 2.0), 0.0)
    limit = chndtrinc(statistic, np.maximum(dof, 1e-9), alpha * central)
    # Where the statistic is next to nothing, the probability underflows.
    bounded: np.ndarray = np.fmax(np.where(central > 0.0, limit, smallest), smallest)
    return bounded


def _least_noncentrality(statistic: np.ndarray, dof: np.ndarray, alpha: float) -> np.ndarray:
    """Give lower confidence limits of the noncentrality of chi-squared statistics; 0 where there is none."""
    from scipy.special import chndtr, chndtrinc

    positive = np.maximum(dof, 1e-9)
    bounded = chndtr(statistic, positive, 0.0) > 1.0 - alpha
    return np.where(bounded & (dof > 0.0), np.nan_to_num(chndtrinc(statistic, positive, 1.0 - alpha)), 0.0)


# Two sets that are shown to differ are not interchangeable, however little they differ. This level is not α,
# or a smaller α would let more pass; it is small, for true equivalents fail either of two tests with it.
_LEVEL_OF_DIFFERENCE = 0.001


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the tests say of two sets that may tell the same about a target."""

    verdict: Verdict | None  # None when the two are told apart
    missed_by_first: MissedShare  # of what the other set tells
    missed_by_second: MissedShare


def not_told_apart(answers: Answers, alpha: float) -> np.ndarray:
    """Tell which tests find no difference that would tell two sets apart, whatever else is known."""
    return answers.reliable & (answers.log_p > math.log(min(alpha, _LEVEL_OF_DIFFERENCE)))


def pair_questions(
    target: int, first: Indices, second: Indices
) -> tuple[JointQuestion, JointQuestion, JointQuestion, JointQuestion]:
    """List the four tests of an equivalence, in the order of the fields of Equivalence."""
    return (target, first, ()), (target, second, ()), (target, second, first), (target, first, second)


def compare(
    search: Neighbourhoods, pairs: Sequence[tuple[int, Indices, Indices]]
) -> tuple[list[Comparison], int]:
    """Compare sets of variables, two at a time, by what they tell about a target."""
    if not pairs:
        return [], 0
    alpha, margin = search.settings.alpha, search.settings.equivalence_margin
    questions = [question for pair in pairs for question in pair_questions(*pair)]
    answers = ask_joint(search.data, questions, search.stop)
    search.check_stop()
    strengths = _strengths(search.data, questions, answers.statistic, answers.dof)
    # Of each pair what the first set misses, and then of each what the second does.
    numbers = np.arange(len(questions)).reshape(-1, 4).T
    left_over, total = numbers[[2, 3]].ravel(), numbers[[1, 0]].ravel()
    shares = missed_shares(_chosen(strengths, left_over), _chosen(strengths, total), alpha)
    by_first, by_second = shares[: len(pairs)], shares[len(pairs) :]
    reliable = np.all(answers.reliable.reshape(-1, 4)[:, 2:], axis=1).tolist()
    difference = np.min(answers.log_p.reshape(-1, 4)[:, 2:], axis=1).tolist()
    comparisons = []
    for position, (missed_by_first, missed_by_second) in enumerate(zip(by_first, by_second, strict=True)):
        verdict = None
        if reliable[position]:
            is_shown = max(missed_by_first.limit, missed_by_second.limit) <= margin
            verdict = _verdict(difference[position], is_shown, alpha)
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
    return Strength(*(strength[numbers] for strength in strengths))


@dataclass(frozen=True, slots=True)
class EquivalentPair:
    """Set S in the neighbourhood of a target and Z outside: neither is seen to tell more about it."""

    target: int
    in_boundary: Indices  # S
    equivalent: Indices  # Z
    verdict: Verdict  # under the published procedure, two tests find no difference
    missed_by_boundary: MissedShare | None = None  # of what Z tells; not measured by the published procedure
    missed_by_equivalent: MissedShare | None = None

    @property
    def questions(self) -> tuple[JointQuestion, JointQuestion, JointQuestion, JointQuestion]:
        """The four tests that tell it."""
        return pair_questions(self.target, self.in_boundary, self.equivalent)

    @property
    def is_shown(self) -> bool:
        """Whether the two are interchangeable, and not merely not told apart."""
        return self.verdict is Verdict.INTERCHANGEABLE


# What can stand in for so many sets is looked for at once.
_SETS_AT_ONCE = 64


class EquivalenceSearch:
    """Searches for outsiders, dependent on the target or copies, that can stand in for boundary members."""

    def __init__(
        self,
        search: Neighbourhoods,
        target: int,
        members: Sequence[int],
        outsiders: Sequence[int] | np.ndarray,
    ) -> None:
        self._search = search
        self._target = target
        self._members = tuple(members)
        self._originals = search.data.originals
        # Copies depend on the target too, though a screen may not see it: with the score's help a member is
        # found that by itself tells next to nothing.
        may_stand_in = search.screen(target).passed
        may_stand_in[list(members)] = False
        may_stand_in |= search.data.copies_of(members)
        outside = np.asarray(outsiders, dtype=np.int64)
        self._outsiders = tuple(outside[may_stand_in[outside]].tolist())
        self.tests = 0

    def pairs(self, largest: int) -> list[EquivalentPair]:
        """Find pairs of sets of up to `largest` variables that are not distinguished, and that none implies.

        What is shown of smaller sets implies that of larger ones.
        """
        if largest == 0 or not self._outsiders:
            return []
        pairs_found: list[EquivalentPair] = []
        alternatives = self._informative_sets(largest)
        for size in range(1, min(largest, len(self._members)) + 1):
            insides = combinations(self._members, size)
            while some := list(islice(insides, _SETS_AT_ONCE)):
                self._add_stand_ins(some, alternatives, pairs_found)
        return pairs_found

    def _informative_sets(self, largest: int) -> list[Indices]:
        """List the sets of outsiders, smaller first, none of whose members the others make superfluous."""
        sets: list[Indices] = [(outsider,) for outsider in self._outsiders]
        previous = set(sets)
        for size in range(2, largest + 1):
            wider = [
                outsiders
                for outsiders in combinations(self._outsiders, size)
                if all(smaller in previous for smaller in combinations(outsiders, size - 1))
            ]
            questions: list[Question] = [
                (self._target, outsiders[position], outsiders[:position] + outsiders[position + 1 :])
                for outsiders in wider
                for position in range(size)
            ]
            dependent = np.all(self._ask(questions).dependent.reshape(-1, size), axis=1)
            undistinguished = [
                outsiders
                for outsiders, informative in zip(wider, dependent.tolist(), strict=True)
                if informative
            ]
            sets += undistinguished
            previous = set(undistinguished)
        return sets

    def _add_stand_ins(
        self, insides: Sequence[Indices], alternatives: list[Indices], pairs: list[EquivalentPair]
    ) -> None:
        """Add the sets that tell the same as one of `insides`, all of one size, or are not told apart."""
        alpha = self._search.settings.alpha
        undistinguished = not_told_apart(self._ask_given(insides), alpha).reshape(len(insides), -1)
        # Nothing follows from a pair with another set of the same size.
        shown = [pair for pair in pairs if pair.is_shown]
        candidates: list[JointQuestion] = []
        for inside, are_superfluous in zip(insides, undistinguished.tolist(), strict=True):
            superfluous = set(compress(self._outsiders, are_superfluous))
            candidates += [
                (self._target, inside, outside)
                for outside in filter(superfluous.issuperset, alternatives)
                if not (shown and follows_from(shown, inside, outside))
            ]
        # Most are told apart by the way back, and spared the rest.
        undistinguished = not_told_apart(self._ask_joint(candidates), alpha)
        candidates = list(compress(candidates, undistinguished.tolist()))
        compared, tests = compare(self._search, candidates)
        self.tests += tests
        for (_, inside, outside), comparison in zip(candidates, compared, strict=True):
            pair = self._pair(inside, outside, comparison)
            if pair and not _follows(pairs, pair):
                pairs.append(pair)

    def _pair(self, inside: Indices, outside: Indices, comparison: Comparison) -> EquivalentPair | None:
        limit = self._missed_by_copy(inside, outside)
        if limit <= self._search.settings.equivalence_margin:
            missed = MissedShare(0.0, limit)
            return EquivalentPair(self._target, inside, outside, Verdict.INTERCHANGEABLE, missed, missed)
        return _pair_of((self._target, inside, outside), comparison)

    def _missed_by_copy(self, inside: Indices, outside: Indices) -> float:
        """Bound the share of what a column tells that one which is the same in all rows may miss.

        n equal rows leave, at level α, room for a share -ln(α)/n of others. Of a level in q of the rows, that
        misses at most the share over q(1 - q); of a number q is ½.
        """
        data = self._search.data
        if len(inside) > 1 or len(outside) > 1 or self._originals[inside[0]] != self._originals[outside[0]]:
            return math.inf
        rarest = data.copies.rarest_of(inside[0])
        different = -math.log(self._search.settings.alpha) / data.observations_of(inside)
        return different / (rarest * (1.0 - rarest)) if rarest < 1.0 else math.inf

    def _ask_given(self, insides: Sequence[Indices]) -> Answers:
        """Test the target against every outsider given each of some sets."""
        outsiders = np.array(self._outsiders, dtype=np.int64)
        answers = self._search.data.ask_given(self._target, outsiders, insides, self._search.stop)
        self._search.check_stop()
        self.tests += len(insides) * len(outsiders)
        return answers

    def _ask_joint(self, questions: list[JointQuestion]) -> Answers:
        answers = ask_joint(self._search.data, questions, self._search.stop)
        self._search.check_stop()
        self.tests += count_tests(questions)
        return answers

    def _ask(self, questions: list[Question]) -> Answers:
        answers = ask(self._search.data, questions, self._search.stop)
        self._search.check_stop()
        self.tests += len(questions)
        return answers


def determine_the_same(
    search: Neighbourhoods, target: int, sets: Sequence[Indices], earlier_pairs: Sequence[EquivalentPair]
) -> tuple[list[EquivalentPair], int]:
    """Pair the first set that determines a target with the others, without known pairs; count the tests."""
    first = frozenset(sets[0])
    questions = [
        (
            target,
            tuple(sorted(first.difference(by))),
            tuple(variable for variable in by if variable not in first),
        )
        for by in sets[1:]
    ]
    questions = [
        question for question in questions if not follows_from([*earlier_pairs], question[1], question[2])
    ]
    compared, tests = compare(search, questions)
    pairs = map(_pair_of, questions, compared)
    return [pair for pair in pairs if pair is not None], tests


def _pair_of(sets: JointQuestion, comparison: Comparison) -> EquivalentPair | None:
    """Return a target and two sets as a pair; None where the two are told apart."""
    if comparison.verdict is None:
        return None
    return EquivalentPair(*sets, comparison.verdict, comparison.missed_by_first, comparison.missed_by_second)


def _follows(pairs: list[EquivalentPair], pair: EquivalentPair) -> bool:
    """Tell whether a smaller pair makes this one follow, or contradicts its being minimal."""
    bearing = [smaller for smaller in pairs if smaller.is_shown or not pair.is_shown]
    return follows_from(bearing, pair.in_boundary, pair.equivalent)


def follows_from(pairs: Sequence[EquivalentPair], inside: Indices, outside: Indices) -> bool:
    """Tell whether one of some pairs is of subsets of these two sets."""
    return any(
        set(smaller.in_boundary).issubset(inside) and set(smaller.equivalent).issubset(outside)
        for smaller in pairs
    )
