"""Average rates or means of a label at levels or values of a feature, and what is known of their errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

RATE_ROUNDING = 1e-12
"""Nearer to 0 or 1 a rate is that itself: shares of rows add up to 1 but for so much."""


@dataclass(frozen=True, eq=False)
class Standardised:
    """Average rates or means at some levels or values of a feature (here `places`).

    Outcomes are the levels of the label but the first, or the number.
    """

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
        found: np.ndarray = np.where(left > RATE_ROUNDING, left, 0.0)
        return found

    def with_first_outcome(self) -> Standardised:
        """Return the same with the first level of the label before the others: what these leave."""
        outcomes = self.means.shape[1]
        levels = np.vstack((-np.ones(outcomes), np.eye(outcomes)))
        covariance, between = (
            None if each is None else np.einsum("ab,ibjc,dc->iajd", levels, each, levels)
            for each in (self.covariance, self.between)
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
            if each is None
            else np.einsum("a,iajb,b->ij", scores, each, scores)[:, np.newaxis, :, np.newaxis]
            for each in (self.covariance, self.alike, self.between)
        )
        assert covariance is not None
        means, extrapolated = ((each @ scores)[:, np.newaxis] for each in (self.means, self.extrapolated))
        return Standardised(means, covariance, self.dof, extrapolated, alike, None, between, self.draws)

    def log_odds(self, worth: np.ndarray) -> Standardised:
        """Return rates of a label's levels as logarithms of their odds against the first level.

        The nearer a rate is to 0, the less it seems to vary, but the more its odds. Where a rate is 0 there
        is half a row more of each level, as for the interval of an odds ratio, of so many rows as rates there
        are worth.
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

        Of means that vary each by itself those of Welch (1947, The generalization of 'Student's' problem when
        several different population variances are involved, Biometrika 34:28-35).
        """
        return pooled_dof(self.between_share(direction), self.draws, self._complete_dof(direction))

    def _complete_dof(self, direction: np.ndarray) -> float:
        if self.own_dof is None:
            return self.dof
        within = self.covariance if self.between is None else self.covariance - self.between
        parts = direction**2 * within[:, 0, :, 0].diagonal()
        whole = float(parts.sum())
        return 1.0 / float(((parts / whole) ** 2 / self.own_dof).sum()) if whole > 0.0 else self.dof


def pooled(found: Sequence[Standardised]) -> Standardised:
    """Pool the means of tables that multiple imputation completed, by Rubin's rules.

    The estimate is the mean, and its variance the mean variance with that between the tables, which counts a
    draw more (Rubin 1987, Multiple Imputation for Nonresponse in Surveys, section 3.1).
    """
    means = np.array([each.means for each in found])
    mean = means.mean(axis=0)
    away = (means - mean).reshape(len(found), -1)
    factor = (1.0 + 1.0 / len(found)) / (len(found) - 1.0)
    shape = found[0].covariance.shape
    between = factor * (away.T @ away).reshape(shape)
    alike = [each.alike for each in found if each.alike is not None]
    own_dof = [each.own_dof for each in found if each.own_dof is not None]
    return Standardised(
        mean,
        np.mean([each.covariance for each in found], axis=0) + between,
        float(np.mean([each.dof for each in found])),
        np.mean([each.extrapolated for each in found], axis=0),
        np.mean(alike, axis=0) + between if alike else None,
        np.mean(own_dof, axis=0) if own_dof else None,
        between,
        len(found),
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
