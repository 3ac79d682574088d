"""Intervals of rates and means, and of what compares two of them; and what could explain a figure away.

Rates: Wilson (1927), Probable inference, the law of succession, and statistical inference, JASA 22:209-212,
with as many rows as their variance is worth, which is the number of rows where these are alike and
independent (Korn and Graubard 1998, Confidence intervals for proportions with small expected number of
positive counts estimated from survey data, Survey Methodology 24:193-201, do so with the limits of Clopper
and Pearson). Differences of rates: Newcombe (1998), Interval estimation for the difference between
independent proportions: comparison of eleven methods, Statistics in Medicine 17:873-890, method 10, and with
a correlation his paper on paired proportions, same volume, 2635-2650. Ratios and odds ratios: on the scale of
logarithms (Agresti 2013, Categorical Data Analysis, section 3.1), where a rate is 0 or 1 with half a row more
on either side.

The E-value says how strong something hidden must be to explain a figure away:
VanderWeele and Ding (2017), Sensitivity analysis in observational research: introducing the E-value, Annals
of Internal Medicine 167:268-274.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


class Interval(NamedTuple):
    """An estimate and the limits of its interval."""

    estimate: float
    low: float
    high: float


class Uncertain(NamedTuple):
    """Two estimates, (2,), for a comparison: first what is compared, then what it is compared with."""

    estimates: np.ndarray
    covariance: np.ndarray  # shape (2, 2)
    worth: np.ndarray  # rows that each of two rates is worth
    critical: float  # standard errors to either side of an estimate


def critical_value(confidence: float, dof: float) -> float:
    """Return how many standard errors an interval goes to either side, by Student's law."""
    from scipy.special import ndtri, stdtrit

    upper = 0.5 + 0.5 * confidence
    return float(ndtri(upper) if math.isinf(dof) else stdtrit(dof, upper))


def wilson(rate: np.ndarray, worth: np.ndarray, critical: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the limits of rates, each of which is worth some rows, above 0."""
    square = critical**2
    shrinking = 1.0 + square / worth
    centre = (rate + square / (2.0 * worth)) / shrinking
    distance = critical * np.sqrt(rate * (1.0 - rate) / worth + square / (4.0 * worth**2)) / shrinking
    low, high = np.maximum(centre - distance, 0.0), np.minimum(centre + distance, 1.0)
    # Limits of 0 and of 1 themselves, which rounding would miss.
    return np.where(rate <= 0.0, 0.0, low), np.where(rate >= 1.0, 1.0, high)


def rows_worth(rate: np.ndarray, variance: np.ndarray, otherwise: np.ndarray) -> np.ndarray:
    """Return how many independent rows would give rates with these variances.

    `otherwise` holds where a rate is 0 or 1, whose variance says nothing.
    """
    spread = rate * (1.0 - rate)
    tells = (spread > 0.0) & (variance > 0.0)
    return np.where(tells, spread / np.where(tells, variance, 1.0), otherwise)


def rate_difference(pair: Uncertain) -> Interval:
    """Compare two rates by their difference."""
    (first, second), low, high = pair.estimates, *wilson(pair.estimates, pair.worth, pair.critical)
    deviations = np.sqrt(np.maximum(pair.covariance.diagonal(), 0.0))
    product = float(deviations[0] * deviations[1])
    correlation = float(pair.covariance[0, 1]) / product if product > 0.0 else 0.0
    down = _joined(first - low[0], high[1] - second, correlation)
    up = _joined(high[0] - first, second - low[1], correlation)
    difference = float(first - second)
    return Interval(difference, difference - down, difference + up)


def _joined(one: float, other: float, correlation: float) -> float:
    return math.sqrt(max(one * one + other * other - 2.0 * correlation * one * other, 0.0))


def rate_ratio(pair: Uncertain) -> Interval:
    """Compare two rates by their ratio."""
    return _by_logarithms(pair, np.log, lambda rate: 1.0 / rate)


def odds_ratio(pair: Uncertain) -> Interval:
    """Compare two rates by the ratio of their odds."""
    return _by_logarithms(
        pair, lambda rate: np.log(rate / (1.0 - rate)), lambda rate: 1.0 / (rate * (1.0 - rate))
    )


def _by_logarithms(
    pair: Uncertain,
    scale: Callable[[np.ndarray], np.ndarray],
    slope: Callable[[np.ndarray], np.ndarray],
) -> Interval:
    """Compare on a scale of logarithms, whose slope says how variances grow."""
    rates, covariance = pair.estimates, pair.covariance
    bare = (rates <= 0.0) | (rates >= 1.0)
    if bare.any():
        rates = (rates * pair.worth + 0.5) / (pair.worth + 1.0)
        covariance = np.diag(rates * (1.0 - rates) / (pair.worth + 1.0))
    on_scale, slopes = scale(rates), slope(rates)
    spread = slopes @ (covariance * np.array([[1.0, -1.0], [-1.0, 1.0]])) @ slopes
    difference, half = float(on_scale[0] - on_scale[1]), pair.critical * math.sqrt(max(float(spread), 0.0))
    return Interval(*(_exp(each) for each in (difference, difference - half, difference + half)))


def _exp(power: float) -> float:
    return math.exp(power) if power < 700.0 else math.inf


def mean_difference(pair: Uncertain) -> Interval:
    """Compare two means by their difference."""
    spread = pair.covariance[0, 0] + pair.covariance[1, 1] - 2.0 * pair.covariance[0, 1]
    difference = float(pair.estimates[0] - pair.estimates[1])
    half = pair.critical * math.sqrt(max(float(spread), 0.0))
    return Interval(difference, difference - half, difference + half)


# Risk ratio that one standard deviation of a number stands for, as a logarithm (Table 2 of the paper).
_LOG_RATIO_PER_DEVIATION = 0.91


def reaching(
    compare: Callable[[Uncertain], Interval], pair: Uncertain, least: np.ndarray, most: np.ndarray
) -> Interval:
    """Compare two estimates that are known up to a range each: limits go as much further as the ranges do.

    >>> pair = Uncertain(np.array([0.5, 0.4]), 0.001 * np.eye(2), np.array([250.0, 240.0]), 1.96)
    >>> alone = rate_difference(pair)
    >>> wider = reaching(rate_difference, pair, np.array([0.45, 0.4]), np.array([0.7, 0.4]))
    >>> round(alone.low - wider.low, 6), round(wider.high - alone.high, 6)
    (0.05, 0.2)
    """
    found = compare(pair)
    lowest = compare(pair._replace(estimates=np.array([least[0], most[1]]))).estimate
    highest = compare(pair._replace(estimates=np.array([most[0], least[1]]))).estimate
    if compare in (rate_ratio, odds_ratio):
        return Interval(
            found.estimate, found.low * (lowest / found.estimate), found.high * (highest / found.estimate)
        )
    low, high = found.low + (lowest - found.estimate), found.high + (highest - found.estimate)
    if compare is rate_difference:
        low, high = max(low, -1.0), min(high, 1.0)
    return Interval(found.estimate, low, high)


@dataclass(frozen=True, slots=True)
class EValue:
    """The E-value of a figure, and of the limit of its interval that is nearer to no effect.

    Something hidden that goes with the feature and with the label by rate ratios of at least so much each,
    beyond what was adjusted for, could explain the figure away; anything weaker could not.
    """

    estimate: float
    limit: float


def of_rate_ratio(ratio: float, low: float, high: float) -> EValue:
    """Return the E-value of a ratio of rates, and of the limits of its interval."""
    nearer = min(max(1.0, low), high)
    return EValue(_of_ratio(ratio), _of_ratio(nearer))


def of_mean_difference(difference: float, low: float, high: float, deviation: float) -> EValue:
    """Return the E-value of a difference of means, by the rate ratio that it is about as strong as.

    Of hundreds of the label's standard deviations (`deviation`) the ratio is infinite, and so is its E-value.
    """
    # The paper takes 1.78 standard errors for limits that have 1.96 of them: 0.91 times as many.
    return of_rate_ratio(
        *(_exp(_LOG_RATIO_PER_DEVIATION * each / deviation) for each in (difference, low, high))
    )


def _of_ratio(ratio: float) -> float:
    if not ratio > 0.0:
        return math.inf
    above = ratio if ratio >= 1.0 else 1.0 / ratio
    return above + math.sqrt(above * (above - 1.0)) if math.isfinite(above) else math.inf
