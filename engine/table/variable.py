"""What is known about one column of a table, its kind, its role, its levels, and how its values are coded."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from engine.errors import InvalidData
from engine.wording.sentences import RENAME_ONE


class Kind(StrEnum):
    """How the values of a variable are to be understood."""

    NOMINAL = "nominal"
    CONTINUOUS = "continuous"


class Role(StrEnum):
    """What a variable is for in an analysis."""

    LABEL = "label"
    FEATURE = "feature"
    IGNORED = "ignored"
    WEIGHT = "weight"
    GROUPS = "groups"

    @property
    def takes_part(self) -> bool:
        """Whether variables with this role are tested: labels and features."""
        return self in (Role.LABEL, Role.FEATURE)


@dataclass(frozen=True, slots=True)
class Variable:
    """One column: its name, kind, role and, when nominal, the names of its levels.

    Attributes
    ----------
    name : str
        Column name, unique within a dataset.
    kind : Kind
        Nominal or continuous.
    role : Role
        Label, feature, ignored, weight (how many rows each row stands for) or groups (which rows belong
        together, as several of one person).
    levels : tuple of str
        Names of the levels of a nominal variable, in code order; empty when continuous.
    ordered : bool
        The levels have an order (bins of a number, a rating).
    is_cut : bool
        The levels are bins into which a number was cut: held fixed, they let a part of what the number
        explains through.

    Raises
    ------
    InvalidData
        When the levels do not fit the kind or are not unique.

    Examples
    --------
    >>> Variable("smoker", Kind.NOMINAL, levels=("no", "yes")).level_count
    2
    """

    name: str
    kind: Kind
    role: Role = Role.FEATURE
    levels: tuple[str, ...] = ()
    ordered: bool = False
    is_cut: bool = False

    def __post_init__(self) -> None:
        if self.kind is Kind.CONTINUOUS and self.levels:
            raise InvalidData("a continuous variable has no levels.", place=f"column '{self.name}'")
        if len(set(self.levels)) != len(self.levels):
            raise InvalidData(
                "two levels have the same name.",
                place=f"column '{self.name}'",
                remedy=RENAME_ONE,
            )

    @property
    def level_count(self) -> int:
        """Number of levels; 0 when continuous."""
        return len(self.levels)


MISSING_CODE = -1


def missing_mask(variable: Variable, column: np.ndarray) -> np.ndarray:
    """Tell for each row whether the value is missing, as a boolean array of shape (rows,)."""
    if variable.kind is Kind.CONTINUOUS:
        missing: np.ndarray = np.isnan(column)
    else:
        missing = column == MISSING_CODE
    return missing


def code_dtype(level_count: int) -> np.dtype:
    """Return the smallest signed integer type that holds the codes of `level_count` levels."""
    for dtype in (np.int8, np.int16, np.int32):
        if level_count - 1 <= np.iinfo(dtype).max:
            return np.dtype(dtype)
    raise InvalidData(f"{level_count} levels are too many for one variable.")
