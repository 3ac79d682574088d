"""Which columns a column is the sum of, up to one factor and a constant.

Members are found by orthogonal matching pursuit [1]_. A column that is a combination of others, such as
another sum, may stand in for some of them; the pursuit is then repeated without such columns.

References
----------
.. [1] Pati, Rezaiifar and Krishnaprasad (1993), Orthogonal matching pursuit, Asilomar Conference 27:40-44.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

EXACT = 1e-9
NO_RESIDUAL = 1e-10
_MOST_MEMBERS = 60
_MOST_PURSUITS = 8
_MOST_DECIMALS = 6
# Rounded values with fewer steps in a standard deviation would match too much.
_FEWEST_STEPS = 4
# Weights that differ less are tried as equal; the values decide.
_EQUAL_WEIGHTS = 0.25
# Columns of which a combination has less than this share of their variance can stand in for each other.
_NEARLY_DEPENDENT = 1e-3
_TAKES_PART = 1e-6
# After so many members, at least this share has to be explained.
_LEAST_EXPLAINED = {8: 0.12, 16: 0.24, 32: 0.5}


def collinear(block: np.ndarray, features: list[int]) -> Iterator[int]:
    """Return the features that are a linear combination of other columns, up to rounding."""
    scaled = standardised(block)
    values, vectors = np.linalg.eigh(scaled @ scaled.T)
    inverse = (np.square(vectors) / np.maximum(values, 1e-14)).sum(axis=1)
    share_left = 1 / inverse
    for place in features:
        if not scaled[place].any():
            continue
        step = _rounded_to(block[place]) if share_left[place] < 0.01 else 0.0
        allowed = max(NO_RESIDUAL, 2 * step**2 / 12 / block[place].var())
        if share_left[place] <= allowed:
            yield place


def combinations(block: np.ndarray, pool: np.ndarray, features: list[int]) -> Iterator[int]:
    """Return the features of whole numbers that are a linear combination of all columns of a pool."""
    scaled = standardised(pool)
    basis, sizes, _ = np.linalg.svd(scaled.T, full_matrices=False)
    basis = basis[:, sizes > 1e-7]
    for place in features:
        values = block[place]
        # The feature itself, as above 0 or not, is in the pool; a count of others needs no help of it.
        if values.min() < 0 or values.max() <= 1 or (values % 1 != 0).any():
            continue
        target = values - values.mean()
        left = target - basis @ (basis.T @ target)
        if left @ left <= NO_RESIDUAL * (target @ target):
            yield place


@dataclass(frozen=True, slots=True)
class SumFit:
    """By what a sum is multiplied, and what is added then."""

    factor: float
    constant: float


@dataclass(frozen=True)
class Pool:
    """Columns among which members are looked for."""

    values: np.ndarray  # shape (columns, rows)
    is_label: np.ndarray
    is_source: np.ndarray  # labels and what is made from them; a member has to be one
    # combinations of columns that hardly vary, one a column of it; None to compute them at need
    linked: np.ndarray | None = None
    # how many different values each column has; None to count them at need
    distinct: np.ndarray | None = None

    @cached_property
    def scaled(self) -> np.ndarray:
        """The columns, standardised."""
        return standardised(self.values)

    @cached_property
    def dependencies(self) -> np.ndarray:
        """Combinations of the columns that hardly vary."""
        return dependencies_of(self.scaled) if self.linked is None else self.linked

    @cached_property
    def adds_up(self) -> bool:
        """Whether columns add up to a constant, as the parts of a whole do."""
        columns, rows = self.values.shape
        if rows <= columns:
            return False
        lengths = np.sqrt(np.square(self.values).sum(axis=1, keepdims=True))
        scaled = self.values / np.where(lengths > 0, lengths, 1.0)
        weights = np.linalg.lstsq(scaled.T, np.ones(rows), rcond=1e-12)[0]
        are_added = weights.min() > -_TAKES_PART * weights.max()
        return bool(are_added and np.abs(weights @ scaled - 1).max() < _TAKES_PART)

    @cached_property
    def composites(self) -> np.ndarray:
        """Columns that are combinations of columns with fewer different values, or less variance."""
        columns, rows = self.values.shape
        if not self.dependencies.size or rows <= columns:
            return np.empty(0, dtype=np.int64)
        distinct = distinct_counts(self.values) if self.distinct is None else self.distinct
        order = np.lexsort((self.values.var(axis=1), distinct))
        ordered = self.scaled[order]
        # The square of a diagonal entry is what the columns before leave of the variance.
        ridge = EXACT * np.eye(len(order))
        left = np.square(np.diag(np.linalg.cholesky(ordered @ ordered.T + ridge)))
        return np.asarray(order[left < _NEARLY_DEPENDENT])


def distinct_counts(block: np.ndarray) -> np.ndarray:
    """Count the different values of each column."""
    return np.array([len(np.unique(values)) for values in block])


def standardised(block: np.ndarray) -> np.ndarray:
    """Centre each column and give it length 1; a constant one becomes 0."""
    centred: np.ndarray = block - block.mean(axis=1, keepdims=True)
    length = np.sqrt(np.einsum("ij,ij->i", centred, centred))[:, np.newaxis]
    level = EXACT * np.sqrt(block.shape[1]) * np.maximum(block.max(axis=1), -block.min(axis=1))
    level = level[:, np.newaxis]
    # In place, as tables may be larger than the memory.
    centred /= np.where(length > level, length, np.inf)
    return centred


def _rounded_to(values: np.ndarray) -> float:
    """Return the step to which numbers are rounded; 0 where they are whole or have many decimals."""
    for decimals in range(_MOST_DECIMALS + 1):
        scaled = values * 10.0**decimals
        if np.abs(scaled - np.round(scaled)).max() < 1e-6:
            step = 10.0**-decimals
            return step if decimals and values.std() >= _FEWEST_STEPS * step else 0.0
    return 0.0


def dependencies_of(scaled: np.ndarray) -> np.ndarray:
    """Return the combinations of columns that hardly vary, shape (columns, combinations)."""
    values, vectors = np.linalg.eigh(scaled @ scaled.T)
    dependencies: np.ndarray = vectors[:, values < _NEARLY_DEPENDENT]
    return dependencies


def without(dependencies: np.ndarray, place: int) -> np.ndarray:
    """Return the dependencies in which a column takes no part."""
    row = dependencies[place]
    if np.linalg.norm(row) < _TAKES_PART:
        return dependencies
    return np.asarray(dependencies @ np.linalg.svd(row[np.newaxis])[2][1:].T)


@dataclass(frozen=True, slots=True)
class _Attempt:
    """Columns that a pursuit may choose, and the dependencies between them; None for those of the pool."""

    usable: np.ndarray
    dependencies: np.ndarray | None


def _left_out(
    places: Iterable[int], usable: np.ndarray, dependencies: np.ndarray, scaled: np.ndarray
) -> _Attempt:
    """Leave out columns and their copies."""
    usable = usable.copy()
    for place in places:
        copies = np.flatnonzero(np.abs(scaled @ scaled[place]) > 1 - NO_RESIDUAL)
        usable[copies] = False
        for copy in copies.tolist():
            dependencies = without(dependencies, copy)
    return _Attempt(usable, dependencies)


def members_of(target: np.ndarray, pool: Pool) -> np.ndarray | None:
    """Return the columns of a pool (labels first) of which a target is the sum; None where none is."""
    centred = target - target.mean()
    if not centred.any():
        return None
    usable = np.abs(pool.scaled @ centred) < (1 - NO_RESIDUAL) * math.sqrt(float(centred @ centred))
    usable &= pool.scaled.any(axis=1)
    step = _rounded_to(target)
    holds_target = np.zeros(len(usable), dtype=bool)
    attempts: list[_Attempt] = [_Attempt(usable & pool.is_label, None), _Attempt(usable, None)]
    for attempt in attempts:
        pursuit = _pursuit(centred, pool.scaled, attempt.usable & ~holds_target, step)
        if pursuit is None:
            continue
        chosen, weights = pursuit[0], pursuit[1] / pool.values[pursuit[0]].std(axis=1)
        members = _equal_members(chosen, weights)
        if len(members) > 1 and pool.is_source[members].any() and _fits(target, members, pool):
            return members
        if len(attempts) == 2 and len(pool.composites):
            attempts.append(_left_out(pool.composites, usable, pool.dependencies, pool.scaled))
        remaining = pool.dependencies if attempt.dependencies is None else attempt.dependencies
        total = _total_with_target(chosen, weights)
        if total is not None:
            holds_target |= np.abs(pool.scaled @ pool.scaled[total]) > 1 - NO_RESIDUAL
        for place in chosen if total is None else [total]:
            if len(attempts) < _MOST_PURSUITS and np.linalg.norm(remaining[place]) >= _TAKES_PART:
                fewer = _left_out([place], attempt.usable, remaining, pool.scaled)
                if not any(np.array_equal(fewer.usable, before.usable) for before in attempts):
                    attempts.append(fewer)
    return None


def _fits(target: np.ndarray, members: np.ndarray, pool: Pool) -> bool:
    """Tell whether members give a target, by more than that parts of a whole add up to a constant."""
    fit = fit_of(target, pool.values[members].sum(axis=0), len(members))
    if fit is None:
        return False
    return fit.factor != 1 or not fit.constant or not pool.adds_up


def _total_with_target(chosen: list[int], weights: np.ndarray) -> int | None:
    """Return the column that is a multiple of the sum of the target and all others; None where none is."""
    added = weights > 0
    if added.sum() != 1 or np.abs(weights[~added] + 1).max(initial=0.0) > _EQUAL_WEIGHTS:
        return None
    return chosen[int(added.argmax())]


def _pursuit(
    centred: np.ndarray, scaled: np.ndarray, usable: np.ndarray, step: float
) -> tuple[list[int], np.ndarray] | None:
    """Choose columns of which a target is a linear combination, and their weights, by matching pursuit."""
    usable = usable.copy()
    total = float(centred @ centred)
    enough = max(1e-16 * total, len(centred) * step**2 / 12 * 1.6)
    chosen: list[int] = []
    residual = centred
    basis = np.empty((0, len(centred)))
    for _ in range(min(_MOST_MEMBERS, len(centred) - 3, int(usable.sum()))):
        gains = np.abs(scaled @ residual)
        gains[~usable] = -1.0
        gains[chosen] = -1.0
        chosen.append(int(gains.argmax()))
        direction = scaled[chosen[-1]]
        for _ in range(2):
            direction = direction - (basis @ direction) @ basis
        length = math.sqrt(float(direction @ direction))
        if length < EXACT:
            usable[chosen.pop()] = False
            continue
        basis = np.vstack([basis, direction / length])
        residual = residual - (residual @ basis[-1]) * basis[-1]
        left = float(residual @ residual)
        if left <= enough:
            return chosen, np.linalg.lstsq(scaled[chosen].T, centred, rcond=None)[0]
        if left > (1 - _LEAST_EXPLAINED.get(len(chosen), 0.0)) * total:
            return None
    return None


def _equal_members(chosen: list[int], weights: np.ndarray) -> np.ndarray:
    """Return the chosen columns of which the weights may be equal, in order; none where they differ."""
    takes_part = np.abs(weights) > _EQUAL_WEIGHTS * np.abs(weights).max()
    weights = weights[takes_part]
    middle = float(np.median(weights))
    if middle <= 0 or np.abs(weights / middle - 1).max() > _EQUAL_WEIGHTS:
        return np.empty(0, dtype=np.int64)
    return np.sort(np.array(chosen)[takes_part])


def fit_of(target: np.ndarray, added: np.ndarray, count: int) -> SumFit | None:
    """Return by what a sum has to be multiplied, and what added, to give a target in every row."""
    allowed = max(EXACT * float(np.abs(target).max() + np.abs(added).max()), 0.5001 * _rounded_to(target))
    centred = added - added.mean()
    spread = float(centred @ centred)
    if spread == 0.0:
        return None
    fitted = float(centred @ target) / spread
    for factor in (1.0, 1 / count, 100 / count, float(f"{fitted:.4g}"), fitted):
        left = target - factor * added
        middle = float(left.max() + left.min()) / 2
        if left.max() - left.min() <= 2 * allowed:
            return SumFit(factor, 0.0 if abs(middle) <= allowed else middle)
    return None
