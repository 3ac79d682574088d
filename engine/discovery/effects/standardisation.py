"""What a label would be on average at each level or value of a feature, all else as it is in the population.

A regression of the label on the feature and on what is held is averaged over the rows, with the feature set
to one level or value in all of them: the g-formula (Robins 1986, A new approach to causal inference in
mortality studies with a sustained exposure period, Mathematical Modelling 7:1393-1512; Hernán and Robins
2020, Causal Inference: What If, chapter 13). With nothing held it is the plain rate or mean at each level.
Variances come from what each row adds to the estimate, by way of the coefficients and of the average, and so
do not rest on the regression's own (Huber 1967; MacKinnon and White 1985, Some heteroskedasticity-consistent
covariance matrix estimators with improved finite sample properties, Journal of Econometrics 29:305-325).

Beside the values of some rows a level of a cause may hardly occur. What a label would be if these rows had
the level is not in the data, and a regression extrapolates
(positivity: Petersen, Porter, Gruber, Wang and van der Laan 2012, Diagnosing and responding to violations in
the positivity assumption, Statistical Methods in Medical Research 21:31-54). All that is known is that it
lies between the smallest and the largest value that the label has at all (Manski 1990, Nonparametric bounds
on treatment effects, American Economic Review 80:319-323).

Rows are alike by their propensity, the chance of the level beside their values. Those below what the rows
with the level have are without alike (Dehejia and Wahba 1999, Causal effects in nonexperimental studies,
Journal of the American Statistical Association 94:1053-1062), if their chance is small besides (Crump, Hotz,
Imbens and Mitnik 2009, Dealing with limited overlap in estimation of average treatment effects, Biometrika
96:187-199): else every table with a number held would have such rows at its edge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from engine.discovery.effects.design import CompleteRows, RegressionColumns
from engine.independence.fitted_regression import Fit
from engine.independence.linear_regression import LinearRegression
from engine.independence.linear_systems import solved, weighted_products
from engine.independence.logistic_regression import LogisticRegression

RATE_ROUNDING = 1e-12
"""Nearer to 0 or 1 a rate is that itself: shares of rows add up to 1 but for so much."""


@dataclass(frozen=True, eq=False)
class Standardised:
    """Average rates (label levels but the first) or means at levels or values (`places`) of a feature."""

    means: np.ndarray  # shape (places, outcomes)
    covariance: np.ndarray  # shape (places, outcomes, places, outcomes)
    dof: float  # that their variances rest on; infinite for rates that nothing is fitted to
    extrapolated: np.ndarray  # what rows alike to none there add to each mean, by the regression alone
    # `covariance` if the label varied alike everywhere; that of few rows may be small by chance
    alike: np.ndarray | None = None
    own_dof: np.ndarray | None = None  # of each mean, shape (places,), where each varies by itself
    # what of `covariance` is between the `draws` tables that imputation completed
    between: np.ndarray | None = None
    draws: int = 1

    @property
    def _first_rates(self) -> np.ndarray:
        """Rates of the first level of the label: what the others leave, and not what rounding does."""
        left = 1.0 - self.means.sum(axis=1)
        variances: np.ndarray = np.where(left > RATE_ROUNDING, left, 0.0)
        return variances

    def with_first_outcome(self) -> Standardised:
        """Return the same with the first level of the label before the others: what these leave."""
        outcomes = self.means.shape[1]
        levels = np.vstack((-np.ones(outcomes), np.eye(outcomes)))
        covariance, between = (
            None if array is None else np.einsum("ab,ibjc,dc->iajd", levels, array, levels)
            for array in (self.covariance, self.between)
        )
        means = np.column_stack((self._first_rates, self.means))
        assert covariance is not None
        return replace(self, means=means, covariance=covariance, alike=None, between=between)

    def of_outcome(self, place: int) -> Standardised:
        """Return one of the outcomes."""
        own = slice(place, place + 1)
        return replace(
            self,
            means=self.means[:, own],
            covariance=self.covariance[:, own, :, own],
            alike=None if self.alike is None else self.alike[:, own, :, own],
            between=None if self.between is None else self.between[:, own, :, own],
        )

    def at_some(self, places: slice) -> Standardised:
        """Return those at some of the levels or values."""
        return replace(
            self,
            means=self.means[places],
            covariance=self.covariance[places][:, :, places],
            extrapolated=self.extrapolated[places],
            alike=None if self.alike is None else self.alike[places][:, :, places],
            own_dof=None if self.own_dof is None else self.own_dof[places],
            between=None if self.between is None else self.between[places][:, :, places],
        )

    def scored(self, scores: np.ndarray) -> Standardised:
        """Return sums of the outcomes, each times its score, as the only outcome."""
        covariance, alike, between = (
            None
            if array is None
            else np.einsum("a,iajb,b->ij", scores, array, scores)[:, np.newaxis, :, np.newaxis]
            for array in (self.covariance, self.alike, self.between)
        )
        assert covariance is not None
        means, extrapolated = ((matrix @ scores)[:, np.newaxis] for matrix in (self.means, self.extrapolated))
        return Standardised(means, covariance, self.dof, extrapolated, alike, None, between, self.draws)

    def log_odds(self, worth: np.ndarray) -> Standardised:
        """Return rates of a label's levels as logarithms of their odds against the first level.

        Where a rate is 0, half a row is added to each level, as for the interval of an odds ratio.
        """
        outcomes = self.means.shape[1]
        rates = np.column_stack((self._first_rates, self.means))
        covariance = self.covariance.copy()
        for place in np.flatnonzero((rates <= 0.0).any(axis=1)):
            rows = worth[place] + 0.5 * (outcomes + 1)
            rates[place] = (np.maximum(rates[place], 0.0) * worth[place] + 0.5) / rows
            own = rates[place, 1:]
            covariance[place], covariance[:, :, place] = 0.0, 0.0
            covariance[place, :, place] = (np.diag(own) - np.outer(own, own)) / rows
        slopes = np.eye(outcomes) / rates[:, 1:, np.newaxis] + 1.0 / rates[:, :1, np.newaxis]
        covariance = np.einsum("ika,iajb,jlb->ikjl", slopes, covariance, slopes)
        means = np.log(rates[:, 1:] / rates[:, :1])
        return Standardised(means, covariance, self.dof, np.zeros_like(means))

    def between_share(self, direction: np.ndarray) -> float:
        """Return which share of the variance of a sum of means of the first outcome is between tables."""
        if self.between is None:
            return 0.0
        whole = float(direction @ self.covariance[:, 0, :, 0] @ direction)
        between = float(direction @ self.between[:, 0, :, 0] @ direction)
        return between / whole if whole > 0.0 else 0.0

    def dof_along(self, direction: np.ndarray) -> float:
        """Return the degrees of freedom of a sum of means: fewer where completed tables differ.

        Independent means: Welch (1947), Biometrika 34:28-35.
        """
        return pooled_dof(self.between_share(direction), self.draws, self._complete_dof(direction))

    def _complete_dof(self, direction: np.ndarray) -> float:
        if self.own_dof is None:
            return self.dof
        within = self.covariance if self.between is None else self.covariance - self.between
        parts = direction**2 * within[:, 0, :, 0].diagonal()
        whole = float(parts.sum())
        return 1.0 / float(((parts / whole) ** 2 / self.own_dof).sum()) if whole > 0.0 else self.dof


def pooled(estimates: Sequence[Standardised]) -> Standardised:
    """Pool means of multiply imputed tables by Rubin's rules (1987, Multiple Imputation, section 3.1)."""
    means = np.array([estimate.means for estimate in estimates])
    mean = means.mean(axis=0)
    away = (means - mean).reshape(len(estimates), -1)
    factor = (1.0 + 1.0 / len(estimates)) / (len(estimates) - 1.0)
    shape = estimates[0].covariance.shape
    between = factor * (away.T @ away).reshape(shape)
    alike = [estimate.alike for estimate in estimates if estimate.alike is not None]
    own_dof = [estimate.own_dof for estimate in estimates if estimate.own_dof is not None]
    return Standardised(
        mean,
        np.mean([estimate.covariance for estimate in estimates], axis=0) + between,
        float(np.mean([estimate.dof for estimate in estimates])),
        np.mean([estimate.extrapolated for estimate in estimates], axis=0),
        np.mean(alike, axis=0) + between if alike else None,
        np.mean(own_dof, axis=0) if own_dof else None,
        between,
        len(estimates),
    )


def pooled_dof(share: float, draws: int, complete: float) -> float:
    """Return the degrees of freedom of a pooled estimate.

    Barnard and Rubin (1999), Small-sample degrees of freedom with multiple imputation, Biometrika 86:948-955.

    >>> round(pooled_dof(0.5, draws=5, complete=50.0), 1)
    9.6
    >>> pooled_dof(0.0, draws=5, complete=50.0)
    50.0
    """
    if share <= 0.0:
        return complete
    by_draws = (draws - 1.0) / share**2
    if np.isinf(complete):
        return by_draws
    observed = (complete + 1.0) / (complete + 3.0) * complete * (1.0 - share)
    return by_draws * observed / (by_draws + observed)


# Fits of a label with levels: leverages change little after the second.
_ROUNDS = 3
# A row whose own value decides what is expected of it would get an infinite weight.
_MOST_LEVERAGE = 0.9
# One that is expected to be what it is, and of which nothing is left.
_WHOLE_LEVERAGE = 1.0 - 1e-9
# Rows of a level, but for rounding, of which there is one.
_SINGLE = 1.0 + 1e-9
# So many numbers of an array over outcomes, values and rows are made at once.
_MOST_NUMBERS = 2**18


@dataclass(frozen=True, eq=False)
class LabelInRegression:
    """A label, as a regression sees it."""

    values: np.ndarray  # numbers, or codes 0 … levels - 1 of levels that all occur
    levels: int  # 0 of a number

    @property
    def outcomes(self) -> int:
        """Coefficients of a column: levels less one, or 1 of a number."""
        return max(self.levels - 1, 1)

    @property
    def observed(self) -> np.ndarray:
        """The number, or indicators of all levels but the first: float64 of shape (outcomes, rows)."""
        if not self.levels:
            return self.values[np.newaxis]
        observed: np.ndarray = (self.values == np.arange(1, self.levels)[:, np.newaxis]).astype(np.float64)
        return observed


def rates_by_level(
    outcome: LabelInRegression, codes: np.ndarray, at: np.ndarray, rows: CompleteRows
) -> Standardised:
    """Return plain rates of a label's levels, or means, at levels `at` of a feature, which occur."""
    observed = outcome.observed
    is_level = codes == at[:, np.newaxis]
    weights = is_level * rows.shares
    weights = weights / weights.sum(axis=1, keepdims=True)
    means = weights @ observed.T
    if outcome.levels:
        means[means > 1.0 - RATE_ROUNDING] = 1.0
    influence = weights[:, np.newaxis] * (observed - means[:, :, np.newaxis])
    worth = np.array([rows.worth_of(has_level) for has_level in is_level])
    if rows.groups is not None:
        # Each group's part is what it would be had the mean been made without it.
        for position, own in enumerate(weights):
            parts = np.bincount(rows.groups, own)
            influence[position] /= np.maximum(1.0 - parts, 1.0 - _MOST_LEVERAGE)[rows.groups]
    elif not outcome.levels:
        # A level's own rows give its mean: variances of means have one degree of freedom less.
        influence *= np.sqrt(worth / np.maximum(worth - 1.0, 1.0))[:, np.newaxis, np.newaxis]
    count, outcomes = means.shape
    covariance = rows.covariance(influence.reshape(count * outcomes, -1))
    plain = outcome.levels > 0 and rows.groups is None and (rows.weights is None or not rows.is_sample)
    dof = np.inf if plain else rows.dof(count)
    shape = (count, outcomes, count, outcomes)
    covariance = covariance.reshape(shape)
    if rows.groups is not None:
        if not outcome.levels:
            _let_single_groups_vary(means, covariance, worth)
        return Standardised(means, covariance, dof, np.zeros_like(means))
    left = rows.worth - count
    # Where every row has a level of its own, nothing is known but how all vary.
    expected = means.T @ is_level if left > 0.0 else observed @ rows.shares[:, np.newaxis]
    residuals = observed - expected
    within = (residuals * rows.shares) @ residuals.T * (rows.worth / max(left, 1.0))
    alike = np.zeros(shape)
    for position, worth_of_level in enumerate(worth):
        alike[position, :, position] = within / worth_of_level
    if outcome.levels:
        return Standardised(means, covariance, dof, np.zeros_like(means), alike)
    # A single row does not tell how much rows of its level vary.
    for place in np.flatnonzero(worth <= _SINGLE):
        covariance[place, :, place] = alike[place, :, place]
    own_dof = np.where(worth <= _SINGLE, max(left, 1.0), np.maximum(worth - 1.0, 1.0))
    return Standardised(means, covariance, dof, np.zeros_like(means), alike, own_dof)


def _let_single_groups_vary(means: np.ndarray, covariance: np.ndarray, groups: np.ndarray) -> None:
    """Give means of levels with a single group the variance of a group of other levels, in place."""
    single = groups <= _SINGLE
    freedom = np.where(single, 0.0, groups - 1.0)
    variances = covariance[:, 0, :, 0].diagonal() * groups
    # Where every level is that of one group, nothing is known but how these differ.
    of_one = freedom @ variances / freedom.sum() if freedom.any() else float(means.var(ddof=1))
    places = np.flatnonzero(single)
    covariance[places, 0, places, 0] = of_one


class StandardisedRegression:
    """A regression on a feature and held columns; those at `acting` enter by products, too."""

    def __init__(
        self,
        outcome: LabelInRegression,
        feature: np.ndarray,
        columns: RegressionColumns,
        held: np.ndarray,
        rows: CompleteRows,
        acting: Sequence[int] = (),
    ) -> None:
        self._outcome = outcome
        self._columns = columns
        self._rows = rows
        self._held = np.vstack((np.ones((1, len(rows))), held))
        # Centred, so that the feature's own coefficients are those at the middle of the rest.
        chosen = held[list(acting)]
        self._acting = chosen - chosen @ rows.shares[:, np.newaxis]
        own = columns.of(feature)
        design = np.vstack((self._held, own, self._products(own)))
        self._prior = np.zeros(len(rows))
        self.fit = self._fitted(design) if outcome.levels else self._fit_of_number(design)
        self._scores, self._bread = self._sandwich()

    def _fit_of_number(self, design: np.ndarray) -> Fit:
        return LinearRegression(self._outcome.values, self._weights).fit(design)

    def _fitted(self, design: np.ndarray) -> Fit:
        """Fit rates with the prior of Jeffreys: each row counts a part of its leverage of every level.

        It keeps coefficients finite and removes most bias of few rows (Firth 1993, Biometrika 80:27-38;
        Heinze and Schemper 2002, Statistics in Medicine 21:2409-2419).
        """
        outcomes, levels = self._outcome.outcomes, self._outcome.levels
        leverage = outcomes * len(design) * self._rows.shares
        fit: Fit | None = None
        for _ in range(_ROUNDS):
            if fit is not None:
                leverage = self._leverage(fit).sum(axis=0)
            self._prior = leverage / (2.0 * outcomes)
            regression = LogisticRegression(self._outcome.values, levels, self._weights, self._prior)
            fit = regression.fit(design, None if fit is None else fit.coefficients)
        assert fit is not None
        return fit

    def _leverage(self, fit: Fit) -> np.ndarray:
        """Return how far each row decides what is expected of it, of shape (outcomes, rows)."""
        width = len(fit.columns)
        weights = self._weights + self._outcome.levels * self._prior
        leverage = np.empty_like(fit.expected)
        for position, expected in enumerate(fit.expected):
            own = slice(position * width, (position + 1) * width)
            within = solved(fit.information[own, own], fit.columns)
            leverage[position] = weights * expected * (1.0 - expected) * (fit.columns * within).sum(axis=0)
        return leverage

    def _products(self, own: np.ndarray) -> np.ndarray:
        """Return the products of columns of the feature, (width, rows) or (width, 1), with others."""
        products: np.ndarray = (own[:, np.newaxis] * self._acting).reshape(-1, len(self._rows))
        return products

    def _sandwich(self) -> tuple[np.ndarray, np.ndarray]:
        """Return what each row adds to the gradient, and the second derivatives.

        Residuals are corrected for leverage as in HC3 (HC2 where rows were added), or by group.
        """
        fit, outcomes = self.fit, self._outcome.outcomes
        columns, weights = fit.columns, self._weights
        residuals = self._outcome.observed - fit.expected
        if not self._outcome.levels:
            bread = weighted_products(columns, weights)
            curvature = np.ones_like(residuals)
        else:
            bread = fit.information
            curvature = fit.expected * (1.0 - fit.expected)
        width = len(columns)
        scores = np.empty((outcomes, width, len(self._rows)))
        for position in range(outcomes):
            own = slice(position * width, (position + 1) * width)
            within = solved(bread[own, own], columns)
            if self._rows.groups is None:
                leverage = curvature[position] * (columns * within).sum(axis=0)
                if self._rows.is_sample:
                    leverage = leverage * weights
                remainder = 1.0 - np.clip(leverage, 0.0, _MOST_LEVERAGE)
                left = residuals[position] / (np.sqrt(remainder) if self._outcome.levels else remainder)
                if not self._outcome.levels:
                    # Such as the single row of a level: it varies as others do, which nothing shows.
                    left = np.where(leverage > _WHOLE_LEVERAGE, np.sqrt(self._variance), left)
            else:
                left = self._left_by_groups(
                    residuals[position], columns, bread[own, own], within, curvature[position] * weights
                )
                if self._outcome.levels:
                    # Half of the way is to first order what the root is of a single row.
                    left = 0.5 * (left + residuals[position])
            scores[position] = columns * (weights * left)
        return scores.reshape(outcomes * width, -1), bread

    def _left_by_groups(
        self,
        residuals: np.ndarray,
        columns: np.ndarray,
        bread: np.ndarray,
        within: np.ndarray,
        weights: np.ndarray,
    ) -> np.ndarray:
        """Return residuals as they would be if each group had no part in the fit, to first order.

        CV3 of MacKinnon, Nielsen and Webb (2023), Journal of Econometrics 232:272-299.
        """
        groups = self._rows.groups
        assert groups is not None
        order = np.argsort(groups, kind="stable")
        ends = np.flatnonzero(np.diff(groups[order])) + 1
        left = np.empty_like(residuals)
        for rows in np.split(order, ends):
            if len(rows) > len(columns):
                # The same by way of the coefficients, which are fewer (Woodbury's formula).
                weighted = columns[:, rows] * weights[rows]
                change = solved(bread - weighted @ columns[:, rows].T, weighted @ residuals[rows])
                left[rows] = residuals[rows] + change @ columns[:, rows]
                continue
            own = columns[:, rows].T @ within[:, rows] * weights[rows]
            remainder = np.eye(len(rows)) - own
            # One that decides its own values is left as it is.
            decides = np.linalg.eigvals(own).real.max() > _MOST_LEVERAGE
            left[rows] = residuals[rows] if decides else np.linalg.solve(remainder, residuals[rows])
        return left

    @cached_property
    def _weights(self) -> np.ndarray:
        """Weights of the rows, whose sum is the number of rows that they are worth."""
        return self._rows.shares * self._rows.worth

    @cached_property
    def _meat_of_prior(self) -> np.ndarray:
        """What rows that were added to keep rates off 0 and 1 contribute to the variance of the gradient."""
        columns, expected, prior = self.fit.columns, self.fit.expected, self._prior
        outcomes, width = len(expected), len(columns)
        levels = np.vstack((np.zeros(outcomes), np.eye(outcomes)))
        meat = np.zeros((outcomes * width, outcomes * width))
        for row in range(outcomes):
            for column in range(outcomes):
                spread = sum(
                    (level[row] - expected[row]) * (level[column] - expected[column]) for level in levels
                )
                block = columns @ (columns * (prior * spread)).T
                meat[row * width : (row + 1) * width, column * width : (column + 1) * width] = block
        return meat

    def means_at(self, values: np.ndarray) -> np.ndarray:
        """Average with the feature at each value: float64 of shape (values, outcomes)."""
        own = self._columns.of(np.asarray(values)).T
        parts = [self._expected(self._scores_at(some))[0] @ self._rows.shares for some in self._in_parts(own)]
        means: np.ndarray = np.concatenate(parts, axis=1).T
        return means

    def at(self, values: np.ndarray, without_alike: np.ndarray | None = None) -> Standardised:
        """Average with the feature at each value; `without_alike` (values, rows) marks unsupported rows."""
        outcomes, shares = self._outcome.outcomes, self._rows.shares
        count = len(values)
        means, extrapolated = np.empty((count, outcomes)), np.zeros((count, outcomes))
        slopes = np.empty((count, outcomes, self._bread.shape[0]))
        spread = np.empty((count, outcomes, len(self._rows)))
        begin = 0
        for own in self._in_parts(self._columns.of(np.asarray(values)).T):
            part = slice(begin, begin + len(own))
            expected, derivatives = self._expected(self._scores_at(own))
            means[part] = (expected @ shares).T
            if without_alike is not None:
                extrapolated[part] = ((expected * without_alike[part]) @ shares).T
            slopes[part] = self._slopes_at(own, derivatives * shares)
            spread[part] = shares * (expected - means[part].T[:, :, np.newaxis]).transpose(1, 0, 2)
            begin = part.stop
        of_each = slopes.reshape(count * outcomes, -1)
        by_coefficients = solved(self._bread, of_each.T).T
        influence = spread.reshape(count * outcomes, -1) + by_coefficients @ self._scores
        covariance = self._rows.covariance(influence)
        if self._outcome.levels:
            covariance = covariance + by_coefficients @ self._meat_of_prior @ by_coefficients.T
        dof = self._rows.dof(len(self.fit.columns))
        shape = (count, outcomes, count, outcomes)
        alike = None
        if not self._outcome.levels and self._rows.groups is None:
            alike = (by_coefficients @ of_each.T * self._variance).reshape(shape)
        return Standardised(means, covariance.reshape(shape), dof, extrapolated, alike)

    def _in_parts(self, own: np.ndarray) -> Iterator[np.ndarray]:
        """Part values (values, own columns), so that arrays over outcomes, values and rows stay small."""
        step = max(1, _MOST_NUMBERS // (self._outcome.outcomes**2 * len(self._rows)))
        for begin in range(0, len(own), step):
            yield own[begin : begin + step]

    @cached_property
    def _scores_of_held(self) -> np.ndarray:
        """What the constant and held columns add to the linear score: (outcomes, 1, rows)."""
        scores: np.ndarray = (self.fit.coefficients[:, : len(self._held)] @ self._held)[:, np.newaxis]
        return scores

    @cached_property
    def _scores_of_own(self) -> np.ndarray:
        """What one of each of the feature's columns adds: (outcomes, own columns, rows), or 1 row for all."""
        outcomes, held, width = len(self.fit.coefficients), len(self._held), self._columns.width
        coefficients = self.fit.coefficients[:, held : held + width, np.newaxis]
        if not len(self._acting):
            return coefficients
        of_products = self.fit.coefficients[:, held + width :].reshape(outcomes, width, -1)
        scores: np.ndarray = coefficients + of_products @ self._acting
        return scores

    def _scores_at(self, own: np.ndarray) -> np.ndarray:
        """Return linear scores (outcomes, values, rows) from columns of the feature (values, own)."""
        scores: np.ndarray = self._scores_of_held + own @ self._scores_of_own
        return scores

    def _slopes_at(self, own: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Return the derivatives of means by coefficients: (values, outcomes, outcomes * columns).

        `weights` are those by the scores of rows, of shape (outcomes, outcomes, values, rows).
        """
        by_own = weights.sum(axis=3, keepdims=True) * own
        by_products = own[:, :, np.newaxis] * (weights @ self._acting.T)[:, :, :, np.newaxis]
        shape = *by_own.shape[:3], -1
        slopes = np.concatenate((weights @ self._held.T, by_own, by_products.reshape(shape)), axis=3)
        return slopes.transpose(2, 0, 1, 3).reshape(len(own), len(weights), -1)

    @cached_property
    def _variance(self) -> float:
        """Variance of a number around what is expected of it."""
        residuals = self._outcome.observed - self.fit.expected
        left = max(self._rows.worth - len(self.fit.columns), 1.0)
        return float((np.square(residuals) @ self._weights).sum()) / left

    def _expected(self, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return what is expected at scores (outcomes, …), and its derivatives (outcomes, outcomes, …)."""
        if not self._outcome.levels:
            return scores, np.ones((1, *scores.shape))
        largest = np.maximum(scores.max(axis=0), 0.0)
        odds = np.exp(scores - largest)
        rates = odds / (odds.sum(axis=0) + np.exp(-largest))
        derivatives = -rates[:, np.newaxis] * rates
        for outcome, rate in enumerate(rates):
            derivatives[outcome, outcome] += rate
        return rates, derivatives


# Chance of a level below which it hardly occurs, and rows with the level that are enough all the same.
_SMALL_CHANCE = 0.02
_ENOUGH_ALIKE = 2
# A smaller share of the rows is the edge of what is held, about which no regression tells much.
_LEAST_SHARE = 0.02
# Fitted chances of rows that are alike differ by rounding.
_ROUNDING = 1e-6


def without_alike(codes: np.ndarray, at: np.ndarray, held: np.ndarray, rows: CompleteRows) -> np.ndarray:
    """Tell for which rows (levels, rows) similar rows hardly ever have a level; None if next to none."""
    if not len(held):
        return np.zeros((len(at), len(codes)), dtype=np.bool_)
    places = np.searchsorted(at, codes)
    regression = LogisticRegression(places, len(at), rows.shares * rows.worth)
    expected = regression.fit(np.vstack((np.ones((1, len(codes))), held))).expected
    chances = np.vstack((1.0 - expected.sum(axis=0), expected))
    lacks_alike = np.empty(chances.shape, dtype=np.bool_)
    for place, chance in enumerate(chances):
        enough = _chance_of_enough(chance[places == place], rows.counts[places == place])
        alone = chance < min(_SMALL_CHANCE, enough * (1.0 - _ROUNDING))
        lacks_alike[place] = alone & (float(alone @ rows.shares) >= _LEAST_SHARE)
    return lacks_alike


def _chance_of_enough(chances: np.ndarray, counts: np.ndarray) -> float:
    """Return the smallest chance that enough rows have or fall below; 1 where all are fewer."""
    order = np.argsort(chances, kind="stable")
    enough = np.flatnonzero(np.cumsum(counts[order]) >= _ENOUGH_ALIKE)
    return float(chances[order[enough[0]]]) if len(enough) else 1.0
