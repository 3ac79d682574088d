"""What combinations of levels leave to be said about a column, for many columns that could join them."""

from __future__ import annotations

import numpy as np

from engine.compiled.decorators import counting_kernel


@counting_kernel
def fill_costs(
    numbers: np.ndarray,
    combinations: int,
    columns: np.ndarray,
    sizes: np.ndarray,
    outcome: np.ndarray,
    counts: np.ndarray,
    terms: np.ndarray,
    price: float,
    table: np.ndarray,
    costs: np.ndarray,
) -> None:
    """Write how many nats describe an outcome given combinations of levels with each of some columns.

    Parameters
    ----------
    numbers : ndarray of int64, shape (rows,)
        Combination of each row, ``0 … combinations - 1``.
    combinations : int
    columns : ndarray of int64, shape (columns, rows)
        Codes of the columns that could join.
    sizes : ndarray of int64, shape (columns,)
        Number of levels of each.
    outcome : ndarray of int64, shape (rows,)
        Codes of the outcome.
    counts : ndarray of int64, shape (rows,)
        How often each row occurs.
    terms : ndarray of float64
        ``n log n`` for each count that can occur.
    price : float
        What a combination that occurs costs.
    table : ndarray of int64, shape (cells, levels)
        Working memory, with a cell for each combination with the levels of the widest column.
    costs : ndarray of float64, shape (columns,)
        To be written.
    """
    levels = table.shape[1]
    for place in range(columns.shape[0]):
        size = sizes[place]
        cells = combinations * size
        for cell in range(cells):
            for level in range(levels):
                table[cell, level] = 0
        for row in range(numbers.shape[0]):
            table[numbers[row] * size + columns[place, row], outcome[row]] += counts[row]
        cost = 0.0
        for cell in range(cells):
            total = 0
            for level in range(levels):
                total += table[cell, level]
                cost -= terms[table[cell, level]]
            if total > 0:
                cost += terms[total] + price
        costs[place] = cost
