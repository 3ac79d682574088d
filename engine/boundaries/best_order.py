"""The best order of a few variables, and by it their best graph, by a score that is made of tests.

Climbing by single arrows ends where no arrow raises the score any more, and that is often far below the graph
that the data come from: an early arrow the wrong way calls for others, and to turn it alone no longer pays.
Orders are fewer than graphs, and one of them has many graphs: once causes stand before their effects, the
parents of each variable are chosen from those before it, whatever the others have (Teyssier and Koller 2005,
Ordering-based search: a simple and effective algorithm for learning Bayesian networks, UAI, 584-590). So one
variable after another is moved to the place in the order that suits all best, until none moves, and parents
are found by growing and shrinking (Andrews, Ramsey, Sanchez-Romero, Camchong and Kummerfeld 2023, Fast
scalable and accurate discovery of DAGs using the best order score search and grow-shrink trees, NeurIPS 36).

Parents are sought among variables at most two edges away in the graph that is known, and then once more in
the one that is found (Friedman, Nachman and Pe'er 1999, Learning Bayesian network structure from massive
datasets: the "sparse candidate" algorithm, UAI, 206-215): that takes a tenth of the time of all variables,
and the graphs score as well.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from engine.boundaries.climbing import ArrowsTo, ArrowWorths, Climb
from engine.execution.remembering import BoundedMemory

# What a change adds to the score beyond this share of it is no rounding error.
_ROUNDING = 1e-12
# More candidates a variable are no more use, and sets of them too many.
_MOST_CANDIDATES = 24
# Rounds, each with the candidates that the graph of the one before brings; two are usual.
_MOST_ROUNDS = 20
# So many sets of parents are remembered, half a kilobyte each, and so many beside which arrows were weighed.
_MOST_KNOWN, _MOST_WEIGHED = 1 << 15, 1 << 14


class Parents(NamedTuple):
    """The best parents of a variable among some candidates, by position.

    Attributes
    ----------
    members : tuple of int
        In column order.
    worth : float
        What the arrows from them add to the score.
    tests : int
        Tests that were asked about.
    """

    members: tuple[int, ...]
    worth: float
    tests: int


class ParentSets:
    """The best parents of variables among candidates, sought once for the graphs around all labels.

    Parameters
    ----------
    worths : ArrowWorths
        What arrows add to the score.
    """

    def __init__(self, worths: ArrowWorths) -> None:
        self._worths = worths
        self._known: BoundedMemory[tuple[int, tuple[int, ...]], Parents] = BoundedMemory(_MOST_KNOWN)
        # By a variable and parents of it: what an arrow from each of some others adds.
        self._weighed: BoundedMemory[tuple[int, tuple[int, ...]], dict[int, float]]
        self._weighed = BoundedMemory(_MOST_WEIGHED)

    def new_workspace(self) -> Any:
        """Return working memory for :meth:`of`, which one thread at a time may use."""
        return self._worths.new_workspace()

    def of(self, variable: int, candidates: tuple[int, ...], workspace: Any) -> Parents:
        """Return the best parents of a variable.

        Parameters
        ----------
        variable : int
            Its position.
        candidates : tuple of int
            Positions of the variables that may be parents, ascending.
        workspace : Any
            From :meth:`new_workspace`.

        Raises
        ------
        Cancelled
            When the run was stopped.
        """
        found = self._known.get((variable, candidates))
        if found is None:
            found = self._shrunk(variable, self._grown(variable, candidates, workspace), workspace)
            self._known.put((variable, candidates), found)
        return found

    def _grown(self, variable: int, candidates: tuple[int, ...], workspace: Any) -> Parents:
        """Let candidates in while one adds to the score, the one that adds most first."""
        members: tuple[int, ...] = ()
        worth, tests = 0.0, 0
        others = list(candidates)
        while others and len(members) < self._worths.price.most_parents:
            gains = self._gains([(variable, members, others)], workspace)[0]
            tests += len(others)
            best = max(others, key=gains.__getitem__)
            if gains[best] <= _ROUNDING * worth:
                break
            worth += gains[best]
            members = tuple(sorted((*members, best)))
            others.remove(best)
        return Parents(members, worth, tests)

    def _shrunk(self, variable: int, grown: Parents, workspace: Any) -> Parents:
        """Let parents leave that cost more than they add beside the others, the one that costs most first."""
        members, worth, tests = grown
        while len(members) > 1:
            asked = [
                (variable, tuple(each for each in members if each != member), [member]) for member in members
            ]
            gains = self._gains(asked, workspace)
            tests += len(members)
            # What cannot be tested does not leave.
            costs = {
                member: found[member]
                for member, found in zip(members, gains, strict=True)
                if found[member] > -math.inf
            }
            least = min(costs, key=costs.__getitem__, default=None)
            if least is None or costs[least] >= 0.0:
                break
            worth -= costs[least]
            members = tuple(each for each in members if each != least)
        return Parents(members, worth, tests)

    def _gains(
        self, asked: Sequence[tuple[int, tuple[int, ...], list[int]]], workspace: Any
    ) -> list[dict[int, float]]:
        """Return what arrows add: of each variable and parents of it, those from some others at least."""
        found, unknown = [], []
        for variable, members, starts in asked:
            gains = self._weighed.get((variable, members))
            if gains is None:
                gains = {}
                self._weighed.put((variable, members), gains)
            found.append(gains)
            missing = [start for start in starts if start not in gains]
            if missing:
                unknown.append((gains, ArrowsTo(variable, members, np.array(missing, dtype=np.int64))))
        if unknown:
            worths = self._worths.of([arrows for _, arrows in unknown], workspace)
            for (gains, arrows), adds in zip(unknown, worths, strict=True):
                gains.update(zip(arrows.starts.tolist(), adds.tolist(), strict=True))
        return found


class Graph(NamedTuple):
    """A graph of some variables, which are spoken of by their numbers.

    Attributes
    ----------
    variables : tuple of int
        Positions.
    arrows : ndarray of bool, shape (n, n)
        ``arrows[u, v]``: an arrow leads from u to v.
    tests : int
        Tests that the order rests on, whoever made them.
    """

    variables: tuple[int, ...]
    arrows: np.ndarray
    tests: int

    def parents(self, number: int) -> np.ndarray:
        """Return the numbers of the parents of a variable."""
        return np.flatnonzero(self.arrows[:, number])


def in_best_order(climb: Climb, target: int, parent_sets: ParentSets) -> Graph:
    """Find a graph that scores better around a target than the one where a climb has ended.

    Parameters
    ----------
    climb : Climb
        At its end.
    target : int
        Number of a variable. Only what is at most two edges away from it is moved in the order: what is
        further away hardly ever changes its boundary.
    parent_sets : ParentSets
        Of the same score.

    Returns
    -------
    Graph
        Without circles. Its order begins as one in which the causes of the climb stand before their effects.

    Raises
    ------
    Cancelled
        When the run was stopped.
    """
    search = _OrderSearch(climb, target, parent_sets)
    search.go()
    return Graph(climb.variables, search.arrows, search.tests)


class _OrderSearch:
    """An order of variables, in the making. Sets of numbers are bits: v is in set m where ``m >> v & 1``."""

    def __init__(self, climb: Climb, target: int, parent_sets: ParentSets) -> None:
        self._variables, self._target = climb.variables, target
        self._parent_sets, self._workspace = parent_sets, parent_sets.new_workspace()
        self._alone = climb.alone
        # Whether the second may be a parent of the first.
        self._near = np.zeros(climb.arrows.shape, dtype=bool)
        # The same as bits.
        self._candidates = [0] * len(self._variables)
        self._moving: set[int] = set()
        self._found: dict[tuple[int, int], Parents] = {}
        self._order = _causes_first(climb.arrows)
        self.arrows = climb.arrows
        self.tests = 0

    def go(self) -> None:
        """Move variables until none moves, and nothing new may be a parent."""
        for _ in range(_MOST_ROUNDS):
            near = self._near | _nearest(self.arrows, self._alone)
            if (near == self._near).all():
                return
            self._near = near
            self._moving = {self._target, *np.flatnonzero(near[self._target]).tolist()}
            self._candidates = [_bits(np.flatnonzero(others)) for others in near]
            self._settle()
            self.arrows = self._graph()

    def _settle(self) -> None:
        """Move one variable after another to its best place, until all in turn stay where they are."""
        staying = 0
        while True:
            for number in filter(self._moving.__contains__, tuple(self._order)):
                before = self._order
                self._move(number)
                staying = staying + 1 if self._order is before else 1
                if staying >= len(self._moving):
                    return

    def _move(self, number: int) -> None:
        """Move a variable to the place in the order that adds most to the score, if any adds."""
        place = self._order.index(number)
        others = [each for each in self._order if each != number]
        own, earlier, missed = 1 << number, 0, 0.0
        # What the variable has before it, and those before it miss of what they have with it before them.
        worths = [self._worth(number, 0)]
        for each in others:
            if self._candidates[each] & own:
                missed += self._worth(each, earlier | own) - self._worth(each, earlier)
            earlier |= 1 << each
            worths.append(self._worth(number, earlier) - missed)
        best = int(np.argmax(worths))
        if worths[best] > worths[place] + _ROUNDING * max(abs(worths[place]), missed):
            self._order = [*others[:best], number, *others[best:]]

    def _worth(self, number: int, earlier: int) -> float:
        return self._parents(number, earlier).worth

    def _parents(self, number: int, earlier: int) -> Parents:
        """Return the best parents of a variable among those that stand before it."""
        possible = earlier & self._candidates[number]
        found = self._found.get((number, possible))
        if found is None:
            positions = sorted(
                position for each, position in enumerate(self._variables) if possible >> each & 1
            )
            found = self._parent_sets.of(self._variables[number], tuple(positions), self._workspace)
            self._found[number, possible] = found
            self.tests += found.tests
        return found

    def _graph(self) -> np.ndarray:
        """Return the arrows to each variable from its best parents."""
        number_of = {position: number for number, position in enumerate(self._variables)}
        arrows = np.zeros(self._near.shape, dtype=bool)
        earlier = 0
        for number in self._order:
            for parent in self._parents(number, earlier).members:
                arrows[number_of[parent], number] = True
            earlier |= 1 << number
        return arrows


def _bits(numbers: np.ndarray) -> int:
    return sum(1 << number for number in numbers.tolist())


def _nearest(arrows: np.ndarray, alone: np.ndarray) -> np.ndarray:
    """Tell of each variable which others are at most two edges away, or the nearest where these are many.

    Next to a hub everything is two edges away from everything. Neighbours are nearest, and then what an arrow
    adds most from where there is no other.
    """
    edges = arrows | arrows.T
    near: np.ndarray = edges | (edges.astype(np.float32) @ edges.astype(np.float32) > 0)
    np.fill_diagonal(near, False)
    for number in np.flatnonzero(near.sum(axis=1) > _MOST_CANDIDATES).tolist():
        worth = np.where(edges[number], np.inf, np.where(near[number], alone[:, number], -np.inf))
        fewest = max(_MOST_CANDIDATES, int(edges[number].sum()))
        near[number, np.argsort(-worth, kind="stable")[fewest:]] = False
    return near


def _causes_first(arrows: np.ndarray) -> list[int]:
    """Return the numbers of variables in an order in which each stands behind its causes.

    Those with fewer causes among all that lead to them come first, and of equals the one with the lower
    number.
    """
    leads = arrows.astype(np.float32)
    reached = np.zeros_like(arrows)
    while True:
        further = arrows | (reached.astype(np.float32) @ leads > 0)
        if (further == reached).all():
            order: list[int] = np.argsort(reached.sum(axis=0), kind="stable").tolist()
            return order
        reached = further
