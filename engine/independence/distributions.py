"""Tail probabilities on the log scale, where they cannot underflow."""

from __future__ import annotations

import functools
import math

import numpy as np

from engine.independence.chi2_tail import log_tail_and_slopes
from engine.independence.compiled import inlined_part, kernel

_SMALLEST = 1e-300
_MAX_TERMS = 100_000
_CONVERGED_ARRAY = 1e-15
_SMALLEST_TAIL = 1e-280


@kernel
def log_chi2_sf(statistic: float, dof: float) -> float:
    """Natural logarithm of the upper tail of the chi-squared distribution.

    Right to nine digits, however small: see :mod:`engine.independence.chi2_tail`.

    Parameters
    ----------
    statistic : float
        Value of the statistic, at least 0.
    dof : float
        Degrees of freedom; 0 gives probability 1.

    Returns
    -------
    float
        log p, at most 0.
    """
    if dof <= 0.0 or statistic <= 0.0:
        return 0.0
    value = 0.5 * statistic
    log_p: float = log_tail_and_slopes(0.5 * dof, value, math.log(value))[0]
    return log_p


def log_chi2_sf_values(statistic: np.ndarray, dof: np.ndarray) -> np.ndarray:
    """Natural logarithms of upper tails of chi-squared distributions.

    By scipy where the tail is a number of double precision, and for more than two degrees of freedom by the
    continued fraction of the upper incomplete gamma function (Press et al. 2007, section 6.2) where it is too
    small for one.

    Parameters
    ----------
    statistic : ndarray of float64, shape (tests,)
        Values of the statistic, at least 0.
    dof : ndarray of float64, shape (tests,)
        Degrees of freedom; 0 gives probability 1.

    Returns
    -------
    ndarray of float64, shape (tests,)
        log p, at most 0.

    Examples
    --------
    >>> log_chi2_sf_values(np.array([3.841, 5000.0]), np.array([1.0, 1.0])).round(3).tolist()
    [-2.995, -2504.485]
    """
    from scipy.special import log_ndtr

    log_p = np.zeros(len(statistic))
    # The square of a standard normal variable, and an exponential one: the commonest, and the quickest.
    one, two = dof == 1.0, dof == 2.0
    log_p[one] = np.minimum(log_ndtr(-np.sqrt(statistic[one])) + math.log(2.0), 0.0)
    log_p[two] = -statistic[two] / 2.0
    more = (dof > 0.0) & ~one & ~two
    if more.any():
        log_p[more] = _log_upper_gamma(dof[more] / 2.0, statistic[more] / 2.0)
    return log_p


def _log_upper_gamma(shape: np.ndarray, value: np.ndarray) -> np.ndarray:
    """Logarithms of the regularised upper incomplete gamma function."""
    from scipy.special import gammainc, gammaincc

    upper = gammaincc(shape, value)
    with np.errstate(divide="ignore"):
        log_p = np.log(upper)
    likely = upper > 0.5
    log_p[likely] = np.log1p(-gammainc(shape[likely], value[likely]))
    tiny = upper < _SMALLEST_TAIL
    if tiny.any():
        log_p[tiny] = _log_tiny_tail(shape[tiny], value[tiny])
    return log_p  # type: ignore[no-any-return]


def _log_tiny_tail(shape: np.ndarray, value: np.ndarray) -> np.ndarray:
    """Logarithms of tails far above the mean, by Lentz's method on all of them at once."""
    from scipy.special import gammaln

    b = value + 1.0 - shape
    c = np.full(value.shape, 1.0 / _SMALLEST)
    d = 1.0 / b
    fraction = d.copy()
    for step in range(1, _MAX_TERMS):
        a = -step * (step - shape)
        b = b + 2.0
        d = 1.0 / (a * d + b)
        c = b + a / c
        factor = d * c
        fraction *= factor
        if (np.abs(factor - 1.0) < _CONVERGED_ARRAY).all():
            break
    logarithm: np.ndarray = shape * np.log(value) - value - gammaln(shape) + np.log(fraction)
    return logarithm


def chi2_critical_values(alpha: float, largest_dof: int) -> np.ndarray:
    """Smallest significant chi-squared value for each number of degrees of freedom.

    Parameters
    ----------
    alpha : float
        Level, between 0 and 1.
    largest_dof : int
        Length of the table less one.

    Returns
    -------
    ndarray of float64, shape (largest_dof + 1,)
        Entry 0 is infinite: without degrees of freedom nothing is significant.
    """
    return _critical_values(alpha, largest_dof).copy()


@functools.lru_cache(maxsize=8)
def _critical_values(alpha: float, largest_dof: int) -> np.ndarray:
    """Kept because thousands of them take longer than a test, and a program may make many single tests."""
    from scipy.special import chdtri

    critical = np.empty(largest_dof + 1)
    critical[0] = np.inf
    critical[1:] = chdtri(np.arange(1, largest_dof + 1, dtype=np.float64), alpha)
    return critical


def normal_quantile(alpha: float) -> float:
    """Give the standard normal value that is exceeded with probability `alpha`."""
    from scipy.special import ndtri

    return float(-ndtri(alpha))


@inlined_part
def chi2_critical_value(dof: float, quantile: float) -> float:
    """Smallest significant chi-squared value for many degrees of freedom.

    Wilson and Hilferty (1931), The distribution of chi-square, PNAS 17:684-688: above ten thousand
    degrees of freedom right to seven digits.

    Parameters
    ----------
    dof : float
        Degrees of freedom.
    quantile : float
        Standard normal value of the level, see :func:`normal_quantile`.
    """
    spread = 2.0 / (9.0 * dof)
    return dof * (1.0 - spread + quantile * math.sqrt(spread)) ** 3
