"""The oracle of networks with functions is right, and the benchmark that asks it counts by it."""

from __future__ import annotations

import numpy as np
import pytest

from engine.simulation import BayesianNetwork
from engine.simulation.bayesian_network import entropy, exhaustive_boundaries, joint_distribution
from tests.benchmarks.functional import counted, counted_in_drawn
from tests.functional_truth import (
    FunctionalTruth,
    drawn_network,
    drawn_of_many_levels,
    functional_nodes,
)


@pytest.mark.parametrize("seed", range(12))
def test_the_oracle_reads_no_independence_that_the_joint_distribution_does_not_have(seed: int) -> None:
    network = drawn_network(seed, nodes=7, most_parents=2)
    truth, joint = FunctionalTruth(network), joint_distribution(network)
    generator = np.random.default_rng(seed)
    for given in generator.integers(0, 1 << 7, 12).tolist():
        held = [place for place in range(7) if given >> place & 1]
        for x in (place for place in range(7) if not given >> place & 1):
            dependent = truth.dependent(x, given)
            for y in (place for place in range(7) if place != x and not given >> place & 1):
                information = entropy(joint, [x, *held]) + entropy(joint, [y, *held])
                information -= entropy(joint, [x, y, *held]) + entropy(joint, held)
                if not dependent >> y & 1:
                    assert information < 1e-9


def _network_with_a_gate() -> BayesianNetwork:
    """T is "a or b"; c is a copy of it, and e a noisy one."""
    return BayesianNetwork(
        list("abtce"),
        {"t": ["a", "b"], "c": ["t"], "e": ["t"]},
        {
            "a": [0.6, 0.4],
            "b": [0.5, 0.5],
            "t": [[[1, 0], [0, 1]], [[0, 1], [0, 1]]],
            "c": [[1, 0], [0, 1]],
            "e": [[0.9, 0.1], [0.2, 0.8]],
        },
    )


def _network_with_a_gate_on_a_gate() -> BayesianNetwork:
    """M is "a or b", and t is "m or c or a or b": it needs no a and b beside m, and no m beside a and b."""
    anything = np.indices((2, 2, 2, 2)).any(axis=0).astype(float)
    return BayesianNetwork(
        list("abcmte"),
        {"m": ["a", "b"], "t": ["m", "c", "a", "b"], "e": ["t"]},
        {
            "a": [0.6, 0.4],
            "b": [0.5, 0.5],
            "c": [0.7, 0.3],
            "m": [[[1, 0], [0, 1]], [[0, 1], [0, 1]]],
            "t": np.stack((1.0 - anything, anything), axis=-1).tolist(),
            "e": [[0.9, 0.1], [0.2, 0.8]],
        },
    )


def _network_of_three_levels() -> BayesianNetwork:
    """T says which of a and b is there; s says whether it is b, so that a and s tell t as a and b do."""
    return BayesianNetwork(
        list("abtse"),
        {"t": ["a", "b"], "s": ["t"], "e": ["t"]},
        {
            "a": [0.6, 0.4],
            "b": [0.5, 0.5],
            "t": [[[1, 0, 0], [0, 0, 1]], [[0, 1, 0], [0, 1, 0]]],
            "s": [[1, 0], [1, 0], [0, 1]],
            "e": [[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]],
        },
    )


@pytest.mark.parametrize(
    ("network", "functions"),
    [
        (_network_with_a_gate(), ("t", "c")),
        (_network_with_a_gate_on_a_gate(), ("m", "t")),
        (_network_of_three_levels(), ("t", "s")),
    ],
)
def test_the_oracle_finds_the_boundaries_that_enumeration_finds(
    network: BayesianNetwork, functions: tuple[str, ...]
) -> None:
    truth = FunctionalTruth(network)
    assert functional_nodes(network) == functions
    for node in network.nodes:
        assert truth.in_some_boundary(node) == frozenset().union(*exhaustive_boundaries(network, node)), node


def test_the_benchmark_counts_pairs_by_the_oracle() -> None:
    """Whatever is found: where all are right, all found are; where none is, none."""
    network = _network_with_a_gate()
    right = FunctionalTruth(network).in_some_boundary("t")
    assert right == {"a", "b", "c"}
    counts = [
        counted(network, {"t": members}, rows=2000, seed=0, labels=["t"]).tolist()
        for members in (frozenset("abce"), right, frozenset[str]())
    ]
    count = counts[0][0]
    assert count > 0
    assert counts[0] == [count, count, 4]
    assert counts[1] in ([count, count, 3], [count, count - 1, 3])
    assert counts[2] == [count, 0, 0]


def test_drawn_networks_of_many_levels_hold_functions_of_each_kind() -> None:
    networks = [drawn_of_many_levels(seed) for seed in range(10)]
    counts = [len(functional_nodes(network)) for network in networks]
    assert sum(counts) > 20
    assert {len(network.nodes) <= 20 for network in networks} == {True, False}
    for network in networks:
        for node in functional_nodes(network):
            assert network.level_count(node) > 1


def test_precision_on_networks_with_functions_is_high_and_does_not_fall_as_rows_grow() -> None:
    """Networks drawn at random, in place of the published ones that the benchmark reads."""
    few, many = (
        np.sum([counted_in_drawn(network, rows, 0) for network in range(3)], axis=0)
        for rows in (2000, 10_000)
    )
    assert few[1] >= 0.95 * few[0]
    assert many[1] >= 0.98 * many[0]
    assert few[1] >= 0.65 * few[2]
    assert many[1] >= 0.75 * many[2]
