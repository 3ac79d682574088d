"""What every way of cutting numbers into bins looks like from outside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

Classes = tuple[np.ndarray, ...]


@dataclass(frozen=True, slots=True)
class SortedColumn:
    """One column that is to be cut."""

    values: np.ndarray  # ascending, nothing missing, at least two different values
    bins: int  # that were asked for
    # each of shape (rows,), from 0, in the order of `values`; empty unless the method looks at labels
    classes: tuple[np.ndarray, ...] = ()
    # above 0, in the order of `values`; methods that look at labels count rows
    weights: np.ndarray | None = None


@dataclass(frozen=True, slots=True)
class DiscretisationMethod:
    """A way to cut numbers into bins, and what a person needs to know to choose it."""

    name: str  # value of `PreparationSettings.discretise`
    title: str
    help: str
    result: str  # how columns come out, to complete "72 numeric features were cut ..."
    source: str
    # in any order; the caller removes those that separate nothing
    cut_points: Callable[[SortedColumn], np.ndarray]
    uses_bins: bool = False  # the number of bins matters
    # of the codes of all labels; None when labels play no part
    classes_from_labels: Callable[[Classes], Classes] | None = None

    @property
    def uses_labels(self) -> bool:
        """Whether the cuts depend on the labels."""
        return self.classes_from_labels is not None
