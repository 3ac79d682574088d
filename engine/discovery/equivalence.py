"""Variables that tell the same about a target: Phase 3 of CLCD.

Sets S within the neighbours of X and Z outside hold equivalent information about X when each makes the other
superfluous (Statnikov, Lytkin, Lemeire and Aliferis 2013, Algorithms for discovery of multiple Markov
boundaries, JMLR 14:499-566). As in the paper no further conditioning set is used. Unlike in the paper it does
not suffice that the tests find no difference: see :mod:`engine.discovery.equivalence_test`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, compress

import numpy as np

from engine.boundaries.neighbourhoods import Neighbourhoods
from engine.discovery.equivalence_test import Comparison, compare, not_told_apart
from engine.discovery.verdict import MissedShare, Verdict
from engine.independence.answers import Answers
from engine.independence.batch import JointQuestion, Question, ask, ask_joint, count_tests

Indices = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class EquivalentPair:
    """Set S in the neighbourhood of a target and Z outside: neither is seen to tell more about it.

    Attributes
    ----------
    target : int
        Position of the target.
    in_boundary, equivalent : tuple of int
        S and Z.
    verdict : Verdict
        Whether it is shown that they tell the same.
    missed_by_boundary, missed_by_equivalent : MissedShare
        What share of what Z tells S misses, and of what S tells Z misses.
    """

    target: int
    in_boundary: Indices
    equivalent: Indices
    verdict: Verdict
    missed_by_boundary: MissedShare
    missed_by_equivalent: MissedShare

    @property
    def is_shown(self) -> bool:
        """Whether the two are interchangeable, and not merely not told apart."""
        return self.verdict is Verdict.INTERCHANGEABLE


class EquivalenceSearch:
    """Looks for what outsiders can stand in for members of the boundary of one target.

    Parameters
    ----------
    search : Neighbourhoods
        Data, settings and stop.
    target : int
        Position of the target.
    members : sequence of int
        Members of its boundary that may be stood in for.
    outsiders : iterable of int
        Variables that may stand in; only those that depend on the target, and copies of members, are tried.
    """

    def __init__(
        self, search: Neighbourhoods, target: int, members: Sequence[int], outsiders: Iterable[int]
    ) -> None:
        self._search = search
        self._target = target
        self._members = tuple(members)
        self._originals = search.data.originals
        may_stand_in = search.screen(target).passed
        may_stand_in[list(members)] = False
        may_stand_in |= search.data.copies_of(members)
        outside = np.fromiter(outsiders, np.int64)
        self._outsiders = tuple(outside[may_stand_in[outside]].tolist())
        self.tests = 0

    def pairs(self, largest: int) -> list[EquivalentPair]:
        """Find every pair of sets of up to `largest` variables that is not told apart, and that none implies.

        What is shown of smaller sets makes that of larger ones follow. What is not told apart only takes the
        place of larger sets that are not told apart either. Each pair says which of the two it is.

        Raises
        ------
        Cancelled
            When the run was stopped.
        """
        if largest == 0 or not self._outsiders:
            return []
        found: list[EquivalentPair] = []
        alternatives = self._informative_sets(largest)
        for size in range(1, min(largest, len(self._members)) + 1):
            for inside in combinations(self._members, size):
                self._add_stand_ins(inside, alternatives, found)
        return found

    def _informative_sets(self, largest: int) -> list[Indices]:
        """List the sets of outsiders, smaller first, none of whose members the others make superfluous."""
        sets: list[Indices] = [(each,) for each in self._outsiders]
        previous = set(sets)
        for size in range(2, largest + 1):
            wider = [
                each
                for each in combinations(self._outsiders, size)
                if all(smaller in previous for smaller in combinations(each, size - 1))
            ]
            questions: list[Question] = [
                (self._target, each[place], each[:place] + each[place + 1 :])
                for each in wider
                for place in range(size)
            ]
            dependent = np.all(self._ask(questions).dependent.reshape(-1, size), axis=1)
            kept = [each for each, informative in zip(wider, dependent.tolist(), strict=True) if informative]
            sets += kept
            previous = set(kept)
        return sets

    def _add_stand_ins(
        self, inside: Indices, alternatives: list[Indices], found: list[EquivalentPair]
    ) -> None:
        """Add the sets that tell the same as `inside`, or are not told apart from it."""
        alpha = self._search.settings.alpha
        kept = not_told_apart(self._ask_each_given(inside), alpha)
        superfluous = set(compress(self._outsiders, kept.tolist()))
        candidates = list(filter(superfluous.issuperset, alternatives))
        shown = [pair for pair in found if pair.is_shown]
        if shown:
            candidates = [each for each in candidates if not _follows_from(shown, inside, each)]
        # Most are told apart by the way back, and spared the rest.
        backwards: list[JointQuestion] = [(self._target, inside, outside) for outside in candidates]
        kept = not_told_apart(self._ask_joint(backwards), alpha)
        candidates = list(compress(candidates, kept.tolist()))
        compared, tests = compare(self._search, [(self._target, inside, outside) for outside in candidates])
        self.tests += tests
        for outside, comparison in zip(candidates, compared, strict=True):
            pair = self._pair(inside, outside, comparison)
            if pair and not _follows(found, pair):
                found.append(pair)

    def _pair(self, inside: Indices, outside: Indices, comparison: Comparison) -> EquivalentPair | None:
        limit = self._missed_by_copy(inside, outside)
        if limit <= self._search.settings.equivalence_margin:
            missed = MissedShare(0.0, limit)
            return EquivalentPair(self._target, inside, outside, Verdict.INTERCHANGEABLE, missed, missed)
        if comparison.verdict is None:
            return None
        return EquivalentPair(
            self._target,
            inside,
            outside,
            comparison.verdict,
            comparison.missed_by_first,
            comparison.missed_by_second,
        )

    def _missed_by_copy(self, inside: Indices, outside: Indices) -> float:
        """Bound the share of what a column tells that one which is the same in all rows may miss.

        That n rows are the same leaves, at level α, room for a share -ln(α)/n of rows that are not. Of a
        level that q of the rows have, a column that differs in so many misses 1 - r², which is at most that
        share over q(1 - q), whatever it is asked about.
        """
        codes = self._search.data.complete_codes
        if codes is None or len(inside) > 1 or len(outside) > 1:
            return math.inf
        if self._originals[inside[0]] != self._originals[outside[0]]:
            return math.inf
        counts = np.bincount(codes[inside[0]])
        rarest = float(counts[counts > 0].min()) / len(codes[inside[0]])
        different = -math.log(self._search.settings.alpha) / len(codes[inside[0]])
        return different / (rarest * (1.0 - rarest)) if rarest < 1.0 else math.inf

    def _ask_each_given(self, inside: Indices) -> Answers:
        """Test the target against every outsider given one set."""
        outsiders = np.array(self._outsiders, dtype=np.int64)
        answers = self._search.data.ask_given(self._target, outsiders, inside, self._search.stop)
        self._search.check_stop()
        self.tests += len(outsiders)
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


def _follows(found: list[EquivalentPair], pair: EquivalentPair) -> bool:
    """Tell whether a smaller pair makes this one follow, or contradicts its being minimal."""
    bearing = [smaller for smaller in found if smaller.is_shown or not pair.is_shown]
    return _follows_from(bearing, pair.in_boundary, pair.equivalent)


def _follows_from(found: list[EquivalentPair], inside: Indices, outside: Indices) -> bool:
    return any(
        set(smaller.in_boundary).issubset(inside) and set(smaller.equivalent).issubset(outside)
        for smaller in found
    )
