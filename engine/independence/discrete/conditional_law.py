"""The law that G² and X² have in the table at hand: their mean and variance where all margins are kept.

Under independence given a set, the counts of each stratum are those of a shuffled column: every cell is
hypergeometric, and nothing else is unknown. The chi-squared law is the limit for many rows a cell. Where
cells are sparse the mean of G² is not its degrees of freedom: with two rows expected a cell it is a tenth
more, and with a tenth of a row far less. Over many strata such shares add up to wrong decisions (Koehler
1986, Goodness-of-fit tests for log-linear models in sparse contingency tables, JASA 81:483-493).

For X² the mean and variance are closed formulas (Haldane 1940, The mean and variance of chi-squared when used
as a test of homogeneity, Biometrika 31:346-355; Dawson 1954, A simplified expression for the variance of the
chi-squared function on a contingency table, Biometrika 41:280). For G² each cell is written in the orthogonal
polynomials of its hypergeometric law. Under shuffling the polynomials of different degree of any two cells
are uncorrelated, and those of one degree have a correlation that is a product of a factor of the two rows
and one of the two columns (Lancaster 1958, The structure of bivariate distributions, Annals of Mathematical
Statistics 29:719-736); all degrees above two are taken together as the third.

From that law come the degrees of freedom with which chi-squared gives the statistic the same p-value.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.compiled.decorators import counting_part, inlined_part, int64, merged_part, separate_part
from engine.independence.chi_squared import log_tail_and_slopes
from engine.independence.discrete.table import (
    EXACT,
    MOMENT_BITS,
    PEARSON,
    RAREST,
    SPREAD,
    STRATA,
    DiscreteTable,
    DiscreteWorkspace,
)

# Where every cell expects so many rows, a series in one over the rows gives the mean.
_DENSE = 4.0
# From so many rows a cell on, the first order of the series is all of it.
_FULL = 25.0
# With more than two levels it does with fewer rows, given what higher orders add to it: found by exact sums.
_NEARLY_DENSE = 1.0
_HIGHER_ORDERS, _NO_HIGHER_ORDERS = 0.01, 5.0
# Cells that expect so many are expanded around it instead of being added up count by count.
_LARGE_CELL = 12.0
_NEGLIGIBLE = 1e-13
# From so many times what the rarest cell expects on, chi-squared is a third off Fisher's test: found by exact
# sums for tables of 6 to 3000 rows.
_FAR_OUT = 0.4
_AS_LIKELY = 1.0 + 1e-7
# No logarithm of a p-value is 0, which stands for none.
_ALL_BUT_CERTAIN = -1e-12
_LEAST_VARIANCE = 1e-12
_ROUNDING = 1e-9
# Margins make a number of 52 bits, exact as a float: 18 for the rows, of which tables of terms have no more,
# and 17 for the rarer level of each variable.
_ONE_COUNT, _TWO_COUNTS = 17, 34
_MOMENT_SHIFT = np.uint64(64 - MOMENT_BITS)
# Of numpy's type, as the places that it is compared with are.
_NO_STRATUM = int64(-1)


@merged_part
def recall_or_add_up(terms: np.ndarray, moments: np.ndarray, total: int, in_x: int, in_y: int) -> Any:
    """Return mean and variance of :func:`_two_by_two_moments`, remembered by the margins: they come again."""
    # In one order, so that what is remembered is what would be added up.
    fewer, more = min(in_x, in_y), max(in_x, in_y)
    key = np.uint64((total << _TWO_COUNTS) | (more << _ONE_COUNT) | fewer)
    position = (key * SPREAD) >> _MOMENT_SHIFT
    margins = np.float64(key)
    if moments[position, 0] != margins:
        mean, variance = _two_by_two_moments(terms, total, fewer, more)
        moments[position, 0], moments[position, 1], moments[position, 2] = margins, mean, variance
    return moments[position, 1], moments[position, 2]


@merged_part
def _two_by_two_moments(terms: np.ndarray, total: int, in_x: int, in_y: int) -> Any:
    """Mean and variance of G² of two binary variables, added up over all counts that the margins allow."""
    least, most = max(0, in_x + in_y - total), min(in_x, in_y)
    constant = terms[total] - terms[in_x] - terms[total - in_x] - terms[in_y] - terms[total - in_y]
    neither = total - in_x - in_y
    start = np.int64((in_x + 1.0) * (in_y + 1.0) / (total + 2.0))
    weights, mean, square = 0.0, 0.0, 0.0
    weight = 1.0
    # From the most likely count up, then from there down.
    for both in range(start, most + 1):
        value = 2.0 * (
            constant + terms[both] + terms[in_x - both] + terms[in_y - both] + terms[neither + both]
        )
        weights += weight
        mean += weight * value
        square += weight * value * value
        weight *= ((in_x - both) * (in_y - both)) / ((both + 1.0) * (neither + both + 1.0))
        if weight < _NEGLIGIBLE:
            break
    weight = 1.0
    for both in range(start, least, -1):
        weight *= (both * (neither + both)) / ((in_x - both + 1.0) * (in_y - both + 1.0))
        if weight < _NEGLIGIBLE:
            break
        one = both - 1
        value = 2.0 * (constant + terms[one] + terms[in_x - one] + terms[in_y - one] + terms[neither + one])
        weights += weight
        mean += weight * value
        square += weight * value * value
    mean /= weights
    return mean, max(square / weights - mean * mean, 0.0)


@merged_part
def has_exact_law(statistic: float, expected: float) -> bool:
    """Tell whether G² of two binary variables is judged by its exact law: few rows, or an extreme value."""
    return expected < _DENSE or statistic > _FAR_OUT * expected


@counting_part
def two_by_two_log_p(total: int, in_x: int, in_y: int, both: int) -> float:
    """Logarithm of the p-value of Fisher's exact test of two binary variables, below 0.

    Mid-p (Lancaster 1961, Significance tests in discrete distributions, JASA 56:223-234). Relative
    likelihoods do not underflow.
    """
    least, most = max(0, in_x + in_y - total), min(in_x, in_y)
    neither = total - in_x - in_y
    likeliest = min(max(int64((in_x + 1.0) * (in_y + 1.0) / (total + 2.0)), least), most)
    log_likelihood = (
        math.lgamma(in_x + 1.0)
        + math.lgamma(total - in_x + 1.0)
        + math.lgamma(in_y + 1.0)
        + math.lgamma(total - in_y + 1.0)
        - math.lgamma(total + 1.0)
        - math.lgamma(both + 1.0)
        - math.lgamma(in_x - both + 1.0)
        - math.lgamma(in_y - both + 1.0)
        - math.lgamma(neither + both + 1.0)
    )
    tail = 0.5
    # On the side of the table at hand, away from the likeliest.
    likelihood, count = 1.0, both
    is_above = both >= likeliest
    while count < most if is_above else count > least:
        likelihood *= _step(total, in_x, in_y, count, is_above)
        count += 1 if is_above else -1
        tail += likelihood
        if likelihood < _NEGLIGIBLE * tail:
            break
    # On the other side from the first table on that is no likelier.
    likelihood, count = 1.0, both
    while (count > least if is_above else count < most) and not (likelihood <= _AS_LIKELY and count != both):
        likelihood *= _step(total, in_x, in_y, count, not is_above)
        count += -1 if is_above else 1
    if count != both and likelihood <= _AS_LIKELY:
        tail += 0.5 * likelihood if likelihood >= 1.0 / _AS_LIKELY else likelihood
        while count > least if is_above else count < most:
            likelihood *= _step(total, in_x, in_y, count, not is_above)
            count += -1 if is_above else 1
            tail += 0.5 * likelihood if likelihood >= 1.0 / _AS_LIKELY else likelihood
            if likelihood < _NEGLIGIBLE * tail:
                break
    return min(log_likelihood + math.log(tail), _ALL_BUT_CERTAIN)


@merged_part
def _step(total: int, in_x: int, in_y: int, both: int, is_up: bool) -> float:
    """Return how many times as likely a table is with one row more in both, or one fewer."""
    neither = total - in_x - in_y
    if is_up:
        return ((in_x - both) * (in_y - both)) / ((both + 1.0) * (neither + both + 1.0))
    return (both * (neither + both)) / ((in_x - both + 1.0) * (in_y - both + 1.0))


@counting_part
def g_squared_moments(
    data: DiscreteTable,
    workspace: DiscreteWorkspace,
    total: int,
    rows: int,
    columns: int,
    rows_seen: int,
    columns_seen: int,
) -> Any:
    """Mean and variance of G² of the stratum whose margins are in the workspace."""
    rarest_row, inverse_rows, squares_rows = inverse_sums(data, workspace.row_sums, rows, total)
    rarest_column, inverse_columns, squares_columns = inverse_sums(
        data, workspace.column_sums, columns, total
    )
    expected = total / (rarest_row * rarest_column)
    dof = (rows_seen - 1.0) * (columns_seen - 1.0)
    if dof == 1.0 and expected >= _FULL:
        # With two levels seen the sum of one over the shares is one over their product.
        mean = mean_where_full(total, total * total / inverse_rows, total * total / inverse_columns)
        return mean, 2.0 * mean * mean
    if expected >= (_NEARLY_DENSE if dof > 1.0 else _DENSE):
        mean = _mean_by_series(
            total, rows_seen, columns_seen, inverse_rows, inverse_columns, squares_rows, squares_columns
        )
        if dof > 1.0 and expected < _NO_HIGHER_ORDERS:
            mean += _HIGHER_ORDERS * dof * min(1.0, 0.5 * (_NO_HIGHER_ORDERS - expected))
        return mean, 2.0 * mean * mean / dof
    if rows == 2 and columns == 2 and data.entropy_terms.shape[0] > 0:
        mean, variance = recall_or_add_up(
            data.entropy_terms,
            workspace.moments,
            total,
            min(workspace.row_sums[0], workspace.row_sums[1]),
            min(workspace.column_sums[0], workspace.column_sums[1]),
        )
        return mean, variance
    mean, variance = _moments_of_cells(data.entropy_terms, workspace, total, rows, columns)
    return mean, variance


@merged_part
def inverse_sums(data: DiscreteTable, sums: np.ndarray, levels: int, total: int) -> Any:
    """One over the least share of a margin, and the sums of one over the shares and of their squares."""
    largest, inverse, squares = 0.0, 0.0, 0.0
    if data.inverses.shape[0] > 0:
        for level in range(levels):
            share = total * data.inverses[sums[level]]
            inverse += share
            squares += share * share
            largest = max(largest, share)
    else:
        for level in range(levels):
            share = total / sums[level] if sums[level] > 0 else 0.0
            inverse += share
            squares += share * share
            largest = max(largest, share)
    return largest, inverse, squares


@inlined_part
def mean_where_full(total: int, products_x: float, products_y: float) -> float:
    """Mean of G² of two binary variables where every cell expects many rows, to first order.

    Williams 1976, Improved likelihood ratio tests for complete contingency tables, Biometrika 63:33-37.
    """
    squared = float(total) * float(total)
    missing = (squared - products_x) * (squared - products_y)
    return 1.0 + missing / (6.0 * total * products_x * products_y)


@merged_part
def _mean_by_series(
    total: int,
    rows: int,
    columns: int,
    inverse_r: float,
    inverse_c: float,
    squares_r: float,
    squares_c: float,
) -> float:
    """Mean of G² to the second order in one over the rows: the first is Lawley's (1956, Biometrika 43:295).

    Deviances are expanded around expectations; central moments are products of terms of row and column.
    """
    n = float(total)
    first_r, first_c = inverse_r - 3.0 * rows + 2.0, inverse_c - 3.0 * columns + 2.0
    spread_r, spread_c = inverse_r - 2.0 * rows + 1.0, inverse_c - 2.0 * columns + 1.0
    fourth_r, fourth_c = squares_r - inverse_r, squares_c - inverse_c
    fifth_r = squares_r - 4.0 * inverse_r + 5.0 * rows - 2.0
    fifth_c = squares_c - 4.0 * inverse_c + 5.0 * columns - 2.0
    sixth_r = squares_r - 3.0 * inverse_r + 3.0 * rows - 1.0
    sixth_c = squares_c - 3.0 * inverse_c + 3.0 * columns - 1.0
    share = 1.0 / n
    factor = n / (n - 1.0)
    mean = factor * (rows - 1.0) * (columns - 1.0)
    mean -= factor / (n - 2.0) * first_r * first_c / 3.0
    mean += 0.5 * factor * factor * spread_r * spread_c * share
    fourth = (
        fourth_r * fourth_c - 6.0 * (spread_r * fourth_c + fourth_r * spread_c) + 30.0 * spread_r * spread_c
    )
    mean += (fourth / 6.0 - fifth_r * fifth_c + sixth_r * sixth_c) * share * share
    return mean


@counting_part
def _moments_of_cells(
    terms: np.ndarray, workspace: DiscreteWorkspace, total: int, rows: int, columns: int
) -> Any:
    """Mean and variance of G² from the moments of each cell and the correlations of cells."""
    row_sums, column_sums = workspace.row_sums, workspace.column_sums
    across, along = workspace.correlation_factors, workspace.column_parts
    for column in range(columns):
        for degree in range(1, 4):
            across[degree - 1, column] = _correlation_factor(total, column_sums[column], degree)
            along[degree - 1, column] = 0.0
    mean, variance = 0.0, 0.0
    together_1, together_2, together_3 = 0.0, 0.0, 0.0
    for row in range(rows):
        if row_sums[row] == 0:
            continue
        factor_1 = _correlation_factor(total, row_sums[row], 1)
        factor_2 = _correlation_factor(total, row_sums[row], 2)
        factor_3 = _correlation_factor(total, row_sums[row], 3)
        own_1, own_2, own_3 = 1.0 + factor_1 * factor_1, 1.0 - factor_2 * factor_2, 1.0 + factor_3 * factor_3
        row_1, row_2, row_3 = 0.0, 0.0, 0.0
        for column in range(columns):
            if column_sums[column] == 0:
                continue
            cell_mean, part_1, part_2, part_3 = _cell_moments(
                terms, total, row_sums[row], column_sums[column]
            )
            mean += cell_mean
            across_1, across_2, across_3 = across[0, column], across[1, column], across[2, column]
            variance += own_1 * (1.0 + across_1 * across_1) * part_1 * part_1
            variance += own_2 * (1.0 - across_2 * across_2) * part_2 * part_2
            variance += own_3 * (1.0 + across_3 * across_3) * part_3 * part_3
            row_1 += across_1 * part_1
            row_2 += across_2 * part_2
            row_3 += across_3 * part_3
            along[0, column] += factor_1 * part_1
            along[1, column] += factor_2 * part_2
            along[2, column] += factor_3 * part_3
        variance += own_2 * row_2 * row_2 - own_1 * row_1 * row_1 - own_3 * row_3 * row_3
        together_1 += factor_1 * row_1
        together_2 += factor_2 * row_2
        together_3 += factor_3 * row_3
    for column in range(columns):
        across_1, across_2, across_3 = across[0, column], across[1, column], across[2, column]
        variance -= (1.0 + across_1 * across_1) * along[0, column] * along[0, column]
        variance += (1.0 - across_2 * across_2) * along[1, column] * along[1, column]
        variance -= (1.0 + across_3 * across_3) * along[2, column] * along[2, column]
    variance += together_1 * together_1 + together_2 * together_2 + together_3 * together_3
    return mean, max(variance, 0.0)


@merged_part
def _correlation_factor(total: int, margin: int, degree: int) -> float:
    """Return the root of m (m-1) … over (n-m) (n-m-1) …, `degree` factors each."""
    above, below = 1.0, 1.0
    for step in range(degree):
        above *= max(margin - step, 0)
        below *= max(total - margin - step, 0)
    if below == 0.0:
        return 0.0
    return math.sqrt(above / below)


@merged_part
def _cell_moments(terms: np.ndarray, total: int, row_sum: int, column_sum: int) -> Any:
    """Mean of a cell's deviance, and its parts of degree one, two and more, each as a standard deviation."""
    expected = row_sum * (column_sum / total)
    if expected >= _LARGE_CELL:
        return _large_cell_moments(expected, total, row_sum, column_sum)
    log_expected = math.log(expected)
    least, most = max(0, row_sum + column_sum - total), min(row_sum, column_sum)
    rest = total - row_sum - column_sum
    weight, weights = 1.0, 0.0
    second, third, fourth = 0.0, 0.0, 0.0
    mean, square, with_first, with_second = 0.0, 0.0, 0.0, 0.0
    for count in range(least, most + 1):
        difference = count - expected
        term = terms[count] if count < terms.shape[0] else count * math.log(max(count, 1))
        value = 2.0 * (term - count * log_expected - difference)
        squared = difference * difference
        weighted = weight * value
        weights += weight
        second += weight * squared
        third += weight * squared * difference
        fourth += weight * squared * squared
        mean += weighted
        square += weighted * value
        with_first += weighted * difference
        with_second += weighted * squared
        weight *= ((row_sum - count) * (column_sum - count)) / ((count + 1.0) * (rest + count + 1.0))
        if weight < _NEGLIGIBLE * weights:
            break
    second, third, fourth = second / weights, third / weights, fourth / weights
    mean, square = mean / weights, square / weights
    with_first, with_second = with_first / weights, with_second / weights
    if second < _LEAST_VARIANCE:
        return mean, 0.0, 0.0, 0.0
    part_1 = with_first / math.sqrt(second)
    part_2 = 0.0
    norm = fourth - third * third / second - second * second
    if norm > _LEAST_VARIANCE:
        part_2 = (with_second - third / second * with_first - second * mean) / math.sqrt(norm)
    rest_of_variance = square - mean * mean - part_1 * part_1 - part_2 * part_2
    return mean, part_1, part_2, math.sqrt(max(rest_of_variance, 0.0))


@merged_part
def _large_cell_moments(expected: float, total: int, row_sum: int, column_sum: int) -> Any:
    """Return the same where the expectation is so large that few terms of a Taylor series suffice."""
    n, r, c = float(total), float(row_sum), float(column_sum)
    second = expected * (n - r) * (n - c) / (n * (n - 1.0))
    if second < _LEAST_VARIANCE:
        return 0.0, 0.0, 0.0, 0.0
    third = second * (n - 2.0 * r) * (n - 2.0 * c) / (n * (n - 2.0))
    row_part, column_part = r * (n - r), c * (n - c)
    excess = (n - 1.0) * n * n * (n * (n + 1.0) - 6.0 * row_part - 6.0 * column_part)
    excess = (excess + 6.0 * row_part * column_part * (5.0 * n - 6.0)) / (
        row_part * column_part * (n - 2.0) * (n - 3.0)
    )
    fourth = (3.0 + excess) * second * second
    cube = second * second * second
    e = expected
    mean = second / e - third / (3.0 * e**2) + fourth / (6.0 * e**3) - second * third / e**4 + cube / e**5
    part_1 = (third / e - fourth / (3.0 * e**2)) / math.sqrt(second)
    norm = fourth - third * third / second - second * second
    part_2 = 0.0
    if norm > _LEAST_VARIANCE:
        part_2 = (norm / e - 2.0 * second * third / e**2 + 2.0 * cube / e**3) / math.sqrt(norm)
    return mean, part_1, part_2, math.sqrt(6.0 * cube) / (3.0 * e**2)


@merged_part
def pearson_moments(
    data: DiscreteTable,
    workspace: DiscreteWorkspace,
    total: int,
    rows: int,
    columns: int,
    rows_seen: int,
    columns_seen: int,
) -> Any:
    """Mean and variance of X² of the stratum whose margins are in the workspace; note its rarest cell too."""
    rarest_row, inverse_r, _ = inverse_sums(data, workspace.row_sums, rows, total)
    rarest_column, inverse_c, _ = inverse_sums(data, workspace.column_sums, columns, total)
    n = float(total)
    workspace.law[RAREST] = max(workspace.law[RAREST], rarest_row * rarest_column / n)
    mean = (rows_seen - 1.0) * (columns_seen - 1.0) * n / (n - 1.0)
    if total < 4:
        # Two rows are always in the diagonal; of three, a third of the shuffles puts the odd ones together.
        return mean, (0.0 if total == 2 or rows_seen + columns_seen > 4 else 1.125)
    spread_r = (rows_seen - 1.0) * (n - rows_seen) / (n - 1.0)
    spread_c = (columns_seen - 1.0) * (n - columns_seen) / (n - 1.0)
    uneven_r = (inverse_r - rows_seen * rows_seen) / (n - 2.0)
    uneven_c = (inverse_c - columns_seen * columns_seen) / (n - 2.0)
    variance = 2.0 * n / (n - 3.0) * (spread_r - uneven_r) * (spread_c - uneven_c)
    variance += n * n / (n - 1.0) * uneven_r * uneven_c
    return mean, max(variance, 0.0)


@counting_part
def two_by_two_law(
    terms: np.ndarray, workspace: DiscreteWorkspace, cells: np.ndarray, strata: int, observed: float
) -> None:
    """Add the moments of G² of strata of two binary variables; counts for any level 0 are in `cells`."""
    law = workspace.law
    only = _NO_STRATUM
    for start in range(0, 4 * strata, 4):
        total, in_y, in_x = cells[start], cells[start + 1], cells[start + 2]
        if not (0 < in_x < total and 0 < in_y < total):
            continue
        fewest_x, fewest_y = min(in_x, total - in_x), min(in_y, total - in_y)
        if fewest_x * fewest_y >= _FULL * total:
            mean = mean_where_full(total, in_x * (total - in_x), in_y * (total - in_y))
            variance = 2.0 * mean * mean
        elif fewest_x * fewest_y >= _DENSE * total:
            inverse_x, inverse_y = total / in_x, total / in_y
            other_x, other_y = total / (total - in_x), total / (total - in_y)
            mean = _mean_by_series(
                total,
                2,
                2,
                inverse_x + other_x,
                inverse_y + other_y,
                inverse_x * inverse_x + other_x * other_x,
                inverse_y * inverse_y + other_y * other_y,
            )
            variance = 2.0 * mean * mean
        else:
            mean, variance = recall_or_add_up(terms, workspace.moments, total, fewest_x, fewest_y)
        law[0] += mean
        law[1] += variance
        law[STRATA] += 1.0
        only = start
    # Of use only where no other stratum varies, here or in parts of the rows that came before.
    if only != _NO_STRATUM and law[STRATA] == 1.0:
        total, in_y, in_x, both = cells[only], cells[only + 1], cells[only + 2], cells[only + 3]
        fewest_x, fewest_y = min(in_x, total - in_x), min(in_y, total - in_y)
        if has_exact_law(observed, fewest_x * fewest_y / total):
            law[EXACT] = two_by_two_log_p(total, in_x, in_y, both)


# So little, in standard deviations and in shares, moves no decision.
_SAME_MEAN, _SAME_VARIANCE = 0.04, 0.1
# Where a cell expects fewer rows, far tails of X² are longer than those of chi-squared.
_LONG_TAILED = 20.0
_LEAST_SHAPE, _SURELY_LIKELY = 0.5e-12, -1e-6
# In shares of the logarithm of p, and in those of the shape or its root: the next step would be the square.
_SAME_LOG, _LAST_STEP = 1e-8, 1e-4
_STEPS, _NEWTON_STEPS, _SAME_NORMAL_DOF = 100, 12, 1e-9
_FARTHEST, _LEAST_SHARE = 4.0, 0.1
_MANY_DOF = 12.0
# Up to so many standard deviations above the mean the multiple of chi-squared has the larger tail, and from
# so many on the moved one, unless the mean is small: found by comparing both for many means and variances.
_SURELY_MULTIPLE, _SURELY_MOVED, _LEAST_MEAN_MOVED = 1.0, 3.2, 0.5
# What stands for the logarithm of a p-value that nobody asked for: none is above 0.
NOT_COMPUTED = 1.0


@merged_part
def is_chi_squared(law: np.ndarray, statistic_kind: int, statistic: float, dof: float) -> bool:
    """Tell whether a law (see DiscreteWorkspace) hardly differs from chi-squared with `dof`, or has none."""
    if dof <= 0.0:
        return True
    if law[STRATA] == 1.0 and law[EXACT] < 0.0:
        return False
    if statistic_kind == PEARSON and law[RAREST] * _LONG_TAILED > 1.0 and statistic > law[2]:
        return False
    near = abs(law[0] - dof) <= _SAME_MEAN * math.sqrt(2.0 * dof)
    is_same: bool = near and abs(law[1] - 2.0 * dof) <= 2.0 * _SAME_VARIANCE * dof
    return is_same


@separate_part
def effective_dof(law: np.ndarray, statistic_kind: int, statistic: float) -> Any:
    """Return the dof with which chi-squared gives the p-value of the law, and log p or ``NOT_COMPUTED``."""
    if law[STRATA] == 1.0 and law[EXACT] < 0.0:
        log_p = law[EXACT]
        if statistic_kind == PEARSON:
            log_p = max(log_p, law_tail(statistic, law[0], law[1])[0])
        return dof_of_tail(statistic, log_p, law[0])
    if _normal_will_do(law[0], law[1]):
        normal = _normal_of_law(statistic, law[0], law[1])
        if statistic_kind == PEARSON and _normal_will_do(law[3], law[4]):
            normal = min(normal, _normal_of_law(law[2], law[3], law[4]))
        return _dof_of_normal(statistic, normal, law[0]), NOT_COMPUTED
    log_p, near = law_tail(statistic, law[0], law[1])
    if statistic_kind == PEARSON:
        # A rare cell alone can make X² very large; G² grows as such a table's probability falls.
        log_p = max(log_p, law_tail(law[2], law[3], law[4])[0])
    return dof_of_tail(statistic, log_p, near)


@separate_part
def law_tail(statistic: float, mean: float, variance: float) -> Any:
    """Logarithm of the upper tail of a law with a mean and a variance, and a first guess of the dof.

    A multiple of chi-squared; below twice the mean in variance, shifted chi-squared where its tail is larger.
    """
    if variance < _LEAST_VARIANCE:
        return 0.0, mean
    scale = 0.5 * variance / mean
    value = 0.5 * statistic
    if value <= 0.0:
        return 0.0, mean
    above = (statistic - mean) / math.sqrt(variance)
    log_p, near = -np.inf, mean
    if scale >= 1.0 or above < _SURELY_MOVED or mean < _LEAST_MEAN_MOVED:
        log_p, near = _tail_and_dof_at(0.5 * mean / scale, value / scale, value)
    if scale < 1.0 and not 0.0 <= above <= _SURELY_MULTIPLE:
        moved = value - 0.5 * mean + 0.25 * variance
        if moved <= 0.0:
            return 0.0, mean
        log_p_moved, near_moved = _tail_and_dof_at(0.25 * variance, moved, value)
        if log_p_moved > log_p:
            return log_p_moved, near_moved
    return log_p, near


@merged_part
def _tail_and_dof_at(shape: float, value: float, other_value: float) -> Any:
    """Log tail, and nearly the dof that give another value the same, as roots are nearly linear."""
    log_p, slope_in_shape, slope_in_value = log_tail_and_slopes(shape, value, math.log(value))
    root = math.sqrt(shape)
    step = (math.sqrt(other_value) - math.sqrt(value)) * math.sqrt(value) * slope_in_value
    near = root - step / (root * slope_in_shape)
    # Also where slopes are 0 as the tail is 1 to the last digit.
    near = near if near > _LEAST_SHARE * root else root
    return log_p, 2.0 * near * near


@separate_part
def dof_of_tail(statistic: float, log_p: float, guess: float) -> Any:
    """Return the degrees of freedom that give a chi-squared statistic a p-value, and log p with these.

    Newton's method for the logarithm of ``-log p``, nearly linear in them; to seven digits, unless no dof
    gives it.
    """
    if statistic <= 0.0:
        return guess, 0.0
    log_p = min(log_p, _SURELY_LIKELY)
    value = 0.5 * statistic
    log_value = math.log(value)
    shape, low, high = 0.5 * guess, 0.0, np.inf
    for _ in range(_STEPS):
        reached, slope, _ = log_tail_and_slopes(shape, value, log_value)
        if abs(reached - log_p) <= -_SAME_LOG * log_p:
            break
        if reached < log_p:
            low = shape
        else:
            high = shape
        step = -math.log(reached / log_p) * reached / slope
        following = shape + step
        if max(low, _LEAST_SHAPE) < following < high:
            if step * step <= _LAST_STEP * _LAST_STEP * shape * min(shape, 1.0):
                return 2.0 * following, log_p
            shape = following
        elif low == 0.0:
            if shape <= _LEAST_SHAPE:
                # A statistic this small is never as unlikely.
                return 2.0 * shape, reached
            shape = max(shape / _FARTHEST, _LEAST_SHAPE)
        else:
            shape = min(shape * _FARTHEST, 0.5 * (low + high))
    return 2.0 * shape, log_p


@merged_part
def _normal_will_do(mean: float, variance: float) -> bool:
    """Tell whether the laws of :func:`law_tail` have degrees of freedom enough to be made normal."""
    return variance >= _MANY_DOF and mean * mean >= _MANY_DOF * variance


@merged_part
def _normal_of_law(statistic: float, mean: float, variance: float) -> float:
    """Return the normal value that is as unlikely as a statistic is by the laws of :func:`law_tail`."""
    scale = 0.5 * variance / mean
    normal = _normal_of_chi2(statistic / scale, mean / scale)
    if scale < 1.0:
        normal = min(normal, _normal_of_chi2(statistic - mean + 0.5 * variance, 0.5 * variance))
    return normal


@merged_part
def _normal_of_chi2(statistic: float, dof: float) -> float:
    """Wilson and Hilferty (1931), The distribution of chi-square, PNAS 17:684-688."""
    spread = 2.0 / (9.0 * dof)
    root: float = (max(statistic, 0.0) / dof) ** (1.0 / 3.0)
    return (root - 1.0 + spread) / math.sqrt(spread)


@merged_part
def _dof_of_normal(statistic: float, normal: float, guess: float) -> float:
    """Find the degrees of freedom that make a statistic as unlikely as a normal value, by Newton's method."""
    dof = guess
    for _ in range(_NEWTON_STEPS):
        root = (statistic / dof) ** (1.0 / 3.0)
        spread = 2.0 / (9.0 * dof)
        value = (root - 1.0 + spread) / math.sqrt(spread) - normal
        slope = (root / 6.0 - 0.5 - 0.5 * spread) / (dof * math.sqrt(spread))
        step = value / slope
        dof = max(dof - step, 0.5 * dof)
        if abs(step) <= _SAME_NORMAL_DOF * dof:
            break
    return dof
