"""Rows whose labels are not known."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from engine.errors import InvalidData, InvalidParameter

from .planted import planted


def ranked(values, labels, **options) -> np.ndarray:
    return engine.feature_rankers()["csfs"].load()(values, labels, **options).scores


def test_what_labels_hold_in_unlabelled_rows_is_not_looked_at():
    values, labels = planted(rows=60)
    hidden = np.arange(60) % 4 == 0
    scores = ranked(values, labels, unlabelled=hidden)
    assert np.array_equal(ranked(values, labels ^ hidden[:, None], unlabelled=hidden), scores)
    assert not np.allclose(ranked(values, labels), scores)


def test_a_mask_of_nothing_changes_nothing():
    values, labels = planted(rows=60)
    scores = ranked(values, labels, unlabelled=np.zeros(60, dtype=bool))
    assert np.array_equal(ranked(values, labels), scores)


def test_a_row_without_any_label_is_labelled():
    values, labels = planted(rows=60)
    labels[:10] = False
    hidden = np.arange(60) < 10
    assert not np.allclose(ranked(values, labels), ranked(values, labels, unlabelled=hidden))


def test_a_label_that_varies_in_unlabelled_rows_alone_plays_no_part():
    values, labels = planted(rows=60)
    hidden = np.arange(60) < 20
    extra = np.column_stack([labels, hidden & (np.arange(60) % 2 == 0)])
    assert np.array_equal(ranked(values, extra, unlabelled=hidden), ranked(values, labels, unlabelled=hidden))


@pytest.mark.parametrize(
    "mask", [np.ones(60, bool), np.zeros(59, bool), np.zeros(60), np.zeros((60, 1), bool)]
)
def test_impossible_masks_are_refused(mask):
    with pytest.raises(InvalidData, match="unlabelled"):
        ranked(*planted(rows=60), unlabelled=mask)


@pytest.mark.parametrize(
    "name",
    [n for n, feature_ranker in engine.feature_rankers().items() if not feature_ranker.takes_unlabelled],
)
def test_methods_that_need_all_labels_refuse_a_mask(name):
    with pytest.raises(InvalidParameter, match="unlabelled"):
        engine.feature_rankers()[name].load()(*planted(rows=60), unlabelled=np.arange(60) < 20)
