"""The best graph of variables that are blocks of columns: by the order of the variables.

The search is that of :mod:`engine.boundaries.best_order`: one variable after another is moved to the place in
the order that suits all best, and parents are found by growing and shrinking (Andrews, Ramsey,
Sanchez-Romero, Camchong and Kummerfeld 2023, Fast scalable and accurate discovery of DAGs using the best
order score search and grow-shrink trees, NeurIPS 36). What an arrow adds is the difference of log
determinants that a Gaussian model of the blocks gains by it (:mod:`engine.independence.block_fits`), less its
penalty.

Candidates for parents are the variables that a regression of one on all others takes in, the one that adds
most first: parents, children and their other parents are among them (Friedman, Nachman and Pe'er 1999,
Learning Bayesian network structure from massive datasets: the "sparse candidate" algorithm, UAI, 206-215).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import compress
from typing import NamedTuple

import numpy as np

from engine.boundaries.block_orders import MOST_TAKEN_IN, Blocks, Kept, Working, settle, take_in, weigh_places
from engine.boundaries.climbing import Price
from engine.errors import Cancelled
from engine.independence.block_fits import BlockFits
from engine.independence.set_fits import ROWS_PER_COLUMN

# Candidates of a variable, as bits of a number with a sign.
_MOST_CANDIDATES = 62
# Columns of a table, and columns of which a block is freed at once: what memory and time bear.
_MOST_COLUMNS, _MOST_TAKEN_OUT = 2000, 400
# A search that weighs more for each variable is given up, after 20 milliseconds for each: nearly everything
# hangs together there, as where all share what is unmeasured, and no graph with few arrows says how.
_MOST_WORK = 2**18
# Once with these candidates, and once with what is two edges away in the graph.
_ROUNDS = 2
# Sets that are remembered, and sets beside which it is remembered what each candidate adds.
_MOST_KEPT, _MOST_BESIDE = 2**16, 2**13


class Score(NamedTuple):
    """What a search weighs graphs by, and what it remembers.

    Attributes
    ----------
    blocks : Blocks
    near : ndarray of bool, shape (n, n)
        Which variables could be a parent of which.
    candidates : tuple of ndarray of int64
        The candidates of each variable, shape (n, most), the bit of each, shape (n, n), -1 of what is none,
        and how many there are.
    kept : Kept
    """

    blocks: Blocks
    near: np.ndarray
    candidates: tuple[np.ndarray, np.ndarray, np.ndarray]
    kept: Kept


class BlockGraph(NamedTuple):
    """A graph without circles.

    Attributes
    ----------
    parents : dict of int to tuple of int
        By position; both in an order in which each stands behind its parents.
    variables : tuple of int
        Positions.
    order : tuple of int
        Their numbers in that order.
    score : Score
    margins : dict of (int, int) to float
        By start and end of each arrow, how much lower the score is with the end before the start, at most.
    """

    parents: dict[int, tuple[int, ...]]
    variables: tuple[int, ...]
    order: tuple[int, ...]
    score: Score
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
    """Find the graph of some variables that scores best.

    Parameters
    ----------
    fits : BlockFits
        The blocks of all variables.
    price : Price
        What arrows cost.
    variables : sequence of int
        Positions, ascending.
    stop : ndarray of uint8, shape (1,)
        Not 0 asks to stop.

    Returns
    -------
    BlockGraph or None
        None where the search would take longer than it is worth.

    Raises
    ------
    Cancelled
        When the run was stopped.
    """
    if int(np.diff(fits.first)[variables].sum()) > _MOST_COLUMNS:
        return None
    blocks = _blocks_of(fits, price, np.array(variables, dtype=np.int64))
    near, alone = _taken_in(blocks, stop)
    # By what others add: whatever the order of the columns is.
    order = np.argsort(np.maximum(alone, 0.0).sum(axis=1), kind="stable")
    names, all_are_moved = tuple(variables), np.ones(len(variables), dtype=np.bool_)
    graph = None
    for _ in range(_ROUNDS):
        candidates = _candidates(near, alone)
        score = Score(blocks, near, candidates, _kept(candidates[0].shape[1]))
        arrows = _settled(score, order, all_are_moved, stop)
        if arrows is None:
            return None
        graph = _graph(score, names, order, arrows)
        wider = near | _at_two_edges(arrows)
        if (wider == near).all():
            break
        near = wider
    return None if graph is None else _with_margins(graph, stop)


def best_graph_without(
    graph: BlockGraph, left_out: Collection[int], centre: int, stop: np.ndarray
) -> BlockGraph | None:
    """Find the best graph of what is left of the variables of another, as far as it is near one of them.

    Parameters
    ----------
    graph : BlockGraph
        The search begins with its order, and moves only what is near the centre.
    left_out : collection of int
        Positions of variables that are left out.
    centre : int
        Position of a variable of the graph.
    stop : ndarray of uint8, shape (1,)
        Not 0 asks to stop.

    Returns
    -------
    BlockGraph or None
        As in :func:`best_graph`.

    Raises
    ------
    Cancelled
        When the run was stopped.
    """
    order = np.array([each for each in graph.order if graph.variables[each] not in left_out])
    number = graph.variables.index(centre)
    is_moved = graph.score.near[number].copy()
    is_moved[number] = True
    # Searches run at the same time, and each goes on remembering by itself.
    score = graph.score._replace(kept=Kept(*(each.copy() for each in graph.score.kept)))
    arrows = _settled(score, order, is_moved, stop)
    return None if arrows is None else _with_margins(_graph(score, graph.variables, order, arrows), stop)


def _taken_in(blocks: Blocks, stop: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Tell which variables a regression of one on all others takes in, either of the other.

    Also returned is what an arrow adds to the score where there is no other.
    """
    count = len(blocks.widths)
    taken_in, alone = np.zeros((count, count), dtype=np.bool_), np.zeros((count, count))
    take_in(blocks, _working(blocks), taken_in, alone, stop)
    return taken_in | taken_in.T, alone


def _settled(score: Score, order: np.ndarray, is_moved: np.ndarray, stop: np.ndarray) -> np.ndarray | None:
    """Bring variables into their best order, and return the arrows of it; None where it is given up.

    What is not in the order has no arrows.
    """
    count = len(is_moved)
    working, arrows = _working(score.blocks), np.zeros((count, count), dtype=np.bool_)
    where = np.full(count, count)
    where[order] = np.arange(len(order))
    orders = order, where, order.copy()
    settle(score.blocks, working, score.kept, score.candidates, orders, is_moved, arrows, stop)
    if stop[0]:
        raise Cancelled()
    return None if working.work[0] > score.blocks.most_work else arrows


def _graph(score: Score, names: tuple[int, ...], order: np.ndarray, arrows: np.ndarray) -> BlockGraph:
    """Return the graph by positions."""
    positions = [names[each] for each in order.tolist()]
    starts = arrows[order][:, order]
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
    weigh_places(
        score.blocks, _working(score.blocks), score.kept, score.candidates, order, where, worths, stop
    )
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
        _MOST_WORK * len(variables),
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
