"""A variable as a block of orthonormal columns: the basis functions that a test works on.

A category is the space of the indicators of its levels. A number is polynomials of its ranks, which no tail
can upset, and the number itself: where relations are straight lines, ranks alone let a part of the dependence
through when the number is held fixed. The polynomials are turned so that the number's normal scores come
first. All is made in the order of its values. Numbers without ties have the same ranks in that order, so that
their polynomials are made once for all of them.

Andrews, Ramsey and Cooper (2019), Learning high-dimensional directed acyclic graphs with mixed data-types,
Proceedings of Machine Learning Research 104:4-21; Ramsey, Andrews and others (2025) for basis functions.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.linalg.lapack import dgeqrf, dorgqr, dpotrf, dtrtri
from scipy.special import gammaln, ndtri

from engine.compiled.decorators import counting_kernel
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
    """Orthonormalise columns in order, without those of which earlier ones leave less than `least`."""
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
    """Return how many rows columns rest on, each at most as many as those before it."""
    squares = columns * columns
    fourth = _summed(squares * squares, times)
    if times is not None:
        fourth *= np.sqrt(times.mean())
    return np.minimum.accumulate(1.0 / fourth)


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
    """Return the log of the number of ways to arrange values over rows, divided by the rows but one."""
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


# A value is pulled in to so many robust standard deviations from the median: to as many as the fourth
# moment allows. The fewer values are changed the better, as sums of numbers are then sums still.
_FARTHEST = (1024.0, 128.0, 64.0, 32.0, 16.0, 8.0, 4.0)
# The number itself is worth a column of its own from this share on that polynomials of its ranks leave of it.
_WORTH_HOLDING = 1e-3
# With so many rows one polynomial more, and another one, are worth holding fixed: what is held fixed costs no
# degrees of freedom, and what it lets through is found with enough rows.
_ROWS_FOR_ANOTHER = (300, 10_000)
# Unless a degree is chosen, polynomials have this one, and one more from each sixth power of rows on. Enough
# rows find the little of a curve that a low degree misses: as links that do not exist (Chen 2007, Large
# sample sieve estimation of semi-nonparametric models, Handbook of Econometrics 6B:5549-5632).
_FEWEST_DEGREES = 3
_ROWS_FOR_A_DEGREE = (4**6, 5**6, 6**6)
# A polynomial of a degree wants this many rows for each.
_ROWS_PER_DEGREE = 20
# A column of a number rests on at least so many rows.
_FEWEST_CARRYING = 2.0
# Skewness of ranked values is real from so many standard errors on; and its variance times the rows, of a
# normal law.
_SURELY_SKEWED, _VARIANCE_OF_SKEW = 4.0, 0.1866
# Standard error of the fourth moment of ranked values times the root of the rows, of an exponential law.
# Lognormal laws with a deviation of the logarithm of 1 are told in eight of ten columns of 500 rows,
# exponential ones in two of a hundred, heavy tails on both sides in none.
_ERROR_OF_TAILS = 0.4
# Share of a length that may be rounding error.
_LEFT_BY_ROUNDING = 1e-6
# So that nothing is divided by 0.
_TINY = float(np.finfo(float).tiny)


def number_block(
    values: np.ndarray,
    degree: int | None = None,
    units: int | None = None,
    times: np.ndarray | None = None,
) -> Block:
    """Return the basis functions of a complete number, up to `degree` where rows and distinct values suffice.

    1 is the number with its tails pulled in; None follows from the rows. `units` is the number of groups, if
    any; `times` are whole numbers.
    """
    if units is None:
        units = len(values) if times is None else int(times.sum())
    # All is done in the order of the values, where numbers without ties have the same ranks.
    order = _order_of(values)
    in_order = values[order]
    rises = in_order[1:] > in_order[:-1]
    if not rises.all() and (in_order[1:] < in_order[:-1]).any():
        order = np.argsort(values)
        in_order = values[order]
        rises = in_order[1:] > in_order[:-1]
    often = None if times is None else times[order]
    distinct = 1 + int(np.count_nonzero(rises))
    ways = _arrangements(rises, often)
    degree = max(1, min(_degree(degree, units), distinct - 1, units // _ROWS_PER_DEGREE))
    itself = _with_tails_pulled_in(in_order, often, units)
    if degree == 1:
        block = orthonormal_block(itself[np.newaxis], np.array([DETERMINED]), 1, often)
        columns = np.empty(block.columns.shape)
        columns[:, order] = block.columns
        cumulants = cumulants_of(block.columns, len(values) if often is None else float(often.sum()), often)
        return block._replace(columns=columns, is_graded=True, arrangements=ways, cumulants=cumulants)
    further = _further(units)
    if often is None and distinct == len(values):
        polynomials = _polynomials_without_ties(len(values), degree, further)
    else:
        ranks = _ranks(np.flatnonzero(rises) + 1, len(values), often)
        polynomials = _polynomials(ranks, degree, further, distinct, often)
    block = _with_itself(polynomials, itself, often, order)._replace(arrangements=ways)
    return block._replace(itself=NOT_ITSELF) if _grows_by_factors(itself, often) else block


def most_columns_of_number(degree: int | None, units: int) -> tuple[int, int]:
    """Say how many columns a number has at most with so many independent units: tested, and further ones."""
    degree = _degree(degree, units)
    return (degree, 1 + _further(units)) if degree > 1 else (1, 0)


def _degree(degree: int | None, units: int) -> int:
    """Return a chosen degree, or one that grows with the sixth root of the rows."""
    if degree is not None:
        return degree
    return _FEWEST_DEGREES + sum(units >= enough for enough in _ROWS_FOR_A_DEGREE)


def _further(units: int) -> int:
    """Say how many polynomials more are held fixed than are tested."""
    return sum(units >= enough for enough in _ROWS_FOR_ANOTHER)


def _arrangements(rises: np.ndarray, times: np.ndarray | None) -> float:
    """Return the same as :func:`arrangements` of a number, from where its value changes in its order."""
    if times is None and rises.all():
        return _arrangements_without_ties(len(rises) + 1)
    bounds = np.concatenate(([0], np.flatnonzero(rises) + 1))
    return arrangements(np.add.reduceat(np.ones(len(rises) + 1) if times is None else times, bounds))


@lru_cache(maxsize=2)
def _arrangements_without_ties(rows: int) -> float:
    return arrangements(np.ones(rows))


def _order_of(values: np.ndarray) -> np.ndarray:
    """Return positions in the order of numbers, but for their last digits: a third faster than argsort."""
    bits = np.ascontiguousarray(values, dtype=np.float64).view(np.int64)
    last = np.int64((1 << len(values).bit_length()) - 1)
    keys = (bits ^ ((bits >> 63) & np.iinfo(np.int64).max)) & ~last
    keys |= np.arange(len(values))
    keys.sort()
    keys &= last
    return keys


def _ranks(steps: np.ndarray, rows: int, times: np.ndarray | None) -> np.ndarray:
    """Return ranks between -1 and 1 in order, equal values their mean rank; the value changes at `steps`."""
    bounds = np.concatenate(([0], steps, [rows]))
    before = bounds if times is None else np.concatenate(([0.0], np.cumsum(times)))[bounds]
    middles = (before[:-1] + before[1:]) / before[-1] - 1.0
    return np.repeat(middles, np.diff(bounds))


class _Polynomials(NamedTuple):
    """Orthonormal polynomials of ranks."""

    block: Block
    scores: np.ndarray  # (tested,): normal scores, as far as the tested ones hold them, written in these


@lru_cache(maxsize=2)
def _polynomials_without_ties(rows: int, degree: int, further: int) -> _Polynomials:
    """Return the polynomials of numbers that are all different, which are the same for all such numbers."""
    ranks = _ranks(np.arange(1, rows), rows, None)
    polynomials = _polynomials(ranks, degree, further, rows, None)
    block = polynomials.block
    for shared in (*block[:1], *block[2:4], block.cumulants, polynomials.scores):
        assert isinstance(shared, np.ndarray)
        shared.flags.writeable = False
    return polynomials


def _polynomials(
    ranks: np.ndarray, degree: int, further: int, distinct: int, times: np.ndarray | None
) -> _Polynomials:
    """Make polynomials of ranks orthonormal: up to `degree` tested, and `further` ones."""
    candidates = _legendre(ranks, min(degree + further, distinct - 1))
    block = orthonormal_block(candidates, np.full(len(candidates), DETERMINED), degree, times)
    scores = ndtri(0.5 * ranks + 0.5)
    held = block.columns[: block.tested] @ (scores if times is None else scores * times)
    turned = _axes_along(held[:, np.newaxis]) @ block.columns[: block.tested]
    cumulants = cumulants_of(turned, len(ranks) if times is None else float(times.sum()), times)
    return _Polynomials(block._replace(cumulants=cumulants), held)


def _legendre(points: np.ndarray, degree: int) -> np.ndarray:
    """Return the Legendre polynomials of degrees 1 to `degree`: they are orthogonal on ranks without ties."""
    polynomials = np.empty((degree + 1, len(points)))
    polynomials[0], polynomials[1] = 1.0, points
    for step in range(1, degree):
        polynomials[step + 1] = (
            (2 * step + 1) * points * polynomials[step] - step * polynomials[step - 1]
        ) / (step + 1)
    return polynomials[1:]


def _with_itself(
    polynomials: _Polynomials, itself: np.ndarray, times: np.ndarray | None, order: np.ndarray
) -> Block:
    """Turn the tested columns: normal scores first, then the number itself as far as they leave it.

    What all leave of the number is the first further column. Input is in the order of the values, output in
    that of the rows.
    """
    block, scores = polynomials
    count, weighted = block.tested, itself if times is None else itself * times
    length = float(itself @ weighted)
    along = block.columns @ weighted
    held = np.array((scores, along[:count])).T
    axes = _axes_along(held)
    for axis, direction in zip(axes, held.T, strict=False):
        axis *= math.copysign(1.0, axis @ direction)
    left = length - float(along[:count] @ along[:count])
    if left >= max(_WORTH_HOLDING * length, _TINY):
        rest = math.sqrt(left)
        sources, parts = _beside_itself(block, itself, along, rest, times)
    else:
        # It is not worth a column of its own: a further polynomial is in its place.
        rest = float(along[count]) if len(along) > count else 0.0
        sources, parts = block.columns, np.eye(len(along), len(along) + 1)
    parts[:count, :count] = axes
    columns, in_order = np.empty((len(parts), len(itself))), np.empty(len(itself))
    _fill_columns(parts, sources, itself, order, in_order, columns)
    projections = np.zeros(3)
    projections[: min(count, 2)] = (axes @ held[:, 1])[:2]
    if rest * rest + projections @ projections >= (1.0 - _LEFT_BY_ROUNDING) * length:
        projections[2] = rest
    one, two, three = (projections / max(math.sqrt(projections @ projections), _TINY)).tolist()
    return block._replace(columns=columns, is_graded=True, itself=(one, two, three))


@counting_kernel
def _fill_columns(
    parts: np.ndarray,
    sources: np.ndarray,
    itself: np.ndarray,
    order: np.ndarray,
    in_order: np.ndarray,
    columns: np.ndarray,
) -> None:
    """Write sums of columns in the order of the rows; `parts` are the shares of each source."""
    rows = order.shape[0]
    for number in range(columns.shape[0]):
        factors, column = parts[number], columns[number]
        for place in range(rows):
            in_order[place] = factors[sources.shape[0]] * itself[place]
        for part in range(sources.shape[0]):
            factor, source = factors[part], sources[part]
            if factor != 0.0:
                for place in range(rows):
                    in_order[place] += factor * source[place]
        for place in range(rows):
            column[order[place]] = in_order[place]


def _axes_along(directions: np.ndarray) -> np.ndarray:
    """Return as many axes as there are dimensions, as rows, the first ones along columns in their order."""
    square = np.zeros((len(directions), len(directions)))
    square[:, : directions.shape[1]] = directions[:, : len(directions)]
    reflections, scales, *_ = dgeqrf(square)
    axes: np.ndarray = dorgqr(reflections, scales)[0].T
    return axes


def _beside_itself(
    block: Block, itself: np.ndarray, along: np.ndarray, length: float, times: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """Return sources and weights of columns with the rest of the number; `along` are its products."""
    count, most = block.tested, len(along)
    # Of the first further column each later one holds so much.
    shares = along[count:] / length
    if 1.0 - float(shares @ shares) < NEARLY_DETERMINED:
        own = (itself - along[:count] @ block.columns[:count]) / length
        further = _orthonormal([own, *block.columns[count:]], times)
        sources = np.concatenate((block.columns[:count], further))
        return sources, np.eye(len(sources), len(sources) + 1)
    products = np.eye(most - count + 1)
    products[0, 1:] = shares
    turned = dtrtri(dpotrf(products)[0])[0].T
    of_itself = turned[:, :1] / length
    parts = np.zeros((most + 1, most + 1))
    parts[count:] = np.concatenate((-of_itself * along[:count], turned[:, 1:], of_itself), axis=1)
    return block.columns, parts


def _left(column: np.ndarray, times: np.ndarray | None) -> float:
    """Return the square of the length of a column."""
    return float(column @ (column if times is None else column * times))


def _orthonormal(columns: list[np.ndarray], times: np.ndarray | None) -> list[np.ndarray]:
    """Orthonormalise a few columns in order (the later have length 1), without determined ones."""
    directions: list[np.ndarray] = []
    for column in columns:
        # Once more where much was taken off, since rounding errors are left.
        for _ in range(2):
            before = _left(column, times)
            for direction in directions:
                column = column - (column @ (direction if times is None else direction * times)) * direction
            left = _left(column, times)
            if left >= NEARLY_DETERMINED**2 * before:
                break
        if not directions or left >= DETERMINED:
            directions.append(column / math.sqrt(left))
    return directions


def _with_tails_pulled_in(values: np.ndarray, times: np.ndarray | None, units: int) -> np.ndarray:
    """Clip a number, in its order, at a robust distance from its median; of mean 0, its size about 1.

    One over the fourth moment, in squared variances, is the share of rows that it rests on: more than a
    handful.
    """
    largest = max(-values[0], values[-1], 0.0)
    scaled = values / largest if largest > 0.0 else values
    up_to = None if times is None else np.cumsum(times)
    total = len(values) if up_to is None else int(up_to[-1])

    def at(position: int) -> float:
        return float(scaled[position if up_to is None else np.searchsorted(up_to, position, side="right")])

    # Half of the rows, or where these are equal more, span what a normal law spans in as many deviations.
    deviation = 0.0
    for tail, deviations in ((0.25, 1.349), (0.1, 2.563), (0.025, 3.92), (0.0, 8.0)):
        low, high = at(round(tail * (total - 1))), at(round((1.0 - tail) * (total - 1)))
        if high > low:
            deviation = (high - low) / deviations
            break
    if deviation == 0.0:
        return np.zeros(len(values))
    scaled = (scaled - at((total - 1) // 2)) / deviation
    for farthest in _FARTHEST:
        clipped: np.ndarray = np.clip(scaled, -farthest, farthest)
        clipped -= (clipped.sum() if times is None else clipped @ times) / total
        squares = clipped * clipped
        weighted = squares if times is None else squares * times
        variance = weighted.sum() / total
        if float(squares @ weighted) / total * _FEWEST_CARRYING <= units * variance * variance:
            break
    return clipped


def _grows_by_factors(values: np.ndarray, times: np.ndarray | None) -> bool:
    """Tell whether a number, in its order, is skewed as a shifted lognormal law is.

    By L-moments (Hosking 1990, Journal of the Royal Statistical Society B 52:105-124; curves of Hosking and
    Wallis 1997, Regional Frequency Analysis, appendix A).
    """
    ranks = _ranks(np.flatnonzero(values[1:] > values[:-1]) + 1, len(values), times)
    weights = np.ones(len(values)) if times is None else times
    total = float(weights.sum())
    size, skew, tails = _legendre(ranks, 3) @ (values * weights) / total
    if size <= 0.0 or skew < _SURELY_SKEWED * math.sqrt(_VARIANCE_OF_SKEW / total) * size:
        return False
    third, fourth = skew / size, tails / size
    square = third * third
    by_factors = 0.12282 + square * (0.77518 + square * (0.12279 + square * (-0.13638 + square * 0.11368)))
    by_sums = 0.12240 + square * (0.30115 + square * (0.95812 + square * (-0.57488 + square * 0.19383)))
    way = by_factors - by_sums
    error = _ERROR_OF_TAILS / math.sqrt(total)
    return bool(0.5 * way + error < fourth - by_sums < 2.0 * way + error)
