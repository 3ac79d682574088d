"""What every feature selector is given, checked arrays without constant columns, and what it gives."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from engine.errors import Cancelled, InvalidData
from engine.translation import _


@dataclass(frozen=True, slots=True, eq=False)
class RankingProblem:
    """Features and labels that vary, and what the call asked for beside them."""

    values: np.ndarray  # (rows, features), finite; no column is constant
    labels: np.ndarray  # (rows, labels), 0 or 1; none is constant over the labelled rows
    labelled: np.ndarray  # rows whose labels are known
    seed: int  # from which draws follow
    stop: np.ndarray  # (1,): not 0 asks to stop

    def standardised(self) -> np.ndarray:
        """Give the features with mean 0 and standard deviation 1, so that no unit of measure counts more."""
        # A common factor first: squares of very large or very small numbers would leave the range.
        centred = self.values - self.values.mean(axis=0)
        centred /= np.abs(centred).max(axis=0)
        # And the mean again: beside a large mean, the first difference is rounded.
        centred -= centred.mean(axis=0)
        standardised: np.ndarray = centred / np.sqrt(np.mean(centred**2, axis=0))
        return standardised

    def unit_interval(self) -> np.ndarray:
        """Return the features stretched to reach from 0 to 1."""
        lowest = self.values.min(axis=0)
        stretched: np.ndarray = (self.values - lowest) / (self.values.max(axis=0) - lowest)
        return stretched

    def centred_labels(self) -> np.ndarray:
        """Return the labels with mean 0, which stands in for an intercept."""
        centred: np.ndarray = self.labels - self.labels.mean(axis=0)
        return centred

    def check_stop(self) -> None:
        """Raise Cancelled when somebody asked to stop."""
        if self.stop[0]:
            raise Cancelled(_("The ranking of the features was stopped."))


def checked_values(values: np.ndarray) -> np.ndarray:
    """Return a table of features as float64, or say what is wrong with it."""
    try:
        table = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidData(
            _("The features are not all numbers."), remedy=_("Turn categories into numbers first.")
        ) from error
    if table.ndim != 2 or table.shape[0] < 2 or table.shape[1] < 1:
        raise InvalidData(
            _("A table of shape {shape} cannot be ranked.", shape=table.shape),
            place="features",
            remedy=_("Give at least two rows and one column."),
        )
    # The range must be finite too: the difference of two finite numbers can overflow.
    with np.errstate(over="ignore", invalid="ignore"):
        finite = np.isfinite(np.ptp(table, axis=0) * table.shape[0])
    if not finite.all():
        raise InvalidData(
            _("it holds a value that is missing, infinite or too large."),
            place=_("feature in column {number}", number=int(np.argmin(finite)) + 1),
            remedy=_("Fill in or drop such values first."),
        )
    return table


def checked_labels(labels: np.ndarray, rows: int) -> np.ndarray:
    """Return a table of labels as bool, or say what is wrong with it."""
    table = np.asarray(labels)
    if table.ndim != 2 or table.shape[0] != rows or table.shape[1] < 1:
        raise InvalidData(
            _(
                "A table of shape {shape} does not fit {rows} rows of features.",
                shape=table.shape,
                rows=rows,
            ),
            place="labels",
            remedy=_("Give one row of labels for each row of features, and at least one label."),
        )
    if table.dtype != np.bool_ and not np.isin(table, (0, 1)).all():
        raise InvalidData(
            _("A label is neither 0 nor 1."),
            place="labels",
            remedy=_("Write 0 for absent and 1 for present."),
        )
    return table.astype(np.bool_)


def _nothing() -> np.ndarray:
    return np.empty(0, dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class FeatureRanking:
    """Features ranked by one method; its arrays are read-only."""

    scores: np.ndarray  # larger is better; finite; not comparable between methods
    # At the start and after each iteration, never rising; empty for a method that minimises nothing.
    objective: np.ndarray = field(default_factory=_nothing)
    converged: bool = True  # by the tolerance; False where the bound on iterations ended it
    # columns that the method selects, best first; None without a number
    subset: tuple[int, ...] | None = None

    @property
    def order(self) -> np.ndarray:
        """Columns from the best to the worst, int64; ties in column order."""
        return np.argsort(-self.scores, kind="stable")
