"""How alike rows of one group, or neighbours in an order, are in many columns at once.

Rows are dependent for a test of two columns where both are alike within groups, or along an order: the
variance of the sum of their products is then 1 + Σ ρ(x) ρ(y) times that of independent rows, over the pairs
of rows (Kish 1965, Survey Sampling, section 5.4; Bartlett 1935, Some aspects of the time-correlation problem
in regard to tests of significance, Journal of the Royal Statistical Society 98:536-543).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.recipe.table_steps import are_dates
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Role, Variable, missing_mask

# Values beyond this many standard deviations count as that many: one far value must decide nothing.
_FARTHEST = 4.0
# Of a column of categories the most frequent ones are compared, of one with very many none.
_MOST_INDICATORS, _MOST_LEVELS = 4, 60
# The quartiles of a normal law are this many standard deviations apart.
_QUARTILES_APART = 1.349


@dataclass(frozen=True, eq=False)
class StandardScores:
    """Columns as numbers of mean 0 and variance 1; 0 where missing."""

    names: tuple[str, ...]
    owner: np.ndarray  # shape (scores,): position of the column in `names`; categories have several scores
    values: np.ndarray  # float32, shape (rows, scores)

    def means(self, groups: np.ndarray) -> StandardScores:
        """Return the means of groups, ``0 … groups - 1``, as rows."""
        order = np.argsort(groups, kind="stable")
        sizes = np.bincount(groups)
        starts = np.concatenate([[0], np.cumsum(sizes[:-1])])
        sums = np.add.reduceat(self.values[order], starts, axis=0)
        return StandardScores(self.names, self.owner, sums / sizes[:, np.newaxis].astype(np.float32))

    def smallest(self, p_values: np.ndarray) -> np.ndarray:
        """Return the p-value of each column, corrected for how many scores it has."""
        counts = np.bincount(self.owner, minlength=len(self.names))
        least = np.ones(len(self.names))
        np.minimum.at(least, self.owner, p_values)
        return np.minimum(1.0, least * np.maximum(counts, 1))

    def largest(self, figures: np.ndarray) -> np.ndarray:
        """Return the largest figure of each column; 0 where none is above."""
        largest = np.zeros(len(self.names))
        np.maximum.at(largest, self.owner, figures)
        return largest


def scores_of(columns: Iterable[tuple[Variable, np.ndarray]], row_count: int) -> StandardScores:
    """Make numbers of columns; those that do not vary, or have very many categories, have none."""
    names: list[str] = []
    owner: list[int] = []
    values: list[np.ndarray] = []
    for variable, column in columns:
        scores = _scores(variable, column)
        owner += [len(names)] * len(scores)
        values += scores
        names.append(variable.name)
    table = np.array(values, dtype=np.float32).T if values else np.empty((row_count, 0), np.float32)
    return StandardScores(tuple(names), np.array(owner, dtype=np.int64), np.ascontiguousarray(table))


def _scores(variable: Variable, column: np.ndarray) -> list[np.ndarray]:
    missing = missing_mask(variable, column)
    present = ~missing
    if variable.kind is Kind.CONTINUOUS or variable.ordered:
        standardised = _standardised(_without_far_values(column.astype(np.float64), present), present)
        return [] if standardised is None else [standardised]
    counts = np.bincount(column[present], minlength=variable.level_count)
    if np.count_nonzero(counts) > _MOST_LEVELS:
        return []
    # The name decides between levels that are as frequent as each other.
    order = sorted(np.flatnonzero(counts).tolist(), key=lambda code: (-counts[code], variable.levels[code]))
    compared = order[1:] if len(order) == 2 else order[:_MOST_INDICATORS]
    made_of_levels = [_standardised((column == code).astype(np.float64), present) for code in compared]
    return [scores_of_level for scores_of_level in made_of_levels if scores_of_level is not None]


def _without_far_values(values: np.ndarray, is_present: np.ndarray) -> np.ndarray:
    present = values if is_present.all() else values[is_present]
    count = len(present)
    if not count:
        return values
    low, middle, high = np.partition(present, [count // 4, count // 2, (3 * count) // 4])[
        [count // 4, count // 2, (3 * count) // 4]
    ]
    scale = (high - low) / _QUARTILES_APART
    if not scale > 0.0 or not np.isfinite(scale):
        return values
    clipped: np.ndarray = np.clip((values - middle) / scale, -_FARTHEST, _FARTHEST)
    return clipped


def _standardised(values: np.ndarray, is_present: np.ndarray) -> np.ndarray | None:
    """Return values of mean 0 and variance 1, 0 where they are not known; None where they do not vary."""
    present = values[is_present]
    if len(present) < 2:
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        deviation = float(present.std())
    if not deviation > 0.0 or not np.isfinite(deviation):
        return None
    return np.where(is_present, (values - present.mean()) / deviation, 0.0)


_SMALL = 1 << 15


@dataclass(frozen=True, eq=False)
class WithinGroups:
    """How alike rows of one group are."""

    p_values: np.ndarray  # shape (scores,): chance of such likeness in independent rows, from the F law
    correlations: np.ndarray  # intraclass, shape (scores,)
    others: float  # rows of its group that a row has besides itself, on average over the rows


def within_groups(values: np.ndarray, groups: np.ndarray, *, is_measured: bool) -> WithinGroups:
    """Compare how groups (codes from 0; negative: none) differ with how rows of a group do, by ANOVA.

    With `is_measured`, neighbours alone are compared, as a column may change along numbers (von Neumann 1941,
    Annals of Mathematical Statistics 12:367-395).
    """
    from scipy.special import fdtrc

    sizes = np.bincount(groups[groups >= 0])
    # Rows that stand alone in their group tell nothing.
    used = (groups >= 0) & (sizes[groups] > 1)
    # Small numbers are sorted in a tenth of the time.
    small = groups.astype(np.int16) if len(sizes) < _SMALL else groups
    row_count, order = int(used.sum()), np.argsort(small, kind="stable")
    order = order[used[order]]
    sizes = sizes[sizes > 1].astype(np.float64)
    part = values[order]
    part = part - part.mean(axis=0)
    starts = np.concatenate([[0], np.cumsum(sizes[:-1])]).astype(np.int64)
    means = np.add.reduceat(part, starts, axis=0, dtype=np.float64) / sizes[:, np.newaxis]
    between = (np.square(means) * sizes[:, np.newaxis]).sum(axis=0)
    total = np.square(part, dtype=np.float64).sum(axis=0)
    within = np.maximum(total - between, 1e-12 * np.maximum(total, 1.0)) / (row_count - len(sizes))
    if is_measured:
        shares = 1.0 / sizes[1:] + 1.0 / sizes[:-1]
        between = _mean_without_largest(np.square(np.diff(means, axis=0)) / shares[:, np.newaxis])
        # Differences of neighbours share a group: as much is known as from two thirds as many.
        freedom = (len(sizes) - 1) * 2.0 / 3.0
    else:
        freedom = len(sizes) - 1.0
        between = between / freedom
    usual = (row_count - np.square(sizes).sum() / row_count) / (len(sizes) - 1)
    correlations = (between - within) / (between + (usual - 1.0) * within)
    p_values = fdtrc(freedom, row_count - len(sizes), between / within)
    others = float(np.square(sizes).sum() - sizes.sum()) / len(groups)
    return WithinGroups(
        np.where(total > 0.0, p_values, 1.0), np.where(total > 0.0, correlations, 0.0), others
    )


# A step along a number, as at a limit of age, makes few differences of neighbours large.
_LARGEST, _MOST_STEPS = 0.05, 3.0


def _mean_without_largest(squares: np.ndarray) -> np.ndarray:
    """Return the mean of squared normal values of each column from all but the largest of them."""
    from scipy.special import chdtr, chdtri

    kept = len(squares) - int(np.ceil(min(_LARGEST * len(squares), _MOST_STEPS)))
    share = kept / len(squares)
    # Of squared normal values, those below a quantile have this mean.
    usual = float(chdtr(3.0, chdtri(1.0, 1.0 - share))) / share
    mean: np.ndarray = np.sort(squares, axis=0)[:kept].mean(axis=0) / usual
    return mean


def without(values: np.ndarray, explained_by: Sequence[np.ndarray]) -> np.ndarray:
    """Take out of columns what other columns explain, as deviations of least squares."""
    if not explained_by:
        return values
    design = np.column_stack([np.ones(len(values)), *explained_by])
    basis, triangle = np.linalg.qr(design)
    diagonal = np.abs(np.diag(triangle))
    basis = basis[:, diagonal > 1e-8 * diagonal.max()].astype(np.float32)
    remaining = values - basis @ (basis.T @ values)
    # What is wholly explained leaves rounding errors, which resemble each other.
    left = np.square(remaining).mean(axis=0) > 1e-6
    return np.where(left, remaining, np.float32(0.0))


@dataclass(frozen=True, eq=False)
class AlongOrder:
    """Columns in an order of the rows, and where a new series begins."""

    values: np.ndarray  # float32, shape (rows, scores), in that order, with mean 0
    series: np.ndarray  # of each row, ascending; rows of different ones are no neighbours

    @cached_property
    def variances(self) -> np.ndarray:
        """Mean square of each column; 1 where it is 0."""
        squares = np.square(self.values, dtype=np.float64).mean(axis=0)
        return np.where(squares > 0.0, squares, 1.0)

    def correlations(self, lag: int) -> tuple[np.ndarray, int]:
        """Return the correlations of rows that are so many apart, and how many pairs there are."""
        first, second = self.values[:-lag], self.values[lag:]
        if self.series[0] == self.series[-1]:
            products, pairs = np.einsum("ij,ij->j", first, second, dtype=np.float64), len(first)
        else:
            same = self.series[:-lag] == self.series[lag:]
            products = np.einsum("ij,ij->j", first[same], second[same], dtype=np.float64)
            pairs = int(same.sum())
        return products / max(pairs, 1) / self.variances, pairs


# Fewer rows show nothing.
FEWEST_ROWS = 40
# Of more columns than this, so many stand for all: a look at the rows must cost little beside a search. Where
# they are alike, the others are looked at too, unless a table has more cells than this.
_MOST_COLUMNS, _MOST_CELLS = 64, 10_000_000


@dataclass(frozen=True, eq=False)
class ScoredTable:
    """Labels and features of a table as scores, made once."""

    dataset: Dataset

    @cached_property
    def labels(self) -> StandardScores:
        """The labels; of very many, some that are spread over their names."""
        return self._scores(self.dataset.labels)

    @cached_property
    def features(self) -> StandardScores:
        """The features; of very many, some that are spread over their names."""
        return self._scores(self.dataset.features)

    @cached_property
    def times(self) -> tuple[str, ...]:
        """Columns along which rows may follow each other, by name: dates, and numbers that go on."""
        pairs = zip(self.dataset.variables, self.dataset.columns, strict=True)
        times = (
            variable.name
            for variable, column in pairs
            if variable.role is not Role.WEIGHT and _counts_time(variable, column)
        )
        return tuple(sorted(times))

    @cached_property
    def numbers_of_rows(self) -> frozenset[str]:
        """Numbers that go on from row to row, which are alike in neighbours and say nothing of them."""
        return frozenset(name for name in self.times if self.dataset.variable(name).kind is Kind.CONTINUOUS)

    def _scores(self, names: Sequence[str]) -> StandardScores:
        # By name, and spread over them, so that the order of columns makes no difference.
        by_name = sorted(names)
        return self._scores_of(by_name[:: -(-len(by_name) // _MOST_COLUMNS)])

    def further(self) -> Iterator[StandardScores]:
        """Return the columns that these stand for, some at a time; none where a table is very large."""
        dataset = self.dataset
        if dataset.row_count * (len(dataset.labels) + len(dataset.features)) > _MOST_CELLS:
            return
        taken = {*self.labels.names, *self.features.names}
        names = [name for name in (*dataset.labels, *dataset.features) if name not in taken]
        for start in range(0, len(names), _MOST_COLUMNS):
            yield self._scores_of(names[start : start + _MOST_COLUMNS])

    def _scores_of(self, names: Sequence[str]) -> StandardScores:
        columns = (
            (self.dataset.variable(name), self.dataset.column(name))
            for name in names
            if name not in self.numbers_of_rows
        )
        return scores_of(columns, self.dataset.row_count)


# A chance of likeness in independent rows below which one column is enough, corrected for how many there are;
# and what then suffices on the other side, where there are other columns to tell.
CLEAR, LIKELY = 1e-4, 0.01
# A column is concerned from here on.
CONCERNED = 0.01
# Dependence that multiplies the variance of an association by less makes no difference.
LEAST_INFLATION = 1.02


def is_clear(labels: np.ndarray, features: np.ndarray, tries: int) -> bool:
    """Tell from p-values of columns whether labels and features are both alike."""
    label, feature = float(labels.min()) * len(labels), float(features.min()) * len(features)
    return max(label, feature) < LIKELY and min(label, feature) * tries < CLEAR


# Fewer dates than this order nothing.
_FEWEST_DATES = 20
# Numbers that count time, or rows, differ in nearly all rows, and leave out few numbers in between.
_NEARLY_ALL_DIFFERENT, _GAPS = 0.95, 3.0
_FIRST_ROWS = 200


def holds_whole_numbers(column: np.ndarray) -> bool:
    """Tell whether all numbers of a column that are not missing are whole."""
    return all(
        bool((np.isnan(some) | (some == np.floor(some))).all()) for some in (column[:_FIRST_ROWS], column)
    )


def _counts_time(variable: Variable, column: np.ndarray) -> bool:
    """Tell whether a column holds dates, or whole numbers that go on from row to row."""
    if variable.kind is Kind.NOMINAL:
        return variable.level_count >= _FEWEST_DATES and are_dates(variable.levels)
    if not holds_whole_numbers(column):
        return False
    first = column[:_FIRST_ROWS]
    if len(np.unique(first)) < _NEARLY_ALL_DIFFERENT * len(first) - np.isnan(first).sum():
        return False
    present = column[~np.isnan(column)]
    if len(present) < FEWEST_ROWS or present.max() - present.min() > _GAPS * len(present):
        return False
    return len(np.unique(present)) >= _NEARLY_ALL_DIFFERENT * len(present)


def columns_concerned(
    table: ScoredTable, figures_of: Callable[[StandardScores], np.ndarray], beside: Sequence[str] = ()
) -> tuple[tuple[str, str, float], ...]:
    """Name the columns in which `figures_of` finds rows alike; unread columns of large tables count."""
    figures = figures_of(table.features)
    usual = float(np.median(figures[figures > 0.0])) if (figures > 0.0).any() else 0.0
    by_name = dict(zip(table.features.names, figures.tolist(), strict=True))
    for scores in (table.labels, *table.further()):
        by_name |= zip(scores.names, figures_of(scores).tolist(), strict=True)
    return tuple(
        (variable.name, str(variable.role), by_name.get(variable.name, usual))
        for variable in table.dataset.variables
        if variable.role.takes_part
        and variable.name not in beside
        and variable.name not in table.numbers_of_rows
        and by_name.get(variable.name, usual) > 0.0
    )
