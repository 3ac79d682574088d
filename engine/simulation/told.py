"""What the levels of tied variables tell about a target: one number a possible combination.

P(target | everything else) is a product of the tables in which the target occurs, scaled to sum to 1. Two
combinations of a group tell the same when they give every such table the same proportions over those levels
of the target that are possible, whatever the variables outside the group are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from engine.simulation.bayesian_network import BayesianNetwork
from engine.simulation.worlds import Group, PossibleWorlds

_TOLERANCE = 1e-9
_LARGEST_KEY = 1 << 40


@dataclass(frozen=True, eq=False)
class Telling:
    """A group and what its worlds tell.

    Attributes
    ----------
    group : Group
        Variables that impossible events tie together, without the target.
    numbers : ndarray of int64, shape (worlds,)
        Worlds with the same number tell the same about the target.
    """

    group: Group
    numbers: np.ndarray

    @property
    def tells_nothing(self) -> bool:
        """Whether every world tells the same."""
        return bool((self.numbers == self.numbers[:1]).all())

    def fixed_by(self) -> Callable[[frozenset[str]], bool]:
        """Give the test whether variables of the group fix what the group tells."""
        columns = dict(zip(self.group.names, self.group.worlds.T.astype(np.int64), strict=True))

        def fixes(chosen: frozenset[str]) -> bool:
            key = _key([column for name, column in columns.items() if name in chosen], len(self.numbers))
            _, kind = np.unique(key, return_inverse=True)
            first = np.empty(len(self.numbers), dtype=np.int64)
            first[kind] = self.numbers
            return bool((first[kind] == self.numbers).all())

        return fixes


def tellings(possible: PossibleWorlds, target: str) -> list[Telling]:
    """Find all groups of variables that may tell something about a target, and what they tell.

    Parameters
    ----------
    possible : PossibleWorlds
        The possible combinations of levels of a network.
    target : str
        A node.

    Returns
    -------
    list of Telling
        The group that the target is tied to first, when there is one.

    Raises
    ------
    TooManyWorlds
        When a group has too many possible combinations to list.
    """
    around = _Surroundings(possible, target)
    found = [around.told_by_own()] if around.own.names else []
    taken = {target, *around.own.names}
    for factor in around.factors:
        for name in around.family(factor):
            if name not in taken:
                group = possible.group(name)
                taken.update(group.names)
                found.append(around.told_by(group))
    return found


class _Surroundings:
    """The tables in which a target occurs.

    `own` is the group that the target is tied to, without it, and `masks`, shape (worlds of own, levels of
    the target), tells which levels of the target are possible in each of its worlds.
    """

    def __init__(self, possible: PossibleWorlds, target: str) -> None:
        self._possible = possible
        self._network: BayesianNetwork = possible.network
        self._target = target
        self.factors = (target, *self._network.children[target])
        self.own, self._masks = self._without_target(possible.group(target))

    def family(self, factor: str) -> tuple[str, ...]:
        """Give the variables of a table but the target."""
        return tuple(name for name in (*self._network.parents[factor], factor) if name != self._target)

    def told_by(self, group: Group) -> Telling:
        """Give a number to what a group tells that the target is not tied to."""
        numbers = []
        for factor in self.factors:
            members = tuple(name for name in self.family(factor) if name in group.names)
            if not members:
                continue
            rows, places = _distinct(group.columns(members))
            contexts, masks = self._contexts(factor, group)
            levels = {name: rows[:, [place]] for place, name in enumerate(members)}
            levels |= {name: column[None, :] for name, column in contexts.items()}
            told = self._proportions(self._likelihood(factor, levels), masks[None, :, :])
            numbers.append(_numbered(told.reshape(len(rows), -1))[places])
        return Telling(group, _numbered(np.column_stack(numbers)))

    def told_by_own(self) -> Telling:
        """Give a number to what the group tells that the target is tied to."""
        numbers = []
        certain = np.ones(self._masks.shape)
        for factor in self.factors:
            members = tuple(name for name in self.family(factor) if name in self.own.names)
            columns = self.own.columns(members)
            if members == self.family(factor):
                levels = {name: columns[:, place] for place, name in enumerate(members)}
                certain *= self._likelihood(factor, levels)
                continue
            rows, places = _distinct(np.column_stack([columns, self._masks]))
            contexts, _ = self._contexts(factor, self.own)
            levels = {name: rows[:, [place]] for place, name in enumerate(members)}
            levels |= {name: column[None, :] for name, column in contexts.items()}
            masks = rows[:, None, len(members) :] > 0
            told = self._proportions(self._likelihood(factor, levels), masks)
            numbers.append(_numbered(told.reshape(len(rows), -1))[places])
        numbers.append(_numbered(self._proportions(certain, self._masks)))
        return Telling(self.own, _numbered(np.column_stack(numbers)))

    def _contexts(self, factor: str, group: Group) -> tuple[dict[str, np.ndarray], np.ndarray]:
        """List every combination of the other variables of a table, and the levels the target then has."""
        names: list[str] = []
        listed = np.zeros((1, 0), dtype=np.int64)
        masks = np.ones((1, self._masks.shape[1]), dtype=np.bool_)
        if group is not self.own:
            members = tuple(name for name in self.family(factor) if name in self.own.names)
            rows, _ = _distinct(np.column_stack([self.own.columns(members), self._masks]))
            names, listed, masks = [*members], rows[:, : len(members)], rows[:, len(members) :] > 0
        for name in self.family(factor):
            if name in names or name in group.names or name in self.own.names:
                continue
            other = self._possible.group(name)
            members = tuple(member for member in self.family(factor) if member in other.names)
            rows, _ = _distinct(other.columns(members))
            first, second = np.divmod(np.arange(len(listed) * len(rows)), len(rows))
            listed, masks = np.column_stack([listed[first], rows[second]]), masks[first]
            names.extend(members)
        return dict(zip(names, listed.T, strict=True)), masks

    def _likelihood(self, factor: str, levels: Mapping[str, np.ndarray]) -> np.ndarray:
        """Look up a table; the last axis of the result runs over the levels of the target."""
        axes = (*self._network.parents[factor], factor)
        table = np.moveaxis(self._network.tables[factor], axes.index(self._target), -1)
        found: np.ndarray = table[tuple(levels[name] for name in self.family(factor))]
        return found

    @staticmethod
    def _proportions(likelihood: np.ndarray, masks: np.ndarray) -> np.ndarray:
        masked = likelihood * masks
        scaled: np.ndarray = masked / masked.sum(axis=-1, keepdims=True)
        return scaled

    def _without_target(self, group: Group) -> tuple[Group, np.ndarray]:
        names = tuple(name for name in group.names if name != self._target)
        worlds, places = _distinct(group.columns(names))
        masks = np.zeros((len(worlds), self._network.level_count(self._target)), dtype=np.bool_)
        masks[places, group.columns((self._target,))[:, 0]] = True
        return Group(names, worlds), masks


def _distinct(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Give the different rows, and the place of each row among them."""
    if rows.shape[1] == 0:
        return rows[:1].astype(np.int64), np.zeros(len(rows), dtype=np.int64)
    key = _key([column.astype(np.int64) for column in rows.T], len(rows))
    _, first, places = np.unique(key, return_index=True, return_inverse=True)
    return rows[first].astype(np.int64), places


def _key(columns: list[np.ndarray], length: int) -> np.ndarray:
    """Give each row of some columns of small numbers a number of its own."""
    key = np.zeros(length, dtype=np.int64)
    largest = 1
    for column in columns:
        levels = int(column.max(initial=0)) + 1
        largest *= levels
        if largest > _LARGEST_KEY:
            _, key = np.unique(key, return_inverse=True)
            largest = (int(key.max(initial=0)) + 1) * levels
        key = key * levels + column
    return key


def _numbered(rows: np.ndarray) -> np.ndarray:
    """Give rows numbers, so that rows equal up to rounding have the same number."""
    flat = rows.ravel()
    order = np.argsort(flat)
    steps = np.zeros(len(flat), dtype=np.int64)
    steps[order[1:]] = np.cumsum(np.diff(flat[order]) > _TOLERANCE)
    return _distinct(steps.reshape(rows.shape))[1]
