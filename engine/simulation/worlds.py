"""Which combinations of levels are possible, and what the levels of tied variables tell about a target.

A table without zeros forbids nothing. A table with zeros *ties* a node to its parents: the level of one then
tells which levels of another are possible. Variables fall into groups that are not tied to each other, and
every possible combination of one group goes with every possible combination of the others.

P(target | everything else) is a product of the tables in which the target occurs, scaled to sum to 1. Two
combinations of a group tell the same when they give every such table the same proportions over those levels
of the target that are possible, whatever the variables outside the group are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.errors import InvalidParameter
from engine.simulation.bayesian_network import BayesianNetwork
from engine.simulation.graph import Surroundings, joined_groups

_MOST_WORLDS = 1 << 18


class TooManyWorlds(InvalidParameter):
    """A group has more possible combinations than can be listed."""


def _too_many(names: Sequence[str], node: str) -> TooManyWorlds:
    return TooManyWorlds(
        f"the {len(names)} variables that impossible events tie to it have more than "
        f"{_MOST_WORLDS:,} possible combinations.",
        place=f"node '{node}'",
    )


@dataclass(frozen=True, eq=False)
class Group:
    """Variables that impossible events tie together, causes before effects, or a single one."""

    names: tuple[str, ...]
    worlds: np.ndarray  # (worlds, variables): every possible combination of their levels

    def columns(self, names: tuple[str, ...]) -> np.ndarray:
        """Return the levels of some of its variables in every world, shape (worlds, names)."""
        chosen: np.ndarray = self.worlds[:, [self.names.index(name) for name in names]]
        return chosen


class PossibleWorlds:
    """The groups of a network, each worked out when it is first asked for.

    >>> network = BayesianNetwork(
    ...     ["a", "b", "c"],
    ...     {"b": ["a"], "c": ["b"]},
    ...     {"a": [0.5, 0.5], "b": [[1.0, 0.0], [0.2, 0.8]], "c": [[0.7, 0.3], [0.1, 0.9]]},
    ... )
    >>> group = PossibleWorlds(network).group("a")
    >>> group.names, group.worlds.tolist()
    (('a', 'b'), [[0, 0], [1, 0], [1, 1]])
    """

    def __init__(self, network: BayesianNetwork) -> None:
        self.network = network
        self._groups: dict[tuple[str, ...], np.ndarray | None] = {}

    def group(self, name: str) -> Group:
        """Return the group that a variable belongs to."""
        names = self._tied[name]
        if names not in self._groups:
            self._groups[names] = self._worlds(names)
        worlds = self._groups[names]
        if worlds is None:
            raise _too_many(names, name)
        return Group(names, worlds)

    def tied_to(self, name: str) -> frozenset[str]:
        """Return the other variables that impossible events tie to a variable."""
        return frozenset(self._tied[name]) - {name}

    @cached_property
    def _tied(self) -> dict[str, tuple[str, ...]]:
        ties = [
            (parent, name)
            for name in self.network.nodes
            if (self.network.tables[name] == 0).any()
            for parent in self.network.parents[name]
        ]
        position = {name: number for number, name in enumerate(self.network.order)}
        groups = [
            tuple(sorted(names, key=position.__getitem__))
            for names in joined_groups(self.network.nodes, ties)
        ]
        return {name: names for names in groups for name in names}

    def _worlds(self, names: tuple[str, ...]) -> np.ndarray | None:
        """List every possible combination; None when there are too many."""
        worlds = np.zeros((1, 0), dtype=np.int16)
        for name in names:
            levels = self.network.level_count(name)
            worlds = np.column_stack(
                [np.repeat(worlds, levels, axis=0), np.tile(np.arange(levels, dtype=np.int16), len(worlds))]
            )
            table = self.network.tables[name]
            if (table == 0).any():
                family = [names.index(member) for member in (*self.network.parents[name], name)]
                worlds = worlds[table[tuple(worlds[:, position] for position in family)] > 0]
            if len(worlds) > _MOST_WORLDS:
                return None
        return worlds


_TOLERANCE = 1e-9
_LARGEST_KEY = 1 << 40


@dataclass(frozen=True, eq=False)
class SufficientStatistic:
    """What a group tells about a target: the minimal sufficient statistic of its worlds."""

    group: Group  # without the target
    numbers: np.ndarray  # (worlds,): those with the same number tell the same

    @property
    def is_constant(self) -> bool:
        """Whether every world tells the same."""
        return bool((self.numbers == self.numbers[:1]).all())

    def fixed_by(self) -> Callable[[frozenset[str]], bool]:
        """Return the test whether variables of the group fix what the group tells."""
        columns = dict(zip(self.group.names, self.group.worlds.T.astype(np.int64), strict=True))

        def fixes(chosen: frozenset[str]) -> bool:
            key = _key([column for name, column in columns.items() if name in chosen], len(self.numbers))
            _, kind = np.unique(key, return_inverse=True)
            first = np.empty(len(self.numbers), dtype=np.int64)
            first[kind] = self.numbers
            return bool((first[kind] == self.numbers).all())

        return fixes


def sufficient_statistics(possible: PossibleWorlds, target: str) -> list[SufficientStatistic]:
    """Find all groups that may tell something about a target, that to which it is tied first; and what."""
    return _statistics(_TargetTables(possible, (target,), (target, *possible.network.children[target])))


def statistics_among(
    possible: PossibleWorlds, target: str, observed: frozenset[str]
) -> list[SufficientStatistic]:
    """Find all groups of observed variables that may tell something about a target, the others marginalised.

    Where events around unobserved variables are impossible, the answer is worked out from a list of all
    combinations. Elsewhere a variable tells as much about the target as it tells about the unobserved
    variables between them, except where effects cancel exactly. Groups may hold variables that are not
    observed; what they tell depends on the others alone.
    """
    beside = possible.network.surroundings(target, observed)
    if beside.through == (target,) and possible.tied_to(target) <= observed:
        return _statistics(_TargetTables(possible, beside.through, beside.families))
    if any((possible.network.tables[family] == 0).any() for family in beside.families) or any(
        possible.tied_to(name) for name in beside.through
    ):
        return [_listed_statistic(possible, beside, observed)]
    return _statistics(_TargetTables(possible, beside.through, beside.families))


def _listed_statistic(
    possible: PossibleWorlds, beside: Surroundings, observed: frozenset[str]
) -> SufficientStatistic:
    """Work out what all variables around a target tell about it, in every combination that can occur."""
    network, target = possible.network, beside.through[0]
    wanted = observed.union(beside.through)
    names: list[str] = []
    worlds = np.zeros((1, 0), dtype=np.int64)
    for family in beside.families:
        for name in (*network.parents[family], family):
            if name in names:
                continue
            group = possible.group(name)
            members = tuple(member for member in group.names if member in wanted)
            rows, _ = _distinct(group.columns(members))
            if len(worlds) * len(rows) > _MOST_WORLDS:
                raise _too_many([*names, *members], target)
            first, second = np.divmod(np.arange(len(worlds) * len(rows)), len(rows))
            worlds = np.column_stack([worlds[first], rows[second]])
            names.extend(members)
    column = dict(zip(names, worlds.T, strict=True))
    weights = np.ones(len(worlds))
    for family in beside.families:
        axes = (*network.parents[family], family)
        weights *= network.tables[family][tuple(column[name] for name in axes)]
    telling = [name for name in names if name not in beside.through]
    combinations, positions = _distinct(
        np.column_stack([np.zeros((len(worlds), 0), dtype=np.int64), *(column[name] for name in telling)])
    )
    chances = np.zeros((len(combinations), network.level_count(target)))
    np.add.at(chances, (positions, column[target]), weights)
    numbers = _numbered(chances / chances.sum(axis=1, keepdims=True))
    return SufficientStatistic(Group(tuple(telling), combinations.astype(np.int16)), numbers)


def _statistics(around: _TargetTables) -> list[SufficientStatistic]:
    found = [around.statistic_of_own_group()] if around.own.names else []
    taken = {*around.targets, *around.own.names}
    for factor in around.factors:
        for name in around.family(factor):
            if name not in taken:
                group = around.group(name)
                taken.update(group.names)
                found.append(around.statistic_of(group))
    return found


class _TargetTables:
    """The tables in which a target occurs, or one of several that nothing ties to other variables.

    `own` is the group that the target is tied to, without it, and `masks`, shape (worlds of own, levels of
    the target), tells which levels of the target are possible in each of its worlds. Of several targets all
    levels are.
    """

    def __init__(self, possible: PossibleWorlds, targets: tuple[str, ...], factors: tuple[str, ...]) -> None:
        self.group = possible.group
        self._network: BayesianNetwork = possible.network
        self.targets = targets
        self.factors = factors
        if len(targets) == 1:
            self.own, self._masks = self._without_target(possible.group(targets[0]), targets[0])
        else:
            self.own = Group((), np.zeros((1, 0), dtype=np.int16))
            self._masks = np.ones((1, 1), dtype=np.bool_)

    def family(self, factor: str) -> tuple[str, ...]:
        """Return the variables of a table but the targets."""
        return tuple(name for name in (*self._network.parents[factor], factor) if name not in self.targets)

    def statistic_of(self, group: Group) -> SufficientStatistic:
        """Return a number to what a group tells that the target is not tied to."""
        numbers = []
        for factor in self.factors:
            members = tuple(name for name in self.family(factor) if name in group.names)
            if not members:
                continue
            rows, positions = _distinct(group.columns(members))
            contexts, masks = self._contexts(factor, group)
            levels = {name: rows[:, [position]] for position, name in enumerate(members)}
            levels |= {name: column[None, :] for name, column in contexts.items()}
            proportions = self._proportions(self._likelihood(factor, levels), masks[None, :, :])
            numbers.append(_numbered(proportions.reshape(len(rows), -1))[positions])
        return SufficientStatistic(group, _numbered(np.column_stack(numbers)))

    def statistic_of_own_group(self) -> SufficientStatistic:
        """Return a number to what the group tells that the target is tied to."""
        numbers = []
        certain = np.ones(self._masks.shape)
        for factor in self.factors:
            members = tuple(name for name in self.family(factor) if name in self.own.names)
            columns = self.own.columns(members)
            if members == self.family(factor):
                levels = {name: columns[:, position] for position, name in enumerate(members)}
                certain *= self._likelihood(factor, levels)
                continue
            rows, positions = _distinct(np.column_stack([columns, self._masks]))
            contexts, _ = self._contexts(factor, self.own)
            levels = {name: rows[:, [position]] for position, name in enumerate(members)}
            levels |= {name: column[None, :] for name, column in contexts.items()}
            masks = rows[:, None, len(members) :] > 0
            proportions = self._proportions(self._likelihood(factor, levels), masks)
            numbers.append(_numbered(proportions.reshape(len(rows), -1))[positions])
        numbers.append(_numbered(self._proportions(certain, self._masks)))
        return SufficientStatistic(self.own, _numbered(np.column_stack(numbers)))

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
            other = self.group(name)
            members = tuple(member for member in self.family(factor) if member in other.names)
            rows, _ = _distinct(other.columns(members))
            first, second = np.divmod(np.arange(len(listed) * len(rows)), len(rows))
            listed, masks = np.column_stack([listed[first], rows[second]]), masks[first]
            names.extend(members)
        return dict(zip(names, listed.T, strict=True)), masks

    def _likelihood(self, factor: str, levels: Mapping[str, np.ndarray]) -> np.ndarray:
        """Look up a table; the last axis of the result runs over the levels of its targets."""
        axes = (*self._network.parents[factor], factor)
        last = [position for position, name in enumerate(axes) if name in self.targets]
        table = np.moveaxis(self._network.tables[factor], last, range(-len(last), 0))
        found: np.ndarray = table[tuple(levels[name] for name in self.family(factor))]
        return found.reshape(*found.shape[: found.ndim - len(last)], -1)

    @staticmethod
    def _proportions(likelihood: np.ndarray, masks: np.ndarray) -> np.ndarray:
        masked = likelihood * masks
        scaled: np.ndarray = masked / masked.sum(axis=-1, keepdims=True)
        return scaled

    def _without_target(self, group: Group, target: str) -> tuple[Group, np.ndarray]:
        names = tuple(name for name in group.names if name != target)
        worlds, positions = _distinct(group.columns(names))
        masks = np.zeros((len(worlds), self._network.level_count(target)), dtype=np.bool_)
        masks[positions, group.columns((target,))[:, 0]] = True
        return Group(names, worlds), masks


def _distinct(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the different rows, and the place of each row among them."""
    if rows.shape[1] == 0:
        return rows[:1].astype(np.int64), np.zeros(len(rows), dtype=np.int64)
    key = _key([column.astype(np.int64) for column in rows.T], len(rows))
    _, first, positions = np.unique(key, return_index=True, return_inverse=True)
    return rows[first].astype(np.int64), positions


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
    """Return rows numbers, so that rows equal up to rounding have the same number."""
    flat = rows.ravel()
    order = np.argsort(flat)
    steps = np.zeros(len(flat), dtype=np.int64)
    steps[order[1:]] = np.cumsum(np.diff(flat[order]) > _TOLERANCE)
    return _distinct(steps.reshape(rows.shape))[1]
