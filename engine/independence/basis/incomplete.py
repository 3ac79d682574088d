"""The likelihood ratio with basis functions where values are missing, or rows stand for several.

Each test rests on the rows that are complete in its own variables. Columns that are orthonormal over all
rows are not so over these: their means, lengths and products are made over the rows of the test, once for
each pair of variables and pattern of complete rows. That assumes that rows are missing for reasons that have
nothing to do with the tested variables once what is held fixed is known (Little and Rubin 2019, Statistical
Analysis with Missing Data, 3rd ed., section 3.2).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from engine.compiled.decorators import counting_part, int64, merged_part
from engine.independence.basis.ratio import find_offsets, likelihood_ratio, sort_members, squared_length
from engine.independence.basis.table import (
    BasisTable,
    BasisWorkspace,
    block_width,
    column_of,
    columns_of_itself,
    new_basis_workspace,
    place_of,
    product_memory,
)
from engine.independence.chi_squared import CriticalValues
from engine.independence.discrete.table import FEWEST_ROWS, find_complete, is_complete
from engine.independence.interface import Hypothesis, register_test
from engine.independence.linear_systems import product

# A column whose deviations over the rows of a test are below this share of its length is constant there.
CONSTANT = 1e-12
_HASH_START = np.uint64(14695981039346656037)
_HASH_FACTOR = np.uint64(1099511628211)


class IncompleteBasisTable(NamedTuple):
    """Blocks of columns with missing values."""

    counted: BasisTable  # columns are 0 in rows where their variable has no value; no products
    present: np.ndarray  # (variables, words): rows that have a value, as bits
    weights: np.ndarray  # how many rows each row stands for


class IncompleteBasisWorkspace(NamedTuple):
    """Working memory of one search."""

    counted: BasisWorkspace  # remembers products over the rows of a pattern
    complete: np.ndarray  # (words,): rows of the test, as bits
    weights: np.ndarray  # (rows,), 0 in rows outside the test
    column: np.ndarray  # a column times them


def new_incomplete_basis_workspace(
    data: IncompleteBasisTable, max_conditioning: int
) -> IncompleteBasisWorkspace:
    """Allocate working memory for conditioning sets of up to `max_conditioning` variables."""
    rows, widest = data.weights.shape[0], data.counted.widest
    memory = product_memory(data.weights, widest, widest)
    return IncompleteBasisWorkspace(
        new_basis_workspace(data.counted, max_conditioning, memory),
        np.empty(data.present.shape[1], np.uint64),
        np.empty(rows),
        np.empty(rows),
    )


@counting_part
def test_incomplete_basis(
    data: IncompleteBasisTable,
    workspace: IncompleteBasisWorkspace,
    critical: CriticalValues,
    hypothesis: Hypothesis,
) -> Any:
    """Test two variables of any kind given a set, on the rows that are complete in all of them."""
    size = hypothesis.size
    counted = workspace.counted
    rows = find_complete(data.present, hypothesis, workspace.complete)
    if rows < FEWEST_ROWS:
        return 0.0, 0.0, 0.0, False
    unpack_weights(data.weights, workspace.complete, workspace.weights)
    total = _total(workspace.weights)
    sort_members(counted.members, hypothesis)
    find_offsets(data.counted, counted, size)
    products_of_test(data, workspace, size, combined(workspace.complete), total)
    if size > 0:
        scale_itself(data.counted, counted, size, size)
        scale_itself(data.counted, counted, size, size + 1)
    standardise(counted.matrix, counted.offsets[size + 2])
    return likelihood_ratio(data.counted, counted, critical, size, total)


@counting_part
def unpack_weights(weights: np.ndarray, complete: np.ndarray, used: np.ndarray) -> None:
    """Write the weights of the rows that a set of rows holds, 0 for others."""
    for row in range(weights.shape[0]):
        used[row] = is_complete(complete, row) * weights[row]


@counting_part
def _total(weights: np.ndarray) -> float:
    total = 0.0
    for row in range(weights.shape[0]):
        total += weights[row]
    return total


@merged_part
def combined(words: np.ndarray) -> int:
    """Return a number for a list of numbers: others have, but for one in 2^64 cases, different ones."""
    code = _HASH_START
    for word in range(words.shape[0]):
        code = (code ^ np.uint64(words[word])) * _HASH_FACTOR
        code ^= code >> np.uint64(29)
    return int64(code)


@counting_part
def products_of_test(data: Any, workspace: Any, size: int, pattern: int, total: float) -> None:
    """Write the products of the columns of a test over the rows of a pattern, looked up or made."""
    members = workspace.counted.members
    for position in range(size + 2):
        for later in range(position, size + 2):
            pair = _place_of_pair(data, workspace, members[position], members[later], pattern, total)
            _write_block(workspace.counted, position, later, pair)


@counting_part
def _place_of_pair(
    data: Any,
    workspace: Any,
    left: int,
    right: int,
    pattern: int,
    total: float,
) -> int:
    """Find the place that remembers the products of a pair over some rows; they are made if none does."""
    low, high = min(left, right), max(left, right)
    key = pattern ^ (low * data.present.shape[0] + high)
    counted = workspace.counted
    position = place_of(counted.memory, key)
    if counted.memory.keys[position] != key:
        _make_products(data, workspace, low, high, total, counted.memory.blocks[position])
        counted.memory.keys[position] = key
    return position


@merged_part
def _write_block(workspace: BasisWorkspace, position: int, later: int, pair: int) -> None:
    """Write the products of two variables of a test that are remembered at the place `pair`."""
    matrix, offsets, block = workspace.matrix, workspace.offsets, workspace.memory.blocks[pair]
    is_turned = workspace.members[position] > workspace.members[later]
    for row in range(offsets[position + 1] - offsets[position]):
        for column in range(offsets[later + 1] - offsets[later]):
            product = block[column, row] if is_turned else block[row, column]
            matrix[offsets[position] + row, offsets[later] + column] = product


@counting_part
def _make_products(
    data: Any,
    workspace: Any,
    low: int,
    high: int,
    total: float,
    block: np.ndarray,
) -> None:
    """Multiply the deviations of the columns of two variables from their means over the rows of the test."""
    columns, weighted = data.counted.columns, workspace.column
    for left in range(block_width(data.counted, low)):
        column = columns[column_of(data.counted, low, left)]
        for row in range(column.shape[0]):
            weighted[row] = column[row] * workspace.weights[row]
        mean = product(column, workspace.weights) / total
        for right in range(block_width(data.counted, high)):
            second = columns[column_of(data.counted, high, right)]
            block[left, right] = product(weighted, second) - mean * product(second, workspace.weights)


@merged_part
def scale_itself(data: BasisTable, workspace: BasisWorkspace, size: int, position: int) -> None:
    """Write a number on its own scale in columns that will have length 1, and as one of length 1 itself."""
    own, itself, matrix = (
        data.itself[workspace.members[position]],
        workspace.itself[position - size],
        workspace.matrix,
    )
    first, second, rest = columns_of_itself(data, workspace, position)
    length = squared_length(matrix, own, first, second, rest)
    for number, column in enumerate((first, second, rest)):
        share = matrix[column, column] / length if length > CONSTANT else 0.0
        itself[number] = own[number] * np.sqrt(share)


@merged_part
def standardise(matrix: np.ndarray, width: int) -> None:
    """Turn products into correlations, above the diagonal; those of what is constant are 0."""
    for row in range(width):
        length = matrix[row, row]
        factor = 1.0 / np.sqrt(length) if length > CONSTANT else 0.0
        for column in range(row, width):
            matrix[row, column] *= factor
        for above in range(row + 1):
            matrix[above, row] *= factor


register_test(IncompleteBasisTable, new_incomplete_basis_workspace, test_incomplete_basis)
