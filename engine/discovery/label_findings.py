"""What a procedure is given to search around labels, and what it found around one, by position."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from engine.boundaries.neighbourhoods import Indices, Neighbourhood, Neighbourhoods
from engine.boundaries.search import SpouseLink
from engine.discovery.equivalence import EquivalentPair
from engine.discovery.last_pass import BoundaryChange


@dataclass(frozen=True)
class LabelFindings:
    """What was found around one label, by position."""

    neighbourhood: Neighbourhood  # parents and children, those that Phase 2 recovered last
    recovered: frozenset[int]  # members that Phase 2 brought in
    links: tuple[SpouseLink, ...]  # spouses with their children
    about_label: tuple[EquivalentPair, ...]  # equivalences that count
    # equivalences of spouses about the child that connects them, that count
    about_children: tuple[EquivalentPair, ...]
    tests: int  # beyond screens and neighbour searches
    # about the label or a child: what may be an equivalence, as far as is known
    not_told_apart: tuple[EquivalentPair, ...] = ()
    departures: tuple[BoundaryChange, ...] = ()  # members that the confirmation removed; `arrivals` it added
    arrivals: tuple[BoundaryChange, ...] = ()
    # members that the score let join, each with the other parents given which it was weighed
    by_score: frozenset[tuple[int, Indices]] = frozenset()
    is_confirmed: bool = True  # False where members should have been confirmed, and the rows did not allow it
    is_determined: bool = False  # the neighbours determine the label in all rows


class Procedure(ABC):
    """The search around one label after another."""

    def __init__(
        self, search: Neighbourhoods, labels: Sequence[int], announce: Callable[[str, int], None]
    ) -> None:
        self._search = search
        self._labels = tuple(labels)
        self._announce = announce
        self._features = np.zeros(len(search.data.names), dtype=bool)
        self._features[list(search.variables)] = True
        self._features[list(labels)] = False

    def _possible_effects(self, label: int, members: Iterable[int]) -> list[int]:
        """Leave out what a time order says is no effect of a label, so that it connects no spouse with it."""
        return [member for member in members if not self._search.is_later(label, member)]

    @abstractmethod
    def find(self, label: int) -> LabelFindings:
        """Return what is found around one label."""
