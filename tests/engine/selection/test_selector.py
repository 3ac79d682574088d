"""CLCD-FS as a selector of scikit-learn: what it promises there, and that it selects what tells something."""

from __future__ import annotations

import numpy as np
import pandas
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import engine
from engine.parameters import parameters_of

ROWS = 600


@parametrize_with_checks([engine.CLCDSelector(workers=1)])
@pytest.mark.filterwarnings("ignore:No features were selected")
@pytest.mark.filterwarnings("ignore:Skipping check check_array_api_input")
@pytest.mark.filterwarnings("ignore:.* the label .y0.")
def test_scikit_learn_finds_nothing_amiss(estimator: object, check: object) -> None:
    check(estimator)


def numbers(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Two labels that depend on columns 3 and 7 of ten, the first one on both."""
    generator = np.random.default_rng(seed)
    values = generator.normal(size=(ROWS, 10))
    noise = generator.normal(scale=0.3, size=(ROWS, 2))
    first = values[:, 3] + values[:, 7] + noise[:, 0] > 0
    second = values[:, 7] + noise[:, 1] > 0
    return values, np.column_stack([first, second]).astype(int)


def frames() -> tuple[pandas.DataFrame, pandas.DataFrame]:
    values, labels = numbers()
    return (
        pandas.DataFrame(values, columns=[f"gene {place}" for place in range(10)]),
        pandas.DataFrame(labels, columns=["fever", "cough"]),
    )


def test_the_columns_that_tell_something_are_selected() -> None:
    selector = engine.CLCDSelector(workers=1).fit(*numbers())
    assert selector.get_support(indices=True).tolist() == [3, 7]
    assert selector.label_names_ == ("y0", "y1")
    assert selector.label_support_.shape == (2, 10)
    assert np.array_equal(selector.label_support_.any(axis=0), selector.support_)


def test_values_are_handed_on_as_they_are() -> None:
    values, labels = numbers()
    selector = engine.CLCDSelector(workers=1).fit(values, labels)
    other_values = np.random.default_rng(9).normal(size=(5, 10))
    assert np.array_equal(selector.transform(other_values), other_values[:, [3, 7]])


def test_names_of_a_frame_are_kept() -> None:
    values, labels = frames()
    selector = engine.CLCDSelector(workers=1).fit(values, labels)
    assert list(selector.get_feature_names_out()) == ["gene 3", "gene 7"]
    assert set(selector.selection_.features) == {"gene 3", "gene 7"}
    assert selector.label_names_ == ("fever", "cough")
    reduced = selector.set_output(transform="pandas").transform(values)
    pandas.testing.assert_frame_equal(reduced, values[["gene 3", "gene 7"]])


def test_categories_and_missing_cells_of_a_frame_are_understood() -> None:
    values, labels = frames()
    values["gene 3"] = np.where(values["gene 3"] > 0, "high", "low")
    values.loc[values.index[:20], "gene 5"] = np.nan
    selector = engine.CLCDSelector(workers=1, missing="most-frequent").fit(values, labels)
    assert {"gene 3", "gene 7"} <= set(selector.get_feature_names_out())


def test_a_sparse_matrix_gives_what_the_dense_one_gives() -> None:
    values, labels = numbers()
    values = np.where(values > 0, values, 0.0)
    dense = engine.CLCDSelector(workers=1).fit(values, labels)
    thin = engine.CLCDSelector(workers=1).fit(sparse.csr_matrix(values), labels)
    assert np.array_equal(dense.support_, thin.support_)
    assert thin.transform(sparse.csr_matrix(values)).shape == (ROWS, dense.support_.sum())


def test_a_label_that_is_called_like_a_feature_is_told_apart() -> None:
    values, labels = frames()
    labels = labels.rename(columns={"fever": "gene 3"})
    selector = engine.CLCDSelector(workers=1).fit(values, labels)
    assert selector.label_names_ == ("gene 3′", "cough")


def test_a_label_with_one_value_is_served_by_nothing() -> None:
    values, labels = numbers()
    labels = np.column_stack([labels, np.zeros(ROWS, dtype=int)])
    selector = engine.CLCDSelector(workers=1).fit(values, labels)
    assert selector.label_support_.any(axis=1).tolist() == [True, True, False]
    assert selector.get_support(indices=True).tolist() == [3, 7]


def test_at_most_so_many_are_those_that_serve_most_labels() -> None:
    selector = engine.CLCDSelector(workers=1, max_features=1).fit(*numbers())
    assert selector.get_support(indices=True).tolist() == [7]
    assert not selector.label_support_[:, 3].any()


def test_a_share_of_the_features_is_rounded_up_and_no_further() -> None:
    """In floating point 0.28 of 25 is more than 7."""
    generator = np.random.default_rng(1)
    values = generator.normal(size=(200, 25))
    labels = (values + generator.normal(scale=0.1, size=values.shape) > 0).astype(int)
    assert engine.CLCDSelector(workers=1).fit(values, labels).support_.sum() == 25
    assert engine.CLCDSelector(workers=1, max_features=0.28).fit(values, labels).support_.sum() == 7


def test_it_is_a_step_of_a_search_over_settings() -> None:
    values, labels = frames()
    steps = make_pipeline(
        engine.CLCDSelector(workers=1), StandardScaler(), OneVsRestClassifier(LogisticRegression())
    )
    search = GridSearchCV(steps, {"clcdselector__alpha": [0.001, 0.05]}, cv=2, scoring="f1_micro")
    search.fit(values, labels)
    assert search.best_score_ > 0.8
    assert search.predict(values).shape == labels.shape


def test_every_setting_is_a_parameter_with_the_same_default() -> None:
    parameters = engine.CLCDSelector().get_params()
    # The time order needs tiers, which `fit` is not given.
    left_out = {"row_weights", "cluster", "constant_labels", "time_order"}
    for settings in (engine.DiscoverySettings, engine.PreparationSettings):
        for parameter in parameters_of(settings):
            if parameter.name not in left_out:
                assert parameters[parameter.name] == parameter.default, parameter.name
    assert clone(engine.CLCDSelector(alpha=0.2)).alpha == 0.2


@pytest.mark.parametrize(
    ("wrong", "place"),
    [
        ({"alpha": 2.0}, "alpha"),
        ({"bins": 1}, "bins"),
        ({"max_features": 0}, "max_features"),
        ({"max_features": 1.5}, "max_features"),
    ],
)
def test_an_impossible_setting_is_named_when_fitting(wrong: dict[str, object], place: str) -> None:
    with pytest.raises(engine.InvalidParameter, match=f"setting '{place}'"):
        engine.CLCDSelector(**wrong).fit(*numbers())
