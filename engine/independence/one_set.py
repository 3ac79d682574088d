"""One nominal variable against many others given one and the same set.

The strata are numbered once, and those in which the variable has a single level are left out: they add
nothing to the statistic nor to the degrees of freedom, whatever the other variable is. Given a large set
most strata are of this kind.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.compiled.decorators import kernel
from engine.independence.contingency import add_strata
from engine.independence.counting import DIRECT_STRATA, number_strata
from engine.independence.discrete import outcome_of
from engine.independence.discrete_table import DiscreteTable, DiscreteWorkspace, new_discrete_workspace


def run_tests_given(
    data: DiscreteTable, x: int, others: np.ndarray, given: np.ndarray, stop: np.ndarray
) -> Any:
    """Test a variable against others given a set.

    Parameters
    ----------
    data : DiscreteTable
    x : int
        Position of the variable.
    others : ndarray of int64, shape (tests,)
        Positions of the others.
    given : ndarray of int64, shape (size,)
        The set.
    stop : ndarray of uint8, shape (1,)
        Not 0 asks to stop; the arrays are then unfinished and must not be used.

    Returns
    -------
    statistic, dof, ratio : ndarray of float64, shape (tests,)
    reliable : ndarray of bool, shape (tests,)
        The same as of tests one by one.
    """
    rows = data.codes.shape[1]
    most_strata = max(DIRECT_STRATA, rows)
    return _run_tests_given(
        data,
        new_discrete_workspace(data, 0),
        x,
        others,
        given,
        np.empty(most_strata, np.int64),
        np.empty(most_strata, np.int64),
        np.empty(rows, np.int64),
        np.empty(rows, np.int64),
        stop,
    )


@kernel
def _run_tests_given(
    data: DiscreteTable,
    workspace: DiscreteWorkspace,
    x: int,
    others: np.ndarray,
    given: np.ndarray,
    level_seen: np.ndarray,
    new_number: np.ndarray,
    kept_row: np.ndarray,
    kept_line: np.ndarray,
    stop: np.ndarray,
) -> Any:
    """Keep the rows of strata in which `x` varies, each with its line of the table, and count those alone."""
    strata = number_strata(data.codes, data.levels, workspace.stratum_of_row, given, given.shape[0])
    codes_x, levels_x = data.codes[x], data.levels[x]
    for stratum in range(strata):
        level_seen[stratum] = -1
        new_number[stratum] = -1
    for row in range(codes_x.shape[0]):
        stratum = workspace.stratum_of_row[row]
        if level_seen[stratum] == -1:
            level_seen[stratum] = codes_x[row]
        elif level_seen[stratum] != codes_x[row]:
            new_number[stratum] = 0
    kept_strata = 0
    for stratum in range(strata):
        if new_number[stratum] == 0:
            new_number[stratum] = kept_strata
            kept_strata += 1
    kept_rows = 0
    for row in range(codes_x.shape[0]):
        number = new_number[workspace.stratum_of_row[row]]
        if number >= 0:
            kept_row[kept_rows] = row
            kept_line[kept_rows] = number * levels_x + codes_x[row]
            kept_rows += 1
    all_strata = 1.0
    for place in range(given.shape[0]):
        all_strata *= data.levels[given[place]]
    count = others.shape[0]
    statistics, dofs, ratios = np.empty(count), np.empty(count), np.empty(count)
    reliable = np.empty(count, np.bool_)
    for place in range(count):
        if stop[0]:
            break
        y = others[place]
        codes_y, levels_y = data.codes[y], data.levels[y]
        block = levels_x * levels_y
        counts = np.zeros(kept_strata * block, np.int64)
        for kept in range(kept_rows):
            counts[kept_line[kept] * levels_y + codes_y[kept_row[kept]]] += 1
        workspace.law[:] = 0.0
        statistic, observed_dof = add_strata(
            data, workspace, counts, kept_strata, levels_x, levels_y, 0.0, 0.0
        )
        outcome = outcome_of(data, workspace, x, y, all_strata, statistic, observed_dof)
        statistics[place], dofs[place], ratios[place], reliable[place] = outcome
    return statistics, dofs, ratios, reliable
