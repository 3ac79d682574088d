"""Degrees of freedom that make chi-squared of the law that a statistic has in the table at hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.compiled.decorators import merged_part, separate_part
from engine.independence.chi_squared import log_tail_and_slopes
from engine.independence.counting.table import EXACT, PEARSON, RAREST, STRATA

# So little, in standard deviations and in shares, moves no decision.
_SAME_MEAN, _SAME_VARIANCE = 0.04, 0.1
# Where a cell expects fewer rows, far tails of X² are longer than those of chi-squared.
_FULL = 20.0
_LEAST_VARIANCE = 1e-12
_LEAST_SHAPE, _SURELY_LIKELY = 0.5e-12, -1e-6
# In shares of the logarithm of p, and in those of the shape or its root: the next step would be the square.
_SAME_LOG, _LAST_STEP = 1e-8, 1e-4
_STEPS, _NEWTON_STEPS, _SAME_NORMAL_DOF = 100, 12, 1e-9
_FARTHEST, _LEAST_SHARE = 4.0, 0.1
_MANY_DOF = 12.0
# Up to so many standard deviations above the mean the multiple of chi-squared has the larger tail, and from
# so many on the moved one, unless the mean is small: found by comparing both for many means and variances.
_SURELY_MULTIPLE, _SURELY_MOVED, _LEAST_MEAN_MOVED = 1.0, 3.2, 0.5
# What stands for the logarithm of a p-value that nobody asked for: none is above 0.
NOT_COMPUTED = 1.0


@merged_part
def is_chi_squared(law: np.ndarray, statistic_kind: int, statistic: float, dof: float) -> bool:
    """Tell whether a law (see DiscreteWorkspace) hardly differs from chi-squared with `dof`, or has none."""
    if dof <= 0.0:
        return True
    if law[STRATA] == 1.0 and law[EXACT] < 0.0:
        return False
    if statistic_kind == PEARSON and law[RAREST] * _FULL > 1.0 and statistic > law[2]:
        return False
    near = abs(law[0] - dof) <= _SAME_MEAN * math.sqrt(2.0 * dof)
    is_same: bool = near and abs(law[1] - 2.0 * dof) <= 2.0 * _SAME_VARIANCE * dof
    return is_same


@separate_part
def effective_dof(law: np.ndarray, statistic_kind: int, statistic: float) -> Any:
    """Find the degrees of freedom with which chi-squared gives a statistic the p-value of its own law.

    Also log p: ``NOT_COMPUTED`` where the degrees of freedom come without it.
    """
    if law[STRATA] == 1.0 and law[EXACT] < 0.0:
        log_p = law[EXACT]
        if statistic_kind == PEARSON:
            log_p = max(log_p, law_tail(statistic, law[0], law[1])[0])
        return dof_of_tail(statistic, log_p, law[0])
    if _normal_will_do(law[0], law[1]):
        normal = _normal_of_law(statistic, law[0], law[1])
        if statistic_kind == PEARSON and _normal_will_do(law[3], law[4]):
            normal = min(normal, _normal_of_law(law[2], law[3], law[4]))
        return _dof_of_normal(statistic, normal, law[0]), NOT_COMPUTED
    log_p, near = law_tail(statistic, law[0], law[1])
    if statistic_kind == PEARSON:
        # A rare cell alone can make X² very large; G² grows as such a table's probability falls.
        log_p = max(log_p, law_tail(law[2], law[3], law[4])[0])
    return dof_of_tail(statistic, log_p, near)


@separate_part
def law_tail(statistic: float, mean: float, variance: float) -> Any:
    """Logarithm of the upper tail of the law that has a mean and a variance, and about the dof to begin with.

    That is a multiple of chi-squared. Where the variance is less than twice the mean its far tail would fall
    faster than that of G² can, so that chi-squared with that variance, moved to the mean, counts where it is
    larger.
    """
    if variance < _LEAST_VARIANCE:
        return 0.0, mean
    scale = 0.5 * variance / mean
    value = 0.5 * statistic
    if value <= 0.0:
        return 0.0, mean
    above = (statistic - mean) / math.sqrt(variance)
    log_p, near = -np.inf, mean
    if scale >= 1.0 or above < _SURELY_MOVED or mean < _LEAST_MEAN_MOVED:
        log_p, near = _tail_and_dof_at(0.5 * mean / scale, value / scale, value)
    if scale < 1.0 and not 0.0 <= above <= _SURELY_MULTIPLE:
        moved = value - 0.5 * mean + 0.25 * variance
        if moved <= 0.0:
            return 0.0, mean
        log_p_moved, near_moved = _tail_and_dof_at(0.25 * variance, moved, value)
        if log_p_moved > log_p:
            return log_p_moved, near_moved
    return log_p, near


@merged_part
def _tail_and_dof_at(shape: float, value: float, other_value: float) -> Any:
    """Logarithm of a tail, and nearly the degrees of freedom that give another value the same.

    Along the line of equal tails the root of the shape is nearly linear in that of the value.
    """
    log_p, slope_in_shape, slope_in_value = log_tail_and_slopes(shape, value, math.log(value))
    root = math.sqrt(shape)
    step = (math.sqrt(other_value) - math.sqrt(value)) * math.sqrt(value) * slope_in_value
    near = root - step / (root * slope_in_shape)
    # Also where slopes are 0 as the tail is 1 to the last digit.
    near = near if near > _LEAST_SHARE * root else root
    return log_p, 2.0 * near * near


@separate_part
def dof_of_tail(statistic: float, log_p: float, guess: float) -> Any:
    """Find the degrees of freedom that give a chi-squared statistic a p-value, and log p with these.

    By Newton's method for the logarithm of ``-log p``, which is nearly linear in them. log p is the one asked
    for, right to seven digits, unless no degrees of freedom, or only such as are next to 0, give it.
    """
    if statistic <= 0.0:
        return guess, 0.0
    log_p = min(log_p, _SURELY_LIKELY)
    value = 0.5 * statistic
    log_value = math.log(value)
    shape, low, high = 0.5 * guess, 0.0, np.inf
    for _ in range(_STEPS):
        reached, slope, _ = log_tail_and_slopes(shape, value, log_value)
        if abs(reached - log_p) <= -_SAME_LOG * log_p:
            break
        if reached < log_p:
            low = shape
        else:
            high = shape
        step = -math.log(reached / log_p) * reached / slope
        following = shape + step
        if max(low, _LEAST_SHAPE) < following < high:
            if step * step <= _LAST_STEP * _LAST_STEP * shape * min(shape, 1.0):
                return 2.0 * following, log_p
            shape = following
        elif low == 0.0:
            if shape <= _LEAST_SHAPE:
                # A statistic this small is never as unlikely.
                return 2.0 * shape, reached
            shape = max(shape / _FARTHEST, _LEAST_SHAPE)
        else:
            shape = min(shape * _FARTHEST, 0.5 * (low + high))
    return 2.0 * shape, log_p


@merged_part
def _normal_will_do(mean: float, variance: float) -> bool:
    """Tell whether the laws of :func:`law_tail` have degrees of freedom enough to be made normal."""
    return variance >= _MANY_DOF and mean * mean >= _MANY_DOF * variance


@merged_part
def _normal_of_law(statistic: float, mean: float, variance: float) -> float:
    """Return the normal value that is as unlikely as a statistic is by the laws of :func:`law_tail`."""
    scale = 0.5 * variance / mean
    normal = _normal_of_chi2(statistic / scale, mean / scale)
    if scale < 1.0:
        normal = min(normal, _normal_of_chi2(statistic - mean + 0.5 * variance, 0.5 * variance))
    return normal


@merged_part
def _normal_of_chi2(statistic: float, dof: float) -> float:
    """Wilson and Hilferty (1931), The distribution of chi-square, PNAS 17:684-688."""
    spread = 2.0 / (9.0 * dof)
    root: float = (max(statistic, 0.0) / dof) ** (1.0 / 3.0)
    return (root - 1.0 + spread) / math.sqrt(spread)


@merged_part
def _dof_of_normal(statistic: float, normal: float, guess: float) -> float:
    """Find the degrees of freedom that make a statistic as unlikely as a normal value, by Newton's method."""
    dof = guess
    for _ in range(_NEWTON_STEPS):
        root = (statistic / dof) ** (1.0 / 3.0)
        spread = 2.0 / (9.0 * dof)
        value = (root - 1.0 + spread) / math.sqrt(spread) - normal
        slope = (root / 6.0 - 0.5 - 0.5 * spread) / (dof * math.sqrt(spread))
        step = value / slope
        dof = max(dof - step, 0.5 * dof)
        if abs(step) <= _SAME_NORMAL_DOF * dof:
            break
    return dof
