"""G² of several tables that multiple imputation completed, pooled as a likelihood ratio.

The log likelihood of counts is a sum of counts times logarithms: the mean of those of the draws is that of
the mean counts, so that G² of all draws one below the other, over their number, is the ratio that
:func:`~engine.independence.chi_squared.pooled_likelihood_ratio` asks for. Degrees of freedom are the mean of
those that the draws have, as sparse as each is. Variables without gaps are the same in all draws, and are
tested once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from engine.compiled.decorators import counting_part, merged_part
from engine.independence.chi_squared import CriticalValues, pooled_outcome
from engine.independence.data import PooledData
from engine.independence.discrete.contingency import discrete_table, test_discrete
from engine.independence.discrete.table import DiscreteTable, DiscreteWorkspace, new_discrete_workspace
from engine.independence.interface import Hypothesis, dof_of_levels, register_test
from engine.table.code_blocks import level_sets


class PooledTable(NamedTuple):
    """Coded columns that are complete in several ways."""

    first: DiscreteTable  # the first draw
    stacked: DiscreteTable  # all draws one below the other
    codes: np.ndarray  # (draws, variables, rows)
    sets: np.ndarray  # (draws, all levels, words)
    set_sizes: np.ndarray  # (draws, all levels)
    differs: np.ndarray  # variables that are not the same in all draws
    levels: np.ndarray


class PooledWorkspace(NamedTuple):
    """Working memory of one thread."""

    first: DiscreteWorkspace
    stacked: DiscreteWorkspace
    memory_keys: np.ndarray  # (draws, remembered, 2)
    memory: np.ndarray  # (draws, remembered, cells)
    # Of the last test, the likelihood ratio of all draws together, and the variance between draws over that
    # within.
    pooled: np.ndarray


def pooled_table(completed: Sequence[np.ndarray], levels: Sequence[int], **counting: Any) -> PooledTable:
    """Arrange codes that are complete in several ways: (draws, rows), or one row if the same in all draws."""
    draws = max(len(completions) for completions in completed)
    counting["coded"] = None
    tables = [
        [completions[min(draw, len(completions) - 1)] for completions in completed] for draw in range(draws)
    ]
    first = discrete_table(tables[0], levels, **counting)
    rows = [np.concatenate([table[position] for table in tables]) for position in range(len(completed))]
    stacked = discrete_table(rows, levels, **{**counting, "effective": False})
    # Of the same type as one draw of all, so that counting is compiled once.
    stacked = stacked._replace(codes=np.array(stacked.codes), sets=np.array(stacked.sets))
    codes = np.array([np.array(table) for table in tables]).astype(first.codes.dtype)
    sets = np.array([level_sets(code, first.levels, and_all_rows=True) for code in codes])
    return PooledTable(
        first=first,
        stacked=stacked,
        codes=codes,
        sets=sets,
        set_sizes=np.bitwise_count(sets).sum(axis=2, dtype=np.int64),
        differs=np.array([len(completions) > 1 for completions in completed]),
        levels=first.levels,
    )


def new_pooled_workspace(data: PooledTable, max_conditioning: int) -> PooledWorkspace:
    """Allocate working memory for conditioning sets of up to `max_conditioning` variables."""
    first = new_discrete_workspace(data.first, max_conditioning)
    draws = len(data.codes)
    return PooledWorkspace(
        first,
        new_discrete_workspace(data.stacked, max_conditioning),
        np.zeros((draws, *first.memory_keys.shape), np.uint64),
        np.empty((draws, *first.memory.shape), np.int64),
        np.zeros(2),
    )


@merged_part
def _table_of(like: Any, codes: np.ndarray, sets: np.ndarray, set_sizes: np.ndarray) -> DiscreteTable:
    """Return a table of other values, all else like in this one."""
    return DiscreteTable(
        codes,
        like.levels,
        sets,
        like.offsets,
        set_sizes,
        like.entropy_terms,
        like.inverses,
        like.statistic,
        like.adjusted,
        like.effective,
        like.min_rows_per_dof,
        like.min_rows_per_cell,
        like.rounding,
        like.most_levels,
    )


@merged_part
def _workspace_of(like: Any, memory_keys: np.ndarray, memory: np.ndarray) -> DiscreteWorkspace:
    """Return a workspace that remembers other sets, all else like in this one."""
    return DiscreteWorkspace(
        like.strata,
        like.parts,
        like.position,
        like.stratum_of_row,
        like.counts,
        like.row_sums,
        like.column_sums,
        like.law,
        like.correlation_factors,
        like.column_parts,
        like.cells,
        like.keys,
        memory_keys,
        memory,
        like.moments,
    )


@counting_part
def test_pooled(
    data: PooledTable,
    workspace: PooledWorkspace,
    critical: CriticalValues,
    hypothesis: Hypothesis,
) -> Any:
    """Test two nominal variables given a set in all draws; of complete ones as of a table without draws."""
    x, y, given, size = hypothesis
    differs = data.differs[x] or data.differs[y]
    for position in range(size):
        differs = differs or data.differs[given[position]]
    draws = data.codes.shape[0] if differs else 1
    mean, dof, ratio, reliable = 0.0, 0.0, 0.0, True
    stacked = 0.0
    for draw in range(draws + 1 if differs else 1):
        # One call for all, as it is compiled as often as it stands here.
        if draw == draws:
            if dof <= 0.0:
                break
            rows, room = data.stacked, workspace.stacked
            table = _table_of(rows, rows.codes, rows.sets, rows.set_sizes)
            own = _workspace_of(room, room.memory_keys, room.memory)
        else:
            table = _table_of(data.first, data.codes[draw], data.sets[draw], data.set_sizes[draw])
            own = _workspace_of(workspace.first, workspace.memory_keys[draw], workspace.memory[draw])
        outcome = test_discrete(table, own, critical, hypothesis)
        if draw == draws:
            stacked = outcome[0] / draws
        else:
            mean += outcome[0]
            dof += outcome[1]
            ratio = outcome[2]
            reliable = reliable and outcome[3]
    mean, dof = mean / draws, dof / draws
    workspace.pooled[0], workspace.pooled[1] = mean, 0.0
    if not differs:
        return mean, dof, ratio, reliable
    statistic, dof, ratio = pooled_outcome(critical, workspace.pooled, mean, stacked, dof, draws)
    return statistic, dof, ratio, reliable


register_test(PooledTable, new_pooled_workspace, test_pooled, dof_of_levels)


@dataclass(frozen=True, eq=False)
class PooledContingencyData(PooledData):
    """Categories that are complete in several ways."""

    @property
    def strata(self) -> np.ndarray:
        """Levels of each variable: so many times more degrees of freedom when it is held fixed."""
        levels: np.ndarray = self.table.levels
        return levels
