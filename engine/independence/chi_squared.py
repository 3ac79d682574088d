"""The chi-squared distribution and its kin on the log scale, where tails cannot underflow.

Half the degrees of freedom are the shape of a gamma distribution, and half the statistic is its value: the
tail is the regularised upper incomplete gamma function, by its series below the mean and by its continued
fraction above (Press et al. 2007, Numerical Recipes, 3rd ed., section 6.2). The slope in the shape comes
with it, term by term.
"""

from __future__ import annotations

import functools
import math
from typing import Any, NamedTuple

import numpy as np

from engine.compiled.decorators import (
    counting_kernel,
    counting_part,
    inlined_part,
    merged_part,
    shared_kernel,
)

# The difference between two steps, of which the last is far nearer.
_CONVERGED = 1e-11
_MAX_TERMS = 100_000
_LARGE = 1e100
# Just below 1, so that the logarithm of what is left is finite.
_NEARLY_ALL = 1.0 - 1e-16
# From here on six terms of Stirling's series are exact.
_LARGE_SHAPE = 8.0
_HALF_LOG_TWO_PI = 0.9189385332046728


@counting_part
def log_tail_and_slopes(shape: float, value: float, log_value: float) -> Any:
    """Return the log of the regularised upper incomplete gamma function, and its slopes in shape and value.

    Right to ten digits; the slope in the shape, at whole numbers, to a hundredth.
    """
    log_gamma, product, digamma = _log_gamma(shape)
    log_factor = shape * log_value - value - log_gamma
    if value < shape + 1.0:
        total, slope = _series(shape, value)
        factor = math.exp(log_factor) * product
        lower = min(factor * total, _NEARLY_ALL)
        upper = 1.0 - lower
        return (
            math.log1p(-lower),
            -lower * (log_value - digamma + slope) / upper,
            -factor / (value * upper),
        )
    fraction, slope = _continued_fraction(shape, value)
    return (
        log_factor + math.log(product * fraction),
        log_value - digamma + slope,
        -1.0 / (value * fraction),
    )


@merged_part
def _log_gamma(shape: float) -> Any:
    """Logarithm of the gamma function plus that of a product, the product, and the digamma function.

    Stirling's series (Abramowitz and Stegun 1964, Handbook of Mathematical Functions, 6.1.40 and 6.3.18); a
    small shape is first raised by eight, which the product of eight factors makes good.
    """
    product, slope = 1.0, 0.0
    large = shape
    if shape < _LARGE_SHAPE:
        # Factors by pairs: shape and shape + 7, shape + 1 and shape + 6, and so on.
        outer = shape * (shape + 7.0)
        left, right = outer * (outer + 6.0), (outer + 10.0) * (outer + 12.0)
        product = left * right
        slope = ((2.0 * outer + 6.0) * right + left * (2.0 * outer + 22.0)) * (2.0 * shape + 7.0) / product
        large = shape + 8.0
    inverse = 1.0 / large
    square = inverse * inverse
    log_large = math.log(large)
    series = 1 / 1260 + square * (-1 / 1680 + square * (1 / 1188 - square * (691 / 360360)))
    series = inverse * (1 / 12 + square * (-1 / 360 + square * series))
    slope_of_series = 1 / 252 - square * (1 / 240 - square * (1 / 132 - square * (691 / 32760)))
    slope_of_series = 0.5 * inverse + square * (1 / 12 - square * (1 / 120 - square * slope_of_series))
    log_gamma = (large - 0.5) * log_large - large + _HALF_LOG_TWO_PI + series
    return log_gamma, product, log_large - slope_of_series - slope


@merged_part
def _series(shape: float, value: float) -> Any:
    """Series of the lower incomplete gamma function, and the derivative of its logarithm in the shape."""
    inverse = 1.0 / shape
    term, total = inverse, inverse
    harmonic = inverse
    slope = inverse * inverse
    for step in range(1, _MAX_TERMS):
        inverse = 1.0 / (shape + step)
        term *= value * inverse
        harmonic += inverse
        total += term
        slope += term * harmonic
        if term <= total * _CONVERGED:
            break
    return total, -slope / total


@merged_part
def _continued_fraction(shape: float, value: float) -> Any:
    """Continued fraction of the upper incomplete gamma function, and the derivative of its logarithm."""
    partial = value + 1.0 - shape
    before_above, before_below, above, below = 0.0, 1.0 / partial, 1.0 / partial, 1.0
    # Derivatives in the shape, all over the first denominator like the numbers themselves.
    slope_before_above, slope_before_below, slope_above, slope_below = 0.0, 0.0, 0.0, -1.0 / partial
    fraction = above
    scale = 1.0
    for step in range(1, _MAX_TERMS):
        factor = step * (shape - step)
        partial += 2.0
        slope_before_above, slope_above = (
            slope_above,
            partial * slope_above - above + factor * slope_before_above + step * before_above,
        )
        slope_before_below, slope_below = (
            slope_below,
            partial * slope_below - below + factor * slope_before_below + step * before_below,
        )
        before_above, above = above, partial * above + factor * before_above
        before_below, below = below, partial * below + factor * before_below
        scale = 1.0 / below
        previous, fraction = fraction, above * scale
        if abs(fraction - previous) <= _CONVERGED * fraction:
            break
        if below > _LARGE:
            before_above, above = before_above * scale, fraction
            before_below, below = before_below * scale, 1.0
            slope_before_above, slope_above = slope_before_above * scale, slope_above * scale
            slope_before_below, slope_below = slope_before_below * scale, slope_below * scale
            scale = 1.0
    return fraction, slope_above / above - slope_below * scale


_TWO_BY_ROOT_PI = 2.0 / math.sqrt(math.pi)
# With so many degrees of freedom at most a finite sum is quicker than a series that has to converge.
_FEW_DOF = 60.0
# Terms of larger values may be no numbers any more.
_LARGEST_VALUE = 1e6
# Up to here the exponential of a value, and the tail of a normal law, are numbers of double precision.
_LARGE_VALUE = 600.0


@shared_kernel
def log_chi2_sf(statistic: float, dof: float) -> float:
    """Natural logarithm of the upper tail of the chi-squared distribution, right to nine digits."""
    if dof <= 0.0 or statistic <= 0.0:
        return 0.0
    value = 0.5 * statistic
    if dof <= _FEW_DOF and dof == math.floor(dof) and value < _LARGEST_VALUE:
        return min(math.log(_scaled_tail(dof, value)) - value, 0.0)
    log_p: float = log_tail_and_slopes(0.5 * dof, value, math.log(value))[0]
    return log_p


@merged_part
def _scaled_tail(dof: float, value: float) -> float:
    """Upper tail of chi-squared with whole degrees of freedom from twice a value on, times its exponential.

    Abramowitz and Stegun (1964), Handbook of Mathematical Functions, 26.4.4 and 26.4.5.
    """
    total, term, divisor = 0.0, 1.0, 1.0
    if dof % 2.0 == 1.0:
        root = math.sqrt(value)
        total, term, divisor = _scaled_normal_tail(root), _TWO_BY_ROOT_PI * root, 1.5
    for number in range(np.int64(0.5 * dof)):
        total += term
        term *= value / (divisor + number)
    return total


@merged_part
def _scaled_normal_tail(root: float) -> float:
    """Complementary error function, times the exponential of the square."""
    value = root * root
    if value < _LARGE_VALUE:
        return math.exp(value) * math.erfc(root)
    # Its asymptotic series (Abramowitz and Stegun, 7.1.23), right to the last digit from here on.
    share, tail = 0.5 / value, 1.0
    for odd in (11.0, 9.0, 7.0, 5.0, 3.0, 1.0):
        tail = 1.0 - odd * share * tail
    return 0.5 * _TWO_BY_ROOT_PI * tail / root


def log_chi2_sf_values(statistic: np.ndarray, dof: np.ndarray) -> np.ndarray:
    """Natural logarithms of upper tails of chi-squared distributions; 0 degrees of freedom give p = 1."""
    log_p = np.empty(len(statistic))
    statistic, dof = (np.ascontiguousarray(array, dtype=np.float64) for array in (statistic, dof))
    _fill_log_chi2_sf(statistic, dof, log_p)
    return log_p


@counting_kernel
def _fill_log_chi2_sf(statistic: np.ndarray, dof: np.ndarray, log_p: np.ndarray) -> None:
    for position in range(statistic.shape[0]):
        log_p[position] = log_chi2_sf(statistic[position], dof[position])


class CriticalValues(NamedTuple):
    """What statistics are compared with at a significance level."""

    chi_squared: np.ndarray  # (largest_dof + 1,): smallest significant value
    z: float  # smallest significant |z|
    normal_quantile: float  # standard normal value exceeded with the probability α
    log_alpha: float


# Nothing is significant: where statistics alone are of interest.
NO_LEVEL = CriticalValues(np.full(1, np.inf), math.inf, math.inf, -math.inf)

_LARGEST_DOF = 1 << 14


@functools.lru_cache(maxsize=8)
def critical_values(alpha: float) -> CriticalValues:
    """Return critical values at a level; kept, as making thousands takes longer than a test."""
    from scipy.special import ndtri

    chi_squared = chi2_critical_values(alpha, _LARGEST_DOF)
    return CriticalValues(chi_squared, math.sqrt(chi_squared[1]), float(-ndtri(alpha)), math.log(alpha))


@inlined_part
def chi2_critical_value(dof: float, quantile: float) -> float:
    """Smallest significant chi-squared value for many degrees of freedom; above 10,000 right to seven digits.

    Wilson and Hilferty (1931), The distribution of chi-square, PNAS 17:684-688.
    """
    spread = 2.0 / (9.0 * dof)
    return dof * (1.0 - spread + quantile * math.sqrt(spread)) ** 3


@inlined_part
def critical_ratio(critical: CriticalValues, statistic: float, dof: float) -> float:
    """Statistic over its critical value, for a whole number of degrees of freedom."""
    if dof < critical.chi_squared.shape[0]:
        ratio: float = statistic / critical.chi_squared[np.int64(dof)]
        return ratio
    return statistic / chi2_critical_value(dof, critical.normal_quantile)


def chi2_critical_values(alpha: float, largest_dof: int) -> np.ndarray:
    """Return the smallest significant chi-squared value for 0, 1, … degrees of freedom; infinite for 0."""
    from scipy.special import chdtri

    critical = np.empty(largest_dof + 1)
    critical[0] = np.inf
    critical[1:] = chdtri(np.arange(1, largest_dof + 1, dtype=np.float64), alpha)
    return critical


@counting_part
def pooled_likelihood_ratio(mean: float, stacked: float, dof: float, draws: int) -> Any:
    """Pool the likelihood ratios of several tables that were completed by multiple imputation.

    The ratio of all draws taken together says how large the dependence is, and by how much it falls short of
    those of the draws says what these differ by: Chan and Meng (2022), Multiple improvements of multiple
    imputation likelihood ratio tests, Statistica Sinica 32:1489-1514, which needs no parameters, as D3 does
    (Meng and Rubin 1992, Performing likelihood ratio tests with multiply-imputed data sets, Biometrika
    79:103-111), and whose reference law it shares: F, with the degrees of freedom of Li, Raghunathan and
    Rubin (1991), JASA 86:1065-1073. F is put on the scale of chi-squared with `dof` degrees of freedom by the
    transformation to which Bartlett's factor belongs. Also returns the variance between the draws over that
    within, r; r/(1 + r) is the share that is between.
    """
    relative = max(0.0, (draws + 1.0) / (dof * (draws - 1.0)) * (mean - stacked))
    value = max(0.0, stacked) / (1.0 + relative)
    if relative < _NO_DIFFERENCE:
        return value, relative
    between = dof * (draws - 1.0)
    if between > 4.0:
        denominator = 4.0 + (between - 4.0) * (1.0 + (1.0 - 2.0 / between) / relative) ** 2
    else:
        denominator = 0.5 * between * (1.0 + 1.0 / dof) * (1.0 + 1.0 / relative) ** 2
    return (denominator + 0.5 * dof - 1.0) * math.log1p(value / denominator), relative


_NO_DIFFERENCE = 1e-6


@inlined_part
def pooled_outcome(
    critical: CriticalValues, pooled: np.ndarray, mean: float, stacked: float, dof: float, draws: int
) -> Any:
    """Pool the draws: statistic, dof, log p over log α; write the ratio and variance share to `pooled`."""
    if dof <= 0.0:
        return 0.0, 0.0, 0.0
    statistic, relative = pooled_likelihood_ratio(mean, stacked, dof, draws)
    pooled[0], pooled[1] = stacked, relative
    return statistic, dof, log_chi2_sf(statistic, dof) / critical.log_alpha
