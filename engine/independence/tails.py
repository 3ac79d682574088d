"""How far columns of numbers are from what a test of correlations bears, and normal scores, which bear less.

The correlation of two independent columns has, over all shuffles, the variance 1 / (rows - 1) whatever the
columns are, but its excess kurtosis is about the product of theirs over the rows (Pitman 1937, Significance
tests which may be applied to samples from any populations II, Supplement to the JRSS 4:225-232). Where that
is large, a few rows decide, and far tails, which a correction for many tests reads, are wrong. Its skewness
is about the product of theirs over the root of the rows: where both lean to a side, one tail is longer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.errors import InvalidData
from engine.translation import _
from engine.wording.notes import listed

# Above it 300 independent columns of 500 rows had more than one false finding for 20 labels: gamma columns of
# shape 0.5 have 5.6 and 2.5 findings, exponential ones 1.1 and 0.7.
MOST_SHARED_KURTOSIS = 2.0
# How much longer the tail of the worst pair may be, as a logarithm, at the least level that a correction for
# so many columns asks for: Edgeworth's first term. With 500 columns of 300 rows and 20 labels, normal scores
# of columns that are 0 in nine rows of ten come to 12, and had 3.2 false findings.
MOST_LENGTHENED = 6.0
_NAMED = 3


def excess_kurtosis(values: np.ndarray, times: np.ndarray | None = None) -> np.ndarray:
    """Return the excess kurtosis of columns (variables, rows), without NaN: large if few rows are far away.

    0 for a normal law and a constant column. `times` says how often each row occurred.

    >>> excess_kurtosis(np.array([[0.0, 1.0, 0.0, 1.0], [0.0, 0.0, 0.0, 9.0]])).round(2).tolist()
    [-2.0, -0.67]
    """
    return _excess_kurtosis(*_centred(values, times), times)


def skewness(values: np.ndarray, times: np.ndarray | None = None) -> np.ndarray:
    """Measure how far columns lean to one side; parameters as of :func:`excess_kurtosis`."""
    return _skewness(*_centred(values, times), times)


# Below this the laws of counts and of normal values do not differ.
_SKEWED = 1e-3


def without_skewness(values: np.ndarray, leaning: np.ndarray) -> np.ndarray:
    """Return normal values that are about as unlikely as skewed ones of mean 0 and variance 1.

    With z the value over its standard deviation and g its skewness, 2((1 + gz) ln(1 + gz) - gz)/g² is what a
    count of that skewness contributes to the likelihood ratio of Poisson laws, in place of z² (McCullagh and
    Nelder 1989, Generalized Linear Models, 2nd ed., section 2.4). The shorter tail is left as it is.

    >>> without_skewness(np.array([4.0, 4.0, -4.0]), np.array([0.0, 1.0, 1.0])).round(2).tolist()
    [4.0, 2.85, -4.0]
    """
    steps = values * leaning
    is_skewed = steps > _SKEWED
    step, skewed = steps[is_skewed], values.copy()
    counts = 2.0 * ((1.0 + step) * np.log1p(step) - step)
    skewed[is_skewed] = np.copysign(np.sqrt(counts) / np.abs(leaning[is_skewed]), values[is_skewed])
    return skewed


def _centred(values: np.ndarray, times: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Return columns less their means, scaled so that no product overflows, and their variances."""
    scaled = bounded(values)
    centred = scaled - _means(scaled, times)[:, np.newaxis]
    return centred, _means(centred * centred, times)


def _skewness(centred: np.ndarray, variance: np.ndarray, times: np.ndarray | None) -> np.ndarray:
    third = np.zeros(len(centred))
    # By products, as powers take many times longer.
    cubes = centred * centred * centred
    np.divide(_means(cubes, times), variance * np.sqrt(variance), out=third, where=variance > 0.0)
    return third


def _excess_kurtosis(centred: np.ndarray, variance: np.ndarray, times: np.ndarray | None) -> np.ndarray:
    fourth = np.full(len(centred), 3.0)
    squares = centred * centred
    np.divide(_means(squares * squares, times), variance * variance, out=fourth, where=variance > 0.0)
    return fourth - 3.0


def _means(values: np.ndarray, times: np.ndarray | None) -> np.ndarray:
    """Return the mean of each column over the rows in which it has a value, as often as they occurred."""
    # Sums over what may have gaps take many times longer.
    complete: np.ndarray = values.mean(axis=1) if times is None else values @ times / times.sum()
    if not np.isnan(complete).any():
        return complete
    if times is None:
        means: np.ndarray = np.nanmean(values, axis=1)
        return means
    weighted: np.ndarray = np.nansum(values * times, axis=1) / (~np.isnan(values) @ times)
    return weighted


_LEAST_EXPONENT = -1000


def bounded(values: np.ndarray) -> np.ndarray:
    """Divide each column by a power of two, so that no product of values overflows and no digit changes."""
    largest = np.fmax.reduce(np.abs(values), axis=1, keepdims=True)
    _, exponents = np.frexp(largest)
    # Of the smallest numbers that there are the power itself would be too large.
    return values * np.ldexp(1.0, -np.maximum(exponents, _LEAST_EXPONENT))


def standardised(values: np.ndarray, times: np.ndarray | None = None) -> np.ndarray:
    """Return a column less its mean, over its deviation: the same whatever its origin and its unit are."""
    centred, variance = _centred(values[np.newaxis], times)
    deviation = float(np.sqrt(variance[0]))
    column: np.ndarray = centred[0] / deviation if deviation > 0.0 else centred[0]
    return column


@dataclass(frozen=True)
class Tails:
    """How far columns are from normal ones."""

    names: tuple[str, ...]
    rows: int
    kurtosis: np.ndarray  # excess kurtosis
    skewness: np.ndarray  # its size
    categories: np.ndarray  # indicators of categories
    labels: np.ndarray  # which columns are labels
    remedy: str  # what to do where they are too far

    def check(self, alpha: float) -> None:
        """Refuse columns whose correlations would not have the law that a test reads p from."""
        from scipy.special import ndtri

        farthest = -float(ndtri(0.5 * alpha / len(self.names)))
        most_skewness = 6.0 * MOST_LENGTHENED * math.sqrt(self.rows) / farthest**3
        for measured, apart, most, name in (
            (self.kurtosis, self.categories, MOST_SHARED_KURTOSIS * self.rows, _("excess kurtosis")),
            (self.skewness, self.categories | self.labels, most_skewness, _("skewness")),
        ):
            worst = [self.names[position] for position in _heaviest(measured, most, apart)]
            if worst:
                raise InvalidData(
                    _(
                        "a few extreme rows, or many rows with one value, would lead to false "
                        "correlations: {measure} up to {most:.0f} in {rows:,} rows.",
                        measure=name,
                        most=measured.max(),
                        rows=self.rows,
                    ),
                    place=_("columns {names}", names=listed(worst, _NAMED)),
                    remedy=self.remedy,
                )


def tails_of(
    names: Sequence[str],
    values: np.ndarray,
    remedy: str,
    *,
    times: np.ndarray | None = None,
    are_categories: Sequence[bool] | None = None,
    are_labels: Sequence[bool] | None = None,
) -> Tails:
    """Measure the tails of columns (variables, rows), NaN where missing, each row as often as it occurred.

    Two indicators are not tested with each other; two labels may share skewness, as no label is found.
    """
    none = np.zeros(len(values), dtype=np.bool_)
    centred, variance = _centred(values, times)
    return Tails(
        tuple(names),
        values.shape[1] if times is None else int(times.sum()),
        _excess_kurtosis(centred, variance, times),
        np.abs(_skewness(centred, variance, times)),
        none if are_categories is None else np.array(are_categories),
        none if are_labels is None else np.array(are_labels),
        remedy,
    )


def _heaviest(measured: np.ndarray, most: float, apart: np.ndarray) -> list[int]:
    """Find columns too heavy beside the next, the heaviest first, without comparing those set `apart`."""
    order = np.argsort(-measured, kind="stable")
    numbers, others = order[~apart[order]], order[apart[order]]
    heaviest: list[int] = []
    last: list[int] = []
    for position, number in enumerate(numbers):
        beside = [*numbers[position + 1 : position + 2], *others[:1]]
        unborne = [
            partner
            for partner in beside
            if measured[partner] > 0 and measured[number] * measured[partner] > most
        ]
        if not unborne:
            break
        heaviest.append(int(number))
        # The one it was compared with is as heavy as those before it bear.
        last = [int(unborne[0])]
    return heaviest + last


def normal_scores(values: np.ndarray, times: np.ndarray | None = None) -> np.ndarray:
    """Replace values but NaN by what a normal law has at their rank; equal values share the mean rank."""
    occurred = np.ones(values.shape[1]) if times is None else times
    scores = np.empty(values.shape)
    for number, column in enumerate(values):
        scores[number] = _scores(column, occurred)
    return scores


def _scores(values: np.ndarray, times: np.ndarray) -> np.ndarray:
    from scipy.special import ndtri

    is_present = ~np.isnan(values)
    which, occurred = np.unique(values[is_present], return_inverse=True)[1], times[is_present]
    of_value = np.bincount(which, occurred)
    # The mean rank of equal values less a half is in the middle of those of smaller ones and their own.
    middles = np.cumsum(of_value) - 0.5 * of_value
    scores = np.full(len(values), np.nan)
    scores[is_present] = ndtri(middles[which] / occurred.sum())
    return scores
