"""Which rows a test can use when values are missing: those that are complete in its own variables."""

from __future__ import annotations

import numpy as np

from engine.independence.bits import population_count, row_set
from engine.independence.compiled import inlined_part

# With fewer rows even two binary columns that agree in every row are independent at the level 0.01, so
# that "independent" says nothing: G² of 2 and 3 rows in the diagonal is 6.73.
FEWEST_ROWS = 5


def present_sets(missing: np.ndarray) -> np.ndarray:
    """Write where each variable has a value as sets of rows.

    Parameters
    ----------
    missing : ndarray of bool, shape (variables, rows)
        Where values are missing.

    Returns
    -------
    ndarray of uint64, shape (variables, words)
    """
    return np.array([row_set(~each) for each in missing])


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
