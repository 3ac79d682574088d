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
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from itertools import compress
from typing import NamedTuple

import numpy as np

from engine.boundaries.block_orders import (
    MOST_PARENTS,
    MOST_TAKEN_IN,
    ROUNDING,
    Blocks,
    Kept,
    Scoring,
    Working,
    settle,
    take_in,
    weigh_places,
)
from engine.boundaries.score_search import Price
from engine.errors import Cancelled
from engine.independence.data import BlockFits
from engine.independence.set_fits import ROWS_PER_COLUMN

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
            end: tuple([start for start in starts if start not in left_out])
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
    """Find the best graph of the remaining variables near a centre, from the order of another graph."""
    order = np.array([kept for kept in graph.order if graph.variables[kept] not in left_out])
    number = graph.variables.index(centre)
    is_moved = graph.score.near[number].copy()
    is_moved[number] = True
    # Searches run at the same time, and each goes on remembering by itself.
    score = graph.score._replace(kept=Kept(*(array.copy() for array in graph.score.kept)))
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
    """Search again from moved variables; return the best end, and all ends that the work allows."""
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
    positions = [names[number] for number in order.tolist()]
    starts = ended.arrows[order][:, order]
    parents = {end: tuple(compress(positions, starts[:, place])) for place, end in enumerate(positions)}
    return BlockGraph(parents, names, tuple(order.tolist()), score, {})


def _with_margins(graph: BlockGraph, stop: np.ndarray) -> BlockGraph:
    """Add how much lower the score is where the end of an arrow comes before its start.

    Only one of the two moves, whichever costs less: moving others as well could cost less still.
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
    columns = np.concatenate(
        [np.arange(fits.first[variable], fits.first[variable + 1]) for variable in variables]
    )
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
        np.empty((2, count), dtype=np.int64),
        np.empty((2, columns), dtype=np.int64),
        np.zeros(2, dtype=np.int64),
        np.zeros(2, dtype=np.int64),
        np.empty((2, room, columns)),
        np.zeros(2, dtype=np.int64),
        np.empty((2, widest, columns)),
        np.empty((2, widest, columns)),
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
