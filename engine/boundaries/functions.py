"""Variables that determine another one: all else tells nothing about it beside them.

Where a set of variables determines a target, the target is independent of all others given the set. A search
that conditions on a few variables, and a score of graphs, keep effects of the target all the same, and the
other causes of these; with more rows more of them. So rows are counted. A set determines the target if no two
rows agree in the set and differ in the target, in rows enough to tell. Each smallest such set is a Markov
boundary of the target (Luo 2006, Learning Bayesian networks in semi-deterministic systems, Canadian AI,
230-241; Rodrigues de Morais, Aussem and Corbex 2008, Handling almost-deterministic relationships in
constraint-based Bayesian network discovery, ESANN, 101-106). They are listed as by TIE* (Statnikov, Lytkin,
Lemeire and Aliferis 2013, Algorithms for discovery of multiple Markov boundaries, JMLR 14:499-566).

An effect and its other causes also seem to determine the target as long as two rare causes do not meet. Such
causes do not depend on the target by themselves. So sets are first formed of variables that are significant
in the screen, then of those that depend on the target at the plain level of 0.05, and then of all members.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from engine.boundaries.neighbourhoods import Indices, Neighbourhoods
from engine.boundaries.ranking import first_smallest, strongest_first
from engine.independence.counting.exceptions import fill_costs

# Rows of one combination of levels show what the target is there if as many would be the same by chance,
# with the target's shares of the whole table, in one of 20 tables.
_LOG_CHANCE = math.log(0.05)
# Rows of other combinations may be this share of the rows that have another level than the commonest.
_SHARE_NOT_SHOWN = 0.05
# A set is no wider than leaves so many rows to a combination of levels, on average.
_ROWS_PER_COMBINATION = 10.0
# So many of the variables that depend most on a target may be in further sets.
_MOST_RELATED = 60
# So many sets of variables are left out in turn to find further sets.
_MOST_SETS = 32
# Members nearly determine a target where rows that differ from most of those that agree with them in members
# are no more than these, or at most this share of the rows that have another level than the commonest. What
# else determines the target there may be too rare for a search.
_FEW_EXCEPTIONS = 3.0
_SHARE_OF_EXCEPTIONS = 0.05
# Most tables show in so many of their rows that members are far from determining the target.
_FIRST_ROWS = 500
# Combinations are numbered in 64 bits.
_MOST_NUMBERS = 1 << 62


def determining_sets(search: Neighbourhoods, target: int, members: Iterable[int]) -> tuple[Indices, ...]:
    """Return the smallest sets of variables that determine a target; none where its boundary is far from it.

    Parameters
    ----------
    search : Neighbourhoods
        Data; tables with missing values, weights or numbers are not tried.
    target : int
        Position of the target.
    members : iterable of int
        Its boundary. Sets may hold what depends most on the target besides.

    Returns
    -------
    tuple of tuple of int
        Nothing can be left out of any. One of members comes first, where there is one.
    """
    codes = search.data.complete_codes
    inside = sorted(set(members) - {target})
    if codes is None or not inside or not _is_nearly_determined(codes, target, inside):
        return ()
    if not _Patterns(codes, target, inside).is_nearly_determined():
        return ()
    strongest = search.screen(target).candidates.tolist()
    related = [*strongest, *_related_besides(search, target, _MOST_RELATED - len(strongest))]
    patterns = _Patterns(codes, target, sorted({*inside, *related[:_MOST_RELATED]}))
    pools = (frozenset(strongest), frozenset(related), frozenset({*inside, *related}))
    for allowed in dict.fromkeys(pool.intersection(patterns.pool) for pool in pools):
        sets = patterns.smallest_sets(
            [each for each in inside if each in allowed],
            [each for each in patterns.pool if each in allowed],
        )
        if sets:
            return sets
    return ()


def _related_besides(search: Neighbourhoods, target: int, most: int) -> list[int]:
    """List what depends on a target at the plain level of 0.05 alone: the strongest where they are many."""
    screen = search.screen(target)
    related = screen.related
    related = related[~screen.passed[related] & (related != target)]
    if 0 < most < len(related):
        # Of a wide table marginal tests may have to be made again.
        found = search.marginal(target)
        related = related[strongest_first(found.log_p[related], found.statistic[related], related)]
    besides: list[int] = related[: max(most, 0)].tolist()
    return besides


def _is_nearly_determined(codes: np.ndarray, target: int, members: Sequence[int]) -> bool:
    """Tell whether few rows differ in the target from most of those that agree with them in members."""
    outcome = codes[target].astype(np.int64)
    counts = np.bincount(outcome)
    most = max(_FEW_EXCEPTIONS, _SHARE_OF_EXCEPTIONS * (len(outcome) - counts.max()))
    # More rows have no fewer exceptions.
    for rows in (_FIRST_ROWS, len(outcome)):
        numbers = _combined(codes[:, :rows], members, _MOST_NUMBERS // len(counts))
        together, occur = np.unique(numbers * len(counts) + outcome[:rows], return_counts=True)
        starts = np.flatnonzero(np.diff(together // len(counts), prepend=-1))
        if occur.sum() - np.maximum.reduceat(occur, starts).sum() > most:
            return False
    return len(np.flatnonzero(counts)) > 1


def _combined(codes: np.ndarray, members: Iterable[int], most: int) -> np.ndarray:
    """Return a number for the combination of levels of each row, below a bound."""
    numbers, count = np.zeros(codes.shape[1], dtype=np.int64), 1
    for member in members:
        levels = int(codes[member].max()) + 1
        if count * levels >= most:
            numbers = np.unique(numbers, return_inverse=True)[1]
            count = int(numbers.max()) + 1
        numbers, count = numbers * levels + codes[member], count * levels
    return numbers


class _Patterns:
    """The rows of a table, as far as they show what determines one of its columns; equal ones counted."""

    def __init__(self, codes: np.ndarray, target: int, pool: Sequence[int]) -> None:
        numbers = _combined(codes, (*pool, target), _MOST_NUMBERS)
        _, at, counts = np.unique(numbers, return_index=True, return_counts=True)
        self.pool = tuple(pool)
        self._places = {member: place for place, member in enumerate(pool)}
        self._columns = codes[np.array(pool, dtype=np.int64)][:, at].astype(np.int64)
        self._sizes = self._columns.max(axis=1) + 1
        self._outcome = np.unique(codes[target, at], return_inverse=True)[1]
        self._levels = int(self._outcome.max()) + 1
        self._counts = counts.astype(np.int64)
        self._rows = codes.shape[1]
        each = np.arange(self._rows + 1.0)
        self._terms = each * np.log(np.maximum(each, 1.0))
        self._log_shares = np.log(np.bincount(self._outcome, self._counts) / self._rows)

    def smallest_sets(self, members: Sequence[int], pool: Sequence[int]) -> tuple[Indices, ...]:
        """List the sets of a pool that determine the target; one of members comes first, if there is one."""
        first = self._smallest_set(members) or self._smallest_set(pool)
        if first is None:
            return ()
        sets, seen = [first], {frozenset[int]()}
        waiting = [frozenset({each}) for each in first]
        while waiting and len(seen) < _MOST_SETS:
            left_out = waiting.pop(0)
            if left_out in seen:
                continue
            seen.add(left_out)
            further = self._smallest_set([each for each in pool if each not in left_out])
            if further is not None:
                sets.append(further)
                waiting += [left_out | {each} for each in further]
        return tuple(dict.fromkeys(tuple(sorted(each)) for each in sets))

    def is_nearly_determined(self) -> bool:
        """Tell whether some of the pool leave few exceptions, in combinations with rows enough."""
        rarer = self._rows * (1.0 - math.exp(self._log_shares.max()))
        most = max(_FEW_EXCEPTIONS, _SHARE_OF_EXCEPTIONS * rarer)
        numbers = np.zeros(len(self._outcome), dtype=np.int64)
        outside = list(self.pool)
        while True:
            counts = self._by_combination(numbers)
            if len(counts) * _ROWS_PER_COMBINATION > self._rows:
                return False
            if self._rows - counts.max(axis=1).sum() <= most:
                return True
            if not outside:
                return False
            numbers = self._narrowest(numbers, outside)

    def _narrowest(self, numbers: np.ndarray, outside: list[int]) -> np.ndarray:
        """Take out the variable that leaves least to be said, and give combinations of levels with it."""
        return self._wider(numbers, outside.pop(first_smallest(self._costs(numbers, outside))))

    def _costs(self, numbers: np.ndarray, outside: Sequence[int]) -> np.ndarray:
        """Return how many nats describe the target, and combinations, with each variable besides."""
        places = [self._places[each] for each in outside]
        combinations = int(numbers.max()) + 1
        sizes = self._sizes[places]
        costs = np.empty(len(places))
        fill_costs(
            numbers,
            combinations,
            self._columns[places],
            sizes,
            self._outcome,
            self._counts,
            self._terms,
            0.5 * math.log(self._rows) * (self._levels - 1),
            np.empty((combinations * int(sizes.max()), self._levels), dtype=np.int64),
            costs,
        )
        return costs

    def _smallest_set(self, pool: Sequence[int]) -> Indices | None:
        """Return a set that determines the target and of which nothing can be left out; None without one.

        Variables come in one after the other, as long as rows contradict, the one first that leaves least to
        be said; then those leave that are not needed.
        """
        inside: list[int] = []
        numbers = np.zeros(len(self._outcome), dtype=np.int64)
        counts = self._by_combination(numbers)
        outside = list(pool)
        while (counts > 0).sum() > len(counts):
            if not outside:
                return None
            inside.append(outside.pop(first_smallest(self._costs(numbers, outside))))
            numbers = self._wider(numbers, inside[-1])
            counts = self._by_combination(numbers)
            if len(counts) * _ROWS_PER_COMBINATION > self._rows:
                return None
        for each in inside[::-1]:
            fewer = [member for member in inside if member != each]
            counts_of_fewer = self._counts_given(fewer)
            if (counts_of_fewer > 0).sum() == len(counts_of_fewer):
                inside, counts = fewer, counts_of_fewer
        return tuple(inside) if self._is_shown(counts) else None

    def _is_shown(self, counts: np.ndarray) -> bool:
        """Tell whether rows enough agree in combinations of levels that chance would hardly leave alike."""
        rows = counts.sum(axis=1)
        is_by_chance = rows * self._log_shares[counts.argmax(axis=1)] > _LOG_CHANCE
        rarer = self._rows - counts.sum(axis=0).max()
        return bool(rows[is_by_chance].sum() <= _SHARE_NOT_SHOWN * rarer)

    def _wider(self, numbers: np.ndarray, member: int) -> np.ndarray:
        """Give combinations of levels new numbers, with one more variable."""
        place = self._places[member]
        numbers = numbers * self._sizes[place] + self._columns[place]
        occur = np.zeros(int(numbers.max()) + 1, dtype=np.int64)
        occur[numbers] = 1
        renumbered: np.ndarray = (np.cumsum(occur) - 1)[numbers]
        return renumbered

    def _by_combination(self, numbers: np.ndarray) -> np.ndarray:
        """Count the rows of each combination by level of the target."""
        count = int(numbers.max()) + 1
        together = np.bincount(numbers * self._levels + self._outcome, self._counts, count * self._levels)
        return together.reshape(count, self._levels)

    def _counts_given(self, members: Iterable[int]) -> np.ndarray:
        numbers = np.zeros(len(self._outcome), dtype=np.int64)
        for member in members:
            numbers = self._wider(numbers, member)
        return self._by_combination(numbers)
