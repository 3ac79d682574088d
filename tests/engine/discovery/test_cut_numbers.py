"""No direction rests on a test of a number that was cut into bins."""

from __future__ import annotations

import engine
from engine.reporting.sentences.directions import direction_sentences


def _discovered(dataset: engine.Dataset) -> engine.DiscoveryResult:
    return engine.discover(dataset, engine.DiscoverySettings(test="g2"))


def test_no_direction_rests_on_a_cut_number() -> None:
    network = engine.simulate(
        labels=4, features=30, rows=3000, seed=101, variables="mixed", graph="random", max_parents=3
    )
    dataset = engine.prepare(network.dataset, discretise="quantile", bins=2)
    cut = {variable.name for variable in dataset.variables if variable.is_cut}
    assert cut and not cut & set(dataset.labels)
    result = _discovered(dataset)
    decided = [orientation for orientation in result.orientation_records.values() if orientation.because]
    for orientation in decided:
        for test in orientation.tests:
            assert cut.isdisjoint((test.x, test.y, *test.given))
    assert any("cut into bins" in sentence for sentence in direction_sentences(result))


def test_categories_are_told_as_before() -> None:
    result = _discovered(engine.simulate(labels=6, features=60, rows=3000, seed=1).dataset)
    assert any(orientation.because for orientation in result.orientation_records.values())
    assert not any("cut into bins" in sentence for sentence in direction_sentences(result))
