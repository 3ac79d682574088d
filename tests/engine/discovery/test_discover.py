"""A whole run: accuracy on simulated data, the same result for any number of workers, stopping."""

from __future__ import annotations

from dataclasses import asdict, replace

import numpy as np
import pandas
import pytest

import engine
from engine.discovery.discover import ORIENTING
from engine.discovery.result import DiscoveryResult
from engine.errors import InvalidData
from engine.reporting.sentences.overview import Overview
from engine.simulation import score
from engine.wording.phrases import plain
from tests.progress_watcher import ProgressWatcher


@pytest.fixture(scope="module")
def network() -> engine.simulation.SimulatedNetwork:
    return engine.simulate(labels=8, features=80, rows=2000, seed=2)


@pytest.fixture(scope="module")
def watched(network: engine.simulation.SimulatedNetwork) -> tuple[DiscoveryResult, ProgressWatcher]:
    """What a whole search finds, and what it tells meanwhile."""
    watcher = ProgressWatcher()
    return engine.discover(network.dataset, engine.DiscoverySettings(workers=1), watcher), watcher


@pytest.fixture(scope="module")
def complete(watched: tuple[DiscoveryResult, ProgressWatcher]) -> DiscoveryResult:
    return watched[0]


@pytest.fixture(scope="module")
def small() -> engine.Dataset:
    return engine.simulate(labels=4, features=20, rows=500, seed=3).dataset


def _findings(result: DiscoveryResult) -> tuple[object, ...]:
    return (result.evidence, result.equivalence_records, result.boundaries, result.label_evidence)


@pytest.mark.parametrize(
    ("labels", "features", "seeds"),
    [(20, 400, range(1)), pytest.param(50, 1000, range(3), marks=pytest.mark.long)],
    ids=str,
)
def test_default_is_accurate_at_the_size_of_the_paper(labels: int, features: int, seeds: range) -> None:
    """In the short form with as many rows, and fewer variables."""
    scores_of_networks = []
    for seed in seeds:
        simulated = engine.simulate(
            labels=labels, features=features, rows=5000, multiple_boundaries=0.5, seed=seed
        )
        scores_of_networks.append(
            score(engine.discover(simulated.dataset, directions=False).label_sets, simulated.truth)
        )
    assert np.mean([network_scores.precision for network_scores in scores_of_networks]) >= 0.95
    assert np.mean([network_scores.recall for network_scores in scores_of_networks]) >= 0.95


def test_any_number_of_workers_gives_the_same_result(network: engine.simulation.SimulatedNetwork) -> None:
    settings = engine.DiscoverySettings(false_discovery="none", procedure="as published", alpha=0.05)
    expected = engine.discover(network.dataset, settings)
    for workers in (1, 2, 5):
        result = engine.discover(network.dataset, replace(settings, workers=workers))
        assert _findings(result) == _findings(expected), workers
        assert result.tests_made == expected.tests_made, workers


def test_progress_counts_up_to_its_total_and_names_labels(
    network: engine.simulation.SimulatedNetwork, watched: tuple[DiscoveryResult, ProgressWatcher]
) -> None:
    _, watcher = watched
    assert watcher.events[0].stage == "Preparing"
    searching = watcher.events[1:]
    assert [event.done for event in searching] == list(range(searching[0].total))
    assert {event.detail for event in searching[:-2]} == set(network.dataset.labels)
    last = ["Distinguishing causes and effects", "Looking for groups of labels"]
    assert [(event.stage, event.detail) for event in searching[-2:]] == [(stage, "") for stage in last]
    tests = [event.tests for event in searching]
    assert tests == sorted(tests)


def test_a_stopped_run_keeps_what_it_finished(
    network: engine.simulation.SimulatedNetwork, complete: DiscoveryResult
) -> None:
    partial = engine.discover(
        network.dataset, engine.DiscoverySettings(workers=1), ProgressWatcher(stop_after=20)
    )
    assert partial.is_partial
    assert 0 < len(partial.boundaries) < len(network.dataset.labels)
    assert set(partial.boundaries).isdisjoint(partial.unfinished_labels)
    assert set(partial.boundaries) | set(partial.unfinished_labels) == set(network.dataset.labels)
    for key, reasons in partial.evidence.items():
        assert complete.evidence[key] == reasons


def test_a_stop_while_directions_are_told_says_so(
    network: engine.simulation.SimulatedNetwork, complete: DiscoveryResult
) -> None:
    assert complete.directions_finished and not complete.is_partial
    partial = engine.discover(network.dataset, progress=ProgressWatcher(stop_in=ORIENTING))
    assert _findings(partial) == _findings(complete)
    assert not partial.orientation_records and not partial.unfinished_labels
    assert partial.is_partial and not partial.directions_finished
    assert "directions were not" in plain(Overview(partial).partial())


def test_directions_that_were_not_asked_for_are_not_unfinished(small: engine.Dataset) -> None:
    assert not engine.discover(small, directions=False).is_partial


def test_every_finding_says_why(
    network: engine.simulation.SimulatedNetwork, complete: DiscoveryResult
) -> None:
    for feature, labels in complete.label_sets.items():
        for label in labels:
            for reason in complete.reasons(feature, label):
                assert reason.tests
                assert bool(reason.partner) == reason.rule.is_equivalent
                again = engine.ci_test(
                    "g2", network.dataset, reason.tests[0].x, reason.tests[0].y, reason.tests[0].given
                )
                # The other way round, sums of many terms may differ in their last digit.
                record = asdict(reason.tests[0])
                numbers = {name: record.pop(name) for name in ("dof", "p_value", "log_p")}
                assert asdict(again) | record == asdict(again)
                assert numbers == pytest.approx({name: asdict(again)[name] for name in numbers}, rel=1e-9)


def test_tables_hold_each_feature_once_and_agree_with_label_sets(complete: DiscoveryResult) -> None:
    listed = {row.feature: frozenset(row.labels) for row in complete.common.itertuples()}
    listed |= {row.feature: frozenset([row.label]) for row in complete.label_specific.itertuples()}
    assert listed == complete.label_sets
    assert len(complete.common) + len(complete.label_specific) == len(complete.label_sets)
    assert [len(labels) for labels in complete.common["labels"]] == sorted(
        (len(labels) for labels in complete.common["labels"]), reverse=True
    )


def test_column_order_does_not_change_label_sets(
    network: engine.simulation.SimulatedNetwork, complete: DiscoveryResult
) -> None:
    shuffled = network.dataset.select_variables(reversed(network.dataset.names))
    assert engine.discover(shuffled).label_sets == complete.label_sets


def test_fisher_z_on_a_linear_network() -> None:
    generator = np.random.default_rng(0)
    noise = generator.normal(size=(8, 2000))
    a, b, c = noise[0], noise[1], noise[2]
    t1 = a + b + noise[3]
    t2 = b + c + noise[4]
    effect = t1 + noise[5]
    frame = pandas.DataFrame(
        {"a": a, "b": b, "c": c, "t1": t1, "t2": t2, "effect": effect, "x": noise[6], "y": noise[7]}
    )
    dataset = engine.Dataset.from_frame(frame, labels=["t1", "t2"])
    result = engine.discover(dataset, engine.DiscoverySettings(test="fisher-z"))
    assert result.label_sets == {
        "a": frozenset({"t1"}),
        "b": frozenset({"t1", "t2"}),
        "c": frozenset({"t2"}),
        "effect": frozenset({"t1"}),
    }


def test_a_dataset_without_label_or_feature_is_refused() -> None:
    frame = pandas.DataFrame({"a": [0, 1] * 10, "b": [0, 0, 1, 1] * 5})
    with pytest.raises(InvalidData, match="no label"):
        engine.discover(engine.Dataset.from_frame(frame))
    with pytest.raises(InvalidData, match="no feature"):
        engine.discover(engine.Dataset.from_frame(frame, labels=["a", "b"]))


def test_what_a_notebook_shows_of_a_result_is_one_short_line(small: engine.Dataset) -> None:
    result = engine.discover(small)
    shown = [
        repr(described)
        for described in (
            result,
            engine.effects(small, result),
            engine.selection_of(result),
            engine.stability(small, resamples=2),
        )
    ]
    assert max(map(len, shown)) < 120, shown
    assert f"{len(result.findings.common)} common" in shown[0]
