"""Fisher's z against residuals of least squares."""

from __future__ import annotations

import numpy as np
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from engine.errors import InvalidData
from engine.independence.arranging import ci_test
from engine.table.dataset import Dataset
from tests.examples import examples


def _dataset(values: np.ndarray) -> Dataset:
    return Dataset.from_frame(
        pandas.DataFrame(values, columns=[f"x{place}" for place in range(values.shape[1])])
    )


def _partial_correlation(values: np.ndarray) -> float:
    """Correlation of what least squares leaves of the first two columns after the others."""
    design = np.column_stack([np.ones(len(values)), values[:, 2:]])
    residuals = values[:, :2] - design @ np.linalg.lstsq(design, values[:, :2], rcond=None)[0]
    return float(np.corrcoef(residuals.T)[0, 1])


@examples(40)
@given(seed=st.integers(0, 10_000), rows=st.integers(20, 200), given_size=st.integers(0, 5))
def test_z_and_p_are_those_of_residual_correlation(seed: int, rows: int, given_size: int) -> None:
    generator = np.random.default_rng(seed)
    values = generator.normal(size=(rows, 2 + given_size)) @ generator.normal(
        size=(2 + given_size, 2 + given_size)
    )
    outcome = ci_test(
        "fisher-z", _dataset(values), "x0", "x1", [f"x{place}" for place in range(2, 2 + given_size)]
    )
    correlation = _partial_correlation(values)
    z = np.arctanh(correlation) * np.sqrt(rows - given_size - 3)
    assert outcome.statistic == pytest.approx(z, rel=1e-6, abs=1e-8)
    assert outcome.log_p == pytest.approx(np.log(2) + stats.norm.logsf(abs(z)), rel=1e-6, abs=1e-8)
    assert outcome.effect == pytest.approx(abs(correlation), rel=1e-6, abs=1e-8)


def test_a_copy_is_dependent_and_explains_its_original_away() -> None:
    generator = np.random.default_rng(1)
    original = generator.normal(size=300)
    values = np.column_stack([original, original + generator.normal(size=300), original])
    dataset = _dataset(values)
    assert ci_test("fisher-z", dataset, "x0", "x2").log_p < -100
    assert np.isfinite(ci_test("fisher-z", dataset, "x0", "x2").statistic)
    assert ci_test("fisher-z", dataset, "x0", "x1", ["x2"]).p_value == 1.0


def test_columns_that_do_not_suit_are_named() -> None:
    frame = pandas.DataFrame({"a": ["u", "v", "w"] * 9, "b": range(27)})
    with pytest.raises(InvalidData, match=r"column 'a'.*3 categories"):
        ci_test("fisher-z", Dataset.from_frame(frame), "a", "b")
    with pytest.raises(InvalidData, match=r"column 'b'.*continuous"):
        ci_test("g2", Dataset.from_frame(frame), "a", "b")
