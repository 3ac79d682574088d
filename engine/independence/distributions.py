"""Tail probabilities on the log scale, where they cannot underflow."""

from __future__ import annotations

import functools
import math

import numpy as np

from engine.compiled.decorators import counting_kernel, inlined_part, kernel, merged_part
from engine.independence.chi2_tail import log_tail_and_slopes

_TWO_BY_ROOT_PI = 2.0 / math.sqrt(math.pi)
# With so many degrees of freedom at most a finite sum is quicker than a series that has to converge.
_FEW_DOF = 60.0
# Terms of larger values may be no numbers any more.
_LARGEST_VALUE = 1e6
# Up to here the exponential of a value, and the tail of a normal law, are numbers of double precision.
_LARGE_VALUE = 600.0


@kernel
def log_chi2_sf(statistic: float, dof: float) -> float:
    """Natural logarithm of the upper tail of the chi-squared distribution.

    Right to nine digits, however small: by finite sums for few whole degrees of freedom, and else see
    :mod:`engine.independence.chi2_tail`.

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
    if dof <= _FEW_DOF and dof == math.floor(dof) and value < _LARGEST_VALUE:
        return min(math.log(_scaled_tail(dof, value)) - value, 0.0)
    log_p: float = log_tail_and_slopes(0.5 * dof, value, math.log(value))[0]
    return log_p


@merged_part
def _scaled_tail(dof: float, value: float) -> float:
    """Upper tail of chi-squared with whole degrees of freedom from twice a value on, times its exponential.

    Every two degrees of freedom add a term of the exponential series, of whole powers of the value or of
    halves (Abramowitz and Stegun 1964, Handbook of Mathematical Functions, 26.4.4 and 26.4.5).
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
    """Natural logarithms of upper tails of chi-squared distributions.

    Parameters
    ----------
    statistic : ndarray of float64, shape (tests,)
        Values of the statistic, at least 0.
    dof : ndarray of float64, shape (tests,)
        Degrees of freedom; 0 gives probability 1.

    Returns
    -------
    ndarray of float64, shape (tests,)
        log p, at most 0, each as of :func:`log_chi2_sf`.

    Examples
    --------
    >>> log_chi2_sf_values(np.array([3.841, 5000.0]), np.array([1.0, 1.0])).round(3).tolist()
    [-2.995, -2504.485]
    """
    log_p = np.empty(len(statistic))
    statistic, dof = (np.ascontiguousarray(each, dtype=np.float64) for each in (statistic, dof))
    _fill_log_chi2_sf(statistic, dof, log_p)
    return log_p


@counting_kernel
def _fill_log_chi2_sf(statistic: np.ndarray, dof: np.ndarray, log_p: np.ndarray) -> None:
    for place in range(statistic.shape[0]):
        log_p[place] = log_chi2_sf(statistic[place], dof[place])


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
