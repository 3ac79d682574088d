"""A variable as a block of orthonormal columns: the basis functions that a test works on.

A category is the space of the indicators of its levels. A number is polynomials of its ranks, which no
tail can upset, and beside them the number itself: where relations are straight lines, ranks alone let a part
of the dependence through when the number is held fixed.

Andrews, Ramsey and Cooper (2019), Learning high-dimensional directed acyclic graphs with mixed data-types,
Proceedings of Machine Learning Research 104:4-21; Ramsey, Andrews and others (2025) for basis functions.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from engine.independence.tails import excess_kurtosis, skewness

# A value is pulled in to so many robust standard deviations from the median: to as many as the fourth
# moment allows. The fewer values are changed the better, as sums of numbers are then sums still.
_FARTHEST = (1024.0, 128.0, 64.0, 32.0, 16.0, 8.0, 4.0)
# A column of which the earlier ones of its block leave less than this share is rounding error.
_DETERMINED = 1e-9
# From this share of its length on, a column is made orthogonal twice.
_NEARLY_DETERMINED = 0.03
# A product of two columns is worth a column of its own from this share on that both blocks leave of it.
_LEAST_TOGETHER = 1e-4
# The number itself is worth a column of its own from this share on that polynomials of its ranks leave of it.
_WORTH_HOLDING = 1e-3
# With so many rows one polynomial more, and another one, are worth holding fixed: what is held fixed costs no
# degrees of freedom, and what it lets through is found with enough rows.
_ROWS_FOR_ANOTHER = (300, 10_000)
# A polynomial of a degree wants this many rows for each.
_ROWS_PER_DEGREE = 20
# A column of a number rests on at least so many rows.
_FEWEST_CARRYING = 2.0
# Logarithms of what seems to grow by factors are so many times less skewed. With an exponential law it is 1.8
# times.
_FACTORS = 3.0
_NOT_ITSELF = (0.0, 0.0, 0.0)
# Share of a length that may be rounding error.
_LEFT_BY_ROUNDING = 1e-6
# So that nothing is divided by 0.
_TINY = float(np.finfo(float).tiny)
# Levels with fewer rows are taken together: their indicators would be all but empty.
_FEWEST_ROWS = 5


class Block(NamedTuple):
    """Basis functions of a variable over the rows in which it has a value.

    Attributes
    ----------
    columns : ndarray of float64, shape (columns, rows)
        Each of mean 0 and length 1, at right angles to the others.
    tested : int
        How many of them, from the first, are tested; all of them are held fixed.
    carrying : ndarray of float64, shape (tested,)
        How many rows each tested column rests on, or the ones before it if these are fewer: 1 over the sum of
        fourth powers, which of an indicator is about the number of rows that have it. Of a number, of the
        polynomials of ranks that its tested columns were made of.
    skewness : ndarray of float64, shape (tested,)
        Of the same.
    is_graded : bool
        The columns are those of a number, and not the indicators of categories. The first is as much of its
        normal scores as the tested ones hold.
    itself : tuple of three float
        The number on its own scale, written in the first two tested columns and the first further one; of
        length 1. Zeros of categories, and of numbers for which the first column always stands.
    """

    columns: np.ndarray
    tested: int
    carrying: np.ndarray
    skewness: np.ndarray
    is_graded: bool = False
    itself: tuple[float, float, float] = _NOT_ITSELF

    @property
    def leading(self) -> int:
        """How many tested columns, from the first, stand for the variable itself."""
        return min(self.tested, 1) if self.is_graded else self.tested


def number_block(
    values: np.ndarray, degree: int, units: int | None = None, times: np.ndarray | None = None
) -> Block:
    """Give the basis functions of a number.

    Parameters
    ----------
    values : ndarray of float64, shape (rows,)
        Nothing missing.
    degree : int
        Of the polynomials that are tested: 1 is the number itself, with its tails pulled in, and nothing
        else. Fewer where the rows or the distinct values do not suffice.
    units : int, optional
        How many independent units the rows are: the number of groups where rows come in groups.
    times : ndarray of float64, shape (rows,), optional
        How often each row occurred: whole numbers; once when left out.

    Returns
    -------
    Block
        Without columns when all values are the same.

    Examples
    --------
    >>> block = number_block(np.array([1.0, 2.0, 4.0, 9.0]), degree=1)
    >>> block.columns.shape, block.tested
    ((1, 4), 1)
    """
    if units is None:
        units = len(values) if times is None else int(times.sum())
    order = np.argsort(values, kind="stable")
    in_order = values[order]
    steps = np.flatnonzero(in_order[1:] != in_order[:-1]) + 1
    distinct = len(steps) + 1
    degree = max(1, min(degree, distinct - 1, units // _ROWS_PER_DEGREE))
    itself = _with_tails_pulled_in(values, order, times, units)
    if degree == 1:
        return _block(itself[np.newaxis], np.array([_DETERMINED]), 1, times)._replace(is_graded=True)
    further = sum(units >= enough for enough in _ROWS_FOR_ANOTHER)
    ranks = _ranks(order, steps, times)
    polynomials = _legendre(ranks, min(degree + further, distinct - 1))
    candidates = np.vstack((polynomials[:degree], itself, polynomials[degree:]))
    least = np.full(len(candidates), _DETERMINED)
    least[degree] = _WORTH_HOLDING
    block = _block(candidates, least, degree, times)
    block = _turned(block, ndtri(0.5 * ranks + 0.5), itself, times)
    return block._replace(itself=_NOT_ITSELF) if _grows_by_factors(values, times) else block


def category_block(codes: np.ndarray, levels: int, times: np.ndarray | None = None) -> Block:
    """Give the indicators of all levels of a variable but the most frequent.

    Parameters
    ----------
    codes : ndarray of int, shape (rows,)
        Codes of the levels; nothing missing.
    levels : int
        Number of levels. Those that hardly occur count as one.
    times : ndarray of float64, shape (rows,), optional
        How often each row occurred; once when left out.

    Returns
    -------
    Block
        Without columns when one level alone occurs.

    Examples
    --------
    >>> category_block(np.array([0, 1, 1, 0, 1, 1]), levels=2).columns.shape
    (1, 6)
    """
    counts = np.bincount(codes, times, minlength=levels)
    frequent = np.argsort(-counts, kind="stable")
    reference = frequent[0]
    common = [level for level in frequent[1:] if counts[level] >= _FEWEST_ROWS]
    rare = (counts > 0) & (counts < _FEWEST_ROWS)
    rare[reference] = False
    indicators = [codes == level for level in common]
    if rare.any() and (counts[rare].sum() >= _FEWEST_ROWS or not indicators):
        indicators.append(rare[codes])
    candidates = np.array(indicators, dtype=np.float64).reshape(len(indicators), len(codes))
    return _block(candidates, np.full(len(candidates), _DETERMINED), len(candidates), times)


def interaction_columns(one: Block, other: Block) -> np.ndarray:
    """Give what two variables do together and neither alone.

    Parameters
    ----------
    one, other : Block
        Over the same rows.

    Returns
    -------
    ndarray of float64, shape (columns, rows)
        Products of columns of the two, up to the degree of the larger where both are numbers, of mean 0 and
        length 1, at right angles to one another and to both blocks.

    Examples
    --------
    >>> x, y = category_block(np.arange(20) % 2, 2), category_block(np.arange(20) // 2 % 2, 2)
    >>> interaction_columns(x, y).shape
    (1, 20)
    """
    most = max(one.tested, other.tested) if one.is_graded and other.is_graded else one.tested + other.tested
    products = [
        one.columns[first] * other.columns[second]
        for first in range(one.tested)
        for second in range(other.tested)
        if first + second < most
    ]
    alone = np.vstack((one.columns, other.columns))
    candidates = np.vstack((alone, *products))
    least = np.full(len(candidates), _LEAST_TOGETHER)
    least[: len(alone)] = _DETERMINED
    block = _block(candidates, least, len(alone))
    return block.columns[block.tested :]


def _ranks(order: np.ndarray, steps: np.ndarray, times: np.ndarray | None) -> np.ndarray:
    """Give ranks between -1 and 1, equal values their mean rank.

    Parameters
    ----------
    order : ndarray of int64, shape (rows,)
        Rows by value.
    steps : ndarray of int64
        Places in `order` where the value changes.
    times : ndarray of float64, shape (rows,), optional
        How often each row occurred; once when left out.
    """
    rows = len(order)
    bounds = np.concatenate(([0], steps, [rows]))
    before = bounds if times is None else np.concatenate(([0.0], np.cumsum(times[order])))[bounds]
    middles = (before[:-1] + before[1:]) / before[-1] - 1.0
    ranks = np.empty(rows)
    ranks[order] = np.repeat(middles, np.diff(bounds))
    return ranks


def _legendre(points: np.ndarray, degree: int) -> np.ndarray:
    """Give the Legendre polynomials of degrees 1 to `degree`: they are orthogonal on ranks without ties."""
    polynomials = np.empty((degree + 1, len(points)))
    polynomials[0], polynomials[1] = 1.0, points
    for step in range(1, degree):
        polynomials[step + 1] = (
            (2 * step + 1) * points * polynomials[step] - step * polynomials[step - 1]
        ) / (step + 1)
    return polynomials[1:]


def _turned(block: Block, scores: np.ndarray, itself: np.ndarray, times: np.ndarray | None) -> Block:
    """Turn the tested columns of a number: the first is its normal scores, the second the number itself.

    Both as far as the tested columns hold them, the second as far as the first leaves something.
    """
    weighted = np.column_stack((scores, itself) if times is None else (scores * times, itself * times))
    held = block.columns[: block.tested] @ weighted
    axes = np.linalg.qr(held, mode="complete")[0].T
    for axis, direction in zip(axes, held.T, strict=False):
        axis *= math.copysign(1.0, axis @ direction)
    columns = np.vstack((axes @ block.columns[: block.tested], block.columns[block.tested :]))
    found = np.zeros(3)
    found[: min(block.tested, 2)] = (axes @ held[:, 1])[:2]
    rows = len(itself) if times is None else times.sum()
    length = float(itself @ weighted[:, 1]) - float(weighted[:, 1].sum()) ** 2 / rows
    if len(columns) > block.tested:
        rest = float(columns[block.tested] @ weighted[:, 1])
        # Where it was not worth a column of its own, a further polynomial is in its place.
        if rest * rest + found @ found >= (1.0 - _LEFT_BY_ROUNDING) * length:
            found[2] = rest
    one, two, three = (found / max(float(np.linalg.norm(found)), _TINY)).tolist()
    return block._replace(columns=columns, is_graded=True, itself=(one, two, three))


def _with_tails_pulled_in(
    values: np.ndarray, order: np.ndarray, times: np.ndarray | None, units: int
) -> np.ndarray:
    """Clip a number at a robust distance from its median; centred, its size of the order of 1.

    One over the fourth moment, in squared variances, is the share of the rows that the column rests on. It is
    pulled in as far as these would be a handful.
    """
    largest = np.abs(values[order[[0, -1]]]).max()
    scaled = values / largest if largest > 0.0 else values
    in_order = scaled[order]
    up_to = None if times is None else np.cumsum(times[order])
    last = len(values) - 1 if up_to is None else int(up_to[-1]) - 1

    def at(place: int) -> float:
        row = place if up_to is None else np.searchsorted(up_to, place, side="right")
        return float(in_order[row])

    # Half of the rows, or where these are equal more, span what a normal law spans in as many deviations.
    deviation = 0.0
    for tail, deviations in ((0.25, 1.349), (0.1, 2.563), (0.025, 3.92), (0.0, 8.0)):
        low, high = at(round(tail * last)), at(round((1.0 - tail) * last))
        if high > low:
            deviation = (high - low) / deviations
            break
    if deviation == 0.0:
        return np.zeros(len(values))
    scaled = (scaled - at(last // 2)) / deviation
    for farthest in _FARTHEST:
        clipped: np.ndarray = np.clip(scaled, -farthest, farthest)
        if (3.0 + excess_kurtosis(clipped[np.newaxis], times)[0]) * _FEWEST_CARRYING <= units:
            break
    return clipped


def _grows_by_factors(values: np.ndarray, times: np.ndarray | None) -> bool:
    """Tell whether a number is positive and far less skewed as a logarithm."""
    if times is not None:
        values, times = values[times > 0.0], times[times > 0.0]
    if values.min() <= 0.0:
        return False
    as_it_is, as_logarithm = skewness(np.array([values, np.log(values)]), times)
    return bool(as_it_is > _FACTORS * abs(as_logarithm))


def _block(candidates: np.ndarray, least: np.ndarray, tested: int, times: np.ndarray | None = None) -> Block:
    """Make columns orthonormal in their order, without those that the earlier ones determine.

    Parameters
    ----------
    candidates : ndarray of float64, shape (candidates, rows)
    least : ndarray of float64, shape (candidates,)
        The least share of itself that the earlier columns must leave of each.
    tested : int
        How many of the candidates are tested.
    times : ndarray of float64, shape (rows,), optional
        How often each row occurred; once when left out.
    """
    rows = candidates.shape[1] if times is None else times.sum()
    means = candidates.mean(axis=1) if times is None else candidates @ times / rows
    columns = candidates - means[:, np.newaxis]
    products = _products(columns, times)
    lengths = np.sqrt(np.diagonal(products))
    varies = lengths > _DETERMINED * np.sqrt(rows)
    lengths = np.where(varies, lengths, 1.0)
    products /= np.outer(lengths, lengths)
    kept = varies & _are_independent(products, least)
    triangle = np.linalg.cholesky(products[np.ix_(kept, kept)])
    columns = (np.linalg.inv(triangle) / lengths[kept]) @ columns[kept]
    if (np.diagonal(triangle) < _NEARLY_DETERMINED).any():
        # Once more, since rounding errors are left where columns are much alike.
        columns = np.linalg.inv(np.linalg.cholesky(_products(columns, times))) @ columns
    tested = int(kept[:tested].sum())
    carrying, leaning = _rows_carrying(columns[:tested], times), _skewness(columns[:tested], times)
    return Block(np.ascontiguousarray(columns), tested, carrying, leaning)


def _products(columns: np.ndarray, times: np.ndarray | None) -> np.ndarray:
    products: np.ndarray = (columns if times is None else columns * times) @ columns.T
    return products


def _are_independent(products: np.ndarray, least: np.ndarray) -> np.ndarray:
    """Tell of which columns, from their products, the earlier ones leave at least a given share."""
    remaining = products.copy()
    kept = np.zeros(len(least), dtype=bool)
    for place, bound in enumerate(least):
        left = remaining[place, place]
        if left >= bound:
            kept[place] = True
            remaining -= np.outer(remaining[:, place], remaining[place]) / left
    return kept


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
    """Give the skewness of columns."""
    rows = columns.shape[1] if times is None else times.sum()
    skewness: np.ndarray = _summed(columns * columns * columns, times) * np.sqrt(rows)
    return skewness


def _summed(columns: np.ndarray, times: np.ndarray | None) -> np.ndarray:
    """Add up each column over the rows, as often as they occurred."""
    summed: np.ndarray = columns.sum(axis=1) if times is None else columns @ times
    return summed
