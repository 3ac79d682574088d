"""A whole run on a table with missing values: the same for any number of workers, honest about its rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import engine
from engine.discovery.result import DiscoveryResult
from engine.simulation import score
from engine.table.dataset import Dataset


def _findings(result: DiscoveryResult) -> tuple[object, ...]:
    return (
        result.evidence,
        result.equivalence_records,
        result.boundaries,
        result.label_evidence,
        result.tests_made,
    )


def _with_gaps(dataset: Dataset, share: float, seed: int = 0) -> Dataset:
    generator = np.random.default_rng(seed)
    columns = [np.where(generator.random(len(column)) < share, -1, column) for column in dataset.columns]
    return Dataset(dataset.variables, tuple(columns), dataset.name)


@pytest.fixture(scope="module")
def network() -> engine.simulation.SimulatedNetwork:
    return engine.simulate(labels=6, features=60, rows=3000, seed=3)


def test_without_missing_values_nothing_changes(network: engine.simulation.SimulatedNetwork) -> None:
    complete = network.dataset.select_rows(np.arange(1000))
    usual = engine.discover(engine.prepare(complete))
    per_test = engine.discover(engine.prepare(complete, missing="per-test"))
    assert _findings(per_test) == _findings(usual)
    assert per_test.dataset.notes == usual.dataset.notes


@pytest.mark.parametrize("test", ["g2", "fisher-z"])
def test_any_number_of_workers_gives_the_same_result(
    network: engine.simulation.SimulatedNetwork, test: str
) -> None:
    prepared = engine.prepare(_with_gaps(network.dataset, 0.05), missing="per-test")
    if test == "fisher-z":
        many = [variable.name for variable in prepared.variables if variable.level_count > 2]
        prepared = prepared.with_roles(dict.fromkeys(many, "ignored"))
    settings = engine.DiscoverySettings(test=test, workers=1)
    expected = engine.discover(prepared, settings)
    assert expected.evidence
    assert _findings(engine.discover(prepared, replace(settings, workers=3))) == _findings(expected)


def test_more_is_found_than_in_the_rows_that_miss_nothing(
    network: engine.simulation.SimulatedNetwork,
) -> None:
    gaps = _with_gaps(network.dataset, 0.05)
    per_test = engine.discover(engine.prepare(gaps, missing="per-test"))
    dropped = engine.discover(engine.prepare(gaps, missing="drop-rows"))
    assert dropped.dataset.row_count < 0.1 * network.dataset.row_count
    scores, fewer = (score(result.label_sets, network.truth) for result in (per_test, dropped))
    assert scores.recall > fewer.recall
    assert scores.precision >= 0.9


def test_evidence_says_how_many_rows_each_test_had(network: engine.simulation.SimulatedNetwork) -> None:
    prepared = engine.prepare(_with_gaps(network.dataset, 0.1), missing="per-test")
    frame = prepared.frame
    result = engine.discover(prepared)
    tests = {test for reasons in result.evidence.values() for reason in reasons for test in reason.tests}
    assert len({test.rows for test in tests}) > 1
    for test in tests:
        assert test.rows == len(frame[[test.x, *test.others, *test.given]].dropna())


def test_any_algorithm_copes(network: engine.simulation.SimulatedNetwork) -> None:
    prepared = engine.prepare(_with_gaps(network.dataset, 0.05), missing="per-test")
    target = prepared.labels[0]
    for name in ("iamb", "fast-iamb"):
        assert engine.markov_boundary(prepared, target, algorithm=name).undivided
