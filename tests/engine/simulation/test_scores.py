"""Scores count (feature, label) pairs by type, as documented."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.simulation import score, simulate

label_sets = st.dictionaries(
    st.sampled_from("abcdef"), st.frozensets(st.sampled_from("xyz"), min_size=1), max_size=6
)


def test_the_truth_scores_perfectly() -> None:
    truth = simulate(labels=5, features=60, rows=1).truth
    scores = score(truth.label_sets, truth)
    assert (scores.precision, scores.recall) == (1.0, 1.0)


def test_counted_by_hand() -> None:
    true = {"a": frozenset("xy"), "b": frozenset("x"), "c": frozenset("y"), "d": frozenset("xyz")}
    found_sets = {
        "a": frozenset("xy"),
        "b": frozenset("xz"),
        "d": frozenset("x"),
        "e": frozenset("z"),
        "c": frozenset("y"),
    }
    scores = score(found_sets, true)
    # Common: found ax ay bx bz, true ax ay dx dy dz. Specific: found dx ez cy, true bx cy.
    assert scores.common.precision == pytest.approx(2 / 4)
    assert scores.common.recall == pytest.approx(2 / 5)
    assert scores.label_specific.precision == pytest.approx(1 / 3)
    assert scores.label_specific.recall == pytest.approx(1 / 2)
    assert scores.precision == pytest.approx((1 / 2 + 1 / 3) / 2)
    assert scores.recall == pytest.approx((2 / 5 + 1 / 2) / 2)
    # Types disregarded: found ax ay bx bz dx ez cy, of which bz and ez are false; dy and dz are missed.
    assert scores.pairs.precision == pytest.approx(5 / 7)
    assert scores.pairs.recall == pytest.approx(5 / 7)


def test_nothing_found_and_nothing_true() -> None:
    true = {"a": frozenset("xy")}
    assert (score({}, true).common.precision, score({}, true).common.recall) == (0.0, 0.0)
    assert (score({}, true).label_specific.precision, score({}, true).label_specific.recall) == (1.0, 1.0)
    assert (score(true, {}).common.precision, score(true, {}).common.recall) == (0.0, 1.0)
    assert (score({}, {}).precision, score({}, {}).recall) == (1.0, 1.0)


@given(label_sets, label_sets)
def test_swapping_found_and_true_swaps_the_counts(discovered, true) -> None:
    forward, swapped = score(discovered, true), score(true, discovered)
    for kind in ("common", "label_specific", "pairs"):
        assert getattr(forward, kind).true_positives == getattr(swapped, kind).true_positives
        assert getattr(forward, kind).false_positives == getattr(swapped, kind).false_negatives
