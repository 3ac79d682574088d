"""Blocks of columns that stand for variables: what Gaussian models of several variables are made of.

A variable is a block of columns that stand side by side: itself and functions of it. Twice the logarithm of
how much likelier the rows are when one block depends on others is a difference of log determinants. Such
differences add up along a chain of variables, so that a score of graphs can be made of them (Andrews, Ramsey
and Cooper 2019, Learning high-dimensional directed acyclic graphs with mixed data-types, PMLR 104:4-21).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np


class BlockFits(NamedTuple):
    """Blocks of columns of variables over the same rows, all worth the same.

    Attributes
    ----------
    first : ndarray of int64, shape (variables + 1,)
        Where the block of each variable begins.
    leading : ndarray of int64, shape (variables,)
        How many columns of each block, from its first on, stand for the variable itself.
    rows : float
    products_at : callable
        Products of the columns at some positions with one another, each centred and of length 1.
    weight : float
        What the fit of all columns counts; that of the leading ones counts the rest of 1.
    """

    first: np.ndarray
    leading: np.ndarray
    rows: float
    products_at: Callable[[np.ndarray], np.ndarray]
    weight: float = 1.0
