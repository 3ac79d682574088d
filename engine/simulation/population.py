"""The whole population of a small network: every row that can occur, with its probability."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from engine.codes import code_dtype
from engine.dataset import Dataset
from engine.errors import InvalidParameter
from engine.simulation.bayesian_network import BayesianNetwork
from engine.simulation.structural.network import StructuralNetwork
from engine.variable import Kind, Role, Variable

_MOST_CONFIGURATIONS = 1 << 24


def joint_distribution(network: BayesianNetwork) -> np.ndarray:
    """Multiply all tables.

    Parameters
    ----------
    network : BayesianNetwork
        At most 2²⁴ configurations.

    Returns
    -------
    ndarray of float64
        One axis a node, in node order; sums to 1.

    Raises
    ------
    InvalidParameter
        When there are too many configurations to list.

    Examples
    --------
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
    position = {name: place for place, name in enumerate(network.nodes)}
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
    """List every row that can occur, with its probability.

    A test whose counts are the weights times any number of rows gives the population's answer.

    Parameters
    ----------
    network : BayesianNetwork
        At most 2²⁴ configurations.
    labels : iterable of str
        Nodes that are labels.

    Returns
    -------
    dataset : Dataset
        One row a configuration of positive probability; columns in node order.
    weights : ndarray of float64, shape (configurations,)
        Probability of each row; sums to 1.
    """
    joint = joint_distribution(network)
    places = np.nonzero(joint)
    columns = [
        place.astype(code_dtype(network.level_count(name)))
        for name, place in zip(network.nodes, places, strict=True)
    ]
    variables = dataset_variables(network, labels)
    weights = joint[places]
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
