"""What follows from statements that a variable is, or is not, a cause of another, and what contradicts them.

A statement is a number: twice the place of its pair of variables among all pairs that were met, and one more
where it says that the first is a cause of the second. Pairs are found by a hash table, as few of all pairs of
a wide table are ever met.

Two laws hold for causes, direct ones and those through others: causes of causes are causes, and nothing is a
cause of its own causes. Besides, of the statements of a finding it is known that one holds. All that follows
from what is stated is found step by step, the nearest first; searches for directions suppose many hundreds of
statements to see which contradict the rest. What is stated can be taken back, the last first.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from engine.compiled.decorators import counting_kernel, counting_part, int64, merged_part

Pair = tuple[int, int]


class Count(IntEnum):
    """What the entries of ``Closure.counts`` are."""

    PAIRS = 0
    STATED = 1
    ROUNDS = 2
    WAITING = 3
    WRONG = 4
    """The statement that contradicts the rest."""
    WHY_WRONG = 5
    """What it comes from."""


NOWHERE = -1
"""Stands for no place."""

# As kernels know it.
_PAIRS = int(Count.PAIRS)
_SPREAD_CAUSE, _SPREAD_EFFECT = 73856093, 19349663


class Closure(NamedTuple):
    """Statements, what they come from, and what inference needs; int64 arrays with `room` for pairs."""

    slots: np.ndarray  # shape (2 * room,): hash table of the places of pairs
    cause: np.ndarray  # shape (room,), as `effect`: each pair that was met
    effect: np.ndarray
    # shape (room,): 1 where the first is a cause of the second, -1 where it is none, 0 where open
    answer: np.ndarray
    # shape (room,): statement from which it follows by a law, -1 less a finding, or what its maker gave
    origin: np.ndarray
    next_pair: np.ndarray  # shape (2, room): with the same answer and the same cause, or the same effect
    waited: np.ndarray  # shape (2, room): in which round each answer last waited to be stated
    trail: np.ndarray  # shape (room,): pairs of which something is stated, in the order in which it was
    first_statement: np.ndarray  # shape (room,): where the first with a pair stands among those of findings
    # shape (2, 2, variables): by answer, the first with each variable as cause, and as effect
    first_pair: np.ndarray
    queue: np.ndarray  # shape (2, 2 * room): statements that wait to be made, and what they come from
    begins: np.ndarray  # shape (findings + 1,): where the statements of each finding begin
    statements: np.ndarray  # those of the findings, shape (statements,)
    finding_of: np.ndarray  # the finding that each belongs to
    next_statement: np.ndarray  # where the next one with its pair stands
    is_taken: np.ndarray  # uint8, shape (findings,): whether a finding was taken up
    counts: np.ndarray  # shape (6,): see Count


# What has an entry for each pair, in its last dimension.
_OF_PAIRS = ("cause", "effect", "answer", "origin", "next_pair", "waited", "trail", "first_statement")
_LEAST_ROOM = 1024


def closure_of(findings: Sequence[Sequence[tuple[int, int, bool]]], variables: int) -> Closure:
    """Return the closure of nothing yet, with findings that may be taken up.

    A finding is statements (cause, effect, whether it is one) of which one holds; several all say that it is.
    0 is a cause of 1 and 1 of 2, so 0 of 2, and none is a cause of what causes it:

    >>> from engine.knowledge.closure import take
    >>> closure = closure_of([[(0, 1, True)], [(1, 2, True)]], 3)
    >>> take(closure, 0)
    (0, 2, 6)
    >>> sorted((pair, holds) for pair, (holds, _) in stated(closure).items())
    [((0, 1), True), ((0, 2), True), ((1, 0), False), ((1, 2), True), ((2, 0), False), ((2, 1), False)]
    """
    flat = np.array([number for finding in findings for number in finding], dtype=np.int64).reshape(-1, 3)
    sizes = np.fromiter(map(len, findings), np.int64, len(findings))
    room = _LEAST_ROOM
    while room < 2 * len(flat):
        room *= 2
    wide = np.empty((2, room), dtype=np.int64)
    long = np.empty(room, dtype=np.int64)
    closure = Closure(
        slots=np.full(2 * room, NOWHERE),
        cause=long,
        effect=long.copy(),
        answer=long.copy(),
        origin=long.copy(),
        next_pair=wide,
        waited=wide.copy(),
        trail=long.copy(),
        first_statement=long.copy(),
        first_pair=np.full((2, 2, variables), NOWHERE),
        queue=np.empty((2, 2 * room), dtype=np.int64),
        begins=np.concatenate(([0], np.cumsum(sizes))),
        statements=np.empty(len(flat), dtype=np.int64),
        finding_of=np.repeat(np.arange(len(findings)), sizes),
        next_statement=np.full(len(flat), NOWHERE),
        is_taken=np.zeros(len(findings), dtype=np.uint8),
        counts=np.zeros(len(Count), dtype=np.int64),
    )
    causes, effects, holds = np.ascontiguousarray(flat.T)
    closure.statements[:] = statements_of(closure, causes, effects, holds)
    _list_statements(closure)
    return closure


def grown(closure: Closure) -> Closure:
    """Return the same with room for twice as many pairs."""
    per_pair = {}
    for name in _OF_PAIRS:
        array = getattr(closure, name)
        per_pair[name] = np.concatenate((array, np.empty_like(array)), axis=-1)
    larger = closure._replace(
        slots=np.full(2 * len(closure.slots), NOWHERE),
        queue=np.empty((2, 2 * closure.queue.shape[1]), dtype=np.int64),
        **per_pair,
    )
    _fill_slots(larger)
    return larger


def statements_of(closure: Closure, causes: np.ndarray, effects: np.ndarray, holds: np.ndarray) -> np.ndarray:
    """Return the numbers of statements, with room for their pairs; `holds` is 1 for a cause, else 0."""
    numbers = np.empty(len(causes), dtype=np.int64)
    _number_statements(closure, causes, effects, holds, numbers)
    return numbers


def stated(closure: Closure) -> dict[Pair, tuple[bool, int]]:
    """Return of pairs whether the first is stated to be a cause of the second, and what that comes from."""
    pairs = closure.trail[: closure.counts[Count.STATED]]
    ends = zip(closure.cause[pairs].tolist(), closure.effect[pairs].tolist(), strict=True)
    said = zip((closure.answer[pairs] > 0).tolist(), closure.origin[pairs].tolist(), strict=True)
    return dict(zip(ends, said, strict=True))


@counting_kernel
def _number_statements(
    closure: Closure, causes: np.ndarray, effects: np.ndarray, holds: np.ndarray, numbers: np.ndarray
) -> None:
    for place in range(len(causes)):
        numbers[place] = 2 * place_of(closure, causes[place], effects[place]) + holds[place]


@counting_kernel
def _list_statements(closure: Closure) -> None:
    """List the statements of findings by their pairs, in the order of findings; not those alone in theirs."""
    for place in range(len(closure.statements) - 1, -1, -1):
        number = closure.finding_of[place]
        if closure.begins[number + 1] == closure.begins[number] + 1:
            continue
        pair = closure.statements[place] >> 1
        closure.next_statement[place] = closure.first_statement[pair]
        closure.first_statement[pair] = place


@counting_kernel
def _fill_slots(closure: Closure) -> None:
    last = len(closure.slots) - 1
    for pair in range(closure.counts[_PAIRS]):
        slot = _first_slot(closure.cause[pair], closure.effect[pair], last)
        while closure.slots[slot] != NOWHERE:
            slot = (slot + 1) & last
        closure.slots[slot] = pair


@merged_part
def _first_slot(cause: int, effect: int, last: int) -> int:
    return (cause * _SPREAD_CAUSE + effect * _SPREAD_EFFECT) & last


@counting_part
def place_of(closure: Closure, cause: int, effect: int) -> int:
    """Return the place of a pair; none where there is no room for another one."""
    last = len(closure.slots) - 1
    slot = _first_slot(cause, effect, last)
    place: int = closure.slots[slot]
    while place != NOWHERE:
        if closure.cause[place] == cause and closure.effect[place] == effect:
            return place
        slot = (slot + 1) & last
        place = closure.slots[slot]
    if closure.counts[_PAIRS] == len(closure.cause):
        return NOWHERE
    place = closure.counts[_PAIRS]
    closure.counts[_PAIRS] += 1
    closure.slots[slot] = place
    closure.cause[place], closure.effect[place] = cause, effect
    closure.answer[place] = 0
    closure.waited[0, place] = closure.waited[1, place] = 0
    closure.first_statement[place] = NOWHERE
    return place


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
# Of numpy's type, so that the compiler makes one version of what is called and none for each literal.
_NO_LIMIT = int64(1 << 62)
_NO, _YES = _CAUSE, _EFFECT = int64(0), int64(1)


@counting_kernel
def take(closure: Closure, begin: int) -> tuple[int, int, int]:
    """Take up findings, each with all that follows, from `begin` on until one contradicts the rest.

    Return how it ended, at which finding, and how much was stated before it; later statements stay till
    :func:`take_back`.
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

    A vain one is not repeated before anything is stated of a variable that it reached: `reached` (statements,
    2 * limit) has these, `vain` (2, statements) their number and how much was stated.
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
            _pass_on(closure, b, _YES, _CAUSE, a, _CAUSE, _YES, origin)
            and _pass_on(closure, a, _YES, _EFFECT, b, _EFFECT, _YES, origin)
            # What a is no cause of, b is not; what is no cause of b, is none of a.
            and _pass_on(closure, a, _NO, _CAUSE, b, _CAUSE, _NO, origin)
            and _pass_on(closure, b, _NO, _EFFECT, a, _EFFECT, _NO, origin)
        )
    # What a is a cause of is none of b; a is none of what is a cause of b.
    if not (
        _pass_on(closure, a, _YES, _CAUSE, b, _EFFECT, _NO, origin)
        and _pass_on(closure, b, _YES, _EFFECT, a, _CAUSE, _NO, origin)
    ):
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
    closure: Closure, variable: int, answer: int, side: int, opposite: int, end: int, holds: int, origin: int
) -> bool:
    """Let statements wait about `opposite` and all with which `variable` stands in statements.

    There `variable` is the cause or the effect, as `side` says, and `answer` what is said of the two. In the
    new ones, which say `holds`, `opposite` is at the `end`.
    """
    pair = closure.first_pair[answer, side, variable]
    while pair != NOWHERE:
        met = closure.effect[pair] if side == 0 else closure.cause[pair]
        if met != opposite:
            new = place_of(closure, opposite, met) if end == 0 else place_of(closure, met, opposite)
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
