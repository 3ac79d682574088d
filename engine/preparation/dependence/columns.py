"""The columns in which rows may be alike, and when they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.preparation.dependence.likeness import StandardScores, scores_of
from engine.recipe.table_steps import are_dates
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable

# Fewer rows show nothing.
FEWEST_ROWS = 40
# Of more columns than this, so many stand for all: a look at the rows must cost little beside a search. Where
# they are alike, the others are looked at too, unless a table has more cells than this.
_MOST_COLUMNS, _MOST_CELLS = 64, 10_000_000


@dataclass(frozen=True, eq=False)
class ScoredTable:
    """Labels and features of a table as scores, made once."""

    dataset: Dataset

    @cached_property
    def labels(self) -> StandardScores:
        """The labels; of very many, some that are spread over their names."""
        return self._scores(self.dataset.labels)

    @cached_property
    def features(self) -> StandardScores:
        """The features; of very many, some that are spread over their names."""
        return self._scores(self.dataset.features)

    @cached_property
    def times(self) -> tuple[str, ...]:
        """Columns along which rows may follow each other, by name: dates, and numbers that go on."""
        pairs = zip(self.dataset.variables, self.dataset.columns, strict=True)
        times = (
            variable.name
            for variable, column in pairs
            if variable.role is not Role.WEIGHT and _counts_time(variable, column)
        )
        return tuple(sorted(times))

    @cached_property
    def numbers_of_rows(self) -> frozenset[str]:
        """Numbers that go on from row to row, which are alike in neighbours and say nothing of them."""
        return frozenset(name for name in self.times if self.dataset.variable(name).kind is Kind.CONTINUOUS)

    def _scores(self, names: Sequence[str]) -> StandardScores:
        # By name, and spread over them, so that the order of columns makes no difference.
        by_name = sorted(names)
        return self._scores_of(by_name[:: -(-len(by_name) // _MOST_COLUMNS)])

    def further(self) -> Iterator[StandardScores]:
        """Return the columns that these stand for, some at a time; none where a table is very large."""
        dataset = self.dataset
        if dataset.row_count * (len(dataset.labels) + len(dataset.features)) > _MOST_CELLS:
            return
        taken = {*self.labels.names, *self.features.names}
        names = [name for name in (*dataset.labels, *dataset.features) if name not in taken]
        for start in range(0, len(names), _MOST_COLUMNS):
            yield self._scores_of(names[start : start + _MOST_COLUMNS])

    def _scores_of(self, names: Sequence[str]) -> StandardScores:
        columns = (
            (self.dataset.variable(name), self.dataset.column(name))
            for name in names
            if name not in self.numbers_of_rows
        )
        return scores_of(columns, self.dataset.row_count)


# A chance of likeness in independent rows below which one column is enough, corrected for how many there are;
# and what then suffices on the other side, where there are other columns to tell.
CLEAR, LIKELY = 1e-4, 0.01
# A column is concerned from here on.
CONCERNED = 0.01
# Dependence that multiplies the variance of an association by less makes no difference.
LEAST_INFLATION = 1.02


def is_clear(labels: np.ndarray, features: np.ndarray, tries: int) -> bool:
    """Tell from p-values of columns whether labels and features are both alike."""
    label, feature = float(labels.min()) * len(labels), float(features.min()) * len(features)
    return max(label, feature) < LIKELY and min(label, feature) * tries < CLEAR


# Fewer dates than this order nothing.
_FEWEST_DATES = 20
# Numbers that count time, or rows, differ in nearly all rows, and leave out few numbers in between.
_NEARLY_ALL_DIFFERENT, _GAPS = 0.95, 3.0
_FIRST_ROWS = 200


def holds_whole_numbers(column: np.ndarray) -> bool:
    """Tell whether all numbers of a column that are not missing are whole."""
    return all(
        bool((np.isnan(some) | (some == np.floor(some))).all()) for some in (column[:_FIRST_ROWS], column)
    )


def _counts_time(variable: Variable, column: np.ndarray) -> bool:
    """Tell whether a column holds dates, or whole numbers that go on from row to row."""
    if variable.kind is Kind.NOMINAL:
        return variable.level_count >= _FEWEST_DATES and are_dates(variable.levels)
    if not holds_whole_numbers(column):
        return False
    first = column[:_FIRST_ROWS]
    if len(np.unique(first)) < _NEARLY_ALL_DIFFERENT * len(first) - np.isnan(first).sum():
        return False
    known = column[~np.isnan(column)]
    if len(known) < FEWEST_ROWS or known.max() - known.min() > _GAPS * len(known):
        return False
    return len(np.unique(known)) >= _NEARLY_ALL_DIFFERENT * len(known)


def columns_concerned(
    table: ScoredTable, figures_of: Callable[[StandardScores], np.ndarray], beside: Sequence[str] = ()
) -> tuple[tuple[str, str, float], ...]:
    """Name the columns in which `figures_of` finds rows alike.

    Of a very large table, columns that are not looked at are taken for it.
    """
    figures = figures_of(table.features)
    usual = float(np.median(figures[figures > 0.0])) if (figures > 0.0).any() else 0.0
    by_name = dict(zip(table.features.names, figures.tolist(), strict=True))
    for scores in (table.labels, *table.further()):
        by_name |= zip(scores.names, figures_of(scores).tolist(), strict=True)
    return tuple(
        (variable.name, str(variable.role), by_name.get(variable.name, usual))
        for variable in table.dataset.variables
        if variable.role.takes_part
        and variable.name not in beside
        and variable.name not in table.numbers_of_rows
        and by_name.get(variable.name, usual) > 0.0
    )
