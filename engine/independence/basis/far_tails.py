"""How much longer the far tail of a ratio of two numbers is over all permutations of the rows.

Products of the columns of x and y, over all ways to put the rows of y beside those of x, have the variances
of normal columns whatever the columns are. Their third and fourth cumulants differ from those of normal
columns by

    k3[(ij)(kl)(mn)] = x3[ikm] y3[jln] / sqrt(rows),  k4[(ij)(kl)(mn)(op)] = x4[ikmo] y4[jlnp] / rows,

where x3 and x4 are k statistics of the columns of x (Pitman 1937, Significance tests which may be applied to
samples from any populations II, Supplement to the JRSS 4:225-232). With a, b, c over pairs of columns, and
D_a for the difference that two more degrees of freedom of the pair a make, Edgeworth's expansion adds to the
probability of a larger sum of weighted squares

    sum k4[aabb] D_a D_b / 8 + sum k3[aab] k3[bcc] D_a D_b D_c / 8 + sum k3[abc]² D_a D_b D_c / 12

(Chandra and Ghosh 1979, Valid asymptotic expansions for the likelihood ratio statistic and other perturbed
chi-square variables, Sankhya A 41:22-47). The pair of the numbers themselves has the weight 1, all others
have another, so that these sums are needed by how many of a, b, c are that pair. They are products of a few
sums over the columns of x alone and of y alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import product

import numpy as np

from engine.compiled.decorators import counting_kernel, counting_part, merged_part

# Sums over the columns of a number, in this order: x4[1111], x4[11kk], x4[iikk], x3[11k]², x3[11k] x3[iik],
# x3[iik] x3[kmm], x3[111], x3[ii1], x3[1km]², x3[ikm]².
CUMULANTS = 10
# What two pairs, then three, that are the numbers themselves or not, are in the table of terms.
_TERMS = ((2, 0), (1, 1), (0, 2), (3, 0), (2, 1), (1, 2), (0, 3))
TERMS, MOST_STEPS = len(_TERMS), 3
# Fewer rows have no k statistics.
_FEWEST_ROWS = 4.0
# Of a count with skewness g, z standard deviations above its mean, the logarithm of p is larger than that of
# a normal value by z²/2 (y - 1.5 y² + ...), y = gz/3: by z²/2 times y / (1 + 1.5 y), even where y is large.
_BENT = 1.5


def cumulants_of(columns: np.ndarray, rows: float, times: np.ndarray | None = None) -> np.ndarray:
    """Return sums of third and fourth cumulants of the columns of a number.

    Parameters
    ----------
    columns : ndarray of float64, shape (columns, rows)
        Of mean 0 and length 1, at right angles to one another; the first stands for the number itself.
    rows : float
        How many observations there are.
    times : ndarray of float64, shape (rows,), optional
        How often each row occurred; once when left out.

    Returns
    -------
    ndarray of float64, shape (columns, CUMULANTS)
        Of the first column alone, of the first two, and so on.
    """
    count = len(columns)
    sums = np.zeros((count, CUMULANTS))
    if rows >= _FEWEST_ROWS:
        often = np.ones(columns.shape[1]) if times is None else times
        moments = np.zeros((count, count, count)), np.zeros((count, count))
        _fill_cumulants(np.ascontiguousarray(columns), often, float(rows), *moments, sums)
    return sums


@counting_kernel
def _fill_cumulants(
    columns: np.ndarray,
    times: np.ndarray,
    rows: float,
    third: np.ndarray,
    fourth: np.ndarray,
    sums: np.ndarray,
) -> None:
    """Write the sums that are named at :data:`CUMULANTS`.

    Of the third moments those are made whose positions do not fall, and of the fourth those of two columns,
    each taken twice.
    """
    count = columns.shape[0]
    for row in range(columns.shape[1]):
        for i in range(count):
            for k in range(i, count):
                both = times[row] * columns[i, row] * columns[k, row]
                fourth[i, k] += both * columns[i, row] * columns[k, row]
                for m in range(k, count):
                    third[i, k, m] += both * columns[m, row]
    of_third = math.sqrt(rows - 1.0) * rows / (rows - 2.0)
    of_fourth = rows * (rows - 1.0) / ((rows - 2.0) * (rows - 3.0))
    for width in range(1, count + 1):
        line = sums[width - 1]
        for i in range(width):
            itself, each = 0.0, 0.0
            for k in range(width):
                low, high = min(i, k), max(i, k)
                normal = (rows - 1.0) / rows * (3.0 if i == k else 1.0)
                pair = of_fourth * ((rows + 1.0) * fourth[low, high] - normal)
                line[0] += pair if i == 0 and k == 0 else 0.0
                line[1] += pair if i == 0 else 0.0
                line[2] += pair
                own = of_third * _at(third, k, k, i)
                each += own
                itself = own if k == 0 else itself
                for m in range(width):
                    squared = (of_third * _at(third, i, k, m)) ** 2
                    line[8] += squared if i == 0 else 0.0
                    line[9] += squared
            line[3] += itself * itself
            line[4] += itself * each
            line[5] += each * each
            if i == 0:
                line[6], line[7] = itself, each


@merged_part
def _at(third: np.ndarray, i: int, k: int, m: int) -> float:
    """Return a third moment, of which those are given whose positions do not fall."""
    low, high = min(i, k, m), max(i, k, m)
    value: float = third[low, i + k + m - low - high, high]
    return value


def differences_of(tails: Mapping[tuple[int, int], np.ndarray]) -> np.ndarray:
    """Return what the terms of the expansion are multiplied with, as shares of the tail.

    Parameters
    ----------
    tails : mapping of (int, int) to ndarray of float64, shape (knots,)
        Probabilities of a larger sum with so many times two more degrees of freedom of the pair of numbers
        themselves, and of the others: three times at most.

    Returns
    -------
    ndarray of float64, shape (knots, terms)
    """
    differences = []
    for term in _TERMS:
        difference = np.zeros_like(tails[0, 0])
        for own, rest in product(range(term[0] + 1), range(term[1] + 1)):
            ways = math.comb(term[0], own) * math.comb(term[1], rest)
            difference += (-1.0) ** (sum(term) - own - rest) * ways * tails[own, rest]
        differences.append(difference / tails[0, 0])
    return np.array(differences).T


@counting_part
def lengthening(
    differences: np.ndarray, step: float, x: np.ndarray, y: np.ndarray, total: float, rows: float
) -> float:
    """Return by how much the logarithm of a p-value is larger than that of normal columns.

    Parameters
    ----------
    differences : ndarray of float64, shape (knots, terms)
        See :func:`differences_of`.
    step : float
        Between two knots, of the root of the sum.
    x, y : ndarray of float64, shape (CUMULANTS,)
        See :func:`cumulants_of`.
    total : float
        The weighted sum, above 0, on the scale of the likelihood ratio.
    rows : float
    """
    of_itself, of_first, of_all = x[0] * y[0] / rows, x[1] * y[1] / rows, x[2] * y[2] / rows
    first, mixed, each = x[3] * y[3] / rows, x[4] * y[4] / rows, x[5] * y[5] / rows
    own, all_own = x[6] * y[6], x[7] * y[7]
    own_own, own_all, all_all = own * own / rows, own * all_own / rows, all_own * all_own / rows
    one, none = x[8] * y[8] / rows, x[9] * y[9] / rows
    # Squares and products of the sums over a of k3[aab], where b is the pair of the numbers themselves.
    own_mixed, own_rest = 2.0 * (own_all - own_own), all_all - 2.0 * own_all + own_own
    terms = (
        of_itself / 8.0,
        2.0 * (of_first - of_itself) / 8.0,
        (of_all - 2.0 * of_first + of_itself) / 8.0,
        own_own / 8.0 + own_own / 12.0,
        (own_mixed + first - own_own) / 8.0 + 3.0 * (first - own_own) / 12.0,
        (own_rest + 2.0 * (mixed - first) - own_mixed) / 8.0 + 3.0 * (one - 2.0 * first + own_own) / 12.0,
        (each - 2.0 * mixed + first - own_rest) / 8.0 + (none - 3.0 * one + 3.0 * first - own_own) / 12.0,
    )
    # Of one pair the terms are known for few rows, too. Those for many, read at the squared correlation, are
    # too small by a third for 40 rows, and at the likelihood ratio too large: between them they are right.
    scale = 2.0 * (rows - 1.0)
    position = math.sqrt(-scale * math.expm1(-total / scale)) / step
    knot = min(int(position), differences.shape[0] - 2)
    below, above, beyond = differences[knot], differences[knot + 1], position - knot
    share = 0.0
    for number, term in enumerate(terms):
        share += term * (below[number] + beyond * (above[number] - below[number]))
    if share > 0.0:
        return share / (1.0 + 2.0 * _BENT * share / total)
    return -math.log1p(-share)
