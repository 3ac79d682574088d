"""Which rows a repetition of a search gets: pairs of parts without a common row.

Drawing both halves of one shuffled table instead of unrelated halves is what Shah and Samworth (2013,
Variable selection with error control: another look at stability selection, JRSSB 75:55-80) add to
Meinshausen and Bühlmann (2010, Stability selection, JRSSB 72:417-473): their bound on chance findings then
holds without assumptions on the data or on the search.
"""

from __future__ import annotations

import numpy as np

from engine.dataset import Dataset
from engine.discovery.stability_settings import StabilitySettings
from engine.variable import Kind, Role

# What a share such as 0.29 of 100 rows lacks to 29 by rounding.
_ROUNDING = 1e-9


def subsample_size(rows: int, share: float) -> int:
    """Give the number of rows of a part: the share of them, rounded down.

    Examples
    --------
    >>> subsample_size(101, 0.5), subsample_size(100, 0.29)
    (50, 29)
    """
    return int(rows * share + _ROUNDING)


def subsample_rows(rows: int, number: int, settings: StabilitySettings) -> np.ndarray:
    """Draw the rows of one part without replacement.

    Parts 0 and 1, 2 and 3, … are the first and the second stretch of one shuffled list of rows, so that the
    two have no row in common. Parts of more than one half cannot be disjoint: each has a list of its own.
    The list is ``numpy.random.default_rng([seed, list number]).permutation(rows)``, which depends neither on
    the number of parts nor on the order in which they are searched.

    Parameters
    ----------
    rows : int
        Rows of the table.
    number : int
        Which part, from 0.
    settings : StabilitySettings
        Share of the rows and seed.

    Returns
    -------
    ndarray of int64, shape (subsample_size(rows, share),)
        Positions of rows, ascending.

    Examples
    --------
    >>> pair = [subsample_rows(6, number, StabilitySettings()) for number in (0, 1)]
    >>> sorted(row for half in pair for row in half.tolist())
    [0, 1, 2, 3, 4, 5]
    """
    size = subsample_size(rows, settings.share)
    shuffled, stretch = divmod(number, 2) if settings.are_paired else (number, 0)
    order = np.random.default_rng([settings.seed, shuffled]).permutation(rows)
    drawn: np.ndarray = np.sort(order[stretch * size : (stretch + 1) * size])
    return drawn


def take_subsample(dataset: Dataset, rows: np.ndarray) -> Dataset:
    """Keep some rows of a prepared table; columns that do not vary there take no part.

    Levels keep their codes when none of the rows has them. The cuts of numbers are those of the whole table.

    Parameters
    ----------
    dataset : Dataset
        A prepared table.
    rows : ndarray of int
        Positions of rows.

    Returns
    -------
    Dataset
    """
    part = dataset.select_rows(rows)
    constant = {
        variable.name: Role.IGNORED
        for variable, column in zip(part.variables, part.columns, strict=True)
        if variable.role in (Role.LABEL, Role.FEATURE) and _is_constant(variable.kind, column)
    }
    return part.with_roles(constant) if constant else part


def _is_constant(kind: Kind, column: np.ndarray) -> bool:
    """Tell whether the known values, if there are any, are all the same."""
    known = column[~np.isnan(column)] if kind is Kind.CONTINUOUS else column[column >= 0]
    return known.size == 0 or bool((known == known[0]).all())
