"""The upper tail of the chi-squared distribution on the log scale, and how steep it is.

Half the degrees of freedom are the shape of a gamma distribution, and half the statistic is its value: the
tail is the regularised upper incomplete gamma function, by its series below the mean and by its continued
fraction above (Press et al. 2007, Numerical Recipes, 3rd ed., section 6.2). The slope in the shape comes
with it, term by term.
"""

from __future__ import annotations

import math
from typing import Any

from engine.compiled.decorators import counting_part, merged_part

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
    """Logarithm of the regularised upper incomplete gamma function, and its derivatives.

    Parameters
    ----------
    shape, value : float
        Half the degrees of freedom and half the statistic, both above 0.
    log_value : float
        Natural logarithm of the value, which many calls may share.

    Returns
    -------
    log_tail : float
        At most 0; right to ten digits.
    slope_in_shape, slope_in_value : float
        Its derivatives; the first is above 0 and the second below. At whole numbers, where the fraction ends
        early, the first is right to a hundredth.
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
    """Continued fraction of the upper incomplete gamma function, and the derivative of its logarithm.

    By the recurrence of its numerators and denominators, which needs no division but for the comparison.
    """
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
