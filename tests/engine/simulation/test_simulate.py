"""Simulated networks have the sizes, shares and strengths that were asked for."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest

import engine
from engine.errors import Cancelled, InvalidParameter
from engine.progress import SilentProgress
from engine.simulation import SimulatedNetwork, simulate
from engine.simulation.simulated import simulated_network
from engine.simulation.simulation_settings import SimulationSettings
from tests.with_each import with_each


@pytest.fixture(scope="module")
def paper_sized() -> SimulatedNetwork:
    return engine.simulate(rows=5000, seed=3)


def test_sizes_and_roles(paper_sized: SimulatedNetwork) -> None:
    dataset = paper_sized.dataset
    assert dataset.row_count == 5000
    assert dataset.labels == tuple(f"L{place}" for place in range(1, 51))
    assert dataset.features == tuple(f"F{place}" for place in range(1, 1001))
    assert paper_sized.network.nodes == dataset.names
    levels = Counter(dataset.variable(name).level_count for name in dataset.features)
    assert set(levels) == {2, 3, 4}
    assert all(dataset.variable(name).level_count == 2 for name in dataset.labels)


SHARES = (0.0, 0.5, 1.0)
# Every share of either kind comes once.
SHORT = ((0.0, 0.5), (0.5, 1.0), (1.0, 0.0))


@pytest.mark.parametrize(
    ("label_causality", "multiple_boundaries"),
    [
        pytest.param(*case, marks=[] if case in SHORT else [pytest.mark.long])
        for case in product(SHARES, SHARES)
    ],
)
def test_shares_and_ranges_of_the_paper(label_causality: float, multiple_boundaries: float) -> None:
    truth = simulate(
        rows=1, label_causality=label_causality, multiple_boundaries=multiple_boundaries, seed=11, margin=0
    ).truth
    related = {label for edge in truth.label_edges for label in edge}
    assert len(related) == round(50 * label_causality)
    for label, others in truth.label_relations.items():
        assert bool(others) == (label in related)
    counts = [boundary.boundary_count for boundary in truth.boundaries.values()]
    assert sum(count > 1 for count in counts) == round(50 * multiple_boundaries)
    assert all(count == 1 or 5 <= count <= 10 for count in counts)
    sizes = [len(next(boundary.boundaries())) for boundary in truth.boundaries.values()]
    assert min(sizes) >= 5
    assert max(sizes) <= 15
    assert len(truth.common) >= 0.15 * len(truth.label_sets)
    assert len(truth.label_specific) >= 0.3 * len(truth.label_sets)


def test_some_features_are_common_only_through_an_interchangeable_one(paper_sized: SimulatedNetwork) -> None:
    """This is what sets the problem apart from intersecting one boundary a label."""
    truth = paper_sized.truth
    hidden = 0
    for feature in truth.common:
        direct = {
            label
            for label, boundary in truth.boundaries.items()
            if feature in {*boundary.parents, *boundary.children, *boundary.spouses}
        }
        hidden += len(direct) < len(truth.label_sets[feature])
    assert hidden >= 5


def test_every_arrow_is_marginally_visible(paper_sized: SimulatedNetwork) -> None:
    """No exclusive-or: each cause moves the mean level of its effect in the sampled rows."""
    from engine.simulation.bayesian_network import mutual_information

    columns = {name: paper_sized.dataset.column(name).astype(np.int64) for name in paper_sized.network.nodes}
    around = [edge for edge in paper_sized.truth.edges if set(edge) & set(paper_sized.truth.labels)]
    weakest = min(
        mutual_information(np.histogram2d(columns[x], columns[y], bins=(4, 4))[0] / 5000, 0, 1)
        for x, y in around
    )
    assert weakest > 0.005


def test_same_seed_same_network_and_rows() -> None:
    first, second = (simulate(labels=6, features=60, rows=200, seed=5) for _ in range(2))
    assert first.dataset.content_hash == second.dataset.content_hash
    assert first.truth.edges == second.truth.edges
    other_network = simulate(labels=6, features=60, rows=200, seed=6)
    assert other_network.dataset.content_hash != first.dataset.content_hash


def test_rows_do_not_change_the_network() -> None:
    short, long = (simulate(labels=6, features=60, rows=rows, seed=5) for rows in (10, 500))
    assert short.truth.edges == long.truth.edges
    for node in short.network.nodes:
        np.testing.assert_array_equal(short.network.tables[node], long.network.tables[node])


def test_column_order_tells_nothing() -> None:
    """Causal features lie anywhere among the columns: their mean rank is that of a random set."""
    ranks = []
    for seed in range(20):
        truth = simulate(labels=5, features=50, rows=1, seed=seed, margin=0).truth
        ranks.extend(truth.features.index(name) for name in truth.label_sets)
    standard_error = np.sqrt(50**2 / 12 / len(ranks))
    assert abs(np.mean(ranks) - 24.5) < 4 * standard_error


@with_each("labels", [1, 2, 5])
@with_each("features", [1, 2, 3, 10])
def test_few_features_are_used_as_far_as_they_go(labels: int, features: int) -> None:
    network = simulate(
        labels=labels, features=features, rows=5, label_causality=float(labels > 1), multiple_boundaries=1.0
    )
    assert len(network.dataset.labels) == labels
    assert len(network.dataset.features) == features


@pytest.mark.parametrize(
    ("wrong", "word"),
    [
        ({"labels": 0}, "labels"),
        ({"features": 0}, "features"),
        ({"rows": 0}, "rows"),
        ({"rows": 2.5}, "rows"),
        ({"label_causality": 1.5}, "label_causality"),
        ({"multiple_boundaries": -0.1}, "multiple_boundaries"),
        ({"seed": -1}, "seed"),
        ({"max_levels": 2}, "max_levels"),
        ({"smallest_boundary": 9, "largest_boundary": 8}, "smallest_boundary"),
        ({"fewest_boundaries": 9, "most_boundaries": 8}, "fewest_boundaries"),
        ({"labels": 1, "label_causality": 0.5}, "label_causality"),
        ({"strenght": 0.5}, "strength"),
    ],
)
def test_impossible_settings_are_named(wrong: dict[str, Any], word: str) -> None:
    with pytest.raises(InvalidParameter, match=word):
        simulate(**wrong)


def test_binary_features_without_equivalents_are_allowed() -> None:
    network = simulate(labels=3, features=20, rows=10, multiple_boundaries=0, max_levels=2)
    assert {network.network.level_count(name) for name in network.truth.features} == {2}


class _Impatient(SilentProgress):
    """Counts how often it is asked whether to stop, and says so at last."""

    def __init__(self, patience: int) -> None:
        self.patience, self.asked = patience, 0

    def should_stop(self) -> bool:
        self.asked += 1
        return self.asked > self.patience


@with_each("variables", ("categories", "numbers"))
def test_it_stops_wherever_it_is(variables: str) -> None:
    settings = SimulationSettings(labels=2, features=60, rows=20, variables=variables)
    patient = _Impatient(10**9)
    simulated_network(settings, patient)
    # At every variable whose table or equation is drawn, and at every one whose rows are.
    assert patient.asked >= 2 * 62
    for patience in range(0, patient.asked, 17):
        impatient = _Impatient(patience)
        with pytest.raises(Cancelled):
            simulated_network(settings, impatient)
        assert impatient.asked == patience + 1


@with_each("graph", ("neighbourhoods", "random"))
def test_a_million_variables_take_nothing_before_they_are_drawn(graph: str) -> None:
    """Who stops at once would else have paid for all, in memory that a process seldom gives back whole."""
    tracemalloc.start()
    with pytest.raises(Cancelled):
        simulated_network(
            SimulationSettings(labels=2, features=1_000_000, rows=20, graph=graph), _Impatient(100)
        )
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 50e6
