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
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.compiled.decorators import inlined_part, kernel_part
from engine.independence.arranging import TestColumns
from engine.independence.chi_squared import log_chi2_sf
from engine.independence.counting.table import (
    FEWEST_ROWS,
    G_SQUARED,
    PEARSON,
    codes_and_presence,
    find_complete,
    has_rows_enough,
)
from engine.independence.discrete.complete import entropy_terms
from engine.independence.discrete.data import ContingencyData
from engine.independence.discrete.shuffling import (
    PermutationTable,
    PermutationWorkspace,
    arrange,
    new_permutation_workspace,
    rows_of_commonest_level,
    scramble,
    shuffled_statistic,
)
from engine.independence.interface import dof_of_levels, register_test
from engine.independence.options import TestOptions

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


@dataclass(frozen=True, eq=False)
class PermutationData(ContingencyData):
    """Categories whose values are shuffled."""

    def _table_at_level(self, alpha: float) -> Any:
        return self.table._replace(log_alpha=math.log(alpha))


def arrange_g_squared(columns: TestColumns, options: TestOptions) -> PermutationData:
    """Arrange categories for G² by permutation."""
    return _arranged(columns, options, G_SQUARED)


def arrange_pearson(columns: TestColumns, options: TestOptions) -> PermutationData:
    """Arrange categories for Pearson's X² by permutation."""
    return _arranged(columns, options, PEARSON)


def _arranged(columns: TestColumns, options: TestOptions, statistic: int) -> PermutationData:
    table = permutation_table(
        columns.values,
        columns.levels,
        columns.names,
        alpha=options.alpha,
        statistic=statistic,
        permutations=options.permutations,
        seed=options.permutation_seed,
        **options.rules,
    )
    return PermutationData(
        table, columns.names, columns.rows, options.alpha, columns.traits, present=table.present
    )


def permutation_table(
    columns: Sequence[np.ndarray],
    levels: Sequence[int],
    names: Sequence[str],
    *,
    alpha: float,
    statistic: int = G_SQUARED,
    permutations: int = 999,
    seed: int = 0,
    min_rows_per_dof: float = 0.0,
    min_rows_per_cell: float = 0.0,
) -> PermutationTable:
    """Arrange coded columns for shuffling.

    Parameters
    ----------
    columns : sequence of ndarray of int, each of shape (rows,)
        Codes, negative where missing.
    levels : sequence of int
        Number of levels of each column.
    names : sequence of str
        Names of the columns, which decide the random numbers together with the seed.
    alpha : float
        Level of the tests.
    statistic : int
        ``G_SQUARED`` or ``PEARSON``.
    permutations : int
        Most permutations of a test.
    seed : int
        Start of the random numbers.
    min_rows_per_dof, min_rows_per_cell : float
        Reliability rules; 0 switches one off.

    Returns
    -------
    PermutationTable
    """
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
        log_alpha=math.log(alpha),
        min_rows_per_dof=float(min_rows_per_dof),
        min_rows_per_cell=float(min_rows_per_cell),
        rounding=8.0 * np.finfo(np.float64).eps * rows * math.log(rows + 2.0),
    )


def _key(seed: int, name: str) -> int:
    text = f"{seed}\0{name}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=_KEY_BYTES).digest(), "little")


@kernel_part
def test_permutation(
    data: PermutationTable, workspace: PermutationWorkspace, x: int, y: int, given: np.ndarray, size: int
) -> Any:
    """Test two nominal variables given a set.

    Returns
    -------
    statistic : float
    dof : float
        Effective degrees of freedom: those with which chi-squared gives the statistic its p-value.
    ratio : float
        log p over the logarithm of the level.
    reliable : bool
        Whether there are enough complete rows, and the reliability rules let the test count.
    """
    strata = 1.0
    for position in range(size):
        strata *= data.levels[given[position]]
    cells = strata * data.levels[x] * data.levels[y]
    nominal_dof = (data.levels[x] - 1.0) * (data.levels[y] - 1.0) * strata
    rows = find_complete(data.present, x, y, given, size, workspace.complete)
    reliable = has_rows_enough(data, rows, nominal_dof, cells)
    if rows < data.codes.shape[1] and rows < FEWEST_ROWS:
        reliable = False
    _start_random_numbers(data, workspace, x, y, given, size)
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
    return statistic, _effective_dof(statistic, dof, log_p), log_p / data.log_alpha, reliable


test_permutation.__test__ = False  # type: ignore[attr-defined]


@inlined_part
def _start_random_numbers(
    data: PermutationTable, workspace: PermutationWorkspace, x: int, y: int, given: np.ndarray, size: int
) -> None:
    """Sort the set by the keys, and make a state of all keys that no order of the variables changes."""
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
    as_large, made = 0, 0
    total, squares = 0.0, 0.0
    while made < data.permutations:
        statistic = shuffled_statistic(data, workspace, strata, columns, data.statistic) + constant
        made += 1
        total += statistic
        squares += statistic * statistic
        if statistic >= observed - data.rounding:
            as_large += 1
            if as_large == _ENOUGH:
                return math.log(as_large / made)
        if made == first_look and as_large == 0:
            fitted = _log_fitted_tail(observed, total / made, squares / made, dof)
            if fitted < _LOG_CLEAR:
                return fitted
    log_share = math.log((1.0 + as_large) / (1.0 + made))
    if as_large > 0:
        return log_share
    return min(log_share, _log_fitted_tail(observed, total / made, squares / made, dof))


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
