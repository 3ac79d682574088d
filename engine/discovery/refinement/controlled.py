"""The controlled procedure: Algorithm 1 of the paper, with checks that the paper does not have.

:mod:`engine.discovery.clcd` holds Algorithm 1 itself. Here, beside its steps:

- Equivalents count where it is shown, within a margin, that two sets tell the same, and not where tests
  merely find no difference (:mod:`engine.discovery.equivalence`).
- They are sought before spouses, as an equivalent of a child may hide the spouses that the child connects:
  spouses are sought through it as well.
- Members that only a spouse together with its child separates are taken out
  (:func:`engine.boundaries.spouses.without_shielded`), each member is confirmed by a regression on all the
  others (:mod:`engine.discovery.last_pass`), and a score of whole graphs is asked for a second opinion
  (:mod:`engine.boundaries.second_opinion`), in tables with numbers confirmed in turn
  (:mod:`engine.discovery.refinement.scored_members`).
- In tables of categories a member leaves that is independent of the label within strata of all other members
  (:mod:`engine.discovery.refinement.strata`).
- Where members determine the label in all rows, only what does so stays, and a function of a single other
  member leaves (:mod:`engine.boundaries.functions`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from engine.boundaries.functions import coarser_forms, determining_sets
from engine.boundaries.neighbourhoods import Indices, Neighbourhood
from engine.boundaries.search import SpouseLink
from engine.boundaries.second_opinion import (
    Opinion,
    is_asked,
    opinion_of_blocks,
    with_second_opinion,
    without_denied,
)
from engine.boundaries.separators import SubsetSeparation, separation
from engine.boundaries.spouses import possible_links, spouse_links, without_shielded
from engine.discovery.equivalence import (
    EquivalenceSearch,
    EquivalentPair,
    compare,
    determine_the_same,
    not_told_apart,
)
from engine.discovery.evidence import Verdict
from engine.discovery.label_findings import LabelFindings, Procedure
from engine.discovery.last_pass import Confirmation, after, confirmed
from engine.discovery.refinement.scored_members import Scored, connecting, scored_members
from engine.discovery.refinement.strata import without_explained
from engine.independence.false_discovery import discoveries
from engine.translation import _


class ControlledSearch(Procedure):
    """The controlled procedure around one label after another."""

    def find(self, label: int, known_links: Sequence[SpouseLink] | None = None) -> LabelFindings:
        """Return what is found around one label."""
        search = self._search
        self._tests = 0
        # Phase 1, line 3: PC.
        self._announce(_("Looking for direct neighbours"), label)
        neighbourhood = search.neighbours(label)
        # Phase 2, lines 5 to 11.
        hidden = self._hidden_by_labels(neighbourhood)
        neighbourhood = replace(
            neighbourhood,
            members=neighbourhood.members + tuple(hidden),
            weakest=neighbourhood.weakest | {member: given for member, given in hidden.items() if given},
        )
        # Phase 3, lines 12 to 18, about the label: before spouses, as these are sought behind stand-ins too.
        self._announce(_("Looking for interchangeable variables"), label)
        about_label = self._equivalents(label, neighbourhood.members, neighbourhood.member_set)
        # Phase 1, line 3: SP and C.
        self._announce(_("Looking for spouses"), label)
        children: list[Neighbourhood] = []
        if known_links is None:
            children = self._possible_children(neighbourhood, tuple(hidden), _shown(about_label))
            links, tests, neighbourhood = spouse_links(search, neighbourhood, children)
            self._tests += tests
        else:
            inside = neighbourhood.member_set
            links = [
                known_link
                for known_link in known_links
                if known_link.child in inside and known_link.spouse not in inside
            ]
        revised, by_score = self._revised(neighbourhood, children, links, frozenset(hidden), about_label)
        revised, finer = self._without_coarser_forms(revised, frozenset(hidden))
        apart = frozenset(hidden) | _stand_ins_of(revised.neighbourhood.member_set, about_label)
        revised = without_explained(search, revised, apart)
        revised, sets = self._with_determining(revised, frozenset(hidden))
        about_label = self._equivalents_after(neighbourhood, revised.neighbourhood, about_label, finer, sets)
        # Phase 3, lines 12 to 18, about the children that connect spouses.
        self._announce(_("Looking for variables equivalent to spouses"), label)
        about_children = self._spouse_equivalents(revised.links) if known_links is None else []
        return LabelFindings(
            revised.neighbourhood,
            frozenset(hidden),
            revised.links,
            _shown(about_label),
            _shown(about_children),
            self._tests,
            not_told_apart=tuple(pair for pair in (*about_label, *about_children) if not pair.is_shown),
            departures=revised.departures,
            arrivals=revised.arrivals,
            by_score=by_score,
            is_confirmed=revised.is_made or not search.data.regresses,
            is_determined=bool(sets),
        )

    def _hidden_by_labels(self, neighbourhood: Neighbourhood) -> dict[int, Indices]:
        """Find the features that neighbouring labels hid from one, with the set nearest to separating."""
        search, label = self._search, neighbourhood.target
        members = list(neighbourhood.members)
        hidden: dict[int, Indices] = {}
        for second_label in self._labels:
            if second_label not in neighbourhood.member_set:
                continue
            eligible = self._features & search.screen(label).passed & search.screen(second_label).passed
            eligible[members] = False
            candidates = np.flatnonzero(eligible)
            # Of each and the other label given this one, and then of each and this label given the other one.
            tested, given = (
                np.repeat(pair, len(candidates)) for pair in ((second_label, label), (label, second_label))
            )
            answers = search.data.ask_rows(
                np.tile(candidates, 2), tested, given.reshape(-1, 1), np.ones_like(given), search.stop
            )
            search.check_stop()
            self._tests += len(given)
            undistinguished = not_told_apart(answers, search.settings.alpha)
            possible = candidates[undistinguished.reshape(2, -1).all(axis=0)].tolist()
            compared, tests = compare(
                search, [(variable, (label,), (second_label,)) for variable in possible]
            )
            self._tests += tests
            suspects = [
                variable
                for variable, comparison in zip(possible, compared, strict=True)
                if comparison.verdict is Verdict.INTERCHANGEABLE
            ]
            if not suspects:
                continue
            pool = [member for member in members if member != second_label]
            log_p = np.zeros(int(self._features.sum()))
            nearest: dict[int, Indices] = {}
            for position, suspect in enumerate(suspects):
                looked_for = self._separation(suspect, label, pool)
                nearest[suspect] = looked_for.nearest
                # What is not significant by itself is none among others either.
                log_p[position] = 0.0 if looked_for.is_found else looked_for.log_p
            is_discovery = discoveries(log_p, search.settings.alpha, search.settings.false_discovery)
            joining = [suspect for position, suspect in enumerate(suspects) if is_discovery[position]]
            joining = self._inseparable(label, joining, pool)
            hidden |= {suspect: nearest[suspect] for suspect in joining}
            members += joining
        return hidden

    def _inseparable(self, label: int, joining: list[int], pool: Sequence[int]) -> list[int]:
        """Leave out, strongest first, what others that join separate from the label (its copies)."""
        strength = {
            candidate: rank for rank, candidate in enumerate(self._search.screen(label).candidates.tolist())
        }
        joined: list[int] = []
        for variable in sorted(joining, key=strength.__getitem__):
            if not joined or not self._separation(variable, label, [*joined, *pool]).is_found:
                joined.append(variable)
        return [variable for variable in joining if variable in joined]

    def _separation(self, variable: int, label: int, pool: Sequence[int]) -> SubsetSeparation:
        """Look for a set among `pool` that separates a variable from the label."""
        search = self._search
        looked_for = separation(
            search.data, variable, label, pool, search.settings.max_conditioning, search.stop
        )
        self._tests += looked_for.tests
        return looked_for

    def _revised(
        self,
        neighbourhood: Neighbourhood,
        children: list[Neighbourhood],
        links: list[SpouseLink],
        hidden: frozenset[int],
        about_label: Sequence[EquivalentPair],
    ) -> tuple[Confirmation, frozenset[tuple[int, Indices]]]:
        """Revise members and spouses beyond the paper; return also what the score let join, with sets."""
        search = self._search
        stand_ins = _stand_ins_of(neighbourhood.member_set, about_label)
        # What leaves is no child, and connects nothing with the label.
        before = neighbourhood.member_set
        neighbourhood, tests = without_shielded(search, neighbourhood, links, hidden)
        self._tests += tests
        left = before - neighbourhood.member_set
        links = [link for link in links if link.child not in left]
        children = [child for child in children if child.target not in left]
        apart = hidden | stand_ins
        opinion = opinion_of_blocks(search, neighbourhood.target)
        if opinion is not None:
            revised, scored = self._scored(neighbourhood, links, opinion, children, stand_ins, apart)
            boundary, remaining, tests = without_denied(
                search, revised.neighbourhood, revised.links, opinion, stand_ins, hidden
            )
            self._tests += tests
            shown = {(link.spouse, link.child) for link in scored.shown}
            tested = [link for link in remaining if (link.spouse, link.child) not in shown]
            connected, tests = connecting(search, neighbourhood.target, tested, opinion)
            self._tests += tests
            links_left = tuple(link for link in remaining if link not in tested or link in connected)
            revised = replace(revised, neighbourhood=boundary, links=links_left)
            revised = _with_shown(revised, scored.shown)
            by_score = _weighed(scored.neighbourhood, scored.shown) - _weighed(neighbourhood, links)
            by_score &= _weighed(revised.neighbourhood, revised.links)
            return revised, by_score
        revised = self._confirmed(neighbourhood, links, children, apart)
        if not is_asked(search):
            return revised, frozenset()
        stand_ins = _stand_ins_of(revised.neighbourhood.member_set, about_label)
        joined, links, tests = with_second_opinion(
            search, revised.neighbourhood, revised.links, stand_ins, hidden
        )
        self._tests += tests
        by_score = _weighed(joined, links) - _weighed(revised.neighbourhood, revised.links)
        return replace(revised, neighbourhood=joined, links=tuple(links)), by_score

    def _scored(
        self,
        neighbourhood: Neighbourhood,
        links: list[SpouseLink],
        opinion: Opinion,
        children: list[Neighbourhood],
        stand_ins: frozenset[int],
        apart: frozenset[int],
    ) -> tuple[Confirmation, Scored]:
        """Confirm what the score found, as far as the rows bear a regression of the label on it.

        Spouses by the score rest on regressions of children: others are confirmed without them where rows are
        few.
        """
        search = self._search
        scored = scored_members(search, neighbourhood, links, opinion, stand_ins)
        self._tests += scored.tests
        joined = scored.neighbourhood
        outside = [link for link in scored.shown if link.spouse not in joined.member_set]
        spouses = frozenset(link.spouse for link in outside)
        effects = frozenset(link.child for link in scored.shown)
        revised = self._confirmed(joined, [*scored.links, *outside], children, apart, spouses | effects)
        if not revised.is_made and spouses:
            revised = self._confirmed(joined, scored.links, children, apart | spouses, effects)
        if not revised.is_made:
            inside = neighbourhood.member_set | effects
            joined = replace(joined, members=tuple(member for member in joined.members if member in inside))
            remaining = [link for link in links if link.spouse not in spouses | effects]
            revised = self._confirmed(joined, remaining, children, apart | spouses, effects)
        return revised, scored

    def _without_coarser_forms(
        self, revised: Confirmation, hidden: frozenset[int]
    ) -> tuple[Confirmation, frozenset[int]]:
        """Take out what is a function of a single other member or spouse, and return these finer ones too."""
        neighbourhood = revised.neighbourhood
        boundary = neighbourhood.member_set.union(link.spouse for link in revised.links)
        coarser = coarser_forms(self._search, boundary, boundary - hidden)
        if not coarser:
            return revised, frozenset()
        remaining = replace(
            neighbourhood,
            members=tuple(member for member in neighbourhood.members if member not in coarser),
            separators=neighbourhood.separators | {variable: (finer,) for variable, finer in coarser.items()},
        )
        links = tuple(
            link for link in revised.links if link.spouse not in coarser and link.child not in coarser
        )
        return replace(revised, neighbourhood=remaining, links=links), frozenset(coarser.values())

    def _with_determining(
        self, revised: Confirmation, hidden: frozenset[int]
    ) -> tuple[Confirmation, tuple[Indices, ...]]:
        """Keep a smallest set that determines the label, if not hidden by other labels; list all."""
        search, neighbourhood = self._search, revised.neighbourhood
        target = neighbourhood.target
        given = {link.spouse: link.given for link in revised.links}
        sets = determining_sets(search, target, (*neighbourhood.members, *given))
        if not sets:
            return revised, ()
        copies = search.data.copies_of([target])
        stays = {*sets[0]}
        if all(copies[variable] and variable in self._labels for by in sets for variable in by):
            stays |= hidden
        left = [member for member in neighbourhood.members if member not in stays]
        separators = neighbourhood.separators | dict.fromkeys((*left, *given), sets[0])
        remaining = replace(
            neighbourhood,
            members=tuple(
                dict.fromkeys((*(member for member in neighbourhood.members if member in stays), *sets[0]))
            ),
            weakest=neighbourhood.weakest | {member: given[member] for member in sets[0] if member in given},
            separators={variable: by for variable, by in separators.items() if variable not in stays},
        )
        return replace(revised, neighbourhood=remaining, links=()), sets

    def _equivalents_after(
        self,
        before: Neighbourhood,
        revised: Neighbourhood,
        about_label: list[EquivalentPair],
        finer: frozenset[int],
        determining: Sequence[Indices],
    ) -> list[EquivalentPair]:
        """Return what is equivalent about the label once members joined and left, coarser forms too."""
        inside = revised.member_set
        joined = [member for member in revised.members if member not in before.member_set or member in finer]
        if joined:
            pairs = self._equivalents(revised.target, joined, inside)
            compared = {(pair.in_boundary, pair.equivalent) for pair in about_label}
            further = [pair for pair in pairs if (pair.in_boundary, pair.equivalent) not in compared]
            about_label = about_label + further
        if len(determining) > 1:
            further, tests = determine_the_same(self._search, revised.target, determining, about_label)
            self._tests += tests
            about_label = about_label + further
        return [
            pair
            for pair in about_label
            if inside.issuperset(pair.in_boundary)
            and not (pair.is_shown and inside.intersection(pair.equivalent))
        ]

    def _confirmed(
        self,
        neighbourhood: Neighbourhood,
        links: Sequence[SpouseLink],
        children: list[Neighbourhood],
        apart: frozenset[int],
        shown: frozenset[int] = frozenset(),
    ) -> Confirmation:
        """Confirm each member given all the others."""
        possible = possible_links(neighbourhood, children, links)
        confirmation = confirmed(self._search, neighbourhood, links, possible, apart, shown)
        self._tests += confirmation.tests
        joined = confirmation.neighbourhood.member_set - neighbourhood.member_set
        return self._with_spouses_of(joined, confirmation, apart, shown) if joined else confirmation

    def _with_spouses_of(
        self,
        joined: frozenset[int],
        confirmation: Confirmation,
        apart: frozenset[int],
        shown: frozenset[int],
    ) -> Confirmation:
        """Look for spouses behind what the last pass let join, which was no neighbour; make it once more."""
        search, neighbourhood = self._search, confirmation.neighbourhood
        possible = self._possible_effects(neighbourhood.target, neighbourhood.members)
        children = [search.neighbours(child) for child in possible if child in joined]
        links, tests, neighbourhood = spouse_links(search, neighbourhood, children)
        self._tests += tests
        confirmation = replace(confirmation, neighbourhood=neighbourhood)
        links = [*confirmation.links, *(link for link in links if link.child in joined)]
        further = possible_links(neighbourhood, children, links)
        if len(links) == len(confirmation.links) and not further:
            return confirmation
        again = confirmed(search, neighbourhood, links, further, apart, shown)
        self._tests += again.tests
        return after(confirmation, again) if again.is_made else confirmation

    def _equivalents(
        self, target: int, members: Sequence[int], inside: frozenset[int]
    ) -> list[EquivalentPair]:
        """Find which features outside `inside`, the members among them, may stand in for members."""
        outside = self._features.copy()
        outside[[target, *inside]] = False
        search = EquivalenceSearch(self._search, target, members, np.flatnonzero(outside))
        pairs = search.pairs(self._search.settings.max_equivalence)
        self._tests += search.tests
        return pairs

    def _possible_children(
        self, neighbourhood: Neighbourhood, hidden: Sequence[int], about_label: Sequence[EquivalentPair]
    ) -> list[Neighbourhood]:
        """Return neighbourhoods through which spouses are sought.

        A stand-in of a child hides its spouses, so stand-ins are included, and each of the two with the other
        left out.
        """
        twins: dict[int, set[int]] = {}
        for pair in about_label:
            for member in pair.in_boundary:
                for twin in pair.equivalent:
                    twins.setdefault(member, set()).add(twin)
                    twins.setdefault(twin, set()).add(member)
        effects = self._possible_effects(neighbourhood.target, neighbourhood.members)
        children = [
            self._search.neighbours(member)
            for member in effects
            if neighbourhood.links is None or member in hidden
        ]
        possible = self._possible_effects(neighbourhood.target, twins)
        for variable in [candidate for candidate in possible if candidate in neighbourhood.member_set]:
            children.append(self._search.neighbours(variable, frozenset(twins[variable])))
        for variable in [candidate for candidate in possible if candidate not in neighbourhood.member_set]:
            children.append(self._search.neighbours(variable))
        return children

    def _spouse_equivalents(self, links: Sequence[SpouseLink]) -> list[EquivalentPair]:
        spouses: dict[int, list[int]] = {}
        for link in links:
            spouses.setdefault(link.child, []).append(link.spouse)
        return [
            pair
            for child, members in spouses.items()
            for pair in self._equivalents(child, members, frozenset(members))
        ]


def _with_shown(revised: Confirmation, shown: Sequence[SpouseLink]) -> Confirmation:
    """Add the spouses that the score shows, as far as their children are members and they are none."""
    inside = revised.neighbourhood.member_set
    present = {(link.spouse, link.child) for link in revised.links}
    joining = [
        link
        for link in shown
        if link.child in inside and link.spouse not in inside and (link.spouse, link.child) not in present
    ]
    spouses = {link.spouse for link in joining}
    return replace(
        revised,
        links=(*revised.links, *joining),
        departures=tuple(departure for departure in revised.departures if departure.variable not in spouses),
    )


def _stand_ins_of(members: frozenset[int], pairs: Sequence[EquivalentPair]) -> frozenset[int]:
    """List the single variables that are shown to tell what members tell: none of them joins beside these."""
    return frozenset(
        pair.equivalent[0]
        for pair in _shown(pairs)
        if len(pair.equivalent) == 1 and members.issuperset(pair.in_boundary)
    )


def _weighed(neighbourhood: Neighbourhood, links: Iterable[SpouseLink]) -> frozenset[tuple[int, Indices]]:
    """List members and spouses, each with what was held fixed when it came nearest to leaving."""
    members = ((member, neighbourhood.weakest.get(member, ())) for member in neighbourhood.members)
    return frozenset((*members, *((link.spouse, link.given) for link in links)))


def _shown(pairs: Sequence[EquivalentPair]) -> tuple[EquivalentPair, ...]:
    return tuple(pair for pair in pairs if pair.is_shown)
