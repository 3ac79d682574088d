"""Everything that CLCD finds around one label: its boundary, what hid, and what stands in for what."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.boundaries.neighbourhoods import Neighbourhood, Neighbourhoods
from engine.boundaries.search import SpouseLink
from engine.boundaries.second_opinion import is_asked, with_second_opinion
from engine.boundaries.spouses import possible_links, spouse_links, without_shielded
from engine.discovery.equivalence import EquivalenceSearch, EquivalentPair
from engine.discovery.last_pass import Confirmation, Departure, confirmed
from engine.discovery.recovery import hidden_by_labels


@dataclass(frozen=True)
class LabelFindings:
    """What was found around one label, by position.

    Attributes
    ----------
    neighbourhood : Neighbourhood
        Parents and children, those that Phase 2 recovered last.
    recovered : frozenset of int
        Members that Phase 2 brought in.
    links : tuple of SpouseLink
        Spouses with their children.
    about_label : tuple of EquivalentPair
        Equivalences about the label that are shown.
    about_children : tuple of EquivalentPair
        Equivalences of spouses about the child that connects them that are shown.
    not_told_apart : tuple of EquivalentPair
        About the label or a child: what is no equivalence as far as is known, but may be one.
    departures : tuple of Departure
        Members that the last pass took out.
    is_confirmed : bool
        False where the last pass should have been made, and the rows did not allow it.
    tests : int
        Tests made beyond screens and neighbour searches.
    """

    neighbourhood: Neighbourhood
    recovered: frozenset[int]
    links: tuple[SpouseLink, ...]
    about_label: tuple[EquivalentPair, ...]
    about_children: tuple[EquivalentPair, ...]
    not_told_apart: tuple[EquivalentPair, ...]
    departures: tuple[Departure, ...]
    is_confirmed: bool
    tests: int


class LabelSearch:
    """The three phases of CLCD around one label after another.

    Parameters
    ----------
    search : Neighbourhoods
        Shared screens and neighbour searches.
    labels : sequence of int
        Positions of all labels.
    announce : callable
        Receives what is being done, in words, at each step.
    """

    STEPS = 4

    def __init__(
        self, search: Neighbourhoods, labels: Sequence[int], announce: Callable[[str, int], None]
    ) -> None:
        self._search = search
        self._labels = tuple(labels)
        self._announce = announce
        self._features = np.ones(len(search.data.names), dtype=bool)
        self._features[list(labels)] = False

    def find(self, label: int) -> LabelFindings:
        """Search around one label.

        Raises
        ------
        Cancelled
            When the run was stopped.
        """
        search = self._search
        self._announce("Looking for direct neighbours", label)
        neighbourhood = search.neighbours(label)
        hidden, tests = hidden_by_labels(search, neighbourhood, self._labels, self._features)
        neighbourhood = replace(neighbourhood, members=neighbourhood.members + tuple(hidden))
        self._announce("Looking for interchangeable variables", label)
        about_label, made = self._equivalents(label, neighbourhood.members, neighbourhood.member_set)
        tests += made
        self._announce("Looking for spouses", label)
        children = self._possible_children(neighbourhood, hidden, _shown(about_label))
        links, made = spouse_links(search, neighbourhood, children)
        tests += made
        confirmation = Confirmation(neighbourhood, tuple(links))
        if search.settings.is_controlled:
            neighbourhood, made = without_shielded(search, neighbourhood, links)
            tests += made
            possible = possible_links(neighbourhood, children, links)
            confirmation = confirmed(search, neighbourhood, links, possible, frozenset(hidden))
            neighbourhood, links = confirmation.neighbourhood, list(confirmation.links)
            tests += confirmation.tests
        if is_asked(search):
            before = neighbourhood.member_set
            neighbourhood, links, made = with_second_opinion(search, neighbourhood, links)
            joined = [member for member in neighbourhood.members if member not in before]
            further, asked = self._equivalents(label, joined, neighbourhood.member_set)
            about_label += further
            tests += made + asked
        inside = neighbourhood.member_set
        about_label = [pair for pair in about_label if inside.issuperset(pair.in_boundary)]
        self._announce("Looking for what stands in for spouses", label)
        about_children, made = self._spouse_equivalents(links)
        return LabelFindings(
            neighbourhood,
            frozenset(hidden),
            tuple(links),
            _shown(about_label),
            _shown(about_children),
            tuple(pair for pair in (*about_label, *about_children) if not pair.is_shown),
            confirmation.departures,
            confirmation.is_made or not search.data.regresses,
            tests + made,
        )

    def _equivalents(
        self, target: int, members: Sequence[int], inside: frozenset[int]
    ) -> tuple[list[EquivalentPair], int]:
        """Find which features outside `inside` that depend on the target may stand in for members.

        Copies of a member depend on the target too, though a screen may not see it: with the score's help a
        member is found that by itself tells next to nothing.
        """
        outside = self._features & (self._search.screen(target).passed | self._search.data.copies_of(members))
        outside[[target, *inside]] = False
        search = EquivalenceSearch(self._search, target, members, np.flatnonzero(outside).tolist())
        return search.pairs(self._search.settings.max_equivalence), search.tests

    def _possible_children(
        self, neighbourhood: Neighbourhood, hidden: Sequence[int], about_label: Sequence[EquivalentPair]
    ) -> list[Neighbourhood]:
        """Neighbourhoods through which spouses are sought.

        A stand-in of a child, and an exact copy above all, takes the child's place in every search: the
        spouses are then next to the stand-in, or vanish behind it. So stand-ins are looked through as
        well, and each of the two also with the other left out. An algorithm that found the spouses of its
        members itself is asked only about members that were hidden from it.
        """
        twins: dict[int, set[int]] = {}
        for pair in about_label:
            for member in pair.in_boundary:
                for other in pair.equivalent:
                    twins.setdefault(member, set()).add(other)
                    twins.setdefault(other, set()).add(member)
        children = [
            self._search.neighbours(member)
            for member in neighbourhood.members
            if neighbourhood.links is None or member in hidden
        ]
        for variable in [each for each in twins if each in neighbourhood.member_set]:
            children.append(self._search.neighbours(variable, frozenset(twins[variable])))
        for variable in [each for each in twins if each not in neighbourhood.member_set]:
            children.append(self._search.neighbours(variable))
        return children

    def _spouse_equivalents(self, links: Sequence[SpouseLink]) -> tuple[list[EquivalentPair], int]:
        spouses: dict[int, list[int]] = {}
        for link in links:
            spouses.setdefault(link.child, []).append(link.spouse)
        found: list[EquivalentPair] = []
        tests = 0
        for child, members in spouses.items():
            pairs, made = self._equivalents(child, members, frozenset(members))
            found += pairs
            tests += made
        return found, tests


def _shown(pairs: Sequence[EquivalentPair]) -> tuple[EquivalentPair, ...]:
    return tuple(pair for pair in pairs if pair.is_shown)
