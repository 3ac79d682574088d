"""The test with products of what is conditioned on, against statsmodels and known truth."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from statsmodels.regression.linear_model import OLS

import engine
from engine.boundaries.discovery_settings import arranged
from engine.boundaries.neighbourhoods import explained_by_products
from engine.independence.chi_squared import log_chi2_sf
from engine.independence.data import TestData

ALPHA = 0.01
STOP = np.zeros(1, dtype=np.uint8)


def _data(frame: pd.DataFrame) -> TestData:
    dataset = engine.Dataset.from_frame(frame, labels=[str(frame.columns[0])])
    return arranged(engine.prepare(dataset), engine.DiscoverySettings())


def _graded(score: np.ndarray) -> np.ndarray:
    grades: np.ndarray = np.digitize(score, np.quantile(score, (0.2, 0.4, 0.6, 0.8))).astype(float)
    return grades


def _two_effects(seed: int, rows: int = 20_000, direct: float = 0.0) -> pd.DataFrame:
    """Draw two grades with the same two causes, which add up on a scale that has an end."""
    generator = np.random.default_rng(seed)
    a, b = (_graded(drawn_pair) for drawn_pair in generator.normal(size=(2, rows)))
    x = _graded(a + b + generator.normal(size=rows))
    y = _graded(a + b + direct * x + generator.normal(size=rows))
    return pd.DataFrame({"x": x, "y": y, "a": a, "b": b})


def _log_p(answer: tuple[float, float] | None) -> float:
    assert answer is not None
    return log_chi2_sf(*answer)


@pytest.mark.parametrize("seed", (0, 1, 2, 5))
def test_effects_of_the_same_causes_are_independent_given_these_and_their_products(seed: int) -> None:
    data = _data(_two_effects(seed))
    question = np.array([0]), np.array([1]), np.array([[2, 3]]), np.array([2])
    plain = data.ask_rows(*question, STOP)
    assert plain.log_p[0] < np.log(1e-6)
    assert _log_p(data.test_with_products(0, 1, (2, 3))) > np.log(1e-3)
    explained, _ = explained_by_products(data, ALPHA, 0, (2, 3, 1), {1: (2, 3)}, STOP)
    assert explained == {1: (2, 3)}


def test_a_direct_link_stays_given_products() -> None:
    data = _data(_two_effects(7, direct=0.15))
    explained, tests = explained_by_products(data, ALPHA, 0, (2, 3, 1), {1: (2, 3)}, STOP)
    assert not explained and tests
    assert _log_p(data.test_with_products(0, 1, (2, 3))) < np.log(1e-6)


def test_p_values_with_products_are_uniform_where_two_are_independent_given_them() -> None:
    generator = np.random.default_rng(11)
    log_p_values = []
    for _ in range(60):
        a, b = generator.uniform(-1.0, 1.0, (2, 3000))
        noise = generator.normal(size=(2, 3000))
        data = _data(pd.DataFrame({"x": 3 * a * b + noise[0], "y": 3 * a * b + noise[1], "a": a, "b": b}))
        log_p_values.append(_log_p(data.test_with_products(0, 1, (2, 3))))
    shares = [float(np.mean(np.array(log_p_values) < np.log(level))) for level in (0.5, 0.1)]
    assert shares[0] == pytest.approx(0.5, abs=0.25)
    assert shares[1] <= 0.2


def test_products_of_levels_are_those_of_a_saturated_regression() -> None:
    # Two-valued variables leave one product of two: the set with it has a mean of its own in each cell.
    generator = np.random.default_rng(5)
    rows = 4000
    a, b = generator.integers(0, 2, (2, rows))
    x = (generator.random(rows) < 0.2 + 0.5 * a * b).astype(int)
    y = (generator.random(rows) < 0.2 + 0.3 * a * b + 0.1 * x).astype(int)
    frame = pd.DataFrame({"x": x, "y": y, "a": a, "b": b}).map(["no", "yes"].__getitem__)
    data = _data(frame.assign(number=generator.normal(size=rows)))
    answer = data.test_with_products(0, 1, (2, 3))
    assert answer is not None and answer[1] == 1.0
    cells = np.column_stack([(a == left) & (b == right) for left, right in product((0, 1), repeat=2)]).astype(
        float
    )
    with_x, without = (OLS(y, np.column_stack(regressors)).fit().ssr for regressors in ((cells, x), (cells,)))
    # Bartlett's factor: rows less one, three columns of the set, and three halves.
    assert answer[0] == pytest.approx(-(rows - 1 - 3 - 1.5) * np.log(with_x / without), rel=1e-9)


def test_few_rows_and_missing_values_bear_no_products() -> None:
    frame = _two_effects(0, rows=300)
    assert _data(frame).test_with_products(0, 1, (2, 3)) is None
    frame.loc[3, "a"] = np.nan
    dataset = engine.prepare(engine.Dataset.from_frame(frame, labels=["x"]), missing="per-test")
    assert not arranged(dataset, engine.DiscoverySettings()).bears_products
