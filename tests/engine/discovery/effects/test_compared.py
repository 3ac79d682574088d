"""The compared values of a number suit the shape of its curve, and the interval allows for the choice."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas
import pytest

import engine
from engine.discovery.effects.all_effects import adjusted_association, association
from engine.discovery.effects.estimates import Contrast, Size

Curve = Callable[[np.ndarray], np.ndarray]


def straight(x: np.ndarray) -> np.ndarray:
    return np.asarray(1.0 / (1.0 + np.exp(-x)))


def flat_then_falling(x: np.ndarray) -> np.ndarray:
    return 0.02 + 0.5 / (1.0 + np.exp(4.0 * (x - 1.2)))


def hollow(x: np.ndarray) -> np.ndarray:
    return np.clip(0.1 + 0.25 * x**2, 0.0, 0.95)


def flat(x: np.ndarray) -> np.ndarray:
    return np.full(len(x), 0.4)


def table_of(curve: Curve, rows: int, seed: int, scale: float = 1.0) -> engine.Dataset:
    generator = np.random.default_rng(seed)
    x = generator.normal(size=rows)
    y = (generator.random(rows) < curve(x)).astype(int)
    unrelated = generator.normal(size=rows)
    return engine.Dataset.from_frame(pandas.DataFrame({"x": x * scale, "z": unrelated, "y": y}), labels=["y"])


def leading_of(size: Size) -> Contrast:
    assert size.leading is not None
    return size.leading


def span_of(size: Size) -> float:
    rates = [point.estimate for point in size.points]
    return max(rates) - min(rates)


@pytest.mark.parametrize("curve", [straight, flat])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_quartiles_stay_where_they_suit(curve: Curve, seed: int) -> None:
    table = table_of(curve, 1500, seed)
    low, high = np.quantile(table.column("x"), (0.25, 0.75), method="inverted_cdf")
    leading = leading_of(association(table, "x", "y"))
    assert (leading.reference, leading.at) == (low, high)


@pytest.mark.parametrize("curve", [flat_then_falling, hollow])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_headline_tells_half_of_the_curve(curve: Curve, seed: int) -> None:
    """Quartiles told 9 of 49 percentage points, and 0 of 80."""
    size = association(table_of(curve, 1500, seed), "x", "y")
    assert abs(leading_of(size).estimate) >= 0.5 * span_of(size)
    assert span_of(size) > 0.4


def test_all_estimates_of_a_pair_compare_the_same_values() -> None:
    table = table_of(hollow, 1500, 3)
    alone = leading_of(association(table, "x", "y"))
    held = leading_of(adjusted_association(table, "x", "y", ["z"]))
    assert (alone.at, alone.reference) == (held.at, held.reference)


@pytest.mark.parametrize("scale", [1e-9, 2.54, 1e9])
def test_the_unit_does_not_matter(scale: float) -> None:
    first, second = (
        leading_of(association(table_of(hollow, 800, 4, factor), "x", "y")) for factor in (1.0, scale)
    )
    assert second.at == pytest.approx(float(first.at) * scale)
    assert second.estimate == pytest.approx(first.estimate, abs=1e-6)


@pytest.mark.parametrize("curve", [flat_then_falling, hollow, flat])
def test_intervals_hold_the_truth_although_the_values_are_chosen(curve: Curve) -> None:
    """Against the true curve at the compared values, in few rows, where noise has most to choose from."""
    tables = 60
    held = 0
    for seed in range(tables):
        leading = leading_of(association(table_of(curve, 300, 100 + seed), "x", "y"))
        at, reference = curve(np.array([leading.at, leading.reference], dtype=np.float64))
        held += leading.low <= at - reference <= leading.high
    # Of 95 %, a binomial count is below 0.9 in one of a hundred such series.
    assert held >= 0.88 * tables
