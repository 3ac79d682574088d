"""Fisher's z with sampling weights: levels, and what the rows are worth, where weights go with variables."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.independence.arranging import ci_test, make_test_data
from engine.independence.batch import ask
from engine.independence.record import make_records
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable

NO_STOP = np.zeros(1, dtype=np.uint8)


def _table(columns: np.ndarray, weights: np.ndarray | None) -> Dataset:
    variables = tuple(Variable(name, Kind.CONTINUOUS) for name in "xyzu"[: len(columns)])
    if weights is None:
        return Dataset(variables, tuple(columns))
    return Dataset((*variables, Variable("w", Kind.CONTINUOUS, Role.WEIGHT)), (*columns, weights))


def _sample(
    generator: np.random.Generator, rows: int, kind: str, slope: float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    """Draw x and y that depend on z, rows of great weight the more rarely."""
    z, x, y = generator.standard_normal((3, 12 * rows))
    x, y = x + z, y + z
    y = y + slope * x
    weights = {
        "large": np.where(x > 0.0, 4.0, 1.0),
        "extreme": np.where(abs(x) > 1.0, 4.0, 1.0),
        "extreme both": np.where(abs(x) > 1.0, 3.0, 1.0) * np.where(abs(y) > 1.0, 3.0, 1.0),
        "middle": np.where(abs(x) > 1.0, 1.0, 3.0) * np.where(abs(y) > 1.0, 1.0, 3.0),
    }[kind]
    drawn = np.flatnonzero(generator.random(len(x)) < weights.min() / weights)[:rows]
    assert len(drawn) == rows
    return np.array([x, y, z])[:, drawn], weights[drawn]


@pytest.mark.parametrize("test", ["fisher-z", "fisher-z-rank"])
@pytest.mark.parametrize(
    "kind",
    [
        "extreme both",
        *(pytest.param(case, marks=pytest.mark.long) for case in ("large", "extreme", "middle")),
    ],
)
def test_weights_that_go_with_tested_variables_keep_the_level(kind: str, test: str) -> None:
    rejections = 0
    for seed in range(1000):
        columns, weights = _sample(np.random.default_rng([41, seed]), 500, kind)
        data = make_test_data(_table(columns, weights), test).at_level(0.05)
        rejections += ask(data, [(0, 1, (2,))], NO_STOP).log_p[0] <= math.log(0.05)
    assert 0.03 <= rejections / 1000 <= 0.07


@pytest.mark.parametrize("kind", ["large", "extreme both"])
def test_z_is_nearly_the_robust_one_of_weighted_least_squares(kind: str) -> None:
    import statsmodels.api as sm

    # Where the effect is small, the variance with and without it is nearly the same.
    columns, weights = _sample(np.random.default_rng(42), 40_000, kind, slope=0.03)
    x, y, z = columns
    result = ci_test("fisher-z", _table(columns, weights), "x", "y", ["z"])
    fitted = sm.WLS(y, sm.add_constant(np.column_stack([x, z])), weights=weights).fit(cov_type="HC0")
    assert abs(fitted.tvalues[1]) > 3.0
    assert result.statistic == pytest.approx(float(fitted.tvalues[1]), rel=0.03)


@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_nearly_equal_weights_change_next_to_nothing(missing: float) -> None:
    generator = np.random.default_rng(43)
    columns = generator.normal(size=(4, 4)) @ generator.normal(size=(4, 300)) + 5.0
    columns[generator.random(columns.shape) < missing] = np.nan
    weights = 7.0 + 1e-7 * (np.arange(300) % 2)
    expected = ci_test("fisher-z", _table(columns, None), "x", "y", ["z", "u"])
    result = ci_test("fisher-z", _table(columns, weights), "x", "y", ["z", "u"])
    assert result.rows == expected.rows
    for field in ("statistic", "log_p", "effect"):
        assert getattr(result, field) == pytest.approx(getattr(expected, field), rel=1e-5)


def test_the_effect_is_the_correlation_in_the_population_whatever_the_rows_are_worth() -> None:
    columns, weights = _sample(np.random.default_rng(44), 2000, "extreme both", slope=0.5)
    whole = np.repeat(columns, weights.astype(int), axis=1)
    data = make_test_data(_table(columns, weights), "fisher-z").at_level(0.05)
    repeated = make_test_data(_table(whole, None), "fisher-z").at_level(0.05)
    single = [make_records(table, [(0, (1,), (2,))], NO_STOP)[0].effect for table in (data, repeated)]
    assert single[0] == pytest.approx(single[1], rel=1e-6)
    joint = make_records(data, [(0, (1, 2), ())], NO_STOP)[0].effect
    assert joint == pytest.approx(
        math.sqrt(1.0 - np.linalg.det(np.corrcoef(whole)) / (1.0 - np.corrcoef(whole)[1, 2] ** 2)), rel=1e-6
    )


def test_what_the_set_determines_has_nothing_left_to_correlate() -> None:
    columns, weights = _sample(np.random.default_rng(45), 300, "large")
    determined = np.vstack((columns, 2.0 * columns[2] - 1.0))
    table = _table(determined, weights)
    assert ci_test("fisher-z", table, "x", "u", ["z"]).statistic == 0.0
    statistic = ci_test("fisher-z", table, "x", "y", ["z", "u"]).statistic
    # The copy takes part in the count of what is held fixed alone.
    assert statistic == pytest.approx(ci_test("fisher-z", table, "x", "y", ["z"]).statistic, rel=0.01)
