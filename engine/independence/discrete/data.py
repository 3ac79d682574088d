"""Categories whose combinations are counted, as every test of the family has them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.independence.data import TestData


@dataclass(frozen=True, eq=False)
class ContingencyData(TestData):
    """Categories whose combinations are counted; the table has the field ``levels``."""

    @property
    def strata(self) -> np.ndarray:
        """Levels of each variable: so many times more degrees of freedom when it is held fixed."""
        levels: np.ndarray = self.table.levels
        return levels
