"""Wilks' likelihood ratio of two blocks of columns given others, from their products.

With R the correlations of blocks x and y that the blocks of S leave, p and q their columns, the statistic is
-(n - 1 - s - (p + q + 1)/2) ln det(I - Rxx⁻¹ Rxy Ryy⁻¹ Ryx), chi-squared with p·q degrees of freedom, where
s counts the columns of S (Bartlett 1938, Further aspects of the theory of multiple regression, Mathematical
Proceedings of the Cambridge Philosophical Society 34:33-40). With one column each it is -(n - s - 5/2)
ln(1 - r²), with r the partial correlation of Fisher's z.

Where something is held fixed, two numbers are compared in those pairs of columns alone of which one is the
number itself. The square of a sum holds products of its terms, which terms held fixed one by one leave in;
so squares of x and y stay related where both are sums of what is held fixed. What is left of the number
itself is free of that, and a product with it has mean 0 whatever was left in the other one, if only the mean
of the number is what S makes of it (Shah and Peters 2020, The hardness of conditional independence testing
and the generalised covariance measure, Annals of Statistics 48:1514-1538). With x' and y' the numbers
themselves, the statistic is the ratio of x' with y, and that of y' with what x' leaves of x. (Where nothing
is held fixed, all pairs are compared.) Of either, the ratio of x' with y' counts in full and the rest half.

A number "itself" is meant on a scale on which S adds up: its own, or, as of what grows by factors, that of
normal scores. These are taken where S explains clearly more of them, which says nothing of how x and y hang
together given S, and of what looks as if it grew by factors always.

What most variables have to do with each other is more or less of the one with more of the other. A ratio of
all pairs of columns spends as much on every bend as on that. So the pairs of the variables themselves count
in full, and all others half: L₁ + w·(L - L₁). With a and b degrees of freedom, that is a sum of squared
normals of weights 1 and w. Divided by w, it is chi-squared with a + b + 2K degrees of freedom, where K has
the negative binomial law of a/2 failures and probability w (Robbins and Pitman 1949, Application of the
method of mixtures to quadratic forms in normal variates, Annals of Mathematical Statistics 20:552-560).

So that everybody can check p with a table of chi-squared, a test reports the value that is as unlikely with
a + b degrees of freedom. Where nothing is conditioned on, a far tail of a number and another variable is that
over all permutations of the rows: see :mod:`engine.independence.basis.far_tails`.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from engine.compiled.decorators import counting_part, int64, merged_part, separate_part
from engine.independence.basis.far_tails import (
    MOST_COLUMNS,
    MOST_STEPS,
    TERMS,
    differences_of,
    lengthening,
)
from engine.independence.basis.table import (
    START,
    BasisTable,
    BasisWorkspace,
    block_width,
    column_of,
    columns_of_itself,
    has_rest,
    is_written,
    new_basis_workspace,
    place_of_products,
    tested_width,
)
from engine.independence.chi_squared import CriticalValues, critical_ratio, log_chi2_sf
from engine.independence.interface import Hypothesis, register_test, sort_set

# What pairs of columns count that are not those of the variables themselves.
WEIGHT = 0.5
# The scale is tabulated over roots of the sum in such steps, up to a p-value of 1e-88 at least.
_STEP = 0.125
_KNOTS = 161
# What far tails are corrected by is smoother.
_COARSE_STEP, _COARSE_KNOTS = 0.25, 57
# Below this probability of a smaller sum, its law is that of chi-squared but for a factor.
_NEXT_TO_NOTHING = 1e-9
_NEGLIGIBLE = 1e-12


@functools.lru_cache(maxsize=8)
def equivalents_of(most_leading: int, most_rest: int, most_alone: int) -> np.ndarray:
    """Return chi-squared values as unlikely as weighted sums: (most_leading + 1, widest + 1, knots)."""
    widest = max(most_rest, most_alone)
    table = np.zeros((most_leading + 1, widest + 1, _KNOTS))
    for leading in range(1, most_leading + 1):
        for times in range(1, (most_alone if leading == 1 else most_rest) + 1):
            table[leading, times] = _equivalents(leading, leading * times)
    return table


# Tables of other sizes have most of them in common, and to make them takes longer than a search of few rows.
@functools.lru_cache(maxsize=1024)
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


@functools.lru_cache(maxsize=8)
def differences_of_tails(number: int, category: int) -> np.ndarray:
    """Return the far tail corrections: (most leading + 1, most times + 1, knots, terms).

    See :func:`~engine.independence.basis.far_tails.differences_of`.
    """
    widths = range(1, number + 1)
    pairs = {(1, p * q - 1) for p in widths for q in widths}
    pairs |= {(q, p - 1) for p in widths for q in range(1, min(category, MOST_COLUMNS) + 1)}
    most_leading, most_times = (max(numbers, default=0) for numbers in zip(*pairs, (0, 0), strict=True))
    table = np.zeros((most_leading + 1, most_times + 1, _COARSE_KNOTS, TERMS))
    for leading, times in pairs:
        table[leading, times] = _differences(leading, times)
    return table


@functools.lru_cache(maxsize=1024)
def _differences(leading: int, times: int) -> np.ndarray:
    """Return the corrections at all coarse knots, for two numbers of degrees of freedom."""
    sums = (np.arange(_COARSE_KNOTS) * _COARSE_STEP) ** 2
    steps = [(own, rest) for own in range(MOST_STEPS + 1) for rest in range(MOST_STEPS + 1 - own)]
    own, rest = np.array(steps).T[:, :, np.newaxis]
    tails = _upper_tail(sums, leading + 2 * own, leading * times + 2 * rest)
    return differences_of(dict(zip(steps, tails, strict=True)))


def _upper_tail(sums: np.ndarray, leading: int | np.ndarray, rest: int | np.ndarray) -> np.ndarray:
    """Return the probability that a weighted sum is larger."""
    from scipy.special import gammaincc, gammaln

    half, scaled = 0.5 * leading, sums / (2.0 * WEIGHT)
    shape = 0.5 * (leading + rest)
    tail = gammaincc(shape, scaled)
    share, left = WEIGHT**half, 1.0
    with np.errstate(divide="ignore"):
        log_scaled = np.log(scaled)
    total = np.zeros(tail.shape)
    step = 0
    while left > _NEGLIGIBLE * total.min():
        total += share * tail
        tail = tail + np.exp(shape * log_scaled - scaled - gammaln(shape + 1.0))
        shape = shape + 1.0
        share = share * (half + step) / (step + 1.0) * (1.0 - WEIGHT)
        step += 1
        # Later shares fall at least as fast as the ratio of this one to the one before.
        left = float(np.max(np.where(step < half, share, share / WEIGHT)))
    return total


@merged_part
def weight_of_rest(leading_dof: float) -> float:
    """Return what the rest counts; where the variables themselves are determined, it is all there is."""
    weight: float = WEIGHT if leading_dof > 0.0 else 1.0
    return weight


@counting_part
def as_chi_squared(equivalents: np.ndarray, total: float, leading_dof: float, dof: float) -> float:
    """Return the chi-squared value that is as unlikely as a weighted sum, by :func:`equivalents_of`."""
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


# Where the statistic of a p-value is looked for, and how often the distance is halved.
_LARGEST, _HALVINGS = 1e6, 60
# A column of which what is held fixed leaves less than this share is rounding error, not information.
DETERMINED = 1e-10
# Least share of a column that another block leaves, so that the statistic stays finite for exact copies.
SMALLEST_SHARE = 2.0**-52
# Products of shares are taken to logarithms before they are smaller than numbers can be.
_SMALL = 1e-250
# Where more carry both, a sum over them is as good as normal.
MANY_SHARED = 30.0
# Below this the two laws do not differ.
_SKEWED = 1e-3
# Normal scores take the place of a number on its own scale where what a set leaves of them is less than this
# share of what it leaves of that. With 0.95 straight lines with skewed noise, with 0.8 what grows by factors
# came out dependent more often than they should.
CLEARLY_LESS = 0.9
# Length of a column that is not tested.
_LEFT_OUT = 0.0
# So many rows carry both of two rare columns at most, and so many times as much kurtosis has a product of
# counts at most.
_HANDFUL, _AS_COUNTS = 2.0, 2.0
# Tails are corrected of what is so many standard deviations above its mean.
REMARKABLE = 4.0
# Which of two shares is clearly less is a close call where they differ by so little of it.
_CLOSE = 1e-4
# From this share of a number on that polynomials of ranks leave of it, that rest is tested as well.
WORTH_TESTING = 0.05


@counting_part
def likelihood_ratio(
    data: BasisTable, workspace: BasisWorkspace, critical: CriticalValues, size: int, rows: float
) -> Any:
    """Return the outcome of a test whose products are in the workspace; they are overwritten."""
    matrix, offsets, least = workspace.matrix, workspace.offsets, workspace.least
    x, y, last = offsets[size], offsets[size + 1], offsets[size + 2]
    least[0] = 1.0
    leading_x = leading_columns(data, workspace, size)
    leading_y = leading_columns(data, workspace, size + 1)
    excess, leading_excess = 0.0, 0.0
    if size == 0:
        excess, leading_excess = _skewed_excess(data, workspace, rows, leading_x, leading_y)
    held = _eliminate(matrix, START, x, last, least)
    if size > 0:
        put_itself_first(data, workspace, size, size)
        put_itself_first(data, workspace, size, size + 1)
    _copy(matrix, y, last, workspace.second)
    p = _eliminate(matrix, x, x + leading_x, last, least)
    _copy(matrix, y, last, workspace.third)
    q, log_share, leading_q, leading_share = _log_share(
        workspace.third, workspace.second, last - y, leading_y, least
    )
    dof, factor = np.float64(p * q), 0.5 * p * q * (p + q + 1.0)
    leading_dof = np.float64(p * leading_q)
    leading_scale = rows - 1.0 - held - 0.5 * (p + leading_q + 1.0)
    if leading_x < y - x:
        # What is left of x, with the leading columns of y alone where something is held fixed.
        end = last if size == 0 else y + leading_y
        _copy(matrix, y, end, workspace.second)
        further = _eliminate(matrix, x + leading_x, y, end, least)
        _copy(matrix, y, end, workspace.third)
        q, further_share, _, _ = _log_share(workspace.third, workspace.second, end - y, leading_y, least)
        log_share += further_share
        dof += further * q
        factor += further * q * (p + 0.5 * (further + q + 1.0))
    if dof == 0.0:
        return 0.0, 0.0, 0.0, True
    scale = rows - 1.0 - held - factor / dof
    if scale <= 0.0 or rows < data.min_rows_per_dof * dof:
        return 0.0, dof, 0.0, False
    whole = max(0.0, -scale * (log_share + excess))
    leading = max(0.0, -leading_scale * (leading_share + leading_excess))
    statistic = weighed(data, whole, leading, dof, leading_dof)
    if size == 0 and has_cumulants(data, workspace):
        plain = statistic
        if excess != 0.0:
            whole, leading = max(0.0, -scale * log_share), max(0.0, -leading_scale * leading_share)
            plain = weighed(data, whole, leading, dof, leading_dof)
        if is_remarkable(plain, dof):
            dofs = leading_dof, dof
            statistic = _over_permutations(data, workspace, (statistic, plain), whole, leading, dofs, rows)
    log_least = -least_of_arrangements(data, workspace.members, size) * (rows - 1.0 - held)
    if may_say_too_much(statistic, log_least):
        statistic = min(statistic, statistic_of(log_least, dof))
    return statistic, dof, critical_ratio(critical, statistic, dof), True


@merged_part
def has_cumulants(data: BasisTable, workspace: BasisWorkspace) -> bool:
    """Tell whether cumulants of both variables are known, and one of them is a number."""
    first, second = workspace.members[0], workspace.members[1]
    cumulant = data.cumulants[data.tested[first], 0] + data.cumulants[data.tested[second], 0]
    return bool(data.graded[first] or data.graded[second]) and not math.isnan(cumulant)


@merged_part
def is_remarkable(statistic: float, dof: float) -> bool:
    """Tell whether a statistic is so far from what is usual that its far tail matters."""
    return statistic > dof + REMARKABLE * math.sqrt(2.0 * dof)


@separate_part
def _over_permutations(
    data: BasisTable,
    workspace: BasisWorkspace,
    statistics: tuple[float, float],
    whole: float,
    leading: float,
    dofs: tuple[float, float],
    rows: float,
) -> float:
    """Return the statistic that has the p-value of two variables over all permutations of the rows.

    Where a handful of rows carry both, the expansion may fail: products no heavier than counts stay, of
    others and beside a category (p-values a third too small) the smaller statistic counts. `whole` and
    `leading` are the ratios without it.
    """
    as_counts, plain = statistics
    leading_dof, dof = dofs
    p, width = workspace.offsets[1], workspace.offsets[2]
    left, right = data.tested[workspace.members[0]], data.tested[workspace.members[1]]
    last, other_last = left + p - 1, right + width - p - 1
    is_few = data.carrying[last] * data.carrying[other_last] < _HANDFUL * rows
    itself = data.cumulants[left + min(p, data.leading[workspace.members[0]]) - 1]
    other_itself = data.cumulants[right + min(width - p, data.leading[workspace.members[1]]) - 1]
    if is_few and itself[0] * other_itself[0] <= _AS_COUNTS * itself[3] * other_itself[3]:
        return as_counts
    total = leading + WEIGHT * max(0.0, whole - leading)
    x, y = data.cumulants[last], data.cumulants[other_last]
    differences = data.differences[int(leading_dof), int(dof / leading_dof) - 1]
    longer = lengthening(differences, _COARSE_STEP, x, y, total, rows)
    permuted: float = statistic_of(log_chi2_sf(plain, dof) + longer, dof)
    are_numbers = data.graded[workspace.members[0]] and data.graded[workspace.members[1]]
    return permuted if are_numbers and not is_few else min(as_counts, permuted)


@merged_part
def least_of_arrangements(data: BasisTable, members: np.ndarray, size: int) -> float:
    """Return the fewer ways, as a logarithm for each row but one, to arrange the tested two."""
    fewer: float = min(data.arrangements[members[size]], data.arrangements[members[size + 1]])
    return fewer


@merged_part
def may_say_too_much(statistic: float, log_least: float) -> bool:
    """Tell whether the p-value of a statistic may be below a bound, a logarithm; hardly any is.

    No p-value is below one over the number of arrangements of the values over the rows.
    """
    return 0.5 * statistic + 0.5 * math.log(1.0 + 2.0 * statistic) > -log_least


@separate_part
def statistic_of(log_p: float, dof: float) -> float:
    """Return the statistic that has a p-value, a logarithm."""
    low, high = 0.0, 2.0 * dof + 4.0
    while log_chi2_sf(high, dof) > log_p and high < _LARGEST:
        low, high = high, 2.0 * high
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        if log_chi2_sf(middle, dof) > log_p:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


@merged_part
def weighed(data: BasisTable, whole: float, leading: float, dof: float, leading_dof: float) -> float:
    """Return the statistic of a test from the ratio of all columns and that of the variables themselves."""
    total = leading + weight_of_rest(leading_dof) * max(0.0, whole - leading)
    return as_chi_squared(data.equivalents, total, leading_dof, dof)


@merged_part
def leading_columns(data: BasisTable, workspace: BasisWorkspace, position: int) -> int:
    """Count the columns of x or y that stand for the variable itself."""
    width: int = workspace.offsets[position + 1] - workspace.offsets[position]
    leading: int = min(width, data.leading[workspace.members[position]])
    return leading


@counting_part
def put_itself_first(data: BasisTable, workspace: BasisWorkspace, size: int, position: int) -> bool:
    """Let the number on its own scale lead, unless the set explains clearly more of its normal scores.

    Tell whether that was done.
    """
    matrix, offsets, itself = workspace.matrix, workspace.offsets, workspace.itself[position - size]
    first, second, rest = columns_of_itself(data, workspace, position)
    is_first = False
    if is_written(itself, first, second, rest):
        left = squared_length(matrix, itself, first, second, rest)
        if abs(left * CLEARLY_LESS - matrix[first, first]) < _CLOSE * matrix[first, first]:
            workspace.least[0] = 0.0
        is_first = left * CLEARLY_LESS < matrix[first, first]
        if is_first:
            for column in range(offsets[size], offsets[size + 2]):
                if column != first:
                    product = itself[0] * matrix[min(first, column), max(first, column)]
                    product += itself[1] * matrix[min(second, column), max(second, column)]
                    product += itself[2] * matrix[min(rest, column), max(rest, column)]
                    matrix[min(first, column), max(first, column)] = product
            matrix[first, first] = left
    if rest > first and not is_rest_tested(data, workspace.members[position]):
        for column in range(offsets[size], offsets[size + 2]):
            matrix[min(rest, column), max(rest, column)] = _LEFT_OUT
    return is_first


@merged_part
def squared_length(matrix: np.ndarray, itself: np.ndarray, first: int, second: int, rest: int) -> float:
    """Return the squared length of a number that is written in three columns, from their products."""
    length: float = (
        itself[0] * itself[0] * matrix[first, first] + itself[1] * itself[1] * matrix[second, second]
    )
    length += itself[2] * itself[2] * matrix[rest, rest] + 2.0 * itself[0] * itself[1] * matrix[first, second]
    length += 2.0 * itself[2] * (itself[0] * matrix[first, rest] + itself[1] * matrix[second, rest])
    return length


@merged_part
def is_rest_tested(data: BasisTable, variable: int) -> bool:
    """Tell whether polynomials of ranks leave so much of a number that what is left is worth a test."""
    is_much: bool = data.itself[variable, 2] ** 2 >= WORTH_TESTING
    return is_much


@merged_part
def _copy(matrix: np.ndarray, start: int, end: int, target: np.ndarray) -> None:
    """Copy what is above the diagonal from `start` to `end`."""
    for row in range(end - start):
        for column in range(row, end - start):
            target[row, column] = matrix[start + row, start + column]


@counting_part
def _skewed_excess(
    data: BasisTable, workspace: BasisWorkspace, rows: float, leading_x: int, leading_y: int
) -> Any:
    """Sum what skewness of products adds to the log ratios: products of rare columns are skewed as counts.

    z² becomes 2((1 + gz) ln(1 + gz) - gz)/g², with skewness g, as in Poisson laws (McCullagh and Nelder 1989,
    Generalized Linear Models, 2nd ed., section 2.4).
    """
    first, second = workspace.members[0], workspace.members[1]
    p = workspace.offsets[1]
    excess, leading_excess = 0.0, 0.0
    for row in range(p):
        left = data.tested[first] + row
        for column in range(p, workspace.offsets[2]):
            right = data.tested[second] + column - p
            if data.carrying[left] * data.carrying[right] >= MANY_SHARED * rows:
                continue
            skewness = data.skewness[left] * data.skewness[right] / math.sqrt(rows)
            correlation = workspace.matrix[row, column]
            z = correlation * math.sqrt(rows)
            step = skewness * z
            if step > _SKEWED:
                count = 2.0 * ((1.0 + step) * math.log1p(step) - step) / (skewness * skewness)
                squared = correlation * correlation
                # Of the share that the pair explains, not of its logarithm: of few rows it may be all but 1.
                step_back = math.log1p(max(0.0, squared - count / rows) / max(1.0 - squared, SMALLEST_SHARE))
                excess += step_back
                if row < leading_x and column < p + leading_y:
                    leading_excess += step_back
    return excess, leading_excess


@counting_part
def _eliminate(matrix: np.ndarray, start: int, end: int, width: int, least: np.ndarray) -> int:
    """Take the columns from `start` to `end` out of all later ones; give how many are not determined."""
    count = int64(0)
    for pivot in range(start, end):
        remaining = matrix[pivot, pivot]
        if remaining != _LEFT_OUT:
            least[0] = min(least[0], remaining)
        if remaining < DETERMINED:
            continue
        count += 1
        for row in range(pivot + 1, width):
            factor = matrix[pivot, row] / remaining
            if factor != 0.0:
                for column in range(row, width):
                    matrix[row, column] -= factor * matrix[pivot, column]
    return count


@counting_part
def _log_share(left: np.ndarray, whole: np.ndarray, count: int, leading: int, least: np.ndarray) -> Any:
    """Return the log ratio of determinants of y after and before x; both matrices are overwritten."""
    columns = int64(0)
    leading_columns = int64(0)
    log_share, leading_share, share = 0.0, 0.0, 1.0
    for pivot in range(count):
        before = whole[pivot, pivot]
        if before != _LEFT_OUT:
            least[0] = min(least[0], before, left[pivot, pivot])
        if before < DETERMINED:
            continue
        columns += 1
        after = max(left[pivot, pivot], SMALLEST_SHARE * before)
        share *= after / before
        if share < _SMALL or pivot < leading:
            log_share += math.log(share)
            share = 1.0
        if pivot < leading:
            leading_columns, leading_share = columns, log_share
        for row in range(pivot + 1, count):
            factor_before, factor = whole[pivot, row] / before, left[pivot, row] / after
            for column in range(row, count):
                whole[row, column] -= factor_before * whole[pivot, column]
                left[row, column] -= factor * left[pivot, column]
    return columns, log_share + math.log(share), leading_columns, leading_share


# Two columns of which this few rows carry both, as the mean of independent ones goes, are not tested; a sum
# over many pairs of columns, which is nearer to normal than each, bears fewer by the root of their number.
_FEWEST_SHARED = 8.0
# Single precision is enough where others leave this share of each column, and the statistic is so far from
# its critical value, as a share of it.
_MUCH_LEFT = 0.01
_CLOSE_CALL = 1e-3


@counting_part
def test_basis(
    data: BasisTable,
    workspace: BasisWorkspace,
    critical: CriticalValues,
    hypothesis: Hypothesis,
) -> Any:
    """Test two variables of any kind given a set; determined columns are left out, dof 0 if none is left."""
    size = hypothesis.size
    sort_members(workspace.members, hypothesis)
    return test_members(data, workspace, critical, size)


@counting_part
def test_members(data: BasisTable, workspace: BasisWorkspace, critical: CriticalValues, size: int) -> Any:
    """Test the two that stand behind a set in the workspace.

    Single precision gives a statistic to five digits; where these may not suffice, double precision is used.
    """
    find_offsets(data, workspace, size)
    rows = np.float64(data.columns.shape[1])
    is_double = data.single.shape[0] == 0
    while True:
        gather_products(data, workspace, size, is_double)
        for position in range(2):
            for number in range(3):
                workspace.itself[position, number] = data.itself[workspace.members[size + position], number]
        outcome = likelihood_ratio(data, workspace, critical, size, rows)
        is_close = abs(outcome[2] - 1.0) < _CLOSE_CALL or workspace.least[0] < _MUCH_LEFT
        if is_double or not is_close:
            return outcome
        is_double = True


@merged_part
def sort_members(members: np.ndarray, hypothesis: Hypothesis) -> None:
    """Write the set in column order, then x and y likewise: a test is the same however it is written."""
    x, y, given, size = hypothesis
    sort_set(members, given, size)
    members[size], members[size + 1] = min(x, y), max(x, y)


def pairs_compared(data: BasisTable, x: int, y: int, size: int) -> int:
    """Count the pairs of columns of x and y that a test compares, with so many variables held fixed."""
    p, q = (int(data.tested[variable + 1] - data.tested[variable]) for variable in (x, y))
    if size == 0:
        return p * q
    p, q = (
        width + int(data.itself[variable, 2] ** 2 >= WORTH_TESTING) for variable, width in ((x, p), (y, q))
    )
    leading_x, leading_y = (min(width, int(data.leading[variable])) for variable, width in ((x, p), (y, q)))
    return leading_x * q + (p - leading_x) * leading_y


@counting_part
def find_offsets(data: BasisTable, workspace: BasisWorkspace, size: int) -> None:
    """Write where columns of each variable of a test go: all of a set, those of x and y that can be tested.

    A product of two columns that a handful of rows carry is far from normal: then the rarest column is left
    out.
    """
    members, offsets = workspace.members, workspace.offsets
    width = START
    for position in range(size):
        offsets[position] = width
        width += block_width(data, members[position])
    x, y, rows = members[size], members[size + 1], np.float64(data.columns.shape[1])
    p, q = tested_width(data, x), tested_width(data, y)
    while p > 0 and q > 0 and p + q > 2:
        carrying_x, carrying_y = data.carrying[data.tested[x] + p - 1], data.carrying[data.tested[y] + q - 1]
        if carrying_x * carrying_y * math.sqrt(np.float64(p * q)) >= _FEWEST_SHARED * rows:
            break
        if q == 1 or (p > 1 and carrying_x <= carrying_y):
            p -= 1
        else:
            q -= 1
    if size > 0:
        p += 1 if has_rest(data, x) and p == tested_width(data, x) else 0
        q += 1 if has_rest(data, y) and q == tested_width(data, y) else 0
    offsets[size], offsets[size + 1], offsets[size + 2] = width, width + p, width + p + q


@counting_part
def gather_products(data: BasisTable, workspace: BasisWorkspace, size: int, is_double: bool) -> None:
    """Write the products of the columns of a test; those of one variable are orthonormal."""
    offsets, matrix = workspace.offsets, workspace.matrix
    for position in range(size + 2):
        for row in range(offsets[position], offsets[position + 1]):
            for column in range(row, offsets[position + 1]):
                matrix[row, column] = 1.0 if row == column else 0.0
        for later in range(position + 1, size + 2):
            _write_products(data, workspace, position, later, is_double)


@counting_part
def _write_products(
    data: BasisTable, workspace: BasisWorkspace, position: int, later: int, is_double: bool
) -> None:
    """Write the products of two variables of a test, looked up or remembered."""
    members, offsets, matrix = workspace.members, workspace.offsets, workspace.matrix
    left, right = members[position], members[later]
    row, column = offsets[position], offsets[later]
    rows, columns = offsets[position + 1] - row, offsets[later + 1] - column
    products = data.products
    if products.shape[0] > 0:
        for number in range(rows):
            line = products[column_of(data, left, number)]
            for beside in range(columns):
                matrix[row + number, column + beside] = line[column_of(data, right, beside)]
        return
    place = place_of_products(data, workspace.memory, min(left, right), max(left, right), is_double)
    block = workspace.memory.blocks[place]
    for number in range(rows):
        for beside in range(columns):
            product = block[number, beside] if left < right else block[beside, number]
            matrix[row + number, column + beside] = product


register_test(BasisTable, new_basis_workspace, test_basis)
