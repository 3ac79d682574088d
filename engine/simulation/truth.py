"""The exact answer for a known network: boundaries, interchangeable features, label sets.

Nothing here looks at samples. P(target | everything else) is a product of the tables in which the
target occurs, so it depends on causes, effects and other causes of effects, and on each of them only
through a partition of its levels. A set of variables is a Markov blanket exactly when it fixes all
these partitions; boundaries are the smallest such sets. Where no two variables share anything with
certainty that is the textbook boundary; where interchangeable variables share a class there are several.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product

import numpy as np

from engine.errors import InvalidParameter
from engine.simulation.bayesian_network import BayesianNetwork
from engine.simulation.partitions import (
    determines,
    effect_of_cause,
    evidence_of_effect,
    is_trivial,
    refine,
    relevance_of_spouse,
    shared_partitions,
)

_LARGEST_JOINT = 3

Shared = Mapping[str, Mapping[str, np.ndarray]]


@dataclass(frozen=True, slots=True)
class TrueBoundary:
    """Everything true about the neighbourhood of one target.

    Attributes
    ----------
    target : str
        The variable.
    parents, children : tuple of str
        Direct causes and direct effects in the graph.
    spouses : mapping of str to frozenset of str
        Other causes of direct effects that are not neighbours, with every connecting effect.
    choices : tuple of tuple of frozenset of str
        Every Markov boundary takes exactly one set of each choice, and every such pick is one.
    """

    target: str
    parents: tuple[str, ...]
    children: tuple[str, ...]
    spouses: Mapping[str, frozenset[str]]
    choices: tuple[tuple[frozenset[str], ...], ...]

    @property
    def boundary_count(self) -> int:
        """Number of Markov boundaries."""
        return math.prod(len(choice) for choice in self.choices)

    @property
    def members(self) -> frozenset[str]:
        """Every variable that is in some boundary."""
        return frozenset().union(*(picked for choice in self.choices for picked in choice))

    @property
    def interchangeable(self) -> tuple[tuple[str, ...], ...]:
        """Groups of single variables of which each boundary has exactly one."""
        return tuple(
            tuple(sorted(name for picked in choice for name in picked))
            for choice in self.choices
            if len(choice) > 1 and all(len(picked) == 1 for picked in choice)
        )

    def boundaries(self) -> Iterator[frozenset[str]]:
        """Give every Markov boundary, one at a time."""
        for picks in product(*self.choices):
            yield frozenset().union(*picks)


@dataclass(frozen=True, eq=False)
class Truth:
    """The exact answer for a network with labels.

    Attributes
    ----------
    labels, features : tuple of str
        Names, in column order.
    edges : tuple of (str, str)
        Every arrow of the graph, as (cause, effect).
    boundaries : mapping of str to TrueBoundary
        By label.

    Examples
    --------
    >>> import engine
    >>> truth = engine.simulate(labels=4, features=30, rows=10, seed=2).truth
    >>> set(truth.common) | set(truth.label_specific) == set(truth.label_sets)
    True
    """

    labels: tuple[str, ...]
    features: tuple[str, ...]
    edges: tuple[tuple[str, str], ...]
    boundaries: Mapping[str, TrueBoundary]

    @cached_property
    def label_sets(self) -> dict[str, frozenset[str]]:
        """Labels that have each causal feature in some boundary, by feature in column order."""
        found: dict[str, set[str]] = {}
        for label, boundary in self.boundaries.items():
            for member in boundary.members:
                found.setdefault(member, set()).add(label)
        return {name: frozenset(found[name]) for name in self.features if name in found}

    @cached_property
    def common(self) -> frozenset[str]:
        """Features that are in some boundary of two or more labels (Definition 4 of the paper)."""
        return frozenset(name for name, labels in self.label_sets.items() if len(labels) > 1)

    @cached_property
    def label_specific(self) -> frozenset[str]:
        """Features that are in some boundary of exactly one label."""
        return frozenset(name for name, labels in self.label_sets.items() if len(labels) == 1)

    @cached_property
    def label_relations(self) -> dict[str, frozenset[str]]:
        """Other labels that are in some boundary of each label."""
        own = frozenset(self.labels)
        return {label: boundary.members & own for label, boundary in self.boundaries.items()}

    @cached_property
    def label_edges(self) -> tuple[tuple[str, str], ...]:
        """Arrows from label to label."""
        own = frozenset(self.labels)
        return tuple(edge for edge in self.edges if own.issuperset(edge))


def true_answer(network: BayesianNetwork, labels: Iterable[str]) -> Truth:
    """Derive the exact answer from the tables of a network.

    Parameters
    ----------
    network : BayesianNetwork
        All probabilities positive, except that a feature may take a class of its levels from its only
        cause with certainty.
    labels : iterable of str
        Nodes that are labels.

    Returns
    -------
    Truth

    Raises
    ------
    InvalidParameter
        When a label is no node, is partly fixed by another variable with certainty, or the network has
        other impossible events; :func:`engine.simulation.exhaustive_boundaries` then still answers.

    Notes
    -----
    Assumed is that effects of one variable in several tables do not cancel exactly, which for
    probabilities drawn at random has probability zero.
    """
    names = tuple(labels)
    shared = shared_partitions(network)
    return Truth(
        labels=names,
        features=tuple(node for node in network.nodes if node not in set(names)),
        edges=network.edges,
        boundaries={label: true_boundary(network, label, shared) for label in names},
    )


def true_boundary(network: BayesianNetwork, target: str, shared: Shared | None = None) -> TrueBoundary:
    """Derive every Markov boundary of one node from the tables of the network.

    Parameters
    ----------
    network : BayesianNetwork
        As in :func:`true_answer`.
    target : str
        A node.
    shared : mapping, optional
        Result of :func:`engine.simulation.partitions.shared_partitions`, when at hand.

    Returns
    -------
    TrueBoundary

    Raises
    ------
    InvalidParameter
        As in :func:`true_answer`.
    """
    if target not in network.tables:
        raise InvalidParameter(f"no node is named {target!r}.")
    fixed = shared_partitions(network) if shared is None else shared
    if target in fixed:
        raise InvalidParameter(
            f"'{target}' is partly fixed by {' and '.join(sorted(fixed[target]))} with certainty.",
            remedy="Exact boundaries are derived only for targets that nothing fixes.",
        )
    alternatives = [
        _alternatives(name, partition, fixed.get(name, {}), target)
        for name, partition in _requirements(network, target).items()
    ]
    return TrueBoundary(
        target=target,
        parents=network.parents[target],
        children=network.children[target],
        spouses=network.spouses(target),
        choices=tuple(_smallest_unions(related) for related in _related(alternatives)),
    )


def _requirements(network: BayesianNetwork, target: str) -> dict[str, np.ndarray]:
    """Partition of each neighbour and spouse that P(target | everything else) depends on."""
    needed: dict[str, np.ndarray] = {}

    def require(name: str, partition: np.ndarray) -> None:
        needed[name] = refine(needed[name], partition) if name in needed else partition

    for cause in network.parents[target]:
        require(cause, effect_of_cause(network, cause, target))
    for effect in network.children[target]:
        require(effect, evidence_of_effect(network, target, effect))
        for spouse in network.parents[effect]:
            if spouse != target:
                require(spouse, relevance_of_spouse(network, target, effect, spouse))
    return {name: partition for name, partition in needed.items() if not is_trivial(partition)}


def _alternatives(
    name: str, partition: np.ndarray, fixing: Mapping[str, np.ndarray], target: str
) -> list[frozenset[str]]:
    """List the smallest sets of variables that fix a partition of the levels of `name`."""
    found = [frozenset((name,))]
    for size in range(1, _LARGEST_JOINT + 1):
        for others in combinations(sorted(fixing), size):
            if target in others or any(known.issubset(others) for known in found):
                continue
            joint = fixing[others[0]]
            for other in others[1:]:
                joint = refine(joint, fixing[other])
            if determines(joint, partition):
                found.append(frozenset(others))
    return found


def _related(alternatives: list[list[frozenset[str]]]) -> list[list[list[frozenset[str]]]]:
    """Put requirements together that some variable could serve at once."""
    clusters: list[tuple[set[str], list[list[frozenset[str]]]]] = []
    for options in alternatives:
        names: set[str] = set().union(*options)
        members = [options]
        apart = []
        for known_names, known in clusters:
            if known_names & names:
                names |= known_names
                members = known + members
            else:
                apart.append((known_names, known))
        clusters = [*apart, (names, members)]
    return [members for _, members in clusters]


def _smallest_unions(requirements: list[list[frozenset[str]]]) -> tuple[frozenset[str], ...]:
    """Pick one option a requirement in every way; keep the unions that contain no other."""
    unions = {frozenset(requirements[0][place]) for place in range(len(requirements[0]))}
    for options in requirements[1:]:
        unions = {union | option for union in unions for option in options}
    smallest = [union for union in unions if not any(other < union for other in unions)]
    return tuple(sorted(smallest, key=lambda union: (len(union), sorted(union))))
