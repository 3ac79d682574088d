"""The score of several columns: the mean of their standardised values, those of reversed columns turned."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from engine.errors import InvalidData
from engine.table.column_kinds import as_numbers
from engine.table.dataset import Dataset, Imputed
from engine.table.variable import MISSING_CODE, Kind, Variable
from engine.translation import _

# Sums in another order differ in the last digits of a float, and units in a few more.
_DIGITS = 9
_LEAST_PRESENT = 0.5


def mean_score(dataset: Dataset, columns: Sequence[str], reversed_columns: Collection[str]) -> np.ndarray:
    """Return the mean of standardised columns in each row, standardised again.

    Columns are numbers, two-valued (1 is the event, or else the last level), or have levels that are in order
    or numbers. NaN where fewer than half of the columns have a value.
    """
    weights = dataset.row_weights
    values = np.array(
        [
            _with_unit_spread(_numbers(dataset, name), weights, _("column '{name}'", name=name))
            for name in columns
        ]
    )
    values[[name in reversed_columns for name in columns]] *= -1.0
    present = np.isfinite(values)
    counts = present.sum(axis=0)
    # Sorted, so that the order of columns makes no difference.
    sums = np.sort(np.where(present, values, 0.0), axis=0).sum(axis=0)
    means = np.where(counts >= _LEAST_PRESENT * len(columns), sums / np.maximum(counts, 1), np.nan)
    return np.round(_with_unit_spread(means, weights, "the score"), _DIGITS)


def with_score(
    dataset: Dataset, name: str, columns: Sequence[str], reversed_columns: Collection[str] = ()
) -> Dataset:
    """Put the score of some columns behind all others, as a feature.

    Where values were drawn for missing ones, the score has one value for each draw.
    """
    variable, score = Variable(name, Kind.CONTINUOUS), mean_score(dataset, columns, reversed_columns)
    imputed = dataset.imputed
    if imputed is not None:
        score[np.any([np.isnan(_numbers(dataset, name)) for name in columns], axis=0)] = np.nan
        gaps = np.isnan(score)
        drawn = [
            mean_score(dataset.completed(draw), columns, reversed_columns)[gaps]
            for draw in range(imputed.draws)
        ]
        imputed = Imputed(imputed.draws, imputed.seed, {**imputed.values, name: np.array(drawn)})
    return dataset.with_columns({}, [(variable, score)]).with_imputed(imputed)


def _with_unit_spread(values: np.ndarray, weights: np.ndarray | None, place: str) -> np.ndarray:
    present = ~np.isnan(values)
    own = np.ones(len(values)) if weights is None else weights
    # Sorted, so that the order of rows makes no difference.
    order = np.lexsort((own[present], values[present]))
    some, own = values[present][order], own[present][order]
    largest = np.abs(some).max(initial=0.0) or 1.0
    some = some / largest
    total = own.sum()
    mean = (own * some).sum() / total if total > 0.0 else 0.0
    spread = np.sqrt((own * (some - mean) ** 2).sum() / total) if total > 0.0 else 0.0
    if not spread > 0.0:
        raise InvalidData(
            _("all its values are the same, so that it cannot be standardised."),
            place=place,
            remedy=_("Leave the column out of the score."),
        )
    return np.asarray((values / largest - mean) / spread)


def _numbers(dataset: Dataset, name: str) -> np.ndarray:
    """Return a column as numbers: 1 for the event of two levels, codes of ordered ones."""
    variable, column = dataset.variable(name), dataset.column(name)
    if variable.kind is Kind.CONTINUOUS:
        return np.asarray(column)
    if variable.level_count == 2:
        event = 1 if variable.event is None else variable.levels.index(variable.event)
        codes = (column == event).astype(np.float64)
    elif variable.ordered:
        codes = column.astype(np.float64)
    else:
        return as_numbers(variable, column)[1]
    return np.where(column == MISSING_CODE, np.nan, codes)
