"""How much longer the far tail of a ratio is over all permutations of the rows, where numbers are tested.

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
chi-square variables, Sankhya A 41:22-47). Pairs of columns that stand for the variables themselves have the
weight 1, all others have another, so that these sums are needed by how many of a, b, c are such pairs. They
are products of a few sums over the columns of x alone and of y alone. The first column of a number stands for
it, and all columns of a category do.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import product

import numpy as np

from engine.compiled.decorators import counting_kernel, counting_part, merged_part

# Sums over the columns of a variable, in this order, where s and t are columns that stand for the variable
# itself, and i, k and m any: x4[sstt], x4[sskk], x4[iikk]; x3[ssk] x3[ttk], x3[ssk] x3[iik], x3[iik] x3[mmk],
# and the same three with k among those that stand for it; x3[...]² with three, two, one and none of them.
CUMULANTS = 13
# Columns of a category at most: with more rows, which these want, its tails are less long.
MOST_COLUMNS = 12
# What two pairs, then three, that stand for the variables themselves or not, are in the table of terms.
_TERMS = ((2, 0), (1, 1), (0, 2), (3, 0), (2, 1), (1, 2), (0, 3))
TERMS, MOST_STEPS = len(_TERMS), 3
# Fewer rows have no k statistics.
_FEWEST_ROWS = 4.0
# Of a count with skewness g, z standard deviations above its mean, the logarithm of p is larger than that of
# a normal value by z²/2 (y - 1.5 y² + ...), y = gz/3: by z²/2 times y / (1 + 1.5 y), even where y is large.
_BENT = 1.5


def cumulants_of(
    columns: np.ndarray, rows: float, times: np.ndarray | None = None, leading: int = 1
) -> np.ndarray:
    """Return sums of third and fourth cumulants of the first orthonormal column, the first two and so on."""
    count = len(columns)
    sums = np.zeros((count, CUMULANTS))
    if rows >= _FEWEST_ROWS:
        often = np.ones(columns.shape[1]) if times is None else times
        moments = np.zeros((count, count, count)), np.zeros((count, count))
        _fill_cumulants(np.ascontiguousarray(columns), often, float(rows), leading, *moments, sums)
    return sums


@counting_kernel
def _fill_cumulants(
    columns: np.ndarray,
    times: np.ndarray,
    rows: float,
    leading: int,
    third: np.ndarray,
    fourth: np.ndarray,
    sums: np.ndarray,
) -> None:
    """Write the sums that are named at :data:`CUMULANTS`."""
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
            itself, third_sum = 0.0, 0.0
            for k in range(width):
                low, high = min(i, k), max(i, k)
                normal = (rows - 1.0) / rows * (3.0 if i == k else 1.0)
                pair = of_fourth * ((rows + 1.0) * fourth[low, high] - normal)
                line[0] += pair if high < leading else 0.0
                line[1] += pair if i < leading else 0.0
                line[2] += pair
                own = of_third * _at(third, k, k, i)
                third_sum += own
                itself += own if k < leading else 0.0
                for m in range(width):
                    squared = (of_third * _at(third, i, k, m)) ** 2
                    line[9] += squared if max(high, m) < leading else 0.0
                    line[10] += squared if high < leading else 0.0
                    line[11] += squared if i < leading else 0.0
                    line[12] += squared
            line[3] += itself * itself
            line[4] += itself * third_sum
            line[5] += third_sum * third_sum
            if i < leading:
                line[6] += itself * itself
                line[7] += itself * third_sum
                line[8] += third_sum * third_sum


@merged_part
def _at(third: np.ndarray, i: int, k: int, m: int) -> float:
    """Return a third moment, of which those are given whose positions do not fall."""
    low, high = min(i, k, m), max(i, k, m)
    value: float = third[low, i + k + m - low - high, high]
    return value


def differences_of(tails: Mapping[tuple[int, int], np.ndarray]) -> np.ndarray:
    """Return the factors of the expansion's terms, as shares of the tail: (knots, terms)."""
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
    """Return by how much the log p-value is larger than that of normal columns.

    `differences` as of :func:`differences_of`, `step` between knots of the root, x and y as of
    :func:`cumulants_of`; `total` is the weighted sum.
    """
    of_itself, of_first, of_all = x[0] * y[0] / rows, x[1] * y[1] / rows, x[2] * y[2] / rows
    first, mixed, third_sum = x[3] * y[3] / rows, x[4] * y[4] / rows, x[5] * y[5] / rows
    own_own, own_all, all_all = x[6] * y[6] / rows, x[7] * y[7] / rows, x[8] * y[8] / rows
    three, two = x[9] * y[9] / rows, x[10] * y[10] / rows
    one, none = x[11] * y[11] / rows, x[12] * y[12] / rows
    # Squares and products of the sums over a of k3[aab], where b stands for the variables themselves.
    own_mixed, own_rest = 2.0 * (own_all - own_own), all_all - 2.0 * own_all + own_own
    terms = (
        of_itself / 8.0,
        2.0 * (of_first - of_itself) / 8.0,
        (of_all - 2.0 * of_first + of_itself) / 8.0,
        own_own / 8.0 + three / 12.0,
        (own_mixed + first - own_own) / 8.0 + 3.0 * (two - three) / 12.0,
        (own_rest + 2.0 * (mixed - first) - own_mixed) / 8.0 + 3.0 * (one - 2.0 * two + three) / 12.0,
        (third_sum - 2.0 * mixed + first - own_rest) / 8.0 + (none - 3.0 * one + 3.0 * two - three) / 12.0,
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
