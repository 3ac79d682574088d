"""Groups of rows: several rows of one person, family or place, which are not independent of each other."""

from __future__ import annotations

import numpy as np

from engine.codes import missing_mask
from engine.errors import InvalidData
from engine.variable import Variable

FEWEST_GROUPS = 2


def groups_of(variable: Variable, column: np.ndarray) -> np.ndarray:
    """Read a column as groups of the rows: rows with the same value belong together.

    Parameters
    ----------
    variable : Variable
        Nominal or continuous: names and numbers of persons serve alike.
    column : ndarray, shape (rows,)

    Returns
    -------
    ndarray of int64, shape (rows,)
        Group of each row, ``0 … groups - 1`` in the order of the column's codes or numbers; every group
        has a row.

    Raises
    ------
    InvalidData
        When the group of a row is missing.

    Examples
    --------
    >>> from engine.variable import Kind
    >>> groups_of(Variable("patient", Kind.CONTINUOUS), np.array([17.0, 4.0, 17.0])).tolist()
    [1, 0, 1]
    """
    missing = missing_mask(variable, column)
    if missing.any():
        raise InvalidData(
            f"the group of {int(missing.sum()):,} rows is missing; the first is in row "
            f"{int(missing.argmax()) + 1:,}.",
            place=f"column '{variable.name}'",
            remedy="Give every row its group, one of its own where it stands alone, or leave these rows out "
            "of the file.",
        )
    codes: np.ndarray = np.unique(column, return_inverse=True)[1]
    return codes.astype(np.int64, copy=False)


def require_several_groups(variable: Variable, groups: np.ndarray) -> None:
    """Refuse a column that puts all rows in one group.

    Parameters
    ----------
    variable : Variable
    groups : ndarray of int64, shape (rows,)
        Its groups, as of :func:`groups_of`.

    Raises
    ------
    InvalidData
        When there are fewer than two groups.
    """
    if len(groups) and int(groups.max()) + 1 < FEWEST_GROUPS:
        raise InvalidData(
            "every row is in the same group, so nothing can be compared between groups.",
            place=f"column '{variable.name}'",
            remedy="Choose the column that names the person, or whatever else has several rows.",
        )
