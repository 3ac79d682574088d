"""Metrics and classifiers against figures worked out by hand, and against a run of plain scikit-learn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.comparison.selectors.data_sets import read_parts
from engine.comparison.selectors.prediction import agreement, classifiers, predict
from engine.errors import InvalidParameter

TRUTH = np.array([[1, 0, 1, 0], [0, 0, 0, 0], [1, 1, 1, 1], [0, 1, 0, 0]], dtype=bool)
PREDICTED = np.array([[1, 1, 0, 0], [0, 0, 0, 0], [1, 1, 1, 0], [0, 1, 0, 0]], dtype=bool)
SCORES = np.array([[0.9, 0.6, 0.4, 0.1], [0.4, 0.3, 0.2, 0.1], [0.9, 0.8, 0.7, 0.4], [0.2, 0.8, 0.2, 0.8]])


def test_the_figures_are_those_of_the_textbook() -> None:
    figures = agreement(TRUTH, PREDICTED, SCORES)
    assert figures.hamming_loss == pytest.approx(3 / 16)
    assert figures.subset_accuracy == pytest.approx(2 / 4)
    # F1 of the labels: 2·2/4, 2·2/(4+1), 2·1/(2+1), and 0 for the label that was never predicted.
    assert figures.macro_f1 == pytest.approx((1 + 4 / 5 + 2 / 3 + 0) / 4)
    assert figures.micro_f1 == pytest.approx(2 * 5 / (2 * 5 + 1 + 2))
    # One of four pairs of the first row is the wrong way round; the last row has one tie among three.
    assert figures.ranking_loss == pytest.approx((1 / 4 + 0 + 0 + 1 / 3) / 4)


def test_rows_without_pairs_can_be_skipped() -> None:
    figures = agreement(TRUTH, PREDICTED, SCORES, skip_unrankable=True)
    assert figures.ranking_loss == pytest.approx((1 / 4 + 1 / 3) / 2)
    nothing = np.zeros((2, 3), dtype=bool)
    assert agreement(nothing, nothing, np.zeros((2, 3)), skip_unrankable=True).ranking_loss == 0.0


def test_a_label_that_is_neither_true_nor_predicted_counts_as_zero() -> None:
    truth = np.array([[1, 0], [0, 0]], dtype=bool)
    figures = agreement(truth, truth, truth.astype(float))
    assert figures.macro_f1 == 0.5 and figures.micro_f1 == 1.0


def test_shapes_must_agree() -> None:
    with pytest.raises(InvalidParameter, match="shapes"):
        agreement(TRUTH, PREDICTED[:, :3], SCORES)


@pytest.mark.parametrize("name", list(classifiers()))
def test_constant_labels_are_predicted_and_outrank_no_other(name: str) -> None:
    generator = np.random.default_rng(3)
    values = generator.normal(size=(60, 3))
    labels = np.column_stack([values[:, 0] > 0, np.zeros(60, bool), values[:, 1] > 1, np.ones(60, bool)])
    prediction = predict(name, values[:40], labels[:40], values[40:])
    assert not prediction.labels[:, 1].any() and prediction.labels[:, 3].all()
    assert (prediction.scores[:, 1] < prediction.scores[:, [0, 2]].min(axis=1)).all()
    assert (prediction.scores[:, 3] > prediction.scores[:, [0, 2]].max(axis=1)).all()
    assert (prediction.labels[:, 0] == labels[40:, 0]).mean() > 0.8


def test_without_features_the_majority_is_predicted() -> None:
    labels = np.array([[1, 0, 0], [1, 1, 0], [1, 0, 0], [0, 1, 0]], dtype=bool)
    prediction = predict("svm-rbf", np.empty((4, 0)), labels, np.empty((2, 0)))
    assert prediction.labels.tolist() == [[True, False, False]] * 2
    assert np.isfinite(prediction.scores).all()


def test_one_label_alone_can_be_learnt() -> None:
    values = np.linspace(-1, 1, 20)[:, None]
    assert predict("logistic", values, values > 0, values).labels.tolist() == (values > 0).tolist()


def test_scaling_looks_at_training_rows_only() -> None:
    values = np.linspace(-1, 1, 20)[:, None]
    far = np.vstack([values[:3], [[1e6]]])
    alone = predict("svm-rbf", values, values > 0, values[:3])
    beside = predict("svm-rbf", values, values > 0, far)
    np.testing.assert_array_equal(alone.scores, beside.scores[:3])


def test_emotions_gives_the_figures_of_plain_scikit_learn(shared_data: Path) -> None:
    folder = shared_data / "emotions"
    table = read_parts([folder / "emotions-train.arff", folder / "emotions-test.arff"])
    values, labels = table.design(range(72)), table.labels
    assert values.shape == (391 + 202, 72)
    prediction = predict("svm-rbf", values[:391], labels[:391], values[391:], scale=False)
    figures = agreement(labels[391:], prediction.labels, prediction.scores)
    # Measured with OneVsRestClassifier(SVC(gamma="auto")), outside this program.
    assert figures.hamming_loss == pytest.approx(0.264851, abs=5e-7)
    assert figures.subset_accuracy == pytest.approx(0.143564, abs=5e-7)
    assert figures.ranking_loss == pytest.approx(0.2627, abs=5e-5)
    assert figures.macro_f1 == pytest.approx(0.4423, abs=5e-5)
    assert figures.micro_f1 == pytest.approx(0.5023, abs=5e-5)
