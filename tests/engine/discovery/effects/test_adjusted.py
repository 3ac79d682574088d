"""Adjusted associations are averages of statsmodels' regressions, and as sure as a bootstrap finds them."""

from __future__ import annotations

import numpy as np
import pandas
import pytest
import statsmodels.api as sm
from scipy.interpolate import CubicSpline

import engine
from engine.discovery.effects import standardisation
from engine.discovery.effects.all_effects import adjusted_association, association
from engine.discovery.effects.design import CompleteRows, CurveColumns, LevelColumns
from engine.discovery.effects.estimates import Estimand, Measure
from engine.discovery.effects.size_words import size_sentences
from engine.discovery.effects.standardisation import LabelInRegression, StandardisedRegression
from engine.wording.phrases import plain
from tests.engine.discovery.effects.made_tables import table
from tests.engine.discovery.effects.test_association import contrast
from tests.with_each import with_each


def averaged(frame: object, label: str) -> float:
    """The difference that the category makes to the label on average, by a regression of statsmodels."""
    # In plain arrays: of a frame, statsmodels takes four times as long, and a bootstrap asks 400 times.
    members = (frame["c"] == "yes").to_numpy(float)
    ones = np.ones(len(frame))
    columns = np.column_stack([ones, frame["z"].to_numpy(float), members])
    if label == "number":
        model = sm.OLS(frame["number"].to_numpy(float), columns).fit()
    else:
        answers = (frame["two"] == "yes").to_numpy(float)
        model = sm.GLM(answers, columns, family=sm.families.Binomial()).fit()
    with_it, without = (np.column_stack([columns[:, :2], value * ones]) for value in (1.0, 0.0))
    return float((model.predict(with_it) - model.predict(without)).mean())


@pytest.mark.parametrize("label", ["two", "number"])
def test_it_is_a_regression_averaged_over_the_rows(label: str) -> None:
    data = table(500, 0)
    measure = Measure.MEAN_DIFFERENCE if label == "number" else Measure.RATE_DIFFERENCE
    estimates = contrast(adjusted_association(data, "c", label, ["z"]), measure)
    # A curve of z in place of a line changes little where the truth is a line.
    assert estimates[0] == pytest.approx(averaged(data.frame, label), abs=0.01)


@pytest.mark.parametrize("label", ["two", "number"])
def test_errors_are_those_of_a_bootstrap(label: str) -> None:
    data = table(400, 1)
    measure = Measure.MEAN_DIFFERENCE if label == "number" else Measure.RATE_DIFFERENCE
    generator = np.random.default_rng(2)
    drawn = [
        averaged(data.frame.iloc[generator.integers(0, 400, 400)].reset_index(drop=True), label)
        for _ in range(400)
    ]
    estimates = contrast(adjusted_association(data, "c", label, ["z"]), measure)
    assert (estimates[2] - estimates[1]) / (2 * 1.966) == pytest.approx(np.std(drawn), rel=0.12)


def test_a_linear_slope_is_that_of_several_columns_with_robust_errors() -> None:
    data = table(90, 3)
    frame = data.frame
    columns = sm.add_constant(frame[["x"]].assign(c=(frame["c"] == "yes").astype(float)))
    fitted = sm.OLS(frame["number"], columns).fit(cov_type="HC3", use_t=True)
    estimates = contrast(adjusted_association(data, "x", "number", ["c"]), Measure.SLOPE)
    assert estimates == pytest.approx((fitted.params["x"], *fitted.conf_int().loc["x"]), rel=1e-6)


def test_nothing_held_is_the_plain_association() -> None:
    data = table(300, 4)
    for feature, label in (("c", "two"), ("x", "three"), ("c", "number")):
        plain = association(data, feature, label).contrasts
        assert adjusted_association(data, feature, label, []).contrasts == plain


def test_what_rows_cannot_bear_is_left_out_and_named() -> None:
    data = table(60, 5)
    size = adjusted_association(data, "c", "two", ["z", "x", "number", "three"])
    assert size.left_out and set(size.adjusted_for) | set(size.left_out) == {"z", "x", "number", "three"}
    assert size.adjusted_for[:1] == ("z",)


def test_words_say_why_nothing_is_held() -> None:
    generator = np.random.default_rng(0)
    ward = generator.permutation(np.repeat(list("abcdefgh"), 5))
    frame = pandas.DataFrame({"ward": ward, "x": generator.permutation([0, 1] * 20)})
    frame["y"] = np.where(generator.random(40) < 0.8, frame["x"], 1 - frame["x"])
    frame["two"] = generator.integers(0, 2, 40)
    data = engine.Dataset.from_frame(frame, labels=["y"])
    size = adjusted_association(data, "x", "y", ["ward"])
    assert (size.adjusted_for, size.left_out) == ((), ("ward",))
    sentences = [plain(sentence) for sentence in size_sentences([size])]
    assert sentences == [
        "Not adjusted for the other members of the boundary of y: there are too few rows to adjust for ward."
    ]
    some = [
        plain(sentence)
        for sentence in size_sentences([adjusted_association(data, "x", "y", ["two", "ward"])])
    ]
    assert some[0].startswith("Adjusted for two") and some[1:] == [
        "There are too few rows to adjust for ward as well."
    ]
    none = [plain(sentence) for sentence in size_sentences([adjusted_association(data, "x", "y", [])])]
    assert none == ["The boundary of y has no other member, so there is no adjustment."]


def test_words_say_whose_place_a_feature_takes() -> None:
    generator = np.random.default_rng(1)
    cause = generator.integers(0, 2, 400)
    frame = pandas.DataFrame({"cause": cause, "copy": cause, "other": generator.integers(0, 2, 400)})
    frame["y"] = np.where(generator.random(400) < 0.8, cause, 1 - cause)
    data = engine.Dataset.from_frame(frame, labels=["y"])
    result = engine.discover(data)
    (member,) = result.boundaries["y"].members
    (stand_in,) = {"cause", "copy"} - {member}
    effects = engine.effects(data, result, estimands=[Estimand.ADJUSTED])
    sentences = {
        name: [plain(sentence) for sentence in size_sentences(effects.of(name, "y").values())]
        for name in (member, stand_in)
    }
    assert sentences[member] == ["The boundary of y has no other member, so there is no adjustment."]
    assert sentences[stand_in] == [
        f"{stand_in} replaces {member} in the boundary of y. "
        "There is no other member, so there is no adjustment."
    ]


@pytest.mark.parametrize("levels", [2, 3])
def test_rates_are_kept_off_nothing_as_the_prior_of_jeffreys_does(levels: int) -> None:
    """In a table of counts it adds half a row to each cell, which is known (Haldane 1956; Firth 1993)."""
    generator = np.random.default_rng(6)
    codes = np.repeat([0, 1], (30, 12))
    label = np.where(codes == 1, 0, generator.integers(0, levels, 42))
    rows = CompleteRows(np.arange(42), None, None, True, 0)
    nothing = np.empty((0, 42))
    columns = LevelColumns(np.array([0, 1]))
    fitted = StandardisedRegression(LabelInRegression(label, levels), codes, columns, nothing, rows)
    counts = np.array([[(label[codes == code] == level).sum() for level in range(levels)] for code in (0, 1)])
    expected = (counts + 0.5) / (counts + 0.5).sum(axis=1, keepdims=True)
    # Of three levels the leverages settle on a little more than half a row in a cell that is empty.
    tolerance = 1e-4 if levels == 2 else 0.02
    assert fitted.at(np.array([0, 1])).means == pytest.approx(expected[:, 1:], abs=tolerance)


@with_each("at_once", [1, 2**18])
def test_products_with_all_that_is_held_make_two_regressions(
    at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each level of the feature has one of its own, with errors as of HC3, however many are made at once."""
    monkeypatch.setattr(standardisation, "_MOST_NUMBERS", at_once)
    generator = np.random.default_rng(8)
    held, codes = generator.normal(size=(2, 60)), generator.integers(0, 2, 60)
    label = held.sum(axis=0) * (1 + codes) + generator.normal(size=60)
    rows = CompleteRows(np.arange(60), None, None, True, 0)
    levels = LevelColumns(np.array([0, 1]))
    fitted = StandardisedRegression(LabelInRegression(label, 0), codes, levels, held, rows, (0, 1))
    standardised = fitted.at(np.array([0, 1]))
    design = sm.add_constant(held.T)
    influence = np.zeros((2, 60))
    for code in (0, 1):
        own = codes == code
        model = sm.OLS(label[own], design[own]).fit()
        expected = model.predict(design)
        assert standardised.means[code, 0] == pytest.approx(expected.mean())
        influence[code] = (expected - expected.mean()) / 60
        by_row = design[own] @ model.normalized_cov_params @ design.mean(axis=0)
        influence[code, own] += by_row * model.get_influence().resid_press
    assert standardised.covariance[:, 0, :, 0] == pytest.approx(influence @ influence.T)
    assert fitted.means_at(np.array([0, 1])) == pytest.approx(standardised.means)


def test_a_label_that_the_rest_decides_has_wide_limits() -> None:
    """Where a member decides the label, nothing tells what the feature adds: no certainty of nothing."""
    generator = np.random.default_rng(7)
    member = generator.integers(0, 2, 300)
    frame = pandas.DataFrame({"y": member, "member": member, "x": generator.integers(0, 2, 300)})
    data = engine.Dataset.from_frame(frame, labels=["y"])
    estimates = contrast(adjusted_association(data, "x", "y", ["member"]), Measure.RATE_DIFFERENCE)
    assert estimates[1] < 0.0 < estimates[2] and 0.005 < estimates[2] - estimates[1] < 0.05


@with_each("count", [3, 4, 5])
def test_curves_are_natural_splines(count: int) -> None:
    generator = np.random.default_rng(count)
    knots = np.sort(generator.normal(size=count))
    values = np.concatenate([generator.normal(size=200) * 3.0, knots])
    spline = CubicSpline(knots, np.eye(count), bc_type="natural")
    inside = np.clip(values, knots[0], knots[-1])
    expected = spline(inside) + spline.derivative()(inside) * (values - inside)[:, np.newaxis]
    columns = CurveColumns(knots.tolist())
    assert columns.width == count - 1
    np.testing.assert_allclose(columns.of(values), expected[:, 1:].T, atol=1e-9 * np.abs(expected).max())
