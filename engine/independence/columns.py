"""The labels and features of a table as a test is given them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.independence.options import USUAL_TRAITS, TableTraits
from engine.table.code_blocks import CodedBlock
from engine.table.variable import Kind, Variable, missing_mask


@dataclass(frozen=True)
class TestColumns:
    """The labels and features of a table, as a test is given them: checked, rows of weight 0 left out."""

    __test__ = False

    variables: tuple[Variable, ...]
    # each (rows,): codes, negative where missing; or numbers, NaN where missing
    values: tuple[np.ndarray, ...]
    weights: np.ndarray | None = None  # (rows,), above 0; None where rows without weights say the same
    groups: np.ndarray | None = None  # (rows,): which rows belong together, as codes 0, 1, …
    coded: CodedBlock | None = None  # block with sets of rows, of which the values may be rows
    traits: TableTraits = USUAL_TRAITS
    # (draws, missing values) imputed for each; None of one without missing values, or where nothing was
    # imputed
    drawn: tuple[np.ndarray | None, ...] | None = None
    # Rows of a table whose tails the test bears. They are not measured again: what is borne grows with the
    # rows, so that a part would be refused though its table is not.
    is_part: bool = False

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(variable.name for variable in self.variables)

    @cached_property
    def levels(self) -> tuple[int, ...]:
        """Number of levels of each; 0 of a continuous one."""
        return tuple(variable.level_count for variable in self.variables)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.values[0])

    @property
    def missing(self) -> np.ndarray:
        """Where values are missing: bool of shape (variables, rows)."""
        return np.array([missing_mask(*column) for column in zip(self.variables, self.values, strict=True)])

    @property
    def completed(self) -> list[np.ndarray]:
        """The values with what was drawn where they miss: arrays of shape (draws, rows), or (1, rows)."""
        tables = []
        for values, missing, drawn in zip(self.values, self.missing, self.drawn or (), strict=True):
            table = np.tile(values, (1 if drawn is None else len(drawn), 1))
            if drawn is not None:
                table[:, missing] = drawn
            tables.append(table)
        return tables


def numbers_of(columns: TestColumns) -> np.ndarray:
    """Give columns as numbers, float64 of shape (variables, rows): codes of categories, NaN where missing."""
    values = np.array(columns.values, dtype=np.float64)
    values[columns.missing] = np.nan
    return values


def are_nominal(variables: Sequence[Variable]) -> list[bool]:
    """Tell which variables are categories."""
    return [variable.kind is Kind.NOMINAL for variable in variables]
