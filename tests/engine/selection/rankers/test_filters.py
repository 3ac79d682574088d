"""Mutual information and ANOVA F against other programs and figures worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import digamma
from sklearn.feature_selection import f_classif, mutual_info_classif
from sklearn.metrics import mutual_info_score
from sklearn.preprocessing import KBinsDiscretizer

import engine
from tests.with_each import with_each

from .planted import planted


def scores(name: str, values: np.ndarray, labels: np.ndarray, **options) -> np.ndarray:
    return engine.feature_rankers()[name].load()(values, labels, **options).scores


@pytest.mark.parametrize("seed", range(5))
def test_f_is_that_of_scikit_learn(seed):
    values, labels = planted(rows=50, features=8, seed=seed)
    expected = np.mean([f_classif(values, label)[0] for label in labels.T], axis=0)
    assert np.allclose(scores("anova-f", values, labels), expected, rtol=1e-9)


def test_f_worked_out_by_hand():
    # Means 1.5 and 3.5 about 2.5: between 4, within 0.5 + 0.5, two degrees of freedom.
    values = np.array([[1.0], [2.0], [3.0], [4.0]])
    assert scores("anova-f", values, np.array([[0], [0], [1], [1]])) == pytest.approx([8.0])


def test_a_perfect_feature_has_a_finite_f_above_all_others():
    labels = np.tile([[False], [True]], (20, 1))
    near = labels[:, 0] + np.random.default_rng(0).normal(scale=1e-3, size=40)
    scores_found = scores("anova-f", np.column_stack([near, labels[:, 0]]).astype(float), labels)
    assert np.isfinite(scores_found).all()
    assert scores_found[1] > scores_found[0]


@pytest.mark.parametrize("seed", range(5))
def test_information_of_categories_is_that_of_scikit_learn(seed):
    values, labels = planted(rows=90, features=6, seed=seed)
    values = np.clip(np.round(values), -2, 2)
    expected = np.mean(
        [mutual_info_classif(values, label, discrete_features=True) for label in labels.T], axis=0
    )
    assert np.allclose(scores("mutual-information", values, labels), expected, atol=1e-12)


@pytest.mark.parametrize("bins", [2, 3, 10])
def test_information_of_numbers_is_that_of_their_bins(bins):
    values, labels = planted(rows=90, features=6)
    # Bins of other software are closed on their left side: mirrored, they are those closed on the right.
    cutter = KBinsDiscretizer(bins, encode="ordinal", strategy="quantile", quantile_method="linear")
    codes = cutter.fit_transform(-values)
    expected = [np.mean([mutual_info_score(column, label) for label in labels.T]) for column in codes.T]
    assert np.allclose(scores("mutual-information", values, labels, bins=bins), expected, atol=1e-12)


def test_information_worked_out_by_hand():
    # A copy of a label that half of the rows have tells ln 2; a feature independent of it tells nothing.
    values = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    scores_found = scores("mutual-information", values, np.array([[0], [0], [1], [1]]))
    assert scores_found == pytest.approx([math.log(2), 0.0], abs=1e-15)


def test_information_is_averaged_over_the_labels():
    values, labels = planted(rows=60, features=4)
    scores_of_labels = [scores("mutual-information", values, label[:, None]) for label in labels.T]
    assert np.allclose(
        scores("mutual-information", values, labels), np.mean(scores_of_labels, axis=0), atol=1e-14
    )


@with_each("neighbours", [1, 3, 10])
@with_each("seed", range(3))
def test_information_by_nearest_values_is_that_of_scikit_learn(neighbours, seed):
    values, labels = planted(rows=120, features=6, seed=seed)
    expected = np.mean(
        [mutual_info_classif(values, label, n_neighbors=neighbours, random_state=0) for label in labels.T],
        axis=0,
    )
    assert np.allclose(
        scores("nearest-information", values, labels, neighbours=neighbours), expected, atol=5e-3
    )


@pytest.mark.parametrize("rows", [2, 3, 20])
def test_information_by_nearest_values_with_a_rare_label_is_its_formula(rows):
    values, _ = planted(rows=40, features=4)
    label = np.arange(40) < rows
    expected = []
    for value in values.T:
        terms = []
        for one in range(40):
            distances = np.abs(value - value[one])
            like = np.flatnonzero((label == label[one]) & (np.arange(40) != one))
            nearest = min(5, len(like))
            bound = np.sort(distances[like])[nearest - 1]
            nearer = np.count_nonzero(distances < bound)
            terms.append(digamma(nearest) - digamma(len(like) + 1) - digamma(nearer))
        expected.append(max(0.0, digamma(40) + np.mean(terms)))
    scores_found = scores("nearest-information", values, label[:, None], neighbours=5)
    assert np.allclose(scores_found, expected, atol=1e-12)


def test_a_row_that_is_alone_with_its_label_tells_nothing():
    values, _ = planted(rows=40, features=4)
    scores_found = scores("nearest-information", values, np.arange(40)[:, None] < 1)
    assert np.allclose(scores_found, 0.0, atol=1e-12)


def test_information_by_nearest_values_comes_near_a_known_integral():
    """A normal value shifted by 2 where the label is: I = H(mixture) − H(normal), by quadrature."""
    source = np.random.default_rng(5)
    label = np.arange(20_000) % 2 == 0
    value = source.normal(size=20_000) + 2.0 * label
    grid = np.linspace(-10, 12, 20_001)
    density = (np.exp(-(grid**2) / 2) + np.exp(-((grid - 2) ** 2) / 2)) / (2 * math.sqrt(2 * math.pi))
    entropy = -np.trapezoid(density * np.log(density), grid)
    exact = entropy - 0.5 * math.log(2 * math.pi * math.e)
    scores_found = scores("nearest-information", value[:, None], label[:, None], neighbours=10)
    assert scores_found == pytest.approx([exact], abs=0.01)


def test_categories_are_counted_by_both_estimates():
    values, labels = planted(rows=90, features=6)
    values = np.clip(np.round(values), -2, 2)
    assert np.array_equal(
        scores("nearest-information", values, labels), scores("mutual-information", values, labels)
    )


def test_repeated_values_give_finite_information():
    values, labels = planted(rows=200, features=4)
    scores_found = scores("nearest-information", np.round(values, 1), labels)
    assert np.isfinite(scores_found).all()
    assert set(np.argsort(-scores_found)[:3]) == {0, 1, 2}
