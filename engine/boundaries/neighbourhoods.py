"""Marginal screens and neighbour searches of any variable, each made once in a run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from engine.boundaries.hiton import NeighbourSearch, hiton_neighbours
from engine.boundaries.registry import algorithms
from engine.errors import Cancelled
from engine.false_discovery import discoveries
from engine.independence.batch import ask_marginal
from engine.independence.data import TestData
from engine.once import Once

if TYPE_CHECKING:
    from engine.discovery.settings import DiscoverySettings

Indices = tuple[int, ...]


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
    """

    statistic: np.ndarray
    dof: np.ndarray
    log_p: np.ndarray
    passed: np.ndarray
    candidates: np.ndarray


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
    """

    target: int
    members: Indices
    weakest: dict[int, Indices]
    separators: dict[int, Indices]
    tests: int
    unreliable: int

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
    """

    def __init__(self, data: TestData, settings: DiscoverySettings, stop: np.ndarray) -> None:
        self.data = data
        self.settings = settings
        self.stop = stop
        self.screen: Once[int, Screen] = Once(self._make_screen)
        self._search: Once[tuple[int, frozenset[int]], Neighbourhood] = Once(self._make_search)

    def neighbours(self, target: int, without: frozenset[int] = frozenset()) -> Neighbourhood:
        """Give the parents and children of `target` in the table without some variables.

        Under the symmetry correction a member stays only if the search from its side finds the target.
        What it loses then has the separating set that was found from that side.

        Raises
        ------
        Cancelled
            When the run was stopped.
        """
        found = self._search((target, without))
        if not self.settings.symmetry:
            return found
        from_their_side = {member: self._search((member, without)) for member in found.members}
        lost = {member: each for member, each in from_their_side.items() if target not in each.member_set}
        return replace(
            found,
            members=tuple(member for member in found.members if member not in lost),
            separators=found.separators | {member: each.separator(target) for member, each in lost.items()},
        )

    @property
    def tests_made(self) -> tuple[int, int]:
        """Tests that finished screens and searches needed, and the unreliable ones among them."""
        searches = self._search.finished()
        screening = len(self.screen.finished()) * (len(self.data.names) - 1)
        return screening + sum(each.tests for each in searches), sum(each.unreliable for each in searches)

    def check_stop(self) -> None:
        """Raise Cancelled when the run was stopped, so that no half-made result is used."""
        if self.stop[0]:
            raise Cancelled("the run was stopped.")

    def _make_screen(self, target: int) -> Screen:
        count = len(self.data.names)
        others = np.arange(count) != target
        statistic, dof, log_p = np.zeros(count), np.zeros(count), np.zeros(count)
        answers = ask_marginal(self.data, target, np.flatnonzero(others), self.stop)
        self.check_stop()
        statistic[others], dof[others], log_p[others] = answers.statistic, answers.dof, answers.log_p
        passed = np.zeros(log_p.size, dtype=bool)
        passed[others] = discoveries(log_p[others], self.settings.alpha, self.settings.false_discovery)
        positions = np.flatnonzero(passed)
        order = np.lexsort((positions, -np.abs(statistic[positions]), log_p[positions]))
        return Screen(statistic, dof, log_p, passed, positions[order])

    def _make_search(self, key: tuple[int, frozenset[int]]) -> Neighbourhood:
        target, without = key
        candidates = self.screen(target).candidates
        if without:
            candidates = candidates[~np.isin(candidates, list(without))]
        found = hiton_neighbours(
            self.data.table,
            target,
            candidates,
            self.settings.max_conditioning,
            algorithms()[self.settings.algorithm].interleaved,
            self.stop,
        )
        self.check_stop()
        return _neighbourhood(target, found)


def _neighbourhood(target: int, found: NeighbourSearch) -> Neighbourhood:
    state = found.state
    members = [int(number) for number in state.members[: found.member_count]]
    variables = [int(each) for each in state.candidates]
    return Neighbourhood(
        target,
        tuple(variables[number] for number in members),
        {
            variables[number]: _set(state.weakest, state.weakest_sizes, number)
            for number in members
            if state.weakest_sizes[number] >= 0
        },
        {
            variable: _set(state.separators, state.separator_sizes, number)
            for number, variable in enumerate(variables)
            if state.separator_sizes[number] >= 0
        },
        found.tests,
        found.unreliable,
    )


def _set(sets: np.ndarray, sizes: np.ndarray, number: int) -> Indices:
    return tuple(int(each) for each in sets[number, : sizes[number]])
