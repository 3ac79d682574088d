"""A likelihood ratio of which one part counts more than the rest, on the scale of chi-squared.

What most variables have to do with each other is more or less of the one with more of the other. A ratio of
all pairs of columns spends as much on every bend as on that. So the pairs of the variables themselves count
in full, and all others half: L₁ + w·(L - L₁). With a and b degrees of freedom, that is a sum of squared
normals of weights 1 and w. Divided by w, it is chi-squared with a + b + 2K degrees of freedom, where K has
the negative binomial law of a/2 failures and probability w (Robbins and Pitman 1949, Application of the
method of mixtures to quadratic forms in normal variates, Annals of Mathematical Statistics 20:552-560).

So that everybody can check p with a table of chi-squared, a test reports the value that is as unlikely with
a + b degrees of freedom.
"""

from __future__ import annotations

import functools
import math

import numpy as np

from engine.compiled.decorators import counting_part, merged_part

# What pairs of columns count that are not those of the variables themselves.
WEIGHT = 0.5
# The scale is tabulated over roots of the sum in such steps, up to a p-value of 1e-88 at least.
_STEP = 0.125
_KNOTS = 161
# Below this probability of a smaller sum, its law is that of chi-squared but for a factor.
_NEXT_TO_NOTHING = 1e-9
_NEGLIGIBLE = 1e-100


@functools.lru_cache(maxsize=8)
def equivalents_of(most_leading: int, most_rest: int, most_alone: int) -> np.ndarray:
    """Return chi-squared values that are as unlikely as weighted sums.

    Parameters
    ----------
    most_leading : int
        Degrees of freedom that the variables themselves have at most.
    most_rest : int
        How many times as many the rest may have.
    most_alone : int
        The same where the variables themselves have one.

    Returns
    -------
    ndarray of float64, shape (most_leading + 1, widest + 1, knots)
        By degrees of freedom of the variables themselves, how many times as many the rest has, and the root
        of the sum.
    """
    widest = max(most_rest, most_alone)
    table = np.zeros((most_leading + 1, widest + 1, _KNOTS))
    for leading in range(1, most_leading + 1):
        for times in range(1, (most_alone if leading == 1 else most_rest) + 1):
            table[leading, times] = _equivalents(leading, leading * times)
    return table


def _equivalents(leading: int, rest: int) -> np.ndarray:
    """Return chi-squared values at all knots, for two numbers of degrees of freedom."""
    from scipy.special import chdtri

    dof = leading + rest
    sums = (np.arange(_KNOTS) * _STEP) ** 2
    # Near 0 the densities of both are powers of the same degree.
    values: np.ndarray = sums * WEIGHT ** (-rest / dof)
    upper = _upper_tail(sums, leading, rest)
    regular = upper < 1.0 - _NEXT_TO_NOTHING
    values[regular] = chdtri(float(dof), upper[regular])
    return values


def _upper_tail(sums: np.ndarray, leading: int, rest: int) -> np.ndarray:
    """Return the probability that a weighted sum is larger."""
    from scipy.special import gammaincc, gammaln

    half, scaled = 0.5 * leading, sums / (2.0 * WEIGHT)
    shape = 0.5 * (leading + rest)
    tail = gammaincc(shape, scaled)
    share, left = WEIGHT**half, 1.0
    with np.errstate(divide="ignore"):
        log_scaled = np.log(scaled)
    total = np.zeros(len(sums))
    step = 0
    while left > _NEGLIGIBLE:
        total += share * tail
        tail = tail + np.exp(shape * log_scaled - scaled - gammaln(shape + 1.0))
        shape += 1.0
        share *= (half + step) / (step + 1.0) * (1.0 - WEIGHT)
        step += 1
        # Later shares fall at least as fast as the ratio of this one to the one before.
        left = share if step < half else share / WEIGHT
    return total


@merged_part
def weight_of_rest(leading_dof: float) -> float:
    """Return what the rest counts; where the variables themselves are determined, it is all there is."""
    weight: float = WEIGHT if leading_dof > 0.0 else 1.0
    return weight


@counting_part
def as_chi_squared(equivalents: np.ndarray, total: float, leading_dof: float, dof: float) -> float:
    """Return the chi-squared value that is as unlikely as a weighted sum.

    Parameters
    ----------
    equivalents : ndarray of float64
        See :func:`equivalents_of`.
    total : float
        The sum, at least 0.
    leading_dof, dof : float
        Degrees of freedom of the variables themselves, and all.
    """
    if leading_dof == 0.0 or leading_dof == dof:
        return total
    values = equivalents[int(leading_dof), int(dof / leading_dof) - 1]
    position = math.sqrt(total) / _STEP
    knot = int(position)
    if knot >= _KNOTS - 1:
        difference = values[_KNOTS - 1] - ((_KNOTS - 1) * _STEP) ** 2
    else:
        # Between two knots it is all but a straight line.
        below, above = values[knot] - (knot * _STEP) ** 2, values[knot + 1] - ((knot + 1) * _STEP) ** 2
        difference = below + (position - knot) * (above - below)
    chi_squared: float = total + difference
    return chi_squared
