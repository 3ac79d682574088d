"""Bayesian networks refuse nonsense, and sample what their tables say."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from engine.errors import InvalidData, InvalidParameter
from engine.simulation import BayesianNetwork, joint_distribution, population_dataset
from tests.engine.networks import all_known, figure_1, figure_2
from tests.with_each import with_each


@pytest.mark.parametrize(
    ("nodes", "parents", "tables", "word"),
    [
        (["a", "a"], {}, {"a": [1.0]}, "same name"),
        (["a"], {}, {}, "no probability table"),
        (["a"], {"a": ["b"]}, {"a": [1.0]}, "'b'"),
        (["a"], {"b": ["a"]}, {"a": [1.0]}, "'b'"),
        (["a"], {}, {"a": [0.5, 0.6]}, "sum to 1"),
        (["a"], {}, {"a": [1.5, -0.5]}, "negative"),
        (["a"], {}, {"a": [np.nan, 1.0]}, "no number"),
        (["a"], {}, {"a": []}, "empty"),
        (["a", "b"], {"b": ["a"]}, {"a": [0.5, 0.5], "b": [0.5, 0.5]}, "shape"),
        (["a", "b"], {"b": ["a", "a"]}, {"a": [0.5, 0.5], "b": np.full((2, 2, 2), 0.5)}, "twice"),
        (
            ["a", "b"],
            {"a": ["b"], "b": ["a"]},
            {"a": np.full((2, 2), 0.5), "b": np.full((2, 2), 0.5)},
            "circle",
        ),
    ],
)
def test_nonsense_is_refused(nodes, parents, tables, word) -> None:
    with pytest.raises(InvalidData, match=word):
        BayesianNetwork(nodes, parents, tables)


def test_level_names_must_fit() -> None:
    with pytest.raises(InvalidData, match="level names"):
        BayesianNetwork(["a"], {}, {"a": [0.5, 0.5]}, {"a": ["only"]})


def test_tables_cannot_be_changed() -> None:
    network = BayesianNetwork(["a"], {}, {"a": np.array([0.5, 0.5])})
    with pytest.raises(ValueError, match="read-only"):
        network.tables["a"][0] = 1


@pytest.mark.parametrize("name", ["figure_1", "figure_2", "figure_4", "shared_class"])
def test_samples_follow_the_joint_distribution(name: str) -> None:
    network = all_known()[name].network
    joint = joint_distribution(network)
    rows = 100_000
    columns = network.sample(rows, np.random.default_rng(4))
    counts = np.zeros(joint.shape)
    np.add.at(counts, tuple(columns[node] for node in network.nodes), 1)
    assert (counts[joint == 0] == 0).all()
    likely = joint * rows >= 5
    observed = np.append(counts[likely], counts[~likely].sum())
    expected = np.append(joint[likely], joint[~likely].sum()) * rows
    used = expected > 0
    assert stats.chisquare(observed[used], expected[used] * (rows / expected[used].sum())).pvalue > 1e-4


def test_sampling_in_blocks_is_seamless() -> None:
    """More rows than one block: every part has the same distribution."""
    network = figure_1().network
    column = network.sample(100_000, np.random.default_rng(8))["cold"]
    first, last = column[:30_000].mean(), column[-30_000:].mean()
    assert abs(first - last) < 0.02


def test_a_level_of_probability_zero_is_never_drawn() -> None:
    thirds = [1 / 3, 1 / 3, 1 / 3, 0.0]
    network = BayesianNetwork(["a"], {}, {"a": thirds})

    class Extreme:
        def random(self, size: int) -> np.ndarray:
            return np.full(size, np.nextafter(1.0, 0.0))

    assert network.sample(3, Extreme())["a"].tolist() == [2, 2, 2]


def test_no_rows_are_refused() -> None:
    with pytest.raises(InvalidParameter, match="0 rows"):
        figure_1().network.sample(0, np.random.default_rng(0))


@with_each("name", sorted(all_known()))
def test_population_lists_each_possible_row_once_with_its_probability(name: str) -> None:
    known_network = all_known()[name]
    dataset, weights = population_dataset(known_network.network, known_network.labels)
    assert weights.sum() == pytest.approx(1, abs=1e-12)
    assert (weights > 0).all()
    assert set(dataset.labels) == set(known_network.labels)
    codes = np.stack([dataset.column(node) for node in known_network.network.nodes], axis=1)
    assert len(np.unique(codes, axis=0)) == len(codes)
    columns = {node: dataset.column(node) for node in known_network.network.nodes}
    np.testing.assert_allclose(np.exp(known_network.network.log_probability(columns)), weights, rtol=1e-9)


def test_log_probability_of_an_impossible_row() -> None:
    row = {node: np.zeros(1, dtype=int) for node in figure_2().network.nodes}
    assert figure_2().network.log_probability(row)[0] == -np.inf


def test_too_large_a_population_is_refused() -> None:
    nodes = [f"n{place}" for place in range(30)]
    network = BayesianNetwork(nodes, {}, {node: [0.5, 0.5] for node in nodes})
    with pytest.raises(InvalidParameter, match="too many"):
        population_dataset(network)


def test_spouses_carry_every_connecting_child() -> None:
    network = BayesianNetwork(
        ["t", "s", "c", "d"],
        {"c": ["t", "s"], "d": ["t", "s"]},
        {"t": [0.5, 0.5], "s": [0.5, 0.5], "c": np.full((2, 2, 2), 0.5), "d": np.full((2, 2, 2), 0.5)},
    )
    assert network.spouses("t") == {"s": frozenset({"c", "d"})}
    assert network.spouses("c") == {}
