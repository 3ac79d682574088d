"""Normal scores of ranks, so that units and scales make no difference, and their correlations."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from engine.table.dataset import Dataset
from engine.table.row_weights import observations_in
from engine.table.variable import Kind, Variable, missing_mask


@dataclass(frozen=True, eq=False)
class NormalScores:
    """Normal scores of some columns."""

    values: np.ndarray  # float32 (columns, rows) of mean 0 and variance 1; 0 where missing
    present: np.ndarray | None  # 1 where there is a value; None where none is missing
    weights: np.ndarray | None  # how much each row counts, 1 on average
    observations: float  # what the rows are worth

    def of(self, places: Sequence[int]) -> NormalScores:
        """Return some of the columns."""
        present = None if self.present is None else self.present[list(places)]
        return NormalScores(self.values[list(places)], present, self.weights, self.observations)

    def and_columns(self, further: NormalScores) -> NormalScores:
        """Put columns of the same rows behind these."""
        present = None
        if self.present is not None or further.present is not None:
            present = np.concatenate([self._present_rows(), further._present_rows()])
        return NormalScores(
            np.concatenate([self.values, further.values]), present, self.weights, self.observations
        )

    def correlations(self, columns: NormalScores) -> np.ndarray:
        """Return the correlations with other columns, over the rows in which both have a value."""
        weighted = self.values if self.weights is None else self.values * self.weights
        sums = weighted @ columns.values.T
        if self.present is None and columns.present is None:
            return np.asarray(sums / self.values.shape[1], dtype=np.float64)
        mine = self._present_rows()
        squares, theirs = weighted * self.values, columns._present_rows()
        # Variances in the common rows, for what is missing may hang on the value.
        both = np.sqrt((squares @ theirs.T) * ((mine * _weights_of(self)) @ (columns.values**2).T))
        return np.asarray(sums / np.maximum(both, 1e-12), dtype=np.float64)

    def _present_rows(self) -> np.ndarray:
        return np.ones_like(self.values) if self.present is None else self.present


def _weights_of(scores: NormalScores) -> np.ndarray | float:
    return 1.0 if scores.weights is None else scores.weights


def some_rows(dataset: Dataset, most: int) -> slice:
    """Return rows that are evenly spread, at most so many."""
    return slice(None, None, max(1, -(-dataset.row_count // most)))


def in_order(dataset: Dataset, names: Iterable[str]) -> list[str]:
    """Sort names as the columns of the table are."""
    return sorted(names, key=dataset.index)


def with_an_order(dataset: Dataset, names: set[str]) -> list[str]:
    """List columns that have an order, by which they can be correlated."""
    return [name for name in in_order(dataset, names) if _has_order(dataset.variable(name))]


def _has_order(variable: Variable) -> bool:
    """Tell whether the values of a column have an order, or are two."""
    if variable.kind is Kind.CONTINUOUS or variable.ordered or variable.level_count == 2:
        return True
    return variable.level_count > 2 and _level_numbers(variable) is not None


def _level_numbers(variable: Variable) -> np.ndarray | None:
    """Return the numbers that levels are called by; None where one is called otherwise."""
    try:
        numbers = np.array([float(level) for level in variable.levels])
    except ValueError:
        return None
    return numbers if np.isfinite(numbers).all() else None


def _ranked(dataset: Dataset, name: str, rows: slice) -> tuple[np.ndarray, int, np.ndarray | None]:
    """Return the rank of each row's value among the distinct ones, how many, and where one is missing."""
    variable = dataset.variable(name)
    column = dataset.column(name)[rows]
    missing: np.ndarray | None = missing_mask(variable, column)
    if missing is not None and missing.any():
        column = np.where(missing, 0, column)
    else:
        missing = None
    if variable.kind is Kind.CONTINUOUS:
        distinct, ranks = np.unique(column, return_inverse=True)
        return ranks, len(distinct), missing
    numbers = None if variable.ordered else _level_numbers(variable)
    if numbers is not None:
        column = np.argsort(np.argsort(numbers, kind="stable"), kind="stable")[column]
    return column, variable.level_count, missing


def normal_scores(dataset: Dataset, names: Sequence[str], rows: slice) -> NormalScores:
    """Return normal scores: those of the middle of the ranks that equal values have."""
    from scipy.special import ndtri

    weights = dataset.row_weights
    count = len(range(*rows.indices(dataset.row_count)))
    relative = None
    if weights is not None:
        relative = weights[rows] / weights[rows].mean()
    values = np.zeros((len(names), count), dtype=np.float32)
    present = None
    for place, name in enumerate(names):
        ranks, levels, missing = _ranked(dataset, name, rows)
        own = relative
        if missing is not None:
            own = np.where(missing, 0.0, 1.0 if relative is None else relative)
            if present is None:
                present = np.ones_like(values)
            present[place] = ~missing
        shares = np.bincount(ranks, own, minlength=levels).astype(np.float64)
        total = float(shares.sum())
        if total <= 0.0:
            continue
        middle = (np.cumsum(shares) - shares / 2.0) / total
        level_scores = ndtri(np.minimum(np.maximum(middle, 1e-9), 1.0 - 1e-9))
        level_scores -= (shares @ level_scores) / total
        spread = math.sqrt(float(shares @ level_scores**2) / total)
        if spread > 1e-9:
            np.take((level_scores / spread).astype(np.float32), ranks, out=values[place])
        if missing is not None:
            values[place][missing] = 0.0
    worth = float(count) if weights is None else observations_in(weights[rows], is_sample=True)
    return NormalScores(values, present, relative, worth)


def scores_of_levels(dataset: Dataset, name: str, rows: slice) -> NormalScores:
    """Return a column for each level of a variable, as of a yes/no column."""
    codes = dataset.column(name)[rows]
    missing = missing_mask(dataset.variable(name), codes)
    columns = {}
    for level in range(dataset.variable(name).level_count):
        own = (codes == level).astype(np.int8)
        columns[str(level)] = np.where(missing, -1, own)
    variables = tuple(Variable(column, Kind.NOMINAL, levels=("no", "yes")) for column in columns)
    weights = dataset.row_weights
    table = Dataset(variables=variables, columns=tuple(columns.values()))
    scores = normal_scores(table, table.names, slice(None))
    if weights is None:
        return scores
    relative = weights[rows] / weights[rows].mean()
    return NormalScores(
        scores.values, scores.present, relative, observations_in(weights[rows], is_sample=True)
    )
