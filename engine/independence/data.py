"""From a prepared dataset and settings to the arrays that a conditional-independence test works on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from engine.codes import missing_mask
from engine.dataset import Dataset
from engine.errors import InvalidData
from engine.independence.arranging import categories_table, numbers_table, rows_in_all, shuffled_table
from engine.independence.interface import nominal_dof
from engine.independence.registry import ci_tests
from engine.independence.traits import USUAL_TRAITS, TableTraits, traits_of
from engine.row_weights import SAMPLING, observations_in
from engine.variable import Kind, Variable


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
    observations : float
        What the rows are worth: their number, or where they have weights the sum or the effective number.
    """

    __test__ = False

    table: Any
    names: tuple[str, ...]
    positions: Mapping[str, int]
    rows: int
    is_gaussian: bool = False
    traits: TableTraits = USUAL_TRAITS
    observations: float = 0.0

    def nominal_dof(self, x: int, y: int, given: Sequence[int]) -> int:
        """Count the degrees of freedom of a test as if every combination of levels occurred.

        Models of mixed data have no strata, and tests without levels (Fisher's z, a causal graph) have one.
        """
        starts = getattr(self.table, "starts", None)
        if starts is not None:
            return int((starts[x + 1] - starts[x]) * (starts[y + 1] - starts[y]))
        return int(nominal_dof(self.table, x, y, np.array(given, dtype=np.int64), len(given)))

    @cached_property
    def strata(self) -> np.ndarray:
        """How many times more degrees of freedom a test has when a variable is held fixed.

        An array of int64 of shape (variables,): the levels of each; 1 where there are no strata.
        """
        if getattr(self.table, "starts", None) is not None or not hasattr(self.table, "levels"):
            return np.ones(len(self.names), dtype=np.int64)
        levels: np.ndarray = self.table.levels
        return levels

    def rows_of(self, variables: Sequence[int]) -> int:
        """Count the rows that a test of these variables rests on: those that are complete in all of them."""
        present = getattr(self.table, "present", None)
        return self.rows if present is None else int(rows_in_all(present, variables, self.rows).sum())

    def observations_of(self, variables: Sequence[int]) -> float:
        """Tell what the rows are worth that a test of these variables rests on."""
        present, weights = (getattr(self.table, name, None) for name in ("present", "weights"))
        if present is None:
            return self.observations
        if weights is None:
            return self.rows_of(variables)
        used = weights[rows_in_all(present, variables, len(weights))]
        return observations_in(used, self.table.is_sample)

    @classmethod
    def of_table(
        cls,
        table: Any,
        names: tuple[str, ...],
        rows: int,
        is_gaussian: bool = False,
        traits: TableTraits = USUAL_TRAITS,
        observations: float | None = None,
    ) -> TestData:
        """Name the variables of a table."""
        positions = {name: place for place, name in enumerate(names)}
        worth = rows if observations is None else observations
        return cls(table, names, positions, rows, is_gaussian, traits, worth)


def make_test_data(
    dataset: Dataset,
    test: str,
    *,
    alpha: float,
    dof: str = "adjusted",
    min_rows_per_dof: float = 0.0,
    min_rows_per_cell: float = 0.0,
    row_weights: str = SAMPLING,
    permutations: int = 999,
    permutation_seed: int = 0,
) -> TestData:
    """Arrange the labels and features of a dataset for a test.

    Parameters
    ----------
    dataset : Dataset
        Nominal for the tests of tables, of any kind for ``"mixed"``. Where values are missing, each test
        that can do so leaves out the rows that miss one of its own variables.
    test : str
        A name of ``engine.ci_tests()``.
    alpha : float
        Level of the tests.
    dof : str
        ``"adjusted"`` or ``"nominal"``.
    min_rows_per_dof, min_rows_per_cell : float
        Reliability rules; 0 switches one off.
    row_weights : str
        What a weight column says: ``"sampling"`` or ``"counts"``.
    permutations, permutation_seed : int
        Most permutations of a test that permutes, and the start of their random numbers.

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
    dataset, weights = _weighted_rows(dataset)
    if weights is not None and not ci_tests()[test].takes_weights:
        raise InvalidData(
            f"{ci_tests()[test].title} cannot give rows different weights.",
            place=f"column '{dataset.weight}'",
            remedy="Use G², Pearson's X² or Fisher's z, or set the column to ignored.",
        )
    variables = [each for each in dataset.variables if each.role.takes_part]
    columns = [dataset.column(each.name) for each in variables]
    for variable, column in zip(variables, columns, strict=True):
        _check(variable, column, test)
    names = tuple(each.name for each in variables)
    is_gaussian = test == "fisher-z"
    is_sample = row_weights == SAMPLING
    rules = {"min_rows_per_dof": min_rows_per_dof, "min_rows_per_cell": min_rows_per_cell}
    if is_gaussian:
        table = numbers_table(variables, columns, weights, is_sample, alpha=alpha)
    elif test == "mixed":
        from engine.independence.mixed import mixed_table

        are_nominal = [each.kind is Kind.NOMINAL for each in variables]
        table = mixed_table(columns, are_nominal, alpha=alpha, min_rows_per_coefficient=min_rows_per_dof)
    elif ci_tests()[test].permutes:
        shuffles = {"permutations": permutations, "seed": permutation_seed}
        table = shuffled_table(variables, columns, test, alpha=alpha, **shuffles, **rules)
    else:
        table = categories_table(
            variables,
            columns,
            weights,
            is_sample,
            test,
            dataset.coded,
            alpha=alpha,
            adjusted=dof == "adjusted",
            **rules,
        )
    return TestData.of_table(
        table,
        names,
        dataset.row_count,
        is_gaussian,
        traits_of(dataset),
        None if weights is None else observations_in(weights, is_sample),
    )


def _weighted_rows(dataset: Dataset) -> tuple[Dataset, np.ndarray | None]:
    """Give the rows that stand for anything, and their weights; None when rows have none."""
    weights = dataset.row_weights
    if weights is None or (weights > 0.0).all():
        return dataset, weights
    return dataset.select_rows(weights > 0.0), weights[weights > 0.0]


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
