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
    """One target and everything that a search may use.

    Attributes
    ----------
    data : TestData
        What is tested.
    target : int
        Position of the target.
    candidates : ndarray of int64
        Variables that depend on the target, strongest first.
    log_p : ndarray of float64, shape (candidates,)
        Logarithm of the p-value of each candidate with the target, nothing held fixed.
    list_everyone : callable
        Lists all variables that may be members, candidates or not: strongest first.
    alpha : float
        Level of the tests.
    false_discovery : str
        Control of the share of false discoveries, as in ``engine.independence.batch``.
    max_conditioning : int
        Largest conditioning set of searches that go through subsets.
    most_dof : float
        Most nominal degrees of freedom that a test given three or more variables may have to be made.
    stop : ndarray of uint8, shape (1,)
        Not 0 asks to stop; what a search returns is then unfinished and must not be used.
    options : object, optional
        Settings that only the chosen algorithm has.
    """

    data: TestData
    target: int
    candidates: np.ndarray
    log_p: np.ndarray
    list_everyone: Callable[[], np.ndarray]
    alpha: float
    false_discovery: str
    max_conditioning: int
    most_dof: float
    stop: np.ndarray
    options: Any = None

    @cached_property
    def everyone(self) -> np.ndarray:
        """All variables that may be members, candidates or not: strongest first."""
        return self.list_everyone()


class SearchState(NamedTuple):
    """Where a search stands; what is said of a candidate is filed under its number.

    Attributes
    ----------
    candidates : ndarray of int64, shape (candidates,)
        Variables that depend on the target, strongest first.
    separators, weakest : ndarray of int64, shape (candidates, max_conditioning)
        The set that separated a candidate, and the one that came nearest to separating it.
    separator_sizes, weakest_sizes : ndarray of int64, shape (candidates,)
        Sizes of those sets; -1 where there is none.
    weakest_ratios, weakest_statistics, weakest_dofs : ndarray of float64, shape (candidates,)
        Statistic over critical value given the set in `weakest`, the statistic, its degrees of freedom.
    """

    candidates: np.ndarray
    separators: np.ndarray
    separator_sizes: np.ndarray
    weakest: np.ndarray
    weakest_sizes: np.ndarray
    weakest_ratios: np.ndarray
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
    """What a search of parents and children found for one target.

    Attributes
    ----------
    members : tuple of int
        Numbers of the candidates that are parents or children.
    state : SearchState
        Why the other candidates are none.
    tests, unreliable : int
        Tests made, and those among them that the reliability rule set aside.
    links : tuple of SpouseLink, optional
        Spouses, where the search looks for them itself.
    separators : mapping of int to tuple of int
        Sets beyond the conditioning size that separated variables, by position.
    is_bounded : bool
        Members were so many that not all sets of two and more of them were tried.
    """

    members: tuple[int, ...]
    state: SearchState
    tests: int
    unreliable: int
    links: tuple[SpouseLink, ...] | None = None
    separators: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    is_bounded: bool = False


@dataclass(frozen=True)
class UndividedSearch:
    """A Markov boundary found as a whole.

    Attributes
    ----------
    members : tuple of int
        Positions of the members, in the order in which they came in.
    tests : int
        Tests made.
    """

    members: tuple[int, ...]
    tests: int
