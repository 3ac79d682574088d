"""E-values are those that VanderWeele and Ding (2017) and the makers of the R package EValue publish."""

from __future__ import annotations

import math

import numpy as np
import pandas
import pytest
from statsmodels.stats.proportion import confint_proportions_2indep

import engine
from engine.discovery.effects.all_effects import association, effect_of_changing
from engine.discovery.effects.estimates import Measure, of_mean_difference, of_rate_ratio

# Smoking and lung cancer, infant feeding and respiratory death, leukaemia: of the paper, and of the package's
# introduction; its help gives the digits.
PUBLISHED = (
    ((10.73, 8.02, 14.36), (20.94777, 15.52336)),
    ((3.9, 1.8, 8.7), (7.263034, 3.0)),
    ((0.80, 0.71, 0.91), (1.809017, 1.428571)),
)


@pytest.mark.parametrize("ratio, expected", PUBLISHED)
def test_ratios_have_the_published_values(
    ratio: tuple[float, float, float], expected: tuple[float, float]
) -> None:
    e_value = of_rate_ratio(*ratio)
    assert (e_value.estimate, e_value.limit) == pytest.approx(expected, abs=6e-4)


def test_an_interval_around_no_effect_needs_nothing_hidden() -> None:
    assert of_rate_ratio(1.3, 0.9, 1.9).limit == 1.0


def test_a_protecting_ratio_is_as_strong_as_its_inverse() -> None:
    below, above = of_rate_ratio(0.5, 0.4, 0.8), of_rate_ratio(2.0, 1.25, 2.5)
    assert (below.estimate, below.limit) == pytest.approx((above.estimate, above.limit))


def test_a_difference_of_means_is_turned_into_a_ratio_as_the_paper_does() -> None:
    """Table 2 of the paper: exp(0.91 d), with limits exp(0.91 d ± 1.78 standard errors)."""
    difference, error, deviation = 4.2, 1.4, 10.0
    e_value = of_mean_difference(difference, difference - 1.96 * error, difference + 1.96 * error, deviation)
    d, s = difference / deviation, error / deviation
    expected = of_rate_ratio(*(2.718281828 ** (0.91 * d + k * s) for k in (0.0, -1.78, 1.78)))
    assert (e_value.estimate, e_value.limit) == pytest.approx((expected.estimate, expected.limit), abs=2e-3)


def test_a_difference_of_hundreds_of_deviations_is_explained_by_nothing() -> None:
    e_value = of_mean_difference(1000.0, -50.0, 2050.0, 1.0)
    assert (e_value.estimate, e_value.limit) == (math.inf, 1.0)
    assert of_mean_difference(-1000.0, -1100.0, -900.0, 1.0) == of_mean_difference(1000.0, 900.0, 1100.0, 1.0)


def test_one_value_far_from_all_others_is_measured_too() -> None:
    """Of two rows with level b one has it: the mean there is half of it, hundreds of standard deviations."""
    generator = np.random.default_rng(0)
    label, level = generator.normal(size=300_000), np.full(300_000, "a", dtype=object)
    label[0], level[:2] = 1e9, "b"
    table = engine.Dataset.from_frame(pandas.DataFrame({"y": label, "x": level}), labels=["y"])
    size = association(table, "x", "y")
    assert size.leading is not None and size.leading.estimate == pytest.approx(5e8, rel=1e-6)
    assert size.e_value is not None and math.isfinite(size.e_value.estimate)


# Of 200 rows with each dose so many have the label: most of them at the middle one.
DOSES = {"low": 20, "middle": 120, "high": 44}


def of_doses() -> pandas.DataFrame:
    frame = pandas.DataFrame({"dose": np.repeat(list(DOSES), 200)})
    frame["dose"] = pandas.Categorical(frame["dose"], list(DOSES), ordered=True)
    frame["y"] = [int(row < DOSES[dose]) for dose in DOSES for row in range(200)]
    return frame


def test_it_is_that_of_the_comparison_that_stands_for_all() -> None:
    """The highest dose against the lowest one, which the sentence before tells: 22 % against 10 %."""
    size = association(engine.Dataset.from_frame(of_doses(), labels=["y"]), "dose", "y")
    assert size.leading is not None and (size.leading.at, size.leading.reference) == ("high", "low")
    low, _ = confint_proportions_2indep(44, 200, 20, 200, method="log", compare="ratio")
    assert size.e_value is not None
    assert size.e_value.estimate == pytest.approx(2.2 + math.sqrt(2.2 * 1.2), rel=1e-9)
    assert size.e_value.limit == pytest.approx(low + math.sqrt(low * (low - 1)), rel=1e-6)


def test_a_range_has_that_of_its_weakest_estimate() -> None:
    generator = np.random.default_rng(0)
    frame = of_doses()
    frame["z"] = generator.integers(0, 2, len(frame)).astype(str)
    table = engine.Dataset.from_frame(frame, labels=["y"])
    whole = effect_of_changing(table, "dose", "y", [[], ["z"]])
    ratios = [
        contrast
        for contrast in whole.contrasts
        if contrast.measure is Measure.RATE_RATIO and contrast.at == "high"
    ]
    (weakest,) = ratios
    assert weakest.least > 1.0
    assert whole.e_value == of_rate_ratio(weakest.least, weakest.low, weakest.high)


def test_the_share_that_draws_make_is_that_of_the_comparison_that_stands_for_all() -> None:
    frame = of_doses()
    generator = np.random.default_rng(1)
    frame["hint"] = (frame["y"] + (generator.random(len(frame)) < 0.3)) % 2
    # Only of the highest dose is anything missing.
    frame["y"] = frame["y"].astype(str).mask((generator.random(len(frame)) < 0.4) & (frame["dose"] == "high"))
    table = engine.Dataset.from_frame(frame, labels=["y"])
    drawn = engine.prepare(table, missing="imputed", imputations=5)
    differences, variances = [], []
    for draw in range(5):
        completed = drawn.completed(draw)
        dose, ill = completed.column("dose"), completed.column("y")
        rates = [ill[dose == level].mean() for level in (2, 0)]
        differences.append(rates[0] - rates[1])
        variances.append(sum(rate * (1 - rate) / 200 for rate in rates))
    between = 1.2 * np.var(differences, ddof=1)
    share = association(drawn, "dose", "y").between_share
    assert share == pytest.approx(between / (np.mean(variances) + between))
