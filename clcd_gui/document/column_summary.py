"""A short description of every column: what is missing, and how the values are spread; nothing of Qt."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np

from engine.table.column_kinds import NumberShape, shapes_of
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Variable, missing_mask

BARS = 16
_STEPS = 255
_CELLS_AT_ONCE = 1 << 18
_MANY_ROWS = 100_000
_THREADS = 2


@dataclass(frozen=True, slots=True)
class ColumnSummary:
    """What the column list shows about one variable."""

    rows: int
    missing: int  # rows without a value
    distinct: int
    smallest: float  # NaN when nominal or empty
    largest: float
    # Heights of bars, the tallest 255: one a level (the first sixteen) or one a sixteenth of the range.
    steps: bytes
    shape: NumberShape = field(default_factory=NumberShape)  # skewness and zeros of a continuous variable

    @property
    def missing_share(self) -> float:
        """Share of rows without a value, between 0 and 1."""
        return self.missing / self.rows if self.rows else 0.0

    @property
    def bars(self) -> tuple[float, ...]:
        """Heights of bars, between 0 and 1."""
        return tuple(step / _STEPS for step in self.steps)


def summarise(variable: Variable, column: np.ndarray) -> ColumnSummary:
    """Describe one column of codes or floats, as in :class:`engine.Dataset`."""
    return _described([(variable, column)])[0]


def summarise_all(
    dataset: Dataset, report: Callable[[int, int], None] | None = None
) -> tuple[ColumnSummary, ...]:
    """Describe every column, in column order."""
    groups = _groups(dataset)
    described: list[ColumnSummary] = []
    # Sorting many rows leaves other threads alone; few are described sooner than a thread begins.
    threads = _THREADS if dataset.row_count > _MANY_ROWS else 1
    with ThreadPoolExecutor(threads) as executor:
        for found in executor.map(_described, groups) if threads > 1 else map(_described, groups):
            if report is not None:
                report(len(described), len(dataset.variables))
            described += found
    return tuple(described)


_Group = list[tuple[Variable, np.ndarray]]


def _groups(dataset: Dataset) -> list[_Group]:
    """Put columns of numbers together that follow each other, as many as are soon described."""
    together = max(_CELLS_AT_ONCE // max(dataset.row_count, 1), 1)
    groups: list[_Group] = []
    for pair in zip(dataset.variables, dataset.columns, strict=True):
        is_alike = bool(groups) and groups[-1][0][0].kind is pair[0].kind is Kind.CONTINUOUS
        if is_alike and len(groups[-1]) < together:
            groups[-1].append(pair)
        else:
            groups.append([pair])
    return groups


def _described(group: _Group) -> list[ColumnSummary]:
    variable, column = group[0]
    if variable.kind is Kind.NOMINAL:
        return [_of_categories(variable, column)]
    return _of_numbers(column[np.newaxis] if len(group) == 1 else np.array([each for _, each in group]))


def _of_categories(variable: Variable, column: np.ndarray) -> ColumnSummary:
    missing = int(missing_mask(variable, column).sum())
    counts = np.bincount(column[column >= 0], minlength=max(variable.level_count, 1))
    distinct = int(np.count_nonzero(counts))
    (steps,) = _steps(counts[np.newaxis, :BARS])
    return ColumnSummary(len(column), missing, distinct, np.nan, np.nan, steps)


def _of_numbers(values: np.ndarray) -> list[ColumnSummary]:
    """Describe columns of numbers, of shape (columns, rows); those with gaps one by one."""
    rows = values.shape[1]
    missing = np.count_nonzero(np.isnan(values), axis=1)
    whole = np.flatnonzero(missing == 0)
    described: dict[int, ColumnSummary] = {}
    if rows and len(whole):
        found = _of_known(values if len(whole) == len(values) else values[whole], rows, 0)
        described = dict(zip(whole.tolist(), found, strict=True))
    for position in np.flatnonzero(missing) if rows else range(len(values)):
        known = values[position][~np.isnan(values[position])]
        count = int(missing[position])
        if len(known):
            described[int(position)] = _of_known(known[np.newaxis], rows, count)[0]
        else:
            described[int(position)] = ColumnSummary(rows, count, 0, np.nan, np.nan, b"")
    return [described[position] for position in range(len(values))]


def _of_known(values: np.ndarray, rows: int, missing: int) -> list[ColumnSummary]:
    """Describe numbers of which none is missing, of shape (columns, values) with at least one value."""
    in_order = np.sort(values, axis=1)
    smallest, largest = in_order[:, :1].copy(), in_order[:, -1:].copy()
    distinct = 1 + np.count_nonzero(in_order[:, 1:] != in_order[:, :-1], axis=1)
    steps = _steps(_counts_of_ranges(in_order))
    del in_order
    described = zip(
        distinct.tolist(),
        smallest[:, 0].tolist(),
        largest[:, 0].tolist(),
        steps,
        shapes_of(values),
        strict=True,
    )
    return [
        ColumnSummary(rows, missing, count, low, high, heights if count > 1 else bytes([_STEPS]), shape)
        for count, low, high, heights, shape in described
    ]


def _counts_of_ranges(in_order: np.ndarray) -> np.ndarray:
    """Count the values in each sixteenth of the range of columns in ascending order, by halving."""
    columns, rows = in_order.shape
    # Halved first: the range of the largest floats would overflow.
    smallest, largest = in_order[:, :1] / 2, in_order[:, -1:] / 2
    reach = np.where(smallest == largest, 1.0, largest - smallest)
    bars, column = np.arange(1, BARS), np.arange(columns)[:, np.newaxis]
    first, end = np.zeros((columns, BARS - 1), np.int64), np.full((columns, BARS - 1), rows)
    while (first < end).any():
        middle = (first + end) // 2
        share = (in_order[column, np.minimum(middle, rows - 1)] / 2 - smallest) / reach
        is_below = share * BARS < bars
        first, end = np.where(is_below & (first < end), middle + 1, first), np.where(is_below, end, middle)
    return np.diff(first, axis=1, prepend=0, append=rows)


def _steps(counts: np.ndarray) -> list[bytes]:
    """Give heights for counts of shape (columns, bars); none where nothing occurs."""
    tallest = counts.max(axis=1, initial=0)
    shares = counts / np.maximum(tallest, 1)[:, np.newaxis]
    # Rounded up, so that what is more than nothing stays so.
    steps = np.ceil(shares * _STEPS - 1e-6).astype(np.uint8)
    return [each.tobytes() if top else b"" for each, top in zip(steps, tallest.tolist(), strict=True)]


class ColumnSummaries:
    """Describes columns, and remembers what was described while one table is open."""

    def __init__(self) -> None:
        self._by_number: dict[int, tuple[np.ndarray, ColumnSummary]] = {}
        self._described: tuple[tuple[np.ndarray, ...], tuple[ColumnSummary, ...]] = ((), ())

    def begin(self, columns: tuple[np.ndarray, ...], summaries: Sequence[ColumnSummary]) -> None:
        """Forget what is known, and begin with what describes other columns."""
        self._by_number, self._described = {}, (columns, tuple(summaries))

    def of_all(self, dataset: Dataset) -> tuple[ColumnSummary, ...]:
        """Return a description of every column, in column order."""
        if self._described[0] is not dataset.columns:
            self._keep_described()
            described = tuple(map(self._summary, dataset.variables, dataset.columns))
            self._described = dataset.columns, described
        return self._described[1]

    def of(self, dataset: Dataset, name: str) -> ColumnSummary:
        """Describe a column."""
        if self._described[0] is dataset.columns:
            return self._described[1][dataset.index(name)]
        return self._summary(dataset.variable(name), dataset.column(name))

    def take(self, dataset: Dataset, summaries: Mapping[str, ColumnSummary]) -> None:
        """Take over descriptions of columns that were made elsewhere."""
        self._keep_described()
        for name, summary in summaries.items():
            column = dataset.column(name)
            self._by_number[id(column)] = column, summary

    def _keep_described(self) -> None:
        """Remember each described column by itself, before the table is made of others."""
        self._by_number.update(
            {id(column): (column, it) for column, it in zip(*self._described, strict=True)}
        )
        self._described = ((), ())

    def _summary(self, variable: Variable, column: np.ndarray) -> ColumnSummary:
        known = self._by_number.get(id(column))
        if known is None or known[0] is not column:
            # The array is kept, so that no other one gets its number.
            self._by_number[id(column)] = known = column, summarise(variable, column)
        return known[1]
