"""What a search found around one label, by position; nothing here searches."""

from __future__ import annotations

from dataclasses import dataclass

from engine.boundaries.neighbourhoods import Indices, Neighbourhood
from engine.boundaries.search import SpouseLink
from engine.discovery.equivalence import EquivalentPair
from engine.discovery.last_pass import Arrival, Departure


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
        Equivalences about the label that count.
    about_children : tuple of EquivalentPair
        Equivalences of spouses about the child that connects them that count.
    not_told_apart : tuple of EquivalentPair
        About the label or a child: what is no equivalence as far as is known, but may be one.
    departures : tuple of Departure
        Members that the last pass took out.
    arrivals : tuple of Arrival
        Members that the last pass let join.
    by_score : frozenset of (int, tuple of int)
        Members that the score let join, each with the other parents given which it was weighed.
    is_confirmed : bool
        False where the last pass should have been made, and the rows did not allow it.
    is_determined : bool
        The neighbours determine the label in all rows.
    tests : int
        Tests made beyond screens and neighbour searches.
    """

    neighbourhood: Neighbourhood
    recovered: frozenset[int]
    links: tuple[SpouseLink, ...]
    about_label: tuple[EquivalentPair, ...]
    about_children: tuple[EquivalentPair, ...]
    tests: int
    not_told_apart: tuple[EquivalentPair, ...] = ()
    departures: tuple[Departure, ...] = ()
    arrivals: tuple[Arrival, ...] = ()
    by_score: frozenset[tuple[int, Indices]] = frozenset()
    is_confirmed: bool = True
    is_determined: bool = False
