"""The best graph of variables that are blocks of columns: by the order of the variables.

The search is that of :mod:`engine.boundaries.score_search`: one variable after another is moved to the place
in the order that suits all best, and parents are found by growing and shrinking (Andrews, Ramsey,
Sanchez-Romero, Camchong and Kummerfeld 2023, Fast scalable and accurate discovery of DAGs using the best
order score search and grow-shrink trees, NeurIPS 36). What an arrow adds is the difference of log
determinants that a Gaussian model of the blocks gains by it (:mod:`engine.independence.data`), less its
penalty.

Such a search ends where no single variable moves any more, far below the best order where nearly everything
hangs together. So it begins anew from the best order so far, with a few variables moved to any places
(iterated local search: Lourenço, Martin and Stützle 2003, Handbook of Metaheuristics, Kluwer, 321-353). Each
order at which it ends also says what it costs to turn an arrow.

Candidates for parents are the variables that a regression of one on all others takes in, the one that adds
most first: parents, children and their other parents are among them (Friedman, Nachman and Pe'er 1999,
Learning Bayesian network structure from massive datasets: the "sparse candidate" algorithm, UAI, 206-215).

In the kernels, sets of candidates of a variable are bits of a number.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from itertools import compress
from typing import NamedTuple

import numpy as np

from engine.boundaries.score_search import Price
from engine.compiled.decorators import counting_kernel, counting_part, merged_part
from engine.errors import Cancelled
from engine.independence.data import BlockFits
from engine.independence.set_fits import ROWS_PER_COLUMN

# A regression on all others takes in no more.
MOST_TAKEN_IN = 40
# What is left of a column of which others leave less is rounding error.
_DETERMINED = 1e-10
# What a change adds to the score beyond this share of it is no rounding error.
ROUNDING = 1e-9
MOST_PARENTS = 12
# Odd, near 2^64 over the golden ratio: neighbouring keys end up far apart (Knuth 1998, section 6.4).
_SPREADING = np.int64(-7046029254386353131)
# What is kept of a set: what candidates add beside it, the best parents in it, what shrinking leaves of it.
_BESIDE, _BEST, _SHRUNK, _KINDS = 0, 1, 2, 3


class Blocks(NamedTuple):
    """Blocks of columns, and what their score is made of."""

    products: np.ndarray
    first: np.ndarray
    widths: np.ndarray
    leading: np.ndarray
    weight: float
    rows: float
    of_dof: float
    of_arrow: float
    most_columns: float
    most_work: int


class Working(NamedTuple):
    """Room for what members leave of the blocks of other variables; of all columns, and of leading ones.

    `factor` holds for each column a row of the factor by which members were taken out, `own` what they leave
    of each block, `cross` of its products with the block of the end; `used` says how many columns were taken
    out. `listed` and `gains` are of variables that are tried, `chosen` the members, `places` of places in the
    order; `work` counts variables, tried or chosen, by the columns of those chosen.
    """

    factor: np.ndarray
    own: np.ndarray
    cross: np.ndarray
    used: np.ndarray
    joint: np.ndarray
    chosen: np.ndarray
    listed: np.ndarray
    gains: np.ndarray
    places: np.ndarray
    work: np.ndarray


class Kept(NamedTuple):
    """What is remembered of sets of candidates, by a hash table without chains."""

    codes: np.ndarray
    sets: np.ndarray
    members: np.ndarray
    worths: np.ndarray
    places: np.ndarray
    beside: np.ndarray
    gains: np.ndarray
    counts: np.ndarray
    used: np.ndarray


class Scoring(NamedTuple):
    """A score of graphs with room to work it out; candidates are those of a ``GraphScore``."""

    blocks: Blocks
    working: Working
    kept: Kept
    candidates: tuple[np.ndarray, np.ndarray, np.ndarray]


@counting_kernel
def take_in(
    blocks: Blocks, working: Working, taken_in: np.ndarray, alone: np.ndarray, stop: np.ndarray
) -> None:
    """Mark for each variable what a regression on all others takes in, the one that adds most first."""
    count = blocks.widths.shape[0]
    for end in range(count):
        if stop[0]:
            return
        listed = 0
        for other in range(count):
            if other != end:
                working.listed[listed] = other
                listed += 1
        _begin(blocks, working, end, listed)
        columns = blocks.widths[end]
        for turn in range(MOST_TAKEN_IN):
            _fill_gains(blocks, working, end, listed, columns)
            best = 0
            for number in range(listed if turn == 0 else 0):
                alone[end, working.listed[number]] = working.gains[number]
            for number in range(1, listed):
                if working.gains[number] > working.gains[best]:
                    best = number
            if listed == 0 or not working.gains[best] > 0.0:
                break
            member = working.listed[best]
            taken_in[end, member] = True
            columns += blocks.widths[member]
            listed -= 1
            for number in range(best, listed):
                working.listed[number] = working.listed[number + 1]
            _take_out(blocks, working, member, end, listed, 0, 0)


@counting_part
def _begin(blocks: Blocks, working: Working, end: int, listed: int) -> None:
    """Write the products of some variables with themselves and with the end, from which nothing is taken."""
    for kind in range(2):
        working.used[kind] = 0
        for number in range(listed + 1):
            start = end if number == listed else working.listed[number]
            begin, begin_end = blocks.first[start], blocks.first[end]
            for row in range(blocks.widths[start]):
                for column in range(blocks.widths[start]):
                    working.own[kind, start, row, column] = blocks.products[begin + row, begin + column]
                for column in range(blocks.widths[end]):
                    left = blocks.products[begin + row, begin_end + column]
                    working.cross[kind, start, row, column] = left


@counting_part
def _take_out(
    blocks: Blocks, working: Working, member: int, end: int, listed: int, later: int, chosen: int
) -> None:
    """Take a member out of the end, of some variables, and of the members that are taken out later."""
    for kind in range(2):
        counts = blocks.leading if kind else blocks.widths
        begin, begin_end = blocks.first[member], blocks.first[end]
        for column in range(begin, begin + counts[member]):
            used = working.used[kind]
            factor = working.factor[kind]
            pivot = _left(blocks.products, factor, column, column, used)
            scale = 1.0 / math.sqrt(pivot) if pivot > _DETERMINED else 0.0
            for row in range(column + 1, begin + counts[member]):
                factor[row, used] = scale * _left(blocks.products, factor, row, column, used)
            for place in range(later, chosen):
                other = working.chosen[place]
                for row in range(blocks.first[other], blocks.first[other] + counts[other]):
                    factor[row, used] = scale * _left(blocks.products, factor, row, column, used)
            for row in range(begin_end, begin_end + counts[end]):
                factor[row, used] = scale * _left(blocks.products, factor, row, column, used)
            for number in range(listed + 1):
                start = end if number == listed else working.listed[number]
                first = blocks.first[start]
                for row in range(counts[start] if number < listed else 0):
                    factor[first + row, used] = scale * _left(
                        blocks.products, factor, first + row, column, used
                    )
                own, cross = working.own[kind, start], working.cross[kind, start]
                for row in range(counts[start]):
                    share = factor[first + row, used]
                    for other in range(counts[start]):
                        own[row, other] -= share * factor[first + other, used]
                    for other in range(counts[end]):
                        cross[row, other] -= share * factor[begin_end + other, used]
            working.used[kind] = used + 1


@merged_part
def _left(products: np.ndarray, factor: np.ndarray, row: int, column: int, used: int) -> float:
    left: float = products[row, column]
    for before in range(used):
        left -= factor[row, before] * factor[column, before]
    return left


@counting_part
def _fill_gains(blocks: Blocks, working: Working, end: int, listed: int, columns: int) -> None:
    """Write what an arrow from each of some variables to the end adds beside what was taken out."""
    for number in range(listed):
        is_borne = columns + blocks.widths[working.listed[number]] <= blocks.most_columns
        working.gains[number] = -blocks.of_arrow if is_borne else -np.inf
    for kind in range(2):
        counts = blocks.leading if kind else blocks.widths
        weight = 1.0 - blocks.weight if kind else blocks.weight
        log_end = _log_determinant(working.own[kind, end], working.joint, counts[end])
        for number in range(listed):
            start = working.listed[number]
            if working.gains[number] > -np.inf:
                dof = counts[start] * counts[end]
                statistic = blocks.rows * _log_ratio(
                    working.own[kind, start],
                    working.own[kind, end],
                    working.cross[kind, start],
                    working.joint,
                    (counts[start], counts[end]),
                    log_end,
                )
                working.gains[number] += weight * (statistic - blocks.of_dof * dof)


@counting_part
def _log_ratio(
    start: np.ndarray,
    end: np.ndarray,
    cross: np.ndarray,
    joint: np.ndarray,
    widths: tuple[int, int],
    log_end: float,
) -> float:
    """Return how much less two blocks leave of one another than of themselves, as a logarithm."""
    width, width_end = widths
    if width == 1 and width_end == 1:
        if start[0, 0] <= _DETERMINED or end[0, 0] <= _DETERMINED:
            return 0.0
        share = cross[0, 0] * cross[0, 0] / (start[0, 0] * end[0, 0])
        return -math.log(max(1.0 - share, _DETERMINED))
    log_start = _log_determinant(start, joint, width)
    for row in range(width):
        for column in range(row, width):
            joint[row, column] = start[row, column]
        for column in range(width_end):
            joint[row, width + column] = cross[row, column]
    for row in range(width_end):
        for column in range(row, width_end):
            joint[width + row, width + column] = end[row, column]
    return max(log_start + log_end - _log_eliminated(joint, width + width_end), 0.0)


@counting_part
def _log_determinant(block: np.ndarray, joint: np.ndarray, width: int) -> float:
    for row in range(width):
        for column in range(row, width):
            joint[row, column] = block[row, column]
    return _log_eliminated(joint, width)


@counting_part
def _log_eliminated(block: np.ndarray, width: int) -> float:
    """Return the log determinant of a block given above its diagonal, which is overwritten."""
    log = 0.0
    for pivot in range(width):
        remaining = block[pivot, pivot]
        log += math.log(max(remaining, _DETERMINED))
        if remaining > _DETERMINED:
            for row in range(pivot + 1, width):
                factor = block[pivot, row] / remaining
                for column in range(row, width):
                    block[row, column] -= factor * block[pivot, column]
    return log


@counting_kernel
def settle(
    scoring: Scoring,
    orders: tuple[np.ndarray, np.ndarray, np.ndarray],
    is_moved: np.ndarray,
    arrows: np.ndarray,
    score: np.ndarray,
    stop: np.ndarray,
) -> None:
    """Move one variable after another to its best place, until all stay; write the arrows and their score.

    `orders` are the order to begin with, which is overwritten; the place of each variable in it, n where it
    is in none; and room for a copy of the order.
    """
    listed, _, counts = scoring.candidates
    order, where, rounds = orders
    count = order.shape[0]
    moving, staying = 0, 0
    for each in order:
        moving += is_moved[each]
    while staying < moving:
        for turn in range(count):
            rounds[turn] = order[turn]
        for turn in range(count):
            if stop[0] or scoring.working.work[0] > scoring.blocks.most_work:
                return
            number = rounds[turn]
            if not is_moved[number]:
                continue
            place = _best_place(scoring, order, where, number)
            if place == where[number]:
                staying += 1
            else:
                _put(order, where, number, place)
                staying = 1
            if staying >= moving:
                break
    score[0] = 0.0
    for each in order:
        allowed = 0
        for bit in range(counts[each]):
            if where[listed[each, bit]] < where[each]:
                allowed |= 1 << bit
        members, worth = _best_parents(scoring, each, allowed)
        score[0] += worth
        for bit in range(counts[each]):
            if members >> bit & 1:
                arrows[listed[each, bit], each] = True


@counting_part
def _put(order: np.ndarray, where: np.ndarray, number: int, place: int) -> None:
    """Move a variable to another place in the order."""
    step = 1 if place > where[number] else -1
    for there in range(where[number], place, step):
        order[there] = order[there + step]
        where[order[there]] = there
    order[place] = number
    where[number] = place


@counting_kernel
def weigh_places(
    scoring: Scoring, order: np.ndarray, where: np.ndarray, worths: np.ndarray, stop: np.ndarray
) -> None:
    """Write what each variable adds to the score at each place in the order; of shape (n, n)."""
    for turn in range(order.shape[0]):
        if stop[0]:
            return
        _fill_worths(scoring, order, where, order[turn], worths[turn])


@counting_part
def _best_place(scoring: Scoring, order: np.ndarray, where: np.ndarray, number: int) -> int:
    """Return the place at which a variable adds most to the score: its own, unless another is better."""
    worths = scoring.working.places
    largest = _fill_worths(scoring, order, where, number, worths)
    best = 0
    for place in range(1, order.shape[0]):
        # Of places that are as good the first is taken, whatever sums in another order differ by.
        if worths[place] > worths[best] + ROUNDING * max(abs(worths[best]), largest):
            best = place
    at_own = worths[where[number]]
    if worths[best] > at_own + ROUNDING * max(abs(at_own), largest):
        return best
    return int(where[number])


@counting_part
def _fill_worths(
    scoring: Scoring, order: np.ndarray, where: np.ndarray, number: int, worths: np.ndarray
) -> float:
    """Write what a variable adds to the score at each place in the order; return the largest term taken off.

    What the variable has of those before it, and those before it miss of what they have with it before them.
    """
    listed, numbers, counts = scoring.candidates
    _, worth = _best_parents(scoring, number, 0)
    missed, place, allowed = 0.0, 0, 0
    worths[0] = worth
    for turn in range(order.shape[0]):
        other = order[turn]
        if other == number:
            continue
        bit = numbers[other, number]
        if bit >= 0:
            earlier = 0
            for each in range(counts[other]):
                if each != bit and where[listed[other, each]] < where[other]:
                    earlier |= 1 << each
            _, with_it = _best_parents(scoring, other, earlier | 1 << bit)
            _, without = _best_parents(scoring, other, earlier)
            missed += with_it - without
        if numbers[number, other] >= 0:
            allowed |= 1 << numbers[number, other]
            _, worth = _best_parents(scoring, number, allowed)
        place += 1
        worths[place] = worth - missed
    return missed


@counting_part
def _best_parents(scoring: Scoring, end: int, allowed: int) -> tuple[int, float]:
    """Return the best parents of a variable among some candidates as a set of bits, and what they add."""
    if allowed == 0:
        return 0, 0.0
    kept = scoring.kept
    place = _found(kept, end * _KINDS + _BEST, allowed)
    if kept.codes[place] >= 0:
        return kept.members[place], kept.worths[place]
    members, worth = 0, 0.0
    for _ in range(MOST_PARENTS):
        row = _beside(scoring, end, members)
        bit, gain = -1, 0.0
        for number in range(kept.counts[row]):
            if allowed >> kept.beside[row, number] & 1:
                bit, gain = kept.beside[row, number], kept.gains[row, number]
                break
        if gain <= ROUNDING * worth:
            break
        members |= 1 << bit
        worth += gain
    members, cost = _shrunk(scoring, end, members)
    worth -= cost
    place = _new(kept, end * _KINDS + _BEST, allowed)
    kept.members[place], kept.worths[place] = members, worth
    return members, worth


@counting_part
def _shrunk(scoring: Scoring, end: int, grown: int) -> tuple[int, float]:
    """Return what is left of parents once those have left that cost more than they add, and their cost."""
    if grown & (grown - 1) == 0:
        return grown, 0.0
    kept, working = scoring.kept, scoring.working
    place = _found(kept, end * _KINDS + _SHRUNK, grown)
    if kept.codes[place] >= 0:
        return kept.members[place], kept.worths[place]
    counts = scoring.candidates[2]
    members, cost = grown, 0.0
    while members & (members - 1):
        least, leaving = 0.0, -1
        for bit in range(counts[end]):
            if members >> bit & 1:
                columns = _beside_parents(scoring, end, members ^ (1 << bit), 1 << bit)
                _fill_gains(scoring.blocks, working, end, 1, columns)
                if -np.inf < working.gains[0] < least:
                    least, leaving = working.gains[0], bit
        if leaving < 0:
            break
        members ^= 1 << leaving
        cost += least
    place = _new(kept, end * _KINDS + _SHRUNK, grown)
    kept.members[place], kept.worths[place] = members, cost
    return members, cost


@counting_part
def _beside(scoring: Scoring, end: int, members: int) -> int:
    """Return where it is kept which candidates add to some parents, the one that adds most first."""
    kept, working = scoring.kept, scoring.working
    place = _found(kept, end * _KINDS + _BESIDE, members)
    if kept.codes[place] >= 0:
        return int(kept.places[place])
    _, numbers, counts = scoring.candidates
    others = ((1 << counts[end]) - 1) ^ members
    columns = _beside_parents(scoring, end, members, others)
    tried = 0
    for bit in range(counts[end]):
        tried += others >> bit & 1
    _fill_gains(scoring.blocks, working, end, tried, columns)
    place = _new(kept, end * _KINDS + _BESIDE, members)
    row = kept.used[1]
    kept.used[1] += 1
    kept.places[place] = row
    length = 0
    for number in range(tried):
        gain = working.gains[number]
        if gain > 0.0:
            there = length
            while there > 0 and kept.gains[row, there - 1] < gain:
                kept.gains[row, there] = kept.gains[row, there - 1]
                kept.beside[row, there] = kept.beside[row, there - 1]
                there -= 1
            kept.gains[row, there] = gain
            kept.beside[row, there] = numbers[end, working.listed[number]]
            length += 1
    kept.counts[row] = length
    return int(row)


@counting_part
def _beside_parents(scoring: Scoring, end: int, members: int, others: int) -> int:
    """Take parents out of a variable and of other candidates; return the columns of it and of the parents."""
    blocks, working = scoring.blocks, scoring.working
    candidates, counts = scoring.candidates[0][end], scoring.candidates[2]
    chosen, listed, columns = 0, 0, blocks.widths[end]
    for bit in range(counts[end]):
        if members >> bit & 1:
            working.chosen[chosen] = candidates[bit]
            columns += blocks.widths[candidates[bit]]
            chosen += 1
        elif others >> bit & 1:
            working.listed[listed] = candidates[bit]
            listed += 1
    _begin(blocks, working, end, listed)
    for place in range(chosen):
        _take_out(blocks, working, working.chosen[place], end, listed, place + 1, chosen)
    working.work[0] += (listed + chosen) * columns
    return int(columns)


@counting_part
def _found(kept: Kept, code: int, members: int) -> int:
    """Return where a set is kept, or where there is room for it."""
    last = kept.codes.shape[0] - 1
    spread = (members * _SPREADING ^ code) * _SPREADING
    place = (spread >> 20) & last
    while kept.codes[place] >= 0 and (kept.codes[place] != code or kept.sets[place] != members):
        place = (place + 1) & last
    return int(place)


@counting_part
def _new(kept: Kept, code: int, members: int) -> int:
    """Return where a set is kept from now on; where too many are, all are forgotten."""
    if 2 * kept.used[0] >= kept.codes.shape[0] or kept.used[1] >= kept.counts.shape[0]:
        kept.codes[:] = -1
        kept.used[:] = 0
    place = _found(kept, code, members)
    kept.codes[place], kept.sets[place] = code, members
    kept.used[0] += 1
    return int(place)


# Candidates of a variable, as bits of a number with a sign.
_MOST_CANDIDATES = 62
# Columns of a table, and columns of which a block is freed at once: what memory and time bear.
_MOST_COLUMNS, _MOST_TAKEN_OUT = 2000, 400
# A search that weighs more for each variable is given up, after 20 milliseconds for each: nearly everything
# hangs together there, as where all share what is unmeasured, and no graph with few arrows says how. With
# more rows than these, more arrows are worth their price and tests take longer: so it may weigh more.
_MOST_WORK, _ROWS_OF_MOST_WORK = 2**18, 4000.0
# So often a search begins anew, with one in so many variables moved: many and few in turn.
_NEW_BEGINNINGS, _ONE_IN_MOVED = 16, (4, 16)
# Once with these candidates, and once with what is two edges away in the graph.
_ROUNDS = 2
# Sets that are remembered, and sets beside which it is remembered what each candidate adds.
_MOST_KEPT, _MOST_BESIDE = 2**17, 2**14


class GraphScore(NamedTuple):
    """What a search weighs graphs by, and what it remembers."""

    blocks: Blocks
    near: np.ndarray  # (n, n): which variables could be a parent of which
    # of each variable (n, most), the bit of each (n, n), -1 of what is none, and how many
    candidates: tuple[np.ndarray, np.ndarray, np.ndarray]
    kept: Kept

    def with_room(self, working: Working) -> Scoring:
        """Return what kernels are given."""
        return Scoring(self.blocks, working, self.kept, self.candidates)


class BlockGraph(NamedTuple):
    """A graph without circles."""

    parents: dict[int, tuple[int, ...]]  # by position; both in an order of causes before effects
    variables: tuple[int, ...]  # positions
    order: tuple[int, ...]  # their numbers in that order
    score: GraphScore
    # how much lower the score is, at most, with the end of an arrow before its start
    margins: dict[tuple[int, int], float]

    def boundary(self, variable: int) -> set[int]:
        """Return the parents and children of a variable, and the other parents of these."""
        children = self.children(variable)
        parents = (start for child in children for start in self.parents[child])
        return {*self.parents[variable], *children, *parents} - {variable}

    def without(self, left_out: Collection[int]) -> BlockGraph:
        """Return the graph without the arrows from and to some variables."""
        parents = {
            end: tuple([each for each in starts if each not in left_out])
            for end, starts in self.parents.items()
            if end not in left_out
        }
        return self._replace(parents=parents)

    def standing_for(self, variable: int, copy: int) -> BlockGraph:
        """Return the graph with a variable in the place of a copy of it."""

        def named(position: int) -> int:
            return variable if position == copy else position

        parents = {named(end): tuple(map(named, starts)) for end, starts in self.parents.items()}
        margins = {(named(start), named(end)): margin for (start, end), margin in self.margins.items()}
        return self._replace(parents=parents, variables=tuple(map(named, self.variables)), margins=margins)

    def children(self, variable: int) -> list[int]:
        """List the variables to which arrows lead from one."""
        return [end for end, starts in self.parents.items() if variable in starts]


def best_graph(
    fits: BlockFits,
    price: Price,
    variables: Sequence[int],
    stop: np.ndarray,
) -> BlockGraph | None:
    """Find the graph of some variables that scores best."""
    if int(np.diff(fits.first)[variables].sum()) > _MOST_COLUMNS:
        return None
    blocks = _blocks_of(fits, price, np.array(variables, dtype=np.int64))
    near, alone = _taken_in(blocks, stop)
    # By what others add: whatever the order of the columns is.
    order = np.argsort(-np.maximum(alone, 0.0).sum(axis=1), kind="stable")
    all_are_moved = np.ones(len(variables), dtype=np.bool_)
    work = 0
    for _ in range(_ROUNDS):
        candidates = _candidates(near, alone)
        score = GraphScore(blocks, near, candidates, _kept(candidates[0].shape[1]))
        working = _working(blocks)
        ended = _settled(score, order, all_are_moved, working, stop)
        if ended is None:
            return None
        work += int(working.work[0])
        first, order = ended, ended.order
        wider = near | _at_two_edges(ended.arrows)
        if (wider == near).all():
            break
        near = wider
    best, ends = _ends(score._replace(blocks=blocks._replace(most_work=work)), first, stop)
    graph = _with_margins(_graph(score, tuple(variables), best), stop)
    return graph._replace(margins=_margins_beside(graph, best.score, ends))


def best_graph_without(
    graph: BlockGraph, left_out: Collection[int], centre: int, stop: np.ndarray
) -> BlockGraph | None:
    """Find the best graph of what is left of the variables of another, as far as it is near one of them.

    The search begins with the order of the graph, and moves only what is near the centre.
    """
    order = np.array([each for each in graph.order if graph.variables[each] not in left_out])
    number = graph.variables.index(centre)
    is_moved = graph.score.near[number].copy()
    is_moved[number] = True
    # Searches run at the same time, and each goes on remembering by itself.
    score = graph.score._replace(kept=Kept(*(each.copy() for each in graph.score.kept)))
    ended = _settled(score, order, is_moved, _working(score.blocks), stop)
    return None if ended is None else _with_margins(_graph(score, graph.variables, ended), stop)


def _taken_in(blocks: Blocks, stop: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Tell which variables regressions on all others take in, and what each arrow adds without any other."""
    count = len(blocks.widths)
    taken_in, alone = np.zeros((count, count), dtype=np.bool_), np.zeros((count, count))
    take_in(blocks, _working(blocks), taken_in, alone, stop)
    return taken_in | taken_in.T, alone


class _End(NamedTuple):
    """Where a search ends: an order, its arrows, and what these add."""

    order: np.ndarray
    arrows: np.ndarray
    score: float


def _settled(
    score: GraphScore, order: np.ndarray, is_moved: np.ndarray, working: Working, stop: np.ndarray
) -> _End | None:
    """Bring variables into their best order, beginning with one; None if given up. Others have no arrows."""
    count = len(is_moved)
    arrows, total = np.zeros((count, count), dtype=np.bool_), np.zeros(1)
    order, where = order.copy(), np.full(count, count)
    where[order] = np.arange(len(order))
    orders = order, where, order.copy()
    settle(score.with_room(working), orders, is_moved, arrows, total, stop)
    if stop[0]:
        raise Cancelled()
    if working.work[0] > score.blocks.most_work:
        return None
    return _End(order, arrows, float(total[0]))


def _ends(score: GraphScore, first: _End, stop: np.ndarray) -> tuple[_End, list[_End]]:
    """Search again from the best order so far, with some variables moved to any places.

    Returned are the best end and all ends, as many as the work bears that the score says.
    """
    best, ends = first, [first]
    working, generator = _working(score.blocks), np.random.default_rng(0)
    count = len(first.order)
    for turn in range(_NEW_BEGINNINGS):
        share = _ONE_IN_MOVED[turn % len(_ONE_IN_MOVED)]
        moved = generator.permutation(count)[: math.ceil(count / share)]
        remaining = np.delete(best.order, moved)
        places = generator.integers(len(remaining) + 1, size=len(moved))
        order = np.insert(remaining, places, best.order[moved])
        ended = _settled(score, order, np.ones(count, dtype=np.bool_), working, stop)
        if ended is None:
            break
        ends.append(ended)
        if ended.score > best.score + ROUNDING * abs(best.score):
            best = ended
    return best, ends


def _margins_beside(graph: BlockGraph, score: float, ends: Iterable[_End]) -> dict[tuple[int, int], float]:
    """Return the margins of a graph, at most what other ends of the search score less that turn an arrow."""
    numbers = {position: number for number, position in enumerate(graph.variables)}
    margins = graph.margins.copy()
    # Of more causes than a variable may have as parents some are its children, and which of them is chance.
    is_full = {end: len(starts) >= MOST_PARENTS for end, starts in graph.parents.items()}
    for ended in ends:
        for start, end in margins:
            if ended.arrows[numbers[end], numbers[start]] and not is_full[end]:
                margins[start, end] = min(margins[start, end], score - ended.score)
    return margins


def _graph(score: GraphScore, names: tuple[int, ...], ended: _End) -> BlockGraph:
    """Return the graph by positions."""
    order = ended.order
    positions = [names[each] for each in order.tolist()]
    starts = ended.arrows[order][:, order]
    parents = {end: tuple(compress(positions, starts[:, place])) for place, end in enumerate(positions)}
    return BlockGraph(parents, names, tuple(order.tolist()), score, {})


def _with_margins(graph: BlockGraph, stop: np.ndarray) -> BlockGraph:
    """Say how much lower the score is where the end of an arrow comes before its start.

    Either of the two is moved in the order, whichever costs less, and all else stays. To move others as well
    could cost less still.
    """
    order = np.array(graph.order, dtype=np.int64)
    where = np.full(len(graph.variables), len(graph.variables))
    where[order] = np.arange(len(order))
    worths = np.empty((len(order), len(order)))
    score = graph.score
    weigh_places(score.with_room(_working(score.blocks)), order, where, worths, stop)
    if stop[0]:
        raise Cancelled()
    # The best place up to each one, and from each one on.
    earlier = np.maximum.accumulate(worths, axis=1)
    later = np.maximum.accumulate(worths[:, ::-1], axis=1)[:, ::-1]
    places = {graph.variables[number]: place for place, number in enumerate(graph.order)}
    margins = {}
    for end, starts in graph.parents.items():
        at_end = places[end]
        for start in starts:
            at_start = places[start]
            end_earlier = worths[at_end, at_end] - earlier[at_end, at_start]
            start_later = worths[at_start, at_start] - later[at_start, at_end]
            margins[start, end] = float(min(end_earlier, start_later))
    return graph._replace(margins=margins)


def _at_two_edges(arrows: np.ndarray) -> np.ndarray:
    """Tell which variables are at most two edges apart."""
    edges = (arrows | arrows.T).astype(np.float32)
    near: np.ndarray = edges + edges @ edges > 0
    np.fill_diagonal(near, False)
    return near


def _blocks_of(fits: BlockFits, price: Price, variables: np.ndarray) -> Blocks:
    widths = np.diff(fits.first)[variables]
    columns = np.concatenate([np.arange(fits.first[each], fits.first[each + 1]) for each in variables])
    return Blocks(
        fits.products_at(columns),
        np.concatenate(([0], np.cumsum(widths))).astype(np.int64),
        widths.astype(np.int64),
        fits.leading[variables].astype(np.int64),
        fits.weight,
        fits.rows,
        price.of_dof,
        price.of_arrow,
        # Always a float: where it was an integer, numba compiled everything a second time.
        float(min(fits.rows / ROWS_PER_COLUMN, _MOST_TAKEN_OUT)),
        int(_MOST_WORK * len(variables) * max(fits.rows / _ROWS_OF_MOST_WORK, 1.0)),
    )


def _working(blocks: Blocks) -> Working:
    count, columns, widest = len(blocks.widths), len(blocks.products), int(blocks.widths.max(initial=1))
    room = min(widest * (MOST_TAKEN_IN + 1), int(blocks.most_columns) + 1)
    return Working(
        np.empty((2, columns, room)),
        np.empty((2, count, widest, widest)),
        np.empty((2, count, widest, widest)),
        np.zeros(2, dtype=np.int64),
        np.empty((2 * widest, 2 * widest)),
        np.empty(MOST_TAKEN_IN + 1, dtype=np.int64),
        np.empty(count, dtype=np.int64),
        np.empty(count),
        np.empty(count),
        np.zeros(1, dtype=np.int64),
    )


def _kept(most_candidates: int) -> Kept:
    return Kept(
        np.full(_MOST_KEPT, -1, dtype=np.int64),
        np.empty(_MOST_KEPT, dtype=np.int64),
        np.empty(_MOST_KEPT, dtype=np.int64),
        np.empty(_MOST_KEPT),
        np.empty(_MOST_KEPT, dtype=np.int64),
        np.empty((_MOST_BESIDE, most_candidates), dtype=np.int64),
        np.empty((_MOST_BESIDE, most_candidates)),
        np.empty(_MOST_BESIDE, dtype=np.int64),
        np.zeros(2, dtype=np.int64),
    )


def _candidates(near: np.ndarray, alone: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """List the candidates of each variable, the bit of each, and how many there are."""
    count = len(near)
    counts = np.minimum(near.sum(axis=1), _MOST_CANDIDATES).astype(np.int64)
    candidates = np.zeros((count, max(int(counts.max(initial=1)), 1)), dtype=np.int64)
    bits = np.full((count, count), -1, dtype=np.int64)
    strongest_first = np.argsort(np.where(near, -alone, np.inf), axis=1, kind="stable")
    for end, number in enumerate(counts.tolist()):
        candidates[end, :number] = strongest_first[end, :number]
        bits[end, candidates[end, :number]] = np.arange(number)
    return candidates, bits, counts
