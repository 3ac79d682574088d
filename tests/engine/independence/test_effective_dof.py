"""Degrees of freedom that give a tail, and the tails of laws, against scipy and arithmetic of many digits."""

from __future__ import annotations

import math
from itertools import product

import mpmath
import numpy as np
import pytest
from scipy import stats

from engine.independence.chi_squared import log_chi2_sf, log_tail_and_slopes
from engine.independence.discrete.conditional_law import dof_of_tail, law_tail
from tests.kept_kernels import kept_kernel
from tests.with_each import with_each

SMALLEST_DOUBLE_TAIL = -700.0


@kept_kernel
def _slopes(shape, value):  # type: ignore[no-untyped-def]
    return log_tail_and_slopes(shape, value, math.log(value))


@kept_kernel
def _law_tail(statistic, mean, variance):  # type: ignore[no-untyped-def]
    return law_tail(statistic, mean, variance)


@kept_kernel
def _dof_of_tail(statistic, log_p, guess):  # type: ignore[no-untyped-def]
    return dof_of_tail(statistic, log_p, guess)


@with_each("shape", [0.02, 0.5, 1.0, 2.3, 7.99, 8.0, 40.0, 600.0])
@with_each("times", [0.05, 0.9, 1.0, 1.2, 4.0, 60.0])
def test_slopes_of_the_tail_are_derivatives(shape: float, times: float) -> None:
    value = shape * times
    with mpmath.workdps(60):

        def log_tail(shape: mpmath.mpf, value: mpmath.mpf) -> mpmath.mpf:
            return mpmath.log(mpmath.gammainc(shape, value, regularized=True))

        exact = log_tail(mpmath.mpf(shape), mpmath.mpf(value))
        in_shape = mpmath.diff(lambda shape_value: log_tail(shape_value, mpmath.mpf(value)), shape)
        in_value = mpmath.diff(lambda statistic: log_tail(mpmath.mpf(shape), statistic), value)
    slopes = _slopes(shape, value)
    assert (slopes[0], slopes[2]) == pytest.approx((float(exact), float(in_value)), rel=1e-9, abs=1e-15)
    assert slopes[1] == pytest.approx(float(in_shape), rel=0.01 if shape == 1.0 else 1e-7, abs=1e-15)


@with_each("log_p", [-1e-6, -1e-3, -0.2, -1.0, -5.0, -40.0, -600.0, -20_000.0])
@with_each("statistic", [0.01, 0.3, 4.0, 60.0, 900.0, 30_000.0])
@with_each("times", [1e-3, 0.5, 1.0, 30.0])
def test_dof_of_a_tail_give_the_tail_back(statistic: float, log_p: float, times: float) -> None:
    dof, reached = _dof_of_tail(statistic, log_p, statistic * times)
    if log_chi2_sf(statistic, 1e-12) > log_p:
        # A statistic this small is never as unlikely.
        assert dof == pytest.approx(1e-12, rel=1e-6)
        assert reached == pytest.approx(log_chi2_sf(statistic, 1e-12), rel=1e-6)
        return
    assert reached == pytest.approx(log_p, rel=1e-9)
    with mpmath.workdps(60):
        tail = mpmath.log(mpmath.gammainc(dof / 2, statistic / 2, regularized=True))
    assert float(tail) == pytest.approx(log_p, rel=1e-7)


def _multiple_and_moved(statistic: float, mean: float, variance: float) -> float:
    scale = variance / (2 * mean)
    multiple = stats.chi2.logsf(statistic / scale, mean / scale)
    if scale >= 1:
        return float(multiple)
    return float(max(multiple, stats.chi2.logsf(statistic - mean + variance / 2, variance / 2)))


def test_a_tail_is_the_larger_of_two_chi_squared_ones_wherever_it_is_asked_for() -> None:
    compared = 0
    for mean, scale in product(np.geomspace(0.01, 500, 25), [0.02, 0.2, 0.5, 0.8, 0.97, 1.03, 1.3, 3.0]):
        variance = 2 * mean * scale
        for above in (-2, -0.7, -0.1, 0.1, 0.5, 0.95, 1.05, 1.5, 2, 2.5, 3.1, 3.3, 5, 12, 40):
            statistic = mean + above * math.sqrt(variance)
            if statistic <= 0:
                continue
            expected = _multiple_and_moved(statistic, mean, variance)
            if expected > SMALLEST_DOUBLE_TAIL:
                # 1e-12 for p-values whose distance from 1 has few digits.
                actual = _law_tail(statistic, mean, variance)[0]
                assert actual == pytest.approx(expected, rel=1e-8, abs=1e-12), (mean, scale, above)
                compared += 1
    assert compared > 2000


def test_the_search_for_dof_begins_near_those_of_the_tail() -> None:
    for mean, scale, above in product([0.8, 2.2, 9.0], [0.7, 0.95, 1.2], [-0.5, 1.0, 6.0, 25.0]):
        statistic = mean + above * math.sqrt(2 * mean * scale)
        if statistic <= 0:
            continue
        log_p, near = _law_tail(statistic, mean, 2 * mean * scale)
        assert near == pytest.approx(_dof_of_tail(statistic, log_p, mean)[0], rel=0.2)


def test_tails_fall_with_the_statistic_and_are_chi_squared_where_they_should_be() -> None:
    assert _law_tail(9.0, 4.0, 8.0)[0] == pytest.approx(stats.chi2(4).logsf(9.0), rel=1e-9)
    for mean, variance in ((0.2, 1.5), (4.5, 5.3), (180.0, 340.0), (530.0, 310.0)):
        tails = [_law_tail(mean + step, mean, variance)[0] for step in np.linspace(-0.9 * mean, 300, 50)]
        assert (np.diff(tails) <= 0).all()
