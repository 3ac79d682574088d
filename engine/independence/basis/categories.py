"""The columns of a category: the indicators of its levels."""

from __future__ import annotations

import numpy as np

from engine.independence.basis.blocks import DETERMINED, Block, orthonormal_block

# Levels with fewer rows are taken together: their indicators would be all but empty.
_FEWEST_ROWS = 5


def category_block(codes: np.ndarray, levels: int, times: np.ndarray | None = None) -> Block:
    """Give the indicators of all levels of a variable but the most frequent.

    Parameters
    ----------
    codes : ndarray of int, shape (rows,)
        Codes of the levels; nothing missing.
    levels : int
        Number of levels. Those that hardly occur count as one.
    times : ndarray of float64, shape (rows,), optional
        How often each row occurred; once when left out.

    Returns
    -------
    Block
        Without columns when one level alone occurs.

    Examples
    --------
    >>> category_block(np.array([0, 1, 1, 0, 1, 1]), levels=2).columns.shape
    (1, 6)
    """
    counts = np.bincount(codes, times, minlength=levels)
    common, rare = _common_and_rare(counts)
    indicators = [codes == level for level in common]
    if rare.any() and (counts[rare].sum() >= _FEWEST_ROWS or not indicators):
        indicators.append(rare[codes])
    candidates = np.array(indicators, dtype=np.float64).reshape(len(indicators), len(codes))
    return orthonormal_block(candidates, np.full(len(candidates), DETERMINED), len(candidates), times)


def most_columns_of_category(
    codes: np.ndarray, levels: int, times: np.ndarray | None = None
) -> tuple[int, int]:
    """Say how many columns :func:`category_block` makes at most: tested, and further ones."""
    common, _ = _common_and_rare(np.bincount(codes, times, minlength=levels))
    return len(common) + 1, 0


def _common_and_rare(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Give the levels with rows enough but the most frequent, largest first, and tell which are rare."""
    frequent = np.argsort(-counts, kind="stable")
    rare = (counts > 0) & (counts < _FEWEST_ROWS)
    rare[frequent[0]] = False
    return frequent[1:][counts[frequent[1:]] >= _FEWEST_ROWS], rare
