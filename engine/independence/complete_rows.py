"""Which rows a test can use when values are missing: those that are complete in its own variables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from engine.compiled.decorators import inlined_part
from engine.independence.bits import population_count
from engine.table.level_sets import row_set
from engine.table.variable import code_dtype

# With fewer rows even two binary columns that agree in every row are independent at the level 0.01, so
# that "independent" says nothing: G² of 2 and 3 rows in the diagonal is 6.73.
FEWEST_ROWS = 5


def present_sets(missing: Iterable[np.ndarray]) -> np.ndarray:
    """Write where each variable has a value as sets of rows.

    Parameters
    ----------
    missing : iterable of ndarray of bool, each of shape (rows,)
        Where values of each variable are missing.

    Returns
    -------
    ndarray of uint64, shape (variables, words)
    """
    return np.array([row_set(~each) for each in missing])


def codes_and_presence(columns: Sequence[np.ndarray], levels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Put coded columns together for counting.

    Parameters
    ----------
    columns : sequence of ndarray of int, each of shape (rows,)
        Codes, negative where missing.
    levels : ndarray of int64, shape (variables,)
        Number of levels of each column.

    Returns
    -------
    codes : ndarray of int8, int16 or int32, shape (variables, rows)
        0 where missing, so that each points into a table of counts.
    present : ndarray of uint64, shape (variables, words)
        As of :func:`present_sets`.
    """
    codes = np.empty((len(columns), len(columns[0])), dtype=code_dtype(int(levels.max())))
    for row, column in zip(codes, columns, strict=True):
        np.maximum(column, 0, out=row, casting="same_kind")
    return codes, present_sets(column < 0 for column in columns)


@inlined_part
def find_complete(
    present: np.ndarray, x: int, y: int, given: np.ndarray, size: int, complete: np.ndarray
) -> int:
    """Write the rows in which two variables and the first `size` of `given` all have a value; count them."""
    total = np.uint64(0)
    for word in range(present.shape[1]):
        together = present[x, word] & present[y, word]
        for place in range(size):
            together &= present[given[place], word]
        complete[word] = together
        total += population_count(together)
    return np.int64(total)  # type: ignore[return-value]
