"""Likelihood-ratio tests of nested linear and multinomial logistic models, for continuous and nominal data.

x and y are independent given S when a model of x by S and y explains x no better than a model by S alone
(Tsagris, Borboudakis, Lagani and Tsamardinos 2018, Constraint-based causal discovery with mixed data,
International Journal of Data Science and Analytics 6:19-30). The models have main effects only: a nominal
variable enters by one column a category but the most frequent, and nothing is multiplied.

- If x or y is continuous, it is the response of a linear model. With b columns of the other variable that S
  does not determine, and e degrees of freedom of the residuals of the larger model, the statistic is
  (e - 1 + b/2) ln(RSS of S / RSS of S and the other variable). The factor is Bartlett's (1938, Further
  aspects of the theory of multiple regression, Mathematical Proceedings of the Cambridge Philosophical
  Society 34:33-40) in place of the number of rows: with that, tests in small tables find too much. For two
  continuous variables it does not matter which is the response.
- If both are nominal, each is the response of a multinomial logistic model once, and the direction that
  finds less counts (the larger p-value). Either model being right then suffices for the level to hold, and
  the order of x and y makes no difference. The price is a little power where S tells much of both and the
  directions differ. Without S both are G².
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.compiled.decorators import kernel_part
from engine.independence.arranging import TestColumns, are_nominal
from engine.independence.chi_squared import chi2_critical_values
from engine.independence.data import TestData
from engine.independence.interface import register_test, sort_set
from engine.independence.mixed.models import add_members, contingency_test, linear_test, logistic_test
from engine.independence.mixed.table import MixedTable, MixedWorkspace, group_rows, new_mixed_workspace
from engine.independence.options import TestOptions
from engine.independence.tails import check_tails


@dataclass(frozen=True, eq=False)
class MixedData(TestData):
    """Columns for linear and logistic models, which have no strata."""

    def nominal_dof(self, x: int, y: int, given: Sequence[int]) -> int:
        """Count the columns of the one times those of the other."""
        widths = np.diff(self.table.starts)
        return int(widths[x] * widths[y])

    def _table_at_level(self, alpha: float) -> Any:
        return self.table._replace(critical=chi2_critical_values(alpha, self.table.critical.size - 1))

    @property
    def regresses(self) -> bool:
        """The columns of linear and logistic models are at hand."""
        return True

    def outcome_of(self, variable: int) -> tuple[np.ndarray, int] | None:
        """Return the codes of a nominal variable, or the standardised numbers of another."""
        levels = int(self.table.categories[variable])
        if levels == 0:
            return self.table.values[self.table.starts[variable]], 0
        return self.table.codes[self.table.code_rows[variable]], levels

    def predictors_of(self, variable: int, most: int | None = None) -> np.ndarray | None:
        """Return the standardised number, or indicators of all categories but the most frequent."""
        columns: np.ndarray = self.table.values[self.table.starts[variable] : self.table.starts[variable + 1]]
        return columns[:most]


def arrange(columns: TestColumns, options: TestOptions) -> MixedData:
    """Arrange numbers and categories for linear and logistic models.

    Raises
    ------
    InvalidData
        When numbers have tails that linear models do not bear.
    """
    nominal = are_nominal(columns.variables)
    if not columns.is_part:
        shown = zip(columns.values, nominal, strict=True)
        tails = np.array(
            [_rarest(each) if is_nominal else each for each, is_nominal in shown], dtype=np.float64
        )
        remedy = "Use the test 'basis', or set them to ignored."
        check_tails(columns.names, tails, remedy, alpha=options.alpha, are_categories=nominal)
    table = mixed_table(
        columns.values,
        nominal,
        alpha=options.alpha,
        min_rows_per_coefficient=options.min_rows_per_dof,
    )
    return MixedData(table, columns.names, columns.rows, options.alpha, columns.traits)


def _rarest(codes: np.ndarray) -> np.ndarray:
    """Indicate the rarest level that occurs: the heaviest column of a category."""
    levels, counts = np.unique(codes, return_counts=True)
    is_rarest: np.ndarray = codes == levels[np.argmin(counts)]
    return is_rarest


def mixed_table(
    columns: Sequence[np.ndarray],
    nominal: Sequence[bool],
    *,
    alpha: float,
    min_rows_per_coefficient: float = 0.0,
) -> MixedTable:
    """Arrange continuous and coded columns for linear and logistic models.

    Parameters
    ----------
    columns : sequence of ndarray, each of shape (rows,)
        Numbers, or codes of categories; nothing missing, no continuous column constant.
    nominal : sequence of bool
        Which columns hold codes.
    alpha : float
        Level of the tests.
    min_rows_per_coefficient : float
        Reliability rule; 0 switches it off.

    Returns
    -------
    MixedTable
    """
    rows = columns[0].shape[0]
    blocks: list[np.ndarray] = []
    codes: list[np.ndarray] = []
    categories, code_rows = [], []
    for column, is_nominal in zip(columns, nominal, strict=True):
        code_rows.append(len(codes))
        if is_nominal:
            coded = _by_frequency(column)
            count = int(coded.max()) + 1
            codes.append(coded)
            categories.append(count)
            blocks.append(_standardised(coded == np.arange(1, count)[:, np.newaxis]))
        else:
            categories.append(0)
            blocks.append(_standardised(column[np.newaxis, :]))
    values = np.concatenate(blocks)
    widths = np.array([len(block) for block in blocks])
    two_widest = np.sort(np.append(widths, (1, 1)))[-2:]
    return MixedTable(
        values=values,
        correlation=values @ values.T / rows,
        starts=np.concatenate(([0], np.cumsum(widths))).astype(np.int64),
        categories=np.array(categories, dtype=np.int64),
        codes=np.array(codes, dtype=np.int32).reshape(len(codes), rows),
        code_rows=np.array(code_rows, dtype=np.int64),
        critical=chi2_critical_values(alpha, int(two_widest.prod())),
        min_rows_per_coefficient=float(min_rows_per_coefficient),
    )


def _by_frequency(column: np.ndarray) -> np.ndarray:
    """Code the categories that occur, the most frequent first: it is what the others are compared with."""
    _, codes, counts = np.unique(column, return_inverse=True, return_counts=True)
    rank = np.empty(len(counts), dtype=np.int32)
    rank[np.argsort(-counts, kind="stable")] = np.arange(len(counts))
    numbered: np.ndarray = rank[codes]
    return numbered


def _standardised(block: np.ndarray) -> np.ndarray:
    """Centre the rows of a block and give them variance 1; size and place of the numbers do no harm."""
    numbers = block.astype(np.float64)
    largest = np.abs(numbers).max(axis=1, keepdims=True, initial=0.0)
    numbers = np.divide(numbers, largest, out=np.zeros_like(numbers), where=largest > 0.0)
    numbers -= numbers.mean(axis=1, keepdims=True)
    spread = np.sqrt((numbers**2).mean(axis=1, keepdims=True))
    scaled: np.ndarray = np.divide(numbers, spread, out=np.zeros_like(numbers), where=spread > 0.0)
    return scaled


@kernel_part
def test_mixed(
    data: MixedTable, workspace: MixedWorkspace, x: int, y: int, given: np.ndarray, size: int
) -> Any:
    """Test two variables of any kind given a set.

    Returns
    -------
    statistic, dof, ratio : float
        ``ratio`` is the statistic over its critical value.
    reliable : bool
        False when the rows do not suffice for the coefficients, or these are too many to be fitted.
    """
    first, second = (x, y) if x < y else (y, x)
    sort_set(workspace.members, given, size)
    if data.categories[first] == 0:
        return linear_test(data, workspace, first, second, size)
    if data.categories[second] == 0:
        return linear_test(data, workspace, second, first, size)
    if size == 0:
        return contingency_test(data, workspace, first, second)
    used_columns = add_members(data, workspace, size)
    groups = group_rows(data, workspace, first, second, size)
    one = logistic_test(data, workspace, first, second, used_columns, groups)
    other = logistic_test(data, workspace, second, first, used_columns, groups)
    if one[3] and (one[2] <= other[2] or not other[3]):
        return one
    return other


test_mixed.__test__ = False  # type: ignore[attr-defined]


register_test(MixedTable, new_mixed_workspace, test_mixed)
