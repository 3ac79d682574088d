"""Large neighbourhoods, where larger sets are formed of the nearest members only."""

from __future__ import annotations

from collections import Counter

import pytest

import engine
from engine.boundaries.parents_children import new_nearest
from engine.boundaries.search import MOST_MEMBERS
from engine.reporting.sentences.overview import Overview
from engine.wording.phrases import plain
from tests.benchmarks.hubs import hub_network


def _neighbours(result: engine.DiscoveryResult) -> dict[str, tuple[str, ...]]:
    return {label: boundary.parents_children for label, boundary in result.boundaries.items()}


@pytest.fixture
def no_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "engine.boundaries.parents_children.new_nearest",
        lambda count, names: new_nearest(count, names, max(count, 1)),
    )


@pytest.fixture(scope="module")
def bounded() -> engine.DiscoveryResult:
    return engine.discover(hub_network(4000, 11)[0])


def test_a_hub_is_found_and_told_as_it_is(bounded: engine.DiscoveryResult) -> None:
    _, edges = hub_network(4000, 11)
    counts: Counter[bool] = Counter()
    for label, boundary in _neighbours(bounded).items():
        true = {(set(edge) - {label}).pop() for edge in edges if label in edge}
        assert len(true) == 70
        assert len(true & set(boundary)) >= 65
        assert not set(boundary) - true
    for orientation in bounded.orientation_records.values():
        if orientation.because is not None:
            pair = (orientation.feature, orientation.label)
            counts[(pair if orientation.direction == "cause" else pair[::-1]) in edges] += 1
    assert counts[True] >= 110
    assert counts[False] <= 2


def test_the_result_says_which_labels_are_bounded(bounded: engine.DiscoveryResult) -> None:
    assert bounded.bounded_labels == ("hub 1", "hub 2")
    overview = " ".join(map(plain, Overview(bounded).run()))
    assert f"Near hub 1 and hub 2, a label or a neighbour of it has more than {MOST_MEMBERS}" in overview


def test_small_neighbourhoods_are_left_as_they_are(no_bound: None, monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = engine.simulate(labels=5, features=50, rows=1000, seed=5).dataset
    through_all = engine.discover(dataset)
    monkeypatch.undo()
    usual = engine.discover(dataset)
    assert not usual.bounded_labels
    assert usual.boundaries == through_all.boundaries
    assert usual.orientation_records == through_all.orientation_records
    assert usual.tests_made == through_all.tests_made


@pytest.mark.parametrize("hub", ["hub 1", pytest.param("hub 2", marks=pytest.mark.long)])
def test_fewer_tests_find_the_same_around_a_hub(
    hub: str, bounded: engine.DiscoveryResult, request: pytest.FixtureRequest
) -> None:
    with_a_bound = engine.markov_boundary(bounded.dataset, hub)
    assert with_a_bound.parents_children == _neighbours(bounded)[hub]
    request.getfixturevalue("no_bound")
    through_all = engine.markov_boundary(bounded.dataset, hub)
    assert through_all.parents_children == with_a_bound.parents_children
    assert with_a_bound.tests_made < through_all.tests_made / 2
