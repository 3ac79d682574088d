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

A member may itself be a function of a single other one. Then it is none (:func:`coarser_forms`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from engine.boundaries.neighbourhoods import Indices, Neighbourhoods
from engine.boundaries.ranking import first_smallest, strongest_first
from engine.compiled.decorators import counting_kernel


@counting_kernel
def fill_costs(
    cells: np.ndarray,
    combinations: int,
    columns: np.ndarray,
    places: np.ndarray,
    sizes: np.ndarray,
    counts: np.ndarray,
    terms: np.ndarray,
    price: float,
    table: np.ndarray,
    costs: np.ndarray,
) -> None:
    """Write how many nats describe an outcome given combinations of levels with each of some columns.

    `cells` has the combination of each row, ``0 … combinations - 1``, times the levels of the outcome, plus
    its code of the outcome. `places` says which columns could join, `sizes` their levels, `counts` how often
    each row occurs; `terms` is ``n log n`` for each count that can occur, and `price` what a combination that
    occurs costs. `table` (widest, combinations, levels) is working memory, for the levels of the widest
    column.
    """
    levels = table.shape[2]
    for place in places:
        size = sizes[place]
        for code in range(size):
            for combination in range(combinations):
                for level in range(levels):
                    table[code, combination, level] = 0
        flat = table.reshape(table.shape[0], combinations * levels)
        column = columns[place]
        for row in range(cells.shape[0]):
            flat[column[row], cells[row]] += counts[row]
        cost = 0.0
        for combination in range(combinations):
            for code in range(size):
                total = 0
                for level in range(levels):
                    count = table[code, combination, level]
                    if count > 0:
                        total += count
                        cost -= terms[count]
                if total > 0:
                    cost += terms[total] + price
        costs[place] = cost


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
# So many variables in a row may save less than they cost, as some pay together only.
_MOST_NOT_WORTH_THEIR_COST = 2
# Combinations are counted without being sorted where cells are no more than so many to a row.
_MOST_CELLS_PER_ROW = 4
# Combinations are numbered in 64 bits.
_MOST_NUMBERS = 1 << 62


def determining_sets(search: Neighbourhoods, target: int, members: Iterable[int]) -> tuple[Indices, ...]:
    """Return the smallest sets that determine a target, members first; none if its boundary is far off."""
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
            [variable for variable in inside if variable in allowed],
            [variable for variable in patterns.pool if variable in allowed],
        )
        if sets:
            return sets
    return ()


def coarser_forms(search: Neighbourhoods, members: Iterable[int], allowed: Iterable[int]) -> dict[int, int]:
    """Return the variables that are functions of a single finer one, each with the finest such.

    Given the finer one, such a variable is independent of all others (Geiger, Verma and Pearl 1990, Networks
    20:507-534).
    """
    codes = search.data.complete_codes
    inside = sorted(set(members))
    if codes is None or len(inside) < 2:
        return {}
    sizes = dict(zip(inside, _sizes(codes, inside), strict=True))
    finest_first = sorted(inside, key=lambda variable: (-sizes[variable], variable))
    coarser: dict[int, int] = {}
    for variable in sorted(set(allowed).intersection(inside)):
        finer = (
            by for by in finest_first if sizes[by] > sizes[variable] and _is_coarser(codes, variable, by)
        )
        if (by := next(finer, None)) is not None:
            coarser[variable] = by
    return coarser


def _is_coarser(codes: np.ndarray, one: int, finer: int) -> bool:
    """Tell whether rows enough show that a variable is a function of another one."""
    levels = int(codes[one].max()) + 1
    if any(_exceptions(codes[:, :rows], one, [finer], levels) for rows in (_FIRST_ROWS, codes.shape[1])):
        return False
    patterns = _Patterns(codes, one, [finer])
    return patterns.has_levels and patterns.smallest_sets([finer], [finer]) == ((finer,),)


def _related_besides(search: Neighbourhoods, target: int, most: int) -> list[int]:
    """List what depends on a target at the plain level of 0.05 alone: the strongest where they are many."""
    screen = search.screen(target)
    related = screen.related
    related = related[~screen.passed[related] & (related != target)]
    if 0 < most < len(related):
        # Of a wide table marginal tests may have to be made again.
        marginal = search.marginal(target)
        related = related[strongest_first(marginal.log_p[related], marginal.statistic[related], related)]
    besides: list[int] = related[: max(most, 0)].tolist()
    return besides


def _is_nearly_determined(codes: np.ndarray, target: int, members: Sequence[int]) -> bool:
    """Tell whether few rows differ in the target from most of those that agree with them in members."""
    counts = np.bincount(codes[target])
    most = max(_FEW_EXCEPTIONS, _SHARE_OF_EXCEPTIONS * (codes.shape[1] - counts.max()))
    # More rows have no fewer exceptions.
    for rows in (_FIRST_ROWS, codes.shape[1]):
        if _exceptions(codes[:, :rows], target, members, len(counts)) > most:
            return False
    return int(np.count_nonzero(counts)) > 1


def _exceptions(codes: np.ndarray, target: int, members: Sequence[int], levels: int) -> int:
    """Count the rows that differ in the target from most of those that agree with them in members."""
    rows = codes.shape[1]
    numbers, count = np.zeros(rows, dtype=np.int64), 1
    for member, size in zip(members, _sizes(codes, members), strict=True):
        numbers, count = numbers * size + codes[member], count * size
        if count > _MOST_CELLS_PER_ROW * rows:
            numbers, count = _renumbered(numbers, count)
    together = np.bincount(numbers * levels + codes[target], minlength=count * levels)
    agreeing = int(together.reshape(count, levels).max(axis=1).sum())
    return int(rows) - agreeing


def _sizes(codes: np.ndarray, members: Sequence[int]) -> list[int]:
    """Return the number of levels of some columns, as far as codes go."""
    sizes: list[int] = (codes[list(members)].max(axis=1).astype(np.int64) + 1).tolist()
    return sizes


def _renumbered(numbers: np.ndarray, count: int) -> tuple[np.ndarray, int]:
    """Return numbers without gaps, in the same order, and how many there are."""
    occur = np.zeros(count, dtype=np.int64)
    occur[numbers] = 1
    places = np.cumsum(occur)
    return places[numbers] - 1, int(places[-1])


def _distinct_rows(codes: np.ndarray, members: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Return where rows that differ in some columns first occur, and how often each occurs."""
    numbers, count = np.zeros(codes.shape[1], dtype=np.int64), 1
    for member, size in zip(members, _sizes(codes, members), strict=True):
        if count * size >= _MOST_NUMBERS:
            numbers = np.unique(numbers, return_inverse=True)[1]
            count = int(numbers.max()) + 1
        numbers, count = numbers * size + codes[member], count * size
    _, first, counts = np.unique(numbers, return_index=True, return_counts=True)
    return first, counts.astype(np.int64)


def _is_without_exception(counts: np.ndarray) -> bool:
    """Tell whether each combination, one a row, has one level of the target only."""
    return int(np.count_nonzero(counts)) == len(counts)


class _Patterns:
    """The rows of a table, as far as they show what determines one of its columns; equal ones counted."""

    def __init__(self, codes: np.ndarray, target: int, pool: Sequence[int]) -> None:
        at, counts = _distinct_rows(codes, (*pool, target))
        self.pool = tuple(pool)
        self._places = {member: place for place, member in enumerate(pool)}
        self._columns = codes[np.array(pool, dtype=np.int64)][:, at].astype(np.int32)
        self._sizes = self._columns.max(axis=1).astype(np.int64) + 1
        self._outcome = np.unique(codes[target, at], return_inverse=True)[1]
        self._levels = int(self._outcome.max()) + 1
        self._counts = counts
        self._rows = codes.shape[1]
        row_counts = np.arange(self._rows + 1.0)
        self._terms = row_counts * np.log(np.maximum(row_counts, 1.0))
        self._log_shares = np.log(np.bincount(self._outcome, self._counts) / self._rows)
        # What one more combination of levels costs that occurs.
        self._price = 0.5 * math.log(self._rows) * (self._levels - 1)
        # Costs of variables that join a set, by the set; NaN where none were asked for yet.
        self._costs_given: dict[Indices, np.ndarray] = {}

    @property
    def has_levels(self) -> bool:
        """Whether the target has two levels or more."""
        return self._levels > 1

    def smallest_sets(self, members: Sequence[int], pool: Sequence[int]) -> tuple[Indices, ...]:
        """List the sets of a pool that determine the target; one of members comes first, if there is one."""
        first = self._smallest_set(members) or self._smallest_set(pool)
        if first is None:
            return ()
        sets, seen = [first], {frozenset[int]()}
        waiting = [frozenset({member}) for member in first]
        while waiting and len(seen) < _MOST_SETS:
            left_out = waiting.pop(0)
            if left_out in seen:
                continue
            seen.add(left_out)
            further = self._smallest_set([candidate for candidate in pool if candidate not in left_out])
            if further is not None:
                sets.append(further)
                waiting += [left_out | {member} for member in further]
        return tuple(dict.fromkeys(tuple(sorted(candidate_set)) for candidate_set in sets))

    def is_nearly_determined(self) -> bool:
        """Tell whether some of the pool leave few exceptions, and each of them is worth its cost."""
        rarer = self._rows * (1.0 - math.exp(self._log_shares.max()))
        most = max(_FEW_EXCEPTIONS, _SHARE_OF_EXCEPTIONS * rarer)
        return any(self._rows - counts.max(axis=1).sum() <= most for _, counts in self._path(self.pool))

    def _path(self, pool: Sequence[int]) -> Iterator[tuple[Indices, np.ndarray]]:
        """Yield wider and wider sets, each with the counts by combination and level of the target.

        The next variable is the one that leaves least information. The path ends where rows are too few or
        several in a row do not pay.
        """
        inside: list[int] = []
        outside = list(pool)
        numbers = np.zeros(len(self._outcome), dtype=np.int64)
        counts = self._by_combination(numbers)
        not_worth = 0
        while len(counts) * _ROWS_PER_COMBINATION <= self._rows:
            if not not_worth or _is_without_exception(counts):
                yield tuple(inside), counts
            if not outside or not_worth == _MOST_NOT_WORTH_THEIR_COST:
                return
            inside.append(outside.pop(first_smallest(self._costs(numbers, inside, outside))))
            wider = self._wider(numbers, inside[-1])
            counts_of_wider = self._by_combination(wider)
            not_worth = (
                0 if self._is_worth_its_cost(numbers, counts, wider, counts_of_wider) else not_worth + 1
            )
            numbers, counts = wider, counts_of_wider

    def _is_worth_its_cost(
        self, numbers: np.ndarray, counts: np.ndarray, wider: np.ndarray, counts_of_wider: np.ndarray
    ) -> bool:
        """Tell whether a further variable saves more than the combinations of levels that it adds cost."""
        with_exceptions = np.count_nonzero(counts, axis=1) > 1
        before = counts[with_exceptions]
        combination_of = np.empty(len(counts_of_wider), dtype=np.int64)
        combination_of[wider] = numbers
        after = counts_of_wider[with_exceptions[combination_of]]
        return self._nats(before) - self._nats(after) > self._price * (len(after) - len(before))

    def _nats(self, counts: np.ndarray) -> float:
        """Return how many nats describe the target given combinations, one a row."""
        return float(self._terms[counts.sum(axis=1)].sum() - self._terms[counts].sum())

    def _costs(self, numbers: np.ndarray, inside: Sequence[int], outside: Sequence[int]) -> np.ndarray:
        """Return how many nats describe the target, and combinations, with each variable besides a set."""
        costs = self._costs_given.setdefault(tuple(inside), np.full(len(self.pool), np.nan))
        places = np.array([self._places[variable] for variable in outside], dtype=np.int64)
        missing = places[np.isnan(costs[places])]
        if len(missing):
            combinations = int(numbers.max()) + 1
            fill_costs(
                (numbers * self._levels + self._outcome).astype(np.int32),
                combinations,
                self._columns,
                missing,
                self._sizes,
                self._counts,
                self._terms,
                self._price,
                np.empty((int(self._sizes[missing].max()), combinations, self._levels), dtype=np.int64),
                costs,
            )
        return costs[places]

    def _smallest_set(self, pool: Sequence[int]) -> Indices | None:
        """Return a set that determines the target and of which nothing can be left out; None without one."""
        for inside, counts in self._path(pool):
            if _is_without_exception(counts):
                return self._without_needless(inside, counts)
        return None

    def _without_needless(self, inside: Indices, counts: np.ndarray) -> Indices | None:
        """Leave out what is not needed to determine the target; None where too few rows show the rest."""
        for removed in inside[::-1]:
            fewer = tuple(member for member in inside if member != removed)
            counts_of_fewer = self._counts_given(fewer)
            if _is_without_exception(counts_of_fewer):
                inside, counts = fewer, counts_of_fewer
        return inside if self._is_shown(counts) else None

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
        return _renumbered(numbers, int(numbers.max()) + 1)[0]

    def _by_combination(self, numbers: np.ndarray) -> np.ndarray:
        """Count the rows of each combination by level of the target."""
        count = int(numbers.max()) + 1
        together = np.bincount(numbers * self._levels + self._outcome, self._counts, count * self._levels)
        return together.astype(np.int64).reshape(count, self._levels)

    def _counts_given(self, members: Iterable[int]) -> np.ndarray:
        numbers = np.zeros(len(self._outcome), dtype=np.int64)
        for member in members:
            numbers = self._wider(numbers, member)
        return self._by_combination(numbers)
