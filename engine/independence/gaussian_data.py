"""Fisher's z: numbers and two-level categories, complete or not, with weights or without."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.independence.arranging import TestColumns, numbers_of
from engine.independence.data import TestData, chi_squared_effect
from engine.independence.distributions import chi2_critical_values
from engine.independence.options import TestOptions
from engine.independence.set_fits import ROWS_PER_COLUMN, SetFits, gaussian_fits
from engine.independence.tails import bounded, check_tails, normal_scores
from engine.table.variable import Role


@dataclass(frozen=True, eq=False)
class GaussianData(TestData):
    """Numbers whose correlations are tested: the statistic is z, and has no degrees of freedom."""

    def as_chi_squared(self, statistic: np.ndarray, dof: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Square z, which is then chi-squared with one degree of freedom."""
        return statistic**2, np.ones(len(statistic))

    def effect(self, statistic: float, tested: tuple[int, ...], given: tuple[int, ...]) -> float:
        """Give the absolute partial correlation; of a joint test what its chi-squared stands for."""
        observations = self.observations_of((*tested[:2], *given))
        if len(tested) > 2:
            return chi_squared_effect(statistic, observations)
        return correlation_effect(statistic, observations - len(given) - 3)

    @property
    def fits_sets(self) -> bool:
        """Pairs without gaps rest on the same rows, so that there is one model of all."""
        return True

    def fits_of_sets(self, variables: np.ndarray) -> SetFits | None:
        """Give the fits of a Gaussian model to sets of as many variables as the rows bear."""
        rows: float = self.table.rows
        borne = variables[: int(rows / ROWS_PER_COLUMN)]
        if len(borne) < 2:
            return None
        return gaussian_fits(self.table.correlation[np.ix_(borne, borne)], [1] * len(borne), rows)

    def _table_at_level(self, alpha: float) -> Any:
        return self.table._replace(critical=_critical(alpha))


@dataclass(frozen=True, eq=False)
class IncompleteGaussianData(GaussianData):
    """Numbers with gaps: the table holds the one for pairs without."""

    @property
    def fits_sets(self) -> bool:
        """Each pair rests on rows of its own."""
        return False

    def _table_at_level(self, alpha: float) -> Any:
        return self.table._replace(counted=self.table.counted._replace(critical=_critical(alpha)))


def _critical(alpha: float) -> float:
    """Critical value of |z|."""
    return math.sqrt(chi2_critical_values(alpha, 1)[1])


def correlation_effect(z: float, scale: float) -> float:
    """Absolute partial correlation behind z = artanh(r) sqrt(scale).

    Examples
    --------
    >>> round(correlation_effect(5.0, 100), 3)
    0.462
    """
    return math.tanh(abs(z) / math.sqrt(max(scale, 1)))


def arrange(columns: TestColumns, options: TestOptions) -> GaussianData:
    """Arrange numbers, and categories with two levels, for Fisher's z."""
    values = bounded(numbers_of(columns))
    remedy = "Use the test 'fisher-z-rank' or 'basis', or set them to ignored."
    _check_tails(columns, values, remedy, options)
    return _arranged(columns, values, options)


def arrange_ranks(columns: TestColumns, options: TestOptions) -> GaussianData:
    """Arrange normal scores of numbers, and of categories with two levels, for Fisher's z."""
    values = normal_scores(numbers_of(columns), _times(columns, options))
    remedy = "Use the test 'basis', or 'g2' with the columns as categories, or set them to ignored."
    _check_tails(columns, values, remedy, options)
    return _arranged(columns, values, options)


def _check_tails(columns: TestColumns, values: np.ndarray, remedy: str, options: TestOptions) -> None:
    check_tails(
        columns.names,
        values,
        remedy,
        alpha=options.alpha,
        times=_times(columns, options),
        are_labels=[each.role is Role.LABEL for each in columns.variables],
    )


def _times(columns: TestColumns, options: TestOptions) -> np.ndarray | None:
    """Tell how often each row occurred; None where weights say something else."""
    return None if options.weights_are_of_a_sample else columns.weights


def _arranged(columns: TestColumns, values: np.ndarray, options: TestOptions) -> GaussianData:
    weights, is_sample = columns.weights, options.weights_are_of_a_sample
    about: dict[str, Any] = {
        "names": columns.names,
        "rows": columns.rows,
        "alpha": options.alpha,
        "traits": columns.traits,
        "weights": weights,
        "is_sample": is_sample,
    }
    has_gaps = bool(np.isnan(values).any())
    if weights is not None and is_sample:
        from engine.independence.sampled_gaussian import SampledGaussianData, sampled_gaussian_table

        sampled = sampled_gaussian_table(values, weights, _critical(options.alpha))
        return SampledGaussianData(sampled, **about, present=sampled.present if has_gaps else None)
    if has_gaps:
        from engine.independence.incomplete_gaussian import incomplete_gaussian_table

        incomplete = incomplete_gaussian_table(values, weights, alpha=options.alpha)
        return IncompleteGaussianData(incomplete, **about, present=incomplete.present)
    from engine.independence.fisher_z import gaussian_table, weighted_gaussian_table

    if weights is None:
        return GaussianData(gaussian_table(values, alpha=options.alpha), **about)
    worth = float(weights.sum())
    return GaussianData(weighted_gaussian_table(values, weights, worth, alpha=options.alpha), **about)
