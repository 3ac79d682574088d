"""What follows from statements of causes, and what a statement would contradict: compiled.

Two laws hold for causes, direct ones and those through others: causes of causes are causes, and nothing is a
cause of its own causes. Besides, of the statements of a finding it is known that one holds. All that follows
from what is stated is found step by step, the nearest first; searches for directions suppose many hundreds of
statements to see which contradict the rest. What is stated can be taken back, the last first.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from engine.compiled.decorators import counting_kernel, counting_part, merged_part
from engine.knowledge.closure import NOWHERE, Closure, Count, place_of


class Followed(IntEnum):
    """How the search for what follows ended."""

    ALL = 0
    """All that follows is stated."""
    ENOUGH = 1
    """As much is stated as was asked for."""
    WRONG = 2
    """A statement follows whose denial is stated: see ``Count.WRONG``."""
    FULL = 3
    """There is no room for more pairs: see :func:`~engine.knowledge.closure.grown`."""


# As kernels know them.
_ALL, _ENOUGH, _WRONG, _FULL = map(int, Followed)
_, _STATED, _ROUNDS, _WAITING, _WRONG_ONE, _WHY_WRONG = map(int, Count)
_NO_LIMIT = 1 << 62


@counting_kernel
def take(closure: Closure, begin: int) -> tuple[int, int, int]:
    """Take up findings, each with all that follows, from `begin` on until one contradicts the rest.

    Return how it ended, at which finding (how many there are where none contradicts), and how much was
    stated before that. What was stated since stays till :func:`take_back`.
    """
    for number in range(begin, len(closure.is_taken)):
        before = closure.counts[_STATED]
        closure.is_taken[number] = 1
        _begin(closure)
        first = closure.begins[number]
        one = (
            closure.statements[first]
            if closure.begins[number + 1] == first + 1
            else _left_over(closure, number)
        )
        if one != NOWHERE:
            _wait(closure, one >> 1, one & 1, -1 - number)
        ended = _conclude(closure, _NO_LIMIT)
        if ended >= _WRONG:
            closure.is_taken[number] = 0
            return ended, number, before
    return _ALL, len(closure.is_taken), closure.counts[_STATED]


@counting_kernel
def conclude(closure: Closure, statement: int, origin: int) -> int:
    """Make a statement, and state all that follows; return how it ended, as in :class:`Followed`."""
    _begin(closure)
    _wait(closure, statement >> 1, statement & 1, origin)
    return _conclude(closure, _NO_LIMIT)


@counting_kernel
def suppose(
    closure: Closure,
    supposed: np.ndarray,
    origin: int,
    limit: int,
    reached: np.ndarray,
    vain: np.ndarray,
    at: int,
    in_vain: int,
) -> tuple[int, int, int]:
    """Suppose one open statement after the other, around and around, until one contradicts the rest.

    What was supposed in vain is not supposed again before anything is stated of a variable that it reached:
    whatever is looked up on the way speaks of such a one. So these are filled: `reached`, of shape
    (statements, 2 * limit), with the variables that each reached, and `vain`, of shape (2, statements), with
    how many these are (0 before the first time), and how much was stated then.
    """
    count = len(supposed)
    while in_vain < count:
        one = supposed[at]
        if closure.answer[one >> 1] == 0 and not _stays_vain(closure, reached[at], vain[:, at]):
            before = closure.counts[_STATED]
            _begin(closure)
            _wait(closure, one >> 1, one & 1, origin)
            ended = _conclude(closure, limit)
            if ended >= _WRONG:
                return ended, at, in_vain
            vain[0, at], vain[1, at] = 0, before
            for place in range(before, closure.counts[_STATED]):
                pair = closure.trail[place]
                reached[at, vain[0, at]] = closure.cause[pair]
                reached[at, vain[0, at] + 1] = closure.effect[pair]
                vain[0, at] += 2
            _take_back(closure, before)
        at = (at + 1) % count
        in_vain += 1
    return _ALL, at, in_vain


@counting_part
def _stays_vain(closure: Closure, reached: np.ndarray, vain: np.ndarray) -> bool:
    """Tell whether something was supposed in vain, and nothing is stated since of a variable it reached."""
    if vain[0] == 0:
        return False
    for place in range(vain[1], closure.counts[_STATED]):
        pair = closure.trail[place]
        for variable in reached[: vain[0]]:
            if variable == closure.cause[pair] or variable == closure.effect[pair]:
                return False
    # Only what is new is looked at next time.
    vain[1] = closure.counts[_STATED]
    return True


@counting_kernel
def take_back(closure: Closure, left: int) -> None:
    """Take back what was stated last, until so much is left."""
    _take_back(closure, left)


@merged_part
def _begin(closure: Closure) -> None:
    closure.counts[_ROUNDS] += 1
    closure.counts[_WAITING] = 0


@merged_part
def _wait(closure: Closure, pair: int, holds: int, origin: int) -> None:
    """Let a statement wait to be made, unless it is made or waits."""
    is_made = closure.answer[pair] == (1 if holds else -1)
    if not is_made and closure.waited[holds, pair] != closure.counts[_ROUNDS]:
        closure.waited[holds, pair] = closure.counts[_ROUNDS]
        place = closure.counts[_WAITING]
        closure.queue[0, place], closure.queue[1, place] = 2 * pair + holds, origin
        closure.counts[_WAITING] += 1


@counting_part
def _conclude(closure: Closure, limit: int) -> int:
    """State what waits and all that follows, the nearest first; no more than so many statements."""
    counts = closure.counts
    most, at = counts[_STATED] + limit, 0
    while at < counts[_WAITING] and counts[_STATED] < most:
        statement, origin = closure.queue[0, at], closure.queue[1, at]
        at += 1
        pair, holds = statement >> 1, statement & 1
        if closure.answer[pair] != 0:
            if (closure.answer[pair] > 0) != (holds == 1):
                counts[_WRONG_ONE], counts[_WHY_WRONG] = statement, origin
                return _WRONG
            continue
        _state(closure, pair, holds, origin)
        # What waits is enough: each of them is stated, or contradicts the rest.
        if counts[_WAITING] < limit and not _let_consequences_wait(closure, pair, holds):
            return _FULL
    return _ALL if counts[_WAITING] < limit else _ENOUGH


@merged_part
def _state(closure: Closure, pair: int, holds: int, origin: int) -> None:
    closure.answer[pair] = 1 if holds else -1
    closure.origin[pair] = origin
    closure.trail[closure.counts[_STATED]] = pair
    closure.counts[_STATED] += 1
    first = closure.first_pair[holds]
    closure.next_pair[0, pair] = first[0, closure.cause[pair]]
    closure.next_pair[1, pair] = first[1, closure.effect[pair]]
    first[0, closure.cause[pair]] = first[1, closure.effect[pair]] = pair


@counting_part
def _take_back(closure: Closure, left: int) -> None:
    for place in range(closure.counts[_STATED] - 1, left - 1, -1):
        pair = closure.trail[place]
        first = closure.first_pair[1 if closure.answer[pair] > 0 else 0]
        first[0, closure.cause[pair]] = closure.next_pair[0, pair]
        first[1, closure.effect[pair]] = closure.next_pair[1, pair]
        closure.answer[pair] = 0
    closure.counts[_STATED] = left


@counting_part
def _let_consequences_wait(closure: Closure, pair: int, holds: int) -> bool:
    """Let all wait that follows from a statement and another one; tell whether there was room."""
    a, b, origin = closure.cause[pair], closure.effect[pair], 2 * pair + holds
    if holds:
        opposite = place_of(closure, b, a)
        if opposite == NOWHERE:
            return False
        _wait(closure, opposite, 0, origin)
        return (
            # What b is a cause of, a is; what is a cause of a, is one of b.
            _pass_on(closure, b, 1, 0, a, 0, 1, origin)
            and _pass_on(closure, a, 1, 1, b, 1, 1, origin)
            # What a is no cause of, b is not; what is no cause of b, is none of a.
            and _pass_on(closure, a, 0, 0, b, 0, 0, origin)
            and _pass_on(closure, b, 0, 1, a, 1, 0, origin)
        )
    # What a is a cause of is none of b; a is none of what is a cause of b.
    if not (_pass_on(closure, a, 1, 0, b, 1, 0, origin) and _pass_on(closure, b, 1, 1, a, 0, 0, origin)):
        return False
    place = closure.first_statement[pair]
    while place != NOWHERE:
        number = closure.finding_of[place]
        if closure.is_taken[number]:
            left = _left_over(closure, number)
            if left != NOWHERE:
                _wait(closure, left >> 1, 1, -1 - number)
        place = closure.next_statement[place]
    return True


@counting_part
def _pass_on(
    closure: Closure, variable: int, answer: int, side: int, other: int, end: int, holds: int, origin: int
) -> bool:
    """Let statements wait about a variable and all with which another one stands in statements.

    In these the other one is the cause (`side` 0) or the effect (1), and `answer` says whether they state a
    cause. In the new ones, which say `holds` and follow from `origin`, the variable is the cause (`end` 0) or
    the effect (1).
    """
    pair = closure.first_pair[answer, side, variable]
    while pair != NOWHERE:
        met = closure.effect[pair] if side == 0 else closure.cause[pair]
        if met != other:
            new = place_of(closure, other, met) if end == 0 else place_of(closure, met, other)
            if new == NOWHERE:
                return False
            _wait(closure, new, holds, origin)
        pair = closure.next_pair[side, pair]
    return True


@counting_part
def _left_over(closure: Closure, number: int) -> int:
    """Return the statement of a finding that must hold, as no other does; none where there is none."""
    left = NOWHERE
    for place in range(closure.begins[number], closure.begins[number + 1]):
        answer = closure.answer[closure.statements[place] >> 1]
        if answer > 0 or (answer == 0 and left != NOWHERE):
            return NOWHERE
        if answer == 0:
            left = closure.statements[place]
    # None is possible: say one of them all the same, so that the contradiction is found.
    return left if left != NOWHERE else closure.statements[closure.begins[number]]
