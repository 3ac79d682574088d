"""Values drawn for empty cells, several for each: what multiple imputation leaves beside a table.

The cells themselves stay empty, so that whatever counts gaps still finds them. Whoever can combine several
completed tables asks for these (:meth:`engine.table.dataset.Dataset.completed`); all others see the gaps.

Rubin (1987), Multiple Imputation for Nonresponse in Surveys, Wiley.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from engine.table.variable import Variable, missing_mask


@dataclass(frozen=True, eq=False)
class Imputed:
    """Values for the empty cells of some columns."""

    draws: int  # how many values each empty cell has
    seed: int  # number from which they were drawn
    values: Mapping[str, np.ndarray]  # by column, shape (draws, empty cells), cells in the order of the rows

    def completed(self, variable: Variable, column: np.ndarray, draw: int) -> np.ndarray:
        """Return a column with one of the values in each empty cell; as it is where it has none."""
        own = self.values.get(variable.name)
        if own is None:
            return column
        filled = column.copy()
        filled[missing_mask(variable, column)] = own[draw]
        return filled

    def of_rows(
        self, variables: tuple[Variable, ...], columns: tuple[np.ndarray, ...], rows: np.ndarray
    ) -> Imputed:
        """Return the values for some rows of a table, given as a mask or as positions."""
        values = dict(self.values)
        for variable, column in zip(variables, columns, strict=True):
            own = values.get(variable.name)
            if own is None:
                continue
            cells = np.cumsum(missing_mask(variable, column)) - 1
            chosen = missing_mask(variable, column[rows])
            values[variable.name] = own[:, cells[rows][chosen]]
        return replace(self, values=values)
