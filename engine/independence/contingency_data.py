"""G² and Pearson's X²: which kind of table suits the columns, complete or not, with weights or without.

The kinds of tables are imported late, so that only the kernels of the kind that is needed are loaded and
compiled.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.independence.arranging import TestColumns
from engine.independence.data import TestData
from engine.independence.discrete_table import G_SQUARED, PEARSON
from engine.independence.distributions import chi2_critical_values, normal_quantile
from engine.independence.options import TestOptions
from engine.table.row_weights import are_whole


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


def arrange_g_squared(columns: TestColumns, options: TestOptions) -> ContingencyData:
    """Arrange categories for G²."""
    return _arranged(columns, options, G_SQUARED)


def arrange_pearson(columns: TestColumns, options: TestOptions) -> ContingencyData:
    """Arrange categories for Pearson's X²."""
    return _arranged(columns, options, PEARSON)


def _arranged(columns: TestColumns, options: TestOptions, statistic: int) -> ContingencyData:
    values, levels = columns.values, columns.levels
    counting: dict[str, Any] = {
        "statistic": statistic,
        "alpha": options.alpha,
        "adjusted": options.dof != "nominal",
        **options.rules,
    }
    about: dict[str, Any] = {
        "names": columns.names,
        "rows": columns.rows,
        "alpha": options.alpha,
        "traits": columns.traits,
    }
    weights, is_sample = columns.weights, options.weights_are_of_a_sample
    has_gaps = any((each < 0).any() for each in values)
    if weights is not None and not is_sample and not are_whole(weights):
        from engine.independence.weighted import weighted_table

        weighted = weighted_table(values, levels, weights, **counting)
        return ContingencyData(weighted, **about, present=weighted.present, weights=weights)
    from engine.independence.discrete import CompleteContingencyData, discrete_table

    counting["effective"] = options.dof == "effective"
    counting["coded"] = columns.coded
    if weights is not None and is_sample:
        from engine.independence.sampled_rows import SampledContingencyData, sampled_table

        table = discrete_table(values, levels, **counting)
        sampled = sampled_table(values, table, weights)
        return SampledContingencyData(
            sampled, **about, present=sampled.present if has_gaps else None, weights=weights, is_sample=True
        )
    if weights is not None:
        from engine.independence.counted_rows import CountedContingencyData, counted_table

        table = discrete_table(values, levels, observations=int(weights.sum()), **counting)
        joined = counted_table(values, table, weights)
        return CountedContingencyData(
            joined, **about, present=joined.present if has_gaps else None, weights=weights
        )
    table = discrete_table(values, levels, **counting)
    if not has_gaps:
        return CompleteContingencyData(table, **about)
    from engine.independence.incomplete_discrete import incomplete_table

    incomplete = incomplete_table(values, table)
    return IncompleteContingencyData(incomplete, **about, present=incomplete.present)
