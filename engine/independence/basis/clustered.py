"""The likelihood ratio with basis functions where rows have weights or come in groups.

Rows of one person are alike, and rows of great weight count more than others: the likelihood ratio then
does not follow the chi-squared law of independent, equal rows. Its own law is that of a weighted sum of
squared normals whose weights are found from the rows themselves: from how much the sum of each group varies
between groups, which is right whatever the rows of a group have in common and whatever the weights go with.
The statistic is scaled to the mean and the variance of that sum (Rao and Scott 1984, On chi-squared tests for
multiway contingency tables with cell proportions estimated from survey data, Annals of Statistics 12:46-60),
and, since these are estimated from as many groups as there are, referred to an F law, as is usual for
surveys (Thomas and Rao 1987, Small-sample comparisons of level and power, JASA 82:630-636). What the columns
of a test take up of a row or a group, its leverage, is given back to it first (MacKinnon and White 1985, Some
heteroskedasticity-consistent covariance matrix estimators, Journal of Econometrics 29:305-325).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from engine.compiled.decorators import counting_part, int64, kernel_part, summing_part
from engine.independence.basis.incomplete import CONSTANT, unpack_weights
from engine.independence.basis.ratio import (
    CLEARLY_LESS,
    DETERMINED,
    MANY_SHARED,
    SMALLEST_SHARE,
    as_chi_squared,
    find_offsets,
    is_rest_tested,
    leading_columns,
    least_of_arrangements,
    may_say_too_much,
    sort_members,
    statistic_of,
    weight_of_rest,
)
from engine.independence.basis.table import (
    START,
    BasisTable,
    BasisWorkspace,
    column_of,
    columns_of_itself,
    is_written,
    new_basis_workspace,
    no_memory,
)
from engine.independence.chi_squared import CriticalValues, log_chi2_sf
from engine.independence.discrete.table import FEWEST_ROWS, find_complete
from engine.independence.interface import Hypothesis, register_test
from engine.independence.linear_systems import product

# With fewer groups, beyond one and one for each column that is held fixed, nothing can be said.
_FEWEST_UNITS = 8.0
# Nothing is divided by less than what this leaves.
_MOST_LEVERAGE = 0.9


class ClusteredBasisTable(NamedTuple):
    """Blocks of columns over rows with weights, or rows in groups, with missing values or without."""

    counted: BasisTable  # columns are 0 in rows where their variable has no value; no products
    present: np.ndarray  # (variables, words): rows that have a value, as bits
    weights: np.ndarray  # how much of a population each row stands for
    groups: np.ndarray  # which rows belong together; each row its own where independent


class ClusteredBasisWorkspace(NamedTuple):
    """Working memory of one search."""

    counted: BasisWorkspace  # without anything remembered
    complete: np.ndarray  # (words,): rows of the test, as bits
    weights: np.ndarray  # (rows,), 0 in rows outside the test
    roots: np.ndarray  # (rows,): of the weights
    columns: np.ndarray  # (width, rows): deviations from their means, times the root of the weight
    across: np.ndarray  # products of the columns of x with those of y
    scores: np.ndarray  # (pairs of columns of x and y, groups): what each adds to the product
    sums: np.ndarray  # (groups,): room for the sum of a column over the rows of each
    sizes: np.ndarray  # (groups,): rows of each in the test
    leverage: np.ndarray  # (groups,): share of what each adds that fitted columns take up


def new_clustered_basis_workspace(
    data: ClusteredBasisTable, max_conditioning: int
) -> ClusteredBasisWorkspace:
    """Allocate working memory for conditioning sets of up to `max_conditioning` variables."""
    counted = new_basis_workspace(data.counted, max_conditioning, no_memory())
    rows, groups = len(data.groups), int(data.groups.max(initial=0)) + 1
    widest = int(np.diff(data.counted.tested).max(initial=1)) + 1
    return ClusteredBasisWorkspace(
        counted,
        np.empty(data.present.shape[1], np.uint64),
        np.empty(rows),
        np.empty(rows),
        np.empty((counted.matrix.shape[0], rows)),
        np.empty((widest, widest)),
        np.empty((widest * widest, groups)),
        np.empty(groups),
        np.empty(groups, np.int64),
        np.empty(groups),
    )


@kernel_part
def test_clustered_basis(
    data: ClusteredBasisTable,
    workspace: ClusteredBasisWorkspace,
    critical: CriticalValues,
    hypothesis: Hypothesis,
) -> Any:
    """Test two variables of any kind given a set, on the rows that are complete in all of them."""
    size = hypothesis.size
    rows = find_complete(data.present, hypothesis, workspace.complete)
    if rows < FEWEST_ROWS:
        return 0.0, 0.0, 0.0, False
    units = _count_units(data, workspace)
    sort_members(workspace.counted.members, hypothesis)
    find_offsets(data.counted, workspace.counted, size)
    _centre_columns(data, workspace, size)
    offsets, columns = workspace.counted.offsets, workspace.columns
    held = _orthonormalise(columns, START, offsets[size], offsets[size + 2])
    between = _held_between_groups(data, workspace, held)
    if size > 0:
        _put_itself_first(data, workspace, size, size)
        _put_itself_first(data, workspace, size, size + 1)
    leading_p = _leading_left(data, workspace, size)
    leading_q = _leading_left(data, workspace, size + 1)
    p = _orthonormalise(columns, offsets[size], offsets[size + 1], offsets[size + 1])
    q = _orthonormalise(columns, offsets[size + 1], offsets[size + 2], offsets[size + 2])
    leading_p, leading_q = min(p, leading_p), min(q, leading_q)
    compared_q = q if size == 0 else leading_q
    leading_pairs = np.float64(leading_p * leading_q)
    pairs = np.float64(leading_p * q + (p - leading_p) * compared_q)
    if pairs == 0.0:
        return 0.0, 0.0, 0.0, True
    left = units - 1.0 - between
    if left < _FEWEST_UNITS or rows - 1.0 - held < p + q:
        return 0.0, pairs, 0.0, False
    _multiply(workspace, offsets[size], offsets[size + 1], p, q)
    # What all x leaves of what is compared with it, and what its leading columns leave of the rest of y.
    log_share = _log_share(workspace, p, compared_q) + _log_share(workspace, leading_p, q)
    log_share -= _log_share(workspace, leading_p, compared_q)
    leading_share = _log_share(workspace, leading_p, leading_q)
    weight = weight_of_rest(leading_pairs)
    total = -(leading_share + weight * (log_share - leading_share))
    mean, spread = _moments_of_scores(data, workspace, size, p, q, leading_p, leading_q)
    if mean <= 0.0:
        return 0.0, pairs, 0.0, False
    expected = leading_pairs + weight * (pairs - leading_pairs)
    independent_spread = (leading_pairs + weight**2 * (pairs - leading_pairs)) / expected**2
    dof = pairs * independent_spread / min(1.0, max(independent_spread, spread))
    estimated = dof * left
    total = max(0.0, total * expected / mean)
    chi_squared = as_chi_squared(data.counted.equivalents, total, leading_pairs, pairs)
    # F with these degrees of freedom, by the transformation to which Bartlett's factor belongs.
    f = chi_squared / pairs
    statistic = (estimated + 0.5 * dof - 1.0) * math.log1p(f * dof / estimated)
    log_least = -least_of_arrangements(data.counted, workspace.counted.members, size) * left
    if may_say_too_much(statistic, log_least):
        statistic = min(statistic, statistic_of(log_least, dof))
    return statistic, dof, log_chi2_sf(statistic, dof) / critical.log_alpha, True


@counting_part
def _count_units(data: ClusteredBasisTable, workspace: ClusteredBasisWorkspace) -> float:
    """Write row weights; return how many equal groups these are worth (Kish 1965, section 11.7)."""
    sums = workspace.sums
    unpack_weights(data.weights, workspace.complete, workspace.weights)
    for group in range(sums.shape[0]):
        workspace.sizes[group] = 0
        sums[group] = 0.0
    for row in range(data.groups.shape[0]):
        weight = workspace.weights[row]
        workspace.roots[row] = math.sqrt(weight)
        if weight > 0.0:
            workspace.sizes[data.groups[row]] += 1
            sums[data.groups[row]] += weight
    total, squares = 0.0, 0.0
    for group in range(sums.shape[0]):
        total += sums[group]
        squares += sums[group] ** 2
    return total * total / squares


@counting_part
def _held_between_groups(data: ClusteredBasisTable, workspace: ClusteredBasisWorkspace, held: int) -> float:
    """Return how many columns are held fixed between groups, and note how much of each they take."""
    total = 0.0
    for row in range(workspace.weights.shape[0]):
        total += workspace.weights[row]
    for group in range(workspace.leverage.shape[0]):
        workspace.leverage[group] = 0.0
    for row in range(workspace.weights.shape[0]):
        workspace.leverage[data.groups[row]] += workspace.weights[row] / total
    between = 0.0
    for number in range(held):
        between += _add_leverage(data, workspace, workspace.columns[number])
    return between


@counting_part
def _add_leverage(data: ClusteredBasisTable, workspace: ClusteredBasisWorkspace, column: np.ndarray) -> float:
    """Add what a column of length 1 takes up of each group; give the sum."""
    sums = workspace.sums
    _sum_over_groups(data.groups, column, sums)
    between = 0.0
    for group in range(sums.shape[0]):
        if workspace.sizes[group] > 0:
            share = sums[group] ** 2 / workspace.sizes[group]
            workspace.leverage[group] += share
            between += share
    return between


@counting_part
def _sum_over_groups(groups: np.ndarray, column: np.ndarray, sums: np.ndarray) -> None:
    """Write the sum of a column over the rows of each group."""
    for group in range(sums.shape[0]):
        sums[group] = 0.0
    for row in range(column.shape[0]):
        sums[groups[row]] += column[row]


@counting_part
def _centre_columns(data: ClusteredBasisTable, workspace: ClusteredBasisWorkspace, size: int) -> None:
    """Write the deviations of the columns of a test, times the root of the weight."""
    weights, offsets = workspace.weights, workspace.counted.offsets
    total = 0.0
    for row in range(weights.shape[0]):
        total += weights[row]
    for position in range(size + 2):
        for number in range(offsets[position + 1] - offsets[position]):
            column = data.counted.columns[
                column_of(data.counted, workspace.counted.members[position], number)
            ]
            mean = product(column, weights) / total
            deviations = workspace.columns[offsets[position] + number]
            _write_deviations(column, mean, workspace.roots, deviations)
        if size > 0 and position >= size:
            _scale_itself(data, workspace, size, position)
        for number in range(offsets[position], offsets[position + 1]):
            _scale(workspace.columns[number], CONSTANT * total)


@summing_part
def _write_deviations(column: np.ndarray, mean: float, roots: np.ndarray, deviations: np.ndarray) -> None:
    for row in range(column.shape[0]):
        deviations[row] = (column[row] - mean) * roots[row]


@counting_part
def _scale_itself(
    data: ClusteredBasisTable, workspace: ClusteredBasisWorkspace, size: int, position: int
) -> None:
    """Write a number on its own scale in columns that will have length 1, and as one of length 1 itself."""
    counted, columns = workspace.counted, workspace.columns
    itself, own = counted.itself[position - size], data.counted.itself[counted.members[position]]
    first, second, rest = columns_of_itself(data.counted, counted, position)
    length = 0.0
    for row in range(columns.shape[1]):
        value = own[0] * columns[first, row] + own[1] * columns[second, row] + own[2] * columns[rest, row]
        length += value * value
    for number, column in enumerate((first, second, rest)):
        lengths = math.sqrt(product(columns[column], columns[column]) / length) if length > 0.0 else 0.0
        itself[number] = own[number] * lengths


@counting_part
def _put_itself_first(
    data: ClusteredBasisTable, workspace: ClusteredBasisWorkspace, size: int, position: int
) -> None:
    """Do with columns what :mod:`engine.independence.basis.ratio` does with products."""
    counted, columns = workspace.counted, workspace.columns
    itself = counted.itself[position - size]
    first, second, rest = columns_of_itself(data.counted, counted, position)
    if is_written(itself, first, second, rest):
        left = 0.0
        for row in range(columns.shape[1]):
            left += (
                itself[0] * columns[first, row]
                + itself[1] * columns[second, row]
                + itself[2] * columns[rest, row]
            ) ** 2
        if left * CLEARLY_LESS < product(columns[first], columns[first]):
            for row in range(columns.shape[1]):
                columns[first, row] *= itself[0]
                columns[first, row] += itself[1] * columns[second, row] + itself[2] * columns[rest, row]
    if rest > first and not is_rest_tested(data.counted, counted.members[position]):
        for row in range(columns.shape[1]):
            columns[rest, row] = 0.0


@counting_part
def _leading_left(data: ClusteredBasisTable, workspace: ClusteredBasisWorkspace, position: int) -> int:
    """Count the columns that stand for x or y itself, and of which what is held fixed leaves something."""
    start, end = workspace.counted.offsets[position], workspace.counted.offsets[position + 1]
    leading = leading_columns(data.counted, workspace.counted, position)
    count = int64(0)
    for number in range(start, min(start + leading, end)):
        column = workspace.columns[number]
        count += 1 if product(column, column) >= DETERMINED else 0
    return count


@counting_part
def _scale(column: np.ndarray, least: float) -> bool:
    """Give a column length 1; tell whether its squared length was at least `least`, else it becomes 0."""
    length = product(column, column)
    factor = 1.0 / math.sqrt(length) if length >= least else 0.0
    for row in range(column.shape[0]):
        column[row] *= factor
    return length >= least


@summing_part
def _take_off(column: np.ndarray, share: float, direction: np.ndarray) -> None:
    """Take its share of a direction out of a column."""
    for row in range(column.shape[0]):
        column[row] -= share * direction[row]


@counting_part
def _orthonormalise(columns: np.ndarray, start: int, end: int, last: int) -> int:
    """Orthonormalise the columns `start` to `end`, take them out of those up to `last`; return the rank."""
    determined = start
    for position in range(start, end):
        column = columns[position]
        if not _scale(column, DETERMINED):
            continue
        for later in range(position + 1, last):
            _take_off(columns[later], product(column, columns[later]), column)
        if determined < position:
            for row in range(column.shape[0]):
                columns[determined, row] = column[row]
        determined += 1
    return determined - start


@counting_part
def _multiply(workspace: ClusteredBasisWorkspace, x: int, y: int, p: int, q: int) -> None:
    """Write the products of the columns of x with those of y."""
    for row in range(p):
        for column in range(q):
            workspace.across[row, column] = product(workspace.columns[x + row], workspace.columns[y + column])


@counting_part
def _log_share(workspace: ClusteredBasisWorkspace, p: int, q: int) -> float:
    """Logarithm of the determinant of what x leaves of y, from the products of orthonormal columns."""
    matrix, across = workspace.counted.second, workspace.across
    for row in range(q):
        for column in range(row, q):
            matrix[row, column] = 1.0 if row == column else 0.0
            for through in range(p):
                matrix[row, column] -= across[through, row] * across[through, column]
    log_share = 0.0
    for pivot in range(q):
        left = max(matrix[pivot, pivot], SMALLEST_SHARE)
        log_share += math.log(left)
        for row in range(pivot + 1, q):
            factor = matrix[pivot, row] / left
            for column in range(row, q):
                matrix[row, column] -= factor * matrix[pivot, column]
    return log_share


@counting_part
def _moments_of_scores(
    data: ClusteredBasisTable,
    workspace: ClusteredBasisWorkspace,
    size: int,
    p: int,
    q: int,
    leading_p: int,
    leading_q: int,
) -> Any:
    """Return the mean of the weighted sum over groups, the sum of its weights, and 1 over its dof."""
    scores, columns, sizes = workspace.scores, workspace.columns, workspace.sizes
    x, y = workspace.counted.offsets[size], workspace.counted.offsets[size + 1]
    compared_q = q if size == 0 else leading_q
    root_weight = math.sqrt(weight_of_rest(np.float64(leading_p * leading_q)))
    _add_leverage(data, workspace, columns[x])
    _add_leverage(data, workspace, columns[y])
    groups, pair, rare_mean, rare_least = 0.0, START, 0.0, 0.0
    for group in range(sizes.shape[0]):
        groups += np.float64(sizes[group] > 0)
        # What is left of a group varies less than what it stands for, by the share that was taken up. It is
        # divided by that to the power of one half, which is right on average where all vary alike (HC2). Of
        # single rows the power is halfway between it and one, which is what leaving a row out shows (HC3): at
        # .05 the first rejected in .073 to .075 of independent pairs with weights that go with what is
        # tested, the second in .028 of those with others.
        root = math.sqrt(1.0 - min(workspace.leverage[group], _MOST_LEVERAGE))
        workspace.leverage[group] = 1.0 / (root * math.sqrt(root) if sizes[group] == 1 else root)
    for in_x in range(p):
        for in_y in range(q if in_x < leading_p else compared_q):
            is_leading = in_x < leading_p and in_y < leading_q
            root = 1.0 if is_leading else root_weight
            first, second = columns[x + in_x], columns[y + in_y]
            _sum_products_over_groups(data.groups, first, second, scores[pair])
            mean = root * workspace.across[in_x, in_y] / groups
            _centre_scores(scores[pair], sizes, workspace.leverage, root, mean)
            least = _least_of_rare(workspace.weights, first, second)
            if least > 0.0:
                rare_mean += product(scores[pair], scores[pair])
                rare_least += root * root * least
            pair += 1
    mean, spread = _moments(scores, pair, groups, workspace.sums)
    return mean + max(0.0, rare_least - rare_mean), spread


@counting_part
def _sum_products_over_groups(
    groups: np.ndarray, first: np.ndarray, second: np.ndarray, sums: np.ndarray
) -> None:
    """Write the sum of the products of two columns over the rows of each group."""
    for group in range(sums.shape[0]):
        sums[group] = 0.0
    for row in range(first.shape[0]):
        sums[groups[row]] += first[row] * second[row]


@summing_part
def _centre_scores(
    scores: np.ndarray, sizes: np.ndarray, leverage: np.ndarray, root: float, mean: float
) -> None:
    """Give back to each group what columns take up of it, and take off the mean; 0 without rows."""
    for group in range(scores.shape[0]):
        centred = root * scores[group] * leverage[group] - mean
        scores[group] = centred if sizes[group] > 0 else 0.0


@summing_part
def _least_of_rare(weights: np.ndarray, first: np.ndarray, second: np.ndarray) -> float:
    """Return the sum of x and y if they were independent; 0 where many rows carry both.

    Else an empty cell of a table would count as much as one that is never filled.
    """
    squares, first_squares, second_squares, first_fourths, second_fourths = 0.0, 0.0, 0.0, 0.0, 0.0
    rows = 0.0
    for row in range(weights.shape[0]):
        weight, first_square, second_square = weights[row], first[row] * first[row], second[row] * second[row]
        rows += np.float64(weight > 0.0)
        squares += weight * weight
        first_squares += weight * first_square
        second_squares += weight * second_square
        first_fourths += first_square * first_square
        second_fourths += second_square * second_square
    if first_fourths * second_fourths * MANY_SHARED * rows <= 1.0:
        return 0.0
    least: float = first_squares * second_squares / squares
    return least


@counting_part
def _moments(scores: np.ndarray, pairs: int, groups: float, lengths: np.ndarray) -> Any:
    """Return the mean of a sum of squared scores, and 1 over its degrees of freedom."""
    for group in range(lengths.shape[0]):
        lengths[group] = 0.0
    products = 0.0
    for row in range(pairs):
        _add_squares(scores[row], lengths)
        for column in range(row + 1):
            covariance = product(scores[row], scores[column])
            products += covariance * covariance * (1.0 if row == column else 2.0)
    squares = 0.0
    for group in range(lengths.shape[0]):
        squares += lengths[group]
    if squares <= 0.0:
        return 0.0, 1.0
    share = groups / (groups - 1.0)
    # What a group has in common with itself would make the weights seem more unequal than they are.
    between = max(0.0, products - product(lengths, lengths)) * share
    return squares * share, between / (squares * squares)


@summing_part
def _add_squares(column: np.ndarray, sums: np.ndarray) -> None:
    for row in range(column.shape[0]):
        sums[row] += column[row] * column[row]


register_test(ClusteredBasisTable, new_clustered_basis_workspace, test_clustered_basis)
