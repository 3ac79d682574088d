"""How the values of nominal columns are coded, and what says that a value is missing."""

from __future__ import annotations

import numpy as np

from engine.errors import InvalidData
from engine.variable import Kind, Variable

MISSING_CODE = -1


def missing_mask(variable: Variable, column: np.ndarray) -> np.ndarray:
    """Tell for each row whether the value is missing, as a boolean array of shape (rows,)."""
    if variable.kind is Kind.CONTINUOUS:
        missing: np.ndarray = np.isnan(column)
    else:
        missing = column == MISSING_CODE
    return missing


def code_dtype(level_count: int) -> np.dtype:
    """Give the smallest signed integer type that holds the codes of `level_count` levels."""
    for dtype in (np.int8, np.int16, np.int32):
        if level_count - 1 <= np.iinfo(dtype).max:
            return np.dtype(dtype)
    raise InvalidData(f"{level_count} levels are too many for one variable.")
