"""How well models of dependence fit every set of a few variables: what scores of graphs are made of.

The score of a variable and its parents is the fit of all of them together less that of the parents alone.
Made of fits of sets it is the same for all graphs that say the same of which variables are independent (score
equivalence: Heckerman, Geiger and Chickering 1995, Learning Bayesian networks, Machine Learning 20:197-243).
Sets are written as bits: variable v is in set m where ``m >> v & 1``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.compiled.decorators import counting_kernel, counting_part

# So many rows for each column, so that the columns of all variables together do not explain rows by chance.
ROWS_PER_COLUMN = 10.0
# With more columns, as categories of many levels have, all sets would take longer than the search.
_MOST_COLUMNS = 65
# Columns of 0 and 1 take more memory than the codes that they are made of.
_ROWS_AT_ONCE = 1 << 14
# What is left of a column of which others leave less is rounding error.
_DETERMINED = 1e-10


class SetFits(NamedTuple):
    """Fits of all sets of n variables, by bit set."""

    # (2^n,): twice the logarithm of how much likelier the rows are when the variables of a set depend on one
    # another as a model allows than when they are independent; 0 for sets of one
    statistic: np.ndarray
    dof: np.ndarray  # (2^n,): parameters of that dependence


def borne_variables(widths: Sequence[int] | np.ndarray, rows: float) -> int:
    """Return how many of some variables with so many columns, from the first on, fit into one model."""
    return int((np.cumsum(widths) <= min(rows / ROWS_PER_COLUMN, _MOST_COLUMNS)).sum())


def sums_over_sets(values: np.ndarray) -> np.ndarray:
    """Add up the values of the variables of each set: (n,) to (2^n,), or (several, n) to (several, 2^n).

    >>> sums_over_sets(np.array([1.0, 2.0, 4.0])).tolist()
    [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]
    """
    count = values.shape[-1]
    sums = np.zeros((*values.shape[:-1], 1 << count))
    for number in range(count):
        without = 1 << number
        sums[..., without : 2 * without] = sums[..., :without] + values[..., number : number + 1]
    return sums


def log_principal_minors(products: np.ndarray, widths: Sequence[int]) -> np.ndarray:
    """Return the log determinants of the products of the columns of every set of variables.

    Each variable is struck out or eliminated (Griffin and Tsatsomeros 2006, Linear Algebra and its
    Applications 419:107-124). Its `widths` columns stand together with length 1; determined ones count as
    rounding error.
    """
    count = len(widths)
    starts = np.cumsum([0, *widths])
    logs = np.zeros(1 << count)
    _fill_log_minors(products, starts, np.empty((count, *products.shape)), np.empty(count, np.int64), logs)
    return logs


@counting_kernel
def _fill_log_minors(
    products: np.ndarray, starts: np.ndarray, left: np.ndarray, sets: np.ndarray, logs: np.ndarray
) -> None:
    """Write the log determinant of each set, from that of the set without its last variable.

    Sets come in the order of their reversed numbers: `left` has what each last variable leaves of later ones,
    `sets` its set.
    """
    count = starts.shape[0] - 1
    for number in range(1, logs.shape[0]):
        place = 0
        while not number >> place & 1:
            place += 1
        last, rest = count - 1 - place, number >> place + 1
        source, members = products, 0
        if rest:
            before = last - 1
            while not rest & 1:
                rest >>= 1
                before -= 1
            source, members = left[before], sets[before]
        sets[last] = members | 1 << last
        logs[sets[last]] = logs[members] + _log_eliminated(source, left[last], starts[last], starts[last + 1])


@counting_part
def _log_eliminated(source: np.ndarray, left: np.ndarray, begin: int, end: int) -> float:
    """Write what columns leave of later ones, above the diagonal; give the log determinant of their own."""
    width = source.shape[0]
    for row in range(begin, width):
        for column in range(row, width):
            left[row, column] = source[row, column]
    log = 0.0
    for pivot in range(begin, end):
        remaining = left[pivot, pivot]
        log += math.log(max(remaining, _DETERMINED))
        if remaining > _DETERMINED:
            for row in range(pivot + 1, width):
                factor = left[pivot, row] / remaining
                for column in range(row, width):
                    left[row, column] -= factor * left[pivot, column]
    return log


def gaussian_fits(products: np.ndarray, widths: Sequence[int], rows: float) -> SetFits:
    """Return Gaussian fits from correlations of columns, of which those of a variable stand side by side."""
    minors = log_principal_minors(products, widths)
    counts = np.array(widths, dtype=np.float64)
    terms = np.array((minors[1 << np.arange(len(widths))], counts, counts**2))
    alone, columns, squares = sums_over_sets(terms)
    return SetFits(rows * (alone - minors), 0.5 * (columns * columns - squares))


def category_fits(codes: np.ndarray, times: np.ndarray) -> SetFits | None:
    """Return Gaussian fits of sets of categories; each level but the first is a column of 0 and 1.

    Parameters
    ----------
    codes : ndarray, shape (variables, rows)
        Levels in complete rows. Of so many rows only the first variables may fit into one model.
    times : ndarray, shape (rows,)
        How often each row occurred, as whole numbers, so that sums are exact.

    Returns
    -------
    SetFits or None
        None where not even two variables fit.

    Two causes of what stands first:

    >>> codes = np.array([[0, 0, 0, 1] * 10, [0, 0, 1, 1] * 10, [0, 1, 0, 1] * 10])
    >>> category_fits(codes, np.ones(40)).dof.tolist()
    [0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 3.0]
    """
    rows = float(times.sum())
    levels = [np.flatnonzero(np.bincount(column))[1:, np.newaxis] for column in codes]
    levels = levels[: borne_variables([len(present) for present in levels], rows)]
    if len(levels) < 2:
        return None
    widths = [len(present) for present in levels]
    sums, products = np.zeros(sum(widths)), np.zeros((sum(widths), sum(widths)))
    for begin in range(0, len(times), _ROWS_AT_ONCE):
        some = slice(begin, begin + _ROWS_AT_ONCE)
        columns = np.concatenate(
            [column[some] == present for column, present in zip(codes, levels, strict=False)],
            dtype=np.float64,
        )
        counted = columns * times[some]
        sums += counted.sum(axis=1)
        products += counted @ columns.T
    covariances = products / rows - np.outer(sums, sums) / rows**2
    lengths = np.sqrt(np.diag(covariances))
    return gaussian_fits(covariances / np.outer(lengths, lengths), widths, rows)
