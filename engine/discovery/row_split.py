"""Rows in two parts without a common row, to search and to measure apart.

What is selected because it looks large in some rows looks larger there than it is, and an interval from the
same rows is too narrow for that. Rows that had no part in the selection know nothing of it (Cox 1975, A note
on data-splitting for the evaluation of significance levels, Biometrika 62:441-444).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.discovery.stability.parts import (
    MOST_COUNTED,
    can_be_drawn_singly,
    counted_part,
    subsample_counts,
    subsample_groups,
    subsample_rows,
    without_constants,
)
from engine.discovery.stability.result import StabilitySettings
from engine.errors import InvalidData, InvalidParameter
from engine.parameters import Parameter, Settings, described, parameter, seed_parameter
from engine.table.dataset import Dataset
from engine.table.row_weights import COUNTS, SAMPLING

SPLIT = Parameter(
    name="split",
    title="Split the rows",
    help="One half of the rows finds and the other measures how large findings are: in the rows that found "
    "them they look larger and surer than they are. With fewer rows to search, less is found.",
    default=False,
    kind="flag",
)
"""Whether rows are split at all, as window and terminal ask for it."""

_FEWEST_ROWS = 5


@described
@dataclass(frozen=True, slots=True)
class RowSplit(Settings):
    """Which rows are searched, and which measure.

    Raises
    ------
    InvalidParameter
        When a value is impossible; the message names the setting and the allowed values.

    Examples
    --------
    >>> import engine
    >>> table = engine.simulate(labels=2, features=8, rows=100, seed=0).dataset
    >>> split = RowSplit(seed=1)
    >>> split.searched(table).row_count, split.measuring(table).row_count
    (50, 50)
    """

    share: float = parameter(
        0.5,
        "Share of rows that are searched",
        "Share of the rows that finds, instead of a half; the rest measures how large findings are.",
        minimum=0.0,
        maximum=1.0,
        open_interval=True,
        advanced=True,
    )
    seed: int = seed_parameter(
        "Number from which the rows are drawn; the same number gives the same rows.",
        advanced=True,
    )

    def searched(self, dataset: Dataset, row_weights: str = SAMPLING) -> Dataset:
        """Return the rows in which findings are sought; columns that do not vary there take no part.

        Parameters
        ----------
        dataset : Dataset
        row_weights : str
            What weights mean, as in the settings of a search. Where they count equal rows, each of these is
            drawn by itself, as if it stood in the table: some of those of a row are searched, others measure.

        Raises
        ------
        InvalidData
            When either part has too few rows, or rows stand for several equal ones whose number is not whole.
        """
        searched, others = self._numbers(dataset, row_weights)
        found, measured = int(searched.sum()), int(others.sum())
        if min(found, measured) < _FEWEST_ROWS:
            raise InvalidData(
                f"of {found + measured:,} rows {found:,} are left to be searched and "
                f"{measured:,} to measure; at least {_FEWEST_ROWS} of each are needed.",
                place=dataset.name,
                remedy="Search and measure in all rows, or choose another share.",
            )
        return without_constants(_part(dataset, searched, row_weights))

    def measuring(self, dataset: Dataset, row_weights: str = SAMPLING) -> Dataset:
        """Return the other rows; `row_weights` as for :meth:`searched`."""
        return _part(dataset, self._numbers(dataset, row_weights)[1], row_weights)

    def check_belongs(self, dataset: Dataset, searched_rows: int, row_weights: str = SAMPLING) -> None:
        """Refuse a table of which so many rows cannot have been searched; `row_weights` as for them.

        Raises
        ------
        InvalidParameter
            When it has another number of rows than the one that was split.
        """
        if np.count_nonzero(self._numbers(dataset, row_weights)[0]) != searched_rows:
            raise InvalidParameter(
                f"{searched_rows:,} rows of another table were searched.",
                place="dataset",
                remedy="Give the whole table that was split, and not a part of it.",
            )

    def _numbers(self, dataset: Dataset, row_weights: str) -> tuple[np.ndarray, np.ndarray]:
        """Say how often each row is searched, and how often it measures: once in all, or as it counts.

        Where rows have groups, whole groups are drawn. A row of weight 0 stands for nobody and is in no part.
        """
        scheme = StabilitySettings(share=self.share, seed=self.seed)
        if _stand_for_several(dataset, row_weights):
            counts = _whole_counts(dataset)
            searched = subsample_counts(counts, 0, scheme)
            return searched, counts - searched
        weights, groups = dataset.row_weights, dataset.row_groups
        drawn_from = np.arange(dataset.row_count) if weights is None else np.flatnonzero(weights > 0.0)
        rows = (
            subsample_rows(len(drawn_from), 0, scheme)
            if groups is None
            else subsample_groups(np.unique(groups[drawn_from], return_inverse=True)[1], 0, scheme)
        )
        searched, others = np.zeros((2, dataset.row_count), dtype=np.int64)
        others[drawn_from] = 1
        searched[drawn_from[rows]] = 1
        return searched, others - searched


def _stand_for_several(dataset: Dataset, row_weights: str) -> bool:
    """Tell whether rows stand for several equal ones, which go to one part or the other each by itself.

    Else all of them would be in one part, and the two be tables of different people.
    """
    weights = dataset.row_weights
    if row_weights != COUNTS or weights is None or dataset.row_groups is not None:
        return False
    return bool((weights > 1.0).any())


def _whole_counts(dataset: Dataset) -> np.ndarray:
    weights = dataset.row_weights
    if weights is None or not can_be_drawn_singly(weights):
        raise InvalidData(
            "of rows that stand for several equal ones, each is drawn by itself, and here their numbers are "
            f"not whole or are {MOST_COUNTED:,} and more in all.",
            place=f"column '{dataset.weight}'",
            remedy="Search and measure in all rows.",
        )
    return weights.astype(np.int64)


def _part(dataset: Dataset, numbers: np.ndarray, row_weights: str) -> Dataset:
    if _stand_for_several(dataset, row_weights):
        return counted_part(dataset, numbers)
    return dataset.select_rows(numbers > 0)
