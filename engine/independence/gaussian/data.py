"""Numbers whose correlations are tested, and what holds of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.independence.chi_squared import chi2_critical_values
from engine.independence.data import TestData, chi_squared_effect
from engine.independence.set_fits import ROWS_PER_COLUMN, SetFits, gaussian_fits


@dataclass(frozen=True, eq=False)
class GaussianData(TestData):
    """Numbers whose correlations are tested: the statistic is z, and has no degrees of freedom."""

    def as_chi_squared(self, statistic: np.ndarray, dof: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Square z, which is then chi-squared with one degree of freedom."""
        return statistic**2, np.ones(len(statistic))

    def effect(self, statistic: float, tested: tuple[int, ...], given: tuple[int, ...]) -> float:
        """Return the absolute partial correlation; of a joint test what its chi-squared stands for."""
        observations = self.observations_of((*tested[:2], *given))
        if len(tested) > 2:
            return chi_squared_effect(statistic, observations)
        return correlation_effect(statistic, observations - len(given) - 3)

    @property
    def fits_sets(self) -> bool:
        """Pairs without gaps rest on the same rows, so that there is one model of all."""
        return True

    def fits_of_sets(self, variables: np.ndarray) -> SetFits | None:
        """Return the fits of a Gaussian model to sets of as many variables as the rows bear."""
        rows: float = self.table.rows
        borne = variables[: int(rows / ROWS_PER_COLUMN)]
        if len(borne) < 2:
            return None
        return gaussian_fits(self.table.correlation[np.ix_(borne, borne)], [1] * len(borne), rows)

    def _table_at_level(self, alpha: float) -> Any:
        return self.table._replace(critical=critical_z(alpha))


@dataclass(frozen=True, eq=False)
class IncompleteGaussianData(GaussianData):
    """Numbers with gaps: the table holds the one for pairs without."""

    @property
    def fits_sets(self) -> bool:
        """Each pair rests on rows of its own."""
        return False

    def _table_at_level(self, alpha: float) -> Any:
        return self.table._replace(counted=self.table.counted._replace(critical=critical_z(alpha)))


def critical_z(alpha: float) -> float:
    """Return the critical value of ``|z|``."""
    return math.sqrt(chi2_critical_values(alpha, 1)[1])


def correlation_effect(z: float, scale: float) -> float:
    """Absolute partial correlation behind z = artanh(r) sqrt(scale).

    Examples
    --------
    >>> round(correlation_effect(5.0, 100), 3)
    0.462
    """
    return math.tanh(abs(z) / math.sqrt(max(scale, 1)))
