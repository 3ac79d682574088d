"""From a prepared dataset and settings to the arrays that a conditional-independence test works on."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.codes import missing_mask
from engine.dataset import Dataset
from engine.errors import InvalidData
from engine.independence.registry import ci_tests
from engine.independence.traits import USUAL_TRAITS, TableTraits, traits_of
from engine.variable import Kind, Role, Variable


@dataclass(frozen=True)
class TestData:
    """Test data with the names of its variables.

    Attributes
    ----------
    table : named tuple
        What the compiled searches work on.
    names : tuple of str
        Name of each variable, by position in `table`.
    positions : mapping of str to int
        Position of each name.
    rows : int
        Rows of the table; where values are missing, a test may rest on fewer.
    is_gaussian : bool
        Statistics are z and have no degrees of freedom.
    traits : TableTraits
        What the table is like.
    """

    __test__ = False

    table: Any
    names: tuple[str, ...]
    positions: Mapping[str, int]
    rows: int
    is_gaussian: bool = False
    traits: TableTraits = USUAL_TRAITS

    def nominal_dof(self, x: int, y: int, given: Sequence[int]) -> int:
        """Count the degrees of freedom of a test as if every combination of levels occurred.

        Models of mixed data have no strata, and tests without levels (Fisher's z, a causal graph) have one.
        """
        starts = getattr(self.table, "starts", None)
        if starts is not None:
            return int((starts[x + 1] - starts[x]) * (starts[y + 1] - starts[y]))
        levels = getattr(self.table, "levels", None)
        if levels is None:
            return 1
        strata = math.prod(int(levels[each]) for each in given)
        return (int(levels[x]) - 1) * (int(levels[y]) - 1) * strata

    def rows_of(self, variables: Sequence[int]) -> int:
        """Count the rows that a test of these variables rests on: those that are complete in all of them."""
        present = getattr(self.table, "present", None)
        if present is None:
            return self.rows
        together = np.bitwise_and.reduce(present[list(variables)], axis=0)
        return int(np.bitwise_count(together).sum())

    @classmethod
    def of_table(
        cls,
        table: Any,
        names: tuple[str, ...],
        rows: int,
        is_gaussian: bool = False,
        traits: TableTraits = USUAL_TRAITS,
    ) -> TestData:
        """Name the variables of a table."""
        positions = {name: place for place, name in enumerate(names)}
        return cls(table, names, positions, rows, is_gaussian, traits)


def make_test_data(
    dataset: Dataset,
    test: str,
    *,
    alpha: float,
    dof: str = "adjusted",
    min_rows_per_dof: float = 0.0,
    min_rows_per_cell: float = 0.0,
) -> TestData:
    """Arrange the labels and features of a dataset for a test.

    Parameters
    ----------
    dataset : Dataset
        Nominal for ``"g2"`` and ``"x2"``, of any kind for ``"mixed"``. Where values are missing, each test
        that can do so leaves out the rows that miss one of its own variables.
    test : str
        A name of ``engine.ci_tests()``.
    alpha : float
        Level of the tests.
    dof : str
        ``"adjusted"`` or ``"nominal"``.
    min_rows_per_dof, min_rows_per_cell : float
        Reliability rules; 0 switches one off.

    Returns
    -------
    TestData

    Raises
    ------
    InvalidData
        When there are no rows, or a column is of the wrong kind, empty, or misses values that the test
        needs.
    """
    if dataset.row_count == 0:
        raise InvalidData("the table has no rows.", remedy="Open a table with data.")
    variables = [each for each in dataset.variables if each.role is not Role.IGNORED]
    columns = [dataset.column(each.name) for each in variables]
    for variable, column in zip(variables, columns, strict=True):
        _check(variable, column, test)
    names = tuple(each.name for each in variables)
    is_gaussian = test == "fisher-z"
    if is_gaussian:
        table = _gaussian_table(variables, columns, alpha)
    elif test == "mixed":
        from engine.independence.mixed import mixed_table

        are_nominal = [each.kind is Kind.NOMINAL for each in variables]
        table = mixed_table(columns, are_nominal, alpha=alpha, min_rows_per_coefficient=min_rows_per_dof)
    else:
        table = _discrete_table(
            columns,
            [each.level_count for each in variables],
            test,
            alpha=alpha,
            adjusted=dof == "adjusted",
            min_rows_per_dof=min_rows_per_dof,
            min_rows_per_cell=min_rows_per_cell,
        )
    return TestData.of_table(table, names, dataset.row_count, is_gaussian, traits_of(dataset))


def _gaussian_table(variables: Sequence[Variable], columns: Sequence[np.ndarray], alpha: float) -> Any:
    missing = [missing_mask(*each) for each in zip(variables, columns, strict=True)]
    values = np.array(columns, dtype=np.float64)
    if not any(each.any() for each in missing):
        from engine.independence.fisher_z import gaussian_table

        return gaussian_table(values, alpha=alpha)
    from engine.independence.incomplete_gaussian import incomplete_gaussian_table

    values[np.array(missing)] = np.nan
    return incomplete_gaussian_table(values, alpha=alpha)


def _discrete_table(columns: Sequence[np.ndarray], levels: Sequence[int], test: str, **settings: Any) -> Any:
    from engine.independence.discrete import discrete_table
    from engine.independence.discrete_table import G_SQUARED, PEARSON

    table = discrete_table(columns, levels, statistic=PEARSON if test == "x2" else G_SQUARED, **settings)
    if not any((each < 0).any() for each in columns):
        return table
    from engine.independence.incomplete_discrete import incomplete_table

    return incomplete_table(columns, table)


def _check(variable: Variable, column: np.ndarray, test: str) -> None:
    place = f"column '{variable.name}'"
    wanted = ci_tests()[test]
    present = column[~missing_mask(variable, column)]
    if len(present) < len(column) and not wanted.takes_missing:
        raise InvalidData(
            f"{len(column) - len(present):,} values are missing, and {wanted.title} needs them all.",
            place=place,
            remedy="Choose in the preparation that rows are left out or cells filled in.",
        )
    if column.size and not present.size:
        raise InvalidData("every value is missing.", place=place, remedy="Set it to ignored.")
    if variable.kind is Kind.CONTINUOUS and not wanted.takes_numbers:
        raise InvalidData(
            f"it is continuous, and {wanted.title} works on categories.",
            place=place,
            remedy="Cut it into bins in the preparation, or use a test for numbers.",
        )
    if variable.level_count > 2 and not wanted.takes_categories:
        raise InvalidData(
            f"it has {variable.level_count} categories, and {wanted.title} works on numbers.",
            place=place,
            remedy="Set it to ignored, or use G² with the numbers cut into bins.",
        )
    read_as_number = variable.kind is Kind.CONTINUOUS or not wanted.takes_categories
    if read_as_number and present.size and (present == present[0]).all():
        raise InvalidData("all values are the same.", place=place, remedy="Set it to ignored.")
