"""CLCD around one label: Algorithm 1 of the paper, line by line.

Wu, Jiang, Zhong and Chen, Multi-label Causal Variable Discovery: Learning Common Causal Variables and
Label-specific Causal Variables; lines are those of its Algorithm 1. Labels share nothing but marginal screens
and neighbour searches, so that one after another goes through all phases:

- Phase 1 (lines 2 to 4), :meth:`Algorithm1.mined`: an algorithm 𝔸 finds the direct causes and effects PC of
  the label, and its spouses SP with the effects C that connect them.
- Phase 2 (lines 5 to 11), :meth:`Algorithm1.with_ignored`: what two neighbouring labels hide from each other.
- Phase 3 (lines 12 to 18), :func:`equivalents`: what tells the same as neighbours about the label, and as
  spouses about the effect that connects them.
- Line 19, :mod:`engine.discovery.label_outcome`: by which of the three functions of Equation 9 a variable
  counts for the label. Those that count for several labels are common:
  :attr:`engine.discovery.result.DiscoveryResult.label_sets`.

The procedure "as published" is these steps and no others. The procedure "controlled" has further ones:
:mod:`engine.discovery.refinement.controlled`.

What the paper leaves open is decided thus:

- (a) Z of line 7 is one feature outside PC at a time: what joins PC is tested by itself, as 𝔸 tests members.
- (b) Of several such Z the one with the strongest association with the label comes first.
- (c) What joined before belongs to PC of line 8 for those after it: a copy does not join beside its original.
- (d) S of line 8 holds as many variables as 𝔸 may condition on (*Conditioning size*).
- (e) PC of line 14, around an effect that is no label, is what 𝔸 finds around that effect. Around a label it
  is the outcome of Phase 2. C and SP are those of Phase 1.
- (f) S and Z of lines 13 and 14 hold as many variables as *Interchangeable set size* allows. A set Z depends
  on X where each of its variables does.
- (g) Neither is larger than needed: a pair <S, Z> is left out where one of subsets of the two is in EI
  (Definition 5 asks as much of Z).
- (h) Line 19 follows Definition 4, to which the paper proves Definition 5 equal: a feature counts for a label
  if any set that holds it does, whether or not it is in the one boundary that was searched. It is common to
  the labels that it counts for, and label-specific if there is one. Labels in a boundary are listed apart.
- (i) A set is tested by the chain rule (:func:`engine.independence.batch.ask_joint`).

Two settings depart from the paper where a person chooses so: *False-discovery control* corrects the marginal
tests of 𝔸, and with them "depends on" of lines 7 and 13; a rule of reliability makes tests of few rows no
evidence of independence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from engine.boundaries.neighbourhoods import Indices, Neighbourhood, Neighbourhoods
from engine.boundaries.separators import separation
from engine.boundaries.spouses import FoundSpouses, spouse_links
from engine.discovery.equivalence import EquivalentPair, follows_from
from engine.discovery.evidence import Verdict
from engine.discovery.label_findings import LabelFindings, Procedure
from engine.independence.batch import JointQuestion, Question, ask, ask_joint, count_tests
from engine.translation import _


class Algorithm1(Procedure):
    """Algorithm 1 of the paper."""

    def find(self, label: int) -> LabelFindings:
        """Go through Phases 1 to 3 for one label."""
        self._announce(_("Looking for direct neighbours"), label)
        mined = self.mined(label)
        neighbourhood, ignored, tests = self.with_ignored(mined.neighbourhood)
        self._announce(_("Looking for interchangeable variables"), label)
        about_label, tests_about_label = self._about(neighbourhood, neighbourhood.members)
        self._announce(_("Looking for variables equivalent to spouses"), label)
        about_effects: list[EquivalentPair] = []
        tests_about_effects = 0
        for effect in dict.fromkeys(link.child for link in mined.links):
            around, _ignored, further = self.with_ignored(self._search.neighbours(effect))
            # Θ3 asks for sets of spouses that this effect connects with the label, and for no others.
            spouses = {link.spouse for link in mined.links if link.child == effect}
            inside = [member for member in around.members if member in spouses]
            pairs, tests_made = self._about(around, inside)
            about_effects += pairs
            tests_about_effects += further + tests_made
        return LabelFindings(
            neighbourhood,
            frozenset(ignored),
            tuple(mined.links),
            tuple(about_label),
            tuple(about_effects),
            mined.tests + tests + tests_about_label + tests_about_effects,
        )

    def mined(self, label: int) -> FoundSpouses:
        """Line 3: PC, SP and C of a label by the algorithm 𝔸."""
        neighbourhood = self._search.neighbours(label)
        # An algorithm that finds spouses itself needs no neighbourhoods of effects.
        effects = self._possible_effects(label, neighbourhood.members) if neighbourhood.links is None else ()
        return spouse_links(self._search, neighbourhood, map(self._search.neighbours, effects))

    def with_ignored(self, neighbourhood: Neighbourhood) -> tuple[Neighbourhood, Indices, int]:
        """Lines 5 to 11 for T_j: add what a label in its PC hides; return what joined, and tests made."""
        joined: list[int] = []
        tests = 0
        if neighbourhood.target in self._labels:
            for hiding in self._labels:
                if hiding in neighbourhood.member_set:
                    neighbourhood, further, tests_made = self._hidden_by(hiding, neighbourhood)
                    joined += further
                    tests += tests_made
        return neighbourhood, tuple(joined), tests

    def _hidden_by(self, hiding: int, neighbourhood: Neighbourhood) -> tuple[Neighbourhood, list[int], int]:
        """Lines 7 to 9, for T_i and T_j."""
        search, label = self._search, neighbourhood.target
        related = search.screen(hiding).passed & self._features
        related[list(neighbourhood.members)] = False
        candidates = [
            candidate for candidate in search.screen(label).candidates.tolist() if related[candidate]
        ]
        questions: list[Question] = [(hiding, candidate, (label,)) for candidate in candidates]
        questions += [(label, candidate, (hiding,)) for candidate in candidates]
        answers = ask(search.data, questions, search.stop)
        search.check_stop()
        given_label, given_hiding = np.split(answers.independent, 2)
        is_ignored = (given_label & given_hiding).tolist()
        joined: list[int] = []
        tests = len(questions)
        for candidate in (hidden for hidden, ignored in zip(candidates, is_ignored, strict=True) if ignored):
            pool = [member for member in neighbourhood.members if member != hiding]
            separated = separation(
                search.data, candidate, label, pool, search.settings.max_conditioning, search.stop
            )
            tests += separated.tests
            if not separated.is_found:
                joined.append(candidate)
                weakest = {candidate: separated.nearest} if separated.nearest else {}
                neighbourhood = replace(
                    neighbourhood,
                    members=(*neighbourhood.members, candidate),
                    weakest=neighbourhood.weakest | weakest,
                )
        return neighbourhood, joined, tests

    def _about(self, neighbourhood: Neighbourhood, inside: Sequence[int]) -> tuple[list[EquivalentPair], int]:
        """Lines 13 to 17, for X, of whose PC some may be in S."""
        outside = self._features.copy()
        outside[[neighbourhood.target, *neighbourhood.members]] = False
        return equivalents(self._search, neighbourhood.target, inside, np.flatnonzero(outside))


def equivalents(
    search: Neighbourhoods, target: int, inside: Sequence[int], outside: Iterable[int]
) -> tuple[list[EquivalentPair], int]:
    """Find the sets that hold equivalent information about a variable: lines 13 to 17."""
    largest = search.settings.max_equivalence
    depends = search.screen(target).passed
    related = [variable for variable in outside if depends[variable]]
    pairs: list[EquivalentPair] = []
    tests = 0
    for size in range(1, largest + 1):
        for s in combinations(inside, size):
            for width in range(1, largest + 1):
                sets = [z for z in combinations(related, width) if not follows_from(pairs, s, z)]
                superfluous, tests_made = _independent(search, [(target, z, s) for z in sets])
                tests += tests_made
                sets = [z for z, is_superfluous in zip(sets, superfluous, strict=True) if is_superfluous]
                superfluous, tests_of_way_back = _independent(search, [(target, s, z) for z in sets])
                tests += tests_of_way_back
                pairs += [
                    EquivalentPair(target, s, z, Verdict.INTERCHANGEABLE)
                    for z, is_superfluous in zip(sets, superfluous, strict=True)
                    if is_superfluous
                ]
    return pairs, tests


def _independent(search: Neighbourhoods, questions: Sequence[JointQuestion]) -> tuple[list[bool], int]:
    """Tell of each joint test whether it finds independence, and how many tests that takes."""
    answers = ask_joint(search.data, questions, search.stop)
    search.check_stop()
    return answers.independent.tolist(), count_tests(questions)
