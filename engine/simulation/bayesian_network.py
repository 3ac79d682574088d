"""A discrete Bayesian network: a directed acyclic graph with one conditional table a node.

A table that is read row by row is refused where it is none.

Of a small one, also the whole population, its entropies, and the slow proof of what boundaries are.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from engine.errors import InvalidData, InvalidParameter
from engine.progress import Progress
from engine.simulation.graph import DirectedGraph, until_stopped
from engine.simulation.structural_network import StructuralNetwork
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable, code_dtype
from engine.translation import _
from engine.wording.sentences import NO_SUCH_NODE, RENAME_ONE, choose_one

_ROUNDING = 0.02
_MOST_CELLS = 1 << 26


class ConditionalTable:
    """The table of one node while it is being read."""

    def __init__(
        self,
        node: str,
        levels: Sequence[str],
        parents: Sequence[str],
        parent_levels: Sequence[Sequence[str]],
    ) -> None:
        self._node = node
        self._levels = levels
        self._parents = parents
        self._places = [
            {level: position for position, level in enumerate(levels_of_parent)}
            for levels_of_parent in parent_levels
        ]
        shape = (*(len(levels_of_parent) for levels_of_parent in parent_levels), len(levels))
        if math.prod(shape) > _MOST_CELLS:
            raise InvalidData(
                _("its probability table would have more than {most_cells:,} cells.", most_cells=_MOST_CELLS),
                place=self.place,
                remedy=_("Use a network whose nodes have fewer parents."),
            )
        self._values = np.full(shape, np.nan)

    @property
    def place(self) -> str:
        """The node as error messages name it."""
        return _("node '{node}'", node=self._node)

    def set_row(self, configuration: Sequence[str], probabilities: Sequence[float]) -> None:
        """Set the distribution of the node for one configuration of its parents."""
        if len(configuration) != len(self._parents):
            raise self._wrong(
                _(
                    "a row names {levels} levels for its {parents} parents.",
                    levels=len(configuration),
                    parents=len(self._parents),
                ),
                _("Name one level of each parent."),
            )
        row = []
        for parent, positions, level in zip(self._parents, self._places, configuration, strict=True):
            if level not in positions:
                raise self._wrong(
                    _("its parent '{parent}' has no level '{level}'.", parent=parent, level=level),
                    choose_one(positions),
                )
            row.append(positions[level])
        if not np.isnan(self._values[(*row, 0)]):
            raise self._wrong(
                _("its row for {levels} is given twice.", levels=_named(configuration)),
                _("Remove one of them."),
            )
        self._values[tuple(row)] = self._distribution(probabilities, configuration)

    def set_others(self, probabilities: Sequence[float]) -> None:
        """Set the distribution for every configuration that has none yet."""
        self._values[np.isnan(self._values[..., 0])] = self._distribution(probabilities, ("default",))

    def set_all(self, probabilities: Sequence[float]) -> None:
        """Set the whole table from one list; in it the node changes slowest, its last parent fastest."""
        shape = self._values.shape
        if len(probabilities) != self._values.size:
            raise self._wrong(
                _(
                    "its table has {count} numbers; {size} are needed.",
                    count=len(probabilities),
                    size=self._values.size,
                ),
                _("Give one number for each level and each combination of levels of its parents."),
            )
        listed = np.moveaxis(np.array(probabilities).reshape(shape[-1], *shape[:-1]), 0, -1)
        for position in np.ndindex(shape[:-1]):
            levels = tuple(list(places)[spot] for places, spot in zip(self._places, position, strict=True))
            self.set_row(levels, listed[position].tolist())

    def finish(self) -> np.ndarray:
        """Return the table, shape (levels of each parent …, levels of the node)."""
        missing = np.argwhere(np.isnan(self._values[..., 0]))
        if len(missing):
            levels = [list(places)[spot] for places, spot in zip(self._places, missing[0], strict=True)]
            raise self._wrong(
                _(
                    "{count} rows of its table are missing, the first for {levels}.",
                    count=len(missing),
                    levels=_named(levels),
                ),
                _("Add them."),
            )
        return self._values

    def _distribution(self, probabilities: Sequence[float], configuration: Sequence[str]) -> np.ndarray:
        named = _named(configuration)
        if len(probabilities) != len(self._levels):
            raise self._wrong(
                _(
                    "its row for {levels} has {count} probabilities for {expected} levels.",
                    levels=named,
                    count=len(probabilities),
                    expected=len(self._levels),
                ),
                _("Give one probability a level."),
            )
        values = np.array(probabilities, dtype=np.float64)
        if not np.isfinite(values).all() or (values < 0).any():
            raise self._wrong(
                _("its row for {levels} holds a probability that is negative or no number.", levels=named),
                _("Correct it."),
            )
        total = float(values.sum())
        if abs(total - 1) > _ROUNDING:
            raise self._wrong(
                _("its row for {levels} sums to {sum:.6g} and not to 1.", levels=named, sum=total),
                _("Correct its probabilities."),
            )
        return values / total

    def _wrong(self, problem: str, remedy: str) -> InvalidData:
        return InvalidData(problem, place=self.place, remedy=remedy)


def _named(configuration: Sequence[str]) -> str:
    return f"({', '.join(configuration)})"


_TOLERANCE = 1e-9
_BLOCK_ROWS = 1 << 15


@dataclass(frozen=True, eq=False)
class BayesianNetwork(DirectedGraph):
    """Nodes, their parents and their conditional probability tables.

    ``tables[node]`` is P(node | parents), of shape (levels of each parent in order …, levels of the node);
    the last axis sums to 1. A node that is absent in `parents` has none; levels without names are "0", "1",
    ….

    >>> network = BayesianNetwork(
    ...     ["rain", "wet"], {"wet": ["rain"]}, {"rain": [0.8, 0.2], "wet": [[0.9, 0.1], [0.2, 0.8]]}
    ... )
    >>> network.children["rain"], network.edges
    (('wet',), (('rain', 'wet'),))
    """

    nodes: tuple[str, ...]
    parents: Mapping[str, tuple[str, ...]]
    tables: Mapping[str, np.ndarray]
    levels: Mapping[str, tuple[str, ...]]

    def __init__(
        self,
        nodes: Sequence[str],
        parents: Mapping[str, Sequence[str]],
        tables: Mapping[str, np.ndarray | Sequence[object]],
        levels: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        names = tuple(nodes)
        _check_nodes(names, parents, tables)
        arrays = {name: _frozen_table(name, tables[name]) for name in names}
        named = {} if levels is None else levels
        object.__setattr__(self, "nodes", names)
        object.__setattr__(self, "parents", {name: tuple(parents.get(name, ())) for name in names})
        object.__setattr__(self, "tables", arrays)
        object.__setattr__(
            self,
            "levels",
            {name: tuple(named.get(name, tuple(map(str, range(arrays[name].shape[-1]))))) for name in names},
        )
        for name in names:
            self._check_shape(name)
        self.order  # noqa: B018 (raises when there is a cycle)

    def level_count(self, node: str) -> int:
        """Count the levels of a node."""
        return int(self.tables[node].shape[-1])

    def _drawn(self, rows: int, generator: np.random.Generator, progress: Progress) -> dict[str, np.ndarray]:
        columns = {name: np.empty(rows, dtype=code_dtype(self.level_count(name))) for name in self.nodes}
        thresholds = {name: _thresholds(self.tables[name]) for name in self.nodes}
        # Blocks that fit the processor's cache make long tables several times faster.
        for start in range(0, rows, _BLOCK_ROWS):
            block = slice(start, min(start + _BLOCK_ROWS, rows))
            for name in until_stopped(self.order, progress):
                stratum = self._stratum(name, columns, block)
                draw = generator.random(block.stop - block.start)
                columns[name][block] = _levels_of_draw(thresholds[name], stratum, draw)
        return columns

    def log_probability(self, columns: Mapping[str, np.ndarray]) -> np.ndarray:
        """Natural logarithm of the probability of each row of codes; ``-inf`` if it cannot occur."""
        rows = len(next(iter(columns.values())))
        total = np.zeros(rows)
        everything = slice(0, rows)
        with np.errstate(divide="ignore"):
            for name in self.nodes:
                flat = np.log(self.tables[name].reshape(-1, self.level_count(name)))
                total += flat[self._stratum(name, columns, everything), columns[name]]
        return total

    def _stratum(self, name: str, columns: Mapping[str, np.ndarray], block: slice) -> np.ndarray:
        """Position of each row's parent configuration in the flattened table."""
        stratum = np.zeros(block.stop - block.start, dtype=np.int32)
        for parent in self.parents[name]:
            stratum *= self.level_count(parent)
            stratum += columns[parent][block]
        return stratum

    def _check_shape(self, name: str) -> None:
        expected = tuple(self.level_count(parent) for parent in self.parents[name])
        if self.tables[name].shape[:-1] != expected:
            raise InvalidData(
                _(
                    "its table has shape {shape}, but its parents have {expected} levels.",
                    shape=self.tables[name].shape,
                    expected=expected,
                ),
                place=_("node '{name}'", name=name),
            )
        if len(self.levels[name]) != self.level_count(name):
            raise InvalidData(
                _(
                    "it has {count} level names for {level_count} levels.",
                    count=len(self.levels[name]),
                    level_count=self.level_count(name),
                ),
                place=_("node '{name}'", name=name),
            )

    def __repr__(self) -> str:
        return f"<BayesianNetwork: {len(self.nodes)} nodes, {len(self.edges)} edges>"


def _check_nodes(
    names: tuple[str, ...], parents: Mapping[str, Sequence[str]], tables: Mapping[str, object]
) -> None:
    if len(set(names)) != len(names):
        raise InvalidData(_("two nodes have the same name."), remedy=_(RENAME_ONE))
    all_names = set(names)
    for name in names:
        if name not in tables:
            raise InvalidData(_("it has no probability table."), place=_("node '{name}'", name=name))
    for name, causes in parents.items():
        unknown = [cause for cause in (name, *causes) if cause not in all_names]
        if unknown:
            raise InvalidData(_(NO_SUCH_NODE, name=unknown[0]), place=_("parents of '{name}'", name=name))
        if len(set(causes)) != len(causes):
            raise InvalidData(_("a parent is named twice."), place=_("node '{name}'", name=name))


def _frozen_table(name: str, table: object) -> np.ndarray:
    array = np.array(table, dtype=np.float64)
    if array.ndim == 0 or array.shape[-1] == 0:
        raise InvalidData(_("its probability table is empty."), place=_("node '{name}'", name=name))
    if not np.isfinite(array).all() or (array < 0).any():
        raise InvalidData(_("a probability is negative or no number."), place=_("node '{name}'", name=name))
    if np.abs(array.sum(axis=-1) - 1).max() > _TOLERANCE:
        raise InvalidData(
            _("the probabilities of its levels do not sum to 1."),
            place=_("node '{name}'", name=name),
            remedy=_("Let the last axis of the table run over the levels of the node."),
        )
    array.setflags(write=False)
    return array


def _thresholds(table: np.ndarray) -> np.ndarray:
    """Cumulated probabilities without the last level, shape (levels - 1, strata)."""
    flat = table.reshape(-1, table.shape[-1])
    cumulated = np.cumsum(flat, axis=1)[:, :-1]
    # A level of probability 0 at the end must not be reached through rounding of the sum.
    never = np.cumsum(flat[:, ::-1], axis=1)[:, ::-1][:, 1:] == 0
    return np.ascontiguousarray(np.where(never, 1.0, cumulated).T)


def _levels_of_draw(thresholds: np.ndarray, stratum: np.ndarray, draw: np.ndarray) -> np.ndarray:
    level = np.zeros(len(draw), dtype=np.int32)
    for threshold in thresholds:
        level += draw >= threshold[stratum]
    return level


_MOST_CONFIGURATIONS = 1 << 24


def joint_distribution(network: BayesianNetwork) -> np.ndarray:
    """Multiply all tables: one axis a node, in node order; sums to 1.

    >>> network = BayesianNetwork(["a", "b"], {"b": ["a"]}, {"a": [0.5, 0.5], "b": [[0.9, 0.1], [0.2, 0.8]]})
    >>> joint_distribution(network)
    array([[0.45, 0.05],
           [0.1 , 0.4 ]])
    """
    shape = tuple(network.level_count(name) for name in network.nodes)
    size = float(np.prod(np.array(shape, dtype=np.float64)))
    if size > _MOST_CONFIGURATIONS:
        raise InvalidParameter(
            _("the network has {size:.3g} configurations, too many to list.", size=size),
            remedy=_("Use a network with fewer variables or levels."),
        )
    position = {name: index for index, name in enumerate(network.nodes)}
    joint = np.ones(shape)
    for name in network.nodes:
        axes = [*(position[parent] for parent in network.parents[name]), position[name]]
        order = np.argsort(axes)
        widened = [1] * len(shape)
        for axis in axes:
            widened[axis] = shape[axis]
        joint *= network.tables[name].transpose(order).reshape(widened)
    return joint


def population_dataset(network: BayesianNetwork, labels: Iterable[str] = ()) -> tuple[Dataset, np.ndarray]:
    """List every row that can occur, columns in node order, with its probability.

    A test whose counts are the weights times any number of rows gives the population's answer.
    """
    joint = joint_distribution(network)
    positions = np.nonzero(joint)
    columns = [
        position.astype(code_dtype(network.level_count(name)))
        for name, position in zip(network.nodes, positions, strict=True)
    ]
    variables = dataset_variables(network, labels)
    weights = joint[positions]
    return Dataset(variables, tuple(columns), name="population"), weights / weights.sum()


def dataset_variables(
    network: BayesianNetwork | StructuralNetwork, labels: Iterable[str]
) -> tuple[Variable, ...]:
    """Describe the nodes as columns of a dataset; those without levels are numbers."""
    wanted = set(labels)
    return tuple(
        Variable(
            name,
            Kind.NOMINAL if network.levels[name] else Kind.CONTINUOUS,
            role=Role.LABEL if name in wanted else Role.FEATURE,
            levels=network.levels[name],
        )
        for name in network.nodes
    )


def entropy(joint: np.ndarray, axes: Iterable[int]) -> float:
    """Entropy of some axes of a joint distribution together, in nats."""
    remaining = frozenset(axes)
    summed = joint.sum(axis=tuple(axis for axis in range(joint.ndim) if axis not in remaining))
    positive = summed[summed > 0]
    return float(-(positive * np.log(positive)).sum())


def mutual_information(joint: np.ndarray, first: int, second: int, given: Iterable[int] = ()) -> float:
    """Mutual information of two axes of a joint distribution given other axes, in nats."""
    fixed = frozenset(given)
    with_first, with_second = entropy(joint, fixed | {first}), entropy(joint, fixed | {second})
    return max(
        0.0, with_first + with_second - entropy(joint, fixed | {first, second}) - entropy(joint, fixed)
    )


def exhaustive_boundaries(
    network: BayesianNetwork, target: str, among: Collection[str] | None = None
) -> tuple[frozenset[str], ...]:
    """Find every Markov boundary of a node, among some nodes, straight from the definition.

    A set is a Markov blanket when it leaves as much uncertainty about the target as all other nodes
    together; a boundary is a blanket with no blanket inside it (Definition 2 of the paper). Subsets
    are tried by growing size, with entropies from the exact joint distribution.
    """
    joint = joint_distribution(network)
    own = network.nodes.index(target)
    others = [
        position
        for position, name in enumerate(network.nodes)
        if position != own and (among is None or name in among)
    ]
    least = entropy(joint, [own, *others]) - entropy(joint, others)
    boundaries: list[frozenset[int]] = []
    for size in range(len(others) + 1):
        for subset in combinations(others, size):
            if any(boundary <= set(subset) for boundary in boundaries):
                continue
            uncertainty = entropy(joint, [own, *subset]) - entropy(joint, subset)
            if uncertainty <= least + _TOLERANCE:
                boundaries.append(frozenset(subset))
    return tuple(frozenset(network.nodes[position] for position in boundary) for boundary in boundaries)


def conditional_information(network: BayesianNetwork, x: str, y: str, given: tuple[str, ...] = ()) -> float:
    """Mutual information of two nodes given others, in nats, from the exact joint distribution."""
    joint = joint_distribution(network)
    position = {name: number for number, name in enumerate(network.nodes)}
    return mutual_information(joint, position[x], position[y], [position[name] for name in given])
