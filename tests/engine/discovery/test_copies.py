"""Copies of columns are found with their originals and disturb nothing."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas
import pytest

import engine
from engine.simulation.simulated import SimulatedNetwork
from engine.table.dataset import Dataset

SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1, 2, 3))]
AGAIN = " again"

LabelSets = Mapping[str, frozenset[str]]
Pairs = set[tuple[str, str]]


def _network(seed: int) -> SimulatedNetwork:
    return engine.simulate(labels=8, features=80, rows=5000, multiple_boundaries=0, seed=seed)


def _with_copies(network: SimulatedNetwork) -> Dataset:
    """Add a copy of every causal feature."""
    frame = network.dataset.frame.copy()
    for feature in network.truth.label_sets:
        frame[feature + AGAIN] = frame[feature]
    return Dataset.from_frame(frame, labels=list(network.dataset.labels))


def _pairs(label_sets: LabelSets) -> Pairs:
    return {(feature, label) for feature, labels in label_sets.items() for label in labels}


@pytest.mark.parametrize("seed", SEEDS)
def test_an_exact_copy_counts_for_the_labels_of_its_original(seed: int) -> None:
    network = _network(seed)
    expected = _pairs(engine.discover(network.dataset).label_sets)
    found = _pairs(engine.discover(_with_copies(network)).label_sets)
    copied = network.truth.label_sets
    assert expected
    assert found == expected | {(feature + AGAIN, label) for feature, label in expected if feature in copied}


@pytest.mark.parametrize("procedure", ["controlled", "as published"])
def test_a_copy_that_two_labels_hide_is_interchangeable_and_no_second_neighbour(procedure: str) -> None:
    """Line 9 of Algorithm 1: once the cause has joined, it separates its copy from the label."""
    generator = np.random.default_rng(0)
    cause, other = generator.integers(0, 2, (2, 4000))
    label = np.where(generator.random(4000) < 0.1, 1 - cause, cause)
    label = np.where(generator.random(4000) < 0.2, other, label)
    columns = {"label": label, "twin": label, "cause": cause, "again": cause, "other": other}
    dataset = Dataset.from_frame(pandas.DataFrame(columns).astype(str), labels=["label", "twin"])
    result = engine.discover(dataset, engine.DiscoverySettings(procedure=procedure))
    for name in dataset.labels:
        assert set(result.boundaries[name].parents_children) - {"label", "twin"} == {"cause", "other"}
        (reason,) = result.reasons("again", name)
        assert (reason.rule, reason.partner) == ("neighbour-equivalent", ("cause",))
    assert set(engine.selection_of(result).features) == {"cause", "other"}


def test_few_rows_do_not_show_that_a_column_of_a_rare_level_is_a_copy() -> None:
    """Thirty of 300 rows have the level: if one row in a hundred differed, none of 300 might."""
    generator = np.random.default_rng(0)
    label = generator.integers(0, 2, 3000)
    rare = label * (generator.random(3000) < 0.2)
    frame = pandas.DataFrame({"label": label, "rare": rare, "again": rare}).astype(str)
    frame["other"] = generator.integers(0, 3, 3000).astype(str)
    few = engine.discover(Dataset.from_frame(frame.head(300), labels=["label"]))
    many = engine.discover(Dataset.from_frame(frame, labels=["label"]))
    assert len(few.label_sets) == 1
    assert set(many.label_sets) == {"rare", "again"}
