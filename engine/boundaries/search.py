"""What every boundary search is given, what it notes on the way, and what it hands back.

A search of the parents and children of a target is a function ``(SearchTask) -> NeighbourSearch``; one that
finds a boundary without telling neighbours from spouses is a function ``(SearchTask) -> UndividedSearch``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from engine.independence.data import TestData

# Neighbourhoods of up to this size are searched through all sets of members; of larger ones sets of two and
# more are formed of so many members that come nearest to explaining a relation.
MOST_MEMBERS, MOST_NEAR = 30, 20


@dataclass(frozen=True)
class SearchTask:
    """One target and everything that a search may use."""

    data: TestData
    target: int
    candidates: np.ndarray  # variables that depend on the target, strongest first
    log_p: np.ndarray  # of each candidate with the target, nothing held fixed
    list_everyone: Callable[[], np.ndarray]  # all that may be members, candidates or not: strongest first
    alpha: float
    false_discovery: str
    max_conditioning: int  # of searches that go through subsets
    most_dof: float  # nominal, of a test given three or more variables, for it to be made
    stop: np.ndarray  # (1,): not 0 asks to stop; what a search returns must then not be used
    options: Any = None  # settings that only the chosen algorithm has

    @cached_property
    def everyone(self) -> np.ndarray:
        """All variables that may be members, candidates or not: strongest first."""
        return self.list_everyone()


class SearchState(NamedTuple):
    """Where a search stands; what is said of a candidate is filed under its number."""

    candidates: np.ndarray  # variables that depend on the target, strongest first
    separators: np.ndarray  # (candidates, max_conditioning): the set that separated each
    separator_sizes: np.ndarray  # sizes of those sets; -1 where there is none
    weakest: np.ndarray  # the set that came nearest to separating each
    weakest_sizes: np.ndarray
    weakest_ratios: np.ndarray  # statistic over critical value given that set
    weakest_statistics: np.ndarray
    weakest_dofs: np.ndarray


def new_state(candidates: np.ndarray, width: int) -> SearchState:
    """Start a search of which nothing is known, with conditioning sets of up to `width` variables."""
    count = len(candidates)
    return SearchState(
        candidates=candidates,
        separators=np.empty((count, width), np.int64),
        separator_sizes=np.full(count, -1, np.int64),
        weakest=np.empty((count, width), np.int64),
        weakest_sizes=np.full(count, -1, np.int64),
        weakest_ratios=np.full(count, np.inf),
        weakest_statistics=np.zeros(count),
        weakest_dofs=np.zeros(count),
    )


@dataclass(frozen=True, slots=True)
class SpouseLink:
    """A spouse of a target, the child that connects it, and the set given which they are dependent."""

    spouse: int
    child: int
    given: tuple[int, ...]


@dataclass(frozen=True)
class NeighbourSearch:
    """What a search of parents and children found for one target."""

    members: tuple[int, ...]  # numbers of the candidates that are parents or children
    state: SearchState  # why the other candidates are none
    tests: int
    unreliable: int  # tests that the reliability rule set aside
    links: tuple[SpouseLink, ...] | None = None  # spouses, where the search looks for them itself
    # larger than the conditioning size, by position
    separators: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    is_bounded: bool = False  # members were so many that not all sets of two and more of them were tried


@dataclass(frozen=True)
class UndividedSearch:
    """A Markov boundary found as a whole: positions of members, in the order in which they came in."""

    members: tuple[int, ...]
    tests: int
