"""Categories whose combinations are counted, as every test of the family has them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.independence.chi_squared import chi2_critical_values, normal_quantile
from engine.independence.data import TestData


@dataclass(frozen=True, eq=False)
class ContingencyData(TestData):
    """Categories whose combinations are counted; the table has the fields ``levels`` and ``critical``."""

    @property
    def strata(self) -> np.ndarray:
        """Levels of each variable: so many times more degrees of freedom when it is held fixed."""
        levels: np.ndarray = self.table.levels
        return levels

    def _table_at_level(self, alpha: float) -> Any:
        return _at_level(self.table, alpha)


@dataclass(frozen=True, eq=False)
class IncompleteContingencyData(ContingencyData):
    """Categories with gaps: the table holds the one that is counted."""

    def _table_at_level(self, alpha: float) -> Any:
        return self.table._replace(counted=discrete_at_level(self.table.counted, alpha))


def _at_level(table: Any, alpha: float) -> Any:
    critical = chi2_critical_values(alpha, table.critical.size - 1)
    return table._replace(critical=critical, normal_quantile=normal_quantile(alpha))


def discrete_at_level(table: Any, alpha: float) -> Any:
    """Give a table of categories without weights the critical values of another level."""
    return _at_level(table, alpha)._replace(log_alpha=math.log(alpha))
