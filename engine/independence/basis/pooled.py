"""The likelihood ratio with basis functions of several tables that multiple imputation completed, pooled.

Basis functions are made of the values that are known. What was drawn for a number is the value of another
row, and what was drawn for a category a level that occurs: the columns of a draw are those of other rows.
The log likelihood of jointly Gaussian columns is one of their means and products, so that the ratio of the
mean log likelihood, which :func:`~engine.independence.chi_squared.pooled_likelihood_ratio` asks for, is that
of the means and products of all draws together. Variables without gaps are tested once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from engine.compiled.decorators import counting_part, merged_part
from engine.independence.basis.data import DataWithCategories
from engine.independence.basis.incomplete import scale_itself, standardise
from engine.independence.basis.ratio import find_offsets, likelihood_ratio, pairs_compared, sort_members
from engine.independence.basis.table import (
    BasisTable,
    BasisWorkspace,
    ProductMemory,
    block_width,
    column_of,
    new_basis_workspace,
    no_memory,
    place_of,
    product_memory,
)
from engine.independence.chi_squared import CriticalValues, pooled_outcome
from engine.independence.data import PooledData
from engine.independence.interface import Hypothesis, register_test
from engine.independence.linear_systems import product


class PooledBasisTable(NamedTuple):
    """Blocks of columns that are complete in several ways."""

    counted: BasisTable  # the columns of the first draw; no products
    columns: np.ndarray  # (draws, columns, rows)
    differs: np.ndarray  # variables that are not the same in all draws


class PooledBasisWorkspace(NamedTuple):
    """Working memory of one search."""

    counted: BasisWorkspace  # without anything remembered
    memory: ProductMemory  # products of each draw, one below the other, and last of all together
    # Of the last test, the likelihood ratio of all draws together, and the variance between draws over that
    # within.
    pooled: np.ndarray


def new_pooled_basis_workspace(data: PooledBasisTable, max_conditioning: int) -> PooledBasisWorkspace:
    """Allocate working memory for conditioning sets of up to `max_conditioning` variables."""
    widest = data.counted.widest
    return PooledBasisWorkspace(
        new_basis_workspace(data.counted, max_conditioning, no_memory()),
        product_memory(data.columns, (len(data.columns) + 1) * widest, widest),
        np.zeros(2),
    )


@counting_part
def test_pooled_basis(
    data: PooledBasisTable,
    workspace: PooledBasisWorkspace,
    critical: CriticalValues,
    hypothesis: Hypothesis,
) -> Any:
    """Test two variables given a set in all draws; of complete variables as of a table without draws."""
    size = hypothesis.size
    counted, rows = workspace.counted, np.float64(data.columns.shape[2])
    sort_members(counted.members, hypothesis)
    find_offsets(data.counted, counted, size)
    differs = False
    for position in range(size + 2):
        differs = differs or data.differs[counted.members[position]]
    draws = data.columns.shape[0] if differs else 1
    mean, dof, stacked, ratio, reliable = 0.0, 0.0, 0.0, 0.0, True
    for draw in range(draws + (1 if differs else 0)):
        # After the last draw, all together.
        is_together = draw == draws
        _write_products(data, workspace, size, data.columns.shape[0] if is_together else draw)
        if size > 0:
            scale_itself(data.counted, counted, size, size)
            scale_itself(data.counted, counted, size, size + 1)
        standardise(counted.matrix, counted.offsets[size + 2])
        outcome = likelihood_ratio(data.counted, counted, critical, size, rows)
        reliable = reliable and outcome[3]
        if is_together:
            stacked = outcome[0]
        else:
            mean += outcome[0]
            dof += outcome[1]
            ratio = outcome[2]
    mean, dof = mean / draws, dof / draws
    workspace.pooled[0], workspace.pooled[1] = mean, 0.0
    if not differs:
        return mean, dof, ratio, reliable
    statistic, dof, ratio = pooled_outcome(critical, workspace.pooled, mean, stacked, dof, draws)
    return statistic, dof, ratio, reliable


@counting_part
def _write_products(data: PooledBasisTable, workspace: PooledBasisWorkspace, size: int, draw: int) -> None:
    """Write the products of all variables of a test in one draw, or in all together."""
    counted = workspace.counted
    offsets, members, matrix = counted.offsets, counted.members, counted.matrix
    first_row = draw * counted.second.shape[0]
    for position in range(size + 2):
        for later in range(position, size + 2):
            place = _place_of_pair(data, workspace, members[position], members[later])
            block = workspace.memory.blocks[place]
            is_turned = members[position] > members[later]
            for row in range(offsets[position + 1] - offsets[position]):
                for column in range(offsets[later + 1] - offsets[later]):
                    left, right = (column, row) if is_turned else (row, column)
                    matrix[offsets[position] + row, offsets[later] + column] = block[first_row + left, right]


@merged_part
def _place_of_pair(data: PooledBasisTable, workspace: PooledBasisWorkspace, left: int, right: int) -> int:
    low, high = min(left, right), max(left, right)
    key = low * data.differs.shape[0] + high
    place = place_of(workspace.memory, key)
    if workspace.memory.keys[place] != key:
        _make_products(data, low, high, workspace.counted.second.shape[0], workspace.memory.blocks[place])
        workspace.memory.keys[place] = key
    return place


@counting_part
def _make_products(data: PooledBasisTable, low: int, high: int, widest: int, block: np.ndarray) -> None:
    """Multiply the deviations of the columns of two variables from their means, in each draw and in all."""
    draws, rows = data.columns.shape[0], np.float64(data.columns.shape[2])
    # One variable without gaps and another make the same products in no two draws, two without in all.
    last = draws if data.differs[low] or data.differs[high] else 1
    for row in range(block_width(data.counted, low)):
        first = column_of(data.counted, low, row)
        for column in range(block_width(data.counted, high)):
            second = column_of(data.counted, high, column)
            together, sum_first, sum_second = 0.0, 0.0, 0.0
            for draw in range(last):
                left, right = data.columns[draw, first], data.columns[draw, second]
                products, mean_left, mean_right = product(left, right), _sum(left), _sum(right)
                together += products
                sum_first += mean_left
                sum_second += mean_right
                block[draw * widest + row, column] = products - mean_left * mean_right / rows
            count = np.float64(last)
            together = together / count - (sum_first / count) * (sum_second / count) / rows
            for draw in range(last, draws):
                block[draw * widest + row, column] = together
            block[draws * widest + row, column] = together


@counting_part
def _sum(values: np.ndarray) -> float:
    total = 0.0
    for row in range(values.shape[0]):
        total += values[row]
    return total


register_test(PooledBasisTable, new_pooled_basis_workspace, test_pooled_basis)


@dataclass(frozen=True, eq=False)
class PooledBasisData(DataWithCategories, PooledData):
    """Blocks of basis functions and categories that are complete in several ways."""

    def _pooled_ratio(self, x: int, y: int, given: Sequence[int]) -> tuple[float, float]:
        places = self.categories.positions((x, y), given)
        counted = self.categories.data
        if places is not None and isinstance(counted, PooledData):
            return counted._pooled_ratio(places[0], places[1], places[2:])
        return super()._pooled_ratio(x, y, given)

    def nominal_dof(self, x: int, y: int, given: Sequence[int]) -> int:
        """Count the degrees of freedom of a test: strata of what is counted, none of what is modelled."""
        places = self.categories.positions((x, y), given)
        if places is not None:
            return self.categories.data.nominal_dof(places[0], places[1], places[2:])
        return pairs_compared(self.table.counted, x, y, len(given))
