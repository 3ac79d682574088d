"""Copies of columns, exact or off in some cells, are found with their originals and disturb nothing."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from engine.discovery.result import DiscoveryResult

SEEDS = range(4)
ROWS = 5000
AGAIN = " again"

Pairs = set[tuple[str, str]]


def _with_and_without_copies(seed: int, altered: int) -> tuple[DiscoveryResult, DiscoveryResult]:
    """Search a table, and the table with a copy of every causal feature that differs in some cells."""
    network = engine.simulate(labels=8, features=80, rows=ROWS, multiple_boundaries=0, seed=seed)
    frame = network.dataset.frame.copy()
    random = np.random.default_rng(seed)
    for feature in network.truth.label_sets:
        copy = frame[feature].to_numpy(copy=True)
        cells = random.choice(ROWS, altered, replace=False)
        copy[cells] = random.permutation(copy)[cells]
        frame[feature + AGAIN] = copy
    doubled = engine.Dataset.from_frame(frame, labels=list(network.dataset.labels))
    return engine.discover(network.dataset), engine.discover(doubled)


def _pairs(result: DiscoveryResult) -> Pairs:
    return {(feature, label) for feature, labels in result.label_sets.items() for label in labels}


@pytest.mark.parametrize("seed", SEEDS)
def test_an_exact_copy_counts_for_the_labels_of_its_original(seed: int) -> None:
    alone, doubled = _with_and_without_copies(seed, 0)
    expected = _pairs(alone)
    assert expected
    assert _pairs(doubled) == expected | {(feature + AGAIN, label) for feature, label in expected}


@pytest.mark.parametrize("seed", SEEDS)
def test_near_copies_bring_in_nothing_false(seed: int) -> None:
    """Each of the two counts for labels of the original or, where the rows show it to tell less, for none."""
    alone, doubled = _with_and_without_copies(seed, 25)
    assert {(feature.removesuffix(AGAIN), label) for feature, label in _pairs(doubled)} <= _pairs(alone)
