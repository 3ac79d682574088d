"""What every way of cutting numbers into bins looks like from outside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

Classes = tuple[np.ndarray, ...]


@dataclass(frozen=True, slots=True)
class SortedColumn:
    """One column that is to be cut.

    Attributes
    ----------
    values : ndarray of float64, shape (rows,)
        Ascending, nothing missing, at least two different values.
    bins : int
        Number of bins that was asked for.
    classes : tuple of ndarray of int, each of shape (rows,)
        Classes, counted from 0, in the order of `values`; empty unless the method looks at labels.
    weights : ndarray of float64, shape (rows,), or None
        Weights of the rows, above 0, in the order of `values`. Methods that look at labels count rows.
    """

    values: np.ndarray
    bins: int
    classes: tuple[np.ndarray, ...] = ()
    weights: np.ndarray | None = None


@dataclass(frozen=True, slots=True)
class DiscretisationMethod:
    """A way to cut numbers into bins, and what a person needs to know to choose it.

    Attributes
    ----------
    name : str
        Value of ``PreparationSettings.discretise``.
    title, help : str
        Short name, and one sentence on what it does.
    result : str
        How columns come out, to complete "72 numeric features were cut ...".
    source : str
        Reference.
    cut_points : callable
        Takes a SortedColumn and gives float64 cut points, in any order. A value belongs below a cut
        when it is at most the cut. Cuts that separate nothing are removed by the caller.
    uses_bins : bool
        The number of bins matters.
    classes_from_labels : callable, optional
        Makes classes for the cuts out of the codes of all labels; None when labels play no part.
    """

    name: str
    title: str
    help: str
    result: str
    source: str
    cut_points: Callable[[SortedColumn], np.ndarray]
    uses_bins: bool = False
    classes_from_labels: Callable[[Classes], Classes] | None = None

    @property
    def uses_labels(self) -> bool:
        """Whether the cuts depend on the labels."""
        return self.classes_from_labels is not None
