"""All Markov boundaries of a variable by trying every subset: the slow proof for small networks."""

from __future__ import annotations

from itertools import combinations

from engine.simulation.bayesian_network import BayesianNetwork
from engine.simulation.mutual_information import entropy, mutual_information
from engine.simulation.population import joint_distribution

_TOLERANCE = 1e-9


def exhaustive_boundaries(network: BayesianNetwork, target: str) -> tuple[frozenset[str], ...]:
    """Find every Markov boundary of a node straight from the definition.

    A set is a Markov blanket when it leaves as much uncertainty about the target as all other nodes
    together; a boundary is a blanket with no blanket inside it (Definition 2 of the paper). Subsets
    are tried by growing size, with entropies from the exact joint distribution.

    Parameters
    ----------
    network : BayesianNetwork
        Small: the time doubles with every node.
    target : str
        The node whose boundaries are wanted.

    Returns
    -------
    tuple of frozenset of str
        Smallest first.

    Examples
    --------
    >>> chain = BayesianNetwork(
    ...     ["a", "b", "c"],
    ...     {"b": ["a"], "c": ["b"]},
    ...     {"a": [0.5, 0.5], "b": [[0.9, 0.1], [0.2, 0.8]], "c": [[0.7, 0.3], [0.1, 0.9]]},
    ... )
    >>> exhaustive_boundaries(chain, "a")
    (frozenset({'b'}),)
    """
    joint = joint_distribution(network)
    own = network.nodes.index(target)
    others = [place for place in range(len(network.nodes)) if place != own]
    least = entropy(joint, [own, *others]) - entropy(joint, others)
    found: list[frozenset[int]] = []
    for size in range(len(others) + 1):
        for subset in combinations(others, size):
            if any(boundary <= set(subset) for boundary in found):
                continue
            uncertainty = entropy(joint, [own, *subset]) - entropy(joint, subset)
            if uncertainty <= least + _TOLERANCE:
                found.append(frozenset(subset))
    return tuple(frozenset(network.nodes[place] for place in boundary) for boundary in found)


def conditional_information(network: BayesianNetwork, x: str, y: str, given: tuple[str, ...] = ()) -> float:
    """Mutual information of two nodes given others, in nats, from the exact joint distribution."""
    joint = joint_distribution(network)
    place = {name: number for number, name in enumerate(network.nodes)}
    return mutual_information(joint, place[x], place[y], [place[name] for name in given])
