"""Tails of distributions against arithmetic of arbitrary precision."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from engine.independence.chi_squared import (
    chi2_critical_value,
    chi2_critical_values,
    critical_values,
    log_chi2_sf,
    log_chi2_sf_values,
)


def _exact(statistic: float, dof: float) -> float:
    with mpmath.workdps(60):
        return float(
            mpmath.log(mpmath.gammainc(mpmath.mpf(dof) / 2, mpmath.mpf(statistic) / 2, regularized=True))
        )


@given(st.floats(1e-6, 5000.0), st.integers(1, 400))
def test_log_tail_is_exact_to_nine_digits(statistic: float, dof: int) -> None:
    assert log_chi2_sf(statistic, float(dof)) == pytest.approx(_exact(statistic, dof), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(("statistic", "dof"), [(1e5, 1), (1e6, 10), (5e4, 5e4), (1e5, 2e4), (0.5, 2000)])
def test_log_tail_far_out_and_with_many_degrees_of_freedom(statistic: float, dof: float) -> None:
    assert log_chi2_sf(statistic, float(dof)) == pytest.approx(_exact(statistic, dof), rel=1e-9, abs=1e-12)


@given(st.lists(st.tuples(st.floats(0.0, 5000.0), st.integers(0, 400)), min_size=1))
def test_tails_of_arrays_are_those_of_numbers(pairs: list[tuple[float, int]]) -> None:
    statistic = np.array([value for value, _ in pairs])
    dof = np.array([float(freedom) for _, freedom in pairs])
    expected = [_exact(value, freedom) if freedom and value else 0.0 for value, freedom in pairs]
    np.testing.assert_allclose(log_chi2_sf_values(statistic, dof), expected, rtol=1e-9, atol=1e-12)


@given(dof=st.floats(0.01, 300.0), share=st.floats(0.01, 20.0))
def test_tails_with_a_fraction_of_a_degree_of_freedom(dof: float, share: float) -> None:
    actual = log_chi2_sf_values(np.array([share * dof]), np.array([dof]))
    np.testing.assert_allclose(actual, [_exact(share * dof, dof)], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("alpha", [0.05, 0.01, 1e-4])
def test_critical_value_for_many_degrees_of_freedom(alpha: float) -> None:
    for dof in (16384.0, 1e5, 1e7):
        expected = stats.chi2.isf(alpha, dof)
        # A part of kernels has no way in from Python but its source.
        assert chi2_critical_value.py_func(dof, critical_values(alpha).normal_quantile) == pytest.approx(
            expected, rel=1e-6
        )


def test_nothing_is_significant_without_degrees_of_freedom() -> None:
    assert log_chi2_sf(50.0, 0.0) == 0.0
    assert math.isinf(chi2_critical_values(0.05, 3)[0])


def test_critical_values_have_the_level_as_their_tail() -> None:
    critical = chi2_critical_values(0.01, 300)
    tails = [math.exp(log_chi2_sf(critical[dof], float(dof))) for dof in range(1, 301)]
    np.testing.assert_allclose(tails, 0.01, rtol=1e-9)
