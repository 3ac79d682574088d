"""The reconstruction of MB-MCF where it is known what it must select."""

from __future__ import annotations

import numpy as np
import pandas

import engine
from engine.selection.rankers.problem import FeatureRanking


def selected(values: np.ndarray, labels: np.ndarray) -> FeatureRanking:
    return engine.feature_rankers()["mb-mcf"].load()(values.astype(float), labels)


def flipped(bits: np.ndarray, source: np.random.Generator, share: float = 0.1) -> np.ndarray:
    return bits ^ (source.random(bits.shape) < share)


def two_causes() -> tuple[np.ndarray, np.ndarray, np.random.Generator]:
    source = np.random.default_rng(0)
    values = source.random((2000, 8)) < 0.5
    return values, flipped(values[:, :2], source), source


def test_it_selects_the_direct_causes_and_nothing_else():
    values, labels, _ = two_causes()
    ranking = selected(values, labels)
    assert sorted(ranking.subset) == [0, 1]
    assert ranking.scores[list(ranking.subset)].tolist() == [2.0, 1.0]
    assert not ranking.scores[2:].any()


def test_what_serves_both_labels_comes_first():
    values, _, source = two_causes()
    common = values[:, 5]
    labels = np.column_stack(
        [flipped(common & values[:, 2], source, 0.05), flipped(common & values[:, 3], source, 0.05)]
    )
    ranking = selected(values, labels)
    assert ranking.subset[0] == 5
    assert set(ranking.subset) == {2, 3, 5}


def test_a_cause_behind_another_label_takes_its_place():
    """In a chain of feature, label and label, the second label can only be told by the feature."""
    values, labels, source = two_causes()
    chain = np.column_stack([labels[:, 0], flipped(labels[:, 0], source)])
    assert selected(values, chain).subset == (0,)


def test_spouses_are_left_out_where_clcd_fs_takes_them_in():
    """A label and feature 1 are the causes of feature 0, so that feature 1 is a spouse of the label."""
    values, _, source = two_causes()
    label = source.random(2000) < 0.5
    values[:, 0] = flipped(label & values[:, 1], source, 0.05)
    assert selected(values, label[:, None]).subset == (0,)
    frame = pandas.DataFrame(values.astype(float)).add_prefix("f").assign(label=label)
    dataset = engine.prepare(engine.Dataset.from_frame(frame, labels=["label"]))
    assert set(engine.select_features(dataset).features) == {"f0", "f1"}


def test_nothing_is_selected_where_nothing_is_related():
    source = np.random.default_rng(3)
    ranking = selected(source.normal(size=(200, 4)), source.random((200, 2)) < 0.5)
    assert ranking.subset == ()
    assert not ranking.scores.any()
