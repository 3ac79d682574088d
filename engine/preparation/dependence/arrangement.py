"""Columns by which somebody arranged the rows of a table: sorted, or in blocks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from engine.preparation.dependence.likeness import Scores, without
from engine.recipe.row_blocks import RowOrder
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable

_FIRST_ROWS = 200
# Fewer changes than this may be missing by chance.
_FEWEST_CHANGES = 20
# A table is sorted by categories where at most this share of the changes is left that chance would make.
_SORTED = 0.3
# So few are left in no series, but where rows were added to some that were sorted.
_NEARLY_SORTED = 0.02
# So many rows may stand where sorting would not have put them.
_ASTRAY = 0.01
# Of a number by which the table is sorted, a curve of this many parts is taken out, or the mean of each value
# where so many rows share it.
_PARTS, _ROWS_OF_VALUE, _MOST_VALUES = 8, 5, 100


@dataclass(frozen=True, eq=False)
class Arranging:
    """A column that explains an order of the rows.

    Attributes
    ----------
    name : str
    design : tuple of ndarray, shape (rows,)
        What is taken out of other columns, in that order.
    is_curve, is_number : bool
    """

    name: str
    design: tuple[np.ndarray, ...]
    is_curve: bool = False
    is_number: bool = False


def arranging(variable: Variable, values: np.ndarray) -> Arranging:
    """Return what a column explains of others by which rows are arranged; nothing where it has many levels.

    Parameters
    ----------
    variable : Variable
    values : ndarray, shape (rows,)
        In the order of the rows; infinite where a number is missing.
    """
    is_number = variable.kind is Kind.CONTINUOUS
    codes = np.unique(values, return_inverse=True)[1]
    count = int(codes.max(initial=0)) + 1
    if count <= min(_MOST_VALUES, len(values) / _ROWS_OF_VALUE):
        return Arranging(variable.name, _indicators(codes, count), is_number=is_number)
    if not is_number:
        return Arranging(variable.name, ())
    return Arranging(variable.name, _curve(codes), is_curve=True, is_number=is_number)


def arranging_columns(dataset: Dataset, beside: Iterable[str], order: RowOrder) -> list[Arranging]:
    """Name the columns by which rows in an order are sorted, the later ones within the earlier.

    Where the table is sorted by none, but stands in blocks of one that are sorted by another, as where files
    were joined, both are named.
    """
    candidates = _candidates(dataset, beside, order)
    columns = _sorted_within(candidates, order.series)
    if not columns:
        for name in _in_blocks(candidates, order.series, _SORTED):
            others = {other: candidates[other] for other in candidates if other != name}
            variable, values = candidates[name]
            within = _sorted_within(others, _divided(order.series, [values]))
            if within:
                columns = [arranging(variable, values), *within]
                break
    return [column for column in columns if column.design]


def is_nearly_sorted(dataset: Dataset, beside: Iterable[str], order: RowOrder) -> bool:
    """Tell whether a table is sorted by a column but for a few rows, as where some were added."""
    return bool(_in_blocks(_candidates(dataset, beside, order), order.series, _NEARLY_SORTED))


def in_order(variable: Variable, column: np.ndarray, order: RowOrder) -> np.ndarray:
    """Return a column in an order of the rows, infinite where a number is missing."""
    values: np.ndarray = column[order.rows]
    return np.where(np.isnan(values), np.inf, values) if variable.kind is Kind.CONTINUOUS else values


def residuals(scores: Scores, columns: Sequence[Arranging], order: RowOrder) -> np.ndarray:
    """Return scores in an order without what arranging columns explain; one of these without the others."""
    values = scores.values[order.rows]
    remaining = without(values, [part for column in columns for part in column.design])
    for column in columns:
        if column.name not in scores.names:
            continue
        own = scores.owner == scores.names.index(column.name)
        others = [part for other in columns if other is not column for part in other.design]
        remaining[:, own] = without(values[:, own], others)
    centred: np.ndarray = remaining - remaining.mean(axis=0)
    return centred


_Candidates = dict[str, tuple[Variable, np.ndarray]]


def _candidates(dataset: Dataset, beside: Iterable[str], order: RowOrder) -> _Candidates:
    """Return columns in an order of the rows, by name."""
    left_out = set(beside)
    pairs = zip(dataset.variables, dataset.columns, strict=True)
    return {
        variable.name: (variable, in_order(variable, column, order))
        for variable, column in sorted(pairs, key=lambda pair: pair[0].name)
        if variable.role is not Role.WEIGHT and variable.name not in left_out
    }


def _sorted_within(candidates: _Candidates, runs: np.ndarray) -> list[Arranging]:
    """Name the columns by which rows are sorted within runs of rows, the later ones within the earlier."""
    candidates, columns = dict(candidates), list[Arranging]()
    while True:
        sorted_by = [name for name, pair in candidates.items() if _is_sorted(*pair, runs)]
        if not sorted_by:
            return columns
        pairs = [candidates.pop(name) for name in sorted_by]
        columns += [arranging(*pair) for pair in pairs]
        runs = _divided(runs, [values for _, values in pairs])


def _divided(runs: np.ndarray, columns: Sequence[np.ndarray]) -> np.ndarray:
    """Divide runs of rows wherever a column changes."""
    changes = np.any([each[1:] != each[:-1] for each in (runs, *columns)], axis=0)
    return np.concatenate([[0], np.cumsum(changes)])


def _is_sorted(variable: Variable, values: np.ndarray, runs: np.ndarray) -> bool:
    """Tell whether a column is sorted within runs, more than chance would sort it."""
    is_number, changes = variable.kind is Kind.CONTINUOUS, 0
    known = np.isfinite(values) if is_number else np.ones(len(values), dtype=np.bool_)
    # The first rows show it of most columns.
    for count in (_FIRST_ROWS, len(values)):
        some, of_runs = values[:count][known[:count]], runs[:count][known[:count]]
        changed = (some[1:] != some[:-1]) & (of_runs[1:] == of_runs[:-1])
        changes = int(changed.sum())
        if is_number:
            down = changed & (some[1:] < some[:-1])
            if down.any() and (changed & ~down).any():
                return False
        else:
            pairs = np.unique(of_runs * (variable.level_count + 1) + some.astype(np.int64) + 1)
            if changes > len(pairs) - len(np.unique(of_runs)) + _ASTRAY * len(some):
                return False
    expected = _expected_changes(values[known], runs[known])
    if is_number:
        return expected >= _FEWEST_CHANGES
    return expected - changes >= _FEWEST_CHANGES and changes < _SORTED * expected


def _in_blocks(candidates: _Candidates, runs: np.ndarray, most: float) -> list[str]:
    """Name the categories with so small a share of the changes that chance makes, the smallest first."""
    shares = {}
    for name, (variable, values) in candidates.items():
        if variable.kind is Kind.NOMINAL:
            changes = int(((values[1:] != values[:-1]) & (runs[1:] == runs[:-1])).sum())
            expected = _expected_changes(values, runs)
            if expected - changes >= _FEWEST_CHANGES and changes < most * expected:
                shares[name] = changes / expected
    return sorted(shares, key=lambda name: (shares[name], name))


def _expected_changes(values: np.ndarray, runs: np.ndarray) -> float:
    """Tell how often neighbours in a run would differ if the rows of each run stood in any order."""
    codes = np.unique(values, return_inverse=True)[1].astype(np.int64)
    count = int(codes.max(initial=0)) + 1
    of_run = np.unique(runs, return_inverse=True)[1].astype(np.int64)
    sizes = np.bincount(of_run).astype(np.float64)
    pairs, times = np.unique(of_run * count + codes, return_counts=True)
    equal = np.bincount(pairs // count, times * (times - 1.0), minlength=len(sizes))
    return float((sizes - 1.0 - equal / np.maximum(sizes, 1.0)).sum())


def _indicators(codes: np.ndarray, count: int) -> tuple[np.ndarray, ...]:
    return tuple((codes == code).astype(np.float64) for code in range(1, count))


def _curve(codes: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return the columns of a cubic spline along the ranks of values."""
    place = (np.argsort(np.argsort(codes, kind="stable"), kind="stable") + 0.5) / len(codes)
    means = np.bincount(codes, place) / np.maximum(np.bincount(codes), 1)
    place = means[codes]
    powers = [place, place**2, place**3]
    return (*powers, *(np.maximum(place - part / _PARTS, 0.0) ** 3 for part in range(1, _PARTS)))
