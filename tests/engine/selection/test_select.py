"""CLCD-FS on whole tables: every label keeps what tells about it, nothing twice, always the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import engine
from engine.discovery.evidence import Rule
from engine.selection.result import Selection
from tests.progress_watcher import ProgressWatcher

EMOTIONS = Path(__file__).resolve().parents[4] / "shared" / "data" / "emotions"


@pytest.fixture(scope="module")
def selection() -> Selection:
    network = engine.simulate(labels=6, features=40, rows=1000, seed=3)
    return engine.select_features(network.dataset)


def assert_every_boundary_is_represented(selection: Selection) -> None:
    """Each member of each boundary is selected for its label, or a selected feature stands for it there."""
    for label, boundary in selection.boundaries.items():
        served = {feature for feature in selection.features if label in selection.label_sets[feature]}
        replaced = {
            name
            for feature in served
            for reason in selection.reasons[feature]
            if reason.label == label
            for name in reason.stands_for
        }
        assert set(boundary.members) <= served | replaced


def test_every_boundary_is_represented(selection: Selection) -> None:
    assert_every_boundary_is_represented(selection)


def test_only_features_are_selected_and_none_twice(selection: Selection) -> None:
    assert set(selection.features) <= set(selection.dataset.features)
    assert len(set(selection.features)) == len(selection.features)
    for boundary in selection.boundaries.values():
        assert set(boundary.members) <= set(selection.dataset.features)


def test_the_tables_hold_every_feature_once_in_the_order_of_choice(selection: Selection) -> None:
    common = list(selection.common["feature"])
    specific = list(selection.label_specific["feature"])
    assert sorted(common + specific) == sorted(selection.features)
    assert [feature for feature in selection.features if feature in common] == common
    assert all(len(labels) > 1 for labels in selection.common["labels"])
    for row in selection.common.itertuples():
        assert len(row.rules) == len(row.labels)
        assert frozenset(row.labels) == selection.label_sets[row.feature]


def test_every_reason_is_one_that_the_boundaries_bear_out(selection: Selection) -> None:
    for feature, reasons in selection.reasons.items():
        for reason in reasons:
            boundary = selection.boundaries[reason.label]
            if reason.rule is Rule.NEIGHBOUR:
                assert feature in boundary.neighbours
            elif reason.rule is Rule.SPOUSE:
                assert feature in boundary.spouses
            elif reason.rule is Rule.NEIGHBOUR_EQUIVALENT:
                assert set(reason.stands_for) <= set(boundary.neighbours)
            else:
                assert set(reason.stands_for) <= set(boundary.spouses)


def test_a_finished_run_gives_the_same_selection(selection: Selection) -> None:
    discovered = engine.discover(selection.dataset)
    assert discovered.orientation_records and not selection.discovery.orientation_records
    for result in (selection.discovery, discovered):
        again = engine.selection_of(result)
        assert again.features == selection.features
        assert again.reasons == selection.reasons


def test_the_number_of_workers_changes_nothing(selection: Selection) -> None:
    settings = replace(selection.settings, workers=2)
    assert engine.select_features(selection.dataset, settings).reasons == selection.reasons


def test_features_of_a_label_are_those_that_serve_it(selection: Selection) -> None:
    for label in selection.dataset.labels:
        expected = {feature for feature in selection.features if label in selection.label_sets[feature]}
        assert set(selection.features_of(label)) == expected
    with pytest.raises(engine.InvalidParameter, match="not a label"):
        selection.features_of("no such label")


def test_after_a_stop_the_finished_labels_are_served(selection: Selection) -> None:
    whole = selection.discovery
    finished, missing = whole.dataset.labels[:3], whole.dataset.labels[3:]
    part = replace(
        whole,
        boundaries={label: whole.boundaries[label] for label in finished},
        unfinished_labels=missing,
    )
    partial = engine.selection_of(part)
    assert partial.is_partial and partial.unfinished_labels == missing
    assert set().union(*partial.label_sets.values()) <= set(finished)
    assert_every_boundary_is_represented(partial)


def test_a_selection_is_whole_without_directions(selection: Selection) -> None:
    assert not engine.selection_of(replace(selection.discovery, directions_finished=False)).is_partial


def test_a_stop_while_features_are_chosen_selects_nothing(selection: Selection) -> None:
    with pytest.raises(engine.Cancelled):
        engine.selection_of(selection.discovery, progress=ProgressWatcher(stop_after=0))


@pytest.mark.skipif(not EMOTIONS.is_dir(), reason="the folder of shared data is absent")
def test_emotions_has_few_features_for_all_six_labels() -> None:
    table = engine.read_dataset(EMOTIONS / "emotions.arff", labels=EMOTIONS / "emotions.xml")
    selection = engine.select_features(engine.prepare(table), engine.DiscoverySettings(workers=1))
    assert_every_boundary_is_represented(selection)
    assert all(selection.features_of(label) for label in table.labels)
    assert 0 < len(selection.features) < len(table.features) / 2
