"""Numbers and categories in one table: who is asked about which pair.

Where the tested two are categories and nothing is held fixed, their combinations are counted, as in a table
of categories alone: what else is in the table changes nothing about them, and counts have laws of their own
where rows are few. All other questions go to the likelihood ratio with basis functions: given others, strata
take degrees of freedom that sums of effects do not need, and what is interchangeable could hardly be shown.
This is the one place where that is decided.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from engine.independence.columns import TestColumns
from engine.independence.data import TestData
from engine.independence.discrete.arranging import arrange_beside_numbers
from engine.independence.options import TestOptions
from engine.table.variable import Kind, Role, Variable

_NOT_COUNTED = -1


@dataclass(frozen=True, eq=False)
class CountedCategories:
    """The categories of a table, arranged for counting."""

    data: TestData
    place: np.ndarray  # (variables,): where each is in `data`; negative if it is not

    def positions(self, tested: Sequence[int], given: Sequence[int]) -> tuple[int, ...] | None:
        """Say where the variables of a test are; None if it is not counted."""
        places = self.place[list(tested)]
        is_counted = len(tested) == 2 and not given and (places >= 0).all()
        return tuple(places.tolist()) if is_counted else None

    def are_counted(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Tell which pairs are counted where nothing is held fixed: bool of shape (tests,)."""
        are_counted: np.ndarray = (self.place[x] >= 0) & (self.place[y] >= 0)
        return are_counted

    def put_among(
        self,
        modelled: tuple[np.ndarray, ...],
        x: np.ndarray,
        y: np.ndarray,
        is_counted: np.ndarray,
        stop: np.ndarray,
    ) -> tuple[np.ndarray, ...]:
        """Count some pairs, and put what comes out among what all other tests came to."""
        pairs = self.place[x[is_counted]], self.place[y[is_counted]]
        nothing = np.zeros((len(pairs[0]), 1), dtype=np.int64)
        counted = self.data.outcomes(*pairs, nothing, nothing[:, 0].copy(), stop)
        outcomes = []
        for of_counted, of_modelled in zip(counted, modelled, strict=True):
            outcome = np.empty(len(is_counted), dtype=of_modelled.dtype)
            outcome[is_counted], outcome[~is_counted] = of_counted, of_modelled
            outcomes.append(outcome)
        return tuple(outcomes)


def counted_categories(columns: TestColumns, options: TestOptions) -> CountedCategories:
    """Arrange the categories of a table for counting.

    None is counted where rows come in groups: counts suppose that rows are independent. A table without any
    has a column of one level, so that what counts is compiled before it is needed.
    """
    place = np.full(len(columns.variables), _NOT_COUNTED, dtype=np.int64)
    counted = [
        position
        for position, variable in enumerate(columns.variables)
        if variable.kind is Kind.NOMINAL and columns.groups is None
    ]
    place[counted] = np.arange(len(counted))
    variables = tuple(columns.variables[position] for position in counted)
    values = tuple(columns.values[position] for position in counted)
    drawn = columns.drawn and tuple(columns.drawn[position] for position in counted)
    if not counted:
        variables = (Variable("nothing", Kind.NOMINAL, Role.FEATURE, ("nothing",)),)
        values = (np.zeros(columns.rows, dtype=np.int8),)
        drawn = None if columns.drawn is None else (None,)
    chosen = replace(columns, variables=variables, values=values, drawn=drawn)
    data = arrange_beside_numbers(chosen, options, with_gaps=bool(columns.missing.any()))
    return CountedCategories(data, place)


@dataclass(frozen=True, eq=False)
class DataWithCategories(TestData):
    """Blocks of columns of all variables in the table, and beside it the codes of those that are categories.

    The compiled searches see the blocks alone: they always hold something fixed. A table of both, as a type
    of its own, would have all that counts compiled once more into each of them.
    """

    categories: CountedCategories = field(kw_only=True)

    @property
    def tables(self) -> tuple[Any, ...]:
        """The blocks, and the codes."""
        return (*super().tables, *self.categories.data.tables)

    def at_level(self, alpha: float) -> Self:
        """Return the same data, columns and codes to be tested at a significance level."""
        counted = self.categories.data.at_level(alpha)
        return replace(super().at_level(alpha), categories=replace(self.categories, data=counted))

    def counted_codes(self, variables: Sequence[int]) -> tuple[np.ndarray, np.ndarray] | None:
        """Give those of the categories; None where any variable is a number."""
        places = self.categories.place[list(variables)]
        return None if (places == _NOT_COUNTED).any() else self.categories.data.counted_codes(places.tolist())

    def outcomes(
        self,
        x: np.ndarray,
        y: np.ndarray,
        given: np.ndarray,
        sizes: np.ndarray,
        stop: np.ndarray,
        *,
        until_independent: bool = False,
    ) -> tuple[np.ndarray, ...]:
        """Return what the tests of a list come to, those that are counted among them."""
        is_counted = (sizes == 0) & self.categories.are_counted(x, y)
        if not is_counted.any():
            return super().outcomes(x, y, given, sizes, stop, until_independent=until_independent)
        others = ~is_counted
        modelled = super().outcomes(x[others], y[others], given[others], sizes[others], stop)
        outcomes = self.categories.put_among(modelled, x, y, is_counted, stop)
        independent = np.flatnonzero(outcomes[3] & (outcomes[2] <= 1.0))
        made = independent[0] + 1 if until_independent and independent.size else len(x)
        return tuple(each[:made] for each in outcomes)
