"""Variables that tell the same about a target: Phase 3 of CLCD.

Sets S within the neighbours of X and Z outside hold equivalent information about X when each makes the other
superfluous (Statnikov, Lytkin, Lemeire and Aliferis 2013, Algorithms for discovery of multiple Markov
boundaries, JMLR 14:499-566). As in the paper no further conditioning set is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from engine.boundaries.neighbourhoods import Neighbourhoods
from engine.independence.answers import Answers
from engine.independence.batch import Question, ask
from engine.independence.joint import JointQuestion, ask_joint

Indices = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class EquivalentPair:
    """Set S in the neighbourhood of a target and set Z outside that tell the same about it."""

    target: int
    in_boundary: Indices
    equivalent: Indices


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
        Variables that may stand in; only those that depend on the target are tried.
    """

    def __init__(
        self, search: Neighbourhoods, target: int, members: Sequence[int], outsiders: Iterable[int]
    ) -> None:
        passed = search.screen(target).passed
        self._search = search
        self._target = target
        self._members = tuple(members)
        self._outsiders = tuple(each for each in outsiders if passed[each] and each not in members)
        self.tests = 0

    def pairs(self, largest: int) -> list[EquivalentPair]:
        """Find every equivalence of sets of up to `largest` variables that no smaller one implies.

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
        """Add the sets that tell the same as `inside`."""
        target = self._target
        each_alone: list[Question] = [(target, outsider, inside) for outsider in self._outsiders]
        independent = self._ask(each_alone).independent
        superfluous = {
            outsider for outsider, alone in zip(self._outsiders, independent, strict=True) if alone
        }
        known = [(set(pair.in_boundary), set(pair.equivalent)) for pair in found]
        candidates = [
            outside
            for outside in alternatives
            if superfluous.issuperset(outside) and not _implied(known, inside, outside)
        ]
        backwards: list[JointQuestion] = [(target, inside, outside) for outside in candidates]
        candidates = self._keep_independent(backwards, candidates)
        forwards: list[JointQuestion] = [(target, outside, inside) for outside in candidates]
        for outside in self._keep_independent(forwards, candidates):
            if not _implied(known, inside, outside):
                found.append(EquivalentPair(target, inside, outside))
                known.append((set(inside), set(outside)))

    def _keep_independent(self, questions: list[JointQuestion], sets: list[Indices]) -> list[Indices]:
        search = self._search
        answers = ask_joint(search.data, questions, search.stop)
        search.check_stop()
        self.tests += sum(len(others) for _, others, _ in questions)
        return [each for each, kept in zip(sets, answers.independent, strict=True) if kept]

    def _ask(self, questions: list[Question]) -> Answers:
        answers = ask(self._search.data, questions, self._search.stop)
        self._search.check_stop()
        self.tests += len(questions)
        return answers


def _implied(known: list[tuple[set[int], set[int]]], inside: Indices, outside: Indices) -> bool:
    """Tell whether a smaller equivalence makes this one follow, or contradicts its being minimal."""
    return any(smaller.issubset(inside) and other.issubset(outside) for smaller, other in known)
