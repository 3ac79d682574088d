"""G² and Pearson's X²: which kind of table suits the columns, complete or not, with weights or without."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.independence.columns import TestColumns
from engine.independence.data import TestData
from engine.independence.discrete.contingency import (
    CompleteContingencyData,
    ContingencyData,
    CountedContingencyData,
    CountedTable,
    discrete_table,
    incomplete_table,
)
from engine.independence.discrete.table import G_SQUARED, PEARSON
from engine.independence.options import TestOptions
from engine.table.row_weights import are_whole


def arrange_g_squared(columns: TestColumns, options: TestOptions) -> TestData:
    """Arrange categories for G²."""
    return _arranged(columns, options, G_SQUARED)


def arrange_pearson(columns: TestColumns, options: TestOptions) -> TestData:
    """Arrange categories for Pearson's X²."""
    return _arranged(columns, options, PEARSON)


def arrange_beside_numbers(columns: TestColumns, options: TestOptions, *, with_gaps: bool) -> TestData:
    """Arrange the categories of a table for G²; other columns of it have gaps where `with_gaps` says so."""
    return _arranged(columns, options, G_SQUARED, with_gaps=with_gaps)


def _arranged(
    columns: TestColumns, options: TestOptions, statistic: int, *, with_gaps: bool = False
) -> TestData:
    values, levels = columns.values, columns.levels
    counting: dict[str, Any] = {
        "statistic": statistic,
        "adjusted": options.dof != "nominal",
        **options.rules,
    }
    about: dict[str, Any] = {
        "names": columns.names,
        "rows": columns.rows,
        "traits": columns.traits,
    }
    weights, is_sample = columns.weights, options.weights_are_of_a_sample
    has_gaps = with_gaps or any((codes_of_column < 0).any() for codes_of_column in values)
    if weights is not None and not is_sample and not are_whole(weights):
        from engine.independence.discrete.weighted import weighted_table

        weighted = weighted_table(values, levels, weights, **counting)
        return ContingencyData(weighted, **about, present=weighted.present, weights=weights)
    counting["effective"] = options.dof == "effective"
    counting["coded"] = columns.coded
    if weights is not None and is_sample:
        from engine.independence.discrete.sampled import SampledContingencyData, SampledTable

        table = discrete_table(values, levels, **counting)
        sampled = SampledTable(*incomplete_table(values, table), weights / weights.mean())
        return SampledContingencyData(
            sampled, **about, present=sampled.present if has_gaps else None, weights=weights, is_sample=True
        )
    if weights is not None:
        table = discrete_table(values, levels, observations=int(weights.sum()), **counting)
        joined = CountedTable(*incomplete_table(values, table), weights.astype(np.int64))
        return CountedContingencyData(
            joined, **about, present=joined.present if has_gaps else None, weights=weights
        )
    if columns.drawn is not None:
        from engine.independence.discrete.pooled import PooledContingencyData, pooled_table

        return PooledContingencyData(pooled_table(columns.completed, levels, **counting), **about)
    table = discrete_table(values, levels, **counting)
    if not has_gaps:
        return CompleteContingencyData(table, **about)
    incomplete = incomplete_table(values, table)
    return ContingencyData(incomplete, **about, present=incomplete.present)
