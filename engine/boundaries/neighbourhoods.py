"""Marginal screens and neighbour searches of any variable, each made once in a run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.boundaries.agreement import Agreement
from engine.boundaries.marginals import Marginals
from engine.boundaries.registry import algorithms
from engine.boundaries.search import NeighbourSearch, SearchTask, SpouseLink
from engine.errors import Cancelled
from engine.false_discovery import discoveries
from engine.independence.data import TestData
from engine.once import Once

if TYPE_CHECKING:
    from engine.discovery.settings import DiscoverySettings

Indices = tuple[int, ...]

# Tests, and the unreliable ones among them, of each search by its target and the variables left out, and of
# each screen by its target and None.
Ledger = dict[tuple[int, frozenset[int] | None], tuple[int, int]]


@dataclass(frozen=True)
class Screen:
    """Marginal tests of one variable against all others.

    Attributes
    ----------
    statistic, dof, log_p : ndarray of float64, shape (variables,)
        By position; the variable itself has log p 0.
    passed : ndarray of bool, shape (variables,)
        Which of them are significant under the chosen control.
    candidates : ndarray of int64
        Positions of those, strongest first: by log p, then statistic, then column order.
    unreliable : int
        Tests with too few rows for the reliability rules.
    """

    statistic: np.ndarray
    dof: np.ndarray
    log_p: np.ndarray
    passed: np.ndarray
    candidates: np.ndarray
    unreliable: int = 0


@dataclass(frozen=True)
class Neighbourhood:
    """Parents and children of one variable, and why the others are none.

    Attributes
    ----------
    target : int
        Position of the variable.
    members : tuple of int
        Parents and children, strongest first.
    weakest : dict of int to tuple of int
        For each member, the conditioning set that came nearest to separating it; absent when no set
        could be tested.
    separators : dict of int to tuple of int
        For each other candidate, the set that separated it.
    tests, unreliable : int
        Tests made, and those among them that the reliability rule set aside.
    links : tuple of SpouseLink, optional
        Spouses, where the algorithm looks for them itself.
    """

    target: int
    members: Indices
    weakest: dict[int, Indices]
    separators: dict[int, Indices]
    tests: int
    unreliable: int
    links: tuple[SpouseLink, ...] | None = None

    @cached_property
    def member_set(self) -> frozenset[int]:
        """The members, for look-up."""
        return frozenset(self.members)

    def separator(self, other: int) -> Indices:
        """Give the set that separated `other`: empty when it was marginally independent."""
        return self.separators.get(other, ())


class Neighbourhoods:
    """Screens and neighbourhoods under one settings object, shared by everything that needs them.

    Parameters
    ----------
    data : TestData
        What is tested.
    settings : DiscoverySettings
        Level, algorithm, conditioning size, false-discovery control.
    stop : ndarray of uint8, shape (1,)
        Set to 1 by anyone to stop the searches within microseconds.
    marginals : Marginals, optional
        Marginal tests of the same data, shared with runs at other levels.
    """

    def __init__(
        self,
        data: TestData,
        settings: DiscoverySettings,
        stop: np.ndarray,
        marginals: Marginals | None = None,
    ) -> None:
        self.data = data
        self.settings = settings
        self.stop = stop
        self._algorithm = algorithms()[settings.algorithm]
        self._marginals = marginals or Marginals()
        self.screen: Once[int, Screen] = Once(self._make_screen)
        self._search: Once[tuple[int, frozenset[int]], Neighbourhood] = Once(self._make_search)
        self._by_algorithm: Once[str, Neighbourhoods] = Once(self._make_other)

    def using(self, algorithm: str) -> Neighbourhoods:
        """Give the neighbourhoods that another algorithm finds in the same data; screens are shared."""
        return self if algorithm == self.settings.algorithm else self._by_algorithm(algorithm)

    def _make_other(self, algorithm: str) -> Neighbourhoods:
        other = Neighbourhoods(self.data, replace(self.settings, algorithm=algorithm), self.stop)
        other.screen = self.screen
        return other

    def neighbours(self, target: int, without: frozenset[int] = frozenset()) -> Neighbourhood:
        """Give the parents and children of `target` in the table without some variables.

        Where the algorithm or the symmetry correction wants both sides to agree, a member stays only if
        the search from its side finds the target. What it loses then has the separating set that was found
        from that side. Where one side is enough, those that find the target join its members.

        Raises
        ------
        Cancelled
            When the run was stopped.
        """
        found = self._search((target, without))
        if self.settings.symmetry or self._algorithm.agreement is Agreement.BOTH_SIDES:
            return self._agreed(found, without)
        if self._algorithm.agreement is Agreement.EITHER_SIDE:
            return self._completed(found, without)
        return found

    def _agreed(self, found: Neighbourhood, without: frozenset[int]) -> Neighbourhood:
        """Take out the members whose own search does not find the target."""
        target = found.target
        from_their_side = {member: self._search((member, without)) for member in found.members}
        lost = {member: each for member, each in from_their_side.items() if target not in each.member_set}
        return replace(
            found,
            members=tuple(member for member in found.members if member not in lost),
            separators=found.separators | {member: each.separator(target) for member, each in lost.items()},
        )

    def _completed(self, found: Neighbourhood, without: frozenset[int]) -> Neighbourhood:
        """Add the candidates whose own search finds the target."""
        target = found.target
        from_their_side = {
            other: self._search((other, without))
            for other in self._candidates(target, without).tolist()
            if other not in found.member_set
        }
        joining = {other: each for other, each in from_their_side.items() if target in each.member_set}
        weakest = {other: each.weakest[target] for other, each in joining.items() if target in each.weakest}
        return replace(
            found,
            members=(*found.members, *joining),
            weakest=found.weakest | weakest,
            separators={other: given for other, given in found.separators.items() if other not in joining},
        )

    @property
    def tests_made(self) -> tuple[int, int]:
        """Tests that finished screens and searches needed, and the unreliable ones among them."""
        searches, screens = self._search.finished(), self.screen.finished()
        tests = len(screens) * (len(self.data.names) - 1) + sum(each.tests for each in searches)
        unreliable = sum(each.unreliable for each in screens) + sum(each.unreliable for each in searches)
        return tests, unreliable

    def noted(self) -> Neighbourhoods:
        """Give a view that shares what is found here, and whose ledger holds only what was asked of it."""
        view = Neighbourhoods(self.data, self.settings, self.stop, self._marginals)
        view.screen = Once(self.screen)

        def search(key: tuple[int, frozenset[int]]) -> Neighbourhood:
            # Every search rests on the screen of its target.
            view.screen(key[0])
            return self._search(key)

        view._search = Once(search)
        return view

    @property
    def ledger(self) -> Ledger:
        """What each finished screen and search needed."""
        screens: Ledger = {
            (target, None): (len(self.data.names) - 1, each.unreliable)
            for target, each in self.screen.finished_by_key().items()
        }
        searches: Ledger = {
            key: (each.tests, each.unreliable) for key, each in self._search.finished_by_key().items()
        }
        return screens | searches

    @property
    def most_dof(self) -> float:
        """Most nominal degrees of freedom that the rows bear in a test given three or more variables.

        With more, the test misses true dependence so often that it hides members rather than explaining
        false ones away. Tests without strata have one, whatever is held fixed, and are always made. The
        published procedure knows no such bound.
        """
        if self.settings.false_discovery == "none" or self.settings.large_set_rows == 0.0:
            return np.inf
        return max(1.0, self.data.observations / self.settings.large_set_rows)

    def check_stop(self) -> None:
        """Raise Cancelled when the run was stopped, so that no half-made result is used."""
        if self.stop[0]:
            raise Cancelled("the run was stopped.")

    def _make_screen(self, target: int) -> Screen:
        found = self._marginals.of(self.data, target, self.stop)
        statistic, log_p = found.statistic, found.log_p
        others = np.arange(log_p.size) != target
        passed = np.zeros(log_p.size, dtype=bool)
        passed[others] = discoveries(log_p[others], self.settings.alpha, self.settings.false_discovery)
        positions = np.flatnonzero(passed)
        order = _strongest_first(positions, log_p, statistic)
        return Screen(statistic, found.dof, log_p, passed, positions[order], found.unreliable)

    def _make_search(self, key: tuple[int, frozenset[int]]) -> Neighbourhood:
        target, without = key
        found = self._algorithm.load()(self.task(target, without))
        self.check_stop()
        return _neighbourhood(target, found)

    def task(self, target: int, without: frozenset[int] = frozenset(), options: Any = None) -> SearchTask:
        """Make the task of a search around `target` in the table without some variables."""
        screen = self.screen(target)
        candidates = self._candidates(target, without)
        allowed = np.array(
            [each for each in range(len(self.data.names)) if each != target and each not in without],
            dtype=np.int64,
        )
        order = _strongest_first(allowed, screen.log_p, screen.statistic)
        return SearchTask(
            data=self.data,
            target=target,
            candidates=candidates,
            log_p=screen.log_p[candidates],
            everyone=allowed[order],
            alpha=self.settings.alpha,
            false_discovery=self.settings.false_discovery,
            max_conditioning=self.settings.max_conditioning,
            most_dof=self.most_dof,
            stop=self.stop,
            options=options,
        )

    def _candidates(self, target: int, without: frozenset[int]) -> np.ndarray:
        candidates = self.screen(target).candidates
        return candidates[~np.isin(candidates, list(without))] if without else candidates


def _strongest_first(positions: np.ndarray, log_p: np.ndarray, statistic: np.ndarray) -> np.ndarray:
    """Order variables by log p, then statistic, then column."""
    return np.lexsort((positions, -np.abs(statistic[positions]), log_p[positions]))


def _neighbourhood(target: int, found: NeighbourSearch) -> Neighbourhood:
    state = found.state
    variables = [int(each) for each in state.candidates]
    return Neighbourhood(
        target,
        tuple(variables[number] for number in found.members),
        {
            variables[number]: _set(state.weakest, state.weakest_sizes, number)
            for number in found.members
            if state.weakest_sizes[number] >= 0
        },
        {
            variable: _set(state.separators, state.separator_sizes, number)
            for number, variable in enumerate(variables)
            if state.separator_sizes[number] >= 0
        }
        | dict(found.separators),
        found.tests,
        found.unreliable,
        found.links,
    )


def _set(sets: np.ndarray, sizes: np.ndarray, number: int) -> Indices:
    return tuple(int(each) for each in sets[number, : sizes[number]])
