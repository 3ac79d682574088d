"""Columns by which variables enter regressions: basis functions, products of two, and steps of a number."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.independence.data import SharesLeft, TestData

# Steps of a number stand between so many equal shares of the rows, where these are so many.
_SHARES = 16
_ROWS_FOR_STEPS = 10_000


class ModelColumns:
    """Columns by which variables enter regressions, in the rows that are used."""

    def __init__(self, data: TestData, rows: np.ndarray, is_simple: bool) -> None:
        self.row_count = int(rows.sum())
        self._data = data
        self._rows = slice(None) if rows.all() else rows
        self._is_simple = is_simple
        self._made: dict[int, np.ndarray] = {}
        self._products: dict[tuple[int, int], np.ndarray] = {}
        self._edges: dict[int, np.ndarray] = {}

    def of(self, variable: int) -> np.ndarray:
        """Return the columns of a variable: float64 of shape (columns, rows)."""
        if variable not in self._made:
            columns = self._data.predictors_of(variable)
            assert columns is not None
            used = columns[: self.leading(variable)] if self._is_simple else columns
            self._made[variable] = used[:, self._rows]
        return self._made[variable]

    def standing_for(self, variable: int) -> np.ndarray:
        """Return the columns that stand for a variable: of a number the first, of levels all.

        Those of a variable that may come in are made anew each time, as there may be many of them.
        """
        if variable in self._made:
            return self._made[variable][: self.leading(variable)]
        columns = self._data.predictors_of(variable, self.leading(variable))
        assert columns is not None
        return columns[:, self._rows]

    def standing_for_each(self, variables: Sequence[int]) -> tuple[np.ndarray, list[int]]:
        """Return those that stand for several variables below one another, and how many for each."""
        most = [self.leading(each) for each in variables]
        columns, counts = self._data.predictors_of_each(variables, most)
        return columns[:, self._rows], counts

    def itself_in(self, variable: int, shares_left: SharesLeft) -> np.ndarray:
        """Say how a variable itself is written in its columns: float64 of shape (of itself, columns).

        `shares_left` tells which share of the variance of sums of these others leave.
        """
        count = len(self.of(variable))
        if self._is_simple:
            return np.eye(count)
        return self._data.itself_in_predictors(variable, count, shares_left)

    def leading(self, variable: int) -> int:
        """Count the columns that stand for a variable in products: of a number the first, of levels all."""
        return max(self._outcome_of(variable)[1] - 1, 1)

    def products(self, one: int, other: int) -> np.ndarray:
        """Return the products of the leading columns of two variables, centred."""
        key = (min(one, other), max(one, other))
        if key not in self._products:
            self._products[key] = self.products_tried(*key)
        return self._products[key]

    def products_tried(self, one: int, other: int) -> np.ndarray:
        """Return the same of two of many pairs, whose products would take too much memory together."""
        first, second = (self.standing_for(each) for each in (min(one, other), max(one, other)))
        products: np.ndarray = (first[:, np.newaxis] * second).reshape(-1, first.shape[1])
        products -= products.sum(axis=1, keepdims=True) / products.shape[1]
        return products

    def edges(self, variable: int) -> np.ndarray:
        """Return where a number goes on from one share of the rows to the next.

        None of levels, nor where rows are too few.
        """
        if variable not in self._edges:
            values, levels = self._outcome_of(variable)
            edges = np.empty(0)
            if levels == 0 and self.row_count >= _ROWS_FOR_STEPS:
                values = values[self._rows]
                edges = np.unique(np.quantile(values, np.arange(1, _SHARES) / _SHARES))
                edges = edges[edges < values.max()]
            self._edges[variable] = edges
        return self._edges[variable]

    def step(self, variable: int, number: int) -> np.ndarray:
        """Return whether a number is beyond one of its edges, centred: float64 of shape (1, rows)."""
        values, _ = self._outcome_of(variable)
        is_beyond = (values[self._rows] > self.edges(variable)[number]).astype(np.float64)
        centred: np.ndarray = is_beyond - is_beyond.mean()
        return centred[np.newaxis]

    def _outcome_of(self, variable: int) -> tuple[np.ndarray, int]:
        outcome = self._data.outcome_of(variable)
        assert outcome is not None
        return outcome
