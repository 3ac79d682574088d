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

from engine.compiled.decorators import counting_part, int64, summing_part
from engine.independence.basis.incomplete import (
    CONSTANT,
    combined,
    products_of_test,
    scale_itself,
    unpack_weights,
)
from engine.independence.basis.ratio import (
    DETERMINED,
    MANY_SHARED,
    SMALLEST_SHARE,
    as_chi_squared,
    find_offsets,
    leading_columns,
    least_of_arrangements,
    may_say_too_much,
    put_itself_first,
    sort_members,
    statistic_of,
    weight_of_rest,
)
from engine.independence.basis.table import (
    START,
    BasisTable,
    BasisWorkspace,
    ProductMemory,
    block_width,
    column_of,
    columns_of_itself,
    new_basis_workspace,
    new_memory,
    place_of,
    product_memory,
)
from engine.independence.chi_squared import CriticalValues, log_chi2_sf
from engine.independence.discrete.table import FEWEST_ROWS, find_complete
from engine.independence.interface import Hypothesis, register_test
from engine.independence.linear_systems import multiply_first, product

# With fewer groups, beyond one and one for each column that is held fixed, nothing can be said.
_FEWEST_UNITS = 8.0
# Nothing is divided by less than what this leaves.
_MOST_LEVERAGE = 0.9
# What the rows of a test are worth: sums of the weights and of their squares, how many rows and groups have
# any, and as how many equal groups these count.
_TOTAL, _SQUARES, _ROWS, _GROUPS, _UNITS = range(5)
# No set of rows has this number, nearly surely.
_NO_PATTERN = int64(-1)
# What sets take up of groups is remembered in so many bytes at most.
_BYTES_OF_HELD = 2**24
# So many rows of some dozen columns stay near the processor; to so many columns so many are added at once.
_ROWS_NEAR, _THREE, _FOUR = 256, 3, 4


class ClusteredBasisTable(NamedTuple):
    """Blocks of columns over rows with weights, or rows in groups, with missing values or without."""

    counted: BasisTable  # columns are 0 in rows where their variable has no value; no products
    present: np.ndarray  # (variables, words): rows that have a value, as bits
    weights: np.ndarray  # how much of a population each row stands for, 1 on average
    groups: np.ndarray  # which rows belong together; the number of the row where each is alone


class ClusteredBasisWorkspace(NamedTuple):
    """Working memory of one search."""

    counted: BasisWorkspace  # remembers products over the rows of a pattern
    held: ProductMemory  # of a set: how much of each group its columns take up, and of all groups
    complete: np.ndarray  # (words,): rows of the test, as bits
    pattern: np.ndarray  # (1,): digest of the rows of the fields below, up to `sizes`
    weights: np.ndarray  # (rows,), 0 in rows outside the test
    roots: np.ndarray  # (rows,): of the weights
    worth: np.ndarray  # (5,): what these come to, in the order of the names above
    means: np.ndarray  # (columns,)
    means_of: np.ndarray  # (variables,): digest of the rows of the means of each
    sizes: np.ndarray  # (groups,): rows of each in the test
    chosen: np.ndarray  # (width,): which column of the table stands at each place of a test; then any
    kept: np.ndarray  # (width,): places of the columns of a set, of x and of y that are not determined
    written: np.ndarray  # (width, width): each, made orthonormal, as a sum of columns of the table; then 0
    column: np.ndarray  # (rows,): room for a column times the weights
    columns: np.ndarray  # (2 * widest + 3, rows): those of x, then of y, times the roots of the weights
    fourths: np.ndarray  # (2 * widest,): sums of their fourth powers
    across: np.ndarray  # products of the columns of x with those of y
    scores: np.ndarray  # (pairs of columns of x and y, groups): what each adds to the product
    covariances: np.ndarray  # (pairs + 3, pairs + 3): products of the scores, above the diagonal
    sums: np.ndarray  # (groups,): room for the sum of a column over the rows of each
    leverage: np.ndarray  # (groups,): share of what each adds that fitted columns take up


def new_clustered_basis_workspace(
    data: ClusteredBasisTable, max_conditioning: int
) -> ClusteredBasisWorkspace:
    """Allocate working memory for conditioning sets of up to `max_conditioning` variables."""
    widest = data.counted.widest
    counted = new_basis_workspace(
        data.counted, max_conditioning, product_memory(data.weights, widest, widest)
    )
    rows, groups, width = len(data.groups), int(data.groups.max(initial=0)) + 1, len(counted.matrix)
    tested = int(np.diff(data.counted.tested).max(initial=1)) + 1
    return ClusteredBasisWorkspace(
        counted=counted,
        held=new_memory(1, groups + 1, _BYTES_OF_HELD),
        complete=np.empty(data.present.shape[1], np.uint64),
        pattern=np.full(1, _NO_PATTERN),
        weights=np.empty(rows),
        roots=np.empty(rows),
        worth=np.empty(5),
        means=np.empty(len(data.counted.columns)),
        means_of=np.full(len(data.present), _NO_PATTERN),
        sizes=np.empty(groups),
        chosen=np.zeros(width + _FOUR, np.int64),
        kept=np.empty(width, np.int64),
        written=np.empty((width, width + _FOUR)),
        column=np.empty(rows),
        columns=np.empty((2 * tested + _THREE, rows)),
        fourths=np.empty(2 * tested),
        across=np.empty((tested, tested)),
        scores=np.empty((tested * tested, groups)),
        covariances=np.empty((tested * tested + _THREE, tested * tested + _THREE)),
        sums=np.empty(groups),
        leverage=np.empty(groups),
    )


@counting_part
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
    _weigh_rows(data, workspace)
    counted = workspace.counted
    sort_members(counted.members, hypothesis)
    find_offsets(data.counted, counted, size)
    x, y, last = counted.offsets[size], counted.offsets[size + 1], counted.offsets[size + 2]
    products_of_test(data, workspace, size, workspace.pattern[0], workspace.worth[_TOTAL])
    _standardise(data, workspace, size)
    held = _orthonormalise(workspace, START, x, last, last)
    if size > 0:
        _put_itself_first(data, workspace, size, size)
        _put_itself_first(data, workspace, size, size + 1)
    leading_p = _leading_left(data, workspace, size)
    leading_q = _leading_left(data, workspace, size + 1)
    p = _orthonormalise(workspace, x, y, y, last)
    q = _orthonormalise(workspace, y, last, last, last)
    leading_p, leading_q = min(p, leading_p), min(q, leading_q)
    compared_q = q if size == 0 else leading_q
    leading_pairs = np.float64(leading_p * leading_q)
    pairs = np.float64(leading_p * q + (p - leading_p) * compared_q)
    if pairs == 0.0:
        return 0.0, 0.0, 0.0, True
    left = workspace.worth[_UNITS] - 1.0 - _held_between_groups(data, workspace, size, held)
    if left < _FEWEST_UNITS or rows - 1.0 - held < p + q:
        return 0.0, pairs, 0.0, False
    for row in range(p):
        for column in range(q):
            places = workspace.kept[x + row], workspace.kept[y + column]
            workspace.across[row, column] = counted.matrix[places]
    # What all x leaves of what is compared with it, and what its leading columns leave of the rest of y.
    log_share = _log_share(workspace, p, compared_q) + _log_share(workspace, leading_p, q)
    log_share -= _log_share(workspace, leading_p, compared_q)
    leading_share = _log_share(workspace, leading_p, leading_q)
    weight = weight_of_rest(leading_pairs)
    total = -(leading_share + weight * (log_share - leading_share))
    for number in range(q):
        workspace.kept[x + p + number] = workspace.kept[y + number]
    _write_columns(data, workspace, workspace.kept[x : x + p + q], last)
    mean, spread = _moments_of_scores(data, workspace, p, q, leading_p, leading_q, compared_q)
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
    log_least = -least_of_arrangements(data.counted, counted.members, size) * left
    if may_say_too_much(statistic, log_least):
        statistic = min(statistic, statistic_of(log_least, dof))
    return statistic, dof, log_chi2_sf(statistic, dof) / critical.log_alpha, True


@counting_part
def _weigh_rows(data: ClusteredBasisTable, workspace: ClusteredBasisWorkspace) -> None:
    """Write the weights of the rows of a test, and what they are worth together, unless it is written."""
    pattern = combined(workspace.complete)
    if workspace.pattern[0] == pattern:
        return
    workspace.pattern[0] = pattern
    sums = workspace.sums
    unpack_weights(data.weights, workspace.complete, workspace.weights)
    for group in range(sums.shape[0]):
        workspace.sizes[group] = 0.0
        sums[group] = 0.0
    for row in range(data.groups.shape[0]):
        weight = workspace.weights[row]
        workspace.roots[row] = math.sqrt(weight)
        if weight > 0.0:
            workspace.sizes[data.groups[row]] += 1.0
            sums[data.groups[row]] += weight
    total, squares, rows, groups = 0.0, 0.0, 0.0, 0.0
    for group in range(sums.shape[0]):
        total += sums[group]
        squares += sums[group] ** 2
        rows += workspace.sizes[group]
        groups += np.float64(workspace.sizes[group] > 0.0)
    of_rows = product(workspace.weights, workspace.weights)
    # Groups are worth so many equal ones (Kish 1965, section 11.7).
    worth = total, of_rows, rows, groups, total * total / squares
    for place, value in enumerate(worth):
        workspace.worth[place] = value


@counting_part
def _standardise(data: ClusteredBasisTable, workspace: ClusteredBasisWorkspace, size: int) -> None:
    """Turn products into correlations; note how columns of length 1 are written, and as what x and y are."""
    counted, matrix, written = workspace.counted, workspace.counted.matrix, workspace.written
    offsets, least = counted.offsets, CONSTANT * workspace.worth[_TOTAL]
    for position in range(size + 2):
        variable = counted.members[position]
        for place in range(offsets[position], offsets[position + 1]):
            workspace.chosen[place] = column_of(data.counted, variable, place - offsets[position])
        if workspace.means_of[variable] != workspace.pattern[0]:
            workspace.means_of[variable] = workspace.pattern[0]
            for number in range(block_width(data.counted, variable)):
                column = column_of(data.counted, variable, number)
                total = product(data.counted.columns[column], workspace.weights)
                workspace.means[column] = total / workspace.worth[_TOTAL]
        if size > 0 and position >= size:
            scale_itself(data.counted, counted, size, position)
    for place in range(offsets[size + 2]):
        length = matrix[place, place]
        for term in range(offsets[size + 2] + _FOUR):
            written[place, term] = 0.0
        written[place, place] = 1.0 / math.sqrt(length) if length >= least else 0.0
    for row in range(offsets[size + 2]):
        for column in range(row, offsets[size + 2]):
            matrix[row, column] *= written[row, row] * written[column, column]


@counting_part
def _orthonormalise(workspace: ClusteredBasisWorkspace, start: int, end: int, last: int, width: int) -> int:
    """Make the columns `start` to `end` orthonormal, take them out of those up to `last`; return the rank.

    Columns are known by their products with all up to `width`, and by what they are written as.
    """
    matrix, written = workspace.counted.matrix, workspace.written
    rank = START
    for pivot in range(start, end):
        length = matrix[pivot, pivot]
        if length < DETERMINED:
            continue
        workspace.kept[start + rank] = pivot
        rank += 1
        factor = 1.0 / math.sqrt(length)
        for column in range(width):
            matrix[min(pivot, column), max(pivot, column)] *= factor
            written[pivot, column] *= factor
        for later in range(pivot + 1, last):
            share = matrix[pivot, later]
            if share != 0.0:
                for earlier in range(start):
                    matrix[earlier, later] -= share * matrix[earlier, pivot]
                for column in range(later, width):
                    matrix[later, column] -= share * matrix[pivot, column]
                for column in range(end):
                    written[later, column] -= share * written[pivot, column]
    return rank


@counting_part
def _put_itself_first(
    data: ClusteredBasisTable, workspace: ClusteredBasisWorkspace, size: int, position: int
) -> None:
    """Do so with products as in :mod:`engine.independence.basis.ratio`, and with what is written."""
    counted, written = workspace.counted, workspace.written
    if put_itself_first(data.counted, counted, size, position):
        itself = counted.itself[position - size]
        first, second, rest = columns_of_itself(data.counted, counted, position)
        for column in range(counted.offsets[position + 1]):
            written[first, column] *= itself[0]
            written[first, column] += itself[1] * written[second, column] + itself[2] * written[rest, column]


@counting_part
def _leading_left(data: ClusteredBasisTable, workspace: ClusteredBasisWorkspace, position: int) -> int:
    """Count the columns that stand for x or y itself, and of which what is held fixed leaves something."""
    start = workspace.counted.offsets[position]
    count = int64(0)
    for place in range(start, start + leading_columns(data.counted, workspace.counted, position)):
        count += 1 if workspace.counted.matrix[place, place] >= DETERMINED else 0
    return count


@counting_part
def _write_columns(
    data: ClusteredBasisTable, workspace: ClusteredBasisWorkspace, places: np.ndarray, width: int
) -> None:
    """Write columns of a test over all rows: sums of those of the table up to `width`."""
    table, targets, last = data.counted.columns, workspace.columns, places.shape[0] - 1
    for begin in range(0, table.shape[1], _ROWS_NEAR):
        end = min(begin + _ROWS_NEAR, table.shape[1])
        # Sums that are not needed are written where nothing else is.
        for number in range(0, places.shape[0], _THREE):
            one, two = workspace.written[places[number]], workspace.written[places[min(number + 1, last)]]
            three = workspace.written[places[min(number + 2, last)]]
            for target in range(number, number + _THREE):
                targets[target, begin:end] = 0.0
            for place in range(0, width, _FOUR):
                chosen = workspace.chosen[place : place + _FOUR]
                _add_four_to_three(
                    (one[place : place + _FOUR], two[place : place + _FOUR], three[place : place + _FOUR]),
                    table[chosen[0], begin:end],
                    table[chosen[1], begin:end],
                    table[chosen[2], begin:end],
                    table[chosen[3], begin:end],
                    targets[number, begin:end],
                    targets[number + 1, begin:end],
                    targets[number + 2, begin:end],
                )
    for number in range(places.shape[0]):
        centre = 0.0
        for place in range(width):
            centre += workspace.written[places[number], place] * workspace.means[workspace.chosen[place]]
        _centre_and_weigh(targets[number], centre, workspace.roots)


@summing_part
def _add_four_to_three(
    factors: Any,
    one: np.ndarray,
    two: np.ndarray,
    three: np.ndarray,
    four: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
    third: np.ndarray,
) -> None:
    """Add four columns, each times a factor, to three: each number is fetched less often."""
    a, b, c = factors
    for row in range(one.shape[0]):
        w, x, y, z = one[row], two[row], three[row], four[row]
        first[row] += a[0] * w + a[1] * x + a[2] * y + a[3] * z
        second[row] += b[0] * w + b[1] * x + b[2] * y + b[3] * z
        third[row] += c[0] * w + c[1] * x + c[2] * y + c[3] * z


@summing_part
def _centre_and_weigh(target: np.ndarray, centre: float, roots: np.ndarray) -> None:
    for row in range(target.shape[0]):
        target[row] = (target[row] - centre) * roots[row]


@counting_part
def _held_between_groups(
    data: ClusteredBasisTable, workspace: ClusteredBasisWorkspace, size: int, held: int
) -> float:
    """Return the columns conditioned on between groups, as a sum, and note how much of each group they take.

    Many tests condition on the same set.
    """
    leverage, groups = workspace.leverage, workspace.leverage.shape[0]
    key = workspace.pattern[0] ^ combined(workspace.counted.members[:size])
    place = place_of(workspace.held, key)
    remembered = workspace.held.blocks[place, 0]
    if workspace.held.keys[place] != key:
        for group in range(groups):
            remembered[group] = 0.0
        for row in range(data.groups.shape[0]):
            remembered[data.groups[row]] += workspace.weights[row] / workspace.worth[_TOTAL]
        remembered[groups] = 0.0
        for begin in range(0, held, _THREE):
            end = min(begin + _THREE, held)
            _write_columns(data, workspace, workspace.kept[begin:end], workspace.counted.offsets[size])
            for number in range(end - begin):
                column = workspace.columns[number]
                remembered[groups] += _add_leverage(data, workspace, column, remembered[:groups])
        workspace.held.keys[place] = key
    for group in range(groups):
        leverage[group] = remembered[group]
    between: float = remembered[groups]
    return between


@counting_part
def _add_leverage(
    data: ClusteredBasisTable,
    workspace: ClusteredBasisWorkspace,
    column: np.ndarray,
    leverage: np.ndarray,
) -> float:
    """Add what a column of length 1 takes up of each group; give the sum."""
    if data.groups.shape[0] == leverage.shape[0]:
        return _add_shares(column, workspace.sizes, leverage)
    _sum_over_groups(data.groups, column, workspace.sums)
    return _add_shares(workspace.sums, workspace.sizes, leverage)


@summing_part
def _add_shares(sums: np.ndarray, sizes: np.ndarray, leverage: np.ndarray) -> float:
    between = 0.0
    for group in range(sums.shape[0]):
        share = sums[group] * sums[group] / max(sizes[group], 1.0)
        leverage[group] += share
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
    p: int,
    q: int,
    leading_p: int,
    leading_q: int,
    compared_q: int,
) -> Any:
    """Return the mean of the weighted sum over groups, the sum of its weights, and 1 over its dof."""
    scores, columns, worth = workspace.scores, workspace.columns, workspace.worth
    root_weight = math.sqrt(weight_of_rest(np.float64(leading_p * leading_q)))
    _add_leverage(data, workspace, columns[START], workspace.leverage)
    _add_leverage(data, workspace, columns[p], workspace.leverage)
    _give_back(workspace.leverage, workspace.sizes)
    for number in range(p + q):
        workspace.fourths[number] = _sum_of_fourths(columns[number])
    pair, rare_mean, rare_least = START, 0.0, 0.0
    for in_x in range(p):
        for in_y in range(q if in_x < leading_p else compared_q):
            is_leading = in_x < leading_p and in_y < leading_q
            root = 1.0 if is_leading else root_weight
            mean = root * workspace.across[in_x, in_y] / worth[_GROUPS]
            first, second = columns[in_x], columns[p + in_y]
            _write_scores(data, workspace, first, second, root, mean, scores[pair])
            # Where few rows carry both, their product varies as if they were independent at least. Else an
            # empty cell of a table would count as much as one that is never filled.
            if workspace.fourths[in_x] * workspace.fourths[p + in_y] * MANY_SHARED * worth[_ROWS] > 1.0:
                rare_mean += product(scores[pair], scores[pair])
                squares = _weighted_squares(workspace.weights, first)
                squares *= _weighted_squares(workspace.weights, second)
                rare_least += root * root * squares / worth[_SQUARES]
            pair += 1
    mean, spread = _moments(workspace, pair)
    return mean + max(0.0, rare_least - rare_mean), spread


@summing_part
def _give_back(leverage: np.ndarray, sizes: np.ndarray) -> None:
    """Turn how much of each group is taken up into by what its scores are multiplied.

    What is left of a group varies less than what it stands for, by the share that was taken up. It is divided
    by that to the power of one half, which is right on average where all vary alike (HC2). Of single rows the
    power is halfway between it and one, which is what leaving a row out shows (HC3): at .05 the first
    rejected in .073 to .075 of independent pairs with weights that go with what is tested, the second in .028
    of those with others.
    """
    for group in range(leverage.shape[0]):
        root = math.sqrt(1.0 - min(leverage[group], _MOST_LEVERAGE))
        leverage[group] = 1.0 / (root * math.sqrt(root) if sizes[group] == 1.0 else root)


@summing_part
def _sum_of_fourths(column: np.ndarray) -> float:
    total = 0.0
    for row in range(column.shape[0]):
        square = column[row] * column[row]
        total += square * square
    return total


@summing_part
def _weighted_squares(weights: np.ndarray, column: np.ndarray) -> float:
    total = 0.0
    for row in range(column.shape[0]):
        total += weights[row] * column[row] * column[row]
    return total


@counting_part
def _write_scores(
    data: ClusteredBasisTable,
    workspace: ClusteredBasisWorkspace,
    first: np.ndarray,
    second: np.ndarray,
    root: float,
    mean: float,
    scores: np.ndarray,
) -> None:
    """Write what each group adds to the product of two columns, times a root, less the mean of all groups.

    What columns take up of a group is given back to it first.
    """
    leverage, sizes = workspace.leverage, workspace.sizes
    if data.groups.shape[0] == scores.shape[0]:
        _write_scores_of_rows(first, second, leverage, sizes, root, mean, scores)
        return
    for group in range(scores.shape[0]):
        scores[group] = -mean if sizes[group] > 0.0 else 0.0
    for row in range(first.shape[0]):
        group = data.groups[row]
        scores[group] += root * leverage[group] * first[row] * second[row]


@summing_part
def _write_scores_of_rows(
    first: np.ndarray,
    second: np.ndarray,
    leverage: np.ndarray,
    is_there: np.ndarray,
    root: float,
    mean: float,
    scores: np.ndarray,
) -> None:
    for row in range(scores.shape[0]):
        scores[row] = root * first[row] * second[row] * leverage[row] - mean * is_there[row]


@counting_part
def _moments(workspace: ClusteredBasisWorkspace, pairs: int) -> Any:
    """Return the mean of a sum of squared scores, and 1 over its degrees of freedom."""
    scores, covariances, groups = workspace.scores, workspace.covariances, workspace.worth[_GROUPS]
    multiply_first(scores, pairs, covariances)
    lengths = workspace.sums
    lengths[:] = 0.0
    for pair in range(pairs):
        _add_squares(scores[pair], lengths)
    squares, between = 0.0, 0.0
    for row in range(pairs):
        squares += covariances[row, row]
        for column in range(row, pairs):
            between += covariances[row, column] ** 2 * (1.0 if row == column else 2.0)
    if squares <= 0.0:
        return 0.0, 1.0
    share = groups / (groups - 1.0)
    # What a group has in common with itself would make the weights seem more unequal than they are.
    between = max(0.0, between - product(lengths, lengths)) * share
    return squares * share, between / (squares * squares)


@summing_part
def _add_squares(column: np.ndarray, sums: np.ndarray) -> None:
    for row in range(column.shape[0]):
        sums[row] += column[row] * column[row]


register_test(ClusteredBasisTable, new_clustered_basis_workspace, test_clustered_basis)
