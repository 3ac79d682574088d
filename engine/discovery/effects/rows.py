"""Which rows an estimate rests on, what each stands for, and how sure sums over them are.

Weights of a sample say how much of a population a row stands for; weights that are counts, how many equal
rows were joined into one. Rows of one group are not independent of each other, so that variances come from
sums over groups (Liang and Zeger 1986, Longitudinal data analysis using generalized linear models, Biometrika
73:13-22).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.errors import InvalidData
from engine.table.dataset import Dataset
from engine.table.row_weights import observations_in
from engine.table.variable import missing_mask
from engine.wording.notes import listed


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of a table that are complete in some variables.

    Attributes
    ----------
    places : ndarray of int64
        Their positions in the table.
    weights : ndarray of float64, shape (rows,), optional
        Above 0; None where every row is one row.
    groups : ndarray of int64, shape (rows,), optional
        Group of each row, ``0 … groups - 1``; None where rows are independent.
    is_sample : bool
        Weights are those of a sample, and no counts.
    lost : int
        Rows of the table that miss a value of these variables.
    """

    places: np.ndarray
    weights: np.ndarray | None
    groups: np.ndarray | None
    is_sample: bool
    lost: int

    def __len__(self) -> int:
        return len(self.places)

    @cached_property
    def shares(self) -> np.ndarray:
        """Share of each row in the whole: float64 of shape (rows,), with sum 1."""
        if self.weights is None:
            return np.full(len(self), 1.0 / max(len(self), 1))
        shares: np.ndarray = self.weights / self.weights.sum()
        return shares

    def worth_of(self, chosen: np.ndarray) -> float:
        """Return how many independent rows some of the rows are worth: of groups, no more than there are.

        Parameters
        ----------
        chosen : ndarray of bool, shape (rows,)
        """
        if self.groups is not None:
            return float(len(np.unique(self.groups[chosen])))
        if self.weights is None:
            return float(chosen.sum())
        return observations_in(self.weights[chosen], self.is_sample)

    @cached_property
    def worth(self) -> float:
        """How many independent rows all are worth; of groups, rows of one group count singly here."""
        if self.weights is None:
            return float(len(self))
        return observations_in(self.weights, self.is_sample)

    def dof(self, coefficients: int) -> float:
        """Return degrees of freedom that are left beside so many coefficients, at least 1."""
        if self.groups is not None:
            return max(float(self.groups.max()), 1.0)
        return max(self.worth - coefficients, 1.0)

    def covariance(self, influence: np.ndarray) -> np.ndarray:
        """Return variances and covariances of sums over the rows.

        Parameters
        ----------
        influence : ndarray of float64, shape (sums, rows)
            What each row adds to each sum, beyond what is expected of it.

        Returns
        -------
        ndarray of float64, shape (sums, sums)
        """
        if self.groups is not None:
            count = int(self.groups.max()) + 1
            by_group = np.empty((len(influence), count))
            for position, each in enumerate(influence):
                by_group[position] = np.bincount(self.groups, each, minlength=count)
            found: np.ndarray = by_group @ by_group.T * (count / max(count - 1.0, 1.0))
            return found
        if self.weights is not None and not self.is_sample:
            influence = influence / np.sqrt(self.weights)
        products: np.ndarray = influence @ influence.T
        return products


def rows_with(dataset: Dataset, names: Iterable[str], *, is_sample: bool = True) -> Rows:
    """Choose the rows that have a value of each of some variables, and a weight above 0.

    Parameters
    ----------
    dataset : Dataset
    names : iterable of str
    is_sample : bool
        Weights, where there are any, are those of a sample; else counts.

    Returns
    -------
    Rows

    Raises
    ------
    InvalidData
        When there is no such row.
    """
    names = tuple(names)
    complete = np.ones(dataset.row_count, dtype=np.bool_)
    for name in names:
        complete &= ~missing_mask(dataset.variable(name), dataset.column(name))
    weights = dataset.row_weights
    counted = np.ones_like(complete) if weights is None else weights > 0.0
    positions = np.flatnonzero(complete & counted)
    if not len(positions):
        raise InvalidData(
            "no row has a value of each.",
            place=f"columns {listed(list(names))}",
            remedy="Leave out a column that is mostly empty.",
        )
    groups = dataset.row_groups
    return Rows(
        positions,
        None if weights is None else weights[positions],
        None if groups is None else np.unique(groups[positions], return_inverse=True)[1],
        is_sample,
        int(counted.sum()) - len(positions),
    )


def weighted_quantiles(values: np.ndarray, shares: np.ndarray, at: Iterable[float]) -> list[float]:
    """Return quantiles of values that have shares in the whole: values that occur.

    Examples
    --------
    >>> weighted_quantiles(np.array([3.0, 1.0, 2.0]), np.array([0.2, 0.4, 0.4]), [0.25, 0.5])
    [1.0, 2.0]
    """
    order = np.argsort(values, kind="stable")
    cumulated = np.cumsum(shares[order])
    # What rounding takes off a sum must not move a quantile to the next value.
    positions = np.searchsorted(cumulated, [each - 1e-9 for each in at])
    found: list[float] = values[order][np.minimum(positions, len(values) - 1)].tolist()
    return found


def deviation(values: np.ndarray, shares: np.ndarray) -> float:
    """Return the standard deviation of values that have shares in the whole."""
    mean = float(shares @ values)
    return math.sqrt(max(float(shares @ (values - mean) ** 2), 0.0))
