"""The best order of variables that are blocks of columns: kernels of :mod:`engine.boundaries.block_graphs`.

Sets of candidates of a variable are bits of a number.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from engine.compiled.decorators import counting_kernel, counting_part, int64, merged_part

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

    The columns of members, of the end, and of variables that are tried lie side by side, so that each step
    goes through all of them at once. `begin` says where those of a variable begin, `column` which column
    of the table each is, `total` how many there are, and `widest` how many the widest block has. `factor`
    holds for each column that was taken out what it shares with all, and `used` says how many these are.
    `own` holds what is left of the product of each column and the one so many places on, which counts within
    a block, and `cross` what is left of its products with the block of the end. `listed` and `gains` are of
    variables that are tried, `chosen` the members, `places` of places in the order; `work` counts variables,
    tried or chosen, by the columns of those chosen.
    """

    begin: np.ndarray
    column: np.ndarray
    total: np.ndarray
    widest: np.ndarray
    factor: np.ndarray
    used: np.ndarray
    own: np.ndarray
    cross: np.ndarray
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
        for start in range(count):
            if start != end:
                working.listed[listed] = start
                listed += 1
        _begin(blocks, working, end, listed, 0)
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
            _take_out(blocks, working, member, end)


@counting_part
def _begin(blocks: Blocks, working: Working, end: int, listed: int, chosen: int) -> None:
    """Lay out the columns, and write the products from which nothing is taken yet."""
    for kind in range(2):
        counts = blocks.leading if kind else blocks.widths
        column = working.column[kind]
        total, widest = int64(0), int64(0)
        for number in range(chosen + 1 + listed):
            variable = end
            if number < chosen:
                variable = working.chosen[number]
            elif number > chosen:
                variable = working.listed[number - chosen - 1]
            working.begin[kind, variable] = total
            widest = max(widest, counts[variable])
            for place in range(counts[variable]):
                column[total] = blocks.first[variable] + place
                total += 1
        working.total[kind], working.widest[kind], working.used[kind] = total, widest, 0
        begin_end = working.begin[kind, end]
        for apart in range(widest):
            own = working.own[kind, apart]
            for place in range(begin_end, total - apart):
                own[place] = blocks.products[column[place], column[place + apart]]
        for number in range(counts[end]):
            cross, column_end = working.cross[kind, number], column[begin_end + number]
            for place in range(begin_end, total):
                cross[place] = blocks.products[column[place], column_end]


@counting_part
def _take_out(blocks: Blocks, working: Working, member: int, end: int) -> None:
    """Take a member out of the columns that come after it and, if it comes after the end, of all."""
    for kind in range(2):
        counts = blocks.leading if kind else blocks.widths
        total, column, factor = working.total[kind], working.column[kind], working.factor[kind]
        begin, begin_end = working.begin[kind, member], working.begin[kind, end]
        first = begin if begin < begin_end else 0
        for place in range(begin, begin + counts[member]):
            used = working.used[kind]
            out = column[place]
            shares = factor[used, first:total]
            for number in range(shares.shape[0]):
                shares[number] = blocks.products[column[first + number], out]
            for before in range(used):
                _subtract(shares, factor[before, first:total], factor[before, place])
            pivot = shares[place - first]
            scale = 1.0 / math.sqrt(pivot) if pivot > _DETERMINED else 0.0
            for number in range(shares.shape[0]):
                shares[number] *= scale
            left = factor[used, begin_end:total]
            for apart in range(working.widest[kind]):
                _subtract_products(working.own[kind, apart, begin_end:total], left, apart)
            for number in range(counts[end]):
                _subtract(working.cross[kind, number, begin_end:total], left, left[number])
            working.used[kind] = used + 1


@merged_part
def _subtract(target: np.ndarray, line: np.ndarray, share: float) -> None:
    for place in range(target.shape[0]):
        target[place] -= line[place] * share


@merged_part
def _subtract_products(target: np.ndarray, line: np.ndarray, apart: int) -> None:
    """Subtract from each place the product of a number and of the one so many places on."""
    further = line[apart:]
    for place in range(further.shape[0]):
        target[place] -= line[place] * further[place]


@counting_part
def _fill_gains(blocks: Blocks, working: Working, end: int, listed: int, columns: int) -> None:
    """Write what an arrow from each of some variables to the end adds beside what was taken out."""
    for number in range(listed):
        is_borne = columns + blocks.widths[working.listed[number]] <= blocks.most_columns
        working.gains[number] = -blocks.of_arrow if is_borne else -np.inf
    for kind in range(2):
        counts = blocks.leading if kind else blocks.widths
        weight = 1.0 - blocks.weight if kind else blocks.weight
        begin_end, width_end = working.begin[kind, end], counts[end]
        _copy_block(working, kind, begin_end, width_end, int64(0))
        log_end, _ = _log_eliminated(working.joint, width_end, width_end)
        for number in range(listed):
            start = working.listed[number]
            if working.gains[number] > -np.inf:
                begin, width = working.begin[kind, start], counts[start]
                ratio = _log_ratio(working, kind, (begin, begin_end), (width, width_end), log_end)
                working.gains[number] += weight * (blocks.rows * ratio - blocks.of_dof * (width * width_end))


@counting_part
def _log_ratio(
    working: Working, kind: int, begins: tuple[int, int], widths: tuple[int, int], log_end: float
) -> float:
    """Return how much less two blocks leave of one another than of themselves, as a logarithm."""
    begin, begin_end = begins
    width, width_end = widths
    cross, joint = working.cross[kind], working.joint
    if width == 1 and width_end == 1:
        left, left_end = working.own[kind, 0, begin], working.own[kind, 0, begin_end]
        if left <= _DETERMINED or left_end <= _DETERMINED:
            return 0.0
        share = cross[0, begin] * cross[0, begin] / (left * left_end)
        return -math.log(max(1.0 - share, _DETERMINED))
    _copy_block(working, kind, begin, width, int64(0))
    for row in range(width):
        for column in range(width_end):
            joint[row, width + column] = cross[column, begin + row]
    _copy_block(working, kind, begin_end, width_end, width)
    log_start, log_joint = _log_eliminated(joint, width, width + width_end)
    return max(log_start + log_end - log_joint, 0.0)


@merged_part
def _copy_block(working: Working, kind: int, begin: int, width: int, corner: int) -> None:
    """Write what is left of a block above the diagonal of the joint one, from a corner on."""
    for row in range(width):
        for column in range(row, width):
            working.joint[corner + row, corner + column] = working.own[kind, column - row, begin + row]


@counting_part
def _log_eliminated(block: np.ndarray, first: int, width: int) -> tuple[float, float]:
    """Return log determinants of the first columns and of all, given above the diagonal; overwrites them."""
    log, log_first = 0.0, 0.0
    for pivot in range(width):
        remaining = block[pivot, pivot]
        log += math.log(max(remaining, _DETERMINED))
        if pivot == first - 1:
            log_first = log
        if remaining > _DETERMINED:
            for row in range(pivot + 1, width):
                factor = block[pivot, row] / remaining
                for column in range(row, width):
                    block[row, column] -= factor * block[pivot, column]
    return log_first, log


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

    `orders` are the first order (overwritten), each variable's place in it (n if none), and room for a copy.
    """
    listed, _, counts = scoring.candidates
    order, where, rounds = orders
    count = order.shape[0]
    moving, staying = 0, 0
    for variable in order:
        moving += is_moved[variable]
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
    for variable in order:
        allowed = 0
        for bit in range(counts[variable]):
            if where[listed[variable, bit]] < where[variable]:
                allowed |= 1 << bit
        members, worth = _best_parents(scoring, variable, allowed)
        score[0] += worth
        for bit in range(counts[variable]):
            if members >> bit & 1:
                arrows[listed[variable, bit], variable] = True


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
    """Write a variable's part of the score at each place in the order; return the largest term removed."""
    listed, numbers, counts = scoring.candidates
    _, worth = _best_parents(scoring, number, 0)
    missed, place, allowed = 0.0, 0, 0
    worths[0] = worth
    for turn in range(order.shape[0]):
        end = order[turn]
        if end == number:
            continue
        bit = numbers[end, number]
        if bit >= 0:
            earlier = 0
            for bit_of_parent in range(counts[end]):
                if bit_of_parent != bit and where[listed[end, bit_of_parent]] < where[end]:
                    earlier |= 1 << bit_of_parent
            _, with_it = _best_parents(scoring, end, earlier | 1 << bit)
            _, without = _best_parents(scoring, end, earlier)
            missed += with_it - without
        if numbers[number, end] >= 0:
            allowed |= 1 << numbers[number, end]
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
    _begin(blocks, working, end, listed, chosen)
    for place in range(chosen):
        _take_out(blocks, working, working.chosen[place], end)
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
