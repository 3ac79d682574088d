"""Boundaries of one target as they are found, and the bounds at which looking for more ends."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.boundaries.boundary import MarkovBoundaries, MarkovBoundary
from engine.boundaries.options import Bounds
from engine.boundaries.single import find_boundary

if TYPE_CHECKING:
    from engine.boundaries.neighbourhoods import Neighbourhoods

Report = Callable[[int, int, int], None]


class Collection:
    """Boundaries of one target in the making.

    Parameters
    ----------
    search : Neighbourhoods
        Data, settings and stop.
    target : int
        Position of the target.
    bounds : Bounds
        When to end.
    report : callable
        Told before each search how many are made, how many are planned as far as is known, and the tests
        so far.
    """

    def __init__(self, search: Neighbourhoods, target: int, bounds: Bounds, report: Report) -> None:
        self.search = search
        self.target = target
        self.is_complete = True
        self._bounds = bounds
        self._report = report
        self._started = time.monotonic()
        self._searches = 0
        self._tests = 0
        self._found: dict[frozenset[int], MarkovBoundary] = {}

    @property
    def sets(self) -> list[frozenset[int]]:
        """Positions of the members of each boundary, first found first."""
        return list(self._found)

    def may_go_on(self, planned: int) -> bool:
        """Tell whether another search is within the bounds; if not, the collection is incomplete.

        Parameters
        ----------
        planned : int
            Searches that are known to be still to come.
        """
        bounds = self._bounds
        seconds = time.monotonic() - self._started
        within = (
            (bounds.max_boundaries is None or len(self._found) < bounds.max_boundaries)
            and (bounds.max_searches is None or self._searches < bounds.max_searches)
            and (bounds.max_seconds is None or not self._found or seconds < bounds.max_seconds)
        )
        if within:
            self._report(self._searches, self._searches + planned, self._tests)
        else:
            self.is_complete = False
        return within

    def find(
        self, algorithm: str, options: object | None = None, without: frozenset[int] = frozenset()
    ) -> tuple[MarkovBoundary, frozenset[int]]:
        """Search one boundary among the variables that are left; give it and the positions of its members.

        It is not yet part of the collection.
        """
        found = find_boundary(self.search, self.target, algorithm, options, without)
        self._searches += 1
        self._tests += found.tests_made
        return found, frozenset(self.search.data.positions[name] for name in found.members)

    def count_tests(self, tests: int) -> None:
        """Take note of tests that were made besides the searches."""
        self._tests += tests

    def add(self, boundary: MarkovBoundary, members: frozenset[int]) -> None:
        """Take a boundary in, unless it was found before."""
        self._found.setdefault(members, boundary)

    def result(self) -> MarkovBoundaries:
        """Give what was found so far, without sets that a smaller one of them shows to be no boundaries."""
        minimal = [
            boundary
            for members, boundary in self._found.items()
            if not any(other < members for other in self._found)
        ]
        return MarkovBoundaries(
            target=self.search.data.names[self.target],
            boundaries=tuple(minimal),
            is_complete=self.is_complete,
            tests_made=self._tests,
        )
