"""Parts of the rows of a table, to repeat a search in them, or to search in one and measure in another.

A part has single rows, equal rows that one stands for, or whole groups.

Repetitions of a search get pairs of parts. Drawing both halves of one shuffled table instead of unrelated
halves is what Shah and Samworth (2013, Variable selection with error control: another look at stability
selection, JRSSB 75:55-80) add to Meinshausen and Bühlmann (2010, Stability selection, JRSSB 72:417-473):
their bound on chance findings then holds without assumptions on the data or on the search.

What is selected because it looks large in some rows looks larger there than it is, and an interval from the
same rows is too narrow for that. Rows that had no part in the selection know nothing of it (Cox 1975, A note
on data-splitting for the evaluation of significance levels, Biometrika 62:441-444).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.discovery.stability.result import StabilitySettings
from engine.errors import InvalidData, InvalidParameter
from engine.parameters import Parameter, Settings, described, parameter, seed_parameter
from engine.table.dataset import Dataset
from engine.table.row_weights import COUNTS, SAMPLING
from engine.table.variable import Kind, Role, Variable
from engine.translation import N_, _

# What a share such as 0.29 of 100 rows lacks to 29 by rounding.
_ROUNDING = 1e-9
# More than numpy draws from without replacement.
MOST_COUNTED = 10**9


def subsample_size(rows: int, share: float) -> int:
    """Return the number of rows of a part: the share of them, rounded down.

    >>> subsample_size(101, 0.5), subsample_size(100, 0.29)
    (50, 29)
    """
    return int(rows * share + _ROUNDING)


def subsample_rows(rows: int, number: int, settings: StabilitySettings) -> np.ndarray:
    """Draw the rows of one part without replacement, as ascending positions.

    Parts 2i and 2i + 1 are the first two stretches of ``numpy.random.default_rng([seed,
    i]).permutation(rows)``; parts of more than one half have a list each.
    """
    size = subsample_size(rows, settings.share)
    list_number, stretch = divmod(number, 2) if settings.are_paired else (number, 0)
    order = np.random.default_rng([settings.seed, list_number]).permutation(rows)
    drawn: np.ndarray = np.sort(order[stretch * size : (stretch + 1) * size])
    return drawn


def subsample_counts(counts: np.ndarray, number: int, settings: StabilitySettings) -> np.ndarray:
    """Draw how many of the equal rows that each row stands for, below 10⁹ in all, are in a part."""
    size = subsample_size(int(counts.sum()), settings.share)
    list_number, stretch = divmod(number, 2) if settings.are_paired else (number, 0)
    generator = np.random.default_rng([settings.seed, list_number])
    drawn: np.ndarray = generator.multivariate_hypergeometric(counts, size)
    return generator.multivariate_hypergeometric(counts - drawn, size) if stretch else drawn


def subsample_groups(groups: np.ndarray, number: int, settings: StabilitySettings) -> np.ndarray:
    """Draw the rows of one part by whole groups, as :func:`subsample_rows` draws rows.

    >>> groups = np.array([0, 1, 1, 2, 3, 3])
    >>> pair = [groups[subsample_groups(groups, number, StabilitySettings())] for number in (0, 1)]
    >>> set(pair[0].tolist()) & set(pair[1].tolist())
    set()
    """
    chosen = subsample_rows(int(groups.max()) + 1, number, settings)
    return np.flatnonzero(np.isin(groups, chosen))


class Subsamples:
    """The parts of a prepared table, by weight or counts; whole groups, and never rows of weight 0."""

    def __init__(self, dataset: Dataset, settings: StabilitySettings, are_counts: bool) -> None:
        weights = dataset.row_weights
        if weights is not None and not weights.all():
            dataset, weights = dataset.select_rows(weights > 0.0), weights[weights > 0.0]
        self._dataset = dataset
        self._groups = dataset.row_groups
        self._settings = settings
        self._counts: np.ndarray | None = None
        if self._groups is None and weights is not None and are_counts and can_be_drawn_singly(weights):
            self._counts = weights.astype(np.int64)

    @property
    def size(self) -> int:
        """Number of rows that a part is worth, or of groups where rows have groups."""
        if self._groups is not None:
            return subsample_size(int(self._groups.max()) + 1, self._settings.share)
        rows = self._dataset.row_count if self._counts is None else int(self._counts.sum())
        return subsample_size(rows, self._settings.share)

    @property
    def units_in_words(self) -> str:
        """What parts are drawn from, with their number: rows, or groups of rows."""
        if self._groups is not None:
            return _("{count:,} groups of rows", count=int(self._groups.max()) + 1)
        return _("{count:,} rows", count=self._dataset.row_count)

    def part(self, number: int) -> Dataset:
        """Make one part of the table, in which columns that do not vary take no part."""
        if self._groups is not None:
            return without_constants(
                self._dataset.select_rows(subsample_groups(self._groups, number, self._settings))
            )
        if self._counts is None:
            rows = subsample_rows(self._dataset.row_count, number, self._settings)
            return without_constants(self._dataset.select_rows(rows))
        drawn = subsample_counts(self._counts, number, self._settings)
        return without_constants(counted_part(self._dataset, drawn))


def counted_part(dataset: Dataset, counts: np.ndarray) -> Dataset:
    """Return the rows that are in a part, each with how many equal rows it stands for there."""
    part = dataset.select_rows(counts > 0)
    weight = Variable(str(part.weight), Kind.CONTINUOUS, Role.WEIGHT)
    return part.with_column(weight, counts[counts > 0].astype(np.float64))


def can_be_drawn_singly(weights: np.ndarray) -> bool:
    """Tell whether weights are whole numbers, and few enough for each of the rows to be drawn."""
    return bool((weights % 1 == 0).all() and weights.sum() < MOST_COUNTED)


def without_constants(part: Dataset) -> Dataset:
    """Set aside the labels and features that do not vary; levels keep their codes, numbers their cuts."""
    constant = {
        variable.name: Role.IGNORED
        for variable, column in zip(part.variables, part.columns, strict=True)
        if variable.role in (Role.LABEL, Role.FEATURE) and _is_constant(variable.kind, column)
    }
    return part.with_roles(constant) if constant else part


def _is_constant(kind: Kind, column: np.ndarray) -> bool:
    """Tell whether the known values, if there are any, are all the same."""
    present = column[~np.isnan(column)] if kind is Kind.CONTINUOUS else column[column >= 0]
    return present.size == 0 or bool((present == present[0]).all())


SPLIT = Parameter(
    name="split",
    title=N_("Split the rows"),
    help=N_(
        "Estimates from searched rows are too large and too precise, so CLCD searches one half of "
        "the rows and estimates from the other. With fewer rows to search, it finds fewer "
        "variables."
    ),
    default=False,
    kind="flag",
)
"""Whether rows are split at all, as window and terminal ask for it."""

_FEWEST_ROWS = 5


@described
@dataclass(frozen=True, slots=True)
class RowSplit(Settings):
    """Random division of the rows into one part for the search and one part for the estimates.

    Raises
    ------
    InvalidParameter
        If a value is impossible. The message names the setting and the allowed values.

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
        N_("Share of rows that are searched"),
        N_("Share of the rows that is searched, instead of one half. Estimates come from the other rows."),
        minimum=0.0,
        maximum=1.0,
        open_interval=True,
        advanced=True,
    )
    seed: int = seed_parameter(
        N_("Seed of the random draw. The same seed gives the same rows."),
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
        rows_searched, measured = int(searched.sum()), int(others.sum())
        if min(rows_searched, measured) < _FEWEST_ROWS:
            raise InvalidData(
                _(
                    "of {total:,} rows, {searched:,} remain for the search and {measured:,} for the "
                    "estimates; at least {fewest_rows} of each are needed.",
                    total=rows_searched + measured,
                    searched=rows_searched,
                    measured=measured,
                    fewest_rows=_FEWEST_ROWS,
                ),
                place=dataset.name,
                remedy=_("Use all rows for search and estimates, or choose another share."),
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
                _("{searched_rows:,} rows of another table were searched.", searched_rows=searched_rows),
                place="dataset",
                remedy=_("Give the whole table that was split, and not a part of it."),
            )

    def _numbers(self, dataset: Dataset, row_weights: str) -> tuple[np.ndarray, np.ndarray]:
        """Return how often each row is searched and measured; groups stay whole, 0 weights out."""
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
    """Tell whether rows stand for several equal ones, which are then divided one by one."""
    weights = dataset.row_weights
    if row_weights != COUNTS or weights is None or dataset.row_groups is not None:
        return False
    return bool((weights > 1.0).any())


def _whole_counts(dataset: Dataset) -> np.ndarray:
    weights = dataset.row_weights
    if weights is None or not can_be_drawn_singly(weights):
        raise InvalidData(
            _(
                "the rows that a frequency weight stands for are drawn separately, but here the "
                "weights are not whole, or sum to {most_counted:,} or more.",
                most_counted=MOST_COUNTED,
            ),
            place=_("column '{weight}'", weight=dataset.weight),
            remedy=_("Use all rows for search and estimates."),
        )
    return weights.astype(np.int64)


def _part(dataset: Dataset, numbers: np.ndarray, row_weights: str) -> Dataset:
    if _stand_for_several(dataset, row_weights):
        return counted_part(dataset, numbers)
    return dataset.select_rows(numbers > 0)
