"""Skewness and zeros, against scipy and on numbers at the edges."""

from __future__ import annotations

import numpy as np
import pandas
import pytest
import scipy.stats

from engine.table.column_kinds import NumberShape, shape_of
from engine.table.dataset import Dataset
from engine.terminal.subcommands.inspect import column_facts
from tests.with_each import with_each


@pytest.mark.parametrize("law", ["normal", "lognormal", "exponential", "standard_cauchy"])
@with_each("scale", [1.0, 1e-300, 1e250])
def test_skewness_is_that_of_scipy_at_any_scale(law: str, scale: float) -> None:
    values = getattr(np.random.default_rng(3), law)(size=400)
    values[::5] = np.nan
    expected = scipy.stats.skew(values, nan_policy="omit")
    assert shape_of(values * scale).skewness == pytest.approx(expected, rel=1e-9)
    assert shape_of(-values * scale).skewness == pytest.approx(-expected, rel=1e-9)


@pytest.mark.parametrize("values", [[], [np.nan], [0.1] * 7, [1e308] * 5, [0.0, 0.0]])
def test_what_does_not_vary_is_not_skewed(values: list[float]) -> None:
    assert shape_of(np.array(values, dtype=np.float64)).skewness == 0.0


def test_the_largest_floats_have_a_shape() -> None:
    assert shape_of(np.array([-1e308, 1e308, 1e308, 1e308])).skewness == pytest.approx(
        scipy.stats.skew([-1, 1, 1, 1])
    )


def test_zeros_are_a_share_of_what_is_known() -> None:
    assert shape_of(np.array([0.0, -0.0, np.nan, 3.0])).zeros == pytest.approx(2 / 3)
    assert shape_of(np.zeros(4)).zeros == 1.0


def test_only_what_is_notable_is_said() -> None:
    assert NumberShape(0.9, 0.19).words == ()
    assert NumberShape(-1.04, 0.2).words == ("skewed to the left (1.0)", "20 % zeros")
    frame = pandas.DataFrame({"even": np.arange(40.0), "visits": [0.0] * 30 + [*range(1, 11)]})
    dataset = Dataset.from_frame(frame)
    assert column_facts(dataset, "even").values_in_words() == "0 to 39, median 19.5"
    assert column_facts(dataset, "visits").values_in_words() == (
        "0 to 10, median 0, skewed to the right (1.9), 75 % zeros"
    )
