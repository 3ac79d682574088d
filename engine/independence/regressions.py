"""Regressions of one variable on many columns, and what leaving out or adding columns changes.

The outcome decides the kind: logistic for two levels, multinomial for several, linear for numbers (Agresti
2013, Categorical Data Analysis, chapters 5 and 8). A model is fitted by Newton's method; members are then
compared by likelihood ratios.

Where a combination of columns decides the level, a column has nothing left to explain, however much it
tells: then a linear regression of the indicators of the levels still sees it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

import numpy as np

from engine.independence.data import TestData
from engine.independence.fitted_regression import Fit
from engine.independence.grouped_regression import GroupedRegression, RowGroups
from engine.independence.linear_regression import LinearRegression
from engine.independence.logistic_regression import LogisticRegression
from engine.independence.tails import standardised

# What a regression of a kind gives, and takes again.
FitOfKind = TypeVar("FitOfKind", bound=Fit)


class Regression(Protocol[FitOfKind]):
    """A regression whose outcome is fixed, and whose columns are chosen anew for each fit."""

    @property
    def outcomes(self) -> int:
        """Coefficients of a column: number of levels less one; 1 for numbers."""
        ...

    @property
    def evidence(self) -> float:
        """How many rows bear upon the coefficients; of a level, twice those of the rarer side."""
        ...

    def fit(
        self,
        columns: np.ndarray,
        start: np.ndarray | None = None,
        at_most: Callable[[FitOfKind], bool] | None = None,
        at_least: Callable[[FitOfKind], bool] | None = None,
    ) -> FitOfKind:
        """Fit the outcome to columns of shape (columns, rows), the constant one among them.

        A fit may end early where it suffices that its likelihood is no larger, or no smaller: `at_most` is
        asked with one that is not exceeded, `at_least` with one that is reached.
        """
        ...

    def without(
        self, fit: FitOfKind, chosen: np.ndarray, at_most: Callable[[FitOfKind], bool] | None = None
    ) -> FitOfKind:
        """Fit the outcome to the columns of a fit but some; `chosen` is a bool for each column."""
        ...

    def ratio(self, larger: FitOfKind, smaller: FitOfKind, chosen: np.ndarray) -> tuple[float, float]:
        """Give the likelihood ratio of nested fits as a chi-squared statistic, and its degrees of freedom.

        `chosen`, a bool for each column of the larger one, says which of them the smaller one lacks.
        """
        ...

    def score(self, fit: FitOfKind, extra: np.ndarray) -> tuple[float, float]:
        """Return Rao's statistic that further columns, of shape (extra, rows), have no coefficients."""
        ...

    def scores(
        self, fit: FitOfKind, extra: np.ndarray, parts: Sequence[slice]
    ) -> Sequence[tuple[float, float]]:
        """Return the same of parts of the columns, each without the rest."""
        ...

    def wald(self, fit: FitOfKind, chosen: np.ndarray, sums: np.ndarray | None = None) -> tuple[float, float]:
        """Return Wald's statistic of some columns of a fit, or of sums of them in their place."""
        ...

    def is_decided(self, fit: FitOfKind) -> bool:
        """Tell whether a fit leaves nothing of the outcome that a column could explain."""
        ...

    def linear(self) -> Regression[Any]:
        """Return the linear regression of the same outcome, which can always tell columns apart."""
        ...

    def on_better_scale(self, columns_of: Callable[[], np.ndarray]) -> Regression[Any]:
        """Return the regression of the same outcome on the scale that suits columns better.

        They are asked for only where there is more than one scale.
        """
        ...


def regression_of(data: TestData, target: int, rows: np.ndarray) -> Regression[Any] | None:
    """Make the regression that suits a variable.

    Parameters
    ----------
    data : TestData
    target : int
        Position of the outcome.
    rows : ndarray of bool, shape (rows,)
        Rows to use; the outcome has a value in each.

    Returns
    -------
    Regression, or None
        None where the data hold no values for it, or all are the same.
    """
    outcome = data.outcome_of(target)
    if outcome is None or not rows.any():
        return None
    values, levels = outcome[0][rows], outcome[1]
    weights = None if data.weights is None else data.weights[rows]
    if weights is not None and data.is_sample:
        # Rows are worth their effective number together: a sum of squared weights equal to that of weights
        # gives statistics the level that they have without weights (Kish 1965, Survey Sampling, 11.7).
        weights = weights * (weights.sum() / float(weights @ weights))
    occurring, codes = np.unique(values, return_inverse=True)
    if len(occurring) == 1:
        return None
    regression: LinearRegression | LogisticRegression
    if levels:
        regression = LogisticRegression(codes, len(occurring), weights)
    else:
        regression = LinearRegression(standardised(values, weights), weights)
    if data.groups is None:
        return regression
    in_groups = np.unique(data.groups[rows], return_inverse=True)[1]
    return GroupedRegression(regression, RowGroups(in_groups, weights))
