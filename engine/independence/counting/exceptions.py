"""What combinations of levels leave to be said about a column, for many columns that could join them."""

from __future__ import annotations

import numpy as np

from engine.compiled.decorators import counting_kernel


@counting_kernel
def fill_costs(
    cells: np.ndarray,
    combinations: int,
    columns: np.ndarray,
    places: np.ndarray,
    sizes: np.ndarray,
    counts: np.ndarray,
    terms: np.ndarray,
    price: float,
    table: np.ndarray,
    costs: np.ndarray,
) -> None:
    """Write how many nats describe an outcome given combinations of levels with each of some columns.

    Parameters
    ----------
    cells : ndarray of int32, shape (rows,)
        Combination of each row, ``0 … combinations - 1``, times the levels of the outcome, plus its code of
        the outcome.
    combinations : int
    columns : ndarray of int32, shape (columns, rows)
        Codes of columns.
    places : ndarray of int64, shape (places,)
        Which columns could join.
    sizes : ndarray of int64, shape (columns,)
        Number of levels of each column.
    counts : ndarray of int64, shape (rows,)
        How often each row occurs.
    terms : ndarray of float64
        ``n log n`` for each count that can occur.
    price : float
        What a combination that occurs costs.
    table : ndarray of int64, shape (widest, combinations, levels)
        Working memory, for the levels of the widest column.
    costs : ndarray of float64, shape (columns,)
        To be written, at the places.
    """
    levels = table.shape[2]
    for place in places:
        size = sizes[place]
        for code in range(size):
            for combination in range(combinations):
                for level in range(levels):
                    table[code, combination, level] = 0
        flat = table.reshape(table.shape[0], combinations * levels)
        column = columns[place]
        for row in range(cells.shape[0]):
            flat[column[row], cells[row]] += counts[row]
        cost = 0.0
        for combination in range(combinations):
            for code in range(size):
                total = 0
                for level in range(levels):
                    count = table[code, combination, level]
                    if count > 0:
                        total += count
                        cost -= terms[count]
                if total > 0:
                    cost += terms[total] + price
        costs[place] = cost
