"""Columns as imputation sees them: how each predicts others, and how its own values are drawn.

Numbers keep their own scale, on which a straight line stays one where rows are missing by a cause of their
values; where tails are so long that a few rows would decide, normal scores stand for them. They predict by
restricted cubic splines, which are straight lines beyond the outer knots: polynomials, where each draw
predicts the next, run away there (Harrell 2015, Regression Modeling Strategies, 2nd ed., sections 2.4.5 and
3.8).

A number is drawn as what its regression predicts with the residual of a row that is predicted alike (local
residual draws: Schenker and Taylor 1996, Partially parametric techniques for multiple imputation,
Computational Statistics & Data Analysis 22:425-446), so that values beyond those that are seen are reached
where whole regions are missing. A number with frequent values takes the value of such a row itself
(predictive mean matching: Little 1988, Missing-data adjustments in large surveys, Journal of Business and
Economic Statistics 6:287-296; Morris, White and Royston 2014, Tuning multiple imputation by predictive mean
matching and local residual draws, BMC Medical Research Methodology 14:75). A category has a multinomial
logistic regression whose coefficients are drawn around the mode of their posterior law.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from engine.preparation.imputation_models import (
    drawn_levels,
    drawn_linear,
    drawn_logistic,
    matched_rows,
)
from engine.table.variable import Kind, Role, Variable, missing_mask

# Knots of a number's spline by the rows that have a value, as quantiles (Harrell 2015, table 2.3).
_KNOTS, _KNOTS_OF_MANY = (0.10, 0.50, 0.90), (0.05, 0.35, 0.65, 0.95)
_ROWS_FOR_FOUR = 1000
# Levels in fewer rows count as one where they predict.
_FEWEST_ROWS = 5
# Columns of predictors that rows bear: at most, at least, and rows that bear one.
_MOST_COLUMNS, _FEWEST_COLUMNS, _ROWS_PER_COLUMN = 40, 3, 8.0
# A number that leans or has tails beyond these is not modelled on its own scale: those of an exponential law.
_MOST_LEANING, _MOST_KURTOSIS = 2.0, 6.0
# A scale of its own ends so many standard deviations from the mean.
_FARTHEST = 10.0
# Beyond the values seen normal scores go on by so many units, as steep as in their outermost tenth.
_BEYOND, _OUTERMOST = 1.5, 0.1
# A number takes values that are seen where one of them is in so many of the rows, or they are so few.
_FREQUENT, _FEWEST_VALUES = 0.05, 20
# Decimals to which a column may be written, to which its draws are rounded too.
_MOST_DECIMALS = 6


class Column(Protocol):
    """A variable as models see it.

    Attributes
    ----------
    name : str
    is_label : bool
    missing : ndarray of bool, shape (rows,)
    seen : ndarray, shape (rows that have a value,)
        Scores of a number, codes of a category.
    width : int
        Columns by which it predicts.
    borne : int
        How many columns of predictors its rows bear.
    """

    name: str
    is_label: bool
    missing: np.ndarray
    seen: np.ndarray
    width: int
    borne: int

    def predictors(self, values: np.ndarray) -> np.ndarray:
        """Return how scores or codes predict, of shape (width, values): mean 0 and variance 1 over `seen`."""
        ...

    def drawn(
        self,
        known: np.ndarray,
        sought: np.ndarray,
        start: np.ndarray | None,
        random: np.random.Generator,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Draw scores or codes by a regression on predictors.

        Parameters
        ----------
        known, sought : ndarray of float64, shape (columns, rows)
            Predictors of rows that have a value, and of those that have none; the first is the constant.
        start : ndarray of float64, optional
            Coefficients of the last time.
        random : numpy.random.Generator

        Returns
        -------
        drawn : ndarray, shape (rows that have none,)
        coefficients : ndarray of float64
        """
        ...

    def values(self, drawn: np.ndarray) -> np.ndarray:
        """Return scores or codes as the table has them."""
        ...


def column_of(variable: Variable, values: np.ndarray) -> Column:
    """Return a label or feature as models see it.

    Parameters
    ----------
    variable : Variable
    values : ndarray, shape (rows,)
        At least one is not missing.

    Examples
    --------
    >>> dose = column_of(Variable("dose", Kind.CONTINUOUS), np.array([1.0, np.nan, 2.0, 4.0]))
    >>> dose.values(dose.seen).round(6).tolist()
    [1.0, 2.0, 4.0]
    """
    if variable.kind is Kind.CONTINUOUS:
        return NumberColumn(variable, values)
    return CategoryColumn(variable, values)


class NumberColumn:
    """A number: see :class:`Column`."""

    def __init__(self, variable: Variable, values: np.ndarray) -> None:
        self.name, self.is_label = variable.name, variable.role is Role.LABEL
        self.missing = missing_mask(variable, values)
        present = values[~self.missing].astype(np.float64)
        distinct, counts = np.unique(present, return_counts=True)
        self._scale = _scale(present, distinct, counts)
        self._takes_seen_values = counts.max() > _FREQUENT * len(present) or len(distinct) < _FEWEST_VALUES
        self._decimals = _decimals(distinct)
        self._lowest = 0.0 if distinct[0] >= 0.0 else -np.inf
        self._highest = 0.0 if distinct[-1] <= 0.0 else np.inf
        self.seen = np.interp(present, *self._scale)
        shares = _KNOTS if len(present) < _ROWS_FOR_FOUR else _KNOTS_OF_MANY
        self._knots = np.unique(np.quantile(self.seen, shares))
        self._straightened = _straightening(self._spline(self.seen))
        self.width = len(self._straightened[1])
        self.borne = _borne(float(len(present)))

    def predictors(self, values: np.ndarray) -> np.ndarray:
        """Return how scores or codes predict, see :meth:`Column.predictors`."""
        means, weights = self._straightened
        columns: np.ndarray = weights @ (self._spline(values) - means[:, np.newaxis])
        return columns

    def _spline(self, scores: np.ndarray) -> np.ndarray:
        """Return the score itself and its restricted cubic spline (Harrell 2015, equation 2.25)."""
        knots = self._knots
        if len(knots) < 3:
            return scores[np.newaxis]
        cubes = np.maximum(scores - knots[:, np.newaxis], 0.0) ** 3
        last, before = knots[-1], knots[-2]
        bent = [
            cubes[each]
            - cubes[-2] * (last - knots[each]) / (last - before)
            + cubes[-1] * (before - knots[each]) / (last - before)
            for each in range(len(knots) - 2)
        ]
        return np.array([scores, *bent])

    def drawn(
        self,
        known: np.ndarray,
        sought: np.ndarray,
        start: np.ndarray | None,
        random: np.random.Generator,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Draw scores or codes, see :meth:`Column.drawn`."""
        expected, coefficients = drawn_linear(self.seen, known, random)
        predicted, predicted_of_seen = coefficients @ sought, expected @ known
        donors = matched_rows(predicted_of_seen, predicted, random)
        if self._takes_seen_values:
            return self.seen[donors], coefficients
        return predicted + (self.seen - predicted_of_seen)[donors], coefficients

    def values(self, drawn: np.ndarray) -> np.ndarray:
        """Return scores or codes as the table has them."""
        on_scale, scores = self._scale
        values = np.interp(drawn, scores, on_scale)
        if self._decimals is not None:
            values = np.round(values, self._decimals)
        limited: np.ndarray = np.clip(values, self._lowest, self._highest)
        return limited


class CategoryColumn:
    """A category: see :class:`Column`."""

    def __init__(self, variable: Variable, values: np.ndarray) -> None:
        self.name, self.is_label = variable.name, variable.role is Role.LABEL
        self.missing = missing_mask(variable, values)
        self._levels, self.seen = np.unique(values[~self.missing], return_inverse=True)
        counts = np.bincount(self.seen, minlength=len(self._levels)).astype(np.float64)
        indicators = _indicators(counts)
        shares = counts / counts.sum()
        means = indicators @ shares
        self._predictors = (indicators - means[:, np.newaxis]) / np.sqrt(means * (1.0 - means))[:, np.newaxis]
        self.width = len(indicators)
        self.borne = _borne(2.0 * float(counts.sum() - counts.max()) / max(len(counts) - 1, 1))

    def predictors(self, values: np.ndarray) -> np.ndarray:
        """Return how scores or codes predict, see :meth:`Column.predictors`."""
        columns: np.ndarray = self._predictors[:, values]
        return columns

    def drawn(
        self,
        known: np.ndarray,
        sought: np.ndarray,
        start: np.ndarray | None,
        random: np.random.Generator,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Draw scores or codes, see :meth:`Column.drawn`."""
        mode, drawn = drawn_logistic(self.seen, len(self._levels), known, start, random)
        return drawn_levels(drawn @ sought, random), mode

    def values(self, drawn: np.ndarray) -> np.ndarray:
        """Return scores or codes as the table has them."""
        values: np.ndarray = self._levels[drawn]
        return values


def _borne(evidence: float) -> int:
    return int(np.clip(evidence / _ROWS_PER_COLUMN, _FEWEST_COLUMNS, _MOST_COLUMNS))


def _scale(present: np.ndarray, values: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return values and their scores, both ascending: straight lines between them are the scale."""
    from scipy.special import ndtri

    mean, spread = float(present.mean()), float(present.std())
    if spread == 0.0 or _is_nearly_normal((present - mean) / spread):
        return mean + _FARTHEST * (spread or 1.0) * np.array([-1.0, 1.0]), _FARTHEST * np.array([-1.0, 1.0])
    scores = ndtri((np.cumsum(counts) - 0.5 * counts) / counts.sum())
    # From the outermost tenth of the values, in which there are two at least.
    inner = max(int(_OUTERMOST * len(values)), 1)
    beyond = [
        values[end] + sign * _BEYOND * (values[end] - values[near]) / (scores[end] - scores[near])
        for end, near, sign in ((0, inner, -1.0), (-1, -1 - inner, 1.0))
    ]
    return (
        np.concatenate((beyond[:1], values, beyond[1:])),
        np.concatenate(([scores[0] - _BEYOND], scores, [scores[-1] + _BEYOND])),
    )


def _is_nearly_normal(standardised: np.ndarray) -> bool:
    """Tell it by the third and fourth moments."""
    leaning, kurtosis = (standardised**3).mean(), (standardised**4).mean() - 3.0
    return bool(abs(leaning) <= _MOST_LEANING and kurtosis <= _MOST_KURTOSIS)


def _decimals(distinct: np.ndarray) -> int | None:
    """Return to how many decimals values are written; None where they have more than people write."""
    for decimals in range(_MOST_DECIMALS + 1):
        if np.array_equal(np.round(distinct, decimals), distinct):
            return decimals
    return None


def _straightening(columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the means of columns, and weights by which they become uncorrelated and of variance 1."""
    means = columns.mean(axis=1)
    centred = columns - means[:, np.newaxis]
    weights: list[np.ndarray] = []
    for position in range(len(columns)):
        own = np.zeros(len(columns))
        own[position] = 1.0
        for earlier in weights:
            own = own - earlier * float((own @ centred) @ (earlier @ centred)) / centred.shape[1]
        spread = float((own @ centred).std())
        if spread > 1e-6 * float(centred[position].std()) > 0.0:
            weights.append(own / spread)
    return means, np.array(weights).reshape(-1, len(columns))


def _indicators(counts: np.ndarray) -> np.ndarray:
    """Return the indicators of all levels but the most frequent one; rare ones are one."""
    levels = np.arange(len(counts))
    rare = (counts < _FEWEST_ROWS) & (levels != counts.argmax())
    common = levels[~rare & (levels != counts.argmax())]
    indicators = [levels == level for level in common]
    if rare.any():
        indicators.append(rare)
    return np.array(indicators, dtype=np.float64).reshape(-1, len(counts))
