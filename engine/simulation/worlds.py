"""Which combinations of levels are possible: the part of a network that impossible events tie together.

A table without zeros forbids nothing. A table with zeros *ties* a node to its parents: the level of one then
tells which levels of another are possible. Variables fall into groups that are not tied to each other, and
every possible combination of one group goes with every possible combination of the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.errors import InvalidParameter
from engine.simulation.bayesian_network import BayesianNetwork

_MOST_WORLDS = 1 << 18


class TooManyWorlds(InvalidParameter):
    """A group has more possible combinations than can be listed."""


@dataclass(frozen=True, eq=False)
class Group:
    """Variables that impossible events tie together, or a single one.

    Attributes
    ----------
    names : tuple of str
        The variables, causes before effects.
    worlds : ndarray of int16, shape (worlds, variables)
        Every possible combination of their levels.
    """

    names: tuple[str, ...]
    worlds: np.ndarray

    def columns(self, names: tuple[str, ...]) -> np.ndarray:
        """Give the levels of some of its variables in every world, shape (worlds, names)."""
        chosen: np.ndarray = self.worlds[:, [self.names.index(name) for name in names]]
        return chosen


class PossibleWorlds:
    """The groups of a network, each worked out when it is first asked for.

    Parameters
    ----------
    network : BayesianNetwork
        Any network.

    Examples
    --------
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
        """Give the group that a variable belongs to.

        Raises
        ------
        TooManyWorlds
            When it has too many possible combinations to list.
        """
        names = self._tied[name]
        if names not in self._groups:
            self._groups[names] = self._worlds(names)
        worlds = self._groups[names]
        if worlds is None:
            raise TooManyWorlds(
                f"the {len(names)} variables that impossible events tie to it have more than "
                f"{_MOST_WORLDS:,} possible combinations.",
                place=f"node '{name}'",
            )
        return Group(names, worlds)

    @cached_property
    def _tied(self) -> dict[str, tuple[str, ...]]:
        import networkx

        ties = networkx.Graph()
        ties.add_nodes_from(self.network.nodes)
        for name in self.network.nodes:
            if (self.network.tables[name] == 0).any():
                ties.add_edges_from((parent, name) for parent in self.network.parents[name])
        place = {name: number for number, name in enumerate(self.network.order)}
        groups = [
            tuple(sorted(names, key=place.__getitem__)) for names in networkx.connected_components(ties)
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
                worlds = worlds[table[tuple(worlds[:, place] for place in family)] > 0]
            if len(worlds) > _MOST_WORLDS:
                return None
        return worlds
