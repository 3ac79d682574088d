"""Statements that one variable is, or is not, a cause of another: so written that kernels conclude from them.

A statement is a number: twice the place of its pair of variables among all pairs that were met, and one more
where it says that the first is a cause of the second. Pairs are found by a hash table, as few of all pairs of
a wide table are ever met. What follows from statements is found in :mod:`engine.knowledge.conclusions`.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from engine.compiled.decorators import counting_kernel, counting_part, merged_part

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
    """Statements, what they come from, and all that is needed to find what follows from them.

    Arrays are of int64; there is `room` for so many pairs.
    """

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

    >>> from engine.knowledge.conclusions import take
    >>> closure = closure_of([[(0, 1, True)], [(1, 2, True)]], 3)
    >>> take(closure, 0)
    (0, 2, 6)
    >>> sorted((pair, holds) for pair, (holds, _) in stated(closure).items())
    [((0, 1), True), ((0, 2), True), ((1, 0), False), ((1, 2), True), ((2, 0), False), ((2, 1), False)]
    """
    flat = np.array([each for finding in findings for each in finding], dtype=np.int64).reshape(-1, 3)
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
