"""Labels and features arranged for the likelihood ratio with basis functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.independence.arranging import TestColumns
from engine.independence.basis.columns import Block, category_block, number_block
from engine.independence.basis.kernel import BasisTable
from engine.independence.data import TestData
from engine.independence.distributions import chi2_critical_values
from engine.independence.options import TestOptions
from engine.variable import Kind, Variable

# All products are made at once where that takes no more multiplications, and pair by pair elsewhere.
_MOST_MULTIPLICATIONS = 4e9


@dataclass(frozen=True, eq=False)
class BasisData(TestData):
    """Blocks of basis functions whose likelihood ratios are tested."""

    def nominal_dof(self, x: int, y: int, given: Sequence[int]) -> int:
        """Count the degrees of freedom of a test, whatever is held fixed: models have no strata."""
        return int(self.table.tested[x] * self.table.tested[y])

    def _table_at_level(self, alpha: float) -> Any:
        most = len(self.table.critical) - 1
        return self.table._replace(critical=chi2_critical_values(alpha, most))


def arrange(columns: TestColumns, options: TestOptions) -> BasisData:
    """Arrange numbers and categories for the likelihood ratio with basis functions."""
    blocks = [
        basis_columns(variable, values, options.degree)
        for variable, values in zip(columns.variables, columns.values, strict=True)
    ]
    return BasisData(
        basis_table(blocks, alpha=options.alpha, min_rows_per_dof=options.min_rows_per_dof),
        names=columns.names,
        rows=columns.rows,
        alpha=options.alpha,
        traits=columns.traits,
    )


def basis_columns(variable: Variable, values: np.ndarray, degree: int) -> Block:
    """Give the basis functions of a variable over rows in which it has a value.

    Parameters
    ----------
    variable : Variable
    values : ndarray, shape (rows,)
        Its numbers or codes; nothing missing.
    degree : int
        Of the polynomials of a number that are tested.

    Returns
    -------
    Block
        Columns of mean 0 and length 1 at right angles to one another.
    """
    if variable.kind is Kind.NOMINAL:
        return category_block(values, variable.level_count)
    return number_block(values, degree)


def basis_table(blocks: Sequence[Block], *, alpha: float, min_rows_per_dof: float = 0.0) -> BasisTable:
    """Put the blocks of all variables together.

    Parameters
    ----------
    blocks : sequence of Block
        All over the same rows.
    alpha : float
        Level of the tests.
    min_rows_per_dof : float
        Reliability rule; 0 switches it off.

    Returns
    -------
    BasisTable
    """
    columns = np.concatenate([block.columns for block in blocks])
    tested = np.array([block.tested for block in blocks], dtype=np.int64)
    two_widest = np.sort(np.append(tested, (1, 1)))[-2:]
    products = np.empty((0, 0))
    if len(columns) ** 2 * columns.shape[1] <= _MOST_MULTIPLICATIONS:
        products = np.ascontiguousarray(columns @ columns.T)
    return BasisTable(
        columns=columns,
        starts=np.concatenate(([0], np.cumsum([len(block.columns) for block in blocks]))).astype(np.int64),
        tested=tested,
        products=products,
        critical=chi2_critical_values(alpha, int(two_widest.prod())),
        min_rows_per_dof=float(min_rows_per_dof),
    )
