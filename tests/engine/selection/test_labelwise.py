"""A classifier a label on its own variables."""

from __future__ import annotations

import numpy as np
import pandas
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import cross_val_score
from sklearn.svm import SVC, LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

import engine
from engine.selection.estimators import PriorClassifier
from tests.engine.selection.test_selector import ROWS, frames, numbers

SELECTOR = engine.CLCDSelector(workers=1)


# One check asks for a good score on three clouds of points, which two bins a number do not tell apart.
@parametrize_with_checks([engine.LabelwiseClassifier(selector=engine.CLCDSelector(workers=1, bins=4))])
@pytest.mark.filterwarnings("ignore:Skipping check check_array_api_input")
@pytest.mark.filterwarnings("ignore:.* the label .y0.")
def test_scikit_learn_finds_nothing_amiss(estimator: object, check: object) -> None:
    check(estimator)


def test_each_label_is_predicted_from_its_own_columns() -> None:
    values, labels = numbers()
    model = engine.LabelwiseClassifier(LogisticRegression(), SELECTOR).fit(values, labels)
    for place, trained in enumerate(model.estimators_):
        own = model.features_of(place)
        alone = LogisticRegression().fit(values[:, own], labels[:, place])
        assert np.array_equal(trained.coef_, alone.coef_)
        assert np.allclose(model.predict_proba(values)[:, place], alone.predict_proba(values[:, own])[:, 1])
        assert np.allclose(model.decision_function(values)[:, place], alone.decision_function(values[:, own]))
    assert f1_score(labels, model.predict(values), average="micro") > 0.85


def test_a_frame_keeps_its_names_down_to_the_classifiers() -> None:
    values, labels = frames()
    model = engine.LabelwiseClassifier(LogisticRegression(), SELECTOR).fit(values, labels)
    assert list(model.feature_names_in_) == list(values.columns)
    assert model.n_features_in_ == 10
    for place, trained in enumerate(model.estimators_):
        assert list(trained.feature_names_in_) == list(values.columns[model.features_of(place)])


def test_labels_without_a_variable_or_with_one_value_follow_their_frequency() -> None:
    values, labels = numbers()
    chance = (np.arange(ROWS) % 4 == 0).astype(int)
    labels = np.column_stack([labels, chance, np.zeros(ROWS, dtype=int), np.ones(ROWS, dtype=int)])
    model = engine.LabelwiseClassifier(LogisticRegression(), SELECTOR).fit(values, labels)
    assert model.features_of(2).size == 0
    assert [type(estimator) is PriorClassifier for estimator in model.estimators_] == [
        False,
        False,
        True,
        True,
        True,
    ]
    chances = model.predict_proba(values)
    assert np.allclose(chances[:, 2:], [0.25, 0.0, 1.0])
    assert np.array_equal(model.predict(values)[0, 2:], [0, 0, 1])
    scores = model.decision_function(values)
    assert np.isfinite(scores).all()
    assert (scores[:, 3] < scores[:, 2]).all() and (scores[:, 2] < 0).all() and (scores[:, 4] > 0).all()


def test_labels_that_all_have_one_value_need_no_search() -> None:
    values, labels = numbers()
    model = engine.LabelwiseClassifier(selector=SELECTOR).fit(values, np.zeros_like(labels))
    assert not model.predict(values).any() and model.selector_ is None


def test_what_the_classifier_cannot_do_is_not_offered() -> None:
    assert not hasattr(engine.LabelwiseClassifier(SVC()), "predict_proba")
    assert hasattr(engine.LabelwiseClassifier(SVC()), "decision_function")
    assert not hasattr(engine.LabelwiseClassifier(LinearSVC()), "predict_proba")
    assert not hasattr(engine.LabelwiseClassifier(RandomForestClassifier()), "decision_function")


def test_one_label_of_several_classes() -> None:
    values, _ = numbers()
    # Noise, since a number from which a label is computed is set aside.
    noise = np.random.default_rng(1).normal(scale=0.3, size=ROWS)
    classes = np.digitize(values[:, 2] + noise, [-0.5, 0.5]).astype(str)
    model = engine.LabelwiseClassifier(RandomForestClassifier(20, random_state=0), SELECTOR)
    assert set(model.fit(values, classes).predict(values)) == {"0", "1", "2"}
    assert model.features_of(0).tolist() == [2]
    assert model.predict_proba(values).shape == (ROWS, 3)


def test_a_number_from_which_the_classes_are_computed_is_set_aside_with_a_warning() -> None:
    values, _ = numbers()
    classes = np.digitize(values[:, 2], [-0.5, 0.5])
    with pytest.warns(engine.DataWarning, match=r"'x2'.* set aside"):
        selector = engine.CLCDSelector(workers=1).fit(values, classes)
    assert not selector.get_support()[2]
    with pytest.warns(engine.DataWarning, match="computed from the other"):
        kept = engine.CLCDSelector(workers=1, keep=("x2",)).fit(values, classes)
    assert kept.get_support(indices=True).tolist() == [2]


def test_it_can_be_cross_validated() -> None:
    values, labels = numbers()
    model = engine.LabelwiseClassifier(LogisticRegression(), SELECTOR)
    assert cross_val_score(model, values, labels, cv=2, scoring="f1_micro").min() > 0.8


def test_labels_that_are_no_indicators_are_refused() -> None:
    values, _ = numbers()
    with pytest.raises(engine.InvalidData, match="not 0 and 1"):
        engine.LabelwiseClassifier().fit(values, np.arange(2 * ROWS).reshape(-1, 2) % 3)


def test_an_indicator_frame_and_an_array_give_the_same() -> None:
    values, labels = numbers()
    first = engine.LabelwiseClassifier(selector=SELECTOR).fit(values, labels)
    second = engine.LabelwiseClassifier(selector=SELECTOR).fit(values, pandas.DataFrame(labels > 0))
    assert np.array_equal(first.predict_proba(values), second.predict_proba(values))


def test_a_selector_that_knows_no_labels_is_refused() -> None:
    values, labels = numbers()
    with pytest.raises(engine.InvalidParameter, match="SelectKBest"):
        engine.LabelwiseClassifier(selector=SelectKBest(k=2)).fit(values, labels[:, 0])
