"""G² and Pearson's X² with p-values from permutations, for tables too sparse for the chi-squared law.

Independence given a set means that the values of one variable may be shuffled within the strata of the set.
So p is the share of shuffled tables whose statistic is at least the observed one, itself among them:
(1 + those) / (1 + permutations) (Phipson and Smyth 2010, Permutation p-values should never be zero,
Stat. Appl. Genet. Mol. Biol. 9:39). When enough of them are as large, p is clear and shuffling ends (Besag
and Clifford 1991, Sequential Monte Carlo p-values, Biometrika 78:301-304).

Such a p is never below 1 / (1 + permutations), which no correction for many tests would let through:
Benjamini-Hochberg at level α over m variables needs one below α / m. So where no shuffled table comes up to
the observed one, p is read from the tail of a law fitted to the shuffled statistics, but for being at
most that floor. Two are fitted, and the larger p counts: chi-squared with the mean of the statistics as
degrees of freedom (Tsamardinos and Borboudakis 2010, Permutation testing improves Bayesian network
learning, ECML PKDD, 322-337), or with the adjusted ones where these are more; and a multiple of
chi-squared that has their mean and variance. A rare cell makes the tail of X² longer than either, so that X²
takes the tail of G² in the same table where that is larger.

Shuffling one variable within the strata of others, and the statistic of what comes out.

Rows of a stratum are dealt to the levels of x like cards: that is a shuffle of y within the stratum, without
moving more than has to be moved (Fisher and Yates; Durstenfeld 1964, Algorithm 235, CACM 7:420).

SplitMix64: Steele, Lea and Flood (2014), Fast splittable pseudorandom number generators, OOPSLA, 453-472.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from engine.compiled.decorators import inlined_part, int64, kernel_part
from engine.independence.chi_squared import CriticalValues, log_chi2_sf
from engine.independence.columns import TestColumns
from engine.independence.discrete.contingency import ContingencyData, entropy_terms
from engine.independence.discrete.counting import DIRECT_STRATA, number_strata
from engine.independence.discrete.table import (
    FEWEST_ROWS,
    G_SQUARED,
    PEARSON,
    codes_and_presence,
    find_complete,
    has_rows_enough,
    is_complete,
)
from engine.independence.interface import Hypothesis, dof_of_levels, register_test
from engine.independence.options import TestOptions


class PermutationTable(NamedTuple):
    """Coded columns, ready for shuffling."""

    codes: np.ndarray  # 0 … levels - 1; 0 where missing
    present: np.ndarray  # (variables, words): rows that have a value, as bits
    levels: np.ndarray
    # Made of the seed and the name of each variable: a test's random numbers come from the keys of its own
    # variables, so that they are the same whenever, wherever and in whatever order it is made.
    keys: np.ndarray
    # k log k for every count k; empty for tables so long that it is computed instead
    entropy_terms: np.ndarray
    statistic: int  # ``G_SQUARED`` or ``PEARSON``
    permutations: int  # at most, of a test
    min_rows_per_dof: float  # reliability rules; 0 switches one off
    min_rows_per_cell: float
    rounding: float  # statistics that differ by less are equal


class PermutationWorkspace(NamedTuple):
    """Working memory of one thread, for strata in which x and y both vary.

    Values of y are dealt to the levels of x; the commonest, which comes last, gets the rest without dealing.
    """

    given: np.ndarray  # (depth,), in the order of the keys
    complete: np.ndarray  # (words,): rows that a test can use, as bits
    stratum_of_row: np.ndarray
    starts: np.ndarray  # where the rows of each stratum start in `order`
    order: np.ndarray  # complete rows by stratum
    cards: np.ndarray  # codes of y, one stratum that is kept after the other
    card_ends: np.ndarray  # where the cards and the hands of each kept stratum end
    hand_ends: np.ndarray
    hands: np.ndarray  # rows of each level of x that occurs in a stratum, one kept stratum after the other
    counts: np.ndarray  # of a row of a table, and what is left of its columns
    left: np.ndarray
    random: np.ndarray  # (1,): state of the random numbers


def new_permutation_workspace(data: PermutationTable, max_conditioning: int) -> PermutationWorkspace:
    """Allocate working memory for conditioning sets of up to `max_conditioning` variables."""
    rows, most = data.codes.shape[1], int(data.levels.max())
    return PermutationWorkspace(
        given=np.empty(max_conditioning + 1, np.int64),
        complete=np.empty(data.present.shape[1], np.uint64),
        stratum_of_row=np.empty(rows, np.int32),
        starts=np.empty(max(DIRECT_STRATA, rows) + 2, np.int64),
        order=np.empty(rows, np.int32),
        cards=np.empty(rows, np.int32),
        card_ends=np.empty(rows + 1, np.int64),
        hand_ends=np.empty(rows + 1, np.int64),
        hands=np.empty(rows + 1, np.int64),
        counts=np.empty(most, np.int64),
        left=np.empty(most, np.int64),
        random=np.empty(1, np.uint64),
    )


_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
_SECOND_FACTOR = np.uint64(0x94D049BB133111EB)
_SHIFTS = (np.uint64(30), np.uint64(27), np.uint64(31))
_HALF_WORD = np.uint64(32)


@kernel_part
def scramble(word: np.uint64) -> np.uint64:
    """Map a 64-bit word to another, one to one, so that alike words become unlike."""
    word = (word ^ (word >> _SHIFTS[0])) * _FIRST_FACTOR
    word = (word ^ (word >> _SHIFTS[1])) * _SECOND_FACTOR
    return word ^ (word >> _SHIFTS[2])


@inlined_part
def draw_below(state: np.ndarray, bound: int) -> int:
    """Draw a whole number below a `bound` up to 2³², nearly uniform, and move the state on by one."""
    state[0] += _STEP
    upper_half = scramble(state[0]) >> _HALF_WORD
    return int64((upper_half * np.uint64(bound)) >> _HALF_WORD)


@kernel_part
def arrange(
    data: PermutationTable, workspace: PermutationWorkspace, x: int, y: int, size: int, statistic_kind: int
) -> Any:
    """Sort the complete rows into strata, and lay out those in which both variables vary.

    Return the number of strata, their rows by level of y, the statistic, adjusted degrees of freedom, and its
    other parts.
    """
    strata = number_strata(data.codes, data.levels, workspace.stratum_of_row, workspace.given, size)
    _sort_rows(workspace, strata)
    columns = np.zeros((min(strata, data.codes.shape[1]) + 1, data.levels[y]), np.int64)
    rows_of_level = np.zeros(data.levels[x], np.int64)
    cells = np.zeros((data.levels[x], data.levels[y]), np.int64)
    strata_left, cards, hands = 0, 0, 0
    statistic, dof, constant = 0.0, 0.0, 0.0
    for stratum in range(strata):
        begin, end = workspace.starts[stratum], workspace.starts[stratum + 1]
        if end - begin < 2:
            continue
        rows_of_level[:] = 0
        columns[strata_left, :] = 0
        cells[:, :] = 0
        for position in range(begin, end):
            row = workspace.order[position]
            code_x, code_y = data.codes[x, row], data.codes[y, row]
            rows_of_level[code_x] += 1
            columns[strata_left, code_y] += 1
            cells[code_x, code_y] += 1
            workspace.cards[cards + position - begin] = code_y
        rows_seen, columns_seen = _occurring(rows_of_level), _occurring(columns[strata_left])
        if rows_seen < 2 or columns_seen < 2:
            continue
        hands = _lay_hands(workspace, rows_of_level, hands)
        cards += end - begin
        workspace.card_ends[strata_left], workspace.hand_ends[strata_left] = cards, hands
        dof += (rows_seen - 1.0) * (columns_seen - 1.0)
        constant += _besides_cells(data, rows_of_level, columns[strata_left], end - begin, statistic_kind)
        for level in range(rows_of_level.shape[0]):
            if rows_of_level[level] > 0:
                statistic += row_terms(
                    data,
                    cells[level],
                    rows_of_level[level],
                    columns[strata_left],
                    end - begin,
                    statistic_kind,
                )
        strata_left += 1
    return strata_left, columns, statistic + constant, dof, constant


@inlined_part
def _sort_rows(workspace: PermutationWorkspace, strata: int) -> None:
    """Sort the complete rows by stratum, those of a stratum in the order of the table."""
    starts = workspace.starts
    for stratum in range(strata + 2):
        starts[stratum] = 0
    for row in range(workspace.stratum_of_row.shape[0]):
        if is_complete(workspace.complete, row):
            starts[workspace.stratum_of_row[row] + 2] += 1
    for stratum in range(strata):
        starts[stratum + 2] += starts[stratum + 1]
    for row in range(workspace.stratum_of_row.shape[0]):
        if is_complete(workspace.complete, row):
            stratum = workspace.stratum_of_row[row]
            workspace.order[starts[stratum + 1]] = row
            starts[stratum + 1] += 1


@kernel_part
def rows_of_commonest_level(data: PermutationTable, workspace: PermutationWorkspace, variable: int) -> int:
    """Count the complete rows that have the commonest level of a variable."""
    counts = workspace.counts
    for level in range(counts.shape[0]):
        counts[level] = 0
    most = 0
    for row in range(data.codes.shape[1]):
        if is_complete(workspace.complete, row):
            code = data.codes[variable, row]
            counts[code] += 1
            if counts[code] > most:
                most = counts[code]
    return most


@kernel_part
def _occurring(counts: np.ndarray) -> int:
    seen = 0
    for level in range(counts.shape[0]):
        seen += counts[level] > 0
    return seen


@inlined_part
def _lay_hands(workspace: PermutationWorkspace, rows_of_level: np.ndarray, hands: int) -> int:
    """Note the rows of each level of x that occurs, the commonest last."""
    commonest = 0
    for level in range(rows_of_level.shape[0]):
        if rows_of_level[level] > rows_of_level[commonest]:
            commonest = level
    for level in range(rows_of_level.shape[0]):
        if level != commonest and rows_of_level[level] > 0:
            workspace.hands[hands] = rows_of_level[level]
            hands += 1
    workspace.hands[hands] = rows_of_level[commonest]
    return hands + 1


@kernel_part
def k_log_k(data: PermutationTable, count: int) -> float:
    """Compute k log k, which is 0 for 0."""
    if data.entropy_terms.shape[0] > 0:
        term: float = data.entropy_terms[count]
        return term
    return count * math.log(count) if count > 0 else 0.0


@inlined_part
def _besides_cells(
    data: PermutationTable, row_sums: np.ndarray, column_sums: np.ndarray, total: int, statistic_kind: int
) -> float:
    """Compute the part of a stratum's statistic that is the same for every permutation."""
    if statistic_kind == PEARSON:
        return -float(total)
    part = k_log_k(data, total)
    for row in range(row_sums.shape[0]):
        part -= k_log_k(data, row_sums[row])
    for column in range(column_sums.shape[0]):
        part -= k_log_k(data, column_sums[column])
    return 2.0 * part


@kernel_part
def row_terms(
    data: PermutationTable,
    counts: np.ndarray,
    row_sum: int,
    columns: np.ndarray,
    total: int,
    statistic_kind: int,
) -> float:
    """Add up what the cells of one row of a table contribute to its statistic."""
    terms = 0.0
    for column in range(columns.shape[0]):
        count = counts[column]
        if count > 0:
            if statistic_kind == PEARSON:
                terms += (count / row_sum) * (count / columns[column]) * total
            else:
                terms += 2.0 * k_log_k(data, count)
    return terms


@kernel_part
def shuffled_statistic(
    data: PermutationTable,
    workspace: PermutationWorkspace,
    strata: int,
    columns: np.ndarray,
    statistic_kind: int,
) -> float:
    """Deal all strata anew and compute the statistic, but for the constant part."""
    cards, counts, left = workspace.cards, workspace.counts, workspace.left
    level_count = columns.shape[1]
    statistic = 0.0
    card, hand = 0, 0
    for stratum in range(strata):
        last_card, last_hand = workspace.card_ends[stratum], workspace.hand_ends[stratum] - 1
        total = last_card - card
        for level in range(level_count):
            left[level] = columns[stratum, level]
        while hand < last_hand:
            for level in range(level_count):
                counts[level] = 0
            for _ in range(workspace.hands[hand]):
                drawn = card + draw_below(workspace.random, last_card - card)
                code = cards[drawn]
                cards[drawn] = cards[card]
                cards[card] = code
                counts[code] += 1
                left[code] -= 1
                card += 1
            statistic += row_terms(
                data, counts, workspace.hands[hand], columns[stratum], total, statistic_kind
            )
            hand += 1
        statistic += row_terms(data, left, workspace.hands[hand], columns[stratum], total, statistic_kind)
        hand += 1
        card = last_card
    return statistic


# So many shuffled tables as extreme as the observed one make p clear to about a fifth of itself.
_ENOUGH = 20
# After so many, none of them as extreme, a fitted p below the limit ends the shuffling.
_FIRST_LOOK, _NEVER = 99, 0
_LOG_CLEAR = math.log(1e-6)

# Below this, rounding.
_LEAST_VARIANCE = 1e-9

_LEAST_DOF = 1e-12
_MOST_DOF = 1e9
_HALVINGS = 64
_KEY_BYTES = 8


def arrange_g_squared(columns: TestColumns, options: TestOptions) -> ContingencyData:
    """Arrange categories for G² by permutation."""
    return _arranged(columns, options, G_SQUARED)


def arrange_pearson(columns: TestColumns, options: TestOptions) -> ContingencyData:
    """Arrange categories for Pearson's X² by permutation."""
    return _arranged(columns, options, PEARSON)


def _arranged(columns: TestColumns, options: TestOptions, statistic: int) -> ContingencyData:
    table = permutation_table(
        columns.values,
        columns.levels,
        columns.names,
        statistic=statistic,
        permutations=options.permutations,
        seed=options.permutation_seed,
        **options.rules,
    )
    return ContingencyData(table, columns.names, columns.rows, traits=columns.traits, present=table.present)


def permutation_table(
    columns: Sequence[np.ndarray],
    levels: Sequence[int],
    names: Sequence[str],
    *,
    statistic: int = G_SQUARED,
    permutations: int = 999,
    seed: int = 0,
    min_rows_per_dof: float = 0.0,
    min_rows_per_cell: float = 0.0,
) -> PermutationTable:
    """Arrange coded columns, negative where missing; their names and the seed decide the random numbers."""
    level_counts = np.asarray(levels, dtype=np.int64)
    rows = columns[0].shape[0]
    codes, present = codes_and_presence(columns, level_counts)
    return PermutationTable(
        codes=codes,
        present=present,
        levels=level_counts,
        keys=np.array([_key(seed, name) for name in names], dtype=np.uint64),
        entropy_terms=entropy_terms(rows),
        statistic=statistic,
        permutations=permutations,
        min_rows_per_dof=float(min_rows_per_dof),
        min_rows_per_cell=float(min_rows_per_cell),
        rounding=8.0 * np.finfo(np.float64).eps * rows * math.log(rows + 2.0),
    )


def _key(seed: int, name: str) -> int:
    text = f"{seed}\0{name}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=_KEY_BYTES).digest(), "little")


@kernel_part
def test_permutation(
    data: PermutationTable,
    workspace: PermutationWorkspace,
    critical: CriticalValues,
    hypothesis: Hypothesis,
) -> Any:
    """Test two nominal variables given a set; ratio is log p over log α, dof as of chi-squared."""
    x, y, given, size = hypothesis
    strata = 1.0
    for position in range(size):
        strata *= data.levels[given[position]]
    cells = strata * data.levels[x] * data.levels[y]
    nominal_dof = (data.levels[x] - 1.0) * (data.levels[y] - 1.0) * strata
    rows = find_complete(data.present, hypothesis, workspace.complete)
    reliable = has_rows_enough(data, rows, nominal_dof, cells)
    if rows < data.codes.shape[1] and rows < FEWEST_ROWS:
        reliable = False
    _start_random_numbers(data, workspace, hypothesis)
    if not _is_dealt_to(data, workspace, x, y):
        x, y = y, x
    strata_left, columns, statistic, dof, constant = arrange(data, workspace, x, y, size, data.statistic)
    if statistic < data.rounding:
        return 0.0, dof, 0.0, reliable
    log_p = _log_p_by_shuffling(data, workspace, strata_left, columns, statistic, dof, constant, _FIRST_LOOK)
    least = -math.log(1.0 + data.permutations)
    if data.statistic == PEARSON and log_p < least:
        of_g_squared = _log_tail_of_g_squared(data, workspace, x, y, size)
        if of_g_squared > _LOG_CLEAR:
            log_p = _log_p_by_shuffling(
                data, workspace, strata_left, columns, statistic, dof, constant, _NEVER
            )
        log_p = max(log_p, min(of_g_squared, least))
    return statistic, _effective_dof(statistic, dof, log_p), log_p / critical.log_alpha, reliable


@inlined_part
def _start_random_numbers(
    data: PermutationTable, workspace: PermutationWorkspace, hypothesis: Hypothesis
) -> None:
    """Sort the set by the keys, and make a state of all keys that no order of the variables changes."""
    x, y, given, size = hypothesis
    state = scramble(data.keys[x] + data.keys[y])
    for position in range(size):
        variable = given[position]
        state += scramble(~data.keys[variable])
        free = position
        while free > 0 and data.keys[workspace.given[free - 1]] > data.keys[variable]:
            workspace.given[free] = workspace.given[free - 1]
            free -= 1
        workspace.given[free] = variable
    workspace.random[0] = scramble(state)


@inlined_part
def _is_dealt_to(data: PermutationTable, workspace: PermutationWorkspace, x: int, y: int) -> bool:
    """Tell whether to deal the values of y to the levels of x: cheap where one level of x is common."""
    commonest_x = rows_of_commonest_level(data, workspace, x)
    commonest_y = rows_of_commonest_level(data, workspace, y)
    if commonest_x != commonest_y:
        return commonest_x > commonest_y
    return data.keys[x] > data.keys[y]  # type: ignore[no-any-return]


@kernel_part
def _log_p_by_shuffling(
    data: PermutationTable,
    workspace: PermutationWorkspace,
    strata: int,
    columns: np.ndarray,
    observed: float,
    dof: float,
    constant: float,
    first_look: int,
) -> float:
    """Shuffle until p is clear, or often enough."""
    as_large, permutations = 0, 0
    total, squares = 0.0, 0.0
    while permutations < data.permutations:
        statistic = shuffled_statistic(data, workspace, strata, columns, data.statistic) + constant
        permutations += 1
        total += statistic
        squares += statistic * statistic
        if statistic >= observed - data.rounding:
            as_large += 1
            if as_large == _ENOUGH:
                return math.log(as_large / permutations)
        if permutations == first_look and as_large == 0:
            fitted = _log_fitted_tail(observed, total / permutations, squares / permutations, dof)
            if fitted < _LOG_CLEAR:
                return fitted
    log_share = math.log((1.0 + as_large) / (1.0 + permutations))
    if as_large > 0:
        return log_share
    return min(log_share, _log_fitted_tail(observed, total / permutations, squares / permutations, dof))


@kernel_part
def _log_tail_of_g_squared(
    data: PermutationTable, workspace: PermutationWorkspace, x: int, y: int, size: int
) -> float:
    """Return the fitted tail of G² of the same table."""
    strata, columns, observed, dof, constant = arrange(data, workspace, x, y, size, G_SQUARED)
    total, squares = 0.0, 0.0
    for _ in range(_FIRST_LOOK):
        statistic = shuffled_statistic(data, workspace, strata, columns, G_SQUARED) + constant
        total += statistic
        squares += statistic * statistic
    return _log_fitted_tail(observed, total / _FIRST_LOOK, squares / _FIRST_LOOK, dof)


@kernel_part
def _log_fitted_tail(observed: float, mean: float, mean_square: float, dof: float) -> float:
    """Return the larger tail of two laws fitted to the shuffled statistics."""
    by_mean = log_chi2_sf(observed, max(mean, dof))
    variance = mean_square - mean * mean
    if variance < _LEAST_VARIANCE:
        return by_mean
    scale = 0.5 * variance / mean
    return max(by_mean, log_chi2_sf(observed / scale, mean / scale))


@kernel_part
def _effective_dof(statistic: float, dof: float, log_p: float) -> float:
    """Find the degrees of freedom with which chi-squared gives a statistic a p-value, by halving."""
    if log_p == log_chi2_sf(statistic, dof):
        return dof
    low, high = math.log(_LEAST_DOF), math.log(_MOST_DOF)
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        if log_chi2_sf(statistic, math.exp(middle)) < log_p:
            low = middle
        else:
            high = middle
    return math.exp(high)


register_test(PermutationTable, new_permutation_workspace, test_permutation, dof_of_levels)
