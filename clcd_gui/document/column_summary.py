"""A short description of every column: what is missing, and how the values are spread; nothing of Qt."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np

from engine.recipe.step import DATES
from engine.recipe.table_steps import dates_of
from engine.table.column_kinds import NumberShape, shapes_of
from engine.table.dataset import Dataset
from engine.table.variable import Kind, Variable, missing_mask
from engine.translation import _

BARS = 16
_STEPS = 255
_CELLS_AT_ONCE = 1 << 18
_MANY_ROWS = 100_000
_THREADS = 2
MOST_BARS = 40
_FENCES = 3.0
# More categories than these are no help side by side.
_MOST_CLASSES = 6
_DATES_LOOKED_AT = 100
_LARGEST_WHOLE = 1e9
_LARGEST_DRAWN = 1e300
# Up to this share of the rows, what lies far out does not press all other bars together.
_MOST_FAR_OUT = 0.05


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
        for group_described in executor.map(_described, groups) if threads > 1 else map(_described, groups):
            if report is not None:
                report(len(described), len(dataset.variables))
            described += group_described
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
    return _of_numbers(column[np.newaxis] if len(group) == 1 else np.array([numbers for _, numbers in group]))


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
        summaries = _of_known(values if len(whole) == len(values) else values[whole], rows, 0)
        described = dict(zip(whole.tolist(), summaries, strict=True))
    for position in np.flatnonzero(missing) if rows else range(len(values)):
        present = values[position][~np.isnan(values[position])]
        count = int(missing[position])
        if len(present):
            described[int(position)] = _of_known(present[np.newaxis], rows, count)[0]
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
    return [heights.tobytes() if top else b"" for heights, top in zip(steps, tallest.tolist(), strict=True)]


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
        remembered = self._by_number.get(id(column))
        if remembered is None or remembered[0] is not column:
            # The array is kept, so that no other one gets its number.
            self._by_number[id(column)] = remembered = column, summarise(variable, column)
        return remembered[1]


@dataclass(frozen=True, slots=True, eq=False)
class ColumnDistribution:
    """What the page of a column shows of its values."""

    variable: Variable
    rows: int  # of the table
    missing: int  # rows without a value
    values: np.ndarray  # the numbers, ascending; empty for categories
    # Shape (bars + 1,); empty for categories; the outer bars include all values beyond them, too.
    edges: np.ndarray
    counts: np.ndarray  # rows in each bar, or of each category
    label: str = ""  # by which the bars are divided; empty for none
    # Categories of the label, each with its rows in each bar.
    classes: tuple[tuple[str, np.ndarray], ...] = ()
    # Share of rows without a value in each category of the label.
    missing_in: tuple[tuple[str, float], ...] = ()
    fences: tuple[float, float] = (np.nan, np.nan)  # three times the distance of the quartiles beyond them
    far_out: tuple[int, int] = (0, 0)  # rows below and above the fences
    is_dates: bool = False  # its categories are dates
    quartiles: tuple[float, float, float] = (np.nan, np.nan, np.nan)

    def counts_between(self, points: tuple[float, ...], equal_goes_below: bool) -> tuple[int, ...]:
        """Count the numbers between cut points, in no time however many there are."""
        side = "right" if equal_goes_below else "left"
        places = np.searchsorted(self.values, np.array(points), side=side)  # type: ignore[call-overload]
        return tuple(np.diff(np.concatenate(([0], places, [len(self.values)]))).tolist())


def distribution_of(dataset: Dataset, name: str, label: str = "") -> ColumnDistribution:
    """Describe how the values of a column are spread, in all rows and in each category of a label.

    >>> import pandas
    >>> frame = pandas.DataFrame({"dose": [1.5, 2, None, 4, 90], "ill": list("nnyyy")})
    >>> found = distribution_of(Dataset.from_frame(frame, labels=["ill"]), "dose", "ill")
    >>> found.missing, found.far_out, [name for name, _ in found.classes]
    (1, (0, 1), ['n', 'y'])
    >>> found.counts_between((2.0,), True)
    (2, 2)
    """
    variable, column = dataset.variable(name), dataset.column(name)
    missing = missing_mask(variable, column)
    classes = _classes(dataset, label) if label in dataset.names and label != name else []
    values = np.sort(column[~missing]) if variable.kind is Kind.CONTINUOUS else np.empty(0)
    quartiles, fences, far_out = _robust(values)
    present = [column[rows & ~missing] for rows in (np.ones_like(missing), *(rows for _, rows in classes))]
    if variable.kind is Kind.CONTINUOUS:
        edges = _edges(values, fences if 0 < sum(far_out) <= _MOST_FAR_OUT * len(values) else None)
        counts = [_in_bars(edges, numbers) for numbers in present]
    else:
        edges = np.empty(0)
        counts = [np.bincount(codes, minlength=max(variable.level_count, 1)) for codes in present]
    return ColumnDistribution(
        variable,
        len(column),
        int(missing.sum()),
        values,
        edges,
        counts[0],
        label if classes else "",
        tuple((level, count) for (level, _), count in zip(classes, counts[1:], strict=True)),
        tuple((level, float(missing[rows].mean()) if rows.any() else 0.0) for level, rows in classes),
        fences,
        far_out,
        _is_dates(dataset, variable),
        quartiles,
    )


def _classes(dataset: Dataset, label: str) -> list[tuple[str, np.ndarray]]:
    """Return the categories of a label with their rows; a number has a lower and an upper half."""
    variable, column = dataset.variable(label), dataset.column(label)
    if variable.kind is Kind.CONTINUOUS:
        numbers = column[~np.isnan(column)]
        middle = float(np.median(numbers)) if len(numbers) else 0.0
        return [(_("lower half"), column <= middle), (_("upper half"), column > middle)]
    if variable.level_count > _MOST_CLASSES:
        return []
    return [(level, column == code) for code, level in enumerate(variable.levels)]


def _edges(values: np.ndarray, fences: tuple[float, float] | None) -> np.ndarray:
    """Return where bars begin and end; a few values far out are in the first and the last bar."""
    if not len(values):
        return np.empty(0)
    low, high = max(float(values[0]), -_LARGEST_DRAWN), min(float(values[-1]), _LARGEST_DRAWN)
    if fences is not None:
        low, high = max(low, fences[0]), min(high, fences[1])
    if low >= high:
        return np.array([low - 0.5, low + 0.5])
    bars = int(min(MOST_BARS, max(8, round(4 * len(values) ** (1 / 3)))))
    if high - low < _LARGEST_WHOLE and (values % 1 == 0).all():
        # As many whole numbers in each bar, so that none is higher for holding more of them.
        width = int(np.ceil((high - low + 1) / MOST_BARS))
        return np.arange(np.floor(low) - 0.5, high + width, width)
    return np.linspace(low, high, bars + 1)


def _in_bars(edges: np.ndarray, values: np.ndarray) -> np.ndarray:
    if not len(edges):
        return np.zeros(0, dtype=np.int64)
    places = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(edges) - 2)
    return np.bincount(places, minlength=len(edges) - 1)


def _robust(
    values: np.ndarray,
) -> tuple[tuple[float, float, float], tuple[float, float], tuple[int, int]]:
    """Return quartiles, fences and how many values lie beyond (Tukey 1977, Exploratory Data Analysis)."""
    if not len(values):
        return (np.nan,) * 3, (np.nan, np.nan), (0, 0)
    lower, middle, upper = (float(values[int(share * (len(values) - 1))]) for share in (0.25, 0.5, 0.75))
    reach = _FENCES * (upper - lower)
    fences = lower - reach, upper + reach
    below = int(np.searchsorted(values, fences[0], side="left"))
    above = len(values) - int(np.searchsorted(values, fences[1], side="right"))
    return (lower, middle, upper), fences, (below, above) if reach > 0 else (0, 0)


def _is_dates(dataset: Dataset, variable: Variable) -> bool:
    if any(note.topic == DATES and note.variable == variable.name for note in dataset.notes):
        return True
    some = variable.levels[:_DATES_LOOKED_AT]
    return bool(some) and not np.isnat(dates_of(some).days).any()
