"""A variable as a block of orthonormal columns: the basis functions that a test works on.

A category is the space of the indicators of its levels; numbers have a module of their own.

Andrews, Ramsey and Cooper (2019), Learning high-dimensional directed acyclic graphs with mixed data-types,
Proceedings of Machine Learning Research 104:4-21; Ramsey, Andrews and others (2025) for basis functions.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import gammaln

from engine.independence.basis.far_tails import MOST_COLUMNS, cumulants_of

# A column of which the earlier ones of its block leave less than this share is rounding error.
DETERMINED = 1e-9
# From this share of its length on, a column is made orthogonal twice.
NEARLY_DETERMINED = 0.03
NOT_ITSELF = (0.0, 0.0, 0.0)


class Block(NamedTuple):
    """Basis functions of a variable over the rows in which it has a value."""

    columns: np.ndarray  # (columns, rows), each of mean 0 and length 1, at right angles
    tested: int  # how many, from the first, are tested; all of them are held fixed
    # (tested,): how many rows each tested column rests on, or the ones before it if these are fewer: 1 over
    # the sum of fourth powers, which of an indicator is about the number of rows that have it. Of a number,
    # of the polynomials of ranks that its tested columns were made of.
    carrying: np.ndarray
    skewness: np.ndarray  # of the same
    is_graded: bool = False  # of a number: the first is as much of its normal scores as the tested ones hold
    # The number on its own scale, written in the first two tested columns and the first further one; of
    # length 1. Zeros of categories, and of numbers for which the first column always stands.
    itself: tuple[float, float, float] = NOT_ITSELF
    arrangements: float = 0.0  # as of :func:`arrangements`
    # (tested, CUMULANTS): as `carrying` is, third and fourth of the first tested columns
    cumulants: np.ndarray | None = None

    @property
    def leading(self) -> int:
        """How many tested columns, from the first, stand for the variable itself."""
        return min(self.tested, 1) if self.is_graded else self.tested


def orthonormal_block(
    candidates: np.ndarray, least: np.ndarray, tested: int, times: np.ndarray | None = None
) -> Block:
    """Make columns orthonormal in their order, without those that the earlier ones determine.

    Earlier columns must leave at least the share `least` of each; the first `tested` candidates are tested.
    """
    rows = candidates.shape[1] if times is None else times.sum()
    means = candidates.mean(axis=1) if times is None else candidates @ times / rows
    columns = candidates - means[:, np.newaxis]
    products = _products(columns, times)
    lengths = np.sqrt(np.diagonal(products))
    varies = lengths > DETERMINED * np.sqrt(rows)
    lengths = np.where(varies, lengths, 1.0)
    products /= np.outer(lengths, lengths)
    independent = varies & _are_independent(products, least)
    triangle = np.linalg.cholesky(products[np.ix_(independent, independent)])
    columns = (np.linalg.inv(triangle) / lengths[independent]) @ columns[independent]
    if (np.diagonal(triangle) < NEARLY_DETERMINED).any():
        # Once more, since rounding errors are left where columns are much alike.
        columns = np.linalg.inv(np.linalg.cholesky(_products(columns, times))) @ columns
    tested = int(independent[:tested].sum())
    carrying, leaning = _rows_carrying(columns[:tested], times), _skewness(columns[:tested], times)
    return Block(np.ascontiguousarray(columns), tested, carrying, leaning)


def _products(columns: np.ndarray, times: np.ndarray | None) -> np.ndarray:
    products: np.ndarray = (columns if times is None else columns * times) @ columns.T
    return products


def _are_independent(products: np.ndarray, least: np.ndarray) -> np.ndarray:
    """Tell of which columns, from their products, the earlier ones leave at least a given share."""
    remaining = products.copy()
    independent = np.zeros(len(least), dtype=bool)
    for position, bound in enumerate(least):
        left = remaining[position, position]
        if left >= bound:
            independent[position] = True
            remaining -= np.outer(remaining[:, position], remaining[position]) / left
    return independent


def _rows_carrying(columns: np.ndarray, times: np.ndarray | None) -> np.ndarray:
    """Tell how many rows columns rest on, each at most as many as those before it.

    Where rows occurred several times, it is their share of the different rows that counts.
    """
    squares = columns * columns
    fourth = _summed(squares * squares, times)
    if times is not None:
        fourth *= np.sqrt(times.mean())
    fewest: np.ndarray = np.minimum.accumulate(1.0 / fourth)
    return fewest


def _skewness(columns: np.ndarray, times: np.ndarray | None) -> np.ndarray:
    """Return the skewness of columns."""
    rows = columns.shape[1] if times is None else times.sum()
    skewness: np.ndarray = _summed(columns * columns * columns, times) * np.sqrt(rows)
    return skewness


def _summed(columns: np.ndarray, times: np.ndarray | None) -> np.ndarray:
    """Add up each column over the rows, as often as they occurred."""
    summed: np.ndarray = columns.sum(axis=1) if times is None else columns @ times
    return summed


# Levels with fewer rows are taken together: their indicators would be all but empty.
_FEWEST_ROWS = 5


def category_block(codes: np.ndarray, levels: int, times: np.ndarray | None = None) -> Block:
    """Return the indicators of all levels but the most frequent; levels that hardly occur count as one."""
    counts = np.bincount(codes, times, minlength=levels)
    common, rare = _common_and_rare(counts)
    indicators = [codes == level for level in common]
    if rare.any() and (counts[rare].sum() >= _FEWEST_ROWS or not indicators):
        indicators.append(rare[codes])
    candidates = np.array(indicators, dtype=np.float64).reshape(len(indicators), len(codes))
    block = orthonormal_block(candidates, np.full(len(candidates), DETERMINED), len(candidates), times)
    if 0 < block.tested <= MOST_COLUMNS:
        rows = float(counts.sum())
        block = block._replace(cumulants=cumulants_of(block.columns, rows, times, leading=block.tested))
    return block._replace(arrangements=arrangements(counts))


def arrangements(counts: np.ndarray) -> float:
    """Return the logarithm of the number of ways to put values over rows, over the rows but one.

    `counts` says how often each value occurs. No test that compares the values with anything can say more
    than that the observed way is one of them.
    """
    rows = float(counts.sum())
    return float(gammaln(rows + 1.0) - gammaln(counts + 1.0).sum()) / max(rows - 1.0, 1.0)


def most_columns_of_category(
    codes: np.ndarray, levels: int, times: np.ndarray | None = None
) -> tuple[int, int]:
    """Say how many columns :func:`category_block` makes at most: tested, and further ones."""
    common, _ = _common_and_rare(np.bincount(codes, times, minlength=levels))
    return len(common) + 1, 0


def _common_and_rare(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the levels with rows enough but the most frequent, largest first, and tell which are rare."""
    # Of equals the first comes first: which one changes nothing of what the columns span or rest on.
    frequent = np.argsort(-counts, kind="stable")
    rare = (counts > 0) & (counts < _FEWEST_ROWS)
    rare[frequent[0]] = False
    return frequent[1:][counts[frequent[1:]] >= _FEWEST_ROWS], rare
