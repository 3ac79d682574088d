"""Associations are what pandas and statsmodels make of the same rows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas
import pytest
import statsmodels.api as sm
from scipy.stats import t, ttest_ind
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

import engine
from engine.discovery.effects.all_effects import adjusted_association, association
from engine.discovery.effects.estimates import Measure, Sign, Size
from tests.engine.discovery.effects.made_tables import table


def contrast(size: Size, measure: Measure, label_level: str | None = None) -> tuple[float, float, float]:
    (leading,) = (
        contrast
        for contrast in size.contrasts
        if contrast.measure is measure and label_level in (None, contrast.label_level)
    )
    return leading.estimate, leading.low, leading.high


def test_rates_by_level_have_intervals_of_wilson() -> None:
    frame = (data := table(400, 0)).frame
    size = association(data, "c", "two")
    for point in size.points:
        rows = frame[frame["c"] == point.at]
        count = int((rows["two"] == "yes").sum())
        limits = proportion_confint(count, len(rows), method="wilson")
        assert (point.label_level, point.rows) == ("yes", len(rows))
        assert (point.estimate, point.low, point.high) == pytest.approx((count / len(rows), *limits))


def test_two_rates_are_compared_as_statsmodels_does() -> None:
    frame = (data := table(400, 0)).frame
    counts = frame.groupby("c", observed=True)["two"].agg([lambda column: (column == "yes").sum(), len])
    no, yes = (tuple(map(int, row)) for row in counts.to_numpy())
    size = association(data, "c", "two")
    for measure, compare, method in (
        (Measure.RATE_DIFFERENCE, "diff", "newcomb"),
        (Measure.RATE_RATIO, "ratio", "log"),
        (Measure.ODDS_RATIO, "odds-ratio", "logit"),
    ):
        expected = confint_proportions_2indep(*yes, *no, compare=compare, method=method)
        assert contrast(size, measure)[1:] == pytest.approx(expected, rel=1e-6)
    assert size.sign is Sign.MORE


def test_means_of_a_number_are_compared_as_with_unequal_variances() -> None:
    frame = (data := table(400, 1)).frame
    estimates = contrast(association(data, "c", "number"), Measure.MEAN_DIFFERENCE)
    yes, no = (frame.loc[frame["c"] == level, "number"] for level in ("yes", "no"))
    error = np.sqrt(yes.var() / len(yes) + no.var() / len(no))
    assert estimates[0] == pytest.approx(yes.mean() - no.mean())
    assert estimates[2] - estimates[0] == pytest.approx(1.9659 * error, rel=1e-3)


@pytest.mark.parametrize("levels", [["none", "all"], ["none", "some", "all"]])
def test_a_rate_that_weights_round_is_0_or_1_all_the_same(levels: list[str]) -> None:
    """Of rows with "p" none has the first level: shares of the others add up to 1 but for rounding."""
    generator = np.random.default_rng(15)
    labels = [*np.resize(levels[1:], 20), *np.resize(levels, 20)]
    frame = pandas.DataFrame({"x": ["p"] * 20 + ["q"] * 20, "y": pandas.Categorical(labels, levels)})
    for _ in range(20):
        frame["w"] = generator.exponential(size=40)
        data = engine.Dataset.from_frame(frame, labels=["y"], weights="w")
        size = association(data, "x", "y")
        ratios = [
            contrast
            for contrast in size.contrasts
            if contrast.measure in (Measure.RATE_RATIO, Measure.ODDS_RATIO)
        ]
        # As with half a row more on either side.
        assert all(ratio.low > 1e-4 and ratio.high < 1e4 for ratio in ratios)


def test_a_level_of_few_rows_tells_little_of_its_mean() -> None:
    generator = np.random.default_rng(13)
    frame = pandas.DataFrame({"c": ["rare"] * 4 + ["usual"] * 100, "y": generator.normal(size=104)})
    estimates = contrast(
        association(engine.Dataset.from_frame(frame, labels=["y"]), "c", "y"), Measure.MEAN_DIFFERENCE
    )
    usual, rare = (frame.loc[frame["c"] == level, "y"] for level in ("usual", "rare"))
    assert estimates[1:] == pytest.approx(ttest_ind(usual, rare, equal_var=False).confidence_interval())


def test_a_level_of_one_row_varies_as_the_others() -> None:
    """As least squares has it; by its own rows its mean would be certain."""
    generator = np.random.default_rng(14)
    frame = pandas.DataFrame({"c": ["a"] * 40 + ["b"] * 40 + ["once"], "y": generator.normal(size=81)})
    frame["z"] = generator.normal(size=81)
    data = engine.Dataset.from_frame(frame, labels=["y"])
    model = sm.OLS(frame["y"], pandas.get_dummies(frame["c"]).astype(float)).fit()
    (point,) = (point for point in association(data, "c", "y").points if point.at == "once")
    assert (point.low, point.high) == pytest.approx(tuple(model.conf_int().loc["once"]))
    columns = pandas.get_dummies(frame["c"]).astype(float).assign(z=frame["z"])
    low, high = sm.OLS(frame["y"], columns.assign(a=1.0)).fit().conf_int().loc["once"]
    contrasts = adjusted_association(data, "c", "y", ["z"]).contrasts
    (adjusted,) = (contrast for contrast in contrasts if contrast.at == "once")
    # A curve of z takes two coefficients more, and errors of the others are robust.
    assert adjusted.high - adjusted.low == pytest.approx(high - low, rel=0.1)


def test_a_level_of_one_group_varies_as_other_groups() -> None:
    generator = np.random.default_rng(16)
    group = np.repeat(np.arange(30), 6)
    frame = pandas.DataFrame(
        {"c": np.where(group == 0, "once", "usual"), "g": [f"g{code}" for code in group]}
    )
    frame["y"] = generator.normal(size=30)[group] + 0.5 * generator.normal(size=180)
    size = association(engine.Dataset.from_frame(frame, labels=["y"], groups="g"), "c", "y")
    (point,) = (point for point in size.points if point.at == "once")
    others = frame[frame["c"] == "usual"].groupby("g")["y"].mean()
    # The correction of few groups, as with each left out, is some percent.
    expected = t.ppf(0.975, 29) * others.std()
    assert expected < 0.5 * (point.high - point.low) < 1.1 * expected


def test_a_slope_is_that_of_robust_least_squares() -> None:
    frame = (data := table(300, 2)).frame
    fitted = sm.OLS(frame["number"], sm.add_constant(frame["x"])).fit(cov_type="HC3", use_t=True)
    expected = (fitted.params["x"], *fitted.conf_int().loc["x"])
    assert contrast(association(data, "x", "number"), Measure.SLOPE) == pytest.approx(expected, rel=1e-6)


def test_a_slope_does_not_hang_on_where_zero_is() -> None:
    """As of a point in time, in milliseconds since 1970."""
    data = table(300, 2)
    frame = data.frame.assign(x=(data.frame["x"] * 1000).round())
    sizes = [
        association(
            engine.Dataset.from_frame(frame.assign(x=frame["x"] + start), labels=["number"]), "x", "number"
        )
        for start in (0.0, 1.7e12)
    ]
    near, far = (contrast(size, Measure.SLOPE) for size in sizes)
    assert far == pytest.approx(near, rel=1e-6)


def test_a_slope_heeds_weights_and_groups() -> None:
    for weights, groups in ((True, False), (False, True)):
        data = table(300, 3, weights=weights, groups=groups)
        frame = data.frame
        ones = np.ones(len(frame))
        model = sm.WLS(
            frame["number"], sm.add_constant(frame["x"]), weights=data.row_weights if weights else ones
        )
        options = {"groups": data.row_groups, "use_correction": False} if groups else {}
        fitted = model.fit(cov_type="cluster" if groups else "HC0", cov_kwds=options)
        estimates = contrast(association(data, "x", "number"), Measure.SLOPE)
        assert estimates[0] == pytest.approx(fitted.params["x"])
        # Corrections for small samples differ; those of HC3 and of few groups are at most some percent here.
        half, expected = estimates[2] - estimates[0], 1.96 * fitted.bse["x"]
        assert expected < half < 1.06 * expected


def test_counts_are_rows_that_were_joined() -> None:
    data = table(150, 4, weights=True)
    counts = data.row_weights.astype(int)
    repeated = data.select_rows(np.repeat(np.arange(150), counts)).with_roles({"w": engine.Role.IGNORED})
    for feature, label in (("c", "two"), ("x", "two"), ("x", "number"), ("c", "number"), ("c", "three")):
        joined = association(data, feature, label, row_weights="counts").contrasts
        for first, second in zip(joined, association(repeated, feature, label).contrasts, strict=True):
            assert first.estimate == pytest.approx(second.estimate, rel=1e-6)
            assert (first.low, first.high) == pytest.approx((second.low, second.high), rel=0.01)


def test_a_level_of_few_lines_that_stand_for_many_rows_is_not_rare() -> None:
    frame = pandas.DataFrame(
        {"a": list("ppqqrr?"), "y": list("nynynyy"), "w": [10, 5, 300, 200, 100, 150, 40]}
    )
    frame.loc[6, "a"] = None
    joined = engine.Dataset.from_frame(frame.astype({"w": float}), labels=["y"], weights="w")
    repeated = frame.loc[frame.index.repeat(frame["w"])].reset_index(drop=True).drop(columns="w")
    counted = association(joined, "a", "y", row_weights="counts")
    expected = association(engine.Dataset.from_frame(repeated, labels=["y"]), "a", "y")
    assert [point.rows for point in counted.points] == [15, 500, 250]
    assert (counted.rows, counted.rows_lost) == (expected.rows, expected.rows_lost) == (765, 40)
    for first, second in zip(counted.contrasts, expected.contrasts, strict=True):
        assert (first.at, first.reference) == (second.at, second.reference)
        assert (first.low, first.high) == pytest.approx((second.low, second.high))


def test_rows_of_a_person_count_as_one_person() -> None:
    data = table(200, 5)
    frame = data.frame.loc[np.repeat(np.arange(200), 3)].reset_index(drop=True)
    frame["person"] = np.repeat(np.arange(200), 3).astype(str)
    copies = engine.Dataset.from_frame(frame, labels=["two", "number"], groups="person")
    for feature, label in (("c", "two"), ("x", "number"), ("x", "two")):
        alone, copied = (association(either, feature, label).contrasts[0] for either in (data, copies))
        assert copied.estimate == pytest.approx(alone.estimate, rel=0.02, abs=0.01)
        assert copied.high - copied.low == pytest.approx(alone.high - alone.low, rel=0.08)


def test_rows_without_a_value_are_left_out_and_counted() -> None:
    frame = table(300, 6).frame
    holes = frame.copy()
    holes.loc[:49, "x"] = np.nan
    full, lacking = (
        association(engine.Dataset.from_frame(incomplete, labels=["two"]), "x", "two")
        for incomplete in (frame.loc[50:].reset_index(drop=True), holes)
    )
    assert (lacking.rows, lacking.rows_lost) == (250, 50)
    assert lacking.contrasts == full.contrasts


@pytest.mark.parametrize(
    "shape, sign",
    [
        (lambda x: 2 * x, Sign.MORE),
        (lambda x: -2 * x, Sign.LESS),
        (lambda x: x**2 - 1, Sign.NOT_ONE_WAY),
        (lambda x: 0 * x, Sign.UNCLEAR),
    ],
)
def test_a_sign_says_which_way_a_curve_goes(shape: Callable[[np.ndarray], np.ndarray], sign: Sign) -> None:
    generator = np.random.default_rng(7)
    x = generator.normal(size=1000)
    y = shape(x) + generator.normal(size=1000)
    frame = pandas.DataFrame({"x": x, "y": y, "z": (y > 0).astype(int)})
    data = engine.Dataset.from_frame(frame, labels=["y", "z"])
    assert association(data, "x", "y").sign is sign
    assert association(data, "x", "z").sign is sign


def test_chance_seldom_makes_a_sign() -> None:
    """With nothing there, a sign is said in at most about 5 % of tables: 200 of them, 99.9 % limit 21."""
    generator = np.random.default_rng(8)
    false_signs = 0
    for _ in range(200):
        frame = pandas.DataFrame(generator.normal(size=(200, 2)), columns=["x", "y"])
        data = engine.Dataset.from_frame(frame, labels=["y"])
        false_signs += association(data, "x", "y").sign is not Sign.UNCLEAR
    assert false_signs <= 21


@pytest.mark.parametrize(
    "rows, levels, ordered, share",
    [
        (20, 5, True, 0.5),
        (50, 5, True, 0.5),
        (50, 10, False, 0.5),
        (200, 10, False, 0.1),
        (20, 10, False, None),
    ],
)
def test_chance_seldom_makes_a_sign_of_few_rows_a_level(
    rows: int, levels: int, ordered: bool, share: float | None
) -> None:
    """In at most about 5 % of 100 tables, 99.9 % limit 13; of a label of two levels, or (None) a number."""
    generator = np.random.default_rng(11)
    names = list("abcdefghij")[:levels]
    false_signs = 0
    for _ in range(100):
        level = pandas.Categorical(np.resize(names, rows), names, ordered=ordered)
        label = generator.normal(size=rows) if share is None else generator.random(rows) < share
        label = label if share is None else label.astype(int).astype(str)
        data = engine.Dataset.from_frame(pandas.DataFrame({"x": level, "y": label}), labels=["y"])
        false_signs += association(data, "x", "y").sign is not Sign.UNCLEAR
    assert false_signs <= 13


@pytest.mark.parametrize("groups", [6, 40])
def test_chance_seldom_makes_levels_differ_in_few_groups(groups: int) -> None:
    """As above: rows of a group go together, and a few groups tell little of how much they vary."""
    generator = np.random.default_rng(12)
    false_signs = 0
    for _ in range(100):
        group = generator.integers(0, groups, 200)
        frame = pandas.DataFrame({"x": np.array(list("abcde"))[generator.integers(0, 5, 200)]})
        frame["y"] = generator.normal(size=groups)[group] + generator.normal(size=200)
        frame["g"] = [f"g{code}" for code in group]
        data = engine.Dataset.from_frame(frame, labels=["y"], groups="g")
        false_signs += association(data, "x", "y").sign is not Sign.UNCLEAR
    assert false_signs <= 13


def test_levels_without_an_order_have_no_direction() -> None:
    generator = np.random.default_rng(9)
    colour = generator.integers(0, 3, 600)
    y = (generator.random(600) < np.array([0.2, 0.5, 0.3])[colour]).astype(int)
    frame = pandas.DataFrame({"colour": np.array(["red", "blue", "green"])[colour], "y": y})
    data = engine.Dataset.from_frame(frame, labels=["y"])
    size = association(data, "colour", "y")
    assert size.sign is Sign.LEVELS_DIFFER
    # Held against the most frequent level.
    frequent = str(data.frame["colour"].mode()[0])
    furthest = max(size.contrasts[0::3], key=lambda compared: abs(compared.estimate))
    assert {contrast.reference for contrast in size.contrasts} == {frequent} and size.leading == furthest


def test_errors_of_groups_are_those_of_leaving_each_out() -> None:
    """The jackknife by groups, to which the correction comes near; for straight lines it is the same."""
    generator = np.random.default_rng(10)
    for rows_each in (2, 12):
        groups = np.repeat(np.arange(40), rows_each)
        shared = generator.normal(size=40)[groups]
        x = shared + generator.normal(size=len(groups))
        y = x + shared + generator.normal(size=len(groups))
        frame = pandas.DataFrame({"x": x, "y": y, "g": [f"g{group}" for group in groups]})
        data = engine.Dataset.from_frame(frame, labels=["y"], groups="g")
        slopes = np.array(
            [np.polyfit(x[groups != left_out], y[groups != left_out], 1)[0] for left_out in range(40)]
        )
        slope, low, high = contrast(association(data, "x", "y"), Measure.SLOPE)
        error = np.sqrt(40 / 39 * ((slopes - slope) ** 2).sum())
        # Two columns: groups of two rows go by one formula, and of twelve by the other.
        assert (high - low) / 2 == pytest.approx(2.0227 * error, rel=1e-3)
