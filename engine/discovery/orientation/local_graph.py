"""Who is next to whom around the labels, as far as searches were made."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import numpy as np

from engine.boundaries.neighbourhoods import Neighbourhood
from engine.independence.batch import NO_POSITION, rows_of_sets

Edge = tuple[int, int]

_NO_OPINIONS = (None, None)


class Separated(NamedTuple):
    """What searches separated, a pair and its set a row: there are tens of thousands in a table."""

    first: np.ndarray  # the variable searched; then the other one
    second: np.ndarray
    given: np.ndarray  # with `sizes`, as :func:`~engine.independence.batch.rows_of_sets` returns the sets
    sizes: np.ndarray


class LocalGraph:
    """Neighbourhoods of the labels and of their neighbours, by position, without directions."""

    def __init__(self, neighbourhoods: Mapping[int, Neighbourhood]) -> None:
        self._neighbourhoods = neighbourhoods
        self._members = {centre: neighbourhood.member_set for centre, neighbourhood in neighbourhoods.items()}
        self._neighbours: dict[int, tuple[int, ...]] = {}
        self._adjacent: dict[Edge, bool] = {}

    @property
    def centres(self) -> tuple[int, ...]:
        """The variables that were searched, in column order."""
        return tuple(sorted(self._neighbourhoods))

    def was_searched(self, variable: int) -> bool:
        """Tell whether there was a search around a variable."""
        return variable in self._neighbourhoods

    @cached_property
    def variables(self) -> frozenset[int]:
        """The variables that were searched, and their neighbours."""
        return frozenset(self._members).union(*self._members.values())

    @cached_property
    def _codes(self) -> np.ndarray:
        """What every search found, each pair as one number, in order."""
        codes = [
            centre * NO_POSITION + member for centre, members in self._members.items() for member in members
        ]
        # With one that is larger than any.
        return np.sort(np.array([*codes, np.iinfo(np.int64).max], dtype=np.int64))

    def separated(self) -> Separated:
        """List what searches separated."""
        searched = [neighbourhood.separators for neighbourhood in self._neighbourhoods.values()]
        first = np.repeat(np.array(list(self._neighbourhoods), dtype=np.int64), list(map(len, searched)))
        second = np.fromiter(chain.from_iterable(searched), np.int64, len(first))
        sets = list(chain.from_iterable(separating_sets.values() for separating_sets in searched))
        return Separated(first, second, *rows_of_sets(sets))

    def adjacent(self, first: int, second: int) -> bool:
        """Tell whether every search around one of the two found the other."""
        is_adjacent = self._adjacent.get((first, second))
        if is_adjacent is None:
            opinions = self._opinions(first, second)
            is_adjacent = opinions[0] is not False and opinions[1] is not False and opinions != _NO_OPINIONS
            self._adjacent[first, second] = self._adjacent[second, first] = is_adjacent
        return is_adjacent

    def are_adjacent(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Tell of many pairs what :meth:`adjacent` tells of one; of ``NO_POSITION`` it may tell either."""
        searched = np.isin(first, self.centres), np.isin(second, self.centres)
        by_search = self._found(first, second), self._found(second, first)
        adjacent: np.ndarray = (
            (searched[0] | searched[1]) & (by_search[0] | ~searched[0]) & (by_search[1] | ~searched[1])
        )
        return adjacent

    def _found(self, centre: np.ndarray, members: np.ndarray) -> np.ndarray:
        """Tell whether the search around each of some variables found the other."""
        pairs = centre * NO_POSITION + members
        is_member: np.ndarray = self._codes[np.searchsorted(self._codes, pairs)] == pairs
        return is_member

    def apart(self, first: int, second: int) -> bool:
        """Tell whether there was a search around one of the two, and none found the other."""
        opinions = self._opinions(first, second)
        return not opinions[0] and not opinions[1] and opinions != _NO_OPINIONS

    def disputed(self, first: int, second: int) -> bool:
        """Tell whether the two searches around two variables contradict each other."""
        opinions = self._opinions(first, second)
        return None not in opinions and opinions[0] is not opinions[1]

    def neighbours(self, centre: int) -> tuple[int, ...]:
        """Return the neighbours of a variable that was searched, in column order."""
        next_to = self._neighbours.get(centre)
        if next_to is None:
            members = self._neighbourhoods[centre].members
            next_to = tuple(sorted(member for member in members if self.adjacent(centre, member)))
            self._neighbours[centre] = next_to
        return next_to

    def members(self, centre: int) -> frozenset[int]:
        """Return all that the search around a variable found."""
        return self._members[centre]

    def separators(self, first: int, second: int) -> list[tuple[int, ...]]:
        """Return the sets that separated two variables in the searches around either."""
        return [
            self._neighbourhoods[left].separator(right)
            for left, right in ((first, second), (second, first))
            if left in self._neighbourhoods
        ]

    def weakest_sets(self, first: int, second: int) -> list[tuple[int, ...]]:
        """Return the sets that came nearest to separating two neighbours in the searches around either."""
        return [
            self._neighbourhoods[left].weakest[right]
            for left, right in ((first, second), (second, first))
            if left in self._neighbourhoods and right in self._neighbourhoods[left].weakest
        ]

    def edges(self) -> list[Edge]:
        """List every pair of neighbours once, the one with the lower position first."""
        pairs = {
            tuple(sorted((centre, neighbour)))
            for centre in self.centres
            for neighbour in self.neighbours(centre)
        }
        return [(first, second) for first, second in sorted(pairs)]

    def _opinions(self, first: int, second: int) -> tuple[bool | None, bool | None]:
        """Tell whether the search around each of two found the other; None where there was none."""
        around_first, around_second = self._members.get(first), self._members.get(second)
        return (
            None if around_first is None else second in around_first,
            None if around_second is None else first in around_second,
        )
