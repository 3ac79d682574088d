"""The whole population of a small network, its entropies, and the slow proof of what boundaries are."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import combinations

import numpy as np

from engine.errors import InvalidParameter
from engine.simulation.bayesian_network import BayesianNetwork
from engine.simulation.structural_network import StructuralNetwork
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable, code_dtype

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
            f"the network has {size:.3g} configurations, too many to list.",
            remedy="Use a network with fewer variables or levels.",
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


_TOLERANCE = 1e-9


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
    found: list[frozenset[int]] = []
    for size in range(len(others) + 1):
        for subset in combinations(others, size):
            if any(boundary <= set(subset) for boundary in found):
                continue
            uncertainty = entropy(joint, [own, *subset]) - entropy(joint, subset)
            if uncertainty <= least + _TOLERANCE:
                found.append(frozenset(subset))
    return tuple(frozenset(network.nodes[position] for position in boundary) for boundary in found)


def conditional_information(network: BayesianNetwork, x: str, y: str, given: tuple[str, ...] = ()) -> float:
    """Mutual information of two nodes given others, in nats, from the exact joint distribution."""
    joint = joint_distribution(network)
    position = {name: number for number, name in enumerate(network.nodes)}
    return mutual_information(joint, position[x], position[y], [position[name] for name in given])
