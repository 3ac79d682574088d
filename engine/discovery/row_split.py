"""Rows in two parts: in one findings are sought, in the other their sizes are measured.

What is selected because it looks large in some rows looks larger there than it is, and an interval from the
same rows is too narrow for that. Rows that had no part in the selection know nothing of it (Cox 1975, A note
on data-splitting for the evaluation of significance levels, Biometrika 62:441-444).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from engine.discovery.stability.result import StabilitySettings
from engine.discovery.stability.subsamples import subsample_groups, subsample_rows, without_constants
from engine.errors import InvalidData, InvalidParameter
from engine.parameters import Parameter, check_parameters, parameter
from engine.table.dataset import Dataset

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


@dataclass(frozen=True, slots=True)
class RowSplit:
    """Which rows are searched, and which measure.

    Every field is described by ``parameters_of(RowSplit)``.

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
        title="Share of rows that are searched",
        help="Share of the rows that finds, instead of a half; the rest measures how large findings are.",
        kind="number",
        minimum=0.0,
        maximum=1.0,
        open_interval=True,
        advanced=True,
    )
    seed: int = parameter(
        0,
        title="Seed",
        help="Number from which the rows are drawn; the same number gives the same rows.",
        kind="integer",
        minimum=0,
        maximum=2**31 - 1,
        advanced=True,
    )

    def __post_init__(self) -> None:
        check_parameters(self)

    def as_dict(self) -> dict[str, Any]:
        """Return the settings as plain values, in field order."""
        return asdict(self)

    def searched(self, dataset: Dataset) -> Dataset:
        """Return the rows in which findings are sought; columns that do not vary there take no part.

        Raises
        ------
        InvalidData
            When either part has too few rows.
        """
        rows = self._rows(dataset)
        if min(len(rows), dataset.row_count - len(rows)) < _FEWEST_ROWS:
            raise InvalidData(
                f"of {dataset.row_count:,} rows {len(rows):,} are left to be searched and "
                f"{dataset.row_count - len(rows):,} to measure; at least {_FEWEST_ROWS} of each are needed.",
                place=dataset.name,
                remedy="Search and measure in all rows, or choose another share.",
            )
        return without_constants(dataset.select_rows(rows))

    def measuring(self, dataset: Dataset) -> Dataset:
        """Return the other rows."""
        is_other = np.ones(dataset.row_count, dtype=np.bool_)
        is_other[self._rows(dataset)] = False
        return dataset.select_rows(is_other)

    def check_belongs(self, dataset: Dataset, searched_rows: int) -> None:
        """Refuse a table of which so many rows cannot have been searched.

        Raises
        ------
        InvalidParameter
            When it has another number of rows than the one that was split.
        """
        if len(self._rows(dataset)) != searched_rows:
            raise InvalidParameter(
                f"{searched_rows:,} rows of another table were searched.",
                place="dataset",
                remedy="Give the whole table that was split, and not a part of it.",
            )

    def _rows(self, dataset: Dataset) -> np.ndarray:
        """Draw the rows that are searched, whole groups where rows have groups; positions ascend."""
        scheme = StabilitySettings(share=self.share, seed=self.seed)
        groups = dataset.row_groups
        if groups is not None:
            return subsample_groups(groups, 0, scheme)
        return subsample_rows(dataset.row_count, 0, scheme)
