"""What is said of the size of a link, for tables, charts and files: plain numbers with intervals, and a sign.

A curve, or rates by levels that have an order, may rise at one place and fall at another. Each rise and fall
from any point to any later one is held against what chance makes of the largest of them all, so that a wave
that chance draws is not taken for a turn.

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
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
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
    """Return how many independent rows would give rates these variances; `otherwise` for rates of 0 or 1."""
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


def _joined(left: float, right: float, correlation: float) -> float:
    return math.sqrt(max(left * left + right * right - 2.0 * correlation * left * right, 0.0))


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
    return Interval(*(_exp(logarithm) for logarithm in (difference, difference - half, difference + half)))


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
    difference = compare(pair)
    lowest = compare(pair._replace(estimates=np.array([least[0], most[1]]))).estimate
    highest = compare(pair._replace(estimates=np.array([most[0], least[1]]))).estimate
    if compare in (rate_ratio, odds_ratio):
        return Interval(
            difference.estimate,
            difference.low * (lowest / difference.estimate),
            difference.high * (highest / difference.estimate),
        )
    low, high = (
        difference.low + (lowest - difference.estimate),
        difference.high + (highest - difference.estimate),
    )
    if compare is rate_difference:
        low, high = max(low, -1.0), min(high, 1.0)
    return Interval(difference.estimate, low, high)


@dataclass(frozen=True, slots=True)
class EValue:
    """The E-value of a figure, and of the limit of its interval that is nearer to no effect.

    Rate ratios of this size with both variables let an unmeasured cause explain the figure away; weaker ones
    do not.
    """

    estimate: float
    limit: float


def of_rate_ratio(ratio: float, low: float, high: float) -> EValue:
    """Return the E-value of a ratio of rates, and of the limits of its interval."""
    nearer = min(max(1.0, low), high)
    return EValue(_of_ratio(ratio), _of_ratio(nearer))


def of_mean_difference(difference: float, low: float, high: float, deviation: float) -> EValue:
    """Return the E-value of a difference of means; infinite beyond hundreds of standard deviations."""
    # The paper takes 1.78 standard errors for limits that have 1.96 of them: 0.91 times as many.
    return of_rate_ratio(
        *(_exp(_LOG_RATIO_PER_DEVIATION * bound / deviation) for bound in (difference, low, high))
    )


def _of_ratio(ratio: float) -> float:
    if not ratio > 0.0:
        return math.inf
    above = ratio if ratio >= 1.0 else 1.0 / ratio
    return above + math.sqrt(above * (above - 1.0)) if math.isfinite(above) else math.inf


class Estimand(StrEnum):
    """Quantity that is estimated. The three quantities differ, and none replaces another.

    The first is the association of label and feature. The second is the same, standardised over the other
    members of the boundary of the label. The third is the expected change in the label if somebody changed
    the feature. It exists for causes only.

    Examples
    --------
    >>> print(Estimand("effect of changing it"))
    effect of changing it
    """

    ASSOCIATION = "association"
    ADJUSTED = "adjusted association"
    EFFECT = "effect of changing it"


class Measure(StrEnum):
    """In what a size is told."""

    RATE_DIFFERENCE = "rate difference"
    RATE_RATIO = "rate ratio"
    ODDS_RATIO = "odds ratio"
    MEAN_DIFFERENCE = "mean difference"
    SLOPE = "slope"

    @property
    def without_link(self) -> float:
        """Value of the measure where there is no link: 1 of ratios, 0 of all others."""
        return 1.0 if self in (Measure.RATE_RATIO, Measure.ODDS_RATIO) else 0.0


class Sign(StrEnum):
    """Direction of association between a feature and a label.

    "levels differ" is the answer for a feature whose levels have no order. "not one way" means that the label
    rises and falls along the feature. "unclear" means that chance alone explains the differences.

    Examples
    --------
    >>> print(Sign.MORE)
    more with more
    """

    MORE = "more with more"
    LESS = "less with more"
    NOT_ONE_WAY = "not one way"
    LEVELS_DIFFER = "levels differ"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Point:
    """Rate (0 to 1) of a label's level, or mean of a number, at one level or value of a feature."""

    at: str | float
    label_level: str | None  # None where the label is a number, whose mean it is
    estimate: float
    low: float
    high: float
    rows: int | None = None  # at this level, each as often as it counts; None on a curve


@dataclass(frozen=True, slots=True)
class Contrast:
    """A label at one level or value of a feature, held against another one."""

    measure: Measure
    at: str | float  # compared with `reference`; of a slope one unit of the feature more
    reference: str | float
    label_level: str | None  # None where the label is a number
    estimate: float  # of a range the estimate nearest to no effect, with the outermost limits
    low: float
    high: float
    least: float  # smallest and largest estimate; equal to `estimate` unless it is a range
    most: float
    # share of the rows beside whose values one of the levels hardly occurs; limits allow for it
    without_alike: float = 0.0


@dataclass(frozen=True, slots=True)
class Size:
    """How large one link is, by one estimand."""

    estimand: Estimand
    feature: str
    label: str
    # by level, or along a curve, one level of the label after the other; empty of a range
    points: tuple[Point, ...]
    is_curve: bool
    # of rates difference, ratio and odds ratio; of means difference and, of a number, slope
    contrasts: tuple[Contrast, ...]
    sign: Sign  # beyond chance; of an effect, if the feature is a cause
    adjusted_for: tuple[str, ...]
    left_out: tuple[str, ...]  # should have been adjusted for, but rows are too few for so many coefficients
    rows: int  # rows that it rests on, and those left out for a missing value, by frequency weight
    rows_lost: int
    confidence: float  # share of such intervals that hold the truth: 0.95
    e_value: EValue | None = None  # of the leading comparison, if the feature is a cause
    # of an effect: each set of parents compatible with the data gives an estimate
    parent_sets: tuple[tuple[str, ...], ...] = ()
    assumes_nothing_hidden: bool = False  # it is an effect only if no hidden variable is a cause of both
    # the feature may be an effect of the label, so that changing it may do nothing; in the range
    may_be_effect: bool = False
    between_share: float = 0.0  # share of the leading comparison's variance that is between imputed tables
    # members of the boundary whose place the feature takes: they tell the same, and are not held
    instead_of: tuple[str, ...] = ()
    # of the two values of a number that are compared, lower first; None of levels
    quantiles: tuple[float, float] | None = None

    @property
    def is_range(self) -> bool:
        """Whether more than one set of parents, or no effect, is possible: a range and no one figure."""
        return len(self.parent_sets) > 1 or self.may_be_effect

    @property
    def event(self) -> str | None:
        """The one of two levels of the label that sign and figures speak of; None of other labels."""
        levels = {comparison.label_level for comparison in self.contrasts}
        return levels.pop() if len(levels) == 1 else None

    @property
    def feature_level(self) -> str | None:
        """The one of two levels of the feature that is held against the other; None of other features."""
        if self.is_curve:
            return None
        compared = {(comparison.at, comparison.reference) for comparison in self.contrasts}
        return str(compared.pop()[0]) if len(compared) == 1 else None

    @property
    def leading(self) -> Contrast | None:
        """The contrast that stands for all: values furthest apart, or largest from the reference level."""
        return leading_contrast(self.contrasts, self.sign)


def contrast(
    measure: Measure,
    at: str | float,
    reference: str | float,
    label_level: str | None,
    figures: tuple[float, float, float],
    without_alike: float = 0.0,
) -> Contrast:
    """Make a comparison that has one estimate."""
    estimate, low, high = figures
    return Contrast(
        measure, at, reference, label_level, estimate, low, high, estimate, estimate, without_alike
    )


@dataclass(frozen=True, slots=True)
class ComparedLevels:
    """Two levels of a feature that differ in the label."""

    at: str
    reference: str
    is_more: bool  # at the first level the label is higher, or its event more likely


@dataclass(frozen=True, slots=True)
class AssociationSign:
    """Which way a label goes with a feature, and of which levels that is said."""

    sign: Sign
    label: str
    feature: str
    event: str | None = None  # the one of two levels of the label; None of numbers and of more levels
    feature_level: str | None = None  # the one of two levels of the feature with which it is; None likewise
    only_adjusted: bool = False  # it shows only when adjusted for the rest of the label's boundary
    adjusted_sign: Sign | None = None  # the direction when adjusted, where that is another one
    compared: ComparedLevels | None = None  # of a feature with several levels; None where they may not differ


_DIFFERENCES = (Measure.RATE_DIFFERENCE, Measure.MEAN_DIFFERENCE)


def leading_contrast(contrasts: Sequence[Contrast], sign: Sign) -> Contrast | None:
    """Return the one contrast that stands for all of a size: see :attr:`Size.leading`."""
    differences = [comparison for comparison in contrasts if comparison.measure in _DIFFERENCES]
    if not differences:
        return None
    if sign is Sign.LEVELS_DIFFER:
        return max(differences, key=lambda comparison: max(abs(comparison.least), abs(comparison.most)))
    return differences[-1]


def e_value_of(contrasts: Sequence[Contrast], sign: Sign, deviation: float) -> EValue | None:
    """Return the E-value of the comparison that stands for all; None where there is none."""
    leading = leading_contrast(contrasts, sign)
    if leading is None:
        return None
    if leading.measure is Measure.MEAN_DIFFERENCE:
        return of_mean_difference(leading.estimate, leading.low, leading.high, deviation)
    same = (leading.at, leading.reference, leading.label_level)
    (ratio,) = (
        comparison
        for comparison in contrasts
        if comparison.measure is Measure.RATE_RATIO
        and (comparison.at, comparison.reference, comparison.label_level) == same
    )
    return of_rate_ratio(ratio.estimate, ratio.low, ratio.high)


_DRAWS = 2000
_SEED = 20090617
# Share of the largest variance below which a direction is none.
_FLAT = 1e-10


def sign_of_order(
    means: np.ndarray,
    covariance: np.ndarray,
    confidence: float,
    dof: float = np.inf,
    alike: np.ndarray | None = None,
) -> Sign:
    """Tell which way means (points,) or (points, 1) go along an order.

    `confidence` is the chance that nothing is said where there is nothing. `alike` is the covariance if the
    label varied as much everywhere: among few rows it may vary little by chance.

    >>> print(sign_of_order(np.array([0.1, 0.3, 0.5]), 0.001 * np.eye(3), 0.95))
    more with more
    >>> print(sign_of_order(np.array([0.1, 0.5, 0.1]), 0.001 * np.eye(3), 0.95))
    not one way
    """
    count = len(means)
    means, covariance = means.reshape(count), covariance.reshape(count, count)
    alike = None if alike is None else alike.reshape(count, count)
    first, later = np.triu_indices(count, k=1)
    changes = means[later] - means[first]
    own = _variances_of_changes(covariance, first, later)
    variances = own if alike is None else np.maximum(own, _variances_of_changes(alike, first, later))
    tells = (own > 0.0) & (variances > 0.0)
    if not tells.any():
        return Sign.UNCLEAR
    # Of more than two means there are two looks, at single changes and at the trend: each errs half as often.
    confidence_of_look = confidence if len(changes) == 1 else 0.5 * (1.0 + confidence)
    ratios = changes[tells] / np.sqrt(variances[tells])
    bound = _largest_by_chance(
        covariance, first[tells], later[tells], np.sqrt(own[tells]), confidence_of_look, dof
    )
    rises, falls = bool(ratios.max() > bound), bool(ratios.min() < -bound)
    if rises and falls:
        return Sign.NOT_ONE_WAY
    if rises or falls:
        return Sign.MORE if rises else Sign.LESS
    return _sign_of_trend(means, covariance, confidence_of_look, dof, alike)


def _variances_of_changes(covariance: np.ndarray, first: np.ndarray, later: np.ndarray) -> np.ndarray:
    variances = covariance.diagonal()
    variances_of_changes: np.ndarray = np.maximum(
        variances[first] + variances[later] - 2.0 * covariance[first, later], 0.0
    )
    return variances_of_changes


def _largest_by_chance(
    covariance: np.ndarray,
    first: np.ndarray,
    later: np.ndarray,
    spread: np.ndarray,
    confidence: float,
    dof: float,
) -> float:
    """Return the size that the largest of all changes reaches by chance only so rarely."""
    values, vectors = np.linalg.eigh(covariance)
    positive = values > _FLAT * max(float(values[-1]), 0.0)
    within = vectors[:, positive] * np.sqrt(values[positive])
    normal, scale = _drawn(int(positive.sum()), dof)
    drawn = within @ normal
    largest = np.abs((drawn[later] - drawn[first]) / spread[:, np.newaxis]).max(axis=0) / scale
    # No less than a single change, which needs no draws.
    return max(float(np.quantile(largest, confidence)), critical_value(confidence, dof))


@lru_cache(maxsize=16)
def _drawn(dimensions: int, dof: float) -> tuple[np.ndarray, np.ndarray | float]:
    """Draw standard normal numbers (dimensions, draws), and roots of chi-squared over `dof` for each draw."""
    generator = np.random.default_rng(_SEED)
    normal = generator.standard_normal((dimensions, _DRAWS))
    return normal, np.sqrt(generator.chisquare(dof, _DRAWS) / dof) if np.isfinite(dof) else 1.0


def _sign_of_trend(
    means: np.ndarray, covariance: np.ndarray, confidence: float, dof: float, alike: np.ndarray | None
) -> Sign:
    """Tell whether means rise or fall on the whole, where no single change stands out."""
    positions = np.arange(len(means)) - 0.5 * (len(means) - 1)
    covariances = [covariance] if alike is None else [covariance, alike]
    trend, variance = (
        float(positions @ means),
        max(float(positions @ matrix @ positions) for matrix in covariances),
    )
    if variance <= 0.0 or abs(trend) <= critical_value(confidence, dof) * np.sqrt(variance):
        return Sign.UNCLEAR
    return Sign.MORE if trend > 0.0 else Sign.LESS


def levels_differ(
    means: np.ndarray,
    covariance: np.ndarray,
    confidence: float,
    dof: float = np.inf,
    alike: np.ndarray | None = None,
) -> bool:
    """Tell whether means (levels, outcomes) at unordered levels differ beyond chance, and so by `alike`.

    Wald's statistic; with a covariance from few rows Hotelling's T² (1931, Annals of Mathematical Statistics
    2:360-378).
    """
    from scipy.special import chdtri, fdtri

    count, outcomes = means.shape
    if count < 2:
        return False
    contrast = np.kron(np.hstack((-np.ones((count - 1, 1)), np.eye(count - 1))), np.eye(outcomes))
    changes = contrast @ means.ravel()
    for place, matrix in enumerate((covariance, alike)):
        if matrix is None:
            continue
        values, vectors = np.linalg.eigh(contrast @ matrix.reshape(count * outcomes, -1) @ contrast.T)
        positive = values > _FLAT * max(float(values[-1]), np.finfo(float).tiny)
        dimensions = int(positive.sum())
        if not dimensions:
            return False
        statistic = float((np.square(vectors.T @ changes)[positive] / values[positive]).sum())
        if np.isinf(dof):
            bound = float(chdtri(dimensions, 1.0 - confidence))
        else:
            # What is the same for all levels is estimated as one number, and no matrix of them.
            left = dof if place else dof - dimensions + 1.0
            if left <= 0.0:
                return False
            bound = float(fdtri(dimensions, left, confidence)) * dimensions * dof / left
        if statistic <= bound:
            return False
    return True
