"""Numbers and categories in one table: who is asked about which pair.

Where the tested two are categories and nothing is held fixed, their combinations are counted, as in a table
of categories alone: what else is in the table changes nothing about them, and counts have laws of their own
where rows are few. All other questions go to the likelihood ratio with basis functions: given others, strata
take degrees of freedom that sums of effects do not need, and what is interchangeable could hardly be shown.
This is the one place where that is decided.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from engine.compiled.decorators import kernel_part
from engine.independence.arranging import TestColumns
from engine.independence.chi_squared import log_p_of_chi_squared
from engine.independence.data import TestData
from engine.independence.discrete.arranging import arrange_beside_numbers
from engine.independence.interface import conditional_test, new_workspace, register_test
from engine.independence.options import TestOptions
from engine.table.variable import Kind, Role, Variable

_NOT_COUNTED = -1


@dataclass(frozen=True, eq=False)
class CountedCategories:
    """The categories of a table, arranged for counting.

    Attributes
    ----------
    data : TestData
    place : ndarray of int64, shape (variables,)
        Where each variable of the table is in `data`; negative if it is not.
    """

    data: TestData
    place: np.ndarray

    def positions(self, tested: Sequence[int], given: Sequence[int]) -> tuple[int, ...] | None:
        """Say where the variables of a test are; None if it is not counted."""
        places = self.place[list(tested)]
        is_counted = len(tested) == 2 and not given and (places >= 0).all()
        return tuple(places.tolist()) if is_counted else None

    def at_level(self, alpha: float) -> CountedCategories:
        """Return the same with the critical values of another level."""
        return replace(self, data=self.data.at_level(alpha))

    def beside(self, modelled: Any) -> CombinedTable:
        """Return one table of these and of blocks of columns of all variables."""
        return CombinedTable(modelled, self.data.table, self.place)


def counted_categories(columns: TestColumns, options: TestOptions) -> CountedCategories:
    """Arrange the categories of a table for counting.

    None is counted where rows come in groups: counts suppose that rows are independent. A table without any
    has a column of one level, so that all tables are of one type.
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


class CombinedTable(NamedTuple):
    """Blocks of columns of all variables, and the codes of those that are categories.

    Attributes
    ----------
    modelled : named tuple
        Any table of basis functions.
    counting : named tuple
        Any table of coded columns.
    place : ndarray of int64, shape (variables,)
        Where each variable is in `counting`; negative if it is not.
    """

    modelled: Any
    counting: Any
    place: np.ndarray


class CombinedWorkspace(NamedTuple):
    """Working memory of one search.

    Attributes
    ----------
    modelled, counting : named tuple
        Of either table.
    """

    modelled: Any
    counting: Any


def new_combined_workspace(data: CombinedTable, max_conditioning: int) -> CombinedWorkspace:
    """Allocate working memory for conditioning sets of up to `max_conditioning` variables."""
    return CombinedWorkspace(
        new_workspace(data.modelled, max_conditioning),
        new_workspace(data.counting, max_conditioning),
    )


@kernel_part
def test_combined(
    data: CombinedTable, workspace: CombinedWorkspace, x: int, y: int, given: np.ndarray, size: int
) -> Any:
    """Test two variables of any kind given a set.

    Returns
    -------
    statistic, dof, ratio : float
        As of the table that was asked; the statistic is chi-squared.
    reliable : bool
    """
    if size == 0 and min(data.place[x], data.place[y]) >= 0:
        return conditional_test(data.counting, workspace.counting, data.place[x], data.place[y], given, size)
    return conditional_test(data.modelled, workspace.modelled, x, y, given, size)


test_combined.__test__ = False  # type: ignore[attr-defined]


register_test(
    CombinedTable, new_combined_workspace, test_combined, log_p_of_chi_squared, parts=("modelled", "counting")
)
